/* gradients_product.c - derivatives of products: the gradient times the other factor, transposed.
 *
 * matmul and linear take vectors and batches. A vector becomes a matrix of one row or one column first; what was broadcast over a
 * batch is summed by the engine.
 */
#include <string.h>

#include "autograd/backward.h"
#include "operator_gradients.h"
#include "operators_select.h"
#include "operators_math.h"
#include "operators_compare.h"
#include "operators_activation.h"
#include "operators_arithmetic.h"
#include "operators_product.h"
#include "operators_view.h"

/* The gradient as a batch of matrices, although vectors among the factors had no dimension in the result. */
static tn_tensor *product_as_matrices(const tn_tensor *grad, bool row, bool column) {
    tn_tensor *made = (tn_tensor *)(uintptr_t)grad;
    if (column)
        made = tn_unsqueeze(made, -1);
    return row ? tn_unsqueeze(made, -2) : made;
}

static tn_tensor *product_transposed(const tn_tensor *factor) { return tni_conj_of(tn_mT(factor)); }

/* Sums over a batch that the vector was not part of. */
static tn_tensor *product_vector(tn_tensor *made, int64_t dim) { return tn_squeeze_dim(made, dim); }

tn_tensor *tni_gradient_matmul_self(const tn_tensor *grad, const tn_tensor *other, tn_dims sizes) {
    bool vector = sizes.count == 1, column = other->ndim == 1;
    if (vector && column)
        return tn_mul(grad, tni_conj_of(other));
    tn_tensor *matrices = product_as_matrices(grad, vector, column);
    const tn_tensor *factor = column ? tn_unsqueeze(other, -1) : other;
    tn_tensor *made = tn_matmul(matrices, product_transposed(factor));
    return vector ? product_vector(made, -2) : made;
}

tn_tensor *tni_gradient_matmul_other(const tn_tensor *grad, const tn_tensor *self, tn_dims sizes) {
    bool vector = sizes.count == 1, row = self->ndim == 1;
    if (vector && row)
        return tn_mul(grad, tni_conj_of(self));
    tn_tensor *matrices = product_as_matrices(grad, row, vector);
    const tn_tensor *factor = row ? tn_unsqueeze(self, -2) : self;
    if (sizes.count <= 2 && self->ndim > 2) { /* one matrix for the whole batch: one product instead of a sum of many */
        if (!matrices || !factor || !factor->numel || !grad->numel)
            return matrices && factor ? tni_gradient_zeros(sizes, grad) : NULL;
        tn_tensor *flat = tn_reshape(factor, (tn_dims){(int64_t[]){-1, factor->sizes[factor->ndim - 1]}, 2});
        tn_tensor *flat_grad = tn_reshape(matrices, (tn_dims){(int64_t[]){-1, matrices->sizes[matrices->ndim - 1]}, 2});
        tn_tensor *made = tn_mm(tni_conj_of(tn_t(flat)), flat_grad);
        return vector && made && made->ndim == 2 ? product_vector(made, -1) : made;
    }
    tn_tensor *made = tn_matmul(product_transposed(factor), matrices);
    return vector ? product_vector(made, -1) : made;
}

/* weight: (out, in), or (in): then the result has one number for each line of input. */
tn_tensor *tni_gradient_linear_input(const tn_tensor *grad, const tn_tensor *weight) {
    return weight->ndim == 1 ? tn_mul(tn_unsqueeze(grad, -1), tni_conj_of(weight)) : tn_matmul(grad, tni_conj_of(weight));
}

tn_tensor *tni_gradient_linear_weight(const tn_tensor *grad, const tn_tensor *input, int64_t weight_ndim) {
    int64_t in = input->sizes[input->ndim - 1], out = weight_ndim == 1 ? 1 : grad->sizes[grad->ndim - 1];
    int64_t lines = in ? input->numel / in : 0;
    tn_tensor *rows = tn_reshape(input, (tn_dims){(int64_t[]){lines, in}, 2});
    tn_tensor *gradients = tn_reshape(grad, (tn_dims){(int64_t[]){lines, out}, 2});
    tn_tensor *made = tn_mm(tn_t(gradients), tni_conj_of(rows));
    return weight_ndim == 1 ? tn_squeeze_dim(made, 0) : made;
}

/* inner sums over the last dimensions of both: (a..., k) and (b..., k) give (a..., b...). A number among them is a factor. */
tn_tensor *tni_gradient_inner(const tn_tensor *grad, const tn_tensor *factor, tn_dims sizes, bool first) {
    if (sizes.count == 0 || factor->ndim == 0)
        return tn_mul(grad, tni_conj_of(factor));
    int64_t k = sizes.values[sizes.count - 1], own = 1, others = 1;
    for (int64_t d = 0; d + 1 < sizes.count; d++)
        own *= sizes.values[d];
    for (int64_t d = 0; d + 1 < factor->ndim; d++)
        others *= factor->sizes[d];
    tn_dims table = {first ? (int64_t[]){own, others} : (int64_t[]){others, own}, 2};
    tn_tensor *gradients = tn_reshape(grad, table);
    tn_tensor *rows = tn_reshape(factor, (tn_dims){(int64_t[]){others, k}, 2});
    return tn_reshape(tn_mm(first ? gradients : tn_t(gradients), tni_conj_of(rows)), sizes);
}

/* The dimensions that were summed are there again, with size 1, and broadcast to what the other factor, or else the input itself, has
 * there. */
tn_tensor *tni_gradient_sumproduct(const tn_tensor *grad, const tn_tensor *factor, tn_dims own, tn_dims dim, bool keepdim) {
    int64_t all = own.count > factor->ndim ? own.count : factor->ndim, sizes[TN_MAX_DIMS], at = 0;
    bool summed[TN_MAX_DIMS] = {false};
    for (int64_t i = 0; i < dim.count; i++)
        summed[dim.values[i] < 0 ? dim.values[i] + all : dim.values[i]] = true;
    for (int64_t d = 0; d < all; d++)
        sizes[d] = keepdim ? grad->sizes[d] : summed[d] ? 1 : grad->sizes[at++];
    tn_tensor *made = tn_mul(tn_reshape(grad, (tn_dims){sizes, all}), tni_conj_of(factor));
    for (int64_t d = 0; made && d < all; d++) {
        int64_t place = d - (all - own.count);
        sizes[d] = made->sizes[d] == 1 && place >= 0 ? own.values[place] : made->sizes[d];
    }
    return tn_expand(made, (tn_dims){sizes, all});
}

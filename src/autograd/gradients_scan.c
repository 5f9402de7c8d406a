/* gradients_scan.c - derivatives of running products and sums, and of areas under lines.
 *
 * What an element adds to the results at its own place and behind is summed from the end: cumsum of the flipped gradient.
 */
#include <float.h>

#include "autograd/backward.h"
#include "autograd/slot.h"
#include "operator_gradients.h"
#include "operators_arithmetic.h"
#include "operators_compare.h"
#include "operators_complex.h"
#include "operators_copy.h"
#include "operators_create.h"
#include "operators_index.h"
#include "operators_join.h"
#include "operators_logic.h"
#include "operators_math.h"
#include "operators_move.h"
#include "operators_reduce.h"
#include "operators_scan.h"
#include "operators_select.h"
#include "operators_statistics.h"
#include "operators_view.h"

static int64_t scan_wrap(int64_t dim, const tn_tensor *self) { return dim < 0 ? dim + self->ndim : dim; }

/* ---- running products */

/* With a zero, and derivatives wanted of this one too: for each element the products of all others up to each place. */
static tn_tensor *scan_product_each(const tn_tensor *grad, const tn_tensor *self, int64_t dim) {
    tn_tensor *sum = tn_zeros_like(self, TN_DTYPE_DEFAULT, TN_PRESERVE);
    for (int64_t k = 0; sum && k < self->sizes[dim]; k++) {
        tn_tensor *one = tn_ones_like(tn_select(self, dim, k), TN_DTYPE_DEFAULT, TN_PRESERVE);
        tn_tensor *others = tn_cumprod(tn_select_scatter(self, one, dim, k), dim, TN_DTYPE_DEFAULT);
        tn_tensor *count = tn_slice(tn_mul(grad, tni_conj_of(others)), dim, k, TN_NONE, 1);
        sum = tn_select_scatter(sum, tn_sum_dim(count, (tn_dims){&dim, 1}, false, TN_DTYPE_DEFAULT), dim, k);
    }
    return sum;
}

/* Before the first zero of a line everything can be divided; it gets the products without it; behind it they are all 0. */
static tn_tensor *scan_product_with_zeros(const tn_tensor *grad, const tn_tensor *self, int64_t dim, const tn_tensor *plain) {
    tn_tensor *zeros = tn_eq_scalar(self, tn_scalar_int(0)), *seen = tn_cumsum(zeros, dim, TN_INT64);
    tn_tensor *first = tn_logical_and(zeros, tn_eq_scalar(seen, tn_scalar_int(1)));
    tn_tensor *without = tn_cumprod(tn_masked_fill(self, first, tn_scalar_int(1)), dim, TN_DTYPE_DEFAULT);
    tn_tensor *own = tni_gradient_cumsum(tn_mul(grad, tni_conj_of(without)), dim);
    tn_tensor *before = tn_masked_fill(plain, tn_gt_scalar(seen, tn_scalar_int(0)), tn_scalar_int(0));
    return tn_where(first, own, before);
}

tn_tensor *tni_gradient_cumprod(const tn_tensor *grad, const tn_tensor *self, int64_t dim, const tn_tensor *result) {
    int64_t d = scan_wrap(dim, self);
    if (self->ndim == 0 || self->numel == 0)
        return (tn_tensor *)(uintptr_t)grad;
    if (self->dtype != result->dtype && !(self = tn_to(self, (tn_dtype)result->dtype)))
        return NULL;
    bool zeros = tni_may_be_zero(self);
    if (zeros && tni_recording())
        return scan_product_each(grad, self, d);
    tn_tensor *plain = tn_div(tni_gradient_cumsum(tn_mul(grad, tni_conj_of(result)), d), tni_conj_of(self));
    return zeros ? scan_product_with_zeros(grad, self, d, plain) : plain;
}

/* ---- running log-sum-exp */

/* x_k has the share exp(x_k - r_j) in the result r_j behind it. */
static tn_tensor *scan_shares(const tn_tensor *grad, const tn_tensor *self, int64_t dim, const tn_tensor *result) {
    int64_t last = self->ndim, sum = last;
    tn_tensor *own = tn_unsqueeze(tn_movedim(self, (tn_dims){&dim, 1}, (tn_dims){(int64_t[]){-1}, 1}), -1);
    tn_tensor *behind = tn_unsqueeze(tn_movedim(result, (tn_dims){&dim, 1}, (tn_dims){(int64_t[]){-1}, 1}), -2);
    tn_tensor *weight = tn_unsqueeze(tn_movedim(grad, (tn_dims){&dim, 1}, (tn_dims){(int64_t[]){-1}, 1}), -2);
    tn_tensor *later = tn_triu(tn_ones_like(tn_sub(own, behind), TN_BOOL, TN_CONTIGUOUS), 0);
    tn_tensor *share = tn_exp(tn_where_other_scalar(later, tn_sub(own, behind), tn_scalar_int(0)));
    tn_tensor *all = tn_where_other_scalar(later, tn_mul(weight, tni_conj_of(share)), tn_scalar_int(0));
    return tn_movedim(tn_sum_dim(all, (tn_dims){&sum, 1}, false, TN_DTYPE_DEFAULT), (tn_dims){(int64_t[]){-1}, 1},
                      (tn_dims){&dim, 1});
}

/* exp(x_k + log of the sum of weight_j exp(-r_j) for all j from k on); weights are positive. */
static tn_tensor *scan_logs(const tn_tensor *log_weight, const tn_tensor *self, int64_t dim, const tn_tensor *result) {
    tn_dims along = {&dim, 1};
    return tn_exp(tn_add(tn_flip(tn_logcumsumexp(tn_flip(tn_sub(log_weight, result), along), dim), along), self));
}

tn_tensor *tni_gradient_logcumsumexp(const tn_tensor *grad, const tn_tensor *self, int64_t dim, const tn_tensor *result) {
    int64_t d = scan_wrap(dim, self);
    if (self->ndim == 0 || self->numel == 0)
        return (tn_tensor *)(uintptr_t)grad;
    if (tni_recording())
        return scan_shares(grad, self, d, result);
    if (tn_dtype_is_complex((tn_dtype)self->dtype))
        return tn_conj(scan_logs(tn_log(tn_conj(grad)), self, d, result));
    tn_scalar nothing = tn_scalar_float(self->dtype == TN_FLOAT64 ? -DBL_MAX : -FLT_MAX), zero = tn_scalar_int(0);
    tn_tensor *log = tn_log(tn_abs(grad));
    tn_tensor *above = scan_logs(tn_where_other_scalar(tn_gt_scalar(grad, zero), log, nothing), self, d, result);
    tn_tensor *below = scan_logs(tn_where_other_scalar(tn_lt_scalar(grad, zero), log, nothing), self, d, result);
    return tn_sub(above, below);
}

/* ---- areas under a line: sums of (y_i + y_i+1) / 2 times the step between them */

/* For each step: the gradient of its area. A sum has one for all, running sums have those behind. */
static tn_tensor *scan_steps(const tn_tensor *grad, int64_t dim, int64_t count, bool running) {
    if (running)
        return tni_gradient_cumsum(grad, dim);
    tn_tensor *kept = tn_unsqueeze(grad, dim);
    int64_t sizes[TN_MAX_DIMS];
    for (int64_t d = 0; kept && d < kept->ndim; d++)
        sizes[d] = d == dim ? count : kept->sizes[d];
    return tn_expand(kept, (tn_dims){sizes, tni_ndim_of(kept)});
}

/* What belongs to each step goes to both of its ends: with this sign to the one in front. */
static tn_tensor *scan_ends(const tn_tensor *steps, int64_t dim, bool minus) {
    int64_t pad[2 * TN_MAX_DIMS] = {0}, *own = pad + 2 * (tni_ndim_of(steps) - 1 - dim), count = 2 * (tni_ndim_of(steps) - dim);
    if (!steps)
        return NULL;
    own[1] = 1;
    tn_tensor *front = (tn_constant_pad_nd)(steps, (tn_dims){pad, count}, tn_scalar_int(0));
    own[0] = 1;
    own[1] = 0;
    tn_tensor *back = (tn_constant_pad_nd)(steps, (tn_dims){pad, count}, tn_scalar_int(0));
    return minus ? tn_sub(back, front) : tn_add(back, front);
}

static tn_tensor *scan_area(const tn_tensor *grad, tn_dims sizes, const tn_tensor *x, tn_scalar dx, int64_t dim, bool running) {
    int64_t d = dim < 0 ? dim + sizes.count : dim, count = sizes.values[d];
    if (count <= 1)
        return tni_gradient_zeros(sizes, grad);
    tn_tensor *half = tn_mul_scalar(scan_steps(grad, d, count - 1, running), tn_scalar_float(0.5));
    if (!x)
        return scan_ends(tn_mul_scalar(half, tni_number_conj(dx)), d, false);
    int64_t own = x->ndim == 1 ? 0 : d - (sizes.count - x->ndim); /* x is broadcast to y */
    tn_tensor *widths = tn_diff(x, 1, own, NULL, NULL);
    for (int64_t k = d + 1; x->ndim == 1 && k < sizes.count; k++)
        widths = tn_unsqueeze(widths, -1);
    return scan_ends(tn_mul(half, tni_conj_of(widths)), d, false);
}

tn_tensor *tni_gradient_trapezoid(const tn_tensor *grad, tn_dims sizes, tn_scalar dx, int64_t dim, bool running) {
    return scan_area(grad, sizes, NULL, dx, dim, running);
}

tn_tensor *tni_gradient_trapezoid_y(const tn_tensor *grad, tn_dims sizes, const tn_tensor *x, int64_t dim, bool running) {
    return scan_area(grad, sizes, x, tn_scalar_int(1), dim, running);
}

tn_tensor *tni_gradient_trapezoid_x(const tn_tensor *grad, const tn_tensor *y, tn_dims sizes, int64_t dim, bool running) {
    int64_t d = scan_wrap(dim, y), count = y->sizes[d], over[TN_MAX_DIMS], dims = 0;
    if (count <= 1)
        return tni_gradient_zeros(sizes, grad);
    tn_tensor *steps = tn_mul_scalar(scan_steps(grad, d, count - 1, running), tn_scalar_float(0.5));
    tn_tensor *both = tn_add(tn_narrow(y, d, 0, count - 1), tn_narrow(y, d, 1, count - 1));
    tn_tensor *made = scan_ends(tn_mul(steps, tni_conj_of(both)), d, true);
    for (int64_t k = 0; sizes.count == 1 && k < y->ndim; k++)
        if (k != d)
            over[dims++] = k;
    return dims ? tn_sum_dim(made, (tn_dims){over, dims}, false, TN_DTYPE_DEFAULT) : made;
}

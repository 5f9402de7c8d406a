/* matrix_norm.c - linalg_matrix_norm and linalg_norm: which vector norms, sums or singular values a norm of matrices is. */
#include <math.h>
#include <string.h>

#include <tenon/dispatch.h>

#include "base/error.h"
#include "operators_arithmetic.h"
#include "operators_copy.h"
#include "operators_linalg.h"
#include "operators_reduce.h"
#include "operators_view.h"
#include "ops/linalg/linalg.h"
#include "ops/result.h"

/* The two dimensions of a matrix norm, counted from 0. */
static bool norm_dims(const tn_tensor *self, tn_dims dim, int64_t dims[2]) {
    static const int64_t last[] = {-2, -1};
    if (dim.count == 0)
        dim = (tn_dims){last, 2};
    if (dim.count != 2) {
        tni_raise(TN_ERROR_ARGUMENT, "dim has %" PRId64 " dimensions: a norm of matrices is over 2", dim.count);
        return false;
    }
    for (int i = 0; i < 2; i++)
        if (!tni_wrap_dim(dim.values[i], self->ndim, "dim", &dims[i]))
            return false;
    if (dims[0] == dims[1])
        tni_raise(TN_ERROR_ARGUMENT, "dim has dimension %" PRId64 " twice", dims[0]);
    return dims[0] != dims[1];
}

static bool norm_checks(const tn_tensor *self) {
    tn_dtype real = tn_dtype_to_real(self->dtype);
    if (!tn_dtype_is_complex(self->dtype) && !tn_dtype_is_floating(real)) {
        tni_raise(TN_ERROR_DTYPE, "self is %s; a norm is of floating point or complex numbers", tni_show_tensor(self));
        return false;
    }
    if (self->ndim < 2) {
        tni_raise(TN_ERROR_SHAPE, "self %s is not a matrix, or a batch of them: it has %d dimension%s", tni_show_tensor(self),
                  self->ndim, self->ndim == 1 ? "" : "s");
        return false;
    }
    return true;
}

/* NaN, which no norm has, for what is not a real number. */
static double norm_number(tn_scalar ord) {
    return ord.kind == TN_SCALAR_FLOAT ? ord.value.d : ord.kind == TN_SCALAR_INT ? (double)ord.value.i : NAN;
}

static const tn_tensor *norm_in(const tn_tensor *self, tn_dtype dtype) {
    return dtype == TN_DTYPE_DEFAULT || dtype == self->dtype ? self : tn_to(self, dtype);
}

/* By name: a build may have no singular values. */
static tn_tensor *norm_values(const tn_tensor *matrices) {
    if (!tn_operator_find("linalg_svdvals"))
        return tni_raise_null(TN_ERROR_UNSUPPORTED, "this norm needs singular values, and there is no linalg_svdvals");
    return tn_call_tensor("linalg_svdvals", TN_VALUES(matrices));
}

/* The largest or smallest along a dimension; the largest of none is 0, as torch has it. */
static tn_tensor *norm_extreme(const tn_tensor *values, int64_t dim, double ord, bool keepdim) {
    tn_dims dims = {&dim, 1};
    if (ord < 0 || !values)
        return tn_amin(values, dims, keepdim);
    return values->sizes[dim < 0 ? dim + values->ndim : dim] ? tn_amax(values, dims, keepdim)
                                                             : tn_sum_dim(values, dims, keepdim, TN_DTYPE_DEFAULT);
}

/* Of singular values, which are along the last dimension: sizes of 1 come back where dims were. */
static tn_tensor *norm_of_values(const tn_tensor *self, const int64_t dims[2], double ord, bool nuclear, bool keepdim) {
    tn_tensor *turned = tn_movedim(self, (tn_dims){dims, 2}, (tn_dims){(int64_t[]){-2, -1}, 2});
    tn_tensor *values = norm_values(turned), *made;
    if (nuclear)
        made = tn_sum_dim(values, TN_DIMS(-1), false, TN_DTYPE_DEFAULT);
    else
        made = norm_extreme(values, -1, ord, false);
    if (!keepdim)
        return made;
    int64_t low = dims[0] < dims[1] ? dims[0] : dims[1], high = dims[0] < dims[1] ? dims[1] : dims[0];
    return tn_unsqueeze(tn_unsqueeze(made, low), high);
}

tn_tensor *tni_composite_linalg_matrix_norm(const tn_tensor *self, tn_scalar ord, tn_dims dim, bool keepdim, tn_dtype dtype) {
    int64_t dims[2];
    double order = norm_number(ord), size = fabs(order);
    if (!norm_checks(self) || !norm_dims(self, dim, dims))
        return NULL;
    if (size != 1 && size != 2 && !isinf(size)) {
        tni_raise(TN_ERROR_ARGUMENT, "ord is %g; a norm of matrices has 1, 2, inf, their negatives, \"fro\" or \"nuc\"", order);
        return NULL;
    }
    const tn_tensor *x = norm_in(self, dtype);
    if (!x)
        return NULL;
    if (size == 2)
        return norm_of_values(x, dims, order, false, keepdim);
    /* sums over one dimension, of which the other one has the largest or smallest */
    int64_t summed = isinf(size) ? dims[1] : dims[0], rest = isinf(size) ? dims[0] : dims[1];
    tn_tensor *sums = (tn_linalg_vector_norm)(x, tn_scalar_float(1), (tn_dims){&summed, 1}, keepdim, TN_DTYPE_DEFAULT);
    rest -= !keepdim && rest > summed;
    return norm_extreme(sums, rest, order, keepdim);
}

tn_tensor *tni_composite_linalg_matrix_norm_out(tn_tensor *out, const tn_tensor *self, tn_scalar ord, tn_dims dim, bool keepdim,
                                                tn_dtype dtype) {
    return tni_result_put(out, tni_composite_linalg_matrix_norm(self, ord, dim, keepdim, dtype), TNI_RESULT_EXACT);
}

tn_tensor *tni_composite_linalg_matrix_norm_str_ord(const tn_tensor *self, const char *ord, tn_dims dim, bool keepdim,
                                                    tn_dtype dtype) {
    int64_t dims[2];
    if (!norm_checks(self) || !norm_dims(self, dim, dims))
        return NULL;
    if (strcmp(ord, "fro") == 0)
        return (tn_linalg_vector_norm)(self, tn_scalar_float(2), (tn_dims){dims, 2}, keepdim, dtype);
    if (strcmp(ord, "nuc") == 0)
        return norm_of_values(norm_in(self, dtype), dims, 0, true, keepdim);
    return tni_raise_null(TN_ERROR_ARGUMENT, "ord is \"%s\", not \"fro\" or \"nuc\"", ord);
}

tn_tensor *tni_composite_linalg_matrix_norm_str_ord_out(tn_tensor *out, const tn_tensor *self, const char *ord, tn_dims dim,
                                                        bool keepdim, tn_dtype dtype) {
    return tni_result_put(out, tni_composite_linalg_matrix_norm_str_ord(self, ord, dim, keepdim, dtype), TNI_RESULT_EXACT);
}

/* Without ord, a vector norm of order 2 of all that dim names, or of everything. With it, one of vectors along one dimension, of matrices along
 * two. */
tn_tensor *tni_composite_linalg_norm(const tn_tensor *self, tn_scalar ord, tn_dims dim, bool keepdim, tn_dtype dtype) {
    bool given = ord.kind != TN_SCALAR_NONE;
    if (given && dim.count == 0 && self->ndim > 2) {
        tni_raise(TN_ERROR_ARGUMENT, "self %s has %d dimensions and dim is not given: with ord there are 1 or 2",
                  tni_show_tensor(self), self->ndim);
        return NULL;
    }
    if (given && (dim.count == 2 || (dim.count == 0 && self->ndim == 2)))
        return (tn_linalg_matrix_norm)(self, ord, dim.count ? dim : (tn_dims){(int64_t[]){0, 1}, 2}, keepdim, dtype);
    return (tn_linalg_vector_norm)(self, given ? ord : tn_scalar_float(2), dim, keepdim, dtype);
}

tn_tensor *tni_composite_linalg_norm_out(tn_tensor *out, const tn_tensor *self, tn_scalar ord, tn_dims dim, bool keepdim,
                                         tn_dtype dtype) {
    return tni_result_put(out, tni_composite_linalg_norm(self, ord, dim, keepdim, dtype), TNI_RESULT_EXACT);
}

tn_tensor *tni_composite_linalg_norm_ord_str(const tn_tensor *self, const char *ord, tn_dims dim, bool keepdim,
                                             tn_dtype dtype) {
    if (dim.count == 0 && self->ndim != 2) {
        tni_raise(TN_ERROR_ARGUMENT, "self %s is not a matrix and dim is not given: \"%s\" is a norm of matrices",
                  tni_show_tensor(self), ord);
        return NULL;
    }
    return tn_linalg_matrix_norm_str_ord(self, ord, dim.count ? dim : (tn_dims){(int64_t[]){0, 1}, 2}, keepdim, dtype);
}

tn_tensor *tni_composite_linalg_norm_ord_str_out(tn_tensor *out, const tn_tensor *self, const char *ord, tn_dims dim,
                                                 bool keepdim, tn_dtype dtype) {
    return tni_result_put(out, tni_composite_linalg_norm_ord_str(self, ord, dim, keepdim, dtype), TNI_RESULT_EXACT);
}

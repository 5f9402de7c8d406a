/* move_product.c - products of elements that are brought together in patterns: outer, kron, cross, vander, renorm.
 *
 * All but vander are the multiplication of the operator table on views: broadcasting does the moving.
 */
#include <math.h>

#include "base/error.h"
#include "iterate/promote.h"
#include "operator_impls.h"
#include "ops/copy.h"
#include "ops/move.h"
#include "ops/result.h"

/* ---- outer */

static bool product_are_vectors(const tn_tensor *self, const tn_tensor *vec2) {
    if (self->ndim == 1 && vec2->ndim == 1)
        return true;
    tni_raise(TN_ERROR_SHAPE, "self %s and vec2 %s must have one dimension each", tni_show_tensor(self), tni_show_tensor(vec2));
    return false;
}

tn_tensor *tni_op_outer(const tn_tensor *self, const tn_tensor *vec2) {
    tn_tensor *column = product_are_vectors(self, vec2) ? tni_op_unsqueeze(self, 1) : NULL;
    tn_tensor *result = column ? tni_op_mul(column, vec2) : NULL;
    tni_tensor_release(column);
    return result;
}

tn_error tni_op_outer_out(tn_tensor *out, const tn_tensor *self, const tn_tensor *vec2) {
    tn_tensor *column = product_are_vectors(self, vec2) ? tni_op_unsqueeze(self, 1) : NULL;
    tn_error code = column ? tni_op_mul_out(out, column, vec2) : tn_error_code();
    tni_tensor_release(column);
    return code;
}

tn_tensor *tni_op_ger(const tn_tensor *self, const tn_tensor *vec2) { return tni_op_outer(self, vec2); }
tn_error tni_op_ger_out(tn_tensor *out, const tn_tensor *self, const tn_tensor *vec2) {
    return tni_op_outer_out(out, self, vec2);
}

/* ---- kron */

/* result: every dimension the product of those of self and other; seen as pairs of dimensions, it is self with its elements
 * standing still along the second of each pair times other standing still along the first. */
static tn_error product_write_kron(tn_tensor *result, const tn_tensor *self, const tn_tensor *other) {
    int64_t count = 0, sizes[TN_MAX_DIMS], strides[3][TN_MAX_DIMS]; /* of the result, self and other; sizes of 1 left out */
    for (int64_t d = 0; d < result->ndim; d++) {
        int64_t of_self = d - (result->ndim - self->ndim), of_other = d - (result->ndim - other->ndim);
        int64_t inner = of_other < 0 ? 1 : other->sizes[of_other];
        if (of_self >= 0 && self->sizes[of_self] > 1) {
            sizes[count] = self->sizes[of_self];
            strides[0][count] = result->strides[d] * inner;
            strides[1][count] = self->strides[of_self];
            strides[2][count++] = 0;
        }
        if (inner > 1) {
            sizes[count] = inner;
            strides[0][count] = result->strides[d];
            strides[1][count] = 0;
            strides[2][count++] = other->strides[of_other];
        }
    }
    tn_tensor *target = tni_tensor_view(result, count, sizes, strides[0], result->offset);
    tn_tensor *left = tni_tensor_view(self, count, sizes, strides[1], self->offset);
    tn_tensor *right = tni_tensor_view(other, count, sizes, strides[2], other->offset);
    tn_error code = target && left && right ? tni_op_mul_out(target, left, right) : tn_error_code();
    tni_tensor_release(right);
    tni_tensor_release(left);
    tni_tensor_release(target);
    return code;
}

tn_tensor *tni_op_kron(const tn_tensor *self, const tn_tensor *other) {
    tn_dtype dtype = tni_promote(self->dtype, other->dtype); /* one of no dimensions counts like any other */
    if (dtype == TN_DTYPE_DEFAULT)
        return tni_raise_null(TN_ERROR_DTYPE, "there is no dtype for both self %s and other %s", tni_show_tensor(self),
                              tni_show_tensor(other));
    int64_t ndim = tni_max_i64(self->ndim, other->ndim), sizes[TN_MAX_DIMS];
    for (int64_t d = 0; d < ndim; d++) {
        int64_t of_self = d - (ndim - self->ndim), of_other = d - (ndim - other->ndim);
        if (!tni_move_size(of_self < 0 ? 1 : self->sizes[of_self], of_other < 0 ? 1 : other->sizes[of_other], "a dimension",
                           &sizes[d]))
            return NULL;
    }
    tn_tensor *result = tni_tensor_new(ndim, sizes, dtype, TN_DEVICE_CPU);
    if (!result || result->numel == 0 || product_write_kron(result, self, other) == TN_OK)
        return result;
    tni_tensor_release(result);
    return NULL;
}

tn_error tni_op_kron_out(tn_tensor *out, const tn_tensor *self, const tn_tensor *other) {
    return tni_result_move(out, tni_op_kron(self, other), TNI_RESULT_CAST);
}

/* ---- cross */

/* result[i] = self[j] * other[k] - self[k] * other[j] along the dimension */
static tn_error product_write_cross(tn_tensor *result, const tn_tensor *self, const tn_tensor *other, int64_t dim) {
    tn_error code = TN_OK;
    for (int64_t i = 0; i < 3 && code == TN_OK; i++) {
        int64_t j = (i + 1) % 3, k = (i + 2) % 3;
        tn_tensor *parts[] = {tni_op_select(self, dim, j), tni_op_select(other, dim, k), tni_op_select(self, dim, k),
                              tni_op_select(other, dim, j), tni_op_select(result, dim, i)};
        tn_tensor *plus = parts[0] && parts[1] ? tni_op_mul(parts[0], parts[1]) : NULL;
        tn_tensor *minus = parts[2] && parts[3] ? tni_op_mul(parts[2], parts[3]) : NULL;
        code = plus && minus && parts[4] ? tni_op_sub_out(parts[4], plus, minus) : tn_error_code();
        tni_tensor_release(minus);
        tni_tensor_release(plus);
        for (size_t n = 0; n < TNI_COUNT_OF(parts); n++)
            tni_tensor_release(parts[n]);
    }
    return code;
}

tn_tensor *tni_op_linalg_cross(const tn_tensor *self, const tn_tensor *other, int64_t dim) {
    int64_t d, ndim, sizes[TN_MAX_DIMS];
    if (self->ndim != other->ndim || self->ndim == 0)
        return tni_raise_null(TN_ERROR_SHAPE, "self %s and other %s must have the same number of dimensions, and one at least",
                              tni_show_tensor(self), tni_show_tensor(other));
    if (self->dtype != other->dtype || self->dtype == TN_BOOL)
        return tni_raise_null(TN_ERROR_DTYPE, "self %s and other %s must have the same dtype, and not bool",
                              tni_show_tensor(self), tni_show_tensor(other));
    if (!tni_wrap_dim(dim, self->ndim, "dim", &d))
        return NULL;
    if (self->sizes[d] != 3 || other->sizes[d] != 3)
        return tni_raise_null(TN_ERROR_SHAPE, "dimension %" PRId64 " of self %s and of other %s must have size 3", dim,
                              tni_show_tensor(self), tni_show_tensor(other));
    if (tn_geometry_broadcast((tn_dims){self->sizes, self->ndim}, (tn_dims){other->sizes, other->ndim}, &ndim, sizes, NULL) !=
        TN_GEOMETRY_OK)
        return tni_raise_null(TN_ERROR_SHAPE, "self %s and other %s cannot be broadcast", tni_show_tensor(self),
                              tni_show_tensor(other));
    tn_tensor *result = tni_tensor_new(ndim, sizes, self->dtype, TN_DEVICE_CPU);
    if (!result || result->numel == 0 || product_write_cross(result, self, other, d) == TN_OK)
        return result;
    tni_tensor_release(result);
    return NULL;
}

tn_error tni_op_linalg_cross_out(tn_tensor *out, const tn_tensor *self, const tn_tensor *other, int64_t dim) {
    return tni_result_move(out, tni_op_linalg_cross(self, other, dim), TNI_RESULT_EXACT);
}

tn_tensor *tni_op_cross(const tn_tensor *self, const tn_tensor *other, int64_t dim) {
    for (int64_t d = 0; d < self->ndim && dim == TN_NONE; d++)
        if (self->sizes[d] == 3)
            dim = d;
    if (dim == TN_NONE)
        return tni_raise_null(TN_ERROR_SHAPE, "self %s has no dimension of size 3", tni_show_tensor(self));
    return tni_op_linalg_cross(self, other, dim);
}

tn_error tni_op_cross_out(tn_tensor *out, const tn_tensor *self, const tn_tensor *other, int64_t dim) {
    return tni_result_move(out, tni_op_cross(self, other, dim), TNI_RESULT_EXACT);
}

/* ---- vander */

/* Row i of the target: 1, x, x^2, ... or backwards. Products are formed wide and rounded once, as torch's cumprod does. */
static void product_powers(tn_tensor *target, const tn_tensor *x, bool increasing) {
    int64_t count = target->sizes[1];
    for (int64_t i = 0; i < target->sizes[0]; i++)
        for (int64_t k = 0; k < count; k++) {
            int64_t at = i * count + (increasing ? k : count - 1 - k), last = at + (increasing ? -1 : 1);
            switch ((tn_dtype)x->dtype) {
            case TN_INT64: {
                const int64_t *from = (const void *)tni_tensor_read(x);
                int64_t *to = (void *)tni_tensor_write(target);
                to[at] = k ? (int64_t)((uint64_t)to[last] * (uint64_t)from[i]) : 1;
                break;
            }
            case TN_FLOAT64: {
                const double *from = (const void *)tni_tensor_read(x);
                double *to = (void *)tni_tensor_write(target);
                to[at] = k ? to[last] * from[i] : 1;
                break;
            }
            default: {
                const tn_complex128 *from = (const void *)tni_tensor_read(x);
                tn_complex128 *to = (void *)tni_tensor_write(target), a = k ? to[last] : (tn_complex128){1, 0}, b = from[i];
                to[at] = k ? (tn_complex128){a.real * b.real - a.imag * b.imag, a.real * b.imag + a.imag * b.real} : a;
            }
            }
        }
}

tn_tensor *tni_op_vander(const tn_tensor *x, int64_t N, bool increasing) {
    if (x->ndim != 1)
        return tni_raise_null(TN_ERROR_SHAPE, "x must have one dimension, it is %s", tni_show_tensor(x));
    if (N != TN_NONE && N < 0)
        return tni_raise_null(TN_ERROR_ARGUMENT, "N = %" PRId64 " must not be negative", N);
    tn_dtype dtype = tni_promote(x->dtype, TN_INT64);
    if (dtype == TN_DTYPE_DEFAULT)
        return tni_raise_null(TN_ERROR_DTYPE, "not defined for x %s", tni_show_tensor(x));
    tn_dtype wide = tn_dtype_is_complex(dtype) ? TN_COMPLEX128 : tn_dtype_is_floating(dtype) ? TN_FLOAT64 : TN_INT64;
    int64_t sizes[2] = {x->numel, N == TN_NONE ? x->numel : N};
    tn_tensor *from = tni_clone_as(x, wide, TN_CONTIGUOUS, TN_DEVICE_CPU, "powers are formed in the widest dtype");
    tn_tensor *powers = from ? tni_tensor_new(2, sizes, wide, TN_DEVICE_CPU) : NULL;
    if (powers && powers->numel)
        product_powers(powers, from, increasing);
    tn_tensor *result = powers ? tni_op_to(powers, dtype) : NULL;
    tni_tensor_release(powers);
    tni_tensor_release(from);
    return result;
}

/* ---- renorm */

typedef struct product_norm {
    double p, sum;
} product_norm;

static void product_norm_add(product_norm *norm, double value) {
    if (isinf(norm->p))
        norm->sum = isnan(value) || isnan(norm->sum) ? NAN : fmax(norm->sum, value);
    else
        norm->sum += norm->p == 1 ? value : norm->p == 2 ? value * value : pow(value, norm->p);
}

static double product_norm_end(const product_norm *norm) {
    return isinf(norm->p) || norm->p == 1 ? norm->sum : norm->p == 2 ? sqrt(norm->sum) : pow(norm->sum, 1 / norm->p);
}

/* What each part along the dimension is multiplied with: a tensor that broadcasts against self. */
static tn_tensor *product_factors(const tn_tensor *self, double p, int64_t dim, double maxnorm) {
    bool complex = tn_dtype_is_complex(self->dtype);
    int64_t sizes[TN_MAX_DIMS];
    for (int64_t d = 0; d < self->ndim; d++)
        sizes[d] = d == dim ? self->sizes[d] : 1;
    tn_dtype real = tn_dtype_to_real(self->dtype);
    tn_tensor *factors = tni_tensor_new(self->ndim, sizes, real == TN_FLOAT64 ? TN_FLOAT64 : TN_FLOAT32, TN_DEVICE_CPU);
    tn_tensor *parts = factors ? tni_op_transpose(self, 0, dim) : NULL; /* the order inside a part does not matter */
    tn_tensor *wide = parts ? tni_clone_as(parts, complex ? TN_COMPLEX128 : TN_FLOAT64, TN_CONTIGUOUS, TN_DEVICE_CPU,
                                           "norms are formed in double")
                            : NULL;
    tni_tensor_release(parts);
    if (!wide) {
        tni_tensor_release(factors);
        return NULL;
    }
    int64_t count = factors->numel ? wide->numel / factors->numel : 0;
    const double *values = (const void *)tni_tensor_read(wide);
    char *target = tni_tensor_write(factors);
    for (int64_t i = 0; i < factors->numel; i++) {
        product_norm norm = {p, 0};
        for (int64_t k = i * count; k < (i + 1) * count; k++)
            product_norm_add(&norm, complex ? hypot(values[2 * k], values[2 * k + 1]) : fabs(values[k]));
        double length = product_norm_end(&norm), factor = length > maxnorm ? maxnorm / (length + 1e-7) : 1;
        tn_dtype_store(factors->dtype, target + (size_t)i * tni_tensor_item_size(factors), tn_scalar_float(factor));
    }
    tni_tensor_release(wide);
    return factors;
}

static tn_tensor *product_renorm_factors(const tn_tensor *self, tn_scalar p, int64_t dim, tn_scalar maxnorm) {
    double numbers[2];
    if (p.kind == TN_SCALAR_COMPLEX || maxnorm.kind == TN_SCALAR_COMPLEX)
        return tni_raise_null(TN_ERROR_ARGUMENT, "p = %s and maxnorm = %s must be real", tni_show_scalar(p),
                              tni_show_scalar(maxnorm));
    tn_dtype_store(TN_FLOAT64, &numbers[0], p);
    tn_dtype_store(TN_FLOAT64, &numbers[1], maxnorm);
    if (!(numbers[0] > 0) || !(numbers[1] >= 0))
        return tni_raise_null(TN_ERROR_ARGUMENT, "p = %s must be above 0 and maxnorm = %s not below it", tni_show_scalar(p),
                              tni_show_scalar(maxnorm));
    if (self->ndim < 2)
        return tni_raise_null(TN_ERROR_SHAPE, "self must have at least 2 dimensions, it is %s", tni_show_tensor(self));
    if (tn_dtype_is_integral(self->dtype))
        return tni_raise_null(TN_ERROR_DTYPE, "self must be floating or complex, it is %s", tni_show_tensor(self));
    return tni_wrap_dim(dim, self->ndim, "dim", &dim) ? product_factors(self, numbers[0], dim, numbers[1]) : NULL;
}

tn_error tni_op_renorm_out(tn_tensor *out, const tn_tensor *self, tn_scalar p, int64_t dim, tn_scalar maxnorm) {
    if (out->dtype != self->dtype)
        return tni_raise(TN_ERROR_DTYPE, "the result has dtype %s, and so must out %s", tn_dtype_name(self->dtype),
                         tni_show_tensor(out));
    tn_tensor *factors = product_renorm_factors(self, p, dim, maxnorm);
    tn_error code = factors ? tni_op_mul_out(out, self, factors) : tn_error_code();
    tni_tensor_release(factors);
    return code;
}

tn_error tni_op_renorm_(tn_tensor *self, tn_scalar p, int64_t dim, tn_scalar maxnorm) {
    return tni_op_renorm_out(self, self, p, dim, maxnorm);
}

tn_tensor *tni_op_renorm(const tn_tensor *self, tn_scalar p, int64_t dim, tn_scalar maxnorm) {
    tn_tensor *result = tni_tensor_new(self->ndim, self->sizes, self->dtype, TN_DEVICE_CPU);
    if (!result || tni_op_renorm_out(result, self, p, dim, maxnorm) == TN_OK)
        return result;
    tni_tensor_release(result);
    return NULL;
}

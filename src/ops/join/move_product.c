/* move_product.c - products of elements combined in patterns: outer, kron, cross, vander, renorm.
 *
 * All but vander are the multiplication of the operator table on views: broadcasting does the moving.
 */
#include <math.h>

#include "base/error.h"
#include "base/parallel.h"
#include "iterate/promote.h"
#include "operators_arithmetic.h"
#include "operators_create.h"
#include "operators_move.h"
#include "operators_view.h"
#include "ops/copy/copy.h"
#include "ops/join/move.h"
#include "ops/result.h"

/* ---- outer */

static bool product_are_vectors(const tn_tensor *self, const tn_tensor *vec2) {
    if (self->ndim == 1 && vec2->ndim == 1)
        return true;
    tni_raise(TN_ERROR_SHAPE, "self %s and vec2 %s must have one dimension each", tni_show_tensor(self), tni_show_tensor(vec2));
    return false;
}

tn_tensor *tni_composite_outer(const tn_tensor *self, const tn_tensor *vec2) {
    return product_are_vectors(self, vec2) ? tn_mul(tn_unsqueeze(self, 1), vec2) : NULL;
}

tn_tensor *tni_composite_outer_out(tn_tensor *out, const tn_tensor *self, const tn_tensor *vec2) {
    return product_are_vectors(self, vec2) ? tn_mul_out(out, tn_unsqueeze(self, 1), vec2) : NULL;
}

/* ---- kron */

/* Every dimension of the result is the product of those of self and other. Seen as pairs of dimensions it is self, repeated
 * along the second of each pair, times other, repeated along the first; pairs that are 1 and 1 are left out. */
typedef struct product_pairs {
    int64_t ndim, sizes[TN_MAX_DIMS];                           /* of the result */
    int64_t count, of_self[TN_MAX_DIMS], of_other[TN_MAX_DIMS]; /* the shapes to be multiplied */
} product_pairs;

static bool product_find_pairs(const tn_tensor *self, const tn_tensor *other, product_pairs *pairs) {
    pairs->ndim = tni_max_i64(self->ndim, other->ndim);
    pairs->count = 0;
    for (int64_t d = 0; d < pairs->ndim; d++) {
        int64_t of_self = d - (pairs->ndim - self->ndim), of_other = d - (pairs->ndim - other->ndim);
        int64_t outer = of_self < 0 ? 1 : self->sizes[of_self], inner = of_other < 0 ? 1 : other->sizes[of_other];
        if (!tni_move_size(outer, inner, "a dimension", &pairs->sizes[d]))
            return false;
        for (int k = 0; k < 2; k++)
            if ((k ? inner : outer) > 1) {
                pairs->of_self[pairs->count] = k ? 1 : outer;
                pairs->of_other[pairs->count++] = k ? inner : 1;
            }
    }
    if (pairs->count == 0) { /* for dtypes, one of no dimensions counts like any other */
        pairs->of_self[0] = pairs->of_other[0] = 1;
        pairs->count = 1;
    }
    return true;
}

tn_tensor *tni_composite_kron(const tn_tensor *self, const tn_tensor *other) {
    product_pairs pairs;
    tn_dtype dtype = tni_promote(self->dtype, other->dtype);
    if (dtype == TN_DTYPE_DEFAULT)
        return tni_raise_null(TN_ERROR_DTYPE, "there is no dtype for both self %s and other %s", tni_show_tensor(self),
                              tni_show_tensor(other));
    if (!product_find_pairs(self, other, &pairs))
        return NULL;
    if (self->numel == 0 || other->numel == 0)
        return tn_empty_device((tn_dims){pairs.sizes, pairs.ndim}, dtype, tni_tensor_device(self));
    tn_tensor *product =
        tn_mul(tn_view(self, (tn_dims){pairs.of_self, pairs.count}), tn_view(other, (tn_dims){pairs.of_other, pairs.count}));
    return tn_reshape(product, (tn_dims){pairs.sizes, pairs.ndim});
}

tn_tensor *tni_composite_kron_out(tn_tensor *out, const tn_tensor *self, const tn_tensor *other) {
    return tni_result_put(out, tni_composite_kron(self, other), TNI_RESULT_CAST);
}

/* ---- cross */

bool tni_plan_linalg_cross(tni_plan *plan, const tn_tensor *self, const tn_tensor *other, int64_t dim) {
    int64_t ndim, sizes[TN_MAX_DIMS];
    tn_error code = TN_OK;
    tni_plan_begin(plan, self);
    if (self->ndim != other->ndim || self->ndim == 0)
        code = tni_raise(TN_ERROR_SHAPE, "self %s and other %s must have the same number of dimensions, and one at least",
                         tni_show_tensor(self), tni_show_tensor(other));
    else if (self->dtype != other->dtype || self->dtype == TN_BOOL)
        code = tni_raise(TN_ERROR_DTYPE, "self %s and other %s must have the same dtype, and not bool", tni_show_tensor(self),
                         tni_show_tensor(other));
    if (code != TN_OK || !tni_wrap_dim(dim, self->ndim, "dim", &plan->number[0]))
        return false;
    if (self->sizes[plan->number[0]] != 3 || other->sizes[plan->number[0]] != 3)
        code = tni_raise(TN_ERROR_SHAPE, "dimension %" PRId64 " of self %s and of other %s must have size 3", dim,
                         tni_show_tensor(self), tni_show_tensor(other));
    else if (tn_geometry_broadcast((tn_dims){self->sizes, self->ndim}, (tn_dims){other->sizes, other->ndim}, &ndim, sizes,
                                   NULL) != TN_GEOMETRY_OK)
        code = tni_raise(TN_ERROR_SHAPE, "self %s and other %s cannot be broadcast", tni_show_tensor(self),
                         tni_show_tensor(other));
    if (code != TN_OK)
        return false;
    plan->beside = true;
    tni_plan_add(plan, ndim, sizes, self->dtype);
    return true;
}

/* result[i] = self[j] * other[k] - self[k] * other[j] along the dimension */
tn_error tni_run_linalg_cross(const tni_plan *plan, tn_tensor *const *results, const tn_tensor *self, const tn_tensor *other,
                              int64_t unwrapped) {
    tn_error code = TN_OK;
    int64_t dim = plan->number[0];
    (void)unwrapped;
    for (int64_t i = 0; i < 3 && code == TN_OK && results[0]->numel > 0; i++) {
        int64_t j = (i + 1) % 3, k = (i + 2) % 3;
        tn_tensor *parts[] = {tni_op_select(self, dim, j), tni_op_select(other, dim, k), tni_op_select(self, dim, k),
                              tni_op_select(other, dim, j), tni_op_select(results[0], dim, i)};
        tn_tensor *plus = parts[0] && parts[1] ? tni_op_mul(parts[0], parts[1]) : NULL;
        tn_tensor *minus = parts[2] && parts[3] ? tni_op_mul(parts[2], parts[3]) : NULL;
        code = plus && minus && parts[4] ? tni_op_sub_out(parts[4], plus, minus) : tni_failed();
        tni_tensor_release(minus);
        tni_tensor_release(plus);
        for (size_t n = 0; n < TNI_COUNT_OF(parts); n++)
            tni_tensor_release(parts[n]);
    }
    return code;
}

/* The first dimension of size 3, where none is named. */
static bool product_find_dim(const tn_tensor *self, int64_t *dim) {
    for (int64_t d = 0; d < self->ndim && *dim == TN_NONE; d++)
        if (self->sizes[d] == 3)
            *dim = d;
    if (*dim == TN_NONE)
        tni_raise(TN_ERROR_SHAPE, "self %s has no dimension of size 3", tni_show_tensor(self));
    return *dim != TN_NONE;
}

tn_tensor *tni_composite_cross(const tn_tensor *self, const tn_tensor *other, int64_t dim) {
    return product_find_dim(self, &dim) ? tn_linalg_cross(self, other, dim) : NULL;
}

tn_tensor *tni_composite_cross_out(tn_tensor *out, const tn_tensor *self, const tn_tensor *other, int64_t dim) {
    return product_find_dim(self, &dim) ? tn_linalg_cross_out(out, self, other, dim) : NULL;
}

/* ---- vander */

/* Row i of the target, which is contiguous: 1, x, x^2, ... or in reverse. Products are formed wide and rounded once, as torch's
 * cumprod does. */
static void product_powers(tn_tensor *target, const tn_tensor *x, bool increasing) {
    int64_t count = target->sizes[target->ndim - 1];
    int64_t rows = tni_max_i64(1, TNI_STEP / tni_max_i64(count, 1));
    for (int64_t i = 0; i < x->numel && !(i && (i % rows ? tni_stopped() : !tni_goes_on())); i++)
        TNI_IN_STEPS (begin, end, count)
            for (int64_t k = begin; k < end; k++) {
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

/* A new last dimension of `count` powers. */
static bool product_plan_powers(tni_plan *plan, const tn_tensor *x, int64_t count) {
    int64_t sizes[TN_MAX_DIMS + 1];
    tn_dtype dtype = tni_promote(x->dtype, TN_INT64);
    if (dtype == TN_DTYPE_DEFAULT) {
        tni_raise(TN_ERROR_DTYPE, "not defined for x %s", tni_show_tensor(x));
        return false;
    }
    int64_t ndim = tni_max_i64(x->ndim, 1); /* for one number torch makes a row, as for a vector of one */
    sizes[0] = 1;
    memcpy(sizes, x->sizes, (size_t)x->ndim * sizeof *sizes);
    sizes[ndim] = count;
    tni_plan_begin(plan, x);
    tni_plan_add(plan, ndim + 1, sizes, dtype);
    return true;
}

static tn_error product_run_powers(tn_tensor *result, const tn_tensor *x, bool increasing) {
    tn_dtype dtype = result->dtype;
    tn_dtype wide = tn_dtype_is_complex(dtype) ? TN_COMPLEX128 : tn_dtype_is_floating(dtype) ? TN_FLOAT64 : TN_INT64;
    tn_tensor *from = tni_clone_as(x, wide, TN_CONTIGUOUS, TN_DEVICE_CPU, "powers are formed in the widest dtype");
    tn_tensor *powers = !from           ? NULL
                        : dtype == wide ? tni_tensor_retain(result)
                                        : tni_tensor_new(result->ndim, result->sizes, wide, TN_DEVICE_CPU);
    if (powers && powers->numel)
        product_powers(powers, from, increasing);
    tn_error code = !powers            ? tni_failed()
                    : powers == result ? TN_OK
                                       : tni_copy_into(result, powers, "powers are formed in the widest dtype");
    tni_tensor_release(powers);
    tni_tensor_release(from);
    return code;
}

bool tni_plan_vander(tni_plan *plan, const tn_tensor *x, int64_t N, bool increasing) {
    (void)increasing;
    if (x->ndim != 1)
        tni_raise(TN_ERROR_SHAPE, "x must have one dimension, it is %s", tni_show_tensor(x));
    else if (N != TN_NONE && N < 0)
        tni_raise(TN_ERROR_ARGUMENT, "N = %" PRId64 " must not be negative", N);
    else
        return product_plan_powers(plan, x, N == TN_NONE ? x->numel : N);
    return false;
}

tn_error tni_run_vander(const tni_plan *plan, tn_tensor *const *results, const tn_tensor *x, int64_t N, bool increasing) {
    (void)plan, (void)N;
    return product_run_powers(results[0], x, increasing);
}

bool tni_plan_linalg_vander(tni_plan *plan, const tn_tensor *x, int64_t N) {
    int64_t count = N != TN_NONE ? N : x->ndim ? x->sizes[x->ndim - 1] : 1;
    if (x->ndim == TN_MAX_DIMS)
        tni_raise(TN_ERROR_SHAPE, "x %s has no room for one more dimension", tni_show_tensor(x));
    else if (x->dtype == TN_BOOL || (tn_dtype_is_floating(x->dtype) && tni_tensor_item_size(x) < 4))
        tni_raise(TN_ERROR_DTYPE, "not defined for %s; given x %s", tn_dtype_name(x->dtype), tni_show_tensor(x));
    else if (count < 2)
        tni_raise(TN_ERROR_ARGUMENT, "N = %" PRId64 " is the number of powers, which must be at least 2", count);
    else
        return product_plan_powers(plan, x, count);
    return false;
}

tn_error tni_run_linalg_vander(const tni_plan *plan, tn_tensor *const *results, const tn_tensor *x, int64_t N) {
    (void)plan, (void)N;
    return product_run_powers(results[0], x, true);
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

/* The factor of each part along the dimension: a tensor that broadcasts against self. */
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
    for (int64_t i = 0; i < factors->numel && (i % TNI_STEP || !i || tni_goes_on()); i++) {
        product_norm norm = {p, 0};
        TNI_IN_STEPS (begin, end, count)
            for (int64_t k = i * count + begin; k < i * count + end; k++)
                product_norm_add(&norm, complex ? hypot(values[2 * k], values[2 * k + 1]) : fabs(values[k]));
        double length = product_norm_end(&norm), factor = length > maxnorm ? maxnorm / (length + 1e-7) : 1;
        tn_dtype_store(factors->dtype, target + (size_t)i * tni_tensor_item_size(factors), tn_scalar_float(factor));
    }
    tni_tensor_release(wide);
    return factors;
}

bool tni_plan_renorm(tni_plan *plan, const tn_tensor *self, tn_scalar p, int64_t dim, tn_scalar maxnorm) {
    double numbers[2] = {0, 0};
    bool real = p.kind != TN_SCALAR_COMPLEX && maxnorm.kind != TN_SCALAR_COMPLEX;
    if (real) {
        tn_dtype_store(TN_FLOAT64, &numbers[0], p);
        tn_dtype_store(TN_FLOAT64, &numbers[1], maxnorm);
    }
    tni_plan_begin(plan, self);
    plan->over_first = true;
    tni_plan_add(plan, self->ndim, self->sizes, self->dtype);
    if (!real)
        tni_raise(TN_ERROR_ARGUMENT, "p = %s and maxnorm = %s must be real", tni_show_scalar(p), tni_show_scalar(maxnorm));
    else if (!(numbers[0] > 0) || !(numbers[1] >= 0))
        tni_raise(TN_ERROR_ARGUMENT, "p = %s must be above 0 and maxnorm = %s not below 0", tni_show_scalar(p),
                  tni_show_scalar(maxnorm));
    else if (self->ndim < 2)
        tni_raise(TN_ERROR_SHAPE, "self must have at least 2 dimensions, it is %s", tni_show_tensor(self));
    else if (tn_dtype_is_integral(self->dtype))
        tni_raise(TN_ERROR_DTYPE, "self must be floating or complex, it is %s", tni_show_tensor(self));
    else {
        memcpy(plan->room, numbers, sizeof numbers);
        return tni_wrap_dim(dim, self->ndim, "dim", &plan->number[0]);
    }
    return false;
}

tn_error tni_run_renorm(const tni_plan *plan, tn_tensor *const *results, const tn_tensor *self, tn_scalar p, int64_t dim,
                        tn_scalar maxnorm) {
    double numbers[2]; /* p and maxnorm */
    (void)p, (void)dim, (void)maxnorm;
    memcpy(numbers, plan->room, sizeof numbers);
    tn_tensor *factors = product_factors(self, numbers[0], plan->number[0], numbers[1]);
    tn_error code = factors ? tni_op_mul_out(results[0], self, factors) : tni_failed();
    tni_tensor_release(factors);
    return code;
}

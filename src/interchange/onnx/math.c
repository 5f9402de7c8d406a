/* math.c - ONNX's operators on elements, reductions and products; and what reads the small inputs that say how. */
#include <math.h>

#include "interchange/onnx/operators.h"
#include "operators_activation.h"
#include "operators_arithmetic.h"
#include "operators_compare.h"
#include "operators_copy.h"
#include "operators_create.h"
#include "operators_index.h"
#include "operators_join.h"
#include "operators_logic.h"
#include "operators_math.h"
#include "operators_move.h"
#include "operators_product.h"
#include "operators_random.h"
#include "operators_reduce.h"
#include "operators_scan.h"
#include "operators_select.h"
#include "operators_softmax.h"
#include "operators_sort.h"
#include "operators_view.h"

/* ---- small inputs */

bool tni_onnx_wrap(int64_t *dim, int64_t ndim) {
    if (*dim < -ndim || *dim >= ndim) {
        tni_raise(TN_ERROR_INDEX, "axis %" PRId64 " is out of range for %" PRId64 " dimensions", *dim, ndim);
        return false;
    }
    *dim += *dim < 0 ? ndim : 0;
    return true;
}

bool tni_onnx_wrap_all(tni_onnx_wholes *dims, int64_t ndim) {
    for (int64_t i = 0; i < dims->count; i++)
        if (!tni_onnx_wrap(&dims->values[i], ndim))
            return false;
    return true;
}

bool tni_onnx_wholes_in(tni_onnx_call *call, size_t i, tni_onnx_wholes *wholes) {
    const tn_tensor *tensor = tni_onnx_in(call, i);
    wholes->there = tensor != NULL;
    wholes->count = 0;
    if (!tensor)
        return true;
    if (tn_ndim(tensor) > 1 || tn_numel(tensor) > TN_MAX_DIMS || !tn_dtype_is_integral(tn_dtype_of(tensor))) {
        tni_raise(TN_ERROR_ARGUMENT, "input %zu should be at most %d whole numbers in one dimension; it is %s, %s", i,
                  TN_MAX_DIMS, tn_dtype_name(tn_dtype_of(tensor)), tni_show_dims(tn_sizes(tensor).values, tn_ndim(tensor)));
        return false;
    }
    tn_tensor *plain = tn_contiguous(tni_onnx_to(tensor, TN_INT64), TN_CONTIGUOUS);
    if (!plain)
        return false;
    wholes->count = tn_numel(plain);
    if (wholes->count)
        memcpy(wholes->values, tn_data(plain), sizeof *wholes->values * (size_t)wholes->count);
    return true;
}

bool tni_onnx_wholes_attribute(tni_onnx_call *call, const char *name, tni_onnx_wholes *wholes) {
    const tni_onnx_attribute *found = tni_onnx_attribute_of(call, name);
    wholes->there = found != NULL;
    wholes->count = 0;
    if (!found)
        return true;
    if (found->kind != TNI_ONNX_INTS || found->count > TN_MAX_DIMS) {
        tni_raise(TN_ERROR_ARGUMENT, "attribute \"%s\" should be at most %d ints", name, TN_MAX_DIMS);
        return false;
    }
    wholes->count = (int64_t)found->count;
    if (found->count)
        memcpy(wholes->values, found->wholes, sizeof *wholes->values * found->count);
    return true;
}

bool tni_onnx_wholes_either(tni_onnx_call *call, size_t i, const char *name, tni_onnx_wholes *wholes) {
    return tni_onnx_in(call, i) ? tni_onnx_wholes_in(call, i, wholes) : tni_onnx_wholes_attribute(call, name, wholes);
}

bool tni_onnx_whole_in(tni_onnx_call *call, size_t i, int64_t otherwise, int64_t *value) {
    tni_onnx_wholes wholes;
    if (!tni_onnx_wholes_in(call, i, &wholes))
        return false;
    if (wholes.there && wholes.count != 1) {
        tni_raise(TN_ERROR_ARGUMENT, "input %zu should be one number, not %" PRId64, i, wholes.count);
        return false;
    }
    *value = wholes.there ? wholes.values[0] : otherwise;
    return true;
}

tn_tensor *tni_onnx_to(const tn_tensor *tensor, tn_dtype dtype) { return tn_to(tensor, dtype); }

tn_tensor *tni_onnx_from_wholes(const int64_t *values, int64_t count) {
    return tn_from_memory(count ? values : &count, TN_DIMS(count), TN_INT64, TN_COPY);
}

tn_tensor *tni_onnx_wrapped(const tn_tensor *index, int64_t size) {
    tn_tensor *whole = tni_onnx_to(index, TN_INT64);
    return tn_where(tn_lt_scalar(whole, TN_SCALAR(0)), tn_add_scalar(whole, TN_SCALAR(size)), whole);
}

tn_tensor *tni_onnx_per_channel(const tn_tensor *tensor, int64_t ndim, int64_t axis) {
    int64_t sizes[TN_MAX_DIMS];
    for (int64_t i = 0; i < ndim; i++)
        sizes[i] = i == axis ? -1 : 1;
    return tn_reshape(tensor, (tn_dims){sizes, ndim});
}

/* ---- elements */

#define IN(i) tni_onnx_in(call, i)

typedef tn_tensor *(*onnx_unary)(const tn_tensor *);
typedef tn_tensor *(*onnx_binary)(const tn_tensor *, const tn_tensor *);

bool tni_onnx_unary(tni_onnx_call *call) { return tni_onnx_out(call, 0, ((onnx_unary)call->row->plain)(IN(0))); }
bool tni_onnx_binary(tni_onnx_call *call) { return tni_onnx_out(call, 0, ((onnx_binary)call->row->plain)(IN(0), IN(1))); }

bool tni_onnx_variadic(tni_onnx_call *call) {
    tn_tensor *all = IN(0);
    for (size_t i = 1; i < call->in_count && all; i++) {
        if (!IN(i))
            return tni_onnx_refuse("input %zu is left out", i);
        all = ((onnx_binary)call->row->plain)(all, IN(i));
    }
    if (call->row->detail)
        all = tn_div_scalar(all, TN_SCALAR((int64_t)call->in_count)); /* Mean */
    return tni_onnx_out(call, 0, all);
}

static bool onnx_is_whole(const tn_tensor *x) { return x && tn_dtype_is_integral(tn_dtype_of(x)); }

bool tni_onnx_div(tni_onnx_call *call) {
    return tni_onnx_out(call, 0, onnx_is_whole(IN(0)) ? tn_div_mode(IN(0), IN(1), "trunc") : tn_div(IN(0), IN(1)));
}

/* Of the base's dtype; whole numbers to a power that is not whole are computed as floats. */
bool tni_onnx_pow(tni_onnx_call *call) {
    tn_tensor *base = IN(0), *power = IN(1);
    if (onnx_is_whole(base) && !onnx_is_whole(power))
        base = tn_to(base, TN_FLOAT64);
    else if (!onnx_is_whole(base))
        power = tn_to(power, tn_dtype_of(base));
    else if (tn_dtype_of(base) != tn_dtype_of(power))
        power = tn_to(power, tn_dtype_of(base));
    return tni_onnx_out(call, 0, tn_to(tn_pow(base, power), tn_dtype_of(IN(0))));
}

bool tni_onnx_mod(tni_onnx_call *call) {
    return tni_onnx_out(call, 0, tni_onnx_int(call, "fmod", 0) ? tn_fmod(IN(0), IN(1)) : tn_remainder(IN(0), IN(1)));
}

bool tni_onnx_bit_shift(tni_onnx_call *call) {
    bool left = strcmp(tni_onnx_text(call, "direction", ""), "LEFT") == 0;
    return tni_onnx_out(call, 0, left ? tn_bitwise_left_shift(IN(0), IN(1)) : tn_bitwise_right_shift(IN(0), IN(1)));
}

bool tni_onnx_is_inf(tni_onnx_call *call) {
    bool plus = tni_onnx_int(call, "detect_positive", 1) != 0, minus = tni_onnx_int(call, "detect_negative", 1) != 0;
    tn_tensor *x = IN(0);
    return tni_onnx_out(call, 0,
                        plus && minus ? tn_isinf(x)
                        : plus        ? tn_isposinf(x)
                        : minus       ? tn_isneginf(x)
                                      : tn_zeros_like(x, TN_BOOL, TN_CONTIGUOUS));
}

bool tni_onnx_clip(tni_onnx_call *call) {
    tn_tensor *x = IN(0), *low = IN(1), *high = IN(2);
    if (call->version < 11)
        return tni_onnx_out(
            call, 0,
            tn_clamp(x, TN_SCALAR(tni_onnx_real(call, "min", -INFINITY)), TN_SCALAR(tni_onnx_real(call, "max", INFINITY))));
    if (!low && !high)
        return tni_onnx_out(call, 0, x);
    if ((low && tn_numel(low) != 1) || (high && tn_numel(high) != 1))
        return tni_onnx_refuse("bounds of more than one element");
    low = low ? tn_reshape(low, TN_DIMS()) : NULL;
    high = high ? tn_reshape(high, TN_DIMS()) : NULL;
    return tni_onnx_out(call, 0, tn_clamp_tensor(x, low, high));
}

/* One number of an attribute or two: what `detail` says. */
bool tni_onnx_activation(tni_onnx_call *call) {
    tn_tensor *x = IN(0), *made = NULL;
    double alpha;
    switch (call->row->detail) {
    case TNI_ONNX_LEAKY: made = tn_leaky_relu_slope(x, TN_SCALAR(tni_onnx_real(call, "alpha", 0.01F))); break;
    case TNI_ONNX_ELU: made = tn_elu_alpha(x, TN_SCALAR(tni_onnx_real(call, "alpha", 1)), TN_SCALAR(1), TN_SCALAR(1)); break;
    case TNI_ONNX_SELU:
        alpha = tni_onnx_real(call, "alpha", 1.67326319217681884765625);
        made =
            tn_elu_alpha(x, TN_SCALAR(alpha), TN_SCALAR(tni_onnx_real(call, "gamma", 1.05070102214813232421875)), TN_SCALAR(1));
        break;
    case TNI_ONNX_CELU: made = tn_celu_alpha(x, TN_SCALAR(tni_onnx_real(call, "alpha", 1))); break;
    case TNI_ONNX_HARD_SIGMOID:
        alpha = tni_onnx_real(call, "alpha", 0.2F);
        made = tn_clamp(tn_add_scalar(tn_mul_scalar(x, TN_SCALAR(alpha)), TN_SCALAR(tni_onnx_real(call, "beta", 0.5))),
                        TN_SCALAR(0), TN_SCALAR(1));
        break;
    case TNI_ONNX_THRESHOLDED: made = tn_threshold(x, TN_SCALAR(tni_onnx_real(call, "alpha", 1)), TN_SCALAR(0)); break;
    case TNI_ONNX_GELU: made = tn_gelu_approximate(x, tni_onnx_text(call, "approximate", "none")); break;
    case TNI_ONNX_SWISH: made = tn_mul(x, tn_sigmoid(tn_mul_scalar(x, TN_SCALAR(tni_onnx_real(call, "alpha", 1))))); break;
    case TNI_ONNX_SHRINK: {
        double bias = tni_onnx_real(call, "bias", 0), edge = tni_onnx_real(call, "lambd", 0.5);
        tn_tensor *zero = tn_zeros_like(x, TN_DTYPE_DEFAULT, TN_CONTIGUOUS);
        tn_tensor *low = tn_to(tn_add_scalar(x, TN_SCALAR(bias)), tn_dtype_of(x)),
                  *high = tn_to(tn_sub_scalar(x, TN_SCALAR(bias)), tn_dtype_of(x));
        made = tn_where(tn_lt_scalar(x, TN_SCALAR(-edge)), low, tn_where(tn_gt_scalar(x, TN_SCALAR(edge)), high, zero));
        break;
    }
    default: break;
    }
    return tni_onnx_out(call, 0, made);
}

bool tni_onnx_prelu(tni_onnx_call *call) {
    return tni_onnx_out(call, 0, tn_where(tn_lt_scalar(IN(0), TN_SCALAR(0)), tn_mul(IN(0), IN(1)), IN(0)));
}

bool tni_onnx_where(tni_onnx_call *call) { return tni_onnx_out(call, 0, tn_where(IN(0), IN(1), IN(2))); }
bool tni_onnx_identity(tni_onnx_call *call) {
    call->out[0] = call->in[0];
    return true;
}

/* float8 has no room for large numbers: they become the largest, or, where that is not wanted, what float8 has beyond it. */
tn_tensor *tni_onnx_cast_to(const tn_tensor *x, tn_dtype dtype, bool saturate) {
    if (dtype == TN_FLOAT8_E5M2 && saturate && tn_dtype_is_floating(tn_dtype_of(x)))
        x = tn_clamp(tn_to(x, TN_FLOAT32), TN_SCALAR(-57344), TN_SCALAR(57344));
    else if (dtype == TN_FLOAT8_E4M3FN && !saturate) /* halfway beyond 448 is NaN */
        x = tn_masked_fill(tn_to(x, TN_FLOAT32), tn_gt_scalar(tn_abs(tn_to(x, TN_FLOAT32)), TN_SCALAR(464)),
                           TN_SCALAR((double)NAN));
    return tn_to(x, dtype);
}

bool tni_onnx_cast(tni_onnx_call *call) {
    tn_dtype to = call->row->detail ? tn_dtype_of(IN(1)) : tni_onnx_dtype_in(call, "to", TN_DTYPE_DEFAULT);
    return to && tni_onnx_out(call, 0, tni_onnx_cast_to(IN(0), to, tni_onnx_int(call, "saturate", 1) != 0));
}

bool tni_onnx_dropout(tni_onnx_call *call) {
    tn_tensor *training = IN(2), *ratio = IN(1);
    double share = ratio ? tn_item_double(ratio) : tni_onnx_real(call, "ratio", 0.5);
    if (training && tn_item_bool(training) && share > 0) { /* `seed` is not used, as that of other random operators */
        tn_tensor *kept = tn_ge_scalar(tn_rand(tn_sizes(IN(0)), TN_FLOAT32, NULL), TN_SCALAR(share));
        if (tni_onnx_wanted(call, 1) && !tni_onnx_out(call, 1, kept))
            return false;
        tn_tensor *made = tn_mul(IN(0), tn_to(kept, tn_dtype_of(IN(0))));
        return tni_onnx_out(call, 0, tn_mul_scalar(made, TN_SCALAR(share < 1 ? 1 / (1 - share) : 0)));
    }
    if (tni_onnx_wanted(call, 1) && !tni_onnx_out(call, 1, tn_ones_like(IN(0), TN_BOOL, TN_CONTIGUOUS)))
        return false;
    return tni_onnx_out(call, 0, IN(0));
}

/* ---- along an axis */

/* Before opset 13 all axes from `axis` on were one. */
bool tni_onnx_softmax(tni_onnx_call *call) {
    bool whole = call->version < 13;
    tn_tensor *x = IN(0), *line = x, *made;
    int64_t axis = tni_onnx_int(call, "axis", whole ? 1 : -1), ndim = tn_ndim(x);
    if (whole && ndim > 0) {
        if (axis != ndim && !tni_onnx_wrap(&axis, ndim))
            return false;
        int64_t before = 1;
        for (int64_t i = 0; i < axis; i++)
            before *= tn_size(x, i);
        line = tn_reshape(x, TN_DIMS(before, before ? tn_numel(x) / before : 0));
        axis = 1;
    }
    if (call->row->detail == 2) { /* Hardmax: 1 at the first of the largest */
        tn_tensor *first = tn_argmax(line, axis, true);
        made = tn_scatter_value(tn_zeros_like(line, TN_DTYPE_DEFAULT, TN_CONTIGUOUS), axis, first, TN_SCALAR(1));
    } else
        made = call->row->detail ? tn_log_softmax(line, axis, TN_DTYPE_DEFAULT) : tn_softmax(line, axis, TN_DTYPE_DEFAULT);
    return tni_onnx_out(call, 0, whole ? tn_reshape(made, tn_sizes(x)) : made);
}

bool tni_onnx_scan_sum(tni_onnx_call *call) {
    int64_t axis;
    tn_tensor *x = IN(0), *one;
    bool reverse = tni_onnx_int(call, "reverse", 0) != 0, product = call->row->detail;
    if (!tni_onnx_whole_in(call, 1, 0, &axis) || !tni_onnx_wrap(&axis, tn_ndim(x)))
        return false;
    tn_dims dim = TN_DIMS(axis);
    x = reverse ? tn_flip(x, dim) : x;
    if (tni_onnx_int(call, "exclusive", 0)) { /* moved on by one */
        one = tn_full_like(tn_narrow(x, axis, 0, tni_min_i64(1, tn_size(x, axis))), TN_SCALAR(product ? 1 : 0),
                           TN_DTYPE_DEFAULT, TN_CONTIGUOUS);
        x = tn_cat((const tn_tensor *const[]){one, tn_narrow(x, axis, 0, tni_max_i64(0, tn_size(x, axis) - 1))}, 2, axis);
    }
    x = product ? tn_cumprod(x, axis, tn_dtype_of(IN(0))) : tn_cumsum(x, axis, tn_dtype_of(IN(0)));
    return tni_onnx_out(call, 0, reverse ? tn_flip(x, dim) : x);
}

bool tni_onnx_arg(tni_onnx_call *call) {
    tn_tensor *x = IN(0);
    int64_t axis = tni_onnx_int(call, "axis", 0);
    bool keep = tni_onnx_int(call, "keepdims", 1) != 0, last = tni_onnx_int(call, "select_last_index", 0) != 0;
    if (!tni_onnx_wrap(&axis, tn_ndim(x)))
        return false;
    x = last ? tn_flip(x, TN_DIMS(axis)) : x;
    x = call->row->detail ? tn_argmin(x, axis, keep) : tn_argmax(x, axis, keep);
    return tni_onnx_out(call, 0, last ? tn_rsub_scalar(x, TN_SCALAR(tn_size(IN(0), axis) - 1), TN_SCALAR(1)) : x);
}

/* ONNX gives equal elements in the order of their places. */
bool tni_onnx_top(tni_onnx_call *call) {
    tn_tensor *x = IN(0);
    int64_t axis = tni_onnx_int(call, "axis", -1), count;
    bool largest = tni_onnx_int(call, "largest", 1) != 0;
    if (!tni_onnx_whole_in(call, 1, 0, &count) || !tni_onnx_wrap(&axis, tn_ndim(x)))
        return false;
    tn_list *sorted = tn_sort_stable(x, true, axis, largest);
    return sorted && tni_onnx_out(call, 0, tn_narrow(tn_list_at(sorted, 0), axis, 0, count)) &&
           tni_onnx_out(call, 1, tn_narrow(tn_list_at(sorted, 1), axis, 0, count));
}

/* ---- reductions */

static tn_tensor *onnx_product(tn_tensor *x, tni_onnx_wholes *axes, bool keep) {
    for (int64_t i = 0; i < axes->count; i++)
        x = tn_prod_dim(x, axes->values[i], true, tn_dtype_of(x));
    return keep ? x : tn_squeeze_dims(x, (tn_dims){axes->values, axes->count});
}

/* The largest or smallest of nothing is the least or the largest number there is. */
static tn_tensor *onnx_extreme(tn_tensor *x, tni_onnx_wholes *axes, bool keep, bool least) {
    tn_dims dims = {axes->values, axes->count};
    if (!x || tn_numel(x) > 0)
        return least ? tn_amin(x, dims, keep) : tn_amax(x, dims, keep);
    tn_dtype dtype = tn_dtype_of(x);
    tn_tensor *sum = tn_sum_dim(x, dims, keep, dtype);
    if (tn_dtype_is_floating(dtype))
        return tn_full_like(sum, TN_SCALAR(least ? (double)INFINITY : -(double)INFINITY), dtype, TN_CONTIGUOUS);
    if (dtype == TN_BOOL)
        return tn_full_like(sum, TN_SCALAR(least), dtype, TN_CONTIGUOUS);
    int bits = (int)tn_dtype_size(dtype) * 8 - (tn_dtype_is_signed(dtype) ? 1 : 0);
    int64_t high = bits >= 63 ? INT64_MAX : (INT64_C(1) << bits) - 1;
    return tn_full_like(sum, TN_SCALAR(least ? high : tn_dtype_is_signed(dtype) ? -high - 1 : 0), dtype, TN_CONTIGUOUS);
}

bool tni_onnx_reduce(tni_onnx_call *call) {
    tn_tensor *x = IN(0), *made = NULL;
    tni_onnx_wholes axes;
    int kind = call->row->detail;
    bool keep = tni_onnx_int(call, "keepdims", 1) != 0, none = false;
    if (!tni_onnx_wholes_either(call, 1, "axes", &axes) || !tni_onnx_wrap_all(&axes, tn_ndim(x)))
        return false;
    if (axes.count == 0) {
        none = tni_onnx_int(call, "noop_with_empty_axes", 0) != 0;
        for (int64_t i = 0; i < tn_ndim(x) && !none; i++)
            axes.values[axes.count++] = i;
    }
    tn_dims dims = {axes.values, axes.count};
    tn_dtype dtype = tn_dtype_of(x);
    if (kind == TNI_ONNX_L1)
        x = tn_abs(x);
    else if (kind == TNI_ONNX_L2 || kind == TNI_ONNX_SQUARES)
        x = tn_mul(x, x);
    none |= axes.count == 0;
    if (kind == TNI_ONNX_PROD)
        made = onnx_product(x, &axes, keep);
    else if (none && kind != TNI_ONNX_LOG_SUM_EXP) /* of every element alone */
        made = x;
    else if (kind == TNI_ONNX_MAX || kind == TNI_ONNX_MIN)
        made = onnx_extreme(x, &axes, keep, kind == TNI_ONNX_MIN);
    else if (kind == TNI_ONNX_MEAN)
        made = tn_to(tn_mean_dim(x, dims, keep, onnx_is_whole(x) ? TN_FLOAT64 : dtype), dtype);
    else if (kind == TNI_ONNX_LOG_SUM_EXP)
        made = none ? tn_log(tn_exp(x)) : tn_to(tn_logsumexp(onnx_is_whole(x) ? tn_to(x, TN_FLOAT64) : x, dims, keep), dtype);
    else
        made = tn_sum_dim(x, dims, keep, dtype);
    if (kind == TNI_ONNX_L2)
        made = tn_to(tn_sqrt(made), dtype);
    else if (kind == TNI_ONNX_LOG_SUM)
        made = tn_to(tn_log(made), dtype);
    return tni_onnx_out(call, 0, made);
}

/* ---- products */

bool tni_onnx_gemm(tni_onnx_call *call) {
    tn_tensor *a = IN(0), *b = IN(1), *c = IN(2);
    double alpha = tni_onnx_real(call, "alpha", 1), beta = tni_onnx_real(call, "beta", 1);
    if (tn_ndim(a) != 2 || tn_ndim(b) != 2)
        return tni_onnx_refuse("A and B should be matrices; they have %" PRId64 " and %" PRId64 " dimensions", tn_ndim(a),
                               tn_ndim(b));
    a = tni_onnx_int(call, "transA", 0) ? tn_t(a) : a;
    b = tni_onnx_int(call, "transB", 0) ? tn_t(b) : b;
    bool whole = onnx_is_whole(a);
    if (c && beta != 0)
        return tni_onnx_out(call, 0,
                            whole ? tn_addmm(c, a, b, TN_SCALAR((int64_t)beta), TN_SCALAR((int64_t)alpha))
                                  : tn_addmm(c, a, b, TN_SCALAR(beta), TN_SCALAR(alpha)));
    tn_tensor *made = tn_mm(a, b);
    return tni_onnx_out(call, 0, alpha == 1 ? made : tn_to(tn_mul_scalar(made, TN_SCALAR(alpha)), tn_dtype_of(a)));
}

bool tni_onnx_einsum(tni_onnx_call *call) {
    const tn_tensor *all[64];
    if (call->in_count > TNI_COUNT_OF(all))
        return tni_onnx_refuse("%zu inputs are more than 64", call->in_count);
    for (size_t i = 0; i < call->in_count; i++)
        all[i] = IN(i);
    return tni_onnx_out(call, 0, tn_einsum(tni_onnx_text(call, "equation", ""), all, (int64_t)call->in_count));
}

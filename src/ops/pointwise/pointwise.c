/* pointwise.c - from arguments to a job for the iterator: shape, dtype, result, overlap; then one loop.
 *
 * Invariant: nothing is written, and no result exists that anyone could see, before every check has passed.
 */
#include "ops/pointwise/pointwise.h"

#include "base/error.h"
#include "dispatch/parts.h"
#include "kernels/table.h"
#include "iterate/promote.h"
#include "kernels_arithmetic.h"
#include "kernels_shared.h"
#include "ops/copy/copy.h"
#include "ops/create/fill.h"
#include "ops/pointwise/find_zero.h"
#include "ops/pointwise/pointwise_job.h"
#include "ops/result.h"
#include "ops/view/view.h"

enum { POINTWISE_ARGUMENTS = TNI_OPERANDS - 1 };

/* ---- dtype */

static uint8_t pointwise_kind_bit(tn_dtype dtype) {
    static const uint8_t bits[] = {[TN_KIND_BOOL] = TNI_TAKES_BOOL,
                                   [TN_KIND_UNSIGNED] = TNI_TAKES_INTEGER,
                                   [TN_KIND_SIGNED] = TNI_TAKES_INTEGER,
                                   [TN_KIND_FLOAT] = TNI_TAKES_FLOAT,
                                   [TN_KIND_COMPLEX] = TNI_TAKES_COMPLEX};
    return bits[tni_dtypes[dtype].kind];
}

static const char *pointwise_show_arguments(const tni_pointwise_spec *spec, const tni_pointwise_argument *arguments) {
    tni_text text = {tni_show_buffer(), TNI_SHOW_SIZE, 0};
    for (int i = 0; i < spec->operands; i++)
        tni_text_append(&text, "%s%s", i ? ", " : "",
                        arguments[i].tensor ? tni_show_tensor(arguments[i].tensor) : tni_show_scalar(*arguments[i].number));
    return text.at;
}

static bool pointwise_same_dtype(const tni_pointwise_spec *spec, const tni_pointwise_argument *arguments, int first) {
    for (int i = first; i < spec->operands; i++)
        if (!arguments[i].tensor || arguments[i].tensor->dtype != arguments[first].tensor->dtype)
            return false;
    return true;
}

static bool pointwise_has_bool(const tni_pointwise_spec *spec, const tni_pointwise_argument *arguments) {
    for (int i = 0; i < spec->operands; i++)
        if (arguments[i].tensor ? arguments[i].tensor->dtype == TN_BOOL : arguments[i].number->kind == TN_SCALAR_BOOL)
            return true;
    return false;
}

/* The dtype that the operands from `first` on promote to; TN_DTYPE_DEFAULT where there is none. */
static tn_dtype pointwise_common_dtype(const tni_pointwise_spec *spec, const tni_pointwise_argument *arguments, int first) {
    tni_promotion promotion = {0};
    for (int i = first; i < spec->operands; i++)
        if (arguments[i].tensor)
            tni_promotion_add_tensor(&promotion, arguments[i].tensor->dtype, arguments[i].tensor->ndim);
        else
            tni_promotion_add_number(&promotion, arguments[i].number->kind);
    return tni_promotion_result(&promotion);
}

tn_dtype tni_pointwise_dtype(const tni_pointwise_spec *spec, const tni_pointwise_argument *arguments) {
    if (spec->rule == LOGIC)
        return TN_BOOL;
    if (spec->rule == TNI_RULE_WHOLE)
        return TN_UINT64;
    int first = spec->rule == SELECT ? 1 : 0; /* the condition of a selection does not count */
    tn_dtype dtype;
    if (TNI_LIKELY(arguments[first].tensor && pointwise_same_dtype(spec, arguments, first))) {
        dtype = arguments[first].tensor->dtype;
    } else {
        dtype = pointwise_common_dtype(spec, arguments, first);
        if (dtype == TN_DTYPE_DEFAULT) {
            tni_raise(TN_ERROR_DTYPE, "there is no dtype for all of %s; convert one with to",
                      pointwise_show_arguments(spec, arguments));
            return TN_DTYPE_DEFAULT;
        }
    }
    if (spec->rule == FLOATING && tn_dtype_is_integral(dtype))
        dtype = tn_default_dtype();
    if (spec->rule == WIDE)
        dtype = tn_dtype_is_complex(dtype) ? TN_COMPLEX128 : TN_FLOAT64;
    if (spec->check == CHECK_NO_BOOL && pointwise_has_bool(spec, arguments))
        dtype = TN_BOOL;
    if (TNI_LIKELY(spec->kinds & pointwise_kind_bit(dtype)))
        return dtype;
    tni_raise(TN_ERROR_DTYPE, "not defined for %s%s%s; given %s", tn_dtype_name(dtype), spec->advice ? ": " : "",
              spec->advice ? spec->advice : "", pointwise_show_arguments(spec, arguments));
    return TN_DTYPE_DEFAULT;
}

static tn_dtype pointwise_result_dtype(const tni_pointwise_spec *spec, tn_dtype dtype) {
    switch (spec->rule) {
    case COMPARE:
    case TNI_RULE_WHOLE: return TN_BOOL;
    case REAL: return tn_dtype_to_real(dtype);
    case COMPLEX: return tn_dtype_to_complex(dtype);
    default: return dtype;
    }
}

/* The loop, and the dtype it computes in: the operands' own, or float32 for the narrow floats. */
static tni_loop pointwise_loop(const tni_pointwise_spec *spec, tn_dtype dtype, tn_dtype *compute) {
    const tni_kernel_table *kernels = tni_kernels();
    tni_loop loop = kernels->pointwise[spec->kernel * TN_DTYPE_COUNT + dtype];
    *compute = dtype;
    if (!loop && (dtype == TN_FLOAT16 || dtype == TN_BFLOAT16)) {
        loop = kernels->pointwise[spec->kernel * TN_DTYPE_COUNT + TN_FLOAT32];
        *compute = TN_FLOAT32;
    }
    if (!loop && !tni_loop_left_out(spec->kernel, *compute))
        tni_raise(TN_ERROR_DTYPE, "not defined for %s", tn_dtype_name(dtype));
    return loop;
}

/* ---- shape */

typedef struct pointwise_shape {
    int64_t ndim;
    const int64_t *sizes; /* of the first tensor when all are the same, else `common` */
    bool same;            /* every tensor has exactly these sizes                     */
    int64_t common[TN_MAX_DIMS];
} pointwise_shape;

static bool pointwise_same_sizes(const tn_tensor *a, const tn_tensor *b) {
    return a->ndim == b->ndim && memcmp(a->sizes, b->sizes, a->ndim * sizeof *a->sizes) == 0;
}

static bool pointwise_find_shape(const tni_pointwise_spec *spec, const tni_pointwise_argument *arguments,
                                 pointwise_shape *shape) {
    const tn_tensor *first = NULL;
    tn_dims sizes[POINTWISE_ARGUMENTS];
    int count = 0;
    shape->same = true;
    for (int i = 0; i < spec->operands; i++) {
        const tn_tensor *tensor = arguments[i].tensor;
        if (!tensor)
            continue;
        shape->same = shape->same && (!first || pointwise_same_sizes(first, tensor));
        first = first ? first : tensor;
        sizes[count++] = (tn_dims){tensor->sizes, tensor->ndim};
    }
    if (TNI_LIKELY(shape->same)) {
        shape->ndim = first ? first->ndim : 0;
        shape->sizes = first ? first->sizes : shape->common;
        return true;
    }
    shape->sizes = shape->common;
    tn_geometry_conflict conflict = {0};
    tn_geometry_result result = tn_geometry_broadcast_all(sizes, count, &shape->ndim, shape->common, &conflict);
    if (result == TN_GEOMETRY_OK)
        return true;
    tni_raise(TN_ERROR_SHAPE,
              "shapes do not broadcast: size %" PRId64 " against %" PRId64 " at dimension %" PRId64 "; given %s", conflict.size,
              conflict.expected, conflict.dim, pointwise_show_arguments(spec, arguments));
    return false;
}

/* Strides of a tensor seen under the common shape: 0 where it is broadcast. */
static const int64_t *pointwise_strides(const tn_tensor *tensor, const pointwise_shape *shape, int64_t *room) {
    if (shape->same)
        return tensor->strides;
    int64_t shift = shape->ndim - tensor->ndim;
    for (int64_t d = 0; d < shape->ndim; d++)
        room[d] = d < shift || (tensor->sizes[d - shift] == 1 && shape->sizes[d] != 1) ? 0 : tensor->strides[d - shift];
    return room;
}

/* ---- the call */

typedef struct pointwise_call {
    const tni_pointwise_spec *spec;
    const tni_pointwise_argument *arguments;
    pointwise_shape shape;
    tn_dtype dtype, result, compute;
    tni_loop loop;
    const int64_t *strides[POINTWISE_ARGUMENTS];
    int64_t room[POINTWISE_ARGUMENTS][TN_MAX_DIMS];
} pointwise_call;

/* Whether a divisor has a 0 once it is of the dtype of the division: a number, or a tensor without dimensions, does not choose
 * that dtype and may wrap to 0 on the way (256 beside int8). */
static bool pointwise_has_zero(const tni_pointwise_argument *argument, tn_dtype dtype) {
    static const char zero[16];
    const tn_tensor *tensor = argument->tensor;
    if (tensor && tensor->ndim > 0)
        return tni_has_zero(tensor);
    char one[16] = {0};
    tn_dtype_store(dtype, one, tensor ? tn_dtype_load(tensor->dtype, tni_tensor_read(tensor)) : *argument->number);
    return memcmp(one, zero, sizeof one) == 0;
}

/* Whether the CPU can read an argument; the device itself must check what it divides by. */
static bool pointwise_is_readable(const tni_pointwise_argument *argument) {
    return !argument->tensor || tni_tensor_device(argument->tensor).type == TN_CPU;
}

static bool pointwise_shape_is_empty(const pointwise_shape *shape) {
    for (int64_t d = 0; d < shape->ndim; d++)
        if (shape->sizes[d] == 0)
            return true;
    return false;
}

static bool pointwise_prepare(pointwise_call *call, const tni_pointwise_spec *spec, const tni_pointwise_argument *arguments) {
    call->spec = spec;
    call->arguments = arguments;
    call->dtype = tni_pointwise_dtype(spec, arguments);
    if (call->dtype == TN_DTYPE_DEFAULT || !pointwise_find_shape(spec, arguments, &call->shape))
        return false;
    if (spec->check == CHECK_DTYPES && !pointwise_same_dtype(spec, arguments, 0)) {
        tni_raise(TN_ERROR_DTYPE, "the dtypes differ and must be the same; given %s",
                  pointwise_show_arguments(spec, arguments));
        return false;
    }
    call->result = pointwise_result_dtype(spec, call->dtype);
    call->loop = pointwise_loop(spec, call->dtype, &call->compute);
    if (!call->loop)
        return false;
    if (spec->check == CHECK_DIVISOR && tn_dtype_is_integral(call->dtype) && !pointwise_shape_is_empty(&call->shape) &&
        pointwise_is_readable(&arguments[1]) && pointwise_has_zero(&arguments[1], call->dtype)) {
        tni_raise(TN_ERROR_ARGUMENT, "division by zero: the divisor of an integer division has a 0; given %s",
                  pointwise_show_arguments(spec, arguments));
        return false;
    }
    for (int i = 0; i < spec->operands; i++)
        call->strides[i] = arguments[i].tensor ? pointwise_strides(arguments[i].tensor, &call->shape, call->room[i]) : NULL;
    return true;
}

static tn_dtype pointwise_operand_dtype(const pointwise_call *call, int i) {
    const tni_pointwise_argument *argument = &call->arguments[i];
    if (call->spec->rule == TNI_RULE_WHOLE)
        return (argument->tensor ? tni_dtypes[argument->tensor->dtype].is_signed : argument->number->kind != TN_SCALAR_UINT)
                   ? TN_INT64
                   : TN_UINT64;
    return call->spec->rule == SELECT && i == 0 ? TN_BOOL : call->compute;
}

/* A factor, a divisor or a weight that is one number for all elements is not rounded to a narrow float, as in torch. */
static bool pointwise_keeps_digits(const pointwise_call *call, int i) {
    const tn_tensor *tensor = call->arguments[i].tensor;
    if (tensor && tensor->numel != 1)
        return false;
    switch (call->spec->kernel) {
    case TNI_KERNEL_mul:
    case TNI_KERNEL_div:
    case TNI_KERNEL_div_floor:
    case TNI_KERNEL_div_trunc: return i == 1;
    case TNI_KERNEL_lerp: return i == 2;
    default: return false;
    }
}

/* Whether operand i must be rounded to the narrow float that is the common dtype before the computation in float32. Integers of
 * 8 bits are exact there. */
static bool pointwise_is_rounded(const pointwise_call *call, int i) {
    const tn_tensor *tensor = call->arguments[i].tensor;
    return call->compute != call->dtype && tensor->dtype != call->dtype && tni_tensor_item_size(tensor) > 1 &&
           !pointwise_keeps_digits(call, i);
}

static tn_error pointwise_execute(const pointwise_call *call, tn_tensor *out, const tni_parameters *parameters) {
    tn_device device = tni_tensor_device(out);
    tni_pointwise_job job = {.ndim = call->shape.ndim,
                             .sizes = call->shape.sizes,
                             .results = 1,
                             .operands = call->spec->operands + 1,
                             .loop = call->loop,
                             .parameters = parameters,
                             .narrow = call->dtype};
    job.operand[0] = (tni_pointwise_operand){tni_tensor_write(out), out->strides, out->dtype,
                                             pointwise_result_dtype(call->spec, call->compute)};
    char numbers[POINTWISE_ARGUMENTS][16];
    for (int i = 0; i < call->spec->operands; i++) {
        const tni_pointwise_argument *argument = &call->arguments[i];
        tn_dtype wanted = pointwise_operand_dtype(call, i);
        if (argument->tensor) {
            char *data = (char *)(uintptr_t)tni_tensor_read(argument->tensor);
            bool number =
                device.type != TN_CPU && tni_tensor_device(argument->tensor).type == TN_CPU; /* it has no dimensions */
            job.operand[i + 1] =
                (tni_pointwise_operand){data, number ? NULL : call->strides[i], argument->tensor->dtype, wanted};
            job.rounded |= (unsigned)pointwise_is_rounded(call, i) << (i + 1);
        } else { /* through the common dtype first, as torch does: 1000 beside int8 wraps before it is used */
            tn_dtype first = wanted == call->compute && !pointwise_keeps_digits(call, i) ? call->dtype : wanted;
            tn_dtype_store(first, numbers[i], *argument->number);
            job.operand[i + 1] = (tni_pointwise_operand){numbers[i], NULL, first, wanted};
        }
    }
    if (TNI_UNLIKELY(device.type != TN_CPU))
        return tni_pointwise_elsewhere(device, &job, call->spec->kernel, call->compute);
    tni_pointwise_run(&job);
    return TN_OK;
}

/* ---- the quick way, for small tensors */

#include "ops/limits.h"
#include "ops/pointwise/pointwise_quick.h"

static tn_device pointwise_device(const pointwise_call *call) {
    tn_device device = TN_DEVICE_CPU; /* beside tensors of a device, those of the CPU are numbers */
    for (int i = 0; i < call->spec->operands && device.type == TN_CPU; i++)
        if (call->arguments[i].tensor)
            device = tni_tensor_device(call->arguments[i].tensor);
    return device;
}

static tn_geometry_result pointwise_find_strides(const pointwise_call *call, bool resized, int64_t *strides) {
    int layout = call->spec->kinds, rule = call->spec->rule;
    bool rows = layout & LAYOUT_ROWS;
    bool like_self = !resized && !rows && (layout & LAYOUT_LIKE_SELF || (rule == REAL && call->result != call->dtype));
    tn_dtype common = rule == LOGIC ? pointwise_common_dtype(call->spec, call->arguments, 0) : call->dtype;
    tni_pointwise_layout from = {call->shape.ndim, call->shape.sizes, call->shape.same, rows, 0, {NULL}};
    int64_t room[POINTWISE_ARGUMENTS][TN_MAX_DIMS];
    for (int i = 0; i < call->spec->operands; i++) {
        const tn_tensor *tensor = call->arguments[i].tensor;
        if (!tensor)
            from.same = from.same && (from.ndim == 0 || layout & LAYOUT_TENSORS);
        else if (like_self)
            return tn_geometry_dense_strides(tensor->ndim, tensor->sizes, tensor->strides, strides);
        else if ((tn_dtype)tensor->dtype == common || rule == TNI_RULE_WHOLE || (rule == SELECT && i == 0))
            from.strides[from.count++] = call->strides[i];
        else if (tni_pointwise_copied_strides(&from, tensor, room[i]) == TN_GEOMETRY_OK)
            from.strides[from.count++] = room[i];
        else
            return TN_GEOMETRY_OVERFLOW;
    }
    return tni_pointwise_strides(&from, strides);
}

/* The strides of a new result, or of one that is resized, and how many elements it has. */
static bool pointwise_new_strides(const pointwise_call *call, bool resized, int64_t *strides, int64_t *numel) {
    tn_geometry_result result = tn_geometry_numel(call->shape.ndim, call->shape.sizes, numel);
    if (result == TN_GEOMETRY_OK)
        result = pointwise_find_strides(call, resized, strides);
    if (result != TN_GEOMETRY_OK)
        tni_raise(tn_geometry_result_error(result), "the result of sizes %s is larger than any memory",
                  tni_show_dims(call->shape.sizes, call->shape.ndim));
    return result == TN_GEOMETRY_OK;
}

static TNI_NOINLINE tn_tensor *pointwise_new_general(const tni_pointwise_spec *spec, const tni_pointwise_argument *arguments,
                                                     const tni_parameters *parameters) {
    pointwise_call call;
    int64_t strides[TN_MAX_DIMS], numel;
    if (!pointwise_prepare(&call, spec, arguments) || !pointwise_new_strides(&call, false, strides, &numel))
        return NULL;
    tn_tensor *out =
        tni_tensor_new_strided(call.shape.ndim, call.shape.sizes, strides, 0, numel, call.result, pointwise_device(&call));
    if (out && TNI_UNLIKELY(pointwise_execute(&call, out, parameters) != TN_OK)) {
        tni_tensor_release(out);
        return NULL;
    }
    return out;
}

/* Whether everything is in the CPU's memory, so that the quick ways are possible. */
static bool pointwise_is_here(const tni_pointwise_spec *spec, const tni_pointwise_argument *arguments) {
    for (int i = 0; i < spec->operands; i++)
        if (!pointwise_is_readable(&arguments[i]))
            return false;
    return true;
}

tn_tensor *tni_pointwise_new(const tni_pointwise_spec *spec, const tni_pointwise_argument *arguments,
                             const tni_parameters *parameters) {
    return (pointwise_is_here(spec, arguments) ? tni_pointwise_new_here : pointwise_new_general)(spec, arguments, parameters);
}

static TNI_NOINLINE tn_tensor *pointwise_new_other(const tni_pointwise_spec *spec, const tni_pointwise_argument *arguments,
                                                   const tni_parameters *parameters) {
    pointwise_quick quick;
    if (!pointwise_is_quick(spec, arguments, &quick))
        return pointwise_new_general(spec, arguments, parameters);
    tn_tensor *out = tni_tensor_new_like(quick.first, quick.result);
    if (TNI_LIKELY(out != NULL))
        pointwise_run_quick(spec, &quick, tni_tensor_write(out), arguments, parameters);
    return out;
}

tn_tensor *tni_pointwise_new_here(const tni_pointwise_spec *spec, const tni_pointwise_argument *arguments,
                                  const tni_parameters *parameters) {
    void *data[TNI_OPERANDS];
    tni_loop loop = pointwise_is_uniform(spec, arguments, data);
    if (TNI_UNLIKELY(!loop))
        return pointwise_new_other(spec, arguments, parameters);
    const tn_tensor *first = arguments[0].tensor;
    tn_tensor *out = tni_tensor_new_like(first, pointwise_quick_result(spec, first->dtype));
    if (TNI_LIKELY(out != NULL)) {
        data[0] = tni_tensor_write(out);
        loop(data, first->numel, parameters);
    }
    return out;
}

/* Whether every element of `a` is at the same place as that of `b`. */
static bool pointwise_same_place(const tn_tensor *a, const tn_tensor *b) {
    if (tni_tensor_read(a) != tni_tensor_read(b) || a->dtype != b->dtype || !pointwise_same_sizes(a, b))
        return false;
    for (int64_t d = 0; d < a->ndim; d++)
        if (a->sizes[d] > 1 && a->strides[d] != b->strides[d])
            return false;
    return true;
}

static bool pointwise_has_sizes(const pointwise_call *call, const tn_tensor *out) {
    return out->ndim == call->shape.ndim && memcmp(out->sizes, call->shape.sizes, out->ndim * sizeof *out->sizes) == 0;
}

/* Whether writing to `out` changes elements of an operand that are read later. One of other sizes is about to be resized, over
 * whatever its storage holds. */
static bool pointwise_disturbs(const pointwise_call *call, const tn_tensor *out, const tn_tensor *operand) {
    if (!pointwise_has_sizes(call, out))
        return out->storage == operand->storage && operand->numel > 0;
    return !pointwise_same_place(out, operand) && tni_tensors_overlap(out, operand);
}

static bool pointwise_fits(const pointwise_call *call, tn_tensor *out) {
    bool same = pointwise_has_sizes(call, out);
    if (!same)
        for (int i = 0; i < call->spec->operands; i++)
            if (call->arguments[i].tensor == out) {
                tni_raise(TN_ERROR_SHAPE, "the result has sizes %s: self %s cannot be broadcast in place",
                          tni_show_dims(call->shape.sizes, call->shape.ndim), tni_show_tensor(out));
                return false;
            }
    bool exact = call->spec->rule == WIDE; /* as in torch: wide results are not narrowed without being asked */
    if (exact ? (tn_dtype)out->dtype != call->result : !tni_can_cast(call->result, out->dtype)) {
        tni_raise(TN_ERROR_DTYPE, "a result of dtype %s cannot be written into %s", tn_dtype_name(call->result),
                  tni_show_tensor(out));
        return false;
    }
    if (same && tni_tensor_overlaps_itself(out)) {
        tni_raise(TN_ERROR_OVERLAP, "several elements of the written tensor %s with strides %s share one place; clone it first",
                  tni_show_tensor(out), tni_show_dims(out->strides, out->ndim));
        return false;
    }
    return true;
}

/* A result of other sizes gets these, with the strides of a new one. */
static tn_error pointwise_resize(const pointwise_call *call, tni_result *result) {
    tn_tensor *out = result->out;
    int64_t strides[TN_MAX_DIMS], numel;
    tn_dims sizes = {call->shape.sizes, call->shape.ndim};
    if (!pointwise_new_strides(call, true, strides, &numel))
        return tni_failed();
    tn_error code = tni_result_resize(result, sizes);
    if (code == TN_OK) /* there is now room for as many dimensions */
        code = tni_tensor_set_geometry(out, sizes.count, sizes.values, strides, out->offset);
    return code;
}

static TNI_NOINLINE tn_error pointwise_into_general(const tni_pointwise_spec *spec, tn_tensor *out,
                                                    const tni_pointwise_argument *arguments, const tni_parameters *parameters) {
    pointwise_call call;
    if (!pointwise_prepare(&call, spec, arguments) || !pointwise_fits(&call, out) || !tni_tensor_prepare_write(out))
        return tni_failed();
    tni_result_warn(out, "out", (tn_dims){call.shape.sizes, call.shape.ndim});
    tni_result result;
    tni_result_of(&result, out);
    tni_pointwise_argument safe[POINTWISE_ARGUMENTS];
    tn_tensor *copies[POINTWISE_ARGUMENTS] = {NULL};
    tn_error code = TN_OK;
    bool copied = false;
    for (int i = 0; i < spec->operands; i++) {
        const tn_tensor *tensor = arguments[i].tensor;
        safe[i] = arguments[i];
        if (!tensor || code != TN_OK || !pointwise_disturbs(&call, out, tensor))
            continue;
        copies[i] = tni_clone_contiguous(tensor, "an operand overlaps the result");
        safe[i].tensor = copies[i];
        copied = true;
        if (!copies[i])
            code = tni_failed();
    }
    if (code == TN_OK && copied && !pointwise_prepare(&call, spec, safe))
        code = tni_failed();
    if (code == TN_OK && !pointwise_has_sizes(&call, out))
        code = pointwise_resize(&call, &result);
    if (code == TN_OK) {
        code = pointwise_execute(&call, out, parameters);
        tni_tensor_bump(out);
    }
    code = tni_result_stay(&result, code);
    for (int i = 0; i < spec->operands; i++)
        tni_tensor_release(copies[i]);
    return code;
}

tn_error tni_pointwise_into(const tni_pointwise_spec *spec, tn_tensor *out, const tni_pointwise_argument *arguments,
                            const tni_parameters *parameters) {
    bool here = tni_tensor_device(out).type == TN_CPU && pointwise_is_here(spec, arguments);
    return (here ? tni_pointwise_into_here : pointwise_into_general)(spec, out, arguments, parameters);
}

static TNI_NOINLINE tn_error pointwise_into_other(const tni_pointwise_spec *spec, tn_tensor *out,
                                                  const tni_pointwise_argument *arguments, const tni_parameters *parameters) {
    pointwise_quick quick;
    if (!pointwise_may_be_in_place(spec, out, arguments) || !pointwise_is_quick(spec, arguments, &quick) ||
        !pointwise_is_apart(spec, out, arguments, quick.data))
        return pointwise_into_general(spec, out, arguments, parameters);
    pointwise_run_quick(spec, &quick, quick.data[1], arguments, parameters);
    tni_tensor_bump(out);
    return TN_OK;
}

tn_error tni_pointwise_into_here(const tni_pointwise_spec *spec, tn_tensor *out, const tni_pointwise_argument *arguments,
                                 const tni_parameters *parameters) {
    void *data[TNI_OPERANDS];
    bool in_place = pointwise_may_be_in_place(spec, out, arguments);
    tni_loop loop = TNI_LIKELY(in_place) ? pointwise_is_uniform(spec, arguments, data) : NULL;
    if (TNI_UNLIKELY(!loop || !pointwise_is_apart(spec, out, arguments, data)))
        return pointwise_into_other(spec, out, arguments, parameters);
    data[0] = data[1];
    loop(data, out->numel, parameters);
    tni_storage_bump_bytes(out->storage, out, (size_t)out->numel * tni_tensor_item_size(out));
    return TN_OK;
}

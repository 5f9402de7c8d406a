/* create.c - the factories: tensors made from sizes and numbers.
 *
 * Numbers of a sequence are computed from their position, never by repeated addition, in int64 where all is whole and in
 * double elsewhere, a block at a time, and rounded once to the dtype.
 */
#include <math.h>

#include "base/error.h"
#include "operator_impls.h"
#include "ops/copy.h"
#include "ops/copy_engine.h"
#include "ops/fill.h"
#include "tensor/tensor.h"

static tn_tensor *create_empty(tn_dims size, tn_dtype dtype) {
    return tni_tensor_new(size.count, size.values, tni_dtype_or_default(dtype), TN_DEVICE_CPU);
}

tn_tensor *tni_op_empty(tn_dims size, tn_dtype dtype) { return create_empty(size, dtype); }

tn_tensor *tni_op_empty_device(tn_dims size, tn_dtype dtype, tn_device device) {
    return tni_tensor_new(size.count, size.values, tni_dtype_or_default(dtype), device);
}

tn_tensor *tni_op_empty_strided(tn_dims size, tn_dims stride, tn_dtype dtype) {
    if (size.count != stride.count)
        return tni_raise_null(TN_ERROR_SHAPE, "%" PRId64 " sizes %s but %" PRId64 " strides %s", size.count,
                              tni_show_dims(size.values, size.count), stride.count, tni_show_dims(stride.values, stride.count));
    int64_t numel, lowest = 0, highest = -1;
    tn_geometry_result result = tn_geometry_numel(size.count, size.values, &numel);
    if (result == TN_GEOMETRY_OK)
        result = tn_geometry_extent((tn_geometry_ref){size.count, 0, size.values, stride.values}, &lowest, &highest);
    int64_t elements = 0;
    if (result == TN_GEOMETRY_OK && numel > 0 &&
        (tni_sub_overflows(highest, lowest, &elements) || tni_add_overflows(elements, 1, &elements)))
        result = TN_GEOMETRY_OVERFLOW;
    if (result != TN_GEOMETRY_OK)
        return tni_raise_null(tn_geometry_result_error(result), "sizes %s with strides %s: %s",
                              tni_show_dims(size.values, size.count), tni_show_dims(stride.values, stride.count),
                              tn_geometry_result_text(result));
    return tni_tensor_new_strided(size.count, size.values, stride.values, numel ? -lowest : 0, elements,
                                  tni_dtype_or_default(dtype), TN_DEVICE_CPU);
}

enum { CREATE_SMALL = 64 << 10 }; /* bytes that are filled here; more are worth the copy engine's threads and stores */

/* Every element of a fresh, dense tensor becomes `value`, which the dtype is known to hold. */
static tn_tensor *create_filled(tn_tensor *tensor, tn_scalar value) {
    if (tensor && tensor->numel) {
        _Alignas(16) char element[16];
        tn_dtype_store(tensor->dtype, element, value);
        char *target = tni_tensor_write(tensor);
        size_t item = tni_tensor_item_size(tensor);
        if (tensor->numel <= CREATE_SMALL / (int64_t)item) {
            tni_fill_contiguous(target, element, item, tensor->numel);
            return tensor;
        }
        tni_copy_elements(&(tni_copy){.ndim = 1,
                                      .sizes = &tensor->numel,
                                      .target = target,
                                      .target_strides = &(int64_t){1},
                                      .target_dtype = tensor->dtype,
                                      .source = element,
                                      .source_strides = &(int64_t){0},
                                      .source_dtype = tensor->dtype});
    }
    return tensor;
}

static bool create_can_hold(tn_dtype dtype, tn_scalar value) {
    if (tn_dtype_can_hold(dtype, value))
        return true;
    tni_raise(TN_ERROR_DTYPE, "value %s does not fit in %s", tni_show_scalar(value), tn_dtype_name(dtype));
    return false;
}

tn_tensor *tni_op_zeros(tn_dims size, tn_dtype dtype) { return create_filled(create_empty(size, dtype), tn_scalar_int(0)); }

tn_tensor *tni_op_ones(tn_dims size, tn_dtype dtype) { return create_filled(create_empty(size, dtype), tn_scalar_int(1)); }

tn_tensor *tni_op_full(tn_dims size, tn_scalar value, tn_dtype dtype) {
    if (dtype == TN_DTYPE_DEFAULT)
        dtype = tni_dtype_of_scalar(value.kind);
    return create_can_hold(dtype, value) ? create_filled(create_empty(size, dtype), value) : NULL;
}

tn_tensor *tni_op_scalar_tensor(tn_scalar value, tn_dtype dtype) {
    return tni_op_full((tn_dims){NULL, 0}, value, tni_dtype_or_default(dtype));
}

/* ---- like another */

tn_tensor *tni_empty_like_on(const tn_tensor *self, tn_dtype dtype, tn_memory_format format, tn_device device) {
    int64_t strides[TN_MAX_DIMS];
    tn_geometry_result result = TN_GEOMETRY_OK;
    if (format == TN_PRESERVE && !tni_tensor_is_plain(self))
        result = tn_geometry_dense_strides(self->ndim, self->sizes, self->strides, strides);
    else if (format == TN_CHANNELS_LAST || format == TN_CHANNELS_LAST_3D) {
        int wanted = format == TN_CHANNELS_LAST ? 4 : 5;
        if (self->ndim != wanted)
            return tni_raise_null(TN_ERROR_SHAPE, "format %s needs %d dimensions, self has %d: %s",
                                  wanted == 4 ? "channels_last" : "channels_last_3d", wanted, self->ndim,
                                  tni_show_tensor(self));
        result = tn_geometry_channels_last_strides(self->ndim, self->sizes, strides);
    } else {
        return tni_tensor_new(self->ndim, self->sizes, dtype, device);
    }
    if (result != TN_GEOMETRY_OK)
        return tni_raise_null(tn_geometry_result_error(result), "self %s: %s", tni_show_tensor(self),
                              tn_geometry_result_text(result));
    return tni_tensor_new_strided(self->ndim, self->sizes, strides, 0, self->numel, dtype, device);
}

tn_tensor *tni_op_empty_like(const tn_tensor *self, tn_dtype dtype, tn_memory_format format) {
    return tni_empty_like_on(self, dtype == TN_DTYPE_DEFAULT ? (tn_dtype)self->dtype : dtype, format, tni_tensor_device(self));
}

static bool create_like_on_cpu(const tn_tensor *self) {
    if (tni_tensor_device(self).type == TN_CPU)
        return true;
    tni_raise(TN_ERROR_DEVICE, "self is on device %s, which has no kernel for this operator",
              tn_device_type_name(tni_tensor_device(self).type));
    return false;
}

tn_tensor *tni_op_full_like(const tn_tensor *self, tn_scalar value, tn_dtype dtype, tn_memory_format format) {
    tn_dtype wanted = dtype == TN_DTYPE_DEFAULT ? (tn_dtype)self->dtype : dtype;
    if (!create_like_on_cpu(self) || !create_can_hold(wanted, value))
        return NULL;
    return create_filled(tni_op_empty_like(self, wanted, format), value);
}

tn_tensor *tni_op_zeros_like(const tn_tensor *self, tn_dtype dtype, tn_memory_format format) {
    return tni_op_full_like(self, tn_scalar_int(0), dtype, format);
}

tn_tensor *tni_op_ones_like(const tn_tensor *self, tn_dtype dtype, tn_memory_format format) {
    return tni_op_full_like(self, tn_scalar_int(1), dtype, format);
}

/* ---- sequences */

enum { CREATE_BLOCK = 256 };

static bool create_is_whole(tn_scalar value) { return value.kind != TN_SCALAR_FLOAT && value.kind != TN_SCALAR_COMPLEX; }

static double create_as_double(tn_scalar value) {
    switch (value.kind) {
    case TN_SCALAR_BOOL: return value.value.b;
    case TN_SCALAR_INT: return (double)value.value.i;
    case TN_SCALAR_UINT: return (double)value.value.u;
    case TN_SCALAR_FLOAT: return value.value.d;
    case TN_SCALAR_COMPLEX: return value.value.c.real;
    }
    return 0;
}

static bool create_is_real(tn_scalar value, const char *argument) {
    if (value.kind != TN_SCALAR_COMPLEX)
        return true;
    tni_raise(TN_ERROR_DTYPE, "%s = %s must be a real number", argument, tni_show_scalar(value));
    return false;
}

/* Holds every number of 64 bits, and every sum and difference of them. */
__extension__ typedef __int128 create_wide;

/* A sequence of `count` numbers, each a function of its position. */
typedef struct create_sequence {
    int64_t count;
    tn_dtype carrier;                   /* what the numbers are computed in: int64, float64 or complex128     */
    create_wide whole_start, whole_end; /* for the carrier int64,                                             */
    create_wide whole_step;             /* and its step, unless symmetric                                     */
    tn_complex128 start, end, step;     /* for the others                                                     */
    bool symmetric;                     /* linspace: from both ends to the middle                             */
    bool power;                         /* logspace: `base` raised to the number                              */
    double base;
} create_sequence;

typedef union create_block {
    int64_t whole[CREATE_BLOCK];
    double real[CREATE_BLOCK];
    tn_complex128 complex[CREATE_BLOCK];
} create_block;

static double create_part_at(const create_sequence *sequence, int64_t i, double start, double end, double step) {
    bool from_start = !sequence->symmetric || i < sequence->count / 2;
    return from_start ? start + (double)i * step : end - (double)(sequence->count - 1 - i) * step;
}

/* Wraps around as the additions of a narrower or unsigned dtype would: the low 64 bits are right. */
static int64_t create_whole_at(const create_sequence *sequence, int64_t i) {
    create_wide last = sequence->count - 1;
    if (sequence->symmetric)
        return (int64_t)(uint64_t)((sequence->whole_start * (last - i) + sequence->whole_end * i) / last);
    return (int64_t)(uint64_t)(sequence->whole_start + sequence->whole_step * i);
}

/* base to the power of a complex number: exp(exponent * log(base)), where the logarithm of a negative base has an angle. */
static tn_complex128 create_power(double base, tn_complex128 exponent) {
    if (exponent.imag == 0 && !(base < 0))
        return (tn_complex128){pow(base, exponent.real), 0};
    double logarithm = log(fabs(base)), turn = base < 0 ? acos(-1) : 0;
    double magnitude = pow(fabs(base), exponent.real) * exp(-exponent.imag * turn);
    double angle = exponent.imag * logarithm + exponent.real * turn;
    return (tn_complex128){magnitude * cos(angle), magnitude * sin(angle)};
}

static void create_number_at(const create_sequence *sequence, int64_t i, create_block *block, int64_t at) {
    if (sequence->carrier == TN_INT64) {
        block->whole[at] = create_whole_at(sequence, i);
        return;
    }
    double real = create_part_at(sequence, i, sequence->start.real, sequence->end.real, sequence->step.real);
    if (sequence->carrier == TN_FLOAT64) {
        block->real[at] = sequence->power ? pow(sequence->base, real) : real;
        return;
    }
    double imag = create_part_at(sequence, i, sequence->start.imag, sequence->end.imag, sequence->step.imag);
    tn_complex128 number = {real, imag};
    block->complex[at] = sequence->power ? create_power(sequence->base, number) : number;
}

static tn_tensor *create_from_sequence(const create_sequence *sequence, tn_dtype dtype) {
    tn_tensor *tensor = tni_tensor_new(1, &sequence->count, dtype, TN_DEVICE_CPU);
    if (!tensor)
        return NULL;
    char *target = tni_tensor_write(tensor);
    size_t item = tni_tensor_item_size(tensor);
    for (int64_t first = 0; first < sequence->count; first += CREATE_BLOCK) {
        int64_t many = tni_min_i64(CREATE_BLOCK, sequence->count - first);
        create_block block;
        for (int64_t i = 0; i < many; i++)
            create_number_at(sequence, first + i, &block, i);
        (void)tn_dtype_convert(dtype, target + (size_t)first * item, sequence->carrier, &block, (size_t)many);
    }
    return tensor;
}

/* A number that a 64-bit dtype holds, whole: a fraction is cut, as torch does. */
static create_wide create_as_wide(tn_scalar value) {
    switch (value.kind) {
    case TN_SCALAR_BOOL: return value.value.b;
    case TN_SCALAR_INT: return value.value.i;
    case TN_SCALAR_UINT: return value.value.u;
    case TN_SCALAR_FLOAT: return (create_wide)value.value.d;
    case TN_SCALAR_COMPLEX: break;
    }
    return 0;
}

static bool create_argument_holds(tn_dtype dtype, tn_scalar value, const char *argument, create_wide *out) {
    if (!tn_dtype_can_hold(TN_INT64, value) && !(dtype == TN_UINT64 && tn_dtype_can_hold(TN_UINT64, value))) {
        tni_raise(TN_ERROR_DTYPE, "%s = %s does not fit in %s", argument, tni_show_scalar(value),
                  dtype == TN_UINT64 ? "uint64" : "int64");
        return false;
    }
    *out = create_as_wide(value);
    return true;
}

static bool create_count_whole(create_wide distance, create_wide step, int64_t *count) {
    create_wide many = distance / step + (distance % step != 0);
    *count = many <= INT64_MAX ? (int64_t)many : 0;
    return many <= INT64_MAX;
}

static bool create_count_real(double start, double end, double step, int64_t *count) {
    double many = ceil((end - start) / step);
    *count = many < 0x1p63 ? (int64_t)many : 0;
    return many < 0x1p63;
}

static tn_dtype create_arange_dtype(tn_scalar start, tn_scalar end, tn_scalar step) {
    return create_is_whole(start) && create_is_whole(end) && create_is_whole(step) ? TN_INT64 : tn_default_dtype();
}

tn_tensor *tni_op_arange_start(tn_scalar start, tn_scalar end, tn_scalar step, tn_dtype dtype) {
    if (!create_is_real(start, "start") || !create_is_real(end, "end") || !create_is_real(step, "step"))
        return NULL;
    if (dtype == TN_DTYPE_DEFAULT)
        dtype = create_arange_dtype(start, end, step);
    if (tn_dtype_is_complex(dtype) || dtype == TN_BOOL)
        return tni_raise_null(TN_ERROR_DTYPE, "a sequence cannot be made in %s", tn_dtype_name(dtype));
    create_sequence sequence = {.carrier = tn_dtype_is_integral(dtype) ? TN_INT64 : TN_FLOAT64,
                                .start = {create_as_double(start), 0},
                                .end = {create_as_double(end), 0},
                                .step = {create_as_double(step), 0}};
    if (!isfinite(sequence.start.real) || !isfinite(sequence.end.real) || isnan(sequence.step.real))
        return tni_raise_null(TN_ERROR_ARGUMENT, "start %s, end %s and step %s must be finite", tni_show_scalar(start),
                              tni_show_scalar(end), tni_show_scalar(step));
    if (sequence.carrier == TN_INT64 && (!create_argument_holds(dtype, start, "start", &sequence.whole_start) ||
                                         !create_argument_holds(dtype, end, "end", &sequence.whole_end) ||
                                         !create_argument_holds(dtype, step, "step", &sequence.whole_step)))
        return NULL;
    bool counts_whole = dtype == TN_INT64 || dtype == TN_UINT64; /* elsewhere torch counts in double */
    if (sequence.step.real == 0 || (counts_whole && sequence.whole_step == 0))
        return tni_raise_null(TN_ERROR_ARGUMENT, "step is 0: the sequence from %s to %s would never end",
                              tni_show_scalar(start), tni_show_scalar(end));
    double distance = sequence.end.real - sequence.start.real;
    create_wide whole_distance = sequence.whole_end - sequence.whole_start;
    bool forward = sequence.step.real > 0;
    if (forward ? distance < 0 || whole_distance < 0 : distance > 0 || whole_distance > 0)
        return tni_raise_null(TN_ERROR_ARGUMENT, "step %s leads away from end %s, starting at %s", tni_show_scalar(step),
                              tni_show_scalar(end), tni_show_scalar(start));
    bool fits = counts_whole ? create_count_whole(whole_distance, sequence.whole_step, &sequence.count)
                             : create_count_real(sequence.start.real, sequence.end.real, sequence.step.real, &sequence.count);
    if (!fits)
        return tni_raise_null(TN_ERROR_SHAPE, "from %s to %s by %s there are more than 2^63 numbers", tni_show_scalar(start),
                              tni_show_scalar(end), tni_show_scalar(step));
    return create_from_sequence(&sequence, dtype);
}

tn_tensor *tni_op_arange(tn_scalar end, tn_dtype dtype) {
    return tni_op_arange_start(tn_scalar_int(0), end, tn_scalar_int(1), dtype);
}

static tn_complex128 create_as_complex(tn_scalar value) {
    return value.kind == TN_SCALAR_COMPLEX ? value.value.c : (tn_complex128){create_as_double(value), 0};
}

/* torch brings the ends to an integer dtype before it divides: they lose their fractions, and -1 is 255 in uint8. */
static tn_scalar create_in_dtype(tn_scalar value, tn_dtype dtype) {
    char element[16];
    tn_dtype_store(dtype, element, value);
    return tn_dtype_load(dtype, element);
}

/* Whether a double would lose digits of an end. Below, the numbers are those of torch, which computes in double. */
static bool create_exceeds_double(tn_scalar value) {
    create_wide whole = create_as_wide(value);
    return whole > (create_wide)1 << 53 || whole < -((create_wide)1 << 53);
}

/* linspace, or with `power` logspace. */
static tn_tensor *create_space(tn_scalar start, tn_scalar end, int64_t steps, bool power, double base, tn_dtype dtype) {
    bool complex = start.kind == TN_SCALAR_COMPLEX || end.kind == TN_SCALAR_COMPLEX;
    if (dtype == TN_DTYPE_DEFAULT)
        dtype = complex ? tn_dtype_to_complex(tn_default_dtype()) : tn_default_dtype();
    if (steps < 0)
        return tni_raise_null(TN_ERROR_ARGUMENT, "steps = %" PRId64 " is negative", steps);
    if (dtype == TN_BOOL)
        return tni_raise_null(TN_ERROR_DTYPE, "a sequence cannot be made in bool");
    if (complex && !tn_dtype_is_complex(dtype))
        return tni_raise_null(TN_ERROR_DTYPE, "start %s and end %s are complex, %s is not", tni_show_scalar(start),
                              tni_show_scalar(end), tn_dtype_name(dtype));
    if (power && steps == 1 && tn_dtype_is_integral(dtype)) /* one power is a number: torch does not cut its exponent */
        return tni_op_full((tn_dims){&steps, 1}, tn_scalar_float(pow(base, create_as_double(start))), dtype);
    if (!create_can_hold(dtype, start) || !create_can_hold(dtype, end))
        return NULL;
    create_sequence sequence = {.count = steps,
                                .carrier = tn_dtype_is_complex(dtype) ? TN_COMPLEX128 : TN_FLOAT64,
                                .symmetric = steps > 1,
                                .power = power,
                                .base = base};
    if (tn_dtype_is_integral(dtype)) {
        start = create_in_dtype(start, dtype);
        end = create_in_dtype(end, dtype);
        sequence.whole_start = create_as_wide(start);
        sequence.whole_end = create_as_wide(end);
        if (!power && (create_exceeds_double(start) || create_exceeds_double(end)))
            sequence.carrier = TN_INT64;
    }
    sequence.start = create_as_complex(start);
    sequence.end = create_as_complex(end);
    if (steps > 1) {
        sequence.step.real = (sequence.end.real - sequence.start.real) / (double)(steps - 1);
        sequence.step.imag = (sequence.end.imag - sequence.start.imag) / (double)(steps - 1);
    }
    return create_from_sequence(&sequence, dtype);
}

tn_tensor *tni_op_linspace(tn_scalar start, tn_scalar end, int64_t steps, tn_dtype dtype) {
    return create_space(start, end, steps, false, 0, dtype);
}

tn_tensor *tni_op_logspace(tn_scalar start, tn_scalar end, int64_t steps, double base, tn_dtype dtype) {
    return create_space(start, end, steps, true, base, dtype);
}

tn_tensor *tni_op_eye(int64_t rows, int64_t columns, tn_dtype dtype) {
    if (rows < 0 || columns < 0)
        return tni_raise_null(TN_ERROR_SHAPE, "rows = %" PRId64 " and columns = %" PRId64 " must not be negative", rows,
                              columns);
    int64_t sizes[2] = {rows, columns};
    tn_tensor *tensor = create_filled(create_empty((tn_dims){sizes, 2}, dtype), tn_scalar_int(0));
    if (!tensor)
        return NULL;
    size_t item = tni_tensor_item_size(tensor);
    char *target = tni_tensor_write(tensor);
    for (int64_t i = 0; i < tni_min_i64(rows, columns); i++)
        tn_dtype_store(tensor->dtype, target + (size_t)(i * (columns + 1)) * item, tn_scalar_int(1));
    return tensor;
}

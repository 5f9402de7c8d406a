/* sequence.c - factories of numbers in a row: arange, range, linspace, logspace.
 *
 * Numbers of a sequence are computed from their position, never by repeated addition, in int64 where everything is whole and in
 * double elsewhere, a block at a time, and rounded once to the dtype. The arguments first become a create_sequence, and with
 * that every reason to refuse them has been checked; the plan keeps it, and the run writes it to a new tensor or to a given
 * one.
 */
#include <math.h>

#include "base/error.h"
#include "base/parallel.h"
#include "base/warn.h"
#include "operators_create.h"
#include "ops/copy/copy.h"
#include "ops/create/create.h"
#include "ops/limits.h"
#include "ops/plan.h"

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

/* Wraps as the additions of a narrower or unsigned dtype would: the low 64 bits are right. */
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

/* To `count` elements, one after the other. */
static void create_write(const create_sequence *sequence, tn_dtype dtype, char *target) {
    size_t item = tni_dtype_size(dtype);
    TNI_IN_STEPS (begin, end, sequence->count)
        for (int64_t first = begin; first < end; first += CREATE_BLOCK) {
            int64_t many = tni_min_i64(CREATE_BLOCK, end - first);
            create_block block;
            for (int64_t i = 0; i < many; i++)
                create_number_at(sequence, first + i, &block, i);
            (void)tn_dtype_convert(dtype, target + (size_t)first * item, sequence->carrier, &block, (size_t)many);
        }
}

_Static_assert(sizeof(create_sequence) <= TNI_PLAN_ROOM, "a plan has room for a sequence");

/* For the sequence in the plan's room. An `out` with as many elements keeps its shape, as in torch. */
static bool create_plan(tni_plan *plan, tn_dtype dtype, tni_result_rule rule) {
    const create_sequence *sequence = (const void *)plan->room;
    const tn_tensor *out = plan->out;
    tni_plan_begin_new(plan);
    plan->rule = rule;
    if (out && out->numel == sequence->count && out->numel > 0)
        tni_plan_add(plan, out->ndim, out->sizes, dtype);
    else
        tni_plan_add(plan, 1, &sequence->count, dtype);
    return true;
}

/* One with gaps gets a copy. */
static tn_error create_run(const tni_plan *plan, tn_tensor *result) {
    const create_sequence *sequence = (const void *)plan->room;
    if (result->numel == 0)
        return TN_OK;
    if (tni_tensor_is_contiguous(result)) {
        create_write(sequence, result->dtype, tni_tensor_write(result));
        return TN_OK;
    }
    tn_tensor *beside = tni_tensor_new(result->ndim, result->sizes, result->dtype, TN_DEVICE_CPU);
    if (!beside)
        return tni_failed();
    create_write(sequence, result->dtype, tni_tensor_write(beside));
    tn_error code = tni_copy_into(result, beside, "the result was computed in a temporary");
    tni_tensor_release(beside);
    return code;
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

static bool create_count_whole(create_wide distance, create_wide step, bool closed, int64_t *count) {
    create_wide many = distance / step + (closed || distance % step != 0);
    *count = many <= INT64_MAX ? (int64_t)many : 0;
    return many <= INT64_MAX;
}

static bool create_count_real(double distance, double step, bool closed, int64_t *count) {
    double many = closed ? floor(distance / step) + 1 : ceil(distance / step);
    *count = many < 0x1p63 ? (int64_t)many : 0;
    return many < 0x1p63;
}

static tn_dtype create_arange_dtype(tn_scalar start, tn_scalar end, tn_scalar step) {
    return create_is_whole(start) && create_is_whole(end) && create_is_whole(step) ? TN_INT64 : tn_default_dtype();
}

/* arange, or with `closed` range, which includes its end if the steps reach it. */
typedef struct create_steps {
    tn_scalar start, end, step;
    bool closed;
} create_steps;

static bool create_steps_count(const create_steps *steps, tn_dtype dtype, create_sequence *sequence) {
    double distance = sequence->end.real - sequence->start.real;
    create_wide whole_distance = sequence->whole_end - sequence->whole_start;
    /* Elsewhere torch counts in double. */
    bool counts_whole = dtype == TN_INT64 || dtype == TN_UINT64 || (steps->closed && sequence->carrier == TN_INT64);
    if (sequence->step.real == 0 || (counts_whole && sequence->whole_step == 0)) {
        tni_raise(TN_ERROR_ARGUMENT, "step is 0: the sequence from %s to %s would never end", tni_show_scalar(steps->start),
                  tni_show_scalar(steps->end));
        return false;
    }
    bool forward = sequence->step.real > 0;
    if (forward ? distance < 0 || whole_distance < 0 : distance > 0 || whole_distance > 0) {
        tni_raise(TN_ERROR_ARGUMENT, "step %s leads away from end %s, starting at %s", tni_show_scalar(steps->step),
                  tni_show_scalar(steps->end), tni_show_scalar(steps->start));
        return false;
    }
    bool fits = counts_whole ? create_count_whole(whole_distance, sequence->whole_step, steps->closed, &sequence->count)
                             : create_count_real(distance, sequence->step.real, steps->closed, &sequence->count);
    if (!fits)
        tni_raise(TN_ERROR_SHAPE, "from %s to %s by %s there are more than 2^63 numbers", tni_show_scalar(steps->start),
                  tni_show_scalar(steps->end), tni_show_scalar(steps->step));
    return fits;
}

static bool create_steps_plan(const create_steps *steps, tn_dtype dtype, create_sequence *sequence) {
    tn_scalar start = steps->start, end = steps->end, step = steps->step;
    if (!create_is_real(start, "start") || !create_is_real(end, "end") || !create_is_real(step, "step"))
        return false;
    if (tn_dtype_is_complex(dtype) || dtype == TN_BOOL) {
        tni_raise(TN_ERROR_DTYPE, "a sequence cannot be made in %s", tn_dtype_name(dtype));
        return false;
    }
    *sequence = (create_sequence){.carrier = tn_dtype_is_integral(dtype) ? TN_INT64 : TN_FLOAT64,
                                  .start = {create_as_double(start), 0},
                                  .end = {create_as_double(end), 0},
                                  .step = {create_as_double(step), 0}};
    if (!isfinite(sequence->start.real) || !isfinite(sequence->end.real) || isnan(sequence->step.real)) {
        tni_raise(TN_ERROR_ARGUMENT, "start %s, end %s and step %s must be finite", tni_show_scalar(start),
                  tni_show_scalar(end), tni_show_scalar(step));
        return false;
    }
    if (sequence->carrier == TN_INT64 && (!create_argument_holds(dtype, start, "start", &sequence->whole_start) ||
                                          !create_argument_holds(dtype, end, "end", &sequence->whole_end) ||
                                          !create_argument_holds(dtype, step, "step", &sequence->whole_step)))
        return false;
    return create_steps_count(steps, dtype, sequence);
}

static bool create_plan_steps(tni_plan *plan, const create_steps *steps, tn_dtype dtype, tn_dtype standard) {
    return tni_plan_dtype(plan, dtype, standard, &dtype) && create_steps_plan(steps, dtype, (void *)plan->room) &&
           create_plan(plan, dtype, TNI_RESULT_EXACT);
}

bool tni_plan_arange_start(tni_plan *plan, tn_scalar start, tn_scalar end, tn_scalar step, tn_dtype dtype) {
    return create_plan_steps(plan, &(create_steps){start, end, step, false}, dtype, create_arange_dtype(start, end, step));
}
tn_error tni_run_arange_start(const tni_plan *plan, tn_tensor *const *results, tn_scalar start, tn_scalar end, tn_scalar step,
                              tn_dtype dtype) {
    (void)start, (void)end, (void)step, (void)dtype;
    return create_run(plan, results[0]);
}

bool tni_plan_arange(tni_plan *plan, tn_scalar end, tn_dtype dtype) {
    return tni_plan_arange_start(plan, tn_scalar_int(0), end, tn_scalar_int(1), dtype);
}
tn_error tni_run_arange(const tni_plan *plan, tn_tensor *const *results, tn_scalar end, tn_dtype dtype) {
    (void)end, (void)dtype;
    return create_run(plan, results[0]);
}

bool tni_plan_range(tni_plan *plan, tn_scalar start, tn_scalar end, tn_scalar step, tn_dtype dtype) {
    tni_warn("range, which includes its end, is kept only for old programs; arange stops before its end");
    return create_plan_steps(plan, &(create_steps){start, end, step, true}, dtype, tn_default_dtype());
}
tn_error tni_run_range(const tni_plan *plan, tn_tensor *const *results, tn_scalar start, tn_scalar end, tn_scalar step,
                       tn_dtype dtype) {
    (void)start, (void)end, (void)step, (void)dtype;
    return create_run(plan, results[0]);
}

static tn_complex128 create_as_complex(tn_scalar value) {
    return value.kind == TN_SCALAR_COMPLEX ? value.value.c : (tn_complex128){create_as_double(value), 0};
}

/* torch converts the ends to an integer dtype before it divides: they lose their fractions, and -1 is 255 in uint8. */
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

/* What torch does not compute as a sequence: one power of an integer dtype, whose exponent it does not cut. */
static bool create_is_one_power(int64_t steps, bool power, tn_dtype dtype) {
    return power && steps == 1 && tn_dtype_is_integral(dtype);
}

/* linspace, or with `power` logspace. */
static bool create_space(tn_scalar start, tn_scalar end, int64_t steps, bool power, double base, tn_dtype dtype,
                         create_sequence *sequence) {
    bool complex = start.kind == TN_SCALAR_COMPLEX || end.kind == TN_SCALAR_COMPLEX;
    if (steps < 0) {
        tni_raise(TN_ERROR_ARGUMENT, "steps = %" PRId64 " is negative", steps);
        return false;
    }
    if (dtype == TN_BOOL || (complex && !tn_dtype_is_complex(dtype))) {
        if (dtype == TN_BOOL)
            tni_raise(TN_ERROR_DTYPE, "a sequence cannot be made in bool");
        else
            tni_raise(TN_ERROR_DTYPE, "start %s and end %s are complex, %s is not", tni_show_scalar(start),
                      tni_show_scalar(end), tn_dtype_name(dtype));
        return false;
    }
    if (create_is_one_power(steps, power, dtype)) {
        start = end = tn_scalar_float(pow(base, create_as_double(start)));
        power = false;
    }
    if (!tni_create_can_hold(dtype, start) || !tni_create_can_hold(dtype, end))
        return false;
    *sequence = (create_sequence){.count = steps,
                                  .carrier = tn_dtype_is_complex(dtype) ? TN_COMPLEX128 : TN_FLOAT64,
                                  .symmetric = steps > 1,
                                  .power = power,
                                  .base = base};
    if (tn_dtype_is_integral(dtype)) {
        start = create_in_dtype(start, dtype);
        end = create_in_dtype(end, dtype);
        sequence->whole_start = create_as_wide(start);
        sequence->whole_end = create_as_wide(end);
        if (!power && (create_exceeds_double(start) || create_exceeds_double(end)))
            sequence->carrier = TN_INT64;
    }
    sequence->start = create_as_complex(start);
    sequence->end = create_as_complex(end);
    if (steps > 1) {
        sequence->step.real = (sequence->end.real - sequence->start.real) / (double)(steps - 1);
        sequence->step.imag = (sequence->end.imag - sequence->start.imag) / (double)(steps - 1);
    }
    return true;
}

/* As in torch an out of other sizes is resized without a warning: the call gives the number of elements. */
static bool create_plan_space(tni_plan *plan, tn_scalar start, tn_scalar end, int64_t steps, bool power, double base,
                              tn_dtype dtype) {
    bool complex = start.kind == TN_SCALAR_COMPLEX || end.kind == TN_SCALAR_COMPLEX;
    tn_dtype standard = complex ? tn_dtype_to_complex(tn_default_dtype()) : tn_default_dtype();
    return tni_plan_dtype(plan, dtype, standard, &dtype) &&
           create_space(start, end, steps, power, base, dtype, (void *)plan->room) && create_plan(plan, dtype, TNI_RESULT_MADE);
}

bool tni_plan_linspace(tni_plan *plan, tn_scalar start, tn_scalar end, int64_t steps, tn_dtype dtype) {
    return create_plan_space(plan, start, end, steps, false, 0, dtype);
}
tn_error tni_run_linspace(const tni_plan *plan, tn_tensor *const *results, tn_scalar start, tn_scalar end, int64_t steps,
                          tn_dtype dtype) {
    (void)start, (void)end, (void)steps, (void)dtype;
    return create_run(plan, results[0]);
}

bool tni_plan_logspace(tni_plan *plan, tn_scalar start, tn_scalar end, int64_t steps, double base, tn_dtype dtype) {
    return create_plan_space(plan, start, end, steps, true, base, dtype);
}
tn_error tni_run_logspace(const tni_plan *plan, tn_tensor *const *results, tn_scalar start, tn_scalar end, int64_t steps,
                          double base, tn_dtype dtype) {
    (void)start, (void)end, (void)steps, (void)base, (void)dtype;
    return create_run(plan, results[0]);
}

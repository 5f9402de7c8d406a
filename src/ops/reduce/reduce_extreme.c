/* reduce_extreme.c - the largest and smallest elements, and where they are: amax, amin, aminmax, max, min, argmax, argmin.
 *
 * A NaN is larger than everything and smaller than everything: it is the result wherever there is one. Of equal elements the
 * index is that of the first, in the order of the tensor's dimensions.
 */
#include <math.h>

#include "operators_reduce.h"
#include "ops/reduce/reduce.h"
#include "ops/limits.h"

/* ---- states */

/* The value that nothing exceeds (`most`), or is below. */
static void extreme_limit(tn_dtype dtype, bool most, void *out) {
    switch ((int)dtype) {
    case TN_FLOAT32: *(float *)out = most ? INFINITY : -INFINITY; break;
    case TN_FLOAT64: *(double *)out = most ? (double)INFINITY : -(double)INFINITY; break;
    case TN_INT32: *(int32_t *)out = most ? INT32_MAX : INT32_MIN; break;
    case TN_INT64: *(int64_t *)out = most ? INT64_MAX : INT64_MIN; break;
    case TN_UINT64: *(uint64_t *)out = most ? UINT64_MAX : 0; break;
    default: *(uint8_t *)out = most ? UINT8_MAX : 0; break;
    }
}

typedef struct extreme_kind {
    tn_dtype dtype;
    bool least, places;
} extreme_kind;

static void extreme_begin(const tni_reduce_states *states, int64_t count, const void *context) {
    const extreme_kind *kind = context;
    size_t size = tni_dtype_size(kind->dtype);
    _Alignas(8) char limit[8];
    extreme_limit(kind->dtype, kind->least, limit);
    char *value = tni_reduce_word(states, 0, size);
    int64_t *place = tni_reduce_word(states, 1, 8);
    for (int64_t j = 0; j < count; j++) {
        memcpy(value + (size_t)j * size, limit, size);
        if (kind->places)
            place[j] = INT64_MAX;
    }
}

/* Whether `a` replaces `b`: 1 yes, 0 they are the same, -1 no. */
#define EXTREME_COMPARE(type)                                                                                                  \
    do {                                                                                                                       \
        type x = *(const type *)a, y = *(const type *)b;                                                                       \
        if (x != x || y != y)                                                                                                  \
            return (x != x) - (y != y);                                                                                        \
        return least ? (x < y) - (x > y) : (x > y) - (x < y);                                                                  \
    } while (0)

static int extreme_compare(tn_dtype dtype, bool least, const void *a, const void *b) {
    switch ((int)dtype) {
    case TN_FLOAT32: EXTREME_COMPARE(float);
    case TN_FLOAT64: EXTREME_COMPARE(double);
    case TN_INT32: EXTREME_COMPARE(int32_t);
    case TN_INT64: EXTREME_COMPARE(int64_t);
    case TN_UINT64: EXTREME_COMPARE(uint64_t);
    default: EXTREME_COMPARE(uint8_t);
    }
}

static void extreme_combine(const tni_reduce_states *into, const tni_reduce_states *from, int64_t count, const void *context) {
    const extreme_kind *kind = context;
    size_t size = tni_dtype_size(kind->dtype);
    char *value = tni_reduce_word(into, 0, size);
    const char *other = tni_reduce_word(from, 0, size);
    int64_t *place = tni_reduce_word(into, 1, 8);
    const int64_t *elsewhere = tni_reduce_word(from, 1, 8);
    for (int64_t j = 0; j < count; j++, value += size, other += size) {
        int verdict = extreme_compare(kind->dtype, kind->least, other, value);
        if (verdict > 0 || (verdict == 0 && kind->places && elsewhere[j] < place[j])) {
            memcpy(value, other, size);
            if (kind->places)
                place[j] = elsewhere[j];
        }
    }
}

static void extreme_finish(void *const *out, const tni_reduce_states *states, int64_t count, int64_t reduced,
                           const void *context) {
    (void)reduced;
    const extreme_kind *kind = context;
    size_t size = tni_dtype_size(kind->dtype);
    memcpy(out[0], tni_reduce_word(states, 0, size), (size_t)count * size);
}

/* An element that nothing beats is the first. */
static void extreme_put_places(int64_t *out, const tni_reduce_states *states, int64_t count) {
    const int64_t *place = tni_reduce_word(states, 1, 8);
    for (int64_t j = 0; j < count; j++)
        out[j] = place[j] == INT64_MAX ? 0 : place[j];
}

static void extreme_finish_both(void *const *out, const tni_reduce_states *states, int64_t count, int64_t reduced,
                                const void *context) {
    extreme_finish(out, states, count, reduced, context);
    extreme_put_places(out[1], states, count);
}

static void extreme_finish_places(void *const *out, const tni_reduce_states *states, int64_t count, int64_t reduced,
                                  const void *context) {
    (void)reduced, (void)context;
    extreme_put_places(out[0], states, count);
}

/* ---- which loops */

static const extreme_kind *extreme_kind_of(tn_dtype dtype, bool least, bool places) {
    static const extreme_kind kinds[][4] = {
#define EXTREME_KINDS(dtype)                                                                                                   \
    {                                                                                                                          \
        {dtype, false, false}, {dtype, false, true}, {dtype, true, false}, { dtype, true, true }                               \
    }
        EXTREME_KINDS(TN_FLOAT32), EXTREME_KINDS(TN_FLOAT64), EXTREME_KINDS(TN_INT32),
        EXTREME_KINDS(TN_INT64),   EXTREME_KINDS(TN_UINT64),  EXTREME_KINDS(TN_UINT8),
#undef EXTREME_KINDS
    };
    int row = 0;
    while (kinds[row][0].dtype != dtype)
        row++;
    return &kinds[row][2 * least + places];
}

void tni_reduce_use_extreme(tni_reduce_call *call, tni_reduce_kind kind, tn_dtype compute) {
    bool least = kind == TNI_REDUCE_MIN || kind == TNI_REDUCE_ARGMIN;
    bool places = kind == TNI_REDUCE_ARGMAX || kind == TNI_REDUCE_ARGMIN;
    tni_reduce_use(call, kind, compute);
    call->kernel = least ? TNI_JOB_amin : TNI_JOB_amax;
    call->what.words = places ? 2 : 1;
    call->what.indexed = places;
    call->what.begin = extreme_begin;
    call->what.combine = extreme_combine;
    call->what.finish = extreme_finish;
    call->what.gives[0] = compute;
    call->what.context = extreme_kind_of(compute, least, places);
}

/* The dtype the elements are compared in, which holds all of them. Narrow ones have no loops that look for places. */
static tn_dtype extreme_dtype(tn_dtype dtype, bool places) {
    switch ((int)dtype) {
    case TN_BOOL:
    case TN_INT8:
    case TN_INT16: return places ? TN_FLOAT32 : TN_INT32;
    case TN_UINT8: return places ? TN_FLOAT32 : TN_UINT8;
    case TN_UINT16: return places ? TN_INT64 : TN_INT32;
    case TN_INT32: return places ? TN_INT64 : TN_INT32;
    case TN_UINT32:
    case TN_INT64: return TN_INT64;
    case TN_UINT64: return TN_UINT64;
    case TN_FLOAT64: return TN_FLOAT64;
    default: return TN_FLOAT32;
    }
}

static bool extreme_takes(const tn_tensor *self) {
    if (!tn_dtype_is_complex(self->dtype) && !tni_reduce_is_float8(self->dtype))
        return true;
    tni_raise(TN_ERROR_DTYPE, "not defined for %s%s; given %s", tn_dtype_name(self->dtype),
              tn_dtype_is_complex(self->dtype) ? ": complex numbers have no order" : "", tni_show_tensor(self));
    return false;
}

/* After begin. */
static bool extreme_prepare(tni_reduce_call *call, tni_reduce_kind kind) {
    bool places = kind == TNI_REDUCE_ARGMAX || kind == TNI_REDUCE_ARGMIN;
    /* For a dimension without elements the error is about the index; without any elements it is about sizes. */
    tn_error code = call->named || places ? TN_ERROR_INDEX : TN_ERROR_SHAPE;
    if (!extreme_takes(call->self) || !tni_reduce_needs_elements(call, code))
        return false;
    tni_reduce_use_extreme(call, kind, extreme_dtype(call->self->dtype, places));
    call->dtype[0] = call->self->dtype;
    call->rule = TNI_RESULT_EXACT;
    return true;
}

/* ---- values */

static tn_tensor *extreme_new(const tn_tensor *self, tn_dims dim, bool keepdim, tni_reduce_kind kind) {
    tni_reduce_call call;
    return tni_reduce_begin(&call, self, dim, keepdim) && extreme_prepare(&call, kind) ? tni_reduce_new(&call) : NULL;
}

static tn_error extreme_out(tn_tensor *out, const tn_tensor *self, tn_dims dim, bool keepdim, tni_reduce_kind kind,
                            tni_result_rule rule) {
    tni_reduce_call call;
    if (!tni_reduce_begin(&call, self, dim, keepdim) || !extreme_prepare(&call, kind))
        return tni_failed();
    call.rule = rule;
    return tni_reduce_out(&call, out);
}

static const tn_dims extreme_over_all = {NULL, 0};

tn_tensor *tni_op_amax(const tn_tensor *self, tn_dims dim, bool keepdim) {
    return extreme_new(self, dim, keepdim, TNI_REDUCE_MAX);
}

tn_tensor *tni_op_amin(const tn_tensor *self, tn_dims dim, bool keepdim) {
    return extreme_new(self, dim, keepdim, TNI_REDUCE_MIN);
}

tn_error tni_op_amax_out(tn_tensor *out, const tn_tensor *self, tn_dims dim, bool keepdim) {
    return extreme_out(out, self, dim, keepdim, TNI_REDUCE_MAX, TNI_RESULT_EXACT);
}

tn_error tni_op_amin_out(tn_tensor *out, const tn_tensor *self, tn_dims dim, bool keepdim) {
    return extreme_out(out, self, dim, keepdim, TNI_REDUCE_MIN, TNI_RESULT_EXACT);
}

tn_tensor *tni_op_max(const tn_tensor *self) { return extreme_new(self, extreme_over_all, false, TNI_REDUCE_MAX); }
tn_tensor *tni_op_min(const tn_tensor *self) { return extreme_new(self, extreme_over_all, false, TNI_REDUCE_MIN); }

tn_error tni_op_max_out(tn_tensor *out, const tn_tensor *self) {
    return extreme_out(out, self, extreme_over_all, false, TNI_REDUCE_MAX, TNI_RESULT_CAST);
}

tn_error tni_op_min_out(tn_tensor *out, const tn_tensor *self) {
    return extreme_out(out, self, extreme_over_all, false, TNI_REDUCE_MIN, TNI_RESULT_CAST);
}

/* ---- both: the second reads again the block that the first brought into the cache */

typedef struct extreme_both {
    tni_reduce_loop run[2], columns[2];
    const extreme_kind *kind[2];
} extreme_both;

/* The words of the other. */
static tni_reduce_states extreme_second(const tni_reduce_states *states) {
    return (tni_reduce_states){states->words + 8 * states->capacity, states->capacity, states->at};
}

static void extreme_both_begin(const tni_reduce_states *states, int64_t count, const void *context) {
    const extreme_both *both = context;
    tni_reduce_states second = extreme_second(states);
    extreme_begin(states, count, both->kind[0]);
    extreme_begin(&second, count, both->kind[1]);
}

static void extreme_both_run(const tni_reduce_states *states, const tni_reduce_span *span, const void *context) {
    const extreme_both *both = context;
    tni_reduce_states second = extreme_second(states);
    tni_reduce_span part = *span;
    int64_t step = tni_min_i64(span->count, EXTREME_STEP), size = (int64_t)tni_dtype_size(both->kind[0]->dtype);
    for (int64_t done = 0; done < span->count; done += step, part.data += step * size) {
        part.count = tni_min_i64(step, span->count - done);
        both->run[0](states, &part, NULL);
        both->run[1](&second, &part, NULL);
    }
}

static void extreme_both_columns(const tni_reduce_states *states, const tni_reduce_span *span, const void *context) {
    const extreme_both *both = context;
    tni_reduce_states second = extreme_second(states);
    tni_reduce_span part = *span;
    for (int64_t done = 0; done < span->rows; done += 16, part.data += 16 * span->pitch) {
        part.rows = tni_min_i64(16, span->rows - done);
        both->columns[0](states, &part, NULL);
        both->columns[1](&second, &part, NULL);
    }
}

static void extreme_both_combine(const tni_reduce_states *into, const tni_reduce_states *from, int64_t count,
                                 const void *context) {
    const extreme_both *both = context;
    tni_reduce_states second = extreme_second(into), other = extreme_second(from);
    extreme_combine(into, from, count, both->kind[0]);
    extreme_combine(&second, &other, count, both->kind[1]);
}

static void extreme_both_finish(void *const *out, const tni_reduce_states *states, int64_t count, int64_t reduced,
                                const void *context) {
    const extreme_both *both = context;
    tni_reduce_states second = extreme_second(states);
    extreme_finish(out, states, count, reduced, both->kind[0]);
    extreme_finish(out + 1, &second, count, reduced, both->kind[1]);
}

static bool extreme_both_prepare(tni_reduce_call *call, const tn_tensor *self, int64_t dim, bool keepdim, extreme_both *both) {
    if (!tni_reduce_begin_one(call, self, dim, keepdim) || !extreme_prepare(call, TNI_REDUCE_MAX))
        return false;
    both->run[1] = call->what.run;
    both->columns[1] = call->what.columns;
    both->kind[1] = call->what.context;
    tni_reduce_use_extreme(call, TNI_REDUCE_MIN, call->what.compute);
    both->run[0] = call->what.run;
    both->columns[0] = call->what.columns;
    both->kind[0] = call->what.context;
    call->kernel = TNI_JOB_aminmax;
    call->what.words = call->what.results = 2;
    call->what.begin = extreme_both_begin;
    call->what.run = extreme_both_run;
    call->what.columns = extreme_both_columns;
    call->what.combine = extreme_both_combine;
    call->what.finish = extreme_both_finish;
    call->what.gives[1] = call->what.compute;
    call->what.context = both;
    call->dtype[1] = call->dtype[0];
    return true;
}

tn_list *tni_op_aminmax(const tn_tensor *self, int64_t dim, bool keepdim) {
    tni_reduce_call call;
    extreme_both both;
    return extreme_both_prepare(&call, self, dim, keepdim, &both) ? tni_reduce_new_pair(&call) : NULL;
}

tn_error tni_op_aminmax_out(tn_tensor *min, tn_tensor *max, const tn_tensor *self, int64_t dim, bool keepdim) {
    tni_reduce_call call;
    extreme_both both;
    if (!extreme_both_prepare(&call, self, dim, keepdim, &both))
        return tni_failed();
    return tni_reduce_out_pair(&call, min, "min", max, "max");
}

/* ---- values and places */

static bool extreme_pair_prepare(tni_reduce_call *call, const tn_tensor *self, int64_t dim, bool keepdim,
                                 tni_reduce_kind kind) {
    if (!tni_reduce_begin(call, self, (tn_dims){&dim, 1}, keepdim) || !extreme_prepare(call, kind))
        return false;
    call->kernel = kind == TNI_REDUCE_ARGMAX ? TNI_JOB_max : TNI_JOB_min;
    call->what.results = 2;
    call->what.finish = extreme_finish_both;
    call->what.gives[1] = call->dtype[1] = TN_INT64;
    return true;
}

static tn_list *extreme_pair_new(const tn_tensor *self, int64_t dim, bool keepdim, tni_reduce_kind kind) {
    tni_reduce_call call;
    return extreme_pair_prepare(&call, self, dim, keepdim, kind) ? tni_reduce_new_pair(&call) : NULL;
}

static tn_error extreme_pair_out(tn_tensor *values, tn_tensor *indices, const tn_tensor *self, int64_t dim, bool keepdim,
                                 tni_reduce_kind kind) {
    tni_reduce_call call;
    if (!extreme_pair_prepare(&call, self, dim, keepdim, kind))
        return tni_failed();
    return tni_reduce_out_pair(&call, values, "values", indices, "indices");
}

tn_list *tni_op_max_dim(const tn_tensor *self, int64_t dim, bool keepdim) {
    return extreme_pair_new(self, dim, keepdim, TNI_REDUCE_ARGMAX);
}

tn_list *tni_op_min_dim(const tn_tensor *self, int64_t dim, bool keepdim) {
    return extreme_pair_new(self, dim, keepdim, TNI_REDUCE_ARGMIN);
}

tn_error tni_op_max_dim_out(tn_tensor *values, tn_tensor *indices, const tn_tensor *self, int64_t dim, bool keepdim) {
    return extreme_pair_out(values, indices, self, dim, keepdim, TNI_REDUCE_ARGMAX);
}

tn_error tni_op_min_dim_out(tn_tensor *values, tn_tensor *indices, const tn_tensor *self, int64_t dim, bool keepdim) {
    return extreme_pair_out(values, indices, self, dim, keepdim, TNI_REDUCE_ARGMIN);
}

/* ---- places */

static bool extreme_place_prepare(tni_reduce_call *call, const tn_tensor *self, int64_t dim, bool keepdim,
                                  tni_reduce_kind kind) {
    if (self->dtype == TN_BOOL) {
        tni_raise(TN_ERROR_DTYPE, "not defined for bool; given %s", tni_show_tensor(self));
        return false;
    }
    if (!tni_reduce_begin_one(call, self, dim, keepdim) || !extreme_prepare(call, kind))
        return false;
    call->kernel = kind == TNI_REDUCE_ARGMAX ? TNI_JOB_argmax : TNI_JOB_argmin;
    call->what.finish = extreme_finish_places;
    call->what.gives[0] = call->dtype[0] = TN_INT64;
    return true;
}

static tn_tensor *extreme_place_new(const tn_tensor *self, int64_t dim, bool keepdim, tni_reduce_kind kind) {
    tni_reduce_call call;
    return extreme_place_prepare(&call, self, dim, keepdim, kind) ? tni_reduce_new(&call) : NULL;
}

static tn_error extreme_place_out(tn_tensor *out, const tn_tensor *self, int64_t dim, bool keepdim, tni_reduce_kind kind) {
    tni_reduce_call call;
    return extreme_place_prepare(&call, self, dim, keepdim, kind) ? tni_reduce_out(&call, out) : tni_failed();
}

tn_tensor *tni_op_argmax(const tn_tensor *self, int64_t dim, bool keepdim) {
    return extreme_place_new(self, dim, keepdim, TNI_REDUCE_ARGMAX);
}

tn_tensor *tni_op_argmin(const tn_tensor *self, int64_t dim, bool keepdim) {
    return extreme_place_new(self, dim, keepdim, TNI_REDUCE_ARGMIN);
}

tn_error tni_op_argmax_out(tn_tensor *out, const tn_tensor *self, int64_t dim, bool keepdim) {
    return extreme_place_out(out, self, dim, keepdim, TNI_REDUCE_ARGMAX);
}

tn_error tni_op_argmin_out(tn_tensor *out, const tn_tensor *self, int64_t dim, bool keepdim) {
    return extreme_place_out(out, self, dim, keepdim, TNI_REDUCE_ARGMIN);
}

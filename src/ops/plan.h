/* plan.h - one implementation for each row, three variants from it.
 *
 * A row that says `.plan` is two functions: its plan looks at the arguments and says what the results will be, or raises; its
 * run computes them. Neither allocates or resizes results:
 *
 *     bool tni_plan_softmax(tni_plan *plan, const tn_tensor *self, int64_t dim, tn_dtype dtype);
 *     tn_error tni_run_softmax(const tni_plan *plan, tn_tensor *const *results, const tn_tensor *self, int64_t dim, tn_dtype dtype);
 *
 * The functional, in-place and out variants are generated from them: new results come from tni_plan_make; an `out` is checked,
 * resized, kept apart from operands that overlap it and, where its dtype differs, converted to; ops/result.c does that once for
 * all rows. On the meta device the plan is all that runs.
 *
 * An operator that changes some elements of self says `changes`: its run finds a copy of self in results[0], or self itself in
 * place, and changes that, counting the write. So does a row that exists only in place and fills self. Where sizes depend on
 * elements nothing can be planned: such a row says .sized_by_elements instead.
 */
#ifndef TNI_PLAN_H
#define TNI_PLAN_H

#include "ops/result.h"
#include "tensor/tensor.h"

enum { TNI_PLAN_RESULTS = 5, TNI_PLAN_NUMBERS = 4, TNI_PLAN_ROOM = 192 };

typedef struct tni_plan_result {
    int64_t ndim, sizes[TN_MAX_DIMS];
    tn_dtype dtype;
    bool strided;                 /* a new one has these strides; else it is contiguous         */
    int64_t strides[TN_MAX_DIMS]; /* of a dense tensor. A result that is given has its own      */
} tni_plan_result;

typedef struct tni_plan {
    const tn_tensor *out; /* set before the plan is asked: the first result that is given, which is self in place; else NULL */
    tn_device device;
    int count; /* of results */
    tni_result_rule rule;
    bool over_first; /* the run can write over its first operand, where the result that is given is that very tensor     */
    bool beside;     /* the run may fail when it has begun to write: given results are computed in temporaries and copied */
    bool shared;     /* of a plan that changes: in place, elements of self may share places, or that has been checked      */
    bool broadcasts; /* of a plan that changes: the sizes of the result may differ from those of self                      */
    const tn_tensor *changes; /* NULL, or what the one result begins as a copy of, of its dtype; its sizes are broadcast */
    int64_t number[TNI_PLAN_NUMBERS];      /* what the plan found out for the run: wrapped dimensions, lengths */
    tn_dtype dtype;                        /* the same */
    _Alignas(16) char room[TNI_PLAN_ROOM]; /* the same, for a structure of the operator's own */
    tni_plan_result result[TNI_PLAN_RESULTS];
} tni_plan;

/* Begin a plan whose results are on the device of `like`, or on a device: none yet, rule EXACT. A plan without a tensor to read
 * begins as `new`: its result is on the CPU, or where `out` is. */
static inline void tni_plan_begin_on(tni_plan *plan, tn_device device) {
    plan->device = device;
    plan->count = 0;
    plan->rule = TNI_RESULT_EXACT;
    plan->over_first = plan->beside = plan->shared = plan->broadcasts = false;
    plan->changes = NULL;
    plan->result[0].ndim = 0; /* a row that only changes self may leave it unset */
    plan->result[0].dtype = TN_DTYPE_DEFAULT;
}
static inline void tni_plan_begin(tni_plan *plan, const tn_tensor *like) { tni_plan_begin_on(plan, tni_tensor_device(like)); }
static inline void tni_plan_begin_new(tni_plan *plan) {
    tni_plan_begin_on(plan, plan->out ? tni_tensor_device(plan->out) : TN_DEVICE_CPU);
}

/* The dtype of a result for which one may be asked (TN_DTYPE_DEFAULT: none is): that of `out`, where it is given, else the one
 * asked for, else `standard`. Raises and returns false where `out` does not have the one asked for. */
bool tni_plan_refuse_dtype(const tni_plan *plan, tn_dtype asked);
static inline bool tni_plan_dtype(const tni_plan *plan, tn_dtype asked, tn_dtype standard, tn_dtype *dtype) {
    *dtype = plan->out ? (tn_dtype)plan->out->dtype : asked == TN_DTYPE_DEFAULT ? standard : asked;
    return TNI_LIKELY(asked == TN_DTYPE_DEFAULT || asked == *dtype) || tni_plan_refuse_dtype(plan, asked);
}

/* One more result: contiguous, of these sizes; or with the sizes and, as in empty_like, the strides of a tensor. The second
 * raises and returns false where strides cannot be counted. */
static inline void tni_plan_add(tni_plan *plan, int64_t ndim, const int64_t *sizes, tn_dtype dtype) {
    tni_plan_result *result = &plan->result[plan->count++];
    result->ndim = ndim;
    result->dtype = dtype;
    result->strided = false;
    for (int64_t d = 0; d < ndim; d++)
        result->sizes[d] = sizes[d];
}
bool tni_plan_add_like(tni_plan *plan, const tn_tensor *like, tn_dtype dtype);

/* The same with a format as in empty_like. */
bool tni_plan_add_as(tni_plan *plan, const tn_tensor *like, tn_dtype dtype, tn_memory_format format);

/* As add_like, for a part of `like` or another shape of it: of these sizes, in the order of these strides. */
bool tni_plan_add_ordered(tni_plan *plan, const tn_tensor *like, int64_t ndim, const int64_t *sizes, const int64_t *strides);

/* The same with the strides of channels_last, where it has them and they are wanted. */
void tni_plan_add_format(tni_plan *plan, int64_t ndim, const int64_t *sizes, tn_dtype dtype, bool channels_last);

/* A plan that changes `self`: its one result has its sizes and dtype, and is contiguous, or (preserve) has its strides. */
static inline bool tni_plan_change(tni_plan *plan, const tn_tensor *self, bool preserve) {
    tni_plan_begin(plan, self);
    plan->changes = self;
    if (preserve && !tni_tensor_is_plain(self))
        return tni_plan_add_like(plan, self, self->dtype);
    tni_plan_add(plan, self->ndim, self->sizes, self->dtype);
    return true;
}

/* ---- for the generated variants */

/* New tensors for all results; false with the error raised. */
bool tni_plan_make_any(const tni_plan *plan, tn_tensor **made);
TNI_ALWAYS_INLINE bool tni_plan_make(const tni_plan *plan, tn_tensor **made) {
    const tni_plan_result *result = &plan->result[0];
    if (TNI_LIKELY(plan->count == 1 && !plan->changes && !result->strided))
        return (made[0] = tni_tensor_new(result->ndim, result->sizes, result->dtype, plan->device)) != NULL;
    return tni_plan_make_any(plan, made);
}

/* After the run: hand them over, or release them where `code` is an error. One result, or all as a list. */
void tni_plan_drop(const tni_plan *plan, tn_tensor **made);
TNI_ALWAYS_INLINE tn_tensor *tni_plan_give(const tni_plan *plan, tn_tensor **made, tn_error code) {
    if (TNI_LIKELY(code == TN_OK))
        return made[0];
    tni_plan_drop(plan, made);
    return NULL;
}
tn_list *tni_plan_give_list(const tni_plan *plan, tn_tensor **made, tn_error code);

/* Whether there are elements to compute. */
TNI_ALWAYS_INLINE bool tni_plan_runs(const tni_plan *plan) { return plan->device.type != TN_META; }

/* Results that are given: `names` is what messages call them. Operands are the tensors that are read; `in_place` forbids other
 * sizes. */
typedef struct tni_plan_out {
    bool self; /* of a plan that changes: it is written in place, by the run itself */
    tni_result result[TNI_PLAN_RESULTS];
    tn_tensor *written[TNI_PLAN_RESULTS]; /* what the run writes to */
} tni_plan_out;
bool tni_plan_receive_any(const tni_plan *plan, tni_plan_out *out, tn_tensor *const *given, const char *const *names,
                          const tn_tensor *const *operands, int64_t operand_count, bool in_place);
tn_error tni_plan_end_any(const tni_plan *plan, tni_plan_out *out, tn_error code);

/* Whether self may be written to in place; raised where not. */
bool tni_plan_may_write(const tni_plan *plan, tn_tensor *self);

static inline bool tni_plan_has_sizes(const tni_plan_result *result, const tn_tensor *tensor) {
    bool same = tensor->ndim == result->ndim;
    for (int64_t d = 0; same && d < result->ndim; d++)
        same = tensor->sizes[d] == result->sizes[d];
    return same;
}

/* What changes self in place is short enough to stand in every variant; the rest is called. */
TNI_ALWAYS_INLINE bool tni_plan_receive(const tni_plan *plan, tni_plan_out *out, tn_tensor *const *given,
                                        const char *const *names, const tn_tensor *const *operands, int64_t operand_count,
                                        bool in_place) {
    if (!in_place || !plan->changes || plan->broadcasts)
        return tni_plan_receive_any(plan, out, given, names, operands, operand_count, in_place);
    out->self = true;
    out->written[0] = given[0];
    return tni_plan_may_write(plan, given[0]);
}
TNI_ALWAYS_INLINE tn_error tni_plan_end(const tni_plan *plan, tni_plan_out *out, tn_error code) {
    return plan->changes && out->self && tni_plan_runs(plan) ? code : tni_plan_end_any(plan, out, code);
}

#endif

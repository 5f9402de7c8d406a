/* reduce.h - what the operators that reduce have in common: which dimensions, which dtype, the result, the call.
 *
 *     tni_reduce_call call;
 *     if (!tni_reduce_begin(&call, self, dim, keepdim))
 *         return NULL;
 *     ... fill call.what, call.dtype (and call.input where the elements are read as another dtype) ...
 *     return tni_reduce_new(&call);
 */
#ifndef TNI_OPS_REDUCE_H
#define TNI_OPS_REDUCE_H

#include "dispatch/backend.h"
#include "iterate/runs.h"
#include "ops/result.h"
#include "tensor/tensor.h"

typedef struct tni_reduce_call {
    const tn_tensor *self;
    tn_tensor *copy; /* of self in another dtype, where it is read from that; released by new and out     */
    tn_dtype input;  /* what the elements are read as: the dtype of self, or another of the same size      */
    bool split;      /* complex elements are read, and written, as pairs of real ones                      */
    bool reduced[TN_MAX_DIMS], keepdim;
    bool named;                       /* the dimensions to reduce were given: they are not simply all */
    int64_t ndim, sizes[TN_MAX_DIMS]; /* of the result */
    tn_dtype dtype[TNI_REDUCE_RESULTS];
    tni_result_rule rule;
    tni_reduction what;
    tni_job_kernel kernel; /* the same for the job of a device (reduce_job.h)                                    */
    double number;         /* and the number that comes with it: a correction, an order                        */
    tn_dtype elements;     /* what elements become before they are reduced                                     */
} tni_reduce_call;

/* Over these dimensions, none meaning all of them; the other over one, TN_NONE meaning all. Raise and return false when they
 * are not dimensions of self, or not different ones. Afterwards `what` is all 0 except for what every reduction has. */
bool tni_reduce_begin(tni_reduce_call *call, const tn_tensor *self, tn_dims dim, bool keepdim);
bool tni_reduce_begin_one(tni_reduce_call *call, const tn_tensor *self, int64_t dim, bool keepdim);

/* Whether something is reduced to each result; raises `code`, naming the dimension, when not: for operators that need one
 * element. */
bool tni_reduce_needs_elements(const tni_reduce_call *call, tn_error code);

/* Let the elements be converted to `dtype` before anything else: on the way, or by a copy where that is not the same. */
bool tni_reduce_cast(tni_reduce_call *call, tn_dtype dtype);

/* Put the loops of a kind for a dtype into call->what. */
void tni_reduce_use(tni_reduce_call *call, tni_reduce_kind kind, tn_dtype compute);

/* Carry it out: into a new tensor, a given one, or two of them. */
tn_tensor *tni_reduce_new(tni_reduce_call *call);
tn_error tni_reduce_out(tni_reduce_call *call, tn_tensor *out);
tn_list *tni_reduce_new_pair(tni_reduce_call *call);
tn_error tni_reduce_out_pair(tni_reduce_call *call, tn_tensor *first, const char *first_name, tn_tensor *second,
                             const char *second_name);

/* Release what a call holds if it is not carried out. */
void tni_reduce_drop(tni_reduce_call *call);

/* The value of a sum's state: its low part means nothing beside an infinity or NaN. */
static inline double tni_reduce_sum_of(const tni_reduce_states *states, int64_t j) {
    const double *high = tni_reduce_word(states, 0, 8), *low = tni_reduce_word(states, 1, 8);
    return high[j] - high[j] == 0 ? high[j] + low[j] : high[j];
}

void tni_reduce_sum_begin(const tni_reduce_states *states, int64_t count, const void *context);
void tni_reduce_sum_combine(const tni_reduce_states *into, const tni_reduce_states *from, int64_t count, const void *context);

/* Make call->what the largest (MAX) or the smallest (MIN) element of `compute`, given back in it. */
void tni_reduce_use_extreme(tni_reduce_call *call, tni_reduce_kind kind, tn_dtype compute);

/* Make it how many elements are not 0; call->dtype is int64 then, and may be set to another. */
void tni_reduce_use_count(tni_reduce_call *call);

/* The dtype in which floats are reduced: float32 for the narrow ones. */
static inline tn_dtype tni_reduce_float(tn_dtype dtype) {
    return tn_dtype_to_real(dtype) == TN_FLOAT64 ? TN_FLOAT64 : TN_FLOAT32;
}

static inline bool tni_reduce_is_float8(tn_dtype dtype) { return dtype == TN_FLOAT8_E4M3FN || dtype == TN_FLOAT8_E5M2; }

#endif

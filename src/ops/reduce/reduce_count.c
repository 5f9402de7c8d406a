/* reduce_count.c - any, all and count_nonzero: how many elements are not 0. They look at bits, by element size, so every dtype
 * is read as it is; the sign of a float does not count. any and all stop where the answer is known.
 */
#include "operators_reduce.h"
#include "operators_view.h"
#include "ops/reduce/reduce.h"

static const uint64_t *count_mask(tn_dtype dtype) {
    static const uint64_t every = UINT64_MAX, float8 = 0x7f, half = 0x7fff, single = 0x7fffffff,
                          pair = UINT64_C(0x7fffffff7fffffff), wide = UINT64_MAX >> 1;
    if (tn_dtype_is_integral(dtype))
        return &every;
    if (dtype == TN_COMPLEX64)
        return &pair;
    size_t size = tni_dtype_size(dtype);
    return size == 1 ? &float8 : size == 2 ? &half : size == 4 ? &single : &wide;
}

static void count_combine(const tni_reduce_states *into, const tni_reduce_states *from, int64_t count, const void *context) {
    (void)context;
    int64_t *sum = tni_reduce_word(into, 0, 8);
    const int64_t *more = tni_reduce_word(from, 0, 8);
    for (int64_t j = 0; j < count; j++)
        sum[j] += more[j];
}

static void count_finish(void *const *out, const tni_reduce_states *states, int64_t count, int64_t reduced,
                         const void *context) {
    (void)reduced, (void)context;
    memcpy(out[0], tni_reduce_word(states, 0, 8), (size_t)count * 8);
}

static void count_finish_any(void *const *out, const tni_reduce_states *states, int64_t count, int64_t reduced,
                             const void *context) {
    (void)reduced, (void)context;
    const int64_t *found = tni_reduce_word(states, 0, 8);
    for (int64_t j = 0; j < count; j++)
        ((uint8_t *)out[0])[j] = found[j] > 0;
}

static void count_finish_all(void *const *out, const tni_reduce_states *states, int64_t count, int64_t reduced,
                             const void *context) {
    (void)context;
    const int64_t *found = tni_reduce_word(states, 0, 8);
    for (int64_t j = 0; j < count; j++)
        ((uint8_t *)out[0])[j] = found[j] == reduced;
}

static bool count_settled_any(const tni_reduce_states *states, int64_t seen, const void *context) {
    (void)seen, (void)context;
    return *(const int64_t *)tni_reduce_word(states, 0, 8) > 0;
}

static bool count_settled_all(const tni_reduce_states *states, int64_t seen, const void *context) {
    (void)context;
    return *(const int64_t *)tni_reduce_word(states, 0, 8) < seen;
}

void tni_reduce_use_count(tni_reduce_call *call) {
    static const tn_dtype by_size[] = {TN_UINT8, TN_UINT16, TN_UINT32, TN_UINT64, TN_COMPLEX128};
    call->what.context = count_mask(call->input);
    call->input = by_size[__builtin_ctzll((unsigned long long)tni_dtype_size(call->input))];
    tni_reduce_use(call, TNI_REDUCE_NONZERO, call->input);
    call->kernel = TNI_JOB_count_nonzero;
    call->what.words = 2;
    call->what.begin = tni_reduce_sum_begin;
    call->what.combine = count_combine;
    call->what.finish = count_finish;
    call->what.gives[0] = call->dtype[0] = TN_INT64;
}

static bool count_begin(tni_reduce_call *call, const tn_tensor *self, tn_dims dim, bool keepdim, bool all) {
    if (!tni_reduce_begin(call, self, dim, keepdim))
        return false;
    tni_reduce_use_count(call);
    call->kernel = all ? TNI_JOB_all : TNI_JOB_any;
    call->what.finish = all ? count_finish_all : count_finish_any;
    call->what.settled = all ? count_settled_all : count_settled_any;
    call->what.gives[0] = TN_UINT8;
    call->dtype[0] = self->dtype == TN_UINT8 ? TN_UINT8 : TN_BOOL;
    return true;
}

static tn_tensor *count_new(const tn_tensor *self, tn_dims dim, bool keepdim, bool all) {
    tni_reduce_call call;
    return count_begin(&call, self, dim, keepdim, all) ? tni_reduce_new(&call) : NULL;
}

/* Into bool, or into uint8, for those whose bools are bytes. */
static tn_error count_out(tn_tensor *out, const tn_tensor *self, tn_dims dim, bool keepdim, bool all) {
    tni_reduce_call call;
    if (!count_begin(&call, self, dim, keepdim, all))
        return tni_failed();
    call.dtype[0] = out->dtype == TN_UINT8 ? TN_UINT8 : TN_BOOL;
    call.rule = TNI_RESULT_EXACT;
    return tni_reduce_out(&call, out);
}

static const tn_dims count_over_all = {NULL, 0};
#define COUNT_ONE(dim) ((tn_dims){&(dim), (dim) == TN_NONE ? 0 : 1})

tn_tensor *tni_op_any(const tn_tensor *self) { return count_new(self, count_over_all, false, false); }
tn_tensor *tni_op_all(const tn_tensor *self) { return count_new(self, count_over_all, false, true); }
tn_error tni_op_any_out(tn_tensor *out, const tn_tensor *self) { return count_out(out, self, count_over_all, false, false); }
tn_error tni_op_all_out(tn_tensor *out, const tn_tensor *self) { return count_out(out, self, count_over_all, false, true); }

tn_tensor *tni_op_any_dim(const tn_tensor *self, int64_t dim, bool keepdim) {
    return count_new(self, COUNT_ONE(dim), keepdim, false);
}

tn_tensor *tni_op_all_dim(const tn_tensor *self, int64_t dim, bool keepdim) {
    return count_new(self, COUNT_ONE(dim), keepdim, true);
}

tn_error tni_op_any_dim_out(tn_tensor *out, const tn_tensor *self, int64_t dim, bool keepdim) {
    return count_out(out, self, COUNT_ONE(dim), keepdim, false);
}

tn_error tni_op_all_dim_out(tn_tensor *out, const tn_tensor *self, int64_t dim, bool keepdim) {
    return count_out(out, self, COUNT_ONE(dim), keepdim, true);
}

/* A list that is given but empty names no dimension: each element is then a line of its own, along one more dimension. */
static const tn_tensor *count_each(const tn_tensor *self, tn_dims *dim, bool *keepdim, tn_tensor **lines) {
    static const int64_t last = -1;
    *lines = NULL;
    if (dim->count != 0 || !dim->values)
        return self;
    *dim = (tn_dims){&last, 1};
    *keepdim = false;
    return *lines = tni_op_unsqueeze(self, -1);
}

static tn_tensor *count_dims(const tn_tensor *self, tn_dims dim, bool keepdim, bool all) {
    tn_tensor *lines;
    self = count_each(self, &dim, &keepdim, &lines);
    tn_tensor *result = self ? count_new(self, dim, keepdim, all) : NULL;
    tni_tensor_release(lines);
    return result;
}

static tn_error count_dims_out(tn_tensor *out, const tn_tensor *self, tn_dims dim, bool keepdim, bool all) {
    tn_tensor *lines;
    self = count_each(self, &dim, &keepdim, &lines);
    tn_error code = self ? count_out(out, self, dim, keepdim, all) : tni_failed();
    tni_tensor_release(lines);
    return code;
}

tn_tensor *tni_op_any_dims(const tn_tensor *self, tn_dims dim, bool keepdim) { return count_dims(self, dim, keepdim, false); }
tn_tensor *tni_op_all_dims(const tn_tensor *self, tn_dims dim, bool keepdim) { return count_dims(self, dim, keepdim, true); }

tn_error tni_op_any_dims_out(tn_tensor *out, const tn_tensor *self, tn_dims dim, bool keepdim) {
    return count_dims_out(out, self, dim, keepdim, false);
}

tn_error tni_op_all_dims_out(tn_tensor *out, const tn_tensor *self, tn_dims dim, bool keepdim) {
    return count_dims_out(out, self, dim, keepdim, true);
}

tn_tensor *tni_op_count_nonzero_dims(const tn_tensor *self, tn_dims dim) {
    tni_reduce_call call;
    if (!tni_reduce_begin(&call, self, dim, false))
        return NULL;
    tni_reduce_use_count(&call);
    return tni_reduce_new(&call);
}

tn_error tni_op_count_nonzero_dims_out(tn_tensor *out, const tn_tensor *self, tn_dims dim) {
    tni_reduce_call call;
    if (!tni_reduce_begin(&call, self, dim, false))
        return tni_failed();
    tni_reduce_use_count(&call);
    return tni_reduce_out(&call, out);
}

tn_tensor *tni_op_count_nonzero(const tn_tensor *self, int64_t dim) { return tni_op_count_nonzero_dims(self, COUNT_ONE(dim)); }

tn_error tni_op_count_nonzero_out(tn_tensor *out, const tn_tensor *self, int64_t dim) {
    return tni_op_count_nonzero_dims_out(out, self, COUNT_ONE(dim));
}

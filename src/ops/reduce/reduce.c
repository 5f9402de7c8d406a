/* reduce.c - what the operators that reduce have in common. See reduce.h. */
#include "ops/reduce/reduce.h"

#include "kernels/table.h"
#include "ops/copy/copy.h"
#include "ops/reduce/reduce_job.h"

/* ---- dimensions */

static void reduce_set_sizes(tni_reduce_call *call) {
    call->ndim = 0;
    for (int64_t d = 0; d < call->self->ndim; d++)
        if (!call->reduced[d] || call->keepdim)
            call->sizes[call->ndim++] = call->reduced[d] ? 1 : call->self->sizes[d];
}

static void reduce_prepare_call(tni_reduce_call *call, const tn_tensor *self, bool all, bool keepdim) {
    call->self = self;
    call->copy = NULL;
    call->input = self->dtype;
    call->split = false;
    call->keepdim = keepdim;
    call->rule = TNI_RESULT_CAST;
    call->kernel = TNI_JOB_sum;
    call->number = 0;
    call->elements = self->dtype;
    call->what = (tni_reduction){.words = 1, .results = 1};
    for (int64_t d = 0; d < self->ndim; d++)
        call->reduced[d] = all;
}

bool tni_reduce_begin(tni_reduce_call *call, const tn_tensor *self, tn_dims dim, bool keepdim) {
    reduce_prepare_call(call, self, dim.count == 0, keepdim);
    call->named = dim.count > 0;
    uint64_t seen = 0;
    for (int64_t i = 0; i < dim.count; i++) {
        int64_t d;
        if (!tni_wrap_dim(dim.values[i], self->ndim, "dim", &d))
            return false;
        if (seen >> d & 1) {
            tni_raise(TN_ERROR_ARGUMENT, "dimension %" PRId64 " is named twice in dim = %s", d,
                      tni_show_dims(dim.values, dim.count));
            return false;
        }
        seen |= UINT64_C(1) << d;
        if (self->ndim > 0)
            call->reduced[d] = true;
    }
    reduce_set_sizes(call);
    return true;
}

bool tni_reduce_begin_one(tni_reduce_call *call, const tn_tensor *self, int64_t dim, bool keepdim) {
    return tni_reduce_begin(call, self, (tn_dims){&dim, dim == TN_NONE ? 0 : 1}, keepdim);
}

bool tni_reduce_needs_elements(const tni_reduce_call *call, tn_error code) {
    bool all = true;
    for (int64_t d = 0; d < call->self->ndim; d++)
        all = all && call->reduced[d];
    for (int64_t d = 0; d < call->self->ndim; d++)
        if (call->reduced[d] && call->self->sizes[d] == 0) {
            tni_raise(code, "self %s has no elements along dimension %" PRId64 ", and without elements there is no result%s",
                      tni_show_tensor(call->self), d, all ? "; name the dimensions to reduce" : "");
            return false;
        }
    return true;
}

/* ---- dtypes */

static bool reduce_converts_on_the_way(tn_dtype from, tn_dtype to) {
    if (tn_dtype_is_complex(from) != tn_dtype_is_complex(to))
        return false;
    return to == TN_FLOAT32 || to == TN_FLOAT64 || to == TN_INT64 || tn_dtype_is_complex(to);
}

bool tni_reduce_cast(tni_reduce_call *call, tn_dtype dtype) {
    if (call->input == dtype || reduce_converts_on_the_way(call->input, dtype))
        return true;
    call->copy = tni_clone_as(call->self, dtype, TN_PRESERVE, tni_tensor_device(call->self), "a reduction in another dtype");
    call->input = dtype;
    return call->copy != NULL;
}

void tni_reduce_use(tni_reduce_call *call, tni_reduce_kind kind, tn_dtype compute) {
    const tni_kernel_table *kernels = tni_kernels();
    call->what.compute = compute;
    call->what.run = kernels->reduce_run[(int)kind * TN_DTYPE_COUNT + (int)compute];
    call->what.columns = kernels->reduce_columns[(int)kind * TN_DTYPE_COUNT + (int)compute];
}

/* ---- sums are everywhere */

void tni_reduce_sum_begin(const tni_reduce_states *states, int64_t count, const void *context) {
    (void)context;
    double *high = tni_reduce_word(states, 0, 8), *low = tni_reduce_word(states, 1, 8);
    for (int64_t j = 0; j < count; j++)
        high[j] = low[j] = 0;
}

void tni_reduce_sum_combine(const tni_reduce_states *into, const tni_reduce_states *from, int64_t count, const void *context) {
    (void)context;
    double *high = tni_reduce_word(into, 0, 8), *low = tni_reduce_word(into, 1, 8);
    const double *more = tni_reduce_word(from, 0, 8), *rest = tni_reduce_word(from, 1, 8);
    for (int64_t j = 0; j < count; j++) {
        double sum = high[j] + more[j], back = sum - high[j];
        low[j] += ((high[j] - (sum - back)) + (more[j] - back)) + rest[j];
        high[j] = sum;
    }
}

/* ---- carrying it out */

/* All elements to one result, where they are few and adjacent. */
static bool reduce_whole(const tni_reduce_call *call, const tn_tensor *self, tn_tensor *const *out) {
    if (call->split || out[0]->numel != 1 || !tni_tensor_is_contiguous(self) || tni_tensor_device(self).type != TN_CPU)
        return false;
    tni_reduce_result results[TNI_REDUCE_RESULTS];
    for (int k = 0; k < call->what.results; k++)
        results[k] = (tni_reduce_result){tni_tensor_write(out[k]), NULL, (tn_dtype)out[k]->dtype};
    return tni_reduce_whole(&call->what, call->input, tni_tensor_read(self), self->numel, results);
}

static tn_error reduce_execute(const tni_reduce_call *call, tn_tensor *const *out) {
    const tn_tensor *self = call->copy ? call->copy : call->self;
    if (reduce_whole(call, self, out))
        return TN_OK;
    int64_t sizes[TN_MAX_DIMS], strides[TN_MAX_DIMS], results[TNI_REDUCE_RESULTS][TN_MAX_DIMS], ndim = 0;
    bool reduced[TN_MAX_DIMS];
    int64_t step = call->split ? 2 : 1;
    for (int64_t d = 0, kept = 0; d < self->ndim; d++) {
        sizes[ndim] = self->sizes[d];
        strides[ndim] = self->sizes[d] > 1 ? self->strides[d] * step : 0;
        reduced[ndim] = call->reduced[d];
        for (int k = 0; k < call->what.results; k++)
            results[k][ndim] = call->reduced[d] ? 0 : out[k]->strides[kept] * step;
        kept += !call->reduced[d] || call->keepdim;
        ndim += self->sizes[d] != 1 || !call->split; /* so that there is room for one more: the others are at most 62 */
    }
    if (call->split) {
        sizes[ndim] = 2;
        strides[ndim] = 1;
        reduced[ndim] = false;
        for (int k = 0; k < call->what.results; k++)
            results[k][ndim] = 1;
        ndim++;
    }
    tni_reduce_job job = {.ndim = ndim,
                          .sizes = sizes,
                          .strides = strides,
                          .data = tni_tensor_read(self),
                          .dtype = call->split ? tn_dtype_to_real(call->input) : call->input,
                          .reduced = reduced,
                          .what = &call->what};
    for (int k = 0; k < call->what.results; k++)
        job.result[k] = (tni_reduce_result){tni_tensor_write(out[k]), results[k],
                                            call->split ? tn_dtype_to_real(out[k]->dtype) : (tn_dtype)out[k]->dtype};
    if (TNI_UNLIKELY(tni_tensor_device(self).type != TN_CPU)) {
        job.dtype = call->split ? tn_dtype_to_real(self->dtype) : (tn_dtype)self->dtype;
        tn_dtype elements = call->split ? tn_dtype_to_real(call->elements) : call->elements;
        return tni_reduce_elsewhere(tni_tensor_device(self), &job, call->kernel, elements, call->number);
    }
    return tni_reduce_run(&job);
}

void tni_reduce_drop(tni_reduce_call *call) {
    tni_tensor_release(call->copy);
    call->copy = NULL;
}

/* New tensors for the results; false, with none left, on failure. */
static bool reduce_make(tni_reduce_call *call, tn_tensor **made) {
    tn_error code = TN_OK;
    int count = 0;
    for (; count < call->what.results && code == TN_OK; count++) {
        made[count] = tni_tensor_new(call->ndim, call->sizes, call->dtype[count], tni_tensor_device(call->self));
        code = made[count] ? TN_OK : tni_failed();
    }
    if (code == TN_OK)
        code = reduce_execute(call, made);
    tni_reduce_drop(call);
    for (int k = 0; k < count && code != TN_OK; k++)
        tni_tensor_release(made[k]);
    return code == TN_OK;
}

tn_tensor *tni_reduce_new(tni_reduce_call *call) {
    tn_tensor *made[TNI_REDUCE_RESULTS];
    return reduce_make(call, made) ? made[0] : NULL;
}

tn_list *tni_reduce_new_pair(tni_reduce_call *call) {
    tn_tensor *made[TNI_REDUCE_RESULTS];
    return reduce_make(call, made) ? tni_list_make(made, 2) : NULL;
}

tn_error tni_reduce_out(tni_reduce_call *call, tn_tensor *out) {
    tni_result result;
    if (!tni_result_begin(&result, out, (tn_dims){call->sizes, call->ndim}, call->dtype[0], call->rule, &call->self, 1)) {
        tni_reduce_drop(call);
        return tni_failed();
    }
    tn_error code = reduce_execute(call, &result.tensor);
    tni_reduce_drop(call);
    return tni_result_end(&result, code);
}

tn_error tni_reduce_out_pair(tni_reduce_call *call, tn_tensor *first, const char *first_name, tn_tensor *second,
                             const char *second_name) {
    tni_result results[2];
    tn_dims sizes = {call->sizes, call->ndim};
    tni_result_wish wishes[2] = {{first, first_name, sizes, call->dtype[0]}, {second, second_name, sizes, call->dtype[1]}};
    if (!tni_result_begin_pair(results, wishes, call->rule, &call->self, 1)) {
        tni_reduce_drop(call);
        return tni_failed();
    }
    tn_error code = reduce_execute(call, (tn_tensor *[]){results[0].tensor, results[1].tensor});
    tni_reduce_drop(call);
    return tni_result_end_pair(results, code);
}

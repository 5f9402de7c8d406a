/* tenon.c - Tenon as a contestant, and the inputs its rows work on. */
#include "bench.h"

#include <stdio.h>

typedef struct tenon_state {
    const bench_workload *workload;
    bench_inputs inputs;
} tenon_state;

static void tenon_finish(bench_contestant *self) {
    tenon_state *state = self->state;
    tn_release(state->inputs.a);
    tn_release(state->inputs.b);
    tn_release(state->inputs.c);
    tn_release(state->inputs.out);
    state->inputs = (bench_inputs){NULL, NULL, NULL, NULL};
    tn_empty_cache(TN_CPU);
}

static bool tenon_prepare(bench_contestant *self, const bench_workload *workload, int64_t threads, char reason[256]) {
    tenon_state *state = self->state;
    if (!workload->run)
        return false;
    state->workload = workload;
    tn_error_clear();
    tn_set_num_threads(threads);
    if (workload->setup)
        workload->setup(&state->inputs);
    workload->run(&state->inputs, 1);
    if (tn_error_code() == TN_OK)
        return true;
    snprintf(reason, 256, "%.255s", tn_error_message());
    tenon_finish(self);
    tn_error_clear();
    return false;
}

static bool tenon_sample(bench_contestant *self, int64_t times, bench_sample *out) {
    tenon_state *state = self->state;
    state->workload->run(&state->inputs, bench_untimed(times));
    int64_t faults = bench_faults();
    double begin = bench_now_ns();
    state->workload->run(&state->inputs, times);
    double end = bench_now_ns();
    out->ns = (end - begin) / (double)times;
    out->faults = (double)(bench_faults() - faults) / (double)times;
    return tn_error_code() == TN_OK;
}

bench_contestant bench_tenon(void) {
    static tenon_state state;
    return (bench_contestant){"Tenon", false, &state, tenon_prepare, tenon_sample, tenon_finish};
}

static uint64_t next_random(uint64_t *state) {
    *state ^= *state << 13;
    *state ^= *state >> 7;
    *state ^= *state << 17;
    return *state;
}

/* By way of a dtype that there are random numbers of. */
static tn_tensor *converted(tn_dims size, tn_dtype from, tn_dtype dtype) {
    tn_tensor *numbers = bench_random(size, from), *result = tn_to(numbers, dtype);
    tn_release(numbers);
    return result;
}

tn_tensor *bench_random(tn_dims size, tn_dtype dtype) {
    if (dtype == TN_FLOAT16 || dtype == TN_BFLOAT16 || dtype == TN_COMPLEX64)
        return converted(size, TN_FLOAT32, dtype);
    if (dtype == TN_INT8)
        return converted(size, TN_INT32, dtype);
    tn_tensor *tensor = tn_empty(size, dtype);
    void *data = tn_mutable_data(tensor);
    int64_t count = tn_numel(tensor);
    uint64_t state = 0x9E3779B97F4A7C15u;
    for (int64_t i = 0; data && i < count; i++) {
        uint64_t bits = next_random(&state) >> 11;
        double uniform = (double)bits * 0x1p-53;
        switch (dtype) {
        case TN_FLOAT32: ((float *)data)[i] = (float)(bits >> 29) * 0x1p-24f; break;
        case TN_FLOAT64: ((double *)data)[i] = uniform; break;
        case TN_INT64: ((int64_t *)data)[i] = (int64_t)(uniform * 100); break;
        case TN_INT32: ((int32_t *)data)[i] = (int32_t)(uniform * 100); break;
        case TN_UINT8: ((uint8_t *)data)[i] = (uint8_t)(uniform * 100); break;
        case TN_BOOL: ((bool *)data)[i] = bits & 1; break;
        default:
            tn_error_raise(TN_ERROR_UNSUPPORTED, "bench_random", "there are no random numbers of dtype %s",
                           tn_dtype_name(dtype));
            tn_release(tensor);
            return NULL;
        }
    }
    return tensor;
}

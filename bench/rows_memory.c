/* rows_memory.c - making, sharing and dropping tensors. */
#include "bench.h"

static void create_one(bench_inputs *inputs, int64_t times) {
    (void)inputs;
    for (; times > 0; times--)
        tn_release(tn_empty(TN_DIMS(1), TN_FLOAT32));
}

static void zeros_sixteen(bench_inputs *inputs, int64_t times) {
    (void)inputs;
    for (; times > 0; times--)
        tn_release(tn_zeros(TN_DIMS(4, 4), TN_FLOAT32));
}

static void one_tensor(bench_inputs *inputs) { inputs->a = tn_full(TN_DIMS(), 2.5, TN_FLOAT32); }

static void share_handle(bench_inputs *inputs, int64_t times) {
    for (; times > 0; times--)
        tn_release(tn_retain(inputs->a));
}

static void item(bench_inputs *inputs, int64_t times) {
    double sum = 0;
    for (; times > 0; times--)
        sum += tn_item_double(inputs->a);
    if (sum < 0)
        tn_error_raise(TN_ERROR_INTERNAL, "bench", "the sum of positive numbers is %g", sum);
}

static void result_of_40_megabytes(bench_inputs *inputs, int64_t times) {
    (void)inputs;
    for (; times > 0; times--)
        tn_release(tn_ones(TN_DIMS(10000000), TN_FLOAT32));
}

const bench_workload bench_rows_memory[] = {
    {.name = "create and release 1 float32",
     .run = create_one,
     .limit = BENCH_LIMIT_MALLOC,
     .pairs = 2,
     .target = 3.0,
     .torch_cpp = {NULL, "at::empty({1}, at::kFloat)"},
     .torch = {NULL, "torch.empty(1)"},
     .numpy = {NULL, "np.empty(1, np.float32)"}},
    {.name = "zeros(4 x 4) and release",
     .run = zeros_sixteen,
     .limit = BENCH_LIMIT_MALLOC,
     .pairs = 2,
     .torch_cpp = {NULL, "at::zeros({4, 4}, at::kFloat)"},
     .torch = {NULL, "torch.zeros(4, 4)"},
     .numpy = {NULL, "np.zeros((4, 4), np.float32)"}},
    {.name = "retain and release a handle",
     .setup = one_tensor,
     .run = share_handle,
     .limit = BENCH_LIMIT_ATOMIC,
     .target = 1.2,
     .torch_cpp = {"auto x = at::ones({});", "at::Tensor y = x"}},
    {.name = "item",
     .setup = one_tensor,
     .run = item,
     .target = 5.0,
     .torch_cpp = {"auto x = at::ones({}); double sum = 0;", "sum += x.item<double>()"},
     .torch = {"x = torch.ones(())", "x.item()"},
     .numpy = {"x = np.ones((), np.float32)", "x.item()"}},
    {.name = "ones(1e7) and release",
     .run = result_of_40_megabytes,
     .limit = BENCH_LIMIT_STREAM,
     .writes = 40000000,
     .no_faults = true,
     .torch_cpp = {NULL, "at::ones({10000000}, at::kFloat)"},
     .torch = {NULL, "torch.ones(10000000)"},
     .numpy = {NULL, "np.ones(10000000, np.float32)"}},
    {.name = NULL},
};

/* rows_scan.c - operators that go along a dimension and keep its length: softmax, the norms, running sums and extremes. */
#include "bench.h"

enum { SCAN_SIDE = 1024, SCAN_LINE = 10000000 };

#define SCAN_SQUARE_BYTES (4LL * SCAN_SIDE * SCAN_SIDE)
#define SCAN_SQUARE_TORCH "x = torch.randn(1024, 1024); w = torch.rand(1024); b = torch.rand(1024); F = torch.nn.functional"
#define SCAN_SQUARE_CPP "auto x = at::randn({1024, 1024}), w = at::rand({1024}), b = at::rand({1024});"

static void scan_square(bench_inputs *inputs) {
    inputs->a = bench_random(TN_DIMS(SCAN_SIDE, SCAN_SIDE), TN_FLOAT32);
    inputs->b = bench_random(TN_DIMS(SCAN_SIDE), TN_FLOAT32);
    inputs->c = bench_random(TN_DIMS(SCAN_SIDE), TN_FLOAT32);
}

static void scan_line(bench_inputs *inputs) { inputs->a = bench_random(TN_DIMS(SCAN_LINE), TN_FLOAT32); }

#define SCAN_RUN(name, result)                                                                                                 \
    static void name(bench_inputs *inputs, int64_t times) {                                                                    \
        for (; times > 0; times--)                                                                                             \
            tn_release(result);                                                                                                \
    }

SCAN_RUN(scan_softmax, tn_softmax(inputs->a, 1, TN_DTYPE_DEFAULT))
SCAN_RUN(scan_softmax_columns, tn_softmax(inputs->a, 0, TN_DTYPE_DEFAULT))
SCAN_RUN(scan_log_softmax, tn_log_softmax(inputs->a, 1, TN_DTYPE_DEFAULT))
SCAN_RUN(scan_layer_norm, tn_layer_norm(inputs->a, TN_DIMS(SCAN_SIDE), inputs->b, inputs->c, 1e-5))
SCAN_RUN(scan_rms_norm, tn_rms_norm(inputs->a, TN_DIMS(SCAN_SIDE), inputs->b, TN_NO_SCALAR))
SCAN_RUN(scan_normalize, tn_normalize(inputs->a, 2, 1, 1e-12))
SCAN_RUN(scan_cumsum_rows, tn_cumsum(inputs->a, 1, TN_DTYPE_DEFAULT))
SCAN_RUN(scan_cumsum_columns, tn_cumsum(inputs->a, 0, TN_DTYPE_DEFAULT))
SCAN_RUN(scan_logcumsumexp, tn_logcumsumexp(inputs->a, 1))
SCAN_RUN(scan_cumsum, tn_cumsum(inputs->a, 0, TN_DTYPE_DEFAULT))
SCAN_RUN(scan_cumprod, tn_cumprod(inputs->a, 0, TN_DTYPE_DEFAULT))

static void scan_cummax(bench_inputs *inputs, int64_t times) {
    for (; times > 0; times--)
        tn_list_release(tn_cummax(inputs->a, 0));
}

#define SCAN_SQUARE_ROW(title, function, cpp, python)                                                                          \
    {                                                                                                                          \
        .name = title, .setup = scan_square, .run = function, .limit = BENCH_LIMIT_STREAM, .reads = SCAN_SQUARE_BYTES,         \
        .writes = SCAN_SQUARE_BYTES, .torch_cpp = {SCAN_SQUARE_CPP, cpp}, .torch = {                                           \
            SCAN_SQUARE_TORCH,                                                                                                 \
            python                                                                                                             \
        }                                                                                                                      \
    }

const bench_workload bench_rows_scan[] = {
    SCAN_SQUARE_ROW("softmax [1024 1024]", scan_softmax, "at::softmax(x, 1)", "torch.softmax(x, 1)"),
    SCAN_SQUARE_ROW("softmax [1024 1024] along dim 0", scan_softmax_columns, "at::softmax(x, 0)", "torch.softmax(x, 0)"),
    SCAN_SQUARE_ROW("log_softmax [1024 1024]", scan_log_softmax, "at::log_softmax(x, 1)", "torch.log_softmax(x, 1)"),
    SCAN_SQUARE_ROW("layer_norm [1024 1024]", scan_layer_norm, "at::layer_norm(x, {1024}, w, b)",
                    "F.layer_norm(x, (1024,), w, b)"),
    SCAN_SQUARE_ROW("rms_norm [1024 1024]", scan_rms_norm, "at::rms_norm(x, {1024}, w)", "F.rms_norm(x, (1024,), w)"),
    SCAN_SQUARE_ROW("normalize [1024 1024]", scan_normalize, NULL, "F.normalize(x)"),
    SCAN_SQUARE_ROW("cumsum [1024 1024]", scan_cumsum_rows, "at::cumsum(x, 1)", "torch.cumsum(x, 1)"),
    SCAN_SQUARE_ROW("cumsum [1024 1024] along dim 0", scan_cumsum_columns, "at::cumsum(x, 0)", "torch.cumsum(x, 0)"),
    SCAN_SQUARE_ROW("logcumsumexp [1024 1024]", scan_logcumsumexp, "at::logcumsumexp(x, 1)", "torch.logcumsumexp(x, 1)"),
    {.name = "cumsum 1e7 float32",
     .setup = scan_line,
     .run = scan_cumsum,
     .limit = BENCH_LIMIT_STREAM,
     .reads = 4LL * SCAN_LINE,
     .writes = 4LL * SCAN_LINE,
     .target = 0.6,
     .torch_cpp = {"auto x = at::rand({10000000});", "at::cumsum(x, 0)"},
     .torch = {"x = torch.rand(10000000)", "torch.cumsum(x, 0)"},
     .numpy = {"x = np.random.rand(10000000).astype(np.float32)", "np.cumsum(x)"}},
    {.name = "cumprod 1e7 float32",
     .setup = scan_line,
     .run = scan_cumprod,
     .limit = BENCH_LIMIT_STREAM,
     .reads = 4LL * SCAN_LINE,
     .writes = 4LL * SCAN_LINE,
     .torch_cpp = {"auto x = at::rand({10000000});", "at::cumprod(x, 0)"},
     .torch = {"x = torch.rand(10000000)", "torch.cumprod(x, 0)"},
     .numpy = {"x = np.random.rand(10000000).astype(np.float32)", "np.cumprod(x)"}},
    {.name = "cummax 1e7 float32",
     .setup = scan_line,
     .run = scan_cummax,
     .limit = BENCH_LIMIT_STREAM,
     .reads = 4LL * SCAN_LINE,
     .writes = 12LL * SCAN_LINE,
     .torch_cpp = {"auto x = at::rand({10000000});", "at::cummax(x, 0)"},
     .torch = {"x = torch.rand(10000000)", "torch.cummax(x, 0)"}},
    {.name = NULL},
};

/* rows_copy.c - moving elements: to the same strides, other strides, another dtype.
 *
 * Making a result and filling an existing one are separate rows: the first shows the allocator, the second only the copy.
 */
#include "bench.h"

enum { MILLIONS_10 = 10000000, SIDE = 4096 };

/* ---- what they work on --------------------------------------------------------------------------------------------- */

static void ten_million_floats(bench_inputs *inputs) { inputs->a = bench_random(TN_DIMS(MILLIONS_10), TN_FLOAT32); }

static void ten_million_integers(bench_inputs *inputs) { inputs->a = bench_random(TN_DIMS(MILLIONS_10), TN_INT64); }

static void ten_million_bytes(bench_inputs *inputs) { inputs->a = bench_random(TN_DIMS(MILLIONS_10), TN_UINT8); }

static void sixteen_floats(bench_inputs *inputs) {
    inputs->a = bench_random(TN_DIMS(4, 4), TN_FLOAT32);
    inputs->out = tn_zeros(TN_DIMS(4, 4), TN_FLOAT32);
}

/* a: (SIDE, SIDE), seen as its transpose */
static void transposed_square(bench_inputs *inputs) {
    tn_tensor *square = bench_random(TN_DIMS(SIDE, SIDE), TN_FLOAT32);
    inputs->a = tn_transpose(square, 0, 1);
    inputs->out = tn_zeros(TN_DIMS(SIDE, SIDE), TN_FLOAT32);
    tn_release(square);
}

static void transposed_small_square(bench_inputs *inputs) {
    tn_tensor *square = bench_random(TN_DIMS(256, 256), TN_FLOAT32);
    inputs->a = tn_transpose(square, 0, 1);
    inputs->out = tn_zeros(TN_DIMS(256, 256), TN_FLOAT32);
    tn_release(square);
}

static void image_batch(bench_inputs *inputs) { inputs->a = bench_random(TN_DIMS(64, 128, 56, 56), TN_FLOAT32); }

/* The left half of every row: runs of 4 kB. */
static void half_rows(bench_inputs *inputs) {
    tn_tensor *whole = bench_random(TN_DIMS(10000, 2048), TN_FLOAT32);
    inputs->a = tn_slice(whole, 1, 0, 1024, 1);
    inputs->out = tn_zeros(TN_DIMS(10000, 1024), TN_FLOAT32);
    tn_release(whole);
}

/* Every second element of every row. */
static void every_second(bench_inputs *inputs) {
    tn_tensor *whole = bench_random(TN_DIMS(10000, 2048), TN_FLOAT32);
    inputs->a = tn_slice(whole, 1, TN_NONE, TN_NONE, 2);
    inputs->out = tn_zeros(TN_DIMS(10000, 1024), TN_FLOAT32);
    tn_release(whole);
}

/* One row, written to every row. */
static void one_row_to_many(bench_inputs *inputs) {
    inputs->a = bench_random(TN_DIMS(1024), TN_FLOAT32);
    inputs->out = tn_zeros(TN_DIMS(10000, 1024), TN_FLOAT32);
}

/* ---- what is timed ------------------------------------------------------------------------------------------------- */

static void clone_contiguous(bench_inputs *inputs, int64_t times) {
    for (; times > 0; times--)
        tn_release(tn_clone(inputs->a, TN_CONTIGUOUS));
}

static void clone_channels_last(bench_inputs *inputs, int64_t times) {
    for (; times > 0; times--)
        tn_release(tn_clone(inputs->a, TN_CHANNELS_LAST));
}

static void copy_into(bench_inputs *inputs, int64_t times) {
    for (; times > 0; times--)
        tn_copy_(inputs->out, inputs->a);
}

#define CONVERT_TO(name, dtype)                                                                                                \
    static void name(bench_inputs *inputs, int64_t times) {                                                                    \
        for (; times > 0; times--)                                                                                             \
            tn_release(tn_to(inputs->a, dtype));                                                                               \
    }

CONVERT_TO(to_bfloat16, TN_BFLOAT16)
CONVERT_TO(to_float16, TN_FLOAT16)
CONVERT_TO(to_float32, TN_FLOAT32)
CONVERT_TO(to_float64, TN_FLOAT64)

/* ---- the rows ------------------------------------------------------------------------------------------------------ */

const bench_workload bench_rows_copy[] = {
    {.name = "clone 16 floats",
     .setup = sixteen_floats,
     .run = clone_contiguous,
     .limit = BENCH_LIMIT_MALLOC,
     .pairs = 2,
     .torch_cpp = {"auto x = at::rand({4, 4});", "x.clone()"},
     .torch = {"x = torch.rand(4, 4)", "x.clone()"},
     .numpy = {"x = np.ones((4, 4), np.float32)", "x.copy()"}},
    {.name = "copy_ 16 floats",
     .setup = sixteen_floats,
     .run = copy_into,
     .torch_cpp = {"auto x = at::rand({4, 4}), y = at::zeros({4, 4});", "y.copy_(x)"},
     .torch = {"x = torch.rand(4, 4); y = torch.zeros(4, 4)", "y.copy_(x)"},
     .numpy = {"x = np.ones((4, 4), np.float32); y = np.zeros((4, 4), np.float32)", "np.copyto(y, x)"}},
    {.name = "clone 1e7 float32",
     .setup = ten_million_floats,
     .run = clone_contiguous,
     .limit = BENCH_LIMIT_STREAM,
     .reads = 4LL * MILLIONS_10,
     .writes = 4LL * MILLIONS_10,
     .target = 0.9,
     .torch_cpp = {"auto x = at::rand({10000000});", "x.clone()"},
     .torch = {"x = torch.rand(10000000)", "x.clone()"},
     .numpy = {"x = np.random.rand(10000000).astype(np.float32)", "x.copy()"}},
    {.name = "float32 to bfloat16 1e7",
     .setup = ten_million_floats,
     .run = to_bfloat16,
     .limit = BENCH_LIMIT_STREAM,
     .reads = 4LL * MILLIONS_10,
     .writes = 2LL * MILLIONS_10,
     .target = 0.9,
     .torch_cpp = {"auto x = at::rand({10000000});", "x.to(at::kBFloat16)"},
     .torch = {"x = torch.rand(10000000)", "x.to(torch.bfloat16)"}},
    {.name = "float32 to float16 1e7",
     .setup = ten_million_floats,
     .run = to_float16,
     .limit = BENCH_LIMIT_STREAM,
     .reads = 4LL * MILLIONS_10,
     .writes = 2LL * MILLIONS_10,
     .torch_cpp = {"auto x = at::rand({10000000});", "x.to(at::kHalf)"},
     .torch = {"x = torch.rand(10000000)", "x.to(torch.float16)"},
     .numpy = {"x = np.random.rand(10000000).astype(np.float32)", "x.astype(np.float16)"}},
    {.name = "int64 to float32 1e7",
     .setup = ten_million_integers,
     .run = to_float32,
     .limit = BENCH_LIMIT_STREAM,
     .reads = 8LL * MILLIONS_10,
     .writes = 4LL * MILLIONS_10,
     .target = 0.9,
     .torch_cpp = {"auto x = at::randint(100, {10000000}, at::kLong);", "x.to(at::kFloat)"},
     .torch = {"x = torch.randint(100, (10000000,))", "x.to(torch.float32)"},
     .numpy = {"x = np.random.randint(0, 100, 10000000)", "x.astype(np.float32)"}},
    {.name = "uint8 to float32 1e7",
     .setup = ten_million_bytes,
     .run = to_float32,
     .limit = BENCH_LIMIT_STREAM,
     .reads = 1LL * MILLIONS_10,
     .writes = 4LL * MILLIONS_10,
     .torch_cpp = {"auto x = at::randint(100, {10000000}, at::kByte);", "x.to(at::kFloat)"},
     .torch = {"x = torch.randint(100, (10000000,), dtype=torch.uint8)", "x.to(torch.float32)"},
     .numpy = {"x = np.random.randint(0, 100, 10000000).astype(np.uint8)", "x.astype(np.float32)"}},
    {.name = "float32 to float64 1e7",
     .setup = ten_million_floats,
     .run = to_float64,
     .limit = BENCH_LIMIT_STREAM,
     .reads = 4LL * MILLIONS_10,
     .writes = 8LL * MILLIONS_10,
     .torch_cpp = {"auto x = at::rand({10000000});", "x.to(at::kDouble)"},
     .torch = {"x = torch.rand(10000000)", "x.to(torch.float64)"},
     .numpy = {"x = np.random.rand(10000000).astype(np.float32)", "x.astype(np.float64)"}},
    {.name = "transpose-copy 256 x 256 into",
     .setup = transposed_small_square,
     .run = copy_into,
     .limit = BENCH_LIMIT_STREAM,
     .reads = 4LL * 256 * 256,
     .writes = 4LL * 256 * 256,
     .torch_cpp = {"auto x = at::rand({256, 256}).t(), y = at::zeros({256, 256});", "y.copy_(x)"},
     .torch = {"x = torch.rand(256, 256).t(); y = torch.zeros(256, 256)", "y.copy_(x)"},
     .numpy = {"x = np.random.rand(256, 256).astype(np.float32).T; y = np.zeros((256, 256), np.float32)", "np.copyto(y, x)"}},
    {.name = "transpose-copy 4096 x 4096 into",
     .setup = transposed_square,
     .run = copy_into,
     .limit = BENCH_LIMIT_STREAM,
     .reads = 4LL * SIDE * SIDE,
     .writes = 4LL * SIDE * SIDE,
     .target = 0.7,
     .torch_cpp = {"auto x = at::rand({4096, 4096}).t(), y = at::zeros({4096, 4096});", "y.copy_(x)"},
     .torch = {"x = torch.rand(4096, 4096).t(); y = torch.zeros(4096, 4096)", "y.copy_(x)"},
     .numpy = {"x = np.random.rand(4096, 4096).astype(np.float32).T; y = np.zeros((4096, 4096), np.float32)",
               "np.copyto(y, x)"}},
    {.name = "transpose-copy 4096 x 4096",
     .setup = transposed_square,
     .run = clone_contiguous,
     .limit = BENCH_LIMIT_STREAM,
     .reads = 4LL * SIDE * SIDE,
     .writes = 4LL * SIDE * SIDE,
     .target = 0.7,
     .torch_cpp = {"auto x = at::rand({4096, 4096}).t();", "x.contiguous()"},
     .torch = {"x = torch.rand(4096, 4096).t()", "x.contiguous()"},
     .numpy = {"x = np.random.rand(4096, 4096).astype(np.float32).T", "np.ascontiguousarray(x)"}},
    {.name = "NCHW to NHWC [64 128 56 56]",
     .setup = image_batch,
     .run = clone_channels_last,
     .limit = BENCH_LIMIT_STREAM,
     .reads = 4LL * 64 * 128 * 56 * 56,
     .writes = 4LL * 64 * 128 * 56 * 56,
     .target = 0.5,
     .torch_cpp = {"auto x = at::rand({64, 128, 56, 56});", "x.contiguous(at::MemoryFormat::ChannelsLast)"},
     .torch = {"x = torch.rand(64, 128, 56, 56)", "x.contiguous(memory_format=torch.channels_last)"},
     .numpy = {"x = np.random.rand(64, 128, 56, 56).astype(np.float32)", "np.ascontiguousarray(x.transpose(0, 2, 3, 1))"}},
    {.name = "half rows (10000 x 1024) into",
     .setup = half_rows,
     .run = copy_into,
     .limit = BENCH_LIMIT_STREAM,
     .reads = 4LL * 10000 * 1024,
     .writes = 4LL * 10000 * 1024,
     .torch_cpp = {"auto x = at::rand({10000, 2048}).narrow(1, 0, 1024), y = at::zeros({10000, 1024});", "y.copy_(x)"},
     .torch = {"x = torch.rand(10000, 2048)[:, :1024]; y = torch.zeros(10000, 1024)", "y.copy_(x)"},
     .numpy = {"x = np.random.rand(10000, 2048).astype(np.float32)[:, :1024]; y = np.zeros((10000, 1024), np.float32)",
               "np.copyto(y, x)"}},
    {.name = "every second element (10000 x 1024) into",
     .setup = every_second,
     .run = copy_into,
     .limit = BENCH_LIMIT_STREAM,
     .reads = 8LL * 10000 * 1024,
     .writes = 4LL * 10000 * 1024,
     .torch_cpp = {"auto x = at::rand({10000, 2048}).slice(1, 0, 2048, 2), y = at::zeros({10000, 1024});", "y.copy_(x)"},
     .torch = {"x = torch.rand(10000, 2048)[:, ::2]; y = torch.zeros(10000, 1024)", "y.copy_(x)"},
     .numpy = {"x = np.random.rand(10000, 2048).astype(np.float32)[:, ::2]; y = np.zeros((10000, 1024), np.float32)",
               "np.copyto(y, x)"}},
    {.name = "one row to 10000 (x 1024) into",
     .setup = one_row_to_many,
     .run = copy_into,
     .limit = BENCH_LIMIT_STREAM,
     .writes = 4LL * 10000 * 1024,
     .torch_cpp = {"auto x = at::rand({1024}), y = at::zeros({10000, 1024});", "y.copy_(x)"},
     .torch = {"x = torch.rand(1024); y = torch.zeros(10000, 1024)", "y.copy_(x)"},
     .numpy = {"x = np.random.rand(1024).astype(np.float32); y = np.zeros((10000, 1024), np.float32)", "np.copyto(y, x)"}},
    {.name = NULL},
};

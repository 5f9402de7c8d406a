/* rows_join.c - joining and moving: copies, each compared with the machine's copy. */
#include "bench.h"

enum { JOINS_ROWS = 4096, JOINS_COLUMNS = 2048 };
#define JOINS_BYTES (4LL * JOINS_ROWS * JOINS_COLUMNS)

/* a, b: (JOINS_ROWS, JOINS_COLUMNS) */
static void joins_two(bench_inputs *inputs) {
    inputs->a = bench_random(TN_DIMS(JOINS_ROWS, JOINS_COLUMNS), TN_FLOAT32);
    inputs->b = bench_random(TN_DIMS(JOINS_ROWS, JOINS_COLUMNS), TN_FLOAT32);
}

static void joins_one(bench_inputs *inputs) { inputs->a = bench_random(TN_DIMS(JOINS_ROWS, JOINS_COLUMNS), TN_FLOAT32); }

static void joins_small(bench_inputs *inputs) {
    inputs->a = bench_random(TN_DIMS(4, 4), TN_FLOAT32);
    inputs->b = bench_random(TN_DIMS(4, 4), TN_FLOAT32);
}

static void joins_image(bench_inputs *inputs) { inputs->a = bench_random(TN_DIMS(32, 64, 56, 56), TN_FLOAT32); }

static void joins_cat_0(bench_inputs *inputs, int64_t times) {
    const tn_tensor *both[] = {inputs->a, inputs->b};
    for (; times > 0; times--)
        tn_release(tn_cat(both, 2, 0));
}

static void joins_cat_1(bench_inputs *inputs, int64_t times) {
    const tn_tensor *both[] = {inputs->a, inputs->b};
    for (; times > 0; times--)
        tn_release(tn_cat(both, 2, 1));
}

static void joins_stack_0(bench_inputs *inputs, int64_t times) {
    const tn_tensor *both[] = {inputs->a, inputs->b};
    for (; times > 0; times--)
        tn_release(tn_stack(both, 2, 0));
}

static void joins_stack_2(bench_inputs *inputs, int64_t times) {
    const tn_tensor *both[] = {inputs->a, inputs->b};
    for (; times > 0; times--)
        tn_release(tn_stack(both, 2, 2));
}

static void joins_roll(bench_inputs *inputs, int64_t times) {
    for (; times > 0; times--)
        tn_release(tn_roll(inputs->a, TN_DIMS(100, 100), TN_DIMS(0, 1)));
}

static void joins_tril(bench_inputs *inputs, int64_t times) {
    for (; times > 0; times--)
        tn_release(tn_tril(inputs->a, 0));
}

static void joins_repeat(bench_inputs *inputs, int64_t times) {
    for (; times > 0; times--)
        tn_release(tn_repeat(inputs->a, TN_DIMS(1, 2)));
}

static void joins_interleave(bench_inputs *inputs, int64_t times) {
    for (; times > 0; times--)
        tn_release(tn_repeat_interleave(inputs->a, 2, 0, TN_NONE));
}

static void joins_pad(bench_inputs *inputs, int64_t times) {
    for (; times > 0; times--)
        tn_release(tn_constant_pad_nd(inputs->a, TN_DIMS(1, 1, 1, 1), 0));
}

static void joins_reflect(bench_inputs *inputs, int64_t times) {
    for (; times > 0; times--)
        tn_release(tn_pad(inputs->a, TN_DIMS(1, 1, 1, 1), "reflect", TN_NO_SCALAR));
}

#define JOINS_TWO_CPP "auto x = at::rand({4096, 2048}), y = at::rand({4096, 2048});"
#define JOINS_TWO_TORCH "x = torch.rand(4096, 2048); y = torch.rand(4096, 2048)"
#define JOINS_TWO_NUMPY "x = np.random.rand(4096, 2048).astype(np.float32); y = np.random.rand(4096, 2048).astype(np.float32)"
#define JOINS_IMAGE_CPP "auto x = at::rand({32, 64, 56, 56});"
#define JOINS_IMAGE_TORCH "x = torch.rand(32, 64, 56, 56)"
#define JOINS_IMAGE_NUMPY "x = np.random.rand(32, 64, 56, 56).astype(np.float32)"

const bench_workload bench_rows_join[] = {
    {.name = "cat 2 x [4096 2048] along 0",
     .setup = joins_two,
     .run = joins_cat_0,
     .limit = BENCH_LIMIT_STREAM,
     .inputs = 2,
     .reads = 2 * JOINS_BYTES,
     .writes = 2 * JOINS_BYTES,
     .target = 0.9,
     .torch_cpp = {JOINS_TWO_CPP, "at::cat({x, y}, 0)"},
     .torch = {JOINS_TWO_TORCH, "torch.cat((x, y), 0)"},
     .numpy = {JOINS_TWO_NUMPY, "np.concatenate((x, y), 0)"}},
    {.name = "cat 2 x [4096 2048] along 1",
     .setup = joins_two,
     .run = joins_cat_1,
     .limit = BENCH_LIMIT_STREAM,
     .inputs = 2,
     .reads = 2 * JOINS_BYTES,
     .writes = 2 * JOINS_BYTES,
     .target = 0.9,
     .torch_cpp = {JOINS_TWO_CPP, "at::cat({x, y}, 1)"},
     .torch = {JOINS_TWO_TORCH, "torch.cat((x, y), 1)"},
     .numpy = {JOINS_TWO_NUMPY, "np.concatenate((x, y), 1)"}},
    {.name = "stack 2 x [4096 2048] along 0",
     .setup = joins_two,
     .run = joins_stack_0,
     .limit = BENCH_LIMIT_STREAM,
     .inputs = 2,
     .reads = 2 * JOINS_BYTES,
     .writes = 2 * JOINS_BYTES,
     .target = 0.9,
     .torch_cpp = {JOINS_TWO_CPP, "at::stack({x, y}, 0)"},
     .torch = {JOINS_TWO_TORCH, "torch.stack((x, y), 0)"},
     .numpy = {JOINS_TWO_NUMPY, "np.stack((x, y), 0)"}},
    {.name = "stack 2 x [4096 2048] along 2",
     .setup = joins_two,
     .run = joins_stack_2,
     .limit = BENCH_LIMIT_STREAM,
     .inputs = 2,
     .reads = 2 * JOINS_BYTES,
     .writes = 2 * JOINS_BYTES,
     .torch_cpp = {JOINS_TWO_CPP, "at::stack({x, y}, 2)"},
     .torch = {JOINS_TWO_TORCH, "torch.stack((x, y), 2)"},
     .numpy = {JOINS_TWO_NUMPY, "np.stack((x, y), 2)"}},
    {.name = "cat 2 x [4 4] along 0",
     .setup = joins_small,
     .run = joins_cat_0,
     .torch_cpp = {"auto x = at::rand({4, 4}), y = at::rand({4, 4});", "at::cat({x, y}, 0)"},
     .torch = {"x = torch.rand(4, 4); y = torch.rand(4, 4)", "torch.cat((x, y), 0)"},
     .numpy = {"x = np.random.rand(4, 4).astype(np.float32); y = x.copy()", "np.concatenate((x, y), 0)"}},
    {.name = "roll [4096 2048] by (100 100)",
     .setup = joins_one,
     .run = joins_roll,
     .limit = BENCH_LIMIT_STREAM,
     .reads = JOINS_BYTES,
     .writes = JOINS_BYTES,
     .torch_cpp = {"auto x = at::rand({4096, 2048});", "at::roll(x, {100, 100}, {0, 1})"},
     .torch = {"x = torch.rand(4096, 2048)", "torch.roll(x, (100, 100), (0, 1))"},
     .numpy = {"x = np.random.rand(4096, 2048).astype(np.float32)", "np.roll(x, (100, 100), (0, 1))"}},
    {.name = "tril [4096 2048]",
     .setup = joins_one,
     .run = joins_tril,
     .limit = BENCH_LIMIT_STREAM,
     .reads = JOINS_BYTES,
     .writes = JOINS_BYTES,
     .torch_cpp = {"auto x = at::rand({4096, 2048});", "at::tril(x)"},
     .torch = {"x = torch.rand(4096, 2048)", "torch.tril(x)"},
     .numpy = {"x = np.random.rand(4096, 2048).astype(np.float32)", "np.tril(x)"}},
    {.name = "repeat [4096 2048] to [4096 4096]",
     .setup = joins_one,
     .run = joins_repeat,
     .limit = BENCH_LIMIT_STREAM,
     .reads = JOINS_BYTES,
     .writes = 2 * JOINS_BYTES,
     .torch_cpp = {"auto x = at::rand({4096, 2048});", "x.repeat({1, 2})"},
     .torch = {"x = torch.rand(4096, 2048)", "x.repeat(1, 2)"},
     .numpy = {"x = np.random.rand(4096, 2048).astype(np.float32)", "np.tile(x, (1, 2))"}},
    {.name = "repeat_interleave rows to [8192 2048]",
     .setup = joins_one,
     .run = joins_interleave,
     .limit = BENCH_LIMIT_STREAM,
     .reads = JOINS_BYTES,
     .writes = 2 * JOINS_BYTES,
     .torch_cpp = {"auto x = at::rand({4096, 2048});", "at::repeat_interleave(x, 2, 0)"},
     .torch = {"x = torch.rand(4096, 2048)", "torch.repeat_interleave(x, 2, 0)"},
     .numpy = {"x = np.random.rand(4096, 2048).astype(np.float32)", "np.repeat(x, 2, 0)"}},
    {.name = "pad [32 64 56 56] by 1 with 0",
     .setup = joins_image,
     .run = joins_pad,
     .limit = BENCH_LIMIT_STREAM,
     .reads = 4LL * 32 * 64 * 56 * 56,
     .writes = 4LL * 32 * 64 * 58 * 58,
     .torch_cpp = {JOINS_IMAGE_CPP, "at::constant_pad_nd(x, {1, 1, 1, 1}, 0)"},
     .torch = {JOINS_IMAGE_TORCH, "torch.constant_pad_nd(x, (1, 1, 1, 1), 0)"},
     .numpy = {JOINS_IMAGE_NUMPY, "np.pad(x, ((0, 0), (0, 0), (1, 1), (1, 1)))"}},
    {.name = "pad [32 64 56 56] by 1 reflected",
     .setup = joins_image,
     .run = joins_reflect,
     .limit = BENCH_LIMIT_STREAM,
     .reads = 4LL * 32 * 64 * 56 * 56,
     .writes = 4LL * 32 * 64 * 58 * 58,
     .torch_cpp = {JOINS_IMAGE_CPP, "at::reflection_pad2d(x, {1, 1, 1, 1})"},
     .torch = {JOINS_IMAGE_TORCH, "torch.nn.functional.pad(x, (1, 1, 1, 1), 'reflect')"},
     .numpy = {JOINS_IMAGE_NUMPY, "np.pad(x, ((0, 0), (0, 0), (1, 1), (1, 1)), 'reflect')"}},
    {.name = NULL},
};

/* rows_index.c - elements read and written by position. Positions are random, so what counts is how many reads are under way at
 * once, not how fast memory streams; the peers are the standard.
 */
#include "bench.h"

enum { INDEX_ROWS = 100000, INDEX_COLUMNS = 64, INDEX_SIDE = 4096, INDEX_MANY = 10000000 };

/* Positions below `below`, the same in every run. */
static tn_tensor *index_positions(tn_dims sizes, int64_t below) {
    tn_tensor *made = tn_zeros(sizes, TN_INT64);
    int64_t *data = tn_mutable_data(made);
    uint64_t state = 88172645463325252u;
    for (int64_t i = 0; data && i < tn_numel(made); i++) {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        data[i] = (int64_t)(state % (uint64_t)below);
    }
    return made;
}

static void index_table(bench_inputs *inputs) {
    inputs->a = bench_random(TN_DIMS(INDEX_ROWS, INDEX_COLUMNS), TN_FLOAT32);
    inputs->b = index_positions(TN_DIMS(INDEX_ROWS), INDEX_ROWS);
}

static void index_columns(bench_inputs *inputs) {
    inputs->a = bench_random(TN_DIMS(INDEX_ROWS, INDEX_COLUMNS), TN_FLOAT32);
    inputs->b = index_positions(TN_DIMS(INDEX_COLUMNS), INDEX_COLUMNS);
}

static void index_square(bench_inputs *inputs) {
    inputs->a = bench_random(TN_DIMS(INDEX_SIDE, INDEX_SIDE), TN_FLOAT32);
    inputs->b = index_positions(TN_DIMS(INDEX_SIDE, INDEX_SIDE), INDEX_SIDE);
    inputs->out = bench_random(TN_DIMS(INDEX_SIDE, INDEX_SIDE), TN_FLOAT32);
}

static void index_mask(bench_inputs *inputs) {
    inputs->a = bench_random(TN_DIMS(INDEX_MANY), TN_FLOAT32);
    inputs->b = tn_gt_scalar(inputs->a, 0.5);
}

#define INDEX_RUN(name, expression)                                                                                            \
    static void name(bench_inputs *inputs, int64_t times) {                                                                    \
        for (; times > 0; times--)                                                                                             \
            tn_release(expression);                                                                                            \
    }
INDEX_RUN(index_rows, tn_index_select(inputs->a, 0, inputs->b))
INDEX_RUN(index_along_rows, tn_index_select(inputs->a, 1, inputs->b))
INDEX_RUN(index_advanced, tn_index(inputs->a, TN_PICK(inputs->b)))
INDEX_RUN(index_embedding, tn_embedding(inputs->a, inputs->b, -1, false, false))
INDEX_RUN(index_gather, tn_gather(inputs->a, 1, inputs->b))
INDEX_RUN(index_masked, tn_index(inputs->a, TN_PICK(inputs->b)))
#undef INDEX_RUN

static void index_scatter_add(bench_inputs *inputs, int64_t times) {
    for (; times > 0; times--)
        tn_scatter_add_(inputs->out, 1, inputs->b, inputs->a);
}

#define INDEX_TABLE_CPP "auto x = at::rand({100000, 64}); auto i = at::randint(0, 100000, {100000}, at::kLong);"
#define INDEX_TABLE_PYTHON "x = torch.rand(100000, 64); i = torch.randint(0, 100000, (100000,))"
#define INDEX_TABLE_NUMPY "x = np.random.rand(100000, 64).astype(np.float32); i = np.random.randint(0, 100000, 100000)"
#define INDEX_SQUARE_CPP                                                                                                       \
    "auto x = at::rand({4096, 4096}); auto y = at::rand({4096, 4096}); auto i = at::randint(0, 4096, {4096, 4096}, at::kLong);"
#define INDEX_SQUARE_PYTHON "x = torch.rand(4096, 4096); y = torch.rand(4096, 4096); i = torch.randint(0, 4096, (4096, 4096))"

const bench_workload bench_rows_index[] = {
    {.name = "index_select dim 0 of 1e5 x 64 float32",
     .setup = index_table,
     .run = index_rows,
     .limit = BENCH_LIMIT_STREAM,
     .reads = 26400000,
     .writes = 25600000,
     .torch_cpp = {INDEX_TABLE_CPP, "x.index_select(0, i)"},
     .torch = {INDEX_TABLE_PYTHON, "x.index_select(0, i)"},
     .numpy = {INDEX_TABLE_NUMPY, "x.take(i, 0)"}},
    {.name = "index_select dim 1 of 1e5 x 64 float32",
     .setup = index_columns,
     .run = index_along_rows,
     .limit = BENCH_LIMIT_STREAM,
     .reads = 25600000,
     .writes = 25600000,
     .torch_cpp = {"auto x = at::rand({100000, 64}); auto i = at::randint(0, 64, {64}, at::kLong);", "x.index_select(1, i)"},
     .torch = {"x = torch.rand(100000, 64); i = torch.randint(0, 64, (64,))", "x.index_select(1, i)"},
     .numpy = {"x = np.random.rand(100000, 64).astype(np.float32); i = np.random.randint(0, 64, 64)", "x.take(i, 1)"}},
    {.name = "x[rows] of 1e5 x 64 float32",
     .setup = index_table,
     .run = index_advanced,
     .limit = BENCH_LIMIT_STREAM,
     .reads = 26400000,
     .writes = 25600000,
     .torch_cpp = {INDEX_TABLE_CPP, "x.index({i})"},
     .torch = {INDEX_TABLE_PYTHON, "x[i]"},
     .numpy = {INDEX_TABLE_NUMPY, "x[i]"}},
    {.name = "embedding 1e5 of 1e5 x 64 float32",
     .setup = index_table,
     .run = index_embedding,
     .limit = BENCH_LIMIT_STREAM,
     .reads = 26400000,
     .writes = 25600000,
     .torch_cpp = {INDEX_TABLE_CPP, "at::embedding(x, i)"},
     .torch = {INDEX_TABLE_PYTHON, "torch.embedding(x, i)"}},
    {.name = "gather dim 1 of 4096 x 4096 float32",
     .setup = index_square,
     .run = index_gather,
     .limit = BENCH_LIMIT_STREAM,
     .inputs = 2,
     .reads = 201326592,
     .writes = 67108864,
     .torch_cpp = {INDEX_SQUARE_CPP, "x.gather(1, i)"},
     .torch = {INDEX_SQUARE_PYTHON, "x.gather(1, i)"},
     .numpy = {"x = np.random.rand(4096, 4096).astype(np.float32); i = np.random.randint(0, 4096, (4096, 4096))",
               "np.take_along_axis(x, i, 1)"}},
    {.name = "scatter_add_ dim 1 of 4096 x 4096 float32",
     .setup = index_square,
     .run = index_scatter_add,
     .limit = BENCH_LIMIT_STREAM,
     .inputs = 2,
     .reads = 268435456,
     .writes = 67108864,
     .torch_cpp = {INDEX_SQUARE_CPP, "y.scatter_add_(1, i, x)"},
     .torch = {INDEX_SQUARE_PYTHON, "y.scatter_add_(1, i, x)"}},
    {.name = "x[mask] of 1e7 float32",
     .setup = index_mask,
     .run = index_masked,
     .limit = BENCH_LIMIT_STREAM,
     .inputs = 2,
     .reads = 60000000,
     .writes = 20000000,
     .torch_cpp = {"auto x = at::rand({10000000}); auto m = x > 0.5;", "x.index({m})"},
     .torch = {"x = torch.rand(10000000); m = x > 0.5", "x[m]"},
     .numpy = {"x = np.random.rand(10000000).astype(np.float32); m = x > 0.5", "x[m]"}},
    {.name = NULL},
};

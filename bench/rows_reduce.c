/* rows_reduce.c - reductions: what a call costs, and whether a matrix is reduced as fast as it can be read.
 *
 * The group "reductions". Each operator runs over all of a 4096 x 4096 matrix and along either dimension, contiguous and
 * transposed: memory is the limit everywhere, so every row is compared with reading it once.
 */
#include "bench.h"

enum { REDUCE_SIDE = 4096, REDUCE_MATRIX_BYTES = 4 * REDUCE_SIDE * REDUCE_SIDE };

static void reduce_matrix(bench_inputs *inputs) { inputs->a = bench_random(TN_DIMS(REDUCE_SIDE, REDUCE_SIDE), TN_FLOAT32); }

static void reduce_transposed(bench_inputs *inputs) {
    tn_tensor *matrix = bench_random(TN_DIMS(REDUCE_SIDE, REDUCE_SIDE), TN_FLOAT32);
    inputs->a = tn_transpose(matrix, 0, 1);
    tn_release(matrix);
}

static void reduce_sixteen(bench_inputs *inputs) { inputs->a = bench_random(TN_DIMS(16), TN_FLOAT32); }

#define REDUCE_RUN(name, call)                                                                                                 \
    static void reduce_##name(bench_inputs *inputs, int64_t times) {                                                           \
        for (; times > 0; times--)                                                                                             \
            tn_release(call);                                                                                                  \
    }
#define REDUCE_RUN_LIST(name, call)                                                                                            \
    static void reduce_##name(bench_inputs *inputs, int64_t times) {                                                           \
        for (; times > 0; times--)                                                                                             \
            tn_list_release(call);                                                                                             \
    }

REDUCE_RUN(sum_all, tn_sum(inputs->a, TN_DTYPE_DEFAULT))
REDUCE_RUN(sum_0, tn_sum_dim(inputs->a, TN_DIMS(0), false, TN_DTYPE_DEFAULT))
REDUCE_RUN(sum_1, tn_sum_dim(inputs->a, TN_DIMS(1), false, TN_DTYPE_DEFAULT))
REDUCE_RUN(mean_all, tn_mean(inputs->a, TN_DTYPE_DEFAULT))
REDUCE_RUN(mean_0, tn_mean_dim(inputs->a, TN_DIMS(0), false, TN_DTYPE_DEFAULT))
REDUCE_RUN(mean_1, tn_mean_dim(inputs->a, TN_DIMS(1), false, TN_DTYPE_DEFAULT))
REDUCE_RUN(amax_all, tn_amax(inputs->a, TN_DIMS(0, 1), false))
REDUCE_RUN(amax_0, tn_amax(inputs->a, TN_DIMS(0), false))
REDUCE_RUN(amax_1, tn_amax(inputs->a, TN_DIMS(1), false))
REDUCE_RUN(argmax_all, tn_argmax(inputs->a, TN_NONE, false))
REDUCE_RUN(argmax_0, tn_argmax(inputs->a, 0, false))
REDUCE_RUN(argmax_1, tn_argmax(inputs->a, 1, false))
REDUCE_RUN_LIST(max_0, tn_max_dim(inputs->a, 0, false))
REDUCE_RUN_LIST(max_1, tn_max_dim(inputs->a, 1, false))
REDUCE_RUN(var_all, tn_var(inputs->a, true))
REDUCE_RUN(var_0, tn_var_dim(inputs->a, TN_DIMS(0), true, false))
REDUCE_RUN(var_1, tn_var_dim(inputs->a, TN_DIMS(1), true, false))
REDUCE_RUN(norm_all, tn_norm(inputs->a, 2))
REDUCE_RUN(norm_0, tn_norm_dim(inputs->a, 2, TN_DIMS(0), false, TN_DTYPE_DEFAULT))
REDUCE_RUN(norm_1, tn_norm_dim(inputs->a, 2, TN_DIMS(1), false, TN_DTYPE_DEFAULT))
REDUCE_RUN(logsumexp_1, tn_logsumexp(inputs->a, TN_DIMS(1), false))

#define REDUCE_TORCH_CPP "auto x = at::rand({4096, 4096});"
#define REDUCE_TORCH "x = torch.rand(4096, 4096)"
#define REDUCE_NUMPY "x = np.random.rand(4096, 4096).astype(np.float32)"

/* A row for the matrix and one for its transpose. `numpy_code` may be NULL. */
#define REDUCE_ROWS(label, function, least, cpp, python, numpy_code)                                                           \
    {.name = label,                                                                                                            \
     .setup = reduce_matrix,                                                                                                   \
     .run = reduce_##function,                                                                                                 \
     .limit = BENCH_LIMIT_STREAM,                                                                                              \
     .reads = REDUCE_MATRIX_BYTES,                                                                                             \
     .target = least,                                                                                                          \
     .torch_cpp = {REDUCE_TORCH_CPP, cpp},                                                                                     \
     .torch = {REDUCE_TORCH, python},                                                                                          \
     .numpy = {REDUCE_NUMPY, numpy_code}},                                                                                     \
    {                                                                                                                          \
        .name = label " of the transpose", .setup = reduce_transposed, .run = reduce_##function, .limit = BENCH_LIMIT_STREAM,  \
        .reads = REDUCE_MATRIX_BYTES, .target = least, .torch_cpp = {REDUCE_TORCH_CPP " x = x.t();", cpp},                     \
        .torch = {REDUCE_TORCH ".t()", python}, .numpy = {                                                                     \
            REDUCE_NUMPY ".T",                                                                                                 \
            numpy_code                                                                                                         \
        }                                                                                                                      \
    }

const bench_workload bench_rows_reduce[] = {
    {.name = "sum of 16 float32",
     .setup = reduce_sixteen,
     .run = reduce_sum_all,
     .limit = BENCH_LIMIT_MALLOC,
     .pairs = 2,
     .torch_cpp = {"auto x = at::rand({16});", "x.sum()"},
     .torch = {"x = torch.rand(16)", "x.sum()"},
     .numpy = {"x = np.random.rand(16).astype(np.float32)", "x.sum()"}},
    REDUCE_ROWS("sum over all", sum_all, 0.9, "x.sum()", "x.sum()", "x.sum()"),
    REDUCE_ROWS("sum over dim 0", sum_0, 0.9, "x.sum(0)", "x.sum(0)", "x.sum(0)"),
    REDUCE_ROWS("sum over dim 1", sum_1, 0.9, "x.sum(1)", "x.sum(1)", "x.sum(1)"),
    REDUCE_ROWS("mean over all", mean_all, 0.9, "x.mean()", "x.mean()", "x.mean()"),
    REDUCE_ROWS("mean over dim 0", mean_0, 0.9, "x.mean(0)", "x.mean(0)", "x.mean(0)"),
    REDUCE_ROWS("mean over dim 1", mean_1, 0.9, "x.mean(1)", "x.mean(1)", "x.mean(1)"),
    REDUCE_ROWS("amax over all", amax_all, 0.9, "x.amax()", "x.amax()", "x.max()"),
    REDUCE_ROWS("amax over dim 0", amax_0, 0.9, "x.amax(0)", "x.amax(0)", "x.max(0)"),
    REDUCE_ROWS("amax over dim 1", amax_1, 0.9, "x.amax(1)", "x.amax(1)", "x.max(1)"),
    REDUCE_ROWS("argmax over all", argmax_all, 0.9, "x.argmax()", "x.argmax()", "x.argmax()"),
    REDUCE_ROWS("argmax over dim 0", argmax_0, 0.9, "x.argmax(0)", "x.argmax(0)", "x.argmax(0)"),
    REDUCE_ROWS("argmax over dim 1", argmax_1, 0.9, "x.argmax(1)", "x.argmax(1)", "x.argmax(1)"),
    REDUCE_ROWS("max with indices over dim 0", max_0, 0.9, "x.max(0)", "x.max(0)", NULL),
    REDUCE_ROWS("max with indices over dim 1", max_1, 0.9, "x.max(1)", "x.max(1)", NULL),
    REDUCE_ROWS("var over all", var_all, 0.9, "x.var()", "x.var()", "x.var()"),
    REDUCE_ROWS("var over dim 0", var_0, 0.9, "x.var(0)", "x.var(0)", "x.var(0)"),
    REDUCE_ROWS("var over dim 1", var_1, 0.9, "x.var(1)", "x.var(1)", "x.var(1)"),
    REDUCE_ROWS("norm over all", norm_all, 0.9, "x.norm()", "x.norm()", "np.linalg.norm(x)"),
    REDUCE_ROWS("norm over dim 0", norm_0, 0.9, "x.norm(2, 0)", "x.norm(2, 0)", "np.linalg.norm(x, axis=0)"),
    REDUCE_ROWS("norm over dim 1", norm_1, 0.9, "x.norm(2, 1)", "x.norm(2, 1)", "np.linalg.norm(x, axis=1)"),
    REDUCE_ROWS("logsumexp over dim 1", logsumexp_1, 0, "x.logsumexp(1)", "x.logsumexp(1)", NULL),
    {.name = NULL},
};

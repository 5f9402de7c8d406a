/* rows_pointwise.c - elementwise operators: what a call costs, what memory allows, and the mathematical functions.
 *
 * The groups "pointwise" and "math". Small rows show the way from the call to the loop; large ones the loop and the stores.
 */
#include "bench.h"

enum { POINTS_1E3 = 1000, POINTS_1E5 = 100000, POINTS_1E6 = 1000000, POINTS_1E7 = 10000000 };

/* ---- what they work on --------------------------------------------------------------------------------------------- */

static void points_two(bench_inputs *inputs, int64_t count) {
    inputs->a = bench_random(TN_DIMS(count), TN_FLOAT32);
    inputs->b = bench_random(TN_DIMS(count), TN_FLOAT32);
}

static void points_chosen(bench_inputs *inputs, int64_t count) {
    points_two(inputs, count);
    inputs->c = bench_random(TN_DIMS(count), TN_BOOL);
}

#define POINTS_OF(count)                                                                                                       \
    static void points_two_##count(bench_inputs *inputs) { points_two(inputs, POINTS_##count); }                               \
    static void points_chosen_##count(bench_inputs *inputs) { points_chosen(inputs, POINTS_##count); }

POINTS_OF(1E3)
POINTS_OF(1E5)
POINTS_OF(1E7)

/* Two operands and a result of this many MiB together: around the size from which results are written around the caches. */
#define POINTS_MIB(mib) ((mib)*1048576LL / 12 / 64 * 64)
#define POINTS_OF_MIB(mib)                                                                                                     \
    static void points_two_##mib##_mib(bench_inputs *inputs) { points_two(inputs, POINTS_MIB(mib)); }

POINTS_OF_MIB(4)
POINTS_OF_MIB(8)
POINTS_OF_MIB(12)
POINTS_OF_MIB(16)
POINTS_OF_MIB(24)
POINTS_OF_MIB(32)
POINTS_OF_MIB(64)

static void points_one(bench_inputs *inputs) { points_two(inputs, 1); }
static void points_sixteen(bench_inputs *inputs) { points_two(inputs, 16); }
static void points_million(bench_inputs *inputs) { points_two(inputs, POINTS_1E6); }

/* a: (4, 4), b: (4) */
static void points_broadcast(bench_inputs *inputs) {
    inputs->a = bench_random(TN_DIMS(4, 4), TN_FLOAT32);
    inputs->b = bench_random(TN_DIMS(4), TN_FLOAT32);
}

/* ---- what is timed ------------------------------------------------------------------------------------------------- */

#define POINTS_RUN(name, call)                                                                                                 \
    static void points_##name(bench_inputs *inputs, int64_t times) {                                                           \
        for (; times > 0; times--)                                                                                             \
            tn_release(call);                                                                                                  \
    }

POINTS_RUN(add, tn_add(inputs->a, inputs->b))
POINTS_RUN(mul, tn_mul(inputs->a, inputs->b))
POINTS_RUN(where, tn_where(inputs->c, inputs->a, inputs->b))
POINTS_RUN(to_half, tn_to(inputs->a, TN_BFLOAT16))
POINTS_RUN(to_double, tn_to(inputs->a, TN_FLOAT64))
POINTS_RUN(exp, tn_exp(inputs->a))
POINTS_RUN(log, tn_log(inputs->a))
POINTS_RUN(tanh, tn_tanh(inputs->a))
POINTS_RUN(sin, tn_sin(inputs->a))
POINTS_RUN(sigmoid, tn_sigmoid(inputs->a))
POINTS_RUN(gelu, tn_gelu(inputs->a))
POINTS_RUN(erf, tn_erf(inputs->a))
POINTS_RUN(pow, tn_pow(inputs->a, inputs->b))

static void points_add_in_place(bench_inputs *inputs, int64_t times) {
    for (; times > 0; times--)
        tn_add_(inputs->a, inputs->b);
}

static void points_item(bench_inputs *inputs, int64_t times) {
    double sum = 0;
    for (; times > 0; times--)
        sum += tn_item(inputs->a).value.d;
    if (sum < 0) /* never: it keeps the calls */
        tn_release(tn_retain(inputs->a));
}

/* ---- the rows ------------------------------------------------------------------------------------------------------ */

#define POINTS_TORCH_CPP_TWO(size) "auto x = at::rand({" #size "}), y = at::rand({" #size "});"
#define POINTS_TORCH_TWO(size) "x = torch.rand(" #size "); y = torch.rand(" #size ")"
#define POINTS_NUMPY_TWO(size)                                                                                                 \
    "x = np.random.rand(" #size ").astype(np.float32); y = np.random.rand(" #size ").astype(np.float32)"
#define POINTS_TORCH_CPP_MASK(size) POINTS_TORCH_CPP_TWO(size) " auto m = at::rand({" #size "}) > 0.5;"
#define POINTS_TORCH_MASK(size) POINTS_TORCH_TWO(size) "; m = torch.rand(" #size ") > 0.5"
#define POINTS_NUMPY_MASK(size) POINTS_NUMPY_TWO(size) "; m = np.random.rand(" #size ") > 0.5"

/* One size of the operators whose limit is memory. */
#define POINTS_ROWS(label, count, number)                                                                                      \
    {.name = "add " label " float32",                                                                                          \
     .setup = points_two_##count,                                                                                              \
     .run = points_add,                                                                                                        \
     .limit = BENCH_LIMIT_STREAM,                                                                                              \
     .inputs = 2,                                                                                                              \
     .reads = 8LL * POINTS_##count,                                                                                            \
     .writes = 4LL * POINTS_##count,                                                                                           \
     .target = POINTS_##count == POINTS_1E7 ? 0.9 : 0,                                                                         \
     .torch_cpp = {POINTS_TORCH_CPP_TWO(number), "x + y"},                                                                     \
     .torch = {POINTS_TORCH_TWO(number), "x + y"},                                                                             \
     .numpy = {POINTS_NUMPY_TWO(number), "x + y"}},                                                                            \
        {.name = "mul " label " float32",                                                                                      \
         .setup = points_two_##count,                                                                                          \
         .run = points_mul,                                                                                                    \
         .limit = BENCH_LIMIT_STREAM,                                                                                          \
         .inputs = 2,                                                                                                          \
         .reads = 8LL * POINTS_##count,                                                                                        \
         .writes = 4LL * POINTS_##count,                                                                                       \
         .target = POINTS_##count == POINTS_1E7 ? 0.9 : 0,                                                                     \
         .torch_cpp = {POINTS_TORCH_CPP_TWO(number), "x * y"},                                                                 \
         .torch = {POINTS_TORCH_TWO(number), "x * y"},                                                                         \
         .numpy = {POINTS_NUMPY_TWO(number), "x * y"}},                                                                        \
        {.name = "where " label " float32 (random mask)",                                                                      \
         .setup = points_chosen_##count,                                                                                       \
         .run = points_where,                                                                                                  \
         .limit = BENCH_LIMIT_STREAM,                                                                                          \
         .inputs = 3,                                                                                                          \
         .reads = 9LL * POINTS_##count,                                                                                        \
         .writes = 4LL * POINTS_##count,                                                                                       \
         .target = POINTS_##count == POINTS_1E7 ? 0.9 : 0,                                                                     \
         .torch_cpp = {POINTS_TORCH_CPP_MASK(number), "at::where(m, x, y)"},                                                   \
         .torch = {POINTS_TORCH_MASK(number), "torch.where(m, x, y)"},                                                         \
         .numpy = {POINTS_NUMPY_MASK(number), "np.where(m, x, y)"}},                                                           \
        {.name = "cast " label " float32 to bfloat16",                                                                         \
         .setup = points_two_##count,                                                                                          \
         .run = points_to_half,                                                                                                \
         .limit = BENCH_LIMIT_STREAM,                                                                                          \
         .reads = 4LL * POINTS_##count,                                                                                        \
         .writes = 2LL * POINTS_##count,                                                                                       \
         .target = POINTS_##count == POINTS_1E7 ? 0.9 : 0,                                                                     \
         .torch_cpp = {POINTS_TORCH_CPP_TWO(number), "x.to(at::kBFloat16)"},                                                   \
         .torch = {POINTS_TORCH_TWO(number), "x.to(torch.bfloat16)"}},                                                         \
    {                                                                                                                          \
        .name = "cast " label " float32 to float64", .setup = points_two_##count, .run = points_to_double,                     \
        .limit = BENCH_LIMIT_STREAM, .reads = 4LL * POINTS_##count, .writes = 8LL * POINTS_##count,                            \
        .target = POINTS_##count == POINTS_1E7 ? 0.9 : 0, .torch_cpp = {POINTS_TORCH_CPP_TWO(number), "x.to(at::kDouble)"},    \
        .torch = {POINTS_TORCH_TWO(number), "x.to(torch.float64)"}, .numpy = {                                                 \
            POINTS_NUMPY_TWO(number),                                                                                          \
            "x.astype(np.float64)"                                                                                             \
        }                                                                                                                      \
    }

#define POINTS_CROSSING(mib)                                                                                                   \
    {                                                                                                                          \
        .name = "add " #mib " MiB float32", .setup = points_two_##mib##_mib, .run = points_add, .limit = BENCH_LIMIT_STREAM,   \
        .inputs = 2, .reads = 8 * POINTS_MIB(mib), .writes = 4 * POINTS_MIB(mib)                                               \
    }

const bench_workload bench_rows_pointwise[] = {
    {.name = "add 1 element",
     .setup = points_one,
     .run = points_add,
     .limit = BENCH_LIMIT_MALLOC,
     .pairs = 2,
     .target = 3,
     .torch_cpp = {POINTS_TORCH_CPP_TWO(1), "x + y"},
     .torch = {POINTS_TORCH_TWO(1), "x + y"},
     .numpy = {POINTS_NUMPY_TWO(1), "x + y"}},
    {.name = "add 16 elements",
     .setup = points_sixteen,
     .run = points_add,
     .limit = BENCH_LIMIT_MALLOC,
     .pairs = 2,
     .target = 3,
     .torch_cpp = {POINTS_TORCH_CPP_TWO(16), "x + y"},
     .torch = {POINTS_TORCH_TWO(16), "x + y"},
     .numpy = {POINTS_NUMPY_TWO(16), "x + y"}},
    {.name = "add 16 elements in place",
     .setup = points_sixteen,
     .run = points_add_in_place,
     .target = 25,
     .torch_cpp = {POINTS_TORCH_CPP_TWO(16), "x.add_(y)"},
     .torch = {POINTS_TORCH_TWO(16), "x.add_(y)"},
     .numpy = {POINTS_NUMPY_TWO(16), "np.add(x, y, out=x)"}},
    {.name = "add (4 4) + (4)",
     .setup = points_broadcast,
     .run = points_add,
     .target = 80,
     .torch_cpp = {"auto x = at::rand({4, 4}), y = at::rand({4});", "x + y"},
     .torch = {"x = torch.rand(4, 4); y = torch.rand(4)", "x + y"},
     .numpy = {"x = np.ones((4, 4), np.float32); y = np.ones(4, np.float32)", "x + y"}},
    {.name = "item",
     .setup = points_one,
     .run = points_item,
     .target = 5,
     .torch_cpp = {POINTS_TORCH_CPP_TWO(1), "x.item<float>()"},
     .torch = {POINTS_TORCH_TWO(1), "x.item()"},
     .numpy = {POINTS_NUMPY_TWO(1), "x.item()"}},
    POINTS_ROWS("1e3", 1E3, 1000),
    POINTS_ROWS("1e5", 1E5, 100000),
    POINTS_ROWS("1e7", 1E7, 10000000),
    POINTS_CROSSING(4),
    POINTS_CROSSING(8),
    POINTS_CROSSING(12),
    POINTS_CROSSING(16),
    POINTS_CROSSING(24),
    POINTS_CROSSING(32),
    POINTS_CROSSING(64),
    {.name = NULL},
};

/* At least as fast as the fastest peer; the arguments are uniform between 0 and 1. */
#define POINTS_FUNCTION(function, cpp_call, torch_call, numpy_call)                                                            \
    {                                                                                                                          \
        .name = #function " 1e6 float32", .setup = points_million, .run = points_##function, .reads = 4LL * POINTS_1E6,        \
        .writes = 4LL * POINTS_1E6, .torch_cpp = {POINTS_TORCH_CPP_TWO(1000000), cpp_call},                                    \
        .torch = {POINTS_TORCH_TWO(1000000), torch_call}, .numpy = {                                                           \
            POINTS_NUMPY_TWO(1000000),                                                                                         \
            numpy_call                                                                                                         \
        }                                                                                                                      \
    }

const bench_workload bench_rows_math[] = {
    POINTS_FUNCTION(exp, "x.exp()", "x.exp()", "np.exp(x)"),
    POINTS_FUNCTION(log, "x.log()", "x.log()", "np.log(x)"),
    POINTS_FUNCTION(tanh, "x.tanh()", "x.tanh()", "np.tanh(x)"),
    POINTS_FUNCTION(sin, "x.sin()", "x.sin()", "np.sin(x)"),
    POINTS_FUNCTION(sigmoid, "x.sigmoid()", "x.sigmoid()", NULL),
    POINTS_FUNCTION(gelu, "at::gelu(x)", "torch.nn.functional.gelu(x)", NULL),
    POINTS_FUNCTION(erf, "x.erf()", "x.erf()", NULL),
    POINTS_FUNCTION(pow, "x.pow(y)", "x.pow(y)", "np.power(x, y)"),
    {.name = NULL},
};

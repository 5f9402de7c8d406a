/* rows_random.c - random numbers: ten million at a time, with PyTorch's engine and with Philox. */
#include "bench.h"

enum { RANDOM_1E7 = 10000000 };

static void random_room(bench_inputs *inputs) { inputs->a = tn_empty(TN_DIMS(RANDOM_1E7), TN_FLOAT32); }
static void random_million(bench_inputs *inputs) { inputs->a = tn_empty(TN_DIMS(1000000), TN_INT64); }

/* A generator for each, made once: what is timed is drawing. */
static tn_generator *random_of(tn_engine engine) {
    static tn_generator *made[2];
    if (!made[engine])
        made[engine] = tn_generator_new(engine, 1);
    return made[engine];
}

#define RANDOM_RUN(name, engine, call)                                                                                         \
    static void random_##name(bench_inputs *inputs, int64_t times) {                                                           \
        tn_generator *generator = random_of(engine);                                                                           \
        for (; times > 0; times--)                                                                                             \
            call;                                                                                                              \
    }

RANDOM_RUN(uniform_mt, TN_MT19937, tn_uniform_(inputs->a, 0, 1, generator))
RANDOM_RUN(uniform_philox, TN_PHILOX, tn_uniform_(inputs->a, 0, 1, generator))
RANDOM_RUN(normal_mt, TN_MT19937, tn_normal_(inputs->a, 0, 1, generator))
RANDOM_RUN(normal_philox, TN_PHILOX, tn_normal_(inputs->a, 0, 1, generator))
RANDOM_RUN(permutation, TN_MT19937, (void)inputs; tn_release(tn_randperm(1000000, TN_INT64, generator)))

#define RANDOM_ROW(label, function, call)                                                                                      \
    {                                                                                                                          \
        .name = label, .setup = random_room, .run = random_##function, .writes = 4LL * RANDOM_1E7,                             \
        .torch_cpp = {"auto x = at::empty({10000000});", "x." call}, .torch = {"x = torch.empty(10000000)", "x." call},        \
        .numpy = {                                                                                                             \
            "g = np.random.Generator(np.random.Philox(1)); x = np.empty(10000000, np.float32)",                                \
            function##_numpy                                                                                                   \
        }                                                                                                                      \
    }
#define uniform_mt_numpy "g.random(dtype=np.float32, out=x)"
#define uniform_philox_numpy uniform_mt_numpy
#define normal_mt_numpy "g.standard_normal(dtype=np.float32, out=x)"
#define normal_philox_numpy normal_mt_numpy

const bench_workload bench_rows_random[] = {
    RANDOM_ROW("rand 1e7 float32, MT19937", uniform_mt, "uniform_()"),
    RANDOM_ROW("rand 1e7 float32, Philox", uniform_philox, "uniform_()"),
    RANDOM_ROW("randn 1e7 float32, MT19937", normal_mt, "normal_()"),
    RANDOM_ROW("randn 1e7 float32, Philox", normal_philox, "normal_()"),
    {.name = "randperm 1e6",
     .setup = random_million,
     .run = random_permutation,
     .torch_cpp = {"", "at::randperm(1000000)"},
     .torch = {"", "torch.randperm(1000000)"},
     .numpy = {"g = np.random.default_rng(1)", "g.permutation(1000000)"}},
    {.name = NULL},
};

/* rows_sort.c - sorting, searching and counting. What is random is uniform between 0 and 1; the integers are below 100. */
#include "bench.h"

#define SORTS_CPP "auto x = at::rand({1000000});"
#define SORTS_TORCH "x = torch.rand(1000000)"
#define SORTS_NUMPY "x = np.random.rand(1000000).astype(np.float32)"
#define SORTS_ROWS_CPP "auto x = at::rand({1000, 1000});"
#define SORTS_ROWS_TORCH "x = torch.rand(1000, 1000)"
#define SORTS_ROWS_NUMPY "x = np.random.rand(1000, 1000).astype(np.float32)"
#define SORTS_INT_CPP "auto x = at::randint(0, 100, {1000000});"
#define SORTS_INT_TORCH "x = torch.randint(0, 100, (1000000,))"
#define SORTS_INT_NUMPY "x = np.random.randint(0, 100, 1000000)"

enum { SORTS_MILLION = 1000000, SORTS_SIDE = 1000 };

static void sorts_floats(bench_inputs *inputs) { inputs->a = bench_random(TN_DIMS(SORTS_MILLION), TN_FLOAT32); }
static void sorts_integers(bench_inputs *inputs) { inputs->a = bench_random(TN_DIMS(SORTS_MILLION), TN_INT64); }
static void sorts_rows(bench_inputs *inputs) { inputs->a = bench_random(TN_DIMS(SORTS_SIDE, SORTS_SIDE), TN_FLOAT32); }

/* a: the sequence in order, b: what is looked for */
static void sorts_sequence(bench_inputs *inputs) {
    tn_tensor *random = bench_random(TN_DIMS(SORTS_MILLION), TN_FLOAT32);
    inputs->a = tn_msort(random);
    inputs->b = random;
}

static void sorts_mask(bench_inputs *inputs) { inputs->a = bench_random(TN_DIMS(SORTS_MILLION), TN_BOOL); }

static void sorts_sort(bench_inputs *inputs, int64_t times) {
    for (; times > 0; times--)
        tn_list_release(tn_sort(inputs->a, -1, false));
}

static void sorts_sort_columns(bench_inputs *inputs, int64_t times) {
    for (; times > 0; times--)
        tn_list_release(tn_sort(inputs->a, 0, false));
}

static void sorts_topk(bench_inputs *inputs, int64_t times) {
    for (; times > 0; times--)
        tn_list_release(tn_topk(inputs->a, 100, -1, true, true));
}

static void sorts_median(bench_inputs *inputs, int64_t times) {
    for (; times > 0; times--)
        tn_release(tn_median(inputs->a));
}

static void sorts_quantile(bench_inputs *inputs, int64_t times) {
    for (; times > 0; times--)
        tn_release(tn_quantile_scalar(inputs->a, 0.3, TN_NONE, false, "linear"));
}

static void sorts_unique(bench_inputs *inputs, int64_t times) {
    for (; times > 0; times--)
        tn_release(tn_unique(inputs->a));
}

static void sorts_searchsorted(bench_inputs *inputs, int64_t times) {
    for (; times > 0; times--)
        tn_release(tn_searchsorted(inputs->a, inputs->b, false, false, "none", NULL));
}

static void sorts_nonzero(bench_inputs *inputs, int64_t times) {
    for (; times > 0; times--)
        tn_release(tn_nonzero(inputs->a));
}

static void sorts_histc(bench_inputs *inputs, int64_t times) {
    for (; times > 0; times--)
        tn_release(tn_histc(inputs->a, 100, 0, 0));
}

static void sorts_bincount(bench_inputs *inputs, int64_t times) {
    for (; times > 0; times--)
        tn_release(tn_bincount(inputs->a, NULL, 0));
}

/* Bytes of one call. */
#define SORTS_FLOATS .reads = 4LL * SORTS_MILLION
#define SORTS_INTEGERS .reads = 8LL * SORTS_MILLION

const bench_workload bench_rows_sort[] = {
    {.name = "sort 1e6 float32 with indices",
     .setup = sorts_floats,
     .run = sorts_sort,
     SORTS_FLOATS,
     .target = 19600000, /* a fifth of PyTorch's 98 ms */
     .torch_cpp = {SORTS_CPP, "x.sort()"},
     .torch = {SORTS_TORCH, "x.sort()"},
     .numpy = {SORTS_NUMPY, "np.argsort(x)"}},
    {.name = "sort 1000 rows of 1000 float32",
     .setup = sorts_rows,
     .run = sorts_sort,
     SORTS_FLOATS,
     .torch_cpp = {SORTS_ROWS_CPP, "x.sort()"},
     .torch = {SORTS_ROWS_TORCH, "x.sort()"},
     .numpy = {SORTS_ROWS_NUMPY, "np.argsort(x)"}},
    {.name = "sort 1000 columns of 1000 float32",
     .setup = sorts_rows,
     .run = sorts_sort_columns,
     SORTS_FLOATS,
     .torch_cpp = {SORTS_ROWS_CPP, "x.sort(0)"},
     .torch = {SORTS_ROWS_TORCH, "x.sort(0)"},
     .numpy = {SORTS_ROWS_NUMPY, "np.argsort(x, 0)"}},
    {.name = "sort 1e6 int64 below 100",
     .setup = sorts_integers,
     .run = sorts_sort,
     SORTS_INTEGERS,
     .torch_cpp = {SORTS_INT_CPP, "x.sort()"},
     .torch = {SORTS_INT_TORCH, "x.sort()"},
     .numpy = {SORTS_INT_NUMPY, "np.argsort(x)"}},
    {.name = "topk 100 of 1e6 float32",
     .setup = sorts_floats,
     .run = sorts_topk,
     SORTS_FLOATS,
     .torch_cpp = {SORTS_CPP, "x.topk(100)"},
     .torch = {SORTS_TORCH, "x.topk(100)"},
     .numpy = {SORTS_NUMPY, "np.argpartition(x, -100)[-100:]"}},
    {.name = "median 1e6 float32",
     .setup = sorts_floats,
     .run = sorts_median,
     SORTS_FLOATS,
     .torch_cpp = {SORTS_CPP, "x.median()"},
     .torch = {SORTS_TORCH, "x.median()"},
     .numpy = {SORTS_NUMPY, "np.median(x)"}},
    {.name = "quantile 0.3 of 1e6 float32",
     .setup = sorts_floats,
     .run = sorts_quantile,
     SORTS_FLOATS,
     .torch_cpp = {SORTS_CPP, "at::quantile(x, 0.3)"},
     .torch = {SORTS_TORCH, "x.quantile(0.3)"},
     .numpy = {SORTS_NUMPY, "np.quantile(x, 0.3)"}},
    {.name = "unique 1e6 int64 below 100",
     .setup = sorts_integers,
     .run = sorts_unique,
     SORTS_INTEGERS,
     .torch_cpp = {SORTS_INT_CPP, "std::get<0>(at::_unique2(x))"},
     .torch = {SORTS_INT_TORCH, "x.unique()"},
     .numpy = {SORTS_INT_NUMPY, "np.unique(x)"}},
    {.name = "searchsorted 1e6 float32 in 1e6",
     .setup = sorts_sequence,
     .run = sorts_searchsorted,
     SORTS_FLOATS,
     .torch_cpp = {SORTS_CPP " auto s = std::get<0>(x.sort());", "at::searchsorted(s, x)"},
     .torch = {SORTS_TORCH "; s = x.sort()[0]", "torch.searchsorted(s, x)"},
     .numpy = {SORTS_NUMPY "; s = np.sort(x)", "np.searchsorted(s, x)"}},
    {.name = "nonzero 1e6 bool",
     .setup = sorts_mask,
     .run = sorts_nonzero,
     .reads = SORTS_MILLION,
     .torch_cpp = {SORTS_CPP " auto m = x > 0.5;", "m.nonzero()"},
     .torch = {SORTS_TORCH "; m = x > 0.5", "m.nonzero()"},
     .numpy = {SORTS_NUMPY "; m = x > 0.5", "np.argwhere(m)"}},
    {.name = "histc 1e6 float32 in 100 bins",
     .setup = sorts_floats,
     .run = sorts_histc,
     SORTS_FLOATS,
     .torch_cpp = {SORTS_CPP, "at::histc(x, 100)"},
     .torch = {SORTS_TORCH, "x.histc(100)"},
     .numpy = {SORTS_NUMPY, "np.histogram(x, 100)[0]"}},
    {.name = "bincount 1e6 int64 below 100",
     .setup = sorts_integers,
     .run = sorts_bincount,
     SORTS_INTEGERS,
     .torch_cpp = {SORTS_INT_CPP, "at::bincount(x)"},
     .torch = {SORTS_INT_TORCH, "x.bincount()"},
     .numpy = {SORTS_INT_NUMPY, "np.bincount(x)"}},
    {.name = NULL},
};

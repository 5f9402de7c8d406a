/* bench.c - `tenon bench`: how fast a few operators are here, each for a tenth of a second; the fastest call counts. For comparing two machines or
 * two settings; `make bench` measures everything.
 */
#include <string.h>
#include <time.h>

#include "common.h"

static const char bench_usage[] =
    "usage: tenon bench [--json] [--size N] [PATTERN]\n"
    "\n"
    "Times of some operators on float32 tensors of N elements (1000000), the fastest of many calls; products are of square matrices of about N elements.\n"
    "\n"
    "  --size N   elements\n"
    "  --json     for programs\n"
    "\n"
    "  tenon bench\n"
    "  TENON_NUM_THREADS=1 TENON_CPU=avx2 tenon bench 'm*' --size 65536\n";

typedef struct bench_data {
    tn_tensor *x, *y, *a, *b; /* (N), (side, side) */
    double n, side;
} bench_data;

static tn_tensor *bench_clone(const bench_data *d) { return tn_clone(d->x, TN_CONTIGUOUS); }
static tn_tensor *bench_add(const bench_data *d) { return tn_add(d->x, d->y); }
static tn_tensor *bench_exp(const bench_data *d) { return tn_exp(d->x); }
static tn_tensor *bench_sum(const bench_data *d) { return tn_sum(d->x, TN_DTYPE_DEFAULT); }
static tn_tensor *bench_softmax(const bench_data *d) { return tn_softmax(d->a, -1, TN_DTYPE_DEFAULT); }
static tn_tensor *bench_transpose(const bench_data *d) { return tn_contiguous(tn_transpose(d->a, 0, 1), TN_CONTIGUOUS); }
static tn_tensor *bench_matmul(const bench_data *d) { return tn_matmul(d->a, d->b); }

static const struct bench_case {
    const char *name;
    tn_tensor *(*run)(const bench_data *data);
    double bytes; /* for each element; negative: operations, as a product has them */
} bench_cases[] = {{"clone", bench_clone, 8},   {"add", bench_add, 12},        {"exp", bench_exp, 8},
                   {"sum", bench_sum, 4},       {"softmax", bench_softmax, 8}, {"transpose", bench_transpose, 8},
                   {"matmul", bench_matmul, -1}};

static double bench_now(void) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

/* Seconds of the fastest call; negative where it fails. */
static double bench_time(const struct bench_case *what, const bench_data *data) {
    double best = 1e9, begun = bench_now();
    for (int calls = 0; calls < 3 || bench_now() - begun < 0.1; calls++) {
        tn_scope scope = tn_scope_open();
        double before = bench_now();
        bool done = what->run(data) != NULL;
        double taken = bench_now() - before;
        tn_scope_close(scope);
        if (!done)
            return -1;
        best = taken < best ? taken : best;
    }
    return best;
}

int command_bench(int argc, char **argv) {
    const char *given[1] = {NULL};
    bool json = false;
    double size = 0;
    const option known[] = {{.name = "json", .flag = &json}, {.name = "size", .number = &size}};
    command_line line = {"bench", bench_usage, known, 2, 0, 1, given, 0};
    int status = options_read(&line, argc, argv);
    if (status >= 0)
        return status;
    int64_t n = number_within(size, 1, 100000000, 1000000), side = 1;
    while ((side + 1) * (side + 1) <= n)
        side++;
    tn_scope scope = tn_scope_open();
    bench_data data = {tn_rand(TN_DIMS(n), TN_FLOAT32, NULL),
                       tn_rand(TN_DIMS(n), TN_FLOAT32, NULL),
                       tn_rand(TN_DIMS(side, side), TN_FLOAT32, NULL),
                       tn_rand(TN_DIMS(side, side), TN_FLOAT32, NULL),
                       (double)n,
                       (double)side};
    status = data.x && data.y && data.a && data.b ? COMMAND_OK : command_failed();
    int64_t shown = 0;
    for (size_t i = 0; status == COMMAND_OK && i < sizeof bench_cases / sizeof *bench_cases; i++) {
        const struct bench_case *what = &bench_cases[i];
        if (line.given_count && !name_matches(given[0], what->name))
            continue;
        double seconds = bench_time(what, &data),
               elements = what->run == bench_softmax || what->run == bench_transpose ? data.side * data.side : data.n;
        double work = what->bytes < 0 ? 2 * data.side * data.side * data.side : what->bytes * elements;
        if (seconds < 0)
            status = command_failed();
        else if (json)
            printf("%s{\"name\": \"%s\", \"seconds\": %.9g, \"%s\": %.4g}", shown ? ",\n " : "[", what->name, seconds,
                   what->bytes < 0 ? "gigaflops" : "gigabytes_a_second", work / seconds / 1e9);
        else
            printf("  %-10s %10.1f us  %8.2f %s\n", what->name, seconds * 1e6, work / seconds / 1e9,
                   what->bytes < 0 ? "GF" : "GB/s");
        shown++;
    }
    if (json)
        printf(shown ? "]\n" : "[]\n");
    if (status == COMMAND_OK && !shown)
        status = command_misused(
            "bench", "no operator that is measured has such a name: clone, add, exp, sum, softmax, transpose, matmul");
    tn_scope_close(scope);
    return status;
}

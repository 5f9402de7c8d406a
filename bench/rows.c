/* rows.c - the groups of workloads, in the order of the table, and the machine's own limits as rows. */
#include "bench.h"

enum { MEGABYTE = 1000000 };

/* What the memory of this machine gives: the scale for everything below. */
const bench_workload bench_rows_machine[] = {
    {.name = "read 40 MB", .limit = BENCH_LIMIT_STREAM, .reads = 40 * MEGABYTE},
    {.name = "write 40 MB", .limit = BENCH_LIMIT_STREAM, .writes = 40 * MEGABYTE},
    {.name = "copy 40 MB", .limit = BENCH_LIMIT_STREAM, .reads = 40 * MEGABYTE, .writes = 40 * MEGABYTE},
    {.name = "triad: 2 x 40 MB to 40 MB",
     .limit = BENCH_LIMIT_STREAM,
     .inputs = 2,
     .reads = 80 * MEGABYTE,
     .writes = 40 * MEGABYTE},
    {.name = "copy 64 kB", .limit = BENCH_LIMIT_STREAM, .reads = 64000, .writes = 64000},
    {.name = "a malloc/free pair", .limit = BENCH_LIMIT_MALLOC, .pairs = 1},
    {.name = "two malloc/free pairs", .limit = BENCH_LIMIT_MALLOC, .pairs = 2},
    {.name = "an atomic increment and decrement", .limit = BENCH_LIMIT_ATOMIC},
    {.name = NULL},
};

const bench_group bench_groups[] = {
    {"the machine", bench_rows_machine},
    {"objects and memory", bench_rows_memory},
    {"views", bench_rows_view},
    {"copies", bench_rows_copy},
    {"indexing", bench_rows_index},
    {"joining and moving", bench_rows_join},
    {"pointwise", bench_rows_pointwise},
    {"math", bench_rows_math},
    {"random numbers", bench_rows_random},
    {"reductions", bench_rows_reduce},
    {"softmax, norms and scans", bench_rows_scan},
    {"sorting and searching", bench_rows_sort},
    {"matrix products", bench_rows_product},
    {"linear algebra and Fourier transforms", bench_rows_linalg},
    {"convolutions", bench_rows_convolution},
    {"files", bench_rows_files},
    {"pooling, norms, resampling, losses", bench_rows_layers},
    {"optimisers", bench_rows_optimizer},
    {"gradients and training", bench_rows_gradient},
    {NULL, NULL},
};

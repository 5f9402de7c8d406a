/* output.h - results as a table on the terminal, as Markdown and as CSV. */
#ifndef BENCH_OUTPUT_H
#define BENCH_OUTPUT_H

#include "bench.h"

#include <stdio.h>

/* The terminal's table, line by line as results come. */
void bench_print_head(const bench_contest *contest, const char *group);
void bench_print_result(const bench_contest *contest, const bench_result *result);

/* All results at once. */
void bench_write_csv(FILE *file, const bench_contest *contest, const bench_result *results, int count);
void bench_write_markdown(FILE *file, const bench_contest *contest, const bench_result *results, int count);

#endif

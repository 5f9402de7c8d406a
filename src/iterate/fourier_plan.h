/* fourier_plan.h - what a plan of a Fourier transform is, between the files fourier*.c. */
#ifndef TNI_FOURIER_PLAN_H
#define TNI_FOURIER_PLAN_H

#include <stdatomic.h>

#include "iterate/fourier.h"
#include "iterate/limits.h"
#include "kernels/fourier_pass.h"

enum { FOURIER_PASSES = 64 }; /* every pass but one takes a factor of at least 3, or two of 2 */

struct tni_fourier {
    enum { FOURIER_PASSWISE, FOURIER_CHIRP, FOURIER_CUT, FOURIER_REAL } kind;
    bool single;
    int64_t length;
    size_t bytes; /* of this plan, with its tables and without the plans inside */
    _Atomic int64_t users;
    tni_fourier *next; /* of those that are kept */
    const tni_fourier *inside[2];
    int64_t rows, columns; /* CUT: length is rows * columns */
    char *tables;
    int passes;
    int loop[FOURIER_PASSES];
    tni_fourier_pass pass[FOURIER_PASSES];
};

tni_fourier *tni_fourier_make(int64_t length, bool single, bool real);
void tni_fourier_run_passes(const tni_fourier *plan, int64_t many, void *x[2], void *y[2]);

/* Memory of plans, which outlives calls and so belongs to no thread. NULL, raised. */
void *tni_fourier_memory(size_t bytes);
void tni_fourier_memory_free(tni_fourier *plan);

/* Entries of tables, and e^(-2 pi i k / n) as two of them or as two doubles. */
size_t tni_fourier_number(const tni_fourier *plan);
void tni_fourier_put(const tni_fourier *plan, void *table, int64_t at, double value);
void tni_fourier_put_turn(const tni_fourier *plan, void *table, int64_t at, int64_t away, int64_t k, int64_t n);
void tni_fourier_turn_of(int64_t k, int64_t n, double turn[2]);

/* fourier_large.c: the larger part of a length cut in two as evenly as it can be, or 1; its plan, and the rest. */
typedef tni_fourier *(*tni_fourier_new_function)(int64_t length, bool single, int64_t numbers);
int64_t tni_fourier_cut(int64_t length);
tni_fourier *tni_fourier_make_large(int64_t length, int64_t rows, bool single, tni_fourier_new_function make);
size_t tni_fourier_large_block(const tni_fourier *plan);
void tni_fourier_run_large(const tni_fourier *plan, tni_thread_memory *blocks, void *x[2], void *y[2]);

#endif

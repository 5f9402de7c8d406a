/* fourier_large.c - Fourier transforms of long lines, in two steps over parts that fit the caches, on all threads.
 *
 * x is a matrix of `rows` by `columns`. Each column is transformed and its numbers turned, and the result written transposed; then
 * each column of that is transformed, which gives the result in order (Gentleman and Sande 1966):
 *
 *     t[c, k] = e^(-2 pi i k c / n) * sum over r of x[r, c] e^(-2 pi i k r / rows)
 *     X[k + rows j] = sum over c of t[c, k] e^(-2 pi i j c / columns)
 *
 * FOURIER_COLUMNS neighbouring columns are done side by side. A turn is the product of two: of the first column of the part, from a
 * coarse and a fine table, and of the distance from there.
 */
#include <string.h>

#include "base/parallel.h"
#include "iterate/fourier_plan.h"
#include "kernels/table.h"

int64_t tni_fourier_cut(int64_t length) {
    int64_t best = 1;
    for (int64_t part = 1; part * part <= length; part++)
        if (length % part == 0)
            best = part;
    /* Parts that are long themselves would leave the caches. */
    return best > 1 && length / best < FOURIER_LARGE ? length / best : 1;
}

/* Tables: near (2, rows, FOURIER_COLUMNS), then coarse and fine turns as doubles. */
static size_t fourier_near_bytes(const tni_fourier *plan) {
    size_t bytes = 2 * (size_t)(plan->rows * FOURIER_COLUMNS) * tni_fourier_number(plan);
    return (bytes + 63) / 64 * 64;
}

static const double *fourier_fine(const tni_fourier *plan) {
    return (const double *)(const void *)(plan->tables + fourier_near_bytes(plan));
}

static void fourier_turn(const tni_fourier *plan, int64_t steps, double turn[2]) {
    const double *fine = fourier_fine(plan) + 2 * (steps % FOURIER_TURNS);
    const double *coarse = fourier_fine(plan) + 2 * FOURIER_TURNS + 2 * (steps / FOURIER_TURNS);
    turn[0] = fine[0] * coarse[0] - fine[1] * coarse[1];
    turn[1] = fine[0] * coarse[1] + fine[1] * coarse[0];
}

tni_fourier *tni_fourier_make_large(int64_t length, int64_t rows, bool single, tni_fourier_new_function make) {
    int64_t coarse = length / FOURIER_TURNS + 1;
    /* doubles count as two floats; 32 more for the alignment */
    tni_fourier *plan = make(length, single, 2 * rows * FOURIER_COLUMNS + 4 * (FOURIER_TURNS + coarse) + 32);
    if (!plan)
        return NULL;
    plan->kind = FOURIER_CUT;
    plan->rows = rows;
    plan->columns = length / rows;
    plan->inside[0] = tni_fourier_take(plan->rows, single, false);
    plan->inside[1] = plan->inside[0] ? tni_fourier_take(plan->columns, single, false) : NULL;
    if (!plan->inside[1]) {
        tni_fourier_give(plan->inside[0]);
        tni_fourier_memory_free(plan);
        return NULL;
    }
    for (int64_t k = 0; k < rows; k++)
        for (int64_t c = 0; c < FOURIER_COLUMNS; c++)
            tni_fourier_put_turn(plan, plan->tables, k * FOURIER_COLUMNS + c, rows * FOURIER_COLUMNS, k * c, length);
    double *table = (double *)(uintptr_t)fourier_fine(plan);
    for (int64_t i = 0; i < FOURIER_TURNS; i++)
        tni_fourier_turn_of(i, length, table + 2 * i);
    for (int64_t i = 0; i < coarse; i++)
        tni_fourier_turn_of(i * FOURIER_TURNS, length, table + 2 * (FOURIER_TURNS + i));
    return plan;
}

/* Two pairs of arrays, each of a part of the longer kind. */
size_t tni_fourier_large_block(const tni_fourier *plan) {
    return 4 * (size_t)(plan->rows > plan->columns ? plan->rows : plan->columns) * FOURIER_COLUMNS * tni_fourier_number(plan);
}

typedef struct fourier_step {
    const tni_fourier *plan;
    tni_thread_memory *blocks;
    const tni_kernel_table *kernels;
    size_t number;
    char *from[2], *to[2];
} fourier_step;

/* `width` neighbouring columns of a (height, pitch) matrix to or from an array of their own. */
static void fourier_move(char *target, size_t target_pitch, const char *source, size_t source_pitch, int64_t height,
                         size_t bytes) {
    for (int64_t row = 0; row < height; row++)
        memcpy(target + (size_t)row * target_pitch, source + (size_t)row * source_pitch, bytes);
}

static void fourier_set_up(const fourier_step *step, char *set, void *x[2], void *y[2]) {
    size_t quarter = tni_fourier_large_block(step->plan) / 4;
    for (int part = 0; part < 2; part++) {
        x[part] = set + (size_t)part * quarter;
        y[part] = set + (size_t)(2 + part) * quarter;
    }
}

static void fourier_columns(void *arg, int64_t begin, int64_t end) {
    const fourier_step *step = arg;
    const tni_fourier *plan = step->plan;
    int64_t rows = plan->rows, columns = plan->columns, set;
    size_t number = step->number;
    int element = number == sizeof(float) ? 2 : 3;
    char *memory = tni_thread_memory_claim(step->blocks, &set);
    for (int64_t block = begin; block < end; block++) {
        int64_t first = block * FOURIER_COLUMNS, width = tni_min_i64(columns - first, FOURIER_COLUMNS);
        size_t bytes = (size_t)width * number;
        void *x[2], *y[2];
        fourier_set_up(step, memory, x, y);
        for (int part = 0; part < 2; part++)
            fourier_move(x[part], bytes, step->from[part] + (size_t)first * number, (size_t)columns * number, rows, bytes);
        tni_fourier_run_passes(plan->inside[0], width, x, y);
        for (int64_t k = 0; k < rows; k++) {
            double base[2];
            fourier_turn(plan, k * first, base);
            size_t near = (size_t)(k * FOURIER_COLUMNS) * number, row = (size_t)k * bytes;
            step->kernels->fourier_turn[!plan->single](
                (void *[]){(char *)x[0] + row, (char *)x[1] + row},
                (void *[]){plan->tables + near, plan->tables + near + (size_t)(rows * FOURIER_COLUMNS) * number}, base, width);
        }
        for (int part = 0; part < 2; part++)
            step->kernels->transpose[element](step->to[part] + (size_t)(first * rows) * number, rows * (int64_t)number, x[part],
                                              (int64_t)bytes, rows, width);
    }
    tni_thread_memory_leave(step->blocks, set);
}

static void fourier_rows(void *arg, int64_t begin, int64_t end) {
    const fourier_step *step = arg;
    const tni_fourier *plan = step->plan;
    int64_t rows = plan->rows, columns = plan->columns, set;
    size_t number = step->number, pitch = (size_t)rows * number;
    char *memory = tni_thread_memory_claim(step->blocks, &set);
    for (int64_t block = begin; block < end; block++) {
        int64_t first = block * FOURIER_COLUMNS, width = tni_min_i64(rows - first, FOURIER_COLUMNS);
        size_t bytes = (size_t)width * number, at = (size_t)first * number;
        void *x[2], *y[2];
        fourier_set_up(step, memory, x, y);
        for (int part = 0; part < 2; part++)
            fourier_move(x[part], bytes, step->to[part] + at, pitch, columns, bytes);
        tni_fourier_run_passes(plan->inside[1], width, x, y);
        for (int part = 0; part < 2; part++)
            fourier_move(step->from[part] + at, pitch, x[part], bytes, columns, bytes);
    }
    tni_thread_memory_leave(step->blocks, set);
}

void tni_fourier_run_large(const tni_fourier *plan, tni_thread_memory *blocks, void *x[2], void *y[2]) {
    fourier_step step = {.plan = plan,
                         .blocks = blocks,
                         .kernels = tni_kernels(),
                         .number = tni_fourier_number(plan),
                         .from = {x[0], x[1]},
                         .to = {y[0], y[1]}};
    if (tni_parallel_for((plan->columns + FOURIER_COLUMNS - 1) / FOURIER_COLUMNS, 1, fourier_columns, &step))
        (void)tni_parallel_for((plan->rows + FOURIER_COLUMNS - 1) / FOURIER_COLUMNS, 1, fourier_rows, &step);
}

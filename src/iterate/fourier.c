/* fourier.c - see fourier.h: plans, and the two ways for lengths that are not too long. fourier_kept.c keeps plans, fourier_large.c
 * has long lines.
 *
 * Invariant: a plan does not change after it was made; threads share it.
 */
#include "iterate/fourier_plan.h"

#include <math.h>
#include <string.h>

#include "base/error.h"
#include "base/parallel.h"
#include "kernels/table.h"

/* cos and -sin of 2 pi k / n, exact to the last bit or so: the angle is brought to an eighth of a turn first. */
static void fourier_angle(int64_t k, int64_t n, double *cosine, double *sine) {
    k %= n;                                                  /* 8 k stays below 2^63, because n elements are in memory */
    int64_t eighths = 8 * k / n, rest = 8 * k - eighths * n; /* the angle is (eighths + rest / n) eighths of a turn */
    bool back = eighths & 1;
    double angle = 0.78539816339744830962 * ((double)(back ? n - rest : rest) / (double)n);
    double c = cos(angle), s = sin(angle);
    int64_t quarter = (eighths + back) / 2 % 4; /* angle from this quarter, backwards for odd eighths */
    if (back)
        s = -s;
    double re = quarter == 0 ? c : quarter == 1 ? -s : quarter == 2 ? -c : s;
    double im = quarter == 0 ? s : quarter == 1 ? c : quarter == 2 ? -s : -c;
    *cosine = re;
    *sine = -im;
}

void tni_fourier_put(const tni_fourier *plan, void *table, int64_t at, double value) {
    if (plan->single)
        ((float *)table)[at] = (float)value;
    else
        ((double *)table)[at] = value;
}

/* e^(-2 pi i k / n) at two places of a table. */
void tni_fourier_put_turn(const tni_fourier *plan, void *table, int64_t at, int64_t away, int64_t k, int64_t n) {
    double cosine, sine;
    fourier_angle(k, n, &cosine, &sine);
    tni_fourier_put(plan, table, at, cosine);
    tni_fourier_put(plan, table, at + away, sine);
}

void tni_fourier_turn_of(int64_t k, int64_t n, double turn[2]) { fourier_angle(k, n, &turn[0], &turn[1]); }

/* ---- lengths and radices */

static int fourier_loop_of(int64_t radix) {
    static const int loops[] = {[2] = TNI_FOURIER_2, [3] = TNI_FOURIER_3, [4] = TNI_FOURIER_4, [5] = TNI_FOURIER_5};
    return radix <= 5 ? loops[radix] : TNI_FOURIER_ODD;
}

/* Radices of n, fours first, so that later passes are over many neighbours; how many, or 0 where a prime factor is too large. */
static int fourier_radices(int64_t n, int64_t *radices) {
    int count = 0;
    for (; n % 4 == 0; n /= 4)
        radices[count++] = 4;
    for (int64_t prime = 2; prime <= FOURIER_GENERAL && n > 1; prime++)
        for (; n % prime == 0; n /= prime)
            radices[count++] = prime;
    return n == 1 ? count : 0;
}

/* The smallest length from `least` on that passes with their own loops can do: a multiple of 4. */
static int64_t fourier_good_length(int64_t least) {
    int64_t best = INT64_MAX;
    for (int64_t five = 1; five < 2 * least; five *= 5)
        for (int64_t three = five; three < 2 * least; three *= 3) {
            int64_t n = 4 * three;
            while (n < least)
                n *= 2;
            best = n < best ? n : best;
        }
    return best;
}

/* ---- plans */

size_t tni_fourier_number(const tni_fourier *plan) { return plan->single ? sizeof(float) : sizeof(double); }

/* The tables of a plan are one block behind it. */
static tni_fourier *fourier_new(int64_t length, bool single, int64_t numbers) {
    size_t bytes;
    if (__builtin_mul_overflow((size_t)numbers, single ? sizeof(float) : sizeof(double), &bytes) ||
        __builtin_add_overflow(bytes, sizeof(tni_fourier) + 64, &bytes))
        return tni_raise_null(TN_ERROR_MEMORY, "a transform of %" PRId64 " numbers needs more memory than can be counted",
                              length);
    tni_fourier *plan = tni_fourier_memory(bytes);
    if (!plan)
        return NULL;
    *plan = (tni_fourier){.length = length, .bytes = bytes, .single = single};
    plan->tables = (char *)plan + (sizeof(tni_fourier) + 63) / 64 * 64;
    return plan;
}

static tni_fourier *fourier_by_passes(int64_t length, bool single) {
    int64_t radices[FOURIER_PASSES], numbers = 0, inner = 1;
    int count = fourier_radices(length, radices);
    for (int i = 0; i < count; i++) {
        numbers += 2 * (radices[i] - 1) * (length / inner / radices[i]) + (radices[i] > 5 ? 2 * radices[i] : 0);
        inner *= radices[i];
    }
    tni_fourier *plan = fourier_new(length, single, numbers);
    if (!plan)
        return NULL;
    char *at = plan->tables;
    inner = 1;
    for (int i = 0; i < count; i++) {
        int64_t radix = radices[i], groups = length / inner / radix;
        plan->pass[i] = (tni_fourier_pass){.radix = radix, .inner = inner, .count = groups, .factors = at};
        plan->loop[i] = fourier_loop_of(radix);
        for (int64_t j = 1; j < radix; j++)
            for (int64_t p = 0; p < groups; p++)
                tni_fourier_put_turn(plan, at, 2 * (j - 1) * groups + p, groups, p * j, radix * groups);
        at += (size_t)(2 * (radix - 1) * groups) * tni_fourier_number(plan);
        if (radix > 5) {
            plan->pass[i].roots = at;
            for (int64_t j = 0; j < radix; j++)
                tni_fourier_put_turn(plan, at, j, radix, j, radix);
            at += (size_t)(2 * radix) * tni_fourier_number(plan);
        }
        inner *= radix;
    }
    plan->passes = count;
    return plan;
}

/* The chirp c[k] = e^(-pi i k^2 / n), and the transform of its conjugate on both sides of 0, divided by the padded length. */
static tni_fourier *fourier_by_chirp(int64_t length, bool single) {
    int64_t padded = fourier_good_length(2 * length - 1);
    tni_fourier *plan = fourier_new(length, single, 2 * length + 2 * padded);
    if (!plan)
        return NULL;
    plan->kind = FOURIER_CHIRP;
    plan->inside[0] = tni_fourier_take(padded, single, false);
    if (!plan->inside[0]) {
        tni_fourier_memory_free(plan);
        return NULL;
    }
    size_t number = tni_fourier_number(plan), line = (size_t)padded * number;
    char *chirp = plan->tables, *filter = chirp + 2 * (size_t)length * number;
    size_t block = tni_fourier_block(plan->inside[0]);
    tni_thread_memory blocks, work;
    bool cut = block != 0;
    if (cut && !tni_thread_memory_take(&blocks, block, tn_num_threads()))
        goto failed;
    if (!tni_thread_memory_take(&work, 2 * line, 1)) {
        if (cut)
            tni_thread_memory_give(&blocks);
        goto failed;
    }
    memset(filter, 0, 2 * line);
    int64_t square = 0; /* k^2 mod 2 n */
    for (int64_t k = 0; k < length; square = (square + 2 * k + 1) % (2 * length), k++) {
        double turn[2];
        tni_fourier_turn_of(square, 2 * length, turn);
        tni_fourier_put(plan, chirp, k, turn[0]);
        tni_fourier_put(plan, chirp, length + k, turn[1]);
        for (int side = 0; side < 2; side++) {
            int64_t at = side ? (padded - k) % padded : k;
            tni_fourier_put(plan, filter, at, turn[0] / (double)padded);
            tni_fourier_put(plan, filter, padded + at, -turn[1] / (double)padded);
        }
    }
    void *x[2] = {filter, filter + line}, *y[2] = {work.data, work.data + line};
    tni_fourier_run(plan->inside[0], cut ? &blocks : NULL, x, y);
    if (x[0] != filter)
        memcpy(filter, x[0], 2 * line);
    tni_thread_memory_give(&work);
    if (cut)
        tni_thread_memory_give(&blocks);
    return plan;
failed:
    tni_fourier_give(plan->inside[0]);
    tni_fourier_memory_free(plan);
    return NULL;
}

/* A real line of 2 h elements is a complex one of h: what is left is to take both apart. */
static tni_fourier *fourier_of_pairs(int64_t length, bool single) {
    int64_t half = length / 2, turns = half / 2 + 1;
    tni_fourier *plan = fourier_new(length, single, 2 * turns);
    if (!plan)
        return NULL;
    plan->kind = FOURIER_REAL;
    plan->inside[0] = tni_fourier_take(half, single, false);
    if (!plan->inside[0]) {
        tni_fourier_memory_free(plan);
        return NULL;
    }
    for (int64_t k = 0; k < turns; k++) {
        double turn[2];
        tni_fourier_turn_of(k, length, turn);
        tni_fourier_put(plan, plan->tables, k, turn[0]);
        tni_fourier_put(plan, plan->tables, turns + k, -turn[1]);
    }
    return plan;
}

tni_fourier *tni_fourier_make(int64_t length, bool single, bool real) {
    int64_t radices[FOURIER_PASSES];
    if (real)
        return fourier_of_pairs(length, single);
    if (length > 1 && !fourier_radices(length, radices))
        return fourier_by_chirp(length, single);
    int64_t rows = length >= FOURIER_LARGE ? tni_fourier_cut(length) : 1;
    return rows > 1 ? tni_fourier_make_large(length, rows, single, fourier_new) : fourier_by_passes(length, single);
}

/* ---- running */

void tni_fourier_run_passes(const tni_fourier *plan, int64_t many, void *x[2], void *y[2]) {
    const tni_kernel_table *kernels = tni_kernels();
    for (int i = 0; i < plan->passes; i++) {
        tni_fourier_pass pass = plan->pass[i];
        pass.inner *= many;
        kernels->fourier[2 * plan->loop[i] + !plan->single](&pass, x, y);
        for (int part = 0; part < 2; part++) {
            void *from = x[part];
            x[part] = y[part];
            y[part] = from;
        }
    }
}

static void fourier_exchange(void *pair[2]) {
    void *first = pair[0];
    pair[0] = pair[1];
    pair[1] = first;
}

static void fourier_run_chirp(const tni_fourier *plan, tni_thread_memory *blocks, void *x[2], void *y[2]) {
    const tni_fourier *padded = plan->inside[0];
    tni_fourier_turn_function turn = tni_kernels()->fourier_turn[!plan->single];
    size_t number = tni_fourier_number(plan), line = (size_t)plan->length * number, whole = (size_t)padded->length * number;
    void *chirp[2] = {plan->tables, plan->tables + line},
         *filter[2] = {plan->tables + 2 * line, plan->tables + 2 * line + whole};
    turn(x, chirp, NULL, plan->length);
    memset((char *)x[0] + line, 0, whole - line);
    memset((char *)x[1] + line, 0, whole - line);
    tni_fourier_run(padded, blocks, x, y);
    turn(x, filter, NULL, padded->length);
    fourier_exchange(x);
    tni_fourier_run(padded, blocks, x, y);
    fourier_exchange(x);
    turn(x, chirp, NULL, plan->length);
}

void tni_fourier_run(const tni_fourier *plan, tni_thread_memory *blocks, void *x[2], void *y[2]) {
    if (plan->kind == FOURIER_PASSWISE)
        tni_fourier_run_passes(plan, 1, x, y);
    else if (plan->kind == FOURIER_CHIRP)
        fourier_run_chirp(plan, blocks, x, y);
    else
        tni_fourier_run_large(plan, blocks, x, y);
}

int64_t tni_fourier_room(const tni_fourier *plan) {
    if (plan->kind == FOURIER_REAL)
        return tni_fourier_room(plan->inside[0]);
    return plan->kind == FOURIER_CHIRP ? plan->inside[0]->length : plan->length;
}

size_t tni_fourier_block(const tni_fourier *plan) {
    if (plan->kind == FOURIER_REAL || plan->kind == FOURIER_CHIRP)
        return tni_fourier_block(plan->inside[0]);
    return plan->kind == FOURIER_CUT ? tni_fourier_large_block(plan) : 0;
}

const tni_fourier *tni_fourier_half(const tni_fourier *plan) { return plan->inside[0]; }
const void *tni_fourier_turns(const tni_fourier *plan) { return plan->tables; }

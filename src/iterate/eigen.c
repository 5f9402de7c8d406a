/* eigen.c - see eigen.h: symmetric eigenvalues and singular values of matrices that are not small, and how batches are cut. */
#include "iterate/eigen.h"
#include "iterate/factor_lapack.h"

#include <float.h>
#include <math.h>
#include <stdatomic.h>
#include <string.h>

#include "base/parallel.h"
#include "iterate/limits.h"
#include "iterate/reflect.h"
#include "iterate/thread_memory.h"

/* ---- rotations that are put off */

typedef struct eigen_turns {
    const tni_matrix_loops *loops;
    char *to; /* (rows, ...), real parts and imaginary parts being rows; NULL: no vectors are wanted */
    int64_t rows;
    tni_sweep sweeps[SWEEPS_TOGETHER];
    int64_t count;
    double *turns; /* SWEEPS_TOGETHER times `most` pairs */
    int64_t most;  /* the columns */
    void *room;    /* TNI_ROTATE_ROOM bytes for each */
} eigen_turns;

static void turns_flush(eigen_turns *turns) {
    if (turns->to)
        turns->loops->rotate(turns->to, turns->rows, turns->rows, turns->most, turns->room, turns->sweeps, turns->count);
    turns->count = 0;
}

/* Where the pairs of the next sweep go. */
static double *turns_next(eigen_turns *turns, int64_t first, int64_t by, int64_t count) {
    if (turns->count == SWEEPS_TOGETHER)
        turns_flush(turns);
    double *at = turns->turns + 2 * turns->most * turns->count;
    turns->sweeps[turns->count++] = (tni_sweep){.first = first, .by = by, .count = count, .turns = at};
    return at;
}

/* c f + s g = r, c g - s f = 0 */
static inline double turn_find(double f, double g, double *c, double *s) {
    double size = fabs(f) + fabs(g);
    if (g == 0 || size == 0) {
        *c = 1;
        *s = 0;
        return f;
    }
    double r = size > 1e-140 && size < 1e140 ? sqrt(f * f + g * g) : hypot(f, g);
    r = copysign(r, f);
    *c = f / r;
    *s = g / r;
    return r;
}

/* ---- a real symmetric tridiagonal matrix */

/* A part of the diagonal that is worked on, from the end that makes it converge: elements are counted from there. */
typedef struct eigen_part {
    int64_t low, high, by;
} eigen_part;
static int64_t part_d(const eigen_part *part, int64_t i) { return part->by > 0 ? part->low + i : part->high - i; }
static int64_t part_e(const eigen_part *part, int64_t i) { return part->by > 0 ? part->low + i : part->high - i - 1; }

/* From the end whose numbers are larger, anew when the part is none of what was worked on before. */
static void part_turn(eigen_part *part, const eigen_part *before, const double *d) {
    bool inside = part->low >= before->low && part->high <= before->high;
    part->by = inside ? before->by : fabs(d[part->low]) >= fabs(d[part->high]) ? 1 : -1;
}

static bool eigen_tridiagonal(int64_t n, double *d, double *e, double eps, eigen_turns *turns) {
    eigen_part before = {.low = n, .high = -1, .by = 1};
    int64_t high = n - 1, limit = 60 * n;
    while (high > 0) {
        int64_t low = high;
        for (; low > 0; low--) {
            double size = fabs(e[low - 1]);
            if (size * size <= eps * eps * fabs(d[low - 1]) * fabs(d[low]) + DBL_MIN) {
                e[low - 1] = 0;
                break;
            }
        }
        if (low == high) {
            high--;
            continue;
        }
        if (limit-- == 0)
            return false;
        eigen_part part = {.low = low, .high = high};
        part_turn(&part, &before, d);
        before = part;
        int64_t last = high - low;
        double *turn = turns_next(turns, part_d(&part, 0), part.by, last);
        double end = d[part_d(&part, last)], beside = e[part_e(&part, last - 1)];
        double g = (d[part_d(&part, last - 1)] - end) / (2 * beside), r = hypot(g, 1), c = 1, s = 1, moved = 0;
        g = d[part_d(&part, 0)] - end + beside / (g + copysign(r, g));
        for (int64_t i = 0; i < last; i++, turn += 2) {
            double *di = &d[part_d(&part, i)], *next = &d[part_d(&part, i + 1)], *ei = &e[part_e(&part, i)];
            double f = s * *ei, b = c * *ei;
            r = turn_find(g, f, &c, &s);
            if (i)
                e[part_e(&part, i - 1)] = r;
            g = *di - moved;
            r = (*next - g) * s + 2 * c * b;
            moved = s * r;
            *di = g + moved;
            g = c * r - b;
            turn[0] = c;
            turn[1] = s;
        }
        d[part_d(&part, last)] -= moved;
        e[part_e(&part, last - 1)] = g;
    }
    turns_flush(turns);
    return true;
}

/* ---- a real upper bidiagonal matrix */

/* The smaller singular value of (f, g; 0, h), with high relative accuracy. */
static double bidiagonal_least(double f, double g, double h) {
    double fa = fabs(f), ga = fabs(g), ha = fabs(h), least = fmin(fa, ha), most = fmax(fa, ha);
    if (least == 0)
        return 0;
    double as = 1 + least / most, at = (most - least) / most;
    if (ga < most) {
        double au = (ga / most) * (ga / most);
        return least * (2 / (sqrt(as * as + au) + sqrt(at * at + au)));
    }
    double au = most / ga;
    if (au == 0)
        return least * most / ga;
    return 2 * (least * (1 / (sqrt(1 + as * au * (as * au)) + sqrt(1 + at * au * (at * au))))) * au;
}

/* One sweep over a part, with a shift or, where that is 0, without: right and left are where the rotations go. */
static void bidiagonal_sweep(const eigen_part *part, double *d, double *e, double shift, double *right, double *left) {
    int64_t last = part->high - part->low;
    double f, g, r, c = 1, s = 0, c_left = 1, s_left = 0;
    double *d0 = &d[part_d(part, 0)];
    f = (fabs(*d0) - shift) * (copysign(1, *d0) + (shift == 0 ? 0 : shift / *d0));
    g = e[part_e(part, 0)];
    for (int64_t i = 0; i < last; i++, right += 2, left += 2) {
        double *di = &d[part_d(part, i)], *next = &d[part_d(part, i + 1)], *ei = &e[part_e(part, i)];
        if (shift == 0) {
            r = turn_find(*di * c, *ei, &c, &s);
            if (i)
                e[part_e(part, i - 1)] = s_left * r;
            *di = turn_find(c_left * r, *next * s, &c_left, &s_left);
        } else {
            r = turn_find(f, g, &c, &s);
            if (i)
                e[part_e(part, i - 1)] = r;
            f = c * *di + s * *ei;
            *ei = c * *ei - s * *di;
            g = s * *next;
            *next *= c;
            *di = turn_find(f, g, &c_left, &s_left);
            f = c_left * *ei + s_left * *next;
            *next = c_left * *next - s_left * *ei;
            if (i < last - 1) {
                double *after = &e[part_e(part, i + 1)];
                g = s_left * *after;
                *after *= c_left;
            }
        }
        right[0] = c;
        right[1] = s;
        left[0] = c_left;
        left[1] = s_left;
    }
    double *end = &d[part_d(part, last)];
    if (shift == 0) {
        double h = *end * c;
        *end = h * c_left;
        f = h * s_left;
    }
    e[part_e(part, last - 1)] = f;
}

static bool eigen_bidiagonal(int64_t n, double *d, double *e, double eps, eigen_turns *left, eigen_turns *right) {
    double tolerance = fmax(10, fmin(100, pow(eps, -0.125))) * eps, most = 0;
    for (int64_t i = 0; i < n; i++)
        most = fmax(most, fmax(fabs(d[i]), i < n - 1 ? fabs(e[i]) : 0));
    double least = fabs(d[0]), mu = least;
    for (int64_t i = 1; i < n && least > 0; i++) {
        mu = fabs(d[i]) * (mu / (mu + fabs(e[i - 1])));
        least = fmin(least, mu);
    }
    double nothing = fmax(tolerance * (least / sqrt((double)n)), 6 * (double)n * (double)n * DBL_MIN);
    eigen_part before = {.low = n, .high = -1, .by = 1};
    int64_t high = n - 1, limit = 60 * n;
    while (high > 0) {
        double smax = fabs(d[high]);
        int64_t low = high;
        for (; low > 0; low--) {
            if (fabs(e[low - 1]) <= nothing) {
                e[low - 1] = 0;
                break;
            }
            smax = fmax(smax, fmax(fabs(d[low - 1]), fabs(e[low - 1])));
        }
        if (low == high) {
            high--;
            continue;
        }
        eigen_part part = {.low = low, .high = high};
        part_turn(&part, &before, d);
        before = part;
        int64_t last = high - low;
        double *ei = &e[part_e(&part, last - 1)];
        if (fabs(*ei) <= tolerance * fabs(d[part_d(&part, last)])) {
            *ei = 0;
            continue;
        }
        double smin = mu = fabs(d[part_d(&part, 0)]);
        bool split = false;
        for (int64_t i = 0; i < last && !split; i++) {
            ei = &e[part_e(&part, i)];
            if (fabs(*ei) <= tolerance * mu) {
                *ei = 0;
                split = true;
            } else {
                mu = fabs(d[part_d(&part, i + 1)]) * (mu / (mu + fabs(*ei)));
                smin = fmin(smin, mu);
            }
        }
        if (split)
            continue;
        if (limit-- == 0)
            return false;
        double shift = 0, first = fabs(d[part_d(&part, 0)]);
        if ((double)n * tolerance * (smin / smax) > fmax(eps, 0.01 * tolerance)) {
            shift = bidiagonal_least(d[part_d(&part, last - 1)], e[part_e(&part, last - 1)], d[part_d(&part, last)]);
            if (first > 0 && (shift / first) * (shift / first) < eps)
                shift = 0;
        }
        /* Seen from the other end it is the transpose, whose right side is the left one. */
        double *a = turns_next(left, part_d(&part, 0), part.by, last), *b = turns_next(right, part_d(&part, 0), part.by, last);
        bidiagonal_sweep(&part, d, e, shift, part.by > 0 ? b : a, part.by > 0 ? a : b);
    }
    turns_flush(left);
    turns_flush(right);
    return true;
}

/* ---- one matrix */

/* Puts values in order and columns with them; `column` has room for one. */
static void eigen_sort(int64_t n, double *d, bool descending, char *const *matrices, const size_t *bytes, int count,
                       char *column) {
    for (int64_t i = 0; i < n - 1; i++) {
        int64_t best = i;
        for (int64_t j = i + 1; j < n; j++)
            best = (descending ? d[j] > d[best] : d[j] < d[best]) ? j : best;
        if (best == i)
            continue;
        double value = d[i];
        d[i] = d[best];
        d[best] = value;
        for (int k = 0; k < count; k++)
            if (matrices[k]) {
                char *x = matrices[k] + (size_t)i * bytes[k], *y = matrices[k] + (size_t)best * bytes[k];
                memcpy(column, x, bytes[k]);
                memcpy(x, y, bytes[k]);
                memcpy(y, column, bytes[k]);
            }
    }
}

static void eigen_put(const tni_reflect *reflect, char *values, const double *d, int64_t n, int exponent) {
    for (int64_t i = 0; i < n; i++)
        if (reflect->kind % 2)
            ((double *)(void *)values)[i] = ldexp(d[i], exponent);
        else
            ((float *)(void *)values)[i] = (float)ldexp(d[i], exponent);
}

/* Bytes beside the matrix: reflections' own, two matrices of vectors, their numbers, the diagonals and rotations. */
typedef struct eigen_room {
    size_t reflect, matrix, numbers, doubles, turns, strip, all;
} eigen_room;
static size_t eigen_round(size_t bytes) { return (bytes + 63) / 64 * 64; }
static void eigen_room_of(eigen_room *room, tn_dtype dtype, int64_t m, int64_t n, bool two) {
    size_t size = tni_dtype_size(dtype);
    room->reflect = eigen_round(tni_reflect_room(dtype, m, tni_max_i64(m, n)));
    room->matrix = eigen_round((size_t)(m * n) * size);
    room->numbers = eigen_round((size_t)tni_max_i64(m, n) * size);
    room->doubles = eigen_round((size_t)n * sizeof(double));
    room->turns = eigen_round((size_t)(SWEEPS_TOGETHER * n) * 2 * sizeof(double));
    room->strip = (size_t)n * TNI_ROTATE_ROOM;
    room->all =
        room->reflect + (size_t)(1 + two) * (room->matrix + room->numbers + room->turns) + 2 * room->doubles + room->strip;
}

static double eigen_eps(const tni_reflect *reflect) { return (reflect->kind % 2 ? DBL_EPSILON : (double)FLT_EPSILON) / 2; }

/* The other triangle from the one that is read, and real numbers on the diagonal. */
static void eigen_mirror(const tni_reflect *reflect, int64_t n, char *a, bool upper) {
    bool complex = reflect->kind > 1, single = reflect->kind % 2 == 0;
    for (int64_t j = 0; j < n; j++)
        for (int64_t i = 0; i <= j; i++) {
            char *above = tni_reflect_at(reflect, a, n, i, j), *below = tni_reflect_at(reflect, a, n, j, i);
            if (i < j)
                memcpy(upper ? below : above, upper ? above : below, reflect->size);
            if (complex && single)
                ((float *)(void *)(upper ? below : above))[1] *= i == j ? 0 : -1;
            else if (complex)
                ((double *)(void *)(upper ? below : above))[1] *= i == j ? 0 : -1;
        }
}

static tn_error eigh_one(const tni_eigen_small *call, int64_t at, char *memory, bool *converged) {
    eigen_room room;
    int64_t n = call->n, count = n * n;
    tni_reflect reflect;
    eigen_room_of(&room, call->dtype, n, n, false);
    tni_reflect_begin(&reflect, call->dtype, n, n, memory);
    char *a = call->a + (size_t)(at * count) * reflect.size, *v = memory + room.reflect, *tau = v + room.matrix;
    double *d = (void *)(tau + room.numbers), *e = (void *)((char *)d + room.doubles);
    double *turns = (void *)((char *)e + room.doubles);
    eigen_mirror(&reflect, n, a, call->upper);
    int exponent;
    if (!tni_reflect_level(&reflect, a, count, &exponent)) {
        *converged = false;
        return TN_OK;
    }
    memset(v, 0, (size_t)count * reflect.size);
    tn_error code = tni_reflect_tridiagonal(&reflect, n, a, d, e, v, tau);
    if (code == TN_OK && call->right) /* the first row and column of Q are those of the identity */
        code = tni_reflect_form(&reflect, n, n, n - 1, v, tau, a);
    if (code != TN_OK)
        return code;
    eigen_turns list = {.loops = reflect.loops,
                        .to = call->right ? a : NULL,
                        .rows = n * (1 + (reflect.kind > 1)),
                        .turns = turns,
                        .most = n,
                        .room = (char *)turns + room.turns};
    *converged = eigen_tridiagonal(n, d, e, eigen_eps(&reflect), &list);
    eigen_sort(n, d, false, &list.to, (size_t[]){(size_t)n * reflect.size}, 1, v);
    eigen_put(&reflect, call->values + (size_t)(at * n) * (reflect.kind % 2 ? 8 : 4), d, n, exponent);
    return TN_OK;
}

static tn_error svd_one(const tni_eigen_small *call, int64_t at, char *memory, bool *converged) {
    eigen_room room;
    int64_t m = call->m, n = call->n;
    tni_reflect reflect;
    eigen_room_of(&room, call->dtype, m, n, true);
    tni_reflect_begin(&reflect, call->dtype, m, n, memory);
    size_t size = reflect.size;
    char *a = call->a + (size_t)(at * m * n) * size, *v = memory + room.reflect, *w = v + room.matrix, *tau = w + room.matrix;
    char *tau_w = tau + room.numbers;
    double *d = (void *)(tau_w + room.numbers), *e = (void *)((char *)d + room.doubles);
    double *turns = (void *)((char *)e + room.doubles);
    char *left = call->left ? call->left + (size_t)(at * m * call->left_columns) * size : NULL;
    char *right = call->right ? call->right + (size_t)(at * n * n) * size : NULL;
    int exponent;
    if (!tni_reflect_level(&reflect, a, m * n, &exponent)) {
        *converged = false;
        return TN_OK;
    }
    memset(v, 0, (size_t)(m * n) * size);
    memset(w, 0, (size_t)(n * n) * size);
    tn_error code = tni_reflect_bidiagonal(&reflect, m, n, a, d, e, v, tau, w, tau_w);
    if (code == TN_OK && left)
        code = tni_reflect_form(&reflect, m, call->left_columns, n, v, tau, left);
    if (code == TN_OK && right)
        code = tni_reflect_form(&reflect, n, n, n - 1, w, tau_w, right);
    if (code != TN_OK)
        return code;
    int64_t parts = 1 + (reflect.kind > 1);
    eigen_turns to_left = {.loops = reflect.loops, .to = left, .rows = m * parts, .turns = turns, .most = n};
    eigen_turns to_right = {.loops = reflect.loops, .to = right, .rows = n * parts, .most = n};
    to_right.turns = (void *)((char *)turns + room.turns);
    to_left.room = to_right.room = (char *)to_right.turns + room.turns;
    *converged = eigen_bidiagonal(n, d, e, eigen_eps(&reflect), &to_left, &to_right);
    for (int64_t j = 0; j < n; j++)
        if (d[j] < 0 || (d[j] == 0 && signbit(d[j]))) {
            d[j] = -d[j];
            if (right && reflect.kind % 2)
                for (int64_t i = 0; i < n * parts; i++)
                    ((double *)(void *)right)[j * n * parts + i] *= -1;
            else if (right)
                for (int64_t i = 0; i < n * parts; i++)
                    ((float *)(void *)right)[j * n * parts + i] *= -1;
        }
    eigen_sort(n, d, true, (char *[]){left, right}, (size_t[]){(size_t)m * size, (size_t)n * size}, 2, v);
    eigen_put(&reflect, call->values + (size_t)(at * n) * (reflect.kind % 2 ? 8 : 4), d, n, exponent);
    return TN_OK;
}

/* ---- batches */

typedef struct eigen_batch {
    tni_eigen_small call;
    bool jacobi, svd;
    int64_t count, lanes;
    tni_thread_memory memory;
    _Atomic int64_t failed; /* the first, or INT64_MAX */
} eigen_batch;

static void eigen_failed(eigen_batch *batch, int64_t at) {
    int64_t first = atomic_load(&batch->failed);
    while (at < first && !atomic_compare_exchange_weak(&batch->failed, &first, at)) {
    }
}

static tn_error eigen_one(eigen_batch *batch, int64_t at, char *memory) {
    bool converged = true;
    tn_error code = batch->svd ? svd_one(&batch->call, at, memory, &converged) : eigh_one(&batch->call, at, memory, &converged);
    if (code == TN_OK && !converged)
        eigen_failed(batch, at);
    return code;
}

/* Small matrices, for which nothing fails: pieces are groups of as many as lanes, or single ones. */
static void eigen_piece(void *argument, int64_t begin, int64_t end) {
    eigen_batch *batch = argument;
    int64_t set, failed = 0;
    char *memory = tni_thread_memory_claim(&batch->memory, &set);
    for (int64_t i = begin; i < end; i++) {
        int64_t first = i * batch->lanes, last = tni_min_i64(first + batch->lanes, batch->count);
        if (!batch->jacobi)
            (void)eigen_one(batch, i, memory);
        else if (!(batch->svd ? tni_jacobi_svd : tni_jacobi_eigh)(&batch->call, first, last, memory, &failed))
            eigen_failed(batch, failed);
    }
    tni_thread_memory_leave(&batch->memory, set);
}

static tn_error eigen_run(eigen_batch *batch, int64_t *failed) {
    const tni_eigen_small *call = &batch->call;
    int64_t m = call->m, n = call->n;
    *failed = -1;
    if (n == 0 || batch->count == 0)
        return TN_OK;
    eigen_room room;
    eigen_room_of(&room, call->dtype, m, n, batch->svd);
    batch->lanes = 1;
    batch->jacobi = n <= JACOBI_SIDE && m <= JACOBI_ROWS && (n <= JACOBI_ALONE || batch->count >= JACOBI_TOGETHER);
    if (batch->jacobi) {
        batch->lanes = tni_jacobi_lanes(call->dtype);
        room.all = tni_jacobi_room(m, n);
    }
    bool small = batch->jacobi || tni_max_i64(m, n) <= REFLECT_SMALL;
    int64_t pieces = (batch->count + batch->lanes - 1) / batch->lanes;
    double work = (double)m * (double)n * (double)n * 30 * (double)batch->lanes;
    int64_t grain = work >= EIGEN_TASK ? 1 : (int64_t)(EIGEN_TASK / work) + 1;
    if (!tni_thread_memory_take(&batch->memory, room.all,
                                small ? tni_min_i64((pieces + grain - 1) / grain, tn_num_threads()) : 1))
        return tni_failed();
    tn_error code = TN_OK;
    atomic_init(&batch->failed, INT64_MAX);
    if (small)
        code = tni_parallel_for(pieces, grain, eigen_piece, batch) ? TN_OK : TN_ERROR_CANCELLED;
    else
        for (int64_t i = 0; i < batch->count && code == TN_OK; i++)
            code = tni_goes_on() ? eigen_one(batch, i, batch->memory.data) : TN_ERROR_CANCELLED;
    tni_thread_memory_give(&batch->memory);
    if (atomic_load(&batch->failed) != INT64_MAX)
        *failed = atomic_load(&batch->failed);
    return code;
}

/* One matrix after the other by a LAPACK that was chosen; they are as large as its functions are worth. */
static tn_error eigen_by_lapack(const tn_lapack *lapack, const tni_eigen_small *call, bool svd, int64_t count,
                                int64_t *failed) {
    size_t size = tni_dtype_size(call->dtype), real = tni_dtype_size(tn_dtype_to_real(call->dtype));
    int64_t m = call->m, n = call->n;
    *failed = -1;
    for (int64_t i = 0; i < count; i++) {
        bool converged = true;
        char *a = call->a + (size_t)(i * m * n) * size, *values = call->values + (size_t)(i * n) * real;
        char *left = call->left ? call->left + (size_t)(i * m * call->left_columns) * size : NULL;
        char *right = svd && call->right ? call->right + (size_t)(i * n * n) * size : NULL;
        if (!tni_goes_on())
            return TN_ERROR_CANCELLED;
        if (!(svd ? tni_lapack_svd(lapack, call->dtype, m, n, a, values, left, call->left_columns, right, &converged)
                  : tni_lapack_eigh(lapack, call->dtype, n, a, values, call->right != NULL, call->upper, &converged)))
            return tni_failed();
        if (!converged && *failed < 0)
            *failed = i;
    }
    return TN_OK;
}

tn_error tni_eigh(tn_dtype dtype, int64_t n, int64_t batch, void *a, void *values, bool vectors, bool upper, int64_t *failed) {
    eigen_batch call = {
        .call = {.dtype = dtype, .m = n, .n = n, .a = a, .values = values, .right = vectors ? a : NULL, .upper = upper},
        .count = batch};
    const tn_lapack *lapack = tni_lapack_takes(TN_LAPACK_SYEVD, dtype, n);
    if (TNI_UNLIKELY(lapack))
        return eigen_by_lapack(lapack, &call.call, false, batch, failed);
    return eigen_run(&call, failed);
}

tn_error tni_svd(tn_dtype dtype, int64_t m, int64_t n, int64_t batch, void *a, void *values, void *left, int64_t left_columns,
                 void *right, int64_t *failed) {
    eigen_batch call = {.call = {.dtype = dtype,
                                 .m = m,
                                 .n = n,
                                 .left_columns = left_columns,
                                 .a = a,
                                 .values = values,
                                 .left = left,
                                 .right = right},
                        .svd = true,
                        .count = batch};
    const tn_lapack *lapack = tni_lapack_takes(TN_LAPACK_GESDD, dtype, n);
    if (TNI_UNLIKELY(lapack))
        return eigen_by_lapack(lapack, &call.call, true, batch, failed);
    return eigen_run(&call, failed);
}

/* factor_lapack.c - see factor_lapack.h: calls of LAPACK's Fortran functions.
 *
 * Fortran takes everything by address. Integers are handed over as 64 bits of which a library with short ones reads the first half, which
 * has the value where the lowest byte comes first; lists of integers are made as long as the library has them. How long a character
 * is follows at the end, as gfortran and ifort want it; others do not look.
 */
#include "iterate/factor_lapack.h"

#include <math.h>
#include <string.h>

#include "iterate/limits.h"
#include "iterate/thread_memory.h"

enum { LAPACK_BLOCK = 64 }; /* columns that LAPACK takes together at most */

static bool lapack_is_complex(int at) { return at >= 2; }
static size_t lapack_real(int at) { return at % 2 ? 8 : 4; }

/* ---- memory: pieces of one block */

typedef struct lapack_room {
    tni_thread_memory memory;
    char *at;
} lapack_room;

static bool lapack_take(lapack_room *room, size_t bytes) {
    if (!tni_thread_memory_take(&room->memory, bytes + 8 * 64, 1))
        return false;
    room->at = room->memory.data;
    return true;
}

static void *lapack_piece(lapack_room *room, size_t bytes) {
    void *piece = room->at;
    room->at += (bytes + 63) / 64 * 64;
    return piece;
}

/* ---- matrices by columns */

static void lapack_copy(const tni_factor *factor, int64_t m, int64_t n, tni_matrix from, tni_matrix to) {
    int64_t size = (int64_t)factor->size;
    tni_transpose_function transpose = factor->kernels->transpose[tni_element_index(factor->size)];
    if (from.column == 1 && to.row == 1)
        transpose(to.data, to.column * size, from.data, from.row * size, m, n);
    else if (from.row == 1 && to.column == 1)
        transpose(to.data, to.row * size, from.data, from.column * size, n, m);
    else
        for (int64_t i = 0; i < m; i++)
            for (int64_t j = 0; j < n; j++)
                memcpy(tni_factor_part(factor, to, i, j).data, tni_factor_part(factor, from, i, j).data, (size_t)size);
}

/* Copies from and to lists of integers of either width. */
static void lapack_pivots_in(const tn_lapack *lapack, void *to, const int32_t *from, int64_t count) {
    for (int64_t i = 0; i < count; i++)
        if (lapack->wide)
            ((int64_t *)to)[i] = from[i];
        else
            ((int32_t *)to)[i] = from[i];
}

static void lapack_pivots_out(const tn_lapack *lapack, int32_t *to, const void *from, int64_t count) {
    for (int64_t i = 0; i < count; i++)
        to[i] = lapack->wide ? (int32_t)((const int64_t *)from)[i] : ((const int32_t *)from)[i];
}

/* What a function reports: its first 32 bits. */
static int64_t lapack_info(const int64_t *info) {
    int32_t value;
    memcpy(&value, info, sizeof value);
    return value;
}

/* ---- factors */

typedef void (*lapack_potrf)(const char *, const int64_t *, void *, const int64_t *, int64_t *, size_t);
typedef void (*lapack_getrf)(const int64_t *, const int64_t *, void *, const int64_t *, void *, int64_t *);
typedef void (*lapack_getrs)(const char *, const int64_t *, const int64_t *, const void *, const int64_t *, const void *,
                             void *, const int64_t *, int64_t *, size_t);
typedef void (*lapack_geqrf)(const int64_t *, const int64_t *, void *, const int64_t *, void *, void *, const int64_t *,
                             int64_t *);
typedef void (*lapack_orgqr)(const int64_t *, const int64_t *, const int64_t *, void *, const int64_t *, const void *, void *,
                             const int64_t *, int64_t *);

bool tni_lapack_cholesky(const tn_lapack *lapack, const tni_factor *factor, int64_t n, tni_matrix a, int64_t *info) {
    /* By rows it is the transpose that LAPACK sees, whose upper triangle becomes L^T. */
    int64_t ld = a.column == 1 ? a.row : a.column, result = 0;
    ((lapack_potrf)lapack->functions[TN_LAPACK_POTRF][factor->at])(a.column == 1 ? "U" : "L", &n, a.data, &ld, &result, 1);
    *info = lapack_info(&result);
    return true;
}

bool tni_lapack_lu(const tn_lapack *lapack, const tni_factor *factor, int64_t m, int64_t n, tni_matrix a, int32_t *pivots,
                   int64_t *info) {
    lapack_room room;
    int64_t k = m < n ? m : n, result = 0;
    if (!lapack_take(&room, (size_t)(m * n) * factor->size + (size_t)k * 8))
        return false;
    tni_matrix columns = {lapack_piece(&room, (size_t)(m * n) * factor->size), 1, m};
    void *rows = lapack_piece(&room, (size_t)k * 8);
    lapack_copy(factor, m, n, a, columns);
    ((lapack_getrf)lapack->functions[TN_LAPACK_GETRF][factor->at])(&m, &n, columns.data, &m, rows, &result);
    lapack_copy(factor, m, n, columns, a);
    lapack_pivots_out(lapack, pivots, rows, k);
    tni_thread_memory_give(&room.memory);
    *info = lapack_info(&result);
    return true;
}

bool tni_lapack_solve(const tn_lapack *lapack, const tni_factor *factor, int64_t n, int64_t count, tni_matrix lu,
                      const int32_t *pivots, tni_matrix x, char op) {
    lapack_room room;
    int64_t result = 0;
    if (!lapack_take(&room, (size_t)(n * (n + count)) * factor->size + (size_t)n * 8))
        return false;
    tni_matrix a = {lapack_piece(&room, (size_t)(n * n) * factor->size), 1, n};
    tni_matrix b = {lapack_piece(&room, (size_t)(n * count) * factor->size), 1, n};
    void *rows = lapack_piece(&room, (size_t)n * 8);
    lapack_copy(factor, n, n, lu, a);
    lapack_copy(factor, n, count, x, b);
    lapack_pivots_in(lapack, rows, pivots, n);
    ((lapack_getrs)lapack->functions[TN_LAPACK_GETRS][factor->at])(&op, &n, &count, a.data, &n, rows, b.data, &n, &result, 1);
    lapack_copy(factor, n, count, b, x);
    tni_thread_memory_give(&room.memory);
    return true;
}

bool tni_lapack_qr(const tn_lapack *lapack, const tni_factor *factor, int64_t m, int64_t n, tni_matrix a, void *tau) {
    lapack_room room;
    int64_t work = n * LAPACK_BLOCK, result = 0;
    if (!lapack_take(&room, (size_t)(m * n + work) * factor->size))
        return false;
    tni_matrix columns = {lapack_piece(&room, (size_t)(m * n) * factor->size), 1, m};
    lapack_copy(factor, m, n, a, columns);
    ((lapack_geqrf)lapack->functions[TN_LAPACK_GEQRF][factor->at])(
        &m, &n, columns.data, &m, tau, lapack_piece(&room, (size_t)work * factor->size), &work, &result);
    lapack_copy(factor, m, n, columns, a);
    tni_thread_memory_give(&room.memory);
    return true;
}

bool tni_lapack_q(const tn_lapack *lapack, const tni_factor *factor, int64_t m, int64_t n, int64_t k, tni_matrix v,
                  const void *tau, tni_matrix c) {
    lapack_room room;
    int64_t work = n * LAPACK_BLOCK, result = 0;
    if (!lapack_take(&room, (size_t)(m * n + work) * factor->size))
        return false;
    tni_matrix columns = {lapack_piece(&room, (size_t)(m * n) * factor->size), 1, m};
    lapack_copy(factor, m, k, v, columns);
    ((lapack_orgqr)lapack->functions[TN_LAPACK_ORGQR][factor->at])(
        &m, &n, &k, columns.data, &m, tau, lapack_piece(&room, (size_t)work * factor->size), &work, &result);
    lapack_copy(factor, m, n, columns, c);
    tni_thread_memory_give(&room.memory);
    return true;
}

/* ---- eigenvalues and singular values */

typedef void (*lapack_syevd)(const char *, const char *, const int64_t *, void *, const int64_t *, void *, void *,
                             const int64_t *, void *, const int64_t *, int64_t *, size_t, size_t);
typedef void (*lapack_heevd)(const char *, const char *, const int64_t *, void *, const int64_t *, void *, void *,
                             const int64_t *, void *, const int64_t *, void *, const int64_t *, int64_t *, size_t, size_t);
typedef void (*lapack_gesdd)(const char *, const int64_t *, const int64_t *, void *, const int64_t *, void *, void *,
                             const int64_t *, void *, const int64_t *, void *, const int64_t *, void *, int64_t *, size_t);
typedef void (*lapack_gesdd_complex)(const char *, const int64_t *, const int64_t *, void *, const int64_t *, void *, void *,
                                     const int64_t *, void *, const int64_t *, void *, const int64_t *, void *, void *,
                                     int64_t *, size_t);
typedef void (*lapack_geev)(const char *, const char *, const int64_t *, void *, const int64_t *, void *, void *, void *,
                            const int64_t *, void *, const int64_t *, void *, const int64_t *, int64_t *, size_t, size_t);
typedef void (*lapack_geev_complex)(const char *, const char *, const int64_t *, void *, const int64_t *, void *, void *,
                                    const int64_t *, void *, const int64_t *, void *, const int64_t *, void *, int64_t *,
                                    size_t, size_t);

/* Rows begin to end of every column of a matrix of n columns are finite; of a triangle those that are read. */
static bool lapack_finite(int at, const void *a, int64_t m, int64_t n, bool lower, bool upper) {
    int64_t parts = lapack_is_complex(at) ? 2 : 1;
    for (int64_t j = 0; j < n; j++)
        for (int64_t i = (lower ? j : 0) * parts; i < (upper ? j + 1 : m) * parts; i++) {
            int64_t place = j * m * parts + i;
            if (!isfinite(lapack_real(at) == 4 ? (double)((const float *)a)[place] : ((const double *)a)[place]))
                return false;
        }
    return true;
}

static int lapack_at(tn_dtype dtype) {
    tni_factor factor;
    tni_factor_begin(&factor, dtype);
    return factor.at;
}

bool tni_lapack_eigh(const tn_lapack *lapack, tn_dtype dtype, int64_t n, void *a, void *values, bool vectors, bool upper,
                     bool *converged) {
    lapack_room room;
    int at = lapack_at(dtype);
    int64_t work = 1 + 6 * n + 2 * n * n, reals = 1 + 5 * n + 2 * n * n, integers = 3 + 5 * n, result = 0;
    *converged = lapack_finite(at, a, n, n, !upper, upper);
    if (!*converged)
        return true;
    if (!lapack_take(&room, (size_t)(work * 16 + reals * 8 + integers * 8)))
        return false;
    const char *job = vectors ? "V" : "N", *part = upper ? "U" : "L";
    tn_lapack_function function = lapack->functions[TN_LAPACK_SYEVD][at];
    void *first = lapack_piece(&room, (size_t)work * 16), *second = lapack_piece(&room, (size_t)reals * 8);
    void *third = lapack_piece(&room, (size_t)integers * 8);
    if (lapack_is_complex(at))
        ((lapack_heevd)function)(job, part, &n, a, &n, values, first, &work, second, &reals, third, &integers, &result, 1, 1);
    else
        ((lapack_syevd)function)(job, part, &n, a, &n, values, first, &work, third, &integers, &result, 1, 1);
    tni_thread_memory_give(&room.memory);
    *converged = lapack_info(&result) == 0;
    return true;
}

/* The conjugate transpose of a square matrix, in place. */
static void lapack_turn(int at, void *a, int64_t n) {
    size_t real = lapack_real(at), size = real * (lapack_is_complex(at) ? 2 : 1);
    char *data = a, kept[16];
    for (int64_t j = 0; j < n; j++)
        for (int64_t i = 0; i <= j; i++) {
            char *x = data + (size_t)(i + j * n) * size, *y = data + (size_t)(j + i * n) * size;
            memcpy(kept, x, size);
            memcpy(x, y, size);
            memcpy(y, kept, size);
            for (int other = 0; other < (lapack_is_complex(at) ? 1 + (i != j) : 0); other++) {
                char *imaginary = (other ? y : x) + real;
                if (real == 4)
                    *(float *)(void *)imaginary *= -1;
                else
                    *(double *)(void *)imaginary *= -1;
            }
        }
}

bool tni_lapack_svd(const tn_lapack *lapack, tn_dtype dtype, int64_t m, int64_t n, void *a, void *values, void *left,
                    int64_t left_columns, void *right, bool *converged) {
    lapack_room room;
    int at = lapack_at(dtype);
    int64_t work = 4 * n * n + 7 * n + m + LAPACK_BLOCK * (m + n), reals = 2 * m * n + 5 * n * n + 5 * n, integers = 8 * n;
    int64_t result = 0;
    *converged = lapack_finite(at, a, m, n, false, false);
    if (!*converged)
        return true;
    if (!lapack_take(&room, (size_t)(work * 16 + reals * 8 + integers * 8)))
        return false;
    const char *job = !left ? "N" : left_columns == n ? "S" : "A";
    tn_lapack_function function = lapack->functions[TN_LAPACK_GESDD][at];
    void *first = lapack_piece(&room, (size_t)work * 16), *second = lapack_piece(&room, (size_t)reals * 8);
    void *third = lapack_piece(&room, (size_t)integers * 8);
    if (lapack_is_complex(at))
        ((lapack_gesdd_complex)function)(job, &m, &n, a, &m, values, left, &m, right, &n, first, &work, second, third, &result,
                                         1);
    else
        ((lapack_gesdd)function)(job, &m, &n, a, &m, values, left, &m, right, &n, first, &work, third, &result, 1);
    tni_thread_memory_give(&room.memory);
    *converged = lapack_info(&result) == 0;
    if (*converged && right) /* V^H became V */
        lapack_turn(at, right, n);
    return true;
}

/* The vectors of a real matrix: those of a pair of conjugate values are the real and the imaginary part. */
static void lapack_spread(int64_t n, const double *real, const double *imaginary, const double *packed, tn_complex128 *values,
                          tn_complex128 *vectors) {
    for (int64_t j = 0; j < n; j++) {
        values[j] = (tn_complex128){real[j], imaginary[j]};
        bool second = imaginary[j] < 0, pair = imaginary[j] != 0;
        const double *x = packed + (j - second) * n, *y = x + n;
        for (int64_t i = 0; i < n && vectors; i++)
            vectors[j * n + i] = (tn_complex128){x[i], !pair ? 0 : second ? -y[i] : y[i]};
    }
}

bool tni_lapack_eig(const tn_lapack *lapack, tn_dtype dtype, int64_t n, void *a, void *values, void *vectors, bool *converged) {
    lapack_room room;
    int at = lapack_at(dtype);
    int64_t work = (2 + LAPACK_BLOCK) * n, one = 1, result = 0;
    *converged = lapack_finite(at, a, n, n, false, false);
    if (!*converged)
        return true;
    if (!lapack_take(&room, (size_t)work * 16 + (size_t)(2 * n) * 8 + (size_t)(n * n) * 8))
        return false;
    tn_lapack_function function = lapack->functions[TN_LAPACK_GEEV][at];
    void *first = lapack_piece(&room, (size_t)work * 16);
    double *reals = lapack_piece(&room, (size_t)(2 * n) * 8), *packed = lapack_piece(&room, (size_t)(n * n) * 8);
    const char *job = vectors ? "V" : "N";
    if (lapack_is_complex(at))
        ((lapack_geev_complex)function)("N", job, &n, a, &n, values, NULL, &one, vectors, &n, first, &work, reals, &result, 1,
                                        1);
    else
        ((lapack_geev)function)("N", job, &n, a, &n, reals, reals + n, NULL, &one, packed, &n, first, &work, &result, 1, 1);
    *converged = lapack_info(&result) == 0;
    if (*converged && !lapack_is_complex(at))
        lapack_spread(n, reals, reals + n, packed, values, vectors);
    tni_thread_memory_give(&room.memory);
    return true;
}

/* reflect.c - see reflect.h. */
#include "iterate/reflect.h"

#include <math.h>
#include <string.h>

#include "base/parallel.h"
#include "iterate/limits.h"
#include "iterate/product.h"
#include "kernels/table.h"

#define REFLECT(name) reflect_##name##_float32
#define REFLECT_R float
#define REFLECT_PARTS 1
#include "iterate/reflect_elements.inc"
#define REFLECT(name) reflect_##name##_float64
#define REFLECT_R double
#define REFLECT_PARTS 1
#include "iterate/reflect_elements.inc"
#define REFLECT(name) reflect_##name##_complex64
#define REFLECT_R float
#define REFLECT_PARTS 2
#include "iterate/reflect_elements.inc"
#define REFLECT(name) reflect_##name##_complex128
#define REFLECT_R double
#define REFLECT_PARTS 2
#include "iterate/reflect_elements.inc"

typedef struct reflect_elements {
    double (*vector)(void *x, int64_t n, void *tau);
    void (*times)(void *x, int64_t n, double re, double im);
    void (*row)(void *to, const void *from, int64_t step, int64_t n);
    double (*get)(const void *x, int part);
    void (*put)(void *x, double re, double im);
    double (*largest)(const void *x, int64_t n);
} reflect_elements;

#define REFLECT_TABLE(dtype)                                                                                                   \
    {                                                                                                                          \
        reflect_vector_##dtype, reflect_times_##dtype, reflect_row_##dtype, reflect_get_##dtype, reflect_put_##dtype,          \
            reflect_largest_##dtype                                                                                            \
    }
static const reflect_elements elements_of[4] = {REFLECT_TABLE(float32), REFLECT_TABLE(float64), REFLECT_TABLE(complex64),
                                                REFLECT_TABLE(complex128)};

/* ---- what is put off */

typedef struct reflect_later {
    const tni_reflect *with;
    const reflect_elements *elements;
    int64_t m, n;
    char *a, *p, *q; /* (m, n), (m, 2 REFLECT_TOGETHER), (n, 2 REFLECT_TOGETHER) */
    char *sums;      /* 2 REFLECT_TOGETHER elements */
    char *x;         /* max(m, n) elements */
    int64_t count;   /* columns of P and Q */
} reflect_later;

enum { REFLECT_PAIRS = 2 * REFLECT_TOGETHER };

size_t tni_reflect_room(tn_dtype dtype, int64_t m, int64_t n) {
    int64_t most = tni_max_i64(m, n), together = REFLECT_TOGETHER;
    int64_t later = (m + n) * REFLECT_PAIRS + REFLECT_PAIRS + most, form = 2 * together * most + together * together;
    return (size_t)tni_max_i64(later, form) * tni_dtype_size(dtype);
}

void tni_reflect_begin(tni_reflect *reflect, tn_dtype dtype, int64_t m, int64_t n, char *room) {
    int kind = dtype == TN_FLOAT32 ? 0 : dtype == TN_FLOAT64 ? 1 : dtype == TN_COMPLEX64 ? 2 : 3;
    *reflect = (tni_reflect){.loops = tni_kernels()->matrix[kind],
                             .dtype = dtype,
                             .kind = kind,
                             .size = tni_dtype_size(dtype),
                             .small = tni_max_i64(m, n) <= REFLECT_SMALL,
                             .room = room};
}

tn_error tni_reflect_product(const tni_reflect *reflect, int64_t m, int64_t n, int64_t k, double sign, const void *a,
                             int64_t lda, bool a_turned, const void *b, int64_t ldb, bool b_turned, void *c, int64_t ldc,
                             bool adds) {
    if (!reflect->small) {
        tni_product product;
        bool complex = reflect->kind > 1;
        tni_product_begin(&product, m, n, k);
        product.compute = reflect->dtype;
        product.alpha = (tn_job_number){sign, (int64_t)sign, {sign, 0}};
        product.a = (tni_product_operand){.data = (void *)(uintptr_t)a,
                                          .row = a_turned ? lda : 1,
                                          .column = a_turned ? 1 : lda,
                                          .dtype = reflect->dtype,
                                          .conjugate = complex && a_turned};
        product.b = (tni_product_operand){.data = (void *)(uintptr_t)b,
                                          .row = b_turned ? ldb : 1,
                                          .column = b_turned ? 1 : ldb,
                                          .dtype = reflect->dtype,
                                          .conjugate = complex && b_turned};
        product.c = (tni_product_operand){.data = c, .row = 1, .column = ldc, .dtype = reflect->dtype};
        if (adds) {
            product.beta = TNI_PRODUCT_ONE;
            product.d = product.c;
        }
        return tni_product_run(&product);
    }
    for (int64_t j = 0; j < n; j++) {
        char *to = (char *)c + (size_t)(j * ldc) * reflect->size;
        const char *from = (const char *)b + (size_t)(b_turned ? j : j * ldb) * reflect->size;
        if (!adds)
            memset(to, 0, (size_t)m * reflect->size);
        if (a_turned)
            reflect->loops->dots(to, a, lda, from, k, m, sign);
        else
            reflect->loops->add(to, a, lda, from, b_turned ? ldb : 1, m, k, sign, b_turned);
    }
    return TN_OK;
}

static void later_begin(reflect_later *later, const tni_reflect *with, int64_t m, int64_t n, void *a) {
    *later = (reflect_later){.with = with, .elements = &elements_of[with->kind], .m = m, .n = n, .a = a};
    later->p = with->room;
    later->q = later->p + (size_t)(m * REFLECT_PAIRS) * with->size;
    later->sums = later->q + (size_t)(n * REFLECT_PAIRS) * with->size;
    later->x = later->sums + REFLECT_PAIRS * with->size;
}

static char *later_p(const reflect_later *later, int64_t i, int64_t j) {
    return tni_reflect_at(later->with, later->p, later->m, i, j);
}
static char *later_q(const reflect_later *later, int64_t i, int64_t j) {
    return tni_reflect_at(later->with, later->q, later->n, i, j);
}

/* x: rows `from` to m of column j, as it is now; or the conjugate of columns `from` to n of row i. */
static char *later_column(const reflect_later *later, int64_t j, int64_t from) {
    const tni_reflect *with = later->with;
    memcpy(later->x, tni_reflect_at(with, later->a, later->m, from, j), (size_t)(later->m - from) * with->size);
    with->loops->add(later->x, later_p(later, from, 0), later->m, later_q(later, j, 0), later->n, later->m - from, later->count,
                     -1, true);
    return later->x;
}
static char *later_row(const reflect_later *later, int64_t i, int64_t from) {
    const tni_reflect *with = later->with;
    later->elements->row(later->x, tni_reflect_at(with, later->a, later->m, i, from), later->m, later->n - from);
    with->loops->add(later->x, later_q(later, from, 0), later->n, later_p(later, i, 0), later->m, later->n - from, later->count,
                     -1, true);
    return later->x;
}

/* to = tau A w, for rows `row` to m and columns `column` to n; to = tau A^H v for the same. `to` is zeros. */
static void later_times(const reflect_later *later, int64_t row, int64_t column, const char *w, char *to, const void *tau) {
    const tni_matrix_loops *loops = later->with->loops;
    int64_t m = later->m - row, n = later->n - column;
    memset(later->sums, 0, REFLECT_PAIRS * later->with->size);
    loops->add(to, tni_reflect_at(later->with, later->a, later->m, row, column), later->m, w, 1, m, n, 1, false);
    loops->dots(later->sums, later_q(later, column, 0), later->n, w, n, later->count, 1);
    loops->add(to, later_p(later, row, 0), later->m, later->sums, 1, m, later->count, -1, false);
    later->elements->times(to, m, later->elements->get(tau, 0), later->elements->get(tau, 1));
}
static void later_turned(const reflect_later *later, int64_t row, int64_t column, const char *v, char *to, const void *tau) {
    const tni_matrix_loops *loops = later->with->loops;
    int64_t m = later->m - row, n = later->n - column;
    memset(later->sums, 0, REFLECT_PAIRS * later->with->size);
    loops->dots(to, tni_reflect_at(later->with, later->a, later->m, row, column), later->m, v, m, n, 1);
    loops->dots(later->sums, later_p(later, row, 0), later->m, v, m, later->count, 1);
    loops->add(to, later_q(later, column, 0), later->n, later->sums, 1, n, later->count, -1, false);
    later->elements->times(to, n, later->elements->get(tau, 0), later->elements->get(tau, 1));
}

/* The next columns of P and Q, as zeros. They count when later->count says so. */
static char *later_new_p(reflect_later *later) {
    return memset(later_p(later, 0, later->count), 0, (size_t)later->m * later->with->size);
}
static char *later_new_q(reflect_later *later) {
    return memset(later_q(later, 0, later->count), 0, (size_t)later->n * later->with->size);
}

/* A - P Q^H from (row, column) on, when P and Q are full or it is time; false where that failed. */
static tn_error later_flush(reflect_later *later, int64_t row, int64_t column, bool now) {
    if (later->count + 1 < REFLECT_PAIRS && !now)
        return TN_OK;
    int64_t count = later->count;
    later->count = 0;
    if (row >= later->m || column >= later->n || count == 0)
        return TN_OK;
    return tni_reflect_product(later->with, later->m - row, later->n - column, count, -1, later_p(later, row, 0), later->m,
                               false, later_q(later, column, 0), later->n, true,
                               tni_reflect_at(later->with, later->a, later->m, row, column), later->m, true);
}

/* ---- the forms */

tn_error tni_reflect_tridiagonal(const tni_reflect *reflect, int64_t n, void *a, double *d, double *e, void *v, void *tau) {
    reflect_later later;
    later_begin(&later, reflect, n, n, a);
    const reflect_elements *elements = later.elements;
    size_t size = reflect->size;
    tn_error code = TN_OK;
    for (int64_t j = 0; j < n && code == TN_OK; j++) {
        char *x = later_column(&later, j, j), *at = (char *)tau + (size_t)j * size;
        int64_t rest = n - j - 1;
        d[j] = elements->get(x, 0);
        if (rest == 0)
            break;
        e[j] = elements->vector(x + size, rest, at);
        char *vector = memcpy(tni_reflect_at(reflect, v, n, j + 1, j), x + size, (size_t)rest * size);
        char *w = later_new_p(&later) + (size_t)(j + 1) * size;
        later_turned(&later, j + 1, j + 1, vector, w, at);
        /* w = x - (conj(tau) v^H x / 2) v: then A - v w^H - w v^H is A reflected from both sides */
        double tr = elements->get(at, 0), ti = elements->get(at, 1), dr, di;
        memset(later.sums, 0, size);
        reflect->loops->dots(later.sums, vector, n, w, rest, 1, 1);
        dr = elements->get(later.sums, 0);
        di = elements->get(later.sums, 1);
        elements->put(later.sums, (tr * dr + ti * di) / 2, (tr * di - ti * dr) / 2);
        reflect->loops->add(w, vector, n, later.sums, 1, rest, 1, -1, false);
        memcpy(later_new_q(&later) + (size_t)(j + 1) * size, vector, (size_t)rest * size);
        later.count++;
        memcpy(later_new_q(&later) + (size_t)(j + 1) * size, w, (size_t)rest * size);
        memcpy(later_new_p(&later) + (size_t)(j + 1) * size, vector, (size_t)rest * size);
        later.count++;
        code = later_flush(&later, j + 1, j + 1, false);
    }
    return code;
}

tn_error tni_reflect_bidiagonal(const tni_reflect *reflect, int64_t m, int64_t n, void *a, double *d, double *e, void *v,
                                void *tau, void *w, void *tau_w) {
    reflect_later later;
    later_begin(&later, reflect, m, n, a);
    size_t size = reflect->size;
    tn_error code = TN_OK;
    for (int64_t j = 0; j < n && code == TN_OK; j++) {
        char *x = later_column(&later, j, j), *at = (char *)tau + (size_t)j * size;
        d[j] = later.elements->vector(x, m - j, at);
        memcpy(tni_reflect_at(reflect, v, m, j, j), x, (size_t)(m - j) * size);
        int64_t rest = n - j - 1;
        if (rest == 0)
            break;
        char *vector = memcpy(later_new_p(&later) + (size_t)j * size, x, (size_t)(m - j) * size);
        later_turned(&later, j, j + 1, vector, later_new_q(&later) + (size_t)(j + 1) * size, at);
        later.count++;
        at = (char *)tau_w + (size_t)j * size;
        x = later_row(&later, j, j + 1);
        e[j] = later.elements->vector(x, rest, at);
        memcpy(tni_reflect_at(reflect, w, n, j + 1, j), x, (size_t)rest * size);
        vector = memcpy(later_new_q(&later) + (size_t)(j + 1) * size, x, (size_t)rest * size);
        later_times(&later, j + 1, j + 1, vector, later_new_p(&later) + (size_t)(j + 1) * size, at);
        later.count++;
        code = later_flush(&later, j + 1, j + 1, false);
    }
    return code;
}

tn_error tni_reflect_hessenberg(const tni_reflect *reflect, int64_t n, void *a, void *v, void *tau) {
    reflect_later later;
    later_begin(&later, reflect, n, n, a);
    size_t size = reflect->size;
    tn_error code = TN_OK;
    for (int64_t j = 0; j < n - 1 && code == TN_OK; j++) {
        char *x = later_column(&later, j, 0), *at = (char *)tau + (size_t)j * size,
             *column = tni_reflect_at(reflect, a, n, 0, j);
        int64_t rest = n - j - 1;
        memset(column, 0, (size_t)n * size);
        memcpy(column, x, (size_t)(j + 1) * size);
        double beta = later.elements->vector(x + (size_t)(j + 1) * size, rest, at);
        later.elements->put(column + (size_t)(j + 1) * size, beta, 0);
        char *vector = memcpy(tni_reflect_at(reflect, v, n, j + 1, j), x + (size_t)(j + 1) * size, (size_t)rest * size);
        later_times(&later, 0, j + 1, vector, later_new_p(&later), at); /* from the right */
        memcpy(later_new_q(&later) + (size_t)(j + 1) * size, vector, (size_t)rest * size);
        later.count++;
        later_turned(&later, j + 1, j + 1, vector, later_new_q(&later) + (size_t)(j + 1) * size, at); /* from the left */
        memcpy(later_new_p(&later) + (size_t)(j + 1) * size, vector, (size_t)rest * size);
        later.count++;
        code = later_flush(&later, 0, j + 1, j == n - 2);
    }
    return code;
}

tn_error tni_reflect_triangular(const tni_reflect *reflect, int64_t m, int64_t n, void *a, void *v, void *tau) {
    reflect_later later;
    later_begin(&later, reflect, m, n, a);
    size_t size = reflect->size;
    tn_error code = TN_OK;
    for (int64_t j = 0; j < n && code == TN_OK; j++) {
        char *x = later_column(&later, j, 0), *at = (char *)tau + (size_t)j * size,
             *column = tni_reflect_at(reflect, a, m, 0, j);
        memset(column, 0, (size_t)m * size);
        memcpy(column, x, (size_t)j * size);
        later.elements->put(column + (size_t)j * size, later.elements->vector(x + (size_t)j * size, m - j, at), 0);
        char *vector = memcpy(tni_reflect_at(reflect, v, m, j, j), x + (size_t)j * size, (size_t)(m - j) * size);
        memcpy(later_new_p(&later) + (size_t)j * size, vector, (size_t)(m - j) * size);
        later_turned(&later, j, j + 1, vector, later_new_q(&later) + (size_t)(j + 1) * size, at);
        later.count++;
        code = later_flush(&later, 0, j + 1, false);
    }
    return code;
}

/* Blocks of reflections, the last first, each as I - V T V^H (Schreiber and Van Loan 1989). Q begins as the identity, and a block touches
 * only rows from its first one on. */
tn_error tni_reflect_form(const tni_reflect *reflect, int64_t m, int64_t columns, int64_t count, const void *v, const void *tau,
                          void *q) {
    const reflect_elements *elements = &elements_of[reflect->kind];
    size_t size = reflect->size;
    enum { B = REFLECT_TOGETHER };
    char *t = reflect->room, *with = t + (size_t)(B * B) * size, *turned = with + (size_t)(B * tni_max_i64(m, columns)) * size;
    memset(q, 0, (size_t)(m * columns) * size);
    for (int64_t j = 0; j < tni_min_i64(m, columns); j++)
        elements->put(tni_reflect_at(reflect, q, m, j, j), 1, 0);
    tn_error code = TN_OK;
    for (int64_t begin = (count - 1) / B * B; begin >= 0 && count && code == TN_OK; begin -= B) {
        int64_t k = tni_min_i64(B, count - begin), rows = m - begin;
        const char *vectors = (const char *)v + (size_t)(begin * m + begin) * size;
        code = tni_reflect_product(reflect, k, k, rows, 1, vectors, m, true, vectors, m, false, t, B, false);
        if (code != TN_OK)
            break;
        for (int64_t j = 0; j < k; j++) { /* column j of T is -tau T(0:j, 0:j) (V^H v), and tau */
            const char *at = (const char *)tau + (size_t)(begin + j) * size;
            char *column = t + (size_t)(j * B) * size;
            elements->times(column, j, -elements->get(at, 0), -elements->get(at, 1));
            memcpy(with, column, (size_t)j * size);
            memset(column, 0, (size_t)k * size);
            reflect->loops->add(column, t, B, with, 1, j, j, 1, false);
            memcpy(column + (size_t)j * size, at, size);
        }
        char *part = tni_reflect_at(reflect, q, m, begin, 0);
        code = tni_reflect_product(reflect, k, columns, rows, 1, vectors, m, true, part, m, false, with, B, false);
        if (code == TN_OK)
            code = tni_reflect_product(reflect, k, columns, k, 1, t, B, false, with, B, false, turned, B, false);
        if (code == TN_OK)
            code = tni_reflect_product(reflect, rows, columns, k, -1, vectors, m, false, turned, B, false, part, m, true);
    }
    return code;
}

bool tni_reflect_level(const tni_reflect *reflect, void *a, int64_t count, int *exponent) {
    double most = elements_of[reflect->kind].largest(a, count);
    *exponent = 0;
    if (!isfinite(most))
        return false;
    if (most > 0)
        (void)frexp(most, exponent);
    /* A power that is out of range is two that are not. */
    int first = *exponent < -1000 || *exponent > 1000 ? -*exponent / 2 : -*exponent;
    for (int rest = -*exponent; rest; rest -= first, first = rest)
        elements_of[reflect->kind].times(a, count, ldexp(1, first), 0);
    return true;
}

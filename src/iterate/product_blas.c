/* product_blas.c - see product_blas.h. The provider in use, and products in its terms.
 *
 * Providers that were ever chosen stay in a table, so that calls under way may go on with the one they found; `blas_current` points to
 * an entry that is complete, or is NULL. The environment is asked once, before anything else is.
 */
#include "iterate/product_blas.h"

#include <math.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/parallel.h"
#include "base/warn.h"

enum { BLAS_PROVIDERS = 8, BLAS_ROW_MAJOR = 101, BLAS_PLAIN = 111, BLAS_TRANSPOSED = 112, BLAS_CONJUGATED = 113 };

static tn_blas blas_table[BLAS_PROVIDERS];
static int blas_count;
static pthread_mutex_t blas_lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_once_t blas_once = PTHREAD_ONCE_INIT;
static _Atomic(const tn_blas *) blas_current;
static char blas_complaint[192]; /* why the environment is not obeyed; written once */
static _Atomic bool blas_complained;

/* ---- a call */

/* A product in CBLAS's terms, by rows. */
typedef struct blas_call {
    int transpose_a, transpose_b;
    int64_t m, n, k, lda, ldb, ldc;
    const void *a, *b;
    void *c;
    tn_complex128 alpha, beta;
} blas_call;

#define BLAS_REAL(name, T, INT)                                                                                                \
    static void name(tn_blas_function function, const blas_call *call) {                                                       \
        typedef void (*gemm)(int, int, int, INT, INT, INT, T, const T *, INT, const T *, INT, T, T *, INT);                    \
        ((gemm)function)(BLAS_ROW_MAJOR, call->transpose_a, call->transpose_b, (INT)call->m, (INT)call->n, (INT)call->k,       \
                         (T)call->alpha.real, call->a, (INT)call->lda, call->b, (INT)call->ldb, (T)call->beta.real, call->c,   \
                         (INT)call->ldc);                                                                                      \
    }
#define BLAS_COMPLEX(name, T, INT)                                                                                             \
    static void name(tn_blas_function function, const blas_call *call) {                                                       \
        typedef void (*gemm)(int, int, int, INT, INT, INT, const void *, const void *, INT, const void *, INT, const void *,   \
                             void *, INT);                                                                                     \
        T alpha[2] = {(T)call->alpha.real, (T)call->alpha.imag}, beta[2] = {(T)call->beta.real, (T)call->beta.imag};           \
        ((gemm)function)(BLAS_ROW_MAJOR, call->transpose_a, call->transpose_b, (INT)call->m, (INT)call->n, (INT)call->k,       \
                         alpha, call->a, (INT)call->lda, call->b, (INT)call->ldb, beta, call->c, (INT)call->ldc);              \
    }
BLAS_REAL(blas_float, float, int)
BLAS_REAL(blas_float_wide, float, int64_t)
BLAS_REAL(blas_double, double, int)
BLAS_REAL(blas_double_wide, double, int64_t)
BLAS_COMPLEX(blas_complex_float, float, int)
BLAS_COMPLEX(blas_complex_float_wide, float, int64_t)
BLAS_COMPLEX(blas_complex_double, double, int)
BLAS_COMPLEX(blas_complex_double_wide, double, int64_t)
#undef BLAS_REAL
#undef BLAS_COMPLEX

static tn_blas_function blas_function(const tn_blas *blas, tn_dtype dtype) {
    switch (dtype) {
    case TN_FLOAT32: return blas->sgemm;
    case TN_FLOAT64: return blas->dgemm;
    case TN_COMPLEX64: return blas->cgemm;
    case TN_COMPLEX128: return blas->zgemm;
    default: return NULL;
    }
}

static void blas_do(const tn_blas *blas, tn_dtype dtype, const blas_call *call) {
    tn_blas_function function = blas_function(blas, dtype);
    switch (dtype) {
    case TN_FLOAT32: (blas->wide ? blas_float_wide : blas_float)(function, call); break;
    case TN_FLOAT64: (blas->wide ? blas_double_wide : blas_double)(function, call); break;
    case TN_COMPLEX64: (blas->wide ? blas_complex_float_wide : blas_complex_float)(function, call); break;
    default: (blas->wide ? blas_complex_double_wide : blas_complex_double)(function, call); break;
    }
}

/* ---- trials */

enum { TRIAL_M = 5, TRIAL_N = 7, TRIAL_K = 19, TRIAL_MOST = 24 };

/* Small whole numbers, so that every sum is exact; imaginary parts where there are such. */
static void trial_fill(tn_dtype dtype, void *data, int64_t count, int64_t from) {
    for (int64_t i = 0; i < count; i++) {
        tn_complex128 value = {(double)((i * 7 + from) % 11 - 5), (double)((i * 5 + from) % 7 - 3)};
        tn_dtype_convert(dtype, (char *)data + i * (int64_t)tni_dtype_size(dtype), TN_COMPLEX128, &value, 1);
    }
}

static tn_complex128 trial_at(tn_dtype dtype, const void *data, int64_t i) {
    tn_complex128 value = {0, 0};
    tn_dtype_convert(TN_COMPLEX128, &value, dtype, (const char *)data + i * (int64_t)tni_dtype_size(dtype), 1);
    return value;
}

/* Whether a product of these sizes is right: with a NaN in C and beta 0, then with beta 1 over that. B is transposed, A as it is. */
static bool trial_passes(const tn_blas *blas, tn_dtype dtype, int64_t m, int64_t n, int64_t k) {
    _Alignas(64) char a[TRIAL_MOST * TRIAL_MOST * 16], b[TRIAL_MOST * TRIAL_MOST * 16], c[TRIAL_MOST * TRIAL_MOST * 16];
    const tn_complex128 none = {NAN, NAN};
    bool complex = tn_dtype_is_complex(dtype), good = true;
    trial_fill(dtype, a, m * k, 3);
    trial_fill(dtype, b, n * k, 8);
    for (int64_t i = 0; i < m * n; i++)
        tn_dtype_convert(dtype, c + i * (int64_t)tni_dtype_size(dtype), TN_COMPLEX128, &none, 1);
    blas_call call = {.transpose_a = BLAS_PLAIN,
                      .transpose_b = complex ? BLAS_CONJUGATED : BLAS_TRANSPOSED,
                      .m = m,
                      .n = n,
                      .k = k,
                      .lda = k,
                      .ldb = k,
                      .ldc = n,
                      .a = a,
                      .b = b,
                      .c = c,
                      .alpha = {2, 0}};
    for (int pass = 1; pass <= 2; pass++) {
        blas_do(blas, dtype, &call);
        for (int64_t i = 0; i < m * n && good; i++) {
            tn_complex128 sum = {0, 0}, made = trial_at(dtype, c, i);
            for (int64_t p = 0; p < k; p++) {
                tn_complex128 x = trial_at(dtype, a, i / n * k + p), y = trial_at(dtype, b, i % n * k + p);
                sum.real += x.real * y.real + x.imag * y.imag;
                sum.imag += x.imag * y.real - x.real * y.imag;
            }
            good = made.real == 2 * pass * sum.real && made.imag == 2 * pass * sum.imag;
        }
        call.beta.real = 1;
    }
    return good;
}

static const struct blas_kind {
    tn_dtype dtype;
    const char *name;
} blas_kinds[] = {{TN_FLOAT32, "sgemm"}, {TN_FLOAT64, "dgemm"}, {TN_COMPLEX64, "cgemm"}, {TN_COMPLEX128, "zgemm"}};

/* The name of a function whose products are wrong, or NULL. */
static const char *blas_wrong(const tn_blas *blas) {
    for (size_t i = 0; i < TNI_COUNT_OF(blas_kinds); i++)
        if (blas_function(blas, blas_kinds[i].dtype) &&
            (!trial_passes(blas, blas_kinds[i].dtype, TRIAL_M, TRIAL_N, TRIAL_K) ||
             !trial_passes(blas, blas_kinds[i].dtype, TRIAL_MOST, TRIAL_MOST, TRIAL_MOST)))
            return blas_kinds[i].name;
    return NULL;
}

/* ---- which one is in use */

static bool blas_same(const tn_blas *a, const tn_blas *b) {
    return a->sgemm == b->sgemm && a->dgemm == b->dgemm && a->cgemm == b->cgemm && a->zgemm == b->zgemm && a->wide == b->wide &&
           strcmp(a->name, b->name) == 0 && strcmp(a->about, b->about) == 0;
}

/* The entry of a provider; where it has none, a new one if it has passed its trial. NULL where there is no room. */
static const tn_blas *blas_entry(const tn_blas *blas, bool passed) {
    const tn_blas *entry = NULL;
    (void)pthread_mutex_lock(&blas_lock);
    for (int i = 0; i < blas_count && !entry; i++)
        if (blas_same(&blas_table[i], blas))
            entry = &blas_table[i];
    if (!entry && passed && blas_count < BLAS_PROVIDERS) {
        blas_table[blas_count] = *blas;
        entry = &blas_table[blas_count++];
    }
    (void)pthread_mutex_unlock(&blas_lock);
    return entry;
}

/* Once: TENON_BLAS. */
static void blas_read_environment(void) {
    const char *name = getenv("TENON_BLAS");
    tn_blas found = {.struct_size = sizeof found};
    char why[120];
    if (!name || !*name || strcmp(name, "built-in") == 0)
        return;
    const char *wrong = NULL;
    if (tni_blas_find(name, &found, why, sizeof why) == TN_OK && !(wrong = blas_wrong(&found))) {
        atomic_store_explicit(&blas_current, blas_entry(&found, true), memory_order_release);
        return;
    }
    if (wrong)
        snprintf(why, sizeof why, "its %s gives wrong products", wrong);
    snprintf(blas_complaint, sizeof blas_complaint, "TENON_BLAS=%.40s is not used: %s", name, why);
}

/* That the environment is not obeyed is told once, as a warning; who listens may ask again, so nothing is locked then. */
static const tn_blas *blas_find(void) {
    (void)pthread_once(&blas_once, blas_read_environment);
    if (TNI_UNLIKELY(blas_complaint[0]) && !atomic_exchange(&blas_complained, true))
        tni_warn("%s; products are computed by the built-in engine", blas_complaint);
    return atomic_load_explicit(&blas_current, memory_order_acquire);
}

/* A table that may be shorter or longer than ours: what it has, in *known. */
static bool blas_known(const tn_blas *blas, const char *function, tn_blas *known) {
    *known = (tn_blas){0};
    if (!blas || blas->struct_size < offsetof(tn_blas, wide) || blas->struct_size > 64 * sizeof *blas) {
        tni_raise_in(function, TN_ERROR_ARGUMENT, blas ? "struct_size %zu is not the size of a tn_blas" : "blas is NULL",
                     blas ? blas->struct_size : 0);
        return false;
    }
    memcpy(known, blas, blas->struct_size < sizeof *known ? blas->struct_size : sizeof *known);
    known->struct_size = sizeof *known;
    known->name[sizeof known->name - 1] = known->about[sizeof known->about - 1] = 0;
    return true;
}

tn_error tn_blas_use(const tn_blas *blas) {
    static const char function[] = "blas_use";
    tn_blas known;
    (void)blas_find();
    if (!blas) {
        atomic_store_explicit(&blas_current, NULL, memory_order_release);
        return TN_OK;
    }
    if (!blas_known(blas, function, &known))
        return TN_ERROR_ARGUMENT;
    if (!known.sgemm && !known.dgemm && !known.cgemm && !known.zgemm)
        return tni_raise_in(function, TN_ERROR_ARGUMENT, "the provider \"%s\" has no function", known.name);
    const tn_blas *entry = blas_entry(&known, false);
    if (!entry) {
        const char *wrong = blas_wrong(&known);
        if (wrong)
            return tni_raise_in(function, TN_ERROR_STATE, "%s of the provider \"%s\" gives wrong products in a trial", wrong,
                                known.name);
        entry = blas_entry(&known, true);
    }
    if (!entry)
        return tni_raise_in(function, TN_ERROR_STATE, "there were %d different providers already", BLAS_PROVIDERS);
    atomic_store_explicit(&blas_current, entry, memory_order_release);
    return TN_OK;
}

tn_error tn_blas_in_use(tn_blas *blas) {
    tn_blas known;
    if (!blas_known(blas, "blas_in_use", &known))
        return TN_ERROR_ARGUMENT;
    const tn_blas *used = blas_find();
    size_t size = blas->struct_size;
    tn_blas none = {.name = "built-in"};
    snprintf(none.about, sizeof none.about, "%s", blas_complaint);
    memcpy(blas, used ? used : &none, size < sizeof *blas ? size : sizeof *blas);
    blas->struct_size = size;
    return TN_OK;
}

tn_error tn_blas_load(const char *name, tn_blas *blas) {
    static const char function[] = "blas_load";
    tn_blas known, found = {.struct_size = sizeof found};
    char why[256];
    if (!blas_known(blas, function, &known))
        return TN_ERROR_ARGUMENT;
    if (!name || !*name)
        return tni_raise_in(function, TN_ERROR_ARGUMENT, "name is %s", name ? "empty" : "NULL");
    tn_error code = tni_blas_find(name, &found, why, sizeof why);
    if (code != TN_OK)
        return tni_raise_in(function, code, "%s", why);
    size_t size = blas->struct_size;
    memcpy(blas, &found, size < sizeof found ? size : sizeof found);
    blas->struct_size = size;
    return TN_OK;
}

/* ---- products */

static bool blas_counts(const tn_blas *blas, int64_t value) { return blas->wide || value <= INT32_MAX; }

/* A factor of (rows, columns): how it is transposed, and its leading dimension. */
static bool blas_factor(const tn_blas *blas, const tni_product_operand *matrix, int64_t rows, int64_t columns, int *transpose,
                        int64_t *leading) {
    int64_t row = rows > 1 ? matrix->row : columns, column = columns > 1 ? matrix->column : rows;
    if (!matrix->conjugate && (columns <= 1 || column == 1) && row >= columns) {
        *transpose = BLAS_PLAIN;
        *leading = tni_max_i64(row, 1);
    } else if ((rows <= 1 || row == 1) && column >= rows) {
        *transpose = matrix->conjugate ? BLAS_CONJUGATED : BLAS_TRANSPOSED;
        *leading = tni_max_i64(column, 1);
    } else {
        return false;
    }
    return blas_counts(blas, *leading);
}

/* Whether two operands are the same elements. */
static bool blas_is(const tni_product *product, const tni_product_operand *one, const tni_product_operand *other) {
    bool is = one->data == other->data && one->dtype == other->dtype && one->row == other->row && one->column == other->column;
    for (int64_t d = 0; d < product->batch_ndim && is; d++)
        is = (one->batch ? one->batch[d] : 0) == (other->batch ? other->batch[d] : 0);
    return is;
}

/* Whether BLAS's own alpha and beta are all there is to do to the sums. */
static bool blas_weighs(const tni_product *product) {
    tni_product rest = *product;
    rest.alpha = TNI_PRODUCT_ONE;
    rest.d.data = NULL;
    return tni_finish_is_plain(&rest) && (!tni_finish_reads_d(product) || blas_is(product, &product->d, &product->c));
}

static bool blas_fits(const tn_blas *blas, const tni_product *product, blas_call *call) {
    const tni_product_operand *a = &product->a, *b = &product->b, *c = &product->c;
    if (!blas_function(blas, product->compute) || a->dtype != product->compute || b->dtype != product->compute ||
        c->dtype != product->compute || c->column != 1 || c->row < product->n || !blas_counts(blas, product->m) ||
        !blas_counts(blas, product->n) || !blas_counts(blas, product->k) || !blas_counts(blas, c->row))
        return false;
    /* Sums that are finished later wait in C, which nobody reads. */
    if (!blas_weighs(product) &&
        ((tni_finish_reads_d(product) && product->d.data == c->data) || product->residual.data == c->data))
        return false;
    *call = (blas_call){.m = product->m, .n = product->n, .k = product->k, .ldc = c->row};
    return blas_factor(blas, a, product->m, product->k, &call->transpose_a, &call->lda) &&
           blas_factor(blas, b, product->k, product->n, &call->transpose_b, &call->ldb);
}

typedef struct blas_rows {
    const tni_product *product;
    const tni_finish *finish;
    int64_t batch;
} blas_rows;

static void blas_finish(void *argument, int64_t begin, int64_t end) {
    const blas_rows *rows = argument;
    const tni_product *product = rows->product;
    char *c = tni_product_at(product, &product->c, rows->batch);
    for (int64_t i = begin; i < end; i++)
        tni_finish_row(rows->finish, rows->batch, i, 0, c + i * product->c.row * (int64_t)tni_dtype_size(product->compute),
                       product->n);
}

static bool blas_run(const tn_blas *blas, blas_call call, const tni_product *product, const tni_finish *finish, int64_t count) {
    bool weighs = blas_weighs(product);
    call.alpha.real = 1;
    if (weighs) {
        bool complex = tn_dtype_is_complex(product->compute);
        call.alpha = complex ? product->alpha.complex : (tn_complex128){product->alpha.real, 0};
        if (tni_finish_reads_d(product))
            call.beta = complex ? product->beta.complex : (tn_complex128){product->beta.real, 0};
    }
    for (int64_t batch = 0; batch < count; batch++) {
        call.a = tni_product_at(product, &product->a, batch);
        call.b = tni_product_at(product, &product->b, batch);
        call.c = tni_product_at(product, &product->c, batch);
        blas_do(blas, product->compute, &call);
        blas_rows rows = {product, finish, batch};
        int64_t grain = tni_max_i64(1, TNI_POINTWISE_GRAIN / product->n);
        if (!weighs && !tni_parallel_for(product->m, grain, blas_finish, &rows))
            return false;
        if (TNI_UNLIKELY(!tni_goes_on()))
            return false;
    }
    return true;
}

bool tni_blas_takes(const tni_product *product, const tni_finish *finish, int64_t count, bool *done) {
    const tn_blas *blas = blas_find();
    blas_call call;
    if (TNI_LIKELY(!blas) || !blas_fits(blas, product, &call))
        return false;
    *done = blas_run(blas, call, product, finish, count);
    return true;
}

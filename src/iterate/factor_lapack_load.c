/* factor_lapack_load.c - the LAPACK in use (tenon/lapack.h): found at run time, tried before it is used.
 *
 * Providers that were ever chosen stay in a table, so that calls under way may go on with the one they found; `lapack_current` points to
 * an entry that is complete, or is NULL. The environment is asked once, before anything else is.
 */
#include <math.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/library.h"
#include "base/warn.h"
#include "iterate/factor_lapack.h"
#include "iterate/limits.h"

enum { LAPACK_PROVIDERS = 8, LAPACK_TRIAL = 5 };

static tn_lapack lapack_table[LAPACK_PROVIDERS];
static int lapack_count;
static pthread_mutex_t lapack_lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_once_t lapack_once = PTHREAD_ONCE_INIT;
static _Atomic(const tn_lapack *) lapack_current;
static char lapack_complaint[256]; /* why the environment is not obeyed; written once */
static _Atomic bool lapack_complained;

static const tn_dtype lapack_dtypes[4] = {TN_FLOAT32, TN_FLOAT64, TN_COMPLEX64, TN_COMPLEX128};
static const char *const lapack_names[TN_LAPACK_ROUTINES] = {"potrf", "getrf", "getrs", "geqrf",
                                                             "orgqr", "syevd", "gesdd", "geev"};

/* ---- finding */

static const tni_library_file lapack_files[] = {
    {"openblas", "libopenblas.so.0"}, {"openblas", "libopenblas.so"}, {"openblas", "libopenblas.dylib"},
    {"lapack", "liblapack.so.3"},     {"lapack", "liblapack.so"},     {"mkl", "libmkl_rt.so.2"},
    {"mkl", "libmkl_rt.so.1"},        {"mkl", "libmkl_rt.so"},        {"flexiblas", "libflexiblas.so.3"},
    {"flexiblas", "libflexiblas.so"},
};

/* How functions are called; those with a 64 have integers of 64 bits. */
static const struct lapack_spelling {
    const char *before, *after, *plain; /* plain: after the names of C functions */
    bool wide;
} lapack_spellings[] = {
    {"", "_", "", false}, {"", "_64_", "64_", true}, {"scipy_", "_", "", false}, {"scipy_", "_64_", "64_", true}};

/* LAPACK calls the symmetric ones of complex numbers Hermitian, and the orthogonal ones unitary. */
static void lapack_name(char *name, size_t size, int routine, int at) {
    const char *rest = at >= 2 && routine == TN_LAPACK_SYEVD   ? "heevd"
                       : at >= 2 && routine == TN_LAPACK_ORGQR ? "ungqr"
                                                               : lapack_names[routine];
    snprintf(name, size, "%c%s", "sdcz"[at], rest);
}

static bool lapack_gather(void *library, tn_lapack *lapack) {
    bool any = false;
    for (size_t i = 0; i < TNI_COUNT_OF(lapack_spellings) && !any; i++) {
        const struct lapack_spelling *spelling = &lapack_spellings[i];
        for (int routine = 0; routine < TN_LAPACK_ROUTINES; routine++)
            for (int at = 0; at < 4; at++) {
                char name[16];
                lapack_name(name, sizeof name, routine, at);
                lapack->functions[routine][at] = tni_library_symbol(library, spelling->before, name, spelling->after);
                any = any || lapack->functions[routine][at];
            }
        if (any)
            lapack->wide =
                tni_library_describe(library, spelling->before, spelling->plain, lapack->about, sizeof lapack->about) ||
                spelling->wide;
    }
    return any;
}

tn_error tni_lapack_find(const char *name, tn_lapack *lapack, char *why, size_t size) {
    void *library;
    tn_error code = tni_library_open(lapack_files, TNI_COUNT_OF(lapack_files), name, &library, why, size);
    if (code != TN_OK)
        return code;
    snprintf(lapack->name, sizeof lapack->name, "%s", name);
    if (lapack_gather(library, lapack))
        return TN_OK;
    tni_library_close(library);
    snprintf(why, size, "the library \"%s\" has none of LAPACK's functions dpotrf_, dgetrf_ and so on", name);
    return TN_ERROR_IO;
}

/* ---- trials: a Hermitian positive definite matrix, factored in every way and put together again */

typedef struct lapack_trial {
    tni_factor factor;
    tn_complex128 a[LAPACK_TRIAL * LAPACK_TRIAL]; /* by columns, as are all of these */
    char made[2][LAPACK_TRIAL * LAPACK_TRIAL * 16], values[LAPACK_TRIAL * 16];
} lapack_trial;

static void lapack_trial_begin(lapack_trial *trial, int at) {
    memset(trial, 0, sizeof *trial);
    tni_factor_begin(&trial->factor, lapack_dtypes[at]);
    for (int j = 0; j < LAPACK_TRIAL; j++)
        for (int i = 0; i < LAPACK_TRIAL; i++)
            trial->a[i + j * LAPACK_TRIAL] =
                (tn_complex128){(i == j ? 2 + i : 0) + 1.0 / (1 + abs(i - j)), at >= 2 ? 0.25 * (i - j) : 0};
    tn_dtype_convert(lapack_dtypes[at], trial->made[0], TN_COMPLEX128, trial->a, LAPACK_TRIAL * LAPACK_TRIAL);
}

/* Whether x diag(d) y, or x diag(d) y^H, is c. d NULL: ones. */
static bool lapack_trial_holds(const tn_complex128 *x, const tn_complex128 *d, const tn_complex128 *y, bool adjoint,
                               const tn_complex128 *c) {
    enum { N = LAPACK_TRIAL };
    double worst = 0;
    for (int i = 0; i < N; i++)
        for (int j = 0; j < N; j++) {
            tn_complex128 sum = {0, 0};
            for (int k = 0; k < N; k++) {
                tn_complex128 u = x[i + k * N], v = adjoint ? y[j + k * N] : y[k + j * N], s = d ? d[k] : (tn_complex128){1, 0};
                v.imag = adjoint ? -v.imag : v.imag;
                u = (tn_complex128){u.real * s.real - u.imag * s.imag, u.real * s.imag + u.imag * s.real};
                sum.real += u.real * v.real - u.imag * v.imag;
                sum.imag += u.real * v.imag + u.imag * v.real;
            }
            double error = fmax(fabs(sum.real - c[i + j * N].real), fabs(sum.imag - c[i + j * N].imag));
            worst = error <= worst ? worst : error; /* NaN stays */
        }
    return worst < 1e-4;
}

/* Keeps a triangle. */
static void lapack_trial_cut(tn_complex128 *x, bool lower) {
    for (int j = 0; j < LAPACK_TRIAL; j++)
        for (int i = 0; i < LAPACK_TRIAL; i++)
            if (lower ? i < j : i > j)
                x[i + j * LAPACK_TRIAL] = (tn_complex128){0, 0};
}

/* False where a function is wrong; *memory where there was none. */
static bool lapack_trial_passes(const tn_lapack *lapack, int routine, int at, bool *memory) {
    enum { N = LAPACK_TRIAL, NN = N * N };
    lapack_trial trial;
    tn_complex128 x[NN], y[NN], values[N], one[NN] = {{0, 0}};
    lapack_trial_begin(&trial, at);
    tn_dtype dtype = lapack_dtypes[at], real = tn_dtype_to_real(dtype);
    tni_matrix first = {trial.made[0], 1, N}, second = {trial.made[1], 1, N};
    int32_t pivots[N] = {0};
    int64_t info = 0;
    bool done = true, converged = true;
    for (int i = 0; i < N; i++)
        one[i * (N + 1)].real = 1;
    switch (routine) {
    case TN_LAPACK_POTRF:
        done = tni_lapack_cholesky(lapack, &trial.factor, N, first, &info);
        tn_dtype_convert(TN_COMPLEX128, x, dtype, trial.made[0], NN);
        lapack_trial_cut(x, true);
        converged = info == 0 && lapack_trial_holds(x, NULL, x, true, trial.a);
        break;
    case TN_LAPACK_GETRF:
    case TN_LAPACK_GETRS:
        if (!lapack->functions[TN_LAPACK_GETRF][at] || !lapack->functions[TN_LAPACK_GETRS][at])
            break;
        tn_dtype_convert(dtype, trial.made[1], TN_COMPLEX128, one, NN);
        done = tni_lapack_lu(lapack, &trial.factor, N, N, first, pivots, &info);
        for (int i = 0; i < N; i++)
            converged = converged && pivots[i] >= 1 && pivots[i] <= N;
        done = done && (!converged || tni_lapack_solve(lapack, &trial.factor, N, N, first, pivots, second, 'N'));
        tn_dtype_convert(TN_COMPLEX128, x, dtype, trial.made[1], NN);
        converged = converged && info == 0 && lapack_trial_holds(trial.a, NULL, x, false, one);
        break;
    case TN_LAPACK_GEQRF:
    case TN_LAPACK_ORGQR:
        if (!lapack->functions[TN_LAPACK_GEQRF][at] || !lapack->functions[TN_LAPACK_ORGQR][at])
            break;
        done = tni_lapack_qr(lapack, &trial.factor, N, N, first, trial.values) &&
               tni_lapack_q(lapack, &trial.factor, N, N, N, first, trial.values, second);
        tn_dtype_convert(TN_COMPLEX128, x, dtype, trial.made[0], NN);
        tn_dtype_convert(TN_COMPLEX128, y, dtype, trial.made[1], NN);
        lapack_trial_cut(x, false);
        converged = lapack_trial_holds(y, NULL, x, false, trial.a);
        break;
    case TN_LAPACK_SYEVD:
        done = tni_lapack_eigh(lapack, dtype, N, trial.made[0], trial.values, true, false, &converged);
        tn_dtype_convert(TN_COMPLEX128, x, dtype, trial.made[0], NN);
        tn_dtype_convert(TN_COMPLEX128, values, real, trial.values, N);
        converged = converged && lapack_trial_holds(x, values, x, true, trial.a);
        break;
    case TN_LAPACK_GESDD: {
        char right[NN * 16];
        done = tni_lapack_svd(lapack, dtype, N, N, trial.made[0], trial.values, trial.made[1], N, right, &converged);
        if (!done)
            break;
        tn_dtype_convert(TN_COMPLEX128, x, dtype, trial.made[1], NN);
        tn_dtype_convert(TN_COMPLEX128, y, dtype, right, NN);
        tn_dtype_convert(TN_COMPLEX128, values, real, trial.values, N);
        converged = converged && lapack_trial_holds(x, values, y, true, trial.a);
        break;
    }
    default:
        if (at % 2 == 0) /* never used */
            break;
        done = tni_lapack_eig(lapack, dtype, N, trial.made[0], values, x, &converged);
        converged =
            converged && lapack_trial_holds(x, values, x, true, trial.a); /* those of a Hermitian matrix are orthogonal */
    }
    *memory = done;
    return !done || converged;
}

tn_error tni_lapack_try(const tn_lapack *lapack, char *wrong, size_t size) {
    for (int routine = 0; routine < TN_LAPACK_ROUTINES; routine++)
        for (int at = 0; at < 4; at++) {
            bool memory = true;
            if (!lapack->functions[routine][at])
                continue;
            bool passes = lapack_trial_passes(lapack, routine, at, &memory);
            if (!memory)
                return TN_ERROR_MEMORY;
            if (!passes) {
                lapack_name(wrong, size, routine, at);
                return TN_ERROR_STATE;
            }
        }
    return TN_OK;
}

/* ---- which one is in use */

static bool lapack_same(const tn_lapack *a, const tn_lapack *b) {
    return memcmp(a->functions, b->functions, sizeof a->functions) == 0 && a->wide == b->wide &&
           strcmp(a->name, b->name) == 0 && strcmp(a->about, b->about) == 0;
}

/* The entry of a provider; where it has none, a new one if it has passed its trial. NULL where there is no room. */
static const tn_lapack *lapack_entry(const tn_lapack *lapack, bool passed) {
    const tn_lapack *entry = NULL;
    (void)pthread_mutex_lock(&lapack_lock);
    for (int i = 0; i < lapack_count && !entry; i++)
        if (lapack_same(&lapack_table[i], lapack))
            entry = &lapack_table[i];
    if (!entry && passed && lapack_count < LAPACK_PROVIDERS) {
        lapack_table[lapack_count] = *lapack;
        entry = &lapack_table[lapack_count++];
    }
    (void)pthread_mutex_unlock(&lapack_lock);
    return entry;
}

/* Once: TENON_LAPACK. */
static void lapack_read_environment(void) {
    const char *name = getenv("TENON_LAPACK");
    tn_lapack found = {.struct_size = sizeof found};
    char why[160], wrong[16];
    if (!name || !*name || strcmp(name, "built-in") == 0)
        return;
    tn_error code = tni_lapack_find(name, &found, why, sizeof why);
    if (code == TN_OK) {
        code = tni_lapack_try(&found, wrong, sizeof wrong);
        if (code == TN_ERROR_MEMORY)
            snprintf(why, sizeof why, "there is no memory to try it");
        else if (code != TN_OK)
            snprintf(why, sizeof why, "its %s gives wrong results", wrong);
    }
    if (code == TN_OK)
        atomic_store_explicit(&lapack_current, lapack_entry(&found, true), memory_order_release);
    else
        snprintf(lapack_complaint, sizeof lapack_complaint, "TENON_LAPACK=%.40s is not used: %s", name, why);
}

/* That the environment is not obeyed is told once, as a warning; who listens may ask again, so nothing is locked then. */
static const tn_lapack *lapack_seek(void) {
    (void)pthread_once(&lapack_once, lapack_read_environment);
    if (TNI_UNLIKELY(lapack_complaint[0]) && !atomic_exchange(&lapack_complained, true))
        tni_warn("%s; matrices are factored by the built-in algorithms", lapack_complaint);
    return atomic_load_explicit(&lapack_current, memory_order_acquire);
}

const tn_lapack *tni_lapack_takes(tn_lapack_routine routine, tn_dtype dtype, int64_t n) {
    if (n <= TNI_LANES_SIDE || n > INT32_MAX)
        return NULL;
    const tn_lapack *lapack = lapack_seek();
    if (TNI_LIKELY(!lapack))
        return NULL;
    tni_factor factor;
    tni_factor_begin(&factor, dtype);
    bool pair = routine == TN_LAPACK_GEQRF || routine == TN_LAPACK_ORGQR;
    if (pair && (!lapack->functions[TN_LAPACK_GEQRF][factor.at] || !lapack->functions[TN_LAPACK_ORGQR][factor.at]))
        return NULL;
    return lapack->functions[routine][factor.at] ? lapack : NULL;
}

/* A table that may be shorter or longer than ours: what it has, in *known. */
static bool lapack_known(const tn_lapack *lapack, const char *function, tn_lapack *known) {
    *known = (tn_lapack){0};
    if (!lapack || lapack->struct_size < offsetof(tn_lapack, wide) || lapack->struct_size > 64 * sizeof *lapack) {
        tni_raise_in(function, TN_ERROR_ARGUMENT, lapack ? "struct_size %zu is not the size of a tn_lapack" : "lapack is NULL",
                     lapack ? lapack->struct_size : 0);
        return false;
    }
    memcpy(known, lapack, lapack->struct_size < sizeof *known ? lapack->struct_size : sizeof *known);
    known->struct_size = sizeof *known;
    known->name[sizeof known->name - 1] = known->about[sizeof known->about - 1] = 0;
    return true;
}

tn_error tn_lapack_use(const tn_lapack *lapack) {
    static const char function[] = "lapack_use";
    tn_lapack known;
    char wrong[16];
    (void)lapack_seek();
    if (!lapack) {
        atomic_store_explicit(&lapack_current, NULL, memory_order_release);
        return TN_OK;
    }
    if (!lapack_known(lapack, function, &known))
        return TN_ERROR_ARGUMENT;
    bool any = false;
    for (int i = 0; i < TN_LAPACK_ROUTINES * 4; i++)
        any = any || known.functions[i / 4][i % 4];
    if (!any)
        return tni_raise_in(function, TN_ERROR_ARGUMENT, "the provider \"%s\" has no function", known.name);
    const tn_lapack *entry = lapack_entry(&known, false);
    if (!entry) {
        tn_error code = tni_lapack_try(&known, wrong, sizeof wrong);
        if (code == TN_ERROR_STATE)
            return tni_raise_in(function, TN_ERROR_STATE, "%s of the provider \"%s\" gives wrong results in a trial", wrong,
                                known.name);
        if (code != TN_OK)
            return code;
        entry = lapack_entry(&known, true);
    }
    if (!entry)
        return tni_raise_in(function, TN_ERROR_STATE, "there were %d different providers already", LAPACK_PROVIDERS);
    atomic_store_explicit(&lapack_current, entry, memory_order_release);
    return TN_OK;
}

tn_error tn_lapack_in_use(tn_lapack *lapack) {
    tn_lapack known;
    if (!lapack_known(lapack, "lapack_in_use", &known))
        return TN_ERROR_ARGUMENT;
    const tn_lapack *used = lapack_seek();
    size_t size = lapack->struct_size;
    tn_lapack none = {.name = "built-in"};
    snprintf(none.about, sizeof none.about, "%.*s", (int)sizeof none.about - 1, lapack_complaint);
    memcpy(lapack, used ? used : &none, size < sizeof *lapack ? size : sizeof *lapack);
    lapack->struct_size = size;
    return TN_OK;
}

tn_error tn_lapack_load(const char *name, tn_lapack *lapack) {
    static const char function[] = "lapack_load";
    tn_lapack known, found = {.struct_size = sizeof found};
    char why[256];
    if (!lapack_known(lapack, function, &known))
        return TN_ERROR_ARGUMENT;
    if (!name || !*name)
        return tni_raise_in(function, TN_ERROR_ARGUMENT, "name is %s", name ? "empty" : "NULL");
    tn_error code = tni_lapack_find(name, &found, why, sizeof why);
    if (code != TN_OK)
        return tni_raise_in(function, code, "%s", why);
    size_t size = lapack->struct_size;
    memcpy(lapack, &found, size < sizeof found ? size : sizeof found);
    lapack->struct_size = size;
    return TN_OK;
}

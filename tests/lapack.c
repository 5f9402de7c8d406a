/* lapack.c - matrices that a LAPACK factors: a fake one gets what is large enough and nothing else, wrong ones are refused; and the
 * libraries of this machine agree with the built-in algorithms, where there are any. TENON_TEST_LAPACK may name one more.
 *
 * Tests: src/iterate/factor_lapack.c, src/iterate/factor_lapack_load.c, src/base/library.c */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "test.h"

static int fake_calls;

/* L L^T of float64, by columns; of the upper triangle U^T U. */
#define FAKE_POTRF(name, INT)                                                                                                  \
    static void name(const char *uplo, const INT *n, double *a, const INT *lda, INT *info, size_t length) {                    \
        INT row = uplo[0] == 'L' ? 1 : *lda, column = uplo[0] == 'L' ? *lda : 1;                                               \
        fake_calls++;                                                                                                          \
        *info = 0;                                                                                                             \
        for (INT j = 0; j < *n && length == 1; j++)                                                                            \
            for (INT i = j; i < *n; i++) {                                                                                     \
                double sum = a[i * row + j * column];                                                                          \
                for (INT k = 0; k < j; k++)                                                                                    \
                    sum -= a[i * row + k * column] * a[j * row + k * column];                                                  \
                if (i == j && !(sum > 0)) {                                                                                    \
                    *info = j + 1;                                                                                             \
                    return;                                                                                                    \
                }                                                                                                              \
                a[i * row + j * column] = i == j ? sqrt(sum) : sum / a[j * row + j * column];                                  \
            }                                                                                                                  \
    }
FAKE_POTRF(fake_dpotrf, int32_t)
FAKE_POTRF(fake_dpotrf_wide, int64_t)

static void idle_potrf(void) {}

static void drop_lapack(void *unused) {
    (void)unused;
    tn_lapack_use(NULL);
}

static tn_lapack lapack_with(tn_lapack_function function, int at, const char *name) {
    tn_lapack lapack = {.struct_size = sizeof lapack, .about = "a test"};
    lapack.functions[TN_LAPACK_POTRF][at] = function;
    snprintf(lapack.name, sizeof lapack.name, "%s", name);
    return lapack;
}

static tn_tensor *lapack_random(tn_dims sizes, tn_dtype dtype, int seed) {
    int64_t count = 1;
    for (int64_t d = 0; d < sizes.count; d++)
        count *= sizes.values[d];
    tn_tensor *steps = tn_arange_start(seed + 1, (double)(seed + 1) + (double)count, 1, TN_FLOAT64);
    tn_tensor *real = tn_sin(tn_mul_scalar(tn_mul(steps, tn_add_scalar(tn_sqrt(steps), 3)), 12.9898));
    if (tn_dtype_is_complex(dtype))
        real = tn_complex(real, tn_cos(tn_mul_scalar(tn_mul(steps, steps), 7.233)));
    return tn_reshape(tn_to(real, dtype), sizes);
}

static tn_tensor *lapack_positive(int64_t batch, int64_t n, tn_dtype dtype) {
    tn_tensor *a = lapack_random(TN_DIMS(batch, n, n), dtype, 3);
    return tn_add(tn_matmul(a, tn_mH(a)), tn_mul_scalar(tn_eye(n, n, dtype), 2));
}

static bool lapack_near(const tn_tensor *a, const tn_tensor *b) {
    double tolerance = tn_dtype_of(b) == TN_FLOAT32 || tn_dtype_of(b) == TN_COMPLEX64 ? 2e-4 : 1e-11;
    return a && b && tn_allclose(a, b, tolerance, tolerance, false);
}

TEST(a_provider_gets_matrices_that_are_large_enough_and_only_what_it_has) {
    tn_lapack lapack = lapack_with((tn_lapack_function)fake_dpotrf, 1, "fake");
    TEST_DEFER(drop_lapack, NULL);
    tn_tensor *a = lapack_positive(3, 20, TN_FLOAT64), *small = lapack_positive(3, 4, TN_FLOAT64);
    tn_tensor *single = lapack_positive(3, 20, TN_FLOAT32), *l = tn_linalg_cholesky(a, false), *u = tn_linalg_cholesky(a, true);
    CHECK(l && u && small && single && tn_lapack_use(&lapack) == TN_OK);
    fake_calls = 0;
    CHECK(lapack_near(tn_linalg_cholesky(a, false), l));
    CHECK_INT(fake_calls, 3);
    CHECK(lapack_near(tn_linalg_cholesky(a, true), u));
    CHECK_INT(fake_calls, 6);
    CHECK(tn_linalg_cholesky(small, false) && tn_linalg_cholesky(single, false) && tn_linalg_lu_factor(a, true) &&
          tn_linalg_eigh(a, "L"));
    CHECK_INT(fake_calls, 6);
    CHECK(tn_fill_(tn_select(tn_select(tn_select(a, 0, 1), 0, 17), 0, 17), -1));
    CHECK_ERROR(TN_ERROR_LINALG, "matrix [1] of the batch is not positive definite: its leading minor of order 18",
                tn_linalg_cholesky(a, false));
    CHECK(tn_lapack_use(NULL) == TN_OK);
    fake_calls = 0;
    CHECK(tn_linalg_cholesky(l, false) || tn_error_code() != TN_OK);
    tn_error_clear();
    CHECK_INT(fake_calls, 0);
}

TEST(a_lapack_may_have_wide_integers) {
    tn_lapack lapack = lapack_with((tn_lapack_function)fake_dpotrf_wide, 1, "wide");
    TEST_DEFER(drop_lapack, NULL);
    lapack.wide = true;
    tn_tensor *a = lapack_positive(1, 18, TN_FLOAT64), *l = tn_linalg_cholesky(a, false);
    CHECK(a && l && tn_lapack_use(&lapack) == TN_OK);
    CHECK(lapack_near(tn_linalg_cholesky(a, false), l));
}

TEST(a_lapack_that_computes_wrongly_is_refused) {
    TEST_DEFER(drop_lapack, NULL);
    tn_lapack lapack = lapack_with(idle_potrf, 2, "idle"), used = {.struct_size = sizeof used};
    CHECK_ERROR(TN_ERROR_STATE, "lapack_use: cpotrf of the provider \"idle\" gives wrong results in a trial",
                tn_lapack_use(&lapack) == TN_OK);
    CHECK(tn_lapack_in_use(&used) == TN_OK);
    CHECK_TEXT(used.name, "built-in");
    lapack = lapack_with((tn_lapack_function)fake_dpotrf, 1, "fake");
    CHECK(tn_lapack_use(&lapack) == TN_OK && tn_lapack_in_use(&used) == TN_OK);
    CHECK_TEXT(used.name, "fake");
    CHECK_TEXT(used.about, "a test");
    CHECK(used.functions[TN_LAPACK_POTRF][1] == (tn_lapack_function)fake_dpotrf);
}

TEST(arguments_of_lapacks_are_checked) {
    tn_lapack lapack = {0}, none = {.struct_size = sizeof none};
    CHECK_ERROR(TN_ERROR_ARGUMENT, "struct_size 0", tn_lapack_use(&lapack) == TN_OK);
    CHECK_ERROR(TN_ERROR_ARGUMENT, "has no function", tn_lapack_use(&none) == TN_OK);
    CHECK_ERROR(TN_ERROR_ARGUMENT, "lapack is NULL", tn_lapack_in_use(NULL) == TN_OK);
    CHECK_ERROR(TN_ERROR_ARGUMENT, "lapack is NULL", tn_lapack_load("openblas", NULL) == TN_OK);
    CHECK_ERROR(TN_ERROR_ARGUMENT, "name is NULL", tn_lapack_load(NULL, &none) == TN_OK);
    CHECK_ERROR(TN_ERROR_ARGUMENT, "name is empty", tn_lapack_load("", &none) == TN_OK);
    CHECK_ERROR(TN_ERROR_IO, "lapack_load: the library \"libno_such_lapack.so\" cannot be loaded: ",
                tn_lapack_load("libno_such_lapack.so", &none) == TN_OK);
    CHECK_ERROR(TN_ERROR_IO, "has none of LAPACK's functions", tn_lapack_load("libm.so.6", &none) == TN_OK);
    CHECK(!none.name[0]);
}

/* Numbers that both ways agree on: factors are unique but for signs, which are those of LAPACK here too. */
static int64_t lapack_compute(tn_dtype dtype, int64_t n, tn_tensor **made) {
    int64_t count = 0, k = n - 3;
    tn_tensor *a = lapack_random(TN_DIMS(2, n, n), dtype, 5), *s = lapack_positive(2, n, dtype);
    tn_tensor *b = lapack_random(TN_DIMS(2, n, 4), dtype, 8), *tall = lapack_random(TN_DIMS(n, k), dtype, 2);
    CHECK(a && s && b && tall);
    tn_list *lu = tn_linalg_lu_factor(a, true), *qr = tn_linalg_qr(tall, "reduced"),
            *whole = tn_linalg_qr(tn_mT(tall), "complete");
    tn_list *full = tn_linalg_qr(tall, "complete"), *eigh = tn_linalg_eigh(s, "U"), *svd = tn_linalg_svd(tall, true, "none");
    tn_list *wide = tn_linalg_svd(tn_mT(tall), false, "none"),
            *eig = tn_linalg_eig(tn_add(s, tn_mul_scalar(tn_triu(a, 1), 0.01)));
    CHECK(lu && qr && whole && full && eigh && svd && wide && eig);
    made[count++] = tn_linalg_cholesky(s, false);
    made[count++] = tn_linalg_cholesky(tn_mT(s), true);
    made[count++] = tn_list_at(lu, 0);
    made[count++] = tn_list_at(lu, 1);
    made[count++] = tn_linalg_solve(s, b, true);
    made[count++] = tn_linalg_lu_solve(tn_list_at(lu, 0), tn_list_at(lu, 1), b, true, true);
    made[count++] = tn_linalg_lu_solve(tn_list_at(lu, 0), tn_list_at(lu, 1), tn_mT(b), false, false);
    made[count++] = tn_linalg_lu_solve(tn_list_at(lu, 0), tn_list_at(lu, 1), tn_mT(b), false, true);
    made[count++] = tn_linalg_inv(s);
    for (int64_t i = 0; i < 2; i++) {
        made[count++] = tn_list_at(qr, i);
        made[count++] = tn_list_at(whole, i);
        made[count++] = tn_matmul(tn_list_at(full, 0), tn_list_at(full, 1));
    }
    made[count++] = tn_list_at(eigh, 0);
    made[count++] = tn_linalg_eigvalsh(s, "L");
    made[count++] = tn_matmul(tn_mul(tn_list_at(eigh, 1), tn_unsqueeze(tn_list_at(eigh, 0), 1)), tn_mH(tn_list_at(eigh, 1)));
    made[count++] = tn_list_at(svd, 1);
    made[count++] = tn_linalg_svdvals(tall, "none");
    made[count++] = tn_matmul(tn_mul(tn_narrow(tn_list_at(svd, 0), 1, 0, k), tn_list_at(svd, 1)), tn_list_at(svd, 2));
    made[count++] = tn_matmul(tn_mH(tn_list_at(svd, 0)), tn_list_at(svd, 0));
    made[count++] = tn_matmul(tn_mul(tn_list_at(wide, 0), tn_list_at(wide, 1)), tn_list_at(wide, 2));
    tn_tensor *v = tn_list_at(eig, 1), *values = tn_list_at(eig, 0);
    made[count++] = tn_matmul(tn_mul(v, tn_unsqueeze(values, 1)), tn_linalg_inv(v));
    made[count++] = tn_list_at(tn_sort(tn_real(tn_linalg_eigvals(s)), -1, false), 0);
    return count;
}

TEST_ONCE(lapacks_of_this_machine_agree_with_the_built_in_algorithms) { /* which libraries there are is the machine's affair */
    static const tn_dtype dtypes[] = {TN_FLOAT32, TN_FLOAT64, TN_COMPLEX64, TN_COMPLEX128};
    const char *names[] = {"openblas", "lapack", "mkl", "flexiblas", getenv("TENON_TEST_LAPACK")};
    int found = 0;
    TEST_DEFER(drop_lapack, NULL);
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        tn_lapack lapack = {.struct_size = sizeof lapack};
        if (!names[i])
            continue;
        if (tn_lapack_load(names[i], &lapack) != TN_OK) {
            CHECK(tn_error_code() == TN_ERROR_IO);
            tn_error_clear();
            continue;
        }
        found++;
        for (int t = 0; t < 4; t++) {
            tn_tensor *here[40], *there[40];
            tn_scope scope = tn_scope_open();
            CHECK(tn_lapack_use(NULL) == TN_OK);
            int64_t count = lapack_compute(dtypes[t], 29, here);
            CHECK(tn_lapack_use(&lapack) == TN_OK);
            CHECK_INT(lapack_compute(dtypes[t], 29, there), count);
            for (int64_t r = 0; r < count; r++)
                if (!lapack_near(here[r], there[r]))
                    test_fail(__FILE__, __LINE__, "result %d of %s differs between built-in and %s", (int)r,
                              tn_dtype_name(dtypes[t]), lapack.name);
            tn_tensor *bad = tn_full(TN_DIMS(18, 18), NAN, dtypes[t]);
            CHECK(bad);
            CHECK_ERROR(TN_ERROR_LINALG, "infinities or NaN", tn_linalg_eigh(bad, "L"));
            CHECK_ERROR(TN_ERROR_LINALG, "infinities or NaN", tn_linalg_svdvals(bad, "none"));
            CHECK_ERROR(TN_ERROR_LINALG, "infinities or NaN", tn_linalg_eigvals(bad));
            CHECK(tn_scope_close(scope) == TN_OK);
        }
    }
    if (!found)
        printf("    no LAPACK is installed here: only the fake one was tried\n");
}

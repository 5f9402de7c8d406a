/* blas.c - products that a BLAS computes: a fake one gets what BLAS can express and nothing else, its results and the built-in ones agree,
 * wrong ones are refused; and the same with the libraries of this machine, where there are any.
 *
 * Tests: src/iterate/product_blas.c, src/iterate/product_blas_load.c */
#include <math.h>
#include <stdio.h>

#include "test.h"

/* ---- a BLAS of our own */

static int fake_calls, fake_last_a, fake_last_b;
static double fake_last_beta;

#define FAKE_REAL(name, T, INT)                                                                                                \
    static void name(int order, int ta, int tb, INT m, INT n, INT k, T alpha, const T *a, INT lda, const T *b, INT ldb,        \
                     T beta, T *c, INT ldc) {                                                                                  \
        fake_calls++;                                                                                                          \
        fake_last_a = ta;                                                                                                      \
        fake_last_b = tb;                                                                                                      \
        fake_last_beta = (double)beta;                                                                                         \
        CHECK(order == 101 && lda >= (ta == 111 ? k : m) && ldb >= (tb == 111 ? n : k) && ldc >= n);                           \
        for (INT i = 0; i < m; i++)                                                                                            \
            for (INT j = 0; j < n; j++) {                                                                                      \
                T sum = 0;                                                                                                     \
                for (INT p = 0; p < k; p++)                                                                                    \
                    sum += a[ta == 111 ? i * lda + p : p * lda + i] * b[tb == 111 ? p * ldb + j : j * ldb + p];                \
                c[i * ldc + j] = alpha * sum + (beta == 0 ? 0 : beta * c[i * ldc + j]);                                        \
            }                                                                                                                  \
    }
FAKE_REAL(fake_sgemm, float, int)
FAKE_REAL(fake_dgemm, double, int)
FAKE_REAL(fake_sgemm_wide, float, int64_t)

static void fake_zgemm(int order, int ta, int tb, int m, int n, int k, const double *alpha, const double *a, int lda,
                       const double *b, int ldb, const double *beta, double *c, int ldc) {
    fake_calls++;
    fake_last_a = ta;
    fake_last_b = tb;
    CHECK(order == 101);
    for (int i = 0; i < m; i++)
        for (int j = 0; j < n; j++) {
            double real = 0, imag = 0, *at = c + 2 * (i * ldc + j);
            for (int p = 0; p < k; p++) {
                const double *x = a + 2 * (ta == 111 ? i * lda + p : p * lda + i);
                const double *y = b + 2 * (tb == 111 ? p * ldb + j : j * ldb + p);
                double xi = ta == 113 ? -x[1] : x[1], yi = tb == 113 ? -y[1] : y[1];
                real += x[0] * y[0] - xi * yi;
                imag += x[0] * yi + xi * y[0];
            }
            bool reads = beta[0] != 0 || beta[1] != 0;
            double c0 = reads ? at[0] : 0, c1 = reads ? at[1] : 0;
            at[0] = alpha[0] * real - alpha[1] * imag + (reads ? beta[0] * c0 - beta[1] * c1 : 0);
            at[1] = alpha[0] * imag + alpha[1] * real + (reads ? beta[0] * c1 + beta[1] * c0 : 0);
        }
}

/* One that multiplies by beta without asking whether it is 0. */
static void leaking_dgemm(int order, int ta, int tb, int m, int n, int k, double alpha, const double *a, int lda,
                          const double *b, int ldb, double beta, double *c, int ldc) {
    for (int i = 0; i < m; i++)
        for (int j = 0; j < n; j++)
            c[i * ldc + j] *= beta;
    double add = 1;
    fake_dgemm(order, ta, tb, m, n, k, alpha, a, lda, b, ldb, add, c, ldc);
}

static void idle_sgemm(void) {}

static tn_blas fake(void) {
    tn_blas blas = {.struct_size = sizeof blas, .name = "fake", .about = "a test"};
    blas.sgemm = (tn_blas_function)fake_sgemm;
    blas.dgemm = (tn_blas_function)fake_dgemm;
    blas.zgemm = (tn_blas_function)fake_zgemm;
    return blas;
}

static void drop_blas(void *unused) {
    (void)unused;
    tn_blas_use(NULL);
}

static void use_fake(void) {
    tn_blas blas = fake();
    CHECK(tn_blas_use(&blas) == TN_OK);
    TEST_DEFER(drop_blas, NULL);
    fake_calls = 0;
}

/* Whole numbers, so that every sum is exact and both ways agree to the bit. */
static tn_tensor *numbers(int64_t rows, int64_t columns, tn_dtype dtype) {
    tn_tensor *counted = tn_sub_scalar(tn_remainder_scalar(tn_arange_start(7, 7 + 5 * rows * columns, 5, TN_INT64), 23), 9);
    tn_tensor *made = tn_reshape(tn_to(counted, dtype), TN_DIMS(rows, columns));
    return tn_dtype_is_complex(dtype) ? tn_mul_scalar(made, tn_scalar_complex(1, 2)) : made;
}

enum { M = 70, N = 80, K = 90 };

/* What both ways must agree on; all of it exact. */
static int64_t multiply(tn_dtype dtype, tn_tensor **made) {
    tn_tensor *a = numbers(M, K, dtype), *b = numbers(K, N, dtype), *c = numbers(M, N, dtype), *wide = numbers(M, 2 * K, dtype);
    tn_tensor *row = tn_select(c, 0, 1), *batch = tn_reshape(numbers(3 * M, K, dtype), TN_DIMS(3, M, K));
    int64_t n = 0;
    CHECK(a && b && c && wide && row && batch);
    made[n++] = tn_mm(a, b);
    made[n++] = tn_mm(tn_t(b), tn_t(a));
    made[n++] = tn_mm(tn_t(tn_contiguous(tn_t(a), TN_CONTIGUOUS)), b);
    made[n++] = tn_mm(a, tn_t(tn_contiguous(tn_t(b), TN_CONTIGUOUS)));
    made[n++] = tn_mm(tn_slice(wide, 1, 0, K, 1), b); /* a leading dimension */
    made[n++] = tn_mm(tn_slice(wide, 1, 0, 2 * K, 2), b);
    made[n++] = tn_mm(a, tn_flip(b, TN_DIMS(0)));
    made[n++] = tn_bmm(batch, tn_expand(tn_unsqueeze(b, 0), TN_DIMS(3, K, N)));
    made[n++] = tn_addmm(row, a, b, 2, 3);
    made[n] = tn_clone(c, TN_PRESERVE);
    made[n] = tn_addmm_(made[n], a, b, 2, 3);
    n++;
    made[n] = tn_full(TN_DIMS(M, N), tn_dtype_is_integral(dtype) ? 5 : NAN, dtype);
    made[n] = tn_addmm_(made[n], a, b, 0, 1);
    n++;
    made[n++] = tn_linear_fused(batch, tn_t(b), row, "none", c, 2);
    made[n++] = tn_einsum("ij,kj->ki", (const tn_tensor *[]){a, tn_t(b)}, 2);
    if (tn_dtype_is_complex(dtype)) {
        tn_tensor *plain = tn_empty(TN_DIMS(M, N), dtype), *far = tn_contiguous(tn_t(b), TN_CONTIGUOUS);
        void *to = plain ? tn_storage_mutable_data(tn_storage_of(plain)) : NULL;
        CHECK(to && far);
        tn_matrix first = TN_MATRIX_AT(tn_storage_data(tn_storage_of(a)), K, 1, dtype);
        tn_matrix second = TN_MATRIX_AT(tn_storage_data(tn_storage_of(far)), 1, K, dtype);
        second.conjugate = true;
        CHECK(tn_gemm(M, N, K, tn_scalar_complex(1, 1), first, second, 0, TN_MATRIX_AT(to, N, 1, dtype)) == TN_OK);
        made[n++] = plain;
        plain = tn_empty(TN_DIMS(M, N), dtype);
        to = plain ? tn_storage_mutable_data(tn_storage_of(plain)) : NULL;
        CHECK(to);
        first.conjugate = true; /* conjugated but not transposed: BLAS cannot */
        CHECK(tn_gemm(M, N, K, 1, first, second, 0, TN_MATRIX_AT(to, N, 1, dtype)) == TN_OK);
        made[n++] = plain;
    } else if (tn_dtype_is_floating(dtype)) {
        made[n++] = tn_linear_fused(a, tn_t(b), row, "relu", NULL, 1);
    }
    return n;
}

static void check_provider(const tn_blas *blas, tn_dtype dtype) {
    tn_tensor *here[32], *there[32];
    tn_scope scope = tn_scope_open();
    CHECK(tn_blas_use(NULL) == TN_OK);
    int64_t count = multiply(dtype, here);
    CHECK(tn_blas_use(blas) == TN_OK);
    CHECK_INT(multiply(dtype, there), count);
    for (int64_t i = 0; i < count; i++)
        if (!tn_equal(here[i], there[i]))
            test_fail(__FILE__, __LINE__, "call %d of %s differs between built-in and %s", (int)i, tn_dtype_name(dtype),
                      blas->name);
    CHECK(tn_blas_use(NULL) == TN_OK);
    CHECK(tn_scope_close(scope) == TN_OK);
}

TEST_SAMPLED(a_provider_computes_what_the_built_in_engine_does) {
    tn_blas blas = fake();
    TEST_DEFER(drop_blas, NULL);
    fake_calls = 0;
    check_provider(&blas, TN_FLOAT32);
    CHECK(fake_calls > 12);
    check_provider(&blas, TN_FLOAT64);
    check_provider(&blas, TN_COMPLEX128);
    int calls = fake_calls;
    check_provider(&blas, TN_COMPLEX64); /* which it does not have */
    check_provider(&blas, TN_FLOAT16);
    check_provider(&blas, TN_INT32);
    CHECK(fake_calls <= calls + 36); /* its trials: two of both betas for each function and use */
}

TEST(nothing_is_handed_over_that_blas_cannot_express) {
    use_fake();
    tn_tensor *a = numbers(M, K, TN_FLOAT32), *b = numbers(K, N, TN_FLOAT32), *tall = numbers(2 * M, 2 * K, TN_FLOAT32);
    CHECK(a && b && tall && tn_mm(a, b));
    CHECK_INT(fake_calls, 1);
    CHECK(tn_mm(tn_t(b), tn_t(a)));
    CHECK_INT(fake_calls, 2);
    CHECK(fake_last_a == 112 && fake_last_b == 112);
    CHECK(tn_mm(tn_slice(tall, 1, 0, 2 * K, 2), b)); /* no stride of 1 */
    CHECK(tn_mm(tn_flip(a, TN_DIMS(0)), b) && tn_mm(tn_expand(tn_narrow(a, 0, 0, 1), TN_DIMS(M, K)), b));
    CHECK(tn_mm(tn_to(a, TN_FLOAT16), tn_to(b, TN_FLOAT16)) && tn_mm(tn_to(a, TN_INT64), tn_to(b, TN_INT64)));
    CHECK(tn_mm(tn_narrow(a, 0, 0, 4), b) && tn_mv(a, tn_select(b, 1, 0))); /* few rows stay built in */
    CHECK(tn_mm(tn_narrow(tn_narrow(a, 0, 0, 4), 1, 0, 4), tn_narrow(tn_narrow(b, 0, 0, 4), 1, 0, 4)));
    CHECK_INT(fake_calls, 2);
}

TEST(alpha_and_beta_are_blass_own_where_that_is_all) {
    use_fake();
    tn_tensor *a = numbers(M, K, TN_FLOAT64), *b = numbers(K, N, TN_FLOAT64), *c = numbers(M, N, TN_FLOAT64);
    CHECK(a && b && c && tn_addmm_(c, a, b, 2, 3));
    CHECK(fake_calls == 1 && fake_last_beta == 2);
    CHECK(tn_addmm(c, a, b, 2, 3)); /* into another tensor: sums first */
    CHECK(fake_calls == 2 && fake_last_beta == 0);
    CHECK(tn_addmm_(c, a, b, 0, 3));
    CHECK(fake_calls == 3 && fake_last_beta == 0);
}

TEST(a_provider_may_have_wide_integers) {
    tn_blas blas = {.struct_size = sizeof blas, .sgemm = (tn_blas_function)fake_sgemm_wide, .wide = true, .name = "wide"};
    TEST_DEFER(drop_blas, NULL);
    check_provider(&blas, TN_FLOAT32);
}

TEST(a_provider_that_computes_wrongly_is_refused) {
    TEST_DEFER(drop_blas, NULL);
    tn_blas blas = fake(), used = {.struct_size = sizeof used};
    blas.dgemm = (tn_blas_function)leaking_dgemm; /* NaN * 0 */
    CHECK_ERROR(TN_ERROR_STATE, "blas_use: dgemm of the provider \"fake\" gives wrong products", tn_blas_use(&blas) == TN_OK);
    blas = fake();
    blas.sgemm = idle_sgemm;
    CHECK_ERROR(TN_ERROR_STATE, "sgemm of the provider", tn_blas_use(&blas) == TN_OK);
    CHECK(tn_blas_in_use(&used) == TN_OK);
    CHECK_TEXT(used.name, "built-in");
}

TEST(what_is_in_use_can_be_asked) {
    tn_blas used = {.struct_size = sizeof used};
    CHECK(tn_blas_in_use(&used) == TN_OK);
    CHECK_TEXT(used.name, "built-in");
    CHECK(!used.sgemm && !used.dgemm);
    use_fake();
    CHECK(tn_blas_in_use(&used) == TN_OK);
    CHECK_TEXT(used.name, "fake");
    CHECK_TEXT(used.about, "a test");
    CHECK(used.struct_size == sizeof used && used.zgemm == (tn_blas_function)fake_zgemm);
    CHECK(tn_blas_use(NULL) == TN_OK && tn_blas_in_use(&used) == TN_OK);
    CHECK_TEXT(used.name, "built-in");
}

TEST(arguments_of_providers_are_checked) {
    tn_blas blas = {0}, none = {.struct_size = sizeof none};
    CHECK_ERROR(TN_ERROR_ARGUMENT, "struct_size 0", tn_blas_use(&blas) == TN_OK);
    CHECK_ERROR(TN_ERROR_ARGUMENT, "has no function", tn_blas_use(&none) == TN_OK);
    CHECK_ERROR(TN_ERROR_ARGUMENT, "blas is NULL", tn_blas_in_use(NULL) == TN_OK);
    CHECK_ERROR(TN_ERROR_ARGUMENT, "struct_size 0", tn_blas_in_use(&blas) == TN_OK);
    CHECK_ERROR(TN_ERROR_ARGUMENT, "blas is NULL", tn_blas_load("openblas", NULL) == TN_OK);
    CHECK_ERROR(TN_ERROR_ARGUMENT, "name is NULL", tn_blas_load(NULL, &none) == TN_OK);
    CHECK_ERROR(TN_ERROR_ARGUMENT, "name is empty", tn_blas_load("", &none) == TN_OK);
    CHECK_ERROR(TN_ERROR_IO, "blas_load: the library \"libno_such_blas.so\" cannot be loaded: ",
                tn_blas_load("libno_such_blas.so", &none) == TN_OK);
    CHECK_ERROR(TN_ERROR_IO, "has no function cblas_sgemm", tn_blas_load("libm.so.6", &none) == TN_OK);
    CHECK(!none.sgemm && !none.name[0]);
}

/* The libraries of this machine. */
TEST_ONCE(libraries_of_this_machine_agree_with_the_built_in_engine) {
    static const char *const names[] = {"openblas", "blis", "mkl", "blas", "cblas"};
    int found = 0;
    TEST_DEFER(drop_blas, NULL);
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        tn_blas blas = {.struct_size = sizeof blas};
        if (tn_blas_load(names[i], &blas) != TN_OK) {
            CHECK(tn_error_code() == TN_ERROR_IO);
            tn_error_clear();
            continue;
        }
        found++;
        CHECK_TEXT(blas.name, names[i]);
        static const tn_dtype dtypes[] = {TN_FLOAT32, TN_FLOAT64, TN_COMPLEX64, TN_COMPLEX128};
        for (int t = 0; t < 4; t++)
            check_provider(&blas, dtypes[t]);
    }
    if (!found)
        printf("    no BLAS is installed here: only the fake one was tried\n");
}

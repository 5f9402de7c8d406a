/* gemm.c - tn_gemm: products over plain memory, and what it refuses. The engine itself is tested in product.c.
 *
 * Tests: src/ops/product/gemm.c
 */
#include "test.h"

TEST(a_product_of_plain_memory_takes_strides_alpha_and_beta) {
    float a[6] = {1, 2, 3, 4, 5, 6}, b[6] = {1, 0, -1, 2, 1, 3}, c[4] = {10, 20, 30, 40};
    /* (2, 3) by (3, 2) */
    CHECK_INT(tn_gemm(2, 2, 3, 1, TN_MATRIX_AT(a, 3, 1, TN_FLOAT32), TN_MATRIX_AT(b, 2, 1, TN_FLOAT32), 0,
                      TN_MATRIX_AT(c, 2, 1, TN_FLOAT32)),
              TN_OK);
    CHECK(c[0] == 2 && c[1] == 13 && c[2] == 5 && c[3] == 28);
    /* twice that of the transposed b, as rows of two, added to c */
    CHECK_INT(tn_gemm(2, 2, 3, 2, TN_MATRIX_AT(a, 3, 1, TN_FLOAT32), TN_MATRIX_AT(b, 1, 3, TN_FLOAT32), 0.5,
                      TN_MATRIX_AT(c, 2, 1, TN_FLOAT32)),
              TN_OK);
    CHECK(c[0] == 2 * -2 + 1 && c[1] == 2 * 13 + 6.5f && c[2] == 2 * -2 + 2.5f && c[3] == 2 * 31 + 14);
}

TEST(what_counts_0_times_is_not_read_and_without_k_the_product_is_0) {
    double a[1] = {1}, c[2] = {NAN, NAN};
    tn_matrix target = TN_MATRIX_AT(c, 2, 1, TN_FLOAT64);
    CHECK_INT(tn_gemm(1, 2, 0, 1, TN_MATRIX_AT(NULL, 0, 1, TN_FLOAT64), TN_MATRIX_AT(NULL, 2, 1, TN_FLOAT64), 0, target),
              TN_OK);
    CHECK(c[0] == 0 && c[1] == 0);
    CHECK_INT(tn_gemm(0, 2, 1, 1, TN_MATRIX_AT(NULL, 0, 1, TN_FLOAT64), TN_MATRIX_AT(NULL, 2, 1, TN_FLOAT64), 0,
                      TN_MATRIX_AT(NULL, 2, 1, TN_FLOAT64)),
              TN_OK);
    (void)a;
}

TEST(sums_of_narrow_numbers_may_be_kept_wide) {
    int8_t a[3] = {127, 127, 127}, b[3] = {127, 127, 127};
    uint8_t u[3] = {255, 255, 255};
    int32_t c = 0;
    CHECK_INT(tn_gemm(1, 1, 3, 1, TN_MATRIX_AT(a, 3, 1, TN_INT8), TN_MATRIX_AT(b, 1, 1, TN_INT8), 0,
                      TN_MATRIX_AT(&c, 1, 1, TN_INT32)),
              TN_OK);
    CHECK_INT(c, 3 * 127 * 127);
    CHECK_INT(tn_gemm(1, 1, 3, 1, TN_MATRIX_AT(u, 3, 1, TN_UINT8), TN_MATRIX_AT(b, 1, 1, TN_INT8), 1,
                      TN_MATRIX_AT(&c, 1, 1, TN_INT32)),
              TN_OK);
    CHECK_INT(c, 3 * 127 * 127 + 3 * 255 * 127);
    tn_bfloat16 h[2];
    tn_dtype_store(TN_BFLOAT16, &h[0], tn_scalar_float(256));
    tn_dtype_store(TN_BFLOAT16, &h[1], tn_scalar_float(1));
    float wide = 0;
    CHECK_INT(tn_gemm(1, 1, 2, 1, TN_MATRIX_AT(h, 2, 1, TN_BFLOAT16), TN_MATRIX_AT(h, 1, 1, TN_BFLOAT16), 0,
                      TN_MATRIX_AT(&wide, 1, 1, TN_FLOAT32)),
              TN_OK);
    CHECK_DOUBLE((double)wide, 65537);
}

TEST(a_conjugate_factor_is_read_as_such) {
    tn_complex64 a[1] = {{1, 2}}, b[1] = {{3, 4}}, c[1] = {{0, 0}};
    tn_matrix first = TN_MATRIX_AT(a, 1, 1, TN_COMPLEX64);
    first.conjugate = true;
    CHECK_INT(tn_gemm(1, 1, 1, 1, first, TN_MATRIX_AT(b, 1, 1, TN_COMPLEX64), 0, TN_MATRIX_AT(c, 1, 1, TN_COMPLEX64)), TN_OK);
    CHECK(c[0].real == 11 && c[0].imag == -2);
}

TEST(what_does_not_fit_is_refused_and_c_is_as_it_was) {
    float a[4] = {1, 2, 3, 4}, c[4] = {7, 7, 7, 7};
    tn_matrix good = TN_MATRIX_AT(a, 2, 1, TN_FLOAT32), target = TN_MATRIX_AT(c, 2, 1, TN_FLOAT32);
    CHECK_ERROR(TN_ERROR_ARGUMENT, "m = -1", tn_gemm(-1, 2, 2, 1, good, good, 0, target) == TN_OK);
    CHECK_ERROR(TN_ERROR_ARGUMENT, "address of b is NULL",
                tn_gemm(2, 2, 2, 1, good, TN_MATRIX_AT(NULL, 2, 1, TN_FLOAT32), 0, target) == TN_OK);
    CHECK_ERROR(TN_ERROR_ARGUMENT, "address of c is NULL",
                tn_gemm(2, 2, 2, 1, good, good, 0, TN_MATRIX_AT(NULL, 2, 1, TN_FLOAT32)) == TN_OK);
    CHECK_ERROR(TN_ERROR_DTYPE, "a is float32 but b is float64",
                tn_gemm(2, 2, 2, 1, good, TN_MATRIX_AT(a, 2, 1, TN_FLOAT64), 0, target) == TN_OK);
    CHECK_ERROR(TN_ERROR_DTYPE, "c is float64", tn_gemm(2, 2, 2, 1, good, good, 0, TN_MATRIX_AT(c, 2, 1, TN_FLOAT64)) == TN_OK);
    CHECK_ERROR(TN_ERROR_DTYPE, "a is bool",
                tn_gemm(2, 2, 2, 1, TN_MATRIX_AT(a, 2, 1, TN_BOOL), TN_MATRIX_AT(a, 2, 1, TN_BOOL), 0,
                        TN_MATRIX_AT(c, 2, 1, TN_BOOL)) == TN_OK);
    CHECK_ERROR(TN_ERROR_DTYPE, "so c must be int32",
                tn_gemm(2, 2, 2, 1, TN_MATRIX_AT(a, 2, 1, TN_INT8), TN_MATRIX_AT(a, 2, 1, TN_UINT8), 0,
                        TN_MATRIX_AT(c, 2, 1, TN_INT8)) == TN_OK);
    CHECK_ERROR(TN_ERROR_DTYPE, "alpha = 1.5",
                tn_gemm(2, 2, 2, 1.5, TN_MATRIX_AT(a, 2, 1, TN_INT32), TN_MATRIX_AT(a, 2, 1, TN_INT32), 0,
                        TN_MATRIX_AT(c, 2, 1, TN_INT32)) == TN_OK);
    CHECK_ERROR(TN_ERROR_SHAPE, "larger than memory",
                tn_gemm(2, 2, INT64_MAX, 1, TN_MATRIX_AT(a, 2, 2, TN_FLOAT32), good, 0, target) == TN_OK);
    for (int i = 0; i < 4; i++)
        CHECK_DOUBLE((double)c[i], 7);
}

/* statistics_products.c - cov and cdist where they go through matrix products: as exact as where they do not.
 *
 * Tests: src/ops/line/statistics_covariance.c, src/ops/line/statistics_distance.c */
#include <math.h>

#include "test.h"

static tn_tensor *numbers(int64_t rows, int64_t columns, tn_dtype dtype, double step) {
    tn_tensor *counted = tn_remainder_scalar(tn_arange_start(7, 7 + 5 * rows * columns, 5, TN_INT64), 97);
    tn_tensor *made = tn_mul_scalar(tn_to(counted, TN_FLOAT64), step);
    if (tn_dtype_is_complex(dtype))
        made = tn_add(tn_to(made, TN_COMPLEX128), tn_mul_scalar(tn_flip(made, TN_DIMS(0)), tn_scalar_complex(0, 1)));
    return tn_reshape(tn_to(made, dtype), TN_DIMS(rows, columns));
}

enum { ROWS = 40, COUNT = 33 };

/* Each pair of rows alone goes another way: through the sums of two rows. */
TEST_SAMPLED(covariances_of_many_rows_are_those_of_each_pair) {
    static const tn_dtype dtypes[] = {TN_FLOAT32, TN_FLOAT64, TN_COMPLEX64, TN_COMPLEX128};
    tn_tensor *often = tn_add_scalar(tn_remainder_scalar(tn_arange(COUNT, TN_INT64), 3), 1);
    tn_tensor *much = tn_add_scalar(tn_rand(TN_DIMS(COUNT), TN_FLOAT64, NULL), 0.5);
    CHECK(often && much);
    for (int t = 0; t < 4; t++)
        for (int weighted = 0; weighted < 2; weighted++) {
            tn_tensor *x = numbers(ROWS, COUNT, dtypes[t], 0.37);
            tn_tensor *made = tn_cov(x, 1, weighted ? often : NULL, weighted ? much : NULL);
            CHECK(made && tn_equal(made, tn_mH(made))); /* exactly */
            for (int64_t i = 0; i < ROWS; i += 13)
                for (int64_t j = i + 1; j < ROWS; j += 11) {
                    tn_scope scope = tn_scope_open();
                    tn_tensor *pair = tn_slice(x, 0, i, j + 1, j - i);
                    tn_tensor *two = tn_cov(pair, 1, weighted ? often : NULL, weighted ? much : NULL);
                    tn_tensor *there = tn_select(tn_select(made, 0, i), 0, j), *here = tn_select(tn_select(two, 0, 0), 0, 1);
                    double slack = tn_dtype_of(made) == TN_FLOAT32 || tn_dtype_of(made) == TN_COMPLEX64 ? 2e-7 : 1e-13;
                    CHECK(here && there && tn_allclose(there, here, slack, 1e-10, false));
                    CHECK(tn_scope_close(scope) == TN_OK);
                }
        }
}

TEST(correlations_of_many_rows_are_1_with_themselves) {
    tn_tensor *made = tn_corrcoef(numbers(ROWS, COUNT, TN_FLOAT32, 0.37));
    CHECK(made && tn_equal(tn_diagonal(made, 0, 0, 1), tn_ones(TN_DIMS(ROWS), TN_FLOAT32)) && tn_equal(made, tn_t(made)));
}

/* The distances of float64, which are formed from differences, rounded: within one step of a float32. */
TEST_SAMPLED(distances_of_many_rows_are_as_exact_as_those_of_few) {
    tn_tensor *a = tn_to(tn_add_scalar(numbers(60, 20, TN_FLOAT64, 0.01), 100), TN_FLOAT32); /* far from the origin */
    tn_tensor *b = tn_to(tn_add_scalar(tn_flip(numbers(35, 20, TN_FLOAT64, 0.01), TN_DIMS(0)), 100), TN_FLOAT32);
    CHECK(a && b);
    tn_tensor *close = tn_add_scalar(tn_select(a, 0, 4), 1e-3);
    CHECK(tn_copy_(tn_select(b, 0, 3), tn_select(a, 0, 5)) && tn_copy_(tn_select(b, 0, 7), close));
    tn_tensor *made = tn_cdist(a, b, 2), *exact = tn_cdist(tn_to(a, TN_FLOAT64), tn_to(b, TN_FLOAT64), 2);
    CHECK(made && exact && tn_allclose(tn_to(made, TN_FLOAT64), exact, 1.2e-7, 0, false));
    CHECK_DOUBLE(tn_get_double(made, TN_DIMS(5, 3)), 0);
    CHECK(tn_get_double(made, TN_DIMS(4, 7)) > 0);
    tn_tensor *wide = tn_cdist_compute_mode(a, b, 2, "use_mm_for_euclid_dist");
    CHECK(wide && tn_equal(wide, made));
}

TEST(distances_of_many_rows_with_infinities_and_nan_are_those_of_their_differences) {
    tn_tensor *a = numbers(40, 6, TN_FLOAT32, 0.5), *b = numbers(30, 6, TN_FLOAT32, 0.25);
    CHECK(a && b && tn_fill_(tn_select(tn_select(a, 0, 2), 0, 1), INFINITY) &&
          tn_fill_(tn_select(tn_select(b, 0, 3), 0, 1), NAN));
    tn_tensor *made = tn_cdist(a, b, 2);
    CHECK(made);
    CHECK(isinf(tn_get_double(made, TN_DIMS(2, 0))) && isnan(tn_get_double(made, TN_DIMS(0, 3))));
    CHECK(isnan(tn_get_double(made, TN_DIMS(2, 3))) && isfinite(tn_get_double(made, TN_DIMS(1, 1))));
}

TEST(distances_of_many_rows_come_in_batches_that_broadcast) {
    tn_tensor *a = tn_reshape(numbers(3 * 2 * 30, 5, TN_FLOAT32, 0.1), TN_DIMS(3, 2, 30, 5));
    tn_tensor *b = tn_reshape(numbers(2 * 28, 5, TN_FLOAT32, 0.3), TN_DIMS(1, 2, 28, 5));
    tn_tensor *made = tn_cdist(a, b, 2);
    CHECK(made);
    for (int64_t i = 0; i < 3; i++)
        for (int64_t j = 0; j < 2; j++) {
            tn_tensor *one = tn_cdist(tn_select(tn_select(a, 0, i), 0, j), tn_select(tn_select(b, 0, 0), 0, j), 2);
            CHECK(one && tn_equal(one, tn_select(tn_select(made, 0, i), 0, j)));
        }
    tn_tensor *none = tn_cdist(tn_zeros(TN_DIMS(30, 0), TN_FLOAT32), tn_zeros(TN_DIMS(28, 0), TN_FLOAT32), 2);
    CHECK(none && tn_equal(none, tn_zeros(TN_DIMS(30, 28), TN_FLOAT32)));
}

/* least_squares.c - linalg_lstsq by each driver: the normal equations hold, of several solutions the shortest is given, ranks, residuals,
 * broadcasting, errors and derivatives.
 *
 * Tests: src/ops/linalg/least_squares.c
 */
#include <math.h>
#include <string.h>

#include "autograd_helpers.h"

static const char *const lstsq_drivers[] = {"gels", "gelsy", "gelsd", "gelss", "none"};

/* Numbers between -1 and 1 that look random and are the same everywhere. */
static tn_tensor *lstsq_random(tn_dims sizes, tn_dtype dtype, int seed) {
    tn_tensor *steps = tn_add_scalar(tn_cumsum(tn_flatten(tn_ones(sizes, TN_FLOAT64), 0, -1), 0, TN_DTYPE_DEFAULT), seed);
    tn_tensor *real = tn_sin(tn_mul_scalar(tn_mul(steps, tn_add_scalar(tn_sqrt(steps), 3)), 12.9898));
    if (dtype == TN_COMPLEX64 || dtype == TN_COMPLEX128)
        real = tn_complex(real, tn_cos(tn_mul_scalar(tn_mul(steps, steps), 7.233)));
    return tn_reshape(tn_to(real, dtype), sizes);
}

static double lstsq_largest(const tn_tensor *x) {
    tn_tensor *most = tn_amax(tn_abs(x), TN_DIMS(), false);
    return most ? tn_item_double(most) : NAN;
}

static bool lstsq_is(const tn_list *parts, int at, tn_dims sizes, tn_dtype dtype) {
    const tn_tensor *part = parts ? tn_list_at(parts, at) : NULL;
    if (!part || tn_dtype_of(part) != dtype || tn_ndim(part) != sizes.count)
        return false;
    for (int64_t d = 0; d < sizes.count; d++)
        if (tn_size(part, d) != sizes.values[d])
            return false;
    return true;
}

TEST_SAMPLED(least_squares_satisfy_the_normal_equations) {
    static const tn_dtype dtypes[] = {TN_FLOAT32, TN_FLOAT64, TN_COMPLEX64, TN_COMPLEX128};
    static const int64_t sizes[][2] = {{7, 3}, {3, 7}, {4, 4}, {1, 1}, {40, 20}};
    for (int t = 0; t < 4; t++)
        for (int s = 0; s < 5; s++)
            for (int d = 0; d < 5; d++) {
                tn_scope scope = tn_scope_open();
                int64_t m = sizes[s][0], n = sizes[s][1];
                tn_tensor *a = tn_mT(lstsq_random(TN_DIMS(2, n, m), dtypes[t], s)),
                          *b = lstsq_random(TN_DIMS(1, m, 2), dtypes[t], 9);
                tn_list *parts = tn_linalg_lstsq(a, b, tn_scalar_none(), lstsq_drivers[d]);
                CHECK(lstsq_is(parts, 0, TN_DIMS(2, n, 2), dtypes[t]));
                tn_tensor *x = tn_list_at(parts, 0), *rest = tn_sub(tn_matmul(a, x), b);
                double epsilon = t % 2 ? 1e-11 : 1e-3, scale = 1 + lstsq_largest(x);
                CHECK(lstsq_largest(tn_matmul(tn_mH(a), rest)) < epsilon * scale);
                if (m < n) { /* the shortest has nothing outside the rows of a */
                    tn_tensor *p = tn_linalg_pinv(a, tn_scalar_none(), tn_scalar_none(), false);
                    CHECK(lstsq_largest(tn_sub(x, tn_matmul(p, tn_matmul(a, x)))) < epsilon * scale);
                }
                bool rank = d != 0, values = d == 2 || d == 3, residuals = m > n && d < 4 && d != 1;
                tn_dtype real = tn_dtype_to_real(dtypes[t]);
                CHECK(residuals ? lstsq_is(parts, 1, TN_DIMS(2, 2), real) : lstsq_is(parts, 1, TN_DIMS(0), real));
                CHECK(rank ? lstsq_is(parts, 2, TN_DIMS(2), TN_INT64) : lstsq_is(parts, 2, TN_DIMS(0), TN_INT64));
                CHECK(values ? lstsq_is(parts, 3, TN_DIMS(2, m < n ? m : n), real) : lstsq_is(parts, 3, TN_DIMS(0), real));
                if (residuals) {
                    tn_tensor *squares = tn_sum_dim(tn_square(tn_abs(rest)), TN_DIMS(-2), false, TN_DTYPE_DEFAULT);
                    CHECK(lstsq_largest(tn_sub(squares, tn_list_at(parts, 1))) < epsilon * scale);
                }
                tn_scope_close(scope);
            }
}

TEST(least_squares_find_out_ranks_and_keep_to_rcond) {
    tn_scope scope = tn_scope_open();
    static const double values[] = {4, 2, 1, 0};
    tn_tensor *a = tn_diag(tn_from_memory(values, TN_DIMS(4), TN_FLOAT64, TN_BORROW), 0), *b = tn_ones(TN_DIMS(4), TN_FLOAT64);
    static const struct {
        const char *driver;
        double rcond;
        int64_t rank;
    } cases[] = {{"gelsy", NAN, 3}, {"gelsd", NAN, 3},  {"gelss", NAN, 3}, {"gelsy", 0.3, 2}, {"gelsd", 0.3, 2},
                 {"gelss", 0.3, 2}, {"gelss", 0.25, 2}, {"gelss", 1, 0},   {"gelsd", 1, 3},   {"gelsy", 1, 1},
                 {"gelsy", 10, 1},  {"gelsd", 10, 3},   {"gelss", 10, 0},  {"gelsy", 0, 3},   {"gelsd", 0, 3},
                 {"gelss", 0, 3},   {"gelsy", -1, 3},   {"gelsd", -1, 3},  {"gelss", -1, 3}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        double share = cases[i].rcond;
        tn_list *parts = tn_linalg_lstsq(a, b, isnan(share) ? tn_scalar_none() : tn_scalar_float(share), cases[i].driver);
        CHECK(parts && tn_item_int64(tn_list_at(parts, 2)) == cases[i].rank);
        tn_tensor *x = tn_list_at(parts, 0);
        for (int64_t d = 0; d < 4; d++)
            CHECK(fabs(tn_item_double(tn_select(x, 0, d)) - (d < cases[i].rank ? (double)(1 << d) / 4 : 0)) < 1e-14);
    }
    tn_scope_close(scope);
}

TEST(least_squares_take_vectors_and_matrices_without_elements) {
    tn_scope scope = tn_scope_open();
    for (int d = 0; d < 5; d++) {
        const char *driver = lstsq_drivers[d];
        tn_tensor *a = lstsq_random(TN_DIMS(2, 4, 3), TN_FLOAT64, 1), *b = lstsq_random(TN_DIMS(2, 4), TN_FLOAT64, 2);
        tn_list *vectors = tn_linalg_lstsq(a, b, tn_scalar_none(), driver);
        tn_list *columns = tn_linalg_lstsq(a, tn_unsqueeze(b, -1), tn_scalar_none(), driver);
        CHECK(lstsq_is(vectors, 0, TN_DIMS(2, 3), TN_FLOAT64) && columns);
        CHECK(tn_equal(tn_list_at(vectors, 0), tn_squeeze_dim(tn_list_at(columns, 0), -1)));
        tn_list *none = tn_linalg_lstsq(tn_zeros(TN_DIMS(2, 0, 3), TN_FLOAT32), tn_zeros(TN_DIMS(2, 0, 4), TN_FLOAT32),
                                        tn_scalar_none(), driver);
        CHECK(lstsq_is(none, 0, TN_DIMS(2, 3, 4), TN_FLOAT32) && lstsq_largest(tn_list_at(none, 0)) == 0);
        none = tn_linalg_lstsq(tn_zeros(TN_DIMS(0, 3, 2), TN_FLOAT32), tn_zeros(TN_DIMS(0, 3, 4), TN_FLOAT32), tn_scalar_none(),
                               driver);
        CHECK(lstsq_is(none, 0, TN_DIMS(0, 2, 4), TN_FLOAT32));
        none =
            tn_linalg_lstsq(tn_zeros(TN_DIMS(3, 0), TN_FLOAT32), tn_ones(TN_DIMS(3, 4), TN_FLOAT32), tn_scalar_none(), driver);
        CHECK(lstsq_is(none, 0, TN_DIMS(0, 4), TN_FLOAT32));
        if (d == 0 || d == 2 || d == 3)
            CHECK(tn_equal(tn_list_at(none, 1), tn_full(TN_DIMS(4), 3, TN_FLOAT32)));
    }
    tn_scope_close(scope);
}

static bool lstsq_refuses(const tn_tensor *a, const tn_tensor *b, const char *driver, tn_error code) {
    bool refused = a && b && !tn_linalg_lstsq(a, b, tn_scalar_none(), driver) && tn_error_code() == code;
    if (refused)
        tn_error_clear();
    return refused;
}

TEST(wrong_arguments_of_least_squares_are_refused) {
    tn_scope scope = tn_scope_open();
    tn_tensor *a = tn_ones(TN_DIMS(4, 2), TN_FLOAT32), *b = tn_ones(TN_DIMS(4, 3), TN_FLOAT32);
    CHECK(lstsq_refuses(a, b, "gesvd", TN_ERROR_ARGUMENT));
    CHECK(lstsq_refuses(tn_select(a, 1, 0), b, "none", TN_ERROR_SHAPE));
    CHECK(lstsq_refuses(a, tn_narrow(b, 0, 0, 3), "none", TN_ERROR_SHAPE));
    CHECK(lstsq_refuses(a, tn_unsqueeze(b, 0), "none", TN_ERROR_SHAPE));
    CHECK(lstsq_refuses(a, tn_select(tn_select(b, 0, 0), 0, 0), "none", TN_ERROR_SHAPE));
    CHECK(lstsq_refuses(tn_ones(TN_DIMS(2, 4, 2), TN_FLOAT32), tn_ones(TN_DIMS(3, 4, 2), TN_FLOAT32), "none", TN_ERROR_SHAPE));
    CHECK(lstsq_refuses(a, tn_to(b, TN_FLOAT64), "none", TN_ERROR_DTYPE));
    CHECK(lstsq_refuses(tn_to(a, TN_INT32), tn_to(b, TN_INT32), "none", TN_ERROR_DTYPE));
    tn_tensor *some = tn_stack((const tn_tensor *[]){tn_eye(3, 3, TN_FLOAT64), tn_zeros(TN_DIMS(3, 3), TN_FLOAT64)}, 2, 0);
    CHECK(!tn_linalg_lstsq(some, some, tn_scalar_none(), "gels") && tn_error_code() == TN_ERROR_LINALG &&
          strstr(tn_error_message(), "[1]"));
    tn_error_clear();
    CHECK(lstsq_refuses(tn_full(TN_DIMS(4, 2), NAN, TN_FLOAT32), b, "gelsd", TN_ERROR_LINALG));
    tn_scope_close(scope);
}

TEST(least_squares_on_meta_have_sizes_where_those_do_not_depend_on_elements) {
    tn_scope scope = tn_scope_open();
    tn_tensor *a = tn_empty_device(TN_DIMS(4, 2), TN_FLOAT32, (tn_device){TN_META, 0});
    CHECK(a);
    tn_list *parts = tn_linalg_lstsq(a, a, tn_scalar_none(), "gels");
    CHECK(lstsq_is(parts, 0, TN_DIMS(2, 2), TN_FLOAT32) && lstsq_is(parts, 1, TN_DIMS(2), TN_FLOAT32));
    CHECK(lstsq_is(tn_linalg_lstsq(a, a, tn_scalar_none(), "none"), 0, TN_DIMS(2, 2), TN_FLOAT32));
    CHECK(lstsq_refuses(a, a, "gelsd", TN_ERROR_DEVICE));
    tn_scope_close(scope);
}

TEST_SAMPLED(least_squares_have_their_derivatives) {
    tn_tensor *tall = grad_input(5, 3), *wide = grad_input(2, 4), *b = grad_input(5, 2), *v = grad_input(5);
    CHECK(tall && wide && b && v);
    CHECK_GRADIENTS("linalg_lstsq", TN_VALUES(tall, b, tn_scalar_none(), "gels"));
    CHECK_GRADIENTS("linalg_lstsq", TN_VALUES(tall, v, tn_scalar_none(), "gelsd"));
    CHECK_GRADIENTS("linalg_lstsq", TN_VALUES(wide, grad_input(2, 3), tn_scalar_none(), "none"));
    CHECK_GRADIENTS("linalg_lstsq", TN_VALUES(grad_complex(3, 2), grad_complex(3, 1), tn_scalar_none(), "gelss"));
}

/* special.c - special functions, and what is made of them; numerical slopes, histograms of points, places.
 *
 * Tests: src/ops/pointwise/special.c, src/cpu/special_kernels.c, src/ops/line/difference.c, src/ops/sort/histogram_dims.c
 *
 * The expected numbers were computed with 60 digits.
 */
#include "autograd_helpers.h"

#include <math.h>

/* y is 0 for functions of one number */
static const struct {
    const char *name;
    double x, y, value;
} special_values[] = {
    {"special_entr", 0.3, 0, 0x1.71dc4627d2ef4p-2},
    {"special_entr", 5.5, 0, -0x1.2c09214a8e81ep+3},
    {"special_erfcx", -3.0, 0, 0x1.fa6fe92c4925fp+13},
    {"special_erfcx", 0.4, 0, 0x1.57717f20cb670p-1},
    {"special_erfcx", 9.0, 0, 0x1.fe6cc4a0f9538p-5},
    {"special_erfcx", 26.5, 0, 0x1.5c92036f02bcep-6},
    {"special_ndtr", -20.0, 0, 0x1.c0bd0f1880783p-295},
    {"special_ndtr", -1.5, 0, 0x1.11a46d89647efp-4},
    {"special_ndtr", 2.0, 0, 0x1.f45a183e9b13dp-1},
    {"special_log_ndtr", -40.0, 0, -0x1.924de16d8b4aep+9},
    {"special_log_ndtr", -0.5, 0, -0x1.2d088d9f06be4p+0},
    {"special_log_ndtr", 6.0, 0, -0x1.0f30ef02d165dp-30},
    {"special_ndtri", 1e-200, 0, -0x1.e34a1d1f58ae2p+4},
    {"special_ndtri", 0.01, 0, -0x1.29c5c4630ff0fp+1},
    {"special_ndtri", 0.45, 0, -0x1.015abc78e92d0p-3},
    {"special_ndtri", 0.9, 0, 0x1.4813c36e26d33p+0},
    {"special_i0e", -3.0, 0, 0x1.f1aa2b7054e7bp-3},
    {"special_i0e", 20.0, 0, 0x1.6fbd7af5eb8d6p-4},
    {"special_i1", -2.0, 0, -0x1.9733fa167ac95p+0},
    {"special_i1", 30.0, 0, 0x1.65e0288a35ea0p+39},
    {"special_i1e", -7.5, 0, -0x1.1ab559c8cf604p-3},
    {"special_i1e", 40.0, 0, 0x1.ffdabb4e96ce8p-5},
    {"special_bessel_j0", -4.8269849, 0, -0x1.dbc382f2fbe97p-3},
    {"special_bessel_j0", 1.0, 0, 0x1.87c7fdbd7b8f0p-1},
    {"special_bessel_j0", 30.0, 0, -0x1.61c3650e6eb9dp-4},
    {"special_bessel_j1", -1.0, 0, -0x1.c29c9ee970c6cp-2},
    {"special_bessel_j1", 12.0, 0, -0x1.c99ea2b162976p-3},
    {"special_bessel_y0", 0.1, 0, -0x1.88c3dd3fcf18cp+0},
    {"special_bessel_y0", 9.0, 0, 0x1.ffdecfc9a29cap-3},
    {"special_bessel_y1", 0.1, 0, -0x1.9d5f74698d59cp+2},
    {"special_bessel_y1", 5.57605945, 0, -0x1.914b1284ec3b1p-5},
    {"special_modified_bessel_i0", -2.5, 0, 0x1.a51972f665e07p+1},
    {"special_modified_bessel_i0", 3.0, 0, 0x1.385ee7ddb65f1p+2},
    {"special_modified_bessel_i1", -2.5, 0, -0x1.4223c20769d70p+1},
    {"special_modified_bessel_i1", 9.0, 0, 0x1.01ba8ad04fcf9p+10},
    {"special_modified_bessel_k0", 0.1, 0, 0x1.36aa32a31d695p+1},
    {"special_modified_bessel_k0", 1.9, 0, 0x1.07e06699b1991p-3},
    {"special_modified_bessel_k0", 7.0, 0, 0x1.bd6e3d19d6d88p-12},
    {"special_modified_bessel_k1", 0.1, 0, 0x1.3b52b24a3662ap+3},
    {"special_modified_bessel_k1", 1.9, 0, 0x1.46fbe6fdff4f2p-3},
    {"special_modified_bessel_k1", 7.0, 0, 0x1.dc3eaed76506fp-12},
    {"special_scaled_modified_bessel_k0", 0.5, 0, 0x1.862c085f6cf36p+0},
    {"special_scaled_modified_bessel_k0", 100.0, 0, 0x1.005c138a42645p-3},
    {"special_scaled_modified_bessel_k1", 0.5, 0, 0x1.5d91b9e2e9fffp+1},
    {"special_scaled_modified_bessel_k1", 100.0, 0, 0x1.01a367892f886p-3},
    {"special_spherical_bessel_j0", 0.25, 0, 0x1.faaeed4f31577p-1},
    {"special_spherical_bessel_j0", 3.0, 0, 0x1.815a092491c7ap-5},
    {"special_airy_ai", -12.0, 0, -0x1.109c28c3cf34fp-4},
    {"special_airy_ai", -3.0, 0, -0x1.83e7e4ea6959ap-2},
    {"special_airy_ai", -1.0, 0, 0x1.1235093d83da5p-1},
    {"special_airy_ai", 0.5, 0, 0x1.da822d7438440p-3},
    {"special_airy_ai", 3.5, 0, 0x1.52b3f78f3be24p-9},
    {"special_airy_ai", 9.0, 0, 0x1.53a28272eaba4p-29},
    {"special_xlog1py", 2.0, 0.5, 0x1.9f323ecbf984cp-1},
    {"special_xlog1py", -3.0, 1e-09, -0x1.9c511dc02eac6p-29},
    {"special_zeta", 2.0, 0.5, 0x1.3bd3cc9be45dep+2},
    {"special_zeta", 3.5, 10.25, 0x1.5fe90faad4e02p-10},
    {"special_zeta", 3.0, -2.5, 0x1.bb342bf188dd7p-5},
    {"igamma", 0.5, 0.25, 0x1.0a7ef5c18edd2p-1},
    {"igamma", 3.0, 2.0, 0x1.4b15566a13b83p-2},
    {"igamma", 50.0, 40.0, 0x1.2017a9b1067a2p-4},
    {"igamma", 300.0, 310.0, 0x1.71ea0bc5cab6fp-1},
    {"igammac", 1e-06, 0.25, 0x1.18528f7c5c32fp-20},
    {"igammac", 0.5, 4.0, 0x1.328f5ec350e67p-8},
    {"igammac", 50.0, 70.0, 0x1.50e351f1bd043p-8},
    {"igammac", 300.0, 310.0, 0x1.1c2be8746a922p-2},
    {"special_chebyshev_polynomial_t", 0.3, 5.0, 0x1.ff6d330941c82p-1},
    {"special_chebyshev_polynomial_t", 0.3, 40.0, 0x1.dbbac0d013226p-1},
    {"special_chebyshev_polynomial_t", 1.25, 20.0, 0x1.0000000001000p+19},
    {"special_chebyshev_polynomial_u", 0.3, 5.0, 0x1.0385c67dfe32ap+0},
    {"special_chebyshev_polynomial_u", -0.7, 40.0, 0x1.4d830e6c78d08p+0},
    {"special_chebyshev_polynomial_u", -1.25, 21.0, -0x1.5555555555400p+21},
    {"special_shifted_chebyshev_polynomial_t", 0.3, 5.0, -0x1.c486ad2dcb146p-1},
    {"special_shifted_chebyshev_polynomial_u", 0.75, 6.0, 0x1.0000000000000p+0},
    {"special_hermite_polynomial_h", 0.7, 6.0, 0x1.f4537e2c55c95p+6},
    {"special_laguerre_polynomial_l", 0.7, 6.0, -0x1.0d92d74360309p-1},
    {"special_legendre_polynomial_p", 0.7, 9.0, 0x1.1696e0dda5e2ep-2},
    {"special_hermite_polynomial_he", 0.7, 6.0, 0x1.c8779207d4e05p+1},
    {"special_chebyshev_polynomial_v", 0.3, 4.0, 0x1.089a027525461p+0},
    {"special_chebyshev_polynomial_v", 0.3, 30.0, 0x1.823835de4284ep-1},
    {"special_chebyshev_polynomial_v", 1.5, 18.0, 0x1.709e790000000p+24},
    {"special_chebyshev_polynomial_v", -1.5, 19.0, -0x1.0dbdde8000000p+27},
    {"special_chebyshev_polynomial_w", 0.3, 4.0, -0x1.de69ad42c3c9ep-1},
    {"special_chebyshev_polynomial_w", 0.3, 30.0, 0x1.577f43c31bf6ep+0},
    {"special_chebyshev_polynomial_w", 1.5, 18.0, 0x1.9c20ec8000000p+25},
    {"special_chebyshev_polynomial_w", -1.5, 19.0, -0x1.e287510000000p+25},
    {"special_shifted_chebyshev_polynomial_v", 0.3, 4.0, -0x1.9930be0ded289p+0},
    {"special_shifted_chebyshev_polynomial_w", 0.3, 4.0, 0x1.27bb2fec56d5cp-1},
};

static bool special_takes_two(const char *name) { return tn_operator_parameter_count(tn_operator_find(name)) == 2; }

#define CHECK_NEAR(actual, expected, most) CHECK(fabs((actual) - (expected)) <= (most)*fmax(1, fabs((double)(expected))))

static tn_tensor *special_number(double x, tn_dtype dtype) { return tn_scalar_tensor(x, dtype); }

static double special_call(const char *name, double x, double y, tn_dtype dtype) {
    tn_tensor *a = special_number(x, dtype), *b = special_number(y, dtype);
    tn_tensor *result = special_takes_two(name) ? tn_call_tensor(name, TN_VALUES(a, b)) : tn_call_tensor(name, TN_VALUES(a));
    return result ? tn_item(result).value.d : NAN;
}

TEST(special_functions_have_their_values_in_float64) {
    for (size_t i = 0; i < sizeof special_values / sizeof *special_values; i++) {
        tn_scope scope = tn_scope_open();
        double made = special_call(special_values[i].name, special_values[i].x, special_values[i].y, TN_FLOAT64);
        CHECK_INT(tn_error_code(), TN_OK);
        if (!(fabs(made - special_values[i].value) <= 2e-14 * fabs(special_values[i].value)))
            test_fail(__FILE__, __LINE__, "%s(%g, %g) is %.17g, not %.17g", special_values[i].name, special_values[i].x,
                      special_values[i].y, made, special_values[i].value);
        tn_scope_close(scope);
    }
}

TEST(special_functions_of_float32_are_the_nearest_numbers_or_beside_them) {
    for (size_t i = 0; i < sizeof special_values / sizeof *special_values; i++) {
        if (special_values[i].x != (double)(float)special_values[i].x || fabs(special_values[i].value) < 1e-37)
            continue;
        tn_scope scope = tn_scope_open();
        double made = special_call(special_values[i].name, special_values[i].x, special_values[i].y, TN_FLOAT32);
        CHECK_INT(tn_error_code(), TN_OK);
        float other = (float)special_values[i].y;
        if ((double)other == special_values[i].y &&
            !(fabs(made - special_values[i].value) <= 0x1p-23 * fabs(special_values[i].value)))
            test_fail(__FILE__, __LINE__, "%s(%g, %g) is %.9g, not %.9g", special_values[i].name, special_values[i].x,
                      special_values[i].y, made, special_values[i].value);
        tn_scope_close(scope);
    }
}

TEST(special_functions_have_their_limits) {
    static const struct {
        const char *name;
        double x, y, value;
    } limits[] = {{"special_entr", 0, 0, 0},
                  {"special_entr", -1, 0, -INFINITY},
                  {"special_erfcx", INFINITY, 0, 0},
                  {"special_erfcx", -INFINITY, 0, INFINITY},
                  {"special_ndtr", -INFINITY, 0, 0},
                  {"special_ndtr", INFINITY, 0, 1},
                  {"special_log_ndtr", -INFINITY, 0, -INFINITY},
                  {"special_ndtri", 0, 0, -INFINITY},
                  {"special_ndtri", 1, 0, INFINITY},
                  {"special_ndtri", 1.5, 0, NAN},
                  {"special_i0e", INFINITY, 0, 0},
                  {"special_i1", -INFINITY, 0, -INFINITY},
                  {"special_i1e", INFINITY, 0, 0},
                  {"special_bessel_j0", INFINITY, 0, 0},
                  {"special_bessel_y0", 0, 0, -INFINITY},
                  {"special_bessel_y1", -1, 0, NAN},
                  {"special_modified_bessel_k0", 0, 0, INFINITY},
                  {"special_modified_bessel_k1", INFINITY, 0, 0},
                  {"special_modified_bessel_k0", -1, 0, NAN},
                  {"special_spherical_bessel_j0", INFINITY, 0, 0},
                  {"special_airy_ai", INFINITY, 0, 0},
                  {"special_airy_ai", -INFINITY, 0, 0},
                  {"special_xlog1py", 0, -1, 0},
                  {"special_xlog1py", 0, NAN, NAN},
                  {"special_zeta", 1, 2, INFINITY},
                  {"special_zeta", 0.5, 2, NAN},
                  {"special_zeta", 2, -3, INFINITY},
                  {"special_zeta", 2.5, -0.5, NAN},
                  {"special_zeta", 2, INFINITY, 0},
                  {"igamma", 0, 0, NAN},
                  {"igamma", 0, 1, 1},
                  {"igamma", 1, INFINITY, 1},
                  {"igamma", -1, 1, NAN},
                  {"igammac", 2, 0, 1},
                  {"igammac", INFINITY, 1, 1},
                  {"special_chebyshev_polynomial_t", 0.5, -1, 0},
                  {"special_chebyshev_polynomial_t", 0.5, -0.5, 1},
                  {"special_chebyshev_polynomial_u", 1, 20, 21},
                  {"special_chebyshev_polynomial_u", -1, 21, -22},
                  {"special_chebyshev_polynomial_v", -1, 20, 41},
                  {"special_chebyshev_polynomial_w", 1, 20, 41},
                  {"special_legendre_polynomial_p", 0.5, 1e9, NAN},
                  {"special_legendre_polynomial_p", 0.5, NAN, NAN}};
    for (size_t i = 0; i < sizeof limits / sizeof *limits; i++) {
        tn_scope scope = tn_scope_open();
        double made = special_call(limits[i].name, limits[i].x, limits[i].y, TN_FLOAT64);
        CHECK_INT(tn_error_code(), TN_OK);
        if (made != limits[i].value && !(isnan(made) && isnan(limits[i].value)))
            test_fail(__FILE__, __LINE__, "%s(%g, %g) is %g", limits[i].name, limits[i].x, limits[i].y, made);
        tn_scope_close(scope);
    }
}

TEST(derivatives_of_digamma_are_polygamma) {
    tn_tensor *x = tn_scalar_tensor(0.5, TN_FLOAT64), *third = tn_scalar_tensor(-2.5, TN_FLOAT64);
    CHECK_NEAR(tn_item(tn_polygamma(x, 0)).value.d, -1.9635100260214235, 1e-14);
    CHECK_NEAR(tn_item(tn_polygamma(x, 1)).value.d, 4.934802200544679, 1e-13);
    CHECK_NEAR(tn_item(tn_polygamma(x, 3)).value.d, 97.40909103400244, 1e-11);
    CHECK_NEAR(tn_item(tn_polygamma(third, 1)).value.d, 9.539246644989124, 1e-12);
    CHECK_ERROR(TN_ERROR_ARGUMENT, "must not be below 0", tn_polygamma(x, -1));
    tn_tensor *whole = tn_scalar_tensor(2, TN_INT64);
    CHECK_INT(tn_dtype_of(tn_polygamma(whole, 1)), TN_FLOAT32);
}

TEST(the_gamma_function_of_several_dimensions_is_a_sum) {
    tn_tensor *x = tn_scalar_tensor(4, TN_FLOAT64);
    double expected = 3 * 2 / 4.0 * log(3.14159265358979323846) + lgamma(4) + lgamma(3.5) + lgamma(3);
    CHECK_NEAR(tn_item(tn_mvlgamma(x, 3)).value.d, expected, 1e-13);
    CHECK_ERROR(TN_ERROR_ARGUMENT, "p = 0 must be at least 1", tn_mvlgamma(x, 0));
    tn_tensor *out = tn_empty(TN_DIMS(0), TN_FLOAT64);
    CHECK(tn_mvlgamma_out(out, x, 3) == out && tn_ndim(out) == 0);
    CHECK(tn_mvlgamma_(x, 3) == x);
    CHECK_NEAR(tn_item(x).value.d, expected, 1e-13);
    tn_tensor *whole = tn_scalar_tensor(4, TN_INT32);
    CHECK(whole);
    CHECK_ERROR(TN_ERROR_DTYPE, "float32 cannot be written into [] int32", tn_mvlgamma_(whole, 3));
}

TEST_SAMPLED(special_functions_of_two_numbers_have_the_derivative_of_the_second) {
    tn_tensor *a = tn_detach(grad_input(2, 3)), *x = grad_positive(2, 3);
    CHECK(a && x);
    a = tn_add_scalar(a, 3);
    CHECK_GRADIENTS("igamma", TN_VALUES(a, x));
    CHECK_GRADIENTS("igammac", TN_VALUES(a, x));
    CHECK_GRADIENTS("special_zeta", TN_VALUES(a, x));
    CHECK_GRADIENTS("special_xlog1py", TN_VALUES(grad_input(2, 3), x));
    CHECK_GRADIENTS("polygamma", TN_VALUES(x, 2));
    CHECK_GRADIENTS("mvlgamma", TN_VALUES(tn_add_scalar(x, 2), 3));
}

TEST(a_derivative_that_is_not_there_is_refused) {
    tn_tensor *a = tn_requires_grad_(tn_full(TN_DIMS(2), 2, TN_FLOAT64), true), *x = tn_full(TN_DIMS(2), 1, TN_FLOAT64);
    tn_tensor *y = tn_sum(tn_igamma(a, x), TN_DTYPE_DEFAULT);
    CHECK(y);
    CHECK_INT(tn_backward(y, NULL), TN_ERROR_UNSUPPORTED);
    tn_error_clear();
}

TEST(slopes_of_a_line_are_its_own_and_ends_follow_the_order) {
    tn_tensor *x = tn_arange(5, TN_FLOAT64), *square = tn_square(x);
    tn_floats none = {NULL, 0}, half = {(const double[]){0.5}, 1};
    tn_tensor *first = tn_list_at(tn_gradient(square, none, TN_DIMS(0), 1), 0);
    tn_tensor *second = tn_list_at(tn_gradient(square, none, TN_DIMS(0), 2), 0);
    CHECK(first && second);
    for (int i = 0; i < 5; i++) {
        CHECK_NEAR(tn_item(tn_select(second, 0, i)).value.d, 2.0 * i, 1e-15);
        CHECK_NEAR(tn_item(tn_select(first, 0, i)).value.d, i == 0 ? 1 : i == 4 ? 7 : 2 * i, 1e-15);
    }
    CHECK_NEAR(tn_item(tn_select(tn_list_at(tn_gradient(x, half, TN_DIMS(-1), 1), 0), 0, 2)).value.d, 2, 1e-15);
    tn_tensor *places = tn_square(x), *cube = tn_mul(places, places); /* the parabola through uneven points */
    const tn_tensor *coordinates[] = {places};
    tn_tensor *uneven = tn_list_at(tn_gradient_coordinates(cube, coordinates, 1, TN_DIMS(0), 2), 0);
    CHECK(uneven);
    for (int i = 0; i < 5; i++)
        CHECK_NEAR(tn_item(tn_select(uneven, 0, i)).value.d, 2.0 * i * i, 1e-12);
    CHECK_ERROR(TN_ERROR_SHAPE, "takes 3 or more", tn_gradient(tn_narrow(x, 0, 0, 2), none, TN_DIMS(0), 2));
    CHECK_ERROR(TN_ERROR_ARGUMENT, "edge_order = 3", tn_gradient(x, none, TN_DIMS(0), 3));
    CHECK_ERROR(TN_ERROR_ARGUMENT, "twice", tn_gradient(x, none, TN_DIMS(0, -1), 1));
    CHECK_ERROR(TN_ERROR_ARGUMENT, "not a dimension", tn_gradient(x, none, TN_DIMS(1), 1));
    CHECK_ERROR(TN_ERROR_SHAPE, "must be a vector of the 5",
                tn_gradient_coordinates(x, (const tn_tensor *[]){tn_narrow(x, 0, 0, 4)}, 1, TN_DIMS(0), 1));
}

TEST(points_are_counted_in_the_cells_of_a_grid) {
    static const double coordinates[] = {0, 0, 0.5, 1, 1, 0.25, 2, 0, NAN, 0.5};
    tn_tensor *points = tn_clone(tn_from_memory(coordinates, TN_DIMS(5, 2), TN_FLOAT64, TN_BORROW), TN_CONTIGUOUS);
    tn_floats range = {(const double[]){0, 1, 0, 1}, 4};
    tn_list *made = tn_histogramdd(points, TN_DIMS(2, 2), range, NULL, false);
    CHECK_INT(tn_list_count(made), 3);
    static const double expected[2][2] = {{1, 0}, {1, 1}};
    for (int i = 0; i < 2; i++)
        for (int j = 0; j < 2; j++)
            CHECK_NEAR(tn_item(tn_select(tn_select(tn_list_at(made, 0), 0, i), 0, j)).value.d, expected[i][j], 0);
    CHECK_NEAR(tn_item(tn_select(tn_list_at(made, 2), 0, 1)).value.d, 0.5, 0);
    tn_tensor *weight = tn_full(TN_DIMS(5), 3, TN_FLOAT64), *column = tn_narrow(points, 1, 0, 1);
    CHECK(weight && column);
    tn_tensor *dense = tn_list_at(tn_histogramdd(points, TN_DIMS(2, 2), range, weight, true), 0);
    CHECK_NEAR(tn_item(tn_sum(dense, TN_DTYPE_DEFAULT)).value.d, 4, 1e-14); /* over cells of a quarter */
    CHECK_ERROR(TN_ERROR_SHAPE, "points of 2 coordinates", tn_histogramdd(points, TN_DIMS(2), range, NULL, false));
    CHECK_ERROR(TN_ERROR_ARGUMENT, "range has 4 numbers", tn_histogramdd(column, TN_DIMS(2), range, NULL, false));
    CHECK_ERROR(TN_ERROR_SHAPE, "weight must have", tn_histogramdd(points, TN_DIMS(2, 2), range, points, false));
    CHECK_ERROR(TN_ERROR_SHAPE, "2 or more", tn_histogramdd(weight, TN_DIMS(2), range, NULL, false));
}

TEST(places_are_found_and_filled_up) {
    tn_tensor *x = tn_from_text("[[0, 3], [5, 0]]", TN_INT64), *found = tn_nonzero_static(x, 3, -1);
    CHECK(found && tn_size(found, 0) == 3 && tn_size(found, 1) == 2);
    CHECK_INT(tn_item(tn_select(tn_select(found, 0, 1), 0, 0)).value.i, 1);
    CHECK_INT(tn_item(tn_select(tn_select(found, 0, 2), 0, 1)).value.i, -1);
    CHECK_INT(tn_size(tn_nonzero_static(x, 1, 0), 0), 1);
    CHECK_ERROR(TN_ERROR_ARGUMENT, "size = -1", tn_nonzero_static(x, -1, 0));
    tn_list *places = tn_unravel_index(tn_scalar_tensor(11, TN_INT64), TN_DIMS(2, 3, 4));
    CHECK_INT(tn_list_count(places), 3);
    CHECK_INT(tn_item(tn_list_at(places, 0)).value.i, 0);
    CHECK_INT(tn_item(tn_list_at(places, 1)).value.i, 2);
    CHECK_INT(tn_item(tn_list_at(places, 2)).value.i, 3);
    CHECK_ERROR(TN_ERROR_DTYPE, "must be integers", tn_unravel_index(tn_ones(TN_DIMS(1), TN_FLOAT32), TN_DIMS(2)));
}

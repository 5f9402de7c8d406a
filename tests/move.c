/* move.c - moving: strides of every kind, results given and in place, threads, refusals. PyTorch's answers are in
 * join_torch.c.
 *
 * Tests: src/ops/join/move_product.c, src/ops/join/move_repeat.c, src/ops/join/pad.c, src/ops/join/triangle.c
 * Tests: src/ops/line/statistics.c, src/ops/line/statistics_covariance.c, src/ops/line/statistics_distance.c
 * Tests: src/cpu/statistics_kernels.c */
#include "join_helpers.h"

/* ---- by example */

TEST(repeating_rolling_and_padding_by_example) {
    tn_tensor *x = tn_from_text("[[1, 2, 3], [4, 5, 6]]", TN_INT16), *counts = tn_from_text("[2, 0, 1]", TN_INT64);
    CHECK(x && counts);
    join_check_text(tn_repeat(x, TN_DIMS(1, 2)), "[[1, 2, 3, 1, 2, 3], [4, 5, 6, 4, 5, 6]]", TN_INT16);
    join_check_text(tn_tile(x, TN_DIMS(2)), "[[1, 2, 3, 1, 2, 3], [4, 5, 6, 4, 5, 6]]", TN_INT16);
    join_check_text(tn_repeat_interleave(x, 2, 0, TN_NONE), "[[1, 2, 3], [1, 2, 3], [4, 5, 6], [4, 5, 6]]", TN_INT16);
    join_check_text(tn_repeat_interleave(x, 1, TN_NONE, 6), "[1, 2, 3, 4, 5, 6]", TN_INT16);
    join_check_text(tn_repeat_interleave_tensor(x, counts, 1, TN_NONE), "[[1, 1, 3], [4, 4, 6]]", TN_INT16);
    join_check_text(tn_repeat_interleave_counts(counts, TN_NONE), "[0, 0, 2]", TN_INT64);
    join_check_text(tn_roll(x, TN_DIMS(1), TN_DIMS()), "[[6, 1, 2], [3, 4, 5]]", TN_INT16);
    join_check_text(tn_roll(x, TN_DIMS(1, -1), TN_DIMS(0, 1)), "[[5, 6, 4], [2, 3, 1]]", TN_INT16);
    join_check_text(tn_pad(x, TN_DIMS(1, -1), "constant", 9), "[[9, 1, 2], [9, 4, 5]]", TN_INT16);
    join_check_text(tn_pad(x, TN_DIMS(2, 1), "reflect", TN_NO_SCALAR), "[[3, 2, 1, 2, 3, 2], [6, 5, 4, 5, 6, 5]]", TN_INT16);
    join_check_text(tn_pad(x, TN_DIMS(1, 1), "replicate", TN_NO_SCALAR), "[[1, 1, 2, 3, 3], [4, 4, 5, 6, 6]]", TN_INT16);
    join_check_text(tn_pad(x, TN_DIMS(1, 2), "circular", TN_NO_SCALAR), "[[3, 1, 2, 3, 1, 2], [6, 4, 5, 6, 4, 5]]", TN_INT16);
    join_check_text(tn_constant_pad_nd(x, TN_DIMS(0, 0, 1, 0), 7), "[[7, 7, 7], [1, 2, 3], [4, 5, 6]]", TN_INT16);
}

TEST(margins_are_made_in_any_number_of_dimensions) {
    tn_tensor *x = tn_from_text("[1, 2, 3]", TN_BOOL), *y = tn_from_text("[1, 2, 3]", TN_INT8);
    CHECK(x && y);
    join_check_text(tn_pad(y, TN_DIMS(1, 1), "reflect", TN_NO_SCALAR), "[2, 1, 2, 3, 2]", TN_INT8);
    join_check_text(tn_pad(x, TN_DIMS(1, 0), "constant", 0), "[0, 1, 1, 1]", TN_BOOL);
    tn_tensor *cube = tn_pad(tn_zeros(TN_DIMS(2, 2, 2, 2), TN_INT8), TN_DIMS(1, 1, 1, 1, 1, 1, 1, 1), "circular", 0);
    CHECK(cube);
    CHECK_INT(tn_numel(cube), 256);
}

TEST(triangles_and_diagonals_by_example) {
    tn_tensor *x = tn_from_text("[[1, 2, 3], [4, 5, 6]]", TN_INT16), *v = tn_from_text("[1, 2]", TN_INT16);
    CHECK(x && v);
    join_check_text(tn_tril(x, 0), "[[1, 0, 0], [4, 5, 0]]", TN_INT16);
    join_check_text(tn_triu(x, 1), "[[0, 2, 3], [0, 0, 6]]", TN_INT16);
    join_check_text(tn_tril(x, INT64_MAX), "[[1, 2, 3], [4, 5, 6]]", TN_INT16);
    join_check_text(tn_tril(x, INT64_MIN), "[[0, 0, 0], [0, 0, 0]]", TN_INT16);
    join_check_text(tn_tril_indices(2, 3, 0, TN_DTYPE_DEFAULT), "[[0, 1, 1], [0, 0, 1]]", TN_INT64);
    join_check_text(tn_triu_indices(2, 2, INT64_MIN, TN_INT32), "[[0, 0, 1, 1], [0, 1, 0, 1]]", TN_INT32);
    join_check_text(tn_diag(x, 1), "[2, 6]", TN_INT16);
    join_check_text(tn_diag(v, -1), "[[0, 0, 0], [1, 0, 0], [0, 2, 0]]", TN_INT16);
    join_check_text(tn_diag_embed(v, 0, 0, 1), "[[1, 0], [0, 2]]", TN_INT16);
    join_check_text(tn_diagflat(tn_unsqueeze(v, 0), 1), "[[0, 1, 0], [0, 0, 2], [0, 0, 0]]", TN_INT16);
}

/* ---- strides */

static tn_tensor *layout_repeat(const tn_tensor *const *x) { return tn_repeat(x[0], TN_DIMS(2, 1, 3, 2)); }
static tn_tensor *layout_interleave(const tn_tensor *const *x) { return tn_repeat_interleave(x[0], 3, 1, TN_NONE); }
static tn_tensor *layout_interleave_flat(const tn_tensor *const *x) { return tn_repeat_interleave(x[0], 3, TN_NONE, TN_NONE); }
static tn_tensor *layout_interleave_tensor(const tn_tensor *const *x) {
    return tn_repeat_interleave_tensor(x[0], tn_flip(tn_from_text("[3, 1, 0, 2]", TN_INT32), TN_DIMS(0)), 1, TN_NONE);
}
static tn_tensor *layout_roll(const tn_tensor *const *x) { return tn_roll(x[0], TN_DIMS(1, -2, 7), TN_DIMS(0, 1, 2)); }
static tn_tensor *layout_roll_flat(const tn_tensor *const *x) { return tn_roll(x[0], TN_DIMS(-7), TN_DIMS()); }
static tn_tensor *layout_pad(const tn_tensor *const *x) { return tn_pad(x[0], TN_DIMS(1, 2, -1, 1, 3, 0), "constant", 1); }
static tn_tensor *layout_reflect(const tn_tensor *const *x) {
    return tn_pad(x[0], TN_DIMS(1, 2, -1, 1, 0, 2), "reflect", TN_NO_SCALAR);
}
static tn_tensor *layout_circular(const tn_tensor *const *x) {
    return tn_pad(x[0], TN_DIMS(1, 2, 3, 1, 0, 2), "circular", TN_NO_SCALAR);
}
static tn_tensor *layout_tril(const tn_tensor *const *x) { return tn_tril(x[0], 1); }
static tn_tensor *layout_triu(const tn_tensor *const *x) { return tn_triu(x[0], -1); }
static tn_tensor *layout_diag(const tn_tensor *const *x) { return tn_diag(x[1], 1); }
static tn_tensor *layout_diag_embed(const tn_tensor *const *x) { return tn_diag_embed(x[0], -1, 0, 2); }
static tn_tensor *layout_diagflat(const tn_tensor *const *x) { return tn_diagflat(x[1], 1); }
static tn_tensor *layout_outer(const tn_tensor *const *x) { return tn_outer(x[2], tn_select(x[1], 0, 0)); }
static tn_tensor *layout_kron(const tn_tensor *const *x) { return tn_kron(x[0], x[1]); }
static tn_tensor *layout_cross(const tn_tensor *const *x) { return tn_cross(x[0], tn_narrow(x[0], 1, 0, 1), 0); }
static tn_tensor *layout_vander(const tn_tensor *const *x) { return tn_vander(x[2], 3, true); }
static tn_tensor *layout_renorm(const tn_tensor *const *x) { return tn_renorm(x[1], 2, 0, 1); }
static tn_tensor *layout_diff(const tn_tensor *const *x) { return tn_diff(x[0], 2, 1, NULL, x[0]); }
static tn_tensor *layout_trapezoid(const tn_tensor *const *x) { return tn_trapezoid(x[0], 2, 1); }
static tn_tensor *layout_trapezoid_x(const tn_tensor *const *x) { return tn_trapezoid_x(x[0], x[2], 1); }
static tn_tensor *layout_cumulative(const tn_tensor *const *x) { return tn_cumulative_trapezoid_x(x[0], x[1], 1); }
static tn_tensor *layout_cov(const tn_tensor *const *x) { return tn_cov(x[1], 1, NULL, NULL); }
static tn_tensor *layout_corrcoef(const tn_tensor *const *x) { return tn_corrcoef(x[1]); }
static tn_tensor *layout_cdist(const tn_tensor *const *x) { return tn_cdist(x[0], x[1], 2); }
static tn_tensor *layout_pdist(const tn_tensor *const *x) { return tn_pdist(x[1], 3); }

TEST_SAMPLED(moving_does_not_depend_on_strides_for_any_dtype) {
    static const struct {
        const char *name;
        join_function function;
    } operators[] = {{"repeat", layout_repeat},
                     {"repeat_interleave", layout_interleave},
                     {"repeat_interleave without dim", layout_interleave_flat},
                     {"repeat_interleave.tensor", layout_interleave_tensor},
                     {"roll", layout_roll},
                     {"roll without dims", layout_roll_flat},
                     {"pad", layout_pad},
                     {"pad reflect", layout_reflect},
                     {"pad circular", layout_circular},
                     {"tril", layout_tril},
                     {"triu", layout_triu},
                     {"diag", layout_diag},
                     {"diag_embed", layout_diag_embed},
                     {"diagflat", layout_diagflat},
                     {"outer", layout_outer},
                     {"kron", layout_kron},
                     {"cross", layout_cross},
                     {"vander", layout_vander},
                     {"renorm", layout_renorm},
                     {"diff", layout_diff},
                     {"trapezoid", layout_trapezoid},
                     {"trapezoid.x", layout_trapezoid_x},
                     {"cumulative_trapezoid", layout_cumulative},
                     {"cov", layout_cov},
                     {"corrcoef", layout_corrcoef},
                     {"cdist", layout_cdist},
                     {"pdist", layout_pdist}};
    static const int64_t a[] = {3, 4, 5}, b[] = {4, 5}, c[] = {4};
    static const tn_dims sizes[] = {{a, 3}, {b, 2}, {c, 1}};
    for (int round = 0; round < 3; round++)
        for (tn_dtype dtype = TN_BOOL; dtype < TN_DTYPE_COUNT; dtype++)
            for (size_t i = 0; i < sizeof operators / sizeof operators[0]; i++)
                join_check_layouts(operators[i].name, operators[i].function, sizes, 3, dtype);
}

/* ---- in place and given results */

TEST_SAMPLED(triangles_are_cut_in_place_and_into_results_of_any_strides) {
    for (int round = 0; round < 60; round++) {
        tn_scope scope = tn_scope_open();
        int64_t sizes[] = {test_random_between(1, 3), test_random_between(0, 6), test_random_between(0, 6)};
        int64_t diagonal = test_random_between(-6, 6);
        tn_tensor *x = join_scrambled((tn_dims){sizes, 3}, TN_INT16), *out = join_scrambled((tn_dims){sizes, 3}, TN_INT16);
        CHECK(x && out);
        const tn_tensor *lower = tn_tril(x, diagonal), *upper = tn_triu(x, diagonal);
        CHECK(lower && upper);
        if (!tn_overlaps_itself(out)) {
            CHECK(tn_tril_out(out, x, diagonal) == out || tn_numel(out) == 0);
            CHECK(join_same_bits(out, lower));
            CHECK(tn_triu_out(out, x, diagonal));
            CHECK(join_same_bits(out, upper));
        }
        if (!tn_overlaps_itself(x)) {
            CHECK(tn_triu_(x, diagonal) == x);
            CHECK(join_same_bits(x, upper));
        }
        tn_scope_close(scope);
    }
}

TEST(triangles_in_place) {
    tn_tensor *x = tn_from_text("[[1, 2], [3, 4]]", TN_FLOAT32);
    CHECK(x);
    uint32_t version = tn_tensor_version(x);
    CHECK(tn_tril_(x, 0) == x);
    join_check_text(x, "[[1, 0], [3, 4]]", TN_FLOAT32);
    CHECK(tn_tensor_version(x) > version);
    CHECK(tn_tril_out(x, tn_transpose(x, 0, 1), 0) == x);
    join_check_text(x, "[[1, 0], [0, 4]]", TN_FLOAT32);
    CHECK(tn_triu_out(x, x, 1) == x);
    join_check_text(x, "[[0, 0], [0, 0]]", TN_FLOAT32);
    CHECK_ERROR(TN_ERROR_OVERLAP, "share", tn_tril_(tn_expand(x, TN_DIMS(2, 2, 2)), 0));
    CHECK_ERROR(TN_ERROR_DTYPE, "float32", tn_tril_out(tn_zeros(TN_DIMS(2, 2), TN_FLOAT64), x, 0));
    CHECK_INT(tn_set_readonly(x), TN_OK);
    CHECK_ERROR(TN_ERROR_READONLY, "", tn_tril_(x, 0));
}

TEST(products_into_given_results) {
    tn_tensor *v = tn_from_text("[1, 2, 3]", TN_INT32), *wide = tn_zeros(TN_DIMS(3, 3), TN_FLOAT32);
    tn_tensor *m = tn_from_text("[[3, 4], [0, 1]]", TN_FLOAT32), *three = tn_zeros(TN_DIMS(3), TN_INT32);
    CHECK(v && wide && m && three);
    CHECK(tn_outer_out(wide, v, v) == wide);
    join_check_text(wide, "[[1, 2, 3], [2, 4, 6], [3, 6, 9]]", TN_FLOAT32);
    CHECK(tn_ger_out(wide, v, v) == wide);
    CHECK_ERROR(TN_ERROR_SHAPE, "one dimension", tn_outer_out(wide, v, m));
    CHECK(tn_kron_out(tn_reshape(wide, TN_DIMS(9)), v, v));
    join_check_text(wide, "[[1, 2, 3], [2, 4, 6], [3, 6, 9]]", TN_FLOAT32);
    CHECK_ERROR(TN_ERROR_DTYPE, "bool", tn_kron_out(tn_zeros(TN_DIMS(9), TN_BOOL), v, v));
    CHECK(tn_cross_out(three, v, tn_flip(v, TN_DIMS(0)), TN_NONE) == three);
    join_check_text(three, "[-4, 8, -4]", TN_INT32);
    CHECK(tn_linalg_cross_out(three, tn_flip(v, TN_DIMS(0)), v, -1) == three);
    join_check_text(three, "[4, -8, 4]", TN_INT32);
    CHECK_ERROR(TN_ERROR_DTYPE, "int32", tn_cross_out(tn_zeros(TN_DIMS(3), TN_INT64), v, v, 0));
    CHECK_ERROR(TN_ERROR_DTYPE, "float32", tn_diag_out(three, wide, 0));
    CHECK(tn_renorm_(m, HUGE_VAL, 0, 2) == m);
}

TEST(renorm_scales_what_is_longer_than_allowed) {
    tn_tensor *m = tn_from_text("[[3, 4], [0, 1]]", TN_FLOAT64), *out = tn_zeros(TN_DIMS(2, 2), TN_FLOAT64);
    CHECK(m && out);
    CHECK(tn_renorm_out(out, m, 2, 0, 2.5) == out);
    CHECK(tn_renorm_(m, 2, 0, 2.5) == m);
    CHECK(join_same_bits(m, out));
    tn_view_float64 view = tn_read_float64(m);
    CHECK(fabs(TN_AT2(view, 0, 0) - 1.5) < 1e-6 && fabs(TN_AT2(view, 0, 1) - 2) < 1e-6);
    CHECK_DOUBLE(TN_AT2(view, 1, 1), 1);
    CHECK_ERROR(TN_ERROR_ARGUMENT, "p = 0", tn_renorm(m, 0, 0, 1));
    CHECK_ERROR(TN_ERROR_ARGUMENT, "maxnorm = -1", tn_renorm(m, 2, 0, -1));
    CHECK_ERROR(TN_ERROR_ARGUMENT, "real", tn_renorm(m, tn_scalar_complex(1, 1), 0, 1));
    CHECK_ERROR(TN_ERROR_SHAPE, "2 dimensions", tn_renorm(tn_select(m, 0, 0), 2, 0, 1));
    CHECK_ERROR(TN_ERROR_DTYPE, "int64", tn_renorm(tn_to(m, TN_INT64), 2, 0, 1));
    CHECK_ERROR(TN_ERROR_DTYPE, "float64", tn_renorm_out(tn_zeros(TN_DIMS(2, 2), TN_FLOAT32), m, 2, 0, 1));
}

TEST_SAMPLED(moving_gives_the_same_bits_for_any_number_of_threads) {
    int64_t before = tn_num_threads();
    const tn_tensor *x = join_random(TN_DIMS(600, 800), TN_FLOAT32), *counts = join_random(TN_DIMS(800), TN_INT64);
    CHECK(x && counts);
    const tn_tensor *results[2][6];
    for (int64_t threads = 1; threads <= 2; threads++) {
        const tn_tensor **r = results[threads - 1];
        CHECK_INT(tn_set_num_threads(threads), TN_OK);
        r[0] = tn_tril(x, 3);
        r[1] = tn_repeat_interleave_tensor(x, counts, 1, TN_NONE);
        r[2] = tn_pad(x, TN_DIMS(7, 9, 5, 3), "reflect", TN_NO_SCALAR);
        r[3] = tn_cov(tn_narrow(x, 0, 0, 60), 1, NULL, NULL);
        r[4] = tn_cdist(tn_narrow(x, 0, 0, 70), tn_narrow(x, 0, 100, 50), 2);
        r[5] = tn_cumulative_trapezoid(x, 1, 0);
    }
    tn_set_num_threads(before);
    for (int i = 0; i < 6; i++)
        CHECK(results[0][i] && results[1][i] && join_same_bits(results[0][i], results[1][i]));
}

/* ---- statistics */

TEST(statistics_by_example) {
    tn_tensor *x = tn_from_text("[1, 3, 6]", TN_INT32), *at = tn_from_text("[0, 1, 4]", TN_FLOAT64);
    tn_tensor *out = tn_empty(TN_DIMS(0), TN_INT64), *m = tn_from_text("[[1, 2, 3], [3, 2, 1]]", TN_FLOAT32);
    CHECK(x && at && out && m);
    join_check_text(tn_diff(x, 1, -1, NULL, NULL), "[2, 3]", TN_INT32);
    join_check_text(tn_diff(x, 2, -1, x, NULL), "[1, -8, 7, 1]", TN_INT32);
    CHECK(tn_diff_out(out, x, 1, 0, NULL, NULL) == out);
    join_check_text(out, "[2, 3]", TN_INT64);
    join_check_text(tn_trapezoid(x, 2, 0), "13", TN_FLOAT32);
    join_check_text(tn_trapz(x, 2, 0), "13", TN_FLOAT32);
    join_check_text(tn_trapezoid_x(x, at, 0), "15.5", TN_FLOAT64);
    join_check_text(tn_trapz_x(x, at, 0), "15.5", TN_FLOAT64);
    join_check_text(tn_cumulative_trapezoid(x, 1, 0), "[2, 6.5]", TN_FLOAT32);
    join_check_text(tn_cumulative_trapezoid_x(x, at, 0), "[2, 15.5]", TN_FLOAT64);
    tn_tensor *bytes = tn_from_text("[200, 100, 100]", TN_UINT8), *back = tn_from_text("[9, 5, 4]", TN_UINT8);
    CHECK(bytes && back); /* which wrap around */
    join_check_text(tn_trapezoid(bytes, 2, 0), "756", TN_FLOAT32);
    join_check_text(tn_trapezoid_x(bytes, back, 0), "68", TN_FLOAT32);
    join_check_text(tn_trapezoid_x(bytes, at, 0), "322", TN_FLOAT64);
    join_check_text(tn_cumulative_trapezoid(bytes, 3, 0), "[66, 366]", TN_FLOAT32);
    join_check_text(tn_cov(m, 1, NULL, NULL), "[[1, -1], [-1, 1]]", TN_FLOAT32);
    join_check_text(tn_corrcoef(m), "[[1, -1], [-1, 1]]", TN_FLOAT32);
    join_check_text(tn_cdist(m, m, 1), "[[0, 4], [4, 0]]", TN_FLOAT32);
    join_check_text(tn_cdist_compute_mode(m, m, 0, "use_mm_for_euclid_dist"), "[[0, 2], [2, 0]]", TN_FLOAT32);
    join_check_text(tn_pdist(m, HUGE_VAL), "[2]", TN_FLOAT32);
}

TEST(weighted_observations_count_as_often_as_they_say) {
    tn_tensor *m = tn_from_text("[[1, 2, 5], [3, 7, 1]]", TN_FLOAT64), *often = tn_from_text("[2, 1, 1]", TN_INT64);
    tn_tensor *ones = tn_ones(TN_DIMS(3), TN_FLOAT64);
    CHECK(m && often && ones);
    const tn_tensor *weighted = tn_cov(m, 1, often, NULL);
    const tn_tensor *repeated = tn_cov(tn_repeat_interleave_tensor(m, often, 1, TN_NONE), 1, NULL, NULL);
    CHECK(weighted && repeated);
    tn_view_float64 a = tn_read_float64(weighted), b = tn_read_float64(repeated);
    for (int64_t i = 0; i < 2; i++)
        for (int64_t j = 0; j < 2; j++)
            CHECK(fabs(TN_AT2(a, i, j) - TN_AT2(b, i, j)) < 1e-12);
    CHECK(join_same_bits(tn_cov(m, 1, NULL, ones), tn_cov(m, 1, NULL, NULL)));
    CHECK_ERROR(TN_ERROR_DTYPE, "whole", tn_cov(m, 1, ones, NULL));
    CHECK_ERROR(TN_ERROR_DTYPE, "floating", tn_cov(m, 1, NULL, often));
    CHECK_ERROR(TN_ERROR_SHAPE, "3", tn_cov(m, 1, tn_narrow(often, 0, 0, 2), NULL));
    CHECK_ERROR(TN_ERROR_ARGUMENT, "fweights[0] = -2", tn_cov(m, 1, tn_neg(often), ones));
    CHECK_ERROR(TN_ERROR_ARGUMENT, "add up to 0", tn_cov(m, 1, NULL, tn_zeros(TN_DIMS(3), TN_FLOAT64)));
    CHECK_ERROR(TN_ERROR_DTYPE, "bool", tn_corrcoef(tn_to(m, TN_BOOL)));
    CHECK_ERROR(TN_ERROR_SHAPE, "at most 2", tn_cov(tn_unsqueeze(m, 0), 1, NULL, NULL));
}

TEST(a_circular_margin_goes_round_what_is_left) {
    tn_tensor *x = tn_reshape(tn_arange_start(1, 11, 1, TN_INT64), TN_DIMS(2, 5));
    CHECK(x);
    join_check_text(tn_pad(x, TN_DIMS(2, -1), "circular", TN_NO_SCALAR), "[[3, 4, 1, 2, 3, 4], [8, 9, 6, 7, 8, 9]]", TN_INT64);
    join_check_text(tn_pad(x, TN_DIMS(-3, 4), "circular", TN_NO_SCALAR), "[[4, 5, 4, 5, 4, 5], [9, 10, 9, 10, 9, 10]]",
                    TN_INT64);
    join_check_text(tn_pad(x, TN_DIMS(5, -3), "circular", TN_NO_SCALAR), "[[2, 1, 2, 1, 2, 1, 2], [7, 6, 7, 6, 7, 6, 7]]",
                    TN_INT64);
    join_check_text(tn_pad(x, TN_DIMS(-4, 1, 2, -1), "circular", TN_NO_SCALAR), "[[5, 5], [5, 5], [5, 5]]", TN_INT64);
    join_check_text(tn_pad(tn_flip(x, TN_DIMS(1)), TN_DIMS(-4, 2, 0, 1), "circular", TN_NO_SCALAR),
                    "[[1, 1, 1], [6, 6, 6], [1, 1, 1]]", TN_INT64);
}

TEST(the_largest_distance_of_pdist_is_no_number_where_a_difference_is_none) {
    tn_tensor *x = TN_MATRIX(double, 3, {1, NAN, 2}, {2, 3, 4}, {5, 7, 3});
    CHECK(x);
    tn_tensor *apart = tn_pdist(x, HUGE_VAL), *across = tn_cdist(x, x, HUGE_VAL);
    CHECK(apart && across);
    CHECK_DOUBLE(tn_get_double(apart, TN_DIMS(0)), NAN);
    CHECK_DOUBLE(tn_get_double(apart, TN_DIMS(1)), NAN);
    CHECK_DOUBLE(tn_get_double(apart, TN_DIMS(2)), 4);
    CHECK_DOUBLE(tn_get_double(across, TN_DIMS(0, 1)), 2); /* as in PyTorch, whose two functions differ here */
}

/* ---- refusals */

TEST(what_cannot_be_moved_is_refused) {
    tn_tensor *x = tn_zeros(TN_DIMS(2, 3), TN_INT32), *v = tn_zeros(TN_DIMS(3), TN_INT32), *s = tn_zeros(TN_DIMS(), TN_INT32);
    CHECK(x && v && s);
    CHECK_ERROR(TN_ERROR_ARGUMENT, "repeats [2]", tn_repeat(x, TN_DIMS(2)));
    CHECK_ERROR(TN_ERROR_ARGUMENT, "negative", tn_tile(x, TN_DIMS(-1)));
    CHECK_ERROR(TN_ERROR_SHAPE, "too large", tn_repeat(x, TN_DIMS(1, INT64_MAX)));
    CHECK_ERROR(TN_ERROR_ARGUMENT, "repeats = -1", tn_repeat_interleave(x, -1, 0, TN_NONE));
    CHECK_ERROR(TN_ERROR_ARGUMENT, "output_size = 5", tn_repeat_interleave(x, 2, 0, 5));
    CHECK_ERROR(TN_ERROR_INDEX, "no dimensions", tn_repeat_interleave(s, 2, 0, TN_NONE));
    CHECK_ERROR(TN_ERROR_ARGUMENT, "repeats[0] = -1", tn_repeat_interleave_counts(tn_sub_scalar(v, 1), TN_NONE));
    CHECK_ERROR(TN_ERROR_SHAPE, "as many as dimension 0", tn_repeat_interleave_tensor(x, v, 0, TN_NONE));
    CHECK_ERROR(TN_ERROR_DTYPE, "int32 or int64", tn_repeat_interleave_tensor(x, tn_to(v, TN_INT8), 1, TN_NONE));
    CHECK_ERROR(TN_ERROR_SHAPE, "at most one dimension", tn_repeat_interleave_tensor(x, x, 1, TN_NONE));
    CHECK_ERROR(TN_ERROR_SHAPE, "2^63", tn_repeat_interleave_counts(tn_full(TN_DIMS(3), INT64_MAX, TN_INT64), TN_NONE));
    CHECK_ERROR(TN_ERROR_ARGUMENT, "equally long", tn_roll(x, TN_DIMS(1, 2), TN_DIMS(0)));
    CHECK_ERROR(TN_ERROR_ARGUMENT, "empty", tn_roll(x, TN_DIMS(), TN_DIMS()));
    CHECK_ERROR(TN_ERROR_INDEX, "dims", tn_roll(x, TN_DIMS(1), TN_DIMS(2)));
    CHECK_ERROR(TN_ERROR_INDEX, "no dimensions", tn_roll(s, TN_DIMS(1), TN_DIMS(0)));
    CHECK_ERROR(TN_ERROR_ARGUMENT, "pairs", tn_pad(x, TN_DIMS(1), "constant", 0));
    CHECK_ERROR(TN_ERROR_SHAPE, "no size", tn_pad(x, TN_DIMS(-2, -2), "constant", 0));
    CHECK_ERROR(TN_ERROR_SHAPE, "cuts off", tn_pad(x, TN_DIMS(-4, 3), "constant", 0));
    CHECK_ERROR(TN_ERROR_DTYPE, "does not fit", tn_pad(x, TN_DIMS(1, 1), "constant", 1e30));
    CHECK_ERROR(TN_ERROR_ARGUMENT, "smaller than the size", tn_pad(x, TN_DIMS(3, 0), "reflect", TN_NO_SCALAR));
    CHECK_ERROR(TN_ERROR_ARGUMENT, "larger than what it repeats", tn_pad(x, TN_DIMS(4, 0), "circular", TN_NO_SCALAR));
    CHECK_ERROR(TN_ERROR_ARGUMENT, "circular margin to repeat", tn_pad(x, TN_DIMS(3, -3), "circular", TN_NO_SCALAR));
    CHECK_ERROR(TN_ERROR_ARGUMENT, "no element", tn_pad(tn_narrow(x, 1, 0, 0), TN_DIMS(1, 0), "replicate", TN_NO_SCALAR));
    CHECK_ERROR(TN_ERROR_ARGUMENT, "leaves nothing", tn_pad(x, TN_DIMS(-3, 0), "replicate", TN_NO_SCALAR));
    CHECK_ERROR(TN_ERROR_ARGUMENT, "takes no value", tn_pad(x, TN_DIMS(1, 0), "reflect", 1));
    CHECK_ERROR(TN_ERROR_ARGUMENT, "'mirror'", tn_pad(x, TN_DIMS(1, 0), "mirror", 0));
}

TEST(matrices_and_vectors_of_other_shapes_are_refused) {
    tn_tensor *x = tn_zeros(TN_DIMS(2, 3), TN_INT32), *v = tn_zeros(TN_DIMS(3), TN_INT32), *s = tn_zeros(TN_DIMS(), TN_INT32);
    tn_tensor *f = tn_zeros(TN_DIMS(2, 3), TN_FLOAT32), *deep = tn_zeros(TN_DIMS(1, 2, 3), TN_FLOAT32);
    CHECK(x && v && s && f && deep);
    CHECK_ERROR(TN_ERROR_SHAPE, "2 dimensions", tn_tril(v, 0));
    CHECK_ERROR(TN_ERROR_ARGUMENT, "row = -1", tn_tril_indices(-1, 1, 0, TN_INT64));
    CHECK_ERROR(TN_ERROR_DTYPE, "float32", tn_triu_indices(1, 1, 0, TN_FLOAT32));
    CHECK_ERROR(TN_ERROR_SHAPE, "1 or 2", tn_diag(s, 0));
    CHECK_ERROR(TN_ERROR_ARGUMENT, "two dimensions", tn_diag_embed(x, 0, 1, -2));
    CHECK_ERROR(TN_ERROR_SHAPE, "offset", tn_diag_embed(x, INT64_MIN, 0, 1));
    CHECK_ERROR(TN_ERROR_SHAPE, "one dimension", tn_outer(x, v));
    CHECK_ERROR(TN_ERROR_SHAPE, "same number", tn_linalg_cross(x, v, -1));
    CHECK_ERROR(TN_ERROR_SHAPE, "size 3", tn_linalg_cross(x, x, 0));
    CHECK_ERROR(TN_ERROR_SHAPE, "size 3", tn_cross(s, s, TN_NONE));
    CHECK_ERROR(TN_ERROR_DTYPE, "same dtype", tn_cross(x, f, 1));
    CHECK_ERROR(TN_ERROR_SHAPE, "broadcast", tn_cross(x, tn_zeros(TN_DIMS(5, 3), TN_INT32), 1));
    CHECK_ERROR(TN_ERROR_SHAPE, "one dimension", tn_vander(x, TN_NONE, false));
    CHECK_ERROR(TN_ERROR_ARGUMENT, "N = -1", tn_vander(v, -1, false));
    CHECK_ERROR(TN_ERROR_DTYPE, "float8", tn_vander(tn_to(v, TN_FLOAT8_E5M2), 1, false));
    CHECK_ERROR(TN_ERROR_ARGUMENT, "n = -1", tn_diff(v, -1, 0, NULL, NULL));
    CHECK_ERROR(TN_ERROR_SHAPE, "no dimensions", tn_diff(s, 1, 0, NULL, NULL));
    CHECK_ERROR(TN_ERROR_SHAPE, "append", tn_diff(x, 1, 0, NULL, v));
    CHECK_ERROR(TN_ERROR_DTYPE, "bool", tn_trapezoid(tn_to(v, TN_BOOL), 1, 0));
    CHECK_ERROR(TN_ERROR_ARGUMENT, "dx", tn_trapezoid(v, tn_scalar_bool(true), 0));
    CHECK_ERROR(TN_ERROR_INDEX, "no dimensions", tn_trapezoid(s, 1, 0));
    CHECK_ERROR(TN_ERROR_SHAPE, "each of the 2 positions", tn_trapezoid_x(x, v, 0));
    CHECK_ERROR(TN_ERROR_SHAPE, "do not fit together", tn_trapezoid_x(x, tn_zeros(TN_DIMS(5, 3), TN_INT32), 1));
    CHECK_ERROR(TN_ERROR_DTYPE, "floating", tn_cdist(x, x, 2));
    CHECK_ERROR(TN_ERROR_DTYPE, "same dtype", tn_cdist(f, tn_to(f, TN_FLOAT64), 2));
    CHECK_ERROR(TN_ERROR_ARGUMENT, "p = -1", tn_cdist(f, f, -1));
    CHECK_ERROR(TN_ERROR_SHAPE, "same length", tn_cdist(f, tn_narrow(f, 1, 0, 2), 2));
    CHECK_ERROR(TN_ERROR_SHAPE, "broadcast", tn_cdist(tn_expand(deep, TN_DIMS(2, 2, 3)), tn_expand(deep, TN_DIMS(3, 2, 3)), 2));
    CHECK_ERROR(TN_ERROR_ARGUMENT, "compute_mode", tn_cdist_compute_mode(f, f, 2, "fast"));
    CHECK_ERROR(TN_ERROR_SHAPE, "2 dimensions", tn_pdist(deep, 2));
}

/* ---- margins of long rows */

TEST(narrow_margins_of_long_rows_are_the_parts_they_are_made_of) {
    static const tn_dtype dtypes[] = {TN_UINT8, TN_INT16, TN_FLOAT32, TN_FLOAT64, TN_COMPLEX128};
    for (int i = 0; i < 5; i++) {
        tn_tensor *x = join_random(TN_DIMS(3, 5, 41), dtypes[i]);
        const tn_tensor *reflected[] = {tn_flip(tn_narrow(x, 2, 1, 2), TN_DIMS(2)), x,
                                        tn_flip(tn_narrow(x, 2, 39, 1), TN_DIMS(2))};
        const tn_tensor *wrapped[] = {tn_narrow(x, 2, 39, 2), x, tn_narrow(x, 2, 0, 1)};
        const tn_tensor *filled[] = {tn_full(TN_DIMS(3, 5, 2), tn_scalar_int(7), dtypes[i]), x,
                                     tn_full(TN_DIMS(3, 5, 1), tn_scalar_int(7), dtypes[i])};
        tn_tensor *a = tn_pad(x, TN_DIMS(2, 1), "reflect", tn_scalar_none()), *b = tn_cat(reflected, 3, 2);
        tn_tensor *c = tn_pad(x, TN_DIMS(2, 1), "circular", tn_scalar_none()), *d = tn_cat(wrapped, 3, 2);
        tn_tensor *e = tn_pad(x, TN_DIMS(2, 1), "constant", tn_scalar_int(7)), *f = tn_cat(filled, 3, 2);
        CHECK(a && b && c && d && e && f);
        CHECK(join_same_bits(a, b));
        CHECK(join_same_bits(c, d));
        CHECK(join_same_bits(e, f));
    }
}

TEST(the_indices_of_a_huge_triangle_are_counted_without_walking_it) {
    CHECK_ERROR(TN_ERROR_SHAPE, "more than 2^61", tn_tril_indices(INT64_MAX, INT64_MAX, 0, TN_INT64));
    CHECK_ERROR(TN_ERROR_SHAPE, "more than 2^61", tn_triu_indices(INT64_MAX, 3, INT64_MIN, TN_INT64));
    CHECK_ERROR(TN_ERROR_DTYPE, "int32 cannot hold", tn_triu_indices(INT64_C(1) << 32, 1, 0, TN_INT32));
    tn_tensor *corner = tn_tril_indices(INT64_C(1) << 60, 5, 1 - (INT64_C(1) << 60), TN_INT64);
    tn_tensor *none = tn_triu_indices(INT64_MAX, 5, INT64_MAX, TN_INT64), *few = tn_triu_indices(INT64_MAX, 2, 0, TN_INT64);
    CHECK(corner && none && few);
    CHECK_INT(tn_size(corner, 1), 1);
    CHECK_INT(tn_get_int64(corner, TN_DIMS(0, 0)), (INT64_C(1) << 60) - 1);
    CHECK_INT(tn_size(none, 1), 0);
    CHECK_INT(tn_size(few, 1), 3);
}

TEST(linalg_vander_has_powers_of_every_element_in_a_new_last_dimension) {
    tn_tensor *x = tn_from_text("[[2, 3]]", TN_INT8), *real = tn_from_text("[2, 3, 4]", TN_FLOAT32);
    CHECK(x && real);
    CHECK(tn_equal(tn_linalg_vander(x, 4), tn_from_text("[[[1, 2, 4, 8], [1, 3, 9, 27]]]", TN_INT64)));
    CHECK(tn_equal(tn_linalg_vander(real, TN_NONE), tn_from_text("[[1, 2, 4], [1, 3, 9], [1, 4, 16]]", TN_FLOAT32)));
    CHECK(tn_equal(tn_linalg_vander(tn_scalar_tensor(2, TN_FLOAT64), 3), tn_from_text("[[1, 2, 4]]", TN_FLOAT64)));
    CHECK(tn_equal(tn_linalg_vander(tn_from_text("[2+1j]", TN_COMPLEX64), 3), tn_from_text("[[1, 2+1j, 3+4j]]", TN_COMPLEX64)));
    tn_tensor *none = tn_linalg_vander(tn_empty(TN_DIMS(0), TN_FLOAT32), 3);
    CHECK(none && tn_size(none, 0) == 0 && tn_size(none, 1) == 3);
    CHECK_ERROR(TN_ERROR_ARGUMENT, "N = 1", tn_linalg_vander(x, 1));
    CHECK_ERROR(TN_ERROR_ARGUMENT, "at least 2", tn_linalg_vander(tn_empty(TN_DIMS(2, 0), TN_FLOAT32), TN_NONE));
    CHECK_ERROR(TN_ERROR_DTYPE, "bool", tn_linalg_vander(tn_ones(TN_DIMS(2), TN_BOOL), TN_NONE));
    CHECK_ERROR(TN_ERROR_DTYPE, "float16", tn_linalg_vander(tn_ones(TN_DIMS(2), TN_FLOAT16), TN_NONE));
}

/* gradients_options.c - tests of derivatives, by differences, with the options that gradients_every.c does not give: other dimensions,
 * orders, modes and reductions, zeros in products, positions that meet, sizes of 0 and 1.
 *
 * Tests: src/autograd/gradients_reduce.c, src/autograd/gradients_scan.c, src/autograd/gradients_sort.c
 * Tests: src/autograd/gradients_index.c, src/autograd/gradients_statistics.c, src/autograd/gradients_join.c
 */
#include "autograd_helpers.h"

/* A leaf with these float64 elements. */
#define LEAF(...) tn_requires_grad_(TN_VECTOR(double, __VA_ARGS__), true)
#define SCALED(input, factor) tn_requires_grad_(tn_mul_scalar(tn_detach(input), factor), true)
#define LEAF_OF(sizes, ...) tn_requires_grad_(tn_view(TN_VECTOR(double, __VA_ARGS__), sizes), true)

TEST_SAMPLED(products_with_zeros_have_their_derivatives) {
    tn_tensor *one = LEAF(0.5, 0, -1.5, 2), *two = LEAF(0, 0.5, 0, -2), *m = LEAF_OF(TN_DIMS(2, 3), 0.5, 0, 2, 1.5, -1, 3);
    CHECK(one && two && m);
    CHECK_GRADIENTS("prod", TN_VALUES(one));
    CHECK_GRADIENTS("prod", TN_VALUES(two));
    CHECK_GRADIENTS("prod", TN_VALUES(m));
    CHECK_GRADIENTS("prod.dim", TN_VALUES(m, -1, true));
    CHECK_GRADIENTS("prod.dim", TN_VALUES(m, 0, false));
    CHECK_GRADIENTS("cumprod", TN_VALUES(one, 0));
    CHECK_GRADIENTS("cumprod", TN_VALUES(two, -1));
    CHECK_GRADIENTS("cumprod", TN_VALUES(m, 1));
    CHECK_GRADIENTS("prod", TN_VALUES(grad_complex(3)));
    CHECK_GRADIENTS("cumprod", TN_VALUES(grad_complex(3), 0));
    CHECK_GRADIENTS("prod", TN_VALUES(grad_scalar()));
    CHECK_GRADIENTS("prod", TN_VALUES(grad_input(0)));
}

TEST_SAMPLED(norms_of_every_order_have_their_derivatives) {
    static const double orders[] = {0, 0.5, 1, 1.5, 2, 3, INFINITY, -INFINITY};
    tn_tensor *x = grad_input(2, 3), *z = grad_complex(2, 2);
    CHECK(x && z);
    for (size_t i = 0; i < sizeof orders / sizeof *orders; i++) {
        CHECK_GRADIENTS("linalg_vector_norm", TN_VALUES(x, orders[i], TN_DIMS(1), true));
        CHECK_GRADIENTS("norm.dim", TN_VALUES(x, orders[i], TN_DIMS(0, 1), false));
        CHECK_GRADIENTS("norm", TN_VALUES(z, orders[i]));
    }
    CHECK_GRADIENTS("normalize", TN_VALUES(x, 2.0, 1));
    CHECK_GRADIENTS("normalize", TN_VALUES(x, 3.0, 0, 100.0));
    CHECK_GRADIENTS("renorm", TN_VALUES(x, 2, 0, 0.5));
    CHECK_GRADIENTS("renorm", TN_VALUES(x, 1, 1, 100));
}

TEST_SAMPLED(moments_and_extremes_have_their_derivatives_over_any_dimensions) {
    static const char *const moments[] = {"var.correction", "std.correction", "var_mean.correction", "std_mean.correction"};
    tn_tensor *x = grad_input(2, 3), *z = grad_complex(3), *nan = LEAF(1, NAN, 3);
    CHECK(x && z && nan);
    for (size_t i = 0; i < sizeof moments / sizeof *moments; i++) {
        CHECK_GRADIENTS(moments[i], TN_VALUES(x, TN_DIMS(1), 0.5, true));
        CHECK_GRADIENTS(moments[i], TN_VALUES(x, TN_DIMS(0, -1), 0, false));
        CHECK_GRADIENTS(moments[i], TN_VALUES(z, tn_value_none(), 1));
    }
    CHECK_GRADIENTS("amax", TN_VALUES(x, TN_DIMS(-1), true));
    CHECK_GRADIENTS("amin", TN_VALUES(x, TN_DIMS(0, 1), false));
    CHECK_GRADIENTS("aminmax", TN_VALUES(x, 1, true));
    CHECK_GRADIENTS("max.dim", TN_VALUES(x, 0, true));
    CHECK_GRADIENTS("min.dim", TN_VALUES(grad_scalar(), 0, false));
    CHECK_GRADIENTS("logsumexp", TN_VALUES(x, TN_DIMS(0, 1), false));
    CHECK_GRADIENTS("logcumsumexp", TN_VALUES(z, 0));
    CHECK_GRADIENTS("logcumsumexp", TN_VALUES(x, -1));
}

TEST(equal_extremes_share_a_gradient_and_a_nan_takes_all_of_it) {
    tn_tensor *x = LEAF(1, 3, 3, 2), *nan = LEAF(1, NAN, 2);
    CHECK(x && nan && tn_backward(tn_max(x), NULL) == TN_OK && tn_backward(tn_max(nan), NULL) == TN_OK);
    CHECK_INT(tn_equal(tn_tensor_grad(x), TN_VECTOR(double, 0, 0.5, 0.5, 0)), 1);
    CHECK_INT(tn_equal(tn_tensor_grad(nan), TN_VECTOR(double, 0, 1, 0)), 1);
}

TEST_SAMPLED(selections_by_order_have_their_derivatives) {
    static const char *const between[] = {"linear", "lower", "higher", "midpoint", "nearest"};
    tn_tensor *x = grad_input(3, 4), *q = TN_VECTOR(double, 0.2, 0.7), *free = LEAF(0.2, 0.7), *half = LEAF(0.4);
    CHECK(x && q && free && half);
    for (size_t i = 0; i < sizeof between / sizeof *between; i++) {
        CHECK_GRADIENTS("quantile", TN_VALUES(x, q, 1, false, between[i]));
        CHECK_GRADIENTS("quantile.scalar", TN_VALUES(x, 0.3, tn_value_none(), true, between[i]));
        CHECK_GRADIENTS("nanquantile", TN_VALUES(x, q, 0, true, between[i]));
    }
    CHECK_GRADIENTS("quantile", TN_VALUES(x, free, 1));
    CHECK_GRADIENTS("quantile", TN_VALUES(x, half, tn_value_none()));
    CHECK_GRADIENTS("topk", TN_VALUES(x, 2, 0, false));
    CHECK_GRADIENTS("kthvalue", TN_VALUES(x, 2, 0, true));
    CHECK_GRADIENTS("sort", TN_VALUES(x, 0, true));
    CHECK_GRADIENTS("msort", TN_VALUES(x));
    CHECK_GRADIENTS("median.dim", TN_VALUES(x, 1, true));
    CHECK_GRADIENTS("sort", TN_VALUES(grad_scalar()));
}

TEST_SAMPLED(reductions_at_places_have_their_derivatives) {
    static const char *const reduces[] = {"sum", "prod", "mean", "amax", "amin"};
    tn_tensor *self = grad_input(3, 2), *src = SCALED(grad_input(2, 3), 0.9), *zero = LEAF_OF(TN_DIMS(2, 2), 0.5, 0, 0.7, 1.5);
    tn_tensor *places = tn_view(TN_VECTOR(int64_t, 0, 1, 0, 2), TN_DIMS(2, 2)), *rows = TN_VECTOR(int64_t, 2, 0, 2);
    CHECK(self && src && zero && places && rows);
    for (size_t i = 0; i < sizeof reduces / sizeof *reduces; i++)
        for (int with = 0; with < 2; with++) {
            CHECK_GRADIENTS("scatter_reduce", TN_VALUES(self, 0, places, src, reduces[i], (bool)with));
            CHECK_GRADIENTS("scatter_reduce", TN_VALUES(self, 1, tn_fmod_scalar(places, 2), zero, reduces[i], (bool)with));
            if (i)
                CHECK_GRADIENTS("index_reduce", TN_VALUES(self, 0, rows, SCALED(self, 0.7), reduces[i], (bool)with));
        }
    CHECK_GRADIENTS("scatter.reduction", TN_VALUES(self, 0, places, src, "multiply"));
    CHECK_GRADIENTS("scatter.reduction", TN_VALUES(self, 0, places, src, "add"));
    CHECK_GRADIENTS("scatter.value_reduction", TN_VALUES(self, 0, places, 2.5, "multiply"));
    CHECK_GRADIENTS("scatter_reduce", TN_VALUES(grad_scalar(), 0, tn_zeros(TN_DIMS(1), TN_INT64), grad_scalar(), "mean"));
}

TEST_SAMPLED(segments_have_their_derivatives) {
    static const char *const reduces[] = {"sum", "prod", "mean", "max", "min"};
    tn_tensor *data = grad_input(4, 2), *zero = LEAF(0.5, 0, 2, 0, 0, 3), *lengths = TN_VECTOR(int64_t, 1, 3);
    tn_tensor *offsets = TN_VECTOR(int64_t, 0, 2, 4, 6), *each = tn_view(TN_VECTOR(int64_t, 1, 1, 2, 0), TN_DIMS(2, 2));
    CHECK(data && zero && lengths && offsets && each);
    for (size_t i = 0; i < sizeof reduces / sizeof *reduces; i++) {
        tn_value none = tn_value_none();
        CHECK_GRADIENTS("segment_reduce", TN_VALUES(data, reduces[i], lengths));
        CHECK_GRADIENTS("segment_reduce", TN_VALUES(grad_input(2, 2, 2), reduces[i], each, none, none, 1, false, i ? 1 : 0));
    }
    CHECK_FIRST_GRADIENTS("segment_reduce", TN_VALUES(zero, "prod", tn_value_none(), tn_value_none(), offsets));
}

TEST_SAMPLED(picks_and_masks_have_their_derivatives) {
    tn_tensor *m = grad_input(3, 4), *row = grad_input(1, 4), *mask = tn_gt_scalar(m, 0);
    tn_tensor *last = tn_view(TN_VECTOR(int64_t, -1, 0, 1, -2), TN_DIMS(1, 4)), *flat = TN_VECTOR(int64_t, -1, 3, 3);
    CHECK(m && row && mask && last && flat);
    CHECK_GRADIENTS("take_along_dim", TN_VALUES(m, last, 0));
    CHECK_GRADIENTS("take_along_dim", TN_VALUES(row, tn_zeros(TN_DIMS(3, 2), TN_INT64), -1));
    CHECK_GRADIENTS("take_along_dim", TN_VALUES(m, flat));
    CHECK_GRADIENTS("take", TN_VALUES(m, flat));
    CHECK_GRADIENTS("put", TN_VALUES(m, flat, grad_input(3), true));
    CHECK_GRADIENTS("put", TN_VALUES(m, TN_VECTOR(int64_t, -1, 2), grad_input(2), false));
    CHECK_GRADIENTS("masked_select", TN_VALUES(row, mask));
    CHECK_GRADIENTS("masked_select", TN_VALUES(m, tn_select(mask, 0, 0)));
    CHECK_GRADIENTS("masked_scatter", TN_VALUES(m, mask, grad_input(13)));
    CHECK_GRADIENTS("index_fill.tensor", TN_VALUES(m, 1, flat, grad_scalar()));
    CHECK_GRADIENTS("index_copy", TN_VALUES(m, -1, TN_VECTOR(int64_t, 3, 0), grad_input(3, 2)));
    CHECK_GRADIENTS("scatter", TN_VALUES(m, 1, tn_zeros(TN_DIMS(2, 1), TN_INT64), grad_input(3, 3)));
    CHECK_GRADIENTS("index.text", TN_VALUES(m, "::-2, 1:"));
    CHECK_GRADIENTS("setitem_.text", TN_VALUES(m, ":, 0", grad_input(3)));
}

TEST_SAMPLED(moves_and_joins_have_their_derivatives_in_every_mode) {
    tn_tensor *x = grad_input(2, 3, 4), *v = grad_input(3), *m = grad_input(2, 3), *none = grad_input(0);
    CHECK(x && v && m && none);
    const tn_tensor *blocks[] = {m, v, grad_scalar(), m}, *lines[] = {v, grad_input(2), v}, *one[] = {v};
    CHECK_GRADIENTS("block_diag", TN_VALUES(tn_value_tensors(blocks, 4)));
    CHECK_GRADIENTS("cartesian_prod", TN_VALUES(tn_value_tensors(lines, 3)));
    CHECK_GRADIENTS("cartesian_prod", TN_VALUES(tn_value_tensors(one, 1)));
    CHECK_GRADIENTS("combinations", TN_VALUES(v, 2, true));
    CHECK_GRADIENTS("combinations", TN_VALUES(v, 3, false));
    CHECK_GRADIENTS("repeat_interleave", TN_VALUES(m, 2, 1));
    CHECK_GRADIENTS("repeat_interleave", TN_VALUES(m, 3));
    CHECK_GRADIENTS("repeat_interleave", TN_VALUES(m, 0, 0));
    CHECK_GRADIENTS("repeat_interleave.tensor", TN_VALUES(m, TN_VECTOR(int64_t, 2, 0, 1), 1));
    CHECK_GRADIENTS("repeat_interleave.tensor", TN_VALUES(m, TN_VECTOR(int64_t, 2)));
    CHECK_GRADIENTS("pad", TN_VALUES(x, TN_DIMS(1, 2), "reflect"));
    CHECK_GRADIENTS("pad", TN_VALUES(x, TN_DIMS(2, 1), "replicate"));
    CHECK_GRADIENTS("pad", TN_VALUES(x, TN_DIMS(3, 1), "circular"));
    CHECK_GRADIENTS("pad", TN_VALUES(tn_requires_grad_(tn_detach(tn_unsqueeze(x, 0)), true), TN_DIMS(1, 2, 0, 1), "reflect"));
    CHECK_GRADIENTS("pad", TN_VALUES(m, TN_DIMS(1, -1, 2, 0), "constant", 2));
    CHECK_GRADIENTS("vander", TN_VALUES(v, 4, true));
    CHECK_GRADIENTS("vander", TN_VALUES(grad_complex(2), 3));
    CHECK_GRADIENTS("linalg_vander", TN_VALUES(m, 2));
    CHECK_GRADIENTS("tensor_split.indices", TN_VALUES(m, TN_DIMS(2, 1, -1, 9), 1));
    CHECK_GRADIENTS("tensor_split.tensor", TN_VALUES(m, TN_VECTOR(int64_t, 1), 0));
    CHECK_GRADIENTS("hsplit.indices", TN_VALUES(v, TN_DIMS(2, 1)));
    CHECK_GRADIENTS("tile", TN_VALUES(m, TN_DIMS(2, 1, 2)));
}

TEST_SAMPLED(statistics_have_their_derivatives) {
    static const double orders[] = {0.5, 1, 1.5, 2, 3, INFINITY};
    tn_tensor *x = grad_input(2, 4), *z = grad_complex(2, 3), *far = tn_add_scalar(SCALED(grad_input(3, 4), 0.8), 3),
              *aweights = LEAF(1, 0.5, 2, 0.3);
    tn_tensor *often = TN_VECTOR(int64_t, 1, 2, 1, 3), *batch = grad_input(2, 3, 2), *at = LEAF(0, 0.5, 2, 2.5);
    CHECK(x && z && far && aweights && often && batch && at);
    tn_tensor *y = tn_requires_grad_(tn_detach(far), true);
    for (size_t i = 0; i < sizeof orders / sizeof *orders; i++) {
        CHECK_GRADIENTS("cdist", TN_VALUES(x, y, orders[i]));
        CHECK_GRADIENTS("pdist", TN_VALUES(y, orders[i]));
    }
    CHECK_GRADIENTS("cdist", TN_VALUES(batch, SCALED(grad_input(1, 4, 2), 0.7), 3.0));
    CHECK_GRADIENTS("cdist", TN_VALUES(grad_input(9, 2), SCALED(grad_input(8, 2), 0.7),
                                       2.0)); /* beyond the small twin of GRADIENT_DIFFERENCES */
    CHECK_GRADIENTS("cov", TN_VALUES(x));
    CHECK_GRADIENTS("cov", TN_VALUES(z, 0));
    CHECK_GRADIENTS("cov", TN_VALUES(x, 1, often, aweights));
    CHECK_GRADIENTS("cov", TN_VALUES(x, 0, tn_value_none(), aweights));
    CHECK_GRADIENTS("cov", TN_VALUES(aweights));
    CHECK_GRADIENTS("corrcoef", TN_VALUES(x));
    CHECK_GRADIENTS("corrcoef", TN_VALUES(z));
    CHECK_GRADIENTS("trapezoid", TN_VALUES(x, 0.5, 0));
    CHECK_GRADIENTS("trapezoid.x", TN_VALUES(x, at));
    CHECK_GRADIENTS("trapezoid.x", TN_VALUES(grad_input(2, 4, 2), grad_input(4, 2), 1));
    CHECK_GRADIENTS("cumulative_trapezoid.x", TN_VALUES(x, at, -1));
    CHECK_GRADIENTS("cumulative_trapezoid", TN_VALUES(x, 2, 1));
}

TEST_SAMPLED(products_with_what_follows_have_their_derivatives) {
    static const char *const names[] = {"none", "relu", "gelu", "gelu_tanh", "silu", "tanh", "sigmoid"};
    tn_tensor *x = grad_input(2, 3), *w = grad_input(4, 3), *b = grad_input(4), *r = grad_input(2, 4);
    CHECK(x && w && b && r);
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        CHECK_GRADIENTS("linear.fused", TN_VALUES(x, w, b, names[i], r, 0.5));
    CHECK_GRADIENTS("_addmm_activation", TN_VALUES(b, x, grad_input(3, 4), 2, 0.5, false));
    CHECK_GRADIENTS("_addmm_activation", TN_VALUES(b, x, grad_input(3, 4), 1, 1, true));
}

TEST_SAMPLED(the_derivative_of_i0_is_right_near_and_far) {
    tn_tensor *x = LEAF(-25, -8, -0.001, 0, 0.5, 3, 19.5, 22);
    CHECK(x);
    CHECK_GRADIENTS("i0", TN_VALUES(x));
}

TEST_SAMPLED(powers_of_zero_and_angles_at_the_origin_have_finite_derivatives) {
    tn_tensor *zero = LEAF(0, 0, 2), *n = TN_VECTOR(double, 1, 0, 0), *y = LEAF(0, 1, -1), *x = LEAF(0, 2, 3);
    CHECK(zero && n && y && x);
    CHECK_GRADIENTS("pow", TN_VALUES(LEAF(2, 0.5, 3), LEAF(1, 2, 0.5)));
    CHECK(tn_backward(tn_sum(tn_pow(zero, n), TN_DTYPE_DEFAULT), NULL) == TN_OK);
    CHECK_INT(tn_equal(tn_tensor_grad(zero), TN_VECTOR(double, 1, 0, 0)), 1);
    CHECK(tn_backward(tn_sum(tn_atan2(y, x), TN_DTYPE_DEFAULT), NULL) == TN_OK);
    CHECK_INT(tn_all(tn_isfinite(tn_tensor_grad(y))) != NULL && tn_item(tn_all(tn_isfinite(tn_tensor_grad(x)))).value.b, 1);
}

TEST(an_operator_without_a_derivative_says_so_when_it_is_asked_for) {
    tn_tensor *x = LEAF(1, 2, 2);
    CHECK(x);
    tn_tensor *some = tn_unique(x);
    CHECK(some);
    CHECK_INT(tn_backward(tn_sum(some, TN_DTYPE_DEFAULT), NULL), TN_ERROR_UNSUPPORTED);
    CHECK(strstr(tn_error_message(), "unique has no derivative"));
    tn_error_clear();
}

TEST(a_tensor_with_a_gradient_is_not_resized_while_gradients_are_recorded) {
    tn_tensor *x = LEAF(1, 2), *y = tn_mul_scalar(x, 2), *plain = tn_zeros(TN_DIMS(2), TN_FLOAT64);
    CHECK(x && y && plain);
    CHECK_INT(tn_resize_(y, TN_DIMS(3)) == NULL && tn_error_code() == TN_ERROR_STATE, 1);
    tn_error_clear();
    CHECK_INT(tn_set_(plain, y) == NULL && tn_error_code() == TN_ERROR_STATE, 1);
    tn_error_clear();
    CHECK_INT(tn_numel(y), 2);
    tn_grad_mode before = tn_grad_mode_set(TN_GRAD_OFF);
    tn_tensor *set = tn_set_(plain, y);
    (void)tn_grad_mode_set(before);
    CHECK(set);
}

TEST(a_product_with_several_zeros_in_a_segment_has_one_derivative_and_refuses_the_second) {
    tn_tensor *x = LEAF(0, 2, 0, 3), *lengths = tn_full(TN_DIMS(1), 4, TN_INT64);
    CHECK(x && lengths);
    const tn_tensor *product = tn_segment_reduce(x, "prod", lengths, NULL, NULL, 0, false, TN_NO_SCALAR);
    const tn_tensor *total = tn_sum(product, TN_DTYPE_DEFAULT), *leaf = x;
    CHECK(total);
    tn_tensor *first = NULL;
    tn_backward_options again = {.struct_size = sizeof again, .create_graph = true};
    CHECK_ERROR(TN_ERROR_UNSUPPORTED, "several zeros", tn_grad(&total, NULL, 1, &leaf, 1, &again, &first));
    product = tn_segment_reduce(x, "prod", lengths, NULL, NULL, 0, false, TN_NO_SCALAR);
    total = tn_sum(product, TN_DTYPE_DEFAULT);
    CHECK(total && tn_grad(&total, NULL, 1, &leaf, 1, NULL, &first) == TN_OK);
    for (int64_t i = 0; i < 4; i++)
        CHECK_DOUBLE(tn_get_double(first, TN_DIMS(i)), 0);
}

TEST(softmax_of_the_real_parts_of_complex_numbers_has_a_derivative) {
    tn_tensor *z = grad_complex(2, 3);
    CHECK(z);
    for (int logarithm = 0; logarithm < 2; logarithm++) {
        tn_tensor *y = logarithm ? tn_log_softmax(z, 1, TN_FLOAT64) : tn_softmax(z, 1, TN_FLOAT64);
        const tn_tensor *total = tn_sum(tn_square(y), TN_DTYPE_DEFAULT), *leaf = z;
        tn_tensor *grad = NULL;
        CHECK(total && tn_grad(&total, NULL, 1, &leaf, 1, NULL, &grad) == TN_OK);
        CHECK_INT(tn_dtype_of(grad), TN_COMPLEX128);
    }
}

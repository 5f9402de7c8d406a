/* meta.c - the meta device: sizes, strides and dtypes without elements. Every row that works on it says what the CPU would
 * give.
 *
 * Tests: src/memory/meta_allocator.c, src/ops/plan.c */
#include "table_trials.h"

static tn_tensor *meta(tn_dims sizes, tn_dtype dtype) { return tn_empty_device(sizes, dtype, TN_DEVICE(TN_META, 0)); }

TEST(meta_has_a_name_and_needs_no_memory) {
    tn_device device;
    CHECK(tn_device_parse("meta", &device) == TN_OK);
    CHECK_INT(device.type, TN_META);
    CHECK_TEXT(tn_device_type_name(TN_META), "meta");
    CHECK_ERROR(TN_ERROR_ARGUMENT, "built-in", tn_device_type_register("meta") >= 0);
    tn_tensor *huge = meta(TN_DIMS((int64_t)1 << 30, (int64_t)1 << 29), TN_FLOAT32); /* 2 EiB */
    CHECK(huge);
    CHECK_INT(tn_numel(huge), (int64_t)1 << 59);
    tn_tensor *sum = tn_sum_dim(tn_exp(tn_add_scalar(tn_t(huge), 1)), TN_DIMS(0), false, TN_FLOAT64);
    CHECK(sum);
    CHECK_INT(tn_device_of(sum).type, TN_META);
    CHECK_INT(tn_dtype_of(sum), TN_FLOAT64);
    CHECK_INT(tn_ndim(sum), 1);
    CHECK_INT(tn_size(sum, 0), (int64_t)1 << 30);
}

TEST(there_are_no_elements_to_read_or_to_copy_away) {
    tn_tensor *x = meta(TN_DIMS(2, 3), TN_FLOAT32);
    CHECK(x);
    CHECK_ERROR(TN_ERROR_DEVICE, "meta", tn_get_double(x, TN_DIMS(0, 0)));
    CHECK_ERROR(TN_ERROR_DEVICE, "it has none", tn_to_device(x, TN_DEVICE_CPU));
    tn_tensor *here = tn_ones(TN_DIMS(2, 3), TN_FLOAT32);
    CHECK(here);
    CHECK_ERROR(TN_ERROR_DEVICE, "it has none", tn_copy_(here, x));
    CHECK_DOUBLE(tn_get_double(here, TN_DIMS(1, 2)), 1);
    CHECK(tn_to_device(here, TN_DEVICE(TN_META, 0)) && tn_copy_(x, here) && tn_fill_(x, 2) && tn_clone(x, TN_PRESERVE));
}

TEST(parts_of_meta_are_assigned_to_from_anywhere) {
    tn_tensor *x = meta(TN_DIMS(2, 3), TN_INT32), *number = tn_scalar_tensor(1, TN_FLOAT64),
              *row = tn_ones(TN_DIMS(3), TN_INT8);
    tn_tensor *one = meta(TN_DIMS(), TN_FLOAT32), *here = tn_zeros(TN_DIMS(2, 3), TN_FLOAT32);
    CHECK(x && number && row && one && here);
    int64_t version = tn_tensor_version(x);
    CHECK(tn_setitem_text_scalar_(x, "0", 1) && tn_setitem_scalar_(x, TN_INDEX(TN_ALL, TN_AT(-1)), 2));
    CHECK(tn_setitem_text_(x, "1", row) && tn_setitem_(x, TN_INDEX(TN_AT(0)), number) && tn_setitem_text_(x, "...", one));
    CHECK(tn_fill_tensor_(x, number) && tn_fill_tensor_(x, one) && tn_fill_tensor(x, number) && tn_fill_tensor(x, one));
    CHECK_INT(tn_device_of(tn_fill_tensor(x, one)).type, TN_META);
    CHECK_INT(tn_tensor_version(x), version + 7);
    CHECK_ERROR(TN_ERROR_INDEX, "out of range", tn_setitem_text_scalar_(x, "2", 1));
    CHECK_ERROR(TN_ERROR_DTYPE, "does not fit", tn_setitem_text_scalar_(x, "0", tn_scalar_complex(0, 1)));
    CHECK_ERROR(TN_ERROR_SHAPE, "broadcast", tn_setitem_text_(x, "0", tn_ones(TN_DIMS(2), TN_INT32)));
    CHECK_ERROR(TN_ERROR_SHAPE, "no dimensions", tn_fill_tensor_(x, row));
    CHECK_ERROR(TN_ERROR_SHAPE, "no dimensions", tn_fill_tensor_(here, meta(TN_DIMS(1), TN_FLOAT32)));
    CHECK_ERROR(TN_ERROR_DEVICE, "it has none", tn_setitem_text_(here, "0", one));
    CHECK_ERROR(TN_ERROR_DEVICE, "it has none", tn_fill_tensor_(here, one));
    CHECK_INT(tn_tensor_version(here), 0);
}

TEST(diagonals_parts_and_sums_need_no_elements) {
    tn_tensor *x = meta(TN_DIMS(5, 2), TN_FLOAT32), *row = meta(TN_DIMS(2), TN_FLOAT32), *here = tn_zeros(TN_DIMS(3), TN_INT8);
    CHECK(x && row && here);
    CHECK(tn_fill_diagonal_(x, 1, false) && tn_fill_diagonal_(x, 1, true) && tn_sum_to_size(x, TN_DIMS(1, 2)));
    CHECK(tn_select_scatter(x, row, 0, 1) && tn_as_strided_scatter(x, row, TN_DIMS(2), TN_DIMS(3), TN_NONE));
    CHECK_ERROR(TN_ERROR_OVERLAP, "share a place", tn_as_strided_scatter(x, x, TN_DIMS(5, 2), TN_DIMS(1, 1), TN_NONE));
    CHECK(tn_resize_as_(here, x) == here && tn_device_of(here).type == TN_CPU);
    CHECK_INT(tn_numel(here), 10);
}

TEST(out_on_meta_is_resized_and_two_of_them_do_not_share_memory) {
    tn_tensor *x = meta(TN_DIMS(4, 5), TN_FLOAT32), *values = meta(TN_DIMS(0), TN_FLOAT32),
              *indices = meta(TN_DIMS(0), TN_INT64);
    CHECK(x && values && indices && tn_sort_out(values, indices, x, 0, false));
    CHECK_INT(tn_size(values, 1), 5);
    CHECK_INT(tn_size(indices, 0), 4);
    CHECK(tn_add_(x, meta(TN_DIMS(5), TN_FLOAT32)));
    CHECK_ERROR(TN_ERROR_SHAPE, "", tn_add_(x, meta(TN_DIMS(3), TN_FLOAT32)));
}

TEST(a_comparison_with_one_element_of_meta_does_not_look_at_it) {
    tn_tensor *x = meta(TN_DIMS(3), TN_INT8), *one = meta(TN_DIMS(), TN_INT64), *real = meta(TN_DIMS(), TN_FLOAT32);
    CHECK(x && one && real);
    tn_tensor *less = tn_lt(x, one), *same = tn_eq(one, x), *more = tn_gt(x, real);
    CHECK(less && same && more && tn_lt(x, tn_scalar_tensor(300, TN_INT64)) && tn_isclose(x, one, 0, 1, false));
    CHECK_INT(tn_dtype_of(less), TN_BOOL);
    CHECK_INT(tn_size(same, 0), 3);
    CHECK_INT(tn_ndim(more), 1);
}

TEST(a_selection_of_small_tensors_on_meta_reads_nothing) {
    tn_tensor *x = meta(TN_DIMS(3), TN_FLOAT32), *condition = meta(TN_DIMS(3), TN_BOOL), *one = meta(TN_DIMS(), TN_FLOAT32);
    CHECK(x && condition && one);
    tn_tensor *chosen = tn_where(condition, x, tn_neg(x));
    CHECK(chosen && tn_device_of(chosen).type == TN_META && tn_size(chosen, 0) == 3);
    CHECK(tn_where(condition, one, x) && tn_where(tn_full(TN_DIMS(), 1, TN_BOOL), one, one) && tn_lerp(x, x, one));
    CHECK(tn_masked_fill(x, condition, 2));
}

TEST(large_weights_begin_on_meta_without_memory) {
    int64_t many = (int64_t)1 << 40;
    tn_tensor *x = meta(TN_DIMS(many, 64), TN_FLOAT32), *kernel = meta(TN_DIMS(many, 64, 3), TN_FLOAT16);
    CHECK(x && kernel);
    CHECK(tn_trunc_normal_(x, 0, 1, -2, 2, NULL) == x && tn_orthogonal_(x, 1, NULL) == x && tn_eye_(x) == x);
    CHECK(tn_dirac_(kernel, 2) == kernel);
    CHECK_ERROR(TN_ERROR_ARGUMENT, "divide", tn_dirac_(kernel, 3));
    CHECK_ERROR(TN_ERROR_SHAPE, "not a matrix", tn_eye_(kernel));
    CHECK_INT(tn_size(tn_cdist(tn_t(x), tn_t(x), 2), 1), 64);
    CHECK_INT(tn_numel(tn_cov(tn_t(x), 1, NULL, NULL)), 64 * 64);
    CHECK_INT(tn_size(tn_trapezoid(x, 1, 0), 0), 64);
    CHECK_INT(tn_size(tn_diff(x, 2, 0, NULL, NULL), 0), many - 2);
    CHECK_INT(tn_numel(tn_layer_norm(x, TN_DIMS(64), NULL, NULL, 1e-5)), many * 64);
}

TEST(joining_and_moving_on_meta_need_no_elements) {
    int64_t many = (int64_t)1 << 40;
    tn_tensor *x = meta(TN_DIMS(many, 3), TN_FLOAT32), *row = meta(TN_DIMS(3), TN_FLOAT32),
              *counts = meta(TN_DIMS(3), TN_INT64);
    CHECK(x && row && counts);
    CHECK_INT(tn_size(tn_cat(TENSORS(x, x), 0), 0), 2 * many);
    CHECK_INT(tn_size(tn_vstack(TENSORS(x, row)), 0), many + 1);
    CHECK_INT(tn_size(tn_block_diag(TENSORS(x, row)), 1), 6);
    CHECK_INT(tn_size(tn_pad(x, TN_DIMS(1, 2), "reflect", tn_scalar_none()), 1), 6);
    CHECK_INT(tn_size(tn_kron(x, row), 1), 9);
    CHECK_INT(tn_size(tn_combinations(row, 2, false), 0), 3);
    CHECK_INT(tn_size(tn_vander(row, 5, false), 1), 5);
    CHECK(tn_tril_(x, 1) == x && tn_renorm_(x, 2, 1, 1) == x && tn_size(tn_cross(x, x, TN_NONE), 0) == many);
    CHECK_INT(tn_size(tn_repeat_interleave_tensor(x, counts, 1, 7), 1), 7);
    CHECK_INT(tn_size(tn_repeat_interleave_counts(counts, 7), 0), 7);
    CHECK_ERROR(TN_ERROR_DEVICE, "give output_size", tn_repeat_interleave_tensor(x, counts, 1, TN_NONE));
    CHECK_ERROR(TN_ERROR_DEVICE, "give output_size", tn_repeat_interleave_counts(counts, TN_NONE));
}

static bool serves_meta(const tn_operator *op) {
    bool sized = !(op->flags & TNI_OPERATOR_SIZED_BY_ELEMENTS);
    return (op->jobs && sized) || op->flags & (TNI_OPERATOR_PLANNED | TNI_OPERATOR_ANY_DEVICE | TNI_OPERATOR_COMPOSITE);
}

/* Otherwise it is a factory, whose new tensor is on the CPU. */
static bool takes_tensors(const tn_operator *op) {
    for (int64_t i = 0; i < tn_operator_parameter_count(op); i++)
        if (tn_operator_parameter(op, i).type <= TN_TYPE_TENSORS)
            return true;
    return false;
}

static void check_geometry(const tn_operator *op, tn_dtype dtype, const tn_tensor *cpu, const tn_tensor *other) {
    bool same = tn_dtype_of(cpu) == tn_dtype_of(other) && tn_ndim(cpu) == tn_ndim(other) &&
                tn_device_of(other).type == (takes_tensors(op) ? TN_META : TN_CPU);
    for (int64_t d = 0; same && d < tn_ndim(cpu); d++)
        same = tn_size(cpu, d) == tn_size(other, d) && tn_stride(cpu, d) == tn_stride(other, d);
    if (!same)
        test_fail(__FILE__, __LINE__, "%s of %s has another geometry on meta", tn_operator_name(op), tn_dtype_name(dtype));
}

TEST(rows_whose_sizes_depend_on_elements_say_so) {
    int64_t rows = 0;
    for (int64_t at = 0; at < tn_operator_count(); at++) {
        const tn_operator *op = tn_operator_at(at);
        if (tni_operator_is_registered(op) || !(op->flags & TNI_OPERATOR_SIZED_BY_ELEMENTS))
            continue;
        tn_scope scope = tn_scope_open();
        trial t;
        tn_value there = tn_value_none();
        tn_tensor *changed = NULL;
        CHECK(!serves_meta(op) && trial_begin(&t, op, TN_FLOAT32, 0));
        CHECK_INT(trial_run(&t, TN_META, &there, &changed), TN_ERROR_DEVICE);
        tn_scope_close(scope);
        rows++;
    }
    CHECK(rows > 1);
    tn_tensor *x = meta(TN_DIMS(2, 3), TN_FLOAT32), *mask = meta(TN_DIMS(2, 3), TN_BOOL);
    CHECK(x && mask);
    CHECK_ERROR(TN_ERROR_DEVICE, "what masked_select gives depend on elements", tn_masked_select(x, mask));
}

TEST(an_index_with_positions_has_sizes_on_meta_and_one_with_masks_does_not) {
    tn_tensor *x = meta(TN_DIMS(4, 5, 6), TN_FLOAT32), *rows = meta(TN_DIMS(2, 1), TN_INT64), *mask = meta(TN_DIMS(4), TN_BOOL);
    tn_tensor *columns = meta(TN_DIMS(3), TN_INT32), *one = meta(TN_DIMS(), TN_INT64), *truth = meta(TN_DIMS(), TN_BOOL);
    CHECK(x && rows && mask && columns && one && truth);
    tn_tensor *part = tn_index(x, TN_PICK(rows), TN_ALL, TN_PICK(columns));
    CHECK(part && tn_device_of(part).type == TN_META && tn_ndim(part) == 3);
    CHECK_INT(tn_size(part, 0), 2);
    CHECK_INT(tn_size(part, 1), 3);
    CHECK_INT(tn_size(part, 2), 5);
    part = tn_index(x, TN_PICK(one), TN_RANGE(1, 4));
    CHECK(part && tn_ndim(part) == 2 && tn_size(part, 0) == 3);
    CHECK_ERROR(TN_ERROR_DEVICE, "item 0 of the index is the mask", tn_index(x, TN_PICK(mask)));
    CHECK_ERROR(TN_ERROR_DEVICE, "item 1 of the index is the mask", tn_index(x, TN_ALL, TN_PICK(truth)));
    CHECK_ERROR(TN_ERROR_INDEX, "cannot be broadcast", tn_index(x, TN_PICK(columns), TN_PICK(meta(TN_DIMS(2), TN_INT64))));
}

TEST(writes_by_index_on_meta_check_what_can_be_said) {
    tn_tensor *x = meta(TN_DIMS(4, 5), TN_FLOAT32), *rows = meta(TN_DIMS(2), TN_INT64), *mask = meta(TN_DIMS(4), TN_BOOL);
    tn_tensor *values = meta(TN_DIMS(2, 5), TN_FLOAT32), *wrong = meta(TN_DIMS(3, 5), TN_FLOAT32);
    CHECK(x && rows && mask && values && wrong);
    uint32_t version = tn_tensor_version(x);
    CHECK(tn_index_put_(x, TN_INDEX(TN_PICK(rows)), values, false) == x &&
          tn_setitem_(x, TN_INDEX(TN_PICK(rows)), values) == x);
    CHECK(tn_index_put_(x, TN_INDEX(TN_PICK(mask)), wrong, false) == x && tn_index_fill_(x, 0, rows, 1) == x);
    CHECK(tn_index_add_(x, 0, rows, values, 1) == x && tn_scatter_(x, 1, meta(TN_DIMS(2, 5), TN_INT64), values) == x);
    CHECK(tn_index_fill_tensor_(x, 0, rows, meta(TN_DIMS(), TN_FLOAT32)) == x);
    CHECK_INT(tn_tensor_version(x), version + 7);
    CHECK_ERROR(TN_ERROR_SHAPE, "cannot be broadcast", tn_index_put_(x, TN_INDEX(TN_PICK(rows)), wrong, false));
    CHECK_ERROR(TN_ERROR_SHAPE, "cannot be broadcast", tn_setitem_(x, TN_INDEX(TN_PICK(rows)), wrong));
    CHECK_ERROR(TN_ERROR_INDEX, "which it must have",
                tn_index_put_(x, TN_INDEX(TN_PICK(meta(TN_DIMS(3), TN_BOOL))), wrong, false));
    CHECK_ERROR(TN_ERROR_SHAPE, "as long as index", tn_index_add_(x, 0, rows, wrong, 1));
    CHECK_ERROR(TN_ERROR_OVERLAP, "share a place",
                tn_scatter_(tn_expand(meta(TN_DIMS(1), TN_FLOAT32), TN_DIMS(4)), 0, rows, meta(TN_DIMS(2), TN_FLOAT32)));
    CHECK_INT(tn_tensor_version(x), version + 7);
    tn_tensor *out = meta(TN_DIMS(0), TN_FLOAT32);
    CHECK(out && tn_index_add_out(out, x, 0, rows, values, 1) == out);
    CHECK_INT(tn_size(out, 1), 5);
    CHECK_ERROR(TN_ERROR_DEVICE, "num_classes is not given", tn_one_hot(rows, -1));
    CHECK(tn_one_hot(rows, 7) && tn_size(tn_one_hot(rows, 7), 1) == 7);
}

TEST(factories_write_to_an_out_on_meta) {
    tn_tensor *out = meta(TN_DIMS(0), TN_INT16);
    CHECK(out && tn_arange_out(out, 6, TN_DTYPE_DEFAULT) == out);
    CHECK_INT(tn_numel(out), 6);
    CHECK(tn_eye_out(out, 2, 3, TN_INT16) == out && tn_zeros_out(out, TN_DIMS(4), TN_DTYPE_DEFAULT) == out);
    CHECK_INT(tn_numel(out), 4);
    CHECK_ERROR(TN_ERROR_DTYPE, "leave dtype out", tn_arange_out(out, 6, TN_FLOAT32));
    CHECK(tn_empty_out(out, TN_DIMS(2, 2), TN_DTYPE_DEFAULT) == out && tn_device_of(out).type == TN_META);
}

TEST_SAMPLED(every_row_that_serves_meta_has_the_geometry_that_the_cpu_gives) {
    trial_walk walk = {.type = TN_META, .serves = serves_meta, .check = check_geometry};
    trial_every_row(&walk);
    CHECK(walk.rows > 600 && walk.compared > 2 * walk.rows);
}

TEST(random_numbers_that_are_not_drawn_leave_the_generator_alone) {
    tn_generator *generator = tn_generator_new(TN_MT19937, 3), *untouched = tn_generator_new(TN_MT19937, 3);
    tn_tensor *x = meta(TN_DIMS(2, 3), TN_FLOAT32), *whole = meta(TN_DIMS(2, 3), TN_INT64), *out = meta(TN_DIMS(0), TN_FLOAT64);
    CHECK(generator && untouched && x && whole && out);
    uint32_t version = tn_tensor_version(x);
    CHECK(tn_uniform_(x, 0, 1, generator) == x && tn_normal_(x, 0, 1, generator) == x && tn_exponential_(x, 1, generator) == x);
    CHECK(tn_bernoulli_(x, 0.5, generator) == x && tn_bernoulli_tensor_(x, x, generator) == x);
    CHECK_INT(tn_tensor_version(x), version + 5);
    CHECK(tn_random_from_(whole, 1, 9, generator) == whole && tn_rand_out(out, TN_DIMS(4, 2), TN_FLOAT64, generator) == out);
    CHECK_INT(tn_numel(out), 8);
    CHECK(tn_randperm_out(out, 5, TN_DTYPE_DEFAULT, generator) == out);
    CHECK_INT(tn_numel(out), 5);
    tn_tensor *chosen = tn_multinomial(x, 7, true, generator), *dropped = tn_dropout(x, 0.5, true, generator);
    CHECK(chosen && dropped && tn_device_of(chosen).type == TN_META && tn_device_of(dropped).type == TN_META);
    CHECK_INT(tn_dtype_of(chosen), TN_INT64);
    CHECK_INT(tn_size(chosen, 1), 7);
    CHECK(tn_rand_like(tn_t(x), TN_DTYPE_DEFAULT, TN_PRESERVE, generator) && tn_poisson(x, generator) &&
          tn_normal_tensor(x, x, generator) && tn_dropout_(x, 0.5, true, generator));
    CHECK_ERROR(TN_ERROR_ARGUMENT, "num_samples is 4", tn_multinomial(x, 4, false, generator));
    CHECK_ERROR(TN_ERROR_ARGUMENT, "what int8 holds", tn_random_to_(meta(TN_DIMS(2), TN_INT8), 1000, generator));
    CHECK_ERROR(TN_ERROR_SHAPE, "p [2] float32 does not expand",
                tn_bernoulli_tensor_(x, meta(TN_DIMS(2), TN_FLOAT32), generator));
    CHECK_ERROR(TN_ERROR_OVERLAP, "share one place",
                tn_uniform_(tn_expand(meta(TN_DIMS(1), TN_FLOAT32), TN_DIMS(4)), 0, 1, generator));
    for (int i = 0; i < 3; i++)
        CHECK_INT(tn_generator_next(generator), tn_generator_next(untouched));
}

TEST(what_sorts_and_searches_says_on_meta_what_it_would_give) {
    tn_tensor *x = meta(TN_DIMS(4, 6), TN_FLOAT32), *line = meta(TN_DIMS(9), TN_FLOAT32), *q = meta(TN_DIMS(3), TN_FLOAT32);
    CHECK(x && line && q);
    tn_tensor *some = tn_quantile(x, q, 0, false, "linear"),
              *here = tn_quantile(tn_zeros(TN_DIMS(4, 6), TN_FLOAT32), TN_VECTOR(float, 0, 0.5, 1), 0, false, "linear");
    CHECK(some && here && tn_ndim(some) == 2);
    for (int d = 0; d < 2; d++) {
        CHECK_INT(tn_size(some, d), tn_size(here, d));
        CHECK_INT(tn_stride(some, d), tn_stride(here, d));
    }
    CHECK_ERROR(TN_ERROR_ARGUMENT, "not between 0 and 1", tn_quantile_scalar(x, 1.5, 0, false, "linear"));
    CHECK(tn_bucketize(x, line, true, false) && tn_dtype_of(tn_bucketize(x, line, true, false)) == TN_INT32);
    CHECK(tn_isin_rscalar(tn_scalar_int(2), x, false, false) &&
          tn_ndim(tn_isin_rscalar(tn_scalar_int(2), x, false, false)) == 0);
    tn_list *counts = tn_histogram_bins(x, line, NULL, false);
    CHECK(counts && tn_size(tn_list_at(counts, 0), 0) == 8 && tn_size(tn_list_at(counts, 1), 0) == 9);
    tn_tensor *values = meta(TN_DIMS(0), TN_FLOAT32), *indices = meta(TN_DIMS(0), TN_INT64);
    CHECK(values && indices && tn_median_dim_out(values, indices, x, 1, true) == values);
    CHECK_INT(tn_size(indices, 0), 4);
    CHECK_ERROR(TN_ERROR_DEVICE, "unique gives depend on elements", tn_unique(x));
    CHECK_ERROR(TN_ERROR_DEVICE, "nonzero gives depend on elements", tn_argwhere(x));
    CHECK_ERROR(TN_ERROR_DEVICE, "bincount gives depend on elements", tn_bincount(meta(TN_DIMS(3), TN_INT64), NULL, 5));
}

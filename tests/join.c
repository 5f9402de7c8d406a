/* join.c - joining: strides of every kind, conversion, results given, refusals. PyTorch's answers are in join_torch.c.
 *
 * Tests: src/ops/join/interleave.c, src/ops/join/join_blocks.c */
#include "join_helpers.h"

#include "ops/copy/copy_engine.h"

/* ---- what is joined */

TEST(cat_puts_tensors_one_after_the_other) {
    tn_tensor *a = tn_from_text("[[1, 2], [3, 4]]", TN_INT32), *b = tn_from_text("[[5, 6]]", TN_INT32);
    CHECK(a && b);
    const tn_tensor *both[] = {a, b}, *sides[] = {a, tn_transpose(a, 0, 1)};
    join_check_text(tn_cat(both, 2, 0), "[[1, 2], [3, 4], [5, 6]]", TN_INT32);
    CHECK(sides[1]);
    join_check_text(tn_cat(sides, 2, -1), "[[1, 2, 1, 3], [3, 4, 2, 4]]", TN_INT32);
    join_check_text(tn_concat(both, 2, 0), "[[1, 2], [3, 4], [5, 6]]", TN_INT32);
    join_check_text(tn_concatenate(both, 1, 0), "[[1, 2], [3, 4]]", TN_INT32);
}

TEST(cat_converts_to_the_common_dtype) {
    tn_tensor *a = tn_from_text("[1, 2]", TN_INT8), *b = tn_from_text("[0.5]", TN_FLOAT16), *c = tn_from_text("[1]", TN_BOOL);
    CHECK(a && b && c);
    const tn_tensor *all[] = {a, b, c, tn_empty(TN_DIMS(0), TN_FLOAT64)};
    CHECK(all[3]);
    join_check_text(tn_cat(all, 3, 0), "[1, 2, 0.5, 1]", TN_FLOAT16);
    join_check_text(tn_cat(all, 4, 0), "[1, 2, 0.5, 1]", TN_FLOAT64);
}

TEST(stacks_add_a_dimension_where_one_is_missing) {
    tn_tensor *a = tn_from_text("[1, 2]", TN_INT64), *b = tn_from_text("[3, 4]", TN_INT64);
    CHECK(a && b);
    const tn_tensor *both[] = {a, b};
    join_check_text(tn_stack(both, 2, 0), "[[1, 2], [3, 4]]", TN_INT64);
    join_check_text(tn_stack(both, 2, -1), "[[1, 3], [2, 4]]", TN_INT64);
    join_check_text(tn_hstack(both, 2), "[1, 2, 3, 4]", TN_INT64);
    join_check_text(tn_vstack(both, 2), "[[1, 2], [3, 4]]", TN_INT64);
    join_check_text(tn_row_stack(both, 2), "[[1, 2], [3, 4]]", TN_INT64);
    join_check_text(tn_dstack(both, 2), "[[[1, 3], [2, 4]]]", TN_INT64);
    join_check_text(tn_column_stack(both, 2), "[[1, 3], [2, 4]]", TN_INT64);
}

TEST(patterns_of_vectors_and_blocks) {
    tn_tensor *a = tn_from_text("[1, 2]", TN_INT64), *b = tn_from_text("[[3], [4]]", TN_INT64);
    CHECK(a && b);
    const tn_tensor *blocks[] = {a, b}, *vectors[] = {a, a};
    join_check_text(tn_block_diag(blocks, 2), "[[1, 2, 0], [0, 0, 3], [0, 0, 4]]", TN_INT64);
    join_check_text(tn_cartesian_prod(vectors, 2), "[[1, 1], [1, 2], [2, 1], [2, 2]]", TN_INT64);
    join_check_text(tn_combinations(a, 2, false), "[[1, 2]]", TN_INT64);
    join_check_text(tn_combinations(a, 2, true), "[[1, 1], [1, 2], [2, 2]]", TN_INT64);
    const tn_tensor *alone = tn_cartesian_prod(vectors, 1);
    CHECK(alone);
    CHECK(!tn_shares_memory(alone, a));
}

TEST(images_in_channels_last_stay_in_it) {
    tn_tensor *x = tn_clone(tn_zeros(TN_DIMS(2, 3, 4, 5), TN_FLOAT32), TN_CHANNELS_LAST);
    CHECK(x);
    const tn_tensor *both[] = {x, x}, *mixed[] = {x, tn_clone(x, TN_CONTIGUOUS)};
    CHECK(mixed[1]);
    const tn_tensor *joined = tn_cat(both, 2, 1), *plain = tn_cat(mixed, 2, 1), *stacked = tn_stack(both, 2, 1);
    CHECK(joined && plain && stacked);
    CHECK(tn_is_contiguous_in(joined, TN_CHANNELS_LAST));
    CHECK(tn_is_contiguous(plain));
    CHECK_INT(tn_stride(stacked, 1), 3);
    CHECK_INT(tn_stride(stacked, 2), 1);
}

/* ---- strides */

static tn_tensor *layout_cat(const tn_tensor *const *x) { return tn_cat(x, 2, 1); }
static tn_tensor *layout_stack(const tn_tensor *const *x) { return tn_stack(x, 1, 1); }
static tn_tensor *layout_dstack(const tn_tensor *const *x) { return tn_dstack(x + 2, 2); }
static tn_tensor *layout_column_stack(const tn_tensor *const *x) { return tn_column_stack(x + 2, 2); }
static tn_tensor *layout_block_diag(const tn_tensor *const *x) { return tn_block_diag(x + 2, 2); }
static tn_tensor *layout_cartesian(const tn_tensor *const *x) { return tn_cartesian_prod(x + 2, 2); }
static tn_tensor *layout_combinations(const tn_tensor *const *x) { return tn_combinations(x[2], 3, true); }

TEST_SAMPLED(joining_does_not_depend_on_strides_for_any_dtype) {
    static const struct {
        const char *name;
        join_function function;
    } operators[] = {{"cat", layout_cat},
                     {"stack", layout_stack},
                     {"dstack", layout_dstack},
                     {"column_stack", layout_column_stack},
                     {"block_diag", layout_block_diag},
                     {"cartesian_prod", layout_cartesian},
                     {"combinations", layout_combinations}};
    for (int round = 0; round < 3; round++)
        for (tn_dtype dtype = TN_BOOL; dtype < TN_DTYPE_COUNT; dtype++)
            for (size_t i = 0; i < sizeof operators / sizeof operators[0]; i++) {
                int64_t a[] = {3, test_random_between(0, 4), 5}, b[] = {3, test_random_between(1, 3), 5}, c[] = {4};
                tn_dims sizes[] = {{a, 3}, {b, 3}, {c, 1}, {c, 1}};
                join_check_layouts(operators[i].name, operators[i].function, sizes, 4, dtype);
            }
}

TEST_SAMPLED(large_joins_have_the_same_bits_for_any_number_of_threads) {
    int64_t before = tn_num_threads();
    const tn_tensor *x = join_random(TN_DIMS(700, 900), TN_FLOAT32), *results[2];
    const tn_tensor *both[] = {x, tn_transpose(tn_reshape(x, TN_DIMS(900, 700)), 0, 1), x};
    CHECK(x && both[1]);
    for (int64_t threads = 1; threads <= 2; threads++) {
        CHECK_INT(tn_set_num_threads(threads), TN_OK);
        results[threads - 1] = tn_cat(both, 3, 1);
    }
    tn_set_num_threads(before);
    CHECK(results[0] && results[1]);
    CHECK(join_same_bits(results[0], results[1]));
    CHECK(join_same_bits(tn_narrow(results[0], 1, 900, 900), both[1]));
}

/* ---- results that are given */

TEST(a_given_result_is_converted_resized_or_refused) {
    tn_tensor *a = tn_from_text("[1, 2]", TN_INT32), *b = tn_from_text("[3]", TN_INT32);
    tn_tensor *wide = tn_zeros(TN_DIMS(3), TN_FLOAT64), *empty = tn_empty(TN_DIMS(0), TN_INT32);
    CHECK(a && b && wide && empty);
    const tn_tensor *both[] = {a, b};
    CHECK(tn_cat_out(wide, both, 2, 0) == wide);
    join_check_text(wide, "[1, 2, 3]", TN_FLOAT64);
    CHECK(tn_hstack_out(empty, both, 2) == empty);
    join_check_text(empty, "[1, 2, 3]", TN_INT32);
    CHECK(tn_cat_out(a, both, 2, 0) == a); /* resized, with a warning, though it is read too */
    join_check_text(a, "[1, 2, 3]", TN_INT32);
    both[0] = a = tn_from_text("[1, 2]", TN_INT32);
    CHECK(a);
    CHECK_ERROR(TN_ERROR_DTYPE, "bool", tn_cat_out(tn_zeros(TN_DIMS(3), TN_BOOL), both, 2, 0));
    CHECK_ERROR(TN_ERROR_OVERLAP, "share", tn_cat_out(tn_expand(b, TN_DIMS(3)), both, 2, 0));
    join_check_text(b, "[3]", TN_INT32);
    CHECK_INT(tn_set_readonly(wide), TN_OK);
    CHECK_ERROR(TN_ERROR_READONLY, "", tn_cat_out(wide, both, 2, 0));
}

TEST(a_given_result_may_overlap_what_is_joined) {
    tn_tensor *x = tn_from_text("[1, 2, 3, 4]", TN_INT16);
    CHECK(x);
    const tn_tensor *halves[] = {tn_narrow(x, 0, 2, 2), tn_narrow(x, 0, 0, 2)};
    CHECK(halves[0] && halves[1]);
    CHECK(tn_cat_out(x, halves, 2, 0) == x);
    join_check_text(x, "[3, 4, 1, 2]", TN_INT16);
    tn_tensor *square = tn_from_text("[[1, 2], [3, 4]]", TN_INT16);
    CHECK(square);
    const tn_tensor *rows[] = {tn_select(square, 1, 0), tn_select(square, 1, 1)};
    CHECK(rows[0] && rows[1]);
    CHECK(tn_stack_out(square, rows, 2, 0) == square);
    join_check_text(square, "[[1, 3], [2, 4]]", TN_INT16);
}

/* ---- refusals */

TEST(what_cannot_be_joined_is_refused) {
    tn_tensor *a = tn_zeros(TN_DIMS(2, 3), TN_FLOAT32), *b = tn_zeros(TN_DIMS(3, 2), TN_FLOAT32);
    tn_tensor *eighth = tn_zeros(TN_DIMS(2, 3), TN_FLOAT8_E5M2), *number = tn_zeros(TN_DIMS(), TN_FLOAT32);
    tn_tensor *nothing = tn_zeros(TN_DIMS(0), TN_FLOAT32);
    CHECK(a && b && eighth && number && nothing);
    const tn_tensor *unequal[] = {a, b}, *narrow[] = {a, eighth}, *numbers[] = {number, number}, *ranks[] = {a, number};
    const tn_tensor *none[] = {number, nothing};
    CHECK_ERROR(TN_ERROR_ARGUMENT, "empty", tn_cat(unequal, 0, 0));
    CHECK_ERROR(TN_ERROR_SHAPE, "tensors[1] [3, 2] float32", tn_cat(unequal, 2, 0));
    CHECK_ERROR(TN_ERROR_SHAPE, "must be the same", tn_stack(unequal, 2, 0));
    CHECK_ERROR(TN_ERROR_SHAPE, "must be the same", tn_stack(ranks, 2, 0));
    CHECK_ERROR(TN_ERROR_SHAPE, "must be the same", tn_stack(none, 2, 0));
    CHECK_ERROR(TN_ERROR_SHAPE, "no dimensions", tn_cat(numbers, 2, 0));
    CHECK_ERROR(TN_ERROR_INDEX, "dim", tn_cat(unequal, 2, 2));
    CHECK_ERROR(TN_ERROR_INDEX, "dim", tn_stack(unequal, 2, 3));
    CHECK_ERROR(TN_ERROR_DTYPE, "no dtype for both", tn_cat(narrow, 2, 0));
    CHECK_ERROR(TN_ERROR_DTYPE, "no dtype", tn_block_diag(narrow, 2));
    CHECK_ERROR(TN_ERROR_SHAPE, "at most 2", tn_block_diag((const tn_tensor *[]){tn_unsqueeze(a, 0)}, 1));
    CHECK_ERROR(TN_ERROR_SHAPE, "one dimension", tn_cartesian_prod(unequal, 2));
    CHECK_ERROR(TN_ERROR_ARGUMENT, "empty", tn_cartesian_prod(unequal, 0));
    CHECK_ERROR(TN_ERROR_SHAPE, "one dimension", tn_combinations(a, 2, false));
    CHECK_ERROR(TN_ERROR_ARGUMENT, "r = -1", tn_combinations(tn_select(a, 0, 0), -1, false));
}

TEST(sizes_that_cannot_be_counted_are_refused) {
    tn_tensor *many = tn_expand(tn_zeros(TN_DIMS(1), TN_INT8), TN_DIMS(INT64_MAX / 2));
    CHECK(many);
    const tn_tensor *three[] = {many, many, many};
    CHECK_ERROR(TN_ERROR_SHAPE, "2^63", tn_cat(three, 3, 0));
    CHECK_ERROR(TN_ERROR_SHAPE, "2^63", tn_block_diag(three, 3));
    CHECK_ERROR(TN_ERROR_SHAPE, "too large", tn_cartesian_prod(three, 3));
    CHECK_ERROR(TN_ERROR_SHAPE, "2^63", tn_combinations(many, 2, false));
    tn_tensor *deep = tn_zeros(TN_DIMS(1), TN_INT8);
    while (deep && tn_ndim(deep) < TN_MAX_DIMS)
        deep = tn_unsqueeze(deep, 0);
    CHECK(deep);
    const tn_tensor *pair[] = {deep, deep};
    CHECK_ERROR(TN_ERROR_SHAPE, "no room", tn_stack(pair, 2, 0));
    CHECK_ERROR(TN_ERROR_SHAPE, "no room", tn_diag_embed(deep, 0, 0, 1));
    CHECK(tn_cat(pair, 2, 63));
}

/* ---- runs interleaved */

/* Tensors stacked along a new last dimension, against the same elements behind strides, which are copied one by one. */
static void join_check_interleaved(int64_t count, int64_t length, tn_dtype dtype) {
    const tn_tensor *plain[70], *strided[70];
    for (int64_t i = 0; i < count; i++) {
        tn_tensor *wide = join_random(TN_DIMS(2 * length), dtype);
        CHECK(wide);
        strided[i] = tn_slice(wide, 0, TN_NONE, TN_NONE, 2);
        plain[i] = tn_contiguous(strided[i], TN_CONTIGUOUS);
        CHECK(strided[i] && plain[i]);
    }
    tn_tensor *together = tn_stack(plain, count, -1), *apart = tn_stack(strided, count, -1);
    CHECK(together && apart);
    CHECK(join_same_bits(together, apart));
}

static void join_reset_cache(void *unused) {
    (void)unused;
    atomic_store(&tni_copy_cache_bytes, 0);
}

TEST_SAMPLED(stacks_along_the_last_dimension_interleave_elements_of_every_size) {
    static const tn_dtype dtypes[] = {TN_UINT8, TN_INT16, TN_FLOAT32, TN_FLOAT64, TN_COMPLEX128};
    static const int64_t counts[] = {2, 3, 4, 5, 8, 64, 70};
    TEST_DEFER(join_reset_cache, NULL);
    for (int around = 0; around < 2; around++) {
        atomic_store(&tni_copy_cache_bytes, around);
        for (int d = 0; d < 5; d++)
            for (int k = 0; k < 7; k++) {
                join_check_interleaved(counts[k], 1, dtypes[d]);
                join_check_interleaved(counts[k], 37, dtypes[d]);
                join_check_interleaved(counts[k], 2311, dtypes[d]);
            }
    }
}

/* copy_operators.c - clone, contiguous, to, copy_, fill_, zero_: what they return, refuse, count and report.
 *
 * Tests: src/ops/copy/copy.c */
#include "test.h"

#include "base/heap.h"
#include "ops/copy/copy.h"

static tn_tensor *numbers(int64_t rows, int64_t columns) {
    return tn_view(tn_arange(rows * columns, TN_FLOAT32), TN_DIMS(rows, columns));
}

/* ---- clone and contiguous ---------------------------------------------------------------------------------------- */

TEST(a_clone_has_memory_of_its_own_and_the_same_elements) {
    tn_tensor *x = numbers(3, 4);
    tn_tensor *y = tn_clone(x, TN_PRESERVE);
    CHECK(y);
    CHECK(!tn_is_alias_of(x, y));
    CHECK(memcmp(tn_data(x), tn_data(y), 48) == 0);
    CHECK_INT(tn_tensor_version(y), 0);
}

TEST(a_clone_keeps_dense_strides_and_closes_gaps) {
    tn_tensor *x = numbers(3, 4);
    tn_tensor *t = tn_clone(tn_transpose(x, 0, 1), TN_PRESERVE);
    CHECK(t);
    CHECK_INT(tn_stride(t, 0), 1);
    CHECK_INT(tn_stride(t, 1), 4);
    CHECK_DOUBLE(tn_get_double(t, TN_DIMS(3, 2)), 11);
    tn_tensor *gaps = tn_clone(tn_slice(x, 1, 0, 4, 2), TN_PRESERVE);
    CHECK(gaps);
    CHECK_INT(tn_stride(gaps, 0), 2);
    CHECK_INT(tn_stride(gaps, 1), 1);
    CHECK_DOUBLE(tn_get_double(gaps, TN_DIMS(2, 1)), 10);
    tn_tensor *plain = tn_clone(tn_transpose(x, 0, 1), TN_CONTIGUOUS);
    CHECK(plain);
    CHECK(tn_is_contiguous(plain));
    CHECK_DOUBLE(tn_get_double(plain, TN_DIMS(1, 2)), 9);
}

/* A size of 1, or no elements at all, leaves strides free: they are kept, as PyTorch keeps them. */
TEST(a_clone_keeps_strides_that_no_element_depends_on) {
    tn_tensor *column = tn_transpose(tn_zeros(TN_DIMS(3, 1), TN_FLOAT32), 0, 1); /* [1, 3], strides [1, 1] */
    tn_tensor *empty = tn_transpose(tn_zeros(TN_DIMS(0, 5), TN_FLOAT32), 0, 1);  /* [5, 0], strides [1, 5] */
    tn_tensor *row = tn_transpose(tn_narrow(numbers(4, 5), 0, 2, 1), 0, 1);      /* [5, 1], strides [1, 5] */
    tn_tensor *kept[] = {column, empty, row};
    for (int i = 0; i < 3; i++) {
        tn_tensor *results[] = {tn_clone(kept[i], TN_PRESERVE), tn_empty_like(kept[i], TN_INT8, TN_PRESERVE),
                                tn_to(kept[i], TN_FLOAT64)};
        for (int k = 0; k < 3; k++) {
            CHECK(results[k]);
            CHECK_INT(tn_stride(results[k], 0), tn_stride(kept[i], 0));
            CHECK_INT(tn_stride(results[k], 1), tn_stride(kept[i], 1));
        }
    }
    CHECK_INT(tn_stride(tn_clone(column, TN_CONTIGUOUS), 0), 3);
    CHECK_DOUBLE(tn_get_double(tn_clone(row, TN_PRESERVE), TN_DIMS(4, 0)), 14);
}

TEST(an_empty_tensor_of_huge_sizes_is_cloned) {
    tn_tensor *x = tn_expand(tn_zeros(TN_DIMS(0, 1), TN_FLOAT32), TN_DIMS(INT64_MAX, 0, INT64_MAX));
    CHECK(x);
    tn_tensor *clone = tn_clone(x, TN_PRESERVE), *other = tn_to(x, TN_COMPLEX128);
    CHECK(clone);
    CHECK(other);
    CHECK_INT(tn_numel(clone), 0);
    CHECK_INT(tn_size(other, 2), INT64_MAX);
    CHECK(tn_copy_(clone, other));
}

TEST(a_clone_in_channels_last_has_its_strides_and_its_elements) {
    tn_tensor *x = tn_view(tn_arange(2 * 3 * 4 * 5, TN_INT32), TN_DIMS(2, 3, 4, 5));
    tn_tensor *y = tn_clone(x, TN_CHANNELS_LAST);
    CHECK(y);
    CHECK(tn_is_contiguous_in(y, TN_CHANNELS_LAST));
    CHECK_INT(tn_stride(y, 1), 1);
    for (int64_t i = 0; i < 120; i++)
        CHECK_INT(tn_get_int64(y, TN_DIMS(i / 60, i / 20 % 3, i / 5 % 4, i % 5)), i);
    CHECK_ERROR(TN_ERROR_SHAPE, "channels_last", tn_clone(numbers(2, 2), TN_CHANNELS_LAST));
}

TEST(contiguous_returns_self_when_it_is_so_already) {
    tn_tensor *x = numbers(3, 4);
    CHECK(x);
    tn_counters before = tn_counters_now();
    tn_tensor *same = tn_contiguous(x, TN_CONTIGUOUS);
    CHECK(same == x);
    CHECK_INT(tn_counters_since(before).copies, 0);
    CHECK_INT(tn_use_count(x), 2);
}

TEST(contiguous_of_a_transpose_copies_once) {
    tn_tensor *t = tn_transpose(numbers(3, 4), 0, 1);
    CHECK(t);
    tn_counters before = tn_counters_now();
    tn_tensor *y = tn_contiguous(t, TN_CONTIGUOUS);
    CHECK(y);
    tn_counters spent = tn_counters_since(before);
    CHECK_INT(spent.copies, 1);
    CHECK_INT(spent.copied_bytes, 48);
    CHECK_INT(spent.allocations, 1);
    CHECK(tn_is_contiguous(y));
    CHECK_DOUBLE(tn_get_double(y, TN_DIMS(0, 1)), 4);
    CHECK_ERROR(TN_ERROR_ARGUMENT, "preserve", tn_contiguous(t, TN_PRESERVE));
}

TEST(tensors_without_elements_and_without_dimensions_are_copied) {
    tn_tensor *nothing = tn_empty(TN_DIMS(3, 0, 2), TN_FLOAT64);
    tn_tensor *copy = tn_clone(nothing, TN_PRESERVE);
    CHECK(copy);
    CHECK_INT(tn_numel(copy), 0);
    CHECK_INT(tn_size(copy, 2), 2);
    CHECK(tn_to(nothing, TN_INT8));
    CHECK(tn_copy_(copy, nothing));
    CHECK(tn_fill_(copy, 3));
    tn_tensor *scalar = tn_scalar_tensor(2.5, TN_FLOAT32);
    tn_tensor *whole = tn_to(scalar, TN_INT64);
    CHECK(whole);
    CHECK_INT(tn_ndim(whole), 0);
    CHECK_INT(tn_item_int64(whole), 2);
}

/* ---- to ---------------------------------------------------------------------------------------------------------- */

TEST(to_the_same_dtype_is_self_and_to_another_is_a_copy) {
    tn_tensor *x = numbers(3, 4);
    CHECK(tn_to(x, TN_FLOAT32) == x);
    tn_tensor *t = tn_to(tn_transpose(x, 0, 1), TN_BFLOAT16);
    CHECK(t);
    CHECK_INT(tn_dtype_of(t), TN_BFLOAT16);
    CHECK_INT(tn_stride(t, 0), 1);
    CHECK_DOUBLE(tn_get_double(t, TN_DIMS(2, 1)), 6);
    CHECK(tn_to_device(x, TN_DEVICE_CPU) == x);
}

TEST(to_drops_the_imaginary_part_and_wraps_integers) {
    tn_tensor *c = tn_from_text("[1+2j, 3.9-1j]", TN_COMPLEX64);
    tn_tensor *real = tn_to(c, TN_INT32);
    CHECK(real);
    CHECK_INT(tn_get_int64(real, TN_DIMS(0)), 1);
    CHECK_INT(tn_get_int64(real, TN_DIMS(1)), 3);
    tn_tensor *wrapped = tn_to(tn_from_text("[300, -1]", TN_INT64), TN_UINT8);
    CHECK(wrapped);
    CHECK_INT(tn_get_int64(wrapped, TN_DIMS(0)), 44);
    CHECK_INT(tn_get_int64(wrapped, TN_DIMS(1)), 255);
}

TEST(to_with_options_copies_when_asked_and_only_then) {
    tn_tensor *x = tn_view(tn_arange(16, TN_FLOAT32), TN_DIMS(1, 2, 2, 4));
    CHECK(tn_to_options(x, TN_DTYPE_DEFAULT, TN_DEVICE_CPU, false, TN_PRESERVE) == x);
    CHECK(tn_to_options(x, TN_FLOAT32, TN_DEVICE_CPU, false, TN_CONTIGUOUS) == x);
    tn_tensor *copy = tn_to_options(x, TN_DTYPE_DEFAULT, TN_DEVICE_CPU, true, TN_PRESERVE);
    CHECK(copy);
    CHECK(!tn_is_alias_of(copy, x));
    tn_tensor *last = tn_to_options(x, TN_FLOAT64, TN_DEVICE_CPU, false, TN_CHANNELS_LAST);
    CHECK(last);
    CHECK(tn_is_contiguous_in(last, TN_CHANNELS_LAST));
    CHECK_DOUBLE(tn_get_double(last, TN_DIMS(0, 1, 1, 2)), 14);
    CHECK_ERROR(TN_ERROR_DTYPE, "dtype", tn_to(x, TN_DTYPE_DEFAULT));
    CHECK_ERROR(TN_ERROR_DTYPE, "dtype", tn_to(x, (tn_dtype)99));
}

/* ---- copy_ ------------------------------------------------------------------------------------------------------- */

TEST(copy_in_place_broadcasts_converts_and_counts_as_one_write) {
    tn_tensor *x = tn_zeros(TN_DIMS(2, 3), TN_FLOAT64);
    CHECK(x);
    uint32_t version = tn_tensor_version(x);
    CHECK(tn_copy_(x, tn_from_text("[1, 2, 3]", TN_INT16)) == x);
    CHECK_INT(tn_tensor_version(x), version + 1);
    CHECK_DOUBLE(tn_get_double(x, TN_DIMS(1, 2)), 3);
    CHECK(tn_copy_(x, tn_scalar_tensor(7, TN_UINT8)));
    CHECK_DOUBLE(tn_get_double(x, TN_DIMS(1, 0)), 7);
    CHECK(tn_copy_(tn_transpose(x, 0, 1), tn_from_text("[[1, 2], [3, 4], [5, 6]]", TN_FLOAT32)));
    CHECK_DOUBLE(tn_get_double(x, TN_DIMS(1, 0)), 2);
    CHECK_DOUBLE(tn_get_double(x, TN_DIMS(0, 2)), 5);
}

TEST(small_and_large_copies_and_fills_count_alike) {
    static const int64_t counts[] = {1, 16, 1023, 1024, 1025, 5000};
    for (int i = 0; i < 6; i++) {
        int64_t n = counts[i];
        tn_tensor *x = tn_arange(n, TN_FLOAT32), *y = tn_zeros(TN_DIMS(n), TN_FLOAT32);
        CHECK(x);
        CHECK(y);
        tn_counters before = tn_counters_now();
        CHECK(tn_copy_(y, x));
        CHECK_INT(tn_counters_since(before).copies, 1);
        CHECK_INT(tn_counters_since(before).copied_bytes, 4 * n);
        CHECK_INT(tn_tensor_version(y), 1);
        tn_tensor *z = tn_clone(y, TN_PRESERVE);
        CHECK(z);
        CHECK_INT(tn_counters_since(before).copies, 2);
        CHECK(memcmp(tn_data(z), tn_data(x), (size_t)(4 * n)) == 0);
        CHECK(tn_fill_(z, 2.5));
        CHECK_INT(tn_counters_since(before).copies, 2);
        CHECK_INT(tn_tensor_version(z), 1);
        CHECK_DOUBLE(tn_get_double(z, TN_DIMS(n - 1)), 2.5);
    }
}

TEST(copy_in_place_refuses_what_it_cannot_do_and_changes_nothing) {
    tn_tensor *x = tn_zeros(TN_DIMS(2, 3), TN_FLOAT32);
    CHECK(x);
    tn_tensor *wrong = tn_ones(TN_DIMS(2, 2), TN_FLOAT32), *larger = tn_ones(TN_DIMS(1, 2, 3), TN_FLOAT32);
    tn_tensor *right = tn_ones(TN_DIMS(2, 3), TN_FLOAT32);
    CHECK(wrong);
    CHECK(larger);
    CHECK(right);
    uint32_t version = tn_tensor_version(x);
    CHECK_ERROR(TN_ERROR_SHAPE, "[2, 2]", tn_copy_(x, wrong));
    CHECK_ERROR(TN_ERROR_SHAPE, "[1, 2, 3]", tn_copy_(x, larger));
    tn_tensor *expanded = tn_expand(tn_zeros(TN_DIMS(1, 3), TN_FLOAT32), TN_DIMS(2, 3));
    CHECK(expanded);
    CHECK_ERROR(TN_ERROR_OVERLAP, "share a place", tn_copy_(expanded, right));
    tn_tensor *shut = tn_view(x, TN_DIMS(2, 3));
    CHECK(shut);
    CHECK(tn_set_readonly(shut) == TN_OK);
    CHECK_ERROR(TN_ERROR_READONLY, "read-only", tn_copy_(shut, right));
    CHECK_ERROR(TN_ERROR_READONLY, "read-only", tn_zero_(shut));
    CHECK_INT(tn_tensor_version(x), version);
    CHECK_DOUBLE(tn_get_double(x, TN_DIMS(1, 1)), 0);
    CHECK_ERROR(TN_ERROR_ARGUMENT, "source", tn_copy_(x, NULL));
    CHECK_ERROR(TN_ERROR_ARGUMENT, "self", tn_copy_(NULL, right));
}

TEST(overlapping_source_and_target_give_the_right_answer) {
    tn_tensor *x = tn_arange(10, TN_INT32);
    CHECK(x);
    CHECK(tn_copy_(tn_narrow(x, 0, 2, 8), tn_narrow(x, 0, 0, 8))); /* contiguous: a move */
    for (int64_t i = 0; i < 10; i++)
        CHECK_INT(tn_get_int64(x, TN_DIMS(i)), i < 2 ? i : i - 2);
    tn_tensor *y = tn_arange(10, TN_INT32);
    CHECK(y);
    tn_tensor *forward = tn_narrow(y, 0, 0, 10), *backward = tn_slice(y, 0, TN_NONE, TN_NONE, -1);
    CHECK(forward);
    CHECK(backward);
    tn_counters before = tn_counters_now();
    CHECK(tn_copy_(forward, backward)); /* reversed onto itself: through a copy */
    CHECK_INT(tn_counters_since(before).copies, 2);
    for (int64_t i = 0; i < 10; i++)
        CHECK_INT(tn_get_int64(y, TN_DIMS(i)), 9 - i);
    tn_tensor *m = numbers(4, 4);
    CHECK(m);
    CHECK(tn_copy_(m, tn_transpose(m, 0, 1)));
    for (int64_t i = 0; i < 16; i++)
        CHECK_DOUBLE(tn_get_double(m, TN_DIMS(i / 4, i % 4)), (double)(i % 4 * 4 + i / 4));
    tn_tensor *row = tn_select(m, 0, 2);
    CHECK(row);
    CHECK(tn_copy_(m, row)); /* broadcast over itself */
    for (int64_t i = 0; i < 16; i++)
        CHECK_DOUBLE(tn_get_double(m, TN_DIMS(i / 4, i % 4)), (double)(i % 4 * 4 + 2));
}

TEST(copying_onto_the_same_elements_moves_nothing) {
    tn_tensor *x = numbers(3, 4);
    tn_tensor *same = tn_view(x, TN_DIMS(3, 4));
    CHECK(same);
    tn_counters before = tn_counters_now();
    CHECK(tn_copy_(x, same));
    CHECK(tn_copy_(x, x));
    CHECK_INT(tn_counters_since(before).copies, 0);
    CHECK_DOUBLE(tn_get_double(x, TN_DIMS(2, 3)), 11);
}

TEST(interleaved_views_that_share_no_element_are_copied_directly) {
    tn_tensor *x = tn_arange(10, TN_INT64);
    tn_tensor *even = tn_slice(x, 0, 0, 10, 2), *odd = tn_slice(x, 0, 1, 10, 2);
    CHECK(even);
    CHECK(odd);
    tn_counters before = tn_counters_now();
    CHECK(tn_copy_(even, odd));
    CHECK_INT(tn_counters_since(before).copies, 1);
    for (int64_t i = 0; i < 10; i++)
        CHECK_INT(tn_get_int64(x, TN_DIMS(i)), i | 1);
}

TEST(writing_to_a_lazily_cloned_storage_leaves_the_other_as_it_was) {
    tn_tensor *x = numbers(2, 3);
    CHECK(x);
    tn_storage *twin = tn_storage_lazy_clone(tn_storage_of(x));
    CHECK(twin);
    CHECK(tn_fill_(x, 5));
    CHECK_DOUBLE(tn_get_double(x, TN_DIMS(1, 2)), 5);
    CHECK_DOUBLE(((const float *)tn_storage_data(twin))[3], 3);
    tn_tensor *other = tn_from_storage(twin, 0, TN_DIMS(2, 3), TN_DIMS(3, 1), TN_FLOAT32);
    CHECK(other);
    CHECK_DOUBLE(tn_get_double(other, TN_DIMS(0, 1)), 1);
    CHECK(tn_copy_(x, other));
    CHECK_DOUBLE(tn_get_double(x, TN_DIMS(1, 1)), 4);
}

/* ---- fill_ and zero_ --------------------------------------------------------------------------------------------- */

TEST(fill_and_zero_reach_every_element_of_a_view_and_no_other) {
    tn_tensor *x = numbers(4, 6);
    CHECK(x);
    tn_tensor *part = tn_slice(tn_narrow(x, 0, 1, 2), 1, 0, 6, 2);
    CHECK(part);
    CHECK(tn_fill_(part, -1.5) == part);
    for (int64_t i = 0; i < 24; i++) {
        bool inside = (i / 6 == 1 || i / 6 == 2) && i % 2 == 0;
        CHECK_DOUBLE(tn_get_double(x, TN_DIMS(i / 6, i % 6)), inside ? -1.5 : (double)i);
    }
    CHECK(tn_zero_(tn_transpose(x, 0, 1)));
    for (int64_t i = 0; i < 24; i++)
        CHECK_DOUBLE(tn_get_double(x, TN_DIMS(i / 6, i % 6)), 0);
    tn_tensor *bytes = tn_zeros(TN_DIMS(3), TN_UINT8);
    CHECK(bytes);
    CHECK_ERROR(TN_ERROR_DTYPE, "does not fit in uint8", tn_fill_(bytes, 256));
    CHECK_INT(tn_tensor_version(bytes), 0);
}

/* ---- what is reported -------------------------------------------------------------------------------------------- */

static struct {
    char reason[400], operator_name[48];
    int64_t bytes;
    int copies;
} heard;

static void hear(void *ctx, const tn_event *event) {
    (void)ctx;
    if (event->kind != TN_EVENT_COPY)
        return;
    snprintf(heard.reason, sizeof heard.reason, "%s", event->reason);
    snprintf(heard.operator_name, sizeof heard.operator_name, "%s", event->operator_name ? event->operator_name : "");
    heard.bytes = event->bytes;
    heard.copies++;
}

static void stop_hearing(void *unused) {
    (void)unused;
    tn_set_observer(NULL, NULL);
}

TEST(every_copy_says_which_operator_made_it_and_why) {
    tn_tensor *x = numbers(3, 4);
    tn_tensor *t = tn_transpose(x, 0, 1);
    CHECK(t);
    heard.copies = 0;
    TEST_DEFER(stop_hearing, NULL);
    tn_set_observer(hear, NULL);
    CHECK(tn_contiguous(t, TN_CONTIGUOUS));
    CHECK_TEXT(heard.reason, "strides [1, 4] of sizes [4, 3] are not contiguous");
    CHECK_TEXT(heard.operator_name, "contiguous");
    CHECK_INT(heard.bytes, 48);
    CHECK(tn_to(x, TN_FLOAT16));
    CHECK_TEXT(heard.reason, "float32 becomes float16");
    CHECK_TEXT(heard.operator_name, "to");
    CHECK_INT(heard.bytes, 24);
    CHECK(tn_clone(x, TN_PRESERVE));
    CHECK_TEXT(heard.reason, "a clone has its own memory");
    CHECK(tn_to_options(x, TN_FLOAT32, TN_DEVICE_CPU, true, TN_PRESERVE));
    CHECK_TEXT(heard.reason, "a copy was asked for");
    CHECK(tn_copy_(x, tn_ones(TN_DIMS(4), TN_FLOAT32)));
    CHECK_TEXT(heard.operator_name, "copy_");
    CHECK_INT(heard.copies, 5);
    tn_tensor *inside = tni_clone_contiguous(t, "an operator needs it so");
    CHECK(inside);
    TEST_DEFER(tn_release, inside);
    CHECK_TEXT(heard.reason, "an operator needs it so");
    CHECK_TEXT(heard.operator_name, "");
}

/* ---- devices ----------------------------------------------------------------------------------------------------- */

static void *device_allocate(void *ctx, size_t bytes) {
    (void)ctx;
    return aligned_alloc(64, (bytes + 63) / 64 * 64);
}

static void device_free(void *ctx, void *data, size_t bytes) {
    (void)ctx;
    (void)bytes;
    free(data);
}

static tn_error device_copy(void *ctx, void *target, const void *source, size_t bytes) {
    ++*(int *)ctx;
    memcpy(target, source, bytes);
    return TN_OK;
}

static void restore_device(void *type) { tn_set_allocator(*(int32_t *)type, NULL, 100); }

TEST(memory_of_another_device_is_copied_by_its_allocator_or_not_at_all) {
    static int copies;
    static int32_t type;
    type = tn_device_type_register("copytest");
    CHECK(type > 0);
    copies = 0;
    tn_allocator_functions functions = {.struct_size = sizeof functions,
                                        .name = "copytest",
                                        .device = {type, 0},
                                        .ctx = &copies,
                                        .allocate = device_allocate,
                                        .free = device_free,
                                        .copy = device_copy};
    tn_allocator *allocator = tn_allocator_create(&functions);
    CHECK(allocator);
    TEST_DEFER(restore_device, &type);
    CHECK(tn_set_allocator(type, allocator, 1) == TN_OK);
    tn_tensor *far = tn_empty_device(TN_DIMS(3, 4), TN_FLOAT32, TN_DEVICE(type, 0));
    tn_tensor *near = tn_zeros(TN_DIMS(3, 4), TN_FLOAT32);
    CHECK(far);
    CHECK(near);
    tn_tensor *twin = tn_clone(far, TN_PRESERVE);
    CHECK(twin);
    CHECK_INT(copies, 1);
    CHECK(tn_copy_(far, twin));
    CHECK_INT(copies, 2);
    CHECK_ERROR(TN_ERROR_DEVICE, "copytest", tn_copy_(far, near));
    CHECK_ERROR(TN_ERROR_DEVICE, "copytest", tn_copy_(near, far));
    CHECK_ERROR(TN_ERROR_DEVICE, "copytest", tn_to_device(near, TN_DEVICE(type, 0)));
    CHECK_ERROR(TN_ERROR_DEVICE, "equal strides and dtype", tn_to(far, TN_INT8));
    CHECK_ERROR(TN_ERROR_DEVICE, "equal strides and dtype", tn_contiguous(tn_transpose(far, 0, 1), TN_CONTIGUOUS));
    CHECK_ERROR(TN_ERROR_DEVICE, "no kernel", tn_fill_(far, 1));
}

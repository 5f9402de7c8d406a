/* tensor.c - what a tensor answers about itself, compared with naive answers found by visiting every index.
 *
 * Tests: src/tensor/query.c */
#include "test.h"

#include "storage_helpers.h"

/* ---- NULL and wrong handles */

TEST(every_query_answers_null_with_its_word_for_nothing) {
#define CHECK_NOTHING(condition)                                                                                               \
    do {                                                                                                                       \
        CHECK(condition);                                                                                                      \
        CHECK_INT(tn_error_take(NULL), TN_ERROR_ARGUMENT);                                                                     \
    } while (0)
    tn_tensor *x = tn_zeros(TN_DIMS(2), TN_UINT8);
    CHECK(x);
    tn_tensor *storage = (tn_tensor *)(void *)tn_storage_of(x); /* a handle of another kind is found, too */
    tn_tensor *wrong[] = {NULL, storage};
    for (int i = 0; i < 2; i++) {
        CHECK_NOTHING(tn_ndim(wrong[i]) == -1);
        CHECK_NOTHING(tn_numel(wrong[i]) == -1);
        CHECK_NOTHING(tn_size(wrong[i], 0) == -1);
        CHECK_NOTHING(tn_stride(wrong[i], 0) == INT64_MIN);
        CHECK_NOTHING(tn_sizes(wrong[i]).values == NULL);
        CHECK_NOTHING(tn_sizes(wrong[i]).count == 0);
        CHECK_NOTHING(tn_strides(wrong[i]).values == NULL);
        CHECK_NOTHING(tn_strides(wrong[i]).count == 0);
        CHECK_NOTHING(tn_storage_offset(wrong[i]) == -1);
        CHECK_NOTHING(tn_element_size(wrong[i]) == 0);
        CHECK_NOTHING(tn_nbytes(wrong[i]) == 0);
        CHECK_NOTHING(tn_dtype_of(wrong[i]) == TN_DTYPE_DEFAULT);
        CHECK_NOTHING(tn_device_of(wrong[i]).type == -1);
        CHECK_NOTHING(tn_storage_of(wrong[i]) == NULL);
        CHECK_NOTHING(!tn_is_contiguous(wrong[i]));
        CHECK_NOTHING(!tn_is_contiguous_in(wrong[i], TN_CONTIGUOUS));
        CHECK_NOTHING(!tn_is_non_overlapping_and_dense(wrong[i]));
        CHECK_NOTHING(!tn_is_alias_of(wrong[i], x));
        CHECK_NOTHING(!tn_is_alias_of(x, wrong[i]));
        CHECK_NOTHING(!tn_shares_memory(wrong[i], x));
        CHECK_NOTHING(!tn_shares_memory(x, wrong[i]));
        CHECK_NOTHING(!tn_overlaps_itself(wrong[i]));
        CHECK_NOTHING(!tn_is_readonly(wrong[i]));
        CHECK_NOTHING(tn_set_readonly(wrong[i]) == TN_ERROR_ARGUMENT);
        CHECK_NOTHING(tn_tensor_version(wrong[i]) == 0);
        CHECK_NOTHING(tn_data(wrong[i]) == NULL);
    }
    CHECK_ERROR(TN_ERROR_ARGUMENT, "ndim: tensor is not a tensor", tn_ndim(storage));
    CHECK_ERROR(TN_ERROR_ARGUMENT, "retain: tensor is not a tensor", tn_retain(storage));
    CHECK_ERROR(TN_ERROR_ARGUMENT, "release: tensor is not a tensor", tn_release(storage));
    CHECK_ERROR(TN_ERROR_ARGUMENT, "keep: tensor is not a tensor", tn_keep(storage));
    CHECK_ERROR(TN_ERROR_ARGUMENT, "shares_memory: b is NULL", tn_shares_memory(x, NULL));
    CHECK_ERROR(TN_ERROR_ARGUMENT, "format number 17", tn_is_contiguous_in(x, (tn_memory_format)17));
}

TEST(a_null_keeps_the_error_that_made_it) {
    tn_error_raise(TN_ERROR_IO, "read", "the file is gone");
    CHECK_INT(tn_ndim(NULL), -1);
    CHECK(!tn_view(NULL, TN_DIMS(1)));
    CHECK(!tn_from_text(NULL, TN_DTYPE_DEFAULT));
    CHECK_TEXT(tn_error_message(), "read: the file is gone");
    tn_error_clear();
}

TEST(one_size_is_asked_for_from_either_end) {
    tn_tensor *x = tn_permute(tn_zeros(TN_DIMS(2, 3, 4), TN_INT16), TN_DIMS(2, 0, 1)), *scalar = tn_zeros(TN_DIMS(), TN_INT16);
    CHECK(x && scalar);
    int64_t sizes[] = {4, 2, 3}, strides[] = {1, 12, 4};
    for (int64_t d = 0; d < 3; d++) {
        CHECK_INT(tn_size(x, d), sizes[d]);
        CHECK_INT(tn_size(x, d - 3), sizes[d]);
        CHECK_INT(tn_stride(x, d), strides[d]);
        CHECK_INT(tn_stride(x, d - 3), strides[d]);
    }
    int64_t wrong[] = {3, -4, INT64_MAX, INT64_MIN}, result;
    for (int i = 0; i < 4; i++) {
        CHECK_ERROR(TN_ERROR_INDEX, "size: dim = ", result = tn_size(x, wrong[i]));
        CHECK_INT(result, -1);
        CHECK_ERROR(TN_ERROR_INDEX, "stride: dim = ", result = tn_stride(x, wrong[i]));
        CHECK_INT(result, INT64_MIN);
    }
    CHECK_ERROR(TN_ERROR_INDEX, "takes -3 to 2", tn_size(x, 3));
    CHECK_ERROR(TN_ERROR_INDEX, "size: dim = 0 is out of range: the tensor has no dimensions", tn_size(scalar, 0));
    CHECK_ERROR(TN_ERROR_INDEX, "no dimensions", tn_stride(scalar, -1));
}

TEST(dimensions_beyond_five_live_elsewhere_and_are_found) {
    int64_t sizes[64];
    for (int i = 0; i < 64; i++)
        sizes[i] = i < 10 ? 2 : 1;
    for (int64_t rank = 4; rank <= 64; rank += rank < 8 ? 1 : 28) {
        tn_tensor *x = tn_zeros((tn_dims){sizes, rank}, TN_UINT8);
        CHECK(x);
        tn_dims got = tn_sizes(x), strides = tn_strides(x);
        CHECK_INT(got.count, rank);
        CHECK_INT(strides.count, rank);
        int64_t expected = 1;
        for (int64_t d = rank - 1; d >= 0; d--) {
            CHECK_INT(got.values[d], sizes[d]);
            CHECK_INT(strides.values[d], expected);
            CHECK_INT(tn_stride(x, d), expected);
            expected *= sizes[d];
        }
        CHECK_INT(tn_numel(x), expected);
    }
}

TEST(the_shape_may_change_in_place_across_the_inline_limit) {
    tn_tensor *x = tn_zeros(TN_DIMS(2, 1, 3, 1, 1), TN_UINT8);
    CHECK(x);
    for (int round = 0; round < 2; round++) {
        CHECK(tn_unsqueeze_(x, 0));
        CHECK_INT(tn_ndim(x), 6);
        CHECK(tn_unsqueeze_(x, -1));
        CHECK_INT(tn_ndim(x), 7);
        CHECK_INT(tn_size(x, 1), 2);
        CHECK(tn_squeeze_dim_(x, 0));
        CHECK(tn_squeeze_dim_(x, -1));
        CHECK_INT(tn_ndim(x), 5);
        CHECK_INT(tn_size(x, 0), 2);
        CHECK_INT(tn_size(x, 2), 3);
        CHECK_INT(tn_numel(x), 6);
        CHECK(tn_is_contiguous(x));
    }
    CHECK(tn_resize_(x, (tn_dims){NULL, 0}));
    CHECK_INT(tn_ndim(x), 0);
    CHECK_INT(tn_numel(x), 1);
}

TEST_SAMPLED(a_shape_that_cannot_change_for_lack_of_memory_stays) {
    tn_tensor *x = tn_zeros(TN_DIMS(2, 1, 3, 1, 1), TN_UINT8), *result = NULL;
    CHECK(x);
    CHECK(FAILING(1, result = tn_unsqueeze_(x, 0)));
    CHECK(!result);
    CHECK_INT(tn_ndim(x), 5);
    CHECK_INT(tn_size(x, 0), 2);
    CHECK_INT(tn_stride(x, 0), 3);
}

/* ---- layout, against every index visited */

enum { VISIT_LIMIT = 4096 };

typedef struct visit {
    int64_t count;
    int64_t places[VISIT_LIMIT]; /* of the elements in row-major order of their indices */
} visit;

static void visit_all(const tn_tensor *x, visit *out) {
    int64_t index[64] = {0}, ndim = tn_ndim(x);
    out->count = 0;
    for (int64_t n = 0; n < tn_numel(x) && n < VISIT_LIMIT; n++) {
        int64_t place = tn_storage_offset(x);
        for (int64_t d = 0; d < ndim; d++)
            place += index[d] * tn_stride(x, d);
        out->places[out->count++] = place;
        for (int64_t d = ndim - 1; d >= 0 && ++index[d] == tn_size(x, d); d--)
            index[d] = 0;
    }
}

static int compare_places(const void *a, const void *b) {
    int64_t first = *(const int64_t *)a, second = *(const int64_t *)b;
    return (first > second) - (first < second);
}

static tn_tensor *random_tensor(tn_storage *storage) {
    int64_t ndim = test_random_between(0, 4), sizes[4], strides[4], low = 0;
    for (int64_t d = 0; d < ndim; d++) {
        sizes[d] = test_random_between(0, 12) == 0 ? 0 : test_random_between(1, 4);
        strides[d] = 0;
    }
    if (test_random() % 3) { /* dense, in some order of dimensions and directions, perhaps with one stride spoilt */
        int64_t order[4] = {0, 1, 2, 3}, stride = 1;
        for (int64_t d = ndim - 1; d > 0; d--) {
            int64_t other = test_random_between(0, d), moved = order[d];
            order[d] = order[other];
            order[other] = moved;
        }
        for (int64_t k = 0; k < ndim; k++) {
            strides[order[k]] = test_random() % 4 ? stride : -stride;
            stride *= sizes[order[k]] ? sizes[order[k]] : 1;
        }
        if (ndim && test_random() % 3 == 0)
            strides[test_random_between(0, ndim - 1)] = test_random_between(-5, 9);
    } else {
        for (int64_t d = 0; d < ndim; d++)
            strides[d] = test_random_between(-6, 12);
    }
    for (int64_t d = 0; d < ndim; d++)
        if (sizes[d] && strides[d] < 0)
            low -= (sizes[d] - 1) * strides[d];
    return tn_from_storage(storage, low + test_random_between(0, 20), (tn_dims){sizes, ndim}, (tn_dims){strides, ndim},
                           TN_UINT8);
}

TEST_SAMPLED(layout_questions_are_answered_as_a_visit_to_every_index_would) {
    tn_storage *storage = tn_storage_create(4096, TN_UINT8, NULL);
    CHECK(storage);
    int contiguous = 0, dense = 0, overlapping = 0, channels = 0;
    for (int round = 0; round < 6000; round++) {
        tn_scope scope = tn_scope_open();
        tn_tensor *x = random_tensor(storage);
        CHECK(x);
        static visit seen;
        visit_all(x, &seen);
        CHECK_INT(seen.count, tn_numel(x));
        bool in_order = true, filled = true, twice = false;
        for (int64_t i = 1; i < seen.count; i++)
            in_order = in_order && seen.places[i] == seen.places[i - 1] + 1;
        qsort(seen.places, (size_t)seen.count, sizeof seen.places[0], compare_places);
        for (int64_t i = 1; i < seen.count; i++) {
            filled = filled && seen.places[i] == seen.places[i - 1] + 1;
            twice = twice || seen.places[i] == seen.places[i - 1];
        }
        CHECK_INT(tn_is_contiguous(x), in_order);
        CHECK_INT(tn_is_contiguous_in(x, TN_CONTIGUOUS), in_order);
        CHECK(tn_is_contiguous_in(x, TN_PRESERVE));
        CHECK_INT(tn_overlaps_itself(x), twice);
        for (int again = 0; again < 2; again++) /* the second answer comes from the cached bit */
            CHECK_INT(tn_is_non_overlapping_and_dense(x), filled);
        if (tn_ndim(x) == 4 && seen.count > 0) {
            tn_tensor *last = tn_permute(x, TN_DIMS(0, 2, 3, 1));
            CHECK(last);
            for (int again = 0; again < 2; again++)
                CHECK_INT(tn_is_contiguous_in(x, TN_CHANNELS_LAST), tn_is_contiguous(last));
            channels += tn_is_contiguous(last);
        } else if (tn_ndim(x) != 4) {
            CHECK(!tn_is_contiguous_in(x, TN_CHANNELS_LAST));
        }
        CHECK(!tn_is_contiguous_in(x, TN_CHANNELS_LAST_3D));
        contiguous += in_order;
        dense += filled;
        overlapping += twice;
        tn_scope_close(scope);
    }
    CHECK(contiguous > 100 && dense > contiguous + 100 && overlapping > 100 && channels > 5);
}

TEST_SAMPLED(sharing_is_exact) {
    tn_storage *storage = tn_storage_create(4096, TN_UINT8, NULL);
    CHECK(storage);
    int shared = 0, apart = 0;
    for (int round = 0; round < 3000; round++) {
        tn_scope scope = tn_scope_open();
        tn_tensor *a = random_tensor(storage), *b = random_tensor(storage);
        CHECK(a && b);
        static visit first, second;
        visit_all(a, &first);
        visit_all(b, &second);
        bool common = false;
        for (int64_t i = 0; i < first.count && !common; i++)
            for (int64_t k = 0; k < second.count && !common; k++)
                common = first.places[i] == second.places[k];
        CHECK_INT(tn_shares_memory(a, b), common);
        CHECK_INT(tn_shares_memory(b, a), common);
        CHECK(tn_is_alias_of(a, b));
        shared += common;
        apart += !common;
        tn_scope_close(scope);
    }
    CHECK(shared > 100 && apart > 100);
}

TEST(sharing_is_a_matter_of_addresses_and_bytes_not_of_storages) {
    double block[8] = {0};
    tn_tensor *whole = tn_from_memory(block, TN_DIMS(8), TN_FLOAT64, TN_BORROW);
    tn_tensor *again = tn_from_memory(block + 4, TN_DIMS(4), TN_FLOAT64, TN_BORROW);
    tn_tensor *front = tn_from_memory(block, TN_DIMS(4), TN_FLOAT64, TN_BORROW);
    tn_tensor *byte = tn_from_memory((char *)block + 33, TN_DIMS(1), TN_UINT8, TN_BORROW);
    tn_tensor *even = tn_slice(whole, 0, 0, TN_END, 2), *odd = tn_slice(whole, 0, 1, TN_END, 2);
    CHECK(whole && again && front && byte && even && odd);
    CHECK(!tn_is_alias_of(whole, again));
    CHECK(tn_shares_memory(whole, again) && tn_shares_memory(whole, front));
    CHECK(!tn_shares_memory(again, front));
    CHECK(tn_shares_memory(byte, again) && !tn_shares_memory(byte, front));
    CHECK(tn_is_alias_of(even, odd) && !tn_shares_memory(even, odd));
    CHECK(tn_shares_memory(byte, even) && !tn_shares_memory(byte, odd));
    CHECK(tn_shares_memory(whole, whole));
}

/* ---- versions, sizes in bytes, uninitialised corners */

TEST(views_share_the_version_and_other_storages_do_not) {
    tn_tensor *x = tn_zeros(TN_DIMS(4), TN_INT32), *other = tn_zeros(TN_DIMS(4), TN_INT32);
    tn_tensor *view = tn_narrow(x, 0, 1, 2), *deep = tn_select(view, 0, 1);
    CHECK(x && other && view && deep);
    for (uint32_t i = 1; i <= 3; i++) {
        CHECK_INT(tn_set_element(deep, TN_DIMS(), TN_SCALAR((int)i)), TN_OK);
        CHECK_INT(tn_tensor_version(x), i);
        CHECK_INT(tn_tensor_version(view), i);
    }
    CHECK_INT(tn_get_int64(x, TN_DIMS(2)), 3);
    CHECK_INT(tn_tensor_version(other), 0);
}

TEST(a_tensor_without_elements_may_have_any_sizes_whose_strides_are_numbers) {
    int64_t large = (int64_t)1 << 62;
    tn_tensor *x = tn_zeros(TN_DIMS(0, large), TN_FLOAT64), *y = tn_ones(TN_DIMS(large, 0, large), TN_FLOAT32);
    CHECK(x && y && tn_empty(TN_DIMS(INT64_MAX, 2, 0), TN_COMPLEX128) && tn_zeros(TN_DIMS(0, INT64_MAX), TN_INT8));
    CHECK_INT(tn_stride(x, 0), large);
    CHECK_INT(tn_stride(y, 0), large);
    CHECK_INT(tn_numel(y), 0);
    CHECK_INT(tn_nbytes(x), 0);
    CHECK(tn_equal(tn_add_scalar(x, 1), x) && tn_equal(tn_clone(x, TN_PRESERVE), x) &&
          tn_equal(tn_t(tn_contiguous(tn_t(x), TN_CONTIGUOUS)), x));
    CHECK(tn_sum_dim(x, TN_DIMS(1), false, TN_DTYPE_DEFAULT) && tn_to(x, TN_INT32) &&
          tn_cat((const tn_tensor *[]){x, x}, 2, 0));
    CHECK_ERROR(TN_ERROR_SHAPE, "larger than any memory", tn_zeros(TN_DIMS(0, large, 4), TN_INT8)); /* a stride */
    CHECK_ERROR(TN_ERROR_SHAPE, "larger than any memory", tn_zeros(TN_DIMS(large, 4, 0), TN_INT8)); /* a number of elements */
    CHECK_ERROR(TN_ERROR_SHAPE, "larger than any memory", tn_zeros(TN_DIMS(large), TN_FLOAT32));
    CHECK_ERROR(TN_ERROR_SHAPE, "larger than any memory", tn_zeros(TN_DIMS(INT64_MAX, 2), TN_BOOL));
    CHECK_ERROR(TN_ERROR_SHAPE, "negative", tn_zeros(TN_DIMS(0, -1), TN_BOOL));
}

TEST(bytes_are_numel_times_the_element_size_as_far_as_that_fits) {
    for (tn_dtype dtype = TN_BOOL; dtype < TN_DTYPE_COUNT; dtype++) {
        tn_tensor *x = tn_zeros(TN_DIMS(3, 5), dtype);
        CHECK(x);
        CHECK_INT(tn_element_size(x), tn_dtype_size(dtype));
        CHECK_INT(tn_nbytes(x), 15 * tn_dtype_size(dtype));
    }
    double one = 1;
    tn_tensor *huge = tn_from_memory_strided(&one, TN_DIMS(INT64_MAX), TN_DIMS(0), TN_FLOAT64, TN_BORROW);
    CHECK(huge);
    CHECK_INT(tn_numel(huge), INT64_MAX);
    CHECK(tn_nbytes(huge) == SIZE_MAX);
    CHECK(tn_overlaps_itself(huge));
    CHECK(!tn_is_non_overlapping_and_dense(huge));
    CHECK_DOUBLE(tn_get_double(huge, TN_DIMS(-1)), 1);
}

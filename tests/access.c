/* access.c - elements seen from C: item, get and set by index, typed pointers and accessors, for every dtype. */
#include "test.h"

#include "storage_helpers.h"

/* ---- item */

TEST(item_is_exact_whatever_the_dtype) {
    struct {
        tn_dtype dtype;
        tn_scalar value;
    } cases[] = {{TN_BOOL, tn_scalar_bool(true)},
                 {TN_UINT8, tn_scalar_int(255)},
                 {TN_UINT16, tn_scalar_int(65535)},
                 {TN_UINT32, tn_scalar_int(4294967295)},
                 {TN_UINT64, tn_scalar_uint(UINT64_MAX)},
                 {TN_UINT64, tn_scalar_uint(5)},
                 {TN_INT8, tn_scalar_int(-128)},
                 {TN_INT16, tn_scalar_int(-32768)},
                 {TN_INT32, tn_scalar_int(INT32_MIN)},
                 {TN_INT64, tn_scalar_int(INT64_MAX)},
                 {TN_FLOAT16, tn_scalar_float(65504)},
                 {TN_BFLOAT16, tn_scalar_float(0x1.fep127)},
                 {TN_FLOAT32, tn_scalar_float(0x1.fffffep127)},
                 {TN_FLOAT64, tn_scalar_float(0x1.fffffffffffffp1023)},
                 {TN_FLOAT8_E4M3FN, tn_scalar_float(-448)},
                 {TN_FLOAT8_E5M2, tn_scalar_float(57344)},
                 {TN_COMPLEX64, tn_scalar_complex(1.5, -2.5)},
                 {TN_COMPLEX128, tn_scalar_complex(1e300, -1e-300)}};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        tn_tensor *x = tn_full(TN_DIMS(1, 1), cases[i].value, cases[i].dtype);
        CHECK(x);
        tn_scalar got = tn_item(x), again = tn_get_element(x, TN_DIMS(0, -1));
        CHECK_INT(got.kind, cases[i].value.kind);
        CHECK(memcmp(&got.value, &cases[i].value.value,
                     got.kind == TN_SCALAR_COMPLEX ? 16
                     : got.kind == TN_SCALAR_BOOL  ? 1
                                                   : 8) == 0);
        CHECK_INT(again.kind, got.kind);
        CHECK(tn_item_bool(x));
    }
}

TEST(item_converts_what_fits_and_refuses_what_does_not) {
    struct {
        tn_dtype dtype;
        tn_scalar value;
        double real; /* NAN with real_fails */
        int64_t whole;
        bool real_fails, whole_fails;
    } cases[] = {
        {TN_BOOL, tn_scalar_bool(true), 1, 1, false, false},
        {TN_INT8, tn_scalar_int(-5), -5, -5, false, false},
        {TN_INT64, tn_scalar_int(INT64_MIN), -0x1p63, INT64_MIN, false, false},
        {TN_INT64, tn_scalar_int(INT64_MAX), 0x1p63, INT64_MAX, false, false},
        {TN_UINT64, tn_scalar_uint(INT64_MAX), 0x1p63, INT64_MAX, false, false},
        {TN_UINT64, tn_scalar_uint(UINT64_C(1) << 63), 0x1p63, 0, false, true},
        {TN_FLOAT32, tn_scalar_float(2.75), 2.75, 2, false, false},
        {TN_FLOAT32, tn_scalar_float(-2.75), -2.75, -2, false, false},
        {TN_FLOAT64, tn_scalar_float(-0x1p63), -0x1p63, INT64_MIN, false, false},
        {TN_FLOAT64, tn_scalar_float(0x1p63), 0x1p63, 0, false, true},
        {TN_FLOAT64, tn_scalar_float(0x1.fffffffffffffp62), 0x1.fffffffffffffp62, INT64_C(9223372036854774784), false, false},
        {TN_FLOAT64, tn_scalar_float(-0x1.0000000000001p63), -0x1.0000000000001p63, 0, false, true},
        {TN_FLOAT64, tn_scalar_float(NAN), NAN, 0, false, true},
        {TN_FLOAT16, tn_scalar_float(INFINITY), INFINITY, 0, false, true},
        {TN_BFLOAT16, tn_scalar_float(-INFINITY), -INFINITY, 0, false, true},
        {TN_COMPLEX64, tn_scalar_complex(3.5, 0), 3.5, 3, false, false},
        {TN_COMPLEX64, tn_scalar_complex(3.5, -0.0), 3.5, 3, false, false},
        {TN_COMPLEX128, tn_scalar_complex(3.5, 1e-300), NAN, 0, true, true},
        {TN_COMPLEX128, tn_scalar_complex(3.5, NAN), NAN, 0, true, true},
        {TN_COMPLEX128, tn_scalar_complex(1e300, 0), 1e300, 0, false, true},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        tn_tensor *x = tn_full(TN_DIMS(), cases[i].value, cases[i].dtype);
        CHECK(x);
        CHECK_DOUBLE(tn_item_double(x), cases[i].real);
        CHECK_INT(tn_error_take(NULL), cases[i].real_fails ? TN_ERROR_DTYPE : TN_OK);
        CHECK_DOUBLE(tn_get_double(x, TN_DIMS()), cases[i].real);
        CHECK_INT(tn_error_take(NULL), cases[i].real_fails ? TN_ERROR_DTYPE : TN_OK);
        CHECK_INT(tn_item_int64(x), cases[i].whole);
        CHECK_INT(tn_error_take(NULL), cases[i].whole_fails ? TN_ERROR_DTYPE : TN_OK);
        CHECK_INT(tn_get_int64(x, TN_DIMS()), cases[i].whole);
        CHECK_INT(tn_error_take(NULL), cases[i].whole_fails ? TN_ERROR_DTYPE : TN_OK);
        tn_complex128 z = tn_item_complex(x);
        bool complex = cases[i].value.kind == TN_SCALAR_COMPLEX;
        CHECK_DOUBLE(z.real, complex ? cases[i].value.value.c.real : cases[i].real);
        CHECK_DOUBLE(z.imag, complex ? cases[i].value.value.c.imag : 0);
        CHECK(tn_item_bool(x));
        CHECK_INT(tn_error_code(), TN_OK);
    }
    tn_tensor *zero = tn_zeros(TN_DIMS(), TN_COMPLEX64), *nothing = tn_full(TN_DIMS(), -0.0, TN_FLOAT32);
    CHECK(zero && nothing);
    CHECK(!tn_item_bool(zero) && !tn_item_bool(nothing));
    CHECK_ERROR(TN_ERROR_DTYPE, "item_double: the value 1+2j has an imaginary part",
                tn_item_double(tn_full(TN_DIMS(), tn_scalar_complex(1, 2), TN_COMPLEX64)));
    CHECK_ERROR(TN_ERROR_DTYPE, "item_int64: the value 18446744073709551615 does not fit in an int64",
                tn_item_int64(tn_full(TN_DIMS(), UINT64_MAX, TN_UINT64)));
}

TEST(item_wants_exactly_one_element_of_any_rank) {
    tn_tensor *many = tn_zeros(TN_DIMS(2), TN_FLOAT32), *none = tn_zeros(TN_DIMS(0), TN_FLOAT32);
    tn_tensor *deep = tn_ones(TN_DIMS(1, 1, 1, 1, 1, 1, 1), TN_FLOAT32);
    CHECK(many && none && deep);
    CHECK_DOUBLE(tn_item_double(deep), 1);
    double value;
    CHECK_ERROR(TN_ERROR_SHAPE, "item_double: the tensor [2] float32 has 2 elements", value = tn_item_double(many));
    CHECK(isnan(value));
    CHECK_ERROR(TN_ERROR_SHAPE, "0 elements", tn_item(none));
    CHECK_ERROR(TN_ERROR_SHAPE, "2 elements", tn_item_int64(many));
    tn_complex128 z;
    CHECK_ERROR(TN_ERROR_SHAPE, "2 elements", z = tn_item_complex(many));
    CHECK(isnan(z.real) && isnan(z.imag));
    bool truth;
    CHECK_ERROR(TN_ERROR_SHAPE, "0 elements", truth = tn_item_bool(none));
    CHECK(!truth);
}

/* ---- by index */

TEST(elements_are_found_through_every_kind_of_view) {
    tn_tensor *x = tn_view(tn_arange(24, TN_INT64), TN_DIMS(2, 3, 4));
    tn_tensor *turned = tn_permute(x, TN_DIMS(2, 0, 1)), *flipped = tn_flip(x, TN_DIMS(0, 1, 2));
    tn_tensor *thin = tn_slice(x, 2, TN_NONE, TN_NONE, -2), *wide = tn_expand(tn_select(x, 0, 1), TN_DIMS(5, 3, 4));
    CHECK(x && turned && flipped && thin && wide);
    for (int64_t i = 0; i < 2; i++)
        for (int64_t j = 0; j < 3; j++)
            for (int64_t k = 0; k < 4; k++) {
                int64_t value = i * 12 + j * 4 + k;
                CHECK_INT(tn_get_int64(x, TN_DIMS(i, j, k)), value);
                CHECK_INT(tn_get_int64(x, TN_DIMS(i - 2, j - 3, k - 4)), value);
                CHECK_INT(tn_get_int64(turned, TN_DIMS(k, i, j)), value);
                CHECK_INT(tn_get_int64(flipped, TN_DIMS(i, j, k)), 23 - value);
                CHECK_INT(tn_get_int64(thin, TN_DIMS(i, j, k / 2)), i * 12 + j * 4 + 3 - k / 2 * 2);
                CHECK_INT(tn_get_int64(wide, TN_DIMS(i * 4, j, k)), 12 + j * 4 + k);
            }
}

TEST(an_index_out_of_range_is_an_error) {
    tn_tensor *x = tn_zeros(TN_DIMS(2, 3), TN_FLOAT32), *none = tn_zeros(TN_DIMS(2, 0), TN_FLOAT32);
    CHECK(x && none);
    CHECK_ERROR(TN_ERROR_INDEX, "get_double: index 3 is out of range for dimension 1 of the tensor [2, 3] float32",
                tn_get_double(x, TN_DIMS(1, 3)));
    CHECK_ERROR(TN_ERROR_INDEX, "index -3 is out of range for dimension 0", tn_get_element(x, TN_DIMS(-3, 0)));
    CHECK_ERROR(TN_ERROR_INDEX, "out of range", tn_get_int64(x, TN_DIMS(INT64_MIN, 0)));
    CHECK_ERROR(TN_ERROR_INDEX, "out of range", tn_get_int64(x, TN_DIMS(0, INT64_MAX)));
    CHECK_ERROR(TN_ERROR_INDEX, "out of range", tn_get_int64(none, TN_DIMS(0, 0)));
    CHECK_ERROR(TN_ERROR_INDEX, "out of range", tn_get_int64(none, TN_DIMS(0, -1)));
    CHECK_ERROR(TN_ERROR_INDEX, "1 indices for the tensor [2, 3] float32 of 2 dimensions", tn_get_double(x, TN_DIMS(1)));
    CHECK_ERROR(TN_ERROR_INDEX, "3 indices", tn_get_double(x, TN_DIMS(1, 1, 1)));
    CHECK_ERROR(TN_ERROR_INDEX, "0 indices", tn_get_double(x, TN_DIMS()));
    CHECK_ERROR(TN_ERROR_INDEX, "-1 indices", tn_get_double(x, (tn_dims){NULL, -1}));
    CHECK_ERROR(TN_ERROR_ARGUMENT, "index is NULL", tn_get_double(x, (tn_dims){NULL, 2}));
    CHECK_ERROR(TN_ERROR_INDEX, "set_element: index 2", tn_set_element(x, TN_DIMS(2, 0), TN_SCALAR(1)));
    CHECK_INT(tn_tensor_version(x), 0);
}

TEST(set_element_writes_one_place_and_counts_it) {
    for (tn_dtype dtype = TN_BOOL; dtype < TN_DTYPE_COUNT; dtype++) {
        tn_tensor *x = tn_zeros(TN_DIMS(2, 3), dtype);
        CHECK(x);
        tn_tensor *turned = tn_transpose(x, 0, 1);
        CHECK(turned);
        CHECK_INT(tn_set_element(turned, TN_DIMS(-1, 0), TN_SCALAR((bool)1)), TN_OK);
        for (int64_t i = 0; i < 6; i++)
            CHECK_DOUBLE(tn_get_double(x, TN_DIMS(i / 3, i % 3)), i == 2);
        CHECK_INT(tn_tensor_version(x), 1);
        CHECK_INT(tn_tensor_version(turned), 1);
        CHECK_INT(tn_storage_version(tn_storage_of(x)), 1);
    }
}

TEST(set_element_refuses_what_the_dtype_cannot_hold_and_changes_nothing) {
    tn_tensor *x = tn_ones(TN_DIMS(2), TN_INT8);
    CHECK(x);
    CHECK_ERROR(TN_ERROR_DTYPE, "set_element: the value 128 does not fit in int8",
                tn_set_element(x, TN_DIMS(0), TN_SCALAR(128)));
    CHECK_ERROR(TN_ERROR_DTYPE, "the value nan", tn_set_element(x, TN_DIMS(0), TN_SCALAR(NAN)));
    CHECK_ERROR(TN_ERROR_DTYPE, "does not fit", tn_set_element(x, TN_DIMS(0), tn_scalar_complex(1, 1)));
    CHECK_ERROR(TN_ERROR_DTYPE, "kind -3", tn_set_element(x, TN_DIMS(0), (tn_scalar){.kind = (tn_scalar_kind)-3}));
    CHECK_INT(tn_get_int64(x, TN_DIMS(0)), 1);
    CHECK_INT(tn_tensor_version(x), 0);
    CHECK_INT(tn_set_element(x, TN_DIMS(0), TN_SCALAR(-1.75)), TN_OK);
    CHECK_INT(tn_get_int64(x, TN_DIMS(0)), -1);
}

/* ---- read-only */

static void check_refuses_writes(tn_tensor *x) {
    uint32_t version = tn_tensor_version(x);
    CHECK(tn_is_readonly(x));
    tn_error result;
    CHECK_ERROR(TN_ERROR_READONLY, "set_element: ", result = tn_set_element(x, TN_DIMS(0, 0), TN_SCALAR(1)));
    CHECK_INT(result, TN_ERROR_READONLY);
    CHECK_ERROR(TN_ERROR_READONLY, "mutable_data: ", tn_mutable_data(x));
    CHECK_ERROR(TN_ERROR_READONLY, "mutable_data_float32: ", tn_mutable_data_float32(x));
    int64_t ndim;
    CHECK_ERROR(TN_ERROR_READONLY, "write_float32: ", ndim = tn_write_float32(x).ndim);
    CHECK_INT(ndim, -1);
    CHECK(tn_data(x) && tn_data_float32(x) && tn_read_float32(x).data);
    CHECK_DOUBLE(tn_get_double(x, TN_DIMS(0, 0)), 1);
    CHECK_INT(tn_tensor_version(x), version);
}

TEST(a_read_only_tensor_and_its_views_refuse_writes_and_others_do_not) {
    tn_tensor *x = tn_ones(TN_DIMS(2, 2), TN_FLOAT32);
    tn_tensor *before = tn_transpose(x, 0, 1);
    CHECK(x && before);
    CHECK(!tn_is_readonly(x));
    CHECK_INT(tn_set_readonly(x), TN_OK);
    CHECK_INT(tn_set_readonly(x), TN_OK);
    tn_tensor *after = tn_transpose(x, 0, 1);
    CHECK(after);
    tn_tensor *of_after = tn_narrow(after, 0, 0, 1);
    CHECK(of_after);
    check_refuses_writes(x);
    check_refuses_writes(after);
    check_refuses_writes(of_after);
    CHECK(!tn_is_readonly(before));
    CHECK_INT(tn_set_element(before, TN_DIMS(1, 0), TN_SCALAR(7)), TN_OK);
    CHECK_DOUBLE(tn_get_double(x, TN_DIMS(0, 1)), 7);
}

TEST(a_read_only_storage_makes_all_its_tensors_read_only) {
    tn_tensor *x = tn_ones(TN_DIMS(2, 2), TN_FLOAT32), *y = tn_transpose(x, 0, 1);
    CHECK(x && y);
    CHECK_INT(tn_storage_set_readonly(tn_storage_of(x)), TN_OK);
    check_refuses_writes(x);
    check_refuses_writes(y);
}

/* ---- lazily cloned storages */

TEST(a_write_to_a_lazy_clone_is_not_seen_by_the_other) {
    tn_tensor *x = tn_arange(6, TN_INT32);
    CHECK(x);
    tn_storage *clone = tn_storage_lazy_clone(tn_storage_of(x));
    CHECK(clone);
    tn_tensor *y = tn_from_storage(clone, 0, TN_DIMS(6), TN_DIMS(1), TN_INT32);
    CHECK(y);
    CHECK(tn_storage_is_lazy(clone));
    CHECK(!tn_is_alias_of(x, y));
    CHECK(!tn_shares_memory(x, y));
    CHECK_INT(tn_get_int64(y, TN_DIMS(3)), 3);
    CHECK(tn_storage_is_lazy(clone));
    CHECK_INT(tn_set_element(y, TN_DIMS(3), TN_SCALAR(99)), TN_OK);
    CHECK(!tn_storage_is_lazy(clone));
    CHECK_INT(tn_get_int64(x, TN_DIMS(3)), 3);
    CHECK_INT(tn_get_int64(y, TN_DIMS(3)), 99);
    CHECK_INT(tn_get_int64(y, TN_DIMS(5)), 5);
    CHECK_INT(tn_tensor_version(x), 0);
    CHECK_INT(tn_tensor_version(y), 1);
    CHECK(tn_data(x) != tn_data(y));
}

TEST_SAMPLED(a_write_that_cannot_materialise_says_so_and_leaves_both_as_they_were) {
    tn_tensor *x = tn_arange(6, TN_INT32);
    CHECK(x);
    tn_storage *clone = tn_storage_lazy_clone(tn_storage_of(x));
    CHECK(clone);
    tn_tensor *y = tn_from_storage(clone, 0, TN_DIMS(6), TN_DIMS(1), TN_INT32);
    CHECK(y);
    tn_error result = TN_OK;
    CHECK(FAILING(1, result = tn_set_element(y, TN_DIMS(0), TN_SCALAR(5))));
    CHECK_INT(result, TN_ERROR_MEMORY);
    int64_t ndim = 0;
    CHECK(FAILING(1, ndim = tn_write_int32(y).ndim));
    CHECK_INT(ndim, -1);
    CHECK(tn_storage_is_lazy(clone));
    CHECK_INT(tn_get_int64(y, TN_DIMS(0)), 0);
    CHECK_INT(tn_tensor_version(y), 0);
}

/* ---- pointers and accessors */

TEST(data_is_the_address_of_the_first_element) {
    tn_tensor *x = tn_view(tn_arange(12, TN_INT32), TN_DIMS(3, 4));
    tn_tensor *inner = tn_index(x, TN_RANGE(1, TN_END), TN_RANGE(2, TN_END)), *back = tn_flip(x, TN_DIMS(0, 1));
    CHECK(x && inner && back);
    const int32_t *base = tn_storage_data(tn_storage_of(x));
    CHECK(tn_data(x) == base);
    CHECK(tn_data(inner) == base + 6);
    CHECK(tn_data(back) == base + 11);
    CHECK(tn_data_int32(back) == base + 11);
    CHECK_INT(tn_tensor_version(x), 0);
    CHECK(tn_mutable_data(inner) == base + 6);
    CHECK_INT(tn_tensor_version(x), 1);
    CHECK(tn_mutable_data_int32(inner) == base + 6);
    CHECK_INT(tn_tensor_version(x), 2);
}

TEST(every_dtype_has_accessors_that_check_it) {
#define CHECK_ACCESS(ENUM, name, ctype)                                                                                        \
    do {                                                                                                                       \
        tn_tensor *x = tn_ones(TN_DIMS(2, 3), TN_##ENUM), *turned = tn_transpose(x, 0, 1);                                     \
        tn_tensor *other = tn_ones(TN_DIMS(2, 3), TN_##ENUM == TN_INT32 ? TN_FLOAT32 : TN_INT32);                              \
        CHECK(x &&turned &&other);                                                                                             \
        tn_view_##name view = tn_read_##name(turned);                                                                          \
        CHECK_INT(view.ndim, 2);                                                                                               \
        CHECK(view.sizes == tn_sizes(turned).values && view.strides == tn_strides(turned).values);                             \
        CHECK(view.data == tn_data(turned) && view.data == tn_data_##name(turned));                                            \
        CHECK_INT(tn_tensor_version(x), 0);                                                                                    \
        tn_edit_##name edit = tn_write_##name(turned);                                                                         \
        CHECK_INT(edit.ndim, 2);                                                                                               \
        CHECK_INT(tn_tensor_version(x), 1);                                                                                    \
        ctype zero;                                                                                                            \
        memset(&zero, 0, sizeof zero);                                                                                         \
        TN_AT2(edit, 2, 1) = zero;                                                                                             \
        for (int64_t i = 0; i < 2; i++)                                                                                        \
            for (int64_t j = 0; j < 3; j++)                                                                                    \
                CHECK_DOUBLE(tn_get_double(x, TN_DIMS(i, j)), !(i == 1 && j == 2));                                            \
        CHECK(memcmp(&TN_AT2(view, 2, 1), &zero, sizeof zero) == 0);                                                           \
        CHECK(memcmp(&TN_AT2(view, 1, 1), &TN_AT2(view, 0, 0), sizeof zero) == 0);                                             \
        int64_t ndim;                                                                                                          \
        CHECK_ERROR(TN_ERROR_DTYPE, "read_" #name ": the tensor [2, 3]", ndim = tn_read_##name(other).ndim);                   \
        CHECK_INT(ndim, -1);                                                                                                   \
        CHECK_ERROR(TN_ERROR_DTYPE, "write_" #name ": ", ndim = tn_write_##name(other).ndim);                                  \
        CHECK_INT(ndim, -1);                                                                                                   \
        CHECK_ERROR(TN_ERROR_DTYPE, "does not hold " #name " elements", tn_data_##name(other));                                \
        CHECK_ERROR(TN_ERROR_DTYPE, "mutable_data_" #name ": ", tn_mutable_data_##name(other));                                \
        CHECK_ERROR(TN_ERROR_ARGUMENT, "data_" #name ": tensor is NULL", tn_data_##name(NULL));                                \
        CHECK_INT(tn_tensor_version(other), 0);                                                                                \
    } while (0);
    TN_EACH_DTYPE(CHECK_ACCESS)
}

TEST(accessors_reach_up_to_four_dimensions) {
    tn_tensor *x = tn_view(tn_arange(120, TN_INT64), TN_DIMS(2, 3, 4, 5));
    CHECK(x);
    tn_tensor *turned = tn_permute(x, TN_DIMS(3, 1, 0, 2));
    CHECK(turned);
    tn_view_int64 view = tn_read_int64(turned), flat = tn_read_int64(tn_select(tn_select(tn_select(turned, 0, 4), 0, 2), 0, 1));
    CHECK(view.data && flat.data);
    CHECK_INT(TN_AT4(view, 4, 2, 1, 3), 60 + 40 + 15 + 4);
    CHECK_INT(TN_AT1(flat, 3), 119);
    tn_view_int64 cube = tn_read_int64(tn_select(turned, 0, 4));
    CHECK(cube.data);
    CHECK_INT(TN_AT3(cube, 2, 1, 3), 119);
}

TEST(a_tensor_without_elements_has_no_data_and_no_error) {
    tn_tensor *x = tn_zeros(TN_DIMS(0, 3), TN_FLOAT32);
    CHECK(x);
    CHECK(!tn_data(x) && !tn_mutable_data(x) && !tn_data_float32(x) && !tn_mutable_data_float32(x));
    tn_view_float32 view = tn_read_float32(x);
    tn_edit_float32 edit = tn_write_float32(x);
    CHECK(!view.data && !edit.data);
    CHECK_INT(view.ndim, 2);
    CHECK_INT(edit.ndim, 2);
    CHECK_INT(view.sizes[1], 3);
    CHECK_INT(tn_error_code(), TN_OK);
}

TEST(memory_where_c_may_not_read_a_type_is_refused_by_the_typed_pointers_only) {
    char block[64] __attribute__((aligned(16))) = {0};
    double value = 2.5;
    memcpy(block + 3, &value, sizeof value);
    tn_tensor *x = tn_from_memory(block + 3, TN_DIMS(2), TN_FLOAT64, TN_BORROW);
    CHECK(x);
    CHECK_ERROR(TN_ERROR_DTYPE, "not a multiple of 8", tn_data_float64(x));
    CHECK_ERROR(TN_ERROR_DTYPE, "read_float64: the elements begin at", tn_read_float64(x));
    CHECK_ERROR(TN_ERROR_DTYPE, "write_float64: ", tn_write_float64(x));
    CHECK(tn_data(x) == block + 3);
    CHECK_DOUBLE(tn_get_double(x, TN_DIMS(0)), 2.5);
    CHECK_INT(tn_set_element(x, TN_DIMS(1), TN_SCALAR(-1.5)), TN_OK);
    memcpy(&value, block + 11, sizeof value);
    CHECK_DOUBLE(value, -1.5);
    tn_tensor *z = tn_from_memory(block + 8, TN_DIMS(2), TN_COMPLEX128, TN_BORROW);
    CHECK(z);
    CHECK(tn_data_complex128(z) == (void *)(block + 8)); /* aligned for its parts is enough */
}

/* from_memory.c - tensors over memory that exists: copied, borrowed, owned through a deleter; C literals; storages. */
#include "test.h"

#include <complex.h>

#include "storage_helpers.h"

static int freed;
static void *freed_ctx;

static void note_free(void *ctx) {
    freed++;
    freed_ctx = ctx;
}

/* ---- ownership */

TEST(copied_memory_is_the_tensors_own) {
    int32_t block[] = {1, 2, 3, 4, 5, 6};
    tn_tensor *x = tn_from_memory(block, TN_DIMS(2, 3), TN_INT32, TN_COPY);
    CHECK(x);
    block[4] = 99;
    CHECK_INT(tn_get_int64(x, TN_DIMS(1, 1)), 5);
    CHECK(tn_is_contiguous(x) && !tn_is_readonly(x));
    CHECK(tn_data(x) != block);
    CHECK_INT(tn_set_element(x, TN_DIMS(0, 0), TN_SCALAR(7)), TN_OK);
    CHECK_INT(block[0], 1);
    CHECK_INT(tn_storage_nbytes(tn_storage_of(x)), 24);
    CHECK(tn_storage_resizable(tn_storage_of(x)));
}

TEST(borrowed_memory_is_shared_both_ways) {
    int32_t block[] = {1, 2, 3, 4, 5, 6};
    tn_tensor *x = tn_from_memory(block, TN_DIMS(2, 3), TN_INT32, TN_BORROW);
    CHECK(x);
    CHECK(tn_data(x) == block);
    block[4] = 99;
    CHECK_INT(tn_get_int64(x, TN_DIMS(1, 1)), 99);
    CHECK_INT(tn_set_element(x, TN_DIMS(0, 0), TN_SCALAR(7)), TN_OK);
    CHECK_INT(block[0], 7);
    CHECK_INT(tn_tensor_version(x), 1);
    CHECK(!tn_storage_resizable(tn_storage_of(x)));
    CHECK(!tn_storage_allocator(tn_storage_of(x)));
    CHECK_ERROR(TN_ERROR_STATE, "not resizable", tn_resize_(x, TN_DIMS(100)));
    CHECK_INT(tn_size(x, 0), 2);
}

TEST(memory_borrowed_as_const_is_read_only) {
    static const float block[] = {1, 2, 3};
    tn_tensor *x = tn_from_memory(block, TN_DIMS(3), TN_FLOAT32, TN_BORROW_CONST);
    CHECK(x);
    tn_tensor *view = tn_narrow(x, 0, 0, 2);
    CHECK(view);
    CHECK(tn_is_readonly(x) && tn_is_readonly(view));
    CHECK_ERROR(TN_ERROR_READONLY, "", tn_set_element(view, TN_DIMS(0), TN_SCALAR(7)));
    CHECK_ERROR(TN_ERROR_READONLY, "", tn_mutable_data(x));
    CHECK(tn_data(x) == block);
    CHECK_DOUBLE(block[0], 1);
}

TEST(owned_memory_is_freed_once_with_the_last_tensor) {
    static char block[16];
    freed = 0;
    tn_scope scope = tn_scope_open();
    tn_tensor *x = tn_from_memory(block, TN_DIMS(16), TN_UINT8, TN_FREE_WITH(note_free, block + 5));
    CHECK(x);
    tn_tensor *view = tn_narrow(x, 0, 3, 4);
    CHECK(view);
    tn_tensor *kept = tn_keep(view);
    tn_scope_close(scope);
    CHECK_INT(freed, 0);
    tn_release(kept);
    CHECK_INT(freed, 1);
    CHECK(freed_ctx == block + 5);
}

TEST(a_deleter_runs_for_a_ctx_of_null_too) {
    static char block[16];
    freed = 0;
    freed_ctx = block;
    tn_scope scope = tn_scope_open();
    CHECK(tn_from_memory(block, TN_DIMS(16), TN_UINT8, TN_FREE_WITH(note_free, NULL)));
    CHECK_INT(freed, 0);
    tn_scope_close(scope);
    CHECK_INT(freed, 1);
    CHECK(freed_ctx == NULL);
}

TEST(no_elements_need_no_memory_and_the_deleter_still_runs) {
    freed = 0;
    tn_scope scope = tn_scope_open();
    tn_tensor *copied = tn_from_memory(NULL, TN_DIMS(0), TN_FLOAT32, TN_COPY);
    tn_tensor *lent = tn_from_memory(NULL, TN_DIMS(3, 0), TN_FLOAT32, TN_BORROW);
    tn_tensor *fixed = tn_from_memory(NULL, TN_DIMS(0, 3), TN_FLOAT32, TN_BORROW_CONST);
    tn_tensor *owned = tn_from_memory(NULL, TN_DIMS(0), TN_FLOAT32, TN_FREE_WITH(note_free, &freed));
    tn_tensor *strange =
        tn_from_memory_strided(NULL, TN_DIMS(0, INT64_C(1) << 62, 4), TN_DIMS(-1, INT64_MIN, 7), TN_FLOAT32, TN_BORROW);
    tn_tensor *half = tn_from_memory_strided(NULL, TN_DIMS(5, 0), TN_DIMS(-3, 2), TN_FLOAT32, TN_COPY);
    CHECK(copied && lent && fixed && owned && strange && half);
    CHECK_INT(tn_numel(lent), 0);
    CHECK_INT(tn_numel(strange), 0);
    CHECK_INT(tn_nbytes(strange), 0);
    CHECK(tn_is_contiguous(strange) && !tn_overlaps_itself(strange));
    CHECK(!tn_data(owned));
    CHECK_INT(tn_error_code(), TN_OK);
    CHECK_INT(freed, 0);
    tn_scope_close(scope);
    CHECK_INT(freed, 1);
}

TEST_SAMPLED(on_failure_the_memory_is_still_the_callers) {
    static char block[64];
    int64_t deep[6] = {1, 1, 1, 1, 1, 2}, strides[6] = {1, 1, 1, 1, 1, -1};
    for (int with_ctx = 0; with_ctx < 2; with_ctx++) {
        freed = 0;
        tn_tensor *x = NULL;
        int64_t failures = 0;
        while (FAILING(failures + 1, x = tn_from_memory_strided(block + 1, (tn_dims){deep, 6}, (tn_dims){strides, 6}, TN_UINT8,
                                                                TN_FREE_WITH(note_free, with_ctx ? block : NULL)))) {
            failures++;
            CHECK(!x);
            CHECK_INT(freed, 0);
        }
        CHECK(x);
        CHECK(failures >= (with_ctx ? 3 : 4)); /* storage, tensor, its dimensions, and the box for a ctx of NULL */
        CHECK_INT(freed, 0);
    }
    freed = 0;
    tn_ownership owned = TN_FREE_WITH(note_free, block);
    CHECK_ERROR(TN_ERROR_SHAPE, "from_memory: sizes [-1]", tn_from_memory(block, TN_DIMS(-1), TN_UINT8, owned));
    CHECK_ERROR(TN_ERROR_SHAPE, "64 bits", tn_from_memory(block, TN_DIMS(INT64_MAX, 2), TN_UINT8, owned));
    CHECK_ERROR(TN_ERROR_SHAPE, "64 bits", tn_from_memory(block, TN_DIMS(INT64_MAX), TN_FLOAT32, owned));
    CHECK_ERROR(TN_ERROR_DTYPE, "dtype number 99", tn_from_memory(block, TN_DIMS(1), (tn_dtype)99, owned));
    CHECK_ERROR(TN_ERROR_ARGUMENT, "data is NULL", tn_from_memory(NULL, TN_DIMS(1), TN_UINT8, owned));
    CHECK_ERROR(TN_ERROR_ARGUMENT, "size is NULL", tn_from_memory(block, (tn_dims){NULL, 2}, TN_UINT8, owned));
    CHECK_ERROR(TN_ERROR_SHAPE, "65 dimensions", tn_from_memory(block, (tn_dims){deep, 65}, TN_UINT8, owned));
    CHECK_ERROR(TN_ERROR_ARGUMENT, "count of -2", tn_from_memory(block, (tn_dims){deep, -2}, TN_UINT8, owned));
    CHECK_ERROR(TN_ERROR_SHAPE, "1 sizes [2] but 2 strides [1, 1]",
                tn_from_memory_strided(block, TN_DIMS(2), TN_DIMS(1, 1), TN_UINT8, owned));
    CHECK_INT(freed, 0);
}

TEST(ownership_that_makes_no_sense_is_refused) {
    char block[4];
    CHECK_ERROR(TN_ERROR_ARGUMENT, "deleter is NULL", tn_from_memory(block, TN_DIMS(4), TN_UINT8, TN_FREE_WITH(NULL, block)));
    tn_ownership strange = {(enum tn_ownership_kind)9, NULL, NULL};
    CHECK_ERROR(TN_ERROR_ARGUMENT, "no kind number 9", tn_from_memory(block, TN_DIMS(4), TN_UINT8, strange));
    strange.kind = (enum tn_ownership_kind) - 1;
    CHECK_ERROR(TN_ERROR_ARGUMENT, "no kind number -1", tn_from_memory(block, TN_DIMS(4), TN_UINT8, strange));
}

/* ---- strides */

TEST(data_is_index_0_whatever_the_strides) {
    int32_t block[24];
    for (int i = 0; i < 24; i++)
        block[i] = i;
    struct {
        int first;
        tn_dims size, stride;
        int64_t offset, elements;
    } cases[] = {{0, TN_DIMS(2, 3), TN_DIMS(3, 1), 0, 6},         {5, TN_DIMS(2, 3), TN_DIMS(-3, -1), 5, 6},
                 {3, TN_DIMS(3, 2), TN_DIMS(8, -3), 3, 20},       {7, TN_DIMS(4, 3), TN_DIMS(0, 2), 0, 5},
                 {23, TN_DIMS(24), TN_DIMS(-1), 23, 24},          {9, TN_DIMS(), TN_DIMS(), 0, 1},
                 {9, TN_DIMS(1, 2), TN_DIMS(INT64_MAX, 1), 0, 2}, {9, TN_DIMS(2, 1, 2), TN_DIMS(2, INT64_MIN, -1), 1, 4}};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++)
        for (int copy = 0; copy < 2; copy++) {
            tn_tensor *x = tn_from_memory_strided(block + cases[i].first, cases[i].size, cases[i].stride, TN_INT32,
                                                  copy ? TN_COPY : TN_BORROW);
            CHECK(x);
            if (copy) {
                CHECK(tn_is_contiguous(x));
            } else {
                CHECK(tn_data(x) == block + cases[i].first);
                CHECK_INT(tn_storage_offset(x), cases[i].offset);
                CHECK_INT(tn_storage_nbytes(tn_storage_of(x)), 4 * cases[i].elements);
            }
            int64_t ndim = cases[i].size.count, index[3] = {0};
            for (int64_t n = 0; n < tn_numel(x); n++) {
                int64_t expected = cases[i].first;
                for (int64_t d = 0; d < ndim; d++)
                    expected += index[d] * cases[i].stride.values[d];
                CHECK_INT(tn_get_int64(x, (tn_dims){index, ndim}), expected);
                for (int64_t d = ndim - 1; d >= 0 && ++index[d] == cases[i].size.values[d]; d--)
                    index[d] = 0;
            }
        }
}

TEST(strides_that_overflow_are_refused_before_anything_is_read) {
    char block[8] = {0};
    tn_ownership all[] = {TN_COPY, TN_BORROW, TN_BORROW_CONST, TN_FREE_WITH(note_free, block)};
    freed = 0;
    for (int i = 0; i < 4; i++) {
        CHECK_ERROR(TN_ERROR_SHAPE, "64 bits", tn_from_memory_strided(block, TN_DIMS(3), TN_DIMS(INT64_MAX), TN_UINT8, all[i]));
        CHECK_ERROR(TN_ERROR_SHAPE, "64 bits", tn_from_memory_strided(block, TN_DIMS(2), TN_DIMS(INT64_MIN), TN_UINT8, all[i]));
        CHECK_ERROR(TN_ERROR_SHAPE, "64 bits",
                    tn_from_memory_strided(block, TN_DIMS(2, 2), TN_DIMS(INT64_MAX, INT64_MIN), TN_UINT8, all[i]));
        CHECK_ERROR(TN_ERROR_SHAPE, "64 bits",
                    tn_from_memory_strided(block, TN_DIMS(2), TN_DIMS(INT64_C(1) << 61), TN_FLOAT64, all[i]));
        CHECK_ERROR(TN_ERROR_SHAPE, "negative", tn_from_memory_strided(block, TN_DIMS(2, -2), TN_DIMS(1, 1), TN_UINT8, all[i]));
    }
    CHECK_INT(freed, 0);
    CHECK_ERROR(TN_ERROR_SHAPE, "63 bits", tn_from_memory_strided(block, TN_DIMS(INT64_MAX), TN_DIMS(0), TN_FLOAT64, TN_COPY));
    CHECK_ERROR(TN_ERROR_MEMORY, "memory",
                tn_from_memory_strided(block, TN_DIMS(INT64_C(1) << 50), TN_DIMS(0), TN_UINT8, TN_COPY));
}

TEST(the_default_dtype_is_the_default_float) {
    float block[] = {1.5f};
    tn_tensor *x = tn_from_memory(block, TN_DIMS(1), TN_DTYPE_DEFAULT, TN_COPY);
    CHECK(x);
    CHECK_INT(tn_dtype_of(x), TN_FLOAT32);
    CHECK_DOUBLE(tn_item_double(x), 1.5);
}

/* ---- literals */

TEST(vectors_matrices_and_cubes_of_every_c_type) {
#define CHECK_LITERALS(type, ENUM, zero, one)                                                                                  \
    do {                                                                                                                       \
        tn_tensor *v = TN_VECTOR(type, zero, one, one), *m = TN_MATRIX(type, 2, {one, zero}, {zero, one}, {one, one});         \
        tn_tensor *c = TN_CUBE(type, 1, 3, {{one, zero, one}}, {{zero, zero, one}});                                           \
        CHECK(v &&m &&c);                                                                                                      \
        CHECK_INT(tn_dtype_of(v), TN_##ENUM);                                                                                  \
        CHECK_INT(tn_dtype_of(m), TN_##ENUM);                                                                                  \
        CHECK_INT(tn_dtype_of(c), TN_##ENUM);                                                                                  \
        CHECK_INT(tn_ndim(v) * 100 + tn_size(v, 0), 103);                                                                      \
        CHECK_INT(tn_ndim(m) * 100 + tn_size(m, 0) * 10 + tn_size(m, 1), 232);                                                 \
        CHECK_INT(tn_ndim(c) * 1000 + tn_size(c, 0) * 100 + tn_size(c, 1) * 10 + tn_size(c, 2), 3213);                         \
        for (int64_t i = 0; i < 3; i++) {                                                                                      \
            CHECK_DOUBLE(tn_get_double(v, TN_DIMS(i)), i > 0);                                                                 \
            CHECK_DOUBLE(tn_get_double(m, TN_DIMS(i, 0)), i != 1);                                                             \
            CHECK_DOUBLE(tn_get_double(m, TN_DIMS(i, 1)), i != 0);                                                             \
            CHECK_DOUBLE(tn_get_double(c, TN_DIMS(0, 0, i)), i != 1);                                                          \
            CHECK_DOUBLE(tn_get_double(c, TN_DIMS(1, 0, i)), i == 2);                                                          \
        }                                                                                                                      \
    } while (0)
    const tn_float16 h0 = tn_float16_from_float(0), h1 = tn_float16_from_float(1);
    const tn_bfloat16 b0 = tn_bfloat16_from_float(0), b1 = tn_bfloat16_from_float(1);
    const tn_float8_e4m3fn e0 = tn_float8_e4m3fn_from_float(0), e1 = tn_float8_e4m3fn_from_float(1);
    const tn_float8_e5m2 f0 = tn_float8_e5m2_from_float(0), f1 = tn_float8_e5m2_from_float(1);
    const tn_complex64 c0 = {0, 0}, c1 = {1, 0};
    const tn_complex128 z0 = {0, 0}, z1 = {1, 0};
    CHECK_LITERALS(bool, BOOL, false, true);
    CHECK_LITERALS(uint8_t, UINT8, 0, 1);
    CHECK_LITERALS(uint16_t, UINT16, 0, 1);
    CHECK_LITERALS(uint32_t, UINT32, 0, 1);
    CHECK_LITERALS(uint64_t, UINT64, 0, 1);
    CHECK_LITERALS(int8_t, INT8, 0, 1);
    CHECK_LITERALS(int16_t, INT16, 0, 1);
    CHECK_LITERALS(int32_t, INT32, 0, 1);
    CHECK_LITERALS(int64_t, INT64, 0, 1);
    CHECK_LITERALS(unsigned char, UINT8, 0, 1);
    CHECK_LITERALS(short, INT16, 0, 1);
    CHECK_LITERALS(int, INT32, 0, 1);
    CHECK_LITERALS(unsigned, UINT32, 0, 1);
    CHECK_LITERALS(long long, INT64, 0, 1);
    CHECK_LITERALS(unsigned long long, UINT64, 0, 1);
    CHECK_LITERALS(float, FLOAT32, 0, 1);
    CHECK_LITERALS(double, FLOAT64, 0, 1);
    CHECK_LITERALS(float _Complex, COMPLEX64, 0, 1);
    CHECK_LITERALS(double _Complex, COMPLEX128, 0, 1);
    CHECK_LITERALS(tn_float16, FLOAT16, h0, h1);
    CHECK_LITERALS(tn_bfloat16, BFLOAT16, b0, b1);
    CHECK_LITERALS(tn_float8_e4m3fn, FLOAT8_E4M3FN, e0, e1);
    CHECK_LITERALS(tn_float8_e5m2, FLOAT8_E5M2, f0, f1);
    CHECK_LITERALS(tn_complex64, COMPLEX64, c0, c1);
    CHECK_LITERALS(tn_complex128, COMPLEX128, z0, z1);
    tn_tensor *text = TN_VECTOR(char, 'a', 'b'), *wide = TN_VECTOR(long, 1, 2);
    CHECK(text && wide);
    CHECK_INT(tn_element_size(text), 1);
    CHECK_INT(tn_element_size(wide), sizeof(long));
    tn_tensor *z = TN_VECTOR(double _Complex, 1.0 + 2.0 * _Complex_I);
    CHECK(z);
    CHECK_DOUBLE(tn_item_complex(z).imag, 2);
}

/* ---- from a storage */

TEST(a_tensor_over_a_storage_shares_it) {
    tn_storage *storage = tn_storage_create(24, TN_INT32, NULL);
    CHECK(storage);
    tn_tensor *x = tn_from_storage(storage, 5, TN_DIMS(2, 3), TN_DIMS(-3, -1), TN_DTYPE_DEFAULT);
    tn_tensor *bytes = tn_from_storage(storage, 0, TN_DIMS(24), TN_DIMS(1), TN_UINT8);
    tn_tensor *wide = tn_from_storage(storage, 1, TN_DIMS(2), TN_DIMS(1), TN_FLOAT64);
    CHECK(x && bytes && wide);
    CHECK_INT(tn_dtype_of(x), TN_INT32);
    CHECK_INT(tn_storage_use_count(storage), 4);
    CHECK_INT(tn_set_element(x, TN_DIMS(1, 2), TN_SCALAR(0x01020304)), TN_OK);
    CHECK_INT(tn_get_int64(bytes, TN_DIMS(0)), 4);
    CHECK_INT(tn_tensor_version(wide), 1);
    tn_tensor *lower = tn_select(x, 0, 1); /* bytes 0 to 11, where wide has 8 to 23 */
    CHECK(lower);
    CHECK(tn_is_alias_of(lower, wide) && tn_shares_memory(lower, wide));
}

TEST(a_tensor_over_a_storage_must_lie_inside_it) {
    tn_storage *storage = tn_storage_create(26, TN_INT32, NULL), *none = tn_storage_create(0, TN_INT32, NULL);
    CHECK(storage && none);
    struct {
        int64_t offset;
        tn_dims size, stride;
    } good[] = {{0, TN_DIMS(6), TN_DIMS(1)},
                {5, TN_DIMS(), TN_DIMS()},
                {5, TN_DIMS(6), TN_DIMS(-1)},
                {5, TN_DIMS(100), TN_DIMS(0)},
                {1, TN_DIMS(2, 2), TN_DIMS(3, 1)},
                {6, TN_DIMS(0), TN_DIMS(1)},
                {1000, TN_DIMS(0), TN_DIMS(1)},
                {INT64_MAX, TN_DIMS(0, 9), TN_DIMS(INT64_MAX, INT64_MIN)},
                {3, TN_DIMS(1, 1), TN_DIMS(INT64_MIN, INT64_MAX)}},
      bad[] = {{0, TN_DIMS(7), TN_DIMS(1)},         {6, TN_DIMS(), TN_DIMS()},
               {-1, TN_DIMS(), TN_DIMS()},          {4, TN_DIMS(6), TN_DIMS(-1)},
               {0, TN_DIMS(2), TN_DIMS(6)},         {-1, TN_DIMS(2), TN_DIMS(1)},
               {-1, TN_DIMS(0), TN_DIMS(1)},        {INT64_MAX, TN_DIMS(2), TN_DIMS(1)},
               {INT64_MIN, TN_DIMS(1), TN_DIMS(1)}, {0, TN_DIMS(3), TN_DIMS(INT64_MAX)},
               {0, TN_DIMS(2), TN_DIMS(INT64_MIN)}, {5, TN_DIMS(INT64_MAX), TN_DIMS(-1)},
               {0, TN_DIMS(-1), TN_DIMS(1)},        {0, TN_DIMS(2, INT64_MAX), TN_DIMS(0, 0)}};
    for (size_t i = 0; i < sizeof good / sizeof good[0]; i++) {
        tn_tensor *x = tn_from_storage(storage, good[i].offset, good[i].size, good[i].stride, TN_INT32);
        CHECK(x);
        char text[600];
        if (tn_numel(x) == 0)
            CHECK(!tn_data(x));
        CHECK(tn_format(x, text, sizeof text, NULL) > 0); /* looks at every element that there is */
    }
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++)
        CHECK_ERROR(TN_ERROR_SHAPE, "from_storage: sizes [",
                    tn_from_storage(storage, bad[i].offset, bad[i].size, bad[i].stride, TN_INT32));
    CHECK_ERROR(TN_ERROR_SHAPE, "reach elements 0 to 6 of a storage that holds 6 int32 elements",
                tn_from_storage(storage, 0, TN_DIMS(7), TN_DIMS(1), TN_INT32));
    CHECK_ERROR(TN_ERROR_SHAPE, "from_storage: ", tn_from_storage(none, 0, TN_DIMS(), TN_DIMS(), TN_UINT8));
    CHECK_ERROR(TN_ERROR_SHAPE, "2 sizes", tn_from_storage(storage, 0, TN_DIMS(1, 1), TN_DIMS(1), TN_UINT8));
    CHECK_ERROR(TN_ERROR_DTYPE, "dtype", tn_from_storage(storage, 0, TN_DIMS(1), TN_DIMS(1), (tn_dtype)-7));
    CHECK_ERROR(TN_ERROR_ARGUMENT, "storage is not a storage",
                tn_from_storage((tn_storage *)(void *)tn_zeros(TN_DIMS(1), TN_UINT8), 0, TN_DIMS(1), TN_DIMS(1), TN_UINT8));
    CHECK_INT(tn_storage_use_count(storage), 1 + (int64_t)(sizeof good / sizeof good[0]));
}

/* prepack.c - weights that are packed once: the bits of linear and matmul for every dtype, layout and number of rows; a weight that was
 * written is an error, never an old result; memory is counted, and threads share handles.
 *
 * Tests: src/ops/product/prepack.c, src/iterate/product_packed.c */
#include <pthread.h>

#include "test.h"

static bool same(const tn_tensor *a, const tn_tensor *b) {
    CHECK(a && b);
    CHECK_INT(tn_nbytes(a), tn_nbytes(b));
    const tn_tensor *x = tn_contiguous(a, TN_CONTIGUOUS), *y = tn_contiguous(b, TN_CONTIGUOUS);
    CHECK(x && y);
    return memcmp(tn_storage_data(tn_storage_of(x)), tn_storage_data(tn_storage_of(y)), (size_t)tn_nbytes(x)) == 0;
}

/* Whole numbers, small enough that no sum of 8 bits of them says nothing, and fractions for floats. */
static tn_tensor *numbers(int64_t rows, int64_t columns, tn_dtype dtype) {
    tn_tensor *counted = tn_sub_scalar(tn_remainder_scalar(tn_arange_start(7, 7 + 5 * rows * columns, 5, TN_INT64), 23), 9);
    tn_tensor *made = tn_to(counted, tn_dtype_is_integral(dtype) ? dtype : TN_FLOAT64);
    return tn_reshape(tn_dtype_is_integral(dtype) ? made : tn_to(tn_mul_scalar(made, 0.37), dtype), TN_DIMS(rows, columns));
}

/* (rows, columns) in one of several layouts. */
static tn_tensor *arranged(int64_t rows, int64_t columns, tn_dtype dtype, int layout) {
    switch (layout) {
    case 0: return numbers(rows, columns, dtype);
    case 1: return tn_t(numbers(columns, rows, dtype));
    case 2: return tn_slice(tn_slice(numbers(2 * rows, 3 * columns, dtype), 0, 0, 2 * rows, 2), 1, 1, 3 * columns, 3);
    case 3:
        return tn_as_strided(numbers(rows, columns, dtype), TN_DIMS(rows, columns), TN_DIMS(-columns, -1), rows * columns - 1);
    default: return tn_expand(numbers(1, columns, dtype), TN_DIMS(rows, columns));
    }
}

static void check_sizes(int64_t m, int64_t n, int64_t k, tn_dtype dtype, int layout) {
    tn_scope scope = tn_scope_open();
    tn_tensor *x = numbers(m, k, dtype), *bias = tn_reshape(numbers(1, n, dtype), TN_DIMS(n));
    tn_tensor *weight = arranged(n, k, dtype, layout), *factor = arranged(k, n, dtype, layout);
    tn_prepacked *linear = tn_prepack(weight, TN_PREPACK_LINEAR), *matmul = tn_prepack(factor, TN_PREPACK_MATMUL);
    CHECK(x && bias && linear && matmul);
    if (!same(tn_linear(x, weight, bias), tn_linear_prepacked(x, linear, bias, NULL, NULL, 1)))
        test_fail(__FILE__, __LINE__, "linear of %s, %d x %d x %d, layout %d differs", tn_dtype_name(dtype), (int)m, (int)n,
                  (int)k, layout);
    if (!same(tn_matmul(x, factor), tn_matmul_prepacked(x, matmul)))
        test_fail(__FILE__, __LINE__, "matmul of %s, %d x %d x %d, layout %d differs", tn_dtype_name(dtype), (int)m, (int)n,
                  (int)k, layout);
    CHECK(tn_scope_close(scope) == TN_OK);
}

static const tn_dtype dtypes[] = {TN_FLOAT32, TN_FLOAT64, TN_FLOAT16, TN_BFLOAT16, TN_COMPLEX64, TN_COMPLEX128, TN_INT8,
                                  TN_UINT8,   TN_INT16,   TN_INT32,   TN_INT64,    TN_UINT16,    TN_UINT32,     TN_UINT64};
enum { DTYPES = sizeof dtypes / sizeof dtypes[0] };

TEST_SAMPLED(a_packed_weight_gives_the_bits_of_the_plain_call_for_every_dtype_and_layout) {
    static const int64_t sizes[][3] = {{40, 75, 70}, {70, 33, 300}, {100, 130, 65}};
    for (int d = 0; d < DTYPES; d++)
        for (int layout = 0; layout < 5; layout++)
            for (size_t s = 0; s < sizeof sizes / sizeof sizes[0]; s++)
                check_sizes(sizes[s][0], sizes[s][1], sizes[s][2], dtypes[d], layout);
}

TEST_SAMPLED(a_packed_weight_gives_the_bits_of_the_plain_call_for_every_way_a_product_goes) {
    static const int64_t counts[] = {1, 2, 8, 9, 17, 64, 65, 67};
    enum { COUNTS = sizeof counts / sizeof counts[0] };
    for (int m = 0; m < COUNTS; m++)
        for (int n = 0; n < COUNTS; n++)
            for (int k = 0; k < COUNTS; k++)
                check_sizes(counts[m], counts[n], counts[k], (m + n + k) % 3 ? TN_FLOAT32 : TN_BFLOAT16, (m + n) % 4);
    check_sizes(130, 2100, 40, TN_FLOAT32, 0); /* several blocks of columns */
    check_sizes(30, 300, 600, TN_INT8, 1);     /* several pieces of k       */
}

TEST(everything_that_follows_a_product_follows_one_with_a_packed_weight) {
    tn_tensor *x = tn_reshape(numbers(90, 80, TN_FLOAT32), TN_DIMS(2, 45, 80)), *weight = numbers(70, 80, TN_FLOAT32);
    tn_tensor *bias = tn_select(numbers(1, 70, TN_FLOAT32), 0, 0), *residual = numbers(45, 70, TN_FLOAT32);
    tn_tensor *out = tn_empty(TN_DIMS(0), TN_FLOAT32), *turned = tn_t(tn_empty(TN_DIMS(70, 45), TN_FLOAT32));
    tn_prepacked *packed = tn_prepack(weight, TN_PREPACK_LINEAR), *factor = tn_prepack(tn_t(weight), TN_PREPACK_MATMUL);
    CHECK(x && bias && residual && out && turned && packed && factor);
    tn_tensor *plain = tn_linear_fused(x, weight, bias, "gelu", residual, 0.5);
    CHECK(same(plain, tn_linear_prepacked(x, packed, bias, "gelu", residual, 0.5)));
    CHECK(tn_linear_prepacked_out(out, x, packed, bias, "gelu", residual, 0.5) == out && same(plain, out));
    CHECK(tn_matmul_prepacked_out(turned, tn_select(x, 0, 1), factor) == turned); /* C by columns */
    CHECK(same(tn_matmul(tn_select(x, 0, 1), tn_t(weight)), turned));
    CHECK(same(tn_matmul(x, tn_t(weight)), tn_matmul_prepacked(x, factor)));
    CHECK(same(tn_matmul(tn_select(tn_select(x, 0, 0), 0, 3), tn_t(weight)),
               tn_matmul_prepacked(tn_select(tn_select(x, 0, 0), 0, 3), factor)));
}

TEST(a_weight_that_was_written_after_it_was_packed_is_an_error) {
    tn_tensor *weight = numbers(20, 30, TN_FLOAT32), *x = numbers(70, 30, TN_FLOAT32);
    tn_prepacked *packed = tn_prepack(weight, TN_PREPACK_LINEAR);
    CHECK(x && packed && tn_prepacked_is_current(packed));
    CHECK(tn_prepacked_weight(packed) == weight);
    CHECK(tn_linear_prepacked(x, packed, NULL, NULL, NULL, 1));
    CHECK(tn_fill_(tn_select(tn_t(weight), 0, 3), 1)); /* through any view */
    CHECK(!tn_prepacked_is_current(packed));
    CHECK_ERROR(TN_ERROR_STATE,
                "linear_prepacked: weight [20, 30] float32 was written after it was packed: its storage has version",
                tn_linear_prepacked(x, packed, NULL, NULL, NULL, 1));
    tn_tensor *out = tn_zeros(TN_DIMS(70, 20), TN_FLOAT32);
    CHECK(out);
    CHECK_ERROR(TN_ERROR_STATE, "prepack it again", tn_linear_prepacked_out(out, x, packed, NULL, NULL, NULL, 1));
    CHECK_DOUBLE(tn_get_double(tn_sum(out, TN_DTYPE_DEFAULT), TN_DIMS()), 0);
    tn_prepacked *again = tn_prepack(weight, TN_PREPACK_LINEAR);
    CHECK(again && same(tn_linear(x, weight, NULL), tn_linear_prepacked(x, again, NULL, NULL, NULL, 1)));
}

TEST(products_read_the_panels_and_not_the_weight) {
    tn_tensor *weight = numbers(90, 80, TN_FLOAT32), *x = numbers(70, 80, TN_FLOAT32);
    float *address = weight ? tn_storage_mutable_data(tn_storage_of(weight)) : NULL;
    CHECK(x && address);
    tn_prepacked *packed = tn_prepack(weight, TN_PREPACK_LINEAR);
    tn_tensor *plain = tn_linear(x, weight, NULL);
    CHECK(packed && plain);
    memset(address, 0, sizeof(float) * 90 * 80); /* which nobody was told of */
    CHECK(tn_prepacked_is_current(packed) && same(plain, tn_linear_prepacked(x, packed, NULL, NULL, NULL, 1)));
}

TEST(a_weight_that_was_made_another_one_is_an_error) {
    tn_tensor *weight = numbers(20, 30, TN_FLOAT32), *x = numbers(70, 20, TN_FLOAT32);
    tn_prepacked *packed = tn_prepack(weight, TN_PREPACK_LINEAR);
    CHECK(x && packed && tn_t_(weight));
    CHECK_ERROR(TN_ERROR_STATE, "is another one", tn_linear_prepacked(x, packed, NULL, NULL, NULL, 1));
}

TEST(a_handle_keeps_its_weight) {
    tn_scope scope = tn_scope_open();
    tn_tensor *weight = numbers(40, 30, TN_FLOAT32), *x = numbers(70, 30, TN_FLOAT32);
    tn_prepacked *packed = tn_prepack(weight, TN_PREPACK_LINEAR);
    tn_tensor *plain = tn_linear(x, weight, NULL);
    CHECK(plain && packed && tn_prepacked_keep(packed) == packed && tn_keep(x) && tn_keep(plain));
    TEST_DEFER(tn_prepacked_release, packed);
    TEST_DEFER(tn_release, x);
    TEST_DEFER(tn_release, plain);
    CHECK(tn_scope_close(scope) == TN_OK);
    CHECK(same(plain, tn_linear_prepacked(x, packed, NULL, NULL, NULL, 1)));
    CHECK(tn_prepacked_retain(packed) == packed);
    tn_prepacked_release(packed);
    CHECK(tn_prepacked_is_current(packed));
}

TEST(the_memory_of_a_handle_is_counted_and_given_back) {
    tn_tensor *weight = numbers(100, 70, TN_FLOAT16);
    tn_memory_stats before = {.struct_size = sizeof before}, during = before, after = before;
    CHECK(weight && tn_allocator_stats(tn_get_allocator(TN_CPU), &before) == TN_OK);
    tn_scope scope = tn_scope_open();
    tn_prepacked *packed = tn_prepack(weight, TN_PREPACK_LINEAR);
    CHECK(packed && tn_prepacked_nbytes(packed) >= 100 * 70 * sizeof(float)); /* widened */
    CHECK(tn_allocator_stats(tn_get_allocator(TN_CPU), &during) == TN_OK);
    CHECK(during.bytes.current >= before.bytes.current + (int64_t)tn_prepacked_nbytes(packed));
    CHECK(tn_scope_close(scope) == TN_OK);
    CHECK(tn_allocator_stats(tn_get_allocator(TN_CPU), &after) == TN_OK);
    CHECK_INT(after.bytes.current, before.bytes.current);
}

TEST(weights_without_elements_are_packed_too) {
    tn_tensor *x = tn_zeros(TN_DIMS(3, 0), TN_FLOAT32), *weight = tn_zeros(TN_DIMS(4, 0), TN_FLOAT32);
    tn_prepacked *packed = tn_prepack(weight, TN_PREPACK_LINEAR), *none = tn_prepack(tn_t(weight), TN_PREPACK_LINEAR);
    CHECK(x && packed && none);
    CHECK_INT(tn_prepacked_nbytes(packed), 0);
    CHECK(same(tn_zeros(TN_DIMS(3, 4), TN_FLOAT32), tn_linear_prepacked(x, packed, NULL, NULL, NULL, 1)));
    tn_tensor *empty = tn_linear_prepacked(tn_ones(TN_DIMS(3, 4), TN_FLOAT32), none, NULL, NULL, NULL, 1);
    CHECK(empty && tn_numel(empty) == 0);
}

TEST(what_cannot_be_packed_is_refused) {
    tn_tensor *cube = tn_zeros(TN_DIMS(2, 3, 4), TN_FLOAT32), *flags = tn_zeros(TN_DIMS(2, 3), TN_BOOL);
    tn_tensor *plain = tn_zeros(TN_DIMS(2, 3), TN_FLOAT32), *there = tn_to_device(plain, TN_DEVICE(TN_META, 0));
    CHECK(cube && flags && there);
    CHECK_ERROR(TN_ERROR_SHAPE, "prepack: weight [2, 3, 4] float32 is not a matrix", tn_prepack(cube, TN_PREPACK_LINEAR));
    CHECK_ERROR(TN_ERROR_DTYPE, "is bool", tn_prepack(flags, TN_PREPACK_LINEAR));
    CHECK_ERROR(TN_ERROR_DEVICE, "is on device meta", tn_prepack(there, TN_PREPACK_LINEAR));
    CHECK_ERROR(TN_ERROR_ARGUMENT, "use = 7", tn_prepack(plain, (tn_prepack_use)7));
    CHECK_ERROR(TN_ERROR_ARGUMENT, "weight is NULL", tn_prepack(NULL, TN_PREPACK_LINEAR));
}

TEST(a_handle_is_used_for_what_it_was_packed_for) {
    tn_tensor *weight = numbers(20, 20, TN_FLOAT32), *x = numbers(70, 20, TN_FLOAT32);
    tn_prepacked *linear = tn_prepack(weight, TN_PREPACK_LINEAR), *matmul = tn_prepack(weight, TN_PREPACK_MATMUL);
    CHECK(x && linear && matmul);
    CHECK_ERROR(TN_ERROR_ARGUMENT, "was packed for linear: prepack it for matmul", tn_matmul_prepacked(x, linear));
    CHECK_ERROR(TN_ERROR_ARGUMENT, "was packed for matmul: prepack it for linear",
                tn_linear_prepacked(x, matmul, NULL, NULL, NULL, 1));
    CHECK_ERROR(TN_ERROR_ARGUMENT, "weight is NULL", tn_matmul_prepacked(x, NULL));
    CHECK_ERROR(TN_ERROR_SHAPE, "do not fit", tn_matmul_prepacked(numbers(4, 7, TN_FLOAT32), matmul));
    CHECK_ERROR(TN_ERROR_DTYPE, "same dtype", tn_matmul_prepacked(numbers(4, 20, TN_FLOAT64), matmul));
    CHECK_ERROR(TN_ERROR_ARGUMENT, "activation 'swish'", tn_linear_prepacked(x, linear, NULL, "swish", NULL, 1));
    CHECK(!tn_prepacked_weight(NULL) && !tn_prepacked_nbytes(NULL) && !tn_prepacked_is_current(NULL));
    tn_prepacked_release(NULL);
    CHECK(!tn_prepacked_retain(NULL) && !tn_prepacked_keep(NULL) && tn_error_code() == TN_OK);
}

/* ---- threads */

typedef struct shared_work {
    const tn_tensor *x, *plain;
    const tn_prepacked *packed;
    bool same;
} shared_work;

static void *use_shared(void *argument) {
    shared_work *work = argument;
    work->same = true;
    for (int i = 0; i < 20 && work->same; i++) {
        tn_tensor *made = tn_linear_prepacked(work->x, work->packed, NULL, NULL, NULL, 1);
        work->same = made && memcmp(tn_storage_data(tn_storage_of(made)), tn_storage_data(tn_storage_of(work->plain)),
                                    (size_t)tn_nbytes(made)) == 0;
        tn_release(made);
    }
    return NULL;
}

TEST_ONCE(threads_may_share_a_handle) {
    tn_tensor *x = numbers(80, 70, TN_FLOAT32), *weight = numbers(90, 70, TN_FLOAT32);
    const tn_prepacked *packed = tn_prepack(weight, TN_PREPACK_LINEAR);
    shared_work work[4];
    pthread_t threads[4];
    CHECK(x && packed);
    for (int i = 0; i < 4; i++) {
        work[i] = (shared_work){x, tn_linear(x, weight, NULL), packed, false};
        CHECK(work[i].plain);
    }
    for (int i = 0; i < 4; i++)
        CHECK(pthread_create(&threads[i], NULL, use_shared, &work[i]) == 0);
    for (int i = 0; i < 4; i++)
        CHECK(pthread_join(threads[i], NULL) == 0 && work[i].same);
}

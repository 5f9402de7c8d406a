/* product_job.c - products as jobs of a device: the CPU's bits over layouts, dtypes and everything that can follow a product; and jobs
 * that the CPU refuses. */
#include <math.h>

#include "toy_jobs.h"

enum { MADE = 40 };

/* Sizes (3, 4), in one of several layouts; base is (6, 8). */
static tn_tensor *arranged(const tn_tensor *base, int layout) {
    switch (layout) {
    case 0: return tn_contiguous(tn_slice(tn_slice(base, 0, 0, 3, 1), 1, 0, 4, 1), TN_CONTIGUOUS);
    case 1: return tn_slice(tn_slice(base, 0, 0, 6, 2), 1, 1, 8, 2);
    case 2: return tn_t(tn_slice(tn_slice(base, 0, 0, 4, 1), 1, 2, 5, 1));
    case 3: return tn_as_strided(base, TN_DIMS(3, 4), TN_DIMS(-8, -1), 40);
    default: return tn_expand(tn_slice(tn_select(base, 0, 1), 0, 0, 4, 1), TN_DIMS(3, 4));
    }
}

static tn_tensor *numbers(tn_dtype dtype) {
    tn_tensor *counted = tn_remainder_scalar(tn_arange_start(5, 5 + 3 * 48, 3, TN_INT64), 11);
    return tn_reshape(tn_to(counted, dtype), TN_DIMS(6, 8));
}

/* Everything that is a product, of an x in some layout; all on one device. */
static int64_t multiply_all(const tn_tensor *x, tn_tensor **made) { /* x: (3, 4) */
    const tn_tensor *turned = tn_t(x), *row = tn_select(x, 0, 1), *column = tn_select(x, 1, 2);
    const tn_tensor *batch = tn_unsqueeze(x, 0), *many = tn_expand(batch, TN_DIMS(2, 3, 4));
    tn_tensor *square = tn_contiguous(tn_slice(x, 1, 0, 3, 1), TN_CONTIGUOUS);
    tn_dtype dtype = tn_dtype_of(x);
    int64_t n = 0;
    CHECK(turned && row && column && many && square);
    made[n++] = tn_matmul(x, turned);
    made[n++] = tn_matmul(many, turned);
    made[n++] = tn_matmul(x, tn_transpose(many, 1, 2));
    made[n++] = tn_matmul(row, turned);
    made[n++] = tn_mm(turned, x);
    made[n++] = tn_bmm(many, tn_transpose(many, 1, 2));
    made[n++] = tn_mv(x, row);
    made[n++] = tn_dot(row, row);
    made[n++] = tn_vdot(column, column);
    made[n++] = tn_inner(x, row);
    made[n++] = tn_linalg_vecdot(x, batch, -1);
    made[n++] = tn_addmm(row, turned, x, 2, 3);
    made[n++] = tn_addmm(row, turned, x, 0, 1);
    made[n++] = tn_addmm(row, turned, x, 2, 0);
    made[n++] = tn_addmv(column, x, row, 1, 2);
    made[n++] = tn_baddbmm(square, many, tn_transpose(many, 1, 2), 1, 2);
    made[n++] = tn_addbmm(square, many, tn_transpose(many, 1, 2), 2, 1);
    made[n++] = tn_addr(x, column, row, 1, 2);
    made[n] = tn_clone(square, TN_PRESERVE);
    made[n] = tn_addmm_(made[n], x, turned, 1, 1);
    n++;
    made[n++] = tn_linear(x, tn_slice(x, 0, 0, 2, 1), NULL);
    made[n++] = tn_linear(many, x, column);
    made[n++] = tn_linear_fused(x, x, column, "none", square, 2);
    made[n++] = tn_outer(column, row);
    made[n++] = tn_einsum("ij,kj->ik", (const tn_tensor *[]){x, x}, 2);
    made[n++] = tn_einsum("bij,kj->b", (const tn_tensor *[]){many, x}, 2);
    made[n++] = tn_tensordot_count(turned, x, 1);
    made[n++] = tn_linalg_multi_dot((const tn_tensor *[]){x, turned, x}, 3);
    made[n++] = tn_sumproduct(x, many, TN_DIMS(0, 2), false);
    made[n++] = tn_linalg_matrix_power(square, 3);
    made[n++] = tn_mm(tn_slice(x, 1, 0, 0, 1), tn_slice(turned, 0, 0, 0, 1)); /* without k */
    made[n++] = tn_bilinear(square, x, many, NULL);
    if (tn_dtype_is_floating(dtype)) {
        made[n++] = tn_linear_fused(x, x, column, "gelu", NULL, 0.5);
        made[n++] = tn__addmm_activation(row, turned, x, 1, 1, false);
        made[n++] = tn_mm_dtype(x, turned, dtype == TN_FLOAT64 ? TN_FLOAT64 : TN_FLOAT32);
    }
    CHECK(n <= MADE);
    return n;
}

TEST_SAMPLED(products_on_a_device_have_the_cpus_bits_for_every_dtype_and_layout) {
    int32_t type = backend_begin(whole);
    static const tn_dtype dtypes[] = {TN_FLOAT32, TN_FLOAT64, TN_FLOAT16, TN_BFLOAT16, TN_COMPLEX64,
                                      TN_INT8,    TN_UINT8,   TN_INT32,   TN_INT64,    TN_COMPLEX128};
    for (size_t t = 0; t < sizeof dtypes / sizeof dtypes[0]; t++)
        for (int layout = 0; layout < 5; layout++) {
            tn_scope scope = tn_scope_open();
            tn_tensor *base = numbers(dtypes[t]), *far = tn_to_device(base, TN_DEVICE(type, 0));
            tn_tensor *here[MADE], *there[MADE];
            CHECK(base && far);
            int64_t count = multiply_all(arranged(base, layout), here);
            int before = jobs_done[TN_JOB_PRODUCT];
            CHECK_INT(multiply_all(arranged(far, layout), there), count);
            CHECK(jobs_done[TN_JOB_PRODUCT] >= before + 25);
            for (int64_t i = 0; i < count; i++)
                same_there(__FILE__, __LINE__, i, here[i], there[i]);
            CHECK(tn_scope_close(scope) == TN_OK);
        }
}

TEST(products_of_narrow_numbers_are_jobs_too) {
    int32_t type = backend_begin(whole);
    tn_device toy = TN_DEVICE(type, 0);
    tn_tensor *a = arranged(numbers(TN_UINT8), 1), *b = arranged(numbers(TN_INT8), 2), *x = arranged(numbers(TN_BFLOAT16), 0);
    tn_tensor *scales = tn_to(tn_arange(3, TN_FLOAT32), TN_BFLOAT16), *half = tn_full(TN_DIMS(), 0.5, TN_FLOAT32);
    CHECK(a && b && x && scales && half);
    tn_tensor *far_a = tn_to_device(a, toy), *far_b = tn_to_device(b, toy), *far_half = tn_to_device(half, toy);
    same_there(__FILE__, __LINE__, 0, tn__int_mm(a, tn_t(b)), tn__int_mm(far_a, tn_t(far_b)));
    same_there(__FILE__, __LINE__, 1, tn__weight_int8pack_mm(x, b, scales),
               tn__weight_int8pack_mm(tn_to_device(x, toy), far_b, tn_to_device(scales, toy)));
    same_there(__FILE__, __LINE__, 2, tn__scaled_mm(b, tn_t(b), half, half, NULL, NULL, TN_BFLOAT16, false),
               tn__scaled_mm(far_b, tn_t(far_b), far_half, far_half, NULL, NULL, TN_BFLOAT16, false));
}

TEST(a_device_without_product_jobs_has_no_products_but_those_of_its_fallback) {
    tn_backend older = whole;
    older.product = NULL;
    int32_t type = backend_begin(older);
    tn_tensor *x = tn_to_device(numbers(TN_FLOAT32), TN_DEVICE(type, 0));
    CHECK(x);
    CHECK_ERROR(TN_ERROR_DEVICE, "product", tn_mm(x, tn_t(x)));
    CHECK_ERROR(TN_ERROR_DEVICE, "product", tn_matmul(x, tn_t(x)));
    CHECK(tn_fallback_register(type, TN_KERNEL(tn_fallback_to_cpu, NULL)) == TN_OK);
    tn_tensor *made = tn_mm(x, tn_t(x));
    CHECK(tn_fallback_unregister(type) == TN_OK);
    CHECK(made);
    CHECK_INT(jobs_done[TN_JOB_PRODUCT], 0);
}

TEST(a_table_from_before_there_were_product_jobs_is_understood) {
    int32_t type = toy_device();
    CHECK(type >= TN_DEVICE_USER);
    TEST_DEFER(toy_no_device, NULL);
    tn_backend older = whole;
    older.struct_size = offsetof(tn_backend, product);
    CHECK(tn_backend_register(type, &older) == TN_OK);
    TEST_DEFER(toy_drop_backend, NULL);
    tn_tensor *x = tn_to_device(numbers(TN_FLOAT32), TN_DEVICE(type, 0));
    CHECK(x && tn_softmax(x, 1, TN_DTYPE_DEFAULT));
    CHECK_ERROR(TN_ERROR_DEVICE, "product", tn_mm(x, tn_t(x)));
}

TEST(a_product_job_that_fails_is_the_operators_failure) {
    int32_t type = backend_begin(whole);
    tn_tensor *x = tn_to_device(numbers(TN_FLOAT32), TN_DEVICE(type, 0));
    CHECK(x);
    next_answer = TN_ERROR_IO;
    CHECK_ERROR(TN_ERROR_IO, "mm: the backend of device type \"toy\" failed in a product job (product)", tn_mm(x, tn_t(x)));
}

TEST(a_product_that_weighs_its_result_by_0_does_not_name_it_in_the_job) {
    int32_t type = backend_begin(whole);
    tn_tensor *x = tn_to_device(tn_ones(TN_DIMS(3, 3), TN_FLOAT32), TN_DEVICE(type, 0));
    tn_tensor *bad = tn_to_device(tn_full(TN_DIMS(3, 3), NAN, TN_FLOAT32), TN_DEVICE(type, 0));
    CHECK(x && bad && tn_addmm_(bad, x, x, 0, 1));
    tn_tensor *back = tn_to_device(bad, TN_DEVICE_CPU);
    CHECK(back && tn_equal(back, tn_full(TN_DIMS(3, 3), 3, TN_FLOAT32)));
}

/* ---- what the CPU refuses */

typedef struct plain_job {
    float c[6], a[6], b[4];
    int64_t sizes[3], strides[3][3];
    tn_job_operand operand[6];
    tn_job_number number[9];
    tn_job job;
} plain_job;

/* (3, 2) times (2, 2). */
static void plain_begin(plain_job *plain) {
    *plain = (plain_job){.a = {1, 2, 3, 4, 5, 6}, .b = {1, 1, 0, 2}, .sizes = {3, 2, 2}};
    static const int64_t strides[3][3] = {{2, 1, 0}, {2, 0, 1}, {0, 1, 2}};
    memcpy(plain->strides, strides, sizeof strides);
    float *data[3] = {plain->c, plain->a, plain->b};
    for (int i = 0; i < 3; i++)
        plain->operand[i] =
            (tn_job_operand){data[i], plain->strides[i], TN_DEVICE_CPU, TN_FLOAT32, TN_FLOAT32, TN_DTYPE_DEFAULT};
    plain->number[0] = plain->number[2] = (tn_job_number){1, 1, {1, 0}};
    plain->job = (tn_job){.struct_size = sizeof plain->job,
                          .kind = TN_JOB_PRODUCT,
                          .kernel_id = tn_job_kernel_id("product"),
                          .kernel = "product",
                          .compute = TN_FLOAT32,
                          .ndim = 3,
                          .sizes = plain->sizes,
                          .results = 1,
                          .operands = 3,
                          .operand = plain->operand,
                          .numbers = 9,
                          .number = plain->number};
}

TEST(the_cpu_does_a_product_job_that_someone_put_together) {
    plain_job plain;
    plain_begin(&plain);
    CHECK(tn_job_run_on_cpu(&plain.job) == TN_OK);
    static const float expected[6] = {1, 5, 3, 11, 5, 17};
    for (int i = 0; i < 6; i++)
        CHECK_DOUBLE(plain.c[i], expected[i]);
    plain.sizes[2] = 0; /* without k */
    CHECK(tn_job_run_on_cpu(&plain.job) == TN_OK);
    CHECK_DOUBLE(plain.c[5], 0);
    plain.sizes[0] = 0;
    CHECK(tn_job_run_on_cpu(&plain.job) == TN_OK);
}

TEST(a_product_job_that_cannot_be_meant_is_refused_by_the_cpu) {
    plain_job plain;
    plain_begin(&plain);
    plain.job.kernel = "sum";
    CHECK_ERROR(TN_ERROR_UNSUPPORTED, "no product job \"sum\"", tn_job_run_on_cpu(&plain.job) == TN_OK);
    plain_begin(&plain);
    plain.job.numbers = 3;
    CHECK_ERROR(TN_ERROR_ARGUMENT, "has 9 numbers", tn_job_run_on_cpu(&plain.job) == TN_OK);
    plain_begin(&plain);
    plain.job.ndim = 2;
    CHECK_ERROR(TN_ERROR_ARGUMENT, "3 dimensions or more", tn_job_run_on_cpu(&plain.job) == TN_OK);
    plain_begin(&plain);
    plain.number[7].whole = 1; /* a bias, which is not there */
    CHECK_ERROR(TN_ERROR_ARGUMENT, "4 operands", tn_job_run_on_cpu(&plain.job) == TN_OK);
    plain_begin(&plain);
    plain.number[3].whole = 7;
    CHECK_ERROR(TN_ERROR_ARGUMENT, "no activation 7", tn_job_run_on_cpu(&plain.job) == TN_OK);
    plain_begin(&plain);
    plain.job.compute = TN_INT32;
    CHECK_ERROR(TN_ERROR_DTYPE, "do not go together", tn_job_run_on_cpu(&plain.job) == TN_OK);
    plain.job.compute = TN_FLOAT16;
    CHECK_ERROR(TN_ERROR_DTYPE, "do not go together", tn_job_run_on_cpu(&plain.job) == TN_OK);
    plain_begin(&plain);
    plain.operand[1].dtype = TN_COMPLEX64;
    CHECK_ERROR(TN_ERROR_DTYPE, "do not go together", tn_job_run_on_cpu(&plain.job) == TN_OK);
    plain_begin(&plain);
    plain.operand[0].dtype = TN_INT32;
    CHECK_ERROR(TN_ERROR_DTYPE, "do not go together", tn_job_run_on_cpu(&plain.job) == TN_OK);
    plain_begin(&plain);
    plain.strides[1][1] = 1;
    CHECK_ERROR(TN_ERROR_ARGUMENT, "no dimension k", tn_job_run_on_cpu(&plain.job) == TN_OK);
    plain_begin(&plain);
    plain.operand[2].strides = NULL;
    CHECK_ERROR(TN_ERROR_ARGUMENT, "operand 2", tn_job_run_on_cpu(&plain.job) == TN_OK);
    CHECK_DOUBLE(plain.c[0], 0);
}

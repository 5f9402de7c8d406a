/* line_job.c - what goes along a dimension, as jobs of a device: the CPU's bits over strides and dtypes, and failures. */
#include "toy_jobs.h"

enum { LINED = 64 };

/* Sizes (2, 3, 4), in one of several layouts; base is (4, 6, 8). */
static tn_tensor *arranged(const tn_tensor *base, int layout) {
    switch (layout) {
    case 0: return tn_contiguous(tn_slice(tn_slice(tn_slice(base, 0, 0, 2, 1), 1, 0, 3, 1), 2, 0, 4, 1), TN_CONTIGUOUS);
    case 1: return tn_slice(tn_slice(tn_slice(base, 0, 1, 4, 2), 1, 0, 6, 2), 2, 1, 8, 2);
    case 2: return tn_permute(tn_slice(tn_slice(tn_slice(base, 0, 0, 4, 1), 1, 0, 2, 1), 2, 2, 5, 1), TN_DIMS(1, 2, 0));
    case 3: return tn_as_strided(base, TN_DIMS(2, 3, 4), TN_DIMS(-48, -8, -1), 100);
    default: return tn_expand(tn_slice(tn_select(tn_select(base, 0, 1), 0, 1), 0, 0, 4, 1), TN_DIMS(2, 3, 4));
    }
}

static int64_t add_list(tn_list *list, tn_tensor **made) {
    CHECK(list);
    for (int64_t k = 0; k < tn_list_count(list); k++)
        made[k] = tn_list_at(list, k);
    return tn_list_count(list);
}

static int64_t scan_all(const tn_tensor *x, int64_t dim, tn_tensor **made) {
    tn_dtype dtype = tn_dtype_of(x);
    bool complex = tn_dtype_is_complex(dtype), real = tn_dtype_is_floating(dtype);
    int64_t n = 0;
    made[n++] = tn_cumsum(x, dim, TN_DTYPE_DEFAULT);
    made[n++] = tn_cumprod(x, dim, TN_FLOAT16);
    if (dtype != TN_BOOL) {
        made[n++] = tn_cumsum_(tn_clone(x, TN_PRESERVE), dim, TN_DTYPE_DEFAULT);
        made[n++] = tn_trapezoid(x, 0.5, dim);
        made[n++] = tn_trapezoid_x(x, x, dim);
        made[n++] = tn_cumulative_trapezoid(x, 2, dim);
        made[n++] = tn_cumulative_trapezoid_x(x, tn_select(tn_select(tn_transpose(x, dim, 2), 0, 0), 0, 0), dim);
    }
    if (!complex) {
        n += add_list(tn_cummax(x, dim), made + n);
        n += add_list(tn_cummin(x, dim), made + n);
    }
    if (real || complex) {
        made[n++] = tn_logcumsumexp(x, dim);
        made[n++] = tn_normalize(x, 2, dim, 1e-12);
        made[n++] = tn_normalize(x, 3, dim, 1e-12);
    }
    if (!complex) {
        made[n++] = tn_softmax(x, dim, real ? TN_DTYPE_DEFAULT : TN_FLOAT32);
        made[n++] = tn_log_softmax(x, dim, TN_FLOAT64);
    }
    CHECK(n <= LINED);
    return n;
}

static int64_t sort_all(const tn_tensor *x, int64_t dim, tn_tensor **made) {
    int64_t n = add_list(tn_sort(x, dim, true), made);
    made[n++] = tn_argsort(x, dim, false);
    made[n++] = tn_msort(x);
    n += add_list(tn_topk(x, 2, dim, true, true), made + n);
    n += add_list(tn_topk(x, 1, dim, false, false), made + n);
    n += add_list(tn_kthvalue(x, 2, dim, false), made + n);
    n += add_list(tn_median_dim(x, dim, true), made + n);
    n += add_list(tn_nanmedian_dim(x, dim, false), made + n);
    n += add_list(tn_mode(x, dim, false), made + n);
    made[n++] = tn_median(x);
    made[n++] = tn_nanmedian(x);
    CHECK(n <= LINED);
    return n;
}

/* Of floats of 32 bits and more. q is on the device too, and weight and bias. */
static int64_t norm_all(const tn_tensor *x, tn_device device, tn_tensor **made) {
    static const char *const between[] = {"linear", "lower", "higher", "midpoint", "nearest"};
    tn_dtype dtype = tn_dtype_of(x);
    tn_tensor *weight = tn_to_device(tn_to(TN_VECTOR(float, 1, 2, -1, 0.5), dtype), device);
    tn_tensor *wide = tn_to_device(tn_to(tn_reshape(tn_arange(12, TN_FLOAT32), TN_DIMS(3, 4)), dtype), device);
    tn_tensor *q = tn_flip(tn_to_device(tn_to(TN_VECTOR(float, 0.25, 0.75, 1), dtype), device), TN_DIMS(0));
    int64_t n = 0;
    CHECK(weight && wide && q);
    made[n++] = tn_layer_norm(x, TN_DIMS(4), NULL, NULL, 1e-5);
    made[n++] = tn_layer_norm(x, TN_DIMS(4), weight, NULL, 1e-5);
    made[n++] = tn_layer_norm(x, TN_DIMS(4), NULL, weight, 1e-5);
    made[n++] = tn_layer_norm(x, TN_DIMS(4), weight, tn_flip(weight, TN_DIMS(0)), 1e-3);
    made[n++] = tn_layer_norm(x, TN_DIMS(3, 4), wide, tn_t(tn_contiguous(tn_t(wide), TN_CONTIGUOUS)), 1e-5);
    made[n++] = tn_rms_norm(x, TN_DIMS(4), NULL, tn_scalar_none());
    made[n++] = tn_rms_norm(x, TN_DIMS(3, 4), wide, 0.5);
    for (int64_t dim = 0; dim < 3; dim++)
        for (int i = 0; i < 5; i++) {
            made[n++] = tn_quantile(x, q, dim, i == 1, between[i]);
            made[n++] = tn_nanquantile_scalar(x, 0.6, dim, i == 2, between[i]);
        }
    made[n++] = tn_quantile(x, tn_select(q, 0, 0), TN_NONE, false, "linear");
    made[n++] = tn_nanquantile(x, q, TN_NONE, true, "linear");
    CHECK(n <= LINED);
    return n;
}

static void check_all(tn_tensor **here, tn_tensor **there, int64_t count, int64_t other) {
    CHECK_INT(count, other);
    for (int64_t i = 0; i < count; i++)
        same_there(__FILE__, __LINE__, i, here[i], there[i]);
}

static tn_tensor *line_numbers(tn_dtype dtype) {
    tn_tensor *counted = tn_remainder_scalar(tn_mul_scalar(tn_arange(192, TN_INT64), 7), 23);
    return tn_to(tn_reshape(counted, TN_DIMS(4, 6, 8)), dtype);
}

TEST_SAMPLED(lines_give_on_a_device_what_they_give_on_the_cpu) {
    int32_t type = backend_begin(whole);
    static const tn_dtype dtypes[] = {TN_FLOAT32, TN_INT16, TN_BOOL, TN_BFLOAT16, TN_COMPLEX64, TN_UINT8, TN_FLOAT64};
    tn_tensor *made[LINED], *far[LINED];
    for (size_t d = 0; d < sizeof dtypes / sizeof dtypes[0]; d++)
        for (int layout = 0; layout < 5; layout++) {
            tn_scope scope = tn_scope_open();
            tn_tensor *base = line_numbers(dtypes[d]), *there = tn_to_device(base, TN_DEVICE(type, 0));
            CHECK(base && there);
            for (int64_t dim = 0; dim < 3; dim++) {
                check_all(made, far, scan_all(arranged(base, layout), dim, made), scan_all(arranged(there, layout), dim, far));
                if (!tn_dtype_is_complex(dtypes[d]))
                    check_all(made, far, sort_all(arranged(base, layout), dim, made),
                              sort_all(arranged(there, layout), dim, far));
            }
            if (dtypes[d] == TN_FLOAT32 || dtypes[d] == TN_FLOAT64)
                check_all(made, far, norm_all(arranged(base, layout), TN_DEVICE_CPU, made),
                          norm_all(arranged(there, layout), TN_DEVICE(type, 0), far));
            CHECK_TEXT(tn_error_message(), "");
            CHECK(tn_scope_close(scope) == TN_OK);
        }
    CHECK(jobs_done[TN_JOB_LINES] > 1000);
}

/* Tensors of no dimensions are lines of one; of none at all there is no job. */
TEST(one_element_and_none_are_lines_on_a_device_too) {
    int32_t type = backend_begin(whole);
    tn_tensor *made[2][12];
    for (int side = 0; side < 2; side++) {
        tn_device device = TN_DEVICE(side ? type : TN_CPU, 0);
        tn_tensor *x = tn_to_device(tn_scalar_tensor(2.5, TN_FLOAT32), device);
        tn_tensor *none = tn_empty_device(TN_DIMS(0, 3), TN_FLOAT32, device);
        tn_tensor *q = tn_to_device(TN_VECTOR(float, 0, 0.5, 1), device);
        CHECK(x && none && q);
        int64_t n = 0, before = jobs_done[TN_JOB_LINES];
        made[side][n++] = tn_softmax(none, 0, TN_DTYPE_DEFAULT);
        made[side][n++] = tn_msort(none);
        made[side][n++] = tn_layer_norm(none, TN_DIMS(3), NULL, NULL, 1e-5);
        CHECK_INT(jobs_done[TN_JOB_LINES], before);
        made[side][n++] = tn_softmax(x, 0, TN_DTYPE_DEFAULT);
        made[side][n++] = tn_cumsum(x, -1, TN_FLOAT64);
        n += add_list(tn_topk(x, 1, 0, true, true), made[side] + n);
        made[side][n++] = tn_quantile(x, q, 0, false, "linear");
        made[side][n++] = tn_quantile(x, q, TN_NONE, false, "linear");
        made[side][n++] = tn_median(x);
        made[side][n++] = tn_median(none);
        made[side][n++] = tn_median(tn_to(none, TN_INT32));
        CHECK_INT(n, 12);
    }
    for (int i = 0; i < 12; i++)
        same_there(__FILE__, __LINE__, i, made[0][i], made[1][i]);
    tn_tensor *odd = tn_to_device(TN_VECTOR(float, 0.5, 2), TN_DEVICE(type, 0));
    tn_tensor *x = tn_to_device(tn_arange(4, TN_FLOAT32), TN_DEVICE(type, 0));
    CHECK(odd && x);
    CHECK_ERROR(TN_ERROR_ARGUMENT, "q = 2 at position 1", tn_quantile(x, odd, 0, false, "linear"));
}

TEST(lines_that_fail_on_a_device_fail_the_operator) {
    int32_t type = backend_begin(whole);
    tn_tensor *x = tn_to_device(tn_arange(4, TN_FLOAT32), TN_DEVICE(type, 0));
    CHECK(x);
    next_answer = TN_ERROR_IO;
    CHECK_ERROR(TN_ERROR_IO, "softmax: the backend of device type \"toy\" failed in a lines job (softmax)",
                tn_softmax(x, 0, TN_DTYPE_DEFAULT));
    CHECK_ERROR(TN_ERROR_IO, "in a lines job (sort)", tn_sort(x, 0, false));
    CHECK_ERROR(TN_ERROR_IO, "in a lines job (quantile)", tn_quantile_scalar(x, 0.5, 0, false, "linear"));
    next_answer = TN_OK;
    CHECK(tn_backend_unregister(type) == TN_OK);
    tn_backend older = whole;
    older.struct_size = offsetof(tn_backend, lines);
    CHECK(tn_backend_register(type, &older) == TN_OK);
    CHECK_ERROR(TN_ERROR_DEVICE, "does no lines jobs, which cumsum needs", tn_cumsum(x, 0, TN_DTYPE_DEFAULT));
    CHECK(tn_fallback_register(type, TN_KERNEL(tn_fallback_to_cpu, NULL)) == TN_OK);
    TEST_DEFER(toy_drop_fallback, NULL);
    same_there(__FILE__, __LINE__, 0, tn_cumsum(tn_arange(4, TN_FLOAT32), 0, TN_DTYPE_DEFAULT),
               tn_cumsum(x, 0, TN_DTYPE_DEFAULT));
}

TEST(a_lines_job_that_is_wrong_is_refused_by_the_cpu) {
    float data[4] = {1, 2, 3, 4}, out[4];
    int64_t sizes[2] = {2, 2}, strides[2] = {1, 2}, lengths[2] = {2, 2};
    tn_job_operand operand[2] = {{out, strides, TN_DEVICE_CPU, TN_FLOAT32, TN_FLOAT32, TN_DTYPE_DEFAULT},
                                 {data, strides, TN_DEVICE_CPU, TN_FLOAT32, TN_FLOAT32, TN_DTYPE_DEFAULT}};
    tn_job job = {.struct_size = sizeof job,
                  .kind = TN_JOB_LINES,
                  .kernel = "cumsum",
                  .ndim = 2,
                  .sizes = sizes,
                  .results = 1,
                  .operands = 2,
                  .operand = operand,
                  .lengths = lengths};
    CHECK(tn_job_run_on_cpu(&job) == TN_OK); /* along the first dimension, which is not the last in memory */
    CHECK(out[0] == 1 && out[1] == 3 && out[2] == 3 && out[3] == 7);
    tn_job wrong = job;
    wrong.kernel = "sum";
    CHECK_ERROR(TN_ERROR_UNSUPPORTED, "no lines job \"sum\"", tn_job_run_on_cpu(&wrong) == TN_OK);
    wrong.kernel = NULL;
    CHECK_ERROR(TN_ERROR_UNSUPPORTED, "no lines job", tn_job_run_on_cpu(&wrong) == TN_OK);
    wrong.kernel = "cummax";
    CHECK_ERROR(TN_ERROR_ARGUMENT, "has 2 to 2 result(s)", tn_job_run_on_cpu(&wrong) == TN_OK);
    wrong.kernel = "trapezoid";
    CHECK_ERROR(TN_ERROR_ARGUMENT, "lines of 2 elements", tn_job_run_on_cpu(&wrong) == TN_OK);
    wrong.kernel = "quantile";
    CHECK_ERROR(TN_ERROR_ARGUMENT, "and 2 quantiles; given 0 number(s)", tn_job_run_on_cpu(&wrong) == TN_OK);
    wrong = job;
    wrong.dim = 2;
    CHECK_ERROR(TN_ERROR_ARGUMENT, "dimension 2 of 2", tn_job_run_on_cpu(&wrong) == TN_OK);
    wrong = job;
    wrong.lengths = NULL;
    CHECK_ERROR(TN_ERROR_ARGUMENT, "lengths are missing", tn_job_run_on_cpu(&wrong) == TN_OK);
    operand[1].strides = NULL;
    CHECK_ERROR(TN_ERROR_ARGUMENT, "operand 1", tn_job_run_on_cpu(&job) == TN_OK);
}

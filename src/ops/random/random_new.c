/* random_new.c - new tensors of real numbers: of given sizes, like another, and normal numbers around the elements of tensors.
 * */
#include "base/parallel.h"
#include "operators_arithmetic.h"
#include "operators_random.h"
#include "ops/copy/copy.h"
#include "ops/random/random.h"

bool tni_plan_rand(tni_plan *plan, tn_dims size, tn_dtype dtype, tn_generator *generator) {
    (void)generator;
    return tni_random_plan_new(plan, size, dtype, tni_dtype_or_default(TN_DTYPE_DEFAULT)) && tni_random_takes_real(plan);
}

tn_error tni_run_rand(const tni_plan *plan, tn_tensor *const *results, tn_dims size, tn_dtype dtype, tn_generator *generator) {
    (void)plan, (void)size, (void)dtype;
    return tni_random_fill_uniform(results[0], 0, 1, generator);
}

bool tni_plan_randn(tni_plan *plan, tn_dims size, tn_dtype dtype, tn_generator *generator) {
    (void)generator;
    return tni_random_plan_new(plan, size, dtype, tni_dtype_or_default(TN_DTYPE_DEFAULT)) && tni_random_takes_real(plan);
}

tn_error tni_run_randn(const tni_plan *plan, tn_tensor *const *results, tn_dims size, tn_dtype dtype, tn_generator *generator) {
    (void)plan, (void)size, (void)dtype;
    return tni_random_fill_normal(results[0], 0, 1, generator);
}

bool tni_plan_normal(tni_plan *plan, double mean, double std, tn_dims size, tn_dtype dtype, tn_generator *generator) {
    (void)mean, (void)generator;
    return tni_random_is_deviation(std) && tni_random_plan_new(plan, size, dtype, tni_dtype_or_default(TN_DTYPE_DEFAULT)) &&
           tni_random_takes_real(plan);
}

tn_error tni_run_normal(const tni_plan *plan, tn_tensor *const *results, double mean, double std, tn_dims size, tn_dtype dtype,
                        tn_generator *generator) {
    (void)plan, (void)size, (void)dtype;
    return tni_random_fill_normal(results[0], mean, std, generator);
}

bool tni_plan_rand_like(tni_plan *plan, const tn_tensor *self, tn_dtype dtype, tn_memory_format format,
                        tn_generator *generator) {
    (void)generator;
    return tni_random_plan_like(plan, self, dtype, format) && tni_random_takes_real(plan);
}

tn_error tni_run_rand_like(const tni_plan *plan, tn_tensor *const *results, const tn_tensor *self, tn_dtype dtype,
                           tn_memory_format format, tn_generator *generator) {
    (void)plan, (void)self, (void)dtype, (void)format;
    return tni_random_fill_uniform(results[0], 0, 1, generator);
}

bool tni_plan_randn_like(tni_plan *plan, const tn_tensor *self, tn_dtype dtype, tn_memory_format format,
                         tn_generator *generator) {
    (void)generator;
    return tni_random_plan_like(plan, self, dtype, format) && tni_random_takes_real(plan);
}

tn_error tni_run_randn_like(const tni_plan *plan, tn_tensor *const *results, const tn_tensor *self, tn_dtype dtype,
                            tn_memory_format format, tn_generator *generator) {
    (void)plan, (void)self, (void)dtype, (void)format;
    return tni_random_fill_normal(results[0], 0, 1, generator);
}

/* ---- normal numbers around tensors: standard ones, scaled and moved */

/* With a mean, which decides the dtype, deviations may be whole numbers. */
static bool random_are_deviations(const tn_tensor *std, bool whole) {
    return (whole && std->dtype != TN_BOOL && tn_dtype_is_integral(std->dtype)) || tni_random_is_real(std, "std");
}

static bool random_deviations_are_good(const tn_tensor *std) {
    tn_dtype dtype = std->dtype == TN_FLOAT64 ? TN_FLOAT64 : TN_FLOAT32;
    bool direct = std->dtype == dtype && tni_tensor_is_contiguous(std);
    tn_tensor *copy =
        direct ? NULL : tni_clone_as(std, dtype, TN_CONTIGUOUS, TN_DEVICE_CPU, "standard deviations are checked first");
    if (!direct && !copy)
        return false;
    const char *data = tni_tensor_read(direct ? std : copy);
    int64_t at = 0;
    TNI_IN_STEPS (begin, end, std->numel)
        if (dtype == TN_FLOAT64)
            while (at < end && ((const double *)(const void *)data)[at] >= 0)
                at++;
        else
            while (at < end && ((const float *)(const void *)data)[at] >= 0)
                at++;
    if (at < std->numel && !tni_stopped())
        tni_raise(TN_ERROR_ARGUMENT, "element %" PRId64 " of std is %g; a standard deviation is not negative", at,
                  dtype == TN_FLOAT64 ? ((const double *)(const void *)data)[at]
                                      : (double)((const float *)(const void *)data)[at]);
    tni_tensor_release(copy);
    return at == std->numel;
}

bool tni_plan_normal_tensor(tni_plan *plan, const tn_tensor *mean, const tn_tensor *std, tn_generator *generator) {
    (void)generator;
    int64_t sizes[TN_MAX_DIMS], ndim;
    tn_geometry_conflict conflict = {0};
    if (!tni_random_takes_parts(mean) || !random_are_deviations(std, true))
        return false;
    if (tn_geometry_broadcast_all((tn_dims[]){{mean->sizes, mean->ndim}, {std->sizes, std->ndim}}, 2, &ndim, sizes,
                                  &conflict) != TN_GEOMETRY_OK) {
        tni_raise(TN_ERROR_SHAPE, "mean %s and std %s do not broadcast", tni_show_tensor(mean), tni_show_tensor(std));
        return false;
    }
    tni_plan_begin(plan, mean);
    tni_plan_add(plan, ndim, sizes, mean->dtype);
    return true;
}

tn_error tni_run_normal_tensor(const tni_plan *plan, tn_tensor *const *results, const tn_tensor *mean, const tn_tensor *std,
                               tn_generator *generator) {
    (void)plan;
    tn_error code = random_deviations_are_good(std) ? tni_random_fill_normal(results[0], 0, 1, generator) : tni_failed();
    if (code == TN_OK)
        code = tni_op_mul_(results[0], std);
    return code == TN_OK ? tni_op_add_(results[0], mean) : code;
}

bool tni_plan_normal_tensor_float(tni_plan *plan, const tn_tensor *mean, double std, tn_generator *generator) {
    (void)generator;
    if (!tni_random_takes_parts(mean) || !tni_random_is_deviation(std))
        return false;
    tni_plan_begin(plan, mean);
    tni_plan_add(plan, mean->ndim, mean->sizes, mean->dtype);
    return true;
}

tn_error tni_run_normal_tensor_float(const tni_plan *plan, tn_tensor *const *results, const tn_tensor *mean, double std,
                                     tn_generator *generator) {
    (void)plan;
    tn_error code = tni_random_fill_normal(results[0], 0, std, generator);
    return code == TN_OK ? tni_op_add_(results[0], mean) : code;
}

bool tni_plan_normal_float_tensor(tni_plan *plan, double mean, const tn_tensor *std, tn_generator *generator) {
    (void)mean, (void)generator;
    if (!random_are_deviations(std, false))
        return false;
    tni_plan_begin(plan, std);
    tni_plan_add(plan, std->ndim, std->sizes, std->dtype);
    return true;
}

tn_error tni_run_normal_float_tensor(const tni_plan *plan, tn_tensor *const *results, double mean, const tn_tensor *std,
                                     tn_generator *generator) {
    (void)plan;
    tn_error code = random_deviations_are_good(std) ? tni_random_fill_normal(results[0], 0, 1, generator) : tni_failed();
    if (code == TN_OK)
        code = tni_op_mul_(results[0], std);
    return code == TN_OK ? tni_op_add_scalar_(results[0], tn_scalar_float(mean)) : code;
}

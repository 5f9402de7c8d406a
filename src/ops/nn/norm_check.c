/* norm_check.c - what the norms ask of their arguments. See norm_check.h. */
#include "ops/nn/norm_check.h"

#include <string.h>

#include "base/error.h"

bool tni_norm_check_shape(const tn_tensor *input, tn_dims shape) {
    if (shape.count < 1) {
        tni_raise(TN_ERROR_SHAPE, "normalized_shape is empty; give the sizes of the last dimensions, which are normalised");
        return false;
    }
    if (shape.count <= input->ndim &&
        memcmp(input->sizes + input->ndim - shape.count, shape.values, (size_t)shape.count * sizeof *shape.values) == 0)
        return true;
    tni_raise(TN_ERROR_SHAPE, "normalized_shape %s is not the end of the sizes of input %s",
              tni_show_dims(shape.values, shape.count), tni_show_tensor(input));
    return false;
}

bool tni_norm_check_dtype(const tn_tensor *input, const char *name) {
    if (tn_dtype_is_floating(input->dtype) && tni_dtype_size(input->dtype) >= 2)
        return true;
    tni_raise(TN_ERROR_DTYPE, "%s is %s; only floats of 16 bits and more are normalised, convert it first", name,
              tni_show_tensor(input));
    return false;
}

bool tni_norm_check_parameter(const tn_tensor *tensor, tn_dims shape, const char *name) {
    if (!tensor ||
        (tensor->ndim == shape.count && memcmp(tensor->sizes, shape.values, (size_t)shape.count * sizeof *shape.values) == 0))
        return true;
    tni_raise(TN_ERROR_SHAPE, "%s %s must have the sizes %s", name, tni_show_tensor(tensor),
              tni_show_dims(shape.values, shape.count));
    return false;
}

static bool norm_fits(const tn_tensor *input, tn_dtype dtype) {
    bool half = input->dtype == TN_FLOAT16 || input->dtype == TN_BFLOAT16;
    return (uint8_t)dtype == input->dtype || (half && dtype == TN_FLOAT32);
}

bool tni_norm_check_mixture(const tn_tensor *input, const tn_tensor *weight, const tn_tensor *bias) {
    const tn_tensor *one = weight ? weight : bias;
    if (!one || (norm_fits(input, one->dtype) && (!bias || bias->dtype == one->dtype)))
        return true;
    tni_raise(TN_ERROR_DTYPE,
              "weight %s and bias %s do not fit input %s: give both its dtype; beside float16 and bfloat16 both may be float32",
              weight ? tni_show_tensor(weight) : "none", bias ? tni_show_tensor(bias) : "none", tni_show_tensor(input));
    return false;
}

tn_dtype tni_norm_statistics_dtype(const tn_tensor *input, const tn_tensor *weight, const tn_tensor *bias) {
    return weight ? weight->dtype : bias ? bias->dtype : input->dtype;
}

bool tni_norm_check_groups(const tn_tensor *input, int64_t N, int64_t C, int64_t HxW, int64_t group) {
    int64_t numel;
    bool whole = N >= 0 && C >= 0 && HxW >= 0 && !tni_mul_overflows(N, C, &numel) && !tni_mul_overflows(numel, HxW, &numel);
    if (!whole || numel != input->numel) {
        tni_raise(TN_ERROR_SHAPE, "input %s does not have N * C * HxW = %" PRId64 " * %" PRId64 " * %" PRId64 " elements",
                  tni_show_tensor(input), N, C, HxW);
        return false;
    }
    if (group >= 1 && C % group == 0)
        return true;
    tni_raise(TN_ERROR_ARGUMENT, "%" PRId64 " channels are not %" PRId64 " whole groups", C, group);
    return false;
}

static bool norm_check_channel(const tn_tensor *input, const tn_tensor *tensor, const char *name) {
    if (!tensor)
        return true;
    if (tensor->ndim != 1 || tensor->sizes[0] != input->sizes[1]) {
        tni_raise(TN_ERROR_SHAPE, "%s %s must have one number for each of the %" PRId64 " channels of input %s", name,
                  tni_show_tensor(tensor), input->sizes[1], tni_show_tensor(input));
        return false;
    }
    if (norm_fits(input, tensor->dtype))
        return true;
    tni_raise(TN_ERROR_DTYPE, "%s %s must have the dtype of input %s; beside float16 and bfloat16 it may be float32", name,
              tni_show_tensor(tensor), tni_show_tensor(input));
    return false;
}

bool tni_norm_check_batch(const tn_tensor *input, const tn_tensor *weight, const tn_tensor *bias, const tn_tensor *mean,
                          const tn_tensor *var) {
    if (input->ndim < 2) {
        tni_raise(TN_ERROR_SHAPE, "input %s must have at least 2 dimensions, the second of them channels",
                  tni_show_tensor(input));
        return false;
    }
    return tni_norm_check_dtype(input, "input") && norm_check_channel(input, weight, "weight") &&
           norm_check_channel(input, bias, "bias") && norm_check_channel(input, mean, "running_mean") &&
           norm_check_channel(input, var, "running_var");
}

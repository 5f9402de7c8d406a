/* equal.c - whether two tensors are the same, or nearly: one answer from all elements.
 *
 * Where both are in memory in the same order, the loop of the comparison is run block by block, so nothing is allocated and the
 * first difference ends it. All other strides, dtypes and devices go through the operator, whose answers are then searched.
 */
#include "base/error.h"
#include "base/parallel.h"
#include "kernels/table.h"
#include "kernels_compare.h"
#include "operators_compare.h"
#include "operators_copy.h"
#include "operators_reduce.h"
#include "tensor/tensor.h"
#include "ops/limits.h"

static bool equal_same_sizes(const tn_tensor *a, const tn_tensor *b) {
    return a->ndim == b->ndim && memcmp(a->sizes, b->sizes, a->ndim * sizeof *a->sizes) == 0;
}

static tni_loop equal_direct_loop(int kernel, const tn_tensor *a, const tn_tensor *b) {
    if (tni_tensor_device(a).type != TN_CPU || a->dtype != b->dtype || !equal_same_sizes(a, b) ||
        !tni_tensor_is_contiguous(a) || !tni_tensor_is_contiguous(b))
        return NULL;
    return tni_kernels()->pointwise[kernel * TN_DTYPE_COUNT + a->dtype];
}

static bool equal_direct(tni_loop loop, const tn_tensor *a, const tn_tensor *b, const tni_parameters *parameters) {
    uint8_t answers[EQUAL_BLOCK];
    size_t item = tni_tensor_item_size(a);
    const char *at_a = tni_tensor_read(a), *at_b = tni_tensor_read(b);
    TNI_IN_STEPS (begin, end, a->numel)
        for (int64_t left = end - begin, many; left > 0; left -= many) {
            many = tni_min_i64(left, EQUAL_BLOCK);
            loop((void *[]){answers, (void *)(uintptr_t)at_a, (void *)(uintptr_t)at_b}, many, parameters);
            if (memchr(answers, 0, (size_t)many))
                return false;
            at_a += (size_t)many * item;
            at_b += (size_t)many * item;
        }
    return true;
}

/* The same on a device: all answers are reduced to one there, which is fetched. */
static tn_error equal_all_elsewhere(tn_tensor *answers, bool *answer) {
    tn_tensor *all = tni_op_all(answers), *here = all ? tni_op_to_device(all, TN_DEVICE_CPU) : NULL;
    tn_error code = here ? TN_OK : tni_failed();
    *answer = here && *tni_tensor_read(here);
    tni_tensor_release(here);
    tni_tensor_release(all);
    tni_tensor_release(answers);
    return code;
}

/* Whether all of a new tensor of answers are true; it has no gaps. Takes it over; NULL, with the error raised, is passed on. */
static tn_error equal_all(tn_tensor *answers, bool *answer) {
    *answer = false;
    if (!answers)
        return tni_failed();
    if (TNI_UNLIKELY(tni_tensor_device(answers).type != TN_CPU))
        return equal_all_elsewhere(answers, answer);
    *answer = true;
    TNI_IN_STEPS_OF (16 * TNI_STEP, begin, end, answers->numel)
        if (memchr(tni_tensor_read(answers) + begin, 0, (size_t)(end - begin))) {
            *answer = false;
            break;
        }
    tni_tensor_release(answers);
    return TN_OK;
}

tn_error tni_op_equal(const tn_tensor *self, const tn_tensor *other, bool *answer) {
    if (!equal_same_sizes(self, other)) {
        *answer = false;
        return TN_OK;
    }
    tni_loop loop = equal_direct_loop(TNI_KERNEL_eq, self, other);
    if (!loop)
        return equal_all(tni_op_eq(self, other), answer);
    *answer = equal_direct(loop, self, other, NULL);
    return TN_OK;
}

tn_error tni_op_allclose(const tn_tensor *self, const tn_tensor *other, double rtol, double atol, bool equal_nan,
                         bool *answer) {
    tni_loop loop = rtol >= 0 && atol >= 0 ? equal_direct_loop(TNI_KERNEL_isclose, self, other) : NULL;
    if (!loop)
        return equal_all(tni_op_isclose(self, other, rtol, atol, equal_nan), answer);
    tni_parameters parameters;
    tni_parameters_set(&parameters, 0, tn_scalar_float(rtol));
    tni_parameters_set(&parameters, 1, tn_scalar_float(atol));
    tni_parameters_set(&parameters, 2, tn_scalar_bool(equal_nan));
    *answer = equal_direct(loop, self, other, &parameters);
    return TN_OK;
}

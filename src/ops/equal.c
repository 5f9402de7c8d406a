/* equal.c - whether two tensors are the same, or nearly: one answer from all elements. See tenon/compare.h.
 *
 * Where both lie in memory in the same order, the loop of the comparison is run block by block, so that nothing is allocated
 * and the first difference ends it. All other layouts and dtypes go through the operator, whose answers are then searched.
 */
#include <tenon/compare.h>

#include "base/error.h"
#include "dispatch/kernels.h"
#include "operator_impls.h"
#include "tensor/check.h"

enum { EQUAL_BLOCK = 4096 };

static bool equal_same_sizes(const tn_tensor *a, const tn_tensor *b) {
    return a->ndim == b->ndim && memcmp(a->sizes, b->sizes, a->ndim * sizeof *a->sizes) == 0;
}

static tni_loop equal_direct_loop(int kernel, const tn_tensor *a, const tn_tensor *b) {
    if (a->dtype != b->dtype || !equal_same_sizes(a, b) || !tni_tensor_is_contiguous(a) || !tni_tensor_is_contiguous(b))
        return NULL;
    return tni_kernels()->pointwise[kernel * TN_DTYPE_COUNT + a->dtype];
}

static bool equal_direct(tni_loop loop, const tn_tensor *a, const tn_tensor *b, const tni_parameters *parameters) {
    uint8_t answers[EQUAL_BLOCK];
    size_t item = tni_tensor_item_size(a);
    const char *at_a = tni_tensor_read(a), *at_b = tni_tensor_read(b);
    for (int64_t left = a->numel, many; left > 0; left -= many) {
        many = tni_min_i64(left, EQUAL_BLOCK);
        loop((void *[]){answers, (void *)(uintptr_t)at_a, (void *)(uintptr_t)at_b}, many, parameters);
        if (memchr(answers, 0, (size_t)many))
            return false;
        at_a += (size_t)many * item;
        at_b += (size_t)many * item;
    }
    return true;
}

/* Whether all of a new tensor of answers are true; it has no gaps. Takes it over; NULL is false. */
static bool equal_all(tn_tensor *answers) {
    bool all = answers && (answers->numel == 0 || !memchr(tni_tensor_read(answers), 0, (size_t)answers->numel));
    tni_tensor_release(answers);
    return all;
}

static bool equal_on_cpu(const tn_tensor *tensor, const char *argument) {
    bool there = tni_tensor_device(tensor).type == TN_CPU;
    if (!there)
        tni_raise(TN_ERROR_DEVICE, "%s %s is not in the memory of the CPU; bring it there with to", argument,
                  tni_show_tensor(tensor));
    return there;
}

static bool equal_can_ask(const tn_tensor *a, const tn_tensor *b) {
    return tni_check_tensor(a, "a") && tni_check_tensor(b, "b") && equal_on_cpu(a, "a") && equal_on_cpu(b, "b");
}

bool tn_equal(const tn_tensor *a, const tn_tensor *b) {
    const char *outer = tni_operator_enter("equal");
    bool equal = equal_can_ask(a, b) && equal_same_sizes(a, b);
    if (equal) {
        tni_loop loop = equal_direct_loop(TNI_KERNEL_eq, a, b);
        equal = loop ? equal_direct(loop, a, b, NULL) : equal_all(tni_op_eq(a, b));
    }
    tni_operator_leave(outer);
    return equal;
}

bool tn_allclose(const tn_tensor *a, const tn_tensor *b, double rtol, double atol, bool equal_nan) {
    const char *outer = tni_operator_enter("allclose");
    bool close = equal_can_ask(a, b);
    if (close) {
        tni_loop loop = rtol >= 0 && atol >= 0 ? equal_direct_loop(TNI_KERNEL_isclose, a, b) : NULL;
        tni_parameters parameters;
        tni_parameters_set(&parameters, 0, tn_scalar_float(rtol));
        tni_parameters_set(&parameters, 1, tn_scalar_float(atol));
        tni_parameters_set(&parameters, 2, tn_scalar_bool(equal_nan));
        close = loop ? equal_direct(loop, a, b, &parameters) : equal_all(tni_op_isclose(a, b, rtol, atol, equal_nan));
    }
    tni_operator_leave(outer);
    return close;
}

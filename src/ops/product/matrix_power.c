/* matrix_power.c - what is made of products and other operators: powers of matrices, the trace. */
#include "base/error.h"
#include "operators_copy.h"
#include "operators_create.h"
#include "operators_linalg.h"
#include "operators_product.h"
#include "operators_reduce.h"
#include "operators_view.h"
#include "ops/product/product_call.h"
#include "ops/result.h"

/* ---- powers */

static bool power_check(const tn_tensor *self, int64_t n) {
    if (self->ndim < 2) {
        tni_raise(TN_ERROR_SHAPE, "self %s is not a matrix, or a batch of them: it has %d dimension%s", tni_show_tensor(self),
                  self->ndim, self->ndim == 1 ? "" : "s");
        return false;
    }
    int64_t rows = self->sizes[self->ndim - 2], columns = self->sizes[self->ndim - 1];
    if (rows != columns) {
        tni_raise(TN_ERROR_SHAPE,
                  "only square matrices have powers, and those of self %s have %" PRId64 " rows and %" PRId64 " columns",
                  tni_show_tensor(self), rows, columns);
        return false;
    }
    if (n > 1 && self->dtype == TN_BOOL) {
        tni_raise(TN_ERROR_DTYPE, "self %s is bool, of which there are no products: convert it with to", tni_show_tensor(self));
        return false;
    }
    return true;
}

/* Made of self, so that it has a gradient, if one of zeros. */
static tn_tensor *power_of_none(const tn_tensor *self) {
    tn_tensor *one = tn_zero_(tn_clone(self, TN_CONTIGUOUS));
    return tn_fill_(tn_diagonal(one, 0, -2, -1), tn_scalar_int(1)) ? one : NULL;
}

/* One that is not needed any more. */
static void power_drop(tn_tensor *made, const tn_tensor *first) {
    if (made && made != first)
        tn_release(made);
}

/* Squares of squares, and the product of those that n wants: at most two products for each of its bits. */
tn_tensor *tni_composite_linalg_matrix_power(const tn_tensor *self, int64_t n) {
    if (!power_check(self, n))
        return NULL;
    if (n < 0)
        return n == INT64_MIN ? tni_raise_null(TN_ERROR_ARGUMENT, "n = %" PRId64 " is too small", n)
                              : tn_linalg_matrix_power(tn_linalg_inv(self), -n);
    if (n == 0)
        return power_of_none(self);
    if (n == 1)
        return tn_clone(self, TN_CONTIGUOUS);
    tn_tensor *const first = (tn_tensor *)(uintptr_t)self; /* read, like all of them */
    tn_tensor *square = first, *power = NULL;
    for (;; n >>= 1) {
        if (n & 1) {
            tn_tensor *before = power;
            power = before ? tn_matmul(before, square) : square;
            power_drop(before, first);
        }
        if (n == 1)
            return power;
        tn_tensor *next = tn_matmul(square, square);
        if (square != power)
            power_drop(square, first);
        square = next;
        if (!square || (n & 1 && !power))
            return NULL;
    }
}

tn_tensor *tni_composite_linalg_matrix_power_out(tn_tensor *out, const tn_tensor *self, int64_t n) {
    return tni_result_put(out, tni_composite_linalg_matrix_power(self, n), TNI_RESULT_EXACT);
}

/* ---- trace */

static bool trace_check(const tn_tensor *self) {
    if (!tni_product_check_rank((tni_product_argument){self, "self"}, 2))
        return false;
    if (self->dtype == TN_BOOL)
        tni_raise(TN_ERROR_DTYPE, "not defined for bool: convert self %s with to", tni_show_tensor(self));
    return self->dtype != TN_BOOL;
}

tn_tensor *tni_composite_trace(const tn_tensor *self) {
    return trace_check(self) ? tn_sum(tn_diagonal(self, 0, 0, 1), TN_DTYPE_DEFAULT) : NULL;
}

tn_tensor *tni_composite_trace_out(tn_tensor *out, const tn_tensor *self) {
    return trace_check(self) ? tn_sum_out(out, tn_diagonal(self, 0, 0, 1), TN_DTYPE_DEFAULT) : NULL;
}

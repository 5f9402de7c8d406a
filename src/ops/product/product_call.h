/* product_call.h - from tensors to a product (iterate/product.h): what the operators of this room have in common.
 *
 * Every one of them is C = A B, or one for each index of some batch dimensions, with something done to the sums. A plan checks ranks,
 * dtypes and sizes (tni_product_check_...), and a run says which tensor is which operand:
 *
 *     tni_product_call call;
 *     tni_product_call_begin(&call, m, n, k, batch, dtype);
 *     tni_product_call_take(&call, TNI_PRODUCT_A, self, true, true);
 *     tni_product_call_take(&call, TNI_PRODUCT_B, mat2, true, true);
 *     tni_product_call_take(&call, TNI_PRODUCT_C, results[0], true, true);
 *     return tni_product_call_run(&call);
 *
 * Nothing is copied or expanded for that: a dimension along which an operand is broadcast has a stride of 0, and so has every
 * dimension of size 1. Batch dimensions along which one factor stays the same are folded into the rows or columns of the other,
 * where strides allow it: (b, m, k) times (k, n) is one product of b * m rows.
 */
#ifndef TNI_PRODUCT_CALL_H
#define TNI_PRODUCT_CALL_H

#include "iterate/product.h"
#include "ops/plan.h"
#include "tensor/tensor.h"

typedef enum tni_product_slot {
    TNI_PRODUCT_A = 0,
    TNI_PRODUCT_B,
    TNI_PRODUCT_C,
    TNI_PRODUCT_D,
    TNI_PRODUCT_BIAS,
    TNI_PRODUCT_RESIDUAL,
    TNI_PRODUCT_SLOTS
} tni_product_slot;

typedef struct tni_product_call {
    tni_product product;
    tn_device device;                                /* of C, and so of all  */
    int64_t sizes[TN_MAX_DIMS];                      /* of the batch dimensions */
    int64_t strides[TNI_PRODUCT_SLOTS][TN_MAX_DIMS]; /* along them              */
} tni_product_call;

/* A call of these sizes, whose sums are those of a dtype; alpha is 1 and there is nothing beside A, B and C. */
void tni_product_call_begin(tni_product_call *call, int64_t m, int64_t n, int64_t k, tn_dims batch, tn_dtype dtype);

/* An operand. Its last dimensions are the rows and the columns, as far as `rows` and `columns` say that there are such; those before
 * are batch dimensions. Of all, the first may be missing, and sizes of 1 stand for any. */
void tni_product_call_take(tni_product_call *call, tni_product_slot slot, const tn_tensor *tensor, bool rows, bool columns);

/* The same where the dimensions of the tensor are in another order: which of them are the rows, the columns, and each of the batch
 * dimensions. -1: none of them. */
void tni_product_call_place(tni_product_call *call, tni_product_slot slot, const tn_tensor *tensor, int64_t row, int64_t column,
                            const int64_t *batch);

/* Folds batch dimensions, computes: on the CPU, or as a job of the device. */
tn_error tni_product_call_run(tni_product_call *call);

/* alpha A B + beta D, where D is a tensor that broadcasts to C. Neither A and B for an alpha of 0 nor D for a beta of 0 is read. */
void tni_product_call_weigh(tni_product_call *call, const tn_job_number *alpha, const tn_job_number *beta, const tn_tensor *d,
                            bool rows, bool columns);

/* ---- what plans check. Each raises and returns false. Arguments come with their names. */

typedef struct tni_product_argument {
    const tn_tensor *tensor;
    const char *name;
} tni_product_argument;

/* One dtype, and not bool. */
bool tni_product_check_dtypes(tni_product_argument a, tni_product_argument b);

/* The number of dimensions: 1 "a vector", 2 "a matrix", 3 "a batch of matrices". */
bool tni_product_check_rank(tni_product_argument argument, int64_t ndim);

/* Two sizes that must be equal. */
bool tni_product_check_sizes(tni_product_argument a, int64_t a_dim, tni_product_argument b, int64_t b_dim);

/* Whether a tensor can be broadcast to the first result of the plan. */
bool tni_product_check_broadcast(tni_product_argument argument, const tni_plan *plan);

/* The activation of a name, for an input of this dtype (linear.c). */
bool tni_product_find_activation(const char *name, const tn_tensor *input, int64_t *activation);

/* A number in every form, as far as a product of this dtype can be multiplied with it. */
bool tni_product_check_number(tn_scalar value, const char *name, tn_dtype dtype, tn_job_number *number);

static inline bool tni_product_number_is_zero(const tn_job_number *number) {
    return number->real == 0 && number->whole == 0 && number->complex.real == 0 && number->complex.imag == 0;
}

/* ---- products of two factors, of any ranks: the plan of matmul, which leaves m, n, k and the number of batch dimensions in
 * plan->number and adds a result of this dtype, and its run with what `call` has been told before. */
bool tni_product_plan(tni_plan *plan, tni_product_argument a, tni_product_argument b, tn_dtype dtype);
bool tni_product_plan_sizes(tni_plan *plan, tni_product_argument a, tni_product_argument b, tn_dtype dtype); /* dtypes apart */
void tni_product_begin_planned(tni_product_call *call, const tni_plan *plan, tn_tensor *result, const tn_tensor *a,
                               const tn_tensor *b);

#endif

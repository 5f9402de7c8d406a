/* contract.h - the sum of products of two tensors as one matrix product, or a batch of them.
 *
 * The two tensors are aligned as for broadcasting. A dimension that is summed over is one of k; one that only the first has (the second
 * has size 1, or repeats itself along it) is of m, one that only the second has of n, one that both have a batch. All that a matrix
 * product asks is that m, n and k are each walked with one stride: dimensions are merged by the arithmetic of strides where that can be
 * done. What is left over of m and n becomes batches, which may have any number of dimensions; what is left over of k cannot, and the
 * operand whose fault it is is copied. An operand is copied too where the batches would read the other one more often than the
 * copy costs. Nothing else is copied: the result is written through whatever strides it has.
 */
#ifndef TNI_CONTRACT_H
#define TNI_CONTRACT_H

#include "base/say.h"
#include "iterate/product.h"
#include "tensor/tensor.h"

enum { TNI_CONTRACT_REASON = 200 };

typedef struct tni_contract_side {
    int64_t strides[TN_MAX_DIMS]; /* along the dimensions of both; of a copy, once it is known how that lies          */
    int64_t numel;                /* what a copy moves                                                               */
    bool copied;
    int64_t ndim, dims[TN_MAX_DIMS]; /* of a copy: the dimensions it has, the outermost first                         */
    char reason[TNI_CONTRACT_REASON];
} tni_contract_side;

typedef struct tni_contract {
    int64_t ndim, sizes[TN_MAX_DIMS];
    bool summed[TN_MAX_DIMS];
    tni_contract_side side[2]; /* self and other */
    int64_t result[TN_MAX_DIMS];
    int64_t m, n, k;
    int64_t row[3], column[3]; /* strides of self, other and the result */
    int64_t batch_ndim, batch_sizes[TN_MAX_DIMS], batch[3][TN_MAX_DIMS];
} tni_contract;

/* Aligns two tensors that can be broadcast together; `summed` has a mark for every common dimension. Begins: sizes and strides. */
void tni_contract_begin(tni_contract *contract, const tn_tensor *self, const tn_tensor *other, const bool *summed);

/* How a new result lies in memory, as in PyTorch: batches, then what only self has, then what only other has; or the other way around
 * where all that only other has comes before all that only self has. Strides for all dimensions, those that are summed over having
 * size 1. */
void tni_contract_strides(const tni_contract *contract, const tn_tensor *self, const tn_tensor *other, int64_t *strides);

/* Settles everything, for a result with contract->result as its strides. No size is 0, and no dimension that is summed over is one
 * that only one of the two has. */
void tni_contract_settle(tni_contract *contract);

/* The sum over `dim` of self * other, as the row sumproduct has it, written to `result`. */
tn_error tni_contract_run(tn_tensor *result, const tn_tensor *self, const tn_tensor *other, const bool *summed, bool keepdim);

/* What would be done, in words, appended to what is said: sizes and copies. Gives how many elements are copied, and adds how often to
 * *copies. `result` keeps the dimensions that are summed over; the tensors are as for settle. */
int64_t tni_contract_describe(const tn_tensor *result, const tn_tensor *self, const tn_tensor *other, const bool *summed,
                              tni_said *said, int64_t *copies);

#endif

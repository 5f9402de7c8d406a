/* linalg.h - what the operators of linear algebra share: tensors as stacks of matrices, a loop over them, and what to say of a matrix for
 * which there is no answer.
 *
 * A row is a plan and a run (ops/plan.h). Its plan checks (tni_linalg_check_matrix, _dtypes, _batch) and says `plan->beside = true`, so that
 * the results that its run finds are new and contiguous, row by row. The run copies what is factored into a result and works there:
 *
 *     tn_error tni_run_linalg_cholesky_ex(...) {
 *         cholesky_call call = {.stack = tni_stack_of(results[0], NULL), .info = (int32_t *)tni_tensor_write(results[1])};
 *         tni_factor_begin(&call.factor, self->dtype);
 *         ... copy self into results[0] ...
 *         code = tni_linalg_each(call.stack.count, operations, work_bytes, cholesky_one, &call);
 *         return code == TN_OK && check_errors ? tni_linalg_judge(results[1], TNI_LINALG_INDEFINITE) : code;
 *     }
 *
 * and its body does one matrix with iterate/factor.h, writing what went wrong to an int32 for each matrix. Operands that are only read are
 * stacks of any strides, broadcast over the batch: tni_stack_of(A, &batch).
 */
#ifndef TNI_LINALG_H
#define TNI_LINALG_H

#include "iterate/factor.h"
#include "iterate/factor_lanes.h"
#include "ops/plan.h"
#include "tensor/tensor.h"

/* ---- checks: each raises and returns false */

/* At least two dimensions, of float32, float64, complex64 or complex128; the last two are equal where `square`. */
bool tni_linalg_check_sizes(const tn_tensor *tensor, const char *name, bool square); /* of any dtype */
bool tni_linalg_check_matrix(const tn_tensor *tensor, const char *name, bool square);
bool tni_linalg_check_dtype(const tn_tensor *tensor, const char *name);
bool tni_linalg_check_dtypes(const tn_tensor *a, const char *a_name, const tn_tensor *b, const char *b_name);

/* The sizes of two batches, all dimensions but the last `skip`, broadcast with each other. */
typedef struct tni_batch {
    int64_t ndim, sizes[TN_MAX_DIMS];
} tni_batch;
bool tni_linalg_check_batch(tni_batch *batch, const tn_tensor *a, int64_t a_skip, const tn_tensor *b, int64_t b_skip);

/* Whether B is a vector for each matrix: one alone, or with the sizes of A without its last dimension (solve.c). */
bool tni_linalg_of_vectors(const tn_tensor *A, const tn_tensor *B);

/* One more result: the batch dimensions of `like`, without its last two, and then rows and columns (TN_NONE: no such dimension). */
void tni_linalg_add(tni_plan *plan, const tn_tensor *like, int64_t rows, int64_t columns, tn_dtype dtype);
void tni_linalg_add_batch(tni_plan *plan, const tni_batch *batch, int64_t rows, int64_t columns, tn_dtype dtype);

/* Ones on the diagonal, of the dtype and on the device of a tensor, made of public operators. */
tn_tensor *tni_linalg_eye(const tn_tensor *like, int64_t rows, int64_t columns);

/* Of a composite row with several results: each is written to the tensor that was given for it, when all of those fit. Returns the first,
 * or NULL. */
tn_tensor *tni_linalg_put(tn_tensor *const *out, const char *const *names, int64_t count, const tn_list *made);

/* ---- stacks */

static inline int64_t tni_linalg_rows(const tn_tensor *t) { return t->sizes[t->ndim - 2]; }
static inline int64_t tni_linalg_columns(const tn_tensor *t) { return t->sizes[t->ndim - 1]; }

/* The matrices of a tensor; those of a batch that it is broadcast to. */
typedef struct tni_stack {
    char *data;
    int64_t count, ndim, sizes[TN_MAX_DIMS], strides[TN_MAX_DIMS]; /* of the batch; strides in bytes */
    int64_t row, column;
    bool plain; /* one matrix follows the other */
    int64_t step;
} tni_stack;

/* batch NULL: the tensor's own. A vector for each matrix (`last` 1) is a column. */
tni_stack tni_stack_of(const tn_tensor *tensor, const tni_batch *batch);
tni_stack tni_stack_of_vectors(const tn_tensor *tensor, const tni_batch *batch);
tni_matrix tni_stack_seek(const tni_stack *stack, int64_t i);
static inline tni_matrix tni_stack_at(const tni_stack *stack, int64_t i) {
    if (TNI_LIKELY(stack->plain))
        return (tni_matrix){stack->data + i * stack->step, stack->row, stack->column};
    return tni_stack_seek(stack, i);
}

/* The matrices of group g of as many as there are lanes (iterate/factor_lanes.h); how many there are. */
int64_t tni_stack_group(const tni_stack *stack, const tni_factor *factor, int64_t g, tni_matrix *matrices);

/* One matrix of the stack to another place. */
void tni_linalg_copy(const tni_factor *factor, int64_t m, int64_t n, tni_matrix from, tni_matrix to);

/* ---- the loop */

/* One matrix. `work` is of this thread alone. False where something failed, which has been raised. */
typedef bool (*tni_linalg_body)(void *context, int64_t i, void *work);

/* All of them: several at once where they are small, one after the other, each with threads of its own, where they are large.
 * `operations` is about how many multiplications one takes. */
tn_error tni_linalg_each(int64_t count, double operations, size_t work, tni_linalg_body body, void *context);

/* The same of groups of `count` small matrices; the body gets the number of a group. */
tn_error tni_linalg_each_group(const tni_factor *factor, int64_t count, double operations, size_t work, tni_linalg_body body,
                               void *context);

/* LU of a into lu, which is new (lu.c). */
tn_error tni_linalg_factor_lu(tn_tensor *lu, tn_tensor *pivots, tn_tensor *info, const tn_tensor *a, bool pivot);

/* The pivots and infos of the lanes of group g to where those of all matrices are. */
void tni_linalg_put_pivots(const tni_factor *factor, int64_t rank, int64_t g, int64_t count, const void *pivots,
                           const int32_t *info, int32_t *to, int32_t *to_info);

/* ---- errors: the first matrix whose info, an int32 for each, is not 0 */

typedef enum tni_linalg_fault {
    TNI_LINALG_SINGULAR,
    TNI_LINALG_INDEFINITE,
    TNI_LINALG_NOT_CONVERGED /* info: how many values did not */
} tni_linalg_fault;
tn_error tni_linalg_judge(const tn_tensor *info, tni_linalg_fault fault);

#endif

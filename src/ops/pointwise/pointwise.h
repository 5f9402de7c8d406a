/* pointwise.h - operators that compute each element of the result from the elements at the same place: their common part.
 *
 * A row of the operator table with a kernel needs nothing but that kernel: the generated implementation describes itself with
 * a tni_pointwise_spec and calls one of the two functions below. Operators that must look at their arguments first (pow, clamp)
 * do so in files of their own (pointwise_arithmetic.c, pointwise_clamp.c, ...; pointwise_prepare.h) before the same two are
 * called.
 */
#ifndef TNI_OPS_POINTWISE_H
#define TNI_OPS_POINTWISE_H

#include "dispatch/dispatch.h"
#include "kernels/loop.h"
#include "dispatch/operator_row.h"
#include "iterate/elements.h"
#include "tensor/tensor.h"

/* A rule besides those of operator_row.h, for comparisons of integers by value, whatever their dtypes: each is read as 64 bits,
 * and the loop (of uint64) finds in parameter 3 which have a sign: bit 0 for the first, 1 for the second. */
enum { TNI_RULE_WHOLE = COMPLEX + 1 };

/* Kinds of dtypes an operator makes sense for: bits of tni_pointwise_spec.kinds. */
enum { TNI_TAKES_BOOL = 1, TNI_TAKES_INTEGER = 2, TNI_TAKES_FLOAT = 4, TNI_TAKES_COMPLEX = 8, TNI_TAKES_ALL = 15 };

typedef struct tni_pointwise_spec {
    uint16_t kernel; /* TNI_KERNEL_*                                                            */
    uint8_t rule;    /* PROMOTE, ...: operator_row.h                                            */
    uint8_t check;   /* CHECK_*                                                                 */
    uint8_t operands;
    uint8_t kinds;      /* TNI_TAKES_*: which the rule's dtype may have; and LAYOUT_*                */
    const char *advice; /* what to do instead when it has another; NULL: nothing                   */
} tni_pointwise_spec;

/* A tensor, or (tensor NULL) a plain number, which takes part in promotion as one. */
typedef struct tni_pointwise_argument {
    const tn_tensor *tensor;
    const tn_scalar *number;
} tni_pointwise_argument;

/* Those of the rows that name a kernel, as the generator writes them: tn_operator.spec is a number among them. */
TNI_EXTERN const tni_pointwise_spec *const tni_pointwise_specs;
TNI_EXTERN const int64_t tni_pointwise_spec_count;

/* The public functions of these rows (pointwise_call.c): operator number `number` with its operands and, as scalars, its other
 * arguments in order. The new tensor, or `out`; NULL with the error raised. */
tn_tensor *tni_pointwise_call(int64_t number, const tni_pointwise_argument *arguments, const tn_scalar *numbers);
tn_tensor *tni_pointwise_call_into(int64_t number, tn_tensor *out, const tni_pointwise_argument *arguments,
                                   const tn_scalar *numbers);

/* The same from values, for the dispatcher. */
tn_error tni_pointwise_values(const tn_operator *op, const tn_value *values, tn_value *result);

/* The result as a new tensor; NULL with the error raised. */
tn_tensor *tni_pointwise_new(const tni_pointwise_spec *spec, const tni_pointwise_argument *arguments,
                             const tni_parameters *parameters);

/* The same where every tensor is known to be on the CPU: public functions call it once the dispatcher has said so. */
tn_tensor *tni_pointwise_new_here(const tni_pointwise_spec *spec, const tni_pointwise_argument *arguments,
                                  const tni_parameters *parameters);
tn_error tni_pointwise_into_here(const tni_pointwise_spec *spec, tn_tensor *out, const tni_pointwise_argument *arguments,
                                 const tni_parameters *parameters);

/* The result written to `out`, which is also the first argument when the operator is an in-place one. `out` keeps its dtype
 * (the cast rule must allow it) and its shape; one without elements is resized. Operands that overlap it other than element
 * for element are copied first. */
tn_error tni_pointwise_into(const tni_pointwise_spec *spec, tn_tensor *out, const tni_pointwise_argument *arguments,
                            const tni_parameters *parameters);

/* What determines the strides of a new result (pointwise_layout.c): its sizes, and the strides under these sizes of the
 * operands that are tensors, 0 where they are broadcast. */
typedef struct tni_pointwise_layout {
    int64_t ndim;
    const int64_t *sizes;
    bool same; /* there are only tensors, and all have these sizes */
    bool rows; /* row by row, whatever the operands are            */
    int count;
    const int64_t *strides[TNI_OPERANDS];
} tni_pointwise_layout;

/* Those strides; TN_GEOMETRY_OVERFLOW when they cannot be counted. */
tn_geometry_result tni_pointwise_strides(const tni_pointwise_layout *from, int64_t *strides);

/* The strides, under the sizes of `from`, that a dense copy of an operand has. */
tn_geometry_result tni_pointwise_copied_strides(const tni_pointwise_layout *from, const tn_tensor *operand, int64_t *strides);

/* The dtype the operator works in by its rule, or TN_DTYPE_DEFAULT with the error raised. */
tn_dtype tni_pointwise_dtype(const tni_pointwise_spec *spec, const tni_pointwise_argument *arguments);

#endif

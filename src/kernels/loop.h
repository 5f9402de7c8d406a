/* loop.h - the form of a pointwise kernel.
 *
 * A loop sees only contiguous arrays: data[0] (and data[1] where there are two results) is written, the others are read, all
 * `count` elements long. Strides, broadcasting, dtype conversion and plain numbers are handled by the iterator
 * (iterate/elements.c), which packs what is not contiguous block by block. So one short loop works for all strides, and gives
 * the same bits for all of them. A result may be the same array as an operand, never a shifted one.
 */
#ifndef TNI_LOOP_H
#define TNI_LOOP_H

#include <tenon/dtype.h>

enum { TNI_PARAMETERS = 4 };

/* Numbers that come with an operator (alpha, a slope, bounds), each in the forms kernels want. */
typedef struct tni_parameters {
    double real[TNI_PARAMETERS];
    int64_t whole[TNI_PARAMETERS];
    tn_complex128 complex[TNI_PARAMETERS];
} tni_parameters;

typedef void (*tni_loop)(void *const *data, int64_t count, const tni_parameters *parameters);

/* Put number `position` into the forms above. */
void tni_parameters_set(tni_parameters *parameters, int position, tn_scalar value);

/* The loop of a kernel for a dtype, for operators other than its own. NULL, raised, in a build that was made without it
 * (dispatch/parts.h). */
tni_loop tni_loop_of(int kernel, tn_dtype dtype);

#endif

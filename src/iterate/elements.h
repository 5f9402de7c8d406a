/* elements.h - runs a loop over operands of any strides and dtype. It does not know what is computed.
 *
 * Everything has been checked before: shapes are broadcast (stride 0), no result overlaps itself or, unless it is the very
 * same elements, an operand.
 */
#ifndef TNI_POINTWISE_H
#define TNI_POINTWISE_H

#include <tenon/geometry.h>

#include "base/common.h"
#include "kernels/loop.h"
#include "iterate/limits.h"

enum { TNI_OPERANDS = 6 }; /* results and operands together */

typedef struct tni_pointwise_operand {
    char *data;             /* the element at index 0, 0, ...                                             */
    const int64_t *strides; /* in elements, one for each dimension; NULL: the same element for all indices */
    tn_dtype dtype;         /* in memory                                                                  */
    tn_dtype compute;       /* what the loop reads or writes                                              */
} tni_pointwise_operand;

typedef struct tni_pointwise_job {
    int64_t ndim;
    const int64_t *sizes;
    int results, operands; /* operand[0 .. results-1] are written, up to operand[operands-1] read */
    tni_pointwise_operand operand[TNI_OPERANDS];
    tni_loop loop;
    const tni_parameters *parameters;
    tn_dtype narrow;  /* operands whose bit is set in `rounded` become numbers of this dtype */
    unsigned rounded; /* before the loop reads them                                                 */
} tni_pointwise_job;

/* Compute all elements: in pieces cut only by the data, so the bits do not depend on the number of threads. Cannot fail: it
 * allocates nothing. */
void tni_pointwise_run(const tni_pointwise_job *job);

#endif

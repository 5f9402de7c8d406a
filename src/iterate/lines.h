/* lines.h - runs a function over all lines of tensors along one dimension: for sorting, scans, softmax and the like.
 *
 * A line is the elements that differ only in their index of that dimension. The function sees each line as a contiguous array
 * of the dtype it computes in, whatever the strides and the dtype in memory: other lines are packed, several neighbours at a
 * time where memory is ordered like that, and results are unpacked. So the function is one plain loop, and gives the same bits
 * for all strides and numbers of threads.
 *
 * Everything has been checked before: the tensors agree in their sizes except along the dimension, where each has its own
 * length; no result overlaps itself or, unless it is the very same elements, an operand.
 */
#ifndef TNI_LINES_H
#define TNI_LINES_H

#include <tenon/geometry.h>

#include "base/common.h"
#include "base/error.h"
#include "dispatch/backend.h"
#include "tensor/tensor.h"

enum { TNI_LINE_OPERANDS = 6 };

typedef struct tni_line_operand {
    char *data;             /* the element at index 0, 0, ...                                                             */
    const int64_t *strides; /* in elements, one for each dimension of the job                                             */
    int64_t length;         /* of its lines                                                                               */
    tn_dtype dtype;         /* in memory                                                                                  */
    tn_dtype compute;       /* what the function reads or writes                                                          */
    bool reads, writes;     /* a line that is only written need not be packed; one that is both is changed where it is    */
} tni_line_operand;

/* lines[k] is the line of operand k; number counts the lines in row-major order of the other dimensions; scratch is what the
 * job asked for, aligned to 64 bytes, the thread's own, not initialised. It cannot fail; but with a long line it asks now and
 * then whether to go on (TNI_IN_STEPS), and leaves out the rest if not. */
typedef void (*tni_line_function)(void *const *lines, int64_t number, void *scratch, void *context);

/* The same for `many` lines that follow each other without a gap, in every operand and as they are computed. How many it is given makes
 * no difference to the results. */
typedef void (*tni_lines_function)(void *const *lines, int64_t many, void *context);

typedef struct tni_lines_job {
    int64_t ndim, dim;    /* ndim 0: one line of one element, dim is ignored        */
    const int64_t *sizes; /* the entry of `dim` is ignored                          */
    int operands;
    tni_line_operand operand[TNI_LINE_OPERANDS];
    tni_line_function function;
    tni_lines_function together; /* for functions that do short lines better together; or NULL */
    void *context;
    size_t scratch; /* bytes a thread needs                                     */
    int64_t work;   /* about how many elements' worth of simple work a line is: decides how many make a thread's piece; 0: the
                       longest length */
    tn_device
        device; /* of all operands. Where it is not the CPU, the job is not run here but handed over (ops/line/line_job.h), */
    tni_job_kernel kernel; /* with this for what the function does                                                            */
    int64_t numbers;       /* and these beside it                                                                             */
    const double *number;
} tni_lines_job;

/* Fails only for lack of memory for the buffers, before the first line. */
tn_error tni_lines_run(const tni_lines_job *job);

/* An operand over a tensor; read or written as the names say (the write must have been prepared). */
tni_line_operand tni_line_read(const tn_tensor *tensor, int64_t dim, tn_dtype compute);
tni_line_operand tni_line_write(tn_tensor *tensor, int64_t dim, tn_dtype compute);

#endif

/* sort.h - shared by the operators that put lines in order: the loop over the lines. */
#ifndef TNI_OPS_SORT_H
#define TNI_OPS_SORT_H

#include "iterate/lines.h"
#include "ops/sort/sort_order.h"

/* What every such function of a line gets; the first member of its own context. */
typedef struct tni_sort_line {
    tn_dtype dtype;
    int64_t length;
    bool alone;   /* the only line, and a long one: threads may share it */
    void *memory; /* its scratch then                                    */
} tni_sort_line;

static inline void *tni_sort_scratch(const tni_sort_line *line, void *scratch) { return line->memory ? line->memory : scratch; }

/* Run a job over the lines of self along dim (not checked here); operand 0 is filled in, those after it, and what a device is told, are
 * the caller's. A long line that is alone gets its scratch from the allocator, which keeps memory for the next call. */
tn_error tni_sort_run(tni_lines_job *job, const tn_tensor *self, int64_t dim, size_t scratch, tni_sort_line *line);

/* An operand that writes `length` elements a line: `out` has the dimensions of self with another size along dim, or, without
 * that dimension, one element for each line. `room` keeps its strides. */
tni_line_operand tni_sort_write(tn_tensor *out, const tn_tensor *self, int64_t dim, int64_t length, int64_t *room);

/* The sizes of self with another size along dim; -1 leaves the dimension out. Returns how many there are. */
int64_t tni_sort_sizes(const tn_tensor *self, int64_t dim, int64_t length, int64_t *sizes);

#endif

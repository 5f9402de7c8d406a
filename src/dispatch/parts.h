/* parts.h - what this build was made without. dispatch/parts.def lists the parts, tn_parts_left_out reports them to callers. */
#ifndef TNI_PARTS_H
#define TNI_PARTS_H

#include <tenon/dtype.h>

#include "base/common.h"

typedef struct tni_part {
    const char *name;
    const char *operators; /* NULL; where it is left out, the names of its operators, with a space before and after each */
} tni_part;

/* The parts in their order, and for every kernel the number of the part that its operators belong to; -1 for none. */
TNI_EXTERN const tni_part *const tni_parts;
TNI_EXTERN const int tni_part_count;
TNI_EXTERN const int8_t *const tni_kernel_parts;

/* TN_ERROR_UNSUPPORTED: this build was made without that part. By the operator that runs, or by one that is named. */
tn_error tni_left_out(const char *part);
tn_error tni_left_out_in(const char *operator_name, const char *part);

/* There is no operator of this name: raises that, or which part it belongs to. */
tn_error tni_raise_no_operator(const char *function, const char *name);

/* A kernel has no loop for a dtype: whether that is because a part was left out. Raises then. */
bool tni_loop_left_out(int kernel, tn_dtype dtype);

#endif

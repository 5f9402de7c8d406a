/* view.h - shared by the files that implement views. */
#ifndef TNI_VIEW_H
#define TNI_VIEW_H

#include <tenon/index.h>

#include "tensor/tensor.h"

/* The view of `self` that the geometry describes. */
static inline tn_tensor *tni_view_of(const tn_tensor *self, const tn_geometry *to) {
    return tni_tensor_view(self, to->ndim, to->sizes, to->strides, to->offset);
}

/* NULL, with the error for `result`: the arguments, printed by the format, then what is wrong with them, then what self is.
 * Used after a ?: or an if, so that the texts of the arguments are made only when needed. */
void *tni_view_refuse(const tn_tensor *self, tn_geometry_result result, const char *format, ...) TNI_COLD TN_PRINTF(3, 4);

/* Put the geometry of a view just made into `self` (the in-place forms); takes over `view`, which may be NULL. */
tn_error tni_view_assign(tn_tensor *self, tn_tensor *view);

/* Read an index from text into `items` (2 * TN_MAX_DIMS of them). False, with the column in the error, when it cannot. */
bool tni_index_parse(const char *text, tn_index_item *items, int64_t *count);

#endif

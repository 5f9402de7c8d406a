/* view.h - shared by the files that implement views. */
#ifndef TNI_VIEW_H
#define TNI_VIEW_H

#include "operator_impls.h"
#include "tensor/tensor.h"

/* The view of `self` that the geometry describes, or NULL with the error for `result`: the arguments, printed by the format,
 * then what is wrong with them, then what self is. */
tn_tensor *tni_view_or_refuse(const tn_tensor *self, tn_geometry_result result, const tn_geometry *to, const char *format, ...)
    TN_PRINTF(4, 5);

/* Put the geometry of a view just made into `self` (the in-place forms); takes over `view`, which may be NULL. */
tn_error tni_view_assign(tn_tensor *self, tn_tensor *view);

/* A one-line reason for a copy that a reshape has to make, in a rotating buffer; "" when nobody listens. */
const char *tni_reshape_reason(const tn_tensor *self, tn_dims shape);

/* The part of `self` that an index selects, as a view. */
tn_tensor *tni_index_view(const tn_tensor *self, tn_index_list index);

/* Read an index from text into `items` (2 * TN_MAX_DIMS of them). False, with the column in the error, when it cannot. */
bool tni_index_parse(const char *text, tn_index_item *items, int64_t *count);

#endif

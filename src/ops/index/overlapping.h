/* overlapping.h - writing by index to a tensor several of whose elements share a place: an expanded one, mostly;
 * and adding by index to few elements of a large one. */
#ifndef TNI_OVERLAPPING_H
#define TNI_OVERLAPPING_H

#include <tenon/index.h>

#include "tensor/tensor.h"

/* self[index] = values, or (values NULL) = value, or += values, as in tni_index_put: where several elements share a place the
 * last in row-major order stays, sums have all of them. The first one warns. The dtype of values, and whether self can hold the
 * value, have been checked. */
tn_error tni_overlapping_put(tn_tensor *self, tn_index_list index, const tn_tensor *values, tn_scalar value, bool accumulate);
tn_error tni_overlapping_write(tn_tensor *self, tn_index_list index, const tn_tensor *values, tn_scalar value, bool accumulate);

/* += at `places`, which tni_index_places gave; the sums are formed in the dtype of `values`, wider than that of self, and only
 * the places that are named cost memory. self has been prepared for writing. */
tn_error tni_overlapping_add(tn_tensor *self, tn_tensor *places, const tn_tensor *values);

#endif

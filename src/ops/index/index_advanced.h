/* index_advanced.h - self[...] with tensors or conditions among the items. */
#ifndef TNI_INDEX_ADVANCED_H
#define TNI_INDEX_ADVANCED_H

#include <tenon/index.h>

#include "tensor/tensor.h"

/* Whether an index has them. */
static inline bool tni_index_is_advanced(tn_index_list index) {
    for (int64_t i = 0; i < index.count; i++)
        if (TNI_UNLIKELY(index.items[i].kind == TN_INDEX_TENSOR || index.items[i].kind == TN_INDEX_WHEN))
            return true;
    return false;
}

/* A copy of what is selected; a view where the tensors are single positions. */
tn_tensor *tni_index_advanced(const tn_tensor *self, tn_index_list index);

/* self[...] = values, which are broadcast, or (values NULL) the number. */
tn_error tni_index_assign(tn_tensor *self, tn_index_list index, const tn_tensor *values, tn_scalar value);

/* The same in two steps, and accumulate adds instead: whether dtypes and, on the meta device, sizes fit, or raised; and the
 * write, on the CPU, which checks the rest before it. */
bool tni_index_put_allows(const tn_tensor *self, tn_index_list index, const tn_tensor *values, tn_scalar value,
                          bool accumulate);
tn_error tni_index_put(tn_tensor *self, tn_index_list index, const tn_tensor *values, tn_scalar value, bool accumulate);

/* Where the elements are that an index selects: int64, with the sizes of self[...], how far each is from the lowest element of
 * self, in elements. The caller owns `places`; it is NULL, which is not a failure, where there would be more than `most`. */
tn_error tni_index_places(const tn_tensor *self, tn_index_list index, int64_t most, tn_tensor **places);

#endif

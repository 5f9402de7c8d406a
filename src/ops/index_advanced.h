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

/* self[...] = values, which are broadcast, or (values NULL) the number. accumulate adds instead. */
tn_error tni_index_put(tn_tensor *self, tn_index_list index, const tn_tensor *values, tn_scalar value, bool accumulate);

#endif

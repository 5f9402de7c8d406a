/* find_zero.c - whether an integer tensor has a 0 in it: asked before an integer division writes anything. */
#include "ops/find_zero.h"

#include "iterate/layout.h"

static bool zero_in_row(const char *at, int64_t stride, int64_t count, size_t item) {
    uint64_t any = 0;
    for (int64_t i = 0; i < count; i++, at += stride) {
        uint64_t value = 0;
        memcpy(&value, at, item);
        any |= value == 0;
    }
    return any != 0;
}

bool tni_has_zero(const tn_tensor *tensor) {
    if (tensor->numel == 0)
        return false;
    size_t item = tni_tensor_item_size(tensor);
    tni_layout layout;
    tni_layout_begin(&layout, tensor->ndim, tensor->sizes);
    tni_layout_add(&layout, tensor->strides, item);
    tni_layout_simplify(&layout);
    const char *at = tni_tensor_read(tensor) + layout.starts[0];
    if (layout.ndim == 0)
        return zero_in_row(at, 0, 1, item);
    int64_t index[TN_MAX_DIMS] = {0};
    for (;;) {
        if (zero_in_row(at, layout.strides[0][0], layout.sizes[0], item))
            return true;
        int64_t d = 1;
        for (; d < layout.ndim; d++) {
            at += layout.strides[0][d];
            if (++index[d] < layout.sizes[d])
                break;
            at -= layout.strides[0][d] * layout.sizes[d];
            index[d] = 0;
        }
        if (d >= layout.ndim)
            return false;
    }
}

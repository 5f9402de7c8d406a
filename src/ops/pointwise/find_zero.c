/* find_zero.c - whether an integer tensor contains a 0: asked before an integer division writes anything.
 *
 * A dimension of stride 0 shows the same elements again and is visited once, so a few elements expanded to 2^40 are still a
 * few.
 */
#include "ops/pointwise/find_zero.h"

#include "base/cancel.h"
#include "iterate/nest.h"
#include "kernels/table.h"
#include "ops/limits.h"

bool tni_has_zero(const tn_tensor *tensor) {
    if (tensor->numel == 0)
        return false;
    size_t item = tni_tensor_item_size(tensor);
    tni_has_zero_function has_zero = tni_kernels()->has_zero[tni_element_index(item)];
    tni_nest nest;
    int64_t sizes[TN_MAX_DIMS];
    for (int64_t d = 0; d < tensor->ndim; d++)
        sizes[d] = tensor->strides[d] == 0 ? 1 : tensor->sizes[d];
    tni_nest_begin(&nest, tensor->ndim, sizes);
    tni_nest_add(&nest, tensor->strides, item);
    tni_nest_simplify(&nest);
    const char *at = tni_tensor_read(tensor) + nest.starts[0];
    if (nest.ndim == 0)
        return has_zero(at, 0, 1);
    int64_t index[TN_MAX_DIMS] = {0}, seen = 0;
    for (;;) {
        for (int64_t done = 0, many; done < nest.sizes[0]; done += many) {
            many = tni_min_i64(nest.sizes[0] - done, FIND_ZERO_BLOCK);
            if (has_zero(at + done * nest.strides[0][0], nest.strides[0][0], many))
                return true;
            if ((seen += many) >= FIND_ZERO_BLOCK) {
                seen = 0;
                if (tni_cancel_poll() != TN_OK)
                    return false; /* nothing is written any more */
            }
        }
        int64_t d = 1;
        for (; d < nest.ndim; d++) {
            at += nest.strides[0][d];
            if (++index[d] < nest.sizes[d])
                break;
            at -= nest.strides[0][d] * nest.sizes[d];
            index[d] = 0;
        }
        if (d >= nest.ndim)
            return false;
    }
}

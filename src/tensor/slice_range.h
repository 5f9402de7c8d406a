/* slice_range.h - start : end : step, as in Python: the first position, and how many there are. Inline, because slicing takes
 * only nanoseconds; its public function is tn_geometry_slice_range. */
#ifndef TNI_SLICE_RANGE_H
#define TNI_SLICE_RANGE_H

#include <tenon/geometry.h>

#include "base/common.h"

/* A start or end of a slice, limited to [lowest, highest]. */
static inline int64_t tni_slice_limit(int64_t at, int64_t size, int64_t lowest, int64_t highest) {
    if (at < 0)
        at += size;
    return at < lowest ? lowest : at > highest ? highest : at;
}

/* False for a step of 0. */
static inline bool tni_slice_range(int64_t size, int64_t start, int64_t end, int64_t step, int64_t *first, int64_t *length) {
    if (TNI_LIKELY(step > 0)) {
        start = start == TN_NONE ? 0 : tni_slice_limit(start, size, 0, size);
        end = end == TN_NONE ? size : tni_slice_limit(end, size, start, size);
        *first = start;
        *length = step == 1 ? end - start : end > start ? (end - start - 1) / step + 1 : 0; /* dividing is slow */
        return true;
    }
    if (step == 0)
        return false;
    /* With a negative step, "before the first" is -1, which no argument can express: a negative one counts from the end. */
    start = start == TN_NONE ? size - 1 : tni_slice_limit(start, size, -1, size - 1);
    end = end == TN_NONE ? -1 : tni_slice_limit(end, size, -1, size - 1);
    *first = start < 0 ? 0 : start;
    *length = start > end ? (int64_t)((uint64_t)(start - end - 1) / (0 - (uint64_t)step)) + 1 : 0;
    return true;
}

#endif

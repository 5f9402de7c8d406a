/* blocks.h - elements moved and converted with the kernels of the table: what every walk over memory does between strided
 * memory and the contiguous blocks that loops read and write.
 *
 * Addresses and strides are in bytes; source and target do not overlap.
 */
#ifndef TNI_BLOCKS_H
#define TNI_BLOCKS_H

#include <string.h>

#include "kernels/table.h"

/* The rest of tni_block_convert: one dtype, or a pair that has no kernel of its own. */
void tni_block_convert_otherwise(tn_dtype to, void *target, tn_dtype from, const void *source, int64_t count);

/* `count` elements next to each other, from one dtype to another or the same. */
static inline void tni_block_convert(tn_dtype to, void *target, tn_dtype from, const void *source, int64_t count) {
    tni_convert_function convert = tni_kernel_convert(tni_kernels(), from, to);
    if (TNI_LIKELY(convert != NULL))
        convert(target, source, (size_t)count);
    else
        tni_block_convert_otherwise(to, target, from, source, count);
}

/* `count` elements of `item` bytes, each a stride away from the one before. */
static inline void tni_block_move(size_t item, char *target, int64_t target_stride, const char *source, int64_t source_stride,
                                  int64_t count) {
    if (target_stride == (int64_t)item && source_stride == (int64_t)item)
        memcpy(target, source, (size_t)count * item);
    else
        tni_kernels()->strided[tni_element_index(item)](target, target_stride, source, source_stride, count);
}

/* Rows of strided elements to rows of contiguous elements a pitch apart; and back. Where the rows are next to each other
 * element by element, that is a transposition.
 *
 *   anywhere: `rows` rows `next` bytes apart, in each `count` elements `step` bytes apart */
void tni_block_gather(size_t item, char *target, int64_t pitch, const char *anywhere, int64_t next, int64_t step, int64_t rows,
                      int64_t count);
void tni_block_scatter(size_t item, char *anywhere, int64_t next, int64_t step, const char *source, int64_t pitch, int64_t rows,
                       int64_t count);

#endif

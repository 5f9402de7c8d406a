/* blocks.c - the rarer ways of blocks.h. */
#include "kernels/blocks.h"

#include "kernels/limits.h"

TNI_NOINLINE void tni_block_convert_otherwise(tn_dtype to, void *target, tn_dtype from, const void *source, int64_t count) {
    const tni_kernel_table *kernels = tni_kernels();
    int64_t source_item = (int64_t)tni_dtype_size(from), target_item = (int64_t)tni_dtype_size(to);
    if (to == from) {
        memcpy(target, source, (size_t)(count * target_item));
        return;
    }
    tn_complex128 block[TNI_CARRIERS]; /* the widest carrier */
    tni_convert_function widen = kernels->widen[from];
    tni_convert_function narrow = kernels->narrow[(int)tni_widen[from].carrier * TN_DTYPE_COUNT + (int)to];
    for (int64_t done = 0; done < count; done += TNI_CARRIERS) {
        size_t many = (size_t)tni_min_i64(TNI_CARRIERS, count - done);
        widen(block, (const char *)source + done * source_item, many);
        narrow((char *)target + done * target_item, block, many);
    }
}

void tni_block_gather(size_t item, char *target, int64_t pitch, const char *anywhere, int64_t next, int64_t step, int64_t rows,
                      int64_t count) {
    if (next == (int64_t)item && rows > 1)
        tni_kernels()->transpose[tni_element_index(item)](target, pitch, anywhere, step, count, rows);
    else
        for (int64_t row = 0; row < rows; row++)
            tni_block_move(item, target + row * pitch, (int64_t)item, anywhere + row * next, step, count);
}

void tni_block_scatter(size_t item, char *anywhere, int64_t next, int64_t step, const char *source, int64_t pitch, int64_t rows,
                       int64_t count) {
    if (next == (int64_t)item && rows > 1)
        tni_kernels()->transpose[tni_element_index(item)](anywhere, step, source, pitch, rows, count);
    else
        for (int64_t row = 0; row < rows; row++)
            tni_block_move(item, anywhere + row * next, step, source + row * pitch, (int64_t)item, count);
}

/* move.h - shared by the operators that move elements: strided copies built dimension by dimension.
 *
 * Joining, repeating, rolling and padding are copies of parts of one tensor into parts of another. Each part is one call of the
 * copy engine (copy_engine.h), which takes any strides, converts between dtypes and uses several threads, or, on another
 * device, one job of its backend; this file only says which elements go where.
 */
#ifndef TNI_MOVE_H
#define TNI_MOVE_H

#include "ops/copy/copy_engine.h"
#include "tensor/tensor.h"

/* One copy. Dimensions of size 1 are not kept, so that there is room for all others: a tensor of 2^62 elements has at most 62
 * of them. */
typedef struct tni_move {
    tn_device device;
    char *target;
    const char *source;
    tn_dtype target_dtype, source_dtype;
    bool empty;
    int64_t ndim;
    int64_t sizes[TN_MAX_DIMS], target_strides[TN_MAX_DIMS], source_strides[TN_MAX_DIMS];
} tni_move;

/* From the first element of `source` to that of `target`, which has been prepared for writing. */
void tni_move_begin(tni_move *move, tn_tensor *target, const tn_tensor *source);

/* One more dimension; strides in elements. */
static inline void tni_move_dim(tni_move *move, int64_t size, int64_t target_stride, int64_t source_stride) {
    move->empty |= size == 0;
    if (size == 1)
        return;
    move->sizes[move->ndim] = size;
    move->target_strides[move->ndim] = target_stride;
    move->source_strides[move->ndim++] = source_stride;
}

/* On the CPU it cannot fail. */
tn_error tni_move_run(const tni_move *move);

/* The same for a copy that is already built: target and source are on the device. And one element, which is in the CPU's
 * memory, everywhere in the target, whose dtype it has. */
tn_error tni_move_elements(tn_device device, const tni_copy *copy);
tn_error tni_move_fill(tn_device device, const tni_copy *copy, const char *element);

/* 0 everywhere in a new contiguous tensor. */
tn_error tni_move_clear(tn_tensor *target);

/* A range of positions of one dimension: target, target + 1, ... receive source, source + step, ..., or, where source is
 * negative, a constant. */
typedef struct tni_move_segment {
    int64_t target, source, length, step; /* step is 1, 0 or -1 */
} tni_move_segment;

enum { TNI_SEGMENTS = 3 };

/* A dimension that is moved in ranges. */
typedef struct tni_cut {
    int64_t dim;
    int count;
    tni_move_segment segment[TNI_SEGMENTS];
} tni_cut;

/* Copy every combination of the ranges of the cut dimensions, which are given in ascending order, all other dimensions whole.
 * The tensors have the same dtype and number of dimensions, and do not overlap. `element` is the constant, if there is one. */
tn_error tni_move_cuts(tn_tensor *target, const tn_tensor *source, const tni_cut *cuts, int64_t count, const char *element);

/* Whether the strides of `self` ask for a result in channels last: what torch calls the suggested memory format. */
static inline bool tni_suggests_channels_last(const tn_tensor *self) {
    return tn_geometry_is_channels_last(self->ndim, self->sizes, self->strides);
}

/* The product of two sizes; raises TN_ERROR_SHAPE, naming what they are, when it is too large. */
bool tni_move_size(int64_t a, int64_t b, const char *what, int64_t *product);

#endif

/* fill.c - a pattern repeated over memory at the speed of memcpy, and the operators that give a filled tensor like another.
 *
 * A block that stays in the first cache is made by a loop and copied over the rest; where all bytes of the element are equal,
 * memset does it all. So libc does the work for large memory, and small memory is filled at once.
 */
#include "ops/create/fill.h"

#include "base/error.h"
#include "base/parallel.h"
#include "operators_copy.h"
#include "operators_create.h"
#include "operators_view.h"
#include "ops/copy/copy.h"
#include "ops/create/create.h"
#include "ops/limits.h"

/* `count` copies of an element: for a few, a loop is done before a call of memcpy has begun. */
static void fill_block(char *target, const void *element, size_t size, size_t count) {
#define FILL_WITH(type)                                                                                                        \
    {                                                                                                                          \
        type one;                                                                                                              \
        memcpy(&one, element, sizeof one);                                                                                     \
        for (size_t i = 0; i < count; i++)                                                                                     \
            memcpy(target + i * sizeof one, &one, sizeof one);                                                                 \
        break;                                                                                                                 \
    }
    switch (size) {
    case 1: memset(target, *(const unsigned char *)element, count); break;
    case 2: FILL_WITH(uint16_t)
    case 4: FILL_WITH(uint32_t)
    case 8: FILL_WITH(uint64_t)
    default: FILL_WITH(tn_complex128)
    }
#undef FILL_WITH
}

static bool fill_is_uniform(const unsigned char *element, size_t size) {
    size_t same = 1;
    while (same < size && element[same] == element[0])
        same++;
    return same == size;
}

void tni_fill_contiguous(void *target, const void *element, size_t size, int64_t count) {
    size_t total = size * (size_t)count;
    char *out = target;
    if (total == 0)
        return;
    if (total <= FILL_BLOCK) {
        fill_block(out, element, size, (size_t)count);
    } else if (fill_is_uniform(element, size)) {
        memset(out, *(const unsigned char *)element, total);
    } else {
        fill_block(out, element, size, FILL_BLOCK / size);
        for (size_t done = FILL_BLOCK; done < total; done += FILL_BLOCK)
            memcpy(out + done, out, total - done < FILL_BLOCK ? total - done : FILL_BLOCK);
    }
}

bool tni_fill_value(const tn_tensor *value, tn_scalar *number) {
    if (value->ndim != 0) {
        tni_raise(TN_ERROR_SHAPE, "value is %s, which is not a single number: it must have no dimensions",
                  tni_show_tensor(value));
        return false;
    }
    *number = tn_dtype_load(value->dtype, tni_tensor_read(value));
    return true;
}

tn_tensor *tni_op_fill(const tn_tensor *self, tn_scalar value) {
    return tni_op_full_like(self, value, TN_DTYPE_DEFAULT, TN_PRESERVE);
}

/* A number on a device is not read, but copied to every place. */
static const char fill_reason[] = "the value is not in the CPU's memory: it is copied to every element";

tn_tensor *tni_op_fill_tensor(const tn_tensor *self, const tn_tensor *value) {
    tn_scalar number;
    if (TNI_LIKELY(tni_fill_value_is_here(value)))
        return tni_fill_value(value, &number) ? tni_op_fill(self, number) : NULL;
    tn_tensor *made = tni_op_empty_like(self, TN_DTYPE_DEFAULT, TN_PRESERVE);
    if (made && tni_copy_into(made, value, fill_reason) != TN_OK) {
        tni_tensor_release(made);
        return NULL;
    }
    return made;
}
tn_error tni_op_fill_tensor_(tn_tensor *self, const tn_tensor *value) {
    tn_scalar number;
    if (TNI_UNLIKELY(!tni_fill_value_is_here(value)))
        return tni_copy_into(self, value, fill_reason);
    return tni_fill_value(value, &number) ? tni_op_fill_(self, number) : tni_failed();
}

/* From one place of the diagonal to the next is one step along every dimension. In a tall matrix it begins again below the row
 * that follows its end. */
static void fill_diagonal(tn_tensor *self, const char *element, int64_t size, bool wrap) {
    int64_t item = (int64_t)tni_tensor_item_size(self), step = 0;
    int64_t rows = wrap ? self->sizes[0] : size, again = wrap ? self->sizes[1] + 1 : INT64_MAX;
    for (int64_t d = 0; d < self->ndim; d++)
        step += self->strides[d] * item;
    for (int64_t first = 0, ask = TNI_STEP; first < rows; first += tni_min_i64(again, rows)) {
        if (first >= ask) {
            ask = first + TNI_STEP;
            if (!tni_goes_on())
                return;
        }
        char *target = tni_tensor_write(self) + first * self->strides[0] * item;
        TNI_IN_STEPS (begin, end, tni_min_i64(size, rows - first))
            for (int64_t i = begin; i < end; i++)
                memcpy(target + i * step, element, (size_t)item);
    }
}

/* Where the CPU does not write: each part of the diagonal is a view that is filled. */
static tn_error fill_diagonal_views(tn_tensor *self, tn_scalar value, int64_t size, bool wrap) {
    int64_t step = 0, rows = wrap ? self->sizes[0] : size, again = wrap ? self->sizes[1] + 1 : INT64_MAX;
    tn_error code = TN_OK;
    for (int64_t d = 0; d < self->ndim; d++)
        step += self->strides[d];
    for (int64_t first = 0; code == TN_OK && first < rows; first += tni_min_i64(again, rows)) {
        int64_t count = tni_min_i64(size, rows - first);
        tn_tensor *part = tni_tensor_view(self, 1, &count, &step, self->offset + first * self->strides[0]);
        code = part ? tni_fill_into(part, value) : tni_failed();
        tni_tensor_release(part);
    }
    return code;
}

tn_error tni_op_fill_diagonal_(tn_tensor *self, tn_scalar fill_value, bool wrap) {
    _Alignas(16) char element[16];
    if (self->ndim < 2)
        return tni_raise(TN_ERROR_SHAPE, "self must have at least 2 dimensions to have a diagonal, it is %s",
                         tni_show_tensor(self));
    int64_t size = self->sizes[0];
    for (int64_t d = 0; d < self->ndim; d++) {
        if (self->ndim > 2 && self->sizes[d] != size)
            return tni_raise(TN_ERROR_SHAPE, "self %s has more than 2 dimensions, whose sizes must then be equal",
                             tni_show_tensor(self));
        size = tni_min_i64(size, self->sizes[d]);
    }
    if (!tni_create_can_hold(self->dtype, fill_value) || !tni_tensor_prepare_write(self))
        return tni_failed();
    tn_dtype_store(self->dtype, element, fill_value);
    wrap = wrap && self->ndim == 2 && self->sizes[0] > self->sizes[1];
    if (size > 0 && tni_tensor_device(self).type != TN_CPU)
        return fill_diagonal_views(self, fill_value, size, wrap);
    if (size > 0)
        fill_diagonal(self, element, size, wrap);
    tni_tensor_bump(self);
    return TN_OK;
}

tn_tensor *tni_op_zero(const tn_tensor *self) { return tni_op_zeros_like(self, TN_DTYPE_DEFAULT, TN_PRESERVE); }

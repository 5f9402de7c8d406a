/* fill.c - a pattern repeated over memory at the speed of memcpy, and the operators that give a filled tensor like another.
 *
 * A block that stays in the first cache is made by a loop and copied over the rest; where all bytes of the element are equal,
 * memset does it all. So the work on much memory is the libc's, and that on little begins at once.
 */
#include "ops/fill.h"

#include "base/error.h"
#include "operator_impls.h"

enum { FILL_BLOCK = 4096 };

/* `count` copies of an element: for few of them a loop is over before a call of memcpy has begun. */
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
tn_tensor *tni_op_fill_tensor(const tn_tensor *self, const tn_tensor *value) {
    tn_scalar number;
    return tni_fill_value(value, &number) ? tni_op_fill(self, number) : NULL;
}
tn_error tni_op_fill_tensor_(tn_tensor *self, const tn_tensor *value) {
    tn_scalar number;
    return tni_fill_value(value, &number) ? tni_op_fill_(self, number) : tn_error_code();
}
tn_tensor *tni_op_zero(const tn_tensor *self) { return tni_op_zeros_like(self, TN_DTYPE_DEFAULT, TN_PRESERVE); }

/* fill.c - a pattern repeated over memory at the speed of memcpy, and the operators that give a filled tensor like another.
 *
 * memset where all bytes of the element are equal; else a block that stays in the first cache is made by doubling and copied
 * over the rest, so that the work is memcpy's, which every libc has tuned.
 */
#include "ops/fill.h"

#include "base/error.h"
#include "operator_impls.h"

enum { FILL_BLOCK = 4096 };

void tni_fill_contiguous(void *target, const void *element, size_t size, int64_t count) {
    const unsigned char *bytes = element;
    size_t total = size * (size_t)count, same = 1;
    if (total == 0)
        return;
    while (same < size && bytes[same] == bytes[0])
        same++;
    if (same == size) {
        memset(target, bytes[0], total);
        return;
    }
    char *out = target;
    size_t block = total < FILL_BLOCK ? total : FILL_BLOCK - FILL_BLOCK % size;
    memcpy(out, element, size);
    for (size_t done = size; done < block;) {
        size_t many = done < block - done ? done : block - done;
        memcpy(out + done, out, many);
        done += many;
    }
    for (size_t done = block; done < total; done += block)
        memcpy(out + done, out, block < total - done ? block : total - done);
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

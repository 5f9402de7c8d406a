/* data_pointer.c - memory together with how to give it back.
 *
 * Invariant: a data pointer owns something if and only if ctx is not NULL. It is a plain value, and moving prevents two owners:
 * what was moved from is empty, but still says which device it was for.
 */
#include <tenon/memory.h>

#include "base/common.h"

tn_data_ptr tn_data_ptr_make(void *data, void *ctx, tn_deleter deleter, tn_device device) {
    return (tn_data_ptr){data, ctx, deleter, device};
}

tn_data_ptr tn_data_ptr_move(tn_data_ptr *pointer) {
    if (!pointer)
        return (tn_data_ptr){NULL, NULL, NULL, TN_DEVICE_CPU};
    tn_data_ptr moved = *pointer;
    *pointer = (tn_data_ptr){NULL, NULL, NULL, moved.device};
    return moved;
}

/* Empty before the deleter runs: a deleter that comes back to the same pointer finds nothing to free twice. */
void tn_data_ptr_clear(tn_data_ptr *pointer) {
    tn_data_ptr old = tn_data_ptr_move(pointer);
    if (old.ctx && old.deleter)
        old.deleter(old.ctx);
}

void *tn_data_ptr_release_ctx(tn_data_ptr *pointer) {
    if (!pointer)
        return NULL;
    void *ctx = pointer->ctx;
    pointer->ctx = NULL;
    pointer->deleter = NULL;
    return ctx;
}

bool tn_data_ptr_exchange_deleter(tn_data_ptr *pointer, tn_deleter expected, tn_deleter replacement) {
    if (!pointer || pointer->deleter != expected)
        return false;
    pointer->deleter = replacement;
    return true;
}

bool tn_data_ptr_is_simple(const tn_data_ptr *pointer) { return pointer && pointer->data == pointer->ctx; }

/* dlpack.c - DLPack: tensors handed to other libraries, and taken from them, without a copy. Both structs of the specification are
 * understood: the versioned one of DLPack 1, which can say that memory is read-only, and the one before it.
 *
 * Invariant: a storage that was handed out lives until the deleter is called; it has one reference for that, which the deleter, from
 * whatever thread, gives back.
 */
#include <tenon/files.h>

#include "base/error.h"
#include "base/heap.h"
#include "base/scope.h"
#include "tensor/check.h"

/* ---- out */

/* One block: the struct that is handed out, what it needs, and the storage. */
typedef struct dlpack_lent {
    union dlpack_either {
        tn_dlpack_unversioned old;
        tn_dlpack_versioned versioned;
    } as;
    tn_storage *storage;
    size_t size;
    int64_t numbers[]; /* sizes, then strides */
} dlpack_lent;

static void dlpack_return(void *context) {
    dlpack_lent *lent = context;
    tni_storage_release(lent->storage);
    tni_heap_free(lent, lent->size);
}
static void dlpack_delete_old(tn_dlpack_unversioned *self) { dlpack_return(self->context); }
static void dlpack_delete_versioned(tn_dlpack_versioned *self) { dlpack_return(self->context); }

static dlpack_lent *dlpack_lend(const tn_tensor *tensor, bool versioned, uint64_t flags) {
    if (!tni_check_tensor(tensor, "tensor"))
        return NULL;
    if (tn_device_of(tensor).type != TN_CPU)
        return tni_raise_null(TN_ERROR_DEVICE, "only tensors in the CPU's memory can be handed out");
    bool readonly = tn_is_readonly(tensor);
    if (readonly && !versioned)
        return tni_raise_null(TN_ERROR_READONLY, "the tensor is read-only, which the struct without a version cannot say");
    if (!readonly &&
        !tni_storage_prepare_raw(tensor->storage)) /* for writing, and lending it is no write: what is kept stays good */
        return NULL;
    void *data = (void *)(uintptr_t)tn_data(tensor);
    size_t size = sizeof(dlpack_lent) + 2 * (size_t)tensor->ndim * sizeof(int64_t);
    dlpack_lent *lent = tni_heap_alloc(size);
    if (!lent)
        return NULL;
    memcpy(lent->numbers, tensor->sizes, tensor->ndim * sizeof(int64_t));
    memcpy(lent->numbers + tensor->ndim, tensor->strides, tensor->ndim * sizeof(int64_t));
    lent->size = size;
    lent->storage = tensor->storage;
    tni_object_retain(&lent->storage->object);
    lent->storage->resizable = false; /* others have its address now */
    tn_dlpack_tensor view = {
        data, TN_DLPACK_CPU, 0, tensor->ndim, tn_dtype_dlpack(tensor->dtype), lent->numbers, lent->numbers + tensor->ndim, 0};
    if (versioned)
        lent->as.versioned =
            (tn_dlpack_versioned){1, 0, lent, dlpack_delete_versioned, flags | (readonly ? TN_DLPACK_READONLY : 0u), view};
    else
        lent->as.old = (tn_dlpack_unversioned){view, lent, dlpack_delete_old};
    return lent;
}

tn_dlpack_versioned *tn_to_dlpack(const tn_tensor *tensor, uint64_t flags) {
    const char *outer = tni_operator_enter("to_dlpack");
    dlpack_lent *lent = dlpack_lend(tensor, true, flags);
    tni_operator_leave(outer);
    return lent ? &lent->as.versioned : NULL;
}

tn_dlpack_unversioned *tn_to_dlpack_unversioned(const tn_tensor *tensor) {
    const char *outer = tni_operator_enter("to_dlpack");
    dlpack_lent *lent = dlpack_lend(tensor, false, 0);
    tni_operator_leave(outer);
    return lent ? &lent->as.old : NULL;
}

/* ---- in */

static void dlpack_release_old(void *context) {
    tn_dlpack_unversioned *old = context;
    if (old->deleter)
        old->deleter(old);
}
static void dlpack_release_versioned(void *context) {
    tn_dlpack_versioned *versioned = context;
    if (versioned->deleter)
        versioned->deleter(versioned);
}

static tn_tensor *dlpack_borrow(const tn_dlpack_tensor *from, tn_ownership ownership) {
    tn_dtype dtype = from->dtype.lanes == 1 ? tn_dtype_from_dlpack(from->dtype) : TN_DTYPE_DEFAULT;
    if (!dtype)
        return tni_raise_null(TN_ERROR_DTYPE, "a DLPack dtype of code %d, %d bits and %d lanes has no dtype here",
                              from->dtype.code, from->dtype.bits, from->dtype.lanes);
    if (from->device_type != TN_DLPACK_CPU && from->device_type != TN_DLPACK_CUDA_HOST)
        return tni_raise_null(TN_ERROR_DEVICE, "the elements are on device (%d, %d), which the CPU does not read",
                              from->device_type, from->device_id);
    if (from->ndim < 0 || from->ndim > TN_MAX_DIMS || (from->ndim && !from->shape))
        return tni_raise_null(TN_ERROR_SHAPE, "%d dimensions%s", from->ndim,
                              from->shape ? " are more than there can be" : ", but no shape");
    if (from->byte_offset > PTRDIFF_MAX || (uintptr_t)from->data > UINTPTR_MAX - from->byte_offset)
        return tni_raise_null(TN_ERROR_ARGUMENT, "no memory has a byte_offset of %" PRIu64, from->byte_offset);
    /* Without memory the offset means nothing: where there are elements, that is an error. */
    const char *data = from->data ? (const char *)from->data + from->byte_offset : NULL;
    tn_dims sizes = {from->shape, from->ndim};
    return from->strides ? tn_from_memory_strided(data, sizes, (tn_dims){from->strides, from->ndim}, dtype, ownership)
                         : tn_from_memory(data, sizes, dtype, ownership);
}

tn_tensor *tn_from_dlpack(tn_dlpack_versioned *managed) {
    const char *outer = tni_operator_enter("from_dlpack");
    tn_tensor *made = NULL;
    if (!managed)
        tni_raise_missing("managed");
    else if (managed->major > 1)
        tni_raise(TN_ERROR_UNSUPPORTED, "DLPack %u.%u is not understood; version 1 is", managed->major, managed->minor);
    else {
        bool readonly = managed->flags & TN_DLPACK_READONLY;
        made = dlpack_borrow(&managed->tensor, TN_FREE_WITH(dlpack_release_versioned, managed));
        if (made && readonly)
            made->storage->locked |= TNI_LOCKED_READONLY; /* not only the handle: others can be made over it */
    }
    tni_operator_leave(outer);
    return made;
}

tn_tensor *tn_from_dlpack_unversioned(tn_dlpack_unversioned *managed) {
    const char *outer = tni_operator_enter("from_dlpack");
    tn_tensor *made = managed ? dlpack_borrow(&managed->tensor, TN_FREE_WITH(dlpack_release_old, managed)) : NULL;
    if (!managed)
        tni_raise_missing("managed");
    tni_operator_leave(outer);
    return made;
}

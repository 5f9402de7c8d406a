/* tensor.h - the tensor object, and the few ways to make one.
 *
 * Invariants, true of every visible tensor: sizes are not negative; numel is their product; every element that the strides
 * reach is inside the storage; `sizes` points at `inline_dims` for up to TNI_INLINE_DIMS dimensions and at a heap block of
 * 2 * ndim numbers beyond, and `strides` directly follows it in either case. `tracked` says whether `autograd` is set. The
 * object is at most 208 bytes (PyTorch's ceiling); it has 160.
 */
#ifndef TNI_TENSOR_H
#define TNI_TENSOR_H

#include <tenon/tensor.h>

#include "base/object.h"
#include "memory/storage.h"
#include "tensor/dtype.h"
#include "tensor/show.h"
#include "tensor/limits.h"

/* tn_tensor.layout: what is known about the strides. Contiguous and plain are found when the tensor is made; the others on the
 * first question, by whatever thread asks (the answer is the same for all, so a race only repeats work). */
enum {
    TNI_LAYOUT_CONTIGUOUS = 1,
    TNI_LAYOUT_DENSE_KNOWN = 2,
    TNI_LAYOUT_DENSE = 4,
    TNI_LAYOUT_CHANNELS_KNOWN = 8,
    TNI_LAYOUT_CHANNELS_LAST = 16, /* of rank 4 or 5 */
    TNI_LAYOUT_PLAIN = 32,         /* contiguous with elements, even in the strides of sizes 1, which no element depends on */
};

struct tn_tensor {
    tni_object object;
    tn_storage *storage;
    void *autograd; /* NULL until a gradient is asked for */
    int64_t offset; /* in elements */
    int64_t numel;
    int64_t *sizes, *strides;
    union {
        struct {
            uint8_t ndim;
            bool tracked; /* autograd is not NULL */
        };
        uint16_t rank; /* both at once: at most TNI_INLINE_DIMS for what needs no more than itself */
    };
    uint8_t dtype;
    _Atomic uint8_t layout;
    uint32_t keys; /* what it adds to a call: the bit of its device, autograd's; see dispatch/dispatch.h */
    bool readonly;
    int64_t inline_dims[2 * TNI_INLINE_DIMS];
};

struct tn_list {
    tni_object object;
    int64_t count;
    tn_tensor *items[];
};

/* What gradients keep of a tensor (`autograd`) ends with it: set by that layer before it first keeps anything. */
TNI_EXTERN void (*_Atomic tni_tensor_end_history)(void *autograd);

TNI_EXTERN const tni_class tni_tensor_class;
TNI_EXTERN const tni_class tni_list_class;
TNI_EXTERN const tni_class tni_generator_class; /* generator.h */

/* The constructors below hand their result to the caller, not to a scope: only public functions do that. */

/* A tensor over `storage`, which gains a reference. The geometry is the caller's responsibility: every element in bounds. */
tn_tensor *tni_tensor_over(tn_storage *storage, tn_dtype dtype, int64_t ndim, const int64_t *sizes, const int64_t *strides,
                           int64_t offset);

/* A view: the same storage, dtype and read-only mark, another geometry. TN_ERROR_SHAPE when it has more elements than can be
 * counted, as an expanded one may. */
tn_tensor *tni_tensor_view(const tn_tensor *base, int64_t ndim, const int64_t *sizes, const int64_t *strides, int64_t offset);

/* The same with room for the caller to fill: sizes and strides are not set. Finish with tni_tensor_settle. */
tn_tensor *tni_tensor_view_begin(const tn_tensor *base, int64_t ndim);

/* Compute numel and contiguity from sizes and strides that were just written. The product must be known not to overflow, unless
 * one of the sizes is 0. */
void tni_tensor_settle(tn_tensor *tensor);

/* A fresh contiguous tensor, and one with given strides and offset over `elements` elements. Sizes are checked: TN_ERROR_SHAPE
 * for negative or overflowing ones. */
tn_tensor *tni_tensor_new(int64_t ndim, const int64_t *sizes, tn_dtype dtype, tn_device device);
tn_tensor *tni_tensor_new_strided(int64_t ndim, const int64_t *sizes, const int64_t *strides, int64_t offset, int64_t elements,
                                  tn_dtype dtype, tn_device device);

/* A fresh contiguous tensor in the memory of the CPU, with the sizes of another tensor and elements that are not larger than
 * its own, so nothing needs to be checked. */
tn_tensor *tni_tensor_new_like(const tn_tensor *like, tn_dtype dtype);

/* Replace the geometry in place (resize_, squeeze_, ...). Fails, changing nothing, only for lack of memory. */
tn_error tni_tensor_set_geometry(tn_tensor *tensor, int64_t ndim, const int64_t *sizes, const int64_t *strides, int64_t offset);

/* A list that takes over `count` tensors (even when it fails: they are then released). */
tn_list *tni_list_make(tn_tensor **items, int64_t count);

static inline bool tni_tensor_check(const tn_tensor *tensor, const char *argument) {
    return tni_object_check((const tni_object *)tensor, &tni_tensor_class, argument);
}

/* The same for the public functions that take one tensor and do not otherwise name themselves: raises under `function`. */
bool tni_tensor_complain(const tn_tensor *tensor, const char *function);
static inline bool tni_tensor_live(const tn_tensor *tensor, const char *function) {
    return TNI_LIKELY(tensor != NULL && tensor->object.class == &tni_tensor_class) || tni_tensor_complain(tensor, function);
}

/* The code of what was just raised about such a handle; for a NULL that of the error that was waiting before, its cause. */
tn_error tni_tensor_handle_error(const tn_tensor *tensor);

static inline void tni_tensor_release(tn_tensor *tensor) {
    if (tensor)
        tni_object_release(&tensor->object);
}

static inline tn_tensor *tni_tensor_retain(const tn_tensor *tensor) {
    tn_tensor *counted = (tn_tensor *)(uintptr_t)tensor; /* the count is not part of the value */
    tni_object_retain(&counted->object);
    return counted;
}

static inline bool tni_tensor_is_contiguous(const tn_tensor *tensor) {
    return atomic_load_explicit(&tensor->layout, memory_order_relaxed) & TNI_LAYOUT_CONTIGUOUS;
}

/* Whether the strides are those of a fresh tensor of these sizes, even where no element depends on them. */
static inline bool tni_tensor_is_plain(const tn_tensor *tensor) {
    return atomic_load_explicit(&tensor->layout, memory_order_relaxed) & TNI_LAYOUT_PLAIN;
}

static inline size_t tni_tensor_item_size(const tn_tensor *tensor) { return tni_dtype_size(tensor->dtype); }

/* Bytes from an element to its neighbour along a dimension, 0 where there is none: the stride of a dimension of one element, or
 * of a tensor without any, may be any number, and its product with the size of an element may not fit. */
static inline int64_t tni_tensor_step(const tn_tensor *tensor, int64_t dim) {
    return tensor->numel && tensor->sizes[dim] > 1 ? tensor->strides[dim] * (int64_t)tni_tensor_item_size(tensor) : 0;
}

/* The first element, for reading. NULL when there is no memory at all (no elements). */
static inline const char *tni_tensor_read(const tn_tensor *tensor) {
    const char *base = tni_storage_read(tensor->storage);
    return base ? base + tensor->offset * (int64_t)tni_tensor_item_size(tensor) : NULL;
}

/* The same where it is known that there are elements. */
static inline const char *tni_tensor_first(const tn_tensor *tensor) {
    return (const char *)tni_storage_read(tensor->storage) + tensor->offset * (int64_t)tni_tensor_item_size(tensor);
}

/* Whether writing may begin and nothing has to be done first. */
static inline bool tni_tensor_is_writable(const tn_tensor *tensor) {
    return !tensor->readonly && !tensor->storage->locked &&
           !atomic_load_explicit(&tensor->storage->group, memory_order_relaxed);
}

/* Whether writing may begin: not read-only, lazily cloned memory made its own. Raises when not. */
bool tni_tensor_prepare_write(tn_tensor *tensor);

/* Count a write to its elements; and one that ended with this code: one that was cancelled may have written some of them. */
static inline void tni_tensor_bump(const tn_tensor *tensor) { tni_storage_bump_through(tensor->storage, tensor); }
static inline void tni_tensor_bump_after(const tn_tensor *tensor, tn_error code) {
    if (code == TN_OK || code == TN_ERROR_CANCELLED)
        tni_tensor_bump(tensor);
}

/* The first element, for writing, after tni_tensor_prepare_write. */
static inline char *tni_tensor_write(tn_tensor *tensor) { return (char *)(uintptr_t)tni_tensor_read(tensor); }

/* Answers without the check of the handle; the public questions are in query.c. overlap: "yes" also when the question is too
 * hard. */
bool tni_tensor_is_dense(const tn_tensor *tensor);
bool tni_tensor_is_channels_last(const tn_tensor *tensor);
bool tni_tensor_is_in_format(const tn_tensor *tensor, tn_memory_format format);
bool tni_tensor_overlaps_itself(const tn_tensor *tensor);
bool tni_tensors_overlap(const tn_tensor *a, const tn_tensor *b);

static inline tn_geometry_ref tni_tensor_geometry(const tn_tensor *tensor) {
    return (tn_geometry_ref){tensor->ndim, tensor->offset, tensor->sizes, tensor->strides};
}

/* The bit of a storage's device among the keys of a call. */
static inline uint32_t tni_device_keys(int32_t type) { return UINT32_C(1) << ((uint32_t)type % TN_DEVICE_TYPES); }
static inline uint32_t tni_storage_keys(const tn_storage *storage) { return tni_device_keys(storage->pointer.device.type); }

static inline tn_device tni_tensor_device(const tn_tensor *tensor) { return tensor->storage->pointer.device; }

/* A dimension number that may be negative, checked: false with TN_ERROR_INDEX raised. Rank 0 accepts -1 and 0. */
bool tni_wrap_dim(int64_t dim, int64_t ndim, const char *argument, int64_t *out);

#endif

/* tensor.c - makes, shares and frees tensor objects. The queries that only look are in query.c. */
#include "tensor/tensor.h"

#include "base/error.h"
#include "base/heap.h"
#include "base/scope.h"
#include "memory/allocator.h"
#include "memory/quick.h"

/* The largest size of a tensor made the short way: then the bytes of one with inline dimensions can be counted. */
enum { TENSOR_FEW = 1 << 11 };
_Static_assert(TNI_INLINE_DIMS * 11 + 4 < 63, "at most 16 bytes an element");

/* What is known of a fresh contiguous tensor, without a look at its strides. */
enum { TENSOR_LAYOUT_FRESH = TNI_LAYOUT_CONTIGUOUS | TNI_LAYOUT_DENSE_KNOWN | TNI_LAYOUT_DENSE };

_Static_assert(sizeof(tn_tensor) <= 208, "PyTorch's ceiling for a tensor object");

static size_t tensor_dims_bytes(int64_t ndim) { return 2 * (size_t)ndim * sizeof(int64_t); }

static void tensor_free_dims(int64_t *sizes, int64_t ndim) {
    if (ndim > TNI_INLINE_DIMS)
        tni_heap_free(sizes, tensor_dims_bytes(ndim));
}

void (*_Atomic tni_tensor_end_history)(void *autograd);

static void tensor_destroy(tni_object *object);

static TNI_NOINLINE void tensor_destroy_any(tn_tensor *tensor) {
    if (tensor->tracked) { /* and then it is like any other */
        tni_tensor_end_history(tensor->autograd);
        tensor->tracked = false;
        tensor_destroy(&tensor->object);
        return;
    }
    tni_storage_drop(tensor->storage);
    tensor_free_dims(tensor->sizes, tensor->ndim);
    tensor->object.class = &tni_dead_class;
    tni_heap_free(tensor, sizeof *tensor);
}

/* The usual one, without a call: few dimensions, no gradients, the thread has room for the object, and the storage ends quickly or
 * stays. */
static void tensor_destroy(tni_object *object) {
    tn_tensor *tensor = (tn_tensor *)object;
    tn_storage *storage = tensor->storage;
    tni_thread *thread = tni_thread_current;
    bool last = tni_object_is_last(&storage->object);
    if (TNI_UNLIKELY(!thread || tensor->rank > TNI_INLINE_DIMS || !tni_heap_has_room(thread, sizeof *tensor) ||
                     (last && !tni_quick_end(thread, storage)))) {
        tensor_destroy_any(tensor);
        return;
    }
    if (!last)
        tni_storage_drop(storage);
    object->class = &tni_dead_class;
    tni_heap_push(thread, tensor, sizeof *tensor);
}

const tni_class tni_tensor_class = {"tensor", tensor_destroy};

/* Room for the numbers of `ndim` dimensions: inside the object, or a block of its own. */
static bool tensor_reserve_dims(tn_tensor *tensor, int64_t ndim) {
    tensor->sizes = tensor->inline_dims;
    tensor->rank = (uint16_t)ndim; /* which nothing tracks yet */
    if (TNI_UNLIKELY(ndim > TNI_INLINE_DIMS)) {
        tensor->sizes = tni_heap_alloc(tensor_dims_bytes(ndim));
        if (!tensor->sizes)
            return false;
        tensor->strides = tensor->sizes + ndim;
        return true;
    }
    tensor->strides = tensor->inline_dims + TNI_INLINE_DIMS;
    return true;
}

/* Only a tensor without elements can have an offset before its storage, x[::-1][n:], or beyond what bytes can count: no address
 * may be computed from it. */
static inline int64_t tensor_sane_offset(int64_t offset) { return TNI_LIKELY((uint64_t)offset <= INT64_MAX / 16) ? offset : 0; }

/* Everything but the dimensions. */
TNI_ALWAYS_INLINE void tensor_init(tn_tensor *tensor, tn_storage *storage, tn_dtype dtype, int64_t offset, uint32_t keys) {
    tni_object_init(&tensor->object, &tni_tensor_class);
    tensor->storage = storage;
    tensor->autograd = NULL;
    tensor->offset = tensor_sane_offset(offset);
    tensor->dtype = (uint8_t)dtype;
    tensor->readonly = false;
    tensor->keys = keys;
}

/* Inline, like the rest of the way to a view: creating one costs about as much as two calls of malloc. */
static inline tn_tensor *tensor_allocate(tn_storage *storage, tn_dtype dtype, int64_t ndim, int64_t offset) {
    tni_thread *thread = tni_thread_get();
    bool quick = tni_heap_has(thread, sizeof(tn_tensor));
    tn_tensor *tensor = TNI_LIKELY(quick) ? tni_heap_pop(thread, sizeof *tensor) : tni_heap_alloc(sizeof *tensor);
    if (TNI_UNLIKELY(!tensor))
        return NULL;
    if (TNI_UNLIKELY(!tensor_reserve_dims(tensor, ndim))) {
        tni_heap_free(tensor, sizeof *tensor);
        return NULL;
    }
    tensor_init(tensor, storage, dtype, offset, tni_storage_keys(storage));
    return tensor;
}

/* An empty tensor's other sizes may have a product that does not fit (expand makes them); any other must fit. */
static TNI_COLD bool tensor_is_empty(const tn_tensor *tensor) {
    for (int64_t d = 0; d < tensor->ndim; d++)
        if (tensor->sizes[d] == 0)
            return true;
    return false;
}

/* numel and contiguity of a tensor whose dimensions are written; false when the number of elements does not fit. */
static inline bool tensor_measure_dims(tn_tensor *tensor) {
    int64_t numel = 1;
    bool contiguous = true, plain = true, overflow = false;
    for (int64_t d = (int64_t)tensor->ndim - 1; d >= 0; d--) {
        int64_t size = tensor->sizes[d];
        plain &= tensor->strides[d] == numel;
        contiguous &= (size == 1) | (tensor->strides[d] == numel);
        overflow |= tni_mul_overflows(numel, size, &numel);
    }
    if (TNI_UNLIKELY(overflow)) {
        if (!tensor_is_empty(tensor))
            return false;
        numel = 0;
    }
    tensor->numel = numel;
    int layout = (contiguous | (numel == 0)) * TNI_LAYOUT_CONTIGUOUS + (plain & (numel != 0)) * TNI_LAYOUT_PLAIN;
    atomic_store_explicit(&tensor->layout, (uint8_t)layout, memory_order_relaxed);
    return true;
}

void tni_tensor_settle(tn_tensor *tensor) {
    tensor->offset = tensor_sane_offset(tensor->offset);
    (void)tensor_measure_dims(tensor);
}

tn_tensor *tni_tensor_over(tn_storage *storage, tn_dtype dtype, int64_t ndim, const int64_t *sizes, const int64_t *strides,
                           int64_t offset) {
    tn_tensor *tensor = tensor_allocate(storage, dtype, ndim, offset);
    if (!tensor)
        return NULL;
    tni_storage_hold(storage);
    for (int64_t d = 0; d < ndim; d++) {
        tensor->sizes[d] = sizes[d];
        tensor->strides[d] = strides[d];
    }
    tni_tensor_settle(tensor);
    return tensor;
}

static inline tn_tensor *tensor_view_begin(const tn_tensor *base, int64_t ndim, int64_t offset) {
    tn_tensor *tensor = tensor_allocate(base->storage, base->dtype, ndim, offset);
    if (TNI_UNLIKELY(!tensor))
        return NULL;
    tni_storage_hold(base->storage);
    tensor->readonly = base->readonly;
    return tensor;
}

tn_tensor *tni_tensor_view_begin(const tn_tensor *base, int64_t ndim) { return tensor_view_begin(base, ndim, base->offset); }

static TNI_COLD tn_tensor *tensor_refuse_numel(tn_tensor *tensor) {
    tni_raise(TN_ERROR_SHAPE, "a view of sizes %s would have more elements than 63 bits can count",
              tni_show_dims(tensor->sizes, tensor->ndim));
    tni_tensor_release(tensor);
    return NULL;
}

tn_tensor *tni_tensor_view(const tn_tensor *base, int64_t ndim, const int64_t *sizes, const int64_t *strides, int64_t offset) {
    tn_tensor *tensor = tensor_view_begin(base, ndim, offset);
    if (TNI_UNLIKELY(!tensor))
        return NULL;
    for (int64_t d = 0; d < ndim; d++) {
        tensor->sizes[d] = sizes[d];
        tensor->strides[d] = strides[d];
    }
    return TNI_LIKELY(tensor_measure_dims(tensor)) ? tensor : tensor_refuse_numel(tensor);
}

/* The bytes of a fresh tensor, or false with TN_ERROR_SHAPE. A zero in one dimension does not excuse a negative size in
 * another; nor sizes before it whose product overflows, nor strides that are too large, unless the strides are given and need
 * not be computed. */
static bool tensor_measure(int64_t ndim, const int64_t *sizes, tn_dtype dtype, bool has_strides, size_t *bytes) {
    size_t total = tni_dtype_size(dtype), numel = 1; /* unsigned, as PyTorch counts here */
    int64_t stride = 1;
    bool fits = true, empty = false;
    for (int64_t d = 0; d < ndim; d++) {
        if (sizes[d] < 0) {
            tni_raise(TN_ERROR_SHAPE, "size %" PRId64 " of dimension %" PRId64 " is negative in %s", sizes[d], d,
                      tni_show_dims(sizes, ndim));
            return false;
        }
        empty |= sizes[d] == 0;
        fits &= !__builtin_mul_overflow(numel, (size_t)sizes[d], &numel);
        if (d > 0)
            fits &= !tni_mul_overflows(stride, sizes[d] ? sizes[d] : 1, &stride);
    }
    fits = (fits || (empty && has_strides)) && (empty || (!__builtin_mul_overflow(numel, total, &total) && total <= INT64_MAX));
    if (!fits) {
        tni_raise(TN_ERROR_SHAPE, "a %s tensor of sizes %s is larger than any memory: its bytes do not fit in 63 bits",
                  tn_dtype_name(dtype), tni_show_dims(sizes, ndim));
        return false;
    }
    *bytes = empty ? 0 : total;
    return true;
}

/* A storage in the memory of a device, held by the tensor to be; the registry knows one allocator for each type, which is for one of its devices. */
static tn_storage *tensor_storage_on(tn_device device, size_t bytes, tn_dtype dtype) {
    tn_allocator *allocator = tni_allocator_default_held(device.type);
    if (!allocator)
        return NULL;
    tn_storage *storage = NULL;
    if (TNI_LIKELY(allocator->device.index == device.index))
        storage = tni_storage_new(bytes, dtype, allocator);
    else
        tni_raise(TN_ERROR_DEVICE, "device %s:%d has no allocator; the one in use for its type is for %s:%d",
                  tn_device_type_name(device.type), (int)device.index, tn_device_type_name(device.type),
                  (int)allocator->device.index);
    tni_allocator_drop(allocator);
    if (storage)
        tni_object_hand_over(&storage->object);
    return storage;
}

static tn_tensor *tensor_with_memory(int64_t ndim, size_t bytes, tn_dtype dtype, tn_device device, int64_t offset) {
    tn_storage *storage = tensor_storage_on(device, bytes, dtype);
    if (!storage)
        return NULL;
    tn_tensor *tensor = tensor_allocate(storage, dtype, ndim, offset);
    if (!tensor)
        tni_storage_drop(storage);
    return tensor;
}

/* Sizes and strides of a fresh contiguous tensor. */
TNI_ALWAYS_INLINE void tensor_set_plain(tn_tensor *tensor, int64_t ndim, const int64_t *sizes) {
    int64_t stride = 1, numel = 1;
    for (int64_t d = ndim - 1; d >= 0; d--) {
        tensor->sizes[d] = sizes[d];
        tensor->strides[d] = stride;
        if (d > 0) /* beyond the first there is no stride: the product with its size may be too large */
            stride *= sizes[d] ? sizes[d] : 1;
        numel *= sizes[d];
    }
    tensor->numel = numel;
    uint8_t plain = numel ? TNI_LAYOUT_PLAIN : 0;
    atomic_store_explicit(&tensor->layout, TENSOR_LAYOUT_FRESH | plain, memory_order_relaxed);
}

static TNI_NOINLINE tn_tensor *tensor_new_any(int64_t ndim, const int64_t *sizes, tn_dtype dtype, tn_device device) {
    size_t bytes;
    if (!tensor_measure(ndim, sizes, dtype, false, &bytes))
        return NULL;
    tn_tensor *tensor = tensor_with_memory(ndim, bytes, dtype, device, 0);
    if (tensor)
        tensor_set_plain(tensor, ndim, sizes);
    return tensor;
}

/* The usual one, without a call: few dimensions, and the thread has the blocks for it (memory/quick.h). `numel` is the product of
 * the sizes; 0, also where it is not, asks for the other way. */
TNI_ALWAYS_INLINE tn_tensor *tensor_new_quick(int64_t ndim, const int64_t *sizes, size_t numel, tn_dtype dtype,
                                              tn_device device) {
    tni_thread *thread = tni_thread_current;
    size_t bytes = numel * tni_dtype_size(dtype);
    bool quick = thread && ndim <= TNI_INLINE_DIMS && tni_heap_has(thread, sizeof(tn_tensor));
    tn_storage *storage = TNI_LIKELY(quick) ? tni_quick_storage(thread, bytes, dtype) : NULL;
    if (TNI_UNLIKELY(!storage))
        return tensor_new_any(ndim, sizes, dtype, device);
    tn_tensor *tensor = tni_heap_pop(thread, sizeof *tensor);
    tensor_init(tensor, storage, dtype, 0, tni_device_keys(TN_CPU));
    tensor->rank = (uint16_t)ndim;
    tensor->numel = (int64_t)numel;
    int64_t *own_sizes = tensor->inline_dims, *own_strides = own_sizes + TNI_INLINE_DIMS, stride = 1;
    for (int64_t d = ndim - 1; d >= 0; d--) {
        own_sizes[d] = sizes[d];
        own_strides[d] = stride;
        stride *= sizes[d];
    }
    tensor->sizes = own_sizes;
    tensor->strides = own_strides;
    atomic_store_explicit(&tensor->layout, TENSOR_LAYOUT_FRESH | TNI_LAYOUT_PLAIN, memory_order_relaxed);
    return tni_quick_announce(thread, storage, bytes, tensor);
}

/* The number of elements where every size is at least 1 and none of them large; 0 where not. */
TNI_ALWAYS_INLINE size_t tensor_few(int64_t ndim, const int64_t *sizes) {
    size_t numel = 1;
    for (int64_t d = 0; d < ndim; d++) {
        if (TNI_UNLIKELY((size_t)sizes[d] - 1 >= TENSOR_FEW))
            return 0;
        numel *= (size_t)sizes[d];
    }
    return numel;
}

tn_tensor *tni_tensor_new(int64_t ndim, const int64_t *sizes, tn_dtype dtype, tn_device device) {
    bool few = ndim <= TNI_INLINE_DIMS && device.type == TN_CPU && device.index == 0;
    return tensor_new_quick(ndim, sizes, TNI_LIKELY(few) ? tensor_few(ndim, sizes) : 0, dtype, device);
}

tn_tensor *tni_tensor_new_like(const tn_tensor *like, tn_dtype dtype) {
    return tensor_new_quick(like->ndim, like->sizes, (size_t)like->numel, dtype, TN_DEVICE_CPU);
}

tn_tensor *tni_tensor_new_strided(int64_t ndim, const int64_t *sizes, const int64_t *strides, int64_t offset, int64_t elements,
                                  tn_dtype dtype, tn_device device) {
    size_t bytes;
    int64_t total;
    if (!tensor_measure(ndim, sizes, dtype, true, &bytes))
        return NULL;
    if (tni_mul_overflows(elements, (int64_t)tn_dtype_size(dtype), &total))
        return tni_raise_null(TN_ERROR_SHAPE, "sizes %s with strides %s span more bytes than fit in 63 bits",
                              tni_show_dims(sizes, ndim), tni_show_dims(strides, ndim));
    tn_tensor *tensor = tensor_with_memory(ndim, (size_t)total, dtype, device, offset);
    if (!tensor)
        return NULL;
    for (int64_t d = 0; d < ndim; d++) {
        tensor->sizes[d] = sizes[d];
        tensor->strides[d] = strides[d];
    }
    tni_tensor_settle(tensor);
    return tensor;
}

tn_error tni_tensor_set_geometry(tn_tensor *tensor, int64_t ndim, const int64_t *sizes, const int64_t *strides,
                                 int64_t offset) {
    int64_t copy[2 * TN_MAX_DIMS]; /* the new numbers may be the tensor's own */
    for (int64_t d = 0; d < ndim; d++) {
        copy[d] = sizes[d];
        copy[ndim + d] = strides[d];
    }
    int64_t *old_sizes = tensor->sizes, *old_strides = tensor->strides;
    uint8_t old_ndim = tensor->ndim;
    bool tracked = tensor->tracked;
    bool ready = ndim == old_ndim || tensor_reserve_dims(tensor, ndim);
    tensor->tracked = tracked;
    if (!ready) {
        tensor->sizes = old_sizes;
        tensor->strides = old_strides;
        tensor->ndim = old_ndim;
        return TN_ERROR_MEMORY;
    }
    if (ndim != old_ndim)
        tensor_free_dims(old_sizes, old_ndim);
    memcpy(tensor->sizes, copy, (size_t)ndim * sizeof *copy);
    memcpy(tensor->strides, copy + ndim, (size_t)ndim * sizeof *copy);
    tensor->offset = offset;
    tni_tensor_settle(tensor);
    return TN_OK;
}

bool tni_tensor_prepare_write(tn_tensor *tensor) {
    if (TNI_UNLIKELY(tensor->readonly)) {
        tni_raise(TN_ERROR_READONLY, "the tensor %s is read-only, so it cannot be written to; clone it first",
                  tni_show_tensor(tensor));
        return false;
    }
    return tni_storage_prepare_write(tensor->storage);
}

/* ---- handles from outside */

TNI_COLD bool tni_tensor_complain(const tn_tensor *tensor, const char *function) {
    const char *outer = tni_operator_enter(function);
    (void)tni_tensor_check(tensor, "tensor");
    tni_operator_leave(outer);
    return false;
}

tn_error tni_tensor_handle_error(const tn_tensor *tensor) {
    if (tensor)
        return tensor->object.class == &tni_dead_class ? TN_ERROR_STATE : TN_ERROR_ARGUMENT;
    return tn_error_code() != TN_OK ? tn_error_code() : TN_ERROR_ARGUMENT; /* what waits is the cause: see tni_raise_missing */
}

tn_tensor *tn_retain(const tn_tensor *tensor) {
    return tensor && tni_tensor_live(tensor, "retain") ? tni_tensor_retain(tensor) : NULL;
}

void tn_release(tn_tensor *tensor) {
    if (tensor && tni_tensor_live(tensor, "release"))
        tni_scope_release(&tensor->object, "release");
}

tn_tensor *tn_give(tn_tensor *tensor) { return tensor && tni_tensor_live(tensor, "give") ? tni_scope_adopt(tensor) : NULL; }

tn_tensor *tn_keep(tn_tensor *tensor) {
    if (!tensor || !tni_tensor_live(tensor, "keep"))
        return NULL;
    if (!tni_scope_forget(&tensor->object))
        tni_object_retain(&tensor->object);
    return tensor;
}

int64_t tn_use_count(const tn_tensor *tensor) {
    return tensor && tni_tensor_live(tensor, "use_count") ? tni_object_use_count(&tensor->object) : 0;
}

size_t tn_tensor_object_size(void) { return sizeof(tn_tensor); }

/* from_memory.c - tensors over existing memory: a C array, someone's buffer, a storage.
 *
 * Invariant: until the tensor is complete nothing has been taken from the caller, so after a failure the memory is still the
 * caller's and no deleter has run.
 */
#include "base/error.h"
#include "base/heap.h"
#include "base/observe.h"
#include "base/scope.h"
#include "tensor/check.h"

/* The smallest element reached, counted from `data`, and the bytes from there to the end of the largest. False, raised, when
 * the sizes are not sane or the numbers do not fit: after this, no product of an index and a stride can overflow. */
static bool memory_extent(tn_geometry_ref geometry, tn_dtype dtype, int64_t *lowest, int64_t *bytes) {
    int64_t numel, highest, elements;
    tn_geometry_result result = tn_geometry_numel(geometry.ndim, geometry.sizes, &numel);
    if (result == TN_GEOMETRY_OK)
        result = tn_geometry_extent(geometry, lowest, &highest);
    if (result == TN_GEOMETRY_OK &&
        (tni_sub_overflows(highest, *lowest, &elements) || tni_add_overflows(elements, 1, &elements) ||
         tni_mul_overflows(elements, (int64_t)tn_dtype_size(dtype), bytes)))
        result = TN_GEOMETRY_OVERFLOW;
    if (result == TN_GEOMETRY_OK)
        return true;
    tni_raise(tn_geometry_result_error(result), "sizes %s with strides %s: %s", tni_show_dims(geometry.sizes, geometry.ndim),
              tni_show_dims(geometry.strides, geometry.ndim), tn_geometry_result_text(result));
    return false;
}

/* Copies element by element: external memory may have any strides, and the copy engine is in a higher layer. */
static tn_tensor *memory_copy(const char *data, tn_geometry_ref geometry, tn_dtype dtype) {
    tn_tensor *tensor = tni_tensor_new(geometry.ndim, geometry.sizes, dtype, TN_DEVICE_CPU);
    if (!tensor || tensor->numel == 0)
        return tensor;
    size_t item = tni_tensor_item_size(tensor);
    char *target = tni_tensor_write(tensor);
    tni_observe_copy((size_t)tensor->numel * item, "external memory was to be copied (TN_COPY)");
    if (tn_geometry_is_contiguous(geometry.ndim, geometry.sizes, geometry.strides)) {
        memcpy(target, data, (size_t)tensor->numel * item);
        return tensor;
    }
    int64_t index[TN_MAX_DIMS] = {0};
    for (int64_t n = 0, at = 0; n < tensor->numel; n++) {
        memcpy(target + (size_t)n * item, data + at * (int64_t)item, item);
        for (int64_t d = geometry.ndim - 1; d >= 0; d--) {
            if (++index[d] < geometry.sizes[d]) {
                at += geometry.strides[d];
                break;
            }
            at -= geometry.strides[d] * (geometry.sizes[d] - 1); /* never beyond the ends, whose numbers are known to fit */
            index[d] = 0;
        }
    }
    return tensor;
}

/* deleter(ctx) must run for a ctx of NULL too, but a data pointer without ctx is a borrowed one: such a deleter is put in a
 * box, which is then the ctx. */
typedef struct memory_box {
    tn_deleter deleter;
} memory_box;

static void memory_open_box(void *ctx) {
    tn_deleter deleter = ((memory_box *)ctx)->deleter;
    tni_heap_free(ctx, sizeof(memory_box));
    deleter(NULL);
}

static bool memory_own(tn_ownership ownership, tn_data_ptr *pointer) {
    if (ownership.kind != TN_OWNERSHIP_FREE)
        return true;
    pointer->ctx = ownership.ctx;
    pointer->deleter = ownership.deleter;
    if (ownership.ctx)
        return true;
    memory_box *box = tni_heap_alloc(sizeof *box);
    if (!box)
        return false;
    box->deleter = ownership.deleter;
    pointer->ctx = box;
    pointer->deleter = memory_open_box;
    return true;
}

/* Undoes memory_own: nothing of the caller's is freed. */
static void memory_disown(tn_data_ptr *pointer) {
    if (pointer->deleter == memory_open_box)
        tni_heap_free(pointer->ctx, sizeof(memory_box));
}

/* A tensor over a storage that has no memory yet, so that it can still fail. */
static tn_tensor *memory_frame(tn_geometry_ref geometry, tn_dtype dtype, int64_t offset) {
    tn_storage *storage = tni_storage_without_memory(dtype);
    if (!storage)
        return NULL;
    tn_tensor *tensor = tni_tensor_over(storage, dtype, geometry.ndim, geometry.sizes, geometry.strides, offset);
    tni_storage_release(storage);
    return tni_scope_adopt(tensor);
}

static tn_tensor *memory_wrap(const char *data, tn_geometry_ref geometry, tn_dtype dtype, int64_t lowest, int64_t bytes,
                              tn_ownership ownership) {
    uintptr_t first = (uintptr_t)data + (uintptr_t)lowest * tn_dtype_size(dtype); /* as a number: data may be NULL */
    tn_data_ptr pointer = {(void *)first, NULL, NULL, TN_DEVICE_CPU};
    if (tni_storage_check_pointer(&pointer, (size_t)bytes) != TN_OK || !memory_own(ownership, &pointer))
        return NULL;
    tn_tensor *tensor = memory_frame(geometry, dtype, -lowest);
    if (!tensor) {
        memory_disown(&pointer);
        return NULL;
    }
    tni_storage_install(tensor->storage, &pointer, (size_t)bytes);
    if (ownership.kind == TN_OWNERSHIP_BORROW_CONST)
        tensor->storage->locked |= TNI_LOCKED_READONLY;
    return tensor;
}

static tn_tensor *memory_tensor(const void *data, tn_dims size, tn_dims stride, tn_dtype dtype, tn_ownership ownership) {
    if (!tni_check_dims(size, "size") || !tni_check_dims(stride, "stride") || !tni_check_dtype(dtype, true, "dtype"))
        return NULL;
    if (dtype == TN_DTYPE_DEFAULT)
        dtype = tn_default_dtype();
    if ((unsigned)ownership.kind > TN_OWNERSHIP_FREE)
        return tni_raise_null(TN_ERROR_ARGUMENT, "ownership: there is no kind number %d", (int)ownership.kind);
    if (ownership.kind == TN_OWNERSHIP_FREE && !ownership.deleter)
        return tni_raise_null(TN_ERROR_ARGUMENT, "ownership: the memory is to be freed, but the deleter is NULL");
    if (size.count != stride.count)
        return tni_raise_null(TN_ERROR_SHAPE, "%" PRId64 " sizes %s but %" PRId64 " strides %s", size.count,
                              tni_show_dims(size.values, size.count), stride.count, tni_show_dims(stride.values, stride.count));
    tn_geometry_ref geometry = {size.count, 0, size.values, stride.values};
    int64_t lowest, bytes;
    if (!memory_extent(geometry, dtype, &lowest, &bytes))
        return NULL;
    if (!data && bytes > 0) {
        tni_raise_missing("data");
        return NULL;
    }
    if (ownership.kind == TN_OWNERSHIP_COPY)
        return tni_scope_adopt(memory_copy(data, geometry, dtype));
    return memory_wrap(data, geometry, dtype, lowest, bytes, ownership);
}

tn_tensor *tn_from_memory_strided(const void *data, tn_dims size, tn_dims stride, tn_dtype dtype, tn_ownership ownership) {
    const char *outer = tni_operator_enter("from_memory");
    tn_tensor *tensor = memory_tensor(data, size, stride, dtype, ownership);
    tni_operator_leave(outer);
    return tensor;
}

tn_tensor *tn_from_memory(const void *data, tn_dims size, tn_dtype dtype, tn_ownership ownership) {
    const char *outer = tni_operator_enter("from_memory");
    tn_tensor *tensor = NULL;
    int64_t strides[TN_MAX_DIMS];
    if (tni_check_dims(size, "size")) {
        tn_geometry_result result = tn_geometry_contiguous_strides(size.count, size.values, strides);
        if (result == TN_GEOMETRY_OK)
            tensor = memory_tensor(data, size, (tn_dims){strides, size.count}, dtype, ownership);
        else
            tni_raise(tn_geometry_result_error(result), "sizes %s: %s", tni_show_dims(size.values, size.count),
                      tn_geometry_result_text(result));
    }
    tni_operator_leave(outer);
    return tensor;
}

bool tni_check_inside(const tn_storage *storage, tn_geometry_ref geometry, tn_dtype dtype) {
    int64_t numel;
    tn_geometry_result result = tn_geometry_numel(geometry.ndim, geometry.sizes, &numel);
    if (result == TN_GEOMETRY_OK && geometry.offset < 0)
        result = TN_GEOMETRY_STORAGE;
    if (result == TN_GEOMETRY_OK)
        result = tn_geometry_check_storage(geometry, tn_dtype_size(dtype), storage->nbytes);
    if (result == TN_GEOMETRY_OK)
        return true;
    if (result == TN_GEOMETRY_STORAGE) {
        int64_t lowest = 0, highest = 0;
        (void)tn_geometry_extent(geometry, &lowest, &highest);
        tni_raise(TN_ERROR_SHAPE,
                  "sizes %s, strides %s, offset %" PRId64 " reach elements %" PRId64 " to %" PRId64
                  " of a storage that holds %zu %s elements",
                  tni_show_dims(geometry.sizes, geometry.ndim), tni_show_dims(geometry.strides, geometry.ndim), geometry.offset,
                  lowest, highest, storage->nbytes / tn_dtype_size(dtype), tn_dtype_name(dtype));
    } else {
        tni_raise(tn_geometry_result_error(result), "sizes %s with strides %s, offset %" PRId64 ": %s",
                  tni_show_dims(geometry.sizes, geometry.ndim), tni_show_dims(geometry.strides, geometry.ndim), geometry.offset,
                  tn_geometry_result_text(result));
    }
    return false;
}

static tn_tensor *storage_tensor(tn_storage *storage, int64_t offset, tn_dims size, tn_dims stride, tn_dtype dtype) {
    if (!tni_check_storage(storage, "storage") || !tni_check_dims(size, "size") || !tni_check_dims(stride, "stride") ||
        !tni_check_dtype(dtype, true, "dtype"))
        return NULL;
    if (dtype == TN_DTYPE_DEFAULT)
        dtype = storage->dtype;
    if (size.count != stride.count)
        return tni_raise_null(TN_ERROR_SHAPE, "%" PRId64 " sizes %s but %" PRId64 " strides %s", size.count,
                              tni_show_dims(size.values, size.count), stride.count, tni_show_dims(stride.values, stride.count));
    tn_geometry_ref geometry = {size.count, offset, size.values, stride.values};
    if (!tni_check_inside(storage, geometry, dtype))
        return NULL;
    return tni_tensor_over(storage, dtype, size.count, size.values, stride.values, offset);
}

tn_tensor *tn_from_storage(tn_storage *storage, int64_t offset, tn_dims size, tn_dims stride, tn_dtype dtype) {
    const char *outer = tni_operator_enter("from_storage");
    tn_tensor *tensor = storage_tensor(storage, offset, size, stride, dtype);
    tni_operator_leave(outer);
    return tni_scope_adopt(tensor);
}

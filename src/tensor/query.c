/* query.c - what a tensor answers about itself. Nothing here allocates, and only the cached bits about strides change. */
#include "base/error.h"
#include "tensor/check.h"
#include "tensor/tensor.h"

int64_t tn_ndim(const tn_tensor *tensor) { return tni_tensor_live(tensor, "ndim") ? tensor->ndim : -1; }

int64_t tn_numel(const tn_tensor *tensor) { return tni_tensor_live(tensor, "numel") ? tensor->numel : -1; }

bool tni_wrap_dim(int64_t dim, int64_t ndim, const char *argument, int64_t *out) {
    if (TNI_LIKELY(tn_geometry_wrap_dim(dim, ndim, out) == TN_GEOMETRY_OK))
        return true;
    if (ndim == 0)
        tni_raise(TN_ERROR_INDEX, "%s = %" PRId64 " is out of range: a tensor of no dimensions takes only 0 and -1", argument,
                  dim);
    else
        tni_raise(TN_ERROR_INDEX,
                  "%s = %" PRId64 " is out of range: a tensor of %" PRId64 " dimensions takes %" PRId64 " to %" PRId64,
                  argument, dim, ndim, -ndim, ndim - 1);
    return false;
}

/* Without dimensions there is no size to return: the wrap rule's exception for 0-d tensors does not apply. */
static bool query_dim(const tn_tensor *tensor, int64_t dim, const char *function, int64_t *out) {
    if (!tni_tensor_live(tensor, function))
        return false;
    if (TNI_LIKELY(tensor->ndim && tn_geometry_wrap_dim(dim, tensor->ndim, out) == TN_GEOMETRY_OK))
        return true;
    const char *outer = tni_operator_enter(function);
    if (tensor->ndim == 0)
        tni_raise(TN_ERROR_INDEX, "dim = %" PRId64 " is out of range: the tensor has no dimensions", dim);
    else
        (void)tni_wrap_dim(dim, tensor->ndim, "dim", out);
    tni_operator_leave(outer);
    return false;
}

int64_t tn_size(const tn_tensor *tensor, int64_t dim) {
    int64_t d;
    return query_dim(tensor, dim, "size", &d) ? tensor->sizes[d] : -1;
}

int64_t tn_stride(const tn_tensor *tensor, int64_t dim) {
    int64_t d;
    return query_dim(tensor, dim, "stride", &d) ? tensor->strides[d] : INT64_MIN;
}

tn_dims tn_sizes(const tn_tensor *tensor) {
    return tni_tensor_live(tensor, "sizes") ? (tn_dims){tensor->sizes, tensor->ndim} : (tn_dims){NULL, 0};
}

tn_dims tn_strides(const tn_tensor *tensor) {
    return tni_tensor_live(tensor, "strides") ? (tn_dims){tensor->strides, tensor->ndim} : (tn_dims){NULL, 0};
}

int64_t tn_storage_offset(const tn_tensor *tensor) { return tni_tensor_live(tensor, "storage_offset") ? tensor->offset : -1; }

size_t tn_element_size(const tn_tensor *tensor) {
    return tni_tensor_live(tensor, "element_size") ? tni_tensor_item_size(tensor) : 0;
}

size_t tn_nbytes(const tn_tensor *tensor) {
    if (!tni_tensor_live(tensor, "nbytes"))
        return 0;
    size_t bytes;
    return __builtin_mul_overflow((size_t)tensor->numel, tni_tensor_item_size(tensor), &bytes) ? SIZE_MAX : bytes;
}

tn_dtype tn_dtype_of(const tn_tensor *tensor) {
    return tni_tensor_live(tensor, "dtype_of") ? (tn_dtype)tensor->dtype : TN_DTYPE_DEFAULT;
}

tn_device tn_device_of(const tn_tensor *tensor) {
    return tni_tensor_live(tensor, "device_of") ? tensor->storage->pointer.device : (tn_device){-1, 0};
}

tn_storage *tn_storage_of(const tn_tensor *tensor) { return tni_tensor_live(tensor, "storage_of") ? tensor->storage : NULL; }

bool tn_is_contiguous(const tn_tensor *tensor) {
    return tni_tensor_live(tensor, "is_contiguous") && tni_tensor_is_contiguous(tensor);
}

/* A layout bit that is found out once: `known` and `value` are bits of tn_tensor.layout. */
static bool query_layout(const tn_tensor *tensor, uint8_t known, uint8_t value,
                         bool (*find)(int64_t, const int64_t *, const int64_t *)) {
    _Atomic uint8_t *layout = (_Atomic uint8_t *)(uintptr_t)&tensor->layout;
    uint8_t bits = atomic_load_explicit(layout, memory_order_relaxed);
    if (bits & known)
        return bits & value;
    bool answer = find(tensor->ndim, tensor->sizes, tensor->strides);
    atomic_fetch_or_explicit(layout, (uint8_t)(known | (answer ? value : 0)), memory_order_relaxed);
    return answer;
}

bool tni_tensor_is_dense(const tn_tensor *tensor) {
    return tni_tensor_is_contiguous(tensor) ||
           query_layout(tensor, TNI_LAYOUT_DENSE_KNOWN, TNI_LAYOUT_DENSE, tn_geometry_is_dense);
}

bool tni_tensor_is_channels_last(const tn_tensor *tensor) {
    return query_layout(tensor, TNI_LAYOUT_CHANNELS_KNOWN, TNI_LAYOUT_CHANNELS_LAST, tn_geometry_is_channels_last_contiguous);
}

bool tni_tensor_is_in_format(const tn_tensor *tensor, tn_memory_format format) {
    switch (format) {
    case TN_CONTIGUOUS: return tni_tensor_is_contiguous(tensor);
    case TN_PRESERVE: return true;
    case TN_CHANNELS_LAST: return tensor->ndim == 4 && tni_tensor_is_channels_last(tensor);
    case TN_CHANNELS_LAST_3D: return tensor->ndim == 5 && tni_tensor_is_channels_last(tensor);
    }
    return false;
}

bool tn_is_contiguous_in(const tn_tensor *tensor, tn_memory_format format) {
    if (!tni_tensor_live(tensor, "is_contiguous_in"))
        return false;
    if ((unsigned)format > TN_CHANNELS_LAST_3D)
        tni_raise_in("is_contiguous_in", TN_ERROR_ARGUMENT, "format: there is no memory format number %d", (int)format);
    return tni_tensor_is_in_format(tensor, format);
}

bool tn_is_non_overlapping_and_dense(const tn_tensor *tensor) {
    return tni_tensor_live(tensor, "is_non_overlapping_and_dense") && tni_tensor_is_dense(tensor);
}

static bool query_both_live(const tn_tensor *a, const tn_tensor *b, const char *function) {
    const char *outer = tni_operator_enter(function);
    bool live = tni_tensor_check(a, "a") && tni_tensor_check(b, "b");
    tni_operator_leave(outer);
    return live;
}

bool tn_is_alias_of(const tn_tensor *a, const tn_tensor *b) {
    return query_both_live(a, b, "is_alias_of") && a->storage == b->storage;
}

static tn_region query_region(const tn_tensor *tensor) {
    int64_t item = (int64_t)tni_tensor_item_size(tensor);
    return (tn_region){(uintptr_t)tni_tensor_read(tensor), item, item, tensor->ndim, tensor->sizes, tensor->strides};
}

/* Lazy clones have one address until one of them is written to, but no write to one is ever seen by the other. */
static bool query_lazy_clones(const tn_storage *a, const tn_storage *b) {
    const tni_lazy_group *group = atomic_load_explicit(&a->group, memory_order_relaxed);
    return a != b && group && group == atomic_load_explicit(&b->group, memory_order_relaxed);
}

/* Memory is compared by address and not by storage, because two storages may share one block that was borrowed twice. */
bool tni_tensors_overlap(const tn_tensor *a, const tn_tensor *b) {
    if (a->numel == 0 || b->numel == 0 || !tn_device_equal(a->storage->pointer.device, b->storage->pointer.device) ||
        query_lazy_clones(a->storage, b->storage) ||
        (a->storage != b->storage && a->storage->pointer.device.type == TN_META)) /* whose addresses are all the same */
        return false;
    tn_region first = query_region(a), second = query_region(b);
    if (tni_tensor_is_contiguous(a) && tni_tensor_is_contiguous(b)) /* no gaps: the ends decide, without a search */
        return first.address < second.address + (uintptr_t)(b->numel * second.itemsize) &&
               second.address < first.address + (uintptr_t)(a->numel * first.itemsize);
    return tn_regions_overlap(&first, &second, 0) != TN_OVERLAP_NO;
}

bool tn_shares_memory(const tn_tensor *a, const tn_tensor *b) {
    return query_both_live(a, b, "shares_memory") && tni_tensors_overlap(a, b);
}

bool tni_tensor_overlaps_itself(const tn_tensor *tensor) {
    return !tni_tensor_is_contiguous(tensor) &&
           tn_geometry_overlaps_itself(tensor->ndim, tensor->sizes, tensor->strides, 0) != TN_OVERLAP_NO;
}

bool tn_overlaps_itself(const tn_tensor *tensor) {
    return tni_tensor_live(tensor, "overlaps_itself") && tni_tensor_overlaps_itself(tensor);
}

bool tn_is_readonly(const tn_tensor *tensor) {
    return tni_tensor_live(tensor, "is_readonly") && (tensor->readonly || tensor->storage->locked & TNI_LOCKED_READONLY);
}

tn_error tn_set_readonly(tn_tensor *tensor) {
    if (!tni_tensor_live(tensor, "set_readonly"))
        return tni_tensor_handle_error(tensor);
    tensor->readonly = true;
    return TN_OK;
}

uint32_t tn_tensor_version(const tn_tensor *tensor) {
    return tni_tensor_live(tensor, "tensor_version") ? tni_storage_version(tensor->storage) : 0;
}

bool tn_explain_view(const tn_tensor *tensor, tn_dims shape, char *why, size_t size) {
    tn_geometry_explanation explanation;
    if (why && size)
        why[0] = 0;
    if (!tni_tensor_check(tensor, "explain_view: tensor") || !tni_check_dims(shape, "explain_view: shape"))
        return false;
    tn_geometry_explain(tni_tensor_geometry(tensor), shape, &explanation, why, why ? size : 0);
    return explanation.result == TN_GEOMETRY_OK;
}

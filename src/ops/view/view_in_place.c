/* view_in_place.c - the operators that change a tensor's own geometry, or the storage it looks into: squeeze_, resize_, set_.
 *
 * Other tensors over the same storage are not touched, except that resize_ may make the storage longer.
 */
#include "base/error.h"
#include "ops/join/move.h"
#include "ops/view/view.h"
#include "tensor/check.h"
#include "operators_view.h"

tn_error tni_op_transpose_(tn_tensor *self, int64_t dim0, int64_t dim1) {
    return tni_view_assign(self, tni_op_transpose(self, dim0, dim1));
}
tn_error tni_op_t_(tn_tensor *self) { return tni_view_assign(self, tni_op_t(self)); }
tn_error tni_op_squeeze_(tn_tensor *self) { return tni_view_assign(self, tni_op_squeeze(self)); }
tn_error tni_op_squeeze_dim_(tn_tensor *self, int64_t dim) { return tni_view_assign(self, tni_op_squeeze_dim(self, dim)); }
tn_error tni_op_squeeze_dims_(tn_tensor *self, tn_dims dims) { return tni_view_assign(self, tni_op_squeeze_dims(self, dims)); }
tn_error tni_op_unsqueeze_(tn_tensor *self, int64_t dim) { return tni_view_assign(self, tni_op_unsqueeze(self, dim)); }

tn_error tni_op_as_strided_(tn_tensor *self, tn_dims size, tn_dims stride, int64_t storage_offset) {
    return tni_view_assign(self, tni_op_as_strided(self, size, stride, storage_offset));
}

static tn_geometry_result in_place_strides(tn_dims size, tn_memory_format format, int64_t *strides) {
    return format == TN_CONTIGUOUS ? tn_geometry_contiguous_strides(size.count, size.values, strides)
                                   : tn_geometry_channels_last_strides(size.count, size.values, strides);
}

static tn_error in_place_resize(tn_tensor *self, tn_dims size, tn_memory_format format) {
    int64_t strides[TN_MAX_DIMS], numel, elements, bytes;
    tn_geometry_result result = tn_geometry_numel(size.count, size.values, &numel);
    if (result == TN_GEOMETRY_OK)
        result = in_place_strides(size, format, strides);
    if (result == TN_GEOMETRY_OK && (tni_add_overflows(numel, self->offset, &elements) ||
                                     tni_mul_overflows(elements, (int64_t)tni_tensor_item_size(self), &bytes)))
        result = TN_GEOMETRY_OVERFLOW;
    if (result != TN_GEOMETRY_OK)
        return tni_raise(tn_geometry_result_error(result), "size %s: %s; self is %s", tni_show_dims(size.values, size.count),
                         tn_geometry_result_text(result), tni_show_tensor(self));
    bool same = size.count == self->ndim;
    for (int64_t d = 0; same && d < size.count; d++)
        same = size.values[d] == self->sizes[d] && (format == TN_CONTIGUOUS || strides[d] == self->strides[d]);
    if (same) /* without a format the strides stay the same */
        return TN_OK;
    size_t before = self->storage->nbytes;
    if (numel > 0 && (size_t)bytes > before) {
        if (self->readonly)
            return tni_raise(TN_ERROR_READONLY, "self %s is read-only: its storage cannot grow", tni_show_tensor(self));
        tn_error code = tni_storage_grow(self->storage, (size_t)bytes);
        if (code != TN_OK)
            return code;
    }
    tn_error code = tni_tensor_set_geometry(self, size.count, size.values, strides, self->offset);
    if (code != TN_OK && self->storage->nbytes != before)
        (void)tni_storage_grow(self->storage, before); /* only shortens: cannot fail */
    return code;
}

tn_error tni_op_resize_(tn_tensor *self, tn_dims size) { return in_place_resize(self, size, TN_CONTIGUOUS); }

tn_error tni_op_resize_format_(tn_tensor *self, tn_dims size, tn_memory_format memory_format) {
    int64_t wanted = memory_format == TN_CHANNELS_LAST ? 4 : 5;
    if (memory_format == TN_PRESERVE)
        return tni_raise(TN_ERROR_ARGUMENT, "memory_format preserve means nothing here: the sizes are new");
    if (memory_format != TN_CONTIGUOUS && size.count != wanted)
        return tni_raise(TN_ERROR_SHAPE, "memory_format %s needs %" PRId64 " dimensions, size %s has %" PRId64,
                         wanted == 4 ? "channels_last" : "channels_last_3d", wanted, tni_show_dims(size.values, size.count),
                         size.count);
    return in_place_resize(self, size, memory_format);
}

tn_error tni_op_resize_as_(tn_tensor *self, const tn_tensor *other) {
    return tni_op_resize_(self, (tn_dims){other->sizes, other->ndim});
}

tn_error tni_op_resize_as_format_(tn_tensor *self, const tn_tensor *other, tn_memory_format memory_format) {
    if (memory_format == TN_PRESERVE)
        memory_format = !tni_suggests_channels_last(other) ? TN_CONTIGUOUS
                        : other->ndim == 4                 ? TN_CHANNELS_LAST
                                                           : TN_CHANNELS_LAST_3D;
    return tni_op_resize_format_(self, (tn_dims){other->sizes, other->ndim}, memory_format);
}

static tn_error in_place_look_into(tn_tensor *self, tn_storage *storage, tn_geometry_ref geometry, bool readonly) {
    tn_error code = tni_tensor_set_geometry(self, geometry.ndim, geometry.sizes, geometry.strides, geometry.offset);
    if (code != TN_OK)
        return code;
    tni_storage_hold(storage);
    tni_storage_drop(self->storage);
    self->storage = storage;
    self->keys = (self->keys & ~(uint32_t)UINT16_MAX) | tni_storage_keys(storage);
    self->readonly |= readonly; /* there is no way back */
    return TN_OK;
}

tn_error tni_op_set_(tn_tensor *self, const tn_tensor *source) {
    if (self->dtype != source->dtype)
        return tni_raise(TN_ERROR_DTYPE, "self is %s, source is %s: the dtypes must be equal", tni_show_tensor(self),
                         tni_show_tensor(source));
    return in_place_look_into(self, source->storage, tni_tensor_geometry(source), source->readonly);
}

tn_error tni_op_set_storage_(tn_tensor *self, tn_storage *source, int64_t storage_offset, tn_dims size, tn_dims stride) {
    if (size.count != stride.count)
        return tni_raise(TN_ERROR_SHAPE, "%" PRId64 " sizes %s but %" PRId64 " strides %s", size.count,
                         tni_show_dims(size.values, size.count), stride.count, tni_show_dims(stride.values, stride.count));
    tn_geometry_ref geometry = {size.count, storage_offset, size.values, stride.values};
    if (!tni_check_inside(source, geometry, self->dtype))
        return tni_failed();
    return in_place_look_into(self, source, geometry, false);
}

/* copy.c - the operators that copy: clone, contiguous, to, copy_, fill_, zero_; and the copies other operators ask for.
 *
 * Everything that can fail is settled here, before copy_engine.c writes the first element: the shapes, the devices, whether
 * the target may be written, whether two of its elements share a place, and memory for a source that overlaps the target.
 * Every copy is reported, with the reason, in one place (copy_report).
 */
#include "ops/copy.h"

#include <stdio.h>

#include "base/error.h"
#include "base/observe.h"
#include "dispatch/dispatch.h"
#include "memory/allocator.h"
#include "operator_impls.h"
#include "ops/copy_engine.h"
#include "ops/fill.h"

enum {
    COPY_REASON_SIZE = 320,
    COPY_SMALL_FILL = 4096, /* bytes for which the engine is not asked */
};

static void copy_report(const tn_tensor *target, const char *reason) {
    tni_observe_copy((size_t)target->numel * tni_tensor_item_size(target), reason);
}

static bool copy_on_cpu(const tn_tensor *tensor) { return tni_tensor_device(tensor).type == TN_CPU; }

/* ---- devices ----------------------------------------------------------------------------------------------------- */

static tn_error copy_raise_devices(tn_device target, tn_device source) {
    return tni_raise(TN_ERROR_DEVICE, "elements on device %s:%d cannot be copied to device %s:%d",
                     tn_device_type_name(source.type), source.index, tn_device_type_name(target.type), target.index);
}

/* All CPU memory is one; of other devices only an allocator knows how to copy, and only inside its own. */
static bool copy_devices_fit(tn_device target, tn_device source) {
    return target.type == source.type && (target.type == TN_CPU || target.index == source.index);
}

/* Memory that only its allocator can copy, which it does byte by byte: both sides must be the same in dtype and layout. */
static tn_error copy_on_device(tn_tensor *target, const tn_tensor *source) {
    bool same = target->dtype == source->dtype && tni_tensor_is_dense(target) && target->ndim == source->ndim;
    for (int64_t d = 0; same && d < target->ndim; d++)
        same = target->sizes[d] == source->sizes[d] && (target->sizes[d] == 1 || target->strides[d] == source->strides[d]);
    tn_allocator *allocator = target->storage->allocator;
    if (!same || !allocator)
        return tni_raise(TN_ERROR_DEVICE, "device %s can only copy dense tensors of equal layout and dtype, not %s to %s",
                         tn_device_type_name(tni_tensor_device(target).type), tni_show_tensor(source), tni_show_tensor(target));
    /* Dense: all bytes between the first and the last element, and the first of both is at the same place in them. */
    int64_t lowest = 0;
    for (int64_t d = 0; d < target->ndim; d++)
        lowest += target->strides[d] < 0 ? (target->sizes[d] - 1) * target->strides[d] : 0;
    int64_t item = (int64_t)tni_tensor_item_size(target);
    return tn_allocator_copy(allocator, tni_tensor_write(target) + lowest * item, tni_tensor_read(source) + lowest * item,
                             (size_t)(target->numel * item));
}

/* Whether one of the devices has a kernel of its own for copy_. Then every copy that concerns it goes there. */
static bool copy_has_backend(tn_device target, tn_device source) {
    int32_t type = target.type > source.type ? target.type : source.type;
    return type != TN_CPU && tni_registered_exists(tn_operator_find("copy_"), type);
}

static tn_error copy_by_backend(tn_tensor *target, const tn_tensor *source, const char *reason) {
    tn_error error = tn_operator_call(tn_operator_find("copy_"), TN_VALUES(target, source), NULL);
    if (!error)
        copy_report(target, reason);
    return error;
}

/* ---- into a fresh tensor ----------------------------------------------------------------------------------------- */

/* Of tensors that share no memory; `strides` are the source's under the target's shape. */
static void copy_apart(tn_tensor *target, const tn_tensor *source, const int64_t *strides, const char *reason) {
    tni_copy copy = {.ndim = target->ndim,
                     .sizes = target->sizes,
                     .target = tni_tensor_write(target),
                     .target_strides = target->strides,
                     .target_dtype = target->dtype,
                     .source = tni_tensor_read(source),
                     .source_strides = strides,
                     .source_dtype = source->dtype};
    tni_copy_elements(&copy);
    copy_report(target, reason);
}

/* Copy to a tensor of the same sizes that nobody else knows yet. */
static tn_error copy_to_fresh(tn_tensor *target, const tn_tensor *source, const char *reason) {
    if (target->numel == 0)
        return TN_OK;
    if (copy_has_backend(tni_tensor_device(target), tni_tensor_device(source)))
        return copy_by_backend(target, source, reason);
    if (!copy_on_cpu(target)) {
        tn_error error = copy_on_device(target, source);
        if (!error)
            copy_report(target, reason);
        return error;
    }
    copy_apart(target, source, source->strides, reason);
    return TN_OK;
}

tn_tensor *tni_clone_as(const tn_tensor *self, tn_dtype dtype, tn_memory_format format, tn_device device, const char *reason) {
    if (!copy_devices_fit(device, tni_tensor_device(self)) && !copy_has_backend(device, tni_tensor_device(self))) {
        copy_raise_devices(device, tni_tensor_device(self));
        return NULL;
    }
    tn_tensor *result = tni_empty_like_on(self, dtype, format, device);
    if (result && copy_to_fresh(result, self, reason) != TN_OK) {
        tni_tensor_release(result);
        return NULL;
    }
    return result;
}

tn_tensor *tni_clone_contiguous(const tn_tensor *self, const char *reason) {
    return tni_clone_as(self, self->dtype, TN_CONTIGUOUS, tni_tensor_device(self), reason);
}

/* ---- into a tensor that exists ----------------------------------------------------------------------------------- */

/* The strides with which `source` is read in the shape of `target`. */
static bool copy_broadcast(const tn_tensor *target, const tn_tensor *source, int64_t *strides) {
    int64_t lead = target->ndim - source->ndim;
    bool fits = lead >= 0;
    for (int64_t d = 0; fits && d < target->ndim; d++) {
        int64_t size = d < lead ? 1 : source->sizes[d - lead];
        fits = size == target->sizes[d] || size == 1;
        strides[d] = size == 1 ? 0 : source->strides[d - lead];
    }
    if (!fits)
        tni_raise(TN_ERROR_SHAPE, "source of sizes %s cannot be broadcast to self of sizes %s",
                  tni_show_dims(source->sizes, source->ndim), tni_show_dims(target->sizes, target->ndim));
    return fits;
}

static bool copy_prepare_target(tn_tensor *target) {
    if (tni_tensor_overlaps_itself(target)) {
        tni_raise(TN_ERROR_OVERLAP, "self of sizes %s and strides %s cannot be written: several of its elements share a place",
                  tni_show_dims(target->sizes, target->ndim), tni_show_dims(target->strides, target->ndim));
        return false;
    }
    return tni_tensor_prepare_write(target);
}

/* Whether each element would be copied to itself. */
static bool copy_is_to_itself(const tn_tensor *target, const tn_tensor *source, const int64_t *source_strides) {
    if (target->dtype != source->dtype || tni_tensor_read(target) != tni_tensor_read(source))
        return false;
    for (int64_t d = 0; d < target->ndim; d++)
        if (target->sizes[d] > 1 && target->strides[d] != source_strides[d])
            return false;
    return true;
}

static tn_error copy_overlapping(tn_tensor *target, const tn_tensor *source, const char *reason) {
    size_t bytes = (size_t)target->numel * tni_tensor_item_size(target);
    bool runs = target->dtype == source->dtype && target->numel == source->numel && tni_tensor_is_contiguous(target) &&
                tni_tensor_is_contiguous(source);
    if (runs) {
        memmove(tni_tensor_write(target), tni_tensor_read(source), bytes);
        copy_report(target, reason);
        return TN_OK;
    }
    tn_tensor *apart = tni_clone_contiguous(source, "source and self share memory: source is read before self is written");
    if (!apart)
        return tn_error_code();
    int64_t strides[TN_MAX_DIMS];
    copy_broadcast(target, apart, strides);
    copy_apart(target, apart, strides, reason);
    tni_tensor_release(apart);
    return TN_OK;
}

static tn_error copy_write(tn_tensor *target, const tn_tensor *source, const int64_t *strides, const char *reason) {
    if (target->numel == 0)
        return TN_OK;
    if (!copy_on_cpu(target)) {
        tn_error error = copy_on_device(target, source);
        if (!error)
            copy_report(target, reason);
        return error;
    }
    if (copy_is_to_itself(target, source, strides))
        return TN_OK;
    if (tni_tensors_overlap(target, source))
        return copy_overlapping(target, source, reason);
    copy_apart(target, source, strides, reason);
    return TN_OK;
}

/* Without asking whether a backend can do it: the built-in kernel of copy_. */
static tn_error copy_into(tn_tensor *target, const tn_tensor *source, const char *reason) {
    int64_t strides[TN_MAX_DIMS];
    if (!copy_devices_fit(tni_tensor_device(target), tni_tensor_device(source)))
        return copy_raise_devices(tni_tensor_device(target), tni_tensor_device(source));
    if (!copy_broadcast(target, source, strides) || !copy_prepare_target(target))
        return tn_error_code();
    tn_error error = copy_write(target, source, strides, reason);
    if (!error)
        tni_storage_bump(target->storage);
    return error;
}

tn_error tni_copy_into(tn_tensor *target, const tn_tensor *source, const char *reason) {
    if (copy_has_backend(tni_tensor_device(target), tni_tensor_device(source)))
        return copy_by_backend(target, source, reason);
    return copy_into(target, source, reason);
}

tn_error tni_fill_into(tn_tensor *target, tn_scalar value) {
    if (!copy_on_cpu(target))
        return tni_raise(TN_ERROR_DEVICE, "self is on device %s, which has no kernel for this operator",
                         tn_device_type_name(tni_tensor_device(target).type));
    if (!tn_dtype_can_hold(target->dtype, value))
        return tni_raise(TN_ERROR_DTYPE, "value %s does not fit in %s", tni_show_scalar(value), tn_dtype_name(target->dtype));
    if (!copy_prepare_target(target))
        return tn_error_code();
    if (target->numel) {
        _Alignas(16) char element[16];
        tn_dtype_store(target->dtype, element, value);
        static const int64_t nowhere[TN_MAX_DIMS] = {0};
        int64_t item = (int64_t)tni_tensor_item_size(target);
        if (tni_tensor_is_contiguous(target) && target->numel <= COPY_SMALL_FILL / item) {
            tni_fill_contiguous(tni_tensor_write(target), element, (size_t)item, target->numel);
            tni_storage_bump(target->storage);
            return TN_OK;
        }
        tni_copy copy = {.ndim = target->ndim,
                         .sizes = target->sizes,
                         .target = tni_tensor_write(target),
                         .target_strides = target->strides,
                         .target_dtype = target->dtype,
                         .source = element,
                         .source_strides = nowhere,
                         .source_dtype = target->dtype};
        tni_copy_elements(&copy);
    }
    tni_storage_bump(target->storage);
    return TN_OK;
}

/* ---- the operators ----------------------------------------------------------------------------------------------- */

static const char *copy_format_name(tn_memory_format format) {
    return format == TN_CHANNELS_LAST ? "channels_last" : format == TN_CHANNELS_LAST_3D ? "channels_last_3d" : "contiguous";
}

tn_tensor *tni_op_clone(const tn_tensor *self, tn_memory_format format) {
    return tni_clone_as(self, self->dtype, format, tni_tensor_device(self), "a clone has memory of its own");
}

tn_tensor *tni_op_contiguous(const tn_tensor *self, tn_memory_format format) {
    if (format == TN_PRESERVE)
        return tni_raise_null(TN_ERROR_ARGUMENT, "format preserve says nothing here: self always has the layout it has");
    if (tni_tensor_is_in_format(self, format))
        return tni_tensor_retain(self);
    char reason[COPY_REASON_SIZE] = "";
    if (tni_observed())
        snprintf(reason, sizeof reason, "strides %s of sizes %s are not %s", tni_show_dims(self->strides, self->ndim),
                 tni_show_dims(self->sizes, self->ndim), copy_format_name(format));
    return tni_clone_as(self, self->dtype, format, tni_tensor_device(self), reason);
}

tn_tensor *tni_op_to_options(const tn_tensor *self, tn_dtype dtype, tn_device device, bool copy, tn_memory_format format) {
    if (dtype == TN_DTYPE_DEFAULT)
        dtype = self->dtype;
    bool other_dtype = dtype != (tn_dtype)self->dtype, other_device = !tn_device_equal(device, tni_tensor_device(self));
    bool other_format = format != TN_PRESERVE && !tni_tensor_is_in_format(self, format);
    if (!other_dtype && !other_device && !other_format && !copy)
        return tni_tensor_retain(self);
    char reason[COPY_REASON_SIZE] = "a copy was asked for";
    if (tni_observed() && other_dtype)
        snprintf(reason, sizeof reason, "%s becomes %s", tn_dtype_name(self->dtype), tn_dtype_name(dtype));
    else if (tni_observed() && other_device)
        snprintf(reason, sizeof reason, "device %s:%d is not device %s:%d", tn_device_type_name(tni_tensor_device(self).type),
                 tni_tensor_device(self).index, tn_device_type_name(device.type), device.index);
    else if (tni_observed() && other_format)
        snprintf(reason, sizeof reason, "strides %s of sizes %s are not %s", tni_show_dims(self->strides, self->ndim),
                 tni_show_dims(self->sizes, self->ndim), copy_format_name(format));
    return tni_clone_as(self, dtype, format, device, reason);
}

tn_tensor *tni_op_to(const tn_tensor *self, tn_dtype dtype) {
    return tni_op_to_options(self, dtype, tni_tensor_device(self), false, TN_PRESERVE);
}

tn_tensor *tni_op_to_device(const tn_tensor *self, tn_device device) {
    return tni_op_to_options(self, self->dtype, device, false, TN_PRESERVE);
}

tn_error tni_op_copy_(tn_tensor *self, const tn_tensor *source) {
    return copy_into(self, source, "copy_ writes the elements of source over those of self");
}

tn_error tni_op_fill_(tn_tensor *self, tn_scalar value) { return tni_fill_into(self, value); }

tn_error tni_op_zero_(tn_tensor *self) { return tni_fill_into(self, tn_scalar_int(0)); }

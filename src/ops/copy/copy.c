/* copy.c - the operators that copy: clone, contiguous, to, copy_, fill_, zero_; and the copies other operators ask for.
 *
 * Everything that can fail is settled here, before copy_engine.c writes the first element: the shapes, the devices, whether
 * the target may be written, whether two of its elements share a place, and memory for a source that overlaps the target.
 * Every copy is reported, with the reason, in one place (copy_report).
 */
#include "ops/copy/copy.h"

#include <stdio.h>

#include "base/error.h"
#include "base/parallel.h"
#include "base/observe.h"
#include "dispatch/backend.h"
#include "dispatch/dispatch.h"
#include "memory/allocator.h"
#include "operators_copy.h"
#include "operators_create.h"
#include "ops/copy/copy_engine.h"
#include "ops/create/fill.h"
#include "ops/limits.h"

enum { COPY_REASON_SIZE = 320 };

static void copy_report(const tn_tensor *target, const char *reason) {
    tni_observe_copy((size_t)target->numel * tni_tensor_item_size(target), reason);
}

static bool copy_on_cpu(const tn_tensor *tensor) { return tni_tensor_device(tensor).type == TN_CPU; }

/* ---- devices ----------------------------------------------------------------------------------------------------- */

static tn_error copy_raise_devices(tn_device target, tn_device source) {
    return tni_raise(TN_ERROR_DEVICE, "elements on device %s:%d cannot be copied to device %s:%d",
                     tn_device_type_name(source.type), source.index, tn_device_type_name(target.type), target.index);
}

/* All CPU memory is one; on other devices only an allocator knows how to copy, and only inside its own memory. */
static bool copy_devices_fit(tn_device target, tn_device source) {
    return target.type == source.type && (target.type == TN_CPU || target.index == source.index);
}

/* Memory that only its allocator can copy, which it does byte by byte: both sides must have the same dtype and strides. */
static tn_error copy_on_device(tn_tensor *target, const tn_tensor *source) {
    bool same = target->dtype == source->dtype && tni_tensor_is_dense(target) && target->ndim == source->ndim;
    for (int64_t d = 0; same && d < target->ndim; d++)
        same = target->sizes[d] == source->sizes[d] && (target->sizes[d] == 1 || target->strides[d] == source->strides[d]);
    tn_allocator *allocator = target->storage->allocator;
    if (!same || !allocator)
        return tni_raise(TN_ERROR_DEVICE, "device %s can only copy dense tensors of equal strides and dtype, not %s to %s",
                         tn_device_type_name(tni_tensor_device(target).type), tni_show_tensor(source), tni_show_tensor(target));
    /* Dense: all bytes between the first and the last element, and the first of both is at the same place in them. */
    int64_t lowest = 0;
    for (int64_t d = 0; d < target->ndim; d++)
        lowest += target->strides[d] < 0 ? (target->sizes[d] - 1) * target->strides[d] : 0;
    int64_t item = (int64_t)tni_tensor_item_size(target);
    return tn_allocator_copy(allocator, tni_tensor_write(target) + lowest * item, tni_tensor_read(source) + lowest * item,
                             (size_t)(target->numel * item));
}

/* The one of two devices that copies between them. */
static int32_t copy_backend(tn_device target, tn_device source) {
    return target.type > source.type ? target.type : source.type;
}

/* Whether it has a kernel of its own for copy_. Then every copy that concerns it goes there. */
static bool copy_has_kernel(tn_device target, tn_device source) {
    int32_t type = copy_backend(target, source);
    return type != TN_CPU && type < TN_DEVICE_TYPES && tni_registered_exists(tn_operator_find("copy_"), type);
}

/* Whether it takes copies as jobs. */
static bool copy_is_job(tn_device target, tn_device source) {
    int32_t type = copy_backend(target, source);
    return type != TN_CPU && type < TN_DEVICE_TYPES && tni_backend_does(type, TN_JOB_COPY);
}

/* The target's elements, and what they become, as a job. */
static tn_error copy_run_job(int32_t backend, tn_job_kind kind, const tni_copy *copy, tn_device target, tn_job_operand source) {
    tn_dtype dtype = copy->target_dtype;
    source.compute = dtype;
    source.through = TN_DTYPE_DEFAULT;
    tn_job_operand operand[2] = {{.data = copy->target,
                                  .strides = copy->target_strides,
                                  .device = target,
                                  .dtype = dtype,
                                  .compute = dtype,
                                  .through = TN_DTYPE_DEFAULT},
                                 source};
    tn_job job = tni_job_begin(kind, kind == TN_JOB_COPY ? TNI_JOB_copy : TNI_JOB_fill);
    job.compute = dtype;
    job.ndim = (int32_t)copy->ndim;
    job.sizes = copy->sizes;
    job.results = 1;
    job.operands = 2;
    job.operand = operand;
    return tni_backend_run(backend, &job);
}

tn_error tni_copy_as_job(tn_device target, tn_device source, const tni_copy *copy) {
    return copy_run_job(copy_backend(target, source), TN_JOB_COPY, copy, target,
                        (tn_job_operand){.data = (char *)(uintptr_t)copy->source,
                                         .strides = copy->source_strides,
                                         .device = source,
                                         .dtype = copy->source_dtype});
}

tn_error tni_fill_as_job(tn_device device, const tni_copy *target, const void *element) {
    return copy_run_job(
        device.type, TN_JOB_FILL, target, device,
        (tn_job_operand){.data = (char *)(uintptr_t)element, .device = TN_DEVICE_CPU, .dtype = target->target_dtype});
}

/* The elements of a tensor to another; `strides` are the source's under the target's shape. */
static tni_copy copy_between(tn_tensor *target, const tn_tensor *source, const int64_t *strides) {
    return (tni_copy){.ndim = target->ndim,
                      .sizes = target->sizes,
                      .target = tni_tensor_write(target),
                      .target_strides = target->strides,
                      .target_dtype = target->dtype,
                      .source = tni_tensor_read(source),
                      .source_strides = strides,
                      .source_dtype = source->dtype};
}

/* For tensors that share no memory. */
static tn_error copy_as_job(tn_tensor *target, const tn_tensor *source, const int64_t *strides, const char *reason) {
    tni_copy copy = copy_between(target, source, strides);
    tn_error error = tni_copy_as_job(tni_tensor_device(target), tni_tensor_device(source), &copy);
    if (!error)
        copy_report(target, reason);
    return error;
}

static tn_error copy_by_kernel(tn_tensor *target, const tn_tensor *source, const char *reason) {
    tn_error error = tn_operator_call(tn_operator_find("copy_"), TN_VALUES(target, source), NULL);
    if (!error)
        copy_report(target, reason);
    return error;
}

/* ---- into a fresh tensor ----------------------------------------------------------------------------------------- */

/* For tensors that share no memory. */
static void copy_apart(tn_tensor *target, const tn_tensor *source, const int64_t *strides, const char *reason) {
    tni_copy copy = copy_between(target, source, strides);
    tni_copy_elements(&copy);
    copy_report(target, reason);
}

/* Copy to a tensor of the same sizes that nobody else knows yet. */
static tn_error copy_to_fresh(tn_tensor *target, const tn_tensor *source, const char *reason) {
    if (target->numel == 0)
        return TN_OK;
    if (copy_has_kernel(tni_tensor_device(target), tni_tensor_device(source)))
        return copy_by_kernel(target, source, reason);
    if (copy_is_job(tni_tensor_device(target), tni_tensor_device(source)))
        return copy_as_job(target, source, source->strides, reason);
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
    tn_device from = tni_tensor_device(self);
    if (!copy_devices_fit(device, from) && !copy_has_kernel(device, from) && !copy_is_job(device, from)) {
        copy_raise_devices(device, from);
        return NULL;
    }
    tn_tensor *result = tni_empty_like_on(self, dtype, format, device);
    if (result && (copy_to_fresh(result, self, reason) != TN_OK || TNI_UNLIKELY(tni_stopped()))) {
        tni_tensor_release(result);
        return NULL;
    }
    return result;
}

tn_tensor *tni_moved(const tn_tensor *self, tn_device device, const char *reason) {
    return tn_device_equal(tni_tensor_device(self), device) ? tni_tensor_retain(self)
                                                            : tni_clone_as(self, self->dtype, TN_CONTIGUOUS, device, reason);
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
    bool runs = copy_on_cpu(target) && target->dtype == source->dtype && target->numel == source->numel &&
                tni_tensor_is_contiguous(target) && tni_tensor_is_contiguous(source);
    if (runs) {
        memmove(tni_tensor_write(target), tni_tensor_read(source), bytes);
        copy_report(target, reason);
        return TN_OK;
    }
    tn_tensor *apart = tni_clone_contiguous(source, "source and self share memory: source is read before self is written");
    if (!apart)
        return tni_failed();
    int64_t strides[TN_MAX_DIMS];
    copy_broadcast(target, apart, strides);
    tn_error error = TN_OK;
    if (copy_on_cpu(target))
        copy_apart(target, apart, strides, reason);
    else
        error = copy_as_job(target, apart, strides, reason);
    tni_tensor_release(apart);
    return error;
}

static tn_error copy_write(tn_tensor *target, const tn_tensor *source, const int64_t *strides, const char *reason) {
    if (target->numel == 0)
        return TN_OK;
    bool job = copy_is_job(tni_tensor_device(target), tni_tensor_device(source));
    if (!copy_on_cpu(target) && !job) {
        tn_error error = copy_on_device(target, source);
        if (!error)
            copy_report(target, reason);
        return error;
    }
    bool apart = target->storage != source->storage && job; /* addresses of two devices cannot be compared */
    if (!apart && copy_is_to_itself(target, source, strides))
        return TN_OK;
    if (!apart && tni_tensors_overlap(target, source))
        return copy_overlapping(target, source, reason);
    if (job)
        return copy_as_job(target, source, strides, reason);
    copy_apart(target, source, strides, reason);
    return TN_OK;
}

/* Without asking whether a backend can do it: the built-in kernel of copy_. */
static tn_error copy_into(tn_tensor *target, const tn_tensor *source, const char *reason) {
    int64_t strides[TN_MAX_DIMS];
    tn_device to = tni_tensor_device(target), from = tni_tensor_device(source);
    if (!copy_devices_fit(to, from) && !copy_is_job(to, from))
        return copy_raise_devices(to, from);
    if (!copy_broadcast(target, source, strides) || !copy_prepare_target(target))
        return tni_failed();
    tn_error error = copy_write(target, source, strides, reason);
    tni_tensor_bump_after(target, error);
    return error;
}

tn_error tni_copy_into(tn_tensor *target, const tn_tensor *source, const char *reason) {
    if (copy_has_kernel(tni_tensor_device(target), tni_tensor_device(source)))
        return copy_by_kernel(target, source, reason);
    return copy_into(target, source, reason);
}

/* `element` is one of the target's dtype. */
static tn_error fill_as_job(tn_tensor *target, const void *element) {
    tni_copy copy = {.ndim = target->ndim,
                     .sizes = target->sizes,
                     .target = tni_tensor_write(target),
                     .target_strides = target->strides,
                     .target_dtype = target->dtype};
    return tni_fill_as_job(tni_tensor_device(target), &copy, element);
}

/* Every element, where no two share a place. Where some do, one after the other along the first dimension: no two threads may
 * write to one place, not even the same value. */
static void fill_part(tn_dtype dtype, char *target, int64_t ndim, const int64_t *sizes, const int64_t *strides,
                      const void *element) {
    static const int64_t nowhere[TN_MAX_DIMS] = {0};
    if (tn_geometry_overlaps_itself(ndim, sizes, strides, 0) != TN_OVERLAP_NO) {
        for (int64_t i = 0; i < sizes[0] && (i % TNI_STEP || !i || tni_goes_on()); i++)
            fill_part(dtype, target + i * strides[0] * (int64_t)tni_dtype_size(dtype), ndim - 1, sizes + 1, strides + 1,
                      element);
        return;
    }
    tni_copy_elements(&(tni_copy){.ndim = ndim,
                                  .sizes = sizes,
                                  .target = target,
                                  .target_strides = strides,
                                  .target_dtype = dtype,
                                  .source = element,
                                  .source_strides = nowhere,
                                  .source_dtype = dtype});
}

/* Expanded dimensions are visited once. */
static void fill_elements(tn_tensor *target, const void *element) {
    int64_t ndim = 0, sizes[TN_MAX_DIMS], strides[TN_MAX_DIMS];
    for (int64_t d = 0; d < target->ndim; d++)
        if (target->strides[d] != 0) {
            sizes[ndim] = target->sizes[d];
            strides[ndim++] = target->strides[d];
        }
    fill_part(target->dtype, tni_tensor_write(target), ndim, sizes, strides, element);
}

/* A device without fill jobs copies the value to every place. */
static tn_error fill_by_copy(tn_tensor *target, tn_scalar value) {
    tn_tensor *one = tni_op_full((tn_dims){NULL, 0}, value, target->dtype);
    tn_error error = one ? tni_copy_into(target, one, "one value is copied to every element") : tni_failed();
    tni_tensor_release(one);
    return error;
}

/* Elements that the CPU cannot write. */
static tn_error fill_on_device(tn_tensor *target, tn_scalar value) {
    if (!tni_backend_does(tni_tensor_device(target).type, TN_JOB_FILL))
        return fill_by_copy(target, value);
    if (!copy_prepare_target(target))
        return tni_failed();
    _Alignas(16) char element[16];
    tn_dtype_store(target->dtype, element, value);
    tn_error error = target->numel ? fill_as_job(target, element) : TN_OK;
    tni_tensor_bump(target);
    return error;
}

static tn_error fill_all(tn_tensor *target, tn_scalar value) {
    if (!tn_dtype_can_hold(target->dtype, value))
        return tni_raise(TN_ERROR_DTYPE, "value %s does not fit in %s", tni_show_scalar(value), tn_dtype_name(target->dtype));
    if (!copy_on_cpu(target))
        return fill_on_device(target, value);
    if (!tni_tensor_prepare_write(target))
        return tni_failed();
    if (target->numel) {
        _Alignas(16) char element[16];
        tn_dtype_store(target->dtype, element, value);
        int64_t item = (int64_t)tni_tensor_item_size(target);
        if (tni_tensor_is_contiguous(target) && target->numel <= COPY_SMALL_FILL / item) {
            tni_fill_contiguous(tni_tensor_write(target), element, (size_t)item, target->numel);
            tni_tensor_bump(target);
            return TN_OK;
        }
        fill_elements(target, element);
    }
    tni_tensor_bump(target);
    return TN_OK;
}

tn_error tni_fill_into(tn_tensor *target, tn_scalar value) {
    return copy_prepare_target(target) ? fill_all(target, value) : tni_failed();
}

/* ---- the operators ----------------------------------------------------------------------------------------------- */

static const char *copy_format_name(tn_memory_format format) {
    return format == TN_CHANNELS_LAST ? "channels_last" : format == TN_CHANNELS_LAST_3D ? "channels_last_3d" : "contiguous";
}

tn_tensor *tni_op_clone(const tn_tensor *self, tn_memory_format format) {
    return tni_clone_as(self, self->dtype, format, tni_tensor_device(self), "a clone has its own memory");
}

tn_tensor *tni_op_contiguous(const tn_tensor *self, tn_memory_format format) {
    if (format == TN_PRESERVE)
        return tni_raise_null(TN_ERROR_ARGUMENT, "format preserve means nothing here: self always has its own strides");
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

tn_error tni_op_fill_(tn_tensor *self, tn_scalar value) { return fill_all(self, value); }

tn_error tni_op_zero_(tn_tensor *self) { return fill_all(self, tn_scalar_int(0)); }

tn_tensor *tni_composite__to_copy(const tn_tensor *self, tn_dtype dtype) {
    return tn_to_options(self, dtype, tni_tensor_device(self), true, TN_PRESERVE);
}

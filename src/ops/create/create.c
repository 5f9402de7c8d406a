/* create.c - the factories: tensors made from sizes and one number. Sequences are in sequence.c.
 *
 * With `out` a factory makes no tensor: it resizes the one it is given, whose dtype stays, and fills that.
 */
#include "base/error.h"
#include "base/parallel.h"
#include "dispatch/backend.h"
#include "operators_copy.h"
#include "operators_create.h"
#include "ops/copy/copy.h"
#include "ops/copy/copy_engine.h"
#include "ops/create/create.h"
#include "ops/create/fill.h"
#include "ops/plan.h"
#include "tensor/tensor.h"
#include "ops/limits.h"

static tn_tensor *create_empty(tn_dims size, tn_dtype dtype) {
    return tni_tensor_new(size.count, size.values, tni_dtype_or_default(dtype), TN_DEVICE_CPU);
}

tn_tensor *tni_op_empty(tn_dims size, tn_dtype dtype) { return create_empty(size, dtype); }

tn_tensor *tni_op_empty_device(tn_dims size, tn_dtype dtype, tn_device device) {
    return tni_tensor_new(size.count, size.values, tni_dtype_or_default(dtype), device);
}

tn_tensor *tni_op_empty_strided(tn_dims size, tn_dims stride, tn_dtype dtype) {
    if (size.count != stride.count)
        return tni_raise_null(TN_ERROR_SHAPE, "%" PRId64 " sizes %s but %" PRId64 " strides %s", size.count,
                              tni_show_dims(size.values, size.count), stride.count, tni_show_dims(stride.values, stride.count));
    int64_t numel, lowest = 0, highest = -1;
    tn_geometry_result result = tn_geometry_numel(size.count, size.values, &numel);
    if (result == TN_GEOMETRY_OK)
        result = tn_geometry_extent((tn_geometry_ref){size.count, 0, size.values, stride.values}, &lowest, &highest);
    int64_t elements = 0;
    if (result == TN_GEOMETRY_OK && numel > 0 &&
        (tni_sub_overflows(highest, lowest, &elements) || tni_add_overflows(elements, 1, &elements)))
        result = TN_GEOMETRY_OVERFLOW;
    if (result != TN_GEOMETRY_OK)
        return tni_raise_null(tn_geometry_result_error(result), "sizes %s with strides %s: %s",
                              tni_show_dims(size.values, size.count), tni_show_dims(stride.values, stride.count),
                              tn_geometry_result_text(result));
    return tni_tensor_new_strided(size.count, size.values, stride.values, numel ? -lowest : 0, elements,
                                  tni_dtype_or_default(dtype), TN_DEVICE_CPU);
}

/* Every element of a fresh, dense tensor becomes `value`, which the dtype is known to hold. */
static tn_tensor *create_filled(tn_tensor *tensor, tn_scalar value) {
    if (tensor && tensor->numel) {
        _Alignas(16) char element[16];
        tn_dtype_store(tensor->dtype, element, value);
        char *target = tni_tensor_write(tensor);
        size_t item = tni_tensor_item_size(tensor);
        if (tensor->numel <= CREATE_SMALL / (int64_t)item) {
            tni_fill_contiguous(target, element, item, tensor->numel);
            return tensor;
        }
        tni_copy_elements(&(tni_copy){.ndim = 1,
                                      .sizes = &tensor->numel,
                                      .target = target,
                                      .target_strides = &(int64_t){1},
                                      .target_dtype = tensor->dtype,
                                      .source = element,
                                      .source_strides = &(int64_t){0},
                                      .source_dtype = tensor->dtype});
    }
    return tensor;
}

bool tni_create_can_hold(tn_dtype dtype, tn_scalar value) {
    if (tn_dtype_can_hold(dtype, value))
        return true;
    tni_raise(TN_ERROR_DTYPE, "value %s does not fit in %s", tni_show_scalar(value), tn_dtype_name(dtype));
    return false;
}

tn_tensor *tni_op_zeros(tn_dims size, tn_dtype dtype) { return create_filled(create_empty(size, dtype), tn_scalar_int(0)); }

tn_tensor *tni_op_ones(tn_dims size, tn_dtype dtype) { return create_filled(create_empty(size, dtype), tn_scalar_int(1)); }

tn_tensor *tni_op_full(tn_dims size, tn_scalar value, tn_dtype dtype) {
    if (dtype == TN_DTYPE_DEFAULT)
        dtype = tni_dtype_of_scalar(value.kind);
    return tni_create_can_hold(dtype, value) ? create_filled(create_empty(size, dtype), value) : NULL;
}

/* ---- into a given tensor */

static tn_error create_resize(tni_result *result, tn_tensor *out, tn_dims size, tn_dtype dtype) {
    tni_result_of(result, out);
    if (!tni_result_takes_dtype(out, dtype) || !tni_tensor_prepare_write(out))
        return tni_failed();
    return tni_result_resize(result, size);
}

tn_error tni_op_empty_out(tn_tensor *out, tn_dims size, tn_dtype dtype) {
    tni_result result;
    return create_resize(&result, out, size, dtype);
}

tn_error tni_op_full_out(tn_tensor *out, tn_dims size, tn_scalar value, tn_dtype dtype) {
    if (!tni_create_can_hold(out->dtype, value))
        return tni_failed();
    tni_result result;
    tn_error code = create_resize(&result, out, size, dtype);
    return tni_result_stay(&result, code == TN_OK ? tni_op_fill_(out, value) : code);
}

tn_error tni_op_zeros_out(tn_tensor *out, tn_dims size, tn_dtype dtype) {
    return tni_op_full_out(out, size, tn_scalar_int(0), dtype);
}

tn_error tni_op_ones_out(tn_tensor *out, tn_dims size, tn_dtype dtype) {
    return tni_op_full_out(out, size, tn_scalar_int(1), dtype);
}

tn_tensor *tni_op_scalar_tensor(tn_scalar value, tn_dtype dtype) {
    return tni_op_full((tn_dims){NULL, 0}, value, tni_dtype_or_default(dtype));
}

/* ---- like another */

bool tni_like_strides(const tn_tensor *self, tn_memory_format format, bool *strided, int64_t *strides) {
    tn_geometry_result result = TN_GEOMETRY_OK;
    bool channels = format == TN_CHANNELS_LAST || format == TN_CHANNELS_LAST_3D;
    int wanted = format == TN_CHANNELS_LAST ? 4 : 5;
    *strided = channels || (format == TN_PRESERVE && !tni_tensor_is_plain(self));
    if (channels && self->ndim != wanted) {
        tni_raise(TN_ERROR_SHAPE, "format %s needs %d dimensions, self has %d: %s",
                  wanted == 4 ? "channels_last" : "channels_last_3d", wanted, self->ndim, tni_show_tensor(self));
        return false;
    }
    if (*strided)
        result = channels ? tn_geometry_channels_last_strides(self->ndim, self->sizes, strides)
                          : tn_geometry_dense_strides(self->ndim, self->sizes, self->strides, strides);
    if (result != TN_GEOMETRY_OK)
        tni_raise(tn_geometry_result_error(result), "self %s: %s", tni_show_tensor(self), tn_geometry_result_text(result));
    return result == TN_GEOMETRY_OK;
}

tn_tensor *tni_empty_like_on(const tn_tensor *self, tn_dtype dtype, tn_memory_format format, tn_device device) {
    int64_t strides[TN_MAX_DIMS];
    bool strided;
    if (!tni_like_strides(self, format, &strided, strides))
        return NULL;
    return strided ? tni_tensor_new_strided(self->ndim, self->sizes, strides, 0, self->numel, dtype, device)
                   : tni_tensor_new(self->ndim, self->sizes, dtype, device);
}

tn_tensor *tni_op_empty_like(const tn_tensor *self, tn_dtype dtype, tn_memory_format format) {
    return tni_empty_like_on(self, dtype == TN_DTYPE_DEFAULT ? (tn_dtype)self->dtype : dtype, format, tni_tensor_device(self));
}

tn_tensor *tni_op_full_like(const tn_tensor *self, tn_scalar value, tn_dtype dtype, tn_memory_format format) {
    tn_dtype wanted = dtype == TN_DTYPE_DEFAULT ? (tn_dtype)self->dtype : dtype;
    if (!tni_create_can_hold(wanted, value))
        return NULL;
    tn_tensor *made = tni_op_empty_like(self, wanted, format);
    if (TNI_LIKELY(tni_tensor_device(self).type == TN_CPU))
        return create_filled(made, value);
    if (made && tni_fill_into(made, value) != TN_OK) {
        tni_tensor_release(made);
        return NULL;
    }
    return made;
}

tn_tensor *tni_op_zeros_like(const tn_tensor *self, tn_dtype dtype, tn_memory_format format) {
    return tni_op_full_like(self, tn_scalar_int(0), dtype, format);
}

tn_tensor *tni_op_ones_like(const tn_tensor *self, tn_dtype dtype, tn_memory_format format) {
    return tni_op_full_like(self, tn_scalar_int(1), dtype, format);
}

/* ---- eye */

/* As in torch an out of other sizes is resized without a warning: the call gives the numbers of rows and columns. */
bool tni_plan_eye(tni_plan *plan, int64_t rows, int64_t columns, tn_dtype dtype) {
    if (rows < 0 || columns < 0) {
        tni_raise(TN_ERROR_SHAPE, "rows = %" PRId64 " and columns = %" PRId64 " must not be negative", rows, columns);
        return false;
    }
    if (!tni_plan_dtype(plan, dtype, tni_dtype_or_default(dtype), &dtype))
        return false;
    tni_plan_begin_new(plan);
    plan->rule = TNI_RESULT_MADE;
    tni_plan_add(plan, 2, (int64_t[]){rows, columns}, dtype);
    return true;
}

tn_error tni_run_eye(const tni_plan *plan, tn_tensor *const *results, int64_t rows, int64_t columns, tn_dtype dtype) {
    tn_tensor *matrix = results[0];
    (void)dtype;
    if (plan->out && tni_fill_into(matrix, tn_scalar_int(0)) != TN_OK)
        return tni_failed();
    if (!plan->out)
        create_filled(matrix, tn_scalar_int(0));
    int64_t step = (matrix->strides[0] + matrix->strides[1]) * (int64_t)tni_tensor_item_size(matrix);
    char *target = tni_tensor_write(matrix);
    TNI_IN_STEPS (begin, end, tni_min_i64(rows, columns))
        for (int64_t i = begin; i < end; i++)
            tn_dtype_store(matrix->dtype, target + i * step, tn_scalar_int(1));
    return TN_OK;
}

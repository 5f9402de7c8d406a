/* shape.c - ONNX's operators that make tensors, view them and put their parts together or elsewhere. */
#include <math.h>
#include <stdlib.h>

#include "interchange/onnx/operators.h"
#include "operators_arithmetic.h"
#include "operators_compare.h"
#include "operators_copy.h"
#include "operators_create.h"
#include "operators_index.h"
#include "operators_join.h"
#include "operators_logic.h"
#include "operators_move.h"
#include "operators_random.h"
#include "operators_reduce.h"
#include "operators_search.h"
#include "operators_select.h"
#include "operators_sort.h"
#include "operators_view.h"

#define IN(i) tni_onnx_in(call, i)
#define DIMS(wholes) ((tn_dims){(wholes).values, (wholes).count})

/* ---- views */

bool tni_onnx_reshape(tni_onnx_call *call) {
    tn_tensor *x = IN(0);
    tni_onnx_wholes sizes;
    bool zero = tni_onnx_int(call, "allowzero", 0) != 0;
    if (!tni_onnx_wholes_in(call, 1, &sizes))
        return false;
    for (int64_t i = 0; i < sizes.count && !zero; i++)
        if (sizes.values[i] == 0) { /* as it was */
            if (i >= tn_ndim(x)) {
                tni_raise(TN_ERROR_SHAPE, "size %" PRId64 " is 0: it stays as it was, but there are %" PRId64 " dimensions", i,
                          tn_ndim(x));
                return false;
            }
            sizes.values[i] = tn_size(x, i);
        }
    return tni_onnx_out(call, 0, tn_reshape(x, DIMS(sizes)));
}

bool tni_onnx_squeeze(tni_onnx_call *call) {
    tni_onnx_wholes axes;
    tn_tensor *x = IN(0);
    if (!tni_onnx_wholes_either(call, 1, "axes", &axes) || !tni_onnx_wrap_all(&axes, tn_ndim(x)))
        return false;
    for (int64_t i = 0; i < axes.count; i++)
        if (tn_size(x, axes.values[i]) != 1) {
            tni_raise(TN_ERROR_SHAPE, "axis %" PRId64 " has the size %" PRId64 ", not 1", axes.values[i],
                      tn_size(x, axes.values[i]));
            return false;
        }
    return tni_onnx_out(call, 0, axes.there ? tn_squeeze_dims(x, DIMS(axes)) : tn_squeeze(x));
}

bool tni_onnx_unsqueeze(tni_onnx_call *call) {
    tni_onnx_wholes axes;
    tn_tensor *x = IN(0);
    int64_t sizes[TN_MAX_DIMS], ndim = tn_ndim(x);
    if (!tni_onnx_wholes_either(call, 1, "axes", &axes) || axes.count + ndim > TN_MAX_DIMS ||
        !tni_onnx_wrap_all(&axes, ndim += axes.count))
        return false;
    memset(sizes, 0, sizeof sizes);
    for (int64_t i = 0; i < axes.count; i++)
        if (sizes[axes.values[i]]++) {
            tni_raise(TN_ERROR_ARGUMENT, "axis %" PRId64 " is there twice", axes.values[i]);
            return false;
        }
    for (int64_t i = 0; i < ndim && x; i++)
        x = sizes[i] ? tn_unsqueeze(x, i) : x;
    return tni_onnx_out(call, 0, x);
}

bool tni_onnx_transpose(tni_onnx_call *call) {
    tni_onnx_wholes order;
    int64_t ndim = tn_ndim(IN(0));
    if (!tni_onnx_wholes_attribute(call, "perm", &order))
        return false;
    for (int64_t i = 0; !order.there && i < ndim; i++)
        order.values[order.count++] = ndim - 1 - i;
    return tni_onnx_out(call, 0, tn_permute(IN(0), DIMS(order)));
}

bool tni_onnx_flatten(tni_onnx_call *call) {
    tn_tensor *x = IN(0);
    int64_t axis = tni_onnx_int(call, "axis", 1), ndim = tn_ndim(x), before = 1, after = 1;
    if (axis != ndim && !tni_onnx_wrap(&axis, ndim))
        return false;
    for (int64_t i = 0; i < ndim; i++)
        *(i < axis ? &before : &after) *= tn_size(x, i);
    return tni_onnx_out(call, 0, tn_reshape(x, TN_DIMS(before, after)));
}

/* Sizes broadcast together with those of the tensor. */
bool tni_onnx_expand(tni_onnx_call *call) {
    tni_onnx_wholes sizes;
    tn_tensor *x = IN(0);
    if (!tni_onnx_wholes_in(call, 1, &sizes))
        return false;
    int64_t ndim = tn_ndim(x), most = tni_max_i64(ndim, sizes.count), all[TN_MAX_DIMS];
    for (int64_t i = 0; i < most; i++) {
        int64_t own = i < most - ndim ? 1 : tn_size(x, i - (most - ndim));
        int64_t wanted = i < most - sizes.count ? 1 : sizes.values[i - (most - sizes.count)];
        all[i] = wanted == 1 ? own : wanted;
    }
    return tni_onnx_out(call, 0, tn_expand(x, (tn_dims){all, most}));
}

bool tni_onnx_slice(tni_onnx_call *call) {
    tni_onnx_wholes start, end, axes, step;
    tn_tensor *x = IN(0);
    bool attributes = call->version < 10;
    if (attributes
            ? !tni_onnx_wholes_attribute(call, "starts", &start) || !tni_onnx_wholes_attribute(call, "ends", &end) ||
                  !tni_onnx_wholes_attribute(call, "axes", &axes)
            : !tni_onnx_wholes_in(call, 1, &start) || !tni_onnx_wholes_in(call, 2, &end) || !tni_onnx_wholes_in(call, 3, &axes))
        return false;
    step.there = false;
    if (!attributes && !tni_onnx_wholes_in(call, 4, &step))
        return false;
    for (int64_t i = 0; !axes.there && i < start.count; i++)
        axes.values[axes.count++] = i;
    if (end.count != start.count || axes.count != start.count || (step.there && step.count != start.count)) {
        tni_raise(TN_ERROR_ARGUMENT, "starts, ends, axes and steps should be equally many");
        return false;
    }
    if (!tni_onnx_wrap_all(&axes, tn_ndim(x)))
        return false;
    for (int64_t i = 0; i < start.count && x; i++) /* the least number would mean that it is omitted */
        x = tn_slice(x, axes.values[i], tni_max_i64(start.values[i], INT64_MIN + 1), tni_max_i64(end.values[i], INT64_MIN + 1),
                     step.there ? step.values[i] : 1);
    return tni_onnx_out(call, 0, x);
}

/* (b, c, h, w) with blocks of channels as blocks of places, and back. */
bool tni_onnx_depth_to_space(tni_onnx_call *call) {
    tn_tensor *x = IN(0);
    int64_t block = tni_onnx_int(call, "blocksize", 0);
    bool crd = strcmp(tni_onnx_text(call, "mode", "DCR"), "CRD") == 0, back = call->row->detail;
    if (tn_ndim(x) != 4 || block < 1)
        return tni_onnx_refuse("it wants 4 dimensions and a blocksize above 0, not %" PRId64 " and %" PRId64, tn_ndim(x),
                               block);
    int64_t b = tn_size(x, 0), c = tn_size(x, 1), h = tn_size(x, 2), w = tn_size(x, 3);
    if (back) {
        x = tn_reshape(x, TN_DIMS(b, c, h / block, block, w / block, block));
        x = crd ? tn_permute(x, TN_DIMS(0, 1, 3, 5, 2, 4)) : tn_permute(x, TN_DIMS(0, 3, 5, 1, 2, 4));
        x = tn_reshape(x, TN_DIMS(b, c * block * block, h / block, w / block));
    } else {
        int64_t deep = c / block / block;
        x = crd ? tn_permute(tn_reshape(x, TN_DIMS(b, deep, block, block, h, w)), TN_DIMS(0, 1, 4, 2, 5, 3))
                : tn_permute(tn_reshape(x, TN_DIMS(b, block, block, deep, h, w)), TN_DIMS(0, 3, 4, 1, 5, 2));
        x = tn_reshape(x, TN_DIMS(b, deep, h * block, w * block));
    }
    return tni_onnx_out(call, 0, x);
}

/* ---- what a tensor is like */

bool tni_onnx_shape(tni_onnx_call *call) {
    tn_dims sizes = tn_sizes(IN(0));
    int64_t start = tni_onnx_int(call, "start", 0), end = tni_onnx_int(call, "end", sizes.count);
    start = tni_max_i64(0, tni_min_i64(start < 0 ? start + sizes.count : start, sizes.count));
    end = tni_max_i64(start, tni_min_i64(end < 0 ? end + sizes.count : end, sizes.count));
    return tni_onnx_out(call, 0, tni_onnx_from_wholes(sizes.values + start, end - start));
}

bool tni_onnx_size(tni_onnx_call *call) {
    return tni_onnx_out(call, 0, tn_scalar_tensor(TN_SCALAR(tn_numel(IN(0))), TN_INT64));
}

/* ---- new tensors */

bool tni_onnx_constant_node(tni_onnx_call *call) {
    tn_tensor *made = NULL;
    const tni_onnx_attribute *a = call->node->attribute_count == 1 ? &call->node->attributes[0] : NULL;
    if (!a)
        return tni_onnx_refuse("a constant has one attribute, not %zu", call->node->attribute_count);
    if (a->kind == TNI_ONNX_TENSOR)
        made = tni_onnx_tensor(call, a->name);
    else if (a->kind == TNI_ONNX_INT)
        made = tn_scalar_tensor(TN_SCALAR(a->whole), TN_INT64);
    else if (a->kind == TNI_ONNX_FLOAT)
        made = tn_scalar_tensor(TN_SCALAR((double)a->real), TN_FLOAT32);
    else if (a->kind == TNI_ONNX_INTS)
        made = tni_onnx_from_wholes(a->wholes, (int64_t)a->count);
    else if (a->kind == TNI_ONNX_FLOATS)
        made = tn_from_memory(a->count ? a->reals : &a->real, TN_DIMS((int64_t)a->count), TN_FLOAT32, TN_COPY);
    else
        return tni_onnx_refuse("attribute \"%s\" makes no tensor", a->name);
    return tni_onnx_out(call, 0, made);
}

bool tni_onnx_constant_of_shape(tni_onnx_call *call) {
    tni_onnx_wholes sizes;
    tn_tensor *value = tni_onnx_tensor(call, "value");
    if (call->wrong || !tni_onnx_wholes_in(call, 0, &sizes))
        return false;
    return tni_onnx_out(call, 0,
                        value ? tn_full(DIMS(sizes), tn_item(value), tn_dtype_of(value)) : tn_zeros(DIMS(sizes), TN_FLOAT32));
}

bool tni_onnx_range(tni_onnx_call *call) {
    for (size_t i = 0; i < 3; i++)
        if (tn_numel(IN(i)) != 1)
            return tni_onnx_refuse("input %zu should be one number", i);
    return tni_onnx_out(call, 0, tn_arange_start(tn_item(IN(0)), tn_item(IN(1)), tn_item(IN(2)), tn_dtype_of(IN(0))));
}

/* Rows and columns whose difference is k. */
bool tni_onnx_eye_like(tni_onnx_call *call) {
    tn_tensor *x = IN(0);
    tn_dtype dtype = tni_onnx_dtype_in(call, "dtype", tn_dtype_of(x));
    if (!dtype || tn_ndim(x) != 2)
        return !dtype ? false : tni_onnx_refuse("it wants a matrix, not %" PRId64 " dimensions", tn_ndim(x));
    tn_tensor *rows = tn_unsqueeze(tn_arange(TN_SCALAR(tn_size(x, 0)), TN_INT64), 1),
              *columns = tn_arange(TN_SCALAR(tn_size(x, 1)), TN_INT64);
    return tni_onnx_out(call, 0, tn_to(tn_eq(tn_add_scalar(rows, TN_SCALAR(tni_onnx_int(call, "k", 0))), columns), dtype));
}

bool tni_onnx_one_hot(tni_onnx_call *call) {
    tn_tensor *index = IN(0), *values = IN(2);
    int64_t axis = tni_onnx_int(call, "axis", -1), ndim = tn_ndim(index) + 1;
    if (tn_numel(IN(1)) != 1 || tn_numel(values) != 2 || !tni_onnx_wrap(&axis, ndim))
        return tni_onnx_refuse("depth should be one number, and values two");
    int64_t depth = tn_item_int64(tn_to(tn_reshape(IN(1), TN_DIMS()), TN_INT64));
    tn_tensor *places = tni_onnx_per_channel(tn_arange(TN_SCALAR(depth), TN_INT64), ndim, axis);
    tn_tensor *hot = tn_eq(tn_unsqueeze(tni_onnx_wrapped(index, depth), axis), places);
    return tni_onnx_out(call, 0, tn_where(hot, tn_select(values, 0, 1), tn_select(values, 0, 0)));
}

/* Random numbers: detail 0 uniform, 1 normal, 2 Bernoulli. Of the default generator; seeds of the model are not used. */
bool tni_onnx_random(tni_onnx_call *call) {
    tn_tensor *like = IN(0), *made;
    tni_onnx_wholes sizes;
    tn_dtype given = like ? tn_dtype_of(like) : TN_FLOAT32;
    tn_dtype dtype =
        tni_onnx_dtype_in(call, "dtype", call->row->detail == 2 || tn_dtype_is_floating(given) ? given : TN_FLOAT32);
    if (!dtype || !tni_onnx_wholes_attribute(call, "shape", &sizes))
        return false;
    tn_dims size = like ? tn_sizes(like) : DIMS(sizes);
    if (call->row->detail == 2)
        made = tn_to(tn_bernoulli(tn_to(like, TN_FLOAT32), NULL), dtype);
    else if (call->row->detail == 1) {
        double mean = tni_onnx_real(call, "mean", 0), scale = tni_onnx_real(call, "scale", 1);
        made = tn_add_scalar(tn_mul_scalar(tn_randn(size, dtype, NULL), TN_SCALAR(scale)), TN_SCALAR(mean));
    } else {
        double low = tni_onnx_real(call, "low", 0), high = tni_onnx_real(call, "high", 1);
        made = tn_add_scalar(tn_mul_scalar(tn_rand(size, dtype, NULL), TN_SCALAR(high - low)), TN_SCALAR(low));
    }
    return tni_onnx_out(call, 0, made);
}

/* ---- joining and moving */

bool tni_onnx_concat(tni_onnx_call *call) {
    const tn_tensor *small[16], **all = small;
    size_t bytes = call->in_count * sizeof *all;
    int64_t axis = tni_onnx_int(call, "axis", call->version < 4 ? 1 : 0);
    if (call->in_count > TNI_COUNT_OF(small) && !(all = tni_heap_alloc(bytes)))
        return false;
    bool whole = true;
    for (size_t i = 0; i < call->in_count; i++)
        whole &= (all[i] = IN(i)) != NULL;
    tn_tensor *made = NULL;
    if (!whole)
        (void)tni_onnx_refuse("an input is left out");
    else if (tni_onnx_wrap(&axis, tn_ndim(all[0])))
        made = tn_cat(all, (int64_t)call->in_count, axis);
    if (all != small)
        tni_heap_free((void *)all, bytes);
    return tni_onnx_out(call, 0, made);
}

bool tni_onnx_split(tni_onnx_call *call) {
    tn_tensor *x = IN(0);
    tni_onnx_wholes parts;
    int64_t axis = tni_onnx_int(call, "axis", 0), count = tni_onnx_int(call, "num_outputs", (int64_t)call->out_count);
    if (!tni_onnx_wrap(&axis, tn_ndim(x)) || !tni_onnx_wholes_either(call, 1, "split", &parts))
        return false;
    int64_t size = tn_size(x, axis), at = 0;
    if (count != (int64_t)call->out_count || (parts.there && parts.count != count) || count < 1) {
        tni_raise(TN_ERROR_ARGUMENT, "it has %zu outputs, but %" PRId64 " parts", call->out_count,
                  parts.there ? parts.count : count);
        return false;
    }
    for (int64_t i = 0, each = (size + count - 1) / count; i < count; i++) {
        int64_t length = parts.there ? parts.values[i] : tni_max_i64(0, tni_min_i64(each, size - at));
        if (!tni_onnx_out(call, (size_t)i, tn_narrow(x, axis, at, length)))
            return false;
        at += length;
    }
    if (at == size)
        return true;
    tni_raise(TN_ERROR_SHAPE, "the parts have %" PRId64 " together, but axis %" PRId64 " has %" PRId64, at, axis, size);
    return false;
}

bool tni_onnx_tile(tni_onnx_call *call) {
    tni_onnx_wholes counts;
    return tni_onnx_wholes_in(call, 1, &counts) && tni_onnx_out(call, 0, tn_tile(IN(0), DIMS(counts)));
}

bool tni_onnx_trilu(tni_onnx_call *call) {
    int64_t k;
    if (!tni_onnx_whole_in(call, 1, 0, &k))
        return false;
    k = tni_max_i64(-INT32_MAX, tni_min_i64(k, INT32_MAX)); /* beyond every matrix */
    return tni_onnx_out(call, 0, tni_onnx_int(call, "upper", 1) ? tn_triu(IN(0), k) : tn_tril(IN(0), k));
}

/* Pairs for tn_pad, the last dimension first. */
bool tni_onnx_pad(tni_onnx_call *call) {
    tn_tensor *x = IN(0), *value = IN(2);
    tni_onnx_wholes pads, axes;
    int64_t ndim = tn_ndim(x), pairs[2 * TN_MAX_DIMS] = {0};
    const char *mode = tni_onnx_text(call, "mode", "constant");
    if (!tni_onnx_wholes_either(call, 1, "pads", &pads) || !tni_onnx_wholes_in(call, 3, &axes))
        return false;
    for (int64_t i = 0; !axes.there && i < ndim; i++)
        axes.values[axes.count++] = i;
    if (!tni_onnx_wrap_all(&axes, ndim))
        return false;
    if (pads.count != 2 * axes.count) {
        tni_raise(TN_ERROR_ARGUMENT, "%" PRId64 " pads are not two for each of %" PRId64 " axes", pads.count, axes.count);
        return false;
    }
    for (int64_t i = 0; i < axes.count; i++) {
        int64_t *pair = &pairs[2 * (ndim - 1 - axes.values[i])];
        pair[0] = pads.values[i];
        pair[1] = pads.values[i + axes.count];
    }
    tn_scalar with = value && tn_numel(value) ? tn_item(value) : TN_SCALAR(tni_onnx_real(call, "value", 0));
    const char *ours = strcmp(mode, "edge") == 0 ? "replicate" : strcmp(mode, "wrap") == 0 ? "circular" : mode;
    if (strcmp(ours, "constant") != 0)
        with = TN_NO_SCALAR;
    else if (!value && tn_dtype_is_integral(tn_dtype_of(x)))
        with = TN_SCALAR(0);
    return tni_onnx_out(call, 0, tn_pad(x, ((tn_dims){pairs, 2 * ndim}), ours, with));
}

/* Cut or filled up to sizes, around the middle. */
bool tni_onnx_center_crop_pad(tni_onnx_call *call) {
    tn_tensor *x = IN(0);
    tni_onnx_wholes sizes, axes;
    int64_t ndim = tn_ndim(x), pairs[2 * TN_MAX_DIMS] = {0};
    if (!tni_onnx_wholes_in(call, 1, &sizes) || !tni_onnx_wholes_attribute(call, "axes", &axes))
        return false;
    for (int64_t i = 0; !axes.there && i < ndim; i++)
        axes.values[axes.count++] = i;
    if (!tni_onnx_wrap_all(&axes, ndim) || sizes.count != axes.count)
        return tni_onnx_refuse("it wants a size for each axis");
    for (int64_t i = 0; i < axes.count; i++) {
        int64_t more = sizes.values[i] - tn_size(x, axes.values[i]), *pair = &pairs[2 * (ndim - 1 - axes.values[i])];
        int64_t half = (more < 0 ? -more : more) / 2;
        pair[0] = more < 0 ? -half : half;
        pair[1] = more - pair[0];
    }
    return tni_onnx_out(call, 0, tn_pad(x, ((tn_dims){pairs, 2 * ndim}), "constant", TN_SCALAR(0)));
}

bool tni_onnx_reverse_sequence(tni_onnx_call *call) {
    tn_tensor *x = IN(0);
    int64_t time = tni_onnx_int(call, "time_axis", 0), batch = tni_onnx_int(call, "batch_axis", 1), ndim = tn_ndim(x);
    if (!tni_onnx_wrap(&time, ndim) || !tni_onnx_wrap(&batch, ndim) || time == batch)
        return tni_onnx_refuse("time_axis and batch_axis should be two axes");
    tn_tensor *length = tni_onnx_per_channel(IN(1), ndim, batch);
    tn_tensor *at = tni_onnx_per_channel(tn_arange(TN_SCALAR(tn_size(x, time)), TN_INT64), ndim, time);
    tn_tensor *from = tn_where(tn_lt(at, length), tn_sub(tn_sub_scalar(length, TN_SCALAR(1)), at), at);
    return tni_onnx_out(call, 0, tn_gather(x, time, tn_expand(from, tn_sizes(x))));
}

/* ---- picking and putting */

bool tni_onnx_gather(tni_onnx_call *call) {
    tn_tensor *x = IN(0), *index = IN(1), *made;
    int64_t axis = tni_onnx_int(call, "axis", 0), sizes[2 * TN_MAX_DIMS], ndim = tn_ndim(x), count = 0;
    if (!tni_onnx_wrap(&axis, ndim))
        return false;
    if (tn_ndim(index) == 0)
        return tni_onnx_out(call, 0, tn_select(x, axis, tn_item_int64(tn_to(index, TN_INT64))));
    made = tn_index_select(x, axis, tn_reshape(tni_onnx_wrapped(index, tn_size(x, axis)), TN_DIMS(-1)));
    for (int64_t i = 0; i < ndim; i++)
        if (i == axis)
            for (int64_t k = 0; k < tn_ndim(index); k++)
                sizes[count++] = tn_size(index, k);
        else
            sizes[count++] = tn_size(x, i);
    return tni_onnx_out(call, 0, tn_ndim(index) == 1 ? made : tn_reshape(made, (tn_dims){sizes, count}));
}

bool tni_onnx_gather_elements(tni_onnx_call *call) {
    int64_t axis = tni_onnx_int(call, "axis", 0);
    return tni_onnx_wrap(&axis, tn_ndim(IN(0))) &&
           tni_onnx_out(call, 0, tn_gather(IN(0), axis, tni_onnx_wrapped(IN(1), tn_size(IN(0), axis))));
}

static const char *onnx_reduction(tni_onnx_call *call) {
    static const char *const names[][2] = {{"add", "sum"}, {"mul", "prod"}, {"max", "amax"}, {"min", "amin"}};
    const char *given = tni_onnx_text(call, "reduction", "none");
    for (size_t i = 0; i < TNI_COUNT_OF(names); i++)
        if (strcmp(given, names[i][0]) == 0)
            return names[i][1];
    return strcmp(given, "none") == 0 ? "" : NULL;
}

bool tni_onnx_scatter_elements(tni_onnx_call *call) {
    int64_t axis = tni_onnx_int(call, "axis", 0);
    const char *reduction = onnx_reduction(call);
    if (!reduction)
        return tni_onnx_refuse("there is no reduction \"%s\"", tni_onnx_text(call, "reduction", ""));
    if (!tni_onnx_wrap(&axis, tn_ndim(IN(0))))
        return false;
    tn_tensor *index = tni_onnx_wrapped(IN(1), tn_size(IN(0), axis));
    return tni_onnx_out(call, 0,
                        reduction[0] ? tn_scatter_reduce(IN(0), axis, index, IN(2), reduction, true)
                                     : tn_scatter(IN(0), axis, index, IN(2)));
}

/* Indices of several dimensions as places in `x` with its dimensions from `first` on, as many as they name, made one; and x like that:
 * (before, the dimensions, what is left). */
static tn_tensor *onnx_places(const tn_tensor *x, const tn_tensor *index, int64_t first, tn_tensor **flat) {
    int64_t depth = tn_ndim(index) ? tn_size(index, -1) : -1, ndim = tn_ndim(x), sizes[TN_MAX_DIMS], before = 1, inside = 1;
    if (depth < 0 || first + depth > ndim) {
        tni_raise(TN_ERROR_SHAPE, "indices of %" PRId64 " numbers do not fit %" PRId64 " dimensions", depth, ndim);
        return NULL;
    }
    tn_tensor *places = tn_zeros((tn_dims){tn_sizes(index).values, tn_ndim(index) - 1}, TN_INT64);
    for (int64_t i = 0; i < depth; i++) {
        int64_t size = tn_size(x, first + i);
        tn_tensor *own = tni_onnx_wrapped(tn_select(index, -1, i), size);
        tn_tensor *outside = tn_any(tn_logical_or(tn_lt_scalar(own, TN_SCALAR(0)), tn_ge_scalar(own, TN_SCALAR(size))));
        if (!outside)
            return NULL;
        if (tn_item_bool(outside)) {
            tni_raise(TN_ERROR_INDEX, "an index is out of range for dimension %" PRId64 " with size %" PRId64, first + i, size);
            return NULL;
        }
        places = tn_add(tn_mul_scalar(places, TN_SCALAR(size)), own);
        inside *= size;
    }
    for (int64_t i = 0; i < first; i++)
        before *= tn_size(x, i);
    sizes[0] = before;
    sizes[1] = inside;
    for (int64_t i = first + depth; i < ndim; i++)
        sizes[i - first - depth + 2] = tn_size(x, i);
    *flat = tn_reshape(x, (tn_dims){sizes, ndim - first - depth + 2});
    return places;
}

bool tni_onnx_gather_nd(tni_onnx_call *call) {
    tn_tensor *x = IN(0), *index = IN(1), *flat = NULL;
    int64_t batch = tni_onnx_int(call, "batch_dims", 0), sizes[2 * TN_MAX_DIMS], count = 0;
    if (batch < 0 || batch >= tn_ndim(index))
        return tni_onnx_refuse("batch_dims is %" PRId64, batch);
    tn_tensor *places = onnx_places(x, index, batch, &flat);
    if (!places || !flat)
        return false;
    int64_t before = tn_size(flat, 0), inside = tn_size(flat, 1);
    tn_tensor *rows = tn_reshape(places, TN_DIMS(before, before ? tn_numel(places) / before : 0));
    rows = tn_add(rows, tn_unsqueeze(tn_mul_scalar(tn_arange(TN_SCALAR(before), TN_INT64), TN_SCALAR(inside)), 1));
    tn_tensor *made = tn_index_select(tn_flatten(flat, 0, 1), 0, tn_reshape(rows, TN_DIMS(-1)));
    for (int64_t i = 0; i < tn_ndim(index) - 1; i++)
        sizes[count++] = tn_size(index, i);
    for (int64_t i = 2; i < tn_ndim(flat); i++)
        sizes[count++] = tn_size(flat, i);
    return tni_onnx_out(call, 0, tn_reshape(made, (tn_dims){sizes, count}));
}

bool tni_onnx_scatter_nd(tni_onnx_call *call) {
    tn_tensor *flat = NULL, *places = onnx_places(IN(0), IN(1), 0, &flat), *made;
    const char *reduction = onnx_reduction(call);
    if (!places || !flat || !reduction)
        return reduction ? false : tni_onnx_refuse("there is no reduction \"%s\"", tni_onnx_text(call, "reduction", ""));
    flat = tn_select(flat, 0, 0);
    int64_t sizes[TN_MAX_DIMS], ndim = tn_ndim(flat);
    for (int64_t i = 0; i < ndim; i++)
        sizes[i] = i ? tn_size(flat, i) : tn_numel(places);
    tn_tensor *more = tn_reshape(IN(2), (tn_dims){sizes, ndim}), *line = tn_reshape(places, TN_DIMS(-1));
    if (!reduction[0])
        made = tn_index_copy(flat, 0, line, more);
    else if (strcmp(reduction, "sum") == 0)
        made = tn_index_add(flat, 0, line, more, TN_SCALAR(1));
    else
        made = tn_index_reduce(flat, 0, line, more, reduction, true);
    return tni_onnx_out(call, 0, tn_reshape(made, tn_sizes(IN(0))));
}

bool tni_onnx_compress(tni_onnx_call *call) {
    tn_tensor *x = IN(0), *places = tn_reshape(tn_nonzero(IN(1)), TN_DIMS(-1));
    bool flat = !tni_onnx_attribute_of(call, "axis");
    int64_t axis = tni_onnx_int(call, "axis", 0);
    if (tn_ndim(IN(1)) != 1)
        return tni_onnx_refuse("the condition has %" PRId64 " dimensions, not 1", tn_ndim(IN(1)));
    x = flat ? tn_reshape(x, TN_DIMS(-1)) : x;
    return tni_onnx_wrap(&axis, tn_ndim(x)) && tni_onnx_out(call, 0, tn_index_select(x, axis, places));
}

bool tni_onnx_nonzero(tni_onnx_call *call) { return tni_onnx_out(call, 0, tn_t(tn_nonzero(tn_atleast_1d(IN(0))))); }

/* Different elements, where each is first, which one each element is, how often each is there. */
bool tni_onnx_unique(tni_onnx_call *call) {
    tn_tensor *x = IN(0);
    bool flat = !tni_onnx_attribute_of(call, "axis");
    int64_t axis = tni_onnx_int(call, "axis", 0);
    x = flat ? tn_reshape(x, TN_DIMS(-1)) : x;
    if (!tni_onnx_wrap(&axis, tn_ndim(x)))
        return false;
    tn_list *all = tn_unique_options(x, true, true, true, axis);
    if (!all)
        return false;
    tn_tensor *values = tn_list_at(all, 0), *inverse = tn_list_at(all, 1), *counts = tn_list_at(all, 2);
    int64_t size = tn_size(x, axis), kinds = tn_numel(counts);
    tn_tensor *first = tn_scatter_reduce(tn_full(TN_DIMS(kinds), TN_SCALAR(size), TN_INT64), 0, inverse,
                                         tn_arange(TN_SCALAR(size), TN_INT64), "amin", true);
    if (!tni_onnx_int(call, "sorted", 1)) { /* in the order in which they come */
        tn_tensor *order = tn_argsort(first, 0, false), *rank = tn_argsort(order, 0, false);
        values = tn_index_select(values, axis, order);
        first = tn_index_select(first, 0, order);
        counts = tn_index_select(counts, 0, order);
        inverse = tn_index_select(rank, 0, inverse);
    }
    return tni_onnx_out(call, 0, values) && tni_onnx_out(call, 1, first) && tni_onnx_out(call, 2, inverse) &&
           tni_onnx_out(call, 3, counts);
}

/* ---- boxes */

typedef struct onnx_box {
    float score, low[2], high[2];
    int64_t number;
} onnx_box;

static int onnx_box_order(const void *a, const void *b) {
    const onnx_box *x = a, *y = b;
    return x->score != y->score ? (x->score > y->score ? -1 : 1) : (x->number > y->number) - (x->number < y->number);
}

static float onnx_overlap(const onnx_box *a, const onnx_box *b) {
    float inside = 1, area_a = 1, area_b = 1;
    for (int i = 0; i < 2; i++) {
        float low = a->low[i] > b->low[i] ? a->low[i] : b->low[i], high = a->high[i] < b->high[i] ? a->high[i] : b->high[i];
        inside *= high > low ? high - low : 0;
        area_a *= a->high[i] - a->low[i];
        area_b *= b->high[i] - b->low[i];
    }
    return area_a > 0 && area_b > 0 ? inside / (area_a + area_b - inside) : 0;
}

/* The boxes of one class above the least score, the best first, without those that overlap a better one. How many were chosen. */
static int64_t onnx_suppress(const float *boxes, const float *scores, int64_t count, bool middle, float least, float overlap,
                             int64_t most, onnx_box *room) {
    int64_t found = 0, chosen = 0;
    for (int64_t i = 0; i < count; i++) {
        if (!(scores[i] > least))
            continue;
        onnx_box *box = &room[found++];
        const float *b = boxes + 4 * i;
        box->score = scores[i];
        box->number = i;
        for (int k = 0; k < 2; k++) { /* corners in any order, or middle and size: x, y then */
            float one = middle ? b[k] - b[k + 2] / 2 : b[k], two = middle ? b[k] + b[k + 2] / 2 : b[k + 2];
            box->low[k] = one < two ? one : two;
            box->high[k] = one < two ? two : one;
        }
    }
    if (found)
        qsort(room, (size_t)found, sizeof *room, onnx_box_order);
    for (int64_t i = 0; i < found && chosen < most; i++) {
        bool free_of = true;
        for (int64_t k = 0; k < chosen && free_of; k++)
            free_of = !(onnx_overlap(&room[k], &room[i]) > overlap);
        if (free_of)
            room[chosen++] = room[i];
    }
    return chosen;
}

/* boxes: (batch, n, 4), scores: (batch, classes, n) */
bool tni_onnx_non_max_suppression(tni_onnx_call *call) {
    tn_tensor *boxes = tn_contiguous(tn_to(IN(0), TN_FLOAT32), TN_CONTIGUOUS);
    tn_tensor *scores = tn_contiguous(tn_to(IN(1), TN_FLOAT32), TN_CONTIGUOUS);
    int64_t most;
    if (!boxes || !scores || !tni_onnx_whole_in(call, 2, 0, &most))
        return false;
    if (tn_ndim(boxes) != 3 || tn_ndim(scores) != 3 || tn_size(boxes, 2) != 4 || tn_size(scores, 2) != tn_size(boxes, 1) ||
        tn_size(scores, 0) != tn_size(boxes, 0))
        return tni_onnx_refuse("boxes (batch, n, 4) and scores (batch, classes, n) do not fit together");
    float overlap = IN(3) ? (float)tn_item_double(IN(3)) : 0, least = IN(4) ? (float)tn_item_double(IN(4)) : -INFINITY;
    bool middle = tni_onnx_int(call, "center_point_box", 0) != 0;
    int64_t batches = tn_size(boxes, 0), classes = tn_size(scores, 1), count = tn_size(boxes, 1), rows = 0;
    size_t bytes = (size_t)(count + 1) * sizeof(onnx_box), capacity = 0;
    void *triples = NULL;
    onnx_box *room = tni_heap_alloc(bytes);
    bool good = room != NULL;
    for (int64_t i = 0; good && i < batches * classes; i++) {
        int64_t chosen = onnx_suppress((const float *)tn_data(boxes) + i / classes * count * 4,
                                       (const float *)tn_data(scores) + i * count, count, middle, least, overlap, most, room);
        good = tni_heap_grow(&triples, &capacity, (size_t)(3 * (rows + chosen) + 1), sizeof(int64_t));
        for (int64_t k = 0; good && k < chosen; k++, rows++) {
            int64_t *triple = (int64_t *)triples + 3 * rows;
            triple[0] = i / classes;
            triple[1] = i % classes;
            triple[2] = room[k].number;
        }
    }
    tn_tensor *made = good ? tn_from_memory(rows ? triples : (const void *)&rows, TN_DIMS(rows, 3), TN_INT64, TN_COPY) : NULL;
    if (room)
        tni_heap_free(room, bytes);
    if (triples)
        tni_heap_free(triples, capacity * sizeof(int64_t));
    return tni_onnx_out(call, 0, made);
}

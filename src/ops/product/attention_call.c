/* attention_call.c - see attention_call.h. */
#include "ops/product/attention_call.h"

#include <math.h>

#include "base/error.h"
#include "kernels/table.h"
#include "kernels_shared.h"
#include "ops/product/product_call.h"

static bool attention_is_float(tn_dtype dtype) {
    return dtype == TN_FLOAT32 || dtype == TN_FLOAT64 || dtype == TN_FLOAT16 || dtype == TN_BFLOAT16;
}

static bool attention_check_tensors(const tni_attention_arguments *arguments) {
    tni_product_argument all[] = {{arguments->query, "query"}, {arguments->key, "key"}, {arguments->value, "value"}};
    for (int i = 0; i < 3; i++) {
        if (all[i].tensor->ndim < 2) {
            tni_raise(TN_ERROR_SHAPE, "%s %s has %d dimension%s, but must have at least 2", all[i].name,
                      tni_show_tensor(all[i].tensor), all[i].tensor->ndim, all[i].tensor->ndim == 1 ? "" : "s");
            return false;
        }
        if (i && !tni_product_check_dtypes(all[0], all[i]))
            return false;
    }
    if (!attention_is_float(arguments->query->dtype)) {
        tni_raise(TN_ERROR_DTYPE, "query %s, key and value must be float16, bfloat16, float32 or float64: convert them with to",
                  tni_show_tensor(arguments->query));
        return false;
    }
    return tni_product_check_sizes(all[0], arguments->query->ndim - 1, all[1], arguments->key->ndim - 1) &&
           tni_product_check_sizes(all[1], arguments->key->ndim - 2, all[2], arguments->value->ndim - 2);
}

/* Whether the heads of key, or of value, serve those of query. */
static bool attention_check_heads(const tn_tensor *query, const tn_tensor *shared, const char *name) {
    if (query->ndim < 3 || shared->ndim < 3) {
        tni_raise(TN_ERROR_INDEX, "enable_gqa wants a dimension of heads, the third from the end: query is %s and %s is %s",
                  tni_show_tensor(query), name, tni_show_tensor(shared));
        return false;
    }
    int64_t heads = query->sizes[query->ndim - 3], fewer = shared->sizes[shared->ndim - 3];
    if (fewer == heads || (fewer > 0 && heads % fewer == 0))
        return true;
    tni_raise(TN_ERROR_SHAPE, "enable_gqa: the %" PRId64 " heads of %s %s do not divide the %" PRId64 " of query %s", fewer,
              name, tni_show_tensor(shared), heads, tni_show_tensor(query));
    return false;
}

/* Broadcast what there is with the batch dimensions of one more tensor. */
static bool attention_join_batch(const tni_attention_arguments *arguments, tni_attention_sizes *sizes, const tn_tensor *tensor,
                                 const char *name) {
    int64_t own[TN_MAX_DIMS], joined[TN_MAX_DIMS], ndim = tensor->ndim - 2;
    tn_geometry_conflict conflict;
    for (int64_t d = 0; d < ndim; d++)
        own[d] = tensor->sizes[d];
    if (arguments->enable_gqa)
        own[ndim - 1] = arguments->query->sizes[arguments->query->ndim - 3];
    if (tn_geometry_broadcast((tn_dims){sizes->batch, sizes->batch_ndim}, (tn_dims){own, ndim}, &sizes->batch_ndim, joined,
                              &conflict) != TN_GEOMETRY_OK) {
        tni_raise(TN_ERROR_SHAPE,
                  "the batch dimensions of query %s and %s %s cannot be broadcast: sizes %" PRId64 " and %" PRId64
                  " in dimension %" PRId64,
                  tni_show_tensor(arguments->query), name, tni_show_tensor(tensor), conflict.expected, conflict.size,
                  conflict.dim);
        return false;
    }
    for (int64_t d = 0; d < sizes->batch_ndim; d++)
        sizes->batch[d] = joined[d];
    return true;
}

static bool attention_check_mask(const tni_attention_arguments *arguments, const tni_attention_sizes *sizes) {
    const tn_tensor *mask = arguments->mask;
    if (mask->dtype != TN_BOOL && mask->dtype != TN_FLOAT32 && mask->dtype != arguments->query->dtype) {
        tni_raise(TN_ERROR_DTYPE, "attn_mask %s must be bool, float32 or, as query, %s: convert it with to",
                  tni_show_tensor(mask), tn_dtype_name(arguments->query->dtype));
        return false;
    }
    int64_t all[TN_MAX_DIMS + 2], ndim = sizes->batch_ndim + 2;
    for (int64_t d = 0; d < sizes->batch_ndim; d++)
        all[d] = sizes->batch[d];
    all[ndim - 2] = sizes->rows;
    all[ndim - 1] = sizes->keys;
    for (int64_t d = 1; d <= mask->ndim; d++)
        if (d > ndim || (mask->sizes[mask->ndim - d] != 1 && mask->sizes[mask->ndim - d] != all[ndim - d])) {
            tni_raise(TN_ERROR_SHAPE, "attn_mask %s cannot be broadcast to the sizes of the weights, %s", tni_show_tensor(mask),
                      tni_show_dims(all, ndim));
            return false;
        }
    return true;
}

static bool attention_check_kept(const tni_attention_arguments *arguments, const tni_attention_sizes *sizes) {
    const tn_tensor *kept = arguments->kept;
    int64_t bits = sizes->rows;
    bool fits = !tni_mul_overflows(bits, sizes->keys, &bits);
    for (int64_t d = 0; d < sizes->batch_ndim; d++)
        fits = fits && !tni_mul_overflows(bits, sizes->batch[d], &bits);
    if (fits && kept->dtype == TN_UINT8 && kept->ndim == 1 && kept->numel == bits / 8 + (bits % 8 != 0) &&
        tni_tensor_is_contiguous(kept))
        return true;
    tni_raise(TN_ERROR_SHAPE, "kept %s must be uint8, contiguous, with a bit for each weight: see _dropout_bits",
              tni_show_tensor(kept));
    return false;
}

bool tni_attention_check(const tni_attention_arguments *arguments, tni_attention_sizes *sizes) {
    const tn_tensor *query = arguments->query, *key = arguments->key, *value = arguments->value;
    if (!attention_check_tensors(arguments))
        return false;
    if (arguments->enable_gqa && (!attention_check_heads(query, key, "key") || !attention_check_heads(query, value, "value")))
        return false;
    *sizes = (tni_attention_sizes){.rows = query->sizes[query->ndim - 2],
                                   .keys = key->sizes[key->ndim - 2],
                                   .depth = query->sizes[query->ndim - 1],
                                   .width = value->sizes[value->ndim - 1]};
    if (!attention_join_batch(arguments, sizes, query, "query") || !attention_join_batch(arguments, sizes, key, "key") ||
        !attention_join_batch(arguments, sizes, value, "value"))
        return false;
    if (!(arguments->dropout_p >= 0 && arguments->dropout_p <= 1)) {
        tni_raise(TN_ERROR_ARGUMENT, "dropout_p is %g; a probability is between 0 and 1", arguments->dropout_p);
        return false;
    }
    if (arguments->scale.kind == TN_SCALAR_COMPLEX) {
        tni_raise(TN_ERROR_DTYPE, "scale = %s must be a real number", tni_show_scalar(arguments->scale));
        return false;
    }
    return (!arguments->mask || attention_check_mask(arguments, sizes)) &&
           (!arguments->kept || attention_check_kept(arguments, sizes)) &&
           tni_loop_of(TNI_KERNEL_exp, tni_product_compute(query->dtype));
}

bool tni_attention_check_like(const tn_tensor *tensor, const char *name, const tni_attention_sizes *sizes, int64_t rows,
                              int64_t last) {
    int64_t all[TN_MAX_DIMS + 2], ndim = sizes->batch_ndim;
    for (int64_t d = 0; d < ndim; d++)
        all[d] = sizes->batch[d];
    all[ndim++] = rows;
    if (last >= 0)
        all[ndim++] = last;
    bool same = tensor->ndim == ndim;
    for (int64_t d = 0; same && d < ndim; d++)
        same = tensor->sizes[d] == all[d];
    if (!same)
        tni_raise(TN_ERROR_SHAPE, "%s %s must have the sizes %s", name, tni_show_tensor(tensor), tni_show_dims(all, ndim));
    return same;
}

/* ---- the call */

void tni_attention_take(const tni_attention *call, tni_attention_operand *operand, const tn_tensor *tensor, bool column) {
    static char nothing[8]; /* a tensor without elements is there nevertheless */
    int64_t last = tensor->ndim;
    operand->data = (char *)(uintptr_t)tni_tensor_read(tensor);
    if (!operand->data)
        operand->data = nothing;
    operand->dtype = tensor->dtype;
    operand->column = operand->row = 0;
    if (column && --last >= 0 && tensor->sizes[last] > 1)
        operand->column = tensor->strides[last];
    if (--last >= 0 && tensor->sizes[last] > 1)
        operand->row = tensor->strides[last];
    for (int64_t d = call->batch_ndim; d-- > 0;) {
        bool there = --last >= 0;
        operand->own[d] = there ? tensor->sizes[last] : 1;
        operand->stride[d] = there && operand->own[d] > 1 ? tensor->strides[last] : 0;
    }
}

void tni_attention_begin(tni_attention *call, const tni_attention_arguments *arguments, const tni_attention_sizes *sizes) {
    call->rows = sizes->rows;
    call->keys = sizes->keys;
    call->depth = sizes->depth;
    call->width = sizes->width;
    call->batch_ndim = sizes->batch_ndim;
    call->batches = 1;
    for (int64_t d = 0; d < sizes->batch_ndim; d++)
        call->batches *= call->batch_sizes[d] = sizes->batch[d];
    call->compute = tni_product_compute(arguments->query->dtype);
    call->exponential = tni_kernels()->pointwise[TNI_KERNEL_exp * TN_DTYPE_COUNT + (int)call->compute];
    call->causal = arguments->is_causal;
    call->scale = sizes->depth ? 1 / sqrt((double)sizes->depth) : 1;
    if (arguments->scale.kind != TN_SCALAR_NONE)
        tn_dtype_store(TN_FLOAT64, &call->scale, arguments->scale);
    call->kept = arguments->kept ? (const uint8_t *)tni_tensor_read(arguments->kept) : NULL;
    call->kept_factor = 1 / (1 - arguments->dropout_p);
    call->mask.data = call->output.data = call->logs.data = call->grad.data = NULL;
    call->grad_query.data = call->grad_key.data = call->grad_value.data = call->grad_mask.data = NULL;
    tni_attention_take(call, &call->query, arguments->query, true);
    tni_attention_take(call, &call->key, arguments->key, true);
    tni_attention_take(call, &call->value, arguments->value, true);
    if (arguments->mask)
        tni_attention_take(call, &call->mask, arguments->mask, true);
}

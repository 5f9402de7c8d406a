/* attention.c - attention: softmax(scale * query key^T + mask) value, and its gradients, without the weights ever being in memory.
 *
 * scaled_dot_product_attention is a composite of two rows, so that gradients go through them: _dropout_bits, which draws, and
 * _scaled_dot_product_attention_forward, which also gives what the backward pass needs: one number for each row.
 */
#include "base/error.h"
#include "iterate/product.h"
#include "operators_arithmetic.h"
#include "operators_attention.h"
#include "operators_random.h"
#include "ops/product/attention_call.h"

/* ---- forward */

/* PyTorch's fused way serves these; its result lies as query does. All other results are contiguous. */
static bool attention_lies_like_query(const tni_attention_arguments *arguments, const tni_attention_sizes *sizes) {
    const tn_tensor *all[] = {arguments->query, arguments->key, arguments->value};
    if (arguments->kept || sizes->depth != sizes->width || sizes->rows == 0 || sizes->keys == 0)
        return false;
    for (int i = 0; i < 3; i++)
        if (all[i]->ndim != 4 || all[i]->sizes[0] != sizes->batch[0] || all[i]->strides[3] != 1 ||
            (all[i]->sizes[1] != sizes->batch[1] && !arguments->enable_gqa))
            return false;
    return true;
}

bool tni_plan__scaled_dot_product_attention_forward(tni_plan *plan, const tn_tensor *query, const tn_tensor *key,
                                                    const tn_tensor *value, const tn_tensor *attn_mask, const tn_tensor *kept,
                                                    double dropout_p, bool is_causal, tn_scalar scale, bool enable_gqa) {
    tni_attention_arguments arguments = {query, key, value, attn_mask, kept, dropout_p, is_causal, scale, enable_gqa};
    tni_attention_sizes sizes;
    if (!tni_attention_check(&arguments, &sizes))
        return false;
    tni_plan_begin(plan, query);
    int64_t ndim = sizes.batch_ndim;
    if (attention_lies_like_query(&arguments, &sizes)) {
        if (!tni_plan_add_like(plan, query, query->dtype))
            return false;
    } else {
        sizes.batch[ndim] = sizes.rows;
        sizes.batch[ndim + 1] = sizes.width;
        tni_plan_add(plan, ndim + 2, sizes.batch, query->dtype);
    }
    sizes.batch[ndim] = sizes.rows;
    tni_plan_add(plan, ndim + 1, sizes.batch, tni_product_compute(query->dtype));
    if (ndim == 2) { /* rows before heads, as PyTorch has them */
        tni_plan_result *logs = &plan->result[1];
        int64_t numel;
        if (tn_geometry_numel(3, sizes.batch, &numel) == TN_GEOMETRY_OK && numel) {
            logs->strided = true;
            logs->strides[0] = sizes.batch[1] * sizes.rows;
            logs->strides[1] = 1;
            logs->strides[2] = sizes.batch[1];
        }
    }
    return true;
}

tn_error tni_run__scaled_dot_product_attention_forward(const tni_plan *plan, tn_tensor *const *results, const tn_tensor *query,
                                                       const tn_tensor *key, const tn_tensor *value, const tn_tensor *attn_mask,
                                                       const tn_tensor *kept, double dropout_p, bool is_causal, tn_scalar scale,
                                                       bool enable_gqa) {
    tni_attention_arguments arguments = {query, key, value, attn_mask, kept, dropout_p, is_causal, scale, enable_gqa};
    tni_attention_sizes sizes;
    tni_attention call;
    (void)plan;
    if (!tni_attention_check(&arguments, &sizes))
        return tni_failed();
    tni_attention_begin(&call, &arguments, &sizes);
    tni_attention_take(&call, &call.output, results[0], true);
    tni_attention_take(&call, &call.logs, results[1], false);
    return tni_attention_forward(&call);
}

tn_tensor *tni_composite_scaled_dot_product_attention(const tn_tensor *query, const tn_tensor *key, const tn_tensor *value,
                                                      const tn_tensor *attn_mask, double dropout_p, bool is_causal,
                                                      tn_scalar scale, bool enable_gqa, tn_generator *generator) {
    tni_attention_arguments arguments = {query, key, value, attn_mask, NULL, dropout_p, is_causal, scale, enable_gqa};
    tni_attention_sizes sizes;
    const tn_tensor *kept = NULL;
    if (!tni_attention_check(&arguments, &sizes))
        return NULL;
    if (dropout_p > 0 && dropout_p < 1) {
        sizes.batch[sizes.batch_ndim] = sizes.rows;
        sizes.batch[sizes.batch_ndim + 1] = sizes.keys;
        kept = tn__dropout_bits(query, (tn_dims){sizes.batch, sizes.batch_ndim + 2}, dropout_p, generator);
        if (!kept)
            return NULL;
    }
    tn_list *made =
        tn__scaled_dot_product_attention_forward(query, key, value, attn_mask, kept, dropout_p, is_causal, scale, enable_gqa);
    tn_tensor *output = made ? tn_list_at(made, 0) : NULL;
    return output && dropout_p == 1 ? tn_mul_scalar(output, tn_scalar_float(0)) : output;
}

/* ---- backward */

typedef struct attention_saved {
    const tn_tensor *grad, *output, *logsumexp;
} attention_saved;

static bool attention_check_saved(const tni_attention_arguments *arguments, tni_attention_sizes *sizes,
                                  const attention_saved *saved) {
    if (!tni_attention_check(arguments, sizes) ||
        !tni_attention_check_like(saved->grad, "grad_output", sizes, sizes->rows, sizes->width) ||
        !tni_attention_check_like(saved->output, "output", sizes, sizes->rows, sizes->width) ||
        !tni_attention_check_like(saved->logsumexp, "logsumexp", sizes, sizes->rows, -1))
        return false;
    tn_dtype compute = tni_product_compute(arguments->query->dtype);
    if (saved->grad->dtype == arguments->query->dtype && saved->output->dtype == arguments->query->dtype &&
        (tn_dtype)saved->logsumexp->dtype == compute)
        return true;
    tni_raise(TN_ERROR_DTYPE, "grad %s and output %s must be %s, as query, and logsumexp %s must be %s",
              tni_show_tensor(saved->grad), tni_show_tensor(saved->output), tn_dtype_name(arguments->query->dtype),
              tni_show_tensor(saved->logsumexp), tn_dtype_name(compute));
    return false;
}

static void attention_begin_back(tni_attention *call, const tni_attention_arguments *arguments,
                                 const tni_attention_sizes *sizes, const attention_saved *saved) {
    tni_attention_begin(call, arguments, sizes);
    tni_attention_take(call, &call->grad, saved->grad, true);
    tni_attention_take(call, &call->output, saved->output, true);
    tni_attention_take(call, &call->logs, saved->logsumexp, false);
}

bool tni_plan__scaled_dot_product_attention_backward(tni_plan *plan, const tn_tensor *grad, const tn_tensor *query,
                                                     const tn_tensor *key, const tn_tensor *value, const tn_tensor *output,
                                                     const tn_tensor *logsumexp, const tn_tensor *attn_mask,
                                                     const tn_tensor *kept, double dropout_p, bool is_causal, tn_scalar scale,
                                                     bool enable_gqa) {
    tni_attention_arguments arguments = {query, key, value, attn_mask, kept, dropout_p, is_causal, scale, enable_gqa};
    tni_attention_sizes sizes;
    if (!attention_check_saved(&arguments, &sizes, &(attention_saved){grad, output, logsumexp}))
        return false;
    tni_plan_begin(plan, query);
    return tni_plan_add_like(plan, query, query->dtype) && tni_plan_add_like(plan, key, key->dtype) &&
           tni_plan_add_like(plan, value, value->dtype);
}

tn_error tni_run__scaled_dot_product_attention_backward(const tni_plan *plan, tn_tensor *const *results, const tn_tensor *grad,
                                                        const tn_tensor *query, const tn_tensor *key, const tn_tensor *value,
                                                        const tn_tensor *output, const tn_tensor *logsumexp,
                                                        const tn_tensor *attn_mask, const tn_tensor *kept, double dropout_p,
                                                        bool is_causal, tn_scalar scale, bool enable_gqa) {
    tni_attention_arguments arguments = {query, key, value, attn_mask, kept, dropout_p, is_causal, scale, enable_gqa};
    attention_saved saved = {grad, output, logsumexp};
    tni_attention_sizes sizes;
    tni_attention call;
    (void)plan;
    if (!attention_check_saved(&arguments, &sizes, &saved))
        return tni_failed();
    attention_begin_back(&call, &arguments, &sizes, &saved);
    tni_attention_take(&call, &call.grad_query, results[0], true);
    tni_attention_take(&call, &call.grad_key, results[1], true);
    tni_attention_take(&call, &call.grad_value, results[2], true);
    return tni_attention_backward(&call);
}

/* The batch sizes of the mask, and all rows and keys: what it is broadcast along there, the caller sums. */
bool tni_plan__scaled_dot_product_attention_mask_backward(tni_plan *plan, const tn_tensor *grad, const tn_tensor *query,
                                                          const tn_tensor *key, const tn_tensor *value, const tn_tensor *output,
                                                          const tn_tensor *logsumexp, const tn_tensor *attn_mask,
                                                          const tn_tensor *kept, double dropout_p, bool is_causal,
                                                          tn_scalar scale, bool enable_gqa) {
    tni_attention_arguments arguments = {query, key, value, attn_mask, kept, dropout_p, is_causal, scale, enable_gqa};
    tni_attention_sizes sizes;
    int64_t all[TN_MAX_DIMS + 2], ndim = 0;
    if (!attention_check_saved(&arguments, &sizes, &(attention_saved){grad, output, logsumexp}))
        return false;
    if (attn_mask->dtype == TN_BOOL) {
        tni_raise(TN_ERROR_DTYPE, "attn_mask %s has no gradient", tni_show_tensor(attn_mask));
        return false;
    }
    for (; ndim < attn_mask->ndim - 2; ndim++)
        all[ndim] = attn_mask->sizes[ndim];
    all[ndim++] = sizes.rows;
    all[ndim++] = sizes.keys;
    tni_plan_begin(plan, query);
    tni_plan_add(plan, ndim, all, attn_mask->dtype);
    return true;
}

tn_error tni_run__scaled_dot_product_attention_mask_backward(
    const tni_plan *plan, tn_tensor *const *results, const tn_tensor *grad, const tn_tensor *query, const tn_tensor *key,
    const tn_tensor *value, const tn_tensor *output, const tn_tensor *logsumexp, const tn_tensor *attn_mask,
    const tn_tensor *kept, double dropout_p, bool is_causal, tn_scalar scale, bool enable_gqa) {
    tni_attention_arguments arguments = {query, key, value, attn_mask, kept, dropout_p, is_causal, scale, enable_gqa};
    attention_saved saved = {grad, output, logsumexp};
    tni_attention_sizes sizes;
    tni_attention call;
    (void)plan;
    if (!attention_check_saved(&arguments, &sizes, &saved))
        return tni_failed();
    attention_begin_back(&call, &arguments, &sizes, &saved);
    tni_attention_take(&call, &call.grad_mask, results[0], true);
    return tni_attention_backward(&call);
}

/* ---- PyTorch's rows for the CPU */

/* What they take: four dimensions, one head size, no dropped weights, and a mask of floats. */
static bool attention_is_flash(const tn_tensor *query, const tn_tensor *key, const tn_tensor *value, double dropout_p,
                               const tn_tensor *attn_mask) {
    if (query->ndim != 4 || key->ndim != 4 || value->ndim != 4) {
        tni_raise(TN_ERROR_SHAPE, "query %s, key %s and value %s must have 4 dimensions: batch, heads, rows, features",
                  tni_show_tensor(query), tni_show_tensor(key), tni_show_tensor(value));
        return false;
    }
    if (query->sizes[3] != value->sizes[3]) {
        tni_raise(TN_ERROR_SHAPE, "query %s and value %s must have the same last size", tni_show_tensor(query),
                  tni_show_tensor(value));
        return false;
    }
    if (dropout_p != 0) {
        tni_raise(TN_ERROR_ARGUMENT, "dropout_p is %g, but must be 0 here: use scaled_dot_product_attention", dropout_p);
        return false;
    }
    if (attn_mask && attn_mask->dtype == TN_BOOL) {
        tni_raise(TN_ERROR_DTYPE, "attn_mask %s must be of a float dtype here: use scaled_dot_product_attention",
                  tni_show_tensor(attn_mask));
        return false;
    }
    return true;
}

static bool attention_shares_heads(const tn_tensor *query, const tn_tensor *key, const tn_tensor *value) {
    return query->sizes[1] != key->sizes[1] || query->sizes[1] != value->sizes[1];
}

tn_list *tni_composite__scaled_dot_product_flash_attention_for_cpu(const tn_tensor *query, const tn_tensor *key,
                                                                   const tn_tensor *value, double dropout_p, bool is_causal,
                                                                   const tn_tensor *attn_mask, tn_scalar scale) {
    if (!attention_is_flash(query, key, value, dropout_p, attn_mask))
        return NULL;
    return tn__scaled_dot_product_attention_forward(query, key, value, attn_mask, NULL, 0, is_causal, scale,
                                                    attention_shares_heads(query, key, value));
}

tn_list *tni_composite__scaled_dot_product_flash_attention_for_cpu_backward(const tn_tensor *grad_out, const tn_tensor *query,
                                                                            const tn_tensor *key, const tn_tensor *value,
                                                                            const tn_tensor *out, const tn_tensor *logsumexp,
                                                                            double dropout_p, bool is_causal,
                                                                            const tn_tensor *attn_mask, tn_scalar scale) {
    if (!attention_is_flash(query, key, value, dropout_p, attn_mask))
        return NULL;
    return tn__scaled_dot_product_attention_backward(grad_out, query, key, value, out, logsumexp, attn_mask, NULL, 0, is_causal,
                                                     scale, attention_shares_heads(query, key, value));
}

/* gradients_again.c - derivatives of backward rows that are more than linear in the gradient: of recurrent gates and of attention.
 *
 * Such a row is written once more, as a function of public operators. That is recorded, and the graph run backwards: from the gradients of
 * the row's results to its inputs. Slow beside the row itself, and only second derivatives come here.
 */
#include <math.h>

#include "tenon/autograd.h"

#include "autograd/backward.h"
#include "operator_gradients.h"
#include "operators_arithmetic.h"
#include "operators_compare.h"
#include "operators_copy.h"
#include "operators_create.h"
#include "operators_join.h"
#include "operators_math.h"
#include "operators_move.h"
#include "operators_product.h"
#include "operators_reduce.h"
#include "operators_select.h"
#include "operators_softmax.h"
#include "operators_view.h"

enum { AGAIN_INPUTS = 5, AGAIN_RESULTS = 5 };

/* The row: results of inputs, some of which may be NULL. False where something failed. */
typedef bool (*again_body)(tn_tensor **results, const tn_tensor *const *inputs, const void *context);

typedef struct again {
    again_body body;
    const void *context;
    int inputs, results;
    const tn_tensor *input[AGAIN_INPUTS], *grad[AGAIN_RESULTS]; /* grads of results, NULL for none */
} again;

/* Recorded from inputs themselves where higher derivatives are wanted, and from copies without a history where not. */
static bool again_leaves(const again *call, const tn_tensor **leaves, bool recorded) {
    for (int i = 0; i < call->inputs; i++) {
        const tn_tensor *x = call->input[i];
        bool plain = !x || !tn_dtype_is_floating(x->dtype) || (recorded && tn_requires_grad(x));
        leaves[i] = plain ? x : recorded ? tn_detach(x) : tn_requires_grad_(tn_detach(x), true);
        if (x && !leaves[i])
            return false;
    }
    return true;
}

/* A gradient for each input: zeros for one that nothing depends on. */
static tn_list *again_run(const again *call) {
    tn_grad_mode before = tn_grad_mode_now();
    bool recorded = before == TN_GRAD_ON;
    const tn_tensor *leaves[AGAIN_INPUTS], *roots[AGAIN_RESULTS], *given[AGAIN_RESULTS], *wanted[AGAIN_INPUTS];
    tn_tensor *results[AGAIN_RESULTS] = {NULL}, *found[AGAIN_INPUTS] = {NULL}, *made[AGAIN_INPUTS] = {NULL};
    int64_t root_count = 0, wanted_count = 0;
    if (!again_leaves(call, leaves, recorded))
        return NULL;
    (void)tn_grad_mode_set(TN_GRAD_ON);
    bool done = call->body(results, leaves, call->context);
    (void)tn_grad_mode_set(before);
    if (!done)
        return NULL;
    for (int i = 0; i < call->results; i++)
        if (call->grad[i] && results[i] && tn_requires_grad(results[i])) {
            roots[root_count] = results[i];
            given[root_count++] = call->grad[i];
        }
    for (int i = 0; i < call->inputs; i++)
        if (leaves[i] && tn_requires_grad(leaves[i]))
            wanted[wanted_count++] = leaves[i];
    tn_backward_options options = {.struct_size = sizeof options, .create_graph = recorded, .allow_unused = true};
    if (root_count && wanted_count && tn_grad(roots, given, root_count, wanted, wanted_count, &options, found) != TN_OK)
        return NULL;
    for (int i = 0, at = 0; i < call->inputs; i++) {
        const tn_tensor *x = leaves[i] ? leaves[i] : leaves[i ? 0 : 1]; /* what is missing wants nothing */
        if (leaves[i] && tn_requires_grad(leaves[i]))
            made[i] = found[at++];
        if (!made[i])
            made[i] = tni_gradient_zeros(tni_sizes_of(x), x);
        if (!made[i])
            return NULL;
    }
    return tn_list_new((const tn_tensor *const *)made, call->inputs);
}

/* ---- gates */

static tn_tensor *again_less(const tn_tensor *x) { return tn_rsub_scalar(x, tn_scalar_int(1), tn_scalar_int(1)); }

/* The derivative of a sigmoid, or of tanh, by its value. */
static tn_tensor *again_bend(const tn_tensor *y) { return tn_mul(y, again_less(y)); }
static tn_tensor *again_arch(const tn_tensor *y) { return again_less(tn_square(y)); }

static tn_tensor *again_gate(const tn_tensor *gates, int64_t width, int64_t number) {
    return tn_narrow(gates, 1, number * width, width);
}

static tn_tensor *again_join(const tn_tensor *const *parts, int64_t count) {
    for (int64_t i = 0; i < count; i++)
        if (!parts[i])
            return NULL;
    return tn_cat(parts, count, 1);
}

/* (grad_hy, grad_cy, cx, cy, gates) to the gradients of the sums, of cx and of a bias */
static bool again_lstm(tn_tensor **results, const tn_tensor *const *inputs, const void *context) {
    const tn_tensor *grad_h = inputs[0], *grad_c = inputs[1], *before = inputs[2], *gates = inputs[4];
    int64_t width = before->sizes[1];
    const tn_tensor *input = again_gate(gates, width, 0), *forget = again_gate(gates, width, 1),
                    *fresh = again_gate(gates, width, 2), *output = again_gate(gates, width, 3), *arch = tn_tanh(inputs[3]);
    (void)context;
    tn_tensor *inner = grad_h ? tn_mul(tn_mul(grad_h, output), again_arch(arch)) : NULL;
    if (grad_c)
        inner = inner ? tn_add(inner, grad_c) : tn_alias(grad_c);
    if (!inner)
        return false;
    const tn_tensor *parts[4] = {
        tn_mul(tn_mul(inner, fresh), again_bend(input)), tn_mul(tn_mul(inner, before), again_bend(forget)),
        tn_mul(tn_mul(inner, input), again_arch(fresh)),
        grad_h ? tn_mul(tn_mul(grad_h, arch), again_bend(output)) : tn_zeros_like(inner, TN_DTYPE_DEFAULT, TN_PRESERVE)};
    results[0] = again_join(parts, 4);
    results[1] = tn_mul(inner, forget);
    results[2] = results[0] ? tn_sum_dim(results[0], TN_DIMS(0), false, TN_DTYPE_DEFAULT) : NULL;
    return results[1] && results[2];
}

tn_list *tni_gradient_lstm_gates_again(const tn_tensor *grad_gates, const tn_tensor *grad_state, const tn_tensor *grad_bias,
                                       const tn_tensor *grad_hy, const tn_tensor *grad_cy, const tn_tensor *cx,
                                       const tn_tensor *cy, const tn_tensor *workspace, bool has_bias) {
    again call = {.body = again_lstm,
                  .inputs = 5,
                  .results = 3,
                  .input = {grad_hy, grad_cy, cx, cy, workspace},
                  .grad = {grad_gates, grad_state, has_bias ? grad_bias : NULL}};
    if (!grad_hy && !grad_cy)
        call.input[0] = tn_zeros_like(cx, TN_DTYPE_DEFAULT, TN_PRESERVE);
    return call.input[0] || grad_cy ? again_run(&call) : NULL;
}

/* (grad_hy, workspace) to the gradients of both sums, of hx and of the biases */
static bool again_gru(tn_tensor **results, const tn_tensor *const *inputs, const void *context) {
    const tn_tensor *grad = inputs[0], *all = inputs[1];
    int64_t width = grad->sizes[1];
    const tn_tensor *reset = again_gate(all, width, 0), *update = again_gate(all, width, 1), *fresh = again_gate(all, width, 2),
                    *before = again_gate(all, width, 3), *part = again_gate(all, width, 4);
    (void)context;
    tn_tensor *to_fresh = tn_mul(tn_mul(grad, again_less(update)), again_arch(fresh));
    tn_tensor *to_reset = tn_mul(tn_mul(to_fresh, part), again_bend(reset));
    tn_tensor *to_update = tn_mul(tn_mul(grad, tn_sub(before, fresh)), again_bend(update));
    results[0] = again_join((const tn_tensor *[]){to_reset, to_update, to_fresh}, 3);
    results[1] = again_join((const tn_tensor *[]){to_reset, to_update, tn_mul(to_fresh, reset)}, 3);
    results[2] = tn_mul(grad, update);
    for (int i = 0; i < 2; i++)
        results[3 + i] = results[i] ? tn_sum_dim(results[i], TN_DIMS(0), false, TN_DTYPE_DEFAULT) : NULL;
    return results[2] && results[3] && results[4];
}

tn_list *tni_gradient_gru_gates_again(const tn_tensor *const *grads, int64_t count, const tn_tensor *grad_hy,
                                      const tn_tensor *workspace, bool has_bias) {
    again call = {.body = again_gru, .inputs = 2, .results = 5, .input = {grad_hy, workspace}};
    for (int64_t i = 0; i < count; i++)
        call.grad[i] = i < 3 || has_bias ? grads[i] : NULL;
    return again_run(&call);
}

/* ---- attention, with all its weights */

typedef struct again_attention_numbers {
    bool is_causal, enable_gqa, of_mask;
    tn_scalar scale;
} again_attention_numbers;

/* Heads of keys or values, each for as many heads of queries. */
static const tn_tensor *again_heads(const tn_tensor *x, int64_t heads) {
    int64_t ndim = x->ndim, own = ndim > 2 ? x->sizes[ndim - 3] : heads;
    if (own == heads || own == 0)
        return x;
    int64_t sizes[TN_MAX_DIMS];
    for (int64_t d = 0; d < ndim; d++)
        sizes[d < ndim - 2 ? d : d + 1] = x->sizes[d];
    sizes[ndim - 2] = heads / own;
    return tn_flatten(tn_expand(tn_unsqueeze(x, -3), (tn_dims){sizes, ndim + 1}), -4, -3);
}

static tn_tensor *again_weights(const tn_tensor *query, const tn_tensor *key, const tn_tensor *mask, tn_tensor **whole,
                                const again_attention_numbers *numbers) {
    double scale = numbers->scale.kind == TN_SCALAR_NONE ? 1 / sqrt((double)query->sizes[query->ndim - 1])
                                                         : tni_number_real(numbers->scale);
    const tn_scalar never = tn_scalar_float(-INFINITY);
    tn_tensor *scores = tn_mul_scalar(tn_matmul(query, tn_mT(key)), tn_scalar_float(scale));
    if (!scores)
        return NULL;
    tn_tensor *reached = tn_ones_like(scores, TN_BOOL, TN_PRESERVE);
    if (numbers->is_causal)
        reached = tn_tril(reached, 0);
    if (mask && mask->dtype == TN_BOOL)
        reached = tn_mul(reached, mask);
    else if (mask) {
        *whole = tn_expand(mask, tni_sizes_of(scores));
        scores = tn_add(scores, *whole);
    }
    scores = tn_where_other_scalar(reached, scores, never);
    tn_tensor *alive = tn_any_dim(tn_ne_scalar(tn_detach(scores), never), -1, true);
    tn_tensor *weights = tn_softmax(tn_where_other_scalar(alive, scores, tn_scalar_int(0)), -1, TN_DTYPE_DEFAULT);
    return tn_where_other_scalar(alive, weights, tn_scalar_int(0));
}

/* (grad, query, key, value, attn_mask) to the gradients of query, key and value, or of attn_mask */
static bool again_attention(tn_tensor **results, const tn_tensor *const *inputs, const void *context) {
    const again_attention_numbers *numbers = context;
    const tn_tensor *query = inputs[1], *key = inputs[2], *value = inputs[3];
    int64_t heads = query->ndim > 2 ? query->sizes[query->ndim - 3] : 1;
    if (numbers->enable_gqa) {
        key = again_heads(key, heads);
        value = again_heads(value, heads);
    }
    tn_tensor *whole = NULL;
    tn_tensor *weights = key && value ? again_weights(query, key, inputs[4], &whole, numbers) : NULL;
    tn_tensor *output = weights ? tn_matmul(weights, value) : NULL;
    if (!output || (numbers->of_mask && !whole))
        return false;
    const tn_tensor *own[] = {inputs[1], inputs[2], inputs[3]}, *masks[] = {whole}, *wanted[3];
    tn_tensor *found[3] = {NULL};
    int64_t count = 0;
    for (int i = 0; i < (numbers->of_mask ? 1 : 3); i++)
        if (tn_requires_grad(numbers->of_mask ? masks[i] : own[i]))
            wanted[count++] = numbers->of_mask ? masks[i] : own[i];
    tn_backward_options options = {.struct_size = sizeof options, .create_graph = true, .allow_unused = true};
    if (!tn_requires_grad(output) || count == 0)
        return true;
    if (tn_grad((const tn_tensor *[]){output}, &inputs[0], 1, wanted, count, &options, found) != TN_OK)
        return false;
    for (int i = 0, at = 0; i < (numbers->of_mask ? 1 : 3); i++)
        if (tn_requires_grad(numbers->of_mask ? masks[i] : own[i]))
            results[i] = found[at++];
    return true;
}

static tn_list *again_attention_run(const tn_tensor *const *given, const tn_tensor *const *inputs, const tn_tensor *kept,
                                    const again_attention_numbers *numbers) {
    if (kept)
        return tni_raise_null(TN_ERROR_UNSUPPORTED,
                              "attention with dropout has no second derivatives: apply dropout to its result");
    again call = {.body = again_attention,
                  .context = numbers,
                  .inputs = 5,
                  .results = numbers->of_mask ? 1 : 3,
                  .input = {inputs[0], inputs[1], inputs[2], inputs[3], inputs[4]},
                  .grad = {given[0], given[1], given[2]}};
    return again_run(&call);
}

tn_list *tni_gradient_attention_again(const tn_tensor *grad_query, const tn_tensor *grad_key, const tn_tensor *grad_value,
                                      const tn_tensor *grad, const tn_tensor *query, const tn_tensor *key,
                                      const tn_tensor *value, const tn_tensor *attn_mask, const tn_tensor *kept, bool is_causal,
                                      tn_scalar scale, bool enable_gqa) {
    return again_attention_run((const tn_tensor *[]){grad_query, grad_key, grad_value},
                               (const tn_tensor *[]){grad, query, key, value, attn_mask}, kept,
                               &(again_attention_numbers){is_causal, enable_gqa, false, scale});
}

tn_list *tni_gradient_attention_mask_again(const tn_tensor *grad_mask, const tn_tensor *grad, const tn_tensor *query,
                                           const tn_tensor *key, const tn_tensor *value, const tn_tensor *attn_mask,
                                           const tn_tensor *kept, bool is_causal, tn_scalar scale, bool enable_gqa) {
    return again_attention_run((const tn_tensor *[]){grad_mask, NULL, NULL},
                               (const tn_tensor *[]){grad, query, key, value, attn_mask}, kept,
                               &(again_attention_numbers){is_causal, enable_gqa, true, scale});
}

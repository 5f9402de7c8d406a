/* gradients_again.c - derivatives of backward rows that are more than linear in the gradient: of recurrent gates, of attention, of
 * images read at places.
 *
 * Such a row is written once more, as a function of public operators. That is recorded, and the graph run backwards: from the gradients of
 * the row's results to its inputs. Slow beside the row itself, and only second derivatives come here.
 */
#include <math.h>

#include <tenon/autograd.h>

#include "autograd/backward.h"
#include "operator_gradients.h"
#include "operators_arithmetic.h"
#include "operators_compare.h"
#include "operators_copy.h"
#include "operators_create.h"
#include "operators_index.h"
#include "operators_join.h"
#include "operators_logic.h"
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
    const tn_tensor *kept; /* bits, or NULL */
    double dropout_p;
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

/* A mask with all rows and keys, and its own batches. */
static tn_tensor *again_mask(const tn_tensor *mask, const tn_tensor *scores) {
    int64_t sizes[TN_MAX_DIMS], ndim = mask->ndim > 2 ? mask->ndim : 2;
    for (int64_t d = 0; d < ndim; d++)
        sizes[d] = d < ndim - 2 ? mask->sizes[d] : scores->sizes[scores->ndim - ndim + d];
    return tn_expand(mask, (tn_dims){sizes, ndim});
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
        *whole = again_mask(mask, scores);
        scores = tn_add(scores, *whole);
    }
    scores = tn_where_other_scalar(reached, scores, never);
    tn_tensor *alive = tn_any_dim(tn_ne_scalar(tn_detach(scores), never), -1, true);
    tn_tensor *weights = tn_softmax(tn_where_other_scalar(alive, scores, tn_scalar_int(0)), -1, TN_DTYPE_DEFAULT);
    return tn_where_other_scalar(alive, weights, tn_scalar_int(0));
}

/* What weights are multiplied by where some are dropped: 0 or 1 / (1 - p). like: (..., rows, any) with all batches */
static tn_tensor *again_dropped(const tn_tensor *weights, const tn_tensor *like, const again_attention_numbers *numbers) {
    int64_t sizes[TN_MAX_DIMS], ndim = like->ndim, count = 1;
    for (int64_t d = 0; d < ndim; d++) {
        sizes[d] = d < ndim - 1 ? like->sizes[d] : weights->sizes[weights->ndim - 1];
        count *= sizes[d];
    }
    double factor = numbers->dropout_p < 1 ? 1 / (1 - numbers->dropout_p) : 0;
    tn_tensor *places = tn_arange(tn_scalar_int(8), TN_UINT8);
    tn_tensor *bits = tn_bitwise_right_shift(tn_unsqueeze(numbers->kept, 1), places);
    bits = tn_narrow(tn_flatten(tn_bitwise_and_scalar(bits, tn_scalar_int(1)), 0, -1), 0, 0, count);
    return tn_mul_scalar(tn_to(tn_reshape(bits, (tn_dims){sizes, ndim}), weights->dtype), tn_scalar_float(factor));
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
    if (weights && numbers->kept)
        weights = tn_mul(weights, again_dropped(weights, inputs[0], numbers));
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

static tn_list *again_attention_run(const tn_tensor *const *given, const tn_tensor *const *inputs,
                                    const again_attention_numbers *numbers) {
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
                                      const tn_tensor *value, const tn_tensor *attn_mask, const tn_tensor *kept,
                                      double dropout_p, bool is_causal, tn_scalar scale, bool enable_gqa) {
    return again_attention_run((const tn_tensor *[]){grad_query, grad_key, grad_value},
                               (const tn_tensor *[]){grad, query, key, value, attn_mask},
                               &(again_attention_numbers){is_causal, enable_gqa, false, scale, kept, dropout_p});
}

tn_list *tni_gradient_attention_mask_again(const tn_tensor *grad_mask, const tn_tensor *grad, const tn_tensor *query,
                                           const tn_tensor *key, const tn_tensor *value, const tn_tensor *attn_mask,
                                           const tn_tensor *kept, double dropout_p, bool is_causal, tn_scalar scale,
                                           bool enable_gqa) {
    return again_attention_run((const tn_tensor *[]){grad_mask, NULL, NULL},
                               (const tn_tensor *[]){grad, query, key, value, attn_mask},
                               &(again_attention_numbers){is_causal, enable_gqa, true, scale, kept, dropout_p});
}

/* ---- images read at places (ops/nn/grid_sample.c) */

enum {
    AGAIN_AXES = 3,
    AGAIN_TAPS = 4,
    GRID_LINEAR = 0,
    GRID_NEAREST = 1,
    GRID_CUBIC = 2,
    GRID_BORDER = 1,
    GRID_REFLECTION = 2
};

typedef struct again_grid_numbers {
    int64_t mode, padding;
    bool align_corners;
} again_grid_numbers;

/* The elements of one dimension that each place is made of, (batch, 1, points): places as whole numbers, -1 for outside, and weights. */
typedef struct again_axis {
    tn_tensor *at[AGAIN_TAPS], *weight[AGAIN_TAPS];
} again_axis;

static tn_scalar again_real(double x) { return tn_scalar_float(x); }

/* x where `inner` holds; elsewhere a number that does not depend on it. */
static tn_tensor *again_where(const tn_tensor *inner, const tn_tensor *x, const tn_tensor *otherwise) {
    return tn_where(inner, x, tn_detach(otherwise));
}

static tn_tensor *again_between(const tn_tensor *x, double low, double high) {
    return tn_logical_and(tn_gt_scalar(x, again_real(low)), tn_lt_scalar(x, again_real(high)));
}

/* Reflected between low and low + span until it is inside. */
static tn_tensor *again_reflect(const tn_tensor *x, double low, double span) {
    if (span <= 0)
        return tn_zeros_like(x, TN_DTYPE_DEFAULT, TN_PRESERVE);
    x = tn_abs(tn_sub_scalar(x, again_real(low)));
    tn_tensor *flips = tn_floor(tn_detach(tn_div_scalar(x, again_real(span))));
    tn_tensor *extra = tn_sub(x, tn_mul_scalar(flips, again_real(span)));
    tn_tensor *odd = tn_ne_scalar(tn_remainder_scalar(flips, again_real(2)), again_real(0));
    tn_tensor *turned = tn_rsub_scalar(extra, again_real(span), tn_scalar_int(1));
    return tn_add_scalar(tn_where(odd, turned, extra), again_real(low));
}

static tn_tensor *again_inside(const tn_tensor *x, int64_t size, const again_grid_numbers *numbers) {
    double last = (double)(size - 1), edge = numbers->align_corners ? 0 : -0.5;
    if (numbers->padding == GRID_REFLECTION)
        x = again_reflect(x, edge, last - 2 * edge);
    if (numbers->padding != 0)
        x = again_where(again_between(x, 0, last), x, tn_clamp(x, again_real(0), again_real(last)));
    tn_tensor *far = tn_full_like(x, again_real(-100), TN_DTYPE_DEFAULT, TN_PRESERVE);
    return again_where(again_between(x, -100, last + 101), x, far);
}

static tn_tensor *again_whole(const tn_tensor *x, int64_t size) {
    tn_tensor *inner = tn_logical_and(tn_ge_scalar(x, again_real(0)), tn_lt_scalar(x, again_real((double)size)));
    return tn_where_other_scalar(inner, tn_to(tn_detach(x), TN_INT64), tn_scalar_int(-1));
}

/* The cubic through four elements, a = -0.75, at a distance x from one of them: below 1, or from 1 to 2. */
static tn_tensor *again_cubic(const tn_tensor *x, bool near) {
    const double a = -0.75, three = near ? a + 2 : a, two = near ? -(a + 3) : -5 * a, one = near ? 0 : 8 * a,
                 none = near ? 1 : -4 * a;
    tn_tensor *sum = tn_add_scalar(tn_mul_scalar(x, again_real(three)), again_real(two));
    sum = tn_add_scalar(tn_mul(sum, x), again_real(one));
    return tn_add_scalar(tn_mul(sum, x), again_real(none));
}

/* place: coordinates from -1 to 1. Returns how many elements, 0 where something failed. */
static int again_taps(again_axis *axis, const tn_tensor *place, int64_t size, const again_grid_numbers *numbers) {
    double scale = (numbers->align_corners ? (double)(size - 1) : (double)size) / 2,
           shift = numbers->align_corners ? scale : scale - 0.5;
    tn_tensor *x = tn_add_scalar(tn_mul_scalar(place, again_real(scale)), again_real(shift));
    int count = numbers->mode == GRID_CUBIC ? 4 : numbers->mode == GRID_NEAREST ? 1 : 2;
    if (numbers->mode == GRID_CUBIC) {
        tn_tensor *far = tn_full_like(place, again_real(-100), TN_DTYPE_DEFAULT, TN_PRESERVE);
        x = again_where(again_between(x, -0x1p24, 0x1p24), x, far);
    } else
        x = again_inside(x, size, numbers);
    tn_tensor *begin = numbers->mode == GRID_NEAREST ? tn_round(tn_detach(x)) : tn_floor(tn_detach(x));
    tn_tensor *part = tn_sub(x, begin);
    for (int k = 0; k < count; k++) {
        tn_tensor *at = tn_add_scalar(begin, again_real(count == 4 ? k - 1 : k));
        axis->at[k] = again_whole(count == 4 ? again_inside(at, size, numbers) : at, size);
        if (count == 4) /* distances 1 + part, part, 1 - part, 2 - part */
            axis->weight[k] = again_cubic(k < 2 ? tn_add_scalar(part, again_real(1 - k))
                                                : tn_rsub_scalar(part, again_real(k - 1), tn_scalar_int(1)),
                                          k == 1 || k == 2);
        else if (count == 1)
            axis->weight[k] = tn_ones_like(begin, TN_DTYPE_DEFAULT, TN_PRESERVE);
        else
            axis->weight[k] = k ? part : tn_rsub_scalar(part, tn_scalar_int(1), tn_scalar_int(1));
        if (!axis->at[k] || !axis->weight[k])
            return 0;
    }
    return count;
}

/* What one combination of elements adds. planes: (batch, channels, elements); at, weight: (batch, 1, points) */
static tn_tensor *again_tap(const tn_tensor *planes, const tn_tensor *at, const tn_tensor *weight) {
    tn_tensor *inner = tn_ge_scalar(at, tn_scalar_int(0));
    at = tn_expand(tn_clamp(at, tn_scalar_int(0), TN_NO_SCALAR),
                   TN_DIMS(planes->sizes[0], planes->sizes[1], at ? at->sizes[2] : 0));
    return tn_mul(tn_gather(planes, 2, at), tn_where_other_scalar(inner, weight, tn_scalar_int(0)));
}

/* An element along all dimensions before this one, and along this one: -1 where either is outside. */
static tn_tensor *again_inward(const tn_tensor *at, const tn_tensor *next, int64_t size) {
    tn_tensor *inner = tn_logical_and(tn_ge_scalar(at, tn_scalar_int(0)), tn_ge_scalar(next, tn_scalar_int(0)));
    return tn_where_other_scalar(inner, tn_add(tn_mul_scalar(at, tn_scalar_int(size)), next), tn_scalar_int(-1));
}

/* The images read at the places: (batch, channels, points) */
static tn_tensor *again_sample(const tn_tensor *input, const tn_tensor *grid, const again_grid_numbers *numbers) {
    int64_t spatial = input->ndim - 2, combinations = 1;
    tn_tensor *sum = NULL, *planes = tn_flatten(input, 2, -1), *places = tn_flatten(grid, 1, -2);
    again_axis axis[AGAIN_AXES];
    int each = 0;
    for (int64_t d = 0; d < spatial; d++, combinations *= each) {
        tn_tensor *place = tn_unsqueeze(tn_select(places, 2, spatial - 1 - d), 1);
        each = again_taps(&axis[d], place, input->sizes[2 + d], numbers);
        if (!each)
            return NULL;
    }
    for (int64_t number = 0; number < combinations; number++) {
        tn_tensor *at = NULL, *weight = NULL;
        int64_t left = number;
        for (int64_t d = 0; d < spatial; d++, left /= each) {
            tn_tensor *next = axis[d].at[left % each], *share = axis[d].weight[left % each];
            at = d ? again_inward(at, next, input->sizes[2 + d]) : next;
            weight = d ? tn_mul(weight, share) : share;
        }
        tn_tensor *one = again_tap(planes, at, weight);
        sum = sum ? tn_add(sum, one) : one;
        if (!sum)
            return NULL;
    }
    return sum;
}

/* (grad_output, input, grid) to the gradients of input and grid */
static bool again_grid(tn_tensor **results, const tn_tensor *const *inputs, const void *context) {
    tn_dtype compute = tni_dtype_size(inputs[1]->dtype) < 4 ? TN_FLOAT32 : inputs[1]->dtype;
    tn_tensor *output = again_sample(tn_to(inputs[1], compute), tn_to(inputs[2], compute), context), *found[2] = {NULL};
    const tn_tensor *wanted[2];
    int64_t count = 0;
    for (int i = 1; i < 3; i++)
        if (tn_requires_grad(inputs[i]))
            wanted[count++] = inputs[i];
    if (!output || !tn_requires_grad(output) || count == 0)
        return output != NULL;
    const tn_tensor *grad = tn_to(tn_flatten(inputs[0], 2, -1), compute);
    tn_backward_options options = {.struct_size = sizeof options, .create_graph = true, .allow_unused = true};
    if (!grad || tn_grad((const tn_tensor *[]){output}, &grad, 1, wanted, count, &options, found) != TN_OK)
        return false;
    for (int i = 1, at = 0; i < 3; i++)
        if (tn_requires_grad(inputs[i]))
            results[i - 1] = found[at++];
    return true;
}

tn_list *tni_gradient_grid_again(const tn_tensor *grad_input, const tn_tensor *grad_grid, const tn_tensor *grad_output,
                                 const tn_tensor *input, const tn_tensor *grid, int64_t interpolation_mode,
                                 int64_t padding_mode, bool align_corners) {
    again_grid_numbers numbers = {interpolation_mode, padding_mode, align_corners};
    again call = {.body = again_grid, .context = &numbers, .inputs = 3, .results = 2, .input = {grad_output, input, grid}};
    if (grad_input && grad_input->numel) /* one that was not wanted has no elements */
        call.grad[0] = grad_input;
    if (grad_grid && grad_grid->numel)
        call.grad[1] = grad_grid;
    return again_run(&call);
}

/* checkpoint.c - computing again instead of keeping: a function is called without a record, and once more by backward.
 *
 * What is kept are its inputs and the state of the default generator. Backward calls it on detached inputs while gradients are
 * recorded and runs backward over what that recorded; so leaves that the function knows by itself get their gradients, too.
 */
#include <tenon/random.h>

#include "autograd/slot.h"
#include "base/error.h"
#include "base/heap.h"
#include "base/scope.h"
#include "operators_view.h"

typedef struct checkpoint {
    tn_tensor_function function;
    void *ctx;
    tn_deleter deleter;
    tn_tensor *state; /* of the default generator, before the first call; held */
} checkpoint;

static void checkpoint_free(checkpoint *c) {
    tni_object_drop(&c->state->object);
    tni_heap_free(c, sizeof *c);
}

static void checkpoint_end(void *ctx) {
    checkpoint *c = ctx;
    if (c->deleter)
        c->deleter(c->ctx);
    checkpoint_free(c);
}

/* The inputs again, as leaves where gradients are wanted. */
static bool checkpoint_inputs(const tn_node *node, tn_tensor **inputs, int64_t count) {
    for (int64_t i = 0; i < count; i++) {
        inputs[i] = tn_detach(tn_node_saved(node, i));
        if (!inputs[i] || (tn_node_wants(node, i) && !tn_requires_grad_(inputs[i], true)))
            return false;
    }
    return true;
}

static tn_list *checkpoint_call_again(const checkpoint *c, tn_tensor *const *inputs, int64_t count) {
    tn_tensor *now = tn_generator_state(NULL);
    if (!now || tn_generator_set_state(NULL, c->state) != TN_OK)
        return NULL;
    tn_key_state before = tni_record_set(true);
    tn_list *results = c->function(c->ctx, (const tn_tensor *const *)inputs, count);
    tn_keys_set(before);
    return tn_generator_set_state(NULL, now) == TN_OK ? results : NULL;
}

static tn_error checkpoint_run(const tn_list *results, const tn_tensor *const *grads, int64_t grad_count) {
    const tn_tensor **roots = tni_heap_calloc(2 * (size_t)(grad_count + 1) * sizeof *roots);
    int64_t used = 0;
    if (!roots)
        return tni_failed();
    const tn_tensor **given = roots + grad_count + 1;
    for (int64_t i = 0; i < grad_count && i < results->count; i++)
        if (grads[i] && tni_wants_gradient(results->items[i])) {
            roots[used] = results->items[i];
            given[used++] = grads[i];
        }
    tn_error code = used ? tn_backward_all(roots, given, used, NULL, 0, NULL) : TN_OK;
    tni_heap_free((void *)roots, 2 * (size_t)(grad_count + 1) * sizeof *roots);
    return code;
}

static tn_error checkpoint_backward(void *ctx, const tn_node *node, const tn_tensor *const *grads, int64_t grad_count,
                                    tn_tensor **results, int64_t input_count) {
    tn_tensor **inputs = tni_heap_calloc((size_t)(input_count + 1) * sizeof *inputs);
    if (!inputs)
        return tni_failed();
    tn_list *again = checkpoint_inputs(node, inputs, input_count) ? checkpoint_call_again(ctx, inputs, input_count) : NULL;
    tn_error code = again ? TN_OK : tni_failed();
    if (again && again->count != grad_count)
        code =
            tni_raise(TN_ERROR_STATE, "the function gave %" PRId64 " results when it was called again, and %" PRId64 " before",
                      again->count, grad_count);
    if (code == TN_OK)
        code = checkpoint_run(again, grads, grad_count);
    for (int64_t i = 0; code == TN_OK && i < input_count; i++)
        results[i] = tn_tensor_grad(inputs[i]);
    tni_heap_free(inputs, (size_t)(input_count + 1) * sizeof *inputs);
    return code;
}

static tn_list *checkpoint_call(tn_tensor_function function, void *ctx, tn_deleter deleter, const tn_tensor *const *inputs,
                                int64_t count) {
    if (!function || count < 0 || (count && !inputs))
        return tni_raise_null(TN_ERROR_ARGUMENT, "%s is NULL, or there are fewer than 0 of them",
                              function ? "inputs" : "function");
    for (int64_t i = 0; i < count; i++)
        if (!tni_tensor_check(inputs[i], "inputs"))
            return NULL;
    tn_tensor *state = tn_generator_state(NULL);
    checkpoint *c = state ? tni_heap_calloc(sizeof *c) : NULL;
    if (!c)
        return NULL;
    *c = (checkpoint){function, ctx, deleter, state};
    tni_object_hold(&state->object);
    tn_key_state before = tni_record_set(false);
    tn_list *results = function(ctx, inputs, count);
    tn_keys_set(before);
    tn_function recorded = {.struct_size = sizeof recorded,
                            .name = "CheckpointBackward",
                            .backward = checkpoint_backward,
                            .ctx = c,
                            .deleter = checkpoint_end,
                            .missing_is_null = true,
                            .once = true};
    if (results && tn_record(&recorded, inputs, count, results->items, results->count, inputs, count) == TN_OK)
        return results;
    checkpoint_free(c);
    return NULL;
}

tn_list *tn_checkpoint(tn_tensor_function function, void *ctx, tn_deleter deleter, const tn_tensor *const *inputs,
                       int64_t count) {
    const char *outer = tni_operator_enter("checkpoint");
    tn_scope scope = tni_scope_open_hidden();
    tn_list *results = scope.id ? checkpoint_call(function, ctx, deleter, inputs, count) : NULL;
    if (scope.id)
        results = tni_scope_close_hidden(scope, results);
    tni_operator_leave(outer);
    return tni_scope_adopt(results);
}

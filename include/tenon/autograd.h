/* tenon/autograd.h - gradients: which tensors want one, how they are computed, and what was recorded for it.
 *
 *     tn_tensor *w = tn_requires_grad_(tn_randn(TN_DIMS(3), TN_FLOAT64, NULL), true);
 *     tn_tensor *loss = tn_sum(tn_mul(w, w), TN_DTYPE_DEFAULT);
 *     if (tn_backward(loss, NULL) != TN_OK) ...
 *     tn_tensor *g = tn_tensor_grad(w);                       2 * w
 *
 * A tensor that requires a gradient makes operators record: their results know, as a graph of nodes, how they were computed. A
 * tensor that was not computed so is a leaf. tn_backward walks the graph from a result to the leaves and adds to each leaf's
 * gradient. Where no tensor requires one, nothing is recorded and nothing costs anything.
 *
 * What recording keeps: the tensors that a derivative reads, as they are. Changing one in place before backward is found then,
 * and is an error; writes through raw pointers are not seen. A write to other elements of the same memory is no change: another row of
 * a buffer, say. (Where that cannot be shown, because there were dozens of writes since or the question is too hard, it counts as
 * one.) A tensor whose sizes are all that a derivative reads is not kept.
 *
 * What cannot be recorded is refused before anything is computed: `out` variants, an in-place change of a leaf that requires a gradient,
 * an operator that has no derivative yet. Under TN_GRAD_OFF all of them are allowed, and nothing is recorded.
 *
 * Threads: different threads may record graphs, and run backward over graphs that share leaves. One graph is run by one thread at
 * a time. */
#ifndef TENON_AUTOGRAD_H
#define TENON_AUTOGRAD_H

#include <tenon/dispatch.h>
#include <tenon/tensor.h>

#ifdef __cplusplus
extern "C" {
#endif

/* ---- tensors ------------------------------------------------------------------------------------------------------- */

/* Whether gradients are wanted for a leaf; returns the tensor, with no new reference. TN_ERROR_DTYPE for a dtype that is neither
 * float nor complex, TN_ERROR_STATE for taking it from a tensor that was computed (use tn_detach). */
TN_API tn_tensor *tn_requires_grad_(tn_tensor *tensor, bool requires_grad);

/* Whether operators on it are recorded; false for NULL. */
TN_API bool tn_requires_grad(const tn_tensor *tensor);

/* Whether it was not computed by a recorded call; true for a tensor that requires no gradient, and for NULL. */
TN_API bool tn_is_leaf(const tn_tensor *tensor);

/* The gradient that backward has summed for a tensor, as a new reference (or the open scope's); NULL, without an error, where
 * there is none. set: another one, of the same sizes, dtype and device, which gains a reference, or NULL for none;
 * TN_ERROR_SHAPE, TN_ERROR_DTYPE or TN_ERROR_DEVICE where it does not fit. */
TN_API tn_tensor *tn_tensor_grad(const tn_tensor *tensor);
TN_API tn_error tn_tensor_set_grad(tn_tensor *tensor, const tn_tensor *grad);

/* From now on backward sets the gradient of this tensor too, though it is not a leaf. TN_ERROR_STATE where it requires none. */
TN_API tn_error tn_retain_grad(tn_tensor *tensor);
TN_API bool tn_retains_grad(const tn_tensor *tensor);

/* The tensor forgets how it was computed, and requires no gradient; returns it, with no new reference. tn_detach gives a view
 * that does. TN_ERROR_STATE for a view of a tensor that requires a gradient. */
TN_API tn_tensor *tn_detach_(tn_tensor *tensor);

/* The tensor looks at the elements of `source` from now on, with its sizes and its dtype, and nothing is recorded: how a network
 * is converted whose optimiser already holds its parameters. Its gradient stays as it is. Returns it, with no new reference. */
TN_API tn_tensor *tn_set_data(tn_tensor *tensor, const tn_tensor *source);

/* For bindings that know what a tensor is a view of: a view that was made while nothing required a gradient learns its base, where no third
 * tensor looks into their memory. A change of it in place that has a gradient is then one of the base, rather than an error. Nothing
 * happens for other tensors. */
TN_API tn_error tn_view_attach(tn_tensor *view, tn_tensor *base);

/* ---- what threads record ------------------------------------------------------------------------------------------- */

/* Of this thread: ON when it starts. INFERENCE is OFF, and says that nothing of what is made will be needed for gradients: outside of the mode its
 * memory is not written by operators, and no derivative keeps it (TN_ERROR_STATE; take a clone). Set returns the mode before, to be put back:
 *
 *     tn_grad_mode before = tn_grad_mode_set(TN_GRAD_OFF);
 *     ...
 *     (void)tn_grad_mode_set(before);
 */
typedef enum tn_grad_mode { TN_GRAD_OFF = 0, TN_GRAD_ON, TN_GRAD_INFERENCE } tn_grad_mode;
TN_API tn_grad_mode tn_grad_mode_set(tn_grad_mode mode);
TN_API tn_grad_mode tn_grad_mode_now(void);

/* Whether the memory of a tensor was made in inference mode, by this or another thread; so a view is what its base is. False for NULL. */
TN_API bool tn_is_inference(const tn_tensor *tensor);

/* ---- computing gradients ------------------------------------------------------------------------------------------- */

typedef struct tn_backward_options {
    size_t struct_size; /* sizeof(tn_backward_options); what lies beyond it is 0 */
    bool retain_graph;  /* what was kept stays, and backward may be run again; create_graph implies it */
    bool create_graph;  /* the gradients are recorded too, so that they have gradients themselves */
    bool allow_unused;  /* tn_grad: an input that the outputs do not depend on gets NULL, rather than an error */
} tn_backward_options;

/* Adds the gradients of a tensor to its leaves. gradient: the gradient of the tensor itself; NULL, for a tensor of one element,
 * is 1. TN_ERROR_STATE where the tensor requires no gradient, where the graph was already run without retain_graph, or where a
 * tensor that was kept has been changed since (the message names the operator that kept it, and both versions);
 * TN_ERROR_SHAPE where the gradient has other sizes, or is missing. After a failure leaves may have been added to. */
TN_API tn_error tn_backward(const tn_tensor *tensor, const tn_tensor *gradient);

/* The same for several tensors at once, with options (NULL: all false). gradients may be NULL, and so may each of them. With
 * inputs, only those (leaves or not) get a gradient. */
TN_API tn_error tn_backward_all(const tn_tensor *const *tensors, const tn_tensor *const *gradients, int64_t count,
                                const tn_tensor *const *inputs, int64_t input_count, const tn_backward_options *options);

/* The gradients of the outputs with respect to the inputs, without touching any tensor's own gradient. results has room for
 * input_count tensors, which are the caller's (or the open scope's); NULL where an input is not used and allow_unused is set,
 * all of them after a failure. TN_ERROR_STATE for an input that requires no gradient, or is not used. */
TN_API tn_error tn_grad(const tn_tensor *const *outputs, const tn_tensor *const *gradients, int64_t output_count,
                        const tn_tensor *const *inputs, int64_t input_count, const tn_backward_options *options,
                        tn_tensor **results);

/* ---- the graph ----------------------------------------------------------------------------------------------------- */

/* What recorded a call. A node handle is a reference of its own. */
typedef struct tn_node tn_node;

/* What computed a tensor: NULL, without an error, for a leaf. Its name is "MulBackward0"; a leaf's node, which only edges lead
 * to, is "AccumulateGrad". output: which of the node's results the tensor is. */
TN_API tn_node *tn_tensor_node(const tn_tensor *tensor);
TN_API int64_t tn_tensor_node_output(const tn_tensor *tensor);
TN_API const char *tn_node_name(const tn_node *node);

/* The inputs of the call: how many, and the node that made each (a new reference; NULL where it has no gradient). output, which may
 * be NULL: which of that node's results it is. */
TN_API int64_t tn_node_input_count(const tn_node *node);
TN_API tn_node *tn_node_input(const tn_node *node, int64_t i, int64_t *output);
TN_API tn_node *tn_node_retain(const tn_node *node);
TN_API void tn_node_release(tn_node *node);

/* The graph behind a tensor, into a buffer, as tn_geometry_explain does: returns its length without the NUL, which may be more than
 * fits; -1, raised, where it fails. TEXT has a line for each node, the newest first: its number, its name, the sizes of its outputs, and
 * the nodes its inputs come from; `tenon graph` reads that. DOT is the language of Graphviz. SVG is a drawing: results above, leaves below,
 * and nothing at all where there is no graph. */
typedef enum tn_graph_format { TN_GRAPH_TEXT = 0, TN_GRAPH_DOT, TN_GRAPH_SVG } tn_graph_format;
TN_API int64_t tn_graph_show(const tn_tensor *tensor, tn_graph_format format, char *buffer, size_t size);

/* Whether backward looks for NaN in every gradient (in all threads): the first one is TN_ERROR_STATE, and the message names the
 * operator whose derivative gave it, with the sizes of its result. Slow. set returns what was set before. */
TN_API bool tn_set_anomaly_detection(bool on);
TN_API bool tn_anomaly_detection(void);

/* ---- hooks --------------------------------------------------------------------------------------------------------- */

/* Functions of the program that backward calls, on the thread that runs it. A scope is open while one runs: what it makes needs no
 * release. An error, which it has raised, stops backward. ctx goes to the deleter, which may be NULL, when the hook is removed or
 * what it hangs on ends. The handle is a reference of its own; releasing it does not remove the hook.
 *
 * Order, for one tensor: gradient hooks, the gradient that is asked for or retained, hooks before the node, the node, hooks after a
 * leaf was added to, hooks after the node. A hook hangs on the node that the tensor has when it is registered.
 *
 * gradient: sees the gradient of a tensor, and may set *replacement (NULL at first) to another of the same sizes and dtype. */
typedef struct tn_hook tn_hook;
typedef tn_error (*tn_gradient_hook)(void *ctx, const tn_tensor *grad, tn_tensor **replacement);
TN_API tn_hook *tn_hook_gradient(tn_tensor *tensor, tn_gradient_hook function, void *ctx, tn_deleter deleter);

/* After backward has added to the gradient of a leaf. TN_ERROR_STATE for a tensor that was computed. */
typedef tn_error (*tn_accumulated_hook)(void *ctx, tn_tensor *tensor);
TN_API tn_hook *tn_hook_accumulated(tn_tensor *tensor, tn_accumulated_hook function, void *ctx, tn_deleter deleter);

/* Before a node runs: `grads` are the gradients of its outputs. After it: those of its inputs, and `given` those of its outputs. NULL
 * where there is none. A hook may put others in the place of those in `grads`. */
typedef tn_error (*tn_node_hook)(void *ctx, tn_node *node, tn_tensor **grads, int64_t count, const tn_tensor *const *given,
                                 int64_t given_count);
TN_API tn_hook *tn_hook_before(tn_node *node, tn_node_hook function, void *ctx, tn_deleter deleter);
TN_API tn_hook *tn_hook_after(tn_node *node, tn_node_hook function, void *ctx, tn_deleter deleter);

/* It is not called again. A hook may remove itself. NULL does nothing. */
TN_API void tn_hook_remove(tn_hook *hook);
TN_API void tn_hook_release(tn_hook *hook);

/* What recording keeps can go through functions of the program: to another device, to a file, into fewer bits. While a pair is open on
 * a thread, each tensor that a call of this thread keeps is given to pack, as one without a history, and what that sets *packed to is
 * kept instead of it; backward, on whatever thread it runs, gets the tensor from unpack, which may be asked more than once. The
 * innermost pair counts.
 *
 *     tn_saved_hooks to_half = {sizeof to_half, pack_half, unpack_half, release_half, NULL, NULL};
 *     if (tn_saved_hooks_push(&to_half) != TN_OK) ...
 *     loss = forward(batch);
 *     tn_saved_hooks_pop();
 *
 * Both run as hooks do; unpack returns a tensor of the scope, or one that somebody else holds, as kernels do. An error of pack is that
 * of the call; one of unpack is backward's. pack must not change its tensor (TN_ERROR_STATE). drop, which may be NULL, gets what is not
 * needed any more. ctx goes to the deleter, which may be NULL, when neither the thread nor a node has use for the pair; after a
 * failed push it is still the caller's. Changes in place of a tensor after it was packed are not found. Tensors in lists, and in an
 * index, are kept as they are. pop: TN_ERROR_STATE where no pair is open. */
typedef struct tn_saved_hooks {
    size_t struct_size; /* sizeof(tn_saved_hooks); what lies beyond it is 0 */
    tn_error (*pack)(void *ctx, const tn_tensor *tensor, void **packed);
    tn_tensor *(*unpack)(void *ctx, void *packed);
    void (*drop)(void *ctx, void *packed);
    void *ctx;
    tn_deleter deleter;
} tn_saved_hooks;
TN_API tn_error tn_saved_hooks_push(const tn_saved_hooks *hooks);
TN_API tn_error tn_saved_hooks_pop(void);

/* ---- functions with derivatives of their own ----------------------------------------------------------------------- */

/* The derivative of something that the program computes itself. backward gets the gradients of the outputs (zeros for those that
 * nobody used, or NULL with missing_is_null; NULL for outputs that are not floats) and sets the gradient of each input that
 * tn_node_wants says; NULL is none. It runs as a hook does, and its calls are recorded if gradients of gradients are wanted. */
typedef struct tn_function {
    size_t struct_size; /* sizeof(tn_function); what lies beyond it is 0 */
    const char *name;   /* of the node, copied; NULL: "FunctionBackward" */
    tn_error (*backward)(void *ctx, const tn_node *node, const tn_tensor *const *grads, int64_t grad_count, tn_tensor **results,
                         int64_t input_count);
    void *ctx;
    tn_deleter deleter; /* gets ctx when the node has run for the last time, or ends; may be NULL */
    bool missing_is_null;
    bool once; /* its calls are not differentiable: gradients of gradients are an error */
} tn_function;

/* The outputs, computed while gradients were off, are from now on results of the function; an output may be an input that was changed
 * in place. `saved` are tensors that backward needs (inputs, outputs or others): it asks for them with tn_node_saved, and a change in
 * place since is found. Where no input requires a gradient, or the thread does not record, ctx goes to the deleter at once. After
 * a failure ctx is still the caller's. TN_ERROR_STATE for an output that has a history, or is a leaf that requires a gradient.
 *
 * A registered operator gets a derivative by a kernel at TN_KEY_AUTOGRAD that calls tn_redispatch and then this. */
TN_API tn_error tn_record(const tn_function *function, const tn_tensor *const *inputs, int64_t input_count,
                          tn_tensor *const *outputs, int64_t output_count, const tn_tensor *const *saved, int64_t saved_count);

/* Inside backward: whether the gradient of input i is wanted, and the saved tensors (a new reference, or the scope's; NULL, with
 * TN_ERROR_STATE, when it was changed since or was given back). */
TN_API bool tn_node_wants(const tn_node *node, int64_t i);
TN_API int64_t tn_node_saved_count(const tn_node *node);
TN_API tn_tensor *tn_node_saved(const tn_node *node, int64_t i);

/* For bindings to languages that collect cycles: every ctx that a tensor, where nothing else holds it, holds through its hooks and,
 * where nothing else holds that, its node. */
typedef void (*tn_context_visitor)(void *arg, void *ctx, tn_deleter deleter);
TN_API void tn_tensor_contexts(const tn_tensor *tensor, tn_context_visitor visit, void *arg);

/* Those of a node, whoever else holds it: of its hooks, and of the function that it is the derivative of. */
TN_API void tn_node_contexts(const tn_node *node, tn_context_visitor visit, void *arg);

/* ---- functions of tensors ------------------------------------------------------------------------------------------ */

/* A function of tensors, for what follows: its results in a list (tn_list_new), which it returns as any function does; NULL, with
 * the error raised, where it fails. */
typedef tn_list *(*tn_tensor_function)(void *ctx, const tn_tensor *const *inputs, int64_t count);

/* Calls a function so that nothing of its inside is kept: backward calls it again. It must do the same then; the state of the
 * default generator is put back for it. Returns the results; gradients reach the inputs, and leaves that the function knows by itself.
 * ctx goes to the deleter, which may be NULL, when it is not needed any more; after a failure it is still the caller's. */
TN_API tn_list *tn_checkpoint(tn_tensor_function function, void *ctx, tn_deleter deleter, const tn_tensor *const *inputs,
                              int64_t count);

/* Products with the Jacobian J of a function at its inputs, which need not require gradients themselves. vjp: v J, for each
 * input; vectors has one for each result, and NULL is 1 for a single number. jvp: J v, for each result; vectors has one for each input
 * (computed as the derivative of a derivative). hvp: H v for the Hessian of a function with one number as its result. An input or a
 * result that takes no part gets zeros. NULL, raised, where the function or a derivative fails. With create_graph the results
 * can be derived again. */
TN_API tn_list *tn_vjp(tn_tensor_function function, void *ctx, const tn_tensor *const *inputs, int64_t count,
                       const tn_tensor *const *vectors, bool create_graph);
TN_API tn_list *tn_jvp(tn_tensor_function function, void *ctx, const tn_tensor *const *inputs, int64_t count,
                       const tn_tensor *const *vectors, bool create_graph);
TN_API tn_list *tn_hvp(tn_tensor_function function, void *ctx, const tn_tensor *const *inputs, int64_t count,
                       const tn_tensor *const *vectors, bool create_graph);

/* The whole of it: for result i and input k, at position i * count + k, a tensor of the sizes of the result followed by those of the input.
 * hessian: of a function with one number as its result, for inputs i and k, of the sizes of both. */
TN_API tn_list *tn_jacobian(tn_tensor_function function, void *ctx, const tn_tensor *const *inputs, int64_t count,
                            bool create_graph);
TN_API tn_list *tn_hessian(tn_tensor_function function, void *ctx, const tn_tensor *const *inputs, int64_t count,
                           bool create_graph);

/* ---- checking derivatives ------------------------------------------------------------------------------------------ */

typedef struct tn_gradcheck_options {
    size_t struct_size;     /* sizeof(tn_gradcheck_options); what lies beyond it is 0 */
    double eps, atol, rtol; /* 0: PyTorch's, 1e-6, 1e-5, 1e-3 */
} tn_gradcheck_options;

/* Compares the gradients that are computed with differences of the function's results, for every input that requires a gradient
 * (float64 or complex128, not overlapping itself). TN_OK where they agree; TN_ERROR_STATE with the place and both numbers where
 * they do not. The inputs are changed for a moment and put back. */
TN_API tn_error tn_gradcheck(tn_tensor_function function, void *ctx, const tn_tensor *const *inputs, int64_t count,
                             const tn_gradcheck_options *options);

/* The same for the gradients of gradients. */
TN_API tn_error tn_gradgradcheck(tn_tensor_function function, void *ctx, const tn_tensor *const *inputs, int64_t count,
                                 const tn_gradcheck_options *options);

/* The same for an operator, called by name with these arguments: every tensor among them that requires a gradient is an input. An
 * operator in place is given a clone of its first argument.
 *
 *     tn_gradcheck_call("mul", TN_VALUES(x, y));
 */
TN_API tn_error tn_gradcheck_call(const char *name, tn_values arguments);
TN_API tn_error tn_gradgradcheck_call(const char *name, tn_values arguments);

#ifdef __cplusplus
}
#endif
#endif

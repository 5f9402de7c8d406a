/* tenon/onnx.h - runs models in ONNX's format, operator by operator, with the operators of Tenon.
 *
 *     tn_onnx *model = tn_onnx_open("model.onnx");
 *     tn_list *outputs = tn_onnx_run(model, (const tn_tensor *const[]){image}, 1);
 *     if (!outputs)
 *         fprintf(stderr, "%s\n", tn_error_message());
 *     tn_tensor *scores = tn_list_at(outputs, 0);
 *
 * Opsets 7 to 28 of ONNX's own domain. What a model asks for that is not there is told when it is opened: the operator, its domain,
 * the opset and the node. Weights stay in the file, mapped, where their place in it allows that, else they are copied once.
 *
 * Values are tensors, and inside a graph sequences of tensors. A value is let go as soon as no later node wants it. Nothing in a file is
 * trusted: names that lead nowhere or back to themselves, missing inputs, wrong kinds of attributes and graphs too deep inside each
 * other are errors that name the node. How long a loop runs, and how much memory a shape asks for, is the model's to say; see
 * tn_set_cancel_check and the memory limits of tenon/memory.h.
 *
 * Threads: as everywhere, one model is used by many threads at once; running changes nothing in it.
 */
#ifndef TENON_ONNX_H
#define TENON_ONNX_H

#include <tenon/tensor.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct tn_onnx tn_onnx;

/* Opens a model and finds the operators for its nodes. You own it (or the open scope does). TN_ERROR_IO: the file cannot be read, or
 * is not what it says; TN_ERROR_UNSUPPORTED: an operator, an opset or a kind of value that is not there, by name; TN_ERROR_ARGUMENT:
 * a graph whose names do not fit together. */
TN_API tn_onnx *tn_onnx_open(const char *path);

/* The same for a block of memory, which is copied. A model with elements in other files is TN_ERROR_IO. */
TN_API tn_onnx *tn_onnx_open_memory(const void *data, size_t bytes);

TN_API tn_onnx *tn_onnx_retain(const tn_onnx *model);
TN_API void tn_onnx_release(tn_onnx *model);  /* NULL-safe. Outputs stay */
TN_API tn_onnx *tn_onnx_keep(tn_onnx *model); /* takes it out of its scope, as tn_keep does */

/* An input or output of a model, as the file describes it. Texts and numbers are borrowed from the model. */
typedef struct tn_onnx_value {
    size_t struct_size; /* sizeof(tn_onnx_value) */
    const char *name;
    tn_dtype dtype; /* TN_DTYPE_DEFAULT: not said           */
    bool has_sizes; /* whether the number of dimensions is said */
    tn_dims sizes;  /* -1 for one that may change           */
    bool optional;  /* an input that the model has a value for */
} tn_onnx_value;
#define TN_ONNX_VALUE                                                                                                          \
    { sizeof(tn_onnx_value), NULL, TN_DTYPE_DEFAULT, false, {NULL, 0}, false }

/* How many there are, -1 on failure; one of them by its place (TN_ERROR_INDEX); and the place of an input's name, -1 without an
 * error where there is none. Optional inputs come after the others. */
TN_API int64_t tn_onnx_input_count(const tn_onnx *model);
TN_API int64_t tn_onnx_output_count(const tn_onnx *model);
TN_API tn_error tn_onnx_input(const tn_onnx *model, int64_t position, tn_onnx_value *about);
TN_API tn_error tn_onnx_output(const tn_onnx *model, int64_t position, tn_onnx_value *about);
TN_API int64_t tn_onnx_find_input(const tn_onnx *model, const char *name);

/* Runs the model: inputs in the order of tn_onnx_input, NULL or none for optional ones. Gives the outputs in their order; you own the
 * list. An output never shares memory with an input or with a weight. Inputs are compared with what the model says about them: TN_ERROR_DTYPE for
 * another dtype, TN_ERROR_SHAPE for other sizes, TN_ERROR_ARGUMENT for one that is missing. What an operator refuses is told with the
 * node: `onnx_run: node 3, Conv "block1.conv": ...`. */
TN_API tn_list *tn_onnx_run(const tn_onnx *model, const tn_tensor *const *inputs, int64_t count);

/* The names of ONNX's operators that can be run, in alphabetical order; NULL after the last. Static. */
TN_API const char *tn_onnx_operator(int64_t position);

#ifdef __cplusplus
}
#endif
#endif

/* tenon/prepack.h - a weight that is packed once, for many products with it.
 *
 *     tn_prepacked *packed = tn_prepack(weight, TN_PREPACK_LINEAR);
 *     for (...)
 *         y = tn_linear_prepacked(x, packed, bias, "gelu", NULL, 1);
 *     tn_prepacked_release(packed);
 *
 * A product packs its second factor into the order in which it is read, block by block, and forgets that again. A handle keeps it, so
 * that the next product need not do it: worth the memory where a weight is used many times with a moderate number of rows, and
 * most of all for float16 and bfloat16, which are widened on that way. Results have the bits of tn_linear and tn_matmul.
 *
 * The handle holds a reference to the weight and remembers the version of its storage. Used after the weight was written, it is an
 * error (TN_ERROR_STATE) that says so, never an old result: make a new one. Writes that Tenon is not told of, through
 * addresses taken before, are not seen (tenon/storage.h).
 */
#ifndef TENON_PREPACK_H
#define TENON_PREPACK_H

#include <tenon/tensor.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct tn_prepacked tn_prepacked;

/* What a weight is packed for. */
typedef enum tn_prepack_use {
    TN_PREPACK_LINEAR = 0, /* tn_linear_prepacked: weight is (n, k), a row for each feature of the result */
    TN_PREPACK_MATMUL      /* tn_matmul_prepacked: weight is (k, n), the second factor                    */
} tn_prepack_use;

/* Packs a matrix of any strides and any dtype that products take. NULL with TN_ERROR_SHAPE for what is not a matrix, TN_ERROR_DTYPE for
 * bool, TN_ERROR_DEVICE for a weight that is not on the CPU, TN_ERROR_ARGUMENT for an unknown use, TN_ERROR_MEMORY. Yours (or the
 * open scope's). The panels are memory of the CPU's allocator, and counted there. */
TN_API tn_prepacked *tn_prepack(const tn_tensor *weight, tn_prepack_use use);
TN_API tn_prepacked *tn_prepacked_retain(tn_prepacked *packed); /* NULL-safe; returns its argument */
TN_API void tn_prepacked_release(tn_prepacked *packed);         /* NULL-safe */
TN_API tn_prepacked *tn_prepacked_keep(tn_prepacked *packed);   /* as tn_keep */

/* The weight, borrowed; bytes of its panels; whether it is still what was packed. NULL, 0 and false for NULL, without an error. */
TN_API const tn_tensor *tn_prepacked_weight(const tn_prepacked *packed);
TN_API size_t tn_prepacked_nbytes(const tn_prepacked *packed);
TN_API bool tn_prepacked_is_current(const tn_prepacked *packed);

/* tn_linear_fused(input, weight, bias, activation, residual, scale) and tn_matmul(input, weight), with their results, errors and bits;
 * activation may be NULL, for "none". And the same with the result given. TN_ERROR_STATE where the weight was written, and TN_ERROR_ARGUMENT
 * for a handle that was packed for the other use. Any number of threads may use one handle at a time. */
TN_API tn_tensor *tn_linear_prepacked(const tn_tensor *input, const tn_prepacked *weight, const tn_tensor *bias,
                                      const char *activation, const tn_tensor *residual, tn_scalar scale);
TN_API tn_tensor *tn_linear_prepacked_out(tn_tensor *out, const tn_tensor *input, const tn_prepacked *weight,
                                          const tn_tensor *bias, const char *activation, const tn_tensor *residual,
                                          tn_scalar scale);
TN_API tn_tensor *tn_matmul_prepacked(const tn_tensor *input, const tn_prepacked *weight);
TN_API tn_tensor *tn_matmul_prepacked_out(tn_tensor *out, const tn_tensor *input, const tn_prepacked *weight);

#define tn_linear_prepacked(input, weight, bias, activation, residual, scale)                                                  \
    tn_linear_prepacked(input, weight, bias, activation, residual, TN_SCALAR(scale))
#define tn_linear_prepacked_out(out, input, weight, bias, activation, residual, scale)                                         \
    tn_linear_prepacked_out(out, input, weight, bias, activation, residual, TN_SCALAR(scale))

#ifdef __cplusplus
}
#endif

#endif

/* tenon/einsum.h - what tn_einsum would do, in words. The operator itself is in tenon/operators.h. */
#ifndef TENON_EINSUM_H
#define TENON_EINSUM_H

#include <tenon/tensor.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Writes how tn_einsum(equation, tensors, count) contracts its operands: a line for each sum and each pair, in order, with the sizes
 * of the matrix products and the copies it makes, and why, then a line with the totals; at most `size` bytes with the final NUL.
 *
 *     ij,jk,kl->il
 *     step 1: 1 [4, 5] jk and 2 [5, 2] kl -> 3 [2, 4] lj: a product with m = 4, n = 2, k = 5; no copy
 *     step 2: 0 [3, 4] ij and 3 [2, 4] lj -> 4 [3, 2] il: a product with m = 3, n = 2, k = 4; no copy
 *     in all: 64 multiplications, 0 copies of 0 elements, largest result 8 elements
 *
 * Operands are numbered from 0, results from `count` on. Nothing is computed, and no element is read. Returns the full length of the
 * text without the NUL, so that size 0 (buffer may be NULL then) asks how much is needed; 0, with the error recorded, where
 * tn_einsum would fail for its equation, sizes or dtypes. Any thread may call it while nobody changes the tensors' geometry. */
TN_API size_t tn_einsum_explain(const char *equation, const tn_tensor *const *tensors, int64_t count, char *buffer,
                                size_t size);

#ifdef __cplusplus
}
#endif
#endif

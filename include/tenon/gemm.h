/* tenon/gemm.h - a product of two matrices over plain memory: no tensor, no dispatcher, nothing to release.
 *
 *     float a[8 * 64], b[64 * 100], c[8 * 100];
 *     tn_gemm(8, 100, 64, 1, TN_MATRIX_AT(a, 64, 1, TN_FLOAT32), TN_MATRIX_AT(b, 100, 1, TN_FLOAT32), 0,
 *             TN_MATRIX_AT(c, 100, 1, TN_FLOAT32));
 *
 * A matrix is an address and two strides, so a transposed one is the same with the strides exchanged, and a slice one with other
 * strides. Every dtype but bool and the 8-bit floats is taken; sums are accumulated in float32 for float16 and bfloat16, and modulo
 * their size for integers. Operators on tensors are tn_matmul, tn_addmm, tn_linear and others (tenon/operators.h).
 */
#ifndef TENON_GEMM_H
#define TENON_GEMM_H

#include <tenon/dtype.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct tn_matrix {
    void *data;            /* the element at row 0, column 0                               */
    int64_t row_stride;    /* in elements, from a row to the next: any number, also negative */
    int64_t column_stride; /* from a column to the next                                    */
    tn_dtype dtype;
    bool conjugate; /* of a factor: every element is replaced by its complex conjugate */
} tn_matrix;

#ifdef __cplusplus
static inline tn_matrix tn_matrix_of_(const void *data, int64_t row_stride, int64_t column_stride, tn_dtype dtype) {
    tn_matrix matrix = {const_cast<void *>(data), row_stride, column_stride, dtype, false};
    return matrix;
}
#define TN_MATRIX_AT(data, row_stride, column_stride, dtype) tn_matrix_of_((data), (row_stride), (column_stride), (dtype))
#else
#define TN_MATRIX_AT(data, row_stride, column_stride, dtype)                                                                   \
    ((tn_matrix){(void *)(uintptr_t)(data), (row_stride), (column_stride), (dtype), false})
#endif

/* c = alpha * a b + beta * c, where a is (m, k), b is (k, n) and c is (m, n). With beta 0 c is not read, so it may hold anything. Without
 * k the product is 0; without elements of c nothing is done, and addresses may be NULL.
 *
 * TN_ERROR_ARGUMENT for a negative size or an address that is NULL; TN_ERROR_SHAPE for sizes whose elements cannot be counted;
 * TN_ERROR_DTYPE for a dtype that is not taken, factors of different dtypes (but int8 and uint8 go together) and a c of another one,
 * except for float32 of float16 or bfloat16 and int32 of 8-bit integers, and for an alpha or beta that the dtype of c cannot
 * count with; TN_ERROR_MEMORY when there is no memory for packed blocks.
 * Whatever fails, c is as it was, unless the call was cancelled (TN_ERROR_CANCELLED).
 *
 * c must not overlap itself, a or b: that is not checked. Any thread may call it; it computes on the threads of tenon/threads.h, and
 * the bits do not depend on their number. */
TN_API tn_error tn_gemm(int64_t m, int64_t n, int64_t k, tn_scalar alpha, tn_matrix a, tn_matrix b, tn_scalar beta,
                        tn_matrix c);
#define tn_gemm(m, n, k, alpha, a, b, beta, c) tn_gemm(m, n, k, TN_SCALAR(alpha), a, b, TN_SCALAR(beta), c)

#ifdef __cplusplus
}
#endif

#endif

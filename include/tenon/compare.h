/* tenon/compare.h - whether two tensors are the same: questions with one answer. Comparisons with an answer for each element
 * are operators: tn_eq, tn_isclose.
 */
#ifndef TENON_COMPARE_H
#define TENON_COMPARE_H

#include <tenon/tensor.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Whether two tensors have the same sizes and tn_eq holds everywhere, so a tensor with a NaN is not equal to itself. Dtypes may
 * differ: values are compared as tn_eq compares them. Two tensors without elements are equal if their sizes are.
 *
 * false, with the error recorded, when it cannot be told: a handle that is NULL or released, dtypes with no common one
 * (TN_ERROR_DTYPE), memory that is not the CPU's (TN_ERROR_DEVICE), no memory. */
TN_API bool tn_equal(const tn_tensor *a, const tn_tensor *b);

/* Whether tn_isclose holds everywhere:  |a - b| <= atol + |rtol * b| . The shapes are broadcast; torch's defaults are rtol
 * 1e-5, atol 1e-8 and equal_nan false. Errors as above, and TN_ERROR_SHAPE, TN_ERROR_ARGUMENT for a negative tolerance. */
TN_API bool tn_allclose(const tn_tensor *a, const tn_tensor *b, double rtol, double atol, bool equal_nan);

#ifdef __cplusplus
}
#endif
#endif

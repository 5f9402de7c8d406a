/* tenon/cpp/promotion.hpp - which dtype holds two others, for the compiler.
 *
 * Written by tools/generate.c from the library's own table, src/iterate/promote_table.h: change it there.
 */
#ifndef TENON_CPP_PROMOTION_HPP
#define TENON_CPP_PROMOTION_HPP

#include <tenon/dtype.h>

namespace tenon {
namespace detail {

/* clang-format off */
/* Rows and columns in the order of tn_dtype from TN_BOOL to TN_COMPLEX128; the 8-bit floats promote only with themselves. */
constexpr unsigned char promotion_table[TN_COMPLEX128][TN_COMPLEX128] = {
    {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15},
    {2, 2, 3, 4, 5, 7, 7, 8, 9, 10, 11, 12, 13, 14, 15},
    {3, 3, 3, 4, 5, 8, 8, 8, 9, 10, 11, 12, 13, 14, 15},
    {4, 4, 4, 4, 5, 9, 9, 9, 9, 10, 11, 12, 13, 14, 15},
    {5, 5, 5, 5, 5, 13, 13, 13, 13, 10, 11, 12, 13, 14, 15},
    {6, 7, 8, 9, 13, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15},
    {7, 7, 8, 9, 13, 7, 7, 8, 9, 10, 11, 12, 13, 14, 15},
    {8, 8, 8, 9, 13, 8, 8, 8, 9, 10, 11, 12, 13, 14, 15},
    {9, 9, 9, 9, 13, 9, 9, 9, 9, 10, 11, 12, 13, 14, 15},
    {10, 10, 10, 10, 10, 10, 10, 10, 10, 10, 12, 12, 13, 14, 15},
    {11, 11, 11, 11, 11, 11, 11, 11, 11, 12, 11, 12, 13, 14, 15},
    {12, 12, 12, 12, 12, 12, 12, 12, 12, 12, 12, 12, 13, 14, 15},
    {13, 13, 13, 13, 13, 13, 13, 13, 13, 13, 13, 13, 13, 15, 15},
    {14, 14, 14, 14, 14, 14, 14, 14, 14, 14, 14, 14, 15, 14, 15},
    {15, 15, 15, 15, 15, 15, 15, 15, 15, 15, 15, 15, 15, 15, 15},
};
/* clang-format on */

/* The dtype of a result of both; TN_DTYPE_DEFAULT where there is none. */
constexpr tn_dtype promote(tn_dtype a, tn_dtype b) {
    if (a == b)
        return a;
    if (a < TN_BOOL || b < TN_BOOL || a > TN_COMPLEX128 || b > TN_COMPLEX128)
        return TN_DTYPE_DEFAULT;
    return static_cast<tn_dtype>(promotion_table[a - 1][b - 1]);
}

} // namespace detail
} // namespace tenon

#endif

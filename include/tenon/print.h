/* tenon/print.h - tensors as text, in PyTorch's format.
 *
 *     tensor([[ 0.0000,  1.5000],
 *             [-2.2500, 10.0000]], dtype=float64)
 *
 * Printing allocates nothing, reads a summarised tensor only where it is shown, honours every stride, and always writes a
 * point as the decimal mark, whatever the locale. With TN_SPELLING_TORCH it is PyTorch's text to the letter, which is what the
 * Python package prints.
 */
#ifndef TENON_PRINT_H
#define TENON_PRINT_H

#include <stdio.h>

#include <tenon/tensor.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef enum tn_print_notation {
    TN_NOTATION_AUTO = 0, /* scientific when the numbers are too far apart, as torch decides */
    TN_NOTATION_FIXED,
    TN_NOTATION_SCIENTIFIC
} tn_print_notation;

/* The most digits after the point: the smallest float64 does not have more. */
enum { TN_PRINT_PRECISION_MAX = 1074 };

/* How to print. Zero the struct and set struct_size = sizeof; a field left 0 has its usual value, and a negative number
 * stands for torch's 0. These are torch.set_printoptions' options. */
typedef struct tn_print_options {
    size_t struct_size;
    int precision;              /* digits after the point, up to TN_PRINT_PRECISION_MAX. 0: 4. Negative: none          */
    int edge_items;             /* shown at each end of a summarised dimension. 0: 3. Negative: none, only the size    */
    int64_t threshold;          /* tensors of more elements are summarised. 0: 1000. Negative: all. INT64_MAX: none    */
    int line_width;             /* where rows of elements are broken. 0: 80. Negative: refused                         */
    tn_print_notation notation; /* of floating and complex numbers                                                     */
    tn_spelling dtypes;         /* how dtypes are spelled: float64, or, with TN_SPELLING_TORCH, torch.float64; nothing else */
} tn_print_options;

/* The text of a tensor, with a newline after it, to a stream, in one piece when several threads print. TN_ERROR_IO when the
 * stream refuses it; a stream that buffers may do so only when it is flushed. TN_ERROR_DEVICE when the elements are not
 * in memory that the CPU reads; nothing is written then. Of a tensor on meta, which has no elements, the sizes and dtype are
 * printed: tensor(..., device='meta', size=(2, 3)). */
TN_API tn_error tn_print(const tn_tensor *tensor, FILE *stream);

/* The text without the newline. Writes at most `size` bytes with the final NUL, and returns the full length without it, so a
 * first call with size 0 (and buffer NULL) says how much is needed; -1 on failure. options may be NULL: the process-wide ones.
 *
 *     char text[200];
 *     if (tn_format(x, text, sizeof text, NULL) >= (int64_t)sizeof text) ...  // cut
 */
TN_API int64_t tn_format(const tn_tensor *tensor, char *buffer, size_t size, const tn_print_options *options);

/* The options that tn_print and a NULL above use, process-wide. set: TN_ERROR_ARGUMENT, changing nothing, for a field out of
 * its range; NULL: back to the usual ones. get: set out->struct_size first; the usual values are filled in as numbers, and
 * giving them back to set changes nothing. */
TN_API tn_error tn_set_print_options(const tn_print_options *options);
TN_API tn_error tn_get_print_options(tn_print_options *out);

#ifdef __cplusplus
}
#endif
#endif

/* windows.h - products of a matrix with the windows of images: what convolutions and their gradients are made of.
 *
 * An image X (n, c, d, h, w) is seen through windows. A window has a position (n, d, h, w), and within it a tap (d, h, w, c):
 *
 *     X[position, tap] = X[n, c, origin + position * step + tap * tap_step]      in each of d, h, w; 0 outside of the image
 *
 * So windows are a matrix of positions and taps, none of which is ever written out: panels are packed straight from the image
 * (windows_pack.c). It is multiplied with `lines`, a matrix Y of any strides, and the sums go to a result Z:
 *
 *     Z[line, position] = the sum over taps of Y[line, tap] * X[position, tap]                    a convolution
 *     Z[line, tap] = the sum over positions of Y[line, position] * X[position, tap]               the gradient of its weights
 *
 * for each of `groups`, plus bias[line], through an activation, rounded once. Sums are accumulated in `compute`, in an order that
 * follows from the sizes alone. Everything has been checked before; nothing overlaps; strides are in elements, of any sign.
 */
#ifndef TNI_WINDOWS_H
#define TNI_WINDOWS_H

#include "iterate/product.h"

enum { TNI_WINDOW_DIMS = 3, TNI_WINDOW_AXIS = 4 }; /* d, h, w; and with n before, or c after them */

typedef struct tni_windows {
    int64_t groups, lines;
    int64_t positions[TNI_WINDOW_AXIS]; /* n, d, h, w */
    int64_t taps[TNI_WINDOW_AXIS];      /* d, h, w, c */
    bool over_positions;                /* sums run over positions, not over taps */
    struct {
        const void *data; /* the element at 0, 0, 0 of image, channel and group 0 */
        tn_dtype dtype;
        int64_t image, channel, group, strides[TNI_WINDOW_DIMS], sizes[TNI_WINDOW_DIMS];
        int64_t origin[TNI_WINDOW_DIMS], step[TNI_WINDOW_DIMS], tap_step[TNI_WINDOW_DIMS];
    } x;
    struct {
        const void *data;
        tn_dtype dtype;
        int64_t line, group, along[TNI_WINDOW_AXIS]; /* of taps, or of positions where sums run over them */
    } y;
    struct {
        void *data;
        tn_dtype dtype;
        int64_t line, group, across[TNI_WINDOW_AXIS]; /* of positions, or of taps */
    } z;
    struct {
        const void *data; /* NULL: none */
        tn_dtype dtype;
        int64_t line, group;
    } bias;
    tni_product_activation activation; /* of float32 and float64 */
    tn_dtype compute;                  /* tni_product_compute(dtype) */
} tni_windows;

/* Bytes of memory that tni_windows_run wants, aligned to 64, with so many threads at most. */
size_t tni_windows_bytes(const tni_windows *windows, int64_t threads);

/* Computes. There are lines, and positions (or taps); there may be nothing to add up. Fails when the call was cancelled, or (before
 * anything is written) when this build lacks a loop for bias or activation. */
tn_error tni_windows_run(const tni_windows *windows, char *memory, int64_t threads);

#endif

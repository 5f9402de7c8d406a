/* pool_plane.h - the loops of pooling: from a plane of up to three dimensions to one of windows.
 *
 * Which elements a window has is the same question for every kind of pooling, and is answered before the loop starts: along each
 * dimension window o has the elements first[o], first[o] + step, ... below end[o], all of them inside the plane. Where windows follow
 * each other evenly (all but adaptive and fractional ones), the loop takes one element of many windows at a time, which lie a stride
 * apart, instead of many elements of one window.
 */
#ifndef TNI_POOL_PLANE_H
#define TNI_POOL_PLANE_H

#include <stdbool.h>
#include <stdint.h>

enum { TNI_POOL_AXES = 3 };

typedef struct tni_pool_axis {
    int64_t in, out;      /* sizes of the plane and of the result                                                     */
    int64_t step;         /* from an element of a window to the next: the dilation                                    */
    const int64_t *first; /* (out)                                                                                    */
    const int64_t *end;   /* (out)                                                                                    */
    const int64_t *share; /* (out), of means: elements that a window counts, with those of the padding or without     */
    bool even;            /* window o begins at o * stride - padding and has `window` elements, some perhaps outside   */
    int64_t stride, padding, window;
} tni_pool_axis;

/* A mean is the sum divided by the product of the shares, or by `divisor` unless that is 0. */
typedef struct tni_pool {
    tni_pool_axis axis[TNI_POOL_AXES]; /* the last one is a row in memory; fewer dimensions begin with sizes of 1 */
    int64_t divisor;
    bool channels; /* the last axis is one of channels, with windows of one: indices are those of the first two axes */
    int64_t least; /* of whole numbers, the result of a window without elements; that of floats is -inf */
} tni_pool;

/* The largest of each window, the first of equals, a NaN before all others; and where it is in the plane, unless indices is NULL. */
typedef void (*tni_pool_max_function)(const tni_pool *pool, void *out, int64_t *indices, const void *in);

/* The mean of each window; and its transpose, which adds to every element of a plane its part of each window that has it: there `out`
 * is the plane, `in` the gradient of the windows. */
typedef void (*tni_pool_mean_function)(const tni_pool *pool, void *out, const void *in);

/* A plane of `size` zeros with elements put at indices, or (adds) added. False where one is not in the plane: it is left out. Where there
 * are several channels, each element and each index is as many of them, next to each other. */
typedef bool (*tni_pool_place_function)(void *out, int64_t size, const void *in, const int64_t *indices, int64_t count,
                                        int64_t channels, bool adds);

#endif

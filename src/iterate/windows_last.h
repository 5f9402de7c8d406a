/* windows_last.h - convolutions with the lines of weights next to each other; see windows_last.c. */
#ifndef TNI_WINDOWS_LAST_H
#define TNI_WINDOWS_LAST_H

#include "iterate/product_finish.h"
#include "iterate/windows.h"

/* How a call is cut. */
typedef struct tni_windows_last {
    const tni_windows *windows;
    const tni_finish *finish;
    bool doubles;
    bool turns, copies;                /* the image is copied, some rows at a time, because of its strides; or of its padding */
    bool beside;                       /* sums wait beside the result, which has other strides                               */
    int64_t item, taps, depth, depths; /* channels whose sums have one accumulator; such pieces of a round                    */
    int64_t copied;                    /* channels that are copied at a time                                                 */
    int64_t places, width, lines;      /* of a tile; all lines, in whole tiles                                               */
    int64_t least[2], reach[2];        /* in h and w: the first tap of a window, and its width                               */
    int64_t rows, columns;             /* of the result that a task makes                                                    */
    int64_t row_blocks, column_blocks; /* tasks of an image                                                                  */
    size_t tap_bytes, weight_bytes, bias_bytes, copy_bytes, set_bytes;
} tni_windows_last;

/* Whether this is the better way for a call that windows_planes.c serves, of pieces of `depth` channels: its sums have the same bits. Fills in
 * everything that follows from sizes. */
bool tni_windows_last_begin(tni_windows_last *last, const tni_windows *windows, int64_t depth, int64_t threads);

size_t tni_windows_last_bytes(const tni_windows_last *last, int64_t threads);
bool tni_windows_last_run(tni_windows_last *last, const tni_finish *finish, char *memory, int64_t threads);

#endif

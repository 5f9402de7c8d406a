/* window_loop.h - the inner loops of convolutions beside the tiles of products (product_tile.h), as the table has them: of float32 and of
 * float64.
 */
#ifndef TNI_WINDOW_LOOP_H
#define TNI_WINDOW_LOOP_H

#include <stdbool.h>
#include <stdint.h>

/* Part of a panel: `depth` rows of an image, `along` bytes apart, of each of which `count` numbers, `step` apart, go to a step of the
 * panel, `pitch` bytes from the one before. */
typedef void (*tni_window_rows_function)(char *panel, int64_t pitch, const char *at, int64_t step, int64_t along, int64_t count,
                                         int64_t depth);

/* Where a tap is: bytes from the first number of an image, and of a line of weights. */
typedef struct tni_window_tap {
    int64_t image, weight;
} tni_window_tap;

/* Some lines of a result, and as many numbers of each as the tile has columns: for line l and number j,
 *
 *     out[l * pitch + j] = [out[l * pitch + j] +] the sum over taps of the weight of line l * the j-th number of the image from there on
 */
typedef void (*tni_window_tile_function)(void *out, int64_t pitch, const char *x, const tni_window_tap *taps, int64_t tap_count,
                                         const char *const *weights, bool adds);

enum { TNI_WINDOW_TILES = 4, TNI_WINDOW_TILE_LINES = 8, TNI_WINDOW_TILE_COLUMNS = 64 }; /* lines and columns: at most */

/* From many lines to one; the last is for those who swap lines and numbers (iterate/windows_last.c). */
typedef struct tni_window_tiles {
    struct {
        int64_t lines, columns;
        tni_window_tile_function function;
    } of[TNI_WINDOW_TILES];
} tni_window_tiles;
typedef const tni_window_tiles *tni_window_tiles_of;

/* Some elements of every plane, where channels are next to each other: for element e and channel c,
 *
 *     out[c], e * out_step bytes further = the sum over t of weights[t][c] * at[t][c], e * step bytes further
 */
typedef void (*tni_window_channels_function)(char *out, int64_t out_step, int64_t elements, const void *const *at, int64_t step,
                                             const void *const *weights, int64_t taps, int64_t count);

#endif

/* window_loop.h - the inner loops of convolutions beside the tiles of products (product_tile.h), as the table has them: of float32 and of
 * float64.
 */
#ifndef TNI_WINDOW_LOOP_H
#define TNI_WINDOW_LOOP_H

#include <stdint.h>

/* Part of a panel: `depth` rows of an image, `along` bytes apart, of each of which `count` numbers, `step` apart, go to a step of the
 * panel, `pitch` bytes from the one before. */
typedef void (*tni_window_rows_function)(char *panel, int64_t pitch, const char *at, int64_t step, int64_t along, int64_t count,
                                         int64_t depth);

/* A row of one plane: out[j] = the sum over r and t of weights[r][t] * rows[r][j * step + t * tap_step]. */
typedef void (*tni_window_plane_function)(void *out, const void *const *rows, const void *const *weights, int64_t row_count,
                                          int64_t taps, int64_t tap_step, int64_t step, int64_t count);

/* An element of every plane, where channels are next to each other: out[c] = the sum over t of weights[t][c] * at[t][c]. */
typedef void (*tni_window_channels_function)(void *out, const void *const *at, const void *const *weights, int64_t taps,
                                             int64_t count);

#endif

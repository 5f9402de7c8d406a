/* attention_loop.h - the loops over lines of attention weights, as the table has them. The products around them are made of tiles
 * (product_tile.h).
 *
 * A line is contiguous, of the dtype that is computed in: float32 or float64. `exponential` is the loop of the operator exp. None of
 * them reads or writes beyond `count`. Lanes are added in one order, so bits depend on the line alone.
 */
#ifndef TNI_ATTENTION_LOOP_H
#define TNI_ATTENTION_LOOP_H

#include <stdint.h>

#include "kernels/loop.h"

typedef struct tni_attention_loops {
    /* scores += added, where that is given. Gives the largest of them and `most`; a NaN may be missed. */
    double (*largest)(void *scores, const void *added, int64_t count, double most);
    /* scores = e^(scores - shift). Gives their sum. */
    double (*weigh)(void *scores, int64_t count, double shift, tni_loop exponential);
    /* line *= factor */
    void (*scale)(void *line, int64_t count, double factor);
    /* line += other */
    void (*add)(void *line, const void *other, int64_t count);
    /* line *= factors */
    void (*multiply)(void *line, const void *factors, int64_t count);
    /* line = 0 where flags says true, else -infinity */
    void (*exclude)(void *line, const uint8_t *flags, int64_t count);
    /* scores = e^(scores + added - logs), where `added` is given. step is 1, or 0: one number of logs serves all. */
    void (*recall)(void *scores, const void *added, const void *logs, int64_t step, int64_t count, tni_loop exponential);
    /* changes = weights * (changes - means), step as above */
    void (*slope)(void *changes, const void *weights, const void *means, int64_t step, int64_t count);
} tni_attention_loops;

#endif

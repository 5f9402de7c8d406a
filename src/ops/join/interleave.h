/* interleave.h - the elements of several runs, one from each in turn: what stacking along the last dimension is in memory. */
#ifndef TNI_INTERLEAVE_H
#define TNI_INTERLEAVE_H

#include "base/common.h"
#include "ops/limits.h"

/* Rounds of one element of each run: element i of run k comes to element i * pitch + k of `target`. */
typedef struct tni_interleave {
    char *target;
    int64_t pitch;
    const char *sources[TNI_INTERLEAVED];
    int64_t runs;
    int64_t item;  /* bytes of an element: 1, 2, 4, 8 or 16 */
    int64_t count; /* rounds                                */
} tni_interleave;

/* Carry it out, on several threads where it is large. The target does not overlap the sources. Cannot fail. */
void tni_interleave_runs(const tni_interleave *runs);

#endif

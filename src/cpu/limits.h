/* limits.h - the limits of this layer; see base/limits.h. */
#ifndef TNI_CPU_LIMITS_H
#define TNI_CPU_LIMITS_H

#include "base/limits.h"
#include "iterate/limits.h"

enum {
    REDUCE_SOME = TNI_LIMIT(512, 11),          /* columns whose moments are formed together                  */
    REDUCE_TOGETHER = TNI_LIMIT(512, 5),       /* rows, before they are joined to the others                 */
    REDUCE_BLOCK_BYTES = TNI_LIMIT(8192, 384), /* of a run that is summed in its dtype                       */
    REDUCE_WIDE_BLOCK = TNI_LIMIT(1024, 24),   /* elements of one that is summed in double                   */
    REDUCE_NONZERO_ROUNDS = TNI_LIMIT(127, 3), /* before counters of a byte are emptied                      */
    REDUCE_STRETCH = TNI_LIMIT(1 << 30, 301),  /* places that are told apart by a counter as wide as float32 */
    COUNT_BLOCK = TNI_LIMIT(2048, 6),          /* after the numbers of a block were looked at: pairs         */
    LANES_BLOCK_BYTES = TNI_LIMIT(4096, 384),  /* of a line that is summed in its dtype                      */
    LANES_BLOCKS = TNI_LIMIT(16, 1),           /* of those between two questions whether to go on            */
    SOFTMAX_SHORT = TNI_LIMIT(64, 5),          /* elements of lines whose exponentials are taken together       */
    GRID_BLOCK = TNI_LIMIT(64, 3),             /* places whose taps are found together, for all planes         */
    RESAMPLE_ROWS = TNI_LIMIT(64, 3),          /* rows of a result between two questions whether to go on    */
    POOL_BLOCK = TNI_LIMIT(256, 5),            /* windows of a row whose elements are looked at together     */
    POOL_ROWS = TNI_LIMIT(16, 2),              /* rows of windows between two questions whether to go on     */
    PICK_TOGETHER = TNI_LIMIT(8, 3),           /* elements that are loaded before any is stored, for vectors */
    SCAN_BLOCK = TNI_LIMIT(32, 5),             /* elements that are tested for a new extreme together        */
    SCAN_LOGARITHM_BLOCK = TNI_LIMIT(64, 5),   /* elements whose largest so far is taken out together        */
    SORT_GROUP = TNI_LIMIT(64, 5),             /* keys that are compared with a bound together               */
    TRANSPOSE_SIDE = TNI_LIMIT(16, 3),         /* of a square, where elements are moved singly               */
    FOURIER_LANES = TNI_LIMIT(16, 3)           /* numbers that a pass of any odd radix works on side by side  */
};

/* Elements of a run or a line that are summed without registers full of zeros: what the trees written out for them take. */
/* Elements around a place that a sample is made of, at most: of a cubic in two dimensions. */
enum { GRID_TAPS = 16 };

enum { REDUCE_FEW = 8, LANES_SHORT = 8 };

_Static_assert(REDUCE_BLOCK_BYTES % 128 == 0 && LANES_BLOCK_BYTES % 128 == 0, "blocks fill all lanes");
_Static_assert(SOFTMAX_SHORT <= LANES_BLOCK_BYTES / 8, "a short line is summed as one block");
_Static_assert((int)REDUCE_PACK_BYTES % REDUCE_BLOCK_BYTES == 0 && (int)REDUCE_PACK_BYTES / 8 % REDUCE_WIDE_BLOCK == 0,
               "a packed run is summed in the same blocks as one that is not packed");
_Static_assert(COUNT_BLOCK % 2 == 0, "a block is whole pairs");
_Static_assert(TNI_STEP % SCAN_BLOCK == 0, "a step of a scan is whole blocks");
_Static_assert(REDUCE_NONZERO_ROUNDS <= 127, "a counter of 8 bits, two to a round, does not overflow");

#endif

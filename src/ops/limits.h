/* limits.h - the limits of this layer, family by family; see base/limits.h. */
#ifndef TNI_OPS_LIMITS_H
#define TNI_OPS_LIMITS_H

#include "base/limits.h"

/* ---- copy */
enum {
    COPY_PIECE = TNI_LIMIT(512 << 10, 600),  /* bytes that are worth handing to another thread                           */
    COPY_RUN = TNI_LIMIT(256, 48),           /* bytes of a row in a transposed tile, of which up to four are taken together */
    COPY_TILE = TNI_LIMIT(64 << 10, 400),    /* bytes of a transposed tile at most                                       */
    COPY_ROWS = TNI_LIMIT(512, 96),          /* rows of a transposed tile at most                                        */
    COPY_PERIOD = TNI_LIMIT(1024, 24),       /* rows at multiples of it meet in few sets of the first cache              */
    COPY_LEAST = TNI_LIMIT(4, 2),            /* elements, below which a block in registers is mostly empty               */
    COPY_CONVERT = TNI_LIMIT(1024, 21),      /* elements of a tile that is converted through blocks                      */
    COPY_CONVERT_BYTES = COPY_CONVERT * 16,  /*                                                                          */
    COPY_CONVERT_COLUMNS = TNI_LIMIT(32, 3), /* of such a tile where the source prefers rows; and what is a row          */
    COPY_SHORT_ROW = TNI_LIMIT(64, 12),      /* bytes below which a row is not worth a call                              */
    COPY_FEW_ROWS = TNI_LIMIT(16, 3),        /* rows so few that those of a strided tile may be long                     */
    COPY_LONG = TNI_LIMIT(2048, 11),         /* elements of a long row of a strided tile                                 */
    COPY_WIDE = TNI_LIMIT(128, 7),           /* of another                                                               */
    COPY_HIGH = TNI_LIMIT(64, 5),            /* rows of a strided tile                                                   */
    COPY_FILL = TNI_LIMIT(4096, 192),        /* bytes of the block that a fill around the caches repeats                 */
    COPY_SMALL = TNI_LIMIT(4096, 40),        /* bytes of a run that is copied before anything is planned                 */
    COPY_SMALL_FILL = TNI_LIMIT(4096, 24)    /* bytes that are filled without the engine                                 */
};

_Static_assert(COPY_RUN % 16 == 0 && COPY_FILL % 64 == 0, "whole elements, and whole lines");
_Static_assert(COPY_TILE / 2 >= 4 * COPY_RUN && COPY_ROWS >= 2 * COPY_RUN, "half a tile has room for its longest row");
_Static_assert(COPY_CONVERT >= COPY_CONVERT_COLUMNS && COPY_CONVERT >= 2, "a converted tile has a row, half of it an element");

/* ---- segments */
enum {
    SEGMENT_COLUMNS = TNI_LIMIT(64, 3),  /* columns that are reduced side by side                                         */
    SEGMENT_PIECE = TNI_LIMIT(32768, 11) /* elements for which another thread is asked                                    */
};

/* ---- create */
enum {
    CREATE_SMALL =
        TNI_LIMIT(64 << 10, 40),      /* bytes that are filled here; more are worth the copy engine's threads and stores */
    CREATE_BLOCK = TNI_LIMIT(256, 7), /* elements of a sequence that are computed at a time                              */
    FILL_BLOCK = TNI_LIMIT(4096, 48)  /* bytes that are filled by doubling, and then repeated                            */
};

_Static_assert(FILL_BLOCK % 16 == 0, "whole elements");

/* ---- pointwise */
enum {
    FIND_ZERO_BLOCK = TNI_LIMIT(1 << 18, 7), /* elements between two questions whether to go on */
    POINTWISE_NUMBERS = TNI_LIMIT(256, 5),   /* copies of a number that a loop is given as an array                     */
    POINTWISE_REPEATS = TNI_LIMIT(64, 3),    /* times that a smaller operand is gone through without a plan             */
    EQUAL_BLOCK = TNI_LIMIT(4096, 13)        /* elements that are compared before the answers are looked at             */
};

/* ---- reduce */
enum {
    LOGSUMEXP_RAISE = TNI_LIMIT(16384, 105), /* elements whose largest is found together: in the second cache */
    LOGSUMEXP_BLOCK = TNI_LIMIT(2048, 35),   /* whose terms are formed together: in the first                           */
    LOGSUMEXP_COLUMNS = TNI_LIMIT(128, 5),
    NORM_BLOCK = TNI_LIMIT(256, 7),   /* elements that are raised to a power at a time                              */
    EXTREME_STEP = TNI_LIMIT(2048, 9) /* elements whose largest and then smallest are found                         */
};

_Static_assert(LOGSUMEXP_BLOCK >= LOGSUMEXP_COLUMNS && LOGSUMEXP_RAISE >= LOGSUMEXP_BLOCK, "a block has a row of columns");

/* ---- line */
enum {
    SCAN_CHUNK = TNI_LIMIT(16384, 41),          /* elements of a long line that a thread goes through                      */
    SCAN_WAVE = TNI_LIMIT(128, 3),              /* chunks that are summed, and then gone through while they are cached     */
    SCAN_GRAIN = TNI_LIMIT(4, 2),               /* chunks of a thread's piece                                              */
    DISTANCE_PIECE = TNI_LIMIT(64 << 10, 23),   /* differences that are worth handing to another thread                    */
    COVARIANCE_PIECE = TNI_LIMIT(64 << 10, 23), /* products that are worth handing to another thread                      */
    COVARIANCE_FEW = TNI_LIMIT(8, 2)            /* rows that are too few for a matrix product                             */
};

/* ---- index */
enum {
    INDEX_FEW = TNI_LIMIT(16, 2),               /* elements to one that is added to, from which a copy of all is expensive */
    SELECT_BRIEF = TNI_LIMIT(1024, 9),          /* elements that are selected without the engine                      */
    PICK_SHARES = TNI_LIMIT(4, 3),              /* pieces that go through all rows and take those that are theirs     */
    PICK_BLOCK = TNI_LIMIT(256, 7),             /* positions turned into offsets at a time                            */
    PICK_PIECE = TNI_LIMIT(1 << 15, 33),        /* elements that are worth a thread                                   */
    PICK_LEAST = TNI_LIMIT(256, 3),             /* elements of a row that are worth a piece                           */
    PICK_ROW_BYTES = TNI_LIMIT(4096, 24),       /* of a row that is prefetched                                        */
    PICK_LINE_BYTES = TNI_LIMIT(64 << 10, 201), /* of a line that is, one ahead                                       */
    MASK_CHUNK = TNI_LIMIT(1 << 14, 37)         /* elements of a mask that are counted together                       */
};

/* ---- join */
enum {
    TNI_INTERLEAVED = TNI_LIMIT(64, 5),           /* runs that are interleaved at once                                   */
    INTERLEAVE_CHUNK = TNI_LIMIT(8 << 10, 640),   /* bytes of the result that are made at a time                         */
    INTERLEAVE_PIECE = TNI_LIMIT(256 << 10, 500), /* bytes that are worth handing to another thread                      */
    JOIN_RUNS = TNI_LIMIT(8, 3),                  /* runs of a small result that are copied one by one                */
    MOVE_NARROW = TNI_LIMIT(256, 24),             /* bytes of a range that is no more than a few lines of memory         */
    MOVE_CHUNK = TNI_LIMIT(256 << 10, 300),       /* bytes of the result that stay in a cache                            */
    MOVE_ROW = TNI_LIMIT(16, 3),                  /* elements of a row that is worth a few calls                         */
    REPEAT_PIECE = TNI_LIMIT(256 << 10, 100),     /* bytes of the result that are worth handing to another thread        */
    TRIANGLE_PIECE = TNI_LIMIT(256 << 10, 200),   /* the same                                                            */
    TRIANGLE_ZEROS = TNI_LIMIT(512, 64)           /* bytes of a block that others are cleared from                       */
};

_Static_assert(INTERLEAVE_CHUNK >= 8 * TNI_INTERLEAVED * 16, "a chunk has eight elements of every run: whole lines");
_Static_assert(TRIANGLE_ZEROS % 64 == 0, "whole lines");

/* ---- sort */
enum {
    ORDER_DIGIT = TNI_LIMIT(11, 5), /* bits of a pass, at most: the places of 2048 buckets fit into the first-level cache */
    ORDER_DIGIT_SMALL = TNI_LIMIT(8, 3),    /* of a pass over lines shorter than                                             */
    ORDER_SMALL = TNI_LIMIT(512, 31),       /* this: buckets cost more than passes                                           */
    ORDER_CHUNKS = TNI_LIMIT(8, 3),         /* of a line that several threads sort                                           */
    ORDER_BLOCK = TNI_LIMIT(1024, 7),       /* keys that are made at once                                                    */
    ORDER_RADIX = TNI_LIMIT(256, 17),       /* lines from this length on are sorted by radix, others by merging runs         */
    ORDER_RUN = TNI_LIMIT(8, 3),            /* elements of a first run                                                       */
    TNI_ORDER_LONG = TNI_LIMIT(65536, 101), /* from how many elements on a line alone is worth several threads            */
    TNI_TIE_BLOCK = TNI_LIMIT(256, 5),      /* keys that are made at once where ties are looked at                        */
    QUANTILE_FEW = TNI_LIMIT(4, 1),         /* quantiles that are selected; for more the line is sorted                   */
    SEARCH_GRAIN = TNI_LIMIT(2048, 11),     /* lookups that are worth a thread                                            */
    SEARCH_LANES = TNI_LIMIT(8, 3),         /* side by side                                                               */
    ISIN_GRAIN = TNI_LIMIT(16384, 13),      /* elements that are worth a thread                                           */
    ISIN_BLOCK = TNI_LIMIT(512, 5),         /* whose keys are made at once                                                */
    ISIN_FEW = TNI_LIMIT(8, 1),             /* elements of a set that is gone through                                     */
    NONZERO_CHUNK = TNI_LIMIT(65536, 29),   /* elements that are counted together                                         */
    NONZERO_BLOCK = TNI_LIMIT(1024, 5),     /* positions that are made at a time                                          */
    HISTOGRAM_PARTS = TNI_LIMIT(16, 3),     /* histograms of parts at most                                                */
    HISTOGRAM_PART = TNI_LIMIT(32768, 19)   /* elements of a part at least                                                */
};

_Static_assert(ORDER_DIGIT_SMALL <= ORDER_DIGIT, "there are buckets for every digit");

/* ---- product */
enum {
    EINSUM_COPY_COST = TNI_LIMIT(4, 2), /* elements read again and again that are worth one that is copied              */
    EINSUM_BEST = TNI_LIMIT(8, 3),      /* operands whose best order is looked for among all                            */
    EINSUM_NEAR = TNI_LIMIT(64, 5)      /* operands whose pairs are compared where there are more                       */
};

_Static_assert(EINSUM_BEST >= 2 && EINSUM_NEAR >= 2, "there is a pair");

/* ---- nn */
enum {
    NORM_BACK_PIECE = TNI_LIMIT(16384, 30), /* elements of a gradient of a norm that are worth a thread                  */
    NORM_BACK_CHUNK = TNI_LIMIT(2048, 7),   /* elements of lines that are in the cache by the dozen, at most                */
    NORM_BACK_CHUNKS = TNI_LIMIT(8, 2),     /* chunks of such lines that are worth sums of their own                         */
    NORM_BACK_LEAST = TNI_LIMIT(8, 2),      /* elements of a plane from which on its gradient is worth loops of its own       */
    GATES_PIECE = TNI_LIMIT(8192, 40),      /* numbers of gates that are worth a thread                                       */
    RECURRENT_SHARE = TNI_LIMIT(4, 3),      /* sequences of a batch that are worth one                                        */
    RESAMPLE_IMAGES = TNI_LIMIT(4, 2),      /* whose channels are next to each other from which on each is one task           */
    GRID_CHANNELS = TNI_LIMIT(6, 3) /* of an image from which on they are moved next to each other before it is sampled */
};

/* ---- random */
enum {
    TNI_RANDOM_PIECE = TNI_LIMIT(16384, 576), /* elements that one thread draws                                           */
    TNI_RANDOM_BLOCK = TNI_LIMIT(512, 192),   /* that are computed at a time                                              */
    RANDOM_PROBES = TNI_LIMIT(32, 3)          /* for each sample, about: fewer divisions than weights are made on the way */
};

_Static_assert(TNI_RANDOM_PIECE % TNI_RANDOM_BLOCK == 0 && TNI_RANDOM_BLOCK % 64 == 0, "whole groups of Philox's blocks");

#endif

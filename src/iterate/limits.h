/* limits.h - the limits of this layer; see base/limits.h. */
#ifndef TNI_ITERATE_LIMITS_H
#define TNI_ITERATE_LIMITS_H

#include "base/limits.h"
#include "kernels/limits.h"

/* elements.c */
enum {
    POINTWISE_BLOCK_BYTES = TNI_LIMIT(4096, 80), /* of a block that an operand is packed into */
    POINTWISE_STREAM_BYTES = 1024,               /* of a block that is streamed: lines of the smallest elements */
    POINTWISE_BUFFER_BYTES = POINTWISE_BLOCK_BYTES > POINTWISE_STREAM_BYTES ? POINTWISE_BLOCK_BYTES : POINTWISE_STREAM_BYTES,
    POINTWISE_NARROW_BYTES = TNI_LIMIT(256, 48),     /* that are converted in two steps at a time                        */
    POINTWISE_ROW = TNI_LIMIT(256, 7),               /* elements of a row that is worth ending a block with              */
    TNI_POINTWISE_GRAIN = TNI_LIMIT(32768, 97),      /* elements below which one thread does all the work                */
    POINTWISE_STREAM_GRAIN = 4 * TNI_POINTWISE_GRAIN /* where a result is streamed: waiting for the stores should not matter */
};

_Static_assert(POINTWISE_BLOCK_BYTES % 16 == 0 && POINTWISE_NARROW_BYTES % 16 == 0, "whole elements of every dtype");
_Static_assert(POINTWISE_STREAM_BYTES % (16 * 64) == 0 && POINTWISE_BUFFER_BYTES % (16 * 64) == 0,
               "streamed results are whole lines, whatever the widest operand");

/* lines.c */
enum {
    LINES_BATCH = TNI_LIMIT(64, 5),      /* lines that are packed together: four lines of the cache of every row of float32 */
    LINES_BATCH_FEW = TNI_LIMIT(16, 3),  /* where there are not many batches of them                                        */
    LINES_BATCH_LEAST = TNI_LIMIT(4, 2), /* where they are long                                                             */
    LINES_BATCH_BYTES = TNI_LIMIT(1 << 20, 701), /* what is long                                                            */
    LINES_GRAIN = TNI_LIMIT(32768, 51),          /* elements' worth of work for which another thread is asked               */
    LINES_SLOTS = TNI_LIMIT(256, 3),             /* sets of buffers at most                                                 */
    LINES_HEAP_BYTES = TNI_LIMIT(64 << 10, 900)  /* of buffers that malloc is asked for, and not the allocator              */
};

_Static_assert(LINES_BATCH_LEAST > 0 && LINES_SLOTS > 0, "a thread can always work on something");

/* runs.c */
enum {
    REDUCE_PACK_BYTES = TNI_LIMIT(8192, 384), /* of a packed block                                                          */
    REDUCE_BATCH = TNI_LIMIT(256, 7),         /* results that one task of mode run finishes together                        */
    REDUCE_CHUNK = TNI_LIMIT(131072, 331),    /* elements that one task reduces where few results are made of very many     */
    REDUCE_ROWS = TNI_LIMIT(524288, 97),      /* the same of mode columns, whose tasks have many results                    */
    REDUCE_ROWS_STEP = TNI_LIMIT(512, 3),     /* which are whole numbers of so many rows                                    */
    REDUCE_STATES = TNI_LIMIT(1 << 26, 4096), /* bytes of states that tasks leave behind: with more, chunks are longer      */
    REDUCE_MANY = TNI_LIMIT(32, 3),           /* results (or tiles) that are enough to keep all threads busy without chunks */
    REDUCE_PIECE = TNI_LIMIT(65536, 61),      /* elements' worth of work for which another thread is asked                  */
    REDUCE_LONG = TNI_LIMIT(1 << 21, 1501),   /* elements after which a task asks whether to go on                          */
    REDUCE_ASK = TNI_LIMIT(1 << 17, 401),     /* the same where they are packed, which may mean computed                    */
    REDUCE_SHORT = TNI_LIMIT(16, 3),          /* columns that are too few for a loop                                        */
    REDUCE_BRIEF = TNI_LIMIT(64, 5),          /* a run that is too short for one                                            */
    REDUCE_QUICK = TNI_LIMIT(64, 4),          /* results that are made without a plan                                       */
    REDUCE_PARTS = 16                         /* neighbouring results that one run may have the elements of                 */
};

_Static_assert(REDUCE_PACK_BYTES % 16 == 0 && REDUCE_PACK_BYTES / 16 >= REDUCE_PARTS && REDUCE_PACK_BYTES / 16 >= 8,
               "a packed block has elements for all parts, and for a row of columns");
_Static_assert(REDUCE_CHUNK >= REDUCE_PARTS, "a chunk has elements for all parts");
_Static_assert((int)TNI_REDUCE_COLUMNS >= REDUCE_PARTS && (int)TNI_REDUCE_COLUMNS >= REDUCE_PACK_BYTES / 8,
               "a task has states for all parts of a run, and for all columns of a packed block");

/* product.c and its neighbours */
enum {
    TNI_FINISH_BLOCK = TNI_LIMIT(256, 5),  /* sums that are finished at a time                                       */
    PRODUCT_DEPTH = TNI_LIMIT(256, 7),     /* of k that panels are packed for: sums are cut here, so it decides bits */
    PRODUCT_TASK_ROWS = TNI_LIMIT(512, 9), /* of C that one task makes at most                                       */
    PRODUCT_TASK_COLUMNS = TNI_LIMIT(2048, 40),
    PRODUCT_TASK = TNI_LIMIT(1 << 20, 2000),      /* multiplications that are worth a task                                */
    PRODUCT_TASKS = TNI_LIMIT(16, 3),             /* that are enough for all threads                                      */
    PRODUCT_ROWS = TNI_LIMIT(2048, 19),           /* of A that are packed at a time, at most                              */
    PRODUCT_COLUMNS = TNI_LIMIT(2048, 70),        /* of B                                                                 */
    PRODUCT_PACK = TNI_LIMIT(32768, 100),         /* numbers whose packing is worth a task                                */
    PRODUCT_CROWDED = TNI_LIMIT(4096, 16),        /* bytes between rows that have one place in the first-level cache      */
    PRODUCT_SMALL = TNI_LIMIT(64, 12),            /* rows, columns and k of a small product, at most                      */
    PRODUCT_SMALL_BYTES = TNI_LIMIT(16384, 6144), /* of its packed A, and of B                                            */
    THREAD_SETS = TNI_LIMIT(64, 3),               /* batches that are computed at once, each with memory of its own         */
    PRODUCT_SKINNY = 8,                           /* rows of a product with few, at most */
    SKINNY_SUMS_BYTES = TNI_LIMIT(16384, 8192),   /* of the sums of a chunk of columns, on the stack */
    SKINNY_WIDTH = TNI_LIMIT(256, 32),            /* columns that tiles go over at a time, whole tiles */
    SKINNY_ROWS = TNI_LIMIT(16, 3),               /* rows of B that are added up at a time */
    SKINNY_STEP = TNI_LIMIT(256, 5),              /* of k that are converted at a time */
    SKINNY_PIECE = TNI_LIMIT(65536, 50),          /* of k that are a task's where there is one chunk */
    SKINNY_TASK = TNI_LIMIT(65536, 90),           /* numbers of B that are worth a task */
    PANEL_STEP = TNI_LIMIT(64, 4),                /* of k that are converted at a time                                    */
    PANEL_WIDTH = 64,                             /* numbers across a panel at most                                       */
    PANEL_LINES_BYTES = TNI_LIMIT(8192, 256)      /* of lines that are converted before they are transposed               */
};

/* fourier.c and its neighbours */
enum {
    FOURIER_GENERAL = TNI_LIMIT(29, 7),     /* prime factors up to it are radices, at r steps a number; others go by chirps */
    FOURIER_LARGE = TNI_LIMIT(1 << 15, 24), /* lengths from here on are cut in two, to be done by parts that fit the caches */
    FOURIER_COLUMNS = TNI_LIMIT(16, 3),     /* transforms that such a part does side by side                                */
    FOURIER_PLANS = TNI_LIMIT(64, 3),       /* that are kept                                                                */
    FOURIER_TURNS = TNI_LIMIT(1 << 10, 5),  /* entries of a table of fine turns                                             */
    FOURIER_KEPT_BYTES =
        TNI_LIMIT(32 << 20, 4000) /* of kept plans together                                                     */
};

/* eigen.c and its neighbours */
enum {
    JACOBI_SIDE = TNI_LIMIT(16, 5),       /* columns of matrices that are done side by side                               */
    JACOBI_ROWS = TNI_LIMIT(64, 11),      /* rows of those                                                                */
    JACOBI_ALONE = TNI_LIMIT(6, 3),       /* columns up to which that is done for a single one too                        */
    JACOBI_TOGETHER = TNI_LIMIT(4, 3),    /* matrices that are worth it                                                   */
    EIGEN_TASK = TNI_LIMIT(1 << 19, 900), /* multiplications that are worth a task                                        */
    REFLECT_TOGETHER = TNI_LIMIT(24, 2),  /* reflections that are put off, to be done as one product                      */
    REFLECT_SMALL = TNI_LIMIT(48, 6),     /* rows and columns below which one is not worth its setting up                 */
    SWEEPS_TOGETHER = TNI_LIMIT(48, 2)    /* sweeps of rotations that are put off                                         */
};

/* windows.c and its neighbours */
enum {
    WINDOWS_DEPTH = TNI_LIMIT(256, 7), /* of k that panels are packed for: decides bits                         */
    WINDOWS_STRIP_BYTES =
        TNI_LIMIT(32768, 2 * 128 * 7),              /* of panels of windows that a task packs for itself, on the stack       */
    WINDOWS_LINES_BYTES = TNI_LIMIT(1 << 20, 3000), /* of panels of the other operand, which all tasks share                 */
    WINDOWS_SUMS_BYTES = TNI_LIMIT(1 << 20, 2000),  /* of sums that wait beside a result of another dtype                    */
    WINDOWS_TASK = TNI_LIMIT(1 << 19, 500),         /* multiplications that are worth a task                                 */
    WINDOWS_TASKS = TNI_LIMIT(4, 3),                /* for each thread that are enough                                       */
    WINDOWS_PACK = TNI_LIMIT(16384, 100)            /* numbers whose packing is worth a task                                 */
};

/* windows_planes.c */
enum {
    PLANES_BYTES = TNI_LIMIT(24576, 1600),      /* of an image and of sums that a task has in the first-level cache */
    PLANES_MOST_BYTES = TNI_LIMIT(98304, 6400), /* of them where there are many channels: in the second-level cache */
    PLANES_ROWS = TNI_LIMIT(8, 2),              /* of a result that a task makes then, at most                      */
    PLANES_WEIGHTS = TNI_LIMIT(1 << 20, 20000), /* bytes of weights, at most                                        */
    PLANES_TAPS = TNI_LIMIT(256, 20),           /* of a channel, at most */
    PLANES_PHASES = TNI_LIMIT(8, 3),            /* steps of windows, at most                                        */
    PLANES_COLUMNS = TNI_LIMIT(1024, 11),       /* of a row that are made at a time                                 */
    PLANES_RAW = TNI_LIMIT(256, 5),             /* numbers that are converted or finished at a time                 */
    PLANES_TASK = TNI_LIMIT(1 << 17, 50)        /* multiplications that are worth a task                            */
};

/* windows_last.c */
enum {
    LAST_WEIGHTS =
        TNI_LIMIT(160 << 10, 3000), /* bytes of weights that are packed at a time, if that is a piece of channels or more */
    LAST_BYTES =
        TNI_LIMIT(96 << 10, 2000), /* of an image and of sums that a task has                                           */
    LAST_TAPS = TNI_LIMIT(9, 3)    /* of a channel that are worth to turn an image or a result                          */
};

_Static_assert(WINDOWS_STRIP_BYTES >= WINDOWS_DEPTH * 128, "a panel of the widest tile");

_Static_assert(SKINNY_WIDTH % 32 == 0 && SKINNY_SUMS_BYTES / (8 * PRODUCT_SKINNY) >= SKINNY_WIDTH,
               "whole tiles of every level");
_Static_assert(PANEL_LINES_BYTES >= PANEL_STEP * 16 && PANEL_LINES_BYTES >= 2 * 2 * PANEL_WIDTH && PANEL_STEP % 2 == 0,
               "a line of the largest elements, and two rows of 16 bits");

/* attention.c and its neighbours */
enum {
    ATTENTION_KEYS = TNI_LIMIT(512, 9),       /* of a block: sums are cut here, so it decides bits              */
    ATTENTION_PART_ROWS = TNI_LIMIT(48, 5),   /* whose scores are in the cache together                         */
    ATTENTION_TASK_ROWS = TNI_LIMIT(192, 15), /* of a task at most                                              */
    ATTENTION_TASKS = TNI_LIMIT(4, 2),        /* for each thread that are enough                                */
    ATTENTION_RAW = TNI_LIMIT(256, 6)         /* elements that are converted at a time                          */
};

_Static_assert(ATTENTION_TASK_ROWS % ATTENTION_PART_ROWS == 0, "parts begin at the same rows whatever a task has");

/* factor_reflect.c */
enum {
    FACTOR_PANEL = TNI_LIMIT(32, 5), /* reflections that are applied as one          */
    FACTOR_LEAF = TNI_LIMIT(8, 2)    /* columns of a panel that a loop does directly */
};

/* factor_lanes.c */
enum {
    TNI_LANES_SIDE = TNI_LIMIT(16, 5),   /* rows and columns of matrices that are factored side by side */
    TNI_LANES_COLUMNS = TNI_LIMIT(16, 3) /* of right-hand sides that are packed at a time               */
};

/* factor.c, and ops/linalg/linalg.c */
enum {
    FACTOR_SQUARE = TNI_LIMIT(96, 7),          /* rows of a square that is subtracted whole, though half would do */
    LINALG_LITTLE_BYTES = TNI_LIMIT(8192, 64), /* of work that is on the stack                                    */
    LINALG_TASK = TNI_LIMIT(1 << 17, 50),      /* multiplications that are worth a task                           */
    LINALG_ALONE = TNI_LIMIT(1 << 27, 4000)    /* those of a matrix whose own products are worth all threads      */
};

#endif

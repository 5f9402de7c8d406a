/* limits.h - the limits of this layer; see base/limits.h. */
#ifndef TNI_INTERCHANGE_LIMITS_H
#define TNI_INTERCHANGE_LIMITS_H

#include "base/limits.h"

enum {
    FILE_ARENA_BLOCK = TNI_LIMIT(16384, 320),     /* bytes of a block that names, sizes and values are cut from             */
    FILE_STREAM_STEP = TNI_LIMIT(1 << 20, 37),    /* bytes asked of a stream at once, to begin with                         */
    WRITER_BUFFER = TNI_LIMIT(1 << 16, 61),       /* bytes gathered before they are written                                 */
    WRITER_PIECE = TNI_LIMIT(1 << 20, 48),        /* bytes of elements that are packed or summed up at once; whole elements */
    CSV_PIECE = TNI_LIMIT(1 << 18, 41),           /* bytes of text that a thread reads at once                              */
    FILE_QUANTISED_GRAIN = TNI_LIMIT(1 << 16, 64) /* elements for which another thread is asked                             */
};

/* Numbers that users can see, and that no small file reaches: they are the same in every build. */
enum {
    FILE_DEPTH = 256,                    /* of values inside values                                    */
    FILE_JSON_HEADER = 100 * 1000 * 1000 /* bytes: what the safetensors library accepts as a header    */
};

_Static_assert(WRITER_PIECE % 16 == 0, "whole elements of every dtype");

#endif

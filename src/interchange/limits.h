/* limits.h - the limits of this layer; see base/limits.h. */
#ifndef TNI_INTERCHANGE_LIMITS_H
#define TNI_INTERCHANGE_LIMITS_H

#include "base/limits.h"

enum {
    FILE_ARENA_BLOCK = TNI_LIMIT(16384, 320),  /* bytes of a block that names, sizes and values are cut from             */
    FILE_STREAM_STEP = TNI_LIMIT(1 << 20, 37), /* bytes asked of a stream at once, to begin with                         */
    FILE_HEADER_STEP = TNI_LIMIT(1 << 18, 70), /* bytes of a header of unknown length that are read first                 */
    DEFLATE_TOKENS = TNI_LIMIT(16384, 50),     /* literals and repetitions of a deflated block                            */
    WRITER_RESERVED =
        TNI_LIMIT(1 << 19, 100), /* bytes for which room on the disk is asked for before they are written           */
    WRITER_BUFFER = TNI_LIMIT(1 << 16, 61), /* bytes gathered before they are written                                 */
};

/* Numbers that users can see, and that no small file reaches: they are the same in every build. */
enum {
    FILE_DEPTH = 256,                    /* of values inside values                                    */
    FILE_GRAPH_DEPTH = 16,               /* of graphs inside graphs (ONNX)                             */
    FILE_JSON_HEADER = 100 * 1000 * 1000 /* bytes: what the safetensors library accepts as a header    */
};

#endif

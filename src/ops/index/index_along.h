/* index_along.h - writing by position along one dimension: what scatter_reduce and index_reduce have in common. */
#ifndef TNI_INDEX_ALONG_H
#define TNI_INDEX_ALONG_H

#include "ops/index/index_engine.h"

/* self[index along dim] = other, or combined with it. `source` has the dtype of self; where it is NULL, `element` stands for
 * every element of it. */
typedef struct tni_along {
    tni_pick_mode mode;
    tn_dtype wide; /* the dtype it is formed in; not used by a plain write */
    int64_t dim;
    const tn_tensor *index;
    bool each; /* a position for every element, as in scatter; else one for each row */
    const tn_tensor *source;
    const void *element;
    bool wrap;
    bool mean;  /* the mode is a sum; divided by how many there were */
    bool fresh; /* the old values of written places do not count     */
} tni_along;

/* Whether there is such a sum, product or extreme for the dtype of self, and the dtype it is formed in; raised when not. */
bool tni_along_allows(const tn_tensor *self, tni_pick_mode mode, bool mean, tn_dtype *wide);

/* Everything but the positions has been checked, self may be written. The positions are, before the first write. Operands that
 * share memory with self are copied first. The write is counted. */
tn_error tni_along_write(tn_tensor *self, const tni_along *along);

/* A mode of scatter_reduce and index_reduce by its name. False, raised, when there is no such mode. */
bool tni_along_reduce(const char *reduce, bool sum, bool include_self, tni_along *along);

#endif

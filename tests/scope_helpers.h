/* scope_helpers.h - tensors whose destruction is counted: for tests of ownership. */
#ifndef TENON_SCOPE_HELPERS_H
#define TENON_SCOPE_HELPERS_H

#include "test.h"

static int deletions;
static char borrowed[64];

static void count_ctx(void *ctx) {
    (void)ctx;
    deletions++;
}

/* A tensor whose destruction is counted. */
static tn_tensor *mortal(void) { return tn_from_memory(borrowed, TN_DIMS(4), TN_UINT8, TN_FREE_WITH(count_ctx, borrowed)); }

#endif

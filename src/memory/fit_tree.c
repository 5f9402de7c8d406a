/* fit_tree.c - the free large blocks in order of (bytes, address): a treap, whose shape is that of a random search tree.
 *
 * Invariant: in order along smaller/larger, and a block's rank is at least that of the blocks below it. The rank is a hash
 * of the block's address, so nothing else need be stored. Everything is a loop: no recursion, whatever the shape. (Seidel and
 * Aragon, Randomized Search Trees, 1996.)
 */
#include "memory/caching.h"

static uint64_t fit_rank(const tni_block *block) {
    uint64_t rank = (uint64_t)(uintptr_t)block->data * UINT64_C(0x9e3779b97f4a7c15);
    return rank ^ (rank >> 32);
}

static bool fit_before(const tni_block *a, const tni_block *b) {
    return a->bytes != b->bytes ? a->bytes < b->bytes : (uintptr_t)a->data < (uintptr_t)b->data;
}

void tni_fit_insert(tni_block **root, tni_block *block) {
    uint64_t rank = fit_rank(block);
    tni_block **at = root;
    while (*at && fit_rank(*at) >= rank)
        at = fit_before(block, *at) ? &(*at)->smaller : &(*at)->larger;
    tni_block *rest = *at, **smaller = &block->smaller, **larger = &block->larger;
    *at = block;
    while (rest) /* what was here is split in two, below the new block */
        if (fit_before(block, rest)) {
            *larger = rest;
            larger = &rest->smaller;
            rest = rest->smaller;
        } else {
            *smaller = rest;
            smaller = &rest->larger;
            rest = rest->larger;
        }
    *smaller = *larger = NULL;
}

void tni_fit_remove(tni_block **root, tni_block *block) {
    tni_block **at = root;
    while (*at != block)
        at = fit_before(block, *at) ? &(*at)->smaller : &(*at)->larger;
    tni_block *smaller = block->smaller, *larger = block->larger;
    while (smaller && larger) /* its two sides are merged in its place, higher rank first */
        if (fit_rank(smaller) >= fit_rank(larger)) {
            *at = smaller;
            at = &smaller->larger;
            smaller = smaller->larger;
        } else {
            *at = larger;
            at = &larger->smaller;
            larger = larger->smaller;
        }
    *at = smaller ? smaller : larger;
    block->smaller = block->larger = NULL;
}

tni_block *tni_fit_least(tni_block *root, size_t bytes) {
    tni_block *best = NULL;
    for (tni_block *at = root; at;)
        if (at->bytes >= bytes) {
            best = at;
            at = at->smaller;
        } else {
            at = at->larger;
        }
    return best;
}

/* caching_large.c - blocks above the small limit: best fit, split, merged with their neighbours when they come back.
 *
 * Invariant: the blocks of a segment, in order of address, cover it without gaps, and no two neighbours are both free. A
 * free block is in the tree, one in use is in the table. A segment whose only block is free is idle.
 *
 * Best fit alone would cut a 40 MB block that waits for the next 40 MB result into a 100 KB one; so a request first looks
 * only at blocks up to four times its size (or one segment), and takes a larger one only when the raw allocator refuses.
 */
#include "memory/caching.h"
#include "memory/metadata.h"

#define LARGE_HUGE_PAGE ((size_t)2 << 20)

size_t tni_large_round(size_t bytes) { return (bytes + TNI_LARGE_STEP - 1) & ~((size_t)TNI_LARGE_STEP - 1); }

/* A remainder that is too small for a large block would be useless: it stays with its block. */
static size_t least_remainder(const tni_caching *caching) {
    size_t limit = caching->owner->small_limit;
    return limit < TNI_LARGE_STEP ? TNI_LARGE_STEP : limit + 1;
}

static void split_block(tni_caching *caching, tni_block *block, size_t size) {
    if (block->bytes - size < least_remainder(caching))
        return;
    tni_block *rest = tni_metadata_take(sizeof *rest);
    if (!rest)
        return; /* the whole block is used */
    *rest = (tni_block){
        .data = block->data + size,
        .bytes = block->bytes - size,
        .segment = block->segment,
        .next = block->next,
        .previous = block,
    };
    if (rest->next)
        rest->next->previous = rest;
    block->next = rest;
    block->bytes = size;
    tni_fit_insert(&caching->free_blocks, rest);
}

/* `block` is free and large enough, and the table has room. */
static void *use_block(tni_caching *caching, tni_block *block, size_t bytes) {
    tni_fit_remove(&caching->free_blocks, block);
    split_block(caching, block, tni_large_round(bytes));
    block->requested = bytes;
    tni_table_insert(&caching->used_blocks, block);
    tni_segment_set_idle(caching, &block->segment->segment, false);
    caching->lent += block->bytes;
    return block->data;
}

void *tni_large_take(tni_caching *caching, size_t bytes, bool any) {
    size_t size = tni_large_round(bytes);
    tni_block *block = tni_fit_least(caching->free_blocks, size);
    if (!block || (!any && block->bytes > caching->segment_size && block->bytes / 4 > size))
        return NULL;
    return tni_table_reserve(&caching->used_blocks) ? use_block(caching, block, bytes) : NULL;
}

static void absorb_next(tni_block *block) {
    tni_block *next = block->next;
    block->bytes += next->bytes;
    block->next = next->next;
    if (block->next)
        block->next->previous = block;
    tni_metadata_give(next);
}

void tni_large_give(tni_caching *caching, void *data) {
    tni_block *block = tni_table_remove(&caching->used_blocks, data);
    if (!block)
        return; /* not ours, or given back twice: touching nothing does the least harm */
    caching->lent -= block->bytes;
    block->requested = 0;
    if (block->next && block->next->requested == 0) {
        tni_fit_remove(&caching->free_blocks, block->next);
        absorb_next(block);
    }
    if (block->previous && block->previous->requested == 0) {
        block = block->previous;
        tni_fit_remove(&caching->free_blocks, block);
        absorb_next(block);
    }
    tni_fit_insert(&caching->free_blocks, block);
    if (!block->next && !block->previous)
        tni_segment_set_idle(caching, &block->segment->segment, true);
}

void tni_large_forget(tni_caching *caching, tni_large_segment *segment) {
    if (segment->first.requested == 0)
        tni_fit_remove(&caching->free_blocks, &segment->first);
}

static size_t segment_bytes_for(const tni_caching *caching, size_t size) {
    if (size >= LARGE_HUGE_FROM)
        size = (size + LARGE_HUGE_PAGE - 1) & ~(LARGE_HUGE_PAGE - 1);
    return size < caching->segment_size ? caching->segment_size : size;
}

void *tni_large_grow(tni_caching *caching, size_t bytes, bool least) {
    size_t size = tni_large_round(bytes), wanted = segment_bytes_for(caching, size);
    if (least && wanted == size)
        return NULL; /* this much was refused just now */
    if (least)
        wanted = size;
    tni_large_segment *segment = tni_metadata_take(sizeof *segment);
    char *data = segment ? tni_caching_ask_raw(caching, wanted) : NULL;
    if (!data) {
        tni_metadata_give(segment);
        return NULL;
    }
    segment->segment.data = segment->first.data = data;
    segment->segment.bytes = segment->first.bytes = wanted;
    segment->first.segment = segment;
    pthread_mutex_lock(&caching->lock);
    tni_segment_join(caching, &segment->segment);
    tni_fit_insert(&caching->free_blocks, &segment->first);
    void *block = tni_table_reserve(&caching->used_blocks) ? use_block(caching, &segment->first, bytes) : NULL;
    pthread_mutex_unlock(&caching->lock);
    return block;
}

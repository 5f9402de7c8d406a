/* caching.h - the parts of the caching allocator and what they share.
 *
 *     thread's magazine      local.h           a few blocks per size class, no lock
 *     slabs                  caching_small.c   size classes up to small_limit, cut from 64 KiB units of a segment
 *     large blocks           caching_large.c   best fit, split, merge
 *     segments               caching.c         what was asked of the raw allocator, given back when wholly free
 *
 * Invariant: nothing is ever written into the managed memory, because it may be on a device. Everything known about it is in
 * metadata, found by address. Everything here but magazines is under one lock per allocator, which is never held while the raw
 * allocator or a user's function runs.
 */
#ifndef TNI_CACHING_H
#define TNI_CACHING_H

#include <pthread.h>

#include "memory/allocator.h"
#include "memory/local.h"

enum {
    TNI_BLOCK_ALIGNMENT = 64,
    TNI_UNIT_SHIFT = 16,
    TNI_UNIT = 1 << TNI_UNIT_SHIFT, /* slabs are whole units, aligned to one */
    TNI_SEGMENT_UNITS = 32,
    TNI_SLAB_WORDS = TNI_UNIT / TNI_BLOCK_ALIGNMENT / 64,
    TNI_SMALL_LIMIT_MOST = 256 * 1024,
    TNI_LARGE_STEP = 4096
};

/* Size classes: every 64 bytes up to 512, then four to each doubling, so that at most a fifth of a block is wasted. */
static inline uint32_t tni_small_class(size_t bytes) {
    if (TNI_LIKELY(bytes <= 512))
        return (uint32_t)((bytes - 1) >> 6);
    size_t last = bytes - 1;
    uint32_t power = 63u - (uint32_t)__builtin_clzll(last);
    return 4 * power - 32 + (uint32_t)(last >> (power - 2));
}

static inline size_t tni_small_class_bytes(uint32_t class) {
    if (class < 8)
        return ((size_t) class + 1) * 64;
    uint32_t doubling = (class - 8) / 4, step = (class - 8) % 4;
    return ((size_t)512 << doubling) + ((size_t)128 << doubling) * (step + 1);
}

typedef struct tni_segment {
    char *data;
    size_t bytes;
    bool small; /* a tni_small_segment, else a tni_large_segment */
    bool idle;
    struct tni_segment *next, *previous;           /* all of them */
    struct tni_segment *idle_next, *idle_previous; /* those with nothing in use, longest idle first */
} tni_segment;

/* Units given to one size class, as blocks: a set bit is a free block. */
typedef struct tni_slab {
    struct tni_small_segment *segment;
    struct tni_slab *next, *previous; /* the slabs of this class that have a free block */
    uint16_t capacity, free;
    uint16_t parked; /* scratch of the survey: blocks that wait in magazines */
    uint8_t class, first_unit, units;
    uint64_t bits[TNI_SLAB_WORDS];
} tni_slab;

typedef struct tni_small_segment {
    tni_segment segment;
    char *units; /* the first aligned unit */
    uint32_t unit_count;
    uint32_t free_units;               /* a set bit is a free unit */
    uint8_t owner[TNI_SEGMENT_UNITS];  /* the first unit of the slab that a unit belongs to */
    tni_slab slabs[TNI_SEGMENT_UNITS]; /* at the slab's first unit */
} tni_small_segment;

typedef struct tni_block {
    char *data;
    size_t bytes, requested; /* requested: 0 when free */
    struct tni_large_segment *segment;
    struct tni_block *next, *previous;  /* neighbours in the segment */
    struct tni_block *smaller, *larger; /* in the tree of free blocks */
} tni_block;

typedef struct tni_large_segment {
    tni_segment segment;
    tni_block first; /* the leftmost block: merging keeps the left one, so it lasts as long as the segment */
} tni_large_segment;

/* The blocks in use, by address: open addressing, at most half full. */
typedef struct tni_block_table {
    tni_block **slots;
    size_t capacity, count;
} tni_block_table;

struct tni_caching {
    tn_allocator *owner, *raw;
    size_t segment_size, retain_limit;
    uint32_t classes;

    pthread_mutex_t lock;
    tni_local *locals;
    tni_segment *segments, *idle_first, *idle_last;
    size_t lent; /* bytes of blocks that are out: in use, or in a magazine */

    tni_slab *partial[TNI_SMALL_CLASSES];
    tni_small_segment **small; /* by address */
    size_t small_count, small_capacity;

    tni_block *free_blocks; /* the tree, by size and address */
    tni_block_table used_blocks;
};

/* ---- caching.c ---- */

/* Set up the state of `owner`; options were checked. */
void tni_caching_prepare(tni_caching *caching, tn_allocator *owner, tn_allocator *raw, const tn_caching_options *options);
void tni_caching_destroy(tni_caching *caching);

/* From the caches or from the raw allocator, uncounted; `local` may be NULL. NULL when there is none. */
void *tni_caching_take(tni_caching *caching, tni_local *local, size_t bytes);
void tni_caching_give(tni_caching *caching, tni_local *local, void *data, size_t bytes);

/* Give back idle segments while more is unused than may be retained. */
void tni_caching_settle(tni_caching *caching);
size_t tni_caching_trim(tni_caching *caching);

/* Under the lock: bytes not in use, and how many of them a trim could not give back. */
void tni_caching_survey(tni_caching *caching, int64_t *cached, int64_t *fragmented);

/* Without the lock: ask the raw allocator. NULL when it refuses. */
void *tni_caching_ask_raw(tni_caching *caching, size_t bytes);
void tni_caching_return_raw(tni_caching *caching, void *data, size_t bytes);

/* Under the lock: a segment joins, and becomes idle or busy. */
void tni_segment_join(tni_caching *caching, tni_segment *segment);
void tni_segment_set_idle(tni_caching *caching, tni_segment *segment, bool idle);

/* ---- caching_small.c ---- */

/* Under the lock: the number of blocks of the class put into `out`, up to `wanted`, from the slabs there are and from free
 * units. */
uint32_t tni_small_take(tni_caching *caching, uint32_t class, void **out, uint32_t wanted);
void tni_small_give(tni_caching *caching, uint32_t class, void *data);
void tni_small_drain(tni_caching *caching, tni_local *local);
tni_slab *tni_small_find(tni_caching *caching, const void *data);
void tni_small_forget(tni_caching *caching, tni_small_segment *segment);

/* Without the lock: a new segment for slabs; `least`: no more than one slab of the class needs. */
bool tni_small_grow(tni_caching *caching, uint32_t class, bool least);

/* ---- caching_large.c ---- */

/* SIZE_MAX when it does not fit a size_t. */
size_t tni_large_round(size_t bytes);

/* Under the lock. `any`: also blocks far larger than wanted, which the first search leaves for large requests. */
void *tni_large_take(tni_caching *caching, size_t bytes, bool any);
void tni_large_give(tni_caching *caching, void *data);
void tni_large_forget(tni_caching *caching, tni_large_segment *segment);

/* Without the lock: a block from a new segment; `least`: no larger than needed. */
void *tni_large_grow(tni_caching *caching, size_t bytes, bool least);

/* ---- fit_tree.c: free blocks by (bytes, data) ---- */

void tni_fit_insert(tni_block **root, tni_block *block);
void tni_fit_remove(tni_block **root, tni_block *block);
tni_block *tni_fit_least(tni_block *root, size_t bytes); /* the smallest of at least `bytes`, lowest address first */

/* ---- block_table.c ---- */

bool tni_table_reserve(tni_block_table *table); /* room for one more; false when there is no memory */
void tni_table_insert(tni_block_table *table, tni_block *block);
tni_block *tni_table_remove(tni_block_table *table, const void *data); /* NULL when it is not there */
void tni_table_destroy(tni_block_table *table);

#endif

/* caching.c - what holds the caching allocator together: its segments, its lock, and the way through its parts.
 *
 * Invariant: reserved bytes = the sum over segments; lent <= reserved; the difference is what is retained, and as long as
 * it is above retain_limit no segment is idle. What waits in magazines counts as lent: it is bounded by their capacity.
 */
#include "memory/caching.h"

#include "base/heap.h"
#include "base/quota.h"
#include "memory/metadata.h"
#include "memory/shield.h"
#include "memory/trace.h"

void tni_caching_prepare(tni_caching *caching, tn_allocator *owner, tn_allocator *raw, const tn_caching_options *options) {
    memset(caching, 0, sizeof *caching);
    pthread_mutex_init(&caching->lock, NULL);
    caching->owner = owner;
    caching->raw = raw;
    caching->classes = tni_small_class(options->small_limit ? options->small_limit : 32 * 1024) + 1;
    caching->segment_size = tni_large_round(options->segment_size ? options->segment_size : (size_t)2 << 20);
    caching->retain_limit = options->retain_limit;
    owner->caching = caching;
    owner->small_limit = tni_small_class_bytes(caching->classes - 1);
}

/* ---- segments ---- */

void *tni_caching_ask_raw(tni_caching *caching, size_t bytes) {
    void *data = tni_allocator_ask(caching->owner, &caching->raw->functions, bytes);
    if (data) {
        tni_trace_add(caching->owner, TNI_TRACE_SEGMENT_ALLOC, data, bytes);
        tni_shield_close(caching->owner, data, bytes);
    }
    return data;
}

void tni_caching_return_raw(tni_caching *caching, void *data, size_t bytes) {
    const tn_allocator_functions *functions = &caching->raw->functions;
    tni_trace_add(caching->owner, TNI_TRACE_SEGMENT_FREE, data, bytes);
    tni_shield_open(caching->owner, data, bytes);
    functions->free(functions->ctx, data, bytes);
}

void tni_segment_set_idle(tni_caching *caching, tni_segment *segment, bool idle) {
    if (segment->idle == idle)
        return;
    segment->idle = idle;
    if (idle) {
        segment->idle_next = NULL;
        segment->idle_previous = caching->idle_last;
        *(caching->idle_last ? &caching->idle_last->idle_next : &caching->idle_first) = segment;
        caching->idle_last = segment;
    } else {
        *(segment->idle_previous ? &segment->idle_previous->idle_next : &caching->idle_first) = segment->idle_next;
        *(segment->idle_next ? &segment->idle_next->idle_previous : &caching->idle_last) = segment->idle_previous;
    }
}

void tni_segment_join(tni_caching *caching, tni_segment *segment) {
    segment->previous = NULL;
    segment->next = caching->segments;
    if (segment->next)
        segment->next->previous = segment;
    caching->segments = segment;
    tni_segment_set_idle(caching, segment, true);
    tni_tally_take(&caching->owner->statistics.reserved, (int64_t)segment->bytes);
    tni_tally_take(&caching->owner->statistics.segments, 1);
}

static void leave_segment(tni_caching *caching, tni_segment *segment) {
    tni_segment_set_idle(caching, segment, false);
    *(segment->previous ? &segment->previous->next : &caching->segments) = segment->next;
    if (segment->next)
        segment->next->previous = segment->previous;
    if (segment->small)
        tni_small_forget(caching, (tni_small_segment *)segment);
    else
        tni_large_forget(caching, (tni_large_segment *)segment);
    tni_tally_give(&caching->owner->statistics.reserved, (int64_t)segment->bytes);
    tni_tally_give(&caching->owner->statistics.segments, 1);
}

/* Under the lock: idle segments leave, longest idle first, until no more than `limit` bytes are unused. They are linked by
 * `next`, to be returned once the lock is released. */
static tni_segment *collect_idle(tni_caching *caching, size_t limit) {
    tni_segment *doomed = NULL;
    while (caching->idle_first) {
        size_t reserved = (size_t)tni_tally_read(&caching->owner->statistics.reserved.current);
        if (limit > 0 && reserved - caching->lent <= limit)
            break;
        tni_segment *segment = caching->idle_first;
        leave_segment(caching, segment);
        segment->next = doomed;
        doomed = segment;
    }
    return doomed;
}

/* Under the lock: idle segments beyond the limit. The usual limit is determined when something is idle for the first time: a
 * program that is just starting should not wait for it. */
static tni_segment *collect_surplus(tni_caching *caching) {
    if (!caching->idle_first)
        return NULL;
    if (caching->retain_limit == 0)
        caching->retain_limit = (size_t)tni_max_i64(tni_memory_bytes() / 4, 1);
    return collect_idle(caching, caching->retain_limit);
}

static size_t return_segments(tni_caching *caching, tni_segment *doomed) {
    size_t bytes = 0;
    while (doomed) {
        tni_segment *next = doomed->next;
        bytes += doomed->bytes;
        tni_caching_return_raw(caching, doomed->data, doomed->bytes);
        tni_metadata_give(doomed);
        doomed = next;
    }
    return bytes;
}

void tni_caching_settle(tni_caching *caching) {
    pthread_mutex_lock(&caching->lock);
    tni_segment *doomed = collect_surplus(caching);
    pthread_mutex_unlock(&caching->lock);
    return_segments(caching, doomed);
}

size_t tni_caching_trim(tni_caching *caching) {
    pthread_mutex_lock(&caching->lock);
    bool silent = tni_locals_silence(caching);
    for (tni_local *local = caching->locals; local; local = local->allocator_next)
        if (silent || tni_local_is_own(local))
            tni_small_drain(caching, local);
    tni_locals_let_go(caching);
    tni_segment *doomed = collect_idle(caching, 0);
    pthread_mutex_unlock(&caching->lock);
    size_t bytes = return_segments(caching, doomed);
    tni_trace_add(caching->owner, TNI_TRACE_TRIM, NULL, bytes);
    return bytes;
}

/* Nobody holds a block any more, so every block but the leftmost of a segment was merged away. */
void tni_caching_destroy(tni_caching *caching) {
    while (caching->segments) {
        tni_segment *segment = caching->segments;
        caching->segments = segment->next;
        tni_caching_return_raw(caching, segment->data, segment->bytes);
        tni_metadata_give(segment);
    }
    tni_table_destroy(&caching->used_blocks);
    tni_metadata_give(caching->small);
    pthread_mutex_destroy(&caching->lock);
    tni_allocator_drop(caching->raw);
    tni_heap_free(caching, sizeof *caching);
}

/* ---- the way through ---- */

/* Under the lock. An owner that was asked to drain does so here, at its first step after that. */
static void obey_request(tni_caching *caching, tni_local *local) {
    if (local && atomic_load(&local->silenced) == TNI_LOCAL_ASKED_TO_DRAIN) {
        tni_small_drain(caching, local);
        atomic_store(&local->silenced, TNI_LOCAL_FREE_TO_RUN);
    }
}

static void *take_small_locked(tni_caching *caching, tni_local *local, uint32_t class) {
    obey_request(caching, local);
    tni_magazine *magazine = local ? &local->magazines[class] : NULL;
    void *data = magazine ? tni_magazine_pop(magazine) : NULL;
    if (data)
        return data;
    void *batch[CACHING_BATCH];
    uint32_t wanted = magazine ? magazine->capacity / 2 : 1;
    uint32_t count = tni_small_take(caching, class, batch, wanted < CACHING_BATCH ? wanted : CACHING_BATCH);
    if (count == 0)
        return NULL;
    while (count > 1) /* lowest address on top */
        tni_magazine_push(magazine, batch[--count]);
    return batch[0];
}

static void *take_small_somehow(tni_caching *caching, tni_local *local, uint32_t class) {
    for (;;) {
        pthread_mutex_lock(&caching->lock);
        void *data = take_small_locked(caching, local, class);
        pthread_mutex_unlock(&caching->lock);
        if (data || (!tni_small_grow(caching, class, false) && !tni_small_grow(caching, class, true)))
            return data;
    }
}

static void *take_large_somehow(tni_caching *caching, size_t bytes) {
    pthread_mutex_lock(&caching->lock);
    void *data = tni_large_take(caching, bytes, false);
    pthread_mutex_unlock(&caching->lock);
    if (!data)
        data = tni_large_grow(caching, bytes, false);
    if (!data) {
        pthread_mutex_lock(&caching->lock);
        data = tni_large_take(caching, bytes, true);
        pthread_mutex_unlock(&caching->lock);
    }
    return data ? data : tni_large_grow(caching, bytes, true);
}

void *tni_caching_take(tni_caching *caching, tni_local *local, size_t bytes) {
    if (bytes <= caching->owner->small_limit)
        return take_small_somehow(caching, local, tni_small_class(bytes));
    return take_large_somehow(caching, bytes);
}

/* Under the lock: the older half of a full magazine goes back to the slabs; the newer half is still warm. */
static void give_small_locked(tni_caching *caching, tni_local *local, uint32_t class, void *data) {
    obey_request(caching, local);
    tni_magazine *magazine = local ? &local->magazines[class] : NULL;
    if (!magazine) {
        tni_small_give(caching, class, data);
        return;
    }
    if (tni_magazine_push(magazine, data))
        return;
    uint32_t old = magazine->capacity / 2, kept = magazine->capacity - old;
    for (uint32_t i = 0; i < old; i++)
        tni_small_give(caching, class, atomic_load_explicit(&magazine->items[i], memory_order_relaxed));
    for (uint32_t i = 0; i < kept; i++)
        atomic_store_explicit(&magazine->items[i], atomic_load_explicit(&magazine->items[old + i], memory_order_relaxed),
                              memory_order_relaxed);
    atomic_store_explicit(&magazine->count, kept, memory_order_release);
    tni_magazine_push(magazine, data);
}

void tni_caching_give(tni_caching *caching, tni_local *local, void *data, size_t bytes) {
    pthread_mutex_lock(&caching->lock);
    if (bytes <= caching->owner->small_limit)
        give_small_locked(caching, local, tni_small_class(bytes), data);
    else
        tni_large_give(caching, data);
    tni_segment *doomed = collect_surplus(caching);
    pthread_mutex_unlock(&caching->lock);
    return_segments(caching, doomed);
}

/* ---- what is known ---- */

static size_t used_in_small(tni_small_segment *segment) {
    size_t used = 0;
    for (uint32_t unit = 0; unit < segment->unit_count; unit++)
        if (!(segment->free_units >> unit & 1) && segment->owner[unit] == unit) {
            const tni_slab *slab = &segment->slabs[unit];
            uint32_t out = (uint32_t)(slab->capacity - slab->free), parked = slab->parked;
            used += (out > parked ? out - parked : 0) * tni_small_class_bytes(slab->class);
        }
    return used;
}

static size_t used_in_large(const tni_large_segment *segment) {
    size_t used = 0;
    for (const tni_block *block = &segment->first; block; block = block->next)
        used += block->requested ? block->bytes : 0;
    return used;
}

/* Magazines of threads that are busy at this moment are read as they are: the pointers are only looked up. */
static void count_parked(tni_caching *caching) {
    for (size_t i = 0; i < caching->small_count; i++)
        for (uint32_t unit = 0; unit < TNI_SEGMENT_UNITS; unit++)
            caching->small[i]->slabs[unit].parked = 0;
    for (tni_local *local = caching->locals; local; local = local->allocator_next)
        for (uint32_t class = 0; class < caching->classes; class ++) {
            tni_magazine *magazine = &local->magazines[class];
            uint32_t count = atomic_load_explicit(&magazine->count, memory_order_acquire);
            for (uint32_t i = 0; i < count; i++) {
                tni_slab *slab = tni_small_find(caching, atomic_load_explicit(&magazine->items[i], memory_order_relaxed));
                if (slab)
                    slab->parked++;
            }
        }
}

void tni_caching_survey(tni_caching *caching, int64_t *cached, int64_t *fragmented) {
    *cached = *fragmented = 0;
    count_parked(caching);
    for (tni_segment *segment = caching->segments; segment; segment = segment->next) {
        size_t used =
            segment->small ? used_in_small((tni_small_segment *)segment) : used_in_large((tni_large_segment *)segment);
        *cached += (int64_t)(segment->bytes - used);
        *fragmented += used > 0 ? (int64_t)(segment->bytes - used) : 0;
    }
}

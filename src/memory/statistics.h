/* statistics.h - counters of memory that cost a few plain additions on the fast path and are exact when it matters.
 *
 * A tally exists twice. The shared one of an allocator is changed with atomic read-modify-write and is always right about
 * itself. A thread that allocates often has a tally of its own (local.h), which only that thread changes, with ordinary
 * loads and stores that others may read; it holds what the thread did since it last reported to the shared one. The truth
 * is the sum: current = shared + all local currents, and the peak is at most shared + all local peaks.
 */
#ifndef TNI_STATISTICS_H
#define TNI_STATISTICS_H

#include <tenon/memory.h>

#include "base/common.h"

typedef struct tni_tally {
    _Atomic int64_t current, peak, taken; /* given back = taken - current */
} tni_tally;

typedef struct tni_statistics {
    tni_tally bytes, blocks;      /* element memory as requested                                  */
    tni_tally reserved, segments; /* from the raw allocator; unused by one that does not cache    */
    _Atomic int64_t retries, failures;
} tni_statistics;

static inline int64_t tni_tally_read(const _Atomic int64_t *value) {
    return atomic_load_explicit((_Atomic int64_t *)value, memory_order_relaxed);
}

static inline void tni_tally_write(_Atomic int64_t *value, int64_t to) {
    atomic_store_explicit(value, to, memory_order_relaxed);
}

/* Only by the thread that owns the tally. Returns the new current value. */
static inline int64_t tni_tally_own_take(tni_tally *tally, int64_t amount) {
    int64_t current = tni_tally_read(&tally->current) + amount;
    tni_tally_write(&tally->current, current);
    tni_tally_write(&tally->taken, tni_tally_read(&tally->taken) + amount);
    if (current > tni_tally_read(&tally->peak))
        tni_tally_write(&tally->peak, current);
    return current;
}

static inline int64_t tni_tally_own_give(tni_tally *tally, int64_t amount) {
    int64_t current = tni_tally_read(&tally->current) - amount;
    tni_tally_write(&tally->current, current);
    return current;
}

/* On a shared tally, by any thread. */
void tni_tally_raise_peak(tni_tally *tally, int64_t candidate);
void tni_tally_take(tni_tally *tally, int64_t amount);
void tni_tally_give(tni_tally *tally, int64_t amount);

/* The allocator's statistics in full, without looking at struct_size. */
void tni_statistics_collect(tn_allocator *allocator, tn_memory_stats *out);

#endif

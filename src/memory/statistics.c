/* statistics.c - combines the tallies: one allocator's numbers, a device's, and the reset of peaks. */
#include "memory/statistics.h"

#include "base/error.h"
#include "memory/caching.h"
#include "memory/local.h"
#include "memory/registry.h"

void tni_tally_raise_peak(tni_tally *tally, int64_t candidate) {
    int64_t peak = tni_tally_read(&tally->peak);
    while (candidate > peak && !atomic_compare_exchange_weak(&tally->peak, &peak, candidate))
        continue;
}

void tni_tally_take(tni_tally *tally, int64_t amount) {
    int64_t before = atomic_fetch_add(&tally->current, amount);
    atomic_fetch_add(&tally->taken, amount);
    tni_tally_raise_peak(tally, before + amount);
}

void tni_tally_give(tni_tally *tally, int64_t amount) { atomic_fetch_sub(&tally->current, amount); }

static tn_memory_counter stats_counter_of(const tni_tally *tally) {
    tn_memory_counter counter = {
        .current = tni_tally_read(&tally->current),
        .peak = tni_tally_read(&tally->peak),
        .allocated = tni_tally_read(&tally->taken),
    };
    counter.freed = counter.allocated - counter.current;
    return counter;
}

/* Under the allocator's lock: what the threads have not reported yet. */
static void add_unreported(tn_memory_counter *counter, const tni_local *locals, size_t tally_at) {
    int64_t highest = counter->current;
    for (const tni_local *local = locals; local; local = local->allocator_next) {
        const tni_tally *tally = (const tni_tally *)((const char *)local + tally_at);
        int64_t current = tni_tally_read(&tally->current);
        counter->current += current;
        counter->allocated += tni_tally_read(&tally->taken);
        highest += tni_max_i64(current, tni_tally_read(&tally->peak));
    }
    counter->peak = tni_max_i64(counter->peak, highest);
    counter->freed = counter->allocated - counter->current;
}

void tni_statistics_collect(tn_allocator *allocator, tn_memory_stats *out) {
    tni_statistics *statistics = &allocator->statistics;
    tni_caching *caching = allocator->caching;
    *out = (tn_memory_stats){.struct_size = sizeof *out};
    if (caching)
        pthread_mutex_lock(&caching->lock);
    out->bytes = stats_counter_of(&statistics->bytes);
    out->blocks = stats_counter_of(&statistics->blocks);
    if (caching) {
        add_unreported(&out->bytes, caching->locals, offsetof(tni_local, bytes));
        add_unreported(&out->blocks, caching->locals, offsetof(tni_local, blocks));
        out->reserved = stats_counter_of(&statistics->reserved);
        out->segments = stats_counter_of(&statistics->segments);
        tni_caching_survey(caching, &out->cached, &out->fragmented);
        pthread_mutex_unlock(&caching->lock);
    } else {
        out->reserved = out->bytes;
        out->segments = out->blocks;
    }
    out->retries = atomic_load(&statistics->retries);
    out->failures = atomic_load(&statistics->failures);
}

static tn_error check_stats_out(const tn_memory_stats *out) {
    if (!out)
        return tni_raise_missing("out");
    if (out->struct_size < sizeof *out)
        return tni_raise(TN_ERROR_ARGUMENT, "memory_stats: out->struct_size is %zu; set it to sizeof, %zu", out->struct_size,
                         sizeof *out);
    return TN_OK;
}

static void write_stats(tn_memory_stats *out, const tn_memory_stats *found) {
    size_t struct_size = out->struct_size;
    *out = *found;
    out->struct_size = struct_size;
}

tn_error tn_allocator_stats(const tn_allocator *allocator, tn_memory_stats *out) {
    if (!tni_object_check((const tni_object *)allocator, &tni_allocator_class, "allocator"))
        return tni_failed();
    tn_error error = check_stats_out(out);
    if (error != TN_OK)
        return error;
    tn_memory_stats found;
    tni_statistics_collect((tn_allocator *)allocator, &found);
    write_stats(out, &found);
    return TN_OK;
}

static void add_stats_counter(tn_memory_counter *to, const tn_memory_counter *from) {
    to->current += from->current;
    to->peak += from->peak;
    to->allocated += from->allocated;
    to->freed += from->freed;
}

static tn_error check_stats_device(int32_t device_type) {
    if (strcmp(tn_device_type_name(device_type), "unknown") == 0)
        return tni_raise(TN_ERROR_DEVICE, "there is no device type %d", (int)device_type);
    return TN_OK;
}

tn_error tn_memory_stats_of(int32_t device_type, tn_memory_stats *out) {
    tn_error error = check_stats_out(out);
    if (error == TN_OK)
        error = check_stats_device(device_type);
    if (error != TN_OK)
        return error;
    tn_memory_stats sum = {0}, one;
    tni_registry_lock();
    for (tn_allocator *allocator = tni_registry_first(); allocator; allocator = allocator->next) {
        if (allocator->device.type != device_type)
            continue;
        tni_statistics_collect(allocator, &one);
        add_stats_counter(&sum.bytes, &one.bytes);
        add_stats_counter(&sum.blocks, &one.blocks);
        add_stats_counter(&sum.reserved, &one.reserved);
        add_stats_counter(&sum.segments, &one.segments);
        sum.cached += one.cached;
        sum.fragmented += one.fragmented;
        sum.retries += one.retries;
        sum.failures += one.failures;
    }
    tni_registry_unlock();
    write_stats(out, &sum);
    return TN_OK;
}

/* A reset tally's peak is its current value; the shared one's is that of all together. */
static void reset_peak(tni_tally *tally, int64_t unreported) {
    tni_tally_write(&tally->peak, tni_tally_read(&tally->current) + unreported);
}

static void reset_peaks_of(tn_allocator *allocator) {
    tni_statistics *statistics = &allocator->statistics;
    tni_caching *caching = allocator->caching;
    int64_t bytes = 0, blocks = 0;
    if (caching) {
        pthread_mutex_lock(&caching->lock);
        for (tni_local *local = caching->locals; local; local = local->allocator_next) {
            reset_peak(&local->bytes, 0);
            reset_peak(&local->blocks, 0);
            bytes += tni_tally_read(&local->bytes.current);
            blocks += tni_tally_read(&local->blocks.current);
        }
    }
    reset_peak(&statistics->bytes, bytes);
    reset_peak(&statistics->blocks, blocks);
    reset_peak(&statistics->reserved, 0);
    reset_peak(&statistics->segments, 0);
    if (caching)
        pthread_mutex_unlock(&caching->lock);
}

void tn_allocator_reset_peaks(tn_allocator *allocator) {
    if (tni_object_check((const tni_object *)allocator, &tni_allocator_class, "allocator"))
        reset_peaks_of(allocator);
}

void tn_memory_reset_peaks(int32_t device_type) {
    if (check_stats_device(device_type) != TN_OK)
        return;
    tni_registry_lock();
    for (tn_allocator *allocator = tni_registry_first(); allocator; allocator = allocator->next)
        if (allocator->device.type == device_type)
            reset_peaks_of(allocator);
    tni_registry_unlock();
}

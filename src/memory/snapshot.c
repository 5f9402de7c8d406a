/* snapshot.c - everything an allocator knows, as one JSON object.
 *
 *     {"allocator": "cpu caching", "device": "cpu:0", "caching": true,
 *      "statistics": {"bytes": {"current": 0, "peak": 0, "allocated": 0, "freed": 0}, ..., "failures": 0},
 *      "segments": [{"address": "0x...", "size": 2097152, "kind": "small",
 *                    "slabs": [{"offset": 0, "size": 65536, "block": 64, "blocks": 1024, "used": 3, "cached": 29}]},
 *                   {"address": "0x...", "size": 2097152, "kind": "large",
 *                    "blocks": [{"offset": 0, "size": 40960, "requested": 40000, "used": true}]}],
 *      "trace": [{"action": "alloc", "address": "0x...", "size": 8, "time_ns": 1, "operator": "zeros"}]}
 *
 * Of a slab, `used` blocks are in use and `cached` ones wait in magazines of threads. An operator is null when none ran.
 */
#include <stdarg.h>
#include <stdio.h>

#include "base/error.h"
#include "memory/caching.h"
#include "memory/trace.h"

typedef struct snapshot_text {
    char *buffer;
    size_t size, length; /* length may pass size: it is what would be needed */
} snapshot_text;

static TN_PRINTF(2, 3) void snapshot_put(snapshot_text *text, const char *format, ...) {
    bool fits = text->length < text->size;
    va_list arguments;
    va_start(arguments, format);
    int added = vsnprintf(fits ? text->buffer + text->length : NULL, fits ? text->size - text->length : 0, format, arguments);
    va_end(arguments);
    text->length += added > 0 ? (size_t)added : 0;
}

static void snapshot_string(snapshot_text *text, const char *string) {
    snapshot_put(text, "\"");
    for (; *string; string++) {
        unsigned char letter = (unsigned char)*string;
        if (letter < 0x20 || letter == '"' || letter == '\\')
            snapshot_put(text, "\\u%04x", letter);
        else
            snapshot_put(text, "%c", letter);
    }
    snapshot_put(text, "\"");
}

static void snapshot_counter(snapshot_text *text, const char *name, const tn_memory_counter *counter) {
    snapshot_put(
        text, "\"%s\": {\"current\": %" PRId64 ", \"peak\": %" PRId64 ", \"allocated\": %" PRId64 ", \"freed\": %" PRId64 "}, ",
        name, counter->current, counter->peak, counter->allocated, counter->freed);
}

static void snapshot_statistics(snapshot_text *text, const tn_memory_stats *stats) {
    snapshot_put(text, "\"statistics\": {");
    snapshot_counter(text, "bytes", &stats->bytes);
    snapshot_counter(text, "blocks", &stats->blocks);
    snapshot_counter(text, "reserved", &stats->reserved);
    snapshot_counter(text, "segments", &stats->segments);
    snapshot_put(text,
                 "\"cached\": %" PRId64 ", \"fragmented\": %" PRId64 ", \"retries\": %" PRId64 ", \"failures\": %" PRId64 "}",
                 stats->cached, stats->fragmented, stats->retries, stats->failures);
}

static void snapshot_slabs(snapshot_text *text, const tni_small_segment *segment) {
    const char *comma = "";
    snapshot_put(text, "\"slabs\": [");
    for (uint32_t unit = 0; unit < segment->unit_count; unit++) {
        const tni_slab *slab = &segment->slabs[unit];
        if ((segment->free_units >> unit & 1) || segment->owner[unit] != unit)
            continue;
        int out = slab->capacity - slab->free, cached = slab->parked < out ? slab->parked : out;
        size_t offset = (size_t)(segment->units - segment->segment.data) + (size_t)unit * TNI_UNIT;
        snapshot_put(text, "%s{\"offset\": %zu, \"size\": %zu, \"block\": %zu, \"blocks\": %d, \"used\": %d, \"cached\": %d}",
                     comma, offset, (size_t)slab->units * TNI_UNIT, tni_small_class_bytes(slab->class), slab->capacity,
                     out - cached, cached);
        comma = ", ";
    }
    snapshot_put(text, "]");
}

static void snapshot_blocks(snapshot_text *text, const tni_large_segment *segment) {
    snapshot_put(text, "\"blocks\": [");
    for (const tni_block *block = &segment->first; block; block = block->next)
        snapshot_put(text, "%s{\"offset\": %zu, \"size\": %zu, \"requested\": %zu, \"used\": %s}", block->previous ? ", " : "",
                     (size_t)(block->data - segment->segment.data), block->bytes, block->requested,
                     block->requested ? "true" : "false");
    snapshot_put(text, "]");
}

static void snapshot_segments(snapshot_text *text, tni_caching *caching) {
    snapshot_put(text, "\"segments\": [");
    if (caching) {
        int64_t cached, fragmented;
        pthread_mutex_lock(&caching->lock);
        tni_caching_survey(caching, &cached, &fragmented); /* counts the parked blocks of each slab */
        for (const tni_segment *segment = caching->segments; segment; segment = segment->next) {
            snapshot_put(text, "%s{\"address\": \"0x%" PRIxPTR "\", \"size\": %zu, \"kind\": \"%s\", ",
                         segment->previous ? ", " : "", (uintptr_t)segment->data, segment->bytes,
                         segment->small ? "small" : "large");
            if (segment->small)
                snapshot_slabs(text, (const tni_small_segment *)segment);
            else
                snapshot_blocks(text, (const tni_large_segment *)segment);
            snapshot_put(text, "}");
        }
        pthread_mutex_unlock(&caching->lock);
    }
    snapshot_put(text, "]");
}

static void snapshot_trace(snapshot_text *text, tn_allocator *allocator) {
    snapshot_put(text, "\"trace\": [");
    pthread_mutex_lock(&allocator->trace_lock);
    const tni_trace *trace = allocator->trace;
    uint64_t first = trace && trace->written > trace->capacity ? trace->written - trace->capacity : 0;
    for (uint64_t at = first; trace && at < trace->written; at++) {
        const tni_trace_entry *entry = &trace->entries[at % trace->capacity];
        snapshot_put(text,
                     "%s{\"action\": \"%s\", \"address\": \"0x%" PRIxPTR "\", \"size\": %zu, \"time_ns\": %" PRId64
                     ", \"operator\": ",
                     at > first ? ", " : "", tni_trace_action_name(entry->action), (uintptr_t)entry->data, entry->bytes,
                     entry->nanoseconds);
        if (entry->operator_name[0])
            snapshot_string(text, entry->operator_name);
        else
            snapshot_put(text, "null");
        snapshot_put(text, "}");
    }
    pthread_mutex_unlock(&allocator->trace_lock);
    snapshot_put(text, "]");
}

int64_t tn_allocator_snapshot(const tn_allocator *allocator, char *buffer, size_t size) {
    if (!tni_object_check((const tni_object *)allocator, &tni_allocator_class, "allocator"))
        return -1;
    if (!buffer && size > 0) {
        tni_raise_missing("buffer");
        return -1;
    }
    tn_allocator *self = (tn_allocator *)allocator;
    tn_memory_stats stats;
    tni_statistics_collect(self, &stats);
    snapshot_text text = {buffer, size, 0};
    snapshot_put(&text, "{\"allocator\": ");
    snapshot_string(&text, self->name);
    snapshot_put(&text, ", \"device\": ");
    snapshot_string(&text, tn_device_type_name(self->device.type));
    text.length--; /* the index is inside the quotes */
    snapshot_put(&text, ":%d\", \"caching\": %s, ", (int)self->device.index, self->caching ? "true" : "false");
    snapshot_statistics(&text, &stats);
    snapshot_put(&text, ", ");
    snapshot_segments(&text, self->caching);
    snapshot_put(&text, ", ");
    snapshot_trace(&text, self);
    snapshot_put(&text, "}");
    return (int64_t)text.length;
}

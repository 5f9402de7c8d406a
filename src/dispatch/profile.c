/* profile.c - sees every operator call: as the fallback of TN_KEY_PROFILE, the highest key, which is in every call of the
 * process while the profiler runs or a hook is set, and in none otherwise.
 *
 * Invariant: recording allocates nothing and cannot fail. tn_profile_start makes room for one row for each operator (with some
 * to spare; the last row sums up the rest) and for a ring of events. All of it is changed under the dispatcher's lock.
 */
#include "dispatch/profile.h"

#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "base/heap.h"
#include "dispatch/dispatch.h"
#include "dispatch/limits.h"

enum { PROFILE_EVENTS = 16384, PROFILE_EVENTS_LIMIT = 1 << 24, PROFILE_HOOK_LONGEST = 1024 };

typedef struct profile_line {
    const tn_operator *op; /* only compared: it may be gone */
    tn_profile_row row;
} profile_line;

static struct {
    bool running;
    profile_line *lines;
    tni_profile_event *events; /* a ring: the next one goes to position event_total % event_room */
    int64_t line_count, line_room, event_room, event_total;
    int64_t calls, began_ns;
    tn_operator_hook hook;
} profile;

/* What runs on a thread now, innermost first; on the stack of profile_call. */
typedef struct profile_nest {
    struct profile_nest *outer;
    int64_t depth, inner_ns;
} profile_nest;

static int64_t profile_clock(void) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (int64_t)now.tv_sec * 1000000000 + now.tv_nsec;
}

/* ---- recording */

static void profile_show_tensor(tni_text *text, const tn_tensor *tensor) {
    tni_text_append(text, "%s%s [", text->length ? ", " : "", tn_dtype_name((tn_dtype)tensor->dtype));
    for (int64_t d = 0; d < tensor->ndim; d++)
        tni_text_append(text, "%s%" PRId64, d ? ", " : "", tensor->sizes[d]);
    tni_text_append(text, "]");
}

static void profile_show_tensors(char *buffer, tn_values values) {
    tni_text text = {buffer, TNI_PROFILE_TEXT, 0};
    buffer[0] = 0;
    for (int64_t i = 0; i < values.count; i++) {
        const tn_value *value = &values.items[i];
        if (value->kind == TN_VALUE_TENSOR && value->as.tensor)
            profile_show_tensor(&text, value->as.tensor);
        for (int64_t k = 0; value->kind == TN_VALUE_TENSORS && k < value->as.tensors.count; k++)
            profile_show_tensor(&text, value->as.tensors.items[k]);
        for (int64_t k = 0; value->kind == TN_VALUE_INDEX && k < value->as.index.count; k++)
            if (value->as.index.items[k].kind == TN_INDEX_TENSOR)
                profile_show_tensor(&text, value->as.index.items[k].tensor);
    }
}

/* Under the lock. */
static tn_profile_row *profile_row_of(const tn_operator *op, const char *name) {
    for (int64_t i = 0; i < profile.line_count; i++)
        if (profile.lines[i].op == op && strcmp(profile.lines[i].row.name, name) == 0)
            return &profile.lines[i].row;
    if (profile.line_count == profile.line_room)
        return &profile.lines[profile.line_room - 1].row;
    profile_line *line = &profile.lines[profile.line_count++];
    *line = (profile_line){.op = op};
    snprintf(line->row.name, sizeof line->row.name, "%s", profile.line_count == profile.line_room ? "(others)" : name);
    return &line->row;
}

static void profile_record(const tn_operator *op, tni_profile_event *event, int64_t inner_ns) {
    tni_dispatch_lock();
    if (profile.running && event->begin_ns >= profile.began_ns) {
        event->begin_ns -= profile.began_ns;
        tn_profile_row *row = profile_row_of(op, event->name);
        row->calls++;
        row->failures += event->error != TN_OK;
        row->total_ns += event->ns;
        row->self_ns += event->ns - inner_ns;
        row->allocated_bytes += event->allocated_bytes;
        row->copied_bytes += event->copied_bytes;
        profile.calls++;
        if (profile.event_room)
            profile.events[profile.event_total++ % profile.event_room] = *event;
    }
    tni_dispatch_unlock();
}

/* The fallback of TN_KEY_PROFILE. Operators that the call makes in turn come here again; those of the hook do not. */
static tn_error profile_call(void *ctx, const tn_frame *frame, tn_values values, tn_value *result) {
    (void)ctx;
    tni_dispatch_lock();
    tn_operator_hook hook = profile.hook;
    bool running = profile.running;
    tni_dispatch_unlock();
    tni_thread *thread = tni_thread_get();
    profile_nest *outer = thread->slots[TNI_SLOT_PROFILE], nest = {outer, outer ? outer->depth + 1 : 0, 0};
    tn_operator_event told = {.op = frame->op, .arguments = values, .depth = nest.depth};
    tni_profile_event event = {.thread = thread->number};
    if (running) {
        snprintf(event.name, sizeof event.name, "%s", tni_operator_text(frame->op, frame->op->name));
        profile_show_tensors(event.tensors, values);
    }
    if (hook.before)
        hook.before(hook.ctx, &told);
    thread->slots[TNI_SLOT_PROFILE] = &nest;
    tn_counters before = tn_counters_now();
    event.begin_ns = profile_clock();
    event.error = tni_redispatch(frame, values, result, true);
    event.ns = profile_clock() - event.begin_ns;
    tn_counters spent = tn_counters_since(before);
    thread->slots[TNI_SLOT_PROFILE] = outer;
    if (outer)
        outer->inner_ns += event.ns;
    event.allocated_bytes = spent.allocated_bytes;
    event.copied_bytes = spent.copied_bytes;
    tn_error code = event.error;
    told.nanoseconds = event.ns;
    told.spent = spent;
    told.error = code;
    told.result = code == TN_OK ? result : NULL;
    if (running)
        profile_record(frame->op, &event, nest.inner_ns);
    if (hook.after)
        hook.after(hook.ctx, &told);
    return code;
}

/* Under the lock: the key is in every call while the profiler runs or a hook is set. */
static void profile_listen(void) {
    tni_dispatch_provide(TN_KEY_PROFILE, profile_call);
    tni_keys_everywhere_set(TN_KEY_PROFILE, profile.running || profile.hook.before || profile.hook.after);
}

/* ---- starting and stopping */

static void profile_free(profile_line *lines, int64_t line_room, tni_profile_event *events, int64_t event_room) {
    if (lines)
        tni_heap_free(lines, (size_t)line_room * sizeof *lines);
    if (events)
        tni_heap_free(events, (size_t)event_room * sizeof *events);
}

static tn_error profile_read_options(const tn_profile_options *given, int64_t *events) {
    tn_profile_options options = {.events = 0};
    if (given && given->struct_size < sizeof options)
        return tni_raise_in("profile_start", TN_ERROR_ARGUMENT,
                            "options->struct_size is %zu; set it to sizeof(tn_profile_options), which is %zu",
                            given->struct_size, sizeof options);
    if (given)
        options = *given;
    if (options.events > PROFILE_EVENTS_LIMIT)
        return tni_raise_in("profile_start", TN_ERROR_ARGUMENT, "options->events is %" PRId64 "; at most %d can be kept",
                            options.events, PROFILE_EVENTS_LIMIT);
    *events = options.events < 0 ? 0 : options.events == 0 ? PROFILE_EVENTS : options.events;
    return TN_OK;
}

tn_error tn_profile_start(const tn_profile_options *options) {
    int64_t event_room = 0, line_room = tn_operator_count() + PROFILE_SPARE_ROWS;
    tn_error code = profile_read_options(options, &event_room);
    if (code != TN_OK)
        return code;
    profile_line *lines = tni_heap_alloc((size_t)line_room * sizeof *lines);
    tni_profile_event *events = lines && event_room ? tni_heap_alloc((size_t)event_room * sizeof *events) : NULL;
    if (!lines || (event_room && !events)) {
        profile_free(lines, line_room, NULL, 0);
        return TN_ERROR_MEMORY;
    }
    tni_dispatch_lock();
    bool was_running = profile.running;
    profile_line *old_lines = profile.lines;
    tni_profile_event *old_events = profile.events;
    int64_t old_line_room = profile.line_room, old_event_room = profile.event_room;
    if (!was_running) {
        profile.running = true;
        profile.lines = lines;
        profile.events = events;
        profile.line_room = line_room;
        profile.event_room = event_room;
        profile.line_count = profile.event_total = profile.calls = 0;
        profile.began_ns = profile_clock();
        profile_listen();
    }
    tni_dispatch_unlock();
    if (was_running) {
        profile_free(lines, line_room, events, event_room);
        return tni_raise_in("profile_start", TN_ERROR_STATE, "the profiler is already running");
    }
    profile_free(old_lines, old_line_room, old_events, old_event_room);
    return TN_OK;
}

tn_error tn_profile_stop(void) {
    tni_dispatch_lock();
    bool was_running = profile.running;
    profile.running = false;
    profile_listen();
    tni_dispatch_unlock();
    return was_running ? TN_OK : tni_raise_in("profile_stop", TN_ERROR_STATE, "the profiler is not running");
}

bool tn_profile_is_running(void) {
    tni_dispatch_lock();
    bool running = profile.running;
    tni_dispatch_unlock();
    return running;
}

void tn_profile_clear(void) {
    tni_dispatch_lock();
    profile_line *lines = profile.lines;
    tni_profile_event *events = profile.events;
    int64_t line_room = profile.line_room, event_room = profile.event_room;
    profile.running = false;
    profile.lines = NULL;
    profile.events = NULL;
    profile.line_room = profile.event_room = profile.line_count = profile.event_total = profile.calls = 0;
    profile_listen();
    tni_dispatch_unlock();
    profile_free(lines, line_room, events, event_room);
}

tn_error tn_set_operator_hook(const tn_operator_hook *hook) {
    tn_operator_hook fresh = {.struct_size = sizeof fresh};
    if (hook && (hook->struct_size < sizeof fresh || hook->struct_size > PROFILE_HOOK_LONGEST))
        return tni_raise_in("set_operator_hook", TN_ERROR_ARGUMENT,
                            "hook->struct_size is %zu; set it to sizeof(tn_operator_hook), which is %zu", hook->struct_size,
                            sizeof fresh);
    for (size_t at = sizeof fresh; hook && at < hook->struct_size; at++)
        if (((const char *)hook)[at] != 0)
            return tni_raise_in("set_operator_hook", TN_ERROR_UNSUPPORTED, "hook has members that this version does not know");
    if (hook)
        fresh = *hook;
    tni_dispatch_lock();
    profile.hook = fresh;
    profile_listen();
    tni_dispatch_unlock();
    return TN_OK;
}

/* ---- copies for the report */

static int profile_compare_rows(const void *a, const void *b) {
    const tn_profile_row *first = a, *second = b;
    if (first->self_ns != second->self_ns)
        return first->self_ns < second->self_ns ? 1 : -1;
    return strcmp(first->name, second->name);
}

static int64_t profile_kept(void) {
    return profile.event_total < profile.event_room ? profile.event_total : profile.event_room;
}

void tni_profile_totals(int64_t *calls, int64_t *kept) {
    tni_dispatch_lock();
    *calls = profile.calls;
    *kept = profile_kept();
    tni_dispatch_unlock();
}

/* Room for a copy of what there is now; more may come before it is made, and is then left out. */
static void *profile_room(int64_t items, size_t item, int64_t *count, size_t *bytes) {
    *bytes = (size_t)items * item;
    *count = 0;
    void *copy = items ? tni_heap_alloc(*bytes) : NULL;
    if (items && !copy)
        *count = -1;
    return copy;
}

tn_profile_row *tni_profile_copy_rows(int64_t *count, size_t *bytes) {
    tni_dispatch_lock();
    int64_t items = profile.line_count;
    tni_dispatch_unlock();
    tn_profile_row *rows = profile_room(items, sizeof *rows, count, bytes);
    if (!rows)
        return NULL;
    tni_dispatch_lock();
    *count = profile.line_count < items ? profile.line_count : items;
    for (int64_t i = 0; i < *count; i++)
        rows[i] = profile.lines[i].row;
    tni_dispatch_unlock();
    qsort(rows, (size_t)*count, sizeof *rows, profile_compare_rows);
    return rows;
}

tni_profile_event *tni_profile_copy_events(int64_t *count, size_t *bytes) {
    tni_dispatch_lock();
    int64_t items = profile_kept();
    tni_dispatch_unlock();
    tni_profile_event *events = profile_room(items, sizeof *events, count, bytes);
    if (!events)
        return NULL;
    tni_dispatch_lock();
    int64_t kept = profile_kept();
    *count = kept < items ? kept : items;
    for (int64_t i = 0; i < *count; i++)
        events[i] = profile.events[(profile.event_total - *count + i) % profile.event_room];
    tni_dispatch_unlock();
    return events;
}

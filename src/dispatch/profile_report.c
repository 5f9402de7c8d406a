/* profile_report.c - the profiler's table and its trace, from copies of what was recorded (profile.h), so nothing waits for the
 * stream. */
#include "dispatch/profile.h"

#include <errno.h>
#include <unistd.h>

#include "base/error.h"
#include "base/heap.h"

int64_t tn_profile_rows(tn_profile_row *rows, int64_t room) {
    if (room < 0 || (room > 0 && !rows)) {
        tni_raise_in("profile_rows", TN_ERROR_ARGUMENT, "rows is NULL or room %" PRId64 " is negative", room);
        return -1;
    }
    int64_t count;
    size_t bytes;
    tn_profile_row *all = tni_profile_copy_rows(&count, &bytes);
    if (!all)
        return count;
    for (int64_t i = 0; i < count && i < room; i++)
        rows[i] = all[i];
    tni_heap_free(all, bytes);
    return count;
}

static tn_error report_end(const char *function, FILE *stream, bool good) {
    if (good && !ferror(stream))
        return TN_OK;
    return tni_raise_in(function, TN_ERROR_IO, "the stream refused the text: %s", strerror(errno));
}

/* A time in a unit that needs few digits. */
static const char *report_time(int64_t ns, char *text, size_t size) {
    if (ns < 10000)
        snprintf(text, size, "%" PRId64 " ns", ns);
    else if (ns < 10000000)
        snprintf(text, size, "%.1f us", (double)ns / 1e3);
    else if (ns < INT64_C(10000000000))
        snprintf(text, size, "%.1f ms", (double)ns / 1e6);
    else
        snprintf(text, size, "%.1f s", (double)ns / 1e9);
    return text;
}

static const char *report_bytes(int64_t bytes, char *text, size_t size) {
    static const char *const units[] = {"B", "KiB", "MiB", "GiB", "TiB"};
    double amount = (double)bytes;
    size_t unit = 0;
    for (; amount >= 10000 && unit + 1 < TNI_COUNT_OF(units); unit++)
        amount /= 1024;
    snprintf(text, size, unit ? "%.1f %s" : "%.0f %s", amount, units[unit]);
    return text;
}

static bool report_row(FILE *stream, const tn_profile_row *row, int width, int64_t all_ns) {
    char total[24], self[24], mean[24], allocated[24], copied[24];
    return fprintf(stream, "%-*s %9" PRId64 " %11s %11s %6.1f%% %11s %11s %11s", width, row->name, row->calls,
                   report_time(row->total_ns, total, sizeof total), report_time(row->self_ns, self, sizeof self),
                   all_ns > 0 ? 100 * (double)row->self_ns / (double)all_ns : 0.0,
                   report_time(row->calls ? row->total_ns / row->calls : 0, mean, sizeof mean),
                   report_bytes(row->allocated_bytes, allocated, sizeof allocated),
                   report_bytes(row->copied_bytes, copied, sizeof copied)) >= 0 &&
           (row->failures == 0 || fprintf(stream, "  %" PRId64 " failed", row->failures) >= 0) && fputc('\n', stream) != EOF;
}

tn_error tn_profile_print(FILE *stream) {
    if (!stream)
        return tni_raise_in("profile_print", TN_ERROR_ARGUMENT, "stream is NULL");
    int64_t count;
    size_t bytes;
    tn_profile_row *rows = tni_profile_copy_rows(&count, &bytes);
    if (count < 0)
        return TN_ERROR_MEMORY;
    int width = (int)sizeof "operator" - 1;
    int64_t all_ns = 0;
    for (int64_t i = 0; i < count; i++) {
        width = (int)strlen(rows[i].name) > width ? (int)strlen(rows[i].name) : width;
        all_ns += rows[i].self_ns;
    }
    bool good = fprintf(stream, "%-*s %9s %11s %11s %7s %11s %11s %11s\n", width, "operator", "calls", "total", "self", "share",
                        "mean", "allocated", "copied") >= 0;
    for (int64_t i = 0; good && i < count; i++)
        good = report_row(stream, &rows[i], width, all_ns);
    if (rows)
        tni_heap_free(rows, bytes);
    return report_end("profile_print", stream, good);
}

/* The texts have no characters that JSON wants escaped: names are letters, digits, colons and points. */
static bool report_event(FILE *stream, const tni_profile_event *event, long process, bool last) {
    return fprintf(stream,
                   "{\"name\": \"%s\", \"cat\": \"operator\", \"ph\": \"X\", \"pid\": %ld, \"tid\": %" PRIu64
                   ", \"ts\": %" PRId64 ".%03d, \"dur\": %" PRId64
                   ".%03d, \"args\": {\"tensors\": \"%s\", \"allocated_bytes\": %" PRId64 ", \"copied_bytes\": %" PRId64
                   "%s%s%s}}%s\n",
                   event->name, process, event->thread, event->begin_ns / 1000, (int)(event->begin_ns % 1000), event->ns / 1000,
                   (int)(event->ns % 1000), event->tensors, event->allocated_bytes, event->copied_bytes,
                   event->error != TN_OK ? ", \"error\": \"" : "", event->error != TN_OK ? tn_error_name(event->error) : "",
                   event->error != TN_OK ? "\"" : "", last ? "" : ",") >= 0;
}

tn_error tn_profile_write_trace(FILE *stream) {
    if (!stream)
        return tni_raise_in("profile_write_trace", TN_ERROR_ARGUMENT, "stream is NULL");
    int64_t count, calls, kept;
    size_t bytes;
    tni_profile_event *events = tni_profile_copy_events(&count, &bytes);
    if (count < 0)
        return TN_ERROR_MEMORY;
    tni_profile_totals(&calls, &kept);
    long process = (long)getpid();
    bool good = fprintf(stream,
                        "{\"displayTimeUnit\": \"ns\",\n\"otherData\": {\"library\": \"tenon %s\", \"calls\": %" PRId64
                        ", \"events\": %" PRId64 "},\n\"traceEvents\": [\n",
                        tn_version(), calls, count) >= 0;
    for (int64_t i = 0; good && i < count; i++)
        good = report_event(stream, &events[i], process, i + 1 == count);
    good = good && fputs("]}\n", stream) != EOF;
    if (events)
        tni_heap_free(events, bytes);
    return report_end("profile_write_trace", stream, good);
}

/* profile.h - what the profiler has recorded, between profile.c, which records, and profile_report.c, which reports. */
#ifndef TNI_PROFILE_H
#define TNI_PROFILE_H

#include <tenon/profile.h>

#include "base/common.h"

enum { TNI_PROFILE_TEXT = 96 };

typedef struct tni_profile_event {
    char name[TN_ERROR_OPERATOR_SIZE];
    char tensors[TNI_PROFILE_TEXT]; /* "float32 [2, 3], int64 [3]" */
    uint64_t thread;
    int64_t begin_ns, ns; /* begin: since tn_profile_start */
    int64_t allocated_bytes, copied_bytes;
    tn_error error;
} tni_profile_event;

/* A copy of the rows, the most expensive first, or of the events, the oldest first; to be freed with tni_heap_free. NULL with
 * *count 0 when there is nothing, and, raised, *count -1 when there is no memory for it. */
tn_profile_row *tni_profile_copy_rows(int64_t *count, size_t *bytes);
tni_profile_event *tni_profile_copy_events(int64_t *count, size_t *bytes);

/* How many calls were recorded in all, and how many of them are still kept as events. */
void tni_profile_totals(int64_t *calls, int64_t *kept);

#endif

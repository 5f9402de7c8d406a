/* warning_helpers.h - shared by the tests of operators that warn: how often they did, and what was said last. */
#ifndef TENON_WARNING_HELPERS_H
#define TENON_WARNING_HELPERS_H

#include "test.h"

typedef struct warnings_heard {
    int calls;
    tn_warning_record last;
} warnings_heard;

static inline void warnings_listen(void *ctx, const tn_warning_record *record) {
    warnings_heard *heard = ctx;
    heard->calls++;
    heard->last = *record;
}

static inline void warnings_end(void *unused) {
    (void)unused;
    tn_warning_observe(NULL, NULL);
}

/* Counts from here to the end of the test. */
#define WARNINGS_BEGIN(heard)                                                                                                  \
    warnings_heard heard = {0};                                                                                                \
    TEST_DEFER(warnings_end, NULL);                                                                                            \
    tn_warning_observe(warnings_listen, &heard)

static inline bool warnings_are(const tn_tensor *x, const char *text, tn_dtype dtype) {
    tn_tensor *wanted = tn_from_text(text, dtype);
    return x && wanted && tn_dtype_of(x) == dtype && tn_equal(x, wanted);
}

#endif

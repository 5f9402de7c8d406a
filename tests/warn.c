/* warn.c - warnings: reported to one observer, silent without it, and without any effect on the call they are about. */
#include "test.h"

#include <pthread.h>

#include "base/warn.h"

typedef struct listener {
    int calls;
    tn_warning_record last;
    bool warn_again, fail, leave;
} listener;

static void listen(void *ctx, const tn_warning_record *record) {
    listener *heard = ctx;
    heard->calls++;
    heard->last = *record;
    if (heard->warn_again)
        tn_warn("inner", "not told");
    if (heard->fail)
        tn_error_raise(TN_ERROR_IO, "inner", "an error of the observer's own");
    if (heard->leave)
        tn_warning_observe(NULL, NULL);
}

static void no_listener(void *unused) {
    (void)unused;
    tn_warning_observe(NULL, NULL);
}

TEST(an_observer_is_told_of_every_warning_with_the_name_of_the_operator) {
    listener heard = {0};
    TEST_DEFER(no_listener, NULL);
    tn_warning_observe(listen, &heard);
    tn_warn("resize", "out had %d elements and has %d now", 3, 4);
    CHECK_INT(heard.calls, 1);
    CHECK_TEXT(heard.last.operator_name, "resize");
    CHECK_TEXT(heard.last.message, "resize: out had 3 elements and has 4 now");
    tn_warn(NULL, "nobody's");
    CHECK_INT(heard.calls, 2);
    CHECK_TEXT(heard.last.operator_name, "");
    CHECK_TEXT(heard.last.message, "nobody's");
    const char *outer = tni_operator_enter("cat");
    tni_warn("%s is old", "this");
    tni_operator_leave(outer);
    CHECK_TEXT(heard.last.message, "cat: this is old");
    CHECK_INT(tn_error_code(), TN_OK);
}

TEST(a_warning_that_nobody_observes_leaves_no_trace) {
    CHECK(!tni_warned());
    tn_warn("a", "text");
    tni_warn("text");
    CHECK_INT(tn_error_code(), TN_OK);
    CHECK_TEXT(tn_error_message(), "");
    listener heard = {0};
    TEST_DEFER(no_listener, NULL);
    tn_warning_observe(listen, &heard);
    CHECK(tni_warned());
    CHECK_INT(heard.calls, 0);
    tn_warning_observe(NULL, NULL);
    CHECK(!tni_warned());
    tn_warn("a", "text");
    CHECK_INT(heard.calls, 0);
}

TEST(a_warning_keeps_the_error_that_waits) {
    listener heard = {0};
    TEST_DEFER(no_listener, NULL);
    tn_warning_observe(listen, &heard);
    tn_error_raise(TN_ERROR_SHAPE, "first", "one");
    tn_warn("second", "two");
    CHECK_INT(heard.calls, 1);
    CHECK_TEXT(tn_error_message(), "first: one");
    tn_error_clear();
}

TEST(a_warning_inside_the_observer_is_not_observed_and_an_error_there_is_kept) {
    listener heard = {.warn_again = true, .fail = true};
    TEST_DEFER(no_listener, NULL);
    tn_warning_observe(listen, &heard);
    tn_warn("outer", "text");
    CHECK_INT(heard.calls, 1);
    CHECK_TEXT(heard.last.message, "outer: text");
    CHECK_INT(tn_error_take(NULL), TN_ERROR_IO);
    tn_warn("outer", "again");
    CHECK_INT(heard.calls, 2);
    tn_error_clear();
}

TEST(an_observer_of_warnings_may_remove_itself) {
    listener heard = {.leave = true};
    TEST_DEFER(no_listener, NULL);
    tn_warning_observe(listen, &heard);
    tn_warn("a", "first");
    tn_warn("a", "second");
    CHECK_INT(heard.calls, 1);
}

TEST(long_and_missing_texts_of_warnings_are_cut_and_filled_in) {
    listener heard = {0};
    TEST_DEFER(no_listener, NULL);
    tn_warning_observe(listen, &heard);
    char name[100], text[1000];
    memset(name, 'n', sizeof name);
    memset(text, 't', sizeof text);
    name[sizeof name - 1] = text[sizeof text - 1] = 0;
    tn_warn(name, "%s", text);
    CHECK_INT(strlen(heard.last.operator_name), TN_ERROR_OPERATOR_SIZE - 1);
    CHECK_INT(strlen(heard.last.message), TN_ERROR_MESSAGE_SIZE - 1);
    CHECK_TEXT(heard.last.message + TN_ERROR_MESSAGE_SIZE - 4, "...");
    tn_warn(NULL, NULL);
    CHECK_TEXT(heard.last.message, "a warning without text");
    tn_warn(NULL, "%s", "");
    CHECK_TEXT(heard.last.message, "a warning without text");
}

static void *warn_elsewhere(void *ctx) {
    for (int i = 0; i < 100; i++)
        tn_warn("thread", "%d", i);
    return ctx;
}

TEST_ONCE(the_observer_runs_on_the_thread_that_warns) { /* threads */
    listener heard = {0};
    tn_warning_observe(listen, &heard);
    pthread_t thread;
    CHECK(pthread_create(&thread, NULL, warn_elsewhere, NULL) == 0);
    pthread_join(thread, NULL);
    tn_warning_observe(NULL, NULL);
    CHECK_INT(heard.calls, 100);
    CHECK_TEXT(heard.last.message, "thread: 99");
}

TEST(a_mask_of_uint8_is_warned_of_and_still_a_mask) {
    listener heard = {0};
    int64_t two = 2;
    tn_tensor *x = tn_ones((tn_dims){&two, 1}, TN_FLOAT32), *mask = tn_zeros((tn_dims){&two, 1}, TN_UINT8);
    tn_tensor *truth = tn_to(mask, TN_BOOL);
    TEST_DEFER(no_listener, NULL);
    tn_warning_observe(listen, &heard);
    tn_tensor *picked = tn_index(x, TN_PICK(truth));
    CHECK_INT(heard.calls, 0);
    picked = tn_index(x, TN_PICK(mask));
    CHECK_INT(heard.calls, picked ? 1 : heard.calls);
    CHECK_INT(picked ? tn_numel(picked) : 0, 0);
}

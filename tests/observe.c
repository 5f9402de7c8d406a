/* observe.c - counters of allocations and copies, and the thread's observer. */
#include "test.h"

#include <pthread.h>

TEST(an_allocation_is_counted_with_its_bytes) {
    tn_counters before = tn_counters_now();
    tn_tensor *x = tn_empty(TN_DIMS(3, 5), TN_FLOAT64);
    CHECK(x);
    tn_counters spent = tn_counters_since(before);
    CHECK_INT(spent.allocations, 1);
    CHECK_INT(spent.allocated_bytes, 120);
    CHECK_INT(spent.copies, 0);
    CHECK_INT(spent.copied_bytes, 0);
}

TEST(views_and_borrowed_or_absent_memory_count_nothing) {
    static float block[12];
    tn_tensor *x = tn_zeros(TN_DIMS(3, 4), TN_FLOAT32);
    CHECK(x);
    tn_counters before = tn_counters_now();
    CHECK(tn_transpose(x, 0, 1) && tn_view(x, TN_DIMS(12)) && tn_expand(tn_select(x, 0, 0), TN_DIMS(9, 4)));
    CHECK(tn_from_memory(block, TN_DIMS(12), TN_FLOAT32, TN_BORROW));
    CHECK(tn_zeros(TN_DIMS(0, 7), TN_FLOAT32));
    CHECK(tn_from_storage(tn_storage_of(x), 0, TN_DIMS(2), TN_DIMS(1), TN_FLOAT32));
    CHECK_ERROR(TN_ERROR_SHAPE, "", tn_zeros(TN_DIMS(-1), TN_FLOAT32));
    tn_counters spent = tn_counters_since(before);
    CHECK_INT(spent.allocations, 0);
    CHECK_INT(spent.allocated_bytes, 0);
    CHECK_INT(spent.copies, 0);
}

TEST(copies_of_memory_and_of_storages_are_counted) {
    tn_counters before = tn_counters_now();
    tn_tensor *x = TN_VECTOR(float, 1, 2, 3);
    CHECK(x);
    tn_counters spent = tn_counters_since(before);
    CHECK_INT(spent.allocations, 1);
    CHECK_INT(spent.copies, 1);
    CHECK_INT(spent.copied_bytes, 12);
    before = tn_counters_now();
    tn_storage *clone = tn_storage_lazy_clone(tn_storage_of(x));
    CHECK(clone);
    CHECK_INT(tn_counters_since(before).copies, 0);
    CHECK_INT(tn_set_element(x, TN_DIMS(0), TN_SCALAR(5)), TN_OK); /* the copy that was put off */
    spent = tn_counters_since(before);
    CHECK_INT(spent.copies, 1);
    CHECK_INT(spent.copied_bytes, 12);
    CHECK_INT(spent.allocations, 1);
}

typedef struct diary {
    int events;
    tn_event_kind kind[8];
    int64_t bytes[8];
    char operator_name[8][32];
    bool all_have_reasons;
    const tn_tensor *look_at;
    int64_t saw;
} diary;

static void write_diary(void *ctx, const tn_event *event) {
    diary *pages = ctx;
    if (pages->events == 8)
        return;
    pages->kind[pages->events] = event->kind;
    pages->bytes[pages->events] = event->bytes;
    snprintf(pages->operator_name[pages->events], 32, "%s", event->operator_name ? event->operator_name : "-");
    pages->all_have_reasons = pages->all_have_reasons && event->reason && strlen(event->reason) > 5;
    if (pages->look_at)
        pages->saw = tn_numel(pages->look_at); /* reading is allowed */
    pages->events++;
}

static void remove_observer(void *unused) {
    (void)unused;
    tn_set_observer(NULL, NULL);
}

TEST(the_observer_is_told_what_happened_where_and_why) {
    diary pages = {.all_have_reasons = true};
    tn_tensor *x = tn_zeros(TN_DIMS(7), TN_UINT8);
    CHECK(x);
    pages.look_at = x;
    TEST_DEFER(remove_observer, NULL);
    tn_set_observer(write_diary, &pages);
    tn_tensor *y = tn_ones(TN_DIMS(2, 2), TN_INT32), *z = TN_VECTOR(double, 1, 2);
    tn_set_observer(NULL, NULL);
    tn_tensor *unseen = tn_ones(TN_DIMS(2, 2), TN_INT32);
    CHECK(y && z && unseen);
    CHECK_INT(pages.events, 3);
    CHECK_INT(pages.kind[0], TN_EVENT_ALLOCATION);
    CHECK_INT(pages.bytes[0], 16);
    CHECK_TEXT(pages.operator_name[0], "ones");
    CHECK_INT(pages.kind[1], TN_EVENT_ALLOCATION);
    CHECK_INT(pages.kind[2], TN_EVENT_COPY);
    CHECK_INT(pages.bytes[2], 16);
    CHECK_TEXT(pages.operator_name[2], "from_memory");
    CHECK(pages.all_have_reasons);
    CHECK_INT(pages.saw, 7);
}

static void observe_once(void *ctx, const tn_event *event) {
    (void)event;
    ++*(int *)ctx;
    tn_set_observer(NULL, NULL);
}

TEST(an_observer_may_remove_itself_at_work) {
    int calls = 0;
    TEST_DEFER(remove_observer, NULL);
    tn_set_observer(observe_once, &calls);
    CHECK(tn_zeros(TN_DIMS(2), TN_UINT8) && tn_zeros(TN_DIMS(2), TN_UINT8));
    CHECK_INT(calls, 1);
}

static void *work_unseen(void *ctx) {
    tn_counters *spent = ctx;
    tn_counters start = tn_counters_now();
    tn_tensor *x = tn_zeros(TN_DIMS(10), TN_UINT8);
    *spent = tn_counters_since((tn_counters){0, 0, 0, 0});
    bool right = x && start.allocations == 0 && start.copies == 0;
    tn_release(x);
    return right ? ctx : NULL;
}

TEST_ONCE(counters_and_observers_belong_to_one_thread) { /* threads */
    diary pages = {.all_have_reasons = true};
    tn_counters theirs = {0}, before = tn_counters_now();
    tn_set_observer(write_diary, &pages);
    TEST_DEFER(remove_observer, NULL);
    pthread_t thread;
    void *right = NULL;
    CHECK(pthread_create(&thread, NULL, work_unseen, &theirs) == 0);
    pthread_join(thread, &right);
    CHECK(right);
    CHECK_INT(theirs.allocations, 1);
    CHECK_INT(theirs.allocated_bytes, 10);
    CHECK_INT(tn_counters_since(before).allocations, 0);
    CHECK_INT(pages.events, 0);
}

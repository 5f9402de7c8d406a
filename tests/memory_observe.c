/* memory_observe.c - what can be known about memory in use: statistics, reporter, trace, snapshot, junk fill, pressure.
 *
 * Tests: src/memory/snapshot.c, src/memory/statistics.c, src/memory/trace.c, src/memory/watch.c */
#include "memory_helpers.h"

#include "base/common.h"
#include "base/thread.h"

static counting_raw raw_state;

/* ---- statistics ---- */

TEST(statistics_of_a_plain_allocator_are_exact) {
    tn_allocator *allocator = counting_allocator(&raw_state, SIZE_MAX);
    CHECK(allocator);
    tn_data_ptr *a = hold_there(allocator, 100), *b = hold_there(allocator, 50);
    tn_data_ptr_clear(a);
    tn_data_ptr *c = hold_there(allocator, 20);
    tn_memory_stats stats = stats_of(allocator);
    CHECK_INT(stats.bytes.current, 70);
    CHECK_INT(stats.bytes.peak, 150);
    CHECK_INT(stats.bytes.allocated, 170);
    CHECK_INT(stats.bytes.freed, 100);
    CHECK_INT(stats.blocks.current, 2);
    CHECK_INT(stats.blocks.peak, 2);
    CHECK_INT(stats.blocks.allocated, 3);
    CHECK_INT(stats.blocks.freed, 1);
    CHECK_INT(stats.reserved.current, 70);
    CHECK_INT(stats.reserved.peak, 150);
    CHECK_INT(stats.segments.current, 2);
    CHECK_INT(stats.cached, 0);
    CHECK_INT(stats.fragmented, 0);
    tn_allocator_reset_peaks(allocator);
    stats = stats_of(allocator);
    CHECK_INT(stats.bytes.peak, 70);
    CHECK_INT(stats.blocks.peak, 2);
    CHECK_INT(stats.bytes.allocated, 170);
    tn_data_ptr_clear(b);
    tn_data_ptr_clear(c);
    CHECK_INT(stats_of(allocator).bytes.current, 0);
    CHECK_INT(stats_of(allocator).bytes.peak, 70);
}

TEST(a_devices_statistics_are_the_sum_of_its_allocators) {
    tn_memory_stats before = {.struct_size = sizeof before}, after = before;
    CHECK_INT(tn_memory_stats_of(TN_CPU, &before), TN_OK);
    tn_allocator *one = counting_allocator(&raw_state, SIZE_MAX);
    static counting_raw second_state;
    tn_allocator *two = one ? counting_caching(&second_state, SIZE_MAX, 0, 0) : NULL;
    CHECK(two);
    hold_there(one, 1000);
    hold_there(two, 200);
    hold_there(tn_cpu_allocator_caching(), 30);
    hold_there(tn_cpu_allocator_plain(), 4);
    CHECK_INT(tn_memory_stats_of(TN_CPU, &after), TN_OK);
    CHECK_INT(after.bytes.current - before.bytes.current, 1234);
    CHECK_INT(after.blocks.current - before.blocks.current, 4);
    CHECK_INT(after.struct_size, sizeof after);
    tn_memory_reset_peaks(TN_CPU);
    CHECK_INT(tn_memory_stats_of(TN_CPU, &after), TN_OK);
    CHECK(after.bytes.peak >= after.bytes.current);
    CHECK_INT(tn_memory_stats_of(TN_OPENCL, &after), TN_OK);
    CHECK_INT(after.bytes.allocated, 0);
}

TEST(statistics_check_their_arguments) {
    tn_memory_stats stats = {.struct_size = sizeof stats - 1};
    CHECK_ERROR(TN_ERROR_ARGUMENT, "struct_size", tn_memory_stats_of(TN_CPU, &stats));
    CHECK_ERROR(TN_ERROR_ARGUMENT, "struct_size", tn_allocator_stats(tn_cpu_allocator_plain(), &stats));
    CHECK_ERROR(TN_ERROR_ARGUMENT, "out is NULL", tn_memory_stats_of(TN_CPU, NULL));
    stats.struct_size = sizeof stats;
    CHECK_ERROR(TN_ERROR_DEVICE, "no device type 99", tn_memory_stats_of(99, &stats));
    CHECK_ERROR(TN_ERROR_DEVICE, "no device type -1", tn_memory_reset_peaks(-1));
}

/* ---- reporter ---- */

static tn_memory_event events[16];
static char event_operators[16][16];
static size_t event_count;
static void record_event(void *ctx, const tn_memory_event *event) {
    if (ctx != &event_count || event_count == 16)
        return;
    snprintf(event_operators[event_count], sizeof event_operators[0], "%s", event->operator_name ? event->operator_name : "-");
    events[event_count++] = *event;
}
static void remove_reporter(void *unused) {
    (void)unused;
    tn_set_memory_reporter(NULL, NULL);
}

TEST(the_reporter_sees_every_allocation_and_release) {
    tn_allocator *allocator = counting_allocator(&raw_state, SIZE_MAX);
    static counting_raw second_state;
    tn_allocator *caching = allocator ? counting_caching(&second_state, SIZE_MAX, 0, 0) : NULL;
    CHECK(caching);
    event_count = 0;
    TEST_DEFER(remove_reporter, NULL);
    tn_set_memory_reporter(record_event, &event_count);
    tn_data_ptr *a = hold_there(allocator, 100);
    const char *outer = tni_operator_enter("zeros");
    tn_data_ptr *b = hold_block(caching, 40);
    tni_operator_leave(outer);
    CHECK(b->data);
    void *a_data = a->data, *b_data = b->data;
    tn_data_ptr_clear(a);
    tn_data_ptr *c = hold_there(caching, 50000);
    tn_data_ptr_clear(b);
    tn_data_ptr_clear(c);
    tn_set_memory_reporter(NULL, NULL);
    hold_there(allocator, 1);
    CHECK_INT(event_count, 6);
    CHECK(events[0].data == a_data);
    CHECK_INT(events[0].bytes, 100);
    CHECK_INT(events[0].total_bytes, 100);
    CHECK_INT(events[0].total_reserved, 100);
    CHECK_TEXT(event_operators[0], "-");
    CHECK(tn_device_equal(events[0].device, TN_DEVICE_CPU));
    CHECK(events[1].data == b_data);
    CHECK_INT(events[1].total_bytes, 40);
    CHECK(events[1].total_reserved >= 40);
    CHECK_TEXT(event_operators[1], "zeros");
    CHECK_TEXT(events[1].allocator, "counting caching");
    CHECK_INT(events[2].bytes, -100);
    CHECK_INT(events[2].total_bytes, 0);
    CHECK_INT(events[3].total_bytes, 50040);
    CHECK_INT(events[4].bytes, -40);
    CHECK_INT(events[4].total_bytes, 50000);
    CHECK_INT(events[5].total_bytes, 0);
}

/* ---- trace and snapshot ---- */

static char snapshot_text[1 << 20];

static void take_snapshot(const tn_allocator *allocator) {
    int64_t needed = tn_allocator_snapshot(allocator, NULL, 0);
    CHECK(needed > 0 && (size_t)needed < sizeof snapshot_text);
    CHECK_INT(tn_allocator_snapshot(allocator, snapshot_text, sizeof snapshot_text), needed);
    CHECK_INT(strlen(snapshot_text), needed);
    if (!json_valid(snapshot_text))
        test_fail(__FILE__, __LINE__, "not JSON: %.1500s", snapshot_text);
}

static int64_t occurrences(const char *part) {
    int64_t count = 0;
    for (const char *at = snapshot_text; (at = strstr(at, part)) != NULL; at++)
        count++;
    return count;
}

TEST(the_json_validator_knows_json) {
    CHECK(json_valid("{\"a\": [1, -2, true, null, \"\\u00ff\\n\"], \"b\": {}} "));
    CHECK(!json_valid("{\"a\": [1,]}"));
    CHECK(!json_valid("{\"a\" 1}"));
    CHECK(!json_valid("[1 2]"));
    CHECK(!json_valid("\"\\x\""));
    CHECK(!json_valid("{} {}"));
    CHECK(!json_valid(""));
}

TEST(a_snapshot_is_json_even_with_a_difficult_name) {
    tn_allocator_functions functions = counting_functions(&raw_state, SIZE_MAX);
    functions.name = "a \"quoted\\\" \n name \x01 \xc3\xa4";
    tn_allocator *raw = tn_allocator_create(&functions);
    tn_allocator *caching = raw ? tn_caching_allocator_create(raw, NULL) : NULL;
    CHECK(caching);
    CHECK_INT(tn_allocator_trace(caching, 10), TN_OK);
    hold_there(raw, 10);
    hold_there(caching, 10);
    hold_there(caching, 100000);
    take_snapshot(raw);
    CHECK(strstr(snapshot_text, "\"caching\": false"));
    CHECK(strstr(snapshot_text, "\"segments\": []"));
    take_snapshot(caching);
    CHECK(strstr(snapshot_text, "\\u0022quoted\\u005c\\u0022 \\u000a name \\u0001"));
    CHECK(strstr(snapshot_text, "\"device\": \"cpu:0\", \"caching\": true"));
    CHECK(strstr(snapshot_text, "\"bytes\": {\"current\": 100010, "));
    CHECK_INT(occurrences("\"kind\": \"small\""), 1);
    CHECK_INT(occurrences("\"kind\": \"large\""), 1);
    CHECK_INT(occurrences("\"requested\": 100000, \"used\": true"), 1);
    CHECK(strstr(snapshot_text, "\"block\": 64, \"blocks\": 1024, \"used\": 1,"));
    CHECK(occurrences("\"action\": \"segment_alloc\"") >= 2);
}

TEST(a_snapshot_is_cut_to_the_buffer) {
    tn_allocator *allocator = tn_cpu_allocator_plain();
    char small[20];
    memset(small, 'x', sizeof small);
    int64_t needed = tn_allocator_snapshot(allocator, small, 10);
    CHECK(needed > 100);
    CHECK_TEXT(small, "{\"allocat");
    CHECK_INT(small[10], 'x');
    CHECK_INT(tn_allocator_snapshot(allocator, small, 0), needed);
    CHECK_INT(small[0], '{');
    CHECK_ERROR(TN_ERROR_ARGUMENT, "buffer is NULL", tn_allocator_snapshot(allocator, NULL, 5));
}

TEST(the_trace_keeps_the_last_entries) {
    tn_allocator *allocator = counting_allocator(&raw_state, 100000);
    CHECK(allocator);
    hold_there(allocator, 1);
    CHECK_INT(tn_allocator_trace(allocator, 4), TN_OK);
    const char *outer = tni_operator_enter("an \"op\"");
    tn_data_ptr *block = hold_block(allocator, 2001);
    tni_operator_leave(outer);
    CHECK(block->data);
    take_snapshot(allocator);
    CHECK_INT(occurrences("\"action\""), 1);
    CHECK_INT(occurrences("\"size\": 2001,"), 1);
    CHECK_INT(occurrences("\"operator\": \"an \\u0022op\\u0022\""), 1);
    tn_data_ptr_clear(block);
    CHECK_ERROR(TN_ERROR_MEMORY, "requested", tn_allocator_allocate(allocator, 200000));
    hold_there(allocator, 2002);
    hold_there(allocator, 2003);
    take_snapshot(allocator);
    CHECK_INT(occurrences("\"action\""), 4);
    CHECK(strstr(snapshot_text, "\"trace\": [{\"action\": \"free\""));
    CHECK_INT(occurrences("\"action\": \"failure\", \"address\": \"0x0\", \"size\": 200000"), 1);
    CHECK(strstr(strstr(snapshot_text, "2002"), "2003"));
    CHECK_INT(tn_allocator_trace(allocator, 0), TN_OK);
    take_snapshot(allocator);
    CHECK(strstr(snapshot_text, "\"trace\": []"));
    CHECK_ERROR(TN_ERROR_ARGUMENT, "do not fit", tn_allocator_trace(allocator, SIZE_MAX / 8));
}

/* ---- junk ---- */

static bool is_junk(const void *data) {
    float single;
    double twice;
    int32_t integer;
    memcpy(&single, data, sizeof single);
    memcpy(&twice, data, sizeof twice);
    memcpy(&integer, data, sizeof integer);
    return isnan(single) && isnan(twice) && integer > 1000000000;
}

static void stop_junk(void *unused) {
    (void)unused;
    tn_set_junk_fill(false);
}

TEST(junk_fill_makes_fresh_memory_visible) {
    TEST_DEFER(stop_junk, NULL);
    tn_allocator *allocators[] = {tn_cpu_allocator_plain(), tn_cpu_allocator_caching()};
    for (size_t a = 0; a < 2; a++) {
        tn_set_junk_fill(true);
        tn_data_ptr *block = hold_there(allocators[a], 24);
        CHECK(is_junk(block->data));
        memset(block->data, 0, 24);
        void *data = block->data;
        tn_data_ptr_clear(block);
        block = hold_there(allocators[a], 20);
        CHECK(is_junk(block->data));
        if (a == 1)
            CHECK(block->data == data);
        tn_set_junk_fill(false);
        memset(block->data, 0, 20);
        tn_data_ptr_clear(block);
        if (a == 1)
            CHECK_INT(*(unsigned char *)hold_there(allocators[a], 20)->data, 0);
    }
}

/* The environment is read once, so this runs itself again in a process of its own. */
TEST_ONCE(the_environment_can_ask_for_junk_fill) { /* forks */
    const char *asked = getenv("TENON_JUNK_FILL");
    if (asked && strcmp(asked, "1") == 0) {
        CHECK(is_junk(hold_there(tn_cpu_allocator_caching(), 16)->data));
        return;
    }
    pid_t child = fork();
    CHECK(child >= 0);
    if (child == 0) {
        setenv("TENON_JUNK_FILL", "1", 1);
        if (freopen("/dev/null", "w", stdout))
            execl("/proc/self/exe", "run", "the_environment_can_ask_for_junk_fill", (char *)NULL);
        leave_child(99);
    }
    CHECK_INT(wait_for_child(child), 0);
}

/* ---- pressure ---- */

static int pressure_calls;
static tn_data_ptr *pressure_frees;
static size_t pressure_bytes;
static bool relieve_once(void *ctx, tn_device device, size_t bytes) {
    pressure_calls++;
    pressure_bytes = bytes;
    if (ctx != &pressure_calls || device.type != TN_CPU || !pressure_frees)
        return false;
    tn_data_ptr_clear(pressure_frees);
    return true;
}
static void remove_pressure(void *unused) {
    (void)unused;
    tn_set_memory_pressure(NULL, NULL);
}

TEST_ONCE(the_pressure_callback_may_free_memory_and_have_it_tried_again) { /* it makes the failures itself */
    tn_allocator *allocator = counting_allocator(&raw_state, 1000);
    CHECK(allocator);
    TEST_DEFER(remove_pressure, NULL);
    pressure_frees = hold_there(allocator, 800);
    pressure_calls = 0;
    tn_set_memory_pressure(relieve_once, &pressure_calls);
    hold_there(allocator, 500);
    CHECK_INT(pressure_calls, 1);
    CHECK_INT(pressure_bytes, 500);
    pressure_frees = NULL;
    CHECK_ERROR(TN_ERROR_MEMORY, "requested 600 bytes, in use 500 bytes", tn_allocator_allocate(allocator, 600));
    CHECK_INT(pressure_calls, 2);
    tn_set_memory_pressure(NULL, NULL);
    CHECK_ERROR(TN_ERROR_MEMORY, "requested 700 bytes", tn_allocator_allocate(allocator, 700));
    CHECK_INT(pressure_calls, 2);
}

/* profile.c - tests of the profiler and the operator hook.
 *
 * Tests: src/dispatch/profile_report.c */
#include "test.h"

#include <pthread.h>

static void clear_profile(void *unused) {
    (void)unused;
    tn_profile_clear();
    tn_set_operator_hook(NULL);
}

static tn_profile_row find_row(const char *name) {
    tn_profile_row rows[400];
    int64_t count = tn_profile_rows(rows, 400);
    for (int64_t i = 0; i < count; i++)
        if (strcmp(rows[i].name, name) == 0)
            return rows[i];
    return (tn_profile_row){.calls = 0};
}

/* What a function writes to a stream; it belongs to the test until that ends. NULL when that failed. */
static char *text_of(tn_error (*write)(FILE *stream)) {
    char *text = NULL;
    size_t size;
    FILE *stream = open_memstream(&text, &size);
    tn_error code = write(stream);
    fclose(stream);
    TEST_DEFER(free, text);
    return code == TN_OK ? text : NULL;
}

TEST(the_profiler_counts_calls_bytes_and_failures) {
    TEST_DEFER(clear_profile, NULL);
    CHECK(tn_profile_start(NULL) == TN_OK);
    CHECK(tn_profile_is_running());
    tn_tensor *x = tn_zeros(TN_DIMS(100), TN_FLOAT32);
    tn_tensor *y = tn_add(x, x);
    CHECK(x && y && tn_add(y, y) && tn_neg_(y) == y && tn_call_tensor("alias", TN_VALUES(y)));
    CHECK_ERROR(TN_ERROR_INDEX, "select", tn_select(x, 3, 0));
    CHECK(tn_profile_stop() == TN_OK && !tn_profile_is_running());
    CHECK(tn_neg(x));
    tn_profile_row row = find_row("add");
    CHECK_INT(row.calls, 2);
    CHECK_INT(row.failures, 0);
    CHECK_INT(row.allocated_bytes, 800);
    CHECK(row.total_ns > 0 && row.self_ns == row.total_ns);
    CHECK_INT(find_row("neg_").calls, 1);
    CHECK_INT(find_row("alias").calls, 1);
    CHECK_INT(find_row("select").failures, 1);
    CHECK_INT(find_row("neg").calls, 0);
    CHECK_INT(tn_profile_rows(NULL, 0), 5);
    tn_profile_clear();
    CHECK_INT(tn_profile_rows(NULL, 0), 0);
}

TEST(the_table_and_the_trace_tell_what_ran) {
    TEST_DEFER(clear_profile, NULL);
    CHECK(tn_profile_start(NULL) == TN_OK);
    tn_tensor *x = tn_ones(TN_DIMS(2, 3), TN_FLOAT64);
    CHECK(x && tn_mul(x, x) && tn_transpose(x, 0, 1));
    CHECK_ERROR(TN_ERROR_INDEX, "select", tn_select(x, 3, 0));
    CHECK(tn_profile_stop() == TN_OK);
    const char *table = text_of(tn_profile_print);
    CHECK(table && strstr(table, "operator") && strstr(table, "transpose") && strstr(table, "48 B") &&
          strstr(table, "1 failed"));
    const char *trace = text_of(tn_profile_write_trace);
    CHECK(trace && strstr(trace, "{\"name\": \"mul\", \"cat\": \"operator\", \"ph\": \"X\""));
    CHECK(strstr(trace, "\"tensors\": \"float64 [2, 3], float64 [2, 3]\", \"allocated_bytes\": 48"));
    CHECK(strstr(trace, "\"error\": \"index\"}}\n]}"));
    CHECK(strstr(trace, "\"calls\": 4, \"events\": 4"));
}

TEST(the_trace_shows_the_tensors_of_an_index_too) {
    TEST_DEFER(clear_profile, NULL);
    tn_tensor *x = tn_ones(TN_DIMS(2, 3), TN_FLOAT64), *rows = tn_zeros(TN_DIMS(4), TN_INT64);
    CHECK(x && rows && tn_profile_start(NULL) == TN_OK);
    CHECK(tn_index(x, TN_ALL, TN_PICK(rows)) && tn_profile_stop() == TN_OK);
    const char *trace = text_of(tn_profile_write_trace);
    CHECK(trace && strstr(trace, "\"tensors\": \"float64 [2, 3], int64 [4]\""));
}

TEST(nothing_recorded_is_an_empty_table_and_an_empty_trace) {
    const char *table = text_of(tn_profile_print), *trace = text_of(tn_profile_write_trace);
    CHECK(table && strchr(table, '\n') == table + strlen(table) - 1);
    CHECK(trace && strstr(trace, "\"traceEvents\": [\n]}\n"));
}

TEST(only_the_newest_events_are_kept) {
    TEST_DEFER(clear_profile, NULL);
    tn_profile_options options = {.struct_size = sizeof options, .events = 3};
    CHECK(tn_profile_start(&options) == TN_OK);
    tn_tensor *x = tn_ones(TN_DIMS(2), TN_FLOAT32);
    for (int i = 0; i < 5; i++)
        CHECK(x && tn_alias(x));
    CHECK(tn_neg(x));
    CHECK(tn_profile_stop() == TN_OK);
    const char *trace = text_of(tn_profile_write_trace);
    CHECK(trace && !strstr(trace, "ones") && strstr(trace, "alias") && strstr(trace, "\"neg\""));
    CHECK(strstr(trace, "\"calls\": 7, \"events\": 3"));
    CHECK_INT(find_row("alias").calls, 5);
    options.events = -1;
    CHECK(tn_profile_start(&options) == TN_OK);
    CHECK(tn_alias(x) && tn_profile_stop() == TN_OK);
    trace = text_of(tn_profile_write_trace);
    CHECK(trace && strstr(trace, "\"calls\": 1, \"events\": 0"));
}

static tn_error call_two(void *ctx, const tn_frame *frame, tn_values arguments, tn_value *result) {
    (void)ctx;
    (void)frame;
    tn_tensor *self = arguments.items[0].as.tensor;
    *result = TN_V(tn_add(tn_neg(self), self));
    return TN_OK;
}

static void drop_two(void *unused) {
    (void)unused;
    bool waiting = tn_error_code() != TN_OK;
    if (tn_operator_unregister("mine::two") != TN_OK && !waiting)
        tn_error_clear();
}

TEST(the_time_of_an_operator_is_told_apart_from_that_of_those_it_calls) {
    TEST_DEFER(clear_profile, NULL);
    CHECK(tn_operator_register("mine::two", "(tensor self) -> tensor", NULL));
    TEST_DEFER(drop_two, NULL);
    CHECK(tn_kernel_register("mine::two", TN_KEY_ANY, TN_KERNEL(call_two, NULL)) == TN_OK);
    tn_tensor *x = tn_ones(TN_DIMS(2), TN_FLOAT32);
    CHECK(x && tn_profile_start(NULL) == TN_OK);
    CHECK(tn_call_tensor("mine::two", TN_VALUES(x)));
    CHECK(tn_profile_stop() == TN_OK);
    tn_profile_row two = find_row("mine::two"), neg = find_row("neg"), add = find_row("add");
    CHECK_INT(two.calls, 1);
    CHECK_INT(neg.calls, 1);
    CHECK_INT(add.calls, 1);
    CHECK_INT(two.self_ns, two.total_ns - neg.total_ns - add.total_ns);
    CHECK_INT(two.allocated_bytes, 16);
}

TEST(the_profiler_refuses_what_cannot_be) {
    tn_profile_options options = {.struct_size = 2};
    TEST_DEFER(clear_profile, NULL);
    CHECK_ERROR(TN_ERROR_ARGUMENT, "struct_size is 2", tn_profile_start(&options));
    options = (tn_profile_options){.struct_size = sizeof options, .events = INT64_C(1) << 40};
    CHECK_ERROR(TN_ERROR_ARGUMENT, "at most", tn_profile_start(&options));
    CHECK_ERROR(TN_ERROR_STATE, "not running", tn_profile_stop());
    CHECK(tn_profile_start(NULL) == TN_OK);
    options.events = 1;
    tn_error second = tn_profile_start(&options);
    CHECK(second != TN_OK);
    CHECK_ERROR(TN_ERROR_ARGUMENT, "stream is NULL", tn_profile_print(NULL));
    CHECK_ERROR(TN_ERROR_ARGUMENT, "stream is NULL", tn_profile_write_trace(NULL));
    CHECK_ERROR(TN_ERROR_ARGUMENT, "room -1", tn_profile_rows(NULL, -1));
    CHECK_ERROR(TN_ERROR_ARGUMENT, "rows is NULL", tn_profile_rows(NULL, 3));
}

TEST_SAMPLED(a_stream_that_refuses_the_text_is_an_error) {
    FILE *full = fopen("/dev/full", "w");
    if (!full)
        return;
    setvbuf(full, NULL, _IONBF, 0);
    tn_error table = tn_profile_print(full);
    tn_error_clear();
    tn_error trace = tn_profile_write_trace(full);
    fclose(full);
    tn_error_clear();
    CHECK_INT(table, TN_ERROR_IO);
    CHECK_INT(trace, TN_ERROR_IO);
}

/* ---- the hook */

typedef struct hook_log {
    char text[400];
    int64_t results, spent;
} hook_log;

static void note_before(void *ctx, const tn_operator_event *event) {
    hook_log *log = ctx;
    size_t used = strlen(log->text);
    snprintf(log->text + used, sizeof log->text - used, "%.*s>%s ", (int)event->depth, "----", tn_operator_name(event->op));
}

static void note_after(void *ctx, const tn_operator_event *event) {
    hook_log *log = ctx;
    size_t used = strlen(log->text);
    snprintf(log->text + used, sizeof log->text - used, "<%s ", event->error == TN_OK ? "ok" : tn_error_name(event->error));
    log->results += event->result && event->result->kind == TN_VALUE_TENSOR;
    log->spent += event->spent.allocated_bytes;
    bool waiting = tn_error_code() != TN_OK;
    tn_scope scope = tn_scope_open();
    (void)tn_alias(event->arguments.items[0].as.tensor); /* not reported */
    tn_scope_close(scope);
    if (!waiting)
        tn_error_clear();
}

TEST(a_hook_is_called_around_every_operator) {
    hook_log log = {.results = 0};
    tn_tensor *x = tn_ones(TN_DIMS(2), TN_FLOAT32);
    CHECK(x && tn_operator_register("mine::two", "(tensor self) -> tensor", NULL));
    TEST_DEFER(drop_two, NULL);
    CHECK(tn_kernel_register("mine::two", TN_KEY_ANY, TN_KERNEL(call_two, NULL)) == TN_OK);
    TEST_DEFER(clear_profile, NULL);
    tn_operator_hook hook = {.struct_size = sizeof hook, .ctx = &log, .before = note_before, .after = note_after};
    CHECK(tn_set_operator_hook(&hook) == TN_OK);
    tn_tensor *y = tn_call_tensor("mine::two", TN_VALUES(x));
    tn_tensor *z = tn_neg(x);
    tn_tensor *none = tn_select(x, 5, 0);
    CHECK(tn_set_operator_hook(NULL) == TN_OK);
    CHECK(y && z && !none);
    CHECK_ERROR(TN_ERROR_INDEX, "select", tn_select(x, 5, 0));
    CHECK_TEXT(log.text, ">mine::two ->neg <ok ->add <ok <ok >neg <ok >select <index ");
    CHECK_INT(log.results, 4);
    CHECK_INT(log.spent, 16 + 8 + 8 + 8);
}

TEST(a_hook_struct_that_cannot_be_is_refused) {
    struct {
        tn_operator_hook hook;
        void *later;
    } longer = {{.struct_size = sizeof longer}, &longer};
    CHECK_ERROR(TN_ERROR_UNSUPPORTED, "does not know", tn_set_operator_hook(&longer.hook));
    longer.hook.struct_size = 8;
    CHECK_ERROR(TN_ERROR_ARGUMENT, "struct_size is 8", tn_set_operator_hook(&longer.hook));
}

static void *run_operators(void *unused) {
    (void)unused;
    tn_tensor *x = tn_ones(TN_DIMS(4), TN_FLOAT32);
    for (int i = 0; i < 500; i++)
        tn_release(tn_add(x, x));
    tn_release(x);
    return NULL;
}

TEST_ONCE(all_threads_are_profiled) { /* threads */
    CHECK(tn_profile_start(NULL) == TN_OK);
    TEST_DEFER(clear_profile, NULL);
    pthread_t threads[3];
    for (int i = 0; i < 3; i++)
        CHECK(pthread_create(&threads[i], NULL, run_operators, NULL) == 0);
    for (int i = 0; i < 3; i++)
        CHECK(pthread_join(threads[i], NULL) == 0);
    CHECK(tn_profile_stop() == TN_OK);
    CHECK_INT(find_row("add").calls, 1500);
    CHECK_INT(find_row("ones").calls, 3);
}

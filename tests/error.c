/* error.c - the error record: first error kept, texts cut, observers, one record for each thread.
 *
 * Tests: src/tensor/check.c, src/tensor/show.c */
#include "test.h"

#include <pthread.h>

#include "base/error.h"
#include "base/thread.h"

TEST(there_is_no_error_until_one_is_raised) {
    CHECK_INT(tn_error_code(), TN_OK);
    CHECK_TEXT(tn_error_message(), "");
    CHECK_TEXT(tn_error_operator(), "");
    tn_error_record record = {.code = TN_ERROR_IO, .message = "old"};
    CHECK_INT(tn_error_take(&record), TN_OK);
    CHECK_INT(record.code, TN_OK);
    CHECK_TEXT(record.message, "");
    CHECK_INT(tn_error_take(NULL), TN_OK);
}

TEST(the_first_error_is_kept_until_it_is_taken_or_cleared) {
    CHECK_INT(tn_error_raise(TN_ERROR_SHAPE, "first", "one %d", 1), TN_ERROR_SHAPE);
    CHECK_INT(tn_error_raise(TN_ERROR_IO, "second", "two"), TN_ERROR_IO);
    CHECK_INT(tn_error_code(), TN_ERROR_SHAPE);
    CHECK_TEXT(tn_error_message(), "first: one 1");
    CHECK_TEXT(tn_error_operator(), "first");
    tn_error_record record;
    CHECK_INT(tn_error_take(&record), TN_ERROR_SHAPE);
    CHECK_INT(record.code, TN_ERROR_SHAPE);
    CHECK_TEXT(record.message, "first: one 1");
    CHECK_TEXT(record.operator_name, "first");
    CHECK_INT(tn_error_code(), TN_OK);
    tn_error_raise(TN_ERROR_IO, NULL, "three");
    CHECK_TEXT(tn_error_message(), "three");
    CHECK_TEXT(tn_error_operator(), "");
    tn_error_clear();
    tn_error_clear();
    CHECK_INT(tn_error_code(), TN_OK);
    CHECK_TEXT(tn_error_message(), "");
}

TEST(a_chain_of_calls_keeps_the_cause_of_its_first_failure) {
    tn_tensor *x = tn_transpose(tn_view(tn_zeros(TN_DIMS(2, -3), TN_FLOAT32), TN_DIMS(6)), 0, 0);
    CHECK(!x);
    CHECK_INT(tn_error_code(), TN_ERROR_SHAPE);
    CHECK_TEXT(tn_error_operator(), "zeros");
    CHECK(strstr(tn_error_message(), "zeros: size -3 of dimension 1"));
    CHECK_INT(tn_set_element(x, TN_DIMS(0), TN_SCALAR(1)), TN_ERROR_SHAPE);
    CHECK_INT(tn_set_readonly(x), TN_ERROR_SHAPE);
    CHECK(isnan(tn_item_double(x)));
    CHECK_INT(tn_error_take(NULL), TN_ERROR_SHAPE);
}

TEST(a_code_that_is_returned_is_that_of_this_failure_and_not_of_an_earlier_one) {
    tn_tensor *x = tn_zeros(TN_DIMS(2), TN_UINT8);
    CHECK(x);
    tn_error_raise(TN_ERROR_IO, "earlier", "something else");
    CHECK_INT(tn_set_element(x, TN_DIMS(5), TN_SCALAR(1)), TN_ERROR_INDEX);
    CHECK_INT(tn_set_element(x, TN_DIMS(1), TN_SCALAR(300)), TN_ERROR_DTYPE);
    CHECK_INT(tn_set_readonly(x), TN_OK);
    CHECK_INT(tn_set_element(x, TN_DIMS(1), TN_SCALAR(3)), TN_ERROR_READONLY);
    CHECK_INT(tn_error_take(NULL), TN_ERROR_IO);
}

TEST(every_code_has_a_name_and_other_numbers_have_none) {
    for (int code = TN_OK; code <= TN_ERROR_LINALG; code++) {
        CHECK(tn_error_name((tn_error)code) && strcmp(tn_error_name((tn_error)code), "unknown") != 0);
        for (int other = TN_OK; other < code; other++)
            CHECK(strcmp(tn_error_name((tn_error)code), tn_error_name((tn_error)other)) != 0);
    }
    CHECK_TEXT(tn_error_name(TN_ERROR_SHAPE), "shape");
    CHECK_TEXT(tn_error_name((tn_error)-1), "unknown");
    CHECK_TEXT(tn_error_name((tn_error)(TN_ERROR_LINALG + 1)), "unknown");
    CHECK_TEXT(tn_error_name((tn_error)INT32_MAX), "unknown");
}

TEST(raising_something_that_is_no_error_is_an_internal_error) {
    tn_error codes[] = {TN_OK, (tn_error)-1, (tn_error)(TN_ERROR_LINALG + 1), (tn_error)INT32_MIN};
    for (int i = 0; i < 4; i++) {
        CHECK_INT(tn_error_raise(codes[i], "binding", "text"), TN_ERROR_INTERNAL);
        CHECK_INT(tn_error_take(NULL), TN_ERROR_INTERNAL);
    }
}

TEST(an_error_always_has_a_message) {
    const char *nothing = "";
    tn_error_raise(TN_ERROR_IO, NULL, "%s", nothing);
    CHECK_TEXT(tn_error_message(), "io");
    tn_error_clear();
    tn_error_raise(TN_ERROR_IO, NULL, NULL);
    CHECK_TEXT(tn_error_message(), "no message");
    tn_error_clear();
    tn_error_raise(TN_ERROR_IO, "name", "%s", nothing);
    CHECK_TEXT(tn_error_message(), "name: ");
    tn_error_clear();
}

TEST(text_that_does_not_fit_is_cut_and_says_so) {
    char text[2 * TN_ERROR_MESSAGE_SIZE];
    for (size_t length = TN_ERROR_MESSAGE_SIZE - 12; length < TN_ERROR_MESSAGE_SIZE + 8; length++) {
        memset(text, 'x', length);
        text[length] = 0;
        tn_error_raise(TN_ERROR_IO, "op", "%s", text);
        size_t whole = length + 4; /* "op: " */
        if (whole < TN_ERROR_MESSAGE_SIZE) {
            CHECK_INT(strlen(tn_error_message()), whole);
            CHECK_INT(tn_error_message()[whole - 1], 'x');
        } else {
            CHECK_INT(strlen(tn_error_message()), TN_ERROR_MESSAGE_SIZE - 1);
            CHECK_TEXT(tn_error_message() + TN_ERROR_MESSAGE_SIZE - 5, "x...");
        }
        tn_error_clear();
    }
    memset(text, 'y', sizeof text - 1);
    text[sizeof text - 1] = 0;
    tn_error_raise(TN_ERROR_IO, text, "why");
    CHECK_INT(strlen(tn_error_operator()), TN_ERROR_OPERATOR_SIZE - 1);
    CHECK_TEXT(tn_error_message() + TN_ERROR_OPERATOR_SIZE - 1, ": why");
    tn_error_clear();
}

TEST(a_growing_text_never_overflows_and_marks_what_was_cut) {
    char buffer[16];
    tni_text text = {buffer, sizeof buffer, 0};
    tni_text_append(&text, "%s", "0123456789");
    tni_text_append(&text, "%s", "abcde");
    CHECK_TEXT(buffer, "0123456789abcde");
    tni_text_append(&text, "%s", "");
    CHECK_TEXT(buffer, "0123456789abcde");
    tni_text_append(&text, "f");
    CHECK_TEXT(buffer, "0123456789ab...");
    tni_text_append(&text, "ghijklmnopqrstuvwxyz");
    CHECK_TEXT(buffer, "0123456789ab...");
    int64_t many[64];
    for (int i = 0; i < 64; i++)
        many[i] = INT64_MIN;
    const char *dims = tni_show_dims(many, 64);
    CHECK_INT(strlen(dims), TNI_SHOW_SIZE - 1);
    CHECK_TEXT(dims + TNI_SHOW_SIZE - 4, "...");
    CHECK_TEXT(tni_show_dims(many, 0), "[]");
    CHECK_TEXT(tni_show_dims((int64_t[]){2, -3}, 2), "[2, -3]");
    CHECK_TEXT(tni_show_bytes(1023), "1023 bytes");
    CHECK_TEXT(tni_show_bytes(1536), "1.5 KiB (1536 bytes)");
    CHECK_TEXT(tni_show_bytes(SIZE_MAX), "16 EiB (18446744073709551615 bytes)");
}

TEST(every_function_names_itself_in_its_errors) {
    tn_error_record record;
#define CHECK_NAMED(name, call)                                                                                                \
    do {                                                                                                                       \
        (void)(call);                                                                                                          \
        CHECK_INT(tn_error_take(&record), TN_ERROR_ARGUMENT);                                                                  \
        CHECK_TEXT(record.operator_name, name);                                                                                \
        CHECK(strncmp(record.message, name ": ", strlen(name ": ")) == 0);                                                     \
        CHECK(strstr(record.message, " is NULL"));                                                                             \
    } while (0)
    CHECK_NAMED("ndim", tn_ndim(NULL));
    CHECK_NAMED("size", tn_size(NULL, 0));
    CHECK_NAMED("stride", tn_stride(NULL, 0));
    CHECK_NAMED("is_alias_of", tn_is_alias_of(NULL, NULL));
    CHECK_NAMED("item_double", tn_item_double(NULL));
    CHECK_NAMED("get_element", tn_get_element(NULL, TN_DIMS()));
    CHECK_NAMED("set_element", tn_set_element(NULL, TN_DIMS(), TN_SCALAR(0)));
    CHECK_NAMED("mutable_data", tn_mutable_data(NULL));
    CHECK_NAMED("write_float32", tn_write_float32(NULL).data);
    CHECK_NAMED("list_at", tn_list_at(NULL, 0));
    CHECK_NAMED("transpose", tn_transpose(NULL, 0, 1));
    CHECK_NAMED("from_text", tn_from_text(NULL, TN_DTYPE_DEFAULT));
    CHECK_NAMED("from_storage", tn_from_storage(NULL, 0, TN_DIMS(), TN_DIMS(), TN_UINT8));
    CHECK_NAMED("from_memory", tn_from_memory(NULL, TN_DIMS(1), TN_UINT8, TN_COPY));
}

/* ---- the observer */

typedef struct witness {
    int calls;
    tn_error_record last;
    tn_error raised_inside;
    bool clear, fail, replace;
} witness;

static void witness_error(void *ctx, const tn_error_record *record) {
    witness *seen = ctx;
    seen->calls++;
    seen->last = *record;
    if (seen->fail) { /* may call Tenon, and fail there: not observed again */
        tn_scope scope = tn_scope_open();
        if (!tn_zeros(TN_DIMS(-1), TN_UINT8))
            seen->raised_inside = TN_ERROR_SHAPE;
        tn_scope_close(scope);
    }
    if (seen->clear)
        tn_error_clear();
    if (seen->replace)
        tn_error_observe(NULL, NULL);
}

static void no_observer(void *unused) {
    (void)unused;
    tn_error_observe(NULL, NULL);
}

TEST(an_observer_sees_every_error_also_those_that_are_not_kept) {
    witness seen = {0};
    TEST_DEFER(no_observer, NULL);
    tn_error_observe(witness_error, &seen);
    tn_error_raise(TN_ERROR_SHAPE, "a", "first");
    tn_error_raise(TN_ERROR_IO, "b", "second");
    CHECK_INT(seen.calls, 2);
    CHECK_INT(seen.last.code, TN_ERROR_IO);
    CHECK_TEXT(seen.last.message, "b: second");
    CHECK_TEXT(seen.last.operator_name, "b");
    CHECK_INT(tn_error_code(), TN_ERROR_SHAPE);
    tn_error_observe(NULL, NULL);
    tn_error_raise(TN_ERROR_IO, "c", "third");
    CHECK_INT(seen.calls, 2);
    tn_error_clear();
}

TEST(an_observer_may_call_tenon_and_is_not_entered_again) {
    witness seen = {.fail = true};
    TEST_DEFER(no_observer, NULL);
    tn_error_observe(witness_error, &seen);
    CHECK_INT(tn_error_raise(TN_ERROR_IO, "outer", "text"), TN_ERROR_IO);
    CHECK_INT(seen.calls, 1);
    CHECK_INT(seen.raised_inside, TN_ERROR_SHAPE);
    CHECK_TEXT(tn_error_message(), "outer: text");
    tn_error_clear();
    tn_error_raise(TN_ERROR_IO, "again", "text");
    CHECK_INT(seen.calls, 2);
    tn_error_clear();
}

TEST(an_observer_may_clear_the_error_and_failure_is_still_told) {
    tn_tensor *x = tn_zeros(TN_DIMS(2), TN_UINT8);
    CHECK(x);
    witness seen = {.clear = true};
    TEST_DEFER(no_observer, NULL);
    tn_error_observe(witness_error, &seen);
    CHECK_INT(tn_set_element(x, TN_DIMS(2), TN_SCALAR(1)), TN_ERROR_INDEX);
    CHECK_INT(tn_set_element(NULL, TN_DIMS(2), TN_SCALAR(1)), TN_ERROR_ARGUMENT);
    CHECK_INT(tn_set_readonly(NULL), TN_ERROR_ARGUMENT);
    CHECK_INT(tn_scope_close((tn_scope){UINT64_MAX}), TN_ERROR_STATE);
    CHECK_INT(tn_error_code(), TN_OK);
    CHECK_INT(seen.calls, 4);
}

TEST(an_observer_may_remove_itself) {
    witness seen = {.replace = true};
    TEST_DEFER(no_observer, NULL);
    tn_error_observe(witness_error, &seen);
    tn_error_raise(TN_ERROR_IO, "a", "first");
    tn_error_raise(TN_ERROR_IO, "a", "second");
    CHECK_INT(seen.calls, 1);
    tn_error_clear();
}

/* ---- threads */

static void *fail_elsewhere(void *ctx) {
    bool *good = ctx;
    *good = tn_error_code() == TN_OK && strcmp(tn_error_message(), "") == 0;
    tn_error_raise(TN_ERROR_DEVICE, "thread", "of its own");
    *good = *good && tn_error_code() == TN_ERROR_DEVICE;
    return NULL;
}

TEST_ONCE(each_thread_has_its_own_error) { /* threads */
    tn_error_raise(TN_ERROR_SHAPE, "main", "stays");
    bool good = false;
    pthread_t thread;
    CHECK(pthread_create(&thread, NULL, fail_elsewhere, &good) == 0);
    pthread_join(thread, NULL);
    CHECK(good);
    CHECK_TEXT(tn_error_message(), "main: stays");
    tn_error_clear();
}

typedef struct tally {
    _Atomic int64_t calls;
    int64_t number; /* what each observer's ctx must be */
} tally;
static tally tallies[2];
static _Atomic bool mixed_up;

static void count_first(void *ctx, const tn_error_record *record) {
    (void)record;
    if (ctx != &tallies[0])
        mixed_up = true;
    tallies[0].calls++;
}

static void count_second(void *ctx, const tn_error_record *record) {
    (void)record;
    if (ctx != &tallies[1])
        mixed_up = true;
    tallies[1].calls++;
}

static void *raise_many(void *unused) {
    for (int i = 0; i < 3000; i++) {
        tn_error_raise(TN_ERROR_IO, "raise", "%d", i);
        tn_error_clear();
    }
    return unused;
}

TEST_ONCE(an_observer_always_gets_its_own_ctx_while_it_is_exchanged) { /* threads */
    pthread_t threads[3];
    mixed_up = false;
    tallies[0].calls = tallies[1].calls = 0;
    tn_error_observe(count_first, &tallies[0]);
    for (int i = 0; i < 3; i++)
        CHECK(pthread_create(&threads[i], NULL, raise_many, NULL) == 0);
    for (int i = 0; i < 3000; i++)
        tn_error_observe(i % 2 ? count_first : count_second, &tallies[i % 2 ? 0 : 1]);
    for (int i = 0; i < 3; i++)
        pthread_join(threads[i], NULL);
    tn_error_observe(NULL, NULL);
    CHECK(!mixed_up);
    CHECK_INT(tallies[0].calls + tallies[1].calls, 9000);
}

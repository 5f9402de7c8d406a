/* cancel.c - calls that are stopped in the middle: they fail with TN_ERROR_CANCELLED, leak nothing, leave every field as it
 * was, and the next call works. Each call is stopped at every place where it asks. */
#include "test.h"

#include <pthread.h>

#include "base/cancel.h"
#include "base/heap.h"
#include "base/parallel.h"

typedef struct asker {
    int64_t asked, stop_at; /* the question that is answered with yes, from 1; 0: none */
} asker;

static bool answer(void *ctx) {
    asker *self = ctx;
    tni_thread_get()->cancel_asked = 0; /* so that it asks again at the next opportunity, and not after milliseconds */
    return ++self->asked == self->stop_at;
}

static void no_check(void *unused) {
    (void)unused;
    tn_set_cancel_check(NULL, NULL);
}

enum { LARGE = 390000 };

typedef tn_tensor *(*long_call)(tn_tensor *x, tn_tensor *positions);

static tn_tensor *first_of(tn_list *list) { return list ? tn_list_at(list, 0) : NULL; }

#define LONG(name, expression)                                                                                                 \
    static tn_tensor *long_##name(tn_tensor *x, tn_tensor *positions) {                                                        \
        (void)positions;                                                                                                       \
        return expression;                                                                                                     \
    }
LONG(exp, tn_exp(x))
LONG(add, tn_add(x, x))
LONG(mixed, tn_add(x, positions))
LONG(sum, tn_sum(x, TN_DTYPE_DEFAULT))
LONG(sum_rows, tn_sum_dim(tn_view(x, TN_DIMS(300, -1)), TN_DIMS(0), false, TN_DTYPE_DEFAULT))
LONG(sort, first_of(tn_sort(x, 0, false)))
LONG(sort_lines, first_of(tn_sort(tn_view(x, TN_DIMS(300, -1)), 0, true)))
LONG(argsort, tn_argsort(tn_to(x, TN_FLOAT64), 0, false))
LONG(cumsum, tn_cumsum(x, 0, TN_DTYPE_DEFAULT))
LONG(softmax, tn_softmax(tn_view(x, TN_DIMS(300, -1)), 1, TN_DTYPE_DEFAULT))
LONG(nonzero, tn_nonzero(x))
LONG(mask, tn_masked_select(x, tn_gt_scalar(x, 0.25)))
LONG(select, tn_index_select(x, 0, positions))
LONG(gather, tn_gather(x, 0, positions))
LONG(join, tn_cat((const tn_tensor *const[]){x, x, x}, 3, 0))
LONG(transposed, tn_contiguous(tn_t(tn_view(x, TN_DIMS(300, -1))), TN_CONTIGUOUS))
LONG(topk, first_of(tn_topk(x, 1000, 0, true, true)))
LONG(where, tn_where(tn_gt_scalar(x, 0.25), x, x))
LONG(isin, tn_isin(x, tn_narrow(x, 0, 0, 1000), false, false))
LONG(lower, tn_tril(tn_view(x, TN_DIMS(300, -1)), 3))
LONG(flipped, tn_flip(x, TN_DIMS(0)))
LONG(median, tn_median(x))
LONG(histogram, tn_histc(x, 50, 0, 1))
LONG(convert, tn_to(x, TN_COMPLEX64))
#undef LONG

static const struct {
    const char *name;
    long_call call;
} long_calls[] = {
    {"exp", long_exp},           {"add", long_add},         {"mixed", long_mixed},         {"sum", long_sum},
    {"sum_rows", long_sum_rows}, {"sort", long_sort},       {"lines", long_sort_lines},    {"argsort", long_argsort},
    {"cumsum", long_cumsum},     {"softmax", long_softmax}, {"nonzero", long_nonzero},     {"mask", long_mask},
    {"select", long_select},     {"gather", long_gather},   {"join", long_join},           {"transposed", long_transposed},
    {"topk", long_topk},         {"where", long_where},     {"isin", long_isin},           {"lower", long_lower},
    {"flipped", long_flipped},   {"median", long_median},   {"histogram", long_histogram}, {"convert", long_convert},
};

static bool same_result(const tn_tensor *a, const tn_tensor *b) {
    return tn_dtype_of(a) == tn_dtype_of(b) && tn_numel(a) == tn_numel(b) && tn_equal(a, b);
}

/* The question to stop at after this one: with small limits a call asks thousands of times, so it is not stopped at each of
 * them. */
static int64_t next_stop(int64_t k) { return k < 60 ? k + 1 : k + k / 2; }

/* Stopped at its first question, its second, ...; then once more without a check. Whether it asked at all. */
static bool stop_everywhere(const char *name, long_call call, tn_tensor *x, tn_tensor *positions) {
    tn_scope outer = tn_scope_open();
    tn_tensor *expected = call(x, positions);
    if (!expected)
        test_fail(__FILE__, __LINE__, "%s: %s", name, tn_error_message());
    for (int64_t k = 1;; k = next_stop(k)) {
        asker ask = {.stop_at = k};
        tn_scope scope = tn_scope_open();
        tn_set_cancel_check(answer, &ask);
        tn_tensor *result = call(x, positions);
        tn_set_cancel_check(NULL, NULL);
        bool stopped = ask.asked >= k;
        tn_error code = tn_error_take(NULL);
        if (code != (stopped ? TN_ERROR_CANCELLED : TN_OK) || (result != NULL) == stopped)
            test_fail(__FILE__, __LINE__, "%s, stopped at question %lld: %s", name, (long long)k, tn_error_name(code));
        if (ask.asked > k)
            test_fail(__FILE__, __LINE__, "%s went on asking after the answer", name);
        CHECK(stopped || same_result(result, expected));
        tn_scope_close(scope);
        if (stopped)
            continue;
        tn_tensor *again = call(x, positions);
        CHECK(again && same_result(again, expected));
        tn_scope_close(outer);
        return k > 1;
    }
}

/* How many of the calls asked. */
static int stop_all_everywhere(void) {
    tn_tensor *x = tn_rand(TN_DIMS(LARGE), TN_FLOAT32, tn_generator_new(TN_PHILOX, 1));
    tn_tensor *positions = tn_flip(tn_arange(LARGE, TN_INT64), TN_DIMS(0));
    CHECK(x && positions);
    int asked = 0;
    for (size_t i = 0; i < sizeof long_calls / sizeof *long_calls; i++)
        asked += stop_everywhere(long_calls[i].name, long_calls[i].call, x, positions);
    return asked;
}

/* One thread asks after every piece; with several, the others may have done everything. */
static void limit_back(void *before) { tn_limit_threads(*(int64_t *)before); }
#define ALONE()                                                                                                                \
    static int64_t before;                                                                                                     \
    before = tn_limit_threads(1);                                                                                              \
    TEST_DEFER(limit_back, &before)

TEST_ONCE(a_call_can_be_stopped_wherever_it_asks) { /* already as many runs as there are questions */
    TEST_DEFER(no_check, NULL);
    ALONE();
    CHECK(stop_all_everywhere() >= 18);
}

TEST_ONCE(a_call_on_several_threads_can_be_stopped_wherever_it_asks) { /* threads */
    TEST_DEFER(no_check, NULL);
    (void)stop_all_everywhere();
}

TEST(a_cancelled_call_changes_no_field_of_what_it_writes_to) {
    TEST_DEFER(no_check, NULL);
    ALONE();
    tn_tensor *x = tn_zeros(TN_DIMS(LARGE), TN_FLOAT32), *other = tn_ones(TN_DIMS(LARGE), TN_FLOAT32);
    CHECK(x && other);
    asker ask = {.stop_at = 1};
    tn_set_cancel_check(answer, &ask);
    tn_tensor *changed = tn_add_(x, other);
    tn_set_cancel_check(NULL, NULL);
    CHECK(!changed);
    CHECK_INT(tn_error_take(NULL), TN_ERROR_CANCELLED);
    CHECK_INT(tn_ndim(x), 1);
    CHECK_INT(tn_size(x, 0), LARGE);
    CHECK_INT(tn_use_count(x), 1);
    CHECK(tn_zero_(x));
    CHECK(tn_add_(x, other) == x);
    CHECK(tn_equal(x, other));
    tn_error_record record = {0};
    ask = (asker){.stop_at = 1};
    tn_set_cancel_check(answer, &ask);
    tn_tensor *written = tn_exp_out(x, other);
    tn_set_cancel_check(NULL, NULL);
    CHECK(!written);
    CHECK_INT(tn_error_take(&record), TN_ERROR_CANCELLED);
    CHECK_TEXT(record.operator_name, "exp");
    CHECK(strstr(record.message, "cancelled"));
}

/* ---- out tensors that are resized ---- */

typedef tn_tensor *(*long_call_into)(tn_tensor *out, tn_tensor *x, tn_tensor *positions);

#define LONG(name, expression)                                                                                                 \
    static tn_tensor *into_##name(tn_tensor *out, tn_tensor *x, tn_tensor *positions) {                                        \
        (void)x, (void)positions;                                                                                              \
        return expression;                                                                                                     \
    }
LONG(exp, tn_exp_out(out, x))
LONG(add, tn_add_out(out, x, positions))
LONG(cumsum, tn_cumsum_out(out, x, 0, TN_DTYPE_DEFAULT))
LONG(join, tn_cat_out(out, (const tn_tensor *const[]){x, x}, 2, 0))
LONG(join_itself, tn_cat_out(out, (const tn_tensor *const[]){x, out, x}, 3, 0))
LONG(select, tn_index_select_out(out, x, 0, positions))
LONG(full, tn_full_out(out, TN_DIMS(3, LARGE), 2.5, TN_DTYPE_DEFAULT))
LONG(lower, tn_tril_out(out, tn_view(x, TN_DIMS(300, -1)), 3))
#undef LONG

TEST_ONCE(a_cancelled_call_leaves_the_sizes_of_an_out_that_it_resized) { /* already as many runs as there are questions */
    TEST_DEFER(no_check, NULL);
    ALONE();
    static const long_call_into calls[] = {into_exp,         into_add,    into_cumsum, into_join,
                                           into_join_itself, into_select, into_full,   into_lower};
    tn_tensor *x = tn_rand(TN_DIMS(LARGE), TN_FLOAT32, tn_generator_new(TN_PHILOX, 1));
    tn_tensor *positions = tn_flip(tn_arange(LARGE, TN_INT64), TN_DIMS(0));
    CHECK(x && positions);
    int stops = 0;
    for (size_t i = 0; i < sizeof calls / sizeof *calls; i++) {
        bool stopped = true;
        for (int64_t k = 1; stopped; k = next_stop(k)) {
            tn_scope scope = tn_scope_open();
            tn_tensor *out = tn_empty(TN_DIMS(0), TN_FLOAT32);
            CHECK(out);
            asker ask = {.stop_at = k};
            tn_set_cancel_check(answer, &ask);
            tn_tensor *written = calls[i](out, x, positions);
            tn_set_cancel_check(NULL, NULL);
            stopped = ask.asked >= k;
            stops += stopped;
            CHECK_INT(tn_error_take(NULL), stopped ? TN_ERROR_CANCELLED : TN_OK);
            CHECK(written == (stopped ? NULL : out));
            if (stopped && (tn_ndim(out) != 1 || tn_numel(out) != 0 || tn_storage_nbytes(tn_storage_of(out)) != 0))
                test_fail(__FILE__, __LINE__, "call %zu, stopped at question %lld: out has %lld elements", i, (long long)k,
                          (long long)tn_numel(out));
            CHECK(stopped || tn_numel(out) > 0);
            tn_scope_close(scope);
        }
    }
    CHECK(stops >= 16);
}

TEST(a_call_by_name_is_cancelled_too) {
    TEST_DEFER(no_check, NULL);
    ALONE();
    tn_tensor *x = tn_zeros(TN_DIMS(LARGE), TN_FLOAT32);
    CHECK(x);
    asker ask = {.stop_at = 1};
    tn_value result;
    tn_set_cancel_check(answer, &ask);
    tn_error code = tn_call("exp", TN_VALUES(x), &result);
    tn_set_cancel_check(NULL, NULL);
    CHECK_INT(code, TN_ERROR_CANCELLED);
    CHECK_INT(result.kind, TN_VALUE_NONE);
    CHECK_INT(tn_error_take(NULL), TN_ERROR_CANCELLED);
    CHECK_INT(tn_call("exp", TN_VALUES(x), &result), TN_OK);
}

TEST_SAMPLED(cutting_into_many_pieces_can_be_stopped) {
    enum { PIECES = 3 * TNI_STEP / 8 };
    TEST_DEFER(no_check, NULL);
    tn_tensor *one = tn_ones(TN_DIMS(1), TN_FLOAT32), *none = tn_zeros(TN_DIMS(0), TN_FLOAT32);
    tn_tensor *many = tn_expand(one, TN_DIMS(PIECES));
    CHECK(one && none && many);
    for (int i = 0; i < 4; i++) {
        asker ask = {.stop_at = 2};
        int64_t uses = tn_storage_use_count(tn_storage_of(one));
        tn_set_cancel_check(answer, &ask);
        tn_list *pieces = i == 0   ? tn_tensor_split(one, PIECES, 0)
                          : i == 1 ? tn_chunk(none, PIECES, 0)
                          : i == 2 ? tn_split(many, 1, 0)
                                   : tn_unbind(many, 0);
        tn_set_cancel_check(NULL, NULL);
        CHECK_MEMORY();
        CHECK(!pieces);
        CHECK_INT(tn_error_take(NULL), TN_ERROR_CANCELLED);
        CHECK_INT(ask.asked, 2);
        CHECK_INT(tn_storage_use_count(tn_storage_of(one)), uses);
    }
}

TEST(a_check_that_says_no_changes_nothing) {
    TEST_DEFER(no_check, NULL);
    ALONE();
    asker ask = {0};
    tn_set_cancel_check(answer, &ask);
    tn_tensor *x = tn_ones(TN_DIMS(LARGE), TN_FLOAT32), *y = tn_add(x, x);
    CHECK(y);
    CHECK(ask.asked > 0);
    CHECK_DOUBLE(tn_item_double(tn_sum(y, TN_DTYPE_DEFAULT)), 2.0 * LARGE);
}

static bool compute_inside(void *ctx) {
    int *depth = ctx;
    ++*depth;
    tni_thread_get()->cancel_asked = 0;
    tn_scope scope = tn_scope_open();
    tn_tensor *x = tn_ones(TN_DIMS(LARGE), TN_FLOAT32);
    bool right = !x || tn_item_double(tn_sum(x, TN_DTYPE_DEFAULT)) == LARGE;
    tn_scope_close(scope);
    return !right;
}

TEST(a_check_may_call_tenon_and_is_not_asked_from_inside) {
    TEST_DEFER(no_check, NULL);
    ALONE();
    tn_tensor *x = tn_ones(TN_DIMS(LARGE), TN_FLOAT32);
    CHECK(x);
    int depth = 0;
    tn_set_cancel_check(compute_inside, &depth);
    tn_tensor *y = tn_exp(x);
    tn_set_cancel_check(NULL, NULL);
    CHECK(y);
    CHECK(depth > 0);
}

TEST(short_calls_do_not_ask) {
    TEST_DEFER(no_check, NULL);
    asker ask = {.stop_at = 1};
    tn_set_cancel_check(answer, &ask);
    tn_tensor *x = tn_ones(TN_DIMS(2, 2), TN_FLOAT32);
    CHECK(x && tn_add(x, x) && tn_sum(x, TN_DTYPE_DEFAULT) && tn_transpose(x, 0, 1));
    CHECK(ask.asked == 0);
}

/* kl_div calls exp, then sub: where memory fails in the first and the second is cancelled, the code is that of the record. */
TEST_ONCE(a_call_returns_the_code_of_its_first_failure) { /* arms a failing allocation itself */
    TEST_DEFER(no_check, NULL);
    ALONE();
    tn_tensor *x = tn_full(TN_DIMS(LARGE), 0.5, TN_FLOAT32);
    CHECK(x);
    int both = 0;
    for (int64_t k = 1; k <= 3; k++) {
        for (int64_t stop = 1; stop < 40; stop += 3) {
            asker ask = {.stop_at = stop};
            tn_set_cancel_check(answer, &ask);
            tni_fault_arm(k);
            tn_error code = tn_call("kl_div", TN_VALUES(x, x, 0, true), NULL);
            bool hit = tni_fault_disarm();
            tn_set_cancel_check(NULL, NULL);
            both += hit && ask.asked >= ask.stop_at;
            CHECK(code == tn_error_code());
            tn_error_clear();
        }
    }
    CHECK(both > 0);
}

static void *compute_elsewhere(void *ctx) {
    tn_scope scope = tn_scope_open();
    bool right = true;
    for (int i = 0; i < 50; i++) {
        tn_tensor *x = tn_ones(TN_DIMS(LARGE), TN_FLOAT32);
        right = right && x && tn_item_double(tn_sum(tn_add(x, x), TN_DTYPE_DEFAULT)) == 2.0 * LARGE;
    }
    tn_scope_close(scope);
    return right ? ctx : NULL;
}

TEST_ONCE(cancelling_one_threads_calls_leaves_other_threads_alone) { /* threads */
    TEST_DEFER(no_check, NULL);
    ALONE();
    tn_tensor *x = tn_ones(TN_DIMS(LARGE), TN_FLOAT32);
    CHECK(x);
    pthread_t thread;
    CHECK(pthread_create(&thread, NULL, compute_elsewhere, x) == 0);
    int stopped = 0;
    for (int i = 0; i < 50; i++) {
        asker ask = {.stop_at = 1};
        tn_set_cancel_check(answer, &ask);
        stopped += tn_exp(x) == NULL;
        tn_error_clear();
    }
    void *right = NULL;
    pthread_join(thread, &right);
    CHECK(right);
    CHECK_INT(stopped, 50);
}

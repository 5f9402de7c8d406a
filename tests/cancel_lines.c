/* cancel_lines.c - no call goes through a long line without a question: every row of cancel_calls.h asks whether to go on,
 * again and again, and is stopped where the answer is yes. */
#include "test.h"

#include "base/cancel.h"
#include "base/limits.h"
#include "cancel_calls.h"
#include "iterate/limits.h"
#include "kernels/reduce_loop.h"

typedef struct line_asker {
    int64_t asked, stop_at; /* the question that is answered with yes, from 1; 0: none */
} line_asker;

static bool line_answer(void *ctx) {
    line_asker *self = ctx;
    tni_thread_get()->cancel_asked = 0; /* so that it asks again at the next opportunity, and not after milliseconds */
    return ++self->asked == self->stop_at;
}

static void line_no_check(void *unused) {
    (void)unused;
    tn_set_cancel_check(NULL, NULL);
}

static void line_limit_back(void *before) { tn_limit_threads(*(int64_t *)before); }

/* Lines of this many elements are longer than any block. */
enum { LINE_STEPS = 12, LINE_ELEMENTS = LINE_STEPS * TNI_LIMIT(65536, 1024) };

/* These need not ask: they are views, or one system call does them. */
static bool line_is_short(const char *name) { return strcmp(name, "flip") == 0; }

static int64_t line_run(const long_row *row, const long_operands *on, int64_t stop_at) {
    line_asker ask = {.stop_at = stop_at};
    tn_scope scope = tn_scope_open();
    tn_set_cancel_check(line_answer, &ask);
    tn_tensor *result = row->call(on);
    tn_set_cancel_check(NULL, NULL);
    bool stopped = stop_at && ask.asked >= stop_at;
    tn_error code = tn_error_take(NULL);
    if (code != (stopped ? TN_ERROR_CANCELLED : TN_OK) || (result != NULL) == stopped)
        test_fail(__FILE__, __LINE__, "%s, stopped at question %lld: %s", row->name, (long long)stop_at, tn_error_name(code));
    if (stopped && ask.asked > stop_at)
        test_fail(__FILE__, __LINE__, "%s went on asking after the answer", row->name);
    tn_scope_close(scope);
    return ask.asked;
}

/* The fields of the tensor that is written to, before and after. */
static bool line_is_as_made(const tn_tensor *tensor, int64_t count, int64_t uses) {
    return tn_ndim(tensor) == 1 && tn_size(tensor, 0) == count && tn_stride(tensor, 0) == 1 && tn_use_count(tensor) == uses;
}

TEST_ONCE(every_call_on_a_long_line_asks_and_is_stopped) { /* as many runs as there are rows, and more */
    TEST_DEFER(line_no_check, NULL);
    static int64_t before;
    before = tn_limit_threads(1);
    TEST_DEFER(line_limit_back, &before);
    long_operands on;
    CHECK(long_operands_make(&on, LINE_ELEMENTS));
    int64_t uses = tn_use_count(on.target);
    for (int i = 0; i < LONG_ROWS; i++) {
        const long_row *row = &long_rows[i];
        int64_t asked = line_run(row, &on, 0);
        if (asked < LINE_STEPS / 4 && !line_is_short(row->name))
            test_fail(__FILE__, __LINE__, "%s goes through %lld elements and asks %lld times", row->name,
                      (long long)LINE_ELEMENTS, (long long)asked);
        const int64_t stops[] = {1, 2, asked / 2, asked};
        for (size_t k = 0; k < sizeof stops / sizeof *stops; k++)
            if (stops[k] > 0 && stops[k] <= asked)
                (void)line_run(row, &on, stops[k]);
        if (!line_is_as_made(on.target, LINE_ELEMENTS, uses) || !line_is_as_made(on.hundred, 100, uses))
            test_fail(__FILE__, __LINE__, "%s, stopped, changed what it writes to", row->name);
        (void)line_run(row, &on, 0);
    }
}

/* Tall and wide: a task is a tile of columns and all of the rows, since there are enough tiles for every thread. */
static tn_tensor *tall_sum(const tn_tensor *x) { return tn_sum_dim(x, TN_DIMS(0), false, TN_DTYPE_DEFAULT); }
static tn_tensor *tall_prod(const tn_tensor *x) { return tn_prod_dim(x, 0, false, TN_DTYPE_DEFAULT); }
static tn_tensor *tall_max(const tn_tensor *x) { return tn_amax(x, TN_DIMS(0), false); }
static tn_tensor *tall_norm(const tn_tensor *x) { return tn_norm_dim(x, 3, TN_DIMS(0), false, TN_DTYPE_DEFAULT); }
static tn_tensor *wide_max(const tn_tensor *x) { return first_of_list(tn_max_dim(tn_transpose(x, 0, 1), 1, false)); }

TEST_ONCE(reductions_of_what_is_tall_and_wide_ask_within_a_tile) { /* long as it is */
    TEST_DEFER(line_no_check, NULL);
    static int64_t before;
    before = tn_limit_threads(1);
    TEST_DEFER(line_limit_back, &before);
    static const struct {
        const char *name;
        tn_tensor *(*call)(const tn_tensor *x);
        int64_t step;
    } calls[] = {{"sum", tall_sum, REDUCE_LONG},
                 {"prod", tall_prod, REDUCE_LONG},
                 {"amax", tall_max, REDUCE_LONG},
                 {"norm", tall_norm, REDUCE_ASK},
                 {"max", wide_max, REDUCE_LONG}};
    enum { TILES = REDUCE_MANY, STEPS = 3 };
    for (size_t i = 0; i < sizeof calls / sizeof *calls; i++) {
        int64_t columns = TILES * (int64_t)TNI_REDUCE_COLUMNS, rows = STEPS * calls[i].step / TNI_REDUCE_COLUMNS + 1;
        line_asker ask = {0};
        tn_tensor *x = tn_expand(tn_ones(TN_DIMS(1, columns), TN_FLOAT32), TN_DIMS(rows, columns));
        CHECK(x);
        tn_set_cancel_check(line_answer, &ask);
        tn_tensor *result = calls[i].call(x);
        CHECK(result);
        if (ask.asked < STEPS * TILES)
            test_fail(__FILE__, __LINE__, "%s asks %lld times, for %d tiles", calls[i].name, (long long)ask.asked, (int)TILES);
        ask = (line_asker){.stop_at = 2};
        CHECK_ERROR(TN_ERROR_CANCELLED, "", calls[i].call(x));
        CHECK_INT(ask.asked, 2);
        tn_set_cancel_check(NULL, NULL);
    }
}

/* A row of numbers as text: [1,1,...,1]. */
TEST_ONCE(reading_a_long_text_can_be_cancelled) { /* long as it is */
    enum { COUNT = 3 * TNI_STEP };
    static char text[2 * COUNT + 2];
    for (int64_t i = 0; i < COUNT; i++)
        memcpy(text + 2 * i, ",1", 2);
    text[0] = '[';
    text[2 * COUNT] = ']';
    TEST_DEFER(line_no_check, NULL);
    line_asker ask = {.stop_at = 5}; /* in the second pass */
    tn_set_cancel_check(line_answer, &ask);
    CHECK_ERROR(TN_ERROR_CANCELLED, "", tn_from_text(text, TN_FLOAT32));
    CHECK_INT(ask.asked, 5);
    ask.stop_at = 0;
    tn_tensor *read = tn_from_text(text, TN_FLOAT32);
    CHECK(read);
    CHECK_INT(tn_numel(read), COUNT);
}

TEST_ONCE(a_cancelled_write_is_counted) { /* counts questions */
    TEST_DEFER(line_no_check, NULL);
    static int64_t before;
    before = tn_limit_threads(1);
    TEST_DEFER(line_limit_back, &before);
    long_operands on;
    CHECK(long_operands_make(&on, LINE_ELEMENTS));
    tn_tensor *target = tn_zeros(TN_DIMS(LINE_ELEMENTS), TN_FLOAT32);
    CHECK(target);
    for (int which = 0; which < 5; which++) {
        line_asker ask = {.stop_at = 3};
        uint32_t version = tn_tensor_version(target);
        tn_set_cancel_check(line_answer, &ask);
        CHECK_ERROR(TN_ERROR_CANCELLED, "",
                    which == 0   ? tn_arange_out(target, LINE_ELEMENTS, TN_FLOAT32)
                    : which == 1 ? tn_cumsum_out(target, on.x, 0, TN_FLOAT32)
                    : which == 2 ? tn_index_copy_(target, 0, on.positions, on.x)
                    : which == 3 ? tn_scatter_(target, 0, on.positions, on.x)
                                 : tn_take_out(target, on.x, on.positions));
        tn_set_cancel_check(NULL, NULL);
        CHECK(tn_tensor_version(target) > version);
    }
}

/* What tasks leave behind, to be combined, does not grow with the number of elements reduced. */
TEST_ONCE(a_sum_of_very_many_rows_takes_little_memory) { /* it is stopped */
    TEST_DEFER(line_no_check, NULL);
    for (int down = 0; down < 2; down++) {
        tn_tensor *x = tn_expand(tn_ones(TN_DIMS(1, 1024), TN_FLOAT32), TN_DIMS(INT64_C(1) << 36, 1024));
        CHECK(x);
        line_asker ask = {.stop_at = 2};
        tn_set_cancel_check(line_answer, &ask);
        CHECK_ERROR(TN_ERROR_CANCELLED, "", down ? tn_logsumexp(x, TN_DIMS(0), false) : tn_sum(x, TN_DTYPE_DEFAULT));
        tn_set_cancel_check(NULL, NULL);
    }
}

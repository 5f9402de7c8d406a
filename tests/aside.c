/* aside.c - callbacks in the middle of a call: what they make, what they leave open, what fails in them. See base.h.
 *
 * Tests: src/base/callback.c */
#include "test.h"

#include "base/cancel.h"
#include "base/scope.h"

enum { ASIDE_LARGE = 390000 };

static struct aside_seen {
    int calls;
    tn_tensor *made, *inner;
    int64_t depth;
    tn_scope outside;
    tn_error close, nested;
    char named[TN_ERROR_OPERATOR_SIZE];
    double sum;
    bool misbehave;
} seen;

static void aside_nobody(void *unused) {
    (void)unused;
    tn_set_cancel_check(NULL, NULL);
    tn_error_observe(NULL, NULL);
    tn_warning_observe(NULL, NULL);
}

/* Makes a tensor that must survive, and tries everything that is promised to be harmless. */
static void aside_do(void) {
    tn_tensor *made = tn_full(TN_DIMS(3), 7.0, TN_FLOAT32);
    if (seen.calls++ == 0) {
        seen.made = made;
        seen.depth = tn_scope_depth();
    } else if (tn_scope_depth() == 0 && made) {
        tn_release(made); /* no scope owns it */
    }
    tn_error waiting = tn_error_code();
    seen.close = tn_scope_close(seen.outside);
    if (waiting == TN_OK)
        tn_error_clear(); /* what has been looked at */
    if (!seen.misbehave)
        return;
    tn_error_record before, inside;
    (void)tn_error_take(&before);
    seen.nested = tn_reshape(made, TN_DIMS(5)) ? TN_OK : tn_error_take(&inside);
    snprintf(seen.named, sizeof seen.named, "%s", seen.nested ? inside.operator_name : "");
    (void)tn_scope_open(); /* and is left open */
    tn_tensor *large = tn_ones(TN_DIMS(ASIDE_LARGE), TN_FLOAT32);
    seen.sum = large ? tn_item_double(tn_sum(large, TN_DTYPE_DEFAULT)) : -1;
}

static void aside_error(void *ctx, const tn_error_record *record) {
    (void)ctx, (void)record;
    aside_do();
}

static void aside_warning(void *ctx, const tn_warning_record *record) {
    (void)ctx, (void)record;
    aside_do();
}

static bool aside_check(void *ctx) {
    tni_thread_get()->cancel_asked = 0;
    aside_do();
    return *(bool *)ctx;
}

/* Whether what a callback made is alive and has its elements. */
static bool aside_lives(void) {
    return seen.made && tn_numel(seen.made) == 3 && tn_item_double(tn_select(seen.made, 0, 2)) == 7;
}

/* Composite operators open a scope of their own: chunk, outer and others. */
static tn_tensor *aside_composite(const tn_tensor *x) { return tn_outer(x, x); }

TEST_ONCE(what_a_cancel_check_makes_in_a_composite_operator_outlives_it) { /* this is not about failing allocations */
    TEST_DEFER(aside_nobody, NULL);
    seen = (struct aside_seen){0};
    tn_tensor *x = tn_ones(TN_DIMS(700), TN_FLOAT32);
    CHECK(x);
    bool stop = false;
    int64_t before = tn_limit_threads(1);
    tn_scope scope = tn_scope_open();
    seen.outside = scope;
    tn_set_cancel_check(aside_check, &stop);
    tn_tensor *y = aside_composite(x);
    tn_set_cancel_check(NULL, NULL);
    tn_limit_threads(before);
    CHECK(y && seen.calls > 0);
    CHECK_INT(seen.close, TN_ERROR_STATE);
    CHECK_INT(tn_error_code(), TN_OK);
    CHECK_INT(seen.depth, 1 + tn_scope_depth() - 1);
    CHECK(aside_lives());
    CHECK_INT(tn_use_count(seen.made), 1);
    CHECK_DOUBLE(tn_item_double(tn_sum(y, TN_DTYPE_DEFAULT)), 490000);
    tn_tensor *kept = tn_keep(seen.made);
    tn_scope_close(scope);
    CHECK(kept == seen.made && tn_use_count(kept) == 1);
    tn_release(kept);
}

TEST_ONCE(what_an_error_observer_makes_belongs_to_the_scope_of_the_caller) { /* it is about errors */
    TEST_DEFER(aside_nobody, NULL);
    seen = (struct aside_seen){.misbehave = true};
    tn_tensor *x = tn_ones(TN_DIMS(2, 2), TN_FLOAT32);
    CHECK(x);
    tn_scope scope = tn_scope_open();
    seen.outside = scope;
    int64_t depth = tn_scope_depth();
    tn_error_observe(aside_error, NULL);
    tn_tensor *y = aside_composite(x); /* which is not a vector */
    tn_error_observe(NULL, NULL);
    CHECK(!y);
    CHECK_INT(seen.calls, 1);
    CHECK_INT(tn_scope_depth(), depth); /* the scope that was left open is closed */
    CHECK_INT(seen.close, TN_ERROR_STATE);
    CHECK_INT(seen.nested, TN_ERROR_SHAPE);
    CHECK_TEXT(seen.named, "reshape");
    CHECK_DOUBLE(seen.sum, ASIDE_LARGE);
    tn_error_clear();
    CHECK(aside_lives());
    tn_scope_close(scope);
}

TEST_ONCE(without_a_scope_what_a_callback_makes_is_its_own) { /* as above */
    TEST_DEFER(aside_nobody, NULL);
    seen = (struct aside_seen){.misbehave = true};
    tn_scope pause = tn_scope_pause(); /* the test itself runs in a scope */
    tn_tensor *x = tn_ones(TN_DIMS(2, 2), TN_FLOAT32);
    tn_error_observe(aside_error, NULL);
    tn_tensor *y = aside_composite(x);
    tn_error_observe(NULL, NULL);
    tn_error_clear();
    bool alone = !y && seen.made && tn_use_count(seen.made) == 1;
    tn_release(seen.made);
    tn_release(x);
    tn_scope_close(pause);
    CHECK(alone);
    CHECK_INT(tn_error_code(), TN_OK);
}

TEST_ONCE(an_error_observer_may_compute_while_a_call_is_cancelled) { /* as above */
    TEST_DEFER(aside_nobody, NULL);
    seen = (struct aside_seen){.misbehave = true};
    tn_tensor *x = tn_ones(TN_DIMS(ASIDE_LARGE), TN_FLOAT32);
    CHECK(x);
    int64_t before = tn_limit_threads(1);
    bool stop = true;
    tn_error_observe(aside_error, NULL);
    tn_set_cancel_check(aside_check, &stop);
    tn_tensor *y = tn_exp(x);
    tn_set_cancel_check(NULL, NULL);
    tn_error_observe(NULL, NULL);
    tn_limit_threads(before);
    CHECK(!y);
    CHECK(seen.calls >= 2); /* the check, and the observer */
    CHECK_DOUBLE(seen.sum, ASIDE_LARGE);
    tn_error_clear();
    CHECK(tn_exp(x)); /* and the next call works */
}

TEST_ONCE(what_a_warning_observer_makes_lives_and_what_it_cleared_is_gone) { /* as above */
    TEST_DEFER(aside_nobody, NULL);
    seen = (struct aside_seen){.misbehave = true};
    tn_scope scope = tn_scope_open();
    seen.outside = scope;
    tn_warning_observe(aside_warning, NULL);
    tn_warn("somebody", "something");
    tn_warning_observe(NULL, NULL);
    CHECK_INT(seen.calls, 1);
    CHECK_INT(seen.nested, TN_ERROR_SHAPE);
    CHECK_INT(tn_error_code(), TN_OK);
    CHECK(aside_lives());
    tn_scope_close(scope);
}

static bool aside_draws(void *ctx) {
    tni_thread_get()->cancel_asked = 0;
    tn_scope scope = tn_scope_open();
    *(bool *)ctx = tn_rand(TN_DIMS(4), TN_FLOAT32, NULL) != NULL;
    tn_scope_close(scope);
    return false;
}

TEST_ONCE(a_check_may_draw_from_the_generator_that_is_being_drawn_from) { /* as above */
    TEST_DEFER(aside_nobody, NULL);
    int64_t before = tn_limit_threads(1);
    bool drawn = false;
    tn_set_cancel_check(aside_draws, &drawn);
    tn_tensor *x = tn_rand(TN_DIMS(ASIDE_LARGE), TN_FLOAT32, NULL), *order = tn_randperm(ASIDE_LARGE, TN_INT64, NULL);
    tn_set_cancel_check(NULL, NULL);
    tn_limit_threads(before);
    CHECK(x && order && drawn);
    CHECK_INT(tn_item_int64(tn_max(order)), ASIDE_LARGE - 1);
}

/* Objects of hidden scopes stay theirs when those of a callback are put before them. */
TEST(objects_of_a_callback_go_below_those_of_hidden_scopes) {
    tn_scope outer = tn_scope_open();
    tn_tensor *first = tn_ones(TN_DIMS(1), TN_FLOAT32);
    tn_scope hidden = tni_scope_open_hidden();
    tn_tensor *second = tn_ones(TN_DIMS(2), TN_FLOAT32);
    tn_scope inner = tni_scope_open_hidden();
    tn_tensor *third = tn_ones(TN_DIMS(3), TN_FLOAT32);
    CHECK(first && second && third && hidden.id && inner.id);
    size_t mark = tni_scope_aside(tni_thread_get());
    tn_tensor *fourth = tn_ones(TN_DIMS(4), TN_FLOAT32), *fifth = tn_ones(TN_DIMS(5), TN_FLOAT32);
    tni_scope_aside_end(tni_thread_get(), mark);
    CHECK(fourth && fifth);
    tn_retain(third);
    tn_retain(second);
    tn_scope_close(inner);
    CHECK(tn_use_count(third) == 1 && tn_use_count(second) == 2);
    tn_scope_close(hidden);
    CHECK(tn_use_count(second) == 1);
    CHECK(tn_numel(fourth) == 4 && tn_numel(fifth) == 5 && tn_numel(first) == 1);
    tn_release(third);
    tn_release(second);
    tn_retain(fifth);
    tn_scope_close(outer);
    CHECK_INT(tn_use_count(fifth), 1);
    tn_release(fifth);
}

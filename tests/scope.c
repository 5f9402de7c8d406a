/* scope.c - who owns what: scopes nested, skipped, closed twice, from deleters and from other threads; keep; reference counts.
 *
 * Every test runs inside the runner's scope, so depths are counted from there.
 *
 * Tests: src/base/object.c, src/base/thread.c */
#include "scope_helpers.h"

#include <pthread.h>

#include "base/scope.h"
#include "storage_helpers.h"

TEST(a_scope_releases_what_was_created_in_it) {
    deletions = 0;
    int64_t depth = tn_scope_depth();
    tn_scope scope = tn_scope_open();
    CHECK(scope.id != 0);
    CHECK_INT(tn_scope_depth(), depth + 1);
    for (int i = 0; i < 20; i++)
        CHECK(mortal());
    CHECK_INT(deletions, 0);
    CHECK_INT(tn_scope_close(scope), TN_OK);
    CHECK_INT(deletions, 20);
    CHECK_INT(tn_scope_depth(), depth);
}

TEST(what_is_created_belongs_to_the_innermost_scope) {
    deletions = 0;
    tn_scope outer = tn_scope_open();
    CHECK(mortal());
    tn_scope inner = tn_scope_open();
    CHECK(mortal() && mortal());
    tn_scope_close(inner);
    CHECK_INT(deletions, 2);
    CHECK(mortal());
    tn_scope_close(outer);
    CHECK_INT(deletions, 4);
}

/* What the library gives back from a scope of its own, of `many` tensors, is the one at `place`. */
TEST(what_is_given_back_from_a_hidden_scope_is_the_callers_and_the_rest_is_released) {
    int64_t depth = tn_scope_depth();
    for (int many = 0; many < 4; many++)
        for (int place = -1; place < many; place++) {
            tn_tensor *made = NULL;
            deletions = 0;
            tn_scope scope = tni_scope_open_hidden();
            CHECK(scope.id != 0);
            for (int i = 0; i < many; i++) {
                tn_tensor *one = mortal();
                CHECK(one);
                made = i == place ? one : made;
            }
            CHECK(tni_scope_close_hidden(scope, made) == made);
            CHECK_INT(deletions, made ? many - 1 : many);
            CHECK(!made || tn_use_count(made) == 1);
            tn_release(made); /* the caller's: nobody else has it */
            CHECK_INT(deletions, many);
        }
    CHECK_INT(tn_scope_depth(), depth);
}

TEST(what_is_given_back_may_be_outside_of_the_hidden_scope_or_in_it_twice_or_behind_another) {
    deletions = 0;
    tn_tensor *outside = mortal();
    CHECK(outside);
    tn_scope scope = tni_scope_open_hidden();
    CHECK(scope.id && mortal());
    CHECK(tni_scope_close_hidden(scope, outside) == outside);
    CHECK_INT(tn_use_count(outside), 2);
    tn_release(outside);
    scope = tni_scope_open_hidden();
    CHECK(scope.id && tni_scope_close_hidden(scope, outside) == outside); /* nothing else is in it */
    CHECK_INT(tn_use_count(outside), 2);
    tn_release(outside);
    CHECK_INT(deletions, 1);
    scope = tni_scope_open_hidden();
    tn_tensor *twice = scope.id ? mortal() : NULL, *again = twice ? tn_contiguous(twice, TN_CONTIGUOUS) : NULL;
    CHECK(again && again == twice);
    CHECK_INT(tn_use_count(twice), 2);
    CHECK(tni_scope_close_hidden(scope, twice) == twice);
    CHECK_INT(tn_use_count(twice), 1);
    tn_release(twice);
    CHECK_INT(deletions, 2);
    scope = tni_scope_open_hidden();
    tn_tensor *made = scope.id ? mortal() : NULL;
    CHECK(made && tn_scope_open().id && mortal()); /* which is not closed */
    CHECK(tni_scope_close_hidden(scope, made) == made);
    CHECK_INT(deletions, 3);
    CHECK_INT(tn_use_count(made), 1);
    tn_release(made);
    CHECK_INT(deletions, 4);
    CHECK_INT(tn_error_code(), TN_OK);
}

TEST(closing_a_scope_closes_those_opened_after_it) {
    deletions = 0;
    int64_t depth = tn_scope_depth();
    tn_scope outer = tn_scope_open();
    CHECK(mortal());
    tn_scope skipped = tn_scope_open();
    CHECK(mortal());
    tn_scope also_skipped = tn_scope_open();
    CHECK(mortal());
    CHECK_INT(tn_scope_close(outer), TN_OK);
    CHECK_INT(deletions, 3);
    CHECK_INT(tn_scope_depth(), depth);
    CHECK_ERROR(TN_ERROR_STATE, "scope_close: scope ", tn_scope_close(skipped));
    CHECK_ERROR(TN_ERROR_STATE, "already closed", tn_scope_close(also_skipped));
}

TEST(closing_a_scope_twice_is_an_error_that_does_nothing) {
    deletions = 0;
    tn_scope outer = tn_scope_open(), scope = tn_scope_open();
    CHECK_INT(tn_scope_close(scope), TN_OK);
    CHECK(mortal());
    tn_error result;
    CHECK_ERROR(TN_ERROR_STATE, "already closed", result = tn_scope_close(scope));
    CHECK_INT(result, TN_ERROR_STATE);
    CHECK_ERROR(TN_ERROR_STATE, "scope 18446744073709551615", tn_scope_close((tn_scope){UINT64_MAX}));
    CHECK_INT(deletions, 0);
    CHECK_INT(tn_scope_close((tn_scope){0}), TN_OK);
    CHECK_INT(tn_scope_close(outer), TN_OK);
    CHECK_INT(deletions, 1);
}

TEST(scopes_nest_far_beyond_those_that_cannot_fail) {
    deletions = 0;
    int64_t depth = tn_scope_depth();
    tn_scope first = tn_scope_open(), scopes[100];
    for (int i = 0; i < 100; i++) {
        scopes[i] = tn_scope_open();
        if (i < 14)
            CHECK(scopes[i].id != 0);
        if (scopes[i].id == 0) { /* what is created belongs to the scope around it */
            CHECK_INT(tn_error_code(), TN_ERROR_MEMORY);
            CHECK_INT(tn_scope_depth(), depth + 1 + i);
            CHECK_INT(tn_scope_close(scopes[i]), TN_OK);
            tn_scope_close(first);
            CHECK(scopes[i].id != 0);
        }
        CHECK(mortal());
    }
    CHECK_INT(tn_scope_depth(), depth + 101);
    CHECK_INT(tn_scope_close(scopes[99]), TN_OK);
    CHECK_INT(deletions, 1);
    CHECK_INT(tn_scope_close(scopes[40]), TN_OK);
    CHECK_INT(deletions, 60);
    CHECK_INT(tn_scope_close(scopes[39]), TN_OK);
    CHECK_INT(tn_scope_close(first), TN_OK);
    CHECK_INT(deletions, 100);
}

/* ---- keep and reference counts */

TEST(a_kept_tensor_escapes_all_scopes) {
    deletions = 0;
    tn_scope outer = tn_scope_open(), inner = tn_scope_open();
    tn_tensor *before = mortal(), *kept = mortal(), *after = mortal();
    CHECK(before && kept && after);
    CHECK(tn_keep(kept) == kept);
    tn_scope_close(inner);
    CHECK_INT(deletions, 2);
    tn_scope_close(outer);
    CHECK_INT(deletions, 2);
    CHECK_INT(tn_use_count(kept), 1);
    tn_release(kept);
    CHECK_INT(deletions, 3);
}

TEST(keeping_from_an_outer_scope_leaves_the_inner_ones_right) {
    deletions = 0;
    tn_scope outer = tn_scope_open();
    tn_tensor *x = mortal(), *y = mortal();
    tn_scope inner = tn_scope_open();
    tn_tensor *z = mortal();
    CHECK(x && y && z);
    CHECK(tn_keep(x) == x);
    TEST_DEFER(tn_release, x);
    tn_scope_close(inner);
    CHECK_INT(deletions, 1);
    CHECK_INT(tn_use_count(y), 1);
    tn_scope_close(outer);
    CHECK_INT(deletions, 2);
    CHECK_INT(tn_use_count(x), 1);
}

TEST(keeping_what_no_scope_owns_adds_a_reference) {
    deletions = 0;
    tn_tensor *x = tn_keep(mortal());
    CHECK(x);
    TEST_DEFER(tn_release, x);
    CHECK_INT(tn_use_count(x), 1);
    CHECK(tn_keep(x) == x);
    CHECK_INT(tn_use_count(x), 2);
    tn_release(x);
    CHECK_INT(tn_use_count(x), 1);
    CHECK(!tn_keep(NULL));
    CHECK_INT(tn_error_code(), TN_OK);
}

TEST(retain_and_release_count_and_take_null) {
    deletions = 0;
    tn_tensor *x = tn_keep(mortal());
    CHECK(x);
    CHECK(tn_retain(x) == x);
    CHECK(tn_retain(x) == x);
    CHECK_INT(tn_use_count(x), 3);
    tn_release(x);
    tn_release(x);
    CHECK_INT(deletions, 0);
    tn_release(x);
    CHECK_INT(deletions, 1);
    CHECK(!tn_retain(NULL));
    tn_release(NULL);
    CHECK_INT(tn_use_count(NULL), 0);
    CHECK_INT(tn_error_code(), TN_OK);
}

TEST(a_view_keeps_the_storage_and_not_the_tensor) {
    deletions = 0;
    tn_tensor *x = tn_keep(mortal());
    CHECK(x);
    tn_tensor *view = tn_narrow(x, 0, 1, 2);
    if (!view)
        tn_release(x);
    CHECK(view);
    CHECK_INT(tn_use_count(x), 1);
    CHECK_INT(tn_storage_use_count(tn_storage_of(x)), 2);
    tn_release(x);
    CHECK_INT(deletions, 0);
    CHECK_INT(tn_storage_use_count(tn_storage_of(view)), 1);
}

TEST(a_retained_tensor_outlives_its_scope) {
    deletions = 0;
    tn_scope scope = tn_scope_open();
    tn_tensor *x = tn_retain(mortal());
    CHECK(x);
    tn_scope_close(scope);
    CHECK_INT(deletions, 0);
    CHECK_INT(tn_use_count(x), 1);
    tn_release(x);
    CHECK_INT(deletions, 1);
}

TEST(in_place_operators_return_their_argument_without_a_reference) {
    tn_tensor *x = tn_zeros(TN_DIMS(2, 3), TN_UINT8);
    CHECK(x);
    CHECK(tn_transpose_(x, 0, 1) == x);
    CHECK_INT(tn_use_count(x), 1);
    CHECK_INT(tn_size(x, 0), 3);
}

/* ---- lists */

TEST(a_list_owns_its_tensors_and_lends_them) {
    tn_tensor *x = tn_arange(6, TN_INT64);
    tn_list *list = tn_split(x, 2, 0);
    CHECK(list);
    CHECK_INT(tn_list_count(list), 3);
    tn_tensor *second = tn_list_at(list, 1);
    CHECK(second && second == tn_list_at(list, -2));
    CHECK_INT(tn_use_count(second), 1);
    CHECK_INT(tn_get_int64(second, TN_DIMS(0)), 2);
    CHECK_ERROR(TN_ERROR_INDEX, "list_at: position 3 is out of range for a list of 3", tn_list_at(list, 3));
    CHECK_ERROR(TN_ERROR_INDEX, "position -4", tn_list_at(list, -4));
    CHECK_ERROR(TN_ERROR_INDEX, "position", tn_list_at(list, INT64_MIN));
    CHECK_ERROR(TN_ERROR_INDEX, "position", tn_list_at(list, INT64_MAX));
    int64_t result;
    CHECK_ERROR(TN_ERROR_ARGUMENT, "list_count: list is NULL", result = tn_list_count(NULL));
    CHECK_INT(result, -1);
    CHECK_ERROR(TN_ERROR_ARGUMENT, "list is not a list", tn_list_count((const tn_list *)(const void *)x));
    CHECK_ERROR(TN_ERROR_ARGUMENT, "tensor is not a tensor", tn_ndim((const tn_tensor *)(const void *)list));
    CHECK(!tn_list_retain(NULL));
    CHECK(!tn_list_keep(NULL));
    tn_list_release(NULL);
    CHECK_INT(tn_error_code(), TN_OK);
}

TEST(a_kept_list_and_a_kept_item_outlive_the_scope) {
    tn_scope scope = tn_scope_open();
    tn_list *list = tn_list_keep(tn_split(tn_arange(6, TN_INT64), 2, 0));
    tn_tensor *item = list ? tn_keep(tn_list_at(list, 0)) : NULL;
    tn_scope_close(scope);
    CHECK(list && item);
    CHECK_INT(tn_use_count(item), 2);
    CHECK(tn_list_retain(list) == list);
    tn_list_release(list);
    CHECK_INT(tn_list_count(list), 3);
    tn_list_release(list);
    CHECK_INT(tn_use_count(item), 1);
    CHECK_INT(tn_get_int64(item, TN_DIMS(1)), 1);
    tn_release(item);
}

/* ---- deleters that come back */

static tn_scope closing;
static tn_tensor *to_keep;
static int depth_inside;

static void create_in_deleter(void *ctx) {
    (void)ctx;
    deletions++;
    depth_inside = (int)tn_scope_depth();
    if (deletions < 5)
        (void)tn_from_memory(borrowed, TN_DIMS(1), TN_UINT8, TN_FREE_WITH(create_in_deleter, borrowed));
    (void)tn_scope_open(); /* and left open */
    (void)tn_zeros(TN_DIMS(100), TN_FLOAT64);
}

TEST(what_a_deleter_creates_in_a_closing_scope_is_released_too) {
    deletions = 0;
    int64_t depth = tn_scope_depth();
    tn_scope scope = tn_scope_open();
    CHECK(tn_from_memory(borrowed, TN_DIMS(1), TN_UINT8, TN_FREE_WITH(create_in_deleter, borrowed)));
    CHECK_INT(tn_scope_close(scope), TN_OK);
    CHECK_INT(tn_scope_depth(), depth);
    CHECK(tn_error_code() == TN_OK || deletions < 5);
    CHECK_INT(deletions, 5);
}

static void close_in_deleter(void *ctx) {
    (void)ctx;
    deletions++;
    (void)tn_scope_close(closing);
}

TEST(a_deleter_may_close_the_scope_that_is_closing) {
    deletions = 0;
    int64_t depth = tn_scope_depth();
    closing = tn_scope_open();
    CHECK(mortal());
    CHECK(tn_from_memory(borrowed, TN_DIMS(1), TN_UINT8, TN_FREE_WITH(close_in_deleter, borrowed)));
    CHECK(mortal());
    CHECK_INT(tn_scope_close(closing), TN_OK);
    CHECK_INT(deletions, 3);
    CHECK_INT(tn_scope_depth(), depth);
    CHECK_INT(tn_error_code(), TN_OK);
}

TEST(a_deleter_may_close_a_scope_around_the_closing_one) {
    deletions = 0;
    int64_t depth = tn_scope_depth();
    closing = tn_scope_open();
    CHECK(mortal());
    tn_scope inner = tn_scope_open();
    CHECK(mortal());
    CHECK(tn_from_memory(borrowed, TN_DIMS(1), TN_UINT8, TN_FREE_WITH(close_in_deleter, borrowed)));
    CHECK_INT(tn_scope_close(inner), TN_OK);
    CHECK_INT(deletions, 3);
    CHECK_INT(tn_scope_depth(), depth);
    CHECK_ERROR(TN_ERROR_STATE, "already closed", tn_scope_close(closing));
}

static void keep_in_deleter(void *ctx) {
    (void)ctx;
    deletions++;
    (void)tn_keep(to_keep);
}

TEST(a_deleter_may_keep_a_tensor_of_an_outer_scope) {
    deletions = 0;
    tn_scope outer = tn_scope_open();
    to_keep = mortal();
    CHECK(to_keep && mortal());
    tn_scope inner = tn_scope_open();
    CHECK(mortal());
    CHECK(tn_from_memory(borrowed, TN_DIMS(1), TN_UINT8, TN_FREE_WITH(keep_in_deleter, borrowed)));
    CHECK_INT(tn_scope_close(inner), TN_OK);
    TEST_DEFER(tn_release, to_keep);
    CHECK_INT(deletions, 2);
    CHECK_INT(tn_scope_close(outer), TN_OK);
    CHECK_INT(deletions, 3);
    CHECK_INT(tn_use_count(to_keep), 1);
}

/* ---- allocation failures */

TEST_SAMPLED(a_scope_without_room_leaves_external_memory_to_the_caller) {
    tn_scope scope = tn_scope_open();
    for (int i = 0; i < 40; i++) { /* across several growths of the scope's list */
        deletions = 0;
        tn_tensor *x = NULL;
        int64_t failures = 0;
        while (FAILING(failures + 1, x = mortal())) {
            failures++;
            CHECK(!x);
            CHECK_INT(deletions, 0);
        }
        CHECK(x && failures >= 2);
    }
    tn_scope_close(scope);
    CHECK_INT(deletions, 40);
}

/* ---- threads */

static void *close_from_elsewhere(void *ctx) {
    tn_error result = tn_scope_close(*(tn_scope *)ctx);
    bool right = result == TN_ERROR_STATE && tn_error_code() == TN_ERROR_STATE && tn_scope_depth() == 0;
    return right ? ctx : NULL;
}

TEST_ONCE(a_scope_cannot_be_closed_from_another_thread) { /* threads */
    deletions = 0;
    tn_scope scope = tn_scope_open();
    CHECK(mortal());
    pthread_t thread;
    void *right = NULL;
    CHECK(pthread_create(&thread, NULL, close_from_elsewhere, &scope) == 0);
    pthread_join(thread, &right);
    CHECK(right);
    CHECK_INT(deletions, 0);
    CHECK_INT(tn_scope_close(scope), TN_OK);
    CHECK_INT(deletions, 1);
}

static void *leave_scopes_open(void *ctx) {
    for (int i = 0; i < 30; i++) {
        if (tn_scope_open().id == 0 || !mortal())
            return NULL;
    }
    tn_tensor *kept = tn_keep(tn_arange(5, TN_INT64));
    *(tn_tensor **)ctx = kept;
    return ctx;
}

TEST_ONCE(a_thread_that_ends_with_open_scopes_leaks_nothing) { /* threads */
    deletions = 0;
    tn_tensor *kept = NULL;
    pthread_t thread;
    void *right = NULL;
    CHECK(pthread_create(&thread, NULL, leave_scopes_open, &kept) == 0);
    pthread_join(thread, &right);
    CHECK(right && kept);
    CHECK_INT(deletions, 30);
    CHECK_INT(tn_get_int64(kept, TN_DIMS(4)), 4); /* handed over: kept first */
    tn_release(kept);
}

static void *work_in_scope(void *ctx) {
    tn_scope scope = tn_scope_open();
    tn_tensor *shared = ctx;
    for (int i = 0; i < 2000; i++) {
        tn_retain(shared);
        tn_tensor *view = tn_narrow(shared, 0, i % 3, 1);
        if (!view || tn_get_int64(view, TN_DIMS(0)) != i % 3)
            return NULL;
        tn_release(shared);
        if (i % 100 == 0) {
            tn_scope_close(scope);
            scope = tn_scope_open();
        }
    }
    tn_scope_close(scope);
    return ctx;
}

TEST_ONCE(threads_share_a_tensor_and_count_it_rightly) { /* threads */
    tn_tensor *shared = tn_arange(4, TN_INT64);
    CHECK(shared);
    pthread_t threads[4];
    for (int i = 0; i < 4; i++)
        CHECK(pthread_create(&threads[i], NULL, work_in_scope, shared) == 0);
    for (int i = 0; i < 4; i++) {
        void *right = NULL;
        pthread_join(threads[i], &right);
        CHECK(right);
    }
    CHECK_INT(tn_use_count(shared), 1);
    CHECK_INT(tn_storage_use_count(tn_storage_of(shared)), 1);
}

static pthread_key_t late_key;

static void call_tenon_late(void *ctx) {
    (void)ctx;
    tn_scope scope = tn_scope_open();
    if (tn_zeros(TN_DIMS(10), TN_FLOAT32))
        deletions++;
    (void)scope; /* left open: the new state is ended, too */
}

static void *end_with_a_late_call(void *ctx) {
    pthread_setspecific(late_key, ctx);
    tn_release(tn_zeros(TN_DIMS(3), TN_FLOAT32));
    return NULL;
}

TEST_ONCE(tenon_may_be_called_while_a_thread_ends) { /* threads */
    deletions = 0;
    CHECK(pthread_key_create(&late_key, call_tenon_late) == 0);
    pthread_t thread;
    CHECK(pthread_create(&thread, NULL, end_with_a_late_call, borrowed) == 0);
    pthread_join(thread, NULL);
    pthread_key_delete(late_key);
    CHECK_INT(deletions, 1);
}

/* ---- handles that are gone: found for certain in debug builds */

#ifdef TN_DEBUG
TEST(a_released_handle_is_found_by_every_function) {
    tn_tensor *gone = tn_keep(tn_zeros(TN_DIMS(1), TN_FLOAT32));
    CHECK(gone);
    tn_release(gone);
    CHECK_ERROR(TN_ERROR_STATE, "release: tensor is a tensor that was already released", tn_release(gone));
    CHECK_ERROR(TN_ERROR_STATE, "retain: ", tn_retain(gone));
    CHECK_ERROR(TN_ERROR_STATE, "keep: ", tn_keep(gone));
    CHECK_ERROR(TN_ERROR_STATE, "already released", tn_use_count(gone));
    CHECK_ERROR(TN_ERROR_STATE, "ndim: tensor is a tensor that was already released", tn_ndim(gone));
    CHECK_ERROR(TN_ERROR_STATE, "already released", tn_sizes(gone));
    CHECK_ERROR(TN_ERROR_STATE, "already released", tn_item_double(gone));
    CHECK_ERROR(TN_ERROR_STATE, "already released", tn_data(gone));
    CHECK_ERROR(TN_ERROR_STATE, "already released", tn_mutable_data(gone));
    CHECK_ERROR(TN_ERROR_STATE, "already released", tn_shares_memory(gone, gone));
    CHECK_ERROR(TN_ERROR_STATE, "already released", tn_read_float32(gone));
    CHECK_ERROR(TN_ERROR_STATE, "self is a tensor that was already released", tn_view(gone, TN_DIMS(1)));
    tn_error result;
    CHECK_ERROR(TN_ERROR_STATE, "set_element: ", result = tn_set_element(gone, TN_DIMS(0), TN_SCALAR(1)));
    CHECK_INT(result, TN_ERROR_STATE);
    CHECK_ERROR(TN_ERROR_STATE, "set_readonly: ", result = tn_set_readonly(gone));
    CHECK_INT(result, TN_ERROR_STATE);
}

TEST(a_released_list_is_found) {
    tn_list *gone = tn_list_keep(tn_split(tn_zeros(TN_DIMS(4), TN_UINT8), 2, 0));
    CHECK(gone);
    tn_list_release(gone);
    CHECK_ERROR(TN_ERROR_STATE, "list_release: list is a list that was already released", tn_list_release(gone));
    CHECK_ERROR(TN_ERROR_STATE, "already released", tn_list_count(gone));
    CHECK_ERROR(TN_ERROR_STATE, "already released", tn_list_at(gone, 0));
}
#endif

TEST(while_a_scope_is_paused_what_is_made_belongs_to_the_caller) {
    deletions = 0;
    int64_t depth = tn_scope_depth();
    tn_scope outer = tn_scope_open();
    CHECK(mortal());
    tn_scope pause = tn_scope_pause();
    CHECK(pause.id != 0);
    CHECK_INT(tn_scope_depth(), depth + 2);
    tn_tensor *own = mortal();
    CHECK(own);
    tn_scope inner = tn_scope_open(); /* one that is opened inside owns as usual */
    bool made = mortal() != NULL;
    tn_scope_close(inner);
    int in_the_inner = deletions;
    tn_error closed = tn_scope_close(pause);
    int in_the_pause = deletions;
    tn_scope_close(outer);
    int in_the_outer = deletions;
    tn_release(own);
    CHECK(made);
    CHECK_INT(closed, TN_OK);
    CHECK_INT(in_the_inner, 1);
    CHECK_INT(in_the_pause, 1);
    CHECK_INT(in_the_outer, 2);
    CHECK_INT(deletions, 3);
    CHECK_INT(tn_scope_depth(), depth);
}

TEST(a_reference_can_be_given_to_the_innermost_scope) {
    deletions = 0;
    tn_scope pause = tn_scope_pause();
    tn_tensor *own = mortal();
    CHECK(tn_give(own) == own); /* still the caller's */
    tn_scope_close(pause);
    tn_scope scope = tn_scope_open();
    bool given = tn_give(own) != NULL; /* where that fails the reference is gone too */
    tn_scope_close(scope);
    CHECK_INT(deletions, 1);
    CHECK(given);
    CHECK(!tn_give(NULL));
    CHECK_INT(tn_error_code(), TN_OK);
}

TEST(a_list_can_be_made_of_any_tensors) {
    const tn_tensor *two[] = {TN_VECTOR(float, 1, 2), TN_VECTOR(float, 3)};
    CHECK(two[0] && two[1]);
    tn_scope scope = tn_scope_open();
    tn_list *list = tn_list_new(two, 2), *none = tn_list_new(NULL, 0);
    bool right = list && tn_list_count(list) == 2 && tn_list_at(list, 1) == two[1] && tn_use_count(two[0]) == 2;
    int64_t empty = none ? tn_list_count(none) : -1;
    tn_scope_close(scope);
    CHECK(right);
    CHECK_INT(empty, 0);
    CHECK_INT(tn_use_count(two[0]), 1);
    const tn_tensor *gap[] = {two[0], NULL};
    CHECK_ERROR(TN_ERROR_ARGUMENT, "list_new: tensors[1] is NULL", tn_list_new(gap, 2));
    CHECK_ERROR(TN_ERROR_ARGUMENT, "list_new: tensors is NULL or its count -1", tn_list_new(two, -1));
}

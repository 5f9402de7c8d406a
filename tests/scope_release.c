/* scope_release.c - releasing what a scope owns: whose reference goes, and what is refused. */
#include "scope_helpers.h"

#include <pthread.h>

TEST(releasing_what_a_scope_owns_takes_it_out_of_the_scope) {
    deletions = 0;
    tn_scope scope = tn_scope_open();
    tn_tensor *first = mortal(), *middle = mortal(), *last = mortal();
    CHECK(first && middle && last);
    tn_release(middle);
    CHECK_INT(deletions, 1);
    CHECK_INT(tn_error_code(), TN_OK);
    tn_release(last);
    CHECK_INT(deletions, 2);
    CHECK_INT(tn_use_count(first), 1);
    CHECK_INT(tn_scope_close(scope), TN_OK);
    CHECK_INT(deletions, 3);
    CHECK_INT(tn_error_code(), TN_OK);
}

TEST(a_retain_and_its_release_leave_an_object_in_its_scope) {
    deletions = 0;
    tn_scope scope = tn_scope_open();
    tn_tensor *x = mortal();
    CHECK(x);
    CHECK(tn_retain(x) == x && tn_retain(x) == x);
    tn_release(x);
    tn_release(x);
    CHECK_INT(tn_use_count(x), 1);
    CHECK_INT(deletions, 0);
    CHECK(tn_retain(x) == x);
    tn_scope_close(scope);
    CHECK_INT(deletions, 0);
    tn_release(x);
    CHECK_INT(deletions, 1);
    CHECK_INT(tn_error_code(), TN_OK);
}

TEST(a_release_beyond_the_retains_takes_the_scopes_reference) {
    deletions = 0;
    tn_scope scope = tn_scope_open();
    tn_tensor *x = mortal();
    CHECK(x);
    tn_retain(x);
    tn_release(x);
    tn_release(x);
    CHECK_INT(deletions, 1);
    CHECK_INT(tn_scope_close(scope), TN_OK);
    CHECK_INT(deletions, 1);
    CHECK_INT(tn_error_code(), TN_OK);
}

TEST(the_reference_of_a_list_is_not_the_callers) {
    deletions = 0;
    tn_scope outer = tn_scope_open(), scope = tn_scope_open();
    tn_tensor *x = mortal();
    const tn_tensor *items[] = {x, x};
    tn_list *list = x ? tn_list_keep(tn_list_new(items, 2)) : NULL;
    if (!list)
        tn_scope_close(outer);
    CHECK(list);
    TEST_DEFER(tn_list_release, list);
    CHECK_INT(tn_use_count(x), 3);
    tn_release(x); /* the scope's */
    CHECK_INT(tn_use_count(x), 2);
    CHECK_INT(tn_error_code(), TN_OK);
    CHECK_ERROR(TN_ERROR_STATE, "release: the caller has no reference to this tensor", tn_release(x));
    CHECK_ERROR(TN_ERROR_STATE, "the caller has no reference", tn_release(tn_list_at(list, 1)));
    CHECK_INT(tn_use_count(x), 2);
    tn_scope_close(scope);
    CHECK_INT(tn_use_count(x), 2);
    tn_retain(x);
    tn_release(x);
    CHECK_INT(tn_use_count(x), 2);
    CHECK_INT(deletions, 0);
    tn_scope_close(outer);
}

TEST(the_results_of_a_list_are_not_the_callers) {
    tn_list *list = tn_split(tn_arange(6, TN_INT64), 2, 0);
    CHECK(list);
    tn_tensor *item = tn_list_at(list, 1);
    CHECK_ERROR(TN_ERROR_STATE, "no reference", tn_release(item));
    CHECK_INT(tn_use_count(item), 1);
    CHECK_INT(tn_get_int64(item, TN_DIMS(1)), 3);
    tn_tensor *same = tn_contiguous(item, TN_CONTIGUOUS); /* the scope's second hold on it */
    CHECK(same == item);
    CHECK_INT(tn_use_count(item), 2);
    tn_release(item);
    CHECK_INT(tn_use_count(item), 1);
    CHECK_INT(tn_error_code(), TN_OK);
    CHECK_ERROR(TN_ERROR_STATE, "no reference", tn_release(item));
}

TEST(what_is_kept_and_released_is_gone_before_the_scope_closes) {
    deletions = 0;
    tn_scope scope = tn_scope_open();
    tn_tensor *x = mortal();
    CHECK(x && tn_keep(x) == x);
    tn_release(x);
    CHECK_INT(deletions, 1);
    tn_tensor *y = mortal();
    CHECK(y && tn_keep(y) == y && tn_keep(y) == y);
    CHECK_INT(tn_use_count(y), 2);
    tn_release(y);
    tn_release(y);
    CHECK_INT(deletions, 2);
    CHECK_INT(tn_scope_close(scope), TN_OK);
    CHECK_INT(deletions, 2);
}

TEST(an_object_of_an_outer_scope_is_released_from_an_inner_one) {
    deletions = 0;
    tn_scope outer = tn_scope_open();
    tn_tensor *x = mortal(), *y = mortal();
    tn_scope inner = tn_scope_open();
    tn_tensor *z = mortal();
    CHECK(x && y && z);
    tn_release(x);
    CHECK_INT(deletions, 1);
    tn_scope_close(inner);
    CHECK_INT(deletions, 2);
    CHECK_INT(tn_use_count(y), 1);
    tn_scope_close(outer);
    CHECK_INT(deletions, 3);
    CHECK_INT(tn_error_code(), TN_OK);
}

TEST(an_object_in_two_scopes_leaves_the_inner_one_first) {
    deletions = 0;
    tn_scope outer = tn_scope_open();
    tn_tensor *x = mortal();
    tn_scope inner = tn_scope_open();
    CHECK(x && tn_contiguous(x, TN_CONTIGUOUS) == x);
    CHECK_INT(tn_use_count(x), 2);
    tn_release(x);
    CHECK_INT(tn_use_count(x), 1);
    tn_scope_close(inner);
    CHECK_INT(tn_use_count(x), 1);
    inner = tn_scope_open();
    CHECK(tn_contiguous(x, TN_CONTIGUOUS) == x);
    tn_release(x);
    tn_release(x);
    CHECK_INT(deletions, 1);
    tn_scope_close(inner);
    tn_scope_close(outer);
    CHECK_INT(deletions, 1);
}

TEST(a_reference_of_ones_own_goes_before_that_of_a_scope) {
    deletions = 0;
    tn_tensor *x = tn_keep(mortal());
    CHECK(x);
    tn_scope scope = tn_scope_open();
    tn_tensor *same = tn_contiguous(x, TN_CONTIGUOUS);
    if (!same)
        tn_release(x);
    CHECK(same == x);
    tn_release(x);
    CHECK_INT(tn_use_count(same), 1);
    CHECK_INT(deletions, 0);
    tn_scope_close(scope);
    CHECK_INT(deletions, 1);
}

TEST(given_to_a_scope_and_released) {
    deletions = 0;
    tn_scope scope = tn_scope_open();
    tn_tensor *x = tn_keep(mortal());
    CHECK(x && tn_give(x) == x);
    tn_release(x);
    CHECK_INT(deletions, 1);
    tn_scope_close(scope);
    CHECK_INT(deletions, 1);
}

TEST(a_pause_owns_nothing_that_could_be_taken_out) {
    deletions = 0;
    tn_scope scope = tn_scope_open();
    tn_tensor *x = mortal();
    CHECK(x);
    tn_scope pause = tn_scope_pause();
    tn_tensor *own = mortal();
    if (own)
        tn_release(own);
    CHECK(own);
    CHECK_INT(deletions, 1);
    tn_release(x);
    CHECK_INT(deletions, 2);
    tn_scope_close(pause);
    tn_scope_close(scope);
    CHECK_INT(deletions, 2);
}

TEST(every_kind_of_object_can_be_released_before_its_scope_closes) {
    tn_scope scope = tn_scope_open();
    tn_storage *storage = tn_storage_create(64, TN_UINT8, NULL);
    tn_generator *generator = tn_generator_new(TN_PHILOX, 1);
    tn_tensor *x = tn_zeros(TN_DIMS(3), TN_UINT8);
    tn_list *list = tn_list_new((const tn_tensor *const[]){x}, 1);
    tn_tensor *over = tn_from_storage(storage, 0, TN_DIMS(8), TN_DIMS(1), TN_UINT8);
    CHECK(storage && generator && x && list && over);
    CHECK_INT(tn_storage_use_count(storage), 2);
    tn_storage_release(storage);
    CHECK_INT(tn_storage_use_count(storage), 1);
    CHECK_INT(tn_error_code(), TN_OK);
    CHECK_ERROR(TN_ERROR_STATE, "storage_release: the caller has no reference to this storage", tn_storage_release(storage));
    CHECK_INT(tn_storage_use_count(storage), 1);
    tn_storage_retain(storage);
    tn_storage_release(storage);
    CHECK_INT(tn_storage_use_count(storage), 1);
    tn_generator_release(generator);
    tn_list_release(list);
    CHECK_INT(tn_use_count(x), 1);
    CHECK_INT(tn_error_code(), TN_OK);
    CHECK_INT(tn_scope_close(scope), TN_OK);
}

TEST(the_default_generator_cannot_be_released_away) {
    tn_generator *generator = tn_default_generator();
    CHECK(generator);
    CHECK(tn_default_generator() == generator);
    tn_generator_release(generator);
    tn_generator_release(generator);
    CHECK_INT(tn_error_code(), TN_OK);
    CHECK_ERROR(TN_ERROR_STATE, "generator_release: ", tn_generator_release(generator));
    CHECK(tn_default_generator() == generator);
}

static void *take_bytes(void *ctx, size_t bytes) {
    (void)ctx;
    return aligned_alloc(64, (bytes + 63) / 64 * 64);
}

static void give_bytes(void *ctx, void *data, size_t bytes) {
    (void)ctx;
    (void)bytes;
    free(data);
}

static void allocator_ends(void *ctx) { ++*(int *)ctx; }

TEST(an_allocator_released_early_lives_as_long_as_its_storages) {
    int ends = 0;
    tn_scope scope = tn_scope_open();
    tn_allocator_functions functions = {.struct_size = sizeof functions,
                                        .name = "early",
                                        .device = TN_DEVICE_CPU,
                                        .ctx = &ends,
                                        .allocate = take_bytes,
                                        .free = give_bytes,
                                        .destroy = allocator_ends};
    tn_allocator *allocator = tn_allocator_create(&functions);
    tn_storage *storage = allocator ? tn_storage_create(100, TN_UINT8, allocator) : NULL;
    if (!storage)
        tn_scope_close(scope);
    CHECK(storage);
    tn_allocator_release(allocator);
    CHECK_INT(ends, 0);
    CHECK_INT(tn_error_code(), TN_OK);
    CHECK_ERROR(TN_ERROR_STATE, "allocator_release: ", tn_allocator_release(allocator));
    CHECK_TEXT(tn_allocator_name(tn_storage_allocator(storage)), "early");
    tn_scope_close(scope);
    CHECK_INT(ends, 1);
}

/* ---- deleters */

static tn_scope closing;
static tn_tensor *victim;

static void release_in_deleter(void *ctx) {
    (void)ctx;
    deletions++;
    tn_tensor *other = victim;
    victim = NULL;
    tn_release(other);
}

static void close_and_release_in_deleter(void *ctx) {
    release_in_deleter(ctx);
    (void)tn_scope_close(closing);
}

TEST(a_deleter_may_release_what_the_closing_scope_still_owns) {
    deletions = 0;
    tn_scope scope = tn_scope_open();
    victim = mortal();
    CHECK(victim && mortal());
    CHECK(tn_from_memory(borrowed, TN_DIMS(1), TN_UINT8, TN_FREE_WITH(release_in_deleter, borrowed)));
    CHECK_INT(tn_scope_close(scope), TN_OK);
    CHECK_INT(deletions, 3);
    CHECK_INT(tn_error_code(), TN_OK);
}

TEST(a_release_may_run_a_deleter_that_closes_the_scope) {
    deletions = 0;
    int64_t depth = tn_scope_depth();
    closing = tn_scope_open();
    victim = mortal();
    tn_tensor *x = tn_from_memory(borrowed, TN_DIMS(1), TN_UINT8, TN_FREE_WITH(close_and_release_in_deleter, borrowed));
    CHECK(victim && x && mortal());
    tn_release(x);
    CHECK_INT(deletions, 3);
    CHECK_INT(tn_scope_depth(), depth);
    CHECK_ERROR(TN_ERROR_STATE, "already closed", tn_scope_close(closing));
}

/* ---- threads */

static void *release_elsewhere(void *tensor) {
    tn_release(tensor);
    return tn_error_take(NULL) == TN_ERROR_STATE ? tensor : NULL;
}

static void *release_own_elsewhere(void *tensor) {
    tn_release(tensor);
    return tn_error_take(NULL) == TN_OK ? tensor : NULL;
}

static bool on_thread(void *(*body)(void *), void *argument) {
    pthread_t thread;
    void *right = NULL;
    if (pthread_create(&thread, NULL, body, argument) != 0)
        return false;
    pthread_join(thread, &right);
    return right != NULL;
}

TEST_ONCE(what_a_scope_of_another_thread_owns_cannot_be_released) { /* threads */
    deletions = 0;
    tn_scope scope = tn_scope_open();
    tn_tensor *x = mortal();
    CHECK(x);
    CHECK(on_thread(release_elsewhere, x));
    CHECK_INT(deletions, 0);
    CHECK_INT(tn_use_count(x), 1);
    tn_retain(x); /* handed over: retained first */
    CHECK(on_thread(release_own_elsewhere, x));
    CHECK_INT(tn_use_count(x), 1);
    tn_scope_close(scope);
    CHECK_INT(deletions, 1);
}

enum { SHARERS = 4, ROUNDS = 3000 };

/* Each round the object enters this thread's scope once or twice, and leaves it by a release, a keep or the close. */
static void *share_in_scopes(void *ctx) {
    tn_tensor *shared = ctx;
    for (int i = 0; i < ROUNDS; i++) {
        tn_scope scope = tn_scope_open();
        if (tn_contiguous(shared, TN_CONTIGUOUS) != shared || (i % 2 && tn_contiguous(shared, TN_CONTIGUOUS) != shared))
            return NULL;
        if (i % 3 == 0) {
            tn_keep(shared);
            tn_release(shared);
        } else if (i % 3 == 1) {
            tn_retain(shared);
            tn_release(shared);
        }
        tn_scope_close(scope);
    }
    return tn_error_code() == TN_OK ? ctx : NULL;
}

TEST_ONCE(threads_whose_scopes_own_one_object_count_it_rightly) { /* threads */
    deletions = 0;
    tn_tensor *shared = tn_keep(mortal());
    CHECK(shared);
    pthread_t threads[SHARERS];
    for (int i = 0; i < SHARERS; i++)
        CHECK(pthread_create(&threads[i], NULL, share_in_scopes, shared) == 0);
    bool right = true;
    for (int i = 0; i < SHARERS; i++) {
        void *result = NULL;
        pthread_join(threads[i], &result);
        right = right && result;
    }
    CHECK(right);
    CHECK_INT(tn_use_count(shared), 1);
    CHECK_INT(deletions, 0);
    tn_release(shared);
    CHECK_INT(deletions, 1);
}

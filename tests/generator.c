/* generator.c - generators of random numbers: seeds, states, streams, the default one, threads, forks and locks.
 *
 * Tests: src/tensor/generator_engines.c, src/tensor/generator_state.c */
#include <pthread.h>
#include <sys/wait.h>
#include <unistd.h>

#include "random_helpers.h"
#include "tensor/generator.h"

/* ---- words, seeds and states */

TEST(the_ten_thousandth_word_of_mt19937_is_the_published_one) {
    tn_generator *generator = tn_generator_new(TN_MT19937, 5489);
    CHECK(generator);
    CHECK_INT(tn_generator_skip(generator, 9999), TN_OK);
    CHECK_INT(tn_generator_next(generator), 4123659995U);
}

TEST(a_generator_tells_its_seed_and_starts_again_from_it) {
    for (int engine = TN_MT19937; engine <= TN_PHILOX; engine++) {
        tn_generator *generator = tn_generator_new((tn_engine)engine, 77);
        CHECK(generator);
        CHECK_INT(tn_generator_engine(generator), engine);
        CHECK_INT(tn_generator_initial_seed(generator), 77);
        uint64_t first = tn_generator_next64(generator);
        CHECK(first != tn_generator_next64(generator));
        CHECK_INT(tn_generator_seed(generator, 77), TN_OK);
        uint64_t upper = tn_generator_next(generator);
        CHECK(first == (upper << 32 | tn_generator_next(generator)));
        CHECK(tn_generator_seed_randomly(generator) == tn_generator_initial_seed(generator));
    }
    CHECK_ERROR(TN_ERROR_ARGUMENT, "no engine number 7", tn_generator_new((tn_engine)7, 0));
}

TEST(a_state_taken_in_mid_stream_goes_on_from_there) {
    for (int engine = TN_MT19937; engine <= TN_PHILOX; engine++)
        for (int drawn = 0; drawn < 1300; drawn += 624 - 13 * engine) {
            tn_generator *generator = tn_generator_new((tn_engine)engine, 5), *other = tn_generator_new((tn_engine)engine, 6);
            CHECK(generator && other);
            CHECK_INT(tn_generator_skip(generator, (uint64_t)drawn), TN_OK);
            tn_tensor *odd =
                tn_empty(TN_DIMS(3), TN_FLOAT64); /* an odd number of normal numbers: the last one's partner waits */
            CHECK(odd && tn_normal_(odd, 0, 1, generator));
            tn_tensor *state = tn_generator_state(generator);
            CHECK(state);
            CHECK_INT(tn_numel(state), engine == TN_MT19937 ? 5056 : 48);
            CHECK_INT(tn_generator_set_state(other, state), TN_OK);
            CHECK(tn_generator_initial_seed(other) == 5);
            tn_generator *third = tn_generator_clone(generator);
            tn_tensor *a = tn_normal(0, 1, TN_DIMS(5), TN_FLOAT64, generator),
                      *b = tn_normal(0, 1, TN_DIMS(5), TN_FLOAT64, other);
            tn_tensor *c = third ? tn_normal(0, 1, TN_DIMS(5), TN_FLOAT64, third) : NULL;
            CHECK(a && b && c);
            CHECK(memcmp(tn_data(a), tn_data(b), 40) == 0 && memcmp(tn_data(a), tn_data(c), 40) == 0);
            CHECK(same_words(generator, other, 10));
        }
}

TEST(the_state_of_mt19937_is_that_of_torch_get_rng_state) {
    tn_generator *generator = tn_generator_new(TN_MT19937, 3);
    tn_tensor *x = tn_empty(TN_DIMS(3), TN_FLOAT64);
    CHECK(generator && x && tn_normal_(x, 0, 1, generator));
    tn_tensor *state = tn_generator_state(generator);
    CHECK(state);
    struct {
        uint64_t seed;
        int32_t left, seeded;
        uint64_t next;
    } head;
    double normal[3];
    int32_t waits;
    memcpy(&head, tn_data(state), sizeof head);
    memcpy(normal, (const char *)tn_data(state) + 24 + 624 * 8, sizeof normal);
    memcpy(&waits, (const char *)tn_data(state) + 24 + 624 * 8 + 24, sizeof waits);
    CHECK_INT(head.seed, 3);
    CHECK_INT(head.left, 617);
    CHECK_INT(head.seeded, 1);
    CHECK_INT(head.next, 8);
    CHECK(fabs(normal[1] - -0.6137180077293578) < 1e-15 && normal[0] == 0 && normal[2] == 0);
    CHECK_INT(waits, 1);
}

TEST(bytes_that_are_no_state_are_refused_and_change_nothing) {
    tn_generator *generator = tn_generator_new(TN_MT19937, 3), *philox = tn_generator_new(TN_PHILOX, 3);
    tn_generator *untouched = tn_generator_new(TN_MT19937, 3);
    tn_tensor *zeros = tn_zeros(TN_DIMS(5056), TN_UINT8), *few = tn_zeros(TN_DIMS(48), TN_UINT8);
    CHECK(generator && philox && untouched && zeros && few);
    CHECK_ERROR(TN_ERROR_ARGUMENT, "not a state of MT19937: it says that it was not seeded",
                tn_generator_set_state(generator, zeros));
    CHECK_ERROR(TN_ERROR_ARGUMENT, "not a state of MT19937: a state is 5056 bytes", tn_generator_set_state(generator, few));
    CHECK_ERROR(TN_ERROR_ARGUMENT, "not a state of Philox: ", tn_generator_set_state(philox, zeros));
    CHECK_ERROR(TN_ERROR_ARGUMENT, "not a state of Philox: ", tn_generator_set_state(philox, few));
    CHECK(same_words(generator, untouched, 5));
}

TEST(split_streams_are_repeatable_and_different) {
    for (int engine = TN_MT19937; engine <= TN_PHILOX; engine++) {
        tn_generator *generator = tn_generator_new((tn_engine)engine, 9), *same = tn_generator_new((tn_engine)engine, 9);
        CHECK(generator && same);
        (void)tn_generator_next64(same); /* what has been drawn does not matter */
        tn_generator *a = tn_generator_split(generator, 1), *b = tn_generator_split(same, 1), *c = tn_generator_split(same, 2);
        tn_generator *d = a ? tn_generator_split(a, 1) : NULL;
        CHECK(a && b && c && d);
        CHECK(same_words(a, b, 8));
        CHECK(!same_words(a, c, 4) && !same_words(a, generator, 4) && !same_words(a, d, 4));
    }
    tn_generator *philox = tn_generator_new(TN_PHILOX, 0);
    CHECK(philox);
    CHECK_ERROR(TN_ERROR_ARGUMENT, "no stream number", tn_generator_split(philox, UINT64_C(1) << 32));
}

TEST(skipping_is_drawing_and_forgetting) {
    for (int engine = TN_MT19937; engine <= TN_PHILOX; engine++)
        for (int count = 0; count < 2000; count += 333) {
            tn_generator *a = tn_generator_new((tn_engine)engine, 4), *b = tn_generator_new((tn_engine)engine, 4);
            CHECK(a && b);
            for (int i = 0; i < count; i++)
                (void)tn_generator_next(a);
            CHECK_INT(tn_generator_skip(b, (uint64_t)count), TN_OK);
            CHECK(same_words(a, b, 9));
        }
}

static void back_to_the_first(void *nothing) {
    (void)nothing;
    (void)tn_set_default_generator(NULL);
}

TEST(the_default_generator_can_be_replaced_by_one_call) {
    tn_generator *philox = tn_generator_new(TN_PHILOX, 12), *same = tn_generator_new(TN_PHILOX, 12);
    CHECK(philox && same);
    TEST_DEFER(back_to_the_first, NULL);
    CHECK_INT(tn_set_default_generator(philox), TN_OK);
    tn_generator *now = tn_default_generator();
    CHECK(now == philox);
    tn_tensor *a = tn_rand(TN_DIMS(10), TN_FLOAT32, NULL), *b = tn_rand(TN_DIMS(10), TN_FLOAT32, same);
    CHECK(a && b && memcmp(tn_data(a), tn_data(b), 40) == 0);
    CHECK_INT(tn_set_default_generator(NULL), TN_OK);
    CHECK_INT(tn_generator_engine(NULL), TN_MT19937);
    CHECK(tn_seed() == tn_initial_seed());
}

TEST(a_generator_that_is_kept_outlives_its_scope_until_it_is_released) {
    tn_scope scope = tn_scope_open();
    tn_generator *generator = tn_generator_new(TN_PHILOX, 3);
    if (generator)
        CHECK(tn_generator_keep(generator) == generator);
    CHECK(tn_scope_close(scope) == TN_OK);
    CHECK(generator);
    CHECK(tn_generator_retain(generator) == generator);
    tn_generator_release(generator);
    uint64_t seed = tn_generator_initial_seed(generator);
    tn_generator_release(generator);
    CHECK_INT(seed, 3);
    CHECK(tn_generator_retain(NULL) == NULL && tn_generator_keep(NULL) == NULL);
    tn_generator_release(NULL);
}

TEST(a_generator_goes_through_a_call_by_name) {
    tn_generator *generator = tn_generator_new(TN_MT19937, 0);
    CHECK(generator);
    CHECK_INT(tn_manual_seed(0), TN_OK);
    tn_tensor *a = tn_call_tensor("rand", TN_VALUES(TN_DIMS(5), tn_value_none(), generator));
    tn_tensor *b = tn_call_tensor("rand", TN_VALUES(TN_DIMS(5)));
    CHECK(a && b && memcmp(tn_data(a), tn_data(b), 20) == 0);
    CHECK_ERROR(TN_ERROR_ARGUMENT, "generator", tn_call_tensor("rand", TN_VALUES(TN_DIMS(5), tn_value_none(), 7)));
}

/* Correlation of two rows of numbers between 0 and 1: for 20000 above 0.023 once in a thousand tries. */
static double correlation(const tn_tensor *a, const tn_tensor *b) {
    double sum = 0;
    for (int64_t i = 0; i < tn_numel(a); i++)
        sum += (tn_get_double(a, TN_DIMS(i)) - 0.5) * (tn_get_double(b, TN_DIMS(i)) - 0.5);
    return fabs(sum / (double)tn_numel(a) * 12);
}

TEST_SAMPLED(split_streams_are_not_correlated) {
    for (int engine = TN_MT19937; engine <= TN_PHILOX; engine++) {
        tn_generator *whole = tn_generator_new((tn_engine)engine, 1);
        tn_generator *streams[4] = {whole, tn_generator_split(whole, 0), tn_generator_split(whole, 1), NULL};
        streams[3] = tn_generator_split(streams[1], 0);
        tn_tensor *rows[4];
        for (int i = 0; i < 4; i++)
            CHECK(rows[i] = tn_rand(TN_DIMS(20000), TN_FLOAT32, streams[i]));
        for (int i = 0; i < 4; i++)
            for (int k = 0; k < i; k++)
                CHECK(correlation(rows[i], rows[k]) < 0.023);
    }
}

/* ---- threads and processes */

static void *draw_and_replace(void *generator) {
    for (int i = 0; i < 200; i++) {
        tn_tensor *x = tn_rand(TN_DIMS(40), TN_FLOAT32, generator), *y = tn_randn(TN_DIMS(20), TN_FLOAT64, NULL);
        (void)tn_set_default_generator(i % 2 ? generator : NULL);
        (void)tn_generator_next64(generator);
        tn_release(x);
        tn_release(y);
    }
    return NULL;
}

TEST_ONCE(threads_may_share_a_generator_and_replace_the_default_one) { /* threads */
    tn_generator *generator = tn_generator_new(TN_PHILOX, 1);
    CHECK(generator);
    TEST_DEFER(back_to_the_first, NULL);
    pthread_t threads[4];
    for (int i = 0; i < 4; i++)
        CHECK_INT(pthread_create(&threads[i], NULL, draw_and_replace, generator), 0);
    for (int i = 0; i < 4; i++)
        CHECK_INT(pthread_join(threads[i], NULL), 0);
    CHECK(generator->philox.offset >= 4 * 200 * 16); /* no draw was lost */
}

TEST_ONCE(a_process_forked_while_another_thread_draws_can_draw_too) { /* forks */
    tn_generator *generator = tn_generator_new(TN_PHILOX, 1);
    CHECK(generator);
    TEST_DEFER(back_to_the_first, NULL);
    CHECK_INT(tn_set_default_generator(generator), TN_OK);
    pthread_t thread;
    CHECK_INT(pthread_create(&thread, NULL, draw_and_replace, generator), 0);
    for (int i = 0; i < 20; i++) {
        pid_t child = fork();
        CHECK(child >= 0);
        if (child == 0) {
            alarm(300); /* a child that hangs is ended */
            _exit(tn_generator_next(NULL) == tn_generator_next(NULL));
        }
        int status = -1;
        CHECK(waitpid(child, &status, 0) == child && WIFEXITED(status));
    }
    CHECK_INT(pthread_join(thread, NULL), 0);
}

/* ---- locks */

/* A fork takes the locks of the memory and of the generator. Whoever draws must not ask for one while it holds the other. */
static void look_at_lock(void *ctx, const tn_event *event) {
    tn_generator *generator = ctx;
    (void)event;
    if (pthread_mutex_trylock(&generator->lock) == 0)
        (void)pthread_mutex_unlock(&generator->lock);
    else
        generator->seed = 0; /* says that it was locked */
}

static void observe_no_more(void *unused) {
    (void)unused;
    tn_set_observer(NULL, NULL);
}

TEST(no_memory_is_taken_and_nothing_copied_while_a_generator_is_locked) {
    for (int engine = TN_MT19937; engine <= TN_PHILOX; engine++) {
        tn_generator *generator = tn_generator_new((tn_engine)engine, 7);
        tn_tensor *wide = tn_zeros(TN_DIMS(6, 40), TN_FLOAT32), *weights = tn_ones(TN_DIMS(2, 5), TN_FLOAT32);
        tn_tensor *x = tn_slice(wide, 1, 0, 40, 2);
        CHECK(generator && x && weights);
        TEST_DEFER(observe_no_more, NULL);
        tn_set_observer(look_at_lock, generator);
        CHECK(tn_uniform_(x, 0, 1, generator) && tn_normal_(tn_t(x), 0, 1, generator) && tn_random_(x, generator));
        CHECK(tn_bernoulli_tensor_(x, tn_full(TN_DIMS(20), 0.5, TN_FLOAT64), generator));
        CHECK(tn_multinomial(weights, 3, true, generator) && tn_multinomial(weights, 3, false, generator));
        CHECK(tn_randperm(100, TN_INT32, generator) && tn_poisson(x, generator) && tn_generator_state(generator));
        CHECK(tn_dropout(x, 0.5, true, generator) && tn_trunc_normal_(x, 0, 1, -1, 1, generator));
        tn_set_observer(NULL, NULL);
        CHECK_INT(tn_generator_initial_seed(generator), 7);
    }
}

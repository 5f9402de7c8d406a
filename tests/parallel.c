/* parallel.c - the thread pool: every piece once, the same pieces for any number of threads, and nothing that hangs. */
#include "threads_helpers.h"

#include <signal.h>

#include "base/quota.h"
#include "base/heap.h"

#if defined(__SSE2__)
#include <immintrin.h>
#endif

TEST(the_pieces_are_the_same_for_any_number_of_threads) {
    static const int64_t numbers[] = {1, 2, 3, 7, 16};
    for (size_t n = 0; n < sizeof numbers / sizeof *numbers; n++) {
        use_threads(numbers[n]);
        CHECK_INT(tn_num_threads(), numbers[n]);
        for (int round = 0; round < 100; round++) {
            int64_t count = test_random_between(1, 3000), grain = test_random_between(1, 200);
            CHECK(loop_is_complete(count, grain));
        }
        CHECK(loop_is_complete(1, 1));
        CHECK(loop_is_complete(2, 1));
        CHECK(loop_is_complete(100, 100));
        CHECK(loop_is_complete(101, 100));
    }
}

TEST(a_loop_over_nothing_calls_nothing) {
    _Atomic int64_t calls = 0;
    use_threads(2);
    tni_parallel_for(0, 10, count_call, &calls);
    tni_parallel_for(-5, 10, count_call, &calls);
    tni_parallel_tasks(0, NULL, NULL);
    CHECK_INT(calls, 0);
    tni_parallel_for(10, 0, count_call, &calls);
    CHECK_INT(calls, 10);
    tni_parallel_for(INT64_MAX, INT64_MAX / 2, count_call, &calls);
    CHECK_INT(calls, 13);
}

static void note_range(void *arg, int64_t begin, int64_t end) {
    int64_t *places = arg;
    for (int64_t i = begin; i < end; i++)
        places[i] += end - begin;
}

static void loop_again(void *arg, int64_t begin, int64_t end) {
    _Atomic int64_t *calls = arg;
    for (int64_t i = begin; i < end; i++)
        (void)tn_parallel(10, 2, count_call, calls);
}

static bool stop_at_once(void *ctx) {
    (void)ctx;
    return true;
}

static void wait_a_little(void *arg, int64_t begin, int64_t end) {
    (void)begin, (void)end;
    nanosleep(&(struct timespec){.tv_nsec = 4000000}, NULL);
    ++*(_Atomic int64_t *)arg;
}

TEST(programs_loop_over_the_same_threads_with_the_same_pieces) {
    int64_t places[101];
    for (int64_t threads = 1; threads <= 3; threads++) {
        use_threads(threads);
        memset(places, 0, sizeof places);
        CHECK_INT(tn_parallel(101, 25, note_range, places), TN_OK);
        for (int64_t i = 0; i < 101; i++)
            CHECK_INT(places[i], i < 100 ? 25 : 1);
    }
    _Atomic int64_t calls = 0;
    CHECK_INT(tn_parallel(6, 1, loop_again, &calls), TN_OK);
    CHECK_INT(calls, 30);
    CHECK_INT(tn_parallel(0, 1, count_call, &calls), TN_OK);
    CHECK_INT(calls, 30);
}

TEST(a_loop_that_makes_no_sense_calls_nothing) {
    _Atomic int64_t calls = 0;
    CHECK_INT(tn_parallel(10, 1, NULL, NULL), TN_ERROR_ARGUMENT);
    CHECK_INT(tn_parallel(-1, 1, count_call, &calls), TN_ERROR_ARGUMENT);
    CHECK_INT(tn_parallel(10, 0, count_call, &calls), TN_ERROR_ARGUMENT);
    CHECK_TEXT(tn_error_operator(), "parallel");
    tn_error_clear();
    CHECK_INT(calls, 0);
}

TEST_ONCE(a_loop_of_a_program_can_be_cancelled) {
    _Atomic int64_t calls = 0;
    use_threads(1);
    tn_set_cancel_check(stop_at_once, NULL);
    tn_error result = tn_parallel(50, 1, wait_a_little, &calls);
    tn_set_cancel_check(NULL, NULL);
    CHECK_INT(result, TN_ERROR_CANCELLED);
    CHECK_INT(tn_error_take(NULL), TN_ERROR_CANCELLED);
    CHECK(calls < 50);
    CHECK_INT(tn_parallel(50, 1, count_call, &calls), TN_OK);
}

TEST(many_small_loops_are_each_complete) {
    use_threads(2);
    for (int i = 0; i < 20000; i++) {
        _Atomic int64_t calls = 0;
        int64_t pieces = 2 + i % 5;
        tni_parallel_for(pieces, 1, count_call, &calls);
        CHECK_INT(calls, pieces);
    }
}

static void mark_task(void *arg, int64_t index) { ((int *)arg)[index]++; }

TEST(what_the_tasks_wrote_is_there_when_the_loop_returns) {
    enum { TASKS = 1000 };
    static int marks[TASKS];
    use_threads(4);
    memset(marks, 0, sizeof marks);
    for (int round = 1; round <= 50; round++) {
        tni_parallel_tasks(TASKS, mark_task, marks);
        for (int i = 0; i < TASKS; i++)
            CHECK_INT(marks[i], round);
    }
}

/* ---- who works ---- */

TEST_ONCE(as_many_threads_work_as_are_set) { /* threads */
    use_threads(5);
    meeting all = {.expected = 5};
    tni_parallel_tasks(5, meet, &all);
    CHECK_INT(all.arrived, 5);
    CHECK_INT(tni_parallel_workers(), 4);
    bool caller_works = false;
    for (int i = 0; i < 5; i++) {
        caller_works = caller_works || pthread_equal(all.threads[i], pthread_self());
        for (int k = 0; k < i; k++)
            CHECK(!pthread_equal(all.threads[i], all.threads[k]));
    }
    CHECK(caller_works);
}

TEST_ONCE(a_smaller_number_ends_threads_and_a_larger_one_starts_them) { /* threads */
    use_threads(8);
    CHECK(loop_is_complete(100, 1));
    CHECK_INT(tni_parallel_workers(), 7);
    CHECK_INT(tn_set_num_threads(3), TN_OK);
    CHECK_INT(tni_parallel_workers(), 2);
    CHECK(loop_is_complete(100, 1));
    CHECK_INT(tn_set_num_threads(6), TN_OK);
    CHECK_INT(tni_parallel_workers(), 2);
    CHECK(loop_is_complete(100, 1));
    CHECK_INT(tni_parallel_workers(), 5);
    CHECK_INT(tn_set_num_threads(1), TN_OK);
    CHECK_INT(tni_parallel_workers(), 0);
    CHECK(loop_is_complete(100, 1));
    CHECK_INT(tni_parallel_workers(), 0);
}

typedef struct order {
    pthread_t caller;
    int64_t next;
    bool kept;
} order;

static void note_order(void *arg, int64_t begin, int64_t end) {
    order *seen = arg;
    seen->kept = seen->kept && begin == seen->next && pthread_equal(seen->caller, pthread_self());
    seen->next = end;
}

TEST(with_one_thread_the_caller_does_everything_in_order) {
    use_threads(1);
    order seen = {pthread_self(), 0, true};
    tni_parallel_for(1000, 7, note_order, &seen);
    CHECK(seen.kept);
    CHECK_INT(seen.next, 1000);
}

TEST_ONCE(a_limit_holds_for_this_thread_alone) { /* threads */
    use_threads(6);
    CHECK_INT(tn_limit_threads(2), 0);
    CHECK_INT(tn_num_threads(), 2);
    meeting all = {.expected = 2};
    tni_parallel_tasks(2, meet, &all);
    for (int round = 0; round < 200; round++) {
        all.arrived = 0;
        tni_parallel_tasks(16, meet, &all);
        pthread_t one = all.threads[0], other = one;
        for (int i = 0; i < 16; i++)
            if (!pthread_equal(all.threads[i], one)) {
                CHECK(pthread_equal(other, one) || pthread_equal(other, all.threads[i]));
                other = all.threads[i];
            }
    }
    CHECK_INT(tn_limit_threads(100), 2);
    CHECK_INT(tn_num_threads(), 6);
    CHECK_INT(tn_limit_threads(0), 100);
    int64_t refused = 0;
    CHECK_ERROR(TN_ERROR_ARGUMENT, "limit_threads: n is -3", refused = tn_limit_threads(-3));
    CHECK_INT(refused, -1);
    CHECK_INT(tn_limit_threads(0), 0);
}

TEST(numbers_that_make_no_sense_are_refused) {
    use_threads(2);
    CHECK_ERROR(TN_ERROR_ARGUMENT, "set_num_threads: n is -1", tn_set_num_threads(-1));
    CHECK_ERROR(TN_ERROR_ARGUMENT, "n is 1025; it must be 1 to 1024", tn_set_num_threads(TN_THREADS_LIMIT + 1));
    CHECK_ERROR(TN_ERROR_ARGUMENT, "set_num_threads", tn_set_num_threads(INT64_MAX));
    CHECK_INT(tn_num_threads(), 2);
}

static char environment_before[64];

static void environment_again(void *text) {
    if (*(char *)text)
        setenv("TENON_NUM_THREADS", text, 1);
    else
        unsetenv("TENON_NUM_THREADS");
    tn_set_num_threads(0);
}

TEST(the_environment_says_what_is_automatic) {
    const char *before = getenv("TENON_NUM_THREADS");
    snprintf(environment_before, sizeof environment_before, "%s", before ? before : "");
    TEST_DEFER(environment_again, environment_before);
    unsetenv("TENON_NUM_THREADS");
    CHECK_INT(tn_set_num_threads(0), TN_OK);
    int64_t counted = tn_num_threads();
    CHECK_INT(counted, tni_cpu_count());
    setenv("TENON_NUM_THREADS", "11", 1);
    CHECK_INT(tn_num_threads(), counted);
    CHECK_INT(tn_set_num_threads(0), TN_OK);
    CHECK_INT(tn_num_threads(), 11);
    static const char *const ignored[] = {"", "0", "-4", "many", "3 or so"};
    for (size_t i = 0; i < sizeof ignored / sizeof *ignored; i++) {
        setenv("TENON_NUM_THREADS", ignored[i], 1);
        CHECK_INT(tn_set_num_threads(0), TN_OK);
        CHECK_INT(tn_num_threads(), counted);
    }
    setenv("TENON_NUM_THREADS", "99999999999999999999", 1);
    CHECK_INT(tn_set_num_threads(0), TN_OK);
    CHECK_INT(tn_num_threads(), TN_THREADS_LIMIT);
}

/* ---- loops in loops, loops beside loops ---- */

TEST(a_loop_inside_a_loop_stays_on_its_thread) {
    use_threads(3);
    nesting all = {0, 0};
    CHECK(!tni_parallel_inside());
    tni_parallel_tasks(30, outer_task, &all);
    CHECK_INT(all.inner_calls, 600);
    CHECK_INT(all.strayed, 0);
    CHECK(!tni_parallel_inside());
}

static void *call_many_loops(void *arg) {
    unsigned state = *(unsigned *)arg;
    for (int i = 0; i < 300; i++) {
        state = state * 1664525u + 1013904223u;
        if (!loop_is_complete(1 + (int64_t)(state >> 22), 1 + (int64_t)(state >> 10 & 63)))
            return NULL;
    }
    return arg;
}

TEST_ONCE(several_threads_may_loop_at_once_while_the_number_changes) { /* threads */
    enum { CALLERS = 4 };
    use_threads(3);
    pthread_t callers[CALLERS];
    unsigned seeds[CALLERS] = {1, 2, 3, 4};
    int started = 0;
    while (started < CALLERS && pthread_create(&callers[started], NULL, call_many_loops, &seeds[started]) == 0)
        started++;
    bool set = true;
    for (int i = 0; i < 100; i++)
        set = tn_set_num_threads(1 + i % 5) == TN_OK && set;
    int complete = 0;
    for (int i = 0; i < started; i++) {
        void *result = NULL;
        pthread_join(callers[i], &result);
        complete += result != NULL;
    }
    CHECK_INT(started, CALLERS);
    CHECK_INT(complete, CALLERS);
    CHECK(set);
    CHECK(tni_parallel_workers() <= tn_num_threads() - 1);
}

static void set_three_threads(void *arg, int64_t index) {
    if (index == 0)
        *(tn_error *)arg = tn_set_num_threads(3);
}

TEST_ONCE(a_number_set_inside_a_loop_holds_after_it) { /* threads */
    use_threads(6);
    tn_error result = TN_ERROR_INTERNAL;
    tni_parallel_tasks(50, set_three_threads, &result);
    CHECK_INT(result, TN_OK);
    CHECK_INT(tn_num_threads(), 3);
    CHECK_INT(tni_parallel_workers(), 2);
}

/* ---- what threads are like ---- */

typedef struct thread_traits {
    pthread_t caller;
    _Atomic int64_t others, blocked, faults_open, arrived;
} thread_traits;

static void note_signals(void *arg, int64_t index) {
    thread_traits *traits = arg;
    (void)index;
    atomic_fetch_add(&traits->arrived, 1);
    while (atomic_load(&traits->arrived) < 3)
        sched_yield();
    if (pthread_equal(traits->caller, pthread_self()))
        return;
    sigset_t mask;
    pthread_sigmask(SIG_SETMASK, NULL, &mask);
    atomic_fetch_add(&traits->others, 1);
    atomic_fetch_add(&traits->blocked,
                     sigismember(&mask, SIGINT) && sigismember(&mask, SIGUSR1) && sigismember(&mask, SIGALRM));
    atomic_fetch_add(&traits->faults_open, !sigismember(&mask, SIGSEGV) && !sigismember(&mask, SIGBUS));
}

TEST_ONCE(workers_leave_signals_to_the_hosts_threads) { /* threads */
    use_threads(3);
    thread_traits traits = {.caller = pthread_self()};
    tni_parallel_tasks(3, note_signals, &traits);
    CHECK_INT(traits.others, 2);
    CHECK_INT(traits.blocked, 2);
    CHECK_INT(traits.faults_open, 2);
    sigset_t mask;
    pthread_sigmask(SIG_SETMASK, NULL, &mask);
    CHECK(!sigismember(&mask, SIGINT));
}

#if defined(__SSE2__)
typedef struct mode_check {
    _Atomic int64_t arrived, expected, flushing;
} mode_check;

static void note_mode(void *arg, int64_t index) {
    mode_check *check = arg;
    (void)index;
    atomic_fetch_add(&check->arrived, 1);
    while (atomic_load(&check->arrived) < atomic_load(&check->expected))
        sched_yield();
    atomic_fetch_add(&check->flushing, (_mm_getcsr() & _MM_FLUSH_ZERO_MASK) != 0);
}

TEST_ONCE(workers_use_the_callers_float_mode) { /* threads */
    use_threads(3);
    mode_check plain = {.expected = 3}, flushing = {.expected = 3}, after = {.expected = 3};
    tni_parallel_tasks(3, note_mode, &plain);
    unsigned before = _mm_getcsr();
    _mm_setcsr(before | _MM_FLUSH_ZERO_ON);
    tni_parallel_tasks(3, note_mode, &flushing);
    _mm_setcsr(before);
    tni_parallel_tasks(3, note_mode, &after);
    CHECK_INT(plain.flushing, 0);
    CHECK_INT(flushing.flushing, 3);
    CHECK_INT(after.flushing, 0);
}
#endif

TEST_ONCE(a_thread_that_cannot_be_created_is_done_without) { /* threads */
    use_threads(1);
    CHECK_INT(tn_set_num_threads(4), TN_OK);
    tni_fault_arm(2);
    bool complete = loop_is_complete(1000, 7);
    bool happened = tni_fault_disarm();
    CHECK(complete);
    CHECK(happened);
    CHECK_INT(tni_parallel_workers(), 1);
    for (int i = 0; i < 2000 && tni_parallel_workers() < 3; i++)
        CHECK(loop_is_complete(3, 1));
    CHECK_INT(tni_parallel_workers(), 3);
    CHECK_INT(tn_set_num_threads(1), TN_OK);
    CHECK_INT(tn_set_num_threads(4), TN_OK);
    tni_fault_arm(1);
    complete = loop_is_complete(1000, 7);
    happened = tni_fault_disarm();
    CHECK(complete);
    CHECK(happened);
    CHECK_INT(tni_parallel_workers(), 0);
}

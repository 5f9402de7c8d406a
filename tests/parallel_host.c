/* parallel_host.c - the thread pool and its host: fork, affinity, and threads that the host supplies. */
#include "threads_helpers.h"

#include <sys/wait.h>
#include <unistd.h>

#include "base/quota.h"

/* ---- fork ---- */

/* Runs a check in a child of fork; whether it succeeded. A child that hangs is killed by its alarm. */
static bool holds_in_child(bool (*check)(void)) {
    fflush(stdout);
    pid_t child = fork();
    if (child == 0) {
        alarm(300);
        _exit(check() ? 0 : 1);
    }
    int status = -1;
    return child > 0 && waitpid(child, &status, 0) == child && WIFEXITED(status) && WEXITSTATUS(status) == 0;
}

static bool pool_begins_anew(void) {
    meeting all = {.expected = 3};
    if (tni_parallel_workers() != 0 || tn_num_threads() != 3)
        return false;
    tni_parallel_tasks(3, meet, &all);
    return tni_parallel_workers() == 2 && loop_is_complete(1000, 3);
}

TEST_ONCE(a_child_of_fork_makes_its_own_pool) { /* forks */
    use_threads(3);
    CHECK(loop_is_complete(1000, 3));
    CHECK_INT(tni_parallel_workers(), 2);
    CHECK(holds_in_child(pool_begins_anew));
    CHECK_INT(tni_parallel_workers(), 2);
    CHECK(loop_is_complete(1000, 3));
}

static _Atomic bool looping_ends;

static void *loop_until_told(void *arg) {
    _Atomic int64_t calls = 0;
    while (!atomic_load(&looping_ends))
        tni_parallel_for(64, 1, count_call, &calls);
    return arg;
}

TEST_ONCE(a_fork_while_another_thread_loops_leaves_a_working_child) { /* forks */
    use_threads(3);
    atomic_store(&looping_ends, false);
    pthread_t other;
    bool started = pthread_create(&other, NULL, loop_until_told, NULL) == 0;
    int good = 0;
    for (int i = 0; i < 20 && started; i++)
        good += holds_in_child(pool_begins_anew);
    atomic_store(&looping_ends, true);
    if (started)
        pthread_join(other, NULL);
    CHECK(started);
    CHECK_INT(good, 20);
}

static void observe_nothing(void *ctx, const tn_error_record *record) { (void)ctx, (void)record; }

static void *settings_until_told(void *arg) {
    tn_print_options options = {.struct_size = sizeof options};
    while (!atomic_load(&looping_ends)) {
        (void)tn_get_print_options(&options);
        (void)tn_set_print_options(&options);
        (void)tn_device_type_register("forked");
        tn_error_observe(observe_nothing, NULL);
    }
    tn_error_observe(NULL, NULL);
    return arg;
}

static bool settings_can_be_used(void) {
    tn_print_options options = {.struct_size = sizeof options};
    bool printed = tn_get_print_options(&options) == TN_OK && tn_set_print_options(NULL) == TN_OK;
    bool registered = tn_device_type_register("forked") >= TN_DEVICE_USER;
    tn_error_observe(NULL, NULL);
    return printed && registered && tn_get_print_options(NULL) == TN_ERROR_ARGUMENT; /* which the observer must know */
}

TEST_ONCE(a_fork_while_another_thread_changes_settings_leaves_a_child_that_can_change_them_too) { /* forks */
    atomic_store(&looping_ends, false);
    pthread_t other;
    bool started = pthread_create(&other, NULL, settings_until_told, NULL) == 0;
    int good = 0;
    for (int i = 0; i < 100 && started; i++)
        good += holds_in_child(settings_can_be_used);
    atomic_store(&looping_ends, true);
    if (started)
        pthread_join(other, NULL);
    CHECK(started);
    CHECK_INT(good, 100);
}

static bool pool_can_end(void) {
    if (!loop_is_complete(1000, 3) || tni_parallel_workers() != 2)
        return false;
    tni_parallel_end();
    return tni_parallel_workers() == 0 && loop_is_complete(1000, 3) && tni_parallel_workers() == 0 &&
           tn_set_num_threads(5) == TN_OK && loop_is_complete(10, 1) && tni_parallel_workers() == 0;
}

TEST_ONCE(loops_still_work_when_the_pool_has_ended) { /* forks */
    use_threads(3);
    CHECK(holds_in_child(pool_can_end));
}

/* ---- the host's executor ---- */

typedef struct host {
    int64_t most; /* how many of the tasks it runs */
    bool in_threads;
    _Atomic int64_t runs, tasks;
    tn_error inside;
} host;

typedef struct host_task {
    tn_task task;
    void *arg;
    int64_t index;
} host_task;

static void *host_thread(void *arg) {
    host_task *one = arg;
    one->task(one->arg, one->index);
    return arg;
}

static void host_run(void *ctx, tn_task task, void *arg, int64_t count) {
    host *self = ctx;
    enum { HOST_MOST = 16 };
    pthread_t threads[HOST_MOST];
    host_task tasks[HOST_MOST];
    bool started[HOST_MOST] = {false};
    atomic_fetch_add(&self->runs, 1);
    atomic_fetch_add(&self->tasks, count);
    for (int64_t i = count - 1; i >= 0; i--) {
        if (i >= self->most || i >= HOST_MOST)
            continue;
        tasks[i] = (host_task){task, arg, i};
        started[i] = self->in_threads && pthread_create(&threads[i], NULL, host_thread, &tasks[i]) == 0;
        if (!started[i])
            task(arg, i);
    }
    for (int64_t i = 0; i < count && i < HOST_MOST; i++)
        if (started[i])
            pthread_join(threads[i], NULL);
}

static tn_executor executor_of(host *self) {
    return (tn_executor){.struct_size = sizeof(tn_executor), .ctx = self, .run = host_run};
}

TEST_ONCE(a_host_may_supply_the_threads) { /* threads */
    static const struct {
        int64_t most;
        bool in_threads;
    } kinds[] = {{99, false}, {99, true}, {1, true}, {0, false}};
    use_threads(1);
    CHECK_INT(tn_set_num_threads(4), TN_OK);
    for (size_t kind = 0; kind < sizeof kinds / sizeof *kinds; kind++) {
        host self = {.most = kinds[kind].most, .in_threads = kinds[kind].in_threads};
        tn_executor executor = executor_of(&self);
        CHECK_INT(tn_set_executor(&executor), TN_OK);
        bool complete = loop_is_complete(1000, 3);
        bool small = loop_is_complete(7, 7) && loop_is_complete(3, 1);
        CHECK_INT(tn_set_executor(NULL), TN_OK);
        CHECK(complete);
        CHECK(small);
        CHECK_INT(self.runs, 2);
        CHECK_INT(self.tasks, 4 + 3);
        CHECK_INT(tni_parallel_workers(), 0);
    }
    CHECK(loop_is_complete(1000, 3));
    CHECK_INT(tni_parallel_workers(), 3);
}

static void replace_executor(void *arg, int64_t index) {
    (void)index;
    host *self = arg;
    tn_executor executor = executor_of(self);
    self->inside = tn_set_executor(&executor);
}

TEST_ONCE(an_executor_keeps_nested_loops_inline_and_cannot_be_replaced_from_inside) { /* threads */
    use_threads(3);
    host self = {.most = 99, .in_threads = true};
    tn_executor executor = executor_of(&self);
    CHECK_INT(tn_set_executor(&executor), TN_OK);
    nesting all = {0, 0};
    tni_parallel_tasks(10, outer_task, &all);
    self.in_threads = false;
    int64_t runs = self.runs;
    CHECK_ERROR(TN_ERROR_STATE, "from inside a task", tni_parallel_tasks(2, replace_executor, &self));
    CHECK_INT(tn_set_executor(NULL), TN_OK);
    CHECK_INT(self.inside, TN_ERROR_STATE);
    CHECK_INT(runs, 1);
    CHECK_INT(all.inner_calls, 200);
    CHECK_INT(all.strayed, 0);
    CHECK(!tni_parallel_inside());
}

static host host_before_fork = {.most = 99};

static bool child_uses_own_pool(void) { return loop_is_complete(1000, 3) && host_before_fork.runs == 0; }

TEST_ONCE(a_child_of_fork_does_not_use_its_parents_executor) { /* forks */
    use_threads(3);
    tn_executor executor = executor_of(&host_before_fork);
    CHECK_INT(tn_set_executor(&executor), TN_OK);
    CHECK(holds_in_child(child_uses_own_pool));
    CHECK(loop_is_complete(1000, 3));
    CHECK_INT(host_before_fork.runs, 1);
    atomic_store(&host_before_fork.runs, 0);
}

TEST(an_executor_that_is_not_filled_in_is_refused) {
    TEST_DEFER(automatic_again, NULL);
    host self = {.most = 99};
    tn_executor executor = executor_of(&self);
    executor.struct_size = 8;
    CHECK_ERROR(TN_ERROR_ARGUMENT, "struct_size is 8", tn_set_executor(&executor));
    executor.struct_size = 1 << 20;
    CHECK_ERROR(TN_ERROR_ARGUMENT, "struct_size is 1048576", tn_set_executor(&executor));
    executor.struct_size = sizeof executor;
    executor.run = NULL;
    CHECK_ERROR(TN_ERROR_ARGUMENT, "run is NULL", tn_set_executor(&executor));
    struct {
        tn_executor known;
        void *later;
    } longer = {executor_of(&self), &self};
    longer.known.struct_size = sizeof longer;
    CHECK_ERROR(TN_ERROR_UNSUPPORTED, "does not know", tn_set_executor(&longer.known));
    longer.later = NULL;
    CHECK_INT(tn_set_executor(&longer.known), TN_OK);
    CHECK(loop_is_complete(2, 1));
    CHECK_INT(tn_set_executor(NULL), TN_OK);
}

#if defined(__linux__)
static bool one_cpu_is_counted(void) {
    cpu_set_t mask;
    if (sched_getaffinity(0, sizeof mask, &mask) != 0)
        return false;
    size_t first = 0;
    while (!CPU_ISSET(first, &mask))
        first++;
    CPU_ZERO(&mask);
    CPU_SET(first, &mask);
    return sched_setaffinity(0, sizeof mask, &mask) == 0 && tni_cpu_count() == 1 && tn_set_num_threads(0) == TN_OK &&
           tn_num_threads() == 1 && tn_set_num_threads(3) == TN_OK && pool_begins_anew();
}

TEST_ONCE(a_process_bound_to_one_cpu_uses_one_thread_unless_told) { /* forks */
    use_threads(3);
    CHECK(holds_in_child(one_cpu_is_counted));
}
#endif

/* run_jobs.c - tests shared out among several processes. See run_jobs.h.
 *
 * The outcomes are in memory that all of them see. Whoever has finished a test writes a byte to a pipe; at its end no process is left.
 */
#include "run_jobs.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

enum { JOBS_LIMIT = 64 };

typedef struct shared_work {
    atomic_int next; /* the first number that nobody has begun */
    test_outcome outcomes[];
} shared_work;

static void work_alone(const test_work *work) {
    static test_outcome outcome;
    for (int i = 0; i < work->count; i++) {
        memset(&outcome, 0, sizeof outcome);
        work->announce(i);
        work->run(i, &outcome);
        work->report(i, &outcome);
    }
}

static void work_on(const test_work *work, shared_work *shared, int process, int done) {
    for (int i; (i = atomic_fetch_add(&shared->next, 1)) < work->count;) {
        shared->outcomes[i].process = process;
        shared->outcomes[i].state = TEST_BEGUN;
        work->run(i, &shared->outcomes[i]);
        if (write(done, "", 1) != 1)
            exit(1);
    }
}

static void say_how_it_ended(char *text, size_t size, int status) {
    if (WIFSIGNALED(status))
        snprintf(text, size, "its process was ended by signal %d", WTERMSIG(status));
    else
        snprintf(text, size, "its process ended with status %d", WEXITSTATUS(status));
}

/* Reports what is finished, in order; at the end of the pipe everything. */
static void report_all(const test_work *work, shared_work *shared, int done) {
    char bytes[256];
    int reported = 0;
    bool more = true;
    while (more) {
        more = read(done, bytes, sizeof bytes) > 0;
        for (; reported < work->count && shared->outcomes[reported].state >= TEST_PASSED; reported++) {
            work->announce(reported);
            work->report(reported, &shared->outcomes[reported]);
        }
        fflush(stdout);
    }
}

static int work_together(const test_work *work, shared_work *shared, int jobs) {
    int ends[2], status[JOBS_LIMIT] = {0}, bad = 0;
    pid_t processes[JOBS_LIMIT];
    if (pipe(ends) != 0)
        return 1;
    fflush(stdout);
    for (int process = 0; process < jobs; process++) {
        processes[process] = fork();
        if (processes[process] == 0) {
            close(ends[0]);
            work_on(work, shared, process, ends[1]);
            exit(0);
        }
    }
    close(ends[1]);
    report_all(work, shared, ends[0]);
    close(ends[0]);
    for (int process = 0; process < jobs; process++) {
        status[process] = -1;
        if (processes[process] > 0)
            (void)waitpid(processes[process], &status[process], 0);
        bad += status[process] != 0;
    }
    /* What was not reported: the test that a process did not survive, those after it, and all that nobody began. */
    int first = 0;
    while (first < work->count && shared->outcomes[first].state >= TEST_PASSED)
        first++;
    for (int i = first; i < work->count; i++) {
        test_outcome *outcome = &shared->outcomes[i];
        if (outcome->state == TEST_BEGUN) {
            say_how_it_ended(outcome->failure, sizeof outcome->failure, status[outcome->process]);
            bad--; /* it is counted as a failed test */
        } else if (outcome->state == TEST_WAITING) {
            snprintf(outcome->failure, sizeof outcome->failure, "no process was left to run it");
        }
        if (outcome->state < TEST_PASSED)
            outcome->state = TEST_FAILED;
        work->announce(i);
        work->report(i, outcome);
    }
    return bad;
}

int test_share(const test_work *work, int jobs) {
    if (jobs <= 1) {
        work_alone(work);
        return 0;
    }
    size_t size = sizeof(shared_work) + (size_t)work->count * sizeof(test_outcome);
    shared_work *shared = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (shared == MAP_FAILED)
        return 1;
    int bad = work_together(work, shared, jobs < JOBS_LIMIT ? jobs : JOBS_LIMIT);
    munmap(shared, size);
    return bad;
}

/* run_jobs.h - tests shared out among several processes, each taking the next that nobody has begun. */
#ifndef TENON_TEST_RUN_JOBS_H
#define TENON_TEST_RUN_JOBS_H

#include <stdatomic.h>

enum { TEST_WAITING, TEST_BEGUN, TEST_PASSED, TEST_FAILED };

typedef struct test_outcome {
    atomic_int state; /* one of the above; written last */
    long long fault_runs;
    double seconds; /* of CPU */
    int process;    /* which of the processes ran it */
    char failure[3000];
} test_outcome;

typedef struct test_work {
    int count;
    void (*announce)(int number);                     /* before its report, at once in a single process */
    void (*run)(int number, test_outcome *outcome);   /* in one of the processes */
    void (*report)(int number, const test_outcome *); /* in the first process, in the order of the numbers */
} test_work;

/* Does the work in that many processes, or in this one for jobs = 1. A test whose process ends before it is a failed one; the others
 * go on. Returns how many processes ended badly after their last test, which a leak checker makes them do. */
int test_share(const test_work *work, int jobs);

#endif

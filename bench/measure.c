/* measure.c - rounds of samples, one contestant after the other.
 *
 * A sample is a batch of calls between two readings of the clock, long enough that the clock does not matter and short
 * enough that some batches are not disturbed by the rest of the machine. The best of many batches says what the code costs, the
 * median what one usually sees; both are kept. Before its sample a contestant does some of the work untimed, because the caches
 * still hold what the one before it left, perhaps not yet written back; and the order is drawn again for every round.
 */
#include "bench.h"

#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <time.h>

static const double BATCH_NS = 200e3;
static const int64_t BATCH_CALLS_MAX = 1000000;
static const int ROUNDS_MIN = 11;

double bench_now_ns(void) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec * 1e9 + (double)now.tv_nsec;
}

int64_t bench_faults(void) {
    struct rusage usage;
    getrusage(RUSAGE_SELF, &usage);
    return (int64_t)usage.ru_minflt + (int64_t)usage.ru_majflt;
}

/* How many calls fill a batch. Finding this out also warms caches and allocators, so the first round is like the others. 0 when
 * the contestant fails. */
static int64_t batch_size(bench_contestant *contestant) {
    int64_t times = 1;
    for (int attempt = 0; attempt < 12; attempt++) {
        bench_sample sample;
        if (!contestant->sample(contestant, times, &sample))
            return 0;
        double wanted = BATCH_NS / (sample.ns > 0.1 ? sample.ns : 0.1);
        if (attempt > 0 && (double)times >= 0.5 * wanted)
            break;
        double next = wanted < 16.0 * (double)times ? wanted : 16.0 * (double)times;
        times = next < 1 ? 1 : next > (double)BATCH_CALLS_MAX ? BATCH_CALLS_MAX : (int64_t)next;
    }
    return times;
}

/* A peer's idle worker threads may spin for some milliseconds before they sleep: the next one must not share with them. */
static void let_others_sleep(int64_t threads) {
    if (threads > 1)
        nanosleep(&(struct timespec){0, 10000000}, NULL);
}

static int ascending(const void *a, const void *b) {
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static double median(double *values, int count) {
    qsort(values, (size_t)count, sizeof *values, ascending);
    return count % 2 ? values[count / 2] : 0.5 * (values[count / 2 - 1] + values[count / 2]);
}

static int verdict_of(const bench_workload *workload, const bench_result *result, int tenon) {
    const bench_figure *own = &result->figures[tenon];
    if (!own->present || (workload->target <= 0 && !workload->no_faults))
        return -1;
    if (workload->no_faults && own->faults > 0.5)
        return 0;
    if (workload->target <= 0)
        return 1;
    if (workload->limit == BENCH_LIMIT_NONE)
        return own->best_ns <= workload->target;
    if (result->limit < 0)
        return -1;
    double limit = result->figures[result->limit].best_ns;
    return bench_limit_is_speed(workload->limit) ? limit / own->best_ns >= workload->target
                                                 : own->best_ns / limit <= workload->target;
}

/* The order of a round: a shuffle (Fisher and Yates) that is the same in every run. */
static void draw_order(int *order, int count, uint64_t *state) {
    for (int i = 0; i < count; i++)
        order[i] = i;
    for (int i = count - 1; i > 0; i--) {
        *state = *state * 6364136223846793005u + 1442695040888963407u;
        int other = (int)((*state >> 33) % (uint64_t)(i + 1)), kept = order[i];
        order[i] = order[other];
        order[other] = kept;
    }
}

void bench_measure(bench_contest *contest, const bench_workload *workload, int64_t threads, bench_result *out) {
    static double times[BENCH_CONTESTANTS_MAX][BENCH_ROUNDS_MAX], faults[BENCH_CONTESTANTS_MAX][BENCH_ROUNDS_MAX];
    int64_t batch[BENCH_CONTESTANTS_MAX] = {0};
    int order[BENCH_CONTESTANTS_MAX], ready = 0;
    uint64_t shuffle = 1;

    out->workload = workload;
    out->name = workload->name;
    out->threads = threads;
    out->bytes = workload->reads + workload->writes;
    out->limit = -1;
    for (int i = 0; i < contest->count; i++) {
        bench_contestant *contestant = &contest->list[i];
        char reason[256] = "";
        if (!contestant->prepare(contestant, workload, threads, reason)) {
            if (reason[0])
                fprintf(stderr, "  %s: %s: %s\n", workload->name, contestant->name, reason);
            continue;
        }
        batch[i] = batch_size(contestant);
        let_others_sleep(threads);
        if (batch[i])
            ready++;
        else
            contestant->finish(contestant);
    }

    double end = bench_now_ns() + contest->seconds * 1e9 * ready;
    int round = 0;
    for (; ready && round < BENCH_ROUNDS_MAX && (round < ROUNDS_MIN || bench_now_ns() < end); round++) {
        draw_order(order, contest->count, &shuffle);
        for (int turn = 0; turn < contest->count; turn++) {
            int i = order[turn];
            bench_sample sample;
            if (!batch[i])
                continue;
            if (!contest->list[i].sample(&contest->list[i], batch[i], &sample)) {
                fprintf(stderr, "  %s: %s: failed while measuring\n", workload->name, contest->list[i].name);
                contest->list[i].finish(&contest->list[i]);
                batch[i] = 0;
                continue;
            }
            times[i][round] = sample.ns;
            faults[i][round] = sample.faults;
            let_others_sleep(threads);
        }
    }
    out->rounds = round;

    for (int i = 0; i < contest->count; i++) {
        if (!batch[i])
            continue;
        contest->list[i].finish(&contest->list[i]);
        bench_figure *figure = &out->figures[i];
        figure->present = true;
        figure->median_ns = median(times[i], round);
        figure->best_ns = times[i][0];
        figure->faults = median(faults[i], round);
        if (contest->list[i].is_limit && (out->limit < 0 || figure->best_ns < out->figures[out->limit].best_ns))
            out->limit = i;
    }
    out->verdict = verdict_of(workload, out, contest->tenon);
}

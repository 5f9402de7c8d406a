/* run.c - runs the registered tests, then each again with every allocation failing in turn: alone, and with all that follow.
 * See test.h.
 *
 * usage: run [OPTION...] [NAME...]
 *
 *   NAME             selects the tests whose "file: name" contains it
 *   --no-faults      runs each test once
 *   --faults=I/N     of the allocations that fail in turn, each N-th, beginning with the I-th: N builds share them
 *   --jobs[=N]       in N processes, or as many as there are processors
 *   --shuffle=SEED   in an order that depends only on SEED: a test must not need what another left behind
 *   --level=LEVEL    a test fails if that CPU level is not the one in use before and after it
 *   --times          tells at the end which files and tests took the most CPU time
 *   --list, -v       what there is; each test's name
 *   --bits           prints hashes of results instead, see bits.c
 */
#include "test.h"

#include <setjmp.h>
#include <stdarg.h>
#include <time.h>
#include <unistd.h>

#include "base/heap.h"
#include "bits.h"
#include "run_jobs.h"

enum { DEFER_LIMIT = 64, FAULT_LIMIT = 3000, FAULT_SAMPLES = 5, SLOWEST = 20 };

static struct options {
    const char *level;
    bool faults, list, verbose, bits, times;
    int64_t share, shares; /* of the failing allocations: each `shares`-th from the `share`-th */
    int jobs;
} options = {.faults = true, .share = 1, .shares = 1, .jobs = 1};

static test_case *first_test;
static jmp_buf failed;
static bool fault_run;
static char failure[2048];
static struct deferred {
    void (*release)(void *);
    void *object;
} deferred[DEFER_LIMIT];
static size_t deferred_count;
static uint64_t random_state;

void test_register(test_case *test) {
    test_case **at = &first_test;
    while (*at && (strcmp((*at)->file, test->file) < 0 || (strcmp((*at)->file, test->file) == 0)))
        at = &(*at)->next;
    test->next = *at;
    *at = test;
}

void test_fail(const char *file, int line, const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    int length = snprintf(failure, sizeof failure, "%s:%d: ", file, line);
    vsnprintf(failure + length, sizeof failure - (size_t)length, format, arguments);
    va_end(arguments);
    longjmp(failed, 1);
}

void test_check_error(const char *file, int line, tn_error code, const char *part, const char *expression) {
    if (tn_error_code() == code && strstr(tn_error_message(), part)) {
        tn_error_clear();
        return;
    }
    test_fail(file, line, "%s\n    gave [%s] \"%s\"\n    not  [%s] \"...%s...\"", expression, tn_error_name(tn_error_code()),
              tn_error_message(), tn_error_name(code), part);
}

void test_defer(void (*release)(void *), void *object) {
    if (deferred_count == DEFER_LIMIT) {
        release(object);
        test_fail(__FILE__, __LINE__, "too many deferred releases");
    }
    deferred[deferred_count++] = (struct deferred){release, object};
}

uint64_t test_random(void) {
    random_state ^= random_state << 13;
    random_state ^= random_state >> 7;
    random_state ^= random_state << 17;
    return random_state * UINT64_C(2685821657736338717);
}

int64_t test_random_between(int64_t low, int64_t high) { return low + (int64_t)(test_random() % ((uint64_t)(high - low) + 1)); }

static int64_t bytes_in_use(void) {
    tn_memory_stats stats = {.struct_size = sizeof stats};
    tn_memory_stats_of(TN_CPU, &stats);
    return stats.bytes.current;
}

/* The lists that a thread keeps for its scopes, once made, are not a leak of the test that needed them first. */
static int64_t objects_in_use(void) {
    const tni_thread *thread = tni_thread_get();
    return tni_heap_live() - (thread->scoped != NULL) - (thread->marks != thread->marks_inline);
}

/* Runs a test once. Returns whether it passed; `failure` says why when not. */
static bool run_once(test_case *test) {
    tn_error_clear();
    failure[0] = 0;
    random_state = UINT64_C(0x9e3779b97f4a7c15);
    deferred_count = 0;
    tn_cpu_level level = tn_cpu_level_in_use();
    int64_t threads = tn_num_threads();
    tn_grad_mode mode = tn_grad_mode_now();
    tn_scope scope = tn_scope_open();
    volatile bool passed = false;
    if (setjmp(failed) == 0) {
        test->run();
        passed = true;
    }
    if (passed && !fault_run && tn_error_code() != TN_OK) {
        passed = false;
        snprintf(failure, sizeof failure, "%s: an error was left behind: %.1900s", test->name, tn_error_message());
    }
    while (deferred_count > 0) {
        deferred_count--;
        deferred[deferred_count].release(deferred[deferred_count].object);
    }
    if (scope.id)
        tn_scope_close(scope);
    if (!passed && tn_cpu_level_in_use() != level) /* it ended before it could put them back */
        tn_set_cpu_level(level);
    if (!passed && tn_num_threads() != threads)
        tn_set_num_threads(threads);
    if (passed && tn_grad_mode_now() != mode) {
        passed = false;
        snprintf(failure, sizeof failure, "%s: gradients are recorded in another mode than before", test->name);
    }
    (void)tn_grad_mode_set(mode);
    return passed;
}

static bool leaked(int64_t bytes_before, int64_t objects_before, bool single_thread) {
    int64_t bytes = bytes_in_use() - bytes_before;
    int64_t objects = single_thread ? objects_in_use() - objects_before : 0;
    if (bytes == 0 && objects == 0)
        return false;
    snprintf(failure, sizeof failure, "leaked %lld bytes of element memory and %lld objects", (long long)bytes,
             (long long)objects);
    return true;
}

/* Runs a test with allocation k failing, or with that and all that follow. False, and `failure` says why, when it did what a
 * test must not do then. *happened: there was an allocation k. */
static bool run_with_fault(test_case *test, int64_t k, bool all_after, bool *happened) {
    const char *what = all_after ? "and all after it " : "";
    int64_t bytes = bytes_in_use(), objects = objects_in_use();
    fault_run = true;
    (all_after ? tni_fault_arm_from : tni_fault_arm)(k);
    bool passed = run_once(test);
    *happened = tni_fault_disarm();
    fault_run = false;
    if (!*happened)
        return true;
    tn_error code = tn_error_code();
    char why[2048];
    memcpy(why, failure, sizeof why);
    if (!passed && code != TN_ERROR_MEMORY) {
        snprintf(failure, sizeof failure, "with allocation %lld %sfailing: %.1200s\n    and the error was [%s] %.500s",
                 (long long)k, what, why, tn_error_name(code), tn_error_message());
        return false;
    }
    tn_error_clear();
    if (!leaked(bytes, objects, true))
        return true;
    snprintf(why, sizeof why, "%.199s", failure);
    snprintf(failure, sizeof failure, "with allocation %lld %sfailing: %.199s", (long long)k, what, why);
    return false;
}

/* Every allocation in turn, each alone and with all after it. More than FAULT_LIMIT are a failure, not a reason to stop. */
static bool run_with_faults(test_case *test, long long *runs) {
    for (int64_t k = options.share; k <= FAULT_LIMIT; k += options.shares) {
        bool happened = true;
        for (int all_after = 0; all_after < 2 && happened; all_after++, ++*runs)
            if (!run_with_fault(test, k, all_after, &happened))
                return false;
        if (!happened)
            return true;
    }
    snprintf(failure, sizeof failure, "it makes more than %d allocations: cut it in pieces, or make it a TEST_SAMPLED",
             FAULT_LIMIT);
    return false;
}

/* The first, the last and some of those between, drawn for each test but the same in every run. */
static bool run_with_some_faults(test_case *test, long long *runs) {
    tni_fault_arm(INT64_MAX);
    bool passed = run_once(test);
    int64_t count = INT64_MAX - atomic_load(&tni_fault_countdown);
    tni_fault_disarm();
    if (!passed)
        return false;
    uint64_t draw = (uint64_t)count;
    for (const char *at = test->name; *at; at++)
        draw = draw * 31 + (unsigned char)*at;
    for (int sample = 0; sample < FAULT_SAMPLES && count > 0; sample++) {
        draw = draw * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
        int64_t k = sample == 0 ? 1 : sample == 1 ? count : 1 + (int64_t)((draw >> 33) % (uint64_t)count);
        bool happened;
        if (sample % options.shares != options.share - 1)
            continue;
        if (!run_with_fault(test, k, sample % 2 == 1 || sample == 4, &happened))
            return false;
        ++*runs;
    }
    return true;
}

static bool selected(const test_case *test, int count, char **names) {
    if (count == 0)
        return true;
    char full[512];
    snprintf(full, sizeof full, "%s: %s", test->file, test->name);
    for (int i = 0; i < count; i++)
        if (strstr(full, names[i]))
            return true;
    return false;
}

/* Puts the tests into another order, by drawing one after the other from those that are left. */
static void shuffle_tests(uint64_t seed) {
    random_state = UINT64_C(0x9e3779b97f4a7c15) ^ seed;
    test_case *left = first_test, *shuffled = NULL;
    int64_t count = 0;
    for (const test_case *test = left; test; test = test->next)
        count++;
    for (; count > 0; count--) {
        test_case **at = &left;
        for (int64_t steps = test_random_between(0, count - 1); steps > 0; steps--)
            at = &(*at)->next;
        test_case *drawn = *at;
        *at = drawn->next;
        drawn->next = shuffled;
        shuffled = drawn;
    }
    first_test = shuffled;
}

/* Whether the level that --level names, if it was given, is in use. */
static bool level_is(const char *level) {
    if (!level || strcmp(level, tn_cpu_level_name(tn_cpu_level_in_use())) == 0)
        return true;
    snprintf(failure, sizeof failure, "the CPU level in use is %s, not %s", tn_cpu_level_name(tn_cpu_level_in_use()), level);
    return false;
}

static double cpu_seconds(void) {
    struct timespec now;
    return clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now) == 0 ? (double)now.tv_sec + 1e-9 * (double)now.tv_nsec : 0;
}

/* ---- the selected tests, by number ---- */

static test_case **chosen;
static double *chosen_seconds;
static int chosen_count;
static long long passed, broken, fault_runs;

static bool choose(int count, char **names) {
    int tests = 0;
    for (const test_case *test = first_test; test; test = test->next)
        tests++;
    chosen = calloc((size_t)tests + 1, sizeof *chosen);
    chosen_seconds = calloc((size_t)tests + 1, sizeof *chosen_seconds);
    for (test_case *test = first_test; chosen && test; test = test->next)
        if (selected(test, count, names))
            chosen[chosen_count++] = test;
    return chosen && chosen_seconds;
}

static void announce(int number) {
    if (number == 0 || strcmp(chosen[number - 1]->file, chosen[number]->file) != 0)
        printf("%s\n", chosen[number]->file);
    if (options.list || options.verbose)
        printf("  %s\n", chosen[number]->name);
    fflush(stdout);
}

static void run_test(int number, test_outcome *outcome) {
    test_case *test = chosen[number];
    double begin = cpu_seconds();
    int64_t bytes = bytes_in_use(), objects = objects_in_use();
    bool good = level_is(options.level) && run_once(test) && !leaked(bytes, objects, test->faults == TEST_FAULTS_ALL);
    if (good && options.faults && test->faults == TEST_FAULTS_ALL)
        good = run_with_faults(test, &outcome->fault_runs);
    else if (good && options.faults && test->faults == TEST_FAULTS_SOME)
        good = run_with_some_faults(test, &outcome->fault_runs);
    good = good && level_is(options.level);
    int length = good ? 0 : snprintf(outcome->failure, sizeof outcome->failure, "%s", failure);
    if (!good && tn_error_code() != TN_OK)
        snprintf(outcome->failure + length, sizeof outcome->failure - (size_t)length, "\n    the error waiting was [%s] %.500s",
                 tn_error_name(tn_error_code()), tn_error_message());
    tn_error_clear();
    outcome->seconds = cpu_seconds() - begin;
    outcome->state = good ? TEST_PASSED : TEST_FAILED;
}

static void report(int number, const test_outcome *outcome) {
    bool good = outcome->state == TEST_PASSED;
    passed += good;
    broken += !good;
    fault_runs += outcome->fault_runs;
    chosen_seconds[number] = outcome->seconds;
    if (!good)
        printf("  FAILED %s\n    %s\n", chosen[number]->name, outcome->failure);
}

typedef struct duration {
    double seconds;
    const char *file, *name;
} duration;

static int longer_first(const void *a, const void *b) {
    double x = ((const duration *)a)->seconds, y = ((const duration *)b)->seconds;
    return (x < y) - (x > y);
}

static void print_slowest(duration *durations, int count) {
    qsort(durations, (size_t)count, sizeof *durations, longer_first);
    for (int i = 0; i < count && i < SLOWEST; i++)
        printf("%9.2f  %s%s%s\n", durations[i].seconds, durations[i].file, durations[i].name ? ": " : "",
               durations[i].name ? durations[i].name : "");
}

/* Files, then tests. */
static void print_times(void) {
    duration *durations = calloc((size_t)chosen_count + 1, sizeof *durations);
    if (!durations)
        return;
    double all = 0;
    int files = 0;
    for (int i = 0; i < chosen_count; i++) {
        int file = 0;
        while (file < files && strcmp(durations[file].file, chosen[i]->file) != 0)
            file++;
        durations[file].file = chosen[i]->file;
        durations[file].seconds += chosen_seconds[i];
        all += chosen_seconds[i];
        files += file == files;
    }
    printf("CPU seconds, %.0f in all; the slowest files and tests:\n", all);
    print_slowest(durations, files);
    for (int i = 0; i < chosen_count; i++)
        durations[i] = (duration){chosen_seconds[i], chosen[i]->file, chosen[i]->name};
    print_slowest(durations, chosen_count);
    free(durations);
}

static bool read_option(const char *text) {
    long share = 0, shares = 0, jobs = sysconf(_SC_NPROCESSORS_ONLN);
    int end = 0;
    if (strcmp(text, "--no-faults") == 0) {
        options.faults = false;
    } else if (sscanf(text, "--faults=%ld/%ld%n", &share, &shares, &end) == 2 && !text[end] && share >= 1 && share <= shares) {
        options.share = share;
        options.shares = shares;
    } else if (strcmp(text, "--jobs") == 0 || (sscanf(text, "--jobs=%ld%n", &jobs, &end) == 1 && !text[end] && jobs >= 1)) {
        options.jobs = (int)(jobs < 1 ? 1 : jobs > INT16_MAX ? INT16_MAX : jobs);
    } else if (strncmp(text, "--level=", 8) == 0) {
        options.level = text + 8;
    } else if (strncmp(text, "--shuffle=", 10) == 0) {
        shuffle_tests(strtoull(text + 10, NULL, 10));
    } else if (strcmp(text, "--times") == 0) {
        options.times = true;
    } else if (strcmp(text, "--list") == 0) {
        options.list = true;
    } else if (strcmp(text, "--bits") == 0) {
        options.bits = true;
    } else if (strcmp(text, "-v") == 0) {
        options.verbose = true;
    } else {
        fprintf(stderr, "run: there is no option %s; the opening comment of tests/run.c lists them\n", text);
        return false;
    }
    return true;
}

static int print_bits(void) {
    test_case printing = {"bits", "tests/bits.c", test_print_bits, TEST_FAULTS_NONE, NULL};
    bool good = run_once(&printing);
    if (!good)
        fprintf(stderr, "%s: %s\n", failure, tn_error_message());
    return !good;
}

int main(int argc, char **argv) {
    int first_name = 1;
    for (; first_name < argc && argv[first_name][0] == '-'; first_name++)
        if (!read_option(argv[first_name]))
            return 2;
    if (options.bits)
        return print_bits();
    if (!choose(argc - first_name, argv + first_name))
        return 1;
    if (options.list) {
        for (int i = 0; i < chosen_count; i++)
            announce(i);
        return 0;
    }
    test_work work = {chosen_count, announce, run_test, report};
    int bad = test_share(&work, options.jobs);
    for (; bad > 0; bad--, broken++)
        printf("  FAILED a process of the runner ended badly after its tests; see above\n");
    if (options.times)
        print_times();
    printf("(%lld runs with a failing allocation)\n%lld passed, %lld failed\n", fault_runs, passed, broken);
    free(chosen);
    free(chosen_seconds);
    return broken != 0 || passed == 0;
}

/* run.c - runs the registered tests, then each again with every allocation failing in turn: alone, and with all that follow.
 * See test.h.
 *
 * usage: run [--no-faults] [--list] [--shuffle=SEED] [--level=LEVEL] [-v] [NAME...]
 *        run --bits          prints hashes of results instead, see bits.c
 *
 * A NAME selects the tests whose "file: name" contains it. A test must not need what another left behind: --shuffle runs them
 * in an order that depends only on SEED. With --level a test fails if that CPU level is not the one in use before and after it.
 */
#include "test.h"

#include <setjmp.h>
#include <stdarg.h>
#include <time.h>
#include <unistd.h>

#include "base/heap.h"
#include "bits.h"

enum { DEFER_LIMIT = 64, FAULT_LIMIT = 3000, FAULT_SAMPLES = 5 };

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
    for (int64_t k = 1; k <= FAULT_LIMIT; k++) {
        bool happened = false;
        for (int all_after = 0; all_after < 2; all_after++, ++*runs)
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

int main(int argc, char **argv) {
    const char *level = NULL;
    bool faults = true, list = false, verbose = false, bits = false;
    int first_name = 1;
    for (; first_name < argc && argv[first_name][0] == '-'; first_name++) {
        faults = faults && strcmp(argv[first_name], "--no-faults") != 0;
        list = list || strcmp(argv[first_name], "--list") == 0;
        bits = bits || strcmp(argv[first_name], "--bits") == 0;
        verbose = verbose || strcmp(argv[first_name], "-v") == 0;
        if (strncmp(argv[first_name], "--level=", 8) == 0)
            level = argv[first_name] + 8;
        if (strncmp(argv[first_name], "--shuffle=", 10) == 0)
            shuffle_tests(strtoull(argv[first_name] + 10, NULL, 10));
    }
    if (bits) {
        test_case printing = {"bits", "tests/bits.c", test_print_bits, TEST_FAULTS_NONE, NULL};
        bool good = run_once(&printing);
        if (!good)
            fprintf(stderr, "%s: %s\n", failure, tn_error_message());
        return !good;
    }
    long long passed = 0, broken = 0, fault_runs = 0;
    const char *file = "";
    for (test_case *test = first_test; test; test = test->next) {
        if (!selected(test, argc - first_name, argv + first_name))
            continue;
        if (strcmp(file, test->file) != 0) {
            file = test->file;
            printf("%s\n", file);
        }
        if (list || verbose)
            printf("  %s\n", test->name);
        fflush(stdout);
        if (list)
            continue;
        int64_t bytes = bytes_in_use(), objects = objects_in_use();
        bool good = level_is(level) && run_once(test) && !leaked(bytes, objects, test->faults == TEST_FAULTS_ALL);
        if (good && faults && test->faults == TEST_FAULTS_ALL)
            good = run_with_faults(test, &fault_runs);
        else if (good && faults && test->faults == TEST_FAULTS_SOME)
            good = run_with_some_faults(test, &fault_runs);
        good = good && level_is(level);
        tn_error code = tn_error_code();
        char message[512];
        snprintf(message, sizeof message, "%s", tn_error_message());
        tn_error_clear();
        if (good) {
            passed++;
        } else {
            broken++;
            printf("  FAILED %s\n    %s\n", test->name, failure);
            if (code != TN_OK)
                printf("    the error waiting was [%s] %s\n", tn_error_name(code), message);
        }
    }
    if (!list)
        printf("(%lld runs with a failing allocation)\n%lld passed, %lld failed\n", fault_runs, passed, broken);
    return broken != 0 || (!list && passed == 0);
}

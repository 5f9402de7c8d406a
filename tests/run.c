/* run.c - runs the registered tests, then each again with every allocation failing in turn. See test.h.
 *
 * usage: run [--no-faults] [--list] [-v] [NAME...]     a NAME selects the tests whose "file: name" contains it
 */
#include "test.h"

#include <setjmp.h>
#include <stdarg.h>
#include <time.h>
#include <unistd.h>

#include "base/heap.h"

enum { DEFER_LIMIT = 64, FAULT_LIMIT = 3000 };

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

/* The lists that a thread keeps for its scopes, once made, are no leak of the test that needed them first. */
static int64_t objects_in_use(void) {
    const tni_thread *thread = tni_thread_get();
    return tni_heap_live() - (thread->scoped != NULL) - (thread->marks != thread->marks_inline);
}

/* Runs a test once. Returns whether it went through; `failure` says why when not. */
static bool run_once(test_case *test) {
    tn_error_clear();
    failure[0] = 0;
    random_state = UINT64_C(0x9e3779b97f4a7c15);
    deferred_count = 0;
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

static bool run_with_faults(test_case *test, long long *runs) {
    for (int64_t k = 1; k <= FAULT_LIMIT; k++) {
        int64_t bytes = bytes_in_use(), objects = objects_in_use();
        fault_run = true;
        tni_fault_arm(k);
        bool passed = run_once(test);
        bool happened = tni_fault_disarm();
        fault_run = false;
        tn_error code = tn_error_code();
        char why[2048];
        memcpy(why, failure, sizeof why);
        ++*runs;
        if (!happened)
            return true;
        if (!passed && code != TN_ERROR_MEMORY) {
            snprintf(failure, sizeof failure, "with allocation %lld failing: %.1200s\n    and the error was [%s] %.500s",
                     (long long)k, why, tn_error_name(code), tn_error_message());
            return false;
        }
        tn_error_clear();
        if (leaked(bytes, objects, true)) {
            char what[200];
            memcpy(what, failure, sizeof what - 1);
            what[sizeof what - 1] = 0;
            snprintf(failure, sizeof failure, "with allocation %lld failing: %s", (long long)k, what);
            return false;
        }
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

int main(int argc, char **argv) {
    bool faults = true, list = false, verbose = false;
    int first_name = 1;
    for (; first_name < argc && argv[first_name][0] == '-'; first_name++) {
        faults = faults && strcmp(argv[first_name], "--no-faults") != 0;
        list = list || strcmp(argv[first_name], "--list") == 0;
        verbose = verbose || strcmp(argv[first_name], "-v") == 0;
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
        bool good = run_once(test) && !leaked(bytes, objects, test->with_faults);
        if (good && faults && test->with_faults)
            good = run_with_faults(test, &fault_runs);
        tn_error_clear();
        if (good) {
            passed++;
        } else {
            broken++;
            printf("  FAILED %s\n    %s\n", test->name, failure);
        }
    }
    if (!list)
        printf("(%lld runs with a failing allocation)\n%lld passed, %lld failed\n", fault_runs, passed, broken);
    return broken != 0 || (!list && passed == 0);
}

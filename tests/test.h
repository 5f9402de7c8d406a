/* test.h - the whole test framework. A test is a sentence:
 *
 *     TEST(a_reshape_that_cannot_be_a_view_copies_once) {
 *         tn_tensor *x = ...;
 *         CHECK(x);
 *         CHECK_INT(tn_ndim(x), 2);
 *         CHECK_ERROR(TN_ERROR_SHAPE, "cannot", tn_view(x, TN_DIMS(7)));
 *     }
 *
 * The runner opens a scope around every test, so what a test creates is released at its end, even when a check fails in the
 * middle. A test that owns objects itself takes them out of the scope with tn_keep and releases them.
 *
 * After a test has passed, the runner runs it again with the k-th allocation failing, alone and then with all that follow it,
 * for k = 1, 2, 3, ... until no allocation was left to fail. In those runs a check may fail, and then the waiting error must be
 * TN_ERROR_MEMORY; nothing may leak or crash. So a test must check every result before it uses it, must hold nothing outside
 * the scope while a CHECK can fail (or register it with TEST_DEFER), and consume the errors it provokes with CHECK_ERROR.
 *
 *     TEST           as above
 *     TEST_SAMPLED   long: five of its allocations fail, the first, the last and some between
 *     TEST_ONCE      not repeated with failing allocations. The reason is beside it: "threads", a failure on another thread is
 *                    recorded there, or keeps a thread from starting for which the others wait; "forks", a child's failure is not
 *                    the runner's; failures that the test makes itself; "seconds long", where smaller tests fail every allocation
 */
#ifndef TENON_TEST_H
#define TENON_TEST_H

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <tenon/tenon.h>

typedef enum test_faults { TEST_FAULTS_NONE, TEST_FAULTS_SOME, TEST_FAULTS_ALL } test_faults;

typedef struct test_case {
    const char *name, *file;
    void (*run)(void);
    test_faults faults;
    struct test_case *next;
} test_case;

void test_register(test_case *test);
void test_fail(const char *file, int line, const char *format, ...) __attribute__((format(printf, 3, 4), noreturn));
void test_defer(void (*release)(void *), void *object); /* called at the test's end, newest first, whatever happens */
uint64_t test_random(void);                             /* xorshift, same seed for every test: repeatable */
int64_t test_random_between(int64_t low, int64_t high); /* both included */

#define TEST_REGISTER_(test_name, failing)                                                                                     \
    static void test_name(void);                                                                                               \
    __attribute__((constructor)) static void test_name##_register(void) {                                                      \
        static test_case self = {#test_name, __FILE__, test_name, failing, NULL};                                              \
        test_register(&self);                                                                                                  \
    }                                                                                                                          \
    static void test_name(void)

#define TEST(test_name) TEST_REGISTER_(test_name, TEST_FAULTS_ALL)
#define TEST_SAMPLED(test_name) TEST_REGISTER_(test_name, TEST_FAULTS_SOME)
#define TEST_ONCE(test_name) TEST_REGISTER_(test_name, TEST_FAULTS_NONE)
#define TEST_DEFER(release, object) test_defer((void (*)(void *))(release), (object))

#define CHECK(condition)                                                                                                       \
    do {                                                                                                                       \
        if (!(condition))                                                                                                      \
            test_fail(__FILE__, __LINE__, "%s", #condition);                                                                   \
    } while (0)

#define CHECK_INT(actual, expected)                                                                                            \
    do {                                                                                                                       \
        long long test_a_ = (long long)(actual), test_e_ = (long long)(expected);                                              \
        if (test_a_ != test_e_)                                                                                                \
            test_fail(__FILE__, __LINE__, "%s is %lld, not %lld", #actual, test_a_, test_e_);                                  \
    } while (0)

#define CHECK_DOUBLE(actual, expected)                                                                                         \
    do {                                                                                                                       \
        double test_a_ = (double)(actual), test_e_ = (double)(expected);                                                       \
        if (!(test_a_ == test_e_ || (isnan(test_a_) && isnan(test_e_))))                                                       \
            test_fail(__FILE__, __LINE__, "%s is %.17g, not %.17g", #actual, test_a_, test_e_);                                \
    } while (0)

#define CHECK_TEXT(actual, expected)                                                                                           \
    do {                                                                                                                       \
        const char *test_a_ = (actual), *test_e_ = (expected);                                                                 \
        if (!test_a_ || strcmp(test_a_, test_e_) != 0)                                                                         \
            test_fail(__FILE__, __LINE__, "%s is\n%s\nnot\n%s", #actual, test_a_ ? test_a_ : "(NULL)", test_e_);               \
    } while (0)

/* Ends a test here where there was no memory, before another error replaces that one. */
#define CHECK_MEMORY() CHECK(tn_error_code() != TN_ERROR_MEMORY)

/* The expression must record an error of this code whose message contains `part`; the error is consumed. */
#define CHECK_ERROR(error_code, part, expression)                                                                              \
    do {                                                                                                                       \
        tn_error_clear();                                                                                                      \
        (void)(expression);                                                                                                    \
        test_check_error(__FILE__, __LINE__, (error_code), (part), #expression);                                               \
    } while (0)
void test_check_error(const char *file, int line, tn_error code, const char *part, const char *expression);

#endif

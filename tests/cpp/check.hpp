/* check.hpp - a test is a function whose name is a sentence; main runs all of a file. */
#ifndef TESTS_CPP_CHECK_HPP
#define TESTS_CPP_CHECK_HPP

#include <cmath>
#include <cstdio>
#include <cstring>

#include <tenon/tenon.hpp>

using namespace tenon;

struct Test {
    const char *name;
    void (*run)();
    Test *next;
    static Test *&first() {
        static Test *list = nullptr;
        return list;
    }
    Test(const char *n, void (*r)()) : name(n), run(r), next(first()) { first() = this; }
};
inline int &failures() {
    static int count = 0;
    return count;
}

#define TEST(name)                                                                                                             \
    static void name();                                                                                                        \
    static Test name##_test(#name, name);                                                                                      \
    static void name()
#define CHECK(condition)                                                                                                       \
    ((condition) ? (void)0 : (void)(failures()++, std::printf("%s:%d: %s\n", __FILE__, __LINE__, #condition)))

/* The expression fails with this code, and a message that has this part: as an exception, or as an error record. */
#if TENON_EXCEPTIONS
#define CHECK_FAILS(error_code, part, expression)                                                                              \
    do {                                                                                                                       \
        bool thrown = false;                                                                                                   \
        try {                                                                                                                  \
            (void)(expression);                                                                                                \
        } catch (const Error &error) {                                                                                         \
            thrown = error.code() == (error_code) && std::strstr(error.what(), part);                                          \
            if (!thrown)                                                                                                       \
                std::printf("the error was: %s\n", error.what());                                                              \
        }                                                                                                                      \
        CHECK(thrown &&#expression);                                                                                           \
        CHECK(tn_error_code() == TN_OK);                                                                                       \
    } while (0)
#else
#define CHECK_FAILS(error_code, part, expression)                                                                              \
    do {                                                                                                                       \
        (void)(expression);                                                                                                    \
        if (!std::strstr(tn_error_message(), part))                                                                            \
            std::printf("the error was: %s\n", tn_error_message());                                                            \
        CHECK(std::strstr(tn_error_message(), part) && #expression);                                                           \
        CHECK(tn_error_take(nullptr) == (error_code));                                                                         \
    } while (0)
#endif

inline bool near(double a, double b, double tolerance = 1e-5) {
    return std::fabs(a - b) <= tolerance * (1 + std::fabs(b)) || (a != a && b != b);
}

/* Every element, compared with the library's own result. */
template <class T> bool same(const T &typed, const AnyTensor &other, double tolerance = 1e-5) {
    AnyTensor x = typed.dynamic();
    if (!(x.sizes() == other.sizes()) || x.dtype() != other.dtype()) {
        std::printf("got %s\nnot %s\n", x.str().c_str(), other.str().c_str());
        return false;
    }
    AnyTensor a = x.to(TN_FLOAT64).contiguous(), b = other.to(TN_FLOAT64).contiguous();
    const double *p = a.data<const double>(), *q = b.data<const double>();
    for (int64_t i = 0; i < a.numel(); i++)
        if (!near(p[i], q[i], tolerance) && !(p[i] == q[i])) {
            std::printf("element %lld: %.9g is not %.9g\n", static_cast<long long>(i), p[i], q[i]);
            return false;
        }
    return true;
}

int main() {
    int count = 0;
    for (Test *test = Test::first(); test; test = test->next, count++) {
        int before = failures();
        test->run();
        if (failures() != before)
            std::printf("FAILED: %s\n", test->name);
    }
    std::printf("%d tests, %d failures\n", count, failures());
    return failures() != 0;
}

#endif

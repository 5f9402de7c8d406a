/* version.c - the library says the version of the header it was built with, as text and as a number that grows. */
#include "test.h"

TEST(the_version_is_that_of_the_header) {
    char text[64];
    int64_t number = tn_version_number();
    CHECK_TEXT(tn_version(), TN_VERSION);
    snprintf(text, sizeof text, "%d.%d.%d", TN_VERSION_MAJOR, TN_VERSION_MINOR, TN_VERSION_PATCH);
    CHECK_TEXT(text, TN_VERSION);
    CHECK_INT(number / 1000000, TN_VERSION_MAJOR);
    CHECK_INT(number / 1000 % 1000, TN_VERSION_MINOR);
    CHECK_INT(number % 1000, TN_VERSION_PATCH);
}

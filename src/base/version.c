/* version.c - which library this is. */
#include "base/common.h"

const char *tn_version(void) { return TN_VERSION; }

int64_t tn_version_number(void) {
    return INT64_C(1000000) * TN_VERSION_MAJOR + INT64_C(1000) * TN_VERSION_MINOR + TN_VERSION_PATCH;
}

// consumer.cpp - the same stranger, in C++11.
#include <cstdio>
#include <cstring>

#ifdef CONSUMER_TWO_FILES
#include "tenon.h"
#else
#include <tenon/tenon.h>
#endif

int main() {
    if (std::strcmp(tn_version(), TN_VERSION) != 0) {
        std::fprintf(stderr, "the header is %s, the library %s\n", TN_VERSION, tn_version());
        return 1;
    }
    tn_scope scope = tn_scope_open();
    tn_tensor *zeros = tn_zeros(TN_DIMS(3, 4), TN_FLOAT32);
    tn_error error = tn_set_element(zeros, TN_DIMS(2, 3), TN_SCALAR(2.5));
    double value = tn_get_double(zeros, TN_DIMS(2, 3));
    tn_scope_close(scope);
    if (error != TN_OK || value != 2.5) {
        std::fprintf(stderr, "value %g, error \"%s\"\n", value, tn_error_message());
        return 1;
    }
    std::puts("consumer: fine");
    return 0;
}

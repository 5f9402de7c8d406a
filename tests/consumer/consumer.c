/* consumer.c - someone else's program: it includes one header, links one library, and knows nothing else about Tenon. */
#include <stdio.h>
#include <string.h>

#ifdef CONSUMER_TWO_FILES
#include "tenon.h"
#else
#include <tenon/tenon.h>
#endif

int main(void) {
    if (strcmp(tn_version(), TN_VERSION) != 0) {
        fprintf(stderr, "the header is %s, the library %s\n", TN_VERSION, tn_version());
        return 1;
    }
    tn_scope scope = tn_scope_open();
    tn_tensor *numbers = tn_arange(12, TN_INT64);
    tn_tensor *column = tn_from_storage(tn_storage_of(numbers), 1, TN_DIMS(3), TN_DIMS(4), TN_INT64);
    int64_t sum = 0;
    for (int64_t i = 0; i < tn_size(column, 0); i++)
        sum += tn_get_int64(column, TN_DIMS(i));
    tn_error error = tn_error_code();
    tn_scope_close(scope);
    if (error != TN_OK || sum != 1 + 5 + 9) {
        fprintf(stderr, "sum %lld, error \"%s\"\n", (long long)sum, tn_error_message());
        return 1;
    }
    puts("consumer: fine");
    return 0;
}

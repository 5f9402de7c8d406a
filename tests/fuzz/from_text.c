/* from_text.c - fuzzes tn_from_text: whatever the text, the result is a tensor or an error, nothing leaks, and what was read
 * can be printed. The first byte chooses the dtype. */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <tenon/tenon.h>

#define DEMAND(condition)                                                                                                      \
    do {                                                                                                                       \
        if (!(condition))                                                                                                      \
            abort();                                                                                                           \
    } while (0)

static int64_t fuzz_bytes_in_use(void) {
    tn_memory_stats stats = {.struct_size = sizeof stats};
    DEMAND(tn_memory_stats_of(TN_CPU, &stats) == TN_OK);
    return stats.bytes.current;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    if (size == 0)
        return 0;
    tn_dtype dtype = (tn_dtype)(data[0] % (TN_DTYPE_COUNT + 1)); /* one that does not exist among them */
    char *text = malloc(size);                                   /* exactly as long as the text: reading beyond it is found */
    if (!text)
        return 0;
    memcpy(text, data + 1, size - 1);
    text[size - 1] = 0;

    int64_t before = fuzz_bytes_in_use();
    tn_scope scope = tn_scope_open();
    tn_tensor *tensor = tn_from_text(text, dtype);
    if (tensor) {
        DEMAND(tn_error_code() == TN_OK);
        DEMAND(dtype == TN_DTYPE_DEFAULT || tn_dtype_of(tensor) == dtype);
        DEMAND(tn_is_contiguous(tensor) && tn_numel(tensor) <= (int64_t)size);
        char printed[512];
        DEMAND(tn_format(tensor, printed, sizeof printed, NULL) > 0);
    } else {
        DEMAND(tn_error_code() != TN_OK && tn_error_code() != TN_ERROR_INTERNAL);
        DEMAND(strncmp(tn_error_message(), "from_text: ", 11) == 0);
        tn_error_clear();
    }
    DEMAND(tn_scope_close(scope) == TN_OK);
    DEMAND(fuzz_bytes_in_use() == before);
    free(text);
    return 0;
}

/* read_npy.c - fuzzes the reader of NumPy's arrays. See parts/read.h. */
#include "fuzz/parts/read.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    tn_file_options options = TN_FILE_OPTIONS;
    options.format = "npy";
    return fuzz_read(data, size, options);
}

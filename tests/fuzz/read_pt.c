/* read_pt.c - fuzzes the reader of PyTorch's files, both kinds, found by content. See parts/read.h. */
#include "fuzz/parts/read.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    tn_file_options options = TN_FILE_OPTIONS;
    options.format = "pt";
    return fuzz_read(data, size, options);
}

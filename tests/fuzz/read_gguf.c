/* read_gguf.c - fuzzes the reader of GGUF; quantised blocks become float16 for bytes of odd number. See parts/read.h. */
#include "fuzz/parts/read.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    tn_file_options options = TN_FILE_OPTIONS;
    options.format = "gguf";
    options.dtype = size % 2 ? TN_FLOAT16 : TN_DTYPE_DEFAULT;
    return fuzz_read(data, size, options);
}

/* read_raw.c - fuzzes the reader of raw bytes: the first of them choose dtype, offset and sizes. See parts/read.h. */
#include "fuzz/parts/read.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    tn_file_options options = TN_FILE_OPTIONS;
    if (size < 4)
        return 0;
    int64_t sizes[3] = {(int8_t)data[1], (int8_t)data[2], -1};
    options.format = "raw";
    options.dtype = (tn_dtype)(data[0] % TN_DTYPE_COUNT);
    options.offset = data[3];
    options.sizes = (tn_dims){sizes, data[0] / 64};
    return fuzz_read(data + 4, size - 4, options);
}

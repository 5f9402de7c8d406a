/* read_csv.c - fuzzes the reader of numbers in text: the first byte chooses dtype, separator and what is skipped. See parts/read.h. */
#include "fuzz/parts/read.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    tn_file_options options = TN_FILE_OPTIONS;
    if (!size)
        return 0;
    options.format = "csv";
    options.dtype = (tn_dtype)(data[0] % TN_DTYPE_COUNT);
    options.separator = ",\t ;"[data[0] / 32 % 4];
    options.comment = data[0] & 16 ? '#' : 0;
    options.offset = data[0] & 128 ? 1 : 0;
    return fuzz_read(data + 1, size - 1, options);
}

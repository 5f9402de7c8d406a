/* read_onnx.c - fuzzes the reader of ONNX models; bytes of odd number are read as a single tensor. See parts/read.h. */
#include "fuzz/parts/read.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    tn_file_options options = TN_FILE_OPTIONS;
    options.format = size % 2 ? "tensorproto" : "onnx";
    return fuzz_read(data, size, options);
}

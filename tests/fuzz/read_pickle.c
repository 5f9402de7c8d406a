/* read_pickle.c - fuzzes the interpreter of pickles, which gets the bytes as the object of PyTorch's older stream: after its magic number, its
 * version and the byte order, before a list of no storages. See parts/read.h. */
#include "fuzz/parts/read.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    static const uint8_t before[] = "\x80\x02\x8a\x0al\xfc\x9c"
                                    "F\xf9 j\xa8P\x19.\x80\x02M\xe9\x03.\x80\x02}.";
    static const uint8_t after[] = "\x80\x02].";
    size_t head = sizeof before - 1, tail = sizeof after - 1;
    uint8_t *whole = malloc(head + size + tail);
    tn_file_options options = TN_FILE_OPTIONS;
    if (!whole)
        return 0;
    memcpy(whole, before, head);
    if (size)
        memcpy(whole + head, data, size);
    memcpy(whole + head + size, after, tail);
    int code = fuzz_read(whole, head + size + tail, options);
    free(whole);
    return code;
}

/* read.h - what the fuzzers of the readers of files share: whatever the bytes, the result is a file whose tensors can be taken and read, or an
 * error that names a byte; nothing leaks, and nothing is written that cannot be read again.
 *
 * Each fuzzer says which reader gets the bytes (read_npy.c and its siblings), so that no change of the first bytes leads elsewhere. Files of
 * the corpus that begin with a reader's name are what it starts from.
 */
#ifndef FUZZ_READ_H
#define FUZZ_READ_H

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <tenon/tenon.h>

#include "interchange/files/file.h"

#define DEMAND(condition)                                                                                                      \
    do {                                                                                                                       \
        if (!(condition))                                                                                                      \
            abort();                                                                                                           \
    } while (0)

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static int64_t fuzz_files_in_use(void) {
    tn_memory_stats stats = {.struct_size = sizeof stats};
    DEMAND(tn_memory_stats_of(TN_CPU, &stats) == TN_OK);
    return stats.bytes.current;
}

static void fuzz_files_walk(const tn_tree *tree, int depth) {
    (void)tn_tree_text(tree, NULL);
    (void)tn_tree_number(tree);
    for (int64_t i = 0; depth < 6 && i < tn_tree_count(tree) && i < 20; i++) {
        fuzz_files_walk(tn_tree_key(tree, i), depth + 1);
        fuzz_files_walk(tn_tree_at(tree, i), depth + 1);
    }
    if (depth < 6 && tn_tree_state(tree))
        fuzz_files_walk(tn_tree_state(tree), depth + 1);
}

static bool fuzz_files_drop(void *ctx, const void *bytes, size_t size) {
    (void)bytes;
    *(size_t *)ctx += size;
    return true;
}

static void fuzz_files_use(const tn_file *file) {
    tn_writer *writer = tn_writer_open_stream(fuzz_files_drop, &(size_t){0}, "pt");
    DEMAND(writer);
    for (int64_t i = 0; i < tn_file_count(file); i++) {
        tn_file_tensor about = TN_FILE_TENSOR;
        DEMAND(tn_file_describe(file, i, &about) == TN_OK && about.name && tn_dtype_exists(about.dtype));
        DEMAND(tn_file_find(file, about.name) >= 0);
        tn_tensor *tensor = tn_file_take_at(file, i);
        DEMAND((tensor == NULL) == (tn_error_code() != TN_OK));
        tn_error_clear();
        if (!tensor)
            continue;
        DEMAND(tn_ndim(tensor) == about.sizes.count);
        tn_geometry_ref geometry = {tn_ndim(tensor), tn_storage_offset(tensor), tn_sizes(tensor).values,
                                    tn_strides(tensor).values};
        DEMAND(tn_geometry_check_storage(geometry, tn_element_size(tensor), tn_storage_nbytes(tn_storage_of(tensor))) ==
               TN_GEOMETRY_OK);
        if (tn_numel(tensor) > 0 && tn_numel(tensor) < 100000) {
            DEMAND(tn_clone(tensor, TN_CONTIGUOUS));
            (void)tn_writer_add(writer, about.name, tensor);
        }
        tn_error_clear();
    }
    (void)tn_writer_finish(writer);
    tn_error_clear();
    for (int64_t i = 0; i < tn_file_metadata_count(file); i++)
        DEMAND(tn_file_metadata(file, tn_file_metadata_name(file, i)));
    fuzz_files_walk(tn_file_tree(file), 0);
}

/* One reader over the bytes, in three ways. options.mode and any_object are set here. */
static int fuzz_read(const uint8_t *data, size_t size, tn_file_options options) {
    uint8_t *exact = malloc(size ? size : 1); /* exactly as long as it is: reading beyond it is found */
    if (!exact)
        return 0;
    if (size)
        memcpy(exact, data, size);
    int64_t before = fuzz_files_in_use();
    for (int round = 0; round < 3; round++) {
        tn_scope scope = tn_scope_open();
        options.any_object = round == 1; /* pickles are also read with every name allowed */
        options.mode = round == 2 ? TN_FILE_READ : TN_FILE_MAP;
        tn_file *file = tn_file_open_memory(exact, size, TN_BORROW_CONST, &options);
        DEMAND((file == NULL) == (tn_error_code() != TN_OK) && tn_error_code() != TN_ERROR_INTERNAL);
        if (!file && (tn_error_code() == TN_ERROR_IO || tn_error_code() == TN_ERROR_UNSUPPORTED))
            DEMAND(strstr(tn_error_message(), "byte"));
        tn_error_clear();
        if (file)
            fuzz_files_use(file);
        DEMAND(tn_scope_close(scope) == TN_OK);
    }
    DEMAND(fuzz_files_in_use() == before);
    free(exact);
    return 0;
}

#endif

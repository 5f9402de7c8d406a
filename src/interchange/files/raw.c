/* raw.c - files of nothing but elements: what they are is the caller's to say. */
#include "interchange/files/file.h"

bool tni_read_raw(tn_file *file, const tn_file_options *options) {
    tn_dtype dtype = options->dtype ? options->dtype : TN_UINT8;
    uint64_t left, numel, bytes;
    int64_t sizes[TN_MAX_DIMS] = {-1}, ndim = options->sizes.count, open = -1;
    if (options->offset > file->source.size)
        return tni_file_complain(file, TN_ERROR_IO, "0", options->offset, "the file has only %" PRIu64 " bytes",
                                 file->source.size);
    left = file->source.size - options->offset;
    if (ndim)
        memcpy(sizes, options->sizes.values, (size_t)ndim * sizeof *sizes);
    else
        ndim = options->sizes.values ? 0 : 1; /* TN_DIMS() of nothing is one element, nothing at all is all of them */
    for (int64_t i = 0; i < ndim; i++) {
        if (sizes[i] < -1 || (sizes[i] == -1 && open >= 0)) {
            tni_raise(TN_ERROR_SHAPE, "sizes %s: at most one of them may be -1", tni_show_dims(sizes, ndim));
            return false;
        }
        if (sizes[i] == -1) {
            open = i;
            sizes[i] = 1;
        }
    }
    if (!tni_file_measure(file, "0", options->offset, sizes, ndim, dtype, &numel, &bytes))
        return false;
    if (open >= 0) {
        if (bytes == 0 || left % bytes)
            return tni_file_complain(file, TN_ERROR_IO, "0", options->offset,
                                     "%" PRIu64 " bytes are not a whole number of %" PRIu64, left, bytes);
        sizes[open] = (int64_t)(left / bytes);
        bytes = left;
    }
    if (bytes > left)
        return tni_file_complain(file, TN_ERROR_IO, "0", options->offset,
                                 "%s of %s are %" PRIu64 " bytes, but the file ends after %" PRIu64, tni_show_dims(sizes, ndim),
                                 tn_dtype_name(dtype), bytes, left);
    return tni_file_add_block(file, options->offset, bytes, dtype) && tni_file_add_entry(file, "0", dtype, sizes, ndim);
}

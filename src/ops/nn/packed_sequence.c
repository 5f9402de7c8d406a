/* packed_sequence.c - sequences of different lengths without padding: _pack_padded_sequence and back, _pad_packed_sequence.
 *
 * A packed sequence is its data, step by step, and for each step how many sequences are long enough for it. Sequences are in the order of
 * their lengths, the longest first, so those of a step are always the first ones of the batch. Both ways are made of copies of rows,
 * one for each run of steps with the same number of sequences.
 */
#include "base/error.h"
#include "base/heap.h"
#include "operators_copy.h"
#include "operators_create.h"
#include "operators_join.h"
#include "operators_move.h"
#include "operators_recurrent.h"
#include "operators_view.h"
#include "ops/nn/recurrent.h"

/* ---- packing */

static bool packed_lengths_fit(const tn_tensor *input, const tn_tensor *lengths, const int64_t *length, bool batch_first) {
    int64_t batch = input->sizes[batch_first ? 0 : 1], steps = input->sizes[batch_first ? 1 : 0];
    if (lengths->sizes[0] != batch) {
        tni_raise(TN_ERROR_SHAPE, "lengths %s must have one number for each of the %" PRId64 " sequences of input %s",
                  tni_show_tensor(lengths), batch, tni_show_tensor(input));
        return false;
    }
    for (int64_t i = 0; i < batch; i++) {
        if (length[i] < 1 || length[i] > steps) {
            tni_raise(TN_ERROR_ARGUMENT,
                      "lengths[%" PRId64 "] is %" PRId64 ", and input %s has %" PRId64 " steps: a length is from 1 to that", i,
                      length[i], tni_show_tensor(input), steps);
            return false;
        }
        if (i && length[i] > length[i - 1]) {
            tni_raise(TN_ERROR_ARGUMENT,
                      "lengths[%" PRId64 "] is %" PRId64 " after %" PRId64
                      ": sequences are packed in the order of their lengths, the longest first",
                      i, length[i], length[i - 1]);
            return false;
        }
    }
    return true;
}

/* Runs of steps that have the same sequences: from the end of the longest one that has ended to the end of the next. */
static tn_tensor *packed_data(const tn_tensor *steps, const int64_t *length, const tn_tensor **parts) {
    int64_t batch = steps->sizes[1], from = 0, count = 0;
    for (int64_t rows = batch; rows > 0; rows--) {
        if (length[rows - 1] == from)
            continue;
        tn_tensor *part = tn_narrow(tn_narrow(steps, 0, from, length[rows - 1] - from), 1, 0, rows);
        if (!(parts[count++] = tn_flatten(part, 0, 1)))
            return NULL;
        from = length[rows - 1];
    }
    return tn_cat(parts, count, 0);
}

static tn_tensor *packed_sizes(const int64_t *length, int64_t batch) {
    tn_tensor *sizes = tn_empty(TN_DIMS(length[0]), TN_INT64);
    int64_t *size = sizes ? (int64_t *)(void *)tni_tensor_write(sizes) : NULL;
    for (int64_t step = 0, rows = batch; sizes && step < length[0]; step++) {
        while (length[rows - 1] <= step)
            rows--;
        size[step] = rows;
    }
    return sizes;
}

static tn_list *packed_make(const tn_tensor *input, const tn_tensor *lengths, bool batch_first) {
    const int64_t *length = tni_recurrent_numbers(lengths);
    if (!packed_lengths_fit(input, lengths, length, batch_first))
        return NULL;
    const tn_tensor *steps = batch_first ? tn_transpose(input, 0, 1) : input;
    size_t bytes = steps ? (size_t)steps->sizes[1] * sizeof(tn_tensor *) : 0;
    const tn_tensor **parts = steps ? tni_heap_alloc(bytes) : NULL;
    if (!parts)
        return NULL;
    const tn_tensor *results[2] = {packed_data(steps, length, parts), packed_sizes(length, steps->sizes[1])};
    tni_heap_free(parts, bytes);
    return results[0] && results[1] ? tn_list_new(results, 2) : NULL;
}

tn_list *tni_composite__pack_padded_sequence(const tn_tensor *input, const tn_tensor *lengths, bool batch_first) {
    if (input->ndim < 2)
        return tni_raise_null(TN_ERROR_SHAPE, "input %s must have at least 2 dimensions, steps and batch",
                              tni_show_tensor(input));
    if (input->numel == 0)
        return tni_raise_null(TN_ERROR_SHAPE, "input %s has no elements to pack", tni_show_tensor(input));
    tn_tensor *numbers = tni_recurrent_sizes(lengths, "lengths");
    tn_list *made = numbers ? packed_make(input, numbers, batch_first) : NULL;
    tni_tensor_release(numbers);
    return made;
}

/* ---- padding */

static bool padded_sizes_fit(const tn_tensor *data, const tn_tensor *batch_sizes, const int64_t *sizes) {
    int64_t rows = 0, all = data->sizes[0];
    if (batch_sizes->numel == 0) {
        tni_raise(TN_ERROR_SHAPE, "batch_sizes %s has no steps: a sequence has at least one", tni_show_tensor(batch_sizes));
        return false;
    }
    for (int64_t t = 0; t < batch_sizes->sizes[0]; t++) {
        if (sizes[t] < 1 || (t && sizes[t] > sizes[t - 1]) || sizes[t] > all - rows) {
            tni_raise(TN_ERROR_ARGUMENT,
                      "batch_sizes[%" PRId64 "] is %" PRId64 " where %" PRId64 " of the %" PRId64
                      " rows of data are left: sizes are above 0, never grow, and add up to the rows",
                      t, sizes[t], all - rows, all);
            return false;
        }
        rows += sizes[t];
    }
    if (rows == all)
        return true;
    tni_raise(TN_ERROR_SHAPE, "batch_sizes add up to %" PRId64 " rows, and data %s has %" PRId64, rows, tni_show_tensor(data),
              all);
    return false;
}

/* The first two dimensions, filled up at their ends. */
static tn_tensor *padded_part(const tn_tensor *part, int64_t steps, int64_t rows, tn_scalar padding) {
    int64_t pads[2 * TN_MAX_DIMS] = {0}, last = 2 * part->ndim - 1;
    pads[last] = steps;
    pads[last - 2] = rows;
    return tn_constant_pad_nd(part, ((tn_dims){pads, last + 1}), padding);
}

/* Runs of steps with the same number of sequences, each filled up with padding to the whole batch; the last one to all steps. */
static tn_tensor *padded_output(const tn_tensor *data, const int64_t *sizes, int64_t steps, int64_t total, tn_scalar padding,
                                const tn_tensor **parts) {
    int64_t shape[TN_MAX_DIMS], ndim = data->ndim + 1, count = 0;
    for (int64_t d = 1; d < data->ndim; d++)
        shape[d + 1] = data->sizes[d];
    for (int64_t step = 0, row = 0, end; step < steps; step = end) {
        for (end = step; end < steps && sizes[end] == sizes[step];)
            end++;
        int64_t rows = (end - step) * sizes[step];
        shape[0] = end - step;
        shape[1] = sizes[step];
        tn_tensor *part = tn_reshape(tn_narrow(data, 0, row, rows), (tn_dims){shape, ndim});
        if (!part || !(parts[count++] = padded_part(part, end < steps ? 0 : total - steps, sizes[0] - sizes[step], padding)))
            return NULL;
        row += rows;
    }
    return tn_cat(parts, count, 0);
}

static tn_tensor *padded_lengths(const int64_t *sizes, int64_t steps) {
    tn_tensor *lengths = tn_empty(TN_DIMS(sizes[0]), TN_INT64);
    int64_t *length = lengths ? (int64_t *)(void *)tni_tensor_write(lengths) : NULL;
    for (int64_t i = 0, step = steps; lengths && i < sizes[0]; i++) {
        while (sizes[step - 1] <= i)
            step--;
        length[i] = step;
    }
    return lengths;
}

static tn_list *padded_make(const tn_tensor *data, const tn_tensor *batch_sizes, bool batch_first, tn_scalar padding_value,
                            int64_t total_length) {
    const int64_t *sizes = tni_recurrent_numbers(batch_sizes);
    int64_t steps = batch_sizes->sizes[0];
    if (!padded_sizes_fit(data, batch_sizes, sizes))
        return NULL;
    if (total_length > 0 && total_length < steps)
        return tni_raise_null(TN_ERROR_ARGUMENT, "total_length is %" PRId64 ", and the longest sequence has %" PRId64 " steps",
                              total_length, steps);
    size_t bytes = (size_t)steps * sizeof(tn_tensor *);
    const tn_tensor **parts = tni_heap_alloc(bytes);
    if (!parts)
        return NULL;
    tn_tensor *output = padded_output(data, sizes, steps, total_length > 0 ? total_length : steps, padding_value, parts);
    tni_heap_free(parts, bytes);
    if (!output)
        return NULL;
    const tn_tensor *results[2] = {batch_first ? tn_transpose(output, 0, 1) : output, padded_lengths(sizes, steps)};
    return results[0] && results[1] ? tn_list_new(results, 2) : NULL;
}

tn_list *tni_composite__pad_packed_sequence(const tn_tensor *data, const tn_tensor *batch_sizes, bool batch_first,
                                            tn_scalar padding_value, int64_t total_length) {
    if (data->ndim < 1 || data->ndim >= TN_MAX_DIMS)
        return tni_raise_null(TN_ERROR_SHAPE, "data %s must have rows, and room for one more dimension", tni_show_tensor(data));
    tn_tensor *sizes = tni_recurrent_sizes(batch_sizes, "batch_sizes");
    tn_list *made = sizes ? padded_make(data, sizes, batch_first, padding_value, total_length) : NULL;
    tni_tensor_release(sizes);
    return made;
}

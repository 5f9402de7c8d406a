/* sort_lines.c - what the sorting operators share. See sort.h. */
#include "ops/sort/sort.h"

#include "ops/line/line_job.h"

tn_error tni_sort_run(tni_lines_job *job, const tn_tensor *self, int64_t dim, size_t scratch, tni_sort_line *line) {
    job->ndim = self->ndim;
    job->dim = dim;
    job->sizes = self->sizes;
    job->operand[0] = tni_line_read(self, dim, self->dtype);
    job->context = line;
    job->scratch = scratch;
    job->work = line->length < INT64_MAX / 16 ? 16 * line->length : line->length;
    if (TNI_UNLIKELY((job->device = tni_tensor_device(self)).type != TN_CPU))
        return tni_lines_elsewhere(job);
    tn_tensor *memory = NULL;
    line->alone = self->numel == line->length && line->length >= TNI_ORDER_LONG;
    line->memory = NULL;
    if (line->alone) {
        int64_t bytes = (int64_t)scratch + 64;
        memory = tni_tensor_new(1, &bytes, TN_UINT8, TN_DEVICE_CPU);
        if (!memory)
            return tni_failed();
        char *start = tni_tensor_write(memory);
        line->memory = start + (64 - (uintptr_t)start % 64) % 64;
        job->scratch = 0;
    }
    tn_error code = tni_lines_run(job);
    tni_tensor_release(memory);
    return code;
}

tni_line_operand tni_sort_write(tn_tensor *out, const tn_tensor *self, int64_t dim, int64_t length, int64_t *room) {
    for (int64_t d = 0, at = 0; d < self->ndim; d++)
        room[d] = d == dim && out->ndim < self->ndim ? 1 : out->strides[at++];
    return (tni_line_operand){.data = tni_tensor_write(out),
                              .strides = room,
                              .length = length,
                              .dtype = out->dtype,
                              .compute = out->dtype,
                              .writes = true};
}

int64_t tni_sort_sizes(const tn_tensor *self, int64_t dim, int64_t length, int64_t *sizes) {
    int64_t ndim = 0;
    for (int64_t d = 0; d < self->ndim; d++)
        if (d != dim || length >= 0)
            sizes[ndim++] = d == dim ? length : self->sizes[d];
    return ndim;
}

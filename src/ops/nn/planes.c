/* planes.c - tensors as planes, planes as lines. See planes.h. */
#include "ops/nn/planes.h"

#include "base/error.h"
#include "operators_view.h"
#include "ops/copy/copy.h"

/* The stride of the last `count` dimensions seen as one; false where there is none. */
static bool plane_stride(const tn_tensor *tensor, int64_t count, int64_t *stride) {
    int64_t reach = 0;
    *stride = 1;
    for (int64_t d = tensor->ndim - 1; d >= tensor->ndim - count; d--) {
        if (tensor->sizes[d] == 1)
            continue;
        if (reach == 0)
            *stride = reach = tensor->strides[d];
        if (tensor->strides[d] != reach || tni_mul_overflows(reach, tensor->sizes[d], &reach) || reach == 0)
            return false;
    }
    return true;
}

/* What is read, or written, in place of a tensor: itself, or one whose planes are lines. */
static tn_tensor *plane_stand_in(const tn_tensor *tensor, int64_t merged, bool written) {
    int64_t stride;
    if (plane_stride(tensor, merged, &stride))
        return tni_tensor_retain(tensor);
    return written ? tni_tensor_new(tensor->ndim, tensor->sizes, tensor->dtype, tni_tensor_device(tensor))
                   : tni_clone_contiguous(tensor, "the dimensions of a plane cannot be merged");
}

/* Its strides with those of the last dimensions merged. */
static void plane_operand(tni_line_operand *operand, tn_tensor *tensor, const tni_plane_operand *of, bool written,
                          int64_t *strides) {
    int64_t outer = tensor->ndim - of->merged;
    *operand =
        written ? tni_line_write(tensor, tensor->ndim - 1, of->compute) : tni_line_read(tensor, tensor->ndim - 1, of->compute);
    for (int64_t d = 0; d < outer; d++)
        strides[d] = tensor->strides[d];
    (void)plane_stride(tensor, of->merged, &strides[outer]);
    operand->strides = strides;
    operand->length = tni_plane_size(tensor, of->merged);
}

tn_error tni_planes_run(const tni_planes *planes) {
    int64_t sizes[TN_MAX_DIMS + 1], strides[TNI_LINE_OPERANDS][TN_MAX_DIMS + 1];
    const tn_tensor *first = planes->operand[0].tensor;
    int64_t outer = first->ndim - planes->operand[0].merged;
    tn_tensor *in_place[TNI_LINE_OPERANDS] = {NULL};
    tni_lines_job job = {.ndim = outer + 1,
                         .dim = outer,
                         .sizes = sizes,
                         .operands = planes->operands,
                         .function = planes->function,
                         .context = planes->context,
                         .scratch = planes->scratch,
                         .work = planes->work,
                         .device = TN_DEVICE_CPU};
    for (int64_t d = 0; d < outer; d++)
        sizes[d] = first->sizes[d];
    sizes[outer] = 1;
    bool ready = true;
    for (int k = 0; ready && k < planes->operands; k++) {
        const tni_plane_operand *of = &planes->operand[k];
        in_place[k] = plane_stand_in(of->tensor, of->merged, k < planes->results);
        ready = in_place[k] != NULL;
        if (ready)
            plane_operand(&job.operand[k], in_place[k], of, k < planes->results, strides[k]);
    }
    tn_error code = ready ? tni_lines_run(&job) : tni_failed();
    for (int k = 0; k < planes->results; k++) {
        tn_tensor *result = (tn_tensor *)(uintptr_t)planes->operand[k].tensor;
        if (code == TN_OK && in_place[k] != result)
            code = tni_copy_into(result, in_place[k], "a result whose planes cannot be merged was computed apart");
    }
    for (int k = 0; k < planes->operands; k++)
        tni_tensor_release(in_place[k]);
    return code;
}

tn_tensor *tni_plane_turned(const tn_tensor *tensor) {
    int64_t order[TN_MAX_DIMS] = {0};
    for (int64_t d = 1; d < tensor->ndim; d++)
        order[d] = d + 1 < tensor->ndim ? d + 1 : 1;
    return tni_op_permute(tensor, (tn_dims){order, tensor->ndim});
}

bool tni_plane_is_channels_last(const tn_tensor *self, int64_t spatial) {
    return self->ndim == spatial + 2 && spatial > 1 && !tni_tensor_is_contiguous(self) && tni_tensor_is_channels_last(self);
}

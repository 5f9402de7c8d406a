/* loss_entropy.c - cross entropy in one pass over the scores, and its gradient in another. The chances that belong to the scores are never
 * stored: what is kept for the way back is one number for each line, the logarithm of its sum of exponentials.
 *
 * Both go over the lines of classes (iterate/lines.h); the loops are in cpu/bodies/entropy.inc. Losses are float64 until they are
 * reduced, in the order of the lines.
 */
#include "base/error.h"
#include "base/parallel.h"
#include "iterate/lines.h"
#include "kernels/table.h"
#include "kernels_shared.h"
#include "operators_loss.h"
#include "ops/copy/copy.h"
#include "ops/line/line_call.h"
#include "ops/nn/loss.h"
#include "ops/plan.h"

static int64_t entropy_dim(const tn_tensor *self) { return self->ndim > 1 ? 1 : 0; }
static tn_dtype entropy_compute(const tn_tensor *self) { return self->dtype == TN_FLOAT64 ? TN_FLOAT64 : TN_FLOAT32; }

/* Sizes of self without its classes; returns how many. */
static int64_t entropy_rows(const tn_tensor *self, int64_t sizes[TN_MAX_DIMS]) {
    int64_t dim = entropy_dim(self), ndim = 0;
    for (int64_t d = 0; d < self->ndim; d++)
        if (d != dim)
            sizes[ndim++] = self->sizes[d];
    return ndim;
}

static bool entropy_has_rows(const tn_tensor *self, const tn_tensor *rows) {
    int64_t sizes[TN_MAX_DIMS], ndim = entropy_rows(self, sizes);
    return rows->ndim == ndim && memcmp(rows->sizes, sizes, (size_t)ndim * sizeof *sizes) == 0;
}

bool tni_entropy_fits(const tn_tensor *self, const tn_tensor *target, const tn_tensor *weight, int64_t reduction,
                      double label_smoothing) {
    if (!tni_loss_reduction(reduction))
        return false;
    if (!(label_smoothing >= 0 && label_smoothing <= 1)) {
        tni_raise(TN_ERROR_ARGUMENT, "label_smoothing is %g, and must be between 0 and 1", label_smoothing);
        return false;
    }
    if (self->ndim > 0 && self->ndim == target->ndim && tn_dtype_is_floating(target->dtype)) {
        if (memcmp(self->sizes, target->sizes, (size_t)self->ndim * sizeof *self->sizes) != 0) {
            tni_raise(TN_ERROR_SHAPE, "target %s, probabilities of classes, must have the sizes of self %s",
                      tni_show_tensor(target), tni_show_tensor(self));
            return false;
        }
        return !weight || tni_loss_weight_fits(weight, self, self->sizes[entropy_dim(self)]);
    }
    return tni_loss_targets_fit(self, target, weight);
}

/* ---- both ways */

typedef struct entropy_call {
    tni_entropy what;
    tni_entropy_function forward;
    tni_entropy_back_function back;
    tn_tensor *targets, *weight; /* contiguous copies, or NULL where the tensors themselves do */
    const tn_tensor *target;
    bool each;    /* backward: lines have gradients of their own */
    double total; /* the weights of the targets that take part, or how many lines there are */
    int64_t strides[3][TN_MAX_DIMS];
} entropy_call;

/* One number for each line: `rows` has no dimension of classes. */
static tni_line_operand entropy_each(entropy_call *call, int slot, const tn_tensor *self, const tn_tensor *rows, char *data,
                                     tn_dtype compute) {
    int64_t *strides = call->strides[slot], dim = entropy_dim(self), at = 0;
    for (int64_t d = 0; d < self->ndim; d++)
        strides[d] = d == dim ? 1 : rows->strides[at++];
    return (tni_line_operand){.data = data, .strides = strides, .length = 1, .dtype = rows->dtype, .compute = compute};
}

static tni_line_operand entropy_read(entropy_call *call, int slot, const tn_tensor *self, const tn_tensor *rows,
                                     tn_dtype compute) {
    tni_line_operand operand = entropy_each(call, slot, self, rows, (char *)(uintptr_t)tni_tensor_read(rows), compute);
    operand.reads = true;
    return operand;
}

static tni_line_operand entropy_write(entropy_call *call, int slot, const tn_tensor *self, tn_tensor *rows) {
    tni_line_operand operand = entropy_each(call, slot, self, rows, tni_tensor_write(rows), TN_FLOAT64);
    operand.writes = true;
    return operand;
}

static tn_tensor *entropy_plain(const tn_tensor *tensor, tn_dtype dtype, const char *reason) {
    return tni_clone_as(tensor, dtype, TN_CONTIGUOUS, TN_DEVICE_CPU, reason);
}

static double entropy_sum(const void *numbers, tn_dtype dtype, int64_t count) {
    double sum = 0;
    TNI_IN_STEPS (begin, end, count)
        for (int64_t i = begin; i < end; i++)
            sum += dtype == TN_FLOAT64 ? ((const double *)numbers)[i] : (double)((const float *)numbers)[i];
    return sum;
}

/* Every target is a class, or ignored; sums their weights. */
static bool entropy_look(entropy_call *call, const tn_tensor *self, tn_dtype compute) {
    const int64_t *classes = (const int64_t *)(const void *)tni_tensor_read(call->target);
    double total = 0;
    TNI_IN_STEPS (begin, end, call->target->numel)
        for (int64_t i = begin; i < end; i++) {
            if (classes[i] == call->what.ignored)
                continue;
            if (classes[i] < 0 || classes[i] >= call->what.count) {
                tni_raise(TN_ERROR_INDEX, "target has class %" PRId64 ", and self %s has classes 0 to %" PRId64, classes[i],
                          tni_show_tensor(self), call->what.count - 1);
                return false;
            }
            const void *weight = call->what.weight;
            total += !weight                 ? 1
                     : compute == TN_FLOAT64 ? ((const double *)weight)[classes[i]]
                                             : (double)((const float *)weight)[classes[i]];
        }
    call->total = total;
    return !tni_stopped();
}

static void entropy_end(entropy_call *call) {
    tni_tensor_release(call->targets);
    tni_tensor_release(call->weight);
}

static bool entropy_begin(entropy_call *call, const tn_tensor *self, const tn_tensor *target, const tn_tensor *weight,
                          int64_t ignore_index, double label_smoothing) {
    tn_dtype compute = entropy_compute(self);
    const tni_kernel_table *kernels = tni_kernels();
    bool chances = target->dtype != TN_INT64 && target->dtype != TN_UINT8;
    *call = (entropy_call){.what = {.count = self->sizes[entropy_dim(self)],
                                    .chances = chances,
                                    .ignored = ignore_index,
                                    .smoothing = label_smoothing,
                                    .exponential = kernels->pointwise[TNI_KERNEL_exp * TN_DTYPE_COUNT + (int)compute]},
                           .forward = kernels->entropy[compute == TN_FLOAT64],
                           .back = kernels->entropy_back[compute == TN_FLOAT64],
                           .target = target};
    int64_t lines = self->numel / tni_max_i64(call->what.count, 1);
    call->total = (double)lines;
    call->what.weights = (double)call->what.count;
    bool made = true;
    if (weight && (weight->dtype != compute || !tni_tensor_is_contiguous(weight))) {
        weight = call->weight = entropy_plain(weight, compute, "weights side by side");
        made = weight != NULL;
    }
    if (made && weight) {
        call->what.weight = tni_tensor_read(weight);
        call->what.weights = entropy_sum(call->what.weight, compute, weight->numel);
    }
    if (made && !chances && (target->dtype != TN_INT64 || !tni_tensor_is_contiguous(target))) {
        call->target = call->targets = entropy_plain(target, TN_INT64, "classes row by row");
        made = call->target != NULL;
    }
    if (made && (chances || entropy_look(call, self, compute)))
        return true;
    entropy_end(call);
    return false;
}

static tn_error entropy_run(entropy_call *call, tni_lines_job *job, const tn_tensor *self, int slot) {
    int64_t dim = entropy_dim(self);
    tn_dtype compute = entropy_compute(self);
    job->ndim = self->ndim;
    job->dim = dim;
    job->sizes = self->sizes;
    job->context = call;
    job->work = tni_min_i64(call->what.count, INT32_MAX) * 4;
    job->device = tni_tensor_device(self);
    job->operand[slot] = tni_line_read(self, dim, compute);
    job->operand[slot + 1] =
        call->what.chances ? tni_line_read(call->target, dim, compute) : entropy_read(call, 0, self, call->target, TN_INT64);
    return tni_lines_run(job);
}

/* ---- forward */

static void entropy_lines(void *const *lines, int64_t many, void *context) {
    const entropy_call *call = context;
    call->forward(lines[0], lines[1], lines[2], lines[3], many, &call->what);
}

static void entropy_line(void *const *lines, int64_t number, void *scratch, void *context) {
    (void)number, (void)scratch;
    entropy_lines(lines, 1, context);
}

bool tni_plan__cross_entropy(tni_plan *plan, const tn_tensor *self, const tn_tensor *target, const tn_tensor *weight,
                             int64_t reduction, int64_t ignore_index, double label_smoothing) {
    (void)ignore_index;
    if (!tni_entropy_fits(self, target, weight, reduction, label_smoothing))
        return false;
    if (!tni_line_is_float(self->dtype) || (tn_dtype_is_floating(target->dtype) && target->dtype != self->dtype)) {
        tni_raise(TN_ERROR_DTYPE, "self %s must be float, and probabilities in target %s of its dtype", tni_show_tensor(self),
                  tni_show_tensor(target));
        return false;
    }
    if (!tni_loop_of(TNI_KERNEL_exp, entropy_compute(self)))
        return false;
    int64_t sizes[TN_MAX_DIMS], ndim = entropy_rows(self, sizes);
    tni_plan_begin(plan, self);
    tni_plan_add(plan, reduction == TNI_LOSS_NONE ? ndim : 0, sizes, self->dtype);
    tni_plan_add(plan, ndim, sizes, TN_FLOAT64);
    tni_plan_add(plan, 0, sizes, TN_FLOAT64);
    return true;
}

/* The sum of the losses, over what they are divided by. */
static tn_error entropy_reduce(tn_tensor *result, const tn_tensor *losses, double divisor) {
    double sum = entropy_sum(tni_tensor_read(losses), TN_FLOAT64, losses->numel) / divisor;
    tn_tensor *made = tni_stopped() ? NULL : tni_tensor_new(0, NULL, TN_FLOAT64, TN_DEVICE_CPU);
    if (!made)
        return tni_failed();
    memcpy(tni_tensor_write(made), &sum, sizeof sum);
    tn_error code = tni_copy_into(result, made, "a loss in the dtype of self");
    tni_tensor_release(made);
    return code;
}

tn_error tni_run__cross_entropy(const tni_plan *plan, tn_tensor *const *results, const tn_tensor *self, const tn_tensor *target,
                                const tn_tensor *weight, int64_t reduction, int64_t ignore_index, double label_smoothing) {
    (void)plan;
    entropy_call call;
    if (!entropy_begin(&call, self, target, weight, ignore_index, label_smoothing))
        return tni_failed();
    tn_tensor *losses = reduction == TNI_LOSS_NONE
                            ? results[0]
                            : tni_tensor_new(results[1]->ndim, results[1]->sizes, TN_FLOAT64, TN_DEVICE_CPU);
    tn_error code = losses ? TN_OK : tni_failed();
    if (losses) {
        tni_lines_job job = {.function = entropy_line, .together = entropy_lines, .operands = 4};
        job.operand[0] = entropy_write(&call, 1, self, losses);
        job.operand[1] = entropy_write(&call, 2, self, results[1]);
        memcpy(tni_tensor_write(results[2]), &call.total, sizeof call.total);
        if (self->numel == 0 && losses->numel > 0) { /* lines of nothing */
            memset(tni_tensor_write(losses), 0, (size_t)losses->numel * tni_tensor_item_size(losses));
            memset(tni_tensor_write(results[1]), 0, (size_t)results[1]->numel * sizeof(double));
        } else if (self->numel > 0)
            code = entropy_run(&call, &job, self, 2);
    }
    if (code == TN_OK && reduction != TNI_LOSS_NONE)
        code = entropy_reduce(results[0], losses, reduction == TNI_LOSS_MEAN ? call.total : 1);
    if (losses != results[0])
        tni_tensor_release(losses);
    entropy_end(&call);
    return code;
}

/* ---- backward */

static void entropy_back_lines(void *const *lines, int64_t many, void *context) {
    const entropy_call *call = context;
    bool each = call->each;
    call->back(lines[0], lines[2 + each], lines[1], lines[3 + each], each ? lines[2] : NULL, many, &call->what);
}

static void entropy_back_line(void *const *lines, int64_t number, void *scratch, void *context) {
    (void)number, (void)scratch;
    entropy_back_lines(lines, 1, context);
}

bool tni_plan__cross_entropy_backward(tni_plan *plan, const tn_tensor *grad_output, const tn_tensor *self,
                                      const tn_tensor *target, const tn_tensor *weight, const tn_tensor *logs,
                                      const tn_tensor *total, int64_t reduction, int64_t ignore_index, double label_smoothing) {
    if (!tni_plan__cross_entropy(plan, self, target, weight, reduction, ignore_index, label_smoothing))
        return false;
    bool grad_fits = reduction == TNI_LOSS_NONE ? entropy_has_rows(self, grad_output) : grad_output->ndim == 0;
    if (!grad_fits || grad_output->dtype != self->dtype) {
        tni_raise(grad_fits ? TN_ERROR_DTYPE : TN_ERROR_SHAPE,
                  "grad_output %s must have the dtype of self %s and the sizes of its loss", tni_show_tensor(grad_output),
                  tni_show_tensor(self));
        return false;
    }
    if (!entropy_has_rows(self, logs) || total->ndim != 0 || logs->dtype != TN_FLOAT64 || total->dtype != TN_FLOAT64) {
        tni_raise(TN_ERROR_SHAPE, "logs %s and total %s must be what _cross_entropy gave for self %s", tni_show_tensor(logs),
                  tni_show_tensor(total), tni_show_tensor(self));
        return false;
    }
    tni_plan_begin(plan, self);
    return tni_plan_add_as(plan, self, self->dtype, TN_PRESERVE);
}

tn_error tni_run__cross_entropy_backward(const tni_plan *plan, tn_tensor *const *results, const tn_tensor *grad_output,
                                         const tn_tensor *self, const tn_tensor *target, const tn_tensor *weight,
                                         const tn_tensor *logs, const tn_tensor *total, int64_t reduction, int64_t ignore_index,
                                         double label_smoothing) {
    (void)plan;
    entropy_call call;
    if (self->numel == 0)
        return TN_OK;
    if (!entropy_begin(&call, self, target, weight, ignore_index, label_smoothing))
        return tni_failed();
    call.each = reduction == TNI_LOSS_NONE;
    tn_tensor *rate = call.each ? NULL : entropy_plain(grad_output, TN_FLOAT64, "the gradient of a sum");
    tn_error code = call.each || rate ? TN_OK : tni_failed();
    if (rate)
        call.what.rate = *(const double *)(const void *)tni_tensor_read(rate) /
                         (reduction == TNI_LOSS_MEAN ? *(const double *)(const void *)tni_tensor_read(total) : 1);
    if (code == TN_OK) {
        tni_lines_job job = {.function = entropy_back_line, .together = entropy_back_lines, .operands = call.each ? 5 : 4};
        job.operand[0] = tni_line_write(results[0], entropy_dim(self), entropy_compute(self));
        job.operand[1] = entropy_read(&call, 1, self, logs, TN_FLOAT64);
        if (call.each)
            job.operand[2] = entropy_read(&call, 2, self, grad_output, TN_FLOAT64);
        code = entropy_run(&call, &job, self, call.each ? 3 : 2);
    }
    tni_tensor_release(rate);
    entropy_end(&call);
    return code;
}

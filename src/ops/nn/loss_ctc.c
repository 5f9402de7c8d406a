/* loss_ctc.c - ctc_loss: how unlikely a sequence of classes is, whatever its alignment with the steps (Graves and others, 2006).
 *
 * log_probs (T, N, C) has the logarithms of chances of classes at each step; targets are N sequences, as rows (N, S) or one behind the other.
 * Between, before and after the classes of a target there may be blanks, so a target of s classes has 2 s + 1 states; one goes on by one state, stays, or
 * skips a blank between two different classes. log_alpha[t][state] is the logarithm of the chance of all ways that end there; the gradient
 * needs the same from the end, beta. Each sequence is a task by itself, computed in double.
 *
 * The gradient is PyTorch's: that of chances which were normalised, exp(log_probs) less the share of each class, so that log_softmax before it
 * changes nothing.
 */
#include <math.h>

#include "base/error.h"
#include "base/heap.h"
#include "base/parallel.h"
#include "operators_arithmetic.h"
#include "operators_compare.h"
#include "operators_copy.h"
#include "operators_create.h"
#include "operators_loss.h"
#include "operators_select.h"
#include "operators_view.h"
#include "ops/copy/copy.h"
#include "ops/nn/loss.h"
#include "ops/plan.h"

enum { CTC_PROBS = 0, CTC_TARGETS, CTC_STEPS, CTC_CLASSES, CTC_LOSS, CTC_ALPHA, CTC_GRAD, CTC_TENSORS };

typedef struct ctc_call {
    tn_tensor *made[CTC_TENSORS]; /* log_probs and what else is read, as float32 or float64; whole numbers as int64 */
    const int64_t *targets, *steps, *classes; /* steps and classes of each sequence */
    int64_t *first;                           /* where the target of each sequence begins */
    double *scratch;                          /* for each sequence: two rows of states, one number for each class */
    int64_t T, N, C, states, blank, scratch_each;
    bool wide, zero_infinity;
    const tn_tensor *probs;
    tn_tensor *loss, *alpha, *result; /* contiguous */
} ctc_call;

static bool ctc_fails(tn_error code, const char *what, const tn_tensor *tensor, const tn_tensor *probs) {
    tni_raise(code, "%s %s do not fit log_probs %s", what, tni_show_tensor(tensor), tni_show_tensor(probs));
    return false;
}

static bool ctc_check(const tn_tensor *log_probs, const tn_tensor *targets, const tn_tensor *steps, const tn_tensor *classes,
                      int64_t blank) {
    const tn_tensor *whole[] = {targets, steps, classes};
    static const char *const names[] = {"targets", "input_lengths", "target_lengths"};
    if (log_probs->ndim != 3 || !tn_dtype_is_floating(log_probs->dtype) || tni_dtype_size(log_probs->dtype) < 2) {
        tni_raise(log_probs->ndim != 3 ? TN_ERROR_SHAPE : TN_ERROR_DTYPE,
                  "log_probs %s must be (steps, batch, classes), floats of 16 bits or more", tni_show_tensor(log_probs));
        return false;
    }
    for (int i = 0; i < 3; i++) {
        if (whole[i]->dtype != TN_INT64 && (whole[i]->dtype != TN_INT32)) {
            tni_raise(TN_ERROR_DTYPE, "%s %s must be int64 or int32", names[i], tni_show_tensor(whole[i]));
            return false;
        }
        if (i && (whole[i]->ndim != 1 || whole[i]->numel != log_probs->sizes[1]))
            return ctc_fails(TN_ERROR_SHAPE, names[i], whole[i], log_probs);
    }
    if (targets->ndim != 1 && (targets->ndim != 2 || targets->sizes[0] != log_probs->sizes[1]))
        return ctc_fails(TN_ERROR_SHAPE, "targets", targets, log_probs);
    if (blank >= 0 && blank < log_probs->sizes[2])
        return true;
    tni_raise(TN_ERROR_INDEX, "blank %" PRId64 " is none of the %" PRId64 " classes of log_probs", blank, log_probs->sizes[2]);
    return false;
}

static void ctc_drop(ctc_call *call) {
    for (int i = 0; i < CTC_TENSORS; i++)
        tni_tensor_release(call->made[i]);
    tni_heap_free(call->first, (size_t)(call->N + 1) * sizeof *call->first);
    tni_heap_free(call->scratch, (size_t)(call->N * call->scratch_each + 1) * sizeof *call->scratch);
}

static bool ctc_take(ctc_call *call, int place, const tn_tensor *tensor, tn_dtype dtype) {
    call->made[place] = tni_clone_as(tensor, dtype, TN_CONTIGUOUS, TN_DEVICE_CPU, "ctc_loss reads it in a row");
    return call->made[place] != NULL;
}

/* Lengths and targets: every number is looked at before anything is computed. */
static bool ctc_check_numbers(ctc_call *call, bool rows, int64_t width, int64_t numel) {
    int64_t most = 0, at = 0;
    for (int64_t b = 0; b < call->N; b++) {
        int64_t classes = call->classes[b];
        if (call->steps[b] < 0 || call->steps[b] > call->T || classes < 0 || (rows && classes > width)) {
            tni_raise(TN_ERROR_SHAPE,
                      "sequence %" PRId64 " has input_length %" PRId64 " and target_length %" PRId64 ": there are %" PRId64
                      " steps and %" PRId64 " targets",
                      b, call->steps[b], classes, call->T, rows ? width : numel);
            return false;
        }
        call->first[b] = rows ? b * width : at;
        if (!rows && classes > numel - at) {
            at = -1;
            break;
        }
        at += classes;
        most = tni_max_i64(most, classes);
    }
    if (!rows && at != numel) {
        tni_raise(TN_ERROR_SHAPE, "target_lengths add up to something else than the %" PRId64 " targets", numel);
        return false;
    }
    for (int64_t b = 0; b < call->N; b++)
        for (int64_t k = 0; k < call->classes[b]; k++) {
            int64_t class = call->targets[call->first[b] + k];
            if (class < 0 || class >= call->C) {
                tni_raise(TN_ERROR_INDEX, "targets has the class %" PRId64 "; there are %" PRId64, class, call->C);
                return false;
            }
        }
    call->states = 2 * most + 1;
    return true;
}

static bool ctc_begin(ctc_call *call, const tn_tensor *log_probs, const tn_tensor *targets, const tn_tensor *steps,
                      const tn_tensor *classes, int64_t blank, bool zero_infinity) {
    call->wide = log_probs->dtype == TN_FLOAT64;
    call->T = log_probs->sizes[0], call->N = log_probs->sizes[1], call->C = log_probs->sizes[2];
    call->blank = blank;
    call->zero_infinity = zero_infinity;
    bool plain = log_probs->dtype == TN_FLOAT64 || log_probs->dtype == TN_FLOAT32;
    call->made[CTC_PROBS] = plain
                                ? tni_tensor_retain(log_probs)
                                : tni_clone_as(log_probs, TN_FLOAT32, TN_PRESERVE, TN_DEVICE_CPU, "it is computed in float32");
    call->first = tni_heap_calloc((size_t)(call->N + 1) * sizeof *call->first);
    if (!call->made[CTC_PROBS] || !call->first || !ctc_take(call, CTC_TARGETS, targets, TN_INT64) ||
        !ctc_take(call, CTC_STEPS, steps, TN_INT64) || !ctc_take(call, CTC_CLASSES, classes, TN_INT64))
        return false;
    call->probs = call->made[CTC_PROBS];
    call->targets = (const int64_t *)(const void *)tni_tensor_read(call->made[CTC_TARGETS]);
    call->steps = (const int64_t *)(const void *)tni_tensor_read(call->made[CTC_STEPS]);
    call->classes = (const int64_t *)(const void *)tni_tensor_read(call->made[CTC_CLASSES]);
    if (!ctc_check_numbers(call, targets->ndim == 2, targets->ndim == 2 ? targets->sizes[1] : 0, targets->numel))
        return false;
    call->scratch_each = 2 * call->states + call->C;
    call->scratch = tni_heap_alloc((size_t)(call->N * call->scratch_each + 1) * sizeof *call->scratch);
    return call->scratch != NULL;
}

static double ctc_load(const ctc_call *call, const tn_tensor *tensor, int64_t at) {
    const void *data = tni_tensor_read(tensor);
    return call->wide ? ((const double *)data)[at] : (double)((const float *)data)[at];
}

static void ctc_store(const ctc_call *call, tn_tensor *tensor, int64_t at, double value) {
    void *data = tni_tensor_write(tensor);
    if (call->wide)
        ((double *)data)[at] = value;
    else
        ((float *)data)[at] = (float)value;
}

static double ctc_prob(const ctc_call *call, int64_t t, int64_t b, int64_t class) {
    const int64_t *strides = call->probs->strides;
    return ctc_load(call, call->probs, t * strides[0] + b * strides[1] + class * strides[2]);
}

static int64_t ctc_class(const ctc_call *call, int64_t b, int64_t state) {
    return state % 2 ? call->targets[call->first[b] + state / 2] : call->blank;
}

/* Whether state is reached from two states before: it is not a blank, and not the class there. */
static bool ctc_skips(const ctc_call *call, int64_t b, int64_t state) {
    return state % 2 && state > 1 && ctc_class(call, b, state) != ctc_class(call, b, state - 2);
}

static double ctc_sum(double x, double y) {
    double most = x > y ? x : y;
    return most == -INFINITY ? most : most + log1p(exp((x > y ? y : x) - most));
}

/* ---- forth */

static void ctc_forth(void *argument, int64_t begin, int64_t end) {
    const ctc_call *call = argument;
    for (int64_t b = begin; b < end; b++) {
        int64_t states = 2 * call->classes[b] + 1;
        double *now = call->scratch + b * call->scratch_each, *before = now + call->states, likely = -INFINITY;
        for (int64_t t = 0; t < call->T; t++) {
            for (int64_t s = 0; s < call->states; s++) {
                double sum = -INFINITY;
                if (t == 0 && s < 2)
                    sum = 0;
                else if (t && s < states) {
                    sum = before[s];
                    if (s > 0)
                        sum = ctc_sum(sum, before[s - 1]);
                    if (ctc_skips(call, b, s))
                        sum = ctc_sum(sum, before[s - 2]);
                }
                bool reached = s < states && t < call->steps[b];
                now[s] = reached ? sum + ctc_prob(call, t, b, ctc_class(call, b, s)) : -INFINITY;
                ctc_store(call, call->alpha, (b * call->T + t) * call->states + s, now[s]);
            }
            double *swap = before;
            before = now;
            now = swap;
            if (t + 1 == call->steps[b])
                likely = states > 1 ? ctc_sum(before[states - 1], before[states - 2]) : before[0];
        }
        if (call->steps[b] == 0)
            likely = states > 1 ? -INFINITY : 0;
        ctc_store(call, call->loss, b, -likely);
    }
}

tn_list *tni_op__ctc_loss_tensor(const tn_tensor *log_probs, const tn_tensor *targets, const tn_tensor *input_lengths,
                                 const tn_tensor *target_lengths, int64_t blank, bool zero_infinity) {
    ctc_call call = {0};
    tn_tensor *results[2] = {NULL, NULL};
    bool done = false;
    if (!ctc_check(log_probs, targets, input_lengths, target_lengths, blank))
        return NULL;
    if (ctc_begin(&call, log_probs, targets, input_lengths, target_lengths, blank, zero_infinity)) {
        tn_dtype compute = call.wide ? TN_FLOAT64 : TN_FLOAT32;
        results[0] = call.loss = tni_tensor_new(1, &call.N, compute, TN_DEVICE_CPU);
        results[1] = call.alpha = tni_tensor_new(3, (int64_t[]){call.N, call.T, call.states}, compute, TN_DEVICE_CPU);
        done = results[0] && results[1] && tni_parallel_for(call.N, 1, ctc_forth, &call);
        if (done && compute != (tn_dtype)log_probs->dtype) {
            call.made[CTC_LOSS] = call.loss;
            results[0] =
                tni_clone_as(call.loss, log_probs->dtype, TN_CONTIGUOUS, TN_DEVICE_CPU, "losses have the dtype of log_probs");
            done = results[0] != NULL;
        }
    }
    ctc_drop(&call);
    if (done)
        return tni_list_make(results, 2);
    tni_tensor_release(results[0]);
    tni_tensor_release(results[1]);
    return NULL;
}

/* ---- back */

/* One step: beta of the states from that of the step after, and the gradients of the classes. */
static void ctc_back_step(const ctc_call *call, int64_t b, int64_t t, const double *after, double *now, double *shares,
                          double loss, double grad) {
    int64_t states = 2 * call->classes[b] + 1, last = call->steps[b] - 1;
    for (int64_t c = 0; c < call->C; c++)
        shares[c] = -INFINITY;
    for (int64_t s = states - 1; s >= 0; s--) {
        double sum = -INFINITY;
        if (t == last)
            sum = s >= states - 2 ? 0 : sum;
        else {
            sum = after[s];
            if (s + 1 < states)
                sum = ctc_sum(sum, after[s + 1]);
            if (s + 2 < states && ctc_skips(call, b, s + 2))
                sum = ctc_sum(sum, after[s + 2]);
        }
        int64_t class = ctc_class(call, b, s);
        now[s] = sum + ctc_prob(call, t, b, class);
        double both = now[s] + ctc_load(call, call->alpha, (b * call->T + t) * call->states + s);
        shares[class] = ctc_sum(shares[class], both);
    }
    for (int64_t c = 0; c < call->C; c++) {
        double prob = ctc_prob(call, t, b, c);
        ctc_store(call, call->result, (t * call->N + b) * call->C + c, grad * (exp(prob) - exp(shares[c] + loss - prob)));
    }
}

static void ctc_back(void *argument, int64_t begin, int64_t end) {
    const ctc_call *call = argument;
    for (int64_t b = begin; b < end; b++) {
        double *now = call->scratch + b * call->scratch_each, *after = now + call->states, *shares = after + call->states;
        double loss = ctc_load(call, call->loss, b), grad = ctc_load(call, call->made[CTC_GRAD], b);
        bool zero = call->zero_infinity && loss == INFINITY;
        for (int64_t t = call->T - 1; t >= 0; t--) {
            if (t >= call->steps[b] || zero) {
                for (int64_t c = 0; c < call->C; c++)
                    ctc_store(call, call->result, (t * call->N + b) * call->C + c, 0);
                continue;
            }
            ctc_back_step(call, b, t, after, now, shares, loss, grad);
            double *swap = after;
            after = now;
            now = swap;
        }
    }
}

bool tni_plan__ctc_loss_backward_tensor(tni_plan *plan, const tn_tensor *grad_output, const tn_tensor *log_probs,
                                        const tn_tensor *targets, const tn_tensor *input_lengths,
                                        const tn_tensor *target_lengths, const tn_tensor *neg_log_likelihood,
                                        const tn_tensor *log_alpha, int64_t blank, bool zero_infinity) {
    (void)zero_infinity;
    if (!ctc_check(log_probs, targets, input_lengths, target_lengths, blank))
        return false;
    int64_t batch = log_probs->sizes[1];
    if (grad_output->ndim != 1 || grad_output->sizes[0] != batch || !tn_dtype_is_floating(grad_output->dtype))
        return ctc_fails(TN_ERROR_SHAPE, "grad_output", grad_output, log_probs);
    if (neg_log_likelihood->ndim != 1 || neg_log_likelihood->sizes[0] != batch ||
        !tn_dtype_is_floating(neg_log_likelihood->dtype))
        return ctc_fails(TN_ERROR_SHAPE, "neg_log_likelihood", neg_log_likelihood, log_probs);
    if (log_alpha->ndim != 3 || log_alpha->sizes[0] != batch || log_alpha->sizes[1] != log_probs->sizes[0] ||
        !tn_dtype_is_floating(log_alpha->dtype))
        return ctc_fails(TN_ERROR_SHAPE, "log_alpha", log_alpha, log_probs);
    tni_plan_begin(plan, log_probs);
    tni_plan_add(plan, 3, log_probs->sizes, log_probs->dtype);
    plan->beside = true;
    return true;
}

tn_error tni_run__ctc_loss_backward_tensor(const tni_plan *plan, tn_tensor *const *results, const tn_tensor *grad_output,
                                           const tn_tensor *log_probs, const tn_tensor *targets, const tn_tensor *input_lengths,
                                           const tn_tensor *target_lengths, const tn_tensor *neg_log_likelihood,
                                           const tn_tensor *log_alpha, int64_t blank, bool zero_infinity) {
    ctc_call call = {0};
    tn_dtype compute = log_probs->dtype == TN_FLOAT64 ? TN_FLOAT64 : TN_FLOAT32;
    (void)plan;
    bool done = ctc_begin(&call, log_probs, targets, input_lengths, target_lengths, blank, zero_infinity);
    if (done && log_alpha->sizes[2] != call.states)
        done = ctc_fails(TN_ERROR_SHAPE, "log_alpha", log_alpha, log_probs);
    done = done && ctc_take(&call, CTC_LOSS, neg_log_likelihood, compute) && ctc_take(&call, CTC_ALPHA, log_alpha, compute) &&
           ctc_take(&call, CTC_GRAD, grad_output, compute);
    call.loss = call.made[CTC_LOSS], call.alpha = call.made[CTC_ALPHA];
    bool direct = tni_tensor_is_contiguous(results[0]) && results[0]->dtype == (uint8_t)compute;
    if (done)
        call.result = direct ? tni_tensor_retain(results[0]) : tni_tensor_new(3, log_probs->sizes, compute, TN_DEVICE_CPU);
    tn_error code = done && call.result && tni_parallel_for(call.N, 1, ctc_back, &call) ? TN_OK : tni_failed();
    if (code == TN_OK && !direct)
        code = tni_copy_into(results[0], call.result, "it is computed in a row");
    tni_tensor_release(call.result);
    ctc_drop(&call);
    return code;
}

/* ---- by the names of PyTorch */

static tn_tensor *ctc_lengths(tn_dims lengths, tn_device device) {
    tn_tensor *made = tn_empty(TN_DIMS(lengths.count), TN_INT64);
    if (!made)
        return NULL;
    for (int64_t i = 0; i < lengths.count; i++)
        ((int64_t *)(void *)tni_tensor_write(made))[i] = lengths.values[i];
    return tn_to_device(made, device);
}

tn_tensor *tni_composite_ctc_loss_tensor(const tn_tensor *log_probs, const tn_tensor *targets, const tn_tensor *input_lengths,
                                         const tn_tensor *target_lengths, int64_t blank, int64_t reduction,
                                         bool zero_infinity) {
    bool batched = log_probs->ndim != 2;
    if (!tni_loss_reduction(reduction))
        return NULL;
    const tn_tensor *probs = batched ? log_probs : tn_unsqueeze(log_probs, 1);
    const tn_tensor *steps = input_lengths->ndim ? input_lengths : tn_unsqueeze(input_lengths, 0);
    const tn_tensor *classes = target_lengths->ndim ? target_lengths : tn_unsqueeze(target_lengths, 0);
    tn_list *made =
        probs && steps && classes ? tn__ctc_loss_tensor(probs, targets, steps, classes, blank, zero_infinity) : NULL;
    tn_tensor *loss = made ? tn_list_at(made, 0) : NULL;
    if (loss && zero_infinity)
        loss = tn_where_self_scalar(tn_eq_scalar(loss, tn_scalar_float(INFINITY)), tn_scalar_int(0), loss);
    if (loss && reduction == TNI_LOSS_MEAN)
        loss = tn_div(loss, tn_to(tn_clamp_min(classes, tn_scalar_int(1)), loss->dtype));
    if (loss && reduction == TNI_LOSS_NONE && !batched)
        return tn_squeeze_dim(loss, 0);
    return tni_loss_reduce(loss, reduction);
}

tn_tensor *tni_composite_ctc_loss(const tn_tensor *log_probs, const tn_tensor *targets, tn_dims input_lengths,
                                  tn_dims target_lengths, int64_t blank, int64_t reduction, bool zero_infinity) {
    const tn_tensor *steps = ctc_lengths(input_lengths, tni_tensor_device(log_probs)),
                    *classes = ctc_lengths(target_lengths, tni_tensor_device(log_probs));
    return steps && classes ? tn_ctc_loss_tensor(log_probs, targets, steps, classes, blank, reduction, zero_infinity) : NULL;
}

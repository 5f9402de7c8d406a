/* reduce_logsumexp.c - log(sum(exp(x))), in one pass and without overflow.
 *
 * A state is the largest element so far and the sum of exp(x - largest). Elements first raise the largest; where it changed,
 * the sum is scaled down to it; then their own terms are added, block by block. The terms are made by the loops of sub and exp,
 * in the dtype of the elements, and added up as every sum is. Where the largest is infinite, 0 is taken instead, as torch does.
 */
#include <math.h>

#include "kernels/table.h"
#include "kernels_shared.h"
#include "operators_arithmetic.h"
#include "operators_compare.h"
#include "operators_create.h"
#include "operators_math.h"
#include "operators_reduce.h"
#include "operators_select.h"
#include "operators_view.h"
#include "ops/reduce/reduce.h"
#include "ops/limits.h"

typedef struct logsumexp_loops {
    tn_dtype dtype;
    const tni_reduction *top; /* MAX */
    tni_loop sub, exp;
    tni_reduce_loop sum_run, sum_columns;
} logsumexp_loops;

/* Words 1 and 2, as the states of a sum. */
static tni_reduce_states logsumexp_sum(const tni_reduce_states *states) {
    return (tni_reduce_states){states->words + 8 * states->capacity, states->capacity, states->at};
}

static double logsumexp_shift(const logsumexp_loops *loops, const void *tops, int64_t j) {
    double top = loops->dtype == TN_FLOAT32 ? (double)((const float *)tops)[j] : ((const double *)tops)[j];
    return isfinite(top) ? top : 0;
}

static void logsumexp_begin(const tni_reduce_states *states, int64_t count, const void *context) {
    const logsumexp_loops *loops = context;
    tni_reduce_states sum = logsumexp_sum(states);
    loops->top->begin(states, count, loops->top->context);
    tni_reduce_sum_begin(&sum, count, NULL);
}

/* The sum relative to another shift. */
static void logsumexp_scale(const tni_reduce_states *sum, int64_t j, double from, double to) {
    double *high = tni_reduce_word(sum, 0, 8), *low = tni_reduce_word(sum, 1, 8);
    if (from == to || (high[j] == 0 && low[j] == 0))
        return;
    double scale = exp(from - to);
    high[j] *= scale;
    low[j] *= scale;
}

/* The largest are raised to those of the span, and the sums brought down to them. What to subtract from the elements of a row:
 * in a run it is the same for all. */
static void logsumexp_raise(const tni_reduce_states *states, const tni_reduce_span *span, const logsumexp_loops *loops,
                            bool run, char *shifts) {
    char before[LOGSUMEXP_COLUMNS * 8];
    size_t size = tni_dtype_size(loops->dtype);
    int64_t count = run ? 1 : span->count;
    tni_reduce_states sum = logsumexp_sum(states);
    void *tops = tni_reduce_word(states, 0, size);
    memcpy(before, tops, (size_t)count * size);
    (run ? loops->top->run : loops->top->columns)(states, span, loops->top->context);
    for (int64_t j = 0; j < count; j++) {
        double shift = logsumexp_shift(loops, tops, j);
        logsumexp_scale(&sum, j, logsumexp_shift(loops, before, j), shift);
        if (loops->dtype == TN_FLOAT32)
            ((float *)(void *)shifts)[j] = (float)shift;
        else
            ((double *)(void *)shifts)[j] = shift;
    }
    for (int64_t have = 1, most = tni_min_i64(span->count, LOGSUMEXP_BLOCK); run && have < most; have *= 2)
        memcpy(shifts + (size_t)have * size, shifts, (size_t)tni_min_i64(have, most - have) * size);
}

/* The terms of at most a block. */
static void logsumexp_add(const tni_reduce_states *states, const tni_reduce_span *span, const logsumexp_loops *loops, bool run,
                          const char *shifts) {
    _Alignas(64) char terms[LOGSUMEXP_BLOCK * 8];
    size_t size = tni_dtype_size(loops->dtype);
    tni_reduce_states sum = logsumexp_sum(states);
    for (int64_t row = 0; row < span->rows; row++) {
        char *into = terms + (size_t)(row * span->count) * size;
        loops->sub((void *[]){into, (void *)(uintptr_t)(span->data + row * span->pitch), (void *)(uintptr_t)shifts},
                   span->count, NULL);
    }
    loops->exp((void *[]){terms, terms}, span->rows * span->count, NULL);
    tni_reduce_span part = *span;
    part.data = terms;
    part.pitch = span->count * (int64_t)size;
    (run ? loops->sum_run : loops->sum_columns)(&sum, &part, NULL);
}

static void logsumexp_run(const tni_reduce_states *states, const tni_reduce_span *span, const void *context) {
    const logsumexp_loops *loops = context;
    _Alignas(64) char shifts[LOGSUMEXP_BLOCK * 8];
    int64_t size = (int64_t)tni_dtype_size(loops->dtype);
    tni_reduce_span part = *span;
    part.pitch = 0;
    for (int64_t done = 0, end; done < span->count; done = end) {
        end = tni_min_i64(span->count, done + LOGSUMEXP_RAISE);
        part.count = end - done;
        part.data = span->data + done * size;
        logsumexp_raise(states, &part, loops, true, shifts);
        for (int64_t at = done; at < end; at += LOGSUMEXP_BLOCK) {
            part.count = tni_min_i64(LOGSUMEXP_BLOCK, end - at);
            part.data = span->data + at * size;
            logsumexp_add(states, &part, loops, true, shifts);
        }
    }
}

static void logsumexp_columns(const tni_reduce_states *states, const tni_reduce_span *span, const void *context) {
    enum { RAISE = LOGSUMEXP_RAISE / LOGSUMEXP_COLUMNS, ADD = LOGSUMEXP_BLOCK / LOGSUMEXP_COLUMNS };
    const logsumexp_loops *loops = context;
    _Alignas(64) char shifts[LOGSUMEXP_COLUMNS * 8];
    tni_reduce_states some = *states;
    tni_reduce_span part = *span;
    for (int64_t first = 0; first < span->count; first += LOGSUMEXP_COLUMNS, some.at += LOGSUMEXP_COLUMNS) {
        const char *data = span->data + first * (int64_t)tni_dtype_size(loops->dtype);
        part.count = tni_min_i64(LOGSUMEXP_COLUMNS, span->count - first);
        for (int64_t done = 0, end; done < span->rows; done = end) {
            end = tni_min_i64(span->rows, done + RAISE);
            part.rows = end - done;
            part.data = data + done * span->pitch;
            logsumexp_raise(&some, &part, loops, false, shifts);
            for (int64_t at = done; at < end; at += ADD) {
                part.rows = tni_min_i64(ADD, end - at);
                part.data = data + at * span->pitch;
                logsumexp_add(&some, &part, loops, false, shifts);
            }
        }
    }
}

static void logsumexp_combine(const tni_reduce_states *into, const tni_reduce_states *from, int64_t count,
                              const void *context) {
    const logsumexp_loops *loops = context;
    size_t size = tni_dtype_size(loops->dtype);
    tni_reduce_states sum = logsumexp_sum(into), more = logsumexp_sum(from);
    char before[TNI_REDUCE_COLUMNS * 8];
    memcpy(before, tni_reduce_word(into, 0, size), (size_t)count * size);
    loops->top->combine(into, from, count, loops->top->context);
    for (int64_t j = 0; j < count; j++) {
        double shift = logsumexp_shift(loops, tni_reduce_word(into, 0, size), j);
        logsumexp_scale(&sum, j, logsumexp_shift(loops, before, j), shift);
        logsumexp_scale(&more, j, logsumexp_shift(loops, tni_reduce_word(from, 0, size), j), shift);
    }
    tni_reduce_sum_combine(&sum, &more, count, NULL);
}

static void logsumexp_finish(void *const *out, const tni_reduce_states *states, int64_t count, int64_t reduced,
                             const void *context) {
    (void)reduced;
    const logsumexp_loops *loops = context;
    tni_reduce_states sum = logsumexp_sum(states);
    const void *tops = tni_reduce_word(states, 0, tni_dtype_size(loops->dtype));
    for (int64_t j = 0; j < count; j++)
        ((double *)out[0])[j] = log(tni_reduce_sum_of(&sum, j)) + logsumexp_shift(loops, tops, j);
}

static bool logsumexp_prepare(tni_reduce_call *call, const tn_tensor *self, tn_dims dim, bool keepdim, tni_reduction *top,
                              logsumexp_loops *loops) {
    if (tni_reduce_is_float8(self->dtype)) {
        tni_raise(TN_ERROR_DTYPE, "not defined for %s; convert self with to", tn_dtype_name(self->dtype));
        return false;
    }
    if (!tni_reduce_begin(call, self, dim, keepdim))
        return false;
    const tni_kernel_table *kernels = tni_kernels();
    call->dtype[0] = tn_dtype_is_integral(self->dtype) ? tn_default_dtype() : (tn_dtype)self->dtype;
    tn_dtype compute = tni_reduce_float(call->dtype[0]);
    tni_reduce_use_extreme(call, TNI_REDUCE_MAX, compute);
    *top = call->what;
    *loops = (logsumexp_loops){.dtype = compute,
                               .top = top,
                               .sub = kernels->pointwise[TNI_KERNEL_sub * TN_DTYPE_COUNT + compute],
                               .exp = tni_loop_of(TNI_KERNEL_exp, compute),
                               .sum_run = kernels->reduce_run[TNI_REDUCE_SUM * TN_DTYPE_COUNT + compute],
                               .sum_columns = kernels->reduce_columns[TNI_REDUCE_SUM * TN_DTYPE_COUNT + compute]};
    if (!loops->exp)
        return false;
    call->kernel = TNI_JOB_logsumexp;
    call->elements = call->dtype[0];
    call->what = (tni_reduction){.compute = compute,
                                 .gives = {TN_FLOAT64},
                                 .words = 3,
                                 .results = 1,
                                 .begin = logsumexp_begin,
                                 .run = logsumexp_run,
                                 .columns = logsumexp_columns,
                                 .combine = logsumexp_combine,
                                 .finish = logsumexp_finish,
                                 .context = loops};
    return true;
}

/* Complex numbers, with operators: their largest real part is subtracted first. */
static tn_tensor *logsumexp_complex(const tn_tensor *self, tn_dims dim, bool keepdim) {
    tni_reduce_call call;
    if (!tni_reduce_begin(&call, self, dim, true))
        return NULL;
    tn_tensor *real = tni_op_real(self), *top = NULL, *sum = NULL, *result = NULL;
    if (real)
        top = self->numel == 0 ? tni_op_zeros((tn_dims){call.sizes, call.ndim}, real->dtype) : tni_op_amax(real, dim, true);
    tn_tensor *infinite = top ? tni_op_isinf(top) : NULL;
    tn_tensor *shift = infinite ? tni_op_where_self_scalar(infinite, tn_scalar_float(0), top) : NULL;
    tn_tensor *terms = shift ? tni_op_sub(self, shift) : NULL;
    if (terms && tni_op_exp_(terms) == TN_OK)
        sum = tni_op_sum_dim(terms, dim, true, TN_DTYPE_DEFAULT);
    if (sum && tni_op_log_(sum) == TN_OK && tni_op_add_(sum, shift) == TN_OK && tni_reduce_begin(&call, self, dim, keepdim))
        result = tni_op_reshape(sum, (tn_dims){call.sizes, call.ndim});
    tni_tensor_release(real);
    tni_tensor_release(top);
    tni_tensor_release(infinite);
    tni_tensor_release(shift);
    tni_tensor_release(terms);
    tni_tensor_release(sum);
    return result;
}

tn_tensor *tni_op_logsumexp(const tn_tensor *self, tn_dims dim, bool keepdim) {
    tni_reduce_call call;
    tni_reduction top;
    logsumexp_loops loops;
    if (tn_dtype_is_complex(self->dtype))
        return logsumexp_complex(self, dim, keepdim);
    return logsumexp_prepare(&call, self, dim, keepdim, &top, &loops) ? tni_reduce_new(&call) : NULL;
}

tn_error tni_op_logsumexp_out(tn_tensor *out, const tn_tensor *self, tn_dims dim, bool keepdim) {
    tni_reduce_call call;
    tni_reduction top;
    logsumexp_loops loops;
    if (tn_dtype_is_complex(self->dtype))
        return tni_result_move(out, logsumexp_complex(self, dim, keepdim), TNI_RESULT_CAST);
    return logsumexp_prepare(&call, self, dim, keepdim, &top, &loops) ? tni_reduce_out(&call, out) : tni_failed();
}

/* sort_select.c - one element of every line: kthvalue, median, nanmedian, mode.
 *
 * The element of a rank is found by narrowing the line down digit by digit, without sorting it. Among equal elements the median
 * is the one that a stable sort would put there; the k-th value and the mode are PyTorch's choice (sort_ties.h).
 */
#include <math.h>

#include "base/error.h"
#include "base/parallel.h"
#include "operators_sort.h"
#include "operators_view.h"
#include "ops/copy/copy.h"
#include "ops/sort/sort.h"
#include "ops/sort/sort_ties.h"

typedef enum select_what { SELECT_RANK, SELECT_MEDIAN, SELECT_NANMEDIAN, SELECT_MODE } select_what;

typedef struct select_call {
    tni_sort_line line;
    const tn_tensor *self;
    int64_t dim, rank;
    select_what what;
    bool indices; /* are wanted */
} select_call;

static int64_t select_rank(const select_call *call, const void *line, tni_order *order, void *scratch) {
    int64_t index = tni_order_select(order, call->rank), equal = 0;
    uint64_t key = tni_order_key(order, index); /* the items are as in the line */
    TNI_IN_STEPS (begin, end, order->count)
        for (int64_t i = begin; i < end; i++)
            equal += tni_order_key(order, i) == key;
    if (equal == 1 || tni_stopped())
        return index;
    tni_tie *items = tni_ties_begin(line, call->line.dtype, call->line.length, false, scratch);
    if (!tni_stopped())
        tni_ties_select(items, call->line.length, call->rank);
    return tni_stopped() ? 0 : items[call->rank].index;
}

/* The last of the longest run; among equally long runs, of the first. */
static int64_t select_mode(const select_call *call, const void *line, uint64_t nan, void *scratch) {
    int64_t count = call->line.length, longest = 0, last = 0;
    tni_tie *items = tni_ties_begin(line, call->line.dtype, count, false, scratch);
    tni_ties_sort(items, count);
    for (int64_t begin = 0, end, ask = TNI_STEP; begin < count; begin = end) {
        if (TNI_UNLIKELY(begin >= ask)) {
            ask = begin + TNI_STEP;
            if (!tni_goes_on())
                break;
        }
        for (end = begin + 1; end < count && items[end].key == items[begin].key && (nan == 0 || items[end].key != nan);)
            end++;
        if (end - begin > longest) {
            longest = end - begin;
            last = end - 1;
        }
    }
    return tni_stopped() ? 0 : items[last].index;
}

static int64_t select_median(const select_call *call, const tni_order *order) {
    int64_t count = order->count, nans = tni_order_nans(order);
    if (call->what == SELECT_MEDIAN)
        return tni_order_select(order, nans ? count - nans : (count - 1) / 2);
    return tni_order_select(order, nans == count ? 0 : (count - nans - 1) / 2);
}

static void select_one_line(void *const *lines, int64_t number, void *scratch, void *context) {
    const select_call *call = context;
    (void)number;
    void *memory = tni_sort_scratch(&call->line, scratch);
    tni_order order = tni_order_begin(lines[0], call->line.dtype, call->line.length, false, memory, call->line.alone);
    if (tni_stopped())
        return;
    int64_t index = call->what == SELECT_RANK   ? select_rank(call, lines[0], &order, memory)
                    : call->what == SELECT_MODE ? select_mode(call, lines[0], order.nan, memory)
                                                : select_median(call, &order);
    size_t size = tni_dtype_size(call->line.dtype);
    memcpy(lines[1], (const char *)lines[0] + (size_t)index * size, size);
    if (call->indices)
        *(int64_t *)lines[2] = index;
}

/* indices: NULL where they are not wanted. */
static tn_error select_run(select_call *call, tn_tensor *values, tn_tensor *indices) {
    int64_t rooms[2][TN_MAX_DIMS];
    if (values->numel == 0)
        return TN_OK;
    tni_lines_job job = {.operands = indices ? 3 : 2, .function = select_one_line};
    job.operand[1] = tni_sort_write(values, call->self, call->dim, 1, rooms[0]);
    if (indices)
        job.operand[2] = tni_sort_write(indices, call->self, call->dim, 1, rooms[1]);
    static const tni_job_kernel kernels[] = {[SELECT_RANK] = TNI_JOB_kthvalue,
                                             [SELECT_MEDIAN] = TNI_JOB_median,
                                             [SELECT_NANMEDIAN] = TNI_JOB_nanmedian,
                                             [SELECT_MODE] = TNI_JOB_mode};
    job.kernel = kernels[call->what];
    job.numbers = call->what == SELECT_RANK;
    job.number = (const double[]){(double)call->rank + 1};
    call->indices = indices != NULL;
    return tni_sort_run(&job, call->self, call->dim, tni_order_scratch(call->line.dtype, call->line.length), &call->line);
}

static bool select_prepare(select_call *call, const tn_tensor *self, select_what what, int64_t rank, int64_t dim) {
    *call = (select_call){.self = self, .what = what, .rank = rank, .line = {.dtype = self->dtype}};
    if (!tni_wrap_dim(dim, self->ndim, "dim", &call->dim))
        return false;
    call->line.length = self->ndim ? self->sizes[call->dim] : 1;
    if (!tni_order_allows(self->dtype, call->line.length))
        return false;
    if (call->line.length == 0) {
        tni_raise(TN_ERROR_INDEX, "self %s has no elements along dimension %" PRId64 " to choose one from",
                  tni_show_tensor(self), call->dim);
        return false;
    }
    if (what == SELECT_RANK && (rank < 0 || rank >= call->line.length)) {
        tni_raise(TN_ERROR_INDEX,
                  "k = %" PRId64 " is not between 1 and the %" PRId64 " elements of self %s along dimension %" PRId64, rank + 1,
                  call->line.length, tni_show_tensor(self), call->dim);
        return false;
    }
    return true;
}

static bool select_plan(tni_plan *plan, const tn_tensor *self, select_what what, int64_t rank, int64_t dim, bool keepdim) {
    select_call call;
    int64_t sizes[TN_MAX_DIMS];
    if (!select_prepare(&call, self, what, rank, dim))
        return false;
    int64_t ndim = tni_sort_sizes(self, call.dim, keepdim ? 1 : -1, sizes);
    tni_plan_begin(plan, self);
    tni_plan_add(plan, ndim, sizes, self->dtype);
    tni_plan_add(plan, ndim, sizes, TN_INT64);
    return true;
}

static tn_error select_into(tn_tensor *const *results, const tn_tensor *self, select_what what, int64_t rank, int64_t dim) {
    select_call call;
    return select_prepare(&call, self, what, rank, dim) ? select_run(&call, results[0], results[1]) : tni_failed();
}

static int64_t select_rank_of(int64_t k) { return k - (k > INT64_MIN); }

bool tni_plan_kthvalue(tni_plan *plan, const tn_tensor *self, int64_t k, int64_t dim, bool keepdim) {
    return select_plan(plan, self, SELECT_RANK, select_rank_of(k), dim, keepdim);
}
tn_error tni_run_kthvalue(const tni_plan *plan, tn_tensor *const *results, const tn_tensor *self, int64_t k, int64_t dim,
                          bool keepdim) {
    (void)plan, (void)keepdim;
    return select_into(results, self, SELECT_RANK, select_rank_of(k), dim);
}

bool tni_plan_median_dim(tni_plan *plan, const tn_tensor *self, int64_t dim, bool keepdim) {
    return select_plan(plan, self, SELECT_MEDIAN, 0, dim, keepdim);
}
tn_error tni_run_median_dim(const tni_plan *plan, tn_tensor *const *results, const tn_tensor *self, int64_t dim, bool keepdim) {
    (void)plan, (void)keepdim;
    return select_into(results, self, SELECT_MEDIAN, 0, dim);
}

bool tni_plan_nanmedian_dim(tni_plan *plan, const tn_tensor *self, int64_t dim, bool keepdim) {
    return select_plan(plan, self, SELECT_NANMEDIAN, 0, dim, keepdim);
}
tn_error tni_run_nanmedian_dim(const tni_plan *plan, tn_tensor *const *results, const tn_tensor *self, int64_t dim,
                               bool keepdim) {
    (void)plan, (void)keepdim;
    return select_into(results, self, SELECT_NANMEDIAN, 0, dim);
}

bool tni_plan_mode(tni_plan *plan, const tn_tensor *self, int64_t dim, bool keepdim) {
    return select_plan(plan, self, SELECT_MODE, 0, dim, keepdim);
}
tn_error tni_run_mode(const tni_plan *plan, tn_tensor *const *results, const tn_tensor *self, int64_t dim, bool keepdim) {
    (void)plan, (void)keepdim;
    return select_into(results, self, SELECT_MODE, 0, dim);
}

/* ---- of all elements */

static bool select_plan_all(tni_plan *plan, const tn_tensor *self) {
    tni_plan_begin(plan, self);
    tni_plan_add(plan, 0, NULL, self->dtype);
    return tni_order_allows(self->dtype, self->numel);
}

/* What a NaN is in the dtype of `value`. */
static tn_error select_nothing(tn_tensor *value) {
    tn_tensor *here = tni_tensor_new(0, NULL, value->dtype, TN_DEVICE_CPU);
    if (!here)
        return tni_failed();
    (void)tn_dtype_convert(here->dtype, tni_tensor_write(here), TN_FLOAT32, &(float){NAN}, 1);
    tn_error code = tni_copy_into(value, here, "the median of nothing is put in its place");
    tni_tensor_release(here);
    return code;
}

static tn_error select_of_all(tn_tensor *value, const tn_tensor *self, select_what what) {
    if (self->numel == 0)
        return select_nothing(value);
    select_call call;
    tn_tensor *flat = tni_op_ravel(self);
    tn_error code = flat && select_prepare(&call, flat, what, 0, 0) ? select_run(&call, value, NULL) : tni_failed();
    tni_tensor_release(flat);
    return code;
}

bool tni_plan_median(tni_plan *plan, const tn_tensor *self) { return select_plan_all(plan, self); }
tn_error tni_run_median(const tni_plan *plan, tn_tensor *const *results, const tn_tensor *self) {
    (void)plan;
    return select_of_all(results[0], self, SELECT_MEDIAN);
}

bool tni_plan_nanmedian(tni_plan *plan, const tn_tensor *self) { return select_plan_all(plan, self); }
tn_error tni_run_nanmedian(const tni_plan *plan, tn_tensor *const *results, const tn_tensor *self) {
    (void)plan;
    return select_of_all(results[0], self, SELECT_NANMEDIAN);
}

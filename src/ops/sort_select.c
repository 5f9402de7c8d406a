/* sort_select.c - one element of every line: kthvalue, median, nanmedian, mode.
 *
 * The element of a rank is found by narrowing the line down digit by digit, without sorting it. Of equal
 * elements the median is the one that a stable sort would have put there; the k-th value and the mode are PyTorch's choice
 * (sort_ties.h).
 */
#include <math.h>

#include "base/error.h"
#include "operator_impls.h"
#include "ops/sort.h"
#include "ops/sort_ties.h"

typedef enum select_what { SELECT_RANK, SELECT_MEDIAN, SELECT_NANMEDIAN, SELECT_MODE } select_what;

typedef struct select_call {
    tni_sort_line line;
    const tn_tensor *self;
    int64_t dim, rank;
    select_what what;
} select_call;

static int64_t select_rank(const select_call *call, const void *line, tni_order *order, void *scratch) {
    int64_t index = tni_order_select(order, call->rank), equal = 0;
    uint64_t key = tni_order_key(order, index); /* the items are as in the line */
    for (int64_t i = 0; i < order->count; i++)
        equal += tni_order_key(order, i) == key;
    if (equal == 1)
        return index;
    tni_tie *items = tni_ties_begin(line, call->line.dtype, call->line.length, false, scratch);
    tni_ties_select(items, call->line.length, call->rank);
    return items[call->rank].index;
}

/* The last of the longest run; of equally long ones, of the first. */
static int64_t select_mode(const select_call *call, const void *line, uint64_t nan, void *scratch) {
    int64_t count = call->line.length, longest = 0, last = 0;
    tni_tie *items = tni_ties_begin(line, call->line.dtype, count, false, scratch);
    tni_ties_sort(items, count);
    for (int64_t begin = 0, end; begin < count; begin = end) {
        for (end = begin + 1; end < count && items[end].key == items[begin].key && (nan == 0 || items[end].key != nan);)
            end++;
        if (end - begin > longest) {
            longest = end - begin;
            last = end - 1;
        }
    }
    return items[last].index;
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
    int64_t index = call->what == SELECT_RANK   ? select_rank(call, lines[0], &order, memory)
                    : call->what == SELECT_MODE ? select_mode(call, lines[0], order.nan, memory)
                                                : select_median(call, &order);
    size_t size = tni_dtype_size(call->line.dtype);
    memcpy(lines[1], (const char *)lines[0] + (size_t)index * size, size);
    *(int64_t *)lines[2] = index;
}

static tn_error select_compute(tn_tensor *values, tn_tensor *indices, const void *what) {
    select_call call = *(const select_call *)what;
    int64_t rooms[2][TN_MAX_DIMS];
    if (values->numel == 0)
        return TN_OK;
    tni_lines_job job = {.operands = 3, .function = select_one_line};
    job.operand[1] = tni_sort_write(values, call.self, call.dim, 1, rooms[0]);
    job.operand[2] = tni_sort_write(indices, call.self, call.dim, 1, rooms[1]);
    return tni_sort_run(&job, call.self, call.dim, tni_order_scratch(call.line.dtype, call.line.length), &call.line);
}

static bool select_prepare(select_call *call, const tn_tensor *self, select_what what, int64_t rank, int64_t dim, bool keepdim,
                           int64_t *sizes, tn_dims *out) {
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
    *out = (tn_dims){sizes, tni_sort_sizes(self, call->dim, keepdim ? 1 : -1, sizes)};
    return true;
}

static tn_list *select_new(const tn_tensor *self, select_what what, int64_t rank, int64_t dim, bool keepdim) {
    select_call call;
    int64_t sizes[TN_MAX_DIMS];
    tn_dims out;
    if (!select_prepare(&call, self, what, rank, dim, keepdim, sizes, &out))
        return NULL;
    return tni_sort_list(out, self->dtype, select_compute, &call);
}

static tn_error select_into(tn_tensor *values, tn_tensor *indices, const tn_tensor *self, select_what what, int64_t rank,
                            int64_t dim, bool keepdim) {
    select_call call;
    int64_t sizes[TN_MAX_DIMS];
    tn_dims out;
    if (!select_prepare(&call, self, what, rank, dim, keepdim, sizes, &out))
        return tn_error_code();
    return tni_sort_into(values, indices, out, self->dtype, self, select_compute, &call);
}

tn_list *tni_op_kthvalue(const tn_tensor *self, int64_t k, int64_t dim, bool keepdim) {
    return select_new(self, SELECT_RANK, k - (k > INT64_MIN), dim, keepdim);
}
tn_error tni_op_kthvalue_out(tn_tensor *values, tn_tensor *indices, const tn_tensor *self, int64_t k, int64_t dim,
                             bool keepdim) {
    return select_into(values, indices, self, SELECT_RANK, k - (k > INT64_MIN), dim, keepdim);
}
tn_list *tni_op_median_dim(const tn_tensor *self, int64_t dim, bool keepdim) {
    return select_new(self, SELECT_MEDIAN, 0, dim, keepdim);
}
tn_error tni_op_median_dim_out(tn_tensor *values, tn_tensor *indices, const tn_tensor *self, int64_t dim, bool keepdim) {
    return select_into(values, indices, self, SELECT_MEDIAN, 0, dim, keepdim);
}
tn_list *tni_op_nanmedian_dim(const tn_tensor *self, int64_t dim, bool keepdim) {
    return select_new(self, SELECT_NANMEDIAN, 0, dim, keepdim);
}
tn_error tni_op_nanmedian_dim_out(tn_tensor *values, tn_tensor *indices, const tn_tensor *self, int64_t dim, bool keepdim) {
    return select_into(values, indices, self, SELECT_NANMEDIAN, 0, dim, keepdim);
}
tn_list *tni_op_mode(const tn_tensor *self, int64_t dim, bool keepdim) {
    return select_new(self, SELECT_MODE, 0, dim, keepdim);
}
tn_error tni_op_mode_out(tn_tensor *values, tn_tensor *indices, const tn_tensor *self, int64_t dim, bool keepdim) {
    return select_into(values, indices, self, SELECT_MODE, 0, dim, keepdim);
}

/* ---- of all elements */

static tn_tensor *select_of_all(const tn_tensor *self, select_what what) {
    if (!tni_order_allows(self->dtype, self->numel))
        return NULL;
    if (self->numel == 0) { /* what a NaN is in this dtype */
        tn_tensor *none = tni_tensor_new(0, NULL, self->dtype, TN_DEVICE_CPU);
        if (none)
            (void)tn_dtype_convert(self->dtype, tni_tensor_write(none), TN_FLOAT32, &(float){NAN}, 1);
        return none;
    }
    tn_tensor *flat = tni_op_ravel(self);
    tn_list *list = flat ? select_new(flat, what, 0, 0, false) : NULL;
    tn_tensor *value = list ? tni_tensor_retain(list->items[0]) : NULL;
    if (list)
        tni_object_release(&list->object);
    tni_tensor_release(flat);
    return value;
}

tn_tensor *tni_op_median(const tn_tensor *self) { return select_of_all(self, SELECT_MEDIAN); }
tn_tensor *tni_op_nanmedian(const tn_tensor *self) { return select_of_all(self, SELECT_NANMEDIAN); }

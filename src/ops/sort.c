/* sort.c - sort, argsort, msort, topk: the order of every line, or its beginning, written out.
 *
 * Few elements of many are kept in a heap, whose root is the k-th best so far, while the line is searched in blocks for others
 * that come before it. Most blocks of a long line hold none, and a pass over the line is all there is. Of more elements the
 * last is selected and those before it are sorted. Which of equal ones are chosen, and their order, is as in PyTorch
 * (sort_ties.h).
 */
#include "base/error.h"
#include "dispatch/kernels.h"
#include "operator_impls.h"
#include "ops/copy.h"
#include "ops/result.h"
#include "ops/sort.h"
#include "ops/sort_ties.h"

enum { TOPK_FEW = 64 /* at most one in so many is few: PyTorch's limit */ };

typedef struct sort_call {
    tni_sort_line line;
    const tn_tensor *self;
    int64_t dim, kept;
    bool descending, sorted;
    tni_line_function function;
    int values, indices; /* which operands they are; 0: not wanted */
} sort_call;

/* ---- writing an order out */

/* Elements of 4 bytes are made from their keys, which are at hand; only zeros and NaN, whose keys do not tell them apart, are
 * read again. */
static void sort_write_four(const tni_order *order, const sort_call *call, const uint32_t *line, uint32_t *values) {
    const uint32_t sign = UINT32_C(1) << 31, turn = call->descending ? UINT32_MAX : 0;
    const uint32_t flip = turn ^ (tn_dtype_is_signed(call->line.dtype) ? sign : 0);
    if (!tn_dtype_is_floating(call->line.dtype)) {
        for (int64_t i = 0; i < call->kept; i++)
            values[i] = (uint32_t)(order->items[i] >> 32) ^ flip;
        return;
    }
    for (int64_t i = 0; i < call->kept; i++) {
        uint32_t key = (uint32_t)(order->items[i] >> 32) ^ turn;
        if (TNI_UNLIKELY(key == sign || key == UINT32_MAX))
            values[i] = line[(uint32_t)order->items[i]];
        else
            values[i] = key & sign ? key ^ sign : ~key;
    }
}

static void sort_write_values(const tni_order *order, const sort_call *call, const void *line, void *values) {
    switch (tni_dtype_size(call->line.dtype)) {
    case 1:
        for (int64_t i = 0; i < call->kept; i++)
            ((uint8_t *)values)[i] = ((const uint8_t *)line)[(uint32_t)order->items[i]];
        return;
    case 2:
        for (int64_t i = 0; i < call->kept; i++)
            ((uint16_t *)values)[i] = ((const uint16_t *)line)[(uint32_t)order->items[i]];
        return;
    case 4: sort_write_four(order, call, line, values); return;
    default:
        for (int64_t i = 0; i < call->kept; i++)
            ((uint64_t *)values)[i] = ((const uint64_t *)line)[(uint32_t)order->items[i]];
    }
}

static void sort_write(const tni_order *order, const sort_call *call, void *const *lines) {
    if (call->values)
        sort_write_values(order, call, lines[0], lines[call->values]);
    int64_t *indices = call->indices ? lines[call->indices] : NULL;
    for (int64_t i = 0; indices && i < call->kept; i++)
        indices[i] = (uint32_t)order->items[i];
}

static void sort_one_line(void *const *lines, int64_t number, void *scratch, void *context) {
    const sort_call *call = context;
    (void)number;
    tni_order order = tni_order_begin(lines[0], call->line.dtype, call->line.length, call->descending,
                                      tni_sort_scratch(&call->line, scratch), call->line.alone);
    tni_order_sort(&order);
    sort_write(&order, call, lines);
}

/* ---- the first few of a line */

static void topk_write(const tni_tie *items, const sort_call *call, void *const *lines) {
    size_t size = tni_dtype_size(call->line.dtype);
    int64_t *indices = lines[call->indices];
    for (int64_t i = 0; i < call->kept; i++) {
        indices[i] = items[i].index;
        memcpy((char *)lines[call->values] + (size_t)i * size, (const char *)lines[0] + (size_t)items[i].index * size, size);
    }
}

static void topk_few_of_line(void *const *lines, int64_t number, void *scratch, void *context) {
    const sort_call *call = context;
    (void)number;
    size_t size = tni_dtype_size(call->line.dtype), key_size = size == 8 ? 8 : 4;
    int64_t length = call->line.length, kept = call->kept;
    tni_tie *heap = tni_sort_scratch(&call->line, scratch);
    const char *line = lines[0];
    tni_tie_keys keys;
    const tni_kernel_table *kernels = tni_kernels();
    tni_sort_below_function below = kernels->sort_below[size == 8];
    tni_sort_before_function before = kernels->sort_before[call->line.dtype];
    tni_ties_heap(tni_ties_begin(line, call->line.dtype, kept, call->descending, heap), kept);
    for (int64_t at = kept, many; at < length; at += many) {
        many = tni_min_i64(TNI_TIE_BLOCK, length - at);
        const char *block = line + (size_t)at * size;
        if (before && !before(block, many, line + (size_t)heap[0].index * size, call->descending))
            continue;
        kernels->sort_keys[call->line.dtype](&keys, block, many, call->descending);
        for (int64_t i = 0; i < many; i++) {
            i += below((const char *)&keys + (size_t)i * key_size, many - i, heap[0].key);
            if (i == many)
                break;
            uint64_t key = size == 8 ? keys.wide[i] : keys.narrow[i];
            tni_ties_replace(heap, kept, (tni_tie){key, at + i});
        }
    }
    tni_ties_unheap(heap, kept);
    topk_write(heap, call, lines);
}

/* Where no element equals another there is only one way to choose and order them. Whether that was so, and is done. */
static bool topk_sort_line(void *const *lines, const sort_call *call, void *memory) {
    const tni_sort_line *line = &call->line;
    tni_order order = tni_order_begin(lines[0], line->dtype, line->length, call->descending, memory, line->alone);
    if (!tni_order_keep(&order, call->kept))
        return false;
    tni_order_sort(&order);
    for (int64_t i = 1; i < call->kept; i++)
        if (tni_order_key(&order, i - 1) == tni_order_key(&order, i))
            return false;
    sort_write(&order, call, lines);
    return true;
}

/* So many random numbers are not all different; it is not worth finding that out by sorting them. */
static bool topk_expects_ties(const sort_call *call) {
    static const int64_t most[] = {[1] = 16, [2] = 256, [4] = 4096, [8] = INT64_MAX};
    return call->kept > most[tni_dtype_size(call->line.dtype)];
}

static void topk_many_of_line(void *const *lines, int64_t number, void *scratch, void *context) {
    const sort_call *call = context;
    const tni_sort_line *line = &call->line;
    (void)number;
    void *memory = tni_sort_scratch(line, scratch);
    if (call->sorted && !topk_expects_ties(call) && topk_sort_line(lines, call, memory))
        return;
    tni_tie *items = tni_ties_begin(lines[0], line->dtype, line->length, call->descending, memory);
    tni_ties_first(items, line->length, call->kept, call->sorted);
    topk_write(items, call, lines);
}

/* ---- the lines of a tensor */

/* values or indices may be NULL. */
static tn_error sort_run(const sort_call *what, tn_tensor *values, tn_tensor *indices) {
    sort_call call = *what;
    tni_lines_job job = {.operands = 1, .function = call.function};
    int64_t rooms[2][TN_MAX_DIMS];
    if ((values ? values : indices)->numel == 0)
        return TN_OK;
    if (values) {
        call.values = job.operands++;
        job.operand[call.values] = tni_sort_write(values, call.self, call.dim, call.kept, rooms[0]);
    }
    if (indices) {
        call.indices = job.operands++;
        job.operand[call.indices] = tni_sort_write(indices, call.self, call.dim, call.kept, rooms[1]);
    }
    int64_t held = call.function == topk_few_of_line ? call.kept : call.line.length;
    size_t scratch = tni_order_scratch(call.line.dtype, held);
    return tni_sort_run(&job, call.self, call.dim, scratch, &call.line);
}

static tn_error sort_compute(tn_tensor *values, tn_tensor *indices, const void *call) {
    return sort_run(call, values, indices);
}

static bool sort_prepare(sort_call *call, const tn_tensor *self, int64_t dim, bool descending) {
    *call = (sort_call){.self = self, .descending = descending, .function = sort_one_line, .line = {.dtype = self->dtype}};
    if (!tni_wrap_dim(dim, self->ndim, "dim", &call->dim))
        return false;
    call->line.length = call->kept = self->ndim ? self->sizes[call->dim] : 1;
    return tni_order_allows(self->dtype, call->line.length);
}

static tn_dims sort_sizes_of(const tn_tensor *self) { return (tn_dims){self->sizes, self->ndim}; }

tn_list *tni_op_sort(const tn_tensor *self, int64_t dim, bool descending) {
    sort_call call;
    if (!sort_prepare(&call, self, dim, descending))
        return NULL;
    tn_tensor *results[2] = {tni_empty_like_on(self, self->dtype, TN_PRESERVE, TN_DEVICE_CPU), NULL};
    results[1] = results[0] ? tni_empty_like_on(self, TN_INT64, TN_PRESERVE, TN_DEVICE_CPU) : NULL;
    if (results[1] && sort_run(&call, results[0], results[1]) == TN_OK)
        return tni_list_make(results, 2);
    tni_tensor_release(results[0]);
    tni_tensor_release(results[1]);
    return NULL;
}

tn_error tni_op_sort_out(tn_tensor *values, tn_tensor *indices, const tn_tensor *self, int64_t dim, bool descending) {
    sort_call call;
    if (!sort_prepare(&call, self, dim, descending))
        return tn_error_code();
    return tni_sort_into(values, indices, sort_sizes_of(self), self->dtype, self, sort_compute, &call);
}

/* Every sort is stable. */
tn_list *tni_op_sort_stable(const tn_tensor *self, bool stable, int64_t dim, bool descending) {
    (void)stable;
    return tni_op_sort(self, dim, descending);
}
tn_error tni_op_sort_stable_out(tn_tensor *values, tn_tensor *indices, const tn_tensor *self, bool stable, int64_t dim,
                                bool descending) {
    (void)stable;
    return tni_op_sort_out(values, indices, self, dim, descending);
}

tn_tensor *tni_op_argsort(const tn_tensor *self, int64_t dim, bool descending) {
    sort_call call;
    if (!sort_prepare(&call, self, dim, descending))
        return NULL;
    tn_tensor *indices = tni_empty_like_on(self, TN_INT64, TN_PRESERVE, TN_DEVICE_CPU);
    if (indices && sort_run(&call, NULL, indices) == TN_OK)
        return indices;
    tni_tensor_release(indices);
    return NULL;
}
tn_tensor *tni_op_argsort_stable(const tn_tensor *self, bool stable, int64_t dim, bool descending) {
    (void)stable;
    return tni_op_argsort(self, dim, descending);
}
tn_error tni_op_argsort_stable_out(tn_tensor *out, const tn_tensor *self, bool stable, int64_t dim, bool descending) {
    sort_call call;
    tni_result result;
    (void)stable;
    if (!sort_prepare(&call, self, dim, descending) ||
        !tni_result_begin(&result, out, sort_sizes_of(self), TN_INT64, TNI_RESULT_EXACT, &self, 1))
        return tn_error_code();
    return tni_result_end(&result, sort_run(&call, NULL, result.tensor));
}

tn_tensor *tni_op_msort(const tn_tensor *self) {
    sort_call call;
    if (!sort_prepare(&call, self, 0, false))
        return NULL;
    tn_tensor *values = tni_empty_like_on(self, self->dtype, TN_PRESERVE, TN_DEVICE_CPU);
    if (values && sort_run(&call, values, NULL) == TN_OK)
        return values;
    tni_tensor_release(values);
    return NULL;
}
tn_error tni_op_msort_out(tn_tensor *out, const tn_tensor *self) {
    sort_call call;
    tni_result result;
    if (!sort_prepare(&call, self, 0, false) ||
        !tni_result_begin(&result, out, sort_sizes_of(self), self->dtype, TNI_RESULT_EXACT, &self, 1))
        return tn_error_code();
    return tni_result_end(&result, sort_run(&call, result.tensor, NULL));
}

/* ---- topk */

static bool topk_prepare(sort_call *call, const tn_tensor *self, int64_t k, int64_t dim, bool largest, bool sorted,
                         int64_t *sizes) {
    if (!sort_prepare(call, self, dim, largest))
        return false;
    if (k < 0 || k > call->line.length) {
        tni_raise(TN_ERROR_INDEX,
                  "k = %" PRId64 " is not between 0 and the %" PRId64 " elements of self %s along dimension %" PRId64, k,
                  call->line.length, tni_show_tensor(self), call->dim);
        return false;
    }
    call->kept = self->ndim ? k : 1; /* a tensor without dimensions has one element, which is in every choice, as in torch */
    call->sorted = sorted;
    call->function = call->kept <= call->line.length / TOPK_FEW ? topk_few_of_line : topk_many_of_line;
    tni_sort_sizes(self, call->dim, k, sizes);
    return true;
}

tn_list *tni_op_topk(const tn_tensor *self, int64_t k, int64_t dim, bool largest, bool sorted) {
    sort_call call;
    int64_t sizes[TN_MAX_DIMS];
    if (!topk_prepare(&call, self, k, dim, largest, sorted, sizes))
        return NULL;
    return tni_sort_list((tn_dims){sizes, self->ndim}, self->dtype, sort_compute, &call);
}
tn_error tni_op_topk_out(tn_tensor *values, tn_tensor *indices, const tn_tensor *self, int64_t k, int64_t dim, bool largest,
                         bool sorted) {
    sort_call call;
    int64_t sizes[TN_MAX_DIMS];
    if (!topk_prepare(&call, self, k, dim, largest, sorted, sizes))
        return tn_error_code();
    return tni_sort_into(values, indices, (tn_dims){sizes, self->ndim}, self->dtype, self, sort_compute, &call);
}

/* sort.c - sort, argsort, msort, topk: the order of every line, or its beginning, written out.
 *
 * Few elements of many are kept in a heap, whose root is the k-th best so far, while the line is searched in blocks for others
 * that come before it. Most blocks of a long line contain none, so one pass over the line is enough. For more elements the last
 * is selected and those before it are sorted. The choice among equal ones, and their order, is as in PyTorch (sort_ties.h).
 */
#include "base/error.h"
#include "base/parallel.h"
#include "kernels/table.h"
#include "operators_sort.h"
#include "ops/copy/copy.h"
#include "ops/result.h"
#include "ops/sort/sort.h"
#include "ops/sort/sort_ties.h"

enum { TOPK_FEW = 64 /* at most one in this many is few: PyTorch's limit */ };

typedef struct sort_call {
    tni_sort_line line;
    const tn_tensor *self;
    int64_t dim, kept;
    bool descending, sorted;
    tni_line_function function;
    int values, indices; /* which operands they are; 0: not wanted */
} sort_call;

/* ---- writing an order out */

static void sort_write(const tni_order *order, const sort_call *call, void *const *lines) {
    if (tni_stopped())
        return;
    if (call->values)
        tni_kernels()->sort_take[tni_element_index(tni_dtype_size(call->line.dtype))](
            lines[call->values], lines[0], order->items, call->kept, call->line.dtype, call->descending);
    int64_t *indices = call->indices ? lines[call->indices] : NULL;
    TNI_IN_STEPS (begin, end, indices ? call->kept : 0)
        for (int64_t i = begin; i < end; i++)
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
    TNI_IN_STEPS (begin, end, tni_stopped() ? 0 : call->kept)
        for (int64_t i = begin; i < end; i++) {
            indices[i] = items[i].index;
            memcpy((char *)lines[call->values] + (size_t)i * size, (const char *)lines[0] + (size_t)items[i].index * size,
                   size);
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
    TNI_IN_STEPS (begin, end, tni_stopped() ? 0 : length - kept)
        for (int64_t at = kept + begin, many; at < kept + end; at += many) {
            many = tni_min_i64(TNI_TIE_BLOCK, kept + end - at);
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
    if (!tni_stopped())
        tni_ties_unheap(heap, kept);
    topk_write(heap, call, lines);
}

/* Where no element equals another there is only one way to choose and order them. Returns whether that holds; then it is done.
 * */
static bool topk_sort_line(void *const *lines, const sort_call *call, void *memory) {
    const tni_sort_line *line = &call->line;
    tni_order order = tni_order_begin(lines[0], line->dtype, line->length, call->descending, memory, line->alone);
    if (tni_stopped() || !tni_order_keep(&order, call->kept))
        return false;
    tni_order_sort(&order);
    TNI_IN_STEPS (begin, end, tni_stopped() ? 0 : call->kept - 1)
        for (int64_t i = begin + 1; i <= end; i++)
            if (tni_order_key(&order, i - 1) == tni_order_key(&order, i))
                return false;
    sort_write(&order, call, lines);
    return true;
}

/* This many random numbers are not all different; it is not worth finding that out by sorting them. */
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
    if (tni_stopped())
        return;
    tni_tie *items = tni_ties_begin(lines[0], line->dtype, line->length, call->descending, memory);
    if (!tni_stopped())
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
    bool sorts = call.function == sort_one_line;
    job.kernel = !sorts ? TNI_JOB_topk : values ? TNI_JOB_sort : TNI_JOB_argsort;
    job.numbers = sorts ? 1 : 2;
    job.number = (const double[]){call.descending, call.sorted};
    int64_t held = call.function == topk_few_of_line ? call.kept : call.line.length;
    size_t scratch = tni_order_scratch(call.line.dtype, held);
    return tni_sort_run(&job, call.self, call.dim, scratch, &call.line);
}

static bool sort_prepare(sort_call *call, const tn_tensor *self, int64_t dim, bool descending) {
    *call = (sort_call){.self = self, .descending = descending, .function = sort_one_line, .line = {.dtype = self->dtype}};
    if (!tni_wrap_dim(dim, self->ndim, "dim", &call->dim))
        return false;
    call->line.length = call->kept = self->ndim ? self->sizes[call->dim] : 1;
    return tni_order_allows(self->dtype, call->line.length);
}

/* ---- sort, argsort, msort. Every sort is stable, whether asked for or not. */

typedef enum sort_wish { SORT_VALUES = 1, SORT_INDICES = 2 } sort_wish;

static bool sort_plan(tni_plan *plan, const tn_tensor *self, int64_t dim, int wish) {
    sort_call call;
    tni_plan_begin(plan, self);
    return sort_prepare(&call, self, dim, false) && (!(wish & SORT_VALUES) || tni_plan_add_like(plan, self, self->dtype)) &&
           (!(wish & SORT_INDICES) || tni_plan_add_like(plan, self, TN_INT64));
}

static tn_error sort_into(tn_tensor *values, tn_tensor *indices, const tn_tensor *self, int64_t dim, bool descending) {
    sort_call call;
    return sort_prepare(&call, self, dim, descending) ? sort_run(&call, values, indices) : tni_failed();
}

bool tni_plan_sort(tni_plan *plan, const tn_tensor *self, int64_t dim, bool descending) {
    (void)descending;
    return sort_plan(plan, self, dim, SORT_VALUES | SORT_INDICES);
}
tn_error tni_run_sort(const tni_plan *plan, tn_tensor *const *results, const tn_tensor *self, int64_t dim, bool descending) {
    (void)plan;
    return sort_into(results[0], results[1], self, dim, descending);
}

bool tni_plan_sort_stable(tni_plan *plan, const tn_tensor *self, bool stable, int64_t dim, bool descending) {
    (void)stable;
    return tni_plan_sort(plan, self, dim, descending);
}
tn_error tni_run_sort_stable(const tni_plan *plan, tn_tensor *const *results, const tn_tensor *self, bool stable, int64_t dim,
                             bool descending) {
    (void)stable;
    return tni_run_sort(plan, results, self, dim, descending);
}

bool tni_plan_argsort(tni_plan *plan, const tn_tensor *self, int64_t dim, bool descending) {
    (void)descending;
    return sort_plan(plan, self, dim, SORT_INDICES);
}
tn_error tni_run_argsort(const tni_plan *plan, tn_tensor *const *results, const tn_tensor *self, int64_t dim, bool descending) {
    (void)plan;
    return sort_into(NULL, results[0], self, dim, descending);
}

bool tni_plan_argsort_stable(tni_plan *plan, const tn_tensor *self, bool stable, int64_t dim, bool descending) {
    (void)stable;
    return tni_plan_argsort(plan, self, dim, descending);
}
tn_error tni_run_argsort_stable(const tni_plan *plan, tn_tensor *const *results, const tn_tensor *self, bool stable,
                                int64_t dim, bool descending) {
    (void)stable;
    return tni_run_argsort(plan, results, self, dim, descending);
}

bool tni_plan_msort(tni_plan *plan, const tn_tensor *self) { return sort_plan(plan, self, 0, SORT_VALUES); }
tn_error tni_run_msort(const tni_plan *plan, tn_tensor *const *results, const tn_tensor *self) {
    (void)plan;
    return sort_into(results[0], NULL, self, 0, false);
}

/* ---- topk */

static bool topk_prepare(sort_call *call, const tn_tensor *self, int64_t k, int64_t dim, bool largest, bool sorted) {
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
    return true;
}

bool tni_plan_topk(tni_plan *plan, const tn_tensor *self, int64_t k, int64_t dim, bool largest, bool sorted) {
    sort_call call;
    int64_t sizes[TN_MAX_DIMS];
    if (!topk_prepare(&call, self, k, dim, largest, sorted))
        return false;
    tni_sort_sizes(self, call.dim, k, sizes);
    tni_plan_begin(plan, self);
    tni_plan_add(plan, self->ndim, sizes, self->dtype);
    tni_plan_add(plan, self->ndim, sizes, TN_INT64);
    return true;
}
tn_error tni_run_topk(const tni_plan *plan, tn_tensor *const *results, const tn_tensor *self, int64_t k, int64_t dim,
                      bool largest, bool sorted) {
    sort_call call;
    (void)plan;
    return topk_prepare(&call, self, k, dim, largest, sorted) ? sort_run(&call, results[0], results[1]) : tni_failed();
}

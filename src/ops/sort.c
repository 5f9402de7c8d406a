/* sort.c - sort, argsort, msort, topk: the order of every line, or its beginning, written out.
 *
 * topk looks in blocks for elements that come before a bound, the k-th best so far, and collects them; each time the room for
 * them is full, the best k stay and the bound falls (a small k is kept in order all the time). Most blocks of a long line then
 * hold nothing, and a pass over the line is all there is.
 */
#include "base/error.h"
#include "dispatch/kernels.h"
#include "operator_impls.h"
#include "ops/copy.h"
#include "ops/result.h"
#include "ops/sort.h"

enum { TOPK_BLOCK = 256, TOPK_LEAST_ROOM = 64, TOPK_INSERTED = 128 };

typedef struct sort_call {
    tni_sort_line line;
    const tn_tensor *self;
    int64_t dim, kept;
    bool descending, filters;
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

static void sort_one_line(void *const *lines, int64_t number, void *scratch, void *context) {
    const sort_call *call = context;
    (void)number;
    tni_order order = tni_order_begin(lines[0], call->line.dtype, call->line.length, call->descending,
                                      tni_sort_scratch(&call->line, scratch), call->line.alone);
    tni_order_sort(&order);
    if (call->values)
        sort_write_values(&order, call, lines[0], lines[call->values]);
    int64_t *indices = call->indices ? lines[call->indices] : NULL;
    for (int64_t i = 0; indices && i < call->kept; i++)
        indices[i] = (uint32_t)order.items[i];
}

/* ---- the first few of a line */

static int64_t topk_room(int64_t kept) { return tni_max_i64(4 * kept, TOPK_LEAST_ROOM); }

static size_t topk_scratch(int64_t kept) {
    size_t room = (size_t)topk_room(kept);
    return tni_order_scratch(TN_UINT64, (int64_t)room) + 4 * room * sizeof(uint64_t) + TOPK_BLOCK * sizeof(uint64_t);
}

/* Candidates in the order of their positions in the line: what comes later is, among equals, worse. */
typedef struct topk_best {
    uint64_t *keys, *other_keys; /* (room) */
    uint64_t *at, *other_at;     /* (room): positions in the line */
    int64_t count, kept;
    void *scratch;
} topk_best;

/* The best `kept`, in order. */
static void topk_settle(topk_best *best) {
    tni_order order = tni_order_begin(best->keys, TN_UINT64, best->count, false, best->scratch, false);
    tni_order_sort(&order);
    for (int64_t i = 0; i < best->kept; i++) {
        best->other_keys[i] = tni_order_key(&order, i);
        best->other_at[i] = best->at[tni_order_index(&order, i)];
    }
    uint64_t *keys = best->keys, *at = best->at;
    best->keys = best->other_keys;
    best->at = best->other_at;
    best->other_keys = keys;
    best->other_at = at;
    best->count = best->kept;
}

/* Few are kept in order at all times: a candidate takes its place, and the last goes. */
static void topk_insert(topk_best *best, uint64_t key, uint64_t at) {
    int64_t place = best->count < best->kept ? best->count++ : best->kept - 1;
    for (; place > 0 && best->keys[place - 1] > key; place--) {
        best->keys[place] = best->keys[place - 1];
        best->at[place] = best->at[place - 1];
    }
    best->keys[place] = key;
    best->at[place] = at;
}

/* Take a candidate in. Whether there is a bound now: the last of the best. */
static bool topk_take(topk_best *best, int64_t room, uint64_t key, uint64_t at, bool bounded) {
    if (best->kept <= TOPK_INSERTED) {
        topk_insert(best, key, at);
        return best->count == best->kept;
    }
    best->keys[best->count] = key;
    best->at[best->count++] = at;
    if (best->count < room)
        return bounded;
    topk_settle(best);
    return true;
}

static void topk_one_line(void *const *lines, int64_t number, void *scratch, void *context) {
    const sort_call *call = context;
    (void)number;
    size_t size = tni_dtype_size(call->line.dtype), key_size = size == 8 ? 8 : 4;
    int64_t room = topk_room(call->kept), length = call->line.length, last = call->kept - 1;
    char *memory = tni_sort_scratch(&call->line, scratch);
    uint64_t *own = (uint64_t *)(void *)(memory + tni_order_scratch(TN_UINT64, room));
    topk_best best = {own, own + room, own + 2 * room, own + 3 * room, 0, call->kept, memory};
    const char *line = lines[0];
    char *keys = (char *)(own + 4 * room);
    const tni_kernel_table *kernels = tni_kernels();
    tni_sort_below_function below = kernels->sort_below[size == 8];
    tni_sort_before_function before = kernels->sort_before[call->line.dtype];
    bool bounded = false;
    for (int64_t at = 0, many; at < length; at += many) {
        many = tni_min_i64(TOPK_BLOCK, length - at);
        const char *block = line + (size_t)at * size;
        if (bounded && before && !before(block, many, line + best.at[last] * size, call->descending))
            continue;
        kernels->sort_keys[call->line.dtype](keys, block, many, call->descending);
        for (int64_t i = 0; i < many; i++) {
            if (bounded)
                i += below(keys + (size_t)i * key_size, many - i, best.keys[last]);
            if (i == many)
                break;
            uint64_t key = size == 8 ? ((const uint64_t *)(void *)keys)[i] : ((const uint32_t *)(void *)keys)[i];
            bounded = topk_take(&best, room, key, (uint64_t)(at + i), bounded);
        }
    }
    if (call->kept > TOPK_INSERTED)
        topk_settle(&best);
    int64_t *indices = lines[call->indices];
    for (int64_t i = 0; i < call->kept; i++) {
        indices[i] = (int64_t)best.at[i];
        memcpy((char *)lines[call->values] + (size_t)i * size, line + best.at[i] * size, size);
    }
}

/* ---- the lines of a tensor */

/* values or indices may be NULL. */
static tn_error sort_run(const sort_call *what, tn_tensor *values, tn_tensor *indices) {
    sort_call call = *what;
    tni_lines_job job = {.operands = 1, .function = call.filters ? topk_one_line : sort_one_line};
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
    size_t scratch = call.filters ? topk_scratch(call.kept) : tni_order_scratch(call.line.dtype, call.line.length);
    return tni_sort_run(&job, call.self, call.dim, scratch, &call.line);
}

static tn_error sort_compute(tn_tensor *values, tn_tensor *indices, const void *call) {
    return sort_run(call, values, indices);
}

static bool sort_prepare(sort_call *call, const tn_tensor *self, int64_t dim, bool descending) {
    *call = (sort_call){.self = self, .descending = descending, .line = {.dtype = self->dtype}};
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

static bool topk_prepare(sort_call *call, const tn_tensor *self, int64_t k, int64_t dim, bool largest, int64_t *sizes) {
    if (!sort_prepare(call, self, dim, largest))
        return false;
    if (k < 0 || k > call->line.length) {
        tni_raise(TN_ERROR_INDEX,
                  "k = %" PRId64 " is not between 0 and the %" PRId64 " elements of self %s along dimension %" PRId64, k,
                  call->line.length, tni_show_tensor(self), call->dim);
        return false;
    }
    call->kept = self->ndim ? k : 1; /* a tensor without dimensions has one element, which is in every choice, as in torch */
    call->filters = call->kept > 0 && call->kept <= call->line.length / 8 && topk_room(call->kept) < call->line.length;
    tni_sort_sizes(self, call->dim, k, sizes);
    return true;
}

tn_list *tni_op_topk(const tn_tensor *self, int64_t k, int64_t dim, bool largest, bool sorted) {
    sort_call call;
    int64_t sizes[TN_MAX_DIMS];
    (void)sorted; /* they always are */
    if (!topk_prepare(&call, self, k, dim, largest, sizes))
        return NULL;
    return tni_sort_list((tn_dims){sizes, self->ndim}, self->dtype, sort_compute, &call);
}
tn_error tni_op_topk_out(tn_tensor *values, tn_tensor *indices, const tn_tensor *self, int64_t k, int64_t dim, bool largest,
                         bool sorted) {
    sort_call call;
    int64_t sizes[TN_MAX_DIMS];
    (void)sorted;
    if (!topk_prepare(&call, self, k, dim, largest, sizes))
        return tn_error_code();
    return tni_sort_into(values, indices, (tn_dims){sizes, self->ndim}, self->dtype, self, sort_compute, &call);
}

/* linalg.c - see linalg.h. */
#include "ops/linalg/linalg.h"

#include <stdatomic.h>
#include <string.h>

#include <tenon/geometry.h>

#include "base/error.h"
#include "base/parallel.h"
#include "base/thread.h"
#include "iterate/limits.h"
#include "iterate/thread_memory.h"
#include "operators_create.h"
#include "ops/copy/copy.h"
#include "ops/result_many.h"

/* ---- checks */

bool tni_linalg_check_dtype(const tn_tensor *tensor, const char *name) {
    if (tensor->dtype == TN_FLOAT32 || tensor->dtype == TN_FLOAT64 || tn_dtype_is_complex(tensor->dtype))
        return true;
    tni_raise(TN_ERROR_DTYPE, "%s is %s; this takes float32, float64, complex64 and complex128: convert it with to", name,
              tni_show_tensor(tensor));
    return false;
}

bool tni_linalg_check_sizes(const tn_tensor *tensor, const char *name, bool square) {
    if (tensor->ndim < 2) {
        tni_raise(TN_ERROR_SHAPE, "%s %s is not a matrix, or a batch of them: it has %d dimension%s", name,
                  tni_show_tensor(tensor), tensor->ndim, tensor->ndim == 1 ? "" : "s");
        return false;
    }
    if (square && tni_linalg_rows(tensor) != tni_linalg_columns(tensor)) {
        tni_raise(TN_ERROR_SHAPE, "the matrices of %s %s are not square: they have %" PRId64 " rows and %" PRId64 " columns",
                  name, tni_show_tensor(tensor), tni_linalg_rows(tensor), tni_linalg_columns(tensor));
        return false;
    }
    return true;
}

bool tni_linalg_check_matrix(const tn_tensor *tensor, const char *name, bool square) {
    return tni_linalg_check_sizes(tensor, name, square) && tni_linalg_check_dtype(tensor, name);
}

bool tni_linalg_check_dtypes(const tn_tensor *a, const char *a_name, const tn_tensor *b, const char *b_name) {
    if (a->dtype == b->dtype)
        return true;
    tni_raise(TN_ERROR_DTYPE, "%s is %s and %s is %s: both must have the same dtype", a_name, tni_show_tensor(a), b_name,
              tni_show_tensor(b));
    return false;
}

bool tni_linalg_check_batch(tni_batch *batch, const tn_tensor *a, int64_t a_skip, const tn_tensor *b, int64_t b_skip) {
    if (tn_geometry_broadcast((tn_dims){a->sizes, a->ndim - a_skip}, (tn_dims){b->sizes, b->ndim - b_skip}, &batch->ndim,
                              batch->sizes, NULL) == TN_GEOMETRY_OK)
        return true;
    tni_raise(TN_ERROR_SHAPE, "the batch dimensions of %s and %s cannot be broadcast with each other", tni_show_tensor(a),
              tni_show_tensor(b));
    return false;
}

void tni_linalg_add_batch(tni_plan *plan, const tni_batch *batch, int64_t rows, int64_t columns, tn_dtype dtype) {
    int64_t sizes[TN_MAX_DIMS + 2], ndim = batch->ndim;
    memcpy(sizes, batch->sizes, (size_t)ndim * sizeof *sizes);
    if (rows != TN_NONE)
        sizes[ndim++] = rows;
    if (columns != TN_NONE)
        sizes[ndim++] = columns;
    plan->beside = true;
    tni_plan_add(plan, ndim, sizes, dtype);
}

void tni_linalg_add(tni_plan *plan, const tn_tensor *like, int64_t rows, int64_t columns, tn_dtype dtype) {
    tni_batch batch = {.ndim = like->ndim - 2};
    memcpy(batch.sizes, like->sizes, (size_t)batch.ndim * sizeof *batch.sizes);
    tni_linalg_add_batch(plan, &batch, rows, columns, dtype);
}

tn_tensor *tni_linalg_eye(const tn_tensor *like, int64_t rows, int64_t columns) {
    tn_tensor *made = tn_empty_device((tn_dims){(int64_t[]){rows, columns}, 2}, like->dtype, tni_tensor_device(like));
    return tn_eye_out(made, rows, columns, like->dtype);
}

tn_tensor *tni_linalg_put(tn_tensor *const *out, const char *const *names, int64_t count, const tn_list *made) {
    tni_result results[TNI_PLAN_RESULTS];
    tni_result_wish wishes[TNI_PLAN_RESULTS];
    tn_error code = TN_OK;
    for (int64_t i = 0; i < count && made; i++) {
        const tn_tensor *part = tn_list_at(made, i);
        if (!part || tni_result_is_recorded(part))
            return NULL;
        wishes[i] = (tni_result_wish){out[i], names[i], {part->sizes, part->ndim}, part->dtype};
    }
    if (!made || !tni_result_begin_many(results, wishes, (int)count, TNI_RESULT_EXACT, NULL, 0))
        return NULL;
    for (int64_t i = 0; i < count && code == TN_OK; i++)
        code = tni_copy_into(results[i].tensor, tn_list_at(made, i), "the result was computed in a temporary");
    return tni_result_end_many(results, (int)count, code) == TN_OK ? out[0] : NULL;
}

/* ---- stacks */

static tni_stack stack_make(const tn_tensor *tensor, const tni_batch *batch, int64_t last) {
    int64_t size = (int64_t)tni_tensor_item_size(tensor), own = tensor->ndim - last;
    tni_stack stack = {.data = (char *)(uintptr_t)tni_tensor_read(tensor), .count = 1, .ndim = batch ? batch->ndim : own};
    if (last == 2)
        stack.row = tensor->strides[own], stack.column = tensor->strides[own + 1];
    else
        stack.row = tensor->strides[own], stack.column = 1;
    for (int64_t d = 0; d < stack.ndim; d++) {
        int64_t mine = d - (stack.ndim - own);
        stack.sizes[d] = batch ? batch->sizes[d] : tensor->sizes[d];
        stack.strides[d] = mine < 0 || tensor->sizes[mine] == 1 ? 0 : tensor->strides[mine] * size;
        stack.count *= stack.sizes[d];
    }
    stack.plain = true;
    for (int64_t d = stack.ndim - 1; d >= 0; d--) { /* merged, from the last on */
        if (stack.sizes[d] == 1)
            continue;
        int64_t inner = 1;
        for (int64_t e = d + 1; e < stack.ndim; e++)
            inner *= stack.sizes[e];
        if (inner == 1)
            stack.step = stack.strides[d];
        else
            stack.plain = stack.plain && stack.strides[d] == stack.step * inner;
    }
    static _Alignas(16) char nothing[16]; /* of matrices without elements; it is not read */
    if (!stack.data)
        stack.data = nothing;
    return stack;
}

tni_stack tni_stack_of(const tn_tensor *tensor, const tni_batch *batch) { return stack_make(tensor, batch, 2); }
tni_stack tni_stack_of_vectors(const tn_tensor *tensor, const tni_batch *batch) { return stack_make(tensor, batch, 1); }

tni_matrix tni_stack_seek(const tni_stack *stack, int64_t i) {
    char *data = stack->data;
    for (int64_t d = stack->ndim - 1; d >= 0; d--) {
        data += i % stack->sizes[d] * stack->strides[d];
        i /= stack->sizes[d];
    }
    return (tni_matrix){data, stack->row, stack->column};
}

int64_t tni_stack_group(const tni_stack *stack, const tni_factor *factor, int64_t g, tni_matrix *matrices) {
    int64_t lanes = tni_lanes_count(factor), first = g * lanes, count = tni_min_i64(lanes, stack->count - first);
    for (int64_t l = 0; l < count; l++)
        matrices[l] = tni_stack_at(stack, first + l);
    return count;
}

void tni_linalg_copy(const tni_factor *factor, int64_t m, int64_t n, tni_matrix from, tni_matrix to) {
    for (int64_t i = 0; i < m; i++)
        for (int64_t j = 0; j < n; j++)
            memcpy(tni_factor_part(factor, to, i, j).data, tni_factor_part(factor, from, i, j).data, factor->size);
}

/* ---- the loop */

typedef struct linalg_loop {
    tni_linalg_body body;
    void *context;
    tni_thread_memory *memory; /* NULL: a little is enough */
    const void *caller;        /* the thread that waits for the loop */
    _Atomic int failed;        /* a tn_error */
} linalg_loop;

static void linalg_some(void *argument, int64_t begin, int64_t end) {
    linalg_loop *loop = argument;
    int64_t set = 0;
    _Alignas(64) char little[LINALG_LITTLE_BYTES];
    void *work = loop->memory ? tni_thread_memory_claim(loop->memory, &set) : little;
    bool done = true;
    for (int64_t i = begin; i < end && done; i++)
        done = loop->body(loop->context, i, work);
    if (loop->memory)
        tni_thread_memory_leave(loop->memory, set);
    if (!done) { /* raised on a thread that nobody asks */
        atomic_store(&loop->failed, (int)tni_failed());
        if (tni_thread_get() != loop->caller)
            tn_error_clear();
    }
}

tn_error tni_linalg_each(int64_t count, double operations, size_t work, tni_linalg_body body, void *context) {
    if (count == 0)
        return TN_OK;
    tni_thread_memory memory;
    linalg_loop loop = {.body = body, .context = context, .caller = tni_thread_get()};
    bool apart = count > 1 && operations < (double)LINALG_ALONE;
    int64_t grain = operations < (double)LINALG_TASK ? (int64_t)((double)LINALG_TASK / (operations + 1)) + 1 : 1;
    if (work > LINALG_LITTLE_BYTES) {
        if (!tni_thread_memory_take(&memory, work, apart ? tni_min_i64((count + grain - 1) / grain, tn_num_threads()) : 1))
            return tni_failed();
        loop.memory = &memory;
    }
    tn_error code = TN_OK;
    if (apart)
        code = tni_parallel_for(count, grain, linalg_some, &loop) ? TN_OK : TN_ERROR_CANCELLED;
    else
        for (int64_t i = 0; i < count && code == TN_OK && !atomic_load(&loop.failed); i++) {
            linalg_some(&loop, i, i + 1);
            code = tni_goes_on() ? TN_OK : TN_ERROR_CANCELLED;
        }
    if (loop.memory)
        tni_thread_memory_give(&memory);
    int failed = atomic_load(&loop.failed);
    if (code == TN_OK && failed == TN_ERROR_MEMORY)
        return tni_raise(TN_ERROR_MEMORY, "there is no memory to factor a matrix of the batch");
    return code == TN_OK ? (tn_error)failed : code;
}

tn_error tni_linalg_each_group(const tni_factor *factor, int64_t count, double operations, size_t work, tni_linalg_body body,
                               void *context) {
    int64_t lanes = tni_lanes_count(factor);
    return tni_linalg_each((count + lanes - 1) / lanes, operations * (double)lanes / 2, work, body, context);
}

/* ---- errors */

tn_error tni_linalg_judge(const tn_tensor *info, tni_linalg_fault fault) {
    const int32_t *values = (const int32_t *)tni_tensor_read(info);
    int64_t i = 0;
    while (i < info->numel && values[i] == 0)
        i++;
    if (i == info->numel)
        return TN_OK;
    char why[128];
    int64_t place[TN_MAX_DIMS], rest = i;
    tni_text text = {why, sizeof why, 0};
    if (fault == TNI_LINALG_SINGULAR)
        tni_text_append(&text, "is singular: its pivot %" PRId32 " is 0", values[i]);
    else if (fault == TNI_LINALG_INDEFINITE)
        tni_text_append(&text, "is not positive definite: its leading minor of order %" PRId32 " is not positive", values[i]);
    else
        tni_text_append(&text, "has values that did not converge: %" PRId32 " of them", values[i]);
    if (info->ndim == 0)
        return tni_raise(TN_ERROR_LINALG, "the matrix %s", why);
    for (int64_t d = info->ndim - 1; d >= 0; d--) {
        place[d] = rest % info->sizes[d];
        rest /= info->sizes[d];
    }
    return tni_raise(TN_ERROR_LINALG, "matrix %s of the batch %s", tni_show_dims(place, info->ndim), why);
}

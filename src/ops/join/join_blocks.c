/* join_blocks.c - tensors put together in patterns: block_diag, cartesian_prod, combinations. */
#include "base/error.h"
#include "base/parallel.h"
#include "base/heap.h"
#include "kernels/table.h"
#include "iterate/promote.h"
#include "operators_join.h"
#include "ops/copy/copy.h"
#include "ops/join/move.h"

/* A block: a vector is a row, a number one element. */
static int64_t block_rows(const tn_tensor *tensor) { return tensor->ndim == 2 ? tensor->sizes[0] : 1; }
static int64_t block_columns(const tn_tensor *tensor) { return tensor->ndim ? tensor->sizes[tensor->ndim - 1] : 1; }

bool tni_plan_block_diag(tni_plan *plan, const tn_tensor *const *tensors, int64_t tensors_count) {
    tni_promotion promotion = {0};
    int64_t sizes[2] = {0, 0};
    for (int64_t i = 0; i < tensors_count; i++) {
        if (tensors[i]->ndim > 2) {
            tni_raise(TN_ERROR_SHAPE, "tensors[%" PRId64 "] must have at most 2 dimensions, it is %s", i,
                      tni_show_tensor(tensors[i]));
            return false;
        }
        if (tni_add_overflows(sizes[0], block_rows(tensors[i]), &sizes[0]) ||
            tni_add_overflows(sizes[1], block_columns(tensors[i]), &sizes[1])) {
            tni_raise(TN_ERROR_SHAPE, "the sizes of the blocks add up to more than 2^63");
            return false;
        }
        tni_promotion_add_tensor(&promotion, tensors[i]->dtype, tensors[i]->ndim);
    }
    tn_dtype dtype = tensors_count ? tni_promotion_result(&promotion) : tn_default_dtype();
    if (dtype == TN_DTYPE_DEFAULT) {
        tni_raise(TN_ERROR_DTYPE, "there is no dtype for all of the tensors; convert one with to");
        return false;
    }
    if (tensors_count == 0) /* as in torch */
        sizes[0] = 1;
    tni_plan_begin_on(plan, tensors_count ? tni_tensor_device(tensors[0]) : TN_DEVICE_CPU);
    tni_plan_add(plan, 2, sizes, dtype);
    return true;
}

tn_error tni_run_block_diag(const tni_plan *plan, tn_tensor *const *results, const tn_tensor *const *tensors,
                            int64_t tensors_count) {
    tn_tensor *result = results[0];
    int64_t row = 0, column = 0;
    (void)plan;
    if (result->numel == 0)
        return TN_OK;
    tn_error code = tni_move_clear(result);
    for (int64_t i = 0; i < tensors_count && code == TN_OK; i++) {
        const tn_tensor *block = tensors[i];
        int64_t rows = block_rows(block), columns = block_columns(block);
        tni_move move;
        tni_move_begin(&move, result, block);
        move.target += (row * result->sizes[1] + column) * (int64_t)tni_tensor_item_size(result);
        tni_move_dim(&move, rows, result->sizes[1], block->ndim == 2 ? block->strides[0] : 0);
        tni_move_dim(&move, columns, 1, block->ndim ? block->strides[block->ndim - 1] : 0);
        code = tni_move_run(&move);
        row += rows;
        column += columns;
    }
    return code;
}

bool tni_plan_cartesian_prod(tni_plan *plan, const tn_tensor *const *tensors, int64_t tensors_count) {
    if (tensors_count < 1) {
        tni_raise(TN_ERROR_ARGUMENT, "tensors is empty: there is nothing to combine");
        return false;
    }
    int64_t sizes[2] = {1, tensors_count};
    bool empty = false;
    for (int64_t i = 0; i < tensors_count; i++) {
        if (tensors[i]->ndim != 1) {
            tni_raise(TN_ERROR_SHAPE, "tensors[%" PRId64 "] must have one dimension, it is %s", i, tni_show_tensor(tensors[i]));
            return false;
        }
        if (tensors[i]->dtype != tensors[0]->dtype) {
            tni_raise(TN_ERROR_DTYPE, "tensors[%" PRId64 "] is %s, tensors[0] is %s: the dtypes must be equal", i,
                      tni_show_tensor(tensors[i]), tni_show_tensor(tensors[0]));
            return false;
        }
        empty |= tensors[i]->numel == 0;
    }
    for (int64_t i = 0; i < tensors_count && !empty; i++)
        if (!tni_move_size(sizes[0], tensors[i]->numel, "the number of combinations", &sizes[0]))
            return false;
    sizes[0] = empty ? 0 : sizes[0];
    tni_plan_begin(plan, tensors[0]);
    tni_plan_add(plan, tensors_count == 1 ? 1 : 2, sizes, tensors[0]->dtype);
    return true;
}

tn_error tni_run_cartesian_prod(const tni_plan *plan, tn_tensor *const *results, const tn_tensor *const *tensors,
                                int64_t tensors_count) {
    tn_tensor *result = results[0];
    (void)plan;
    if (result->numel == 0)
        return TN_OK;
    if (tensors_count == 1)
        return tni_copy_into(result, tensors[0], "the product of one vector is the vector");
    int64_t inner = result->sizes[0];
    tn_error code = TN_OK;
    for (int64_t i = 0; i < tensors_count && code == TN_OK;
         i++) { /* column i: each element `inner` times, and all of that again */
        int64_t size = tensors[i]->numel, period = inner;
        inner /= size;
        tni_move move;
        tni_move_begin(&move, result, tensors[i]);
        move.target += i * (int64_t)tni_tensor_item_size(result);
        tni_move_dim(&move, result->sizes[0] / period, period * tensors_count, 0);
        tni_move_dim(&move, size, inner * tensors_count, tensors[i]->strides[0]);
        tni_move_dim(&move, inner, tensors_count, 0);
        code = tni_move_run(&move);
    }
    return code;
}

/* ---- combinations */

__extension__ typedef unsigned __int128 combination_wide;

/* How many ways there are to choose r of n: false when there are more than 2^63. Exact at each step: a product of k
 * consecutive numbers is divisible by k!. */
static bool combination_count(int64_t n, int64_t r, int64_t *count) {
    *count = r <= n;
    r = tni_min_i64(r, n - r);
    for (int64_t k = 1; k <= r; k++) {
        combination_wide next = (combination_wide)*count * (combination_wide)(n - r + k) / (combination_wide)k;
        if (next > INT64_MAX)
            return false;
        *count = (int64_t)next;
    }
    return true;
}

/* The next choice in lexicographic order: the last position that can still grow does, those after it start over. */
static void combination_advance(int64_t *choice, int64_t r, int64_t n, bool with_replacement) {
    int64_t k = r - 1;
    while (k > 0 && choice[k] == (with_replacement ? n - 1 : n - r + k))
        k--;
    choice[k]++;
    for (int64_t j = k + 1; j < r; j++)
        choice[j] = choice[j - 1] + !with_replacement;
}

static void combination_fill(tn_tensor *result, const tn_tensor *self, int64_t r, bool with_replacement, int64_t *choice) {
    int64_t item = (int64_t)tni_tensor_item_size(self), stride = tni_tensor_step(self, 0);
    tni_strided_function move = tni_kernels()->strided[tni_element_index((size_t)item)];
    char *target = tni_tensor_write(result);
    const char *source = tni_tensor_read(self);
    for (int64_t j = 0; j < r; j++)
        choice[j] = with_replacement ? 0 : j;
    TNI_IN_STEPS_OF (tni_max_i64(TNI_STEP / r, 1), begin, end, result->sizes[0])
        for (int64_t row = begin; row < end; row++) {
            if (row > 0)
                combination_advance(choice, r, self->numel, with_replacement);
            TNI_IN_STEPS (from, to, r)
                for (int64_t j = from; j < to; j++, target += item)
                    move(target, item, source + choice[j] * stride, 0, 1);
        }
}

bool tni_plan_combinations(tni_plan *plan, const tn_tensor *self, int64_t r, bool with_replacement) {
    if (self->ndim != 1) {
        tni_raise(TN_ERROR_SHAPE, "self must have one dimension, it is %s", tni_show_tensor(self));
        return false;
    }
    if (r < 0) {
        tni_raise(TN_ERROR_ARGUMENT, "r = %" PRId64 " must not be negative", r);
        return false;
    }
    int64_t n = self->numel, sizes[2] = {0, r}, of = n;
    if (with_replacement && n > 0 && r > 0 && tni_add_overflows(n, r - 1, &of))
        of = INT64_MAX;
    if (n > 0 && r > 0 && !combination_count(of, r, &sizes[0])) {
        tni_raise(TN_ERROR_SHAPE, "there are more than 2^63 ways to choose %" PRId64 " of %" PRId64, r, n);
        return false;
    }
    tni_plan_begin(plan, self);
    tni_plan_add(plan, r == 0 ? 1 : 2, sizes, self->dtype);
    return true;
}

tn_error tni_run_combinations(const tni_plan *plan, tn_tensor *const *results, const tn_tensor *self, int64_t r,
                              bool with_replacement) {
    (void)plan;
    if (results[0]->numel == 0)
        return TN_OK;
    int64_t *choice = tni_heap_alloc((size_t)r * sizeof *choice);
    if (!choice)
        return tni_failed();
    combination_fill(results[0], self, r, with_replacement, choice);
    tni_heap_free(choice, (size_t)r * sizeof *choice);
    return TN_OK;
}

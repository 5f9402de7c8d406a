/* join_blocks.c - tensors put together in patterns: block_diag, cartesian_prod, combinations. */
#include "base/error.h"
#include "base/heap.h"
#include "dispatch/kernels.h"
#include "iterate/promote.h"
#include "operator_impls.h"
#include "ops/copy.h"
#include "ops/move.h"

/* A block: a vector is a row, a number one element. */
static int64_t block_rows(const tn_tensor *tensor) { return tensor->ndim == 2 ? tensor->sizes[0] : 1; }
static int64_t block_columns(const tn_tensor *tensor) { return tensor->ndim ? tensor->sizes[tensor->ndim - 1] : 1; }

tn_tensor *tni_op_block_diag(const tn_tensor *const *tensors, int64_t tensors_count) {
    tni_promotion promotion = {0};
    int64_t sizes[2] = {0, 0};
    for (int64_t i = 0; i < tensors_count; i++) {
        if (tensors[i]->ndim > 2)
            return tni_raise_null(TN_ERROR_SHAPE, "tensors[%" PRId64 "] must have at most 2 dimensions, it is %s", i,
                                  tni_show_tensor(tensors[i]));
        if (tni_add_overflows(sizes[0], block_rows(tensors[i]), &sizes[0]) ||
            tni_add_overflows(sizes[1], block_columns(tensors[i]), &sizes[1]))
            return tni_raise_null(TN_ERROR_SHAPE, "the sizes of the blocks add up to more than 2^63");
        tni_promotion_add_tensor(&promotion, tensors[i]->dtype, tensors[i]->ndim);
    }
    tn_dtype dtype = tensors_count ? tni_promotion_result(&promotion) : tn_default_dtype();
    if (dtype == TN_DTYPE_DEFAULT)
        return tni_raise_null(TN_ERROR_DTYPE, "there is no dtype for all of the tensors; convert one with to");
    if (tensors_count == 0) /* as torch has it */
        sizes[0] = 1;
    tn_tensor *result = tni_op_zeros((tn_dims){sizes, 2}, dtype);
    if (!result || result->numel == 0)
        return result;
    int64_t row = 0, column = 0;
    for (int64_t i = 0; i < tensors_count; i++) {
        const tn_tensor *block = tensors[i];
        int64_t rows = block_rows(block), columns = block_columns(block);
        tni_move move;
        tni_move_begin(&move, result, block);
        move.target += (row * sizes[1] + column) * (int64_t)tni_tensor_item_size(result);
        tni_move_dim(&move, rows, sizes[1], block->ndim == 2 ? block->strides[0] : 0);
        tni_move_dim(&move, columns, 1, block->ndim ? block->strides[block->ndim - 1] : 0);
        tni_move_run(&move);
        row += rows;
        column += columns;
    }
    return result;
}

tn_tensor *tni_op_cartesian_prod(const tn_tensor *const *tensors, int64_t tensors_count) {
    if (tensors_count < 1)
        return tni_raise_null(TN_ERROR_ARGUMENT, "tensors is empty: there is nothing to combine");
    int64_t sizes[2] = {1, tensors_count};
    bool empty = false;
    for (int64_t i = 0; i < tensors_count; i++) {
        if (tensors[i]->ndim != 1)
            return tni_raise_null(TN_ERROR_SHAPE, "tensors[%" PRId64 "] must have one dimension, it is %s", i,
                                  tni_show_tensor(tensors[i]));
        if (tensors[i]->dtype != tensors[0]->dtype)
            return tni_raise_null(TN_ERROR_DTYPE, "tensors[%" PRId64 "] is %s, tensors[0] is %s: the dtypes must be equal", i,
                                  tni_show_tensor(tensors[i]), tni_show_tensor(tensors[0]));
        empty |= tensors[i]->numel == 0;
    }
    if (tensors_count == 1)
        return tni_clone_contiguous(tensors[0], "the product of one vector is the vector");
    for (int64_t i = 0; i < tensors_count && !empty; i++)
        if (!tni_move_size(sizes[0], tensors[i]->numel, "the number of combinations", &sizes[0]))
            return NULL;
    sizes[0] = empty ? 0 : sizes[0];
    tn_tensor *result = tni_tensor_new(2, sizes, tensors[0]->dtype, TN_DEVICE_CPU);
    if (!result || result->numel == 0)
        return result;
    int64_t inner = sizes[0];
    for (int64_t i = 0; i < tensors_count; i++) { /* column i: each element `inner` times, all of that again and again */
        int64_t size = tensors[i]->numel, period = inner;
        inner /= size;
        tni_move move;
        tni_move_begin(&move, result, tensors[i]);
        move.target += i * (int64_t)tni_tensor_item_size(result);
        tni_move_dim(&move, sizes[0] / period, period * tensors_count, 0);
        tni_move_dim(&move, size, inner * tensors_count, tensors[i]->strides[0]);
        tni_move_dim(&move, inner, tensors_count, 0);
        tni_move_run(&move);
    }
    return result;
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
    int64_t item = (int64_t)tni_tensor_item_size(self), stride = self->strides[0] * item;
    tni_strided_function move = tni_kernels()->strided[tni_element_index((size_t)item)];
    char *target = tni_tensor_write(result);
    const char *source = tni_tensor_read(self);
    for (int64_t j = 0; j < r; j++)
        choice[j] = with_replacement ? 0 : j;
    for (int64_t row = 0; row < result->sizes[0]; row++) {
        if (row > 0)
            combination_advance(choice, r, self->numel, with_replacement);
        for (int64_t j = 0; j < r; j++, target += item)
            move(target, item, source + choice[j] * stride, 0, 1);
    }
}

tn_tensor *tni_op_combinations(const tn_tensor *self, int64_t r, bool with_replacement) {
    if (self->ndim != 1)
        return tni_raise_null(TN_ERROR_SHAPE, "self must have one dimension, it is %s", tni_show_tensor(self));
    if (r < 0)
        return tni_raise_null(TN_ERROR_ARGUMENT, "r = %" PRId64 " must not be negative", r);
    if (r == 0)
        return tni_tensor_new(1, (const int64_t[]){0}, self->dtype, TN_DEVICE_CPU);
    int64_t n = self->numel, sizes[2] = {0, r}, of = n;
    if (with_replacement && n > 0 && tni_add_overflows(n, r - 1, &of))
        of = INT64_MAX;
    if (n > 0 && !combination_count(of, r, &sizes[0]))
        return tni_raise_null(TN_ERROR_SHAPE, "there are more than 2^63 ways to choose %" PRId64 " of %" PRId64, r, n);
    tn_tensor *result = tni_tensor_new(2, sizes, self->dtype, TN_DEVICE_CPU);
    if (!result || result->numel == 0)
        return result;
    int64_t *choice = tni_heap_alloc((size_t)r * sizeof *choice);
    if (choice) {
        combination_fill(result, self, r, with_replacement, choice);
        tni_heap_free(choice, (size_t)r * sizeof *choice);
        return result;
    }
    tni_tensor_release(result);
    return NULL;
}

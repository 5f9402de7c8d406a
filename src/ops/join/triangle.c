/* triangle.c - parts of matrices on one side of a diagonal: tril, triu and their indices; and diagonals as tensors: diag,
 * diag_embed, diagflat.
 *
 * A triangle is worked on row by row: some elements from the row's beginning or end are kept, the others become 0, which is
 * all bits 0 in every dtype. A matrix whose columns are closer together than its rows is worked on as its transpose, with the
 * other triangle.
 */
#include "base/error.h"
#include "base/parallel.h"
#include "kernels/table.h"
#include "operators_move.h"
#include "operators_view.h"
#include "operators_view_copies.h"
#include "ops/join/move.h"
#include "ops/result.h"
#include "ops/limits.h"

/* Bytes of a row between two questions whether to go on: whole lines of the cache. */
enum { TRIANGLE_STEP = 16 * TNI_STEP };
_Static_assert(TRIANGLE_STEP % 64 == 0, "whole lines");

typedef struct triangle_job {
    const tn_tensor *result;
    char *target;
    int64_t row, column; /* the dimensions that rows and columns are          */
    int64_t item, diagonal;
    bool upper;
    const char *source; /* NULL: kept elements are already there             */
    const int64_t *source_strides;
    tni_strided_function move;
    bool around; /* rows are contiguous and are written around the caches */
} triangle_job;

static int64_t triangle_clamp(int64_t value, int64_t most) { return tni_max_i64(0, tni_min_i64(value, most)); }

static void triangle_move(const triangle_job *job, char *target, int64_t target_stride, const char *source,
                          int64_t source_stride, int64_t count) {
    TNI_IN_STEPS (begin, end, count)
        if (target_stride == job->item && source_stride == job->item)
            memcpy(target + begin * job->item, source + begin * job->item, (size_t)((end - begin) * job->item));
        else
            job->move(target + begin * target_stride, target_stride, source + begin * source_stride, source_stride,
                      end - begin);
}

/* A row around the caches: a run that is copied or, from a block that stays in the first of them, cleared. */
static void triangle_stream(char *target, const char *source, int64_t bytes) {
    _Alignas(64) static const char zeros[TRIANGLE_ZEROS] = {0};
    tni_stream stream = {.target = target, .source = source ? source : zeros, .bytes = bytes, .rows = 1, .unordered = true};
    if (!source) {
        stream.bytes = stream.target_pitch = TRIANGLE_ZEROS;
        stream.rows = bytes / TRIANGLE_ZEROS;
        memset(target + stream.rows * TRIANGLE_ZEROS, 0, (size_t)(bytes % TRIANGLE_ZEROS));
    }
    tni_kernels()->stream[0](&stream);
}

static void triangle_run(void *argument, int64_t begin, int64_t end) {
    static const char zero[16] = {0};
    const triangle_job *job = argument;
    const tn_tensor *result = job->result;
    int64_t rows = result->sizes[job->row], columns = result->sizes[job->column];
    int64_t step = tni_tensor_step(result, job->column);
    int64_t source_step = job->source && columns > 1 ? job->source_strides[job->column] * job->item : 0;
    for (int64_t n = begin; n < end; n++) {
        int64_t i = n % rows, rest = n / rows, offset = i * result->strides[job->row];
        int64_t source_offset = job->source ? i * job->source_strides[job->row] : 0;
        for (int64_t d = result->ndim - 1; d >= 0; d--) { /* the position among the matrices */
            if (d == job->row || d == job->column)
                continue;
            offset += rest % result->sizes[d] * result->strides[d];
            source_offset += job->source ? rest % result->sizes[d] * job->source_strides[d] : 0;
            rest /= result->sizes[d];
        }
        char *target = job->target + offset * job->item;
        /* lower: columns below i + diagonal + 1 are kept; upper: those from i + diagonal on */
        int64_t cut = triangle_clamp(i + job->diagonal + !job->upper, columns);
        int64_t kept = job->upper ? cut : 0, kept_count = job->upper ? columns - cut : cut;
        int64_t cleared = job->upper ? 0 : cut, cleared_count = columns - kept_count;
        if (job->around) {
            const char *source = job->source + source_offset * job->item + kept * step;
            TNI_IN_STEPS_OF (TRIANGLE_STEP, first, last, kept_count * step)
                triangle_stream(target + kept * step + first, source + first, last - first);
            TNI_IN_STEPS_OF (TRIANGLE_STEP, first, last, cleared_count * step)
                triangle_stream(target + cleared * step + first, NULL, last - first);
            continue;
        }
        if (job->source)
            triangle_move(job, target + kept * step, step, job->source + source_offset * job->item + kept * source_step,
                          source_step, kept_count);
        if (step == job->item)
            tni_clear_in_steps(target + cleared * step, (size_t)(cleared_count * job->item));
        else
            triangle_move(job, target + cleared * step, step, zero, 0, cleared_count);
    }
    if (job->around)
        tni_kernels()->stream[0](&(tni_stream){.rows = 0});
}

static int64_t triangle_distance(int64_t stride) { return stride < 0 ? -stride : stride; }

/* `result` has been prepared for writing; `source`, of the same sizes and dtype, does not overlap it, or is NULL. */
static void triangle_write(tn_tensor *result, const tn_tensor *source, int64_t diagonal, bool upper) {
    if (result->numel == 0)
        return;
    int64_t row = result->ndim - 2, column = result->ndim - 1;
    bool swapped = result->sizes[row] > 1 &&
                   triangle_distance(tni_tensor_step(result, column)) > triangle_distance(tni_tensor_step(result, row));
    int64_t most = tni_max_i64(result->sizes[row], result->sizes[column]); /* beyond it nothing changes */
    diagonal = tni_max_i64(-most, tni_min_i64(diagonal, most));
    triangle_job job = {.result = result,
                        .target = tni_tensor_write(result),
                        .row = swapped ? column : row,
                        .column = swapped ? row : column,
                        .item = (int64_t)tni_tensor_item_size(result),
                        .diagonal = swapped ? -diagonal : diagonal,
                        .upper = upper != swapped};
    job.move = tni_kernels()->strided[tni_element_index((size_t)job.item)];
    bool apart = source && source->sizes[job.column] > 1 && triangle_distance(source->strides[job.column]) > 1;
    if (apart) { /* the copy engine reads such a source in tiles; the rest is cleared afterwards */
        tni_copy copy = {.ndim = result->ndim,
                         .sizes = result->sizes,
                         .target = job.target,
                         .target_strides = result->strides,
                         .target_dtype = result->dtype,
                         .source = tni_tensor_read(source),
                         .source_strides = source->strides,
                         .source_dtype = source->dtype};
        tni_copy_elements(&copy);
    } else if (source) {
        job.source = tni_tensor_read(source);
        job.source_strides = source->strides;
        job.around = tni_tensor_step(result, job.column) == job.item && tni_tensor_step(source, job.column) == job.item &&
                     tni_copy_is_beyond_caches(result->numel, job.item, job.item);
    }
    int64_t columns = result->sizes[job.column];
    tni_parallel_for(result->numel / columns, tni_max_i64(1, TRIANGLE_PIECE / (columns * job.item)), triangle_run, &job);
}

static bool triangle_is_matrix(const tn_tensor *self) {
    if (self->ndim >= 2)
        return true;
    tni_raise(TN_ERROR_SHAPE, "self must have at least 2 dimensions, it is %s", tni_show_tensor(self));
    return false;
}

static bool triangle_plan(tni_plan *plan, const tn_tensor *self) {
    tni_plan_begin(plan, self);
    tni_plan_add(plan, self->ndim, self->sizes, self->dtype);
    plan->over_first = true;
    return triangle_is_matrix(self);
}

/* What is already there is not moved. */
static tn_error triangle_into(tn_tensor *result, const tn_tensor *self, int64_t diagonal, bool upper) {
    triangle_write(result, result == self ? NULL : self, diagonal, upper);
    return TN_OK;
}

bool tni_plan_tril(tni_plan *plan, const tn_tensor *self, int64_t diagonal) {
    (void)diagonal;
    return triangle_plan(plan, self);
}
tn_error tni_run_tril(const tni_plan *plan, tn_tensor *const *results, const tn_tensor *self, int64_t diagonal) {
    (void)plan;
    return triangle_into(results[0], self, diagonal, false);
}

bool tni_plan_triu(tni_plan *plan, const tn_tensor *self, int64_t diagonal) {
    (void)diagonal;
    return triangle_plan(plan, self);
}
tn_error tni_run_triu(const tni_plan *plan, tn_tensor *const *results, const tn_tensor *self, int64_t diagonal) {
    (void)plan;
    return triangle_into(results[0], self, diagonal, true);
}

/* ---- the indices of a triangle */

/* Row i has the columns from `first` up to, not including, `end`. */
typedef struct triangle_range {
    int64_t first, end;
} triangle_range;

static triangle_range triangle_columns(int64_t i, int64_t col, int64_t offset, bool upper) {
    int64_t cut;
    if (tni_add_overflows(i, offset, &cut))
        cut = INT64_MAX;
    if (upper)
        return (triangle_range){triangle_clamp(cut, col), col};
    return (triangle_range){0, cut < 0 ? 0 : triangle_clamp(cut, col - 1) + (col > 0)};
}

/* The rows that have columns. */
static triangle_range triangle_rows(int64_t row, int64_t col, int64_t offset, bool upper) {
    int64_t edge;
    if (tni_sub_overflows(upper ? col : 0, offset, &edge)) /* only where offset is negative */
        edge = INT64_MAX;
    if (col == 0)
        return (triangle_range){0, 0};
    return upper ? (triangle_range){0, triangle_clamp(edge, row)} : (triangle_range){triangle_clamp(edge, row), row};
}

/* How many elements these rows have; -1 for more than 2^61. Rows are whole, or each is one longer or shorter than the last. */
static int64_t triangle_count(triangle_range rows, int64_t col, int64_t offset, bool upper) {
    int64_t edge, many = rows.end - rows.first;
    if (many <= 0)
        return 0;
    if (tni_sub_overflows(upper ? 0 : col - 1, offset, &edge))
        edge = INT64_MAX;
    edge = tni_max_i64(triangle_clamp(edge, rows.end), rows.first);
    int64_t partial = upper ? rows.end - edge : edge - rows.first;
    int64_t width[2] = {0, 0}; /* of the first and the last row that is not whole */
    for (int k = 0; k < 2 && partial > 0; k++) {
        int64_t i = upper ? (k ? rows.end - 1 : edge) : (k ? edge - 1 : rows.first);
        triangle_range range = triangle_columns(i, col, offset, upper);
        width[k] = range.end - range.first;
    }
    double whole = (double)(many - partial) * (double)col;
    if (whole + (double)partial * ((double)width[0] + (double)width[1]) / 2 > 0x1p61)
        return -1;
    return (many - partial) * col + partial * (width[0] + width[1]) / 2;
}

static bool triangle_indices_plan(tni_plan *plan, int64_t row, int64_t col, int64_t offset, tn_dtype dtype, bool upper) {
    dtype = dtype == TN_DTYPE_DEFAULT ? TN_INT64 : dtype;
    tn_error code = TN_OK;
    if (row < 0 || col < 0)
        code = tni_raise(TN_ERROR_ARGUMENT, "row = %" PRId64 " and col = %" PRId64 " must not be negative", row, col);
    else if (dtype != TN_INT64 && dtype != TN_INT32)
        code = tni_raise(TN_ERROR_DTYPE, "indices are int64 or int32, not %s", tn_dtype_name(dtype));
    else if (dtype == TN_INT32 && (row > INT32_MAX || col > INT32_MAX))
        code = tni_raise(TN_ERROR_DTYPE, "int32 cannot hold the indices of %" PRId64 " by %" PRId64, row, col);
    if (code != TN_OK)
        return false;
    int64_t count = triangle_count(triangle_rows(row, col, offset, upper), col, offset, upper);
    if (count < 0) {
        tni_raise(TN_ERROR_SHAPE, "a triangle of %" PRId64 " by %" PRId64 " has more than 2^61 elements", row, col);
        return false;
    }
    tni_plan_begin_on(plan, TN_DEVICE_CPU);
    tni_plan_add(plan, 2, (const int64_t[]){2, count}, dtype);
    return true;
}

static tn_error triangle_indices(tn_tensor *result, int64_t row, int64_t col, int64_t offset, bool upper) {
    triangle_range rows = triangle_rows(row, col, offset, upper);
    char *target = tni_tensor_write(result);
    int64_t at = 0, ask = TNI_STEP, count = result->sizes[1];
    for (int64_t i = rows.first; i < rows.end; i++) {
        triangle_range range = triangle_columns(i, col, offset, upper);
        if (at >= ask) {
            ask = at + TNI_STEP;
            if (!tni_goes_on())
                break;
        }
        TNI_IN_STEPS (begin, end, range.end - range.first)
            for (int64_t j = range.first + begin; j < range.first + end; j++, at++)
                if (result->dtype == TN_INT64) {
                    ((int64_t *)(void *)target)[at] = i;
                    ((int64_t *)(void *)target)[count + at] = j;
                } else {
                    ((int32_t *)(void *)target)[at] = (int32_t)i;
                    ((int32_t *)(void *)target)[count + at] = (int32_t)j;
                }
    }
    return TN_OK;
}

bool tni_plan_tril_indices(tni_plan *plan, int64_t row, int64_t col, int64_t offset, tn_dtype dtype) {
    return triangle_indices_plan(plan, row, col, offset, dtype, false);
}
tn_error tni_run_tril_indices(const tni_plan *plan, tn_tensor *const *results, int64_t row, int64_t col, int64_t offset,
                              tn_dtype dtype) {
    (void)plan, (void)dtype;
    return triangle_indices(results[0], row, col, offset, false);
}

bool tni_plan_triu_indices(tni_plan *plan, int64_t row, int64_t col, int64_t offset, tn_dtype dtype) {
    return triangle_indices_plan(plan, row, col, offset, dtype, true);
}
tn_error tni_run_triu_indices(const tni_plan *plan, tn_tensor *const *results, int64_t row, int64_t col, int64_t offset,
                              tn_dtype dtype) {
    (void)plan, (void)dtype;
    return triangle_indices(results[0], row, col, offset, true);
}

/* ---- diagonals */

bool tni_plan_diag_embed(tni_plan *plan, const tn_tensor *self, int64_t offset, int64_t dim1, int64_t dim2) {
    int64_t ndim = self->ndim + 1, first, second, sizes[TN_MAX_DIMS], side;
    if (ndim > TN_MAX_DIMS) {
        tni_raise(TN_ERROR_SHAPE, "self %s has no room for one more dimension", tni_show_tensor(self));
        return false;
    }
    if (!tni_wrap_dim(dim1, ndim, "dim1", &first) || !tni_wrap_dim(dim2, ndim, "dim2", &second))
        return false;
    if (first == second || self->ndim == 0) {
        tni_raise(TN_ERROR_ARGUMENT, "dim1 = %" PRId64 " and dim2 = %" PRId64 " must be two dimensions of a result of %" PRId64,
                  dim1, dim2, ndim);
        return false;
    }
    int64_t length = self->sizes[self->ndim - 1];
    if (offset == INT64_MIN || tni_add_overflows(length, offset < 0 ? -offset : offset, &side)) {
        tni_raise(TN_ERROR_SHAPE, "offset = %" PRId64 " is too large", offset);
        return false;
    }
    for (int64_t d = 0, from = 0; d < ndim; d++)
        sizes[d] = d == first || d == second ? side : self->sizes[from++];
    tni_plan_begin(plan, self);
    tni_plan_add(plan, ndim, sizes, self->dtype);
    plan->number[0] = first;
    plan->number[1] = second;
    return true;
}

tn_error tni_run_diag_embed(const tni_plan *plan, tn_tensor *const *results, const tn_tensor *self, int64_t offset,
                            int64_t dim1, int64_t dim2) {
    tn_tensor *result = results[0];
    int64_t first = plan->number[0], second = plan->number[1];
    (void)dim1, (void)dim2;
    tn_error code = tni_move_clear(result);
    if (code != TN_OK || self->numel == 0)
        return code;
    tni_move move;
    tni_move_begin(&move, result, self);
    move.target += (offset < 0 ? -offset * result->strides[first] : offset * result->strides[second]) *
                   (int64_t)tni_tensor_item_size(result);
    for (int64_t d = 0, from = 0; d < result->ndim; d++)
        if (d != first && d != second) {
            tni_move_dim(&move, result->sizes[d], result->strides[d], self->strides[from]);
            from++;
        }
    tni_move_dim(&move, self->sizes[self->ndim - 1], result->strides[first] + result->strides[second],
                 self->strides[self->ndim - 1]);
    return tni_move_run(&move);
}

tn_tensor *tni_composite_diag(const tn_tensor *self, int64_t diagonal) {
    if (self->ndim == 1)
        return tn_diag_embed(self, diagonal, 0, 1);
    if (self->ndim == 2)
        return tn_diagonal_copy(self, diagonal, 0, 1);
    return tni_raise_null(TN_ERROR_SHAPE, "self must have 1 or 2 dimensions, it is %s", tni_show_tensor(self));
}

tn_tensor *tni_composite_diag_out(tn_tensor *out, const tn_tensor *self, int64_t diagonal) {
    return tni_result_put(out, tni_composite_diag(self, diagonal), TNI_RESULT_EXACT);
}

tn_tensor *tni_composite_diagflat(const tn_tensor *self, int64_t offset) {
    return tn_diag_embed(tn_reshape(self, (tn_dims){(const int64_t[]){-1}, 1}), offset, 0, 1);
}

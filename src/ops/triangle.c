/* triangle.c - parts of matrices on one side of a diagonal: tril, triu and their indices; and diagonals as tensors: diag,
 * diag_embed, diagflat.
 *
 * A triangle is worked on row by row: some elements from the row's beginning or end are kept, the others become 0, which is
 * all bits 0 in every dtype. A matrix whose columns are closer together than its rows is worked on as its transpose, the
 * other triangle of it.
 */
#include "base/error.h"
#include "base/parallel.h"
#include "dispatch/kernels.h"
#include "operator_impls.h"
#include "ops/copy.h"
#include "ops/move.h"
#include "ops/result.h"

typedef struct triangle_job {
    const tn_tensor *result;
    char *target;
    int64_t row, column; /* the dimensions that rows and columns are          */
    int64_t item, diagonal;
    bool upper;
    const char *source; /* NULL: kept elements are there already             */
    const int64_t *source_strides;
    tni_strided_function move;
    bool around; /* rows lie in memory as they are written, around the caches */
} triangle_job;

enum {
    TRIANGLE_PIECE = 256 << 10, /* bytes of the result that are worth handing to another thread */
    TRIANGLE_ZEROS = 512        /* of a block that others are cleared from                      */
};

static int64_t triangle_clamp(int64_t value, int64_t most) { return tni_max_i64(0, tni_min_i64(value, most)); }

static void triangle_move(const triangle_job *job, char *target, int64_t target_stride, const char *source,
                          int64_t source_stride, int64_t count) {
    if (count <= 0)
        return;
    if (target_stride == job->item && source_stride == job->item)
        memcpy(target, source, (size_t)(count * job->item));
    else
        job->move(target, target_stride, source, source_stride, count);
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
    int64_t step = result->strides[job->column] * job->item;
    int64_t source_step = job->source ? job->source_strides[job->column] * job->item : 0;
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
            triangle_stream(target + kept * step, job->source + source_offset * job->item + kept * step, kept_count * step);
            triangle_stream(target + cleared * step, NULL, cleared_count * step);
            continue;
        }
        if (job->source)
            triangle_move(job, target + kept * step, step, job->source + source_offset * job->item + kept * source_step,
                          source_step, kept_count);
        if (step == job->item)
            memset(target + cleared * step, 0, (size_t)(cleared_count * job->item));
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
    bool swapped = triangle_distance(result->strides[column]) > triangle_distance(result->strides[row]);
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
        job.around = result->strides[job.column] == 1 && source->strides[job.column] == 1 &&
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

static tn_tensor *triangle_new(const tn_tensor *self, int64_t diagonal, bool upper) {
    if (!triangle_is_matrix(self))
        return NULL;
    tn_tensor *result = tni_tensor_new(self->ndim, self->sizes, self->dtype, TN_DEVICE_CPU);
    if (result)
        triangle_write(result, self, diagonal, upper);
    return result;
}

static tn_error triangle_in_place(tn_tensor *self, int64_t diagonal, bool upper) {
    tni_result result;
    if (!triangle_is_matrix(self) ||
        !tni_result_begin(&result, self, (tn_dims){self->sizes, self->ndim}, self->dtype, TNI_RESULT_EXACT, NULL, 0))
        return tn_error_code();
    triangle_write(self, NULL, diagonal, upper);
    return tni_result_end(&result, TN_OK);
}

static tn_error triangle_into(tn_tensor *out, const tn_tensor *self, int64_t diagonal, bool upper) {
    if (out == self)
        return triangle_in_place(out, diagonal, upper);
    tni_result result;
    if (!triangle_is_matrix(self) ||
        !tni_result_begin(&result, out, (tn_dims){self->sizes, self->ndim}, self->dtype, TNI_RESULT_EXACT, &self, 1))
        return tn_error_code();
    triangle_write(result.tensor, self, diagonal, upper);
    return tni_result_end(&result, TN_OK);
}

tn_tensor *tni_op_tril(const tn_tensor *self, int64_t diagonal) { return triangle_new(self, diagonal, false); }
tn_tensor *tni_op_triu(const tn_tensor *self, int64_t diagonal) { return triangle_new(self, diagonal, true); }
tn_error tni_op_tril_(tn_tensor *self, int64_t diagonal) { return triangle_in_place(self, diagonal, false); }
tn_error tni_op_triu_(tn_tensor *self, int64_t diagonal) { return triangle_in_place(self, diagonal, true); }
tn_error tni_op_tril_out(tn_tensor *out, const tn_tensor *self, int64_t diagonal) {
    return triangle_into(out, self, diagonal, false);
}
tn_error tni_op_triu_out(tn_tensor *out, const tn_tensor *self, int64_t diagonal) {
    return triangle_into(out, self, diagonal, true);
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

static tn_tensor *triangle_indices(int64_t row, int64_t col, int64_t offset, tn_dtype dtype, bool upper) {
    if (row < 0 || col < 0)
        return tni_raise_null(TN_ERROR_ARGUMENT, "row = %" PRId64 " and col = %" PRId64 " must not be negative", row, col);
    dtype = dtype == TN_DTYPE_DEFAULT ? TN_INT64 : dtype;
    if (dtype != TN_INT64 && dtype != TN_INT32)
        return tni_raise_null(TN_ERROR_DTYPE, "indices are int64 or int32, not %s", tn_dtype_name(dtype));
    if (dtype == TN_INT32 && (row > INT32_MAX || col > INT32_MAX))
        return tni_raise_null(TN_ERROR_DTYPE, "int32 cannot hold the indices of %" PRId64 " by %" PRId64, row, col);
    triangle_range rows = triangle_rows(row, col, offset, upper);
    int64_t sizes[2] = {2, triangle_count(rows, col, offset, upper)};
    if (sizes[1] < 0)
        return tni_raise_null(TN_ERROR_SHAPE, "a triangle of %" PRId64 " by %" PRId64 " has more than 2^61 elements", row, col);
    tn_tensor *result = tni_tensor_new(2, sizes, dtype, TN_DEVICE_CPU);
    if (!result || result->numel == 0)
        return result;
    char *target = tni_tensor_write(result);
    int64_t at = 0;
    for (int64_t i = rows.first; i < rows.end; i++) {
        triangle_range range = triangle_columns(i, col, offset, upper);
        for (int64_t j = range.first; j < range.end; j++, at++)
            if (dtype == TN_INT64) {
                ((int64_t *)(void *)target)[at] = i;
                ((int64_t *)(void *)target)[sizes[1] + at] = j;
            } else {
                ((int32_t *)(void *)target)[at] = (int32_t)i;
                ((int32_t *)(void *)target)[sizes[1] + at] = (int32_t)j;
            }
    }
    return result;
}

tn_tensor *tni_op_tril_indices(int64_t row, int64_t col, int64_t offset, tn_dtype dtype) {
    return triangle_indices(row, col, offset, dtype, false);
}

tn_tensor *tni_op_triu_indices(int64_t row, int64_t col, int64_t offset, tn_dtype dtype) {
    return triangle_indices(row, col, offset, dtype, true);
}

/* ---- diagonals */

tn_tensor *tni_op_diag_embed(const tn_tensor *self, int64_t offset, int64_t dim1, int64_t dim2) {
    int64_t ndim = self->ndim + 1, first, second, sizes[TN_MAX_DIMS], side;
    if (ndim > TN_MAX_DIMS)
        return tni_raise_null(TN_ERROR_SHAPE, "self %s has no room for one more dimension", tni_show_tensor(self));
    if (!tni_wrap_dim(dim1, ndim, "dim1", &first) || !tni_wrap_dim(dim2, ndim, "dim2", &second))
        return NULL;
    if (first == second || self->ndim == 0)
        return tni_raise_null(TN_ERROR_ARGUMENT,
                              "dim1 = %" PRId64 " and dim2 = %" PRId64 " must be two dimensions of a result of %" PRId64, dim1,
                              dim2, ndim);
    int64_t length = self->sizes[self->ndim - 1];
    if (offset == INT64_MIN || tni_add_overflows(length, offset < 0 ? -offset : offset, &side))
        return tni_raise_null(TN_ERROR_SHAPE, "offset = %" PRId64 " is too large", offset);
    for (int64_t d = 0, from = 0; d < ndim; d++)
        sizes[d] = d == first || d == second ? side : self->sizes[from++];
    tn_tensor *result = tni_op_zeros((tn_dims){sizes, ndim}, self->dtype);
    if (!result || self->numel == 0)
        return result;
    tni_move move;
    tni_move_begin(&move, result, self);
    move.target += (offset < 0 ? -offset * result->strides[first] : offset * result->strides[second]) *
                   (int64_t)tni_tensor_item_size(result);
    for (int64_t d = 0, from = 0; d < ndim; d++)
        if (d != first && d != second) {
            tni_move_dim(&move, sizes[d], result->strides[d], self->strides[from]);
            from++;
        }
    tni_move_dim(&move, length, result->strides[first] + result->strides[second], self->strides[self->ndim - 1]);
    tni_move_run(&move);
    return result;
}

tn_tensor *tni_op_diag(const tn_tensor *self, int64_t diagonal) {
    if (self->ndim == 1)
        return tni_op_diag_embed(self, diagonal, 0, 1);
    if (self->ndim != 2)
        return tni_raise_null(TN_ERROR_SHAPE, "self must have 1 or 2 dimensions, it is %s", tni_show_tensor(self));
    tn_tensor *view = tni_op_diagonal(self, diagonal, 0, 1);
    tn_tensor *result = view ? tni_clone_contiguous(view, "diag gives a copy of the diagonal") : NULL;
    tni_tensor_release(view);
    return result;
}

tn_error tni_op_diag_out(tn_tensor *out, const tn_tensor *self, int64_t diagonal) {
    return tni_result_move(out, tni_op_diag(self, diagonal), TNI_RESULT_EXACT);
}

tn_tensor *tni_op_diagflat(const tn_tensor *self, int64_t offset) {
    tn_tensor *flat = tni_op_reshape(self, (tn_dims){(const int64_t[]){-1}, 1});
    tn_tensor *result = flat ? tni_op_diag_embed(flat, offset, 0, 1) : NULL;
    tni_tensor_release(flat);
    return result;
}

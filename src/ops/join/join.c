/* join.c - several tensors become one: cat and stack, and the other stacks, which are one of these two with the tensors seen in
 * another shape.
 *
 * Every input is copied once, straight to its place in the result, with conversion where the dtypes differ. For stack nothing
 * is made on the way: how an input is seen (join_see) is only sizes and strides.
 *
 * Invariant: all inputs have been checked before the result is touched.
 */
#include "base/error.h"
#include "base/heap.h"
#include "iterate/promote.h"
#include "operators_join.h"
#include "operators_view.h"
#include "ops/join/interleave.h"
#include "ops/join/move.h"
#include "ops/limits.h"
#include "ops/result.h"
#include "operators_join.h"

typedef struct join_piece {
    int64_t ndim;
    const int64_t *sizes, *strides; /* the tensor's own, or in `made` */
    int64_t made[2 * TN_MAX_DIMS];
} join_piece;

typedef struct join_call {
    const tn_tensor *const *tensors;
    int64_t count, dim;
    bool stacks; /* each gets a new dimension, of size 1, along which is joined */
} join_call;

static void join_put(join_piece *piece, int64_t size, int64_t stride) {
    piece->made[piece->ndim] = size;
    piece->made[TN_MAX_DIMS + piece->ndim++] = stride;
}

/* How an input is seen before it is joined. The rank must have been checked: a new dimension needs room for one more. */
static void join_see(const join_call *join, const tn_tensor *tensor, join_piece *piece) {
    piece->ndim = tensor->ndim; /* one by one: the room for new ones is large, and mostly unused */
    piece->sizes = tensor->sizes;
    piece->strides = tensor->strides;
    if (!join->stacks)
        return;
    piece->sizes = piece->made;
    piece->strides = piece->made + TN_MAX_DIMS;
    piece->ndim = 0;
    for (int64_t d = 0; d <= tensor->ndim; d++) {
        if (d == join->dim)
            join_put(piece, 1, 0);
        if (d < tensor->ndim)
            join_put(piece, tensor->sizes[d], tensor->strides[d]);
    }
}

/* torch's old habit, which programs rely on: an empty vector fits everywhere and adds nothing. */
static bool join_is_skipped(const join_piece *piece) { return piece->ndim == 1 && piece->sizes[0] == 0; }

static bool join_start(join_call *join, const join_piece *piece, tni_plan_result *result) {
    if (!join->stacks && !tni_wrap_dim(join->dim, piece->ndim, "dim", &join->dim))
        return false;
    result->ndim = piece->ndim;
    for (int64_t d = 0; d < piece->ndim; d++)
        result->sizes[d] = piece->sizes[d];
    return true;
}

static bool join_do_not_fit(const join_call *join, int64_t first, int64_t number) {
    tni_raise(TN_ERROR_SHAPE, "tensors[%" PRId64 "] %s and tensors[%" PRId64 "] %s cannot be joined: %s", first,
              tni_show_tensor(join->tensors[first]), number, tni_show_tensor(join->tensors[number]),
              join->stacks ? "their sizes must be the same" : "their sizes may differ only in the dimension that is joined");
    return false;
}

static bool join_add(const join_call *join, const join_piece *piece, int64_t number, int64_t first, tni_plan_result *result) {
    bool fits = piece->ndim == result->ndim;
    for (int64_t d = 0; fits && d < result->ndim; d++)
        fits = d == join->dim || piece->sizes[d] == result->sizes[d];
    if (!fits)
        return join_do_not_fit(join, first, number);
    if (!tni_add_overflows(result->sizes[join->dim], piece->sizes[join->dim], &result->sizes[join->dim]))
        return true;
    tni_raise(TN_ERROR_SHAPE, "the sizes along dimension %" PRId64 " add up to more than 2^63", join->dim);
    return false;
}

static bool join_find_dtype(const join_call *join, tni_plan_result *result) {
    result->dtype = join->tensors[0]->dtype;
    for (int64_t i = 1; i < join->count; i++) {
        if (join->tensors[i]->dtype == (uint8_t)result->dtype)
            continue;
        tn_dtype before = result->dtype;
        result->dtype = tni_promote(before, join->tensors[i]->dtype);
        if (result->dtype == TN_DTYPE_DEFAULT) {
            tni_raise(TN_ERROR_DTYPE, "tensors[%" PRId64 "] is %s, those before it are %s: there is no dtype for both", i,
                      tni_show_tensor(join->tensors[i]), tn_dtype_name(before));
            return false;
        }
    }
    return true;
}

/* In memory a new dimension is part of the one after it: a stack of images in channels last stays channels last. */
static bool join_stacked_strides(const join_call *join, tni_plan_result *result) {
    int64_t numel, sizes[TN_MAX_DIMS], *strides = result->strides, dim = join->dim;
    if (dim >= result->ndim - 1 || tn_geometry_numel(result->ndim, result->sizes, &numel) != TN_GEOMETRY_OK)
        return false;
    for (int64_t d = 0; d < result->ndim - 1; d++)
        sizes[d] = result->sizes[d < dim ? d : d + 1];
    int64_t size = sizes[dim];
    sizes[dim] *= join->count;
    tn_geometry_channels_last_strides(result->ndim - 1, sizes, strides);
    memmove(strides + dim + 1, strides + dim, (size_t)(result->ndim - 1 - dim) * sizeof *strides);
    strides[dim] = size * strides[dim + 1];
    return true;
}

static bool join_channels_last_strides(tni_plan_result *result) {
    int64_t numel;
    return tn_geometry_numel(result->ndim, result->sizes, &numel) == TN_GEOMETRY_OK &&
           tn_geometry_channels_last_strides(result->ndim, result->sizes, result->strides) == TN_GEOMETRY_OK;
}

/* Whether there is room for one more dimension, and where it goes. */
static bool join_new_dim(join_call *join) {
    const tn_tensor *first = join->tensors[0];
    if (first->ndim < TN_MAX_DIMS)
        return tni_wrap_dim(join->dim, first->ndim + 1, "dim", &join->dim);
    tni_raise(TN_ERROR_SHAPE, "tensors[0] %s has no room for one more dimension", tni_show_tensor(first));
    return false;
}

/* The sizes and the dtype of the result. */
static bool join_all(join_call *join, tni_plan_result *result, bool *channels_last) {
    int64_t first = -1;
    for (int64_t i = 0; i < join->count; i++) {
        join_piece piece;
        const tn_tensor *tensor = join->tensors[i];
        *channels_last = *channels_last && tensor->ndim > 3 && tni_suggests_channels_last(tensor);
        if (join->stacks && tensor->ndim != join->tensors[0]->ndim) /* join_see could have no room for it */
            return join_do_not_fit(join, 0, i);
        join_see(join, tensor, &piece);
        if (piece.ndim == 0) {
            tni_raise(TN_ERROR_SHAPE, "tensors[%" PRId64 "] has no dimensions; stack joins such tensors", i);
            return false;
        }
        if (join_is_skipped(&piece))
            continue;
        if (first < 0 ? !join_start(join, &piece, result) : !join_add(join, &piece, i, first, result))
            return false;
        first = first < 0 ? i : first;
    }
    return join_find_dtype(join, result);
}

static bool join_plan(tni_plan *plan, join_call join) {
    bool channels_last = true;
    if (join.count < 1) {
        tni_raise(TN_ERROR_ARGUMENT, "tensors is empty: there is nothing to join");
        return false;
    }
    tni_plan_begin(plan, join.tensors[0]);
    plan->count = 1;
    plan->rule = TNI_RESULT_CAST;
    tni_plan_result *result = &plan->result[0];
    result->ndim = 1; /* unchanged where there are only empty vectors */
    result->sizes[0] = 0;
    if ((join.stacks && !join_new_dim(&join)) || !join_all(&join, result, &channels_last))
        return false;
    result->strided = channels_last && (join.stacks ? join_stacked_strides(&join, result) : join_channels_last_strides(result));
    plan->number[0] = join.dim;
    return true;
}

/* The bytes that each input adds to a row of the result, where all are row-major, of one dtype, and add as many: then the
 * result is the inputs interleaved. 0 where that does not hold, or where it is not an element size. */
static int64_t join_unit(const join_call *join, const tn_tensor *result) {
    int64_t unit = (int64_t)tni_tensor_item_size(result), numel = join->tensors[0]->numel;
    for (int64_t i = 0; i < join->count; i++) {
        const tn_tensor *tensor = join->tensors[i];
        if (tensor->dtype != result->dtype || tensor->numel != numel || !tni_tensor_is_contiguous(tensor))
            return 0;
    }
    for (int64_t d = join->dim; d < result->ndim; d++)
        unit *= result->sizes[d];
    unit /= join->count;
    bool fits = unit <= 16 && (unit & (unit - 1)) == 0 && join->count > 1 && tni_tensor_is_contiguous(result);
    return fits ? unit : 0;
}

static void join_interleave(const join_call *join, tn_tensor *result, int64_t unit) {
    char *target = tni_tensor_write(result);
    for (int64_t done = 0; done < join->count; done += TNI_INTERLEAVED) {
        int64_t many = tni_min_i64(TNI_INTERLEAVED, join->count - done);
        tni_interleave runs = {.target = target + done * unit,
                               .pitch = join->count,
                               .runs = many,
                               .item = unit,
                               .count = join->tensors[0]->numel * (int64_t)tni_tensor_item_size(result) / unit};
        for (int64_t i = 0; i < many; i++)
            runs.sources[i] = tni_tensor_read(join->tensors[done + i]);
        tni_interleave_runs(&runs);
    }
}

/* The rows of a result that is small and, as all inputs are, row-major and of one dtype: each input adds one run to a row. Most
 * calls end here. False where that does not hold, or where there are so many runs that planning pays. */
static bool join_few_runs(const join_call *join, tn_tensor *result) {
    int64_t rows = 1, item = (int64_t)tni_tensor_item_size(result);
    for (int64_t d = 0; d < join->dim; d++)
        rows *= result->sizes[d];
    bool few = tni_tensor_is_contiguous(result) && rows * join->count <= JOIN_RUNS && result->numel <= COPY_SMALL / item;
    for (int64_t i = 0; few && i < join->count; i++)
        few = join->tensors[i]->dtype == result->dtype && tni_tensor_is_contiguous(join->tensors[i]);
    if (!few)
        return false;
    char *target = tni_tensor_write(result);
    for (int64_t row = 0; row < rows; row++)
        for (int64_t i = 0; i < join->count; i++) {
            int64_t run = (rows == 1 ? join->tensors[i]->numel : join->tensors[i]->numel / rows) * item;
            if (run > 0)
                memcpy(target, tni_tensor_read(join->tensors[i]) + row * run, (size_t)run);
            target += run;
        }
    return true;
}

static tn_error join_fill(const join_call *join, tn_tensor *result) {
    tn_device device = tni_tensor_device(result);
    if (result->numel == 0 || (device.type == TN_CPU && join_few_runs(join, result)))
        return TN_OK;
    int64_t unit = device.type == TN_CPU ? join_unit(join, result) : 0;
    if (unit != 0) {
        join_interleave(join, result, unit);
        return TN_OK;
    }
    tn_error code = TN_OK;
    char *target = tni_tensor_write(result);
    int64_t step = tni_tensor_step(result, join->dim);
    for (int64_t i = 0; i < join->count && code == TN_OK; i++) {
        join_piece piece;
        if (join->tensors[i]->numel == 0)
            continue;
        join_see(join, join->tensors[i], &piece);
        tni_copy copy = {.ndim = result->ndim,
                         .sizes = piece.sizes,
                         .target = target,
                         .target_strides = result->strides,
                         .target_dtype = result->dtype,
                         .source = tni_tensor_read(join->tensors[i]),
                         .source_strides = piece.strides,
                         .source_dtype = join->tensors[i]->dtype};
        code = tni_move_elements(device, &copy);
        target += piece.sizes[join->dim] * step;
    }
    return code;
}

static tn_error join_run(const tni_plan *plan, tn_tensor *result, const tn_tensor *const *tensors, int64_t count, bool stacks) {
    join_call join = {.tensors = tensors, .count = count, .dim = plan->number[0], .stacks = stacks};
    return join_fill(&join, result);
}

bool tni_plan_cat(tni_plan *plan, const tn_tensor *const *tensors, int64_t tensors_count, int64_t dim) {
    return join_plan(plan, (join_call){.tensors = tensors, .count = tensors_count, .dim = dim});
}
tn_error tni_run_cat(const tni_plan *plan, tn_tensor *const *results, const tn_tensor *const *tensors, int64_t tensors_count,
                     int64_t dim) {
    (void)dim;
    return join_run(plan, results[0], tensors, tensors_count, false);
}

bool tni_plan_stack(tni_plan *plan, const tn_tensor *const *tensors, int64_t tensors_count, int64_t dim) {
    return join_plan(plan, (join_call){.tensors = tensors, .count = tensors_count, .dim = dim, .stacks = true});
}
tn_error tni_run_stack(const tni_plan *plan, tn_tensor *const *results, const tn_tensor *const *tensors, int64_t tensors_count,
                       int64_t dim) {
    (void)dim;
    return join_run(plan, results[0], tensors, tensors_count, true);
}

/* ---- the other stacks */

static tn_tensor *join_column(const tn_tensor *self) { return self->ndim ? tn_unsqueeze(self, 1) : tn_atleast_2d(self); }

typedef struct join_ranks {
    int64_t least, most;
} join_ranks;

static join_ranks join_find_ranks(const tn_tensor *const *tensors, int64_t count) {
    join_ranks ranks = {TN_MAX_DIMS, 0};
    for (int64_t i = 0; i < count; i++) {
        ranks.least = tni_min_i64(ranks.least, tensors[i]->ndim);
        ranks.most = tni_max_i64(ranks.most, tensors[i]->ndim);
    }
    return ranks;
}

static tn_tensor *join_cat(tn_tensor *out, const tn_tensor *const *tensors, int64_t count, int64_t dim) {
    return out ? tn_cat_out(out, tensors, count, dim) : tn_cat(tensors, count, dim);
}

/* The inputs, those with fewer than `least` dimensions as `see` shows them; `out` may be NULL. Where all have one dimension
 * less, a stack along `stacks` is the same without a view. */
typedef struct join_form {
    tn_tensor *(*see)(const tn_tensor *);
    int64_t least, dim, stacks;
} join_form;

static tn_tensor *join_views(tn_tensor *out, const tn_tensor *const *tensors, int64_t count, const join_form *form) {
    const tn_tensor **seen = tni_heap_alloc((size_t)count * sizeof *seen);
    if (!seen)
        return NULL;
    bool good = true;
    for (int64_t i = 0; good && i < count; i++)
        good = (seen[i] = tensors[i]->ndim < form->least ? form->see(tensors[i]) : tensors[i]) != NULL;
    tn_tensor *result = good ? join_cat(out, seen, count, form->dim) : NULL;
    tni_heap_free(seen, (size_t)count * sizeof *seen);
    return result;
}

static tn_tensor *join_seen(tn_tensor *out, const tn_tensor *const *tensors, int64_t count, const join_form *form) {
    join_ranks ranks = join_find_ranks(tensors, count);
    if (ranks.least >= form->least) /* also where there are none */
        return join_cat(out, tensors, count, form->dim);
    if (ranks.least == ranks.most && ranks.least == form->least - 1)
        return out ? tn_stack_out(out, tensors, count, form->stacks) : tn_stack(tensors, count, form->stacks);
    return join_views(out, tensors, count, form);
}

/* Vectors are joined end to end, everything else side by side. */
static tn_tensor *join_hstack(tn_tensor *out, const tn_tensor *const *tensors, int64_t count) {
    return join_seen(out, tensors, count, &(join_form){tn_atleast_1d, 1, count > 0 && tensors[0]->ndim > 1 ? 1 : 0, 0});
}

static tn_tensor *join_vstack(tn_tensor *out, const tn_tensor *const *tensors, int64_t count) {
    return join_seen(out, tensors, count, &(join_form){tn_atleast_2d, 2, 0, 0});
}

static tn_tensor *join_dstack(tn_tensor *out, const tn_tensor *const *tensors, int64_t count) {
    return join_seen(out, tensors, count, &(join_form){tn_atleast_3d, 3, 2, 2});
}

static tn_tensor *join_column_stack(tn_tensor *out, const tn_tensor *const *tensors, int64_t count) {
    return join_seen(out, tensors, count, &(join_form){join_column, 2, 1, 1});
}

#define JOIN_OPERATOR(name)                                                                                                    \
    tn_tensor *tni_composite_##name(const tn_tensor *const *tensors, int64_t tensors_count) {                                  \
        return join_##name(NULL, tensors, tensors_count);                                                                      \
    }                                                                                                                          \
    tn_tensor *tni_composite_##name##_out(tn_tensor *out, const tn_tensor *const *tensors, int64_t tensors_count) {            \
        return join_##name(out, tensors, tensors_count);                                                                       \
    }

JOIN_OPERATOR(hstack)
JOIN_OPERATOR(vstack)
JOIN_OPERATOR(dstack)
JOIN_OPERATOR(column_stack)

#undef JOIN_OPERATOR

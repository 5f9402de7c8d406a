/* join.c - several tensors become one: cat, and the stacks, which are cat with the tensors seen in another shape.
 *
 * Every input is copied once, straight to its place in the result, with conversion where the dtypes differ. Nothing is made
 * on the way: how an input is seen (join_see) is sizes and strides alone.
 *
 * Invariant: all inputs have been looked at before the result is touched.
 */
#include "base/error.h"
#include "iterate/promote.h"
#include "operator_impls.h"
#include "ops/interleave.h"
#include "ops/move.h"
#include "ops/result.h"

/* How an input is seen before it is joined. */
typedef enum join_form {
    JOIN_PLAIN,      /* as it is                                                               */
    JOIN_NEW,        /* with a new dimension, of size 1, along which is joined                 */
    JOIN_AT_LEAST_1, /* with at least 1, 2, 3 dimensions, placed as atleast_1d and so on do it */
    JOIN_AT_LEAST_2,
    JOIN_AT_LEAST_3,
    JOIN_COLUMN /* of up to one dimension: as a column                                    */
} join_form;

typedef struct join_piece {
    int64_t ndim;
    const int64_t *sizes, *strides; /* the tensor's own, or in `made` */
    int64_t made[2 * TN_MAX_DIMS];
} join_piece;

typedef struct join_plan {
    const tn_tensor *const *tensors;
    int64_t count, dim, ndim;
    join_form form;
    tn_dtype dtype;
    bool channels_last;
    int64_t sizes[TN_MAX_DIMS];
} join_plan;

static void join_put(join_piece *piece, int64_t size, int64_t stride) {
    piece->made[piece->ndim] = size;
    piece->made[TN_MAX_DIMS + piece->ndim++] = stride;
}

/* The rank must have been checked: JOIN_NEW needs room for one more. */
static void join_see(const tn_tensor *tensor, join_form form, int64_t dim, join_piece *piece) {
    int64_t least = form == JOIN_COLUMN ? 2 : form >= JOIN_AT_LEAST_1 ? form - JOIN_AT_LEAST_1 + 1 : 0;
    *piece = (join_piece){.ndim = tensor->ndim, .sizes = tensor->sizes, .strides = tensor->strides};
    if (form == JOIN_PLAIN || (form != JOIN_NEW && tensor->ndim >= least))
        return;
    piece->sizes = piece->made;
    piece->strides = piece->made + TN_MAX_DIMS;
    piece->ndim = 0;
    if (form == JOIN_NEW) {
        for (int64_t d = 0; d <= tensor->ndim; d++) {
            if (d == dim)
                join_put(piece, 1, 0);
            if (d < tensor->ndim)
                join_put(piece, tensor->sizes[d], tensor->strides[d]);
        }
        return;
    }
    if (form != JOIN_COLUMN && least > 1 && tensor->ndim < 2) /* a vector is a row */
        join_put(piece, 1, 0);
    for (int64_t d = 0; d < tensor->ndim; d++)
        join_put(piece, tensor->sizes[d], tensor->strides[d]);
    while (piece->ndim < least)
        join_put(piece, 1, 0);
}

/* torch's old habit, which programs rely on: an empty vector fits everywhere and adds nothing. */
static bool join_is_skipped(const join_piece *piece) { return piece->ndim == 1 && piece->sizes[0] == 0; }

static bool join_start(join_plan *plan, const join_piece *piece, int64_t number) {
    if (plan->form == JOIN_PLAIN && !tni_wrap_dim(plan->dim, piece->ndim, "dim", &plan->dim))
        return false;
    if (plan->dim >= piece->ndim) {
        tni_raise(TN_ERROR_SHAPE, "tensors[%" PRId64 "] is %s, which has no dimension %" PRId64, number,
                  tni_show_tensor(plan->tensors[number]), plan->dim);
        return false;
    }
    plan->ndim = piece->ndim;
    memcpy(plan->sizes, piece->sizes, (size_t)piece->ndim * sizeof *plan->sizes);
    return true;
}

static bool join_do_not_fit(const join_plan *plan, int64_t first, int64_t number) {
    tni_raise(TN_ERROR_SHAPE, "tensors[%" PRId64 "] %s and tensors[%" PRId64 "] %s cannot be joined: %s", first,
              tni_show_tensor(plan->tensors[first]), number, tni_show_tensor(plan->tensors[number]),
              plan->form == JOIN_NEW ? "their sizes must be the same"
                                     : "their sizes may differ only in the dimension that is joined");
    return false;
}

static bool join_add(join_plan *plan, const join_piece *piece, int64_t number, int64_t first) {
    bool fits = piece->ndim == plan->ndim;
    for (int64_t d = 0; fits && d < plan->ndim; d++)
        fits = d == plan->dim || piece->sizes[d] == plan->sizes[d];
    if (!fits)
        return join_do_not_fit(plan, first, number);
    if (!tni_add_overflows(plan->sizes[plan->dim], piece->sizes[plan->dim], &plan->sizes[plan->dim]))
        return true;
    tni_raise(TN_ERROR_SHAPE, "the sizes along dimension %" PRId64 " add up to more than 2^63", plan->dim);
    return false;
}

static bool join_find_dtype(join_plan *plan) {
    plan->dtype = plan->tensors[0]->dtype;
    for (int64_t i = 1; i < plan->count; i++) {
        if (plan->tensors[i]->dtype == (uint8_t)plan->dtype)
            continue;
        tn_dtype before = plan->dtype;
        plan->dtype = tni_promote(before, plan->tensors[i]->dtype);
        if (plan->dtype == TN_DTYPE_DEFAULT) {
            tni_raise(TN_ERROR_DTYPE, "tensors[%" PRId64 "] is %s, those before it are %s: there is no dtype for both", i,
                      tni_show_tensor(plan->tensors[i]), tn_dtype_name(before));
            return false;
        }
    }
    return true;
}

static bool join_make_plan(join_plan *plan, const tn_tensor *const *tensors, int64_t count, join_form form, int64_t dim) {
    *plan = (join_plan){.tensors = tensors, .count = count, .dim = dim, .form = form, .channels_last = true};
    if (count < 1) {
        tni_raise(TN_ERROR_ARGUMENT, "tensors is empty: there is nothing to join");
        return false;
    }
    if (form == JOIN_NEW) {
        if (tensors[0]->ndim == TN_MAX_DIMS) {
            tni_raise(TN_ERROR_SHAPE, "tensors[0] %s has no room for one more dimension", tni_show_tensor(tensors[0]));
            return false;
        }
        if (!tni_wrap_dim(dim, tensors[0]->ndim + 1, "dim", &plan->dim))
            return false;
    }
    int64_t first = -1;
    for (int64_t i = 0; i < count; i++) {
        join_piece piece;
        plan->channels_last = plan->channels_last && tni_suggests_channels_last(tensors[i]);
        if (form == JOIN_NEW && tensors[i]->ndim != tensors[0]->ndim) /* join_see could have no room for it */
            return join_do_not_fit(plan, 0, i);
        join_see(tensors[i], form, plan->dim, &piece);
        if (piece.ndim == 0) {
            tni_raise(TN_ERROR_SHAPE, "tensors[%" PRId64 "] has no dimensions; stack joins such tensors", i);
            return false;
        }
        if (join_is_skipped(&piece))
            continue;
        if (first < 0 ? !join_start(plan, &piece, i) : !join_add(plan, &piece, i, first))
            return false;
        first = first < 0 ? i : first;
    }
    if (first < 0) /* nothing but empty vectors */
        plan->ndim = 1;
    return join_find_dtype(plan);
}

/* A new dimension is, in memory, a part of the one before which it stands: a stack of images in channels last stays in it. */
static tn_tensor *join_new_stack(const join_plan *plan) {
    int64_t numel, sizes[TN_MAX_DIMS], strides[TN_MAX_DIMS + 1];
    for (int64_t d = 0; d < plan->ndim - 1; d++)
        sizes[d] = plan->sizes[d < plan->dim ? d : d + 1];
    if (tn_geometry_numel(plan->ndim, plan->sizes, &numel) != TN_GEOMETRY_OK)
        return tni_tensor_new(plan->ndim, plan->sizes, plan->dtype, TN_DEVICE_CPU);
    int64_t size = sizes[plan->dim];
    sizes[plan->dim] *= plan->count;
    tn_geometry_channels_last_strides(plan->ndim - 1, sizes, strides);
    memmove(strides + plan->dim + 1, strides + plan->dim, (size_t)(plan->ndim - 1 - plan->dim) * sizeof *strides);
    strides[plan->dim] = size * strides[plan->dim + 1];
    return tni_tensor_new_strided(plan->ndim, plan->sizes, strides, 0, numel, plan->dtype, TN_DEVICE_CPU);
}

/* The bytes that each input adds to a row of the result, where all are row-major, of one dtype, and add as many: then the
 * result is the inputs interleaved. 0 where that is not so, or where it is no size of an element. */
static int64_t join_unit(const join_plan *plan, const tn_tensor *result) {
    int64_t unit = (int64_t)tni_tensor_item_size(result), numel = plan->tensors[0]->numel;
    for (int64_t i = 0; i < plan->count; i++) {
        const tn_tensor *tensor = plan->tensors[i];
        if (tensor->dtype != result->dtype || tensor->numel != numel || !tni_tensor_is_contiguous(tensor))
            return 0;
    }
    for (int64_t d = plan->dim; d < plan->ndim; d++)
        unit *= plan->sizes[d];
    unit /= plan->count;
    bool fits = unit <= 16 && (unit & (unit - 1)) == 0 && plan->count > 1 && tni_tensor_is_contiguous(result);
    return fits ? unit : 0;
}

static void join_interleave(const join_plan *plan, tn_tensor *result, int64_t unit) {
    char *target = tni_tensor_write(result);
    for (int64_t done = 0; done < plan->count; done += TNI_INTERLEAVED) {
        int64_t many = tni_min_i64(TNI_INTERLEAVED, plan->count - done);
        tni_interleave runs = {.target = target + done * unit,
                               .pitch = plan->count,
                               .runs = many,
                               .item = unit,
                               .count = plan->tensors[0]->numel * (int64_t)tni_tensor_item_size(result) / unit};
        for (int64_t i = 0; i < many; i++)
            runs.sources[i] = tni_tensor_read(plan->tensors[done + i]);
        tni_interleave_runs(&runs);
    }
}

static void join_fill(const join_plan *plan, tn_tensor *result) {
    if (result->numel == 0)
        return;
    int64_t unit = join_unit(plan, result);
    if (unit != 0) {
        join_interleave(plan, result, unit);
        return;
    }
    char *target = tni_tensor_write(result);
    int64_t step = result->strides[plan->dim] * (int64_t)tni_tensor_item_size(result);
    for (int64_t i = 0; i < plan->count; i++) {
        join_piece piece;
        if (plan->tensors[i]->numel == 0)
            continue;
        join_see(plan->tensors[i], plan->form, plan->dim, &piece);
        tni_copy copy = {.ndim = plan->ndim,
                         .sizes = piece.sizes,
                         .target = target,
                         .target_strides = result->strides,
                         .target_dtype = result->dtype,
                         .source = tni_tensor_read(plan->tensors[i]),
                         .source_strides = piece.strides,
                         .source_dtype = plan->tensors[i]->dtype};
        tni_copy_elements(&copy);
        target += piece.sizes[plan->dim] * step;
    }
}

static tn_tensor *join_new(const tn_tensor *const *tensors, int64_t count, join_form form, int64_t dim) {
    join_plan plan;
    if (!join_make_plan(&plan, tensors, count, form, dim))
        return NULL;
    bool stacked = form == JOIN_NEW && plan.channels_last && plan.dim < plan.ndim - 1;
    tn_tensor *result = stacked ? join_new_stack(&plan)
                                : tni_move_new(plan.ndim, plan.sizes, plan.dtype, plan.channels_last && form != JOIN_NEW);
    if (result)
        join_fill(&plan, result);
    return result;
}

static tn_error join_into(tn_tensor *out, const tn_tensor *const *tensors, int64_t count, join_form form, int64_t dim) {
    join_plan plan;
    tni_result result;
    if (!join_make_plan(&plan, tensors, count, form, dim) ||
        !tni_result_begin(&result, out, (tn_dims){plan.sizes, plan.ndim}, plan.dtype, TNI_RESULT_CAST, tensors, count))
        return tn_error_code();
    join_fill(&plan, result.tensor);
    return tni_result_end(&result, TN_OK);
}

/* Vectors are joined end to end, everything else side by side. */
static int64_t join_hstack_dim(const tn_tensor *const *tensors, int64_t count) {
    return count > 0 && tensors[0]->ndim > 1 ? 1 : 0;
}

#define JOIN_OPERATOR(name, form, dim)                                                                                         \
    tn_tensor *tni_op_##name(const tn_tensor *const *tensors, int64_t tensors_count) {                                         \
        return join_new(tensors, tensors_count, form, dim);                                                                    \
    }                                                                                                                          \
    tn_error tni_op_##name##_out(tn_tensor *out, const tn_tensor *const *tensors, int64_t tensors_count) {                     \
        return join_into(out, tensors, tensors_count, form, dim);                                                              \
    }
#define JOIN_OPERATOR_ALONG(name, form)                                                                                        \
    tn_tensor *tni_op_##name(const tn_tensor *const *tensors, int64_t tensors_count, int64_t dim) {                            \
        return join_new(tensors, tensors_count, form, dim);                                                                    \
    }                                                                                                                          \
    tn_error tni_op_##name##_out(tn_tensor *out, const tn_tensor *const *tensors, int64_t tensors_count, int64_t dim) {        \
        return join_into(out, tensors, tensors_count, form, dim);                                                              \
    }

JOIN_OPERATOR_ALONG(cat, JOIN_PLAIN)
JOIN_OPERATOR_ALONG(concat, JOIN_PLAIN)
JOIN_OPERATOR_ALONG(concatenate, JOIN_PLAIN)
JOIN_OPERATOR_ALONG(stack, JOIN_NEW)
JOIN_OPERATOR(hstack, JOIN_AT_LEAST_1, join_hstack_dim(tensors, tensors_count))
JOIN_OPERATOR(vstack, JOIN_AT_LEAST_2, 0)
JOIN_OPERATOR(row_stack, JOIN_AT_LEAST_2, 0)
JOIN_OPERATOR(dstack, JOIN_AT_LEAST_3, 2)
JOIN_OPERATOR(column_stack, JOIN_COLUMN, 1)

#undef JOIN_OPERATOR
#undef JOIN_OPERATOR_ALONG

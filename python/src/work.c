/* work.c - whether a call is long enough to be made without the interpreter's lock.
 *
 * Giving up the lock and taking it again costs as much as adding two small tensors, and keeping it through a long call stops
 * all other threads, including the one that handles Ctrl-C. So the number of elements in a call is estimated from above, from
 * what can be seen before it: for an operator that works element by element, the sizes of its tensors broadcast together; for
 * others the tensors' elements multiplied by each other, by the sizes and by the numbers that say how much is made. An estimate
 * that is too large costs a little time. Operators whose work cannot be estimated here always run without the lock.
 *
 * Which parameters are looked at is found once for each form, when the table is read; a small call multiplies two numbers.
 */
#include "core.h"

static bool work_has(const char *const *names, const char *name) {
    for (; *names; names++)
        if (strcmp(*names, name) == 0)
            return true;
    return false;
}

/* Their work grows with a power of their elements, with the numbers in a tensor, or with how many tensors there are. */
static const char *const work_grows[] = {"bincount", "block_diag", "cartesian_prod",    "combinations", "corrcoef",
                                         "cov",      "diag",       "diag_embed",        "diagflat",     "linalg_vander",
                                         "one_hot",  "pdist",      "repeat_interleave", "vander",       NULL};

/* Not elementwise operators to the table, but their tensors are broadcast together all the same. */
static const char *const work_side_by_side[] = {
    "allclose",       "copy",          "cross",    "dist",    "equal",       "fill",           "gather",         "layer_norm",
    "masked_scatter", "masked_select", "rms_norm", "scatter", "scatter_add", "scatter_reduce", "take_along_dim", NULL};

/* Of a call with tensors: the numbers and sizes that multiply what is made. */
static const char *const work_numbers[] = {"N",       "bins",        "col",         "columns",     "minlength",
                                           "n",       "num_classes", "num_samples", "output_size", "r",
                                           "repeats", "row",         "rows",        "steps",       NULL};
static const char *const work_sizes[] = {"dims", "pad", "repeats", "size", NULL};

static bool work_is_tensor(tn_type type) {
    return type == TN_TYPE_TENSOR || type == TN_TYPE_OPTIONAL || type == TN_TYPE_WRITTEN || type == TN_TYPE_TENSORS ||
           type == TN_TYPE_INDEX;
}

void tnpy_work_read(tnpy_form *form) {
    const char *name = tn_operator_base(form->op);
    bool tensors = false, sizes = false;
    for (int i = form->outs; i < form->count; i++) {
        tensors = tensors || work_is_tensor(form->parameters[i].type);
        sizes = sizes || form->parameters[i].type == TN_TYPE_DIMS;
    }
    bool views = form->result == TN_RESULT_VIEW || form->result == TN_RESULT_VIEWS;
    bool plainly = form->result == TN_RESULT_MAYBE_VIEW; /* at most a copy, whatever its sizes say */
    form->work = views                                                                     ? TNPY_WORK_NONE
                 : work_has(work_grows, name)                                              ? TNPY_WORK_UNKNOWN
                 : tn_operator_is_pointwise(form->op) || work_has(work_side_by_side, name) ? TNPY_WORK_TOGETHER
                                                                                           : TNPY_WORK_PRODUCT;
    for (int i = form->outs; i < form->count; i++) {
        const tnpy_parameter *parameter = &form->parameters[i];
        bool counts = !views && work_is_tensor(parameter->type);
        if (form->work == TNPY_WORK_PRODUCT && !plainly)
            counts =
                counts || (parameter->type == TN_TYPE_DIMS && (!tensors || work_has(work_sizes, parameter->name))) ||
                (parameter->type == TN_TYPE_INT && (!tensors && !sizes ? true : work_has(work_numbers, parameter->name))) ||
                (parameter->type == TN_TYPE_SCALAR && !tensors && !sizes);
        form->measured |= (unsigned)counts << i;
    }
}

/* ---- sizes that tensors have together */

/* The larger one of each dimension, the last first. */
typedef struct work_shape {
    int64_t ndim, sizes[TN_MAX_DIMS];
} work_shape;

static void work_join(work_shape *shape, tn_dims sizes) {
    for (int64_t d = 0; d < sizes.count; d++) {
        int64_t size = sizes.values[sizes.count - 1 - d];
        if (d == shape->ndim)
            shape->sizes[shape->ndim++] = size;
        else if (size > shape->sizes[d])
            shape->sizes[d] = size;
    }
}

/* At most TNPY_LONG_WORK, so that no product overflows; nothing counts as one. */
static int64_t work_times(int64_t total, int64_t factor) {
    total *= factor < 1 ? 1 : factor < TNPY_LONG_WORK ? factor : TNPY_LONG_WORK;
    return total < TNPY_LONG_WORK ? total : TNPY_LONG_WORK;
}

static int64_t work_of_sizes(tn_dims sizes) {
    int64_t total = 1;
    for (int64_t d = 0; d < sizes.count; d++)
        total = work_times(total, sizes.values[d]);
    return total;
}

static int64_t work_of_shape(const work_shape *shape) { return work_of_sizes((tn_dims){shape->sizes, shape->ndim}); }

bool tnpy_work_together(const tn_tensor *a, const tn_tensor *b) {
    work_shape shape;
    shape.ndim = 0;
    work_join(&shape, tn_sizes(a));
    work_join(&shape, tn_sizes(b));
    return work_of_shape(&shape) >= TNPY_LONG_WORK;
}

static __attribute__((noinline)) bool work_is_long_together(const tnpy_form *form, const tn_value *values) {
    work_shape shape;
    shape.ndim = 0;
    for (int i = 0; i < form->count; i++)
        if ((form->measured >> i & 1) && values[i].kind == TN_VALUE_TENSOR && values[i].as.tensor)
            work_join(&shape, tn_sizes(values[i].as.tensor));
    return work_of_shape(&shape) >= TNPY_LONG_WORK;
}

/* ---- calls */

/* How much a number of a factory can stand for: the end of a range, the number of its steps, or how small they are. */
static int64_t work_of_number(tn_scalar number) {
    double value = number.kind == TN_SCALAR_FLOAT  ? number.value.d
                   : number.kind == TN_SCALAR_INT  ? (double)number.value.i
                   : number.kind == TN_SCALAR_UINT ? (double)number.value.u
                                                   : 1.0;
    value = value < 0 ? -value : value;
    value = value > 0 && value < 1 ? 1 / value : value;
    return value < TNPY_LONG_WORK ? (int64_t)value + 1 : TNPY_LONG_WORK; /* a NaN is not less, and counts as long */
}

static int64_t work_of_value(const tn_value *value) {
    int64_t total = 0;
    switch (value->kind) {
    case TN_VALUE_TENSOR: return value->as.tensor ? tn_numel(value->as.tensor) : 1;
    case TN_VALUE_TENSORS:
        for (int64_t k = 0; k < value->as.tensors.count && total < TNPY_LONG_WORK; k++)
            total += tn_numel(value->as.tensors.items[k]);
        return total;
    case TN_VALUE_INDEX:
        total = 1;
        for (int64_t k = 0; k < value->as.index.count; k++)
            if (value->as.index.items[k].tensor)
                total = work_times(total, tn_numel(value->as.index.items[k].tensor));
        return total;
    case TN_VALUE_DIMS: return work_of_sizes(value->as.dims);
    case TN_VALUE_INT: return value->as.integer;
    case TN_VALUE_SCALAR: return work_of_number(value->as.scalar);
    default: return 1;
    }
}

bool tnpy_work_is_long(const tnpy_form *form, const tn_value *values) {
    if (form->work == TNPY_WORK_NONE || form->work == TNPY_WORK_UNKNOWN)
        return form->work == TNPY_WORK_UNKNOWN;
    int64_t total = 1;
    bool one = false; /* is long by itself */
    for (unsigned left = form->measured; left; left &= left - 1) {
        int64_t many = work_of_value(&values[__builtin_ctz(left)]);
        one = one || many >= TNPY_LONG_WORK;
        total = work_times(total, many);
    }
    return total >= TNPY_LONG_WORK && (one || form->work != TNPY_WORK_TOGETHER || work_is_long_together(form, values));
}

/* ---- subscripts */

static int64_t work_dimensions(const tn_index_item *item) {
    if (item->kind != TN_INDEX_TENSOR)
        return item->kind == TN_INDEX_AT || item->kind == TN_INDEX_RANGE;
    tn_dtype dtype = tn_dtype_of(item->tensor);
    return dtype == TN_BOOL || dtype == TN_UINT8 ? tn_ndim(item->tensor) : 1;
}

bool tnpy_work_is_long_index(const tn_tensor *self, tn_index_list list) {
    int64_t most = work_times(1, tn_numel(self)); /* all elements at all positions */
    for (int64_t i = 0; i < list.count; i++)
        if (list.items[i].tensor)
            most = work_times(most, tn_numel(list.items[i].tensor));
    if (TNPY_LIKELY(most < TNPY_LONG_WORK))
        return false;
    tn_dims sizes = tn_sizes(self);
    work_shape shape;
    shape.ndim = 0;
    int64_t left = 1, at = 0; /* what is taken at each of the positions */
    for (int64_t i = 0; i < list.count; i++) {
        const tn_index_item *item = &list.items[i];
        int64_t numel = item->tensor ? tn_numel(item->tensor) : 0, taken = work_dimensions(item), end = at + taken;
        if (item->tensor) /* a mask is read whole, and gives positions in a row */
            work_join(&shape, taken == 1 ? tn_sizes(item->tensor) : (tn_dims){&numel, 1});
        if (item->kind == TN_INDEX_ELLIPSIS) {
            end = sizes.count;
            for (int64_t k = i + 1; k < list.count; k++)
                end -= work_dimensions(&list.items[k]);
        }
        for (; at < end && at < sizes.count; at++)
            if (item->kind == TN_INDEX_ELLIPSIS || item->kind == TN_INDEX_RANGE)
                left = work_times(left, sizes.values[at]);
    }
    for (; at < sizes.count; at++)
        left = work_times(left, sizes.values[at]);
    return work_times(work_of_shape(&shape), left) >= TNPY_LONG_WORK;
}

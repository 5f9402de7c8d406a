/* pad.c - tensors with a margin: constant, reflected, replicated, or circular.
 *
 * The pairs of `pad` are for the last dimension, the one before it, and so on; a negative number cuts off. A margin taken from
 * the elements is, in each dimension, a range of them reversed, one of them repeated, or a range from the other end; with the
 * elements themselves these are at most three ranges per dimension, and the result is every combination of them. torch does
 * this for one to three dimensions of certain ranks; here any number of dimensions is possible.
 */
#include "base/error.h"
#include "base/parallel.h"
#include "operators_move.h"
#include "ops/copy/copy.h"
#include "ops/join/move.h"

typedef struct pad_margins {
    int64_t before[TN_MAX_DIMS], after[TN_MAX_DIMS]; /* by dimension */
    int64_t sizes[TN_MAX_DIMS];
} pad_margins;

/* The numbers for a dimension. */
static void pad_of(const tn_tensor *self, tn_dims pad, int64_t dim, int64_t *before, int64_t *after) {
    int64_t pair = self->ndim - 1 - dim;
    *before = 2 * pair < pad.count ? pad.values[2 * pair] : 0;
    *after = 2 * pair < pad.count ? pad.values[2 * pair + 1] : 0;
}

static bool pad_read(const tn_tensor *self, tn_dims pad, pad_margins *margins) {
    if (pad.count % 2 != 0 || pad.count > 2 * self->ndim) {
        tni_raise(TN_ERROR_ARGUMENT, "pad %s must be pairs, at most one for each dimension of self %s",
                  tni_show_dims(pad.values, pad.count), tni_show_tensor(self));
        return false;
    }
    for (int64_t d = 0; d < self->ndim; d++) {
        int64_t size = self->sizes[d];
        pad_of(self, pad, d, &margins->before[d], &margins->after[d]);
        if (tni_add_overflows(size, margins->before[d], &size) || tni_add_overflows(size, margins->after[d], &size) ||
            size < 0) {
            tni_raise(TN_ERROR_SHAPE, "pad %s leaves no size for dimension %" PRId64 " of self %s",
                      tni_show_dims(pad.values, pad.count), d, tni_show_tensor(self));
            return false;
        }
        margins->sizes[d] = size;
    }
    return true;
}

/* The elements of a dimension that stay, if any: from `source` on in self, from `target` on in the result. */
static tni_move_segment pad_kept(int64_t size, int64_t before, int64_t after) {
    int64_t first = tni_max_i64(0, -before), end = size - tni_max_i64(0, -after);
    return (tni_move_segment){tni_max_i64(0, before), first, tni_max_i64(0, end - first), 1};
}

/* ---- constant */

static bool pad_plan_constant(tni_plan *plan, const tn_tensor *self, tn_dims pad, tn_scalar value) {
    pad_margins margins;
    if (!pad_read(self, pad, &margins))
        return false;
    if (!tn_dtype_can_hold(self->dtype, value)) {
        tni_raise(TN_ERROR_DTYPE, "value %s does not fit in %s", tni_show_scalar(value), tn_dtype_name(self->dtype));
        return false;
    }
    bool margin = false;
    for (int64_t d = 0; d < self->ndim; d++) {
        int64_t before = margins.before[d], after = margins.after[d];
        margin |= before > 0 || after > 0;
        if (self->sizes[d] + tni_min_i64(before, 0) + tni_min_i64(after, 0) < 0) {
            tni_raise(TN_ERROR_SHAPE, "pad %s cuts off more than dimension %" PRId64 " of self %s has",
                      tni_show_dims(pad.values, pad.count), d, tni_show_tensor(self));
            return false;
        }
    }
    tni_plan_begin(plan, self);
    plan->number[1] = margin;
    if (!margin) /* a copy of what stays, in the order of self */
        return tni_plan_add_ordered(plan, self, self->ndim, margins.sizes, self->strides);
    tni_plan_add_format(plan, self->ndim, margins.sizes, self->dtype, tni_suggests_channels_last(self));
    return true;
}

/* Without any margin. */
static tn_error pad_cut_off(tn_tensor *result, const tn_tensor *self, tn_dims pad) {
    int64_t offset = self->offset, before, after;
    for (int64_t d = 0; d < self->ndim; d++) {
        pad_of(self, pad, d, &before, &after);
        offset += result->sizes[d] ? -before * self->strides[d] : 0;
    }
    tn_tensor *view = tni_tensor_view(self, self->ndim, result->sizes, self->strides, offset);
    tn_error code = view ? tni_copy_into(result, view, "what a pad of negative numbers leaves is a new tensor") : tni_failed();
    tni_tensor_release(view);
    return code;
}

static tn_error pad_run_constant(const tni_plan *plan, tn_tensor *result, const tn_tensor *self, tn_dims pad, tn_scalar value) {
    if (!plan->number[1])
        return pad_cut_off(result, self, pad);
    _Alignas(16) char element[16];
    tn_dtype_store(self->dtype, element, value);
    tni_cut cuts[TN_MAX_DIMS];
    int64_t count = 0, before, after;
    for (int64_t d = self->ndim - pad.count / 2; d < self->ndim; d++) {
        pad_of(self, pad, d, &before, &after);
        tni_move_segment kept = pad_kept(self->sizes[d], before, after);
        int64_t end = kept.target + kept.length;
        if (before != 0 || after != 0)
            cuts[count++] = (tni_cut){
                .dim = d, .count = 3, .segment = {{0, -1, kept.target, 0}, kept, {end, -1, result->sizes[d] - end, 0}}};
    }
    return tni_move_cuts(result, self, cuts, count, element);
}

bool tni_plan_constant_pad_nd(tni_plan *plan, const tn_tensor *self, tn_dims pad, tn_scalar value) {
    return pad_plan_constant(plan, self, pad, value);
}
tn_error tni_run_constant_pad_nd(const tni_plan *plan, tn_tensor *const *results, const tn_tensor *self, tn_dims pad,
                                 tn_scalar value) {
    return pad_run_constant(plan, results[0], self, pad, value);
}

/* ---- from the elements */

typedef enum pad_mode { PAD_CONSTANT, PAD_REFLECT, PAD_REPLICATE, PAD_CIRCULAR, PAD_MODES } pad_mode;

/* What is wrong with such a margin of a dimension, or NULL. `before` and `after` are not both 0. */
static const char *pad_problem(pad_mode mode, int64_t size, int64_t before, int64_t after) {
    int64_t kept = pad_kept(size, before, after).length;
    switch (mode) {
    default:
    case PAD_REFLECT:
        if (before >= size || after >= size)
            return "a reflected margin must be smaller than the size";
        break;
    case PAD_REPLICATE:
        if (size == 0)
            return "there is no element to repeat";
        break;
    case PAD_CIRCULAR:
        if (before > size || after > size)
            return "a circular margin must not be larger than what it repeats";
        if (kept == 0 && (before > 0 || after > 0))
            return "nothing is left for a circular margin to repeat";
        break;
    }
    return NULL;
}

/* The ranges of one dimension. Positions that a negative number at the other end cuts off are left out. */
static tni_cut pad_cut(pad_mode mode, int64_t dim, int64_t size, int64_t before, int64_t after) {
    tni_move_segment kept = pad_kept(size, before, after);
    int64_t total = size + before + after;
    int64_t head = tni_min_i64(kept.target, total); /* margin positions at the start, and where those at the end begin */
    int64_t tail = tni_max_i64(before + size, 0), tail_length = tni_max_i64(total - tail, 0);
    tni_cut cut = {.dim = dim, .count = 3, .segment = {{.length = head}, kept, {.target = tail, .length = tail_length}}};
    switch (mode) {
    default:
    case PAD_REFLECT: /* position t of the result shows element |t - before|, and at the end 2 (size - 1) - (t - before) */
        cut.segment[0].source = before;
        cut.segment[0].step = -1;
        cut.segment[2].source = 2 * (size - 1) - (tail - before);
        cut.segment[2].step = -1;
        break;
    case PAD_REPLICATE: cut.segment[2].source = size - 1; break;
    case PAD_CIRCULAR:
        cut.segment[0].source = kept.source + kept.length - head;
        cut.segment[0].step = 1;
        cut.segment[2].source = kept.source;
        cut.segment[2].step = 1;
        break;
    }
    return cut;
}

/* A negative number at one end may leave less than the margin at the other is long, which then repeats several times. (torch
 * reads there what it has not written yet.) */
static bool pad_goes_round(pad_mode mode, int64_t size, int64_t before, int64_t after) {
    return mode == PAD_CIRCULAR && tni_max_i64(before, after) > pad_kept(size, before, after).length;
}

/* Returns self with such a dimension done, taking it over. */
static tn_tensor *pad_go_round(tn_tensor *self, int64_t dim, int64_t before, int64_t after) {
    tni_move_segment kept = pad_kept(self->sizes[dim], before, after);
    int64_t sizes[TN_MAX_DIMS], total = self->sizes[dim] + before + after, run;
    for (int64_t d = 0; d < self->ndim; d++)
        sizes[d] = d == dim ? total : self->sizes[d];
    tn_tensor *made = tni_tensor_new(self->ndim, sizes, self->dtype, tni_tensor_device(self));
    tn_error code = made ? TN_OK : tni_failed();
    for (int64_t i = 0; i < total && code == TN_OK && tni_goes_on(); i += run) {
        int64_t from = (i - kept.target % kept.length + kept.length) % kept.length;
        run = tni_min_i64(kept.length - from, total - i);
        tni_cut cut = {.dim = dim, .count = 1, .segment = {{i, kept.source + from, run, 1}}};
        code = tni_move_cuts(made, self, &cut, 1, NULL);
    }
    tni_tensor_release(self);
    if (code == TN_OK)
        return made;
    tni_tensor_release(made);
    return NULL;
}

static const char *const pad_names[PAD_MODES] = {
    [PAD_CONSTANT] = "constant", [PAD_REFLECT] = "reflect", [PAD_REPLICATE] = "replicate", [PAD_CIRCULAR] = "circular"};

static bool pad_plan_from_elements(tni_plan *plan, const tn_tensor *self, tn_dims pad, pad_mode mode) {
    pad_margins margins;
    bool left = mode == PAD_CIRCULAR || pad.count == 0; /* torch allows an empty result, unless everything padded is empty */
    if (!pad_read(self, pad, &margins))
        return false;
    for (int64_t d = 0; d < self->ndim; d++) {
        int64_t before = margins.before[d], after = margins.after[d];
        left |= d >= self->ndim - pad.count / 2 && margins.sizes[d] > 0;
        const char *problem = before || after ? pad_problem(mode, self->sizes[d], before, after) : NULL;
        if (problem) {
            tni_raise(TN_ERROR_ARGUMENT, "mode '%s': (%" PRId64 ", %" PRId64 ") for dimension %" PRId64 " of self %s: %s",
                      pad_names[mode], before, after, d, tni_show_tensor(self), problem);
            return false;
        }
    }
    if (!left) {
        tni_raise(TN_ERROR_ARGUMENT, "mode '%s': pad %s leaves nothing of self %s", pad_names[mode],
                  tni_show_dims(pad.values, pad.count), tni_show_tensor(self));
        return false;
    }
    tni_plan_begin(plan, self);
    tni_plan_add_format(plan, self->ndim, margins.sizes, self->dtype,
                        mode != PAD_CIRCULAR && tni_suggests_channels_last(self)); /* as in torch */
    return true;
}

static tn_error pad_run_from_elements(tn_tensor *result, const tn_tensor *self, tn_dims pad, pad_mode mode) {
    tni_cut cuts[TN_MAX_DIMS];
    int64_t count = 0, before, after;
    tn_tensor *source = tni_tensor_retain(self);
    for (int64_t d = self->ndim - pad.count / 2; source && d < self->ndim; d++) {
        pad_of(self, pad, d, &before, &after);
        if (pad_goes_round(mode, self->sizes[d], before, after))
            source = pad_go_round(source, d, before, after);
        else if (before != 0 || after != 0)
            cuts[count++] = pad_cut(mode, d, self->sizes[d], before, after);
    }
    tn_error code = source ? tni_move_cuts(result, source, cuts, count, NULL) : tni_failed();
    tni_tensor_release(source);
    return code;
}

/* Whether a value was given that matters: a 0 is allowed everywhere, as in torch. */
static bool pad_has_value(tn_scalar value) {
    char number[16];
    if (value.kind == TN_SCALAR_NONE)
        return false;
    tn_dtype_store(TN_COMPLEX128, number, value);
    return memcmp(number, (const char[16]){0}, sizeof number) != 0;
}

static tn_scalar pad_value(tn_scalar value) { return value.kind == TN_SCALAR_NONE ? tn_scalar_int(0) : value; }

bool tni_plan_pad(tni_plan *plan, const tn_tensor *self, tn_dims pad, const char *mode, tn_scalar value) {
    int number = 0;
    while (number < PAD_MODES && strcmp(mode, pad_names[number]) != 0)
        number++;
    plan->number[0] = number;
    if (number == PAD_CONSTANT)
        return pad_plan_constant(plan, self, pad, pad_value(value));
    if (number == PAD_MODES)
        tni_raise(TN_ERROR_ARGUMENT, "mode '%.20s' must be 'constant', 'reflect', 'replicate' or 'circular'", mode);
    else if (pad_has_value(value))
        tni_raise(TN_ERROR_ARGUMENT, "mode '%s' takes no value; %s was given", pad_names[number], tni_show_scalar(value));
    else
        return pad_plan_from_elements(plan, self, pad, (pad_mode)number);
    return false;
}

tn_error tni_run_pad(const tni_plan *plan, tn_tensor *const *results, const tn_tensor *self, tn_dims pad, const char *mode,
                     tn_scalar value) {
    (void)mode;
    return plan->number[0] == PAD_CONSTANT ? pad_run_constant(plan, results[0], self, pad, pad_value(value))
                                           : pad_run_from_elements(results[0], self, pad, (pad_mode)plan->number[0]);
}

/* ---- by other names */

tn_tensor *tni_composite_reflection_pad1d(const tn_tensor *self, tn_dims padding) {
    return tn_pad(self, padding, "reflect", TN_NO_SCALAR);
}

tn_tensor *tni_composite_replication_pad1d(const tn_tensor *self, tn_dims padding) {
    return tn_pad(self, padding, "replicate", TN_NO_SCALAR);
}

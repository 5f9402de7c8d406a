/* pad.c - tensors with a margin: constant, reflected, replicated, or wrapped around.
 *
 * The pairs of `pad` are for the last dimension, the one before it, and so on; a negative number cuts off. A margin taken from
 * the elements is, in each dimension, a range of them backwards, one of them repeated, or a range from the other end; with the
 * elements themselves these are at most three ranges per dimension, and the result is every combination of them. torch does
 * this for one to three dimensions of certain ranks; here any number of them will do.
 */
#include "base/error.h"
#include "operator_impls.h"
#include "ops/move.h"

typedef struct pad_plan {
    int64_t before[TN_MAX_DIMS], after[TN_MAX_DIMS]; /* by dimension */
    int64_t sizes[TN_MAX_DIMS];
} pad_plan;

static bool pad_read(const tn_tensor *self, tn_dims pad, pad_plan *plan) {
    if (pad.count % 2 != 0 || pad.count > 2 * self->ndim) {
        tni_raise(TN_ERROR_ARGUMENT, "pad %s must be pairs, at most one for each dimension of self %s",
                  tni_show_dims(pad.values, pad.count), tni_show_tensor(self));
        return false;
    }
    for (int64_t d = 0; d < self->ndim; d++) {
        int64_t pair = self->ndim - 1 - d, size = self->sizes[d];
        plan->before[d] = 2 * pair < pad.count ? pad.values[2 * pair] : 0;
        plan->after[d] = 2 * pair < pad.count ? pad.values[2 * pair + 1] : 0;
        if (tni_add_overflows(size, plan->before[d], &size) || tni_add_overflows(size, plan->after[d], &size) || size < 0) {
            tni_raise(TN_ERROR_SHAPE, "pad %s leaves no size for dimension %" PRId64 " of self %s",
                      tni_show_dims(pad.values, pad.count), d, tni_show_tensor(self));
            return false;
        }
        plan->sizes[d] = size;
    }
    return true;
}

/* The elements of a dimension that stay, if any: from `source` on in self, from `target` on in the result. */
static tni_move_segment pad_kept(int64_t size, int64_t before, int64_t after) {
    int64_t first = tni_max_i64(0, -before), end = size - tni_max_i64(0, -after);
    return (tni_move_segment){tni_max_i64(0, before), first, tni_max_i64(0, end - first), 1};
}

/* ---- constant */

/* Without any margin it is a copy of what stays, in the order of self. */
static tn_tensor *pad_cut_off(const tn_tensor *self, const tni_move_segment *kept) {
    int64_t sizes[TN_MAX_DIMS], offset = self->offset;
    for (int64_t d = 0; d < self->ndim; d++) {
        sizes[d] = kept[d].length;
        offset += sizes[d] ? kept[d].source * self->strides[d] : 0;
    }
    tn_tensor *view = tni_tensor_view(self, self->ndim, sizes, self->strides, offset);
    tn_tensor *result = view ? tni_op_clone(view, TN_PRESERVE) : NULL;
    tni_tensor_release(view);
    return result;
}

static tn_tensor *pad_constant(const tn_tensor *self, tn_dims pad, tn_scalar value) {
    pad_plan plan;
    if (!pad_read(self, pad, &plan))
        return NULL;
    if (!tn_dtype_can_hold(self->dtype, value))
        return tni_raise_null(TN_ERROR_DTYPE, "value %s does not fit in %s", tni_show_scalar(value),
                              tn_dtype_name(self->dtype));
    tni_move_segment kept[TN_MAX_DIMS];
    bool margin = false;
    for (int64_t d = 0; d < self->ndim; d++) {
        margin |= plan.before[d] > 0 || plan.after[d] > 0;
        kept[d] = pad_kept(self->sizes[d], plan.before[d], plan.after[d]);
        if (self->sizes[d] + tni_min_i64(plan.before[d], 0) + tni_min_i64(plan.after[d], 0) < 0)
            return tni_raise_null(TN_ERROR_SHAPE, "pad %s cuts off more than dimension %" PRId64 " of self %s has",
                                  tni_show_dims(pad.values, pad.count), d, tni_show_tensor(self));
    }
    if (!margin)
        return pad_cut_off(self, kept);
    tn_tensor *result = tni_move_new(self->ndim, plan.sizes, self->dtype, tni_suggests_channels_last(self));
    if (!result || result->numel == 0)
        return result;
    _Alignas(16) char element[16];
    tn_dtype_store(self->dtype, element, value);
    tni_cut cuts[TN_MAX_DIMS];
    int64_t count = 0;
    for (int64_t d = 0; d < self->ndim; d++) {
        int64_t end = kept[d].target + kept[d].length;
        if (plan.before[d] != 0 || plan.after[d] != 0)
            cuts[count++] = (tni_cut){
                .dim = d, .count = 3, .segment = {{0, -1, kept[d].target, 0}, kept[d], {end, -1, plan.sizes[d] - end, 0}}};
    }
    tni_move_cuts(result, self, cuts, count, element);
    return result;
}

tn_tensor *tni_op_constant_pad_nd(const tn_tensor *self, tn_dims pad, tn_scalar value) {
    return pad_constant(self, pad, value);
}

/* ---- from the elements */

typedef enum pad_mode { PAD_REFLECT, PAD_REPLICATE, PAD_CIRCULAR } pad_mode;

/* What is wrong with such a margin of a dimension, or NULL. `before` and `after` are not both 0. */
static const char *pad_problem(pad_mode mode, int64_t size, int64_t before, int64_t after) {
    int64_t kept = pad_kept(size, before, after).length;
    switch (mode) {
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
            return "a circular margin must not be larger than what it goes round";
        if (kept == 0 && (before > 0 || after > 0))
            return "nothing is left for a margin to go round";
        break;
    }
    return NULL;
}

/* The ranges of one dimension. Positions that a negative number at the other end cuts off are left out at the ends. */
static tni_cut pad_cut(pad_mode mode, int64_t dim, int64_t size, int64_t before, int64_t after) {
    tni_move_segment kept = pad_kept(size, before, after);
    int64_t total = size + before + after;
    int64_t head = tni_min_i64(kept.target, total); /* margin positions at the start, and where those at the end begin */
    int64_t tail = tni_max_i64(before + size, 0), tail_length = tni_max_i64(total - tail, 0);
    tni_cut cut = {.dim = dim, .count = 3, .segment = {{.length = head}, kept, {.target = tail, .length = tail_length}}};
    switch (mode) {
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

/* A negative number at one end may leave less than the margin at the other is long, which then goes round several times. (torch
 * reads there what it has not written yet.) Returns self with that dimension done, taking it over. */
static tn_tensor *pad_go_round(tn_tensor *self, int64_t dim, int64_t before, int64_t after) {
    tni_move_segment kept = pad_kept(self->sizes[dim], before, after);
    int64_t total = self->sizes[dim] + before + after;
    tn_tensor *index = tni_tensor_new(1, &total, TN_INT64, TN_DEVICE_CPU), *made = NULL;
    if (index) {
        int64_t *positions = (int64_t *)(void *)tni_tensor_write(index);
        for (int64_t i = 0; i < total; i++)
            positions[i] = kept.source + (i - kept.target % kept.length + kept.length) % kept.length;
        made = tni_op_index_select(self, dim, index);
    }
    tni_tensor_release(index);
    tni_tensor_release(self);
    return made;
}

static tn_tensor *pad_from_elements(const tn_tensor *self, tn_dims pad, pad_mode mode, const char *name) {
    pad_plan plan;
    tni_cut cuts[TN_MAX_DIMS];
    int64_t count = 0, rounds[TN_MAX_DIMS], round_count = 0;
    bool left = mode == PAD_CIRCULAR || pad.count == 0; /* torch lets a result be empty, unless all that is padded is */
    if (!pad_read(self, pad, &plan))
        return NULL;
    for (int64_t d = 0; d < self->ndim; d++) {
        int64_t before = plan.before[d], after = plan.after[d];
        left |= d >= self->ndim - pad.count / 2 && plan.sizes[d] > 0;
        if (before == 0 && after == 0)
            continue;
        const char *problem = pad_problem(mode, self->sizes[d], before, after);
        if (problem)
            return tni_raise_null(TN_ERROR_ARGUMENT,
                                  "mode '%s': (%" PRId64 ", %" PRId64 ") for dimension %" PRId64 " of self %s: %s", name,
                                  before, after, d, tni_show_tensor(self), problem);
        if (mode == PAD_CIRCULAR && tni_max_i64(before, after) > pad_kept(self->sizes[d], before, after).length)
            rounds[round_count++] = d;
        else
            cuts[count++] = pad_cut(mode, d, self->sizes[d], before, after);
    }
    if (!left)
        return tni_raise_null(TN_ERROR_ARGUMENT, "mode '%s': pad %s leaves nothing of self %s", name,
                              tni_show_dims(pad.values, pad.count), tni_show_tensor(self));
    bool channels_last = mode != PAD_CIRCULAR && tni_suggests_channels_last(self); /* as torch has it */
    tn_tensor *source = tni_tensor_retain(self);
    for (int64_t i = 0; source && i < round_count; i++)
        source = pad_go_round(source, rounds[i], plan.before[rounds[i]], plan.after[rounds[i]]);
    tn_tensor *result = source ? tni_move_new(self->ndim, plan.sizes, self->dtype, channels_last) : NULL;
    if (result)
        tni_move_cuts(result, source, cuts, count, NULL);
    tni_tensor_release(source);
    return result;
}

tn_tensor *tni_op_pad(const tn_tensor *self, tn_dims pad, const char *mode, tn_scalar value) {
    static const char *const names[] = {[PAD_REFLECT] = "reflect", [PAD_REPLICATE] = "replicate", [PAD_CIRCULAR] = "circular"};
    if (strcmp(mode, "constant") == 0)
        return pad_constant(self, pad, value.kind == TN_SCALAR_NONE ? tn_scalar_int(0) : value);
    for (size_t i = 0; i < TNI_COUNT_OF(names); i++) {
        if (strcmp(mode, names[i]) != 0)
            continue;
        char number[16];
        bool plain = value.kind == TN_SCALAR_NONE;
        if (!plain) { /* a 0 says nothing and is allowed, as torch does */
            tn_dtype_store(TN_COMPLEX128, number, value);
            plain = memcmp(number, (const char[16]){0}, sizeof number) == 0;
        }
        return plain ? pad_from_elements(self, pad, (pad_mode)i, names[i])
                     : tni_raise_null(TN_ERROR_ARGUMENT, "mode '%s' takes no value; %s was given", names[i],
                                      tni_show_scalar(value));
    }
    return tni_raise_null(TN_ERROR_ARGUMENT, "mode '%.20s' must be 'constant', 'reflect', 'replicate' or 'circular'", mode);
}

/* index_along.c - writing by position along one dimension. See index_along.h.
 *
 * A plain write moves elements as they are. Sums, products and extremes are formed in the dtype that tni_pick_wide names: for
 * the small floats and integers that is a copy of self in that dtype, which is rounded once, at the end. A sum of small
 * integers wraps before it is divided for a mean, as in PyTorch.
 */
#include "ops/index/index_along.h"

#include <float.h>
#include <math.h>

#include "base/error.h"
#include "operators_arithmetic.h"
#include "operators_create.h"
#include "ops/copy/copy.h"

static void along_describe(tni_pick *pick, const tn_tensor *self, const tni_along *along, tni_pick_mode mode) {
    tni_pick_along(pick, mode, self, along->dim, along->index, along->each);
    pick->wrap = along->wrap;
}

/* The neutral value of a place that does not count its old one: it changes nothing. */
static void along_neutral(tni_pick_mode mode, tn_dtype dtype, char *element) {
    bool real = tni_dtype_row(dtype)->kind == TN_KIND_FLOAT;
    tn_scalar value = tn_scalar_int(mode == TNI_PICK_MULTIPLY);
    if (mode == TNI_PICK_MAXIMUM)
        value = real ? tn_scalar_float(-INFINITY) : dtype == TN_UINT64 ? tn_scalar_int(0) : tn_scalar_int(INT64_MIN);
    else if (mode == TNI_PICK_MINIMUM)
        value = real ? tn_scalar_float(INFINITY) : dtype == TN_UINT64 ? tn_scalar_uint(UINT64_MAX) : tn_scalar_int(INT64_MAX);
    tn_dtype_store(dtype, element, value);
}

/* How many were added at each place, and divide by it. */
static tn_error along_divide(tn_tensor *self, const tni_along *along) {
    int64_t sizes[TN_MAX_DIMS];
    for (int64_t d = 0; d < self->ndim; d++)
        sizes[d] = along->each || d == along->dim ? self->sizes[d] : 1;
    tn_tensor *counts = tni_tensor_new(self->ndim, sizes, TN_INT64, tni_tensor_device(self));
    if (!counts)
        return tni_failed();
    tni_pick pick;
    int64_t one = 1;
    tn_error code = tni_fill_into(counts, tn_scalar_int(!along->fresh));
    along_describe(&pick, counts, along, TNI_PICK_ADD);
    tni_pick_element(&pick, &one);
    if (code == TN_OK)
        code = tni_pick_run(&pick);
    if (code == TN_OK)
        code = tni_op_clamp_min_(counts, tn_scalar_int(1));
    if (code == TN_OK)
        code = tni_dtype_row(self->dtype)->kind < TN_KIND_FLOAT ? tni_op_div_mode_(self, counts, "floor")
                                                                : tni_op_div_(self, counts);
    tni_tensor_release(counts);
    return code;
}

/* Operands have the dtype to work in, and share no memory with self. Both steps are prepared before the first one writes. */
static tn_error along_apply(tn_tensor *self, const tni_along *along) {
    _Alignas(16) char neutral[16];
    tni_pick forget, pick;
    tn_tensor *forget_offsets = NULL, *offsets = NULL;
    tn_error code = TN_OK;
    if (along->fresh) {
        along_neutral(along->mode, self->dtype, neutral);
        along_describe(&forget, self, along, TNI_PICK_WRITE);
        tni_pick_element(&forget, neutral);
        code = tni_pick_prepare(&forget, &forget_offsets);
    }
    if (code == TN_OK) {
        along_describe(&pick, self, along, along->mode);
        if (along->source)
            tni_pick_other(&pick, along->source);
        else
            tni_pick_element(&pick, along->element);
        code = tni_pick_prepare(&pick, &offsets);
    }
    if (code != TN_OK) {
        tni_tensor_release(forget_offsets);
        return code;
    }
    if (along->fresh)
        code = tni_pick_finish(&forget, forget_offsets);
    if (code == TN_OK)
        code = tni_pick_finish(&pick, offsets);
    return code == TN_OK && along->mean ? along_divide(self, along) : code;
}

static tn_error along_widened(tn_tensor *self, const tni_along *along, tn_dtype wide) {
    static const char reason[] = "sums, products and extremes are formed in a wider dtype";
    _Alignas(16) char element[16];
    tni_along wider = *along;
    tn_tensor *target = tni_clone_as(self, wide, TN_CONTIGUOUS, tni_tensor_device(self), reason), *source = NULL;
    if (target && along->source)
        source = tni_clone_as(along->source, wide, TN_PRESERVE, tni_tensor_device(self), reason);
    tn_error code = target && (source || !along->source) ? TN_OK : tni_failed();
    if (code == TN_OK) {
        wider.source = source;
        if (along->element) {
            tn_dtype_store(wide, element, tn_dtype_load(self->dtype, along->element));
            wider.element = element;
        }
        wider.mean = along->mean && (tn_dtype_is_floating(wide) || wide == (tn_dtype)self->dtype);
        code = along_apply(target, &wider);
    }
    if (code == TN_OK && along->mean && !wider.mean) {
        tn_tensor *wrapped = tni_clone_as(target, self->dtype, TN_CONTIGUOUS, tni_tensor_device(self), reason);
        tni_tensor_release(target);
        target = wrapped;
        code = target ? along_divide(target, &wider) : tni_failed();
    }
    if (code == TN_OK)
        code = tni_copy_into(self, target, reason);
    tni_tensor_release(source);
    tni_tensor_release(target);
    return code;
}

bool tni_along_allows(const tn_tensor *self, tni_pick_mode mode, bool mean, tn_dtype *wide) {
    *wide = mean && self->dtype == TN_BOOL ? TN_DTYPE_DEFAULT : tni_pick_wide(self->dtype, mode);
    if (*wide != TN_DTYPE_DEFAULT)
        return true;
    tni_raise(TN_ERROR_DTYPE, "there is no such reduction for self %s", tni_show_tensor(self));
    return false;
}

tn_error tni_along_write(tn_tensor *self, const tni_along *along) {
    tn_dtype wide = along->mode == TNI_PICK_WRITE ? (tn_dtype)self->dtype : along->wide;
    if (wide != (tn_dtype)self->dtype || along->mean) /* counting for a mean may fail after the sum: not in self itself */
        return along_widened(self, along, wide);
    tni_along apart = *along;
    tn_tensor *index = tni_pick_apart(self, along->index), *source = NULL;
    if (index && along->source)
        source = tni_pick_apart(self, along->source);
    apart.index = index;
    apart.source = source;
    tn_error code = index && (source || !along->source) ? along_apply(self, &apart) : tni_failed();
    tni_tensor_bump_after(self, code);
    tni_tensor_release(source);
    tni_tensor_release(index);
    return code;
}

bool tni_along_reduce(const char *reduce, bool sum, bool include_self, tni_along *along) {
    static const struct along_name {
        const char *name;
        tni_pick_mode mode;
    } names[] = {{"sum", TNI_PICK_ADD},
                 {"mean", TNI_PICK_ADD},
                 {"prod", TNI_PICK_MULTIPLY},
                 {"amax", TNI_PICK_MAXIMUM},
                 {"amin", TNI_PICK_MINIMUM}};
    for (size_t i = sum ? 0 : 1; i < TNI_COUNT_OF(names); i++)
        if (strcmp(reduce, names[i].name) == 0) {
            along->mode = names[i].mode;
            along->mean = strcmp(reduce, "mean") == 0;
            along->fresh = !include_self;
            return true;
        }
    tni_raise(TN_ERROR_ARGUMENT, "reduce is \"%s\"; it may be %s\"prod\", \"mean\", \"amax\" or \"amin\"", reduce,
              sum ? "\"sum\", " : "");
    return false;
}

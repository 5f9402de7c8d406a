/* optimizer_step.c - one step of all parameters: first everything that can fail, then one loop over all elements.
 *
 * A parameter, its gradient and its state are walked as one run of memory. For that they have the same dense strides, which is what
 * states are made with and gradients mostly have, and are float32 or float64, a complex tensor being its real view. What is
 * otherwise (a gradient of other strides, a parameter that is a slice, 16-bit floats) is copied to that form and copied back
 * afterwards. Pieces are cut by the data, so bits do not depend on threads. Parameters do not overlap (optimizer.c); a gradient that
 * somebody has put into the memory of a parameter is copied, so that all gradients are those from before the step.
 */
#include <string.h>

#include "base/error.h"
#include "base/heap.h"
#include "base/parallel.h"
#include "base/scope.h"
#include "kernels/table.h"
#include "operators_view.h"
#include "operators_copy.h"
#include "operators_create.h"
#include "train/limits.h"
#include "train/optimizer.h"

enum { STEP_ARRAYS = 2 + TNI_STEP_STATES };

typedef struct step_work {
    tni_optimizer_slot *slot, next; /* the slot as it will be: its step counted, its numbers changed */
    tni_step_function loop;
    tn_tensor *given[STEP_ARRAYS], *arrays[STEP_ARRAYS]; /* as they are, and in the form that is walked */
    void *data[STEP_ARRAYS];
    double numbers[TNI_STEP_NUMBERS];
    size_t item;
    int64_t count, first_piece;
} step_work;

/* ---- the form that is walked */

static bool step_same_strides(const tn_tensor *a, const tn_tensor *b) {
    tn_dims sizes = tn_sizes(a), x = tn_strides(a), y = tn_strides(b);
    for (int64_t d = 0; d < sizes.count; d++)
        if (sizes.values[d] != 1 && x.values[d] != y.values[d])
            return false;
    return true;
}

/* Index 0, 0, ... is the lowest address. */
static bool step_ascends(const tn_tensor *tensor) {
    tn_dims sizes = tn_sizes(tensor), strides = tn_strides(tensor);
    for (int64_t d = 0; d < sizes.count; d++)
        if (sizes.values[d] > 1 && strides.values[d] < 0)
            return false;
    return true;
}

static tn_tensor *step_real(tn_tensor *tensor) {
    return tn_dtype_is_complex(tn_dtype_of(tensor)) ? tn_view_as_real(tensor) : tensor;
}

/* The tensor itself where it has the strides and dtype of `form`, otherwise a copy that has. */
static tn_tensor *step_formed(tn_tensor *tensor, const tn_tensor *form) {
    if (tn_dtype_of(tensor) == tn_dtype_of(form) && step_same_strides(tensor, form))
        return tensor;
    tn_tensor *copy = tn_empty_like(form, TN_DTYPE_DEFAULT, TN_PRESERVE);
    return copy ? tn_copy_(copy, tensor) : NULL;
}

/* Everything of one parameter in one form. */
static bool step_arrange(step_work *work) {
    tn_tensor *parameter = step_real(work->given[0]);
    if (!parameter)
        return false;
    tn_dtype dtype = tn_dtype_of(parameter) == TN_FLOAT64 ? TN_FLOAT64 : TN_FLOAT32;
    tn_tensor *form = parameter;
    if (!step_ascends(parameter))
        form = tn_empty_like(parameter, dtype, TN_CONTIGUOUS);
    else if (dtype != tn_dtype_of(parameter) || !tn_is_non_overlapping_and_dense(parameter))
        form = tn_empty_like(parameter, dtype, TN_PRESERVE);
    for (int i = 0; form && i < STEP_ARRAYS; i++) {
        if (!work->given[i])
            continue;
        tn_tensor *real = step_real(work->given[i]);
        if (!real || !(work->arrays[i] = step_formed(real, form)))
            return false;
        work->given[i] = real;
        work->data[i] = i == 1 ? (void *)(uintptr_t)tn_data(work->arrays[i]) : tn_mutable_data(work->arrays[i]);
        if (!work->data[i] && tn_numel(work->arrays[i]) > 0)
            return false;
    }
    if (!form)
        return false;
    work->item = tni_dtype_size(dtype);
    work->count = tn_numel(form);
    return true;
}

/* ---- before anything is changed */

static bool step_make_states(const tn_optimizer *optimizer, tni_optimizer_slot *slot, const double *settings) {
    const tni_optimizer_kind *kind = optimizer->kind;
    unsigned wants = kind->wants(settings);
    for (int i = 0; i < TNI_STEP_STATES && kind->states[i]; i++) {
        if (!(wants >> i & 1) || slot->states[i])
            continue;
        double value = kind->initial ? kind->initial(settings, i) : 0;
        tn_tensor *made = tn_empty_like(slot->parameter->tensor, TN_DTYPE_DEFAULT, TN_PRESERVE);
        if (!made || !tn_fill_(step_real(made), tn_scalar_float(value)))
            return false;
        tni_object_retain(&made->object); /* the scope around keeps its own */
        tni_optimizer_slot_put(slot, i, made);
    }
    return true;
}

static bool step_check(const tni_optimizer_slot *slot, const tn_tensor *gradient) {
    if (tn_is_readonly(slot->parameter->tensor))
        return tni_raise(TN_ERROR_READONLY, "parameter \"%s\" is read-only", slot->parameter->name) == TN_OK;
    if (tn_overlaps_itself(slot->parameter->tensor))
        return tni_raise(TN_ERROR_OVERLAP, "parameter \"%s\" has several elements in one place of memory",
                         slot->parameter->name) == TN_OK;
    if (tn_dtype_is_complex(tn_dtype_of(gradient)) != tn_dtype_is_complex(tn_dtype_of(slot->parameter->tensor)))
        return tni_raise(TN_ERROR_DTYPE, "parameter \"%s\" is %s, and its gradient %s", slot->parameter->name,
                         tn_dtype_name(tn_dtype_of(slot->parameter->tensor)), tn_dtype_name(tn_dtype_of(gradient))) == TN_OK;
    return true;
}

/* Whether a gradient may lie where a parameter does: only tn_tensor_set_grad makes such ones, and others are alone in their storage. */
static bool step_shares(const tn_optimizer *optimizer, const tn_tensor *gradient) {
    if (tni_object_is_last(&gradient->storage->object))
        return false;
    for (int64_t i = 0; i < optimizer->slot_count; i++)
        if (optimizer->slots[i].parameter->tensor->storage == gradient->storage)
            return true;
    return false;
}

static bool step_begin(const tn_optimizer *optimizer, tni_optimizer_slot *slot, tn_tensor *gradient, step_work *work) {
    if (step_shares(optimizer, gradient) && !(gradient = tn_clone(gradient, TN_PRESERVE)))
        return false;
    const double *settings = optimizer->groups[slot->group].settings;
    const tni_optimizer_kind *kind = optimizer->kind;
    if (!step_make_states(optimizer, slot, settings))
        return false;
    work->slot = slot;
    work->next = *slot;
    if (!slot->started && kind->begin)
        kind->begin(settings, &work->next);
    work->next.step++;
    work->next.started = true;
    kind->prepare(settings, &work->next, work->numbers);
    unsigned wants = kind->wants(settings);
    work->given[0] = slot->parameter->tensor;
    work->given[1] = gradient;
    for (int i = 0; i < TNI_STEP_STATES; i++)
        work->given[2 + i] = wants >> i & 1 ? slot->states[i] : NULL;
    if (!step_arrange(work))
        return false;
    work->loop = tni_kernels()->step[2 * (int)kind->loop + (work->item == 8)];
    if (!work->loop)
        return tni_raise(TN_ERROR_UNSUPPORTED, "this build of the library was made without the part \"train\"") == TN_OK;
    return true;
}

/* ---- the loop */

typedef struct step_all {
    const step_work *works;
    int64_t count;
} step_all;

static void step_pieces(void *argument, int64_t begin, int64_t end) {
    const step_all *all = argument;
    int64_t low = 0, high = all->count - 1; /* the last work that begins at or before this piece */
    while (low < high) {
        int64_t middle = (low + high + 1) / 2;
        if (all->works[middle].first_piece <= begin)
            low = middle;
        else
            high = middle - 1;
    }
    for (int64_t piece = begin; piece < end; piece++) {
        while (low + 1 < all->count && all->works[low + 1].first_piece <= piece)
            low++;
        const step_work *work = &all->works[low];
        int64_t from = (piece - work->first_piece) * STEP_PIECE;
        void *data[STEP_ARRAYS];
        for (int i = 0; i < STEP_ARRAYS; i++)
            data[i] = work->data[i] ? (char *)work->data[i] + (size_t)from * work->item : NULL;
        work->loop(data, tni_min_i64(STEP_PIECE, work->count - from), work->numbers);
    }
}

static tn_error step_run(step_work *works, int64_t count) {
    int64_t pieces = 0, kept = 0;
    for (int64_t i = 0; i < count; i++) {
        works[i].first_piece = pieces;
        pieces += (works[i].count + STEP_PIECE - 1) / STEP_PIECE;
        kept += works[i].count > 0;
    }
    step_all all = {works, count};
    if (kept && !tni_parallel_for(pieces, 1, step_pieces, &all))
        return tni_failed();
    for (int64_t i = 0; i < count; i++) {
        for (int k = 0; k < STEP_ARRAYS; k++)
            if (k != 1 && works[i].arrays[k] != works[i].given[k] && !tn_copy_(works[i].given[k], works[i].arrays[k]))
                return tni_failed();
        *works[i].slot = works[i].next;
    }
    return TN_OK;
}

static tn_error step_elements(tn_optimizer *optimizer) {
    size_t bytes = (size_t)(optimizer->slot_count + 1) * sizeof(step_work);
    step_work *works = tni_heap_calloc(bytes);
    if (!works)
        return tni_failed();
    tn_error code = TN_OK;
    int64_t count = 0;
    for (int64_t i = 0; i < optimizer->slot_count && code == TN_OK; i++) {
        tni_optimizer_slot *slot = &optimizer->slots[i];
        tn_tensor *gradient = tni_parameter_gradient(slot->parameter->tensor);
        if (gradient && step_begin(optimizer, slot, gradient, &works[count]))
            count++;
        else if (gradient)
            code = tni_failed();
    }
    if (code == TN_OK)
        code = step_run(works, count);
    tni_heap_free(works, bytes);
    return code;
}

static tn_error step_of_operators(tn_optimizer *optimizer) {
    for (int pass = 0; pass < 2; pass++) /* memory for state first */
        for (int64_t i = 0; i < optimizer->slot_count; i++) {
            tni_optimizer_slot *slot = &optimizer->slots[i];
            const double *settings = optimizer->groups[slot->group].settings;
            tn_tensor *gradient = tni_parameter_gradient(slot->parameter->tensor);
            if (!gradient)
                continue;
            tn_scope scope = tni_scope_open_hidden();
            tn_error code =
                pass ? optimizer->kind->move(settings, slot, gradient) : optimizer->kind->make(settings, slot, gradient);
            (void)tni_scope_close_hidden(scope, NULL);
            if (code != TN_OK)
                return code;
        }
    return TN_OK;
}

tn_error tni_optimizer_step_all(tn_optimizer *optimizer) {
    for (int64_t g = 0; g < optimizer->group_count; g++)
        if (optimizer->kind->check && !optimizer->kind->check(optimizer->groups[g].settings))
            return TN_ERROR_ARGUMENT;
    for (int64_t i = 0; i < optimizer->slot_count; i++) {
        const tn_tensor *gradient = tni_parameter_gradient(optimizer->slots[i].parameter->tensor);
        if (gradient && !step_check(&optimizer->slots[i], gradient))
            return tni_failed();
    }
    return optimizer->kind->prepare ? step_elements(optimizer) : step_of_operators(optimizer);
}

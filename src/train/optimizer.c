/* optimizer.c - optimisers as objects: groups, settings, and their state as named tensors. See tenon/train.h. */
#include "train/optimizer.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/aside.h"
#include "base/error.h"
#include "base/heap.h"
#include "base/scope.h"
#include "operators_copy.h"
#include "operators_create.h"
#include "tensor/check.h"

/* ---- the object */

void tni_optimizer_slot_put(tni_optimizer_slot *slot, int state, tn_tensor *made) {
    if (slot->states[state])
        tni_object_drop(&slot->states[state]->object);
    if (made)
        tni_object_hand_over(&made->object);
    slot->states[state] = made;
}

void tni_optimizer_slot_clear(tni_optimizer_slot *slot) {
    for (int i = 0; i < TNI_SLOT_STATES; i++)
        tni_optimizer_slot_put(slot, i, NULL);
    slot->started = false;
    slot->step = 0;
    memset(slot->numbers, 0, sizeof slot->numbers);
}

static void optimizer_destroy(tni_object *object) {
    tn_optimizer *optimizer = (tn_optimizer *)object;
    for (int64_t i = 0; i < optimizer->slot_count; i++)
        tni_optimizer_slot_clear(&optimizer->slots[i]);
    if (optimizer->slot_capacity)
        tni_heap_free(optimizer->slots, optimizer->slot_capacity * sizeof *optimizer->slots);
    for (int64_t g = 0; g < optimizer->group_count; g++)
        tni_object_drop(&optimizer->groups[g].parameters->object);
    if (optimizer->group_capacity)
        tni_heap_free(optimizer->groups, optimizer->group_capacity * sizeof *optimizer->groups);
    tni_lbfgs_free(optimizer->lbfgs);
    object->class = &tni_dead_class;
    tni_heap_free(optimizer, sizeof *optimizer);
}

const tni_class tni_optimizer_class = {"optimizer", optimizer_destroy};

static bool optimizer_live(const tn_optimizer *optimizer, const char *function) {
    const char *outer = tni_operator_enter(function);
    bool live = tni_check_optimizer(optimizer, "optimizer");
    tni_operator_leave(outer);
    return live;
}

tn_optimizer *tn_optimizer_retain(const tn_optimizer *optimizer) {
    if (!optimizer || !optimizer_live(optimizer, "optimizer_retain"))
        return NULL;
    tn_optimizer *counted = (tn_optimizer *)(uintptr_t)optimizer;
    tni_object_retain(&counted->object);
    return counted;
}

void tn_optimizer_release(tn_optimizer *optimizer) {
    if (optimizer && optimizer_live(optimizer, "optimizer_release"))
        tni_scope_release(&optimizer->object, "optimizer_release");
}

tn_optimizer *tn_optimizer_keep(tn_optimizer *optimizer) {
    if (!optimizer || !optimizer_live(optimizer, "optimizer_keep"))
        return NULL;
    if (!tni_scope_forget(&optimizer->object))
        tni_object_retain(&optimizer->object);
    return optimizer;
}

/* ---- kinds and settings */

static const tni_optimizer_kind *kind_find(const char *name) {
    for (int64_t i = 0; name && i < tni_optimizer_kind_count; i++)
        if (strcmp(tni_optimizer_kinds[i].name, name) == 0)
            return &tni_optimizer_kinds[i];
    return NULL;
}

int64_t tni_setting_place(const tni_optimizer_kind *kind, const char *name) {
    for (int64_t i = 0; name && kind->settings[i].name; i++)
        if (strcmp(kind->settings[i].name, name) == 0)
            return i;
    return -1;
}

const char *tn_optimizer_kind_name(int64_t number) {
    return number >= 0 && number < tni_optimizer_kind_count ? tni_optimizer_kinds[number].name : NULL;
}

const char *tn_optimizer_setting_name(const char *kind, int64_t number) {
    const tni_optimizer_kind *row = kind_find(kind);
    for (int64_t i = 0; row && number >= 0 && row->settings[i].name; i++)
        if (i == number)
            return row->settings[i].name;
    return NULL;
}

double tn_optimizer_setting_default(const char *kind, const char *setting) {
    const tni_optimizer_kind *row = kind_find(kind);
    int64_t place = row ? tni_setting_place(row, setting) : -1;
    return place < 0 ? (double)NAN : row->settings[place].initial;
}

/* NULL where the value is in its range, otherwise what it should be. */
static const char *setting_wrong(tni_setting_range range, double value) {
    switch (range) {
    case TNI_SETTING_ANY: return NULL;
    case TNI_SETTING_NOT_NEGATIVE: return value >= 0 ? NULL : "not negative";
    case TNI_SETTING_SHARE: return value >= 0 && value < 1 ? NULL : "from 0 to below 1";
    case TNI_SETTING_SHARE_CLOSED: return value >= 0 && value <= 1 ? NULL : "from 0 to 1";
    case TNI_SETTING_BETWEEN: return value > 0 && value < 1 ? NULL : "between 0 and 1";
    case TNI_SETTING_FROM_ONE: return value >= 1 ? NULL : "1 or more";
    case TNI_SETTING_ABOVE_ONE: return value > 1 ? NULL : "more than 1";
    case TNI_SETTING_NOT_POSITIVE: return value <= 0 ? NULL : "not positive";
    case TNI_SETTING_SWITCH: return value == 0 || value == 1 ? NULL : "0 or 1";
    case TNI_SETTING_COUNT: return value >= -1 && value <= 1e9 && value == floor(value) ? NULL : "a whole number";
    }
    return NULL;
}

static int64_t setting_check(const tni_optimizer_kind *kind, const char *setting, double value) {
    int64_t place = tni_setting_place(kind, setting);
    if (place < 0) {
        (void)tni_raise(TN_ERROR_ARGUMENT, "%s has no setting \"%s\"", kind->name, setting ? setting : "(NULL)");
        return -1;
    }
    const char *wrong = setting_wrong(kind->settings[place].range, value);
    if (wrong) {
        (void)tni_raise(TN_ERROR_ARGUMENT, "%s of %s is %s, not %g", setting, kind->name, wrong, value);
        return -1;
    }
    return place;
}

/* ---- groups */

/* Whether a tensor may be stepped beside another: threads step both at once. */
static bool group_apart(const tni_named *item, const tni_named *other, int64_t group) {
    if (item->tensor == other->tensor && group >= 0)
        return tni_raise(TN_ERROR_ARGUMENT, "parameter \"%s\" is in group %" PRId64 " already", item->name, group) == TN_OK;
    if (item->tensor == other->tensor)
        return tni_raise(TN_ERROR_ARGUMENT, "parameters \"%s\" and \"%s\" are the same tensor", other->name, item->name) ==
               TN_OK;
    if (item->tensor->storage == other->tensor->storage && tni_tensors_overlap(item->tensor, other->tensor))
        return tni_raise(TN_ERROR_OVERLAP, "parameters \"%s\" and \"%s\" have elements in the same place of memory",
                         other->name, item->name) == TN_OK;
    return true;
}

static bool group_takes(const tn_optimizer *optimizer, const tni_named *item) {
    const tni_optimizer_kind *kind = optimizer->kind;
    tn_dtype dtype = tn_dtype_of(item->tensor);
    bool complex = tn_dtype_is_complex(dtype);
    if (!tn_dtype_is_floating(dtype) && (!complex || kind->real))
        return tni_raise(TN_ERROR_DTYPE, "parameter \"%s\" is %s, and %s takes floating-point%s tensors", item->name,
                         tn_dtype_name(dtype), kind->name, kind->real ? "" : " and complex") == TN_OK;
    if (kind->matrices && tn_ndim(item->tensor) != 2)
        return tni_raise(TN_ERROR_SHAPE, "parameter \"%s\" has %" PRId64 " dimensions, and %s takes matrices", item->name,
                         tn_ndim(item->tensor), kind->name) == TN_OK;
    if (tn_device_of(item->tensor).type != TN_CPU)
        return tni_raise(TN_ERROR_DEVICE, "parameter \"%s\" is not in the CPU's memory", item->name) == TN_OK;
    for (int64_t i = 0; i < optimizer->slot_count; i++)
        if (!group_apart(item, optimizer->slots[i].parameter, optimizer->slots[i].group))
            return false;
    return true;
}

/* A copy of the set, so that what is added to the original later does not take part. */
static tn_parameters *group_copy(const tn_parameters *parameters) {
    tn_parameters *copy = tni_parameters_make();
    for (int64_t i = 0; copy && i < parameters->count; i++)
        if (!tni_parameters_put(copy, parameters->items[i].name, parameters->items[i].tensor)) {
            tni_object_release(&copy->object);
            return NULL;
        }
    return copy;
}

static bool group_check(const tn_optimizer *optimizer, const tn_parameters *parameters) {
    if (parameters->count == 0)
        return tni_raise(TN_ERROR_ARGUMENT, "there are no parameters") == TN_OK;
    for (int64_t i = 0; i < parameters->count; i++) {
        if (!group_takes(optimizer, &parameters->items[i]))
            return false;
        for (int64_t j = 0; j < i; j++)
            if (!group_apart(&parameters->items[i], &parameters->items[j], -1))
                return false;
    }
    return true;
}

static bool group_add(tn_optimizer *optimizer, const tn_parameters *parameters) {
    if (!group_check(optimizer, parameters))
        return false;
    void *groups = optimizer->groups, *slots = optimizer->slots;
    if (!tni_heap_grow(&groups, &optimizer->group_capacity, (size_t)optimizer->group_count + 1, sizeof *optimizer->groups))
        return false;
    optimizer->groups = groups;
    if (!tni_heap_grow(&slots, &optimizer->slot_capacity, (size_t)(optimizer->slot_count + parameters->count),
                       sizeof *optimizer->slots))
        return false;
    optimizer->slots = slots;
    tn_parameters *copy = group_copy(parameters);
    if (!copy)
        return false;
    tni_object_hand_over(&copy->object);
    tni_group *group = &optimizer->groups[optimizer->group_count];
    group->parameters = copy;
    memcpy(group->settings, optimizer->settings, sizeof group->settings);
    group->scheduled = false;
    for (int64_t i = 0; i < copy->count; i++)
        optimizer->slots[optimizer->slot_count++] =
            (tni_optimizer_slot){.parameter = &copy->items[i], .group = optimizer->group_count};
    optimizer->group_count++;
    return true;
}

static tn_optimizer *optimizer_make(const char *name, const tn_parameters *parameters) {
    const tni_optimizer_kind *kind = kind_find(name);
    if (!kind)
        return tni_raise_null(TN_ERROR_ARGUMENT,
                              "there is no optimiser \"%s\"; there are sgd, adam, adamw and others (tenon/train.h)",
                              name ? name : "(NULL)");
    if (!tni_check_parameters(parameters, "parameters"))
        return NULL;
    tn_optimizer *optimizer = tni_heap_calloc(sizeof *optimizer);
    if (!optimizer)
        return NULL;
    tni_object_init(&optimizer->object, &tni_optimizer_class);
    optimizer->kind = kind;
    for (int64_t i = 0; kind->settings[i].name; i++)
        optimizer->settings[i] = kind->settings[i].initial;
    if (group_add(optimizer, parameters))
        return optimizer;
    tni_object_release(&optimizer->object);
    return NULL;
}

tn_optimizer *tn_optimizer_new(const char *kind, const tn_parameters *parameters) {
    const char *outer = tni_operator_enter("optimizer_new");
    tn_optimizer *optimizer = optimizer_make(kind, parameters);
    tni_operator_leave(outer);
    return tni_scope_adopt(optimizer);
}

const char *tn_optimizer_kind(const tn_optimizer *optimizer) {
    return optimizer_live(optimizer, "optimizer_kind") ? optimizer->kind->name : NULL;
}

int64_t tn_optimizer_add_group(tn_optimizer *optimizer, const tn_parameters *parameters) {
    const char *outer = tni_operator_enter("optimizer_add_group");
    bool added = tni_check_optimizer(optimizer, "optimizer") && tni_check_parameters(parameters, "parameters");
    if (added && !optimizer->kind->prepare && !optimizer->kind->move)
        added = tni_raise(TN_ERROR_ARGUMENT, "%s has one group of parameters", optimizer->kind->name) == TN_OK;
    added = added && group_add(optimizer, parameters);
    tni_operator_leave(outer);
    return added ? optimizer->group_count - 1 : -1;
}

int64_t tn_optimizer_group_count(const tn_optimizer *optimizer) {
    return optimizer_live(optimizer, "optimizer_group_count") ? optimizer->group_count : -1;
}

static bool group_exists(const tn_optimizer *optimizer, int64_t group) {
    if (group >= 0 && group < optimizer->group_count)
        return true;
    return tni_raise(TN_ERROR_INDEX, "there is no group %" PRId64 " among %" PRId64, group, optimizer->group_count) == TN_OK;
}

tn_error tn_optimizer_set(tn_optimizer *optimizer, const char *setting, double value) {
    const char *outer = tni_operator_enter("optimizer_set");
    int64_t place = tni_check_optimizer(optimizer, "optimizer") ? setting_check(optimizer->kind, setting, value) : -1;
    if (place >= 0) {
        optimizer->settings[place] = value;
        for (int64_t g = 0; g < optimizer->group_count; g++)
            optimizer->groups[g].settings[place] = value;
    }
    tni_operator_leave(outer);
    return place < 0 ? TN_ERROR_ARGUMENT : TN_OK;
}

tn_error tn_optimizer_set_group(tn_optimizer *optimizer, int64_t group, const char *setting, double value) {
    const char *outer = tni_operator_enter("optimizer_set_group");
    tn_error code = tni_check_optimizer(optimizer, "optimizer") ? TN_OK : TN_ERROR_ARGUMENT;
    if (code == TN_OK && !group_exists(optimizer, group))
        code = TN_ERROR_INDEX;
    int64_t place = code == TN_OK ? setting_check(optimizer->kind, setting, value) : -1;
    if (place >= 0)
        optimizer->groups[group].settings[place] = value;
    else if (code == TN_OK)
        code = TN_ERROR_ARGUMENT;
    tni_operator_leave(outer);
    return code;
}

double tn_optimizer_get(const tn_optimizer *optimizer, int64_t group, const char *setting) {
    const char *outer = tni_operator_enter("optimizer_get");
    double value = (double)NAN;
    if (tni_check_optimizer(optimizer, "optimizer") && group_exists(optimizer, group)) {
        int64_t place = tni_setting_place(optimizer->kind, setting);
        if (place >= 0)
            value = optimizer->groups[group].settings[place];
        else
            (void)tni_raise(TN_ERROR_ARGUMENT, "%s has no setting \"%s\"", optimizer->kind->name, setting ? setting : "(NULL)");
    }
    tni_operator_leave(outer);
    return value;
}

/* ---- steps */

tn_error tni_closure_run(tn_closure closure, void *ctx, double *loss) {
    *loss = (double)NAN;
    tn_scope scope = tn_scope_open();
    tn_grad_mode before = tn_grad_mode_set(TN_GRAD_ON);
    tn_error code = closure(ctx, loss);
    (void)tn_grad_mode_set(before);
    (void)tn_scope_close(scope);
    return code;
}

static tn_error optimizer_step(tn_optimizer *optimizer) {
    if (!optimizer->kind->prepare && !optimizer->kind->move)
        return tni_raise(TN_ERROR_ARGUMENT, "%s computes the loss itself: use tn_optimizer_step_closure",
                         optimizer->kind->name);
    tni_quiet quiet = tni_quiet_begin();
    tn_error code = tni_optimizer_step_all(optimizer);
    tni_quiet_end(quiet);
    return code;
}

tn_error tn_optimizer_step(tn_optimizer *optimizer) {
    const char *outer = tni_operator_enter("optimizer_step");
    tn_error code = tni_check_optimizer(optimizer, "optimizer") ? optimizer_step(optimizer) : TN_ERROR_ARGUMENT;
    tni_operator_leave(outer);
    return code;
}

tn_error tn_optimizer_minimize(tn_optimizer *optimizer, const tn_tensor *loss) {
    const char *outer = tni_operator_enter("optimizer_minimize");
    tn_error code = tni_check_optimizer(optimizer, "optimizer") && tni_check_tensor(loss, "loss") ? TN_OK : tni_failed();
    tni_operator_leave(outer);
    if (code == TN_OK && (optimizer->kind->prepare || optimizer->kind->move)) { /* another kind's step says what is wrong */
        code = tn_optimizer_zero_grad(optimizer, true);
        if (code == TN_OK)
            code = tn_backward(loss, NULL);
    }
    return code == TN_OK ? tn_optimizer_step(optimizer) : code;
}

tn_error tn_optimizer_step_closure(tn_optimizer *optimizer, tn_closure closure, void *ctx, double *loss) {
    if (!optimizer_live(optimizer, "optimizer_step_closure"))
        return TN_ERROR_ARGUMENT;
    if (!closure)
        return tni_raise_in("optimizer_step_closure", TN_ERROR_ARGUMENT, "closure is NULL");
    double first;
    if (!optimizer->kind->prepare && !optimizer->kind->move)
        return tni_lbfgs_step(optimizer, closure, ctx, loss ? loss : &first);
    tn_error code = tni_closure_run(closure, ctx, loss ? loss : &first);
    return code == TN_OK ? tn_optimizer_step(optimizer) : code;
}

tn_error tn_optimizer_zero_grad(const tn_optimizer *optimizer, bool free) {
    if (!optimizer_live(optimizer, "optimizer_zero_grad"))
        return TN_ERROR_ARGUMENT;
    for (int64_t g = 0; g < optimizer->group_count; g++) {
        tn_error code = tn_parameters_zero_grad(optimizer->groups[g].parameters, free);
        if (code != TN_OK)
            return code;
    }
    return TN_OK;
}

/* ---- state as named tensors */

enum { STATE_NAME = 512 };

/* "<parameter>.<name>", with the group before it where that is not the first. False, raised, where it is too long. */
static bool state_name(const tni_optimizer_slot *slot, const char *name, char text[STATE_NAME]) {
    int length = slot->group ? snprintf(text, STATE_NAME, "%" PRId64 ".%s.%s", slot->group, slot->parameter->name, name)
                             : snprintf(text, STATE_NAME, "%s.%s", slot->parameter->name, name);
    return length < STATE_NAME ||
           tni_raise(TN_ERROR_ARGUMENT, "the name of parameter \"%.40s...\" is too long for one of its state",
                     slot->parameter->name) == TN_OK;
}

/* Adds to a state. Group 1's "w" and group 0's "1.w" would have the same names: refused, for who reads it could not tell them apart. */
static bool state_add(tn_parameters *state, const char *text, tn_tensor *tensor) {
    if (tni_parameters_get(state, text))
        return tni_raise(TN_ERROR_ARGUMENT, "two parameters have a state named \"%s\"", text) == TN_OK;
    return tni_parameters_put(state, text, tensor);
}

static bool state_put_number(tn_parameters *state, const tni_optimizer_slot *slot, const char *name, double value) {
    char text[STATE_NAME];
    if (!state_name(slot, name, text))
        return false;
    tn_tensor *tensor =
        tn_full(((tn_dims){NULL, 0}), tn_scalar_float(value), strcmp(name, "step") == 0 ? TN_FLOAT32 : tn_default_dtype());
    return tensor && state_add(state, text, tensor);
}

static bool state_put(const tn_optimizer *optimizer, const tni_optimizer_slot *slot, tn_parameters *state) {
    const tni_optimizer_kind *kind = optimizer->kind;
    if (kind->counts && !state_put_number(state, slot, "step", slot->step))
        return false;
    for (int i = 0; i < TNI_SLOT_NUMBERS && kind->numbers[i]; i++)
        if (!state_put_number(state, slot, kind->numbers[i], slot->numbers[i]))
            return false;
    for (int i = 0; i < TNI_SLOT_STATES && kind->states[i]; i++) {
        char text[STATE_NAME];
        tn_tensor *copy = NULL;
        if (slot->states[i] && (!state_name(slot, kind->states[i], text) || !(copy = tn_clone(slot->states[i], TN_PRESERVE)) ||
                                !state_add(state, text, copy)))
            return false;
    }
    return true;
}

static bool state_collect(const tn_optimizer *optimizer, tn_parameters *state) {
    if (!optimizer->kind->prepare && !optimizer->kind->move)
        return tni_lbfgs_state(optimizer, state) == TN_OK;
    for (int64_t i = 0; i < optimizer->slot_count; i++)
        if (optimizer->slots[i].started && !state_put(optimizer, &optimizer->slots[i], state))
            return false;
    return true;
}

tn_parameters *tn_optimizer_state(const tn_optimizer *optimizer) {
    const char *outer = tni_operator_enter("optimizer_state");
    tn_parameters *state = tni_check_optimizer(optimizer, "optimizer") ? tni_parameters_make() : NULL;
    if (state) {
        tni_quiet quiet = tni_quiet_begin();
        bool done = state_collect(optimizer, state);
        tni_quiet_end(quiet);
        if (!done) {
            tni_object_release(&state->object);
            state = NULL;
        }
    }
    tni_operator_leave(outer);
    return tni_scope_adopt(state);
}

/* The state that a parameter has under these settings, in sizes alone: a tensor of that state's sizes, borrowed, or NULL where there
 * is none. `made` holds what had to be made for that. */
static tn_error state_expected(const tn_optimizer *optimizer, const tni_optimizer_slot *slot, tni_optimizer_slot *made,
                               const tn_tensor **expected) {
    const tni_optimizer_kind *kind = optimizer->kind;
    const double *settings = optimizer->groups[slot->group].settings;
    *made = (tni_optimizer_slot){.parameter = slot->parameter, .group = slot->group};
    if (kind->make) {
        tn_error code = kind->make(settings, made, slot->parameter->tensor);
        if (code != TN_OK)
            return code;
    }
    for (int i = 0; i < TNI_SLOT_STATES; i++)
        expected[i] = kind->make ? made->states[i] : kind->wants(settings) >> i & 1 ? slot->parameter->tensor : NULL;
    return TN_OK;
}

static bool state_same_sizes(const tn_tensor *a, const tn_tensor *b) {
    tn_dims x = tn_sizes(a), y = tn_sizes(b);
    return x.count == y.count && (!x.count || memcmp(x.values, y.values, (size_t)x.count * sizeof *x.values) == 0);
}

/* The numbers of a slot's state, into `read`; *numbers are there, of the *wanted ones. */
static tn_error state_read_numbers(const tn_optimizer *optimizer, const tn_parameters *state, tni_optimizer_slot *read,
                                   int64_t *numbers, int64_t *wanted) {
    const tni_optimizer_kind *kind = optimizer->kind;
    const char *names[TNI_SLOT_NUMBERS + 1] = {kind->counts ? "step" : NULL};
    double *places[TNI_SLOT_NUMBERS + 1] = {&read->step};
    char text[STATE_NAME];
    *numbers = 0;
    *wanted = kind->counts;
    for (int i = 0; i < TNI_SLOT_NUMBERS && kind->numbers[i]; i++, ++*wanted) {
        names[*wanted] = kind->numbers[i];
        places[*wanted] = &read->numbers[i];
    }
    for (int64_t i = 0; i < *wanted; i++) {
        if (!state_name(read, names[i], text))
            return TN_ERROR_ARGUMENT;
        const tn_tensor *tensor = tni_parameters_get(state, text);
        if (tensor && tn_numel(tensor) != 1)
            return tni_raise(TN_ERROR_SHAPE, "\"%s\" is one number, not %" PRId64, text, tn_numel(tensor));
        if (tensor) {
            *places[i] = tn_item_double(tensor);
            ++*numbers;
        }
    }
    return TN_OK;
}

/* Its tensors, borrowed; *tensors of them are there, and *whole says whether those are all. One that the settings do without may be
 * there, too, of the parameter's sizes. */
static tn_error state_read_tensors(const tn_optimizer *optimizer, const tn_parameters *state, const tn_tensor *const *expected,
                                   tni_optimizer_slot *read, int64_t *tensors, bool *whole) {
    const tni_optimizer_kind *kind = optimizer->kind;
    char text[STATE_NAME];
    *whole = true;
    for (int i = 0; i < TNI_SLOT_STATES && kind->states[i]; i++) {
        if (!state_name(read, kind->states[i], text))
            return TN_ERROR_ARGUMENT;
        const tn_tensor *form = expected[i] || kind->make ? expected[i] : read->parameter->tensor;
        tn_tensor *found = form ? tni_parameters_get(state, text) : NULL;
        if (found && !state_same_sizes(found, form))
            return tni_raise(TN_ERROR_SHAPE, "\"%s\" has sizes %s, not %s", text,
                             tni_show_dims(tn_sizes(found).values, tn_sizes(found).count),
                             tni_show_dims(tn_sizes(form).values, tn_sizes(form).count));
        read->states[i] = found;
        *tensors += found != NULL;
        *whole = *whole && (found || !expected[i]);
    }
    return TN_OK;
}

/* A slot as the given state has it: its tensors are borrowed from there. `found` counts entries. */
static tn_error state_read(const tn_optimizer *optimizer, const tni_optimizer_slot *slot, const tn_parameters *state,
                           tni_optimizer_slot *read, int64_t *found) {
    const tn_tensor *expected[TNI_SLOT_STATES];
    tni_optimizer_slot made;
    int64_t numbers = 0, wanted = 0, tensors = 0;
    bool whole = false;
    *read = (tni_optimizer_slot){.parameter = slot->parameter, .group = slot->group};
    tn_error code = state_expected(optimizer, slot, &made, expected);
    if (code == TN_OK)
        code = state_read_numbers(optimizer, state, read, &numbers, &wanted);
    if (code == TN_OK)
        code = state_read_tensors(optimizer, state, expected, read, &tensors, &whole);
    tni_optimizer_slot_clear(&made);
    if (code != TN_OK)
        return code;
    if (numbers + tensors > 0 && (numbers < wanted || !whole))
        return tni_raise(TN_ERROR_ARGUMENT, "parameter \"%s\" has only a part of its state", slot->parameter->name);
    read->started = numbers + tensors > 0;
    if (read->started && !optimizer->kind->counts)
        read->step = 1;
    *found += numbers + tensors;
    return TN_OK;
}

/* Copies in the place of borrowed tensors, with the strides that steps want. */
static tn_error state_copy(tni_optimizer_slot *read) {
    tn_tensor *borrowed[TNI_SLOT_STATES];
    memcpy(borrowed, read->states, sizeof borrowed);
    memset(read->states, 0, sizeof read->states);
    for (int i = 0; i < TNI_SLOT_STATES; i++) {
        if (!borrowed[i])
            continue;
        tn_tensor *like = read->parameter->tensor;
        bool same = tn_sizes(like).count == tn_sizes(borrowed[i]).count && tn_numel(like) == tn_numel(borrowed[i]);
        tn_tensor *copy = same ? tn_empty_like(like, TN_DTYPE_DEFAULT, TN_PRESERVE)
                               : tn_empty_like(borrowed[i], tn_dtype_of(like), TN_CONTIGUOUS);
        if (!copy || !tn_copy_(copy, borrowed[i]))
            return tni_failed();
        tni_object_retain(&copy->object); /* the scope around keeps its own */
        tni_optimizer_slot_put(read, i, copy);
    }
    return TN_OK;
}

static tn_error state_set(tn_optimizer *optimizer, const tn_parameters *state) {
    size_t bytes = (size_t)(optimizer->slot_count + 1) * sizeof(tni_optimizer_slot);
    tni_optimizer_slot *read = tni_heap_calloc(bytes);
    if (!read)
        return tni_failed();
    int64_t found = 0, copied = 0;
    tn_error code = TN_OK;
    for (int64_t i = 0; i < optimizer->slot_count && code == TN_OK; i++)
        code = state_read(optimizer, &optimizer->slots[i], state, &read[i], &found);
    if (code == TN_OK && found != state->count)
        code = tni_raise(TN_ERROR_ARGUMENT, "%" PRId64 " of %" PRId64 " entries belong to no parameter of this %s",
                         state->count - found, state->count, optimizer->kind->name);
    for (; copied < optimizer->slot_count && code == TN_OK; copied++)
        code = state_copy(&read[copied]);
    for (int64_t i = 0; i < copied; i++) {
        tni_optimizer_slot old = optimizer->slots[i];
        if (code == TN_OK) {
            optimizer->slots[i] = read[i];
            read[i] = old;
        }
        tni_optimizer_slot_clear(&read[i]);
    }
    tni_heap_free(read, bytes);
    return code;
}

tn_error tn_optimizer_set_state(tn_optimizer *optimizer, const tn_parameters *state) {
    const char *outer = tni_operator_enter("optimizer_set_state");
    tn_error code = TN_ERROR_ARGUMENT;
    if (tni_check_optimizer(optimizer, "optimizer") && tni_check_parameters(state, "state")) {
        tni_quiet quiet = tni_quiet_begin();
        code = optimizer->kind->prepare || optimizer->kind->move ? state_set(optimizer, state)
                                                                 : tni_lbfgs_set_state(optimizer, state);
        tni_quiet_end(quiet);
    }
    tni_operator_leave(outer);
    return code;
}

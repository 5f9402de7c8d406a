/* parameters.c - sets of named tensors, and what is done to the gradients of all of them at once. See tenon/train.h. */
#include "train/parameters.h"

#include <float.h>
#include <math.h>
#include <string.h>

#include "autograd/slot.h"
#include "base/error.h"
#include "base/heap.h"
#include "base/scope.h"
#include "operators_arithmetic.h"
#include "operators_copy.h"
#include "operators_create.h"
#include "operators_join.h"
#include "operators_random.h"
#include "operators_reduce.h"
#include "operators_view.h"
#include "tensor/check.h"

/* ---- the object */

static void parameters_destroy(tni_object *object) {
    tn_parameters *parameters = (tn_parameters *)object;
    for (int64_t i = 0; i < parameters->count; i++) {
        tni_object_drop(&parameters->items[i].tensor->object);
        tni_heap_free(parameters->items[i].name, parameters->items[i].bytes);
    }
    if (parameters->capacity)
        tni_heap_free(parameters->items, parameters->capacity * sizeof *parameters->items);
    tni_lookup_free(&parameters->names);
    object->class = &tni_dead_class;
    tni_heap_free(parameters, sizeof *parameters);
}

const tni_class tni_parameters_class = {"parameters", parameters_destroy};

tn_parameters *tni_parameters_make(void) {
    tn_parameters *parameters = tni_heap_calloc(sizeof *parameters);
    if (parameters)
        tni_object_init(&parameters->object, &tni_parameters_class);
    return parameters;
}

tn_parameters *tn_parameters_new(void) { return tni_scope_adopt(tni_parameters_make()); }

static bool parameters_live(const tn_parameters *parameters, const char *function) {
    const char *outer = tni_operator_enter(function);
    bool live = tni_check_parameters(parameters, "parameters");
    tni_operator_leave(outer);
    return live;
}

tn_parameters *tn_parameters_retain(const tn_parameters *parameters) {
    if (!parameters || !parameters_live(parameters, "parameters_retain"))
        return NULL;
    tn_parameters *counted = (tn_parameters *)(uintptr_t)parameters;
    tni_object_retain(&counted->object);
    return counted;
}

void tn_parameters_release(tn_parameters *parameters) {
    if (parameters && parameters_live(parameters, "parameters_release"))
        tni_scope_release(&parameters->object, "parameters_release");
}

tn_parameters *tn_parameters_keep(tn_parameters *parameters) {
    if (!parameters || !parameters_live(parameters, "parameters_keep"))
        return NULL;
    if (!tni_scope_forget(&parameters->object))
        tni_object_retain(&parameters->object);
    return parameters;
}

/* ---- names */

static int64_t parameters_position(const tn_parameters *parameters, const char *name) {
    uint32_t hash = tni_lookup_name(name);
    size_t at = tni_lookup_begin(&parameters->names, hash);
    int64_t found;
    while ((found = tni_lookup_next(&parameters->names, hash, &at)) >= 0 && strcmp(parameters->items[found].name, name) != 0) {
    }
    return found;
}

tn_tensor *tni_parameters_get(const tn_parameters *parameters, const char *name) {
    int64_t position = parameters_position(parameters, name);
    return position < 0 ? NULL : parameters->items[position].tensor;
}

bool tni_parameters_put(tn_parameters *parameters, const char *name, tn_tensor *tensor) {
    size_t bytes = strlen(name) + 1;
    void *items = parameters->items;
    if (!tni_heap_grow(&items, &parameters->capacity, (size_t)parameters->count + 1, sizeof *parameters->items))
        return false;
    parameters->items = items;
    char *copy = tni_heap_alloc(bytes);
    if (!copy)
        return false;
    if (!tni_lookup_add(&parameters->names, tni_lookup_name(name), (size_t)parameters->count)) {
        tni_heap_free(copy, bytes);
        return false;
    }
    memcpy(copy, name, bytes);
    tni_object_hold(&tensor->object);
    parameters->items[parameters->count++] = (tni_named){copy, bytes, tensor};
    return true;
}

static bool parameters_name_free(const tn_parameters *parameters, const char *name) {
    if (!name || !*name)
        return tni_raise(TN_ERROR_ARGUMENT, "a parameter needs a name") == TN_OK;
    if (parameters_position(parameters, name) >= 0)
        return tni_raise(TN_ERROR_ARGUMENT, "there is a parameter \"%s\" already", name) == TN_OK;
    return true;
}

static bool parameters_add(tn_parameters *parameters, const char *name, const tn_tensor *tensor) {
    if (!tni_check_parameters(parameters, "parameters") || !tni_check_tensor(tensor, "tensor"))
        return false;
    return parameters_name_free(parameters, name) && tni_parameters_put(parameters, name, (tn_tensor *)(uintptr_t)tensor);
}

tn_tensor *tn_parameters_add(tn_parameters *parameters, const char *name, const tn_tensor *tensor) {
    const char *outer = tni_operator_enter("parameters_add");
    bool added = parameters_add(parameters, name, tensor);
    tni_operator_leave(outer);
    return added ? (tn_tensor *)(uintptr_t)tensor : NULL;
}

/* Nothing is drawn, and the generator stays where it is, where the name or the sizes are wrong. */
static tn_tensor *parameters_draw(tn_parameters *parameters, const char *name, tn_dims size, double bound,
                                  tn_generator *generator) {
    if (!tni_check_parameters(parameters, "parameters") || !parameters_name_free(parameters, name))
        return NULL;
    if (!(bound >= 0 && bound <= FLT_MAX))
        return tni_raise_null(TN_ERROR_ARGUMENT, "bound is not negative and finite, not %g", bound);
    tni_quiet quiet = tni_quiet_begin();
    tn_tensor *made = bound > 0 ? tn_empty(size, TN_FLOAT32) : tn_zeros(size, TN_FLOAT32);
    if (made && bound > 0)
        made = tn_uniform_(made, -bound, bound, generator);
    if (made && (!tn_requires_grad_(made, true) || !tni_parameters_put(parameters, name, made)))
        made = NULL;
    tni_quiet_end(quiet);
    return made;
}

tn_tensor *tn_parameters_draw(tn_parameters *parameters, const char *name, tn_dims size, double bound,
                              tn_generator *generator) {
    const char *outer = tni_operator_enter("parameters_draw");
    tn_tensor *made = parameters_draw(parameters, name, size, bound, generator);
    tni_operator_leave(outer);
    return made;
}

int64_t tn_parameters_count(const tn_parameters *parameters) {
    return parameters_live(parameters, "parameters_count") ? parameters->count : -1;
}

static const tni_named *parameters_at(const tn_parameters *parameters, int64_t position, const char *function) {
    if (!parameters_live(parameters, function))
        return NULL;
    int64_t place = position < 0 ? position + parameters->count : position;
    if (place >= 0 && place < parameters->count)
        return &parameters->items[place];
    tni_raise_in(function, TN_ERROR_INDEX, "position %" PRId64 " is out of range for %" PRId64 " parameters", position,
                 parameters->count);
    return NULL;
}

const char *tn_parameters_name(const tn_parameters *parameters, int64_t position) {
    const tni_named *item = parameters_at(parameters, position, "parameters_name");
    return item ? item->name : NULL;
}

tn_tensor *tn_parameters_at(const tn_parameters *parameters, int64_t position) {
    const tni_named *item = parameters_at(parameters, position, "parameters_at");
    return item ? item->tensor : NULL;
}

tn_tensor *tn_parameters_find(const tn_parameters *parameters, const char *name) {
    return name && parameters_live(parameters, "parameters_find") ? tni_parameters_get(parameters, name) : NULL;
}

/* ---- work on all of them */

tni_quiet tni_quiet_begin(void) {
    tni_quiet quiet = {.before = tn_grad_mode_set(TN_GRAD_OFF)};
    quiet.scope = tni_scope_open_hidden();
    return quiet;
}

void tni_quiet_end(tni_quiet quiet) {
    (void)tni_scope_close_hidden(quiet.scope, NULL);
    (void)tn_grad_mode_set(quiet.before);
}

tn_tensor *tni_parameter_gradient(const tn_tensor *tensor) { return tensor->tracked ? tni_slot_of(tensor)->grad : NULL; }

static tn_error parameters_fit(const tn_parameters *parameters, const tn_parameters *from, bool strict) {
    for (int64_t i = 0; i < from->count; i++) {
        const tni_named *source = &from->items[i];
        const tn_tensor *target = tni_parameters_get(parameters, source->name);
        if (!target && strict)
            return tni_raise(TN_ERROR_ARGUMENT, "there is no parameter \"%s\" to copy to", source->name);
        if (!target)
            continue;
        tn_dims a = tn_sizes(target), b = tn_sizes(source->tensor);
        if (a.count != b.count || (a.count && memcmp(a.values, b.values, (size_t)a.count * sizeof *a.values) != 0))
            return tni_raise(TN_ERROR_SHAPE, "parameter \"%s\" has sizes %s, and what is to be copied to it %s", source->name,
                             tni_show_dims(a.values, a.count), tni_show_dims(b.values, b.count));
        if (tn_is_readonly(target))
            return tni_raise(TN_ERROR_READONLY, "parameter \"%s\" is read-only", source->name);
    }
    for (int64_t i = 0; strict && i < parameters->count; i++)
        if (!tni_parameters_get(from, parameters->items[i].name))
            return tni_raise(TN_ERROR_ARGUMENT, "there is nothing for parameter \"%s\"", parameters->items[i].name);
    return TN_OK;
}

static tn_error parameters_copy_all(const tn_parameters *parameters, const tn_parameters *from) {
    for (int64_t i = 0; i < from->count; i++) {
        tn_tensor *target = tni_parameters_get(parameters, from->items[i].name);
        if (target && !tn_copy_(target, from->items[i].tensor))
            return tni_failed();
    }
    return TN_OK;
}

tn_error tn_parameters_copy(tn_parameters *parameters, const tn_parameters *from, bool strict) {
    const char *outer = tni_operator_enter("parameters_copy");
    tn_error code = TN_ERROR_ARGUMENT;
    if (tni_check_parameters(parameters, "parameters") && tni_check_parameters(from, "from"))
        code = parameters_fit(parameters, from, strict);
    if (code == TN_OK) {
        tni_quiet quiet = tni_quiet_begin();
        code = parameters_copy_all(parameters, from);
        tni_quiet_end(quiet);
    }
    tni_operator_leave(outer);
    return code;
}

/* ---- gradients */

/* `each` is given every gradient there is. */
typedef tn_error (*parameters_visit)(tn_tensor *gradient, void *ctx);

static tn_error parameters_each(const tn_parameters *parameters, const char *function, parameters_visit each, void *ctx) {
    const char *outer = tni_operator_enter(function);
    tn_error code = tni_check_parameters(parameters, "parameters") ? TN_OK : TN_ERROR_ARGUMENT;
    if (code == TN_OK) {
        tni_quiet quiet = tni_quiet_begin();
        for (int64_t i = 0; i < parameters->count && code == TN_OK; i++) {
            tn_tensor *gradient = tni_parameter_gradient(parameters->items[i].tensor);
            code = gradient ? each(gradient, ctx) : TN_OK;
        }
        tni_quiet_end(quiet);
    }
    tni_operator_leave(outer);
    return code;
}

static tn_error parameters_zero(tn_tensor *gradient, void *ctx) {
    (void)ctx;
    return tn_zero_(gradient) ? TN_OK : tni_failed();
}

tn_error tn_parameters_zero_grad(const tn_parameters *parameters, bool free) {
    if (!free)
        return parameters_each(parameters, "parameters_zero_grad", parameters_zero, NULL);
    if (!parameters_live(parameters, "parameters_zero_grad"))
        return TN_ERROR_ARGUMENT;
    for (int64_t i = 0; i < parameters->count; i++)
        if (tn_tensor_set_grad(parameters->items[i].tensor, NULL) != TN_OK)
            return tni_failed();
    return TN_OK;
}

static tn_error parameters_clamp(tn_tensor *gradient, void *ctx) {
    double limit = *(const double *)ctx;
    return tn_clamp_(gradient, tn_scalar_float(-limit), tn_scalar_float(limit)) ? TN_OK : tni_failed();
}

tn_error tn_parameters_clip_grad_value(const tn_parameters *parameters, double limit) {
    return parameters_each(parameters, "parameters_clip_grad_value", parameters_clamp, &limit);
}

/* The norm of each gradient, one after the other; their norm is that of all. */
typedef struct clip_norms {
    double order;
    double *norms;
    int64_t count;
} clip_norms;

static tn_error clip_measure(tn_tensor *gradient, void *ctx) {
    clip_norms *norms = ctx;
    tn_tensor *norm =
        tn_linalg_vector_norm(gradient, tn_scalar_float(norms->order), ((tn_dims){NULL, 0}), false, TN_DTYPE_DEFAULT);
    if (!norm)
        return tni_failed();
    norms->norms[norms->count++] = tn_item_double(norm);
    tn_release(norm);
    return TN_OK;
}

static tn_error clip_scale(tn_tensor *gradient, void *ctx) {
    return tn_mul_scalar_(gradient, tn_scalar_float(*(const double *)ctx)) ? TN_OK : tni_failed();
}

static double clip_total(const clip_norms *norms) {
    double total = norms->order < 0 && isinf(norms->order) ? INFINITY : 0;
    for (int64_t i = 0; i < norms->count; i++) {
        double x = norms->norms[i];
        if (isinf(norms->order))
            total = isnan(x) || isnan(total) ? NAN : norms->order > 0 ? fmax(total, x) : fmin(total, x);
        else if (norms->order == 0)
            total += x != 0;
        else
            total += norms->order == 2 ? x * x : norms->order == 1 ? x : pow(x, norms->order);
    }
    if (norms->count == 0)
        return 0;
    return isinf(norms->order) || norms->order == 0 || norms->order == 1 ? total
           : norms->order == 2                                           ? sqrt(total)
                                                                         : pow(total, 1 / norms->order);
}

static tn_error clip_by_norm(const tn_parameters *parameters, double max_norm, double norm_type, bool finite_only,
                             double *norm) {
    size_t bytes = (size_t)(parameters->count + 1) * sizeof(double);
    clip_norms norms = {norm_type, tni_heap_alloc(bytes), 0};
    if (!norms.norms)
        return tni_failed();
    tn_error code = parameters_each(parameters, "parameters_clip_grad_norm", clip_measure, &norms);
    double total = code == TN_OK ? clip_total(&norms) : 0;
    tni_heap_free(norms.norms, bytes);
    if (code != TN_OK)
        return code;
    if (norm)
        *norm = total;
    if (finite_only && !isfinite(total))
        return tni_raise_in("parameters_clip_grad_norm", TN_ERROR_ARGUMENT, "the norm of the gradients is %g", total);
    double factor = max_norm / (total + 1e-6);
    if (factor >= 1) /* a factor that is not a number goes into the gradients, as it does in PyTorch */
        return TN_OK;
    return parameters_each(parameters, "parameters_clip_grad_norm", clip_scale, &factor);
}

tn_error tn_parameters_clip_grad_norm(const tn_parameters *parameters, double max_norm, double norm_type, bool finite_only,
                                      double *norm) {
    return parameters_live(parameters, "parameters_clip_grad_norm")
               ? clip_by_norm(parameters, max_norm, norm_type, finite_only, norm)
               : TN_ERROR_ARGUMENT;
}

/* functional.c - derivatives of functions: products with the Jacobian and the Hessian, and both as a whole.
 *
 * A function is called on its inputs as leaves (or, to be derived again, as they are). J v is the derivative of v J with respect to v,
 * in the direction given: v J is linear in v, so it does not matter at which v.
 *
 * Everything is made inside one scope, out of which the list that is returned is taken.
 */
#include "autograd/slot.h"
#include "base/error.h"
#include "base/heap.h"
#include "base/scope.h"
#include "operators_create.h"
#include "operators_copy.h"
#include "operators_join.h"
#include "operators_view.h"

typedef struct functional {
    tn_tensor_function function;
    void *ctx;
    int64_t count;
    bool create;
    const tn_tensor **inputs; /* count, that require gradients */
    tn_list *results;
    const tn_tensor **room; /* for 3 * (results) tensors and 2 * (inputs) */
    size_t bytes;
} functional;

static bool functional_begin(functional *f, const tn_tensor *const *inputs) {
    if (!f->function || f->count < 1 || !inputs) {
        tni_raise(TN_ERROR_ARGUMENT, f->function ? "there are no inputs" : "function is NULL");
        return false;
    }
    f->inputs = tni_heap_calloc((size_t)f->count * sizeof *f->inputs);
    for (int64_t i = 0; f->inputs && i < f->count; i++) {
        if (!tni_tensor_check(inputs[i], "inputs"))
            return false;
        bool as_it_is = f->create && tni_wants_gradient(inputs[i]);
        f->inputs[i] = as_it_is ? inputs[i] : tn_requires_grad_(tn_detach(inputs[i]), true);
        if (!f->inputs[i])
            return false;
    }
    if (!f->inputs)
        return false;
    tn_key_state before = tni_record_set(true);
    f->results = f->function(f->ctx, f->inputs, f->count);
    tn_keys_set(before);
    if (!f->results)
        return false;
    f->bytes = (size_t)(3 * f->results->count + 2 * f->count) * sizeof *f->room;
    f->room = tni_heap_calloc(f->bytes);
    return f->room != NULL;
}

static void functional_end(functional *f) {
    tni_heap_free((void *)f->inputs, f->inputs ? (size_t)f->count * sizeof *f->inputs : 0);
    tni_heap_free((void *)f->room, f->room ? f->bytes : 0);
}

/* tn_grad with zeros for what takes no part; outputs that take no part are left out. */
static bool functional_grad(const tn_tensor *const *outputs, const tn_tensor *const *vectors, int64_t output_count,
                            const tn_tensor *const *inputs, int64_t count, bool create, const tn_tensor **found) {
    size_t bytes = 2 * (size_t)(output_count + 1) * sizeof(tn_tensor *);
    const tn_tensor **used = tni_heap_calloc(bytes);
    int64_t used_count = 0;
    if (!used)
        return false;
    const tn_tensor **given = used + output_count + 1;
    for (int64_t i = 0; i < output_count; i++)
        if (outputs[i] && tni_wants_gradient(outputs[i])) {
            used[used_count] = outputs[i];
            given[used_count++] = vectors ? vectors[i] : NULL;
        }
    tn_backward_options options = {
        .struct_size = sizeof options, .retain_graph = true, .create_graph = create, .allow_unused = true};
    bool done = !used_count || tn_grad(used, given, used_count, inputs, count, &options, (tn_tensor **)found) == TN_OK;
    for (int64_t i = 0; done && i < count; i++)
        if (!used_count || !found[i])
            done = (found[i] = tn_zeros_like(inputs[i], TN_DTYPE_DEFAULT, TN_PRESERVE)) != NULL;
    tni_heap_free((void *)used, bytes);
    return done;
}

static const tn_tensor *const *functional_results(const functional *f) { return (const tn_tensor *const *)f->results->items; }

/* ---- what each of the public functions does */

typedef tn_list *(*functional_step)(functional *f, const tn_tensor *const *vectors);

static tn_list *functional_vjp(functional *f, const tn_tensor *const *vectors) {
    const tn_tensor **found = f->room;
    if (!functional_grad(functional_results(f), vectors, f->results->count, f->inputs, f->count, f->create, found))
        return NULL;
    return tn_list_new(found, f->count);
}

static bool functional_check_vectors(const functional *f, const tn_tensor *const *vectors) {
    if (!vectors)
        tni_raise(TN_ERROR_ARGUMENT, "vectors is NULL");
    for (int64_t i = 0; vectors && i < f->count; i++)
        if (!tni_tensor_check(vectors[i], "vectors"))
            return false;
    return vectors != NULL;
}

static tn_list *functional_jvp(functional *f, const tn_tensor *const *vectors) {
    int64_t results = f->results->count;
    const tn_tensor **dummies = f->room, **found = dummies + results, **slopes = found + results;
    if (!functional_check_vectors(f, vectors))
        return NULL;
    for (int64_t i = 0; i < results; i++)
        if (!(dummies[i] = tn_requires_grad_(tn_zeros_like(f->results->items[i], TN_DTYPE_DEFAULT, TN_PRESERVE), true)))
            return NULL;
    if (!functional_grad(functional_results(f), dummies, results, f->inputs, f->count, true, slopes) ||
        !functional_grad(slopes, vectors, f->count, dummies, results, f->create, found))
        return NULL;
    return tn_list_new(found, results);
}

static bool functional_is_number(const functional *f) {
    if (f->results->count == 1 && f->results->items[0]->numel == 1)
        return true;
    tni_raise(TN_ERROR_SHAPE,
              "the function gives %" PRId64 " results, the first of %" PRId64 " elements: a Hessian is that of one number",
              f->results->count, f->results->count ? f->results->items[0]->numel : 0);
    return false;
}

static tn_list *functional_hvp(functional *f, const tn_tensor *const *vectors) {
    const tn_tensor **slopes = f->room, **found = slopes + f->count;
    if (!functional_is_number(f) || !functional_check_vectors(f, vectors) ||
        !functional_grad(functional_results(f), NULL, 1, f->inputs, f->count, true, slopes) ||
        !functional_grad(slopes, vectors, f->count, f->inputs, f->count, f->create, found))
        return NULL;
    return tn_list_new(found, f->count);
}

/* One row for each element of a result: a one there, zeros elsewhere. */
static tn_tensor *functional_pick(const tn_tensor *result, int64_t element) {
    tn_tensor *zeros = tn_zeros(((tn_dims){&result->numel, 1}), (tn_dtype)result->dtype);
    tn_tensor *place = tn_select(zeros, 0, element);
    return place && tn_fill_(place, tn_scalar_int(1)) ? tn_view(zeros, (tn_dims){result->sizes, result->ndim}) : NULL;
}

/* (result, input): rows of `count` gradients each, as one tensor. */
static tn_tensor *functional_stack(const tn_tensor *const *rows, const tn_tensor *result, const tn_tensor *input) {
    int64_t sizes[2 * TN_MAX_DIMS], ndim = 0;
    for (int64_t d = 0; d < result->ndim; d++)
        sizes[ndim++] = result->sizes[d];
    for (int64_t d = 0; d < input->ndim; d++)
        sizes[ndim++] = input->sizes[d];
    if (ndim > TN_MAX_DIMS)
        return tni_raise_null(TN_ERROR_SHAPE, "the Jacobian would have %" PRId64 " dimensions", ndim);
    if (result->numel == 0)
        return tn_zeros((tn_dims){sizes, ndim}, (tn_dtype)input->dtype);
    return tn_reshape(tn_stack(rows, result->numel, 0), (tn_dims){sizes, ndim});
}

/* The Jacobians of one result with respect to all inputs. */
static bool functional_rows(functional *f, const tn_tensor *result, const tn_tensor **made) {
    size_t bytes = (size_t)(f->count * (result->numel + 2)) * sizeof(tn_tensor *);
    const tn_tensor **rows = tni_heap_calloc(bytes), **found = rows ? rows + f->count * result->numel : NULL;
    bool done = rows != NULL;
    if (done && tn_dtype_is_complex((tn_dtype)result->dtype)) {
        tni_raise(TN_ERROR_DTYPE, "a result is %s: Jacobians are for functions with real results",
                  tn_dtype_name((tn_dtype)result->dtype));
        done = false;
    }
    for (int64_t e = 0; done && e < result->numel; e++) {
        const tn_tensor *pick = functional_pick(result, e);
        done = pick && functional_grad(&result, &pick, 1, f->inputs, f->count, f->create, found);
        for (int64_t k = 0; done && k < f->count; k++)
            rows[k * result->numel + e] = found[k];
    }
    for (int64_t k = 0; done && k < f->count; k++)
        done = (made[k] = functional_stack(rows + k * result->numel, result, f->inputs[k])) != NULL;
    tni_heap_free((void *)rows, bytes);
    return done;
}

static tn_list *functional_jacobian(functional *f, const tn_tensor *const *vectors) {
    (void)vectors;
    int64_t results = f->results->count;
    size_t bytes = (size_t)(results * f->count + 1) * sizeof(tn_tensor *);
    const tn_tensor **made = tni_heap_calloc(bytes);
    bool done = made != NULL;
    for (int64_t i = 0; done && i < results; i++)
        done = functional_rows(f, f->results->items[i], made + i * f->count);
    tn_list *list = done ? tn_list_new(made, results * f->count) : NULL;
    tni_heap_free((void *)made, bytes);
    return list;
}

static tn_list *functional_run(const char *name, functional_step step, tn_tensor_function function, void *ctx,
                               const tn_tensor *const *inputs, int64_t count, const tn_tensor *const *vectors, bool create) {
    const char *outer = tni_operator_enter(name);
    functional f = {.function = function, .ctx = ctx, .count = count, .create = create};
    tn_scope scope = tni_scope_open_hidden();
    tn_list *list = scope.id && functional_begin(&f, inputs) ? step(&f, vectors) : NULL;
    functional_end(&f);
    if (scope.id)
        list = tni_scope_close_hidden(scope, list);
    tni_operator_leave(outer);
    return tni_scope_adopt(list);
}

tn_list *tn_vjp(tn_tensor_function function, void *ctx, const tn_tensor *const *inputs, int64_t count,
                const tn_tensor *const *vectors, bool create_graph) {
    return functional_run("vjp", functional_vjp, function, ctx, inputs, count, vectors, create_graph);
}
tn_list *tn_jvp(tn_tensor_function function, void *ctx, const tn_tensor *const *inputs, int64_t count,
                const tn_tensor *const *vectors, bool create_graph) {
    return functional_run("jvp", functional_jvp, function, ctx, inputs, count, vectors, create_graph);
}
tn_list *tn_hvp(tn_tensor_function function, void *ctx, const tn_tensor *const *inputs, int64_t count,
                const tn_tensor *const *vectors, bool create_graph) {
    return functional_run("hvp", functional_hvp, function, ctx, inputs, count, vectors, create_graph);
}
tn_list *tn_jacobian(tn_tensor_function function, void *ctx, const tn_tensor *const *inputs, int64_t count, bool create_graph) {
    return functional_run("jacobian", functional_jacobian, function, ctx, inputs, count, NULL, create_graph);
}

/* ---- the Hessian is the Jacobian of the gradient */

typedef struct functional_slope {
    tn_tensor_function function;
    void *ctx;
} functional_slope;

static tn_list *functional_gradient(void *ctx, const tn_tensor *const *inputs, int64_t count) {
    const functional_slope *slope = ctx;
    functional f = {.function = slope->function, .ctx = slope->ctx, .count = count, .create = true};
    tn_list *list = functional_begin(&f, inputs) && functional_is_number(&f) ? functional_vjp(&f, NULL) : NULL;
    functional_end(&f);
    return list;
}

tn_list *tn_hessian(tn_tensor_function function, void *ctx, const tn_tensor *const *inputs, int64_t count, bool create_graph) {
    functional_slope slope = {function, ctx};
    if (!function) {
        tni_raise_in("hessian", TN_ERROR_ARGUMENT, "function is NULL");
        return NULL;
    }
    return functional_run("hessian", functional_jacobian, functional_gradient, &slope, inputs, count, NULL, create_graph);
}

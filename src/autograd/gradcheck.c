/* gradcheck.c - derivatives compared with differences.
 *
 * Everything is a matter of real numbers here: a complex number is two. The gradient of a real number L with respect to a complex
 * one is dL/dre + i dL/dim, and a complex result is checked once for its real and once for its imaginary part; so each row of the
 * table below is the gradient of one real number of the results, each column belongs to one real number of the inputs.
 *
 * Each function of this file that makes tensors runs inside a scope that the public function opened.
 */
#include <math.h>

#include "autograd/slot.h"
#include "base/error.h"
#include "base/heap.h"
#include "base/scope.h"
#include "operators_copy.h"
#include "operators_create.h"

typedef struct check {
    tn_tensor_function function;
    void *ctx;
    const tn_tensor *const *inputs;
    int64_t count;
    double eps, atol, rtol;
    int64_t rows, columns; /* real numbers of results, of inputs that require gradients */
    double *analytic;      /* (rows, columns) */
    double *above, *below; /* rows */
} check;

static int64_t check_parts(const tn_tensor *tensor) { return tn_dtype_is_complex((tn_dtype)tensor->dtype) ? 2 : 1; }

static bool check_counts(const tn_tensor *tensor) { return tni_can_have_gradient(tensor->dtype); }

/* The address of element i, in row-major order. */
static char *check_element(const tn_tensor *tensor, int64_t i) {
    int64_t offset = 0;
    for (int64_t d = (int64_t)tensor->ndim - 1; d >= 0; d--) {
        offset += i % tensor->sizes[d] * tensor->strides[d];
        i /= tensor->sizes[d];
    }
    return (char *)(uintptr_t)tni_tensor_first(tensor) + offset * (int64_t)tni_tensor_item_size(tensor);
}

static double *check_number(const tn_tensor *tensor, int64_t i) {
    int64_t parts = check_parts(tensor);
    return (double *)check_element(tensor, i / parts) + i % parts;
}

static int64_t check_numbers(const tn_tensor *tensor) { return tensor->numel * check_parts(tensor); }

static tn_error check_refuse(const check *c) {
    for (int64_t i = 0; i < c->count; i++) {
        const tn_tensor *input = c->inputs[i];
        if (!tni_tensor_check(input, "inputs"))
            return tni_failed();
        if (!tni_wants_gradient(input))
            continue;
        if (input->dtype != TN_FLOAT64 && input->dtype != TN_COMPLEX128)
            return tni_raise(TN_ERROR_DTYPE,
                             "input %" PRId64 " is %s: differences are only good enough for float64 and complex128", i,
                             tn_dtype_name((tn_dtype)input->dtype));
        if (tni_tensor_device(input).type != TN_CPU)
            return tni_raise(TN_ERROR_DEVICE, "input %" PRId64 " is not on the CPU", i);
        if (tni_tensor_overlaps_itself(input))
            return tni_raise(TN_ERROR_OVERLAP, "elements of input %" PRId64 " share memory, and cannot be changed one by one",
                             i);
        if (input->numel && !tni_tensor_prepare_write((tn_tensor *)(uintptr_t)input))
            return tni_failed();
    }
    return TN_OK;
}

/* The numbers of all results, in float64. */
static bool check_read(const tn_list *results, double *numbers) {
    for (int64_t i = 0; i < results->count; i++) {
        const tn_tensor *result = results->items[i];
        if (!check_counts(result))
            continue;
        tn_tensor *wide = tn_to(result, check_parts(result) == 2 ? TN_COMPLEX128 : TN_FLOAT64);
        if (!wide)
            return false;
        for (int64_t k = 0; k < check_numbers(wide); k++)
            *numbers++ = *check_number(wide, k);
    }
    return true;
}

static int64_t check_rows(const tn_list *results) {
    int64_t rows = 0;
    for (int64_t i = 0; i < results->count; i++)
        rows += check_counts(results->items[i]) ? check_numbers(results->items[i]) : 0;
    return rows;
}

/* ---- gradients as they are computed */

/* One row: the gradients of number `k` of a result. */
static bool check_row(const check *c, const tn_tensor *result, int64_t k, double *row) {
    tn_tensor *pick = tn_zeros_like(result, TN_DTYPE_DEFAULT, TN_CONTIGUOUS);
    tn_tensor *wide = pick ? tn_zeros_like(result, check_parts(result) == 2 ? TN_COMPLEX128 : TN_FLOAT64, TN_CONTIGUOUS) : NULL;
    if (!wide)
        return false;
    *check_number(wide, k) = 1;
    if (!tn_copy_(pick, wide))
        return false;
    int64_t column = 0;
    for (int64_t i = 0; i < c->count; i++) {
        const tn_tensor *input = c->inputs[i];
        if (!tni_wants_gradient(input))
            continue;
        tn_tensor *grad = NULL;
        tn_backward_options options = {.struct_size = sizeof options, .retain_graph = true, .allow_unused = true};
        const tn_tensor *gradient = pick;
        if (tni_wants_gradient(result) && tn_grad(&result, &gradient, 1, &input, 1, &options, &grad) != TN_OK)
            return false;
        for (int64_t n = 0; n < check_numbers(input); n++)
            row[column++] = grad ? *check_number(grad, n) : 0;
    }
    return true;
}

static bool check_analytic(check *c, const tn_list *results) {
    double *row = c->analytic;
    for (int64_t i = 0; i < results->count; i++)
        for (int64_t k = 0; check_counts(results->items[i]) && k < check_numbers(results->items[i]); k++, row += c->columns) {
            tn_scope scope = tni_scope_open_hidden();
            bool done = scope.id && check_row(c, results->items[i], k, row);
            if (scope.id)
                (void)tni_scope_close_hidden(scope, NULL);
            if (!done)
                return false;
        }
    return true;
}

/* ---- differences */

static bool check_evaluate(const check *c, double *numbers) {
    tn_scope scope = tni_scope_open_hidden();
    if (!scope.id)
        return false;
    tn_key_state before = tni_record_set(false);
    tn_list *results = c->function(c->ctx, c->inputs, c->count);
    bool done = results && check_rows(results) == c->rows && check_read(results, numbers);
    tn_keys_set(before);
    if (results && !done)
        tni_raise(TN_ERROR_STATE, "the function gave results of other sizes when it was called again");
    (void)tni_scope_close_hidden(scope, NULL);
    return done;
}

static tn_error check_compare(const check *c, int64_t column, int64_t input, int64_t number) {
    for (int64_t row = 0; row < c->rows; row++) {
        double difference = (c->above[row] - c->below[row]) / (2 * c->eps), gradient = c->analytic[row * c->columns + column];
        bool same = fabs(difference - gradient) <= c->atol + c->rtol * fabs(difference);
        if (!same && !(isnan(difference) && isnan(gradient)))
            return tni_raise(TN_ERROR_STATE,
                             "the gradient of number %" PRId64 " of the results with respect to number %" PRId64
                             " of input %" PRId64 " is %.10g, but differences give %.10g",
                             row, number, input, gradient, difference);
    }
    return TN_OK;
}

static tn_error check_input(const check *c, int64_t input, int64_t *column) {
    const tn_tensor *tensor = c->inputs[input];
    for (int64_t n = 0; n < check_numbers(tensor); n++, ++*column) {
        double *place = check_number(tensor, n), value = *place;
        *place = value + c->eps;
        bool done = check_evaluate(c, c->above);
        *place = value - c->eps;
        done = done && check_evaluate(c, c->below);
        *place = value;
        if (!done)
            return tni_failed();
        tn_error code = check_compare(c, *column, input, n);
        if (code != TN_OK)
            return code;
    }
    return TN_OK;
}

static tn_error check_with(check *c, const tn_list *results) {
    size_t cells = (size_t)(c->rows * c->columns + 2 * c->rows + 1);
    c->analytic = tni_heap_alloc(cells * sizeof(double));
    if (!c->analytic)
        return tni_failed();
    c->above = c->analytic + c->rows * c->columns;
    c->below = c->above + c->rows;
    tn_error code = check_analytic(c, results) ? TN_OK : tni_failed();
    int64_t column = 0;
    for (int64_t i = 0; code == TN_OK && i < c->count; i++)
        if (tni_wants_gradient(c->inputs[i]))
            code = check_input(c, i, &column);
    tni_heap_free(c->analytic, cells * sizeof(double));
    return code;
}

static tn_error check_all(check *c) {
    tn_error code = check_refuse(c);
    if (code != TN_OK)
        return code;
    for (int64_t i = 0; i < c->count; i++)
        c->columns += tni_wants_gradient(c->inputs[i]) ? check_numbers(c->inputs[i]) : 0;
    tn_key_state before = tni_record_set(true);
    tn_list *results = c->function(c->ctx, c->inputs, c->count);
    if (results) {
        c->rows = check_rows(results);
        code = check_with(c, results);
    } else
        code = tni_failed();
    tn_keys_set(before);
    return code;
}

static bool check_options(check *c, const tn_gradcheck_options *options) {
    tn_gradcheck_options read = {0};
    if (options && options->struct_size < sizeof options->struct_size) {
        tni_raise(TN_ERROR_ARGUMENT, "struct_size %zu is not the size of a tn_gradcheck_options", options->struct_size);
        return false;
    }
    if (options)
        memcpy(&read, options, options->struct_size < sizeof read ? options->struct_size : sizeof read);
    c->eps = read.eps > 0 ? read.eps : 1e-6;
    c->atol = read.atol > 0 ? read.atol : 1e-5;
    c->rtol = read.rtol > 0 ? read.rtol : 1e-3;
    return true;
}

static tn_error check_begin(tn_tensor_function function, void *ctx, const tn_tensor *const *inputs, int64_t count,
                            const tn_gradcheck_options *options) {
    check c = {.function = function, .ctx = ctx, .inputs = inputs, .count = count};
    if (!function || count < 0 || (count && !inputs))
        return tni_raise(TN_ERROR_ARGUMENT, "%s is %s", !function ? "function" : "inputs",
                         count < 0 ? "of negative length" : "NULL");
    if (!check_options(&c, options))
        return tni_failed();
    tn_scope scope = tni_scope_open_hidden();
    if (!scope.id)
        return tni_failed();
    tn_error code = check_all(&c);
    (void)tni_scope_close_hidden(scope, NULL);
    return code;
}

tn_error tn_gradcheck(tn_tensor_function function, void *ctx, const tn_tensor *const *inputs, int64_t count,
                      const tn_gradcheck_options *options) {
    const char *outer = tni_operator_enter("gradcheck");
    tn_error code = check_begin(function, ctx, inputs, count, options);
    tni_operator_leave(outer);
    return code;
}

/* ---- gradients of gradients: gradcheck of the function that gives the gradients */

typedef struct check_again {
    tn_tensor_function function;
    void *ctx;
    int64_t inputs; /* of that function; what follows them are the gradients of its results */
} check_again;

static tn_list *check_gradients(void *ctx, const tn_tensor *const *inputs, int64_t count) {
    const check_again *again = ctx;
    tn_key_state before = tni_record_set(true);
    tn_list *results = again->function(again->ctx, inputs, again->inputs), *made = NULL;
    size_t room = (size_t)(2 * count + 2 * (results ? results->count : 0)) * sizeof(tn_tensor *);
    const tn_tensor **tensors = results ? tni_heap_calloc(room) : NULL;
    if (tensors) {
        const tn_tensor **outputs = tensors, **grads = outputs + results->count, **wanted = grads + results->count;
        tn_tensor **found = (tn_tensor **)(wanted + count);
        int64_t given = again->inputs, output_count = 0, wanted_count = 0, found_count = 0;
        for (int64_t i = 0; i < results->count; i++)
            if (check_counts(results->items[i])) {
                if (tni_wants_gradient(results->items[i]) && given < count) {
                    outputs[output_count] = results->items[i];
                    grads[output_count++] = inputs[given];
                }
                given++;
            }
        for (int64_t i = 0; i < again->inputs; i++)
            if (tni_wants_gradient(inputs[i]))
                wanted[wanted_count++] = inputs[i];
        tn_backward_options options = {.struct_size = sizeof options, .create_graph = true, .allow_unused = true};
        if (output_count && wanted_count &&
            tn_grad(outputs, grads, output_count, wanted, wanted_count, &options, found) == TN_OK) {
            for (int64_t i = 0; i < wanted_count; i++)
                if (found[i])
                    found[found_count++] = found[i];
            made = tn_list_new((const tn_tensor *const *)found, found_count);
        } else if (!output_count || !wanted_count)
            tni_raise(TN_ERROR_STATE, "no result depends on an input that requires a gradient");
        tni_heap_free((void *)tensors, room);
    }
    tn_keys_set(before);
    return made;
}

/* Numbers that are neither alike nor large, as the gradient of a result. */
static tn_tensor *check_some_gradient(const tn_tensor *result) {
    tn_tensor *made = tn_zeros((tn_dims){result->sizes, result->ndim}, check_parts(result) == 2 ? TN_COMPLEX128 : TN_FLOAT64);
    for (int64_t k = 0; made && k < check_numbers(made); k++)
        *check_number(made, k) = sin(1.7 * (double)k + 0.4);
    return tn_requires_grad_(made, true);
}

static tn_error check_second(tn_tensor_function function, void *ctx, const tn_tensor *const *inputs, int64_t count,
                             const tn_gradcheck_options *options) {
    check_again again = {function, ctx, count};
    tn_list *results = function ? function(ctx, inputs, count) : NULL;
    if (!results)
        return function ? tni_failed() : tni_raise(TN_ERROR_ARGUMENT, "function is NULL");
    size_t room = (size_t)(count + results->count) * sizeof(tn_tensor *);
    const tn_tensor **all = tni_heap_calloc(room);
    if (!all)
        return tni_failed();
    int64_t total = count;
    bool done = true;
    for (int64_t i = 0; i < count; i++)
        all[i] = inputs[i];
    for (int64_t i = 0; done && i < results->count; i++)
        if (check_counts(results->items[i]))
            done = (all[total++] = check_some_gradient(results->items[i])) != NULL;
    tn_error code = done ? check_begin(check_gradients, &again, all, total, options) : tni_failed();
    tni_heap_free((void *)all, room);
    return code;
}

tn_error tn_gradgradcheck(tn_tensor_function function, void *ctx, const tn_tensor *const *inputs, int64_t count,
                          const tn_gradcheck_options *options) {
    const char *outer = tni_operator_enter("gradgradcheck");
    tn_scope scope = tni_scope_open_hidden();
    tn_error code = scope.id ? check_second(function, ctx, inputs, count, options) : tni_failed();
    if (scope.id)
        (void)tni_scope_close_hidden(scope, NULL);
    tni_operator_leave(outer);
    return code;
}

/* ---- operators by name */

typedef struct check_operator {
    const tn_operator *op;
    tn_values arguments;
} check_operator;

static tn_list *check_call(void *ctx, const tn_tensor *const *inputs, int64_t count) {
    const check_operator *call = ctx;
    tn_value values[TN_MAX_PARAMETERS], result;
    const tn_tensor *made;
    (void)inputs;
    (void)count; /* those among the arguments, as they are now */
    for (int64_t i = 0; i < call->arguments.count; i++)
        values[i] = call->arguments.items[i];
    if (tni_operator_changes(call->op) && call->arguments.count)
        values[0] = tn_value_tensor(tn_clone(values[0].as.tensor, TN_PRESERVE));
    if (tn_operator_call(call->op, (tn_values){values, call->arguments.count}, &result) != TN_OK)
        return NULL;
    if (result.kind == TN_VALUE_LIST)
        return result.as.list;
    if (result.kind != TN_VALUE_TENSOR)
        return tni_raise_null(TN_ERROR_ARGUMENT, "%s gives no tensor", tn_operator_name(call->op));
    made = result.as.tensor;
    return tn_list_new(&made, 1);
}

static bool check_take(const tn_tensor **inputs, int64_t *count, const tn_tensor *tensor) {
    for (int64_t i = 0; i < *count; i++)
        if (inputs[i] == tensor)
            return true;
    if (tensor && tni_wants_gradient(tensor) && *count < TN_MAX_PARAMETERS)
        inputs[(*count)++] = tensor;
    return true;
}

static tn_error check_by_name(const char *name, tn_values arguments, bool second) {
    const tn_tensor *inputs[TN_MAX_PARAMETERS];
    int64_t count = 0;
    const tn_operator *op = tn_operator_hold(name);
    if (!op)
        return tni_raise(TN_ERROR_ARGUMENT, "there is no operator \"%s\"", name ? name : "(NULL)");
    check_operator call = {op, arguments};
    for (int64_t i = 0; i < arguments.count && i < TN_MAX_PARAMETERS; i++) {
        const tn_value *value = &arguments.items[i];
        if (value->kind == TN_VALUE_TENSOR)
            (void)check_take(inputs, &count, value->as.tensor);
        for (int64_t k = 0; value->kind == TN_VALUE_TENSORS && k < value->as.tensors.count; k++)
            (void)check_take(inputs, &count, value->as.tensors.items[k]);
        for (int64_t k = 0; value->kind == TN_VALUE_LIST && k < value->as.list->count; k++)
            (void)check_take(inputs, &count, value->as.list->items[k]);
    }
    tn_error code = arguments.count > TN_MAX_PARAMETERS ? tni_raise(TN_ERROR_ARGUMENT, "there are too many arguments")
                    : !count ? tni_raise(TN_ERROR_STATE, "no argument of %s requires a gradient", tn_operator_name(op))
                    : second ? check_second(check_call, &call, inputs, count, NULL)
                             : check_begin(check_call, &call, inputs, count, NULL);
    tn_operator_drop(op);
    return code;
}

static tn_error check_named(const char *function, const char *name, tn_values arguments, bool second) {
    const char *outer = tni_operator_enter(function);
    tn_scope scope = tni_scope_open_hidden();
    tn_error code = scope.id ? check_by_name(name, arguments, second) : tni_failed();
    if (scope.id)
        (void)tni_scope_close_hidden(scope, NULL);
    tni_operator_leave(outer);
    return code;
}

tn_error tn_gradcheck_call(const char *name, tn_values arguments) { return check_named("gradcheck", name, arguments, false); }
tn_error tn_gradgradcheck_call(const char *name, tn_values arguments) {
    return check_named("gradgradcheck", name, arguments, true);
}

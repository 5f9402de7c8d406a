/* linear.c - products with weights: linear, also with everything that usually follows it in one call, and bilinear.
 *
 * linear is input times the transpose of weight, which is read as it lies; all dimensions of input but its last are rows. What is done
 * to the sums (bias, activation, scale, residual) happens before they are rounded and written, once.
 */
#include "base/error.h"
#include "operators_arithmetic.h"
#include "operators_product.h"
#include "operators_view.h"
#include "ops/product/product_call.h"

/* ---- linear */

static bool linear_plan(tni_plan *plan, const tn_tensor *input, const tn_tensor *weight, const tn_tensor *bias) {
    tni_product_argument first = {input, "input"}, second = {weight, "weight"};
    int64_t ndim = input->ndim - 1, sizes[TN_MAX_DIMS];
    if (input->ndim == 0) {
        tni_raise(TN_ERROR_SHAPE, "input %s must have at least one dimension, its features", tni_show_tensor(input));
        return false;
    }
    if (weight->ndim == 0 || weight->ndim > 2) {
        tni_raise(TN_ERROR_SHAPE, "weight %s must be a matrix, or a vector for one feature alone; it has %d dimensions",
                  tni_show_tensor(weight), weight->ndim);
        return false;
    }
    if (!tni_product_check_dtypes(first, second) || !tni_product_check_sizes(first, ndim, second, weight->ndim - 1))
        return false;
    for (int64_t d = 0; d < ndim; d++)
        sizes[d] = input->sizes[d];
    if (weight->ndim == 2)
        sizes[ndim++] = weight->sizes[0];
    tni_plan_begin(plan, input);
    tni_plan_add(plan, ndim, sizes, input->dtype);
    tni_product_argument added = {bias, "bias"};
    return !bias || (tni_product_check_dtypes(first, added) && tni_product_check_broadcast(added, plan));
}

static void linear_begin(tni_product_call *call, tn_tensor *result, const tn_tensor *input, const tn_tensor *weight,
                         const tn_tensor *bias) {
    bool rows = input->ndim > 1, columns = weight->ndim > 1;
    int64_t last = input->ndim - 1;
    tni_product_call_begin(call, rows ? input->sizes[last - 1] : 1, columns ? weight->sizes[0] : 1, input->sizes[last],
                           (tn_dims){input->sizes, rows ? last - 1 : 0}, input->dtype);
    tni_product_call_take(call, TNI_PRODUCT_A, input, rows, true);
    tni_product_call_take(call, TNI_PRODUCT_C, result, rows, columns);
    tni_product_call_take(call, TNI_PRODUCT_B, weight, columns, true);
    int64_t row = call->product.b.column; /* of its transpose */
    call->product.b.column = call->product.b.row;
    call->product.b.row = row;
    if (bias)
        tni_product_call_take(call, TNI_PRODUCT_BIAS, bias, rows, columns);
}

bool tni_plan_linear(tni_plan *plan, const tn_tensor *input, const tn_tensor *weight, const tn_tensor *bias) {
    return linear_plan(plan, input, weight, bias);
}

tn_error tni_run_linear(const tni_plan *plan, tn_tensor *const *results, const tn_tensor *input, const tn_tensor *weight,
                        const tn_tensor *bias) {
    tni_product_call call;
    (void)plan;
    linear_begin(&call, results[0], input, weight, bias);
    return tni_product_call_run(&call);
}

/* ---- with what follows */

static const struct linear_activation {
    const char *name;
    tni_product_activation activation;
} linear_activations[] = {{"none", TNI_ACTIVATION_NONE},           {"relu", TNI_ACTIVATION_RELU}, {"gelu", TNI_ACTIVATION_GELU},
                          {"gelu_tanh", TNI_ACTIVATION_GELU_TANH}, {"silu", TNI_ACTIVATION_SILU}, {"tanh", TNI_ACTIVATION_TANH},
                          {"sigmoid", TNI_ACTIVATION_SIGMOID}};

bool tni_product_find_activation(const char *name, const tn_tensor *input, int64_t *activation) {
    for (size_t i = 0; i < TNI_COUNT_OF(linear_activations); i++) {
        if (strcmp(name, linear_activations[i].name) != 0)
            continue;
        *activation = linear_activations[i].activation;
        if (*activation == TNI_ACTIVATION_NONE || tn_dtype_is_floating(input->dtype))
            return true;
        tni_raise(TN_ERROR_DTYPE, "activation '%s' is for floats, and input is %s: convert it with to", name,
                  tni_show_tensor(input));
        return false;
    }
    tni_raise(TN_ERROR_ARGUMENT, "activation '%.20s' must be 'none', 'relu', 'gelu', 'gelu_tanh', 'silu', 'tanh' or 'sigmoid'",
              name);
    return false;
}

bool tni_plan_linear_fused(tni_plan *plan, const tn_tensor *input, const tn_tensor *weight, const tn_tensor *bias,
                           const char *activation, const tn_tensor *residual, tn_scalar scale) {
    tni_product_argument first = {input, "input"}, added = {residual, "residual"};
    return linear_plan(plan, input, weight, bias) && tni_product_find_activation(activation, input, &plan->number[0]) &&
           (!residual || (tni_product_check_dtypes(first, added) && tni_product_check_broadcast(added, plan))) &&
           tni_product_check_number(scale, "scale", input->dtype, (void *)plan->room);
}

tn_error tni_run_linear_fused(const tni_plan *plan, tn_tensor *const *results, const tn_tensor *input, const tn_tensor *weight,
                              const tn_tensor *bias, const char *activation, const tn_tensor *residual, tn_scalar scale) {
    tni_product_call call;
    (void)activation, (void)scale;
    linear_begin(&call, results[0], input, weight, bias);
    call.product.activation = (tni_product_activation)plan->number[0];
    call.product.scale = *(const tn_job_number *)(const void *)plan->room;
    if (residual)
        tni_product_call_take(&call, TNI_PRODUCT_RESIDUAL, residual, input->ndim > 1, weight->ndim > 1);
    return tni_product_call_run(&call);
}

/* ---- bilinear */

static bool bilinear_check(const tn_tensor *input1, const tn_tensor *input2, const tn_tensor *weight, const tn_tensor *bias) {
    tni_product_argument first = {input1, "input1"}, second = {input2, "input2"}, weights = {weight, "weight"},
                         added = {bias, "bias"};
    int64_t last = input1->ndim - 1;
    if (input1->ndim == 0 || input1->ndim != input2->ndim) {
        tni_raise(TN_ERROR_SHAPE, "input1 %s and input2 %s must have the same number of dimensions, and at least one",
                  tni_show_tensor(input1), tni_show_tensor(input2));
        return false;
    }
    if (input1->ndim > TN_MAX_DIMS - 2) {
        tni_raise(TN_ERROR_SHAPE, "input1 %s has no room for two more dimensions", tni_show_tensor(input1));
        return false;
    }
    for (int64_t d = 0; d < last; d++)
        if (!tni_product_check_sizes(first, d, second, d))
            return false;
    return tni_product_check_rank(weights, 3) && tni_product_check_dtypes(first, second) &&
           tni_product_check_dtypes(first, weights) && tni_product_check_sizes(first, last, weights, 1) &&
           tni_product_check_sizes(second, last, weights, 2) &&
           (!bias || (tni_product_check_dtypes(first, added) && tni_product_check_rank(added, 1) &&
                      tni_product_check_sizes(added, 0, weights, 0)));
}

/* For each index o, row by row, input1 times the matrix weight[o]; and the products of these rows with those of input2. */
tn_tensor *tni_composite_bilinear(const tn_tensor *input1, const tn_tensor *input2, const tn_tensor *weight,
                                  const tn_tensor *bias) {
    if (!bilinear_check(input1, input2, weight, bias))
        return NULL;
    tn_tensor *rows = tn_squeeze_dim(tn_matmul(tn_unsqueeze(tn_unsqueeze(input1, -2), -2), weight), -2);
    tn_tensor *made = tn_squeeze_dim(tn_matmul(rows, tn_unsqueeze(input2, -1)), -1);
    return bias && made ? tn_add_(made, bias) : made;
}

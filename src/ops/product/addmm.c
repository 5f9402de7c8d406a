/* addmm.c - products that are added to something: beta * self + alpha * (a product), for addmm, addmv, baddbmm, addbmm and addr.
 *
 * self broadcasts to the result and is not read where beta is 0; the factors are not read where alpha is 0, as BLAS has it, except by
 * addr, which multiplies element by element. In place, and into an `out` that is self, the sums are added to self where it is.
 */
#include "base/error.h"
#include "iterate/promote.h"
#include "operators_product.h"
#include "ops/pointwise/pointwise.h"
#include "ops/product/product_call.h"

/* What a plan leaves in its room. */
typedef struct addmm_numbers {
    tn_job_number alpha, beta;
} addmm_numbers;

_Static_assert(sizeof(addmm_numbers) <= TNI_PLAN_ROOM, "a plan has room for both");

static bool addmm_plan_numbers(tni_plan *plan, tn_scalar beta, tn_scalar alpha, tn_dtype dtype) {
    addmm_numbers *numbers = (void *)plan->room;
    return tni_product_check_number(beta, "beta", dtype, &numbers->beta) &&
           tni_product_check_number(alpha, "alpha", dtype, &numbers->alpha);
}

/* Self, of the dtype of the factors, broadcasts to the result. Where it has its sizes it may be the result. */
static bool addmm_plan_self(tni_plan *plan, const tn_tensor *self, tni_product_argument factor) {
    tni_product_argument added = {self, "self"};
    if (self->dtype != plan->result[0].dtype && !tni_product_check_dtypes(added, factor))
        return false;
    plan->over_first = tni_plan_has_sizes(&plan->result[0], self);
    return plan->over_first || tni_product_check_broadcast(added, plan);
}

static bool addmm_plan(tni_plan *plan, const tn_tensor *self, tni_product_argument a, int64_t a_ndim, tni_product_argument b,
                       int64_t b_ndim, tn_scalar beta, tn_scalar alpha, tn_dtype dtype) {
    return tni_product_check_rank(a, a_ndim) && tni_product_check_rank(b, b_ndim) && tni_product_plan(plan, a, b, dtype) &&
           (a_ndim < 3 || tni_product_check_sizes(a, 0, b, 0)) && addmm_plan_self(plan, self, a) &&
           addmm_plan_numbers(plan, beta, alpha, dtype);
}

static tn_error addmm_run(const tni_plan *plan, tn_tensor *result, const tn_tensor *self, const tn_tensor *a,
                          const tn_tensor *b, tni_product_activation activation) {
    const addmm_numbers *numbers = (const void *)plan->room;
    tni_product_call call;
    tni_product_begin_planned(&call, plan, result, a, b);
    tni_product_call_weigh(&call, &numbers->alpha, &numbers->beta, self, true, b->ndim > 1);
    call.product.activation = activation;
    return tni_product_call_run(&call);
}

bool tni_plan_addmm(tni_plan *plan, const tn_tensor *self, const tn_tensor *mat1, const tn_tensor *mat2, tn_scalar beta,
                    tn_scalar alpha) {
    return addmm_plan(plan, self, (tni_product_argument){mat1, "mat1"}, 2, (tni_product_argument){mat2, "mat2"}, 2, beta, alpha,
                      mat1->dtype);
}

tn_error tni_run_addmm(const tni_plan *plan, tn_tensor *const *results, const tn_tensor *self, const tn_tensor *mat1,
                       const tn_tensor *mat2, tn_scalar beta, tn_scalar alpha) {
    (void)beta, (void)alpha;
    return addmm_run(plan, results[0], self, mat1, mat2, TNI_ACTIVATION_NONE);
}

bool tni_plan__addmm_activation(tni_plan *plan, const tn_tensor *self, const tn_tensor *mat1, const tn_tensor *mat2,
                                tn_scalar beta, tn_scalar alpha, bool use_gelu) {
    (void)use_gelu;
    if (!tn_dtype_is_floating(mat1->dtype)) {
        tni_raise(TN_ERROR_DTYPE, "an activation is for floats, and mat1 is %s: convert it with to", tni_show_tensor(mat1));
        return false;
    }
    return tni_plan_addmm(plan, self, mat1, mat2, beta, alpha);
}

tn_error tni_run__addmm_activation(const tni_plan *plan, tn_tensor *const *results, const tn_tensor *self,
                                   const tn_tensor *mat1, const tn_tensor *mat2, tn_scalar beta, tn_scalar alpha,
                                   bool use_gelu) {
    (void)beta, (void)alpha;
    return addmm_run(plan, results[0], self, mat1, mat2, use_gelu ? TNI_ACTIVATION_GELU : TNI_ACTIVATION_RELU);
}

bool tni_plan_addmv(tni_plan *plan, const tn_tensor *self, const tn_tensor *mat, const tn_tensor *vec, tn_scalar beta,
                    tn_scalar alpha) {
    return addmm_plan(plan, self, (tni_product_argument){mat, "mat"}, 2, (tni_product_argument){vec, "vec"}, 1, beta, alpha,
                      mat->dtype);
}

tn_error tni_run_addmv(const tni_plan *plan, tn_tensor *const *results, const tn_tensor *self, const tn_tensor *mat,
                       const tn_tensor *vec, tn_scalar beta, tn_scalar alpha) {
    (void)beta, (void)alpha;
    return addmm_run(plan, results[0], self, mat, vec, TNI_ACTIVATION_NONE);
}

bool tni_plan_baddbmm(tni_plan *plan, const tn_tensor *self, const tn_tensor *batch1, const tn_tensor *batch2, tn_scalar beta,
                      tn_scalar alpha) {
    return addmm_plan(plan, self, (tni_product_argument){batch1, "batch1"}, 3, (tni_product_argument){batch2, "batch2"}, 3,
                      beta, alpha, batch1->dtype);
}

tn_error tni_run_baddbmm(const tni_plan *plan, tn_tensor *const *results, const tn_tensor *self, const tn_tensor *batch1,
                         const tn_tensor *batch2, tn_scalar beta, tn_scalar alpha) {
    (void)beta, (void)alpha;
    return addmm_run(plan, results[0], self, batch1, batch2, TNI_ACTIVATION_NONE);
}

/* ---- the sum over the batch */

/* One product after the other is added to the sum so far. Each may fail for want of memory. */
bool tni_plan_addbmm(tni_plan *plan, const tn_tensor *self, const tn_tensor *batch1, const tn_tensor *batch2, tn_scalar beta,
                     tn_scalar alpha) {
    tni_product_argument first = {batch1, "batch1"}, second = {batch2, "batch2"};
    if (!tni_product_check_rank(first, 3) || !tni_product_check_rank(second, 3) || !tni_product_check_dtypes(first, second) ||
        !tni_product_check_sizes(first, 2, second, 1) || !tni_product_check_sizes(first, 0, second, 0))
        return false;
    tni_plan_begin(plan, self);
    tni_plan_add(plan, 2, (int64_t[]){batch1->sizes[1], batch2->sizes[2]}, batch1->dtype);
    if (!addmm_plan_self(plan, self, first) || !addmm_plan_numbers(plan, beta, alpha, batch1->dtype))
        return false;
    plan->beside = batch1->sizes[0] > 1;
    return true;
}

/* Batch `i` of a factor. */
static void addbmm_take(tni_product_call *call, tni_product_slot slot, const tn_tensor *factor, int64_t i) {
    tni_product_operand *operand = slot == TNI_PRODUCT_A ? &call->product.a : &call->product.b;
    tni_product_call_take(call, slot, factor, true, true);
    if (operand->data)
        operand->data = (char *)operand->data + i * tni_tensor_step(factor, 0);
}

/* Sums that are rounded on their way to the result are collected beside it. */
tn_error tni_run_addbmm(const tni_plan *plan, tn_tensor *const *results, const tn_tensor *self, const tn_tensor *batch1,
                        const tn_tensor *batch2, tn_scalar beta_given, tn_scalar alpha_given) {
    const addmm_numbers *numbers = (const void *)plan->room;
    const tn_job_number one = TNI_PRODUCT_ONE;
    tn_tensor *result = results[0], *sum = NULL;
    int64_t count = batch1->sizes[0];
    bool none = count == 0 || batch1->sizes[2] == 0 || tni_product_number_is_zero(&numbers->alpha);
    tn_dtype compute = tni_product_compute(result->dtype);
    tn_error code = TN_OK;
    (void)beta_given, (void)alpha_given;
    if (!none && count > 1 && tn_dtype_is_floating(result->dtype) && compute != (tn_dtype)result->dtype) {
        sum = tni_tensor_new(2, result->sizes, compute, tni_tensor_device(result));
        if (!sum)
            return tni_failed();
    }
    for (int64_t i = 0; code == TN_OK && i < (none ? 1 : count); i++) {
        tn_tensor *target = sum && i + 1 < count ? sum : result;
        const tn_tensor *before = i == 0 ? self : sum ? sum : result;
        tni_product_call call;
        tni_product_call_begin(&call, result->sizes[0], result->sizes[1], none ? 0 : batch1->sizes[2], (tn_dims){NULL, 0},
                               result->dtype);
        addbmm_take(&call, TNI_PRODUCT_A, batch1, i);
        addbmm_take(&call, TNI_PRODUCT_B, batch2, i);
        tni_product_call_take(&call, TNI_PRODUCT_C, target, true, true);
        tni_product_call_weigh(&call, &numbers->alpha, i == 0 ? &numbers->beta : &one, before, true, true);
        code = tni_product_call_run(&call);
    }
    tni_tensor_release(sum);
    return code;
}

/* ---- the products of two vectors' elements */

/* Beside integers these are integers, too, and only beside bools are they bools. */
static bool addr_check_number(tn_scalar value, const char *name, tn_dtype dtype) {
    bool flag = value.kind == TN_SCALAR_BOOL, whole = flag || value.kind == TN_SCALAR_INT || value.kind == TN_SCALAR_UINT;
    if (flag ? dtype == TN_BOOL : whole || !tn_dtype_is_integral(dtype))
        return true;
    tni_raise(TN_ERROR_DTYPE, "%s = %s must be %s: the result is %s", name, tni_show_scalar(value),
              flag ? "a number" : "an integer", tn_dtype_name(dtype));
    return false;
}

/* As pointwise operators have it: a common dtype, also bool, where a product is "and" and a sum "or"; the result lies in memory as
 * the operands say, and an `out` may be of any dtype that the result can be cast to. */
bool tni_plan_addr(tni_plan *plan, const tn_tensor *self, const tn_tensor *vec1, const tn_tensor *vec2, tn_scalar beta,
                   tn_scalar alpha) {
    tni_product_argument first = {vec1, "vec1"}, second = {vec2, "vec2"}, added = {self, "self"};
    tni_promotion promotion = {0};
    if (!tni_product_check_rank(first, 1) || !tni_product_check_rank(second, 1))
        return false;
    int64_t sizes[2] = {vec1->sizes[0], vec2->sizes[0]}, shift = 2 - self->ndim;
    tni_promotion_add_tensor(&promotion, self->dtype, 2); /* whatever is broadcast is a matrix */
    tni_promotion_add_tensor(&promotion, vec1->dtype, 2);
    tni_promotion_add_tensor(&promotion, vec2->dtype, 2);
    tn_dtype dtype = tni_promotion_result(&promotion);
    if (dtype == TN_DTYPE_DEFAULT) {
        tni_raise(TN_ERROR_DTYPE, "there is no dtype for self %s, vec1 %s and vec2 %s", tni_show_tensor(self),
                  tni_show_tensor(vec1), tni_show_tensor(vec2));
        return false;
    }
    tni_plan_begin(plan, self);
    plan->rule = TNI_RESULT_CAST;
    tni_plan_add(plan, 2, sizes, dtype);
    if (!tni_product_check_broadcast(added, plan) || !addr_check_number(beta, "beta", dtype) ||
        !addr_check_number(alpha, "alpha", dtype) || !addmm_plan_numbers(plan, beta, alpha, dtype))
        return false;
    int64_t of_self[2], of_first[2] = {vec1->strides[0], 0}, of_second[2] = {0, vec2->strides[0]};
    for (int64_t d = 0; d < 2; d++)
        of_self[d] = d < shift || self->sizes[d - shift] != sizes[d] ? 0 : self->strides[d - shift];
    tni_pointwise_layout from = {.ndim = 2, .sizes = sizes, .count = 3, .strides = {of_self, of_first, of_second}};
    plan->result[0].strided = true;
    plan->over_first = tni_plan_has_sizes(&plan->result[0], self) && (tn_dtype)self->dtype == dtype;
    if (tni_pointwise_strides(&from, plan->result[0].strides) == TN_GEOMETRY_OK)
        return true;
    tni_raise(TN_ERROR_SHAPE, "the result would have sizes %s, more elements than can be counted", tni_show_dims(sizes, 2));
    return false;
}

tn_error tni_run_addr(const tni_plan *plan, tn_tensor *const *results, const tn_tensor *self, const tn_tensor *vec1,
                      const tn_tensor *vec2, tn_scalar beta, tn_scalar alpha) {
    const addmm_numbers *numbers = (const void *)plan->room;
    tn_tensor *result = results[0];
    tni_product_call call;
    (void)beta, (void)alpha;
    tni_product_call_begin(&call, result->sizes[0], result->sizes[1], 1, (tn_dims){NULL, 0}, result->dtype);
    tni_product_call_take(&call, TNI_PRODUCT_A, vec1, true, false);
    tni_product_call_take(&call, TNI_PRODUCT_B, vec2, false, true);
    tni_product_call_take(&call, TNI_PRODUCT_C, result, true, true);
    call.product.alpha = numbers->alpha;
    if (result->dtype == TN_BOOL) { /* any number but 0 is true */
        if (!tni_product_number_is_zero(&numbers->alpha))
            call.product.alpha = TNI_PRODUCT_ONE;
    }
    if (!tni_product_number_is_zero(&numbers->beta)) {
        call.product.beta = result->dtype == TN_BOOL ? TNI_PRODUCT_ONE : numbers->beta;
        tni_product_call_take(&call, TNI_PRODUCT_D, self, true, true);
    }
    return tni_product_call_run(&call);
}

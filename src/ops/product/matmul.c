/* matmul.c - products of two tensors: matmul in all its ranks, and mm, bmm, mv, dot, which are matmul of certain ranks; vdot and
 * linalg_vecdot, which conjugate their first factor; inner, which is over the last dimension of both.
 */
#include "base/error.h"
#include "iterate/promote.h"
#include "operators_product.h"
#include "ops/pointwise/pointwise.h"
#include "ops/product/product_call.h"

static tn_error matmul_run(const tni_plan *plan, tn_tensor *result, const tn_tensor *a, const tn_tensor *b) {
    tni_product_call call;
    tni_product_begin_planned(&call, plan, result, a, b);
    return tni_product_call_run(&call);
}

/* A row that is matmul of two ranks. */
static bool matmul_plan_ranks(tni_plan *plan, tni_product_argument a, int64_t a_ndim, tni_product_argument b, int64_t b_ndim,
                              tn_dtype dtype) {
    return tni_product_check_rank(a, a_ndim) && tni_product_check_rank(b, b_ndim) && tni_product_plan(plan, a, b, dtype) &&
           (a_ndim < 3 || tni_product_check_sizes(a, 0, b, 0));
}

bool tni_plan_matmul(tni_plan *plan, const tn_tensor *self, const tn_tensor *other) {
    return tni_product_plan(plan, (tni_product_argument){self, "self"}, (tni_product_argument){other, "other"}, self->dtype);
}

tn_error tni_run_matmul(const tni_plan *plan, tn_tensor *const *results, const tn_tensor *self, const tn_tensor *other) {
    return matmul_run(plan, results[0], self, other);
}

bool tni_plan_mm(tni_plan *plan, const tn_tensor *self, const tn_tensor *mat2) {
    return matmul_plan_ranks(plan, (tni_product_argument){self, "self"}, 2, (tni_product_argument){mat2, "mat2"}, 2,
                             self->dtype);
}

tn_error tni_run_mm(const tni_plan *plan, tn_tensor *const *results, const tn_tensor *self, const tn_tensor *mat2) {
    return matmul_run(plan, results[0], self, mat2);
}

bool tni_plan_bmm(tni_plan *plan, const tn_tensor *self, const tn_tensor *mat2) {
    return matmul_plan_ranks(plan, (tni_product_argument){self, "self"}, 3, (tni_product_argument){mat2, "mat2"}, 3,
                             self->dtype);
}

tn_error tni_run_bmm(const tni_plan *plan, tn_tensor *const *results, const tn_tensor *self, const tn_tensor *mat2) {
    return matmul_run(plan, results[0], self, mat2);
}

bool tni_plan_mv(tni_plan *plan, const tn_tensor *self, const tn_tensor *vec) {
    return matmul_plan_ranks(plan, (tni_product_argument){self, "self"}, 2, (tni_product_argument){vec, "vec"}, 1, self->dtype);
}

tn_error tni_run_mv(const tni_plan *plan, tn_tensor *const *results, const tn_tensor *self, const tn_tensor *vec) {
    return matmul_run(plan, results[0], self, vec);
}

bool tni_plan_dot(tni_plan *plan, const tn_tensor *self, const tn_tensor *tensor) {
    return matmul_plan_ranks(plan, (tni_product_argument){self, "self"}, 1, (tni_product_argument){tensor, "tensor"}, 1,
                             self->dtype);
}

tn_error tni_run_dot(const tni_plan *plan, tn_tensor *const *results, const tn_tensor *self, const tn_tensor *tensor) {
    return matmul_run(plan, results[0], self, tensor);
}

/* ---- results of the dtype that sums are accumulated in */

static bool matmul_check_wide(const tn_tensor *self, tn_dtype out_dtype) {
    tn_dtype wide = tni_product_compute(self->dtype);
    if (out_dtype == (tn_dtype)self->dtype || out_dtype == wide)
        return true;
    tni_raise(TN_ERROR_DTYPE, "out_dtype = %s must be %s, the dtype of self %s, or %s, in which its products are accumulated",
              tn_dtype_name(out_dtype), tn_dtype_name(self->dtype), tni_show_tensor(self), tn_dtype_name(wide));
    return false;
}

bool tni_plan_mm_dtype(tni_plan *plan, const tn_tensor *self, const tn_tensor *mat2, tn_dtype out_dtype) {
    return matmul_plan_ranks(plan, (tni_product_argument){self, "self"}, 2, (tni_product_argument){mat2, "mat2"}, 2,
                             out_dtype) &&
           matmul_check_wide(self, out_dtype);
}

tn_error tni_run_mm_dtype(const tni_plan *plan, tn_tensor *const *results, const tn_tensor *self, const tn_tensor *mat2,
                          tn_dtype out_dtype) {
    (void)out_dtype;
    return matmul_run(plan, results[0], self, mat2);
}

bool tni_plan_bmm_dtype(tni_plan *plan, const tn_tensor *self, const tn_tensor *mat2, tn_dtype out_dtype) {
    return matmul_plan_ranks(plan, (tni_product_argument){self, "self"}, 3, (tni_product_argument){mat2, "mat2"}, 3,
                             out_dtype) &&
           matmul_check_wide(self, out_dtype);
}

tn_error tni_run_bmm_dtype(const tni_plan *plan, tn_tensor *const *results, const tn_tensor *self, const tn_tensor *mat2,
                           tn_dtype out_dtype) {
    (void)out_dtype;
    return matmul_run(plan, results[0], self, mat2);
}

/* ---- the first factor conjugated */

bool tni_plan_vdot(tni_plan *plan, const tn_tensor *self, const tn_tensor *other) {
    return matmul_plan_ranks(plan, (tni_product_argument){self, "self"}, 1, (tni_product_argument){other, "other"}, 1,
                             self->dtype);
}

tn_error tni_run_vdot(const tni_plan *plan, tn_tensor *const *results, const tn_tensor *self, const tn_tensor *other) {
    tni_product_call call;
    tni_product_begin_planned(&call, plan, results[0], self, other);
    call.product.a.conjugate = true;
    return tni_product_call_run(&call);
}

/* Of the sizes that both broadcast to, `dim` goes; number[0] says where it was, and number[1] how many there were. */
bool tni_plan_linalg_vecdot(tni_plan *plan, const tn_tensor *x, const tn_tensor *y, int64_t dim) {
    tni_product_argument first = {x, "x"}, second = {y, "y"};
    int64_t ndim, sizes[TN_MAX_DIMS];
    tn_geometry_conflict conflict;
    if (!tni_product_check_dtypes(first, second))
        return false;
    if (tn_geometry_broadcast((tn_dims){x->sizes, x->ndim}, (tn_dims){y->sizes, y->ndim}, &ndim, sizes, &conflict) !=
        TN_GEOMETRY_OK) {
        tni_raise(TN_ERROR_SHAPE, "x %s and y %s cannot be broadcast: sizes %" PRId64 " and %" PRId64 " in dimension %" PRId64,
                  tni_show_tensor(x), tni_show_tensor(y), conflict.expected, conflict.size, conflict.dim);
        return false;
    }
    if (!tni_wrap_dim(dim, ndim, "dim", &plan->number[0]))
        return false;
    plan->number[1] = ndim;
    plan->number[2] = ndim ? sizes[plan->number[0]] : 1;
    for (int64_t d = plan->number[0]; d + 1 < ndim; d++)
        sizes[d] = sizes[d + 1];
    tni_plan_begin(plan, x);
    tni_plan_add(plan, tni_max_i64(ndim - 1, 0), sizes, x->dtype);
    return true;
}

/* The vectors are those along a dimension, and the others batch dimensions. */
static void vecdot_take(tni_product_call *call, tni_product_slot slot, const tn_tensor *tensor, const tni_plan *plan) {
    int64_t batch[TN_MAX_DIMS], missing = plan->number[1] - tensor->ndim, dim = plan->number[0] - missing;
    for (int64_t d = 0; d < plan->number[1] - 1; d++)
        batch[d] = d - missing + (d >= plan->number[0]);
    if (tensor->ndim == 0)
        dim = -1;
    tni_product_call_place(call, slot, tensor, slot == TNI_PRODUCT_B ? dim : -1, slot == TNI_PRODUCT_B ? -1 : dim, batch);
}

tn_error tni_run_linalg_vecdot(const tni_plan *plan, tn_tensor *const *results, const tn_tensor *x, const tn_tensor *y,
                               int64_t unwrapped) {
    const tni_plan_result *result = &plan->result[0];
    tni_product_call call;
    (void)unwrapped;
    tni_product_call_begin(&call, 1, 1, plan->number[2], (tn_dims){result->sizes, result->ndim}, x->dtype);
    vecdot_take(&call, TNI_PRODUCT_A, x, plan);
    vecdot_take(&call, TNI_PRODUCT_B, y, plan);
    tni_product_call_take(&call, TNI_PRODUCT_C, results[0], false, false);
    call.product.a.conjugate = true;
    return tni_product_call_run(&call);
}

/* ---- inner */

/* A tensor without dimensions is a number, which may be of another dtype, or bool. */
static bool inner_plan_number(tni_plan *plan, const tn_tensor *self, const tn_tensor *other) {
    tni_promotion promotion = {0};
    tni_promotion_add_tensor(&promotion, self->dtype, self->ndim);
    tni_promotion_add_tensor(&promotion, other->dtype, other->ndim);
    tn_dtype dtype = tni_promotion_result(&promotion);
    if (dtype == TN_DTYPE_DEFAULT) {
        tni_raise(TN_ERROR_DTYPE, "there is no dtype for both self %s and other %s", tni_show_tensor(self),
                  tni_show_tensor(other));
        return false;
    }
    const tn_tensor *array = self->ndim ? self : other; /* which the result lies like */
    int64_t strides[TN_MAX_DIMS], none[TN_MAX_DIMS] = {0};
    tni_pointwise_layout from = {.ndim = array->ndim, .sizes = array->sizes, .count = 2, .strides = {strides, none}};
    tn_geometry_result found = TN_GEOMETRY_OK;
    if ((tn_dtype)array->dtype == dtype)
        from.strides[0] = array->strides;
    else
        found = tni_pointwise_copied_strides(&from, array, strides);
    tni_plan_begin(plan, self);
    plan->rule = TNI_RESULT_CAST;
    tni_plan_add(plan, array->ndim, array->sizes, dtype);
    plan->result[0].strided = true;
    if (found == TN_GEOMETRY_OK)
        found = tni_pointwise_strides(&from, plan->result[0].strides);
    if (found != TN_GEOMETRY_OK)
        tni_raise(tn_geometry_result_error(found), "%s: %s", tni_show_tensor(array), tn_geometry_result_text(found));
    return found == TN_GEOMETRY_OK;
}

/* The dimensions of self but the last, and then those of other. */
bool tni_plan_inner(tni_plan *plan, const tn_tensor *self, const tn_tensor *other) {
    tni_product_argument first = {self, "self"}, second = {other, "other"};
    int64_t ndim = self->ndim + other->ndim - 2, sizes[TN_MAX_DIMS];
    if (self->ndim == 0 || other->ndim == 0)
        return inner_plan_number(plan, self, other);
    if (!tni_product_check_dtypes(first, second) || !tni_product_check_sizes(first, self->ndim - 1, second, other->ndim - 1))
        return false;
    if (ndim > TN_MAX_DIMS) {
        tni_raise(TN_ERROR_SHAPE, "the product of self %s and other %s would have %" PRId64 " dimensions; %d are the most",
                  tni_show_tensor(self), tni_show_tensor(other), ndim, TN_MAX_DIMS);
        return false;
    }
    for (int64_t d = 0; d < ndim; d++)
        sizes[d] = d < self->ndim - 1 ? self->sizes[d] : other->sizes[d - (self->ndim - 1)];
    tni_plan_begin(plan, self);
    tni_plan_add(plan, ndim, sizes, self->dtype);
    return true;
}

/* Of the dimensions of each factor the one before the last is its rows, or columns; those before are batch dimensions, along which
 * the other factor stays the same. */
static void inner_take(tni_product_call *call, tn_tensor *result, const tn_tensor *self, const tn_tensor *other) {
    int64_t of_self[TN_MAX_DIMS], of_other[TN_MAX_DIMS], of_result[TN_MAX_DIMS], count = 0;
    int64_t rows = self->ndim - 1, columns = other->ndim - 1;
    for (int64_t d = 0; d < rows - 1; d++, count++) {
        of_self[count] = of_result[count] = d;
        of_other[count] = -1;
    }
    for (int64_t d = 0; d < columns - 1; d++, count++) {
        of_self[count] = -1;
        of_other[count] = d;
        of_result[count] = rows + d;
    }
    tni_product_call_begin(call, rows ? self->sizes[rows - 1] : 1, columns ? other->sizes[columns - 1] : 1, self->sizes[rows],
                           (tn_dims){NULL, 0}, self->dtype);
    call->product.batch_ndim = count;
    for (int64_t d = 0; d < count; d++)
        call->sizes[d] = result->sizes[of_result[d]];
    tni_product_call_place(call, TNI_PRODUCT_A, self, rows - 1, rows, of_self);
    tni_product_call_place(call, TNI_PRODUCT_B, other, columns, columns - 1, of_other);
    tni_product_call_place(call, TNI_PRODUCT_C, result, rows - 1, columns ? result->ndim - 1 : -1, of_result);
}

tn_error tni_run_inner(const tni_plan *plan, tn_tensor *const *results, const tn_tensor *self, const tn_tensor *other) {
    tni_product_call call;
    tn_tensor *result = results[0];
    (void)plan;
    if (self->ndim && other->ndim) {
        inner_take(&call, result, self, other);
    } else {
        tni_product_call_begin(&call, 1, 1, 1, (tn_dims){result->sizes, result->ndim}, result->dtype);
        tni_product_call_take(&call, TNI_PRODUCT_A, self, false, false);
        tni_product_call_take(&call, TNI_PRODUCT_B, other, false, false);
        tni_product_call_take(&call, TNI_PRODUCT_C, result, false, false);
    }
    return tni_product_call_run(&call);
}

/* cholesky.c - linalg_cholesky_ex: L L^H of positive definite matrices, or U^H U; of it linalg_cholesky, cholesky, cholesky_solve and
 * cholesky_inverse are made.
 *
 * Only one triangle is read. U is L of the transpose, read with the strides exchanged.
 */
#include <string.h>

#include "base/error.h"
#include "operators_copy.h"
#include "operators_create.h"
#include "operators_linalg.h"
#include "operators_move.h"
#include "operators_view.h"
#include "ops/copy/copy.h"
#include "ops/linalg/linalg.h"
#include "ops/result.h"

bool tni_plan_linalg_cholesky_ex(tni_plan *plan, const tn_tensor *self, bool upper, bool check_errors) {
    (void)upper, (void)check_errors;
    if (!tni_linalg_check_matrix(self, "self", true))
        return false;
    tni_plan_begin(plan, self);
    tni_linalg_add(plan, self, tni_linalg_rows(self), tni_linalg_rows(self), self->dtype);
    tni_linalg_add(plan, self, TN_NONE, TN_NONE, TN_INT32);
    return true;
}

typedef struct cholesky_call {
    tni_factor factor;
    const tni_lanes_loops *lanes;
    tni_stack from, stack;
    int64_t n;
    int32_t *info;
    bool upper;
} cholesky_call;

/* The other triangle becomes 0; rows of the matrix in memory. */
static void cholesky_clear(const cholesky_call *call, char *data) {
    size_t size = call->factor.size;
    for (int64_t r = 0; r < call->n; r++)
        if (call->upper)
            memset(data + (size_t)(r * call->n) * size, 0, (size_t)r * size);
        else
            memset(data + (size_t)(r * call->n + r + 1) * size, 0, (size_t)(call->n - r - 1) * size);
}

static bool cholesky_one(void *context, int64_t i, void *work) {
    const cholesky_call *call = context;
    tni_matrix a = tni_stack_at(&call->stack, i);
    int64_t info = 0;
    (void)work;
    if (call->upper)
        a = tni_factor_transposed(a);
    if (!tni_factor_cholesky(&call->factor, call->n, a, &info))
        return false;
    call->info[i] = (int32_t)info;
    cholesky_clear(call, a.data);
    return true;
}

/* Where there is no L, the matrix stays as it was. */
static bool cholesky_group(void *context, int64_t g, void *work) {
    const cholesky_call *call = context;
    tni_matrix from[TNI_LANES_MOST], to[TNI_LANES_MOST];
    int32_t info[TNI_LANES_MOST];
    int64_t n = call->n, count = tni_stack_group(&call->from, &call->factor, g, from);
    (void)tni_stack_group(&call->stack, &call->factor, g, to);
    tni_lanes_pack(&call->factor, n, n, from, count, work);
    call->lanes->cholesky(n, work, call->upper ? 1 : n, call->upper ? n : 1, info);
    tni_lanes_unpack(&call->factor, n, n, work, to, count);
    for (int64_t l = 0; l < count; l++) {
        call->info[g * tni_lanes_count(&call->factor) + l] = info[l];
        if (info[l]) {
            tni_linalg_copy(&call->factor, n, n, from[l], to[l]);
            cholesky_clear(call, to[l].data);
        }
    }
    return true;
}

tn_error tni_run_linalg_cholesky_ex(const tni_plan *plan, tn_tensor *const *results, const tn_tensor *self, bool upper,
                                    bool check_errors) {
    cholesky_call call = {.stack = tni_stack_of(results[0], NULL),
                          .n = tni_linalg_rows(self),
                          .info = (int32_t *)tni_tensor_write(results[1]),
                          .upper = upper};
    (void)plan;
    tni_factor_begin(&call.factor, self->dtype);
    double n = (double)call.n;
    call.lanes = tni_lanes_of(&call.factor, call.n, call.n);
    call.from = tni_stack_of(self, NULL);
    tn_error code = call.lanes ? tni_linalg_each_group(&call.factor, call.stack.count, n * n * n / 6 + 20 * n,
                                                       tni_lanes_bytes(call.n, call.n), cholesky_group, &call)
                               : tni_copy_into(results[0], self, "it is factored there");
    if (code == TN_OK && !call.lanes)
        code = tni_linalg_each(call.stack.count, n * n * n / 6 + 20 * n, 0, cholesky_one, &call);
    return code == TN_OK && check_errors ? tni_linalg_judge(results[1], TNI_LINALG_INDEFINITE) : code;
}

/* ---- made of it */

tn_tensor *tni_composite_linalg_cholesky(const tn_tensor *self, bool upper) {
    return tn_list_at(tn_linalg_cholesky_ex(self, upper, true), 0);
}

tn_tensor *tni_composite_linalg_cholesky_out(tn_tensor *out, const tn_tensor *self, bool upper) {
    return tni_result_put(out, tni_composite_linalg_cholesky(self, upper), TNI_RESULT_EXACT);
}

tn_tensor *tni_composite_cholesky_solve(const tn_tensor *self, const tn_tensor *input2, bool upper) {
    if (!tni_linalg_check_matrix(self, "self", false) || !tni_linalg_check_matrix(input2, "input2", true))
        return NULL;
    tn_tensor *first = tn_linalg_solve_triangular(upper ? tn_mH(input2) : input2, self, false, true, false);
    return tn_linalg_solve_triangular(upper ? input2 : tn_mH(input2), first, true, true, false);
}

tn_tensor *tni_composite_cholesky_solve_out(tn_tensor *out, const tn_tensor *self, const tn_tensor *input2, bool upper) {
    return tni_result_put(out, tni_composite_cholesky_solve(self, input2, upper), TNI_RESULT_EXACT);
}

tn_tensor *tni_composite_cholesky_inverse(const tn_tensor *self, bool upper) {
    if (!tni_linalg_check_matrix(self, "self", true))
        return NULL;
    tn_tensor *one = tni_linalg_eye(self, tni_linalg_rows(self), tni_linalg_rows(self));
    return tn_cholesky_solve(one, self, upper);
}

tn_tensor *tni_composite_cholesky_inverse_out(tn_tensor *out, const tn_tensor *self, bool upper) {
    return tni_result_put(out, tni_composite_cholesky_inverse(self, upper), TNI_RESULT_EXACT);
}

tn_tensor *tni_composite_cholesky(const tn_tensor *self, bool upper) { return tni_composite_linalg_cholesky(self, upper); }

tn_tensor *tni_composite_cholesky_out(tn_tensor *out, const tn_tensor *self, bool upper) {
    return tni_composite_linalg_cholesky_out(out, self, upper);
}

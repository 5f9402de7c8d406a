/* triangular.c - triangular systems: linalg_solve_triangular. Only one triangle of A is read. */
#include <string.h>

#include "base/error.h"
#include "operators_copy.h"
#include "operators_linalg.h"
#include "operators_view.h"
#include "ops/copy/copy.h"
#include "ops/linalg/linalg.h"

bool tni_plan_linalg_solve_triangular(tni_plan *plan, const tn_tensor *self, const tn_tensor *B, bool upper, bool left,
                                      bool unitriangular) {
    tni_batch batch;
    (void)upper, (void)unitriangular;
    if (!tni_linalg_check_matrix(self, "self", true) || !tni_linalg_check_matrix(B, "B", false) ||
        !tni_linalg_check_dtypes(self, "self", B, "B") || !tni_linalg_check_batch(&batch, self, 2, B, 2))
        return false;
    int64_t n = tni_linalg_rows(self), rows = tni_linalg_rows(B), columns = tni_linalg_columns(B);
    if (n != (left ? rows : columns)) {
        tni_raise(TN_ERROR_SHAPE, "B %s does not fit self %s: its matrices have to have %" PRId64 " %s", tni_show_tensor(B),
                  tni_show_tensor(self), n, left ? "rows" : "columns");
        return false;
    }
    tni_plan_begin(plan, self);
    tni_linalg_add_batch(plan, &batch, rows, columns, B->dtype);
    return true;
}

typedef struct triangular_call {
    tni_factor factor;
    const tni_lanes_loops *lanes;
    tni_stack t, b, x;
    int64_t n, count;
    int triangle;
    bool left;
} triangular_call;

static bool triangular_one(void *context, int64_t i, void *work) {
    const triangular_call *call = context;
    tni_matrix t = tni_stack_at(&call->t, i), x = tni_stack_at(&call->x, i);
    (void)work;
    return tni_factor_solve(&call->factor, call->n, call->count, t, call->left ? x : tni_factor_transposed(x), call->triangle);
}

/* Small ones side by side, some right-hand sides at a time. */
static bool triangular_group(void *context, int64_t g, void *work) {
    const triangular_call *call = context;
    const tni_factor *factor = &call->factor;
    tni_matrix t[TNI_LANES_MOST], b[TNI_LANES_MOST], x[TNI_LANES_MOST];
    int64_t n = call->n, count = tni_stack_group(&call->t, factor, g, t);
    (void)tni_stack_group(&call->b, factor, g, b);
    (void)tni_stack_group(&call->x, factor, g, x);
    char *right = (char *)work + tni_lanes_bytes(n, n);
    tni_lanes_pack(factor, n, n, t, count, work);
    for (int64_t c = 0; c < call->count; c += TNI_LANES_COLUMNS) {
        int64_t width = tni_min_i64(TNI_LANES_COLUMNS, call->count - c);
        tni_matrix from[TNI_LANES_MOST], to[TNI_LANES_MOST];
        for (int64_t l = 0; l < count; l++) {
            from[l] = tni_factor_part(factor, call->left ? b[l] : tni_factor_transposed(b[l]), 0, c);
            to[l] = tni_factor_part(factor, call->left ? x[l] : tni_factor_transposed(x[l]), 0, c);
        }
        tni_lanes_pack(factor, n, width, from, count, right);
        tni_lanes_solve(factor, call->lanes, n, width, work, right, call->triangle);
        tni_lanes_unpack(factor, n, width, right, to, count);
    }
    return true;
}

tn_error tni_run_linalg_solve_triangular(const tni_plan *plan, tn_tensor *const *results, const tn_tensor *self,
                                         const tn_tensor *B, bool upper, bool left, bool unitriangular) {
    tni_batch batch = {.ndim = results[0]->ndim - 2};
    (void)plan;
    memcpy(batch.sizes, results[0]->sizes, (size_t)batch.ndim * sizeof *batch.sizes);
    triangular_call call = {.t = tni_stack_of(self, &batch),
                            .x = tni_stack_of(results[0], NULL),
                            .n = tni_linalg_rows(self),
                            .count = left ? tni_linalg_columns(B) : tni_linalg_rows(B),
                            .triangle = (upper ? TNI_TRIANGLE_UPPER : 0) | (unitriangular ? TNI_TRIANGLE_UNIT : 0) |
                                        (left ? 0 : TNI_TRIANGLE_TRANSPOSED),
                            .left = left};
    tni_factor_begin(&call.factor, self->dtype);
    double n = (double)call.n;
    if ((call.lanes = tni_lanes_of(&call.factor, call.n, call.n))) {
        call.b = tni_stack_of(B, &batch);
        return tni_linalg_each_group(&call.factor, call.x.count, n * n * (double)call.count / 2 + 20 * n,
                                     tni_lanes_bytes(call.n, call.n) + tni_lanes_bytes(call.n, TNI_LANES_COLUMNS),
                                     triangular_group, &call);
    }
    tn_error code = tni_copy_into(results[0], B, "it is solved there");
    return code == TN_OK ? tni_linalg_each(call.x.count, n * n * (double)call.count / 2 + 20 * n, 0, triangular_one, &call)
                         : code;
}

/* The older form, with the right-hand sides first, and a copy of A. */
tn_list *tni_composite_triangular_solve(const tn_tensor *self, const tn_tensor *A, bool upper, bool transpose,
                                        bool unitriangular) {
    if (!tni_linalg_check_matrix(A, "A", true) || !tni_linalg_check_matrix(self, "self", false))
        return NULL;
    tn_tensor *x = tn_linalg_solve_triangular(transpose ? tn_mT(A) : A, self, transpose ? !upper : upper, true, unitriangular);
    if (!x)
        return NULL;
    int64_t sizes[TN_MAX_DIMS];
    for (int64_t d = 0; d < x->ndim; d++)
        sizes[d] = d < x->ndim - 2 ? x->sizes[d] : A->sizes[A->ndim - 1];
    tn_tensor *copy = tn_clone(tn_expand(A, (tn_dims){sizes, x->ndim}), TN_CONTIGUOUS);
    return copy ? tn_list_new((const tn_tensor *[]){x, copy}, 2) : NULL;
}

tn_tensor *tni_composite_triangular_solve_out(tn_tensor *solution, tn_tensor *cloned_coefficient, const tn_tensor *self,
                                              const tn_tensor *A, bool upper, bool transpose, bool unitriangular) {
    return tni_linalg_put((tn_tensor *[]){solution, cloned_coefficient}, (const char *[]){"solution", "cloned_coefficient"}, 2,
                          tni_composite_triangular_solve(self, A, upper, transpose, unitriangular));
}

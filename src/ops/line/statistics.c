/* statistics.c - differences of neighbours: diff, and the areas under a line, trapezoid and cumulative_trapezoid.
 *
 * Areas (cpu/statistics_kernels.c) are added in double (or in complex128), line by line, and rounded once. For whole numbers the differences, sums and
 * products first wrap in their dtypes, as in PyTorch.
 */
#include "base/error.h"
#include "base/parallel.h"
#include "iterate/lines.h"
#include "iterate/promote.h"
#include "kernels/table.h"
#include "operators_arithmetic.h"
#include "operators_copy.h"
#include "operators_create.h"
#include "operators_join.h"
#include "operators_logic.h"
#include "operators_statistics.h"
#include "operators_view.h"
#include "ops/copy/copy.h"
#include "ops/line/line_job.h"
#include "ops/result.h"

/* ---- diff */

/* The differences of neighbours, once; temporaries are given back at once, not at the end of the scope. */
static tn_tensor *diff_once(const tn_tensor *self, int64_t dim) {
    int64_t length = self->sizes[dim] - 1;
    const tn_tensor *later = tn_narrow(self, dim, 1, length), *earlier = tn_narrow(self, dim, 0, length);
    return self->dtype == TN_BOOL ? tn_logical_xor(later, earlier) : tn_sub(later, earlier);
}

static tn_tensor *diff_repeatedly(const tn_tensor *all, int64_t n, int64_t dim) {
    if (n >= all->sizes[dim]) {
        int64_t sizes[TN_MAX_DIMS];
        memcpy(sizes, all->sizes, all->ndim * sizeof *sizes);
        sizes[dim] = 0;
        return tn_empty_device((tn_dims){sizes, all->ndim}, all->dtype, tni_tensor_device(all));
    }
    tn_tensor *current = diff_once(all, dim);
    for (int64_t k = 1; k < n && current; k++) {
        tn_tensor *next = diff_once(current, dim);
        tn_release(current);
        current = next;
    }
    return current;
}

tn_tensor *tni_composite_diff(const tn_tensor *self, int64_t n, int64_t dim, const tn_tensor *prepend,
                              const tn_tensor *append) {
    if (n < 0)
        return tni_raise_null(TN_ERROR_ARGUMENT, "n = %" PRId64 " must not be negative", n);
    if (self->ndim == 0)
        return tni_raise_null(TN_ERROR_SHAPE, "self has no dimensions: it has no neighbours");
    if (!tni_wrap_dim(dim, self->ndim, "dim", &dim))
        return NULL;
    if (n == 0) /* as in torch: then nothing is put around it */
        return tn_clone(self, TN_PRESERVE);
    const tn_tensor *parts[3];
    int64_t count = 0;
    for (int i = 0; i < 3; i++) {
        const tn_tensor *part = i == 0 ? prepend : i == 1 ? self : append;
        if (part && part->ndim != self->ndim)
            return tni_raise_null(TN_ERROR_SHAPE, "%s %s must have as many dimensions as self %s", i ? "append" : "prepend",
                                  tni_show_tensor(part), tni_show_tensor(self));
        if (part)
            parts[count++] = part;
    }
    const tn_tensor *all = count == 1 ? self : tn_cat(parts, count, dim);
    return all ? diff_repeatedly(all, n, dim) : NULL;
}

tn_tensor *tni_composite_diff_out(tn_tensor *out, const tn_tensor *self, int64_t n, int64_t dim, const tn_tensor *prepend,
                                  const tn_tensor *append) {
    return tni_result_put(out, tni_composite_diff(self, n, dim, prepend, append), TNI_RESULT_CAST);
}

/* ---- areas */

typedef struct area_call {
    tni_area area;
    tni_area_function function;
    bool has_x;
} area_call;

static void area_line(void *const *lines, int64_t number, void *scratch, void *context) {
    const area_call *call = context;
    (void)number, (void)scratch;
    call->function(lines[0], lines[1], call->has_x ? lines[2] : NULL, &call->area);
}

/* A tensor in the common shape: its sizes along the dimensions of that shape, and its strides, 0 where it is repeated. A vector
 * of x values is along the dimension whatever the rank of y. */
typedef struct area_operand {
    int64_t sizes[TN_MAX_DIMS], strides[TN_MAX_DIMS];
} area_operand;

static void area_see(const tn_tensor *tensor, int64_t ndim, int64_t dim, bool along, area_operand *operand) {
    int64_t lead = ndim - tensor->ndim;
    for (int64_t d = 0; d < ndim; d++) {
        int64_t of = along ? (d == dim ? 0 : -1) : d - lead;
        operand->sizes[d] = of < 0 ? 1 : tensor->sizes[of];
        operand->strides[d] = of < 0 || tensor->sizes[of] == 1 ? 0 : tensor->strides[of];
    }
}

static tn_dtype area_dtype(const tn_tensor *y, const tn_tensor *x) {
    tn_dtype dtype = x ? tni_promote(y->dtype, x->dtype) : (tn_dtype)y->dtype;
    return dtype != TN_DTYPE_DEFAULT && tn_dtype_is_integral(dtype) ? tn_default_dtype() : dtype;
}

static bool area_check(const tn_tensor *y, const tn_tensor *x, int64_t dim, int64_t *wrapped) {
    if (y->dtype == TN_BOOL || (x && x->dtype == TN_BOOL) || area_dtype(y, x) == TN_DTYPE_DEFAULT) {
        tni_raise(TN_ERROR_DTYPE, "not defined for y %s%s%s", tni_show_tensor(y), x ? " and x " : "",
                  x ? tni_show_tensor(x) : "");
        return false;
    }
    if (y->ndim == 0) {
        tni_raise(TN_ERROR_INDEX, "dim = %" PRId64 ": y has no dimensions", dim);
        return false;
    }
    if (!tni_wrap_dim(dim, y->ndim, "dim", wrapped))
        return false;
    if (!x || y->sizes[*wrapped] == 0)
        return true;
    int64_t at = x->ndim == 1 ? 0 : *wrapped - (y->ndim - x->ndim);
    bool fits = x->ndim <= y->ndim && (at < 0 ? 1 : x->sizes[at]) == y->sizes[*wrapped];
    if (!fits)
        tni_raise(TN_ERROR_SHAPE,
                  "x %s must have a value for each of the %" PRId64 " positions in dimension %" PRId64 " of y %s",
                  tni_show_tensor(x), y->sizes[*wrapped], dim, tni_show_tensor(y));
    return fits;
}

/* The sizes of the result with the dimension kept. */
static bool area_sizes(const tn_tensor *y, const tn_tensor *x, int64_t dim, bool running, int64_t *sizes) {
    int64_t ndim = y->ndim, length = y->sizes[dim];
    memcpy(sizes, y->sizes, (size_t)ndim * sizeof *sizes);
    if (x && length > 1) { /* else no step is taken */
        tn_geometry_conflict conflict;
        area_operand of_x;
        area_see(x, ndim, dim, x->ndim == 1, &of_x);
        if (tn_geometry_broadcast((tn_dims){y->sizes, ndim}, (tn_dims){of_x.sizes, ndim}, &ndim, sizes, &conflict) !=
            TN_GEOMETRY_OK) {
            tni_raise(TN_ERROR_SHAPE, "x %s and y %s do not fit together in dimension %" PRId64, tni_show_tensor(x),
                      tni_show_tensor(y), conflict.dim);
            return false;
        }
    }
    sizes[dim] = running ? tni_max_i64(length - 1, 0) : 1;
    return true;
}

static bool area_plan(tni_plan *plan, const tn_tensor *y, const tn_tensor *x, int64_t dim, bool running) {
    int64_t d, sizes[TN_MAX_DIMS], ndim = y->ndim;
    if (!area_check(y, x, dim, &d))
        return false;
    bool nothing = y->sizes[d] == 0 && !running; /* torch keeps the dtype here, even for integers */
    if (!area_sizes(y, nothing ? NULL : x, d, running, sizes))
        return false;
    if (!running)
        memmove(sizes + d, sizes + d + 1, (size_t)(--ndim - d) * sizeof *sizes);
    tni_plan_begin(plan, y);
    tni_plan_add(plan, ndim, sizes, nothing ? (tn_dtype)y->dtype : area_dtype(y, x));
    plan->number[0] = d;
    return true;
}

/* The result seen with the dimension kept. */
static void area_see_result(const tn_tensor *result, int64_t ndim, int64_t dim, area_operand *operand) {
    for (int64_t d = 0; d < ndim; d++) {
        int64_t of = result->ndim == ndim || d < dim ? d : d - 1;
        bool added = result->ndim != ndim && d == dim;
        operand->sizes[d] = added ? 1 : result->sizes[of];
        operand->strides[d] = added ? 1 : result->strides[of];
    }
}

static tn_error area_run(const tni_plan *plan, tn_tensor *result, const tn_tensor *y, const tn_tensor *x, double dx,
                         bool running) {
    int64_t ndim = y->ndim, dim = plan->number[0], length = y->sizes[dim];
    area_operand of_result, of_y, of_x;
    if (result->numel == 0)
        return TN_OK;
    if (length == 0)
        return tni_fill_into(result, tn_scalar_int(0));
    x = length > 1 ? x : NULL;
    area_see_result(result, ndim, dim, &of_result);
    area_see(y, ndim, dim, false, &of_y);
    area_call context = {.area = {.length = length, .dx = dx, .running = running, .y_dtype = y->dtype}, .has_x = x != NULL};
    context.area.x_dtype = x ? x->dtype : y->dtype;
    context.area.common = tni_promote(context.area.y_dtype, context.area.x_dtype);
    bool whole = tn_dtype_is_integral(context.area.common), complex = tn_dtype_is_complex(result->dtype);
    context.function = tni_kernels()->area[complex ? 2 : whole];
    tn_dtype compute = complex ? TN_COMPLEX128 : TN_FLOAT64, reading = whole ? TN_INT64 : compute;
    tni_lines_job job = {.ndim = ndim,
                         .dim = dim,
                         .sizes = of_result.sizes,
                         .operands = x ? 3 : 2,
                         .function = area_line,
                         .context = &context,
                         .device = tni_tensor_device(y),
                         .kernel = running ? TNI_JOB_cumulative_trapezoid : TNI_JOB_trapezoid,
                         .numbers = 1,
                         .number = &dx};
    job.operand[0] = tni_line_write(result, 0, compute);
    job.operand[0].strides = of_result.strides;
    job.operand[0].length = of_result.sizes[dim];
    job.operand[1] = tni_line_read(y, dim, reading);
    job.operand[1].strides = of_y.strides;
    if (x) {
        area_see(x, ndim, dim, x->ndim == 1, &of_x);
        job.operand[2] = tni_line_read(x, 0, reading);
        job.operand[2].strides = of_x.strides;
        job.operand[2].length = length;
    }
    return tni_lines_do(&job);
}

static bool area_step(tn_scalar dx, double *step) {
    if (dx.kind == TN_SCALAR_COMPLEX || dx.kind == TN_SCALAR_BOOL) {
        tni_raise(TN_ERROR_ARGUMENT, "dx = %s must be a real number", tni_show_scalar(dx));
        return false;
    }
    tn_dtype_store(TN_FLOAT64, step, dx);
    return true;
}

static tn_error area_run_stepping(const tni_plan *plan, tn_tensor *result, const tn_tensor *y, tn_scalar dx, bool running) {
    double step = 0;
    (void)area_step(dx, &step);
    return area_run(plan, result, y, NULL, step, running);
}

bool tni_plan_trapezoid(tni_plan *plan, const tn_tensor *y, tn_scalar dx, int64_t dim) {
    double step;
    return area_step(dx, &step) && area_plan(plan, y, NULL, dim, false);
}
tn_error tni_run_trapezoid(const tni_plan *plan, tn_tensor *const *results, const tn_tensor *y, tn_scalar dx, int64_t dim) {
    (void)dim;
    return area_run_stepping(plan, results[0], y, dx, false);
}

bool tni_plan_trapezoid_x(tni_plan *plan, const tn_tensor *y, const tn_tensor *x, int64_t dim) {
    return area_plan(plan, y, x, dim, false);
}
tn_error tni_run_trapezoid_x(const tni_plan *plan, tn_tensor *const *results, const tn_tensor *y, const tn_tensor *x,
                             int64_t dim) {
    (void)dim;
    return area_run(plan, results[0], y, x, 0, false);
}

bool tni_plan_trapz(tni_plan *plan, const tn_tensor *y, double dx, int64_t dim) {
    (void)dx;
    return area_plan(plan, y, NULL, dim, false);
}
tn_error tni_run_trapz(const tni_plan *plan, tn_tensor *const *results, const tn_tensor *y, double dx, int64_t dim) {
    (void)dim;
    return area_run(plan, results[0], y, NULL, dx, false);
}

bool tni_plan_cumulative_trapezoid(tni_plan *plan, const tn_tensor *y, tn_scalar dx, int64_t dim) {
    double step;
    return area_step(dx, &step) && area_plan(plan, y, NULL, dim, true);
}
tn_error tni_run_cumulative_trapezoid(const tni_plan *plan, tn_tensor *const *results, const tn_tensor *y, tn_scalar dx,
                                      int64_t dim) {
    (void)dim;
    return area_run_stepping(plan, results[0], y, dx, true);
}

bool tni_plan_cumulative_trapezoid_x(tni_plan *plan, const tn_tensor *y, const tn_tensor *x, int64_t dim) {
    return area_plan(plan, y, x, dim, true);
}
tn_error tni_run_cumulative_trapezoid_x(const tni_plan *plan, tn_tensor *const *results, const tn_tensor *y, const tn_tensor *x,
                                        int64_t dim) {
    (void)dim;
    return area_run(plan, results[0], y, x, 0, true);
}

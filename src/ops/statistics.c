/* statistics.c - what lies between neighbours: diff, and the areas under a line, trapezoid and cumulative_trapezoid.
 *
 * Areas are added in double (or in complex128), line by line, and rounded once. Of whole numbers the differences, sums and
 * products wrap around in their dtypes first, as PyTorch's do.
 */
#include "base/error.h"
#include "iterate/lines.h"
#include "iterate/promote.h"
#include "operator_impls.h"
#include "ops/copy.h"
#include "ops/result.h"

/* ---- diff */

static tn_tensor *diff_once(const tn_tensor *self, int64_t dim) {
    int64_t length = self->sizes[dim] - 1;
    tn_tensor *later = tni_op_narrow(self, dim, 1, length), *earlier = tni_op_narrow(self, dim, 0, length);
    tn_tensor *result = NULL;
    if (later && earlier)
        result = self->dtype == TN_BOOL ? tni_op_logical_xor(later, earlier) : tni_op_sub(later, earlier);
    tni_tensor_release(earlier);
    tni_tensor_release(later);
    return result;
}

/* `current` is taken over. */
static tn_tensor *diff_repeatedly(tn_tensor *current, int64_t n, int64_t dim) {
    if (n >= current->sizes[dim]) {
        int64_t sizes[TN_MAX_DIMS];
        memcpy(sizes, current->sizes, current->ndim * sizeof *sizes);
        sizes[dim] = 0;
        tn_tensor *nothing = tni_tensor_new(current->ndim, sizes, current->dtype, TN_DEVICE_CPU);
        tni_tensor_release(current);
        return nothing;
    }
    for (int64_t k = 0; k < n && current; k++) {
        tn_tensor *next = diff_once(current, dim);
        tni_tensor_release(current);
        current = next;
    }
    return current;
}

tn_tensor *tni_op_diff(const tn_tensor *self, int64_t n, int64_t dim, const tn_tensor *prepend, const tn_tensor *append) {
    if (n < 0)
        return tni_raise_null(TN_ERROR_ARGUMENT, "n = %" PRId64 " must not be negative", n);
    if (self->ndim == 0)
        return tni_raise_null(TN_ERROR_SHAPE, "self has no dimensions: it has no neighbours");
    if (!tni_wrap_dim(dim, self->ndim, "dim", &dim))
        return NULL;
    if (n == 0) /* as torch has it: nothing is put around it then */
        return tni_op_clone(self, TN_PRESERVE);
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
    tn_tensor *all = count == 1 ? tni_tensor_retain(self) : tni_op_cat(parts, count, dim);
    return all ? diff_repeatedly(all, n, dim) : NULL;
}

tn_error tni_op_diff_out(tn_tensor *out, const tn_tensor *self, int64_t n, int64_t dim, const tn_tensor *prepend,
                         const tn_tensor *append) {
    return tni_result_move(out, tni_op_diff(self, n, dim, prepend, append), TNI_RESULT_CAST);
}

/* ---- areas */

typedef struct area_job {
    int64_t length; /* of the lines of y */
    double dx;      /* where there is no x */
    bool has_x, complex, running;
    tn_dtype y_dtype, x_dtype, common;
} area_job;

/* What a dtype of whole numbers makes of the bits of one. */
static int64_t area_wrap(uint64_t value, tn_dtype dtype) {
    int unused = 64 - 8 * (int)tni_dtype_size(dtype);
    return tn_dtype_is_signed(dtype) ? (int64_t)(value << unused) >> unused : (int64_t)(value << unused >> unused);
}

static double area_sum(double a, double b, tn_dtype dtype) {
    bool wraps = tn_dtype_is_integral(dtype) && tni_dtype_size(dtype) < 8;
    return wraps ? (double)area_wrap((uint64_t)(int64_t)(a + b), dtype) : a + b;
}

static void area_line_real(void *const *lines, int64_t number, void *scratch, void *context) {
    const area_job *job = context;
    double *target = lines[0], sum = 0;
    const double *y = lines[1], *x = job->has_x ? lines[2] : NULL;
    (void)number, (void)scratch;
    for (int64_t i = 0; i + 1 < job->length; i++) {
        sum += area_sum(y[i], y[i + 1], job->y_dtype) * (x ? area_sum(x[i + 1], -x[i], job->x_dtype) : job->dx) / 2;
        if (job->running)
            target[i] = sum;
    }
    if (!job->running)
        target[0] = sum;
}

static int64_t area_height(const area_job *job, int64_t left, int64_t right) {
    return area_wrap((uint64_t)left + (uint64_t)right, job->y_dtype);
}

static void area_line_whole(void *const *lines, int64_t number, void *scratch, void *context) {
    const area_job *job = context;
    double *target = lines[0], area = 0;
    const int64_t *y = lines[1], *x = job->has_x ? lines[2] : NULL;
    uint64_t sum = 0;
    (void)number, (void)scratch;
    for (int64_t i = 0; i + 1 < job->length; i++) {
        uint64_t height = (uint64_t)area_height(job, y[i], y[i + 1]);
        if (x) {
            uint64_t step = (uint64_t)area_wrap((uint64_t)x[i + 1] - (uint64_t)x[i], job->x_dtype);
            sum += (uint64_t)area_wrap(height * step, job->common);
            area = (double)(int64_t)sum / 2;
        } else if (job->running) {
            area += (double)(int64_t)height * (job->dx / 2);
        }
        if (job->running)
            target[i] = area;
    }
    if (!x && !job->running) { /* all of them, without half of the outer two */
        for (int64_t i = 0; i < job->length; i++)
            sum += (uint64_t)y[i];
        area = ((double)(int64_t)sum - (double)area_height(job, y[0], y[job->length - 1]) / 2) * job->dx;
    }
    if (!job->running)
        target[0] = area;
}

static void area_line_complex(void *const *lines, int64_t number, void *scratch, void *context) {
    const area_job *job = context;
    tn_complex128 *target = lines[0], sum = {0, 0};
    const tn_complex128 *y = lines[1], *x = job->has_x ? lines[2] : NULL;
    (void)number, (void)scratch;
    for (int64_t i = 0; i + 1 < job->length; i++) {
        tn_complex128 height = {area_sum(y[i].real, y[i + 1].real, job->y_dtype), y[i].imag + y[i + 1].imag};
        tn_complex128 step = {job->dx, 0};
        if (x)
            step = (tn_complex128){area_sum(x[i + 1].real, -x[i].real, job->x_dtype), x[i + 1].imag - x[i].imag};
        sum.real += (height.real * step.real - height.imag * step.imag) / 2;
        sum.imag += (height.real * step.imag + height.imag * step.real) / 2;
        if (job->running)
            target[i] = sum;
    }
    if (!job->running)
        target[0] = sum;
}

/* A tensor in the common shape: its sizes along the dimensions of that, and its strides, 0 where it repeats itself. A vector
 * of x values lies along the dimension whatever the rank of y. */
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

/* The result with the dimension kept. */
static tn_tensor *area_compute(const tn_tensor *y, const tn_tensor *x, double dx, int64_t dim, bool running) {
    int64_t ndim = y->ndim, sizes[TN_MAX_DIMS], length = y->sizes[dim];
    area_operand of_y, of_x;
    tn_dtype dtype = area_dtype(y, x);
    area_see(y, ndim, dim, false, &of_y);
    memcpy(sizes, of_y.sizes, (size_t)ndim * sizeof *sizes);
    dx = x ? 0 : dx;
    x = length > 1 ? x : NULL; /* else no step is taken */
    if (x) {
        tn_geometry_conflict conflict;
        area_see(x, ndim, dim, x->ndim == 1, &of_x);
        if (tn_geometry_broadcast((tn_dims){of_y.sizes, ndim}, (tn_dims){of_x.sizes, ndim}, &ndim, sizes, &conflict) !=
            TN_GEOMETRY_OK)
            return tni_raise_null(TN_ERROR_SHAPE, "x %s and y %s do not fit together in dimension %" PRId64, tni_show_tensor(x),
                                  tni_show_tensor(y), conflict.dim);
    }
    sizes[dim] = running ? tni_max_i64(length - 1, 0) : 1;
    tn_tensor *result = tni_tensor_new(ndim, sizes, dtype, TN_DEVICE_CPU);
    if (!result || result->numel == 0)
        return result;
    area_job context = {
        .length = length, .dx = dx, .has_x = x != NULL, .complex = tn_dtype_is_complex(dtype), .running = running};
    tn_dtype compute = context.complex ? TN_COMPLEX128 : TN_FLOAT64, reading = compute;
    context.y_dtype = y->dtype;
    context.x_dtype = x ? x->dtype : y->dtype;
    context.common = tni_promote(context.y_dtype, context.x_dtype);
    bool whole = tn_dtype_is_integral(context.common);
    if (whole)
        reading = TN_INT64;
    tni_lines_job job = {.ndim = ndim,
                         .dim = dim,
                         .sizes = sizes,
                         .operands = x ? 3 : 2,
                         .function = context.complex ? area_line_complex
                                     : whole         ? area_line_whole
                                                     : area_line_real,
                         .context = &context};
    job.operand[0] = tni_line_write(result, dim, compute);
    job.operand[1] = tni_line_read(y, dim, reading);
    job.operand[1].strides = of_y.strides;
    if (x) {
        job.operand[2] = tni_line_read(x, x->ndim == 1 ? 0 : tni_max_i64(dim - (y->ndim - x->ndim), 0), reading);
        job.operand[2].strides = of_x.strides;
        job.operand[2].length = length;
    }
    if (tni_lines_run(&job) == TN_OK)
        return result;
    tni_tensor_release(result);
    return NULL;
}

static tn_tensor *area_of(const tn_tensor *y, const tn_tensor *x, double dx, int64_t dim, bool running) {
    int64_t d;
    if (!area_check(y, x, dim, &d))
        return NULL;
    if (y->sizes[d] == 0 && !running) { /* torch keeps the dtype here, also that of integers */
        int64_t sizes[TN_MAX_DIMS];
        for (int64_t k = 0, from = 0; from < y->ndim; from++)
            if (from != d)
                sizes[k++] = y->sizes[from];
        return tni_op_zeros((tn_dims){sizes, y->ndim - 1}, y->dtype);
    }
    tn_tensor *kept = area_compute(y, x, dx, d, running);
    if (!kept || running)
        return kept;
    tn_tensor *result = tni_op_squeeze_dim(kept, d);
    tni_tensor_release(kept);
    return result;
}

static bool area_step(tn_scalar dx, double *step) {
    if (dx.kind == TN_SCALAR_COMPLEX || dx.kind == TN_SCALAR_BOOL) {
        tni_raise(TN_ERROR_ARGUMENT, "dx = %s must be a real number", tni_show_scalar(dx));
        return false;
    }
    tn_dtype_store(TN_FLOAT64, step, dx);
    return true;
}

tn_tensor *tni_op_trapezoid(const tn_tensor *y, tn_scalar dx, int64_t dim) {
    double step;
    return area_step(dx, &step) ? area_of(y, NULL, step, dim, false) : NULL;
}
tn_tensor *tni_op_trapezoid_x(const tn_tensor *y, const tn_tensor *x, int64_t dim) { return area_of(y, x, 0, dim, false); }
tn_tensor *tni_op_trapz(const tn_tensor *y, double dx, int64_t dim) { return area_of(y, NULL, dx, dim, false); }
tn_tensor *tni_op_trapz_x(const tn_tensor *y, const tn_tensor *x, int64_t dim) { return area_of(y, x, 0, dim, false); }

tn_tensor *tni_op_cumulative_trapezoid(const tn_tensor *y, tn_scalar dx, int64_t dim) {
    double step;
    return area_step(dx, &step) ? area_of(y, NULL, step, dim, true) : NULL;
}
tn_tensor *tni_op_cumulative_trapezoid_x(const tn_tensor *y, const tn_tensor *x, int64_t dim) {
    return area_of(y, x, 0, dim, true);
}

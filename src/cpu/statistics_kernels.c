/* statistics_kernels.c - the areas under lines, for trapezoid and its kin. One level serves all: each step waits for the one before. */
#include "base/parallel.h"
#include "cpu/levels.h"
#include "tensor/dtype.h"

/* What a dtype of whole numbers makes of the bits of one. */
static int64_t area_wrap(uint64_t value, tn_dtype dtype) {
    int unused = 64 - 8 * (int)tni_dtype_size(dtype);
    return tn_dtype_is_signed(dtype) ? (int64_t)(value << unused) >> unused : (int64_t)(value << unused >> unused);
}

static double area_sum(double a, double b, tn_dtype dtype) {
    bool wraps = tn_dtype_is_integral(dtype) && tni_dtype_size(dtype) < 8;
    return wraps ? (double)area_wrap((uint64_t)(int64_t)(a + b), dtype) : a + b;
}

static void area_real(void *out, const void *of_y, const void *of_x, const tni_area *job) {
    double *target = out, sum = 0;
    const double *y = of_y, *x = of_x;
    TNI_IN_STEPS (begin, end, job->length - 1)
        for (int64_t i = begin; i < end; i++) {
            sum += area_sum(y[i], y[i + 1], job->y_dtype) * (x ? area_sum(x[i + 1], -x[i], job->x_dtype) : job->dx) / 2;
            if (job->running)
                target[i] = sum;
        }
    if (!job->running)
        target[0] = sum;
}

static int64_t area_height(const tni_area *job, int64_t left, int64_t right) {
    return area_wrap((uint64_t)left + (uint64_t)right, job->y_dtype);
}

static void area_whole(void *out, const void *of_y, const void *of_x, const tni_area *job) {
    double *target = out, area = 0;
    const int64_t *y = of_y, *x = of_x;
    uint64_t sum = 0;
    TNI_IN_STEPS (begin, end, job->length - 1)
        for (int64_t i = begin; i < end; i++) {
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
        TNI_IN_STEPS (begin, end, job->length)
            for (int64_t i = begin; i < end; i++)
                sum += (uint64_t)y[i];
        area = ((double)(int64_t)sum - (double)area_height(job, y[0], y[job->length - 1]) / 2) * job->dx;
    }
    if (!job->running)
        target[0] = area;
}

static void area_complex(void *out, const void *of_y, const void *of_x, const tni_area *job) {
    tn_complex128 *target = out, sum = {0, 0};
    const tn_complex128 *y = of_y, *x = of_x;
    TNI_IN_STEPS (begin, end, job->length - 1)
        for (int64_t i = begin; i < end; i++) {
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

void tni_enter_statistics_kernels(tni_kernel_table *table, tn_cpu_level level) {
    if (level != TN_CPU_BASELINE)
        return;
    table->area[0] = area_real;
    table->area[1] = area_whole;
    table->area[2] = area_complex;
}

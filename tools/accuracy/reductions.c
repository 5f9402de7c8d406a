/* reductions.c - how far sums, means, variances and norms are from exact ones; see docs/accuracy.md.
 *
 *   cc -O2 -Iinclude tools/accuracy/reductions.c build/libtenon.a -lm -pthread -o build/accuracy-reduce
 *   build/accuracy-reduce [directory]
 *
 * The exact results are computed in 113 bits. Errors are in units of the dtype's epsilon, relative to the result. With a
 * directory, the inputs and the exact results are written there, so that reductions.py can ask PyTorch and NumPy the same.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include <tenon/tenon.h>

enum { COUNT = 10000000 };

typedef __float128 quad;

static uint64_t state = 88172645463325252u;

static double uniform(void) {
    state ^= state << 13;
    state ^= state >> 7;
    state ^= state << 17;
    return (double)(state >> 11) * 0x1p-53;
}

/* 0: uniform in [0, 1); 1: around 1000 with a standard deviation of 1; 2: of both signs and of all magnitudes. */
static double sample(int kind) {
    double a = uniform();
    if (kind == 0)
        return a;
    if (kind == 1)
        return 1000 + sqrt(-2 * log(a + 1e-18)) * cos(6.283185307179586 * uniform());
    return (a - 0.5) * exp2(20 * uniform() - 10);
}

typedef struct exact {
    double sum, mean, var, norm;
} exact;

static quad root(quad x) {
    quad y = (quad)sqrt((double)x);
    return x > 0 ? (y + x / y) / 2 : 0;
}

static exact exactly(const tn_tensor *x) {
    quad sum = 0, squares = 0, spread = 0;
    int64_t n = tn_numel(x);
    tn_dtype dtype = tn_dtype_of(x);
    const char *data = tn_data(x);
    size_t item = tn_element_size(x);
    for (int64_t i = 0; i < n; i++) {
        double v = tn_dtype_load(dtype, data + (size_t)i * item).value.d;
        sum += v;
        squares += (quad)v * v;
    }
    quad mean = sum / n;
    for (int64_t i = 0; i < n; i++) {
        quad d = tn_dtype_load(dtype, data + (size_t)i * item).value.d - mean;
        spread += d * d;
    }
    return (exact){(double)sum, (double)mean, (double)(spread / (n - 1)), (double)root(squares)};
}

static double off(const tn_tensor *result, double right, double eps) {
    return fabs(tn_item_double(result) - right) / (fabs(right) * eps);
}

int main(int count, char **arguments) {
    static const tn_dtype dtypes[] = {TN_FLOAT32, TN_FLOAT64, TN_BFLOAT16};
    static const char *const kinds[] = {"uniform in [0, 1)", "mean 1000, deviation 1", "all magnitudes, both signs"};
    printf("| elements (1e7) | dtype | sum | mean | var | norm |\n|---|---|---|---|---|---|\n");
    FILE *facts = NULL;
    char path[512];
    if (count > 1) {
        snprintf(path, sizeof path, "%s/exact.txt", arguments[1]);
        facts = fopen(path, "w");
    }
    for (int kind = 0; kind < 3; kind++) {
        tn_tensor *wide = tn_empty(TN_DIMS(COUNT), TN_FLOAT64);
        double *data = tn_mutable_data_float64(wide);
        for (int64_t i = 0; i < COUNT; i++)
            data[i] = sample(kind);
        for (int k = 0; k < 3; k++) {
            tn_tensor *x = tn_to(wide, dtypes[k]);
            tn_finfo info;
            if (!x || tn_finfo_of(dtypes[k], &info) != TN_OK)
                return 1;
            exact right = exactly(x);
            printf("| %s | %s | %.2f | %.2f | %.2f | %.2f |\n", kinds[kind], tn_dtype_name(dtypes[k]),
                   off(tn_sum(x, TN_DTYPE_DEFAULT), right.sum, info.eps),
                   off(tn_mean(x, TN_DTYPE_DEFAULT), right.mean, info.eps), off(tn_var(x, true), right.var, info.eps),
                   off(tn_norm(x, 2), right.norm, info.eps));
            if (facts) {
                fprintf(facts, "%d %s %.17g %.17g %.17g %.17g %.17g\n", kind, tn_dtype_name(dtypes[k]), info.eps, right.sum,
                        right.mean, right.var, right.norm);
                snprintf(path, sizeof path, "%s/%d.%s", arguments[1], kind, tn_dtype_name(dtypes[k]));
                FILE *file = fopen(path, "wb");
                if (!file || fwrite(tn_data(x), tn_element_size(x), COUNT, file) != COUNT || fclose(file) != 0)
                    return 1;
            }
            tn_release(x);
        }
        tn_release(wide);
    }
    return facts ? fclose(facts) : 0;
}

/* train_cases.h - what tests/data/make_train_cases.py recorded from PyTorch's optimisers and schedules, and the formulas it used. */
#ifndef TENON_TRAIN_CASES_H
#define TENON_TRAIN_CASES_H

#include "test.h"

enum { TRAIN_STEPS = 6, TRAIN_PARAMETERS = 3, TRAIN_NUMBERS = 18, SCHEDULE_STEPS = 24 };

typedef struct train_case {
    const char *kind, *settings;
    double expected[TRAIN_NUMBERS];
} train_case;

/* "lr=0.1 momentum=0.9" */
__attribute__((unused)) static bool train_set(tn_optimizer *optimizer, const char *settings) {
    while (*settings) {
        char name[64];
        double value;
        int length = 0;
        if (sscanf(settings, "%63[^=]=%lf%n", name, &value, &length) != 2 || tn_optimizer_set(optimizer, name, value) != TN_OK)
            return false;
        settings += length + (settings[length] == ' ');
    }
    return true;
}

__attribute__((unused)) static tn_dims train_sizes(int k) {
    static const int64_t sizes[] = {3, 4, 5};
    return k == 0 ? (tn_dims){sizes, 2} : k == 1 ? (tn_dims){sizes + 2, 1} : (tn_dims){NULL, 0};
}

/* Parameter k as it begins, contiguous. */
__attribute__((unused)) static tn_tensor *train_start(int k, tn_dtype dtype) {
    double values[12];
    int64_t count = k == 0 ? 12 : k == 1 ? 5 : 1;
    for (int64_t i = 0; i < count; i++)
        values[i] = sin((double)(1 + i + 10 * k));
    return tn_to(tn_clone(tn_from_memory(values, train_sizes(k), TN_FLOAT64, TN_BORROW), TN_CONTIGUOUS), dtype);
}

/* Its gradient at step t, of its own strides. */
__attribute__((unused)) static tn_tensor *train_gradient(int k, int t, const tn_tensor *parameter) {
    double values[12];
    int64_t count = tn_numel(parameter);
    for (int64_t i = 0; i < count; i++)
        values[i] = cos(0.7 * (double)i + t + k);
    tn_tensor *made = tn_clone(tn_from_memory(values, tn_sizes(parameter), TN_FLOAT64, TN_BORROW), TN_CONTIGUOUS);
    return tn_to(tn_add(made, tn_mul_scalar(tn_detach(parameter), tn_scalar_float(0.1))), tn_dtype_of(parameter));
}

#endif

/* pool_call.h - what the files of pooling share: checks, plans, and the two ways to run windows over planes. */
#ifndef TNI_POOL_CALL_H
#define TNI_POOL_CALL_H

#include "kernels/table.h"
#include "ops/nn/pool_windows.h"
#include "ops/plan.h"

typedef struct tni_pool_call {
    tni_pool_windows windows;
    tni_pool_max_function max;
    tni_pool_mean_function mean;
    bool indexed;
} tni_pool_call;

/* Whether a tensor can be pooled: floats of 16 bits and more and, for kinds "i", integers; for "l", int64. Raises when not. */
bool tni_pool_check_dtype(const tn_tensor *self, const char *name, const char *kinds);

/* A plan of one result for each window, and (indexed) where it was found; of one with the sizes of self. */
bool tni_pool_plan(tni_plan *plan, const tni_pool_windows *windows, const tn_tensor *self, bool indexed);
bool tni_pool_plan_gradient(tni_plan *plan, const tn_tensor *self, int64_t spatial, bool keeps_format);

/* Whether a gradient, or indices, have the sizes of the windows and this dtype. Raises when not. */
bool tni_pool_check_gradient(const tni_pool_windows *windows, const tn_tensor *self, const tn_tensor *grad, const char *name,
                             tn_dtype dtype);

/* The largest of each window; means from self, or (spreads) gradients from those of means. */
tn_error tni_pool_run_max(tni_pool_call *call, tn_tensor *const *results, const tn_tensor *self, bool indexed);
tn_error tni_pool_run_mean(tni_pool_call *call, tn_tensor *result, const tn_tensor *from, bool spreads);

/* Planes of zeros with the elements of `from` at indices, or (adds) added to them. Raises where an index is not in its plane. */
tn_error tni_pool_run_place(tn_tensor *result, const tn_tensor *from, const tn_tensor *indices, int64_t spatial, bool adds);

/* The two tensors of a list with their second last dimension, of size 1, taken out. NULL for NULL. */
tn_list *tni_pool_flat_pair(tn_list *pair);

#endif

/* optimizer_matrix.c - optimisers that look at a parameter as a whole: Adafactor, which keeps sums of rows and columns of squared
 * gradients instead of all of them, and Muon, which steps along the nearest orthogonal matrix. Made of public operators; what an
 * operator makes belongs to the scope that is open around each call.
 */
#include <math.h>

#include "base/error.h"
#include "operators_arithmetic.h"
#include "operators_copy.h"
#include "operators_create.h"
#include "operators_product.h"
#include "operators_reduce.h"
#include "operators_view.h"
#include "train/optimizer.h"

static tn_scalar matrix_number(double x) { return tn_scalar_float(x); }

/* New state of these sizes, of zeros. */
static tn_error matrix_make(tni_optimizer_slot *slot, int state, tn_dims sizes) {
    if (slot->states[state])
        return TN_OK;
    tn_tensor *made = tn_zeros(sizes, tn_dtype_of(slot->parameter->tensor));
    if (!made)
        return tni_failed();
    tni_object_retain(&made->object); /* the scope around keeps its own */
    tni_optimizer_slot_put(slot, state, made);
    return TN_OK;
}

static bool matrix_norm(const tn_tensor *tensor, double *size) {
    tn_tensor *norm = tn_norm(tensor, matrix_number(2));
    *size = norm ? tn_item_double(norm) : 0;
    return norm != NULL;
}

/* parameter * factor + update, in place. The last thing that can fail, and it takes no memory. */
static bool matrix_change(tn_tensor *parameter, double factor, const tn_tensor *update) {
    return (factor == 1 || tn_mul_scalar_(parameter, matrix_number(factor))) && tn_add_(parameter, update);
}

/* ---- adafactor */

enum {
    ADAFACTOR_LR,
    ADAFACTOR_BETA2_DECAY,
    ADAFACTOR_EPS1,
    ADAFACTOR_EPS2,
    ADAFACTOR_D,
    ADAFACTOR_WEIGHT_DECAY,
    ADAFACTOR_MAXIMIZE
};
enum { ROW_VAR, COL_VAR, VARIANCE };

tn_error tni_adafactor_make(const double *s, tni_optimizer_slot *slot, const tn_tensor *gradient) {
    (void)s;
    tn_dims sizes = tn_sizes(gradient);
    if (sizes.count < 2)
        return matrix_make(slot, VARIANCE, sizes);
    int64_t shape[TN_MAX_DIMS];
    for (int state = ROW_VAR; state <= COL_VAR; state++) {
        for (int64_t d = 0; d < sizes.count; d++)
            shape[d] = sizes.values[d];
        shape[sizes.count - (state == ROW_VAR ? 1 : 2)] = 1;
        tn_error code = matrix_make(slot, state, (tn_dims){shape, sizes.count});
        if (code != TN_OK)
            return code;
    }
    return TN_OK;
}

/* The running mean of squares along a dimension after this gradient, as a new tensor. */
static tn_tensor *adafactor_mean(const tn_tensor *running, const tn_tensor *gradient, int64_t dim, double share) {
    double count = (double)tn_size(gradient, dim);
    tn_tensor *norm = tn_norm_dim(gradient, matrix_number(2), TN_DIMS(dim), true, TN_DTYPE_DEFAULT);
    tn_tensor *mean = tn_div_scalar_(tn_square_(norm), matrix_number(count));
    return mean ? tn_lerp_scalar(running, mean, matrix_number(share)) : NULL;
}

/* The variance, and in `next` what the state will be. */
static tn_tensor *adafactor_variance(const tni_optimizer_slot *slot, const tn_tensor *gradient, double share, double eps1,
                                     tn_tensor **next) {
    if (tn_ndim(gradient) < 2) {
        tn_tensor *square = tn_mul(gradient, gradient);
        next[VARIANCE] = square ? tn_lerp_scalar(slot->states[VARIANCE], square, matrix_number(share)) : NULL;
        return next[VARIANCE] ? tn_clone(next[VARIANCE], TN_PRESERVE) : NULL;
    }
    tn_tensor *row = next[ROW_VAR] = adafactor_mean(slot->states[ROW_VAR], gradient, -1, share);
    tn_tensor *column = next[COL_VAR] = row ? adafactor_mean(slot->states[COL_VAR], gradient, -2, share) : NULL;
    tn_tensor *mean = column ? tn_mean_dim(row, TN_DIMS(-2), true, TN_DTYPE_DEFAULT) : NULL;
    return mean ? tn_div_(tn_matmul(row, column), tn_clamp_min_(mean, matrix_number(eps1))) : NULL;
}

/* Everything new is computed before anything is changed. */
tn_error tni_adafactor_move(const double *s, tni_optimizer_slot *slot, const tn_tensor *gradient) {
    tn_tensor *parameter = slot->parameter->tensor, *next[TNI_SLOT_STATES] = {NULL};
    double step = slot->step + 1, share = pow(step, s[ADAFACTOR_BETA2_DECAY]), count = sqrt((double)tn_numel(parameter));
    tn_finfo about;
    if (tn_numel(parameter) == 0)
        return TN_OK;
    if (tn_finfo_of(tn_dtype_of(parameter), &about) != TN_OK)
        return tni_failed();
    double eps1 = isnan(s[ADAFACTOR_EPS1]) ? about.eps : s[ADAFACTOR_EPS1], size;
    double rate = fmin(s[ADAFACTOR_LR], 1 / sqrt(step));
    if (!matrix_norm(parameter, &size))
        return tni_failed();
    rate *= fmax(s[ADAFACTOR_EPS2], size / count);
    tn_tensor *g = s[ADAFACTOR_MAXIMIZE] != 0 ? tn_neg(gradient) : (tn_tensor *)(uintptr_t)gradient;
    tn_tensor *variance = g ? adafactor_variance(slot, g, share, eps1, next) : NULL;
    tn_tensor *update = tn_mul_(tn_rsqrt_(tn_clamp_min_(variance, matrix_number(eps1 * eps1))), g);
    if (!update || !matrix_norm(update, &size))
        return tni_failed();
    double least = fmax(1, size / (count * s[ADAFACTOR_D]));
    if (!tn_mul_scalar_(update, matrix_number(-rate / least)))
        return tni_failed();
    if (!matrix_change(parameter, 1 - s[ADAFACTOR_LR] * s[ADAFACTOR_WEIGHT_DECAY], update))
        return tni_failed();
    for (int i = 0; i < TNI_SLOT_STATES; i++)
        if (next[i]) {
            tni_object_retain(&next[i]->object); /* the scope around keeps its own */
            tni_optimizer_slot_put(slot, i, next[i]);
        }
    slot->step = step;
    slot->started = true;
    return TN_OK;
}

/* ---- muon */

enum { MUON_LR, MUON_WEIGHT_DECAY, MUON_MOMENTUM, MUON_NESTEROV, MUON_A, MUON_B, MUON_C, MUON_EPS, MUON_STEPS, MUON_MATCH };

tn_error tni_muon_make(const double *s, tni_optimizer_slot *slot, const tn_tensor *gradient) {
    (void)s;
    return matrix_make(slot, 0, tn_sizes(gradient));
}

/* Newton-Schulz: x <- a x + (b G + c G G) x with G = x x', in bfloat16, of the matrix with its short side first. */
static tn_tensor *muon_orthogonal(const double *s, const tn_tensor *gradient) {
    bool tall = tn_size(gradient, 0) > tn_size(gradient, 1);
    tn_tensor *x = tn_to(gradient, TN_BFLOAT16);
    x = tall ? tn_clone(tn_t(x), TN_CONTIGUOUS) : tn_clone(x, TN_PRESERVE);
    tn_tensor *norm = x ? tn_norm(x, matrix_number(2)) : NULL;
    x = norm ? tn_div_(x, tn_clamp_min_(norm, matrix_number(s[MUON_EPS]))) : NULL;
    for (int i = 0; x && i < (int)s[MUON_STEPS]; i++) {
        tn_tensor *gram = tn_mm(x, tn_t(x));
        tn_tensor *both = tn_addmm(gram, gram, gram, matrix_number(s[MUON_B]), matrix_number(s[MUON_C]));
        x = tn_addmm(x, both, x, matrix_number(s[MUON_A]), matrix_number(1));
    }
    return tall ? tn_t(x) : x;
}

tn_error tni_muon_move(const double *s, tni_optimizer_slot *slot, const tn_tensor *gradient) {
    tn_tensor *parameter = slot->parameter->tensor, *average = slot->states[0];
    double rows = (double)tn_size(parameter, 0), columns = (double)tn_size(parameter, 1);
    double rate = s[MUON_LR] * (s[MUON_MATCH] != 0 ? 0.2 * sqrt(fmax(rows, columns)) : sqrt(fmax(1, rows / columns)));
    if (tn_numel(parameter) == 0)
        return TN_OK;
    tn_tensor *mean = tn_lerp_scalar(average, gradient, matrix_number(1 - s[MUON_MOMENTUM]));
    tn_tensor *along = s[MUON_NESTEROV] != 0 ? tn_lerp_scalar(gradient, mean, matrix_number(s[MUON_MOMENTUM])) : mean;
    tn_tensor *update =
        along ? tn_mul_scalar(tn_to(muon_orthogonal(s, along), tn_dtype_of(parameter)), matrix_number(-rate)) : NULL;
    if (!update || !matrix_change(parameter, 1 - s[MUON_LR] * s[MUON_WEIGHT_DECAY], update) || !tn_copy_(average, mean))
        return tni_failed();
    slot->started = true;
    slot->step++;
    return TN_OK;
}

/* random_initialise.c - the initial values of weights: the initialisers of torch.nn.init, from the samplers beside it.
 *
 * The number of inputs and outputs of a weight (out, in, ...) is its second and first size, each times the product of the
 * others.
 */
#include <math.h>

#include "base/parallel.h"
#include "base/cancel.h"
#include "operators_arithmetic.h"
#include "operators_compare.h"
#include "operators_copy.h"
#include "operators_create.h"
#include "operators_initialise.h"
#include "operators_logic.h"
#include "operators_math.h"
#include "operators_random.h"
#include "operators_select.h"
#include "operators_view.h"
#include "ops/copy/copy.h"
#include "ops/random/random.h"

static bool initialise_fans(const tn_tensor *self, double *in, double *out) {
    if (self->ndim < 2) {
        tni_raise(TN_ERROR_SHAPE, "self %s has fewer than 2 dimensions: it has no inputs and outputs", tni_show_tensor(self));
        return false;
    }
    double field = 1;
    for (int64_t d = 2; d < self->ndim; d++)
        field *= (double)self->sizes[d];
    *in = (double)self->sizes[1] * field;
    *out = (double)self->sizes[0] * field;
    return true;
}

tn_tensor *tni_composite_xavier_uniform_(tn_tensor *self, double gain, tn_generator *generator) {
    double in, out;
    if (!initialise_fans(self, &in, &out))
        return NULL;
    double bound = sqrt(3.0) * (gain * sqrt(2.0 / (in + out)));
    return tn_uniform_(self, -bound, bound, generator);
}

tn_tensor *tni_composite_xavier_normal_(tn_tensor *self, double gain, tn_generator *generator) {
    double in, out;
    if (!initialise_fans(self, &in, &out))
        return NULL;
    return tn_normal_(self, 0, gain * sqrt(2.0 / (in + out)), generator);
}

/* The effect of a nonlinearity on the spread of its input. */
static bool initialise_gain(const char *nonlinearity, double a, double *gain) {
    static const char *const plain[] = {"linear",           "conv1d",           "conv2d",           "conv3d",
                                        "conv_transpose1d", "conv_transpose2d", "conv_transpose3d", "sigmoid"};
    for (size_t i = 0; i < TNI_COUNT_OF(plain); i++)
        if (strcmp(nonlinearity, plain[i]) == 0) {
            *gain = 1;
            return true;
        }
    if (strcmp(nonlinearity, "tanh") == 0)
        *gain = 5.0 / 3;
    else if (strcmp(nonlinearity, "relu") == 0)
        *gain = sqrt(2.0);
    else if (strcmp(nonlinearity, "leaky_relu") == 0)
        *gain = sqrt(2.0 / (1 + a * a));
    else if (strcmp(nonlinearity, "selu") == 0)
        *gain = 3.0 / 4;
    else {
        tni_raise(
            TN_ERROR_ARGUMENT,
            "nonlinearity \"%.40s\" is not one of linear, conv1d to conv3d, conv_transpose1d to conv_transpose3d, sigmoid, "
            "tanh, relu, leaky_relu, selu",
            nonlinearity);
        return false;
    }
    return true;
}

static bool initialise_kaiming(const tn_tensor *self, double a, const char *mode, const char *nonlinearity, double *std) {
    double in, out, gain;
    if (!initialise_fans(self, &in, &out) || !initialise_gain(nonlinearity, a, &gain))
        return false;
    bool of_in = strcmp(mode, "fan_in") == 0;
    if (!of_in && strcmp(mode, "fan_out") != 0) {
        tni_raise(TN_ERROR_ARGUMENT, "mode \"%.40s\" is neither fan_in nor fan_out", mode);
        return false;
    }
    *std = gain / sqrt(of_in ? in : out);
    return true;
}

tn_tensor *tni_composite_kaiming_uniform_(tn_tensor *self, double a, const char *mode, const char *nonlinearity,
                                          tn_generator *generator) {
    double std;
    if (self->numel == 0)
        return self;
    if (!initialise_kaiming(self, a, mode, nonlinearity, &std))
        return NULL;
    double bound = sqrt(3.0) * std;
    return tn_uniform_(self, -bound, bound, generator);
}

tn_tensor *tni_composite_kaiming_normal_(tn_tensor *self, double a, const char *mode, const char *nonlinearity,
                                         tn_generator *generator) {
    double std;
    if (self->numel == 0)
        return self;
    return initialise_kaiming(self, a, mode, nonlinearity, &std) ? tn_normal_(self, 0, std, generator) : NULL;
}

/* Work in several steps, any of which may fail, is done in a temporary on the CPU with the same strides, so that the same
 * numbers are drawn; self changes when everything has succeeded, wherever it is. On the meta device there is nothing to draw.
 * */
static bool initialise_draws(const tn_tensor *self) { return tni_tensor_device(self).type != TN_META; }

static tn_tensor *initialise_beside(const tn_tensor *self) {
    return tn_empty_strided((tn_dims){self->sizes, self->ndim}, (tn_dims){self->strides, self->ndim}, self->dtype);
}

/* ---- the normal distribution between two bounds: whole tensors are drawn until every element has had one that is accepted,
 * from the normal distribution where that is likely, else evenly, with the probability of the density. */

/* The normal distribution's share below x. */
static double initialise_share_below(double x) { return (1 + erf(x / sqrt(2.0))) / 2; }

static bool initialise_any(const tn_tensor *mask) {
    return mask->numel > 0 && memchr(tni_tensor_read(mask), 1, (size_t)mask->numel) != NULL; /* fresh masks have no gaps */
}

/* Which elements are outside; NULL with the error raised. There may be many rounds: each gives back what it made. */
static tn_tensor *initialise_outside(const tn_tensor *self, double a, double b) {
    tn_tensor *below = tn_lt_scalar(self, tn_scalar_float(a)), *above = below ? tn_gt_scalar(self, tn_scalar_float(b)) : NULL;
    tn_tensor *outside = above ? tn_logical_or_(below, above) : NULL;
    tn_release(above);
    return outside;
}

/* Elements of self where the mask says so are replaced. */
static bool initialise_replace(tn_tensor *self, const tn_tensor *mask, const tn_tensor *by) {
    tn_tensor *merged = tn_where(mask, by, self);
    bool good = merged && tn_copy_(self, merged);
    tn_release(merged);
    return good;
}

static double initialise_rounded(tn_dtype dtype, double value) {
    char one[16];
    tn_dtype_store(dtype, one, tn_scalar_float(value));
    return tn_dtype_load(dtype, one).value.d;
}

static bool initialise_by_normal(tn_tensor *self, double mean, double std, double a, double b, tn_generator *generator) {
    a = initialise_rounded(self->dtype, a);
    b = initialise_rounded(self->dtype, b);
    tn_tensor *drawn = NULL;
    bool good = tn_normal_(self, mean, std, generator) != NULL;
    for (bool again = true; good && again;) {
        tn_tensor *outside = tni_cancel_poll() == TN_OK ? initialise_outside(self, a, b) : NULL;
        again = outside && initialise_any(outside);
        if (again && !drawn)
            drawn = tn_empty_like(self, TN_DTYPE_DEFAULT, TN_PRESERVE);
        good = outside &&
               (!again || (drawn && tn_normal_(drawn, mean, std, generator) && initialise_replace(self, outside, drawn)));
        tn_release(outside);
    }
    return good;
}

/* Candidates become the logarithm of their density over the peak's; a number drawn for each then decides which are refused. */
static tn_tensor *initialise_refused(tn_tensor *candidates, tn_tensor *chances, double mean, double std, double log_peak,
                                     tn_generator *generator) {
    bool good = tn_sub_scalar_(candidates, tn_scalar_float(mean)) && tn_div_scalar_(candidates, tn_scalar_float(std)) &&
                tn_pow_scalar_(candidates, tn_scalar_int(2)) && tn_mul_scalar_(candidates, tn_scalar_float(-0.5)) &&
                tn_sub_scalar_(candidates, tn_scalar_float(log_peak)) && tn_uniform_(chances, 0, 1, generator) &&
                tn_log_(chances);
    return good ? tn_gt(chances, candidates) : NULL;
}

static bool initialise_by_density(tn_tensor *self, double mean, double std, double a, double b, tn_generator *generator) {
    double mode = mean < a ? a : mean > b ? b : mean, log_peak = -0.5 * ((mode - mean) / std) * ((mode - mean) / std);
    tn_tensor *candidates = tn_empty_like(self, TN_DTYPE_DEFAULT, TN_PRESERVE);
    tn_tensor *chances = candidates ? tn_empty_like(self, TN_DTYPE_DEFAULT, TN_PRESERVE) : NULL;
    bool good = chances && tn_uniform_(self, a, b, generator) && tn_copy_(candidates, self);
    tn_tensor *pending = good ? initialise_refused(candidates, chances, mean, std, log_peak, generator) : NULL;
    while (pending && tni_cancel_poll() == TN_OK) {
        if (!initialise_any(pending))
            return true;
        good = tn_uniform_(candidates, a, b, generator) && initialise_replace(self, pending, candidates);
        tn_tensor *refused = good ? initialise_refused(candidates, chances, mean, std, log_peak, generator) : NULL;
        pending = refused ? tn_logical_and_(pending, refused) : NULL;
        tn_release(refused);
    }
    return false;
}

/* A long interval on one side of the mean has nearly all of its probability at the near end: where the density is below e^-60
 * of that, nothing would ever be drawn, but trying uniformly over all of it would not end. The far part is left out; its
 * probability is below 2^-80. */
static void initialise_narrow(double mean, double std, double *a, double *b) {
    double low = (*a - mean) / std, high = (*b - mean) / std, beyond = 120;
    if (low > 0)
        *b = fmax(*a, fmin(*b, mean + std * sqrt(low * low + beyond)));
    else if (high < 0)
        *a = fmin(*b, fmax(*a, mean - std * sqrt(high * high + beyond)));
}

tn_tensor *tni_composite_trunc_normal_(tn_tensor *self, double mean, double std, double a, double b, tn_generator *generator) {
    if (!tni_random_is_real(self, "self"))
        return NULL;
    if (!(std > 0) || !(a < b))
        return tni_raise_null(TN_ERROR_ARGUMENT, "std %g must be above 0, and a %g below b %g", std, a, b);
    if (!tni_random_is_writable(self))
        return NULL;
    if (!initialise_draws(self))
        return self;
    initialise_narrow(mean, std, &a, &b);
    double share = initialise_share_below((b - mean) / std) - initialise_share_below((a - mean) / std);
    tn_tensor *beside = initialise_beside(self);
    bool drawn = beside && (share > 0.3 ? initialise_by_normal(beside, mean, std, a, b, generator)
                                        : initialise_by_density(beside, mean, std, a, b, generator));
    return drawn ? tn_copy_(self, beside) : NULL;
}

/* ---- orthogonal: the columns of `matrix` (rows >= columns) are made orthonormal, twice over for accuracy. With positive
 * factors, as here, there is only one way to do it. */

/* a: the elements of a column, `step` apart, as those of b are. */
static double initialise_product(const double *a, const double *b, int64_t count, int64_t step) {
    double product = 0;
    TNI_IN_STEPS (begin, end, count)
        for (int64_t i = begin * step; i < end * step; i += step)
            product += a[i] * b[i];
    return product;
}

static void initialise_subtract(double *a, double factor, const double *b, int64_t count, int64_t step) {
    TNI_IN_STEPS (begin, end, count)
        for (int64_t i = begin * step; i < end * step; i += step)
            a[i] -= factor * b[i];
}

static void initialise_orthonormal(double *matrix, int64_t rows, int64_t columns) {
    for (int64_t j = 0; j < columns && !tni_stopped(); j++) {
        double *column = matrix + j;
        for (int pass = 0; pass < 2; pass++)
            TNI_IN_STEPS_OF (tni_max_i64(1, TNI_STEP / rows), first, last, j)
                for (int64_t k = first; k < last; k++)
                    initialise_subtract(column, initialise_product(matrix + k, column, rows, columns), matrix + k, rows,
                                        columns);
        double length = sqrt(initialise_product(column, column, rows, columns));
        TNI_IN_STEPS (begin, end, rows)
            for (int64_t i = begin; i < end; i++)
                column[i * columns] /= length;
    }
}

tn_tensor *tni_composite_orthogonal_(tn_tensor *self, double gain, tn_generator *generator) {
    if (self->ndim < 2)
        return tni_raise_null(TN_ERROR_SHAPE, "self %s has fewer than 2 dimensions", tni_show_tensor(self));
    if (!tni_random_is_real(self, "self") || !tni_random_is_writable(self))
        return NULL;
    if (self->numel == 0 || !initialise_draws(self))
        return self;
    int64_t rows = self->sizes[0], columns = self->numel / rows;
    tn_tensor *drawn = tn_empty((tn_dims){self->sizes, self->ndim}, self->dtype);
    tn_tensor *tall = drawn && tn_normal_(drawn, 0, 1, generator) ? tn_view(drawn, TN_DIMS(rows, columns)) : NULL;
    if (tall && rows < columns)
        tall = tn_transpose(tall, 0, 1);
    tn_tensor *wide = tall ? tni_clone_as(tall, TN_FLOAT64, TN_CONTIGUOUS, TN_DEVICE_CPU, "made orthogonal in float64") : NULL;
    if (!wide)
        return NULL;
    initialise_orthonormal((double *)(void *)tni_tensor_write(wide), tall->sizes[0], tall->sizes[1]);
    bool good = tn_copy_(tall, wide) && tn_mul_scalar_(drawn, tn_scalar_float(gain));
    tni_tensor_release(wide);
    return good ? tn_copy_(self, drawn) : NULL;
}

/* ---- sparse, and the two that draw nothing */

static bool initialise_sparse(tn_tensor *self, int64_t zeros, double std, tn_generator *generator) {
    bool good = tn_normal_(self, 0, std, generator) != NULL;
    size_t item = tni_tensor_item_size(self);
    for (int64_t column = 0; good && column < self->sizes[1]; column++) {
        tn_tensor *order = tn_randperm(self->sizes[0], TN_INT64, generator);
        const int64_t *rows = order ? (const int64_t *)(const void *)tni_tensor_read(order) : NULL;
        TNI_IN_STEPS (begin, end, rows ? zeros : 0)
            for (int64_t i = begin; i < end; i++)
                memset(tni_tensor_write(self) + (rows[i] * self->strides[0] + column * self->strides[1]) * (int64_t)item, 0,
                       item);
        good = order != NULL;
        tn_release(order);
    }
    return good;
}

tn_tensor *tni_composite_sparse_(tn_tensor *self, double sparsity, double std, tn_generator *generator) {
    if (self->ndim != 2)
        return tni_raise_null(TN_ERROR_SHAPE, "self %s is not a matrix", tni_show_tensor(self));
    if (!(sparsity >= 0 && sparsity <= 1))
        return tni_raise_null(TN_ERROR_ARGUMENT, "sparsity is %g; a share is between 0 and 1", sparsity);
    if (!tni_random_is_writable(self))
        return NULL;
    if (!initialise_draws(self))
        return tn_normal_(self, 0, std, generator);
    int64_t zeros = (int64_t)ceil(sparsity * (double)self->sizes[0]);
    tn_tensor *beside = initialise_beside(self);
    return beside && initialise_sparse(beside, zeros, std, generator) ? tn_copy_(self, beside) : NULL;
}

tn_tensor *tni_composite_eye_(tn_tensor *self) {
    if (self->ndim != 2)
        return tni_raise_null(TN_ERROR_SHAPE, "self %s is not a matrix", tni_show_tensor(self));
    return tn_copy_(self, initialise_draws(self) ? tn_eye(self->sizes[0], self->sizes[1], self->dtype)
                                                 : tn_empty_like(self, TN_DTYPE_DEFAULT, TN_PRESERVE));
}

/* The ones are on the diagonals of all groups at once, in the middle of the other dimensions. */
tn_tensor *tni_composite_dirac_(tn_tensor *self, int64_t groups) {
    if (self->ndim < 3 || self->ndim > 5)
        return tni_raise_null(TN_ERROR_SHAPE, "self %s is not a weight of a convolution in 1, 2 or 3 dimensions",
                              tni_show_tensor(self));
    if (groups < 1 || self->sizes[0] % groups != 0)
        return tni_raise_null(TN_ERROR_ARGUMENT, "groups is %" PRId64 ", which does not divide the %" PRId64 " outputs", groups,
                              self->sizes[0]);
    if (!tni_random_is_writable(self))
        return NULL;
    int64_t outputs = self->sizes[0] / groups, middle = self->offset;
    for (int64_t d = 2; d < self->ndim; d++)
        middle += self->sizes[d] / 2 * self->strides[d];
    int64_t sizes[2] = {groups, tni_min_i64(outputs, self->sizes[1])};
    int64_t strides[2] = {groups > 1 ? outputs * self->strides[0] : 0, /* strides of size 1 may be anything */
                          sizes[1] > 1 ? self->strides[0] + self->strides[1] : 0};
    tn_tensor *ones = self->numel ? tn_as_strided(self, (tn_dims){sizes, 2}, (tn_dims){strides, 2}, middle) : self;
    return ones && tn_zero_(self) && tn_fill_(ones, tn_scalar_int(1)) ? self : NULL;
}

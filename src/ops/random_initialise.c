/* random_initialise.c - what weights begin as: the initialisers of torch.nn.init, from the samplers beside it.
 *
 * The number of inputs and outputs of a weight (out, in, ...) is its second and first size, each times the product of the
 * others.
 */
#include <math.h>

#include "operator_impls.h"
#include "ops/copy.h"
#include "ops/random.h"

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

tn_error tni_op_xavier_uniform_(tn_tensor *self, double gain, tn_generator *generator) {
    double in, out;
    if (!initialise_fans(self, &in, &out))
        return tn_error_code();
    double bound = sqrt(3.0) * (gain * sqrt(2.0 / (in + out)));
    return tni_op_uniform_(self, -bound, bound, generator);
}

tn_error tni_op_xavier_normal_(tn_tensor *self, double gain, tn_generator *generator) {
    double in, out;
    if (!initialise_fans(self, &in, &out))
        return tn_error_code();
    return tni_op_normal_(self, 0, gain * sqrt(2.0 / (in + out)), generator);
}

/* What a nonlinearity does to the spread of what goes through it. */
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
        tni_raise(TN_ERROR_ARGUMENT,
                  "nonlinearity \"%.40s\" is none of linear, conv1d to conv3d, conv_transpose1d to conv_transpose3d, sigmoid, "
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

tn_error tni_op_kaiming_uniform_(tn_tensor *self, double a, const char *mode, const char *nonlinearity,
                                 tn_generator *generator) {
    double std;
    if (self->numel == 0)
        return TN_OK;
    if (!initialise_kaiming(self, a, mode, nonlinearity, &std))
        return tn_error_code();
    double bound = sqrt(3.0) * std;
    return tni_op_uniform_(self, -bound, bound, generator);
}

tn_error tni_op_kaiming_normal_(tn_tensor *self, double a, const char *mode, const char *nonlinearity,
                                tn_generator *generator) {
    double std;
    if (self->numel == 0)
        return TN_OK;
    if (!initialise_kaiming(self, a, mode, nonlinearity, &std))
        return tn_error_code();
    return tni_op_normal_(self, 0, std, generator);
}

/* What takes several steps, any of which may fail, is done beside self in memory of the same strides, so that the same numbers are
 * drawn; self changes when all has gone well. */
static tn_tensor *initialise_beside(const tn_tensor *self) {
    return tni_op_empty_strided((tn_dims){self->sizes, self->ndim}, (tn_dims){self->strides, self->ndim}, self->dtype);
}

static tn_error initialise_finish(tn_tensor *self, tn_tensor *beside, tn_error code) {
    if (code == TN_OK)
        code = tni_op_copy_(self, beside);
    tni_tensor_release(beside);
    return code;
}

/* ---- the normal distribution between two bounds: whole tensors are drawn until every element has had one that is accepted,
 * from the normal distribution where that is likely, else evenly with the chance of the density. */

/* The normal distribution's share below x. */
static double initialise_share_below(double x) { return (1 + erf(x / sqrt(2.0))) / 2; }

static bool initialise_any(const tn_tensor *mask) {
    return mask->numel > 0 && memchr(tni_tensor_read(mask), 1, (size_t)mask->numel) != NULL; /* fresh masks have no gaps */
}

/* Which elements lie outside; NULL with the error raised. */
static tn_tensor *initialise_outside(const tn_tensor *self, double a, double b) {
    tn_tensor *below = tni_op_lt_scalar(self, tn_scalar_float(a));
    tn_tensor *above = below ? tni_op_gt_scalar(self, tn_scalar_float(b)) : NULL;
    tn_tensor *outside = above ? tni_op_logical_or(below, above) : NULL;
    tni_tensor_release(below);
    tni_tensor_release(above);
    return outside;
}

/* Elements of self where the mask says so are replaced. */
static tn_error initialise_replace(tn_tensor *self, const tn_tensor *mask, const tn_tensor *by) {
    tn_tensor *merged = tni_op_where(mask, by, self);
    tn_error code = merged ? tni_op_copy_(self, merged) : tn_error_code();
    tni_tensor_release(merged);
    return code;
}

static double initialise_rounded(tn_dtype dtype, double value) {
    char one[16];
    tn_dtype_store(dtype, one, tn_scalar_float(value));
    return tn_dtype_load(dtype, one).value.d;
}

static tn_error initialise_by_normal(tn_tensor *self, double mean, double std, double a, double b, tn_generator *generator) {
    a = initialise_rounded(self->dtype, a);
    b = initialise_rounded(self->dtype, b);
    tn_tensor *drawn = NULL;
    tn_error code = tni_op_normal_(self, mean, std, generator);
    for (bool again = true; code == TN_OK && again;) {
        tn_tensor *outside = initialise_outside(self, a, b);
        again = outside && initialise_any(outside);
        if (again && !drawn)
            drawn = tni_op_empty_like(self, TN_DTYPE_DEFAULT, TN_PRESERVE);
        if (!outside || (again && !drawn))
            code = tn_error_code();
        else if (again && (code = tni_op_normal_(drawn, mean, std, generator)) == TN_OK)
            code = initialise_replace(self, outside, drawn);
        tni_tensor_release(outside);
    }
    tni_tensor_release(drawn);
    return code;
}

/* Candidates become the logarithm of their density over the peak's; then which are refused by a number drawn for each. */
static tn_tensor *initialise_refused(tn_tensor *candidates, tn_tensor *chances, double mean, double std, double log_peak,
                                     tn_generator *generator) {
    bool good = tni_op_sub_scalar_(candidates, tn_scalar_float(mean)) == TN_OK &&
                tni_op_div_scalar_(candidates, tn_scalar_float(std)) == TN_OK &&
                tni_op_pow_scalar_(candidates, tn_scalar_int(2)) == TN_OK &&
                tni_op_mul_scalar_(candidates, tn_scalar_float(-0.5)) == TN_OK &&
                tni_op_sub_scalar_(candidates, tn_scalar_float(log_peak)) == TN_OK &&
                tni_op_uniform_(chances, 0, 1, generator) == TN_OK && tni_op_log_(chances) == TN_OK;
    return good ? tni_op_gt(chances, candidates) : NULL;
}

static tn_error initialise_by_density(tn_tensor *self, double mean, double std, double a, double b, tn_generator *generator) {
    double mode = mean < a ? a : mean > b ? b : mean, log_peak = -0.5 * ((mode - mean) / std) * ((mode - mean) / std);
    tn_tensor *candidates = tni_op_empty_like(self, TN_DTYPE_DEFAULT, TN_PRESERVE);
    tn_tensor *chances = candidates ? tni_op_empty_like(self, TN_DTYPE_DEFAULT, TN_PRESERVE) : NULL, *pending = NULL;
    tn_error code = chances ? tni_op_uniform_(self, a, b, generator) : tn_error_code();
    if (code == TN_OK)
        code = tni_op_copy_(candidates, self);
    if (code == TN_OK && !(pending = initialise_refused(candidates, chances, mean, std, log_peak, generator)))
        code = tn_error_code();
    while (code == TN_OK && initialise_any(pending)) {
        code = tni_op_uniform_(candidates, a, b, generator);
        if (code == TN_OK)
            code = initialise_replace(self, pending, candidates);
        tn_tensor *refused = code == TN_OK ? initialise_refused(candidates, chances, mean, std, log_peak, generator) : NULL;
        tn_tensor *still = refused ? tni_op_logical_and(pending, refused) : NULL;
        tni_tensor_release(refused);
        tni_tensor_release(pending);
        pending = still;
        if (code == TN_OK && !pending)
            code = tn_error_code();
    }
    tni_tensor_release(pending);
    tni_tensor_release(chances);
    tni_tensor_release(candidates);
    return code;
}

tn_error tni_op_trunc_normal_(tn_tensor *self, double mean, double std, double a, double b, tn_generator *generator) {
    if (!tni_random_is_real(self))
        return tn_error_code();
    if (!(std > 0) || !(a < b))
        return tni_raise(TN_ERROR_ARGUMENT, "std %g must be above 0, and a %g below b %g", std, a, b);
    if (!tni_random_is_writable(self))
        return tn_error_code();
    double share = initialise_share_below((b - mean) / std) - initialise_share_below((a - mean) / std);
    tn_tensor *beside = initialise_beside(self);
    if (!beside)
        return tn_error_code();
    return initialise_finish(self, beside,
                             share > 0.3 ? initialise_by_normal(beside, mean, std, a, b, generator)
                                         : initialise_by_density(beside, mean, std, a, b, generator));
}

/* ---- orthogonal: the columns of `matrix` (rows >= columns) are made orthonormal, twice over for accuracy. With positive factors,
 * as here, there is only one way to do it. */

static void initialise_orthonormal(double *matrix, int64_t rows, int64_t columns) {
    for (int64_t j = 0; j < columns; j++) {
        for (int pass = 0; pass < 2; pass++)
            for (int64_t k = 0; k < j; k++) {
                double along = 0;
                for (int64_t i = 0; i < rows; i++)
                    along += matrix[i * columns + k] * matrix[i * columns + j];
                for (int64_t i = 0; i < rows; i++)
                    matrix[i * columns + j] -= along * matrix[i * columns + k];
            }
        double length = 0;
        for (int64_t i = 0; i < rows; i++)
            length += matrix[i * columns + j] * matrix[i * columns + j];
        length = sqrt(length);
        for (int64_t i = 0; i < rows; i++)
            matrix[i * columns + j] /= length;
    }
}

/* `made` becomes a view under two dimensions in which it has at least as many rows as columns; the first is released. */
static tn_tensor *initialise_tall(const tn_tensor *made, int64_t rows, int64_t columns) {
    tn_tensor *flat = tni_op_view(made, TN_DIMS(rows, columns));
    tn_tensor *tall = flat && rows < columns ? tni_op_transpose(flat, 0, 1) : NULL;
    if (rows >= columns)
        return flat;
    tni_tensor_release(flat);
    return tall;
}

tn_error tni_op_orthogonal_(tn_tensor *self, double gain, tn_generator *generator) {
    if (self->ndim < 2)
        return tni_raise(TN_ERROR_SHAPE, "self %s has fewer than 2 dimensions", tni_show_tensor(self));
    if (!tni_random_is_real(self) || !tni_random_is_writable(self))
        return tn_error_code();
    if (self->numel == 0)
        return TN_OK;
    int64_t rows = self->sizes[0], columns = self->numel / rows;
    tn_tensor *drawn = tni_op_empty((tn_dims){self->sizes, self->ndim}, self->dtype);
    tn_error code = drawn ? tni_op_normal_(drawn, 0, 1, generator) : tn_error_code();
    tn_tensor *tall = code == TN_OK ? initialise_tall(drawn, rows, columns) : NULL;
    tn_tensor *wide = tall ? tni_clone_as(tall, TN_FLOAT64, TN_CONTIGUOUS, TN_DEVICE_CPU, "made orthogonal in float64") : NULL;
    if (wide) {
        initialise_orthonormal((double *)(void *)tni_tensor_write(wide), tall->sizes[0], tall->sizes[1]);
        code = tni_op_copy_(tall, wide);
    } else
        code = tn_error_code();
    if (code == TN_OK)
        code = tni_op_mul_scalar_(drawn, tn_scalar_float(gain));
    if (code == TN_OK)
        code = tni_op_copy_(self, drawn);
    tni_tensor_release(wide);
    tni_tensor_release(tall);
    tni_tensor_release(drawn);
    return code;
}

/* ---- sparse, and the two that draw nothing */

static tn_error initialise_sparse(tn_tensor *self, int64_t zeros, double std, tn_generator *generator) {
    tn_error code = tni_op_normal_(self, 0, std, generator);
    for (int64_t column = 0; code == TN_OK && column < self->sizes[1]; column++) {
        tn_tensor *order = tni_op_randperm(self->sizes[0], TN_INT64, generator);
        const int64_t *rows = order ? (const int64_t *)(const void *)tni_tensor_read(order) : NULL;
        size_t item = tni_tensor_item_size(self);
        for (int64_t i = 0; rows && i < zeros; i++)
            memset(tni_tensor_write(self) + (rows[i] * self->strides[0] + column * self->strides[1]) * (int64_t)item, 0, item);
        if (!order)
            code = tn_error_code();
        tni_tensor_release(order);
    }
    return code;
}

tn_error tni_op_sparse_(tn_tensor *self, double sparsity, double std, tn_generator *generator) {
    if (self->ndim != 2)
        return tni_raise(TN_ERROR_SHAPE, "self %s is no matrix", tni_show_tensor(self));
    if (!(sparsity >= 0 && sparsity <= 1))
        return tni_raise(TN_ERROR_ARGUMENT, "sparsity is %g; a share lies between 0 and 1", sparsity);
    if (!tni_random_is_writable(self))
        return tn_error_code();
    int64_t zeros = (int64_t)ceil(sparsity * (double)self->sizes[0]);
    tn_tensor *beside = initialise_beside(self);
    return initialise_finish(self, beside, beside ? initialise_sparse(beside, zeros, std, generator) : tn_error_code());
}

tn_error tni_op_eye_(tn_tensor *self) {
    if (self->ndim != 2)
        return tni_raise(TN_ERROR_SHAPE, "self %s is no matrix", tni_show_tensor(self));
    tn_tensor *identity = tni_op_eye(self->sizes[0], self->sizes[1], self->dtype);
    tn_error code = identity ? tni_op_copy_(self, identity) : tn_error_code();
    tni_tensor_release(identity);
    return code;
}

tn_error tni_op_dirac_(tn_tensor *self, int64_t groups) {
    if (self->ndim < 3 || self->ndim > 5)
        return tni_raise(TN_ERROR_SHAPE, "self %s is no weight of a convolution in 1, 2 or 3 dimensions",
                         tni_show_tensor(self));
    if (groups < 1 || self->sizes[0] % groups != 0)
        return tni_raise(TN_ERROR_ARGUMENT, "groups is %" PRId64 ", which does not divide the %" PRId64 " outputs", groups,
                         self->sizes[0]);
    tn_error code = tni_fill_into(self, tn_scalar_int(0));
    int64_t outputs = self->sizes[0] / groups, inputs = self->sizes[1], middle = 0;
    bool empty = self->numel == 0;
    for (int64_t d = 2; d < self->ndim; d++)
        middle += self->sizes[d] / 2 * self->strides[d];
    char one[16];
    tn_dtype_store(self->dtype, one, tn_scalar_int(1));
    size_t item = tni_tensor_item_size(self);
    for (int64_t g = 0; code == TN_OK && !empty && g < groups; g++)
        for (int64_t k = 0; k < outputs && k < inputs; k++)
            memcpy(tni_tensor_write(self) +
                       ((g * outputs + k) * self->strides[0] + k * self->strides[1] + middle) * (int64_t)item,
                   one, item);
    return code;
}

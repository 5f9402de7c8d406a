/* resample.c - images of other sizes: upsample_nearest, linear, bilinear, trilinear, bicubic, with and without antialiasing, and the ways back.
 *
 * Each dimension becomes a table of elements and weights (kernels/resample_plane.h), made here; a plane is then one call of a kernel. A result
 * element o of `out` lies at scale * (o + 0.5) - 0.5 among the `in` elements, or at scale * o with align_corners; scale is in / out, or 1 over the
 * factor that is given, or (in - 1) / (out - 1) with align_corners. Places are computed in the dtype of the elements, in float32 for narrower
 * ones, as torch does, because rounding decides which element is the nearest.
 */
#include <math.h>

#include "base/error.h"
#include "base/heap.h"
#include "kernels/table.h"
#include "operators_resampling.h"
#include "ops/copy/copy.h"
#include "ops/limits.h"
#include "ops/nn/planes.h"
#include "ops/nn/pool_windows.h"
#include "ops/plan.h"

typedef enum resample_kind {
    RESAMPLE_NEAREST,
    RESAMPLE_EXACT,
    RESAMPLE_LINEAR,
    RESAMPLE_CUBIC,
    RESAMPLE_LINEAR_WIDE, /* with antialiasing */
    RESAMPLE_CUBIC_WIDE
} resample_kind;

typedef struct resample_call {
    tni_resample resample;
    tni_resample_function function;
    resample_kind kind;
    bool align_corners;
    int64_t spatial;
    double scale[TNI_RESAMPLE_AXES]; /* elements of the plane for one of the result */
    tn_dtype compute;
    char *room; /* of the tables */
    size_t bytes;
} resample_call;

/* ---- what is checked */

static bool resample_scale(tn_scalar given, const char *name, double *factor) {
    *factor = 0;
    if (given.kind == TN_SCALAR_NONE)
        return true;
    if (given.kind == TN_SCALAR_COMPLEX) {
        tni_raise(TN_ERROR_DTYPE, "%s = %s must be a real number", name, tni_show_scalar(given));
        return false;
    }
    tn_dtype_store(TN_FLOAT64, factor, given);
    return true;
}

static bool resample_check_dtype(const tn_tensor *self, resample_kind kind, int64_t spatial, const char *name) {
    bool bytes = self->dtype == TN_UINT8 && (kind <= RESAMPLE_EXACT || spatial == 2);
    if ((tn_dtype_is_floating(self->dtype) && tni_dtype_size(self->dtype) >= 2) || bytes)
        return true;
    tni_raise(TN_ERROR_DTYPE, "%s is %s; floats of 16 bits and more are resampled, and uint8 as images or by nearest", name,
              tni_show_tensor(self));
    return false;
}

static const char *const resample_last[] = {"length", "height, width", "depth, height, width"};

/* A dimension that keeps its size is copied by linear, even where another factor is given. */
static void resample_compare(resample_call *call) {
    bool linear = call->kind == RESAMPLE_LINEAR || call->kind >= RESAMPLE_LINEAR_WIDE;
    for (int64_t a = TNI_RESAMPLE_AXES - call->spatial; a < TNI_RESAMPLE_AXES; a++) {
        tni_resample_axis *axis = &call->resample.axis[a];
        axis->same = axis->same && (linear || call->scale[a] == 1);
        if (axis->same)
            call->scale[a] = 1;
    }
}

/* The sizes and scales of a call from `sizes` (batch, channels, ...). */
static bool resample_begin(resample_call *call, resample_kind kind, int64_t spatial, const int64_t *sizes, int64_t ndim,
                           tn_dims output_size, bool align_corners, const tn_scalar *scales) {
    static const char *const names[3][3] = {{"scales"}, {"scales_h", "scales_w"}, {"scales_d", "scales_h", "scales_w"}};
    *call = (resample_call){.kind = kind, .align_corners = align_corners, .spatial = spatial};
    if (ndim != spatial + 2) {
        tni_raise(TN_ERROR_SHAPE, "the sizes %s must be %" PRId64 " numbers: batch, channels, %s", tni_show_dims(sizes, ndim),
                  spatial + 2, resample_last[spatial - 1]);
        return false;
    }
    if (output_size.count != spatial) {
        tni_raise(TN_ERROR_SHAPE, "output_size %s must be %" PRId64 " number%s: %s",
                  tni_show_dims(output_size.values, output_size.count), spatial, spatial == 1 ? "" : "s",
                  resample_last[spatial - 1]);
        return false;
    }
    for (int a = 0; a < TNI_RESAMPLE_AXES; a++)
        call->resample.axis[a] = (tni_resample_axis){.in = 1, .out = 1, .taps = 1, .same = true};
    for (int64_t d = 0; d < spatial; d++) {
        tni_resample_axis *axis = &call->resample.axis[TNI_RESAMPLE_AXES - spatial + d];
        double factor, *scale = &call->scale[TNI_RESAMPLE_AXES - spatial + d];
        axis->in = sizes[2 + d];
        axis->out = output_size.values[d];
        if (axis->in < 1 || axis->out < 1 || axis->in > INT32_MAX / 2 || axis->out > INT32_MAX / 2) {
            tni_raise(TN_ERROR_SHAPE,
                      "sizes %s cannot become %s: there must be at least one element along each dimension, and fewer than 2^30",
                      tni_show_dims(sizes + 2, spatial), tni_show_dims(output_size.values, spatial));
            return false;
        }
        if (!resample_scale(scales[d], names[spatial - 1][d], &factor))
            return false;
        /* As in PyTorch, nearest pixels of a plane of the same or twice the size are those of the sizes, whatever the factor. */
        if (kind == RESAMPLE_NEAREST && spatial == 2 && (axis->out == axis->in || axis->out == 2 * axis->in))
            factor = 0;
        bool corners = align_corners && kind >= RESAMPLE_LINEAR;
        *scale = corners      ? axis->out > 1 ? (double)(axis->in - 1) / (double)(axis->out - 1) : 0
                 : factor > 0 ? 1 / factor
                              : (double)axis->in / (double)axis->out;
        axis->same = axis->in == axis->out;
    }
    resample_compare(call);
    return true;
}

/* ---- tables */

/* Places in float32 or float64: every operation is rounded. */
static double resample_place(const resample_call *call, double scale, int64_t o, bool halves) {
    if (call->compute == TN_FLOAT64)
        return halves ? scale * ((double)o + 0.5) - 0.5 : scale * (double)o;
    float narrow = (float)scale, at = (float)o;
    if (halves)
        at = narrow * (at + 0.5F) - 0.5F;
    else
        at = narrow * at;
    return (double)at;
}

static double resample_filter(resample_kind kind, double x) {
    x = fabs(x);
    if (kind == RESAMPLE_LINEAR_WIDE)
        return x < 1 ? 1 - x : 0;
    double a = -0.5;
    return x < 1 ? ((a + 2) * x - (a + 3)) * x * x + 1 : x < 2 ? (((x - 5) * x + 8) * x - 4) * a : 0;
}

static int64_t resample_reach(const resample_call *call, int a) {
    double half = call->kind == RESAMPLE_LINEAR_WIDE ? 1 : 2;
    return (int64_t)ceil(call->scale[a] >= 1 ? half * call->scale[a] : half) * 2 + 1;
}

static int64_t resample_taps(const resample_call *call, int a) {
    const tni_resample_axis *axis = &call->resample.axis[a];
    switch (call->kind) {
    case RESAMPLE_NEAREST:
    case RESAMPLE_EXACT: return 1;
    case RESAMPLE_LINEAR: return 2;
    case RESAMPLE_CUBIC: return 4;
    default: return tni_min_i64(resample_reach(call, a), axis->in);
    }
}

/* Taps of result o. */
static void resample_taps_of(const resample_call *call, int a, int64_t o, int64_t *index, double *weight) {
    const tni_resample_axis *axis = &call->resample.axis[a];
    double scale = call->scale[a];
    int64_t last = axis->in - 1;
    if (call->kind == RESAMPLE_NEAREST || call->kind == RESAMPLE_EXACT) {
        double at = call->kind == RESAMPLE_NEAREST ? resample_place(call, scale, o, false)
                    : call->compute == TN_FLOAT64  ? scale * ((double)o + 0.5)
                                                   : (double)((float)scale * ((float)o + 0.5F));
        index[0] = tni_min_i64((int64_t)floor(at), last);
        weight[0] = 1;
    } else if (call->kind == RESAMPLE_LINEAR) {
        double at = resample_place(call, scale, o, !call->align_corners);
        at = at < 0 ? 0 : at;
        index[0] = tni_min_i64((int64_t)at, last);
        index[1] = tni_min_i64(index[0] + 1, last);
        double part = at - (double)index[0];
        weight[1] = part < 0 ? 0 : part > 1 ? 1 : part;
        weight[0] = 1 - weight[1];
    } else if (call->kind == RESAMPLE_CUBIC) {
        double at = resample_place(call, scale, o, !call->align_corners), begin = floor(at), t = at - begin, cubic = -0.75;
        for (int64_t k = 0; k < 4; k++) {
            double x = k == 0 ? t + 1 : k == 1 ? t : k == 2 ? 1 - t : 2 - t;
            weight[k] = k == 1 || k == 2 ? ((cubic + 2) * x - (cubic + 3)) * x * x + 1
                                         : ((cubic * x - 5 * cubic) * x + 8 * cubic) * x - 4 * cubic;
            int64_t place = (int64_t)begin - 1 + k;
            index[k] = place < 0 ? 0 : place > last ? last : place;
        }
    } else {
        double half = call->kind == RESAMPLE_LINEAR_WIDE ? 1 : 2, support = scale >= 1 ? half * scale : half,
               inverse = scale >= 1 ? 1 / scale : 1;
        double center = scale * ((double)o + 0.5), sum = 0;
        int64_t low = tni_max_i64((int64_t)(center - support + 0.5), 0),
                high = tni_min_i64((int64_t)(center + support + 0.5), axis->in);
        if (low > last)
            low = last;
        for (int64_t k = 0; k < axis->taps; k++) {
            index[k] = tni_min_i64(low + k, last);
            weight[k] = low + k < high ? resample_filter(call->kind, ((double)(low + k) - center + 0.5) * inverse) : 0;
            sum += weight[k];
        }
        for (int64_t k = 0; sum != 0 && k < axis->taps; k++)
            weight[k] /= sum;
    }
}

/* Bytes are resampled with weights of 16 bits, as many of them behind the point as fit: then all sums are exact. */
static double resample_bits(double most) {
    int bits = 0;
    while (bits < 22 && 0.5 + most * (double)(1 << (bits + 1)) < (double)(1 << 15))
        bits++;
    return (double)(1 << bits);
}

static void resample_store(const resample_call *call, void *weights, int64_t at, double value) {
    if (call->compute == TN_FLOAT64)
        ((double *)weights)[at] = value;
    else
        ((float *)weights)[at] = (float)value;
}

static double resample_load(const resample_call *call, const void *weights, int64_t at) {
    return call->compute == TN_FLOAT64 ? ((const double *)weights)[at] : (double)((const float *)weights)[at];
}

static void resample_fill(resample_call *call, int a, int32_t *indices, void *weights, int64_t *index, double *weight) {
    tni_resample_axis *axis = &call->resample.axis[a];
    double most = 0;
    for (int64_t o = 0; o < axis->out; o++) {
        if (axis->same && a < TNI_RESAMPLE_AXES - call->spatial)
            index[0] = 0, weight[0] = 1;
        else
            resample_taps_of(call, a, o, index, weight);
        for (int64_t t = 0; t < axis->taps; t++) {
            indices[t * axis->out + o] = (int32_t)index[t];
            resample_store(call, weights, t * axis->out + o, weight[t]);
            most = fmax(most, weight[t]);
        }
    }
    double bits = call->resample.bytes && axis->taps > 1 ? resample_bits(most) : 0;
    for (int64_t i = 0; bits > 0 && i < axis->taps * axis->out; i++)
        resample_store(call, weights, i, round(resample_load(call, weights, i) * bits) / bits);
    axis->index = indices;
    axis->weight = weights;
}

/* The tables of all dimensions, in one block. */
static bool resample_tables(resample_call *call) {
    size_t entries = 0, most = 0;
    for (int a = 0; a < TNI_RESAMPLE_AXES; a++) {
        tni_resample_axis *axis = &call->resample.axis[a];
        axis->taps = a < TNI_RESAMPLE_AXES - call->spatial ? 1 : resample_taps(call, a);
        entries += (size_t)axis->taps * (size_t)axis->out;
        most = (size_t)axis->taps > most ? (size_t)axis->taps : most;
    }
    call->bytes = entries * 12 + most * 16 + 64;
    call->room = tni_heap_alloc(call->bytes);
    if (!call->room)
        return false;
    int64_t *index = (int64_t *)(void *)call->room;
    double *weight = (double *)(void *)(index + most), *weights = weight + most;
    int32_t *indices = (int32_t *)(void *)(weights + entries);
    size_t item = tni_dtype_size(call->compute);
    char *at = (char *)weights;
    for (int a = 0; a < TNI_RESAMPLE_AXES; a++) {
        const tni_resample_axis *axis = &call->resample.axis[a];
        resample_fill(call, a, indices, at, index, weight);
        indices += axis->taps * axis->out;
        at += (size_t)(axis->taps * axis->out) * item;
    }
    return true;
}

/* ---- forth and back */

static void resample_plane(void *const *lines, int64_t number, void *scratch, void *context) {
    const resample_call *call = context;
    (void)number;
    call->function(&call->resample, lines[0], lines[1], scratch);
}

/* An image whose channels are next to each other is a volume of height, width and channels, whose last dimension stays as it is. One image
 * is then one task, so it takes some of them, except for gradients, which are several times as fast that way. */
static bool resample_goes_last(const resample_call *call, const tn_tensor *from, bool back) {
    return call->spatial == 2 && tni_plane_is_channels_last(from, 2) && (back || from->sizes[0] >= RESAMPLE_IMAGES);
}

static tn_error resample_planes(resample_call *call, tn_tensor *result, const tn_tensor *from, bool last) {
    if (last) {
        call->resample.axis[0] = call->resample.axis[1];
        call->resample.axis[1] = call->resample.axis[2];
        call->resample.axis[2] = (tni_resample_axis){.in = from->sizes[1], .out = from->sizes[1], .taps = 1, .same = true};
    }
    int64_t merged = call->spatial + last;
    tni_planes planes = {.results = 1,
                         .operands = 2,
                         .operand = {{result, merged, call->compute}, {from, merged, call->compute}},
                         .function = resample_plane,
                         .context = call,
                         .scratch = tni_resample_scratch(&call->resample)};
    if (!last)
        return tni_planes_run(&planes);
    tn_tensor *to = tni_plane_turned(result), *given = to ? tni_plane_turned(from) : NULL;
    planes.operand[0].tensor = to;
    planes.operand[1].tensor = given;
    tn_error code = given ? tni_planes_run(&planes) : tni_failed();
    tni_tensor_release(given);
    tni_tensor_release(to);
    return code;
}

static tn_error resample_run(resample_call *call, tn_tensor *result, const tn_tensor *from, bool back) {
    if (result->numel == 0)
        return TN_OK;
    if (from->numel == 0)
        return tni_fill_into(result, tn_scalar_int(0));
    call->compute = result->dtype == TN_FLOAT64 ? TN_FLOAT64 : TN_FLOAT32;
    call->resample.bytes = result->dtype == TN_UINT8 && call->kind >= RESAMPLE_LINEAR && !back;
    call->resample.skips = call->kind >= RESAMPLE_LINEAR_WIDE;
    int wide = call->compute == TN_FLOAT64;
    call->function = back ? tni_kernels()->resample_back[wide] : tni_kernels()->resample[wide];
    if (!resample_tables(call))
        return tni_failed();
    tn_error code = resample_planes(call, result, from, resample_goes_last(call, from, back));
    tni_heap_free(call->room, call->bytes);
    return code;
}

static bool resample_plan(tni_plan *plan, resample_kind kind, int64_t spatial, const tn_tensor *self, tn_dims output_size,
                          bool align_corners, const tn_scalar *scales) {
    resample_call call;
    int64_t sizes[TN_MAX_DIMS];
    if (!resample_check_dtype(self, kind, spatial, "self") ||
        !resample_begin(&call, kind, spatial, self->sizes, self->ndim, output_size, align_corners, scales))
        return false;
    if (self->sizes[1] == 0) {
        tni_raise(TN_ERROR_SHAPE, "self %s has no channels; only the batch may be empty", tni_show_tensor(self));
        return false;
    }
    for (int64_t d = 0; d < self->ndim; d++)
        sizes[d] = d < 2 ? self->sizes[d] : output_size.values[d - 2];
    tni_plan_begin(plan, self);
    tni_plan_add_format(plan, self->ndim, sizes, self->dtype, tni_plane_is_channels_last(self, spatial));
    return true;
}

static tn_error resample_forth(tn_tensor *result, resample_kind kind, int64_t spatial, const tn_tensor *self,
                               tn_dims output_size, bool align_corners, const tn_scalar *scales) {
    resample_call call;
    if (!resample_begin(&call, kind, spatial, self->sizes, self->ndim, output_size, align_corners, scales))
        return tni_failed();
    return resample_run(&call, result, self, false);
}

/* The sizes of the gradient are those of the result. */
static bool resample_plan_back(tni_plan *plan, resample_kind kind, int64_t spatial, const tn_tensor *grad, tn_dims output_size,
                               tn_dims input_size, bool align_corners, const tn_scalar *scales) {
    resample_call call;
    if (!resample_check_dtype(grad, kind, spatial, "grad_output") ||
        !resample_begin(&call, kind, spatial, input_size.values, input_size.count, output_size, align_corners, scales))
        return false;
    bool same = grad->ndim == spatial + 2 && grad->sizes[0] == input_size.values[0] && grad->sizes[1] == input_size.values[1];
    for (int64_t d = 0; same && d < spatial; d++)
        same = grad->sizes[2 + d] == output_size.values[d];
    if (!same || input_size.values[0] < 0 || input_size.values[1] < 0) {
        tni_raise(TN_ERROR_SHAPE, "grad_output %s must have the first sizes of input_size %s and then output_size %s",
                  tni_show_tensor(grad), tni_show_dims(input_size.values, input_size.count),
                  tni_show_dims(output_size.values, output_size.count));
        return false;
    }
    tni_plan_begin(plan, grad);
    tni_plan_add_format(plan, spatial + 2, input_size.values, grad->dtype, tni_plane_is_channels_last(grad, spatial));
    return true;
}

static tn_error resample_back(tn_tensor *result, resample_kind kind, int64_t spatial, const tn_tensor *grad,
                              tn_dims output_size, tn_dims input_size, bool align_corners, const tn_scalar *scales) {
    resample_call call;
    if (!resample_begin(&call, kind, spatial, input_size.values, input_size.count, output_size, align_corners, scales))
        return tni_failed();
    return resample_run(&call, result, grad, true);
}

/* ---- the rows: with corners or without, of one to three scales */

#define RESAMPLE_1 tn_scalar scales
#define RESAMPLE_2 tn_scalar scales_h, tn_scalar scales_w
#define RESAMPLE_3 tn_scalar scales_d, tn_scalar scales_h, tn_scalar scales_w
#define RESAMPLE_LIST_1                                                                                                        \
    (const tn_scalar[]) { scales }
#define RESAMPLE_LIST_2                                                                                                        \
    (const tn_scalar[]) { scales_h, scales_w }
#define RESAMPLE_LIST_3                                                                                                        \
    (const tn_scalar[]) { scales_d, scales_h, scales_w }

#define RESAMPLE_ROWS_OF(name, kind, spatial, corner_parameter, corners)                                                       \
    bool tni_plan_##name(tni_plan *plan, const tn_tensor *self, tn_dims output_size corner_parameter, RESAMPLE_##spatial) {    \
        return resample_plan(plan, kind, spatial, self, output_size, corners, RESAMPLE_LIST_##spatial);                        \
    }                                                                                                                          \
    tn_error tni_run_##name(const tni_plan *plan, tn_tensor *const *results, const tn_tensor *self,                            \
                            tn_dims output_size corner_parameter, RESAMPLE_##spatial) {                                        \
        (void)plan;                                                                                                            \
        return resample_forth(results[0], kind, spatial, self, output_size, corners, RESAMPLE_LIST_##spatial);                 \
    }                                                                                                                          \
    bool tni_plan_##name##_backward(tni_plan *plan, const tn_tensor *grad_output, tn_dims output_size,                         \
                                    tn_dims input_size corner_parameter, RESAMPLE_##spatial) {                                 \
        return resample_plan_back(plan, kind, spatial, grad_output, output_size, input_size, corners,                          \
                                  RESAMPLE_LIST_##spatial);                                                                    \
    }                                                                                                                          \
    tn_error tni_run_##name##_backward(const tni_plan *plan, tn_tensor *const *results, const tn_tensor *grad_output,          \
                                       tn_dims output_size, tn_dims input_size corner_parameter, RESAMPLE_##spatial) {         \
        (void)plan;                                                                                                            \
        return resample_back(results[0], kind, spatial, grad_output, output_size, input_size, corners,                         \
                             RESAMPLE_LIST_##spatial);                                                                         \
    }
#define RESAMPLE_CORNERS , bool align_corners
RESAMPLE_ROWS_OF(upsample_nearest1d, RESAMPLE_NEAREST, 1, , false)
RESAMPLE_ROWS_OF(upsample_nearest2d, RESAMPLE_NEAREST, 2, , false)
RESAMPLE_ROWS_OF(upsample_nearest3d, RESAMPLE_NEAREST, 3, , false)
RESAMPLE_ROWS_OF(_upsample_nearest_exact1d, RESAMPLE_EXACT, 1, , false)
RESAMPLE_ROWS_OF(_upsample_nearest_exact2d, RESAMPLE_EXACT, 2, , false)
RESAMPLE_ROWS_OF(_upsample_nearest_exact3d, RESAMPLE_EXACT, 3, , false)
RESAMPLE_ROWS_OF(upsample_linear1d, RESAMPLE_LINEAR, 1, RESAMPLE_CORNERS, align_corners)
RESAMPLE_ROWS_OF(upsample_bilinear2d, RESAMPLE_LINEAR, 2, RESAMPLE_CORNERS, align_corners)
RESAMPLE_ROWS_OF(upsample_trilinear3d, RESAMPLE_LINEAR, 3, RESAMPLE_CORNERS, align_corners)
RESAMPLE_ROWS_OF(upsample_bicubic2d, RESAMPLE_CUBIC, 2, RESAMPLE_CORNERS, align_corners)
RESAMPLE_ROWS_OF(_upsample_bilinear2d_aa, RESAMPLE_LINEAR_WIDE, 2, RESAMPLE_CORNERS, align_corners)
RESAMPLE_ROWS_OF(_upsample_bicubic2d_aa, RESAMPLE_CUBIC_WIDE, 2, RESAMPLE_CORNERS, align_corners)

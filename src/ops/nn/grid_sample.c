/* grid_sample.c - images read at places that a grid gives: grid_sampler_2d, grid_sampler_3d, their gradients, and affine_grid_generator.
 *
 * The channels of one input are planes that are read at the same places, so one input is one call of a kernel, which finds the elements around each
 * place once for all channels. Where there are more than a few channels it is worth while to move them next to each other first: then an
 * element around a place is a row of channels. float16 and bfloat16 are computed in float32; only the places are rounded on their way, as PyTorch
 * rounds them: with the 8 bits of bfloat16 that decides which elements are read.
 */
#include "base/error.h"
#include "kernels/table.h"
#include "operators_copy.h"
#include "operators_create.h"
#include "operators_join.h"
#include "operators_product.h"
#include "operators_resampling.h"
#include "operators_view.h"
#include "ops/copy/copy.h"
#include "ops/limits.h"
#include "ops/nn/planes.h"
#include "ops/plan.h"
#include "tensor/small_floats.h"

typedef struct grid_call {
    tni_grid grid;
    tni_grid_function function;
    tni_grid_back_function back;
    bool wants_input, wants_grid;
    tn_dtype dtype; /* as it was given */
} grid_call;

/* ---- what is checked */

static bool grid_check(const tn_tensor *input, const tn_tensor *grid, int64_t spatial, int64_t mode, int64_t padding) {
    static const char *const shapes[2][2] = {{"(batch, channels, height, width)", "(batch, height, width, 2)"},
                                             {"(batch, channels, depth, height, width)", "(batch, depth, height, width, 3)"}};
    if (input->ndim != spatial + 2 || grid->ndim != spatial + 2 || grid->sizes[spatial + 1] != spatial ||
        grid->sizes[0] != input->sizes[0]) {
        tni_raise(TN_ERROR_SHAPE, "input %s must be %s, and grid %s %s with the same batch", tni_show_tensor(input),
                  shapes[spatial - 2][0], tni_show_tensor(grid), shapes[spatial - 2][1]);
        return false;
    }
    for (int64_t d = 1; d < input->ndim; d++) {
        if (d > 1 && input->sizes[d] > TNI_GRID_LONGEST) {
            tni_raise(TN_ERROR_SHAPE, "input %s has more than %" PRId64 " elements along dimension %" PRId64,
                      tni_show_tensor(input), (int64_t)TNI_GRID_LONGEST, d);
            return false;
        }
        if (input->sizes[d] == 0) {
            tni_raise(TN_ERROR_SHAPE, "input %s has no elements along dimension %" PRId64 "; only the batch may be empty",
                      tni_show_tensor(input), d);
            return false;
        }
    }
    if (!tn_dtype_is_floating(input->dtype) || tni_dtype_size(input->dtype) < 2 || grid->dtype != input->dtype) {
        tni_raise(TN_ERROR_DTYPE, "input %s and grid %s must have one dtype, a float of 16 bits or more",
                  tni_show_tensor(input), tni_show_tensor(grid));
        return false;
    }
    if (mode < 0 || mode > TNI_GRID_CUBIC || (mode == TNI_GRID_CUBIC && spatial == 3)) {
        tni_raise(TN_ERROR_ARGUMENT, "interpolation_mode %" PRId64 " must be 0 (linear)%s", mode,
                  spatial == 3 ? " or 1 (nearest)" : ", 1 (nearest) or 2 (cubic)");
        return false;
    }
    if (padding >= 0 && padding <= TNI_GRID_REFLECTION)
        return true;
    tni_raise(TN_ERROR_ARGUMENT, "padding_mode %" PRId64 " must be 0 (zeros), 1 (border) or 2 (reflection)", padding);
    return false;
}

static grid_call grid_begin(const tn_tensor *input, const tn_tensor *grid, int64_t spatial, int64_t mode, int64_t padding,
                            bool align_corners) {
    grid_call call = {.dtype = grid->dtype,
                      .grid = {.spatial = spatial,
                               .elements = tni_dtype_size(grid->dtype) == 2,
                               .planes = input->sizes[1],
                               .points = 1,
                               .mode = (tni_grid_mode)mode,
                               .padding = (tni_grid_padding)padding,
                               .align_corners = align_corners}};
    for (int64_t d = 0; d < spatial; d++) {
        call.grid.sizes[TNI_RESAMPLE_AXES - spatial + d] = input->sizes[2 + d];
        call.grid.points *= grid->sizes[1 + d];
    }
    return call;
}

/* ---- places of 16 bits */

static float grid_round(float value, tn_dtype dtype) {
    return dtype == TN_BFLOAT16 ? tni_bfloat16_to_float(tni_bfloat16_from_float(value))
                                : tni_float16_to_float(tni_float16_from_float(value));
}

/* From -1 .. 1 to elements, rounded to the dtype of the grid after each step. */
static const void *grid_places(const grid_call *call, const float *places, float *to) {
    const tni_grid *grid = &call->grid;
    float less = grid->align_corners ? 1 : 0;
    if (!grid->elements)
        return places;
    for (int64_t p = 0; p < grid->points; p++)
        for (int64_t a = TNI_RESAMPLE_AXES - 1; a >= TNI_RESAMPLE_AXES - grid->spatial; a--) {
            float scale = grid_round(((float)grid->sizes[a] - less) / 2, call->dtype);
            float x = grid_round(grid_round(*places++ + 1, call->dtype) * scale, call->dtype);
            *to++ = grid->align_corners ? x : grid_round(x - 0.5f, call->dtype);
        }
    return to - grid->points * grid->spatial;
}

static size_t grid_scratch(const grid_call *call) {
    return call->grid.elements ? (size_t)(call->grid.points * call->grid.spatial) * sizeof(float) : 0;
}

/* ---- forth */

static void grid_input(void *const *lines, int64_t number, void *scratch, void *context) {
    const grid_call *call = context;
    (void)number;
    call->function(&call->grid, lines[0], lines[1], grid_places(call, lines[2], scratch));
}

static bool grid_plan(tni_plan *plan, const tn_tensor *input, const tn_tensor *grid, int64_t spatial, int64_t mode,
                      int64_t padding) {
    int64_t sizes[TN_MAX_DIMS];
    if (!grid_check(input, grid, spatial, mode, padding))
        return false;
    for (int64_t d = 0; d < input->ndim; d++)
        sizes[d] = d < 2 ? input->sizes[d] : grid->sizes[d - 1];
    tni_plan_begin(plan, input);
    tni_plan_add(plan, input->ndim, sizes, input->dtype);
    return true;
}

/* Whether channels are moved next to each other, or are there already. Where few places are asked for moving all elements does not pay. */
static bool grid_goes_last(const grid_call *call, const tn_tensor *input) {
    int64_t spatial = call->grid.spatial, size = tni_plane_size(input, spatial);
    if (call->grid.mode == TNI_GRID_CUBIC || size > INT32_MAX || tni_plane_is_channels_last(input, spatial))
        return true;
    return call->grid.mode == TNI_GRID_LINEAR && call->grid.planes >= GRID_CHANNELS && call->grid.points >= size / 2;
}

static tn_error grid_run(tn_tensor *result, const tn_tensor *input, const tn_tensor *grid, int64_t spatial, int64_t mode,
                         int64_t padding, bool align_corners) {
    if (result->numel == 0)
        return TN_OK;
    tn_dtype compute = tni_plane_compute(input->dtype);
    grid_call call = grid_begin(input, grid, spatial, mode, padding, align_corners);
    bool last = grid_goes_last(&call, input);
    call.function = tni_kernels()->grid[(compute == TN_FLOAT64) + 2 * last];
    tn_tensor *to = last ? tni_plane_turned(result) : tni_tensor_retain(result);
    tn_tensor *from = !to ? NULL : last ? tni_plane_turned(input) : tni_tensor_retain(input);
    tni_planes planes = {.results = 1,
                         .operands = 3,
                         .operand = {{to, spatial + 1, compute}, {from, spatial + 1, compute}, {grid, spatial + 1, compute}},
                         .scratch = grid_scratch(&call),
                         .function = grid_input,
                         .context = &call};
    tn_error code = from ? tni_planes_run(&planes) : tni_failed();
    tni_tensor_release(from);
    tni_tensor_release(to);
    return code;
}

bool tni_plan_grid_sampler_2d(tni_plan *plan, const tn_tensor *input, const tn_tensor *grid, int64_t interpolation_mode,
                              int64_t padding_mode, bool align_corners) {
    (void)align_corners;
    return grid_plan(plan, input, grid, 2, interpolation_mode, padding_mode);
}

tn_error tni_run_grid_sampler_2d(const tni_plan *plan, tn_tensor *const *results, const tn_tensor *input, const tn_tensor *grid,
                                 int64_t interpolation_mode, int64_t padding_mode, bool align_corners) {
    (void)plan;
    return grid_run(results[0], input, grid, 2, interpolation_mode, padding_mode, align_corners);
}

bool tni_plan_grid_sampler_3d(tni_plan *plan, const tn_tensor *input, const tn_tensor *grid, int64_t interpolation_mode,
                              int64_t padding_mode, bool align_corners) {
    (void)align_corners;
    return grid_plan(plan, input, grid, 3, interpolation_mode, padding_mode);
}

tn_error tni_run_grid_sampler_3d(const tni_plan *plan, tn_tensor *const *results, const tn_tensor *input, const tn_tensor *grid,
                                 int64_t interpolation_mode, int64_t padding_mode, bool align_corners) {
    (void)plan;
    return grid_run(results[0], input, grid, 3, interpolation_mode, padding_mode, align_corners);
}

tn_tensor *tni_composite_grid_sampler(const tn_tensor *input, const tn_tensor *grid, int64_t interpolation_mode,
                                      int64_t padding_mode, bool align_corners) {
    if (input->ndim != 4 && input->ndim != 5)
        return tni_raise_null(TN_ERROR_SHAPE, "input %s must have 4 dimensions, or 5 for volumes", tni_show_tensor(input));
    return input->ndim == 4 ? tn_grid_sampler_2d(input, grid, interpolation_mode, padding_mode, align_corners)
                            : tn_grid_sampler_3d(input, grid, interpolation_mode, padding_mode, align_corners);
}

/* ---- back */

static void grid_input_back(void *const *lines, int64_t number, void *scratch, void *context) {
    const grid_call *call = context;
    void *const *read = lines + call->wants_input + call->wants_grid;
    (void)number;
    call->back(&call->grid, call->wants_input ? lines[0] : NULL, call->wants_grid ? read[-1] : NULL, read[0], read[1],
               grid_places(call, read[2], scratch));
}

static bool grid_plan_back(tni_plan *plan, const tn_tensor *grad, const tn_tensor *input, const tn_tensor *grid,
                           int64_t spatial, int64_t mode, int64_t padding, tn_dims mask) {
    static const int64_t none[1] = {0};
    if (!grid_check(input, grid, spatial, mode, padding))
        return false;
    if (mask.count != 2) {
        tni_raise(TN_ERROR_ARGUMENT,
                  "output_mask has %" PRId64 " numbers; give two, 1 or 0 for the gradients of input and of grid", mask.count);
        return false;
    }
    bool same = grad->ndim == input->ndim;
    for (int64_t d = 0; same && d < input->ndim; d++)
        same = grad->sizes[d] == (d < 2 ? input->sizes[d] : grid->sizes[d - 1]);
    if (!same || grad->dtype != input->dtype) {
        tni_raise(same ? TN_ERROR_DTYPE : TN_ERROR_SHAPE,
                  "grad_output %s must have the dtype of input %s, its batch and channels, and the places of grid %s",
                  tni_show_tensor(grad), tni_show_tensor(input), tni_show_tensor(grid));
        return false;
    }
    tni_plan_begin(plan, input);
    tni_plan_add(plan, mask.values[0] ? input->ndim : 1, mask.values[0] ? input->sizes : none, input->dtype);
    tni_plan_add(plan, mask.values[1] ? grid->ndim : 1, mask.values[1] ? grid->sizes : none, grid->dtype);
    return true;
}

static tn_error grid_run_back(tn_tensor *const *results, const tn_tensor *grad, const tn_tensor *input, const tn_tensor *grid,
                              int64_t spatial, int64_t mode, int64_t padding, bool align_corners, tn_dims mask) {
    tn_dtype compute = tni_plane_compute(input->dtype);
    grid_call call = grid_begin(input, grid, spatial, mode, padding, align_corners);
    call.back = tni_kernels()->grid_back[compute == TN_FLOAT64];
    call.wants_input = mask.values[0] != 0 && results[0]->numel > 0;
    call.wants_grid = mask.values[1] != 0 && results[1]->numel > 0;
    if (grad->numel == 0 || (!call.wants_input && !call.wants_grid)) {
        tn_error code = tni_fill_into(results[0], tn_scalar_int(0));
        return code == TN_OK ? tni_fill_into(results[1], tn_scalar_int(0)) : code;
    }
    const tn_tensor *given[3] = {call.wants_input ? results[0] : NULL, grad, input};
    tn_tensor *turned[3] = {NULL};
    bool ready = true;
    for (int i = 0; i < 3 && ready; i++)
        if (given[i])
            ready = (turned[i] = tni_plane_turned(given[i])) != NULL;
    tni_planes planes = {.function = grid_input_back, .context = &call, .scratch = grid_scratch(&call)};
    if (call.wants_input)
        planes.operand[planes.operands++] = (tni_plane_operand){turned[0], spatial + 1, compute};
    if (call.wants_grid)
        planes.operand[planes.operands++] = (tni_plane_operand){results[1], spatial + 1, compute};
    planes.results = planes.operands;
    planes.operand[planes.operands++] = (tni_plane_operand){turned[1], spatial + 1, compute};
    planes.operand[planes.operands++] = (tni_plane_operand){turned[2], spatial + 1, compute};
    planes.operand[planes.operands++] = (tni_plane_operand){grid, spatial + 1, compute};
    tn_error code = ready ? tni_planes_run(&planes) : tni_failed();
    for (int i = 0; i < 3; i++)
        tni_tensor_release(turned[i]);
    return code;
}

bool tni_plan_grid_sampler_2d_backward(tni_plan *plan, const tn_tensor *grad_output, const tn_tensor *input,
                                       const tn_tensor *grid, int64_t interpolation_mode, int64_t padding_mode,
                                       bool align_corners, tn_dims output_mask) {
    (void)align_corners;
    return grid_plan_back(plan, grad_output, input, grid, 2, interpolation_mode, padding_mode, output_mask);
}

tn_error tni_run_grid_sampler_2d_backward(const tni_plan *plan, tn_tensor *const *results, const tn_tensor *grad_output,
                                          const tn_tensor *input, const tn_tensor *grid, int64_t interpolation_mode,
                                          int64_t padding_mode, bool align_corners, tn_dims output_mask) {
    (void)plan;
    return grid_run_back(results, grad_output, input, grid, 2, interpolation_mode, padding_mode, align_corners, output_mask);
}

bool tni_plan_grid_sampler_3d_backward(tni_plan *plan, const tn_tensor *grad_output, const tn_tensor *input,
                                       const tn_tensor *grid, int64_t interpolation_mode, int64_t padding_mode,
                                       bool align_corners, tn_dims output_mask) {
    (void)align_corners;
    return grid_plan_back(plan, grad_output, input, grid, 3, interpolation_mode, padding_mode, output_mask);
}

tn_error tni_run_grid_sampler_3d_backward(const tni_plan *plan, tn_tensor *const *results, const tn_tensor *grad_output,
                                          const tn_tensor *input, const tn_tensor *grid, int64_t interpolation_mode,
                                          int64_t padding_mode, bool align_corners, tn_dims output_mask) {
    (void)plan;
    return grid_run_back(results, grad_output, input, grid, 3, interpolation_mode, padding_mode, align_corners, output_mask);
}

/* ---- affine_grid_generator: the places of a plane, moved by a matrix for each input */

/* -1 .. 1 in `count` places: at the corners, or in the middle of elements. */
static tn_tensor *grid_line(int64_t count, bool align_corners, tn_dtype dtype) {
    double end = align_corners ? 1 : count ? (double)(count - 1) / (double)count : 0;
    return count == 1 ? tn_zeros(TN_DIMS(1), dtype) : tn_linspace(tn_scalar_float(-end), tn_scalar_float(end), count, dtype);
}

tn_tensor *tni_composite_affine_grid_generator(const tn_tensor *theta, tn_dims size, bool align_corners) {
    int64_t spatial = size.count - 2, sizes[4], points = 1;
    if (spatial != 2 && spatial != 3)
        return tni_raise_null(TN_ERROR_SHAPE, "size %s must be 4 numbers, or 5 for volumes",
                              tni_show_dims(size.values, size.count));
    if (theta->ndim != 3 || theta->sizes[0] != size.values[0] || theta->sizes[1] != spatial || theta->sizes[2] != spatial + 1)
        return tni_raise_null(TN_ERROR_SHAPE, "theta %s must be (%" PRId64 ", %" PRId64 ", %" PRId64 ") for the size %s",
                              tni_show_tensor(theta), size.values[0], spatial, spatial + 1,
                              tni_show_dims(size.values, size.count));
    if (!tn_dtype_is_floating(theta->dtype))
        return tni_raise_null(TN_ERROR_DTYPE, "theta %s must be floats", tni_show_tensor(theta));
    for (int64_t d = 0; d < spatial; d++) {
        sizes[d] = size.values[2 + d];
        if (sizes[d] < 1)
            return tni_raise_null(TN_ERROR_SHAPE, "size %s must be above 0 behind the channels",
                                  tni_show_dims(size.values, size.count));
        points *= sizes[d];
    }
    const tn_tensor *columns[4]; /* width, height, [depth,] 1 */
    for (int64_t d = 0; d < spatial; d++) {
        int64_t shape[3] = {1, 1, 1}, at = spatial - 1 - d;
        shape[at] = sizes[at];
        columns[d] =
            tn_unsqueeze(tn_expand(tn_view(grid_line(sizes[at], align_corners, theta->dtype), (tn_dims){shape, spatial}),
                                   (tn_dims){sizes, spatial}),
                         -1);
    }
    sizes[spatial] = 1;
    columns[spatial] = tn_ones((tn_dims){sizes, spatial + 1}, theta->dtype);
    for (int64_t d = 0; d <= spatial; d++)
        if (!columns[d])
            return NULL;
    tn_tensor *base =
        tn_view(tn_to_device(tn_cat(columns, spatial + 1, -1), tni_tensor_device(theta)), TN_DIMS(1, points, spatial + 1));
    tn_tensor *moved = tn_matmul(tn_expand(base, TN_DIMS(size.values[0], points, spatial + 1)), tn_transpose(theta, 1, 2));
    int64_t shape[5] = {size.values[0], sizes[0], sizes[1], spatial == 3 ? sizes[2] : 2, 3};
    return tn_view(moved, (tn_dims){shape, spatial + 2});
}

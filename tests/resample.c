/* resample.c - resampling against plain loops over two dimensions at once: every kind, sizes, factors, corners, dtypes and layouts; gradients as the
 * transpose of what goes forth; grids against a model of their own; shuffles; what is refused.
 *
 * Tests: src/ops/nn/grid_sample.c, src/ops/nn/shuffle.c, src/cpu/resample_kernels.c */
#include "plane_helpers.h"

static const tn_dtype resample_floats[] = {TN_FLOAT32, TN_FLOAT64, TN_FLOAT16, TN_BFLOAT16};

/* ---- the model: the weight of element i for result o */

typedef enum model_kind { NEAREST, EXACT, LINEAR, CUBIC, LINEAR_WIDE, CUBIC_WIDE, KINDS } model_kind;

static double model_cubic(double x, double a) {
    x = fabs(x);
    return x <= 1 ? ((a + 2) * x - (a + 3)) * x * x + 1 : x < 2 ? ((a * x - 5 * a) * x + 8 * a) * x - 4 * a : 0;
}

static double model_scale(int64_t in, int64_t out, bool corners, double factor) {
    return corners ? out > 1 ? (double)(in - 1) / (double)(out - 1) : 0 : factor > 0 ? 1 / factor : (double)in / (double)out;
}

static double model_weight(model_kind kind, int64_t o, int64_t i, int64_t in, int64_t out, bool corners, double factor) {
    double scale = model_scale(in, out, corners && kind >= LINEAR, factor), sum = 0, mine = 0;
    if (kind <= EXACT) {
        int64_t at = (int64_t)floor(kind == NEAREST ? scale * (double)o : scale * ((double)o + 0.5));
        return i == (at < in - 1 ? at : in - 1);
    }
    double at = corners && kind <= CUBIC ? scale * (double)o : scale * ((double)o + 0.5) - 0.5;
    if (kind == LINEAR) {
        at = at < 0 ? 0 : at > (double)(in - 1) ? (double)(in - 1) : at;
        return fmax(0, 1 - fabs((double)i - at));
    }
    if (kind == CUBIC) { /* what lies outside is the element at the border */
        for (int64_t k = (int64_t)floor(at) - 1; k <= (int64_t)floor(at) + 2; k++)
            if (i == (k < 0 ? 0 : k > in - 1 ? in - 1 : k))
                sum += model_cubic((double)k - at, -0.75);
        return sum;
    }
    double wide = scale > 1 ? scale : 1, half = kind == LINEAR_WIDE ? 1 : 2;
    for (int64_t k = 0; k < in; k++) {
        double x = ((double)k - at) / wide;
        bool inside = (double)k + 0.5 > at + 0.5 - half * wide && (double)k + 0.5 < at + 0.5 + half * wide;
        double weight = !inside ? 0 : kind == LINEAR_WIDE ? fmax(0, 1 - fabs(x)) : model_cubic(x, -0.5);
        sum += weight;
        mine = k == i ? weight : mine;
    }
    return mine / sum;
}

typedef struct model {
    model_kind kind;
    int64_t spatial, planes, in[3], out[3];
    bool corners;
    double factor[3];
} model;

static void model_run(const model *m, double *to, const double *from, bool back) {
    int64_t size = m->in[0] * m->in[1] * m->in[2], results = m->out[0] * m->out[1] * m->out[2];
    for (int64_t o = 0; o < results; o++)
        for (int64_t i = 0; i < size; i++) {
            double weight = 1;
            int64_t at[2][3] = {{o / (m->out[1] * m->out[2]), o / m->out[2] % m->out[1], o % m->out[2]},
                                {i / (m->in[1] * m->in[2]), i / m->in[2] % m->in[1], i % m->in[2]}};
            for (int d = 3 - (int)m->spatial; d < 3 && weight != 0; d++) {
                bool exact = m->kind == NEAREST && m->spatial == 2 && (m->out[d] == m->in[d] || m->out[d] == 2 * m->in[d]);
                weight *= model_weight(m->kind, at[0][d], at[1][d], m->in[d], m->out[d], m->corners, exact ? 0 : m->factor[d]);
            }
            for (int64_t p = 0; p < m->planes && weight != 0; p++)
                if (back)
                    to[p * size + i] += weight * from[p * results + o];
                else
                    to[p * results + o] += weight * from[p * size + i];
        }
}

/* ---- the operators by kind and dimensions */

static tn_scalar model_factor(const model *m, int d) { return m->factor[d] > 0 ? tn_scalar_float(m->factor[d]) : TN_NO_SCALAR; }

static tn_tensor *resampled(const model *m, const tn_tensor *x) {
    tn_dims out = {m->out + 3 - m->spatial, m->spatial};
    tn_scalar d = model_factor(m, 0), h = model_factor(m, 1), w = model_factor(m, 2);
    switch (m->kind) {
    case NEAREST:
        return m->spatial == 1   ? tn_upsample_nearest1d(x, out, w)
               : m->spatial == 2 ? tn_upsample_nearest2d(x, out, h, w)
                                 : tn_upsample_nearest3d(x, out, d, h, w);
    case EXACT:
        return m->spatial == 1   ? tn__upsample_nearest_exact1d(x, out, w)
               : m->spatial == 2 ? tn__upsample_nearest_exact2d(x, out, h, w)
                                 : tn__upsample_nearest_exact3d(x, out, d, h, w);
    case LINEAR:
        return m->spatial == 1   ? tn_upsample_linear1d(x, out, m->corners, w)
               : m->spatial == 2 ? tn_upsample_bilinear2d(x, out, m->corners, h, w)
                                 : tn_upsample_trilinear3d(x, out, m->corners, d, h, w);
    case CUBIC: return tn_upsample_bicubic2d(x, out, m->corners, h, w);
    case LINEAR_WIDE: return tn__upsample_bilinear2d_aa(x, out, m->corners, h, w);
    default: return tn__upsample_bicubic2d_aa(x, out, m->corners, h, w);
    }
}

static tn_tensor *resampled_back(const model *m, const tn_tensor *x, tn_dims in) {
    tn_dims out = {m->out + 3 - m->spatial, m->spatial};
    tn_scalar d = model_factor(m, 0), h = model_factor(m, 1), w = model_factor(m, 2);
    switch (m->kind) {
    case NEAREST:
        return m->spatial == 1   ? tn_upsample_nearest1d_backward(x, out, in, w)
               : m->spatial == 2 ? tn_upsample_nearest2d_backward(x, out, in, h, w)
                                 : tn_upsample_nearest3d_backward(x, out, in, d, h, w);
    case EXACT:
        return m->spatial == 1   ? tn__upsample_nearest_exact1d_backward(x, out, in, w)
               : m->spatial == 2 ? tn__upsample_nearest_exact2d_backward(x, out, in, h, w)
                                 : tn__upsample_nearest_exact3d_backward(x, out, in, d, h, w);
    case LINEAR:
        return m->spatial == 1   ? tn_upsample_linear1d_backward(x, out, in, m->corners, w)
               : m->spatial == 2 ? tn_upsample_bilinear2d_backward(x, out, in, m->corners, h, w)
                                 : tn_upsample_trilinear3d_backward(x, out, in, m->corners, d, h, w);
    case CUBIC: return tn_upsample_bicubic2d_backward(x, out, in, m->corners, h, w);
    case LINEAR_WIDE: return tn__upsample_bilinear2d_aa_backward(x, out, in, m->corners, h, w);
    default: return tn__upsample_bicubic2d_aa_backward(x, out, in, m->corners, h, w);
    }
}

TEST_SAMPLED(every_way_of_resampling_and_back_is_that_of_plain_loops) {
    for (int64_t i = 0; i < 180; i++) {
        tn_scope scope = tn_scope_open();
        model m = {.kind = (model_kind)(i % KINDS), .planes = 1, .corners = i / KINDS % 2 == 0};
        tn_dtype dtype = resample_floats[i / 3 % 4];
        int64_t sizes[5];
        m.spatial = m.kind >= CUBIC ? 2 : test_random_between(1, 3);
        for (int d = 0; d < 2; d++)
            m.planes *= sizes[d] = test_random_between(1, 3);
        for (int d = 0; d < 3; d++) {
            bool used = d >= 3 - m.spatial;
            m.in[d] = used ? test_random_between(1, m.spatial == 3 ? 5 : 9) : 1;
            m.out[d] = used ? test_random_between(1, m.spatial == 3 ? 6 : 14) : 1;
            m.factor[d] = used && m.kind < CUBIC && i % 5 == 0 ? (double)m.out[d] / (double)m.in[d] + 0.03 : 0;
        }
        for (int d = 0; d < m.spatial; d++)
            sizes[2 + d] = m.in[3 - m.spatial + d];
        if (m.kind >= LINEAR_WIDE)
            m.corners = false;
        tn_tensor *x = plane_some((tn_dims){sizes, m.spatial + 2}, dtype), *got = resampled(&m, x);
        CHECK(got);
        double *expected = plane_room(tn_numel(got)), *spread = plane_room(tn_numel(x));
        model_run(&m, expected, plane_values(x), false);
        plane_compare(got, expected, 20 * plane_tolerance(dtype));
        tn_tensor *grad = plane_some(tn_sizes(got), dtype), *back = resampled_back(&m, grad, tn_sizes(x));
        CHECK(back);
        model_run(&m, spread, plane_values(grad), true);
        plane_compare(back, spread, 20 * plane_tolerance(dtype));
        CHECK(tn_scope_close(scope) == TN_OK);
    }
}

TEST(images_that_double_or_keep_a_size_do_so_by_nearest_whatever_the_factor) {
    tn_tensor *x = tn_view(tn_arange(6, TN_FLOAT32), TN_DIMS(1, 1, 2, 3)), *got;
    tn_scalar factor = tn_scalar_float(2.3);
    CHECK(x && (got = tn_upsample_nearest2d(x, TN_DIMS(2, 6), factor, factor)));
    plane_compare(got, (const double[]){0, 0, 1, 1, 2, 2, 3, 3, 4, 4, 5, 5}, 0);
    CHECK((got = tn_upsample_nearest1d(tn_view(x, TN_DIMS(1, 2, 3)), TN_DIMS(6), factor)));
    plane_compare(got, (const double[]){0, 0, 0, 1, 1, 2, 3, 3, 3, 4, 4, 5}, 0);
}

TEST(bytes_are_rounded_after_each_dimension) {
    const uint8_t bytes[] = {0, 255, 10, 20};
    tn_tensor *x =
        tn_view(tn_clone(tn_from_memory(bytes, TN_DIMS(4), TN_UINT8, TN_BORROW), TN_CONTIGUOUS), TN_DIMS(1, 1, 2, 2));
    CHECK(x);
    tn_tensor *got = tn_upsample_bilinear2d(x, TN_DIMS(3, 3), true, TN_NO_SCALAR, TN_NO_SCALAR);
    const double expected[] = {0, 128, 255, 5, 72, 138, 10, 15, 20};
    CHECK(got && tn_dtype_of(got) == TN_UINT8);
    plane_compare(got, expected, 0);
    CHECK((got = tn_upsample_nearest2d(x, TN_DIMS(1, 4), TN_NO_SCALAR, TN_NO_SCALAR)));
    plane_compare(got, (const double[]){0, 0, 255, 255}, 0);
}

TEST(nearest_pixels_of_a_plane_twice_the_size_do_not_depend_on_the_factor) {
    const float numbers[] = {0, 1, 2};
    tn_tensor *line = tn_view(tn_from_memory(numbers, TN_DIMS(3), TN_FLOAT32, TN_BORROW), TN_DIMS(1, 1, 3));
    tn_tensor *plane = line ? tn_unsqueeze(line, 2) : NULL, *got;
    tn_scalar one = tn_scalar_float(1), more = tn_scalar_float(2.3), less = tn_scalar_float(1.3);
    CHECK(plane);
    CHECK((got = tn_upsample_nearest2d(plane, TN_DIMS(1, 6), one, more)));
    plane_compare(got, (const double[]){0, 0, 1, 1, 2, 2}, 0);
    CHECK((got = tn_upsample_nearest2d(plane, TN_DIMS(1, 3), one, less)));
    plane_compare(got, (const double[]){0, 1, 2}, 0);
    CHECK((got = tn_upsample_nearest1d(line, TN_DIMS(6), more)));
    plane_compare(got, (const double[]){0, 0, 0, 1, 1, 2}, 0);
    CHECK((got = tn_upsample_nearest1d(line, TN_DIMS(3), less)));
    plane_compare(got, (const double[]){0, 0, 1}, 0);
}

/* ---- grids */

static double grid_element(const double *x, const int64_t *sizes, int64_t z, int64_t y, int64_t i) {
    bool inside = z >= 0 && y >= 0 && i >= 0 && z < sizes[0] && y < sizes[1] && i < sizes[2];
    return inside ? x[(z * sizes[1] + y) * sizes[2] + i] : 0;
}

static double grid_coordinate(double x, int64_t size, int padding, bool corners) {
    double at = corners ? (x + 1) / 2 * (double)(size - 1) : ((x + 1) * (double)size - 1) / 2;
    if (padding == 2) {
        double low = corners ? 0 : -0.5, span = corners ? (double)(size - 1) : (double)size;
        if (span == 0)
            return 0;
        double from = fmod(fabs(at - low), 2 * span);
        at = low + (from > span ? 2 * span - from : from);
    }
    if (padding)
        at = at < 0 ? 0 : at > (double)(size - 1) ? (double)(size - 1) : at;
    return at;
}

/* One sample, by all elements and their weights. */
static double grid_model(const double *x, const int64_t *sizes, const double *place, int64_t spatial, int mode, int padding,
                         bool corners) {
    double at[3] = {0, 0, 0}, sum = 0;
    for (int64_t a = 3 - spatial; a < 3; a++)
        at[a] = grid_coordinate(place[2 - a], sizes[a], mode == 2 ? 0 : padding, corners);
    if (mode == 1)
        return grid_element(x, sizes, (int64_t)nearbyint(at[0]), (int64_t)nearbyint(at[1]), (int64_t)nearbyint(at[2]));
    int64_t reach = mode == 2 ? 2 : 1, begin[3] = {(int64_t)floor(at[0]), (int64_t)floor(at[1]), (int64_t)floor(at[2])};
    for (int64_t z = spatial == 3 ? begin[0] : 0; z <= (spatial == 3 ? begin[0] + 1 : 0); z++)
        for (int64_t y = begin[1] - reach + 1; y <= begin[1] + reach; y++)
            for (int64_t i = begin[2] - reach + 1; i <= begin[2] + reach; i++) {
                double weight = mode == 2 ? model_cubic((double)y - at[1], -0.75) * model_cubic((double)i - at[2], -0.75)
                                          : (1 - fabs((double)y - at[1])) * (1 - fabs((double)i - at[2]));
                int64_t row = y, column = i;
                if (mode == 2 && padding) { /* of a cubic each element is moved inside */
                    row = (int64_t)nearbyint(grid_coordinate(corners && sizes[1] == 1 ? 0
                                                             : corners ? (double)y * 2 / (double)(sizes[1] - 1) - 1
                                                                       : ((double)y * 2 + 1) / (double)sizes[1] - 1,
                                                             sizes[1], padding, corners));
                    column = (int64_t)nearbyint(grid_coordinate(corners && sizes[2] == 1 ? 0
                                                                : corners ? (double)i * 2 / (double)(sizes[2] - 1) - 1
                                                                          : ((double)i * 2 + 1) / (double)sizes[2] - 1,
                                                                sizes[2], padding, corners));
                    row = row < 0 ? 0 : row;
                }
                sum += weight * (spatial == 3 ? 1 - fabs((double)z - at[0]) : 1) *
                       grid_element(x, sizes, spatial == 3 ? z : 0, row, column);
            }
    return sum;
}

TEST_SAMPLED(samples_at_the_places_of_a_grid_are_those_of_plain_loops) {
    for (int64_t i = 0; i < 90; i++) {
        tn_scope scope = tn_scope_open();
        int64_t spatial = 2 + i % 2, sizes[3] = {1, test_random_between(2, 6), test_random_between(2, 6)};
        int mode = (int)(i / 2 % (spatial == 3 ? 2 : 3)), padding = (int)(i / 6 % 3);
        bool corners = i / 18 % 2 == 0;
        tn_dtype dtype = resample_floats[i % 2];
        if (spatial == 3)
            sizes[0] = test_random_between(2, 4);
        int64_t channels = test_random_between(1, 8);
        tn_tensor *x = spatial == 2 ? plane_some(TN_DIMS(2, channels, sizes[1], sizes[2]), dtype)
                                    : plane_some(TN_DIMS(2, channels, sizes[0], sizes[1], sizes[2]), dtype);
        tn_tensor *grid = spatial == 2 ? plane_some(TN_DIMS(2, 3, 5, 2), dtype) : plane_some(TN_DIMS(2, 2, 3, 2, 3), dtype);
        CHECK((grid = tn_mul_scalar(grid, 0.1503)));
        tn_tensor *got = tn_grid_sampler(x, grid, mode, padding, corners);
        CHECK(got);
        int64_t points = spatial == 2 ? 15 : 12, size = sizes[0] * sizes[1] * sizes[2];
        double *expected = plane_room(2 * channels * points);
        const double *from = plane_values(x), *places = plane_values(grid);
        for (int64_t k = 0; k < 2 * channels * points; k++)
            expected[k] =
                grid_model(from + k / points * size, sizes, places + (k / points / channels * points + k % points) * spatial,
                           spatial, mode, padding, corners);
        plane_compare(got, expected, 200 * plane_tolerance(dtype));
        CHECK(tn_scope_close(scope) == TN_OK);
    }
}

/* Of 16 bits each step from -1 .. 1 to elements is rounded, as operators round it. */
TEST_SAMPLED(places_of_sixteen_bits_are_rounded_on_their_way) {
    for (int64_t i = 0; i < 8; i++) {
        tn_dtype dtype = i % 2 ? TN_FLOAT16 : TN_BFLOAT16;
        bool corners = i / 2 % 2 == 0;
        double scale = corners ? 16 : 16.5, half = corners ? 0 : 0.5;
        tn_tensor *line = tn_linspace(-0.99, 0.99, 400, dtype), *rows = tn_arange(33, dtype);
        tn_tensor *grid = tn_unsqueeze(tn_stack((const tn_tensor *[]){line, tn_mul_scalar(line, 0)}, 2, -1), 0);
        tn_tensor *x = tn_view(rows, TN_DIMS(1, 1, 1, 33)), *at = tn_mul_scalar(tn_add_scalar(line, 1), scale);
        at = corners ? at : tn_sub_scalar(at, half);
        tn_tensor *got =
            tn_grid_sampler(i < 4 ? x : tn_expand(x, TN_DIMS(1, 8, 1, 33)), tn_unsqueeze(grid, 1), i < 4, 1, corners);
        CHECK(got && at);
        const double *places = plane_values(at), *values = plane_values(got);
        for (int64_t k = 0; k < 400; k++) {
            double place = places[k] < 0 ? 0 : places[k] > 32 ? 32 : places[k];
            CHECK_DOUBLE(values[k], i < 4 ? nearbyint(place) : place);
        }
    }
}

TEST(places_far_away_are_at_the_border_of_their_own_side) {
    for (int64_t mode = 0; mode < 3; mode++)
        for (int64_t i = 0; i < 6; i++) {
            double far = i % 3 == 0 ? 1e3 : i % 3 == 1 ? 1e12 : INFINITY, sign = i < 3 ? 1 : -1;
            tn_tensor *x = tn_view(tn_arange(5, TN_FLOAT64), TN_DIMS(1, 1, 1, 5));
            tn_tensor *grid = tn_view(
                tn_stack((const tn_tensor *[]){tn_full(TN_DIMS(1), sign * far, TN_FLOAT64), tn_zeros(TN_DIMS(1), TN_FLOAT64)},
                         2, -1),
                TN_DIMS(1, 1, 1, 2));
            tn_tensor *got = tn_grid_sampler(x, grid, mode, 1, false);
            CHECK(got);
            CHECK_DOUBLE(tn_item_double(got), sign > 0 ? 4.0 : 0.0);
        }
}

/* Gradients against differences. */
TEST_SAMPLED(gradients_of_samples_are_their_differences) {
    for (int64_t i = 0; i < 30; i++) {
        tn_scope scope = tn_scope_open();
        int64_t spatial = 2 + i % 2;
        int mode = i / 2 % 3 == 1 ? 1 : spatial == 2 && i / 2 % 3 == 2 ? 2 : 0, padding = (int)(i / 6 % 3);
        bool corners = i / 18 % 2 == 0;
        tn_tensor *x =
            spatial == 2 ? plane_some(TN_DIMS(1, 2, 5, 4), TN_FLOAT64) : plane_some(TN_DIMS(1, 2, 3, 4, 3), TN_FLOAT64);
        tn_tensor *grid =
            spatial == 2 ? plane_drawn(TN_DIMS(1, 2, 3, 2), TN_FLOAT64) : plane_drawn(TN_DIMS(1, 1, 2, 2, 3), TN_FLOAT64);
        CHECK((grid = tn_add_scalar(tn_mul_scalar(grid, 0.1503), 0.0137)));
        tn_tensor *got = tn_grid_sampler(x, grid, mode, padding, corners), *grad;
        CHECK(got && (grad = plane_some(tn_sizes(got), TN_FLOAT64)));
        tn_list *both = spatial == 2 ? tn_grid_sampler_2d_backward(grad, x, grid, mode, padding, corners, TN_DIMS(1, 1))
                                     : tn_grid_sampler_3d_backward(grad, x, grid, mode, padding, corners, TN_DIMS(1, 1));
        const double *of_x = plane_values(plane_at(both, 0)), *of_grid = plane_values(plane_at(both, 1));
        for (int which = 0; which < 2; which++) {
            tn_tensor *moved = tn_clone(which ? grid : x, TN_CONTIGUOUS);
            CHECK(moved);
            double *data = tn_mutable_data(moved), step = 1e-6;
            for (int64_t k = 0; k < tn_numel(moved); k++) {
                double before = data[k], change[2];
                for (int side = 0; side < 2; side++) {
                    data[k] = before + (side ? step : -step);
                    tn_tensor *there = which ? tn_grid_sampler(x, moved, mode, padding, corners)
                                             : tn_grid_sampler(moved, grid, mode, padding, corners);
                    CHECK(there);
                    const double *values = plane_values(there), *weights = plane_values(grad);
                    change[side] = 0;
                    for (int64_t e = 0; e < tn_numel(there); e++)
                        change[side] += values[e] * weights[e];
                }
                data[k] = before;
                CHECK(fabs((change[1] - change[0]) / (2 * step) - (which ? of_grid : of_x)[k]) < 1e-4);
            }
        }
        CHECK(tn_scope_close(scope) == TN_OK);
    }
}

TEST(gradients_that_nobody_wants_have_no_elements) {
    tn_tensor *x = plane_drawn(TN_DIMS(1, 1, 3, 3), TN_FLOAT32), *grid = tn_zeros(TN_DIMS(1, 2, 2, 2), TN_FLOAT32),
              *grad = tn_ones(TN_DIMS(1, 1, 2, 2), TN_FLOAT32);
    CHECK(x && grid && grad);
    tn_list *both = tn_grid_sampler_2d_backward(grad, x, grid, 0, 0, false, TN_DIMS(1, 0));
    CHECK_INT(tn_numel(plane_at(both, 0)), 9);
    CHECK_INT(tn_numel(plane_at(both, 1)), 0);
    CHECK_DOUBLE(plane_values(plane_at(both, 0))[4], 4);
    both = tn_grid_sampler_2d_backward(grad, x, grid, 0, 0, false, TN_DIMS(0, 0));
    CHECK_INT(tn_numel(plane_at(both, 0)), 0);
    CHECK_ERROR(TN_ERROR_ARGUMENT, "output_mask has 1", tn_grid_sampler_2d_backward(grad, x, grid, 0, 0, false, TN_DIMS(1)));
    CHECK_ERROR(TN_ERROR_SHAPE, "grad_output", tn_grid_sampler_2d_backward(x, x, grid, 0, 0, false, TN_DIMS(1, 1)));
}

TEST(an_affine_grid_of_the_identity_gives_the_image_back) {
    const float identity[] = {1, 0, 0, 0, 1, 0}, volume[] = {1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0};
    tn_tensor *theta = tn_clone(tn_from_memory(identity, TN_DIMS(1, 2, 3), TN_FLOAT32, TN_BORROW), TN_CONTIGUOUS);
    tn_tensor *deep = tn_clone(tn_from_memory(volume, TN_DIMS(1, 3, 4), TN_FLOAT32, TN_BORROW), TN_CONTIGUOUS);
    tn_tensor *x = plane_drawn(TN_DIMS(1, 2, 4, 5), TN_FLOAT32), *y = plane_drawn(TN_DIMS(1, 1, 3, 2, 4), TN_FLOAT32);
    CHECK(theta && deep && x && y);
    for (int corners = 0; corners < 2; corners++) {
        tn_tensor *same = tn_grid_sampler(x, tn_affine_grid_generator(theta, tn_sizes(x), corners), 0, 0, corners);
        CHECK(same);
        plane_compare(same, plane_values(x), 1e-6);
        CHECK((same = tn_grid_sampler(y, tn_affine_grid_generator(deep, tn_sizes(y), corners), 0, 0, corners)));
        plane_compare(same, plane_values(y), 1e-6);
    }
    CHECK_ERROR(TN_ERROR_SHAPE, "theta", tn_affine_grid_generator(deep, TN_DIMS(1, 1, 2, 2), false));
    CHECK_ERROR(TN_ERROR_SHAPE, "4 numbers", tn_affine_grid_generator(theta, TN_DIMS(1, 1, 2), false));
    CHECK_ERROR(TN_ERROR_SHAPE, "above 0", tn_affine_grid_generator(theta, TN_DIMS(1, 1, 2, 0), false));
}

/* ---- shuffles */

TEST(channels_become_places_and_come_back) {
    tn_tensor *x = plane_some(TN_DIMS(2, 8, 3, 2), TN_INT32), *y = tn_pixel_shuffle(x, 2);
    CHECK(y);
    const double *from = plane_values(x), *to = plane_values(y);
    for (int64_t i = 0; i < 96; i++) {
        int64_t w = i % 4, h = i / 4 % 6, c = i / 24 % 2, n = i / 48;
        CHECK_DOUBLE(to[i], from[((n * 8 + c * 4 + h % 2 * 2 + w % 2) * 3 + h / 2) * 2 + w / 2]);
    }
    tn_tensor *back = tn_pixel_unshuffle(y, 2), *mixed = tn_channel_shuffle(x, 4), *again = tn_native_channel_shuffle(mixed, 2);
    CHECK(back && again);
    plane_compare(back, plane_values(x), 0);
    plane_compare(again, plane_values(x), 0);
    CHECK_ERROR(TN_ERROR_SHAPE, "not a multiple of upscale_factor * upscale_factor = 9", tn_pixel_shuffle(x, 3));
    CHECK_ERROR(TN_ERROR_ARGUMENT, "upscale_factor", tn_pixel_shuffle(x, 0));
    CHECK_ERROR(TN_ERROR_SHAPE, "not multiples of downscale_factor 2", tn_pixel_unshuffle(x, 2));
    CHECK_ERROR(TN_ERROR_ARGUMENT, "whole groups", tn_channel_shuffle(x, 3));
    CHECK_ERROR(TN_ERROR_SHAPE, "3 dimensions", tn_channel_shuffle(tn_ones(TN_DIMS(2, 2), TN_FLOAT32), 1));
    CHECK_ERROR(TN_ERROR_SHAPE, "3 dimensions", tn_pixel_unshuffle(tn_ones(TN_DIMS(2, 2), TN_FLOAT32), 1));
}

/* ---- what is refused, what is empty */

TEST(wrong_sizes_of_resampling_are_refused_with_their_numbers) {
    tn_tensor *x = tn_ones(TN_DIMS(1, 2, 3, 3), TN_FLOAT32), *none = tn_empty(TN_DIMS(0, 2, 3, 3), TN_FLOAT32), *got;
    CHECK(x && none);
    CHECK((got = tn_upsample_bilinear2d(none, TN_DIMS(5, 5), false, TN_NO_SCALAR, TN_NO_SCALAR)) &&
          tn_sizes(got).values[3] == 5);
    CHECK_ERROR(TN_ERROR_SHAPE, "[3, 3] cannot become [0, 2]",
                tn_upsample_nearest2d(x, TN_DIMS(0, 2), TN_NO_SCALAR, TN_NO_SCALAR));
    CHECK_ERROR(TN_ERROR_SHAPE, "output_size [2] must be 2 numbers",
                tn_upsample_nearest2d(x, TN_DIMS(2), TN_NO_SCALAR, TN_NO_SCALAR));
    CHECK_ERROR(TN_ERROR_SHAPE, "must be 3 numbers", tn_upsample_nearest1d(x, TN_DIMS(2), TN_NO_SCALAR));
    CHECK_ERROR(TN_ERROR_SHAPE, "no channels",
                tn_upsample_nearest2d(tn_empty(TN_DIMS(1, 0, 3, 3), TN_FLOAT32), TN_DIMS(2, 2), TN_NO_SCALAR, TN_NO_SCALAR));
    CHECK_ERROR(TN_ERROR_DTYPE, "resampled",
                tn_upsample_nearest2d(tn_to(x, TN_INT32), TN_DIMS(2, 2), TN_NO_SCALAR, TN_NO_SCALAR));
    CHECK_ERROR(TN_ERROR_SHAPE, "grad_output",
                tn_upsample_nearest2d_backward(x, TN_DIMS(2, 2), TN_DIMS(1, 2, 4, 4), TN_NO_SCALAR, TN_NO_SCALAR));
    tn_tensor *grid = tn_zeros(TN_DIMS(1, 2, 2, 2), TN_FLOAT32);
    CHECK(grid);
    CHECK_ERROR(TN_ERROR_SHAPE, "same batch", tn_grid_sampler_2d(x, tn_zeros(TN_DIMS(2, 2, 2, 2), TN_FLOAT32), 0, 0, false));
    CHECK_ERROR(TN_ERROR_DTYPE, "one dtype", tn_grid_sampler_2d(x, tn_to(grid, TN_FLOAT64), 0, 0, false));
    CHECK_ERROR(TN_ERROR_ARGUMENT, "interpolation_mode 3", tn_grid_sampler_2d(x, grid, 3, 0, false));
    CHECK_ERROR(TN_ERROR_ARGUMENT, "padding_mode 3", tn_grid_sampler_2d(x, grid, 0, 3, false));
    CHECK_ERROR(TN_ERROR_SHAPE, "4 dimensions, or 5", tn_grid_sampler(tn_ones(TN_DIMS(2, 2), TN_FLOAT32), grid, 0, 0, false));
    CHECK((got = tn_grid_sampler(none, tn_zeros(TN_DIMS(0, 2, 2, 2), TN_FLOAT32), 0, 0, false)) && tn_numel(got) == 0);
}

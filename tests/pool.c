/* pool.c - pooling against plain loops: every kind, one to three dimensions, sizes, strides, paddings and dilations that are drawn, dtypes
 * and layouts; what is refused, and with which numbers; results that are given.
 *
 * Tests: src/ops/nn/planes.c, src/ops/nn/pool_windows.c, src/ops/nn/pool_adaptive.c, src/ops/nn/pool_fractional.c
 * Tests: src/ops/nn/pool_place.c, src/cpu/pool_kernels.c */
#include "plane_helpers.h"

static const tn_dtype pool_floats[] = {TN_FLOAT32, TN_FLOAT64, TN_FLOAT16, TN_BFLOAT16};
static const tn_dtype pool_whole[] = {TN_INT8, TN_INT16, TN_INT32, TN_INT64, TN_UINT8};

/* ---- the model: windows over up to three dimensions, those that are missing being of size 1 */

typedef struct model {
    int64_t spatial, planes, in[3], out[3], window[3], stride[3], padding[3], step[3];
    bool adaptive, ceil_mode, padding_counts;
    int64_t divisor;
} model;

/* Element t of window o along a dimension: its place, or -1 where it is in the padding, or -2 behind the end of the padding. */
static int64_t model_place(const model *m, int d, int64_t o, int64_t t) {
    int64_t at = m->adaptive ? o * m->in[d] / m->out[d] + t : o * m->stride[d] - m->padding[d] + t * m->step[d];
    return at >= m->in[d] + m->padding[d] ? -2 : at < 0 || at >= m->in[d] ? -1 : at;
}

static int64_t model_count(const model *m, int d, int64_t o) {
    return m->adaptive ? ((o + 1) * m->in[d] + m->out[d] - 1) / m->out[d] - o * m->in[d] / m->out[d] : m->window[d];
}

/* One window of a plane: the largest with its place, the mean; or (spread) its part is added to every element of `spread`. */
static void model_window(const model *m, const double *x, const int64_t *o, double *most, int64_t *where, double *mean,
                         double *spread, double gradient) {
    double sum = 0;
    int64_t inside = 0, padded = 0;
    *most = -INFINITY;
    *where = -1;
    for (int pass = 0; pass < (spread ? 2 : 1); pass++)
        for (int64_t a = 0; a < model_count(m, 0, o[0]); a++)
            for (int64_t b = 0; b < model_count(m, 1, o[1]); b++)
                for (int64_t c = 0; c < model_count(m, 2, o[2]); c++) {
                    int64_t z = model_place(m, 0, o[0], a), y = model_place(m, 1, o[1], b), i = model_place(m, 2, o[2], c);
                    int64_t at = (z * m->in[1] + y) * m->in[2] + i;
                    bool is_inside = z >= 0 && y >= 0 && i >= 0;
                    if (pass == 1) {
                        if (is_inside)
                            spread[at] += gradient / (double)(m->divisor ? m->divisor : m->padding_counts ? padded : inside);
                        continue;
                    }
                    padded += z != -2 && y != -2 && i != -2;
                    if (!is_inside)
                        continue;
                    inside++;
                    sum += x ? x[at] : 0;
                    if (x && (*where < 0 || x[at] > *most || isnan(x[at]))) {
                        *most = *where >= 0 && isnan(*most) && !isnan(x[at]) ? *most : x[at];
                        *where = isnan(*most) && !isnan(x[at]) ? *where : at;
                    }
                }
    int64_t by = m->divisor ? m->divisor : m->padding_counts ? padded : inside;
    *mean = inside || m->divisor ? sum / (double)by : 0;
}

typedef enum model_kind { MODEL_MAX, MODEL_WHERE, MODEL_MEAN, MODEL_SPREAD } model_kind;

/* out: the result of each window, plane by plane; or, spread, planes of the sizes of `in`, from gradients x. */
static void model_run(const model *m, model_kind kind, double *out, const double *x) {
    int64_t size = m->in[0] * m->in[1] * m->in[2], windows = m->out[0] * m->out[1] * m->out[2], o[3], where;
    double most, mean;
    for (int64_t p = 0; p < m->planes; p++)
        for (int64_t w = 0; w < windows; w++) {
            o[0] = w / (m->out[1] * m->out[2]);
            o[1] = w / m->out[2] % m->out[1];
            o[2] = w % m->out[2];
            if (kind == MODEL_SPREAD) {
                model_window(m, NULL, o, &most, &where, &mean, out + p * size, x[p * windows + w]);
                continue;
            }
            model_window(m, x + p * size, o, &most, &where, &mean, NULL, 0);
            out[p * windows + w] = kind == MODEL_MAX ? most : kind == MODEL_WHERE ? (double)where : mean;
        }
}

/* Sizes, windows and paddings that fit together. */
static void model_draw(model *m, int64_t spatial, bool dilated, bool adaptive, int64_t *sizes, int64_t *ndim) {
    *m = (model){.spatial = spatial, .planes = 1, .adaptive = adaptive, .ceil_mode = test_random_between(0, 1) && !adaptive};
    *ndim = spatial + test_random_between(1, 2);
    for (int64_t d = 0; d < *ndim - spatial; d++)
        m->planes *= sizes[d] = test_random_between(1, 3);
    for (int d = 0; d < 3; d++) {
        m->in[d] = m->out[d] = m->window[d] = m->stride[d] = m->step[d] = 1;
        if (d < 3 - spatial)
            continue;
        do {
            m->in[d] = test_random_between(1, spatial == 3 ? 7 : 14);
            m->window[d] = test_random_between(1, 4);
            m->stride[d] = test_random_between(1, 3);
            m->step[d] = dilated ? test_random_between(1, 2) : 1;
            m->padding[d] = adaptive ? 0 : test_random_between(0, m->window[d] / 2);
            int64_t left =
                m->in[d] + 2 * m->padding[d] - m->step[d] * (m->window[d] - 1) - 1 + (m->ceil_mode ? m->stride[d] - 1 : 0);
            m->out[d] = left < 0 ? 0 : left / m->stride[d] + 1;
            if (m->ceil_mode && (m->out[d] - 1) * m->stride[d] >= m->in[d] + m->padding[d])
                m->out[d]--;
            if (adaptive)
                m->out[d] = test_random_between(1, 5);
            /* a window has an element inside: those that have none are in a test of their own */
        } while (m->out[d] < 1 || (m->step[d] > 1 && m->in[d] < m->step[d] * (m->window[d] - 1) + 1) ||
                 (spatial == 3 && m->in[d] < m->window[d]));
        sizes[*ndim - 3 + d] = m->in[d];
    }
}

static tn_dims model_dims(const model *m, const int64_t *values) { return (tn_dims){values + 3 - m->spatial, m->spatial}; }

static int64_t model_windows(const model *m) { return m->planes * m->out[0] * m->out[1] * m->out[2]; }

/* ---- against the model */

static tn_tensor *pool_max(const model *m, const tn_tensor *x) {
    tn_dims window = model_dims(m, m->window), stride = model_dims(m, m->stride), padding = model_dims(m, m->padding),
            step = model_dims(m, m->step);
    return m->spatial == 1   ? tn_max_pool1d(x, window, stride, padding, step, m->ceil_mode)
           : m->spatial == 2 ? tn_max_pool2d(x, window, stride, padding, step, m->ceil_mode)
                             : tn_max_pool3d(x, window, stride, padding, step, m->ceil_mode);
}

static tn_list *pool_max_indexed(const model *m, const tn_tensor *x) {
    tn_dims window = model_dims(m, m->window), stride = model_dims(m, m->stride), padding = model_dims(m, m->padding),
            step = model_dims(m, m->step);
    return m->spatial == 1   ? tn_max_pool1d_with_indices(x, window, stride, padding, step, m->ceil_mode)
           : m->spatial == 2 ? tn_max_pool2d_with_indices(x, window, stride, padding, step, m->ceil_mode)
                             : tn_max_pool3d_with_indices(x, window, stride, padding, step, m->ceil_mode);
}

static void pool_max_case(tn_dtype dtype, int64_t spatial, bool with_nan) {
    model m;
    int64_t sizes[5], ndim;
    model_draw(&m, spatial, true, false, sizes, &ndim);
    tn_tensor *drawn = plane_drawn((tn_dims){sizes, ndim}, dtype);
    if (with_nan) {
        tn_tensor *flat = tn_view(drawn, TN_DIMS(-1));
        CHECK(flat && tn_fill_(tn_select(flat, 0, test_random_between(0, tn_numel(drawn) - 1)), NAN));
    }
    tn_tensor *x = plane_laid(drawn, test_random_between(0, 4));
    double *expected = plane_room(model_windows(&m));
    model_run(&m, MODEL_MAX, expected, plane_values(x));
    tn_tensor *got = pool_max(&m, x);
    CHECK(got);
    CHECK_INT(tn_numel(got), model_windows(&m));
    plane_compare(got, expected, 0);
    tn_list *both = pool_max_indexed(&m, x);
    plane_compare(plane_at(both, 0), expected, 0);
    CHECK_INT(tn_dtype_of(plane_at(both, 1)), TN_INT64);
    model_run(&m, MODEL_WHERE, expected, plane_values(x));
    plane_compare(plane_at(both, 1), expected, 0);
}

TEST_SAMPLED(the_largest_of_windows_and_its_place_are_those_of_plain_loops) {
    for (int64_t i = 0; i < 150; i++) {
        tn_scope scope = tn_scope_open();
        pool_max_case(pool_floats[i % 4], 1 + i % 3, i % 5 == 0);
        CHECK(tn_scope_close(scope) == TN_OK);
    }
    for (int64_t i = 0; i < 50; i++) {
        tn_scope scope = tn_scope_open();
        pool_max_case(pool_whole[i % 5], 1 + i % 3, false);
        CHECK(tn_scope_close(scope) == TN_OK);
    }
}

static tn_tensor *pool_mean(const model *m, const tn_tensor *x) {
    tn_dims window = model_dims(m, m->window), stride = model_dims(m, m->stride), padding = model_dims(m, m->padding);
    int64_t divisor = m->divisor ? m->divisor : TN_NONE;
    return m->spatial == 1   ? tn_avg_pool1d(x, window, stride, padding, m->ceil_mode, m->padding_counts)
           : m->spatial == 2 ? tn_avg_pool2d(x, window, stride, padding, m->ceil_mode, m->padding_counts, divisor)
                             : tn_avg_pool3d(x, window, stride, padding, m->ceil_mode, m->padding_counts, divisor);
}

static tn_tensor *pool_mean_back(const model *m, const tn_tensor *grad, const tn_tensor *x) {
    tn_dims window = model_dims(m, m->window), stride = model_dims(m, m->stride), padding = model_dims(m, m->padding);
    int64_t divisor = m->divisor ? m->divisor : TN_NONE;
    return m->spatial == 2 ? tn_avg_pool2d_backward(grad, x, window, stride, padding, m->ceil_mode, m->padding_counts, divisor)
                           : tn_avg_pool3d_backward(grad, x, window, stride, padding, m->ceil_mode, m->padding_counts, divisor);
}

TEST_SAMPLED(means_of_windows_and_their_gradients_are_those_of_plain_loops) {
    for (int64_t i = 0; i < 150; i++) {
        tn_scope scope = tn_scope_open();
        model m;
        int64_t sizes[5], ndim, spatial = 1 + i % 3;
        tn_dtype dtype = pool_floats[i % 4];
        model_draw(&m, spatial, false, false, sizes, &ndim);
        m.padding_counts = i % 2 == 0;
        m.divisor = spatial > 1 && i % 5 == 0 ? test_random_between(1, 5) : 0;
        tn_tensor *x = plane_some((tn_dims){sizes, ndim}, dtype), *got = pool_mean(&m, x);
        double *expected = plane_room(model_windows(&m));
        model_run(&m, MODEL_MEAN, expected, plane_values(x));
        CHECK(got);
        CHECK_INT(tn_numel(got), model_windows(&m));
        plane_compare(got, expected, plane_tolerance(dtype));
        if (spatial > 1) {
            tn_tensor *grad = plane_some(tn_sizes(got), dtype), *back = pool_mean_back(&m, grad, x);
            CHECK(back);
            double *parts = plane_room(tn_numel(x));
            model_run(&m, MODEL_SPREAD, parts, plane_values(grad));
            plane_compare(back, parts, 4 * plane_tolerance(dtype));
        }
        CHECK(tn_scope_close(scope) == TN_OK);
    }
}

static tn_tensor *pool_adaptive_mean(const model *m, const tn_tensor *x) {
    tn_dims out = model_dims(m, m->out);
    return m->spatial == 1   ? tn_adaptive_avg_pool1d(x, out)
           : m->spatial == 2 ? tn_adaptive_avg_pool2d(x, out)
                             : tn_adaptive_avg_pool3d(x, out);
}

static tn_list *pool_adaptive_max(const model *m, const tn_tensor *x) {
    tn_dims out = model_dims(m, m->out);
    return m->spatial == 1   ? tn_adaptive_max_pool1d(x, out)
           : m->spatial == 2 ? tn_adaptive_max_pool2d(x, out)
                             : tn_adaptive_max_pool3d(x, out);
}

TEST_SAMPLED(adaptive_windows_are_those_of_plain_loops) {
    for (int64_t i = 0; i < 120; i++) {
        tn_scope scope = tn_scope_open();
        model m;
        int64_t sizes[5], ndim, spatial = 1 + i % 3;
        tn_dtype dtype = pool_floats[i % 4];
        model_draw(&m, spatial, false, true, sizes, &ndim);
        if (i % 7 == 0)
            m.out[0] = m.out[1] = m.out[2] = 1;
        tn_tensor *x = plane_some((tn_dims){sizes, ndim}, dtype), *got = pool_adaptive_mean(&m, x);
        double *expected = plane_room(model_windows(&m));
        model_run(&m, MODEL_MEAN, expected, plane_values(x));
        CHECK(got);
        plane_compare(got, expected, 2 * plane_tolerance(dtype));
        tn_list *both = pool_adaptive_max(&m, x);
        model_run(&m, MODEL_MAX, expected, plane_values(x));
        plane_compare(plane_at(both, 0), expected, 0);
        model_run(&m, MODEL_WHERE, expected, plane_values(x));
        plane_compare(plane_at(both, 1), expected, 0);
        if (spatial > 1) {
            tn_tensor *grad = plane_some(tn_sizes(got), dtype);
            tn_tensor *back =
                spatial == 2 ? tn__adaptive_avg_pool2d_backward(grad, x) : tn__adaptive_avg_pool3d_backward(grad, x);
            CHECK(back);
            double *parts = plane_room(tn_numel(x));
            model_run(&m, MODEL_SPREAD, parts, plane_values(grad));
            plane_compare(back, parts, 4 * plane_tolerance(dtype));
        }
        CHECK(tn_scope_close(scope) == TN_OK);
    }
}

/* ---- places */

TEST_SAMPLED(gradients_and_unpooled_elements_go_where_they_came_from) {
    for (int64_t i = 0; i < 60; i++) {
        tn_scope scope = tn_scope_open();
        model m;
        int64_t sizes[5], ndim, spatial = 2 + i % 2;
        tn_dtype dtype = pool_floats[i % 4];
        model_draw(&m, spatial, false, false, sizes, &ndim);
        tn_tensor *x = plane_some((tn_dims){sizes, ndim}, dtype);
        tn_list *both = pool_max_indexed(&m, x);
        tn_tensor *values = plane_at(both, 0), *where = plane_at(both, 1), *grad = plane_some(tn_sizes(values), dtype);
        tn_dims window = model_dims(&m, m.window), stride = model_dims(&m, m.stride), padding = model_dims(&m, m.padding),
                step = model_dims(&m, m.step);
        tn_tensor *back = spatial == 2
                              ? tn_max_pool2d_with_indices_backward(grad, x, window, stride, padding, step, m.ceil_mode, where)
                              : tn_max_pool3d_with_indices_backward(grad, x, window, stride, padding, step, m.ceil_mode, where);
        tn_tensor *same =
            spatial == 2 ? tn_adaptive_max_pool2d_backward(grad, x, where) : tn_adaptive_max_pool3d_backward(grad, x, where);
        tn_dims plane = {tn_sizes(x).values + ndim - spatial, spatial};
        tn_dims out = {tn_sizes(values).values + ndim - spatial, spatial};
        tn_tensor *again = spatial == 2 ? tn_fractional_max_pool2d_backward(grad, x, window, out, where)
                                        : tn_fractional_max_pool3d_backward(grad, x, window, out, where);
        tn_tensor *unpooled =
            spatial == 2 ? tn_max_unpool2d(values, where, plane) : tn_max_unpool3d(values, where, plane, stride, padding);
        CHECK(back && same && again && unpooled);
        double *sums = plane_room(tn_numel(x)), *placed = plane_room(tn_numel(x));
        const double *from = plane_values(grad), *at = plane_values(where), *largest = plane_values(values);
        int64_t windows = m.out[0] * m.out[1] * m.out[2], size = m.in[0] * m.in[1] * m.in[2];
        for (int64_t k = 0; k < m.planes * windows; k++) {
            sums[k / windows * size + (int64_t)at[k]] += from[k];
            placed[k / windows * size + (int64_t)at[k]] = largest[k];
        }
        plane_compare(back, sums, plane_tolerance(dtype));
        plane_compare(same, sums, plane_tolerance(dtype));
        plane_compare(again, sums, plane_tolerance(dtype));
        plane_compare(unpooled, placed, 0);
        CHECK(tn_scope_close(scope) == TN_OK);
    }
}

TEST(an_index_outside_of_its_plane_is_found_before_anything_is_written) {
    tn_tensor *x = tn_ones(TN_DIMS(1, 2, 2), TN_FLOAT32), *where = tn_full(TN_DIMS(1, 2, 2), 16, TN_INT64);
    tn_tensor *out = tn_full(TN_DIMS(1, 4, 4), 7, TN_FLOAT32);
    CHECK(x && where && out);
    CHECK_ERROR(TN_ERROR_INDEX, "from 0 to 15", tn_max_unpool2d(x, where, TN_DIMS(4, 4)));
    CHECK_ERROR(TN_ERROR_INDEX, "from 0 to 15", tn_max_unpool2d_out(out, x, where, TN_DIMS(4, 4)));
    CHECK_ERROR(TN_ERROR_INDEX, "outside", tn_max_unpool2d(x, tn_neg(where), TN_DIMS(4, 4)));
    CHECK(tn_fill_(where, 3));
    CHECK_ERROR(TN_ERROR_INDEX, "outside", tn_max_unpool2d(x, where, TN_DIMS(1, 0)));
    const double *left = plane_values(out);
    for (int i = 0; i < 16; i++)
        CHECK_DOUBLE(left[i], 7);
}

/* ---- fractional */

TEST(fractional_windows_begin_where_their_samples_say) {
    tn_tensor *x = tn_view(tn_arange(100, TN_FLOAT32), TN_DIMS(1, 10, 10)),
              *samples = tn_full(TN_DIMS(1, 1, 2), 0.5, TN_FLOAT32);
    CHECK(x && samples);
    tn_list *both = tn_fractional_max_pool2d(x, TN_DIMS(2), TN_DIMS(4), samples);
    const double *where = plane_values(plane_at(both, 1)), *values = plane_values(plane_at(both, 0));
    int64_t begin[4] = {0, 3, 5, 8}; /* (o + 0.5) * 8 / 3 - 1, rounded down; the last one ends with the plane */
    for (int64_t i = 0; i < 16; i++) {
        CHECK_DOUBLE(where[i], (double)((begin[i / 4] + 1) * 10 + begin[i % 4] + 1));
        CHECK_DOUBLE(values[i], where[i]);
    }
    tn_tensor *volume = tn_view(tn_arange(64, TN_FLOAT32), TN_DIMS(1, 1, 4, 4, 4)),
              *three = tn_zeros(TN_DIMS(1, 1, 3), TN_FLOAT32);
    CHECK(volume && three);
    both = tn_fractional_max_pool3d(volume, TN_DIMS(2), TN_DIMS(2), three);
    const double *found = plane_values(plane_at(both, 1));
    for (int64_t i = 0; i < 8; i++)
        CHECK_DOUBLE(found[i], (double)((i / 4 ? 3 : 1) * 16 + (i / 2 % 2 ? 3 : 1) * 4 + (i % 2 ? 3 : 1)));
    CHECK_ERROR(TN_ERROR_SHAPE, "5 windows (output_size) of 7 elements",
                tn_fractional_max_pool2d(x, TN_DIMS(7), TN_DIMS(5), samples));
    CHECK_ERROR(TN_ERROR_SHAPE, "random_samples", tn_fractional_max_pool2d(x, TN_DIMS(2), TN_DIMS(4), three));
    CHECK_ERROR(TN_ERROR_DTYPE, "random_samples",
                tn_fractional_max_pool2d(x, TN_DIMS(2), TN_DIMS(4), tn_to(samples, TN_FLOAT64)));
    CHECK_ERROR(TN_ERROR_SHAPE, "one number, or 2", tn_fractional_max_pool2d(x, TN_DIMS(), TN_DIMS(4), samples));
}

/* ---- lp_pool */

TEST(a_root_of_powers_is_that_of_each_window) {
    tn_tensor *x = plane_drawn(TN_DIMS(1, 2, 6, 6), TN_FLOAT64), *got = tn_lp_pool2d(x, 2, TN_DIMS(2), TN_DIMS(), false);
    CHECK(got);
    const double *from = plane_values(x), *to = plane_values(got);
    for (int64_t i = 0; i < 18; i++) {
        const double *at = from + i / 9 * 36 + i / 3 % 3 * 12 + i % 3 * 2;
        CHECK(fabs(to[i] - sqrt(at[0] * at[0] + at[1] * at[1] + at[6] * at[6] + at[7] * at[7])) < 1e-12);
    }
    tn_tensor *line = tn_lp_pool1d(tn_view(x, TN_DIMS(2, 36)), 2, TN_DIMS(3), TN_DIMS(2), true);
    tn_tensor *volume = tn_lp_pool3d(tn_view(x, TN_DIMS(1, 2, 6, 6)), 2, TN_DIMS(2), TN_DIMS(), false);
    CHECK(line && volume);
    CHECK_INT(tn_numel(line), 2 * 18);
    CHECK_INT(tn_numel(volume), 9);
    tn_tensor *row = tn_from_text("[[-1, -3, 2, -5]]", TN_FLOAT32), *cube = tn_view(row, TN_DIMS(1, 1, 1, 4));
    CHECK(tn_equal(tn_lp_pool1d(row, INFINITY, TN_DIMS(2), TN_DIMS(), false), tn_from_text("[[3, 5]]", TN_FLOAT32)));
    CHECK(tn_equal(tn_lp_pool1d(row, -INFINITY, TN_DIMS(2), TN_DIMS(), false), tn_from_text("[[1, 2]]", TN_FLOAT32)));
    CHECK(tn_equal(tn_lp_pool2d(cube, INFINITY, TN_DIMS(1, 3), TN_DIMS(1), false), tn_from_text("[[[[3, 5]]]]", TN_FLOAT32)));
    CHECK(tn_equal(tn_lp_pool3d(cube, INFINITY, TN_DIMS(1, 1, 2), TN_DIMS(1), false),
                   tn_from_text("[[[[3, 3, 5]]]]", TN_FLOAT32)));
    CHECK_ERROR(TN_ERROR_ARGUMENT, "norm_type is 0", tn_lp_pool2d(x, 0, TN_DIMS(2), TN_DIMS(), false));
}

/* ---- sizes, formats, results that are given */

TEST(channels_last_is_kept_where_torch_keeps_it) {
    tn_tensor *x = plane_laid(plane_drawn(TN_DIMS(2, 3, 6, 6), TN_FLOAT32), 1),
              *y = plane_laid(plane_drawn(TN_DIMS(1, 2, 4, 4, 4), TN_FLOAT32), 1);
    tn_tensor *pooled[] = {tn_max_pool2d(x, TN_DIMS(2), TN_DIMS(), TN_DIMS(), TN_DIMS(), false),
                           tn_avg_pool2d(x, TN_DIMS(2), TN_DIMS(), TN_DIMS(), false, true, TN_NONE),
                           tn_adaptive_avg_pool2d(x, TN_DIMS(4, 4)),
                           tn_adaptive_avg_pool2d(x, TN_DIMS(1, 1)),
                           tn_max_pool3d(y, TN_DIMS(2), TN_DIMS(), TN_DIMS(), TN_DIMS(), false),
                           tn_avg_pool3d(y, TN_DIMS(2), TN_DIMS(), TN_DIMS(), false, true, TN_NONE)};
    for (int i = 0; i < 6; i++) {
        CHECK(pooled[i]);
        CHECK_INT(tn_strides(pooled[i]).values[1] == 1, i < 5);
    }
}

TEST(images_with_their_channels_last_have_the_indices_means_and_gradients_of_others) {
    tn_tensor *x = tn_rand(TN_DIMS(2, 5, 7, 6), TN_FLOAT32, NULL), *y = tn_contiguous(x, TN_CHANNELS_LAST);
    for (int64_t wide = 1; wide <= 3; wide += 2) {
        tn_dims size = TN_DIMS(wide), stride = TN_DIMS(2), padding = TN_DIMS(wide / 2), none = TN_DIMS();
        tn_list *one = tn_max_pool2d_with_indices(x, size, stride, padding, none, true);
        tn_list *two = tn_max_pool2d_with_indices(y, size, stride, padding, none, true);
        CHECK(one && two && tn_equal(tn_list_at(one, 0), tn_list_at(two, 0)) &&
              tn_equal(tn_list_at(one, 1), tn_list_at(two, 1)));
        tn_tensor *back =
            tn_max_pool2d_with_indices_backward(tn_list_at(one, 0), x, size, stride, padding, none, true, tn_list_at(one, 1));
        tn_tensor *same =
            tn_max_pool2d_with_indices_backward(tn_list_at(two, 0), y, size, stride, padding, none, true, tn_list_at(two, 1));
        CHECK(back && same && !tn_is_contiguous(same) && tn_equal(back, same));
        for (int counts = 0; counts < 2; counts++) {
            tn_tensor *mean = tn_avg_pool2d(x, size, stride, padding, true, counts == 1, TN_NONE);
            CHECK(mean && tn_equal(mean, tn_avg_pool2d(y, size, stride, padding, true, counts == 1, TN_NONE)));
        }
    }
    tn_tensor *far = tn_contiguous(tn_full(TN_DIMS(2, 5, 7, 6), tn_scalar_int(42), TN_INT64), TN_CHANNELS_LAST);
    CHECK(far);
    CHECK_ERROR(TN_ERROR_INDEX, "they go from 0 to 41", tn_max_unpool2d(y, far, TN_DIMS(7, 6)));
}

TEST(an_empty_batch_gives_an_empty_result_and_other_empty_sizes_are_refused) {
    tn_tensor *none = tn_empty(TN_DIMS(0, 3, 4, 4), TN_FLOAT32), *flat = tn_empty(TN_DIMS(2, 3, 0, 4), TN_FLOAT32);
    tn_tensor *no_channels = tn_empty(TN_DIMS(2, 0, 4, 4), TN_FLOAT32), *got;
    CHECK(none && flat && no_channels);
    CHECK((got = tn_max_pool2d(none, TN_DIMS(2), TN_DIMS(), TN_DIMS(), TN_DIMS(), false)) && tn_ndim(got) == 4 &&
          tn_numel(got) == 0);
    CHECK((got = tn_avg_pool2d(none, TN_DIMS(2), TN_DIMS(), TN_DIMS(), false, true, TN_NONE)) && tn_sizes(got).values[3] == 2);
    CHECK((got = tn_adaptive_avg_pool2d(no_channels, TN_DIMS(2, 2))) && tn_numel(got) == 0);
    CHECK((got = tn_adaptive_avg_pool2d(none, TN_DIMS(2, 0))) && tn_numel(got) == 0);
    CHECK((got = tn_max_unpool2d(none, tn_to(none, TN_INT64), TN_DIMS(8, 8))) && tn_numel(got) == 0);
    tn_tensor *grad = tn_empty(TN_DIMS(2, 3, 4, 0), TN_FLOAT32), *whole = tn_ones(TN_DIMS(2, 3, 4, 4), TN_FLOAT32);
    CHECK((got = tn__adaptive_avg_pool2d_backward(grad, whole)) && plane_values(got)[5] == 0);
    CHECK_ERROR(TN_ERROR_SHAPE, "dimension 2", tn_max_pool2d(flat, TN_DIMS(2), TN_DIMS(), TN_DIMS(), TN_DIMS(), false));
    CHECK_ERROR(TN_ERROR_SHAPE, "dimension 1", tn_max_pool2d(no_channels, TN_DIMS(2), TN_DIMS(), TN_DIMS(), TN_DIMS(), false));
    CHECK_ERROR(TN_ERROR_SHAPE, "dimension 2", tn_adaptive_avg_pool2d(flat, TN_DIMS(2, 2)));
}

TEST(a_window_without_elements_has_the_least_number_of_its_dtype) {
    tn_tensor *x = tn_ones(TN_DIMS(1, 1, 3, 3), TN_FLOAT32), *got;
    CHECK(x && (got = tn_max_pool2d(x, TN_DIMS(2), TN_DIMS(1), TN_DIMS(1), TN_DIMS(4), false)));
    CHECK_DOUBLE(plane_values(got)[0], -INFINITY);
    CHECK((got = tn_max_pool2d(tn_to(x, TN_INT8), TN_DIMS(2), TN_DIMS(1), TN_DIMS(1), TN_DIMS(4), false)));
    CHECK_DOUBLE(plane_values(got)[0], -128);
    CHECK((got = tn_max_pool2d(tn_to(x, TN_UINT8), TN_DIMS(2), TN_DIMS(1), TN_DIMS(1), TN_DIMS(4), false)));
    CHECK_DOUBLE(plane_values(got)[0], 0);
}

TEST(results_that_are_given_have_any_strides_and_may_overlap_self) {
    tn_tensor *x = plane_drawn(TN_DIMS(2, 3, 6, 6), TN_FLOAT32), *expected, *out, *where;
    CHECK((expected = tn_max_pool2d(x, TN_DIMS(2), TN_DIMS(), TN_DIMS(), TN_DIMS(), false)));
    CHECK((out = plane_laid(tn_zeros_like(expected, TN_DTYPE_DEFAULT, TN_PRESERVE), 2)));
    CHECK(tn_max_pool2d_out(out, x, TN_DIMS(2), TN_DIMS(), TN_DIMS(), TN_DIMS(), false) == out);
    plane_compare(out, plane_values(expected), 0);
    CHECK((where = tn_empty(TN_DIMS(0), TN_INT64)) && (out = tn_empty(TN_DIMS(0), TN_FLOAT32)));
    CHECK(tn_max_pool2d_with_indices_out(out, where, x, TN_DIMS(2), TN_DIMS(), TN_DIMS(), TN_DIMS(), false) == out);
    plane_compare(out, plane_values(expected), 0);
    CHECK((out = tn_view(tn_narrow(tn_view(x, TN_DIMS(-1)), 0, 0, 54), TN_DIMS(2, 3, 3, 3))));
    CHECK(tn_max_pool2d_out(out, x, TN_DIMS(2), TN_DIMS(), TN_DIMS(), TN_DIMS(), false) == out);
    plane_compare(out, plane_values(expected), 0);
}

TEST(whole_numbers_are_averaged_by_division_without_a_rest) {
    tn_tensor *x = tn_view(tn_arange_start(-4, 5, 1, TN_INT64), TN_DIMS(1, 3, 3)), *got;
    CHECK((got = tn_avg_pool2d(x, TN_DIMS(2), TN_DIMS(1), TN_DIMS(), false, true, TN_NONE)));
    const double expected[] = {-2, -1, 1, 2}, flipped[] = {8, 4, -4, -8};
    plane_compare(got, expected, 0);
    CHECK((got = tn_avg_pool2d(x, TN_DIMS(2), TN_DIMS(1), TN_DIMS(), false, true, -1)));
    plane_compare(got, flipped, 0);
}

TEST(wrong_arguments_are_refused_with_the_numbers_in_the_formula) {
    tn_tensor *x = tn_ones(TN_DIMS(1, 3, 3), TN_FLOAT32), *grad = tn_ones(TN_DIMS(1, 2, 3), TN_FLOAT32);
    CHECK(x && grad);
    CHECK_ERROR(TN_ERROR_SHAPE, "(3 + 2 * 0 - 1 * (4 - 1) - 1) / 4 + 1 is below 1",
                tn_max_pool2d(x, TN_DIMS(4), TN_DIMS(), TN_DIMS(), TN_DIMS(), false));
    CHECK_ERROR(TN_ERROR_ARGUMENT, "padding 2 is more than half of kernel_size 3",
                tn_max_pool2d(x, TN_DIMS(3), TN_DIMS(), TN_DIMS(2), TN_DIMS(), false));
    CHECK_ERROR(TN_ERROR_ARGUMENT, "stride", tn_max_pool2d(x, TN_DIMS(2), TN_DIMS(0), TN_DIMS(), TN_DIMS(), false));
    CHECK_ERROR(TN_ERROR_ARGUMENT, "dilation", tn_max_pool2d(x, TN_DIMS(2), TN_DIMS(), TN_DIMS(), TN_DIMS(0), false));
    CHECK_ERROR(TN_ERROR_ARGUMENT, "padding [-1, -1]", tn_max_pool2d(x, TN_DIMS(2), TN_DIMS(), TN_DIMS(-1), TN_DIMS(), false));
    CHECK_ERROR(TN_ERROR_ARGUMENT, "kernel_size", tn_max_pool2d(x, TN_DIMS(0), TN_DIMS(), TN_DIMS(), TN_DIMS(), false));
    CHECK_ERROR(TN_ERROR_SHAPE, "kernel_size is empty", tn_max_pool2d(x, TN_DIMS(), TN_DIMS(), TN_DIMS(), TN_DIMS(), false));
    CHECK_ERROR(TN_ERROR_SHAPE, "or 2 of them", tn_max_pool2d(x, TN_DIMS(1, 2, 3), TN_DIMS(), TN_DIMS(), TN_DIMS(), false));
    CHECK_ERROR(TN_ERROR_SHAPE, "must have 4 dimensions", tn_max_pool3d(x, TN_DIMS(1), TN_DIMS(), TN_DIMS(), TN_DIMS(), false));
    CHECK_ERROR(TN_ERROR_ARGUMENT, "too large to count",
                tn_max_pool2d(x, TN_DIMS(INT64_MAX), TN_DIMS(), TN_DIMS(), TN_DIMS(INT64_MAX), false));
    CHECK_ERROR(TN_ERROR_ARGUMENT, "divisor_override is 0", tn_avg_pool2d(x, TN_DIMS(2), TN_DIMS(), TN_DIMS(), false, true, 0));
    CHECK_ERROR(TN_ERROR_DTYPE, "pooled",
                tn_avg_pool2d(tn_to(x, TN_INT32), TN_DIMS(2), TN_DIMS(), TN_DIMS(), false, true, TN_NONE));
    CHECK_ERROR(TN_ERROR_DTYPE, "pooled", tn_max_pool2d(tn_to(x, TN_BOOL), TN_DIMS(2), TN_DIMS(), TN_DIMS(), TN_DIMS(), false));
    CHECK_ERROR(TN_ERROR_DTYPE, "pooled", tn_adaptive_avg_pool2d(tn_to(x, TN_INT64), TN_DIMS(2, 2)));
    CHECK_ERROR(
        TN_ERROR_SHAPE, "larger than self",
        tn_avg_pool3d(tn_ones(TN_DIMS(1, 3, 3, 3), TN_FLOAT32), TN_DIMS(4), TN_DIMS(), TN_DIMS(1), false, true, TN_NONE));
    CHECK_ERROR(TN_ERROR_SHAPE, "whose windows are [1, 2, 2]",
                tn_avg_pool2d_backward(grad, x, TN_DIMS(2), TN_DIMS(1), TN_DIMS(), false, true, TN_NONE));
    CHECK_ERROR(TN_ERROR_SHAPE, "as many dimensions", tn__adaptive_avg_pool2d_backward(tn_ones(TN_DIMS(2, 2), TN_FLOAT32), x));
    CHECK_ERROR(TN_ERROR_SHAPE, "output_size [2] must be 2 numbers", tn_adaptive_avg_pool2d(x, TN_DIMS(2)));
    CHECK_ERROR(TN_ERROR_ARGUMENT, "output_size", tn_adaptive_max_pool2d(x, TN_DIMS(2, -1)));
    CHECK_ERROR(TN_ERROR_ARGUMENT, "too large to count", tn_adaptive_avg_pool2d(x, TN_DIMS(INT64_MAX / 2, 2)));
    CHECK_ERROR(TN_ERROR_SHAPE, "indices", tn_max_unpool2d(x, tn_to(grad, TN_INT64), TN_DIMS(4, 4)));
    CHECK_ERROR(TN_ERROR_DTYPE, "must be int64", tn_max_unpool2d(x, x, TN_DIMS(4, 4)));
    CHECK_ERROR(TN_ERROR_ARGUMENT, "stride must be three numbers",
                tn_max_unpool3d(x, x, TN_DIMS(4, 4, 4), TN_DIMS(2), TN_DIMS(0)));
}

/* ---- threads */

static uint64_t pool_hash(const tn_tensor *x) {
    uint64_t hash = UINT64_C(14695981039346656037);
    const double *values = plane_values(x);
    for (int64_t i = 0; i < tn_numel(x) * 8; i++)
        hash = (hash ^ ((const unsigned char *)values)[i]) * UINT64_C(1099511628211);
    return hash;
}

TEST_ONCE(the_bits_do_not_depend_on_the_number_of_threads) { /* threads */
    int64_t before = tn_num_threads();
    uint64_t hashes[3][2];
    tn_tensor *x = tn_rand(TN_DIMS(4, 16, 57, 61), TN_FLOAT32, NULL);
    CHECK(x);
    for (int threads = 1; threads <= 3; threads++) {
        CHECK(tn_set_num_threads(threads) == TN_OK);
        tn_tensor *mean = tn_avg_pool2d(x, TN_DIMS(3), TN_DIMS(2), TN_DIMS(1), true, false, TN_NONE);
        CHECK(mean);
        hashes[threads - 1][0] = pool_hash(mean);
        tn_tensor *back = tn_avg_pool2d_backward(mean, x, TN_DIMS(3), TN_DIMS(2), TN_DIMS(1), true, false, TN_NONE);
        CHECK(back);
        hashes[threads - 1][1] = pool_hash(back);
    }
    CHECK(tn_set_num_threads(before) == TN_OK);
    CHECK(memcmp(hashes[0], hashes[1], sizeof hashes[0]) == 0 && memcmp(hashes[0], hashes[2], sizeof hashes[0]) == 0);
}

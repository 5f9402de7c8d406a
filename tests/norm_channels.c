/* norm_channels.c - norms over channels, and norms with their statistics, against plain loops in double: dtypes, layouts, parameters or none; what
 * training does to statistics; gradients against differences; what is refused.
 *
 * Tests: src/ops/nn/norm_planes.c, src/ops/nn/norm_check.c, src/ops/nn/norm_batch.c, src/ops/nn/norm_backward.c */
#include "plane_helpers.h"

static const tn_dtype norm_floats[] = {TN_FLOAT32, TN_FLOAT64, TN_FLOAT16, TN_BFLOAT16};

/* ---- the model: x is (batch, channels, rest) */

typedef struct model {
    int64_t batch, channels, rest;
    double eps;
} model;

/* Which mean an element shares: that of its channel, or of one of `groups` groups of its input. */
static int64_t model_shared(const model *m, int64_t i, int64_t groups) {
    int64_t c = i / m->rest % m->channels, n = i / m->rest / m->channels;
    return groups ? n * groups + c / (m->channels / groups) : c;
}

static void model_statistics(const model *m, const double *x, int64_t groups, double *mean, double *var) {
    int64_t many = groups ? m->batch * groups : m->channels, numel = m->batch * m->channels * m->rest;
    double count = (double)(numel / many);
    for (int64_t k = 0; k < many; k++)
        mean[k] = var[k] = 0;
    for (int64_t i = 0; i < numel; i++)
        mean[model_shared(m, i, groups)] += x[i] / count;
    for (int64_t i = 0; i < numel; i++)
        var[model_shared(m, i, groups)] += pow(x[i] - mean[model_shared(m, i, groups)], 2) / count;
}

static void model_norm(const model *m, double *out, const double *x, int64_t groups, const double *mean, const double *var,
                       const double *weight, const double *bias) {
    for (int64_t i = 0; i < m->batch * m->channels * m->rest; i++) {
        int64_t c = i / m->rest % m->channels, k = model_shared(m, i, groups);
        out[i] = (x[i] - mean[k]) / sqrt(var[k] + m->eps) * (weight ? weight[c] : 1) + (bias ? bias[c] : 0);
    }
}

static tn_tensor *norm_drawn(model *m, int64_t i, tn_dtype dtype, int64_t channels) {
    int64_t spatial = i % 4, sizes[5] = {test_random_between(2, 4), channels, 1, 1, 1};
    *m = (model){sizes[0], channels, 1, 0.25};
    for (int64_t d = 0; d < spatial; d++)
        m->rest *= sizes[2 + d] = test_random_between(2, spatial == 1 ? 40 : 6);
    return plane_some((tn_dims){sizes, 2 + spatial}, dtype);
}

/* ---- batch_norm */

TEST_SAMPLED(batch_norm_is_that_of_plain_loops_in_evaluation_and_in_training) {
    for (int64_t i = 0; i < 60; i++) {
        tn_scope scope = tn_scope_open();
        model m;
        tn_dtype dtype = norm_floats[i / 4 % 4],
                 parameters = i % 3 == 0 && dtype >= TN_FLOAT16 && i / 4 % 4 > 1 ? TN_FLOAT32 : dtype;
        tn_tensor *x = norm_drawn(&m, i, dtype, test_random_between(1, 5));
        tn_tensor *weight = i % 2 ? plane_drawn(TN_DIMS(m.channels), parameters) : NULL,
                  *bias = i % 2 ? plane_drawn(TN_DIMS(m.channels), parameters) : NULL;
        tn_tensor *mean = plane_drawn(TN_DIMS(m.channels), parameters),
                  *var = tn_abs(plane_drawn(TN_DIMS(m.channels), parameters));
        CHECK(var);
        const double *from = plane_values(x), *w = weight ? plane_values(weight) : NULL, *b = bias ? plane_values(bias) : NULL;
        double *expected = plane_room(tn_numel(x)), means[5], vars[5], tolerance = 60 * plane_tolerance(dtype);
        model_norm(&m, expected, from, 0, plane_values(mean), plane_values(var), w, b);
        tn_tensor *got = tn_batch_norm(x, weight, bias, mean, var, false, 0.1, m.eps, false);
        CHECK(got && tn_dtype_of(got) == dtype);
        plane_compare(got, expected, tolerance);
        model_statistics(&m, from, 0, means, vars);
        model_norm(&m, expected, from, 0, means, vars, w, b);
        tn_list *all = tn_native_batch_norm(x, weight, bias, NULL, NULL, true, 0.1, m.eps);
        plane_compare(plane_at(all, 0), expected, tolerance);
        plane_compare(plane_at(all, 1), means, tolerance);
        double moved[2][5], count = (double)(m.batch * m.rest), rstd[5];
        for (int64_t c = 0; c < m.channels; c++) {
            moved[0][c] = 0.75 * plane_values(mean)[c] + 0.25 * means[c];
            moved[1][c] = 0.75 * plane_values(var)[c] + 0.25 * vars[c] * count / (count - 1);
            rstd[c] = 1 / sqrt(vars[c] + m.eps);
        }
        all = tn__native_batch_norm_legit(x, weight, bias, mean, var, true, 0.25, m.eps);
        plane_compare(plane_at(all, 0), expected, tolerance);
        plane_compare(plane_at(all, 2), rstd, tolerance);
        plane_compare(mean, moved[0], tolerance);
        plane_compare(var, moved[1], tolerance);
        CHECK(tn_scope_close(scope) == TN_OK);
    }
}

TEST(a_call_that_fails_leaves_the_statistics_as_they_were) {
    tn_tensor *x = plane_drawn(TN_DIMS(2, 3, 4), TN_FLOAT32), *mean = tn_zeros(TN_DIMS(3), TN_FLOAT32),
              *var = tn_ones(TN_DIMS(3), TN_FLOAT32);
    tn_tensor *shared = tn_expand(tn_ones(TN_DIMS(1), TN_FLOAT32), TN_DIMS(3));
    CHECK(x && mean && var && shared);
    CHECK_ERROR(TN_ERROR_OVERLAP, "running_var", tn__native_batch_norm_legit(x, NULL, NULL, mean, shared, true, 0.1, 1e-5));
    CHECK_DOUBLE(plane_values(mean)[0], 0);
    CHECK_ERROR(TN_ERROR_ARGUMENT, "only one of two", tn_batch_norm(x, NULL, NULL, mean, NULL, true, 0.1, 1e-5, true));
    CHECK_ERROR(TN_ERROR_ARGUMENT, "statistics are needed", tn_batch_norm(x, NULL, NULL, NULL, NULL, false, 0.1, 1e-5, true));
    CHECK_ERROR(TN_ERROR_SHAPE, "running_mean",
                tn_batch_norm(x, NULL, NULL, tn_ones(TN_DIMS(2), TN_FLOAT32), var, false, 0.1, 1e-5, true));
    CHECK_ERROR(TN_ERROR_DTYPE, "weight",
                tn_batch_norm(x, tn_ones(TN_DIMS(3), TN_FLOAT64), NULL, mean, var, false, 0.1, 1e-5, true));
    CHECK_ERROR(TN_ERROR_SHAPE, "at least 2 dimensions", tn_batch_norm(mean, NULL, NULL, mean, var, false, 0.1, 1e-5, true));
    CHECK_ERROR(TN_ERROR_DTYPE, "normalised", tn_batch_norm(tn_to(x, TN_INT64), NULL, NULL, mean, var, false, 0.1, 1e-5, true));
}

TEST(a_batch_without_elements_leaves_the_statistics_as_they_were) {
    tn_dims shapes[3] = {TN_DIMS(0, 3), TN_DIMS(0, 3, 4), TN_DIMS(2, 3, 0, 2)};
    for (int64_t i = 0; i < 6; i++) {
        tn_tensor *mean = tn_full(TN_DIMS(3), 2, TN_FLOAT32), *var = tn_full(TN_DIMS(3), 3, TN_FLOAT32);
        tn_tensor *x = tn_zeros(shapes[i % 3], TN_FLOAT32), *weight = tn_ones(TN_DIMS(3), TN_FLOAT32);
        tn_tensor *got = i < 3 ? tn_batch_norm(x, weight, weight, mean, var, true, 0.1, 1e-5, false)
                               : tn_instance_norm(x, weight, weight, mean, var, true, 0.1, 1e-5, false);
        CHECK(got && tn_numel(got) == 0 && tn_ndim(got) == tn_ndim(x));
        for (int64_t c = 0; c < 3; c++) {
            CHECK_DOUBLE(plane_values(mean)[c], 2);
            CHECK_DOUBLE(plane_values(var)[c], 3);
        }
    }
}

/* ---- instance_norm, group_norm, layer_norm */

TEST_SAMPLED(group_norm_and_instance_norm_are_those_of_plain_loops) {
    for (int64_t i = 0; i < 60; i++) {
        tn_scope scope = tn_scope_open();
        model m;
        tn_dtype dtype = norm_floats[i / 4 % 4];
        int64_t groups = test_random_between(1, 3), channels = groups * test_random_between(1, 3);
        tn_tensor *x = norm_drawn(&m, i, dtype, channels);
        tn_tensor *weight = i % 2 ? plane_drawn(TN_DIMS(channels), dtype) : NULL,
                  *bias = i % 2 ? plane_drawn(TN_DIMS(channels), dtype) : NULL;
        const double *from = plane_values(x), *w = weight ? plane_values(weight) : NULL, *b = bias ? plane_values(bias) : NULL;
        double *expected = plane_room(tn_numel(x)), means[36], vars[36], tolerance = 60 * plane_tolerance(dtype);
        model_statistics(&m, from, groups, means, vars);
        model_norm(&m, expected, from, groups, means, vars, w, b);
        tn_list *all = tn_native_group_norm(x, weight, bias, m.batch, channels, m.rest, groups, m.eps);
        plane_compare(plane_at(all, 0), expected, tolerance);
        plane_compare(plane_at(all, 1), means, tolerance);
        tn_tensor *got = tn_group_norm(x, groups, weight, bias, m.eps, false);
        CHECK(got);
        plane_compare(got, expected, tolerance);
        model_statistics(&m, from, channels, means, vars);
        model_norm(&m, expected, from, channels, means, vars, w, b);
        CHECK((got = tn_instance_norm(x, weight, bias, NULL, NULL, true, 0.1, m.eps, false)));
        plane_compare(got, expected, tolerance);
        CHECK(tn_scope_close(scope) == TN_OK);
    }
}

TEST(instance_norm_moves_its_statistics_by_the_mean_over_the_batch) {
    tn_tensor *x = plane_drawn(TN_DIMS(2, 2, 8), TN_FLOAT64), *mean = tn_zeros(TN_DIMS(2), TN_FLOAT64),
              *var = tn_ones(TN_DIMS(2), TN_FLOAT64);
    CHECK(x && mean && var);
    model m = {2, 2, 8, 0};
    double means[4], vars[4];
    model_statistics(&m, plane_values(x), 2, means, vars);
    CHECK(tn_instance_norm(x, NULL, NULL, mean, var, true, 0.5, 1e-5, false));
    for (int64_t c = 0; c < 2; c++) {
        CHECK(fabs(plane_values(mean)[c] - (means[c] + means[2 + c]) / 4) < 1e-12);
        CHECK(fabs(plane_values(var)[c] - (0.5 + (vars[c] + vars[2 + c]) / 4 * 8 / 7)) < 1e-12);
    }
}

TEST_SAMPLED(layer_norm_with_its_statistics_is_that_of_plain_loops) {
    for (int64_t i = 0; i < 40; i++) {
        tn_scope scope = tn_scope_open();
        tn_dtype dtype = norm_floats[i % 4];
        int64_t sizes[3] = {test_random_between(1, 4), test_random_between(1, 4), test_random_between(1, 40)},
                merged = test_random_between(1, 2);
        int64_t elements = merged == 1 ? sizes[2] : sizes[1] * sizes[2], lines = sizes[0] * sizes[1] * sizes[2] / elements;
        tn_tensor *x = plane_some(TN_DIMS(sizes[0], sizes[1], sizes[2]), dtype);
        tn_dims shape = {sizes + 3 - merged, merged};
        tn_tensor *weight = i % 3 ? plane_drawn(shape, dtype) : NULL, *bias = i % 3 ? plane_drawn(shape, dtype) : NULL;
        const double *from = plane_values(x);
        double *expected = plane_room(tn_numel(x)), *means = plane_room(lines), *rstds = plane_room(lines);
        for (int64_t l = 0; l < lines; l++) {
            double var = 0;
            for (int64_t k = 0; k < elements; k++)
                means[l] += from[l * elements + k] / (double)elements;
            for (int64_t k = 0; k < elements; k++)
                var += pow(from[l * elements + k] - means[l], 2) / (double)elements;
            rstds[l] = 1 / sqrt(var + 0.25);
            for (int64_t k = 0; k < elements; k++)
                expected[l * elements + k] =
                    (from[l * elements + k] - means[l]) * rstds[l] * (weight ? plane_values(weight)[k] : 1) +
                    (bias ? plane_values(bias)[k] : 0);
        }
        tn_list *all = tn_native_layer_norm(x, shape, weight, bias, 0.25);
        plane_compare(plane_at(all, 0), expected, 60 * plane_tolerance(dtype));
        plane_compare(plane_at(all, 1), means, 20 * plane_tolerance(dtype));
        plane_compare(plane_at(all, 2), rstds, 20 * plane_tolerance(dtype));
        CHECK(tn_scope_close(scope) == TN_OK);
    }
}

TEST(local_response_norm_divides_by_the_squares_of_neighbouring_channels) {
    for (int64_t ndim = 3; ndim < 5; ndim++) {
        tn_tensor *x = ndim == 3 ? plane_some(TN_DIMS(2, 5, 6), TN_FLOAT64) : plane_some(TN_DIMS(2, 5, 2, 3), TN_FLOAT64);
        const double *from = plane_values(x);
        tn_tensor *got = tn_local_response_norm(x, 3, 0.5, 0.75, 2);
        CHECK(got);
        for (int64_t i = 0; i < 60; i++) {
            double sum = 0;
            for (int64_t c = i / 6 % 5 - 1; c <= i / 6 % 5 + 1; c++)
                sum += c < 0 || c > 4 ? 0 : pow(from[i / 30 * 30 + c * 6 + i % 6], 2);
            CHECK(fabs(plane_values(got)[i] - from[i] / pow(2 + 0.5 * sum / 3, 0.75)) < 1e-12);
        }
    }
    CHECK_ERROR(TN_ERROR_ARGUMENT, "size 0", tn_local_response_norm(tn_ones(TN_DIMS(1, 1, 1), TN_FLOAT32), 0, 1, 1, 1));
    CHECK_ERROR(TN_ERROR_SHAPE, "3 dimensions", tn_local_response_norm(tn_ones(TN_DIMS(1, 1), TN_FLOAT32), 1, 1, 1, 1));
}

/* ---- gradients, against differences of the sum of results times g */

typedef tn_tensor *(*norm_function)(const tn_tensor *x, const tn_tensor *weight, const tn_tensor *bias);

static tn_tensor *norm_group(const tn_tensor *x, const tn_tensor *weight, const tn_tensor *bias) {
    return tn_group_norm(x, 2, weight, bias, 0.1, false);
}
static tn_tensor *norm_layer(const tn_tensor *x, const tn_tensor *weight, const tn_tensor *bias) {
    return tn_layer_norm(x, TN_DIMS(3), weight, bias, 0.1);
}
static tn_tensor *norm_train(const tn_tensor *x, const tn_tensor *weight, const tn_tensor *bias) {
    return tn_batch_norm(x, weight, bias, NULL, NULL, true, 0.1, 0.1, false);
}
static tn_tensor *norm_evaluate(const tn_tensor *x, const tn_tensor *weight, const tn_tensor *bias) {
    tn_tensor *mean = tn_full(TN_DIMS(4), 0.5, TN_FLOAT64), *var = tn_full(TN_DIMS(4), 2, TN_FLOAT64);
    return tn_batch_norm(x, weight, bias, mean, var, false, 0.1, 0.1, false);
}

static double norm_dot(const tn_tensor *a, const tn_tensor *b) {
    CHECK(a && b);
    const double *x = plane_values(a), *y = plane_values(b);
    double sum = 0;
    for (int64_t i = 0; i < tn_numel(a); i++)
        sum += x[i] * y[i];
    return sum;
}

static void norm_check_gradients(norm_function function, const tn_tensor *grad, tn_tensor *const *of, tn_list *found) {
    CHECK(found);
    for (int k = 0; k < 3; k++) {
        const double *gradient = plane_values(plane_at(found, k));
        double *data = tn_mutable_data(of[k]), step = 1e-6;
        for (int64_t i = 0; i < tn_numel(of[k]); i++) {
            double before = data[i];
            data[i] = before + step;
            double up = norm_dot(function(of[0], of[1], of[2]), grad);
            data[i] = before - step;
            double down = norm_dot(function(of[0], of[1], of[2]), grad);
            data[i] = before;
            CHECK(fabs((up - down) / (2 * step) - gradient[i]) < 1e-6);
        }
    }
}

TEST_SAMPLED(gradients_of_norms_are_their_differences) {
    tn_tensor *x = plane_drawn(TN_DIMS(2, 4, 3), TN_FLOAT64), *grad = plane_drawn(TN_DIMS(2, 4, 3), TN_FLOAT64);
    tn_tensor *weight = plane_drawn(TN_DIMS(4), TN_FLOAT64), *bias = plane_drawn(TN_DIMS(4), TN_FLOAT64);
    tn_tensor *wide = plane_drawn(TN_DIMS(3), TN_FLOAT64), *shift = plane_drawn(TN_DIMS(3), TN_FLOAT64);
    tn_tensor *mean = tn_full(TN_DIMS(4), 0.5, TN_FLOAT64), *var = tn_full(TN_DIMS(4), 2, TN_FLOAT64);
    CHECK(mean && var);
    tn_tensor *of[] = {x, weight, bias}, *lines[] = {x, wide, shift};
    tn_dims all = TN_DIMS(1, 1, 1);
    tn_list *made = tn_native_group_norm(x, weight, bias, 2, 4, 3, 2, 0.1);
    norm_check_gradients(norm_group, grad, of,
                         tn_native_group_norm_backward(grad, x, plane_at(made, 1), plane_at(made, 2), weight, 2, 4, 3, 2, all));
    made = tn_native_layer_norm(x, TN_DIMS(3), wide, shift, 0.1);
    norm_check_gradients(
        norm_layer, grad, lines,
        tn_native_layer_norm_backward(grad, x, TN_DIMS(3), plane_at(made, 1), plane_at(made, 2), wide, shift, all));
    made = tn_native_batch_norm(x, weight, bias, NULL, NULL, true, 0.1, 0.1);
    norm_check_gradients(
        norm_train, grad, of,
        tn_native_batch_norm_backward(grad, x, weight, NULL, NULL, plane_at(made, 1), plane_at(made, 2), true, 0.1, all));
    norm_check_gradients(norm_evaluate, grad, of,
                         tn_native_batch_norm_backward(grad, x, weight, mean, var, NULL, NULL, false, 0.1, all));
    made = tn_native_batch_norm_backward(grad, x, NULL, mean, var, NULL, NULL, false, 0.1, TN_DIMS(0, 1, 0));
    CHECK_INT(tn_numel(plane_at(made, 0)), 0);
    CHECK_INT(tn_numel(plane_at(made, 1)), 4);
    CHECK_ERROR(TN_ERROR_ARGUMENT, "output_mask has 1",
                tn_native_batch_norm_backward(grad, x, NULL, mean, var, NULL, NULL, false, 0.1, TN_DIMS(1)));
    CHECK_ERROR(TN_ERROR_SHAPE, "save_mean",
                tn_native_batch_norm_backward(grad, x, NULL, mean, var, NULL, NULL, true, 0.1, all));
}

TEST(groups_that_are_not_whole_and_empty_inputs) {
    tn_tensor *x = tn_ones(TN_DIMS(2, 5, 3), TN_FLOAT32), *none = tn_empty(TN_DIMS(0, 4, 3), TN_FLOAT32), *got;
    CHECK(x && none);
    CHECK_ERROR(TN_ERROR_ARGUMENT, "5 channels are not 2 whole groups", tn_group_norm(x, 2, NULL, NULL, 1e-5, true));
    CHECK_ERROR(TN_ERROR_SHAPE, "N * C * HxW", tn_native_group_norm(x, NULL, NULL, 2, 5, 4, 1, 1e-5));
    CHECK_ERROR(TN_ERROR_SHAPE, "weight", tn_group_norm(x, 1, tn_ones(TN_DIMS(4), TN_FLOAT32), NULL, 1e-5, true));
    CHECK_ERROR(TN_ERROR_SHAPE, "normalized_shape", tn_native_layer_norm(x, TN_DIMS(4), NULL, NULL, 1e-5));
    CHECK((got = tn_group_norm(none, 2, NULL, NULL, 1e-5, true)) && tn_numel(got) == 0);
    CHECK((got = tn_instance_norm(none, NULL, NULL, NULL, NULL, true, 0.1, 1e-5, true)) && tn_numel(got) == 0);
    CHECK((got = tn_batch_norm(tn_empty(TN_DIMS(0), TN_FLOAT32), NULL, NULL, NULL, NULL, false, 0.1, 1e-5, true)) &&
          tn_numel(got) == 0);
    tn_list *all = tn_native_layer_norm(tn_empty(TN_DIMS(2, 0), TN_FLOAT32), TN_DIMS(0), NULL, NULL, 1e-5);
    CHECK_INT(tn_numel(plane_at(all, 1)), 2);
}

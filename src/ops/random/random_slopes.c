/* random_slopes.c - how a number drawn from a gamma or Dirichlet distribution moves with its parameter, the draw being the same.
 *
 * That is minus the derivative of the distribution function to the parameter, divided by the density (Figurnov, Mohamed and Mnih
 * 2018). Neither has a short exact form, so each region has its approximation: a series near 0 (and near 1), a saddle point
 * expansion for large parameters (Rice), a rational fit between them. Regions and constants are PyTorch's, so that its numbers
 * come out; everything is computed in float64.
 */
#include <math.h>

#include "base/parallel.h"
#include "operators_math.h"
#include "operators_random.h"
#include "ops/copy/copy.h"
#include "ops/random/random.h"

static double random_polynomial(const double *c, int terms, double x) {
    double value = c[terms - 1];
    for (int i = terms - 2; i >= 0; i--)
        value = c[i] + x * value;
    return value;
}

/* ---- gamma */

static double gamma_slope_small(double alpha, double x, double digamma) {
    double term = 1, below = alpha, first = 1 / below, second = 1 / (below * below);
    for (int i = 1; i <= 5; i++) {
        term *= -x / i;
        below += 1;
        first += term / below;
        second += term / (below * below);
    }
    double power = pow(x, alpha), density = pow(x, alpha - 1) * exp(-x);
    double slope = -((log(x) - digamma) * (power * first) - power * second) / density;
    return isnan(slope) ? 0 : slope;
}

static double gamma_slope_large(double alpha, double x) {
    double square = alpha * alpha, apart = alpha - x, ratio = log(x / alpha);
    if ((double)0.9F * alpha <= x && x <= (double)1.1F * alpha)
        return (1 + 24 * alpha * (1 + 12 * alpha)) *
               (1440 * square + 6 * x * (53 - 120 * x) - 65 * x * x / alpha + alpha * (107 + 3600 * x)) /
               (1244160 * square * square);
    double root = sqrt(8 * alpha), tail = pow(-apart - alpha * ratio, -1.5);
    double inner = root / apart + (x < alpha ? -tail : tail);
    double outer = ratio * inner - sqrt(2 / alpha) * (alpha + x) / (apart * apart);
    return -(1 + 1 / (12 * alpha) * (1 + 1 / (24 * alpha))) * x * outer / root;
}

static double gamma_slope(double alpha, double x, double digamma) {
    static const double fit[8][3] = {
        {0.16009398, 0.53487893, 0.040121004},
        {-0.094634809, 0.1298071, -0.0065914022},
        {0.025146376, 0.065735949, -0.0026286047},
        {-0.0030648343, -0.0015649758, -0.0013441777},
        {1, 0.16639465, 0.017050642},
        {0.32668115, 0.020070113, -0.0021309326},
        {0.10406089, -0.0035938915, 0.00085092367},
        {0.0014179084, -0.00058392623, -1.5247877e-07},
    };
    if (x < (double)0.8F)
        return gamma_slope_small(alpha, x, digamma);
    if (alpha > 8)
        return gamma_slope_large(alpha, x);
    double u = log(x / alpha), v = log(alpha), in_v[8];
    for (int i = 0; i < 8; i++)
        in_v[i] = random_polynomial(fit[i], 3, u);
    return exp(random_polynomial(in_v, 4, v) / random_polynomial(in_v + 4, 4, v));
}

/* ---- beta, which is what one part of a Dirichlet draw is; all divided by 1 - x. `rise` is digamma(alpha + beta) - digamma(alpha). */

static double beta_slope_near_0(double x, double alpha, double beta, double rise) {
    double factor = -rise - log(x), term = 1, series = 1 / alpha * (factor + 1 / alpha);
    for (int i = 1; i <= 10; i++) {
        term *= (i - beta) * x / i;
        series += term / (alpha + i) * (factor + 1 / (alpha + i));
    }
    double slope = x * pow(1 - x, -beta) * series;
    return isnan(slope) ? 0 : slope;
}

/* Of the other part, `rest` = 1 - x, to its second parameter. */
static double beta_slope_near_1(double rest, double alpha, double beta, double rise) {
    double term = 1, product = 1, change = 0, series = rise / beta;
    for (int i = 1; i <= 8; i++) {
        term *= -rest / i;
        change = change * (alpha - i) + product;
        product *= alpha - i;
        series += term / (beta + i) * (change + rise * product);
    }
    double slope = pow(1 - rest, 1 - alpha) * series;
    return isnan(slope) ? 0 : slope;
}

static double stirling(double x) { return 1 + 1 / (12 * x) + 1 / (288 * x * x); }

static double beta_slope_large(double x, double alpha, double beta) {
    double total = alpha + beta, mean = alpha / total, deviation = sqrt(alpha * beta / (total + 1)) / total, b2 = beta * beta;
    if (mean - 0.1 * deviation <= x && x <= mean + 0.1 * deviation) {
        double in_alpha[5] = {47 * x * b2 * b2, (43 + 20 * (16 + 27 * beta) * x) * b2 * beta,
                              3 * (59 + 180 * beta - 90 * x) * b2, (453 + 1620 * beta * (1 - x) - 455 * x) * beta,
                              8 * (1 - x) * (135 * beta - 11)};
        return (1 + 12 * alpha) * (1 + 12 * beta) / (total * total) / (1 - x) * random_polynomial(in_alpha, 5, alpha) /
               (12960 * alpha * alpha * alpha * b2 * (1 + 12 * total));
    }
    double apart = alpha * (x - 1) + beta * x;
    double first = (2 * alpha * alpha * (x - 1) + alpha * beta * (x - 1) - x * b2) /
                   (sqrt(2 * alpha / beta) * pow(total, 1.5) * apart * apart);
    double ratio = log(alpha / (total * x)), tail = pow(beta * log(beta / (total * (1 - x))) + alpha * ratio, -1.5);
    double inner = sqrt(8 * alpha * beta / total) / apart + (x < mean ? tail : -tail);
    return stirling(alpha) * stirling(beta) / stirling(total) * -x / sqrt(2 * alpha * beta / total) *
           (first + 0.5 * ratio * inner);
}

static double dirichlet_slope(double x, double alpha, double total, double rise) {
    static const double fit[2][3][3][4] = {
        {{{1.003668233, -0.01061107488, -0.0657888334, 0.01201642863},
          {0.6336835991, -0.3557432599, 0.05486251648, -0.001465281033},
          {-0.03276231906, 0.004474107445, 0.002429354597, -0.0001557569013}},
         {{0.221950385, -0.3187676331, 0.01799915743, 0.01074823814},
          {-0.2951249643, 0.06219954479, 0.01535556598, 0.001550077057},
          {0.02155310298, 0.004170831599, 0.001292462449, 6.976601077e-05}},
         {{-0.05980841433, 0.008441916499, 0.01085618172, 0.002319392565},
          {0.02911413504, 0.01400243777, -0.002721828457, 0.000751041181},
          {0.005900514878, -0.001936558688, -9.495446725e-06, 5.385558597e-05}}},
        {{{1, -0.02924021934, -0.04438342661, 0.007285809825},
          {0.6357567472, -0.3473456711, 0.05454656494, -0.002407477521},
          {-0.03301322327, 0.004845219414, 0.00231480583, -0.0002307248149}},
         {{0.5925320577, -0.1757678135, 0.01505928619, 0.000564515273},
          {0.1014815858, -0.06589186703, 0.01272886114, -0.0007316646956},
          {-0.007258481865, 0.001096195486, 0.0003934994223, -4.12701925e-05}},
         {{0.06469649321, -0.0236701437, 0.002902096474, -5.896963079e-05},
          {0.001925008108, -0.002869809258, 0.0008000589141, -6.063713228e-05},
          {-0.0003477407336, 6.959756487e-05, 1.097287507e-05, -1.650964693e-06}}},
    };
    double beta = total - alpha, boundary = total * x * (1 - x);
    if (x <= 0.5 && boundary < 2.5)
        return beta_slope_near_0(x, alpha, beta, rise);
    if (x >= 0.5 && boundary < 0.75)
        return beta_slope_near_1(1 - x, alpha, beta, rise);
    if (alpha > 6 && beta > 6)
        return beta_slope_large(x, alpha, beta);
    double u = log(x), a = log(alpha) - u, b = log(total) - a, sum[2] = {0, 0};
    for (int part = 0; part < 2; part++)
        for (int i = 0; i < 9; i++)
            sum[part] += (i < 3   ? 1
                          : i < 6 ? u
                                  : u * u) *
                         (i % 3 == 0   ? 1
                          : i % 3 == 1 ? a
                                       : a * a) *
                         random_polynomial(fit[part][i / 3][i % 3], 4, b);
    return sum[0] / sum[1] * x * rise / beta;
}

/* ---- all elements */

typedef struct slope_work {
    double *first; /* the parameter of gamma, x of Dirichlet; the slope is written over it */
    const double *second, *third, *digamma;
} slope_work;

static void slope_piece(void *arg, int64_t begin, int64_t end) {
    const slope_work *work = arg;
    for (int64_t i = begin; i < end; i++)
        work->first[i] = work->third ? dirichlet_slope(work->first[i], work->second[i], work->third[i], work->digamma[i])
                                     : gamma_slope(work->first[i], work->second[i], work->digamma[i]);
}

static double *slope_read(tn_tensor *flat) { return (double *)(void *)tni_tensor_write(flat); }

/* digamma(of), or of `total` the difference. */
static tn_tensor *slope_digamma(const tn_tensor *of, const tn_tensor *total) {
    tn_tensor *made = tni_op_digamma(of), *whole = made && total ? tni_op_digamma(total) : NULL;
    if (whole) {
        double *values = slope_read(made);
        const double *above = slope_read(whole);
        for (int64_t i = 0; i < of->numel; i++)
            values[i] = above[i] - values[i];
    }
    bool failed = total && !whole;
    tni_tensor_release(whole);
    if (failed)
        tni_tensor_release(made);
    return failed ? NULL : made;
}

static tn_error slope_run(tn_tensor *out, const tn_tensor *const *operands, int count) {
    tn_dims sizes = {out->sizes, out->ndim};
    tn_tensor *flat[3] = {NULL, NULL, NULL}, *digamma = NULL;
    bool made = true;
    for (int i = 0; made && i < count; i++)
        made = (flat[i] = tni_random_doubles_of(operands[i], sizes)) != NULL;
    if (made)
        made = (digamma = slope_digamma(flat[count == 3 ? 1 : 0], flat[2])) != NULL;
    tn_error code = TN_OK;
    if (made) {
        slope_work work = {slope_read(flat[0]), slope_read(flat[1]), flat[2] ? slope_read(flat[2]) : NULL, slope_read(digamma)};
        if (tni_parallel_for(out->numel, TNI_RANDOM_PIECE, slope_piece, &work))
            code = tni_copy_into(out, flat[0], "slopes in the dtype of the draw");
        else
            code = tni_failed();
    } else
        code = tni_failed();
    tni_tensor_release(digamma);
    for (int i = 0; i < count; i++)
        tni_tensor_release(flat[i]);
    return code;
}

static bool slope_plan(tni_plan *plan, const tn_tensor *const *operands, const char *const *names, int count) {
    tn_dims shapes[3];
    int64_t ndim = 0, sizes[TN_MAX_DIMS];
    for (int i = 0; i < count; i++) {
        if (!tni_random_is_real(operands[i], names[i]))
            return false;
        if (operands[i]->dtype != operands[0]->dtype) {
            tni_raise(TN_ERROR_DTYPE, "%s is %s and %s is %s; they must have the same dtype", names[0],
                      tn_dtype_name(operands[0]->dtype), names[i], tn_dtype_name(operands[i]->dtype));
            return false;
        }
        shapes[i] = (tn_dims){operands[i]->sizes, operands[i]->ndim};
    }
    tn_geometry_result found = tn_geometry_broadcast_all(shapes, count, &ndim, sizes, NULL);
    if (found != TN_GEOMETRY_OK) {
        tni_raise(tn_geometry_result_error(found), "%s %s and the others do not broadcast: %s", names[0],
                  tni_show_tensor(operands[0]), tn_geometry_result_text(found));
        return false;
    }
    tni_plan_begin(plan, operands[0]);
    tni_plan_add(plan, ndim, sizes, operands[0]->dtype);
    return true;
}

bool tni_plan__standard_gamma_grad(tni_plan *plan, const tn_tensor *self, const tn_tensor *output) {
    return slope_plan(plan, (const tn_tensor *[]){self, output}, (const char *[]){"self", "output"}, 2);
}

tn_error tni_run__standard_gamma_grad(const tni_plan *plan, tn_tensor *const *results, const tn_tensor *self,
                                      const tn_tensor *output) {
    (void)plan;
    return slope_run(results[0], (const tn_tensor *[]){self, output}, 2);
}

bool tni_plan__dirichlet_grad(tni_plan *plan, const tn_tensor *x, const tn_tensor *alpha, const tn_tensor *total) {
    return slope_plan(plan, (const tn_tensor *[]){x, alpha, total}, (const char *[]){"x", "alpha", "total"}, 3);
}

tn_error tni_run__dirichlet_grad(const tni_plan *plan, tn_tensor *const *results, const tn_tensor *x, const tn_tensor *alpha,
                                 const tn_tensor *total) {
    (void)plan;
    return slope_run(results[0], (const tn_tensor *[]){x, alpha, total}, 3);
}

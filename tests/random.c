/* random.c - random numbers: PyTorch's stream, what is refused, and whether the numbers are as random as they should be (at
 * fixed seeds: a test that passes once always passes). Generators are in generator.c, what Philox promises in random_philox.c.
 *
 * Tests: src/ops/random/random_choose.c, src/ops/random/random_counts.c, src/ops/random/random_decide.c
 * Tests: src/ops/random/random_initialise.c, src/ops/random/random_new.c, src/ops/random/random_real.c, src/ops/random/random_slopes.c
 * Tests: src/ops/random/random_whole.c */
#include "random_helpers.h"

/* ---- PyTorch's numbers */

typedef struct random_case {
    const char *name;
    uint32_t seed;
    int warm;
    tn_dtype dtype;
    int ndim;
    int64_t sizes[4];
    int layout;
    double a, b;
    int64_t count;
    const double *values;
} random_case;

static const random_case random_cases[] = {
#include "data/random_cases.inc"
};

static tn_tensor *case_target(const random_case *c) {
    tn_dims sizes = {c->sizes, c->ndim};
    if (c->layout == 1) {
        int64_t turned[4], order[4];
        for (int d = 0; d < c->ndim; d++) {
            turned[d] = c->sizes[c->ndim - 1 - d];
            order[d] = c->ndim - 1 - d;
        }
        return tn_permute(tn_zeros((tn_dims){turned, c->ndim}, c->dtype), (tn_dims){order, c->ndim});
    }
    if (c->layout == 2) {
        int64_t wide[4];
        memcpy(wide, c->sizes, sizeof wide);
        wide[c->ndim - 1] *= 2;
        return tn_slice(tn_zeros((tn_dims){wide, c->ndim}, c->dtype), c->ndim - 1, TN_NONE, TN_NONE, 2);
    }
    return tn_zeros(sizes, c->dtype);
}

/* The parameters that are one number for each element: from a to b in equal steps, computed as PyTorch was given them. */
static tn_tensor *case_rates(const random_case *c) { return tn_to(tn_linspace(c->a, c->b, c->sizes[0], TN_FLOAT64), c->dtype); }

static tn_tensor *case_run(const random_case *c) {
    tn_dims sizes = {c->sizes, c->ndim};
    const char *name = c->name;
    size_t length = strlen(name);
    if (name[length - 1] == '_' || strstr(name, "_.")) {
        tn_tensor *x = case_target(c);
        tn_value a = tn_value_float(c->a), b = tn_value_float(c->b);
        tn_values two = {(tn_value[]){tn_value_tensor(x), a, b}, 3};
        if (strncmp(name, "random_.", 8) == 0) {
            a = tn_value_int((int64_t)c->a);
            b = tn_value_int((int64_t)c->b);
            return tn_call_tensor(name, (tn_values){(tn_value[]){tn_value_tensor(x), a, b}, strstr(name, "from") ? 3 : 2});
        }
        if (strcmp(name, "trunc_normal_") == 0)
            return tn_trunc_normal_(x, 0.25, 1.25, c->a, c->b, NULL);
        if (strcmp(name, "kaiming_normal_") == 0)
            return tn_kaiming_normal_(x, c->a, "fan_out", "relu", NULL);
        if (strcmp(name, "dirac_") == 0)
            return tn_dirac_(x, (int64_t)c->a);
        static const char *const pairs[] = {"uniform_", "normal_", "log_normal_", "cauchy_", "sparse_"};
        for (size_t i = 0; i < sizeof pairs / sizeof pairs[0]; i++)
            if (strcmp(name, pairs[i]) == 0)
                return tn_call_tensor(name, two);
        two.count = strcmp(name, "random_") == 0 ? 1 : 2;
        return tn_call_tensor(name, two);
    }
    if (strcmp(name, "rand") == 0)
        return tn_rand(sizes, c->dtype, NULL);
    if (strcmp(name, "randn") == 0)
        return tn_randn(sizes, c->dtype, NULL);
    if (strcmp(name, "randint") == 0)
        return tn_randint_low((int64_t)c->a, (int64_t)c->b, sizes, c->dtype, NULL);
    if (strcmp(name, "randperm") == 0)
        return tn_randperm(c->sizes[0], c->dtype, NULL);
    if (strcmp(name, "dropout") == 0)
        return tn_dropout(tn_ones(sizes, c->dtype), c->a, true, NULL);
    if (strcmp(name, "normal") == 0)
        return tn_normal(c->a, c->b, sizes, c->dtype, NULL);
    tn_tensor *rates = case_rates(c);
    if (strcmp(name, "normal.tensor") == 0)
        return tn_normal_tensor(rates, rates, NULL);
    if (strcmp(name, "normal.tensor_float") == 0)
        return tn_normal_tensor_float(rates, 1.5, NULL);
    if (strcmp(name, "normal.float_tensor") == 0)
        return tn_normal_float_tensor(1.5, rates, NULL);
    if (strcmp(name, "binomial") == 0)
        return tn_binomial(tn_full(sizes, 60.0, c->dtype), rates, NULL);
    if (strncmp(name, "multinomial", 11) == 0)
        return tn_multinomial(rates, strstr(name, "many") ? 50 : strstr(name, "one") ? 1 : 12, strstr(name, "_") != NULL, NULL);
    return tn_call_tensor(name, TN_VALUES(rates));
}

/* Where PyTorch's own numbers depend on the instruction set, ours may differ in the last places too. */
static double case_tolerance(const random_case *c) {
    bool sixteens = strstr(c->name, "normal") || strcmp(c->name, "randn") == 0 || strcmp(c->name, "sparse_") == 0;
    bool single = c->dtype == TN_FLOAT32 && sixteens;
    if (strcmp(c->name, "orthogonal_") == 0 || strcmp(c->name, "standard_gamma") == 0)
        return 1e-12;
    return single ? 2e-6 : c->dtype == TN_FLOAT16 && sixteens ? 0x1p-10 : c->dtype == TN_BFLOAT16 && sixteens ? 0x1p-7 : 1e-15;
}

static void check_case(const random_case *c) {
    CHECK_INT(tn_manual_seed(c->seed), TN_OK);
    for (int i = 0; i < c->warm; i++)
        (void)tn_generator_next(NULL);
    tn_tensor *x = case_run(c);
    if (!x)
        test_fail(__FILE__, __LINE__, "%s: %s", c->name, tn_error_message());
    tn_tensor *flat = tn_reshape(x, TN_DIMS(-1));
    CHECK(flat);
    CHECK_INT(tn_numel(flat), c->count);
    double tolerance = case_tolerance(c);
    for (int64_t i = 0; i < c->count; i++) {
        double got = tn_get_double(flat, TN_DIMS(i)), wanted = c->values[i];
        double error = fabs(got - wanted), size = fabs(wanted) > 1 ? fabs(wanted) : 1;
        if (!(error <= tolerance * size || got == wanted || (isnan(got) && isnan(wanted))))
            test_fail(__FILE__, __LINE__, "case %d, %s of %s, layout %d: element %d is %.17g, not %.17g",
                      (int)(c - random_cases), c->name, tn_dtype_name(c->dtype), c->layout, (int)i, got, wanted);
    }
}

TEST_SAMPLED(a_seed_gives_the_numbers_it_gives_in_pytorch) {
    for (size_t i = 0; i < sizeof random_cases / sizeof random_cases[0]; i++) {
        tn_scope scope = tn_scope_open();
        check_case(&random_cases[i]);
        CHECK_INT(tn_scope_close(scope), TN_OK);
    }
}

TEST(uniform_numbers_integers_and_permutations_are_pytorchs_to_the_bit) {
    CHECK_INT(tn_manual_seed(0), TN_OK);
    tn_tensor *x = tn_rand(TN_DIMS(4), TN_FLOAT32, NULL);
    CHECK(x);
    static const uint32_t words[] = {2357136044U, 2546248239U, 3071714933U, 3626093760U};
    for (int i = 0; i < 4; i++)
        CHECK_DOUBLE(tn_get_double(x, TN_DIMS(i)), (double)((float)(words[i] & 0xffffff) * 0x1p-24F));
    CHECK_INT(tn_generator_next(NULL), 2588848963U);
}

TEST(what_depends_on_layout_and_on_extremes_is_pytorchs_too) {
    static const int64_t choices[] = {3, 2, 1, 0, 3, 2, 1, 0, 2, 0, 1, 3};
    tn_tensor *rates = tn_to(tn_linspace(0.1, 3, 12, TN_FLOAT64), TN_FLOAT32);
    CHECK(rates && tn_manual_seed(4) == TN_OK);
    tn_tensor *chosen = tn_multinomial(tn_transpose(tn_view(rates, TN_DIMS(4, 3)), 0, 1), 4, false, NULL);
    CHECK(chosen);
    for (int i = 0; i < 12; i++) /* the exponential numbers have the strides of the weights */
        CHECK_INT(tn_get_int64(chosen, TN_DIMS(i / 4, i % 4)), choices[i]);
    CHECK_INT(tn_manual_seed(4), TN_OK);
    tn_tensor *parts = tn_sample_dirichlet(tn_full(TN_DIMS(2, 3), 0.0005, TN_FLOAT32), NULL);
    CHECK(parts); /* gamma numbers that vanish become the smallest positive ones: equal parts, not 0 / 0 */
    CHECK_DOUBLE(tn_get_double(parts, TN_DIMS(0, 1)), (double)(1.0F / 3));
    CHECK_DOUBLE(tn_get_double(parts, TN_DIMS(1, 0)), (double)0x1.fffffep-1F);
    CHECK_INT(tn_manual_seed(4), TN_OK);
    tn_tensor *large = tn_random_to_(tn_empty(TN_DIMS(2), TN_FLOAT32), INT64_MAX, NULL);
    CHECK(large);
    CHECK_DOUBLE(tn_get_double(large, TN_DIMS(0)), 0x1.de3d12p+62);
    CHECK_DOUBLE(tn_get_double(large, TN_DIMS(1)), 0x1.82ed36p+59);
    CHECK_INT(tn_manual_seed(4), TN_OK);
    tn_tensor *normal = tn_normal_(tn_empty(TN_DIMS(2), TN_COMPLEX64), 1, 2, NULL);
    CHECK(normal); /* both parts have the mean */
    CHECK(fabs(tn_get_double(tn_view_as_real(normal), TN_DIMS(0, 1)) - 1.328784465789795) < 1e-6);
}

static tn_tensor *doubles_at(const double *data, int64_t count) {
    return tn_from_memory(data, TN_DIMS(count), TN_FLOAT64, TN_BORROW);
}

/* One point of each region in which they are computed in another way; the numbers are PyTorch's. */
TEST(draws_of_gamma_and_dirichlet_move_with_their_parameters_as_in_pytorch) {
    static const double shapes[] = {0.3, 0.05, 2, 5, 20, 20, 20}, drawn[] = {0.2, 1e-6, 1.5, 9, 19, 12, 31};
    static const double slopes[] = {1.2120372671214263, 0.00026635358314383513, 0.9366198345654156, 1.3672391086493698,
                                    0.9827254818951642, 0.7725959054368412,     1.2454431228616505};
    static const double parts[] = {0.1, 0.97, 0.4, 0.45, 0.3, 0.6}, alphas[] = {0.5, 3, 30, 30, 2, 2.5};
    static const double totals[] = {2.5, 3.2, 75, 50, 14, 5.5};
    static const double shares[] = {0.4014400633483731,   0.37422890210780574, 0.013466987285376661,
                                    0.017467547433762394, 0.11304737248901005, 0.23773342495167485};
    tn_tensor *gamma = tn__standard_gamma_grad(doubles_at(shapes, 7), doubles_at(drawn, 7));
    tn_tensor *beta = tn__dirichlet_grad(doubles_at(parts, 6), doubles_at(alphas, 6), doubles_at(totals, 6));
    CHECK(gamma && beta);
    for (int i = 0; i < 7; i++)
        CHECK(fabs(tn_get_double(gamma, TN_DIMS(i)) / slopes[i] - 1) < 1e-12);
    for (int i = 0; i < 6; i++)
        CHECK(fabs(tn_get_double(beta, TN_DIMS(i)) / shares[i] - 1) < 1e-12);
    tn_tensor *wide =
        tn__standard_gamma_grad(tn_full(TN_DIMS(2, 1), 2.0, TN_FLOAT64), tn_flip(doubles_at(drawn, 7), TN_DIMS(0)));
    CHECK(wide && tn_size(wide, 0) == 2 && tn_size(wide, 1) == 7);
    CHECK(fabs(tn_get_double(wide, TN_DIMS(1, 4)) / slopes[2] - 1) < 1e-12);
    CHECK_ERROR(TN_ERROR_DTYPE, "same dtype", tn__standard_gamma_grad(gamma, tn_to(gamma, TN_FLOAT32)));
    CHECK_ERROR(TN_ERROR_SHAPE, "broadcast", tn__standard_gamma_grad(gamma, beta));
    CHECK_ERROR(TN_ERROR_DTYPE, "total is", tn__dirichlet_grad(beta, beta, tn_arange(6, TN_INT64)));
}

/* Of a row of parts, whose sum stays 1, the derivatives add up to nothing; one number moves by its slope. */
TEST(draws_of_gamma_and_dirichlet_have_derivatives) {
    tn_tensor *shape = tn_requires_grad_(tn_linspace(0.2, 9, 12, TN_FLOAT64), true);
    CHECK(shape && tn_manual_seed(4) == TN_OK);
    tn_tensor *drawn = tn_standard_gamma(shape, NULL);
    CHECK(drawn && tn_backward(tn_sum(drawn, TN_DTYPE_DEFAULT), NULL) == TN_OK);
    tn_tensor *wanted = tn__standard_gamma_grad(tn_detach(shape), tn_detach(drawn));
    CHECK(wanted && tn_equal(tn_tensor_grad(shape), wanted));
    tn_tensor *rows = tn_requires_grad_(tn_reshape(tn_linspace(0.2, 9, 12, TN_FLOAT64), TN_DIMS(4, 3)), true);
    tn_tensor *parts = rows ? tn_sample_dirichlet(rows, NULL) : NULL;
    CHECK(parts && tn_backward(tn_sum(parts, TN_DTYPE_DEFAULT), NULL) == TN_OK);
    for (int i = 0; i < 12; i++)
        CHECK(fabs(tn_get_double(tn_tensor_grad(rows), TN_DIMS(i / 3, i % 3))) < 1e-12);
}

/* ---- are the numbers as they should be? */

static int compare_doubles(const void *a, const void *b) {
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/* The largest distance between the share of numbers up to x and the distribution: for 20000 numbers above 0.0138 once in a
 * thousand tries. */
static double distance(const tn_tensor *x, double (*distribution)(double)) {
    int64_t count = tn_numel(x);
    double *values = malloc((size_t)count * sizeof *values), worst = 0;
    for (int64_t i = 0; values && i < count; i++)
        values[i] = tn_get_double(x, TN_DIMS(i));
    if (!values)
        return 1;
    qsort(values, (size_t)count, sizeof *values, compare_doubles);
    for (int64_t i = 0; i < count; i++) {
        double share = distribution(values[i]), above = fabs((double)(i + 1) / (double)count - share);
        double below = fabs((double)i / (double)count - share);
        worst = fmax(worst, fmax(above, below));
    }
    free(values);
    return worst;
}

static double uniform_share(double x) { return x < 0 ? 0 : x > 1 ? 1 : x; }
static double normal_share(double x) { return 0.5 * erfc(-x / sqrt(2.0)); }
static double exponential_share(double x) { return x < 0 ? 0 : -expm1(-x); }
static double cauchy_share(double x) { return 0.5 + atan(x) / 3.14159265358979323846; }
static double log_normal_share(double x) { return x <= 0 ? 0 : normal_share((log(x) - 1) / 2); }
static double gamma_share(double x) { return x < 0 ? 0 : 1 - exp(-x) * (1 + x + x * x / 2); } /* of shape 3 */

TEST_SAMPLED(distributions_are_what_their_names_say) {
    for (int engine = TN_MT19937; engine <= TN_PHILOX; engine++)
        for (int wide = 0; wide < 2; wide++) {
            tn_generator *generator = tn_generator_new((tn_engine)engine, 2026);
            tn_dtype dtype = wide ? TN_FLOAT64 : TN_FLOAT32;
            tn_tensor *x = tn_empty(TN_DIMS(20000), dtype), *threes = tn_full(TN_DIMS(20000), 3.0, dtype);
            CHECK(generator && x && threes);
            CHECK(tn_uniform_(x, 0, 1, generator) && distance(x, uniform_share) < 0.0138);
            CHECK(tn_normal_(x, 0, 1, generator) && distance(x, normal_share) < 0.0138);
            CHECK(tn_exponential_(x, 1, generator) && distance(x, exponential_share) < 0.0138);
            CHECK(tn_cauchy_(x, 0, 1, generator) && distance(x, cauchy_share) < 0.0138);
            CHECK(tn_log_normal_(x, 1, 2, generator) && distance(x, log_normal_share) < 0.0138);
            tn_tensor *gamma = tn_standard_gamma(threes, generator);
            CHECK(gamma && distance(gamma, gamma_share) < 0.0138);
        }
}

/* Chi-square of counts against shares of `total`. */
static double chi_square(const int64_t *counts, const double *shares, int kinds, int64_t total) {
    double sum = 0;
    for (int i = 0; i < kinds; i++) {
        double expected = shares[i] * (double)total, off = (double)counts[i] - expected;
        sum += off * off / expected;
    }
    return sum;
}

static double chi_square_of(const tn_tensor *x, const double *shares, int kinds) {
    int64_t counts[16] = {0};
    for (int64_t i = 0; i < tn_numel(x); i++) {
        int64_t value = tn_get_int64(x, TN_DIMS(i));
        CHECK(value >= 0);
        counts[value < kinds ? value : kinds - 1]++;
    }
    return chi_square(counts, shares, kinds, tn_numel(x));
}

TEST_SAMPLED(counts_and_choices_have_their_shares) { /* 27.9 is exceeded once in a thousand tries with 9 degrees of freedom */
    for (int engine = TN_MT19937; engine <= TN_PHILOX; engine++) {
        tn_generator *generator = tn_generator_new((tn_engine)engine, 4);
        CHECK(generator);
        double even[10], poisson[10], binomial[10], rest = 1, rest2 = 1, p = exp(-3.0), q = pow(0.6, 12);
        for (int i = 0; i < 10; i++) {
            even[i] = 0.1;
            poisson[i] = i < 9 ? p : rest;
            binomial[i] = i < 9 ? q : rest2;
            rest -= p;
            rest2 -= q;
            p *= 3.0 / (i + 1);
            q *= (12.0 - i) / (i + 1) * (0.4 / 0.6);
        }
        tn_tensor *digits = tn_randint(10, TN_DIMS(20000), TN_INT64, generator);
        CHECK(digits && chi_square_of(digits, even, 10) < 27.9);
        tn_tensor *rates = tn_full(TN_DIMS(20000), 3.0, TN_FLOAT64), *tries = tn_full(TN_DIMS(20000), 12.0, TN_FLOAT64);
        tn_tensor *chances = tn_full(TN_DIMS(20000), 0.4, TN_FLOAT64);
        tn_tensor *poissons = tn_poisson(rates, generator), *binomials = tn_binomial(tries, chances, generator);
        CHECK(poissons && chi_square_of(poissons, poisson, 10) < 27.9);
        CHECK(binomials && chi_square_of(binomials, binomial, 10) < 27.9);
        tn_tensor *weights = tn_arange_start(1, 11, 1, TN_FLOAT32);
        tn_tensor *choices = weights ? tn_multinomial(weights, 20000, true, generator) : NULL;
        double growing[10];
        for (int i = 0; i < 10; i++)
            growing[i] = (i + 1) / 55.0;
        CHECK(choices && chi_square_of(choices, growing, 10) < 27.9);
        tn_tensor *order = tn_randperm(1000, TN_INT64, generator);
        bool seen[1000] = {false};
        CHECK(order);
        for (int i = 0; i < 1000; i++) {
            int64_t value = tn_get_int64(order, TN_DIMS(i));
            CHECK(value >= 0 && value < 1000 && !seen[value]);
            seen[value] = true;
        }
    }
}

TEST(drawing_without_replacement_gives_no_position_twice) {
    tn_generator *generator = tn_generator_new(TN_PHILOX, 8);
    tn_tensor *weights = tn_ones(TN_DIMS(3, 20), TN_FLOAT32);
    CHECK(generator && weights);
    tn_tensor *chosen = tn_multinomial(weights, 20, false, generator);
    CHECK(chosen);
    CHECK_INT(tn_size(chosen, 0), 3);
    for (int64_t row = 0; row < 3; row++) {
        uint32_t seen = 0;
        for (int64_t i = 0; i < 20; i++)
            seen |= UINT32_C(1) << tn_get_int64(chosen, TN_DIMS(row, i));
        CHECK_INT(seen, (UINT32_C(1) << 20) - 1);
    }
}

TEST(rows_of_weights_may_be_none_one_weight_or_lie_across) {
    for (int replacement = 0; replacement < 2; replacement++) {
        tn_tensor *none = tn_multinomial(tn_ones(TN_DIMS(0, 5), TN_FLOAT32), 2, replacement, NULL);
        CHECK(none);
        CHECK_INT(tn_ndim(none), 2);
        CHECK_INT(tn_size(none, 0), 0);
        CHECK_INT(tn_size(none, 1), 2);
        tn_tensor *only = tn_multinomial(tn_ones(TN_DIMS(3, 1), TN_FLOAT64), 1, replacement, NULL);
        CHECK(only && tn_equal(only, tn_zeros(TN_DIMS(3, 1), TN_INT64)));
        tn_tensor *diagonal = tn_multinomial(tn_transpose(tn_eye(4, 4, TN_FLOAT32), 0, 1), 1, replacement, NULL);
        CHECK(diagonal && tn_equal(diagonal, tn_view(tn_arange(4, TN_INT64), TN_DIMS(4, 1))));
    }
}

TEST(weights_of_zero_are_chosen_last) {
    tn_generator *generator = tn_generator_new(TN_MT19937, 3);
    tn_tensor *weights = TN_VECTOR(float, 0, 1, 0, 1e-30F, 2, 0);
    CHECK(generator && weights);
    for (int i = 0; i < 10; i++) {
        tn_tensor *chosen = tn_multinomial(tn_to(weights, TN_FLOAT16), 5, false, generator); /* 1e-30 is 0 too, in float16 */
        CHECK(chosen);
        CHECK(tn_get_int64(chosen, TN_DIMS(0)) % 3 == 1 && tn_get_int64(chosen, TN_DIMS(1)) % 3 == 1);
        chosen = tn_multinomial(weights, 3, false, generator);
        CHECK(chosen && tn_get_int64(chosen, TN_DIMS(2)) == 3);
    }
}

TEST_SAMPLED(few_of_many_choices_are_the_first_of_all) {
    tn_tensor *weights = tn_rand(TN_DIMS(2, 5000), TN_FLOAT32, tn_generator_new(TN_PHILOX, 4));
    tn_tensor *all = tn_multinomial(weights, 5000, false, tn_generator_new(TN_MT19937, 4));
    tn_tensor *few = tn_multinomial(weights, 100, false, tn_generator_new(TN_MT19937, 4));
    tn_tensor *some = tn_multinomial(weights, 1000, false, tn_generator_new(TN_MT19937, 4));
    CHECK(all && few && some);
    CHECK(tn_equal(few, tn_slice(all, 1, 0, 100, 1)) && tn_equal(some, tn_slice(all, 1, 0, 1000, 1)));
}

/* ---- what is refused */

TEST(parameters_that_make_no_sense_are_refused_before_anything_is_drawn) {
    tn_generator *generator = tn_generator_new(TN_MT19937, 0), *untouched = tn_generator_new(TN_MT19937, 0);
    tn_tensor *x = tn_zeros(TN_DIMS(4), TN_FLOAT32), *whole = tn_zeros(TN_DIMS(4), TN_INT8), *bad = TN_VECTOR(float, 0.5, 2);
    CHECK(generator && untouched && x && whole && bad);
    CHECK_ERROR(TN_ERROR_ARGUMENT, "from 2", tn_uniform_(x, 2, 1, generator));
    CHECK_ERROR(TN_ERROR_ARGUMENT, "numbers that float32 holds", tn_uniform_(x, 0, 1e300, generator));
    CHECK_ERROR(TN_ERROR_DTYPE, "real numbers", tn_uniform_(whole, 0, 1, generator));
    CHECK_ERROR(TN_ERROR_DTYPE, "real numbers", tn_normal_(whole, 0, 1, generator));
    CHECK_ERROR(TN_ERROR_ARGUMENT, "std is -1", tn_normal_(x, 0, -1, generator));
    CHECK_ERROR(TN_ERROR_ARGUMENT, "lambd is 0", tn_exponential_(x, 0, generator));
    CHECK_ERROR(TN_ERROR_ARGUMENT, "sigma is 0", tn_cauchy_(x, 0, 0, generator));
    CHECK_ERROR(TN_ERROR_ARGUMENT, "p is 1", tn_geometric_(x, 1, generator));
    CHECK_ERROR(TN_ERROR_ARGUMENT, "p is 1.5", tn_bernoulli_(x, 1.5, generator));
    CHECK_ERROR(TN_ERROR_ARGUMENT, "element 1 of p is 2", tn_bernoulli(bad, generator));
    CHECK_ERROR(TN_ERROR_ARGUMENT, "not below", tn_random_from_(x, 5, 5, generator));
    CHECK_ERROR(TN_ERROR_ARGUMENT, "what int8 holds", tn_random_to_(whole, 1000, generator));
    CHECK_ERROR(TN_ERROR_ARGUMENT, "n is -1", tn_randperm(-1, TN_INT64, generator));
    CHECK_ERROR(TN_ERROR_DTYPE, "does not hold", tn_randperm(1000, TN_INT8, generator));
    CHECK_ERROR(TN_ERROR_ARGUMENT, "num_samples is 5 of 2", tn_multinomial(bad, 5, false, generator));
    CHECK_ERROR(TN_ERROR_ARGUMENT, "are 0", tn_multinomial(x, 2, true, generator));
    CHECK_ERROR(TN_ERROR_OVERLAP, "share one place",
                tn_uniform_(tn_expand(tn_zeros(TN_DIMS(1), TN_FLOAT32), TN_DIMS(4)), 0, 1, generator));
    CHECK_ERROR(TN_ERROR_SHAPE, "fewer than 2", tn_xavier_uniform_(x, 1, generator));
    CHECK_ERROR(TN_ERROR_DTYPE, "real numbers", tn_orthogonal_(tn_zeros(TN_DIMS(2, 2), TN_COMPLEX64), 1, generator));
    CHECK_ERROR(TN_ERROR_ARGUMENT, "nonlinearity",
                tn_kaiming_uniform_(tn_zeros(TN_DIMS(2, 2), TN_FLOAT32), 0, "fan_in", "swish", generator));
    CHECK_ERROR(TN_ERROR_ARGUMENT, "mode",
                tn_kaiming_uniform_(tn_zeros(TN_DIMS(2, 2), TN_FLOAT32), 0, "fan", "relu", generator));
    for (int i = 0; i < 4; i++)
        CHECK_DOUBLE(tn_get_double(x, TN_DIMS(i)), 0);
    CHECK(same_words(generator, untouched, 3));
}

TEST_SAMPLED(whole_numbers_reach_as_far_as_their_dtype) {
    static const struct {
        tn_dtype dtype;
        double largest; /* that random_ draws; the smallest is 0 */
    } limits[] = {{TN_BOOL, 1},        {TN_UINT8, 255},         {TN_INT8, 127},         {TN_UINT16, 65535},
                  {TN_INT16, 32767},   {TN_UINT32, 0x1p32 - 1}, {TN_INT32, 0x1p31 - 1}, {TN_UINT64, 0x1p64},
                  {TN_INT64, 0x1p63},  {TN_FLOAT16, 2048},      {TN_BFLOAT16, 256},     {TN_FLOAT32, 0x1p24},
                  {TN_FLOAT64, 0x1p53}};
    for (size_t i = 0; i < sizeof limits / sizeof *limits; i++) {
        tn_generator *generator = tn_generator_new(TN_MT19937, i);
        tn_tensor *x = tn_empty(TN_DIMS(2000), limits[i].dtype);
        CHECK(generator && x && tn_random_(x, generator) == x);
        x = tn_to(x, TN_FLOAT64);
        CHECK(x);
        double low = tn_item_double(tn_min(x)), high = tn_item_double(tn_max(x));
        CHECK(low >= 0 && low <= 0.01 * limits[i].largest);
        CHECK(high <= limits[i].largest && high >= 0.99 * limits[i].largest);
    }
    CHECK_ERROR(TN_ERROR_DTYPE, "whole numbers are drawn for bool, integers",
                tn_random_(tn_zeros(TN_DIMS(2), TN_COMPLEX64), NULL));
}

TEST(dropout_drops_nothing_or_everything_where_its_chance_says_so) {
    tn_tensor *x = TN_VECTOR(double, 1, -2, 3), *whole = tn_ones(TN_DIMS(2), TN_INT32);
    CHECK(x && whole);
    tn_tensor *none = tn_dropout(x, 0, true, NULL), *idle = tn_dropout(x, 0.5, false, NULL),
              *all = tn_dropout(x, 1, true, NULL);
    CHECK(none && idle && all);
    CHECK(tn_equal(none, x) && tn_equal(idle, x));
    CHECK(tn_equal(all, tn_zeros(TN_DIMS(3), TN_FLOAT64)));
    CHECK(tn_dropout_(none, 0, true, NULL) == none);
    CHECK(tn_dropout_(none, 0.5, false, NULL) == none);
    CHECK_DOUBLE(tn_get_double(x, TN_DIMS(1)), -2);
    CHECK(tn_dropout_(all, 1, true, NULL) == all);
    CHECK_ERROR(TN_ERROR_DTYPE, "which self", tn_dropout(whole, 0.5, true, NULL));
    CHECK_ERROR(TN_ERROR_DTYPE, "which self", tn_dropout_(whole, 0.5, true, NULL));
    CHECK_ERROR(TN_ERROR_ARGUMENT, "p is 2", tn_dropout_(x, 2, true, NULL));
    CHECK_INT(tn_get_int64(whole, TN_DIMS(0)), 1);
}

TEST(integers_a_float_cannot_hold_are_refused_where_pytorch_refuses_them) {
    tn_generator *generator = tn_generator_new(TN_MT19937, 0);
    tn_tensor *half = tn_zeros(TN_DIMS(3), TN_FLOAT16), *narrow = tn_zeros(TN_DIMS(3), TN_BFLOAT16);
    CHECK(generator && half && narrow);
    CHECK_ERROR(TN_ERROR_ARGUMENT, "what float16 holds", tn_random_to_(half, 70000, generator));
    CHECK_ERROR(TN_ERROR_ARGUMENT, "above 255", tn_random_from_(narrow, INT64_C(8589934593), TN_NONE, generator));
    static const struct last_begin {
        tn_dtype dtype;
        int64_t refused; /* as the begin of a range without an end; the one below it is not */
    } lasts[] = {{TN_BFLOAT16, 256}, {TN_FLOAT16, 2048}, {TN_FLOAT32, INT64_C(1) << 24}, {TN_FLOAT64, INT64_C(1) << 53},
                 {TN_INT8, 128},     {TN_BOOL, 2}};
    for (size_t i = 0; i < sizeof lasts / sizeof *lasts; i++) {
        tn_tensor *x = tn_zeros(TN_DIMS(3), lasts[i].dtype);
        CHECK(x);
        CHECK_ERROR(TN_ERROR_ARGUMENT, "a range of", tn_random_from_(x, lasts[i].refused, TN_NONE, generator));
        CHECK(tn_equal(x, tn_zeros(TN_DIMS(3), lasts[i].dtype)));
        CHECK(tn_random_from_(x, lasts[i].refused - 1, TN_NONE, generator) == x);
        CHECK(tn_get_double(x, TN_DIMS(0)) >= (double)(lasts[i].refused - 1));
    }
    CHECK(tn_random_to_(narrow, 70000, generator));
    tn_tensor *order = tn_randperm(300, TN_BFLOAT16, generator);
    CHECK(order);
    CHECK_ERROR(TN_ERROR_DTYPE, "does not hold", tn_randperm(2050, TN_FLOAT16, generator));
}

TEST(out_variants_resize_and_draw_for_the_dtype_they_get) {
    CHECK_INT(tn_manual_seed(0), TN_OK);
    tn_tensor *x = tn_empty(TN_DIMS(0), TN_FLOAT64), *order = tn_empty(TN_DIMS(0), TN_INT32);
    CHECK(x && order && tn_rand_out(x, TN_DIMS(2, 3), TN_DTYPE_DEFAULT, NULL) == x);
    CHECK_INT(tn_size(x, 1), 3);
    CHECK(tn_randperm_out(order, 5, TN_INT32, NULL) == order);
    CHECK_INT(tn_numel(order), 5);
}

TEST_SAMPLED(a_truncated_normal_far_from_the_mean_is_drawn_soon) {
    static const struct {
        double a, b;
    } bounds[] = {{20, 1e9}, {-1e300, -30}, {0.7, 1e30}, {1000, 1001}, {1e5, 1e5 + 1}, {1e30, 2e30}};
    for (size_t i = 0; i < sizeof bounds / sizeof *bounds; i++)
        for (int wide = 0; wide < 2; wide++) {
            tn_tensor *x = tn_empty(TN_DIMS(200), wide ? TN_FLOAT64 : TN_FLOAT32);
            CHECK(x && tn_trunc_normal_(x, 0, 1, bounds[i].a, bounds[i].b, NULL));
            double low = tn_item_double(tn_min(x)), high = tn_item_double(tn_max(x));
            double slack = 1e-6 * (fabs(bounds[i].a) + fabs(bounds[i].a));
            CHECK(low >= bounds[i].a - slack && high <= bounds[i].b + 1e-6 * fabs(bounds[i].b));
            double near = bounds[i].a > 0 ? bounds[i].a : bounds[i].b, far = bounds[i].a > 0 ? high : low;
            CHECK(fabs(far - near) <= 11 + slack);
        }
}

TEST(numbers_of_unknown_draws_come_row_by_row_into_an_out_of_any_strides) {
    tn_tensor *rates = tn_add_scalar(tn_reshape(tn_arange(12, TN_FLOAT32), TN_DIMS(3, 4)), 1),
              *chances = tn_div_scalar(rates, 13);
    tn_tensor *out = tn_t(tn_empty(TN_DIMS(4, 3), TN_FLOAT32)), *chosen = tn_t(tn_empty(TN_DIMS(5, 3), TN_INT64));
    tn_tensor *order = tn_slice(tn_empty(TN_DIMS(16), TN_INT64), 0, 0, 16, 2);
    for (int engine = 0; engine < 2; engine++) {
        tn_engine kind = engine ? TN_PHILOX : TN_MT19937;
        tn_generator *a = tn_generator_new(kind, 5), *b = tn_generator_new(kind, 5);
        CHECK(rates && chances && out && chosen && order && a && b);
        CHECK(tn_poisson_out(out, rates, a) == out && tn_equal(out, tn_poisson(rates, b)));
        CHECK(tn_binomial_out(out, rates, chances, a) == out && tn_equal(out, tn_binomial(rates, chances, b)));
        CHECK(tn_multinomial_out(chosen, rates, 5, true, a) == chosen && tn_equal(chosen, tn_multinomial(rates, 5, true, b)));
        CHECK(tn_randperm_out(order, 8, TN_DTYPE_DEFAULT, a) == order && tn_equal(order, tn_randperm(8, TN_INT64, b)));
        CHECK(!tn_is_contiguous(out) && !tn_is_contiguous(chosen) && same_words(a, b, 3));
    }
}

TEST(a_dtype_that_numbers_are_not_drawn_with_is_refused_by_the_name_of_its_argument) {
    tn_tensor *x = tn_ones(TN_DIMS(2), TN_FLOAT32), *whole = tn_ones(TN_DIMS(2), TN_INT32);
    CHECK(x && whole);
    CHECK_ERROR(TN_ERROR_DTYPE, "p is [2] int32", tn_bernoulli_tensor_(x, whole, NULL));
    CHECK_ERROR(TN_ERROR_DTYPE, "prob is [2] int32", tn_binomial(x, whole, NULL));
    CHECK_ERROR(TN_ERROR_DTYPE, "count is [2] int32", tn_binomial(whole, x, NULL));
    CHECK_ERROR(TN_ERROR_DTYPE, "self is [2] int32", tn_multinomial(whole, 1, false, NULL));
}

/* ---- initialisers that refuse, and their gains */

/* The largest element of a [64, 64] tensor that was initialised for a nonlinearity, as a share of its bound: above 0.9, at most
 * 1. */
static double initialise_reach(const char *nonlinearity, double gain) {
    tn_tensor *x = tn_kaiming_uniform_(tn_zeros(TN_DIMS(64, 64), TN_FLOAT64), 0, "fan_in", nonlinearity, NULL);
    return x ? tn_item_double(tn_max(tn_abs(x))) / (sqrt(3.0) * gain / 8) : 0;
}

TEST(the_gain_of_a_nonlinearity_is_in_the_bound_of_its_numbers) {
    static const struct {
        const char *name;
        double gain;
    } known[] = {{"linear", 1},     {"conv_transpose3d", 1}, {"sigmoid", 1},
                 {"tanh", 5.0 / 3}, {"selu", 0.75},          {"relu", 1.4142135623730951}};
    CHECK(tn_manual_seed(5) == TN_OK);
    for (size_t i = 0; i < sizeof known / sizeof known[0]; i++) {
        double reach = initialise_reach(known[i].name, known[i].gain);
        CHECK(reach > 0.9 && reach <= 1);
    }
}

TEST(initialisers_refuse_shapes_that_have_no_fans) {
    tn_tensor *row = tn_zeros(TN_DIMS(3), TN_FLOAT32), *none = tn_zeros(TN_DIMS(0, 3), TN_FLOAT32);
    tn_tensor *square = tn_zeros(TN_DIMS(3, 3), TN_FLOAT32), *deep = tn_zeros(TN_DIMS(1, 1, 1, 1, 1, 1), TN_FLOAT32);
    CHECK(row && none && square && deep);
    CHECK_ERROR(TN_ERROR_SHAPE, "[3]", tn_xavier_uniform_(row, 1, NULL));
    CHECK_ERROR(TN_ERROR_SHAPE, "[3]", tn_xavier_normal_(row, 1, NULL));
    CHECK_ERROR(TN_ERROR_SHAPE, "[3]", tn_kaiming_uniform_(row, 0, "fan_in", "relu", NULL));
    CHECK_ERROR(TN_ERROR_SHAPE, "fewer than 2 dimensions", tn_orthogonal_(row, 1, NULL));
    CHECK_ERROR(TN_ERROR_SHAPE, "is not a matrix", tn_sparse_(row, 0.5, 1, NULL));
    CHECK_ERROR(TN_ERROR_ARGUMENT, "sparsity is -0.1", tn_sparse_(square, -0.1, 1, NULL));
    CHECK_ERROR(TN_ERROR_ARGUMENT, "sparsity is 1.5", tn_sparse_(square, 1.5, 1, NULL));
    CHECK_ERROR(TN_ERROR_SHAPE, "", tn_dirac_(square, 1));
    CHECK_ERROR(TN_ERROR_SHAPE, "", tn_dirac_(deep, 1));
    CHECK_ERROR(TN_ERROR_ARGUMENT, "", tn_dirac_(tn_zeros(TN_DIMS(3, 2, 2), TN_FLOAT32), 0));
    CHECK_ERROR(TN_ERROR_ARGUMENT, "", tn_dirac_(tn_zeros(TN_DIMS(3, 2, 2), TN_FLOAT32), 2));
    CHECK_ERROR(TN_ERROR_ARGUMENT, "", tn_trunc_normal_(square, 0, 0, -1, 1, NULL));
    CHECK_ERROR(TN_ERROR_ARGUMENT, "", tn_trunc_normal_(square, 0, 1, 1, 1, NULL));
    CHECK(tn_kaiming_uniform_(none, 0, "fan_in", "relu", NULL) == none);
    CHECK(tn_kaiming_normal_(none, 0, "fan_in", "relu", NULL) == none);
    CHECK(tn_orthogonal_(none, 1, NULL) == none);
    tn_tensor *empty = tn_zeros(TN_DIMS(0, 2, 2), TN_FLOAT32);
    CHECK(empty && tn_dirac_(empty, 1) == empty);
    tn_tensor *locked = tn_zeros(TN_DIMS(2, 2, 3), TN_FLOAT32);
    CHECK(locked && tn_set_readonly(locked) == TN_OK);
    CHECK_ERROR(TN_ERROR_READONLY, "read-only", tn_dirac_(locked, 1));
}

/* Bounds far from the mean are drawn for in another way: uniformly, keeping those that are likely. */
TEST(truncated_normal_numbers_stay_inside_bounds_far_from_the_mean) {
    static const double bounds[][2] = {{3, 4}, {-4, -3}, {-0.1, 0.1}, {2.5, 30}};
    for (size_t i = 0; i < sizeof bounds / sizeof bounds[0]; i++) {
        tn_tensor *x = tn_zeros(TN_DIMS(500), TN_FLOAT64);
        CHECK(x && tn_trunc_normal_(x, 0, 1, bounds[i][0], bounds[i][1], NULL) == x);
        tn_tensor *low = tn_min(x), *high = tn_max(x);
        CHECK(low && high);
        CHECK(tn_item_double(low) >= bounds[i][0] && tn_item_double(high) <= bounds[i][1]);
        CHECK(tn_item_double(low) < tn_item_double(high));
    }
}

TEST(multinomial_refuses_weights_and_counts_that_do_not_fit) {
    tn_tensor *cube = tn_ones(TN_DIMS(2, 2, 2), TN_FLOAT32), *number = tn_scalar_tensor(1, TN_FLOAT32);
    tn_tensor *row = tn_ones(TN_DIMS(3), TN_FLOAT32), *none = tn_ones(TN_DIMS(2, 0), TN_FLOAT32);
    CHECK(cube && number && row && none);
    CHECK_ERROR(TN_ERROR_SHAPE, "neither one row", tn_multinomial(cube, 1, true, NULL));
    CHECK_ERROR(TN_ERROR_SHAPE, "neither one row", tn_multinomial(number, 1, true, NULL));
    CHECK_ERROR(TN_ERROR_ARGUMENT, "num_samples is 0 of 3", tn_multinomial(row, 0, true, NULL));
    CHECK_ERROR(TN_ERROR_ARGUMENT, "num_samples is 4 of 3", tn_multinomial(row, 4, false, NULL));
    CHECK_ERROR(TN_ERROR_ARGUMENT, "num_samples is 1 of 0", tn_multinomial(none, 1, true, NULL));
    tn_tensor *wrong = tn_clone(row, TN_CONTIGUOUS);
    CHECK(wrong && tn_neg_(wrong));
    CHECK_ERROR(TN_ERROR_ARGUMENT, "", tn_multinomial(wrong, 1, true, NULL));
    CHECK(tn_fill_(wrong, INFINITY));
    CHECK_ERROR(TN_ERROR_ARGUMENT, "", tn_multinomial(wrong, 1, false, NULL));
    CHECK(tn_zero_(wrong));
    CHECK_ERROR(TN_ERROR_ARGUMENT, "", tn_multinomial(wrong, 1, true, NULL));
}

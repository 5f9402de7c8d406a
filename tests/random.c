/* random.c - random numbers: PyTorch's stream, Philox, generators and their states, and whether the numbers are as random as they
 * should be (at fixed seeds: a test that passes once passes always). */
#include "test.h"

#include <pthread.h>
#include <sys/wait.h>
#include <unistd.h>

#include "tensor/generator.h"

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

TEST_ONCE(a_seed_gives_the_numbers_it_gives_in_pytorch) {
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
    for (int i = 0; i < 12; i++) /* the exponential numbers lie as the weights do */
        CHECK_INT(tn_get_int64(chosen, TN_DIMS(i / 4, i % 4)), choices[i]);
    CHECK_INT(tn_manual_seed(4), TN_OK);
    tn_tensor *parts = tn_sample_dirichlet(tn_full(TN_DIMS(2, 3), 0.0005, TN_FLOAT32), NULL);
    CHECK(parts); /* gamma numbers that vanish are the smallest there are: equal parts, not 0 / 0 */
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

/* ---- generators */

TEST(philox_gives_the_published_vectors) {
    static const struct {
        uint32_t counter[4], key[2], out[4];
    } known[] = {
        {{0, 0, 0, 0}, {0, 0}, {0x6627e8d5, 0xe169c58d, 0xbc57ac4c, 0x9b00dbd8}},
        {{0xffffffff, 0xffffffff, 0xffffffff, 0xffffffff},
         {0xffffffff, 0xffffffff},
         {0x408f276d, 0x41c83b0e, 0xa20bc7c6, 0x6d5451fd}},
        {{0x243f6a88, 0x85a308d3, 0x13198a2e, 0x03707344},
         {0xa4093822, 0x299f31d0},
         {0xd16cfe09, 0x94fdcceb, 0x5001e420, 0x24126ea1}},
    };
    for (int i = 0; i < 3; i++) {
        uint32_t out[4];
        tn_philox(known[i].counter, known[i].key, out);
        CHECK(memcmp(out, known[i].out, sizeof out) == 0);
    }
}

TEST(the_ten_thousandth_word_of_mt19937_is_the_published_one) {
    tn_generator *generator = tn_generator_new(TN_MT19937, 5489);
    CHECK(generator);
    CHECK_INT(tn_generator_skip(generator, 9999), TN_OK);
    CHECK_INT(tn_generator_next(generator), 4123659995U);
}

TEST(a_generator_tells_its_seed_and_starts_again_from_it) {
    for (int engine = TN_MT19937; engine <= TN_PHILOX; engine++) {
        tn_generator *generator = tn_generator_new((tn_engine)engine, 77);
        CHECK(generator);
        CHECK_INT(tn_generator_engine(generator), engine);
        CHECK_INT(tn_generator_initial_seed(generator), 77);
        uint64_t first = tn_generator_next64(generator);
        CHECK(first != tn_generator_next64(generator));
        CHECK_INT(tn_generator_seed(generator, 77), TN_OK);
        uint64_t upper = tn_generator_next(generator);
        CHECK(first == (upper << 32 | tn_generator_next(generator)));
        CHECK(tn_generator_seed_randomly(generator) == tn_generator_initial_seed(generator));
    }
    CHECK_ERROR(TN_ERROR_ARGUMENT, "no engine number 7", tn_generator_new((tn_engine)7, 0));
}

/* The next words of a generator are those of another. */
static bool same_words(tn_generator *a, tn_generator *b, int count) {
    for (int i = 0; i < count; i++)
        if (tn_generator_next(a) != tn_generator_next(b))
            return false;
    return true;
}

TEST(a_state_taken_in_mid_stream_goes_on_from_there) {
    for (int engine = TN_MT19937; engine <= TN_PHILOX; engine++)
        for (int drawn = 0; drawn < 1300; drawn += 624 - 13 * engine) {
            tn_generator *generator = tn_generator_new((tn_engine)engine, 5), *other = tn_generator_new((tn_engine)engine, 6);
            CHECK(generator && other);
            CHECK_INT(tn_generator_skip(generator, (uint64_t)drawn), TN_OK);
            tn_tensor *odd =
                tn_empty(TN_DIMS(3), TN_FLOAT64); /* an odd number of normal ones: the last has a partner waiting */
            CHECK(odd && tn_normal_(odd, 0, 1, generator));
            tn_tensor *state = tn_generator_state(generator);
            CHECK(state);
            CHECK_INT(tn_numel(state), engine == TN_MT19937 ? 5056 : 48);
            CHECK_INT(tn_generator_set_state(other, state), TN_OK);
            CHECK(tn_generator_initial_seed(other) == 5);
            tn_generator *third = tn_generator_clone(generator);
            tn_tensor *a = tn_normal(0, 1, TN_DIMS(5), TN_FLOAT64, generator),
                      *b = tn_normal(0, 1, TN_DIMS(5), TN_FLOAT64, other);
            tn_tensor *c = third ? tn_normal(0, 1, TN_DIMS(5), TN_FLOAT64, third) : NULL;
            CHECK(a && b && c);
            CHECK(memcmp(tn_data(a), tn_data(b), 40) == 0 && memcmp(tn_data(a), tn_data(c), 40) == 0);
            CHECK(same_words(generator, other, 10));
        }
}

TEST(the_state_of_mt19937_is_that_of_torch_get_rng_state) {
    tn_generator *generator = tn_generator_new(TN_MT19937, 3);
    tn_tensor *x = tn_empty(TN_DIMS(3), TN_FLOAT64);
    CHECK(generator && x && tn_normal_(x, 0, 1, generator));
    tn_tensor *state = tn_generator_state(generator);
    CHECK(state);
    struct {
        uint64_t seed;
        int32_t left, seeded;
        uint64_t next;
    } head;
    double normal[3];
    int32_t waits;
    memcpy(&head, tn_data(state), sizeof head);
    memcpy(normal, (const char *)tn_data(state) + 24 + 624 * 8, sizeof normal);
    memcpy(&waits, (const char *)tn_data(state) + 24 + 624 * 8 + 24, sizeof waits);
    CHECK_INT(head.seed, 3);
    CHECK_INT(head.left, 617);
    CHECK_INT(head.seeded, 1);
    CHECK_INT(head.next, 8);
    CHECK(fabs(normal[1] - -0.6137180077293578) < 1e-15 && normal[0] == 0 && normal[2] == 0);
    CHECK_INT(waits, 1);
}

TEST(bytes_that_are_no_state_are_refused_and_change_nothing) {
    tn_generator *generator = tn_generator_new(TN_MT19937, 3), *philox = tn_generator_new(TN_PHILOX, 3);
    tn_generator *untouched = tn_generator_new(TN_MT19937, 3);
    tn_tensor *zeros = tn_zeros(TN_DIMS(5056), TN_UINT8), *few = tn_zeros(TN_DIMS(48), TN_UINT8);
    CHECK(generator && philox && untouched && zeros && few);
    CHECK_ERROR(TN_ERROR_ARGUMENT, "no state of MT19937: it says that it was not seeded",
                tn_generator_set_state(generator, zeros));
    CHECK_ERROR(TN_ERROR_ARGUMENT, "no state of MT19937: that is 5056 bytes", tn_generator_set_state(generator, few));
    CHECK_ERROR(TN_ERROR_ARGUMENT, "no state of Philox: ", tn_generator_set_state(philox, zeros));
    CHECK_ERROR(TN_ERROR_ARGUMENT, "no state of Philox: ", tn_generator_set_state(philox, few));
    CHECK(same_words(generator, untouched, 5));
}

TEST(split_streams_are_repeatable_and_different) {
    for (int engine = TN_MT19937; engine <= TN_PHILOX; engine++) {
        tn_generator *generator = tn_generator_new((tn_engine)engine, 9), *same = tn_generator_new((tn_engine)engine, 9);
        CHECK(generator && same);
        (void)tn_generator_next64(same); /* what has been drawn does not matter */
        tn_generator *a = tn_generator_split(generator, 1), *b = tn_generator_split(same, 1), *c = tn_generator_split(same, 2);
        tn_generator *d = a ? tn_generator_split(a, 1) : NULL;
        CHECK(a && b && c && d);
        CHECK(same_words(a, b, 8));
        CHECK(!same_words(a, c, 4) && !same_words(a, generator, 4) && !same_words(a, d, 4));
    }
    tn_generator *philox = tn_generator_new(TN_PHILOX, 0);
    CHECK(philox);
    CHECK_ERROR(TN_ERROR_ARGUMENT, "no stream number", tn_generator_split(philox, UINT64_C(1) << 32));
}

TEST(skipping_is_drawing_and_forgetting) {
    for (int engine = TN_MT19937; engine <= TN_PHILOX; engine++)
        for (int count = 0; count < 2000; count += 333) {
            tn_generator *a = tn_generator_new((tn_engine)engine, 4), *b = tn_generator_new((tn_engine)engine, 4);
            CHECK(a && b);
            for (int i = 0; i < count; i++)
                (void)tn_generator_next(a);
            CHECK_INT(tn_generator_skip(b, (uint64_t)count), TN_OK);
            CHECK(same_words(a, b, 9));
        }
}

static void back_to_the_first(void *nothing) {
    (void)nothing;
    (void)tn_set_default_generator(NULL);
}

TEST(the_default_generator_can_be_replaced_by_one_call) {
    tn_generator *philox = tn_generator_new(TN_PHILOX, 12), *same = tn_generator_new(TN_PHILOX, 12);
    CHECK(philox && same);
    TEST_DEFER(back_to_the_first, NULL);
    CHECK_INT(tn_set_default_generator(philox), TN_OK);
    tn_generator *now = tn_default_generator();
    CHECK(now == philox);
    tn_tensor *a = tn_rand(TN_DIMS(10), TN_FLOAT32, NULL), *b = tn_rand(TN_DIMS(10), TN_FLOAT32, same);
    CHECK(a && b && memcmp(tn_data(a), tn_data(b), 40) == 0);
    CHECK_INT(tn_set_default_generator(NULL), TN_OK);
    CHECK_INT(tn_generator_engine(NULL), TN_MT19937);
    CHECK(tn_seed() == tn_initial_seed());
}

TEST(a_generator_goes_through_a_call_by_name) {
    tn_generator *generator = tn_generator_new(TN_MT19937, 0);
    CHECK(generator);
    CHECK_INT(tn_manual_seed(0), TN_OK);
    tn_tensor *a = tn_call_tensor("rand", TN_VALUES(TN_DIMS(5), tn_value_none(), generator));
    tn_tensor *b = tn_call_tensor("rand", TN_VALUES(TN_DIMS(5)));
    CHECK(a && b && memcmp(tn_data(a), tn_data(b), 20) == 0);
    CHECK_ERROR(TN_ERROR_ARGUMENT, "generator", tn_call_tensor("rand", TN_VALUES(TN_DIMS(5), tn_value_none(), 7)));
}

/* ---- Philox: nothing but the indices matters */

static tn_tensor *philox_draw(const char *name, tn_tensor *x) {
    tn_generator *generator = tn_generator_new(TN_PHILOX, 31);
    if (!x || !generator)
        return NULL;
    tn_value p = strcmp(name, "geometric_") == 0 ? tn_value_float(0.25) : tn_value_none();
    const tn_operator *op = tn_operator_find(name);
    tn_value values[6] = {tn_value_tensor(x), p};
    int64_t count = tn_operator_parameter_count(op);
    for (int64_t i = 2; i < count - 1; i++)
        values[i] = tn_value_none();
    values[count - 1] = tn_value_generator(generator);
    return tn_call_tensor(name, (tn_values){values, count});
}

static void restore_threads(void *nothing) {
    (void)nothing;
    (void)tn_set_num_threads(0);
}

TEST_ONCE(with_philox_numbers_depend_neither_on_threads_nor_on_layout) {
    static const char *const names[] = {"uniform_",   "normal_",     "exponential_", "random_",
                                        "bernoulli_", "log_normal_", "geometric_"};
    static const tn_dtype dtypes[] = {TN_FLOAT32, TN_FLOAT64, TN_BFLOAT16};
    TEST_DEFER(restore_threads, NULL);
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++)
        for (size_t k = 0; k < sizeof dtypes / sizeof dtypes[0]; k++) {
            tn_scope scope = tn_scope_open();
            (void)tn_set_num_threads(1);
            tn_tensor *one = philox_draw(names[i], tn_empty(TN_DIMS(150, 333), dtypes[k]));
            (void)tn_set_num_threads(4);
            tn_tensor *four = philox_draw(names[i], tn_empty(TN_DIMS(150, 333), dtypes[k]));
            tn_tensor *turned = philox_draw(names[i], tn_transpose(tn_empty(TN_DIMS(333, 150), dtypes[k]), 0, 1));
            tn_tensor *backward =
                philox_draw(names[i], tn_slice(tn_empty(TN_DIMS(300, 333), dtypes[k]), 0, TN_NONE, TN_NONE, -2));
            CHECK(one && four && turned && backward);
            CHECK(tn_equal(one, four) && tn_equal(one, turned) && tn_equal(one, backward));
            CHECK_INT(tn_scope_close(scope), TN_OK);
        }
}

TEST_ONCE(with_philox_every_instruction_set_gives_the_same_uniform_numbers) {
    tn_cpu_level before = tn_cpu_level_in_use();
    tn_tensor *best = philox_draw("uniform_", tn_empty(TN_DIMS(1000), TN_FLOAT64));
    CHECK_INT(tn_set_cpu_level(TN_CPU_BASELINE), TN_OK);
    tn_tensor *plain = philox_draw("uniform_", tn_empty(TN_DIMS(1000), TN_FLOAT64));
    CHECK_INT(tn_set_cpu_level(before), TN_OK);
    CHECK(best && plain && tn_equal(best, plain));
}

TEST(philox_words_in_tensors_are_those_of_the_blocks) {
    tn_generator *generator = tn_generator_new(TN_PHILOX, UINT64_C(0x123456789abcdef0));
    tn_tensor *x = generator ? tn_rand(TN_DIMS(130), TN_FLOAT32, generator) : NULL;
    CHECK(x);
    for (uint32_t i = 0; i < 130; i++) { /* element 64 g + 16 w + b is word w of block 16 g + b */
        uint32_t words[4], block = i / 64 * 16 + i % 16;
        tn_philox((uint32_t[]){block, 0, 0, 0}, (uint32_t[]){0x9abcdef0, 0x12345678}, words);
        CHECK_DOUBLE(tn_get_double(x, TN_DIMS(i)), (double)((float)(words[i % 64 / 16] & 0xffffff) * 0x1p-24F));
    }
}

/* ---- are the numbers as they should be? */

/* The largest distance between the share of numbers up to x and the distribution: for 20000 numbers above 0.0138 once in a
 * thousand tries. */
static int compare_doubles(const void *a, const void *b) {
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

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

TEST_ONCE(distributions_are_what_their_names_say) {
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

TEST_ONCE(counts_and_choices_have_their_shares) { /* 27.9 is exceeded once in a thousand tries with 9 degrees of freedom */
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

TEST(out_variants_resize_and_draw_for_the_dtype_they_get) {
    CHECK_INT(tn_manual_seed(0), TN_OK);
    tn_tensor *x = tn_empty(TN_DIMS(0), TN_FLOAT64), *order = tn_empty(TN_DIMS(0), TN_INT32);
    CHECK(x && order && tn_rand_out(x, TN_DIMS(2, 3), TN_DTYPE_DEFAULT, NULL) == x);
    CHECK_INT(tn_size(x, 1), 3);
    CHECK(tn_randperm_out(order, 5, TN_INT32, NULL) == order);
    CHECK_INT(tn_numel(order), 5);
}

/* ---- what consecutive calls and layouts share: nothing */

TEST(with_philox_no_block_is_drawn_by_two_calls) {
    static const struct {
        const char *name;
        tn_dtype dtype;
        int words;
    } samplers[] = {{"uniform_", TN_FLOAT32, 1}, {"uniform_", TN_FLOAT64, 2},      {"normal_", TN_FLOAT32, 1},
                    {"normal_", TN_FLOAT64, 2},  {"random_", TN_INT32, 2},         {"random_", TN_FLOAT64, 4},
                    {"bernoulli_", TN_UINT8, 2}, {"exponential_", TN_BFLOAT16, 2}, {"log_normal_", TN_FLOAT32, 2},
                    {"geometric_", TN_INT64, 2}};
    tn_generator *generator = tn_generator_new(TN_PHILOX, 1);
    CHECK(generator);
    for (size_t i = 0; i < sizeof samplers / sizeof samplers[0]; i++)
        for (int64_t count = 1; count < 200; count += 33) {
            tn_scope scope = tn_scope_open();
            (void)tn_generator_next(generator); /* a begun block is no part of the next call's */
            uint64_t before = generator->philox.offset + (generator->philox.word != 0);
            tn_tensor *x = tn_empty(TN_DIMS(count), samplers[i].dtype);
            CHECK(x);
            tn_value values[6] = {tn_value_tensor(x),
                                  strcmp(samplers[i].name, "geometric_") == 0 ? tn_value_float(0.25) : tn_value_none()};
            int64_t parameters = tn_operator_parameter_count(tn_operator_find(samplers[i].name));
            for (int64_t k = 2; k < parameters - 1; k++)
                values[k] = tn_value_none();
            values[parameters - 1] = tn_value_generator(generator);
            CHECK(tn_call_tensor(samplers[i].name, (tn_values){values, parameters}));
            int64_t group = strstr(samplers[i].name, "normal_") ? 64 : 16; /* these are drawn together, all of them */
            int64_t needed = (count + group - 1) / group * group * samplers[i].words / 4;
            CHECK(generator->philox.offset >= before + (uint64_t)needed && generator->philox.word == 0);
            CHECK_INT(tn_scope_close(scope), TN_OK);
        }
}

TEST_ONCE(with_philox_samplers_with_parameters_do_not_depend_on_layout) {
    tn_tensor *rates = tn_rand(TN_DIMS(40, 60), TN_FLOAT32, tn_generator_new(TN_PHILOX, 2));
    CHECK(rates);
    tn_tensor *turned = tn_transpose(tn_contiguous(tn_transpose(rates, 0, 1), TN_CONTIGUOUS), 0, 1);
    CHECK(turned && !tn_is_contiguous(turned) && tn_equal(rates, turned));
    for (int kind = 0; kind < 7; kind++) {
        tn_tensor *made[2];
        for (int i = 0; i < 2; i++) {
            tn_tensor *p = i ? turned : rates;
            tn_generator *g = tn_generator_new(TN_PHILOX, 5);
            made[i] = kind == 0   ? tn_bernoulli(p, g)
                      : kind == 1 ? tn_bernoulli_tensor_(tn_empty_like(p, TN_INT16, TN_PRESERVE), p, g)
                      : kind == 2 ? tn_multinomial(p, 9, true, g)
                      : kind == 3 ? tn_multinomial(p, 9, false, g)
                      : kind == 4 ? tn_dropout(p, 0.4, true, g)
                      : kind == 5 ? tn_poisson(p, g)
                                  : tn_randint_like_low(p, -5, INT64_MAX, TN_INT64, TN_PRESERVE, g);
        }
        CHECK(made[0] && made[1] && tn_equal(made[0], made[1]));
    }
}

TEST_ONCE(with_philox_the_counter_carries_on_every_instruction_set) {
    tn_cpu_level before = tn_cpu_level_in_use();
    for (int back = 0; back < 40; back += 3) {
        tn_tensor *made[2];
        for (int level = 0; level < 2; level++) {
            CHECK_INT(tn_set_cpu_level(level ? before : TN_CPU_BASELINE), TN_OK);
            tn_generator *generator = tn_generator_split(tn_generator_new(TN_PHILOX, 77), 3);
            CHECK(generator);
            CHECK_INT(tn_generator_skip(generator, 4 * ((UINT64_C(5) << 32) - (uint64_t)back)), TN_OK);
            made[level] = tn_rand(TN_DIMS(300), TN_FLOAT32, generator);
        }
        CHECK(made[0] && made[1] && tn_equal(made[0], made[1]));
    }
}

TEST_ONCE(with_philox_wide_ranges_have_no_favourites) { /* a remainder would take the lowest third half of the time */
    tn_generator *generator = tn_generator_new(TN_PHILOX, 6);
    tn_tensor *x = tn_randint_low(-(INT64_C(3) << 61), INT64_C(3) << 61, TN_DIMS(6000), TN_INT64, generator);
    CHECK(x);
    int64_t low = 0;
    for (int64_t i = 0; i < 6000; i++)
        low += tn_get_int64(x, TN_DIMS(i)) < -(INT64_C(1) << 61);
    CHECK(low > 1850 && low < 2150);
    tn_tensor *y = tn_randint(INT64_C(250000000), TN_DIMS(200000), TN_INT64, generator); /* below 2^28, not by far */
    CHECK(y);
    int64_t first = 0; /* of 2^32 / 250000000 = 17.18, a remainder gives the first 0.18 once more */
    for (int64_t i = 0; i < 200000; i++)
        first += tn_get_int64(y, TN_DIMS(i)) < 44967296;
    CHECK(first > 35974 - 500 && first < 35974 + 500);
}

/* Correlation of two rows of numbers between 0 and 1: for 20000 above 0.023 once in a thousand tries. */
static double correlation(const tn_tensor *a, const tn_tensor *b) {
    double sum = 0;
    for (int64_t i = 0; i < tn_numel(a); i++)
        sum += (tn_get_double(a, TN_DIMS(i)) - 0.5) * (tn_get_double(b, TN_DIMS(i)) - 0.5);
    return fabs(sum / (double)tn_numel(a) * 12);
}

TEST_ONCE(split_streams_are_not_correlated) {
    for (int engine = TN_MT19937; engine <= TN_PHILOX; engine++) {
        tn_generator *whole = tn_generator_new((tn_engine)engine, 1);
        tn_generator *streams[4] = {whole, tn_generator_split(whole, 0), tn_generator_split(whole, 1), NULL};
        streams[3] = tn_generator_split(streams[1], 0);
        tn_tensor *rows[4];
        for (int i = 0; i < 4; i++)
            CHECK(rows[i] = tn_rand(TN_DIMS(20000), TN_FLOAT32, streams[i]));
        for (int i = 0; i < 4; i++)
            for (int k = 0; k < i; k++)
                CHECK(correlation(rows[i], rows[k]) < 0.023);
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

TEST_ONCE(few_of_many_choices_are_the_first_of_all) {
    tn_tensor *weights = tn_rand(TN_DIMS(2, 5000), TN_FLOAT32, tn_generator_new(TN_PHILOX, 4));
    tn_tensor *all = tn_multinomial(weights, 5000, false, tn_generator_new(TN_MT19937, 4));
    tn_tensor *few = tn_multinomial(weights, 100, false, tn_generator_new(TN_MT19937, 4));
    tn_tensor *some = tn_multinomial(weights, 1000, false, tn_generator_new(TN_MT19937, 4));
    CHECK(all && few && some);
    CHECK(tn_equal(few, tn_slice(all, 1, 0, 100, 1)) && tn_equal(some, tn_slice(all, 1, 0, 1000, 1)));
}

TEST(integers_a_float_cannot_hold_are_refused_where_pytorch_refuses_them) {
    tn_generator *generator = tn_generator_new(TN_MT19937, 0);
    tn_tensor *half = tn_zeros(TN_DIMS(3), TN_FLOAT16), *narrow = tn_zeros(TN_DIMS(3), TN_BFLOAT16);
    CHECK(generator && half && narrow);
    CHECK_ERROR(TN_ERROR_ARGUMENT, "what float16 holds", tn_random_to_(half, 70000, generator));
    CHECK_ERROR(TN_ERROR_ARGUMENT, "above 256", tn_random_from_(narrow, INT64_C(8589934593), TN_NONE, generator));
    CHECK(tn_random_to_(narrow, 70000, generator));
    tn_tensor *order = tn_randperm(300, TN_BFLOAT16, generator);
    CHECK(order);
    CHECK_ERROR(TN_ERROR_DTYPE, "does not hold", tn_randperm(2050, TN_FLOAT16, generator));
}

/* ---- threads and processes */

static void *draw_and_replace(void *generator) {
    for (int i = 0; i < 200; i++) {
        tn_tensor *x = tn_rand(TN_DIMS(40), TN_FLOAT32, generator), *y = tn_randn(TN_DIMS(20), TN_FLOAT64, NULL);
        (void)tn_set_default_generator(i % 2 ? generator : NULL);
        (void)tn_generator_next64(generator);
        tn_release(x);
        tn_release(y);
    }
    return NULL;
}

TEST_ONCE(threads_may_share_a_generator_and_replace_the_default_one) {
    tn_generator *generator = tn_generator_new(TN_PHILOX, 1);
    CHECK(generator);
    TEST_DEFER(back_to_the_first, NULL);
    pthread_t threads[4];
    for (int i = 0; i < 4; i++)
        CHECK_INT(pthread_create(&threads[i], NULL, draw_and_replace, generator), 0);
    for (int i = 0; i < 4; i++)
        CHECK_INT(pthread_join(threads[i], NULL), 0);
    CHECK(generator->philox.offset >= 4 * 200 * 16); /* no draw was lost */
}

TEST_ONCE(a_process_forked_while_another_thread_draws_can_draw_too) {
    tn_generator *generator = tn_generator_new(TN_PHILOX, 1);
    CHECK(generator);
    TEST_DEFER(back_to_the_first, NULL);
    CHECK_INT(tn_set_default_generator(generator), TN_OK);
    pthread_t thread;
    CHECK_INT(pthread_create(&thread, NULL, draw_and_replace, generator), 0);
    for (int i = 0; i < 20; i++) {
        pid_t child = fork();
        CHECK(child >= 0);
        if (child == 0) {
            alarm(10);
            _exit(tn_generator_next(NULL) == tn_generator_next(NULL));
        }
        int status = -1;
        CHECK(waitpid(child, &status, 0) == child && WIFEXITED(status));
    }
    CHECK_INT(pthread_join(thread, NULL), 0);
}

/* ---- locks */

/* A fork takes the locks of the memory and of the generator. Whoever draws must not ask for the one while it holds the other. */
static void look_at_lock(void *ctx, const tn_event *event) {
    tn_generator *generator = ctx;
    (void)event;
    if (pthread_mutex_trylock(&generator->lock) == 0)
        (void)pthread_mutex_unlock(&generator->lock);
    else
        generator->seed = 0; /* says that it was locked */
}

static void observe_no_more(void *unused) {
    (void)unused;
    tn_set_observer(NULL, NULL);
}

TEST(no_memory_is_taken_and_nothing_copied_while_a_generator_is_locked) {
    for (int engine = TN_MT19937; engine <= TN_PHILOX; engine++) {
        tn_generator *generator = tn_generator_new((tn_engine)engine, 7);
        tn_tensor *wide = tn_zeros(TN_DIMS(6, 40), TN_FLOAT32), *weights = tn_ones(TN_DIMS(2, 5), TN_FLOAT32);
        tn_tensor *x = tn_slice(wide, 1, 0, 40, 2);
        CHECK(generator && x && weights);
        TEST_DEFER(observe_no_more, NULL);
        tn_set_observer(look_at_lock, generator);
        CHECK(tn_uniform_(x, 0, 1, generator) && tn_normal_(tn_t(x), 0, 1, generator) && tn_random_(x, generator));
        CHECK(tn_bernoulli_tensor_(x, tn_full(TN_DIMS(20), 0.5, TN_FLOAT64), generator));
        CHECK(tn_multinomial(weights, 3, true, generator) && tn_multinomial(weights, 3, false, generator));
        CHECK(tn_randperm(100, TN_INT32, generator) && tn_poisson(x, generator) && tn_generator_state(generator));
        CHECK(tn_dropout(x, 0.5, true, generator) && tn_trunc_normal_(x, 0, 1, -1, 1, generator));
        tn_set_observer(NULL, NULL);
        CHECK_INT(tn_generator_initial_seed(generator), 7);
    }
}

/* random_philox.c - what Philox promises: the published numbers, the same ones whatever the threads, the strides and the
 * instruction set, and no number twice.
 *
 * Tests: src/cpu/random_kernels.c */
#include "tensor/generator.h"
#include "test.h"

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

/* ---- nothing but the indices matters */

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

TEST_SAMPLED(with_philox_numbers_depend_neither_on_threads_nor_on_layout) {
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

TEST_SAMPLED(with_philox_every_instruction_set_gives_the_same_uniform_numbers) {
    tn_cpu_level before = tn_cpu_level_in_use();
    tn_tensor *best = philox_draw("uniform_", tn_empty(TN_DIMS(1000), TN_FLOAT64));
    CHECK_INT(tn_set_cpu_level(TN_CPU_BASELINE), TN_OK);
    tn_tensor *plain = philox_draw("uniform_", tn_empty(TN_DIMS(1000), TN_FLOAT64));
    CHECK_INT(tn_set_cpu_level(before), TN_OK);
    CHECK(best && plain && tn_equal(best, plain));
}

TEST_SAMPLED(with_philox_samplers_with_parameters_do_not_depend_on_layout) {
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

TEST_SAMPLED(with_philox_the_counter_carries_on_every_instruction_set) {
    tn_cpu_level before = tn_cpu_level_in_use();
    for (int back = 0; back < 40; back += 3) {
        tn_tensor *made[2];
        for (int level = 0; level < 2; level++) {
            CHECK_INT(tn_set_cpu_level(level ? before : TN_CPU_BASELINE), TN_OK);
            tn_generator *parent = tn_generator_new(TN_PHILOX, 77);
            CHECK(parent); /* none would be the default one, of another kind, which skips by drawing */
            tn_generator *generator = tn_generator_split(parent, 3);
            CHECK(generator);
            CHECK_INT(tn_generator_skip(generator, 4 * ((UINT64_C(5) << 32) - (uint64_t)back)), TN_OK);
            made[level] = tn_rand(TN_DIMS(300), TN_FLOAT32, generator);
        }
        CHECK(made[0] && made[1] && tn_equal(made[0], made[1]));
    }
}

TEST_SAMPLED(with_philox_wide_ranges_have_no_favourites) { /* a remainder would take the lowest third half of the time */
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

/* ---- what consecutive calls share: nothing */

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
            (void)tn_generator_next(generator); /* a begun block is not part of the next call's */
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

TEST(philox_asks_for_its_arguments) {
    uint32_t counter[4] = {0}, key[2] = {0}, out[4] = {7, 7, 7, 7};
    CHECK_ERROR(TN_ERROR_ARGUMENT, "philox: counter is NULL", tn_philox(NULL, key, out));
    CHECK_ERROR(TN_ERROR_ARGUMENT, "key is NULL", tn_philox(counter, NULL, out));
    CHECK_ERROR(TN_ERROR_ARGUMENT, "out is NULL", tn_philox(counter, key, NULL));
    CHECK(out[0] == 7 && out[3] == 7);
}

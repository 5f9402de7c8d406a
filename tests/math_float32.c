/* math_float32.c - the float32 mathematics against the truth, for every instruction set that this machine has.
 *
 * A sample of the floats: each 65,537th word, which visits every exponent and sign many times, then the values where something
 * changes. `make accuracy` visits all 2^32. The limits here are those that docs/accuracy.md publishes, rounded up.
 *
 * Tests: src/cpu/math_kernels.c */
#include "test.h"

#include "base/cpu_features.h"
#include "math_float32_levels.h"
#include "math_float32_reference.h"

enum { MATH_SAMPLE = 65536 + 4096, MATH_PAIRS = 1 << 16 };

static float math_sample[MATH_SAMPLE], math_pair_x[MATH_PAIRS], math_pair_y[MATH_PAIRS], math_result[MATH_SAMPLE];
static double math_truth[MATH_SAMPLE];

static float math_float(uint32_t word) {
    float value;
    memcpy(&value, &word, sizeof value);
    return value;
}

/* Where functions have zeros, poles, bounds, changes of method. */
static const float math_turns[] = {
    0.0f,        0x1p-149f,   0x1p-126f,   0x1p-64f,    0x1p-30f,    0x1p-24f,    0x1p-12f,    0.25f,
    0.34657359f, 0.5f,        0.69314718f, 0.70710678f, 0.75f,       1.0f,        1.41421356f, 1.46163214f,
    1.5f,        1.57079633f, 2.0f,        2.45702474f, 2.5f,        2.74768264f, 3.0f,        3.14159265f,
    3.95f,       4.0f,        5.0f,        8.0f,        10.0f,       10.2f,       14.4f,       16.0f,
    23.0f,       24.0f,       55.0f,       87.3365448f, 88.7228391f, 89.4159851f, 91.9062271f, 100.0f,
    103.972084f, 104.0f,      110.0f,      126.0f,      127.0f,      128.0f,      149.0f,      150.0f,
    700.0f,      8388608.0f,  16777216.0f, 33554432.0f, 0x1p30f,     0x1p62f,     0x1p127f,    0x1.fffffep127f,
    0.57214397f, 1.57349873f, 2.61072087f, 0.50408303f, 3.14358089f, 3.95529413f, INFINITY,    NAN,
};

/* The turns and their 7 neighbours on each side, of both signs. */
static void math_fill_sample(void) {
    int count = 0;
    for (uint64_t word = 0; word <= UINT32_MAX; word += 65537)
        math_sample[count++] = math_float((uint32_t)word);
    for (size_t i = 0; i < sizeof math_turns / sizeof *math_turns; i++) {
        uint32_t word;
        memcpy(&word, &math_turns[i], sizeof word);
        for (uint32_t distance = 0; distance < 15; distance++) {
            float value = math_float(word + distance - (word < 7 ? 0 : 7));
            math_sample[count++] = value;
            math_sample[count++] = -value;
        }
    }
    while (count < MATH_SAMPLE)
        math_sample[count++] = math_float((uint32_t)test_random());
}

/* Random words, moderate sizes, and every two turns. */
static void math_fill_pairs(void) {
    size_t turns = sizeof math_turns / sizeof *math_turns, count = 0;
    for (size_t i = 0; i < turns; i++)
        for (size_t j = 0; j < turns; j++)
            for (int signs = 0; signs < 4; signs++) {
                math_pair_x[count] = signs & 1 ? -math_turns[i] : math_turns[i];
                math_pair_y[count++] = signs & 2 ? -math_turns[j] : math_turns[j];
            }
    for (; count < MATH_PAIRS; count++) {
        uint64_t bits = test_random();
        math_pair_x[count] = count % 2 ? math_float((uint32_t)bits) : (float)(bits >> 40) * 0x1p-20f;
        math_pair_y[count] = count % 2 ? math_float((uint32_t)(bits >> 32)) : (float)(bits & 0xffffff) * 0x1p-18f - 32.0f;
    }
}

static void math_check(const math_float32_function *function, const float *x, const float *y, int count, int level) {
    /* Where the result vanishes, the larger argument and what is added to it cancel, and one ULP of the difference cannot be
     * reached. */
    int cancels = strncmp(function->name, "logaddexp", 9) == 0;
    for (int i = 0; i < count; i++) {
        double error = math_float32_error(math_result[i], math_truth[i]);
        int close =
            cancels && fabs((double)math_result[i] - math_truth[i]) < 0x1p-31 * fmax(fabs((double)x[i]), fabs((double)y[i]));
        if (!(error <= 1.0) && !close)
            test_fail(__FILE__, __LINE__, "%s(%a, %a) at level %d is %a, not %a: %g ULP", function->name, (double)x[i],
                      y ? (double)y[i] : 0.0, level, (double)math_result[i], math_truth[i], error);
    }
}

static int math_levels(void) {
    int levels = (int)tn_cpu_level_detected() + 1;
    return levels < MATH_FLOAT32_LEVELS ? levels : MATH_FLOAT32_LEVELS;
}

TEST_SAMPLED(float32_functions_of_one_argument_are_within_an_ulp_at_every_level) {
    math_fill_sample();
    for (int i = 0; math_float32_of_level[0][i].name; i++) {
        if (!math_float32_of_level[0][i].loop_1)
            continue;
        const math_float32_reference *reference = math_float32_reference_of(math_float32_of_level[0][i].name);
        CHECK(reference && reference->of_1);
        for (int k = 0; k < MATH_SAMPLE; k++)
            math_truth[k] = reference->of_1((double)math_sample[k]);
        for (int level = 0; level < math_levels(); level++) {
            const math_float32_function *function = &math_float32_of_level[level][i];
            function->loop_1(math_result, math_sample, MATH_SAMPLE);
            math_check(function, math_sample, NULL, MATH_SAMPLE, level);
        }
    }
}

TEST_SAMPLED(float32_functions_of_two_arguments_are_within_an_ulp_at_every_level) {
    math_fill_pairs();
    for (int i = 0; math_float32_of_level[0][i].name; i++) {
        if (!math_float32_of_level[0][i].loop_2)
            continue;
        const math_float32_reference *reference = math_float32_reference_of(math_float32_of_level[0][i].name);
        CHECK(reference && reference->of_2);
        for (int k = 0; k < MATH_PAIRS; k++)
            math_truth[k] = reference->of_2((double)math_pair_x[k], (double)math_pair_y[k]);
        for (int level = 0; level < math_levels(); level++) {
            const math_float32_function *function = &math_float32_of_level[level][i];
            function->loop_2(math_result, math_pair_x, math_pair_y, MATH_PAIRS);
            math_check(function, math_pair_x, math_pair_y, MATH_PAIRS, level);
        }
    }
}

/* A vector loop and its scalar rest, the fast path and the fallback of a block, must not differ: a result depends on nothing
 * but its argument. */
TEST_SAMPLED(a_float32_result_does_not_depend_on_its_neighbours_or_on_being_in_place) {
    math_fill_sample();
    for (int level = 0; level < math_levels(); level++)
        for (const math_float32_function *function = math_float32_of_level[level]; function->name; function++) {
            if (!function->loop_1)
                continue;
            function->loop_1(math_result, math_sample, MATH_SAMPLE);
            for (int start = 0; start < MATH_SAMPLE - 100; start += 997) {
                float alone[67];
                int count = 1 + start % 67;
                memcpy(alone, &math_sample[start], sizeof alone);
                function->loop_1(alone, alone, count);
                for (int i = 0; i < count; i++)
                    if (memcmp(&alone[i], &math_result[start + i], sizeof(float)) != 0 &&
                        !(isnan(alone[i]) && isnan(math_result[start + i])))
                        test_fail(__FILE__, __LINE__, "%s(%a) at level %d is %a among many, %a among %d", function->name,
                                  (double)math_sample[start + i], level, (double)math_result[start + i], (double)alone[i],
                                  count);
            }
        }
}

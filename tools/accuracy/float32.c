/* float32.c - measures the float32 mathematics against the truth, over all 2^32 inputs. Run on demand: `make accuracy`.
 *
 *     accuracy [level] [every] [functions...]
 *
 * level is 0 (baseline), 1 (AVX2) or 2 (AVX-512); every is the stride through the inputs, 1 for all of them; without names,
 * all functions are measured. Functions of two arguments are measured on 2^28 / every pairs, half of them of random bits and
 * half of moderate size. One line for each function: the largest error in ULP, where it is, how many inputs are above 0.51, 0.6
 * and 1.
 *
 * The truth is tests/math_float32_reference.h. Built with -DTN_ACCURACY_LIBMVEC, glibc's vector functions, good to 4 ULP of a
 * double, stand in for the scalar ones of the same name, and a pass over all floats takes a minute or less.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "math_float32_levels.h"
#include "math_float32_reference.h"

enum { ACCURACY_BLOCK = 4096 };

static float accuracy_x[ACCURACY_BLOCK], accuracy_y[ACCURACY_BLOCK], accuracy_out[ACCURACY_BLOCK];
static double accuracy_truth[ACCURACY_BLOCK];

typedef struct accuracy_result {
    double worst;
    float x, y, got;
    double truth;
    uint64_t count, above_51, above_60, above_1;
} accuracy_result;

#ifdef TN_ACCURACY_LIBMVEC
#define ACCURACY_VECTOR(function)                                                                                              \
    __attribute__((simd("notinbranch"))) double function(double);                                                              \
    static void accuracy_of_##function(void) {                                                                                 \
        for (int i = 0; i < ACCURACY_BLOCK; i++)                                                                               \
            accuracy_truth[i] = function((double)accuracy_x[i]);                                                               \
    }
/* clang-format off */
#define ACCURACY_EACH_VECTOR(X)                                                                                                \
    X(exp) X(exp2) X(expm1) X(log) X(log2) X(log10) X(log1p) X(sin) X(cos) X(tan) X(asin) X(acos) X(atan) X(sinh) X(cosh)      \
    X(tanh) X(asinh) X(acosh) X(atanh) X(erf) X(erfc) X(cbrt)
/* clang-format on */
ACCURACY_EACH_VECTOR(ACCURACY_VECTOR)

static int accuracy_vector_truth(const char *name) {
#define ACCURACY_CALL(function)                                                                                                \
    if (strcmp(name, #function) == 0) {                                                                                        \
        accuracy_of_##function();                                                                                              \
        return 1;                                                                                                              \
    }
    ACCURACY_EACH_VECTOR(ACCURACY_CALL)
    return 0;
}
#else
static int accuracy_vector_truth(const char *name) {
    (void)name;
    return 0;
}
#endif

static void accuracy_measure_block(const math_float32_function *function, const math_float32_reference *reference,
                                   accuracy_result *result) {
    if (function->loop_1)
        function->loop_1(accuracy_out, accuracy_x, ACCURACY_BLOCK);
    else
        function->loop_2(accuracy_out, accuracy_x, accuracy_y, ACCURACY_BLOCK);
    if (!accuracy_vector_truth(function->name))
        for (int i = 0; i < ACCURACY_BLOCK; i++)
            accuracy_truth[i] = reference->of_1 ? reference->of_1((double)accuracy_x[i])
                                                : reference->of_2((double)accuracy_x[i], (double)accuracy_y[i]);
    for (int i = 0; i < ACCURACY_BLOCK; i++) {
        /* Nothing to look at below half a ULP, which is never less than 2^-25 of a normal number. */
        double truth = accuracy_truth[i], size = fabs(truth);
        if (fabs((double)accuracy_out[i] - truth) <= size * 0x1p-25 && size >= 0x1p-126 && result->worst >= 0.5)
            continue;
        double error = math_float32_error(accuracy_out[i], truth);
        if (error > 0.51) {
            result->above_51++;
            result->above_60 += error > 0.6;
            result->above_1 += error > 1.0;
        }
        if (error > result->worst) {
            result->worst = error;
            result->x = accuracy_x[i];
            result->y = accuracy_y[i];
            result->got = accuracy_out[i];
            result->truth = accuracy_truth[i];
        }
    }
    result->count += ACCURACY_BLOCK;
}

static uint64_t accuracy_random(void) {
    static uint64_t state = 0x9e3779b97f4a7c15u;
    state ^= state << 13;
    state ^= state >> 7;
    state ^= state << 17;
    return state;
}

static float accuracy_float(uint32_t word) {
    float value;
    memcpy(&value, &word, sizeof value);
    return value;
}

static accuracy_result accuracy_measure(const math_float32_function *function, const math_float32_reference *reference,
                                        uint64_t every) {
    accuracy_result result = {0};
    result.worst = -1.0;
    if (function->loop_1) {
        for (uint64_t word = 0; word <= UINT32_MAX;) {
            for (int i = 0; i < ACCURACY_BLOCK; i++, word += every)
                accuracy_x[i] = accuracy_float((uint32_t)(word <= UINT32_MAX ? word : UINT32_MAX));
            accuracy_measure_block(function, reference, &result);
        }
    } else {
        uint64_t pairs = ((uint64_t)1 << 28) / every;
        for (uint64_t pair = 0; pair < pairs; pair += ACCURACY_BLOCK) {
            for (int i = 0; i < ACCURACY_BLOCK; i++) {
                uint64_t bits = accuracy_random();
                accuracy_x[i] = accuracy_float((uint32_t)bits);
                accuracy_y[i] = accuracy_float((uint32_t)(bits >> 32));
                if (i % 2) {
                    accuracy_x[i] = (float)((double)(bits >> 40) * 0x1p-24 * 20.0);
                    accuracy_y[i] = (float)((double)(bits & 0xffffff) * 0x1p-24 * 60.0 - 30.0);
                }
            }
            accuracy_measure_block(function, reference, &result);
        }
    }
    return result;
}

int main(int count, char **arguments) {
    int level = count > 1 ? atoi(arguments[1]) : 1;
    uint64_t every = count > 2 ? strtoull(arguments[2], NULL, 0) : 1;
    if (level < 0 || level >= MATH_FLOAT32_LEVELS || every == 0) {
        fprintf(stderr, "usage: accuracy [level 0..%d] [every] [functions...]\n", MATH_FLOAT32_LEVELS - 1);
        return 2;
    }
    int failed = 0;
    for (const math_float32_function *function = math_float32_of_level[level]; function->name; function++) {
        int wanted = count <= 3;
        for (int i = 3; i < count; i++)
            wanted |= strcmp(arguments[i], function->name) == 0;
        const math_float32_reference *reference = math_float32_reference_of(function->name);
        if (!wanted || !reference)
            continue;
        accuracy_result result = accuracy_measure(function, reference, every);
        printf("%-11s max %.4f ULP at %a", function->name, result.worst, (double)result.x);
        if (function->loop_2)
            printf(", %a", (double)result.y);
        printf(" (got %a, true %a); above 0.51: %llu, 0.6: %llu, 1: %llu of %llu\n", (double)result.got, result.truth,
               (unsigned long long)result.above_51, (unsigned long long)result.above_60, (unsigned long long)result.above_1,
               (unsigned long long)result.count);
        fflush(stdout);
        failed |= result.above_1 > 0;
    }
    return failed;
}

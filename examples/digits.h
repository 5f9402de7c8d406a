/* digits.h - pictures of digits to learn from: drawn here, or scikit-learn's. For the examples beside it.
 *
 * A drawn digit is a polyline whose points have moved a little, turned, stretched and shifted, with a pen of some width, under noise.
 * The same seed draws the same pictures everywhere. Scikit-learn's 1797 scanned digits of 8 x 8 pixels are read as text from standard
 * input, in the form in which Debian's python3-sklearn brings them:
 *
 *     zcat /usr/lib/python3/dist-packages/sklearn/datasets/data/digits.csv.gz | build/examples/digits_mlp --csv
 */
#ifndef EXAMPLES_DIGITS_H
#define EXAMPLES_DIGITS_H

#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <tenon/tenon.h>

/* images: (count, 1, size, size) float32 from 0 to 1; labels: (count) int64. The last `held` are not for training. */
typedef struct digits {
    tn_tensor *images, *labels;
    int64_t count, held, size;
} digits;

/* ---- drawing ------------------------------------------------------------------------------------------------------- */

enum { DIGITS_POINTS = 13, DIGITS_SIZE = 16 };

/* x and y in hundredths of the picture; 0, 0 ends a digit. */
static const unsigned char digits_strokes[10][DIGITS_POINTS + 1][2] = {
    {{50, 10}, {68, 18}, {75, 50}, {68, 82}, {50, 90}, {32, 82}, {25, 50}, {32, 18}, {50, 10}},
    {{36, 26}, {52, 10}, {52, 90}},
    {{27, 30}, {32, 16}, {50, 10}, {68, 16}, {73, 32}, {62, 50}, {25, 90}, {75, 90}},
    {{28, 18}, {48, 10}, {68, 17}, {70, 33}, {50, 46}, {70, 58}, {73, 76}, {52, 90}, {27, 82}},
    {{60, 90}, {60, 10}, {24, 64}, {78, 64}},
    {{72, 10}, {33, 10}, {30, 46}, {50, 40}, {70, 50}, {73, 70}, {60, 87}, {40, 90}, {26, 82}},
    {{66, 12}, {44, 24}, {30, 48}, {27, 70}, {38, 88}, {58, 88}, {72, 74}, {68, 56}, {50, 48}, {32, 58}},
    {{25, 10}, {75, 10}, {55, 45}, {42, 90}},
    {{50, 48},
     {32, 38},
     {32, 20},
     {50, 10},
     {68, 20},
     {68, 38},
     {50, 48},
     {28, 62},
     {28, 80},
     {50, 90},
     {72, 80},
     {72, 62},
     {50, 48}},
    {{70, 42}, {50, 52}, {32, 42}, {28, 26}, {42, 11}, {62, 13}, {72, 28}, {70, 52}, {62, 76}, {46, 90}},
};

/* From -1 to 1, evenly (splitmix64). */
static inline float digits_random(uint64_t *state) {
    uint64_t x = *state += UINT64_C(0x9e3779b97f4a7c15);
    x = (x ^ x >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
    x = (x ^ x >> 27) * UINT64_C(0x94d049bb133111eb);
    return (float)((x ^ x >> 31) >> 40) / (float)(1 << 23) - 1;
}

/* The square of the distance from a point to the line between two others. */
static inline float digits_distance(const float p[2], const float a[2], const float b[2]) {
    float dx = b[0] - a[0], dy = b[1] - a[1], x = p[0] - a[0], y = p[1] - a[1], length = dx * dx + dy * dy;
    float t = length > 0 ? (x * dx + y * dy) / length : 0;
    t = t < 0 ? 0 : t > 1 ? 1 : t;
    x -= t * dx;
    y -= t * dy;
    return x * x + y * y;
}

static inline void digits_draw(int digit, uint64_t *state, float pixels[DIGITS_SIZE][DIGITS_SIZE]) {
    float points[DIGITS_POINTS][2], size = DIGITS_SIZE;
    float turn = 0.25F * digits_random(state), lean = 0.2F * digits_random(state);
    float wide = 0.9F + 0.15F * digits_random(state), high = 0.9F + 0.1F * digits_random(state);
    float right = 1.2F * digits_random(state), down = 1.2F * digits_random(state), pen = 0.8F + 0.3F * digits_random(state);
    int count = 0;
    for (; count < DIGITS_POINTS && digits_strokes[digit][count][0]; count++) {
        float x = ((float)digits_strokes[digit][count][0] - 50 + 3 * digits_random(state)) / 100 * wide;
        float y = ((float)digits_strokes[digit][count][1] - 50 + 3 * digits_random(state)) / 100 * high;
        x += lean * y;
        points[count][0] = (0.5F + x - turn * y) * size + right; /* small angles: sin(a) is a */
        points[count][1] = (0.5F + y + turn * x) * size + down;
    }
    for (int y = 0; y < DIGITS_SIZE; y++)
        for (int x = 0; x < DIGITS_SIZE; x++) {
            float at[2] = {(float)x + 0.5F, (float)y + 0.5F}, nearest = 1e9F;
            for (int i = 0; i + 1 < count; i++)
                nearest = fminf(nearest, digits_distance(at, points[i], points[i + 1]));
            float ink = pen + 0.5F - sqrtf(nearest) + 0.15F * digits_random(state);
            pixels[y][x] = ink < 0 ? 0 : ink > 1 ? 1 : ink;
        }
}

/* count pictures, as many of each digit; a tenth of them is held back. False, with an error waiting, for lack of memory. */
static inline bool digits_drawn(digits *all, int64_t count, uint64_t seed) {
    *all = (digits){.count = count, .held = count / 10, .size = DIGITS_SIZE};
    all->images = tn_empty(TN_DIMS(count, 1, DIGITS_SIZE, DIGITS_SIZE), TN_FLOAT32);
    all->labels = tn_remainder_scalar(tn_arange(count, TN_INT64), 10);
    float(*pixels)[DIGITS_SIZE][DIGITS_SIZE] = tn_mutable_data(all->images);
    if (!pixels || !all->labels)
        return false;
    for (int64_t i = 0; i < count; i++)
        digits_draw((int)(i % 10), &seed, pixels[i]);
    return true;
}

/* ---- scikit-learn's ------------------------------------------------------------------------------------------------ */

/* A line for each picture: 64 numbers from 0 to 16, and the digit. A fifth is held back: which one, `split` says. False where the text is
 * something else. */
static inline bool digits_read(digits *all, FILE *file, uint64_t split) {
    enum { SIDE = 8, MOST = 4096 };
    static float pixels[MOST][SIDE * SIDE];
    static int64_t labels[MOST];
    int64_t count = 0;
    double value;
    for (; count < MOST && fscanf(file, "%lf,", &value) == 1; count++) {
        for (int i = 0; i < SIDE * SIDE; i++) {
            pixels[count][i] = (float)value / 16;
            if (fscanf(file, "%lf,", &value) != 1)
                return false;
        }
        if (!(value >= 0 && value <= 9))
            return false;
        labels[count] = (int64_t)value;
    }
    if (count < 100)
        return false;
    *all = (digits){.count = count, .held = count / 5, .size = SIDE};
    tn_tensor *order = tn_randperm(count, TN_INT64, tn_generator_new(TN_PHILOX, split)); /* one writer comes after the other */
    all->images = tn_index_select(tn_from_memory(pixels, TN_DIMS(count, 1, SIDE, SIDE), TN_FLOAT32, TN_BORROW), 0, order);
    all->labels = tn_index_select(tn_from_memory(labels, TN_DIMS(count), TN_INT64, TN_BORROW), 0, order);
    return all->images && all->labels;
}

/* ---- both ---------------------------------------------------------------------------------------------------------- */

/* How pictures are changed before they are learned from, so that no two rounds see the same ones: moved by up to `moved` pixels, turned by up
 * to `turned` (a radian is 1), and under noise. */
typedef struct digits_variation {
    double moved;
    double turned, noise;
} digits_variation;

/* From -most to most, evenly: one number for each picture. */
static inline tn_tensor *digits_between(int64_t count, double most, tn_generator *generator) {
    tn_tensor *drawn = tn_rand(TN_DIMS(count), TN_FLOAT32, generator);
    return tn_mul_scalar(tn_sub_scalar(drawn, tn_scalar_float(0.5)), tn_scalar_float(2 * most));
}

/* The pictures of these numbers, changed: each is read at the places of a grid that is turned and moved. */
static inline tn_tensor *digits_varied(const digits *all, const tn_tensor *numbers, const digits_variation *variation,
                                       tn_generator *generator) {
    tn_tensor *images = tn_index_select(all->images, 0, numbers);
    if (!images)
        return NULL;
    int64_t count = tn_sizes(images).values[0];
    double pixels = 2.0 * variation->moved / (double)all->size; /* a picture goes from -1 to 1 */
    tn_tensor *angle = digits_between(count, variation->turned, generator);
    tn_tensor *right = digits_between(count, pixels, generator), *down = digits_between(count, pixels, generator);
    const tn_tensor *across[] = {tn_cos(angle), tn_neg(tn_sin(angle)), right}, *along[] = {tn_sin(angle), tn_cos(angle), down};
    const tn_tensor *rows[] = {tn_stack(across, 3, 1), tn_stack(along, 3, 1)};
    tn_tensor *grid = tn_affine_grid_generator(tn_stack(rows, 2, 1), tn_sizes(images), false);
    tn_tensor *moved = tn_grid_sampler(images, grid, 0, 0, false), *noise = tn_randn(tn_sizes(images), TN_FLOAT32, generator);
    return tn_add_alpha(moved, noise, tn_scalar_float(variation->noise));
}

/* What the programs take: [--epochs N] [--csv] [--split N] [--svg FILE]. */
typedef struct digits_options {
    int64_t epochs; /* 0: as many as do */
    uint64_t split; /* which fifth of scikit-learn's is held back */
    bool csv;
    const char *svg;
} digits_options;

static inline bool digits_arguments(digits_options *options, int argc, char **argv) {
    *options = (digits_options){0};
    for (int i = 1; i < argc; i++)
        if (strcmp(argv[i], "--csv") == 0)
            options->csv = true;
        else if (strcmp(argv[i], "--epochs") == 0 && i + 1 < argc && atoll(argv[i + 1]) > 0)
            options->epochs = atoll(argv[++i]);
        else if (strcmp(argv[i], "--split") == 0 && i + 1 < argc)
            options->split = strtoull(argv[++i], NULL, 10);
        else if (strcmp(argv[i], "--svg") == 0 && i + 1 < argc)
            options->svg = argv[++i];
        else {
            fprintf(stderr, "usage: %s [--epochs N] [--csv] [--split N] [--svg FILE]\n", argv[0]);
            return false;
        }
    return true;
}

/* A picture as characters, two for each pixel, so that one sees what is learned. */
static inline void digits_show(const digits *all, int64_t number) {
    for (int64_t y = 0; y < all->size; y++) {
        printf("    ");
        for (int64_t x = 0; x < all->size; x++) {
            char ink = " .:-=+*#%@"[(int)(9 * tn_get_double(all->images, TN_DIMS(number, 0, y, x)))];
            printf("%c%c", ink, ink);
        }
        putchar('\n');
    }
}

/* What was asked for, with the picture of an eight. False, and said, where there is none. */
static inline bool digits_load(digits *all, const digits_options *options) {
    if (options->csv ? !digits_read(all, stdin, options->split) : !digits_drawn(all, 5000, 1)) {
        fprintf(stderr, "%s\n", tn_error_code() == TN_OK ? "this is not scikit-learn's digits.csv" : tn_error_message());
        return false;
    }
    digits_show(all, 8);
    printf("%d digits of %d x %d pixels, %d of them held back\n", (int)all->count, (int)all->size, (int)all->size,
           (int)all->held);
    return true;
}

#endif

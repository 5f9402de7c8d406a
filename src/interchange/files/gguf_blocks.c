/* gguf_blocks.c - ggml's quantised blocks as float32, or rounded to float16. A block is a few bytes of scales and the elements in 2 to 8 bits each; the formulas
 * are those of ggml's reference, in its order of operations, so that the numbers are the same to the last bit.
 */
#include "interchange/files/file.h"
#include "tensor/small_floats.h"

static float blocks_half(const uint8_t *bytes) { return tn_float16_to_float((tn_float16){(uint16_t)tni_little(bytes, 2)}); }

/* 32 elements of 4 or 5 bits: with or without a fifth bit, a minimum instead of a middle. */
static void blocks_simple(const uint8_t *b, float *y, bool fifth, bool minimum) {
    float d = blocks_half(b), m = minimum ? blocks_half(b + 2) : 0;
    const uint8_t *q = b + (minimum ? 4 : 2) + (fifth ? 4 : 0);
    uint32_t high = fifth ? (uint32_t)tni_little(q - 4, 4) : 0;
    int middle = minimum ? 0 : fifth ? 16 : 8;
    for (int j = 0; j < 16; j++) {
        int low = (int)((q[j] & 15u) | (high >> j & 1) << 4), top = (int)(q[j] >> 4 | (high >> (j + 16) & 1) << 4);
        y[j] = (float)(low - middle) * d;
        y[j + 16] = (float)(top - middle) * d;
        if (minimum) {
            y[j] += m;
            y[j + 16] += m;
        }
    }
}

static void blocks_q4_0(const uint8_t *b, float *y) { blocks_simple(b, y, false, false); }
static void blocks_q4_1(const uint8_t *b, float *y) { blocks_simple(b, y, false, true); }
static void blocks_q5_0(const uint8_t *b, float *y) { blocks_simple(b, y, true, false); }
static void blocks_q5_1(const uint8_t *b, float *y) { blocks_simple(b, y, true, true); }

static void blocks_q8_0(const uint8_t *b, float *y) {
    float d = blocks_half(b);
    for (int j = 0; j < 32; j++)
        y[j] = (float)(int8_t)b[2 + j] * d;
}

static void blocks_q2_k(const uint8_t *b, float *y) {
    const uint8_t *scales = b, *q = b + 16;
    float d = blocks_half(b + 80), min = blocks_half(b + 82);
    for (int n = 0; n < 2; n++, q += 32)
        for (int shift = 0; shift < 8; shift += 2)
            for (int half = 0; half < 32; half += 16, scales++) {
                float dl = d * (float)(*scales & 15), ml = min * (float)(*scales >> 4);
                for (int l = 0; l < 16; l++)
                    *y++ = dl * (float)(q[half + l] >> shift & 3) - ml;
            }
}

static void blocks_q3_k(const uint8_t *b, float *y) {
    const uint8_t *high = b, *q = b + 32, *packed = b + 96;
    float d = blocks_half(b + 108);
    unsigned bit = 1, which = 0;
    for (int n = 0; n < 2; n++, q += 32)
        for (int shift = 0; shift < 8; shift += 2, bit <<= 1)
            for (int half = 0; half < 32; half += 16, which++) {
                unsigned low = which < 8 ? packed[which] & 15u : packed[which - 8] >> 4;
                float dl = d * (float)((int)(low | (packed[8 + which % 4] >> (2 * (which / 4)) & 3u) << 4) - 32);
                for (int l = half; l < half + 16; l++)
                    *y++ = dl * (float)((q[l] >> shift & 3) - (high[l] & bit ? 0 : 4));
            }
}

/* The j-th of eight scales and minima of 6 bits, packed in 12 bytes. */
static void blocks_scale(const uint8_t *s, int j, int *scale, int *minimum) {
    if (j < 4) {
        *scale = s[j] & 63;
        *minimum = s[j + 4] & 63;
    } else {
        *scale = (s[j + 4] & 15) | (s[j - 4] >> 6) << 4;
        *minimum = s[j + 4] >> 4 | (s[j] >> 6) << 4;
    }
}

static void blocks_q45_k(const uint8_t *b, float *y, const uint8_t *high, const uint8_t *q) {
    float d = blocks_half(b), min = blocks_half(b + 2);
    for (int j = 0; j < 8; j++) {
        int scale, minimum;
        blocks_scale(b + 4, j, &scale, &minimum);
        float dl = d * (float)scale, ml = min * (float)minimum;
        for (int l = 0; l < 32; l++) {
            int value = (j % 2 ? q[l] >> 4 : q[l] & 15) + (high && high[l] >> j & 1 ? 16 : 0);
            *y++ = dl * (float)value - ml;
        }
        q += j % 2 ? 32 : 0;
    }
}

static void blocks_q4_k(const uint8_t *b, float *y) { blocks_q45_k(b, y, NULL, b + 16); }
static void blocks_q5_k(const uint8_t *b, float *y) { blocks_q45_k(b, y, b + 16, b + 48); }

static void blocks_q6_k(const uint8_t *b, float *y) {
    const uint8_t *low = b, *high = b + 128, *scales = b + 192;
    float d = blocks_half(b + 208);
    for (int n = 0; n < 2; n++, low += 64, high += 32, scales += 8, y += 128)
        for (int l = 0; l < 32; l++)
            for (int k = 0; k < 4; k++) {
                unsigned nibble = k < 2 ? low[l + 32 * k] & 15u : low[l + 32 * (k - 2)] >> 4;
                int value = (int)(nibble | (high[l] >> (2 * k) & 3u) << 4) - 32;
                y[l + 32 * k] = d * (float)(int8_t)scales[l / 16 + 2 * k] * (float)value;
            }
}

static void blocks_q8_k(const uint8_t *b, float *y) {
    uint32_t bits = (uint32_t)tni_little(b, 4);
    float d;
    memcpy(&d, &bits, 4);
    for (int j = 0; j < 256; j++)
        y[j] = d * (float)(int8_t)b[4 + j];
}

static const struct blocks_kind {
    const char *name;
    uint16_t elements, bytes;
    void (*unpack)(const uint8_t *block, float *target);
} blocks_kinds[] = {
    [2] = {"Q4_0", 32, 18, blocks_q4_0},    [3] = {"Q4_1", 32, 20, blocks_q4_1},    [6] = {"Q5_0", 32, 22, blocks_q5_0},
    [7] = {"Q5_1", 32, 24, blocks_q5_1},    [8] = {"Q8_0", 32, 34, blocks_q8_0},    [10] = {"Q2_K", 256, 84, blocks_q2_k},
    [11] = {"Q3_K", 256, 110, blocks_q3_k}, [12] = {"Q4_K", 256, 144, blocks_q4_k}, [13] = {"Q5_K", 256, 176, blocks_q5_k},
    [14] = {"Q6_K", 256, 210, blocks_q6_k}, [15] = {"Q8_K", 256, 292, blocks_q8_k},
};

const char *tni_gguf_kind(int kind, size_t *elements, size_t *bytes) {
    if (kind < 0 || (size_t)kind >= TNI_COUNT_OF(blocks_kinds) || !blocks_kinds[kind].name)
        return NULL;
    *elements = blocks_kinds[kind].elements;
    *bytes = blocks_kinds[kind].bytes;
    return blocks_kinds[kind].name;
}

enum { BLOCKS_LARGEST = 256 };

void tni_gguf_unpack(int kind, const uint8_t *blocks, void *target, uint64_t elements, bool half) {
    const struct blocks_kind *about = &blocks_kinds[kind];
    float *floats = target, block[BLOCKS_LARGEST] = {0};
    tn_float16 *halves = target;
    for (; elements; elements -= about->elements, blocks += about->bytes) {
        about->unpack(blocks, half ? block : floats);
        for (int i = 0; half && i < about->elements; i++)
            halves[i] = tni_float16_from_float(block[i]);
        floats += half ? 0 : about->elements;
        halves += half ? about->elements : 0;
    }
}

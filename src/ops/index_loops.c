/* index_loops.c - the inner loops of index_engine.c. Moves exist by the size of an element; sums, products and extremes for the
 * few dtypes that tni_pick_wide names. Each does its elements in ascending order: that is what makes accumulation repeatable.
 */
#include "dispatch/kernels.h"
#include "ops/index_engine.h"

typedef struct loop_bytes16 {
    uint64_t half[2];
} loop_bytes16;

/* ---- moves */

#define LOOP_MOVE(name, type)                                                                                                  \
    static void loop_read_##name(char *picked, int64_t picked_stride, char *other, int64_t other_stride,                       \
                                 const int64_t *offsets, int64_t scale, int64_t count) {                                       \
        const int64_t item = (int64_t)sizeof(type);                                                                            \
        type value;                                                                                                            \
        if (!offsets && picked_stride == item && other_stride == item) {                                                       \
            memcpy(other, picked, (size_t)(count * item));                                                                     \
        } else if (!offsets) {                                                                                                 \
            tni_kernels()->strided[__builtin_ctz(sizeof(type))](other, other_stride, picked, picked_stride, count);            \
        } else if (picked_stride == 0 && other_stride == item) {                                                               \
            int64_t i = 0;                                                                                                     \
            for (; i + 4 <= count; i += 4) {                                                                                   \
                type a, b, c, d;                                                                                               \
                memcpy(&a, picked + offsets[i] * scale, sizeof a);                                                             \
                memcpy(&b, picked + offsets[i + 1] * scale, sizeof b);                                                         \
                memcpy(&c, picked + offsets[i + 2] * scale, sizeof c);                                                         \
                memcpy(&d, picked + offsets[i + 3] * scale, sizeof d);                                                         \
                memcpy(other + i * item, &a, sizeof a);                                                                        \
                memcpy(other + (i + 1) * item, &b, sizeof b);                                                                  \
                memcpy(other + (i + 2) * item, &c, sizeof c);                                                                  \
                memcpy(other + (i + 3) * item, &d, sizeof d);                                                                  \
            }                                                                                                                  \
            for (; i < count; i++) {                                                                                           \
                memcpy(&value, picked + offsets[i] * scale, sizeof value);                                                     \
                memcpy(other + i * item, &value, sizeof value);                                                                \
            }                                                                                                                  \
        } else {                                                                                                               \
            for (int64_t i = 0; i < count; i++) {                                                                              \
                memcpy(&value, picked + i * picked_stride + offsets[i] * scale, sizeof value);                                 \
                memcpy(other + i * other_stride, &value, sizeof value);                                                        \
            }                                                                                                                  \
        }                                                                                                                      \
    }                                                                                                                          \
    static void loop_write_##name(char *picked, int64_t picked_stride, char *other, int64_t other_stride,                      \
                                  const int64_t *offsets, int64_t scale, int64_t count) {                                      \
        if (!offsets) {                                                                                                        \
            loop_read_##name(other, other_stride, picked, picked_stride, NULL, 0, count);                                      \
            return;                                                                                                            \
        }                                                                                                                      \
        for (int64_t i = 0; i < count; i++) {                                                                                  \
            type value;                                                                                                        \
            memcpy(&value, other + i * other_stride, sizeof value);                                                            \
            memcpy(picked + i * picked_stride + offsets[i] * scale, &value, sizeof value);                                     \
        }                                                                                                                      \
    }
LOOP_MOVE(1, uint8_t)
LOOP_MOVE(2, uint16_t)
LOOP_MOVE(4, uint32_t)
LOOP_MOVE(8, uint64_t)
LOOP_MOVE(16, loop_bytes16)
#undef LOOP_MOVE

/* ---- accumulation */

enum { LOOP_BLOCK = 8 }; /* elements that are loaded before any is stored, so that they go through vectors */

#define LOOP_ACCUMULATE(name, type, expression)                                                                                \
    static void loop_##name(char *picked, int64_t picked_stride, char *other, int64_t other_stride, const int64_t *offsets,    \
                            int64_t scale, int64_t count) {                                                                    \
        const int64_t item = (int64_t)sizeof(type);                                                                            \
        if (!offsets && picked_stride == item && other_stride == item) {                                                       \
            int64_t i = 0;                                                                                                     \
            for (; i + LOOP_BLOCK <= count; i += LOOP_BLOCK) {                                                                 \
                type block[2][LOOP_BLOCK];                                                                                     \
                memcpy(block[0], picked + i * item, sizeof block[0]);                                                          \
                memcpy(block[1], other + i * item, sizeof block[1]);                                                           \
                for (int k = 0; k < LOOP_BLOCK; k++) {                                                                         \
                    const type a = block[0][k], b = block[1][k];                                                               \
                    block[0][k] = (expression);                                                                                \
                }                                                                                                              \
                memcpy(picked + i * item, block[0], sizeof block[0]);                                                          \
            }                                                                                                                  \
            for (; i < count; i++) {                                                                                           \
                const type a = ((const type *)picked)[i], b = ((const type *)other)[i];                                        \
                ((type *)picked)[i] = (expression);                                                                            \
            }                                                                                                                  \
        } else if (offsets && picked_stride == 0) {                                                                            \
            for (int64_t i = 0; i < count; i++) {                                                                              \
                type *target = (type *)(picked + offsets[i] * scale);                                                          \
                const type a = *target, b = *(const type *)(other + i * other_stride);                                         \
                *target = (expression);                                                                                        \
            }                                                                                                                  \
        } else {                                                                                                               \
            for (int64_t i = 0; i < count; i++) {                                                                              \
                type *target = (type *)(picked + i * picked_stride + (offsets ? offsets[i] * scale : 0));                      \
                const type a = *target, b = *(const type *)(other + i * other_stride);                                         \
                *target = (expression);                                                                                        \
            }                                                                                                                  \
        }                                                                                                                      \
    }

static inline tn_complex64 loop_add_c64(tn_complex64 a, tn_complex64 b) {
    return (tn_complex64){a.real + b.real, a.imag + b.imag};
}
static inline tn_complex64 loop_mul_c64(tn_complex64 a, tn_complex64 b) {
    return (tn_complex64){a.real * b.real - a.imag * b.imag, a.real * b.imag + a.imag * b.real};
}
static inline tn_complex128 loop_add_c128(tn_complex128 a, tn_complex128 b) {
    return (tn_complex128){a.real + b.real, a.imag + b.imag};
}
static inline tn_complex128 loop_mul_c128(tn_complex128 a, tn_complex128 b) {
    return (tn_complex128){a.real * b.real - a.imag * b.imag, a.real * b.imag + a.imag * b.real};
}

LOOP_ACCUMULATE(add_float32, float, a + b)
LOOP_ACCUMULATE(add_float64, double, a + b)
LOOP_ACCUMULATE(add_int64, uint64_t, a + b) /* wraps, as integers do */
LOOP_ACCUMULATE(add_complex64, tn_complex64, loop_add_c64(a, b))
LOOP_ACCUMULATE(add_complex128, tn_complex128, loop_add_c128(a, b))
LOOP_ACCUMULATE(multiply_float32, float, a *b)
LOOP_ACCUMULATE(multiply_float64, double, a *b)
LOOP_ACCUMULATE(multiply_int64, uint64_t, a *b)
LOOP_ACCUMULATE(multiply_complex64, tn_complex64, loop_mul_c64(a, b))
LOOP_ACCUMULATE(multiply_complex128, tn_complex128, loop_mul_c128(a, b))
/* A NaN stays: an `a` that is one is kept, a `b` that is one is taken. */
LOOP_ACCUMULATE(maximum_float32, float, a > b || a != a ? a : b)
LOOP_ACCUMULATE(maximum_float64, double, a > b || a != a ? a : b)
LOOP_ACCUMULATE(maximum_int64, int64_t, a > b ? a : b)
LOOP_ACCUMULATE(maximum_uint64, uint64_t, a > b ? a : b)
LOOP_ACCUMULATE(minimum_float32, float, a < b || a != a ? a : b)
LOOP_ACCUMULATE(minimum_float64, double, a < b || a != a ? a : b)
LOOP_ACCUMULATE(minimum_int64, int64_t, a < b ? a : b)
LOOP_ACCUMULATE(minimum_uint64, uint64_t, a < b ? a : b)
#undef LOOP_ACCUMULATE

tn_dtype tni_pick_wide(tn_dtype dtype, tni_pick_mode mode) {
    tn_dtype_kind kind = tni_dtype_row(dtype)->kind;
    size_t size = tn_dtype_size(dtype);
    if (kind == TN_KIND_COMPLEX)
        return mode == TNI_PICK_ADD || mode == TNI_PICK_MULTIPLY ? dtype : TN_DTYPE_DEFAULT;
    if (kind == TN_KIND_FLOAT)
        return size == 1 ? TN_DTYPE_DEFAULT : size == 2 ? TN_FLOAT32 : dtype;
    return dtype == TN_UINT64 ? TN_UINT64 : TN_INT64;
}

tni_pick_loop tni_pick_loop_of(tni_pick_mode mode, tn_dtype dtype) {
    static const tni_pick_loop moves[2][TNI_ELEMENT_SIZES] = {
        {loop_read_1, loop_read_2, loop_read_4, loop_read_8, loop_read_16},
        {loop_write_1, loop_write_2, loop_write_4, loop_write_8, loop_write_16}};
    static const tni_pick_loop loops[4][6] = {
        {loop_add_float32, loop_add_float64, loop_add_int64, loop_add_int64, loop_add_complex64, loop_add_complex128},
        {loop_multiply_float32, loop_multiply_float64, loop_multiply_int64, loop_multiply_int64, loop_multiply_complex64,
         loop_multiply_complex128},
        {loop_maximum_float32, loop_maximum_float64, loop_maximum_int64, loop_maximum_uint64, NULL, NULL},
        {loop_minimum_float32, loop_minimum_float64, loop_minimum_int64, loop_minimum_uint64, NULL, NULL}};
    if (mode <= TNI_PICK_WRITE)
        return moves[mode][tni_element_index(tni_dtype_size(dtype))];
    if (mode > TNI_PICK_MINIMUM)
        return NULL;
    int column = dtype == TN_FLOAT32     ? 0
                 : dtype == TN_FLOAT64   ? 1
                 : dtype == TN_INT64     ? 2
                 : dtype == TN_UINT64    ? 3
                 : dtype == TN_COMPLEX64 ? 4
                                         : 5;
    return loops[mode - TNI_PICK_ADD][column];
}

/* ---- positions */

#define LOOP_EACH_INDEX(X)                                                                                                     \
    X(INT64, int64_t)                                                                                                          \
    X(INT32, int32_t)                                                                                                          \
    X(INT16, int16_t)                                                                                                          \
    X(INT8, int8_t)                                                                                                            \
    X(UINT8, uint8_t)                                                                                                          \
    X(UINT16, uint16_t)                                                                                                        \
    X(UINT32, uint32_t)

static void loop_load_plain(tn_dtype dtype, const char *index, int64_t stride, int64_t count, int64_t *positions) {
    switch (dtype) {
#define LOOP_LOAD(NAME, type)                                                                                                  \
    case TN_##NAME:                                                                                                            \
        for (int64_t i = 0; i < count; i++)                                                                                    \
            positions[i] = (int64_t)(*(const type *)(index + i * stride));                                                     \
        break;
        LOOP_EACH_INDEX(LOOP_LOAD)
#undef LOOP_LOAD
    default: /* uint64: what is above the range of int64 is above every limit, too */
        for (int64_t i = 0; i < count; i++) {
            uint64_t value = *(const uint64_t *)(index + i * stride);
            positions[i] = value > INT64_MAX ? INT64_MAX : (int64_t)value;
        }
    }
}

int64_t tni_position_load(tn_dtype dtype, const char *index) {
    int64_t position;
    loop_load_plain(dtype, index, 0, 1, &position);
    return position;
}

bool tni_pick_fits(const tni_pick *pick, const int64_t *positions, int64_t count) {
    typedef uint64_t pair __attribute__((vector_size(16), aligned(8), may_alias));
    const pair *at = (const pair *)(const void *)positions, most = (pair){0} + ((uint64_t)pick->limit - 1);
    pair some = {0}, others = {0}; /* the highest bit is set by a position below 0, and by one above `most` */
    int64_t i = 0;
    for (; i + 4 <= count; i += 4, at += 2) {
        some |= at[0] | (most - at[0]);
        others |= at[1] | (most - at[1]);
    }
    some |= others;
    uint64_t all = some[0] | some[1];
    for (; i < count; i++)
        all |= (uint64_t)positions[i] | (most[0] - (uint64_t)positions[i]);
    return all >> 63 == 0;
}

bool tni_pick_load(const tni_pick *pick, const char *index, int64_t stride, int64_t count, int64_t *offsets) {
    const int64_t *positions = offsets;
    if (pick->index_dtype == TN_INT64 && stride == (int64_t)sizeof(int64_t))
        positions = (const int64_t *)index;
    else
        loop_load_plain(pick->index_dtype, index, stride, count, offsets);
    if (pick->ready) {
        if (positions != offsets)
            memcpy(offsets, positions, (size_t)count * sizeof *offsets);
        return true;
    }
    const uint64_t limit = (uint64_t)pick->limit;
    const int64_t scale = pick->scale;
    uint64_t bad = 0;
    if (pick->wrap)
        for (int64_t i = 0; i < count; i++) {
            uint64_t position = (uint64_t)positions[i] + ((uint64_t)(positions[i] >> 63) & limit);
            bad |= position >= limit;
            offsets[i] = (int64_t)(position * (uint64_t)scale);
        }
    else
        for (int64_t i = 0; i < count; i++) {
            uint64_t position = (uint64_t)positions[i];
            bad |= position >= limit;
            offsets[i] = (int64_t)(position * (uint64_t)scale);
        }
    return bad == 0;
}

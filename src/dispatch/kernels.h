/* kernels.h - the kernel table: one pointer for every inner loop the library has, for the instruction set in use.
 *
 * A kernel is a plain loop over memory. It knows no tensors, checks nothing and cannot fail. Moves, conversions, arithmetic
 * and comparisons give the same bits at every level; mathematical functions may differ by their error (docs/accuracy.md),
 * because some levels have fused multiply-add. Its body is an ordinary C file under src/cpu/bodies, compiled once for each
 * level (src/cpu/isa) inside the same binary. The table of a level starts as that of the baseline and is overwritten by
 * whatever has been compiled for the levels up to it, so a kernel that exists only for the baseline serves them all. Operators
 * ask tni_kernels() once per call.
 *
 * A new family of kernels is one line in TNI_EACH_KERNEL, its bodies, and one function in src/cpu that enters them.
 */
#ifndef TNI_KERNELS_H
#define TNI_KERNELS_H

#include "base/cpu_features.h"
#include "dispatch/loop.h"
#include "operator_kernels.h"
#include "tensor/convert.h"
#include "tensor/dtype.h"

/* Kernels that move elements exist by their size, which is a power of two: 1, 2, 4, 8, 16 bytes, at index 0 to 4. Addresses
 * need no alignment, pitches and strides are in bytes and may be negative, source and target do not overlap. */
enum { TNI_ELEMENT_SIZES = 5 };

/* `rows` rows of `bytes` bytes, written around the caches where whole lines allow it. Meanwhile the memory that will be read
 * after it, next_rows rows of next_bytes (0 rows: none), is brought into the second-level cache. Ordered before all later
 * writes when it returns. */
typedef struct tni_stream {
    char *target;
    const char *source;
    int64_t target_pitch, source_pitch;
    int64_t bytes, rows;
    const char *next;
    int64_t next_pitch, next_bytes, next_rows;
    bool unordered; /* more follows: not ordered before later writes; a last call with 0 rows orders all of them */
} tni_stream;
typedef void (*tni_stream_function)(const tni_stream *stream);

/* `count` elements, each a stride away from the one before; a source stride of 0 repeats one element. */
typedef void (*tni_strided_function)(char *target, int64_t target_stride, const char *source, int64_t source_stride,
                                     int64_t count);

/* source: (rows, columns), columns next to each other; target: (columns, rows), rows next to each other. */
typedef void (*tni_transpose_function)(char *target, int64_t target_pitch, const char *source, int64_t source_pitch,
                                       int64_t rows, int64_t columns);

/* `count` elements next to each other from one dtype to another. */
typedef void (*tni_convert_function)(void *target, const void *source, size_t count);

/* Words of Philox: `groups` groups of 16 blocks each from block `offset` on; word w of block b of a group at 64 group + 16 w + b. */
typedef void (*tni_philox_function)(uint32_t *out, uint64_t seed, uint64_t offset, uint32_t stream, int64_t groups);

/* Numbers in [0, 1) from words: of 24 bits each; of 53, from an upper and a lower word, `step` words from one to the next. */
typedef void (*tni_unit_float_function)(float *out, const uint32_t *words, int64_t count);
typedef void (*tni_unit_double_function)(double *out, const uint32_t *upper, const uint32_t *lower, int64_t step,
                                         int64_t count);

/* Between uniform and normal numbers: values are groups of `half` distances and `half` angles, `pairs` of them in all. */
typedef void (*tni_polar_begin_function)(const float *values, int64_t half, int64_t pairs, float *logs, float *turns);
typedef void (*tni_polar_end_function)(float *values, int64_t half, int64_t pairs, const float *logs, const float *sines,
                                       const float *cosines);

/* Groups of 64 words of Philox to as many normal numbers. */
typedef void (*tni_normal_function)(float *out, const uint32_t *words, int64_t groups);

/* value * factor + shift, rounded once. */
typedef void (*tni_scale_float_function)(float *values, float factor, float shift, int64_t count);
typedef void (*tni_scale_double_function)(double *values, double factor, double shift, int64_t count);

/* Every family, once: X(name, type, how many of them).
 *
 *   widen[from]                  to the carrier of `from` (convert.h)
 *   narrow[carrier * N + to]     from the carrier            N is TN_DTYPE_COUNT
 *   pointwise[kernel * N + dtype] the loop of an operator (loop.h) that computes in a dtype; NULL where it makes no sense
 *   convert[from * N + to]       both at once; NULL where only the two steps exist
 *   around[from * N + to]        the same, written around the caches: for few pairs; the target is whole lines of 64 bytes */
#define TNI_EACH_KERNEL(X)                                                                                                     \
    X(stream, tni_stream_function, 1)                                                                                          \
    X(strided, tni_strided_function, TNI_ELEMENT_SIZES)                                                                        \
    X(transpose, tni_transpose_function, TNI_ELEMENT_SIZES)                                                                    \
    X(widen, tni_convert_function, TN_DTYPE_COUNT)                                                                             \
    X(narrow, tni_convert_function, TNI_CARRIER_COUNT *TN_DTYPE_COUNT)                                                         \
    X(convert, tni_convert_function, TN_DTYPE_COUNT *TN_DTYPE_COUNT)                                                           \
    X(around, tni_convert_function, TN_DTYPE_COUNT *TN_DTYPE_COUNT)                                                            \
    X(philox, tni_philox_function, 1)                                                                                          \
    X(unit_float, tni_unit_float_function, 1)                                                                                  \
    X(unit_double, tni_unit_double_function, 1)                                                                                \
    X(polar_begin, tni_polar_begin_function, 1)                                                                                \
    X(polar_end, tni_polar_end_function, 1)                                                                                    \
    X(normal_float, tni_normal_function, 1)                                                                                    \
    X(scale_float, tni_scale_float_function, 1)                                                                                \
    X(scale_double, tni_scale_double_function, 1)                                                                              \
    X(pointwise, tni_loop, (TNI_KERNEL_COUNT + 1) * TN_DTYPE_COUNT)

typedef struct tni_kernel_table {
#define TNI_KERNEL_MEMBER_(name, type, count) type name[count];
    TNI_EACH_KERNEL(TNI_KERNEL_MEMBER_)
#undef TNI_KERNEL_MEMBER_
} tni_kernel_table;

/* The table of the level in use now (tn_cpu_level_in_use). Made on first use; cannot fail. */
const tni_kernel_table *tni_kernels(void);

/* Which level the kernel was compiled for that serves an entry now: tni_kernel_level("transpose", 2). -1 where there is no
 * such entry, or no kernel in it. */
int tni_kernel_level(const char *family, int64_t index);

/* log2 of an element size that a kernel exists for. */
static inline int tni_element_index(size_t size) { return __builtin_ctzll((unsigned long long)size); }

static inline tni_convert_function tni_kernel_convert(const tni_kernel_table *table, tn_dtype from, tn_dtype to) {
    return table->convert[(int)from * TN_DTYPE_COUNT + (int)to];
}

#endif

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
#include "dispatch/reduce_loop.h"
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

/* Two runs of `count` elements each, one from each in turn. What is written around the caches, to a target that begins with a
 * line, is not ordered before later writes: a call of `stream` with 0 rows does that. */
typedef void (*tni_interleave_function)(char *target, const char *first, const char *second, int64_t count, bool around);

/* `count` elements, each a stride away from the one before; a source stride of 0 repeats one element. */
typedef void (*tni_strided_function)(char *target, int64_t target_stride, const char *source, int64_t source_stride,
                                     int64_t count);

/* source: (rows, columns), columns next to each other; target: (columns, rows), rows next to each other. */
typedef void (*tni_transpose_function)(char *target, int64_t target_pitch, const char *source, int64_t source_pitch,
                                       int64_t rows, int64_t columns);

/* `count` elements next to each other from one dtype to another. */
typedef void (*tni_convert_function)(void *target, const void *source, size_t count);

enum { TNI_STREAMED = 32 };

/* Whole numbers in the order of `count` elements of a dtype: uint32_t, or uint64_t for elements of 8 bytes. Equal elements have
 * equal keys: the two zeros too, and all NaN, which come last. Descending turns the order around. */
typedef void (*tni_sort_keys_function)(void *keys, const void *elements, int64_t count, bool descending);

/* The position of the first of `count` keys that is less than a bound, or `count`. */
typedef int64_t (*tni_sort_below_function)(const void *keys, int64_t count, uint64_t bound);

/* Whether any of `count` elements may come before the element at `bound` in the order that their keys would have. */
typedef bool (*tni_sort_before_function)(const void *elements, int64_t count, const void *bound, bool descending);

/* Running sums or products of float32; `before` stands before the first element. Returns the sum of the elements (of a product,
 * nothing), also where there is no `out`. What is written around the caches is not ordered before later writes: a call of
 * `stream` with 0 rows does that. */
typedef double (*tni_scan_function)(float *out, const float *in, int64_t count, double before, bool around);

/* The extreme so far and its position; the line is not empty. */
typedef void (*tni_scan_extreme_function)(void *values, int64_t *indices, const void *in, int64_t count);

/* Softmax of a line, or its logarithm, by the loop of the exponential; and a line divided by its size. weight and bias are lines
 * too, or NULL. eps is added to the variance or the mean square; TNI_NORM_UNIT takes it as the least size. */
typedef void (*tni_softmax_function)(void *out, const void *in, int64_t count, bool logarithm, tni_loop exponential);
typedef struct tni_norm {
    enum { TNI_NORM_LAYER, TNI_NORM_RMS, TNI_NORM_UNIT } kind;
    const void *weight, *bias;
    double eps;
} tni_norm;
typedef void (*tni_norm_function)(void *out, const void *in, int64_t count, const tni_norm *norm);

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
 *   sort_keys[dtype]             its keys; NULL for complex
 *   sort_below[0], [1]           for keys of 4 and of 8 bytes
 *   sort_before[dtype]           for float32 and float64; NULL for the others
 *   reduce_run[kind * N + dtype], reduce_columns   the loops of a reduction (reduce_loop.h)
 *   scan[0], [1]                 the sum, the product
 *   scan_extreme[2 dtype], [2 dtype + 1]  the maximum, the minimum; of float32, float64, int64, uint64
 *   softmax[0], [1], norm[0], [1]  of float32 and of float64
 *   pointwise[kernel * N + dtype] the loop of an operator (loop.h) that computes in a dtype; NULL where it makes no sense
 *   convert[from * N + to]       both at once; NULL where only the two steps exist
 *   around[from * N + to]        the same, written around the caches: for few pairs; the target is whole lines of 64 bytes
 *   streamed[2 i], [2 i + 1]     a loop of `pointwise`, and its twin that writes around the caches: for few; NULL ends them.
 *                                The twin's result begins with a line, its count is whole lines, and its writes are unordered */
#define TNI_EACH_KERNEL(X)                                                                                                     \
    X(philox, tni_philox_function, 1)                                                                                          \
    X(unit_float, tni_unit_float_function, 1)                                                                                  \
    X(unit_double, tni_unit_double_function, 1)                                                                                \
    X(polar_begin, tni_polar_begin_function, 1)                                                                                \
    X(polar_end, tni_polar_end_function, 1)                                                                                    \
    X(normal_float, tni_normal_function, 1)                                                                                    \
    X(scale_float, tni_scale_float_function, 1)                                                                                \
    X(scale_double, tni_scale_double_function, 1)                                                                              \
    X(stream, tni_stream_function, 1)                                                                                          \
    X(strided, tni_strided_function, TNI_ELEMENT_SIZES)                                                                        \
    X(interleave, tni_interleave_function, TNI_ELEMENT_SIZES)                                                                  \
    X(transpose, tni_transpose_function, TNI_ELEMENT_SIZES)                                                                    \
    X(widen, tni_convert_function, TN_DTYPE_COUNT)                                                                             \
    X(narrow, tni_convert_function, TNI_CARRIER_COUNT *TN_DTYPE_COUNT)                                                         \
    X(convert, tni_convert_function, TN_DTYPE_COUNT *TN_DTYPE_COUNT)                                                           \
    X(around, tni_convert_function, TN_DTYPE_COUNT *TN_DTYPE_COUNT)                                                            \
    X(sort_keys, tni_sort_keys_function, TN_DTYPE_COUNT)                                                                       \
    X(sort_below, tni_sort_below_function, 2)                                                                                  \
    X(sort_before, tni_sort_before_function, TN_DTYPE_COUNT)                                                                   \
    X(reduce_run, tni_reduce_loop, TNI_REDUCE_KINDS *TN_DTYPE_COUNT)                                                           \
    X(reduce_columns, tni_reduce_loop, TNI_REDUCE_KINDS *TN_DTYPE_COUNT)                                                       \
    X(scan, tni_scan_function, 2)                                                                                              \
    X(scan_extreme, tni_scan_extreme_function, 2 * TN_DTYPE_COUNT)                                                             \
    X(softmax, tni_softmax_function, 2)                                                                                        \
    X(norm, tni_norm_function, 2)                                                                                              \
    X(pointwise, tni_loop, (TNI_KERNEL_COUNT + 1) * TN_DTYPE_COUNT)                                                            \
    X(streamed, tni_loop, 2 * TNI_STREAMED)

typedef struct tni_kernel_table {
#define TNI_KERNEL_MEMBER_(name, type, count) type name[count];
    TNI_EACH_KERNEL(TNI_KERNEL_MEMBER_)
#undef TNI_KERNEL_MEMBER_
} tni_kernel_table;

/* The tables of the levels, NULL until they are made. */
extern _Atomic(const tni_kernel_table *) tni_kernels_of_level[TNI_CPU_LEVELS];
const tni_kernel_table *tni_kernels_make(void);

/* The table of the level in use now (tn_cpu_level_in_use). Made on first use; cannot fail. */
static inline const tni_kernel_table *tni_kernels(void) {
    const tni_kernel_table *table = atomic_load_explicit(&tni_kernels_of_level[tni_cpu_level()], memory_order_acquire);
    return TNI_LIKELY(table != NULL) ? table : tni_kernels_make();
}

/* Which level the kernel was compiled for that serves an entry now: tni_kernel_level("transpose", 2). -1 where there is no
 * such entry, or no kernel in it. */
int tni_kernel_level(const char *family, int64_t index);

/* log2 of an element size that a kernel exists for. */
static inline int tni_element_index(size_t size) { return __builtin_ctzll((unsigned long long)size); }

/* Bytes read and written together from which on a result is better written around the caches, where the last of them has so
 * many: half. There, on the machine of docs/performance.md, the two ways cross for one operand and for two, on one thread and on
 * two; bench/README.md says how to find it again. */
static inline int64_t tni_kernel_stream_from(int64_t last_level_bytes) { return last_level_bytes / 2; }

/* The twin of a loop that writes around the caches; NULL where it has none. */
static inline tni_loop tni_kernel_streamed(const tni_kernel_table *table, tni_loop loop) {
    const tni_loop *pair = table->streamed;
    while (pair[0] && pair[0] != loop)
        pair += 2;
    return pair[1];
}

static inline tni_convert_function tni_kernel_convert(const tni_kernel_table *table, tn_dtype from, tn_dtype to) {
    return table->convert[(int)from * TN_DTYPE_COUNT + (int)to];
}

#endif

/* table.h - the kernel table: one pointer for every inner loop the library has, for the instruction set in use.
 *
 * A kernel is a plain loop over memory. It knows no tensors, checks nothing and cannot fail. Moves, conversions, arithmetic
 * and comparisons give the same bits at every level; mathematical functions may differ by their error (docs/accuracy.md),
 * because some levels have fused multiply-add. Its body is an ordinary C file under src/cpu/bodies, compiled once for each
 * level (src/cpu/isa) inside the same binary. The table of a level starts as that of the baseline and is overwritten by
 * whatever has been compiled for the levels up to it, so a kernel that exists only for the baseline is used at all of them.
 * Operators ask tni_kernels() once per call.
 *
 * A new family of kernels is one line in TNI_EACH_KERNEL, its bodies, and one function in src/cpu that enters them.
 */
#ifndef TNI_KERNELS_H
#define TNI_KERNELS_H

#include "base/cpu_features.h"
#include "kernels/loop.h"
#include "kernels/attention_loop.h"
#include "kernels/factor_loop.h"
#include "kernels/fourier_pass.h"
#include "kernels/matrix_loop.h"
#include "kernels/pool_plane.h"
#include "kernels/product_tile.h"
#include "kernels/reduce_loop.h"
#include "kernels/step_loop.h"
#include "kernels/window_loop.h"
#include "kernels/resample_plane.h"
#include "operator_kernels.h"
#include "tensor/convert.h"
#include "tensor/dtype.h"
#include "kernels/limits.h"

/* Kernels that move elements exist by their size, which is a power of two: 1, 2, 4, 8, 16 bytes, at index 0 to 4. Addresses
 * need no alignment, pitches and strides are in bytes and may be negative, source and target do not overlap. */
enum { TNI_ELEMENT_SIZES = 5 };

/* `rows` rows of `bytes` bytes, written around the caches where whole lines allow it. Meanwhile the memory that will be read
 * next, next_rows rows of next_bytes (0 rows: none), is brought into the second-level cache. Ordered before all later writes
 * when it returns. */
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

/* Two runs of `count` elements each, interleaved. What is written around the caches, to a target that begins with a cache line,
 * is not ordered before later writes: a call of `stream` with 0 rows does that. */
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
 * equal keys: the two zeros too, and all NaN, which come last. Descending reverses the order. */
typedef void (*tni_sort_keys_function)(void *keys, const void *elements, int64_t count, bool descending);

/* The position of the first of `count` keys that is less than a bound, or `count`. */
typedef int64_t (*tni_sort_below_function)(const void *keys, int64_t count, uint64_t bound);

/* Whether any of `count` elements may come before the element at `bound` in the order that their keys would have. */
typedef bool (*tni_sort_before_function)(const void *elements, int64_t count, const void *bound, bool descending);

/* Running sums or products of float32; `before` is the value before the first element. Returns the sum of the elements, even
 * where there is no `out`; for a product, the value before the next element. What is written around the caches is not ordered
 * before later writes: a call of `stream` with 0 rows does that. */
typedef double (*tni_scan_function)(float *out, const float *in, int64_t count, double before, bool around);

/* The extreme so far and its position; the line is not empty. */
typedef void (*tni_scan_extreme_function)(void *values, int64_t *indices, const void *in, int64_t count);

/* Softmax of `lines` lines of `count` elements, one after the other, or its logarithm, with the loop of the exponential; and a line
 * divided by its size. weight and bias are lines too, or NULL. eps is added to the variance or the mean square; TNI_NORM_UNIT takes it as
 * the least size. */
typedef void (*tni_softmax_function)(void *out, const void *in, int64_t count, int64_t lines, bool logarithm,
                                     tni_loop exponential);
/* The gradient of what softmax read, from that of what it gave and from that itself. */
typedef void (*tni_softmax_back_function)(void *out, const void *grad, const void *given, int64_t count, int64_t lines,
                                          bool logarithm, tni_loop exponential);
/* Cross entropy of `lines` lines of `count` scores, one after the other. A line's target is the number of a class, or a chance for
 * each. `entropy` gives the loss of each line and the logarithm of its sum of exponentials, from which `entropy_back` finds the gradients of
 * the scores, grad being those of the losses, or NULL. */
typedef struct tni_entropy {
    int64_t count;
    bool chances;       /* targets are lines of the dtype; else int64_t       */
    int64_t ignored;    /* a class that gives 0                               */
    double smoothing;   /* the share of every target that goes to all classes */
    const void *weight; /* of each class, or NULL: all 1                      */
    double weights;     /* their sum                                          */
    double rate;        /* the gradient of every loss, where they have none of their own */
    tni_loop exponential;
} tni_entropy;
typedef void (*tni_entropy_function)(double *loss, double *logs, const void *x, const void *target, int64_t lines,
                                     const tni_entropy *call);
typedef void (*tni_entropy_back_function)(void *out, const void *x, const double *logs, const void *target, const double *grad,
                                          int64_t lines, const tni_entropy *call);
typedef struct tni_norm {
    enum { TNI_NORM_LAYER, TNI_NORM_RMS, TNI_NORM_UNIT } kind;
    const void *weight, *bias;
    double eps;
} tni_norm;
/* The mean of a line is center + left, where center is a number of its dtype; the variance is around that mean. And ((x - center) factor +
 * rest) weight + bias for each element, weight and bias being lines too, or NULL. */
typedef struct tni_norm_moments {
    double center, left, variance;
} tni_norm_moments;
typedef void (*tni_norm_moments_function)(const void *x, int64_t count, tni_norm_moments *moments);
typedef void (*tni_norm_place_function)(void *out, const void *x, const void *weight, const void *bias, int64_t count,
                                        double center, double factor, double rest);
/* Gradients of norms. Over a line: the sums of h = grad * weight and of h * (x - center). Each element: h * scale + (x - center) * along +
 * rest, the numbers being center, scale, along and rest. Down some columns, the rows `stride` apart: the sums of grad * (x - mean) * factor, then
 * those of grad, added to `sums`; each row has its mean and its factor, or (centers) each column its mean, and the factor is 1. At most TNI_NORM_BACK_COLUMNS of them.
 * Rows of pixels: each column has its own center, scale, along and rest, arrays one after the other. weight may be NULL. */
typedef void (*tni_norm_back_sums_function)(const void *grad, const void *x, const void *weight, int64_t count, double center,
                                            double *sums);
typedef void (*tni_norm_back_place_function)(void *out, const void *grad, const void *x, const void *weight, int64_t count,
                                             const double *numbers);
typedef void (*tni_norm_back_columns_function)(double *sums, const void *grad, const void *x, int64_t rows, int64_t stride,
                                               int64_t columns, const double *mean_factor, const void *centers);
typedef void (*tni_norm_back_pixels_function)(void *out, const void *grad, const void *x, int64_t rows, int64_t columns,
                                              const void *numbers);
typedef void (*tni_norm_function)(void *out, const void *in, int64_t count, const tni_norm *norm);

/* Elements at picked places are read, written, or combined with others: `count` of them, in ascending order. Element i is
 * picked at i * picked_stride + offsets[i] * scale; without offsets at i * picked_stride. */
typedef void (*tni_pick_function)(char *picked, int64_t picked_stride, char *other, int64_t other_stride,
                                  const int64_t *offsets, int64_t scale, int64_t count);

/* `count` indices as positions; those above the range of int64 become its largest. Whether positions are neither negative nor
 * as large as the limit. Positions times the scale, which may be the same array: false where one is not below the limit. */
typedef void (*tni_positions_function)(int64_t *positions, const char *index, int64_t stride, int64_t count);
typedef bool (*tni_positions_fit_function)(const int64_t *positions, int64_t count, int64_t limit);
typedef bool (*tni_offsets_function)(int64_t *offsets, const int64_t *positions, int64_t count, int64_t limit, int64_t scale);

/* Whether one of `count` elements, `stride` bytes apart, has no bit set. Positions, counted from `first`, of elements with a bit of
 * `mask` set (of 16 bytes: in either half), and how many; there is room for `count`, and what is behind those found is spoilt. */
typedef bool (*tni_has_zero_function)(const char *at, int64_t stride, int64_t count);
typedef int64_t (*tni_nonzero_function)(const void *elements, uint64_t mask, int64_t count, int64_t first, int64_t *at);

/* The elements of a line in an order: the low 32 bits of each item are a position, the high ones, of elements of 4 bytes, its key. */
typedef void (*tni_sort_take_function)(void *values, const void *line, const uint64_t *items, int64_t count, tn_dtype dtype,
                                       bool descending);

/* The greatest of whole numbers, negative ones being larger than all others. How often each of those below TNI_COUNT_NEAR occurs, in
 * two tables to be added up, or false where one is not. How often each occurs, added to int64; or the sum of the weights, of
 * float64, where it does. */
typedef uint64_t (*tni_count_greatest_function)(const int64_t *numbers, int64_t count);
typedef bool (*tni_count_near_function)(int64_t *even, int64_t *odd, const int64_t *numbers, int64_t count);
typedef void (*tni_count_function)(void *to, const int64_t *numbers, const double *weights, int64_t count);

/* The area under a line of y: over x, or over steps of dx; the whole, or (running) up to each element from the second on. */
typedef struct tni_area {
    int64_t length; /* of the lines of y */
    double dx;      /* where there is no x */
    bool running;
    tn_dtype y_dtype, x_dtype, common;
} tni_area;
typedef void (*tni_area_function)(void *out, const void *y, const void *x, const tni_area *area);

/* How many bytes of a mask are not 0; and, for up to TNI_MASK_BLOCK of them, the elements beside those, one after the other: how
 * many. */
typedef int64_t (*tni_mask_count_function)(const uint8_t *bytes, int64_t count);
typedef int64_t (*tni_mask_select_function)(char *target, const char *source, const uint8_t *bytes, int64_t count);

/* A running sum or product in plain order; a running logarithm of a sum of exponentials, by the loops of both in float64 (or
 * without); a line divided by its p-norm, or by eps where that is more. */
typedef void (*tni_scan_line_function)(void *out, const void *in, int64_t count);
typedef void (*tni_scan_logarithm_function)(void *out, const void *in, int64_t count, tni_loop exponentials,
                                            tni_loop logarithms);
typedef void (*tni_norm_order_function)(void *out, const void *in, int64_t count, double p, double eps);

/* Words of Philox: `groups` groups of 16 blocks each from block `offset` on; word w of block b of a group at 64 group + 16 w +
 * b. */
typedef void (*tni_philox_function)(uint32_t *out, uint64_t seed, uint64_t offset, uint32_t stream, int64_t groups);

/* Numbers in [0, 1) from words: of 24 bits each; or of 53, from an upper and a lower word, `step` words from one to the next.
 * */
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

typedef const tni_tiles *tni_tiles_of;
typedef const tni_attention_loops *tni_attention_loops_of;

/* One row of the gates of a recurrent cell. Sums of the gates come from two products; `activation` is tanh, or that of a plain cell. Of
 * an LSTM `state` is c and `gates` has room for 4 widths, its gates; of a GRU it is h, and there are 5: its gates, h, and the
 * hidden part of the new gate. `cell` and `out` may be the arrays that `state` is read from. */
typedef enum tni_gates_kind { TNI_GATES_PLAIN = 0, TNI_GATES_LSTM, TNI_GATES_GRU, TNI_GATES_KINDS } tni_gates_kind;
typedef struct tni_gates {
    int64_t width;
    const void *input, *hidden, *input_bias, *hidden_bias; /* either may be NULL */
    const void *state;
    void *gates, *cell, *out;
    tni_loop sigmoid, activation;
    const tni_parameters *parameters; /* of both loops, which use none */
} tni_gates;
typedef void (*tni_gates_function)(const tni_gates *row);

/* The gradients of its sums (of a GRU those of the hidden part, too) and of `state`, from what the row left in `gates`. */
typedef struct tni_gates_back {
    int64_t width;
    const void *grad_out, *grad_cell; /* of an LSTM either may be NULL */
    const void *state, *cell, *gates; /* of an LSTM c and c'; of a GRU neither */
    void *grad_gates, *grad_hidden, *grad_state;
    tni_loop activation;
    const tni_parameters *parameters;
} tni_gates_back;
typedef void (*tni_gates_back_function)(const tni_gates_back *row);

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
 *   scan_line[2 dtype], [2 dtype + 1]  the sum, the product; of int64, float64, complex128
 *   scan_logarithm[dtype]        of float32, float64, complex128
 *   softmax[0], [1], softmax_back[0], [1], norm[0], [1], norm_moments[0], [1], norm_place[0], [1]  of float32 and of float64
 *   entropy[0], [1], entropy_back[0], [1]  the same
 *   norm_back_sums, norm_back_place, norm_back_columns, norm_back_pixels[0], [1]  of float32 and of float64
 *   tiles[kind]                  the inner loops of matrix products (product_tile.h)
 *   panel_rows[0], panel_lines[0], [1]  what those read; of 4 and of 8 bytes, NULL where `transpose` does as well
 *   step[2 kind], [2 kind + 1]   the steps of optimisers (step_loop.h), of float32 and of float64
 *   attention[0], [1]            the loops over attention weights (attention_loop.h), of float32 and of float64
 *   resample, resample_back, grid, grid_back  of float32, float64 (resample_plane.h); grid[2], [3]: channels next to each other
 *   pool_max, pool_mean, pool_spread, pool_place  of float32, float64, int64 (pool_plane.h)
 *   gates[2 kind], [2 kind + 1], gates_back  of float32 and of float64
 *   window_rows, window_tiles, window_channels[0], [1]  of float32 and of float64 (window_loop.h)
 *   fourier[2 radix], [2 radix + 1], fourier_split to fourier_pairs[0], [1]  of float32 and of float64 (fourier_pass.h)
 *   matrix[0..3]                 of eigenvalues (matrix_loop.h), of float32, float64, complex64, complex128
 *   factor_cholesky to factor_join[0..3]  of float32, float64, complex64 and complex128 (factor_loop.h)
 *   norm_order[dtype]            of float32, float64 and the complex dtypes
 *   sort_take[0..3]              by the size of an element
 *   count_greatest[0], count_near[0], count[0], [1]  occurrences, sums of weights
 *   area[0], [1], [2]            of float64, int64 (to float64), complex128
 *   has_zero, nonzero, mask_select  by the size of an element; mask_count[0]
 *   pick_read, pick_write        by the size of an element; pick_add to pick_minimum[dtype] for float32, float64, int64, uint64,
 *                                the first two also for complex dtypes
 *   positions[dtype]             of the index, an integer; positions_fit[0]
 *   offsets[0], [1]              [1] adds the limit to negative positions
 *   pointwise[kernel * N + dtype] the loop of an operator (loop.h) that computes in a dtype; NULL where that makes no sense
 *   convert[from * N + to]       both at once; NULL where only the two steps exist
 *   around[from * N + to]        the same, written around the caches: for few pairs; the target is whole lines of 64 bytes
 *   streamed[2 i], [2 i + 1]     a loop of `pointwise`, and its version that writes around the caches: for few; NULL ends them.
 *                                Its result begins with a cache line, its count is whole lines, and its writes are unordered */
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
    X(scan_line, tni_scan_line_function, 2 * TN_DTYPE_COUNT)                                                                   \
    X(scan_logarithm, tni_scan_logarithm_function, TN_DTYPE_COUNT)                                                             \
    X(softmax, tni_softmax_function, 2)                                                                                        \
    X(softmax_back, tni_softmax_back_function, 2)                                                                              \
    X(entropy, tni_entropy_function, 2)                                                                                        \
    X(entropy_back, tni_entropy_back_function, 2)                                                                              \
    X(norm_order, tni_norm_order_function, TN_DTYPE_COUNT)                                                                     \
    X(sort_take, tni_sort_take_function, TNI_ELEMENT_SIZES)                                                                    \
    X(count_greatest, tni_count_greatest_function, 1)                                                                          \
    X(count_near, tni_count_near_function, 1)                                                                                  \
    X(count, tni_count_function, 2)                                                                                            \
    X(area, tni_area_function, 3)                                                                                              \
    X(has_zero, tni_has_zero_function, TNI_ELEMENT_SIZES)                                                                      \
    X(nonzero, tni_nonzero_function, TNI_ELEMENT_SIZES)                                                                        \
    X(mask_count, tni_mask_count_function, 1)                                                                                  \
    X(mask_select, tni_mask_select_function, TNI_ELEMENT_SIZES)                                                                \
    X(norm_moments, tni_norm_moments_function, 2)                                                                              \
    X(norm_place, tni_norm_place_function, 2)                                                                                  \
    X(norm_back_sums, tni_norm_back_sums_function, 2)                                                                          \
    X(norm_back_place, tni_norm_back_place_function, 2)                                                                        \
    X(norm_back_columns, tni_norm_back_columns_function, 2)                                                                    \
    X(norm_back_pixels, tni_norm_back_pixels_function, 2)                                                                      \
    X(norm, tni_norm_function, 2)                                                                                              \
    X(tiles, tni_tiles_of, TNI_TILE_KINDS)                                                                                     \
    X(panel_rows, tni_panel_rows_function, 1)                                                                                  \
    X(panel_lines, tni_panel_lines_function, 2)                                                                                \
    X(step, tni_step_function, 2 * TNI_STEP_KINDS)                                                                             \
    X(attention, tni_attention_loops_of, 2)                                                                                    \
    X(resample, tni_resample_function, 2)                                                                                      \
    X(resample_back, tni_resample_function, 2)                                                                                 \
    X(grid, tni_grid_function, 4)                                                                                              \
    X(grid_back, tni_grid_back_function, 2)                                                                                    \
    X(pool_max, tni_pool_max_function, 3)                                                                                      \
    X(pool_mean, tni_pool_mean_function, 3)                                                                                    \
    X(pool_spread, tni_pool_mean_function, 3)                                                                                  \
    X(pool_place, tni_pool_place_function, 3)                                                                                  \
    X(gates, tni_gates_function, 2 * TNI_GATES_KINDS)                                                                          \
    X(gates_back, tni_gates_back_function, 2 * TNI_GATES_KINDS)                                                                \
    X(window_rows, tni_window_rows_function, 2)                                                                                \
    X(window_tiles, tni_window_tiles_of, 2)                                                                                    \
    X(window_channels, tni_window_channels_function, 2)                                                                        \
    X(fourier, tni_fourier_function, 2 * TNI_FOURIER_RADICES)                                                                  \
    X(fourier_split, tni_fourier_split_function, 2)                                                                            \
    X(fourier_join, tni_fourier_join_function, 2)                                                                              \
    X(fourier_turn, tni_fourier_turn_function, 2)                                                                              \
    X(fourier_real, tni_fourier_real_function, 2)                                                                              \
    X(fourier_pairs, tni_fourier_pairs_function, 2)                                                                            \
    X(matrix, tni_matrix_loops_of, 4)                                                                                          \
    X(factor_cholesky, tni_factor_cholesky_function, TNI_FACTOR_DTYPES)                                                        \
    X(factor_lu, tni_factor_lu_function, TNI_FACTOR_DTYPES)                                                                    \
    X(factor_solve, tni_factor_solve_function, TNI_FACTOR_DTYPES)                                                              \
    X(factor_reflect, tni_factor_reflect_function, TNI_FACTOR_DTYPES)                                                          \
    X(factor_join, tni_factor_join_function, TNI_FACTOR_DTYPES)                                                                \
    X(pick_read, tni_pick_function, TNI_ELEMENT_SIZES)                                                                         \
    X(pick_write, tni_pick_function, TNI_ELEMENT_SIZES)                                                                        \
    X(pick_add, tni_pick_function, TN_DTYPE_COUNT)                                                                             \
    X(pick_multiply, tni_pick_function, TN_DTYPE_COUNT)                                                                        \
    X(pick_maximum, tni_pick_function, TN_DTYPE_COUNT)                                                                         \
    X(pick_minimum, tni_pick_function, TN_DTYPE_COUNT)                                                                         \
    X(positions, tni_positions_function, TN_DTYPE_COUNT)                                                                       \
    X(positions_fit, tni_positions_fit_function, 1)                                                                            \
    X(offsets, tni_offsets_function, 2)                                                                                        \
    X(pointwise, tni_loop, (TNI_KERNEL_PLACES + 1) * TN_DTYPE_COUNT)                                                           \
    X(streamed, tni_loop, 2 * TNI_STREAMED)

typedef struct tni_kernel_table {
#define TNI_KERNEL_MEMBER_(name, type, count) type name[count];
    TNI_EACH_KERNEL(TNI_KERNEL_MEMBER_)
#undef TNI_KERNEL_MEMBER_
} tni_kernel_table;

/* The tables of the levels, NULL until they are made. */
TNI_EXTERN _Atomic(const tni_kernel_table *) tni_kernels_of_level[TNI_CPU_LEVELS];
const tni_kernel_table *tni_kernels_make(void);

/* The table of the level in use now (tn_cpu_level_in_use). Made on first use; cannot fail. */
static inline const tni_kernel_table *tni_kernels(void) {
    const tni_kernel_table *table = atomic_load_explicit(&tni_kernels_of_level[tni_cpu_level()], memory_order_acquire);
    return TNI_LIKELY(table != NULL) ? table : tni_kernels_make();
}

/* The level for which the kernel now in an entry was compiled: tni_kernel_level("transpose", 2). -1 where there is no such
 * entry, or no kernel in it. */
int tni_kernel_level(const char *family, int64_t index);

/* log2 of an element size that a kernel exists for. */
static inline int tni_element_index(size_t size) { return __builtin_ctzll((unsigned long long)size); }

/* Bytes read and written together from which a result is better written around the caches, for a last cache of this size: half
 * of it. There, on the machine of docs/performance.md, the two ways cross for one operand and for two, on one thread and on
 * two; bench/README.md says how to find it again. */
static inline int64_t tni_kernel_stream_from(int64_t last_level_bytes) {
    return tni_min_i64(last_level_bytes / 2, TNI_KERNEL_STREAM_MOST);
}

/* The version of a loop that writes around the caches; NULL where it has none. */
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

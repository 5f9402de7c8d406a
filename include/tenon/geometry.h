/* tenon/geometry.h - the arithmetic of views: element = offset + i[0]*stride[0] + i[1]*stride[1] + ...
 *
 * Pure functions over sizes, strides and an offset: no memory is touched, nothing is allocated, and no error is recorded in
 * the thread's error record; a function that can fail returns a tn_geometry_result. They can be used without the rest of
 * Tenon, by any thread, on any memory.
 *
 * Everywhere: sizes, strides and offsets count elements; strides have a sign (a flipped dimension has a negative one) and may
 * be 0 (an expanded dimension); a geometry of no dimensions has one element. A dimension argument may be negative and then
 * counts from the end. A number that would not fit in int64_t is TN_GEOMETRY_OVERFLOW, never a wrapped one. Pointers must not
 * be NULL unless a comment allows it, a geometry that is passed in has 0 to TN_MAX_DIMS dimensions and sizes >= 0, and
 * results must not overlap the arrays they are made from. After a failure the contents of the results are unspecified.
 */
#ifndef TENON_GEOMETRY_H
#define TENON_GEOMETRY_H

#include <tenon/base.h>

#ifdef __cplusplus
extern "C" {
#endif

/* ---- types --------------------------------------------------------------------------------------------------------- */

enum { TN_MAX_DIMS = 64 };

/* A list of sizes, strides or indices that is only read, never kept. TN_DIMS(3, 4) makes one in place; TN_DIMS() is the empty
 * one. In C it lives to the end of the block, in C++ to the end of the full expression: pass it, do not store it. */
typedef struct tn_dims {
    const int64_t *values;
    int64_t count;
} tn_dims;

/* The same for real numbers: TN_FLOATS(0, 2.5). */
typedef struct tn_floats {
    const double *values;
    int64_t count;
} tn_floats;

/* Where the elements are. Only the first ndim entries mean anything; no function reads or writes the others, so there is no
 * need to initialise, copy or clear the whole struct. */
typedef struct tn_geometry {
    int64_t ndim;
    int64_t offset;
    int64_t sizes[TN_MAX_DIMS];
    int64_t strides[TN_MAX_DIMS];
} tn_geometry;

/* The same, with arrays that live elsewhere: the functions below read it. */
typedef struct tn_geometry_ref {
    int64_t ndim;
    int64_t offset;
    const int64_t *sizes;
    const int64_t *strides;
} tn_geometry_ref;

static inline tn_geometry_ref tn_geometry_ref_of(const tn_geometry *geometry) {
    tn_geometry_ref reference = {geometry->ndim, geometry->offset, geometry->sizes, geometry->strides};
    return reference;
}

#ifndef __cplusplus
#define TN_DIMS(...)                                                                                                           \
    ((tn_dims){(const int64_t[]){0, __VA_ARGS__} + 1,                                                                          \
               (int64_t)(sizeof((const int64_t[]){0, __VA_ARGS__}) / sizeof(int64_t)) - 1})
#define TN_FLOATS(...)                                                                                                         \
    ((tn_floats){(const double[]){0, __VA_ARGS__} + 1,                                                                         \
                 (int64_t)(sizeof((const double[]){0, __VA_ARGS__}) / sizeof(double)) - 1})
#else
extern "C++" {
/* What TN_DIMS makes in C++: the numbers themselves, converted from any integer type. */
template <size_t count_> struct tn_dims_values_ {
    int64_t values[count_ + 1];
    operator tn_dims() const { return tn_dims{values, static_cast<int64_t>(count_)}; }
};
template <typename... number_> tn_dims_values_<sizeof...(number_)> tn_dims_make_(number_... numbers) {
    return tn_dims_values_<sizeof...(number_)>{{static_cast<int64_t>(numbers)..., 0}};
}
template <size_t count_> struct tn_floats_values_ {
    double values[count_ + 1];
    operator tn_floats() const { return tn_floats{values, static_cast<int64_t>(count_)}; }
};
template <typename... number_> tn_floats_values_<sizeof...(number_)> tn_floats_make_(number_... numbers) {
    return tn_floats_values_<sizeof...(number_)>{{static_cast<double>(numbers)..., 0}};
}
}
#define TN_DIMS(...) tn_dims_make_(__VA_ARGS__)
#define TN_FLOATS(...) tn_floats_make_(__VA_ARGS__)
#endif

/* What came of it. The list only grows, at its end. */
typedef enum tn_geometry_result {
    TN_GEOMETRY_OK = 0,
    TN_GEOMETRY_OVERFLOW,       /* a number does not fit in int64_t                                      */
    TN_GEOMETRY_RANK,           /* too many dimensions, or a number of them that the function cannot use */
    TN_GEOMETRY_SCALAR,         /* needs at least one dimension                                          */
    TN_GEOMETRY_SIZE,           /* a size is negative (and not a -1 that the function allows)            */
    TN_GEOMETRY_DIM,            /* a dimension is out of range                                           */
    TN_GEOMETRY_REPEATED_DIM,   /* a dimension is named twice                                            */
    TN_GEOMETRY_LENGTH,         /* a list has the wrong length                                           */
    TN_GEOMETRY_INDEX,          /* an index or a start is out of range                                   */
    TN_GEOMETRY_WINDOW,         /* a length or a window does not fit in its dimension, or is negative    */
    TN_GEOMETRY_STEP,           /* a step is 0, or negative where it must not be                         */
    TN_GEOMETRY_BROADCAST,      /* two sizes differ and neither is 1                                     */
    TN_GEOMETRY_EXPAND_NEW,     /* -1 for a new dimension, which has no size to keep                     */
    TN_GEOMETRY_INFER_TWICE,    /* -1 more than once                                                     */
    TN_GEOMETRY_INFER_ANY,      /* -1 beside a size 0: every number would do                             */
    TN_GEOMETRY_NUMEL,          /* the shape holds a different number of elements                        */
    TN_GEOMETRY_NOT_A_VIEW,     /* the strides do not allow it without a copy: see tn_geometry_explain   */
    TN_GEOMETRY_STORAGE,        /* an element would be outside the storage                               */
    TN_GEOMETRY_ITEMSIZE,       /* neither element size is a multiple of the other, or one is not > 0    */
    TN_GEOMETRY_LAST_STRIDE,    /* the last dimension's stride must be 1                                 */
    TN_GEOMETRY_LAST_SIZE,      /* the last dimension's size does not divide into the new elements       */
    TN_GEOMETRY_OFFSET_RATIO,   /* the offset does not fall on a new element                             */
    TN_GEOMETRY_STRIDE_RATIO,   /* a stride does not fall on a new element                               */
    TN_GEOMETRY_NOT_AN_ELEMENT, /* no index leads to this place                                         */
    TN_GEOMETRY_TOO_HARD        /* not settled within the work limit                                     */
} tn_geometry_result;

/* A clause for messages, "a size is negative"; static text, "unknown" for any other number. */
TN_API const char *tn_geometry_result_text(tn_geometry_result result);

/* The error code the tensor functions raise for it: TN_ERROR_SHAPE, TN_ERROR_INDEX, ... */
TN_API tn_error tn_geometry_result_error(tn_geometry_result result);

/* ---- counts and strides -------------------------------------------------------------------------------------------- */

/* The product of the sizes: 1 for no dimensions, 0 as soon as one size is 0. TN_GEOMETRY_SIZE, _OVERFLOW. */
TN_API tn_geometry_result tn_geometry_numel(int64_t ndim, const int64_t *sizes, int64_t *numel);

/* Row-major strides: the last is 1, each other the product of max(size, 1) over the dimensions after it. */
TN_API tn_geometry_result tn_geometry_contiguous_strides(int64_t ndim, const int64_t *sizes, int64_t *strides);

/* Strides of (N, C, H, W) stored as N H W C, and of (N, C, D, H, W) stored as N D H W C. TN_GEOMETRY_RANK for other ranks. */
TN_API tn_geometry_result tn_geometry_channels_last_strides(int64_t ndim, const int64_t *sizes, int64_t *strides);

/* The strides of a fresh copy that keeps the order of the dimensions in memory ("preserve"): those given when they are
 * dense already, else the same order without gaps. The results are never negative: a flipped dimension is laid out forward. */
TN_API tn_geometry_result tn_geometry_dense_strides(int64_t ndim, const int64_t *sizes, const int64_t *strides, int64_t *dense);

/* ---- questions about strides --------------------------------------------------------------------------------------- */

/* Row-major without gaps. Sizes of 1 do not matter; no elements: yes. */
TN_API bool tn_geometry_is_contiguous(int64_t ndim, const int64_t *sizes, const int64_t *strides);

/* Channels last without gaps, in 4 or 5 dimensions; false for other ranks. */
TN_API bool tn_geometry_is_channels_last_contiguous(int64_t ndim, const int64_t *sizes, const int64_t *strides);

/* Whether the strides suggest channels last, gaps allowed: what an operator that keeps its argument's memory format asks.
 * The strides of dimensions of size 1 count here; where they leave it open, the answer is no. */
TN_API bool tn_geometry_is_channels_last(int64_t ndim, const int64_t *sizes, const int64_t *strides);

/* Whether every place between the lowest and the highest element belongs to exactly one index, in whatever order and
 * direction. No elements: yes. */
TN_API bool tn_geometry_is_dense(int64_t ndim, const int64_t *sizes, const int64_t *strides);

/* The lowest and the highest element. Without elements: offset and offset - 1. */
TN_API tn_geometry_result tn_geometry_extent(tn_geometry_ref from, int64_t *lowest, int64_t *highest);

/* Whether all elements, `itemsize` bytes each, are inside a storage of `nbytes`: TN_GEOMETRY_STORAGE when not. Without elements
 * only the offset is checked: it must not be negative. */
TN_API tn_geometry_result tn_geometry_check_storage(tn_geometry_ref from, size_t itemsize, size_t nbytes);

/* ---- index, offset, position --------------------------------------------------------------------------------------- */

/* The dimension `dim` means: -ndim to ndim - 1, and for no dimensions -1 and 0, which both give 0. TN_GEOMETRY_DIM. */
TN_API tn_geometry_result tn_geometry_wrap_dim(int64_t dim, int64_t ndim, int64_t *wrapped);

/* The place of an element. Negative indices count from the end. TN_GEOMETRY_LENGTH, _INDEX. */
TN_API tn_geometry_result tn_geometry_offset_of(tn_geometry_ref from, tn_dims index, int64_t *offset);

/* The index of the element at a place: ndim numbers. TN_GEOMETRY_NOT_AN_ELEMENT when there is none; one of them when several
 * indices share the place. TN_GEOMETRY_TOO_HARD when `work_limit` steps (0: TN_OVERLAP_WORK) did not settle it; strides that
 * views make need no search. */
TN_API tn_geometry_result tn_geometry_index_of(tn_geometry_ref from, int64_t offset, int64_t work_limit, int64_t *index);

/* The position of an index in row-major order, and back. Negative indices count from the end. TN_GEOMETRY_LENGTH, _INDEX. */
TN_API tn_geometry_result tn_geometry_position_of(int64_t ndim, const int64_t *sizes, tn_dims index, int64_t *position);
TN_API tn_geometry_result tn_geometry_index_at(int64_t ndim, const int64_t *sizes, int64_t position, int64_t *index);

/* ---- broadcasting -------------------------------------------------------------------------------------------------- */

/* Where shapes do not fit together: the dimension, counted in the common shape, and the two sizes. */
typedef struct tn_geometry_conflict {
    int64_t operand; /* the shape, by position, that does not fit those before it */
    int64_t dim;
    int64_t size;     /* its size there               */
    int64_t expected; /* the size of those before it  */
} tn_geometry_conflict;

/* The common shape of two, or of `count`, shapes: aligned at the last dimension, a size of 1 gives way. `sizes` has room for
 * as many numbers as the longest shape has. TN_GEOMETRY_BROADCAST, with *conflict (may be NULL) filled in; TN_GEOMETRY_RANK;
 * TN_GEOMETRY_SIZE. */
TN_API tn_geometry_result tn_geometry_broadcast(tn_dims a, tn_dims b, int64_t *ndim, int64_t *sizes,
                                                tn_geometry_conflict *conflict);
TN_API tn_geometry_result tn_geometry_broadcast_all(const tn_dims *shapes, int64_t count, int64_t *ndim, int64_t *sizes,
                                                    tn_geometry_conflict *conflict);

/* ---- views --------------------------------------------------------------------------------------------------------- */

/* An omitted start or end of a slice. */
#define TN_NONE INT64_MIN

/* To a larger shape, new dimensions in front, without copying: a dimension of size 1 is repeated with stride 0; -1 keeps a
 * size. TN_GEOMETRY_LENGTH when `sizes` is too short, _RANK, _EXPAND_NEW, _SIZE, _BROADCAST. */
TN_API tn_geometry_result tn_geometry_expand(tn_geometry_ref from, tn_dims sizes, tn_geometry *to);

/* Dimension k of the result is dimension order[k] of the source. TN_GEOMETRY_LENGTH, _DIM, _REPEATED_DIM. */
TN_API tn_geometry_result tn_geometry_permute(tn_geometry_ref from, tn_dims order, tn_geometry *to);
TN_API tn_geometry_result tn_geometry_transpose(tn_geometry_ref from, int64_t dim0, int64_t dim1, tn_geometry *to);

/* The order for permute that moves dimensions `source` to the positions `destination`, the others keeping theirs: ndim
 * numbers. TN_GEOMETRY_LENGTH when the two differ in length, _DIM, _REPEATED_DIM. */
TN_API tn_geometry_result tn_geometry_movedim_order(int64_t ndim, tn_dims source, tn_dims destination, int64_t *order);

/* Without the dimensions of size 1: all of them, or those among `dims`. TN_GEOMETRY_DIM, _REPEATED_DIM. */
TN_API tn_geometry_result tn_geometry_squeeze(tn_geometry_ref from, tn_geometry *to);
TN_API tn_geometry_result tn_geometry_squeeze_dims(tn_geometry_ref from, tn_dims dims, tn_geometry *to);

/* With a new dimension of size 1 at `dim`, from -ndim - 1 to ndim. TN_GEOMETRY_DIM, _RANK. */
TN_API tn_geometry_result tn_geometry_unsqueeze(tn_geometry_ref from, int64_t dim, tn_geometry *to);

/* One position of a dimension, which disappears. TN_GEOMETRY_SCALAR, _DIM, _INDEX. */
TN_API tn_geometry_result tn_geometry_select(tn_geometry_ref from, int64_t dim, int64_t index, tn_geometry *to);

/* start : end : step of one dimension, as in Python: negative numbers count from the end, TN_NONE is an omitted one, whatever
 * is out of range is clamped to it. Any step but 0. TN_GEOMETRY_SCALAR, _DIM, _STEP. slice_range is its arithmetic alone: the
 * first position and how many there are, in a dimension of `size`. (INT64_MIN itself cannot be given, and need not be.) */
TN_API tn_geometry_result tn_geometry_slice(tn_geometry_ref from, int64_t dim, int64_t start, int64_t end, int64_t step,
                                            tn_geometry *to);
TN_API tn_geometry_result tn_geometry_slice_range(int64_t size, int64_t start, int64_t end, int64_t step, int64_t *first,
                                                  int64_t *length);

/* `length` positions from `start` on, strictly inside. TN_GEOMETRY_SCALAR, _DIM, _INDEX (start), _WINDOW (length). */
TN_API tn_geometry_result tn_geometry_narrow(tn_geometry_ref from, int64_t dim, int64_t start, int64_t length, tn_geometry *to);

/* The diagonal of two dimensions, which a new last dimension replaces. `shift` > 0: above the main one. TN_GEOMETRY_DIM,
 * _REPEATED_DIM. */
TN_API tn_geometry_result tn_geometry_diagonal(tn_geometry_ref from, int64_t shift, int64_t dim1, int64_t dim2,
                                               tn_geometry *to);

/* All windows of `size` at distances of `step` in one dimension; a new last dimension runs inside the window.
 * TN_GEOMETRY_DIM, _WINDOW, _STEP, _RANK. */
TN_API tn_geometry_result tn_geometry_unfold(tn_geometry_ref from, int64_t dim, int64_t size, int64_t step, tn_geometry *to);

/* The dimensions `dims` reversed. TN_GEOMETRY_DIM, _REPEATED_DIM. */
TN_API tn_geometry_result tn_geometry_flip(tn_geometry_ref from, tn_dims dims, tn_geometry *to);

/* ---- other shapes -------------------------------------------------------------------------------------------------- */

/* The requested sizes with a -1 replaced by the number that makes them hold `numel` elements: shape.count numbers.
 * TN_GEOMETRY_SIZE below -1, _INFER_TWICE, _INFER_ANY, _NUMEL, _RANK. */
TN_API tn_geometry_result tn_geometry_infer_shape(int64_t numel, tn_dims shape, int64_t *sizes);

/* The strides under which `new_sizes` names the same elements in the same row-major order: two dimensions can merge only
 * where stride[a] == size[b] * stride[b]. The rule is exact: TN_GEOMETRY_NOT_A_VIEW means that no strides would work.
 * TN_GEOMETRY_NUMEL. */
TN_API tn_geometry_result tn_geometry_view_strides(int64_t ndim, const int64_t *sizes, const int64_t *strides, int64_t new_ndim,
                                                   const int64_t *new_sizes, int64_t *new_strides);

/* Both in one: `shape` may have a -1. */
TN_API tn_geometry_result tn_geometry_view(tn_geometry_ref from, tn_dims shape, tn_geometry *to);

/* The same bytes as elements of another size: the last dimension grows or shrinks. Nothing changes for equal sizes.
 * TN_GEOMETRY_SCALAR, _ITEMSIZE, _LAST_STRIDE, _LAST_SIZE, _OFFSET_RATIO, _STRIDE_RATIO. */
TN_API tn_geometry_result tn_geometry_view_itemsize(tn_geometry_ref from, size_t old_itemsize, size_t new_itemsize,
                                                    tn_geometry *to);

/* Complex elements as pairs of real ones in a new last dimension of size 2, and back. */
TN_API tn_geometry_result tn_geometry_view_as_real(tn_geometry_ref from, tn_geometry *to);
TN_API tn_geometry_result tn_geometry_view_as_complex(tn_geometry_ref from, tn_geometry *to);

/* ---- saying why ---------------------------------------------------------------------------------------------------- */

/* Why a shape can or cannot be made as a view. For TN_GEOMETRY_NOT_A_VIEW: dimension `wanted` of the new shape runs across the
 * source dimensions `first` and `second`, which are adjacent but for dimensions of size 1 between them; for that stride[first],
 * `actual`, would have to be `expected`, size[second] * stride[second] (INT64_MIN or INT64_MAX where the product does not fit).
 * Otherwise the five are -1, -1, -1, 0, 0. */
typedef struct tn_geometry_explanation {
    tn_geometry_result result; /* TN_GEOMETRY_OK: a view is possible */
    int64_t wanted;
    int64_t first, second;
    int64_t expected, actual;
} tn_geometry_explanation;

/* Fill in *explanation (may be NULL), and write one sentence with the numbers, at most `size` bytes with the final NUL:
 *
 *     dimensions 0 and 1 must merge to make dimension 0 of [12], but stride[0] = 1 is not size[1] * stride[1] = 3 * 4 = 12
 *
 * Returns the full length of the sentence without the NUL, so that size 0 (buffer may be NULL then) asks how much is needed. */
TN_API size_t tn_geometry_explain(tn_geometry_ref from, tn_dims shape, tn_geometry_explanation *explanation, char *buffer,
                                  size_t size);

/* ---- overlap ------------------------------------------------------------------------------------------------------- */

typedef enum tn_overlap {
    TN_OVERLAP_NO = 0,
    TN_OVERLAP_YES,
    TN_OVERLAP_UNKNOWN /* not settled within the work limit: treat it as YES */
} tn_overlap;

/* Both tests are exact, and cost a few dozen steps for everything views can make; but strides can be contrived for which the
 * question is a knapsack problem. `work_limit` bounds the search; 0 means this many steps, about half a millisecond. */
enum { TN_OVERLAP_WORK = 10000 };

/* Whether two different indices name the same element. */
TN_API tn_overlap tn_geometry_overlaps_itself(int64_t ndim, const int64_t *sizes, const int64_t *strides, int64_t work_limit);

/* Elements of `itemsize` bytes in memory. `address` is that of index 0, 0, ...; a stride of 1 moves by `unit` bytes: itemsize
 * for strides in elements, 1 for strides in bytes. The memory is never read. */
typedef struct tn_region {
    uintptr_t address;
    int64_t itemsize;
    int64_t unit;
    int64_t ndim;
    const int64_t *sizes;
    const int64_t *strides;
} tn_region;

/* Whether two regions share a byte. TN_OVERLAP_UNKNOWN also when one of them does not fit in an address space. */
TN_API tn_overlap tn_regions_overlap(const tn_region *a, const tn_region *b, int64_t work_limit);

#ifdef __cplusplus
}
#endif
#endif

/* tenon/tensor.h - the tensor: a handle with sizes, strides and an offset into a storage, and how C looks inside it.
 *
 * The element at index i is element offset + i[0]*stride[0] + i[1]*stride[1] + ... of the storage. A view changes nothing but
 * those numbers. Operators, which make tensors from tensors, are in tenon/operators.h.
 */
#ifndef TENON_TENSOR_H
#define TENON_TENSOR_H

#include <tenon/dtype.h>
#include <tenon/geometry.h>
#include <tenon/memory.h>
#include <tenon/storage.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct tn_tensor tn_tensor;

/* ---- ownership ----------------------------------------------------------------------------------------------------- */

/* One more reference (y = x), and one less; the last one frees the tensor and gives up its share of the storage. Both are
 * atomic and NULL-safe; retain returns its argument. Releasing a handle that is already gone is an error, found for
 * certain in debug builds (-DTN_DEBUG), which do not reuse its memory at once. Releasing a tensor that a scope owns takes it
 * out of that scope: see tenon/base.h, which also says when a release is TN_ERROR_STATE and does nothing. */
TN_API tn_tensor *tn_retain(const tn_tensor *tensor);
TN_API void tn_release(tn_tensor *tensor);

/* Take a tensor out of the scope that owns it, all scopes around it included: the caller owns it now. Returns its argument;
 * NULL-safe. A tensor that no scope of this thread owns gets one more reference instead, so that in every case the caller
 * owes exactly one release. */
TN_API tn_tensor *tn_keep(tn_tensor *tensor);

/* The opposite: the caller's reference goes to the innermost open scope, and stays the caller's where none is open. Returns
 * its argument; NULL, with the reference released, when there is no memory for it. NULL-safe. */
TN_API tn_tensor *tn_give(tn_tensor *tensor);

/* How many references there are at this moment. 0 for NULL. */
TN_API int64_t tn_use_count(const tn_tensor *tensor);

/* A source of random numbers: tenon/random.h. */
typedef struct tn_generator tn_generator;

/* ---- lists --------------------------------------------------------------------------------------------------------- */

/* What operators with several results return: an immutable list that owns its tensors. tn_list_new makes one, for kernels of
 * your own; it takes references of its own. NULL, with TN_ERROR_ARGUMENT, for a negative count or a NULL among the tensors. */
typedef struct tn_list tn_list;
TN_API tn_list *tn_list_new(const tn_tensor *const *tensors, int64_t count);

TN_API int64_t tn_list_count(const tn_list *list); /* -1 for NULL */

/* The tensor at position i (negative: from the end), borrowed from the list. NULL with TN_ERROR_INDEX when out of range. */
TN_API tn_tensor *tn_list_at(const tn_list *list, int64_t i);
TN_API tn_list *tn_list_retain(const tn_list *list);
TN_API void tn_list_release(tn_list *list);
TN_API tn_list *tn_list_keep(tn_list *list); /* as tn_keep */

/* ---- queries ------------------------------------------------------------------------------------------------------- */
/* None of them allocates. For a NULL or released handle they record the error and return what the comment says. */

TN_API int64_t tn_ndim(const tn_tensor *tensor);  /* -1 */
TN_API int64_t tn_numel(const tn_tensor *tensor); /* -1 */

/* Size or stride of one dimension; a negative one counts from the end. -1, INT64_MIN with TN_ERROR_INDEX when out of range. */
TN_API int64_t tn_size(const tn_tensor *tensor, int64_t dim);
TN_API int64_t tn_stride(const tn_tensor *tensor, int64_t dim);

/* All of them, borrowed: valid while the tensor lives and its shape is not changed in place. {NULL, 0}. */
TN_API tn_dims tn_sizes(const tn_tensor *tensor);
TN_API tn_dims tn_strides(const tn_tensor *tensor);

TN_API int64_t tn_storage_offset(const tn_tensor *tensor); /* in elements; -1 */
TN_API size_t tn_element_size(const tn_tensor *tensor);    /* 0 */
TN_API size_t tn_nbytes(const tn_tensor *tensor);          /* numel * element size, at most SIZE_MAX; 0 */
TN_API tn_dtype tn_dtype_of(const tn_tensor *tensor);      /* TN_DTYPE_DEFAULT */
TN_API tn_device tn_device_of(const tn_tensor *tensor);    /* type -1 */
TN_API tn_storage *tn_storage_of(const tn_tensor *tensor); /* borrowed; NULL */

/* Memory formats: an instruction to operators, and a question about strides. */
typedef enum tn_memory_format {
    TN_CONTIGUOUS = 0,  /* last dimension fastest                                      */
    TN_PRESERVE,        /* keep the order of dimensions in memory, without the gaps    */
    TN_CHANNELS_LAST,   /* (N, C, H, W) stored as N H W C                              */
    TN_CHANNELS_LAST_3D /* (N, C, D, H, W) stored as N D H W C                         */
} tn_memory_format;

TN_API bool tn_is_contiguous(const tn_tensor *tensor); /* TN_CONTIGUOUS */
TN_API bool tn_is_contiguous_in(const tn_tensor *tensor, tn_memory_format format);

/* Every place between the first and the last element is used by exactly one index. */
TN_API bool tn_is_non_overlapping_and_dense(const tn_tensor *tensor);

/* Whether two tensors look into the same storage; whether they really share an element (exact; "true" when the question is
 * too hard to settle within a fixed amount of work). */
TN_API bool tn_is_alias_of(const tn_tensor *a, const tn_tensor *b);
TN_API bool tn_shares_memory(const tn_tensor *a, const tn_tensor *b);

/* Whether two indices of the tensor name the same place (an expanded tensor); exact in the same sense. */
TN_API bool tn_overlaps_itself(const tn_tensor *tensor);

/* Whether tn_view to this shape (which may have a -1) is possible, or tn_reshape would copy, and why: one sentence with the
 * numbers in it goes to `why`, at most `size` bytes with the final NUL; it may be NULL with size 0.
 *
 *     char why[200];
 *     if (!tn_explain_view(x, TN_DIMS(-1), why, sizeof why))
 *         puts(why);   // dimensions 0 and 1 must merge to make dimension 0 of [12], but stride[0] = 1 is not ...
 */
TN_API bool tn_explain_view(const tn_tensor *tensor, tn_dims shape, char *why, size_t size);

/* Whether writing is refused: the tensor was made read-only, is a view of one, or its storage is. */
TN_API bool tn_is_readonly(const tn_tensor *tensor);

/* Refuse writes through this handle and through views made from it from now on; other tensors over the same storage are not
 * touched (tn_storage_set_readonly does that). There is no way back. */
TN_API tn_error tn_set_readonly(tn_tensor *tensor);

/* How often the elements were written in place, through any view of the same storage. 0. */
TN_API uint32_t tn_tensor_version(const tn_tensor *tensor);

/* Bytes of one tensor object: the same for every tensor of up to 5 dimensions. */
TN_API size_t tn_tensor_object_size(void);

/* ---- from memory --------------------------------------------------------------------------------------------------- */

/* Who frees external memory. */
typedef struct tn_ownership {
    enum tn_ownership_kind { TN_OWNERSHIP_COPY = 0, TN_OWNERSHIP_BORROW, TN_OWNERSHIP_BORROW_CONST, TN_OWNERSHIP_FREE } kind;
    tn_deleter deleter;
    void *ctx;
} tn_ownership;

#ifdef __cplusplus
#define TN_OWNERSHIP_(kind, deleter, ctx) (tn_ownership{(tn_ownership::kind), (deleter), (ctx)})
#else
#define TN_OWNERSHIP_(kind, deleter, ctx) ((tn_ownership){(kind), (deleter), (ctx)})
#endif
#define TN_COPY TN_OWNERSHIP_(TN_OWNERSHIP_COPY, NULL, NULL)                          /* copied now                         */
#define TN_BORROW TN_OWNERSHIP_(TN_OWNERSHIP_BORROW, NULL, NULL)                      /* must outlive the storage           */
#define TN_BORROW_CONST TN_OWNERSHIP_(TN_OWNERSHIP_BORROW_CONST, NULL, NULL)          /* the same, and writes are refused   */
#define TN_FREE_WITH(deleter, ctx) TN_OWNERSHIP_(TN_OWNERSHIP_FREE, (deleter), (ctx)) /* deleter(ctx) with the last tensor */

/* A tensor over memory that exists, contiguous, or with strides in elements (which may be negative: `data` is then still the
 * address of index 0, 0, ...). `ownership` says what becomes of the memory. On failure the memory is still the caller's and
 * no deleter has run.
 *
 *     tn_tensor *x = tn_from_memory(pixels, TN_DIMS(480, 640, 3), TN_UINT8, TN_BORROW);
 *     tn_tensor *y = tn_from_memory(block, TN_DIMS(n), TN_FLOAT32, TN_FREE_WITH(free, block));
 */
TN_API tn_tensor *tn_from_memory(const void *data, tn_dims size, tn_dtype dtype, tn_ownership ownership);
TN_API tn_tensor *tn_from_memory_strided(const void *data, tn_dims size, tn_dims stride, tn_dtype dtype,
                                         tn_ownership ownership);

/* A tensor over a storage, as torch's set_: sizes and strides are checked against the storage's bytes. The storage gains a
 * reference. */
TN_API tn_tensor *tn_from_storage(tn_storage *storage, int64_t offset, tn_dims size, tn_dims stride, tn_dtype dtype);

/* A tensor from text: nested brackets, numbers, true/false, nan, inf, complex numbers such as 1+2j. TN_DTYPE_DEFAULT lets
 * the elements choose, as torch.tensor does: bool, else int64 (uint64 when one is too large for it), else the default float
 * (or its complex dtype). Works from any language:
 *
 *     tn_tensor *x = tn_from_text("[[1, 2.5], [3, 4]]", TN_DTYPE_DEFAULT);
 *
 * TN_ERROR_SHAPE for ragged rows, TN_ERROR_DTYPE for a number that an integer dtype cannot hold, or a complex one in a real
 * dtype (floats are rounded, too large ones to infinity), TN_ERROR_ARGUMENT for what cannot be read; with the column. */
TN_API tn_tensor *tn_from_text(const char *text, tn_dtype dtype);

/* A tensor from a C literal, in one to three dimensions; the element type chooses the dtype, the rows are counted for you.
 *
 *     tn_tensor *v = TN_VECTOR(float, 1, 2, 3);
 *     tn_tensor *m = TN_MATRIX(double, 2, {1, 2}, {3, 4}, {5, 6});                    // 3 rows of 2
 *     tn_tensor *c = TN_CUBE(int64_t, 2, 2, {{1, 2}, {3, 4}}, {{5, 6}, {7, 8}});      // 2 matrices of 2 rows of 2
 */
#if TN_HAS_GENERIC
/* clang-format off */
#if TN_HAS_COMPLEX
#define TN_DTYPES_OF_COMPLEX_ float _Complex: TN_COMPLEX64, double _Complex: TN_COMPLEX128,
#else
#define TN_DTYPES_OF_COMPLEX_
#endif
/* The integer types that are not one of the fixed-width ones here; anything else does not compile. */
#define TN_DTYPE_OF_OTHER_(value)                                                                                              \
    _Generic((value), char: (char)-1 < 0 ? TN_INT8 : TN_UINT8, long: sizeof(long) == 8 ? TN_INT64 : TN_INT32,                  \
             unsigned long: sizeof(long) == 8 ? TN_UINT64 : TN_UINT32, long long: TN_INT64, unsigned long long: TN_UINT64,     \
             default: (void)0)
#define TN_DTYPE_OF_(value)                                                                                                    \
    _Generic((value), bool: TN_BOOL, uint8_t: TN_UINT8, uint16_t: TN_UINT16, uint32_t: TN_UINT32, uint64_t: TN_UINT64,         \
             int8_t: TN_INT8, int16_t: TN_INT16, int32_t: TN_INT32, int64_t: TN_INT64, float: TN_FLOAT32,                      \
             double: TN_FLOAT64, tn_float16: TN_FLOAT16, tn_bfloat16: TN_BFLOAT16, tn_float8_e4m3fn: TN_FLOAT8_E4M3FN,         \
             tn_float8_e5m2: TN_FLOAT8_E5M2, tn_complex64: TN_COMPLEX64, tn_complex128: TN_COMPLEX128,                         \
             TN_DTYPES_OF_COMPLEX_ default: TN_DTYPE_OF_OTHER_(value))
/* clang-format on */
#define TN_VECTOR(type, ...)                                                                                                   \
    tn_from_memory((const type[]){__VA_ARGS__}, TN_DIMS(sizeof((const type[]){__VA_ARGS__}) / sizeof(type)),                   \
                   TN_DTYPE_OF_((type){0}), TN_COPY)
#define TN_MATRIX(type, columns, ...)                                                                                          \
    tn_from_memory((const type[][columns]){__VA_ARGS__},                                                                       \
                   TN_DIMS(sizeof((const type[][columns]){__VA_ARGS__}) / sizeof(type[columns]), columns),                     \
                   TN_DTYPE_OF_((type){0}), TN_COPY)
#define TN_CUBE(type, rows, columns, ...)                                                                                      \
    tn_from_memory((const type[][rows][columns]){__VA_ARGS__},                                                                 \
                   TN_DIMS(sizeof((const type[][rows][columns]){__VA_ARGS__}) / sizeof(type[rows][columns]), rows, columns),   \
                   TN_DTYPE_OF_((type){0}), TN_COPY)
#endif

/* ---- elements ------------------------------------------------------------------------------------------------------ */

/* The value of a tensor with exactly one element, of any rank. On failure 0 (NaN where the type has one), with TN_ERROR_SHAPE
 * when there is not exactly one element and TN_ERROR_DTYPE when the value does not fit: an integer or a float beyond the range
 * (a fraction is cut), a number with an imaginary part where a real one is wanted. */
TN_API double tn_item_double(const tn_tensor *tensor);
TN_API int64_t tn_item_int64(const tn_tensor *tensor);
TN_API tn_complex128 tn_item_complex(const tn_tensor *tensor);
TN_API bool tn_item_bool(const tn_tensor *tensor);
TN_API tn_scalar tn_item(const tn_tensor *tensor); /* exact, whatever the dtype */

/* One element by index, bounds-checked; negative indices count from the end. TN_ERROR_INDEX when out of range or when there
 * is not one index per dimension. set: TN_ERROR_DTYPE when the dtype cannot hold the value, TN_ERROR_READONLY.
 *
 *     double v = tn_get_double(x, TN_DIMS(1, 2));
 *     tn_set_element(x, TN_DIMS(1, 2), TN_SCALAR(2.5));
 */
TN_API tn_scalar tn_get_element(const tn_tensor *tensor, tn_dims index);
TN_API double tn_get_double(const tn_tensor *tensor, tn_dims index);
TN_API int64_t tn_get_int64(const tn_tensor *tensor, tn_dims index);
TN_API tn_error tn_set_element(tn_tensor *tensor, tn_dims index, tn_scalar value);

/* The address of the first element (index 0, 0, ...): for reading, and for writing (which makes a lazily cloned storage its
 * own, refuses read-only tensors and counts as a write). NULL without an error when there are no elements. Of a tensor on
 * another device it is the address there. */
TN_API const void *tn_data(const tn_tensor *tensor);
TN_API void *tn_mutable_data(tn_tensor *tensor);

/* Fast loops by hand: a typed pointer with the sizes and strides of a tensor, one struct and two functions for every C type
 *
 *     tn_view_float32 a = tn_read_float32(x);        // checked once: dtype, device
 *     tn_edit_float32 b = tn_write_float32(y);       // and that it may be written
 *     for (int64_t i = 0; i < a.sizes[0]; i++)
 *         for (int64_t j = 0; j < a.sizes[1]; j++)
 *             TN_AT2(b, i, j) = 2 * TN_AT2(a, i, j);
 *
 * TN_ERROR_DTYPE when the elements are of another dtype or at an address where C may not read their type. On failure data is
 * NULL and ndim -1. The arrays are borrowed from the tensor, as tn_sizes. tn_data_float32 and tn_mutable_data_float32 are the
 * checked typed pointers alone. */
#define TN_DECLARE_ACCESS_(ENUM, name, ctype)                                                                                  \
    typedef struct tn_view_##name {                                                                                            \
        const ctype *data;                                                                                                     \
        const int64_t *sizes, *strides;                                                                                        \
        int64_t ndim;                                                                                                          \
    } tn_view_##name;                                                                                                          \
    typedef struct tn_edit_##name {                                                                                            \
        ctype *data;                                                                                                           \
        const int64_t *sizes, *strides;                                                                                        \
        int64_t ndim;                                                                                                          \
    } tn_edit_##name;                                                                                                          \
    TN_API tn_view_##name tn_read_##name(const tn_tensor *tensor);                                                             \
    TN_API tn_edit_##name tn_write_##name(tn_tensor *tensor);                                                                  \
    TN_API const ctype *tn_data_##name(const tn_tensor *tensor);                                                               \
    TN_API ctype *tn_mutable_data_##name(tn_tensor *tensor);
TN_EACH_DTYPE(TN_DECLARE_ACCESS_)
#undef TN_DECLARE_ACCESS_

#define TN_AT1(view, i) ((view).data[(i) * (view).strides[0]])
#define TN_AT2(view, i, j) ((view).data[(i) * (view).strides[0] + (j) * (view).strides[1]])
#define TN_AT3(view, i, j, k) ((view).data[(i) * (view).strides[0] + (j) * (view).strides[1] + (k) * (view).strides[2]])
#define TN_AT4(view, i, j, k, l)                                                                                               \
    ((view).data[(i) * (view).strides[0] + (j) * (view).strides[1] + (k) * (view).strides[2] + (l) * (view).strides[3]])

#ifdef __cplusplus
}
#endif
#endif

/* tenon/operators.h - every operator: tensors made from tensors.
 *
 * Written by tools/generate.c from the operator table, src/dispatch/operators.def: change it there.
 *
 * Common to all: a tensor argument that is NULL gives NULL back, keeping the first error. Arguments are checked before
 * anything is written. What is returned is yours (or the open scope's), except that an in-place operator, whose name
 * ends in _, and an _out operator return the tensor they were given, with no new reference. A view shares the storage
 * of its argument. Dimensions may be negative: they count from the end.
 */
#ifndef TENON_OPERATORS_H
#define TENON_OPERATORS_H

#include <tenon/index.h>
#include <tenon/tensor.h>

#ifdef __cplusplus
extern "C" {
#endif

/* ---- create ------------------------------------------------------------------------------------------------------ */

/* A tensor of the given sizes whose elements are not initialised. */
TN_API tn_tensor *tn_empty(tn_dims size, tn_dtype dtype);

/* The same in the memory of a device: TN_ERROR_DEVICE when no allocator is registered for its type. */
TN_API tn_tensor *tn_empty_device(tn_dims size, tn_dtype dtype, tn_device device);

/* An uninitialised tensor with the given strides, in elements, over a storage just large enough for them. Strides may be 0 or
 * negative; the offset is then chosen so that the lowest element is the storage's first. */
TN_API tn_tensor *tn_empty_strided(tn_dims size, tn_dims stride, tn_dtype dtype);

/* A tensor filled with 0. */
TN_API tn_tensor *tn_zeros(tn_dims size, tn_dtype dtype);

/* A tensor filled with 1. */
TN_API tn_tensor *tn_ones(tn_dims size, tn_dtype dtype);

/* A tensor filled with one value. TN_DTYPE_DEFAULT: the dtype of the value, bool, int64, the default float or its complex
 * dtype. TN_ERROR_DTYPE when the dtype cannot hold the value. */
TN_API tn_tensor *tn_full(tn_dims size, tn_scalar value, tn_dtype dtype);

/* An uninitialised tensor with the sizes and the device of another. TN_DTYPE_DEFAULT: its dtype too. TN_PRESERVE: its strides
 * when they are dense, else the same order of dimensions without gaps. */
TN_API tn_tensor *tn_empty_like(const tn_tensor *self, tn_dtype dtype, tn_memory_format format);

/* empty_like, filled with 0. */
TN_API tn_tensor *tn_zeros_like(const tn_tensor *self, tn_dtype dtype, tn_memory_format format);

/* empty_like, filled with 1. */
TN_API tn_tensor *tn_ones_like(const tn_tensor *self, tn_dtype dtype, tn_memory_format format);

/* empty_like, filled with one value. TN_ERROR_DTYPE when the dtype cannot hold it. */
TN_API tn_tensor *tn_full_like(const tn_tensor *self, tn_scalar value, tn_dtype dtype, tn_memory_format format);

/* The numbers 0, 1, 2, ... below end. TN_DTYPE_DEFAULT: int64 when end is an integer, else the default float. */
TN_API tn_tensor *tn_arange(tn_scalar end, tn_dtype dtype);

/* The numbers start, start + step, start + 2 step, ... before end, each computed from its position, not by repeated addition.
 * TN_DTYPE_DEFAULT: int64 when all three are integers, else the default float. TN_ERROR_ARGUMENT when step is 0 or leads away
 * from end. */
TN_API tn_tensor *tn_arange_start(tn_scalar start, tn_scalar end, tn_scalar step, tn_dtype dtype);

/* `steps` numbers from start to end, both included, at equal distances; symmetric, so that the last is exactly end. */
TN_API tn_tensor *tn_linspace(tn_scalar start, tn_scalar end, int64_t steps, tn_dtype dtype);

/* base to the power of the numbers of linspace. */
TN_API tn_tensor *tn_logspace(tn_scalar start, tn_scalar end, int64_t steps, double base, tn_dtype dtype);

/* A matrix with 1 on the diagonal and 0 elsewhere. */
TN_API tn_tensor *tn_eye(int64_t rows, int64_t columns, tn_dtype dtype);

/* A tensor of no dimensions that holds one value. TN_DTYPE_DEFAULT: the dtype of the value, as full has it. */
TN_API tn_tensor *tn_scalar_tensor(tn_scalar value, tn_dtype dtype);

/* ---- view -------------------------------------------------------------------------------------------------------- */

/* The same elements in the same order under another shape, sharing memory. One size may be -1: it is worked out. TN_ERROR_SHAPE
 * where that needs a copy, with the two dimensions that cannot merge and the equation that fails. */
TN_API tn_tensor *tn_view(const tn_tensor *self, tn_dims shape);

/* view with the sizes of another tensor. */
TN_API tn_tensor *tn_view_as(const tn_tensor *self, const tn_tensor *other);

/* The same bytes read as another dtype. Where the element sizes differ the last dimension grows or shrinks; it must then have
 * stride 1 and divide evenly. */
TN_API tn_tensor *tn_view_dtype(const tn_tensor *self, tn_dtype dtype);

/* view where the strides allow it; else one contiguous copy under the new shape. */
TN_API tn_tensor *tn_reshape(const tn_tensor *self, tn_dims shape);

/* reshape with the sizes of another tensor. */
TN_API tn_tensor *tn_reshape_as(const tn_tensor *self, const tn_tensor *other);

/* The dimensions from start_dim to end_dim, both included, made one. A tensor of no dimensions becomes one of size 1. */
TN_API tn_tensor *tn_flatten(const tn_tensor *self, int64_t start_dim, int64_t end_dim);

/* All elements in one dimension, row by row. */
TN_API tn_tensor *tn_ravel(const tn_tensor *self);

/* One dimension split into several whose product is its size; one of them may be -1. */
TN_API tn_tensor *tn_unflatten(const tn_tensor *self, int64_t dim, tn_dims sizes);

/* The dimensions in another order: dimension k of the result is dimension dims[k] of self. */
TN_API tn_tensor *tn_permute(const tn_tensor *self, tn_dims dims);

/* Two dimensions exchanged: their sizes and strides change places. */
TN_API tn_tensor *tn_transpose(const tn_tensor *self, int64_t dim0, int64_t dim1);
TN_API tn_tensor *tn_transpose_(tn_tensor *self, int64_t dim0, int64_t dim1);

/* transpose under its NumPy name. */
TN_API tn_tensor *tn_swapaxes(const tn_tensor *self, int64_t dim0, int64_t dim1);
TN_API tn_tensor *tn_swapaxes_(tn_tensor *self, int64_t dim0, int64_t dim1);

/* transpose under its other name. */
TN_API tn_tensor *tn_swapdims(const tn_tensor *self, int64_t dim0, int64_t dim1);
TN_API tn_tensor *tn_swapdims_(tn_tensor *self, int64_t dim0, int64_t dim1);

/* The transpose of a matrix; fewer than two dimensions stay as they are, more are TN_ERROR_SHAPE. */
TN_API tn_tensor *tn_t(const tn_tensor *self);
TN_API tn_tensor *tn_t_(tn_tensor *self);

/* All dimensions in reverse order. */
TN_API tn_tensor *tn_T(const tn_tensor *self);

/* The last two dimensions exchanged: every matrix of a batch transposed. */
TN_API tn_tensor *tn_mT(const tn_tensor *self);

/* The conjugate transpose of a matrix: a view for real dtypes, a copy for complex ones. */
TN_API tn_tensor *tn_H(const tn_tensor *self);

/* The conjugate transpose of every matrix of a batch: a view for real dtypes, a copy for complex ones. */
TN_API tn_tensor *tn_mH(const tn_tensor *self);

/* mH under its other name. */
TN_API tn_tensor *tn_adjoint(const tn_tensor *self);

/* The dimensions `source` moved to the positions `destination`, the others keeping their order. */
TN_API tn_tensor *tn_movedim(const tn_tensor *self, tn_dims source, tn_dims destination);

/* movedim under its NumPy name. */
TN_API tn_tensor *tn_moveaxis(const tn_tensor *self, tn_dims source, tn_dims destination);

/* Without the dimensions of size 1. */
TN_API tn_tensor *tn_squeeze(const tn_tensor *self);
TN_API tn_tensor *tn_squeeze_(tn_tensor *self);

/* Without one dimension, if its size is 1; unchanged otherwise. */
TN_API tn_tensor *tn_squeeze_dim(const tn_tensor *self, int64_t dim);
TN_API tn_tensor *tn_squeeze_dim_(tn_tensor *self, int64_t dim);

/* Without those of the given dimensions whose size is 1. */
TN_API tn_tensor *tn_squeeze_dims(const tn_tensor *self, tn_dims dims);
TN_API tn_tensor *tn_squeeze_dims_(tn_tensor *self, tn_dims dims);

/* With a new dimension of size 1 at position dim, which may be one past the last. */
TN_API tn_tensor *tn_unsqueeze(const tn_tensor *self, int64_t dim);
TN_API tn_tensor *tn_unsqueeze_(tn_tensor *self, int64_t dim);

/* Dimensions of size 1 repeated, with stride 0, to the given sizes, new ones in front; -1 keeps a size. Nothing is copied: many
 * indices name one place, so the result cannot be written to. */
TN_API tn_tensor *tn_expand(const tn_tensor *self, tn_dims size);

/* expand to the sizes of another tensor. */
TN_API tn_tensor *tn_expand_as(const tn_tensor *self, const tn_tensor *other);

/* expand under its other name. */
TN_API tn_tensor *tn_broadcast_to(const tn_tensor *self, tn_dims size);

/* All tensors expanded to their common shape. */
TN_API tn_list *tn_broadcast_tensors(const tn_tensor *const *tensors, int64_t tensors_count);

/* `length` positions of a dimension from start on. TN_ERROR_INDEX, TN_ERROR_SHAPE when they are not all inside. */
TN_API tn_tensor *tn_narrow(const tn_tensor *self, int64_t dim, int64_t start, int64_t length);

/* One position of a dimension, which disappears. TN_ERROR_INDEX when out of range. */
TN_API tn_tensor *tn_select(const tn_tensor *self, int64_t dim, int64_t index);

/* start : end : step of one dimension as in Python, with any step but 0; TN_NONE omits start or end, and what is out of range
 * is cut to it. A negative step is a view too (PyTorch has none). */
TN_API tn_tensor *tn_slice(const tn_tensor *self, int64_t dim, int64_t start, int64_t end, int64_t step);

/* The given dimensions backwards. A view with negative strides: PyTorch, which has none, copies here; clone the result where a
 * copy is wanted. */
TN_API tn_tensor *tn_flip(const tn_tensor *self, tn_dims dims);

/* Dimension 1 backwards, as a view (PyTorch copies). */
TN_API tn_tensor *tn_fliplr(const tn_tensor *self);

/* Dimension 0 backwards, as a view (PyTorch copies). */
TN_API tn_tensor *tn_flipud(const tn_tensor *self);

/* Turned k times by 90 degrees in the plane of two dimensions, from the first towards the second, as a view (PyTorch
 * copies). */
TN_API tn_tensor *tn_rot90(const tn_tensor *self, int64_t k, tn_dims dims);

/* All windows of `size` at distances of `step` in one dimension; a new last dimension runs inside the window. */
TN_API tn_tensor *tn_unfold(const tn_tensor *self, int64_t dimension, int64_t size, int64_t step);

/* All windows of the given sizes over the given dimensions, at every position, as NumPy has it: one new last dimension for
 * each. */
TN_API tn_tensor *tn_sliding_window_view(const tn_tensor *self, tn_dims window, tn_dims dims);

/* The diagonal of two dimensions, as a new last dimension in their place; offset > 0 is above the main one. */
TN_API tn_tensor *tn_diagonal(const tn_tensor *self, int64_t offset, int64_t dim1, int64_t dim2);

/* Any sizes, strides (signed) and offset over the storage of self; TN_NONE keeps its offset. TN_ERROR_SHAPE when an element
 * would lie outside the storage. */
TN_API tn_tensor *tn_as_strided(const tn_tensor *self, tn_dims size, tn_dims stride, int64_t storage_offset);
TN_API tn_tensor *tn_as_strided_(tn_tensor *self, tn_dims size, tn_dims stride, int64_t storage_offset);

/* Pieces of split_size along a dimension; the last may be smaller. */
TN_API tn_list *tn_split(const tn_tensor *self, int64_t split_size, int64_t dim);

/* Pieces of the given sizes along a dimension, which they must fill exactly. */
TN_API tn_list *tn_split_with_sizes(const tn_tensor *self, tn_dims split_sizes, int64_t dim);

/* At most `chunks` pieces of equal size along a dimension; the last may be smaller, and there may be fewer. */
TN_API tn_list *tn_chunk(const tn_tensor *self, int64_t chunks, int64_t dim);

/* Exactly `sections` pieces along a dimension, the first ones larger by one where it does not divide evenly. */
TN_API tn_list *tn_tensor_split(const tn_tensor *self, int64_t sections, int64_t dim);

/* Pieces along a dimension cut before each of the given positions, which are cut to it as slices are. */
TN_API tn_list *tn_tensor_split_indices(const tn_tensor *self, tn_dims indices, int64_t dim);

/* Equal pieces along dimension 1 (0 for a vector); TN_ERROR_SHAPE when it does not divide evenly. */
TN_API tn_list *tn_hsplit(const tn_tensor *self, int64_t sections);

/* Pieces along dimension 1 (0 for a vector), cut before each position. */
TN_API tn_list *tn_hsplit_indices(const tn_tensor *self, tn_dims indices);

/* Equal pieces along dimension 0 of a tensor of two dimensions or more. */
TN_API tn_list *tn_vsplit(const tn_tensor *self, int64_t sections);

/* Pieces along dimension 0, cut before each position. */
TN_API tn_list *tn_vsplit_indices(const tn_tensor *self, tn_dims indices);

/* Equal pieces along dimension 2 of a tensor of three dimensions or more. */
TN_API tn_list *tn_dsplit(const tn_tensor *self, int64_t sections);

/* Pieces along dimension 2, cut before each position. */
TN_API tn_list *tn_dsplit_indices(const tn_tensor *self, tn_dims indices);

/* One tensor for every position of a dimension, which disappears. */
TN_API tn_list *tn_unbind(const tn_tensor *self, int64_t dim);

/* Complex elements as pairs of real ones in a new last dimension of size 2. */
TN_API tn_tensor *tn_view_as_real(const tn_tensor *self);

/* Pairs of real elements, in a last dimension of size 2 and stride 1, as complex ones. */
TN_API tn_tensor *tn_view_as_complex(const tn_tensor *self);

/* The real parts of a complex tensor; a real tensor itself. */
TN_API tn_tensor *tn_real(const tn_tensor *self);

/* The imaginary parts of a complex tensor. TN_ERROR_DTYPE for a real one, which has none to share. */
TN_API tn_tensor *tn_imag(const tn_tensor *self);

/* The same elements without their history of gradients. */
TN_API tn_tensor *tn_detach(const tn_tensor *self);

/* A second tensor object with the same geometry over the same storage. */
TN_API tn_tensor *tn_alias(const tn_tensor *self);

/* With at least one dimension. */
TN_API tn_tensor *tn_atleast_1d(const tn_tensor *self);

/* With at least two dimensions; a vector becomes a row. */
TN_API tn_tensor *tn_atleast_2d(const tn_tensor *self);

/* With at least three dimensions; a vector of n becomes (1, n, 1), a matrix (m, n) becomes (m, n, 1). */
TN_API tn_tensor *tn_atleast_3d(const tn_tensor *self);

/* The coordinates of a grid as expanded views of vectors: result k varies along dimension k. indexing 'xy' exchanges the first
 * two dimensions. */
TN_API tn_list *tn_meshgrid(const tn_tensor *const *tensors, int64_t tensors_count, const char *indexing);

/* self[...] with positions, ranges, new axes and an ellipsis: tn_index(x, TN_ALL, TN_RANGE(1, TN_END)). See tenon/index.h. */
TN_API tn_tensor *tn_index(const tn_tensor *self, tn_index_list index);

/* The same from text, as Python writes it: "..., 1:, ::-2, None". TN_ERROR_ARGUMENT, with the column, for what cannot be
 * read. */
TN_API tn_tensor *tn_index_text(const tn_tensor *self, const char *index);

/* self[...] = source: source is broadcast to the selected part and converted to the dtype of self. */
TN_API tn_tensor *tn_setitem_(tn_tensor *self, tn_index_list index, const tn_tensor *source);

/* self[...] = value. TN_ERROR_DTYPE when the dtype cannot hold it. */
TN_API tn_tensor *tn_setitem_scalar_(tn_tensor *self, tn_index_list index, tn_scalar value);

/* self[...] = source, the index as text. */
TN_API tn_tensor *tn_setitem_text_(tn_tensor *self, const char *index, const tn_tensor *source);

/* self[...] = value, the index as text. */
TN_API tn_tensor *tn_setitem_text_scalar_(tn_tensor *self, const char *index, tn_scalar value);

/* Contiguous under new sizes, in place; the storage grows where it must, new elements are uninitialised, and nothing shrinks.
 * TN_ERROR_STATE when it must grow and cannot. */
TN_API tn_tensor *tn_resize_(tn_tensor *self, tn_dims size);

/* resize_ to the sizes of another tensor. */
TN_API tn_tensor *tn_resize_as_(tn_tensor *self, const tn_tensor *other);

/* Makes self a view of source, in place. The dtypes must be equal. */
TN_API tn_tensor *tn_set_(tn_tensor *self, const tn_tensor *source);

/* Makes self look into another storage, in place, with its own dtype. TN_ERROR_SHAPE when an element would lie outside it. */
TN_API tn_tensor *tn_set_storage_(tn_tensor *self, tn_storage *source, int64_t storage_offset, tn_dims size, tn_dims stride);

/* ---- arithmetic -------------------------------------------------------------------------------------------------- */

/* self + other. Of two bools, whether either is true. */
TN_API tn_tensor *tn_add(const tn_tensor *self, const tn_tensor *other);
TN_API tn_tensor *tn_add_(tn_tensor *self, const tn_tensor *other);
TN_API tn_tensor *tn_add_out(tn_tensor *out, const tn_tensor *self, const tn_tensor *other);

/* self + other. */
TN_API tn_tensor *tn_add_scalar(const tn_tensor *self, tn_scalar other);
TN_API tn_tensor *tn_add_scalar_(tn_tensor *self, tn_scalar other);
TN_API tn_tensor *tn_add_scalar_out(tn_tensor *out, const tn_tensor *self, tn_scalar other);

/* self + alpha * other. */
TN_API tn_tensor *tn_add_alpha(const tn_tensor *self, const tn_tensor *other, tn_scalar alpha);
TN_API tn_tensor *tn_add_alpha_(tn_tensor *self, const tn_tensor *other, tn_scalar alpha);
TN_API tn_tensor *tn_add_alpha_out(tn_tensor *out, const tn_tensor *self, const tn_tensor *other, tn_scalar alpha);

/* self - other. Refused for bool. */
TN_API tn_tensor *tn_sub(const tn_tensor *self, const tn_tensor *other);
TN_API tn_tensor *tn_sub_(tn_tensor *self, const tn_tensor *other);
TN_API tn_tensor *tn_sub_out(tn_tensor *out, const tn_tensor *self, const tn_tensor *other);

/* self - other. */
TN_API tn_tensor *tn_sub_scalar(const tn_tensor *self, tn_scalar other);
TN_API tn_tensor *tn_sub_scalar_(tn_tensor *self, tn_scalar other);
TN_API tn_tensor *tn_sub_scalar_out(tn_tensor *out, const tn_tensor *self, tn_scalar other);

/* self - alpha * other. */
TN_API tn_tensor *tn_sub_alpha(const tn_tensor *self, const tn_tensor *other, tn_scalar alpha);
TN_API tn_tensor *tn_sub_alpha_(tn_tensor *self, const tn_tensor *other, tn_scalar alpha);
TN_API tn_tensor *tn_sub_alpha_out(tn_tensor *out, const tn_tensor *self, const tn_tensor *other, tn_scalar alpha);

/* self * other. Of two bools, whether both are true. */
TN_API tn_tensor *tn_mul(const tn_tensor *self, const tn_tensor *other);
TN_API tn_tensor *tn_mul_(tn_tensor *self, const tn_tensor *other);
TN_API tn_tensor *tn_mul_out(tn_tensor *out, const tn_tensor *self, const tn_tensor *other);

/* self * other. */
TN_API tn_tensor *tn_mul_scalar(const tn_tensor *self, tn_scalar other);
TN_API tn_tensor *tn_mul_scalar_(tn_tensor *self, tn_scalar other);
TN_API tn_tensor *tn_mul_scalar_out(tn_tensor *out, const tn_tensor *self, tn_scalar other);

/* ---- copy -------------------------------------------------------------------------------------------------------- */

/* A copy in memory of its own. TN_PRESERVE: the strides of self when they are dense, else the same order of dimensions without
 * gaps. */
TN_API tn_tensor *tn_clone(const tn_tensor *self, tn_memory_format format);

/* Self, if its elements lie in the order of the format without gaps, else a copy for which they do. */
TN_API tn_tensor *tn_contiguous(const tn_tensor *self, tn_memory_format format);

/* Self, if it has this dtype, else a copy converted to it by the rules of tn_dtype_store: integers wrap, a complex number loses
 * its imaginary part. */
TN_API tn_tensor *tn_to(const tn_tensor *self, tn_dtype dtype);

/* Self, if it is there, else a copy on this device. TN_ERROR_DEVICE when there is no way to copy there. */
TN_API tn_tensor *tn_to_device(const tn_tensor *self, tn_device device);

/* Self, if dtype, device and format are as asked and `copy` is false, else one copy for which they are. TN_DTYPE_DEFAULT: its
 * own dtype. */
TN_API tn_tensor *tn_to_options(const tn_tensor *self, tn_dtype dtype, tn_device device, bool copy, tn_memory_format format);

/* Writes source, broadcast to the sizes of self and converted to its dtype, over self. The two may overlap. TN_ERROR_SHAPE,
 * TN_ERROR_READONLY, TN_ERROR_OVERLAP when elements of self share a place, TN_ERROR_DEVICE. */
TN_API tn_tensor *tn_copy_(tn_tensor *self, const tn_tensor *source);

/* Every element becomes `value`. TN_ERROR_DTYPE when the dtype cannot hold it, TN_ERROR_READONLY, TN_ERROR_OVERLAP. */
TN_API tn_tensor *tn_fill_(tn_tensor *self, tn_scalar value);

/* Every element becomes 0. */
TN_API tn_tensor *tn_zero_(tn_tensor *self);

#ifdef __cplusplus
}
#endif

/* Numbers where a tn_scalar is wanted. An argument with a comma outside parentheses needs its own pair. */
#ifndef __cplusplus
/* clang-format off */
#define tn_full(size, value, dtype) tn_full(size, TN_SCALAR(value), dtype)
#define tn_full_like(self, value, dtype, format) tn_full_like(self, TN_SCALAR(value), dtype, format)
#define tn_arange(end, dtype) tn_arange(TN_SCALAR(end), dtype)
#define tn_arange_start(start, end, step, dtype) tn_arange_start(TN_SCALAR(start), TN_SCALAR(end), TN_SCALAR(step), dtype)
#define tn_linspace(start, end, steps, dtype) tn_linspace(TN_SCALAR(start), TN_SCALAR(end), steps, dtype)
#define tn_logspace(start, end, steps, base, dtype) tn_logspace(TN_SCALAR(start), TN_SCALAR(end), steps, base, dtype)
#define tn_scalar_tensor(value, dtype) tn_scalar_tensor(TN_SCALAR(value), dtype)
#define tn_setitem_scalar_(self, index, value) tn_setitem_scalar_(self, index, TN_SCALAR(value))
#define tn_setitem_text_scalar_(self, index, value) tn_setitem_text_scalar_(self, index, TN_SCALAR(value))
#define tn_add_scalar(self, other) tn_add_scalar(self, TN_SCALAR(other))
#define tn_add_scalar_(self, other) tn_add_scalar_(self, TN_SCALAR(other))
#define tn_add_scalar_out(out, self, other) tn_add_scalar_out(out, self, TN_SCALAR(other))
#define tn_add_alpha(self, other, alpha) tn_add_alpha(self, other, TN_SCALAR(alpha))
#define tn_add_alpha_(self, other, alpha) tn_add_alpha_(self, other, TN_SCALAR(alpha))
#define tn_add_alpha_out(out, self, other, alpha) tn_add_alpha_out(out, self, other, TN_SCALAR(alpha))
#define tn_sub_scalar(self, other) tn_sub_scalar(self, TN_SCALAR(other))
#define tn_sub_scalar_(self, other) tn_sub_scalar_(self, TN_SCALAR(other))
#define tn_sub_scalar_out(out, self, other) tn_sub_scalar_out(out, self, TN_SCALAR(other))
#define tn_sub_alpha(self, other, alpha) tn_sub_alpha(self, other, TN_SCALAR(alpha))
#define tn_sub_alpha_(self, other, alpha) tn_sub_alpha_(self, other, TN_SCALAR(alpha))
#define tn_sub_alpha_out(out, self, other, alpha) tn_sub_alpha_out(out, self, other, TN_SCALAR(alpha))
#define tn_mul_scalar(self, other) tn_mul_scalar(self, TN_SCALAR(other))
#define tn_mul_scalar_(self, other) tn_mul_scalar_(self, TN_SCALAR(other))
#define tn_mul_scalar_out(out, self, other) tn_mul_scalar_out(out, self, TN_SCALAR(other))
#define tn_fill_(self, value) tn_fill_(self, TN_SCALAR(value))
#endif

/* Items of an index without TN_INDEX around them; (tn_index)(x, list) takes a list that exists already. */
#define tn_index(self, ...) tn_index(self, TN_INDEX(__VA_ARGS__))
/* clang-format on */

#endif

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

/* self + other. Of two bools, whether either is true. Complex numbers part by part, also beside infinities and NaN (PyTorch
 * multiplies by an alpha of 1 first). */
TN_API tn_tensor *tn_add(const tn_tensor *self, const tn_tensor *other);
TN_API tn_tensor *tn_add_(tn_tensor *self, const tn_tensor *other);
TN_API tn_tensor *tn_add_out(tn_tensor *out, const tn_tensor *self, const tn_tensor *other);

/* self + other. */
TN_API tn_tensor *tn_add_scalar(const tn_tensor *self, tn_scalar other);
TN_API tn_tensor *tn_add_scalar_(tn_tensor *self, tn_scalar other);
TN_API tn_tensor *tn_add_scalar_out(tn_tensor *out, const tn_tensor *self, tn_scalar other);

/* self + alpha * other. TN_ERROR_DTYPE for an alpha of a higher kind than the result. */
TN_API tn_tensor *tn_add_alpha(const tn_tensor *self, const tn_tensor *other, tn_scalar alpha);
TN_API tn_tensor *tn_add_alpha_(tn_tensor *self, const tn_tensor *other, tn_scalar alpha);
TN_API tn_tensor *tn_add_alpha_out(tn_tensor *out, const tn_tensor *self, const tn_tensor *other, tn_scalar alpha);

/* self - other. Refused for two bools; beside a number a bool counts as 0 or 1, where PyTorch refuses too. */
TN_API tn_tensor *tn_sub(const tn_tensor *self, const tn_tensor *other);
TN_API tn_tensor *tn_sub_(tn_tensor *self, const tn_tensor *other);
TN_API tn_tensor *tn_sub_out(tn_tensor *out, const tn_tensor *self, const tn_tensor *other);

/* self - other. */
TN_API tn_tensor *tn_sub_scalar(const tn_tensor *self, tn_scalar other);
TN_API tn_tensor *tn_sub_scalar_(tn_tensor *self, tn_scalar other);
TN_API tn_tensor *tn_sub_scalar_out(tn_tensor *out, const tn_tensor *self, tn_scalar other);

/* self - alpha * other. TN_ERROR_DTYPE for an alpha of a higher kind than the result. */
TN_API tn_tensor *tn_sub_alpha(const tn_tensor *self, const tn_tensor *other, tn_scalar alpha);
TN_API tn_tensor *tn_sub_alpha_(tn_tensor *self, const tn_tensor *other, tn_scalar alpha);
TN_API tn_tensor *tn_sub_alpha_out(tn_tensor *out, const tn_tensor *self, const tn_tensor *other, tn_scalar alpha);

/* other - alpha * self. */
TN_API tn_tensor *tn_rsub(const tn_tensor *self, const tn_tensor *other, tn_scalar alpha);

/* other - alpha * self. */
TN_API tn_tensor *tn_rsub_scalar(const tn_tensor *self, tn_scalar other, tn_scalar alpha);

/* self * other. Of two bools, whether both are true. */
TN_API tn_tensor *tn_mul(const tn_tensor *self, const tn_tensor *other);
TN_API tn_tensor *tn_mul_(tn_tensor *self, const tn_tensor *other);
TN_API tn_tensor *tn_mul_out(tn_tensor *out, const tn_tensor *self, const tn_tensor *other);

/* self * other. */
TN_API tn_tensor *tn_mul_scalar(const tn_tensor *self, tn_scalar other);
TN_API tn_tensor *tn_mul_scalar_(tn_tensor *self, tn_scalar other);
TN_API tn_tensor *tn_mul_scalar_out(tn_tensor *out, const tn_tensor *self, tn_scalar other);

/* self / other, the true quotient: integers give the default float. Complex quotients do not overflow on the way; by 0, each
 * part is divided by 0. */
TN_API tn_tensor *tn_div(const tn_tensor *self, const tn_tensor *other);
TN_API tn_tensor *tn_div_(tn_tensor *self, const tn_tensor *other);
TN_API tn_tensor *tn_div_out(tn_tensor *out, const tn_tensor *self, const tn_tensor *other);

/* self / other, the true quotient: integers give the default float. */
TN_API tn_tensor *tn_div_scalar(const tn_tensor *self, tn_scalar other);
TN_API tn_tensor *tn_div_scalar_(tn_tensor *self, tn_scalar other);
TN_API tn_tensor *tn_div_scalar_out(tn_tensor *out, const tn_tensor *self, tn_scalar other);

/* div under its other name. */
TN_API tn_tensor *tn_true_divide(const tn_tensor *self, const tn_tensor *other);
TN_API tn_tensor *tn_true_divide_(tn_tensor *self, const tn_tensor *other);
TN_API tn_tensor *tn_true_divide_out(tn_tensor *out, const tn_tensor *self, const tn_tensor *other);

/* div under its other name. */
TN_API tn_tensor *tn_true_divide_scalar(const tn_tensor *self, tn_scalar other);
TN_API tn_tensor *tn_true_divide_scalar_(tn_tensor *self, tn_scalar other);
TN_API tn_tensor *tn_true_divide_scalar_out(tn_tensor *out, const tn_tensor *self, tn_scalar other);

/* The quotient rounded: rounding_mode is 'floor' (down), 'trunc' (towards 0) or 'none' (not at all: as div). The first two keep
 * integers integers, and refuse a 0 among integer divisors before anything is written. */
TN_API tn_tensor *tn_div_mode(const tn_tensor *self, const tn_tensor *other, const char *rounding_mode);
TN_API tn_tensor *tn_div_mode_(tn_tensor *self, const tn_tensor *other, const char *rounding_mode);
TN_API tn_tensor *tn_div_mode_out(tn_tensor *out, const tn_tensor *self, const tn_tensor *other, const char *rounding_mode);

/* The same with a number. */
TN_API tn_tensor *tn_div_scalar_mode(const tn_tensor *self, tn_scalar other, const char *rounding_mode);
TN_API tn_tensor *tn_div_scalar_mode_(tn_tensor *self, tn_scalar other, const char *rounding_mode);
TN_API tn_tensor *tn_div_scalar_mode_out(tn_tensor *out, const tn_tensor *self, tn_scalar other, const char *rounding_mode);

/* The quotient rounded down; integers stay integers. TN_ERROR_ARGUMENT for an integer division by 0. For floats as in Python,
 * from the exact remainder. */
TN_API tn_tensor *tn_floor_divide(const tn_tensor *self, const tn_tensor *other);
TN_API tn_tensor *tn_floor_divide_(tn_tensor *self, const tn_tensor *other);
TN_API tn_tensor *tn_floor_divide_out(tn_tensor *out, const tn_tensor *self, const tn_tensor *other);

/* The same with a number. */
TN_API tn_tensor *tn_floor_divide_scalar(const tn_tensor *self, tn_scalar other);
TN_API tn_tensor *tn_floor_divide_scalar_(tn_tensor *self, tn_scalar other);
TN_API tn_tensor *tn_floor_divide_scalar_out(tn_tensor *out, const tn_tensor *self, tn_scalar other);

/* What is left of a division, with the sign of the divisor, as % in Python. TN_ERROR_ARGUMENT for an integer division by 0. */
TN_API tn_tensor *tn_remainder(const tn_tensor *self, const tn_tensor *other);
TN_API tn_tensor *tn_remainder_(tn_tensor *self, const tn_tensor *other);
TN_API tn_tensor *tn_remainder_out(tn_tensor *out, const tn_tensor *self, const tn_tensor *other);

/* The same with a number. */
TN_API tn_tensor *tn_remainder_scalar(const tn_tensor *self, tn_scalar other);
TN_API tn_tensor *tn_remainder_scalar_(tn_tensor *self, tn_scalar other);
TN_API tn_tensor *tn_remainder_scalar_out(tn_tensor *out, const tn_tensor *self, tn_scalar other);

/* What is left of a division, with the sign of the dividend, as fmod in C. TN_ERROR_ARGUMENT for an integer division by 0. */
TN_API tn_tensor *tn_fmod(const tn_tensor *self, const tn_tensor *other);
TN_API tn_tensor *tn_fmod_(tn_tensor *self, const tn_tensor *other);
TN_API tn_tensor *tn_fmod_out(tn_tensor *out, const tn_tensor *self, const tn_tensor *other);

/* The same with a number. */
TN_API tn_tensor *tn_fmod_scalar(const tn_tensor *self, tn_scalar other);
TN_API tn_tensor *tn_fmod_scalar_(tn_tensor *self, tn_scalar other);
TN_API tn_tensor *tn_fmod_scalar_out(tn_tensor *out, const tn_tensor *self, tn_scalar other);

/* The same with a number in front. */
TN_API tn_tensor *tn_remainder_rscalar(tn_scalar self, const tn_tensor *other);

/* -self. Refused for bool. */
TN_API tn_tensor *tn_neg(const tn_tensor *self);
TN_API tn_tensor *tn_neg_(tn_tensor *self);
TN_API tn_tensor *tn_neg_out(tn_tensor *out, const tn_tensor *self);

/* neg under its other name. */
TN_API tn_tensor *tn_negative(const tn_tensor *self);
TN_API tn_tensor *tn_negative_(tn_tensor *self);
TN_API tn_tensor *tn_negative_out(tn_tensor *out, const tn_tensor *self);

/* The magnitude; of a complex number, as a real one. The smallest integer wraps around to itself. */
TN_API tn_tensor *tn_abs(const tn_tensor *self);
TN_API tn_tensor *tn_abs_(tn_tensor *self);
TN_API tn_tensor *tn_abs_out(tn_tensor *out, const tn_tensor *self);

/* abs under its other name. */
TN_API tn_tensor *tn_absolute(const tn_tensor *self);
TN_API tn_tensor *tn_absolute_(tn_tensor *self);
TN_API tn_tensor *tn_absolute_out(tn_tensor *out, const tn_tensor *self);

/* -1, 0 or 1; 0 for a NaN. */
TN_API tn_tensor *tn_sign(const tn_tensor *self);
TN_API tn_tensor *tn_sign_(tn_tensor *self);
TN_API tn_tensor *tn_sign_out(tn_tensor *out, const tn_tensor *self);

/* sign; of a complex number self / |self|, which has the magnitude 1, and 0 of 0. */
TN_API tn_tensor *tn_sgn(const tn_tensor *self);
TN_API tn_tensor *tn_sgn_(tn_tensor *self);
TN_API tn_tensor *tn_sgn_out(tn_tensor *out, const tn_tensor *self);

/* self * self; of bools, as integers. */
TN_API tn_tensor *tn_square(const tn_tensor *self);
TN_API tn_tensor *tn_square_(tn_tensor *self);
TN_API tn_tensor *tn_square_out(tn_tensor *out, const tn_tensor *self);

/* 1 / self; integers give the default float. */
TN_API tn_tensor *tn_reciprocal(const tn_tensor *self);
TN_API tn_tensor *tn_reciprocal_(tn_tensor *self);
TN_API tn_tensor *tn_reciprocal_out(tn_tensor *out, const tn_tensor *self);

/* The square root, correctly rounded; NaN below 0. */
TN_API tn_tensor *tn_sqrt(const tn_tensor *self);
TN_API tn_tensor *tn_sqrt_(tn_tensor *self);
TN_API tn_tensor *tn_sqrt_out(tn_tensor *out, const tn_tensor *self);

/* 1 / sqrt(self). */
TN_API tn_tensor *tn_rsqrt(const tn_tensor *self);
TN_API tn_tensor *tn_rsqrt_(tn_tensor *self);
TN_API tn_tensor *tn_rsqrt_out(tn_tensor *out, const tn_tensor *self);

/* The next integer below. Integers are copied. */
TN_API tn_tensor *tn_floor(const tn_tensor *self);
TN_API tn_tensor *tn_floor_(tn_tensor *self);
TN_API tn_tensor *tn_floor_out(tn_tensor *out, const tn_tensor *self);

/* The next integer above. Integers are copied. */
TN_API tn_tensor *tn_ceil(const tn_tensor *self);
TN_API tn_tensor *tn_ceil_(tn_tensor *self);
TN_API tn_tensor *tn_ceil_out(tn_tensor *out, const tn_tensor *self);

/* The integer part. Integers are copied. */
TN_API tn_tensor *tn_trunc(const tn_tensor *self);
TN_API tn_tensor *tn_trunc_(tn_tensor *self);
TN_API tn_tensor *tn_trunc_out(tn_tensor *out, const tn_tensor *self);

/* The nearest integer, halves to the even one. Integers are copied. */
TN_API tn_tensor *tn_round(const tn_tensor *self);
TN_API tn_tensor *tn_round_(tn_tensor *self);
TN_API tn_tensor *tn_round_out(tn_tensor *out, const tn_tensor *self);

/* trunc under its other name. */
TN_API tn_tensor *tn_fix(const tn_tensor *self);
TN_API tn_tensor *tn_fix_(tn_tensor *self);
TN_API tn_tensor *tn_fix_out(tn_tensor *out, const tn_tensor *self);

/* Rounded to so many decimals (negative: to tens, hundreds, ...), halves to even. For floats only. */
TN_API tn_tensor *tn_round_decimals(const tn_tensor *self, int64_t decimals);
TN_API tn_tensor *tn_round_decimals_(tn_tensor *self, int64_t decimals);
TN_API tn_tensor *tn_round_decimals_out(tn_tensor *out, const tn_tensor *self, int64_t decimals);

/* self - trunc(self). */
TN_API tn_tensor *tn_frac(const tn_tensor *self);
TN_API tn_tensor *tn_frac_(tn_tensor *self);
TN_API tn_tensor *tn_frac_out(tn_tensor *out, const tn_tensor *self);

/* The larger of two; a NaN where either is one. */
TN_API tn_tensor *tn_maximum(const tn_tensor *self, const tn_tensor *other);
TN_API tn_tensor *tn_maximum_out(tn_tensor *out, const tn_tensor *self, const tn_tensor *other);

/* The smaller of two; a NaN where either is one. */
TN_API tn_tensor *tn_minimum(const tn_tensor *self, const tn_tensor *other);
TN_API tn_tensor *tn_minimum_out(tn_tensor *out, const tn_tensor *self, const tn_tensor *other);

/* The larger of two; the other where one is a NaN. */
TN_API tn_tensor *tn_fmax(const tn_tensor *self, const tn_tensor *other);
TN_API tn_tensor *tn_fmax_out(tn_tensor *out, const tn_tensor *self, const tn_tensor *other);

/* The smaller of two; the other where one is a NaN. */
TN_API tn_tensor *tn_fmin(const tn_tensor *self, const tn_tensor *other);
TN_API tn_tensor *tn_fmin_out(tn_tensor *out, const tn_tensor *self, const tn_tensor *other);

/* Brought into the range from min to max, of which one may be left out (TN_NO_SCALAR). Where min is above max, max wins. A NaN
 * stays one. */
TN_API tn_tensor *tn_clamp(const tn_tensor *self, tn_scalar min, tn_scalar max);
TN_API tn_tensor *tn_clamp_(tn_tensor *self, tn_scalar min, tn_scalar max);
TN_API tn_tensor *tn_clamp_out(tn_tensor *out, const tn_tensor *self, tn_scalar min, tn_scalar max);

/* The same with bounds for each element; NULL leaves one out. */
TN_API tn_tensor *tn_clamp_tensor(const tn_tensor *self, const tn_tensor *min, const tn_tensor *max);
TN_API tn_tensor *tn_clamp_tensor_(tn_tensor *self, const tn_tensor *min, const tn_tensor *max);
TN_API tn_tensor *tn_clamp_tensor_out(tn_tensor *out, const tn_tensor *self, const tn_tensor *min, const tn_tensor *max);

/* clamp under its NumPy name. */
TN_API tn_tensor *tn_clip(const tn_tensor *self, tn_scalar min, tn_scalar max);
TN_API tn_tensor *tn_clip_(tn_tensor *self, tn_scalar min, tn_scalar max);
TN_API tn_tensor *tn_clip_out(tn_tensor *out, const tn_tensor *self, tn_scalar min, tn_scalar max);

/* clamp under its NumPy name. */
TN_API tn_tensor *tn_clip_tensor(const tn_tensor *self, const tn_tensor *min, const tn_tensor *max);
TN_API tn_tensor *tn_clip_tensor_(tn_tensor *self, const tn_tensor *min, const tn_tensor *max);
TN_API tn_tensor *tn_clip_tensor_out(tn_tensor *out, const tn_tensor *self, const tn_tensor *min, const tn_tensor *max);

/* clamp with one bound. */
TN_API tn_tensor *tn_clamp_min(const tn_tensor *self, tn_scalar min);
TN_API tn_tensor *tn_clamp_min_(tn_tensor *self, tn_scalar min);
TN_API tn_tensor *tn_clamp_min_out(tn_tensor *out, const tn_tensor *self, tn_scalar min);

/* clamp with one bound for each element. */
TN_API tn_tensor *tn_clamp_min_tensor(const tn_tensor *self, const tn_tensor *min);
TN_API tn_tensor *tn_clamp_min_tensor_(tn_tensor *self, const tn_tensor *min);
TN_API tn_tensor *tn_clamp_min_tensor_out(tn_tensor *out, const tn_tensor *self, const tn_tensor *min);

/* clamp with one bound. */
TN_API tn_tensor *tn_clamp_max(const tn_tensor *self, tn_scalar max);
TN_API tn_tensor *tn_clamp_max_(tn_tensor *self, tn_scalar max);
TN_API tn_tensor *tn_clamp_max_out(tn_tensor *out, const tn_tensor *self, tn_scalar max);

/* clamp with one bound for each element. */
TN_API tn_tensor *tn_clamp_max_tensor(const tn_tensor *self, const tn_tensor *max);
TN_API tn_tensor *tn_clamp_max_tensor_(tn_tensor *self, const tn_tensor *max);
TN_API tn_tensor *tn_clamp_max_tensor_out(tn_tensor *out, const tn_tensor *self, const tn_tensor *max);

/* self + weight * (end - self), exactly end for weight 1. For floats; the three dtypes must be equal. */
TN_API tn_tensor *tn_lerp(const tn_tensor *self, const tn_tensor *end, const tn_tensor *weight);
TN_API tn_tensor *tn_lerp_(tn_tensor *self, const tn_tensor *end, const tn_tensor *weight);
TN_API tn_tensor *tn_lerp_out(tn_tensor *out, const tn_tensor *self, const tn_tensor *end, const tn_tensor *weight);

/* The same with one weight. */
TN_API tn_tensor *tn_lerp_scalar(const tn_tensor *self, const tn_tensor *end, tn_scalar weight);
TN_API tn_tensor *tn_lerp_scalar_(tn_tensor *self, const tn_tensor *end, tn_scalar weight);
TN_API tn_tensor *tn_lerp_scalar_out(tn_tensor *out, const tn_tensor *self, const tn_tensor *end, tn_scalar weight);

/* self + value * tensor1 * tensor2. */
TN_API tn_tensor *tn_addcmul(const tn_tensor *self, const tn_tensor *tensor1, const tn_tensor *tensor2, tn_scalar value);
TN_API tn_tensor *tn_addcmul_(tn_tensor *self, const tn_tensor *tensor1, const tn_tensor *tensor2, tn_scalar value);
TN_API tn_tensor *tn_addcmul_out(tn_tensor *out, const tn_tensor *self, const tn_tensor *tensor1, const tn_tensor *tensor2,
                                 tn_scalar value);

/* self + value * tensor1 / tensor2. For floats: integers would have to round twice. */
TN_API tn_tensor *tn_addcdiv(const tn_tensor *self, const tn_tensor *tensor1, const tn_tensor *tensor2, tn_scalar value);
TN_API tn_tensor *tn_addcdiv_(tn_tensor *self, const tn_tensor *tensor1, const tn_tensor *tensor2, tn_scalar value);
TN_API tn_tensor *tn_addcdiv_out(tn_tensor *out, const tn_tensor *self, const tn_tensor *tensor1, const tn_tensor *tensor2,
                                 tn_scalar value);

/* The greatest common divisor, never negative. */
TN_API tn_tensor *tn_gcd(const tn_tensor *self, const tn_tensor *other);
TN_API tn_tensor *tn_gcd_(tn_tensor *self, const tn_tensor *other);
TN_API tn_tensor *tn_gcd_out(tn_tensor *out, const tn_tensor *self, const tn_tensor *other);

/* The least common multiple, never negative. */
TN_API tn_tensor *tn_lcm(const tn_tensor *self, const tn_tensor *other);
TN_API tn_tensor *tn_lcm_(tn_tensor *self, const tn_tensor *other);
TN_API tn_tensor *tn_lcm_out(tn_tensor *out, const tn_tensor *self, const tn_tensor *other);

/* The magnitude of self with the sign of other. */
TN_API tn_tensor *tn_copysign(const tn_tensor *self, const tn_tensor *other);
TN_API tn_tensor *tn_copysign_(tn_tensor *self, const tn_tensor *other);
TN_API tn_tensor *tn_copysign_out(tn_tensor *out, const tn_tensor *self, const tn_tensor *other);

/* The same with a number. */
TN_API tn_tensor *tn_copysign_scalar(const tn_tensor *self, tn_scalar other);
TN_API tn_tensor *tn_copysign_scalar_(tn_tensor *self, tn_scalar other);
TN_API tn_tensor *tn_copysign_scalar_out(tn_tensor *out, const tn_tensor *self, tn_scalar other);

/* The next number after self in the direction of other. */
TN_API tn_tensor *tn_nextafter(const tn_tensor *self, const tn_tensor *other);
TN_API tn_tensor *tn_nextafter_(tn_tensor *self, const tn_tensor *other);
TN_API tn_tensor *tn_nextafter_out(tn_tensor *out, const tn_tensor *self, const tn_tensor *other);

/* 0 below 0 and for NaN, 1 above, values at 0. The dtypes must be equal. */
TN_API tn_tensor *tn_heaviside(const tn_tensor *self, const tn_tensor *values);
TN_API tn_tensor *tn_heaviside_(tn_tensor *self, const tn_tensor *values);
TN_API tn_tensor *tn_heaviside_out(tn_tensor *out, const tn_tensor *self, const tn_tensor *values);

/* Degrees as radians. */
TN_API tn_tensor *tn_deg2rad(const tn_tensor *self);
TN_API tn_tensor *tn_deg2rad_(tn_tensor *self);
TN_API tn_tensor *tn_deg2rad_out(tn_tensor *out, const tn_tensor *self);

/* Radians as degrees. */
TN_API tn_tensor *tn_rad2deg(const tn_tensor *self);
TN_API tn_tensor *tn_rad2deg_(tn_tensor *self);
TN_API tn_tensor *tn_rad2deg_out(tn_tensor *out, const tn_tensor *self);

/* NaN replaced by nan (0), infinity by posinf (the largest finite number), negative infinity by neginf (the smallest). */
TN_API tn_tensor *tn_nan_to_num(const tn_tensor *self, tn_scalar nan, tn_scalar posinf, tn_scalar neginf);
TN_API tn_tensor *tn_nan_to_num_(tn_tensor *self, tn_scalar nan, tn_scalar posinf, tn_scalar neginf);
TN_API tn_tensor *tn_nan_to_num_out(tn_tensor *out, const tn_tensor *self, tn_scalar nan, tn_scalar posinf, tn_scalar neginf);

/* self, as a view. Refused for bool. */
TN_API tn_tensor *tn_positive(const tn_tensor *self);

/* self to the power of exponent. Integers stay integers and wrap around; a negative exponent among integer tensors gives the
 * integer part, 0 or a power of 1 or -1. Complex powers use the principal logarithm, whole ones products; the power 0 is 1 also
 * of 0 (PyTorch: a NaN between complex tensors). */
TN_API tn_tensor *tn_pow(const tn_tensor *self, const tn_tensor *exponent);
TN_API tn_tensor *tn_pow_(tn_tensor *self, const tn_tensor *exponent);
TN_API tn_tensor *tn_pow_out(tn_tensor *out, const tn_tensor *self, const tn_tensor *exponent);

/* The same with a number. TN_ERROR_ARGUMENT for an integer to a negative integer power. */
TN_API tn_tensor *tn_pow_scalar(const tn_tensor *self, tn_scalar exponent);
TN_API tn_tensor *tn_pow_scalar_(tn_tensor *self, tn_scalar exponent);
TN_API tn_tensor *tn_pow_scalar_out(tn_tensor *out, const tn_tensor *self, tn_scalar exponent);

/* The same with a number in front. */
TN_API tn_tensor *tn_pow_rscalar(tn_scalar self, const tn_tensor *exponent);
TN_API tn_tensor *tn_pow_rscalar_out(tn_tensor *out, tn_scalar self, const tn_tensor *exponent);

/* ---- math -------------------------------------------------------------------------------------------------------- */

/* e to the power of self. Like all functions of this group, it gives the default float for integers and bool, and is within 1
 * unit in the last place (docs/accuracy.md). Complex numbers have the branch cuts and special values of the array API standard;
 * PyTorch differs from it in expm1, log1p and the sign of 0 in acos. */
TN_API tn_tensor *tn_exp(const tn_tensor *self);
TN_API tn_tensor *tn_exp_(tn_tensor *self);
TN_API tn_tensor *tn_exp_out(tn_tensor *out, const tn_tensor *self);

/* 2 to the power of self. */
TN_API tn_tensor *tn_exp2(const tn_tensor *self);
TN_API tn_tensor *tn_exp2_(tn_tensor *self);
TN_API tn_tensor *tn_exp2_out(tn_tensor *out, const tn_tensor *self);

/* e to the power of self, minus 1, precise also near 0. */
TN_API tn_tensor *tn_expm1(const tn_tensor *self);
TN_API tn_tensor *tn_expm1_(tn_tensor *self);
TN_API tn_tensor *tn_expm1_out(tn_tensor *out, const tn_tensor *self);

/* The natural logarithm; NaN below 0, negative infinity at 0. */
TN_API tn_tensor *tn_log(const tn_tensor *self);
TN_API tn_tensor *tn_log_(tn_tensor *self);
TN_API tn_tensor *tn_log_out(tn_tensor *out, const tn_tensor *self);

/* The logarithm to the base 2. */
TN_API tn_tensor *tn_log2(const tn_tensor *self);
TN_API tn_tensor *tn_log2_(tn_tensor *self);
TN_API tn_tensor *tn_log2_out(tn_tensor *out, const tn_tensor *self);

/* The logarithm to the base 10. */
TN_API tn_tensor *tn_log10(const tn_tensor *self);
TN_API tn_tensor *tn_log10_(tn_tensor *self);
TN_API tn_tensor *tn_log10_out(tn_tensor *out, const tn_tensor *self);

/* The natural logarithm of 1 + self, precise also near 0. */
TN_API tn_tensor *tn_log1p(const tn_tensor *self);
TN_API tn_tensor *tn_log1p_(tn_tensor *self);
TN_API tn_tensor *tn_log1p_out(tn_tensor *out, const tn_tensor *self);

/* The sine; self is in radians, of any size. NaN for infinities. */
TN_API tn_tensor *tn_sin(const tn_tensor *self);
TN_API tn_tensor *tn_sin_(tn_tensor *self);
TN_API tn_tensor *tn_sin_out(tn_tensor *out, const tn_tensor *self);

/* The cosine; self is in radians, of any size. NaN for infinities. */
TN_API tn_tensor *tn_cos(const tn_tensor *self);
TN_API tn_tensor *tn_cos_(tn_tensor *self);
TN_API tn_tensor *tn_cos_out(tn_tensor *out, const tn_tensor *self);

/* The tangent; self is in radians, of any size. NaN for infinities. */
TN_API tn_tensor *tn_tan(const tn_tensor *self);
TN_API tn_tensor *tn_tan_(tn_tensor *self);
TN_API tn_tensor *tn_tan_out(tn_tensor *out, const tn_tensor *self);

/* The inverse of sin, between -pi/2 and pi/2; NaN outside of -1 to 1. */
TN_API tn_tensor *tn_asin(const tn_tensor *self);
TN_API tn_tensor *tn_asin_(tn_tensor *self);
TN_API tn_tensor *tn_asin_out(tn_tensor *out, const tn_tensor *self);

/* asin under its other name. */
TN_API tn_tensor *tn_arcsin(const tn_tensor *self);
TN_API tn_tensor *tn_arcsin_(tn_tensor *self);
TN_API tn_tensor *tn_arcsin_out(tn_tensor *out, const tn_tensor *self);

/* The inverse of cos, between 0 and pi; NaN outside of -1 to 1. */
TN_API tn_tensor *tn_acos(const tn_tensor *self);
TN_API tn_tensor *tn_acos_(tn_tensor *self);
TN_API tn_tensor *tn_acos_out(tn_tensor *out, const tn_tensor *self);

/* acos under its other name. */
TN_API tn_tensor *tn_arccos(const tn_tensor *self);
TN_API tn_tensor *tn_arccos_(tn_tensor *self);
TN_API tn_tensor *tn_arccos_out(tn_tensor *out, const tn_tensor *self);

/* The inverse of tan, between -pi/2 and pi/2. */
TN_API tn_tensor *tn_atan(const tn_tensor *self);
TN_API tn_tensor *tn_atan_(tn_tensor *self);
TN_API tn_tensor *tn_atan_out(tn_tensor *out, const tn_tensor *self);

/* atan under its other name. */
TN_API tn_tensor *tn_arctan(const tn_tensor *self);
TN_API tn_tensor *tn_arctan_(tn_tensor *self);
TN_API tn_tensor *tn_arctan_out(tn_tensor *out, const tn_tensor *self);

/* The angle of the point (other, self), between -pi and pi, with the sign of self: atan(self / other) in the right quadrant.
 * Zeros and infinities as in C. */
TN_API tn_tensor *tn_atan2(const tn_tensor *self, const tn_tensor *other);
TN_API tn_tensor *tn_atan2_(tn_tensor *self, const tn_tensor *other);
TN_API tn_tensor *tn_atan2_out(tn_tensor *out, const tn_tensor *self, const tn_tensor *other);

/* atan2 under its other name. */
TN_API tn_tensor *tn_arctan2(const tn_tensor *self, const tn_tensor *other);
TN_API tn_tensor *tn_arctan2_(tn_tensor *self, const tn_tensor *other);
TN_API tn_tensor *tn_arctan2_out(tn_tensor *out, const tn_tensor *self, const tn_tensor *other);

/* The hyperbolic sine. */
TN_API tn_tensor *tn_sinh(const tn_tensor *self);
TN_API tn_tensor *tn_sinh_(tn_tensor *self);
TN_API tn_tensor *tn_sinh_out(tn_tensor *out, const tn_tensor *self);

/* The hyperbolic cosine. */
TN_API tn_tensor *tn_cosh(const tn_tensor *self);
TN_API tn_tensor *tn_cosh_(tn_tensor *self);
TN_API tn_tensor *tn_cosh_out(tn_tensor *out, const tn_tensor *self);

/* The hyperbolic tangent. */
TN_API tn_tensor *tn_tanh(const tn_tensor *self);
TN_API tn_tensor *tn_tanh_(tn_tensor *self);
TN_API tn_tensor *tn_tanh_out(tn_tensor *out, const tn_tensor *self);

/* The inverse of sinh. */
TN_API tn_tensor *tn_asinh(const tn_tensor *self);
TN_API tn_tensor *tn_asinh_(tn_tensor *self);
TN_API tn_tensor *tn_asinh_out(tn_tensor *out, const tn_tensor *self);

/* asinh under its other name. */
TN_API tn_tensor *tn_arcsinh(const tn_tensor *self);
TN_API tn_tensor *tn_arcsinh_(tn_tensor *self);
TN_API tn_tensor *tn_arcsinh_out(tn_tensor *out, const tn_tensor *self);

/* The inverse of cosh; NaN below 1. */
TN_API tn_tensor *tn_acosh(const tn_tensor *self);
TN_API tn_tensor *tn_acosh_(tn_tensor *self);
TN_API tn_tensor *tn_acosh_out(tn_tensor *out, const tn_tensor *self);

/* acosh under its other name. */
TN_API tn_tensor *tn_arccosh(const tn_tensor *self);
TN_API tn_tensor *tn_arccosh_(tn_tensor *self);
TN_API tn_tensor *tn_arccosh_out(tn_tensor *out, const tn_tensor *self);

/* The inverse of tanh; infinite at -1 and 1, NaN beyond. */
TN_API tn_tensor *tn_atanh(const tn_tensor *self);
TN_API tn_tensor *tn_atanh_(tn_tensor *self);
TN_API tn_tensor *tn_atanh_out(tn_tensor *out, const tn_tensor *self);

/* atanh under its other name. */
TN_API tn_tensor *tn_arctanh(const tn_tensor *self);
TN_API tn_tensor *tn_arctanh_(tn_tensor *self);
TN_API tn_tensor *tn_arctanh_out(tn_tensor *out, const tn_tensor *self);

/* sin(pi self) / (pi self), 1 at 0. Exactly 0 at the other integers. */
TN_API tn_tensor *tn_sinc(const tn_tensor *self);
TN_API tn_tensor *tn_sinc_(tn_tensor *self);
TN_API tn_tensor *tn_sinc_out(tn_tensor *out, const tn_tensor *self);

/* The error function. */
TN_API tn_tensor *tn_erf(const tn_tensor *self);
TN_API tn_tensor *tn_erf_(tn_tensor *self);
TN_API tn_tensor *tn_erf_out(tn_tensor *out, const tn_tensor *self);

/* 1 - erf(self), precise also where erf is near 1. */
TN_API tn_tensor *tn_erfc(const tn_tensor *self);
TN_API tn_tensor *tn_erfc_(tn_tensor *self);
TN_API tn_tensor *tn_erfc_out(tn_tensor *out, const tn_tensor *self);

/* The inverse of erf: infinite at -1 and 1, NaN beyond. */
TN_API tn_tensor *tn_erfinv(const tn_tensor *self);
TN_API tn_tensor *tn_erfinv_(tn_tensor *self);
TN_API tn_tensor *tn_erfinv_out(tn_tensor *out, const tn_tensor *self);

/* The logarithm of the magnitude of the gamma function; infinite at 0 and the negative integers. */
TN_API tn_tensor *tn_lgamma(const tn_tensor *self);
TN_API tn_tensor *tn_lgamma_(tn_tensor *self);
TN_API tn_tensor *tn_lgamma_out(tn_tensor *out, const tn_tensor *self);

/* The derivative of lgamma. At 0 infinite, of the sign opposite to that of the zero; NaN at the negative integers. */
TN_API tn_tensor *tn_digamma(const tn_tensor *self);
TN_API tn_tensor *tn_digamma_(tn_tensor *self);
TN_API tn_tensor *tn_digamma_out(tn_tensor *out, const tn_tensor *self);

/* The modified Bessel function of the first kind, of order 0. Infinite at the infinities, where PyTorch has NaN. */
TN_API tn_tensor *tn_i0(const tn_tensor *self);
TN_API tn_tensor *tn_i0_(tn_tensor *self);
TN_API tn_tensor *tn_i0_out(tn_tensor *out, const tn_tensor *self);

/* 1 / (1 + e^-self). */
TN_API tn_tensor *tn_sigmoid(const tn_tensor *self);
TN_API tn_tensor *tn_sigmoid_(tn_tensor *self);
TN_API tn_tensor *tn_sigmoid_out(tn_tensor *out, const tn_tensor *self);

/* log(self / (1 - self)), the inverse of sigmoid; NaN outside of 0 to 1. */
TN_API tn_tensor *tn_logit(const tn_tensor *self);
TN_API tn_tensor *tn_logit_(tn_tensor *self);
TN_API tn_tensor *tn_logit_out(tn_tensor *out, const tn_tensor *self);

/* The same with self brought into the range from eps to 1 - eps before; a negative eps changes nothing. */
TN_API tn_tensor *tn_logit_eps(const tn_tensor *self, double eps);
TN_API tn_tensor *tn_logit_eps_(tn_tensor *self, double eps);
TN_API tn_tensor *tn_logit_eps_out(tn_tensor *out, const tn_tensor *self, double eps);

/* sqrt(self^2 + other^2) without overflow on the way. Infinite where either is, even beside a NaN. */
TN_API tn_tensor *tn_hypot(const tn_tensor *self, const tn_tensor *other);
TN_API tn_tensor *tn_hypot_(tn_tensor *self, const tn_tensor *other);
TN_API tn_tensor *tn_hypot_out(tn_tensor *out, const tn_tensor *self, const tn_tensor *other);

/* self * 2^other. The product is rounded once: what PyTorch loses because 2^other alone overflows is kept. */
TN_API tn_tensor *tn_ldexp(const tn_tensor *self, const tn_tensor *other);
TN_API tn_tensor *tn_ldexp_(tn_tensor *self, const tn_tensor *other);
TN_API tn_tensor *tn_ldexp_out(tn_tensor *out, const tn_tensor *self, const tn_tensor *other);

/* Two tensors, mantissa and exponent (int32), for which self is mantissa * 2^exponent and the magnitude of the mantissa at
 * least 0.5 and below 1. 0, infinities and NaN are their own mantissa, with exponent 0. */
TN_API tn_list *tn_frexp(const tn_tensor *self);

/* log(e^self + e^other) without overflow on the way. */
TN_API tn_tensor *tn_logaddexp(const tn_tensor *self, const tn_tensor *other);
TN_API tn_tensor *tn_logaddexp_out(tn_tensor *out, const tn_tensor *self, const tn_tensor *other);

/* log2(2^self + 2^other) without overflow on the way. */
TN_API tn_tensor *tn_logaddexp2(const tn_tensor *self, const tn_tensor *other);
TN_API tn_tensor *tn_logaddexp2_out(tn_tensor *out, const tn_tensor *self, const tn_tensor *other);

/* self * log(other), and 0 where self is 0, unless other is NaN. */
TN_API tn_tensor *tn_xlogy(const tn_tensor *self, const tn_tensor *other);
TN_API tn_tensor *tn_xlogy_(tn_tensor *self, const tn_tensor *other);
TN_API tn_tensor *tn_xlogy_out(tn_tensor *out, const tn_tensor *self, const tn_tensor *other);

/* The same with a number. */
TN_API tn_tensor *tn_xlogy_scalar(const tn_tensor *self, tn_scalar other);
TN_API tn_tensor *tn_xlogy_scalar_(tn_tensor *self, tn_scalar other);
TN_API tn_tensor *tn_xlogy_scalar_out(tn_tensor *out, const tn_tensor *self, tn_scalar other);

/* The same with a number in front. */
TN_API tn_tensor *tn_xlogy_rscalar(tn_scalar self, const tn_tensor *other);
TN_API tn_tensor *tn_xlogy_rscalar_out(tn_tensor *out, tn_scalar self, const tn_tensor *other);

/* pow, always computed in float64 (complex128 where one of the two is complex), which is also the dtype of the result. Integers
 * may have negative exponents here. */
TN_API tn_tensor *tn_float_power(const tn_tensor *self, const tn_tensor *exponent);
TN_API tn_tensor *tn_float_power_(tn_tensor *self, const tn_tensor *exponent);
TN_API tn_tensor *tn_float_power_out(tn_tensor *out, const tn_tensor *self, const tn_tensor *exponent);

/* The same with a number. */
TN_API tn_tensor *tn_float_power_scalar(const tn_tensor *self, tn_scalar exponent);
TN_API tn_tensor *tn_float_power_scalar_(tn_tensor *self, tn_scalar exponent);
TN_API tn_tensor *tn_float_power_scalar_out(tn_tensor *out, const tn_tensor *self, tn_scalar exponent);

/* The same with a number in front. */
TN_API tn_tensor *tn_float_power_rscalar(tn_scalar self, const tn_tensor *exponent);
TN_API tn_tensor *tn_float_power_rscalar_out(tn_tensor *out, tn_scalar self, const tn_tensor *exponent);

/* ---- activation -------------------------------------------------------------------------------------------------- */

/* self where it is positive, else 0. A NaN stays one, here and in all of this group. */
TN_API tn_tensor *tn_relu(const tn_tensor *self);
TN_API tn_tensor *tn_relu_(tn_tensor *self);
TN_API tn_tensor *tn_relu_out(tn_tensor *out, const tn_tensor *self);

/* self brought into the range from 0 to 6. */
TN_API tn_tensor *tn_relu6(const tn_tensor *self);
TN_API tn_tensor *tn_relu6_(tn_tensor *self);

/* self where it is positive, else 0.01 * self. */
TN_API tn_tensor *tn_leaky_relu(const tn_tensor *self);
TN_API tn_tensor *tn_leaky_relu_(tn_tensor *self);
TN_API tn_tensor *tn_leaky_relu_out(tn_tensor *out, const tn_tensor *self);

/* The same with another slope than 0.01. */
TN_API tn_tensor *tn_leaky_relu_slope(const tn_tensor *self, tn_scalar negative_slope);
TN_API tn_tensor *tn_leaky_relu_slope_(tn_tensor *self, tn_scalar negative_slope);
TN_API tn_tensor *tn_leaky_relu_slope_out(tn_tensor *out, const tn_tensor *self, tn_scalar negative_slope);

/* self where it is positive, else e^self - 1. */
TN_API tn_tensor *tn_elu(const tn_tensor *self);
TN_API tn_tensor *tn_elu_(tn_tensor *self);
TN_API tn_tensor *tn_elu_out(tn_tensor *out, const tn_tensor *self);

/* scale * self where self is positive, else scale * alpha * (e^(input_scale * self) - 1). */
TN_API tn_tensor *tn_elu_alpha(const tn_tensor *self, tn_scalar alpha, tn_scalar scale, tn_scalar input_scale);
TN_API tn_tensor *tn_elu_alpha_(tn_tensor *self, tn_scalar alpha, tn_scalar scale, tn_scalar input_scale);
TN_API tn_tensor *tn_elu_alpha_out(tn_tensor *out, const tn_tensor *self, tn_scalar alpha, tn_scalar scale,
                                   tn_scalar input_scale);

/* elu with the alpha and the scale for which layers of it keep mean 0 and variance 1. */
TN_API tn_tensor *tn_selu(const tn_tensor *self);
TN_API tn_tensor *tn_selu_(tn_tensor *self);
TN_API tn_tensor *tn_selu_out(tn_tensor *out, const tn_tensor *self);

/* self where it is positive, else e^self - 1: elu with alpha 1. */
TN_API tn_tensor *tn_celu(const tn_tensor *self);
TN_API tn_tensor *tn_celu_(tn_tensor *self);
TN_API tn_tensor *tn_celu_out(tn_tensor *out, const tn_tensor *self);

/* self where it is positive, else alpha * (e^(self / alpha) - 1). TN_ERROR_ARGUMENT for an alpha of 0. */
TN_API tn_tensor *tn_celu_alpha(const tn_tensor *self, tn_scalar alpha);
TN_API tn_tensor *tn_celu_alpha_(tn_tensor *self, tn_scalar alpha);
TN_API tn_tensor *tn_celu_alpha_out(tn_tensor *out, const tn_tensor *self, tn_scalar alpha);

/* self times the standard normal distribution function of self: self * (1 + erf(self / sqrt 2)) / 2. */
TN_API tn_tensor *tn_gelu(const tn_tensor *self);
TN_API tn_tensor *tn_gelu_(tn_tensor *self);
TN_API tn_tensor *tn_gelu_out(tn_tensor *out, const tn_tensor *self);

/* The same, computed as it is (approximate is 'none') or as self * (1 + tanh(sqrt(2 / pi) * (self + 0.044715 self^3))) / 2
 * ('tanh'). */
TN_API tn_tensor *tn_gelu_approximate(const tn_tensor *self, const char *approximate);
TN_API tn_tensor *tn_gelu_approximate_(tn_tensor *self, const char *approximate);
TN_API tn_tensor *tn_gelu_approximate_out(tn_tensor *out, const tn_tensor *self, const char *approximate);

/* self * sigmoid(self). */
TN_API tn_tensor *tn_silu(const tn_tensor *self);
TN_API tn_tensor *tn_silu_(tn_tensor *self);
TN_API tn_tensor *tn_silu_out(tn_tensor *out, const tn_tensor *self);

/* self * tanh(log(1 + e^self)). */
TN_API tn_tensor *tn_mish(const tn_tensor *self);
TN_API tn_tensor *tn_mish_(tn_tensor *self);
TN_API tn_tensor *tn_mish_out(tn_tensor *out, const tn_tensor *self);

/* log(1 + e^self); self itself above 20. */
TN_API tn_tensor *tn_softplus(const tn_tensor *self);
TN_API tn_tensor *tn_softplus_out(tn_tensor *out, const tn_tensor *self);

/* log(1 + e^(beta * self)) / beta; self itself where beta * self is above threshold. */
TN_API tn_tensor *tn_softplus_beta(const tn_tensor *self, tn_scalar beta, tn_scalar threshold);
TN_API tn_tensor *tn_softplus_beta_out(tn_tensor *out, const tn_tensor *self, tn_scalar beta, tn_scalar threshold);

/* log(sigmoid(self)). */
TN_API tn_tensor *tn_logsigmoid(const tn_tensor *self);
TN_API tn_tensor *tn_logsigmoid_out(tn_tensor *out, const tn_tensor *self);

/* self brought into the range from -1 to 1. TN_ERROR_DTYPE for unsigned integers, which have no -1. */
TN_API tn_tensor *tn_hardtanh(const tn_tensor *self);
TN_API tn_tensor *tn_hardtanh_(tn_tensor *self);
TN_API tn_tensor *tn_hardtanh_out(tn_tensor *out, const tn_tensor *self);

/* The same with another range. Of integers, the bounds' integer parts are used. TN_ERROR_ARGUMENT when min_val is above
 * max_val. */
TN_API tn_tensor *tn_hardtanh_range(const tn_tensor *self, tn_scalar min_val, tn_scalar max_val);
TN_API tn_tensor *tn_hardtanh_range_(tn_tensor *self, tn_scalar min_val, tn_scalar max_val);
TN_API tn_tensor *tn_hardtanh_range_out(tn_tensor *out, const tn_tensor *self, tn_scalar min_val, tn_scalar max_val);

/* self + 3 brought into the range from 0 to 6, divided by 6. */
TN_API tn_tensor *tn_hardsigmoid(const tn_tensor *self);
TN_API tn_tensor *tn_hardsigmoid_(tn_tensor *self);
TN_API tn_tensor *tn_hardsigmoid_out(tn_tensor *out, const tn_tensor *self);

/* self * hardsigmoid(self). */
TN_API tn_tensor *tn_hardswish(const tn_tensor *self);
TN_API tn_tensor *tn_hardswish_(tn_tensor *self);
TN_API tn_tensor *tn_hardswish_out(tn_tensor *out, const tn_tensor *self);

/* self / (1 + |self|). NaN at the infinities, as in PyTorch. */
TN_API tn_tensor *tn_softsign(const tn_tensor *self);

/* self - tanh(self). */
TN_API tn_tensor *tn_tanhshrink(const tn_tensor *self);

/* self where it is above threshold, else value. TN_ERROR_DTYPE when an integer dtype cannot hold one of the two. */
TN_API tn_tensor *tn_threshold(const tn_tensor *self, tn_scalar threshold, tn_scalar value);
TN_API tn_tensor *tn_threshold_(tn_tensor *self, tn_scalar threshold, tn_scalar value);
TN_API tn_tensor *tn_threshold_out(tn_tensor *out, const tn_tensor *self, tn_scalar threshold, tn_scalar value);

/* ---- complex ----------------------------------------------------------------------------------------------------- */

/* The complex conjugate: a copy with the imaginary parts negated, and for real dtypes a view. PyTorch's is lazy, a view
 * always. */
TN_API tn_tensor *tn_conj(const tn_tensor *self);

/* The complex conjugate in memory of its own. Real numbers are copied. */
TN_API tn_tensor *tn_conj_physical(const tn_tensor *self);
TN_API tn_tensor *tn_conj_physical_(tn_tensor *self);
TN_API tn_tensor *tn_conj_physical_out(tn_tensor *out, const tn_tensor *self);

/* The angle from the positive real axis, from -pi to pi, as a real number: atan2(imag, real). Of a real number 0, or pi below
 * 0; a NaN stays one. Integers give the default float. */
TN_API tn_tensor *tn_angle(const tn_tensor *self);
TN_API tn_tensor *tn_angle_out(tn_tensor *out, const tn_tensor *self);

/* Complex numbers of their parts, which are promoted: float32 and narrower floats give complex64, float64 complex128. */
TN_API tn_tensor *tn_complex(const tn_tensor *real, const tn_tensor *imag);
TN_API tn_tensor *tn_complex_out(tn_tensor *out, const tn_tensor *real, const tn_tensor *imag);

/* Complex numbers of magnitude and angle: abs * cos(angle) + abs * sin(angle) i. Dtypes as for complex. */
TN_API tn_tensor *tn_polar(const tn_tensor *abs, const tn_tensor *angle);
TN_API tn_tensor *tn_polar_out(tn_tensor *out, const tn_tensor *abs, const tn_tensor *angle);

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

/* ---- compare ----------------------------------------------------------------------------------------------------- */

/* self == other, as bool, in the common dtype. A NaN equals nothing. A whole number, or a tensor of no dimensions, that the
 * other's integer dtype cannot hold is not wrapped around into it, as torch would: no int8 is equal to 300. */
TN_API tn_tensor *tn_eq(const tn_tensor *self, const tn_tensor *other);
TN_API tn_tensor *tn_eq_(tn_tensor *self, const tn_tensor *other);
TN_API tn_tensor *tn_eq_out(tn_tensor *out, const tn_tensor *self, const tn_tensor *other);

/* The same with a number. */
TN_API tn_tensor *tn_eq_scalar(const tn_tensor *self, tn_scalar other);
TN_API tn_tensor *tn_eq_scalar_(tn_tensor *self, tn_scalar other);
TN_API tn_tensor *tn_eq_scalar_out(tn_tensor *out, const tn_tensor *self, tn_scalar other);

/* self != other, as bool, in the common dtype. As eq. */
TN_API tn_tensor *tn_ne(const tn_tensor *self, const tn_tensor *other);
TN_API tn_tensor *tn_ne_(tn_tensor *self, const tn_tensor *other);
TN_API tn_tensor *tn_ne_out(tn_tensor *out, const tn_tensor *self, const tn_tensor *other);

/* The same with a number. */
TN_API tn_tensor *tn_ne_scalar(const tn_tensor *self, tn_scalar other);
TN_API tn_tensor *tn_ne_scalar_(tn_tensor *self, tn_scalar other);
TN_API tn_tensor *tn_ne_scalar_out(tn_tensor *out, const tn_tensor *self, tn_scalar other);

/* self < other, as bool, in the common dtype. Refused for complex numbers. As eq otherwise: every int8 is below 300. */
TN_API tn_tensor *tn_lt(const tn_tensor *self, const tn_tensor *other);
TN_API tn_tensor *tn_lt_(tn_tensor *self, const tn_tensor *other);
TN_API tn_tensor *tn_lt_out(tn_tensor *out, const tn_tensor *self, const tn_tensor *other);

/* The same with a number. */
TN_API tn_tensor *tn_lt_scalar(const tn_tensor *self, tn_scalar other);
TN_API tn_tensor *tn_lt_scalar_(tn_tensor *self, tn_scalar other);
TN_API tn_tensor *tn_lt_scalar_out(tn_tensor *out, const tn_tensor *self, tn_scalar other);

/* self <= other, as bool, in the common dtype. As lt. */
TN_API tn_tensor *tn_le(const tn_tensor *self, const tn_tensor *other);
TN_API tn_tensor *tn_le_(tn_tensor *self, const tn_tensor *other);
TN_API tn_tensor *tn_le_out(tn_tensor *out, const tn_tensor *self, const tn_tensor *other);

/* The same with a number. */
TN_API tn_tensor *tn_le_scalar(const tn_tensor *self, tn_scalar other);
TN_API tn_tensor *tn_le_scalar_(tn_tensor *self, tn_scalar other);
TN_API tn_tensor *tn_le_scalar_out(tn_tensor *out, const tn_tensor *self, tn_scalar other);

/* self > other, as bool, in the common dtype. As lt. */
TN_API tn_tensor *tn_gt(const tn_tensor *self, const tn_tensor *other);
TN_API tn_tensor *tn_gt_(tn_tensor *self, const tn_tensor *other);
TN_API tn_tensor *tn_gt_out(tn_tensor *out, const tn_tensor *self, const tn_tensor *other);

/* The same with a number. */
TN_API tn_tensor *tn_gt_scalar(const tn_tensor *self, tn_scalar other);
TN_API tn_tensor *tn_gt_scalar_(tn_tensor *self, tn_scalar other);
TN_API tn_tensor *tn_gt_scalar_out(tn_tensor *out, const tn_tensor *self, tn_scalar other);

/* self >= other, as bool, in the common dtype. As lt. */
TN_API tn_tensor *tn_ge(const tn_tensor *self, const tn_tensor *other);
TN_API tn_tensor *tn_ge_(tn_tensor *self, const tn_tensor *other);
TN_API tn_tensor *tn_ge_out(tn_tensor *out, const tn_tensor *self, const tn_tensor *other);

/* The same with a number. */
TN_API tn_tensor *tn_ge_scalar(const tn_tensor *self, tn_scalar other);
TN_API tn_tensor *tn_ge_scalar_(tn_tensor *self, tn_scalar other);
TN_API tn_tensor *tn_ge_scalar_out(tn_tensor *out, const tn_tensor *self, tn_scalar other);

/* ne under its other name. */
TN_API tn_tensor *tn_not_equal(const tn_tensor *self, const tn_tensor *other);
TN_API tn_tensor *tn_not_equal_(tn_tensor *self, const tn_tensor *other);
TN_API tn_tensor *tn_not_equal_out(tn_tensor *out, const tn_tensor *self, const tn_tensor *other);

/* ne under its other name. */
TN_API tn_tensor *tn_not_equal_scalar(const tn_tensor *self, tn_scalar other);
TN_API tn_tensor *tn_not_equal_scalar_(tn_tensor *self, tn_scalar other);
TN_API tn_tensor *tn_not_equal_scalar_out(tn_tensor *out, const tn_tensor *self, tn_scalar other);

/* lt under its other name. */
TN_API tn_tensor *tn_less(const tn_tensor *self, const tn_tensor *other);
TN_API tn_tensor *tn_less_(tn_tensor *self, const tn_tensor *other);
TN_API tn_tensor *tn_less_out(tn_tensor *out, const tn_tensor *self, const tn_tensor *other);

/* lt under its other name. */
TN_API tn_tensor *tn_less_scalar(const tn_tensor *self, tn_scalar other);
TN_API tn_tensor *tn_less_scalar_(tn_tensor *self, tn_scalar other);
TN_API tn_tensor *tn_less_scalar_out(tn_tensor *out, const tn_tensor *self, tn_scalar other);

/* le under its other name. */
TN_API tn_tensor *tn_less_equal(const tn_tensor *self, const tn_tensor *other);
TN_API tn_tensor *tn_less_equal_(tn_tensor *self, const tn_tensor *other);
TN_API tn_tensor *tn_less_equal_out(tn_tensor *out, const tn_tensor *self, const tn_tensor *other);

/* le under its other name. */
TN_API tn_tensor *tn_less_equal_scalar(const tn_tensor *self, tn_scalar other);
TN_API tn_tensor *tn_less_equal_scalar_(tn_tensor *self, tn_scalar other);
TN_API tn_tensor *tn_less_equal_scalar_out(tn_tensor *out, const tn_tensor *self, tn_scalar other);

/* gt under its other name. */
TN_API tn_tensor *tn_greater(const tn_tensor *self, const tn_tensor *other);
TN_API tn_tensor *tn_greater_(tn_tensor *self, const tn_tensor *other);
TN_API tn_tensor *tn_greater_out(tn_tensor *out, const tn_tensor *self, const tn_tensor *other);

/* gt under its other name. */
TN_API tn_tensor *tn_greater_scalar(const tn_tensor *self, tn_scalar other);
TN_API tn_tensor *tn_greater_scalar_(tn_tensor *self, tn_scalar other);
TN_API tn_tensor *tn_greater_scalar_out(tn_tensor *out, const tn_tensor *self, tn_scalar other);

/* ge under its other name. */
TN_API tn_tensor *tn_greater_equal(const tn_tensor *self, const tn_tensor *other);
TN_API tn_tensor *tn_greater_equal_(tn_tensor *self, const tn_tensor *other);
TN_API tn_tensor *tn_greater_equal_out(tn_tensor *out, const tn_tensor *self, const tn_tensor *other);

/* ge under its other name. */
TN_API tn_tensor *tn_greater_equal_scalar(const tn_tensor *self, tn_scalar other);
TN_API tn_tensor *tn_greater_equal_scalar_(tn_tensor *self, tn_scalar other);
TN_API tn_tensor *tn_greater_equal_scalar_out(tn_tensor *out, const tn_tensor *self, tn_scalar other);

/* |self - other| <= atol + |rtol * other|, as bool. Infinities are close when they are equal, NaNs when equal_nan says so. The
 * difference of integers is exact. TN_ERROR_ARGUMENT for a negative tolerance. See also tn_allclose. */
TN_API tn_tensor *tn_isclose(const tn_tensor *self, const tn_tensor *other, double rtol, double atol, bool equal_nan);

/* Whether an element is not a number; of a complex one, whether either part is not. Integers are finite. */
TN_API tn_tensor *tn_isnan(const tn_tensor *self);

/* Whether an element is an infinity of either sign; of a complex one, whether either part is. Integers are finite. */
TN_API tn_tensor *tn_isinf(const tn_tensor *self);

/* Whether an element is neither an infinity nor a NaN. Integers are finite. */
TN_API tn_tensor *tn_isfinite(const tn_tensor *self);

/* Whether an element is the positive infinity. Refused for complex numbers, which have many infinities. */
TN_API tn_tensor *tn_isposinf(const tn_tensor *self);
TN_API tn_tensor *tn_isposinf_out(tn_tensor *out, const tn_tensor *self);

/* Whether an element is the negative infinity. Refused for complex numbers, which have many infinities. */
TN_API tn_tensor *tn_isneginf(const tn_tensor *self);
TN_API tn_tensor *tn_isneginf_out(tn_tensor *out, const tn_tensor *self);

/* Whether the imaginary part is 0: true for every element of a real dtype. */
TN_API tn_tensor *tn_isreal(const tn_tensor *self);

/* Whether the sign is negative, that of -0.0 and of a NaN too. Refused for complex numbers. */
TN_API tn_tensor *tn_signbit(const tn_tensor *self);
TN_API tn_tensor *tn_signbit_out(tn_tensor *out, const tn_tensor *self);

/* ---- logic ------------------------------------------------------------------------------------------------------- */

/* Whether both elements are not 0. A NaN is not 0. */
TN_API tn_tensor *tn_logical_and(const tn_tensor *self, const tn_tensor *other);
TN_API tn_tensor *tn_logical_and_(tn_tensor *self, const tn_tensor *other);
TN_API tn_tensor *tn_logical_and_out(tn_tensor *out, const tn_tensor *self, const tn_tensor *other);

/* Whether one of the elements, or both, is not 0. A NaN is not 0. */
TN_API tn_tensor *tn_logical_or(const tn_tensor *self, const tn_tensor *other);
TN_API tn_tensor *tn_logical_or_(tn_tensor *self, const tn_tensor *other);
TN_API tn_tensor *tn_logical_or_out(tn_tensor *out, const tn_tensor *self, const tn_tensor *other);

/* Whether exactly one of the elements is not 0. A NaN is not 0. */
TN_API tn_tensor *tn_logical_xor(const tn_tensor *self, const tn_tensor *other);
TN_API tn_tensor *tn_logical_xor_(tn_tensor *self, const tn_tensor *other);
TN_API tn_tensor *tn_logical_xor_out(tn_tensor *out, const tn_tensor *self, const tn_tensor *other);

/* Whether an element is 0. */
TN_API tn_tensor *tn_logical_not(const tn_tensor *self);
TN_API tn_tensor *tn_logical_not_(tn_tensor *self);
TN_API tn_tensor *tn_logical_not_out(tn_tensor *out, const tn_tensor *self);

/* The bits that both elements have; of bools, whether both are true. */
TN_API tn_tensor *tn_bitwise_and(const tn_tensor *self, const tn_tensor *other);
TN_API tn_tensor *tn_bitwise_and_(tn_tensor *self, const tn_tensor *other);
TN_API tn_tensor *tn_bitwise_and_out(tn_tensor *out, const tn_tensor *self, const tn_tensor *other);

/* The same with a number. */
TN_API tn_tensor *tn_bitwise_and_scalar(const tn_tensor *self, tn_scalar other);
TN_API tn_tensor *tn_bitwise_and_scalar_(tn_tensor *self, tn_scalar other);
TN_API tn_tensor *tn_bitwise_and_scalar_out(tn_tensor *out, const tn_tensor *self, tn_scalar other);

/* The same with a number in front. */
TN_API tn_tensor *tn_bitwise_and_rscalar(tn_scalar self, const tn_tensor *other);
TN_API tn_tensor *tn_bitwise_and_rscalar_out(tn_tensor *out, tn_scalar self, const tn_tensor *other);

/* The bits that either element has; of bools, whether either is true. */
TN_API tn_tensor *tn_bitwise_or(const tn_tensor *self, const tn_tensor *other);
TN_API tn_tensor *tn_bitwise_or_(tn_tensor *self, const tn_tensor *other);
TN_API tn_tensor *tn_bitwise_or_out(tn_tensor *out, const tn_tensor *self, const tn_tensor *other);

/* The same with a number. */
TN_API tn_tensor *tn_bitwise_or_scalar(const tn_tensor *self, tn_scalar other);
TN_API tn_tensor *tn_bitwise_or_scalar_(tn_tensor *self, tn_scalar other);
TN_API tn_tensor *tn_bitwise_or_scalar_out(tn_tensor *out, const tn_tensor *self, tn_scalar other);

/* The same with a number in front. */
TN_API tn_tensor *tn_bitwise_or_rscalar(tn_scalar self, const tn_tensor *other);
TN_API tn_tensor *tn_bitwise_or_rscalar_out(tn_tensor *out, tn_scalar self, const tn_tensor *other);

/* The bits in which the elements differ; of bools, whether they differ. */
TN_API tn_tensor *tn_bitwise_xor(const tn_tensor *self, const tn_tensor *other);
TN_API tn_tensor *tn_bitwise_xor_(tn_tensor *self, const tn_tensor *other);
TN_API tn_tensor *tn_bitwise_xor_out(tn_tensor *out, const tn_tensor *self, const tn_tensor *other);

/* The same with a number. */
TN_API tn_tensor *tn_bitwise_xor_scalar(const tn_tensor *self, tn_scalar other);
TN_API tn_tensor *tn_bitwise_xor_scalar_(tn_tensor *self, tn_scalar other);
TN_API tn_tensor *tn_bitwise_xor_scalar_out(tn_tensor *out, const tn_tensor *self, tn_scalar other);

/* The same with a number in front. */
TN_API tn_tensor *tn_bitwise_xor_rscalar(tn_scalar self, const tn_tensor *other);
TN_API tn_tensor *tn_bitwise_xor_rscalar_out(tn_tensor *out, tn_scalar self, const tn_tensor *other);

/* The other bits; of a bool, its opposite. */
TN_API tn_tensor *tn_bitwise_not(const tn_tensor *self);
TN_API tn_tensor *tn_bitwise_not_(tn_tensor *self);
TN_API tn_tensor *tn_bitwise_not_out(tn_tensor *out, const tn_tensor *self);

/* The bits moved to the left, zeros following: self * 2**other, wrapped around. 0 where other is negative or not less than the
 * number of bits. */
TN_API tn_tensor *tn_bitwise_left_shift(const tn_tensor *self, const tn_tensor *other);
TN_API tn_tensor *tn_bitwise_left_shift_(tn_tensor *self, const tn_tensor *other);
TN_API tn_tensor *tn_bitwise_left_shift_out(tn_tensor *out, const tn_tensor *self, const tn_tensor *other);

/* The same with a number. */
TN_API tn_tensor *tn_bitwise_left_shift_scalar(const tn_tensor *self, tn_scalar other);
TN_API tn_tensor *tn_bitwise_left_shift_scalar_(tn_tensor *self, tn_scalar other);
TN_API tn_tensor *tn_bitwise_left_shift_scalar_out(tn_tensor *out, const tn_tensor *self, tn_scalar other);

/* The same with a number in front. */
TN_API tn_tensor *tn_bitwise_left_shift_rscalar(tn_scalar self, const tn_tensor *other);
TN_API tn_tensor *tn_bitwise_left_shift_rscalar_out(tn_tensor *out, tn_scalar self, const tn_tensor *other);

/* The bits moved to the right, the sign following: self / 2**other, rounded down. Only the sign is left where other is negative
 * or not less than the number of bits. */
TN_API tn_tensor *tn_bitwise_right_shift(const tn_tensor *self, const tn_tensor *other);
TN_API tn_tensor *tn_bitwise_right_shift_(tn_tensor *self, const tn_tensor *other);
TN_API tn_tensor *tn_bitwise_right_shift_out(tn_tensor *out, const tn_tensor *self, const tn_tensor *other);

/* The same with a number. */
TN_API tn_tensor *tn_bitwise_right_shift_scalar(const tn_tensor *self, tn_scalar other);
TN_API tn_tensor *tn_bitwise_right_shift_scalar_(tn_tensor *self, tn_scalar other);
TN_API tn_tensor *tn_bitwise_right_shift_scalar_out(tn_tensor *out, const tn_tensor *self, tn_scalar other);

/* The same with a number in front. */
TN_API tn_tensor *tn_bitwise_right_shift_rscalar(tn_scalar self, const tn_tensor *other);
TN_API tn_tensor *tn_bitwise_right_shift_rscalar_out(tn_tensor *out, tn_scalar self, const tn_tensor *other);

/* ---- select ------------------------------------------------------------------------------------------------------ */

/* The element of self where condition, a bool tensor, is true, else that of other. All three are broadcast, self and other
 * promoted. TN_ERROR_DTYPE for a condition of another dtype. */
TN_API tn_tensor *tn_where(const tn_tensor *condition, const tn_tensor *self, const tn_tensor *other);
TN_API tn_tensor *tn_where_out(tn_tensor *out, const tn_tensor *condition, const tn_tensor *self, const tn_tensor *other);

/* The same with a number in place of self. TN_ERROR_DTYPE when an integer result cannot hold it. */
TN_API tn_tensor *tn_where_self_scalar(const tn_tensor *condition, tn_scalar self, const tn_tensor *other);
TN_API tn_tensor *tn_where_self_scalar_out(tn_tensor *out, const tn_tensor *condition, tn_scalar self, const tn_tensor *other);

/* The same with a number in place of other. */
TN_API tn_tensor *tn_where_other_scalar(const tn_tensor *condition, const tn_tensor *self, tn_scalar other);
TN_API tn_tensor *tn_where_other_scalar_out(tn_tensor *out, const tn_tensor *condition, const tn_tensor *self, tn_scalar other);

/* The same with two numbers, whose common dtype the result has. */
TN_API tn_tensor *tn_where_scalars(const tn_tensor *condition, tn_scalar self, tn_scalar other);
TN_API tn_tensor *tn_where_scalars_out(tn_tensor *out, const tn_tensor *condition, tn_scalar self, tn_scalar other);

/* value where mask, a bool tensor, is true, else the element of self; in the dtype of self. TN_ERROR_DTYPE when that cannot
 * hold value. */
TN_API tn_tensor *tn_masked_fill(const tn_tensor *self, const tn_tensor *mask, tn_scalar value);
TN_API tn_tensor *tn_masked_fill_(tn_tensor *self, const tn_tensor *mask, tn_scalar value);

/* The same with the value of a tensor of no dimensions. */
TN_API tn_tensor *tn_masked_fill_tensor(const tn_tensor *self, const tn_tensor *mask, const tn_tensor *value);
TN_API tn_tensor *tn_masked_fill_tensor_(tn_tensor *self, const tn_tensor *mask, const tn_tensor *value);

/* ---- random ------------------------------------------------------------------------------------------------------ */

/* Numbers drawn evenly from 0 to below 1. Complex numbers get two of them. The out variant resizes out, and draws for its
 * dtype. */
TN_API tn_tensor *tn_rand(tn_dims size, tn_dtype dtype, tn_generator *generator);
TN_API tn_tensor *tn_rand_out(tn_tensor *out, tn_dims size, tn_dtype dtype, tn_generator *generator);

/* rand with the sizes, and unless told otherwise the dtype and the strides, of another tensor. */
TN_API tn_tensor *tn_rand_like(const tn_tensor *self, tn_dtype dtype, tn_memory_format format, tn_generator *generator);

/* Normally distributed numbers with mean 0 and variance 1; the parts of complex ones have a variance of a half. */
TN_API tn_tensor *tn_randn(tn_dims size, tn_dtype dtype, tn_generator *generator);
TN_API tn_tensor *tn_randn_out(tn_tensor *out, tn_dims size, tn_dtype dtype, tn_generator *generator);

/* randn with the sizes, and unless told otherwise the dtype and the strides, of another tensor. */
TN_API tn_tensor *tn_randn_like(const tn_tensor *self, tn_dtype dtype, tn_memory_format format, tn_generator *generator);

/* Whole numbers drawn evenly from 0 to high - 1. */
TN_API tn_tensor *tn_randint(int64_t high, tn_dims size, tn_dtype dtype, tn_generator *generator);
TN_API tn_tensor *tn_randint_out(tn_tensor *out, int64_t high, tn_dims size, tn_dtype dtype, tn_generator *generator);

/* Whole numbers drawn evenly from low to high - 1; TN_ERROR_ARGUMENT where there are none, or the dtype cannot hold them. */
TN_API tn_tensor *tn_randint_low(int64_t low, int64_t high, tn_dims size, tn_dtype dtype, tn_generator *generator);
TN_API tn_tensor *tn_randint_low_out(tn_tensor *out, int64_t low, int64_t high, tn_dims size, tn_dtype dtype,
                                     tn_generator *generator);

/* randint with the sizes, and unless told otherwise the dtype and the strides, of another tensor. */
TN_API tn_tensor *tn_randint_like(const tn_tensor *self, int64_t high, tn_dtype dtype, tn_memory_format format,
                                  tn_generator *generator);

/* The same from low on. */
TN_API tn_tensor *tn_randint_like_low(const tn_tensor *self, int64_t low, int64_t high, tn_dtype dtype, tn_memory_format format,
                                      tn_generator *generator);

/* The numbers 0 to n - 1 in an order drawn evenly from all. */
TN_API tn_tensor *tn_randperm(int64_t n, tn_dtype dtype, tn_generator *generator);
TN_API tn_tensor *tn_randperm_out(tn_tensor *out, int64_t n, tn_dtype dtype, tn_generator *generator);

/* Normally distributed numbers with this mean and standard deviation. */
TN_API tn_tensor *tn_normal(double mean, double std, tn_dims size, tn_dtype dtype, tn_generator *generator);

/* The same with a mean and a standard deviation for each element; the two broadcast. */
TN_API tn_tensor *tn_normal_tensor(const tn_tensor *mean, const tn_tensor *std, tn_generator *generator);

/* The same with a mean for each element. */
TN_API tn_tensor *tn_normal_tensor_float(const tn_tensor *mean, double std, tn_generator *generator);

/* The same with a standard deviation for each element. */
TN_API tn_tensor *tn_normal_float_tensor(double mean, const tn_tensor *std, tn_generator *generator);

/* Every element is drawn evenly from `from` to below `to`. */
TN_API tn_tensor *tn_uniform_(tn_tensor *self, double from, double to, tn_generator *generator);

/* Every element is drawn from the normal distribution. */
TN_API tn_tensor *tn_normal_(tn_tensor *self, double mean, double std, tn_generator *generator);

/* Every element is e to a power drawn from the normal distribution. */
TN_API tn_tensor *tn_log_normal_(tn_tensor *self, double mean, double std, tn_generator *generator);

/* Every element is drawn from the exponential distribution with rate lambd. */
TN_API tn_tensor *tn_exponential_(tn_tensor *self, double lambd, tn_generator *generator);

/* Every element is drawn from the Cauchy distribution. */
TN_API tn_tensor *tn_cauchy_(tn_tensor *self, double median, double sigma, tn_generator *generator);

/* Every element is how often one tries, with a chance of p each time, until it works: 1, 2, 3, ... */
TN_API tn_tensor *tn_geometric_(tn_tensor *self, double p, tn_generator *generator);

/* Every element is drawn from the whole numbers the dtype holds, from 0 on; for floats, those up to where gaps begin. */
TN_API tn_tensor *tn_random_(tn_tensor *self, tn_generator *generator);

/* Every element is drawn from the whole numbers 0 to `to` - 1. */
TN_API tn_tensor *tn_random_to_(tn_tensor *self, int64_t to, tn_generator *generator);

/* Every element is drawn from the whole numbers `from` to `to` - 1, or with TN_NONE to the largest the dtype holds. */
TN_API tn_tensor *tn_random_from_(tn_tensor *self, int64_t from, int64_t to, tn_generator *generator);

/* 1 with the chance that self has at the same place, else 0. */
TN_API tn_tensor *tn_bernoulli(const tn_tensor *self, tn_generator *generator);
TN_API tn_tensor *tn_bernoulli_out(tn_tensor *out, const tn_tensor *self, tn_generator *generator);

/* 1 with the chance p, else 0, in the sizes and the dtype of self. */
TN_API tn_tensor *tn_bernoulli_p(const tn_tensor *self, double p, tn_generator *generator);

/* Every element becomes 1 with the chance p, else 0. */
TN_API tn_tensor *tn_bernoulli_(tn_tensor *self, double p, tn_generator *generator);

/* The same with a chance for each element; p is broadcast. */
TN_API tn_tensor *tn_bernoulli_tensor_(tn_tensor *self, const tn_tensor *p, tn_generator *generator);

/* Positions in a row of weights, or in each of several rows, drawn with chances in proportion to the weights; without
 * replacement no position twice. */
TN_API tn_tensor *tn_multinomial(const tn_tensor *self, int64_t num_samples, bool replacement, tn_generator *generator);
TN_API tn_tensor *tn_multinomial_out(tn_tensor *out, const tn_tensor *self, int64_t num_samples, bool replacement,
                                     tn_generator *generator);

/* Elements become 0 with the chance p, and the others are divided by 1 - p. Where train is false: self. */
TN_API tn_tensor *tn_dropout(const tn_tensor *self, double p, bool train, tn_generator *generator);
TN_API tn_tensor *tn_dropout_(tn_tensor *self, double p, bool train, tn_generator *generator);

/* Counts from the Poisson distribution with the rate that self has at the same place. */
TN_API tn_tensor *tn_poisson(const tn_tensor *self, tn_generator *generator);
TN_API tn_tensor *tn_poisson_out(tn_tensor *out, const tn_tensor *self, tn_generator *generator);

/* How many of `count` trials work, each with the chance `prob`, which is broadcast to count's sizes. */
TN_API tn_tensor *tn_binomial(const tn_tensor *count, const tn_tensor *prob, tn_generator *generator);
TN_API tn_tensor *tn_binomial_out(tn_tensor *out, const tn_tensor *count, const tn_tensor *prob, tn_generator *generator);

/* Numbers from the gamma distribution with the shape that self has at the same place, and scale 1. */
TN_API tn_tensor *tn_standard_gamma(const tn_tensor *self, tn_generator *generator);

/* Rows of parts that are 1 together, from the Dirichlet distribution whose parameters are the rows of self. */
TN_API tn_tensor *tn_sample_dirichlet(const tn_tensor *self, tn_generator *generator);

/* ---- initialise -------------------------------------------------------------------------------------------------- */

/* A weight drawn evenly so that what goes in and what comes out have the same spread (Glorot and Bengio 2010). */
TN_API tn_tensor *tn_xavier_uniform_(tn_tensor *self, double gain, tn_generator *generator);

/* The same from the normal distribution. */
TN_API tn_tensor *tn_xavier_normal_(tn_tensor *self, double gain, tn_generator *generator);

/* A weight drawn evenly so that the spread survives the nonlinearity behind it (He and others 2015); a is the slope of
 * leaky_relu. */
TN_API tn_tensor *tn_kaiming_uniform_(tn_tensor *self, double a, const char *mode, const char *nonlinearity,
                                      tn_generator *generator);

/* The same from the normal distribution. */
TN_API tn_tensor *tn_kaiming_normal_(tn_tensor *self, double a, const char *mode, const char *nonlinearity,
                                     tn_generator *generator);

/* Every element is drawn from the part of the normal distribution between a and b. */
TN_API tn_tensor *tn_trunc_normal_(tn_tensor *self, double mean, double std, double a, double b, tn_generator *generator);

/* A matrix whose rows or columns, whichever are fewer, are at right angles and of length gain; more dimensions count as
 * columns. */
TN_API tn_tensor *tn_orthogonal_(tn_tensor *self, double gain, tn_generator *generator);

/* A matrix of normal numbers in which a share of the rows, drawn for each column, is 0. */
TN_API tn_tensor *tn_sparse_(tn_tensor *self, double sparsity, double std, tn_generator *generator);

/* A matrix becomes 1 on the diagonal and 0 elsewhere. */
TN_API tn_tensor *tn_eye_(tn_tensor *self);

/* The weight of a convolution becomes one that passes its input channels on, as many as there are outputs in a group. */
TN_API tn_tensor *tn_dirac_(tn_tensor *self, int64_t groups);

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
#define tn_rsub(self, other, alpha) tn_rsub(self, other, TN_SCALAR(alpha))
#define tn_rsub_scalar(self, other, alpha) tn_rsub_scalar(self, TN_SCALAR(other), TN_SCALAR(alpha))
#define tn_mul_scalar(self, other) tn_mul_scalar(self, TN_SCALAR(other))
#define tn_mul_scalar_(self, other) tn_mul_scalar_(self, TN_SCALAR(other))
#define tn_mul_scalar_out(out, self, other) tn_mul_scalar_out(out, self, TN_SCALAR(other))
#define tn_div_scalar(self, other) tn_div_scalar(self, TN_SCALAR(other))
#define tn_div_scalar_(self, other) tn_div_scalar_(self, TN_SCALAR(other))
#define tn_div_scalar_out(out, self, other) tn_div_scalar_out(out, self, TN_SCALAR(other))
#define tn_true_divide_scalar(self, other) tn_true_divide_scalar(self, TN_SCALAR(other))
#define tn_true_divide_scalar_(self, other) tn_true_divide_scalar_(self, TN_SCALAR(other))
#define tn_true_divide_scalar_out(out, self, other) tn_true_divide_scalar_out(out, self, TN_SCALAR(other))
#define tn_div_scalar_mode(self, other, rounding_mode) tn_div_scalar_mode(self, TN_SCALAR(other), rounding_mode)
#define tn_div_scalar_mode_(self, other, rounding_mode) tn_div_scalar_mode_(self, TN_SCALAR(other), rounding_mode)
#define tn_div_scalar_mode_out(out, self, other, rounding_mode) tn_div_scalar_mode_out(out, self, TN_SCALAR(other), rounding_mode)
#define tn_floor_divide_scalar(self, other) tn_floor_divide_scalar(self, TN_SCALAR(other))
#define tn_floor_divide_scalar_(self, other) tn_floor_divide_scalar_(self, TN_SCALAR(other))
#define tn_floor_divide_scalar_out(out, self, other) tn_floor_divide_scalar_out(out, self, TN_SCALAR(other))
#define tn_remainder_scalar(self, other) tn_remainder_scalar(self, TN_SCALAR(other))
#define tn_remainder_scalar_(self, other) tn_remainder_scalar_(self, TN_SCALAR(other))
#define tn_remainder_scalar_out(out, self, other) tn_remainder_scalar_out(out, self, TN_SCALAR(other))
#define tn_fmod_scalar(self, other) tn_fmod_scalar(self, TN_SCALAR(other))
#define tn_fmod_scalar_(self, other) tn_fmod_scalar_(self, TN_SCALAR(other))
#define tn_fmod_scalar_out(out, self, other) tn_fmod_scalar_out(out, self, TN_SCALAR(other))
#define tn_remainder_rscalar(self, other) tn_remainder_rscalar(TN_SCALAR(self), other)
#define tn_clamp(self, min, max) tn_clamp(self, TN_SCALAR(min), TN_SCALAR(max))
#define tn_clamp_(self, min, max) tn_clamp_(self, TN_SCALAR(min), TN_SCALAR(max))
#define tn_clamp_out(out, self, min, max) tn_clamp_out(out, self, TN_SCALAR(min), TN_SCALAR(max))
#define tn_clip(self, min, max) tn_clip(self, TN_SCALAR(min), TN_SCALAR(max))
#define tn_clip_(self, min, max) tn_clip_(self, TN_SCALAR(min), TN_SCALAR(max))
#define tn_clip_out(out, self, min, max) tn_clip_out(out, self, TN_SCALAR(min), TN_SCALAR(max))
#define tn_clamp_min(self, min) tn_clamp_min(self, TN_SCALAR(min))
#define tn_clamp_min_(self, min) tn_clamp_min_(self, TN_SCALAR(min))
#define tn_clamp_min_out(out, self, min) tn_clamp_min_out(out, self, TN_SCALAR(min))
#define tn_clamp_max(self, max) tn_clamp_max(self, TN_SCALAR(max))
#define tn_clamp_max_(self, max) tn_clamp_max_(self, TN_SCALAR(max))
#define tn_clamp_max_out(out, self, max) tn_clamp_max_out(out, self, TN_SCALAR(max))
#define tn_lerp_scalar(self, end, weight) tn_lerp_scalar(self, end, TN_SCALAR(weight))
#define tn_lerp_scalar_(self, end, weight) tn_lerp_scalar_(self, end, TN_SCALAR(weight))
#define tn_lerp_scalar_out(out, self, end, weight) tn_lerp_scalar_out(out, self, end, TN_SCALAR(weight))
#define tn_addcmul(self, tensor1, tensor2, value) tn_addcmul(self, tensor1, tensor2, TN_SCALAR(value))
#define tn_addcmul_(self, tensor1, tensor2, value) tn_addcmul_(self, tensor1, tensor2, TN_SCALAR(value))
#define tn_addcmul_out(out, self, tensor1, tensor2, value) tn_addcmul_out(out, self, tensor1, tensor2, TN_SCALAR(value))
#define tn_addcdiv(self, tensor1, tensor2, value) tn_addcdiv(self, tensor1, tensor2, TN_SCALAR(value))
#define tn_addcdiv_(self, tensor1, tensor2, value) tn_addcdiv_(self, tensor1, tensor2, TN_SCALAR(value))
#define tn_addcdiv_out(out, self, tensor1, tensor2, value) tn_addcdiv_out(out, self, tensor1, tensor2, TN_SCALAR(value))
#define tn_copysign_scalar(self, other) tn_copysign_scalar(self, TN_SCALAR(other))
#define tn_copysign_scalar_(self, other) tn_copysign_scalar_(self, TN_SCALAR(other))
#define tn_copysign_scalar_out(out, self, other) tn_copysign_scalar_out(out, self, TN_SCALAR(other))
#define tn_nan_to_num(self, nan, posinf, neginf) tn_nan_to_num(self, TN_SCALAR(nan), TN_SCALAR(posinf), TN_SCALAR(neginf))
#define tn_nan_to_num_(self, nan, posinf, neginf) tn_nan_to_num_(self, TN_SCALAR(nan), TN_SCALAR(posinf), TN_SCALAR(neginf))
#define tn_nan_to_num_out(out, self, nan, posinf, neginf) tn_nan_to_num_out(out, self, TN_SCALAR(nan), TN_SCALAR(posinf), TN_SCALAR(neginf))
#define tn_pow_scalar(self, exponent) tn_pow_scalar(self, TN_SCALAR(exponent))
#define tn_pow_scalar_(self, exponent) tn_pow_scalar_(self, TN_SCALAR(exponent))
#define tn_pow_scalar_out(out, self, exponent) tn_pow_scalar_out(out, self, TN_SCALAR(exponent))
#define tn_pow_rscalar(self, exponent) tn_pow_rscalar(TN_SCALAR(self), exponent)
#define tn_pow_rscalar_out(out, self, exponent) tn_pow_rscalar_out(out, TN_SCALAR(self), exponent)
#define tn_xlogy_scalar(self, other) tn_xlogy_scalar(self, TN_SCALAR(other))
#define tn_xlogy_scalar_(self, other) tn_xlogy_scalar_(self, TN_SCALAR(other))
#define tn_xlogy_scalar_out(out, self, other) tn_xlogy_scalar_out(out, self, TN_SCALAR(other))
#define tn_xlogy_rscalar(self, other) tn_xlogy_rscalar(TN_SCALAR(self), other)
#define tn_xlogy_rscalar_out(out, self, other) tn_xlogy_rscalar_out(out, TN_SCALAR(self), other)
#define tn_float_power_scalar(self, exponent) tn_float_power_scalar(self, TN_SCALAR(exponent))
#define tn_float_power_scalar_(self, exponent) tn_float_power_scalar_(self, TN_SCALAR(exponent))
#define tn_float_power_scalar_out(out, self, exponent) tn_float_power_scalar_out(out, self, TN_SCALAR(exponent))
#define tn_float_power_rscalar(self, exponent) tn_float_power_rscalar(TN_SCALAR(self), exponent)
#define tn_float_power_rscalar_out(out, self, exponent) tn_float_power_rscalar_out(out, TN_SCALAR(self), exponent)
#define tn_leaky_relu_slope(self, negative_slope) tn_leaky_relu_slope(self, TN_SCALAR(negative_slope))
#define tn_leaky_relu_slope_(self, negative_slope) tn_leaky_relu_slope_(self, TN_SCALAR(negative_slope))
#define tn_leaky_relu_slope_out(out, self, negative_slope) tn_leaky_relu_slope_out(out, self, TN_SCALAR(negative_slope))
#define tn_elu_alpha(self, alpha, scale, input_scale) tn_elu_alpha(self, TN_SCALAR(alpha), TN_SCALAR(scale), TN_SCALAR(input_scale))
#define tn_elu_alpha_(self, alpha, scale, input_scale) tn_elu_alpha_(self, TN_SCALAR(alpha), TN_SCALAR(scale), TN_SCALAR(input_scale))
#define tn_elu_alpha_out(out, self, alpha, scale, input_scale) tn_elu_alpha_out(out, self, TN_SCALAR(alpha), TN_SCALAR(scale), TN_SCALAR(input_scale))
#define tn_celu_alpha(self, alpha) tn_celu_alpha(self, TN_SCALAR(alpha))
#define tn_celu_alpha_(self, alpha) tn_celu_alpha_(self, TN_SCALAR(alpha))
#define tn_celu_alpha_out(out, self, alpha) tn_celu_alpha_out(out, self, TN_SCALAR(alpha))
#define tn_softplus_beta(self, beta, threshold) tn_softplus_beta(self, TN_SCALAR(beta), TN_SCALAR(threshold))
#define tn_softplus_beta_out(out, self, beta, threshold) tn_softplus_beta_out(out, self, TN_SCALAR(beta), TN_SCALAR(threshold))
#define tn_hardtanh_range(self, min_val, max_val) tn_hardtanh_range(self, TN_SCALAR(min_val), TN_SCALAR(max_val))
#define tn_hardtanh_range_(self, min_val, max_val) tn_hardtanh_range_(self, TN_SCALAR(min_val), TN_SCALAR(max_val))
#define tn_hardtanh_range_out(out, self, min_val, max_val) tn_hardtanh_range_out(out, self, TN_SCALAR(min_val), TN_SCALAR(max_val))
#define tn_threshold(self, threshold, value) tn_threshold(self, TN_SCALAR(threshold), TN_SCALAR(value))
#define tn_threshold_(self, threshold, value) tn_threshold_(self, TN_SCALAR(threshold), TN_SCALAR(value))
#define tn_threshold_out(out, self, threshold, value) tn_threshold_out(out, self, TN_SCALAR(threshold), TN_SCALAR(value))
#define tn_fill_(self, value) tn_fill_(self, TN_SCALAR(value))
#define tn_eq_scalar(self, other) tn_eq_scalar(self, TN_SCALAR(other))
#define tn_eq_scalar_(self, other) tn_eq_scalar_(self, TN_SCALAR(other))
#define tn_eq_scalar_out(out, self, other) tn_eq_scalar_out(out, self, TN_SCALAR(other))
#define tn_ne_scalar(self, other) tn_ne_scalar(self, TN_SCALAR(other))
#define tn_ne_scalar_(self, other) tn_ne_scalar_(self, TN_SCALAR(other))
#define tn_ne_scalar_out(out, self, other) tn_ne_scalar_out(out, self, TN_SCALAR(other))
#define tn_lt_scalar(self, other) tn_lt_scalar(self, TN_SCALAR(other))
#define tn_lt_scalar_(self, other) tn_lt_scalar_(self, TN_SCALAR(other))
#define tn_lt_scalar_out(out, self, other) tn_lt_scalar_out(out, self, TN_SCALAR(other))
#define tn_le_scalar(self, other) tn_le_scalar(self, TN_SCALAR(other))
#define tn_le_scalar_(self, other) tn_le_scalar_(self, TN_SCALAR(other))
#define tn_le_scalar_out(out, self, other) tn_le_scalar_out(out, self, TN_SCALAR(other))
#define tn_gt_scalar(self, other) tn_gt_scalar(self, TN_SCALAR(other))
#define tn_gt_scalar_(self, other) tn_gt_scalar_(self, TN_SCALAR(other))
#define tn_gt_scalar_out(out, self, other) tn_gt_scalar_out(out, self, TN_SCALAR(other))
#define tn_ge_scalar(self, other) tn_ge_scalar(self, TN_SCALAR(other))
#define tn_ge_scalar_(self, other) tn_ge_scalar_(self, TN_SCALAR(other))
#define tn_ge_scalar_out(out, self, other) tn_ge_scalar_out(out, self, TN_SCALAR(other))
#define tn_not_equal_scalar(self, other) tn_not_equal_scalar(self, TN_SCALAR(other))
#define tn_not_equal_scalar_(self, other) tn_not_equal_scalar_(self, TN_SCALAR(other))
#define tn_not_equal_scalar_out(out, self, other) tn_not_equal_scalar_out(out, self, TN_SCALAR(other))
#define tn_less_scalar(self, other) tn_less_scalar(self, TN_SCALAR(other))
#define tn_less_scalar_(self, other) tn_less_scalar_(self, TN_SCALAR(other))
#define tn_less_scalar_out(out, self, other) tn_less_scalar_out(out, self, TN_SCALAR(other))
#define tn_less_equal_scalar(self, other) tn_less_equal_scalar(self, TN_SCALAR(other))
#define tn_less_equal_scalar_(self, other) tn_less_equal_scalar_(self, TN_SCALAR(other))
#define tn_less_equal_scalar_out(out, self, other) tn_less_equal_scalar_out(out, self, TN_SCALAR(other))
#define tn_greater_scalar(self, other) tn_greater_scalar(self, TN_SCALAR(other))
#define tn_greater_scalar_(self, other) tn_greater_scalar_(self, TN_SCALAR(other))
#define tn_greater_scalar_out(out, self, other) tn_greater_scalar_out(out, self, TN_SCALAR(other))
#define tn_greater_equal_scalar(self, other) tn_greater_equal_scalar(self, TN_SCALAR(other))
#define tn_greater_equal_scalar_(self, other) tn_greater_equal_scalar_(self, TN_SCALAR(other))
#define tn_greater_equal_scalar_out(out, self, other) tn_greater_equal_scalar_out(out, self, TN_SCALAR(other))
#define tn_bitwise_and_scalar(self, other) tn_bitwise_and_scalar(self, TN_SCALAR(other))
#define tn_bitwise_and_scalar_(self, other) tn_bitwise_and_scalar_(self, TN_SCALAR(other))
#define tn_bitwise_and_scalar_out(out, self, other) tn_bitwise_and_scalar_out(out, self, TN_SCALAR(other))
#define tn_bitwise_and_rscalar(self, other) tn_bitwise_and_rscalar(TN_SCALAR(self), other)
#define tn_bitwise_and_rscalar_out(out, self, other) tn_bitwise_and_rscalar_out(out, TN_SCALAR(self), other)
#define tn_bitwise_or_scalar(self, other) tn_bitwise_or_scalar(self, TN_SCALAR(other))
#define tn_bitwise_or_scalar_(self, other) tn_bitwise_or_scalar_(self, TN_SCALAR(other))
#define tn_bitwise_or_scalar_out(out, self, other) tn_bitwise_or_scalar_out(out, self, TN_SCALAR(other))
#define tn_bitwise_or_rscalar(self, other) tn_bitwise_or_rscalar(TN_SCALAR(self), other)
#define tn_bitwise_or_rscalar_out(out, self, other) tn_bitwise_or_rscalar_out(out, TN_SCALAR(self), other)
#define tn_bitwise_xor_scalar(self, other) tn_bitwise_xor_scalar(self, TN_SCALAR(other))
#define tn_bitwise_xor_scalar_(self, other) tn_bitwise_xor_scalar_(self, TN_SCALAR(other))
#define tn_bitwise_xor_scalar_out(out, self, other) tn_bitwise_xor_scalar_out(out, self, TN_SCALAR(other))
#define tn_bitwise_xor_rscalar(self, other) tn_bitwise_xor_rscalar(TN_SCALAR(self), other)
#define tn_bitwise_xor_rscalar_out(out, self, other) tn_bitwise_xor_rscalar_out(out, TN_SCALAR(self), other)
#define tn_bitwise_left_shift_scalar(self, other) tn_bitwise_left_shift_scalar(self, TN_SCALAR(other))
#define tn_bitwise_left_shift_scalar_(self, other) tn_bitwise_left_shift_scalar_(self, TN_SCALAR(other))
#define tn_bitwise_left_shift_scalar_out(out, self, other) tn_bitwise_left_shift_scalar_out(out, self, TN_SCALAR(other))
#define tn_bitwise_left_shift_rscalar(self, other) tn_bitwise_left_shift_rscalar(TN_SCALAR(self), other)
#define tn_bitwise_left_shift_rscalar_out(out, self, other) tn_bitwise_left_shift_rscalar_out(out, TN_SCALAR(self), other)
#define tn_bitwise_right_shift_scalar(self, other) tn_bitwise_right_shift_scalar(self, TN_SCALAR(other))
#define tn_bitwise_right_shift_scalar_(self, other) tn_bitwise_right_shift_scalar_(self, TN_SCALAR(other))
#define tn_bitwise_right_shift_scalar_out(out, self, other) tn_bitwise_right_shift_scalar_out(out, self, TN_SCALAR(other))
#define tn_bitwise_right_shift_rscalar(self, other) tn_bitwise_right_shift_rscalar(TN_SCALAR(self), other)
#define tn_bitwise_right_shift_rscalar_out(out, self, other) tn_bitwise_right_shift_rscalar_out(out, TN_SCALAR(self), other)
#define tn_where_self_scalar(condition, self, other) tn_where_self_scalar(condition, TN_SCALAR(self), other)
#define tn_where_self_scalar_out(out, condition, self, other) tn_where_self_scalar_out(out, condition, TN_SCALAR(self), other)
#define tn_where_other_scalar(condition, self, other) tn_where_other_scalar(condition, self, TN_SCALAR(other))
#define tn_where_other_scalar_out(out, condition, self, other) tn_where_other_scalar_out(out, condition, self, TN_SCALAR(other))
#define tn_where_scalars(condition, self, other) tn_where_scalars(condition, TN_SCALAR(self), TN_SCALAR(other))
#define tn_where_scalars_out(out, condition, self, other) tn_where_scalars_out(out, condition, TN_SCALAR(self), TN_SCALAR(other))
#define tn_masked_fill(self, mask, value) tn_masked_fill(self, mask, TN_SCALAR(value))
#define tn_masked_fill_(self, mask, value) tn_masked_fill_(self, mask, TN_SCALAR(value))
#endif

/* Items of an index without TN_INDEX around them; (tn_index)(x, list) takes a list that exists already. */
#define tn_index(self, ...) tn_index(self, TN_INDEX(__VA_ARGS__))
/* clang-format on */

#endif

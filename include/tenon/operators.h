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
TN_API tn_tensor *tn_full(tn_dims size, tn_scalar fill_value, tn_dtype dtype);

/* An uninitialised tensor with the sizes and the device of another. TN_DTYPE_DEFAULT: its dtype too. TN_PRESERVE: its strides
 * when they are dense, else the same order of dimensions without gaps. */
TN_API tn_tensor *tn_empty_like(const tn_tensor *self, tn_dtype dtype, tn_memory_format format);

/* empty_like, filled with 0. */
TN_API tn_tensor *tn_zeros_like(const tn_tensor *self, tn_dtype dtype, tn_memory_format format);

/* empty_like, filled with 1. */
TN_API tn_tensor *tn_ones_like(const tn_tensor *self, tn_dtype dtype, tn_memory_format format);

/* empty_like, filled with one value. TN_ERROR_DTYPE when the dtype cannot hold it. */
TN_API tn_tensor *tn_full_like(const tn_tensor *self, tn_scalar fill_value, tn_dtype dtype, tn_memory_format format);

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

/* A tensor of no dimensions that holds one value. TN_DTYPE_DEFAULT: the default dtype, whatever the value is (full and Python's
 * tensor look at the value). TN_ERROR_DTYPE when the dtype cannot hold it. */
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

/* The same with a number in front. */
TN_API tn_tensor *tn_add_rscalar(tn_scalar self, const tn_tensor *other);
TN_API tn_tensor *tn_add_rscalar_out(tn_tensor *out, tn_scalar self, const tn_tensor *other);

/* self + alpha * other. TN_ERROR_DTYPE for an alpha of a higher kind than the result. */
TN_API tn_tensor *tn_add_alpha(const tn_tensor *self, const tn_tensor *other, tn_scalar alpha);
TN_API tn_tensor *tn_add_alpha_(tn_tensor *self, const tn_tensor *other, tn_scalar alpha);
TN_API tn_tensor *tn_add_alpha_out(tn_tensor *out, const tn_tensor *self, const tn_tensor *other, tn_scalar alpha);

/* self - other. Refused where either is a bool. */
TN_API tn_tensor *tn_sub(const tn_tensor *self, const tn_tensor *other);
TN_API tn_tensor *tn_sub_(tn_tensor *self, const tn_tensor *other);
TN_API tn_tensor *tn_sub_out(tn_tensor *out, const tn_tensor *self, const tn_tensor *other);

/* self - other. */
TN_API tn_tensor *tn_sub_scalar(const tn_tensor *self, tn_scalar other);
TN_API tn_tensor *tn_sub_scalar_(tn_tensor *self, tn_scalar other);
TN_API tn_tensor *tn_sub_scalar_out(tn_tensor *out, const tn_tensor *self, tn_scalar other);

/* The same with a number in front. */
TN_API tn_tensor *tn_sub_rscalar(tn_scalar self, const tn_tensor *other);
TN_API tn_tensor *tn_sub_rscalar_out(tn_tensor *out, tn_scalar self, const tn_tensor *other);

/* self - alpha * other. TN_ERROR_DTYPE for an alpha of a higher kind than the result. */
TN_API tn_tensor *tn_sub_alpha(const tn_tensor *self, const tn_tensor *other, tn_scalar alpha);
TN_API tn_tensor *tn_sub_alpha_(tn_tensor *self, const tn_tensor *other, tn_scalar alpha);
TN_API tn_tensor *tn_sub_alpha_out(tn_tensor *out, const tn_tensor *self, const tn_tensor *other, tn_scalar alpha);

/* other - alpha * self. */
TN_API tn_tensor *tn_rsub(const tn_tensor *self, const tn_tensor *other, tn_scalar alpha);
TN_API tn_tensor *tn_rsub_out(tn_tensor *out, const tn_tensor *self, const tn_tensor *other, tn_scalar alpha);

/* other - alpha * self. */
TN_API tn_tensor *tn_rsub_scalar(const tn_tensor *self, tn_scalar other, tn_scalar alpha);
TN_API tn_tensor *tn_rsub_scalar_out(tn_tensor *out, const tn_tensor *self, tn_scalar other, tn_scalar alpha);

/* sub under its other name. */
TN_API tn_tensor *tn_subtract(const tn_tensor *self, const tn_tensor *other);
TN_API tn_tensor *tn_subtract_(tn_tensor *self, const tn_tensor *other);
TN_API tn_tensor *tn_subtract_out(tn_tensor *out, const tn_tensor *self, const tn_tensor *other);

/* sub under its other name. */
TN_API tn_tensor *tn_subtract_scalar(const tn_tensor *self, tn_scalar other);
TN_API tn_tensor *tn_subtract_scalar_(tn_tensor *self, tn_scalar other);
TN_API tn_tensor *tn_subtract_scalar_out(tn_tensor *out, const tn_tensor *self, tn_scalar other);

/* sub under its other name. */
TN_API tn_tensor *tn_subtract_alpha(const tn_tensor *self, const tn_tensor *other, tn_scalar alpha);
TN_API tn_tensor *tn_subtract_alpha_(tn_tensor *self, const tn_tensor *other, tn_scalar alpha);
TN_API tn_tensor *tn_subtract_alpha_out(tn_tensor *out, const tn_tensor *self, const tn_tensor *other, tn_scalar alpha);

/* self * other. Of two bools, whether both are true. */
TN_API tn_tensor *tn_mul(const tn_tensor *self, const tn_tensor *other);
TN_API tn_tensor *tn_mul_(tn_tensor *self, const tn_tensor *other);
TN_API tn_tensor *tn_mul_out(tn_tensor *out, const tn_tensor *self, const tn_tensor *other);

/* self * other. */
TN_API tn_tensor *tn_mul_scalar(const tn_tensor *self, tn_scalar other);
TN_API tn_tensor *tn_mul_scalar_(tn_tensor *self, tn_scalar other);
TN_API tn_tensor *tn_mul_scalar_out(tn_tensor *out, const tn_tensor *self, tn_scalar other);

/* The same with a number in front. */
TN_API tn_tensor *tn_mul_rscalar(tn_scalar self, const tn_tensor *other);
TN_API tn_tensor *tn_mul_rscalar_out(tn_tensor *out, tn_scalar self, const tn_tensor *other);

/* mul under its other name. */
TN_API tn_tensor *tn_multiply(const tn_tensor *self, const tn_tensor *other);
TN_API tn_tensor *tn_multiply_(tn_tensor *self, const tn_tensor *other);
TN_API tn_tensor *tn_multiply_out(tn_tensor *out, const tn_tensor *self, const tn_tensor *other);

/* mul under its other name. */
TN_API tn_tensor *tn_multiply_scalar(const tn_tensor *self, tn_scalar other);
TN_API tn_tensor *tn_multiply_scalar_(tn_tensor *self, tn_scalar other);
TN_API tn_tensor *tn_multiply_scalar_out(tn_tensor *out, const tn_tensor *self, tn_scalar other);

/* self / other, the true quotient: integers give the default float. Complex quotients do not overflow on the way; by 0, each
 * part is divided by 0. */
TN_API tn_tensor *tn_div(const tn_tensor *self, const tn_tensor *other);
TN_API tn_tensor *tn_div_(tn_tensor *self, const tn_tensor *other);
TN_API tn_tensor *tn_div_out(tn_tensor *out, const tn_tensor *self, const tn_tensor *other);

/* self / other, the true quotient: integers give the default float. */
TN_API tn_tensor *tn_div_scalar(const tn_tensor *self, tn_scalar other);
TN_API tn_tensor *tn_div_scalar_(tn_tensor *self, tn_scalar other);
TN_API tn_tensor *tn_div_scalar_out(tn_tensor *out, const tn_tensor *self, tn_scalar other);

/* The same with a number in front. */
TN_API tn_tensor *tn_div_rscalar(tn_scalar self, const tn_tensor *other);
TN_API tn_tensor *tn_div_rscalar_out(tn_tensor *out, tn_scalar self, const tn_tensor *other);

/* div under its other name. */
TN_API tn_tensor *tn_true_divide(const tn_tensor *self, const tn_tensor *other);
TN_API tn_tensor *tn_true_divide_(tn_tensor *self, const tn_tensor *other);
TN_API tn_tensor *tn_true_divide_out(tn_tensor *out, const tn_tensor *self, const tn_tensor *other);

/* div under its other name. */
TN_API tn_tensor *tn_true_divide_scalar(const tn_tensor *self, tn_scalar other);
TN_API tn_tensor *tn_true_divide_scalar_(tn_tensor *self, tn_scalar other);
TN_API tn_tensor *tn_true_divide_scalar_out(tn_tensor *out, const tn_tensor *self, tn_scalar other);

/* The same with a number in front. */
TN_API tn_tensor *tn_true_divide_rscalar(tn_scalar self, const tn_tensor *other);
TN_API tn_tensor *tn_true_divide_rscalar_out(tn_tensor *out, tn_scalar self, const tn_tensor *other);

/* div under its other name. */
TN_API tn_tensor *tn_divide(const tn_tensor *self, const tn_tensor *other);
TN_API tn_tensor *tn_divide_(tn_tensor *self, const tn_tensor *other);
TN_API tn_tensor *tn_divide_out(tn_tensor *out, const tn_tensor *self, const tn_tensor *other);

/* div under its other name. */
TN_API tn_tensor *tn_divide_scalar(const tn_tensor *self, tn_scalar other);
TN_API tn_tensor *tn_divide_scalar_(tn_tensor *self, tn_scalar other);
TN_API tn_tensor *tn_divide_scalar_out(tn_tensor *out, const tn_tensor *self, tn_scalar other);

/* div under its other name. */
TN_API tn_tensor *tn_divide_mode(const tn_tensor *self, const tn_tensor *other, const char *rounding_mode);
TN_API tn_tensor *tn_divide_mode_(tn_tensor *self, const tn_tensor *other, const char *rounding_mode);
TN_API tn_tensor *tn_divide_mode_out(tn_tensor *out, const tn_tensor *self, const tn_tensor *other, const char *rounding_mode);

/* div under its other name. */
TN_API tn_tensor *tn_divide_scalar_mode(const tn_tensor *self, tn_scalar other, const char *rounding_mode);
TN_API tn_tensor *tn_divide_scalar_mode_(tn_tensor *self, tn_scalar other, const char *rounding_mode);
TN_API tn_tensor *tn_divide_scalar_mode_out(tn_tensor *out, const tn_tensor *self, tn_scalar other, const char *rounding_mode);

/* The quotient rounded: rounding_mode is 'floor' (down), 'trunc' (towards 0) or 'none' (not at all: as div). The first two keep
 * integers integers, and refuse a 0 among integer divisors before anything is written. */
TN_API tn_tensor *tn_div_mode(const tn_tensor *self, const tn_tensor *other, const char *rounding_mode);
TN_API tn_tensor *tn_div_mode_(tn_tensor *self, const tn_tensor *other, const char *rounding_mode);
TN_API tn_tensor *tn_div_mode_out(tn_tensor *out, const tn_tensor *self, const tn_tensor *other, const char *rounding_mode);

/* The same with a number. */
TN_API tn_tensor *tn_div_scalar_mode(const tn_tensor *self, tn_scalar other, const char *rounding_mode);
TN_API tn_tensor *tn_div_scalar_mode_(tn_tensor *self, tn_scalar other, const char *rounding_mode);
TN_API tn_tensor *tn_div_scalar_mode_out(tn_tensor *out, const tn_tensor *self, tn_scalar other, const char *rounding_mode);

/* The same with a number in front. */
TN_API tn_tensor *tn_div_rscalar_mode(tn_scalar self, const tn_tensor *other, const char *rounding_mode);
TN_API tn_tensor *tn_div_rscalar_mode_out(tn_tensor *out, tn_scalar self, const tn_tensor *other, const char *rounding_mode);

/* The quotient rounded down; integers stay integers. TN_ERROR_ARGUMENT for an integer division by 0. For floats as in Python,
 * from the exact remainder. */
TN_API tn_tensor *tn_floor_divide(const tn_tensor *self, const tn_tensor *other);
TN_API tn_tensor *tn_floor_divide_(tn_tensor *self, const tn_tensor *other);
TN_API tn_tensor *tn_floor_divide_out(tn_tensor *out, const tn_tensor *self, const tn_tensor *other);

/* The same with a number. */
TN_API tn_tensor *tn_floor_divide_scalar(const tn_tensor *self, tn_scalar other);
TN_API tn_tensor *tn_floor_divide_scalar_(tn_tensor *self, tn_scalar other);
TN_API tn_tensor *tn_floor_divide_scalar_out(tn_tensor *out, const tn_tensor *self, tn_scalar other);

/* The same with a number in front. */
TN_API tn_tensor *tn_floor_divide_rscalar(tn_scalar self, const tn_tensor *other);
TN_API tn_tensor *tn_floor_divide_rscalar_out(tn_tensor *out, tn_scalar self, const tn_tensor *other);

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
TN_API tn_tensor *tn_fmod_rscalar(tn_scalar self, const tn_tensor *other);
TN_API tn_tensor *tn_fmod_rscalar_out(tn_tensor *out, tn_scalar self, const tn_tensor *other);

/* The same with a number in front. */
TN_API tn_tensor *tn_remainder_rscalar(tn_scalar self, const tn_tensor *other);
TN_API tn_tensor *tn_remainder_rscalar_out(tn_tensor *out, tn_scalar self, const tn_tensor *other);

/* -self. Refused for bool. */
TN_API tn_tensor *tn_neg(const tn_tensor *self);
TN_API tn_tensor *tn_neg_(tn_tensor *self);
TN_API tn_tensor *tn_neg_out(tn_tensor *out, const tn_tensor *self);

/* neg under its other name. */
TN_API tn_tensor *tn_negative(const tn_tensor *self);
TN_API tn_tensor *tn_negative_(tn_tensor *self);
TN_API tn_tensor *tn_negative_out(tn_tensor *out, const tn_tensor *self);

/* The magnitude; of a complex number, as a real one, which cannot take its place: abs_ is refused. The smallest integer wraps
 * around to itself. */
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

/* The same with a number. */
TN_API tn_tensor *tn_maximum_scalar(const tn_tensor *self, tn_scalar other);
TN_API tn_tensor *tn_maximum_scalar_out(tn_tensor *out, const tn_tensor *self, tn_scalar other);

/* The smaller of two; a NaN where either is one. */
TN_API tn_tensor *tn_minimum(const tn_tensor *self, const tn_tensor *other);
TN_API tn_tensor *tn_minimum_out(tn_tensor *out, const tn_tensor *self, const tn_tensor *other);

/* The same with a number. */
TN_API tn_tensor *tn_minimum_scalar(const tn_tensor *self, tn_scalar other);
TN_API tn_tensor *tn_minimum_scalar_out(tn_tensor *out, const tn_tensor *self, tn_scalar other);

/* The larger of two; the other where one is a NaN; the first of two zeros. */
TN_API tn_tensor *tn_fmax(const tn_tensor *self, const tn_tensor *other);
TN_API tn_tensor *tn_fmax_out(tn_tensor *out, const tn_tensor *self, const tn_tensor *other);

/* The same with a number. */
TN_API tn_tensor *tn_fmax_scalar(const tn_tensor *self, tn_scalar other);
TN_API tn_tensor *tn_fmax_scalar_out(tn_tensor *out, const tn_tensor *self, tn_scalar other);

/* The smaller of two; the other where one is a NaN; the first of two zeros. */
TN_API tn_tensor *tn_fmin(const tn_tensor *self, const tn_tensor *other);
TN_API tn_tensor *tn_fmin_out(tn_tensor *out, const tn_tensor *self, const tn_tensor *other);

/* The same with a number. */
TN_API tn_tensor *tn_fmin_scalar(const tn_tensor *self, tn_scalar other);
TN_API tn_tensor *tn_fmin_scalar_out(tn_tensor *out, const tn_tensor *self, tn_scalar other);

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

/* The same with a number. */
TN_API tn_tensor *tn_gcd_scalar(const tn_tensor *self, tn_scalar other);
TN_API tn_tensor *tn_gcd_scalar_(tn_tensor *self, tn_scalar other);
TN_API tn_tensor *tn_gcd_scalar_out(tn_tensor *out, const tn_tensor *self, tn_scalar other);

/* The least common multiple, never negative. */
TN_API tn_tensor *tn_lcm(const tn_tensor *self, const tn_tensor *other);
TN_API tn_tensor *tn_lcm_(tn_tensor *self, const tn_tensor *other);
TN_API tn_tensor *tn_lcm_out(tn_tensor *out, const tn_tensor *self, const tn_tensor *other);

/* The same with a number. */
TN_API tn_tensor *tn_lcm_scalar(const tn_tensor *self, tn_scalar other);
TN_API tn_tensor *tn_lcm_scalar_(tn_tensor *self, tn_scalar other);
TN_API tn_tensor *tn_lcm_scalar_out(tn_tensor *out, const tn_tensor *self, tn_scalar other);

/* The magnitude of self with the sign of other. */
TN_API tn_tensor *tn_copysign(const tn_tensor *self, const tn_tensor *other);
TN_API tn_tensor *tn_copysign_(tn_tensor *self, const tn_tensor *other);
TN_API tn_tensor *tn_copysign_out(tn_tensor *out, const tn_tensor *self, const tn_tensor *other);

/* The same with a number. */
TN_API tn_tensor *tn_copysign_scalar(const tn_tensor *self, tn_scalar other);
TN_API tn_tensor *tn_copysign_scalar_(tn_tensor *self, tn_scalar other);
TN_API tn_tensor *tn_copysign_scalar_out(tn_tensor *out, const tn_tensor *self, tn_scalar other);

/* The same with a number in front. */
TN_API tn_tensor *tn_copysign_rscalar(tn_scalar self, const tn_tensor *other);
TN_API tn_tensor *tn_copysign_rscalar_out(tn_tensor *out, tn_scalar self, const tn_tensor *other);

/* The next number after self in the direction of other. */
TN_API tn_tensor *tn_nextafter(const tn_tensor *self, const tn_tensor *other);
TN_API tn_tensor *tn_nextafter_(tn_tensor *self, const tn_tensor *other);
TN_API tn_tensor *tn_nextafter_out(tn_tensor *out, const tn_tensor *self, const tn_tensor *other);

/* The same with a number. */
TN_API tn_tensor *tn_nextafter_scalar(const tn_tensor *self, tn_scalar other);
TN_API tn_tensor *tn_nextafter_scalar_(tn_tensor *self, tn_scalar other);
TN_API tn_tensor *tn_nextafter_scalar_out(tn_tensor *out, const tn_tensor *self, tn_scalar other);

/* The same with a number in front. */
TN_API tn_tensor *tn_nextafter_rscalar(tn_scalar self, const tn_tensor *other);
TN_API tn_tensor *tn_nextafter_rscalar_out(tn_tensor *out, tn_scalar self, const tn_tensor *other);

/* 0 below 0 and for NaN, 1 above, values at 0. The dtypes must be equal. */
TN_API tn_tensor *tn_heaviside(const tn_tensor *self, const tn_tensor *values);
TN_API tn_tensor *tn_heaviside_(tn_tensor *self, const tn_tensor *values);
TN_API tn_tensor *tn_heaviside_out(tn_tensor *out, const tn_tensor *self, const tn_tensor *values);

/* The same with a number, which takes part in the promotion. */
TN_API tn_tensor *tn_heaviside_scalar(const tn_tensor *self, tn_scalar values);
TN_API tn_tensor *tn_heaviside_scalar_(tn_tensor *self, tn_scalar values);
TN_API tn_tensor *tn_heaviside_scalar_out(tn_tensor *out, const tn_tensor *self, tn_scalar values);

/* The same with a number in front. */
TN_API tn_tensor *tn_heaviside_rscalar(tn_scalar self, const tn_tensor *values);
TN_API tn_tensor *tn_heaviside_rscalar_out(tn_tensor *out, tn_scalar self, const tn_tensor *values);

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

/* The same with a number; a bool to the power of a bool is one. TN_ERROR_ARGUMENT for an integer to a negative integer
 * power. */
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

/* The same with a number. */
TN_API tn_tensor *tn_atan2_scalar(const tn_tensor *self, tn_scalar other);
TN_API tn_tensor *tn_atan2_scalar_(tn_tensor *self, tn_scalar other);
TN_API tn_tensor *tn_atan2_scalar_out(tn_tensor *out, const tn_tensor *self, tn_scalar other);

/* The same with a number in front. */
TN_API tn_tensor *tn_atan2_rscalar(tn_scalar self, const tn_tensor *other);
TN_API tn_tensor *tn_atan2_rscalar_out(tn_tensor *out, tn_scalar self, const tn_tensor *other);

/* atan2 under its other name. */
TN_API tn_tensor *tn_arctan2(const tn_tensor *self, const tn_tensor *other);
TN_API tn_tensor *tn_arctan2_(tn_tensor *self, const tn_tensor *other);
TN_API tn_tensor *tn_arctan2_out(tn_tensor *out, const tn_tensor *self, const tn_tensor *other);

/* The same with a number. */
TN_API tn_tensor *tn_arctan2_scalar(const tn_tensor *self, tn_scalar other);
TN_API tn_tensor *tn_arctan2_scalar_(tn_tensor *self, tn_scalar other);
TN_API tn_tensor *tn_arctan2_scalar_out(tn_tensor *out, const tn_tensor *self, tn_scalar other);

/* The same with a number in front. */
TN_API tn_tensor *tn_arctan2_rscalar(tn_scalar self, const tn_tensor *other);
TN_API tn_tensor *tn_arctan2_rscalar_out(tn_tensor *out, tn_scalar self, const tn_tensor *other);

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

/* The same with a number. */
TN_API tn_tensor *tn_hypot_scalar(const tn_tensor *self, tn_scalar other);
TN_API tn_tensor *tn_hypot_scalar_(tn_tensor *self, tn_scalar other);
TN_API tn_tensor *tn_hypot_scalar_out(tn_tensor *out, const tn_tensor *self, tn_scalar other);

/* self * 2^other. The product is rounded once: what PyTorch loses because 2^other alone overflows is kept. */
TN_API tn_tensor *tn_ldexp(const tn_tensor *self, const tn_tensor *other);
TN_API tn_tensor *tn_ldexp_(tn_tensor *self, const tn_tensor *other);
TN_API tn_tensor *tn_ldexp_out(tn_tensor *out, const tn_tensor *self, const tn_tensor *other);

/* The same with a number. */
TN_API tn_tensor *tn_ldexp_scalar(const tn_tensor *self, tn_scalar other);
TN_API tn_tensor *tn_ldexp_scalar_(tn_tensor *self, tn_scalar other);
TN_API tn_tensor *tn_ldexp_scalar_out(tn_tensor *out, const tn_tensor *self, tn_scalar other);

/* The same with a number in front. */
TN_API tn_tensor *tn_ldexp_rscalar(tn_scalar self, const tn_tensor *other);
TN_API tn_tensor *tn_ldexp_rscalar_out(tn_tensor *out, tn_scalar self, const tn_tensor *other);

/* Two tensors, mantissa and exponent (int32), for which self is mantissa * 2^exponent and the magnitude of the mantissa at
 * least 0.5 and below 1. 0, infinities and NaN are their own mantissa, with exponent 0. */
TN_API tn_list *tn_frexp(const tn_tensor *self);
TN_API tn_tensor *tn_frexp_out(tn_tensor *mantissa, tn_tensor *exponent, const tn_tensor *self);

/* log(e^self + e^other) without overflow on the way. */
TN_API tn_tensor *tn_logaddexp(const tn_tensor *self, const tn_tensor *other);
TN_API tn_tensor *tn_logaddexp_out(tn_tensor *out, const tn_tensor *self, const tn_tensor *other);

/* The same with a number. */
TN_API tn_tensor *tn_logaddexp_scalar(const tn_tensor *self, tn_scalar other);
TN_API tn_tensor *tn_logaddexp_scalar_out(tn_tensor *out, const tn_tensor *self, tn_scalar other);

/* log2(2^self + 2^other) without overflow on the way. */
TN_API tn_tensor *tn_logaddexp2(const tn_tensor *self, const tn_tensor *other);
TN_API tn_tensor *tn_logaddexp2_out(tn_tensor *out, const tn_tensor *self, const tn_tensor *other);

/* The same with a number. */
TN_API tn_tensor *tn_logaddexp2_scalar(const tn_tensor *self, tn_scalar other);
TN_API tn_tensor *tn_logaddexp2_scalar_out(tn_tensor *out, const tn_tensor *self, tn_scalar other);

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
TN_API tn_tensor *tn_relu6_out(tn_tensor *out, const tn_tensor *self);

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
TN_API tn_tensor *tn_fill(const tn_tensor *self, tn_scalar value);
TN_API tn_tensor *tn_fill_(tn_tensor *self, tn_scalar value);

/* The same with the value of a tensor of no dimensions. */
TN_API tn_tensor *tn_fill_tensor(const tn_tensor *self, const tn_tensor *value);
TN_API tn_tensor *tn_fill_tensor_(tn_tensor *self, const tn_tensor *value);

/* Every element becomes 0. */
TN_API tn_tensor *tn_zero(const tn_tensor *self);
TN_API tn_tensor *tn_zero_(tn_tensor *self);

/* ---- join -------------------------------------------------------------------------------------------------------- */

/* Tensors one after the other along a dimension that exists. Their sizes may differ in that dimension alone; a vector without
 * elements fits everywhere and adds nothing. The dtype is the common one; the layout is channels last when that of all tensors
 * is. TN_ERROR_SHAPE for sizes that do not fit and for tensors of no dimensions. */
TN_API tn_tensor *tn_cat(const tn_tensor *const *tensors, int64_t tensors_count, int64_t dim);
TN_API tn_tensor *tn_cat_out(tn_tensor *out, const tn_tensor *const *tensors, int64_t tensors_count, int64_t dim);

/* Another name of cat. */
TN_API tn_tensor *tn_concat(const tn_tensor *const *tensors, int64_t tensors_count, int64_t dim);
TN_API tn_tensor *tn_concat_out(tn_tensor *out, const tn_tensor *const *tensors, int64_t tensors_count, int64_t dim);

/* Another name of cat. */
TN_API tn_tensor *tn_concatenate(const tn_tensor *const *tensors, int64_t tensors_count, int64_t dim);
TN_API tn_tensor *tn_concatenate_out(tn_tensor *out, const tn_tensor *const *tensors, int64_t tensors_count, int64_t dim);

/* Tensors of the same sizes one after the other along a new dimension. TN_ERROR_SHAPE for others. */
TN_API tn_tensor *tn_stack(const tn_tensor *const *tensors, int64_t tensors_count, int64_t dim);
TN_API tn_tensor *tn_stack_out(tn_tensor *out, const tn_tensor *const *tensors, int64_t tensors_count, int64_t dim);

/* Tensors side by side: vectors end to end, others along dimension 1. */
TN_API tn_tensor *tn_hstack(const tn_tensor *const *tensors, int64_t tensors_count);
TN_API tn_tensor *tn_hstack_out(tn_tensor *out, const tn_tensor *const *tensors, int64_t tensors_count);

/* Tensors below each other, along dimension 0; a vector is a row. */
TN_API tn_tensor *tn_vstack(const tn_tensor *const *tensors, int64_t tensors_count);
TN_API tn_tensor *tn_vstack_out(tn_tensor *out, const tn_tensor *const *tensors, int64_t tensors_count);

/* Another name of vstack. */
TN_API tn_tensor *tn_row_stack(const tn_tensor *const *tensors, int64_t tensors_count);
TN_API tn_tensor *tn_row_stack_out(tn_tensor *out, const tn_tensor *const *tensors, int64_t tensors_count);

/* Tensors behind each other, along dimension 2; a vector is a row, a matrix a layer. */
TN_API tn_tensor *tn_dstack(const tn_tensor *const *tensors, int64_t tensors_count);
TN_API tn_tensor *tn_dstack_out(tn_tensor *out, const tn_tensor *const *tensors, int64_t tensors_count);

/* Tensors side by side, along dimension 1; a vector is a column. */
TN_API tn_tensor *tn_column_stack(const tn_tensor *const *tensors, int64_t tensors_count);
TN_API tn_tensor *tn_column_stack_out(tn_tensor *out, const tn_tensor *const *tensors, int64_t tensors_count);

/* A matrix with the tensors, of up to 2 dimensions, along its diagonal and 0 elsewhere; a vector is a row. */
TN_API tn_tensor *tn_block_diag(const tn_tensor *const *tensors, int64_t tensors_count);

/* All combinations of one element from each of several vectors, as rows, the last vector's changing fastest. One vector is its
 * own product. */
TN_API tn_tensor *tn_cartesian_prod(const tn_tensor *const *tensors, int64_t tensors_count);

/* All ways to choose r elements of a vector, as rows in lexicographic order of the positions; with_replacement an element may
 * be chosen again. No rows where there are too few. */
TN_API tn_tensor *tn_combinations(const tn_tensor *self, int64_t r, bool with_replacement);

/* ---- move -------------------------------------------------------------------------------------------------------- */

/* The whole tensor several times along each dimension; further dimensions are new ones in front. TN_ERROR_ARGUMENT for fewer
 * repeats than dimensions. */
TN_API tn_tensor *tn_repeat(const tn_tensor *self, tn_dims repeats);

/* The same, where fewer numbers are for the last dimensions. */
TN_API tn_tensor *tn_tile(const tn_tensor *self, tn_dims dims);

/* Each position of a dimension several times, one after the other. Without dim the elements are one dimension, in row-major
 * order. TN_ERROR_ARGUMENT when output_size, which may be given, is not the size that results. */
TN_API tn_tensor *tn_repeat_interleave(const tn_tensor *self, int64_t repeats, int64_t dim, int64_t output_size);

/* The same with a number of times for each position, or one for all: an int32 or int64 tensor. */
TN_API tn_tensor *tn_repeat_interleave_tensor(const tn_tensor *self, const tn_tensor *repeats, int64_t dim,
                                              int64_t output_size);

/* 0 as often as the first number of a vector says, 1 as often as the second, and so on, in its dtype. */
TN_API tn_tensor *tn_repeat_interleave_counts(const tn_tensor *repeats, int64_t output_size);

/* Elements shifted along dimensions; what falls off at the end comes back at the beginning. Without dims one shift moves them
 * in row-major order. */
TN_API tn_tensor *tn_roll(const tn_tensor *self, tn_dims shifts, tn_dims dims);

/* A tensor with a margin. pad has pairs, before and after, for the last dimension, the one before it, and so on; a negative
 * number cuts off. mode is constant (with value, or 0), reflect (the elements backwards, without the outermost), replicate (the
 * outermost), or circular (from the other end, and where a negative number has left less than the margin, several times round).
 * Where PyTorch takes certain ranks only, all are taken. TN_ERROR_ARGUMENT for a margin that mode cannot make. */
TN_API tn_tensor *tn_pad(const tn_tensor *self, tn_dims pad, const char *mode, tn_scalar value);

/* pad with a constant. */
TN_API tn_tensor *tn_constant_pad_nd(const tn_tensor *self, tn_dims pad, tn_scalar value);

/* Matrices with 0 above a diagonal: 0 the main one, positive above it. */
TN_API tn_tensor *tn_tril(const tn_tensor *self, int64_t diagonal);
TN_API tn_tensor *tn_tril_(tn_tensor *self, int64_t diagonal);
TN_API tn_tensor *tn_tril_out(tn_tensor *out, const tn_tensor *self, int64_t diagonal);

/* Matrices with 0 below a diagonal: 0 the main one, positive above it. */
TN_API tn_tensor *tn_triu(const tn_tensor *self, int64_t diagonal);
TN_API tn_tensor *tn_triu_(tn_tensor *self, int64_t diagonal);
TN_API tn_tensor *tn_triu_out(tn_tensor *out, const tn_tensor *self, int64_t diagonal);

/* The indices, row by row, of what tril keeps of a matrix of row by col: a tensor of two rows, int64 or, if asked for,
 * int32. */
TN_API tn_tensor *tn_tril_indices(int64_t row, int64_t col, int64_t offset, tn_dtype dtype);

/* The same for triu. */
TN_API tn_tensor *tn_triu_indices(int64_t row, int64_t col, int64_t offset, tn_dtype dtype);

/* A copy of a diagonal of a matrix; of a vector, the matrix with it as a diagonal. See also tn_diagonal, a view. */
TN_API tn_tensor *tn_diag(const tn_tensor *self, int64_t diagonal);
TN_API tn_tensor *tn_diag_out(tn_tensor *out, const tn_tensor *self, int64_t diagonal);

/* The last dimension as diagonals of matrices, 0 elsewhere: its place is taken by dim1 and dim2 of the result. */
TN_API tn_tensor *tn_diag_embed(const tn_tensor *self, int64_t offset, int64_t dim1, int64_t dim2);

/* All elements, in row-major order, as a diagonal of a matrix. */
TN_API tn_tensor *tn_diagflat(const tn_tensor *self, int64_t offset);

/* The products of each element of a vector with each of another. */
TN_API tn_tensor *tn_outer(const tn_tensor *self, const tn_tensor *vec2);
TN_API tn_tensor *tn_outer_out(tn_tensor *out, const tn_tensor *self, const tn_tensor *vec2);

/* Another name of outer. */
TN_API tn_tensor *tn_ger(const tn_tensor *self, const tn_tensor *vec2);
TN_API tn_tensor *tn_ger_out(tn_tensor *out, const tn_tensor *self, const tn_tensor *vec2);

/* Kronecker's product: other in place of each element of self, times that element. */
TN_API tn_tensor *tn_kron(const tn_tensor *self, const tn_tensor *other);
TN_API tn_tensor *tn_kron_out(tn_tensor *out, const tn_tensor *self, const tn_tensor *other);

/* The vector product along a dimension of size 3; by default the first one of self. TN_ERROR_DTYPE unless both have the same
 * dtype. */
TN_API tn_tensor *tn_cross(const tn_tensor *self, const tn_tensor *other, int64_t dim);
TN_API tn_tensor *tn_cross_out(tn_tensor *out, const tn_tensor *self, const tn_tensor *other, int64_t dim);

/* The same along the last dimension by default. */
TN_API tn_tensor *tn_linalg_cross(const tn_tensor *self, const tn_tensor *other, int64_t dim);
TN_API tn_tensor *tn_linalg_cross_out(tn_tensor *out, const tn_tensor *self, const tn_tensor *other, int64_t dim);

/* The powers of each element of a vector as rows of N, by default as many as there are elements, the highest first unless
 * increasing. Integers become int64. */
TN_API tn_tensor *tn_vander(const tn_tensor *x, int64_t N, bool increasing);

/* Parts along a dimension scaled down to maxnorm where their p-norm is larger. */
TN_API tn_tensor *tn_renorm(const tn_tensor *self, tn_scalar p, int64_t dim, tn_scalar maxnorm);
TN_API tn_tensor *tn_renorm_(tn_tensor *self, tn_scalar p, int64_t dim, tn_scalar maxnorm);
TN_API tn_tensor *tn_renorm_out(tn_tensor *out, const tn_tensor *self, tn_scalar p, int64_t dim, tn_scalar maxnorm);

/* ---- reduce ------------------------------------------------------------------------------------------------------ */

/* The sum of all elements. Integers and bools are summed in int64; a dtype is that of the elements before they are added. The
 * same bits for every number of threads. */
TN_API tn_tensor *tn_sum(const tn_tensor *self, tn_dtype dtype);
TN_API tn_tensor *tn_sum_out(tn_tensor *out, const tn_tensor *self, tn_dtype dtype);

/* The sum over some dimensions, none meaning all; keepdim leaves them with size 1. TN_ERROR_ARGUMENT when one is named
 * twice. */
TN_API tn_tensor *tn_sum_dim(const tn_tensor *self, tn_dims dim, bool keepdim, tn_dtype dtype);
TN_API tn_tensor *tn_sum_dim_out(tn_tensor *out, const tn_tensor *self, tn_dims dim, bool keepdim, tn_dtype dtype);

/* sum with every NaN counted as 0. */
TN_API tn_tensor *tn_nansum(const tn_tensor *self, tn_dims dim, bool keepdim, tn_dtype dtype);
TN_API tn_tensor *tn_nansum_out(tn_tensor *out, const tn_tensor *self, tn_dims dim, bool keepdim, tn_dtype dtype);

/* The mean of all elements, NaN of none. TN_ERROR_DTYPE for integers, unless a floating dtype is given. */
TN_API tn_tensor *tn_mean(const tn_tensor *self, tn_dtype dtype);
TN_API tn_tensor *tn_mean_out(tn_tensor *out, const tn_tensor *self, tn_dtype dtype);

/* The mean over some dimensions, none meaning all. */
TN_API tn_tensor *tn_mean_dim(const tn_tensor *self, tn_dims dim, bool keepdim, tn_dtype dtype);
TN_API tn_tensor *tn_mean_dim_out(tn_tensor *out, const tn_tensor *self, tn_dims dim, bool keepdim, tn_dtype dtype);

/* The mean of the elements that are not NaN; of float16 and bfloat16 the sum is formed in float32. */
TN_API tn_tensor *tn_nanmean(const tn_tensor *self, tn_dims dim, bool keepdim, tn_dtype dtype);
TN_API tn_tensor *tn_nanmean_out(tn_tensor *out, const tn_tensor *self, tn_dims dim, bool keepdim, tn_dtype dtype);

/* The product of all elements. Integers and bools are multiplied in int64. */
TN_API tn_tensor *tn_prod(const tn_tensor *self, tn_dtype dtype);
TN_API tn_tensor *tn_prod_out(tn_tensor *out, const tn_tensor *self, tn_dtype dtype);

/* The product along a dimension. */
TN_API tn_tensor *tn_prod_dim(const tn_tensor *self, int64_t dim, bool keepdim, tn_dtype dtype);
TN_API tn_tensor *tn_prod_dim_out(tn_tensor *out, const tn_tensor *self, int64_t dim, bool keepdim, tn_dtype dtype);

/* The variance of all elements, divided by their number less 1 (unbiased) or by their number. Computed in float64 whatever the
 * dtype. */
TN_API tn_tensor *tn_var(const tn_tensor *self, bool unbiased);

/* The variance over some dimensions, none meaning all. */
TN_API tn_tensor *tn_var_dim(const tn_tensor *self, tn_dims dim, bool unbiased, bool keepdim);
TN_API tn_tensor *tn_var_dim_out(tn_tensor *out, const tn_tensor *self, tn_dims dim, bool unbiased, bool keepdim);

/* The variance over some dimensions, divided by the number of elements less a correction, which is 1 when left out. */
TN_API tn_tensor *tn_var_correction(const tn_tensor *self, tn_dims dim, tn_scalar correction, bool keepdim);
TN_API tn_tensor *tn_var_correction_out(tn_tensor *out, const tn_tensor *self, tn_dims dim, tn_scalar correction, bool keepdim);

/* var and mean together, in one pass. */
TN_API tn_list *tn_var_mean(const tn_tensor *self, bool unbiased);

/* The same over some dimensions, none meaning all. */
TN_API tn_list *tn_var_mean_dim(const tn_tensor *self, tn_dims dim, bool unbiased, bool keepdim);

/* The same with a correction, as var.correction has it. */
TN_API tn_list *tn_var_mean_correction(const tn_tensor *self, tn_dims dim, tn_scalar correction, bool keepdim);
TN_API tn_tensor *tn_var_mean_correction_out(tn_tensor *var, tn_tensor *mean, const tn_tensor *self, tn_dims dim,
                                             tn_scalar correction, bool keepdim);

/* The standard deviation of all elements, divided by their number less 1 (unbiased) or by their number. Computed in float64
 * whatever the dtype. */
TN_API tn_tensor *tn_std(const tn_tensor *self, bool unbiased);

/* The standard deviation over some dimensions, none meaning all. */
TN_API tn_tensor *tn_std_dim(const tn_tensor *self, tn_dims dim, bool unbiased, bool keepdim);
TN_API tn_tensor *tn_std_dim_out(tn_tensor *out, const tn_tensor *self, tn_dims dim, bool unbiased, bool keepdim);

/* The standard deviation over some dimensions, divided by the number of elements less a correction, which is 1 when left
 * out. */
TN_API tn_tensor *tn_std_correction(const tn_tensor *self, tn_dims dim, tn_scalar correction, bool keepdim);
TN_API tn_tensor *tn_std_correction_out(tn_tensor *out, const tn_tensor *self, tn_dims dim, tn_scalar correction, bool keepdim);

/* std and mean together, in one pass. */
TN_API tn_list *tn_std_mean(const tn_tensor *self, bool unbiased);

/* The same over some dimensions, none meaning all. */
TN_API tn_list *tn_std_mean_dim(const tn_tensor *self, tn_dims dim, bool unbiased, bool keepdim);

/* The same with a correction, as std.correction has it. */
TN_API tn_list *tn_std_mean_correction(const tn_tensor *self, tn_dims dim, tn_scalar correction, bool keepdim);
TN_API tn_tensor *tn_std_mean_correction_out(tn_tensor *std, tn_tensor *mean, const tn_tensor *self, tn_dims dim,
                                             tn_scalar correction, bool keepdim);

/* The largest element over some dimensions, none meaning all; a NaN where there is one. TN_ERROR_SHAPE where there are no
 * elements. */
TN_API tn_tensor *tn_amax(const tn_tensor *self, tn_dims dim, bool keepdim);
TN_API tn_tensor *tn_amax_out(tn_tensor *out, const tn_tensor *self, tn_dims dim, bool keepdim);

/* The smallest element over some dimensions, none meaning all; a NaN where there is one. TN_ERROR_SHAPE where there are no
 * elements. */
TN_API tn_tensor *tn_amin(const tn_tensor *self, tn_dims dim, bool keepdim);
TN_API tn_tensor *tn_amin_out(tn_tensor *out, const tn_tensor *self, tn_dims dim, bool keepdim);

/* amin and amax together, in one pass, along a dimension or over all. */
TN_API tn_list *tn_aminmax(const tn_tensor *self, int64_t dim, bool keepdim);
TN_API tn_tensor *tn_aminmax_out(tn_tensor *min, tn_tensor *max, const tn_tensor *self, int64_t dim, bool keepdim);

/* The largest of all elements; a NaN where there is one. */
TN_API tn_tensor *tn_max(const tn_tensor *self);
TN_API tn_tensor *tn_max_out(tn_tensor *out, const tn_tensor *self);

/* The largest elements along a dimension, and their indices in it: of equal ones the first. */
TN_API tn_list *tn_max_dim(const tn_tensor *self, int64_t dim, bool keepdim);
TN_API tn_tensor *tn_max_dim_out(tn_tensor *values, tn_tensor *indices, const tn_tensor *self, int64_t dim, bool keepdim);

/* maximum under its other name. */
TN_API tn_tensor *tn_max_other(const tn_tensor *self, const tn_tensor *other);
TN_API tn_tensor *tn_max_other_out(tn_tensor *out, const tn_tensor *self, const tn_tensor *other);

/* The smallest of all elements; a NaN where there is one. */
TN_API tn_tensor *tn_min(const tn_tensor *self);
TN_API tn_tensor *tn_min_out(tn_tensor *out, const tn_tensor *self);

/* The smallest elements along a dimension, and their indices in it: of equal ones the first. */
TN_API tn_list *tn_min_dim(const tn_tensor *self, int64_t dim, bool keepdim);
TN_API tn_tensor *tn_min_dim_out(tn_tensor *values, tn_tensor *indices, const tn_tensor *self, int64_t dim, bool keepdim);

/* minimum under its other name. */
TN_API tn_tensor *tn_min_other(const tn_tensor *self, const tn_tensor *other);
TN_API tn_tensor *tn_min_other_out(tn_tensor *out, const tn_tensor *self, const tn_tensor *other);

/* The index of the largest element along a dimension, or among all of them in row-major order: of equal ones the first, and the
 * first NaN before everything. int64. */
TN_API tn_tensor *tn_argmax(const tn_tensor *self, int64_t dim, bool keepdim);
TN_API tn_tensor *tn_argmax_out(tn_tensor *out, const tn_tensor *self, int64_t dim, bool keepdim);

/* The index of the smallest element along a dimension, or among all of them in row-major order: of equal ones the first, and
 * the first NaN before everything. int64. */
TN_API tn_tensor *tn_argmin(const tn_tensor *self, int64_t dim, bool keepdim);
TN_API tn_tensor *tn_argmin_out(tn_tensor *out, const tn_tensor *self, int64_t dim, bool keepdim);

/* Whether any element is not 0. bool; uint8 for uint8. Of none: false. */
TN_API tn_tensor *tn_any(const tn_tensor *self);
TN_API tn_tensor *tn_any_out(tn_tensor *out, const tn_tensor *self);

/* The same along a dimension. */
TN_API tn_tensor *tn_any_dim(const tn_tensor *self, int64_t dim, bool keepdim);
TN_API tn_tensor *tn_any_dim_out(tn_tensor *out, const tn_tensor *self, int64_t dim, bool keepdim);

/* The same over some dimensions: over all without a list (NULL), over none with an empty one (TN_DIMS()). */
TN_API tn_tensor *tn_any_dims(const tn_tensor *self, tn_dims dim, bool keepdim);
TN_API tn_tensor *tn_any_dims_out(tn_tensor *out, const tn_tensor *self, tn_dims dim, bool keepdim);

/* Whether no element is 0. bool; uint8 for uint8. Of none: true. */
TN_API tn_tensor *tn_all(const tn_tensor *self);
TN_API tn_tensor *tn_all_out(tn_tensor *out, const tn_tensor *self);

/* The same along a dimension. */
TN_API tn_tensor *tn_all_dim(const tn_tensor *self, int64_t dim, bool keepdim);
TN_API tn_tensor *tn_all_dim_out(tn_tensor *out, const tn_tensor *self, int64_t dim, bool keepdim);

/* The same over some dimensions: over all without a list (NULL), over none with an empty one (TN_DIMS()). */
TN_API tn_tensor *tn_all_dims(const tn_tensor *self, tn_dims dim, bool keepdim);
TN_API tn_tensor *tn_all_dims_out(tn_tensor *out, const tn_tensor *self, tn_dims dim, bool keepdim);

/* linalg_vector_norm of all elements. */
TN_API tn_tensor *tn_norm(const tn_tensor *self, tn_scalar p);
TN_API tn_tensor *tn_norm_out(tn_tensor *out, const tn_tensor *self, tn_scalar p);

/* linalg_vector_norm over some dimensions, none meaning all; p is 2 when left out. */
TN_API tn_tensor *tn_norm_dim(const tn_tensor *self, tn_scalar p, tn_dims dim, bool keepdim, tn_dtype dtype);
TN_API tn_tensor *tn_norm_dim_out(tn_tensor *out, const tn_tensor *self, tn_scalar p, tn_dims dim, bool keepdim,
                                  tn_dtype dtype);

/* The sum of the magnitudes to the power of ord, to the power of 1 / ord; of 0 how many elements are not 0, of the infinities
 * the largest and the smallest magnitude. TN_ERROR_SHAPE where ord is negative or infinite and there are no elements.
 * TN_ERROR_DTYPE for integers. */
TN_API tn_tensor *tn_linalg_vector_norm(const tn_tensor *self, tn_scalar ord, tn_dims dim, bool keepdim, tn_dtype dtype);
TN_API tn_tensor *tn_linalg_vector_norm_out(tn_tensor *out, const tn_tensor *self, tn_scalar ord, tn_dims dim, bool keepdim,
                                            tn_dtype dtype);

/* The logarithm of the sum of the exponentials over some dimensions, without overflow. */
TN_API tn_tensor *tn_logsumexp(const tn_tensor *self, tn_dims dim, bool keepdim);
TN_API tn_tensor *tn_logsumexp_out(tn_tensor *out, const tn_tensor *self, tn_dims dim, bool keepdim);

/* How many elements are not 0, along a dimension or of all. int64. */
TN_API tn_tensor *tn_count_nonzero(const tn_tensor *self, int64_t dim);
TN_API tn_tensor *tn_count_nonzero_out(tn_tensor *out, const tn_tensor *self, int64_t dim);

/* The same over some dimensions, none meaning all. */
TN_API tn_tensor *tn_count_nonzero_dims(const tn_tensor *self, tn_dims dim);
TN_API tn_tensor *tn_count_nonzero_dims_out(tn_tensor *out, const tn_tensor *self, tn_dims dim);

/* norm of self - other, which broadcast. */
TN_API tn_tensor *tn_dist(const tn_tensor *self, const tn_tensor *other, tn_scalar p);
TN_API tn_tensor *tn_dist_out(tn_tensor *out, const tn_tensor *self, const tn_tensor *other, tn_scalar p);

/* ---- statistics -------------------------------------------------------------------------------------------------- */

/* The differences of neighbours along a dimension, n times over; of bool whether they differ. prepend and append are joined to
 * self first. */
TN_API tn_tensor *tn_diff(const tn_tensor *self, int64_t n, int64_t dim, const tn_tensor *prepend, const tn_tensor *append);
TN_API tn_tensor *tn_diff_out(tn_tensor *out, const tn_tensor *self, int64_t n, int64_t dim, const tn_tensor *prepend,
                              const tn_tensor *append);

/* The area under the line through points at distances dx, by the trapezoidal rule along a dimension. Integers give the default
 * float. */
TN_API tn_tensor *tn_trapezoid(const tn_tensor *y, tn_scalar dx, int64_t dim);

/* The same at given x values: a vector, or a tensor that is broadcast. */
TN_API tn_tensor *tn_trapezoid_x(const tn_tensor *y, const tn_tensor *x, int64_t dim);

/* Another name of trapezoid. */
TN_API tn_tensor *tn_trapz(const tn_tensor *y, double dx, int64_t dim);

/* Another name of trapezoid.x. */
TN_API tn_tensor *tn_trapz_x(const tn_tensor *y, const tn_tensor *x, int64_t dim);

/* The areas up to each point but the first. */
TN_API tn_tensor *tn_cumulative_trapezoid(const tn_tensor *y, tn_scalar dx, int64_t dim);

/* The same at given x values. */
TN_API tn_tensor *tn_cumulative_trapezoid_x(const tn_tensor *y, const tn_tensor *x, int64_t dim);

/* The covariances of the rows, which are variables, over the columns, which are observations. fweights says how often each
 * observation counts, aweights how much. One variable gives a tensor of no dimensions. */
TN_API tn_tensor *tn_cov(const tn_tensor *self, int64_t correction, const tn_tensor *fweights, const tn_tensor *aweights);

/* The correlation coefficients of the rows: cov divided by the standard deviations. */
TN_API tn_tensor *tn_corrcoef(const tn_tensor *self);

/* The p-norms of the differences of each row of x1 and each row of x2, in batches. p may be 0 (how many differ) and infinite
 * (the largest). Computed in double. */
TN_API tn_tensor *tn_cdist(const tn_tensor *x1, const tn_tensor *x2, double p);

/* The same: every compute_mode that PyTorch has gives the exact differences. */
TN_API tn_tensor *tn_cdist_compute_mode(const tn_tensor *x1, const tn_tensor *x2, double p, const char *compute_mode);

/* The p-norms of the differences of all pairs of rows, the first with the second, the first with the third, and so on. A NaN
 * among the differences is one in the result, also of the largest (p infinite), where cdist passes over it, both as in
 * PyTorch. */
TN_API tn_tensor *tn_pdist(const tn_tensor *self, double p);

/* ---- compare ----------------------------------------------------------------------------------------------------- */

/* self == other, as bool, in the common dtype. A NaN equals nothing. A whole number, or a tensor of no dimensions, that the
 * other's integer dtype cannot hold is not wrapped around into it, as torch would: no int8 is equal to 300. Integers are
 * compared as the numbers they are, also uint64 with a signed dtype. */
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

/* The same with a number in front. */
TN_API tn_tensor *tn_lt_rscalar(tn_scalar self, const tn_tensor *other);
TN_API tn_tensor *tn_lt_rscalar_out(tn_tensor *out, tn_scalar self, const tn_tensor *other);

/* self <= other, as bool, in the common dtype. As lt. */
TN_API tn_tensor *tn_le(const tn_tensor *self, const tn_tensor *other);
TN_API tn_tensor *tn_le_(tn_tensor *self, const tn_tensor *other);
TN_API tn_tensor *tn_le_out(tn_tensor *out, const tn_tensor *self, const tn_tensor *other);

/* The same with a number. */
TN_API tn_tensor *tn_le_scalar(const tn_tensor *self, tn_scalar other);
TN_API tn_tensor *tn_le_scalar_(tn_tensor *self, tn_scalar other);
TN_API tn_tensor *tn_le_scalar_out(tn_tensor *out, const tn_tensor *self, tn_scalar other);

/* The same with a number in front. */
TN_API tn_tensor *tn_le_rscalar(tn_scalar self, const tn_tensor *other);
TN_API tn_tensor *tn_le_rscalar_out(tn_tensor *out, tn_scalar self, const tn_tensor *other);

/* self > other, as bool, in the common dtype. As lt. */
TN_API tn_tensor *tn_gt(const tn_tensor *self, const tn_tensor *other);
TN_API tn_tensor *tn_gt_(tn_tensor *self, const tn_tensor *other);
TN_API tn_tensor *tn_gt_out(tn_tensor *out, const tn_tensor *self, const tn_tensor *other);

/* The same with a number. */
TN_API tn_tensor *tn_gt_scalar(const tn_tensor *self, tn_scalar other);
TN_API tn_tensor *tn_gt_scalar_(tn_tensor *self, tn_scalar other);
TN_API tn_tensor *tn_gt_scalar_out(tn_tensor *out, const tn_tensor *self, tn_scalar other);

/* The same with a number in front. */
TN_API tn_tensor *tn_gt_rscalar(tn_scalar self, const tn_tensor *other);
TN_API tn_tensor *tn_gt_rscalar_out(tn_tensor *out, tn_scalar self, const tn_tensor *other);

/* self >= other, as bool, in the common dtype. As lt. */
TN_API tn_tensor *tn_ge(const tn_tensor *self, const tn_tensor *other);
TN_API tn_tensor *tn_ge_(tn_tensor *self, const tn_tensor *other);
TN_API tn_tensor *tn_ge_out(tn_tensor *out, const tn_tensor *self, const tn_tensor *other);

/* The same with a number. */
TN_API tn_tensor *tn_ge_scalar(const tn_tensor *self, tn_scalar other);
TN_API tn_tensor *tn_ge_scalar_(tn_tensor *self, tn_scalar other);
TN_API tn_tensor *tn_ge_scalar_out(tn_tensor *out, const tn_tensor *self, tn_scalar other);

/* The same with a number in front. */
TN_API tn_tensor *tn_ge_rscalar(tn_scalar self, const tn_tensor *other);
TN_API tn_tensor *tn_ge_rscalar_out(tn_tensor *out, tn_scalar self, const tn_tensor *other);

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
 * difference of integers is exact, also of two dtypes, which PyTorch refuses to compare. TN_ERROR_ARGUMENT for a negative
 * tolerance. */
TN_API tn_tensor *tn_isclose(const tn_tensor *self, const tn_tensor *other, double rtol, double atol, bool equal_nan);

/* The same with a number. */
TN_API tn_tensor *tn_isclose_scalar(const tn_tensor *self, tn_scalar other, double rtol, double atol, bool equal_nan);

/* The same with a number in front. */
TN_API tn_tensor *tn_isclose_rscalar(tn_scalar self, const tn_tensor *other, double rtol, double atol, bool equal_nan);

/* Whether the sizes are the same and eq holds everywhere, so a tensor with a NaN is not equal to itself. Dtypes may differ. Two
 * tensors without elements are equal if their sizes are. false, with the error recorded, where it cannot be told. */
TN_API bool tn_equal(const tn_tensor *self, const tn_tensor *other);

/* Whether isclose holds everywhere; the shapes are broadcast. false, with the error recorded, where it cannot be told. */
TN_API bool tn_allclose(const tn_tensor *self, const tn_tensor *other, double rtol, double atol, bool equal_nan);

/* Whether an element is not a number; of a complex one, whether either part is not. Integers are finite. */
TN_API tn_tensor *tn_isnan(const tn_tensor *self);
TN_API tn_tensor *tn_isnan_out(tn_tensor *out, const tn_tensor *self);

/* Whether an element is an infinity of either sign; of a complex one, whether either part is. Integers are finite. */
TN_API tn_tensor *tn_isinf(const tn_tensor *self);
TN_API tn_tensor *tn_isinf_out(tn_tensor *out, const tn_tensor *self);

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

/* The same with a number. */
TN_API tn_tensor *tn_logical_and_scalar(const tn_tensor *self, tn_scalar other);
TN_API tn_tensor *tn_logical_and_scalar_(tn_tensor *self, tn_scalar other);
TN_API tn_tensor *tn_logical_and_scalar_out(tn_tensor *out, const tn_tensor *self, tn_scalar other);

/* Whether one of the elements, or both, is not 0. A NaN is not 0. */
TN_API tn_tensor *tn_logical_or(const tn_tensor *self, const tn_tensor *other);
TN_API tn_tensor *tn_logical_or_(tn_tensor *self, const tn_tensor *other);
TN_API tn_tensor *tn_logical_or_out(tn_tensor *out, const tn_tensor *self, const tn_tensor *other);

/* The same with a number. */
TN_API tn_tensor *tn_logical_or_scalar(const tn_tensor *self, tn_scalar other);
TN_API tn_tensor *tn_logical_or_scalar_(tn_tensor *self, tn_scalar other);
TN_API tn_tensor *tn_logical_or_scalar_out(tn_tensor *out, const tn_tensor *self, tn_scalar other);

/* Whether exactly one of the elements is not 0. A NaN is not 0. */
TN_API tn_tensor *tn_logical_xor(const tn_tensor *self, const tn_tensor *other);
TN_API tn_tensor *tn_logical_xor_(tn_tensor *self, const tn_tensor *other);
TN_API tn_tensor *tn_logical_xor_out(tn_tensor *out, const tn_tensor *self, const tn_tensor *other);

/* The same with a number. */
TN_API tn_tensor *tn_logical_xor_scalar(const tn_tensor *self, tn_scalar other);
TN_API tn_tensor *tn_logical_xor_scalar_(tn_tensor *self, tn_scalar other);
TN_API tn_tensor *tn_logical_xor_scalar_out(tn_tensor *out, const tn_tensor *self, tn_scalar other);

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
TN_API tn_tensor *tn_masked_fill_out(tn_tensor *out, const tn_tensor *self, const tn_tensor *mask, tn_scalar value);

/* The same with the value of a tensor of no dimensions. */
TN_API tn_tensor *tn_masked_fill_tensor(const tn_tensor *self, const tn_tensor *mask, const tn_tensor *value);
TN_API tn_tensor *tn_masked_fill_tensor_(tn_tensor *self, const tn_tensor *mask, const tn_tensor *value);
TN_API tn_tensor *tn_masked_fill_tensor_out(tn_tensor *out, const tn_tensor *self, const tn_tensor *mask,
                                            const tn_tensor *value);

/* ---- index ------------------------------------------------------------------------------------------------------- */

/* self[...]: a view with positions, ranges, new axes and an ellipsis, tn_index(x, TN_ALL, TN_RANGE(1, TN_END)); a copy with
 * tensors of positions and masks, tn_index(x, TN_PICK(rows)). See tenon/index.h. */
TN_API tn_tensor *tn_index(const tn_tensor *self, tn_index_list index);

/* The view from text, as Python writes it: "..., 1:, ::-2, None". TN_ERROR_ARGUMENT, with the column, for what cannot be
 * read. */
TN_API tn_tensor *tn_index_text(const tn_tensor *self, const char *index);

/* self[...] = source: source is broadcast to the selected part and converted to the dtype of self. With tensors in the index it
 * must have that dtype; where several elements meet at one place the last in row-major order stays. */
TN_API tn_tensor *tn_setitem_(tn_tensor *self, tn_index_list index, const tn_tensor *source);

/* self[...] = value. TN_ERROR_DTYPE when the dtype cannot hold it. */
TN_API tn_tensor *tn_setitem_scalar_(tn_tensor *self, tn_index_list index, tn_scalar value);

/* self[...] = source, the index as text. */
TN_API tn_tensor *tn_setitem_text_(tn_tensor *self, const char *index, const tn_tensor *source);

/* self[...] = value, the index as text. */
TN_API tn_tensor *tn_setitem_text_scalar_(tn_tensor *self, const char *index, tn_scalar value);

/* self[indices] = values, or with accumulate self[indices] += values, every value counting where several meet. values are
 * broadcast and have the dtype of self. Without accumulate the last in row-major order stays. The same bits for any number of
 * threads. */
TN_API tn_tensor *tn_index_put(const tn_tensor *self, tn_index_list indices, const tn_tensor *values, bool accumulate);
TN_API tn_tensor *tn_index_put_(tn_tensor *self, tn_index_list indices, const tn_tensor *values, bool accumulate);

/* The slices of self along dim whose numbers are in index, a tensor of one dimension. Negative numbers are TN_ERROR_INDEX, as
 * all that are out of range. */
TN_API tn_tensor *tn_index_select(const tn_tensor *self, int64_t dim, const tn_tensor *index);
TN_API tn_tensor *tn_index_select_out(tn_tensor *out, const tn_tensor *self, int64_t dim, const tn_tensor *index);

/* Adds alpha times the slices of source to those of self along dim whose numbers are in index; several for one slice are added
 * in their order. */
TN_API tn_tensor *tn_index_add(const tn_tensor *self, int64_t dim, const tn_tensor *index, const tn_tensor *source,
                               tn_scalar alpha);
TN_API tn_tensor *tn_index_add_(tn_tensor *self, int64_t dim, const tn_tensor *index, const tn_tensor *source, tn_scalar alpha);
TN_API tn_tensor *tn_index_add_out(tn_tensor *out, const tn_tensor *self, int64_t dim, const tn_tensor *index,
                                   const tn_tensor *source, tn_scalar alpha);

/* Replaces the slices of self along dim whose numbers are in index by those of source; of several for one slice the last
 * stays. */
TN_API tn_tensor *tn_index_copy(const tn_tensor *self, int64_t dim, const tn_tensor *index, const tn_tensor *source);
TN_API tn_tensor *tn_index_copy_(tn_tensor *self, int64_t dim, const tn_tensor *index, const tn_tensor *source);
TN_API tn_tensor *tn_index_copy_out(tn_tensor *out, const tn_tensor *self, int64_t dim, const tn_tensor *index,
                                    const tn_tensor *source);

/* Fills the slices of self along dim whose numbers are in index with value. Negative numbers count from the end. */
TN_API tn_tensor *tn_index_fill(const tn_tensor *self, int64_t dim, const tn_tensor *index, tn_scalar value);
TN_API tn_tensor *tn_index_fill_(tn_tensor *self, int64_t dim, const tn_tensor *index, tn_scalar value);

/* The same with the value of a tensor of no dimensions. */
TN_API tn_tensor *tn_index_fill_tensor(const tn_tensor *self, int64_t dim, const tn_tensor *index, const tn_tensor *value);
TN_API tn_tensor *tn_index_fill_tensor_(tn_tensor *self, int64_t dim, const tn_tensor *index, const tn_tensor *value);

/* Combines the slices of source with those of self along dim whose numbers are in index: reduce is prod, mean, amax or amin.
 * Without include_self the values that self had there do not count. */
TN_API tn_tensor *tn_index_reduce(const tn_tensor *self, int64_t dim, const tn_tensor *index, const tn_tensor *source,
                                  const char *reduce, bool include_self);
TN_API tn_tensor *tn_index_reduce_(tn_tensor *self, int64_t dim, const tn_tensor *index, const tn_tensor *source,
                                   const char *reduce, bool include_self);
TN_API tn_tensor *tn_index_reduce_out(tn_tensor *out, const tn_tensor *self, int64_t dim, const tn_tensor *index,
                                      const tn_tensor *source, const char *reduce, bool include_self);

/* self read along dim at the positions in index, one for every element of the result: for dim 0, result[i, j] = self[index[i,
 * j], j]. Negative positions are TN_ERROR_INDEX. */
TN_API tn_tensor *tn_gather(const tn_tensor *self, int64_t dim, const tn_tensor *index);
TN_API tn_tensor *tn_gather_out(tn_tensor *out, const tn_tensor *self, int64_t dim, const tn_tensor *index);

/* The elements of self, as if it had one dimension, at the positions in index, whose shape the result has. Negative positions
 * count from the end. */
TN_API tn_tensor *tn_take(const tn_tensor *self, const tn_tensor *index);
TN_API tn_tensor *tn_take_out(tn_tensor *out, const tn_tensor *self, const tn_tensor *index);

/* gather, with self and indices broadcast in the other dimensions and negative positions counting from the end: for the results
 * of argsort and argmax. Without dim (TN_NONE) both are taken as having one dimension. */
TN_API tn_tensor *tn_take_along_dim(const tn_tensor *self, const tn_tensor *indices, int64_t dim);
TN_API tn_tensor *tn_take_along_dim_out(tn_tensor *out, const tn_tensor *self, const tn_tensor *indices, int64_t dim);

/* Writes the elements of src into self along dim at the positions in index: for dim 0, self[index[i, j], j] = src[i, j]. The
 * reverse of gather. Where several meet, the last in row-major order stays. Negative positions are TN_ERROR_INDEX. */
TN_API tn_tensor *tn_scatter(const tn_tensor *self, int64_t dim, const tn_tensor *index, const tn_tensor *src);
TN_API tn_tensor *tn_scatter_(tn_tensor *self, int64_t dim, const tn_tensor *index, const tn_tensor *src);
TN_API tn_tensor *tn_scatter_out(tn_tensor *out, const tn_tensor *self, int64_t dim, const tn_tensor *index,
                                 const tn_tensor *src);

/* The same with one value for all. */
TN_API tn_tensor *tn_scatter_value(const tn_tensor *self, int64_t dim, const tn_tensor *index, tn_scalar value);
TN_API tn_tensor *tn_scatter_value_(tn_tensor *self, int64_t dim, const tn_tensor *index, tn_scalar value);
TN_API tn_tensor *tn_scatter_value_out(tn_tensor *out, const tn_tensor *self, int64_t dim, const tn_tensor *index,
                                       tn_scalar value);

/* scatter that combines with what is there: reduce is add or multiply. scatter_reduce has more. */
TN_API tn_tensor *tn_scatter_reduction(const tn_tensor *self, int64_t dim, const tn_tensor *index, const tn_tensor *src,
                                       const char *reduce);
TN_API tn_tensor *tn_scatter_reduction_(tn_tensor *self, int64_t dim, const tn_tensor *index, const tn_tensor *src,
                                        const char *reduce);
TN_API tn_tensor *tn_scatter_reduction_out(tn_tensor *out, const tn_tensor *self, int64_t dim, const tn_tensor *index,
                                           const tn_tensor *src, const char *reduce);

/* The same with one value for all. */
TN_API tn_tensor *tn_scatter_value_reduction(const tn_tensor *self, int64_t dim, const tn_tensor *index, tn_scalar value,
                                             const char *reduce);
TN_API tn_tensor *tn_scatter_value_reduction_(tn_tensor *self, int64_t dim, const tn_tensor *index, tn_scalar value,
                                              const char *reduce);
TN_API tn_tensor *tn_scatter_value_reduction_out(tn_tensor *out, const tn_tensor *self, int64_t dim, const tn_tensor *index,
                                                 tn_scalar value, const char *reduce);

/* Adds the elements of src to self along dim at the positions in index; several for one place are added in row-major order, so
 * the bits are the same for any number of threads. */
TN_API tn_tensor *tn_scatter_add(const tn_tensor *self, int64_t dim, const tn_tensor *index, const tn_tensor *src);
TN_API tn_tensor *tn_scatter_add_(tn_tensor *self, int64_t dim, const tn_tensor *index, const tn_tensor *src);
TN_API tn_tensor *tn_scatter_add_out(tn_tensor *out, const tn_tensor *self, int64_t dim, const tn_tensor *index,
                                     const tn_tensor *src);

/* Combines the elements of src with those of self along dim at the positions in index: reduce is sum, prod, mean, amax or amin.
 * Without include_self the values that self had there do not count. */
TN_API tn_tensor *tn_scatter_reduce(const tn_tensor *self, int64_t dim, const tn_tensor *index, const tn_tensor *src,
                                    const char *reduce, bool include_self);
TN_API tn_tensor *tn_scatter_reduce_(tn_tensor *self, int64_t dim, const tn_tensor *index, const tn_tensor *src,
                                     const char *reduce, bool include_self);
TN_API tn_tensor *tn_scatter_reduce_out(tn_tensor *out, const tn_tensor *self, int64_t dim, const tn_tensor *index,
                                        const tn_tensor *src, const char *reduce, bool include_self);

/* Writes the elements of source to self, as if it had one dimension, at the positions in index, or adds them. Negative
 * positions count from the end. */
TN_API tn_tensor *tn_put(const tn_tensor *self, const tn_tensor *index, const tn_tensor *source, bool accumulate);
TN_API tn_tensor *tn_put_(tn_tensor *self, const tn_tensor *index, const tn_tensor *source, bool accumulate);

/* The elements of self where mask, a bool tensor, is true, in one dimension and row-major order. Both are broadcast. */
TN_API tn_tensor *tn_masked_select(const tn_tensor *self, const tn_tensor *mask);
TN_API tn_tensor *tn_masked_select_out(tn_tensor *out, const tn_tensor *self, const tn_tensor *mask);

/* self with the elements of source, one after the other, where mask, a bool tensor, is true. */
TN_API tn_tensor *tn_masked_scatter(const tn_tensor *self, const tn_tensor *mask, const tn_tensor *source);
TN_API tn_tensor *tn_masked_scatter_(tn_tensor *self, const tn_tensor *mask, const tn_tensor *source);

/* A copy of self in which self.select(dim, index) is src. */
TN_API tn_tensor *tn_select_scatter(const tn_tensor *self, const tn_tensor *src, int64_t dim, int64_t index);

/* A copy of self in which self.slice(dim, start, end, step) is src. */
TN_API tn_tensor *tn_slice_scatter(const tn_tensor *self, const tn_tensor *src, int64_t dim, int64_t start, int64_t end,
                                   int64_t step);

/* A copy of self in which self.diagonal(offset, dim1, dim2) is src. */
TN_API tn_tensor *tn_diagonal_scatter(const tn_tensor *self, const tn_tensor *src, int64_t offset, int64_t dim1, int64_t dim2);

/* The rows of weight, a tensor of two dimensions, whose numbers are in indices: the result has one dimension more. The row
 * padding_idx has no gradient; -1 for none. */
TN_API tn_tensor *tn_embedding(const tn_tensor *weight, const tn_tensor *indices, int64_t padding_idx);

/* A new last dimension of zeros with a one at the place that self names, in int64. num_classes is its size; -1: one more than
 * the largest of self. */
TN_API tn_tensor *tn_one_hot(const tn_tensor *self, int64_t num_classes);

/* ---- sort -------------------------------------------------------------------------------------------------------- */

/* The elements of every line along a dimension in ascending (or descending) order, and the index each came from. NaN counts as
 * the greatest, -0 and 0 as equal. Equal elements keep their order. TN_ERROR_DTYPE for complex dtypes. */
TN_API tn_list *tn_sort(const tn_tensor *self, int64_t dim, bool descending);
TN_API tn_tensor *tn_sort_out(tn_tensor *values, tn_tensor *indices, const tn_tensor *self, int64_t dim, bool descending);

/* The same: every sort is stable, whether it is asked for or not. */
TN_API tn_list *tn_sort_stable(const tn_tensor *self, bool stable, int64_t dim, bool descending);
TN_API tn_tensor *tn_sort_stable_out(tn_tensor *values, tn_tensor *indices, const tn_tensor *self, bool stable, int64_t dim,
                                     bool descending);

/* The indices that sort gives. */
TN_API tn_tensor *tn_argsort(const tn_tensor *self, int64_t dim, bool descending);

/* The same: every sort is stable. */
TN_API tn_tensor *tn_argsort_stable(const tn_tensor *self, bool stable, int64_t dim, bool descending);
TN_API tn_tensor *tn_argsort_stable_out(tn_tensor *out, const tn_tensor *self, bool stable, int64_t dim, bool descending);

/* The values that sort gives along the first dimension. */
TN_API tn_tensor *tn_msort(const tn_tensor *self);
TN_API tn_tensor *tn_msort_out(tn_tensor *out, const tn_tensor *self);

/* The k largest (or smallest) elements of every line along a dimension and their indices; the best first if sorted. Equal ones
 * are chosen and ordered as PyTorch's algorithm does. TN_ERROR_INDEX for a k that the lines do not have. */
TN_API tn_list *tn_topk(const tn_tensor *self, int64_t k, int64_t dim, bool largest, bool sorted);
TN_API tn_tensor *tn_topk_out(tn_tensor *values, tn_tensor *indices, const tn_tensor *self, int64_t k, int64_t dim,
                              bool largest, bool sorted);

/* The k-th smallest element (1 is the first) of every line along a dimension, and its index; of equal ones that which PyTorch's
 * algorithm chooses. TN_ERROR_INDEX for a k that the lines do not have. */
TN_API tn_list *tn_kthvalue(const tn_tensor *self, int64_t k, int64_t dim, bool keepdim);
TN_API tn_tensor *tn_kthvalue_out(tn_tensor *values, tn_tensor *indices, const tn_tensor *self, int64_t k, int64_t dim,
                                  bool keepdim);

/* The middle element of all, the lower one of two; NaN where there is a NaN, or no element. */
TN_API tn_tensor *tn_median(const tn_tensor *self);

/* The middle element of every line along a dimension, the lower one of two, and its index; the first NaN where there is one.
 * TN_ERROR_INDEX for lines without elements. */
TN_API tn_list *tn_median_dim(const tn_tensor *self, int64_t dim, bool keepdim);
TN_API tn_tensor *tn_median_dim_out(tn_tensor *values, tn_tensor *indices, const tn_tensor *self, int64_t dim, bool keepdim);

/* The middle of all elements that are not NaN, the lower one of two; NaN where there is none. */
TN_API tn_tensor *tn_nanmedian(const tn_tensor *self);

/* The same for every line along a dimension, with the index. */
TN_API tn_list *tn_nanmedian_dim(const tn_tensor *self, int64_t dim, bool keepdim);
TN_API tn_tensor *tn_nanmedian_dim_out(tn_tensor *values, tn_tensor *indices, const tn_tensor *self, int64_t dim, bool keepdim);

/* The element that occurs most often in every line along a dimension, the smallest of several, and its index: of equal ones
 * that which PyTorch's algorithm chooses, the last in lines of up to 16. A NaN equals nothing, and is the mode only of a line
 * of NaN. */
TN_API tn_list *tn_mode(const tn_tensor *self, int64_t dim, bool keepdim);
TN_API tn_tensor *tn_mode_out(tn_tensor *values, tn_tensor *indices, const tn_tensor *self, int64_t dim, bool keepdim);

/* The quantiles q, between 0 and 1, of every line along a dimension, or of all elements; NaN where there is a NaN. Between two
 * elements: linear, lower, higher, midpoint or nearest. q has one dimension, which the result has first, or none; and, like the
 * result, the dtype of self, float32 or float64. */
TN_API tn_tensor *tn_quantile(const tn_tensor *self, const tn_tensor *q, int64_t dim, bool keepdim, const char *interpolation);
TN_API tn_tensor *tn_quantile_out(tn_tensor *out, const tn_tensor *self, const tn_tensor *q, int64_t dim, bool keepdim,
                                  const char *interpolation);

/* The same for one quantile. */
TN_API tn_tensor *tn_quantile_scalar(const tn_tensor *self, double q, int64_t dim, bool keepdim, const char *interpolation);
TN_API tn_tensor *tn_quantile_scalar_out(tn_tensor *out, const tn_tensor *self, double q, int64_t dim, bool keepdim,
                                         const char *interpolation);

/* quantile, of the elements that are not NaN; NaN where there is none. */
TN_API tn_tensor *tn_nanquantile(const tn_tensor *self, const tn_tensor *q, int64_t dim, bool keepdim,
                                 const char *interpolation);
TN_API tn_tensor *tn_nanquantile_out(tn_tensor *out, const tn_tensor *self, const tn_tensor *q, int64_t dim, bool keepdim,
                                     const char *interpolation);

/* The same for one quantile. */
TN_API tn_tensor *tn_nanquantile_scalar(const tn_tensor *self, double q, int64_t dim, bool keepdim, const char *interpolation);
TN_API tn_tensor *tn_nanquantile_scalar_out(tn_tensor *out, const tn_tensor *self, double q, int64_t dim, bool keepdim,
                                            const char *interpolation);

/* The different elements, in ascending order, in one dimension. A NaN equals nothing, so each is kept; -0 and 0 are equal. */
TN_API tn_tensor *tn_unique(const tn_tensor *self);

/* A list of the different elements, or slices along a dimension; then, where asked for, which of them each element (slice) of
 * self is; then, where asked for, how often each occurs. They come sorted in any case, slices by their first elements. */
TN_API tn_list *tn_unique_options(const tn_tensor *self, bool sorted, bool return_inverse, bool return_counts, int64_t dim);

/* The first of every run of equal elements, in the order they have, in one dimension. */
TN_API tn_tensor *tn_unique_consecutive(const tn_tensor *self);

/* The same of elements, or slices along a dimension, with the lists that unique.options has. */
TN_API tn_list *tn_unique_consecutive_options(const tn_tensor *self, bool return_inverse, bool return_counts, int64_t dim);

/* ---- search ------------------------------------------------------------------------------------------------------ */

/* For every value of input, where it belongs in a sequence in ascending order: the first place whose element is not less, or,
 * right, is greater; as int64 or int32. The sequence has one dimension, or those of input but for the last, which is searched.
 * side, left or right, says the same as right; none leaves it to that. sorter: the order the sequence is to be seen in, from
 * argsort. */
TN_API tn_tensor *tn_searchsorted(const tn_tensor *sorted_sequence, const tn_tensor *input, bool out_int32, bool right,
                                  const char *side, const tn_tensor *sorter);
TN_API tn_tensor *tn_searchsorted_out(tn_tensor *out, const tn_tensor *sorted_sequence, const tn_tensor *input, bool out_int32,
                                      bool right, const char *side, const tn_tensor *sorter);

/* The same for one number, in a sequence of one dimension. */
TN_API tn_tensor *tn_searchsorted_scalar(const tn_tensor *sorted_sequence, tn_scalar input, bool out_int32, bool right,
                                         const char *side, const tn_tensor *sorter);
TN_API tn_tensor *tn_searchsorted_scalar_out(tn_tensor *out, const tn_tensor *sorted_sequence, tn_scalar input, bool out_int32,
                                             bool right, const char *side, const tn_tensor *sorter);

/* Between which of the boundaries, in ascending order and one dimension, every element lies: searchsorted in another order. */
TN_API tn_tensor *tn_bucketize(const tn_tensor *self, const tn_tensor *boundaries, bool out_int32, bool right);
TN_API tn_tensor *tn_bucketize_out(tn_tensor *out, const tn_tensor *self, const tn_tensor *boundaries, bool out_int32,
                                   bool right);

/* The same for one number. */
TN_API tn_tensor *tn_bucketize_scalar(tn_scalar self, const tn_tensor *boundaries, bool out_int32, bool right);

/* Whether each element is (invert: is not) among the test elements. A NaN is in nothing. */
TN_API tn_tensor *tn_isin(const tn_tensor *elements, const tn_tensor *test_elements, bool assume_unique, bool invert);
TN_API tn_tensor *tn_isin_out(tn_tensor *out, const tn_tensor *elements, const tn_tensor *test_elements, bool assume_unique,
                              bool invert);

/* The same with one number to look for. */
TN_API tn_tensor *tn_isin_scalar(const tn_tensor *elements, tn_scalar test_element, bool assume_unique, bool invert);
TN_API tn_tensor *tn_isin_scalar_out(tn_tensor *out, const tn_tensor *elements, tn_scalar test_element, bool assume_unique,
                                     bool invert);

/* The same of one number: a tensor without dimensions. */
TN_API tn_tensor *tn_isin_rscalar(tn_scalar element, const tn_tensor *test_elements, bool assume_unique, bool invert);
TN_API tn_tensor *tn_isin_rscalar_out(tn_tensor *out, tn_scalar element, const tn_tensor *test_elements, bool assume_unique,
                                      bool invert);

/* The indices of all elements that are not 0, in row-major order: int64 of sizes (how many, dimensions of self). */
TN_API tn_tensor *tn_nonzero(const tn_tensor *self);
TN_API tn_tensor *tn_nonzero_out(tn_tensor *out, const tn_tensor *self);

/* The same as one tensor for each dimension, fit for indexing; a tensor without dimensions counts as having one. */
TN_API tn_list *tn_nonzero_numpy(const tn_tensor *self);

/* nonzero under its other name. */
TN_API tn_tensor *tn_argwhere(const tn_tensor *self);

/* How many elements fall into each of the bins of equal width from min to max, both included, in the dtype of self. min equal
 * to max: from the least to the greatest element. Elements outside, and NaN, are not counted. */
TN_API tn_tensor *tn_histc(const tn_tensor *self, int64_t bins, tn_scalar min, tn_scalar max);
TN_API tn_tensor *tn_histc_out(tn_tensor *out, const tn_tensor *self, int64_t bins, tn_scalar min, tn_scalar max);

/* How many elements fall into each of the bins of equal width from the least to the greatest element, and the edges of the
 * bins. A bin holds its left edge, the last its right one too. weight: what each element counts; density: divided by the sum
 * and by the widths. float32 and float64. */
TN_API tn_list *tn_histogram(const tn_tensor *self, int64_t bins, const tn_tensor *weight, bool density);
TN_API tn_tensor *tn_histogram_out(tn_tensor *hist, tn_tensor *bin_edges, const tn_tensor *self, int64_t bins,
                                   const tn_tensor *weight, bool density);

/* The same over a range, its first number and its last; elements outside, and NaN, are not counted. */
TN_API tn_list *tn_histogram_range(const tn_tensor *self, int64_t bins, tn_floats range, const tn_tensor *weight, bool density);
TN_API tn_tensor *tn_histogram_range_out(tn_tensor *hist, tn_tensor *bin_edges, const tn_tensor *self, int64_t bins,
                                         tn_floats range, const tn_tensor *weight, bool density);

/* The same with edges of one's own, in ascending order and of the dtype of self. */
TN_API tn_list *tn_histogram_bins(const tn_tensor *self, const tn_tensor *bins, const tn_tensor *weight, bool density);
TN_API tn_tensor *tn_histogram_bins_out(tn_tensor *hist, tn_tensor *bin_edges, const tn_tensor *self, const tn_tensor *bins,
                                        const tn_tensor *weight, bool density);

/* How often each number from 0 to the greatest, or to minlength - 1, occurs among integers in one dimension; with weights their
 * sums, float32 for float32 and float64 for all others. TN_ERROR_ARGUMENT for a negative number. */
TN_API tn_tensor *tn_bincount(const tn_tensor *self, const tn_tensor *weights, int64_t minlength);

/* ---- softmax ----------------------------------------------------------------------------------------------------- */

/* The exponentials along a dimension divided by their sum. They are taken of the distance to the largest element, so that none
 * overflows. With a dtype self is converted to it first; TN_ERROR_DTYPE when the result would not be a float of 16 bits or
 * more. */
TN_API tn_tensor *tn_softmax(const tn_tensor *self, int64_t dim, tn_dtype dtype);
TN_API tn_tensor *tn_softmax_out(tn_tensor *out, const tn_tensor *self, int64_t dim, tn_dtype dtype);

/* The logarithm of softmax, precise also where that is nearly 0 or 1. */
TN_API tn_tensor *tn_log_softmax(const tn_tensor *self, int64_t dim, tn_dtype dtype);
TN_API tn_tensor *tn_log_softmax_out(tn_tensor *out, const tn_tensor *self, int64_t dim, tn_dtype dtype);

/* Softmax of -self. */
TN_API tn_tensor *tn_softmin(const tn_tensor *self, int64_t dim, tn_dtype dtype);

/* The last dimensions, whose sizes are normalized_shape, with mean 0 and variance 1: (self - mean) / sqrt(variance + eps),
 * times weight and plus bias where they are given, which have these sizes. They have the dtype of self; beside float16 or
 * bfloat16 both may be float32. */
TN_API tn_tensor *tn_layer_norm(const tn_tensor *self, tn_dims normalized_shape, const tn_tensor *weight, const tn_tensor *bias,
                                double eps);

/* The last dimensions, whose sizes are normalized_shape, divided by the root of their mean square plus eps, times weight where
 * it is given. Without an eps (TN_NO_SCALAR) it is the epsilon of float32, or of float64 for that. */
TN_API tn_tensor *tn_rms_norm(const tn_tensor *self, tn_dims normalized_shape, const tn_tensor *weight, tn_scalar eps);

/* Every line along a dimension divided by its norm of order p, or by eps where that is larger. */
TN_API tn_tensor *tn_normalize(const tn_tensor *self, double p, int64_t dim, double eps);
TN_API tn_tensor *tn_normalize_out(tn_tensor *out, const tn_tensor *self, double p, int64_t dim, double eps);

/* ---- scan -------------------------------------------------------------------------------------------------------- */

/* The sum of each element and all before it along a dimension. Integers and bool add up in int64; with a dtype self is
 * converted to it first. In place the dtype is that of self, and the out form without a dtype takes that of out. float32 and
 * smaller floats are carried in double and rounded at each element; the bits are the same for any strides and number of
 * threads. */
TN_API tn_tensor *tn_cumsum(const tn_tensor *self, int64_t dim, tn_dtype dtype);
TN_API tn_tensor *tn_cumsum_(tn_tensor *self, int64_t dim, tn_dtype dtype);
TN_API tn_tensor *tn_cumsum_out(tn_tensor *out, const tn_tensor *self, int64_t dim, tn_dtype dtype);

/* The product of each element and all before it along a dimension; dtypes as cumsum has them. */
TN_API tn_tensor *tn_cumprod(const tn_tensor *self, int64_t dim, tn_dtype dtype);
TN_API tn_tensor *tn_cumprod_(tn_tensor *self, int64_t dim, tn_dtype dtype);
TN_API tn_tensor *tn_cumprod_out(tn_tensor *out, const tn_tensor *self, int64_t dim, tn_dtype dtype);

/* The largest of each element and all before it along a dimension, and its index (int64): the last of equal ones. A NaN is
 * larger than all. TN_ERROR_DTYPE for complex numbers. */
TN_API tn_list *tn_cummax(const tn_tensor *self, int64_t dim);
TN_API tn_tensor *tn_cummax_out(tn_tensor *values, tn_tensor *indices, const tn_tensor *self, int64_t dim);

/* The smallest of each element and all before it along a dimension, and its index: the last of equal ones. A NaN is smaller
 * than all. */
TN_API tn_list *tn_cummin(const tn_tensor *self, int64_t dim);
TN_API tn_tensor *tn_cummin_out(tn_tensor *values, tn_tensor *indices, const tn_tensor *self, int64_t dim);

/* The logarithm of the sum of the exponentials of each element and all before it along a dimension, without overflow. Computed
 * in float64. TN_ERROR_DTYPE for integers. */
TN_API tn_tensor *tn_logcumsumexp(const tn_tensor *self, int64_t dim);
TN_API tn_tensor *tn_logcumsumexp_out(tn_tensor *out, const tn_tensor *self, int64_t dim);

/* ---- random ------------------------------------------------------------------------------------------------------ */

/* Numbers drawn evenly from 0 to below 1. Complex numbers get two of them. The out variant resizes out, and draws for its
 * dtype: another one beside it is TN_ERROR_DTYPE. */
TN_API tn_tensor *tn_rand(tn_dims size, tn_dtype dtype, tn_generator *generator);
TN_API tn_tensor *tn_rand_out(tn_tensor *out, tn_dims size, tn_dtype dtype, tn_generator *generator);

/* rand with the sizes, and unless told otherwise the dtype and the strides, of another tensor. */
TN_API tn_tensor *tn_rand_like(const tn_tensor *self, tn_dtype dtype, tn_memory_format format, tn_generator *generator);

/* Normally distributed numbers with mean 0 and variance 1; the parts of complex ones have a variance of a half. */
TN_API tn_tensor *tn_randn(tn_dims size, tn_dtype dtype, tn_generator *generator);
TN_API tn_tensor *tn_randn_out(tn_tensor *out, tn_dims size, tn_dtype dtype, tn_generator *generator);

/* randn with the sizes, and unless told otherwise the dtype and the strides, of another tensor. */
TN_API tn_tensor *tn_randn_like(const tn_tensor *self, tn_dtype dtype, tn_memory_format format, tn_generator *generator);

/* Whole numbers drawn evenly from 0 to high - 1. TN_DTYPE_DEFAULT: int64, or that of out. */
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

/* The numbers 0 to n - 1 in an order drawn evenly from all. TN_DTYPE_DEFAULT: int64, or that of out. bfloat16 rounds those
 * above 256, as in PyTorch. */
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

/* Every element is drawn from the normal distribution. The two parts of complex numbers have the mean and half the
 * variance. */
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

/* Elements become 0 with the chance p, and the others are divided by 1 - p. Where train is false: self. TN_ERROR_ARGUMENT for a
 * p that is no chance, also then. */
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
#define tn_full(size, fill_value, dtype) tn_full(size, TN_SCALAR(fill_value), dtype)
#define tn_full_like(self, fill_value, dtype, format) tn_full_like(self, TN_SCALAR(fill_value), dtype, format)
#define tn_arange(end, dtype) tn_arange(TN_SCALAR(end), dtype)
#define tn_arange_start(start, end, step, dtype) tn_arange_start(TN_SCALAR(start), TN_SCALAR(end), TN_SCALAR(step), dtype)
#define tn_linspace(start, end, steps, dtype) tn_linspace(TN_SCALAR(start), TN_SCALAR(end), steps, dtype)
#define tn_logspace(start, end, steps, base, dtype) tn_logspace(TN_SCALAR(start), TN_SCALAR(end), steps, base, dtype)
#define tn_scalar_tensor(value, dtype) tn_scalar_tensor(TN_SCALAR(value), dtype)
#define tn_add_scalar(self, other) tn_add_scalar(self, TN_SCALAR(other))
#define tn_add_scalar_(self, other) tn_add_scalar_(self, TN_SCALAR(other))
#define tn_add_scalar_out(out, self, other) tn_add_scalar_out(out, self, TN_SCALAR(other))
#define tn_add_rscalar(self, other) tn_add_rscalar(TN_SCALAR(self), other)
#define tn_add_rscalar_out(out, self, other) tn_add_rscalar_out(out, TN_SCALAR(self), other)
#define tn_add_alpha(self, other, alpha) tn_add_alpha(self, other, TN_SCALAR(alpha))
#define tn_add_alpha_(self, other, alpha) tn_add_alpha_(self, other, TN_SCALAR(alpha))
#define tn_add_alpha_out(out, self, other, alpha) tn_add_alpha_out(out, self, other, TN_SCALAR(alpha))
#define tn_sub_scalar(self, other) tn_sub_scalar(self, TN_SCALAR(other))
#define tn_sub_scalar_(self, other) tn_sub_scalar_(self, TN_SCALAR(other))
#define tn_sub_scalar_out(out, self, other) tn_sub_scalar_out(out, self, TN_SCALAR(other))
#define tn_sub_rscalar(self, other) tn_sub_rscalar(TN_SCALAR(self), other)
#define tn_sub_rscalar_out(out, self, other) tn_sub_rscalar_out(out, TN_SCALAR(self), other)
#define tn_sub_alpha(self, other, alpha) tn_sub_alpha(self, other, TN_SCALAR(alpha))
#define tn_sub_alpha_(self, other, alpha) tn_sub_alpha_(self, other, TN_SCALAR(alpha))
#define tn_sub_alpha_out(out, self, other, alpha) tn_sub_alpha_out(out, self, other, TN_SCALAR(alpha))
#define tn_rsub(self, other, alpha) tn_rsub(self, other, TN_SCALAR(alpha))
#define tn_rsub_out(out, self, other, alpha) tn_rsub_out(out, self, other, TN_SCALAR(alpha))
#define tn_rsub_scalar(self, other, alpha) tn_rsub_scalar(self, TN_SCALAR(other), TN_SCALAR(alpha))
#define tn_rsub_scalar_out(out, self, other, alpha) tn_rsub_scalar_out(out, self, TN_SCALAR(other), TN_SCALAR(alpha))
#define tn_subtract_scalar(self, other) tn_subtract_scalar(self, TN_SCALAR(other))
#define tn_subtract_scalar_(self, other) tn_subtract_scalar_(self, TN_SCALAR(other))
#define tn_subtract_scalar_out(out, self, other) tn_subtract_scalar_out(out, self, TN_SCALAR(other))
#define tn_subtract_alpha(self, other, alpha) tn_subtract_alpha(self, other, TN_SCALAR(alpha))
#define tn_subtract_alpha_(self, other, alpha) tn_subtract_alpha_(self, other, TN_SCALAR(alpha))
#define tn_subtract_alpha_out(out, self, other, alpha) tn_subtract_alpha_out(out, self, other, TN_SCALAR(alpha))
#define tn_mul_scalar(self, other) tn_mul_scalar(self, TN_SCALAR(other))
#define tn_mul_scalar_(self, other) tn_mul_scalar_(self, TN_SCALAR(other))
#define tn_mul_scalar_out(out, self, other) tn_mul_scalar_out(out, self, TN_SCALAR(other))
#define tn_mul_rscalar(self, other) tn_mul_rscalar(TN_SCALAR(self), other)
#define tn_mul_rscalar_out(out, self, other) tn_mul_rscalar_out(out, TN_SCALAR(self), other)
#define tn_multiply_scalar(self, other) tn_multiply_scalar(self, TN_SCALAR(other))
#define tn_multiply_scalar_(self, other) tn_multiply_scalar_(self, TN_SCALAR(other))
#define tn_multiply_scalar_out(out, self, other) tn_multiply_scalar_out(out, self, TN_SCALAR(other))
#define tn_div_scalar(self, other) tn_div_scalar(self, TN_SCALAR(other))
#define tn_div_scalar_(self, other) tn_div_scalar_(self, TN_SCALAR(other))
#define tn_div_scalar_out(out, self, other) tn_div_scalar_out(out, self, TN_SCALAR(other))
#define tn_div_rscalar(self, other) tn_div_rscalar(TN_SCALAR(self), other)
#define tn_div_rscalar_out(out, self, other) tn_div_rscalar_out(out, TN_SCALAR(self), other)
#define tn_true_divide_scalar(self, other) tn_true_divide_scalar(self, TN_SCALAR(other))
#define tn_true_divide_scalar_(self, other) tn_true_divide_scalar_(self, TN_SCALAR(other))
#define tn_true_divide_scalar_out(out, self, other) tn_true_divide_scalar_out(out, self, TN_SCALAR(other))
#define tn_true_divide_rscalar(self, other) tn_true_divide_rscalar(TN_SCALAR(self), other)
#define tn_true_divide_rscalar_out(out, self, other) tn_true_divide_rscalar_out(out, TN_SCALAR(self), other)
#define tn_divide_scalar(self, other) tn_divide_scalar(self, TN_SCALAR(other))
#define tn_divide_scalar_(self, other) tn_divide_scalar_(self, TN_SCALAR(other))
#define tn_divide_scalar_out(out, self, other) tn_divide_scalar_out(out, self, TN_SCALAR(other))
#define tn_divide_scalar_mode(self, other, rounding_mode) tn_divide_scalar_mode(self, TN_SCALAR(other), rounding_mode)
#define tn_divide_scalar_mode_(self, other, rounding_mode) tn_divide_scalar_mode_(self, TN_SCALAR(other), rounding_mode)
#define tn_divide_scalar_mode_out(out, self, other, rounding_mode) tn_divide_scalar_mode_out(out, self, TN_SCALAR(other), rounding_mode)
#define tn_div_scalar_mode(self, other, rounding_mode) tn_div_scalar_mode(self, TN_SCALAR(other), rounding_mode)
#define tn_div_scalar_mode_(self, other, rounding_mode) tn_div_scalar_mode_(self, TN_SCALAR(other), rounding_mode)
#define tn_div_scalar_mode_out(out, self, other, rounding_mode) tn_div_scalar_mode_out(out, self, TN_SCALAR(other), rounding_mode)
#define tn_div_rscalar_mode(self, other, rounding_mode) tn_div_rscalar_mode(TN_SCALAR(self), other, rounding_mode)
#define tn_div_rscalar_mode_out(out, self, other, rounding_mode) tn_div_rscalar_mode_out(out, TN_SCALAR(self), other, rounding_mode)
#define tn_floor_divide_scalar(self, other) tn_floor_divide_scalar(self, TN_SCALAR(other))
#define tn_floor_divide_scalar_(self, other) tn_floor_divide_scalar_(self, TN_SCALAR(other))
#define tn_floor_divide_scalar_out(out, self, other) tn_floor_divide_scalar_out(out, self, TN_SCALAR(other))
#define tn_floor_divide_rscalar(self, other) tn_floor_divide_rscalar(TN_SCALAR(self), other)
#define tn_floor_divide_rscalar_out(out, self, other) tn_floor_divide_rscalar_out(out, TN_SCALAR(self), other)
#define tn_remainder_scalar(self, other) tn_remainder_scalar(self, TN_SCALAR(other))
#define tn_remainder_scalar_(self, other) tn_remainder_scalar_(self, TN_SCALAR(other))
#define tn_remainder_scalar_out(out, self, other) tn_remainder_scalar_out(out, self, TN_SCALAR(other))
#define tn_fmod_scalar(self, other) tn_fmod_scalar(self, TN_SCALAR(other))
#define tn_fmod_scalar_(self, other) tn_fmod_scalar_(self, TN_SCALAR(other))
#define tn_fmod_scalar_out(out, self, other) tn_fmod_scalar_out(out, self, TN_SCALAR(other))
#define tn_fmod_rscalar(self, other) tn_fmod_rscalar(TN_SCALAR(self), other)
#define tn_fmod_rscalar_out(out, self, other) tn_fmod_rscalar_out(out, TN_SCALAR(self), other)
#define tn_remainder_rscalar(self, other) tn_remainder_rscalar(TN_SCALAR(self), other)
#define tn_remainder_rscalar_out(out, self, other) tn_remainder_rscalar_out(out, TN_SCALAR(self), other)
#define tn_maximum_scalar(self, other) tn_maximum_scalar(self, TN_SCALAR(other))
#define tn_maximum_scalar_out(out, self, other) tn_maximum_scalar_out(out, self, TN_SCALAR(other))
#define tn_minimum_scalar(self, other) tn_minimum_scalar(self, TN_SCALAR(other))
#define tn_minimum_scalar_out(out, self, other) tn_minimum_scalar_out(out, self, TN_SCALAR(other))
#define tn_fmax_scalar(self, other) tn_fmax_scalar(self, TN_SCALAR(other))
#define tn_fmax_scalar_out(out, self, other) tn_fmax_scalar_out(out, self, TN_SCALAR(other))
#define tn_fmin_scalar(self, other) tn_fmin_scalar(self, TN_SCALAR(other))
#define tn_fmin_scalar_out(out, self, other) tn_fmin_scalar_out(out, self, TN_SCALAR(other))
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
#define tn_gcd_scalar(self, other) tn_gcd_scalar(self, TN_SCALAR(other))
#define tn_gcd_scalar_(self, other) tn_gcd_scalar_(self, TN_SCALAR(other))
#define tn_gcd_scalar_out(out, self, other) tn_gcd_scalar_out(out, self, TN_SCALAR(other))
#define tn_lcm_scalar(self, other) tn_lcm_scalar(self, TN_SCALAR(other))
#define tn_lcm_scalar_(self, other) tn_lcm_scalar_(self, TN_SCALAR(other))
#define tn_lcm_scalar_out(out, self, other) tn_lcm_scalar_out(out, self, TN_SCALAR(other))
#define tn_copysign_scalar(self, other) tn_copysign_scalar(self, TN_SCALAR(other))
#define tn_copysign_scalar_(self, other) tn_copysign_scalar_(self, TN_SCALAR(other))
#define tn_copysign_scalar_out(out, self, other) tn_copysign_scalar_out(out, self, TN_SCALAR(other))
#define tn_copysign_rscalar(self, other) tn_copysign_rscalar(TN_SCALAR(self), other)
#define tn_copysign_rscalar_out(out, self, other) tn_copysign_rscalar_out(out, TN_SCALAR(self), other)
#define tn_nextafter_scalar(self, other) tn_nextafter_scalar(self, TN_SCALAR(other))
#define tn_nextafter_scalar_(self, other) tn_nextafter_scalar_(self, TN_SCALAR(other))
#define tn_nextafter_scalar_out(out, self, other) tn_nextafter_scalar_out(out, self, TN_SCALAR(other))
#define tn_nextafter_rscalar(self, other) tn_nextafter_rscalar(TN_SCALAR(self), other)
#define tn_nextafter_rscalar_out(out, self, other) tn_nextafter_rscalar_out(out, TN_SCALAR(self), other)
#define tn_heaviside_scalar(self, values) tn_heaviside_scalar(self, TN_SCALAR(values))
#define tn_heaviside_scalar_(self, values) tn_heaviside_scalar_(self, TN_SCALAR(values))
#define tn_heaviside_scalar_out(out, self, values) tn_heaviside_scalar_out(out, self, TN_SCALAR(values))
#define tn_heaviside_rscalar(self, values) tn_heaviside_rscalar(TN_SCALAR(self), values)
#define tn_heaviside_rscalar_out(out, self, values) tn_heaviside_rscalar_out(out, TN_SCALAR(self), values)
#define tn_nan_to_num(self, nan, posinf, neginf) tn_nan_to_num(self, TN_SCALAR(nan), TN_SCALAR(posinf), TN_SCALAR(neginf))
#define tn_nan_to_num_(self, nan, posinf, neginf) tn_nan_to_num_(self, TN_SCALAR(nan), TN_SCALAR(posinf), TN_SCALAR(neginf))
#define tn_nan_to_num_out(out, self, nan, posinf, neginf) tn_nan_to_num_out(out, self, TN_SCALAR(nan), TN_SCALAR(posinf), TN_SCALAR(neginf))
#define tn_pow_scalar(self, exponent) tn_pow_scalar(self, TN_SCALAR(exponent))
#define tn_pow_scalar_(self, exponent) tn_pow_scalar_(self, TN_SCALAR(exponent))
#define tn_pow_scalar_out(out, self, exponent) tn_pow_scalar_out(out, self, TN_SCALAR(exponent))
#define tn_pow_rscalar(self, exponent) tn_pow_rscalar(TN_SCALAR(self), exponent)
#define tn_pow_rscalar_out(out, self, exponent) tn_pow_rscalar_out(out, TN_SCALAR(self), exponent)
#define tn_atan2_scalar(self, other) tn_atan2_scalar(self, TN_SCALAR(other))
#define tn_atan2_scalar_(self, other) tn_atan2_scalar_(self, TN_SCALAR(other))
#define tn_atan2_scalar_out(out, self, other) tn_atan2_scalar_out(out, self, TN_SCALAR(other))
#define tn_atan2_rscalar(self, other) tn_atan2_rscalar(TN_SCALAR(self), other)
#define tn_atan2_rscalar_out(out, self, other) tn_atan2_rscalar_out(out, TN_SCALAR(self), other)
#define tn_arctan2_scalar(self, other) tn_arctan2_scalar(self, TN_SCALAR(other))
#define tn_arctan2_scalar_(self, other) tn_arctan2_scalar_(self, TN_SCALAR(other))
#define tn_arctan2_scalar_out(out, self, other) tn_arctan2_scalar_out(out, self, TN_SCALAR(other))
#define tn_arctan2_rscalar(self, other) tn_arctan2_rscalar(TN_SCALAR(self), other)
#define tn_arctan2_rscalar_out(out, self, other) tn_arctan2_rscalar_out(out, TN_SCALAR(self), other)
#define tn_hypot_scalar(self, other) tn_hypot_scalar(self, TN_SCALAR(other))
#define tn_hypot_scalar_(self, other) tn_hypot_scalar_(self, TN_SCALAR(other))
#define tn_hypot_scalar_out(out, self, other) tn_hypot_scalar_out(out, self, TN_SCALAR(other))
#define tn_ldexp_scalar(self, other) tn_ldexp_scalar(self, TN_SCALAR(other))
#define tn_ldexp_scalar_(self, other) tn_ldexp_scalar_(self, TN_SCALAR(other))
#define tn_ldexp_scalar_out(out, self, other) tn_ldexp_scalar_out(out, self, TN_SCALAR(other))
#define tn_ldexp_rscalar(self, other) tn_ldexp_rscalar(TN_SCALAR(self), other)
#define tn_ldexp_rscalar_out(out, self, other) tn_ldexp_rscalar_out(out, TN_SCALAR(self), other)
#define tn_logaddexp_scalar(self, other) tn_logaddexp_scalar(self, TN_SCALAR(other))
#define tn_logaddexp_scalar_out(out, self, other) tn_logaddexp_scalar_out(out, self, TN_SCALAR(other))
#define tn_logaddexp2_scalar(self, other) tn_logaddexp2_scalar(self, TN_SCALAR(other))
#define tn_logaddexp2_scalar_out(out, self, other) tn_logaddexp2_scalar_out(out, self, TN_SCALAR(other))
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
#define tn_fill(self, value) tn_fill(self, TN_SCALAR(value))
#define tn_fill_(self, value) tn_fill_(self, TN_SCALAR(value))
#define tn_pad(self, pad, mode, value) tn_pad(self, pad, mode, TN_SCALAR(value))
#define tn_constant_pad_nd(self, pad, value) tn_constant_pad_nd(self, pad, TN_SCALAR(value))
#define tn_renorm(self, p, dim, maxnorm) tn_renorm(self, TN_SCALAR(p), dim, TN_SCALAR(maxnorm))
#define tn_renorm_(self, p, dim, maxnorm) tn_renorm_(self, TN_SCALAR(p), dim, TN_SCALAR(maxnorm))
#define tn_renorm_out(out, self, p, dim, maxnorm) tn_renorm_out(out, self, TN_SCALAR(p), dim, TN_SCALAR(maxnorm))
#define tn_var_correction(self, dim, correction, keepdim) tn_var_correction(self, dim, TN_SCALAR(correction), keepdim)
#define tn_var_correction_out(out, self, dim, correction, keepdim) tn_var_correction_out(out, self, dim, TN_SCALAR(correction), keepdim)
#define tn_var_mean_correction(self, dim, correction, keepdim) tn_var_mean_correction(self, dim, TN_SCALAR(correction), keepdim)
#define tn_var_mean_correction_out(var, mean, self, dim, correction, keepdim) tn_var_mean_correction_out(var, mean, self, dim, TN_SCALAR(correction), keepdim)
#define tn_std_correction(self, dim, correction, keepdim) tn_std_correction(self, dim, TN_SCALAR(correction), keepdim)
#define tn_std_correction_out(out, self, dim, correction, keepdim) tn_std_correction_out(out, self, dim, TN_SCALAR(correction), keepdim)
#define tn_std_mean_correction(self, dim, correction, keepdim) tn_std_mean_correction(self, dim, TN_SCALAR(correction), keepdim)
#define tn_std_mean_correction_out(std, mean, self, dim, correction, keepdim) tn_std_mean_correction_out(std, mean, self, dim, TN_SCALAR(correction), keepdim)
#define tn_norm(self, p) tn_norm(self, TN_SCALAR(p))
#define tn_norm_out(out, self, p) tn_norm_out(out, self, TN_SCALAR(p))
#define tn_norm_dim(self, p, dim, keepdim, dtype) tn_norm_dim(self, TN_SCALAR(p), dim, keepdim, dtype)
#define tn_norm_dim_out(out, self, p, dim, keepdim, dtype) tn_norm_dim_out(out, self, TN_SCALAR(p), dim, keepdim, dtype)
#define tn_linalg_vector_norm(self, ord, dim, keepdim, dtype) tn_linalg_vector_norm(self, TN_SCALAR(ord), dim, keepdim, dtype)
#define tn_linalg_vector_norm_out(out, self, ord, dim, keepdim, dtype) tn_linalg_vector_norm_out(out, self, TN_SCALAR(ord), dim, keepdim, dtype)
#define tn_dist(self, other, p) tn_dist(self, other, TN_SCALAR(p))
#define tn_dist_out(out, self, other, p) tn_dist_out(out, self, other, TN_SCALAR(p))
#define tn_trapezoid(y, dx, dim) tn_trapezoid(y, TN_SCALAR(dx), dim)
#define tn_cumulative_trapezoid(y, dx, dim) tn_cumulative_trapezoid(y, TN_SCALAR(dx), dim)
#define tn_eq_scalar(self, other) tn_eq_scalar(self, TN_SCALAR(other))
#define tn_eq_scalar_(self, other) tn_eq_scalar_(self, TN_SCALAR(other))
#define tn_eq_scalar_out(out, self, other) tn_eq_scalar_out(out, self, TN_SCALAR(other))
#define tn_ne_scalar(self, other) tn_ne_scalar(self, TN_SCALAR(other))
#define tn_ne_scalar_(self, other) tn_ne_scalar_(self, TN_SCALAR(other))
#define tn_ne_scalar_out(out, self, other) tn_ne_scalar_out(out, self, TN_SCALAR(other))
#define tn_lt_scalar(self, other) tn_lt_scalar(self, TN_SCALAR(other))
#define tn_lt_scalar_(self, other) tn_lt_scalar_(self, TN_SCALAR(other))
#define tn_lt_scalar_out(out, self, other) tn_lt_scalar_out(out, self, TN_SCALAR(other))
#define tn_lt_rscalar(self, other) tn_lt_rscalar(TN_SCALAR(self), other)
#define tn_lt_rscalar_out(out, self, other) tn_lt_rscalar_out(out, TN_SCALAR(self), other)
#define tn_le_scalar(self, other) tn_le_scalar(self, TN_SCALAR(other))
#define tn_le_scalar_(self, other) tn_le_scalar_(self, TN_SCALAR(other))
#define tn_le_scalar_out(out, self, other) tn_le_scalar_out(out, self, TN_SCALAR(other))
#define tn_le_rscalar(self, other) tn_le_rscalar(TN_SCALAR(self), other)
#define tn_le_rscalar_out(out, self, other) tn_le_rscalar_out(out, TN_SCALAR(self), other)
#define tn_gt_scalar(self, other) tn_gt_scalar(self, TN_SCALAR(other))
#define tn_gt_scalar_(self, other) tn_gt_scalar_(self, TN_SCALAR(other))
#define tn_gt_scalar_out(out, self, other) tn_gt_scalar_out(out, self, TN_SCALAR(other))
#define tn_gt_rscalar(self, other) tn_gt_rscalar(TN_SCALAR(self), other)
#define tn_gt_rscalar_out(out, self, other) tn_gt_rscalar_out(out, TN_SCALAR(self), other)
#define tn_ge_scalar(self, other) tn_ge_scalar(self, TN_SCALAR(other))
#define tn_ge_scalar_(self, other) tn_ge_scalar_(self, TN_SCALAR(other))
#define tn_ge_scalar_out(out, self, other) tn_ge_scalar_out(out, self, TN_SCALAR(other))
#define tn_ge_rscalar(self, other) tn_ge_rscalar(TN_SCALAR(self), other)
#define tn_ge_rscalar_out(out, self, other) tn_ge_rscalar_out(out, TN_SCALAR(self), other)
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
#define tn_isclose_scalar(self, other, rtol, atol, equal_nan) tn_isclose_scalar(self, TN_SCALAR(other), rtol, atol, equal_nan)
#define tn_isclose_rscalar(self, other, rtol, atol, equal_nan) tn_isclose_rscalar(TN_SCALAR(self), other, rtol, atol, equal_nan)
#define tn_logical_and_scalar(self, other) tn_logical_and_scalar(self, TN_SCALAR(other))
#define tn_logical_and_scalar_(self, other) tn_logical_and_scalar_(self, TN_SCALAR(other))
#define tn_logical_and_scalar_out(out, self, other) tn_logical_and_scalar_out(out, self, TN_SCALAR(other))
#define tn_logical_or_scalar(self, other) tn_logical_or_scalar(self, TN_SCALAR(other))
#define tn_logical_or_scalar_(self, other) tn_logical_or_scalar_(self, TN_SCALAR(other))
#define tn_logical_or_scalar_out(out, self, other) tn_logical_or_scalar_out(out, self, TN_SCALAR(other))
#define tn_logical_xor_scalar(self, other) tn_logical_xor_scalar(self, TN_SCALAR(other))
#define tn_logical_xor_scalar_(self, other) tn_logical_xor_scalar_(self, TN_SCALAR(other))
#define tn_logical_xor_scalar_out(out, self, other) tn_logical_xor_scalar_out(out, self, TN_SCALAR(other))
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
#define tn_masked_fill_out(out, self, mask, value) tn_masked_fill_out(out, self, mask, TN_SCALAR(value))
#define tn_setitem_scalar_(self, index, value) tn_setitem_scalar_(self, index, TN_SCALAR(value))
#define tn_setitem_text_scalar_(self, index, value) tn_setitem_text_scalar_(self, index, TN_SCALAR(value))
#define tn_index_add(self, dim, index, source, alpha) tn_index_add(self, dim, index, source, TN_SCALAR(alpha))
#define tn_index_add_(self, dim, index, source, alpha) tn_index_add_(self, dim, index, source, TN_SCALAR(alpha))
#define tn_index_add_out(out, self, dim, index, source, alpha) tn_index_add_out(out, self, dim, index, source, TN_SCALAR(alpha))
#define tn_index_fill(self, dim, index, value) tn_index_fill(self, dim, index, TN_SCALAR(value))
#define tn_index_fill_(self, dim, index, value) tn_index_fill_(self, dim, index, TN_SCALAR(value))
#define tn_scatter_value(self, dim, index, value) tn_scatter_value(self, dim, index, TN_SCALAR(value))
#define tn_scatter_value_(self, dim, index, value) tn_scatter_value_(self, dim, index, TN_SCALAR(value))
#define tn_scatter_value_out(out, self, dim, index, value) tn_scatter_value_out(out, self, dim, index, TN_SCALAR(value))
#define tn_scatter_value_reduction(self, dim, index, value, reduce) tn_scatter_value_reduction(self, dim, index, TN_SCALAR(value), reduce)
#define tn_scatter_value_reduction_(self, dim, index, value, reduce) tn_scatter_value_reduction_(self, dim, index, TN_SCALAR(value), reduce)
#define tn_scatter_value_reduction_out(out, self, dim, index, value, reduce) tn_scatter_value_reduction_out(out, self, dim, index, TN_SCALAR(value), reduce)
#define tn_searchsorted_scalar(sorted_sequence, input, out_int32, right, side, sorter) tn_searchsorted_scalar(sorted_sequence, TN_SCALAR(input), out_int32, right, side, sorter)
#define tn_searchsorted_scalar_out(out, sorted_sequence, input, out_int32, right, side, sorter) tn_searchsorted_scalar_out(out, sorted_sequence, TN_SCALAR(input), out_int32, right, side, sorter)
#define tn_bucketize_scalar(self, boundaries, out_int32, right) tn_bucketize_scalar(TN_SCALAR(self), boundaries, out_int32, right)
#define tn_isin_scalar(elements, test_element, assume_unique, invert) tn_isin_scalar(elements, TN_SCALAR(test_element), assume_unique, invert)
#define tn_isin_scalar_out(out, elements, test_element, assume_unique, invert) tn_isin_scalar_out(out, elements, TN_SCALAR(test_element), assume_unique, invert)
#define tn_isin_rscalar(element, test_elements, assume_unique, invert) tn_isin_rscalar(TN_SCALAR(element), test_elements, assume_unique, invert)
#define tn_isin_rscalar_out(out, element, test_elements, assume_unique, invert) tn_isin_rscalar_out(out, TN_SCALAR(element), test_elements, assume_unique, invert)
#define tn_histc(self, bins, min, max) tn_histc(self, bins, TN_SCALAR(min), TN_SCALAR(max))
#define tn_histc_out(out, self, bins, min, max) tn_histc_out(out, self, bins, TN_SCALAR(min), TN_SCALAR(max))
#define tn_rms_norm(self, normalized_shape, weight, eps) tn_rms_norm(self, normalized_shape, weight, TN_SCALAR(eps))
#endif

/* Items of an index without TN_INDEX around them; (tn_index)(x, list) takes a list that exists already. */
#define tn_index(self, ...) tn_index(self, TN_INDEX(__VA_ARGS__))
/* clang-format on */

#endif

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

/* A tensor of the given sizes whose elements are not initialised. The out variants of empty, zeros, ones, full and eye resize
 * out, whatever its sizes, and keep its dtype: a different dtype argument is TN_ERROR_DTYPE. */
TN_API tn_tensor *tn_empty(tn_dims size, tn_dtype dtype);
TN_API tn_tensor *tn_empty_out(tn_tensor *out, tn_dims size, tn_dtype dtype);

/* The same in the memory of a device: TN_ERROR_DEVICE when no allocator is registered for its type. */
TN_API tn_tensor *tn_empty_device(tn_dims size, tn_dtype dtype, tn_device device);

/* An uninitialised tensor with the given strides, in elements, over a storage just large enough for them. Strides may be 0 or
 * negative; the offset is then chosen so that the lowest element is the storage's first. */
TN_API tn_tensor *tn_empty_strided(tn_dims size, tn_dims stride, tn_dtype dtype);

/* A tensor filled with 0. */
TN_API tn_tensor *tn_zeros(tn_dims size, tn_dtype dtype);
TN_API tn_tensor *tn_zeros_out(tn_tensor *out, tn_dims size, tn_dtype dtype);

/* A tensor filled with 1. */
TN_API tn_tensor *tn_ones(tn_dims size, tn_dtype dtype);
TN_API tn_tensor *tn_ones_out(tn_tensor *out, tn_dims size, tn_dtype dtype);

/* A tensor filled with one value. TN_DTYPE_DEFAULT: the dtype of the value, bool, int64, the default float or its complex
 * dtype. TN_ERROR_DTYPE when the dtype cannot hold the value. */
TN_API tn_tensor *tn_full(tn_dims size, tn_scalar fill_value, tn_dtype dtype);
TN_API tn_tensor *tn_full_out(tn_tensor *out, tn_dims size, tn_scalar fill_value, tn_dtype dtype);

/* An uninitialised tensor with the sizes and the device of another. TN_DTYPE_DEFAULT: its dtype too. TN_PRESERVE: its strides
 * when they are dense, otherwise the same order of dimensions without gaps. */
TN_API tn_tensor *tn_empty_like(const tn_tensor *self, tn_dtype dtype, tn_memory_format format);

/* empty_like, filled with 0. */
TN_API tn_tensor *tn_zeros_like(const tn_tensor *self, tn_dtype dtype, tn_memory_format format);

/* empty_like, filled with 1. */
TN_API tn_tensor *tn_ones_like(const tn_tensor *self, tn_dtype dtype, tn_memory_format format);

/* empty_like, filled with one value. TN_ERROR_DTYPE when the dtype cannot hold it. */
TN_API tn_tensor *tn_full_like(const tn_tensor *self, tn_scalar fill_value, tn_dtype dtype, tn_memory_format format);

/* The numbers 0, 1, 2, ... below end. TN_DTYPE_DEFAULT: int64 when end is an integer, else the default float. */
TN_API tn_tensor *tn_arange(tn_scalar end, tn_dtype dtype);
TN_API tn_tensor *tn_arange_out(tn_tensor *out, tn_scalar end, tn_dtype dtype);

/* The numbers start, start + step, start + 2 step, ... before end, each computed from its position, not by repeated addition.
 * TN_DTYPE_DEFAULT: int64 when all three are integers, else the default float. TN_ERROR_ARGUMENT when step is 0 or leads away
 * from end. The out variants of sequences make the numbers in the dtype of out: a different dtype argument is TN_ERROR_DTYPE.
 * An out with as many elements is filled row by row, whatever its shape; any other becomes a vector. */
TN_API tn_tensor *tn_arange_start(tn_scalar start, tn_scalar end, tn_scalar step, tn_dtype dtype);
TN_API tn_tensor *tn_arange_start_out(tn_tensor *out, tn_scalar start, tn_scalar end, tn_scalar step, tn_dtype dtype);

/* The numbers start, start + step, ... up to end, which is one of them if the steps reach it. TN_DTYPE_DEFAULT: the default
 * float. PyTorch has long advised against it: arange does what Python's range does. Warns. */
TN_API tn_tensor *tn_range(tn_scalar start, tn_scalar end, tn_scalar step, tn_dtype dtype);
TN_API tn_tensor *tn_range_out(tn_tensor *out, tn_scalar start, tn_scalar end, tn_scalar step, tn_dtype dtype);

/* `steps` numbers from start to end, both included, at equal distances; symmetric, so the last is exactly end. */
TN_API tn_tensor *tn_linspace(tn_scalar start, tn_scalar end, int64_t steps, tn_dtype dtype);
TN_API tn_tensor *tn_linspace_out(tn_tensor *out, tn_scalar start, tn_scalar end, int64_t steps, tn_dtype dtype);

/* base to the power of the numbers of linspace. */
TN_API tn_tensor *tn_logspace(tn_scalar start, tn_scalar end, int64_t steps, double base, tn_dtype dtype);
TN_API tn_tensor *tn_logspace_out(tn_tensor *out, tn_scalar start, tn_scalar end, int64_t steps, double base, tn_dtype dtype);

/* A matrix with 1 on the diagonal and 0 elsewhere. */
TN_API tn_tensor *tn_eye(int64_t rows, int64_t columns, tn_dtype dtype);
TN_API tn_tensor *tn_eye_out(tn_tensor *out, int64_t rows, int64_t columns, tn_dtype dtype);

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

/* view where the strides allow it, otherwise one contiguous copy under the new shape. */
TN_API tn_tensor *tn_reshape(const tn_tensor *self, tn_dims shape);

/* reshape with the sizes of another tensor. */
TN_API tn_tensor *tn_reshape_as(const tn_tensor *self, const tn_tensor *other);

/* The dimensions from start_dim to end_dim, both included, merged into one. A tensor of no dimensions becomes one of size
 * 1. */
TN_API tn_tensor *tn_flatten(const tn_tensor *self, int64_t start_dim, int64_t end_dim);

/* All elements in one dimension, row by row. */
TN_API tn_tensor *tn_ravel(const tn_tensor *self);

/* One dimension split into several whose product is its size; one of them may be -1. */
TN_API tn_tensor *tn_unflatten(const tn_tensor *self, int64_t dim, tn_dims sizes);

/* The dimensions in another order: dimension k of the result is dimension dims[k] of self. */
TN_API tn_tensor *tn_permute(const tn_tensor *self, tn_dims dims);

/* Two dimensions exchanged, with their sizes and strides. */
TN_API tn_tensor *tn_transpose(const tn_tensor *self, int64_t dim0, int64_t dim1);
TN_API tn_tensor *tn_transpose_(tn_tensor *self, int64_t dim0, int64_t dim1);

/* transpose under its other name. */
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

/* movedim under its other name. */
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

/* expand under its other name. */
TN_API tn_tensor *tn_broadcast_to(const tn_tensor *self, tn_dims size);

/* expand to the sizes of another tensor. */
TN_API tn_tensor *tn_expand_as(const tn_tensor *self, const tn_tensor *other);

/* All tensors expanded to their common shape. */
TN_API tn_list *tn_broadcast_tensors(const tn_tensor *const *tensors, int64_t tensors_count);

/* `length` positions of a dimension from start on. TN_ERROR_INDEX, TN_ERROR_SHAPE when they are not all inside. */
TN_API tn_tensor *tn_narrow(const tn_tensor *self, int64_t dim, int64_t start, int64_t length);

/* One position of a dimension, which disappears. TN_ERROR_INDEX when out of range. */
TN_API tn_tensor *tn_select(const tn_tensor *self, int64_t dim, int64_t index);

/* start : end : step of one dimension as in Python, with any step but 0; TN_NONE omits start or end, and what is out of range
 * is clamped. A negative step is a view too (PyTorch refuses it). */
TN_API tn_tensor *tn_slice(const tn_tensor *self, int64_t dim, int64_t start, int64_t end, int64_t step);

/* The given dimensions reversed. A view with negative strides: PyTorch, which has no such strides, copies here; clone the
 * result where a copy is wanted. */
TN_API tn_tensor *tn_flip(const tn_tensor *self, tn_dims dims);

/* Dimension 1 reversed, as a view (PyTorch copies). */
TN_API tn_tensor *tn_fliplr(const tn_tensor *self);

/* Dimension 0 reversed, as a view (PyTorch copies). */
TN_API tn_tensor *tn_flipud(const tn_tensor *self);

/* Turned k times by 90 degrees in the plane of two dimensions, from the first towards the second, as a view (PyTorch
 * copies). */
TN_API tn_tensor *tn_rot90(const tn_tensor *self, int64_t k, tn_dims dims);

/* All windows of `size` at distances of `step` in one dimension; a new last dimension runs inside the window. */
TN_API tn_tensor *tn_unfold(const tn_tensor *self, int64_t dimension, int64_t size, int64_t step);

/* All windows of the given sizes over the given dimensions, at every position, as in NumPy: one new last dimension for
 * each. */
TN_API tn_tensor *tn_sliding_window_view(const tn_tensor *self, tn_dims window, tn_dims dims);

/* The diagonal of two dimensions, which a new last dimension replaces; offset > 0 is above the main one. */
TN_API tn_tensor *tn_diagonal(const tn_tensor *self, int64_t offset, int64_t dim1, int64_t dim2);

/* Any sizes, strides (signed) and offset over the storage of self; TN_NONE keeps its offset. TN_ERROR_SHAPE when an element
 * would be outside the storage. */
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

/* Pieces along a dimension cut before each of the given positions, which are clamped as in slices. */
TN_API tn_list *tn_tensor_split_indices(const tn_tensor *self, tn_dims indices, int64_t dim);

/* The same with the number of sections in a tensor of no dimensions, or the positions in one of one dimension, of int64. */
TN_API tn_list *tn_tensor_split_tensor(const tn_tensor *self, const tn_tensor *tensor_indices_or_sections, int64_t dim);

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

/* The imaginary parts of a complex tensor. TN_ERROR_DTYPE for a real one, which has no imaginary parts to share. */
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

/* resize_ to the sizes of another tensor, which may be on any device. */
TN_API tn_tensor *tn_resize_as_(tn_tensor *self, const tn_tensor *other);

/* resize_ with the new strides in the order of a memory format: TN_ERROR_ARGUMENT for TN_PRESERVE, which means nothing
 * here. */
TN_API tn_tensor *tn_resize_format_(tn_tensor *self, tn_dims size, tn_memory_format memory_format);

/* resize_as_ in a memory format; TN_PRESERVE is the format of other: channels last where it has that, otherwise row by row. */
TN_API tn_tensor *tn_resize_as_format_(tn_tensor *self, const tn_tensor *other, tn_memory_format memory_format);

/* Writes one number to the places whose indices are all equal. Sizes must be equal where there are more than two. wrap: in a
 * matrix of more rows than columns the diagonal begins again, one row further down, whenever it ends. */
TN_API tn_tensor *tn_fill_diagonal_(tn_tensor *self, tn_scalar fill_value, bool wrap);

/* Makes self a view of source, in place. The dtypes must be equal. */
TN_API tn_tensor *tn_set_(tn_tensor *self, const tn_tensor *source);

/* Makes self look into another storage, in place, with its own dtype. TN_ERROR_SHAPE when an element would be outside it. */
TN_API tn_tensor *tn_set_storage_(tn_tensor *self, tn_storage *source, int64_t storage_offset, tn_dims size, tn_dims stride);

/* ---- view copies ------------------------------------------------------------------------------------------------- */

/* What alias shows, as a new copy, row by row. */
TN_API tn_tensor *tn_alias_copy(const tn_tensor *self);
TN_API tn_tensor *tn_alias_copy_out(tn_tensor *out, const tn_tensor *self);

/* What as_strided shows, as a new copy, row by row. */
TN_API tn_tensor *tn_as_strided_copy(const tn_tensor *self, tn_dims size, tn_dims stride, int64_t storage_offset);
TN_API tn_tensor *tn_as_strided_copy_out(tn_tensor *out, const tn_tensor *self, tn_dims size, tn_dims stride,
                                         int64_t storage_offset);

/* What detach shows, as a new copy, row by row. */
TN_API tn_tensor *tn_detach_copy(const tn_tensor *self);
TN_API tn_tensor *tn_detach_copy_out(tn_tensor *out, const tn_tensor *self);

/* What diagonal shows, as a new copy, row by row. */
TN_API tn_tensor *tn_diagonal_copy(const tn_tensor *self, int64_t offset, int64_t dim1, int64_t dim2);
TN_API tn_tensor *tn_diagonal_copy_out(tn_tensor *out, const tn_tensor *self, int64_t offset, int64_t dim1, int64_t dim2);

/* What expand shows, as a new copy, row by row. */
TN_API tn_tensor *tn_expand_copy(const tn_tensor *self, tn_dims size);
TN_API tn_tensor *tn_expand_copy_out(tn_tensor *out, const tn_tensor *self, tn_dims size);

/* What narrow shows, as a new copy, row by row. */
TN_API tn_tensor *tn_narrow_copy(const tn_tensor *self, int64_t dim, int64_t start, int64_t length);
TN_API tn_tensor *tn_narrow_copy_out(tn_tensor *out, const tn_tensor *self, int64_t dim, int64_t start, int64_t length);

/* What permute shows, as a new copy, row by row. */
TN_API tn_tensor *tn_permute_copy(const tn_tensor *self, tn_dims dims);
TN_API tn_tensor *tn_permute_copy_out(tn_tensor *out, const tn_tensor *self, tn_dims dims);

/* What select shows, as a new copy, row by row. */
TN_API tn_tensor *tn_select_copy(const tn_tensor *self, int64_t dim, int64_t index);
TN_API tn_tensor *tn_select_copy_out(tn_tensor *out, const tn_tensor *self, int64_t dim, int64_t index);

/* What slice shows, as a new copy, row by row. */
TN_API tn_tensor *tn_slice_copy(const tn_tensor *self, int64_t dim, int64_t start, int64_t end, int64_t step);
TN_API tn_tensor *tn_slice_copy_out(tn_tensor *out, const tn_tensor *self, int64_t dim, int64_t start, int64_t end,
                                    int64_t step);

/* What squeeze shows, as a new copy, row by row. */
TN_API tn_tensor *tn_squeeze_copy(const tn_tensor *self);
TN_API tn_tensor *tn_squeeze_copy_out(tn_tensor *out, const tn_tensor *self);

/* What squeeze.dim shows, as a new copy, row by row. */
TN_API tn_tensor *tn_squeeze_copy_dim(const tn_tensor *self, int64_t dim);
TN_API tn_tensor *tn_squeeze_copy_dim_out(tn_tensor *out, const tn_tensor *self, int64_t dim);

/* What squeeze.dims shows, as a new copy, row by row. */
TN_API tn_tensor *tn_squeeze_copy_dims(const tn_tensor *self, tn_dims dims);
TN_API tn_tensor *tn_squeeze_copy_dims_out(tn_tensor *out, const tn_tensor *self, tn_dims dims);

/* What t shows, as a new copy, row by row. */
TN_API tn_tensor *tn_t_copy(const tn_tensor *self);
TN_API tn_tensor *tn_t_copy_out(tn_tensor *out, const tn_tensor *self);

/* What transpose shows, as a new copy, row by row. */
TN_API tn_tensor *tn_transpose_copy(const tn_tensor *self, int64_t dim0, int64_t dim1);
TN_API tn_tensor *tn_transpose_copy_out(tn_tensor *out, const tn_tensor *self, int64_t dim0, int64_t dim1);

/* What unfold shows, as a new copy, row by row. */
TN_API tn_tensor *tn_unfold_copy(const tn_tensor *self, int64_t dimension, int64_t size, int64_t step);
TN_API tn_tensor *tn_unfold_copy_out(tn_tensor *out, const tn_tensor *self, int64_t dimension, int64_t size, int64_t step);

/* What unsqueeze shows, as a new copy, row by row. */
TN_API tn_tensor *tn_unsqueeze_copy(const tn_tensor *self, int64_t dim);
TN_API tn_tensor *tn_unsqueeze_copy_out(tn_tensor *out, const tn_tensor *self, int64_t dim);

/* The elements under another shape, as in reshape, as a new copy, row by row. */
TN_API tn_tensor *tn_view_copy(const tn_tensor *self, tn_dims shape);
TN_API tn_tensor *tn_view_copy_out(tn_tensor *out, const tn_tensor *self, tn_dims shape);

/* What view.dtype shows, as a new copy, row by row. */
TN_API tn_tensor *tn_view_copy_dtype(const tn_tensor *self, tn_dtype dtype);
TN_API tn_tensor *tn_view_copy_dtype_out(tn_tensor *out, const tn_tensor *self, tn_dtype dtype);

/* What view_as_complex shows, as a new copy, row by row. */
TN_API tn_tensor *tn_view_as_complex_copy(const tn_tensor *self);
TN_API tn_tensor *tn_view_as_complex_copy_out(tn_tensor *out, const tn_tensor *self);

/* What view_as_real shows, as a new copy, row by row. */
TN_API tn_tensor *tn_view_as_real_copy(const tn_tensor *self);
TN_API tn_tensor *tn_view_as_real_copy_out(tn_tensor *out, const tn_tensor *self);

/* The pieces that split shows, each as a new copy, row by row. */
TN_API tn_list *tn_split_copy(const tn_tensor *self, int64_t split_size, int64_t dim);

/* The pieces that split_with_sizes shows, each as a new copy, row by row. */
TN_API tn_list *tn_split_with_sizes_copy(const tn_tensor *self, tn_dims split_sizes, int64_t dim);

/* The pieces that unbind shows, each as a new copy, row by row. */
TN_API tn_list *tn_unbind_copy(const tn_tensor *self, int64_t dim);

/* ---- arithmetic -------------------------------------------------------------------------------------------------- */

/* self + other. For two bools, whether either is true. Complex numbers part by part, even with infinities and NaN (PyTorch
 * multiplies by an alpha of 1 first). */
TN_API tn_tensor *tn_add(const tn_tensor *self, const tn_tensor *other);
TN_API tn_tensor *tn_add_(tn_tensor *self, const tn_tensor *other);
TN_API tn_tensor *tn_add_out(tn_tensor *out, const tn_tensor *self, const tn_tensor *other);

/* The same with a number. */
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

/* sub under its other name. */
TN_API tn_tensor *tn_subtract(const tn_tensor *self, const tn_tensor *other);
TN_API tn_tensor *tn_subtract_(tn_tensor *self, const tn_tensor *other);
TN_API tn_tensor *tn_subtract_out(tn_tensor *out, const tn_tensor *self, const tn_tensor *other);

/* The same with a number. */
TN_API tn_tensor *tn_sub_scalar(const tn_tensor *self, tn_scalar other);
TN_API tn_tensor *tn_sub_scalar_(tn_tensor *self, tn_scalar other);
TN_API tn_tensor *tn_sub_scalar_out(tn_tensor *out, const tn_tensor *self, tn_scalar other);

/* sub under its other name. */
TN_API tn_tensor *tn_subtract_scalar(const tn_tensor *self, tn_scalar other);
TN_API tn_tensor *tn_subtract_scalar_(tn_tensor *self, tn_scalar other);
TN_API tn_tensor *tn_subtract_scalar_out(tn_tensor *out, const tn_tensor *self, tn_scalar other);

/* The same with a number in front. */
TN_API tn_tensor *tn_sub_rscalar(tn_scalar self, const tn_tensor *other);
TN_API tn_tensor *tn_sub_rscalar_out(tn_tensor *out, tn_scalar self, const tn_tensor *other);

/* self - alpha * other. TN_ERROR_DTYPE for an alpha of a higher kind than the result. */
TN_API tn_tensor *tn_sub_alpha(const tn_tensor *self, const tn_tensor *other, tn_scalar alpha);
TN_API tn_tensor *tn_sub_alpha_(tn_tensor *self, const tn_tensor *other, tn_scalar alpha);
TN_API tn_tensor *tn_sub_alpha_out(tn_tensor *out, const tn_tensor *self, const tn_tensor *other, tn_scalar alpha);

/* sub under its other name. */
TN_API tn_tensor *tn_subtract_alpha(const tn_tensor *self, const tn_tensor *other, tn_scalar alpha);
TN_API tn_tensor *tn_subtract_alpha_(tn_tensor *self, const tn_tensor *other, tn_scalar alpha);
TN_API tn_tensor *tn_subtract_alpha_out(tn_tensor *out, const tn_tensor *self, const tn_tensor *other, tn_scalar alpha);

/* other - alpha * self. */
TN_API tn_tensor *tn_rsub(const tn_tensor *self, const tn_tensor *other, tn_scalar alpha);
TN_API tn_tensor *tn_rsub_out(tn_tensor *out, const tn_tensor *self, const tn_tensor *other, tn_scalar alpha);

/* The same with a number. */
TN_API tn_tensor *tn_rsub_scalar(const tn_tensor *self, tn_scalar other, tn_scalar alpha);
TN_API tn_tensor *tn_rsub_scalar_out(tn_tensor *out, const tn_tensor *self, tn_scalar other, tn_scalar alpha);

/* self * other. For two bools, whether both are true. */
TN_API tn_tensor *tn_mul(const tn_tensor *self, const tn_tensor *other);
TN_API tn_tensor *tn_mul_(tn_tensor *self, const tn_tensor *other);
TN_API tn_tensor *tn_mul_out(tn_tensor *out, const tn_tensor *self, const tn_tensor *other);

/* mul under its other name. */
TN_API tn_tensor *tn_multiply(const tn_tensor *self, const tn_tensor *other);
TN_API tn_tensor *tn_multiply_(tn_tensor *self, const tn_tensor *other);
TN_API tn_tensor *tn_multiply_out(tn_tensor *out, const tn_tensor *self, const tn_tensor *other);

/* The same with a number. */
TN_API tn_tensor *tn_mul_scalar(const tn_tensor *self, tn_scalar other);
TN_API tn_tensor *tn_mul_scalar_(tn_tensor *self, tn_scalar other);
TN_API tn_tensor *tn_mul_scalar_out(tn_tensor *out, const tn_tensor *self, tn_scalar other);

/* mul under its other name. */
TN_API tn_tensor *tn_multiply_scalar(const tn_tensor *self, tn_scalar other);
TN_API tn_tensor *tn_multiply_scalar_(tn_tensor *self, tn_scalar other);
TN_API tn_tensor *tn_multiply_scalar_out(tn_tensor *out, const tn_tensor *self, tn_scalar other);

/* The same with a number in front. */
TN_API tn_tensor *tn_mul_rscalar(tn_scalar self, const tn_tensor *other);
TN_API tn_tensor *tn_mul_rscalar_out(tn_tensor *out, tn_scalar self, const tn_tensor *other);

/* self / other, the true quotient: integers give the default float. Complex quotients do not overflow on the way; division by 0
 * divides each part by 0. */
TN_API tn_tensor *tn_div(const tn_tensor *self, const tn_tensor *other);
TN_API tn_tensor *tn_div_(tn_tensor *self, const tn_tensor *other);
TN_API tn_tensor *tn_div_out(tn_tensor *out, const tn_tensor *self, const tn_tensor *other);

/* div under its other name. */
TN_API tn_tensor *tn_true_divide(const tn_tensor *self, const tn_tensor *other);
TN_API tn_tensor *tn_true_divide_(tn_tensor *self, const tn_tensor *other);
TN_API tn_tensor *tn_true_divide_out(tn_tensor *out, const tn_tensor *self, const tn_tensor *other);

/* div under its other name. */
TN_API tn_tensor *tn_divide(const tn_tensor *self, const tn_tensor *other);
TN_API tn_tensor *tn_divide_(tn_tensor *self, const tn_tensor *other);
TN_API tn_tensor *tn_divide_out(tn_tensor *out, const tn_tensor *self, const tn_tensor *other);

/* The same with a number. */
TN_API tn_tensor *tn_div_scalar(const tn_tensor *self, tn_scalar other);
TN_API tn_tensor *tn_div_scalar_(tn_tensor *self, tn_scalar other);
TN_API tn_tensor *tn_div_scalar_out(tn_tensor *out, const tn_tensor *self, tn_scalar other);

/* div under its other name. */
TN_API tn_tensor *tn_true_divide_scalar(const tn_tensor *self, tn_scalar other);
TN_API tn_tensor *tn_true_divide_scalar_(tn_tensor *self, tn_scalar other);
TN_API tn_tensor *tn_true_divide_scalar_out(tn_tensor *out, const tn_tensor *self, tn_scalar other);

/* div under its other name. */
TN_API tn_tensor *tn_divide_scalar(const tn_tensor *self, tn_scalar other);
TN_API tn_tensor *tn_divide_scalar_(tn_tensor *self, tn_scalar other);
TN_API tn_tensor *tn_divide_scalar_out(tn_tensor *out, const tn_tensor *self, tn_scalar other);

/* The same with a number in front. */
TN_API tn_tensor *tn_div_rscalar(tn_scalar self, const tn_tensor *other);
TN_API tn_tensor *tn_div_rscalar_out(tn_tensor *out, tn_scalar self, const tn_tensor *other);

/* The same with a number in front. */
TN_API tn_tensor *tn_true_divide_rscalar(tn_scalar self, const tn_tensor *other);
TN_API tn_tensor *tn_true_divide_rscalar_out(tn_tensor *out, tn_scalar self, const tn_tensor *other);

/* The quotient rounded: rounding_mode is 'floor' (down), 'trunc' (towards 0) or 'none' (not at all: as div). The first two keep
 * integers integers, and refuse a 0 among integer divisors before anything is written. */
TN_API tn_tensor *tn_div_mode(const tn_tensor *self, const tn_tensor *other, const char *rounding_mode);
TN_API tn_tensor *tn_div_mode_(tn_tensor *self, const tn_tensor *other, const char *rounding_mode);
TN_API tn_tensor *tn_div_mode_out(tn_tensor *out, const tn_tensor *self, const tn_tensor *other, const char *rounding_mode);

/* div under its other name. */
TN_API tn_tensor *tn_divide_mode(const tn_tensor *self, const tn_tensor *other, const char *rounding_mode);
TN_API tn_tensor *tn_divide_mode_(tn_tensor *self, const tn_tensor *other, const char *rounding_mode);
TN_API tn_tensor *tn_divide_mode_out(tn_tensor *out, const tn_tensor *self, const tn_tensor *other, const char *rounding_mode);

/* The same with a number. */
TN_API tn_tensor *tn_div_scalar_mode(const tn_tensor *self, tn_scalar other, const char *rounding_mode);
TN_API tn_tensor *tn_div_scalar_mode_(tn_tensor *self, tn_scalar other, const char *rounding_mode);
TN_API tn_tensor *tn_div_scalar_mode_out(tn_tensor *out, const tn_tensor *self, tn_scalar other, const char *rounding_mode);

/* div under its other name. */
TN_API tn_tensor *tn_divide_scalar_mode(const tn_tensor *self, tn_scalar other, const char *rounding_mode);
TN_API tn_tensor *tn_divide_scalar_mode_(tn_tensor *self, tn_scalar other, const char *rounding_mode);
TN_API tn_tensor *tn_divide_scalar_mode_out(tn_tensor *out, const tn_tensor *self, tn_scalar other, const char *rounding_mode);

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

/* The remainder of a division, with the sign of the divisor, as % in Python. TN_ERROR_ARGUMENT for an integer division by
 * 0. */
TN_API tn_tensor *tn_remainder(const tn_tensor *self, const tn_tensor *other);
TN_API tn_tensor *tn_remainder_(tn_tensor *self, const tn_tensor *other);
TN_API tn_tensor *tn_remainder_out(tn_tensor *out, const tn_tensor *self, const tn_tensor *other);

/* The same with a number. */
TN_API tn_tensor *tn_remainder_scalar(const tn_tensor *self, tn_scalar other);
TN_API tn_tensor *tn_remainder_scalar_(tn_tensor *self, tn_scalar other);
TN_API tn_tensor *tn_remainder_scalar_out(tn_tensor *out, const tn_tensor *self, tn_scalar other);

/* The same with a number in front. */
TN_API tn_tensor *tn_remainder_rscalar(tn_scalar self, const tn_tensor *other);
TN_API tn_tensor *tn_remainder_rscalar_out(tn_tensor *out, tn_scalar self, const tn_tensor *other);

/* The remainder of a division, with the sign of the dividend, as fmod in C. TN_ERROR_ARGUMENT for an integer division by 0. */
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

/* -self. Refused for bool. */
TN_API tn_tensor *tn_neg(const tn_tensor *self);
TN_API tn_tensor *tn_neg_(tn_tensor *self);
TN_API tn_tensor *tn_neg_out(tn_tensor *out, const tn_tensor *self);

/* neg under its other name. */
TN_API tn_tensor *tn_negative(const tn_tensor *self);
TN_API tn_tensor *tn_negative_(tn_tensor *self);
TN_API tn_tensor *tn_negative_out(tn_tensor *out, const tn_tensor *self);

/* The magnitude; of a complex number a real one, so abs_ is refused there. The smallest integer wraps to itself. */
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

/* sign; of a complex number self / |self|, which has the magnitude 1, or 0 for 0. */
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

/* The real cube root, below 0 too: cbrt(-8) is -2. NumPy has this function, PyTorch does not. */
TN_API tn_tensor *tn_cbrt(const tn_tensor *self);
TN_API tn_tensor *tn_cbrt_(tn_tensor *self);
TN_API tn_tensor *tn_cbrt_out(tn_tensor *out, const tn_tensor *self);

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

/* trunc under its other name. */
TN_API tn_tensor *tn_fix(const tn_tensor *self);
TN_API tn_tensor *tn_fix_(tn_tensor *self);
TN_API tn_tensor *tn_fix_out(tn_tensor *out, const tn_tensor *self);

/* The nearest integer; halves go to the even one. Integers are copied. */
TN_API tn_tensor *tn_round(const tn_tensor *self);
TN_API tn_tensor *tn_round_(tn_tensor *self);
TN_API tn_tensor *tn_round_out(tn_tensor *out, const tn_tensor *self);

/* Rounded to this many decimals (negative: to tens, hundreds, ...), halves to even. For floats only. */
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

/* The larger of two; where one is a NaN, the other; the first of two zeros. */
TN_API tn_tensor *tn_fmax(const tn_tensor *self, const tn_tensor *other);
TN_API tn_tensor *tn_fmax_out(tn_tensor *out, const tn_tensor *self, const tn_tensor *other);

/* The same with a number. */
TN_API tn_tensor *tn_fmax_scalar(const tn_tensor *self, tn_scalar other);
TN_API tn_tensor *tn_fmax_scalar_out(tn_tensor *out, const tn_tensor *self, tn_scalar other);

/* The smaller of two; where one is a NaN, the other; the first of two zeros. */
TN_API tn_tensor *tn_fmin(const tn_tensor *self, const tn_tensor *other);
TN_API tn_tensor *tn_fmin_out(tn_tensor *out, const tn_tensor *self, const tn_tensor *other);

/* The same with a number. */
TN_API tn_tensor *tn_fmin_scalar(const tn_tensor *self, tn_scalar other);
TN_API tn_tensor *tn_fmin_scalar_out(tn_tensor *out, const tn_tensor *self, tn_scalar other);

/* Limited to the range from min to max; one of them may be left out (TN_NO_SCALAR). Where min is above max, max wins. A NaN
 * stays a NaN. */
TN_API tn_tensor *tn_clamp(const tn_tensor *self, tn_scalar min, tn_scalar max);
TN_API tn_tensor *tn_clamp_(tn_tensor *self, tn_scalar min, tn_scalar max);
TN_API tn_tensor *tn_clamp_out(tn_tensor *out, const tn_tensor *self, tn_scalar min, tn_scalar max);

/* clamp under its other name. */
TN_API tn_tensor *tn_clip(const tn_tensor *self, tn_scalar min, tn_scalar max);
TN_API tn_tensor *tn_clip_(tn_tensor *self, tn_scalar min, tn_scalar max);
TN_API tn_tensor *tn_clip_out(tn_tensor *out, const tn_tensor *self, tn_scalar min, tn_scalar max);

/* The same with bounds for each element; NULL leaves one out. */
TN_API tn_tensor *tn_clamp_tensor(const tn_tensor *self, const tn_tensor *min, const tn_tensor *max);
TN_API tn_tensor *tn_clamp_tensor_(tn_tensor *self, const tn_tensor *min, const tn_tensor *max);
TN_API tn_tensor *tn_clamp_tensor_out(tn_tensor *out, const tn_tensor *self, const tn_tensor *min, const tn_tensor *max);

/* clamp under its other name. */
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

/* The same with a number. */
TN_API tn_tensor *tn_lerp_scalar(const tn_tensor *self, const tn_tensor *end, tn_scalar weight);
TN_API tn_tensor *tn_lerp_scalar_(tn_tensor *self, const tn_tensor *end, tn_scalar weight);
TN_API tn_tensor *tn_lerp_scalar_out(tn_tensor *out, const tn_tensor *self, const tn_tensor *end, tn_scalar weight);

/* self + value * tensor1 * tensor2. */
TN_API tn_tensor *tn_addcmul(const tn_tensor *self, const tn_tensor *tensor1, const tn_tensor *tensor2, tn_scalar value);
TN_API tn_tensor *tn_addcmul_(tn_tensor *self, const tn_tensor *tensor1, const tn_tensor *tensor2, tn_scalar value);
TN_API tn_tensor *tn_addcmul_out(tn_tensor *out, const tn_tensor *self, const tn_tensor *tensor1, const tn_tensor *tensor2,
                                 tn_scalar value);

/* self + value * tensor1 / tensor2. For floats: integers would have to be rounded twice. */
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

/* self to the power of exponent. Integers stay integers and wrap; a negative exponent among integer tensors gives the integer
 * part, 0 or a power of 1 or -1. Complex powers use the principal logarithm, whole ones products; 0 to the power of 0 is 1, too
 * (PyTorch: a NaN between complex tensors). With a number as the exponent, an integer to a negative integer power is
 * TN_ERROR_ARGUMENT, and a bool to the power of a bool is a bool. */
TN_API tn_tensor *tn_pow(const tn_tensor *self, const tn_tensor *exponent);
TN_API tn_tensor *tn_pow_(tn_tensor *self, const tn_tensor *exponent);
TN_API tn_tensor *tn_pow_out(tn_tensor *out, const tn_tensor *self, const tn_tensor *exponent);

/* The same with a number. */
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

/* e to the power of self, minus 1, also precise near 0. */
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

/* The natural logarithm of 1 + self, also precise near 0. */
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

/* The inverse of sin, between -pi/2 and pi/2; NaN outside -1 to 1. */
TN_API tn_tensor *tn_asin(const tn_tensor *self);
TN_API tn_tensor *tn_asin_(tn_tensor *self);
TN_API tn_tensor *tn_asin_out(tn_tensor *out, const tn_tensor *self);

/* asin under its other name. */
TN_API tn_tensor *tn_arcsin(const tn_tensor *self);
TN_API tn_tensor *tn_arcsin_(tn_tensor *self);
TN_API tn_tensor *tn_arcsin_out(tn_tensor *out, const tn_tensor *self);

/* The inverse of cos, between 0 and pi; NaN outside -1 to 1. */
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

/* The same with a number. */
TN_API tn_tensor *tn_atan2_scalar(const tn_tensor *self, tn_scalar other);
TN_API tn_tensor *tn_atan2_scalar_(tn_tensor *self, tn_scalar other);
TN_API tn_tensor *tn_atan2_scalar_out(tn_tensor *out, const tn_tensor *self, tn_scalar other);

/* atan2 under its other name. */
TN_API tn_tensor *tn_arctan2_scalar(const tn_tensor *self, tn_scalar other);
TN_API tn_tensor *tn_arctan2_scalar_(tn_tensor *self, tn_scalar other);
TN_API tn_tensor *tn_arctan2_scalar_out(tn_tensor *out, const tn_tensor *self, tn_scalar other);

/* The same with a number in front. */
TN_API tn_tensor *tn_atan2_rscalar(tn_scalar self, const tn_tensor *other);
TN_API tn_tensor *tn_atan2_rscalar_out(tn_tensor *out, tn_scalar self, const tn_tensor *other);

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

/* 1 - erf(self), also precise where erf is near 1. */
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

/* The derivative of lgamma. Infinite at 0, with the sign opposite to the zero's; NaN at the negative integers. */
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

/* log(self / (1 - self)), the inverse of sigmoid; NaN outside 0 to 1. */
TN_API tn_tensor *tn_logit(const tn_tensor *self);
TN_API tn_tensor *tn_logit_(tn_tensor *self);
TN_API tn_tensor *tn_logit_out(tn_tensor *out, const tn_tensor *self);

/* The same with self first limited to the range from eps to 1 - eps; a negative eps changes nothing. */
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

/* self * 2^other. The product is rounded once, and kept where 2^other alone overflows; PyTorch loses it there. */
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

/* self where it is positive, else 0. A NaN stays a NaN, here and in this whole group. */
TN_API tn_tensor *tn_relu(const tn_tensor *self);
TN_API tn_tensor *tn_relu_(tn_tensor *self);
TN_API tn_tensor *tn_relu_out(tn_tensor *out, const tn_tensor *self);

/* self limited to the range from 0 to 6. */
TN_API tn_tensor *tn_relu6(const tn_tensor *self);
TN_API tn_tensor *tn_relu6_(tn_tensor *self);
TN_API tn_tensor *tn_relu6_out(tn_tensor *out, const tn_tensor *self);

/* self where it is positive, else 0.01 * self. */
TN_API tn_tensor *tn_leaky_relu(const tn_tensor *self);
TN_API tn_tensor *tn_leaky_relu_(tn_tensor *self);
TN_API tn_tensor *tn_leaky_relu_out(tn_tensor *out, const tn_tensor *self);

/* The same with a slope other than 0.01. */
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

/* elu with the alpha and the scale with which layers keep mean 0 and variance 1. */
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

/* The gradient of tn_gelu in one pass: grad_output * (F(self) + self * f(self)), where f is the density of the standard normal
 * distribution and F the distribution. */
TN_API tn_tensor *tn_gelu_backward(const tn_tensor *grad_output, const tn_tensor *self);
TN_API tn_tensor *tn_gelu_backward_out(tn_tensor *out, const tn_tensor *grad_output, const tn_tensor *self);

/* The same, computed exactly (approximate is 'none') or as self * (1 + tanh(sqrt(2 / pi) * (self + 0.044715 self^3))) / 2
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

/* self limited to the range from -1 to 1. TN_ERROR_DTYPE for unsigned integers, which have no -1. */
TN_API tn_tensor *tn_hardtanh(const tn_tensor *self);
TN_API tn_tensor *tn_hardtanh_(tn_tensor *self);
TN_API tn_tensor *tn_hardtanh_out(tn_tensor *out, const tn_tensor *self);

/* The same with another range. For integers, the bounds' integer parts are used. TN_ERROR_ARGUMENT when min_val is above
 * max_val. */
TN_API tn_tensor *tn_hardtanh_range(const tn_tensor *self, tn_scalar min_val, tn_scalar max_val);
TN_API tn_tensor *tn_hardtanh_range_(tn_tensor *self, tn_scalar min_val, tn_scalar max_val);
TN_API tn_tensor *tn_hardtanh_range_out(tn_tensor *out, const tn_tensor *self, tn_scalar min_val, tn_scalar max_val);

/* self + 3 limited to the range from 0 to 6, divided by 6. */
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

/* self, but 0 from -lambd to lambd. */
TN_API tn_tensor *tn_hardshrink(const tn_tensor *self, tn_scalar lambd);
TN_API tn_tensor *tn_hardshrink_out(tn_tensor *out, const tn_tensor *self, tn_scalar lambd);

/* self, nearer to 0 by lambd, and 0 from -lambd to lambd. TN_ERROR_ARGUMENT for a negative lambd. */
TN_API tn_tensor *tn_softshrink(const tn_tensor *self, tn_scalar lambd);
TN_API tn_tensor *tn_softshrink_out(tn_tensor *out, const tn_tensor *self, tn_scalar lambd);

/* The first half of self along dim, times the sigmoid of the second. */
TN_API tn_tensor *tn_glu(const tn_tensor *self, int64_t dim);

/* self where it is positive, else weight * self: one weight for all, or one for each index of dimension 1. */
TN_API tn_tensor *tn_prelu(const tn_tensor *self, const tn_tensor *weight);

/* self where it is positive, else self times a number drawn evenly from lower to upper for each element; where training is
 * false, times their mean. */
TN_API tn_tensor *tn_rrelu(const tn_tensor *self, tn_scalar lower, tn_scalar upper, bool training, tn_generator *generator);
TN_API tn_tensor *tn_rrelu_(tn_tensor *self, tn_scalar lower, tn_scalar upper, bool training, tn_generator *generator);

/* rrelu; in training the slopes, which are 1 for positive elements, are written to noise, which has the sizes and the dtype of
 * self. */
TN_API tn_tensor *tn_rrelu_with_noise(const tn_tensor *self, const tn_tensor *noise, tn_scalar lower, tn_scalar upper,
                                      bool training, tn_generator *generator);

/* ---- complex ----------------------------------------------------------------------------------------------------- */

/* The complex conjugate: a copy with the imaginary parts negated, and for real dtypes a view. PyTorch's is lazy, always a
 * view. */
TN_API tn_tensor *tn_conj(const tn_tensor *self);

/* The complex conjugate in new memory. Real numbers are copied. */
TN_API tn_tensor *tn_conj_physical(const tn_tensor *self);
TN_API tn_tensor *tn_conj_physical_(tn_tensor *self);
TN_API tn_tensor *tn_conj_physical_out(tn_tensor *out, const tn_tensor *self);

/* The angle from the positive real axis, from -pi to pi, as a real number: atan2(imag, real). For a real number 0, or pi below
 * 0; a NaN stays a NaN. Integers give the default float. */
TN_API tn_tensor *tn_angle(const tn_tensor *self);
TN_API tn_tensor *tn_angle_out(tn_tensor *out, const tn_tensor *self);

/* Complex numbers from their parts, which have one dtype: float32 and narrower floats give complex64, float64 complex128. */
TN_API tn_tensor *tn_complex(const tn_tensor *real, const tn_tensor *imag);
TN_API tn_tensor *tn_complex_out(tn_tensor *out, const tn_tensor *real, const tn_tensor *imag);

/* Complex numbers from magnitude and angle: abs * cos(angle) + abs * sin(angle) i. Dtypes as for complex. */
TN_API tn_tensor *tn_polar(const tn_tensor *abs, const tn_tensor *angle);
TN_API tn_tensor *tn_polar_out(tn_tensor *out, const tn_tensor *abs, const tn_tensor *angle);

/* ---- copy -------------------------------------------------------------------------------------------------------- */

/* A copy in new memory. TN_PRESERVE: the strides of self when they are dense, otherwise the same order of dimensions without
 * gaps. */
TN_API tn_tensor *tn_clone(const tn_tensor *self, tn_memory_format format);

/* Self, if its elements are in the order of the format without gaps, otherwise a copy in that order. */
TN_API tn_tensor *tn_contiguous(const tn_tensor *self, tn_memory_format format);

/* Self, if it has this dtype, otherwise a copy converted to it by the rules of tn_dtype_store: integers wrap, a complex number
 * loses its imaginary part. */
TN_API tn_tensor *tn_to(const tn_tensor *self, tn_dtype dtype);

/* Self, if it is on this device, otherwise a copy there. TN_ERROR_DEVICE when there is no way to copy there. */
TN_API tn_tensor *tn_to_device(const tn_tensor *self, tn_device device);

/* Self, if dtype, device and format are as asked and `copy` is false, otherwise one copy for which they are. TN_DTYPE_DEFAULT:
 * its own dtype. */
TN_API tn_tensor *tn_to_options(const tn_tensor *self, tn_dtype dtype, tn_device device, bool copy, tn_memory_format format);

/* A copy of self, converted to this dtype. TN_DTYPE_DEFAULT: its own. */
TN_API tn_tensor *tn__to_copy(const tn_tensor *self, tn_dtype dtype);

/* Writes source, broadcast to the sizes of self and converted to its dtype, over self. The two may overlap. TN_ERROR_SHAPE,
 * TN_ERROR_READONLY, TN_ERROR_OVERLAP when elements of self share a place, TN_ERROR_DEVICE. */
TN_API tn_tensor *tn_copy_(tn_tensor *self, const tn_tensor *source);

/* Every element becomes `value`, even where several share a place, as in an expanded tensor. TN_ERROR_DTYPE when the dtype
 * cannot hold it, TN_ERROR_READONLY. */
TN_API tn_tensor *tn_fill(const tn_tensor *self, tn_scalar value);
TN_API tn_tensor *tn_fill_(tn_tensor *self, tn_scalar value);

/* The same with the value of a tensor of no dimensions, which may be on another device. */
TN_API tn_tensor *tn_fill_tensor(const tn_tensor *self, const tn_tensor *value);
TN_API tn_tensor *tn_fill_tensor_(tn_tensor *self, const tn_tensor *value);

/* Every element becomes 0. */
TN_API tn_tensor *tn_zero(const tn_tensor *self);
TN_API tn_tensor *tn_zero_(tn_tensor *self);

/* ---- join -------------------------------------------------------------------------------------------------------- */

/* Tensors one after the other along a dimension that exists. Their sizes may differ only in that dimension; a vector without
 * elements fits everywhere and adds nothing. The dtype is the common one; the memory format is channels last when that of all
 * tensors is. TN_ERROR_SHAPE for sizes that do not fit and for tensors of no dimensions. */
TN_API tn_tensor *tn_cat(const tn_tensor *const *tensors, int64_t tensors_count, int64_t dim);
TN_API tn_tensor *tn_cat_out(tn_tensor *out, const tn_tensor *const *tensors, int64_t tensors_count, int64_t dim);

/* cat under its other name. */
TN_API tn_tensor *tn_concat(const tn_tensor *const *tensors, int64_t tensors_count, int64_t dim);
TN_API tn_tensor *tn_concat_out(tn_tensor *out, const tn_tensor *const *tensors, int64_t tensors_count, int64_t dim);

/* cat under its other name. */
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

/* vstack under its other name. */
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

/* All ways to choose r elements of a vector, as rows in lexicographic order of the positions; with_replacement: an element may
 * be chosen again. No rows where there are too few elements. */
TN_API tn_tensor *tn_combinations(const tn_tensor *self, int64_t r, bool with_replacement);

/* ---- move -------------------------------------------------------------------------------------------------------- */

/* The whole tensor several times along each dimension; further dimensions are new ones in front. TN_ERROR_ARGUMENT for fewer
 * repeats than dimensions. */
TN_API tn_tensor *tn_repeat(const tn_tensor *self, tn_dims repeats);

/* The same; fewer numbers than dimensions are for the last dimensions. */
TN_API tn_tensor *tn_tile(const tn_tensor *self, tn_dims dims);

/* Each position of a dimension several times, one after the other. Without dim the elements are one dimension, in row-major
 * order. TN_ERROR_ARGUMENT when output_size, which may be given, is not the resulting size. */
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
 * number cuts off. mode is constant (with value, or 0), reflect (the elements in reverse, without the outermost), replicate
 * (the outermost), or circular (from the other end, repeatedly where a negative number has left less than the margin). Where
 * PyTorch takes only certain ranks, every rank is accepted. TN_ERROR_ARGUMENT for a margin that mode cannot make. */
TN_API tn_tensor *tn_pad(const tn_tensor *self, tn_dims pad, const char *mode, tn_scalar value);

/* tn_pad with mode reflect. */
TN_API tn_tensor *tn_reflection_pad1d(const tn_tensor *self, tn_dims padding);

/* reflection_pad1d under its other name. */
TN_API tn_tensor *tn_reflection_pad2d(const tn_tensor *self, tn_dims padding);

/* reflection_pad1d under its other name. */
TN_API tn_tensor *tn_reflection_pad3d(const tn_tensor *self, tn_dims padding);

/* tn_pad with mode replicate. */
TN_API tn_tensor *tn_replication_pad1d(const tn_tensor *self, tn_dims padding);

/* replication_pad1d under its other name. */
TN_API tn_tensor *tn_replication_pad2d(const tn_tensor *self, tn_dims padding);

/* replication_pad1d under its other name. */
TN_API tn_tensor *tn_replication_pad3d(const tn_tensor *self, tn_dims padding);

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

/* A copy of a diagonal of a matrix; for a vector, the matrix that has it as a diagonal. See also tn_diagonal, a view. */
TN_API tn_tensor *tn_diag(const tn_tensor *self, int64_t diagonal);
TN_API tn_tensor *tn_diag_out(tn_tensor *out, const tn_tensor *self, int64_t diagonal);

/* The last dimension as diagonals of matrices, 0 elsewhere: dim1 and dim2 of the result replace it. */
TN_API tn_tensor *tn_diag_embed(const tn_tensor *self, int64_t offset, int64_t dim1, int64_t dim2);

/* All elements, in row-major order, as a diagonal of a matrix. */
TN_API tn_tensor *tn_diagflat(const tn_tensor *self, int64_t offset);

/* The products of each element of a vector with each of another. */
TN_API tn_tensor *tn_outer(const tn_tensor *self, const tn_tensor *vec2);
TN_API tn_tensor *tn_outer_out(tn_tensor *out, const tn_tensor *self, const tn_tensor *vec2);

/* outer under its other name. */
TN_API tn_tensor *tn_ger(const tn_tensor *self, const tn_tensor *vec2);
TN_API tn_tensor *tn_ger_out(tn_tensor *out, const tn_tensor *self, const tn_tensor *vec2);

/* The Kronecker product: other in place of each element of self, times that element. */
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

/* The powers 1, x, x^2, ... of each element, N of them in a new last dimension; by default as many as the last dimension has.
 * Integers become int64. TN_ERROR_ARGUMENT for fewer than two powers. */
TN_API tn_tensor *tn_linalg_vander(const tn_tensor *x, int64_t N);

/* Parts along a dimension scaled down to maxnorm where their p-norm is larger. */
TN_API tn_tensor *tn_renorm(const tn_tensor *self, tn_scalar p, int64_t dim, tn_scalar maxnorm);
TN_API tn_tensor *tn_renorm_(tn_tensor *self, tn_scalar p, int64_t dim, tn_scalar maxnorm);
TN_API tn_tensor *tn_renorm_out(tn_tensor *out, const tn_tensor *self, tn_scalar p, int64_t dim, tn_scalar maxnorm);

/* ---- reduce ------------------------------------------------------------------------------------------------------ */

/* The sum of all elements. Integers and bools are summed in int64; with a dtype, elements are converted to it before they are
 * added. The same bits for every number of threads. */
TN_API tn_tensor *tn_sum(const tn_tensor *self, tn_dtype dtype);
TN_API tn_tensor *tn_sum_out(tn_tensor *out, const tn_tensor *self, tn_dtype dtype);

/* The sum over some dimensions, none meaning all; keepdim leaves them with size 1. TN_ERROR_ARGUMENT when one is named
 * twice. */
TN_API tn_tensor *tn_sum_dim(const tn_tensor *self, tn_dims dim, bool keepdim, tn_dtype dtype);
TN_API tn_tensor *tn_sum_dim_out(tn_tensor *out, const tn_tensor *self, tn_dims dim, bool keepdim, tn_dtype dtype);

/* sum with every NaN counted as 0. */
TN_API tn_tensor *tn_nansum(const tn_tensor *self, tn_dims dim, bool keepdim, tn_dtype dtype);
TN_API tn_tensor *tn_nansum_out(tn_tensor *out, const tn_tensor *self, tn_dims dim, bool keepdim, tn_dtype dtype);

/* The mean of all elements; NaN of no elements. TN_ERROR_DTYPE for integers, unless a floating dtype is given. */
TN_API tn_tensor *tn_mean(const tn_tensor *self, tn_dtype dtype);
TN_API tn_tensor *tn_mean_out(tn_tensor *out, const tn_tensor *self, tn_dtype dtype);

/* The mean over some dimensions, none meaning all. */
TN_API tn_tensor *tn_mean_dim(const tn_tensor *self, tn_dims dim, bool keepdim, tn_dtype dtype);
TN_API tn_tensor *tn_mean_dim_out(tn_tensor *out, const tn_tensor *self, tn_dims dim, bool keepdim, tn_dtype dtype);

/* The mean of the elements that are not NaN; for float16 and bfloat16 the sum is formed in float32. */
TN_API tn_tensor *tn_nanmean(const tn_tensor *self, tn_dims dim, bool keepdim, tn_dtype dtype);
TN_API tn_tensor *tn_nanmean_out(tn_tensor *out, const tn_tensor *self, tn_dims dim, bool keepdim, tn_dtype dtype);

/* The product of all elements. Integers and bools are multiplied in int64. */
TN_API tn_tensor *tn_prod(const tn_tensor *self, tn_dtype dtype);
TN_API tn_tensor *tn_prod_out(tn_tensor *out, const tn_tensor *self, tn_dtype dtype);

/* The product along a dimension. */
TN_API tn_tensor *tn_prod_dim(const tn_tensor *self, int64_t dim, bool keepdim, tn_dtype dtype);
TN_API tn_tensor *tn_prod_dim_out(tn_tensor *out, const tn_tensor *self, int64_t dim, bool keepdim, tn_dtype dtype);

/* The variance of all elements, divided by their number minus 1 (unbiased) or by their number. Computed in float64 whatever the
 * dtype. */
TN_API tn_tensor *tn_var(const tn_tensor *self, bool unbiased);

/* The variance over some dimensions, none meaning all. */
TN_API tn_tensor *tn_var_dim(const tn_tensor *self, tn_dims dim, bool unbiased, bool keepdim);
TN_API tn_tensor *tn_var_dim_out(tn_tensor *out, const tn_tensor *self, tn_dims dim, bool unbiased, bool keepdim);

/* The variance over some dimensions, divided by the number of elements minus a correction, which is 1 when left out. */
TN_API tn_tensor *tn_var_correction(const tn_tensor *self, tn_dims dim, tn_scalar correction, bool keepdim);
TN_API tn_tensor *tn_var_correction_out(tn_tensor *out, const tn_tensor *self, tn_dims dim, tn_scalar correction, bool keepdim);

/* var and mean together, in one pass. */
TN_API tn_list *tn_var_mean(const tn_tensor *self, bool unbiased);

/* The same over some dimensions, none meaning all. */
TN_API tn_list *tn_var_mean_dim(const tn_tensor *self, tn_dims dim, bool unbiased, bool keepdim);

/* The same with a correction, as in var.correction. */
TN_API tn_list *tn_var_mean_correction(const tn_tensor *self, tn_dims dim, tn_scalar correction, bool keepdim);
TN_API tn_tensor *tn_var_mean_correction_out(tn_tensor *var, tn_tensor *mean, const tn_tensor *self, tn_dims dim,
                                             tn_scalar correction, bool keepdim);

/* The standard deviation of all elements, divided by their number minus 1 (unbiased) or by their number. Computed in float64
 * whatever the dtype. */
TN_API tn_tensor *tn_std(const tn_tensor *self, bool unbiased);

/* The standard deviation over some dimensions, none meaning all. */
TN_API tn_tensor *tn_std_dim(const tn_tensor *self, tn_dims dim, bool unbiased, bool keepdim);
TN_API tn_tensor *tn_std_dim_out(tn_tensor *out, const tn_tensor *self, tn_dims dim, bool unbiased, bool keepdim);

/* The standard deviation over some dimensions, divided by the number of elements minus a correction, which is 1 when left
 * out. */
TN_API tn_tensor *tn_std_correction(const tn_tensor *self, tn_dims dim, tn_scalar correction, bool keepdim);
TN_API tn_tensor *tn_std_correction_out(tn_tensor *out, const tn_tensor *self, tn_dims dim, tn_scalar correction, bool keepdim);

/* std and mean together, in one pass. */
TN_API tn_list *tn_std_mean(const tn_tensor *self, bool unbiased);

/* The same over some dimensions, none meaning all. */
TN_API tn_list *tn_std_mean_dim(const tn_tensor *self, tn_dims dim, bool unbiased, bool keepdim);

/* The same with a correction, as in std.correction. */
TN_API tn_list *tn_std_mean_correction(const tn_tensor *self, tn_dims dim, tn_scalar correction, bool keepdim);
TN_API tn_tensor *tn_std_mean_correction_out(tn_tensor *std, tn_tensor *mean, const tn_tensor *self, tn_dims dim,
                                             tn_scalar correction, bool keepdim);

/* The largest element over some dimensions, none meaning all; a NaN if there is one. TN_ERROR_SHAPE where there are no
 * elements. */
TN_API tn_tensor *tn_amax(const tn_tensor *self, tn_dims dim, bool keepdim);
TN_API tn_tensor *tn_amax_out(tn_tensor *out, const tn_tensor *self, tn_dims dim, bool keepdim);

/* The smallest element over some dimensions, none meaning all; a NaN if there is one. TN_ERROR_SHAPE where there are no
 * elements. */
TN_API tn_tensor *tn_amin(const tn_tensor *self, tn_dims dim, bool keepdim);
TN_API tn_tensor *tn_amin_out(tn_tensor *out, const tn_tensor *self, tn_dims dim, bool keepdim);

/* amin and amax together, in one pass, along a dimension or over all. */
TN_API tn_list *tn_aminmax(const tn_tensor *self, int64_t dim, bool keepdim);
TN_API tn_tensor *tn_aminmax_out(tn_tensor *min, tn_tensor *max, const tn_tensor *self, int64_t dim, bool keepdim);

/* The largest of all elements; a NaN if there is one. */
TN_API tn_tensor *tn_max(const tn_tensor *self);
TN_API tn_tensor *tn_max_out(tn_tensor *out, const tn_tensor *self);

/* The largest elements along a dimension, and their indices in it: of equal ones the first. */
TN_API tn_list *tn_max_dim(const tn_tensor *self, int64_t dim, bool keepdim);
TN_API tn_tensor *tn_max_dim_out(tn_tensor *values, tn_tensor *indices, const tn_tensor *self, int64_t dim, bool keepdim);

/* Another name for maximum. */
TN_API tn_tensor *tn_max_other(const tn_tensor *self, const tn_tensor *other);
TN_API tn_tensor *tn_max_other_out(tn_tensor *out, const tn_tensor *self, const tn_tensor *other);

/* The smallest of all elements; a NaN if there is one. */
TN_API tn_tensor *tn_min(const tn_tensor *self);
TN_API tn_tensor *tn_min_out(tn_tensor *out, const tn_tensor *self);

/* The smallest elements along a dimension, and their indices in it: of equal ones the first. */
TN_API tn_list *tn_min_dim(const tn_tensor *self, int64_t dim, bool keepdim);
TN_API tn_tensor *tn_min_dim_out(tn_tensor *values, tn_tensor *indices, const tn_tensor *self, int64_t dim, bool keepdim);

/* Another name for minimum. */
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

/* The same over some dimensions: over all without a list (NULL), over none with an empty list (TN_DIMS()). */
TN_API tn_tensor *tn_any_dims(const tn_tensor *self, tn_dims dim, bool keepdim);
TN_API tn_tensor *tn_any_dims_out(tn_tensor *out, const tn_tensor *self, tn_dims dim, bool keepdim);

/* Whether no element is 0. bool; uint8 for uint8. Of none: true. */
TN_API tn_tensor *tn_all(const tn_tensor *self);
TN_API tn_tensor *tn_all_out(tn_tensor *out, const tn_tensor *self);

/* The same along a dimension. */
TN_API tn_tensor *tn_all_dim(const tn_tensor *self, int64_t dim, bool keepdim);
TN_API tn_tensor *tn_all_dim_out(tn_tensor *out, const tn_tensor *self, int64_t dim, bool keepdim);

/* The same over some dimensions: over all without a list (NULL), over none with an empty list (TN_DIMS()). */
TN_API tn_tensor *tn_all_dims(const tn_tensor *self, tn_dims dim, bool keepdim);
TN_API tn_tensor *tn_all_dims_out(tn_tensor *out, const tn_tensor *self, tn_dims dim, bool keepdim);

/* linalg_vector_norm of all elements. */
TN_API tn_tensor *tn_norm(const tn_tensor *self, tn_scalar p);
TN_API tn_tensor *tn_norm_out(tn_tensor *out, const tn_tensor *self, tn_scalar p);

/* linalg_vector_norm over some dimensions, none meaning all; p is 2 when left out. */
TN_API tn_tensor *tn_norm_dim(const tn_tensor *self, tn_scalar p, tn_dims dim, bool keepdim, tn_dtype dtype);
TN_API tn_tensor *tn_norm_dim_out(tn_tensor *out, const tn_tensor *self, tn_scalar p, tn_dims dim, bool keepdim,
                                  tn_dtype dtype);

/* The sum of the magnitudes to the power of ord, to the power of 1 / ord; for ord 0 the number of elements that are not 0, for
 * the infinities the largest and the smallest magnitude. TN_ERROR_SHAPE where ord is negative or infinite and there are no
 * elements. TN_ERROR_DTYPE for integers. */
TN_API tn_tensor *tn_linalg_vector_norm(const tn_tensor *self, tn_scalar ord, tn_dims dim, bool keepdim, tn_dtype dtype);
TN_API tn_tensor *tn_linalg_vector_norm_out(tn_tensor *out, const tn_tensor *self, tn_scalar ord, tn_dims dim, bool keepdim,
                                            tn_dtype dtype);

/* The logarithm of the sum of the exponentials over some dimensions, without overflow. */
TN_API tn_tensor *tn_logsumexp(const tn_tensor *self, tn_dims dim, bool keepdim);
TN_API tn_tensor *tn_logsumexp_out(tn_tensor *out, const tn_tensor *self, tn_dims dim, bool keepdim);

/* How many elements are not 0, along a dimension or in all. int64. */
TN_API tn_tensor *tn_count_nonzero(const tn_tensor *self, int64_t dim);
TN_API tn_tensor *tn_count_nonzero_out(tn_tensor *out, const tn_tensor *self, int64_t dim);

/* The same over some dimensions, none meaning all. */
TN_API tn_tensor *tn_count_nonzero_dims(const tn_tensor *self, tn_dims dim);
TN_API tn_tensor *tn_count_nonzero_dims_out(tn_tensor *out, const tn_tensor *self, tn_dims dim);

/* norm of self - other, which broadcast. */
TN_API tn_tensor *tn_dist(const tn_tensor *self, const tn_tensor *other, tn_scalar p);
TN_API tn_tensor *tn_dist_out(tn_tensor *out, const tn_tensor *self, const tn_tensor *other, tn_scalar p);

/* The sum over the dimensions that broadcasting from size to the sizes of self would repeat, in the dtype of sum; self itself
 * where there is nothing to add up. TN_ERROR_SHAPE when size does not broadcast to the sizes of self. */
TN_API tn_tensor *tn_sum_to_size(const tn_tensor *self, tn_dims size);

/* Each of several segments along a dimension reduced to one number: reduce is sum, mean, prod, max (amax) or min (amin).
 * lengths, integers whose last dimension is axis, says how long each segment is; the dimensions before it are those of data.
 * They add up to the size of data there unless unsafe. offsets says instead where each begins, and where the last ends. A
 * segment without elements is initial, or else 0, NaN, 1 or an infinity. The elements are floats of 16 bits or more. indices, a
 * parameter of PyTorch's, must be NULL. */
TN_API tn_tensor *tn_segment_reduce(const tn_tensor *data, const char *reduce, const tn_tensor *lengths,
                                    const tn_tensor *indices, const tn_tensor *offsets, int64_t axis, bool unsafe,
                                    tn_scalar initial);

/* ---- statistics -------------------------------------------------------------------------------------------------- */

/* The differences of neighbours along a dimension, n times over; for bool whether they differ. prepend and append are joined to
 * self first. */
TN_API tn_tensor *tn_diff(const tn_tensor *self, int64_t n, int64_t dim, const tn_tensor *prepend, const tn_tensor *append);
TN_API tn_tensor *tn_diff_out(tn_tensor *out, const tn_tensor *self, int64_t n, int64_t dim, const tn_tensor *prepend,
                              const tn_tensor *append);

/* The slope of a function known at points, along each of some dimensions, none meaning all: a tensor for each. spacing: the
 * distance of points, one for all or one for each dimension; none means 1. At the ends, of a line (edge_order 1) or a parabola
 * (2). */
TN_API tn_list *tn_gradient(const tn_tensor *self, tn_floats spacing, tn_dims dim, int64_t edge_order);

/* The same at points with the given coordinates, a vector for each dimension. */
TN_API tn_list *tn_gradient_coordinates(const tn_tensor *self, const tn_tensor *const *spacing, int64_t spacing_count,
                                        tn_dims dim, int64_t edge_order);

/* The area under the line through points at distances dx, by the trapezoidal rule along a dimension. Integers give the default
 * float. */
TN_API tn_tensor *tn_trapezoid(const tn_tensor *y, tn_scalar dx, int64_t dim);

/* The same at given x values: a vector, or a tensor that is broadcast. */
TN_API tn_tensor *tn_trapezoid_x(const tn_tensor *y, const tn_tensor *x, int64_t dim);

/* trapezoid under its other name. */
TN_API tn_tensor *tn_trapz_x(const tn_tensor *y, const tn_tensor *x, int64_t dim);

/* Another name for trapezoid. */
TN_API tn_tensor *tn_trapz(const tn_tensor *y, double dx, int64_t dim);

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

/* cdist under its other name. */
TN_API tn_tensor *tn__cdist_forward(const tn_tensor *x1, const tn_tensor *x2, double p);

/* The same: every compute_mode that PyTorch has gives the exact differences. */
TN_API tn_tensor *tn_cdist_compute_mode(const tn_tensor *x1, const tn_tensor *x2, double p, const char *compute_mode);

/* The p-norms of the differences of all pairs of rows, the first with the second, the first with the third, and so on. A NaN
 * among the differences gives a NaN, even for the largest (p infinite), where cdist skips it; both as in PyTorch. */
TN_API tn_tensor *tn_pdist(const tn_tensor *self, double p);

/* pdist under its other name. */
TN_API tn_tensor *tn__pdist_forward(const tn_tensor *self, double p);

/* The cosine of the angle between x1 and x2 along a dimension; lengths below eps count as eps. */
TN_API tn_tensor *tn_cosine_similarity(const tn_tensor *x1, const tn_tensor *x2, int64_t dim, double eps);

/* The p-norm of x1 - x2 + eps along the last dimension. */
TN_API tn_tensor *tn_pairwise_distance(const tn_tensor *x1, const tn_tensor *x2, double p, double eps, bool keepdim);

/* ---- compare ----------------------------------------------------------------------------------------------------- */

/* self == other, as bool, in the common dtype. A NaN equals nothing. A whole number, or a tensor of no dimensions, that the
 * other's integer dtype cannot hold is not wrapped into it, as torch would: no int8 is equal to 300. Integers are compared by
 * value, uint64 with a signed dtype too. */
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

/* ne under its other name. */
TN_API tn_tensor *tn_not_equal(const tn_tensor *self, const tn_tensor *other);
TN_API tn_tensor *tn_not_equal_(tn_tensor *self, const tn_tensor *other);
TN_API tn_tensor *tn_not_equal_out(tn_tensor *out, const tn_tensor *self, const tn_tensor *other);

/* The same with a number. */
TN_API tn_tensor *tn_ne_scalar(const tn_tensor *self, tn_scalar other);
TN_API tn_tensor *tn_ne_scalar_(tn_tensor *self, tn_scalar other);
TN_API tn_tensor *tn_ne_scalar_out(tn_tensor *out, const tn_tensor *self, tn_scalar other);

/* ne under its other name. */
TN_API tn_tensor *tn_not_equal_scalar(const tn_tensor *self, tn_scalar other);
TN_API tn_tensor *tn_not_equal_scalar_(tn_tensor *self, tn_scalar other);
TN_API tn_tensor *tn_not_equal_scalar_out(tn_tensor *out, const tn_tensor *self, tn_scalar other);

/* self < other, as bool, in the common dtype. Refused for complex numbers. As eq otherwise: every int8 is below 300. */
TN_API tn_tensor *tn_lt(const tn_tensor *self, const tn_tensor *other);
TN_API tn_tensor *tn_lt_(tn_tensor *self, const tn_tensor *other);
TN_API tn_tensor *tn_lt_out(tn_tensor *out, const tn_tensor *self, const tn_tensor *other);

/* lt under its other name. */
TN_API tn_tensor *tn_less(const tn_tensor *self, const tn_tensor *other);
TN_API tn_tensor *tn_less_(tn_tensor *self, const tn_tensor *other);
TN_API tn_tensor *tn_less_out(tn_tensor *out, const tn_tensor *self, const tn_tensor *other);

/* The same with a number. */
TN_API tn_tensor *tn_lt_scalar(const tn_tensor *self, tn_scalar other);
TN_API tn_tensor *tn_lt_scalar_(tn_tensor *self, tn_scalar other);
TN_API tn_tensor *tn_lt_scalar_out(tn_tensor *out, const tn_tensor *self, tn_scalar other);

/* lt under its other name. */
TN_API tn_tensor *tn_less_scalar(const tn_tensor *self, tn_scalar other);
TN_API tn_tensor *tn_less_scalar_(tn_tensor *self, tn_scalar other);
TN_API tn_tensor *tn_less_scalar_out(tn_tensor *out, const tn_tensor *self, tn_scalar other);

/* The same with a number in front. */
TN_API tn_tensor *tn_lt_rscalar(tn_scalar self, const tn_tensor *other);
TN_API tn_tensor *tn_lt_rscalar_out(tn_tensor *out, tn_scalar self, const tn_tensor *other);

/* self <= other, as bool, in the common dtype. As lt. */
TN_API tn_tensor *tn_le(const tn_tensor *self, const tn_tensor *other);
TN_API tn_tensor *tn_le_(tn_tensor *self, const tn_tensor *other);
TN_API tn_tensor *tn_le_out(tn_tensor *out, const tn_tensor *self, const tn_tensor *other);

/* le under its other name. */
TN_API tn_tensor *tn_less_equal(const tn_tensor *self, const tn_tensor *other);
TN_API tn_tensor *tn_less_equal_(tn_tensor *self, const tn_tensor *other);
TN_API tn_tensor *tn_less_equal_out(tn_tensor *out, const tn_tensor *self, const tn_tensor *other);

/* The same with a number. */
TN_API tn_tensor *tn_le_scalar(const tn_tensor *self, tn_scalar other);
TN_API tn_tensor *tn_le_scalar_(tn_tensor *self, tn_scalar other);
TN_API tn_tensor *tn_le_scalar_out(tn_tensor *out, const tn_tensor *self, tn_scalar other);

/* le under its other name. */
TN_API tn_tensor *tn_less_equal_scalar(const tn_tensor *self, tn_scalar other);
TN_API tn_tensor *tn_less_equal_scalar_(tn_tensor *self, tn_scalar other);
TN_API tn_tensor *tn_less_equal_scalar_out(tn_tensor *out, const tn_tensor *self, tn_scalar other);

/* The same with a number in front. */
TN_API tn_tensor *tn_le_rscalar(tn_scalar self, const tn_tensor *other);
TN_API tn_tensor *tn_le_rscalar_out(tn_tensor *out, tn_scalar self, const tn_tensor *other);

/* self > other, as bool, in the common dtype. As lt. */
TN_API tn_tensor *tn_gt(const tn_tensor *self, const tn_tensor *other);
TN_API tn_tensor *tn_gt_(tn_tensor *self, const tn_tensor *other);
TN_API tn_tensor *tn_gt_out(tn_tensor *out, const tn_tensor *self, const tn_tensor *other);

/* gt under its other name. */
TN_API tn_tensor *tn_greater(const tn_tensor *self, const tn_tensor *other);
TN_API tn_tensor *tn_greater_(tn_tensor *self, const tn_tensor *other);
TN_API tn_tensor *tn_greater_out(tn_tensor *out, const tn_tensor *self, const tn_tensor *other);

/* The same with a number. */
TN_API tn_tensor *tn_gt_scalar(const tn_tensor *self, tn_scalar other);
TN_API tn_tensor *tn_gt_scalar_(tn_tensor *self, tn_scalar other);
TN_API tn_tensor *tn_gt_scalar_out(tn_tensor *out, const tn_tensor *self, tn_scalar other);

/* gt under its other name. */
TN_API tn_tensor *tn_greater_scalar(const tn_tensor *self, tn_scalar other);
TN_API tn_tensor *tn_greater_scalar_(tn_tensor *self, tn_scalar other);
TN_API tn_tensor *tn_greater_scalar_out(tn_tensor *out, const tn_tensor *self, tn_scalar other);

/* The same with a number in front. */
TN_API tn_tensor *tn_gt_rscalar(tn_scalar self, const tn_tensor *other);
TN_API tn_tensor *tn_gt_rscalar_out(tn_tensor *out, tn_scalar self, const tn_tensor *other);

/* self >= other, as bool, in the common dtype. As lt. */
TN_API tn_tensor *tn_ge(const tn_tensor *self, const tn_tensor *other);
TN_API tn_tensor *tn_ge_(tn_tensor *self, const tn_tensor *other);
TN_API tn_tensor *tn_ge_out(tn_tensor *out, const tn_tensor *self, const tn_tensor *other);

/* ge under its other name. */
TN_API tn_tensor *tn_greater_equal(const tn_tensor *self, const tn_tensor *other);
TN_API tn_tensor *tn_greater_equal_(tn_tensor *self, const tn_tensor *other);
TN_API tn_tensor *tn_greater_equal_out(tn_tensor *out, const tn_tensor *self, const tn_tensor *other);

/* The same with a number. */
TN_API tn_tensor *tn_ge_scalar(const tn_tensor *self, tn_scalar other);
TN_API tn_tensor *tn_ge_scalar_(tn_tensor *self, tn_scalar other);
TN_API tn_tensor *tn_ge_scalar_out(tn_tensor *out, const tn_tensor *self, tn_scalar other);

/* ge under its other name. */
TN_API tn_tensor *tn_greater_equal_scalar(const tn_tensor *self, tn_scalar other);
TN_API tn_tensor *tn_greater_equal_scalar_(tn_tensor *self, tn_scalar other);
TN_API tn_tensor *tn_greater_equal_scalar_out(tn_tensor *out, const tn_tensor *self, tn_scalar other);

/* The same with a number in front. */
TN_API tn_tensor *tn_ge_rscalar(tn_scalar self, const tn_tensor *other);
TN_API tn_tensor *tn_ge_rscalar_out(tn_tensor *out, tn_scalar self, const tn_tensor *other);

/* |self - other| <= atol + |rtol * other|, as bool. Infinities are close when they are equal, NaNs when equal_nan says so. The
 * difference of integers is exact, even between two dtypes, which PyTorch refuses to compare. TN_ERROR_ARGUMENT for a negative
 * tolerance. */
TN_API tn_tensor *tn_isclose(const tn_tensor *self, const tn_tensor *other, double rtol, double atol, bool equal_nan);

/* The same with a number. */
TN_API tn_tensor *tn_isclose_scalar(const tn_tensor *self, tn_scalar other, double rtol, double atol, bool equal_nan);

/* The same with a number in front. */
TN_API tn_tensor *tn_isclose_rscalar(tn_scalar self, const tn_tensor *other, double rtol, double atol, bool equal_nan);

/* Whether the sizes are the same and eq holds everywhere, so a tensor with a NaN is not equal to itself. Dtypes may differ. Two
 * tensors without elements are equal if their sizes are. false, with the error recorded, where the comparison fails. */
TN_API bool tn_equal(const tn_tensor *self, const tn_tensor *other);

/* Whether isclose holds everywhere; the shapes are broadcast. false, with the error recorded, where the comparison fails. */
TN_API bool tn_allclose(const tn_tensor *self, const tn_tensor *other, double rtol, double atol, bool equal_nan);

/* Whether an element is not a number; for a complex one, whether either part is not. Integers are finite. */
TN_API tn_tensor *tn_isnan(const tn_tensor *self);
TN_API tn_tensor *tn_isnan_out(tn_tensor *out, const tn_tensor *self);

/* Whether an element is an infinity of either sign; for a complex one, whether either part is. Integers are finite. */
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

/* Whether the sign is negative, for -0.0 and NaN too. Refused for complex numbers. */
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

/* The bits that both elements have; for bools, whether both are true. */
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

/* The bits that either element has; for bools, whether either is true. */
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

/* The bits in which the elements differ; for bools, whether they differ. */
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

/* All bits inverted; for a bool, its opposite. */
TN_API tn_tensor *tn_bitwise_not(const tn_tensor *self);
TN_API tn_tensor *tn_bitwise_not_(tn_tensor *self);
TN_API tn_tensor *tn_bitwise_not_out(tn_tensor *out, const tn_tensor *self);

/* The bits moved to the left, filled with zeros: self * 2**other, wrapped. 0 where other is negative or not less than the
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

/* The bits moved to the right, filled with the sign: self / 2**other, rounded down. Only the sign is left where other is
 * negative or not less than the number of bits. */
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

/* The element of self where condition, a bool tensor, is true, otherwise that of other. All three are broadcast; self and other
 * are promoted. TN_ERROR_DTYPE for a condition of another dtype, except uint8, which gives a warning. */
TN_API tn_tensor *tn_where(const tn_tensor *condition, const tn_tensor *self, const tn_tensor *other);
TN_API tn_tensor *tn_where_out(tn_tensor *out, const tn_tensor *condition, const tn_tensor *self, const tn_tensor *other);

/* The same with a number in place of self. TN_ERROR_DTYPE when an integer result cannot hold it. */
TN_API tn_tensor *tn_where_self_scalar(const tn_tensor *condition, tn_scalar self, const tn_tensor *other);
TN_API tn_tensor *tn_where_self_scalar_out(tn_tensor *out, const tn_tensor *condition, tn_scalar self, const tn_tensor *other);

/* The same with a number in place of other. */
TN_API tn_tensor *tn_where_other_scalar(const tn_tensor *condition, const tn_tensor *self, tn_scalar other);
TN_API tn_tensor *tn_where_other_scalar_out(tn_tensor *out, const tn_tensor *condition, const tn_tensor *self, tn_scalar other);

/* The same with two numbers; the result has their common dtype. */
TN_API tn_tensor *tn_where_scalars(const tn_tensor *condition, tn_scalar self, tn_scalar other);
TN_API tn_tensor *tn_where_scalars_out(tn_tensor *out, const tn_tensor *condition, tn_scalar self, tn_scalar other);

/* value where mask, a bool tensor, is true, otherwise the element of self; in the dtype of self. TN_ERROR_DTYPE when that dtype
 * cannot hold value. */
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

/* The view from text, written as in Python: "..., 1:, ::-2, None". TN_ERROR_ARGUMENT, with the column, for what cannot be
 * read. */
TN_API tn_tensor *tn_index_text(const tn_tensor *self, const char *index);

/* self[...] = source: source is broadcast to the selected part and converted to the dtype of self. With tensors in the index it
 * must have that dtype; where several elements meet at one place the last in row-major order stays. Without tensors in the
 * index, source may be on another device. */
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

/* The slices of self along dim whose numbers are in index, a tensor of one dimension. Negative numbers are TN_ERROR_INDEX, like
 * all that are out of range. */
TN_API tn_tensor *tn_index_select(const tn_tensor *self, int64_t dim, const tn_tensor *index);
TN_API tn_tensor *tn_index_select_out(tn_tensor *out, const tn_tensor *self, int64_t dim, const tn_tensor *index);

/* Adds alpha times the slices of source to those of self along dim whose numbers are in index; several for one slice are added
 * in order. */
TN_API tn_tensor *tn_index_add(const tn_tensor *self, int64_t dim, const tn_tensor *index, const tn_tensor *source,
                               tn_scalar alpha);
TN_API tn_tensor *tn_index_add_(tn_tensor *self, int64_t dim, const tn_tensor *index, const tn_tensor *source, tn_scalar alpha);
TN_API tn_tensor *tn_index_add_out(tn_tensor *out, const tn_tensor *self, int64_t dim, const tn_tensor *index,
                                   const tn_tensor *source, tn_scalar alpha);

/* Replaces the slices of self along dim whose numbers are in index by those of source; where several go to one slice the last
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

/* The elements of self, as if it had one dimension, at the positions in index; the result has the shape of index. Negative
 * positions count from the end. */
TN_API tn_tensor *tn_take(const tn_tensor *self, const tn_tensor *index);
TN_API tn_tensor *tn_take_out(tn_tensor *out, const tn_tensor *self, const tn_tensor *index);

/* gather, with self and indices broadcast in the other dimensions and negative positions counting from the end: for the results
 * of argsort and argmax. Without dim (TN_NONE) both are flattened. */
TN_API tn_tensor *tn_take_along_dim(const tn_tensor *self, const tn_tensor *indices, int64_t dim);
TN_API tn_tensor *tn_take_along_dim_out(tn_tensor *out, const tn_tensor *self, const tn_tensor *indices, int64_t dim);

/* Writes the elements of src into self along dim at the positions in index: for dim 0, self[index[i, j], j] = src[i, j]. The
 * inverse of gather. Where several meet, the last in row-major order stays. Negative positions are TN_ERROR_INDEX. */
TN_API tn_tensor *tn_scatter(const tn_tensor *self, int64_t dim, const tn_tensor *index, const tn_tensor *src);
TN_API tn_tensor *tn_scatter_(tn_tensor *self, int64_t dim, const tn_tensor *index, const tn_tensor *src);
TN_API tn_tensor *tn_scatter_out(tn_tensor *out, const tn_tensor *self, int64_t dim, const tn_tensor *index,
                                 const tn_tensor *src);

/* The same with one value for all. */
TN_API tn_tensor *tn_scatter_value(const tn_tensor *self, int64_t dim, const tn_tensor *index, tn_scalar value);
TN_API tn_tensor *tn_scatter_value_(tn_tensor *self, int64_t dim, const tn_tensor *index, tn_scalar value);
TN_API tn_tensor *tn_scatter_value_out(tn_tensor *out, const tn_tensor *self, int64_t dim, const tn_tensor *index,
                                       tn_scalar value);

/* scatter that combines with the old value: reduce is add or multiply. scatter_reduce has more. */
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

/* A copy of self, its strides and offset included, in which self.as_strided(size, stride, storage_offset) is src. */
TN_API tn_tensor *tn_as_strided_scatter(const tn_tensor *self, const tn_tensor *src, tn_dims size, tn_dims stride,
                                        int64_t storage_offset);

/* The rows of weight, a tensor of two dimensions, whose numbers are in indices: the result has one dimension more. The row
 * padding_idx has no gradient; -1 for none. With scale_grad_by_freq gradients are divided by how often an index occurs; sparse
 * changes nothing. */
TN_API tn_tensor *tn_embedding(const tn_tensor *weight, const tn_tensor *indices, int64_t padding_idx, bool scale_grad_by_freq,
                               bool sparse);

/* A new last dimension of zeros with a one at the place that self gives, in int64. num_classes is its size; -1: the largest
 * element of self plus 1. */
TN_API tn_tensor *tn_one_hot(const tn_tensor *self, int64_t num_classes);

/* ---- sort -------------------------------------------------------------------------------------------------------- */

/* The elements of every line along a dimension in ascending (or descending) order, and the index each came from. NaN counts as
 * the greatest, -0 and 0 as equal. Equal elements keep their order. TN_ERROR_DTYPE for complex dtypes. */
TN_API tn_list *tn_sort(const tn_tensor *self, int64_t dim, bool descending);
TN_API tn_tensor *tn_sort_out(tn_tensor *values, tn_tensor *indices, const tn_tensor *self, int64_t dim, bool descending);

/* The same: every sort is stable, whether asked for or not. */
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
 * are chosen and ordered as PyTorch's algorithm does. TN_ERROR_INDEX for a k larger than the lines. */
TN_API tn_list *tn_topk(const tn_tensor *self, int64_t k, int64_t dim, bool largest, bool sorted);
TN_API tn_tensor *tn_topk_out(tn_tensor *values, tn_tensor *indices, const tn_tensor *self, int64_t k, int64_t dim,
                              bool largest, bool sorted);

/* The k-th smallest element (1 is the first) of every line along a dimension, and its index; among equal ones the one that
 * PyTorch's algorithm chooses. TN_ERROR_INDEX for a k larger than the lines. */
TN_API tn_list *tn_kthvalue(const tn_tensor *self, int64_t k, int64_t dim, bool keepdim);
TN_API tn_tensor *tn_kthvalue_out(tn_tensor *values, tn_tensor *indices, const tn_tensor *self, int64_t k, int64_t dim,
                                  bool keepdim);

/* The middle element of all, the lower one of two; NaN where there is a NaN, or no element. */
TN_API tn_tensor *tn_median(const tn_tensor *self);

/* The middle element of every line along a dimension, the lower one of two, and its index; the first NaN where there is one.
 * TN_ERROR_INDEX for lines without elements. */
TN_API tn_list *tn_median_dim(const tn_tensor *self, int64_t dim, bool keepdim);
TN_API tn_tensor *tn_median_dim_out(tn_tensor *values, tn_tensor *indices, const tn_tensor *self, int64_t dim, bool keepdim);

/* The middle of all elements that are not NaN, the lower one of two; NaN where there are none. */
TN_API tn_tensor *tn_nanmedian(const tn_tensor *self);

/* The same for every line along a dimension, with the index. */
TN_API tn_list *tn_nanmedian_dim(const tn_tensor *self, int64_t dim, bool keepdim);
TN_API tn_tensor *tn_nanmedian_dim_out(tn_tensor *values, tn_tensor *indices, const tn_tensor *self, int64_t dim, bool keepdim);

/* The element that occurs most often in every line along a dimension, the smallest of several, and its index: among equal ones
 * the one that PyTorch's algorithm chooses, the last in lines of up to 16. A NaN equals nothing, and is the mode only of a line
 * of NaN. */
TN_API tn_list *tn_mode(const tn_tensor *self, int64_t dim, bool keepdim);
TN_API tn_tensor *tn_mode_out(tn_tensor *values, tn_tensor *indices, const tn_tensor *self, int64_t dim, bool keepdim);

/* The quantiles q, between 0 and 1, of every line along a dimension, or of all elements; NaN where there is a NaN. Between two
 * elements: linear, lower, higher, midpoint or nearest. q has one dimension, which becomes the first of the result, or none;
 * and, like the result, the dtype of self, float32 or float64. */
TN_API tn_tensor *tn_quantile(const tn_tensor *self, const tn_tensor *q, int64_t dim, bool keepdim, const char *interpolation);
TN_API tn_tensor *tn_quantile_out(tn_tensor *out, const tn_tensor *self, const tn_tensor *q, int64_t dim, bool keepdim,
                                  const char *interpolation);

/* The same for one quantile. */
TN_API tn_tensor *tn_quantile_scalar(const tn_tensor *self, double q, int64_t dim, bool keepdim, const char *interpolation);
TN_API tn_tensor *tn_quantile_scalar_out(tn_tensor *out, const tn_tensor *self, double q, int64_t dim, bool keepdim,
                                         const char *interpolation);

/* quantile of the elements that are not NaN; NaN where there are none. */
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
 * self is; then, where asked for, how often each occurs. They are always sorted, slices by their first elements. */
TN_API tn_list *tn_unique_options(const tn_tensor *self, bool sorted, bool return_inverse, bool return_counts, int64_t dim);

/* The first of every run of equal elements, in their order, in one dimension. */
TN_API tn_tensor *tn_unique_consecutive(const tn_tensor *self);

/* The same for elements, or slices along a dimension, with the lists of unique.options. */
TN_API tn_list *tn_unique_consecutive_options(const tn_tensor *self, bool return_inverse, bool return_counts, int64_t dim);

/* ---- search ------------------------------------------------------------------------------------------------------ */

/* For every value of input, where it belongs in a sequence in ascending order: the first place whose element is not less, or,
 * right, is greater; as int64 or int32. The sequence has one dimension, or the dimensions of input except for the last, which
 * is searched. side, left or right, means the same as right; without it, right decides. sorter: the order in which to read the
 * sequence, from argsort. */
TN_API tn_tensor *tn_searchsorted(const tn_tensor *sorted_sequence, const tn_tensor *input, bool out_int32, bool right,
                                  const char *side, const tn_tensor *sorter);
TN_API tn_tensor *tn_searchsorted_out(tn_tensor *out, const tn_tensor *sorted_sequence, const tn_tensor *input, bool out_int32,
                                      bool right, const char *side, const tn_tensor *sorter);

/* The same for one number, in a sequence of one dimension. */
TN_API tn_tensor *tn_searchsorted_scalar(const tn_tensor *sorted_sequence, tn_scalar input, bool out_int32, bool right,
                                         const char *side, const tn_tensor *sorter);
TN_API tn_tensor *tn_searchsorted_scalar_out(tn_tensor *out, const tn_tensor *sorted_sequence, tn_scalar input, bool out_int32,
                                             bool right, const char *side, const tn_tensor *sorter);

/* Between which of the boundaries, in ascending order and one dimension, every element is: searchsorted with its arguments
 * exchanged. */
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

/* The same for one number: a tensor without dimensions. */
TN_API tn_tensor *tn_isin_rscalar(tn_scalar element, const tn_tensor *test_elements, bool assume_unique, bool invert);
TN_API tn_tensor *tn_isin_rscalar_out(tn_tensor *out, tn_scalar element, const tn_tensor *test_elements, bool assume_unique,
                                      bool invert);

/* The indices of all elements that are not 0, in row-major order: int64 with sizes (how many, dimensions of self). */
TN_API tn_tensor *tn_nonzero(const tn_tensor *self);
TN_API tn_tensor *tn_nonzero_out(tn_tensor *out, const tn_tensor *self);

/* nonzero with as many rows as size says: the first ones, and rows of fill_value where there are fewer. */
TN_API tn_tensor *tn_nonzero_static(const tn_tensor *self, int64_t size, int64_t fill_value);
TN_API tn_tensor *tn_nonzero_static_out(tn_tensor *out, const tn_tensor *self, int64_t size, int64_t fill_value);

/* Positions in a tensor of these sizes, counted row by row, as an index for each dimension. int64. */
TN_API tn_list *tn_unravel_index(const tn_tensor *indices, tn_dims shape);

/* The same as one tensor for each dimension, fit for indexing; a tensor without dimensions counts as having one. */
TN_API tn_list *tn_nonzero_numpy(const tn_tensor *self);

/* Another name for nonzero. */
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

/* The same with the given edges, in ascending order and in the dtype of self. */
TN_API tn_list *tn_histogram_bins(const tn_tensor *self, const tn_tensor *bins, const tn_tensor *weight, bool density);
TN_API tn_tensor *tn_histogram_bins_out(tn_tensor *hist, tn_tensor *bin_edges, const tn_tensor *self, const tn_tensor *bins,
                                        const tn_tensor *weight, bool density);

/* How many points fall into each cell of a grid, followed by the edges of its bins in each dimension. The coordinates of a
 * point are the last dimension of self; range has two numbers for each of them, or none: then it is from the least to the
 * greatest. weight and density as for histogram. */
TN_API tn_list *tn_histogramdd(const tn_tensor *self, tn_dims bins, tn_floats range, const tn_tensor *weight, bool density);

/* The same with the given edges, in ascending order and in the dtype of self. */
TN_API tn_list *tn_histogramdd_edges(const tn_tensor *self, const tn_tensor *const *bins, int64_t bins_count,
                                     const tn_tensor *weight, bool density);

/* How often each number from 0 to the greatest, or to minlength - 1, occurs among integers in one dimension; with weights their
 * sums, float32 for float32 and float64 for all others. TN_ERROR_ARGUMENT for a negative number. */
TN_API tn_tensor *tn_bincount(const tn_tensor *self, const tn_tensor *weights, int64_t minlength);

/* ---- softmax ----------------------------------------------------------------------------------------------------- */

/* The exponentials along a dimension divided by their sum. The largest element is subtracted first, so none overflows. With a
 * dtype self is converted to it first; TN_ERROR_DTYPE when the result would not be a float of 16 bits or more. */
TN_API tn_tensor *tn_softmax(const tn_tensor *self, int64_t dim, tn_dtype dtype);
TN_API tn_tensor *tn_softmax_out(tn_tensor *out, const tn_tensor *self, int64_t dim, tn_dtype dtype);

/* The logarithm of softmax, also precise where that is nearly 0 or 1. */
TN_API tn_tensor *tn_log_softmax(const tn_tensor *self, int64_t dim, tn_dtype dtype);
TN_API tn_tensor *tn_log_softmax_out(tn_tensor *out, const tn_tensor *self, int64_t dim, tn_dtype dtype);

/* The gradient of softmax from output, which it gave, and the gradient of that, in one pass: output * (grad_output - the sum of
 * grad_output * output). Both have the same sizes and dtype; the result has input_dtype, or theirs. */
TN_API tn_tensor *tn__softmax_backward_data(const tn_tensor *grad_output, const tn_tensor *output, int64_t dim,
                                            tn_dtype input_dtype);
TN_API tn_tensor *tn__softmax_backward_data_out(tn_tensor *out, const tn_tensor *grad_output, const tn_tensor *output,
                                                int64_t dim, tn_dtype input_dtype);

/* The same of log_softmax: grad_output - exp(output) * the sum of grad_output. */
TN_API tn_tensor *tn__log_softmax_backward_data(const tn_tensor *grad_output, const tn_tensor *output, int64_t dim,
                                                tn_dtype input_dtype);
TN_API tn_tensor *tn__log_softmax_backward_data_out(tn_tensor *out, const tn_tensor *grad_output, const tn_tensor *output,
                                                    int64_t dim, tn_dtype input_dtype);

/* Softmax of -self. */
TN_API tn_tensor *tn_softmin(const tn_tensor *self, int64_t dim, tn_dtype dtype);

/* softmax, of float16 as float32 with half_to_float. */
TN_API tn_tensor *tn__softmax(const tn_tensor *self, int64_t dim, bool half_to_float);

/* log_softmax, of float16 as float32 with half_to_float. */
TN_API tn_tensor *tn__log_softmax(const tn_tensor *self, int64_t dim, bool half_to_float);

/* The last dimensions, whose sizes are normalized_shape, with mean 0 and variance 1: (self - mean) / sqrt(variance + eps),
 * times weight and plus bias where they are given, which have these sizes. They have the dtype of self; beside float16 or
 * bfloat16 both may be float32. */
TN_API tn_tensor *tn_layer_norm(const tn_tensor *self, tn_dims normalized_shape, const tn_tensor *weight, const tn_tensor *bias,
                                double eps);

/* The last dimensions, whose sizes are normalized_shape, divided by the root of their mean square plus eps, times weight where
 * it is given. Without an eps (TN_NO_SCALAR) it is the epsilon of float32, or of float64 for float64. */
TN_API tn_tensor *tn_rms_norm(const tn_tensor *self, tn_dims normalized_shape, const tn_tensor *weight, tn_scalar eps);

/* Every line along a dimension divided by its norm of order p, or by eps where that is larger. */
TN_API tn_tensor *tn_normalize(const tn_tensor *self, double p, int64_t dim, double eps);
TN_API tn_tensor *tn_normalize_out(tn_tensor *out, const tn_tensor *self, double p, int64_t dim, double eps);

/* ---- pooling ----------------------------------------------------------------------------------------------------- */

/* max_pool2d over (channels, length). */
TN_API tn_tensor *tn_max_pool1d(const tn_tensor *self, tn_dims kernel_size, tn_dims stride, tn_dims padding, tn_dims dilation,
                                bool ceil_mode);

/* The largest element of each window over (channels, height, width), with a batch before them or without. Windows of
 * kernel_size elements, dilation apart, begin stride elements after each other (none: kernel_size), the first one padding
 * elements before the first; elements outside are not looked at. There are (size + 2 * padding - dilation * (kernel_size - 1) -
 * 1) / stride + 1 of them, rounded down, or up in ceil_mode but for a window that would begin behind the end. One number counts
 * for all dimensions. A NaN is the largest. The strides of channels_last are kept. TN_ERROR_SHAPE where there is no window,
 * TN_ERROR_ARGUMENT for a padding of more than half a window. */
TN_API tn_tensor *tn_max_pool2d(const tn_tensor *self, tn_dims kernel_size, tn_dims stride, tn_dims padding, tn_dims dilation,
                                bool ceil_mode);
TN_API tn_tensor *tn_max_pool2d_out(tn_tensor *out, const tn_tensor *self, tn_dims kernel_size, tn_dims stride, tn_dims padding,
                                    tn_dims dilation, bool ceil_mode);

/* max_pool2d over (channels, depth, height, width). */
TN_API tn_tensor *tn_max_pool3d(const tn_tensor *self, tn_dims kernel_size, tn_dims stride, tn_dims padding, tn_dims dilation,
                                bool ceil_mode);
TN_API tn_tensor *tn_max_pool3d_out(tn_tensor *out, const tn_tensor *self, tn_dims kernel_size, tn_dims stride, tn_dims padding,
                                    tn_dims dilation, bool ceil_mode);

/* max_pool1d, and where in its plane each element was found, of equal ones the first, counted row by row. int64. */
TN_API tn_list *tn_max_pool1d_with_indices(const tn_tensor *self, tn_dims kernel_size, tn_dims stride, tn_dims padding,
                                           tn_dims dilation, bool ceil_mode);

/* max_pool2d, and where in its plane each element was found, of equal ones the first, counted row by row. int64. */
TN_API tn_list *tn_max_pool2d_with_indices(const tn_tensor *self, tn_dims kernel_size, tn_dims stride, tn_dims padding,
                                           tn_dims dilation, bool ceil_mode);
TN_API tn_tensor *tn_max_pool2d_with_indices_out(tn_tensor *values, tn_tensor *indices, const tn_tensor *self,
                                                 tn_dims kernel_size, tn_dims stride, tn_dims padding, tn_dims dilation,
                                                 bool ceil_mode);

/* max_pool3d, and where in its plane each element was found, of equal ones the first, counted row by row. int64. */
TN_API tn_list *tn_max_pool3d_with_indices(const tn_tensor *self, tn_dims kernel_size, tn_dims stride, tn_dims padding,
                                           tn_dims dilation, bool ceil_mode);
TN_API tn_tensor *tn_max_pool3d_with_indices_out(tn_tensor *values, tn_tensor *indices, const tn_tensor *self,
                                                 tn_dims kernel_size, tn_dims stride, tn_dims padding, tn_dims dilation,
                                                 bool ceil_mode);

/* The gradient of self, given that of the result of max_pool2d and its indices: each goes where its element came from, and what
 * meets there is added. TN_ERROR_INDEX for an index outside of the plane. */
TN_API tn_tensor *tn_max_pool2d_with_indices_backward(const tn_tensor *grad_output, const tn_tensor *self, tn_dims kernel_size,
                                                      tn_dims stride, tn_dims padding, tn_dims dilation, bool ceil_mode,
                                                      const tn_tensor *indices);
TN_API tn_tensor *tn_max_pool2d_with_indices_backward_out(tn_tensor *out, const tn_tensor *grad_output, const tn_tensor *self,
                                                          tn_dims kernel_size, tn_dims stride, tn_dims padding,
                                                          tn_dims dilation, bool ceil_mode, const tn_tensor *indices);

/* The gradient of self, given that of the result of max_pool3d and its indices: each goes where its element came from, and what
 * meets there is added. TN_ERROR_INDEX for an index outside of the plane. */
TN_API tn_tensor *tn_max_pool3d_with_indices_backward(const tn_tensor *grad_output, const tn_tensor *self, tn_dims kernel_size,
                                                      tn_dims stride, tn_dims padding, tn_dims dilation, bool ceil_mode,
                                                      const tn_tensor *indices);
TN_API tn_tensor *tn_max_pool3d_with_indices_backward_out(tn_tensor *out, const tn_tensor *grad_output, const tn_tensor *self,
                                                          tn_dims kernel_size, tn_dims stride, tn_dims padding,
                                                          tn_dims dilation, bool ceil_mode, const tn_tensor *indices);

/* avg_pool2d over (channels, length). */
TN_API tn_tensor *tn_avg_pool1d(const tn_tensor *self, tn_dims kernel_size, tn_dims stride, tn_dims padding, bool ceil_mode,
                                bool count_include_pad);

/* The mean of each window; windows are those of max_pool2d. Elements of the padding are zeros that count, or not with
 * count_include_pad false; those that a window of ceil_mode has beyond the padding never count. With a divisor_override sums
 * are divided by it instead. Sums are in the dtype of self, in float32 for float16 and bfloat16, and for int64 the quotient is
 * cut. */
TN_API tn_tensor *tn_avg_pool2d(const tn_tensor *self, tn_dims kernel_size, tn_dims stride, tn_dims padding, bool ceil_mode,
                                bool count_include_pad, int64_t divisor_override);
TN_API tn_tensor *tn_avg_pool2d_out(tn_tensor *out, const tn_tensor *self, tn_dims kernel_size, tn_dims stride, tn_dims padding,
                                    bool ceil_mode, bool count_include_pad, int64_t divisor_override);

/* avg_pool2d over (channels, depth, height, width). */
TN_API tn_tensor *tn_avg_pool3d(const tn_tensor *self, tn_dims kernel_size, tn_dims stride, tn_dims padding, bool ceil_mode,
                                bool count_include_pad, int64_t divisor_override);
TN_API tn_tensor *tn_avg_pool3d_out(tn_tensor *out, const tn_tensor *self, tn_dims kernel_size, tn_dims stride, tn_dims padding,
                                    bool ceil_mode, bool count_include_pad, int64_t divisor_override);

/* The gradient of self, given that of the result of avg_pool2d: every element gets its part of each window that has it. */
TN_API tn_tensor *tn_avg_pool2d_backward(const tn_tensor *grad_output, const tn_tensor *self, tn_dims kernel_size,
                                         tn_dims stride, tn_dims padding, bool ceil_mode, bool count_include_pad,
                                         int64_t divisor_override);
TN_API tn_tensor *tn_avg_pool2d_backward_out(tn_tensor *out, const tn_tensor *grad_output, const tn_tensor *self,
                                             tn_dims kernel_size, tn_dims stride, tn_dims padding, bool ceil_mode,
                                             bool count_include_pad, int64_t divisor_override);

/* The gradient of self, given that of the result of avg_pool3d: every element gets its part of each window that has it. */
TN_API tn_tensor *tn_avg_pool3d_backward(const tn_tensor *grad_output, const tn_tensor *self, tn_dims kernel_size,
                                         tn_dims stride, tn_dims padding, bool ceil_mode, bool count_include_pad,
                                         int64_t divisor_override);
TN_API tn_tensor *tn_avg_pool3d_backward_out(tn_tensor *out, const tn_tensor *grad_output, const tn_tensor *self,
                                             tn_dims kernel_size, tn_dims stride, tn_dims padding, bool ceil_mode,
                                             bool count_include_pad, int64_t divisor_override);

/* lp_pool2d over (channels, length). */
TN_API tn_tensor *tn_lp_pool1d(const tn_tensor *self, double norm_type, tn_dims kernel_size, tn_dims stride, bool ceil_mode);

/* The root of order norm_type of the sum of the powers of each window, as avg_pool2d has them, times the elements of a whole
 * window; powers whose sum is below 0 count as their distance from 0. */
TN_API tn_tensor *tn_lp_pool2d(const tn_tensor *self, double norm_type, tn_dims kernel_size, tn_dims stride, bool ceil_mode);

/* lp_pool2d over (channels, depth, height, width). */
TN_API tn_tensor *tn_lp_pool3d(const tn_tensor *self, double norm_type, tn_dims kernel_size, tn_dims stride, bool ceil_mode);

/* The means of as many windows as output_size says, over (channels, length): window o of `out` begins with element o * size /
 * out, rounded down, and ends before (o + 1) * size / out, rounded up. */
TN_API tn_tensor *tn_adaptive_avg_pool1d(const tn_tensor *self, tn_dims output_size);

/* The means of as many windows as output_size says, over (channels, height, width): window o of `out` begins with element o *
 * size / out, rounded down, and ends before (o + 1) * size / out, rounded up. One mean of everything is computed as mean
 * does. */
TN_API tn_tensor *tn_adaptive_avg_pool2d(const tn_tensor *self, tn_dims output_size);

/* The means of as many windows as output_size says, over (channels, depth, height, width): window o of `out` begins with
 * element o * size / out, rounded down, and ends before (o + 1) * size / out, rounded up. */
TN_API tn_tensor *tn_adaptive_avg_pool3d(const tn_tensor *self, tn_dims output_size);

/* adaptive_avg_pool2d, always by windows. */
TN_API tn_tensor *tn__adaptive_avg_pool2d(const tn_tensor *self, tn_dims output_size);
TN_API tn_tensor *tn__adaptive_avg_pool2d_out(tn_tensor *out, const tn_tensor *self, tn_dims output_size);

/* adaptive_avg_pool3d, always by windows. */
TN_API tn_tensor *tn__adaptive_avg_pool3d(const tn_tensor *self, tn_dims output_size);
TN_API tn_tensor *tn__adaptive_avg_pool3d_out(tn_tensor *out, const tn_tensor *self, tn_dims output_size);

/* The gradient of self, given that of the result of adaptive_avg_pool2d. */
TN_API tn_tensor *tn__adaptive_avg_pool2d_backward(const tn_tensor *grad_output, const tn_tensor *self);
TN_API tn_tensor *tn__adaptive_avg_pool2d_backward_out(tn_tensor *out, const tn_tensor *grad_output, const tn_tensor *self);

/* The gradient of self, given that of the result of adaptive_avg_pool3d. */
TN_API tn_tensor *tn__adaptive_avg_pool3d_backward(const tn_tensor *grad_output, const tn_tensor *self);
TN_API tn_tensor *tn__adaptive_avg_pool3d_backward_out(tn_tensor *out, const tn_tensor *grad_output, const tn_tensor *self);

/* The largest elements of the windows of adaptive_avg_pool1d, and where in its plane each was found. */
TN_API tn_list *tn_adaptive_max_pool1d(const tn_tensor *self, tn_dims output_size);

/* The largest elements of the windows of adaptive_avg_pool2d, and where in its plane each was found. */
TN_API tn_list *tn_adaptive_max_pool2d(const tn_tensor *self, tn_dims output_size);
TN_API tn_tensor *tn_adaptive_max_pool2d_out(tn_tensor *values, tn_tensor *indices, const tn_tensor *self, tn_dims output_size);

/* The largest elements of the windows of adaptive_avg_pool3d, and where in its plane each was found. */
TN_API tn_list *tn_adaptive_max_pool3d(const tn_tensor *self, tn_dims output_size);
TN_API tn_tensor *tn_adaptive_max_pool3d_out(tn_tensor *values, tn_tensor *indices, const tn_tensor *self, tn_dims output_size);

/* The gradient of self, given that of the values of adaptive_max_pool2d and its indices. */
TN_API tn_tensor *tn_adaptive_max_pool2d_backward(const tn_tensor *grad_output, const tn_tensor *self,
                                                  const tn_tensor *indices);
TN_API tn_tensor *tn_adaptive_max_pool2d_backward_out(tn_tensor *out, const tn_tensor *grad_output, const tn_tensor *self,
                                                      const tn_tensor *indices);

/* The gradient of self, given that of the values of adaptive_max_pool3d and its indices. */
TN_API tn_tensor *tn_adaptive_max_pool3d_backward(const tn_tensor *grad_output, const tn_tensor *self,
                                                  const tn_tensor *indices);
TN_API tn_tensor *tn_adaptive_max_pool3d_backward_out(tn_tensor *out, const tn_tensor *grad_output, const tn_tensor *self,
                                                      const tn_tensor *indices);

/* The largest element of each of output_size windows of kernel_size elements, and where in its plane it was found. The windows
 * of a plane begin at places that follow from its random_samples, numbers from 0 to 1, (batch, channels, 2): window o at (o +
 * u) * alpha - u * alpha, both rounded down, with alpha = (size - kernel_size) / (output_size - 1); the last one ends with the
 * plane. */
TN_API tn_list *tn_fractional_max_pool2d(const tn_tensor *self, tn_dims kernel_size, tn_dims output_size,
                                         const tn_tensor *random_samples);
TN_API tn_tensor *tn_fractional_max_pool2d_out(tn_tensor *values, tn_tensor *indices, const tn_tensor *self,
                                               tn_dims kernel_size, tn_dims output_size, const tn_tensor *random_samples);

/* The largest element of each of output_size windows of kernel_size elements, and where in its plane it was found. The windows
 * of a plane begin at places that follow from its random_samples, numbers from 0 to 1, (batch, channels, 3): window o at (o +
 * u) * alpha - u * alpha, both rounded down, with alpha = (size - kernel_size) / (output_size - 1); the last one ends with the
 * plane. */
TN_API tn_list *tn_fractional_max_pool3d(const tn_tensor *self, tn_dims kernel_size, tn_dims output_size,
                                         const tn_tensor *random_samples);
TN_API tn_tensor *tn_fractional_max_pool3d_out(tn_tensor *values, tn_tensor *indices, const tn_tensor *self,
                                               tn_dims kernel_size, tn_dims output_size, const tn_tensor *random_samples);

/* The gradient of self, given that of the values of fractional_max_pool2d and its indices. */
TN_API tn_tensor *tn_fractional_max_pool2d_backward(const tn_tensor *grad_output, const tn_tensor *self, tn_dims kernel_size,
                                                    tn_dims output_size, const tn_tensor *indices);
TN_API tn_tensor *tn_fractional_max_pool2d_backward_out(tn_tensor *out, const tn_tensor *grad_output, const tn_tensor *self,
                                                        tn_dims kernel_size, tn_dims output_size, const tn_tensor *indices);

/* The gradient of self, given that of the values of fractional_max_pool3d and its indices. */
TN_API tn_tensor *tn_fractional_max_pool3d_backward(const tn_tensor *grad_output, const tn_tensor *self, tn_dims kernel_size,
                                                    tn_dims output_size, const tn_tensor *indices);
TN_API tn_tensor *tn_fractional_max_pool3d_backward_out(tn_tensor *out, const tn_tensor *grad_output, const tn_tensor *self,
                                                        tn_dims kernel_size, tn_dims output_size, const tn_tensor *indices);

/* Planes of output_size zeros, in which the elements of self are at indices, as max_pool2d_with_indices gives them; of several
 * for one place the last. TN_ERROR_INDEX for an index outside of the plane: then nothing was written. */
TN_API tn_tensor *tn_max_unpool2d(const tn_tensor *self, const tn_tensor *indices, tn_dims output_size);
TN_API tn_tensor *tn_max_unpool2d_out(tn_tensor *out, const tn_tensor *self, const tn_tensor *indices, tn_dims output_size);

/* max_unpool2d of volumes. stride and padding are checked only. */
TN_API tn_tensor *tn_max_unpool3d(const tn_tensor *self, const tn_tensor *indices, tn_dims output_size, tn_dims stride,
                                  tn_dims padding);
TN_API tn_tensor *tn_max_unpool3d_out(tn_tensor *out, const tn_tensor *self, const tn_tensor *indices, tn_dims output_size,
                                      tn_dims stride, tn_dims padding);

/* ---- norms ------------------------------------------------------------------------------------------------------- */

/* layer_norm, with the mean of each line and 1 / sqrt(variance + eps), whose dimensions that were normalised have size 1. They
 * have the dtype of weight, or that of input without one. */
TN_API tn_list *tn_native_layer_norm(const tn_tensor *input, tn_dims normalized_shape, const tn_tensor *weight,
                                     const tn_tensor *bias, double eps);

/* group_norm of N inputs with C channels of HxW elements, with the mean of each group and 1 / sqrt(variance + eps), (N,
 * group). */
TN_API tn_list *tn_native_group_norm(const tn_tensor *input, const tn_tensor *weight, const tn_tensor *bias, int64_t N,
                                     int64_t C, int64_t HxW, int64_t group, double eps);

/* Each group of channels, the second dimension, of each input with mean 0 and variance 1: (input - mean) / sqrt(variance +
 * eps), times weight and plus bias where they are given, one number for each channel. TN_ERROR_ARGUMENT where the channels are
 * not whole groups. cudnn_enabled means nothing here. */
TN_API tn_tensor *tn_group_norm(const tn_tensor *input, int64_t num_groups, const tn_tensor *weight, const tn_tensor *bias,
                                double eps, bool cudnn_enabled);

/* batch_norm by the statistics of input, which are the other results: float32 for float16 and bfloat16. var has no
 * gradient. */
TN_API tn_list *tn__batch_norm_training(const tn_tensor *input, const tn_tensor *weight, const tn_tensor *bias, double eps);

/* batch_norm by statistics that are given; the two other results have no elements. */
TN_API tn_list *tn__native_batch_norm_legit_no_training(const tn_tensor *input, const tn_tensor *weight, const tn_tensor *bias,
                                                        const tn_tensor *running_mean, const tn_tensor *running_var,
                                                        double momentum, double eps);

/* batch_norm, with the mean of each channel and 1 / sqrt(variance + eps). In training both are found in input, and running_mean
 * and running_var move towards the mean and the variance by momentum; otherwise they are what is used, and two results have no
 * elements. */
TN_API tn_list *tn__native_batch_norm_legit(const tn_tensor *input, const tn_tensor *weight, const tn_tensor *bias,
                                            tn_tensor *running_mean, tn_tensor *running_var, bool training, double momentum,
                                            double eps);

/* The same without statistics of earlier inputs. */
TN_API tn_list *tn__native_batch_norm_legit_no_stats(const tn_tensor *input, const tn_tensor *weight, const tn_tensor *bias,
                                                     bool training, double momentum, double eps);

/* batch_norm, with what _native_batch_norm_legit gives. Training changes running_mean and running_var, if they are given. */
TN_API tn_list *tn_native_batch_norm(const tn_tensor *input, const tn_tensor *weight, const tn_tensor *bias,
                                     const tn_tensor *running_mean, const tn_tensor *running_var, bool training,
                                     double momentum, double eps);

/* Each channel, the second dimension, by its mean and variance: (input - mean) / sqrt(variance + eps), times weight and plus
 * bias where they are given. In training they are those of input, over all other dimensions, and running_mean and running_var,
 * if given, become (1 - momentum) times what they were plus momentum times the mean, or the variance times n / (n - 1).
 * Otherwise running_mean and running_var are used. Parameters have the dtype of input, or float32 beside float16 and bfloat16.
 * cudnn_enabled means nothing here. */
TN_API tn_tensor *tn_batch_norm(const tn_tensor *input, const tn_tensor *weight, const tn_tensor *bias,
                                const tn_tensor *running_mean, const tn_tensor *running_var, bool training, double momentum,
                                double eps, bool cudnn_enabled);

/* batch_norm of each input by itself. With use_input_stats running_mean and running_var, if given, move towards the mean over
 * all inputs. */
TN_API tn_tensor *tn_instance_norm(const tn_tensor *input, const tn_tensor *weight, const tn_tensor *bias,
                                   const tn_tensor *running_mean, const tn_tensor *running_var, bool use_input_stats,
                                   double momentum, double eps, bool cudnn_enabled);

/* Each element divided by (k + alpha * m) ^ beta, where m is the mean of the squares of `size` channels around its own;
 * channels outside count as 0. */
TN_API tn_tensor *tn_local_response_norm(const tn_tensor *input, int64_t size, double alpha, double beta, double k);

/* The gradients of native_layer_norm, given that of out, and mean and rstd as it gave them. output_mask is three numbers, 0 for
 * a gradient that is not wanted: it has no elements. */
TN_API tn_list *tn_native_layer_norm_backward(const tn_tensor *grad_out, const tn_tensor *input, tn_dims normalized_shape,
                                              const tn_tensor *mean, const tn_tensor *rstd, const tn_tensor *weight,
                                              const tn_tensor *bias, tn_dims output_mask);

/* The gradients of layer_norm or, not centred, of rms_norm, whose statistics are found again; output_mask as in
 * native_layer_norm_backward. */
TN_API tn_list *tn__layer_norm_backward(const tn_tensor *grad_out, const tn_tensor *input, tn_dims normalized_shape,
                                        const tn_tensor *weight, double eps, bool centred, tn_dims output_mask);

/* The gradients of native_group_norm; output_mask as in native_layer_norm_backward. */
TN_API tn_list *tn_native_group_norm_backward(const tn_tensor *grad_out, const tn_tensor *input, const tn_tensor *mean,
                                              const tn_tensor *rstd, const tn_tensor *weight, int64_t N, int64_t C, int64_t HxW,
                                              int64_t group, tn_dims output_mask);

/* The gradients of native_batch_norm: by save_mean and save_invstd in training, otherwise by running_mean and running_var;
 * output_mask as in native_layer_norm_backward. */
TN_API tn_list *tn_native_batch_norm_backward(const tn_tensor *grad_out, const tn_tensor *input, const tn_tensor *weight,
                                              const tn_tensor *running_mean, const tn_tensor *running_var,
                                              const tn_tensor *save_mean, const tn_tensor *save_invstd, bool train, double eps,
                                              tn_dims output_mask);

/* ---- resampling -------------------------------------------------------------------------------------------------- */

/* (batch, channels, length) in other sizes: element o of the result is the one at o * scale, rounded down, where scale is size
 * / output_size, or 1 / scales where that is given and above 0. */
TN_API tn_tensor *tn_upsample_nearest1d(const tn_tensor *self, tn_dims output_size, tn_scalar scales);
TN_API tn_tensor *tn_upsample_nearest1d_out(tn_tensor *out, const tn_tensor *self, tn_dims output_size, tn_scalar scales);

/* (batch, channels, height, width) in other sizes: element o of the result is the one at o * scale, rounded down, where scale
 * is size / output_size, or 1 / scales where that is given and above 0. */
TN_API tn_tensor *tn_upsample_nearest2d(const tn_tensor *self, tn_dims output_size, tn_scalar scales_h, tn_scalar scales_w);
TN_API tn_tensor *tn_upsample_nearest2d_out(tn_tensor *out, const tn_tensor *self, tn_dims output_size, tn_scalar scales_h,
                                            tn_scalar scales_w);

/* (batch, channels, depth, height, width) in other sizes: element o of the result is the one at o * scale, rounded down, where
 * scale is size / output_size, or 1 / scales where that is given and above 0. */
TN_API tn_tensor *tn_upsample_nearest3d(const tn_tensor *self, tn_dims output_size, tn_scalar scales_d, tn_scalar scales_h,
                                        tn_scalar scales_w);
TN_API tn_tensor *tn_upsample_nearest3d_out(tn_tensor *out, const tn_tensor *self, tn_dims output_size, tn_scalar scales_d,
                                            tn_scalar scales_h, tn_scalar scales_w);

/* The same with the element at (o + 0.5) * scale, rounded down: that whose middle is nearest. */
TN_API tn_tensor *tn__upsample_nearest_exact1d(const tn_tensor *self, tn_dims output_size, tn_scalar scales);
TN_API tn_tensor *tn__upsample_nearest_exact1d_out(tn_tensor *out, const tn_tensor *self, tn_dims output_size,
                                                   tn_scalar scales);

/* The same with the element at (o + 0.5) * scale, rounded down: that whose middle is nearest. */
TN_API tn_tensor *tn__upsample_nearest_exact2d(const tn_tensor *self, tn_dims output_size, tn_scalar scales_h,
                                               tn_scalar scales_w);
TN_API tn_tensor *tn__upsample_nearest_exact2d_out(tn_tensor *out, const tn_tensor *self, tn_dims output_size,
                                                   tn_scalar scales_h, tn_scalar scales_w);

/* The same with the element at (o + 0.5) * scale, rounded down: that whose middle is nearest. */
TN_API tn_tensor *tn__upsample_nearest_exact3d(const tn_tensor *self, tn_dims output_size, tn_scalar scales_d,
                                               tn_scalar scales_h, tn_scalar scales_w);
TN_API tn_tensor *tn__upsample_nearest_exact3d_out(tn_tensor *out, const tn_tensor *self, tn_dims output_size,
                                                   tn_scalar scales_d, tn_scalar scales_h, tn_scalar scales_w);

/* (batch, channels, length) in other sizes, by straight lines between neighbours: element o of the result lies at (o + 0.5) *
 * scale - 0.5, where scale is size / output_size, or 1 / scales where that is given and above 0; with align_corners at o *
 * (size - 1) / (output_size - 1). Beyond the first and the last element it is that element. */
TN_API tn_tensor *tn_upsample_linear1d(const tn_tensor *self, tn_dims output_size, bool align_corners, tn_scalar scales);
TN_API tn_tensor *tn_upsample_linear1d_out(tn_tensor *out, const tn_tensor *self, tn_dims output_size, bool align_corners,
                                           tn_scalar scales);

/* (batch, channels, height, width) in other sizes, by straight lines between neighbours: element o of the result lies at (o +
 * 0.5) * scale - 0.5, where scale is size / output_size, or 1 / scales where that is given and above 0; with align_corners at o
 * * (size - 1) / (output_size - 1). Beyond the first and the last element it is that element. uint8 is rounded after each
 * dimension. */
TN_API tn_tensor *tn_upsample_bilinear2d(const tn_tensor *self, tn_dims output_size, bool align_corners, tn_scalar scales_h,
                                         tn_scalar scales_w);
TN_API tn_tensor *tn_upsample_bilinear2d_out(tn_tensor *out, const tn_tensor *self, tn_dims output_size, bool align_corners,
                                             tn_scalar scales_h, tn_scalar scales_w);

/* (batch, channels, depth, height, width) in other sizes, by straight lines between neighbours: element o of the result lies at
 * (o + 0.5) * scale - 0.5, where scale is size / output_size, or 1 / scales where that is given and above 0; with align_corners
 * at o * (size - 1) / (output_size - 1). Beyond the first and the last element it is that element. */
TN_API tn_tensor *tn_upsample_trilinear3d(const tn_tensor *self, tn_dims output_size, bool align_corners, tn_scalar scales_d,
                                          tn_scalar scales_h, tn_scalar scales_w);
TN_API tn_tensor *tn_upsample_trilinear3d_out(tn_tensor *out, const tn_tensor *self, tn_dims output_size, bool align_corners,
                                              tn_scalar scales_d, tn_scalar scales_h, tn_scalar scales_w);

/* The same by cubics through four neighbours in each dimension (Keys, A = -0.75); neighbours outside are those at the
 * border. */
TN_API tn_tensor *tn_upsample_bicubic2d(const tn_tensor *self, tn_dims output_size, bool align_corners, tn_scalar scales_h,
                                        tn_scalar scales_w);
TN_API tn_tensor *tn_upsample_bicubic2d_out(tn_tensor *out, const tn_tensor *self, tn_dims output_size, bool align_corners,
                                            tn_scalar scales_h, tn_scalar scales_w);

/* upsample_bilinear2d with a filter that widens with the scale where the result is smaller, so that every element counts. */
TN_API tn_tensor *tn__upsample_bilinear2d_aa(const tn_tensor *self, tn_dims output_size, bool align_corners, tn_scalar scales_h,
                                             tn_scalar scales_w);
TN_API tn_tensor *tn__upsample_bilinear2d_aa_out(tn_tensor *out, const tn_tensor *self, tn_dims output_size, bool align_corners,
                                                 tn_scalar scales_h, tn_scalar scales_w);

/* The same with a cubic filter, A = -0.5. */
TN_API tn_tensor *tn__upsample_bicubic2d_aa(const tn_tensor *self, tn_dims output_size, bool align_corners, tn_scalar scales_h,
                                            tn_scalar scales_w);
TN_API tn_tensor *tn__upsample_bicubic2d_aa_out(tn_tensor *out, const tn_tensor *self, tn_dims output_size, bool align_corners,
                                                tn_scalar scales_h, tn_scalar scales_w);

/* The gradient of self, of input_size (batch, channels, ...), given that of the result of upsample_nearest1d. */
TN_API tn_tensor *tn_upsample_nearest1d_backward(const tn_tensor *grad_output, tn_dims output_size, tn_dims input_size,
                                                 tn_scalar scales);
TN_API tn_tensor *tn_upsample_nearest1d_backward_out(tn_tensor *out, const tn_tensor *grad_output, tn_dims output_size,
                                                     tn_dims input_size, tn_scalar scales);

/* The gradient of self, of input_size (batch, channels, ...), given that of the result of upsample_nearest2d. */
TN_API tn_tensor *tn_upsample_nearest2d_backward(const tn_tensor *grad_output, tn_dims output_size, tn_dims input_size,
                                                 tn_scalar scales_h, tn_scalar scales_w);
TN_API tn_tensor *tn_upsample_nearest2d_backward_out(tn_tensor *out, const tn_tensor *grad_output, tn_dims output_size,
                                                     tn_dims input_size, tn_scalar scales_h, tn_scalar scales_w);

/* The gradient of self, of input_size (batch, channels, ...), given that of the result of upsample_nearest3d. */
TN_API tn_tensor *tn_upsample_nearest3d_backward(const tn_tensor *grad_output, tn_dims output_size, tn_dims input_size,
                                                 tn_scalar scales_d, tn_scalar scales_h, tn_scalar scales_w);
TN_API tn_tensor *tn_upsample_nearest3d_backward_out(tn_tensor *out, const tn_tensor *grad_output, tn_dims output_size,
                                                     tn_dims input_size, tn_scalar scales_d, tn_scalar scales_h,
                                                     tn_scalar scales_w);

/* The gradient of self, of input_size (batch, channels, ...), given that of the result of _upsample_nearest_exact1d. */
TN_API tn_tensor *tn__upsample_nearest_exact1d_backward(const tn_tensor *grad_output, tn_dims output_size, tn_dims input_size,
                                                        tn_scalar scales);
TN_API tn_tensor *tn__upsample_nearest_exact1d_backward_out(tn_tensor *out, const tn_tensor *grad_output, tn_dims output_size,
                                                            tn_dims input_size, tn_scalar scales);

/* The gradient of self, of input_size (batch, channels, ...), given that of the result of _upsample_nearest_exact2d. */
TN_API tn_tensor *tn__upsample_nearest_exact2d_backward(const tn_tensor *grad_output, tn_dims output_size, tn_dims input_size,
                                                        tn_scalar scales_h, tn_scalar scales_w);
TN_API tn_tensor *tn__upsample_nearest_exact2d_backward_out(tn_tensor *out, const tn_tensor *grad_output, tn_dims output_size,
                                                            tn_dims input_size, tn_scalar scales_h, tn_scalar scales_w);

/* The gradient of self, of input_size (batch, channels, ...), given that of the result of _upsample_nearest_exact3d. */
TN_API tn_tensor *tn__upsample_nearest_exact3d_backward(const tn_tensor *grad_output, tn_dims output_size, tn_dims input_size,
                                                        tn_scalar scales_d, tn_scalar scales_h, tn_scalar scales_w);
TN_API tn_tensor *tn__upsample_nearest_exact3d_backward_out(tn_tensor *out, const tn_tensor *grad_output, tn_dims output_size,
                                                            tn_dims input_size, tn_scalar scales_d, tn_scalar scales_h,
                                                            tn_scalar scales_w);

/* The gradient of self, of input_size (batch, channels, ...), given that of the result of upsample_linear1d. */
TN_API tn_tensor *tn_upsample_linear1d_backward(const tn_tensor *grad_output, tn_dims output_size, tn_dims input_size,
                                                bool align_corners, tn_scalar scales);
TN_API tn_tensor *tn_upsample_linear1d_backward_out(tn_tensor *out, const tn_tensor *grad_output, tn_dims output_size,
                                                    tn_dims input_size, bool align_corners, tn_scalar scales);

/* The gradient of self, of input_size (batch, channels, ...), given that of the result of upsample_bilinear2d. */
TN_API tn_tensor *tn_upsample_bilinear2d_backward(const tn_tensor *grad_output, tn_dims output_size, tn_dims input_size,
                                                  bool align_corners, tn_scalar scales_h, tn_scalar scales_w);
TN_API tn_tensor *tn_upsample_bilinear2d_backward_out(tn_tensor *out, const tn_tensor *grad_output, tn_dims output_size,
                                                      tn_dims input_size, bool align_corners, tn_scalar scales_h,
                                                      tn_scalar scales_w);

/* The gradient of self, of input_size (batch, channels, ...), given that of the result of upsample_trilinear3d. */
TN_API tn_tensor *tn_upsample_trilinear3d_backward(const tn_tensor *grad_output, tn_dims output_size, tn_dims input_size,
                                                   bool align_corners, tn_scalar scales_d, tn_scalar scales_h,
                                                   tn_scalar scales_w);
TN_API tn_tensor *tn_upsample_trilinear3d_backward_out(tn_tensor *out, const tn_tensor *grad_output, tn_dims output_size,
                                                       tn_dims input_size, bool align_corners, tn_scalar scales_d,
                                                       tn_scalar scales_h, tn_scalar scales_w);

/* The gradient of self, of input_size (batch, channels, ...), given that of the result of upsample_bicubic2d. */
TN_API tn_tensor *tn_upsample_bicubic2d_backward(const tn_tensor *grad_output, tn_dims output_size, tn_dims input_size,
                                                 bool align_corners, tn_scalar scales_h, tn_scalar scales_w);
TN_API tn_tensor *tn_upsample_bicubic2d_backward_out(tn_tensor *out, const tn_tensor *grad_output, tn_dims output_size,
                                                     tn_dims input_size, bool align_corners, tn_scalar scales_h,
                                                     tn_scalar scales_w);

/* The gradient of self, of input_size (batch, channels, ...), given that of the result of _upsample_bilinear2d_aa. */
TN_API tn_tensor *tn__upsample_bilinear2d_aa_backward(const tn_tensor *grad_output, tn_dims output_size, tn_dims input_size,
                                                      bool align_corners, tn_scalar scales_h, tn_scalar scales_w);
TN_API tn_tensor *tn__upsample_bilinear2d_aa_backward_out(tn_tensor *out, const tn_tensor *grad_output, tn_dims output_size,
                                                          tn_dims input_size, bool align_corners, tn_scalar scales_h,
                                                          tn_scalar scales_w);

/* The gradient of self, of input_size (batch, channels, ...), given that of the result of _upsample_bicubic2d_aa. */
TN_API tn_tensor *tn__upsample_bicubic2d_aa_backward(const tn_tensor *grad_output, tn_dims output_size, tn_dims input_size,
                                                     bool align_corners, tn_scalar scales_h, tn_scalar scales_w);
TN_API tn_tensor *tn__upsample_bicubic2d_aa_backward_out(tn_tensor *out, const tn_tensor *grad_output, tn_dims output_size,
                                                         tn_dims input_size, bool align_corners, tn_scalar scales_h,
                                                         tn_scalar scales_w);

/* Images (batch, channels, height, width) read at the places of grid (batch, height, width, 2), whose x and y go from -1 to 1:
 * from the middle of the first element to that of the last with align_corners, otherwise from edge to edge. interpolation_mode
 * is 0 for bilinear, 1 for the nearest element, 2 for bicubic; padding_mode says what is outside: 0 zeros, 1 the border, 2 a
 * reflection. */
TN_API tn_tensor *tn_grid_sampler_2d(const tn_tensor *input, const tn_tensor *grid, int64_t interpolation_mode,
                                     int64_t padding_mode, bool align_corners);
TN_API tn_tensor *tn_grid_sampler_2d_out(tn_tensor *out, const tn_tensor *input, const tn_tensor *grid,
                                         int64_t interpolation_mode, int64_t padding_mode, bool align_corners);

/* The same of volumes (batch, channels, depth, height, width), grid (batch, depth, height, width, 3); not bicubic. */
TN_API tn_tensor *tn_grid_sampler_3d(const tn_tensor *input, const tn_tensor *grid, int64_t interpolation_mode,
                                     int64_t padding_mode, bool align_corners);
TN_API tn_tensor *tn_grid_sampler_3d_out(tn_tensor *out, const tn_tensor *input, const tn_tensor *grid,
                                         int64_t interpolation_mode, int64_t padding_mode, bool align_corners);

/* grid_sampler_2d or grid_sampler_3d, by the dimensions of input. */
TN_API tn_tensor *tn_grid_sampler(const tn_tensor *input, const tn_tensor *grid, int64_t interpolation_mode,
                                  int64_t padding_mode, bool align_corners);

/* The gradients of grid_sampler_2d. output_mask is two numbers, 0 for a gradient that is not wanted: it has no elements. */
TN_API tn_list *tn_grid_sampler_2d_backward(const tn_tensor *grad_output, const tn_tensor *input, const tn_tensor *grid,
                                            int64_t interpolation_mode, int64_t padding_mode, bool align_corners,
                                            tn_dims output_mask);
TN_API tn_tensor *tn_grid_sampler_2d_backward_out(tn_tensor *grad_input, tn_tensor *grad_grid, const tn_tensor *grad_output,
                                                  const tn_tensor *input, const tn_tensor *grid, int64_t interpolation_mode,
                                                  int64_t padding_mode, bool align_corners, tn_dims output_mask);

/* The gradients of grid_sampler_3d. output_mask is two numbers, 0 for a gradient that is not wanted: it has no elements. */
TN_API tn_list *tn_grid_sampler_3d_backward(const tn_tensor *grad_output, const tn_tensor *input, const tn_tensor *grid,
                                            int64_t interpolation_mode, int64_t padding_mode, bool align_corners,
                                            tn_dims output_mask);
TN_API tn_tensor *tn_grid_sampler_3d_backward_out(tn_tensor *grad_input, tn_tensor *grad_grid, const tn_tensor *grad_output,
                                                  const tn_tensor *input, const tn_tensor *grid, int64_t interpolation_mode,
                                                  int64_t padding_mode, bool align_corners, tn_dims output_mask);

/* The grid for grid_sampler of a result of this size (batch, channels, height, width), each place moved by the matrix of its
 * input: theta is (batch, 2, 3); for volumes (batch, 3, 4). */
TN_API tn_tensor *tn_affine_grid_generator(const tn_tensor *theta, tn_dims size, bool align_corners);

/* (..., channels * r * r, height, width) becomes (..., channels, height * r, width * r), r being upscale_factor: each r * r
 * channels are the elements of squares. */
TN_API tn_tensor *tn_pixel_shuffle(const tn_tensor *self, int64_t upscale_factor);

/* The other way: squares of downscale_factor elements become channels. */
TN_API tn_tensor *tn_pixel_unshuffle(const tn_tensor *self, int64_t downscale_factor);

/* The channels, the second dimension, in another order: the first of each group, the second of each, and so on. */
TN_API tn_tensor *tn_channel_shuffle(const tn_tensor *self, int64_t groups);

/* The same. */
TN_API tn_tensor *tn_native_channel_shuffle(const tn_tensor *self, int64_t groups);

/* ---- product ----------------------------------------------------------------------------------------------------- */

/* The product of matrices: those in the last two dimensions of both, the dimensions before being batch dimensions, which
 * broadcast. A vector is a row on the left and a column on the right, and that dimension is not in the result; two vectors give
 * a number. Both have one dtype, which is that of the result, and not bool. Sums are accumulated in float32 for float16 and
 * bfloat16 and rounded once; those of integers wrap. No strides are copied. The same bits for every number of threads.
 * TN_ERROR_SHAPE for sizes that do not fit and tensors without dimensions, TN_ERROR_DTYPE for two dtypes. */
TN_API tn_tensor *tn_matmul(const tn_tensor *self, const tn_tensor *other);
TN_API tn_tensor *tn_matmul_out(tn_tensor *out, const tn_tensor *self, const tn_tensor *other);

/* matmul under its other name. */
TN_API tn_tensor *tn_linalg_matmul(const tn_tensor *self, const tn_tensor *other);
TN_API tn_tensor *tn_linalg_matmul_out(tn_tensor *out, const tn_tensor *self, const tn_tensor *other);

/* The product of two matrices; see tn_matmul. */
TN_API tn_tensor *tn_mm(const tn_tensor *self, const tn_tensor *mat2);
TN_API tn_tensor *tn_mm_out(tn_tensor *out, const tn_tensor *self, const tn_tensor *mat2);

/* The same as a tensor of out_dtype, which is that of self or the dtype in which its products are accumulated: float32 for
 * float16, bfloat16 and the 8-bit floats, int32 for smaller integers. */
TN_API tn_tensor *tn_mm_dtype(const tn_tensor *self, const tn_tensor *mat2, tn_dtype out_dtype);
TN_API tn_tensor *tn_mm_dtype_out(tn_tensor *out, const tn_tensor *self, const tn_tensor *mat2, tn_dtype out_dtype);

/* The products of the matrices of two batches, one by one: (b, m, k) and (b, k, n) give (b, m, n). See tn_matmul. */
TN_API tn_tensor *tn_bmm(const tn_tensor *self, const tn_tensor *mat2);
TN_API tn_tensor *tn_bmm_out(tn_tensor *out, const tn_tensor *self, const tn_tensor *mat2);

/* The same as a tensor of out_dtype, as tn_mm_dtype has it. */
TN_API tn_tensor *tn_bmm_dtype(const tn_tensor *self, const tn_tensor *mat2, tn_dtype out_dtype);
TN_API tn_tensor *tn_bmm_dtype_out(tn_tensor *out, const tn_tensor *self, const tn_tensor *mat2, tn_dtype out_dtype);

/* The product of a matrix and a vector; see tn_matmul. */
TN_API tn_tensor *tn_mv(const tn_tensor *self, const tn_tensor *vec);
TN_API tn_tensor *tn_mv_out(tn_tensor *out, const tn_tensor *self, const tn_tensor *vec);

/* The sum of the products of two vectors' elements, a tensor without dimensions. See tn_vdot for complex numbers. */
TN_API tn_tensor *tn_dot(const tn_tensor *self, const tn_tensor *tensor);
TN_API tn_tensor *tn_dot_out(tn_tensor *out, const tn_tensor *self, const tn_tensor *tensor);

/* The same with the elements of self conjugated. */
TN_API tn_tensor *tn_vdot(const tn_tensor *self, const tn_tensor *other);
TN_API tn_tensor *tn_vdot_out(tn_tensor *out, const tn_tensor *self, const tn_tensor *other);

/* The sums of products along the last dimensions of both, for every pair of the other indices: the result has the dimensions of
 * self but the last, and then those of other. A tensor without dimensions multiplies every element. */
TN_API tn_tensor *tn_inner(const tn_tensor *self, const tn_tensor *other);
TN_API tn_tensor *tn_inner_out(tn_tensor *out, const tn_tensor *self, const tn_tensor *other);

/* The dot products of the vectors along a dimension, those of x conjugated; x and y broadcast, and dim counts in the sizes that
 * both have then. */
TN_API tn_tensor *tn_linalg_vecdot(const tn_tensor *x, const tn_tensor *y, int64_t dim);
TN_API tn_tensor *tn_linalg_vecdot_out(tn_tensor *out, const tn_tensor *x, const tn_tensor *y, int64_t dim);

/* beta * self + alpha * (mat1 times mat2). self broadcasts to the product and has its dtype; for a beta of 0 it is not read,
 * nor are mat1 and mat2 for an alpha of 0, so that NaN in them goes nowhere. Everything is rounded once. Beside integers
 * fractions of beta and alpha are cut off, as in PyTorch; TN_ERROR_DTYPE for a complex number beside reals. */
TN_API tn_tensor *tn_addmm(const tn_tensor *self, const tn_tensor *mat1, const tn_tensor *mat2, tn_scalar beta,
                           tn_scalar alpha);
TN_API tn_tensor *tn_addmm_(tn_tensor *self, const tn_tensor *mat1, const tn_tensor *mat2, tn_scalar beta, tn_scalar alpha);
TN_API tn_tensor *tn_addmm_out(tn_tensor *out, const tn_tensor *self, const tn_tensor *mat1, const tn_tensor *mat2,
                               tn_scalar beta, tn_scalar alpha);

/* beta * self + alpha * (mat times vec); as tn_addmm. */
TN_API tn_tensor *tn_addmv(const tn_tensor *self, const tn_tensor *mat, const tn_tensor *vec, tn_scalar beta, tn_scalar alpha);
TN_API tn_tensor *tn_addmv_(tn_tensor *self, const tn_tensor *mat, const tn_tensor *vec, tn_scalar beta, tn_scalar alpha);
TN_API tn_tensor *tn_addmv_out(tn_tensor *out, const tn_tensor *self, const tn_tensor *mat, const tn_tensor *vec,
                               tn_scalar beta, tn_scalar alpha);

/* beta * self + alpha * (batch1 times batch2), matrix by matrix; as tn_addmm. */
TN_API tn_tensor *tn_baddbmm(const tn_tensor *self, const tn_tensor *batch1, const tn_tensor *batch2, tn_scalar beta,
                             tn_scalar alpha);
TN_API tn_tensor *tn_baddbmm_(tn_tensor *self, const tn_tensor *batch1, const tn_tensor *batch2, tn_scalar beta,
                              tn_scalar alpha);
TN_API tn_tensor *tn_baddbmm_out(tn_tensor *out, const tn_tensor *self, const tn_tensor *batch1, const tn_tensor *batch2,
                                 tn_scalar beta, tn_scalar alpha);

/* beta * self + alpha * (the sum of the products of the matrices of batch1 and batch2); as tn_addmm. */
TN_API tn_tensor *tn_addbmm(const tn_tensor *self, const tn_tensor *batch1, const tn_tensor *batch2, tn_scalar beta,
                            tn_scalar alpha);
TN_API tn_tensor *tn_addbmm_(tn_tensor *self, const tn_tensor *batch1, const tn_tensor *batch2, tn_scalar beta,
                             tn_scalar alpha);
TN_API tn_tensor *tn_addbmm_out(tn_tensor *out, const tn_tensor *self, const tn_tensor *batch1, const tn_tensor *batch2,
                                tn_scalar beta, tn_scalar alpha);

/* beta * self + alpha * (each element of vec1 times each of vec2). The dtype is the operands' common one; of bools a product is
 * "and", a sum "or". For a beta of 0 self is not read. TN_ERROR_DTYPE for a beta or alpha that is not an integer beside
 * integers. */
TN_API tn_tensor *tn_addr(const tn_tensor *self, const tn_tensor *vec1, const tn_tensor *vec2, tn_scalar beta, tn_scalar alpha);
TN_API tn_tensor *tn_addr_(tn_tensor *self, const tn_tensor *vec1, const tn_tensor *vec2, tn_scalar beta, tn_scalar alpha);
TN_API tn_tensor *tn_addr_out(tn_tensor *out, const tn_tensor *self, const tn_tensor *vec1, const tn_tensor *vec2,
                              tn_scalar beta, tn_scalar alpha);

/* relu, or gelu, of tn_addmm. For floats; see tn_linear_fused for other activations. */
TN_API tn_tensor *tn__addmm_activation(const tn_tensor *self, const tn_tensor *mat1, const tn_tensor *mat2, tn_scalar beta,
                                       tn_scalar alpha, bool use_gelu);
TN_API tn_tensor *tn__addmm_activation_out(tn_tensor *out, const tn_tensor *self, const tn_tensor *mat1, const tn_tensor *mat2,
                                           tn_scalar beta, tn_scalar alpha, bool use_gelu);

/* input times the transpose of weight, plus bias: (..., k) and (n, k) give (..., n). weight may be a vector, which gives (...);
 * bias broadcasts to the result. All have one dtype; sums are rounded once, after bias. */
TN_API tn_tensor *tn_linear(const tn_tensor *input, const tn_tensor *weight, const tn_tensor *bias);
TN_API tn_tensor *tn_linear_out(tn_tensor *out, const tn_tensor *input, const tn_tensor *weight, const tn_tensor *bias);

/* scale * activation(tn_linear) + residual, rounded once. activation is "none", "relu", "gelu", "gelu_tanh", "silu", "tanh" or
 * "sigmoid", which are for floats; residual broadcasts to the result and has its dtype. */
TN_API tn_tensor *tn_linear_fused(const tn_tensor *input, const tn_tensor *weight, const tn_tensor *bias,
                                  const char *activation, const tn_tensor *residual, tn_scalar scale);
TN_API tn_tensor *tn_linear_fused_out(tn_tensor *out, const tn_tensor *input, const tn_tensor *weight, const tn_tensor *bias,
                                      const char *activation, const tn_tensor *residual, tn_scalar scale);

/* For each matrix of weight, input1 times it times input2, plus bias: (..., i), (..., j), (o, i, j) and (o) give (..., o). */
TN_API tn_tensor *tn_bilinear(const tn_tensor *input1, const tn_tensor *input2, const tn_tensor *weight, const tn_tensor *bias);

/* Square matrices, those in the last two dimensions, multiplied n times with themselves; n = 0 gives the matrices that change
 * nothing. A negative n takes the inverse: TN_ERROR_LINALG where there is none. */
TN_API tn_tensor *tn_linalg_matrix_power(const tn_tensor *self, int64_t n);
TN_API tn_tensor *tn_linalg_matrix_power_out(tn_tensor *out, const tn_tensor *self, int64_t n);

/* linalg_matrix_power under its other name. */
TN_API tn_tensor *tn_matrix_power(const tn_tensor *self, int64_t n);
TN_API tn_tensor *tn_matrix_power_out(tn_tensor *out, const tn_tensor *self, int64_t n);

/* The sum of the elements on the diagonal of a matrix, of integers in int64. */
TN_API tn_tensor *tn_trace(const tn_tensor *self);
TN_API tn_tensor *tn_trace_out(tn_tensor *out, const tn_tensor *self);

/* The product of two matrices of 8-bit integers, self of int8 or uint8 and mat2 of int8, exact in int32 (it wraps where k is
 * above 131072 and every number as large as can be). */
TN_API tn_tensor *tn__int_mm(const tn_tensor *self, const tn_tensor *mat2);
TN_API tn_tensor *tn__int_mm_out(tn_tensor *out, const tn_tensor *self, const tn_tensor *mat2);

/* self times the transpose of mat2, which is int8, each column times its scale: (m, k), (n, k) and (n) give (m, n), of the
 * dtype of self and scales. Scaled sums are rounded once. */
TN_API tn_tensor *tn__weight_int8pack_mm(const tn_tensor *self, const tn_tensor *mat2, const tn_tensor *scales);

/* The product of two matrices of int8 (self also uint8) or float8, times the scales of both, plus bias, times scale_result.
 * scale_a is one float32 for all or one for each row, of sizes [m, 1], and scale_b one or [1, n]. The result is float32 for
 * integers and of the dtype of self for float8, unless out_dtype says otherwise. use_fast_accum has no meaning here. */
TN_API tn_tensor *tn__scaled_mm(const tn_tensor *self, const tn_tensor *mat2, const tn_tensor *scale_a,
                                const tn_tensor *scale_b, const tn_tensor *bias, const tn_tensor *scale_result,
                                tn_dtype out_dtype, bool use_fast_accum);
TN_API tn_tensor *tn__scaled_mm_out(tn_tensor *out, const tn_tensor *self, const tn_tensor *mat2, const tn_tensor *scale_a,
                                    const tn_tensor *scale_b, const tn_tensor *bias, const tn_tensor *scale_result,
                                    tn_dtype out_dtype, bool use_fast_accum);

/* The sum over some dimensions, none meaning none of them, of self * other, which are broadcast and have one dtype: without the
 * product ever being in memory. Every matrix product, batch of them and contraction is one of these, and einsum is made of
 * them. Dimensions are merged where strides allow it, and an operand is copied only where what is summed over does not merge;
 * see docs/products.md. float16 and bfloat16 are summed in float32 and rounded once; integers wrap around. */
TN_API tn_tensor *tn_sumproduct(const tn_tensor *self, const tn_tensor *other, tn_dims dim, bool keepdim);
TN_API tn_tensor *tn_sumproduct_out(tn_tensor *out, const tn_tensor *self, const tn_tensor *other, tn_dims dim, bool keepdim);

/* The sums over pairs of dimensions, dims_self[i] of self with dims_other[i] of other: what is left of self, then what is left
 * of other, are the dimensions of the result. A size of 1 is broadcast. TN_ERROR_SHAPE for a pair of other sizes. */
TN_API tn_tensor *tn_tensordot(const tn_tensor *self, const tn_tensor *other, tn_dims dims_self, tn_dims dims_other);
TN_API tn_tensor *tn_tensordot_out(tn_tensor *out, const tn_tensor *self, const tn_tensor *other, tn_dims dims_self,
                                   tn_dims dims_other);

/* The same for the last dimensions of self and the first ones of other, dims of each. */
TN_API tn_tensor *tn_tensordot_count(const tn_tensor *self, const tn_tensor *other, int64_t dims);
TN_API tn_tensor *tn_tensordot_count_out(tn_tensor *out, const tn_tensor *self, const tn_tensor *other, int64_t dims);

/* The sums of products that an equation says, "bij,bjk->bik": a letter for each dimension of each tensor, and those of the
 * result after the arrow; without an arrow, those that are there once, in the order A to Z, a to z. A label that the result
 * does not have is summed over, one that an operand has twice is its diagonal, ... are any number of dimensions, broadcast.
 * Tensors are contracted two at a time in the order that needs the fewest multiplications; tenon/einsum.h has a call that tells
 * it. One tensor of which nothing is summed gives a view. Errors name the character of the equation. */
TN_API tn_tensor *tn_einsum(const char *equation, const tn_tensor *const *tensors, int64_t tensors_count);

/* The product of two matrices or more, in the order that needs the fewest multiplications. The first and the last may be
 * vectors, a row and a column, whose dimension the result does not have. */
TN_API tn_tensor *tn_linalg_multi_dot(const tn_tensor *const *tensors, int64_t tensors_count);
TN_API tn_tensor *tn_linalg_multi_dot_out(tn_tensor *out, const tn_tensor *const *tensors, int64_t tensors_count);

/* The same for matrices only, of which one is enough: that is its own product, a view. Use linalg_multi_dot. */
TN_API tn_tensor *tn_chain_matmul(const tn_tensor *const *matrices, int64_t matrices_count);
TN_API tn_tensor *tn_chain_matmul_out(tn_tensor *out, const tn_tensor *const *matrices, int64_t matrices_count);

/* ---- attention --------------------------------------------------------------------------------------------------- */

/* softmax(scale * query key^T + attn_mask) value: (..., L, E), (..., S, E) and (..., S, Ev) give (..., L, Ev), the weights
 * never being in memory as a whole. Batch dimensions are broadcast. attn_mask broadcasts to (..., L, S): bool, where true takes
 * part, or floats that are added; is_causal lets row i see keys up to i. A row of which all is masked gives zeros. Without a
 * scale (TN_NO_SCALAR) it is 1 / sqrt(E). enable_gqa: key and value may have fewer heads, the third dimension from the end,
 * each serving several of query. Weights are dropped with probability dropout_p, and the others divided by 1 - dropout_p. */
TN_API tn_tensor *tn_scaled_dot_product_attention(const tn_tensor *query, const tn_tensor *key, const tn_tensor *value,
                                                  const tn_tensor *attn_mask, double dropout_p, bool is_causal, tn_scalar scale,
                                                  bool enable_gqa, tn_generator *generator);

/* scaled_dot_product_attention, and for each row the logarithm of the sum of its exponentials (0 where all is masked), from
 * which the backward rows compute the weights again. kept, from _dropout_bits, says which weights are not dropped. */
TN_API tn_list *tn__scaled_dot_product_attention_forward(const tn_tensor *query, const tn_tensor *key, const tn_tensor *value,
                                                         const tn_tensor *attn_mask, const tn_tensor *kept, double dropout_p,
                                                         bool is_causal, tn_scalar scale, bool enable_gqa);

/* The gradients of query, key and value, each with its own sizes: what is shared by broadcasting or between heads is summed.
 * grad_output is that of output. Memory does not grow with L times S. */
TN_API tn_list *tn__scaled_dot_product_attention_backward(const tn_tensor *grad_output, const tn_tensor *query,
                                                          const tn_tensor *key, const tn_tensor *value, const tn_tensor *output,
                                                          const tn_tensor *logsumexp, const tn_tensor *attn_mask,
                                                          const tn_tensor *kept, double dropout_p, bool is_causal,
                                                          tn_scalar scale, bool enable_gqa);

/* The gradient of an attn_mask of floats: of its batch sizes, but for all rows and keys, (..., L, S). */
TN_API tn_tensor *tn__scaled_dot_product_attention_mask_backward(const tn_tensor *grad_output, const tn_tensor *query,
                                                                 const tn_tensor *key, const tn_tensor *value,
                                                                 const tn_tensor *output, const tn_tensor *logsumexp,
                                                                 const tn_tensor *attn_mask, const tn_tensor *kept,
                                                                 double dropout_p, bool is_causal, tn_scalar scale,
                                                                 bool enable_gqa);

/* _scaled_dot_product_attention_forward under PyTorch's name, for four dimensions; dropout_p is 0. */
TN_API tn_list *tn__scaled_dot_product_flash_attention_for_cpu(const tn_tensor *query, const tn_tensor *key,
                                                               const tn_tensor *value, double dropout_p, bool is_causal,
                                                               const tn_tensor *attn_mask, tn_scalar scale);

/* _scaled_dot_product_attention_backward under PyTorch's name, for four dimensions; dropout_p is 0. */
TN_API tn_list *tn__scaled_dot_product_flash_attention_for_cpu_backward(const tn_tensor *grad_out, const tn_tensor *query,
                                                                        const tn_tensor *key, const tn_tensor *value,
                                                                        const tn_tensor *out, const tn_tensor *logsumexp,
                                                                        double dropout_p, bool is_causal,
                                                                        const tn_tensor *attn_mask, tn_scalar scale);

/* ---- convolution ------------------------------------------------------------------------------------------------- */

/* Images (n, c, ...) of one, two or three dimensions, seen through windows: for each window and each channel of the result the
 * sum of the products of what the window shows with weight (channels, c / groups, ...), plus bias. Windows are stride apart and
 * their elements dilation; padding zeros are added on each side. Lists have one number for each dimension of an image, or one
 * for all. Channels come in groups, each of which sees its own part of c. Transposed, the sums go the other way: each element
 * of input, times weight (c, channels / groups, ...), is added to the window that it stands for, and the result has (size - 1)
 * * stride - 2 * padding + dilation * (kernel - 1) + output_padding + 1 elements. All tensors have one dtype, and not bool;
 * float16 and bfloat16 are added up in float32 and rounded once, integers wrap. The result has its channels last in memory
 * where input or weight has. No strides are copied, no columns written out; the same bits for every number of threads.
 * TN_ERROR_SHAPE for sizes that do not fit, TN_ERROR_ARGUMENT for numbers that make no sense, TN_ERROR_DTYPE for two
 * dtypes. */
TN_API tn_tensor *tn_convolution(const tn_tensor *input, const tn_tensor *weight, const tn_tensor *bias, tn_dims stride,
                                 tn_dims padding, tn_dims dilation, bool transposed, tn_dims output_padding, int64_t groups);
TN_API tn_tensor *tn_convolution_out(tn_tensor *out, const tn_tensor *input, const tn_tensor *weight, const tn_tensor *bias,
                                     tn_dims stride, tn_dims padding, tn_dims dilation, bool transposed, tn_dims output_padding,
                                     int64_t groups);

/* tn_convolution through an activation, rounded once: "none", "relu", "gelu", "gelu_tanh", "silu", "tanh" or "sigmoid", which
 * are for floats. */
TN_API tn_tensor *tn_convolution_fused(const tn_tensor *input, const tn_tensor *weight, const tn_tensor *bias, tn_dims stride,
                                       tn_dims padding, tn_dims dilation, bool transposed, tn_dims output_padding,
                                       int64_t groups, const char *activation);
TN_API tn_tensor *tn_convolution_fused_out(tn_tensor *out, const tn_tensor *input, const tn_tensor *weight,
                                           const tn_tensor *bias, tn_dims stride, tn_dims padding, tn_dims dilation,
                                           bool transposed, tn_dims output_padding, int64_t groups, const char *activation);

/* tn_convolution under the name of PyTorch's operator; the last three parameters mean nothing here. */
TN_API tn_tensor *tn__convolution(const tn_tensor *input, const tn_tensor *weight, const tn_tensor *bias, tn_dims stride,
                                  tn_dims padding, tn_dims dilation, bool transposed, tn_dims output_padding, int64_t groups,
                                  bool benchmark, bool deterministic, bool cudnn_enabled);

/* tn_convolution of images of one dimension. An input without a batch gives a result without one. */
TN_API tn_tensor *tn_conv1d(const tn_tensor *input, const tn_tensor *weight, const tn_tensor *bias, tn_dims stride,
                            tn_dims padding, tn_dims dilation, int64_t groups);

/* The same with padding as a word: "valid" is none, "same" as much as gives the result the sizes of input, for a stride of 1.
 * TN_ERROR_ARGUMENT for others. */
TN_API tn_tensor *tn_conv1d_padding(const tn_tensor *input, const tn_tensor *weight, const tn_tensor *bias, tn_dims stride,
                                    const char *padding, tn_dims dilation, int64_t groups);

/* tn_convolution of images of two dimensions. An input without a batch gives a result without one. */
TN_API tn_tensor *tn_conv2d(const tn_tensor *input, const tn_tensor *weight, const tn_tensor *bias, tn_dims stride,
                            tn_dims padding, tn_dims dilation, int64_t groups);

/* The same with padding as a word: "valid" is none, "same" as much as gives the result the sizes of input, for a stride of 1.
 * TN_ERROR_ARGUMENT for others. */
TN_API tn_tensor *tn_conv2d_padding(const tn_tensor *input, const tn_tensor *weight, const tn_tensor *bias, tn_dims stride,
                                    const char *padding, tn_dims dilation, int64_t groups);

/* tn_convolution of images of three dimensions. An input without a batch gives a result without one. */
TN_API tn_tensor *tn_conv3d(const tn_tensor *input, const tn_tensor *weight, const tn_tensor *bias, tn_dims stride,
                            tn_dims padding, tn_dims dilation, int64_t groups);

/* The same with padding as a word: "valid" is none, "same" as much as gives the result the sizes of input, for a stride of 1.
 * TN_ERROR_ARGUMENT for others. */
TN_API tn_tensor *tn_conv3d_padding(const tn_tensor *input, const tn_tensor *weight, const tn_tensor *bias, tn_dims stride,
                                    const char *padding, tn_dims dilation, int64_t groups);

/* A transposed tn_convolution of images of one dimension. An input without a batch gives a result without one. */
TN_API tn_tensor *tn_conv_transpose1d(const tn_tensor *input, const tn_tensor *weight, const tn_tensor *bias, tn_dims stride,
                                      tn_dims padding, tn_dims output_padding, int64_t groups, tn_dims dilation);

/* A transposed tn_convolution of images of two dimensions. An input without a batch gives a result without one. */
TN_API tn_tensor *tn_conv_transpose2d(const tn_tensor *input, const tn_tensor *weight, const tn_tensor *bias, tn_dims stride,
                                      tn_dims padding, tn_dims output_padding, int64_t groups, tn_dims dilation);

/* A transposed tn_convolution of images of three dimensions. An input without a batch gives a result without one. */
TN_API tn_tensor *tn_conv_transpose3d(const tn_tensor *input, const tn_tensor *weight, const tn_tensor *bias, tn_dims stride,
                                      tn_dims padding, tn_dims output_padding, int64_t groups, tn_dims dilation);

/* tn_conv1d of (time, batch, channels) with weight (kernel, channels, channels of the result), as (time, batch, channels). */
TN_API tn_tensor *tn_conv_tbc(const tn_tensor *self, const tn_tensor *weight, const tn_tensor *bias, int64_t pad);

/* The gradients of tn_convolution of its three tensors, from that of its result. output_mask has three numbers: where one is 0,
 * that gradient is not computed, and an empty tensor stands for it. bias_sizes is that of bias, or empty. */
TN_API tn_list *tn_convolution_backward(const tn_tensor *grad_output, const tn_tensor *input, const tn_tensor *weight,
                                        tn_dims bias_sizes, tn_dims stride, tn_dims padding, tn_dims dilation, bool transposed,
                                        tn_dims output_padding, int64_t groups, tn_dims output_mask);

/* The gradient of tn_convolution of its weights, whose sizes are weight_size. */
TN_API tn_tensor *tn_convolution_backward_weight(const tn_tensor *grad_output, const tn_tensor *input, tn_dims weight_size,
                                                 tn_dims stride, tn_dims padding, tn_dims dilation, bool transposed,
                                                 tn_dims output_padding, int64_t groups);
TN_API tn_tensor *tn_convolution_backward_weight_out(tn_tensor *out, const tn_tensor *grad_output, const tn_tensor *input,
                                                     tn_dims weight_size, tn_dims stride, tn_dims padding, tn_dims dilation,
                                                     bool transposed, tn_dims output_padding, int64_t groups);

/* The blocks of images (n, c, rows, columns) that a window covers as it moves over them, each as a column: (n, c * window,
 * places). Without a batch, (c, rows, columns) gives (c * window, places). The numbers are those of tn_convolution. */
TN_API tn_tensor *tn_im2col(const tn_tensor *self, tn_dims kernel_size, tn_dims dilation, tn_dims padding, tn_dims stride);
TN_API tn_tensor *tn_im2col_out(tn_tensor *out, const tn_tensor *self, tn_dims kernel_size, tn_dims dilation, tn_dims padding,
                                tn_dims stride);

/* Images of output_size from columns as tn_im2col makes them: elements that several columns have are added up, in the order of
 * the window. */
TN_API tn_tensor *tn_col2im(const tn_tensor *self, tn_dims output_size, tn_dims kernel_size, tn_dims dilation, tn_dims padding,
                            tn_dims stride);
TN_API tn_tensor *tn_col2im_out(tn_tensor *out, const tn_tensor *self, tn_dims output_size, tn_dims kernel_size,
                                tn_dims dilation, tn_dims padding, tn_dims stride);

/* ---- scan -------------------------------------------------------------------------------------------------------- */

/* The sum of each element and all before it along a dimension. Integers and bool add up in int64; with a dtype self is
 * converted to it first. In place the dtype is that of self, and the out form without a dtype takes that of out. float32 and
 * smaller floats are carried in double and rounded at each element; the bits are the same for any strides and number of
 * threads. */
TN_API tn_tensor *tn_cumsum(const tn_tensor *self, int64_t dim, tn_dtype dtype);
TN_API tn_tensor *tn_cumsum_(tn_tensor *self, int64_t dim, tn_dtype dtype);
TN_API tn_tensor *tn_cumsum_out(tn_tensor *out, const tn_tensor *self, int64_t dim, tn_dtype dtype);

/* The product of each element and all before it along a dimension; dtypes as in cumsum. */
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

/* ---- embedding --------------------------------------------------------------------------------------------------- */

/* The rows of self that indices name are scaled down to max_norm where their norm is larger. */
TN_API tn_tensor *tn_embedding_renorm_(tn_tensor *self, const tn_tensor *indices, double max_norm, double norm_type);

/* The gradient of the weight of embedding: rows of grad_output added up where indices say, without those of padding_idx; with
 * scale_grad_by_freq divided by how often the index occurs. */
TN_API tn_tensor *tn_embedding_dense_backward(const tn_tensor *grad_output, const tn_tensor *indices, int64_t num_weights,
                                              int64_t padding_idx, bool scale_grad_by_freq);

/* Bags of rows of weight: the sum (mode 0), the mean (1) or the largest (2) of the rows whose numbers are in indices, from each
 * offset up to the next. per_sample_weights multiply the rows of a sum; with include_last_offset the last offset is the end of
 * the last bag. Results: the bags, the bag of each index, how many rows each has (zeros for a sum), and the index that each
 * maximum came from. Rows of padding_idx, where it is not negative, take no part. */
TN_API tn_list *tn__embedding_bag(const tn_tensor *weight, const tn_tensor *indices, const tn_tensor *offsets,
                                  bool scale_grad_by_freq, int64_t mode, bool sparse, const tn_tensor *per_sample_weights,
                                  bool include_last_offset, int64_t padding_idx);

/* Bags of rows of weight: the sum (mode 0), the mean (1) or the largest (2) of the rows whose numbers are in indices, from each
 * offset up to the next. per_sample_weights multiply the rows of a sum; with include_last_offset the last offset is the end of
 * the last bag. Results: the bags, the bag of each index, how many rows each has (zeros for a sum), and the index that each
 * maximum came from. */
TN_API tn_list *tn_embedding_bag(const tn_tensor *weight, const tn_tensor *indices, const tn_tensor *offsets,
                                 bool scale_grad_by_freq, int64_t mode, bool sparse, const tn_tensor *per_sample_weights,
                                 bool include_last_offset);

/* The same, where rows of padding_idx take no part; a negative one counts from the end. */
TN_API tn_list *tn_embedding_bag_padding_idx(const tn_tensor *weight, const tn_tensor *indices, const tn_tensor *offsets,
                                             bool scale_grad_by_freq, int64_t mode, bool sparse,
                                             const tn_tensor *per_sample_weights, bool include_last_offset,
                                             int64_t padding_idx);

/* ---- loss -------------------------------------------------------------------------------------------------------- */

/* The squares of self - target; reduction: 0 none, 1 the mean, 2 the sum. */
TN_API tn_tensor *tn_mse_loss(const tn_tensor *self, const tn_tensor *target, int64_t reduction);

/* The magnitudes of self - target; reduction: 0 none, 1 the mean, 2 the sum. */
TN_API tn_tensor *tn_l1_loss(const tn_tensor *self, const tn_tensor *target, int64_t reduction);

/* The magnitude of self - target, less beta / 2; below beta its square over 2 beta. reduction: 0 none, 1 the mean, 2 the
 * sum. */
TN_API tn_tensor *tn_smooth_l1_loss(const tn_tensor *self, const tn_tensor *target, int64_t reduction, double beta);

/* delta times (the magnitude of self - target, less delta / 2); up to delta half its square. reduction: 0 none, 1 the mean, 2
 * the sum. */
TN_API tn_tensor *tn_huber_loss(const tn_tensor *self, const tn_tensor *target, int64_t reduction, double delta);

/* -(target log self + (1 - target) log(1 - self)), logarithms being at least -100. TN_ERROR_ARGUMENT where self is not between
 * 0 and 1. reduction: 0 none, 1 the mean, 2 the sum. */
TN_API tn_tensor *tn_binary_cross_entropy(const tn_tensor *self, const tn_tensor *target, const tn_tensor *weight,
                                          int64_t reduction);

/* The same of sigmoid(self); pos_weight multiplies the part of target. reduction: 0 none, 1 the mean, 2 the sum. */
TN_API tn_tensor *tn_binary_cross_entropy_with_logits(const tn_tensor *self, const tn_tensor *target, const tn_tensor *weight,
                                                      const tn_tensor *pos_weight, int64_t reduction);

/* target (log target - self); with log_target, target is given as its logarithm. reduction: 0 none, 1 the mean, 2 the sum. */
TN_API tn_tensor *tn_kl_div(const tn_tensor *self, const tn_tensor *target, int64_t reduction, bool log_target);

/* e^input - target * input, or without log_input input - target * log(input + eps); full adds an approximation of log(target!).
 * reduction: 0 none, 1 the mean, 2 the sum. */
TN_API tn_tensor *tn_poisson_nll_loss(const tn_tensor *input, const tn_tensor *target, bool log_input, bool full, double eps,
                                      int64_t reduction);

/* log(1 + e^(-target * self)). reduction: 0 none, 1 the mean, 2 the sum. */
TN_API tn_tensor *tn_soft_margin_loss(const tn_tensor *self, const tn_tensor *target, int64_t reduction);

/* self where target is 1, and what it is below margin where target is -1. reduction: 0 none, 1 the mean, 2 the sum. */
TN_API tn_tensor *tn_hinge_embedding_loss(const tn_tensor *self, const tn_tensor *target, double margin, int64_t reduction);

/* What -target * (input1 - input2) + margin is above 0. reduction: 0 none, 1 the mean, 2 the sum. */
TN_API tn_tensor *tn_margin_ranking_loss(const tn_tensor *input1, const tn_tensor *input2, const tn_tensor *target,
                                         double margin, int64_t reduction);

/* 1 less the cosine of input1 and input2 where target is 1, what it is above margin where target is -1. reduction: 0 none, 1
 * the mean, 2 the sum. */
TN_API tn_tensor *tn_cosine_embedding_loss(const tn_tensor *input1, const tn_tensor *input2, const tn_tensor *target,
                                           double margin, int64_t reduction);

/* What the distance of anchor and positive, less that of anchor and negative, plus margin is above 0. swap: positive may be the
 * anchor. reduction: 0 none, 1 the mean, 2 the sum. */
TN_API tn_tensor *tn_triplet_margin_loss(const tn_tensor *anchor, const tn_tensor *positive, const tn_tensor *negative,
                                         double margin, double p, double eps, bool swap, int64_t reduction);

/* -weight * self at the class that target has; classes are dimension 1, or the only one. The mean is over weights. Targets of
 * ignore_index take no part. reduction: 0 none, 1 the mean, 2 the sum. */
TN_API tn_tensor *tn_nll_loss_nd(const tn_tensor *self, const tn_tensor *target, const tn_tensor *weight, int64_t reduction,
                                 int64_t ignore_index);

/* nll_loss_nd under its other name. */
TN_API tn_tensor *tn_nll_loss(const tn_tensor *self, const tn_tensor *target, const tn_tensor *weight, int64_t reduction,
                              int64_t ignore_index);

/* nll_loss_nd under its other name. */
TN_API tn_tensor *tn_nll_loss2d(const tn_tensor *self, const tn_tensor *target, const tn_tensor *weight, int64_t reduction,
                                int64_t ignore_index);

/* nll_loss_nd of log_softmax. A floating target of the same sizes has probabilities of classes. reduction: 0 none, 1 the mean,
 * 2 the sum. */
TN_API tn_tensor *tn_cross_entropy_loss(const tn_tensor *self, const tn_tensor *target, const tn_tensor *weight,
                                        int64_t reduction, int64_t ignore_index, double label_smoothing);

/* cross_entropy_loss in one pass, with what its derivative needs: the logarithm of each line's sum of exponentials, and the sum
 * of the weights that take part; both float64. Only self has a gradient. */
TN_API tn_list *tn__cross_entropy(const tn_tensor *self, const tn_tensor *target, const tn_tensor *weight, int64_t reduction,
                                  int64_t ignore_index, double label_smoothing);

/* The gradient of self in _cross_entropy, from that of its loss and from its other results. */
TN_API tn_tensor *tn__cross_entropy_backward(const tn_tensor *grad_output, const tn_tensor *self, const tn_tensor *target,
                                             const tn_tensor *weight, const tn_tensor *logs, const tn_tensor *total,
                                             int64_t reduction, int64_t ignore_index, double label_smoothing);

/* For each row, what other classes are above that of target less margin, to the power p, over the number of classes. reduction:
 * 0 none, 1 the mean, 2 the sum. */
TN_API tn_tensor *tn_multi_margin_loss(const tn_tensor *self, const tn_tensor *target, tn_scalar p, tn_scalar margin,
                                       const tn_tensor *weight, int64_t reduction);

/* For each row, what classes outside of target (up to its first -1) are above those inside less 1, over the number of classes.
 * reduction: 0 none, 1 the mean, 2 the sum. */
TN_API tn_tensor *tn_multilabel_margin_loss(const tn_tensor *self, const tn_tensor *target, int64_t reduction);

/* The loss of each sequence, as ctc_loss has it, and (batch, steps, states) what its gradient needs: the logarithms of the
 * chances of all ways to each of the 2 s + 1 states of a target of s classes. zero_infinity matters for the gradient only. */
TN_API tn_list *tn__ctc_loss_tensor(const tn_tensor *log_probs, const tn_tensor *targets, const tn_tensor *input_lengths,
                                    const tn_tensor *target_lengths, int64_t blank, bool zero_infinity);

/* The gradient of log_probs, as PyTorch has it: that of logarithms which were normalised. With zero_infinity it is 0 where the
 * loss is infinite. */
TN_API tn_tensor *tn__ctc_loss_backward_tensor(const tn_tensor *grad_output, const tn_tensor *log_probs,
                                               const tn_tensor *targets, const tn_tensor *input_lengths,
                                               const tn_tensor *target_lengths, const tn_tensor *neg_log_likelihood,
                                               const tn_tensor *log_alpha, int64_t blank, bool zero_infinity);

/* The negative logarithm of the chance of a sequence of classes, whatever its alignment: log_probs (steps, batch, classes), or
 * without batch, are logarithms of chances, class `blank` means none. targets are rows (batch, most), or one behind the other;
 * input_lengths and target_lengths say how long each sequence is. The mean is over sequences, each divided by its target's
 * length. With zero_infinity a sequence that cannot be counts 0. reduction: 0 none, 1 the mean, 2 the sum. TN_ERROR_INDEX for a
 * class that is not there, TN_ERROR_SHAPE for lengths that do not fit. */
TN_API tn_tensor *tn_ctc_loss_tensor(const tn_tensor *log_probs, const tn_tensor *targets, const tn_tensor *input_lengths,
                                     const tn_tensor *target_lengths, int64_t blank, int64_t reduction, bool zero_infinity);

/* The same with lengths as numbers, for up to 64 sequences; in Python lists of any length become tensors. */
TN_API tn_tensor *tn_ctc_loss(const tn_tensor *log_probs, const tn_tensor *targets, tn_dims input_lengths,
                              tn_dims target_lengths, int64_t blank, int64_t reduction, bool zero_infinity);

/* ---- recurrent --------------------------------------------------------------------------------------------------- */

/* A long short-term memory: h of the last layer at every step, and the state h and c after the last one. hx is h and c at the
 * beginning, for each layer and direction; params is, for each of them, w_ih, w_hh, b_ih and b_hh with has_biases, and w_hr
 * where h has fewer features than c. Between layers dropout is applied where train is true. input is (steps, batch, features),
 * or with batch_first (batch, steps, features). */
TN_API tn_list *tn_lstm_input(const tn_tensor *input, const tn_tensor *const *hx, int64_t hx_count,
                              const tn_tensor *const *params, int64_t params_count, bool has_biases, int64_t num_layers,
                              double dropout, bool train, bool bidirectional, bool batch_first);

/* The same for a packed sequence: data has the rows of all steps one after the other, batch_sizes how many there are at
 * each. */
TN_API tn_list *tn_lstm_data(const tn_tensor *data, const tn_tensor *batch_sizes, const tn_tensor *const *hx, int64_t hx_count,
                             const tn_tensor *const *params, int64_t params_count, bool has_biases, int64_t num_layers,
                             double dropout, bool train, bool bidirectional);

/* Gated recurrent units: h of the last layer at every step, and of all layers after the last. As lstm, without c and
 * projections. */
TN_API tn_list *tn_gru_input(const tn_tensor *input, const tn_tensor *hx, const tn_tensor *const *params, int64_t params_count,
                             bool has_biases, int64_t num_layers, double dropout, bool train, bool bidirectional,
                             bool batch_first);

/* The same for a packed sequence: data has the rows of all steps one after the other, batch_sizes how many there are at
 * each. */
TN_API tn_list *tn_gru_data(const tn_tensor *data, const tn_tensor *batch_sizes, const tn_tensor *hx,
                            const tn_tensor *const *params, int64_t params_count, bool has_biases, int64_t num_layers,
                            double dropout, bool train, bool bidirectional);

/* A recurrent network whose state is tanh of the sum of what input and state bring: h of the last layer at every step, and of
 * all layers after the last. As lstm, without c and projections. */
TN_API tn_list *tn_rnn_tanh_input(const tn_tensor *input, const tn_tensor *hx, const tn_tensor *const *params,
                                  int64_t params_count, bool has_biases, int64_t num_layers, double dropout, bool train,
                                  bool bidirectional, bool batch_first);

/* The same for a packed sequence: data has the rows of all steps one after the other, batch_sizes how many there are at
 * each. */
TN_API tn_list *tn_rnn_tanh_data(const tn_tensor *data, const tn_tensor *batch_sizes, const tn_tensor *hx,
                                 const tn_tensor *const *params, int64_t params_count, bool has_biases, int64_t num_layers,
                                 double dropout, bool train, bool bidirectional);

/* A recurrent network whose state is relu of the sum of what input and state bring: h of the last layer at every step, and of
 * all layers after the last. As lstm, without c and projections. */
TN_API tn_list *tn_rnn_relu_input(const tn_tensor *input, const tn_tensor *hx, const tn_tensor *const *params,
                                  int64_t params_count, bool has_biases, int64_t num_layers, double dropout, bool train,
                                  bool bidirectional, bool batch_first);

/* The same for a packed sequence: data has the rows of all steps one after the other, batch_sizes how many there are at
 * each. */
TN_API tn_list *tn_rnn_relu_data(const tn_tensor *data, const tn_tensor *batch_sizes, const tn_tensor *hx,
                                 const tn_tensor *const *params, int64_t params_count, bool has_biases, int64_t num_layers,
                                 double dropout, bool train, bool bidirectional);

/* One step of an LSTM: the new h and c, of input (batch, features) and hx, which is h and c. */
TN_API tn_list *tn_lstm_cell(const tn_tensor *input, const tn_tensor *const *hx, int64_t hx_count, const tn_tensor *w_ih,
                             const tn_tensor *w_hh, const tn_tensor *b_ih, const tn_tensor *b_hh);

/* One step of a GRU: the new h, of input (batch, features) and hx. */
TN_API tn_tensor *tn_gru_cell(const tn_tensor *input, const tn_tensor *hx, const tn_tensor *w_ih, const tn_tensor *w_hh,
                              const tn_tensor *b_ih, const tn_tensor *b_hh);

/* One step of a network of tanh: the new h, of input (batch, features) and hx. */
TN_API tn_tensor *tn_rnn_tanh_cell(const tn_tensor *input, const tn_tensor *hx, const tn_tensor *w_ih, const tn_tensor *w_hh,
                                   const tn_tensor *b_ih, const tn_tensor *b_hh);

/* One step of a network of relu: the new h, of input (batch, features) and hx. */
TN_API tn_tensor *tn_rnn_relu_cell(const tn_tensor *input, const tn_tensor *hx, const tn_tensor *w_ih, const tn_tensor *w_hh,
                                   const tn_tensor *b_ih, const tn_tensor *b_hh);

/* What follows the products of an LSTM cell: the new h and c, of the sums that input and state bring to the gates i, f, g, o
 * (batch, 4 * features). The workspace is the gates. */
TN_API tn_list *tn__thnn_fused_lstm_cell(const tn_tensor *input_gates, const tn_tensor *hidden_gates, const tn_tensor *cx,
                                         const tn_tensor *input_bias, const tn_tensor *hidden_bias);

/* Its gradients: of the sums, of c, and of either bias (empty without has_bias). */
TN_API tn_list *tn__thnn_fused_lstm_cell_backward_impl(const tn_tensor *grad_hy, const tn_tensor *grad_cy, const tn_tensor *cx,
                                                       const tn_tensor *cy, const tn_tensor *workspace, bool has_bias);

/* What follows the products of a GRU cell: the new h, of the sums that input and state bring to the gates r, z, n (batch, 3 *
 * features). The workspace is the gates, h, and what the state brings to n. */
TN_API tn_list *tn__thnn_fused_gru_cell(const tn_tensor *input_gates, const tn_tensor *hidden_gates, const tn_tensor *hx,
                                        const tn_tensor *input_bias, const tn_tensor *hidden_bias);

/* Its gradients: of both sums, of h, and of the biases (empty without has_bias). */
TN_API tn_list *tn__thnn_fused_gru_cell_backward(const tn_tensor *grad_hy, const tn_tensor *workspace, bool has_bias);

/* A padded batch of sequences, the longest first, as a packed sequence: the rows of all steps, and how many there are at
 * each. */
TN_API tn_list *tn__pack_padded_sequence(const tn_tensor *input, const tn_tensor *lengths, bool batch_first);

/* The opposite: a batch of sequences, filled up with padding_value, and their lengths. total_length, above 0, is how many steps
 * there are at least. */
TN_API tn_list *tn__pad_packed_sequence(const tn_tensor *data, const tn_tensor *batch_sizes, bool batch_first,
                                        tn_scalar padding_value, int64_t total_length);

/* ---- random ------------------------------------------------------------------------------------------------------ */

/* Numbers drawn evenly from 0 to below 1. Complex numbers get two of them. The out variant resizes out, and draws for its
 * dtype: a different dtype argument is TN_ERROR_DTYPE. */
TN_API tn_tensor *tn_rand(tn_dims size, tn_dtype dtype, tn_generator *generator);
TN_API tn_tensor *tn_rand_out(tn_tensor *out, tn_dims size, tn_dtype dtype, tn_generator *generator);

/* rand with the sizes and, unless given, the dtype and the strides of another tensor. */
TN_API tn_tensor *tn_rand_like(const tn_tensor *self, tn_dtype dtype, tn_memory_format format, tn_generator *generator);

/* Normally distributed numbers with mean 0 and variance 1; the parts of complex ones have a variance of a half. */
TN_API tn_tensor *tn_randn(tn_dims size, tn_dtype dtype, tn_generator *generator);
TN_API tn_tensor *tn_randn_out(tn_tensor *out, tn_dims size, tn_dtype dtype, tn_generator *generator);

/* randn with the sizes and, unless given, the dtype and the strides of another tensor. */
TN_API tn_tensor *tn_randn_like(const tn_tensor *self, tn_dtype dtype, tn_memory_format format, tn_generator *generator);

/* Whole numbers drawn evenly from 0 to high - 1. TN_DTYPE_DEFAULT: int64, or that of out. */
TN_API tn_tensor *tn_randint(int64_t high, tn_dims size, tn_dtype dtype, tn_generator *generator);
TN_API tn_tensor *tn_randint_out(tn_tensor *out, int64_t high, tn_dims size, tn_dtype dtype, tn_generator *generator);

/* Whole numbers drawn evenly from low to high - 1; TN_ERROR_ARGUMENT where there are none, or the dtype cannot hold them. */
TN_API tn_tensor *tn_randint_low(int64_t low, int64_t high, tn_dims size, tn_dtype dtype, tn_generator *generator);
TN_API tn_tensor *tn_randint_low_out(tn_tensor *out, int64_t low, int64_t high, tn_dims size, tn_dtype dtype,
                                     tn_generator *generator);

/* randint with the sizes and, unless given, the dtype and the strides of another tensor. */
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

/* Every element is a number of trials, each with probability p, up to the first success: 1, 2, 3, ... */
TN_API tn_tensor *tn_geometric_(tn_tensor *self, double p, tn_generator *generator);

/* Every element is drawn from the whole numbers that the dtype holds, from 0 on; for floats, those up to the first gap. */
TN_API tn_tensor *tn_random_(tn_tensor *self, tn_generator *generator);

/* Every element is drawn from the whole numbers 0 to `to` - 1. */
TN_API tn_tensor *tn_random_to_(tn_tensor *self, int64_t to, tn_generator *generator);

/* Every element is drawn from the whole numbers `from` to `to` - 1, or with TN_NONE to the largest that the dtype holds. */
TN_API tn_tensor *tn_random_from_(tn_tensor *self, int64_t from, int64_t to, tn_generator *generator);

/* 1 with the probability that self has at the same place, otherwise 0. */
TN_API tn_tensor *tn_bernoulli(const tn_tensor *self, tn_generator *generator);
TN_API tn_tensor *tn_bernoulli_out(tn_tensor *out, const tn_tensor *self, tn_generator *generator);

/* 1 with probability p, otherwise 0, with the sizes and the dtype of self. */
TN_API tn_tensor *tn_bernoulli_p(const tn_tensor *self, double p, tn_generator *generator);

/* Every element becomes 1 with probability p, otherwise 0. */
TN_API tn_tensor *tn_bernoulli_(tn_tensor *self, double p, tn_generator *generator);

/* The same with a probability for each element; p is broadcast. */
TN_API tn_tensor *tn_bernoulli_tensor_(tn_tensor *self, const tn_tensor *p, tn_generator *generator);

/* Positions in a row of weights, or in each of several rows, drawn with probabilities in proportion to the weights; without
 * replacement no position twice. */
TN_API tn_tensor *tn_multinomial(const tn_tensor *self, int64_t num_samples, bool replacement, tn_generator *generator);
TN_API tn_tensor *tn_multinomial_out(tn_tensor *out, const tn_tensor *self, int64_t num_samples, bool replacement,
                                     tn_generator *generator);

/* Elements become 0 with probability p, and the others are divided by 1 - p. Where train is false: self. TN_ERROR_ARGUMENT for
 * a p that is not a probability, even then. */
TN_API tn_tensor *tn_dropout(const tn_tensor *self, double p, bool train, tn_generator *generator);
TN_API tn_tensor *tn_dropout_(tn_tensor *self, double p, bool train, tn_generator *generator);

/* dropout, and which elements were not dropped. Where train is false: a copy of input, none dropped. */
TN_API tn_list *tn_native_dropout(const tn_tensor *input, double p, bool train, tn_generator *generator);

/* What dropout would draw for a tensor of these sizes, in row-major order, as bits: 0 with probability p. A vector of uint8,
 * the lowest bit of a byte first, on the device of self. */
TN_API tn_tensor *tn__dropout_bits(const tn_tensor *self, tn_dims size, double p, tn_generator *generator);

/* Counts from the Poisson distribution with the rate that self has at the same place. */
TN_API tn_tensor *tn_poisson(const tn_tensor *self, tn_generator *generator);
TN_API tn_tensor *tn_poisson_out(tn_tensor *out, const tn_tensor *self, tn_generator *generator);

/* How many of `count` trials succeed, each with probability `prob`, which is broadcast to count's sizes. */
TN_API tn_tensor *tn_binomial(const tn_tensor *count, const tn_tensor *prob, tn_generator *generator);
TN_API tn_tensor *tn_binomial_out(tn_tensor *out, const tn_tensor *count, const tn_tensor *prob, tn_generator *generator);

/* Numbers from the gamma distribution whose shape parameter self has at the same place, with scale 1. Their derivative is how
 * they move with the parameter, the draw being the same. */
TN_API tn_tensor *tn_standard_gamma(const tn_tensor *self, tn_generator *generator);

/* standard_gamma under its other name. */
TN_API tn_tensor *tn__standard_gamma(const tn_tensor *self, tn_generator *generator);

/* How each number of output, which standard_gamma(self) gave, moves with self. An approximation to about four digits, the same
 * as PyTorch's. */
TN_API tn_tensor *tn__standard_gamma_grad(const tn_tensor *self, const tn_tensor *output);

/* Rows of parts whose sum is 1, from the Dirichlet distribution whose parameters are the rows of self. Derivatives as of
 * standard_gamma. */
TN_API tn_tensor *tn_sample_dirichlet(const tn_tensor *self, tn_generator *generator);

/* sample_dirichlet under its other name. */
TN_API tn_tensor *tn__sample_dirichlet(const tn_tensor *self, tn_generator *generator);

/* How each part x of a draw moves with its parameter alpha, total being the sum of the row's parameters, divided by 1 - x. */
TN_API tn_tensor *tn__dirichlet_grad(const tn_tensor *x, const tn_tensor *alpha, const tn_tensor *total);

/* As dropout, but dropped elements become the value that selu has far left of 0, and the result is scaled and shifted so that
 * mean and variance stay. */
TN_API tn_tensor *tn_alpha_dropout(const tn_tensor *self, double p, bool train, tn_generator *generator);
TN_API tn_tensor *tn_alpha_dropout_(tn_tensor *self, double p, bool train, tn_generator *generator);

/* As dropout, for whole channels: one decision for each index of the first two dimensions. */
TN_API tn_tensor *tn_feature_dropout(const tn_tensor *self, double p, bool train, tn_generator *generator);
TN_API tn_tensor *tn_feature_dropout_(tn_tensor *self, double p, bool train, tn_generator *generator);

/* As alpha_dropout, for whole channels. */
TN_API tn_tensor *tn_feature_alpha_dropout(const tn_tensor *self, double p, bool train, tn_generator *generator);
TN_API tn_tensor *tn_feature_alpha_dropout_(tn_tensor *self, double p, bool train, tn_generator *generator);

/* ---- initialise -------------------------------------------------------------------------------------------------- */

/* A weight drawn evenly so that input and output have the same spread (Glorot and Bengio 2010). */
TN_API tn_tensor *tn_xavier_uniform_(tn_tensor *self, double gain, tn_generator *generator);

/* The same from the normal distribution. */
TN_API tn_tensor *tn_xavier_normal_(tn_tensor *self, double gain, tn_generator *generator);

/* A weight drawn evenly so that the spread survives the nonlinearity after it (He and others 2015); a is the slope of
 * leaky_relu. */
TN_API tn_tensor *tn_kaiming_uniform_(tn_tensor *self, double a, const char *mode, const char *nonlinearity,
                                      tn_generator *generator);

/* The same from the normal distribution. */
TN_API tn_tensor *tn_kaiming_normal_(tn_tensor *self, double a, const char *mode, const char *nonlinearity,
                                     tn_generator *generator);

/* Every element is drawn from the part of the normal distribution between a and b. */
TN_API tn_tensor *tn_trunc_normal_(tn_tensor *self, double mean, double std, double a, double b, tn_generator *generator);

/* A matrix whose rows or columns, whichever are fewer, are at right angles and of length gain; further dimensions count as
 * columns. */
TN_API tn_tensor *tn_orthogonal_(tn_tensor *self, double gain, tn_generator *generator);

/* A matrix of normal numbers in which a share of the rows, drawn for each column, is 0. */
TN_API tn_tensor *tn_sparse_(tn_tensor *self, double sparsity, double std, tn_generator *generator);

/* A matrix becomes 1 on the diagonal and 0 elsewhere. */
TN_API tn_tensor *tn_eye_(tn_tensor *self);

/* The weight of a convolution becomes one that passes its input channels through, as many as there are outputs in a group. */
TN_API tn_tensor *tn_dirac_(tn_tensor *self, int64_t groups);

/* ---- linalg ------------------------------------------------------------------------------------------------------ */

/* L of the Hermitian positive definite matrices self = L L^H, of which only the lower triangle is read; with upper, U of U^H U,
 * from the upper one. info, int32: 0, or the order of the first leading minor that is not positive; with check_errors that is
 * TN_ERROR_LINALG. */
TN_API tn_list *tn_linalg_cholesky_ex(const tn_tensor *self, bool upper, bool check_errors);
TN_API tn_tensor *tn_linalg_cholesky_ex_out(tn_tensor *L, tn_tensor *info, const tn_tensor *self, bool upper,
                                            bool check_errors);

/* The same without info: TN_ERROR_LINALG, with the matrix and the order of its minor, where one is not positive definite. */
TN_API tn_tensor *tn_linalg_cholesky(const tn_tensor *self, bool upper);
TN_API tn_tensor *tn_linalg_cholesky_out(tn_tensor *out, const tn_tensor *self, bool upper);

/* The older name of linalg_cholesky. */
TN_API tn_tensor *tn_cholesky(const tn_tensor *self, bool upper);
TN_API tn_tensor *tn_cholesky_out(tn_tensor *out, const tn_tensor *self, bool upper);

/* The solution of A x = self, where input2 is the Cholesky factor of A, lower unless upper. */
TN_API tn_tensor *tn_cholesky_solve(const tn_tensor *self, const tn_tensor *input2, bool upper);
TN_API tn_tensor *tn_cholesky_solve_out(tn_tensor *out, const tn_tensor *self, const tn_tensor *input2, bool upper);

/* The inverse of A, of which self is the Cholesky factor, lower unless upper. */
TN_API tn_tensor *tn_cholesky_inverse(const tn_tensor *self, bool upper);
TN_API tn_tensor *tn_cholesky_inverse_out(tn_tensor *out, const tn_tensor *self, bool upper);

/* A = P L U, with L, whose diagonal is 1, and U in one matrix, and pivots, int32: row j was exchanged with row pivots[j],
 * counted from 1. Without pivot no rows are. info, int32: 0, or the first pivot that is 0; with check_errors that is
 * TN_ERROR_LINALG. */
TN_API tn_list *tn_linalg_lu_factor_ex(const tn_tensor *A, bool pivot, bool check_errors);
TN_API tn_tensor *tn_linalg_lu_factor_ex_out(tn_tensor *LU, tn_tensor *pivots, tn_tensor *info, const tn_tensor *A, bool pivot,
                                             bool check_errors);

/* The same without info: TN_ERROR_LINALG where a pivot is 0. */
TN_API tn_list *tn_linalg_lu_factor(const tn_tensor *A, bool pivot);
TN_API tn_tensor *tn_linalg_lu_factor_out(tn_tensor *LU, tn_tensor *pivots, const tn_tensor *A, bool pivot);

/* The (n, n) permutations P that pivots stand for, in a dtype. */
TN_API tn_tensor *tn__linalg_pivots_to_matrix(const tn_tensor *pivots, int64_t n, tn_dtype dtype);

/* What linalg_lu_factor gave, as three matrices. What is not unpacked has no elements. */
TN_API tn_list *tn_lu_unpack(const tn_tensor *LU_data, const tn_tensor *LU_pivots, bool unpack_data, bool unpack_pivots);
TN_API tn_tensor *tn_lu_unpack_out(tn_tensor *P, tn_tensor *L, tn_tensor *U, const tn_tensor *LU_data,
                                   const tn_tensor *LU_pivots, bool unpack_data, bool unpack_pivots);

/* A = P L U: a permutation, a lower triangle with ones on its diagonal, an upper one. Without pivot P has no elements. */
TN_API tn_list *tn_linalg_lu(const tn_tensor *A, bool pivot);
TN_API tn_tensor *tn_linalg_lu_out(tn_tensor *P, tn_tensor *L, tn_tensor *U, const tn_tensor *A, bool pivot);

/* X of A X = B, or X A = B unless left, from what linalg_lu_factor gave for A; of A^H with adjoint. Batches are broadcast. */
TN_API tn_tensor *tn_linalg_lu_solve(const tn_tensor *LU, const tn_tensor *pivots, const tn_tensor *B, bool left, bool adjoint);
TN_API tn_tensor *tn_linalg_lu_solve_out(tn_tensor *out, const tn_tensor *LU, const tn_tensor *pivots, const tn_tensor *B,
                                         bool left, bool adjoint);

/* The older name of linalg_lu_solve, with the right-hand sides first. */
TN_API tn_tensor *tn_lu_solve(const tn_tensor *self, const tn_tensor *LU_data, const tn_tensor *LU_pivots);
TN_API tn_tensor *tn_lu_solve_out(tn_tensor *out, const tn_tensor *self, const tn_tensor *LU_data, const tn_tensor *LU_pivots);

/* X of self X = B, or X self = B unless left, where self is a triangle, of which the other one is not read, and with
 * unitriangular not the diagonal either, which is 1. Batches are broadcast. */
TN_API tn_tensor *tn_linalg_solve_triangular(const tn_tensor *self, const tn_tensor *B, bool upper, bool left,
                                             bool unitriangular);
TN_API tn_tensor *tn_linalg_solve_triangular_out(tn_tensor *out, const tn_tensor *self, const tn_tensor *B, bool upper,
                                                 bool left, bool unitriangular);

/* X of A X = self, or A^T X = self with transpose, where A is a triangle, and a copy of A. Use linalg_solve_triangular. */
TN_API tn_list *tn_triangular_solve(const tn_tensor *self, const tn_tensor *A, bool upper, bool transpose, bool unitriangular);
TN_API tn_tensor *tn_triangular_solve_out(tn_tensor *solution, tn_tensor *cloned_coefficient, const tn_tensor *self,
                                          const tn_tensor *A, bool upper, bool transpose, bool unitriangular);

/* X of A X = B for matrices, with what linalg_lu_factor_ex gives for A. Batches are broadcast. */
TN_API tn_list *tn__linalg_solve_ex(const tn_tensor *A, const tn_tensor *B, bool check_errors);
TN_API tn_tensor *tn__linalg_solve_ex_out(tn_tensor *result, tn_tensor *LU, tn_tensor *pivots, tn_tensor *info,
                                          const tn_tensor *A, const tn_tensor *B, bool check_errors);

/* X of A X = B, or X A = B unless left, for square matrices A. B is a matrix, or a vector: one alone, or with the sizes of A
 * without its last dimension. info, int32: 0, or the first pivot that is 0; with check_errors that is TN_ERROR_LINALG. */
TN_API tn_list *tn_linalg_solve_ex(const tn_tensor *A, const tn_tensor *B, bool left, bool check_errors);
TN_API tn_tensor *tn_linalg_solve_ex_out(tn_tensor *result, tn_tensor *info, const tn_tensor *A, const tn_tensor *B, bool left,
                                         bool check_errors);

/* The same without info: TN_ERROR_LINALG, with the matrix and its pivot, where one is singular. */
TN_API tn_tensor *tn_linalg_solve(const tn_tensor *A, const tn_tensor *B, bool left);
TN_API tn_tensor *tn_linalg_solve_out(tn_tensor *out, const tn_tensor *A, const tn_tensor *B, bool left);

/* The inverses of square matrices. info as in linalg_solve_ex. */
TN_API tn_list *tn_linalg_inv_ex(const tn_tensor *A, bool check_errors);
TN_API tn_tensor *tn_linalg_inv_ex_out(tn_tensor *inverse, tn_tensor *info, const tn_tensor *A, bool check_errors);

/* The same without info: TN_ERROR_LINALG where a matrix is singular. */
TN_API tn_tensor *tn_linalg_inv(const tn_tensor *A);
TN_API tn_tensor *tn_linalg_inv_out(tn_tensor *out, const tn_tensor *A);

/* linalg_inv under its other name. */
TN_API tn_tensor *tn_inverse(const tn_tensor *A);
TN_API tn_tensor *tn_inverse_out(tn_tensor *out, const tn_tensor *A);

/* The inverse of self as a matrix whose rows are its first ind dimensions and whose columns are the others; the result has them
 * the other way round. */
TN_API tn_tensor *tn_linalg_tensorinv(const tn_tensor *self, int64_t ind);
TN_API tn_tensor *tn_linalg_tensorinv_out(tn_tensor *out, const tn_tensor *self, int64_t ind);

/* X with tensordot(self, X, X.ndim) = other; dims of self are moved to its end first. */
TN_API tn_tensor *tn_linalg_tensorsolve(const tn_tensor *self, const tn_tensor *other, tn_dims dims);
TN_API tn_tensor *tn_linalg_tensorsolve_out(tn_tensor *out, const tn_tensor *self, const tn_tensor *other, tn_dims dims);

/* The determinants of square matrices, with what linalg_lu_factor_ex gives for them. */
TN_API tn_list *tn__linalg_det(const tn_tensor *A);
TN_API tn_tensor *tn__linalg_det_out(tn_tensor *result, tn_tensor *LU, tn_tensor *pivots, const tn_tensor *A);

/* The determinants of square matrices. */
TN_API tn_tensor *tn_linalg_det(const tn_tensor *A);
TN_API tn_tensor *tn_linalg_det_out(tn_tensor *out, const tn_tensor *A);

/* linalg_det under its other name. */
TN_API tn_tensor *tn_det(const tn_tensor *A);
TN_API tn_tensor *tn_det_out(tn_tensor *out, const tn_tensor *A);

/* The signs of the determinants, of complex ones their directions, and the logarithms of their magnitudes, with the
 * factors. */
TN_API tn_list *tn__linalg_slogdet(const tn_tensor *A);
TN_API tn_tensor *tn__linalg_slogdet_out(tn_tensor *sign, tn_tensor *logabsdet, tn_tensor *LU, tn_tensor *pivots,
                                         const tn_tensor *A);

/* The same without the factors. A singular matrix has sign 0 and logarithm -inf. */
TN_API tn_list *tn_linalg_slogdet(const tn_tensor *A);
TN_API tn_tensor *tn_linalg_slogdet_out(tn_tensor *sign, tn_tensor *logabsdet, const tn_tensor *A);

/* linalg_slogdet under its other name. */
TN_API tn_list *tn_slogdet(const tn_tensor *A);
TN_API tn_tensor *tn_slogdet_out(tn_tensor *sign, tn_tensor *logabsdet, const tn_tensor *A);

/* The logarithm of the determinant: NaN where that is negative, complex where self is. */
TN_API tn_tensor *tn_logdet(const tn_tensor *self);

/* Q R by reflections: R in the upper triangle of a, below it the vectors v of the reflections I - tau v v^H, whose first
 * element is 1 and not stored. */
TN_API tn_list *tn_geqrf(const tn_tensor *self);
TN_API tn_tensor *tn_geqrf_out(tn_tensor *a, tn_tensor *tau, const tn_tensor *self);

/* The first columns of Q, as many as input has, from what geqrf gave. */
TN_API tn_tensor *tn_linalg_householder_product(const tn_tensor *input, const tn_tensor *tau);
TN_API tn_tensor *tn_linalg_householder_product_out(tn_tensor *out, const tn_tensor *input, const tn_tensor *tau);

/* linalg_householder_product under its other name. */
TN_API tn_tensor *tn_orgqr(const tn_tensor *input, const tn_tensor *tau);
TN_API tn_tensor *tn_orgqr_out(tn_tensor *out, const tn_tensor *input, const tn_tensor *tau);

/* Q input3, or input3 Q unless left, from what geqrf gave; of Q^H with transpose. */
TN_API tn_tensor *tn_ormqr(const tn_tensor *self, const tn_tensor *tau, const tn_tensor *input3, bool left, bool transpose);
TN_API tn_tensor *tn_ormqr_out(tn_tensor *out, const tn_tensor *self, const tn_tensor *tau, const tn_tensor *input3, bool left,
                               bool transpose);

/* A = Q R, Q with orthonormal columns and R an upper triangle: (m, k) and (k, n), k the smaller of m and n, or (m, m) and (m,
 * n) with the mode "complete"; with "r" Q is empty. */
TN_API tn_list *tn_linalg_qr(const tn_tensor *A, const char *mode);
TN_API tn_tensor *tn_linalg_qr_out(tn_tensor *Q, tn_tensor *R, const tn_tensor *A, const char *mode);

/* The older name of linalg_qr; complete unless some. */
TN_API tn_list *tn_qr(const tn_tensor *self, bool some);
TN_API tn_tensor *tn_qr_out(tn_tensor *Q, tn_tensor *R, const tn_tensor *self, bool some);

/* L D L^T of symmetric matrices, or L D L^H of Hermitian ones, of which the lower triangle is read; D has blocks of one and two
 * rows (Bunch and Kaufman). Pivots are positive for the first and negative, in pairs, for the others. info: 0, or the first
 * block that is 0. */
TN_API tn_list *tn_linalg_ldl_factor_ex(const tn_tensor *self, bool hermitian, bool check_errors);
TN_API tn_tensor *tn_linalg_ldl_factor_ex_out(tn_tensor *LD, tn_tensor *pivots, tn_tensor *info, const tn_tensor *self,
                                              bool hermitian, bool check_errors);

/* The same without info: TN_ERROR_LINALG where a block is 0. */
TN_API tn_list *tn_linalg_ldl_factor(const tn_tensor *self, bool hermitian);
TN_API tn_tensor *tn_linalg_ldl_factor_out(tn_tensor *LD, tn_tensor *pivots, const tn_tensor *self, bool hermitian);

/* X of A X = B from what linalg_ldl_factor gave for A. Batches are broadcast. */
TN_API tn_tensor *tn_linalg_ldl_solve(const tn_tensor *LD, const tn_tensor *pivots, const tn_tensor *B, bool hermitian);
TN_API tn_tensor *tn_linalg_ldl_solve_out(tn_tensor *out, const tn_tensor *LD, const tn_tensor *pivots, const tn_tensor *B,
                                          bool hermitian);

/* The exponentials of square matrices, by scaling and squaring. */
TN_API tn_tensor *tn_linalg_matrix_exp(const tn_tensor *self);

/* linalg_matrix_exp under its other name. */
TN_API tn_tensor *tn_matrix_exp(const tn_tensor *self);

/* The norm of the matrices in two dimensions: for ord 1 the largest sum of magnitudes of a column, for inf of a row, for 2 the
 * largest singular value; for the negatives the smallest. */
TN_API tn_tensor *tn_linalg_matrix_norm(const tn_tensor *self, tn_scalar ord, tn_dims dim, bool keepdim, tn_dtype dtype);
TN_API tn_tensor *tn_linalg_matrix_norm_out(tn_tensor *out, const tn_tensor *self, tn_scalar ord, tn_dims dim, bool keepdim,
                                            tn_dtype dtype);

/* The root of the sum of squares, "fro", or the sum of the singular values, "nuc". */
TN_API tn_tensor *tn_linalg_matrix_norm_str_ord(const tn_tensor *self, const char *ord, tn_dims dim, bool keepdim,
                                                tn_dtype dtype);
TN_API tn_tensor *tn_linalg_matrix_norm_str_ord_out(tn_tensor *out, const tn_tensor *self, const char *ord, tn_dims dim,
                                                    bool keepdim, tn_dtype dtype);

/* Without ord linalg_vector_norm of order 2 over dim, or over everything; with it a norm of vectors along one dimension, of
 * matrices along two. */
TN_API tn_tensor *tn_linalg_norm(const tn_tensor *self, tn_scalar ord, tn_dims dim, bool keepdim, tn_dtype dtype);
TN_API tn_tensor *tn_linalg_norm_out(tn_tensor *out, const tn_tensor *self, tn_scalar ord, tn_dims dim, bool keepdim,
                                     tn_dtype dtype);

/* The same for "fro" and "nuc", which are norms of matrices. */
TN_API tn_tensor *tn_linalg_norm_ord_str(const tn_tensor *self, const char *ord, tn_dims dim, bool keepdim, tn_dtype dtype);
TN_API tn_tensor *tn_linalg_norm_ord_str_out(tn_tensor *out, const tn_tensor *self, const char *ord, tn_dims dim, bool keepdim,
                                             tn_dtype dtype);

/* self = V diag(w) V^H for real symmetric and Hermitian matrices, of which the lower triangle is read, with UPLO "U" the upper
 * one: w, real and ascending, and the columns of V, orthonormal. Each column is known up to a factor of size 1.
 * TN_ERROR_LINALG, with the matrix, where one has infinities or NaN. */
TN_API tn_list *tn_linalg_eigh(const tn_tensor *self, const char *UPLO);
TN_API tn_tensor *tn_linalg_eigh_out(tn_tensor *eigenvalues, tn_tensor *eigenvectors, const tn_tensor *self, const char *UPLO);

/* The eigenvalues of linalg_eigh alone. */
TN_API tn_tensor *tn_linalg_eigvalsh(const tn_tensor *self, const char *UPLO);
TN_API tn_tensor *tn_linalg_eigvalsh_out(tn_tensor *out, const tn_tensor *self, const char *UPLO);

/* self V = V diag(w) for square matrices: complex values, in no particular order, and the columns of V, of length 1.
 * TN_ERROR_LINALG, with the matrix, where one has infinities or NaN, or its values do not converge. */
TN_API tn_list *tn_linalg_eig(const tn_tensor *self);
TN_API tn_tensor *tn_linalg_eig_out(tn_tensor *eigenvalues, tn_tensor *eigenvectors, const tn_tensor *self);

/* The eigenvalues of linalg_eig alone. */
TN_API tn_tensor *tn_linalg_eigvals(const tn_tensor *self);
TN_API tn_tensor *tn_linalg_eigvals_out(tn_tensor *out, const tn_tensor *self);

/* A = U diag(S) Vh: singular values, descending, orthonormal columns of U and rows of Vh, as many as values, or with
 * full_matrices square ones. driver is for CUDA. TN_ERROR_LINALG, with the matrix, where one has infinities or NaN. */
TN_API tn_list *tn_linalg_svd(const tn_tensor *A, bool full_matrices, const char *driver);
TN_API tn_tensor *tn_linalg_svd_out(tn_tensor *U, tn_tensor *S, tn_tensor *Vh, const tn_tensor *A, bool full_matrices,
                                    const char *driver);

/* The singular values of linalg_svd alone. */
TN_API tn_tensor *tn_linalg_svdvals(const tn_tensor *A, const char *driver);
TN_API tn_tensor *tn_linalg_svdvals_out(tn_tensor *out, const tn_tensor *A, const char *driver);

/* The older form of linalg_svd: self = U diag(S) V^H, square matrices unless some. Without compute_uv, U and V are zeros. */
TN_API tn_list *tn_svd(const tn_tensor *self, bool some, bool compute_uv);
TN_API tn_tensor *tn_svd_out(tn_tensor *U, tn_tensor *S, tn_tensor *V, const tn_tensor *self, bool some, bool compute_uv);

/* The pseudo-inverse (Moore and Penrose) by singular values, or with hermitian by eigenvalues. Values of a size up to the
 * larger of atol and rtol times the largest count as 0. Without either, rtol is the larger side times the epsilon of the dtype;
 * with atol alone, 0. */
TN_API tn_tensor *tn_linalg_pinv(const tn_tensor *self, tn_scalar atol, tn_scalar rtol, bool hermitian);
TN_API tn_tensor *tn_linalg_pinv_out(tn_tensor *out, const tn_tensor *self, tn_scalar atol, tn_scalar rtol, bool hermitian);

/* The same with tolerances for each matrix, broadcast over the batch. */
TN_API tn_tensor *tn_linalg_pinv_tensor(const tn_tensor *self, const tn_tensor *atol, const tn_tensor *rtol, bool hermitian);
TN_API tn_tensor *tn_linalg_pinv_tensor_out(tn_tensor *out, const tn_tensor *self, const tn_tensor *atol, const tn_tensor *rtol,
                                            bool hermitian);

/* linalg_pinv with rtol = rcond. */
TN_API tn_tensor *tn_linalg_pinv_rcond(const tn_tensor *self, tn_scalar rcond, bool hermitian);
TN_API tn_tensor *tn_linalg_pinv_rcond_out(tn_tensor *out, const tn_tensor *self, tn_scalar rcond, bool hermitian);

/* The same for each matrix. */
TN_API tn_tensor *tn_linalg_pinv_rcond_tensor(const tn_tensor *self, const tn_tensor *rcond, bool hermitian);
TN_API tn_tensor *tn_linalg_pinv_rcond_tensor_out(tn_tensor *out, const tn_tensor *self, const tn_tensor *rcond,
                                                  bool hermitian);

/* The older name of linalg_pinv. */
TN_API tn_tensor *tn_pinverse(const tn_tensor *self, double rcond);

/* How many singular values, or with hermitian sizes of eigenvalues, exceed the larger of atol and rtol times the largest; both
 * as in linalg_pinv. int64. */
TN_API tn_tensor *tn_linalg_matrix_rank(const tn_tensor *self, tn_scalar atol, tn_scalar rtol, bool hermitian);
TN_API tn_tensor *tn_linalg_matrix_rank_out(tn_tensor *out, const tn_tensor *self, tn_scalar atol, tn_scalar rtol,
                                            bool hermitian);

/* The same with tolerances for each matrix, broadcast over the batch. */
TN_API tn_tensor *tn_linalg_matrix_rank_tensor(const tn_tensor *self, const tn_tensor *atol, const tn_tensor *rtol,
                                               bool hermitian);
TN_API tn_tensor *tn_linalg_matrix_rank_tensor_out(tn_tensor *out, const tn_tensor *self, const tn_tensor *atol,
                                                   const tn_tensor *rtol, bool hermitian);

/* linalg_matrix_rank with atol = tol. */
TN_API tn_tensor *tn_linalg_matrix_rank_tol(const tn_tensor *self, tn_scalar tol, bool hermitian);
TN_API tn_tensor *tn_linalg_matrix_rank_tol_out(tn_tensor *out, const tn_tensor *self, tn_scalar tol, bool hermitian);

/* The same for each matrix. */
TN_API tn_tensor *tn_linalg_matrix_rank_tol_tensor(const tn_tensor *self, const tn_tensor *tol, bool hermitian);
TN_API tn_tensor *tn_linalg_matrix_rank_tol_tensor_out(tn_tensor *out, const tn_tensor *self, const tn_tensor *tol,
                                                       bool hermitian);

/* X with the smallest |self X - b|, of several the shortest. Batches are broadcast; b may be a vector for each matrix. The
 * driver "gels" goes by QR and takes the rank to be full: TN_ERROR_LINALG where a pivot is 0. "gelsy", which none means,
 * "gelsd" and "gelss" go by singular values: those up to rcond times the largest count as 0, and without rcond up to the larger
 * side times the epsilon of the dtype. residuals: the squares |self X - b|^2 of the columns, where self has more rows than
 * columns, with full rank, and the driver is not gelsy. rank: int64, not of gels. singular_values: of gelsd and gelss. What is
 * not given has no elements. */
TN_API tn_list *tn_linalg_lstsq(const tn_tensor *self, const tn_tensor *b, tn_scalar rcond, const char *driver);
TN_API tn_tensor *tn_linalg_lstsq_out(tn_tensor *solution, tn_tensor *residuals, tn_tensor *rank, tn_tensor *singular_values,
                                      const tn_tensor *self, const tn_tensor *b, tn_scalar rcond, const char *driver);

/* The older form: "fro" is of order 2, of all elements or over any dimensions, "nuc" the sum of the singular values of a
 * matrix. */
TN_API tn_tensor *tn_norm_text(const tn_tensor *self, const char *p, tn_dims dim, bool keepdim, tn_dtype dtype);

/* The norm of order p of matrices times that of their inverses, infinite where one has none; for p 2, which is the default, and
 * -2 by singular values, of any matrices. */
TN_API tn_tensor *tn_linalg_cond(const tn_tensor *self, tn_scalar p);
TN_API tn_tensor *tn_linalg_cond_out(tn_tensor *out, const tn_tensor *self, tn_scalar p);

/* The same for "fro" and "nuc". */
TN_API tn_tensor *tn_linalg_cond_text(const tn_tensor *self, const char *p);
TN_API tn_tensor *tn_linalg_cond_text_out(tn_tensor *out, const tn_tensor *self, const char *p);

/* ---- fft --------------------------------------------------------------------------------------------------------- */

/* The Fourier transform of complex64 or complex128 along some dimensions, forward or backward. normalization: 0 none, 1 divided
 * by the root of the number of elements, 2 divided by it. Any length; the bits are the same for any strides and number of
 * threads. */
TN_API tn_tensor *tn__fft_c2c(const tn_tensor *self, tn_dims dim, int64_t normalization, bool forward);
TN_API tn_tensor *tn__fft_c2c_out(tn_tensor *out, const tn_tensor *self, tn_dims dim, int64_t normalization, bool forward);

/* The same of float32 or float64, forward. onesided: along the last of the dimensions only the first n / 2 + 1 numbers, of
 * which the others are conjugates. */
TN_API tn_tensor *tn__fft_r2c(const tn_tensor *self, tn_dims dim, int64_t normalization, bool onesided);
TN_API tn_tensor *tn__fft_r2c_out(tn_tensor *out, const tn_tensor *self, tn_dims dim, int64_t normalization, bool onesided);

/* The way back from the onesided half: real lines of last_dim_size elements along the last of the dimensions. Imaginary parts
 * that would have to be 0 do not count. */
TN_API tn_tensor *tn__fft_c2r(const tn_tensor *self, tn_dims dim, int64_t normalization, int64_t last_dim_size);
TN_API tn_tensor *tn__fft_c2r_out(tn_tensor *out, const tn_tensor *self, tn_dims dim, int64_t normalization,
                                  int64_t last_dim_size);

/* The discrete Fourier transform of the lines along dim, of n elements: longer lines are cut, shorter ones continued with
 * zeros. norm says which way is divided by n: "backward", "forward", or both by its root, "ortho". Integers become the default
 * float, 16-bit floats float32; the result is complex. */
TN_API tn_tensor *tn_fft_fft(const tn_tensor *self, int64_t n, int64_t dim, const char *norm);
TN_API tn_tensor *tn_fft_fft_out(tn_tensor *out, const tn_tensor *self, int64_t n, int64_t dim, const char *norm);

/* The inverse of fft_fft. */
TN_API tn_tensor *tn_fft_ifft(const tn_tensor *self, int64_t n, int64_t dim, const char *norm);
TN_API tn_tensor *tn_fft_ifft_out(tn_tensor *out, const tn_tensor *self, int64_t n, int64_t dim, const char *norm);

/* fft_fft of real lines: the first n / 2 + 1 numbers, of which the others are conjugates. */
TN_API tn_tensor *tn_fft_rfft(const tn_tensor *self, int64_t n, int64_t dim, const char *norm);
TN_API tn_tensor *tn_fft_rfft_out(tn_tensor *out, const tn_tensor *self, int64_t n, int64_t dim, const char *norm);

/* The inverse of fft_rfft: half a line stands for a whole one of n real numbers, by default 2 (size - 1). */
TN_API tn_tensor *tn_fft_irfft(const tn_tensor *self, int64_t n, int64_t dim, const char *norm);
TN_API tn_tensor *tn_fft_irfft_out(tn_tensor *out, const tn_tensor *self, int64_t n, int64_t dim, const char *norm);

/* fft_fft of lines that are half of a Hermitian one: n real numbers, by default 2 (size - 1). */
TN_API tn_tensor *tn_fft_hfft(const tn_tensor *self, int64_t n, int64_t dim, const char *norm);
TN_API tn_tensor *tn_fft_hfft_out(tn_tensor *out, const tn_tensor *self, int64_t n, int64_t dim, const char *norm);

/* The inverse of fft_hfft. */
TN_API tn_tensor *tn_fft_ihfft(const tn_tensor *self, int64_t n, int64_t dim, const char *norm);
TN_API tn_tensor *tn_fft_ihfft_out(tn_tensor *out, const tn_tensor *self, int64_t n, int64_t dim, const char *norm);

/* fft_fft over the last two dimensions, or those of dim; s has the sizes, -1 for its own. */
TN_API tn_tensor *tn_fft_fft2(const tn_tensor *self, tn_dims s, tn_dims dim, const char *norm);
TN_API tn_tensor *tn_fft_fft2_out(tn_tensor *out, const tn_tensor *self, tn_dims s, tn_dims dim, const char *norm);

/* fft_ifft over the last two dimensions, or those of dim; s has the sizes, -1 for its own. */
TN_API tn_tensor *tn_fft_ifft2(const tn_tensor *self, tn_dims s, tn_dims dim, const char *norm);
TN_API tn_tensor *tn_fft_ifft2_out(tn_tensor *out, const tn_tensor *self, tn_dims s, tn_dims dim, const char *norm);

/* fft_rfft over the last two dimensions, or those of dim; s has the sizes, -1 for its own. */
TN_API tn_tensor *tn_fft_rfft2(const tn_tensor *self, tn_dims s, tn_dims dim, const char *norm);
TN_API tn_tensor *tn_fft_rfft2_out(tn_tensor *out, const tn_tensor *self, tn_dims s, tn_dims dim, const char *norm);

/* fft_irfft over the last two dimensions, or those of dim; s has the sizes, -1 for its own. */
TN_API tn_tensor *tn_fft_irfft2(const tn_tensor *self, tn_dims s, tn_dims dim, const char *norm);
TN_API tn_tensor *tn_fft_irfft2_out(tn_tensor *out, const tn_tensor *self, tn_dims s, tn_dims dim, const char *norm);

/* fft_hfft over the last two dimensions, or those of dim; s has the sizes, -1 for its own. */
TN_API tn_tensor *tn_fft_hfft2(const tn_tensor *self, tn_dims s, tn_dims dim, const char *norm);
TN_API tn_tensor *tn_fft_hfft2_out(tn_tensor *out, const tn_tensor *self, tn_dims s, tn_dims dim, const char *norm);

/* fft_ihfft over the last two dimensions, or those of dim; s has the sizes, -1 for its own. */
TN_API tn_tensor *tn_fft_ihfft2(const tn_tensor *self, tn_dims s, tn_dims dim, const char *norm);
TN_API tn_tensor *tn_fft_ihfft2_out(tn_tensor *out, const tn_tensor *self, tn_dims s, tn_dims dim, const char *norm);

/* fft_fft over several dimensions: those of dim, else the last as many as s has, else all; s has the sizes, -1 for its own. */
TN_API tn_tensor *tn_fft_fftn(const tn_tensor *self, tn_dims s, tn_dims dim, const char *norm);
TN_API tn_tensor *tn_fft_fftn_out(tn_tensor *out, const tn_tensor *self, tn_dims s, tn_dims dim, const char *norm);

/* fft_ifft over several dimensions: those of dim, else the last as many as s has, else all; s has the sizes, -1 for its
 * own. */
TN_API tn_tensor *tn_fft_ifftn(const tn_tensor *self, tn_dims s, tn_dims dim, const char *norm);
TN_API tn_tensor *tn_fft_ifftn_out(tn_tensor *out, const tn_tensor *self, tn_dims s, tn_dims dim, const char *norm);

/* fft_rfft over several dimensions: those of dim, else the last as many as s has, else all; s has the sizes, -1 for its
 * own. */
TN_API tn_tensor *tn_fft_rfftn(const tn_tensor *self, tn_dims s, tn_dims dim, const char *norm);
TN_API tn_tensor *tn_fft_rfftn_out(tn_tensor *out, const tn_tensor *self, tn_dims s, tn_dims dim, const char *norm);

/* fft_irfft over several dimensions: those of dim, else the last as many as s has, else all; s has the sizes, -1 for its
 * own. */
TN_API tn_tensor *tn_fft_irfftn(const tn_tensor *self, tn_dims s, tn_dims dim, const char *norm);
TN_API tn_tensor *tn_fft_irfftn_out(tn_tensor *out, const tn_tensor *self, tn_dims s, tn_dims dim, const char *norm);

/* fft_hfft over several dimensions: those of dim, else the last as many as s has, else all; s has the sizes, -1 for its
 * own. */
TN_API tn_tensor *tn_fft_hfftn(const tn_tensor *self, tn_dims s, tn_dims dim, const char *norm);
TN_API tn_tensor *tn_fft_hfftn_out(tn_tensor *out, const tn_tensor *self, tn_dims s, tn_dims dim, const char *norm);

/* fft_ihfft over several dimensions: those of dim, else the last as many as s has, else all; s has the sizes, -1 for its
 * own. */
TN_API tn_tensor *tn_fft_ihfftn(const tn_tensor *self, tn_dims s, tn_dims dim, const char *norm);
TN_API tn_tensor *tn_fft_ihfftn_out(tn_tensor *out, const tn_tensor *self, tn_dims s, tn_dims dim, const char *norm);

/* The frequencies of the numbers that fft_fft gives for n elements at distances d: 0 and up, then the negative ones. */
TN_API tn_tensor *tn_fft_fftfreq(int64_t n, double d, tn_dtype dtype);

/* The same for fft_rfft: n / 2 + 1 frequencies. */
TN_API tn_tensor *tn_fft_rfftfreq(int64_t n, double d, tn_dtype dtype);

/* Rolled by half of each size, so that frequency 0 is in the middle; by default along all dimensions. */
TN_API tn_tensor *tn_fft_fftshift(const tn_tensor *self, tn_dims dim);

/* The inverse of fft_fftshift. */
TN_API tn_tensor *tn_fft_ifftshift(const tn_tensor *self, tn_dims dim);

/* The spectra of pieces of n_fft elements of a signal, or of each row of a matrix, that begin every hop_length elements (n_fft
 * / 4): (frequencies, pieces). Each is multiplied by the window, of win_length (n_fft) elements, in its middle. center: the
 * signal is continued on both sides by half a piece, as pad_mode of pad says. onesided, by default of real signals: the first
 * n_fft / 2 + 1 frequencies. return_complex must be given for real signals; false gives pairs of real numbers. */
TN_API tn_tensor *tn_stft(const tn_tensor *self, int64_t n_fft, int64_t hop_length, int64_t win_length, const tn_tensor *window,
                          bool center, const char *pad_mode, bool normalized, tn_scalar onesided, tn_scalar return_complex);

/* The signal whose spectra stft gave with the same arguments, cut or continued with zeros to length. TN_ERROR_ARGUMENT where
 * the windows are 0 at an element. */
TN_API tn_tensor *tn_istft(const tn_tensor *self, int64_t n_fft, int64_t hop_length, int64_t win_length,
                           const tn_tensor *window, bool center, bool normalized, tn_scalar onesided, int64_t length,
                           bool return_complex);

/* 0.5 - 0.5 cos(2 pi k / n), n being window_length, or one less where the window is not periodic. */
TN_API tn_tensor *tn_hann_window(int64_t window_length, bool periodic, tn_dtype dtype);

/* alpha - beta cos(2 pi k / n). */
TN_API tn_tensor *tn_hamming_window(int64_t window_length, bool periodic, double alpha, double beta, tn_dtype dtype);

/* 0.42 - 0.5 cos(2 pi k / n) + 0.08 cos(4 pi k / n). */
TN_API tn_tensor *tn_blackman_window(int64_t window_length, bool periodic, tn_dtype dtype);

/* From 0 up to 1 and down again in straight lines. */
TN_API tn_tensor *tn_bartlett_window(int64_t window_length, bool periodic, tn_dtype dtype);

/* i0(beta sqrt(1 - x^2)) / i0(beta), x from -1 to 1. */
TN_API tn_tensor *tn_kaiser_window(int64_t window_length, bool periodic, double beta, tn_dtype dtype);

/* ---- special ----------------------------------------------------------------------------------------------------- */

/* -self log(self): 0 at 0, minus infinity below. */
TN_API tn_tensor *tn_special_entr(const tn_tensor *self);
TN_API tn_tensor *tn_special_entr_out(tn_tensor *out, const tn_tensor *self);

/* e^(self^2) erfc(self), which stays a number where erfc is 0. */
TN_API tn_tensor *tn_special_erfcx(const tn_tensor *self);
TN_API tn_tensor *tn_special_erfcx_out(tn_tensor *out, const tn_tensor *self);

/* The distribution function of the standard normal distribution. */
TN_API tn_tensor *tn_special_ndtr(const tn_tensor *self);
TN_API tn_tensor *tn_special_ndtr_out(tn_tensor *out, const tn_tensor *self);

/* The logarithm of special_ndtr, also where that is 0. */
TN_API tn_tensor *tn_special_log_ndtr(const tn_tensor *self);
TN_API tn_tensor *tn_special_log_ndtr_out(tn_tensor *out, const tn_tensor *self);

/* The inverse of special_ndtr: the quantile of self in the standard normal distribution. NaN outside 0 to 1. */
TN_API tn_tensor *tn_special_ndtri(const tn_tensor *self);
TN_API tn_tensor *tn_special_ndtri_out(tn_tensor *out, const tn_tensor *self);

/* self * log(1 + other), and 0 where self is 0, unless other is NaN. */
TN_API tn_tensor *tn_special_xlog1py(const tn_tensor *self, const tn_tensor *other);
TN_API tn_tensor *tn_special_xlog1py_out(tn_tensor *out, const tn_tensor *self, const tn_tensor *other);

/* The same with a number. */
TN_API tn_tensor *tn_special_xlog1py_scalar(const tn_tensor *self, tn_scalar other);
TN_API tn_tensor *tn_special_xlog1py_scalar_out(tn_tensor *out, const tn_tensor *self, tn_scalar other);

/* The same with a number in front. */
TN_API tn_tensor *tn_special_xlog1py_rscalar(tn_scalar self, const tn_tensor *other);
TN_API tn_tensor *tn_special_xlog1py_rscalar_out(tn_tensor *out, tn_scalar self, const tn_tensor *other);

/* e^-|self| i0(self). */
TN_API tn_tensor *tn_special_i0e(const tn_tensor *self);
TN_API tn_tensor *tn_special_i0e_out(tn_tensor *out, const tn_tensor *self);

/* The modified Bessel function of the first kind, of order 1. Infinite at the infinities, where PyTorch has NaN. */
TN_API tn_tensor *tn_special_i1(const tn_tensor *self);
TN_API tn_tensor *tn_special_i1_out(tn_tensor *out, const tn_tensor *self);

/* e^-|self| special_i1(self). */
TN_API tn_tensor *tn_special_i1e(const tn_tensor *self);
TN_API tn_tensor *tn_special_i1e_out(tn_tensor *out, const tn_tensor *self);

/* The Bessel function of the first kind, of order 0. 0 at the infinities, where PyTorch has NaN; so are all Bessel functions
 * that tend to 0. */
TN_API tn_tensor *tn_special_bessel_j0(const tn_tensor *self);
TN_API tn_tensor *tn_special_bessel_j0_out(tn_tensor *out, const tn_tensor *self);

/* The Bessel function of the first kind, of order 1. */
TN_API tn_tensor *tn_special_bessel_j1(const tn_tensor *self);
TN_API tn_tensor *tn_special_bessel_j1_out(tn_tensor *out, const tn_tensor *self);

/* The Bessel function of the second kind, of order 0. Minus infinity at 0, NaN below. */
TN_API tn_tensor *tn_special_bessel_y0(const tn_tensor *self);
TN_API tn_tensor *tn_special_bessel_y0_out(tn_tensor *out, const tn_tensor *self);

/* The Bessel function of the second kind, of order 1. Minus infinity at 0, NaN below. */
TN_API tn_tensor *tn_special_bessel_y1(const tn_tensor *self);
TN_API tn_tensor *tn_special_bessel_y1_out(tn_tensor *out, const tn_tensor *self);

/* i0 under the name of its family. */
TN_API tn_tensor *tn_special_modified_bessel_i0(const tn_tensor *self);
TN_API tn_tensor *tn_special_modified_bessel_i0_out(tn_tensor *out, const tn_tensor *self);

/* special_i1 under the name of its family. */
TN_API tn_tensor *tn_special_modified_bessel_i1(const tn_tensor *self);
TN_API tn_tensor *tn_special_modified_bessel_i1_out(tn_tensor *out, const tn_tensor *self);

/* The modified Bessel function of the second kind, of order 0. Infinite at 0, NaN below. */
TN_API tn_tensor *tn_special_modified_bessel_k0(const tn_tensor *self);
TN_API tn_tensor *tn_special_modified_bessel_k0_out(tn_tensor *out, const tn_tensor *self);

/* The modified Bessel function of the second kind, of order 1. Infinite at 0, NaN below. */
TN_API tn_tensor *tn_special_modified_bessel_k1(const tn_tensor *self);
TN_API tn_tensor *tn_special_modified_bessel_k1_out(tn_tensor *out, const tn_tensor *self);

/* e^self special_modified_bessel_k0(self). */
TN_API tn_tensor *tn_special_scaled_modified_bessel_k0(const tn_tensor *self);
TN_API tn_tensor *tn_special_scaled_modified_bessel_k0_out(tn_tensor *out, const tn_tensor *self);

/* e^self special_modified_bessel_k1(self). */
TN_API tn_tensor *tn_special_scaled_modified_bessel_k1(const tn_tensor *self);
TN_API tn_tensor *tn_special_scaled_modified_bessel_k1_out(tn_tensor *out, const tn_tensor *self);

/* sin(self) / self, 1 at 0. */
TN_API tn_tensor *tn_special_spherical_bessel_j0(const tn_tensor *self);
TN_API tn_tensor *tn_special_spherical_bessel_j0_out(tn_tensor *out, const tn_tensor *self);

/* The Airy function Ai. */
TN_API tn_tensor *tn_special_airy_ai(const tn_tensor *self);
TN_API tn_tensor *tn_special_airy_ai_out(tn_tensor *out, const tn_tensor *self);

/* Hurwitz' zeta function: the sum of (other + k)^-self over k from 0. Infinite at self = 1 and where other is 0 or a negative
 * whole number; NaN for self below 1. */
TN_API tn_tensor *tn_special_zeta(const tn_tensor *self, const tn_tensor *other);
TN_API tn_tensor *tn_special_zeta_out(tn_tensor *out, const tn_tensor *self, const tn_tensor *other);

/* The same with a number. */
TN_API tn_tensor *tn_special_zeta_scalar(const tn_tensor *self, tn_scalar other);
TN_API tn_tensor *tn_special_zeta_scalar_out(tn_tensor *out, const tn_tensor *self, tn_scalar other);

/* The same with a number in front. */
TN_API tn_tensor *tn_special_zeta_rscalar(tn_scalar self, const tn_tensor *other);
TN_API tn_tensor *tn_special_zeta_rscalar_out(tn_tensor *out, tn_scalar self, const tn_tensor *other);

/* The lower incomplete gamma function P(self, other): the integral of t^(self - 1) e^-t from 0 to other, over gamma(self). NaN
 * where either is negative. */
TN_API tn_tensor *tn_igamma(const tn_tensor *self, const tn_tensor *other);
TN_API tn_tensor *tn_igamma_(tn_tensor *self, const tn_tensor *other);
TN_API tn_tensor *tn_igamma_out(tn_tensor *out, const tn_tensor *self, const tn_tensor *other);

/* igamma under its other name. */
TN_API tn_tensor *tn_special_gammainc(const tn_tensor *self, const tn_tensor *other);
TN_API tn_tensor *tn_special_gammainc_(tn_tensor *self, const tn_tensor *other);
TN_API tn_tensor *tn_special_gammainc_out(tn_tensor *out, const tn_tensor *self, const tn_tensor *other);

/* The upper incomplete gamma function Q(self, other) = 1 - igamma(self, other), also where that is next to nothing. */
TN_API tn_tensor *tn_igammac(const tn_tensor *self, const tn_tensor *other);
TN_API tn_tensor *tn_igammac_(tn_tensor *self, const tn_tensor *other);
TN_API tn_tensor *tn_igammac_out(tn_tensor *out, const tn_tensor *self, const tn_tensor *other);

/* igammac under its other name. */
TN_API tn_tensor *tn_special_gammaincc(const tn_tensor *self, const tn_tensor *other);
TN_API tn_tensor *tn_special_gammaincc_(tn_tensor *self, const tn_tensor *other);
TN_API tn_tensor *tn_special_gammaincc_out(tn_tensor *out, const tn_tensor *self, const tn_tensor *other);

/* Chebyshev's polynomial of the first kind, of order n, at self. A fraction of n is cut off; below 0 the result is 0. */
TN_API tn_tensor *tn_special_chebyshev_polynomial_t(const tn_tensor *self, const tn_tensor *n);
TN_API tn_tensor *tn_special_chebyshev_polynomial_t_out(tn_tensor *out, const tn_tensor *self, const tn_tensor *n);

/* The same with a number. */
TN_API tn_tensor *tn_special_chebyshev_polynomial_t_scalar(const tn_tensor *self, tn_scalar n);
TN_API tn_tensor *tn_special_chebyshev_polynomial_t_scalar_out(tn_tensor *out, const tn_tensor *self, tn_scalar n);

/* Chebyshev's polynomial of the second kind, of order n, at self. A fraction of n is cut off; below 0 the result is 0. */
TN_API tn_tensor *tn_special_chebyshev_polynomial_u(const tn_tensor *self, const tn_tensor *n);
TN_API tn_tensor *tn_special_chebyshev_polynomial_u_out(tn_tensor *out, const tn_tensor *self, const tn_tensor *n);

/* The same with a number. */
TN_API tn_tensor *tn_special_chebyshev_polynomial_u_scalar(const tn_tensor *self, tn_scalar n);
TN_API tn_tensor *tn_special_chebyshev_polynomial_u_scalar_out(tn_tensor *out, const tn_tensor *self, tn_scalar n);

/* Chebyshev's polynomial of the third kind, of order n, at self. A fraction of n is cut off; below 0 the result is 0. */
TN_API tn_tensor *tn_special_chebyshev_polynomial_v(const tn_tensor *self, const tn_tensor *n);
TN_API tn_tensor *tn_special_chebyshev_polynomial_v_out(tn_tensor *out, const tn_tensor *self, const tn_tensor *n);

/* The same with a number. */
TN_API tn_tensor *tn_special_chebyshev_polynomial_v_scalar(const tn_tensor *self, tn_scalar n);
TN_API tn_tensor *tn_special_chebyshev_polynomial_v_scalar_out(tn_tensor *out, const tn_tensor *self, tn_scalar n);

/* Chebyshev's polynomial of the fourth kind, of order n, at self. A fraction of n is cut off; below 0 the result is 0. */
TN_API tn_tensor *tn_special_chebyshev_polynomial_w(const tn_tensor *self, const tn_tensor *n);
TN_API tn_tensor *tn_special_chebyshev_polynomial_w_out(tn_tensor *out, const tn_tensor *self, const tn_tensor *n);

/* The same with a number. */
TN_API tn_tensor *tn_special_chebyshev_polynomial_w_scalar(const tn_tensor *self, tn_scalar n);
TN_API tn_tensor *tn_special_chebyshev_polynomial_w_scalar_out(tn_tensor *out, const tn_tensor *self, tn_scalar n);

/* Chebyshev's polynomial of the first kind, of order n, at 2 self - 1. */
TN_API tn_tensor *tn_special_shifted_chebyshev_polynomial_t(const tn_tensor *self, const tn_tensor *n);
TN_API tn_tensor *tn_special_shifted_chebyshev_polynomial_t_out(tn_tensor *out, const tn_tensor *self, const tn_tensor *n);

/* The same with a number. */
TN_API tn_tensor *tn_special_shifted_chebyshev_polynomial_t_scalar(const tn_tensor *self, tn_scalar n);
TN_API tn_tensor *tn_special_shifted_chebyshev_polynomial_t_scalar_out(tn_tensor *out, const tn_tensor *self, tn_scalar n);

/* Chebyshev's polynomial of the second kind, of order n, at 2 self - 1. */
TN_API tn_tensor *tn_special_shifted_chebyshev_polynomial_u(const tn_tensor *self, const tn_tensor *n);
TN_API tn_tensor *tn_special_shifted_chebyshev_polynomial_u_out(tn_tensor *out, const tn_tensor *self, const tn_tensor *n);

/* The same with a number. */
TN_API tn_tensor *tn_special_shifted_chebyshev_polynomial_u_scalar(const tn_tensor *self, tn_scalar n);
TN_API tn_tensor *tn_special_shifted_chebyshev_polynomial_u_scalar_out(tn_tensor *out, const tn_tensor *self, tn_scalar n);

/* Chebyshev's polynomial of the third kind, of order n, at 2 self - 1. */
TN_API tn_tensor *tn_special_shifted_chebyshev_polynomial_v(const tn_tensor *self, const tn_tensor *n);
TN_API tn_tensor *tn_special_shifted_chebyshev_polynomial_v_out(tn_tensor *out, const tn_tensor *self, const tn_tensor *n);

/* The same with a number. */
TN_API tn_tensor *tn_special_shifted_chebyshev_polynomial_v_scalar(const tn_tensor *self, tn_scalar n);
TN_API tn_tensor *tn_special_shifted_chebyshev_polynomial_v_scalar_out(tn_tensor *out, const tn_tensor *self, tn_scalar n);

/* Chebyshev's polynomial of the fourth kind, of order n, at 2 self - 1. */
TN_API tn_tensor *tn_special_shifted_chebyshev_polynomial_w(const tn_tensor *self, const tn_tensor *n);
TN_API tn_tensor *tn_special_shifted_chebyshev_polynomial_w_out(tn_tensor *out, const tn_tensor *self, const tn_tensor *n);

/* The same with a number. */
TN_API tn_tensor *tn_special_shifted_chebyshev_polynomial_w_scalar(const tn_tensor *self, tn_scalar n);
TN_API tn_tensor *tn_special_shifted_chebyshev_polynomial_w_scalar_out(tn_tensor *out, const tn_tensor *self, tn_scalar n);

/* Hermite's polynomial of order n, as physicists define it, at self. A fraction of n is cut off; below 0 the result is 0, from
 * a million on NaN. */
TN_API tn_tensor *tn_special_hermite_polynomial_h(const tn_tensor *self, const tn_tensor *n);
TN_API tn_tensor *tn_special_hermite_polynomial_h_out(tn_tensor *out, const tn_tensor *self, const tn_tensor *n);

/* The same with a number. */
TN_API tn_tensor *tn_special_hermite_polynomial_h_scalar(const tn_tensor *self, tn_scalar n);
TN_API tn_tensor *tn_special_hermite_polynomial_h_scalar_out(tn_tensor *out, const tn_tensor *self, tn_scalar n);

/* Hermite's polynomial of order n, as in probability, at self. A fraction of n is cut off; below 0 the result is 0, from a
 * million on NaN. */
TN_API tn_tensor *tn_special_hermite_polynomial_he(const tn_tensor *self, const tn_tensor *n);
TN_API tn_tensor *tn_special_hermite_polynomial_he_out(tn_tensor *out, const tn_tensor *self, const tn_tensor *n);

/* The same with a number. */
TN_API tn_tensor *tn_special_hermite_polynomial_he_scalar(const tn_tensor *self, tn_scalar n);
TN_API tn_tensor *tn_special_hermite_polynomial_he_scalar_out(tn_tensor *out, const tn_tensor *self, tn_scalar n);

/* Laguerre's polynomial of order n, at self. A fraction of n is cut off; of a negative order the result is 0, from a million on
 * NaN. */
TN_API tn_tensor *tn_special_laguerre_polynomial_l(const tn_tensor *self, const tn_tensor *n);
TN_API tn_tensor *tn_special_laguerre_polynomial_l_out(tn_tensor *out, const tn_tensor *self, const tn_tensor *n);

/* The same with a number. */
TN_API tn_tensor *tn_special_laguerre_polynomial_l_scalar(const tn_tensor *self, tn_scalar n);
TN_API tn_tensor *tn_special_laguerre_polynomial_l_scalar_out(tn_tensor *out, const tn_tensor *self, tn_scalar n);

/* Legendre's polynomial of order n, at self. A fraction of n is cut off; of a negative order the result is 0, from a million on
 * NaN. */
TN_API tn_tensor *tn_special_legendre_polynomial_p(const tn_tensor *self, const tn_tensor *n);
TN_API tn_tensor *tn_special_legendre_polynomial_p_out(tn_tensor *out, const tn_tensor *self, const tn_tensor *n);

/* The same with a number. */
TN_API tn_tensor *tn_special_legendre_polynomial_p_scalar(const tn_tensor *self, tn_scalar n);
TN_API tn_tensor *tn_special_legendre_polynomial_p_scalar_out(tn_tensor *out, const tn_tensor *self, tn_scalar n);

/* The derivative of order n of digamma; n = 0 is digamma itself. TN_ERROR_ARGUMENT for an n below 0. */
TN_API tn_tensor *tn_polygamma(const tn_tensor *self, int64_t n);
TN_API tn_tensor *tn_polygamma_(tn_tensor *self, int64_t n);
TN_API tn_tensor *tn_polygamma_out(tn_tensor *out, const tn_tensor *self, int64_t n);

/* The logarithm of the gamma function of p dimensions: p (p - 1) / 4 log(pi) and the sum of lgamma(self - j / 2) over j below
 * p. Defined for self above (p - 1) / 2. TN_ERROR_ARGUMENT for a p below 1. */
TN_API tn_tensor *tn_mvlgamma(const tn_tensor *self, int64_t p);
TN_API tn_tensor *tn_mvlgamma_(tn_tensor *self, int64_t p);
TN_API tn_tensor *tn_mvlgamma_out(tn_tensor *out, const tn_tensor *self, int64_t p);

/* mvlgamma under its other name. */
TN_API tn_tensor *tn_special_multigammaln(const tn_tensor *self, int64_t p);
TN_API tn_tensor *tn_special_multigammaln_(tn_tensor *self, int64_t p);
TN_API tn_tensor *tn_special_multigammaln_out(tn_tensor *out, const tn_tensor *self, int64_t p);

#ifdef __cplusplus
}
#endif

/* Numbers where a tn_scalar is wanted. An argument with a comma outside parentheses needs its own pair. */
#if TN_HAS_GENERIC
/* clang-format off */
#define tn_full(size, fill_value, dtype) tn_full(size, TN_SCALAR(fill_value), dtype)
#define tn_full_out(out, size, fill_value, dtype) tn_full_out(out, size, TN_SCALAR(fill_value), dtype)
#define tn_full_like(self, fill_value, dtype, format) tn_full_like(self, TN_SCALAR(fill_value), dtype, format)
#define tn_arange(end, dtype) tn_arange(TN_SCALAR(end), dtype)
#define tn_arange_out(out, end, dtype) tn_arange_out(out, TN_SCALAR(end), dtype)
#define tn_arange_start(start, end, step, dtype) tn_arange_start(TN_SCALAR(start), TN_SCALAR(end), TN_SCALAR(step), dtype)
#define tn_arange_start_out(out, start, end, step, dtype) tn_arange_start_out(out, TN_SCALAR(start), TN_SCALAR(end), TN_SCALAR(step), dtype)
#define tn_range(start, end, step, dtype) tn_range(TN_SCALAR(start), TN_SCALAR(end), TN_SCALAR(step), dtype)
#define tn_range_out(out, start, end, step, dtype) tn_range_out(out, TN_SCALAR(start), TN_SCALAR(end), TN_SCALAR(step), dtype)
#define tn_linspace(start, end, steps, dtype) tn_linspace(TN_SCALAR(start), TN_SCALAR(end), steps, dtype)
#define tn_linspace_out(out, start, end, steps, dtype) tn_linspace_out(out, TN_SCALAR(start), TN_SCALAR(end), steps, dtype)
#define tn_logspace(start, end, steps, base, dtype) tn_logspace(TN_SCALAR(start), TN_SCALAR(end), steps, base, dtype)
#define tn_logspace_out(out, start, end, steps, base, dtype) tn_logspace_out(out, TN_SCALAR(start), TN_SCALAR(end), steps, base, dtype)
#define tn_scalar_tensor(value, dtype) tn_scalar_tensor(TN_SCALAR(value), dtype)
#define tn_fill_diagonal_(self, fill_value, wrap) tn_fill_diagonal_(self, TN_SCALAR(fill_value), wrap)
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
#define tn_subtract_scalar(self, other) tn_subtract_scalar(self, TN_SCALAR(other))
#define tn_subtract_scalar_(self, other) tn_subtract_scalar_(self, TN_SCALAR(other))
#define tn_subtract_scalar_out(out, self, other) tn_subtract_scalar_out(out, self, TN_SCALAR(other))
#define tn_sub_rscalar(self, other) tn_sub_rscalar(TN_SCALAR(self), other)
#define tn_sub_rscalar_out(out, self, other) tn_sub_rscalar_out(out, TN_SCALAR(self), other)
#define tn_sub_alpha(self, other, alpha) tn_sub_alpha(self, other, TN_SCALAR(alpha))
#define tn_sub_alpha_(self, other, alpha) tn_sub_alpha_(self, other, TN_SCALAR(alpha))
#define tn_sub_alpha_out(out, self, other, alpha) tn_sub_alpha_out(out, self, other, TN_SCALAR(alpha))
#define tn_subtract_alpha(self, other, alpha) tn_subtract_alpha(self, other, TN_SCALAR(alpha))
#define tn_subtract_alpha_(self, other, alpha) tn_subtract_alpha_(self, other, TN_SCALAR(alpha))
#define tn_subtract_alpha_out(out, self, other, alpha) tn_subtract_alpha_out(out, self, other, TN_SCALAR(alpha))
#define tn_rsub(self, other, alpha) tn_rsub(self, other, TN_SCALAR(alpha))
#define tn_rsub_out(out, self, other, alpha) tn_rsub_out(out, self, other, TN_SCALAR(alpha))
#define tn_rsub_scalar(self, other, alpha) tn_rsub_scalar(self, TN_SCALAR(other), TN_SCALAR(alpha))
#define tn_rsub_scalar_out(out, self, other, alpha) tn_rsub_scalar_out(out, self, TN_SCALAR(other), TN_SCALAR(alpha))
#define tn_mul_scalar(self, other) tn_mul_scalar(self, TN_SCALAR(other))
#define tn_mul_scalar_(self, other) tn_mul_scalar_(self, TN_SCALAR(other))
#define tn_mul_scalar_out(out, self, other) tn_mul_scalar_out(out, self, TN_SCALAR(other))
#define tn_multiply_scalar(self, other) tn_multiply_scalar(self, TN_SCALAR(other))
#define tn_multiply_scalar_(self, other) tn_multiply_scalar_(self, TN_SCALAR(other))
#define tn_multiply_scalar_out(out, self, other) tn_multiply_scalar_out(out, self, TN_SCALAR(other))
#define tn_mul_rscalar(self, other) tn_mul_rscalar(TN_SCALAR(self), other)
#define tn_mul_rscalar_out(out, self, other) tn_mul_rscalar_out(out, TN_SCALAR(self), other)
#define tn_div_scalar(self, other) tn_div_scalar(self, TN_SCALAR(other))
#define tn_div_scalar_(self, other) tn_div_scalar_(self, TN_SCALAR(other))
#define tn_div_scalar_out(out, self, other) tn_div_scalar_out(out, self, TN_SCALAR(other))
#define tn_true_divide_scalar(self, other) tn_true_divide_scalar(self, TN_SCALAR(other))
#define tn_true_divide_scalar_(self, other) tn_true_divide_scalar_(self, TN_SCALAR(other))
#define tn_true_divide_scalar_out(out, self, other) tn_true_divide_scalar_out(out, self, TN_SCALAR(other))
#define tn_divide_scalar(self, other) tn_divide_scalar(self, TN_SCALAR(other))
#define tn_divide_scalar_(self, other) tn_divide_scalar_(self, TN_SCALAR(other))
#define tn_divide_scalar_out(out, self, other) tn_divide_scalar_out(out, self, TN_SCALAR(other))
#define tn_div_rscalar(self, other) tn_div_rscalar(TN_SCALAR(self), other)
#define tn_div_rscalar_out(out, self, other) tn_div_rscalar_out(out, TN_SCALAR(self), other)
#define tn_true_divide_rscalar(self, other) tn_true_divide_rscalar(TN_SCALAR(self), other)
#define tn_true_divide_rscalar_out(out, self, other) tn_true_divide_rscalar_out(out, TN_SCALAR(self), other)
#define tn_div_scalar_mode(self, other, rounding_mode) tn_div_scalar_mode(self, TN_SCALAR(other), rounding_mode)
#define tn_div_scalar_mode_(self, other, rounding_mode) tn_div_scalar_mode_(self, TN_SCALAR(other), rounding_mode)
#define tn_div_scalar_mode_out(out, self, other, rounding_mode) tn_div_scalar_mode_out(out, self, TN_SCALAR(other), rounding_mode)
#define tn_divide_scalar_mode(self, other, rounding_mode) tn_divide_scalar_mode(self, TN_SCALAR(other), rounding_mode)
#define tn_divide_scalar_mode_(self, other, rounding_mode) tn_divide_scalar_mode_(self, TN_SCALAR(other), rounding_mode)
#define tn_divide_scalar_mode_out(out, self, other, rounding_mode) tn_divide_scalar_mode_out(out, self, TN_SCALAR(other), rounding_mode)
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
#define tn_remainder_rscalar(self, other) tn_remainder_rscalar(TN_SCALAR(self), other)
#define tn_remainder_rscalar_out(out, self, other) tn_remainder_rscalar_out(out, TN_SCALAR(self), other)
#define tn_fmod_scalar(self, other) tn_fmod_scalar(self, TN_SCALAR(other))
#define tn_fmod_scalar_(self, other) tn_fmod_scalar_(self, TN_SCALAR(other))
#define tn_fmod_scalar_out(out, self, other) tn_fmod_scalar_out(out, self, TN_SCALAR(other))
#define tn_fmod_rscalar(self, other) tn_fmod_rscalar(TN_SCALAR(self), other)
#define tn_fmod_rscalar_out(out, self, other) tn_fmod_rscalar_out(out, TN_SCALAR(self), other)
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
#define tn_arctan2_scalar(self, other) tn_arctan2_scalar(self, TN_SCALAR(other))
#define tn_arctan2_scalar_(self, other) tn_arctan2_scalar_(self, TN_SCALAR(other))
#define tn_arctan2_scalar_out(out, self, other) tn_arctan2_scalar_out(out, self, TN_SCALAR(other))
#define tn_atan2_rscalar(self, other) tn_atan2_rscalar(TN_SCALAR(self), other)
#define tn_atan2_rscalar_out(out, self, other) tn_atan2_rscalar_out(out, TN_SCALAR(self), other)
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
#define tn_hardshrink(self, lambd) tn_hardshrink(self, TN_SCALAR(lambd))
#define tn_hardshrink_out(out, self, lambd) tn_hardshrink_out(out, self, TN_SCALAR(lambd))
#define tn_softshrink(self, lambd) tn_softshrink(self, TN_SCALAR(lambd))
#define tn_softshrink_out(out, self, lambd) tn_softshrink_out(out, self, TN_SCALAR(lambd))
#define tn_rrelu(self, lower, upper, training, generator) tn_rrelu(self, TN_SCALAR(lower), TN_SCALAR(upper), training, generator)
#define tn_rrelu_(self, lower, upper, training, generator) tn_rrelu_(self, TN_SCALAR(lower), TN_SCALAR(upper), training, generator)
#define tn_rrelu_with_noise(self, noise, lower, upper, training, generator) tn_rrelu_with_noise(self, noise, TN_SCALAR(lower), TN_SCALAR(upper), training, generator)
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
#define tn_segment_reduce(data, reduce, lengths, indices, offsets, axis, unsafe, initial) tn_segment_reduce(data, reduce, lengths, indices, offsets, axis, unsafe, TN_SCALAR(initial))
#define tn_trapezoid(y, dx, dim) tn_trapezoid(y, TN_SCALAR(dx), dim)
#define tn_cumulative_trapezoid(y, dx, dim) tn_cumulative_trapezoid(y, TN_SCALAR(dx), dim)
#define tn_eq_scalar(self, other) tn_eq_scalar(self, TN_SCALAR(other))
#define tn_eq_scalar_(self, other) tn_eq_scalar_(self, TN_SCALAR(other))
#define tn_eq_scalar_out(out, self, other) tn_eq_scalar_out(out, self, TN_SCALAR(other))
#define tn_ne_scalar(self, other) tn_ne_scalar(self, TN_SCALAR(other))
#define tn_ne_scalar_(self, other) tn_ne_scalar_(self, TN_SCALAR(other))
#define tn_ne_scalar_out(out, self, other) tn_ne_scalar_out(out, self, TN_SCALAR(other))
#define tn_not_equal_scalar(self, other) tn_not_equal_scalar(self, TN_SCALAR(other))
#define tn_not_equal_scalar_(self, other) tn_not_equal_scalar_(self, TN_SCALAR(other))
#define tn_not_equal_scalar_out(out, self, other) tn_not_equal_scalar_out(out, self, TN_SCALAR(other))
#define tn_lt_scalar(self, other) tn_lt_scalar(self, TN_SCALAR(other))
#define tn_lt_scalar_(self, other) tn_lt_scalar_(self, TN_SCALAR(other))
#define tn_lt_scalar_out(out, self, other) tn_lt_scalar_out(out, self, TN_SCALAR(other))
#define tn_less_scalar(self, other) tn_less_scalar(self, TN_SCALAR(other))
#define tn_less_scalar_(self, other) tn_less_scalar_(self, TN_SCALAR(other))
#define tn_less_scalar_out(out, self, other) tn_less_scalar_out(out, self, TN_SCALAR(other))
#define tn_lt_rscalar(self, other) tn_lt_rscalar(TN_SCALAR(self), other)
#define tn_lt_rscalar_out(out, self, other) tn_lt_rscalar_out(out, TN_SCALAR(self), other)
#define tn_le_scalar(self, other) tn_le_scalar(self, TN_SCALAR(other))
#define tn_le_scalar_(self, other) tn_le_scalar_(self, TN_SCALAR(other))
#define tn_le_scalar_out(out, self, other) tn_le_scalar_out(out, self, TN_SCALAR(other))
#define tn_less_equal_scalar(self, other) tn_less_equal_scalar(self, TN_SCALAR(other))
#define tn_less_equal_scalar_(self, other) tn_less_equal_scalar_(self, TN_SCALAR(other))
#define tn_less_equal_scalar_out(out, self, other) tn_less_equal_scalar_out(out, self, TN_SCALAR(other))
#define tn_le_rscalar(self, other) tn_le_rscalar(TN_SCALAR(self), other)
#define tn_le_rscalar_out(out, self, other) tn_le_rscalar_out(out, TN_SCALAR(self), other)
#define tn_gt_scalar(self, other) tn_gt_scalar(self, TN_SCALAR(other))
#define tn_gt_scalar_(self, other) tn_gt_scalar_(self, TN_SCALAR(other))
#define tn_gt_scalar_out(out, self, other) tn_gt_scalar_out(out, self, TN_SCALAR(other))
#define tn_greater_scalar(self, other) tn_greater_scalar(self, TN_SCALAR(other))
#define tn_greater_scalar_(self, other) tn_greater_scalar_(self, TN_SCALAR(other))
#define tn_greater_scalar_out(out, self, other) tn_greater_scalar_out(out, self, TN_SCALAR(other))
#define tn_gt_rscalar(self, other) tn_gt_rscalar(TN_SCALAR(self), other)
#define tn_gt_rscalar_out(out, self, other) tn_gt_rscalar_out(out, TN_SCALAR(self), other)
#define tn_ge_scalar(self, other) tn_ge_scalar(self, TN_SCALAR(other))
#define tn_ge_scalar_(self, other) tn_ge_scalar_(self, TN_SCALAR(other))
#define tn_ge_scalar_out(out, self, other) tn_ge_scalar_out(out, self, TN_SCALAR(other))
#define tn_greater_equal_scalar(self, other) tn_greater_equal_scalar(self, TN_SCALAR(other))
#define tn_greater_equal_scalar_(self, other) tn_greater_equal_scalar_(self, TN_SCALAR(other))
#define tn_greater_equal_scalar_out(out, self, other) tn_greater_equal_scalar_out(out, self, TN_SCALAR(other))
#define tn_ge_rscalar(self, other) tn_ge_rscalar(TN_SCALAR(self), other)
#define tn_ge_rscalar_out(out, self, other) tn_ge_rscalar_out(out, TN_SCALAR(self), other)
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
#define tn_upsample_nearest1d(self, output_size, scales) tn_upsample_nearest1d(self, output_size, TN_SCALAR(scales))
#define tn_upsample_nearest1d_out(out, self, output_size, scales) tn_upsample_nearest1d_out(out, self, output_size, TN_SCALAR(scales))
#define tn_upsample_nearest2d(self, output_size, scales_h, scales_w) tn_upsample_nearest2d(self, output_size, TN_SCALAR(scales_h), TN_SCALAR(scales_w))
#define tn_upsample_nearest2d_out(out, self, output_size, scales_h, scales_w) tn_upsample_nearest2d_out(out, self, output_size, TN_SCALAR(scales_h), TN_SCALAR(scales_w))
#define tn_upsample_nearest3d(self, output_size, scales_d, scales_h, scales_w) tn_upsample_nearest3d(self, output_size, TN_SCALAR(scales_d), TN_SCALAR(scales_h), TN_SCALAR(scales_w))
#define tn_upsample_nearest3d_out(out, self, output_size, scales_d, scales_h, scales_w) tn_upsample_nearest3d_out(out, self, output_size, TN_SCALAR(scales_d), TN_SCALAR(scales_h), TN_SCALAR(scales_w))
#define tn__upsample_nearest_exact1d(self, output_size, scales) tn__upsample_nearest_exact1d(self, output_size, TN_SCALAR(scales))
#define tn__upsample_nearest_exact1d_out(out, self, output_size, scales) tn__upsample_nearest_exact1d_out(out, self, output_size, TN_SCALAR(scales))
#define tn__upsample_nearest_exact2d(self, output_size, scales_h, scales_w) tn__upsample_nearest_exact2d(self, output_size, TN_SCALAR(scales_h), TN_SCALAR(scales_w))
#define tn__upsample_nearest_exact2d_out(out, self, output_size, scales_h, scales_w) tn__upsample_nearest_exact2d_out(out, self, output_size, TN_SCALAR(scales_h), TN_SCALAR(scales_w))
#define tn__upsample_nearest_exact3d(self, output_size, scales_d, scales_h, scales_w) tn__upsample_nearest_exact3d(self, output_size, TN_SCALAR(scales_d), TN_SCALAR(scales_h), TN_SCALAR(scales_w))
#define tn__upsample_nearest_exact3d_out(out, self, output_size, scales_d, scales_h, scales_w) tn__upsample_nearest_exact3d_out(out, self, output_size, TN_SCALAR(scales_d), TN_SCALAR(scales_h), TN_SCALAR(scales_w))
#define tn_upsample_linear1d(self, output_size, align_corners, scales) tn_upsample_linear1d(self, output_size, align_corners, TN_SCALAR(scales))
#define tn_upsample_linear1d_out(out, self, output_size, align_corners, scales) tn_upsample_linear1d_out(out, self, output_size, align_corners, TN_SCALAR(scales))
#define tn_upsample_bilinear2d(self, output_size, align_corners, scales_h, scales_w) tn_upsample_bilinear2d(self, output_size, align_corners, TN_SCALAR(scales_h), TN_SCALAR(scales_w))
#define tn_upsample_bilinear2d_out(out, self, output_size, align_corners, scales_h, scales_w) tn_upsample_bilinear2d_out(out, self, output_size, align_corners, TN_SCALAR(scales_h), TN_SCALAR(scales_w))
#define tn_upsample_trilinear3d(self, output_size, align_corners, scales_d, scales_h, scales_w) tn_upsample_trilinear3d(self, output_size, align_corners, TN_SCALAR(scales_d), TN_SCALAR(scales_h), TN_SCALAR(scales_w))
#define tn_upsample_trilinear3d_out(out, self, output_size, align_corners, scales_d, scales_h, scales_w) tn_upsample_trilinear3d_out(out, self, output_size, align_corners, TN_SCALAR(scales_d), TN_SCALAR(scales_h), TN_SCALAR(scales_w))
#define tn_upsample_bicubic2d(self, output_size, align_corners, scales_h, scales_w) tn_upsample_bicubic2d(self, output_size, align_corners, TN_SCALAR(scales_h), TN_SCALAR(scales_w))
#define tn_upsample_bicubic2d_out(out, self, output_size, align_corners, scales_h, scales_w) tn_upsample_bicubic2d_out(out, self, output_size, align_corners, TN_SCALAR(scales_h), TN_SCALAR(scales_w))
#define tn__upsample_bilinear2d_aa(self, output_size, align_corners, scales_h, scales_w) tn__upsample_bilinear2d_aa(self, output_size, align_corners, TN_SCALAR(scales_h), TN_SCALAR(scales_w))
#define tn__upsample_bilinear2d_aa_out(out, self, output_size, align_corners, scales_h, scales_w) tn__upsample_bilinear2d_aa_out(out, self, output_size, align_corners, TN_SCALAR(scales_h), TN_SCALAR(scales_w))
#define tn__upsample_bicubic2d_aa(self, output_size, align_corners, scales_h, scales_w) tn__upsample_bicubic2d_aa(self, output_size, align_corners, TN_SCALAR(scales_h), TN_SCALAR(scales_w))
#define tn__upsample_bicubic2d_aa_out(out, self, output_size, align_corners, scales_h, scales_w) tn__upsample_bicubic2d_aa_out(out, self, output_size, align_corners, TN_SCALAR(scales_h), TN_SCALAR(scales_w))
#define tn_upsample_nearest1d_backward(grad_output, output_size, input_size, scales) tn_upsample_nearest1d_backward(grad_output, output_size, input_size, TN_SCALAR(scales))
#define tn_upsample_nearest1d_backward_out(out, grad_output, output_size, input_size, scales) tn_upsample_nearest1d_backward_out(out, grad_output, output_size, input_size, TN_SCALAR(scales))
#define tn_upsample_nearest2d_backward(grad_output, output_size, input_size, scales_h, scales_w) tn_upsample_nearest2d_backward(grad_output, output_size, input_size, TN_SCALAR(scales_h), TN_SCALAR(scales_w))
#define tn_upsample_nearest2d_backward_out(out, grad_output, output_size, input_size, scales_h, scales_w) tn_upsample_nearest2d_backward_out(out, grad_output, output_size, input_size, TN_SCALAR(scales_h), TN_SCALAR(scales_w))
#define tn_upsample_nearest3d_backward(grad_output, output_size, input_size, scales_d, scales_h, scales_w) tn_upsample_nearest3d_backward(grad_output, output_size, input_size, TN_SCALAR(scales_d), TN_SCALAR(scales_h), TN_SCALAR(scales_w))
#define tn_upsample_nearest3d_backward_out(out, grad_output, output_size, input_size, scales_d, scales_h, scales_w) tn_upsample_nearest3d_backward_out(out, grad_output, output_size, input_size, TN_SCALAR(scales_d), TN_SCALAR(scales_h), TN_SCALAR(scales_w))
#define tn__upsample_nearest_exact1d_backward(grad_output, output_size, input_size, scales) tn__upsample_nearest_exact1d_backward(grad_output, output_size, input_size, TN_SCALAR(scales))
#define tn__upsample_nearest_exact1d_backward_out(out, grad_output, output_size, input_size, scales) tn__upsample_nearest_exact1d_backward_out(out, grad_output, output_size, input_size, TN_SCALAR(scales))
#define tn__upsample_nearest_exact2d_backward(grad_output, output_size, input_size, scales_h, scales_w) tn__upsample_nearest_exact2d_backward(grad_output, output_size, input_size, TN_SCALAR(scales_h), TN_SCALAR(scales_w))
#define tn__upsample_nearest_exact2d_backward_out(out, grad_output, output_size, input_size, scales_h, scales_w) tn__upsample_nearest_exact2d_backward_out(out, grad_output, output_size, input_size, TN_SCALAR(scales_h), TN_SCALAR(scales_w))
#define tn__upsample_nearest_exact3d_backward(grad_output, output_size, input_size, scales_d, scales_h, scales_w) tn__upsample_nearest_exact3d_backward(grad_output, output_size, input_size, TN_SCALAR(scales_d), TN_SCALAR(scales_h), TN_SCALAR(scales_w))
#define tn__upsample_nearest_exact3d_backward_out(out, grad_output, output_size, input_size, scales_d, scales_h, scales_w) tn__upsample_nearest_exact3d_backward_out(out, grad_output, output_size, input_size, TN_SCALAR(scales_d), TN_SCALAR(scales_h), TN_SCALAR(scales_w))
#define tn_upsample_linear1d_backward(grad_output, output_size, input_size, align_corners, scales) tn_upsample_linear1d_backward(grad_output, output_size, input_size, align_corners, TN_SCALAR(scales))
#define tn_upsample_linear1d_backward_out(out, grad_output, output_size, input_size, align_corners, scales) tn_upsample_linear1d_backward_out(out, grad_output, output_size, input_size, align_corners, TN_SCALAR(scales))
#define tn_upsample_bilinear2d_backward(grad_output, output_size, input_size, align_corners, scales_h, scales_w) tn_upsample_bilinear2d_backward(grad_output, output_size, input_size, align_corners, TN_SCALAR(scales_h), TN_SCALAR(scales_w))
#define tn_upsample_bilinear2d_backward_out(out, grad_output, output_size, input_size, align_corners, scales_h, scales_w) tn_upsample_bilinear2d_backward_out(out, grad_output, output_size, input_size, align_corners, TN_SCALAR(scales_h), TN_SCALAR(scales_w))
#define tn_upsample_trilinear3d_backward(grad_output, output_size, input_size, align_corners, scales_d, scales_h, scales_w) tn_upsample_trilinear3d_backward(grad_output, output_size, input_size, align_corners, TN_SCALAR(scales_d), TN_SCALAR(scales_h), TN_SCALAR(scales_w))
#define tn_upsample_trilinear3d_backward_out(out, grad_output, output_size, input_size, align_corners, scales_d, scales_h, scales_w) tn_upsample_trilinear3d_backward_out(out, grad_output, output_size, input_size, align_corners, TN_SCALAR(scales_d), TN_SCALAR(scales_h), TN_SCALAR(scales_w))
#define tn_upsample_bicubic2d_backward(grad_output, output_size, input_size, align_corners, scales_h, scales_w) tn_upsample_bicubic2d_backward(grad_output, output_size, input_size, align_corners, TN_SCALAR(scales_h), TN_SCALAR(scales_w))
#define tn_upsample_bicubic2d_backward_out(out, grad_output, output_size, input_size, align_corners, scales_h, scales_w) tn_upsample_bicubic2d_backward_out(out, grad_output, output_size, input_size, align_corners, TN_SCALAR(scales_h), TN_SCALAR(scales_w))
#define tn__upsample_bilinear2d_aa_backward(grad_output, output_size, input_size, align_corners, scales_h, scales_w) tn__upsample_bilinear2d_aa_backward(grad_output, output_size, input_size, align_corners, TN_SCALAR(scales_h), TN_SCALAR(scales_w))
#define tn__upsample_bilinear2d_aa_backward_out(out, grad_output, output_size, input_size, align_corners, scales_h, scales_w) tn__upsample_bilinear2d_aa_backward_out(out, grad_output, output_size, input_size, align_corners, TN_SCALAR(scales_h), TN_SCALAR(scales_w))
#define tn__upsample_bicubic2d_aa_backward(grad_output, output_size, input_size, align_corners, scales_h, scales_w) tn__upsample_bicubic2d_aa_backward(grad_output, output_size, input_size, align_corners, TN_SCALAR(scales_h), TN_SCALAR(scales_w))
#define tn__upsample_bicubic2d_aa_backward_out(out, grad_output, output_size, input_size, align_corners, scales_h, scales_w) tn__upsample_bicubic2d_aa_backward_out(out, grad_output, output_size, input_size, align_corners, TN_SCALAR(scales_h), TN_SCALAR(scales_w))
#define tn_addmm(self, mat1, mat2, beta, alpha) tn_addmm(self, mat1, mat2, TN_SCALAR(beta), TN_SCALAR(alpha))
#define tn_addmm_(self, mat1, mat2, beta, alpha) tn_addmm_(self, mat1, mat2, TN_SCALAR(beta), TN_SCALAR(alpha))
#define tn_addmm_out(out, self, mat1, mat2, beta, alpha) tn_addmm_out(out, self, mat1, mat2, TN_SCALAR(beta), TN_SCALAR(alpha))
#define tn_addmv(self, mat, vec, beta, alpha) tn_addmv(self, mat, vec, TN_SCALAR(beta), TN_SCALAR(alpha))
#define tn_addmv_(self, mat, vec, beta, alpha) tn_addmv_(self, mat, vec, TN_SCALAR(beta), TN_SCALAR(alpha))
#define tn_addmv_out(out, self, mat, vec, beta, alpha) tn_addmv_out(out, self, mat, vec, TN_SCALAR(beta), TN_SCALAR(alpha))
#define tn_baddbmm(self, batch1, batch2, beta, alpha) tn_baddbmm(self, batch1, batch2, TN_SCALAR(beta), TN_SCALAR(alpha))
#define tn_baddbmm_(self, batch1, batch2, beta, alpha) tn_baddbmm_(self, batch1, batch2, TN_SCALAR(beta), TN_SCALAR(alpha))
#define tn_baddbmm_out(out, self, batch1, batch2, beta, alpha) tn_baddbmm_out(out, self, batch1, batch2, TN_SCALAR(beta), TN_SCALAR(alpha))
#define tn_addbmm(self, batch1, batch2, beta, alpha) tn_addbmm(self, batch1, batch2, TN_SCALAR(beta), TN_SCALAR(alpha))
#define tn_addbmm_(self, batch1, batch2, beta, alpha) tn_addbmm_(self, batch1, batch2, TN_SCALAR(beta), TN_SCALAR(alpha))
#define tn_addbmm_out(out, self, batch1, batch2, beta, alpha) tn_addbmm_out(out, self, batch1, batch2, TN_SCALAR(beta), TN_SCALAR(alpha))
#define tn_addr(self, vec1, vec2, beta, alpha) tn_addr(self, vec1, vec2, TN_SCALAR(beta), TN_SCALAR(alpha))
#define tn_addr_(self, vec1, vec2, beta, alpha) tn_addr_(self, vec1, vec2, TN_SCALAR(beta), TN_SCALAR(alpha))
#define tn_addr_out(out, self, vec1, vec2, beta, alpha) tn_addr_out(out, self, vec1, vec2, TN_SCALAR(beta), TN_SCALAR(alpha))
#define tn__addmm_activation(self, mat1, mat2, beta, alpha, use_gelu) tn__addmm_activation(self, mat1, mat2, TN_SCALAR(beta), TN_SCALAR(alpha), use_gelu)
#define tn__addmm_activation_out(out, self, mat1, mat2, beta, alpha, use_gelu) tn__addmm_activation_out(out, self, mat1, mat2, TN_SCALAR(beta), TN_SCALAR(alpha), use_gelu)
#define tn_linear_fused(input, weight, bias, activation, residual, scale) tn_linear_fused(input, weight, bias, activation, residual, TN_SCALAR(scale))
#define tn_linear_fused_out(out, input, weight, bias, activation, residual, scale) tn_linear_fused_out(out, input, weight, bias, activation, residual, TN_SCALAR(scale))
#define tn_scaled_dot_product_attention(query, key, value, attn_mask, dropout_p, is_causal, scale, enable_gqa, generator) tn_scaled_dot_product_attention(query, key, value, attn_mask, dropout_p, is_causal, TN_SCALAR(scale), enable_gqa, generator)
#define tn__scaled_dot_product_attention_forward(query, key, value, attn_mask, kept, dropout_p, is_causal, scale, enable_gqa) tn__scaled_dot_product_attention_forward(query, key, value, attn_mask, kept, dropout_p, is_causal, TN_SCALAR(scale), enable_gqa)
#define tn__scaled_dot_product_attention_backward(grad_output, query, key, value, output, logsumexp, attn_mask, kept, dropout_p, is_causal, scale, enable_gqa) tn__scaled_dot_product_attention_backward(grad_output, query, key, value, output, logsumexp, attn_mask, kept, dropout_p, is_causal, TN_SCALAR(scale), enable_gqa)
#define tn__scaled_dot_product_attention_mask_backward(grad_output, query, key, value, output, logsumexp, attn_mask, kept, dropout_p, is_causal, scale, enable_gqa) tn__scaled_dot_product_attention_mask_backward(grad_output, query, key, value, output, logsumexp, attn_mask, kept, dropout_p, is_causal, TN_SCALAR(scale), enable_gqa)
#define tn__scaled_dot_product_flash_attention_for_cpu(query, key, value, dropout_p, is_causal, attn_mask, scale) tn__scaled_dot_product_flash_attention_for_cpu(query, key, value, dropout_p, is_causal, attn_mask, TN_SCALAR(scale))
#define tn__scaled_dot_product_flash_attention_for_cpu_backward(grad_out, query, key, value, out, logsumexp, dropout_p, is_causal, attn_mask, scale) tn__scaled_dot_product_flash_attention_for_cpu_backward(grad_out, query, key, value, out, logsumexp, dropout_p, is_causal, attn_mask, TN_SCALAR(scale))
#define tn_multi_margin_loss(self, target, p, margin, weight, reduction) tn_multi_margin_loss(self, target, TN_SCALAR(p), TN_SCALAR(margin), weight, reduction)
#define tn__pad_packed_sequence(data, batch_sizes, batch_first, padding_value, total_length) tn__pad_packed_sequence(data, batch_sizes, batch_first, TN_SCALAR(padding_value), total_length)
#define tn_linalg_matrix_norm(self, ord, dim, keepdim, dtype) tn_linalg_matrix_norm(self, TN_SCALAR(ord), dim, keepdim, dtype)
#define tn_linalg_matrix_norm_out(out, self, ord, dim, keepdim, dtype) tn_linalg_matrix_norm_out(out, self, TN_SCALAR(ord), dim, keepdim, dtype)
#define tn_linalg_norm(self, ord, dim, keepdim, dtype) tn_linalg_norm(self, TN_SCALAR(ord), dim, keepdim, dtype)
#define tn_linalg_norm_out(out, self, ord, dim, keepdim, dtype) tn_linalg_norm_out(out, self, TN_SCALAR(ord), dim, keepdim, dtype)
#define tn_linalg_pinv(self, atol, rtol, hermitian) tn_linalg_pinv(self, TN_SCALAR(atol), TN_SCALAR(rtol), hermitian)
#define tn_linalg_pinv_out(out, self, atol, rtol, hermitian) tn_linalg_pinv_out(out, self, TN_SCALAR(atol), TN_SCALAR(rtol), hermitian)
#define tn_linalg_pinv_rcond(self, rcond, hermitian) tn_linalg_pinv_rcond(self, TN_SCALAR(rcond), hermitian)
#define tn_linalg_pinv_rcond_out(out, self, rcond, hermitian) tn_linalg_pinv_rcond_out(out, self, TN_SCALAR(rcond), hermitian)
#define tn_linalg_matrix_rank(self, atol, rtol, hermitian) tn_linalg_matrix_rank(self, TN_SCALAR(atol), TN_SCALAR(rtol), hermitian)
#define tn_linalg_matrix_rank_out(out, self, atol, rtol, hermitian) tn_linalg_matrix_rank_out(out, self, TN_SCALAR(atol), TN_SCALAR(rtol), hermitian)
#define tn_linalg_matrix_rank_tol(self, tol, hermitian) tn_linalg_matrix_rank_tol(self, TN_SCALAR(tol), hermitian)
#define tn_linalg_matrix_rank_tol_out(out, self, tol, hermitian) tn_linalg_matrix_rank_tol_out(out, self, TN_SCALAR(tol), hermitian)
#define tn_linalg_lstsq(self, b, rcond, driver) tn_linalg_lstsq(self, b, TN_SCALAR(rcond), driver)
#define tn_linalg_lstsq_out(solution, residuals, rank, singular_values, self, b, rcond, driver) tn_linalg_lstsq_out(solution, residuals, rank, singular_values, self, b, TN_SCALAR(rcond), driver)
#define tn_linalg_cond(self, p) tn_linalg_cond(self, TN_SCALAR(p))
#define tn_linalg_cond_out(out, self, p) tn_linalg_cond_out(out, self, TN_SCALAR(p))
#define tn_stft(self, n_fft, hop_length, win_length, window, center, pad_mode, normalized, onesided, return_complex) tn_stft(self, n_fft, hop_length, win_length, window, center, pad_mode, normalized, TN_SCALAR(onesided), TN_SCALAR(return_complex))
#define tn_istft(self, n_fft, hop_length, win_length, window, center, normalized, onesided, length, return_complex) tn_istft(self, n_fft, hop_length, win_length, window, center, normalized, TN_SCALAR(onesided), length, return_complex)
#define tn_special_xlog1py_scalar(self, other) tn_special_xlog1py_scalar(self, TN_SCALAR(other))
#define tn_special_xlog1py_scalar_out(out, self, other) tn_special_xlog1py_scalar_out(out, self, TN_SCALAR(other))
#define tn_special_xlog1py_rscalar(self, other) tn_special_xlog1py_rscalar(TN_SCALAR(self), other)
#define tn_special_xlog1py_rscalar_out(out, self, other) tn_special_xlog1py_rscalar_out(out, TN_SCALAR(self), other)
#define tn_special_zeta_scalar(self, other) tn_special_zeta_scalar(self, TN_SCALAR(other))
#define tn_special_zeta_scalar_out(out, self, other) tn_special_zeta_scalar_out(out, self, TN_SCALAR(other))
#define tn_special_zeta_rscalar(self, other) tn_special_zeta_rscalar(TN_SCALAR(self), other)
#define tn_special_zeta_rscalar_out(out, self, other) tn_special_zeta_rscalar_out(out, TN_SCALAR(self), other)
#define tn_special_chebyshev_polynomial_t_scalar(self, n) tn_special_chebyshev_polynomial_t_scalar(self, TN_SCALAR(n))
#define tn_special_chebyshev_polynomial_t_scalar_out(out, self, n) tn_special_chebyshev_polynomial_t_scalar_out(out, self, TN_SCALAR(n))
#define tn_special_chebyshev_polynomial_u_scalar(self, n) tn_special_chebyshev_polynomial_u_scalar(self, TN_SCALAR(n))
#define tn_special_chebyshev_polynomial_u_scalar_out(out, self, n) tn_special_chebyshev_polynomial_u_scalar_out(out, self, TN_SCALAR(n))
#define tn_special_chebyshev_polynomial_v_scalar(self, n) tn_special_chebyshev_polynomial_v_scalar(self, TN_SCALAR(n))
#define tn_special_chebyshev_polynomial_v_scalar_out(out, self, n) tn_special_chebyshev_polynomial_v_scalar_out(out, self, TN_SCALAR(n))
#define tn_special_chebyshev_polynomial_w_scalar(self, n) tn_special_chebyshev_polynomial_w_scalar(self, TN_SCALAR(n))
#define tn_special_chebyshev_polynomial_w_scalar_out(out, self, n) tn_special_chebyshev_polynomial_w_scalar_out(out, self, TN_SCALAR(n))
#define tn_special_shifted_chebyshev_polynomial_t_scalar(self, n) tn_special_shifted_chebyshev_polynomial_t_scalar(self, TN_SCALAR(n))
#define tn_special_shifted_chebyshev_polynomial_t_scalar_out(out, self, n) tn_special_shifted_chebyshev_polynomial_t_scalar_out(out, self, TN_SCALAR(n))
#define tn_special_shifted_chebyshev_polynomial_u_scalar(self, n) tn_special_shifted_chebyshev_polynomial_u_scalar(self, TN_SCALAR(n))
#define tn_special_shifted_chebyshev_polynomial_u_scalar_out(out, self, n) tn_special_shifted_chebyshev_polynomial_u_scalar_out(out, self, TN_SCALAR(n))
#define tn_special_shifted_chebyshev_polynomial_v_scalar(self, n) tn_special_shifted_chebyshev_polynomial_v_scalar(self, TN_SCALAR(n))
#define tn_special_shifted_chebyshev_polynomial_v_scalar_out(out, self, n) tn_special_shifted_chebyshev_polynomial_v_scalar_out(out, self, TN_SCALAR(n))
#define tn_special_shifted_chebyshev_polynomial_w_scalar(self, n) tn_special_shifted_chebyshev_polynomial_w_scalar(self, TN_SCALAR(n))
#define tn_special_shifted_chebyshev_polynomial_w_scalar_out(out, self, n) tn_special_shifted_chebyshev_polynomial_w_scalar_out(out, self, TN_SCALAR(n))
#define tn_special_hermite_polynomial_h_scalar(self, n) tn_special_hermite_polynomial_h_scalar(self, TN_SCALAR(n))
#define tn_special_hermite_polynomial_h_scalar_out(out, self, n) tn_special_hermite_polynomial_h_scalar_out(out, self, TN_SCALAR(n))
#define tn_special_hermite_polynomial_he_scalar(self, n) tn_special_hermite_polynomial_he_scalar(self, TN_SCALAR(n))
#define tn_special_hermite_polynomial_he_scalar_out(out, self, n) tn_special_hermite_polynomial_he_scalar_out(out, self, TN_SCALAR(n))
#define tn_special_laguerre_polynomial_l_scalar(self, n) tn_special_laguerre_polynomial_l_scalar(self, TN_SCALAR(n))
#define tn_special_laguerre_polynomial_l_scalar_out(out, self, n) tn_special_laguerre_polynomial_l_scalar_out(out, self, TN_SCALAR(n))
#define tn_special_legendre_polynomial_p_scalar(self, n) tn_special_legendre_polynomial_p_scalar(self, TN_SCALAR(n))
#define tn_special_legendre_polynomial_p_scalar_out(out, self, n) tn_special_legendre_polynomial_p_scalar_out(out, self, TN_SCALAR(n))
#endif

/* Items of an index without TN_INDEX around them; (tn_index)(x, list) takes a list that exists already. */
#define tn_index(self, ...) tn_index(self, TN_INDEX(__VA_ARGS__))
/* clang-format on */

#endif

/* tenon/cpp/operators.hpp - every operator as a method of AnyTensor, and of typed tensors.
 *
 * Written by tools/generate.c from the operator table, src/dispatch/operators.def: change it there. What each does is told in
 * tenon/operators.h and docs/operators.md, under the same name; how the faces fit together in docs/cpp.md.
 */
#ifndef TENON_CPP_OPERATORS_HPP
#define TENON_CPP_OPERATORS_HPP

#include <tenon/cpp/handle.hpp>

namespace tenon {

/* clang-format off */

/* Results with names: auto [values, indices] = x.sort(); */
template <class T0 = AnyTensor, class T1 = AnyTensor> struct MantissaExponent {
    T0 mantissa;
    T1 exponent;
};
template <class T0 = AnyTensor, class T1 = AnyTensor> struct VarMean {
    T0 var;
    T1 mean;
};
template <class T0 = AnyTensor, class T1 = AnyTensor> struct StdMean {
    T0 std;
    T1 mean;
};
template <class T0 = AnyTensor, class T1 = AnyTensor> struct MinMax {
    T0 min;
    T1 max;
};
template <class T0 = AnyTensor, class T1 = AnyTensor> struct ValuesIndices {
    T0 values;
    T1 indices;
};
template <class T0 = AnyTensor, class T1 = AnyTensor> struct HistBinEdges {
    T0 hist;
    T1 bin_edges;
};
template <class T0 = AnyTensor, class T1 = AnyTensor, class T2 = AnyTensor> struct OutMeanRstd {
    T0 out;
    T1 mean;
    T2 rstd;
};
template <class T0 = AnyTensor, class T1 = AnyTensor, class T2 = AnyTensor, class T3 = AnyTensor> struct OutMeanInvstdVar {
    T0 out;
    T1 mean;
    T2 invstd;
    T3 var;
};
template <class T0 = AnyTensor, class T1 = AnyTensor, class T2 = AnyTensor> struct OutSaveMeanSaveInvstd {
    T0 out;
    T1 save_mean;
    T2 save_invstd;
};
template <class T0 = AnyTensor, class T1 = AnyTensor, class T2 = AnyTensor> struct GradInputGradWeightGradBias {
    T0 grad_input;
    T1 grad_weight;
    T2 grad_bias;
};
template <class T0 = AnyTensor, class T1 = AnyTensor> struct GradInputGradGrid {
    T0 grad_input;
    T1 grad_grid;
};
template <class T0 = AnyTensor, class T1 = AnyTensor> struct OutputLogsumexp {
    T0 output;
    T1 logsumexp;
};
template <class T0 = AnyTensor, class T1 = AnyTensor, class T2 = AnyTensor> struct GradQueryGradKeyGradValue {
    T0 grad_query;
    T1 grad_key;
    T2 grad_value;
};
template <class T0 = AnyTensor, class T1 = AnyTensor, class T2 = AnyTensor, class T3 = AnyTensor> struct OutputOffset2bagBagSizeMaxIndices {
    T0 output;
    T1 offset2bag;
    T2 bag_size;
    T3 max_indices;
};
template <class T0 = AnyTensor, class T1 = AnyTensor, class T2 = AnyTensor> struct LossLogsTotal {
    T0 loss;
    T1 logs;
    T2 total;
};
template <class T0 = AnyTensor, class T1 = AnyTensor> struct NegLogLikelihoodLogAlpha {
    T0 neg_log_likelihood;
    T1 log_alpha;
};
template <class T0 = AnyTensor, class T1 = AnyTensor, class T2 = AnyTensor> struct OutputHyCy {
    T0 output;
    T1 hy;
    T2 cy;
};
template <class T0 = AnyTensor, class T1 = AnyTensor> struct OutputHy {
    T0 output;
    T1 hy;
};
template <class T0 = AnyTensor, class T1 = AnyTensor> struct HyCy {
    T0 hy;
    T1 cy;
};
template <class T0 = AnyTensor, class T1 = AnyTensor, class T2 = AnyTensor> struct HyCyWorkspace {
    T0 hy;
    T1 cy;
    T2 workspace;
};
template <class T0 = AnyTensor, class T1 = AnyTensor, class T2 = AnyTensor> struct GradGatesGradCxGradBias {
    T0 grad_gates;
    T1 grad_cx;
    T2 grad_bias;
};
template <class T0 = AnyTensor, class T1 = AnyTensor> struct HyWorkspace {
    T0 hy;
    T1 workspace;
};
template <class T0 = AnyTensor, class T1 = AnyTensor, class T2 = AnyTensor, class T3 = AnyTensor, class T4 = AnyTensor> struct GradInputGatesGradHiddenGatesGradHxGradInputBiasGradHiddenBias {
    T0 grad_input_gates;
    T1 grad_hidden_gates;
    T2 grad_hx;
    T3 grad_input_bias;
    T4 grad_hidden_bias;
};
template <class T0 = AnyTensor, class T1 = AnyTensor> struct DataBatchSizes {
    T0 data;
    T1 batch_sizes;
};
template <class T0 = AnyTensor, class T1 = AnyTensor> struct OutputLengths {
    T0 output;
    T1 lengths;
};
template <class T0 = AnyTensor, class T1 = AnyTensor> struct OutputMask {
    T0 output;
    T1 mask;
};
template <class T0 = AnyTensor, class T1 = AnyTensor> struct LInfo {
    T0 L;
    T1 info;
};
template <class T0 = AnyTensor, class T1 = AnyTensor, class T2 = AnyTensor> struct LUPivotsInfo {
    T0 LU;
    T1 pivots;
    T2 info;
};
template <class T0 = AnyTensor, class T1 = AnyTensor> struct LUPivots {
    T0 LU;
    T1 pivots;
};
template <class T0 = AnyTensor, class T1 = AnyTensor, class T2 = AnyTensor> struct PLU {
    T0 P;
    T1 L;
    T2 U;
};
template <class T0 = AnyTensor, class T1 = AnyTensor> struct SolutionClonedCoefficient {
    T0 solution;
    T1 cloned_coefficient;
};
template <class T0 = AnyTensor, class T1 = AnyTensor, class T2 = AnyTensor, class T3 = AnyTensor> struct ResultLUPivotsInfo {
    T0 result;
    T1 LU;
    T2 pivots;
    T3 info;
};
template <class T0 = AnyTensor, class T1 = AnyTensor> struct ResultInfo {
    T0 result;
    T1 info;
};
template <class T0 = AnyTensor, class T1 = AnyTensor> struct InverseInfo {
    T0 inverse;
    T1 info;
};
template <class T0 = AnyTensor, class T1 = AnyTensor, class T2 = AnyTensor> struct ResultLUPivots {
    T0 result;
    T1 LU;
    T2 pivots;
};
template <class T0 = AnyTensor, class T1 = AnyTensor, class T2 = AnyTensor, class T3 = AnyTensor> struct SignLogabsdetLUPivots {
    T0 sign;
    T1 logabsdet;
    T2 LU;
    T3 pivots;
};
template <class T0 = AnyTensor, class T1 = AnyTensor> struct SignLogabsdet {
    T0 sign;
    T1 logabsdet;
};
template <class T0 = AnyTensor, class T1 = AnyTensor> struct ATau {
    T0 a;
    T1 tau;
};
template <class T0 = AnyTensor, class T1 = AnyTensor> struct QR {
    T0 Q;
    T1 R;
};
template <class T0 = AnyTensor, class T1 = AnyTensor, class T2 = AnyTensor> struct LDPivotsInfo {
    T0 LD;
    T1 pivots;
    T2 info;
};
template <class T0 = AnyTensor, class T1 = AnyTensor> struct LDPivots {
    T0 LD;
    T1 pivots;
};
template <class T0 = AnyTensor, class T1 = AnyTensor> struct EigenvaluesEigenvectors {
    T0 eigenvalues;
    T1 eigenvectors;
};
template <class T0 = AnyTensor, class T1 = AnyTensor, class T2 = AnyTensor> struct USVh {
    T0 U;
    T1 S;
    T2 Vh;
};
template <class T0 = AnyTensor, class T1 = AnyTensor, class T2 = AnyTensor> struct USV {
    T0 U;
    T1 S;
    T2 V;
};
template <class T0 = AnyTensor, class T1 = AnyTensor, class T2 = AnyTensor, class T3 = AnyTensor> struct SolutionResidualsRankSingularValues {
    T0 solution;
    T1 residuals;
    T2 rank;
    T3 singular_values;
};

/* A tensor whose dtype, rank and device are known at run time: one pointer. */
class AnyTensor : public detail::Handle<AnyTensor> {
  public:
    using detail::Handle<AnyTensor>::Handle;

    /* create */
    AnyTensor empty_like(tn_dtype dtype = TN_DTYPE_DEFAULT, tn_memory_format format = TN_PRESERVE) const { return detail::Own()(tn_empty_like(get(), dtype, format)); }
    AnyTensor zeros_like(tn_dtype dtype = TN_DTYPE_DEFAULT, tn_memory_format format = TN_PRESERVE) const { return detail::Own()(tn_zeros_like(get(), dtype, format)); }
    AnyTensor ones_like(tn_dtype dtype = TN_DTYPE_DEFAULT, tn_memory_format format = TN_PRESERVE) const { return detail::Own()(tn_ones_like(get(), dtype, format)); }
    AnyTensor full_like(Number fill_value, tn_dtype dtype = TN_DTYPE_DEFAULT, tn_memory_format format = TN_PRESERVE) const { return detail::Own()(tn_full_like(get(), fill_value, dtype, format)); }

    /* view */
    AnyTensor view(Dims shape) const { return detail::Own()(tn_view(get(), shape)); }
    AnyTensor view_as(const AnyTensor &other) const { return detail::Own()(tn_view_as(get(), other.get())); }
    AnyTensor view(tn_dtype dtype) const { return detail::Own()(tn_view_dtype(get(), dtype)); }
    AnyTensor reshape(Dims shape) const { return detail::Own()(tn_reshape(get(), shape)); }
    AnyTensor reshape_as(const AnyTensor &other) const { return detail::Own()(tn_reshape_as(get(), other.get())); }
    AnyTensor flatten(int64_t start_dim = 0, int64_t end_dim = -1) const { return detail::Own()(tn_flatten(get(), start_dim, end_dim)); }
    AnyTensor ravel() const { return detail::Own()(tn_ravel(get())); }
    AnyTensor unflatten(int64_t dim, Dims sizes) const { return detail::Own()(tn_unflatten(get(), dim, sizes)); }
    AnyTensor permute(Dims dims) const { return detail::Own()(tn_permute(get(), dims)); }
    AnyTensor transpose(int64_t dim0, int64_t dim1) const { return detail::Own()(tn_transpose(get(), dim0, dim1)); }
    AnyTensor &transpose_(int64_t dim0, int64_t dim1) { return did(tn_transpose_(get(), dim0, dim1)); }
    AnyTensor swapaxes(int64_t dim0, int64_t dim1) const { return detail::Own()(tn_swapaxes(get(), dim0, dim1)); }
    AnyTensor &swapaxes_(int64_t dim0, int64_t dim1) { return did(tn_swapaxes_(get(), dim0, dim1)); }
    AnyTensor swapdims(int64_t dim0, int64_t dim1) const { return detail::Own()(tn_swapdims(get(), dim0, dim1)); }
    AnyTensor &swapdims_(int64_t dim0, int64_t dim1) { return did(tn_swapdims_(get(), dim0, dim1)); }
    AnyTensor t() const { return detail::Own()(tn_t(get())); }
    AnyTensor &t_() { return did(tn_t_(get())); }
    AnyTensor T() const { return detail::Own()(tn_T(get())); }
    AnyTensor mT() const { return detail::Own()(tn_mT(get())); }
    AnyTensor H() const { return detail::Own()(tn_H(get())); }
    AnyTensor mH() const { return detail::Own()(tn_mH(get())); }
    AnyTensor adjoint() const { return detail::Own()(tn_adjoint(get())); }
    AnyTensor movedim(Dims source, Dims destination) const { return detail::Own()(tn_movedim(get(), source, destination)); }
    AnyTensor moveaxis(Dims source, Dims destination) const { return detail::Own()(tn_moveaxis(get(), source, destination)); }
    AnyTensor squeeze() const { return detail::Own()(tn_squeeze(get())); }
    AnyTensor &squeeze_() { return did(tn_squeeze_(get())); }
    AnyTensor squeeze(int64_t dim) const { return detail::Own()(tn_squeeze_dim(get(), dim)); }
    AnyTensor &squeeze_(int64_t dim) { return did(tn_squeeze_dim_(get(), dim)); }
    AnyTensor squeeze(Dims dims) const { return detail::Own()(tn_squeeze_dims(get(), dims)); }
    AnyTensor &squeeze_(Dims dims) { return did(tn_squeeze_dims_(get(), dims)); }
    AnyTensor unsqueeze(int64_t dim) const { return detail::Own()(tn_unsqueeze(get(), dim)); }
    AnyTensor &unsqueeze_(int64_t dim) { return did(tn_unsqueeze_(get(), dim)); }
    AnyTensor expand(Dims size) const { return detail::Own()(tn_expand(get(), size)); }
    AnyTensor broadcast_to(Dims size) const { return detail::Own()(tn_broadcast_to(get(), size)); }
    AnyTensor expand_as(const AnyTensor &other) const { return detail::Own()(tn_expand_as(get(), other.get())); }
    AnyTensor narrow(int64_t dim, int64_t start, int64_t length) const { return detail::Own()(tn_narrow(get(), dim, start, length)); }
    AnyTensor select(int64_t dim, int64_t index) const { return detail::Own()(tn_select(get(), dim, index)); }
    AnyTensor slice(int64_t dim, int64_t start, int64_t end, int64_t step) const { return detail::Own()(tn_slice(get(), dim, start, end, step)); }
    AnyTensor flip(Dims dims) const { return detail::Own()(tn_flip(get(), dims)); }
    AnyTensor fliplr() const { return detail::Own()(tn_fliplr(get())); }
    AnyTensor flipud() const { return detail::Own()(tn_flipud(get())); }
    AnyTensor rot90(int64_t k, Dims dims) const { return detail::Own()(tn_rot90(get(), k, dims)); }
    AnyTensor unfold(int64_t dimension, int64_t size, int64_t step) const { return detail::Own()(tn_unfold(get(), dimension, size, step)); }
    AnyTensor sliding_window_view(Dims window, Dims dims) const { return detail::Own()(tn_sliding_window_view(get(), window, dims)); }
    AnyTensor diagonal(int64_t offset = 0, int64_t dim1 = 0, int64_t dim2 = 1) const { return detail::Own()(tn_diagonal(get(), offset, dim1, dim2)); }
    AnyTensor as_strided(Dims size, Dims stride, int64_t storage_offset = TN_NONE) const { return detail::Own()(tn_as_strided(get(), size, stride, storage_offset)); }
    AnyTensor &as_strided_(Dims size, Dims stride, int64_t storage_offset = TN_NONE) { return did(tn_as_strided_(get(), size, stride, storage_offset)); }
    std::vector<AnyTensor> split(int64_t split_size, int64_t dim = 0) const { return detail::Own().all(tn_split(get(), split_size, dim)); }
    std::vector<AnyTensor> split_with_sizes(Dims split_sizes, int64_t dim = 0) const { return detail::Own().all(tn_split_with_sizes(get(), split_sizes, dim)); }
    std::vector<AnyTensor> chunk(int64_t chunks, int64_t dim = 0) const { return detail::Own().all(tn_chunk(get(), chunks, dim)); }
    std::vector<AnyTensor> tensor_split(int64_t sections, int64_t dim = 0) const { return detail::Own().all(tn_tensor_split(get(), sections, dim)); }
    std::vector<AnyTensor> tensor_split(Dims indices, int64_t dim = 0) const { return detail::Own().all(tn_tensor_split_indices(get(), indices, dim)); }
    std::vector<AnyTensor> tensor_split(const AnyTensor &tensor_indices_or_sections, int64_t dim = 0) const { return detail::Own().all(tn_tensor_split_tensor(get(), tensor_indices_or_sections.get(), dim)); }
    std::vector<AnyTensor> hsplit(int64_t sections) const { return detail::Own().all(tn_hsplit(get(), sections)); }
    std::vector<AnyTensor> hsplit(Dims indices) const { return detail::Own().all(tn_hsplit_indices(get(), indices)); }
    std::vector<AnyTensor> vsplit(int64_t sections) const { return detail::Own().all(tn_vsplit(get(), sections)); }
    std::vector<AnyTensor> vsplit(Dims indices) const { return detail::Own().all(tn_vsplit_indices(get(), indices)); }
    std::vector<AnyTensor> dsplit(int64_t sections) const { return detail::Own().all(tn_dsplit(get(), sections)); }
    std::vector<AnyTensor> dsplit(Dims indices) const { return detail::Own().all(tn_dsplit_indices(get(), indices)); }
    std::vector<AnyTensor> unbind(int64_t dim = 0) const { return detail::Own().all(tn_unbind(get(), dim)); }
    AnyTensor view_as_real() const { return detail::Own()(tn_view_as_real(get())); }
    AnyTensor view_as_complex() const { return detail::Own()(tn_view_as_complex(get())); }
    AnyTensor real() const { return detail::Own()(tn_real(get())); }
    AnyTensor imag() const { return detail::Own()(tn_imag(get())); }
    AnyTensor detach() const { return detail::Own()(tn_detach(get())); }
    AnyTensor alias() const { return detail::Own()(tn_alias(get())); }
    AnyTensor atleast_1d() const { return detail::Own()(tn_atleast_1d(get())); }
    AnyTensor atleast_2d() const { return detail::Own()(tn_atleast_2d(get())); }
    AnyTensor atleast_3d() const { return detail::Own()(tn_atleast_3d(get())); }
    AnyTensor &resize_(Dims size) { return did(tn_resize_(get(), size)); }
    AnyTensor &resize_as_(const AnyTensor &other) { return did(tn_resize_as_(get(), other.get())); }
    AnyTensor &resize_(Dims size, tn_memory_format memory_format) { return did(tn_resize_format_(get(), size, memory_format)); }
    AnyTensor &resize_as_(const AnyTensor &other, tn_memory_format memory_format) { return did(tn_resize_as_format_(get(), other.get(), memory_format)); }
    AnyTensor &fill_diagonal_(Number fill_value, bool wrap = false) { return did(tn_fill_diagonal_(get(), fill_value, wrap)); }
    AnyTensor &set_(const AnyTensor &source) { return did(tn_set_(get(), source.get())); }
    AnyTensor &set_(AnyStorage &source, int64_t storage_offset, Dims size, Dims stride) { return did(tn_set_storage_(get(), source.get(), storage_offset, size, stride)); }

    /* view copies */
    AnyTensor alias_copy() const { return detail::Own()(tn_alias_copy(get())); }
    AnyTensor as_strided_copy(Dims size, Dims stride, int64_t storage_offset = TN_NONE) const { return detail::Own()(tn_as_strided_copy(get(), size, stride, storage_offset)); }
    AnyTensor detach_copy() const { return detail::Own()(tn_detach_copy(get())); }
    AnyTensor diagonal_copy(int64_t offset = 0, int64_t dim1 = 0, int64_t dim2 = 1) const { return detail::Own()(tn_diagonal_copy(get(), offset, dim1, dim2)); }
    AnyTensor expand_copy(Dims size) const { return detail::Own()(tn_expand_copy(get(), size)); }
    AnyTensor narrow_copy(int64_t dim, int64_t start, int64_t length) const { return detail::Own()(tn_narrow_copy(get(), dim, start, length)); }
    AnyTensor permute_copy(Dims dims) const { return detail::Own()(tn_permute_copy(get(), dims)); }
    AnyTensor select_copy(int64_t dim, int64_t index) const { return detail::Own()(tn_select_copy(get(), dim, index)); }
    AnyTensor slice_copy(int64_t dim = 0, int64_t start = TN_NONE, int64_t end = TN_NONE, int64_t step = 1) const { return detail::Own()(tn_slice_copy(get(), dim, start, end, step)); }
    AnyTensor squeeze_copy() const { return detail::Own()(tn_squeeze_copy(get())); }
    AnyTensor squeeze_copy(int64_t dim) const { return detail::Own()(tn_squeeze_copy_dim(get(), dim)); }
    AnyTensor squeeze_copy(Dims dims) const { return detail::Own()(tn_squeeze_copy_dims(get(), dims)); }
    AnyTensor t_copy() const { return detail::Own()(tn_t_copy(get())); }
    AnyTensor transpose_copy(int64_t dim0, int64_t dim1) const { return detail::Own()(tn_transpose_copy(get(), dim0, dim1)); }
    AnyTensor unfold_copy(int64_t dimension, int64_t size, int64_t step) const { return detail::Own()(tn_unfold_copy(get(), dimension, size, step)); }
    AnyTensor unsqueeze_copy(int64_t dim) const { return detail::Own()(tn_unsqueeze_copy(get(), dim)); }
    AnyTensor view_copy(Dims shape) const { return detail::Own()(tn_view_copy(get(), shape)); }
    AnyTensor view_copy(tn_dtype dtype) const { return detail::Own()(tn_view_copy_dtype(get(), dtype)); }
    AnyTensor view_as_complex_copy() const { return detail::Own()(tn_view_as_complex_copy(get())); }
    AnyTensor view_as_real_copy() const { return detail::Own()(tn_view_as_real_copy(get())); }
    std::vector<AnyTensor> split_copy(int64_t split_size, int64_t dim = 0) const { return detail::Own().all(tn_split_copy(get(), split_size, dim)); }
    std::vector<AnyTensor> split_with_sizes_copy(Dims split_sizes, int64_t dim = 0) const { return detail::Own().all(tn_split_with_sizes_copy(get(), split_sizes, dim)); }
    std::vector<AnyTensor> unbind_copy(int64_t dim = 0) const { return detail::Own().all(tn_unbind_copy(get(), dim)); }

    /* arithmetic */
    AnyTensor add(const AnyTensor &other) const { return detail::Own()(tn_add(get(), other.get())); }
    AnyTensor &add_(const AnyTensor &other) { return did(tn_add_(get(), other.get())); }
    AnyTensor add(Number other) const { return detail::Own()(tn_add_scalar(get(), other)); }
    AnyTensor &add_(Number other) { return did(tn_add_scalar_(get(), other)); }
    AnyTensor add_alpha(const AnyTensor &other, Number alpha = 1) const { return detail::Own()(tn_add_alpha(get(), other.get(), alpha)); }
    AnyTensor &add_alpha_(const AnyTensor &other, Number alpha = 1) { return did(tn_add_alpha_(get(), other.get(), alpha)); }
    AnyTensor sub(const AnyTensor &other) const { return detail::Own()(tn_sub(get(), other.get())); }
    AnyTensor &sub_(const AnyTensor &other) { return did(tn_sub_(get(), other.get())); }
    AnyTensor subtract(const AnyTensor &other) const { return detail::Own()(tn_subtract(get(), other.get())); }
    AnyTensor &subtract_(const AnyTensor &other) { return did(tn_subtract_(get(), other.get())); }
    AnyTensor sub(Number other) const { return detail::Own()(tn_sub_scalar(get(), other)); }
    AnyTensor &sub_(Number other) { return did(tn_sub_scalar_(get(), other)); }
    AnyTensor subtract(Number other) const { return detail::Own()(tn_subtract_scalar(get(), other)); }
    AnyTensor &subtract_(Number other) { return did(tn_subtract_scalar_(get(), other)); }
    AnyTensor sub_alpha(const AnyTensor &other, Number alpha = 1) const { return detail::Own()(tn_sub_alpha(get(), other.get(), alpha)); }
    AnyTensor &sub_alpha_(const AnyTensor &other, Number alpha = 1) { return did(tn_sub_alpha_(get(), other.get(), alpha)); }
    AnyTensor subtract_alpha(const AnyTensor &other, Number alpha = 1) const { return detail::Own()(tn_subtract_alpha(get(), other.get(), alpha)); }
    AnyTensor &subtract_alpha_(const AnyTensor &other, Number alpha = 1) { return did(tn_subtract_alpha_(get(), other.get(), alpha)); }
    AnyTensor rsub(const AnyTensor &other, Number alpha = 1) const { return detail::Own()(tn_rsub(get(), other.get(), alpha)); }
    AnyTensor rsub(Number other, Number alpha = 1) const { return detail::Own()(tn_rsub_scalar(get(), other, alpha)); }
    AnyTensor mul(const AnyTensor &other) const { return detail::Own()(tn_mul(get(), other.get())); }
    AnyTensor &mul_(const AnyTensor &other) { return did(tn_mul_(get(), other.get())); }
    AnyTensor multiply(const AnyTensor &other) const { return detail::Own()(tn_multiply(get(), other.get())); }
    AnyTensor &multiply_(const AnyTensor &other) { return did(tn_multiply_(get(), other.get())); }
    AnyTensor mul(Number other) const { return detail::Own()(tn_mul_scalar(get(), other)); }
    AnyTensor &mul_(Number other) { return did(tn_mul_scalar_(get(), other)); }
    AnyTensor multiply(Number other) const { return detail::Own()(tn_multiply_scalar(get(), other)); }
    AnyTensor &multiply_(Number other) { return did(tn_multiply_scalar_(get(), other)); }
    AnyTensor div(const AnyTensor &other) const { return detail::Own()(tn_div(get(), other.get())); }
    AnyTensor &div_(const AnyTensor &other) { return did(tn_div_(get(), other.get())); }
    AnyTensor true_divide(const AnyTensor &other) const { return detail::Own()(tn_true_divide(get(), other.get())); }
    AnyTensor &true_divide_(const AnyTensor &other) { return did(tn_true_divide_(get(), other.get())); }
    AnyTensor divide(const AnyTensor &other) const { return detail::Own()(tn_divide(get(), other.get())); }
    AnyTensor &divide_(const AnyTensor &other) { return did(tn_divide_(get(), other.get())); }
    AnyTensor div(Number other) const { return detail::Own()(tn_div_scalar(get(), other)); }
    AnyTensor &div_(Number other) { return did(tn_div_scalar_(get(), other)); }
    AnyTensor true_divide(Number other) const { return detail::Own()(tn_true_divide_scalar(get(), other)); }
    AnyTensor &true_divide_(Number other) { return did(tn_true_divide_scalar_(get(), other)); }
    AnyTensor divide(Number other) const { return detail::Own()(tn_divide_scalar(get(), other)); }
    AnyTensor &divide_(Number other) { return did(tn_divide_scalar_(get(), other)); }
    AnyTensor div(const AnyTensor &other, const char *rounding_mode) const { return detail::Own()(tn_div_mode(get(), other.get(), rounding_mode)); }
    AnyTensor &div_(const AnyTensor &other, const char *rounding_mode) { return did(tn_div_mode_(get(), other.get(), rounding_mode)); }
    AnyTensor divide(const AnyTensor &other, const char *rounding_mode) const { return detail::Own()(tn_divide_mode(get(), other.get(), rounding_mode)); }
    AnyTensor &divide_(const AnyTensor &other, const char *rounding_mode) { return did(tn_divide_mode_(get(), other.get(), rounding_mode)); }
    AnyTensor div(Number other, const char *rounding_mode) const { return detail::Own()(tn_div_scalar_mode(get(), other, rounding_mode)); }
    AnyTensor &div_(Number other, const char *rounding_mode) { return did(tn_div_scalar_mode_(get(), other, rounding_mode)); }
    AnyTensor divide(Number other, const char *rounding_mode) const { return detail::Own()(tn_divide_scalar_mode(get(), other, rounding_mode)); }
    AnyTensor &divide_(Number other, const char *rounding_mode) { return did(tn_divide_scalar_mode_(get(), other, rounding_mode)); }
    AnyTensor floor_divide(const AnyTensor &other) const { return detail::Own()(tn_floor_divide(get(), other.get())); }
    AnyTensor &floor_divide_(const AnyTensor &other) { return did(tn_floor_divide_(get(), other.get())); }
    AnyTensor floor_divide(Number other) const { return detail::Own()(tn_floor_divide_scalar(get(), other)); }
    AnyTensor &floor_divide_(Number other) { return did(tn_floor_divide_scalar_(get(), other)); }
    AnyTensor remainder(const AnyTensor &other) const { return detail::Own()(tn_remainder(get(), other.get())); }
    AnyTensor &remainder_(const AnyTensor &other) { return did(tn_remainder_(get(), other.get())); }
    AnyTensor remainder(Number other) const { return detail::Own()(tn_remainder_scalar(get(), other)); }
    AnyTensor &remainder_(Number other) { return did(tn_remainder_scalar_(get(), other)); }
    AnyTensor fmod(const AnyTensor &other) const { return detail::Own()(tn_fmod(get(), other.get())); }
    AnyTensor &fmod_(const AnyTensor &other) { return did(tn_fmod_(get(), other.get())); }
    AnyTensor fmod(Number other) const { return detail::Own()(tn_fmod_scalar(get(), other)); }
    AnyTensor &fmod_(Number other) { return did(tn_fmod_scalar_(get(), other)); }
    AnyTensor neg() const { return detail::Own()(tn_neg(get())); }
    AnyTensor &neg_() { return did(tn_neg_(get())); }
    AnyTensor negative() const { return detail::Own()(tn_negative(get())); }
    AnyTensor &negative_() { return did(tn_negative_(get())); }
    AnyTensor abs() const { return detail::Own()(tn_abs(get())); }
    AnyTensor &abs_() { return did(tn_abs_(get())); }
    AnyTensor absolute() const { return detail::Own()(tn_absolute(get())); }
    AnyTensor &absolute_() { return did(tn_absolute_(get())); }
    AnyTensor sign() const { return detail::Own()(tn_sign(get())); }
    AnyTensor &sign_() { return did(tn_sign_(get())); }
    AnyTensor sgn() const { return detail::Own()(tn_sgn(get())); }
    AnyTensor &sgn_() { return did(tn_sgn_(get())); }
    AnyTensor square() const { return detail::Own()(tn_square(get())); }
    AnyTensor &square_() { return did(tn_square_(get())); }
    AnyTensor reciprocal() const { return detail::Own()(tn_reciprocal(get())); }
    AnyTensor &reciprocal_() { return did(tn_reciprocal_(get())); }
    AnyTensor sqrt() const { return detail::Own()(tn_sqrt(get())); }
    AnyTensor &sqrt_() { return did(tn_sqrt_(get())); }
    AnyTensor rsqrt() const { return detail::Own()(tn_rsqrt(get())); }
    AnyTensor &rsqrt_() { return did(tn_rsqrt_(get())); }
    AnyTensor cbrt() const { return detail::Own()(tn_cbrt(get())); }
    AnyTensor &cbrt_() { return did(tn_cbrt_(get())); }
    AnyTensor floor() const { return detail::Own()(tn_floor(get())); }
    AnyTensor &floor_() { return did(tn_floor_(get())); }
    AnyTensor ceil() const { return detail::Own()(tn_ceil(get())); }
    AnyTensor &ceil_() { return did(tn_ceil_(get())); }
    AnyTensor trunc() const { return detail::Own()(tn_trunc(get())); }
    AnyTensor &trunc_() { return did(tn_trunc_(get())); }
    AnyTensor fix() const { return detail::Own()(tn_fix(get())); }
    AnyTensor &fix_() { return did(tn_fix_(get())); }
    AnyTensor round() const { return detail::Own()(tn_round(get())); }
    AnyTensor &round_() { return did(tn_round_(get())); }
    AnyTensor round(int64_t decimals) const { return detail::Own()(tn_round_decimals(get(), decimals)); }
    AnyTensor &round_(int64_t decimals) { return did(tn_round_decimals_(get(), decimals)); }
    AnyTensor frac() const { return detail::Own()(tn_frac(get())); }
    AnyTensor &frac_() { return did(tn_frac_(get())); }
    AnyTensor maximum(const AnyTensor &other) const { return detail::Own()(tn_maximum(get(), other.get())); }
    AnyTensor maximum(Number other) const { return detail::Own()(tn_maximum_scalar(get(), other)); }
    AnyTensor minimum(const AnyTensor &other) const { return detail::Own()(tn_minimum(get(), other.get())); }
    AnyTensor minimum(Number other) const { return detail::Own()(tn_minimum_scalar(get(), other)); }
    AnyTensor fmax(const AnyTensor &other) const { return detail::Own()(tn_fmax(get(), other.get())); }
    AnyTensor fmax(Number other) const { return detail::Own()(tn_fmax_scalar(get(), other)); }
    AnyTensor fmin(const AnyTensor &other) const { return detail::Own()(tn_fmin(get(), other.get())); }
    AnyTensor fmin(Number other) const { return detail::Own()(tn_fmin_scalar(get(), other)); }
    AnyTensor clamp(Number min = Number::none(), Number max = Number::none()) const { return detail::Own()(tn_clamp(get(), min, max)); }
    AnyTensor &clamp_(Number min = Number::none(), Number max = Number::none()) { return did(tn_clamp_(get(), min, max)); }
    AnyTensor clip(Number min = Number::none(), Number max = Number::none()) const { return detail::Own()(tn_clip(get(), min, max)); }
    AnyTensor &clip_(Number min = Number::none(), Number max = Number::none()) { return did(tn_clip_(get(), min, max)); }
    AnyTensor clamp_tensor(const AnyTensor &min = AnyTensor(), const AnyTensor &max = AnyTensor()) const { return detail::Own()(tn_clamp_tensor(get(), min.get(), max.get())); }
    AnyTensor &clamp_tensor_(const AnyTensor &min = AnyTensor(), const AnyTensor &max = AnyTensor()) { return did(tn_clamp_tensor_(get(), min.get(), max.get())); }
    AnyTensor clip_tensor(const AnyTensor &min = AnyTensor(), const AnyTensor &max = AnyTensor()) const { return detail::Own()(tn_clip_tensor(get(), min.get(), max.get())); }
    AnyTensor &clip_tensor_(const AnyTensor &min = AnyTensor(), const AnyTensor &max = AnyTensor()) { return did(tn_clip_tensor_(get(), min.get(), max.get())); }
    AnyTensor clamp_min(Number min) const { return detail::Own()(tn_clamp_min(get(), min)); }
    AnyTensor &clamp_min_(Number min) { return did(tn_clamp_min_(get(), min)); }
    AnyTensor clamp_min(const AnyTensor &min) const { return detail::Own()(tn_clamp_min_tensor(get(), min.get())); }
    AnyTensor &clamp_min_(const AnyTensor &min) { return did(tn_clamp_min_tensor_(get(), min.get())); }
    AnyTensor clamp_max(Number max) const { return detail::Own()(tn_clamp_max(get(), max)); }
    AnyTensor &clamp_max_(Number max) { return did(tn_clamp_max_(get(), max)); }
    AnyTensor clamp_max(const AnyTensor &max) const { return detail::Own()(tn_clamp_max_tensor(get(), max.get())); }
    AnyTensor &clamp_max_(const AnyTensor &max) { return did(tn_clamp_max_tensor_(get(), max.get())); }
    AnyTensor lerp(const AnyTensor &end, const AnyTensor &weight) const { return detail::Own()(tn_lerp(get(), end.get(), weight.get())); }
    AnyTensor &lerp_(const AnyTensor &end, const AnyTensor &weight) { return did(tn_lerp_(get(), end.get(), weight.get())); }
    AnyTensor lerp(const AnyTensor &end, Number weight) const { return detail::Own()(tn_lerp_scalar(get(), end.get(), weight)); }
    AnyTensor &lerp_(const AnyTensor &end, Number weight) { return did(tn_lerp_scalar_(get(), end.get(), weight)); }
    AnyTensor addcmul(const AnyTensor &tensor1, const AnyTensor &tensor2, Number value = 1) const { return detail::Own()(tn_addcmul(get(), tensor1.get(), tensor2.get(), value)); }
    AnyTensor &addcmul_(const AnyTensor &tensor1, const AnyTensor &tensor2, Number value = 1) { return did(tn_addcmul_(get(), tensor1.get(), tensor2.get(), value)); }
    AnyTensor addcdiv(const AnyTensor &tensor1, const AnyTensor &tensor2, Number value = 1) const { return detail::Own()(tn_addcdiv(get(), tensor1.get(), tensor2.get(), value)); }
    AnyTensor &addcdiv_(const AnyTensor &tensor1, const AnyTensor &tensor2, Number value = 1) { return did(tn_addcdiv_(get(), tensor1.get(), tensor2.get(), value)); }
    AnyTensor gcd(const AnyTensor &other) const { return detail::Own()(tn_gcd(get(), other.get())); }
    AnyTensor &gcd_(const AnyTensor &other) { return did(tn_gcd_(get(), other.get())); }
    AnyTensor gcd(Number other) const { return detail::Own()(tn_gcd_scalar(get(), other)); }
    AnyTensor &gcd_(Number other) { return did(tn_gcd_scalar_(get(), other)); }
    AnyTensor lcm(const AnyTensor &other) const { return detail::Own()(tn_lcm(get(), other.get())); }
    AnyTensor &lcm_(const AnyTensor &other) { return did(tn_lcm_(get(), other.get())); }
    AnyTensor lcm(Number other) const { return detail::Own()(tn_lcm_scalar(get(), other)); }
    AnyTensor &lcm_(Number other) { return did(tn_lcm_scalar_(get(), other)); }
    AnyTensor copysign(const AnyTensor &other) const { return detail::Own()(tn_copysign(get(), other.get())); }
    AnyTensor &copysign_(const AnyTensor &other) { return did(tn_copysign_(get(), other.get())); }
    AnyTensor copysign(Number other) const { return detail::Own()(tn_copysign_scalar(get(), other)); }
    AnyTensor &copysign_(Number other) { return did(tn_copysign_scalar_(get(), other)); }
    AnyTensor nextafter(const AnyTensor &other) const { return detail::Own()(tn_nextafter(get(), other.get())); }
    AnyTensor &nextafter_(const AnyTensor &other) { return did(tn_nextafter_(get(), other.get())); }
    AnyTensor nextafter(Number other) const { return detail::Own()(tn_nextafter_scalar(get(), other)); }
    AnyTensor &nextafter_(Number other) { return did(tn_nextafter_scalar_(get(), other)); }
    AnyTensor heaviside(const AnyTensor &values) const { return detail::Own()(tn_heaviside(get(), values.get())); }
    AnyTensor &heaviside_(const AnyTensor &values) { return did(tn_heaviside_(get(), values.get())); }
    AnyTensor heaviside(Number values) const { return detail::Own()(tn_heaviside_scalar(get(), values)); }
    AnyTensor &heaviside_(Number values) { return did(tn_heaviside_scalar_(get(), values)); }
    AnyTensor deg2rad() const { return detail::Own()(tn_deg2rad(get())); }
    AnyTensor &deg2rad_() { return did(tn_deg2rad_(get())); }
    AnyTensor rad2deg() const { return detail::Own()(tn_rad2deg(get())); }
    AnyTensor &rad2deg_() { return did(tn_rad2deg_(get())); }
    AnyTensor nan_to_num(Number nan = Number::none(), Number posinf = Number::none(), Number neginf = Number::none()) const { return detail::Own()(tn_nan_to_num(get(), nan, posinf, neginf)); }
    AnyTensor &nan_to_num_(Number nan = Number::none(), Number posinf = Number::none(), Number neginf = Number::none()) { return did(tn_nan_to_num_(get(), nan, posinf, neginf)); }
    AnyTensor positive() const { return detail::Own()(tn_positive(get())); }
    AnyTensor pow(const AnyTensor &exponent) const { return detail::Own()(tn_pow(get(), exponent.get())); }
    AnyTensor &pow_(const AnyTensor &exponent) { return did(tn_pow_(get(), exponent.get())); }
    AnyTensor pow(Number exponent) const { return detail::Own()(tn_pow_scalar(get(), exponent)); }
    AnyTensor &pow_(Number exponent) { return did(tn_pow_scalar_(get(), exponent)); }

    /* math */
    AnyTensor exp() const { return detail::Own()(tn_exp(get())); }
    AnyTensor &exp_() { return did(tn_exp_(get())); }
    AnyTensor exp2() const { return detail::Own()(tn_exp2(get())); }
    AnyTensor &exp2_() { return did(tn_exp2_(get())); }
    AnyTensor expm1() const { return detail::Own()(tn_expm1(get())); }
    AnyTensor &expm1_() { return did(tn_expm1_(get())); }
    AnyTensor log() const { return detail::Own()(tn_log(get())); }
    AnyTensor &log_() { return did(tn_log_(get())); }
    AnyTensor log2() const { return detail::Own()(tn_log2(get())); }
    AnyTensor &log2_() { return did(tn_log2_(get())); }
    AnyTensor log10() const { return detail::Own()(tn_log10(get())); }
    AnyTensor &log10_() { return did(tn_log10_(get())); }
    AnyTensor log1p() const { return detail::Own()(tn_log1p(get())); }
    AnyTensor &log1p_() { return did(tn_log1p_(get())); }
    AnyTensor sin() const { return detail::Own()(tn_sin(get())); }
    AnyTensor &sin_() { return did(tn_sin_(get())); }
    AnyTensor cos() const { return detail::Own()(tn_cos(get())); }
    AnyTensor &cos_() { return did(tn_cos_(get())); }
    AnyTensor tan() const { return detail::Own()(tn_tan(get())); }
    AnyTensor &tan_() { return did(tn_tan_(get())); }
    AnyTensor asin() const { return detail::Own()(tn_asin(get())); }
    AnyTensor &asin_() { return did(tn_asin_(get())); }
    AnyTensor arcsin() const { return detail::Own()(tn_arcsin(get())); }
    AnyTensor &arcsin_() { return did(tn_arcsin_(get())); }
    AnyTensor acos() const { return detail::Own()(tn_acos(get())); }
    AnyTensor &acos_() { return did(tn_acos_(get())); }
    AnyTensor arccos() const { return detail::Own()(tn_arccos(get())); }
    AnyTensor &arccos_() { return did(tn_arccos_(get())); }
    AnyTensor atan() const { return detail::Own()(tn_atan(get())); }
    AnyTensor &atan_() { return did(tn_atan_(get())); }
    AnyTensor arctan() const { return detail::Own()(tn_arctan(get())); }
    AnyTensor &arctan_() { return did(tn_arctan_(get())); }
    AnyTensor atan2(const AnyTensor &other) const { return detail::Own()(tn_atan2(get(), other.get())); }
    AnyTensor &atan2_(const AnyTensor &other) { return did(tn_atan2_(get(), other.get())); }
    AnyTensor arctan2(const AnyTensor &other) const { return detail::Own()(tn_arctan2(get(), other.get())); }
    AnyTensor &arctan2_(const AnyTensor &other) { return did(tn_arctan2_(get(), other.get())); }
    AnyTensor atan2(Number other) const { return detail::Own()(tn_atan2_scalar(get(), other)); }
    AnyTensor &atan2_(Number other) { return did(tn_atan2_scalar_(get(), other)); }
    AnyTensor arctan2(Number other) const { return detail::Own()(tn_arctan2_scalar(get(), other)); }
    AnyTensor &arctan2_(Number other) { return did(tn_arctan2_scalar_(get(), other)); }
    AnyTensor sinh() const { return detail::Own()(tn_sinh(get())); }
    AnyTensor &sinh_() { return did(tn_sinh_(get())); }
    AnyTensor cosh() const { return detail::Own()(tn_cosh(get())); }
    AnyTensor &cosh_() { return did(tn_cosh_(get())); }
    AnyTensor tanh() const { return detail::Own()(tn_tanh(get())); }
    AnyTensor &tanh_() { return did(tn_tanh_(get())); }
    AnyTensor asinh() const { return detail::Own()(tn_asinh(get())); }
    AnyTensor &asinh_() { return did(tn_asinh_(get())); }
    AnyTensor arcsinh() const { return detail::Own()(tn_arcsinh(get())); }
    AnyTensor &arcsinh_() { return did(tn_arcsinh_(get())); }
    AnyTensor acosh() const { return detail::Own()(tn_acosh(get())); }
    AnyTensor &acosh_() { return did(tn_acosh_(get())); }
    AnyTensor arccosh() const { return detail::Own()(tn_arccosh(get())); }
    AnyTensor &arccosh_() { return did(tn_arccosh_(get())); }
    AnyTensor atanh() const { return detail::Own()(tn_atanh(get())); }
    AnyTensor &atanh_() { return did(tn_atanh_(get())); }
    AnyTensor arctanh() const { return detail::Own()(tn_arctanh(get())); }
    AnyTensor &arctanh_() { return did(tn_arctanh_(get())); }
    AnyTensor sinc() const { return detail::Own()(tn_sinc(get())); }
    AnyTensor &sinc_() { return did(tn_sinc_(get())); }
    AnyTensor erf() const { return detail::Own()(tn_erf(get())); }
    AnyTensor &erf_() { return did(tn_erf_(get())); }
    AnyTensor erfc() const { return detail::Own()(tn_erfc(get())); }
    AnyTensor &erfc_() { return did(tn_erfc_(get())); }
    AnyTensor erfinv() const { return detail::Own()(tn_erfinv(get())); }
    AnyTensor &erfinv_() { return did(tn_erfinv_(get())); }
    AnyTensor lgamma() const { return detail::Own()(tn_lgamma(get())); }
    AnyTensor &lgamma_() { return did(tn_lgamma_(get())); }
    AnyTensor digamma() const { return detail::Own()(tn_digamma(get())); }
    AnyTensor &digamma_() { return did(tn_digamma_(get())); }
    AnyTensor i0() const { return detail::Own()(tn_i0(get())); }
    AnyTensor &i0_() { return did(tn_i0_(get())); }
    AnyTensor sigmoid() const { return detail::Own()(tn_sigmoid(get())); }
    AnyTensor &sigmoid_() { return did(tn_sigmoid_(get())); }
    AnyTensor logit() const { return detail::Own()(tn_logit(get())); }
    AnyTensor &logit_() { return did(tn_logit_(get())); }
    AnyTensor logit(double eps) const { return detail::Own()(tn_logit_eps(get(), eps)); }
    AnyTensor &logit_(double eps) { return did(tn_logit_eps_(get(), eps)); }
    AnyTensor hypot(const AnyTensor &other) const { return detail::Own()(tn_hypot(get(), other.get())); }
    AnyTensor &hypot_(const AnyTensor &other) { return did(tn_hypot_(get(), other.get())); }
    AnyTensor hypot(Number other) const { return detail::Own()(tn_hypot_scalar(get(), other)); }
    AnyTensor &hypot_(Number other) { return did(tn_hypot_scalar_(get(), other)); }
    AnyTensor ldexp(const AnyTensor &other) const { return detail::Own()(tn_ldexp(get(), other.get())); }
    AnyTensor &ldexp_(const AnyTensor &other) { return did(tn_ldexp_(get(), other.get())); }
    AnyTensor ldexp(Number other) const { return detail::Own()(tn_ldexp_scalar(get(), other)); }
    AnyTensor &ldexp_(Number other) { return did(tn_ldexp_scalar_(get(), other)); }
    MantissaExponent<> frexp() const { return detail::Own().template named<MantissaExponent<>, 2>(tn_frexp(get())); }
    AnyTensor logaddexp(const AnyTensor &other) const { return detail::Own()(tn_logaddexp(get(), other.get())); }
    AnyTensor logaddexp(Number other) const { return detail::Own()(tn_logaddexp_scalar(get(), other)); }
    AnyTensor logaddexp2(const AnyTensor &other) const { return detail::Own()(tn_logaddexp2(get(), other.get())); }
    AnyTensor logaddexp2(Number other) const { return detail::Own()(tn_logaddexp2_scalar(get(), other)); }
    AnyTensor xlogy(const AnyTensor &other) const { return detail::Own()(tn_xlogy(get(), other.get())); }
    AnyTensor &xlogy_(const AnyTensor &other) { return did(tn_xlogy_(get(), other.get())); }
    AnyTensor xlogy(Number other) const { return detail::Own()(tn_xlogy_scalar(get(), other)); }
    AnyTensor &xlogy_(Number other) { return did(tn_xlogy_scalar_(get(), other)); }
    AnyTensor float_power(const AnyTensor &exponent) const { return detail::Own()(tn_float_power(get(), exponent.get())); }
    AnyTensor &float_power_(const AnyTensor &exponent) { return did(tn_float_power_(get(), exponent.get())); }
    AnyTensor float_power(Number exponent) const { return detail::Own()(tn_float_power_scalar(get(), exponent)); }
    AnyTensor &float_power_(Number exponent) { return did(tn_float_power_scalar_(get(), exponent)); }

    /* activation */
    AnyTensor relu() const { return detail::Own()(tn_relu(get())); }
    AnyTensor &relu_() { return did(tn_relu_(get())); }
    AnyTensor relu6() const { return detail::Own()(tn_relu6(get())); }
    AnyTensor &relu6_() { return did(tn_relu6_(get())); }
    AnyTensor leaky_relu() const { return detail::Own()(tn_leaky_relu(get())); }
    AnyTensor &leaky_relu_() { return did(tn_leaky_relu_(get())); }
    AnyTensor leaky_relu_slope(Number negative_slope = 0.01) const { return detail::Own()(tn_leaky_relu_slope(get(), negative_slope)); }
    AnyTensor &leaky_relu_slope_(Number negative_slope = 0.01) { return did(tn_leaky_relu_slope_(get(), negative_slope)); }
    AnyTensor elu() const { return detail::Own()(tn_elu(get())); }
    AnyTensor &elu_() { return did(tn_elu_(get())); }
    AnyTensor elu_alpha(Number alpha = 1, Number scale = 1, Number input_scale = 1) const { return detail::Own()(tn_elu_alpha(get(), alpha, scale, input_scale)); }
    AnyTensor &elu_alpha_(Number alpha = 1, Number scale = 1, Number input_scale = 1) { return did(tn_elu_alpha_(get(), alpha, scale, input_scale)); }
    AnyTensor selu() const { return detail::Own()(tn_selu(get())); }
    AnyTensor &selu_() { return did(tn_selu_(get())); }
    AnyTensor celu() const { return detail::Own()(tn_celu(get())); }
    AnyTensor &celu_() { return did(tn_celu_(get())); }
    AnyTensor celu_alpha(Number alpha = 1) const { return detail::Own()(tn_celu_alpha(get(), alpha)); }
    AnyTensor &celu_alpha_(Number alpha = 1) { return did(tn_celu_alpha_(get(), alpha)); }
    AnyTensor gelu() const { return detail::Own()(tn_gelu(get())); }
    AnyTensor &gelu_() { return did(tn_gelu_(get())); }
    AnyTensor gelu_backward(const AnyTensor &self) const { return detail::Own()(tn_gelu_backward(get(), self.get())); }
    AnyTensor gelu_approximate(const char *approximate = "none") const { return detail::Own()(tn_gelu_approximate(get(), approximate)); }
    AnyTensor &gelu_approximate_(const char *approximate = "none") { return did(tn_gelu_approximate_(get(), approximate)); }
    AnyTensor silu() const { return detail::Own()(tn_silu(get())); }
    AnyTensor &silu_() { return did(tn_silu_(get())); }
    AnyTensor mish() const { return detail::Own()(tn_mish(get())); }
    AnyTensor &mish_() { return did(tn_mish_(get())); }
    AnyTensor softplus() const { return detail::Own()(tn_softplus(get())); }
    AnyTensor softplus_beta(Number beta = 1, Number threshold = 20) const { return detail::Own()(tn_softplus_beta(get(), beta, threshold)); }
    AnyTensor logsigmoid() const { return detail::Own()(tn_logsigmoid(get())); }
    AnyTensor hardtanh() const { return detail::Own()(tn_hardtanh(get())); }
    AnyTensor &hardtanh_() { return did(tn_hardtanh_(get())); }
    AnyTensor hardtanh_range(Number min_val = -1, Number max_val = 1) const { return detail::Own()(tn_hardtanh_range(get(), min_val, max_val)); }
    AnyTensor &hardtanh_range_(Number min_val = -1, Number max_val = 1) { return did(tn_hardtanh_range_(get(), min_val, max_val)); }
    AnyTensor hardsigmoid() const { return detail::Own()(tn_hardsigmoid(get())); }
    AnyTensor &hardsigmoid_() { return did(tn_hardsigmoid_(get())); }
    AnyTensor hardswish() const { return detail::Own()(tn_hardswish(get())); }
    AnyTensor &hardswish_() { return did(tn_hardswish_(get())); }
    AnyTensor softsign() const { return detail::Own()(tn_softsign(get())); }
    AnyTensor tanhshrink() const { return detail::Own()(tn_tanhshrink(get())); }
    AnyTensor threshold(Number threshold, Number value) const { return detail::Own()(tn_threshold(get(), threshold, value)); }
    AnyTensor &threshold_(Number threshold, Number value) { return did(tn_threshold_(get(), threshold, value)); }
    AnyTensor hardshrink(Number lambd = 0.5) const { return detail::Own()(tn_hardshrink(get(), lambd)); }
    AnyTensor softshrink(Number lambd = 0.5) const { return detail::Own()(tn_softshrink(get(), lambd)); }
    AnyTensor glu(int64_t dim = -1) const { return detail::Own()(tn_glu(get(), dim)); }
    AnyTensor prelu(const AnyTensor &weight) const { return detail::Own()(tn_prelu(get(), weight.get())); }
    AnyTensor rrelu(Number lower = 0.125, Number upper = 0.3333333333333333, bool training = false, tn_generator *generator = nullptr) const { return detail::Own()(tn_rrelu(get(), lower, upper, training, generator)); }
    AnyTensor &rrelu_(Number lower = 0.125, Number upper = 0.3333333333333333, bool training = false, tn_generator *generator = nullptr) { return did(tn_rrelu_(get(), lower, upper, training, generator)); }
    AnyTensor rrelu_with_noise(const AnyTensor &noise, Number lower = 0.125, Number upper = 0.3333333333333333, bool training = false, tn_generator *generator = nullptr) const { return detail::Own()(tn_rrelu_with_noise(get(), noise.get(), lower, upper, training, generator)); }

    /* complex */
    AnyTensor conj() const { return detail::Own()(tn_conj(get())); }
    AnyTensor conj_physical() const { return detail::Own()(tn_conj_physical(get())); }
    AnyTensor &conj_physical_() { return did(tn_conj_physical_(get())); }
    AnyTensor angle() const { return detail::Own()(tn_angle(get())); }
    AnyTensor complex(const AnyTensor &imag) const { return detail::Own()(tn_complex(get(), imag.get())); }
    AnyTensor polar(const AnyTensor &angle) const { return detail::Own()(tn_polar(get(), angle.get())); }

    /* copy */
    AnyTensor clone(tn_memory_format format = TN_PRESERVE) const { return detail::Own()(tn_clone(get(), format)); }
    AnyTensor contiguous(tn_memory_format format = TN_CONTIGUOUS) const { return detail::Own()(tn_contiguous(get(), format)); }
    AnyTensor to(tn_dtype dtype) const { return detail::Own()(tn_to(get(), dtype)); }
    AnyTensor to(tn_device device) const { return detail::Own()(tn_to_device(get(), device)); }
    AnyTensor to(tn_dtype dtype, tn_device device, bool copy, tn_memory_format format) const { return detail::Own()(tn_to_options(get(), dtype, device, copy, format)); }
    AnyTensor _to_copy(tn_dtype dtype = TN_DTYPE_DEFAULT) const { return detail::Own()(tn__to_copy(get(), dtype)); }
    AnyTensor &copy_(const AnyTensor &source) { return did(tn_copy_(get(), source.get())); }
    AnyTensor fill(Number value) const { return detail::Own()(tn_fill(get(), value)); }
    AnyTensor &fill_(Number value) { return did(tn_fill_(get(), value)); }
    AnyTensor fill(const AnyTensor &value) const { return detail::Own()(tn_fill_tensor(get(), value.get())); }
    AnyTensor &fill_(const AnyTensor &value) { return did(tn_fill_tensor_(get(), value.get())); }
    AnyTensor zero() const { return detail::Own()(tn_zero(get())); }
    AnyTensor &zero_() { return did(tn_zero_(get())); }

    /* join */
    AnyTensor combinations(int64_t r = 2, bool with_replacement = false) const { return detail::Own()(tn_combinations(get(), r, with_replacement)); }

    /* move */
    AnyTensor repeat(Dims repeats) const { return detail::Own()(tn_repeat(get(), repeats)); }
    AnyTensor tile(Dims dims) const { return detail::Own()(tn_tile(get(), dims)); }
    AnyTensor repeat_interleave(int64_t repeats, int64_t dim = TN_NONE, int64_t output_size = TN_NONE) const { return detail::Own()(tn_repeat_interleave(get(), repeats, dim, output_size)); }
    AnyTensor repeat_interleave(const AnyTensor &repeats, int64_t dim = TN_NONE, int64_t output_size = TN_NONE) const { return detail::Own()(tn_repeat_interleave_tensor(get(), repeats.get(), dim, output_size)); }
    AnyTensor repeat_interleave_counts(int64_t output_size = TN_NONE) const { return detail::Own()(tn_repeat_interleave_counts(get(), output_size)); }
    AnyTensor roll(Dims shifts, Dims dims = Dims()) const { return detail::Own()(tn_roll(get(), shifts, dims)); }
    AnyTensor pad(Dims pad, const char *mode = "constant", Number value = Number::none()) const { return detail::Own()(tn_pad(get(), pad, mode, value)); }
    AnyTensor reflection_pad1d(Dims padding) const { return detail::Own()(tn_reflection_pad1d(get(), padding)); }
    AnyTensor reflection_pad2d(Dims padding) const { return detail::Own()(tn_reflection_pad2d(get(), padding)); }
    AnyTensor reflection_pad3d(Dims padding) const { return detail::Own()(tn_reflection_pad3d(get(), padding)); }
    AnyTensor replication_pad1d(Dims padding) const { return detail::Own()(tn_replication_pad1d(get(), padding)); }
    AnyTensor replication_pad2d(Dims padding) const { return detail::Own()(tn_replication_pad2d(get(), padding)); }
    AnyTensor replication_pad3d(Dims padding) const { return detail::Own()(tn_replication_pad3d(get(), padding)); }
    AnyTensor constant_pad_nd(Dims pad, Number value = 0) const { return detail::Own()(tn_constant_pad_nd(get(), pad, value)); }
    AnyTensor tril(int64_t diagonal = 0) const { return detail::Own()(tn_tril(get(), diagonal)); }
    AnyTensor &tril_(int64_t diagonal = 0) { return did(tn_tril_(get(), diagonal)); }
    AnyTensor triu(int64_t diagonal = 0) const { return detail::Own()(tn_triu(get(), diagonal)); }
    AnyTensor &triu_(int64_t diagonal = 0) { return did(tn_triu_(get(), diagonal)); }
    AnyTensor diag(int64_t diagonal = 0) const { return detail::Own()(tn_diag(get(), diagonal)); }
    AnyTensor diag_embed(int64_t offset = 0, int64_t dim1 = -2, int64_t dim2 = -1) const { return detail::Own()(tn_diag_embed(get(), offset, dim1, dim2)); }
    AnyTensor diagflat(int64_t offset = 0) const { return detail::Own()(tn_diagflat(get(), offset)); }
    AnyTensor outer(const AnyTensor &vec2) const { return detail::Own()(tn_outer(get(), vec2.get())); }
    AnyTensor ger(const AnyTensor &vec2) const { return detail::Own()(tn_ger(get(), vec2.get())); }
    AnyTensor kron(const AnyTensor &other) const { return detail::Own()(tn_kron(get(), other.get())); }
    AnyTensor cross(const AnyTensor &other, int64_t dim = TN_NONE) const { return detail::Own()(tn_cross(get(), other.get(), dim)); }
    AnyTensor linalg_cross(const AnyTensor &other, int64_t dim = -1) const { return detail::Own()(tn_linalg_cross(get(), other.get(), dim)); }
    AnyTensor vander(int64_t N = TN_NONE, bool increasing = false) const { return detail::Own()(tn_vander(get(), N, increasing)); }
    AnyTensor linalg_vander(int64_t N = TN_NONE) const { return detail::Own()(tn_linalg_vander(get(), N)); }
    AnyTensor renorm(Number p, int64_t dim, Number maxnorm) const { return detail::Own()(tn_renorm(get(), p, dim, maxnorm)); }
    AnyTensor &renorm_(Number p, int64_t dim, Number maxnorm) { return did(tn_renorm_(get(), p, dim, maxnorm)); }

    /* reduce */
    AnyTensor sum(tn_dtype dtype = TN_DTYPE_DEFAULT) const { return detail::Own()(tn_sum(get(), dtype)); }
    AnyTensor sum(Dims dim, bool keepdim = false, tn_dtype dtype = TN_DTYPE_DEFAULT) const { return detail::Own()(tn_sum_dim(get(), dim, keepdim, dtype)); }
    AnyTensor nansum(Dims dim = Dims(), bool keepdim = false, tn_dtype dtype = TN_DTYPE_DEFAULT) const { return detail::Own()(tn_nansum(get(), dim, keepdim, dtype)); }
    AnyTensor mean(tn_dtype dtype = TN_DTYPE_DEFAULT) const { return detail::Own()(tn_mean(get(), dtype)); }
    AnyTensor mean(Dims dim, bool keepdim = false, tn_dtype dtype = TN_DTYPE_DEFAULT) const { return detail::Own()(tn_mean_dim(get(), dim, keepdim, dtype)); }
    AnyTensor nanmean(Dims dim = Dims(), bool keepdim = false, tn_dtype dtype = TN_DTYPE_DEFAULT) const { return detail::Own()(tn_nanmean(get(), dim, keepdim, dtype)); }
    AnyTensor prod(tn_dtype dtype = TN_DTYPE_DEFAULT) const { return detail::Own()(tn_prod(get(), dtype)); }
    AnyTensor prod(int64_t dim, bool keepdim = false, tn_dtype dtype = TN_DTYPE_DEFAULT) const { return detail::Own()(tn_prod_dim(get(), dim, keepdim, dtype)); }
    AnyTensor var(bool unbiased = true) const { return detail::Own()(tn_var(get(), unbiased)); }
    AnyTensor var(Dims dim, bool unbiased = true, bool keepdim = false) const { return detail::Own()(tn_var_dim(get(), dim, unbiased, keepdim)); }
    AnyTensor var_correction(Dims dim = Dims(), Number correction = Number::none(), bool keepdim = false) const { return detail::Own()(tn_var_correction(get(), dim, correction, keepdim)); }
    VarMean<> var_mean(bool unbiased = true) const { return detail::Own().template named<VarMean<>, 2>(tn_var_mean(get(), unbiased)); }
    VarMean<> var_mean(Dims dim, bool unbiased = true, bool keepdim = false) const { return detail::Own().template named<VarMean<>, 2>(tn_var_mean_dim(get(), dim, unbiased, keepdim)); }
    VarMean<> var_mean_correction(Dims dim = Dims(), Number correction = Number::none(), bool keepdim = false) const { return detail::Own().template named<VarMean<>, 2>(tn_var_mean_correction(get(), dim, correction, keepdim)); }
    AnyTensor std(bool unbiased = true) const { return detail::Own()(tn_std(get(), unbiased)); }
    AnyTensor std(Dims dim, bool unbiased = true, bool keepdim = false) const { return detail::Own()(tn_std_dim(get(), dim, unbiased, keepdim)); }
    AnyTensor std_correction(Dims dim = Dims(), Number correction = Number::none(), bool keepdim = false) const { return detail::Own()(tn_std_correction(get(), dim, correction, keepdim)); }
    StdMean<> std_mean(bool unbiased = true) const { return detail::Own().template named<StdMean<>, 2>(tn_std_mean(get(), unbiased)); }
    StdMean<> std_mean(Dims dim, bool unbiased = true, bool keepdim = false) const { return detail::Own().template named<StdMean<>, 2>(tn_std_mean_dim(get(), dim, unbiased, keepdim)); }
    StdMean<> std_mean_correction(Dims dim = Dims(), Number correction = Number::none(), bool keepdim = false) const { return detail::Own().template named<StdMean<>, 2>(tn_std_mean_correction(get(), dim, correction, keepdim)); }
    AnyTensor amax(Dims dim = Dims(), bool keepdim = false) const { return detail::Own()(tn_amax(get(), dim, keepdim)); }
    AnyTensor amin(Dims dim = Dims(), bool keepdim = false) const { return detail::Own()(tn_amin(get(), dim, keepdim)); }
    MinMax<> aminmax(int64_t dim = TN_NONE, bool keepdim = false) const { return detail::Own().template named<MinMax<>, 2>(tn_aminmax(get(), dim, keepdim)); }
    AnyTensor max() const { return detail::Own()(tn_max(get())); }
    ValuesIndices<> max(int64_t dim, bool keepdim = false) const { return detail::Own().template named<ValuesIndices<>, 2>(tn_max_dim(get(), dim, keepdim)); }
    AnyTensor max(const AnyTensor &other) const { return detail::Own()(tn_max_other(get(), other.get())); }
    AnyTensor min() const { return detail::Own()(tn_min(get())); }
    ValuesIndices<> min(int64_t dim, bool keepdim = false) const { return detail::Own().template named<ValuesIndices<>, 2>(tn_min_dim(get(), dim, keepdim)); }
    AnyTensor min(const AnyTensor &other) const { return detail::Own()(tn_min_other(get(), other.get())); }
    AnyTensor argmax(int64_t dim = TN_NONE, bool keepdim = false) const { return detail::Own()(tn_argmax(get(), dim, keepdim)); }
    AnyTensor argmin(int64_t dim = TN_NONE, bool keepdim = false) const { return detail::Own()(tn_argmin(get(), dim, keepdim)); }
    AnyTensor any() const { return detail::Own()(tn_any(get())); }
    AnyTensor any(int64_t dim, bool keepdim = false) const { return detail::Own()(tn_any_dim(get(), dim, keepdim)); }
    AnyTensor any_dims(Dims dim = Dims(), bool keepdim = false) const { return detail::Own()(tn_any_dims(get(), dim, keepdim)); }
    AnyTensor all() const { return detail::Own()(tn_all(get())); }
    AnyTensor all(int64_t dim, bool keepdim = false) const { return detail::Own()(tn_all_dim(get(), dim, keepdim)); }
    AnyTensor all_dims(Dims dim = Dims(), bool keepdim = false) const { return detail::Own()(tn_all_dims(get(), dim, keepdim)); }
    AnyTensor norm(Number p = 2) const { return detail::Own()(tn_norm(get(), p)); }
    AnyTensor norm_dim(Number p = Number::none(), Dims dim = Dims(), bool keepdim = false, tn_dtype dtype = TN_DTYPE_DEFAULT) const { return detail::Own()(tn_norm_dim(get(), p, dim, keepdim, dtype)); }
    AnyTensor linalg_vector_norm(Number ord = 2, Dims dim = Dims(), bool keepdim = false, tn_dtype dtype = TN_DTYPE_DEFAULT) const { return detail::Own()(tn_linalg_vector_norm(get(), ord, dim, keepdim, dtype)); }
    AnyTensor logsumexp(Dims dim, bool keepdim = false) const { return detail::Own()(tn_logsumexp(get(), dim, keepdim)); }
    AnyTensor count_nonzero(int64_t dim = TN_NONE) const { return detail::Own()(tn_count_nonzero(get(), dim)); }
    AnyTensor count_nonzero(Dims dim) const { return detail::Own()(tn_count_nonzero_dims(get(), dim)); }
    AnyTensor dist(const AnyTensor &other, Number p = 2) const { return detail::Own()(tn_dist(get(), other.get(), p)); }
    AnyTensor sum_to_size(Dims size) const { return detail::Own()(tn_sum_to_size(get(), size)); }
    AnyTensor segment_reduce(const char *reduce, const AnyTensor &lengths = AnyTensor(), const AnyTensor &indices = AnyTensor(), const AnyTensor &offsets = AnyTensor(), int64_t axis = 0, bool unsafe = false, Number initial = Number::none()) const { return detail::Own()(tn_segment_reduce(get(), reduce, lengths.get(), indices.get(), offsets.get(), axis, unsafe, initial)); }

    /* statistics */
    AnyTensor diff(int64_t n = 1, int64_t dim = -1, const AnyTensor &prepend = AnyTensor(), const AnyTensor &append = AnyTensor()) const { return detail::Own()(tn_diff(get(), n, dim, prepend.get(), append.get())); }
    std::vector<AnyTensor> gradient(Floats spacing, Dims dim = Dims(), int64_t edge_order = 1) const { return detail::Own().all(tn_gradient(get(), spacing, dim, edge_order)); }
    std::vector<AnyTensor> gradient(TensorList spacing, Dims dim = Dims(), int64_t edge_order = 1) const { return detail::Own().all(tn_gradient_coordinates(get(), spacing.items(), spacing.count(), dim, edge_order)); }
    AnyTensor trapezoid(Number dx = 1, int64_t dim = -1) const { return detail::Own()(tn_trapezoid(get(), dx, dim)); }
    AnyTensor trapezoid(const AnyTensor &x, int64_t dim = -1) const { return detail::Own()(tn_trapezoid_x(get(), x.get(), dim)); }
    AnyTensor trapz(const AnyTensor &x, int64_t dim = -1) const { return detail::Own()(tn_trapz_x(get(), x.get(), dim)); }
    AnyTensor trapz(double dx = 1, int64_t dim = -1) const { return detail::Own()(tn_trapz(get(), dx, dim)); }
    AnyTensor cumulative_trapezoid(Number dx = 1, int64_t dim = -1) const { return detail::Own()(tn_cumulative_trapezoid(get(), dx, dim)); }
    AnyTensor cumulative_trapezoid(const AnyTensor &x, int64_t dim = -1) const { return detail::Own()(tn_cumulative_trapezoid_x(get(), x.get(), dim)); }
    AnyTensor cov(int64_t correction = 1, const AnyTensor &fweights = AnyTensor(), const AnyTensor &aweights = AnyTensor()) const { return detail::Own()(tn_cov(get(), correction, fweights.get(), aweights.get())); }
    AnyTensor corrcoef() const { return detail::Own()(tn_corrcoef(get())); }
    AnyTensor cdist(const AnyTensor &x2, double p = 2) const { return detail::Own()(tn_cdist(get(), x2.get(), p)); }
    AnyTensor _cdist_forward(const AnyTensor &x2, double p = 2) const { return detail::Own()(tn__cdist_forward(get(), x2.get(), p)); }
    AnyTensor cdist(const AnyTensor &x2, double p, const char *compute_mode) const { return detail::Own()(tn_cdist_compute_mode(get(), x2.get(), p, compute_mode)); }
    AnyTensor pdist(double p = 2) const { return detail::Own()(tn_pdist(get(), p)); }
    AnyTensor _pdist_forward(double p = 2) const { return detail::Own()(tn__pdist_forward(get(), p)); }
    AnyTensor cosine_similarity(const AnyTensor &x2, int64_t dim = 1, double eps = 1e-8) const { return detail::Own()(tn_cosine_similarity(get(), x2.get(), dim, eps)); }
    AnyTensor pairwise_distance(const AnyTensor &x2, double p = 2, double eps = 1e-6, bool keepdim = false) const { return detail::Own()(tn_pairwise_distance(get(), x2.get(), p, eps, keepdim)); }

    /* compare */
    AnyTensor eq(const AnyTensor &other) const { return detail::Own()(tn_eq(get(), other.get())); }
    AnyTensor &eq_(const AnyTensor &other) { return did(tn_eq_(get(), other.get())); }
    AnyTensor eq(Number other) const { return detail::Own()(tn_eq_scalar(get(), other)); }
    AnyTensor &eq_(Number other) { return did(tn_eq_scalar_(get(), other)); }
    AnyTensor ne(const AnyTensor &other) const { return detail::Own()(tn_ne(get(), other.get())); }
    AnyTensor &ne_(const AnyTensor &other) { return did(tn_ne_(get(), other.get())); }
    AnyTensor not_equal(const AnyTensor &other) const { return detail::Own()(tn_not_equal(get(), other.get())); }
    AnyTensor &not_equal_(const AnyTensor &other) { return did(tn_not_equal_(get(), other.get())); }
    AnyTensor ne(Number other) const { return detail::Own()(tn_ne_scalar(get(), other)); }
    AnyTensor &ne_(Number other) { return did(tn_ne_scalar_(get(), other)); }
    AnyTensor not_equal(Number other) const { return detail::Own()(tn_not_equal_scalar(get(), other)); }
    AnyTensor &not_equal_(Number other) { return did(tn_not_equal_scalar_(get(), other)); }
    AnyTensor lt(const AnyTensor &other) const { return detail::Own()(tn_lt(get(), other.get())); }
    AnyTensor &lt_(const AnyTensor &other) { return did(tn_lt_(get(), other.get())); }
    AnyTensor less(const AnyTensor &other) const { return detail::Own()(tn_less(get(), other.get())); }
    AnyTensor &less_(const AnyTensor &other) { return did(tn_less_(get(), other.get())); }
    AnyTensor lt(Number other) const { return detail::Own()(tn_lt_scalar(get(), other)); }
    AnyTensor &lt_(Number other) { return did(tn_lt_scalar_(get(), other)); }
    AnyTensor less(Number other) const { return detail::Own()(tn_less_scalar(get(), other)); }
    AnyTensor &less_(Number other) { return did(tn_less_scalar_(get(), other)); }
    AnyTensor le(const AnyTensor &other) const { return detail::Own()(tn_le(get(), other.get())); }
    AnyTensor &le_(const AnyTensor &other) { return did(tn_le_(get(), other.get())); }
    AnyTensor less_equal(const AnyTensor &other) const { return detail::Own()(tn_less_equal(get(), other.get())); }
    AnyTensor &less_equal_(const AnyTensor &other) { return did(tn_less_equal_(get(), other.get())); }
    AnyTensor le(Number other) const { return detail::Own()(tn_le_scalar(get(), other)); }
    AnyTensor &le_(Number other) { return did(tn_le_scalar_(get(), other)); }
    AnyTensor less_equal(Number other) const { return detail::Own()(tn_less_equal_scalar(get(), other)); }
    AnyTensor &less_equal_(Number other) { return did(tn_less_equal_scalar_(get(), other)); }
    AnyTensor gt(const AnyTensor &other) const { return detail::Own()(tn_gt(get(), other.get())); }
    AnyTensor &gt_(const AnyTensor &other) { return did(tn_gt_(get(), other.get())); }
    AnyTensor greater(const AnyTensor &other) const { return detail::Own()(tn_greater(get(), other.get())); }
    AnyTensor &greater_(const AnyTensor &other) { return did(tn_greater_(get(), other.get())); }
    AnyTensor gt(Number other) const { return detail::Own()(tn_gt_scalar(get(), other)); }
    AnyTensor &gt_(Number other) { return did(tn_gt_scalar_(get(), other)); }
    AnyTensor greater(Number other) const { return detail::Own()(tn_greater_scalar(get(), other)); }
    AnyTensor &greater_(Number other) { return did(tn_greater_scalar_(get(), other)); }
    AnyTensor ge(const AnyTensor &other) const { return detail::Own()(tn_ge(get(), other.get())); }
    AnyTensor &ge_(const AnyTensor &other) { return did(tn_ge_(get(), other.get())); }
    AnyTensor greater_equal(const AnyTensor &other) const { return detail::Own()(tn_greater_equal(get(), other.get())); }
    AnyTensor &greater_equal_(const AnyTensor &other) { return did(tn_greater_equal_(get(), other.get())); }
    AnyTensor ge(Number other) const { return detail::Own()(tn_ge_scalar(get(), other)); }
    AnyTensor &ge_(Number other) { return did(tn_ge_scalar_(get(), other)); }
    AnyTensor greater_equal(Number other) const { return detail::Own()(tn_greater_equal_scalar(get(), other)); }
    AnyTensor &greater_equal_(Number other) { return did(tn_greater_equal_scalar_(get(), other)); }
    AnyTensor isclose(const AnyTensor &other, double rtol = 1e-05, double atol = 1e-08, bool equal_nan = false) const { return detail::Own()(tn_isclose(get(), other.get(), rtol, atol, equal_nan)); }
    AnyTensor isclose(Number other, double rtol = 1e-05, double atol = 1e-08, bool equal_nan = false) const { return detail::Own()(tn_isclose_scalar(get(), other, rtol, atol, equal_nan)); }
    bool equal(const AnyTensor &other) const { return detail::answer(tn_equal(get(), other.get())); }
    bool allclose(const AnyTensor &other, double rtol = 1e-05, double atol = 1e-08, bool equal_nan = false) const { return detail::answer(tn_allclose(get(), other.get(), rtol, atol, equal_nan)); }
    AnyTensor isnan() const { return detail::Own()(tn_isnan(get())); }
    AnyTensor isinf() const { return detail::Own()(tn_isinf(get())); }
    AnyTensor isfinite() const { return detail::Own()(tn_isfinite(get())); }
    AnyTensor isposinf() const { return detail::Own()(tn_isposinf(get())); }
    AnyTensor isneginf() const { return detail::Own()(tn_isneginf(get())); }
    AnyTensor isreal() const { return detail::Own()(tn_isreal(get())); }
    AnyTensor signbit() const { return detail::Own()(tn_signbit(get())); }

    /* logic */
    AnyTensor logical_and(const AnyTensor &other) const { return detail::Own()(tn_logical_and(get(), other.get())); }
    AnyTensor &logical_and_(const AnyTensor &other) { return did(tn_logical_and_(get(), other.get())); }
    AnyTensor logical_and(Number other) const { return detail::Own()(tn_logical_and_scalar(get(), other)); }
    AnyTensor &logical_and_(Number other) { return did(tn_logical_and_scalar_(get(), other)); }
    AnyTensor logical_or(const AnyTensor &other) const { return detail::Own()(tn_logical_or(get(), other.get())); }
    AnyTensor &logical_or_(const AnyTensor &other) { return did(tn_logical_or_(get(), other.get())); }
    AnyTensor logical_or(Number other) const { return detail::Own()(tn_logical_or_scalar(get(), other)); }
    AnyTensor &logical_or_(Number other) { return did(tn_logical_or_scalar_(get(), other)); }
    AnyTensor logical_xor(const AnyTensor &other) const { return detail::Own()(tn_logical_xor(get(), other.get())); }
    AnyTensor &logical_xor_(const AnyTensor &other) { return did(tn_logical_xor_(get(), other.get())); }
    AnyTensor logical_xor(Number other) const { return detail::Own()(tn_logical_xor_scalar(get(), other)); }
    AnyTensor &logical_xor_(Number other) { return did(tn_logical_xor_scalar_(get(), other)); }
    AnyTensor logical_not() const { return detail::Own()(tn_logical_not(get())); }
    AnyTensor &logical_not_() { return did(tn_logical_not_(get())); }
    AnyTensor bitwise_and(const AnyTensor &other) const { return detail::Own()(tn_bitwise_and(get(), other.get())); }
    AnyTensor &bitwise_and_(const AnyTensor &other) { return did(tn_bitwise_and_(get(), other.get())); }
    AnyTensor bitwise_and(Number other) const { return detail::Own()(tn_bitwise_and_scalar(get(), other)); }
    AnyTensor &bitwise_and_(Number other) { return did(tn_bitwise_and_scalar_(get(), other)); }
    AnyTensor bitwise_or(const AnyTensor &other) const { return detail::Own()(tn_bitwise_or(get(), other.get())); }
    AnyTensor &bitwise_or_(const AnyTensor &other) { return did(tn_bitwise_or_(get(), other.get())); }
    AnyTensor bitwise_or(Number other) const { return detail::Own()(tn_bitwise_or_scalar(get(), other)); }
    AnyTensor &bitwise_or_(Number other) { return did(tn_bitwise_or_scalar_(get(), other)); }
    AnyTensor bitwise_xor(const AnyTensor &other) const { return detail::Own()(tn_bitwise_xor(get(), other.get())); }
    AnyTensor &bitwise_xor_(const AnyTensor &other) { return did(tn_bitwise_xor_(get(), other.get())); }
    AnyTensor bitwise_xor(Number other) const { return detail::Own()(tn_bitwise_xor_scalar(get(), other)); }
    AnyTensor &bitwise_xor_(Number other) { return did(tn_bitwise_xor_scalar_(get(), other)); }
    AnyTensor bitwise_not() const { return detail::Own()(tn_bitwise_not(get())); }
    AnyTensor &bitwise_not_() { return did(tn_bitwise_not_(get())); }
    AnyTensor bitwise_left_shift(const AnyTensor &other) const { return detail::Own()(tn_bitwise_left_shift(get(), other.get())); }
    AnyTensor &bitwise_left_shift_(const AnyTensor &other) { return did(tn_bitwise_left_shift_(get(), other.get())); }
    AnyTensor bitwise_left_shift(Number other) const { return detail::Own()(tn_bitwise_left_shift_scalar(get(), other)); }
    AnyTensor &bitwise_left_shift_(Number other) { return did(tn_bitwise_left_shift_scalar_(get(), other)); }
    AnyTensor bitwise_right_shift(const AnyTensor &other) const { return detail::Own()(tn_bitwise_right_shift(get(), other.get())); }
    AnyTensor &bitwise_right_shift_(const AnyTensor &other) { return did(tn_bitwise_right_shift_(get(), other.get())); }
    AnyTensor bitwise_right_shift(Number other) const { return detail::Own()(tn_bitwise_right_shift_scalar(get(), other)); }
    AnyTensor &bitwise_right_shift_(Number other) { return did(tn_bitwise_right_shift_scalar_(get(), other)); }

    /* select */
    AnyTensor where(const AnyTensor &self, const AnyTensor &other) const { return detail::Own()(tn_where(get(), self.get(), other.get())); }
    AnyTensor where(Number self, const AnyTensor &other) const { return detail::Own()(tn_where_self_scalar(get(), self, other.get())); }
    AnyTensor where(const AnyTensor &self, Number other) const { return detail::Own()(tn_where_other_scalar(get(), self.get(), other)); }
    AnyTensor where(Number self, Number other) const { return detail::Own()(tn_where_scalars(get(), self, other)); }
    AnyTensor masked_fill(const AnyTensor &mask, Number value) const { return detail::Own()(tn_masked_fill(get(), mask.get(), value)); }
    AnyTensor &masked_fill_(const AnyTensor &mask, Number value) { return did(tn_masked_fill_(get(), mask.get(), value)); }
    AnyTensor masked_fill(const AnyTensor &mask, const AnyTensor &value) const { return detail::Own()(tn_masked_fill_tensor(get(), mask.get(), value.get())); }
    AnyTensor &masked_fill_(const AnyTensor &mask, const AnyTensor &value) { return did(tn_masked_fill_tensor_(get(), mask.get(), value.get())); }

    /* index */
    AnyTensor index(Indices index) const { return detail::Own()((tn_index)(get(), index)); }
    AnyTensor index(const char *index) const { return detail::Own()(tn_index_text(get(), index)); }
    AnyTensor &setitem_(Indices index, const AnyTensor &source) { return did(tn_setitem_(get(), index, source.get())); }
    AnyTensor &setitem_(Indices index, Number value) { return did(tn_setitem_scalar_(get(), index, value)); }
    AnyTensor &setitem_(const char *index, const AnyTensor &source) { return did(tn_setitem_text_(get(), index, source.get())); }
    AnyTensor &setitem_(const char *index, Number value) { return did(tn_setitem_text_scalar_(get(), index, value)); }
    AnyTensor index_put(Indices indices, const AnyTensor &values, bool accumulate = false) const { return detail::Own()(tn_index_put(get(), indices, values.get(), accumulate)); }
    AnyTensor &index_put_(Indices indices, const AnyTensor &values, bool accumulate = false) { return did(tn_index_put_(get(), indices, values.get(), accumulate)); }
    AnyTensor index_select(int64_t dim, const AnyTensor &index) const { return detail::Own()(tn_index_select(get(), dim, index.get())); }
    AnyTensor index_add(int64_t dim, const AnyTensor &index, const AnyTensor &source, Number alpha = 1) const { return detail::Own()(tn_index_add(get(), dim, index.get(), source.get(), alpha)); }
    AnyTensor &index_add_(int64_t dim, const AnyTensor &index, const AnyTensor &source, Number alpha = 1) { return did(tn_index_add_(get(), dim, index.get(), source.get(), alpha)); }
    AnyTensor index_copy(int64_t dim, const AnyTensor &index, const AnyTensor &source) const { return detail::Own()(tn_index_copy(get(), dim, index.get(), source.get())); }
    AnyTensor &index_copy_(int64_t dim, const AnyTensor &index, const AnyTensor &source) { return did(tn_index_copy_(get(), dim, index.get(), source.get())); }
    AnyTensor index_fill(int64_t dim, const AnyTensor &index, Number value) const { return detail::Own()(tn_index_fill(get(), dim, index.get(), value)); }
    AnyTensor &index_fill_(int64_t dim, const AnyTensor &index, Number value) { return did(tn_index_fill_(get(), dim, index.get(), value)); }
    AnyTensor index_fill(int64_t dim, const AnyTensor &index, const AnyTensor &value) const { return detail::Own()(tn_index_fill_tensor(get(), dim, index.get(), value.get())); }
    AnyTensor &index_fill_(int64_t dim, const AnyTensor &index, const AnyTensor &value) { return did(tn_index_fill_tensor_(get(), dim, index.get(), value.get())); }
    AnyTensor index_reduce(int64_t dim, const AnyTensor &index, const AnyTensor &source, const char *reduce, bool include_self = true) const { return detail::Own()(tn_index_reduce(get(), dim, index.get(), source.get(), reduce, include_self)); }
    AnyTensor &index_reduce_(int64_t dim, const AnyTensor &index, const AnyTensor &source, const char *reduce, bool include_self = true) { return did(tn_index_reduce_(get(), dim, index.get(), source.get(), reduce, include_self)); }
    AnyTensor gather(int64_t dim, const AnyTensor &index) const { return detail::Own()(tn_gather(get(), dim, index.get())); }
    AnyTensor take(const AnyTensor &index) const { return detail::Own()(tn_take(get(), index.get())); }
    AnyTensor take_along_dim(const AnyTensor &indices, int64_t dim = TN_NONE) const { return detail::Own()(tn_take_along_dim(get(), indices.get(), dim)); }
    AnyTensor scatter(int64_t dim, const AnyTensor &index, const AnyTensor &src) const { return detail::Own()(tn_scatter(get(), dim, index.get(), src.get())); }
    AnyTensor &scatter_(int64_t dim, const AnyTensor &index, const AnyTensor &src) { return did(tn_scatter_(get(), dim, index.get(), src.get())); }
    AnyTensor scatter(int64_t dim, const AnyTensor &index, Number value) const { return detail::Own()(tn_scatter_value(get(), dim, index.get(), value)); }
    AnyTensor &scatter_(int64_t dim, const AnyTensor &index, Number value) { return did(tn_scatter_value_(get(), dim, index.get(), value)); }
    AnyTensor scatter(int64_t dim, const AnyTensor &index, const AnyTensor &src, const char *reduce) const { return detail::Own()(tn_scatter_reduction(get(), dim, index.get(), src.get(), reduce)); }
    AnyTensor &scatter_(int64_t dim, const AnyTensor &index, const AnyTensor &src, const char *reduce) { return did(tn_scatter_reduction_(get(), dim, index.get(), src.get(), reduce)); }
    AnyTensor scatter(int64_t dim, const AnyTensor &index, Number value, const char *reduce) const { return detail::Own()(tn_scatter_value_reduction(get(), dim, index.get(), value, reduce)); }
    AnyTensor &scatter_(int64_t dim, const AnyTensor &index, Number value, const char *reduce) { return did(tn_scatter_value_reduction_(get(), dim, index.get(), value, reduce)); }
    AnyTensor scatter_add(int64_t dim, const AnyTensor &index, const AnyTensor &src) const { return detail::Own()(tn_scatter_add(get(), dim, index.get(), src.get())); }
    AnyTensor &scatter_add_(int64_t dim, const AnyTensor &index, const AnyTensor &src) { return did(tn_scatter_add_(get(), dim, index.get(), src.get())); }
    AnyTensor scatter_reduce(int64_t dim, const AnyTensor &index, const AnyTensor &src, const char *reduce, bool include_self = true) const { return detail::Own()(tn_scatter_reduce(get(), dim, index.get(), src.get(), reduce, include_self)); }
    AnyTensor &scatter_reduce_(int64_t dim, const AnyTensor &index, const AnyTensor &src, const char *reduce, bool include_self = true) { return did(tn_scatter_reduce_(get(), dim, index.get(), src.get(), reduce, include_self)); }
    AnyTensor put(const AnyTensor &index, const AnyTensor &source, bool accumulate = false) const { return detail::Own()(tn_put(get(), index.get(), source.get(), accumulate)); }
    AnyTensor &put_(const AnyTensor &index, const AnyTensor &source, bool accumulate = false) { return did(tn_put_(get(), index.get(), source.get(), accumulate)); }
    AnyTensor masked_select(const AnyTensor &mask) const { return detail::Own()(tn_masked_select(get(), mask.get())); }
    AnyTensor masked_scatter(const AnyTensor &mask, const AnyTensor &source) const { return detail::Own()(tn_masked_scatter(get(), mask.get(), source.get())); }
    AnyTensor &masked_scatter_(const AnyTensor &mask, const AnyTensor &source) { return did(tn_masked_scatter_(get(), mask.get(), source.get())); }
    AnyTensor select_scatter(const AnyTensor &src, int64_t dim, int64_t index) const { return detail::Own()(tn_select_scatter(get(), src.get(), dim, index)); }
    AnyTensor slice_scatter(const AnyTensor &src, int64_t dim = 0, int64_t start = TN_NONE, int64_t end = TN_NONE, int64_t step = 1) const { return detail::Own()(tn_slice_scatter(get(), src.get(), dim, start, end, step)); }
    AnyTensor diagonal_scatter(const AnyTensor &src, int64_t offset = 0, int64_t dim1 = 0, int64_t dim2 = 1) const { return detail::Own()(tn_diagonal_scatter(get(), src.get(), offset, dim1, dim2)); }
    AnyTensor as_strided_scatter(const AnyTensor &src, Dims size, Dims stride, int64_t storage_offset = TN_NONE) const { return detail::Own()(tn_as_strided_scatter(get(), src.get(), size, stride, storage_offset)); }
    AnyTensor embedding(const AnyTensor &indices, int64_t padding_idx = -1, bool scale_grad_by_freq = false, bool sparse = false) const { return detail::Own()(tn_embedding(get(), indices.get(), padding_idx, scale_grad_by_freq, sparse)); }
    AnyTensor one_hot(int64_t num_classes = -1) const { return detail::Own()(tn_one_hot(get(), num_classes)); }

    /* sort */
    ValuesIndices<> sort(int64_t dim = -1, bool descending = false) const { return detail::Own().template named<ValuesIndices<>, 2>(tn_sort(get(), dim, descending)); }
    ValuesIndices<> sort_stable(bool stable, int64_t dim = -1, bool descending = false) const { return detail::Own().template named<ValuesIndices<>, 2>(tn_sort_stable(get(), stable, dim, descending)); }
    AnyTensor argsort(int64_t dim = -1, bool descending = false) const { return detail::Own()(tn_argsort(get(), dim, descending)); }
    AnyTensor argsort_stable(bool stable, int64_t dim = -1, bool descending = false) const { return detail::Own()(tn_argsort_stable(get(), stable, dim, descending)); }
    AnyTensor msort() const { return detail::Own()(tn_msort(get())); }
    ValuesIndices<> topk(int64_t k, int64_t dim = -1, bool largest = true, bool sorted = true) const { return detail::Own().template named<ValuesIndices<>, 2>(tn_topk(get(), k, dim, largest, sorted)); }
    ValuesIndices<> kthvalue(int64_t k, int64_t dim = -1, bool keepdim = false) const { return detail::Own().template named<ValuesIndices<>, 2>(tn_kthvalue(get(), k, dim, keepdim)); }
    AnyTensor median() const { return detail::Own()(tn_median(get())); }
    ValuesIndices<> median(int64_t dim, bool keepdim = false) const { return detail::Own().template named<ValuesIndices<>, 2>(tn_median_dim(get(), dim, keepdim)); }
    AnyTensor nanmedian() const { return detail::Own()(tn_nanmedian(get())); }
    ValuesIndices<> nanmedian(int64_t dim, bool keepdim = false) const { return detail::Own().template named<ValuesIndices<>, 2>(tn_nanmedian_dim(get(), dim, keepdim)); }
    ValuesIndices<> mode(int64_t dim = -1, bool keepdim = false) const { return detail::Own().template named<ValuesIndices<>, 2>(tn_mode(get(), dim, keepdim)); }
    AnyTensor quantile(const AnyTensor &q, int64_t dim = TN_NONE, bool keepdim = false, const char *interpolation = "linear") const { return detail::Own()(tn_quantile(get(), q.get(), dim, keepdim, interpolation)); }
    AnyTensor quantile(double q, int64_t dim = TN_NONE, bool keepdim = false, const char *interpolation = "linear") const { return detail::Own()(tn_quantile_scalar(get(), q, dim, keepdim, interpolation)); }
    AnyTensor nanquantile(const AnyTensor &q, int64_t dim = TN_NONE, bool keepdim = false, const char *interpolation = "linear") const { return detail::Own()(tn_nanquantile(get(), q.get(), dim, keepdim, interpolation)); }
    AnyTensor nanquantile(double q, int64_t dim = TN_NONE, bool keepdim = false, const char *interpolation = "linear") const { return detail::Own()(tn_nanquantile_scalar(get(), q, dim, keepdim, interpolation)); }
    AnyTensor unique() const { return detail::Own()(tn_unique(get())); }
    std::vector<AnyTensor> unique_options(bool sorted = true, bool return_inverse = false, bool return_counts = false, int64_t dim = TN_NONE) const { return detail::Own().all(tn_unique_options(get(), sorted, return_inverse, return_counts, dim)); }
    AnyTensor unique_consecutive() const { return detail::Own()(tn_unique_consecutive(get())); }
    std::vector<AnyTensor> unique_consecutive_options(bool return_inverse = false, bool return_counts = false, int64_t dim = TN_NONE) const { return detail::Own().all(tn_unique_consecutive_options(get(), return_inverse, return_counts, dim)); }

    /* search */
    AnyTensor searchsorted(const AnyTensor &input, bool out_int32 = false, bool right = false, const char *side = "none", const AnyTensor &sorter = AnyTensor()) const { return detail::Own()(tn_searchsorted(get(), input.get(), out_int32, right, side, sorter.get())); }
    AnyTensor searchsorted(Number input, bool out_int32 = false, bool right = false, const char *side = "none", const AnyTensor &sorter = AnyTensor()) const { return detail::Own()(tn_searchsorted_scalar(get(), input, out_int32, right, side, sorter.get())); }
    AnyTensor bucketize(const AnyTensor &boundaries, bool out_int32 = false, bool right = false) const { return detail::Own()(tn_bucketize(get(), boundaries.get(), out_int32, right)); }
    AnyTensor isin(const AnyTensor &test_elements, bool assume_unique = false, bool invert = false) const { return detail::Own()(tn_isin(get(), test_elements.get(), assume_unique, invert)); }
    AnyTensor isin(Number test_element, bool assume_unique = false, bool invert = false) const { return detail::Own()(tn_isin_scalar(get(), test_element, assume_unique, invert)); }
    AnyTensor nonzero() const { return detail::Own()(tn_nonzero(get())); }
    AnyTensor nonzero_static(int64_t size, int64_t fill_value = -1) const { return detail::Own()(tn_nonzero_static(get(), size, fill_value)); }
    std::vector<AnyTensor> unravel_index(Dims shape) const { return detail::Own().all(tn_unravel_index(get(), shape)); }
    std::vector<AnyTensor> nonzero_numpy() const { return detail::Own().all(tn_nonzero_numpy(get())); }
    AnyTensor argwhere() const { return detail::Own()(tn_argwhere(get())); }
    AnyTensor histc(int64_t bins = 100, Number min = 0, Number max = 0) const { return detail::Own()(tn_histc(get(), bins, min, max)); }
    HistBinEdges<> histogram(int64_t bins = 100, const AnyTensor &weight = AnyTensor(), bool density = false) const { return detail::Own().template named<HistBinEdges<>, 2>(tn_histogram(get(), bins, weight.get(), density)); }
    HistBinEdges<> histogram(int64_t bins, Floats range, const AnyTensor &weight = AnyTensor(), bool density = false) const { return detail::Own().template named<HistBinEdges<>, 2>(tn_histogram_range(get(), bins, range, weight.get(), density)); }
    HistBinEdges<> histogram(const AnyTensor &bins, const AnyTensor &weight = AnyTensor(), bool density = false) const { return detail::Own().template named<HistBinEdges<>, 2>(tn_histogram_bins(get(), bins.get(), weight.get(), density)); }
    std::vector<AnyTensor> histogramdd(Dims bins, Floats range, const AnyTensor &weight = AnyTensor(), bool density = false) const { return detail::Own().all(tn_histogramdd(get(), bins, range, weight.get(), density)); }
    std::vector<AnyTensor> histogramdd(TensorList bins, const AnyTensor &weight = AnyTensor(), bool density = false) const { return detail::Own().all(tn_histogramdd_edges(get(), bins.items(), bins.count(), weight.get(), density)); }
    AnyTensor bincount(const AnyTensor &weights = AnyTensor(), int64_t minlength = 0) const { return detail::Own()(tn_bincount(get(), weights.get(), minlength)); }

    /* softmax */
    AnyTensor softmax(int64_t dim, tn_dtype dtype = TN_DTYPE_DEFAULT) const { return detail::Own()(tn_softmax(get(), dim, dtype)); }
    AnyTensor log_softmax(int64_t dim, tn_dtype dtype = TN_DTYPE_DEFAULT) const { return detail::Own()(tn_log_softmax(get(), dim, dtype)); }
    AnyTensor _softmax_backward_data(const AnyTensor &output, int64_t dim, tn_dtype input_dtype = TN_DTYPE_DEFAULT) const { return detail::Own()(tn__softmax_backward_data(get(), output.get(), dim, input_dtype)); }
    AnyTensor _log_softmax_backward_data(const AnyTensor &output, int64_t dim, tn_dtype input_dtype = TN_DTYPE_DEFAULT) const { return detail::Own()(tn__log_softmax_backward_data(get(), output.get(), dim, input_dtype)); }
    AnyTensor softmin(int64_t dim, tn_dtype dtype = TN_DTYPE_DEFAULT) const { return detail::Own()(tn_softmin(get(), dim, dtype)); }
    AnyTensor _softmax(int64_t dim, bool half_to_float) const { return detail::Own()(tn__softmax(get(), dim, half_to_float)); }
    AnyTensor _log_softmax(int64_t dim, bool half_to_float) const { return detail::Own()(tn__log_softmax(get(), dim, half_to_float)); }
    AnyTensor layer_norm(Dims normalized_shape, const AnyTensor &weight = AnyTensor(), const AnyTensor &bias = AnyTensor(), double eps = 0.00001) const { return detail::Own()(tn_layer_norm(get(), normalized_shape, weight.get(), bias.get(), eps)); }
    AnyTensor rms_norm(Dims normalized_shape, const AnyTensor &weight = AnyTensor(), Number eps = Number::none()) const { return detail::Own()(tn_rms_norm(get(), normalized_shape, weight.get(), eps)); }
    AnyTensor normalize(double p = 2, int64_t dim = 1, double eps = 0.000000000001) const { return detail::Own()(tn_normalize(get(), p, dim, eps)); }

    /* pooling */
    AnyTensor max_pool1d(Dims kernel_size, Dims stride = Dims(), Dims padding = Dims(), Dims dilation = Dims(), bool ceil_mode = false) const { return detail::Own()(tn_max_pool1d(get(), kernel_size, stride, padding, dilation, ceil_mode)); }
    AnyTensor max_pool2d(Dims kernel_size, Dims stride = Dims(), Dims padding = Dims(), Dims dilation = Dims(), bool ceil_mode = false) const { return detail::Own()(tn_max_pool2d(get(), kernel_size, stride, padding, dilation, ceil_mode)); }
    AnyTensor max_pool3d(Dims kernel_size, Dims stride = Dims(), Dims padding = Dims(), Dims dilation = Dims(), bool ceil_mode = false) const { return detail::Own()(tn_max_pool3d(get(), kernel_size, stride, padding, dilation, ceil_mode)); }
    ValuesIndices<> max_pool1d_with_indices(Dims kernel_size, Dims stride = Dims(), Dims padding = Dims(), Dims dilation = Dims(), bool ceil_mode = false) const { return detail::Own().template named<ValuesIndices<>, 2>(tn_max_pool1d_with_indices(get(), kernel_size, stride, padding, dilation, ceil_mode)); }
    ValuesIndices<> max_pool2d_with_indices(Dims kernel_size, Dims stride = Dims(), Dims padding = Dims(), Dims dilation = Dims(), bool ceil_mode = false) const { return detail::Own().template named<ValuesIndices<>, 2>(tn_max_pool2d_with_indices(get(), kernel_size, stride, padding, dilation, ceil_mode)); }
    ValuesIndices<> max_pool3d_with_indices(Dims kernel_size, Dims stride = Dims(), Dims padding = Dims(), Dims dilation = Dims(), bool ceil_mode = false) const { return detail::Own().template named<ValuesIndices<>, 2>(tn_max_pool3d_with_indices(get(), kernel_size, stride, padding, dilation, ceil_mode)); }
    AnyTensor max_pool2d_with_indices_backward(const AnyTensor &self, Dims kernel_size, Dims stride, Dims padding, Dims dilation, bool ceil_mode, const AnyTensor &indices) const { return detail::Own()(tn_max_pool2d_with_indices_backward(get(), self.get(), kernel_size, stride, padding, dilation, ceil_mode, indices.get())); }
    AnyTensor max_pool3d_with_indices_backward(const AnyTensor &self, Dims kernel_size, Dims stride, Dims padding, Dims dilation, bool ceil_mode, const AnyTensor &indices) const { return detail::Own()(tn_max_pool3d_with_indices_backward(get(), self.get(), kernel_size, stride, padding, dilation, ceil_mode, indices.get())); }
    AnyTensor avg_pool1d(Dims kernel_size, Dims stride = Dims(), Dims padding = Dims(), bool ceil_mode = false, bool count_include_pad = true) const { return detail::Own()(tn_avg_pool1d(get(), kernel_size, stride, padding, ceil_mode, count_include_pad)); }
    AnyTensor avg_pool2d(Dims kernel_size, Dims stride = Dims(), Dims padding = Dims(), bool ceil_mode = false, bool count_include_pad = true, int64_t divisor_override = TN_NONE) const { return detail::Own()(tn_avg_pool2d(get(), kernel_size, stride, padding, ceil_mode, count_include_pad, divisor_override)); }
    AnyTensor avg_pool3d(Dims kernel_size, Dims stride = Dims(), Dims padding = Dims(), bool ceil_mode = false, bool count_include_pad = true, int64_t divisor_override = TN_NONE) const { return detail::Own()(tn_avg_pool3d(get(), kernel_size, stride, padding, ceil_mode, count_include_pad, divisor_override)); }
    AnyTensor avg_pool2d_backward(const AnyTensor &self, Dims kernel_size, Dims stride, Dims padding, bool ceil_mode, bool count_include_pad, int64_t divisor_override = TN_NONE) const { return detail::Own()(tn_avg_pool2d_backward(get(), self.get(), kernel_size, stride, padding, ceil_mode, count_include_pad, divisor_override)); }
    AnyTensor avg_pool3d_backward(const AnyTensor &self, Dims kernel_size, Dims stride, Dims padding, bool ceil_mode, bool count_include_pad, int64_t divisor_override = TN_NONE) const { return detail::Own()(tn_avg_pool3d_backward(get(), self.get(), kernel_size, stride, padding, ceil_mode, count_include_pad, divisor_override)); }
    AnyTensor lp_pool1d(double norm_type, Dims kernel_size, Dims stride = Dims(), bool ceil_mode = false) const { return detail::Own()(tn_lp_pool1d(get(), norm_type, kernel_size, stride, ceil_mode)); }
    AnyTensor lp_pool2d(double norm_type, Dims kernel_size, Dims stride = Dims(), bool ceil_mode = false) const { return detail::Own()(tn_lp_pool2d(get(), norm_type, kernel_size, stride, ceil_mode)); }
    AnyTensor lp_pool3d(double norm_type, Dims kernel_size, Dims stride = Dims(), bool ceil_mode = false) const { return detail::Own()(tn_lp_pool3d(get(), norm_type, kernel_size, stride, ceil_mode)); }
    AnyTensor adaptive_avg_pool1d(Dims output_size) const { return detail::Own()(tn_adaptive_avg_pool1d(get(), output_size)); }
    AnyTensor adaptive_avg_pool2d(Dims output_size) const { return detail::Own()(tn_adaptive_avg_pool2d(get(), output_size)); }
    AnyTensor adaptive_avg_pool3d(Dims output_size) const { return detail::Own()(tn_adaptive_avg_pool3d(get(), output_size)); }
    AnyTensor _adaptive_avg_pool2d(Dims output_size) const { return detail::Own()(tn__adaptive_avg_pool2d(get(), output_size)); }
    AnyTensor _adaptive_avg_pool3d(Dims output_size) const { return detail::Own()(tn__adaptive_avg_pool3d(get(), output_size)); }
    AnyTensor _adaptive_avg_pool2d_backward(const AnyTensor &self) const { return detail::Own()(tn__adaptive_avg_pool2d_backward(get(), self.get())); }
    AnyTensor _adaptive_avg_pool3d_backward(const AnyTensor &self) const { return detail::Own()(tn__adaptive_avg_pool3d_backward(get(), self.get())); }
    ValuesIndices<> adaptive_max_pool1d(Dims output_size) const { return detail::Own().template named<ValuesIndices<>, 2>(tn_adaptive_max_pool1d(get(), output_size)); }
    ValuesIndices<> adaptive_max_pool2d(Dims output_size) const { return detail::Own().template named<ValuesIndices<>, 2>(tn_adaptive_max_pool2d(get(), output_size)); }
    ValuesIndices<> adaptive_max_pool3d(Dims output_size) const { return detail::Own().template named<ValuesIndices<>, 2>(tn_adaptive_max_pool3d(get(), output_size)); }
    AnyTensor adaptive_max_pool2d_backward(const AnyTensor &self, const AnyTensor &indices) const { return detail::Own()(tn_adaptive_max_pool2d_backward(get(), self.get(), indices.get())); }
    AnyTensor adaptive_max_pool3d_backward(const AnyTensor &self, const AnyTensor &indices) const { return detail::Own()(tn_adaptive_max_pool3d_backward(get(), self.get(), indices.get())); }
    ValuesIndices<> fractional_max_pool2d(Dims kernel_size, Dims output_size, const AnyTensor &random_samples) const { return detail::Own().template named<ValuesIndices<>, 2>(tn_fractional_max_pool2d(get(), kernel_size, output_size, random_samples.get())); }
    ValuesIndices<> fractional_max_pool3d(Dims kernel_size, Dims output_size, const AnyTensor &random_samples) const { return detail::Own().template named<ValuesIndices<>, 2>(tn_fractional_max_pool3d(get(), kernel_size, output_size, random_samples.get())); }
    AnyTensor fractional_max_pool2d_backward(const AnyTensor &self, Dims kernel_size, Dims output_size, const AnyTensor &indices) const { return detail::Own()(tn_fractional_max_pool2d_backward(get(), self.get(), kernel_size, output_size, indices.get())); }
    AnyTensor fractional_max_pool3d_backward(const AnyTensor &self, Dims kernel_size, Dims output_size, const AnyTensor &indices) const { return detail::Own()(tn_fractional_max_pool3d_backward(get(), self.get(), kernel_size, output_size, indices.get())); }
    AnyTensor max_unpool2d(const AnyTensor &indices, Dims output_size) const { return detail::Own()(tn_max_unpool2d(get(), indices.get(), output_size)); }
    AnyTensor max_unpool3d(const AnyTensor &indices, Dims output_size, Dims stride, Dims padding) const { return detail::Own()(tn_max_unpool3d(get(), indices.get(), output_size, stride, padding)); }

    /* norms */
    OutMeanRstd<> native_layer_norm(Dims normalized_shape, const AnyTensor &weight, const AnyTensor &bias, double eps) const { return detail::Own().template named<OutMeanRstd<>, 3>(tn_native_layer_norm(get(), normalized_shape, weight.get(), bias.get(), eps)); }
    OutMeanRstd<> native_group_norm(const AnyTensor &weight, const AnyTensor &bias, int64_t N, int64_t C, int64_t HxW, int64_t group, double eps) const { return detail::Own().template named<OutMeanRstd<>, 3>(tn_native_group_norm(get(), weight.get(), bias.get(), N, C, HxW, group, eps)); }
    AnyTensor group_norm(int64_t num_groups, const AnyTensor &weight = AnyTensor(), const AnyTensor &bias = AnyTensor(), double eps = 0.00001, bool cudnn_enabled = true) const { return detail::Own()(tn_group_norm(get(), num_groups, weight.get(), bias.get(), eps, cudnn_enabled)); }
    OutMeanInvstdVar<> _batch_norm_training(const AnyTensor &weight, const AnyTensor &bias, double eps) const { return detail::Own().template named<OutMeanInvstdVar<>, 4>(tn__batch_norm_training(get(), weight.get(), bias.get(), eps)); }
    OutSaveMeanSaveInvstd<> _native_batch_norm_legit_no_training(const AnyTensor &weight, const AnyTensor &bias, const AnyTensor &running_mean, const AnyTensor &running_var, double momentum, double eps) const { return detail::Own().template named<OutSaveMeanSaveInvstd<>, 3>(tn__native_batch_norm_legit_no_training(get(), weight.get(), bias.get(), running_mean.get(), running_var.get(), momentum, eps)); }
    OutSaveMeanSaveInvstd<> _native_batch_norm_legit(const AnyTensor &weight, const AnyTensor &bias, AnyTensor &running_mean, AnyTensor &running_var, bool training, double momentum, double eps) const { return detail::Own().template named<OutSaveMeanSaveInvstd<>, 3>(tn__native_batch_norm_legit(get(), weight.get(), bias.get(), running_mean.get(), running_var.get(), training, momentum, eps)); }
    OutSaveMeanSaveInvstd<> _native_batch_norm_legit(const AnyTensor &weight, const AnyTensor &bias, bool training, double momentum, double eps) const { return detail::Own().template named<OutSaveMeanSaveInvstd<>, 3>(tn__native_batch_norm_legit_no_stats(get(), weight.get(), bias.get(), training, momentum, eps)); }
    OutSaveMeanSaveInvstd<> native_batch_norm(const AnyTensor &weight, const AnyTensor &bias, const AnyTensor &running_mean, const AnyTensor &running_var, bool training, double momentum, double eps) const { return detail::Own().template named<OutSaveMeanSaveInvstd<>, 3>(tn_native_batch_norm(get(), weight.get(), bias.get(), running_mean.get(), running_var.get(), training, momentum, eps)); }
    AnyTensor batch_norm(const AnyTensor &weight, const AnyTensor &bias, const AnyTensor &running_mean, const AnyTensor &running_var, bool training, double momentum, double eps, bool cudnn_enabled = true) const { return detail::Own()(tn_batch_norm(get(), weight.get(), bias.get(), running_mean.get(), running_var.get(), training, momentum, eps, cudnn_enabled)); }
    AnyTensor instance_norm(const AnyTensor &weight, const AnyTensor &bias, const AnyTensor &running_mean, const AnyTensor &running_var, bool use_input_stats, double momentum, double eps, bool cudnn_enabled = true) const { return detail::Own()(tn_instance_norm(get(), weight.get(), bias.get(), running_mean.get(), running_var.get(), use_input_stats, momentum, eps, cudnn_enabled)); }
    AnyTensor local_response_norm(int64_t size, double alpha = 0.0001, double beta = 0.75, double k = 1) const { return detail::Own()(tn_local_response_norm(get(), size, alpha, beta, k)); }
    GradInputGradWeightGradBias<> native_layer_norm_backward(const AnyTensor &input, Dims normalized_shape, const AnyTensor &mean, const AnyTensor &rstd, const AnyTensor &weight, const AnyTensor &bias, Dims output_mask) const { return detail::Own().template named<GradInputGradWeightGradBias<>, 3>(tn_native_layer_norm_backward(get(), input.get(), normalized_shape, mean.get(), rstd.get(), weight.get(), bias.get(), output_mask)); }
    GradInputGradWeightGradBias<> _layer_norm_backward(const AnyTensor &input, Dims normalized_shape, const AnyTensor &weight, double eps, bool centred, Dims output_mask) const { return detail::Own().template named<GradInputGradWeightGradBias<>, 3>(tn__layer_norm_backward(get(), input.get(), normalized_shape, weight.get(), eps, centred, output_mask)); }
    GradInputGradWeightGradBias<> native_group_norm_backward(const AnyTensor &input, const AnyTensor &mean, const AnyTensor &rstd, const AnyTensor &weight, int64_t N, int64_t C, int64_t HxW, int64_t group, Dims output_mask) const { return detail::Own().template named<GradInputGradWeightGradBias<>, 3>(tn_native_group_norm_backward(get(), input.get(), mean.get(), rstd.get(), weight.get(), N, C, HxW, group, output_mask)); }
    GradInputGradWeightGradBias<> native_batch_norm_backward(const AnyTensor &input, const AnyTensor &weight, const AnyTensor &running_mean, const AnyTensor &running_var, const AnyTensor &save_mean, const AnyTensor &save_invstd, bool train, double eps, Dims output_mask) const { return detail::Own().template named<GradInputGradWeightGradBias<>, 3>(tn_native_batch_norm_backward(get(), input.get(), weight.get(), running_mean.get(), running_var.get(), save_mean.get(), save_invstd.get(), train, eps, output_mask)); }

    /* resampling */
    AnyTensor upsample_nearest1d(Dims output_size, Number scales = Number::none()) const { return detail::Own()(tn_upsample_nearest1d(get(), output_size, scales)); }
    AnyTensor upsample_nearest2d(Dims output_size, Number scales_h = Number::none(), Number scales_w = Number::none()) const { return detail::Own()(tn_upsample_nearest2d(get(), output_size, scales_h, scales_w)); }
    AnyTensor upsample_nearest3d(Dims output_size, Number scales_d = Number::none(), Number scales_h = Number::none(), Number scales_w = Number::none()) const { return detail::Own()(tn_upsample_nearest3d(get(), output_size, scales_d, scales_h, scales_w)); }
    AnyTensor _upsample_nearest_exact1d(Dims output_size, Number scales = Number::none()) const { return detail::Own()(tn__upsample_nearest_exact1d(get(), output_size, scales)); }
    AnyTensor _upsample_nearest_exact2d(Dims output_size, Number scales_h = Number::none(), Number scales_w = Number::none()) const { return detail::Own()(tn__upsample_nearest_exact2d(get(), output_size, scales_h, scales_w)); }
    AnyTensor _upsample_nearest_exact3d(Dims output_size, Number scales_d = Number::none(), Number scales_h = Number::none(), Number scales_w = Number::none()) const { return detail::Own()(tn__upsample_nearest_exact3d(get(), output_size, scales_d, scales_h, scales_w)); }
    AnyTensor upsample_linear1d(Dims output_size, bool align_corners, Number scales = Number::none()) const { return detail::Own()(tn_upsample_linear1d(get(), output_size, align_corners, scales)); }
    AnyTensor upsample_bilinear2d(Dims output_size, bool align_corners, Number scales_h = Number::none(), Number scales_w = Number::none()) const { return detail::Own()(tn_upsample_bilinear2d(get(), output_size, align_corners, scales_h, scales_w)); }
    AnyTensor upsample_trilinear3d(Dims output_size, bool align_corners, Number scales_d = Number::none(), Number scales_h = Number::none(), Number scales_w = Number::none()) const { return detail::Own()(tn_upsample_trilinear3d(get(), output_size, align_corners, scales_d, scales_h, scales_w)); }
    AnyTensor upsample_bicubic2d(Dims output_size, bool align_corners, Number scales_h = Number::none(), Number scales_w = Number::none()) const { return detail::Own()(tn_upsample_bicubic2d(get(), output_size, align_corners, scales_h, scales_w)); }
    AnyTensor _upsample_bilinear2d_aa(Dims output_size, bool align_corners, Number scales_h = Number::none(), Number scales_w = Number::none()) const { return detail::Own()(tn__upsample_bilinear2d_aa(get(), output_size, align_corners, scales_h, scales_w)); }
    AnyTensor _upsample_bicubic2d_aa(Dims output_size, bool align_corners, Number scales_h = Number::none(), Number scales_w = Number::none()) const { return detail::Own()(tn__upsample_bicubic2d_aa(get(), output_size, align_corners, scales_h, scales_w)); }
    AnyTensor upsample_nearest1d_backward(Dims output_size, Dims input_size, Number scales = Number::none()) const { return detail::Own()(tn_upsample_nearest1d_backward(get(), output_size, input_size, scales)); }
    AnyTensor upsample_nearest2d_backward(Dims output_size, Dims input_size, Number scales_h = Number::none(), Number scales_w = Number::none()) const { return detail::Own()(tn_upsample_nearest2d_backward(get(), output_size, input_size, scales_h, scales_w)); }
    AnyTensor upsample_nearest3d_backward(Dims output_size, Dims input_size, Number scales_d = Number::none(), Number scales_h = Number::none(), Number scales_w = Number::none()) const { return detail::Own()(tn_upsample_nearest3d_backward(get(), output_size, input_size, scales_d, scales_h, scales_w)); }
    AnyTensor _upsample_nearest_exact1d_backward(Dims output_size, Dims input_size, Number scales = Number::none()) const { return detail::Own()(tn__upsample_nearest_exact1d_backward(get(), output_size, input_size, scales)); }
    AnyTensor _upsample_nearest_exact2d_backward(Dims output_size, Dims input_size, Number scales_h = Number::none(), Number scales_w = Number::none()) const { return detail::Own()(tn__upsample_nearest_exact2d_backward(get(), output_size, input_size, scales_h, scales_w)); }
    AnyTensor _upsample_nearest_exact3d_backward(Dims output_size, Dims input_size, Number scales_d = Number::none(), Number scales_h = Number::none(), Number scales_w = Number::none()) const { return detail::Own()(tn__upsample_nearest_exact3d_backward(get(), output_size, input_size, scales_d, scales_h, scales_w)); }
    AnyTensor upsample_linear1d_backward(Dims output_size, Dims input_size, bool align_corners, Number scales = Number::none()) const { return detail::Own()(tn_upsample_linear1d_backward(get(), output_size, input_size, align_corners, scales)); }
    AnyTensor upsample_bilinear2d_backward(Dims output_size, Dims input_size, bool align_corners, Number scales_h = Number::none(), Number scales_w = Number::none()) const { return detail::Own()(tn_upsample_bilinear2d_backward(get(), output_size, input_size, align_corners, scales_h, scales_w)); }
    AnyTensor upsample_trilinear3d_backward(Dims output_size, Dims input_size, bool align_corners, Number scales_d = Number::none(), Number scales_h = Number::none(), Number scales_w = Number::none()) const { return detail::Own()(tn_upsample_trilinear3d_backward(get(), output_size, input_size, align_corners, scales_d, scales_h, scales_w)); }
    AnyTensor upsample_bicubic2d_backward(Dims output_size, Dims input_size, bool align_corners, Number scales_h = Number::none(), Number scales_w = Number::none()) const { return detail::Own()(tn_upsample_bicubic2d_backward(get(), output_size, input_size, align_corners, scales_h, scales_w)); }
    AnyTensor _upsample_bilinear2d_aa_backward(Dims output_size, Dims input_size, bool align_corners, Number scales_h = Number::none(), Number scales_w = Number::none()) const { return detail::Own()(tn__upsample_bilinear2d_aa_backward(get(), output_size, input_size, align_corners, scales_h, scales_w)); }
    AnyTensor _upsample_bicubic2d_aa_backward(Dims output_size, Dims input_size, bool align_corners, Number scales_h = Number::none(), Number scales_w = Number::none()) const { return detail::Own()(tn__upsample_bicubic2d_aa_backward(get(), output_size, input_size, align_corners, scales_h, scales_w)); }
    AnyTensor grid_sampler_2d(const AnyTensor &grid, int64_t interpolation_mode, int64_t padding_mode, bool align_corners) const { return detail::Own()(tn_grid_sampler_2d(get(), grid.get(), interpolation_mode, padding_mode, align_corners)); }
    AnyTensor grid_sampler_3d(const AnyTensor &grid, int64_t interpolation_mode, int64_t padding_mode, bool align_corners) const { return detail::Own()(tn_grid_sampler_3d(get(), grid.get(), interpolation_mode, padding_mode, align_corners)); }
    AnyTensor grid_sampler(const AnyTensor &grid, int64_t interpolation_mode, int64_t padding_mode, bool align_corners) const { return detail::Own()(tn_grid_sampler(get(), grid.get(), interpolation_mode, padding_mode, align_corners)); }
    GradInputGradGrid<> grid_sampler_2d_backward(const AnyTensor &input, const AnyTensor &grid, int64_t interpolation_mode, int64_t padding_mode, bool align_corners, Dims output_mask) const { return detail::Own().template named<GradInputGradGrid<>, 2>(tn_grid_sampler_2d_backward(get(), input.get(), grid.get(), interpolation_mode, padding_mode, align_corners, output_mask)); }
    GradInputGradGrid<> grid_sampler_3d_backward(const AnyTensor &input, const AnyTensor &grid, int64_t interpolation_mode, int64_t padding_mode, bool align_corners, Dims output_mask) const { return detail::Own().template named<GradInputGradGrid<>, 2>(tn_grid_sampler_3d_backward(get(), input.get(), grid.get(), interpolation_mode, padding_mode, align_corners, output_mask)); }
    AnyTensor affine_grid_generator(Dims size, bool align_corners) const { return detail::Own()(tn_affine_grid_generator(get(), size, align_corners)); }
    AnyTensor pixel_shuffle(int64_t upscale_factor) const { return detail::Own()(tn_pixel_shuffle(get(), upscale_factor)); }
    AnyTensor pixel_unshuffle(int64_t downscale_factor) const { return detail::Own()(tn_pixel_unshuffle(get(), downscale_factor)); }
    AnyTensor channel_shuffle(int64_t groups) const { return detail::Own()(tn_channel_shuffle(get(), groups)); }
    AnyTensor native_channel_shuffle(int64_t groups) const { return detail::Own()(tn_native_channel_shuffle(get(), groups)); }

    /* product */
    AnyTensor matmul(const AnyTensor &other) const { return detail::Own()(tn_matmul(get(), other.get())); }
    AnyTensor linalg_matmul(const AnyTensor &other) const { return detail::Own()(tn_linalg_matmul(get(), other.get())); }
    AnyTensor mm(const AnyTensor &mat2) const { return detail::Own()(tn_mm(get(), mat2.get())); }
    AnyTensor mm(const AnyTensor &mat2, tn_dtype out_dtype) const { return detail::Own()(tn_mm_dtype(get(), mat2.get(), out_dtype)); }
    AnyTensor bmm(const AnyTensor &mat2) const { return detail::Own()(tn_bmm(get(), mat2.get())); }
    AnyTensor bmm(const AnyTensor &mat2, tn_dtype out_dtype) const { return detail::Own()(tn_bmm_dtype(get(), mat2.get(), out_dtype)); }
    AnyTensor mv(const AnyTensor &vec) const { return detail::Own()(tn_mv(get(), vec.get())); }
    AnyTensor dot(const AnyTensor &tensor) const { return detail::Own()(tn_dot(get(), tensor.get())); }
    AnyTensor vdot(const AnyTensor &other) const { return detail::Own()(tn_vdot(get(), other.get())); }
    AnyTensor inner(const AnyTensor &other) const { return detail::Own()(tn_inner(get(), other.get())); }
    AnyTensor linalg_vecdot(const AnyTensor &y, int64_t dim = -1) const { return detail::Own()(tn_linalg_vecdot(get(), y.get(), dim)); }
    AnyTensor addmm(const AnyTensor &mat1, const AnyTensor &mat2, Number beta = 1, Number alpha = 1) const { return detail::Own()(tn_addmm(get(), mat1.get(), mat2.get(), beta, alpha)); }
    AnyTensor &addmm_(const AnyTensor &mat1, const AnyTensor &mat2, Number beta = 1, Number alpha = 1) { return did(tn_addmm_(get(), mat1.get(), mat2.get(), beta, alpha)); }
    AnyTensor addmv(const AnyTensor &mat, const AnyTensor &vec, Number beta = 1, Number alpha = 1) const { return detail::Own()(tn_addmv(get(), mat.get(), vec.get(), beta, alpha)); }
    AnyTensor &addmv_(const AnyTensor &mat, const AnyTensor &vec, Number beta = 1, Number alpha = 1) { return did(tn_addmv_(get(), mat.get(), vec.get(), beta, alpha)); }
    AnyTensor baddbmm(const AnyTensor &batch1, const AnyTensor &batch2, Number beta = 1, Number alpha = 1) const { return detail::Own()(tn_baddbmm(get(), batch1.get(), batch2.get(), beta, alpha)); }
    AnyTensor &baddbmm_(const AnyTensor &batch1, const AnyTensor &batch2, Number beta = 1, Number alpha = 1) { return did(tn_baddbmm_(get(), batch1.get(), batch2.get(), beta, alpha)); }
    AnyTensor addbmm(const AnyTensor &batch1, const AnyTensor &batch2, Number beta = 1, Number alpha = 1) const { return detail::Own()(tn_addbmm(get(), batch1.get(), batch2.get(), beta, alpha)); }
    AnyTensor &addbmm_(const AnyTensor &batch1, const AnyTensor &batch2, Number beta = 1, Number alpha = 1) { return did(tn_addbmm_(get(), batch1.get(), batch2.get(), beta, alpha)); }
    AnyTensor addr(const AnyTensor &vec1, const AnyTensor &vec2, Number beta = 1, Number alpha = 1) const { return detail::Own()(tn_addr(get(), vec1.get(), vec2.get(), beta, alpha)); }
    AnyTensor &addr_(const AnyTensor &vec1, const AnyTensor &vec2, Number beta = 1, Number alpha = 1) { return did(tn_addr_(get(), vec1.get(), vec2.get(), beta, alpha)); }
    AnyTensor _addmm_activation(const AnyTensor &mat1, const AnyTensor &mat2, Number beta = 1, Number alpha = 1, bool use_gelu = false) const { return detail::Own()(tn__addmm_activation(get(), mat1.get(), mat2.get(), beta, alpha, use_gelu)); }
    AnyTensor linear(const AnyTensor &weight, const AnyTensor &bias = AnyTensor()) const { return detail::Own()(tn_linear(get(), weight.get(), bias.get())); }
    AnyTensor linear_fused(const AnyTensor &weight, const AnyTensor &bias = AnyTensor(), const char *activation = "none", const AnyTensor &residual = AnyTensor(), Number scale = 1) const { return detail::Own()(tn_linear_fused(get(), weight.get(), bias.get(), activation, residual.get(), scale)); }
    AnyTensor bilinear(const AnyTensor &input2, const AnyTensor &weight, const AnyTensor &bias = AnyTensor()) const { return detail::Own()(tn_bilinear(get(), input2.get(), weight.get(), bias.get())); }
    AnyTensor linalg_matrix_power(int64_t n) const { return detail::Own()(tn_linalg_matrix_power(get(), n)); }
    AnyTensor matrix_power(int64_t n) const { return detail::Own()(tn_matrix_power(get(), n)); }
    AnyTensor trace() const { return detail::Own()(tn_trace(get())); }
    AnyTensor _int_mm(const AnyTensor &mat2) const { return detail::Own()(tn__int_mm(get(), mat2.get())); }
    AnyTensor _weight_int8pack_mm(const AnyTensor &mat2, const AnyTensor &scales) const { return detail::Own()(tn__weight_int8pack_mm(get(), mat2.get(), scales.get())); }
    AnyTensor _scaled_mm(const AnyTensor &mat2, const AnyTensor &scale_a, const AnyTensor &scale_b, const AnyTensor &bias = AnyTensor(), const AnyTensor &scale_result = AnyTensor(), tn_dtype out_dtype = TN_DTYPE_DEFAULT, bool use_fast_accum = false) const { return detail::Own()(tn__scaled_mm(get(), mat2.get(), scale_a.get(), scale_b.get(), bias.get(), scale_result.get(), out_dtype, use_fast_accum)); }
    AnyTensor sumproduct(const AnyTensor &other, Dims dim, bool keepdim = false) const { return detail::Own()(tn_sumproduct(get(), other.get(), dim, keepdim)); }
    AnyTensor tensordot(const AnyTensor &other, Dims dims_self, Dims dims_other) const { return detail::Own()(tn_tensordot(get(), other.get(), dims_self, dims_other)); }
    AnyTensor tensordot(const AnyTensor &other, int64_t dims = 2) const { return detail::Own()(tn_tensordot_count(get(), other.get(), dims)); }

    /* attention */
    AnyTensor scaled_dot_product_attention(const AnyTensor &key, const AnyTensor &value, const AnyTensor &attn_mask = AnyTensor(), double dropout_p = 0, bool is_causal = false, Number scale = Number::none(), bool enable_gqa = false, tn_generator *generator = nullptr) const { return detail::Own()(tn_scaled_dot_product_attention(get(), key.get(), value.get(), attn_mask.get(), dropout_p, is_causal, scale, enable_gqa, generator)); }
    OutputLogsumexp<> _scaled_dot_product_attention_forward(const AnyTensor &key, const AnyTensor &value, const AnyTensor &attn_mask = AnyTensor(), const AnyTensor &kept = AnyTensor(), double dropout_p = 0, bool is_causal = false, Number scale = Number::none(), bool enable_gqa = false) const { return detail::Own().template named<OutputLogsumexp<>, 2>(tn__scaled_dot_product_attention_forward(get(), key.get(), value.get(), attn_mask.get(), kept.get(), dropout_p, is_causal, scale, enable_gqa)); }
    GradQueryGradKeyGradValue<> _scaled_dot_product_attention_backward(const AnyTensor &query, const AnyTensor &key, const AnyTensor &value, const AnyTensor &output, const AnyTensor &logsumexp, const AnyTensor &attn_mask = AnyTensor(), const AnyTensor &kept = AnyTensor(), double dropout_p = 0, bool is_causal = false, Number scale = Number::none(), bool enable_gqa = false) const { return detail::Own().template named<GradQueryGradKeyGradValue<>, 3>(tn__scaled_dot_product_attention_backward(get(), query.get(), key.get(), value.get(), output.get(), logsumexp.get(), attn_mask.get(), kept.get(), dropout_p, is_causal, scale, enable_gqa)); }
    AnyTensor _scaled_dot_product_attention_mask_backward(const AnyTensor &query, const AnyTensor &key, const AnyTensor &value, const AnyTensor &output, const AnyTensor &logsumexp, const AnyTensor &attn_mask, const AnyTensor &kept = AnyTensor(), double dropout_p = 0, bool is_causal = false, Number scale = Number::none(), bool enable_gqa = false) const { return detail::Own()(tn__scaled_dot_product_attention_mask_backward(get(), query.get(), key.get(), value.get(), output.get(), logsumexp.get(), attn_mask.get(), kept.get(), dropout_p, is_causal, scale, enable_gqa)); }
    OutputLogsumexp<> _scaled_dot_product_flash_attention_for_cpu(const AnyTensor &key, const AnyTensor &value, double dropout_p = 0, bool is_causal = false, const AnyTensor &attn_mask = AnyTensor(), Number scale = Number::none()) const { return detail::Own().template named<OutputLogsumexp<>, 2>(tn__scaled_dot_product_flash_attention_for_cpu(get(), key.get(), value.get(), dropout_p, is_causal, attn_mask.get(), scale)); }
    GradQueryGradKeyGradValue<> _scaled_dot_product_flash_attention_for_cpu_backward(const AnyTensor &query, const AnyTensor &key, const AnyTensor &value, const AnyTensor &out, const AnyTensor &logsumexp, double dropout_p, bool is_causal, const AnyTensor &attn_mask = AnyTensor(), Number scale = Number::none()) const { return detail::Own().template named<GradQueryGradKeyGradValue<>, 3>(tn__scaled_dot_product_flash_attention_for_cpu_backward(get(), query.get(), key.get(), value.get(), out.get(), logsumexp.get(), dropout_p, is_causal, attn_mask.get(), scale)); }

    /* convolution */
    AnyTensor convolution(const AnyTensor &weight, const AnyTensor &bias, Dims stride, Dims padding, Dims dilation, bool transposed, Dims output_padding, int64_t groups) const { return detail::Own()(tn_convolution(get(), weight.get(), bias.get(), stride, padding, dilation, transposed, output_padding, groups)); }
    AnyTensor convolution_fused(const AnyTensor &weight, const AnyTensor &bias, Dims stride, Dims padding, Dims dilation, bool transposed, Dims output_padding, int64_t groups, const char *activation = "none") const { return detail::Own()(tn_convolution_fused(get(), weight.get(), bias.get(), stride, padding, dilation, transposed, output_padding, groups, activation)); }
    AnyTensor _convolution(const AnyTensor &weight, const AnyTensor &bias, Dims stride, Dims padding, Dims dilation, bool transposed, Dims output_padding, int64_t groups, bool benchmark = false, bool deterministic = false, bool cudnn_enabled = true) const { return detail::Own()(tn__convolution(get(), weight.get(), bias.get(), stride, padding, dilation, transposed, output_padding, groups, benchmark, deterministic, cudnn_enabled)); }
    AnyTensor conv1d(const AnyTensor &weight, const AnyTensor &bias = AnyTensor(), Dims stride = Dims::small(1), Dims padding = Dims::small(0), Dims dilation = Dims::small(1), int64_t groups = 1) const { return detail::Own()(tn_conv1d(get(), weight.get(), bias.get(), stride, padding, dilation, groups)); }
    AnyTensor conv1d_padding(const AnyTensor &weight, const AnyTensor &bias = AnyTensor(), Dims stride = Dims::small(1), const char *padding = "valid", Dims dilation = Dims::small(1), int64_t groups = 1) const { return detail::Own()(tn_conv1d_padding(get(), weight.get(), bias.get(), stride, padding, dilation, groups)); }
    AnyTensor conv2d(const AnyTensor &weight, const AnyTensor &bias = AnyTensor(), Dims stride = Dims::small(1), Dims padding = Dims::small(0), Dims dilation = Dims::small(1), int64_t groups = 1) const { return detail::Own()(tn_conv2d(get(), weight.get(), bias.get(), stride, padding, dilation, groups)); }
    AnyTensor conv2d_padding(const AnyTensor &weight, const AnyTensor &bias = AnyTensor(), Dims stride = Dims::small(1), const char *padding = "valid", Dims dilation = Dims::small(1), int64_t groups = 1) const { return detail::Own()(tn_conv2d_padding(get(), weight.get(), bias.get(), stride, padding, dilation, groups)); }
    AnyTensor conv3d(const AnyTensor &weight, const AnyTensor &bias = AnyTensor(), Dims stride = Dims::small(1), Dims padding = Dims::small(0), Dims dilation = Dims::small(1), int64_t groups = 1) const { return detail::Own()(tn_conv3d(get(), weight.get(), bias.get(), stride, padding, dilation, groups)); }
    AnyTensor conv3d_padding(const AnyTensor &weight, const AnyTensor &bias = AnyTensor(), Dims stride = Dims::small(1), const char *padding = "valid", Dims dilation = Dims::small(1), int64_t groups = 1) const { return detail::Own()(tn_conv3d_padding(get(), weight.get(), bias.get(), stride, padding, dilation, groups)); }
    AnyTensor conv_transpose1d(const AnyTensor &weight, const AnyTensor &bias = AnyTensor(), Dims stride = Dims::small(1), Dims padding = Dims::small(0), Dims output_padding = Dims::small(0), int64_t groups = 1, Dims dilation = Dims::small(1)) const { return detail::Own()(tn_conv_transpose1d(get(), weight.get(), bias.get(), stride, padding, output_padding, groups, dilation)); }
    AnyTensor conv_transpose2d(const AnyTensor &weight, const AnyTensor &bias = AnyTensor(), Dims stride = Dims::small(1), Dims padding = Dims::small(0), Dims output_padding = Dims::small(0), int64_t groups = 1, Dims dilation = Dims::small(1)) const { return detail::Own()(tn_conv_transpose2d(get(), weight.get(), bias.get(), stride, padding, output_padding, groups, dilation)); }
    AnyTensor conv_transpose3d(const AnyTensor &weight, const AnyTensor &bias = AnyTensor(), Dims stride = Dims::small(1), Dims padding = Dims::small(0), Dims output_padding = Dims::small(0), int64_t groups = 1, Dims dilation = Dims::small(1)) const { return detail::Own()(tn_conv_transpose3d(get(), weight.get(), bias.get(), stride, padding, output_padding, groups, dilation)); }
    AnyTensor conv_tbc(const AnyTensor &weight, const AnyTensor &bias, int64_t pad = 0) const { return detail::Own()(tn_conv_tbc(get(), weight.get(), bias.get(), pad)); }
    GradInputGradWeightGradBias<> convolution_backward(const AnyTensor &input, const AnyTensor &weight, Dims bias_sizes, Dims stride, Dims padding, Dims dilation, bool transposed, Dims output_padding, int64_t groups, Dims output_mask) const { return detail::Own().template named<GradInputGradWeightGradBias<>, 3>(tn_convolution_backward(get(), input.get(), weight.get(), bias_sizes, stride, padding, dilation, transposed, output_padding, groups, output_mask)); }
    AnyTensor convolution_backward_weight(const AnyTensor &input, Dims weight_size, Dims stride, Dims padding, Dims dilation, bool transposed, Dims output_padding, int64_t groups) const { return detail::Own()(tn_convolution_backward_weight(get(), input.get(), weight_size, stride, padding, dilation, transposed, output_padding, groups)); }
    AnyTensor im2col(Dims kernel_size, Dims dilation, Dims padding, Dims stride) const { return detail::Own()(tn_im2col(get(), kernel_size, dilation, padding, stride)); }
    AnyTensor col2im(Dims output_size, Dims kernel_size, Dims dilation, Dims padding, Dims stride) const { return detail::Own()(tn_col2im(get(), output_size, kernel_size, dilation, padding, stride)); }

    /* scan */
    AnyTensor cumsum(int64_t dim, tn_dtype dtype = TN_DTYPE_DEFAULT) const { return detail::Own()(tn_cumsum(get(), dim, dtype)); }
    AnyTensor &cumsum_(int64_t dim, tn_dtype dtype = TN_DTYPE_DEFAULT) { return did(tn_cumsum_(get(), dim, dtype)); }
    AnyTensor cumprod(int64_t dim, tn_dtype dtype = TN_DTYPE_DEFAULT) const { return detail::Own()(tn_cumprod(get(), dim, dtype)); }
    AnyTensor &cumprod_(int64_t dim, tn_dtype dtype = TN_DTYPE_DEFAULT) { return did(tn_cumprod_(get(), dim, dtype)); }
    ValuesIndices<> cummax(int64_t dim) const { return detail::Own().template named<ValuesIndices<>, 2>(tn_cummax(get(), dim)); }
    ValuesIndices<> cummin(int64_t dim) const { return detail::Own().template named<ValuesIndices<>, 2>(tn_cummin(get(), dim)); }
    AnyTensor logcumsumexp(int64_t dim) const { return detail::Own()(tn_logcumsumexp(get(), dim)); }

    /* embedding */
    AnyTensor &embedding_renorm_(const AnyTensor &indices, double max_norm, double norm_type) { return did(tn_embedding_renorm_(get(), indices.get(), max_norm, norm_type)); }
    AnyTensor embedding_dense_backward(const AnyTensor &indices, int64_t num_weights, int64_t padding_idx, bool scale_grad_by_freq) const { return detail::Own()(tn_embedding_dense_backward(get(), indices.get(), num_weights, padding_idx, scale_grad_by_freq)); }
    OutputOffset2bagBagSizeMaxIndices<> _embedding_bag(const AnyTensor &indices, const AnyTensor &offsets, bool scale_grad_by_freq = false, int64_t mode = 0, bool sparse = false, const AnyTensor &per_sample_weights = AnyTensor(), bool include_last_offset = false, int64_t padding_idx = -1) const { return detail::Own().template named<OutputOffset2bagBagSizeMaxIndices<>, 4>(tn__embedding_bag(get(), indices.get(), offsets.get(), scale_grad_by_freq, mode, sparse, per_sample_weights.get(), include_last_offset, padding_idx)); }
    OutputOffset2bagBagSizeMaxIndices<> embedding_bag(const AnyTensor &indices, const AnyTensor &offsets, bool scale_grad_by_freq = false, int64_t mode = 0, bool sparse = false, const AnyTensor &per_sample_weights = AnyTensor(), bool include_last_offset = false) const { return detail::Own().template named<OutputOffset2bagBagSizeMaxIndices<>, 4>(tn_embedding_bag(get(), indices.get(), offsets.get(), scale_grad_by_freq, mode, sparse, per_sample_weights.get(), include_last_offset)); }
    OutputOffset2bagBagSizeMaxIndices<> embedding_bag_padding_idx(const AnyTensor &indices, const AnyTensor &offsets, bool scale_grad_by_freq, int64_t mode, bool sparse, const AnyTensor &per_sample_weights, bool include_last_offset, int64_t padding_idx = TN_NONE) const { return detail::Own().template named<OutputOffset2bagBagSizeMaxIndices<>, 4>(tn_embedding_bag_padding_idx(get(), indices.get(), offsets.get(), scale_grad_by_freq, mode, sparse, per_sample_weights.get(), include_last_offset, padding_idx)); }

    /* loss */
    AnyTensor mse_loss(const AnyTensor &target, int64_t reduction = 1) const { return detail::Own()(tn_mse_loss(get(), target.get(), reduction)); }
    AnyTensor l1_loss(const AnyTensor &target, int64_t reduction = 1) const { return detail::Own()(tn_l1_loss(get(), target.get(), reduction)); }
    AnyTensor smooth_l1_loss(const AnyTensor &target, int64_t reduction = 1, double beta = 1) const { return detail::Own()(tn_smooth_l1_loss(get(), target.get(), reduction, beta)); }
    AnyTensor huber_loss(const AnyTensor &target, int64_t reduction = 1, double delta = 1) const { return detail::Own()(tn_huber_loss(get(), target.get(), reduction, delta)); }
    AnyTensor binary_cross_entropy(const AnyTensor &target, const AnyTensor &weight = AnyTensor(), int64_t reduction = 1) const { return detail::Own()(tn_binary_cross_entropy(get(), target.get(), weight.get(), reduction)); }
    AnyTensor binary_cross_entropy_with_logits(const AnyTensor &target, const AnyTensor &weight = AnyTensor(), const AnyTensor &pos_weight = AnyTensor(), int64_t reduction = 1) const { return detail::Own()(tn_binary_cross_entropy_with_logits(get(), target.get(), weight.get(), pos_weight.get(), reduction)); }
    AnyTensor kl_div(const AnyTensor &target, int64_t reduction = 1, bool log_target = false) const { return detail::Own()(tn_kl_div(get(), target.get(), reduction, log_target)); }
    AnyTensor poisson_nll_loss(const AnyTensor &target, bool log_input, bool full, double eps, int64_t reduction) const { return detail::Own()(tn_poisson_nll_loss(get(), target.get(), log_input, full, eps, reduction)); }
    AnyTensor soft_margin_loss(const AnyTensor &target, int64_t reduction = 1) const { return detail::Own()(tn_soft_margin_loss(get(), target.get(), reduction)); }
    AnyTensor hinge_embedding_loss(const AnyTensor &target, double margin = 1, int64_t reduction = 1) const { return detail::Own()(tn_hinge_embedding_loss(get(), target.get(), margin, reduction)); }
    AnyTensor margin_ranking_loss(const AnyTensor &input2, const AnyTensor &target, double margin = 0, int64_t reduction = 1) const { return detail::Own()(tn_margin_ranking_loss(get(), input2.get(), target.get(), margin, reduction)); }
    AnyTensor cosine_embedding_loss(const AnyTensor &input2, const AnyTensor &target, double margin = 0, int64_t reduction = 1) const { return detail::Own()(tn_cosine_embedding_loss(get(), input2.get(), target.get(), margin, reduction)); }
    AnyTensor triplet_margin_loss(const AnyTensor &positive, const AnyTensor &negative, double margin = 1, double p = 2, double eps = 1e-6, bool swap = false, int64_t reduction = 1) const { return detail::Own()(tn_triplet_margin_loss(get(), positive.get(), negative.get(), margin, p, eps, swap, reduction)); }
    AnyTensor nll_loss_nd(const AnyTensor &target, const AnyTensor &weight = AnyTensor(), int64_t reduction = 1, int64_t ignore_index = -100) const { return detail::Own()(tn_nll_loss_nd(get(), target.get(), weight.get(), reduction, ignore_index)); }
    AnyTensor nll_loss(const AnyTensor &target, const AnyTensor &weight = AnyTensor(), int64_t reduction = 1, int64_t ignore_index = -100) const { return detail::Own()(tn_nll_loss(get(), target.get(), weight.get(), reduction, ignore_index)); }
    AnyTensor nll_loss2d(const AnyTensor &target, const AnyTensor &weight = AnyTensor(), int64_t reduction = 1, int64_t ignore_index = -100) const { return detail::Own()(tn_nll_loss2d(get(), target.get(), weight.get(), reduction, ignore_index)); }
    AnyTensor cross_entropy_loss(const AnyTensor &target, const AnyTensor &weight = AnyTensor(), int64_t reduction = 1, int64_t ignore_index = -100, double label_smoothing = 0) const { return detail::Own()(tn_cross_entropy_loss(get(), target.get(), weight.get(), reduction, ignore_index, label_smoothing)); }
    LossLogsTotal<> _cross_entropy(const AnyTensor &target, const AnyTensor &weight, int64_t reduction, int64_t ignore_index, double label_smoothing) const { return detail::Own().template named<LossLogsTotal<>, 3>(tn__cross_entropy(get(), target.get(), weight.get(), reduction, ignore_index, label_smoothing)); }
    AnyTensor _cross_entropy_backward(const AnyTensor &self, const AnyTensor &target, const AnyTensor &weight, const AnyTensor &logs, const AnyTensor &total, int64_t reduction, int64_t ignore_index, double label_smoothing) const { return detail::Own()(tn__cross_entropy_backward(get(), self.get(), target.get(), weight.get(), logs.get(), total.get(), reduction, ignore_index, label_smoothing)); }
    AnyTensor multi_margin_loss(const AnyTensor &target, Number p = 1, Number margin = 1, const AnyTensor &weight = AnyTensor(), int64_t reduction = 1) const { return detail::Own()(tn_multi_margin_loss(get(), target.get(), p, margin, weight.get(), reduction)); }
    AnyTensor multilabel_margin_loss(const AnyTensor &target, int64_t reduction = 1) const { return detail::Own()(tn_multilabel_margin_loss(get(), target.get(), reduction)); }
    NegLogLikelihoodLogAlpha<> _ctc_loss(const AnyTensor &targets, const AnyTensor &input_lengths, const AnyTensor &target_lengths, int64_t blank = 0, bool zero_infinity = false) const { return detail::Own().template named<NegLogLikelihoodLogAlpha<>, 2>(tn__ctc_loss_tensor(get(), targets.get(), input_lengths.get(), target_lengths.get(), blank, zero_infinity)); }
    AnyTensor _ctc_loss_backward(const AnyTensor &log_probs, const AnyTensor &targets, const AnyTensor &input_lengths, const AnyTensor &target_lengths, const AnyTensor &neg_log_likelihood, const AnyTensor &log_alpha, int64_t blank, bool zero_infinity = false) const { return detail::Own()(tn__ctc_loss_backward_tensor(get(), log_probs.get(), targets.get(), input_lengths.get(), target_lengths.get(), neg_log_likelihood.get(), log_alpha.get(), blank, zero_infinity)); }
    AnyTensor ctc_loss(const AnyTensor &targets, const AnyTensor &input_lengths, const AnyTensor &target_lengths, int64_t blank = 0, int64_t reduction = 1, bool zero_infinity = false) const { return detail::Own()(tn_ctc_loss_tensor(get(), targets.get(), input_lengths.get(), target_lengths.get(), blank, reduction, zero_infinity)); }
    AnyTensor ctc_loss(const AnyTensor &targets, Dims input_lengths, Dims target_lengths, int64_t blank = 0, int64_t reduction = 1, bool zero_infinity = false) const { return detail::Own()(tn_ctc_loss(get(), targets.get(), input_lengths, target_lengths, blank, reduction, zero_infinity)); }

    /* recurrent */
    OutputHyCy<> lstm(TensorList hx, TensorList params, bool has_biases, int64_t num_layers, double dropout, bool train, bool bidirectional, bool batch_first) const { return detail::Own().template named<OutputHyCy<>, 3>(tn_lstm_input(get(), hx.items(), hx.count(), params.items(), params.count(), has_biases, num_layers, dropout, train, bidirectional, batch_first)); }
    OutputHyCy<> lstm(const AnyTensor &batch_sizes, TensorList hx, TensorList params, bool has_biases, int64_t num_layers, double dropout, bool train, bool bidirectional) const { return detail::Own().template named<OutputHyCy<>, 3>(tn_lstm_data(get(), batch_sizes.get(), hx.items(), hx.count(), params.items(), params.count(), has_biases, num_layers, dropout, train, bidirectional)); }
    OutputHy<> gru(const AnyTensor &hx, TensorList params, bool has_biases, int64_t num_layers, double dropout, bool train, bool bidirectional, bool batch_first) const { return detail::Own().template named<OutputHy<>, 2>(tn_gru_input(get(), hx.get(), params.items(), params.count(), has_biases, num_layers, dropout, train, bidirectional, batch_first)); }
    OutputHy<> gru(const AnyTensor &batch_sizes, const AnyTensor &hx, TensorList params, bool has_biases, int64_t num_layers, double dropout, bool train, bool bidirectional) const { return detail::Own().template named<OutputHy<>, 2>(tn_gru_data(get(), batch_sizes.get(), hx.get(), params.items(), params.count(), has_biases, num_layers, dropout, train, bidirectional)); }
    OutputHy<> rnn_tanh(const AnyTensor &hx, TensorList params, bool has_biases, int64_t num_layers, double dropout, bool train, bool bidirectional, bool batch_first) const { return detail::Own().template named<OutputHy<>, 2>(tn_rnn_tanh_input(get(), hx.get(), params.items(), params.count(), has_biases, num_layers, dropout, train, bidirectional, batch_first)); }
    OutputHy<> rnn_tanh(const AnyTensor &batch_sizes, const AnyTensor &hx, TensorList params, bool has_biases, int64_t num_layers, double dropout, bool train, bool bidirectional) const { return detail::Own().template named<OutputHy<>, 2>(tn_rnn_tanh_data(get(), batch_sizes.get(), hx.get(), params.items(), params.count(), has_biases, num_layers, dropout, train, bidirectional)); }
    OutputHy<> rnn_relu(const AnyTensor &hx, TensorList params, bool has_biases, int64_t num_layers, double dropout, bool train, bool bidirectional, bool batch_first) const { return detail::Own().template named<OutputHy<>, 2>(tn_rnn_relu_input(get(), hx.get(), params.items(), params.count(), has_biases, num_layers, dropout, train, bidirectional, batch_first)); }
    OutputHy<> rnn_relu(const AnyTensor &batch_sizes, const AnyTensor &hx, TensorList params, bool has_biases, int64_t num_layers, double dropout, bool train, bool bidirectional) const { return detail::Own().template named<OutputHy<>, 2>(tn_rnn_relu_data(get(), batch_sizes.get(), hx.get(), params.items(), params.count(), has_biases, num_layers, dropout, train, bidirectional)); }
    HyCy<> lstm_cell(TensorList hx, const AnyTensor &w_ih, const AnyTensor &w_hh, const AnyTensor &b_ih = AnyTensor(), const AnyTensor &b_hh = AnyTensor()) const { return detail::Own().template named<HyCy<>, 2>(tn_lstm_cell(get(), hx.items(), hx.count(), w_ih.get(), w_hh.get(), b_ih.get(), b_hh.get())); }
    AnyTensor gru_cell(const AnyTensor &hx, const AnyTensor &w_ih, const AnyTensor &w_hh, const AnyTensor &b_ih = AnyTensor(), const AnyTensor &b_hh = AnyTensor()) const { return detail::Own()(tn_gru_cell(get(), hx.get(), w_ih.get(), w_hh.get(), b_ih.get(), b_hh.get())); }
    AnyTensor rnn_tanh_cell(const AnyTensor &hx, const AnyTensor &w_ih, const AnyTensor &w_hh, const AnyTensor &b_ih = AnyTensor(), const AnyTensor &b_hh = AnyTensor()) const { return detail::Own()(tn_rnn_tanh_cell(get(), hx.get(), w_ih.get(), w_hh.get(), b_ih.get(), b_hh.get())); }
    AnyTensor rnn_relu_cell(const AnyTensor &hx, const AnyTensor &w_ih, const AnyTensor &w_hh, const AnyTensor &b_ih = AnyTensor(), const AnyTensor &b_hh = AnyTensor()) const { return detail::Own()(tn_rnn_relu_cell(get(), hx.get(), w_ih.get(), w_hh.get(), b_ih.get(), b_hh.get())); }
    HyCyWorkspace<> _thnn_fused_lstm_cell(const AnyTensor &hidden_gates, const AnyTensor &cx, const AnyTensor &input_bias = AnyTensor(), const AnyTensor &hidden_bias = AnyTensor()) const { return detail::Own().template named<HyCyWorkspace<>, 3>(tn__thnn_fused_lstm_cell(get(), hidden_gates.get(), cx.get(), input_bias.get(), hidden_bias.get())); }
    HyWorkspace<> _thnn_fused_gru_cell(const AnyTensor &hidden_gates, const AnyTensor &hx, const AnyTensor &input_bias = AnyTensor(), const AnyTensor &hidden_bias = AnyTensor()) const { return detail::Own().template named<HyWorkspace<>, 2>(tn__thnn_fused_gru_cell(get(), hidden_gates.get(), hx.get(), input_bias.get(), hidden_bias.get())); }
    GradInputGatesGradHiddenGatesGradHxGradInputBiasGradHiddenBias<> _thnn_fused_gru_cell_backward(const AnyTensor &workspace, bool has_bias) const { return detail::Own().template named<GradInputGatesGradHiddenGatesGradHxGradInputBiasGradHiddenBias<>, 5>(tn__thnn_fused_gru_cell_backward(get(), workspace.get(), has_bias)); }
    DataBatchSizes<> _pack_padded_sequence(const AnyTensor &lengths, bool batch_first) const { return detail::Own().template named<DataBatchSizes<>, 2>(tn__pack_padded_sequence(get(), lengths.get(), batch_first)); }
    OutputLengths<> _pad_packed_sequence(const AnyTensor &batch_sizes, bool batch_first, Number padding_value, int64_t total_length) const { return detail::Own().template named<OutputLengths<>, 2>(tn__pad_packed_sequence(get(), batch_sizes.get(), batch_first, padding_value, total_length)); }

    /* random */
    AnyTensor rand_like(tn_dtype dtype = TN_DTYPE_DEFAULT, tn_memory_format format = TN_PRESERVE, tn_generator *generator = nullptr) const { return detail::Own()(tn_rand_like(get(), dtype, format, generator)); }
    AnyTensor randn_like(tn_dtype dtype = TN_DTYPE_DEFAULT, tn_memory_format format = TN_PRESERVE, tn_generator *generator = nullptr) const { return detail::Own()(tn_randn_like(get(), dtype, format, generator)); }
    AnyTensor randint_like(int64_t high, tn_dtype dtype = TN_DTYPE_DEFAULT, tn_memory_format format = TN_PRESERVE, tn_generator *generator = nullptr) const { return detail::Own()(tn_randint_like(get(), high, dtype, format, generator)); }
    AnyTensor randint_like(int64_t low, int64_t high, tn_dtype dtype = TN_DTYPE_DEFAULT, tn_memory_format format = TN_PRESERVE, tn_generator *generator = nullptr) const { return detail::Own()(tn_randint_like_low(get(), low, high, dtype, format, generator)); }
    AnyTensor normal(const AnyTensor &std, tn_generator *generator = nullptr) const { return detail::Own()(tn_normal_tensor(get(), std.get(), generator)); }
    AnyTensor normal(double std = 1, tn_generator *generator = nullptr) const { return detail::Own()(tn_normal_tensor_float(get(), std, generator)); }
    AnyTensor &uniform_(double from = 0, double to = 1, tn_generator *generator = nullptr) { return did(tn_uniform_(get(), from, to, generator)); }
    AnyTensor &normal_(double mean = 0, double std = 1, tn_generator *generator = nullptr) { return did(tn_normal_(get(), mean, std, generator)); }
    AnyTensor &log_normal_(double mean = 1, double std = 2, tn_generator *generator = nullptr) { return did(tn_log_normal_(get(), mean, std, generator)); }
    AnyTensor &exponential_(double lambd = 1, tn_generator *generator = nullptr) { return did(tn_exponential_(get(), lambd, generator)); }
    AnyTensor &cauchy_(double median = 0, double sigma = 1, tn_generator *generator = nullptr) { return did(tn_cauchy_(get(), median, sigma, generator)); }
    AnyTensor &geometric_(double p, tn_generator *generator = nullptr) { return did(tn_geometric_(get(), p, generator)); }
    AnyTensor &random_(tn_generator *generator = nullptr) { return did(tn_random_(get(), generator)); }
    AnyTensor &random_(int64_t to, tn_generator *generator = nullptr) { return did(tn_random_to_(get(), to, generator)); }
    AnyTensor &random_from_(int64_t from, int64_t to = TN_NONE, tn_generator *generator = nullptr) { return did(tn_random_from_(get(), from, to, generator)); }
    AnyTensor bernoulli(tn_generator *generator = nullptr) const { return detail::Own()(tn_bernoulli(get(), generator)); }
    AnyTensor bernoulli(double p, tn_generator *generator = nullptr) const { return detail::Own()(tn_bernoulli_p(get(), p, generator)); }
    AnyTensor &bernoulli_(double p = 0.5, tn_generator *generator = nullptr) { return did(tn_bernoulli_(get(), p, generator)); }
    AnyTensor &bernoulli_(const AnyTensor &p, tn_generator *generator = nullptr) { return did(tn_bernoulli_tensor_(get(), p.get(), generator)); }
    AnyTensor multinomial(int64_t num_samples, bool replacement = false, tn_generator *generator = nullptr) const { return detail::Own()(tn_multinomial(get(), num_samples, replacement, generator)); }
    AnyTensor dropout(double p, bool train, tn_generator *generator = nullptr) const { return detail::Own()(tn_dropout(get(), p, train, generator)); }
    AnyTensor &dropout_(double p, bool train, tn_generator *generator = nullptr) { return did(tn_dropout_(get(), p, train, generator)); }
    OutputMask<> native_dropout(double p, bool train = true, tn_generator *generator = nullptr) const { return detail::Own().template named<OutputMask<>, 2>(tn_native_dropout(get(), p, train, generator)); }
    AnyTensor _dropout_bits(Dims size, double p, tn_generator *generator = nullptr) const { return detail::Own()(tn__dropout_bits(get(), size, p, generator)); }
    AnyTensor poisson(tn_generator *generator = nullptr) const { return detail::Own()(tn_poisson(get(), generator)); }
    AnyTensor binomial(const AnyTensor &prob, tn_generator *generator = nullptr) const { return detail::Own()(tn_binomial(get(), prob.get(), generator)); }
    AnyTensor standard_gamma(tn_generator *generator = nullptr) const { return detail::Own()(tn_standard_gamma(get(), generator)); }
    AnyTensor _standard_gamma(tn_generator *generator = nullptr) const { return detail::Own()(tn__standard_gamma(get(), generator)); }
    AnyTensor _standard_gamma_grad(const AnyTensor &output) const { return detail::Own()(tn__standard_gamma_grad(get(), output.get())); }
    AnyTensor sample_dirichlet(tn_generator *generator = nullptr) const { return detail::Own()(tn_sample_dirichlet(get(), generator)); }
    AnyTensor _sample_dirichlet(tn_generator *generator = nullptr) const { return detail::Own()(tn__sample_dirichlet(get(), generator)); }
    AnyTensor _dirichlet_grad(const AnyTensor &alpha, const AnyTensor &total) const { return detail::Own()(tn__dirichlet_grad(get(), alpha.get(), total.get())); }
    AnyTensor alpha_dropout(double p, bool train, tn_generator *generator = nullptr) const { return detail::Own()(tn_alpha_dropout(get(), p, train, generator)); }
    AnyTensor &alpha_dropout_(double p, bool train, tn_generator *generator = nullptr) { return did(tn_alpha_dropout_(get(), p, train, generator)); }
    AnyTensor feature_dropout(double p, bool train, tn_generator *generator = nullptr) const { return detail::Own()(tn_feature_dropout(get(), p, train, generator)); }
    AnyTensor &feature_dropout_(double p, bool train, tn_generator *generator = nullptr) { return did(tn_feature_dropout_(get(), p, train, generator)); }
    AnyTensor feature_alpha_dropout(double p, bool train, tn_generator *generator = nullptr) const { return detail::Own()(tn_feature_alpha_dropout(get(), p, train, generator)); }
    AnyTensor &feature_alpha_dropout_(double p, bool train, tn_generator *generator = nullptr) { return did(tn_feature_alpha_dropout_(get(), p, train, generator)); }

    /* initialise */
    AnyTensor &xavier_uniform_(double gain = 1, tn_generator *generator = nullptr) { return did(tn_xavier_uniform_(get(), gain, generator)); }
    AnyTensor &xavier_normal_(double gain = 1, tn_generator *generator = nullptr) { return did(tn_xavier_normal_(get(), gain, generator)); }
    AnyTensor &kaiming_uniform_(double a = 0, const char *mode = "fan_in", const char *nonlinearity = "leaky_relu", tn_generator *generator = nullptr) { return did(tn_kaiming_uniform_(get(), a, mode, nonlinearity, generator)); }
    AnyTensor &kaiming_normal_(double a = 0, const char *mode = "fan_in", const char *nonlinearity = "leaky_relu", tn_generator *generator = nullptr) { return did(tn_kaiming_normal_(get(), a, mode, nonlinearity, generator)); }
    AnyTensor &trunc_normal_(double mean = 0, double std = 1, double a = -2, double b = 2, tn_generator *generator = nullptr) { return did(tn_trunc_normal_(get(), mean, std, a, b, generator)); }
    AnyTensor &orthogonal_(double gain = 1, tn_generator *generator = nullptr) { return did(tn_orthogonal_(get(), gain, generator)); }
    AnyTensor &sparse_(double sparsity, double std = 0.01, tn_generator *generator = nullptr) { return did(tn_sparse_(get(), sparsity, std, generator)); }
    AnyTensor &eye_() { return did(tn_eye_(get())); }
    AnyTensor &dirac_(int64_t groups = 1) { return did(tn_dirac_(get(), groups)); }

    /* linalg */
    LInfo<> linalg_cholesky_ex(bool upper = false, bool check_errors = false) const { return detail::Own().template named<LInfo<>, 2>(tn_linalg_cholesky_ex(get(), upper, check_errors)); }
    AnyTensor linalg_cholesky(bool upper = false) const { return detail::Own()(tn_linalg_cholesky(get(), upper)); }
    AnyTensor cholesky(bool upper = false) const { return detail::Own()(tn_cholesky(get(), upper)); }
    AnyTensor cholesky_solve(const AnyTensor &input2, bool upper = false) const { return detail::Own()(tn_cholesky_solve(get(), input2.get(), upper)); }
    AnyTensor cholesky_inverse(bool upper = false) const { return detail::Own()(tn_cholesky_inverse(get(), upper)); }
    LUPivotsInfo<> linalg_lu_factor_ex(bool pivot = true, bool check_errors = false) const { return detail::Own().template named<LUPivotsInfo<>, 3>(tn_linalg_lu_factor_ex(get(), pivot, check_errors)); }
    LUPivots<> linalg_lu_factor(bool pivot = true) const { return detail::Own().template named<LUPivots<>, 2>(tn_linalg_lu_factor(get(), pivot)); }
    AnyTensor _linalg_pivots_to_matrix(int64_t n, tn_dtype dtype) const { return detail::Own()(tn__linalg_pivots_to_matrix(get(), n, dtype)); }
    PLU<> lu_unpack(const AnyTensor &LU_pivots, bool unpack_data = true, bool unpack_pivots = true) const { return detail::Own().template named<PLU<>, 3>(tn_lu_unpack(get(), LU_pivots.get(), unpack_data, unpack_pivots)); }
    PLU<> linalg_lu(bool pivot = true) const { return detail::Own().template named<PLU<>, 3>(tn_linalg_lu(get(), pivot)); }
    AnyTensor linalg_lu_solve(const AnyTensor &pivots, const AnyTensor &B, bool left = true, bool adjoint = false) const { return detail::Own()(tn_linalg_lu_solve(get(), pivots.get(), B.get(), left, adjoint)); }
    AnyTensor lu_solve(const AnyTensor &LU_data, const AnyTensor &LU_pivots) const { return detail::Own()(tn_lu_solve(get(), LU_data.get(), LU_pivots.get())); }
    AnyTensor linalg_solve_triangular(const AnyTensor &B, bool upper, bool left = true, bool unitriangular = false) const { return detail::Own()(tn_linalg_solve_triangular(get(), B.get(), upper, left, unitriangular)); }
    SolutionClonedCoefficient<> triangular_solve(const AnyTensor &A, bool upper = true, bool transpose = false, bool unitriangular = false) const { return detail::Own().template named<SolutionClonedCoefficient<>, 2>(tn_triangular_solve(get(), A.get(), upper, transpose, unitriangular)); }
    ResultLUPivotsInfo<> _linalg_solve_ex(const AnyTensor &B, bool check_errors = false) const { return detail::Own().template named<ResultLUPivotsInfo<>, 4>(tn__linalg_solve_ex(get(), B.get(), check_errors)); }
    ResultInfo<> linalg_solve_ex(const AnyTensor &B, bool left = true, bool check_errors = false) const { return detail::Own().template named<ResultInfo<>, 2>(tn_linalg_solve_ex(get(), B.get(), left, check_errors)); }
    AnyTensor linalg_solve(const AnyTensor &B, bool left = true) const { return detail::Own()(tn_linalg_solve(get(), B.get(), left)); }
    InverseInfo<> linalg_inv_ex(bool check_errors = false) const { return detail::Own().template named<InverseInfo<>, 2>(tn_linalg_inv_ex(get(), check_errors)); }
    AnyTensor linalg_inv() const { return detail::Own()(tn_linalg_inv(get())); }
    AnyTensor inverse() const { return detail::Own()(tn_inverse(get())); }
    AnyTensor linalg_tensorinv(int64_t ind = 2) const { return detail::Own()(tn_linalg_tensorinv(get(), ind)); }
    AnyTensor linalg_tensorsolve(const AnyTensor &other, Dims dims = Dims()) const { return detail::Own()(tn_linalg_tensorsolve(get(), other.get(), dims)); }
    ResultLUPivots<> _linalg_det() const { return detail::Own().template named<ResultLUPivots<>, 3>(tn__linalg_det(get())); }
    AnyTensor linalg_det() const { return detail::Own()(tn_linalg_det(get())); }
    AnyTensor det() const { return detail::Own()(tn_det(get())); }
    SignLogabsdetLUPivots<> _linalg_slogdet() const { return detail::Own().template named<SignLogabsdetLUPivots<>, 4>(tn__linalg_slogdet(get())); }
    SignLogabsdet<> linalg_slogdet() const { return detail::Own().template named<SignLogabsdet<>, 2>(tn_linalg_slogdet(get())); }
    SignLogabsdet<> slogdet() const { return detail::Own().template named<SignLogabsdet<>, 2>(tn_slogdet(get())); }
    AnyTensor logdet() const { return detail::Own()(tn_logdet(get())); }
    ATau<> geqrf() const { return detail::Own().template named<ATau<>, 2>(tn_geqrf(get())); }
    AnyTensor linalg_householder_product(const AnyTensor &tau) const { return detail::Own()(tn_linalg_householder_product(get(), tau.get())); }
    AnyTensor orgqr(const AnyTensor &tau) const { return detail::Own()(tn_orgqr(get(), tau.get())); }
    AnyTensor ormqr(const AnyTensor &tau, const AnyTensor &input3, bool left = true, bool transpose = false) const { return detail::Own()(tn_ormqr(get(), tau.get(), input3.get(), left, transpose)); }
    QR<> linalg_qr(const char *mode = "reduced") const { return detail::Own().template named<QR<>, 2>(tn_linalg_qr(get(), mode)); }
    QR<> qr(bool some = true) const { return detail::Own().template named<QR<>, 2>(tn_qr(get(), some)); }
    LDPivotsInfo<> linalg_ldl_factor_ex(bool hermitian = false, bool check_errors = false) const { return detail::Own().template named<LDPivotsInfo<>, 3>(tn_linalg_ldl_factor_ex(get(), hermitian, check_errors)); }
    LDPivots<> linalg_ldl_factor(bool hermitian = false) const { return detail::Own().template named<LDPivots<>, 2>(tn_linalg_ldl_factor(get(), hermitian)); }
    AnyTensor linalg_ldl_solve(const AnyTensor &pivots, const AnyTensor &B, bool hermitian = false) const { return detail::Own()(tn_linalg_ldl_solve(get(), pivots.get(), B.get(), hermitian)); }
    AnyTensor linalg_matrix_exp() const { return detail::Own()(tn_linalg_matrix_exp(get())); }
    AnyTensor matrix_exp() const { return detail::Own()(tn_matrix_exp(get())); }
    AnyTensor linalg_matrix_norm(Number ord, Dims dim = Dims(), bool keepdim = false, tn_dtype dtype = TN_DTYPE_DEFAULT) const { return detail::Own()(tn_linalg_matrix_norm(get(), ord, dim, keepdim, dtype)); }
    AnyTensor linalg_matrix_norm(const char *ord = "fro", Dims dim = Dims(), bool keepdim = false, tn_dtype dtype = TN_DTYPE_DEFAULT) const { return detail::Own()(tn_linalg_matrix_norm_str_ord(get(), ord, dim, keepdim, dtype)); }
    AnyTensor linalg_norm(Number ord = Number::none(), Dims dim = Dims(), bool keepdim = false, tn_dtype dtype = TN_DTYPE_DEFAULT) const { return detail::Own()(tn_linalg_norm(get(), ord, dim, keepdim, dtype)); }
    AnyTensor linalg_norm(const char *ord, Dims dim = Dims(), bool keepdim = false, tn_dtype dtype = TN_DTYPE_DEFAULT) const { return detail::Own()(tn_linalg_norm_ord_str(get(), ord, dim, keepdim, dtype)); }
    EigenvaluesEigenvectors<> linalg_eigh(const char *UPLO = "L") const { return detail::Own().template named<EigenvaluesEigenvectors<>, 2>(tn_linalg_eigh(get(), UPLO)); }
    AnyTensor linalg_eigvalsh(const char *UPLO = "L") const { return detail::Own()(tn_linalg_eigvalsh(get(), UPLO)); }
    EigenvaluesEigenvectors<> linalg_eig() const { return detail::Own().template named<EigenvaluesEigenvectors<>, 2>(tn_linalg_eig(get())); }
    AnyTensor linalg_eigvals() const { return detail::Own()(tn_linalg_eigvals(get())); }
    USVh<> linalg_svd(bool full_matrices = true, const char *driver = "none") const { return detail::Own().template named<USVh<>, 3>(tn_linalg_svd(get(), full_matrices, driver)); }
    AnyTensor linalg_svdvals(const char *driver = "none") const { return detail::Own()(tn_linalg_svdvals(get(), driver)); }
    USV<> svd(bool some = true, bool compute_uv = true) const { return detail::Own().template named<USV<>, 3>(tn_svd(get(), some, compute_uv)); }
    AnyTensor linalg_pinv(Number atol = Number::none(), Number rtol = Number::none(), bool hermitian = false) const { return detail::Own()(tn_linalg_pinv(get(), atol, rtol, hermitian)); }
    AnyTensor linalg_pinv_tensor(const AnyTensor &atol = AnyTensor(), const AnyTensor &rtol = AnyTensor(), bool hermitian = false) const { return detail::Own()(tn_linalg_pinv_tensor(get(), atol.get(), rtol.get(), hermitian)); }
    AnyTensor linalg_pinv_rcond(Number rcond, bool hermitian = false) const { return detail::Own()(tn_linalg_pinv_rcond(get(), rcond, hermitian)); }
    AnyTensor linalg_pinv_rcond_tensor(const AnyTensor &rcond, bool hermitian = false) const { return detail::Own()(tn_linalg_pinv_rcond_tensor(get(), rcond.get(), hermitian)); }
    AnyTensor pinverse(double rcond = 1e-15) const { return detail::Own()(tn_pinverse(get(), rcond)); }
    AnyTensor linalg_matrix_rank(Number atol = Number::none(), Number rtol = Number::none(), bool hermitian = false) const { return detail::Own()(tn_linalg_matrix_rank(get(), atol, rtol, hermitian)); }
    AnyTensor linalg_matrix_rank_tensor(const AnyTensor &atol = AnyTensor(), const AnyTensor &rtol = AnyTensor(), bool hermitian = false) const { return detail::Own()(tn_linalg_matrix_rank_tensor(get(), atol.get(), rtol.get(), hermitian)); }
    AnyTensor linalg_matrix_rank_tol(Number tol, bool hermitian = false) const { return detail::Own()(tn_linalg_matrix_rank_tol(get(), tol, hermitian)); }
    AnyTensor linalg_matrix_rank_tol_tensor(const AnyTensor &tol, bool hermitian = false) const { return detail::Own()(tn_linalg_matrix_rank_tol_tensor(get(), tol.get(), hermitian)); }
    SolutionResidualsRankSingularValues<> linalg_lstsq(const AnyTensor &b, Number rcond = Number::none(), const char *driver = "none") const { return detail::Own().template named<SolutionResidualsRankSingularValues<>, 4>(tn_linalg_lstsq(get(), b.get(), rcond, driver)); }
    AnyTensor norm(const char *p, Dims dim = Dims(), bool keepdim = false, tn_dtype dtype = TN_DTYPE_DEFAULT) const { return detail::Own()(tn_norm_text(get(), p, dim, keepdim, dtype)); }
    AnyTensor linalg_cond(Number p = Number::none()) const { return detail::Own()(tn_linalg_cond(get(), p)); }
    AnyTensor linalg_cond(const char *p) const { return detail::Own()(tn_linalg_cond_text(get(), p)); }

    /* fft */
    AnyTensor _fft_c2c(Dims dim, int64_t normalization, bool forward) const { return detail::Own()(tn__fft_c2c(get(), dim, normalization, forward)); }
    AnyTensor _fft_r2c(Dims dim, int64_t normalization, bool onesided) const { return detail::Own()(tn__fft_r2c(get(), dim, normalization, onesided)); }
    AnyTensor _fft_c2r(Dims dim, int64_t normalization, int64_t last_dim_size) const { return detail::Own()(tn__fft_c2r(get(), dim, normalization, last_dim_size)); }
    AnyTensor fft_fft(int64_t n = TN_NONE, int64_t dim = -1, const char *norm = "backward") const { return detail::Own()(tn_fft_fft(get(), n, dim, norm)); }
    AnyTensor fft_ifft(int64_t n = TN_NONE, int64_t dim = -1, const char *norm = "backward") const { return detail::Own()(tn_fft_ifft(get(), n, dim, norm)); }
    AnyTensor fft_rfft(int64_t n = TN_NONE, int64_t dim = -1, const char *norm = "backward") const { return detail::Own()(tn_fft_rfft(get(), n, dim, norm)); }
    AnyTensor fft_irfft(int64_t n = TN_NONE, int64_t dim = -1, const char *norm = "backward") const { return detail::Own()(tn_fft_irfft(get(), n, dim, norm)); }
    AnyTensor fft_hfft(int64_t n = TN_NONE, int64_t dim = -1, const char *norm = "backward") const { return detail::Own()(tn_fft_hfft(get(), n, dim, norm)); }
    AnyTensor fft_ihfft(int64_t n = TN_NONE, int64_t dim = -1, const char *norm = "backward") const { return detail::Own()(tn_fft_ihfft(get(), n, dim, norm)); }
    AnyTensor fft_fft2(Dims s = Dims(), Dims dim = Dims(), const char *norm = "backward") const { return detail::Own()(tn_fft_fft2(get(), s, dim, norm)); }
    AnyTensor fft_ifft2(Dims s = Dims(), Dims dim = Dims(), const char *norm = "backward") const { return detail::Own()(tn_fft_ifft2(get(), s, dim, norm)); }
    AnyTensor fft_rfft2(Dims s = Dims(), Dims dim = Dims(), const char *norm = "backward") const { return detail::Own()(tn_fft_rfft2(get(), s, dim, norm)); }
    AnyTensor fft_irfft2(Dims s = Dims(), Dims dim = Dims(), const char *norm = "backward") const { return detail::Own()(tn_fft_irfft2(get(), s, dim, norm)); }
    AnyTensor fft_hfft2(Dims s = Dims(), Dims dim = Dims(), const char *norm = "backward") const { return detail::Own()(tn_fft_hfft2(get(), s, dim, norm)); }
    AnyTensor fft_ihfft2(Dims s = Dims(), Dims dim = Dims(), const char *norm = "backward") const { return detail::Own()(tn_fft_ihfft2(get(), s, dim, norm)); }
    AnyTensor fft_fftn(Dims s = Dims(), Dims dim = Dims(), const char *norm = "backward") const { return detail::Own()(tn_fft_fftn(get(), s, dim, norm)); }
    AnyTensor fft_ifftn(Dims s = Dims(), Dims dim = Dims(), const char *norm = "backward") const { return detail::Own()(tn_fft_ifftn(get(), s, dim, norm)); }
    AnyTensor fft_rfftn(Dims s = Dims(), Dims dim = Dims(), const char *norm = "backward") const { return detail::Own()(tn_fft_rfftn(get(), s, dim, norm)); }
    AnyTensor fft_irfftn(Dims s = Dims(), Dims dim = Dims(), const char *norm = "backward") const { return detail::Own()(tn_fft_irfftn(get(), s, dim, norm)); }
    AnyTensor fft_hfftn(Dims s = Dims(), Dims dim = Dims(), const char *norm = "backward") const { return detail::Own()(tn_fft_hfftn(get(), s, dim, norm)); }
    AnyTensor fft_ihfftn(Dims s = Dims(), Dims dim = Dims(), const char *norm = "backward") const { return detail::Own()(tn_fft_ihfftn(get(), s, dim, norm)); }
    AnyTensor fft_fftshift(Dims dim = Dims()) const { return detail::Own()(tn_fft_fftshift(get(), dim)); }
    AnyTensor fft_ifftshift(Dims dim = Dims()) const { return detail::Own()(tn_fft_ifftshift(get(), dim)); }
    AnyTensor stft(int64_t n_fft, int64_t hop_length = TN_NONE, int64_t win_length = TN_NONE, const AnyTensor &window = AnyTensor(), bool center = true, const char *pad_mode = "reflect", bool normalized = false, Number onesided = Number::none(), Number return_complex = Number::none()) const { return detail::Own()(tn_stft(get(), n_fft, hop_length, win_length, window.get(), center, pad_mode, normalized, onesided, return_complex)); }
    AnyTensor istft(int64_t n_fft, int64_t hop_length = TN_NONE, int64_t win_length = TN_NONE, const AnyTensor &window = AnyTensor(), bool center = true, bool normalized = false, Number onesided = Number::none(), int64_t length = TN_NONE, bool return_complex = false) const { return detail::Own()(tn_istft(get(), n_fft, hop_length, win_length, window.get(), center, normalized, onesided, length, return_complex)); }

    /* special */
    AnyTensor special_entr() const { return detail::Own()(tn_special_entr(get())); }
    AnyTensor special_erfcx() const { return detail::Own()(tn_special_erfcx(get())); }
    AnyTensor special_ndtr() const { return detail::Own()(tn_special_ndtr(get())); }
    AnyTensor special_log_ndtr() const { return detail::Own()(tn_special_log_ndtr(get())); }
    AnyTensor special_ndtri() const { return detail::Own()(tn_special_ndtri(get())); }
    AnyTensor special_xlog1py(const AnyTensor &other) const { return detail::Own()(tn_special_xlog1py(get(), other.get())); }
    AnyTensor special_xlog1py(Number other) const { return detail::Own()(tn_special_xlog1py_scalar(get(), other)); }
    AnyTensor special_i0e() const { return detail::Own()(tn_special_i0e(get())); }
    AnyTensor special_i1() const { return detail::Own()(tn_special_i1(get())); }
    AnyTensor special_i1e() const { return detail::Own()(tn_special_i1e(get())); }
    AnyTensor special_bessel_j0() const { return detail::Own()(tn_special_bessel_j0(get())); }
    AnyTensor special_bessel_j1() const { return detail::Own()(tn_special_bessel_j1(get())); }
    AnyTensor special_bessel_y0() const { return detail::Own()(tn_special_bessel_y0(get())); }
    AnyTensor special_bessel_y1() const { return detail::Own()(tn_special_bessel_y1(get())); }
    AnyTensor special_modified_bessel_i0() const { return detail::Own()(tn_special_modified_bessel_i0(get())); }
    AnyTensor special_modified_bessel_i1() const { return detail::Own()(tn_special_modified_bessel_i1(get())); }
    AnyTensor special_modified_bessel_k0() const { return detail::Own()(tn_special_modified_bessel_k0(get())); }
    AnyTensor special_modified_bessel_k1() const { return detail::Own()(tn_special_modified_bessel_k1(get())); }
    AnyTensor special_scaled_modified_bessel_k0() const { return detail::Own()(tn_special_scaled_modified_bessel_k0(get())); }
    AnyTensor special_scaled_modified_bessel_k1() const { return detail::Own()(tn_special_scaled_modified_bessel_k1(get())); }
    AnyTensor special_spherical_bessel_j0() const { return detail::Own()(tn_special_spherical_bessel_j0(get())); }
    AnyTensor special_airy_ai() const { return detail::Own()(tn_special_airy_ai(get())); }
    AnyTensor special_zeta(const AnyTensor &other) const { return detail::Own()(tn_special_zeta(get(), other.get())); }
    AnyTensor special_zeta(Number other) const { return detail::Own()(tn_special_zeta_scalar(get(), other)); }
    AnyTensor igamma(const AnyTensor &other) const { return detail::Own()(tn_igamma(get(), other.get())); }
    AnyTensor &igamma_(const AnyTensor &other) { return did(tn_igamma_(get(), other.get())); }
    AnyTensor special_gammainc(const AnyTensor &other) const { return detail::Own()(tn_special_gammainc(get(), other.get())); }
    AnyTensor &special_gammainc_(const AnyTensor &other) { return did(tn_special_gammainc_(get(), other.get())); }
    AnyTensor igammac(const AnyTensor &other) const { return detail::Own()(tn_igammac(get(), other.get())); }
    AnyTensor &igammac_(const AnyTensor &other) { return did(tn_igammac_(get(), other.get())); }
    AnyTensor special_gammaincc(const AnyTensor &other) const { return detail::Own()(tn_special_gammaincc(get(), other.get())); }
    AnyTensor &special_gammaincc_(const AnyTensor &other) { return did(tn_special_gammaincc_(get(), other.get())); }
    AnyTensor special_chebyshev_polynomial_t(const AnyTensor &n) const { return detail::Own()(tn_special_chebyshev_polynomial_t(get(), n.get())); }
    AnyTensor special_chebyshev_polynomial_t(Number n) const { return detail::Own()(tn_special_chebyshev_polynomial_t_scalar(get(), n)); }
    AnyTensor special_chebyshev_polynomial_u(const AnyTensor &n) const { return detail::Own()(tn_special_chebyshev_polynomial_u(get(), n.get())); }
    AnyTensor special_chebyshev_polynomial_u(Number n) const { return detail::Own()(tn_special_chebyshev_polynomial_u_scalar(get(), n)); }
    AnyTensor special_chebyshev_polynomial_v(const AnyTensor &n) const { return detail::Own()(tn_special_chebyshev_polynomial_v(get(), n.get())); }
    AnyTensor special_chebyshev_polynomial_v(Number n) const { return detail::Own()(tn_special_chebyshev_polynomial_v_scalar(get(), n)); }
    AnyTensor special_chebyshev_polynomial_w(const AnyTensor &n) const { return detail::Own()(tn_special_chebyshev_polynomial_w(get(), n.get())); }
    AnyTensor special_chebyshev_polynomial_w(Number n) const { return detail::Own()(tn_special_chebyshev_polynomial_w_scalar(get(), n)); }
    AnyTensor special_shifted_chebyshev_polynomial_t(const AnyTensor &n) const { return detail::Own()(tn_special_shifted_chebyshev_polynomial_t(get(), n.get())); }
    AnyTensor special_shifted_chebyshev_polynomial_t(Number n) const { return detail::Own()(tn_special_shifted_chebyshev_polynomial_t_scalar(get(), n)); }
    AnyTensor special_shifted_chebyshev_polynomial_u(const AnyTensor &n) const { return detail::Own()(tn_special_shifted_chebyshev_polynomial_u(get(), n.get())); }
    AnyTensor special_shifted_chebyshev_polynomial_u(Number n) const { return detail::Own()(tn_special_shifted_chebyshev_polynomial_u_scalar(get(), n)); }
    AnyTensor special_shifted_chebyshev_polynomial_v(const AnyTensor &n) const { return detail::Own()(tn_special_shifted_chebyshev_polynomial_v(get(), n.get())); }
    AnyTensor special_shifted_chebyshev_polynomial_v(Number n) const { return detail::Own()(tn_special_shifted_chebyshev_polynomial_v_scalar(get(), n)); }
    AnyTensor special_shifted_chebyshev_polynomial_w(const AnyTensor &n) const { return detail::Own()(tn_special_shifted_chebyshev_polynomial_w(get(), n.get())); }
    AnyTensor special_shifted_chebyshev_polynomial_w(Number n) const { return detail::Own()(tn_special_shifted_chebyshev_polynomial_w_scalar(get(), n)); }
    AnyTensor special_hermite_polynomial_h(const AnyTensor &n) const { return detail::Own()(tn_special_hermite_polynomial_h(get(), n.get())); }
    AnyTensor special_hermite_polynomial_h(Number n) const { return detail::Own()(tn_special_hermite_polynomial_h_scalar(get(), n)); }
    AnyTensor special_hermite_polynomial_he(const AnyTensor &n) const { return detail::Own()(tn_special_hermite_polynomial_he(get(), n.get())); }
    AnyTensor special_hermite_polynomial_he(Number n) const { return detail::Own()(tn_special_hermite_polynomial_he_scalar(get(), n)); }
    AnyTensor special_laguerre_polynomial_l(const AnyTensor &n) const { return detail::Own()(tn_special_laguerre_polynomial_l(get(), n.get())); }
    AnyTensor special_laguerre_polynomial_l(Number n) const { return detail::Own()(tn_special_laguerre_polynomial_l_scalar(get(), n)); }
    AnyTensor special_legendre_polynomial_p(const AnyTensor &n) const { return detail::Own()(tn_special_legendre_polynomial_p(get(), n.get())); }
    AnyTensor special_legendre_polynomial_p(Number n) const { return detail::Own()(tn_special_legendre_polynomial_p_scalar(get(), n)); }
    AnyTensor polygamma(int64_t n) const { return detail::Own()(tn_polygamma(get(), n)); }
    AnyTensor &polygamma_(int64_t n) { return did(tn_polygamma_(get(), n)); }
    AnyTensor mvlgamma(int64_t p) const { return detail::Own()(tn_mvlgamma(get(), p)); }
    AnyTensor &mvlgamma_(int64_t p) { return did(tn_mvlgamma_(get(), p)); }
    AnyTensor special_multigammaln(int64_t p) const { return detail::Own()(tn_special_multigammaln(get(), p)); }
    AnyTensor &special_multigammaln_(int64_t p) { return did(tn_special_multigammaln_(get(), p)); }
};

/* Operators without a tensor before their other parameters, and those that write to out. */

/* create */
inline AnyTensor empty(Dims size, tn_dtype dtype = TN_DTYPE_DEFAULT) { return detail::Own()(tn_empty(size, dtype)); }
inline AnyTensor &empty_out(AnyTensor &out, Dims size, tn_dtype dtype = TN_DTYPE_DEFAULT) { return out.did(tn_empty_out(out.get(), size, dtype)); }
inline AnyTensor empty(Dims size, tn_dtype dtype, tn_device device) { return detail::Own()(tn_empty_device(size, dtype, device)); }
inline AnyTensor empty_strided(Dims size, Dims stride, tn_dtype dtype = TN_DTYPE_DEFAULT) { return detail::Own()(tn_empty_strided(size, stride, dtype)); }
inline AnyTensor zeros(Dims size, tn_dtype dtype = TN_DTYPE_DEFAULT) { return detail::Own()(tn_zeros(size, dtype)); }
inline AnyTensor &zeros_out(AnyTensor &out, Dims size, tn_dtype dtype = TN_DTYPE_DEFAULT) { return out.did(tn_zeros_out(out.get(), size, dtype)); }
inline AnyTensor ones(Dims size, tn_dtype dtype = TN_DTYPE_DEFAULT) { return detail::Own()(tn_ones(size, dtype)); }
inline AnyTensor &ones_out(AnyTensor &out, Dims size, tn_dtype dtype = TN_DTYPE_DEFAULT) { return out.did(tn_ones_out(out.get(), size, dtype)); }
inline AnyTensor full(Dims size, Number fill_value, tn_dtype dtype = TN_DTYPE_DEFAULT) { return detail::Own()(tn_full(size, fill_value, dtype)); }
inline AnyTensor &full_out(AnyTensor &out, Dims size, Number fill_value, tn_dtype dtype = TN_DTYPE_DEFAULT) { return out.did(tn_full_out(out.get(), size, fill_value, dtype)); }
inline AnyTensor arange(Number end, tn_dtype dtype = TN_DTYPE_DEFAULT) { return detail::Own()(tn_arange(end, dtype)); }
inline AnyTensor &arange_out(AnyTensor &out, Number end, tn_dtype dtype = TN_DTYPE_DEFAULT) { return out.did(tn_arange_out(out.get(), end, dtype)); }
inline AnyTensor arange(Number start, Number end, Number step = 1, tn_dtype dtype = TN_DTYPE_DEFAULT) { return detail::Own()(tn_arange_start(start, end, step, dtype)); }
inline AnyTensor &arange_out(AnyTensor &out, Number start, Number end, Number step = 1, tn_dtype dtype = TN_DTYPE_DEFAULT) { return out.did(tn_arange_start_out(out.get(), start, end, step, dtype)); }
inline AnyTensor range(Number start, Number end, Number step = 1, tn_dtype dtype = TN_DTYPE_DEFAULT) { return detail::Own()(tn_range(start, end, step, dtype)); }
inline AnyTensor &range_out(AnyTensor &out, Number start, Number end, Number step = 1, tn_dtype dtype = TN_DTYPE_DEFAULT) { return out.did(tn_range_out(out.get(), start, end, step, dtype)); }
inline AnyTensor linspace(Number start, Number end, int64_t steps, tn_dtype dtype = TN_DTYPE_DEFAULT) { return detail::Own()(tn_linspace(start, end, steps, dtype)); }
inline AnyTensor &linspace_out(AnyTensor &out, Number start, Number end, int64_t steps, tn_dtype dtype = TN_DTYPE_DEFAULT) { return out.did(tn_linspace_out(out.get(), start, end, steps, dtype)); }
inline AnyTensor logspace(Number start, Number end, int64_t steps, double base = 10, tn_dtype dtype = TN_DTYPE_DEFAULT) { return detail::Own()(tn_logspace(start, end, steps, base, dtype)); }
inline AnyTensor &logspace_out(AnyTensor &out, Number start, Number end, int64_t steps, double base = 10, tn_dtype dtype = TN_DTYPE_DEFAULT) { return out.did(tn_logspace_out(out.get(), start, end, steps, base, dtype)); }
inline AnyTensor eye(int64_t rows, int64_t columns, tn_dtype dtype = TN_DTYPE_DEFAULT) { return detail::Own()(tn_eye(rows, columns, dtype)); }
inline AnyTensor &eye_out(AnyTensor &out, int64_t rows, int64_t columns, tn_dtype dtype = TN_DTYPE_DEFAULT) { return out.did(tn_eye_out(out.get(), rows, columns, dtype)); }
inline AnyTensor scalar_tensor(Number value, tn_dtype dtype = TN_DTYPE_DEFAULT) { return detail::Own()(tn_scalar_tensor(value, dtype)); }

/* view */
inline std::vector<AnyTensor> broadcast_tensors(TensorList tensors) { return detail::Own().all(tn_broadcast_tensors(tensors.items(), tensors.count())); }
inline std::vector<AnyTensor> meshgrid(TensorList tensors, const char *indexing = "ij") { return detail::Own().all(tn_meshgrid(tensors.items(), tensors.count(), indexing)); }

/* view copies */
inline AnyTensor &alias_copy_out(AnyTensor &out, const AnyTensor &self) { return out.did(tn_alias_copy_out(out.get(), self.get())); }
inline AnyTensor &as_strided_copy_out(AnyTensor &out, const AnyTensor &self, Dims size, Dims stride, int64_t storage_offset = TN_NONE) { return out.did(tn_as_strided_copy_out(out.get(), self.get(), size, stride, storage_offset)); }
inline AnyTensor &detach_copy_out(AnyTensor &out, const AnyTensor &self) { return out.did(tn_detach_copy_out(out.get(), self.get())); }
inline AnyTensor &diagonal_copy_out(AnyTensor &out, const AnyTensor &self, int64_t offset = 0, int64_t dim1 = 0, int64_t dim2 = 1) { return out.did(tn_diagonal_copy_out(out.get(), self.get(), offset, dim1, dim2)); }
inline AnyTensor &expand_copy_out(AnyTensor &out, const AnyTensor &self, Dims size) { return out.did(tn_expand_copy_out(out.get(), self.get(), size)); }
inline AnyTensor &narrow_copy_out(AnyTensor &out, const AnyTensor &self, int64_t dim, int64_t start, int64_t length) { return out.did(tn_narrow_copy_out(out.get(), self.get(), dim, start, length)); }
inline AnyTensor &permute_copy_out(AnyTensor &out, const AnyTensor &self, Dims dims) { return out.did(tn_permute_copy_out(out.get(), self.get(), dims)); }
inline AnyTensor &select_copy_out(AnyTensor &out, const AnyTensor &self, int64_t dim, int64_t index) { return out.did(tn_select_copy_out(out.get(), self.get(), dim, index)); }
inline AnyTensor &slice_copy_out(AnyTensor &out, const AnyTensor &self, int64_t dim = 0, int64_t start = TN_NONE, int64_t end = TN_NONE, int64_t step = 1) { return out.did(tn_slice_copy_out(out.get(), self.get(), dim, start, end, step)); }
inline AnyTensor &squeeze_copy_out(AnyTensor &out, const AnyTensor &self) { return out.did(tn_squeeze_copy_out(out.get(), self.get())); }
inline AnyTensor &squeeze_copy_out(AnyTensor &out, const AnyTensor &self, int64_t dim) { return out.did(tn_squeeze_copy_dim_out(out.get(), self.get(), dim)); }
inline AnyTensor &squeeze_copy_out(AnyTensor &out, const AnyTensor &self, Dims dims) { return out.did(tn_squeeze_copy_dims_out(out.get(), self.get(), dims)); }
inline AnyTensor &t_copy_out(AnyTensor &out, const AnyTensor &self) { return out.did(tn_t_copy_out(out.get(), self.get())); }
inline AnyTensor &transpose_copy_out(AnyTensor &out, const AnyTensor &self, int64_t dim0, int64_t dim1) { return out.did(tn_transpose_copy_out(out.get(), self.get(), dim0, dim1)); }
inline AnyTensor &unfold_copy_out(AnyTensor &out, const AnyTensor &self, int64_t dimension, int64_t size, int64_t step) { return out.did(tn_unfold_copy_out(out.get(), self.get(), dimension, size, step)); }
inline AnyTensor &unsqueeze_copy_out(AnyTensor &out, const AnyTensor &self, int64_t dim) { return out.did(tn_unsqueeze_copy_out(out.get(), self.get(), dim)); }
inline AnyTensor &view_copy_out(AnyTensor &out, const AnyTensor &self, Dims shape) { return out.did(tn_view_copy_out(out.get(), self.get(), shape)); }
inline AnyTensor &view_copy_out(AnyTensor &out, const AnyTensor &self, tn_dtype dtype) { return out.did(tn_view_copy_dtype_out(out.get(), self.get(), dtype)); }
inline AnyTensor &view_as_complex_copy_out(AnyTensor &out, const AnyTensor &self) { return out.did(tn_view_as_complex_copy_out(out.get(), self.get())); }
inline AnyTensor &view_as_real_copy_out(AnyTensor &out, const AnyTensor &self) { return out.did(tn_view_as_real_copy_out(out.get(), self.get())); }

/* arithmetic */
inline AnyTensor &add_out(AnyTensor &out, const AnyTensor &self, const AnyTensor &other) { return out.did(tn_add_out(out.get(), self.get(), other.get())); }
inline AnyTensor &add_out(AnyTensor &out, const AnyTensor &self, Number other) { return out.did(tn_add_scalar_out(out.get(), self.get(), other)); }
inline AnyTensor add(Number self, const AnyTensor &other) { return detail::Own()(tn_add_rscalar(self, other.get())); }
inline AnyTensor &add_out(AnyTensor &out, Number self, const AnyTensor &other) { return out.did(tn_add_rscalar_out(out.get(), self, other.get())); }
inline AnyTensor &add_alpha_out(AnyTensor &out, const AnyTensor &self, const AnyTensor &other, Number alpha = 1) { return out.did(tn_add_alpha_out(out.get(), self.get(), other.get(), alpha)); }
inline AnyTensor &sub_out(AnyTensor &out, const AnyTensor &self, const AnyTensor &other) { return out.did(tn_sub_out(out.get(), self.get(), other.get())); }
inline AnyTensor &subtract_out(AnyTensor &out, const AnyTensor &self, const AnyTensor &other) { return out.did(tn_subtract_out(out.get(), self.get(), other.get())); }
inline AnyTensor &sub_out(AnyTensor &out, const AnyTensor &self, Number other) { return out.did(tn_sub_scalar_out(out.get(), self.get(), other)); }
inline AnyTensor &subtract_out(AnyTensor &out, const AnyTensor &self, Number other) { return out.did(tn_subtract_scalar_out(out.get(), self.get(), other)); }
inline AnyTensor sub(Number self, const AnyTensor &other) { return detail::Own()(tn_sub_rscalar(self, other.get())); }
inline AnyTensor &sub_out(AnyTensor &out, Number self, const AnyTensor &other) { return out.did(tn_sub_rscalar_out(out.get(), self, other.get())); }
inline AnyTensor &sub_alpha_out(AnyTensor &out, const AnyTensor &self, const AnyTensor &other, Number alpha = 1) { return out.did(tn_sub_alpha_out(out.get(), self.get(), other.get(), alpha)); }
inline AnyTensor &subtract_alpha_out(AnyTensor &out, const AnyTensor &self, const AnyTensor &other, Number alpha = 1) { return out.did(tn_subtract_alpha_out(out.get(), self.get(), other.get(), alpha)); }
inline AnyTensor &rsub_out(AnyTensor &out, const AnyTensor &self, const AnyTensor &other, Number alpha = 1) { return out.did(tn_rsub_out(out.get(), self.get(), other.get(), alpha)); }
inline AnyTensor &rsub_out(AnyTensor &out, const AnyTensor &self, Number other, Number alpha = 1) { return out.did(tn_rsub_scalar_out(out.get(), self.get(), other, alpha)); }
inline AnyTensor &mul_out(AnyTensor &out, const AnyTensor &self, const AnyTensor &other) { return out.did(tn_mul_out(out.get(), self.get(), other.get())); }
inline AnyTensor &multiply_out(AnyTensor &out, const AnyTensor &self, const AnyTensor &other) { return out.did(tn_multiply_out(out.get(), self.get(), other.get())); }
inline AnyTensor &mul_out(AnyTensor &out, const AnyTensor &self, Number other) { return out.did(tn_mul_scalar_out(out.get(), self.get(), other)); }
inline AnyTensor &multiply_out(AnyTensor &out, const AnyTensor &self, Number other) { return out.did(tn_multiply_scalar_out(out.get(), self.get(), other)); }
inline AnyTensor mul(Number self, const AnyTensor &other) { return detail::Own()(tn_mul_rscalar(self, other.get())); }
inline AnyTensor &mul_out(AnyTensor &out, Number self, const AnyTensor &other) { return out.did(tn_mul_rscalar_out(out.get(), self, other.get())); }
inline AnyTensor &div_out(AnyTensor &out, const AnyTensor &self, const AnyTensor &other) { return out.did(tn_div_out(out.get(), self.get(), other.get())); }
inline AnyTensor &true_divide_out(AnyTensor &out, const AnyTensor &self, const AnyTensor &other) { return out.did(tn_true_divide_out(out.get(), self.get(), other.get())); }
inline AnyTensor &divide_out(AnyTensor &out, const AnyTensor &self, const AnyTensor &other) { return out.did(tn_divide_out(out.get(), self.get(), other.get())); }
inline AnyTensor &div_out(AnyTensor &out, const AnyTensor &self, Number other) { return out.did(tn_div_scalar_out(out.get(), self.get(), other)); }
inline AnyTensor &true_divide_out(AnyTensor &out, const AnyTensor &self, Number other) { return out.did(tn_true_divide_scalar_out(out.get(), self.get(), other)); }
inline AnyTensor &divide_out(AnyTensor &out, const AnyTensor &self, Number other) { return out.did(tn_divide_scalar_out(out.get(), self.get(), other)); }
inline AnyTensor div(Number self, const AnyTensor &other) { return detail::Own()(tn_div_rscalar(self, other.get())); }
inline AnyTensor &div_out(AnyTensor &out, Number self, const AnyTensor &other) { return out.did(tn_div_rscalar_out(out.get(), self, other.get())); }
inline AnyTensor true_divide(Number self, const AnyTensor &other) { return detail::Own()(tn_true_divide_rscalar(self, other.get())); }
inline AnyTensor &true_divide_out(AnyTensor &out, Number self, const AnyTensor &other) { return out.did(tn_true_divide_rscalar_out(out.get(), self, other.get())); }
inline AnyTensor &div_out(AnyTensor &out, const AnyTensor &self, const AnyTensor &other, const char *rounding_mode) { return out.did(tn_div_mode_out(out.get(), self.get(), other.get(), rounding_mode)); }
inline AnyTensor &divide_out(AnyTensor &out, const AnyTensor &self, const AnyTensor &other, const char *rounding_mode) { return out.did(tn_divide_mode_out(out.get(), self.get(), other.get(), rounding_mode)); }
inline AnyTensor &div_out(AnyTensor &out, const AnyTensor &self, Number other, const char *rounding_mode) { return out.did(tn_div_scalar_mode_out(out.get(), self.get(), other, rounding_mode)); }
inline AnyTensor &divide_out(AnyTensor &out, const AnyTensor &self, Number other, const char *rounding_mode) { return out.did(tn_divide_scalar_mode_out(out.get(), self.get(), other, rounding_mode)); }
inline AnyTensor div(Number self, const AnyTensor &other, const char *rounding_mode) { return detail::Own()(tn_div_rscalar_mode(self, other.get(), rounding_mode)); }
inline AnyTensor &div_out(AnyTensor &out, Number self, const AnyTensor &other, const char *rounding_mode) { return out.did(tn_div_rscalar_mode_out(out.get(), self, other.get(), rounding_mode)); }
inline AnyTensor &floor_divide_out(AnyTensor &out, const AnyTensor &self, const AnyTensor &other) { return out.did(tn_floor_divide_out(out.get(), self.get(), other.get())); }
inline AnyTensor &floor_divide_out(AnyTensor &out, const AnyTensor &self, Number other) { return out.did(tn_floor_divide_scalar_out(out.get(), self.get(), other)); }
inline AnyTensor floor_divide(Number self, const AnyTensor &other) { return detail::Own()(tn_floor_divide_rscalar(self, other.get())); }
inline AnyTensor &floor_divide_out(AnyTensor &out, Number self, const AnyTensor &other) { return out.did(tn_floor_divide_rscalar_out(out.get(), self, other.get())); }
inline AnyTensor &remainder_out(AnyTensor &out, const AnyTensor &self, const AnyTensor &other) { return out.did(tn_remainder_out(out.get(), self.get(), other.get())); }
inline AnyTensor &remainder_out(AnyTensor &out, const AnyTensor &self, Number other) { return out.did(tn_remainder_scalar_out(out.get(), self.get(), other)); }
inline AnyTensor remainder(Number self, const AnyTensor &other) { return detail::Own()(tn_remainder_rscalar(self, other.get())); }
inline AnyTensor &remainder_out(AnyTensor &out, Number self, const AnyTensor &other) { return out.did(tn_remainder_rscalar_out(out.get(), self, other.get())); }
inline AnyTensor &fmod_out(AnyTensor &out, const AnyTensor &self, const AnyTensor &other) { return out.did(tn_fmod_out(out.get(), self.get(), other.get())); }
inline AnyTensor &fmod_out(AnyTensor &out, const AnyTensor &self, Number other) { return out.did(tn_fmod_scalar_out(out.get(), self.get(), other)); }
inline AnyTensor fmod(Number self, const AnyTensor &other) { return detail::Own()(tn_fmod_rscalar(self, other.get())); }
inline AnyTensor &fmod_out(AnyTensor &out, Number self, const AnyTensor &other) { return out.did(tn_fmod_rscalar_out(out.get(), self, other.get())); }
inline AnyTensor &neg_out(AnyTensor &out, const AnyTensor &self) { return out.did(tn_neg_out(out.get(), self.get())); }
inline AnyTensor &negative_out(AnyTensor &out, const AnyTensor &self) { return out.did(tn_negative_out(out.get(), self.get())); }
inline AnyTensor &abs_out(AnyTensor &out, const AnyTensor &self) { return out.did(tn_abs_out(out.get(), self.get())); }
inline AnyTensor &absolute_out(AnyTensor &out, const AnyTensor &self) { return out.did(tn_absolute_out(out.get(), self.get())); }
inline AnyTensor &sign_out(AnyTensor &out, const AnyTensor &self) { return out.did(tn_sign_out(out.get(), self.get())); }
inline AnyTensor &sgn_out(AnyTensor &out, const AnyTensor &self) { return out.did(tn_sgn_out(out.get(), self.get())); }
inline AnyTensor &square_out(AnyTensor &out, const AnyTensor &self) { return out.did(tn_square_out(out.get(), self.get())); }
inline AnyTensor &reciprocal_out(AnyTensor &out, const AnyTensor &self) { return out.did(tn_reciprocal_out(out.get(), self.get())); }
inline AnyTensor &sqrt_out(AnyTensor &out, const AnyTensor &self) { return out.did(tn_sqrt_out(out.get(), self.get())); }
inline AnyTensor &rsqrt_out(AnyTensor &out, const AnyTensor &self) { return out.did(tn_rsqrt_out(out.get(), self.get())); }
inline AnyTensor &cbrt_out(AnyTensor &out, const AnyTensor &self) { return out.did(tn_cbrt_out(out.get(), self.get())); }
inline AnyTensor &floor_out(AnyTensor &out, const AnyTensor &self) { return out.did(tn_floor_out(out.get(), self.get())); }
inline AnyTensor &ceil_out(AnyTensor &out, const AnyTensor &self) { return out.did(tn_ceil_out(out.get(), self.get())); }
inline AnyTensor &trunc_out(AnyTensor &out, const AnyTensor &self) { return out.did(tn_trunc_out(out.get(), self.get())); }
inline AnyTensor &fix_out(AnyTensor &out, const AnyTensor &self) { return out.did(tn_fix_out(out.get(), self.get())); }
inline AnyTensor &round_out(AnyTensor &out, const AnyTensor &self) { return out.did(tn_round_out(out.get(), self.get())); }
inline AnyTensor &round_out(AnyTensor &out, const AnyTensor &self, int64_t decimals) { return out.did(tn_round_decimals_out(out.get(), self.get(), decimals)); }
inline AnyTensor &frac_out(AnyTensor &out, const AnyTensor &self) { return out.did(tn_frac_out(out.get(), self.get())); }
inline AnyTensor &maximum_out(AnyTensor &out, const AnyTensor &self, const AnyTensor &other) { return out.did(tn_maximum_out(out.get(), self.get(), other.get())); }
inline AnyTensor &maximum_out(AnyTensor &out, const AnyTensor &self, Number other) { return out.did(tn_maximum_scalar_out(out.get(), self.get(), other)); }
inline AnyTensor &minimum_out(AnyTensor &out, const AnyTensor &self, const AnyTensor &other) { return out.did(tn_minimum_out(out.get(), self.get(), other.get())); }
inline AnyTensor &minimum_out(AnyTensor &out, const AnyTensor &self, Number other) { return out.did(tn_minimum_scalar_out(out.get(), self.get(), other)); }
inline AnyTensor &fmax_out(AnyTensor &out, const AnyTensor &self, const AnyTensor &other) { return out.did(tn_fmax_out(out.get(), self.get(), other.get())); }
inline AnyTensor &fmax_out(AnyTensor &out, const AnyTensor &self, Number other) { return out.did(tn_fmax_scalar_out(out.get(), self.get(), other)); }
inline AnyTensor &fmin_out(AnyTensor &out, const AnyTensor &self, const AnyTensor &other) { return out.did(tn_fmin_out(out.get(), self.get(), other.get())); }
inline AnyTensor &fmin_out(AnyTensor &out, const AnyTensor &self, Number other) { return out.did(tn_fmin_scalar_out(out.get(), self.get(), other)); }
inline AnyTensor &clamp_out(AnyTensor &out, const AnyTensor &self, Number min = Number::none(), Number max = Number::none()) { return out.did(tn_clamp_out(out.get(), self.get(), min, max)); }
inline AnyTensor &clip_out(AnyTensor &out, const AnyTensor &self, Number min = Number::none(), Number max = Number::none()) { return out.did(tn_clip_out(out.get(), self.get(), min, max)); }
inline AnyTensor &clamp_tensor_out(AnyTensor &out, const AnyTensor &self, const AnyTensor &min = AnyTensor(), const AnyTensor &max = AnyTensor()) { return out.did(tn_clamp_tensor_out(out.get(), self.get(), min.get(), max.get())); }
inline AnyTensor &clip_tensor_out(AnyTensor &out, const AnyTensor &self, const AnyTensor &min = AnyTensor(), const AnyTensor &max = AnyTensor()) { return out.did(tn_clip_tensor_out(out.get(), self.get(), min.get(), max.get())); }
inline AnyTensor &clamp_min_out(AnyTensor &out, const AnyTensor &self, Number min) { return out.did(tn_clamp_min_out(out.get(), self.get(), min)); }
inline AnyTensor &clamp_min_out(AnyTensor &out, const AnyTensor &self, const AnyTensor &min) { return out.did(tn_clamp_min_tensor_out(out.get(), self.get(), min.get())); }
inline AnyTensor &clamp_max_out(AnyTensor &out, const AnyTensor &self, Number max) { return out.did(tn_clamp_max_out(out.get(), self.get(), max)); }
inline AnyTensor &clamp_max_out(AnyTensor &out, const AnyTensor &self, const AnyTensor &max) { return out.did(tn_clamp_max_tensor_out(out.get(), self.get(), max.get())); }
inline AnyTensor &lerp_out(AnyTensor &out, const AnyTensor &self, const AnyTensor &end, const AnyTensor &weight) { return out.did(tn_lerp_out(out.get(), self.get(), end.get(), weight.get())); }
inline AnyTensor &lerp_out(AnyTensor &out, const AnyTensor &self, const AnyTensor &end, Number weight) { return out.did(tn_lerp_scalar_out(out.get(), self.get(), end.get(), weight)); }
inline AnyTensor &addcmul_out(AnyTensor &out, const AnyTensor &self, const AnyTensor &tensor1, const AnyTensor &tensor2, Number value = 1) { return out.did(tn_addcmul_out(out.get(), self.get(), tensor1.get(), tensor2.get(), value)); }
inline AnyTensor &addcdiv_out(AnyTensor &out, const AnyTensor &self, const AnyTensor &tensor1, const AnyTensor &tensor2, Number value = 1) { return out.did(tn_addcdiv_out(out.get(), self.get(), tensor1.get(), tensor2.get(), value)); }
inline AnyTensor &gcd_out(AnyTensor &out, const AnyTensor &self, const AnyTensor &other) { return out.did(tn_gcd_out(out.get(), self.get(), other.get())); }
inline AnyTensor &gcd_out(AnyTensor &out, const AnyTensor &self, Number other) { return out.did(tn_gcd_scalar_out(out.get(), self.get(), other)); }
inline AnyTensor &lcm_out(AnyTensor &out, const AnyTensor &self, const AnyTensor &other) { return out.did(tn_lcm_out(out.get(), self.get(), other.get())); }
inline AnyTensor &lcm_out(AnyTensor &out, const AnyTensor &self, Number other) { return out.did(tn_lcm_scalar_out(out.get(), self.get(), other)); }
inline AnyTensor &copysign_out(AnyTensor &out, const AnyTensor &self, const AnyTensor &other) { return out.did(tn_copysign_out(out.get(), self.get(), other.get())); }
inline AnyTensor &copysign_out(AnyTensor &out, const AnyTensor &self, Number other) { return out.did(tn_copysign_scalar_out(out.get(), self.get(), other)); }
inline AnyTensor copysign(Number self, const AnyTensor &other) { return detail::Own()(tn_copysign_rscalar(self, other.get())); }
inline AnyTensor &copysign_out(AnyTensor &out, Number self, const AnyTensor &other) { return out.did(tn_copysign_rscalar_out(out.get(), self, other.get())); }
inline AnyTensor &nextafter_out(AnyTensor &out, const AnyTensor &self, const AnyTensor &other) { return out.did(tn_nextafter_out(out.get(), self.get(), other.get())); }
inline AnyTensor &nextafter_out(AnyTensor &out, const AnyTensor &self, Number other) { return out.did(tn_nextafter_scalar_out(out.get(), self.get(), other)); }
inline AnyTensor nextafter(Number self, const AnyTensor &other) { return detail::Own()(tn_nextafter_rscalar(self, other.get())); }
inline AnyTensor &nextafter_out(AnyTensor &out, Number self, const AnyTensor &other) { return out.did(tn_nextafter_rscalar_out(out.get(), self, other.get())); }
inline AnyTensor &heaviside_out(AnyTensor &out, const AnyTensor &self, const AnyTensor &values) { return out.did(tn_heaviside_out(out.get(), self.get(), values.get())); }
inline AnyTensor &heaviside_out(AnyTensor &out, const AnyTensor &self, Number values) { return out.did(tn_heaviside_scalar_out(out.get(), self.get(), values)); }
inline AnyTensor heaviside(Number self, const AnyTensor &values) { return detail::Own()(tn_heaviside_rscalar(self, values.get())); }
inline AnyTensor &heaviside_out(AnyTensor &out, Number self, const AnyTensor &values) { return out.did(tn_heaviside_rscalar_out(out.get(), self, values.get())); }
inline AnyTensor &deg2rad_out(AnyTensor &out, const AnyTensor &self) { return out.did(tn_deg2rad_out(out.get(), self.get())); }
inline AnyTensor &rad2deg_out(AnyTensor &out, const AnyTensor &self) { return out.did(tn_rad2deg_out(out.get(), self.get())); }
inline AnyTensor &nan_to_num_out(AnyTensor &out, const AnyTensor &self, Number nan = Number::none(), Number posinf = Number::none(), Number neginf = Number::none()) { return out.did(tn_nan_to_num_out(out.get(), self.get(), nan, posinf, neginf)); }
inline AnyTensor &pow_out(AnyTensor &out, const AnyTensor &self, const AnyTensor &exponent) { return out.did(tn_pow_out(out.get(), self.get(), exponent.get())); }
inline AnyTensor &pow_out(AnyTensor &out, const AnyTensor &self, Number exponent) { return out.did(tn_pow_scalar_out(out.get(), self.get(), exponent)); }
inline AnyTensor pow(Number self, const AnyTensor &exponent) { return detail::Own()(tn_pow_rscalar(self, exponent.get())); }
inline AnyTensor &pow_out(AnyTensor &out, Number self, const AnyTensor &exponent) { return out.did(tn_pow_rscalar_out(out.get(), self, exponent.get())); }

/* math */
inline AnyTensor &exp_out(AnyTensor &out, const AnyTensor &self) { return out.did(tn_exp_out(out.get(), self.get())); }
inline AnyTensor &exp2_out(AnyTensor &out, const AnyTensor &self) { return out.did(tn_exp2_out(out.get(), self.get())); }
inline AnyTensor &expm1_out(AnyTensor &out, const AnyTensor &self) { return out.did(tn_expm1_out(out.get(), self.get())); }
inline AnyTensor &log_out(AnyTensor &out, const AnyTensor &self) { return out.did(tn_log_out(out.get(), self.get())); }
inline AnyTensor &log2_out(AnyTensor &out, const AnyTensor &self) { return out.did(tn_log2_out(out.get(), self.get())); }
inline AnyTensor &log10_out(AnyTensor &out, const AnyTensor &self) { return out.did(tn_log10_out(out.get(), self.get())); }
inline AnyTensor &log1p_out(AnyTensor &out, const AnyTensor &self) { return out.did(tn_log1p_out(out.get(), self.get())); }
inline AnyTensor &sin_out(AnyTensor &out, const AnyTensor &self) { return out.did(tn_sin_out(out.get(), self.get())); }
inline AnyTensor &cos_out(AnyTensor &out, const AnyTensor &self) { return out.did(tn_cos_out(out.get(), self.get())); }
inline AnyTensor &tan_out(AnyTensor &out, const AnyTensor &self) { return out.did(tn_tan_out(out.get(), self.get())); }
inline AnyTensor &asin_out(AnyTensor &out, const AnyTensor &self) { return out.did(tn_asin_out(out.get(), self.get())); }
inline AnyTensor &arcsin_out(AnyTensor &out, const AnyTensor &self) { return out.did(tn_arcsin_out(out.get(), self.get())); }
inline AnyTensor &acos_out(AnyTensor &out, const AnyTensor &self) { return out.did(tn_acos_out(out.get(), self.get())); }
inline AnyTensor &arccos_out(AnyTensor &out, const AnyTensor &self) { return out.did(tn_arccos_out(out.get(), self.get())); }
inline AnyTensor &atan_out(AnyTensor &out, const AnyTensor &self) { return out.did(tn_atan_out(out.get(), self.get())); }
inline AnyTensor &arctan_out(AnyTensor &out, const AnyTensor &self) { return out.did(tn_arctan_out(out.get(), self.get())); }
inline AnyTensor &atan2_out(AnyTensor &out, const AnyTensor &self, const AnyTensor &other) { return out.did(tn_atan2_out(out.get(), self.get(), other.get())); }
inline AnyTensor &arctan2_out(AnyTensor &out, const AnyTensor &self, const AnyTensor &other) { return out.did(tn_arctan2_out(out.get(), self.get(), other.get())); }
inline AnyTensor &atan2_out(AnyTensor &out, const AnyTensor &self, Number other) { return out.did(tn_atan2_scalar_out(out.get(), self.get(), other)); }
inline AnyTensor &arctan2_out(AnyTensor &out, const AnyTensor &self, Number other) { return out.did(tn_arctan2_scalar_out(out.get(), self.get(), other)); }
inline AnyTensor atan2(Number self, const AnyTensor &other) { return detail::Own()(tn_atan2_rscalar(self, other.get())); }
inline AnyTensor &atan2_out(AnyTensor &out, Number self, const AnyTensor &other) { return out.did(tn_atan2_rscalar_out(out.get(), self, other.get())); }
inline AnyTensor arctan2(Number self, const AnyTensor &other) { return detail::Own()(tn_arctan2_rscalar(self, other.get())); }
inline AnyTensor &arctan2_out(AnyTensor &out, Number self, const AnyTensor &other) { return out.did(tn_arctan2_rscalar_out(out.get(), self, other.get())); }
inline AnyTensor &sinh_out(AnyTensor &out, const AnyTensor &self) { return out.did(tn_sinh_out(out.get(), self.get())); }
inline AnyTensor &cosh_out(AnyTensor &out, const AnyTensor &self) { return out.did(tn_cosh_out(out.get(), self.get())); }
inline AnyTensor &tanh_out(AnyTensor &out, const AnyTensor &self) { return out.did(tn_tanh_out(out.get(), self.get())); }
inline AnyTensor &asinh_out(AnyTensor &out, const AnyTensor &self) { return out.did(tn_asinh_out(out.get(), self.get())); }
inline AnyTensor &arcsinh_out(AnyTensor &out, const AnyTensor &self) { return out.did(tn_arcsinh_out(out.get(), self.get())); }
inline AnyTensor &acosh_out(AnyTensor &out, const AnyTensor &self) { return out.did(tn_acosh_out(out.get(), self.get())); }
inline AnyTensor &arccosh_out(AnyTensor &out, const AnyTensor &self) { return out.did(tn_arccosh_out(out.get(), self.get())); }
inline AnyTensor &atanh_out(AnyTensor &out, const AnyTensor &self) { return out.did(tn_atanh_out(out.get(), self.get())); }
inline AnyTensor &arctanh_out(AnyTensor &out, const AnyTensor &self) { return out.did(tn_arctanh_out(out.get(), self.get())); }
inline AnyTensor &sinc_out(AnyTensor &out, const AnyTensor &self) { return out.did(tn_sinc_out(out.get(), self.get())); }
inline AnyTensor &erf_out(AnyTensor &out, const AnyTensor &self) { return out.did(tn_erf_out(out.get(), self.get())); }
inline AnyTensor &erfc_out(AnyTensor &out, const AnyTensor &self) { return out.did(tn_erfc_out(out.get(), self.get())); }
inline AnyTensor &erfinv_out(AnyTensor &out, const AnyTensor &self) { return out.did(tn_erfinv_out(out.get(), self.get())); }
inline AnyTensor &lgamma_out(AnyTensor &out, const AnyTensor &self) { return out.did(tn_lgamma_out(out.get(), self.get())); }
inline AnyTensor &digamma_out(AnyTensor &out, const AnyTensor &self) { return out.did(tn_digamma_out(out.get(), self.get())); }
inline AnyTensor &i0_out(AnyTensor &out, const AnyTensor &self) { return out.did(tn_i0_out(out.get(), self.get())); }
inline AnyTensor &sigmoid_out(AnyTensor &out, const AnyTensor &self) { return out.did(tn_sigmoid_out(out.get(), self.get())); }
inline AnyTensor &logit_out(AnyTensor &out, const AnyTensor &self) { return out.did(tn_logit_out(out.get(), self.get())); }
inline AnyTensor &logit_out(AnyTensor &out, const AnyTensor &self, double eps) { return out.did(tn_logit_eps_out(out.get(), self.get(), eps)); }
inline AnyTensor &hypot_out(AnyTensor &out, const AnyTensor &self, const AnyTensor &other) { return out.did(tn_hypot_out(out.get(), self.get(), other.get())); }
inline AnyTensor &hypot_out(AnyTensor &out, const AnyTensor &self, Number other) { return out.did(tn_hypot_scalar_out(out.get(), self.get(), other)); }
inline AnyTensor &ldexp_out(AnyTensor &out, const AnyTensor &self, const AnyTensor &other) { return out.did(tn_ldexp_out(out.get(), self.get(), other.get())); }
inline AnyTensor &ldexp_out(AnyTensor &out, const AnyTensor &self, Number other) { return out.did(tn_ldexp_scalar_out(out.get(), self.get(), other)); }
inline AnyTensor ldexp(Number self, const AnyTensor &other) { return detail::Own()(tn_ldexp_rscalar(self, other.get())); }
inline AnyTensor &ldexp_out(AnyTensor &out, Number self, const AnyTensor &other) { return out.did(tn_ldexp_rscalar_out(out.get(), self, other.get())); }
inline AnyTensor &frexp_out(AnyTensor &mantissa, AnyTensor &exponent, const AnyTensor &self) { return mantissa.did(tn_frexp_out(mantissa.get(), exponent.get(), self.get())); }
inline AnyTensor &logaddexp_out(AnyTensor &out, const AnyTensor &self, const AnyTensor &other) { return out.did(tn_logaddexp_out(out.get(), self.get(), other.get())); }
inline AnyTensor &logaddexp_out(AnyTensor &out, const AnyTensor &self, Number other) { return out.did(tn_logaddexp_scalar_out(out.get(), self.get(), other)); }
inline AnyTensor &logaddexp2_out(AnyTensor &out, const AnyTensor &self, const AnyTensor &other) { return out.did(tn_logaddexp2_out(out.get(), self.get(), other.get())); }
inline AnyTensor &logaddexp2_out(AnyTensor &out, const AnyTensor &self, Number other) { return out.did(tn_logaddexp2_scalar_out(out.get(), self.get(), other)); }
inline AnyTensor &xlogy_out(AnyTensor &out, const AnyTensor &self, const AnyTensor &other) { return out.did(tn_xlogy_out(out.get(), self.get(), other.get())); }
inline AnyTensor &xlogy_out(AnyTensor &out, const AnyTensor &self, Number other) { return out.did(tn_xlogy_scalar_out(out.get(), self.get(), other)); }
inline AnyTensor xlogy(Number self, const AnyTensor &other) { return detail::Own()(tn_xlogy_rscalar(self, other.get())); }
inline AnyTensor &xlogy_out(AnyTensor &out, Number self, const AnyTensor &other) { return out.did(tn_xlogy_rscalar_out(out.get(), self, other.get())); }
inline AnyTensor &float_power_out(AnyTensor &out, const AnyTensor &self, const AnyTensor &exponent) { return out.did(tn_float_power_out(out.get(), self.get(), exponent.get())); }
inline AnyTensor &float_power_out(AnyTensor &out, const AnyTensor &self, Number exponent) { return out.did(tn_float_power_scalar_out(out.get(), self.get(), exponent)); }
inline AnyTensor float_power(Number self, const AnyTensor &exponent) { return detail::Own()(tn_float_power_rscalar(self, exponent.get())); }
inline AnyTensor &float_power_out(AnyTensor &out, Number self, const AnyTensor &exponent) { return out.did(tn_float_power_rscalar_out(out.get(), self, exponent.get())); }

/* activation */
inline AnyTensor &relu_out(AnyTensor &out, const AnyTensor &self) { return out.did(tn_relu_out(out.get(), self.get())); }
inline AnyTensor &relu6_out(AnyTensor &out, const AnyTensor &self) { return out.did(tn_relu6_out(out.get(), self.get())); }
inline AnyTensor &leaky_relu_out(AnyTensor &out, const AnyTensor &self) { return out.did(tn_leaky_relu_out(out.get(), self.get())); }
inline AnyTensor &leaky_relu_slope_out(AnyTensor &out, const AnyTensor &self, Number negative_slope = 0.01) { return out.did(tn_leaky_relu_slope_out(out.get(), self.get(), negative_slope)); }
inline AnyTensor &elu_out(AnyTensor &out, const AnyTensor &self) { return out.did(tn_elu_out(out.get(), self.get())); }
inline AnyTensor &elu_alpha_out(AnyTensor &out, const AnyTensor &self, Number alpha = 1, Number scale = 1, Number input_scale = 1) { return out.did(tn_elu_alpha_out(out.get(), self.get(), alpha, scale, input_scale)); }
inline AnyTensor &selu_out(AnyTensor &out, const AnyTensor &self) { return out.did(tn_selu_out(out.get(), self.get())); }
inline AnyTensor &celu_out(AnyTensor &out, const AnyTensor &self) { return out.did(tn_celu_out(out.get(), self.get())); }
inline AnyTensor &celu_alpha_out(AnyTensor &out, const AnyTensor &self, Number alpha = 1) { return out.did(tn_celu_alpha_out(out.get(), self.get(), alpha)); }
inline AnyTensor &gelu_out(AnyTensor &out, const AnyTensor &self) { return out.did(tn_gelu_out(out.get(), self.get())); }
inline AnyTensor &gelu_backward_out(AnyTensor &out, const AnyTensor &grad_output, const AnyTensor &self) { return out.did(tn_gelu_backward_out(out.get(), grad_output.get(), self.get())); }
inline AnyTensor &gelu_approximate_out(AnyTensor &out, const AnyTensor &self, const char *approximate = "none") { return out.did(tn_gelu_approximate_out(out.get(), self.get(), approximate)); }
inline AnyTensor &silu_out(AnyTensor &out, const AnyTensor &self) { return out.did(tn_silu_out(out.get(), self.get())); }
inline AnyTensor &mish_out(AnyTensor &out, const AnyTensor &self) { return out.did(tn_mish_out(out.get(), self.get())); }
inline AnyTensor &softplus_out(AnyTensor &out, const AnyTensor &self) { return out.did(tn_softplus_out(out.get(), self.get())); }
inline AnyTensor &softplus_beta_out(AnyTensor &out, const AnyTensor &self, Number beta = 1, Number threshold = 20) { return out.did(tn_softplus_beta_out(out.get(), self.get(), beta, threshold)); }
inline AnyTensor &logsigmoid_out(AnyTensor &out, const AnyTensor &self) { return out.did(tn_logsigmoid_out(out.get(), self.get())); }
inline AnyTensor &hardtanh_out(AnyTensor &out, const AnyTensor &self) { return out.did(tn_hardtanh_out(out.get(), self.get())); }
inline AnyTensor &hardtanh_range_out(AnyTensor &out, const AnyTensor &self, Number min_val = -1, Number max_val = 1) { return out.did(tn_hardtanh_range_out(out.get(), self.get(), min_val, max_val)); }
inline AnyTensor &hardsigmoid_out(AnyTensor &out, const AnyTensor &self) { return out.did(tn_hardsigmoid_out(out.get(), self.get())); }
inline AnyTensor &hardswish_out(AnyTensor &out, const AnyTensor &self) { return out.did(tn_hardswish_out(out.get(), self.get())); }
inline AnyTensor &threshold_out(AnyTensor &out, const AnyTensor &self, Number threshold, Number value) { return out.did(tn_threshold_out(out.get(), self.get(), threshold, value)); }
inline AnyTensor &hardshrink_out(AnyTensor &out, const AnyTensor &self, Number lambd = 0.5) { return out.did(tn_hardshrink_out(out.get(), self.get(), lambd)); }
inline AnyTensor &softshrink_out(AnyTensor &out, const AnyTensor &self, Number lambd = 0.5) { return out.did(tn_softshrink_out(out.get(), self.get(), lambd)); }

/* complex */
inline AnyTensor &conj_physical_out(AnyTensor &out, const AnyTensor &self) { return out.did(tn_conj_physical_out(out.get(), self.get())); }
inline AnyTensor &angle_out(AnyTensor &out, const AnyTensor &self) { return out.did(tn_angle_out(out.get(), self.get())); }
inline AnyTensor &complex_out(AnyTensor &out, const AnyTensor &real, const AnyTensor &imag) { return out.did(tn_complex_out(out.get(), real.get(), imag.get())); }
inline AnyTensor &polar_out(AnyTensor &out, const AnyTensor &abs, const AnyTensor &angle) { return out.did(tn_polar_out(out.get(), abs.get(), angle.get())); }

/* join */
inline AnyTensor cat(TensorList tensors, int64_t dim = 0) { return detail::Own()(tn_cat(tensors.items(), tensors.count(), dim)); }
inline AnyTensor &cat_out(AnyTensor &out, TensorList tensors, int64_t dim = 0) { return out.did(tn_cat_out(out.get(), tensors.items(), tensors.count(), dim)); }
inline AnyTensor concat(TensorList tensors, int64_t dim = 0) { return detail::Own()(tn_concat(tensors.items(), tensors.count(), dim)); }
inline AnyTensor &concat_out(AnyTensor &out, TensorList tensors, int64_t dim = 0) { return out.did(tn_concat_out(out.get(), tensors.items(), tensors.count(), dim)); }
inline AnyTensor concatenate(TensorList tensors, int64_t dim = 0) { return detail::Own()(tn_concatenate(tensors.items(), tensors.count(), dim)); }
inline AnyTensor &concatenate_out(AnyTensor &out, TensorList tensors, int64_t dim = 0) { return out.did(tn_concatenate_out(out.get(), tensors.items(), tensors.count(), dim)); }
inline AnyTensor stack(TensorList tensors, int64_t dim = 0) { return detail::Own()(tn_stack(tensors.items(), tensors.count(), dim)); }
inline AnyTensor &stack_out(AnyTensor &out, TensorList tensors, int64_t dim = 0) { return out.did(tn_stack_out(out.get(), tensors.items(), tensors.count(), dim)); }
inline AnyTensor hstack(TensorList tensors) { return detail::Own()(tn_hstack(tensors.items(), tensors.count())); }
inline AnyTensor &hstack_out(AnyTensor &out, TensorList tensors) { return out.did(tn_hstack_out(out.get(), tensors.items(), tensors.count())); }
inline AnyTensor vstack(TensorList tensors) { return detail::Own()(tn_vstack(tensors.items(), tensors.count())); }
inline AnyTensor &vstack_out(AnyTensor &out, TensorList tensors) { return out.did(tn_vstack_out(out.get(), tensors.items(), tensors.count())); }
inline AnyTensor row_stack(TensorList tensors) { return detail::Own()(tn_row_stack(tensors.items(), tensors.count())); }
inline AnyTensor &row_stack_out(AnyTensor &out, TensorList tensors) { return out.did(tn_row_stack_out(out.get(), tensors.items(), tensors.count())); }
inline AnyTensor dstack(TensorList tensors) { return detail::Own()(tn_dstack(tensors.items(), tensors.count())); }
inline AnyTensor &dstack_out(AnyTensor &out, TensorList tensors) { return out.did(tn_dstack_out(out.get(), tensors.items(), tensors.count())); }
inline AnyTensor column_stack(TensorList tensors) { return detail::Own()(tn_column_stack(tensors.items(), tensors.count())); }
inline AnyTensor &column_stack_out(AnyTensor &out, TensorList tensors) { return out.did(tn_column_stack_out(out.get(), tensors.items(), tensors.count())); }
inline AnyTensor block_diag(TensorList tensors) { return detail::Own()(tn_block_diag(tensors.items(), tensors.count())); }
inline AnyTensor cartesian_prod(TensorList tensors) { return detail::Own()(tn_cartesian_prod(tensors.items(), tensors.count())); }

/* move */
inline AnyTensor &tril_out(AnyTensor &out, const AnyTensor &self, int64_t diagonal = 0) { return out.did(tn_tril_out(out.get(), self.get(), diagonal)); }
inline AnyTensor &triu_out(AnyTensor &out, const AnyTensor &self, int64_t diagonal = 0) { return out.did(tn_triu_out(out.get(), self.get(), diagonal)); }
inline AnyTensor tril_indices(int64_t row, int64_t col, int64_t offset = 0, tn_dtype dtype = TN_DTYPE_DEFAULT) { return detail::Own()(tn_tril_indices(row, col, offset, dtype)); }
inline AnyTensor triu_indices(int64_t row, int64_t col, int64_t offset = 0, tn_dtype dtype = TN_DTYPE_DEFAULT) { return detail::Own()(tn_triu_indices(row, col, offset, dtype)); }
inline AnyTensor &diag_out(AnyTensor &out, const AnyTensor &self, int64_t diagonal = 0) { return out.did(tn_diag_out(out.get(), self.get(), diagonal)); }
inline AnyTensor &outer_out(AnyTensor &out, const AnyTensor &self, const AnyTensor &vec2) { return out.did(tn_outer_out(out.get(), self.get(), vec2.get())); }
inline AnyTensor &ger_out(AnyTensor &out, const AnyTensor &self, const AnyTensor &vec2) { return out.did(tn_ger_out(out.get(), self.get(), vec2.get())); }
inline AnyTensor &kron_out(AnyTensor &out, const AnyTensor &self, const AnyTensor &other) { return out.did(tn_kron_out(out.get(), self.get(), other.get())); }
inline AnyTensor &cross_out(AnyTensor &out, const AnyTensor &self, const AnyTensor &other, int64_t dim = TN_NONE) { return out.did(tn_cross_out(out.get(), self.get(), other.get(), dim)); }
inline AnyTensor &linalg_cross_out(AnyTensor &out, const AnyTensor &self, const AnyTensor &other, int64_t dim = -1) { return out.did(tn_linalg_cross_out(out.get(), self.get(), other.get(), dim)); }
inline AnyTensor &renorm_out(AnyTensor &out, const AnyTensor &self, Number p, int64_t dim, Number maxnorm) { return out.did(tn_renorm_out(out.get(), self.get(), p, dim, maxnorm)); }

/* reduce */
inline AnyTensor &sum_out(AnyTensor &out, const AnyTensor &self, tn_dtype dtype = TN_DTYPE_DEFAULT) { return out.did(tn_sum_out(out.get(), self.get(), dtype)); }
inline AnyTensor &sum_out(AnyTensor &out, const AnyTensor &self, Dims dim, bool keepdim = false, tn_dtype dtype = TN_DTYPE_DEFAULT) { return out.did(tn_sum_dim_out(out.get(), self.get(), dim, keepdim, dtype)); }
inline AnyTensor &nansum_out(AnyTensor &out, const AnyTensor &self, Dims dim = Dims(), bool keepdim = false, tn_dtype dtype = TN_DTYPE_DEFAULT) { return out.did(tn_nansum_out(out.get(), self.get(), dim, keepdim, dtype)); }
inline AnyTensor &mean_out(AnyTensor &out, const AnyTensor &self, tn_dtype dtype = TN_DTYPE_DEFAULT) { return out.did(tn_mean_out(out.get(), self.get(), dtype)); }
inline AnyTensor &mean_out(AnyTensor &out, const AnyTensor &self, Dims dim, bool keepdim = false, tn_dtype dtype = TN_DTYPE_DEFAULT) { return out.did(tn_mean_dim_out(out.get(), self.get(), dim, keepdim, dtype)); }
inline AnyTensor &nanmean_out(AnyTensor &out, const AnyTensor &self, Dims dim = Dims(), bool keepdim = false, tn_dtype dtype = TN_DTYPE_DEFAULT) { return out.did(tn_nanmean_out(out.get(), self.get(), dim, keepdim, dtype)); }
inline AnyTensor &prod_out(AnyTensor &out, const AnyTensor &self, tn_dtype dtype = TN_DTYPE_DEFAULT) { return out.did(tn_prod_out(out.get(), self.get(), dtype)); }
inline AnyTensor &prod_out(AnyTensor &out, const AnyTensor &self, int64_t dim, bool keepdim = false, tn_dtype dtype = TN_DTYPE_DEFAULT) { return out.did(tn_prod_dim_out(out.get(), self.get(), dim, keepdim, dtype)); }
inline AnyTensor &var_out(AnyTensor &out, const AnyTensor &self, Dims dim, bool unbiased = true, bool keepdim = false) { return out.did(tn_var_dim_out(out.get(), self.get(), dim, unbiased, keepdim)); }
inline AnyTensor &var_correction_out(AnyTensor &out, const AnyTensor &self, Dims dim = Dims(), Number correction = Number::none(), bool keepdim = false) { return out.did(tn_var_correction_out(out.get(), self.get(), dim, correction, keepdim)); }
inline AnyTensor &var_mean_out(AnyTensor &var, AnyTensor &mean, const AnyTensor &self, Dims dim = Dims(), Number correction = Number::none(), bool keepdim = false) { return var.did(tn_var_mean_correction_out(var.get(), mean.get(), self.get(), dim, correction, keepdim)); }
inline AnyTensor &std_out(AnyTensor &out, const AnyTensor &self, Dims dim, bool unbiased = true, bool keepdim = false) { return out.did(tn_std_dim_out(out.get(), self.get(), dim, unbiased, keepdim)); }
inline AnyTensor &std_correction_out(AnyTensor &out, const AnyTensor &self, Dims dim = Dims(), Number correction = Number::none(), bool keepdim = false) { return out.did(tn_std_correction_out(out.get(), self.get(), dim, correction, keepdim)); }
inline AnyTensor &std_mean_out(AnyTensor &std, AnyTensor &mean, const AnyTensor &self, Dims dim = Dims(), Number correction = Number::none(), bool keepdim = false) { return std.did(tn_std_mean_correction_out(std.get(), mean.get(), self.get(), dim, correction, keepdim)); }
inline AnyTensor &amax_out(AnyTensor &out, const AnyTensor &self, Dims dim = Dims(), bool keepdim = false) { return out.did(tn_amax_out(out.get(), self.get(), dim, keepdim)); }
inline AnyTensor &amin_out(AnyTensor &out, const AnyTensor &self, Dims dim = Dims(), bool keepdim = false) { return out.did(tn_amin_out(out.get(), self.get(), dim, keepdim)); }
inline AnyTensor &aminmax_out(AnyTensor &min, AnyTensor &max, const AnyTensor &self, int64_t dim = TN_NONE, bool keepdim = false) { return min.did(tn_aminmax_out(min.get(), max.get(), self.get(), dim, keepdim)); }
inline AnyTensor &max_out(AnyTensor &out, const AnyTensor &self) { return out.did(tn_max_out(out.get(), self.get())); }
inline AnyTensor &max_out(AnyTensor &values, AnyTensor &indices, const AnyTensor &self, int64_t dim, bool keepdim = false) { return values.did(tn_max_dim_out(values.get(), indices.get(), self.get(), dim, keepdim)); }
inline AnyTensor &max_out(AnyTensor &out, const AnyTensor &self, const AnyTensor &other) { return out.did(tn_max_other_out(out.get(), self.get(), other.get())); }
inline AnyTensor &min_out(AnyTensor &out, const AnyTensor &self) { return out.did(tn_min_out(out.get(), self.get())); }
inline AnyTensor &min_out(AnyTensor &values, AnyTensor &indices, const AnyTensor &self, int64_t dim, bool keepdim = false) { return values.did(tn_min_dim_out(values.get(), indices.get(), self.get(), dim, keepdim)); }
inline AnyTensor &min_out(AnyTensor &out, const AnyTensor &self, const AnyTensor &other) { return out.did(tn_min_other_out(out.get(), self.get(), other.get())); }
inline AnyTensor &argmax_out(AnyTensor &out, const AnyTensor &self, int64_t dim = TN_NONE, bool keepdim = false) { return out.did(tn_argmax_out(out.get(), self.get(), dim, keepdim)); }
inline AnyTensor &argmin_out(AnyTensor &out, const AnyTensor &self, int64_t dim = TN_NONE, bool keepdim = false) { return out.did(tn_argmin_out(out.get(), self.get(), dim, keepdim)); }
inline AnyTensor &any_out(AnyTensor &out, const AnyTensor &self) { return out.did(tn_any_out(out.get(), self.get())); }
inline AnyTensor &any_out(AnyTensor &out, const AnyTensor &self, int64_t dim, bool keepdim = false) { return out.did(tn_any_dim_out(out.get(), self.get(), dim, keepdim)); }
inline AnyTensor &any_dims_out(AnyTensor &out, const AnyTensor &self, Dims dim = Dims(), bool keepdim = false) { return out.did(tn_any_dims_out(out.get(), self.get(), dim, keepdim)); }
inline AnyTensor &all_out(AnyTensor &out, const AnyTensor &self) { return out.did(tn_all_out(out.get(), self.get())); }
inline AnyTensor &all_out(AnyTensor &out, const AnyTensor &self, int64_t dim, bool keepdim = false) { return out.did(tn_all_dim_out(out.get(), self.get(), dim, keepdim)); }
inline AnyTensor &all_dims_out(AnyTensor &out, const AnyTensor &self, Dims dim = Dims(), bool keepdim = false) { return out.did(tn_all_dims_out(out.get(), self.get(), dim, keepdim)); }
inline AnyTensor &norm_out(AnyTensor &out, const AnyTensor &self, Number p = 2) { return out.did(tn_norm_out(out.get(), self.get(), p)); }
inline AnyTensor &norm_dim_out(AnyTensor &out, const AnyTensor &self, Number p = Number::none(), Dims dim = Dims(), bool keepdim = false, tn_dtype dtype = TN_DTYPE_DEFAULT) { return out.did(tn_norm_dim_out(out.get(), self.get(), p, dim, keepdim, dtype)); }
inline AnyTensor &linalg_vector_norm_out(AnyTensor &out, const AnyTensor &self, Number ord = 2, Dims dim = Dims(), bool keepdim = false, tn_dtype dtype = TN_DTYPE_DEFAULT) { return out.did(tn_linalg_vector_norm_out(out.get(), self.get(), ord, dim, keepdim, dtype)); }
inline AnyTensor &logsumexp_out(AnyTensor &out, const AnyTensor &self, Dims dim, bool keepdim = false) { return out.did(tn_logsumexp_out(out.get(), self.get(), dim, keepdim)); }
inline AnyTensor &count_nonzero_out(AnyTensor &out, const AnyTensor &self, int64_t dim = TN_NONE) { return out.did(tn_count_nonzero_out(out.get(), self.get(), dim)); }
inline AnyTensor &count_nonzero_out(AnyTensor &out, const AnyTensor &self, Dims dim) { return out.did(tn_count_nonzero_dims_out(out.get(), self.get(), dim)); }
inline AnyTensor &dist_out(AnyTensor &out, const AnyTensor &self, const AnyTensor &other, Number p = 2) { return out.did(tn_dist_out(out.get(), self.get(), other.get(), p)); }

/* statistics */
inline AnyTensor &diff_out(AnyTensor &out, const AnyTensor &self, int64_t n = 1, int64_t dim = -1, const AnyTensor &prepend = AnyTensor(), const AnyTensor &append = AnyTensor()) { return out.did(tn_diff_out(out.get(), self.get(), n, dim, prepend.get(), append.get())); }

/* compare */
inline AnyTensor &eq_out(AnyTensor &out, const AnyTensor &self, const AnyTensor &other) { return out.did(tn_eq_out(out.get(), self.get(), other.get())); }
inline AnyTensor &eq_out(AnyTensor &out, const AnyTensor &self, Number other) { return out.did(tn_eq_scalar_out(out.get(), self.get(), other)); }
inline AnyTensor &ne_out(AnyTensor &out, const AnyTensor &self, const AnyTensor &other) { return out.did(tn_ne_out(out.get(), self.get(), other.get())); }
inline AnyTensor &not_equal_out(AnyTensor &out, const AnyTensor &self, const AnyTensor &other) { return out.did(tn_not_equal_out(out.get(), self.get(), other.get())); }
inline AnyTensor &ne_out(AnyTensor &out, const AnyTensor &self, Number other) { return out.did(tn_ne_scalar_out(out.get(), self.get(), other)); }
inline AnyTensor &not_equal_out(AnyTensor &out, const AnyTensor &self, Number other) { return out.did(tn_not_equal_scalar_out(out.get(), self.get(), other)); }
inline AnyTensor &lt_out(AnyTensor &out, const AnyTensor &self, const AnyTensor &other) { return out.did(tn_lt_out(out.get(), self.get(), other.get())); }
inline AnyTensor &less_out(AnyTensor &out, const AnyTensor &self, const AnyTensor &other) { return out.did(tn_less_out(out.get(), self.get(), other.get())); }
inline AnyTensor &lt_out(AnyTensor &out, const AnyTensor &self, Number other) { return out.did(tn_lt_scalar_out(out.get(), self.get(), other)); }
inline AnyTensor &less_out(AnyTensor &out, const AnyTensor &self, Number other) { return out.did(tn_less_scalar_out(out.get(), self.get(), other)); }
inline AnyTensor lt(Number self, const AnyTensor &other) { return detail::Own()(tn_lt_rscalar(self, other.get())); }
inline AnyTensor &lt_out(AnyTensor &out, Number self, const AnyTensor &other) { return out.did(tn_lt_rscalar_out(out.get(), self, other.get())); }
inline AnyTensor &le_out(AnyTensor &out, const AnyTensor &self, const AnyTensor &other) { return out.did(tn_le_out(out.get(), self.get(), other.get())); }
inline AnyTensor &less_equal_out(AnyTensor &out, const AnyTensor &self, const AnyTensor &other) { return out.did(tn_less_equal_out(out.get(), self.get(), other.get())); }
inline AnyTensor &le_out(AnyTensor &out, const AnyTensor &self, Number other) { return out.did(tn_le_scalar_out(out.get(), self.get(), other)); }
inline AnyTensor &less_equal_out(AnyTensor &out, const AnyTensor &self, Number other) { return out.did(tn_less_equal_scalar_out(out.get(), self.get(), other)); }
inline AnyTensor le(Number self, const AnyTensor &other) { return detail::Own()(tn_le_rscalar(self, other.get())); }
inline AnyTensor &le_out(AnyTensor &out, Number self, const AnyTensor &other) { return out.did(tn_le_rscalar_out(out.get(), self, other.get())); }
inline AnyTensor &gt_out(AnyTensor &out, const AnyTensor &self, const AnyTensor &other) { return out.did(tn_gt_out(out.get(), self.get(), other.get())); }
inline AnyTensor &greater_out(AnyTensor &out, const AnyTensor &self, const AnyTensor &other) { return out.did(tn_greater_out(out.get(), self.get(), other.get())); }
inline AnyTensor &gt_out(AnyTensor &out, const AnyTensor &self, Number other) { return out.did(tn_gt_scalar_out(out.get(), self.get(), other)); }
inline AnyTensor &greater_out(AnyTensor &out, const AnyTensor &self, Number other) { return out.did(tn_greater_scalar_out(out.get(), self.get(), other)); }
inline AnyTensor gt(Number self, const AnyTensor &other) { return detail::Own()(tn_gt_rscalar(self, other.get())); }
inline AnyTensor &gt_out(AnyTensor &out, Number self, const AnyTensor &other) { return out.did(tn_gt_rscalar_out(out.get(), self, other.get())); }
inline AnyTensor &ge_out(AnyTensor &out, const AnyTensor &self, const AnyTensor &other) { return out.did(tn_ge_out(out.get(), self.get(), other.get())); }
inline AnyTensor &greater_equal_out(AnyTensor &out, const AnyTensor &self, const AnyTensor &other) { return out.did(tn_greater_equal_out(out.get(), self.get(), other.get())); }
inline AnyTensor &ge_out(AnyTensor &out, const AnyTensor &self, Number other) { return out.did(tn_ge_scalar_out(out.get(), self.get(), other)); }
inline AnyTensor &greater_equal_out(AnyTensor &out, const AnyTensor &self, Number other) { return out.did(tn_greater_equal_scalar_out(out.get(), self.get(), other)); }
inline AnyTensor ge(Number self, const AnyTensor &other) { return detail::Own()(tn_ge_rscalar(self, other.get())); }
inline AnyTensor &ge_out(AnyTensor &out, Number self, const AnyTensor &other) { return out.did(tn_ge_rscalar_out(out.get(), self, other.get())); }
inline AnyTensor isclose(Number self, const AnyTensor &other, double rtol = 1e-05, double atol = 1e-08, bool equal_nan = false) { return detail::Own()(tn_isclose_rscalar(self, other.get(), rtol, atol, equal_nan)); }
inline AnyTensor &isnan_out(AnyTensor &out, const AnyTensor &self) { return out.did(tn_isnan_out(out.get(), self.get())); }
inline AnyTensor &isinf_out(AnyTensor &out, const AnyTensor &self) { return out.did(tn_isinf_out(out.get(), self.get())); }
inline AnyTensor &isposinf_out(AnyTensor &out, const AnyTensor &self) { return out.did(tn_isposinf_out(out.get(), self.get())); }
inline AnyTensor &isneginf_out(AnyTensor &out, const AnyTensor &self) { return out.did(tn_isneginf_out(out.get(), self.get())); }
inline AnyTensor &signbit_out(AnyTensor &out, const AnyTensor &self) { return out.did(tn_signbit_out(out.get(), self.get())); }

/* logic */
inline AnyTensor &logical_and_out(AnyTensor &out, const AnyTensor &self, const AnyTensor &other) { return out.did(tn_logical_and_out(out.get(), self.get(), other.get())); }
inline AnyTensor &logical_and_out(AnyTensor &out, const AnyTensor &self, Number other) { return out.did(tn_logical_and_scalar_out(out.get(), self.get(), other)); }
inline AnyTensor &logical_or_out(AnyTensor &out, const AnyTensor &self, const AnyTensor &other) { return out.did(tn_logical_or_out(out.get(), self.get(), other.get())); }
inline AnyTensor &logical_or_out(AnyTensor &out, const AnyTensor &self, Number other) { return out.did(tn_logical_or_scalar_out(out.get(), self.get(), other)); }
inline AnyTensor &logical_xor_out(AnyTensor &out, const AnyTensor &self, const AnyTensor &other) { return out.did(tn_logical_xor_out(out.get(), self.get(), other.get())); }
inline AnyTensor &logical_xor_out(AnyTensor &out, const AnyTensor &self, Number other) { return out.did(tn_logical_xor_scalar_out(out.get(), self.get(), other)); }
inline AnyTensor &logical_not_out(AnyTensor &out, const AnyTensor &self) { return out.did(tn_logical_not_out(out.get(), self.get())); }
inline AnyTensor &bitwise_and_out(AnyTensor &out, const AnyTensor &self, const AnyTensor &other) { return out.did(tn_bitwise_and_out(out.get(), self.get(), other.get())); }
inline AnyTensor &bitwise_and_out(AnyTensor &out, const AnyTensor &self, Number other) { return out.did(tn_bitwise_and_scalar_out(out.get(), self.get(), other)); }
inline AnyTensor bitwise_and(Number self, const AnyTensor &other) { return detail::Own()(tn_bitwise_and_rscalar(self, other.get())); }
inline AnyTensor &bitwise_and_out(AnyTensor &out, Number self, const AnyTensor &other) { return out.did(tn_bitwise_and_rscalar_out(out.get(), self, other.get())); }
inline AnyTensor &bitwise_or_out(AnyTensor &out, const AnyTensor &self, const AnyTensor &other) { return out.did(tn_bitwise_or_out(out.get(), self.get(), other.get())); }
inline AnyTensor &bitwise_or_out(AnyTensor &out, const AnyTensor &self, Number other) { return out.did(tn_bitwise_or_scalar_out(out.get(), self.get(), other)); }
inline AnyTensor bitwise_or(Number self, const AnyTensor &other) { return detail::Own()(tn_bitwise_or_rscalar(self, other.get())); }
inline AnyTensor &bitwise_or_out(AnyTensor &out, Number self, const AnyTensor &other) { return out.did(tn_bitwise_or_rscalar_out(out.get(), self, other.get())); }
inline AnyTensor &bitwise_xor_out(AnyTensor &out, const AnyTensor &self, const AnyTensor &other) { return out.did(tn_bitwise_xor_out(out.get(), self.get(), other.get())); }
inline AnyTensor &bitwise_xor_out(AnyTensor &out, const AnyTensor &self, Number other) { return out.did(tn_bitwise_xor_scalar_out(out.get(), self.get(), other)); }
inline AnyTensor bitwise_xor(Number self, const AnyTensor &other) { return detail::Own()(tn_bitwise_xor_rscalar(self, other.get())); }
inline AnyTensor &bitwise_xor_out(AnyTensor &out, Number self, const AnyTensor &other) { return out.did(tn_bitwise_xor_rscalar_out(out.get(), self, other.get())); }
inline AnyTensor &bitwise_not_out(AnyTensor &out, const AnyTensor &self) { return out.did(tn_bitwise_not_out(out.get(), self.get())); }
inline AnyTensor &bitwise_left_shift_out(AnyTensor &out, const AnyTensor &self, const AnyTensor &other) { return out.did(tn_bitwise_left_shift_out(out.get(), self.get(), other.get())); }
inline AnyTensor &bitwise_left_shift_out(AnyTensor &out, const AnyTensor &self, Number other) { return out.did(tn_bitwise_left_shift_scalar_out(out.get(), self.get(), other)); }
inline AnyTensor bitwise_left_shift(Number self, const AnyTensor &other) { return detail::Own()(tn_bitwise_left_shift_rscalar(self, other.get())); }
inline AnyTensor &bitwise_left_shift_out(AnyTensor &out, Number self, const AnyTensor &other) { return out.did(tn_bitwise_left_shift_rscalar_out(out.get(), self, other.get())); }
inline AnyTensor &bitwise_right_shift_out(AnyTensor &out, const AnyTensor &self, const AnyTensor &other) { return out.did(tn_bitwise_right_shift_out(out.get(), self.get(), other.get())); }
inline AnyTensor &bitwise_right_shift_out(AnyTensor &out, const AnyTensor &self, Number other) { return out.did(tn_bitwise_right_shift_scalar_out(out.get(), self.get(), other)); }
inline AnyTensor bitwise_right_shift(Number self, const AnyTensor &other) { return detail::Own()(tn_bitwise_right_shift_rscalar(self, other.get())); }
inline AnyTensor &bitwise_right_shift_out(AnyTensor &out, Number self, const AnyTensor &other) { return out.did(tn_bitwise_right_shift_rscalar_out(out.get(), self, other.get())); }

/* select */
inline AnyTensor &where_out(AnyTensor &out, const AnyTensor &condition, const AnyTensor &self, const AnyTensor &other) { return out.did(tn_where_out(out.get(), condition.get(), self.get(), other.get())); }
inline AnyTensor &where_out(AnyTensor &out, const AnyTensor &condition, Number self, const AnyTensor &other) { return out.did(tn_where_self_scalar_out(out.get(), condition.get(), self, other.get())); }
inline AnyTensor &where_out(AnyTensor &out, const AnyTensor &condition, const AnyTensor &self, Number other) { return out.did(tn_where_other_scalar_out(out.get(), condition.get(), self.get(), other)); }
inline AnyTensor &where_out(AnyTensor &out, const AnyTensor &condition, Number self, Number other) { return out.did(tn_where_scalars_out(out.get(), condition.get(), self, other)); }
inline AnyTensor &masked_fill_out(AnyTensor &out, const AnyTensor &self, const AnyTensor &mask, Number value) { return out.did(tn_masked_fill_out(out.get(), self.get(), mask.get(), value)); }
inline AnyTensor &masked_fill_out(AnyTensor &out, const AnyTensor &self, const AnyTensor &mask, const AnyTensor &value) { return out.did(tn_masked_fill_tensor_out(out.get(), self.get(), mask.get(), value.get())); }

/* index */
inline AnyTensor &index_select_out(AnyTensor &out, const AnyTensor &self, int64_t dim, const AnyTensor &index) { return out.did(tn_index_select_out(out.get(), self.get(), dim, index.get())); }
inline AnyTensor &index_add_out(AnyTensor &out, const AnyTensor &self, int64_t dim, const AnyTensor &index, const AnyTensor &source, Number alpha = 1) { return out.did(tn_index_add_out(out.get(), self.get(), dim, index.get(), source.get(), alpha)); }
inline AnyTensor &index_copy_out(AnyTensor &out, const AnyTensor &self, int64_t dim, const AnyTensor &index, const AnyTensor &source) { return out.did(tn_index_copy_out(out.get(), self.get(), dim, index.get(), source.get())); }
inline AnyTensor &index_reduce_out(AnyTensor &out, const AnyTensor &self, int64_t dim, const AnyTensor &index, const AnyTensor &source, const char *reduce, bool include_self = true) { return out.did(tn_index_reduce_out(out.get(), self.get(), dim, index.get(), source.get(), reduce, include_self)); }
inline AnyTensor &gather_out(AnyTensor &out, const AnyTensor &self, int64_t dim, const AnyTensor &index) { return out.did(tn_gather_out(out.get(), self.get(), dim, index.get())); }
inline AnyTensor &take_out(AnyTensor &out, const AnyTensor &self, const AnyTensor &index) { return out.did(tn_take_out(out.get(), self.get(), index.get())); }
inline AnyTensor &take_along_dim_out(AnyTensor &out, const AnyTensor &self, const AnyTensor &indices, int64_t dim = TN_NONE) { return out.did(tn_take_along_dim_out(out.get(), self.get(), indices.get(), dim)); }
inline AnyTensor &scatter_out(AnyTensor &out, const AnyTensor &self, int64_t dim, const AnyTensor &index, const AnyTensor &src) { return out.did(tn_scatter_out(out.get(), self.get(), dim, index.get(), src.get())); }
inline AnyTensor &scatter_out(AnyTensor &out, const AnyTensor &self, int64_t dim, const AnyTensor &index, Number value) { return out.did(tn_scatter_value_out(out.get(), self.get(), dim, index.get(), value)); }
inline AnyTensor &scatter_out(AnyTensor &out, const AnyTensor &self, int64_t dim, const AnyTensor &index, const AnyTensor &src, const char *reduce) { return out.did(tn_scatter_reduction_out(out.get(), self.get(), dim, index.get(), src.get(), reduce)); }
inline AnyTensor &scatter_out(AnyTensor &out, const AnyTensor &self, int64_t dim, const AnyTensor &index, Number value, const char *reduce) { return out.did(tn_scatter_value_reduction_out(out.get(), self.get(), dim, index.get(), value, reduce)); }
inline AnyTensor &scatter_add_out(AnyTensor &out, const AnyTensor &self, int64_t dim, const AnyTensor &index, const AnyTensor &src) { return out.did(tn_scatter_add_out(out.get(), self.get(), dim, index.get(), src.get())); }
inline AnyTensor &scatter_reduce_out(AnyTensor &out, const AnyTensor &self, int64_t dim, const AnyTensor &index, const AnyTensor &src, const char *reduce, bool include_self = true) { return out.did(tn_scatter_reduce_out(out.get(), self.get(), dim, index.get(), src.get(), reduce, include_self)); }
inline AnyTensor &masked_select_out(AnyTensor &out, const AnyTensor &self, const AnyTensor &mask) { return out.did(tn_masked_select_out(out.get(), self.get(), mask.get())); }

/* sort */
inline AnyTensor &sort_out(AnyTensor &values, AnyTensor &indices, const AnyTensor &self, int64_t dim = -1, bool descending = false) { return values.did(tn_sort_out(values.get(), indices.get(), self.get(), dim, descending)); }
inline AnyTensor &sort_stable_out(AnyTensor &values, AnyTensor &indices, const AnyTensor &self, bool stable, int64_t dim = -1, bool descending = false) { return values.did(tn_sort_stable_out(values.get(), indices.get(), self.get(), stable, dim, descending)); }
inline AnyTensor &argsort_out(AnyTensor &out, const AnyTensor &self, bool stable, int64_t dim = -1, bool descending = false) { return out.did(tn_argsort_stable_out(out.get(), self.get(), stable, dim, descending)); }
inline AnyTensor &msort_out(AnyTensor &out, const AnyTensor &self) { return out.did(tn_msort_out(out.get(), self.get())); }
inline AnyTensor &topk_out(AnyTensor &values, AnyTensor &indices, const AnyTensor &self, int64_t k, int64_t dim = -1, bool largest = true, bool sorted = true) { return values.did(tn_topk_out(values.get(), indices.get(), self.get(), k, dim, largest, sorted)); }
inline AnyTensor &kthvalue_out(AnyTensor &values, AnyTensor &indices, const AnyTensor &self, int64_t k, int64_t dim = -1, bool keepdim = false) { return values.did(tn_kthvalue_out(values.get(), indices.get(), self.get(), k, dim, keepdim)); }
inline AnyTensor &median_out(AnyTensor &values, AnyTensor &indices, const AnyTensor &self, int64_t dim, bool keepdim = false) { return values.did(tn_median_dim_out(values.get(), indices.get(), self.get(), dim, keepdim)); }
inline AnyTensor &nanmedian_out(AnyTensor &values, AnyTensor &indices, const AnyTensor &self, int64_t dim, bool keepdim = false) { return values.did(tn_nanmedian_dim_out(values.get(), indices.get(), self.get(), dim, keepdim)); }
inline AnyTensor &mode_out(AnyTensor &values, AnyTensor &indices, const AnyTensor &self, int64_t dim = -1, bool keepdim = false) { return values.did(tn_mode_out(values.get(), indices.get(), self.get(), dim, keepdim)); }
inline AnyTensor &quantile_out(AnyTensor &out, const AnyTensor &self, const AnyTensor &q, int64_t dim = TN_NONE, bool keepdim = false, const char *interpolation = "linear") { return out.did(tn_quantile_out(out.get(), self.get(), q.get(), dim, keepdim, interpolation)); }
inline AnyTensor &quantile_out(AnyTensor &out, const AnyTensor &self, double q, int64_t dim = TN_NONE, bool keepdim = false, const char *interpolation = "linear") { return out.did(tn_quantile_scalar_out(out.get(), self.get(), q, dim, keepdim, interpolation)); }
inline AnyTensor &nanquantile_out(AnyTensor &out, const AnyTensor &self, const AnyTensor &q, int64_t dim = TN_NONE, bool keepdim = false, const char *interpolation = "linear") { return out.did(tn_nanquantile_out(out.get(), self.get(), q.get(), dim, keepdim, interpolation)); }
inline AnyTensor &nanquantile_out(AnyTensor &out, const AnyTensor &self, double q, int64_t dim = TN_NONE, bool keepdim = false, const char *interpolation = "linear") { return out.did(tn_nanquantile_scalar_out(out.get(), self.get(), q, dim, keepdim, interpolation)); }

/* search */
inline AnyTensor &searchsorted_out(AnyTensor &out, const AnyTensor &sorted_sequence, const AnyTensor &input, bool out_int32 = false, bool right = false, const char *side = "none", const AnyTensor &sorter = AnyTensor()) { return out.did(tn_searchsorted_out(out.get(), sorted_sequence.get(), input.get(), out_int32, right, side, sorter.get())); }
inline AnyTensor &searchsorted_out(AnyTensor &out, const AnyTensor &sorted_sequence, Number input, bool out_int32 = false, bool right = false, const char *side = "none", const AnyTensor &sorter = AnyTensor()) { return out.did(tn_searchsorted_scalar_out(out.get(), sorted_sequence.get(), input, out_int32, right, side, sorter.get())); }
inline AnyTensor &bucketize_out(AnyTensor &out, const AnyTensor &self, const AnyTensor &boundaries, bool out_int32 = false, bool right = false) { return out.did(tn_bucketize_out(out.get(), self.get(), boundaries.get(), out_int32, right)); }
inline AnyTensor bucketize(Number self, const AnyTensor &boundaries, bool out_int32 = false, bool right = false) { return detail::Own()(tn_bucketize_scalar(self, boundaries.get(), out_int32, right)); }
inline AnyTensor &isin_out(AnyTensor &out, const AnyTensor &elements, const AnyTensor &test_elements, bool assume_unique = false, bool invert = false) { return out.did(tn_isin_out(out.get(), elements.get(), test_elements.get(), assume_unique, invert)); }
inline AnyTensor &isin_out(AnyTensor &out, const AnyTensor &elements, Number test_element, bool assume_unique = false, bool invert = false) { return out.did(tn_isin_scalar_out(out.get(), elements.get(), test_element, assume_unique, invert)); }
inline AnyTensor isin(Number element, const AnyTensor &test_elements, bool assume_unique = false, bool invert = false) { return detail::Own()(tn_isin_rscalar(element, test_elements.get(), assume_unique, invert)); }
inline AnyTensor &isin_out(AnyTensor &out, Number element, const AnyTensor &test_elements, bool assume_unique = false, bool invert = false) { return out.did(tn_isin_rscalar_out(out.get(), element, test_elements.get(), assume_unique, invert)); }
inline AnyTensor &nonzero_out(AnyTensor &out, const AnyTensor &self) { return out.did(tn_nonzero_out(out.get(), self.get())); }
inline AnyTensor &nonzero_static_out(AnyTensor &out, const AnyTensor &self, int64_t size, int64_t fill_value = -1) { return out.did(tn_nonzero_static_out(out.get(), self.get(), size, fill_value)); }
inline AnyTensor &histc_out(AnyTensor &out, const AnyTensor &self, int64_t bins = 100, Number min = 0, Number max = 0) { return out.did(tn_histc_out(out.get(), self.get(), bins, min, max)); }
inline AnyTensor &histogram_out(AnyTensor &hist, AnyTensor &bin_edges, const AnyTensor &self, int64_t bins = 100, const AnyTensor &weight = AnyTensor(), bool density = false) { return hist.did(tn_histogram_out(hist.get(), bin_edges.get(), self.get(), bins, weight.get(), density)); }
inline AnyTensor &histogram_out(AnyTensor &hist, AnyTensor &bin_edges, const AnyTensor &self, int64_t bins, Floats range, const AnyTensor &weight = AnyTensor(), bool density = false) { return hist.did(tn_histogram_range_out(hist.get(), bin_edges.get(), self.get(), bins, range, weight.get(), density)); }
inline AnyTensor &histogram_out(AnyTensor &hist, AnyTensor &bin_edges, const AnyTensor &self, const AnyTensor &bins, const AnyTensor &weight = AnyTensor(), bool density = false) { return hist.did(tn_histogram_bins_out(hist.get(), bin_edges.get(), self.get(), bins.get(), weight.get(), density)); }

/* softmax */
inline AnyTensor &softmax_out(AnyTensor &out, const AnyTensor &self, int64_t dim, tn_dtype dtype = TN_DTYPE_DEFAULT) { return out.did(tn_softmax_out(out.get(), self.get(), dim, dtype)); }
inline AnyTensor &log_softmax_out(AnyTensor &out, const AnyTensor &self, int64_t dim, tn_dtype dtype = TN_DTYPE_DEFAULT) { return out.did(tn_log_softmax_out(out.get(), self.get(), dim, dtype)); }
inline AnyTensor &_softmax_backward_data_out(AnyTensor &out, const AnyTensor &grad_output, const AnyTensor &output, int64_t dim, tn_dtype input_dtype = TN_DTYPE_DEFAULT) { return out.did(tn__softmax_backward_data_out(out.get(), grad_output.get(), output.get(), dim, input_dtype)); }
inline AnyTensor &_log_softmax_backward_data_out(AnyTensor &out, const AnyTensor &grad_output, const AnyTensor &output, int64_t dim, tn_dtype input_dtype = TN_DTYPE_DEFAULT) { return out.did(tn__log_softmax_backward_data_out(out.get(), grad_output.get(), output.get(), dim, input_dtype)); }
inline AnyTensor &normalize_out(AnyTensor &out, const AnyTensor &self, double p = 2, int64_t dim = 1, double eps = 0.000000000001) { return out.did(tn_normalize_out(out.get(), self.get(), p, dim, eps)); }

/* pooling */
inline AnyTensor &max_pool2d_out(AnyTensor &out, const AnyTensor &self, Dims kernel_size, Dims stride = Dims(), Dims padding = Dims(), Dims dilation = Dims(), bool ceil_mode = false) { return out.did(tn_max_pool2d_out(out.get(), self.get(), kernel_size, stride, padding, dilation, ceil_mode)); }
inline AnyTensor &max_pool3d_out(AnyTensor &out, const AnyTensor &self, Dims kernel_size, Dims stride = Dims(), Dims padding = Dims(), Dims dilation = Dims(), bool ceil_mode = false) { return out.did(tn_max_pool3d_out(out.get(), self.get(), kernel_size, stride, padding, dilation, ceil_mode)); }
inline AnyTensor &max_pool2d_with_indices_out(AnyTensor &values, AnyTensor &indices, const AnyTensor &self, Dims kernel_size, Dims stride = Dims(), Dims padding = Dims(), Dims dilation = Dims(), bool ceil_mode = false) { return values.did(tn_max_pool2d_with_indices_out(values.get(), indices.get(), self.get(), kernel_size, stride, padding, dilation, ceil_mode)); }
inline AnyTensor &max_pool3d_with_indices_out(AnyTensor &values, AnyTensor &indices, const AnyTensor &self, Dims kernel_size, Dims stride = Dims(), Dims padding = Dims(), Dims dilation = Dims(), bool ceil_mode = false) { return values.did(tn_max_pool3d_with_indices_out(values.get(), indices.get(), self.get(), kernel_size, stride, padding, dilation, ceil_mode)); }
inline AnyTensor &max_pool2d_with_indices_backward_out(AnyTensor &out, const AnyTensor &grad_output, const AnyTensor &self, Dims kernel_size, Dims stride, Dims padding, Dims dilation, bool ceil_mode, const AnyTensor &indices) { return out.did(tn_max_pool2d_with_indices_backward_out(out.get(), grad_output.get(), self.get(), kernel_size, stride, padding, dilation, ceil_mode, indices.get())); }
inline AnyTensor &max_pool3d_with_indices_backward_out(AnyTensor &out, const AnyTensor &grad_output, const AnyTensor &self, Dims kernel_size, Dims stride, Dims padding, Dims dilation, bool ceil_mode, const AnyTensor &indices) { return out.did(tn_max_pool3d_with_indices_backward_out(out.get(), grad_output.get(), self.get(), kernel_size, stride, padding, dilation, ceil_mode, indices.get())); }
inline AnyTensor &avg_pool2d_out(AnyTensor &out, const AnyTensor &self, Dims kernel_size, Dims stride = Dims(), Dims padding = Dims(), bool ceil_mode = false, bool count_include_pad = true, int64_t divisor_override = TN_NONE) { return out.did(tn_avg_pool2d_out(out.get(), self.get(), kernel_size, stride, padding, ceil_mode, count_include_pad, divisor_override)); }
inline AnyTensor &avg_pool3d_out(AnyTensor &out, const AnyTensor &self, Dims kernel_size, Dims stride = Dims(), Dims padding = Dims(), bool ceil_mode = false, bool count_include_pad = true, int64_t divisor_override = TN_NONE) { return out.did(tn_avg_pool3d_out(out.get(), self.get(), kernel_size, stride, padding, ceil_mode, count_include_pad, divisor_override)); }
inline AnyTensor &avg_pool2d_backward_out(AnyTensor &out, const AnyTensor &grad_output, const AnyTensor &self, Dims kernel_size, Dims stride, Dims padding, bool ceil_mode, bool count_include_pad, int64_t divisor_override = TN_NONE) { return out.did(tn_avg_pool2d_backward_out(out.get(), grad_output.get(), self.get(), kernel_size, stride, padding, ceil_mode, count_include_pad, divisor_override)); }
inline AnyTensor &avg_pool3d_backward_out(AnyTensor &out, const AnyTensor &grad_output, const AnyTensor &self, Dims kernel_size, Dims stride, Dims padding, bool ceil_mode, bool count_include_pad, int64_t divisor_override = TN_NONE) { return out.did(tn_avg_pool3d_backward_out(out.get(), grad_output.get(), self.get(), kernel_size, stride, padding, ceil_mode, count_include_pad, divisor_override)); }
inline AnyTensor &_adaptive_avg_pool2d_out(AnyTensor &out, const AnyTensor &self, Dims output_size) { return out.did(tn__adaptive_avg_pool2d_out(out.get(), self.get(), output_size)); }
inline AnyTensor &_adaptive_avg_pool3d_out(AnyTensor &out, const AnyTensor &self, Dims output_size) { return out.did(tn__adaptive_avg_pool3d_out(out.get(), self.get(), output_size)); }
inline AnyTensor &_adaptive_avg_pool2d_backward_out(AnyTensor &out, const AnyTensor &grad_output, const AnyTensor &self) { return out.did(tn__adaptive_avg_pool2d_backward_out(out.get(), grad_output.get(), self.get())); }
inline AnyTensor &_adaptive_avg_pool3d_backward_out(AnyTensor &out, const AnyTensor &grad_output, const AnyTensor &self) { return out.did(tn__adaptive_avg_pool3d_backward_out(out.get(), grad_output.get(), self.get())); }
inline AnyTensor &adaptive_max_pool2d_out(AnyTensor &values, AnyTensor &indices, const AnyTensor &self, Dims output_size) { return values.did(tn_adaptive_max_pool2d_out(values.get(), indices.get(), self.get(), output_size)); }
inline AnyTensor &adaptive_max_pool3d_out(AnyTensor &values, AnyTensor &indices, const AnyTensor &self, Dims output_size) { return values.did(tn_adaptive_max_pool3d_out(values.get(), indices.get(), self.get(), output_size)); }
inline AnyTensor &adaptive_max_pool2d_backward_out(AnyTensor &out, const AnyTensor &grad_output, const AnyTensor &self, const AnyTensor &indices) { return out.did(tn_adaptive_max_pool2d_backward_out(out.get(), grad_output.get(), self.get(), indices.get())); }
inline AnyTensor &adaptive_max_pool3d_backward_out(AnyTensor &out, const AnyTensor &grad_output, const AnyTensor &self, const AnyTensor &indices) { return out.did(tn_adaptive_max_pool3d_backward_out(out.get(), grad_output.get(), self.get(), indices.get())); }
inline AnyTensor &fractional_max_pool2d_out(AnyTensor &values, AnyTensor &indices, const AnyTensor &self, Dims kernel_size, Dims output_size, const AnyTensor &random_samples) { return values.did(tn_fractional_max_pool2d_out(values.get(), indices.get(), self.get(), kernel_size, output_size, random_samples.get())); }
inline AnyTensor &fractional_max_pool3d_out(AnyTensor &values, AnyTensor &indices, const AnyTensor &self, Dims kernel_size, Dims output_size, const AnyTensor &random_samples) { return values.did(tn_fractional_max_pool3d_out(values.get(), indices.get(), self.get(), kernel_size, output_size, random_samples.get())); }
inline AnyTensor &fractional_max_pool2d_backward_out(AnyTensor &out, const AnyTensor &grad_output, const AnyTensor &self, Dims kernel_size, Dims output_size, const AnyTensor &indices) { return out.did(tn_fractional_max_pool2d_backward_out(out.get(), grad_output.get(), self.get(), kernel_size, output_size, indices.get())); }
inline AnyTensor &fractional_max_pool3d_backward_out(AnyTensor &out, const AnyTensor &grad_output, const AnyTensor &self, Dims kernel_size, Dims output_size, const AnyTensor &indices) { return out.did(tn_fractional_max_pool3d_backward_out(out.get(), grad_output.get(), self.get(), kernel_size, output_size, indices.get())); }
inline AnyTensor &max_unpool2d_out(AnyTensor &out, const AnyTensor &self, const AnyTensor &indices, Dims output_size) { return out.did(tn_max_unpool2d_out(out.get(), self.get(), indices.get(), output_size)); }
inline AnyTensor &max_unpool3d_out(AnyTensor &out, const AnyTensor &self, const AnyTensor &indices, Dims output_size, Dims stride, Dims padding) { return out.did(tn_max_unpool3d_out(out.get(), self.get(), indices.get(), output_size, stride, padding)); }

/* resampling */
inline AnyTensor &upsample_nearest1d_out(AnyTensor &out, const AnyTensor &self, Dims output_size, Number scales = Number::none()) { return out.did(tn_upsample_nearest1d_out(out.get(), self.get(), output_size, scales)); }
inline AnyTensor &upsample_nearest2d_out(AnyTensor &out, const AnyTensor &self, Dims output_size, Number scales_h = Number::none(), Number scales_w = Number::none()) { return out.did(tn_upsample_nearest2d_out(out.get(), self.get(), output_size, scales_h, scales_w)); }
inline AnyTensor &upsample_nearest3d_out(AnyTensor &out, const AnyTensor &self, Dims output_size, Number scales_d = Number::none(), Number scales_h = Number::none(), Number scales_w = Number::none()) { return out.did(tn_upsample_nearest3d_out(out.get(), self.get(), output_size, scales_d, scales_h, scales_w)); }
inline AnyTensor &_upsample_nearest_exact1d_out(AnyTensor &out, const AnyTensor &self, Dims output_size, Number scales = Number::none()) { return out.did(tn__upsample_nearest_exact1d_out(out.get(), self.get(), output_size, scales)); }
inline AnyTensor &_upsample_nearest_exact2d_out(AnyTensor &out, const AnyTensor &self, Dims output_size, Number scales_h = Number::none(), Number scales_w = Number::none()) { return out.did(tn__upsample_nearest_exact2d_out(out.get(), self.get(), output_size, scales_h, scales_w)); }
inline AnyTensor &_upsample_nearest_exact3d_out(AnyTensor &out, const AnyTensor &self, Dims output_size, Number scales_d = Number::none(), Number scales_h = Number::none(), Number scales_w = Number::none()) { return out.did(tn__upsample_nearest_exact3d_out(out.get(), self.get(), output_size, scales_d, scales_h, scales_w)); }
inline AnyTensor &upsample_linear1d_out(AnyTensor &out, const AnyTensor &self, Dims output_size, bool align_corners, Number scales = Number::none()) { return out.did(tn_upsample_linear1d_out(out.get(), self.get(), output_size, align_corners, scales)); }
inline AnyTensor &upsample_bilinear2d_out(AnyTensor &out, const AnyTensor &self, Dims output_size, bool align_corners, Number scales_h = Number::none(), Number scales_w = Number::none()) { return out.did(tn_upsample_bilinear2d_out(out.get(), self.get(), output_size, align_corners, scales_h, scales_w)); }
inline AnyTensor &upsample_trilinear3d_out(AnyTensor &out, const AnyTensor &self, Dims output_size, bool align_corners, Number scales_d = Number::none(), Number scales_h = Number::none(), Number scales_w = Number::none()) { return out.did(tn_upsample_trilinear3d_out(out.get(), self.get(), output_size, align_corners, scales_d, scales_h, scales_w)); }
inline AnyTensor &upsample_bicubic2d_out(AnyTensor &out, const AnyTensor &self, Dims output_size, bool align_corners, Number scales_h = Number::none(), Number scales_w = Number::none()) { return out.did(tn_upsample_bicubic2d_out(out.get(), self.get(), output_size, align_corners, scales_h, scales_w)); }
inline AnyTensor &_upsample_bilinear2d_aa_out(AnyTensor &out, const AnyTensor &self, Dims output_size, bool align_corners, Number scales_h = Number::none(), Number scales_w = Number::none()) { return out.did(tn__upsample_bilinear2d_aa_out(out.get(), self.get(), output_size, align_corners, scales_h, scales_w)); }
inline AnyTensor &_upsample_bicubic2d_aa_out(AnyTensor &out, const AnyTensor &self, Dims output_size, bool align_corners, Number scales_h = Number::none(), Number scales_w = Number::none()) { return out.did(tn__upsample_bicubic2d_aa_out(out.get(), self.get(), output_size, align_corners, scales_h, scales_w)); }
inline AnyTensor &upsample_nearest1d_backward_out(AnyTensor &out, const AnyTensor &grad_output, Dims output_size, Dims input_size, Number scales = Number::none()) { return out.did(tn_upsample_nearest1d_backward_out(out.get(), grad_output.get(), output_size, input_size, scales)); }
inline AnyTensor &upsample_nearest2d_backward_out(AnyTensor &out, const AnyTensor &grad_output, Dims output_size, Dims input_size, Number scales_h = Number::none(), Number scales_w = Number::none()) { return out.did(tn_upsample_nearest2d_backward_out(out.get(), grad_output.get(), output_size, input_size, scales_h, scales_w)); }
inline AnyTensor &upsample_nearest3d_backward_out(AnyTensor &out, const AnyTensor &grad_output, Dims output_size, Dims input_size, Number scales_d = Number::none(), Number scales_h = Number::none(), Number scales_w = Number::none()) { return out.did(tn_upsample_nearest3d_backward_out(out.get(), grad_output.get(), output_size, input_size, scales_d, scales_h, scales_w)); }
inline AnyTensor &_upsample_nearest_exact1d_backward_out(AnyTensor &out, const AnyTensor &grad_output, Dims output_size, Dims input_size, Number scales = Number::none()) { return out.did(tn__upsample_nearest_exact1d_backward_out(out.get(), grad_output.get(), output_size, input_size, scales)); }
inline AnyTensor &_upsample_nearest_exact2d_backward_out(AnyTensor &out, const AnyTensor &grad_output, Dims output_size, Dims input_size, Number scales_h = Number::none(), Number scales_w = Number::none()) { return out.did(tn__upsample_nearest_exact2d_backward_out(out.get(), grad_output.get(), output_size, input_size, scales_h, scales_w)); }
inline AnyTensor &_upsample_nearest_exact3d_backward_out(AnyTensor &out, const AnyTensor &grad_output, Dims output_size, Dims input_size, Number scales_d = Number::none(), Number scales_h = Number::none(), Number scales_w = Number::none()) { return out.did(tn__upsample_nearest_exact3d_backward_out(out.get(), grad_output.get(), output_size, input_size, scales_d, scales_h, scales_w)); }
inline AnyTensor &upsample_linear1d_backward_out(AnyTensor &out, const AnyTensor &grad_output, Dims output_size, Dims input_size, bool align_corners, Number scales = Number::none()) { return out.did(tn_upsample_linear1d_backward_out(out.get(), grad_output.get(), output_size, input_size, align_corners, scales)); }
inline AnyTensor &upsample_bilinear2d_backward_out(AnyTensor &out, const AnyTensor &grad_output, Dims output_size, Dims input_size, bool align_corners, Number scales_h = Number::none(), Number scales_w = Number::none()) { return out.did(tn_upsample_bilinear2d_backward_out(out.get(), grad_output.get(), output_size, input_size, align_corners, scales_h, scales_w)); }
inline AnyTensor &upsample_trilinear3d_backward_out(AnyTensor &out, const AnyTensor &grad_output, Dims output_size, Dims input_size, bool align_corners, Number scales_d = Number::none(), Number scales_h = Number::none(), Number scales_w = Number::none()) { return out.did(tn_upsample_trilinear3d_backward_out(out.get(), grad_output.get(), output_size, input_size, align_corners, scales_d, scales_h, scales_w)); }
inline AnyTensor &upsample_bicubic2d_backward_out(AnyTensor &out, const AnyTensor &grad_output, Dims output_size, Dims input_size, bool align_corners, Number scales_h = Number::none(), Number scales_w = Number::none()) { return out.did(tn_upsample_bicubic2d_backward_out(out.get(), grad_output.get(), output_size, input_size, align_corners, scales_h, scales_w)); }
inline AnyTensor &_upsample_bilinear2d_aa_backward_out(AnyTensor &out, const AnyTensor &grad_output, Dims output_size, Dims input_size, bool align_corners, Number scales_h = Number::none(), Number scales_w = Number::none()) { return out.did(tn__upsample_bilinear2d_aa_backward_out(out.get(), grad_output.get(), output_size, input_size, align_corners, scales_h, scales_w)); }
inline AnyTensor &_upsample_bicubic2d_aa_backward_out(AnyTensor &out, const AnyTensor &grad_output, Dims output_size, Dims input_size, bool align_corners, Number scales_h = Number::none(), Number scales_w = Number::none()) { return out.did(tn__upsample_bicubic2d_aa_backward_out(out.get(), grad_output.get(), output_size, input_size, align_corners, scales_h, scales_w)); }
inline AnyTensor &grid_sampler_2d_out(AnyTensor &out, const AnyTensor &input, const AnyTensor &grid, int64_t interpolation_mode, int64_t padding_mode, bool align_corners) { return out.did(tn_grid_sampler_2d_out(out.get(), input.get(), grid.get(), interpolation_mode, padding_mode, align_corners)); }
inline AnyTensor &grid_sampler_3d_out(AnyTensor &out, const AnyTensor &input, const AnyTensor &grid, int64_t interpolation_mode, int64_t padding_mode, bool align_corners) { return out.did(tn_grid_sampler_3d_out(out.get(), input.get(), grid.get(), interpolation_mode, padding_mode, align_corners)); }
inline AnyTensor &grid_sampler_2d_backward_out(AnyTensor &grad_input, AnyTensor &grad_grid, const AnyTensor &grad_output, const AnyTensor &input, const AnyTensor &grid, int64_t interpolation_mode, int64_t padding_mode, bool align_corners, Dims output_mask) { return grad_input.did(tn_grid_sampler_2d_backward_out(grad_input.get(), grad_grid.get(), grad_output.get(), input.get(), grid.get(), interpolation_mode, padding_mode, align_corners, output_mask)); }
inline AnyTensor &grid_sampler_3d_backward_out(AnyTensor &grad_input, AnyTensor &grad_grid, const AnyTensor &grad_output, const AnyTensor &input, const AnyTensor &grid, int64_t interpolation_mode, int64_t padding_mode, bool align_corners, Dims output_mask) { return grad_input.did(tn_grid_sampler_3d_backward_out(grad_input.get(), grad_grid.get(), grad_output.get(), input.get(), grid.get(), interpolation_mode, padding_mode, align_corners, output_mask)); }

/* product */
inline AnyTensor &matmul_out(AnyTensor &out, const AnyTensor &self, const AnyTensor &other) { return out.did(tn_matmul_out(out.get(), self.get(), other.get())); }
inline AnyTensor &linalg_matmul_out(AnyTensor &out, const AnyTensor &self, const AnyTensor &other) { return out.did(tn_linalg_matmul_out(out.get(), self.get(), other.get())); }
inline AnyTensor &mm_out(AnyTensor &out, const AnyTensor &self, const AnyTensor &mat2) { return out.did(tn_mm_out(out.get(), self.get(), mat2.get())); }
inline AnyTensor &mm_out(AnyTensor &out, const AnyTensor &self, const AnyTensor &mat2, tn_dtype out_dtype) { return out.did(tn_mm_dtype_out(out.get(), self.get(), mat2.get(), out_dtype)); }
inline AnyTensor &bmm_out(AnyTensor &out, const AnyTensor &self, const AnyTensor &mat2) { return out.did(tn_bmm_out(out.get(), self.get(), mat2.get())); }
inline AnyTensor &bmm_out(AnyTensor &out, const AnyTensor &self, const AnyTensor &mat2, tn_dtype out_dtype) { return out.did(tn_bmm_dtype_out(out.get(), self.get(), mat2.get(), out_dtype)); }
inline AnyTensor &mv_out(AnyTensor &out, const AnyTensor &self, const AnyTensor &vec) { return out.did(tn_mv_out(out.get(), self.get(), vec.get())); }
inline AnyTensor &dot_out(AnyTensor &out, const AnyTensor &self, const AnyTensor &tensor) { return out.did(tn_dot_out(out.get(), self.get(), tensor.get())); }
inline AnyTensor &vdot_out(AnyTensor &out, const AnyTensor &self, const AnyTensor &other) { return out.did(tn_vdot_out(out.get(), self.get(), other.get())); }
inline AnyTensor &inner_out(AnyTensor &out, const AnyTensor &self, const AnyTensor &other) { return out.did(tn_inner_out(out.get(), self.get(), other.get())); }
inline AnyTensor &linalg_vecdot_out(AnyTensor &out, const AnyTensor &x, const AnyTensor &y, int64_t dim = -1) { return out.did(tn_linalg_vecdot_out(out.get(), x.get(), y.get(), dim)); }
inline AnyTensor &addmm_out(AnyTensor &out, const AnyTensor &self, const AnyTensor &mat1, const AnyTensor &mat2, Number beta = 1, Number alpha = 1) { return out.did(tn_addmm_out(out.get(), self.get(), mat1.get(), mat2.get(), beta, alpha)); }
inline AnyTensor &addmv_out(AnyTensor &out, const AnyTensor &self, const AnyTensor &mat, const AnyTensor &vec, Number beta = 1, Number alpha = 1) { return out.did(tn_addmv_out(out.get(), self.get(), mat.get(), vec.get(), beta, alpha)); }
inline AnyTensor &baddbmm_out(AnyTensor &out, const AnyTensor &self, const AnyTensor &batch1, const AnyTensor &batch2, Number beta = 1, Number alpha = 1) { return out.did(tn_baddbmm_out(out.get(), self.get(), batch1.get(), batch2.get(), beta, alpha)); }
inline AnyTensor &addbmm_out(AnyTensor &out, const AnyTensor &self, const AnyTensor &batch1, const AnyTensor &batch2, Number beta = 1, Number alpha = 1) { return out.did(tn_addbmm_out(out.get(), self.get(), batch1.get(), batch2.get(), beta, alpha)); }
inline AnyTensor &addr_out(AnyTensor &out, const AnyTensor &self, const AnyTensor &vec1, const AnyTensor &vec2, Number beta = 1, Number alpha = 1) { return out.did(tn_addr_out(out.get(), self.get(), vec1.get(), vec2.get(), beta, alpha)); }
inline AnyTensor &_addmm_activation_out(AnyTensor &out, const AnyTensor &self, const AnyTensor &mat1, const AnyTensor &mat2, Number beta = 1, Number alpha = 1, bool use_gelu = false) { return out.did(tn__addmm_activation_out(out.get(), self.get(), mat1.get(), mat2.get(), beta, alpha, use_gelu)); }
inline AnyTensor &linear_out(AnyTensor &out, const AnyTensor &input, const AnyTensor &weight, const AnyTensor &bias = AnyTensor()) { return out.did(tn_linear_out(out.get(), input.get(), weight.get(), bias.get())); }
inline AnyTensor &linear_fused_out(AnyTensor &out, const AnyTensor &input, const AnyTensor &weight, const AnyTensor &bias = AnyTensor(), const char *activation = "none", const AnyTensor &residual = AnyTensor(), Number scale = 1) { return out.did(tn_linear_fused_out(out.get(), input.get(), weight.get(), bias.get(), activation, residual.get(), scale)); }
inline AnyTensor &linalg_matrix_power_out(AnyTensor &out, const AnyTensor &self, int64_t n) { return out.did(tn_linalg_matrix_power_out(out.get(), self.get(), n)); }
inline AnyTensor &matrix_power_out(AnyTensor &out, const AnyTensor &self, int64_t n) { return out.did(tn_matrix_power_out(out.get(), self.get(), n)); }
inline AnyTensor &trace_out(AnyTensor &out, const AnyTensor &self) { return out.did(tn_trace_out(out.get(), self.get())); }
inline AnyTensor &_int_mm_out(AnyTensor &out, const AnyTensor &self, const AnyTensor &mat2) { return out.did(tn__int_mm_out(out.get(), self.get(), mat2.get())); }
inline AnyTensor &_scaled_mm_out(AnyTensor &out, const AnyTensor &self, const AnyTensor &mat2, const AnyTensor &scale_a, const AnyTensor &scale_b, const AnyTensor &bias = AnyTensor(), const AnyTensor &scale_result = AnyTensor(), tn_dtype out_dtype = TN_DTYPE_DEFAULT, bool use_fast_accum = false) { return out.did(tn__scaled_mm_out(out.get(), self.get(), mat2.get(), scale_a.get(), scale_b.get(), bias.get(), scale_result.get(), out_dtype, use_fast_accum)); }
inline AnyTensor &sumproduct_out(AnyTensor &out, const AnyTensor &self, const AnyTensor &other, Dims dim, bool keepdim = false) { return out.did(tn_sumproduct_out(out.get(), self.get(), other.get(), dim, keepdim)); }
inline AnyTensor &tensordot_out(AnyTensor &out, const AnyTensor &self, const AnyTensor &other, Dims dims_self, Dims dims_other) { return out.did(tn_tensordot_out(out.get(), self.get(), other.get(), dims_self, dims_other)); }
inline AnyTensor &tensordot_out(AnyTensor &out, const AnyTensor &self, const AnyTensor &other, int64_t dims = 2) { return out.did(tn_tensordot_count_out(out.get(), self.get(), other.get(), dims)); }
inline AnyTensor einsum(const char *equation, TensorList tensors) { return detail::Own()(tn_einsum(equation, tensors.items(), tensors.count())); }
inline AnyTensor linalg_multi_dot(TensorList tensors) { return detail::Own()(tn_linalg_multi_dot(tensors.items(), tensors.count())); }
inline AnyTensor &linalg_multi_dot_out(AnyTensor &out, TensorList tensors) { return out.did(tn_linalg_multi_dot_out(out.get(), tensors.items(), tensors.count())); }
inline AnyTensor chain_matmul(TensorList matrices) { return detail::Own()(tn_chain_matmul(matrices.items(), matrices.count())); }
inline AnyTensor &chain_matmul_out(AnyTensor &out, TensorList matrices) { return out.did(tn_chain_matmul_out(out.get(), matrices.items(), matrices.count())); }

/* convolution */
inline AnyTensor &convolution_out(AnyTensor &out, const AnyTensor &input, const AnyTensor &weight, const AnyTensor &bias, Dims stride, Dims padding, Dims dilation, bool transposed, Dims output_padding, int64_t groups) { return out.did(tn_convolution_out(out.get(), input.get(), weight.get(), bias.get(), stride, padding, dilation, transposed, output_padding, groups)); }
inline AnyTensor &convolution_fused_out(AnyTensor &out, const AnyTensor &input, const AnyTensor &weight, const AnyTensor &bias, Dims stride, Dims padding, Dims dilation, bool transposed, Dims output_padding, int64_t groups, const char *activation = "none") { return out.did(tn_convolution_fused_out(out.get(), input.get(), weight.get(), bias.get(), stride, padding, dilation, transposed, output_padding, groups, activation)); }
inline AnyTensor &convolution_backward_weight_out(AnyTensor &out, const AnyTensor &grad_output, const AnyTensor &input, Dims weight_size, Dims stride, Dims padding, Dims dilation, bool transposed, Dims output_padding, int64_t groups) { return out.did(tn_convolution_backward_weight_out(out.get(), grad_output.get(), input.get(), weight_size, stride, padding, dilation, transposed, output_padding, groups)); }
inline AnyTensor &im2col_out(AnyTensor &out, const AnyTensor &self, Dims kernel_size, Dims dilation, Dims padding, Dims stride) { return out.did(tn_im2col_out(out.get(), self.get(), kernel_size, dilation, padding, stride)); }
inline AnyTensor &col2im_out(AnyTensor &out, const AnyTensor &self, Dims output_size, Dims kernel_size, Dims dilation, Dims padding, Dims stride) { return out.did(tn_col2im_out(out.get(), self.get(), output_size, kernel_size, dilation, padding, stride)); }

/* scan */
inline AnyTensor &cumsum_out(AnyTensor &out, const AnyTensor &self, int64_t dim, tn_dtype dtype = TN_DTYPE_DEFAULT) { return out.did(tn_cumsum_out(out.get(), self.get(), dim, dtype)); }
inline AnyTensor &cumprod_out(AnyTensor &out, const AnyTensor &self, int64_t dim, tn_dtype dtype = TN_DTYPE_DEFAULT) { return out.did(tn_cumprod_out(out.get(), self.get(), dim, dtype)); }
inline AnyTensor &cummax_out(AnyTensor &values, AnyTensor &indices, const AnyTensor &self, int64_t dim) { return values.did(tn_cummax_out(values.get(), indices.get(), self.get(), dim)); }
inline AnyTensor &cummin_out(AnyTensor &values, AnyTensor &indices, const AnyTensor &self, int64_t dim) { return values.did(tn_cummin_out(values.get(), indices.get(), self.get(), dim)); }
inline AnyTensor &logcumsumexp_out(AnyTensor &out, const AnyTensor &self, int64_t dim) { return out.did(tn_logcumsumexp_out(out.get(), self.get(), dim)); }

/* recurrent */
inline GradGatesGradCxGradBias<> _thnn_fused_lstm_cell_backward_impl(const AnyTensor &grad_hy, const AnyTensor &grad_cy, const AnyTensor &cx, const AnyTensor &cy, const AnyTensor &workspace, bool has_bias) { return detail::Own().template named<GradGatesGradCxGradBias<>, 3>(tn__thnn_fused_lstm_cell_backward_impl(grad_hy.get(), grad_cy.get(), cx.get(), cy.get(), workspace.get(), has_bias)); }

/* random */
inline AnyTensor rand(Dims size, tn_dtype dtype = TN_DTYPE_DEFAULT, tn_generator *generator = nullptr) { return detail::Own()(tn_rand(size, dtype, generator)); }
inline AnyTensor &rand_out(AnyTensor &out, Dims size, tn_dtype dtype = TN_DTYPE_DEFAULT, tn_generator *generator = nullptr) { return out.did(tn_rand_out(out.get(), size, dtype, generator)); }
inline AnyTensor randn(Dims size, tn_dtype dtype = TN_DTYPE_DEFAULT, tn_generator *generator = nullptr) { return detail::Own()(tn_randn(size, dtype, generator)); }
inline AnyTensor &randn_out(AnyTensor &out, Dims size, tn_dtype dtype = TN_DTYPE_DEFAULT, tn_generator *generator = nullptr) { return out.did(tn_randn_out(out.get(), size, dtype, generator)); }
inline AnyTensor randint(int64_t high, Dims size, tn_dtype dtype = TN_DTYPE_DEFAULT, tn_generator *generator = nullptr) { return detail::Own()(tn_randint(high, size, dtype, generator)); }
inline AnyTensor &randint_out(AnyTensor &out, int64_t high, Dims size, tn_dtype dtype = TN_DTYPE_DEFAULT, tn_generator *generator = nullptr) { return out.did(tn_randint_out(out.get(), high, size, dtype, generator)); }
inline AnyTensor randint(int64_t low, int64_t high, Dims size, tn_dtype dtype = TN_DTYPE_DEFAULT, tn_generator *generator = nullptr) { return detail::Own()(tn_randint_low(low, high, size, dtype, generator)); }
inline AnyTensor &randint_out(AnyTensor &out, int64_t low, int64_t high, Dims size, tn_dtype dtype = TN_DTYPE_DEFAULT, tn_generator *generator = nullptr) { return out.did(tn_randint_low_out(out.get(), low, high, size, dtype, generator)); }
inline AnyTensor randperm(int64_t n, tn_dtype dtype = TN_DTYPE_DEFAULT, tn_generator *generator = nullptr) { return detail::Own()(tn_randperm(n, dtype, generator)); }
inline AnyTensor &randperm_out(AnyTensor &out, int64_t n, tn_dtype dtype = TN_DTYPE_DEFAULT, tn_generator *generator = nullptr) { return out.did(tn_randperm_out(out.get(), n, dtype, generator)); }
inline AnyTensor normal(double mean, double std, Dims size, tn_dtype dtype = TN_DTYPE_DEFAULT, tn_generator *generator = nullptr) { return detail::Own()(tn_normal(mean, std, size, dtype, generator)); }
inline AnyTensor normal(double mean, const AnyTensor &std, tn_generator *generator = nullptr) { return detail::Own()(tn_normal_float_tensor(mean, std.get(), generator)); }
inline AnyTensor &bernoulli_out(AnyTensor &out, const AnyTensor &self, tn_generator *generator = nullptr) { return out.did(tn_bernoulli_out(out.get(), self.get(), generator)); }
inline AnyTensor &multinomial_out(AnyTensor &out, const AnyTensor &self, int64_t num_samples, bool replacement = false, tn_generator *generator = nullptr) { return out.did(tn_multinomial_out(out.get(), self.get(), num_samples, replacement, generator)); }
inline AnyTensor &poisson_out(AnyTensor &out, const AnyTensor &self, tn_generator *generator = nullptr) { return out.did(tn_poisson_out(out.get(), self.get(), generator)); }
inline AnyTensor &binomial_out(AnyTensor &out, const AnyTensor &count, const AnyTensor &prob, tn_generator *generator = nullptr) { return out.did(tn_binomial_out(out.get(), count.get(), prob.get(), generator)); }

/* linalg */
inline AnyTensor &linalg_cholesky_ex_out(AnyTensor &L, AnyTensor &info, const AnyTensor &self, bool upper = false, bool check_errors = false) { return L.did(tn_linalg_cholesky_ex_out(L.get(), info.get(), self.get(), upper, check_errors)); }
inline AnyTensor &linalg_cholesky_out(AnyTensor &out, const AnyTensor &self, bool upper = false) { return out.did(tn_linalg_cholesky_out(out.get(), self.get(), upper)); }
inline AnyTensor &cholesky_out(AnyTensor &out, const AnyTensor &self, bool upper = false) { return out.did(tn_cholesky_out(out.get(), self.get(), upper)); }
inline AnyTensor &cholesky_solve_out(AnyTensor &out, const AnyTensor &self, const AnyTensor &input2, bool upper = false) { return out.did(tn_cholesky_solve_out(out.get(), self.get(), input2.get(), upper)); }
inline AnyTensor &cholesky_inverse_out(AnyTensor &out, const AnyTensor &self, bool upper = false) { return out.did(tn_cholesky_inverse_out(out.get(), self.get(), upper)); }
inline AnyTensor &linalg_lu_factor_ex_out(AnyTensor &LU, AnyTensor &pivots, AnyTensor &info, const AnyTensor &A, bool pivot = true, bool check_errors = false) { return LU.did(tn_linalg_lu_factor_ex_out(LU.get(), pivots.get(), info.get(), A.get(), pivot, check_errors)); }
inline AnyTensor &linalg_lu_factor_out(AnyTensor &LU, AnyTensor &pivots, const AnyTensor &A, bool pivot = true) { return LU.did(tn_linalg_lu_factor_out(LU.get(), pivots.get(), A.get(), pivot)); }
inline AnyTensor &lu_unpack_out(AnyTensor &P, AnyTensor &L, AnyTensor &U, const AnyTensor &LU_data, const AnyTensor &LU_pivots, bool unpack_data = true, bool unpack_pivots = true) { return P.did(tn_lu_unpack_out(P.get(), L.get(), U.get(), LU_data.get(), LU_pivots.get(), unpack_data, unpack_pivots)); }
inline AnyTensor &linalg_lu_out(AnyTensor &P, AnyTensor &L, AnyTensor &U, const AnyTensor &A, bool pivot = true) { return P.did(tn_linalg_lu_out(P.get(), L.get(), U.get(), A.get(), pivot)); }
inline AnyTensor &linalg_lu_solve_out(AnyTensor &out, const AnyTensor &LU, const AnyTensor &pivots, const AnyTensor &B, bool left = true, bool adjoint = false) { return out.did(tn_linalg_lu_solve_out(out.get(), LU.get(), pivots.get(), B.get(), left, adjoint)); }
inline AnyTensor &lu_solve_out(AnyTensor &out, const AnyTensor &self, const AnyTensor &LU_data, const AnyTensor &LU_pivots) { return out.did(tn_lu_solve_out(out.get(), self.get(), LU_data.get(), LU_pivots.get())); }
inline AnyTensor &linalg_solve_triangular_out(AnyTensor &out, const AnyTensor &self, const AnyTensor &B, bool upper, bool left = true, bool unitriangular = false) { return out.did(tn_linalg_solve_triangular_out(out.get(), self.get(), B.get(), upper, left, unitriangular)); }
inline AnyTensor &triangular_solve_out(AnyTensor &solution, AnyTensor &cloned_coefficient, const AnyTensor &self, const AnyTensor &A, bool upper = true, bool transpose = false, bool unitriangular = false) { return solution.did(tn_triangular_solve_out(solution.get(), cloned_coefficient.get(), self.get(), A.get(), upper, transpose, unitriangular)); }
inline AnyTensor &_linalg_solve_ex_out(AnyTensor &result, AnyTensor &LU, AnyTensor &pivots, AnyTensor &info, const AnyTensor &A, const AnyTensor &B, bool check_errors = false) { return result.did(tn__linalg_solve_ex_out(result.get(), LU.get(), pivots.get(), info.get(), A.get(), B.get(), check_errors)); }
inline AnyTensor &linalg_solve_ex_out(AnyTensor &result, AnyTensor &info, const AnyTensor &A, const AnyTensor &B, bool left = true, bool check_errors = false) { return result.did(tn_linalg_solve_ex_out(result.get(), info.get(), A.get(), B.get(), left, check_errors)); }
inline AnyTensor &linalg_solve_out(AnyTensor &out, const AnyTensor &A, const AnyTensor &B, bool left = true) { return out.did(tn_linalg_solve_out(out.get(), A.get(), B.get(), left)); }
inline AnyTensor &linalg_inv_ex_out(AnyTensor &inverse, AnyTensor &info, const AnyTensor &A, bool check_errors = false) { return inverse.did(tn_linalg_inv_ex_out(inverse.get(), info.get(), A.get(), check_errors)); }
inline AnyTensor &linalg_inv_out(AnyTensor &out, const AnyTensor &A) { return out.did(tn_linalg_inv_out(out.get(), A.get())); }
inline AnyTensor &inverse_out(AnyTensor &out, const AnyTensor &A) { return out.did(tn_inverse_out(out.get(), A.get())); }
inline AnyTensor &linalg_tensorinv_out(AnyTensor &out, const AnyTensor &self, int64_t ind = 2) { return out.did(tn_linalg_tensorinv_out(out.get(), self.get(), ind)); }
inline AnyTensor &linalg_tensorsolve_out(AnyTensor &out, const AnyTensor &self, const AnyTensor &other, Dims dims = Dims()) { return out.did(tn_linalg_tensorsolve_out(out.get(), self.get(), other.get(), dims)); }
inline AnyTensor &_linalg_det_out(AnyTensor &result, AnyTensor &LU, AnyTensor &pivots, const AnyTensor &A) { return result.did(tn__linalg_det_out(result.get(), LU.get(), pivots.get(), A.get())); }
inline AnyTensor &linalg_det_out(AnyTensor &out, const AnyTensor &A) { return out.did(tn_linalg_det_out(out.get(), A.get())); }
inline AnyTensor &det_out(AnyTensor &out, const AnyTensor &A) { return out.did(tn_det_out(out.get(), A.get())); }
inline AnyTensor &_linalg_slogdet_out(AnyTensor &sign, AnyTensor &logabsdet, AnyTensor &LU, AnyTensor &pivots, const AnyTensor &A) { return sign.did(tn__linalg_slogdet_out(sign.get(), logabsdet.get(), LU.get(), pivots.get(), A.get())); }
inline AnyTensor &linalg_slogdet_out(AnyTensor &sign, AnyTensor &logabsdet, const AnyTensor &A) { return sign.did(tn_linalg_slogdet_out(sign.get(), logabsdet.get(), A.get())); }
inline AnyTensor &slogdet_out(AnyTensor &sign, AnyTensor &logabsdet, const AnyTensor &A) { return sign.did(tn_slogdet_out(sign.get(), logabsdet.get(), A.get())); }
inline AnyTensor &geqrf_out(AnyTensor &a, AnyTensor &tau, const AnyTensor &self) { return a.did(tn_geqrf_out(a.get(), tau.get(), self.get())); }
inline AnyTensor &linalg_householder_product_out(AnyTensor &out, const AnyTensor &input, const AnyTensor &tau) { return out.did(tn_linalg_householder_product_out(out.get(), input.get(), tau.get())); }
inline AnyTensor &orgqr_out(AnyTensor &out, const AnyTensor &input, const AnyTensor &tau) { return out.did(tn_orgqr_out(out.get(), input.get(), tau.get())); }
inline AnyTensor &ormqr_out(AnyTensor &out, const AnyTensor &self, const AnyTensor &tau, const AnyTensor &input3, bool left = true, bool transpose = false) { return out.did(tn_ormqr_out(out.get(), self.get(), tau.get(), input3.get(), left, transpose)); }
inline AnyTensor &linalg_qr_out(AnyTensor &Q, AnyTensor &R, const AnyTensor &A, const char *mode = "reduced") { return Q.did(tn_linalg_qr_out(Q.get(), R.get(), A.get(), mode)); }
inline AnyTensor &qr_out(AnyTensor &Q, AnyTensor &R, const AnyTensor &self, bool some = true) { return Q.did(tn_qr_out(Q.get(), R.get(), self.get(), some)); }
inline AnyTensor &linalg_ldl_factor_ex_out(AnyTensor &LD, AnyTensor &pivots, AnyTensor &info, const AnyTensor &self, bool hermitian = false, bool check_errors = false) { return LD.did(tn_linalg_ldl_factor_ex_out(LD.get(), pivots.get(), info.get(), self.get(), hermitian, check_errors)); }
inline AnyTensor &linalg_ldl_factor_out(AnyTensor &LD, AnyTensor &pivots, const AnyTensor &self, bool hermitian = false) { return LD.did(tn_linalg_ldl_factor_out(LD.get(), pivots.get(), self.get(), hermitian)); }
inline AnyTensor &linalg_ldl_solve_out(AnyTensor &out, const AnyTensor &LD, const AnyTensor &pivots, const AnyTensor &B, bool hermitian = false) { return out.did(tn_linalg_ldl_solve_out(out.get(), LD.get(), pivots.get(), B.get(), hermitian)); }
inline AnyTensor &linalg_matrix_norm_out(AnyTensor &out, const AnyTensor &self, Number ord, Dims dim = Dims(), bool keepdim = false, tn_dtype dtype = TN_DTYPE_DEFAULT) { return out.did(tn_linalg_matrix_norm_out(out.get(), self.get(), ord, dim, keepdim, dtype)); }
inline AnyTensor &linalg_matrix_norm_out(AnyTensor &out, const AnyTensor &self, const char *ord = "fro", Dims dim = Dims(), bool keepdim = false, tn_dtype dtype = TN_DTYPE_DEFAULT) { return out.did(tn_linalg_matrix_norm_str_ord_out(out.get(), self.get(), ord, dim, keepdim, dtype)); }
inline AnyTensor &linalg_norm_out(AnyTensor &out, const AnyTensor &self, Number ord = Number::none(), Dims dim = Dims(), bool keepdim = false, tn_dtype dtype = TN_DTYPE_DEFAULT) { return out.did(tn_linalg_norm_out(out.get(), self.get(), ord, dim, keepdim, dtype)); }
inline AnyTensor &linalg_norm_out(AnyTensor &out, const AnyTensor &self, const char *ord, Dims dim = Dims(), bool keepdim = false, tn_dtype dtype = TN_DTYPE_DEFAULT) { return out.did(tn_linalg_norm_ord_str_out(out.get(), self.get(), ord, dim, keepdim, dtype)); }
inline AnyTensor &linalg_eigh_out(AnyTensor &eigenvalues, AnyTensor &eigenvectors, const AnyTensor &self, const char *UPLO = "L") { return eigenvalues.did(tn_linalg_eigh_out(eigenvalues.get(), eigenvectors.get(), self.get(), UPLO)); }
inline AnyTensor &linalg_eigvalsh_out(AnyTensor &out, const AnyTensor &self, const char *UPLO = "L") { return out.did(tn_linalg_eigvalsh_out(out.get(), self.get(), UPLO)); }
inline AnyTensor &linalg_eig_out(AnyTensor &eigenvalues, AnyTensor &eigenvectors, const AnyTensor &self) { return eigenvalues.did(tn_linalg_eig_out(eigenvalues.get(), eigenvectors.get(), self.get())); }
inline AnyTensor &linalg_eigvals_out(AnyTensor &out, const AnyTensor &self) { return out.did(tn_linalg_eigvals_out(out.get(), self.get())); }
inline AnyTensor &linalg_svd_out(AnyTensor &U, AnyTensor &S, AnyTensor &Vh, const AnyTensor &A, bool full_matrices = true, const char *driver = "none") { return U.did(tn_linalg_svd_out(U.get(), S.get(), Vh.get(), A.get(), full_matrices, driver)); }
inline AnyTensor &linalg_svdvals_out(AnyTensor &out, const AnyTensor &A, const char *driver = "none") { return out.did(tn_linalg_svdvals_out(out.get(), A.get(), driver)); }
inline AnyTensor &svd_out(AnyTensor &U, AnyTensor &S, AnyTensor &V, const AnyTensor &self, bool some = true, bool compute_uv = true) { return U.did(tn_svd_out(U.get(), S.get(), V.get(), self.get(), some, compute_uv)); }
inline AnyTensor &linalg_pinv_out(AnyTensor &out, const AnyTensor &self, Number atol = Number::none(), Number rtol = Number::none(), bool hermitian = false) { return out.did(tn_linalg_pinv_out(out.get(), self.get(), atol, rtol, hermitian)); }
inline AnyTensor &linalg_pinv_tensor_out(AnyTensor &out, const AnyTensor &self, const AnyTensor &atol = AnyTensor(), const AnyTensor &rtol = AnyTensor(), bool hermitian = false) { return out.did(tn_linalg_pinv_tensor_out(out.get(), self.get(), atol.get(), rtol.get(), hermitian)); }
inline AnyTensor &linalg_pinv_rcond_out(AnyTensor &out, const AnyTensor &self, Number rcond, bool hermitian = false) { return out.did(tn_linalg_pinv_rcond_out(out.get(), self.get(), rcond, hermitian)); }
inline AnyTensor &linalg_pinv_rcond_tensor_out(AnyTensor &out, const AnyTensor &self, const AnyTensor &rcond, bool hermitian = false) { return out.did(tn_linalg_pinv_rcond_tensor_out(out.get(), self.get(), rcond.get(), hermitian)); }
inline AnyTensor &linalg_matrix_rank_out(AnyTensor &out, const AnyTensor &self, Number atol = Number::none(), Number rtol = Number::none(), bool hermitian = false) { return out.did(tn_linalg_matrix_rank_out(out.get(), self.get(), atol, rtol, hermitian)); }
inline AnyTensor &linalg_matrix_rank_tensor_out(AnyTensor &out, const AnyTensor &self, const AnyTensor &atol = AnyTensor(), const AnyTensor &rtol = AnyTensor(), bool hermitian = false) { return out.did(tn_linalg_matrix_rank_tensor_out(out.get(), self.get(), atol.get(), rtol.get(), hermitian)); }
inline AnyTensor &linalg_matrix_rank_tol_out(AnyTensor &out, const AnyTensor &self, Number tol, bool hermitian = false) { return out.did(tn_linalg_matrix_rank_tol_out(out.get(), self.get(), tol, hermitian)); }
inline AnyTensor &linalg_matrix_rank_tol_tensor_out(AnyTensor &out, const AnyTensor &self, const AnyTensor &tol, bool hermitian = false) { return out.did(tn_linalg_matrix_rank_tol_tensor_out(out.get(), self.get(), tol.get(), hermitian)); }
inline AnyTensor &linalg_lstsq_out(AnyTensor &solution, AnyTensor &residuals, AnyTensor &rank, AnyTensor &singular_values, const AnyTensor &self, const AnyTensor &b, Number rcond = Number::none(), const char *driver = "none") { return solution.did(tn_linalg_lstsq_out(solution.get(), residuals.get(), rank.get(), singular_values.get(), self.get(), b.get(), rcond, driver)); }
inline AnyTensor &linalg_cond_out(AnyTensor &out, const AnyTensor &self, Number p = Number::none()) { return out.did(tn_linalg_cond_out(out.get(), self.get(), p)); }
inline AnyTensor &linalg_cond_out(AnyTensor &out, const AnyTensor &self, const char *p) { return out.did(tn_linalg_cond_text_out(out.get(), self.get(), p)); }

/* fft */
inline AnyTensor &_fft_c2c_out(AnyTensor &out, const AnyTensor &self, Dims dim, int64_t normalization, bool forward) { return out.did(tn__fft_c2c_out(out.get(), self.get(), dim, normalization, forward)); }
inline AnyTensor &_fft_r2c_out(AnyTensor &out, const AnyTensor &self, Dims dim, int64_t normalization, bool onesided) { return out.did(tn__fft_r2c_out(out.get(), self.get(), dim, normalization, onesided)); }
inline AnyTensor &_fft_c2r_out(AnyTensor &out, const AnyTensor &self, Dims dim, int64_t normalization, int64_t last_dim_size) { return out.did(tn__fft_c2r_out(out.get(), self.get(), dim, normalization, last_dim_size)); }
inline AnyTensor &fft_fft_out(AnyTensor &out, const AnyTensor &self, int64_t n = TN_NONE, int64_t dim = -1, const char *norm = "backward") { return out.did(tn_fft_fft_out(out.get(), self.get(), n, dim, norm)); }
inline AnyTensor &fft_ifft_out(AnyTensor &out, const AnyTensor &self, int64_t n = TN_NONE, int64_t dim = -1, const char *norm = "backward") { return out.did(tn_fft_ifft_out(out.get(), self.get(), n, dim, norm)); }
inline AnyTensor &fft_rfft_out(AnyTensor &out, const AnyTensor &self, int64_t n = TN_NONE, int64_t dim = -1, const char *norm = "backward") { return out.did(tn_fft_rfft_out(out.get(), self.get(), n, dim, norm)); }
inline AnyTensor &fft_irfft_out(AnyTensor &out, const AnyTensor &self, int64_t n = TN_NONE, int64_t dim = -1, const char *norm = "backward") { return out.did(tn_fft_irfft_out(out.get(), self.get(), n, dim, norm)); }
inline AnyTensor &fft_hfft_out(AnyTensor &out, const AnyTensor &self, int64_t n = TN_NONE, int64_t dim = -1, const char *norm = "backward") { return out.did(tn_fft_hfft_out(out.get(), self.get(), n, dim, norm)); }
inline AnyTensor &fft_ihfft_out(AnyTensor &out, const AnyTensor &self, int64_t n = TN_NONE, int64_t dim = -1, const char *norm = "backward") { return out.did(tn_fft_ihfft_out(out.get(), self.get(), n, dim, norm)); }
inline AnyTensor &fft_fft2_out(AnyTensor &out, const AnyTensor &self, Dims s = Dims(), Dims dim = Dims(), const char *norm = "backward") { return out.did(tn_fft_fft2_out(out.get(), self.get(), s, dim, norm)); }
inline AnyTensor &fft_ifft2_out(AnyTensor &out, const AnyTensor &self, Dims s = Dims(), Dims dim = Dims(), const char *norm = "backward") { return out.did(tn_fft_ifft2_out(out.get(), self.get(), s, dim, norm)); }
inline AnyTensor &fft_rfft2_out(AnyTensor &out, const AnyTensor &self, Dims s = Dims(), Dims dim = Dims(), const char *norm = "backward") { return out.did(tn_fft_rfft2_out(out.get(), self.get(), s, dim, norm)); }
inline AnyTensor &fft_irfft2_out(AnyTensor &out, const AnyTensor &self, Dims s = Dims(), Dims dim = Dims(), const char *norm = "backward") { return out.did(tn_fft_irfft2_out(out.get(), self.get(), s, dim, norm)); }
inline AnyTensor &fft_hfft2_out(AnyTensor &out, const AnyTensor &self, Dims s = Dims(), Dims dim = Dims(), const char *norm = "backward") { return out.did(tn_fft_hfft2_out(out.get(), self.get(), s, dim, norm)); }
inline AnyTensor &fft_ihfft2_out(AnyTensor &out, const AnyTensor &self, Dims s = Dims(), Dims dim = Dims(), const char *norm = "backward") { return out.did(tn_fft_ihfft2_out(out.get(), self.get(), s, dim, norm)); }
inline AnyTensor &fft_fftn_out(AnyTensor &out, const AnyTensor &self, Dims s = Dims(), Dims dim = Dims(), const char *norm = "backward") { return out.did(tn_fft_fftn_out(out.get(), self.get(), s, dim, norm)); }
inline AnyTensor &fft_ifftn_out(AnyTensor &out, const AnyTensor &self, Dims s = Dims(), Dims dim = Dims(), const char *norm = "backward") { return out.did(tn_fft_ifftn_out(out.get(), self.get(), s, dim, norm)); }
inline AnyTensor &fft_rfftn_out(AnyTensor &out, const AnyTensor &self, Dims s = Dims(), Dims dim = Dims(), const char *norm = "backward") { return out.did(tn_fft_rfftn_out(out.get(), self.get(), s, dim, norm)); }
inline AnyTensor &fft_irfftn_out(AnyTensor &out, const AnyTensor &self, Dims s = Dims(), Dims dim = Dims(), const char *norm = "backward") { return out.did(tn_fft_irfftn_out(out.get(), self.get(), s, dim, norm)); }
inline AnyTensor &fft_hfftn_out(AnyTensor &out, const AnyTensor &self, Dims s = Dims(), Dims dim = Dims(), const char *norm = "backward") { return out.did(tn_fft_hfftn_out(out.get(), self.get(), s, dim, norm)); }
inline AnyTensor &fft_ihfftn_out(AnyTensor &out, const AnyTensor &self, Dims s = Dims(), Dims dim = Dims(), const char *norm = "backward") { return out.did(tn_fft_ihfftn_out(out.get(), self.get(), s, dim, norm)); }
inline AnyTensor fft_fftfreq(int64_t n, double d = 1, tn_dtype dtype = TN_DTYPE_DEFAULT) { return detail::Own()(tn_fft_fftfreq(n, d, dtype)); }
inline AnyTensor fft_rfftfreq(int64_t n, double d = 1, tn_dtype dtype = TN_DTYPE_DEFAULT) { return detail::Own()(tn_fft_rfftfreq(n, d, dtype)); }
inline AnyTensor hann_window(int64_t window_length, bool periodic = true, tn_dtype dtype = TN_DTYPE_DEFAULT) { return detail::Own()(tn_hann_window(window_length, periodic, dtype)); }
inline AnyTensor hamming_window(int64_t window_length, bool periodic = true, double alpha = 0.54, double beta = 0.46, tn_dtype dtype = TN_DTYPE_DEFAULT) { return detail::Own()(tn_hamming_window(window_length, periodic, alpha, beta, dtype)); }
inline AnyTensor blackman_window(int64_t window_length, bool periodic = true, tn_dtype dtype = TN_DTYPE_DEFAULT) { return detail::Own()(tn_blackman_window(window_length, periodic, dtype)); }
inline AnyTensor bartlett_window(int64_t window_length, bool periodic = true, tn_dtype dtype = TN_DTYPE_DEFAULT) { return detail::Own()(tn_bartlett_window(window_length, periodic, dtype)); }
inline AnyTensor kaiser_window(int64_t window_length, bool periodic = true, double beta = 12, tn_dtype dtype = TN_DTYPE_DEFAULT) { return detail::Own()(tn_kaiser_window(window_length, periodic, beta, dtype)); }

/* special */
inline AnyTensor &special_entr_out(AnyTensor &out, const AnyTensor &self) { return out.did(tn_special_entr_out(out.get(), self.get())); }
inline AnyTensor &special_erfcx_out(AnyTensor &out, const AnyTensor &self) { return out.did(tn_special_erfcx_out(out.get(), self.get())); }
inline AnyTensor &special_ndtr_out(AnyTensor &out, const AnyTensor &self) { return out.did(tn_special_ndtr_out(out.get(), self.get())); }
inline AnyTensor &special_log_ndtr_out(AnyTensor &out, const AnyTensor &self) { return out.did(tn_special_log_ndtr_out(out.get(), self.get())); }
inline AnyTensor &special_ndtri_out(AnyTensor &out, const AnyTensor &self) { return out.did(tn_special_ndtri_out(out.get(), self.get())); }
inline AnyTensor &special_xlog1py_out(AnyTensor &out, const AnyTensor &self, const AnyTensor &other) { return out.did(tn_special_xlog1py_out(out.get(), self.get(), other.get())); }
inline AnyTensor &special_xlog1py_out(AnyTensor &out, const AnyTensor &self, Number other) { return out.did(tn_special_xlog1py_scalar_out(out.get(), self.get(), other)); }
inline AnyTensor special_xlog1py(Number self, const AnyTensor &other) { return detail::Own()(tn_special_xlog1py_rscalar(self, other.get())); }
inline AnyTensor &special_xlog1py_out(AnyTensor &out, Number self, const AnyTensor &other) { return out.did(tn_special_xlog1py_rscalar_out(out.get(), self, other.get())); }
inline AnyTensor &special_i0e_out(AnyTensor &out, const AnyTensor &self) { return out.did(tn_special_i0e_out(out.get(), self.get())); }
inline AnyTensor &special_i1_out(AnyTensor &out, const AnyTensor &self) { return out.did(tn_special_i1_out(out.get(), self.get())); }
inline AnyTensor &special_i1e_out(AnyTensor &out, const AnyTensor &self) { return out.did(tn_special_i1e_out(out.get(), self.get())); }
inline AnyTensor &special_bessel_j0_out(AnyTensor &out, const AnyTensor &self) { return out.did(tn_special_bessel_j0_out(out.get(), self.get())); }
inline AnyTensor &special_bessel_j1_out(AnyTensor &out, const AnyTensor &self) { return out.did(tn_special_bessel_j1_out(out.get(), self.get())); }
inline AnyTensor &special_bessel_y0_out(AnyTensor &out, const AnyTensor &self) { return out.did(tn_special_bessel_y0_out(out.get(), self.get())); }
inline AnyTensor &special_bessel_y1_out(AnyTensor &out, const AnyTensor &self) { return out.did(tn_special_bessel_y1_out(out.get(), self.get())); }
inline AnyTensor &special_modified_bessel_i0_out(AnyTensor &out, const AnyTensor &self) { return out.did(tn_special_modified_bessel_i0_out(out.get(), self.get())); }
inline AnyTensor &special_modified_bessel_i1_out(AnyTensor &out, const AnyTensor &self) { return out.did(tn_special_modified_bessel_i1_out(out.get(), self.get())); }
inline AnyTensor &special_modified_bessel_k0_out(AnyTensor &out, const AnyTensor &self) { return out.did(tn_special_modified_bessel_k0_out(out.get(), self.get())); }
inline AnyTensor &special_modified_bessel_k1_out(AnyTensor &out, const AnyTensor &self) { return out.did(tn_special_modified_bessel_k1_out(out.get(), self.get())); }
inline AnyTensor &special_scaled_modified_bessel_k0_out(AnyTensor &out, const AnyTensor &self) { return out.did(tn_special_scaled_modified_bessel_k0_out(out.get(), self.get())); }
inline AnyTensor &special_scaled_modified_bessel_k1_out(AnyTensor &out, const AnyTensor &self) { return out.did(tn_special_scaled_modified_bessel_k1_out(out.get(), self.get())); }
inline AnyTensor &special_spherical_bessel_j0_out(AnyTensor &out, const AnyTensor &self) { return out.did(tn_special_spherical_bessel_j0_out(out.get(), self.get())); }
inline AnyTensor &special_airy_ai_out(AnyTensor &out, const AnyTensor &self) { return out.did(tn_special_airy_ai_out(out.get(), self.get())); }
inline AnyTensor &special_zeta_out(AnyTensor &out, const AnyTensor &self, const AnyTensor &other) { return out.did(tn_special_zeta_out(out.get(), self.get(), other.get())); }
inline AnyTensor &special_zeta_out(AnyTensor &out, const AnyTensor &self, Number other) { return out.did(tn_special_zeta_scalar_out(out.get(), self.get(), other)); }
inline AnyTensor special_zeta(Number self, const AnyTensor &other) { return detail::Own()(tn_special_zeta_rscalar(self, other.get())); }
inline AnyTensor &special_zeta_out(AnyTensor &out, Number self, const AnyTensor &other) { return out.did(tn_special_zeta_rscalar_out(out.get(), self, other.get())); }
inline AnyTensor &igamma_out(AnyTensor &out, const AnyTensor &self, const AnyTensor &other) { return out.did(tn_igamma_out(out.get(), self.get(), other.get())); }
inline AnyTensor &special_gammainc_out(AnyTensor &out, const AnyTensor &self, const AnyTensor &other) { return out.did(tn_special_gammainc_out(out.get(), self.get(), other.get())); }
inline AnyTensor &igammac_out(AnyTensor &out, const AnyTensor &self, const AnyTensor &other) { return out.did(tn_igammac_out(out.get(), self.get(), other.get())); }
inline AnyTensor &special_gammaincc_out(AnyTensor &out, const AnyTensor &self, const AnyTensor &other) { return out.did(tn_special_gammaincc_out(out.get(), self.get(), other.get())); }
inline AnyTensor &special_chebyshev_polynomial_t_out(AnyTensor &out, const AnyTensor &self, const AnyTensor &n) { return out.did(tn_special_chebyshev_polynomial_t_out(out.get(), self.get(), n.get())); }
inline AnyTensor &special_chebyshev_polynomial_t_out(AnyTensor &out, const AnyTensor &self, Number n) { return out.did(tn_special_chebyshev_polynomial_t_scalar_out(out.get(), self.get(), n)); }
inline AnyTensor &special_chebyshev_polynomial_u_out(AnyTensor &out, const AnyTensor &self, const AnyTensor &n) { return out.did(tn_special_chebyshev_polynomial_u_out(out.get(), self.get(), n.get())); }
inline AnyTensor &special_chebyshev_polynomial_u_out(AnyTensor &out, const AnyTensor &self, Number n) { return out.did(tn_special_chebyshev_polynomial_u_scalar_out(out.get(), self.get(), n)); }
inline AnyTensor &special_chebyshev_polynomial_v_out(AnyTensor &out, const AnyTensor &self, const AnyTensor &n) { return out.did(tn_special_chebyshev_polynomial_v_out(out.get(), self.get(), n.get())); }
inline AnyTensor &special_chebyshev_polynomial_v_out(AnyTensor &out, const AnyTensor &self, Number n) { return out.did(tn_special_chebyshev_polynomial_v_scalar_out(out.get(), self.get(), n)); }
inline AnyTensor &special_chebyshev_polynomial_w_out(AnyTensor &out, const AnyTensor &self, const AnyTensor &n) { return out.did(tn_special_chebyshev_polynomial_w_out(out.get(), self.get(), n.get())); }
inline AnyTensor &special_chebyshev_polynomial_w_out(AnyTensor &out, const AnyTensor &self, Number n) { return out.did(tn_special_chebyshev_polynomial_w_scalar_out(out.get(), self.get(), n)); }
inline AnyTensor &special_shifted_chebyshev_polynomial_t_out(AnyTensor &out, const AnyTensor &self, const AnyTensor &n) { return out.did(tn_special_shifted_chebyshev_polynomial_t_out(out.get(), self.get(), n.get())); }
inline AnyTensor &special_shifted_chebyshev_polynomial_t_out(AnyTensor &out, const AnyTensor &self, Number n) { return out.did(tn_special_shifted_chebyshev_polynomial_t_scalar_out(out.get(), self.get(), n)); }
inline AnyTensor &special_shifted_chebyshev_polynomial_u_out(AnyTensor &out, const AnyTensor &self, const AnyTensor &n) { return out.did(tn_special_shifted_chebyshev_polynomial_u_out(out.get(), self.get(), n.get())); }
inline AnyTensor &special_shifted_chebyshev_polynomial_u_out(AnyTensor &out, const AnyTensor &self, Number n) { return out.did(tn_special_shifted_chebyshev_polynomial_u_scalar_out(out.get(), self.get(), n)); }
inline AnyTensor &special_shifted_chebyshev_polynomial_v_out(AnyTensor &out, const AnyTensor &self, const AnyTensor &n) { return out.did(tn_special_shifted_chebyshev_polynomial_v_out(out.get(), self.get(), n.get())); }
inline AnyTensor &special_shifted_chebyshev_polynomial_v_out(AnyTensor &out, const AnyTensor &self, Number n) { return out.did(tn_special_shifted_chebyshev_polynomial_v_scalar_out(out.get(), self.get(), n)); }
inline AnyTensor &special_shifted_chebyshev_polynomial_w_out(AnyTensor &out, const AnyTensor &self, const AnyTensor &n) { return out.did(tn_special_shifted_chebyshev_polynomial_w_out(out.get(), self.get(), n.get())); }
inline AnyTensor &special_shifted_chebyshev_polynomial_w_out(AnyTensor &out, const AnyTensor &self, Number n) { return out.did(tn_special_shifted_chebyshev_polynomial_w_scalar_out(out.get(), self.get(), n)); }
inline AnyTensor &special_hermite_polynomial_h_out(AnyTensor &out, const AnyTensor &self, const AnyTensor &n) { return out.did(tn_special_hermite_polynomial_h_out(out.get(), self.get(), n.get())); }
inline AnyTensor &special_hermite_polynomial_h_out(AnyTensor &out, const AnyTensor &self, Number n) { return out.did(tn_special_hermite_polynomial_h_scalar_out(out.get(), self.get(), n)); }
inline AnyTensor &special_hermite_polynomial_he_out(AnyTensor &out, const AnyTensor &self, const AnyTensor &n) { return out.did(tn_special_hermite_polynomial_he_out(out.get(), self.get(), n.get())); }
inline AnyTensor &special_hermite_polynomial_he_out(AnyTensor &out, const AnyTensor &self, Number n) { return out.did(tn_special_hermite_polynomial_he_scalar_out(out.get(), self.get(), n)); }
inline AnyTensor &special_laguerre_polynomial_l_out(AnyTensor &out, const AnyTensor &self, const AnyTensor &n) { return out.did(tn_special_laguerre_polynomial_l_out(out.get(), self.get(), n.get())); }
inline AnyTensor &special_laguerre_polynomial_l_out(AnyTensor &out, const AnyTensor &self, Number n) { return out.did(tn_special_laguerre_polynomial_l_scalar_out(out.get(), self.get(), n)); }
inline AnyTensor &special_legendre_polynomial_p_out(AnyTensor &out, const AnyTensor &self, const AnyTensor &n) { return out.did(tn_special_legendre_polynomial_p_out(out.get(), self.get(), n.get())); }
inline AnyTensor &special_legendre_polynomial_p_out(AnyTensor &out, const AnyTensor &self, Number n) { return out.did(tn_special_legendre_polynomial_p_scalar_out(out.get(), self.get(), n)); }
inline AnyTensor &polygamma_out(AnyTensor &out, const AnyTensor &self, int64_t n) { return out.did(tn_polygamma_out(out.get(), self.get(), n)); }
inline AnyTensor &mvlgamma_out(AnyTensor &out, const AnyTensor &self, int64_t p) { return out.did(tn_mvlgamma_out(out.get(), self.get(), p)); }
inline AnyTensor &special_multigammaln_out(AnyTensor &out, const AnyTensor &self, int64_t p) { return out.did(tn_special_multigammaln_out(out.get(), self.get(), p)); }

/* The typed methods: the core's operators, with results whose scalar type the compiler knows. */
template <class Derived> class TypedOperators : public TypedCalls<Derived> {
    using TypedCalls<Derived>::dynamic;
    using TypedCalls<Derived>::plain;
    using TypedCalls<Derived>::pair;
    using TypedCalls<Derived>::wrote;
    template <class Rule> static auto typed(AnyTensor &&result) { return TypedCalls<Derived>::template typed<Rule>(std::move(result)); }
    template <class Rule> static auto viewed(AnyTensor &&result) { return TypedCalls<Derived>::template viewed<Rule>(std::move(result)); }
    template <class Rule> static auto viewed_const(AnyTensor &&result) { return TypedCalls<Derived>::template viewed_const<Rule>(std::move(result)); }
    template <int Kinds> static void supported() { TypedCalls<Derived>::template supported<Kinds>(); }

  public:

    /* create */
    auto empty_like(tn_dtype dtype = TN_DTYPE_DEFAULT, tn_memory_format format = TN_PRESERVE) const { return plain(dynamic().empty_like(dtype, format)); }
    auto zeros_like(tn_dtype dtype = TN_DTYPE_DEFAULT, tn_memory_format format = TN_PRESERVE) const { return plain(dynamic().zeros_like(dtype, format)); }
    auto ones_like(tn_dtype dtype = TN_DTYPE_DEFAULT, tn_memory_format format = TN_PRESERVE) const { return plain(dynamic().ones_like(dtype, format)); }
    auto full_like(Number fill_value, tn_dtype dtype = TN_DTYPE_DEFAULT, tn_memory_format format = TN_PRESERVE) const { return plain(dynamic().full_like(fill_value, dtype, format)); }

    /* view */
    auto reshape_as(const Operand<Derived> &other) { return plain(dynamic().reshape_as(other)); }
    auto reshape_as(const Operand<Derived> &other) const { return plain(dynamic().reshape_as(other)); }
    auto ravel() { return viewed<rules::Same>(dynamic().ravel()); }
    auto ravel() const { return viewed_const<rules::Same>(dynamic().ravel()); }
    auto unflatten(int64_t dim, Dims sizes) { return viewed<rules::Same>(dynamic().unflatten(dim, sizes)); }
    auto unflatten(int64_t dim, Dims sizes) const { return viewed_const<rules::Same>(dynamic().unflatten(dim, sizes)); }
    Derived & transpose_(int64_t dim0, int64_t dim1) { return wrote(dynamic().transpose_(dim0, dim1)); }
    auto swapaxes(int64_t dim0, int64_t dim1) { return viewed<rules::Same>(dynamic().swapaxes(dim0, dim1)); }
    auto swapaxes(int64_t dim0, int64_t dim1) const { return viewed_const<rules::Same>(dynamic().swapaxes(dim0, dim1)); }
    Derived & swapaxes_(int64_t dim0, int64_t dim1) { return wrote(dynamic().swapaxes_(dim0, dim1)); }
    auto swapdims(int64_t dim0, int64_t dim1) { return viewed<rules::Same>(dynamic().swapdims(dim0, dim1)); }
    auto swapdims(int64_t dim0, int64_t dim1) const { return viewed_const<rules::Same>(dynamic().swapdims(dim0, dim1)); }
    Derived & swapdims_(int64_t dim0, int64_t dim1) { return wrote(dynamic().swapdims_(dim0, dim1)); }
    Derived & t_() { return wrote(dynamic().t_()); }
    auto T() { return viewed<rules::Same>(dynamic().T()); }
    auto T() const { return viewed_const<rules::Same>(dynamic().T()); }
    auto mT() { return viewed<rules::Same>(dynamic().mT()); }
    auto mT() const { return viewed_const<rules::Same>(dynamic().mT()); }
    auto H() { return viewed<rules::Same>(dynamic().H()); }
    auto H() const { return viewed_const<rules::Same>(dynamic().H()); }
    auto mH() { return viewed<rules::Same>(dynamic().mH()); }
    auto mH() const { return viewed_const<rules::Same>(dynamic().mH()); }
    auto adjoint() { return viewed<rules::Same>(dynamic().adjoint()); }
    auto adjoint() const { return viewed_const<rules::Same>(dynamic().adjoint()); }
    auto movedim(Dims source, Dims destination) { return viewed<rules::Same>(dynamic().movedim(source, destination)); }
    auto movedim(Dims source, Dims destination) const { return viewed_const<rules::Same>(dynamic().movedim(source, destination)); }
    auto moveaxis(Dims source, Dims destination) { return viewed<rules::Same>(dynamic().moveaxis(source, destination)); }
    auto moveaxis(Dims source, Dims destination) const { return viewed_const<rules::Same>(dynamic().moveaxis(source, destination)); }
    Derived & squeeze_() { return wrote(dynamic().squeeze_()); }
    Derived & squeeze_(int64_t dim) { return wrote(dynamic().squeeze_(dim)); }
    Derived & squeeze_(Dims dims) { return wrote(dynamic().squeeze_(dims)); }
    Derived & unsqueeze_(int64_t dim) { return wrote(dynamic().unsqueeze_(dim)); }
    auto broadcast_to(Dims size) { return viewed<rules::Same>(dynamic().broadcast_to(size)); }
    auto broadcast_to(Dims size) const { return viewed_const<rules::Same>(dynamic().broadcast_to(size)); }
    auto fliplr() { return viewed<rules::Same>(dynamic().fliplr()); }
    auto fliplr() const { return viewed_const<rules::Same>(dynamic().fliplr()); }
    auto flipud() { return viewed<rules::Same>(dynamic().flipud()); }
    auto flipud() const { return viewed_const<rules::Same>(dynamic().flipud()); }
    auto rot90(int64_t k, Dims dims) { return viewed<rules::Same>(dynamic().rot90(k, dims)); }
    auto rot90(int64_t k, Dims dims) const { return viewed_const<rules::Same>(dynamic().rot90(k, dims)); }
    auto unfold(int64_t dimension, int64_t size, int64_t step) { return viewed<rules::Same>(dynamic().unfold(dimension, size, step)); }
    auto unfold(int64_t dimension, int64_t size, int64_t step) const { return viewed_const<rules::Same>(dynamic().unfold(dimension, size, step)); }
    auto sliding_window_view(Dims window, Dims dims) { return viewed<rules::Same>(dynamic().sliding_window_view(window, dims)); }
    auto sliding_window_view(Dims window, Dims dims) const { return viewed_const<rules::Same>(dynamic().sliding_window_view(window, dims)); }
    auto diagonal(int64_t offset = 0, int64_t dim1 = 0, int64_t dim2 = 1) { return viewed<rules::Same>(dynamic().diagonal(offset, dim1, dim2)); }
    auto diagonal(int64_t offset = 0, int64_t dim1 = 0, int64_t dim2 = 1) const { return viewed_const<rules::Same>(dynamic().diagonal(offset, dim1, dim2)); }
    auto as_strided(Dims size, Dims stride, int64_t storage_offset = TN_NONE) { return viewed<rules::Same>(dynamic().as_strided(size, stride, storage_offset)); }
    auto as_strided(Dims size, Dims stride, int64_t storage_offset = TN_NONE) const { return viewed_const<rules::Same>(dynamic().as_strided(size, stride, storage_offset)); }
    Derived & as_strided_(Dims size, Dims stride, int64_t storage_offset = TN_NONE) { return wrote(dynamic().as_strided_(size, stride, storage_offset)); }
    auto split(int64_t split_size, int64_t dim = 0) { return plain(dynamic().split(split_size, dim)); }
    auto split(int64_t split_size, int64_t dim = 0) const { return plain(dynamic().split(split_size, dim)); }
    auto split_with_sizes(Dims split_sizes, int64_t dim = 0) { return plain(dynamic().split_with_sizes(split_sizes, dim)); }
    auto split_with_sizes(Dims split_sizes, int64_t dim = 0) const { return plain(dynamic().split_with_sizes(split_sizes, dim)); }
    auto chunk(int64_t chunks, int64_t dim = 0) { return plain(dynamic().chunk(chunks, dim)); }
    auto chunk(int64_t chunks, int64_t dim = 0) const { return plain(dynamic().chunk(chunks, dim)); }
    auto tensor_split(int64_t sections, int64_t dim = 0) { return plain(dynamic().tensor_split(sections, dim)); }
    auto tensor_split(int64_t sections, int64_t dim = 0) const { return plain(dynamic().tensor_split(sections, dim)); }
    auto tensor_split(Dims indices, int64_t dim = 0) { return plain(dynamic().tensor_split(indices, dim)); }
    auto tensor_split(Dims indices, int64_t dim = 0) const { return plain(dynamic().tensor_split(indices, dim)); }
    auto tensor_split(const Operand<Derived> &tensor_indices_or_sections, int64_t dim = 0) { return plain(dynamic().tensor_split(tensor_indices_or_sections, dim)); }
    auto tensor_split(const Operand<Derived> &tensor_indices_or_sections, int64_t dim = 0) const { return plain(dynamic().tensor_split(tensor_indices_or_sections, dim)); }
    auto hsplit(int64_t sections) { return plain(dynamic().hsplit(sections)); }
    auto hsplit(int64_t sections) const { return plain(dynamic().hsplit(sections)); }
    auto hsplit(Dims indices) { return plain(dynamic().hsplit(indices)); }
    auto hsplit(Dims indices) const { return plain(dynamic().hsplit(indices)); }
    auto vsplit(int64_t sections) { return plain(dynamic().vsplit(sections)); }
    auto vsplit(int64_t sections) const { return plain(dynamic().vsplit(sections)); }
    auto vsplit(Dims indices) { return plain(dynamic().vsplit(indices)); }
    auto vsplit(Dims indices) const { return plain(dynamic().vsplit(indices)); }
    auto dsplit(int64_t sections) { return plain(dynamic().dsplit(sections)); }
    auto dsplit(int64_t sections) const { return plain(dynamic().dsplit(sections)); }
    auto dsplit(Dims indices) { return plain(dynamic().dsplit(indices)); }
    auto dsplit(Dims indices) const { return plain(dynamic().dsplit(indices)); }
    auto unbind(int64_t dim = 0) { return plain(dynamic().unbind(dim)); }
    auto unbind(int64_t dim = 0) const { return plain(dynamic().unbind(dim)); }
    auto view_as_real() { return viewed<rules::Real>(dynamic().view_as_real()); }
    auto view_as_real() const { return viewed_const<rules::Real>(dynamic().view_as_real()); }
    auto view_as_complex() { return viewed<rules::Complex>(dynamic().view_as_complex()); }
    auto view_as_complex() const { return viewed_const<rules::Complex>(dynamic().view_as_complex()); }
    auto real() { return viewed<rules::Real>(dynamic().real()); }
    auto real() const { return viewed_const<rules::Real>(dynamic().real()); }
    auto imag() { return viewed<rules::Real>(dynamic().imag()); }
    auto imag() const { return viewed_const<rules::Real>(dynamic().imag()); }
    auto alias() { return viewed<rules::Same>(dynamic().alias()); }
    auto alias() const { return viewed_const<rules::Same>(dynamic().alias()); }
    auto atleast_1d() { return viewed<rules::Same>(dynamic().atleast_1d()); }
    auto atleast_1d() const { return viewed_const<rules::Same>(dynamic().atleast_1d()); }
    auto atleast_2d() { return viewed<rules::Same>(dynamic().atleast_2d()); }
    auto atleast_2d() const { return viewed_const<rules::Same>(dynamic().atleast_2d()); }
    auto atleast_3d() { return viewed<rules::Same>(dynamic().atleast_3d()); }
    auto atleast_3d() const { return viewed_const<rules::Same>(dynamic().atleast_3d()); }
    Derived & resize_(Dims size) { return wrote(dynamic().resize_(size)); }
    Derived & resize_as_(const Operand<Derived> &other) { return wrote(dynamic().resize_as_(other)); }
    Derived & resize_(Dims size, tn_memory_format memory_format) { return wrote(dynamic().resize_(size, memory_format)); }
    Derived & resize_as_(const Operand<Derived> &other, tn_memory_format memory_format) { return wrote(dynamic().resize_as_(other, memory_format)); }
    Derived & fill_diagonal_(Number fill_value, bool wrap = false) { return wrote(dynamic().fill_diagonal_(fill_value, wrap)); }
    Derived & set_(const Operand<Derived> &source) { return wrote(dynamic().set_(source)); }
    Derived & set_(AnyStorage &source, int64_t storage_offset, Dims size, Dims stride) { return wrote(dynamic().set_(source, storage_offset, size, stride)); }

    /* view copies */
    auto alias_copy() const { return typed<rules::Same>(dynamic().alias_copy()); }
    auto as_strided_copy(Dims size, Dims stride, int64_t storage_offset = TN_NONE) const { return typed<rules::Same>(dynamic().as_strided_copy(size, stride, storage_offset)); }
    auto detach_copy() const { return typed<rules::Same>(dynamic().detach_copy()); }
    auto diagonal_copy(int64_t offset = 0, int64_t dim1 = 0, int64_t dim2 = 1) const { return typed<rules::Same>(dynamic().diagonal_copy(offset, dim1, dim2)); }
    auto expand_copy(Dims size) const { return typed<rules::Same>(dynamic().expand_copy(size)); }
    auto narrow_copy(int64_t dim, int64_t start, int64_t length) const { return typed<rules::Same>(dynamic().narrow_copy(dim, start, length)); }
    auto permute_copy(Dims dims) const { return typed<rules::Same>(dynamic().permute_copy(dims)); }
    auto select_copy(int64_t dim, int64_t index) const { return typed<rules::Same>(dynamic().select_copy(dim, index)); }
    auto slice_copy(int64_t dim = 0, int64_t start = TN_NONE, int64_t end = TN_NONE, int64_t step = 1) const { return typed<rules::Same>(dynamic().slice_copy(dim, start, end, step)); }
    auto squeeze_copy() const { return typed<rules::Same>(dynamic().squeeze_copy()); }
    auto squeeze_copy(int64_t dim) const { return typed<rules::Same>(dynamic().squeeze_copy(dim)); }
    auto squeeze_copy(Dims dims) const { return typed<rules::Same>(dynamic().squeeze_copy(dims)); }
    auto t_copy() const { return typed<rules::Same>(dynamic().t_copy()); }
    auto transpose_copy(int64_t dim0, int64_t dim1) const { return typed<rules::Same>(dynamic().transpose_copy(dim0, dim1)); }
    auto unfold_copy(int64_t dimension, int64_t size, int64_t step) const { return typed<rules::Same>(dynamic().unfold_copy(dimension, size, step)); }
    auto unsqueeze_copy(int64_t dim) const { return typed<rules::Same>(dynamic().unsqueeze_copy(dim)); }
    auto view_copy(Dims shape) const { return typed<rules::Same>(dynamic().view_copy(shape)); }
    auto view_copy(tn_dtype dtype) const { return plain(dynamic().view_copy(dtype)); }
    auto view_as_complex_copy() const { return typed<rules::Same>(dynamic().view_as_complex_copy()); }
    auto view_as_real_copy() const { return typed<rules::Same>(dynamic().view_as_real_copy()); }
    auto split_copy(int64_t split_size, int64_t dim = 0) const { return plain(dynamic().split_copy(split_size, dim)); }
    auto split_with_sizes_copy(Dims split_sizes, int64_t dim = 0) const { return plain(dynamic().split_with_sizes_copy(split_sizes, dim)); }
    auto unbind_copy(int64_t dim = 0) const { return plain(dynamic().unbind_copy(dim)); }

    /* arithmetic */
    Derived & add_(const Operand<Derived> &other) { supported<0x1111>(); return wrote(dynamic().add_(other)); }
    Derived & add_(Number other) { supported<0x1111>(); return wrote(dynamic().add_(other)); }
    auto add_alpha(const Operand<Derived> &other, Number alpha = 1) const { return plain(dynamic().add_alpha(other, alpha)); }
    Derived & add_alpha_(const Operand<Derived> &other, Number alpha = 1) { return wrote(dynamic().add_alpha_(other, alpha)); }
    Derived & sub_(const Operand<Derived> &other) { supported<0x0111>(); return wrote(dynamic().sub_(other)); }
    auto subtract(const Operand<Derived> &other) const { supported<0x0111>(); return plain(dynamic().subtract(other)); }
    Derived & subtract_(const Operand<Derived> &other) { supported<0x0111>(); return wrote(dynamic().subtract_(other)); }
    Derived & sub_(Number other) { supported<0x0111>(); return wrote(dynamic().sub_(other)); }
    auto subtract(Number other) const { supported<0x0111>(); return plain(dynamic().subtract(other)); }
    Derived & subtract_(Number other) { supported<0x0111>(); return wrote(dynamic().subtract_(other)); }
    auto sub_alpha(const Operand<Derived> &other, Number alpha = 1) const { return plain(dynamic().sub_alpha(other, alpha)); }
    Derived & sub_alpha_(const Operand<Derived> &other, Number alpha = 1) { return wrote(dynamic().sub_alpha_(other, alpha)); }
    auto subtract_alpha(const Operand<Derived> &other, Number alpha = 1) const { return plain(dynamic().subtract_alpha(other, alpha)); }
    Derived & subtract_alpha_(const Operand<Derived> &other, Number alpha = 1) { return wrote(dynamic().subtract_alpha_(other, alpha)); }
    auto rsub(const Operand<Derived> &other, Number alpha = 1) const { return plain(dynamic().rsub(other, alpha)); }
    auto rsub(Number other, Number alpha = 1) const { return plain(dynamic().rsub(other, alpha)); }
    Derived & mul_(const Operand<Derived> &other) { supported<0x1111>(); return wrote(dynamic().mul_(other)); }
    auto multiply(const Operand<Derived> &other) const { supported<0x1111>(); return plain(dynamic().multiply(other)); }
    Derived & multiply_(const Operand<Derived> &other) { supported<0x1111>(); return wrote(dynamic().multiply_(other)); }
    Derived & mul_(Number other) { supported<0x1111>(); return wrote(dynamic().mul_(other)); }
    auto multiply(Number other) const { supported<0x1111>(); return plain(dynamic().multiply(other)); }
    Derived & multiply_(Number other) { supported<0x1111>(); return wrote(dynamic().multiply_(other)); }
    Derived & div_(const Operand<Derived> &other) { supported<0x0011>(); return wrote(dynamic().div_(other)); }
    auto true_divide(const Operand<Derived> &other) const { supported<0x0011>(); return plain(dynamic().true_divide(other)); }
    Derived & true_divide_(const Operand<Derived> &other) { supported<0x0011>(); return wrote(dynamic().true_divide_(other)); }
    auto divide(const Operand<Derived> &other) const { supported<0x0011>(); return plain(dynamic().divide(other)); }
    Derived & divide_(const Operand<Derived> &other) { supported<0x0011>(); return wrote(dynamic().divide_(other)); }
    Derived & div_(Number other) { supported<0x0011>(); return wrote(dynamic().div_(other)); }
    auto true_divide(Number other) const { supported<0x0011>(); return plain(dynamic().true_divide(other)); }
    Derived & true_divide_(Number other) { supported<0x0011>(); return wrote(dynamic().true_divide_(other)); }
    auto divide(Number other) const { supported<0x0011>(); return plain(dynamic().divide(other)); }
    Derived & divide_(Number other) { supported<0x0011>(); return wrote(dynamic().divide_(other)); }
    Derived & div_(const Operand<Derived> &other, const char *rounding_mode) { return wrote(dynamic().div_(other, rounding_mode)); }
    auto divide(const Operand<Derived> &other, const char *rounding_mode) const { return plain(dynamic().divide(other, rounding_mode)); }
    Derived & divide_(const Operand<Derived> &other, const char *rounding_mode) { return wrote(dynamic().divide_(other, rounding_mode)); }
    Derived & div_(Number other, const char *rounding_mode) { return wrote(dynamic().div_(other, rounding_mode)); }
    auto divide(Number other, const char *rounding_mode) const { return plain(dynamic().divide(other, rounding_mode)); }
    Derived & divide_(Number other, const char *rounding_mode) { return wrote(dynamic().divide_(other, rounding_mode)); }
    auto floor_divide(const Operand<Derived> &other) const { supported<0x0110>(); return plain(dynamic().floor_divide(other)); }
    Derived & floor_divide_(const Operand<Derived> &other) { supported<0x0110>(); return wrote(dynamic().floor_divide_(other)); }
    auto floor_divide(Number other) const { supported<0x0110>(); return plain(dynamic().floor_divide(other)); }
    Derived & floor_divide_(Number other) { supported<0x0110>(); return wrote(dynamic().floor_divide_(other)); }
    auto remainder(const Operand<Derived> &other) const { supported<0x0110>(); return plain(dynamic().remainder(other)); }
    Derived & remainder_(const Operand<Derived> &other) { supported<0x0110>(); return wrote(dynamic().remainder_(other)); }
    auto remainder(Number other) const { supported<0x0110>(); return plain(dynamic().remainder(other)); }
    Derived & remainder_(Number other) { supported<0x0110>(); return wrote(dynamic().remainder_(other)); }
    auto fmod(const Operand<Derived> &other) const { supported<0x0110>(); return plain(dynamic().fmod(other)); }
    Derived & fmod_(const Operand<Derived> &other) { supported<0x0110>(); return wrote(dynamic().fmod_(other)); }
    auto fmod(Number other) const { supported<0x0110>(); return plain(dynamic().fmod(other)); }
    Derived & fmod_(Number other) { supported<0x0110>(); return wrote(dynamic().fmod_(other)); }
    Derived & neg_() { supported<0x0111>(); return wrote(dynamic().neg_()); }
    auto negative() const { supported<0x0111>(); return typed<rules::Same>(dynamic().negative()); }
    Derived & negative_() { supported<0x0111>(); return wrote(dynamic().negative_()); }
    Derived & abs_() { supported<0x0111>(); return wrote(dynamic().abs_()); }
    auto absolute() const { supported<0x0111>(); return typed<rules::Real>(dynamic().absolute()); }
    Derived & absolute_() { supported<0x0111>(); return wrote(dynamic().absolute_()); }
    auto sign() const { supported<0x1110>(); return typed<rules::Same>(dynamic().sign()); }
    Derived & sign_() { supported<0x1110>(); return wrote(dynamic().sign_()); }
    auto sgn() const { supported<0x1111>(); return typed<rules::Same>(dynamic().sgn()); }
    Derived & sgn_() { supported<0x1111>(); return wrote(dynamic().sgn_()); }
    Derived & square_() { return wrote(dynamic().square_()); }
    Derived & reciprocal_() { supported<0x0011>(); return wrote(dynamic().reciprocal_()); }
    Derived & sqrt_() { supported<0x0011>(); return wrote(dynamic().sqrt_()); }
    Derived & rsqrt_() { supported<0x0011>(); return wrote(dynamic().rsqrt_()); }
    auto cbrt() const { supported<0x0010>(); return typed<rules::Floating>(dynamic().cbrt()); }
    Derived & cbrt_() { supported<0x0010>(); return wrote(dynamic().cbrt_()); }
    Derived & floor_() { supported<0x0110>(); return wrote(dynamic().floor_()); }
    Derived & ceil_() { supported<0x0110>(); return wrote(dynamic().ceil_()); }
    Derived & trunc_() { supported<0x0110>(); return wrote(dynamic().trunc_()); }
    auto fix() const { supported<0x0110>(); return typed<rules::Same>(dynamic().fix()); }
    Derived & fix_() { supported<0x0110>(); return wrote(dynamic().fix_()); }
    Derived & round_() { supported<0x0110>(); return wrote(dynamic().round_()); }
    Derived & round_(int64_t decimals) { return wrote(dynamic().round_(decimals)); }
    auto frac() const { supported<0x0010>(); return typed<rules::Same>(dynamic().frac()); }
    Derived & frac_() { supported<0x0010>(); return wrote(dynamic().frac_()); }
    auto fmax(const Operand<Derived> &other) const { supported<0x1110>(); return plain(dynamic().fmax(other)); }
    auto fmax(Number other) const { supported<0x1110>(); return plain(dynamic().fmax(other)); }
    auto fmin(const Operand<Derived> &other) const { supported<0x1110>(); return plain(dynamic().fmin(other)); }
    auto fmin(Number other) const { supported<0x1110>(); return plain(dynamic().fmin(other)); }
    auto clamp(Number min = Number::none(), Number max = Number::none()) const { return plain(dynamic().clamp(min, max)); }
    Derived & clamp_(Number min = Number::none(), Number max = Number::none()) { return wrote(dynamic().clamp_(min, max)); }
    auto clip(Number min = Number::none(), Number max = Number::none()) const { return plain(dynamic().clip(min, max)); }
    Derived & clip_(Number min = Number::none(), Number max = Number::none()) { return wrote(dynamic().clip_(min, max)); }
    auto clamp_tensor(const Operand<Derived> &min = {}, const Operand<Derived> &max = {}) const { return plain(dynamic().clamp_tensor(min, max)); }
    Derived & clamp_tensor_(const Operand<Derived> &min = {}, const Operand<Derived> &max = {}) { return wrote(dynamic().clamp_tensor_(min, max)); }
    auto clip_tensor(const Operand<Derived> &min = {}, const Operand<Derived> &max = {}) const { return plain(dynamic().clip_tensor(min, max)); }
    Derived & clip_tensor_(const Operand<Derived> &min = {}, const Operand<Derived> &max = {}) { return wrote(dynamic().clip_tensor_(min, max)); }
    auto clamp_min(Number min) const { return plain(dynamic().clamp_min(min)); }
    Derived & clamp_min_(Number min) { return wrote(dynamic().clamp_min_(min)); }
    auto clamp_min(const Operand<Derived> &min) const { return plain(dynamic().clamp_min(min)); }
    Derived & clamp_min_(const Operand<Derived> &min) { return wrote(dynamic().clamp_min_(min)); }
    auto clamp_max(Number max) const { return plain(dynamic().clamp_max(max)); }
    Derived & clamp_max_(Number max) { return wrote(dynamic().clamp_max_(max)); }
    auto clamp_max(const Operand<Derived> &max) const { return plain(dynamic().clamp_max(max)); }
    Derived & clamp_max_(const Operand<Derived> &max) { return wrote(dynamic().clamp_max_(max)); }
    auto lerp(const Operand<Derived> &end, const Operand<Derived> &weight) const { return plain(dynamic().lerp(end, weight)); }
    Derived & lerp_(const Operand<Derived> &end, const Operand<Derived> &weight) { return wrote(dynamic().lerp_(end, weight)); }
    auto lerp(const Operand<Derived> &end, Number weight) const { return plain(dynamic().lerp(end, weight)); }
    Derived & lerp_(const Operand<Derived> &end, Number weight) { return wrote(dynamic().lerp_(end, weight)); }
    auto addcmul(const Operand<Derived> &tensor1, const Operand<Derived> &tensor2, Number value = 1) const { supported<0x0111>(); return plain(dynamic().addcmul(tensor1, tensor2, value)); }
    Derived & addcmul_(const Operand<Derived> &tensor1, const Operand<Derived> &tensor2, Number value = 1) { supported<0x0111>(); return wrote(dynamic().addcmul_(tensor1, tensor2, value)); }
    auto addcdiv(const Operand<Derived> &tensor1, const Operand<Derived> &tensor2, Number value = 1) const { supported<0x0011>(); return plain(dynamic().addcdiv(tensor1, tensor2, value)); }
    Derived & addcdiv_(const Operand<Derived> &tensor1, const Operand<Derived> &tensor2, Number value = 1) { supported<0x0011>(); return wrote(dynamic().addcdiv_(tensor1, tensor2, value)); }
    auto gcd(const Operand<Derived> &other) const { supported<0x0100>(); return plain(dynamic().gcd(other)); }
    Derived & gcd_(const Operand<Derived> &other) { supported<0x0100>(); return wrote(dynamic().gcd_(other)); }
    auto gcd(Number other) const { supported<0x0100>(); return plain(dynamic().gcd(other)); }
    Derived & gcd_(Number other) { supported<0x0100>(); return wrote(dynamic().gcd_(other)); }
    auto lcm(const Operand<Derived> &other) const { supported<0x0100>(); return plain(dynamic().lcm(other)); }
    Derived & lcm_(const Operand<Derived> &other) { supported<0x0100>(); return wrote(dynamic().lcm_(other)); }
    auto lcm(Number other) const { supported<0x0100>(); return plain(dynamic().lcm(other)); }
    Derived & lcm_(Number other) { supported<0x0100>(); return wrote(dynamic().lcm_(other)); }
    auto copysign(const Operand<Derived> &other) const { supported<0x0010>(); return plain(dynamic().copysign(other)); }
    Derived & copysign_(const Operand<Derived> &other) { supported<0x0010>(); return wrote(dynamic().copysign_(other)); }
    auto copysign(Number other) const { supported<0x0010>(); return plain(dynamic().copysign(other)); }
    Derived & copysign_(Number other) { supported<0x0010>(); return wrote(dynamic().copysign_(other)); }
    auto nextafter(const Operand<Derived> &other) const { supported<0x0010>(); return plain(dynamic().nextafter(other)); }
    Derived & nextafter_(const Operand<Derived> &other) { supported<0x0010>(); return wrote(dynamic().nextafter_(other)); }
    auto nextafter(Number other) const { supported<0x0010>(); return plain(dynamic().nextafter(other)); }
    Derived & nextafter_(Number other) { supported<0x0010>(); return wrote(dynamic().nextafter_(other)); }
    auto heaviside(const Operand<Derived> &values) const { return plain(dynamic().heaviside(values)); }
    Derived & heaviside_(const Operand<Derived> &values) { return wrote(dynamic().heaviside_(values)); }
    auto heaviside(Number values) const { supported<0x1110>(); return plain(dynamic().heaviside(values)); }
    Derived & heaviside_(Number values) { supported<0x1110>(); return wrote(dynamic().heaviside_(values)); }
    auto deg2rad() const { supported<0x0010>(); return typed<rules::Floating>(dynamic().deg2rad()); }
    Derived & deg2rad_() { supported<0x0010>(); return wrote(dynamic().deg2rad_()); }
    auto rad2deg() const { supported<0x0010>(); return typed<rules::Floating>(dynamic().rad2deg()); }
    Derived & rad2deg_() { supported<0x0010>(); return wrote(dynamic().rad2deg_()); }
    auto nan_to_num(Number nan = Number::none(), Number posinf = Number::none(), Number neginf = Number::none()) const { return plain(dynamic().nan_to_num(nan, posinf, neginf)); }
    Derived & nan_to_num_(Number nan = Number::none(), Number posinf = Number::none(), Number neginf = Number::none()) { return wrote(dynamic().nan_to_num_(nan, posinf, neginf)); }
    auto positive() const { return typed<rules::Same>(dynamic().positive()); }
    Derived & pow_(const Operand<Derived> &exponent) { return wrote(dynamic().pow_(exponent)); }
    Derived & pow_(Number exponent) { return wrote(dynamic().pow_(exponent)); }

    /* math */
    Derived & exp_() { supported<0x0011>(); return wrote(dynamic().exp_()); }
    auto exp2() const { supported<0x0011>(); return typed<rules::Floating>(dynamic().exp2()); }
    Derived & exp2_() { supported<0x0011>(); return wrote(dynamic().exp2_()); }
    auto expm1() const { supported<0x0011>(); return typed<rules::Floating>(dynamic().expm1()); }
    Derived & expm1_() { supported<0x0011>(); return wrote(dynamic().expm1_()); }
    Derived & log_() { supported<0x0011>(); return wrote(dynamic().log_()); }
    auto log2() const { supported<0x0011>(); return typed<rules::Floating>(dynamic().log2()); }
    Derived & log2_() { supported<0x0011>(); return wrote(dynamic().log2_()); }
    auto log10() const { supported<0x0011>(); return typed<rules::Floating>(dynamic().log10()); }
    Derived & log10_() { supported<0x0011>(); return wrote(dynamic().log10_()); }
    auto log1p() const { supported<0x0011>(); return typed<rules::Floating>(dynamic().log1p()); }
    Derived & log1p_() { supported<0x0011>(); return wrote(dynamic().log1p_()); }
    Derived & sin_() { supported<0x0011>(); return wrote(dynamic().sin_()); }
    Derived & cos_() { supported<0x0011>(); return wrote(dynamic().cos_()); }
    auto tan() const { supported<0x0011>(); return typed<rules::Floating>(dynamic().tan()); }
    Derived & tan_() { supported<0x0011>(); return wrote(dynamic().tan_()); }
    auto asin() const { supported<0x0011>(); return typed<rules::Floating>(dynamic().asin()); }
    Derived & asin_() { supported<0x0011>(); return wrote(dynamic().asin_()); }
    auto arcsin() const { supported<0x0011>(); return typed<rules::Floating>(dynamic().arcsin()); }
    Derived & arcsin_() { supported<0x0011>(); return wrote(dynamic().arcsin_()); }
    auto acos() const { supported<0x0011>(); return typed<rules::Floating>(dynamic().acos()); }
    Derived & acos_() { supported<0x0011>(); return wrote(dynamic().acos_()); }
    auto arccos() const { supported<0x0011>(); return typed<rules::Floating>(dynamic().arccos()); }
    Derived & arccos_() { supported<0x0011>(); return wrote(dynamic().arccos_()); }
    auto atan() const { supported<0x0011>(); return typed<rules::Floating>(dynamic().atan()); }
    Derived & atan_() { supported<0x0011>(); return wrote(dynamic().atan_()); }
    auto arctan() const { supported<0x0011>(); return typed<rules::Floating>(dynamic().arctan()); }
    Derived & arctan_() { supported<0x0011>(); return wrote(dynamic().arctan_()); }
    auto atan2(const Operand<Derived> &other) const { supported<0x0010>(); return plain(dynamic().atan2(other)); }
    Derived & atan2_(const Operand<Derived> &other) { supported<0x0010>(); return wrote(dynamic().atan2_(other)); }
    auto arctan2(const Operand<Derived> &other) const { supported<0x0010>(); return plain(dynamic().arctan2(other)); }
    Derived & arctan2_(const Operand<Derived> &other) { supported<0x0010>(); return wrote(dynamic().arctan2_(other)); }
    auto atan2(Number other) const { supported<0x0010>(); return plain(dynamic().atan2(other)); }
    Derived & atan2_(Number other) { supported<0x0010>(); return wrote(dynamic().atan2_(other)); }
    auto arctan2(Number other) const { supported<0x0010>(); return plain(dynamic().arctan2(other)); }
    Derived & arctan2_(Number other) { supported<0x0010>(); return wrote(dynamic().arctan2_(other)); }
    auto sinh() const { supported<0x0011>(); return typed<rules::Floating>(dynamic().sinh()); }
    Derived & sinh_() { supported<0x0011>(); return wrote(dynamic().sinh_()); }
    auto cosh() const { supported<0x0011>(); return typed<rules::Floating>(dynamic().cosh()); }
    Derived & cosh_() { supported<0x0011>(); return wrote(dynamic().cosh_()); }
    Derived & tanh_() { supported<0x0011>(); return wrote(dynamic().tanh_()); }
    auto asinh() const { supported<0x0011>(); return typed<rules::Floating>(dynamic().asinh()); }
    Derived & asinh_() { supported<0x0011>(); return wrote(dynamic().asinh_()); }
    auto arcsinh() const { supported<0x0011>(); return typed<rules::Floating>(dynamic().arcsinh()); }
    Derived & arcsinh_() { supported<0x0011>(); return wrote(dynamic().arcsinh_()); }
    auto acosh() const { supported<0x0011>(); return typed<rules::Floating>(dynamic().acosh()); }
    Derived & acosh_() { supported<0x0011>(); return wrote(dynamic().acosh_()); }
    auto arccosh() const { supported<0x0011>(); return typed<rules::Floating>(dynamic().arccosh()); }
    Derived & arccosh_() { supported<0x0011>(); return wrote(dynamic().arccosh_()); }
    auto atanh() const { supported<0x0011>(); return typed<rules::Floating>(dynamic().atanh()); }
    Derived & atanh_() { supported<0x0011>(); return wrote(dynamic().atanh_()); }
    auto arctanh() const { supported<0x0011>(); return typed<rules::Floating>(dynamic().arctanh()); }
    Derived & arctanh_() { supported<0x0011>(); return wrote(dynamic().arctanh_()); }
    auto sinc() const { supported<0x0011>(); return typed<rules::Floating>(dynamic().sinc()); }
    Derived & sinc_() { supported<0x0011>(); return wrote(dynamic().sinc_()); }
    auto erf() const { supported<0x0010>(); return typed<rules::Floating>(dynamic().erf()); }
    Derived & erf_() { supported<0x0010>(); return wrote(dynamic().erf_()); }
    auto erfc() const { supported<0x0010>(); return typed<rules::Floating>(dynamic().erfc()); }
    Derived & erfc_() { supported<0x0010>(); return wrote(dynamic().erfc_()); }
    auto erfinv() const { supported<0x0010>(); return typed<rules::Floating>(dynamic().erfinv()); }
    Derived & erfinv_() { supported<0x0010>(); return wrote(dynamic().erfinv_()); }
    auto lgamma() const { supported<0x0010>(); return typed<rules::Floating>(dynamic().lgamma()); }
    Derived & lgamma_() { supported<0x0010>(); return wrote(dynamic().lgamma_()); }
    auto digamma() const { supported<0x0010>(); return typed<rules::Floating>(dynamic().digamma()); }
    Derived & digamma_() { supported<0x0010>(); return wrote(dynamic().digamma_()); }
    auto i0() const { supported<0x0010>(); return typed<rules::Floating>(dynamic().i0()); }
    Derived & i0_() { supported<0x0010>(); return wrote(dynamic().i0_()); }
    Derived & sigmoid_() { supported<0x0011>(); return wrote(dynamic().sigmoid_()); }
    auto logit() const { supported<0x0010>(); return typed<rules::Floating>(dynamic().logit()); }
    Derived & logit_() { supported<0x0010>(); return wrote(dynamic().logit_()); }
    auto logit(double eps) const { return typed<rules::Same>(dynamic().logit(eps)); }
    Derived & logit_(double eps) { return wrote(dynamic().logit_(eps)); }
    auto hypot(const Operand<Derived> &other) const { supported<0x0010>(); return plain(dynamic().hypot(other)); }
    Derived & hypot_(const Operand<Derived> &other) { supported<0x0010>(); return wrote(dynamic().hypot_(other)); }
    auto hypot(Number other) const { supported<0x0010>(); return plain(dynamic().hypot(other)); }
    Derived & hypot_(Number other) { supported<0x0010>(); return wrote(dynamic().hypot_(other)); }
    auto ldexp(const Operand<Derived> &other) const { supported<0x0011>(); return plain(dynamic().ldexp(other)); }
    Derived & ldexp_(const Operand<Derived> &other) { supported<0x0011>(); return wrote(dynamic().ldexp_(other)); }
    auto ldexp(Number other) const { supported<0x0011>(); return plain(dynamic().ldexp(other)); }
    Derived & ldexp_(Number other) { supported<0x0011>(); return wrote(dynamic().ldexp_(other)); }
    auto frexp() const { return plain(dynamic().frexp()); }
    auto logaddexp(const Operand<Derived> &other) const { supported<0x0011>(); return plain(dynamic().logaddexp(other)); }
    auto logaddexp(Number other) const { supported<0x0011>(); return plain(dynamic().logaddexp(other)); }
    auto logaddexp2(const Operand<Derived> &other) const { supported<0x0010>(); return plain(dynamic().logaddexp2(other)); }
    auto logaddexp2(Number other) const { supported<0x0010>(); return plain(dynamic().logaddexp2(other)); }
    auto xlogy(const Operand<Derived> &other) const { supported<0x0010>(); return plain(dynamic().xlogy(other)); }
    Derived & xlogy_(const Operand<Derived> &other) { supported<0x0010>(); return wrote(dynamic().xlogy_(other)); }
    auto xlogy(Number other) const { supported<0x0010>(); return plain(dynamic().xlogy(other)); }
    Derived & xlogy_(Number other) { supported<0x0010>(); return wrote(dynamic().xlogy_(other)); }
    auto float_power(const Operand<Derived> &exponent) const { supported<0x0011>(); return plain(dynamic().float_power(exponent)); }
    Derived & float_power_(const Operand<Derived> &exponent) { supported<0x0011>(); return wrote(dynamic().float_power_(exponent)); }
    auto float_power(Number exponent) const { supported<0x0011>(); return plain(dynamic().float_power(exponent)); }
    Derived & float_power_(Number exponent) { supported<0x0011>(); return wrote(dynamic().float_power_(exponent)); }

    /* activation */
    Derived & relu_() { supported<0x0110>(); return wrote(dynamic().relu_()); }
    auto relu6() const { return typed<rules::Same>(dynamic().relu6()); }
    Derived & relu6_() { return wrote(dynamic().relu6_()); }
    auto leaky_relu() const { return typed<rules::Same>(dynamic().leaky_relu()); }
    Derived & leaky_relu_() { return wrote(dynamic().leaky_relu_()); }
    auto leaky_relu_slope(Number negative_slope = 0.01) const { return typed<rules::Same>(dynamic().leaky_relu_slope(negative_slope)); }
    Derived & leaky_relu_slope_(Number negative_slope = 0.01) { return wrote(dynamic().leaky_relu_slope_(negative_slope)); }
    auto elu() const { return typed<rules::Same>(dynamic().elu()); }
    Derived & elu_() { return wrote(dynamic().elu_()); }
    auto elu_alpha(Number alpha = 1, Number scale = 1, Number input_scale = 1) const { return typed<rules::Same>(dynamic().elu_alpha(alpha, scale, input_scale)); }
    Derived & elu_alpha_(Number alpha = 1, Number scale = 1, Number input_scale = 1) { return wrote(dynamic().elu_alpha_(alpha, scale, input_scale)); }
    auto selu() const { return typed<rules::Same>(dynamic().selu()); }
    Derived & selu_() { return wrote(dynamic().selu_()); }
    auto celu() const { return typed<rules::Same>(dynamic().celu()); }
    Derived & celu_() { return wrote(dynamic().celu_()); }
    auto celu_alpha(Number alpha = 1) const { return typed<rules::Same>(dynamic().celu_alpha(alpha)); }
    Derived & celu_alpha_(Number alpha = 1) { return wrote(dynamic().celu_alpha_(alpha)); }
    auto gelu() const { supported<0x0010>(); return typed<rules::Same>(dynamic().gelu()); }
    Derived & gelu_() { supported<0x0010>(); return wrote(dynamic().gelu_()); }
    auto gelu_backward(const Operand<Derived> &self) const { supported<0x0010>(); return plain(dynamic().gelu_backward(self)); }
    auto gelu_approximate(const char *approximate = "none") const { return typed<rules::Same>(dynamic().gelu_approximate(approximate)); }
    Derived & gelu_approximate_(const char *approximate = "none") { return wrote(dynamic().gelu_approximate_(approximate)); }
    auto silu() const { supported<0x0011>(); return typed<rules::Same>(dynamic().silu()); }
    Derived & silu_() { supported<0x0011>(); return wrote(dynamic().silu_()); }
    auto mish() const { supported<0x0010>(); return typed<rules::Same>(dynamic().mish()); }
    Derived & mish_() { supported<0x0010>(); return wrote(dynamic().mish_()); }
    auto softplus() const { return typed<rules::Same>(dynamic().softplus()); }
    auto softplus_beta(Number beta = 1, Number threshold = 20) const { return typed<rules::Same>(dynamic().softplus_beta(beta, threshold)); }
    auto logsigmoid() const { supported<0x0010>(); return typed<rules::Same>(dynamic().logsigmoid()); }
    auto hardtanh() const { return typed<rules::Same>(dynamic().hardtanh()); }
    Derived & hardtanh_() { return wrote(dynamic().hardtanh_()); }
    auto hardtanh_range(Number min_val = -1, Number max_val = 1) const { return typed<rules::Same>(dynamic().hardtanh_range(min_val, max_val)); }
    Derived & hardtanh_range_(Number min_val = -1, Number max_val = 1) { return wrote(dynamic().hardtanh_range_(min_val, max_val)); }
    auto hardsigmoid() const { supported<0x0010>(); return typed<rules::Same>(dynamic().hardsigmoid()); }
    Derived & hardsigmoid_() { supported<0x0010>(); return wrote(dynamic().hardsigmoid_()); }
    auto hardswish() const { supported<0x0010>(); return typed<rules::Same>(dynamic().hardswish()); }
    Derived & hardswish_() { supported<0x0010>(); return wrote(dynamic().hardswish_()); }
    auto softsign() const { supported<0x0011>(); return typed<rules::Floating>(dynamic().softsign()); }
    auto tanhshrink() const { supported<0x0011>(); return typed<rules::Floating>(dynamic().tanhshrink()); }
    auto threshold(Number threshold, Number value) const { return typed<rules::Same>(dynamic().threshold(threshold, value)); }
    Derived & threshold_(Number threshold, Number value) { return wrote(dynamic().threshold_(threshold, value)); }
    auto hardshrink(Number lambd = 0.5) const { return typed<rules::Same>(dynamic().hardshrink(lambd)); }
    auto softshrink(Number lambd = 0.5) const { return typed<rules::Same>(dynamic().softshrink(lambd)); }
    auto glu(int64_t dim = -1) const { return typed<rules::Same>(dynamic().glu(dim)); }
    auto prelu(const Operand<Derived> &weight) const { return plain(dynamic().prelu(weight)); }
    auto rrelu(Number lower = 0.125, Number upper = 0.3333333333333333, bool training = false, tn_generator *generator = nullptr) const { return typed<rules::Same>(dynamic().rrelu(lower, upper, training, generator)); }
    Derived & rrelu_(Number lower = 0.125, Number upper = 0.3333333333333333, bool training = false, tn_generator *generator = nullptr) { return wrote(dynamic().rrelu_(lower, upper, training, generator)); }
    auto rrelu_with_noise(const Operand<Derived> &noise, Number lower = 0.125, Number upper = 0.3333333333333333, bool training = false, tn_generator *generator = nullptr) const { return plain(dynamic().rrelu_with_noise(noise, lower, upper, training, generator)); }

    /* complex */
    auto conj() const { return typed<rules::Same>(dynamic().conj()); }
    auto conj_physical() const { supported<0x1111>(); return typed<rules::Same>(dynamic().conj_physical()); }
    Derived & conj_physical_() { supported<0x1111>(); return wrote(dynamic().conj_physical_()); }
    auto angle() const { return typed<rules::Real>(dynamic().angle()); }
    auto complex(const Operand<Derived> &imag) const { supported<0x0010>(); return plain(dynamic().complex(imag)); }
    auto polar(const Operand<Derived> &angle) const { supported<0x0010>(); return plain(dynamic().polar(angle)); }

    /* copy */
    auto _to_copy() const { return typed<rules::Same>(dynamic()._to_copy()); }
    auto _to_copy(tn_dtype dtype) const { return plain(dynamic()._to_copy(dtype)); }
    auto fill(Number value) const { return plain(dynamic().fill(value)); }
    auto fill(const Operand<Derived> &value) const { return plain(dynamic().fill(value)); }
    auto zero() const { return typed<rules::Same>(dynamic().zero()); }
    Derived & zero_() { return wrote(dynamic().zero_()); }

    /* join */
    auto combinations(int64_t r = 2, bool with_replacement = false) const { return typed<rules::Same>(dynamic().combinations(r, with_replacement)); }

    /* move */
    auto repeat(Dims repeats) const { return typed<rules::Same>(dynamic().repeat(repeats)); }
    auto tile(Dims dims) const { return typed<rules::Same>(dynamic().tile(dims)); }
    auto repeat_interleave(int64_t repeats, int64_t dim = TN_NONE, int64_t output_size = TN_NONE) const { return typed<rules::Same>(dynamic().repeat_interleave(repeats, dim, output_size)); }
    auto repeat_interleave(const Operand<Derived> &repeats, int64_t dim = TN_NONE, int64_t output_size = TN_NONE) const { return plain(dynamic().repeat_interleave(repeats, dim, output_size)); }
    auto repeat_interleave_counts(int64_t output_size = TN_NONE) const { return typed<rules::Same>(dynamic().repeat_interleave_counts(output_size)); }
    auto roll(Dims shifts, Dims dims = Dims()) const { return typed<rules::Same>(dynamic().roll(shifts, dims)); }
    auto pad(Dims pad, const char *mode = "constant", Number value = Number::none()) const { return typed<rules::Same>(dynamic().pad(pad, mode, value)); }
    auto reflection_pad1d(Dims padding) const { return typed<rules::Same>(dynamic().reflection_pad1d(padding)); }
    auto reflection_pad2d(Dims padding) const { return typed<rules::Same>(dynamic().reflection_pad2d(padding)); }
    auto reflection_pad3d(Dims padding) const { return typed<rules::Same>(dynamic().reflection_pad3d(padding)); }
    auto replication_pad1d(Dims padding) const { return typed<rules::Same>(dynamic().replication_pad1d(padding)); }
    auto replication_pad2d(Dims padding) const { return typed<rules::Same>(dynamic().replication_pad2d(padding)); }
    auto replication_pad3d(Dims padding) const { return typed<rules::Same>(dynamic().replication_pad3d(padding)); }
    auto constant_pad_nd(Dims pad, Number value = 0) const { return typed<rules::Same>(dynamic().constant_pad_nd(pad, value)); }
    auto tril(int64_t diagonal = 0) const { return typed<rules::Same>(dynamic().tril(diagonal)); }
    Derived & tril_(int64_t diagonal = 0) { return wrote(dynamic().tril_(diagonal)); }
    auto triu(int64_t diagonal = 0) const { return typed<rules::Same>(dynamic().triu(diagonal)); }
    Derived & triu_(int64_t diagonal = 0) { return wrote(dynamic().triu_(diagonal)); }
    auto diag(int64_t diagonal = 0) const { return typed<rules::Same>(dynamic().diag(diagonal)); }
    auto diag_embed(int64_t offset = 0, int64_t dim1 = -2, int64_t dim2 = -1) const { return typed<rules::Same>(dynamic().diag_embed(offset, dim1, dim2)); }
    auto diagflat(int64_t offset = 0) const { return typed<rules::Same>(dynamic().diagflat(offset)); }
    auto outer(const Operand<Derived> &vec2) const { return plain(dynamic().outer(vec2)); }
    auto ger(const Operand<Derived> &vec2) const { return plain(dynamic().ger(vec2)); }
    auto kron(const Operand<Derived> &other) const { return plain(dynamic().kron(other)); }
    auto cross(const Operand<Derived> &other, int64_t dim = TN_NONE) const { return plain(dynamic().cross(other, dim)); }
    auto linalg_cross(const Operand<Derived> &other, int64_t dim = -1) const { return plain(dynamic().linalg_cross(other, dim)); }
    auto vander(int64_t N = TN_NONE, bool increasing = false) const { return typed<rules::Same>(dynamic().vander(N, increasing)); }
    auto linalg_vander(int64_t N = TN_NONE) const { return typed<rules::Same>(dynamic().linalg_vander(N)); }
    auto renorm(Number p, int64_t dim, Number maxnorm) const { return typed<rules::Same>(dynamic().renorm(p, dim, maxnorm)); }
    Derived & renorm_(Number p, int64_t dim, Number maxnorm) { return wrote(dynamic().renorm_(p, dim, maxnorm)); }

    /* reduce */
    auto nansum(Dims dim = Dims(), bool keepdim = false) const { return typed<rules::Sum>(dynamic().nansum(dim, keepdim)); }
    auto nansum(Dims dim, bool keepdim, tn_dtype dtype) const { return plain(dynamic().nansum(dim, keepdim, dtype)); }
    auto nanmean(Dims dim = Dims(), bool keepdim = false) const { return typed<rules::Same>(dynamic().nanmean(dim, keepdim)); }
    auto nanmean(Dims dim, bool keepdim, tn_dtype dtype) const { return plain(dynamic().nanmean(dim, keepdim, dtype)); }
    auto var(bool unbiased = true) const { return typed<rules::Same>(dynamic().var(unbiased)); }
    auto var(Dims dim, bool unbiased = true, bool keepdim = false) const { return typed<rules::Same>(dynamic().var(dim, unbiased, keepdim)); }
    auto var_correction(Dims dim = Dims(), Number correction = Number::none(), bool keepdim = false) const { return typed<rules::Same>(dynamic().var_correction(dim, correction, keepdim)); }
    auto var_mean(bool unbiased = true) const { return plain(dynamic().var_mean(unbiased)); }
    auto var_mean(Dims dim, bool unbiased = true, bool keepdim = false) const { return plain(dynamic().var_mean(dim, unbiased, keepdim)); }
    auto var_mean_correction(Dims dim = Dims(), Number correction = Number::none(), bool keepdim = false) const { return plain(dynamic().var_mean_correction(dim, correction, keepdim)); }
    auto std(bool unbiased = true) const { return typed<rules::Same>(dynamic().std(unbiased)); }
    auto std(Dims dim, bool unbiased = true, bool keepdim = false) const { return typed<rules::Same>(dynamic().std(dim, unbiased, keepdim)); }
    auto std_correction(Dims dim = Dims(), Number correction = Number::none(), bool keepdim = false) const { return typed<rules::Same>(dynamic().std_correction(dim, correction, keepdim)); }
    auto std_mean(bool unbiased = true) const { return plain(dynamic().std_mean(unbiased)); }
    auto std_mean(Dims dim, bool unbiased = true, bool keepdim = false) const { return plain(dynamic().std_mean(dim, unbiased, keepdim)); }
    auto std_mean_correction(Dims dim = Dims(), Number correction = Number::none(), bool keepdim = false) const { return plain(dynamic().std_mean_correction(dim, correction, keepdim)); }
    auto aminmax(int64_t dim = TN_NONE, bool keepdim = false) const { return plain(dynamic().aminmax(dim, keepdim)); }
    auto argmax(int64_t dim = TN_NONE, bool keepdim = false) const { return typed<rules::Index>(dynamic().argmax(dim, keepdim)); }
    auto argmin(int64_t dim = TN_NONE, bool keepdim = false) const { return typed<rules::Index>(dynamic().argmin(dim, keepdim)); }
    auto any() const { return typed<rules::Truth>(dynamic().any()); }
    auto any(int64_t dim, bool keepdim = false) const { return typed<rules::Truth>(dynamic().any(dim, keepdim)); }
    auto any_dims(Dims dim = Dims(), bool keepdim = false) const { return typed<rules::Truth>(dynamic().any_dims(dim, keepdim)); }
    auto all() const { return typed<rules::Truth>(dynamic().all()); }
    auto all(int64_t dim, bool keepdim = false) const { return typed<rules::Truth>(dynamic().all(dim, keepdim)); }
    auto all_dims(Dims dim = Dims(), bool keepdim = false) const { return typed<rules::Truth>(dynamic().all_dims(dim, keepdim)); }
    auto norm(Number p = 2) const { return typed<rules::Real>(dynamic().norm(p)); }
    auto norm_dim(Number p = Number::none(), Dims dim = Dims(), bool keepdim = false) const { return typed<rules::Real>(dynamic().norm_dim(p, dim, keepdim)); }
    auto norm_dim(Number p, Dims dim, bool keepdim, tn_dtype dtype) const { return plain(dynamic().norm_dim(p, dim, keepdim, dtype)); }
    auto linalg_vector_norm(Number ord = 2, Dims dim = Dims(), bool keepdim = false) const { return typed<rules::Real>(dynamic().linalg_vector_norm(ord, dim, keepdim)); }
    auto linalg_vector_norm(Number ord, Dims dim, bool keepdim, tn_dtype dtype) const { return plain(dynamic().linalg_vector_norm(ord, dim, keepdim, dtype)); }
    auto logsumexp(Dims dim, bool keepdim = false) const { return typed<rules::Same>(dynamic().logsumexp(dim, keepdim)); }
    auto count_nonzero(int64_t dim = TN_NONE) const { return typed<rules::Index>(dynamic().count_nonzero(dim)); }
    auto count_nonzero(Dims dim) const { return typed<rules::Index>(dynamic().count_nonzero(dim)); }
    auto dist(const Operand<Derived> &other, Number p = 2) const { return typed<rules::Real>(dynamic().dist(other, p)); }
    auto sum_to_size(Dims size) const { return typed<rules::Same>(dynamic().sum_to_size(size)); }
    auto segment_reduce(const char *reduce, const Operand<Derived> &lengths = {}, const Operand<Derived> &indices = {}, const Operand<Derived> &offsets = {}, int64_t axis = 0, bool unsafe = false, Number initial = Number::none()) const { return plain(dynamic().segment_reduce(reduce, lengths, indices, offsets, axis, unsafe, initial)); }

    /* statistics */
    auto diff(int64_t n = 1, int64_t dim = -1, const Operand<Derived> &prepend = {}, const Operand<Derived> &append = {}) const { return plain(dynamic().diff(n, dim, prepend, append)); }
    auto gradient(Floats spacing, Dims dim = Dims(), int64_t edge_order = 1) const { return plain(dynamic().gradient(spacing, dim, edge_order)); }
    auto gradient(TensorList spacing, Dims dim = Dims(), int64_t edge_order = 1) const { return plain(dynamic().gradient(spacing, dim, edge_order)); }
    auto trapezoid(Number dx = 1, int64_t dim = -1) const { return typed<rules::Same>(dynamic().trapezoid(dx, dim)); }
    auto trapezoid(const Operand<Derived> &x, int64_t dim = -1) const { return plain(dynamic().trapezoid(x, dim)); }
    auto trapz(const Operand<Derived> &x, int64_t dim = -1) const { return plain(dynamic().trapz(x, dim)); }
    auto trapz(double dx = 1, int64_t dim = -1) const { return typed<rules::Same>(dynamic().trapz(dx, dim)); }
    auto cumulative_trapezoid(Number dx = 1, int64_t dim = -1) const { return typed<rules::Same>(dynamic().cumulative_trapezoid(dx, dim)); }
    auto cumulative_trapezoid(const Operand<Derived> &x, int64_t dim = -1) const { return plain(dynamic().cumulative_trapezoid(x, dim)); }
    auto cov(int64_t correction = 1, const Operand<Derived> &fweights = {}, const Operand<Derived> &aweights = {}) const { return plain(dynamic().cov(correction, fweights, aweights)); }
    auto corrcoef() const { return typed<rules::Same>(dynamic().corrcoef()); }
    auto cdist(const Operand<Derived> &x2, double p = 2) const { return plain(dynamic().cdist(x2, p)); }
    auto _cdist_forward(const Operand<Derived> &x2, double p = 2) const { return plain(dynamic()._cdist_forward(x2, p)); }
    auto cdist(const Operand<Derived> &x2, double p, const char *compute_mode) const { return plain(dynamic().cdist(x2, p, compute_mode)); }
    auto pdist(double p = 2) const { return typed<rules::Same>(dynamic().pdist(p)); }
    auto _pdist_forward(double p = 2) const { return typed<rules::Same>(dynamic()._pdist_forward(p)); }
    auto cosine_similarity(const Operand<Derived> &x2, int64_t dim = 1, double eps = 1e-8) const { return plain(dynamic().cosine_similarity(x2, dim, eps)); }
    auto pairwise_distance(const Operand<Derived> &x2, double p = 2, double eps = 1e-6, bool keepdim = false) const { return plain(dynamic().pairwise_distance(x2, p, eps, keepdim)); }

    /* compare */
    Derived & eq_(const Operand<Derived> &other) { return wrote(dynamic().eq_(other)); }
    Derived & eq_(Number other) { return wrote(dynamic().eq_(other)); }
    Derived & ne_(const Operand<Derived> &other) { return wrote(dynamic().ne_(other)); }
    auto not_equal(const Operand<Derived> &other) const { return plain(dynamic().not_equal(other)); }
    Derived & not_equal_(const Operand<Derived> &other) { return wrote(dynamic().not_equal_(other)); }
    Derived & ne_(Number other) { return wrote(dynamic().ne_(other)); }
    auto not_equal(Number other) const { return plain(dynamic().not_equal(other)); }
    Derived & not_equal_(Number other) { return wrote(dynamic().not_equal_(other)); }
    Derived & lt_(const Operand<Derived> &other) { return wrote(dynamic().lt_(other)); }
    auto less(const Operand<Derived> &other) const { return plain(dynamic().less(other)); }
    Derived & less_(const Operand<Derived> &other) { return wrote(dynamic().less_(other)); }
    Derived & lt_(Number other) { return wrote(dynamic().lt_(other)); }
    auto less(Number other) const { return plain(dynamic().less(other)); }
    Derived & less_(Number other) { return wrote(dynamic().less_(other)); }
    Derived & le_(const Operand<Derived> &other) { return wrote(dynamic().le_(other)); }
    auto less_equal(const Operand<Derived> &other) const { return plain(dynamic().less_equal(other)); }
    Derived & less_equal_(const Operand<Derived> &other) { return wrote(dynamic().less_equal_(other)); }
    Derived & le_(Number other) { return wrote(dynamic().le_(other)); }
    auto less_equal(Number other) const { return plain(dynamic().less_equal(other)); }
    Derived & less_equal_(Number other) { return wrote(dynamic().less_equal_(other)); }
    Derived & gt_(const Operand<Derived> &other) { return wrote(dynamic().gt_(other)); }
    auto greater(const Operand<Derived> &other) const { return plain(dynamic().greater(other)); }
    Derived & greater_(const Operand<Derived> &other) { return wrote(dynamic().greater_(other)); }
    Derived & gt_(Number other) { return wrote(dynamic().gt_(other)); }
    auto greater(Number other) const { return plain(dynamic().greater(other)); }
    Derived & greater_(Number other) { return wrote(dynamic().greater_(other)); }
    Derived & ge_(const Operand<Derived> &other) { return wrote(dynamic().ge_(other)); }
    auto greater_equal(const Operand<Derived> &other) const { return plain(dynamic().greater_equal(other)); }
    Derived & greater_equal_(const Operand<Derived> &other) { return wrote(dynamic().greater_equal_(other)); }
    Derived & ge_(Number other) { return wrote(dynamic().ge_(other)); }
    auto greater_equal(Number other) const { return plain(dynamic().greater_equal(other)); }
    Derived & greater_equal_(Number other) { return wrote(dynamic().greater_equal_(other)); }
    auto isclose(const Operand<Derived> &other, double rtol = 1e-05, double atol = 1e-08, bool equal_nan = false) const { return typed<rules::Bool>(dynamic().isclose(other, rtol, atol, equal_nan)); }
    auto isclose(Number other, double rtol = 1e-05, double atol = 1e-08, bool equal_nan = false) const { return typed<rules::Bool>(dynamic().isclose(other, rtol, atol, equal_nan)); }
    auto equal(const Operand<Derived> &other) const { return plain(dynamic().equal(other)); }
    auto allclose(const Operand<Derived> &other, double rtol = 1e-05, double atol = 1e-08, bool equal_nan = false) const { return plain(dynamic().allclose(other, rtol, atol, equal_nan)); }
    auto isnan() const { supported<0x1111>(); return typed<rules::Bool>(dynamic().isnan()); }
    auto isinf() const { supported<0x1111>(); return typed<rules::Bool>(dynamic().isinf()); }
    auto isfinite() const { supported<0x1111>(); return typed<rules::Bool>(dynamic().isfinite()); }
    auto isposinf() const { supported<0x1110>(); return typed<rules::Bool>(dynamic().isposinf()); }
    auto isneginf() const { supported<0x1110>(); return typed<rules::Bool>(dynamic().isneginf()); }
    auto isreal() const { supported<0x1111>(); return typed<rules::Bool>(dynamic().isreal()); }
    auto signbit() const { supported<0x1110>(); return typed<rules::Bool>(dynamic().signbit()); }

    /* logic */
    Derived & logical_and_(const Operand<Derived> &other) { supported<0x1000>(); return wrote(dynamic().logical_and_(other)); }
    Derived & logical_and_(Number other) { supported<0x1000>(); return wrote(dynamic().logical_and_(other)); }
    Derived & logical_or_(const Operand<Derived> &other) { supported<0x1000>(); return wrote(dynamic().logical_or_(other)); }
    Derived & logical_or_(Number other) { supported<0x1000>(); return wrote(dynamic().logical_or_(other)); }
    auto logical_xor(const Operand<Derived> &other) const { supported<0x1000>(); return typed<rules::Bool>(dynamic().logical_xor(other)); }
    Derived & logical_xor_(const Operand<Derived> &other) { supported<0x1000>(); return wrote(dynamic().logical_xor_(other)); }
    auto logical_xor(Number other) const { supported<0x1000>(); return typed<rules::Bool>(dynamic().logical_xor(other)); }
    Derived & logical_xor_(Number other) { supported<0x1000>(); return wrote(dynamic().logical_xor_(other)); }
    Derived & logical_not_() { supported<0x1000>(); return wrote(dynamic().logical_not_()); }
    Derived & bitwise_and_(const Operand<Derived> &other) { supported<0x1100>(); return wrote(dynamic().bitwise_and_(other)); }
    Derived & bitwise_and_(Number other) { supported<0x1100>(); return wrote(dynamic().bitwise_and_(other)); }
    Derived & bitwise_or_(const Operand<Derived> &other) { supported<0x1100>(); return wrote(dynamic().bitwise_or_(other)); }
    Derived & bitwise_or_(Number other) { supported<0x1100>(); return wrote(dynamic().bitwise_or_(other)); }
    Derived & bitwise_xor_(const Operand<Derived> &other) { supported<0x1100>(); return wrote(dynamic().bitwise_xor_(other)); }
    Derived & bitwise_xor_(Number other) { supported<0x1100>(); return wrote(dynamic().bitwise_xor_(other)); }
    Derived & bitwise_not_() { supported<0x1100>(); return wrote(dynamic().bitwise_not_()); }
    auto bitwise_left_shift(const Operand<Derived> &other) const { supported<0x0100>(); return plain(dynamic().bitwise_left_shift(other)); }
    Derived & bitwise_left_shift_(const Operand<Derived> &other) { supported<0x0100>(); return wrote(dynamic().bitwise_left_shift_(other)); }
    auto bitwise_left_shift(Number other) const { supported<0x0100>(); return plain(dynamic().bitwise_left_shift(other)); }
    Derived & bitwise_left_shift_(Number other) { supported<0x0100>(); return wrote(dynamic().bitwise_left_shift_(other)); }
    auto bitwise_right_shift(const Operand<Derived> &other) const { supported<0x0100>(); return plain(dynamic().bitwise_right_shift(other)); }
    Derived & bitwise_right_shift_(const Operand<Derived> &other) { supported<0x0100>(); return wrote(dynamic().bitwise_right_shift_(other)); }
    auto bitwise_right_shift(Number other) const { supported<0x0100>(); return plain(dynamic().bitwise_right_shift(other)); }
    Derived & bitwise_right_shift_(Number other) { supported<0x0100>(); return wrote(dynamic().bitwise_right_shift_(other)); }

    /* select */
    auto masked_fill(const Operand<Derived> &mask, Number value) const { return plain(dynamic().masked_fill(mask, value)); }
    Derived & masked_fill_(const Operand<Derived> &mask, Number value) { return wrote(dynamic().masked_fill_(mask, value)); }
    auto masked_fill(const Operand<Derived> &mask, const Operand<Derived> &value) const { return plain(dynamic().masked_fill(mask, value)); }
    Derived & masked_fill_(const Operand<Derived> &mask, const Operand<Derived> &value) { return wrote(dynamic().masked_fill_(mask, value)); }

    /* index */
    Derived & setitem_(Indices index, const Operand<Derived> &source) { return wrote(dynamic().setitem_(index, source)); }
    Derived & setitem_(Indices index, Number value) { return wrote(dynamic().setitem_(index, value)); }
    Derived & setitem_(const char *index, const Operand<Derived> &source) { return wrote(dynamic().setitem_(index, source)); }
    Derived & setitem_(const char *index, Number value) { return wrote(dynamic().setitem_(index, value)); }
    auto index_put(Indices indices, const Operand<Derived> &values, bool accumulate = false) const { return plain(dynamic().index_put(indices, values, accumulate)); }
    Derived & index_put_(Indices indices, const Operand<Derived> &values, bool accumulate = false) { return wrote(dynamic().index_put_(indices, values, accumulate)); }
    auto index_select(int64_t dim, const Operand<Derived> &index) const { return plain(dynamic().index_select(dim, index)); }
    auto index_add(int64_t dim, const Operand<Derived> &index, const Operand<Derived> &source, Number alpha = 1) const { return plain(dynamic().index_add(dim, index, source, alpha)); }
    Derived & index_add_(int64_t dim, const Operand<Derived> &index, const Operand<Derived> &source, Number alpha = 1) { return wrote(dynamic().index_add_(dim, index, source, alpha)); }
    auto index_copy(int64_t dim, const Operand<Derived> &index, const Operand<Derived> &source) const { return plain(dynamic().index_copy(dim, index, source)); }
    Derived & index_copy_(int64_t dim, const Operand<Derived> &index, const Operand<Derived> &source) { return wrote(dynamic().index_copy_(dim, index, source)); }
    auto index_fill(int64_t dim, const Operand<Derived> &index, Number value) const { return plain(dynamic().index_fill(dim, index, value)); }
    Derived & index_fill_(int64_t dim, const Operand<Derived> &index, Number value) { return wrote(dynamic().index_fill_(dim, index, value)); }
    auto index_fill(int64_t dim, const Operand<Derived> &index, const Operand<Derived> &value) const { return plain(dynamic().index_fill(dim, index, value)); }
    Derived & index_fill_(int64_t dim, const Operand<Derived> &index, const Operand<Derived> &value) { return wrote(dynamic().index_fill_(dim, index, value)); }
    auto index_reduce(int64_t dim, const Operand<Derived> &index, const Operand<Derived> &source, const char *reduce, bool include_self = true) const { return plain(dynamic().index_reduce(dim, index, source, reduce, include_self)); }
    Derived & index_reduce_(int64_t dim, const Operand<Derived> &index, const Operand<Derived> &source, const char *reduce, bool include_self = true) { return wrote(dynamic().index_reduce_(dim, index, source, reduce, include_self)); }
    auto gather(int64_t dim, const Operand<Derived> &index) const { return plain(dynamic().gather(dim, index)); }
    auto take(const Operand<Derived> &index) const { return plain(dynamic().take(index)); }
    auto take_along_dim(const Operand<Derived> &indices, int64_t dim = TN_NONE) const { return plain(dynamic().take_along_dim(indices, dim)); }
    auto scatter(int64_t dim, const Operand<Derived> &index, const Operand<Derived> &src) const { return plain(dynamic().scatter(dim, index, src)); }
    Derived & scatter_(int64_t dim, const Operand<Derived> &index, const Operand<Derived> &src) { return wrote(dynamic().scatter_(dim, index, src)); }
    auto scatter(int64_t dim, const Operand<Derived> &index, Number value) const { return plain(dynamic().scatter(dim, index, value)); }
    Derived & scatter_(int64_t dim, const Operand<Derived> &index, Number value) { return wrote(dynamic().scatter_(dim, index, value)); }
    auto scatter(int64_t dim, const Operand<Derived> &index, const Operand<Derived> &src, const char *reduce) const { return plain(dynamic().scatter(dim, index, src, reduce)); }
    Derived & scatter_(int64_t dim, const Operand<Derived> &index, const Operand<Derived> &src, const char *reduce) { return wrote(dynamic().scatter_(dim, index, src, reduce)); }
    auto scatter(int64_t dim, const Operand<Derived> &index, Number value, const char *reduce) const { return plain(dynamic().scatter(dim, index, value, reduce)); }
    Derived & scatter_(int64_t dim, const Operand<Derived> &index, Number value, const char *reduce) { return wrote(dynamic().scatter_(dim, index, value, reduce)); }
    auto scatter_add(int64_t dim, const Operand<Derived> &index, const Operand<Derived> &src) const { return plain(dynamic().scatter_add(dim, index, src)); }
    Derived & scatter_add_(int64_t dim, const Operand<Derived> &index, const Operand<Derived> &src) { return wrote(dynamic().scatter_add_(dim, index, src)); }
    auto scatter_reduce(int64_t dim, const Operand<Derived> &index, const Operand<Derived> &src, const char *reduce, bool include_self = true) const { return plain(dynamic().scatter_reduce(dim, index, src, reduce, include_self)); }
    Derived & scatter_reduce_(int64_t dim, const Operand<Derived> &index, const Operand<Derived> &src, const char *reduce, bool include_self = true) { return wrote(dynamic().scatter_reduce_(dim, index, src, reduce, include_self)); }
    auto put(const Operand<Derived> &index, const Operand<Derived> &source, bool accumulate = false) const { return plain(dynamic().put(index, source, accumulate)); }
    Derived & put_(const Operand<Derived> &index, const Operand<Derived> &source, bool accumulate = false) { return wrote(dynamic().put_(index, source, accumulate)); }
    auto masked_select(const Operand<Derived> &mask) const { return plain(dynamic().masked_select(mask)); }
    auto masked_scatter(const Operand<Derived> &mask, const Operand<Derived> &source) const { return plain(dynamic().masked_scatter(mask, source)); }
    Derived & masked_scatter_(const Operand<Derived> &mask, const Operand<Derived> &source) { return wrote(dynamic().masked_scatter_(mask, source)); }
    auto select_scatter(const Operand<Derived> &src, int64_t dim, int64_t index) const { return plain(dynamic().select_scatter(src, dim, index)); }
    auto slice_scatter(const Operand<Derived> &src, int64_t dim = 0, int64_t start = TN_NONE, int64_t end = TN_NONE, int64_t step = 1) const { return plain(dynamic().slice_scatter(src, dim, start, end, step)); }
    auto diagonal_scatter(const Operand<Derived> &src, int64_t offset = 0, int64_t dim1 = 0, int64_t dim2 = 1) const { return plain(dynamic().diagonal_scatter(src, offset, dim1, dim2)); }
    auto as_strided_scatter(const Operand<Derived> &src, Dims size, Dims stride, int64_t storage_offset = TN_NONE) const { return plain(dynamic().as_strided_scatter(src, size, stride, storage_offset)); }
    auto embedding(const Operand<Derived> &indices, int64_t padding_idx = -1, bool scale_grad_by_freq = false, bool sparse = false) const { return plain(dynamic().embedding(indices, padding_idx, scale_grad_by_freq, sparse)); }
    auto one_hot(int64_t num_classes = -1) const { return typed<rules::Index>(dynamic().one_hot(num_classes)); }

    /* sort */
    auto sort(int64_t dim = -1, bool descending = false) const { return pair(dynamic().sort(dim, descending)); }
    auto sort_stable(bool stable, int64_t dim = -1, bool descending = false) const { return pair(dynamic().sort_stable(stable, dim, descending)); }
    auto argsort(int64_t dim = -1, bool descending = false) const { return typed<rules::Index>(dynamic().argsort(dim, descending)); }
    auto argsort_stable(bool stable, int64_t dim = -1, bool descending = false) const { return typed<rules::Index>(dynamic().argsort_stable(stable, dim, descending)); }
    auto msort() const { return typed<rules::Same>(dynamic().msort()); }
    auto topk(int64_t k, int64_t dim = -1, bool largest = true, bool sorted = true) const { return pair(dynamic().topk(k, dim, largest, sorted)); }
    auto kthvalue(int64_t k, int64_t dim = -1, bool keepdim = false) const { return pair(dynamic().kthvalue(k, dim, keepdim)); }
    auto median() const { return typed<rules::Same>(dynamic().median()); }
    auto median(int64_t dim, bool keepdim = false) const { return pair(dynamic().median(dim, keepdim)); }
    auto nanmedian() const { return typed<rules::Same>(dynamic().nanmedian()); }
    auto nanmedian(int64_t dim, bool keepdim = false) const { return pair(dynamic().nanmedian(dim, keepdim)); }
    auto mode(int64_t dim = -1, bool keepdim = false) const { return pair(dynamic().mode(dim, keepdim)); }
    auto quantile(const Operand<Derived> &q, int64_t dim = TN_NONE, bool keepdim = false, const char *interpolation = "linear") const { return plain(dynamic().quantile(q, dim, keepdim, interpolation)); }
    auto quantile(double q, int64_t dim = TN_NONE, bool keepdim = false, const char *interpolation = "linear") const { return typed<rules::Same>(dynamic().quantile(q, dim, keepdim, interpolation)); }
    auto nanquantile(const Operand<Derived> &q, int64_t dim = TN_NONE, bool keepdim = false, const char *interpolation = "linear") const { return plain(dynamic().nanquantile(q, dim, keepdim, interpolation)); }
    auto nanquantile(double q, int64_t dim = TN_NONE, bool keepdim = false, const char *interpolation = "linear") const { return typed<rules::Same>(dynamic().nanquantile(q, dim, keepdim, interpolation)); }
    auto unique() const { return typed<rules::Same>(dynamic().unique()); }
    auto unique_options(bool sorted = true, bool return_inverse = false, bool return_counts = false, int64_t dim = TN_NONE) const { return plain(dynamic().unique_options(sorted, return_inverse, return_counts, dim)); }
    auto unique_consecutive() const { return typed<rules::Same>(dynamic().unique_consecutive()); }
    auto unique_consecutive_options(bool return_inverse = false, bool return_counts = false, int64_t dim = TN_NONE) const { return plain(dynamic().unique_consecutive_options(return_inverse, return_counts, dim)); }

    /* search */
    auto searchsorted(const Operand<Derived> &input, bool out_int32 = false, bool right = false, const char *side = "none", const Operand<Derived> &sorter = {}) const { return typed<rules::Index>(dynamic().searchsorted(input, out_int32, right, side, sorter)); }
    auto searchsorted(Number input, bool out_int32 = false, bool right = false, const char *side = "none", const Operand<Derived> &sorter = {}) const { return typed<rules::Index>(dynamic().searchsorted(input, out_int32, right, side, sorter)); }
    auto bucketize(const Operand<Derived> &boundaries, bool out_int32 = false, bool right = false) const { return typed<rules::Index>(dynamic().bucketize(boundaries, out_int32, right)); }
    auto isin(const Operand<Derived> &test_elements, bool assume_unique = false, bool invert = false) const { return typed<rules::Bool>(dynamic().isin(test_elements, assume_unique, invert)); }
    auto isin(Number test_element, bool assume_unique = false, bool invert = false) const { return typed<rules::Bool>(dynamic().isin(test_element, assume_unique, invert)); }
    auto nonzero() const { return typed<rules::Index>(dynamic().nonzero()); }
    auto nonzero_static(int64_t size, int64_t fill_value = -1) const { return typed<rules::Same>(dynamic().nonzero_static(size, fill_value)); }
    auto unravel_index(Dims shape) const { return plain(dynamic().unravel_index(shape)); }
    auto nonzero_numpy() const { return plain(dynamic().nonzero_numpy()); }
    auto argwhere() const { return typed<rules::Index>(dynamic().argwhere()); }
    auto histc(int64_t bins = 100, Number min = 0, Number max = 0) const { return typed<rules::Same>(dynamic().histc(bins, min, max)); }
    auto histogram(int64_t bins = 100, const Operand<Derived> &weight = {}, bool density = false) const { return plain(dynamic().histogram(bins, weight, density)); }
    auto histogram(int64_t bins, Floats range, const Operand<Derived> &weight = {}, bool density = false) const { return plain(dynamic().histogram(bins, range, weight, density)); }
    auto histogram(const Operand<Derived> &bins, const Operand<Derived> &weight = {}, bool density = false) const { return plain(dynamic().histogram(bins, weight, density)); }
    auto histogramdd(Dims bins, Floats range, const Operand<Derived> &weight = {}, bool density = false) const { return plain(dynamic().histogramdd(bins, range, weight, density)); }
    auto histogramdd(TensorList bins, const Operand<Derived> &weight = {}, bool density = false) const { return plain(dynamic().histogramdd(bins, weight, density)); }
    auto bincount(const Operand<Derived> &weights = {}, int64_t minlength = 0) const { return plain(dynamic().bincount(weights, minlength)); }

    /* softmax */
    auto softmax(int64_t dim) const { return typed<rules::Same>(dynamic().softmax(dim)); }
    auto softmax(int64_t dim, tn_dtype dtype) const { return plain(dynamic().softmax(dim, dtype)); }
    auto log_softmax(int64_t dim) const { return typed<rules::Same>(dynamic().log_softmax(dim)); }
    auto log_softmax(int64_t dim, tn_dtype dtype) const { return plain(dynamic().log_softmax(dim, dtype)); }
    auto _softmax_backward_data(const Operand<Derived> &output, int64_t dim) const { return typed<rules::Same>(dynamic()._softmax_backward_data(output, dim)); }
    auto _softmax_backward_data(const Operand<Derived> &output, int64_t dim, tn_dtype input_dtype) const { return plain(dynamic()._softmax_backward_data(output, dim, input_dtype)); }
    auto _log_softmax_backward_data(const Operand<Derived> &output, int64_t dim) const { return typed<rules::Same>(dynamic()._log_softmax_backward_data(output, dim)); }
    auto _log_softmax_backward_data(const Operand<Derived> &output, int64_t dim, tn_dtype input_dtype) const { return plain(dynamic()._log_softmax_backward_data(output, dim, input_dtype)); }
    auto softmin(int64_t dim) const { return typed<rules::Same>(dynamic().softmin(dim)); }
    auto softmin(int64_t dim, tn_dtype dtype) const { return plain(dynamic().softmin(dim, dtype)); }
    auto _softmax(int64_t dim, bool half_to_float) const { return typed<rules::Same>(dynamic()._softmax(dim, half_to_float)); }
    auto _log_softmax(int64_t dim, bool half_to_float) const { return typed<rules::Same>(dynamic()._log_softmax(dim, half_to_float)); }
    auto layer_norm(Dims normalized_shape, const Operand<Derived> &weight = {}, const Operand<Derived> &bias = {}, double eps = 0.00001) const { return typed<rules::Same>(dynamic().layer_norm(normalized_shape, weight, bias, eps)); }
    auto rms_norm(Dims normalized_shape, const Operand<Derived> &weight = {}, Number eps = Number::none()) const { return typed<rules::Same>(dynamic().rms_norm(normalized_shape, weight, eps)); }
    auto normalize(double p = 2, int64_t dim = 1, double eps = 0.000000000001) const { return typed<rules::Same>(dynamic().normalize(p, dim, eps)); }

    /* pooling */
    auto max_pool1d(Dims kernel_size, Dims stride = Dims(), Dims padding = Dims(), Dims dilation = Dims(), bool ceil_mode = false) const { return typed<rules::Same>(dynamic().max_pool1d(kernel_size, stride, padding, dilation, ceil_mode)); }
    auto max_pool2d(Dims kernel_size, Dims stride = Dims(), Dims padding = Dims(), Dims dilation = Dims(), bool ceil_mode = false) const { return typed<rules::Same>(dynamic().max_pool2d(kernel_size, stride, padding, dilation, ceil_mode)); }
    auto max_pool3d(Dims kernel_size, Dims stride = Dims(), Dims padding = Dims(), Dims dilation = Dims(), bool ceil_mode = false) const { return typed<rules::Same>(dynamic().max_pool3d(kernel_size, stride, padding, dilation, ceil_mode)); }
    auto max_pool1d_with_indices(Dims kernel_size, Dims stride = Dims(), Dims padding = Dims(), Dims dilation = Dims(), bool ceil_mode = false) const { return pair(dynamic().max_pool1d_with_indices(kernel_size, stride, padding, dilation, ceil_mode)); }
    auto max_pool2d_with_indices(Dims kernel_size, Dims stride = Dims(), Dims padding = Dims(), Dims dilation = Dims(), bool ceil_mode = false) const { return pair(dynamic().max_pool2d_with_indices(kernel_size, stride, padding, dilation, ceil_mode)); }
    auto max_pool3d_with_indices(Dims kernel_size, Dims stride = Dims(), Dims padding = Dims(), Dims dilation = Dims(), bool ceil_mode = false) const { return pair(dynamic().max_pool3d_with_indices(kernel_size, stride, padding, dilation, ceil_mode)); }
    auto max_pool2d_with_indices_backward(const Operand<Derived> &self, Dims kernel_size, Dims stride, Dims padding, Dims dilation, bool ceil_mode, const Operand<Derived> &indices) const { return typed<rules::Same>(dynamic().max_pool2d_with_indices_backward(self, kernel_size, stride, padding, dilation, ceil_mode, indices)); }
    auto max_pool3d_with_indices_backward(const Operand<Derived> &self, Dims kernel_size, Dims stride, Dims padding, Dims dilation, bool ceil_mode, const Operand<Derived> &indices) const { return typed<rules::Same>(dynamic().max_pool3d_with_indices_backward(self, kernel_size, stride, padding, dilation, ceil_mode, indices)); }
    auto avg_pool1d(Dims kernel_size, Dims stride = Dims(), Dims padding = Dims(), bool ceil_mode = false, bool count_include_pad = true) const { return typed<rules::Same>(dynamic().avg_pool1d(kernel_size, stride, padding, ceil_mode, count_include_pad)); }
    auto avg_pool2d(Dims kernel_size, Dims stride = Dims(), Dims padding = Dims(), bool ceil_mode = false, bool count_include_pad = true, int64_t divisor_override = TN_NONE) const { return typed<rules::Same>(dynamic().avg_pool2d(kernel_size, stride, padding, ceil_mode, count_include_pad, divisor_override)); }
    auto avg_pool3d(Dims kernel_size, Dims stride = Dims(), Dims padding = Dims(), bool ceil_mode = false, bool count_include_pad = true, int64_t divisor_override = TN_NONE) const { return typed<rules::Same>(dynamic().avg_pool3d(kernel_size, stride, padding, ceil_mode, count_include_pad, divisor_override)); }
    auto avg_pool2d_backward(const Operand<Derived> &self, Dims kernel_size, Dims stride, Dims padding, bool ceil_mode, bool count_include_pad, int64_t divisor_override = TN_NONE) const { return typed<rules::Same>(dynamic().avg_pool2d_backward(self, kernel_size, stride, padding, ceil_mode, count_include_pad, divisor_override)); }
    auto avg_pool3d_backward(const Operand<Derived> &self, Dims kernel_size, Dims stride, Dims padding, bool ceil_mode, bool count_include_pad, int64_t divisor_override = TN_NONE) const { return typed<rules::Same>(dynamic().avg_pool3d_backward(self, kernel_size, stride, padding, ceil_mode, count_include_pad, divisor_override)); }
    auto lp_pool1d(double norm_type, Dims kernel_size, Dims stride = Dims(), bool ceil_mode = false) const { return typed<rules::Same>(dynamic().lp_pool1d(norm_type, kernel_size, stride, ceil_mode)); }
    auto lp_pool2d(double norm_type, Dims kernel_size, Dims stride = Dims(), bool ceil_mode = false) const { return typed<rules::Same>(dynamic().lp_pool2d(norm_type, kernel_size, stride, ceil_mode)); }
    auto lp_pool3d(double norm_type, Dims kernel_size, Dims stride = Dims(), bool ceil_mode = false) const { return typed<rules::Same>(dynamic().lp_pool3d(norm_type, kernel_size, stride, ceil_mode)); }
    auto adaptive_avg_pool1d(Dims output_size) const { return typed<rules::Same>(dynamic().adaptive_avg_pool1d(output_size)); }
    auto adaptive_avg_pool2d(Dims output_size) const { return typed<rules::Same>(dynamic().adaptive_avg_pool2d(output_size)); }
    auto adaptive_avg_pool3d(Dims output_size) const { return typed<rules::Same>(dynamic().adaptive_avg_pool3d(output_size)); }
    auto _adaptive_avg_pool2d(Dims output_size) const { return typed<rules::Same>(dynamic()._adaptive_avg_pool2d(output_size)); }
    auto _adaptive_avg_pool3d(Dims output_size) const { return typed<rules::Same>(dynamic()._adaptive_avg_pool3d(output_size)); }
    auto _adaptive_avg_pool2d_backward(const Operand<Derived> &self) const { return typed<rules::Same>(dynamic()._adaptive_avg_pool2d_backward(self)); }
    auto _adaptive_avg_pool3d_backward(const Operand<Derived> &self) const { return typed<rules::Same>(dynamic()._adaptive_avg_pool3d_backward(self)); }
    auto adaptive_max_pool1d(Dims output_size) const { return pair(dynamic().adaptive_max_pool1d(output_size)); }
    auto adaptive_max_pool2d(Dims output_size) const { return pair(dynamic().adaptive_max_pool2d(output_size)); }
    auto adaptive_max_pool3d(Dims output_size) const { return pair(dynamic().adaptive_max_pool3d(output_size)); }
    auto adaptive_max_pool2d_backward(const Operand<Derived> &self, const Operand<Derived> &indices) const { return typed<rules::Same>(dynamic().adaptive_max_pool2d_backward(self, indices)); }
    auto adaptive_max_pool3d_backward(const Operand<Derived> &self, const Operand<Derived> &indices) const { return typed<rules::Same>(dynamic().adaptive_max_pool3d_backward(self, indices)); }
    auto fractional_max_pool2d(Dims kernel_size, Dims output_size, const Operand<Derived> &random_samples) const { return pair(dynamic().fractional_max_pool2d(kernel_size, output_size, random_samples)); }
    auto fractional_max_pool3d(Dims kernel_size, Dims output_size, const Operand<Derived> &random_samples) const { return pair(dynamic().fractional_max_pool3d(kernel_size, output_size, random_samples)); }
    auto fractional_max_pool2d_backward(const Operand<Derived> &self, Dims kernel_size, Dims output_size, const Operand<Derived> &indices) const { return typed<rules::Same>(dynamic().fractional_max_pool2d_backward(self, kernel_size, output_size, indices)); }
    auto fractional_max_pool3d_backward(const Operand<Derived> &self, Dims kernel_size, Dims output_size, const Operand<Derived> &indices) const { return typed<rules::Same>(dynamic().fractional_max_pool3d_backward(self, kernel_size, output_size, indices)); }
    auto max_unpool2d(const Operand<Derived> &indices, Dims output_size) const { return typed<rules::Same>(dynamic().max_unpool2d(indices, output_size)); }
    auto max_unpool3d(const Operand<Derived> &indices, Dims output_size, Dims stride, Dims padding) const { return typed<rules::Same>(dynamic().max_unpool3d(indices, output_size, stride, padding)); }

    /* norms */
    auto native_layer_norm(Dims normalized_shape, const Operand<Derived> &weight, const Operand<Derived> &bias, double eps) const { return plain(dynamic().native_layer_norm(normalized_shape, weight, bias, eps)); }
    auto native_group_norm(const Operand<Derived> &weight, const Operand<Derived> &bias, int64_t N, int64_t C, int64_t HxW, int64_t group, double eps) const { return plain(dynamic().native_group_norm(weight, bias, N, C, HxW, group, eps)); }
    auto group_norm(int64_t num_groups, const Operand<Derived> &weight = {}, const Operand<Derived> &bias = {}, double eps = 0.00001, bool cudnn_enabled = true) const { return typed<rules::Same>(dynamic().group_norm(num_groups, weight, bias, eps, cudnn_enabled)); }
    auto _batch_norm_training(const Operand<Derived> &weight, const Operand<Derived> &bias, double eps) const { return plain(dynamic()._batch_norm_training(weight, bias, eps)); }
    auto _native_batch_norm_legit_no_training(const Operand<Derived> &weight, const Operand<Derived> &bias, const Operand<Derived> &running_mean, const Operand<Derived> &running_var, double momentum, double eps) const { return plain(dynamic()._native_batch_norm_legit_no_training(weight, bias, running_mean, running_var, momentum, eps)); }
    auto _native_batch_norm_legit(const Operand<Derived> &weight, const Operand<Derived> &bias, AnyTensor &running_mean, AnyTensor &running_var, bool training, double momentum, double eps) const { return plain(dynamic()._native_batch_norm_legit(weight, bias, running_mean, running_var, training, momentum, eps)); }
    auto _native_batch_norm_legit(const Operand<Derived> &weight, const Operand<Derived> &bias, bool training, double momentum, double eps) const { return plain(dynamic()._native_batch_norm_legit(weight, bias, training, momentum, eps)); }
    auto native_batch_norm(const Operand<Derived> &weight, const Operand<Derived> &bias, const Operand<Derived> &running_mean, const Operand<Derived> &running_var, bool training, double momentum, double eps) const { return plain(dynamic().native_batch_norm(weight, bias, running_mean, running_var, training, momentum, eps)); }
    auto batch_norm(const Operand<Derived> &weight, const Operand<Derived> &bias, const Operand<Derived> &running_mean, const Operand<Derived> &running_var, bool training, double momentum, double eps, bool cudnn_enabled = true) const { return typed<rules::Same>(dynamic().batch_norm(weight, bias, running_mean, running_var, training, momentum, eps, cudnn_enabled)); }
    auto instance_norm(const Operand<Derived> &weight, const Operand<Derived> &bias, const Operand<Derived> &running_mean, const Operand<Derived> &running_var, bool use_input_stats, double momentum, double eps, bool cudnn_enabled = true) const { return typed<rules::Same>(dynamic().instance_norm(weight, bias, running_mean, running_var, use_input_stats, momentum, eps, cudnn_enabled)); }
    auto local_response_norm(int64_t size, double alpha = 0.0001, double beta = 0.75, double k = 1) const { return typed<rules::Same>(dynamic().local_response_norm(size, alpha, beta, k)); }
    auto native_layer_norm_backward(const Operand<Derived> &input, Dims normalized_shape, const Operand<Derived> &mean, const Operand<Derived> &rstd, const Operand<Derived> &weight, const Operand<Derived> &bias, Dims output_mask) const { return plain(dynamic().native_layer_norm_backward(input, normalized_shape, mean, rstd, weight, bias, output_mask)); }
    auto _layer_norm_backward(const Operand<Derived> &input, Dims normalized_shape, const Operand<Derived> &weight, double eps, bool centred, Dims output_mask) const { return plain(dynamic()._layer_norm_backward(input, normalized_shape, weight, eps, centred, output_mask)); }
    auto native_group_norm_backward(const Operand<Derived> &input, const Operand<Derived> &mean, const Operand<Derived> &rstd, const Operand<Derived> &weight, int64_t N, int64_t C, int64_t HxW, int64_t group, Dims output_mask) const { return plain(dynamic().native_group_norm_backward(input, mean, rstd, weight, N, C, HxW, group, output_mask)); }
    auto native_batch_norm_backward(const Operand<Derived> &input, const Operand<Derived> &weight, const Operand<Derived> &running_mean, const Operand<Derived> &running_var, const Operand<Derived> &save_mean, const Operand<Derived> &save_invstd, bool train, double eps, Dims output_mask) const { return plain(dynamic().native_batch_norm_backward(input, weight, running_mean, running_var, save_mean, save_invstd, train, eps, output_mask)); }

    /* resampling */
    auto upsample_nearest1d(Dims output_size, Number scales = Number::none()) const { return typed<rules::Same>(dynamic().upsample_nearest1d(output_size, scales)); }
    auto upsample_nearest2d(Dims output_size, Number scales_h = Number::none(), Number scales_w = Number::none()) const { return typed<rules::Same>(dynamic().upsample_nearest2d(output_size, scales_h, scales_w)); }
    auto upsample_nearest3d(Dims output_size, Number scales_d = Number::none(), Number scales_h = Number::none(), Number scales_w = Number::none()) const { return typed<rules::Same>(dynamic().upsample_nearest3d(output_size, scales_d, scales_h, scales_w)); }
    auto _upsample_nearest_exact1d(Dims output_size, Number scales = Number::none()) const { return typed<rules::Same>(dynamic()._upsample_nearest_exact1d(output_size, scales)); }
    auto _upsample_nearest_exact2d(Dims output_size, Number scales_h = Number::none(), Number scales_w = Number::none()) const { return typed<rules::Same>(dynamic()._upsample_nearest_exact2d(output_size, scales_h, scales_w)); }
    auto _upsample_nearest_exact3d(Dims output_size, Number scales_d = Number::none(), Number scales_h = Number::none(), Number scales_w = Number::none()) const { return typed<rules::Same>(dynamic()._upsample_nearest_exact3d(output_size, scales_d, scales_h, scales_w)); }
    auto upsample_linear1d(Dims output_size, bool align_corners, Number scales = Number::none()) const { return typed<rules::Same>(dynamic().upsample_linear1d(output_size, align_corners, scales)); }
    auto upsample_bilinear2d(Dims output_size, bool align_corners, Number scales_h = Number::none(), Number scales_w = Number::none()) const { return typed<rules::Same>(dynamic().upsample_bilinear2d(output_size, align_corners, scales_h, scales_w)); }
    auto upsample_trilinear3d(Dims output_size, bool align_corners, Number scales_d = Number::none(), Number scales_h = Number::none(), Number scales_w = Number::none()) const { return typed<rules::Same>(dynamic().upsample_trilinear3d(output_size, align_corners, scales_d, scales_h, scales_w)); }
    auto upsample_bicubic2d(Dims output_size, bool align_corners, Number scales_h = Number::none(), Number scales_w = Number::none()) const { return typed<rules::Same>(dynamic().upsample_bicubic2d(output_size, align_corners, scales_h, scales_w)); }
    auto _upsample_bilinear2d_aa(Dims output_size, bool align_corners, Number scales_h = Number::none(), Number scales_w = Number::none()) const { return typed<rules::Same>(dynamic()._upsample_bilinear2d_aa(output_size, align_corners, scales_h, scales_w)); }
    auto _upsample_bicubic2d_aa(Dims output_size, bool align_corners, Number scales_h = Number::none(), Number scales_w = Number::none()) const { return typed<rules::Same>(dynamic()._upsample_bicubic2d_aa(output_size, align_corners, scales_h, scales_w)); }
    auto upsample_nearest1d_backward(Dims output_size, Dims input_size, Number scales = Number::none()) const { return typed<rules::Same>(dynamic().upsample_nearest1d_backward(output_size, input_size, scales)); }
    auto upsample_nearest2d_backward(Dims output_size, Dims input_size, Number scales_h = Number::none(), Number scales_w = Number::none()) const { return typed<rules::Same>(dynamic().upsample_nearest2d_backward(output_size, input_size, scales_h, scales_w)); }
    auto upsample_nearest3d_backward(Dims output_size, Dims input_size, Number scales_d = Number::none(), Number scales_h = Number::none(), Number scales_w = Number::none()) const { return typed<rules::Same>(dynamic().upsample_nearest3d_backward(output_size, input_size, scales_d, scales_h, scales_w)); }
    auto _upsample_nearest_exact1d_backward(Dims output_size, Dims input_size, Number scales = Number::none()) const { return typed<rules::Same>(dynamic()._upsample_nearest_exact1d_backward(output_size, input_size, scales)); }
    auto _upsample_nearest_exact2d_backward(Dims output_size, Dims input_size, Number scales_h = Number::none(), Number scales_w = Number::none()) const { return typed<rules::Same>(dynamic()._upsample_nearest_exact2d_backward(output_size, input_size, scales_h, scales_w)); }
    auto _upsample_nearest_exact3d_backward(Dims output_size, Dims input_size, Number scales_d = Number::none(), Number scales_h = Number::none(), Number scales_w = Number::none()) const { return typed<rules::Same>(dynamic()._upsample_nearest_exact3d_backward(output_size, input_size, scales_d, scales_h, scales_w)); }
    auto upsample_linear1d_backward(Dims output_size, Dims input_size, bool align_corners, Number scales = Number::none()) const { return typed<rules::Same>(dynamic().upsample_linear1d_backward(output_size, input_size, align_corners, scales)); }
    auto upsample_bilinear2d_backward(Dims output_size, Dims input_size, bool align_corners, Number scales_h = Number::none(), Number scales_w = Number::none()) const { return typed<rules::Same>(dynamic().upsample_bilinear2d_backward(output_size, input_size, align_corners, scales_h, scales_w)); }
    auto upsample_trilinear3d_backward(Dims output_size, Dims input_size, bool align_corners, Number scales_d = Number::none(), Number scales_h = Number::none(), Number scales_w = Number::none()) const { return typed<rules::Same>(dynamic().upsample_trilinear3d_backward(output_size, input_size, align_corners, scales_d, scales_h, scales_w)); }
    auto upsample_bicubic2d_backward(Dims output_size, Dims input_size, bool align_corners, Number scales_h = Number::none(), Number scales_w = Number::none()) const { return typed<rules::Same>(dynamic().upsample_bicubic2d_backward(output_size, input_size, align_corners, scales_h, scales_w)); }
    auto _upsample_bilinear2d_aa_backward(Dims output_size, Dims input_size, bool align_corners, Number scales_h = Number::none(), Number scales_w = Number::none()) const { return typed<rules::Same>(dynamic()._upsample_bilinear2d_aa_backward(output_size, input_size, align_corners, scales_h, scales_w)); }
    auto _upsample_bicubic2d_aa_backward(Dims output_size, Dims input_size, bool align_corners, Number scales_h = Number::none(), Number scales_w = Number::none()) const { return typed<rules::Same>(dynamic()._upsample_bicubic2d_aa_backward(output_size, input_size, align_corners, scales_h, scales_w)); }
    auto grid_sampler_2d(const Operand<Derived> &grid, int64_t interpolation_mode, int64_t padding_mode, bool align_corners) const { return typed<rules::Same>(dynamic().grid_sampler_2d(grid, interpolation_mode, padding_mode, align_corners)); }
    auto grid_sampler_3d(const Operand<Derived> &grid, int64_t interpolation_mode, int64_t padding_mode, bool align_corners) const { return typed<rules::Same>(dynamic().grid_sampler_3d(grid, interpolation_mode, padding_mode, align_corners)); }
    auto grid_sampler(const Operand<Derived> &grid, int64_t interpolation_mode, int64_t padding_mode, bool align_corners) const { return typed<rules::Same>(dynamic().grid_sampler(grid, interpolation_mode, padding_mode, align_corners)); }
    auto grid_sampler_2d_backward(const Operand<Derived> &input, const Operand<Derived> &grid, int64_t interpolation_mode, int64_t padding_mode, bool align_corners, Dims output_mask) const { return plain(dynamic().grid_sampler_2d_backward(input, grid, interpolation_mode, padding_mode, align_corners, output_mask)); }
    auto grid_sampler_3d_backward(const Operand<Derived> &input, const Operand<Derived> &grid, int64_t interpolation_mode, int64_t padding_mode, bool align_corners, Dims output_mask) const { return plain(dynamic().grid_sampler_3d_backward(input, grid, interpolation_mode, padding_mode, align_corners, output_mask)); }
    auto affine_grid_generator(Dims size, bool align_corners) const { return typed<rules::Same>(dynamic().affine_grid_generator(size, align_corners)); }
    auto pixel_shuffle(int64_t upscale_factor) const { return typed<rules::Same>(dynamic().pixel_shuffle(upscale_factor)); }
    auto pixel_unshuffle(int64_t downscale_factor) const { return typed<rules::Same>(dynamic().pixel_unshuffle(downscale_factor)); }
    auto channel_shuffle(int64_t groups) const { return typed<rules::Same>(dynamic().channel_shuffle(groups)); }
    auto native_channel_shuffle(int64_t groups) const { return typed<rules::Same>(dynamic().native_channel_shuffle(groups)); }

    /* product */
    auto matmul(const Operand<Derived> &other) const { return typed<rules::Same>(dynamic().matmul(other)); }
    auto linalg_matmul(const Operand<Derived> &other) const { return typed<rules::Same>(dynamic().linalg_matmul(other)); }
    auto mm(const Operand<Derived> &mat2) const { return typed<rules::Same>(dynamic().mm(mat2)); }
    auto mm(const Operand<Derived> &mat2, tn_dtype out_dtype) const { return plain(dynamic().mm(mat2, out_dtype)); }
    auto bmm(const Operand<Derived> &mat2) const { return typed<rules::Same>(dynamic().bmm(mat2)); }
    auto bmm(const Operand<Derived> &mat2, tn_dtype out_dtype) const { return plain(dynamic().bmm(mat2, out_dtype)); }
    auto mv(const Operand<Derived> &vec) const { return typed<rules::Same>(dynamic().mv(vec)); }
    auto vdot(const Operand<Derived> &other) const { return typed<rules::Same>(dynamic().vdot(other)); }
    auto inner(const Operand<Derived> &other) const { return typed<rules::Same>(dynamic().inner(other)); }
    auto linalg_vecdot(const Operand<Derived> &y, int64_t dim = -1) const { return typed<rules::Same>(dynamic().linalg_vecdot(y, dim)); }
    auto addmm(const Operand<Derived> &mat1, const Operand<Derived> &mat2, Number beta = 1, Number alpha = 1) const { return typed<rules::Same>(dynamic().addmm(mat1, mat2, beta, alpha)); }
    Derived & addmm_(const Operand<Derived> &mat1, const Operand<Derived> &mat2, Number beta = 1, Number alpha = 1) { return wrote(dynamic().addmm_(mat1, mat2, beta, alpha)); }
    auto addmv(const Operand<Derived> &mat, const Operand<Derived> &vec, Number beta = 1, Number alpha = 1) const { return typed<rules::Same>(dynamic().addmv(mat, vec, beta, alpha)); }
    Derived & addmv_(const Operand<Derived> &mat, const Operand<Derived> &vec, Number beta = 1, Number alpha = 1) { return wrote(dynamic().addmv_(mat, vec, beta, alpha)); }
    auto baddbmm(const Operand<Derived> &batch1, const Operand<Derived> &batch2, Number beta = 1, Number alpha = 1) const { return typed<rules::Same>(dynamic().baddbmm(batch1, batch2, beta, alpha)); }
    Derived & baddbmm_(const Operand<Derived> &batch1, const Operand<Derived> &batch2, Number beta = 1, Number alpha = 1) { return wrote(dynamic().baddbmm_(batch1, batch2, beta, alpha)); }
    auto addbmm(const Operand<Derived> &batch1, const Operand<Derived> &batch2, Number beta = 1, Number alpha = 1) const { return typed<rules::Same>(dynamic().addbmm(batch1, batch2, beta, alpha)); }
    Derived & addbmm_(const Operand<Derived> &batch1, const Operand<Derived> &batch2, Number beta = 1, Number alpha = 1) { return wrote(dynamic().addbmm_(batch1, batch2, beta, alpha)); }
    auto addr(const Operand<Derived> &vec1, const Operand<Derived> &vec2, Number beta = 1, Number alpha = 1) const { return typed<rules::Same>(dynamic().addr(vec1, vec2, beta, alpha)); }
    Derived & addr_(const Operand<Derived> &vec1, const Operand<Derived> &vec2, Number beta = 1, Number alpha = 1) { return wrote(dynamic().addr_(vec1, vec2, beta, alpha)); }
    auto _addmm_activation(const Operand<Derived> &mat1, const Operand<Derived> &mat2, Number beta = 1, Number alpha = 1, bool use_gelu = false) const { return typed<rules::Same>(dynamic()._addmm_activation(mat1, mat2, beta, alpha, use_gelu)); }
    auto linear(const Operand<Derived> &weight, const Operand<Derived> &bias = {}) const { return typed<rules::Same>(dynamic().linear(weight, bias)); }
    auto linear_fused(const Operand<Derived> &weight, const Operand<Derived> &bias = {}, const char *activation = "none", const Operand<Derived> &residual = {}, Number scale = 1) const { return typed<rules::Same>(dynamic().linear_fused(weight, bias, activation, residual, scale)); }
    auto bilinear(const Operand<Derived> &input2, const Operand<Derived> &weight, const Operand<Derived> &bias = {}) const { return typed<rules::Same>(dynamic().bilinear(input2, weight, bias)); }
    auto linalg_matrix_power(int64_t n) const { return typed<rules::Same>(dynamic().linalg_matrix_power(n)); }
    auto matrix_power(int64_t n) const { return typed<rules::Same>(dynamic().matrix_power(n)); }
    auto trace() const { return typed<rules::Sum>(dynamic().trace()); }
    auto _int_mm(const Operand<Derived> &mat2) const { return typed<rules::Same>(dynamic()._int_mm(mat2)); }
    auto _weight_int8pack_mm(const Operand<Derived> &mat2, const Operand<Derived> &scales) const { return typed<rules::Same>(dynamic()._weight_int8pack_mm(mat2, scales)); }
    auto _scaled_mm(const Operand<Derived> &mat2, const Operand<Derived> &scale_a, const Operand<Derived> &scale_b, const Operand<Derived> &bias = {}, const Operand<Derived> &scale_result = {}, tn_dtype out_dtype = TN_DTYPE_DEFAULT, bool use_fast_accum = false) const { return plain(dynamic()._scaled_mm(mat2, scale_a, scale_b, bias, scale_result, out_dtype, use_fast_accum)); }
    auto sumproduct(const Operand<Derived> &other, Dims dim, bool keepdim = false) const { return typed<rules::Same>(dynamic().sumproduct(other, dim, keepdim)); }
    auto tensordot(const Operand<Derived> &other, Dims dims_self, Dims dims_other) const { return typed<rules::Same>(dynamic().tensordot(other, dims_self, dims_other)); }
    auto tensordot(const Operand<Derived> &other, int64_t dims = 2) const { return typed<rules::Same>(dynamic().tensordot(other, dims)); }

    /* attention */
    auto scaled_dot_product_attention(const Operand<Derived> &key, const Operand<Derived> &value, const Operand<Derived> &attn_mask = {}, double dropout_p = 0, bool is_causal = false, Number scale = Number::none(), bool enable_gqa = false, tn_generator *generator = nullptr) const { return plain(dynamic().scaled_dot_product_attention(key, value, attn_mask, dropout_p, is_causal, scale, enable_gqa, generator)); }
    auto _scaled_dot_product_attention_forward(const Operand<Derived> &key, const Operand<Derived> &value, const Operand<Derived> &attn_mask = {}, const Operand<Derived> &kept = {}, double dropout_p = 0, bool is_causal = false, Number scale = Number::none(), bool enable_gqa = false) const { return plain(dynamic()._scaled_dot_product_attention_forward(key, value, attn_mask, kept, dropout_p, is_causal, scale, enable_gqa)); }
    auto _scaled_dot_product_attention_backward(const Operand<Derived> &query, const Operand<Derived> &key, const Operand<Derived> &value, const Operand<Derived> &output, const Operand<Derived> &logsumexp, const Operand<Derived> &attn_mask = {}, const Operand<Derived> &kept = {}, double dropout_p = 0, bool is_causal = false, Number scale = Number::none(), bool enable_gqa = false) const { return plain(dynamic()._scaled_dot_product_attention_backward(query, key, value, output, logsumexp, attn_mask, kept, dropout_p, is_causal, scale, enable_gqa)); }
    auto _scaled_dot_product_attention_mask_backward(const Operand<Derived> &query, const Operand<Derived> &key, const Operand<Derived> &value, const Operand<Derived> &output, const Operand<Derived> &logsumexp, const Operand<Derived> &attn_mask, const Operand<Derived> &kept = {}, double dropout_p = 0, bool is_causal = false, Number scale = Number::none(), bool enable_gqa = false) const { return plain(dynamic()._scaled_dot_product_attention_mask_backward(query, key, value, output, logsumexp, attn_mask, kept, dropout_p, is_causal, scale, enable_gqa)); }
    auto _scaled_dot_product_flash_attention_for_cpu(const Operand<Derived> &key, const Operand<Derived> &value, double dropout_p = 0, bool is_causal = false, const Operand<Derived> &attn_mask = {}, Number scale = Number::none()) const { return plain(dynamic()._scaled_dot_product_flash_attention_for_cpu(key, value, dropout_p, is_causal, attn_mask, scale)); }
    auto _scaled_dot_product_flash_attention_for_cpu_backward(const Operand<Derived> &query, const Operand<Derived> &key, const Operand<Derived> &value, const Operand<Derived> &out, const Operand<Derived> &logsumexp, double dropout_p, bool is_causal, const Operand<Derived> &attn_mask = {}, Number scale = Number::none()) const { return plain(dynamic()._scaled_dot_product_flash_attention_for_cpu_backward(query, key, value, out, logsumexp, dropout_p, is_causal, attn_mask, scale)); }

    /* convolution */
    auto convolution(const Operand<Derived> &weight, const Operand<Derived> &bias, Dims stride, Dims padding, Dims dilation, bool transposed, Dims output_padding, int64_t groups) const { return typed<rules::Same>(dynamic().convolution(weight, bias, stride, padding, dilation, transposed, output_padding, groups)); }
    auto convolution_fused(const Operand<Derived> &weight, const Operand<Derived> &bias, Dims stride, Dims padding, Dims dilation, bool transposed, Dims output_padding, int64_t groups, const char *activation = "none") const { return typed<rules::Same>(dynamic().convolution_fused(weight, bias, stride, padding, dilation, transposed, output_padding, groups, activation)); }
    auto _convolution(const Operand<Derived> &weight, const Operand<Derived> &bias, Dims stride, Dims padding, Dims dilation, bool transposed, Dims output_padding, int64_t groups, bool benchmark = false, bool deterministic = false, bool cudnn_enabled = true) const { return typed<rules::Same>(dynamic()._convolution(weight, bias, stride, padding, dilation, transposed, output_padding, groups, benchmark, deterministic, cudnn_enabled)); }
    auto conv1d(const Operand<Derived> &weight, const Operand<Derived> &bias = {}, Dims stride = Dims::small(1), Dims padding = Dims::small(0), Dims dilation = Dims::small(1), int64_t groups = 1) const { return typed<rules::Same>(dynamic().conv1d(weight, bias, stride, padding, dilation, groups)); }
    auto conv1d_padding(const Operand<Derived> &weight, const Operand<Derived> &bias = {}, Dims stride = Dims::small(1), const char *padding = "valid", Dims dilation = Dims::small(1), int64_t groups = 1) const { return typed<rules::Same>(dynamic().conv1d_padding(weight, bias, stride, padding, dilation, groups)); }
    auto conv2d(const Operand<Derived> &weight, const Operand<Derived> &bias = {}, Dims stride = Dims::small(1), Dims padding = Dims::small(0), Dims dilation = Dims::small(1), int64_t groups = 1) const { return typed<rules::Same>(dynamic().conv2d(weight, bias, stride, padding, dilation, groups)); }
    auto conv2d_padding(const Operand<Derived> &weight, const Operand<Derived> &bias = {}, Dims stride = Dims::small(1), const char *padding = "valid", Dims dilation = Dims::small(1), int64_t groups = 1) const { return typed<rules::Same>(dynamic().conv2d_padding(weight, bias, stride, padding, dilation, groups)); }
    auto conv3d(const Operand<Derived> &weight, const Operand<Derived> &bias = {}, Dims stride = Dims::small(1), Dims padding = Dims::small(0), Dims dilation = Dims::small(1), int64_t groups = 1) const { return typed<rules::Same>(dynamic().conv3d(weight, bias, stride, padding, dilation, groups)); }
    auto conv3d_padding(const Operand<Derived> &weight, const Operand<Derived> &bias = {}, Dims stride = Dims::small(1), const char *padding = "valid", Dims dilation = Dims::small(1), int64_t groups = 1) const { return typed<rules::Same>(dynamic().conv3d_padding(weight, bias, stride, padding, dilation, groups)); }
    auto conv_transpose1d(const Operand<Derived> &weight, const Operand<Derived> &bias = {}, Dims stride = Dims::small(1), Dims padding = Dims::small(0), Dims output_padding = Dims::small(0), int64_t groups = 1, Dims dilation = Dims::small(1)) const { return typed<rules::Same>(dynamic().conv_transpose1d(weight, bias, stride, padding, output_padding, groups, dilation)); }
    auto conv_transpose2d(const Operand<Derived> &weight, const Operand<Derived> &bias = {}, Dims stride = Dims::small(1), Dims padding = Dims::small(0), Dims output_padding = Dims::small(0), int64_t groups = 1, Dims dilation = Dims::small(1)) const { return typed<rules::Same>(dynamic().conv_transpose2d(weight, bias, stride, padding, output_padding, groups, dilation)); }
    auto conv_transpose3d(const Operand<Derived> &weight, const Operand<Derived> &bias = {}, Dims stride = Dims::small(1), Dims padding = Dims::small(0), Dims output_padding = Dims::small(0), int64_t groups = 1, Dims dilation = Dims::small(1)) const { return typed<rules::Same>(dynamic().conv_transpose3d(weight, bias, stride, padding, output_padding, groups, dilation)); }
    auto conv_tbc(const Operand<Derived> &weight, const Operand<Derived> &bias, int64_t pad = 0) const { return typed<rules::Same>(dynamic().conv_tbc(weight, bias, pad)); }
    auto convolution_backward(const Operand<Derived> &input, const Operand<Derived> &weight, Dims bias_sizes, Dims stride, Dims padding, Dims dilation, bool transposed, Dims output_padding, int64_t groups, Dims output_mask) const { return plain(dynamic().convolution_backward(input, weight, bias_sizes, stride, padding, dilation, transposed, output_padding, groups, output_mask)); }
    auto convolution_backward_weight(const Operand<Derived> &input, Dims weight_size, Dims stride, Dims padding, Dims dilation, bool transposed, Dims output_padding, int64_t groups) const { return typed<rules::Same>(dynamic().convolution_backward_weight(input, weight_size, stride, padding, dilation, transposed, output_padding, groups)); }
    auto im2col(Dims kernel_size, Dims dilation, Dims padding, Dims stride) const { return typed<rules::Same>(dynamic().im2col(kernel_size, dilation, padding, stride)); }
    auto col2im(Dims output_size, Dims kernel_size, Dims dilation, Dims padding, Dims stride) const { return typed<rules::Same>(dynamic().col2im(output_size, kernel_size, dilation, padding, stride)); }

    /* scan */
    auto cumsum(int64_t dim) const { return typed<rules::Sum>(dynamic().cumsum(dim)); }
    auto cumsum(int64_t dim, tn_dtype dtype) const { return plain(dynamic().cumsum(dim, dtype)); }
    Derived & cumsum_(int64_t dim, tn_dtype dtype) { return wrote(dynamic().cumsum_(dim, dtype)); }
    auto cumprod(int64_t dim) const { return typed<rules::Sum>(dynamic().cumprod(dim)); }
    auto cumprod(int64_t dim, tn_dtype dtype) const { return plain(dynamic().cumprod(dim, dtype)); }
    Derived & cumprod_(int64_t dim, tn_dtype dtype) { return wrote(dynamic().cumprod_(dim, dtype)); }
    auto cummax(int64_t dim) const { return pair(dynamic().cummax(dim)); }
    auto cummin(int64_t dim) const { return pair(dynamic().cummin(dim)); }
    auto logcumsumexp(int64_t dim) const { return typed<rules::Same>(dynamic().logcumsumexp(dim)); }

    /* embedding */
    Derived & embedding_renorm_(const Operand<Derived> &indices, double max_norm, double norm_type) { return wrote(dynamic().embedding_renorm_(indices, max_norm, norm_type)); }
    auto embedding_dense_backward(const Operand<Derived> &indices, int64_t num_weights, int64_t padding_idx, bool scale_grad_by_freq) const { return typed<rules::Same>(dynamic().embedding_dense_backward(indices, num_weights, padding_idx, scale_grad_by_freq)); }
    auto _embedding_bag(const Operand<Derived> &indices, const Operand<Derived> &offsets, bool scale_grad_by_freq = false, int64_t mode = 0, bool sparse = false, const Operand<Derived> &per_sample_weights = {}, bool include_last_offset = false, int64_t padding_idx = -1) const { return plain(dynamic()._embedding_bag(indices, offsets, scale_grad_by_freq, mode, sparse, per_sample_weights, include_last_offset, padding_idx)); }
    auto embedding_bag(const Operand<Derived> &indices, const Operand<Derived> &offsets, bool scale_grad_by_freq = false, int64_t mode = 0, bool sparse = false, const Operand<Derived> &per_sample_weights = {}, bool include_last_offset = false) const { return plain(dynamic().embedding_bag(indices, offsets, scale_grad_by_freq, mode, sparse, per_sample_weights, include_last_offset)); }
    auto embedding_bag_padding_idx(const Operand<Derived> &indices, const Operand<Derived> &offsets, bool scale_grad_by_freq, int64_t mode, bool sparse, const Operand<Derived> &per_sample_weights, bool include_last_offset, int64_t padding_idx = TN_NONE) const { return plain(dynamic().embedding_bag_padding_idx(indices, offsets, scale_grad_by_freq, mode, sparse, per_sample_weights, include_last_offset, padding_idx)); }

    /* loss */
    auto mse_loss(const Operand<Derived> &target, int64_t reduction = 1) const { return typed<rules::Same>(dynamic().mse_loss(target, reduction)); }
    auto l1_loss(const Operand<Derived> &target, int64_t reduction = 1) const { return typed<rules::Same>(dynamic().l1_loss(target, reduction)); }
    auto smooth_l1_loss(const Operand<Derived> &target, int64_t reduction = 1, double beta = 1) const { return typed<rules::Same>(dynamic().smooth_l1_loss(target, reduction, beta)); }
    auto huber_loss(const Operand<Derived> &target, int64_t reduction = 1, double delta = 1) const { return typed<rules::Same>(dynamic().huber_loss(target, reduction, delta)); }
    auto binary_cross_entropy(const Operand<Derived> &target, const Operand<Derived> &weight = {}, int64_t reduction = 1) const { return typed<rules::Same>(dynamic().binary_cross_entropy(target, weight, reduction)); }
    auto binary_cross_entropy_with_logits(const Operand<Derived> &target, const Operand<Derived> &weight = {}, const Operand<Derived> &pos_weight = {}, int64_t reduction = 1) const { return typed<rules::Same>(dynamic().binary_cross_entropy_with_logits(target, weight, pos_weight, reduction)); }
    auto kl_div(const Operand<Derived> &target, int64_t reduction = 1, bool log_target = false) const { return typed<rules::Same>(dynamic().kl_div(target, reduction, log_target)); }
    auto poisson_nll_loss(const Operand<Derived> &target, bool log_input, bool full, double eps, int64_t reduction) const { return typed<rules::Same>(dynamic().poisson_nll_loss(target, log_input, full, eps, reduction)); }
    auto soft_margin_loss(const Operand<Derived> &target, int64_t reduction = 1) const { return typed<rules::Same>(dynamic().soft_margin_loss(target, reduction)); }
    auto hinge_embedding_loss(const Operand<Derived> &target, double margin = 1, int64_t reduction = 1) const { return typed<rules::Same>(dynamic().hinge_embedding_loss(target, margin, reduction)); }
    auto margin_ranking_loss(const Operand<Derived> &input2, const Operand<Derived> &target, double margin = 0, int64_t reduction = 1) const { return typed<rules::Same>(dynamic().margin_ranking_loss(input2, target, margin, reduction)); }
    auto cosine_embedding_loss(const Operand<Derived> &input2, const Operand<Derived> &target, double margin = 0, int64_t reduction = 1) const { return typed<rules::Same>(dynamic().cosine_embedding_loss(input2, target, margin, reduction)); }
    auto triplet_margin_loss(const Operand<Derived> &positive, const Operand<Derived> &negative, double margin = 1, double p = 2, double eps = 1e-6, bool swap = false, int64_t reduction = 1) const { return typed<rules::Same>(dynamic().triplet_margin_loss(positive, negative, margin, p, eps, swap, reduction)); }
    auto nll_loss_nd(const Operand<Derived> &target, const Operand<Derived> &weight = {}, int64_t reduction = 1, int64_t ignore_index = -100) const { return typed<rules::Same>(dynamic().nll_loss_nd(target, weight, reduction, ignore_index)); }
    auto nll_loss(const Operand<Derived> &target, const Operand<Derived> &weight = {}, int64_t reduction = 1, int64_t ignore_index = -100) const { return typed<rules::Same>(dynamic().nll_loss(target, weight, reduction, ignore_index)); }
    auto nll_loss2d(const Operand<Derived> &target, const Operand<Derived> &weight = {}, int64_t reduction = 1, int64_t ignore_index = -100) const { return typed<rules::Same>(dynamic().nll_loss2d(target, weight, reduction, ignore_index)); }
    auto cross_entropy_loss(const Operand<Derived> &target, const Operand<Derived> &weight = {}, int64_t reduction = 1, int64_t ignore_index = -100, double label_smoothing = 0) const { return typed<rules::Same>(dynamic().cross_entropy_loss(target, weight, reduction, ignore_index, label_smoothing)); }
    auto _cross_entropy(const Operand<Derived> &target, const Operand<Derived> &weight, int64_t reduction, int64_t ignore_index, double label_smoothing) const { return plain(dynamic()._cross_entropy(target, weight, reduction, ignore_index, label_smoothing)); }
    auto _cross_entropy_backward(const Operand<Derived> &self, const Operand<Derived> &target, const Operand<Derived> &weight, const Operand<Derived> &logs, const Operand<Derived> &total, int64_t reduction, int64_t ignore_index, double label_smoothing) const { return typed<rules::Same>(dynamic()._cross_entropy_backward(self, target, weight, logs, total, reduction, ignore_index, label_smoothing)); }
    auto multi_margin_loss(const Operand<Derived> &target, Number p = 1, Number margin = 1, const Operand<Derived> &weight = {}, int64_t reduction = 1) const { return typed<rules::Same>(dynamic().multi_margin_loss(target, p, margin, weight, reduction)); }
    auto multilabel_margin_loss(const Operand<Derived> &target, int64_t reduction = 1) const { return typed<rules::Same>(dynamic().multilabel_margin_loss(target, reduction)); }
    auto _ctc_loss(const Operand<Derived> &targets, const Operand<Derived> &input_lengths, const Operand<Derived> &target_lengths, int64_t blank = 0, bool zero_infinity = false) const { return plain(dynamic()._ctc_loss(targets, input_lengths, target_lengths, blank, zero_infinity)); }
    auto _ctc_loss_backward(const Operand<Derived> &log_probs, const Operand<Derived> &targets, const Operand<Derived> &input_lengths, const Operand<Derived> &target_lengths, const Operand<Derived> &neg_log_likelihood, const Operand<Derived> &log_alpha, int64_t blank, bool zero_infinity = false) const { return typed<rules::Same>(dynamic()._ctc_loss_backward(log_probs, targets, input_lengths, target_lengths, neg_log_likelihood, log_alpha, blank, zero_infinity)); }
    auto ctc_loss(const Operand<Derived> &targets, const Operand<Derived> &input_lengths, const Operand<Derived> &target_lengths, int64_t blank = 0, int64_t reduction = 1, bool zero_infinity = false) const { return typed<rules::Same>(dynamic().ctc_loss(targets, input_lengths, target_lengths, blank, reduction, zero_infinity)); }
    auto ctc_loss(const Operand<Derived> &targets, Dims input_lengths, Dims target_lengths, int64_t blank = 0, int64_t reduction = 1, bool zero_infinity = false) const { return typed<rules::Same>(dynamic().ctc_loss(targets, input_lengths, target_lengths, blank, reduction, zero_infinity)); }

    /* recurrent */
    auto lstm(TensorList hx, TensorList params, bool has_biases, int64_t num_layers, double dropout, bool train, bool bidirectional, bool batch_first) const { return plain(dynamic().lstm(hx, params, has_biases, num_layers, dropout, train, bidirectional, batch_first)); }
    auto lstm(const Operand<Derived> &batch_sizes, TensorList hx, TensorList params, bool has_biases, int64_t num_layers, double dropout, bool train, bool bidirectional) const { return plain(dynamic().lstm(batch_sizes, hx, params, has_biases, num_layers, dropout, train, bidirectional)); }
    auto gru(const Operand<Derived> &hx, TensorList params, bool has_biases, int64_t num_layers, double dropout, bool train, bool bidirectional, bool batch_first) const { return plain(dynamic().gru(hx, params, has_biases, num_layers, dropout, train, bidirectional, batch_first)); }
    auto gru(const Operand<Derived> &batch_sizes, const Operand<Derived> &hx, TensorList params, bool has_biases, int64_t num_layers, double dropout, bool train, bool bidirectional) const { return plain(dynamic().gru(batch_sizes, hx, params, has_biases, num_layers, dropout, train, bidirectional)); }
    auto rnn_tanh(const Operand<Derived> &hx, TensorList params, bool has_biases, int64_t num_layers, double dropout, bool train, bool bidirectional, bool batch_first) const { return plain(dynamic().rnn_tanh(hx, params, has_biases, num_layers, dropout, train, bidirectional, batch_first)); }
    auto rnn_tanh(const Operand<Derived> &batch_sizes, const Operand<Derived> &hx, TensorList params, bool has_biases, int64_t num_layers, double dropout, bool train, bool bidirectional) const { return plain(dynamic().rnn_tanh(batch_sizes, hx, params, has_biases, num_layers, dropout, train, bidirectional)); }
    auto rnn_relu(const Operand<Derived> &hx, TensorList params, bool has_biases, int64_t num_layers, double dropout, bool train, bool bidirectional, bool batch_first) const { return plain(dynamic().rnn_relu(hx, params, has_biases, num_layers, dropout, train, bidirectional, batch_first)); }
    auto rnn_relu(const Operand<Derived> &batch_sizes, const Operand<Derived> &hx, TensorList params, bool has_biases, int64_t num_layers, double dropout, bool train, bool bidirectional) const { return plain(dynamic().rnn_relu(batch_sizes, hx, params, has_biases, num_layers, dropout, train, bidirectional)); }
    auto lstm_cell(TensorList hx, const Operand<Derived> &w_ih, const Operand<Derived> &w_hh, const Operand<Derived> &b_ih = {}, const Operand<Derived> &b_hh = {}) const { return plain(dynamic().lstm_cell(hx, w_ih, w_hh, b_ih, b_hh)); }
    auto gru_cell(const Operand<Derived> &hx, const Operand<Derived> &w_ih, const Operand<Derived> &w_hh, const Operand<Derived> &b_ih = {}, const Operand<Derived> &b_hh = {}) const { return plain(dynamic().gru_cell(hx, w_ih, w_hh, b_ih, b_hh)); }
    auto rnn_tanh_cell(const Operand<Derived> &hx, const Operand<Derived> &w_ih, const Operand<Derived> &w_hh, const Operand<Derived> &b_ih = {}, const Operand<Derived> &b_hh = {}) const { return plain(dynamic().rnn_tanh_cell(hx, w_ih, w_hh, b_ih, b_hh)); }
    auto rnn_relu_cell(const Operand<Derived> &hx, const Operand<Derived> &w_ih, const Operand<Derived> &w_hh, const Operand<Derived> &b_ih = {}, const Operand<Derived> &b_hh = {}) const { return plain(dynamic().rnn_relu_cell(hx, w_ih, w_hh, b_ih, b_hh)); }
    auto _thnn_fused_lstm_cell(const Operand<Derived> &hidden_gates, const Operand<Derived> &cx, const Operand<Derived> &input_bias = {}, const Operand<Derived> &hidden_bias = {}) const { return plain(dynamic()._thnn_fused_lstm_cell(hidden_gates, cx, input_bias, hidden_bias)); }
    auto _thnn_fused_gru_cell(const Operand<Derived> &hidden_gates, const Operand<Derived> &hx, const Operand<Derived> &input_bias = {}, const Operand<Derived> &hidden_bias = {}) const { return plain(dynamic()._thnn_fused_gru_cell(hidden_gates, hx, input_bias, hidden_bias)); }
    auto _thnn_fused_gru_cell_backward(const Operand<Derived> &workspace, bool has_bias) const { return plain(dynamic()._thnn_fused_gru_cell_backward(workspace, has_bias)); }
    auto _pack_padded_sequence(const Operand<Derived> &lengths, bool batch_first) const { return plain(dynamic()._pack_padded_sequence(lengths, batch_first)); }
    auto _pad_packed_sequence(const Operand<Derived> &batch_sizes, bool batch_first, Number padding_value, int64_t total_length) const { return plain(dynamic()._pad_packed_sequence(batch_sizes, batch_first, padding_value, total_length)); }

    /* random */
    auto rand_like(tn_dtype dtype = TN_DTYPE_DEFAULT, tn_memory_format format = TN_PRESERVE, tn_generator *generator = nullptr) const { return plain(dynamic().rand_like(dtype, format, generator)); }
    auto randn_like(tn_dtype dtype = TN_DTYPE_DEFAULT, tn_memory_format format = TN_PRESERVE, tn_generator *generator = nullptr) const { return plain(dynamic().randn_like(dtype, format, generator)); }
    auto randint_like(int64_t high, tn_dtype dtype = TN_DTYPE_DEFAULT, tn_memory_format format = TN_PRESERVE, tn_generator *generator = nullptr) const { return plain(dynamic().randint_like(high, dtype, format, generator)); }
    auto randint_like(int64_t low, int64_t high, tn_dtype dtype = TN_DTYPE_DEFAULT, tn_memory_format format = TN_PRESERVE, tn_generator *generator = nullptr) const { return plain(dynamic().randint_like(low, high, dtype, format, generator)); }
    auto normal(const Operand<Derived> &std, tn_generator *generator = nullptr) const { return plain(dynamic().normal(std, generator)); }
    auto normal(double std = 1, tn_generator *generator = nullptr) const { return typed<rules::Same>(dynamic().normal(std, generator)); }
    Derived & uniform_(double from = 0, double to = 1, tn_generator *generator = nullptr) { return wrote(dynamic().uniform_(from, to, generator)); }
    Derived & normal_(double mean = 0, double std = 1, tn_generator *generator = nullptr) { return wrote(dynamic().normal_(mean, std, generator)); }
    Derived & log_normal_(double mean = 1, double std = 2, tn_generator *generator = nullptr) { return wrote(dynamic().log_normal_(mean, std, generator)); }
    Derived & exponential_(double lambd = 1, tn_generator *generator = nullptr) { return wrote(dynamic().exponential_(lambd, generator)); }
    Derived & cauchy_(double median = 0, double sigma = 1, tn_generator *generator = nullptr) { return wrote(dynamic().cauchy_(median, sigma, generator)); }
    Derived & geometric_(double p, tn_generator *generator = nullptr) { return wrote(dynamic().geometric_(p, generator)); }
    Derived & random_(tn_generator *generator = nullptr) { return wrote(dynamic().random_(generator)); }
    Derived & random_(int64_t to, tn_generator *generator = nullptr) { return wrote(dynamic().random_(to, generator)); }
    Derived & random_from_(int64_t from, int64_t to = TN_NONE, tn_generator *generator = nullptr) { return wrote(dynamic().random_from_(from, to, generator)); }
    auto bernoulli(tn_generator *generator = nullptr) const { return typed<rules::Same>(dynamic().bernoulli(generator)); }
    auto bernoulli(double p, tn_generator *generator = nullptr) const { return typed<rules::Same>(dynamic().bernoulli(p, generator)); }
    Derived & bernoulli_(double p = 0.5, tn_generator *generator = nullptr) { return wrote(dynamic().bernoulli_(p, generator)); }
    Derived & bernoulli_(const Operand<Derived> &p, tn_generator *generator = nullptr) { return wrote(dynamic().bernoulli_(p, generator)); }
    auto multinomial(int64_t num_samples, bool replacement = false, tn_generator *generator = nullptr) const { return typed<rules::Index>(dynamic().multinomial(num_samples, replacement, generator)); }
    auto dropout(double p, bool train, tn_generator *generator = nullptr) const { return typed<rules::Same>(dynamic().dropout(p, train, generator)); }
    Derived & dropout_(double p, bool train, tn_generator *generator = nullptr) { return wrote(dynamic().dropout_(p, train, generator)); }
    auto native_dropout(double p, bool train = true, tn_generator *generator = nullptr) const { return plain(dynamic().native_dropout(p, train, generator)); }
    auto _dropout_bits(Dims size, double p, tn_generator *generator = nullptr) const { return typed<rules::Same>(dynamic()._dropout_bits(size, p, generator)); }
    auto poisson(tn_generator *generator = nullptr) const { return typed<rules::Same>(dynamic().poisson(generator)); }
    auto binomial(const Operand<Derived> &prob, tn_generator *generator = nullptr) const { return plain(dynamic().binomial(prob, generator)); }
    auto standard_gamma(tn_generator *generator = nullptr) const { return typed<rules::Same>(dynamic().standard_gamma(generator)); }
    auto _standard_gamma(tn_generator *generator = nullptr) const { return typed<rules::Same>(dynamic()._standard_gamma(generator)); }
    auto _standard_gamma_grad(const Operand<Derived> &output) const { return plain(dynamic()._standard_gamma_grad(output)); }
    auto sample_dirichlet(tn_generator *generator = nullptr) const { return typed<rules::Same>(dynamic().sample_dirichlet(generator)); }
    auto _sample_dirichlet(tn_generator *generator = nullptr) const { return typed<rules::Same>(dynamic()._sample_dirichlet(generator)); }
    auto _dirichlet_grad(const Operand<Derived> &alpha, const Operand<Derived> &total) const { return plain(dynamic()._dirichlet_grad(alpha, total)); }
    auto alpha_dropout(double p, bool train, tn_generator *generator = nullptr) const { return typed<rules::Same>(dynamic().alpha_dropout(p, train, generator)); }
    Derived & alpha_dropout_(double p, bool train, tn_generator *generator = nullptr) { return wrote(dynamic().alpha_dropout_(p, train, generator)); }
    auto feature_dropout(double p, bool train, tn_generator *generator = nullptr) const { return typed<rules::Same>(dynamic().feature_dropout(p, train, generator)); }
    Derived & feature_dropout_(double p, bool train, tn_generator *generator = nullptr) { return wrote(dynamic().feature_dropout_(p, train, generator)); }
    auto feature_alpha_dropout(double p, bool train, tn_generator *generator = nullptr) const { return typed<rules::Same>(dynamic().feature_alpha_dropout(p, train, generator)); }
    Derived & feature_alpha_dropout_(double p, bool train, tn_generator *generator = nullptr) { return wrote(dynamic().feature_alpha_dropout_(p, train, generator)); }

    /* initialise */
    Derived & xavier_uniform_(double gain = 1, tn_generator *generator = nullptr) { return wrote(dynamic().xavier_uniform_(gain, generator)); }
    Derived & xavier_normal_(double gain = 1, tn_generator *generator = nullptr) { return wrote(dynamic().xavier_normal_(gain, generator)); }
    Derived & kaiming_uniform_(double a = 0, const char *mode = "fan_in", const char *nonlinearity = "leaky_relu", tn_generator *generator = nullptr) { return wrote(dynamic().kaiming_uniform_(a, mode, nonlinearity, generator)); }
    Derived & kaiming_normal_(double a = 0, const char *mode = "fan_in", const char *nonlinearity = "leaky_relu", tn_generator *generator = nullptr) { return wrote(dynamic().kaiming_normal_(a, mode, nonlinearity, generator)); }
    Derived & trunc_normal_(double mean = 0, double std = 1, double a = -2, double b = 2, tn_generator *generator = nullptr) { return wrote(dynamic().trunc_normal_(mean, std, a, b, generator)); }
    Derived & orthogonal_(double gain = 1, tn_generator *generator = nullptr) { return wrote(dynamic().orthogonal_(gain, generator)); }
    Derived & sparse_(double sparsity, double std = 0.01, tn_generator *generator = nullptr) { return wrote(dynamic().sparse_(sparsity, std, generator)); }
    Derived & eye_() { return wrote(dynamic().eye_()); }
    Derived & dirac_(int64_t groups = 1) { return wrote(dynamic().dirac_(groups)); }

    /* linalg */
    auto linalg_cholesky_ex(bool upper = false, bool check_errors = false) const { return plain(dynamic().linalg_cholesky_ex(upper, check_errors)); }
    auto linalg_cholesky(bool upper = false) const { return typed<rules::Same>(dynamic().linalg_cholesky(upper)); }
    auto cholesky(bool upper = false) const { return typed<rules::Same>(dynamic().cholesky(upper)); }
    auto cholesky_solve(const Operand<Derived> &input2, bool upper = false) const { return plain(dynamic().cholesky_solve(input2, upper)); }
    auto cholesky_inverse(bool upper = false) const { return typed<rules::Same>(dynamic().cholesky_inverse(upper)); }
    auto linalg_lu_factor_ex(bool pivot = true, bool check_errors = false) const { return plain(dynamic().linalg_lu_factor_ex(pivot, check_errors)); }
    auto linalg_lu_factor(bool pivot = true) const { return plain(dynamic().linalg_lu_factor(pivot)); }
    auto _linalg_pivots_to_matrix(int64_t n, tn_dtype dtype) const { return plain(dynamic()._linalg_pivots_to_matrix(n, dtype)); }
    auto lu_unpack(const Operand<Derived> &LU_pivots, bool unpack_data = true, bool unpack_pivots = true) const { return plain(dynamic().lu_unpack(LU_pivots, unpack_data, unpack_pivots)); }
    auto linalg_lu(bool pivot = true) const { return plain(dynamic().linalg_lu(pivot)); }
    auto linalg_lu_solve(const Operand<Derived> &pivots, const Operand<Derived> &B, bool left = true, bool adjoint = false) const { return plain(dynamic().linalg_lu_solve(pivots, B, left, adjoint)); }
    auto lu_solve(const Operand<Derived> &LU_data, const Operand<Derived> &LU_pivots) const { return plain(dynamic().lu_solve(LU_data, LU_pivots)); }
    auto linalg_solve_triangular(const Operand<Derived> &B, bool upper, bool left = true, bool unitriangular = false) const { return plain(dynamic().linalg_solve_triangular(B, upper, left, unitriangular)); }
    auto triangular_solve(const Operand<Derived> &A, bool upper = true, bool transpose = false, bool unitriangular = false) const { return plain(dynamic().triangular_solve(A, upper, transpose, unitriangular)); }
    auto _linalg_solve_ex(const Operand<Derived> &B, bool check_errors = false) const { return plain(dynamic()._linalg_solve_ex(B, check_errors)); }
    auto linalg_solve_ex(const Operand<Derived> &B, bool left = true, bool check_errors = false) const { return plain(dynamic().linalg_solve_ex(B, left, check_errors)); }
    auto linalg_solve(const Operand<Derived> &B, bool left = true) const { return plain(dynamic().linalg_solve(B, left)); }
    auto linalg_inv_ex(bool check_errors = false) const { return plain(dynamic().linalg_inv_ex(check_errors)); }
    auto linalg_inv() const { return typed<rules::Same>(dynamic().linalg_inv()); }
    auto inverse() const { return typed<rules::Same>(dynamic().inverse()); }
    auto linalg_tensorinv(int64_t ind = 2) const { return typed<rules::Same>(dynamic().linalg_tensorinv(ind)); }
    auto linalg_tensorsolve(const Operand<Derived> &other, Dims dims = Dims()) const { return plain(dynamic().linalg_tensorsolve(other, dims)); }
    auto _linalg_det() const { return plain(dynamic()._linalg_det()); }
    auto linalg_det() const { return typed<rules::Same>(dynamic().linalg_det()); }
    auto det() const { return typed<rules::Same>(dynamic().det()); }
    auto _linalg_slogdet() const { return plain(dynamic()._linalg_slogdet()); }
    auto linalg_slogdet() const { return plain(dynamic().linalg_slogdet()); }
    auto slogdet() const { return plain(dynamic().slogdet()); }
    auto logdet() const { return typed<rules::Same>(dynamic().logdet()); }
    auto geqrf() const { return plain(dynamic().geqrf()); }
    auto linalg_householder_product(const Operand<Derived> &tau) const { return plain(dynamic().linalg_householder_product(tau)); }
    auto orgqr(const Operand<Derived> &tau) const { return plain(dynamic().orgqr(tau)); }
    auto ormqr(const Operand<Derived> &tau, const Operand<Derived> &input3, bool left = true, bool transpose = false) const { return plain(dynamic().ormqr(tau, input3, left, transpose)); }
    auto linalg_qr(const char *mode = "reduced") const { return plain(dynamic().linalg_qr(mode)); }
    auto qr(bool some = true) const { return plain(dynamic().qr(some)); }
    auto linalg_ldl_factor_ex(bool hermitian = false, bool check_errors = false) const { return plain(dynamic().linalg_ldl_factor_ex(hermitian, check_errors)); }
    auto linalg_ldl_factor(bool hermitian = false) const { return plain(dynamic().linalg_ldl_factor(hermitian)); }
    auto linalg_ldl_solve(const Operand<Derived> &pivots, const Operand<Derived> &B, bool hermitian = false) const { return plain(dynamic().linalg_ldl_solve(pivots, B, hermitian)); }
    auto linalg_matrix_exp() const { return typed<rules::Same>(dynamic().linalg_matrix_exp()); }
    auto matrix_exp() const { return typed<rules::Same>(dynamic().matrix_exp()); }
    auto linalg_matrix_norm(Number ord, Dims dim = Dims(), bool keepdim = false) const { return typed<rules::Same>(dynamic().linalg_matrix_norm(ord, dim, keepdim)); }
    auto linalg_matrix_norm(Number ord, Dims dim, bool keepdim, tn_dtype dtype) const { return plain(dynamic().linalg_matrix_norm(ord, dim, keepdim, dtype)); }
    auto linalg_matrix_norm(const char *ord = "fro", Dims dim = Dims(), bool keepdim = false) const { return typed<rules::Same>(dynamic().linalg_matrix_norm(ord, dim, keepdim)); }
    auto linalg_matrix_norm(const char *ord, Dims dim, bool keepdim, tn_dtype dtype) const { return plain(dynamic().linalg_matrix_norm(ord, dim, keepdim, dtype)); }
    auto linalg_norm(Number ord = Number::none(), Dims dim = Dims(), bool keepdim = false) const { return typed<rules::Same>(dynamic().linalg_norm(ord, dim, keepdim)); }
    auto linalg_norm(Number ord, Dims dim, bool keepdim, tn_dtype dtype) const { return plain(dynamic().linalg_norm(ord, dim, keepdim, dtype)); }
    auto linalg_norm(const char *ord, Dims dim = Dims(), bool keepdim = false) const { return typed<rules::Same>(dynamic().linalg_norm(ord, dim, keepdim)); }
    auto linalg_norm(const char *ord, Dims dim, bool keepdim, tn_dtype dtype) const { return plain(dynamic().linalg_norm(ord, dim, keepdim, dtype)); }
    auto linalg_eigh(const char *UPLO = "L") const { return plain(dynamic().linalg_eigh(UPLO)); }
    auto linalg_eigvalsh(const char *UPLO = "L") const { return typed<rules::Same>(dynamic().linalg_eigvalsh(UPLO)); }
    auto linalg_eig() const { return plain(dynamic().linalg_eig()); }
    auto linalg_eigvals() const { return typed<rules::Same>(dynamic().linalg_eigvals()); }
    auto linalg_svd(bool full_matrices = true, const char *driver = "none") const { return plain(dynamic().linalg_svd(full_matrices, driver)); }
    auto linalg_svdvals(const char *driver = "none") const { return typed<rules::Same>(dynamic().linalg_svdvals(driver)); }
    auto svd(bool some = true, bool compute_uv = true) const { return plain(dynamic().svd(some, compute_uv)); }
    auto linalg_pinv(Number atol = Number::none(), Number rtol = Number::none(), bool hermitian = false) const { return typed<rules::Same>(dynamic().linalg_pinv(atol, rtol, hermitian)); }
    auto linalg_pinv_tensor(const Operand<Derived> &atol = {}, const Operand<Derived> &rtol = {}, bool hermitian = false) const { return plain(dynamic().linalg_pinv_tensor(atol, rtol, hermitian)); }
    auto linalg_pinv_rcond(Number rcond, bool hermitian = false) const { return typed<rules::Same>(dynamic().linalg_pinv_rcond(rcond, hermitian)); }
    auto linalg_pinv_rcond_tensor(const Operand<Derived> &rcond, bool hermitian = false) const { return plain(dynamic().linalg_pinv_rcond_tensor(rcond, hermitian)); }
    auto pinverse(double rcond = 1e-15) const { return typed<rules::Same>(dynamic().pinverse(rcond)); }
    auto linalg_matrix_rank(Number atol = Number::none(), Number rtol = Number::none(), bool hermitian = false) const { return typed<rules::Same>(dynamic().linalg_matrix_rank(atol, rtol, hermitian)); }
    auto linalg_matrix_rank_tensor(const Operand<Derived> &atol = {}, const Operand<Derived> &rtol = {}, bool hermitian = false) const { return plain(dynamic().linalg_matrix_rank_tensor(atol, rtol, hermitian)); }
    auto linalg_matrix_rank_tol(Number tol, bool hermitian = false) const { return typed<rules::Same>(dynamic().linalg_matrix_rank_tol(tol, hermitian)); }
    auto linalg_matrix_rank_tol_tensor(const Operand<Derived> &tol, bool hermitian = false) const { return plain(dynamic().linalg_matrix_rank_tol_tensor(tol, hermitian)); }
    auto linalg_lstsq(const Operand<Derived> &b, Number rcond = Number::none(), const char *driver = "none") const { return plain(dynamic().linalg_lstsq(b, rcond, driver)); }
    auto norm(const char *p, Dims dim = Dims(), bool keepdim = false) const { return typed<rules::Real>(dynamic().norm(p, dim, keepdim)); }
    auto norm(const char *p, Dims dim, bool keepdim, tn_dtype dtype) const { return plain(dynamic().norm(p, dim, keepdim, dtype)); }
    auto linalg_cond(Number p = Number::none()) const { return typed<rules::Same>(dynamic().linalg_cond(p)); }
    auto linalg_cond(const char *p) const { return typed<rules::Same>(dynamic().linalg_cond(p)); }

    /* fft */
    auto _fft_c2c(Dims dim, int64_t normalization, bool forward) const { return typed<rules::Same>(dynamic()._fft_c2c(dim, normalization, forward)); }
    auto _fft_r2c(Dims dim, int64_t normalization, bool onesided) const { return typed<rules::Same>(dynamic()._fft_r2c(dim, normalization, onesided)); }
    auto _fft_c2r(Dims dim, int64_t normalization, int64_t last_dim_size) const { return typed<rules::Same>(dynamic()._fft_c2r(dim, normalization, last_dim_size)); }
    auto fft_fft(int64_t n = TN_NONE, int64_t dim = -1, const char *norm = "backward") const { return typed<rules::Complex>(dynamic().fft_fft(n, dim, norm)); }
    auto fft_ifft(int64_t n = TN_NONE, int64_t dim = -1, const char *norm = "backward") const { return typed<rules::Complex>(dynamic().fft_ifft(n, dim, norm)); }
    auto fft_rfft(int64_t n = TN_NONE, int64_t dim = -1, const char *norm = "backward") const { return typed<rules::Complex>(dynamic().fft_rfft(n, dim, norm)); }
    auto fft_irfft(int64_t n = TN_NONE, int64_t dim = -1, const char *norm = "backward") const { return typed<rules::Real>(dynamic().fft_irfft(n, dim, norm)); }
    auto fft_hfft(int64_t n = TN_NONE, int64_t dim = -1, const char *norm = "backward") const { return typed<rules::Real>(dynamic().fft_hfft(n, dim, norm)); }
    auto fft_ihfft(int64_t n = TN_NONE, int64_t dim = -1, const char *norm = "backward") const { return typed<rules::Complex>(dynamic().fft_ihfft(n, dim, norm)); }
    auto fft_fft2(Dims s = Dims(), Dims dim = Dims(), const char *norm = "backward") const { return typed<rules::Complex>(dynamic().fft_fft2(s, dim, norm)); }
    auto fft_ifft2(Dims s = Dims(), Dims dim = Dims(), const char *norm = "backward") const { return typed<rules::Complex>(dynamic().fft_ifft2(s, dim, norm)); }
    auto fft_rfft2(Dims s = Dims(), Dims dim = Dims(), const char *norm = "backward") const { return typed<rules::Complex>(dynamic().fft_rfft2(s, dim, norm)); }
    auto fft_irfft2(Dims s = Dims(), Dims dim = Dims(), const char *norm = "backward") const { return typed<rules::Real>(dynamic().fft_irfft2(s, dim, norm)); }
    auto fft_hfft2(Dims s = Dims(), Dims dim = Dims(), const char *norm = "backward") const { return typed<rules::Real>(dynamic().fft_hfft2(s, dim, norm)); }
    auto fft_ihfft2(Dims s = Dims(), Dims dim = Dims(), const char *norm = "backward") const { return typed<rules::Complex>(dynamic().fft_ihfft2(s, dim, norm)); }
    auto fft_fftn(Dims s = Dims(), Dims dim = Dims(), const char *norm = "backward") const { return typed<rules::Complex>(dynamic().fft_fftn(s, dim, norm)); }
    auto fft_ifftn(Dims s = Dims(), Dims dim = Dims(), const char *norm = "backward") const { return typed<rules::Complex>(dynamic().fft_ifftn(s, dim, norm)); }
    auto fft_rfftn(Dims s = Dims(), Dims dim = Dims(), const char *norm = "backward") const { return typed<rules::Complex>(dynamic().fft_rfftn(s, dim, norm)); }
    auto fft_irfftn(Dims s = Dims(), Dims dim = Dims(), const char *norm = "backward") const { return typed<rules::Real>(dynamic().fft_irfftn(s, dim, norm)); }
    auto fft_hfftn(Dims s = Dims(), Dims dim = Dims(), const char *norm = "backward") const { return typed<rules::Real>(dynamic().fft_hfftn(s, dim, norm)); }
    auto fft_ihfftn(Dims s = Dims(), Dims dim = Dims(), const char *norm = "backward") const { return typed<rules::Complex>(dynamic().fft_ihfftn(s, dim, norm)); }
    auto fft_fftshift(Dims dim = Dims()) const { return typed<rules::Same>(dynamic().fft_fftshift(dim)); }
    auto fft_ifftshift(Dims dim = Dims()) const { return typed<rules::Same>(dynamic().fft_ifftshift(dim)); }
    auto stft(int64_t n_fft, int64_t hop_length = TN_NONE, int64_t win_length = TN_NONE, const Operand<Derived> &window = {}, bool center = true, const char *pad_mode = "reflect", bool normalized = false, Number onesided = Number::none(), Number return_complex = Number::none()) const { return typed<rules::Complex>(dynamic().stft(n_fft, hop_length, win_length, window, center, pad_mode, normalized, onesided, return_complex)); }
    auto istft(int64_t n_fft, int64_t hop_length = TN_NONE, int64_t win_length = TN_NONE, const Operand<Derived> &window = {}, bool center = true, bool normalized = false, Number onesided = Number::none(), int64_t length = TN_NONE, bool return_complex = false) const { return plain(dynamic().istft(n_fft, hop_length, win_length, window, center, normalized, onesided, length, return_complex)); }

    /* special */
    auto special_entr() const { supported<0x0010>(); return typed<rules::Floating>(dynamic().special_entr()); }
    auto special_erfcx() const { supported<0x0010>(); return typed<rules::Floating>(dynamic().special_erfcx()); }
    auto special_ndtr() const { supported<0x0010>(); return typed<rules::Floating>(dynamic().special_ndtr()); }
    auto special_log_ndtr() const { supported<0x0010>(); return typed<rules::Floating>(dynamic().special_log_ndtr()); }
    auto special_ndtri() const { supported<0x0010>(); return typed<rules::Floating>(dynamic().special_ndtri()); }
    auto special_xlog1py(const Operand<Derived> &other) const { supported<0x0010>(); return plain(dynamic().special_xlog1py(other)); }
    auto special_xlog1py(Number other) const { supported<0x0010>(); return plain(dynamic().special_xlog1py(other)); }
    auto special_i0e() const { supported<0x0010>(); return typed<rules::Floating>(dynamic().special_i0e()); }
    auto special_i1() const { supported<0x0010>(); return typed<rules::Floating>(dynamic().special_i1()); }
    auto special_i1e() const { supported<0x0010>(); return typed<rules::Floating>(dynamic().special_i1e()); }
    auto special_bessel_j0() const { supported<0x0010>(); return typed<rules::Floating>(dynamic().special_bessel_j0()); }
    auto special_bessel_j1() const { supported<0x0010>(); return typed<rules::Floating>(dynamic().special_bessel_j1()); }
    auto special_bessel_y0() const { supported<0x0010>(); return typed<rules::Floating>(dynamic().special_bessel_y0()); }
    auto special_bessel_y1() const { supported<0x0010>(); return typed<rules::Floating>(dynamic().special_bessel_y1()); }
    auto special_modified_bessel_i0() const { supported<0x0010>(); return typed<rules::Floating>(dynamic().special_modified_bessel_i0()); }
    auto special_modified_bessel_i1() const { supported<0x0010>(); return typed<rules::Floating>(dynamic().special_modified_bessel_i1()); }
    auto special_modified_bessel_k0() const { supported<0x0010>(); return typed<rules::Floating>(dynamic().special_modified_bessel_k0()); }
    auto special_modified_bessel_k1() const { supported<0x0010>(); return typed<rules::Floating>(dynamic().special_modified_bessel_k1()); }
    auto special_scaled_modified_bessel_k0() const { supported<0x0010>(); return typed<rules::Floating>(dynamic().special_scaled_modified_bessel_k0()); }
    auto special_scaled_modified_bessel_k1() const { supported<0x0010>(); return typed<rules::Floating>(dynamic().special_scaled_modified_bessel_k1()); }
    auto special_spherical_bessel_j0() const { supported<0x0010>(); return typed<rules::Floating>(dynamic().special_spherical_bessel_j0()); }
    auto special_airy_ai() const { supported<0x0010>(); return typed<rules::Floating>(dynamic().special_airy_ai()); }
    auto special_zeta(const Operand<Derived> &other) const { supported<0x0010>(); return plain(dynamic().special_zeta(other)); }
    auto special_zeta(Number other) const { supported<0x0010>(); return plain(dynamic().special_zeta(other)); }
    auto igamma(const Operand<Derived> &other) const { supported<0x0010>(); return plain(dynamic().igamma(other)); }
    Derived & igamma_(const Operand<Derived> &other) { supported<0x0010>(); return wrote(dynamic().igamma_(other)); }
    auto special_gammainc(const Operand<Derived> &other) const { supported<0x0010>(); return plain(dynamic().special_gammainc(other)); }
    Derived & special_gammainc_(const Operand<Derived> &other) { supported<0x0010>(); return wrote(dynamic().special_gammainc_(other)); }
    auto igammac(const Operand<Derived> &other) const { supported<0x0010>(); return plain(dynamic().igammac(other)); }
    Derived & igammac_(const Operand<Derived> &other) { supported<0x0010>(); return wrote(dynamic().igammac_(other)); }
    auto special_gammaincc(const Operand<Derived> &other) const { supported<0x0010>(); return plain(dynamic().special_gammaincc(other)); }
    Derived & special_gammaincc_(const Operand<Derived> &other) { supported<0x0010>(); return wrote(dynamic().special_gammaincc_(other)); }
    auto special_chebyshev_polynomial_t(const Operand<Derived> &n) const { supported<0x0010>(); return plain(dynamic().special_chebyshev_polynomial_t(n)); }
    auto special_chebyshev_polynomial_t(Number n) const { supported<0x0010>(); return plain(dynamic().special_chebyshev_polynomial_t(n)); }
    auto special_chebyshev_polynomial_u(const Operand<Derived> &n) const { supported<0x0010>(); return plain(dynamic().special_chebyshev_polynomial_u(n)); }
    auto special_chebyshev_polynomial_u(Number n) const { supported<0x0010>(); return plain(dynamic().special_chebyshev_polynomial_u(n)); }
    auto special_chebyshev_polynomial_v(const Operand<Derived> &n) const { supported<0x0010>(); return plain(dynamic().special_chebyshev_polynomial_v(n)); }
    auto special_chebyshev_polynomial_v(Number n) const { supported<0x0010>(); return plain(dynamic().special_chebyshev_polynomial_v(n)); }
    auto special_chebyshev_polynomial_w(const Operand<Derived> &n) const { supported<0x0010>(); return plain(dynamic().special_chebyshev_polynomial_w(n)); }
    auto special_chebyshev_polynomial_w(Number n) const { supported<0x0010>(); return plain(dynamic().special_chebyshev_polynomial_w(n)); }
    auto special_shifted_chebyshev_polynomial_t(const Operand<Derived> &n) const { supported<0x0010>(); return plain(dynamic().special_shifted_chebyshev_polynomial_t(n)); }
    auto special_shifted_chebyshev_polynomial_t(Number n) const { supported<0x0010>(); return plain(dynamic().special_shifted_chebyshev_polynomial_t(n)); }
    auto special_shifted_chebyshev_polynomial_u(const Operand<Derived> &n) const { supported<0x0010>(); return plain(dynamic().special_shifted_chebyshev_polynomial_u(n)); }
    auto special_shifted_chebyshev_polynomial_u(Number n) const { supported<0x0010>(); return plain(dynamic().special_shifted_chebyshev_polynomial_u(n)); }
    auto special_shifted_chebyshev_polynomial_v(const Operand<Derived> &n) const { supported<0x0010>(); return plain(dynamic().special_shifted_chebyshev_polynomial_v(n)); }
    auto special_shifted_chebyshev_polynomial_v(Number n) const { supported<0x0010>(); return plain(dynamic().special_shifted_chebyshev_polynomial_v(n)); }
    auto special_shifted_chebyshev_polynomial_w(const Operand<Derived> &n) const { supported<0x0010>(); return plain(dynamic().special_shifted_chebyshev_polynomial_w(n)); }
    auto special_shifted_chebyshev_polynomial_w(Number n) const { supported<0x0010>(); return plain(dynamic().special_shifted_chebyshev_polynomial_w(n)); }
    auto special_hermite_polynomial_h(const Operand<Derived> &n) const { supported<0x0010>(); return plain(dynamic().special_hermite_polynomial_h(n)); }
    auto special_hermite_polynomial_h(Number n) const { supported<0x0010>(); return plain(dynamic().special_hermite_polynomial_h(n)); }
    auto special_hermite_polynomial_he(const Operand<Derived> &n) const { supported<0x0010>(); return plain(dynamic().special_hermite_polynomial_he(n)); }
    auto special_hermite_polynomial_he(Number n) const { supported<0x0010>(); return plain(dynamic().special_hermite_polynomial_he(n)); }
    auto special_laguerre_polynomial_l(const Operand<Derived> &n) const { supported<0x0010>(); return plain(dynamic().special_laguerre_polynomial_l(n)); }
    auto special_laguerre_polynomial_l(Number n) const { supported<0x0010>(); return plain(dynamic().special_laguerre_polynomial_l(n)); }
    auto special_legendre_polynomial_p(const Operand<Derived> &n) const { supported<0x0010>(); return plain(dynamic().special_legendre_polynomial_p(n)); }
    auto special_legendre_polynomial_p(Number n) const { supported<0x0010>(); return plain(dynamic().special_legendre_polynomial_p(n)); }
    auto polygamma(int64_t n) const { return typed<rules::Same>(dynamic().polygamma(n)); }
    Derived & polygamma_(int64_t n) { return wrote(dynamic().polygamma_(n)); }
    auto mvlgamma(int64_t p) const { return typed<rules::Same>(dynamic().mvlgamma(p)); }
    Derived & mvlgamma_(int64_t p) { return wrote(dynamic().mvlgamma_(p)); }
    auto special_multigammaln(int64_t p) const { return typed<rules::Same>(dynamic().special_multigammaln(p)); }
    Derived & special_multigammaln_(int64_t p) { return wrote(dynamic().special_multigammaln_(p)); }
};

/* clang-format on */

} // namespace tenon

#endif

/* every_helpers.h - a call of every operator of the table, for tests that go through all rows.
 *
 * Arguments are found by the type and the name of the parameter; `every_row` says what an operator wants otherwise. A new
 * operator whose parameters have the usual names needs nothing here.
 */
#ifndef TENON_EVERY_HELPERS_H
#define TENON_EVERY_HELPERS_H

#include "toy_backend.h"

#include "base/heap.h"

/* ---- the tensors that arguments are made of, by letter */

static inline tn_tensor *every_tensor(char letter) {
    static const int64_t whole[] = {0, 2, 1, 1, 0, 2}, lengths[] = {2, 2, 1};
    switch (letter) {
    case 'f': /* (3, 4), all different, between 0 and 1 */
    case 'c': /* the same, complex                      */
    case 'g': /* the same as float64                    */
    case 'n': /* the same as whole numbers from 1       */
    case 'b': /* the same as bool: all true             */
    {
        tn_tensor *x = tn_reshape(tn_arange_start(1, 13, 1, TN_FLOAT32), TN_DIMS(3, 4));
        return letter == 'f'   ? tn_div_scalar(x, 13)
               : letter == 'c' ? tn_to(x, TN_COMPLEX64)
               : letter == 'g' ? tn_to(x, TN_FLOAT64)
               : letter == 'n' ? tn_to(x, TN_INT64)
                               : tn_to(x, TN_BOOL);
    }
    case 't': return tn_div_scalar(tn_reshape(tn_arange_start(1, 25, 1, TN_FLOAT32), TN_DIMS(2, 3, 4)), 25);
    case 'v': return tn_linspace(0, 1, 3, TN_FLOAT32);
    case 'w': return tn_linspace(0, 1, 4, TN_FLOAT32);
    case 'z': return tn_scalar_tensor(0.5, TN_FLOAT32);
    case 'r': return tn_ones(TN_DIMS(3, 2), TN_FLOAT32);
    case 'i': return tn_clone(tn_from_memory(whole, TN_DIMS(3), TN_INT64, TN_BORROW), TN_CONTIGUOUS);
    case 'j': return tn_clone(tn_from_memory(whole, TN_DIMS(2, 3), TN_INT64, TN_BORROW), TN_CONTIGUOUS);
    case 'p': return tn_full(TN_DIMS(1), 3, TN_INT64);
    case 'm': return tn_reshape(tn_arange_start(1, 13, 1, TN_FLOAT32), TN_DIMS(4, 3));
    case 'd': return tn_ones(TN_DIMS(2), TN_FLOAT32);
    case 'q': return tn_ones(TN_DIMS(2, 3, 3), TN_FLOAT32);
    case 's': return tn_reshape(tn_arange_start(1, 10, 1, TN_FLOAT32), TN_DIMS(3, 3));
    case 'u': return tn_reshape(tn_arange_start(1, 25, 1, TN_FLOAT32), TN_DIMS(2, 4, 3));
    case 'o': return tn_reshape(tn_arange_start(1, 33, 1, TN_FLOAT32), TN_DIMS(2, 4, 4));
    case 'h': return tn_to(every_tensor('f'), TN_FLOAT16);
    case 'k': return tn_to(every_tensor('m'), TN_FLOAT16);
    case 'x': return tn_ones(TN_DIMS(3, 4), TN_INT8);
    case 'y': return tn_ones(TN_DIMS(4, 3), TN_INT8);
    case 'A': return tn_ones(TN_DIMS(2, 3), TN_FLOAT32);
    case 'B': return tn_ones(TN_DIMS(1, 2, 3, 4), TN_FLOAT32);
    case 'C': return tn_ones(TN_DIMS(1, 2, 3), TN_FLOAT32);
    case 'e': return tn_ones(TN_DIMS(4), TN_INT64);
    /* planes: two channels of volumes, and what pools of 2 by 2 give for 'o' and for 'V': indices, gradients, samples */
    case 'V': return tn_reshape(tn_arange_start(1, 129, 1, TN_FLOAT32), TN_DIMS(2, 4, 4, 4));
    case 'I': return tn_reshape(tn_arange(8, TN_INT64), TN_DIMS(2, 2, 2));
    case 'J': return tn_reshape(tn_arange(16, TN_INT64), TN_DIMS(2, 2, 2, 2));
    case 'G': return tn_ones(TN_DIMS(2, 2, 2), TN_FLOAT32);
    case 'Q': return tn_ones(TN_DIMS(2, 2, 2, 2), TN_FLOAT32);
    case 'S': return tn_full(TN_DIMS(1, 2, 2), 0.5, TN_FLOAT32);
    /* images and volumes with a batch, what is twice as large, and places in them; a number for each channel */
    case '#': return tn_reshape(tn_arange_start(1, 129, 1, TN_FLOAT32), TN_DIMS(1, 2, 4, 4, 4));
    case '%': return tn_ones(TN_DIMS(1, 2, 2, 2), TN_FLOAT32);
    case '&': return tn_ones(TN_DIMS(1, 2, 2, 2, 2), TN_FLOAT32);
    case '!': return tn_full(TN_DIMS(1, 2, 2, 2), 0.25, TN_FLOAT32);
    case '?': return tn_full(TN_DIMS(1, 2, 2, 2, 3), 0.25, TN_FLOAT32);
    case '^': return tn_ones(TN_DIMS(1, 2, 2), TN_FLOAT32);
    case '+': return tn_ones(TN_DIMS(1, 2, 4), TN_FLOAT32);
    /* a positive definite matrix, and pivots that exchange nothing */
    case '2': return tn_add_scalar(tn_mul_scalar(tn_eye(3, 3, TN_FLOAT32), 4), 1);
    case '3': return tn_arange_start(1, 4, 1, TN_INT32);
    case '~': return tn_ones(TN_DIMS(1, 1), TN_FLOAT32);
    case '*': return tn_ones(TN_DIMS(3, 1), TN_FLOAT32);
    case 'T': return tn_full(TN_DIMS(1, 2, 3), 0.5, TN_FLOAT32);
    case 'K': return tn_full(TN_DIMS(1, 3, 1), 0.25, TN_FLOAT32);
    case 'L': return tn_full(TN_DIMS(4, 4), 0.5, TN_FLOAT32);
    case 'M': return tn_full(TN_DIMS(4, 1), 0.5, TN_FLOAT32);
    case 'N': return tn_full(TN_DIMS(3, 1), 0.5, TN_FLOAT32);
    case 'O': return tn_full(TN_DIMS(1, 3, 3), 0.5, TN_FLOAT32);
    case 'P': return tn_add_scalar(tn_arange_start(1, -1, -1, TN_INT64), 1); /* 2, 1 */
    case 'R': return tn_full(TN_DIMS(1, 2, 1), 0.25, TN_FLOAT32);
    case 'U': return tn_full(TN_DIMS(1, 2, 3), 0.25, TN_FLOAT32);
    case 'W': return tn_clone(tn_from_memory(lengths, TN_DIMS(3), TN_INT64, TN_BORROW), TN_CONTIGUOUS);
    case 'X': return tn_full(TN_DIMS(3, 5), 0.5, TN_FLOAT32);
    case 'D': return tn_reshape(tn_arange_start(1, 33, 1, TN_FLOAT32), TN_DIMS(1, 2, 4, 4));
    case 'E': return tn_ones(TN_DIMS(2, 2, 3, 3), TN_FLOAT32);
    case 'F': return tn_reshape(tn_arange_start(1, 55, 1, TN_FLOAT32), TN_DIMS(1, 2, 3, 3, 3));
    case 'H': return tn_ones(TN_DIMS(2, 2, 2, 2, 2), TN_FLOAT32);
    case 'Y': return tn_reshape(tn_arange_start(1, 11, 1, TN_FLOAT32), TN_DIMS(1, 2, 5));
    case 'Z': return tn_reshape(tn_arange_start(1, 13, 1, TN_FLOAT32), TN_DIMS(2, 2, 3));
    case '@': return tn_reshape(tn_arange_start(1, 15, 1, TN_FLOAT32), TN_DIMS(1, 2, 7));
    case '<': return tn_arange_start(0, 3, 2, TN_INT64);                          /* 0, 2 */
    case '>': return tn_sub_scalar(tn_remainder_scalar(every_tensor('n'), 4), 1); /* (3, 4), from -1 to 2 */
    case '$': return tn_reshape(tn_arange_start(1, 73, 1, TN_FLOAT32), TN_DIMS(1, 8, 9));
    case '|': return tn_ones(TN_DIMS(3), TN_INT64);
    case ';': return tn_zeros(TN_DIMS(3, 2, 3), TN_FLOAT32);
    case ':': return tn_linspace(0, 1, 3, TN_FLOAT64);
    case '`': return tn_scalar_tensor(2, TN_FLOAT64);
    default: return NULL;
    }
}

/* What is wanted where the name does not say it: "parameter=value ...", for all variants of the operators of these names, a
 * name without its overload means all of them. The first row that names the parameter counts. */
static const struct every_row {
    const char *names, *values;
} every_row[] = {
    {"bitwise_and.scalar bitwise_or.scalar bitwise_xor.scalar bitwise_left_shift.scalar bitwise_right_shift.scalar gcd.scalar "
     "lcm.scalar",
     "self=n other=3"},
    {"bitwise_and.rscalar bitwise_or.rscalar bitwise_xor.rscalar bitwise_left_shift.rscalar bitwise_right_shift.rscalar",
     "self=3 other=n"},
    {"bitwise_and bitwise_or bitwise_xor bitwise_left_shift bitwise_right_shift bitwise_not gcd lcm", "self=n other=n"},
    {"_layer_norm_backward native_layer_norm_backward",
     "input=r grad_out=r normalized_shape=2 weight=d bias=d mean=* rstd=* eps=1 output_mask=1,1,1"}, /* exact in any order */
    {"native_layer_norm native_layer_norm_backward",
     "input=f normalized_shape=4 weight=w bias=w grad_out=f mean=* rstd=* output_mask=1,1,1 eps=1"},
    {"group_norm", "input=D num_groups=2 weight=d bias=d eps=1"},
    {"native_group_norm native_group_norm_backward",
     "input=D weight=d bias=d N=1 C=2 HxW=16 group=1 eps=1 grad_out=D mean=~ rstd=~ output_mask=1,1,1"},
    {"local_response_norm", "input=D size=2"},
    {"batch_norm native_batch_norm _native_batch_norm_legit _native_batch_norm_legit_no_training instance_norm native_batch_norm_backward",
     "input=D weight=d bias=d running_mean=d running_var=d save_mean=d save_invstd=d grad_out=D output_mask=1,1,1 eps=1"},
    {"upsample_nearest1d _upsample_nearest_exact1d upsample_linear1d", "self=+ output_size=2 scales=0"},
    {"upsample_nearest1d_backward _upsample_nearest_exact1d_backward upsample_linear1d_backward",
     "grad_output=^ output_size=2 input_size=1,2,4 scales=0"},
    {"upsample_nearest2d _upsample_nearest_exact2d upsample_bilinear2d upsample_bicubic2d _upsample_bilinear2d_aa "
     "_upsample_bicubic2d_aa",
     "self=D output_size=2,2 scales_h=0 scales_w=0"},
    {"upsample_nearest2d_backward _upsample_nearest_exact2d_backward upsample_bilinear2d_backward upsample_bicubic2d_backward "
     "_upsample_bilinear2d_aa_backward _upsample_bicubic2d_aa_backward",
     "grad_output=% output_size=2,2 input_size=1,2,4,4 scales_h=0 scales_w=0"},
    {"upsample_nearest3d _upsample_nearest_exact3d upsample_trilinear3d",
     "self=# output_size=2,2,2 scales_d=0 scales_h=0 scales_w=0"},
    {"upsample_nearest3d_backward _upsample_nearest_exact3d_backward upsample_trilinear3d_backward",
     "grad_output=& output_size=2,2,2 input_size=1,2,4,4,4 scales_d=0 scales_h=0 scales_w=0"},
    {"grid_sampler grid_sampler_2d grid_sampler_2d_backward",
     "input=D grid=! interpolation_mode=0 padding_mode=0 grad_output=% output_mask=1,1"},
    {"grid_sampler_3d grid_sampler_3d_backward",
     "input=# grid=? interpolation_mode=0 padding_mode=0 grad_output=& output_mask=1,1"},
    {"affine_grid_generator", "theta=C size=1,2,2,2"},
    {"pixel_shuffle", "self=u upscale_factor=1"},
    {"pixel_unshuffle", "self=o downscale_factor=2"},
    {"channel_shuffle native_channel_shuffle", "self=D groups=2"},
    {"max_unpool2d", "self=G indices=I output_size=4,4"},
    {"max_unpool3d", "self=Q indices=J output_size=4,4,4 stride=2,2,2 padding=0,0,0"},
    {"max_pool1d max_pool1d_with_indices avg_pool1d lp_pool1d adaptive_avg_pool1d adaptive_max_pool1d",
     "self=t kernel_size=2 stride=2 padding=0 dilation=1 output_size=2 norm_type=2"},
    {"max_pool2d max_pool2d_with_indices max_pool2d_with_indices_backward avg_pool2d avg_pool2d_backward lp_pool2d "
     "adaptive_avg_pool2d _adaptive_avg_pool2d _adaptive_avg_pool2d_backward adaptive_max_pool2d adaptive_max_pool2d_backward "
     "fractional_max_pool2d fractional_max_pool2d_backward",
     "self=o kernel_size=2,2 stride=2,2 padding=0,0 dilation=1,1 output_size=2,2 norm_type=2 grad_output=G indices=I "
     "random_samples=S"},
    {"max_pool3d max_pool3d_with_indices max_pool3d_with_indices_backward avg_pool3d avg_pool3d_backward lp_pool3d "
     "adaptive_avg_pool3d _adaptive_avg_pool3d _adaptive_avg_pool3d_backward adaptive_max_pool3d adaptive_max_pool3d_backward "
     "fractional_max_pool3d fractional_max_pool3d_backward",
     "self=V kernel_size=2,2,2 stride=2,2,2 padding=0,0,0 dilation=1,1,1 output_size=2,2,2 norm_type=2 grad_output=Q indices=J "
     "random_samples=T"},
    {"clamp.tensor clip.tensor", "min=f max=f"},
    {"clamp clip", "min=0 max=1"},
    {"div divide", "rounding_mode=floor"},
    {"float_power", "self=g"},
    {"gelu", "approximate=tanh"},
    {"H adjoint mH imag view_as_real view_as_real_copy", "self=c"},
    {"view_as_complex view_as_complex_copy", "self=r"},
    {"as_strided as_strided_copy as_strided_scatter empty_strided set", "stride=4,1 storage_offset=0"},
    {"permute permute_copy rot90 movedim moveaxis", "dims=1,0 source=0,1 destination=1,0"},
    {"unflatten", "dim=1 sizes=2,2"},
    {"split_with_sizes split_with_sizes_copy", "split_sizes=1,2"},
    {"dsplit", "self=t sections=2 indices=1,2"},
    {"tensor_split.tensor", "tensor_indices_or_sections=i"},
    {"hsplit vsplit tensor_split", "sections=1 indices=1,2"},
    {"sliding_window_view", "window=2 dims=1"},
    {"cartesian_prod meshgrid", "tensors=v"},
    {"segment_reduce", "data=f reduce=sum lengths=p"},
    {"combinations outer ger vander linalg_vander", "self=v vec2=w x=v"},
    {"repeat_interleave", "repeats=i dim=0"},
    {"roll", "shifts=1 dims=1"},
    {"pad constant_pad_nd", "pad=1,1"},
    {"cross linalg_cross", "dim=0"},
    {"scatter", "index=j reduce=add"},
    {"gather scatter_add scatter_reduce embedding", "index=j indices=j reduce=sum"},
    {"index_reduce", "reduce=prod"},
    {"index_fill.tensor masked_fill.tensor fill.tensor", "value=z mask=b"},
    {"masked_fill masked_select masked_scatter where", "mask=b condition=b"},
    {"put diagonal_scatter", "source=v src=v"},
    {"select_scatter", "src=w"},
    {"slice slice_copy", "start=0 end=2"},
    {"layer_norm rms_norm", "normalized_shape=4 weight=w bias=w"},
    {"one_hot bincount", "self=i weights=v"},
    {"quantile.scalar nanquantile.scalar", "q=0.5"},
    {"quantile nanquantile", "q=v"},
    {"searchsorted bucketize", "sorted_sequence=v boundaries=v"},
    {"histogramdd.edges", "self=r bins=v weight=v"},
    {"histogramdd", "self=* bins=2 weight=v"},
    {"gradient.coordinates", "self=s spacing=v dim=0,1"},
    {"gradient", "self=f dim=0,1"},
    {"unravel_index", "indices=i shape=2,3"},
    {"nonzero_static", "self=f size=14"},
    {"histogram.bins", "weight=f bins=v"},
    {"histogram", "weight=f bins=5"},
    {"cov", "fweights=e aweights=w"},
    {"cdist", "compute_mode=donot_use_mm_for_euclid_dist"},
    {"diff", "prepend=f append=f"},
    {"randint randint_like random", "low=1 high=9 from=1 to=9"},
    {"dirac", "self=t"},
    {"index setitem", "index=0: source=f"},
    {"linalg_cholesky_ex linalg_cholesky cholesky cholesky_inverse linalg_lu_factor_ex linalg_lu_factor linalg_lu linalg_inv_ex linalg_inv "
     "inverse _linalg_det linalg_det det _linalg_slogdet linalg_slogdet slogdet logdet linalg_ldl_factor_ex linalg_ldl_factor "
     "linalg_matrix_exp matrix_exp",
     "self=2 A=2"},
    {"linalg_qr qr", "mode=reduced"},
    {"linalg_matrix_norm.str_ord linalg_norm.ord_str", "ord=fro"},
    {"linalg_matrix_norm linalg_norm", "ord=1 dim=0,1"},
    {"_linalg_solve_ex linalg_solve_ex linalg_solve linalg_ldl_solve triangular_solve", "A=2 B=2 LD=2 pivots=3 self=r"},
    {"linalg_tensorinv", "self=2 ind=1"},
    {"linalg_tensorsolve", "self=2 other=v"},
    {"linalg_householder_product orgqr ormqr", "input=r tau=d self=r input3=2"},
    {"cholesky_solve linalg_solve_triangular", "self=2 input2=2 B=2"},
    {"linalg_eigh linalg_eigvalsh linalg_eig linalg_eigvals", "self=2"},
    {"linalg_cond.text norm.text", "self=2 p=fro dim=0,1"},
    {"linalg_cond", "self=2 p=2"},
    {"linalg_pinv.tensor linalg_pinv.rcond_tensor linalg_matrix_rank.tensor linalg_matrix_rank.tol_tensor",
     "self=2 atol=z rtol=z rcond=z tol=z"},
    {"linalg_lstsq", "self=2 b=2"},
    {"linalg_pinv linalg_matrix_rank", "self=2 atol=0.5 rtol=0.01 rcond=0.01 tol=0.5"},
    {"lu_unpack linalg_lu_solve lu_solve _linalg_pivots_to_matrix",
     "LU_data=2 LU_pivots=3 LU=2 pivots=3 B=2 self=r n=3 dtype=float32"},
    {"matmul linalg_matmul", "other=m"},
    {"mm.dtype", "self=h mat2=k out_dtype=float32"},
    {"mm", "mat2=m"},
    {"bmm.dtype bmm", "self=t mat2=u out_dtype=float32"},
    {"mv", "vec=w"},
    {"dot vdot", "self=w tensor=w other=w"},
    {"linalg_vecdot", "x=f y=w dim=-1"},
    {"addmm _addmm_activation", "self=s mat1=f mat2=m"},
    {"addmv", "self=v mat=f vec=w"},
    {"addbmm", "self=s batch1=t batch2=u"},
    {"baddbmm", "self=q batch1=t batch2=u"},
    {"addr", "vec1=v vec2=w"},
    {"linear", "input=f weight=f bias=v activation=relu residual=s"},
    {"bilinear", "input1=f input2=f weight=o bias=d"},
    {"matrix_power linalg_matrix_power", "self=s n=3"},
    {"_fft_c2c", "self=c dim=0,1 normalization=1"},
    {"_fft_r2c", "dim=0,1 normalization=2"},
    {"_fft_c2r", "self=c dim=0,1 normalization=0 last_dim_size=6"},
    {"fft_hfft2 fft_hfftn fft_irfft2 fft_irfftn fft_fft2 fft_fftn fft_ifft2 fft_ifftn fft_rfft2 fft_rfftn fft_ihfft2 fft_ihfftn",
     "s=5,6 dim=0,1 norm=ortho"},
    {"fft_fft fft_ifft fft_rfft fft_irfft fft_hfft fft_ihfft", "n=6 dim=1 norm=forward"},
    {"stft", "self=w n_fft=2 hop_length=1 win_length=2 window=d pad_mode=reflect onesided=1 return_complex=1"},
    {"istft", "self=c n_fft=4 hop_length=1 win_length=4 onesided=1 length=2 return_complex=0"},
    {"_int_mm", "self=x mat2=y"},
    {"_weight_int8pack_mm", "mat2=x scales=v"},
    {"_scaled_mm", "self=x mat2=y scale_a=z scale_b=z bias=v scale_result=z"},
    {"scaled_dot_product_attention _scaled_dot_product_attention_forward", "query=t key=t value=t attn_mask=s"},
    {"_scaled_dot_product_attention_backward _scaled_dot_product_attention_mask_backward",
     "grad_output=t query=t key=t value=t output=t logsumexp=A attn_mask=s"},
    {"_scaled_dot_product_flash_attention_for_cpu", "query=B key=B value=B attn_mask=s"},
    {"_scaled_dot_product_flash_attention_for_cpu_backward",
     "grad_out=B query=B key=B value=B out=B logsumexp=C attn_mask=s is_causal=0 dropout_p=0"},
    {"_dropout_bits", "size=3,4 p=0.5"},
    {"unique unique_consecutive", "return_inverse=1 return_counts=1"},
    {"einsum", "equation=ij,kj->ik"},
    {"linalg_multi_dot chain_matmul", "tensors=s matrices=s"},
    {"glu", "dim=1"},
    {"prelu", "weight=w"},
    {"embedding_renorm", "indices=i max_norm=1 norm_type=2"},
    {"embedding_dense_backward", "grad_output=f indices=i num_weights=3 padding_idx=1"},
    {"_embedding_bag embedding_bag",
     "weight=f indices=i offsets=< per_sample_weights=v mode=0 include_last_offset=0 padding_idx=1"},
    {"alpha_dropout feature_dropout feature_alpha_dropout", "p=0.5"},
    {"_cross_entropy_backward", "grad_output=z logs=: total=`"},
    {"nll_loss_nd nll_loss nll_loss2d cross_entropy_loss _cross_entropy _cross_entropy_backward multi_margin_loss",
     "target=i weight=w ignore_index=-100 reduction=1"},
    {"multilabel_margin_loss", "self=f target=>"},
    {"poisson_nll_loss", "eps=0.5 reduction=1"},
    {"cosine_embedding_loss", "target=v"},
    {"binary_cross_entropy binary_cross_entropy_with_logits", "weight=f pos_weight=w"},
    {"lstm.input", "input=t hx=KK params=LMww num_layers=1 bidirectional=0 batch_first=0"},
    {"gru.input", "input=t hx=K params=fNvv num_layers=1 bidirectional=0 batch_first=0"},
    {"rnn_tanh.input rnn_relu.input", "input=t hx=O params=fsvv num_layers=1 bidirectional=0 batch_first=0"},
    {"lstm.data", "data=f batch_sizes=P hx=RR params=LMww num_layers=1 bidirectional=0"},
    {"gru.data", "data=f batch_sizes=P hx=R params=fNvv num_layers=1 bidirectional=0"},
    {"rnn_tanh.data rnn_relu.data", "data=f batch_sizes=P hx=U params=fsvv num_layers=1 bidirectional=0"},
    {"lstm_cell", "input=f hx=NN w_ih=L w_hh=M b_ih=w b_hh=w"},
    {"gru_cell", "input=f hx=N w_ih=f w_hh=N b_ih=v b_hh=v"},
    {"rnn_tanh_cell rnn_relu_cell", "input=f hx=s w_ih=f w_hh=s b_ih=v b_hh=v"},
    {"_thnn_fused_lstm_cell", "input_gates=f hidden_gates=f cx=N input_bias=w hidden_bias=w"},
    {"_thnn_fused_lstm_cell_backward_impl", "grad_hy=N grad_cy=N cx=N cy=N workspace=f"},
    {"_thnn_fused_gru_cell", "input_gates=s hidden_gates=s hx=N input_bias=v hidden_bias=v"},
    {"_thnn_fused_gru_cell_backward", "grad_hy=N workspace=X"},
    {"_pack_padded_sequence", "input=t lengths=W batch_first=0"},
    {"_pad_packed_sequence", "data=f batch_sizes=P batch_first=0 padding_value=0 total_length=0"},
    {"conv1d.padding conv2d.padding conv3d.padding", "padding=same"},
    {"conv1d conv_transpose1d", "input=Y weight=Z bias=d"},
    {"conv2d conv_transpose2d", "input=D weight=E bias=d"},
    {"conv3d conv_transpose3d", "input=F weight=H bias=d"},
    {"conv_tbc", "self=t weight=u bias=v"},
    {"ctc_loss.tensor _ctc_loss _ctc_loss_backward",
     "log_probs=t targets=| input_lengths=| target_lengths=| grad_output=v neg_log_likelihood=v log_alpha=; blank=0"},
    {"ctc_loss", "log_probs=t targets=| blank=0 input_lengths=1,2,1 target_lengths=1,1,1"},
    {"reflection_pad1d reflection_pad2d reflection_pad3d replication_pad1d replication_pad2d replication_pad3d", "padding=1,1"},
    {"rrelu_with_noise", "noise=f"},
    {"native_dropout", "input=f p=0.5"},
    {"_batch_norm_training", "input=D weight=d bias=d eps=1"},
    {"convolution _convolution convolution.fused", "input=Y weight=Z bias=d activation=relu"},
    {"convolution_backward", "output_mask=1,1,1 bias_sizes=2"},
    {"convolution_backward convolution_backward_weight", "grad_output=@ input=Y weight=Z weight_size=2,2,3"},
    {"convolution _convolution convolution_backward convolution_backward_weight",
     "stride=1 padding=0 dilation=1 output_padding=0 groups=1"},
    {"im2col", "self=D"},
    {"im2col col2im", "self=$ output_size=4,4 kernel_size=2 dilation=1 padding=0 stride=1"},
    {NULL, NULL},
};

/* Finds "name=" in a row's values; NULL when it is not there. */
static inline const char *every_find(const char *values, const char *name) {
    size_t length = strlen(name);
    for (const char *at = values; at && *at; at = strchr(at, ' ') ? strchr(at, ' ') + 1 : NULL)
        if (strncmp(at, name, length) == 0 && at[length] == '=')
            return at + length + 1;
    return NULL;
}

static inline bool every_lists(const char *names, const char *word) {
    size_t length = strlen(word);
    for (const char *at = strstr(names, word); at; at = strstr(at + 1, word))
        if ((at == names || at[-1] == ' ') && (at[length] == ' ' || at[length] == 0))
            return true;
    return false;
}

static inline const char *every_wish(const tn_operator *op, const char *parameter) {
    char name[96];
    snprintf(name, sizeof name, "%s.%s", tn_operator_base(op), tn_operator_overload(op));
    for (const struct every_row *row = every_row; row->names; row++)
        if ((every_lists(row->names, name) || every_lists(row->names, tn_operator_base(op))) &&
            every_find(row->values, parameter))
            return every_find(row->values, parameter);
    return NULL;
}

/* ---- one call */

typedef struct every_call {
    const tn_operator *op;
    int64_t count, wrong; /* wrong: the argument that does not fit, or -1 */
    tn_value values[TN_MAX_PARAMETERS];
    int64_t dims[TN_MAX_PARAMETERS][5];
    tn_index_item items[1];
    const tn_tensor *lists[TN_MAX_PARAMETERS][4]; /* of each parameter that takes one */
    char text[32];
} every_call;

static inline bool every_is_result(const tn_operator *op, int64_t i) {
    int64_t results = tn_operator_result_count(op);
    return tn_operator_variant(op) == TN_VARIANT_OUT && i < (results ? results : 1);
}

static inline tn_value every_argument(every_call *call, int64_t i) {
    tn_parameter parameter = tn_operator_parameter(call->op, i);
    const char *wish = every_wish(call->op, parameter.name);
    switch ((int)parameter.type) {
    case TN_TYPE_TENSOR:
    case TN_TYPE_WRITTEN: return TN_V(every_tensor(wish ? *wish : strstr(parameter.name, "ind") ? 'i' : 'f'));
    case TN_TYPE_OPTIONAL: return wish ? TN_V(every_tensor(*wish)) : tn_value_none();
    case TN_TYPE_TENSORS: { /* one letter: two tensors of this kind */
        const tn_tensor **list = call->lists[i];
        size_t letters = wish ? strcspn(wish, " ") : 1;
        for (size_t k = 0; k < (letters == 1 ? 2 : letters); k++)
            list[k] = every_tensor(wish ? wish[letters == 1 ? 0 : k] : 'f');
        return tn_value_tensors(list, letters == 1 ? 2 : (int64_t)letters);
    }
    case TN_TYPE_STORAGE: return TN_V(tn_storage_of(every_tensor('f')));
    case TN_TYPE_INDEX: call->items[0] = TN_PICK(every_tensor('i')); return tn_value_index((tn_index_list){call->items, 1});
    case TN_TYPE_DTYPE: return wish || !parameter.standard ? TN_V((int)TN_FLOAT32) : tn_value_none();
    case TN_TYPE_DEVICE: return TN_V(TN_DEVICE_CPU);
    case TN_TYPE_FORMAT: return parameter.standard ? tn_value_none() : TN_V((int)TN_CONTIGUOUS);
    case TN_TYPE_GENERATOR: return tn_value_none();
    case TN_TYPE_FLOATS: {
        static const double range[] = {0.25, 1};
        return TN_V(((tn_floats){range, 2}));
    }
    }
    if (!wish && parameter.standard)
        return tn_value_none();
    int64_t *dims = call->dims[i], count = 0;
    switch ((int)parameter.type) {
    case TN_TYPE_DIMS:
        for (const char *at = wish                            ? wish
                              : strstr(parameter.name, "dim") ? "0"
                                                              : "3,4";
             at && *at && *at != ' ' && count < 5; at = strpbrk(at, ", ")) {
            at += *at == ',';
            dims[count++] = strtoll(at, NULL, 10);
        }
        return TN_V(((tn_dims){dims, count}));
    case TN_TYPE_INT: return TN_V((long)strtoll(wish ? wish : strstr(parameter.name, "dim") ? "0" : "1", NULL, 10));
    case TN_TYPE_BOOL: return TN_V((bool)(!wish || *wish != '0'));
    case TN_TYPE_TEXT:
        snprintf(call->text, sizeof call->text, "%.*s", (int)strcspn(wish ? wish : "", " "), wish ? wish : "");
        return TN_V(call->text);
    default:
        if (wish && !strchr(wish, '.'))
            return TN_V((long)strtoll(wish, NULL, 10));
        return TN_V(0.5);
    }
}

/* Fills the call with fresh arguments; those that an out variant writes to are empty and have the dtypes that the functional
 * variant gives. */
static inline void every_begin(every_call *call, const tn_operator *op, const tn_dtype *results) {
    call->op = op;
    call->wrong = -1;
    call->count = tn_operator_parameter_count(op);
    for (int64_t i = 0; i < call->count; i++)
        call->values[i] = every_is_result(op, i) ? TN_V(tn_empty(TN_DIMS(0), results[i])) : every_argument(call, i);
}

static inline tn_values every_values(const every_call *call) { return (tn_values){call->values, call->count}; }

enum { EVERY_RESULTS = 5 };

/* The dtypes of the results of the functional variant of an out operator. */
static inline void every_result_dtypes(const tn_operator *op, tn_dtype *dtypes) {
    char name[96];
    const char *overload = tn_operator_overload(op);
    snprintf(name, sizeof name, "%s%s%s", tn_operator_base(op), *overload ? "." : "", overload);
    const tn_operator *functional = tn_operator_find(name);
    every_call call;
    tn_value made;
    for (int64_t i = 0; i < EVERY_RESULTS; i++)
        dtypes[i] = TN_FLOAT32;
    if (tn_operator_variant(op) != TN_VARIANT_OUT || !functional)
        return;
    every_begin(&call, functional, NULL);
    if (tn_operator_call(functional, every_values(&call), &made) != TN_OK)
        return;
    for (int64_t i = 0; i < EVERY_RESULTS; i++)
        if (made.kind == TN_VALUE_TENSOR || (made.kind == TN_VALUE_LIST && i < tn_list_count(made.as.list)))
            dtypes[i] = tn_dtype_of(made.kind == TN_VALUE_TENSOR ? made.as.tensor : tn_list_at(made.as.list, i));
}

/* The arguments in one number: sizes, strides and bytes of every tensor on the CPU. */
static inline uint64_t every_mix(uint64_t sum, const void *bytes, size_t count) {
    for (size_t i = 0; i < count; i++)
        sum = (sum ^ ((const unsigned char *)bytes)[i]) * UINT64_C(1099511628211);
    return sum;
}

static inline uint64_t every_sum(const every_call *call) {
    uint64_t sum = UINT64_C(14695981039346656037);
    for (int64_t i = 0; i < call->count; i++) {
        const tn_tensor *tensor = call->values[i].kind == TN_VALUE_TENSOR    ? call->values[i].as.tensor
                                  : call->values[i].kind == TN_VALUE_TENSORS ? call->lists[i][0]
                                                                             : NULL;
        if (!tensor || call->wrong == i || tn_device_of(tensor).type != TN_CPU)
            continue;
        const tn_storage *storage = tn_storage_of(tensor);
        sum = every_mix(sum, tn_sizes(tensor).values, (size_t)tn_ndim(tensor) * 8);
        sum = every_mix(sum, tn_strides(tensor).values, (size_t)tn_ndim(tensor) * 8);
        sum = every_mix(sum, tn_storage_data(storage), tn_storage_nbytes(storage));
    }
    return sum;
}

/* ---- all rows */

typedef void (*every_trial)(const tn_operator *op, const tn_dtype *results);

static inline void every_try(every_trial trial) {
    for (int64_t i = 0; i < tn_operator_count(); i++) {
        const tn_operator *op = tn_operator_at(i);
        if (strstr(tn_operator_name(op), "::"))
            continue;
        tn_scope scope = tn_scope_open();
        tn_dtype results[EVERY_RESULTS];
        every_result_dtypes(op, results);
        trial(op, results);
        CHECK(tn_scope_close(scope) == TN_OK);
    }
}

static inline void every_complain(const every_call *call, const char *about) {
    test_fail(__FILE__, __LINE__, "%s%s, %s: [%s] %s", tn_operator_name(call->op), tn_operator_signature(call->op), about,
              tn_error_name(tn_error_code()), tn_error_message());
}

/* Puts a tensor in the place of argument i, or of the second of its tensors; false where none is expected. */
static inline bool every_replace(every_call *call, int64_t i, const tn_tensor *tensor) {
    tn_type type = tn_operator_parameter(call->op, i).type;
    call->wrong = i;
    if (type == TN_TYPE_TENSORS)
        call->lists[i][1] = tensor;
    else
        call->values[i] = tn_value_tensor(tensor);
    return type == TN_TYPE_TENSOR || type == TN_TYPE_WRITTEN || type == TN_TYPE_TENSORS;
}

/* ---- faults */

static inline int64_t every_bytes(void) {
    tn_memory_stats stats = {.struct_size = sizeof stats};
    CHECK(tn_memory_stats_of(TN_CPU, &stats) == TN_OK);
    return stats.bytes.current;
}

/* Makes the call harder: what is changed in place has gaps, results begin empty in the memory of an argument that is read, and
 * what is true by default is false. */
static inline void every_complicate(every_call *call) {
    for (int64_t i = 0; i < call->count; i++) {
        tn_parameter parameter = tn_operator_parameter(call->op, i);
        const tn_tensor *tensor = call->values[i].kind == TN_VALUE_TENSOR ? call->values[i].as.tensor : NULL;
        if (parameter.type == TN_TYPE_BOOL && parameter.standard && strcmp(parameter.standard, "true") == 0)
            call->values[i] = TN_V((bool)false);
        else if (every_is_result(call->op, i) && i == 0) { /* two may not share memory with each other */
            for (int64_t k = call->count - 1; k > i; k--) {
                const tn_tensor *read = call->values[k].kind == TN_VALUE_TENSOR ? call->values[k].as.tensor : NULL;
                if (read && tn_dtype_of(read) == tn_dtype_of(tensor) && !every_is_result(call->op, k))
                    call->values[i] = TN_V(tn_narrow(tn_reshape(read, TN_DIMS(-1)), 0, 0, 0));
            }
        } else if (parameter.written && !every_is_result(call->op, i) && strcmp(tn_operator_group(call->op), "view") != 0) {
            tn_tensor *wide = tn_repeat_interleave(tensor, 2, -1, TN_NONE);
            call->values[i] = TN_V(tn_slice(wide, -1, TN_NONE, TN_NONE, -2));
        }
    }
}

/* The call with each of its allocations failing in turn: an error, nothing changed, nothing left behind. `run` calls it. */
typedef tn_error (*every_run)(const every_call *call);

static inline void every_survive(const tn_operator *op, const tn_dtype *results, bool hard, every_run run) {
    bool hit = true;
    for (int64_t k = 1; hit; k++) {
        int64_t bytes = every_bytes(), objects = tni_heap_live();
        tn_scope scope = tn_scope_open();
        every_call call;
        every_begin(&call, op, results);
        if (hard)
            every_complicate(&call);
        if (tn_error_code() != TN_OK)
            every_complain(&call, "arguments could not be made");
        uint64_t before = every_sum(&call);
        tni_fault_arm(k);
        tn_error code = run(&call);
        hit = tni_fault_disarm();
        if (code != TN_OK && (code != TN_ERROR_MEMORY || !hit))
            every_complain(&call, "an allocation failed");
        if (code != TN_OK && every_sum(&call) != before)
            every_complain(&call, "an allocation failed and an argument was changed");
        tn_error_clear();
        CHECK(tn_scope_close(scope) == TN_OK);
        if (every_bytes() != bytes || tni_heap_live() != objects)
            every_complain(&call, "an allocation failed and others leaked");
    }
}

/* ---- results */

static inline bool every_same(const tn_tensor *near, const tn_tensor *far) {
    tn_tensor *fetched = toy_fetch(far), *here = toy_fetch(near);
    if (!fetched || !here || tn_dtype_of(here) != tn_dtype_of(fetched) || tn_ndim(here) != tn_ndim(fetched) ||
        memcmp(tn_sizes(here).values, tn_sizes(fetched).values, (size_t)tn_ndim(here) * sizeof(int64_t)) != 0)
        return false;
    return tn_numel(here) == 0 ||
           memcmp(tn_data(here), tn_data(fetched), (size_t)tn_numel(here) * (size_t)tn_element_size(here)) == 0;
}

static inline bool every_same_result(const tn_value *near, const tn_value *far) {
    if (near->kind != far->kind)
        return false;
    if (near->kind == TN_VALUE_TENSOR)
        return every_same(near->as.tensor, far->as.tensor);
    if (near->kind != TN_VALUE_LIST)
        return near->kind != TN_VALUE_BOOL || near->as.boolean == far->as.boolean;
    bool same = tn_list_count(near->as.list) == tn_list_count(far->as.list);
    for (int64_t i = 0; same && i < tn_list_count(near->as.list); i++)
        same = every_same(tn_list_at(near->as.list, i), tn_list_at(far->as.list, i));
    return same;
}

#endif

/* operators.h - the functions of the table (table.c), by the file that has them, and the numbers by which rows that share one differ. */
#ifndef TNI_INTERCHANGE_ONNX_OPERATORS_H
#define TNI_INTERCHANGE_ONNX_OPERATORS_H

#include "interchange/onnx/run.h"

enum {
    TNI_ONNX_LEAKY = 1,
    TNI_ONNX_ELU,
    TNI_ONNX_SELU,
    TNI_ONNX_CELU,
    TNI_ONNX_HARD_SIGMOID,
    TNI_ONNX_THRESHOLDED,
    TNI_ONNX_GELU,
    TNI_ONNX_SWISH,
    TNI_ONNX_SHRINK
};
enum {
    TNI_ONNX_SUM = 1,
    TNI_ONNX_PROD,
    TNI_ONNX_MAX,
    TNI_ONNX_MIN,
    TNI_ONNX_MEAN,
    TNI_ONNX_L1,
    TNI_ONNX_L2,
    TNI_ONNX_SQUARES,
    TNI_ONNX_LOG_SUM,
    TNI_ONNX_LOG_SUM_EXP
};

/* Each runs one call: see run.h. */
/* math.c */
bool tni_onnx_activation(tni_onnx_call *call);
bool tni_onnx_arg(tni_onnx_call *call);
bool tni_onnx_binary(tni_onnx_call *call);
bool tni_onnx_bit_shift(tni_onnx_call *call);
bool tni_onnx_cast(tni_onnx_call *call);
bool tni_onnx_clip(tni_onnx_call *call);
bool tni_onnx_div(tni_onnx_call *call);
bool tni_onnx_dropout(tni_onnx_call *call);
bool tni_onnx_einsum(tni_onnx_call *call);
bool tni_onnx_gemm(tni_onnx_call *call);
bool tni_onnx_identity(tni_onnx_call *call);
bool tni_onnx_is_inf(tni_onnx_call *call);
bool tni_onnx_mod(tni_onnx_call *call);
bool tni_onnx_pow(tni_onnx_call *call);
bool tni_onnx_prelu(tni_onnx_call *call);
bool tni_onnx_reduce(tni_onnx_call *call);
bool tni_onnx_scan_sum(tni_onnx_call *call);
bool tni_onnx_softmax(tni_onnx_call *call);
bool tni_onnx_top(tni_onnx_call *call);
bool tni_onnx_unary(tni_onnx_call *call);
bool tni_onnx_variadic(tni_onnx_call *call);
bool tni_onnx_where(tni_onnx_call *call);
/* shape.c */
bool tni_onnx_center_crop_pad(tni_onnx_call *call);
bool tni_onnx_compress(tni_onnx_call *call);
bool tni_onnx_concat(tni_onnx_call *call);
bool tni_onnx_constant_node(tni_onnx_call *call);
bool tni_onnx_constant_of_shape(tni_onnx_call *call);
bool tni_onnx_depth_to_space(tni_onnx_call *call);
bool tni_onnx_expand(tni_onnx_call *call);
bool tni_onnx_eye_like(tni_onnx_call *call);
bool tni_onnx_flatten(tni_onnx_call *call);
bool tni_onnx_gather(tni_onnx_call *call);
bool tni_onnx_gather_elements(tni_onnx_call *call);
bool tni_onnx_gather_nd(tni_onnx_call *call);
bool tni_onnx_non_max_suppression(tni_onnx_call *call);
bool tni_onnx_nonzero(tni_onnx_call *call);
bool tni_onnx_one_hot(tni_onnx_call *call);
bool tni_onnx_pad(tni_onnx_call *call);
bool tni_onnx_random(tni_onnx_call *call);
bool tni_onnx_range(tni_onnx_call *call);
bool tni_onnx_reshape(tni_onnx_call *call);
bool tni_onnx_reverse_sequence(tni_onnx_call *call);
bool tni_onnx_scatter_elements(tni_onnx_call *call);
bool tni_onnx_scatter_nd(tni_onnx_call *call);
bool tni_onnx_shape(tni_onnx_call *call);
bool tni_onnx_size(tni_onnx_call *call);
bool tni_onnx_slice(tni_onnx_call *call);
bool tni_onnx_split(tni_onnx_call *call);
bool tni_onnx_squeeze(tni_onnx_call *call);
bool tni_onnx_tile(tni_onnx_call *call);
bool tni_onnx_transpose(tni_onnx_call *call);
bool tni_onnx_trilu(tni_onnx_call *call);
bool tni_onnx_unique(tni_onnx_call *call);
bool tni_onnx_unsqueeze(tni_onnx_call *call);
/* nn.c */
bool tni_onnx_attention(tni_onnx_call *call);
bool tni_onnx_average_pool(tni_onnx_call *call);
bool tni_onnx_batch_norm(tni_onnx_call *call);
bool tni_onnx_conv(tni_onnx_call *call);
bool tni_onnx_conv_integer(tni_onnx_call *call);
bool tni_onnx_conv_transpose(tni_onnx_call *call);
bool tni_onnx_dequantize(tni_onnx_call *call);
bool tni_onnx_dynamic_quantize(tni_onnx_call *call);
bool tni_onnx_global_pool(tni_onnx_call *call);
bool tni_onnx_group_norm(tni_onnx_call *call);
bool tni_onnx_instance_norm(tni_onnx_call *call);
bool tni_onnx_layer_norm(tni_onnx_call *call);
bool tni_onnx_local_response(tni_onnx_call *call);
bool tni_onnx_loss(tni_onnx_call *call);
bool tni_onnx_lp_norm(tni_onnx_call *call);
bool tni_onnx_lp_pool(tni_onnx_call *call);
bool tni_onnx_matmul_integer(tni_onnx_call *call);
bool tni_onnx_max_pool(tni_onnx_call *call);
bool tni_onnx_max_unpool(tni_onnx_call *call);
bool tni_onnx_mean_variance(tni_onnx_call *call);
bool tni_onnx_qlinear_conv(tni_onnx_call *call);
bool tni_onnx_qlinear_matmul(tni_onnx_call *call);
bool tni_onnx_quantize(tni_onnx_call *call);
bool tni_onnx_rotary(tni_onnx_call *call);
/* image.c */
bool tni_onnx_affine_grid(tni_onnx_call *call);
bool tni_onnx_col2im(tni_onnx_call *call);
bool tni_onnx_dft(tni_onnx_call *call);
bool tni_onnx_grid_sample(tni_onnx_call *call);
bool tni_onnx_mel(tni_onnx_call *call);
bool tni_onnx_resize(tni_onnx_call *call);
bool tni_onnx_stft(tni_onnx_call *call);
bool tni_onnx_window(tni_onnx_call *call);
/* recurrence.c */
bool tni_onnx_recurrent(tni_onnx_call *call);
/* control.c */
bool tni_onnx_if(tni_onnx_call *call);
bool tni_onnx_loop(tni_onnx_call *call);
bool tni_onnx_scan(tni_onnx_call *call);
bool tni_onnx_sequence(tni_onnx_call *call);

#endif

/* rows_layers.c - what stands between the products of a network: pooling, norms, resampling, losses, and a recurrent layer. The limit of those
 * that touch each element a few times is reading and writing it.
 */
#include "bench.h"

#define LAYER(name, x, y, result)                                                                                              \
    static void name##_setup(bench_inputs *inputs) {                                                                           \
        inputs->a = x;                                                                                                         \
        inputs->b = y;                                                                                                         \
    }                                                                                                                          \
    static void name(bench_inputs *inputs, int64_t times) {                                                                    \
        for (; times > 0; times--)                                                                                             \
            tn_release(result);                                                                                                \
    }
#define NO TN_DIMS()
#define RANDOM(...) bench_random(TN_DIMS(__VA_ARGS__), TN_FLOAT32)

static tn_tensor *layers_last(void) {
    tn_tensor *x = RANDOM(16, 64, 56, 56), *made = tn_contiguous(x, TN_CHANNELS_LAST);
    tn_release(x);
    return made;
}

/* The numbers of classes, one for each row. */
static tn_tensor *layers_classes(void) { return tn_arange(512, TN_INT64); }

LAYER(layers_max, RANDOM(16, 64, 56, 56), NULL, tn_max_pool2d(inputs->a, TN_DIMS(3), TN_DIMS(2), TN_DIMS(1), NO, false))
LAYER(layers_max_last, layers_last(), NULL, tn_max_pool2d(inputs->a, TN_DIMS(3), TN_DIMS(2), TN_DIMS(1), NO, false))
LAYER(layers_mean, RANDOM(16, 64, 56, 56), NULL, tn_avg_pool2d(inputs->a, TN_DIMS(2), NO, NO, false, true, TN_NONE))
LAYER(layers_batch, RANDOM(16, 64, 56, 56), RANDOM(64),
      tn_batch_norm(inputs->a, inputs->b, inputs->b, inputs->b, inputs->b, false, 0.1, 1e-5, false))
LAYER(layers_group, RANDOM(16, 64, 56, 56), RANDOM(64), tn_group_norm(inputs->a, 8, inputs->b, inputs->b, 1e-5, false))
LAYER(layers_larger, RANDOM(1, 16, 256, 256), NULL,
      tn_upsample_bilinear2d(inputs->a, TN_DIMS(512, 512), false, TN_NO_SCALAR, TN_NO_SCALAR))
LAYER(layers_grid, RANDOM(4, 16, 128, 128), RANDOM(4, 128, 128, 2), tn_grid_sampler_2d(inputs->a, inputs->b, 0, 0, false))
LAYER(layers_entropy, RANDOM(512, 1000), layers_classes(), tn_cross_entropy_loss(inputs->a, inputs->b, NULL, 1, -100, 0))
static tn_tensor *layers_entropy_back(bench_inputs *inputs) {
    tn_tensor *loss = tn_cross_entropy_loss(inputs->a, inputs->b, NULL, 1, -100, 0);
    (void)tn_backward(loss, NULL);
    (void)tn_tensor_set_grad(inputs->a, NULL);
    return loss;
}
LAYER(layers_entropy_both, tn_requires_grad_(RANDOM(512, 1000), true), layers_classes(), layers_entropy_back(inputs))
LAYER(layers_square, RANDOM(1000000), RANDOM(1000000), tn_mse_loss(inputs->a, inputs->b, 1))

#define STREAMED(label, function, read, written, goal, before, call)                                                           \
    {                                                                                                                          \
        .name = label, .setup = function##_setup, .run = function, .limit = BENCH_LIMIT_STREAM, .reads = read,                 \
        .writes = written, .target = goal, .torch = {                                                                          \
            "import torch.nn.functional as F; " before,                                                                        \
            call                                                                                                               \
        }                                                                                                                      \
    }

/* clang-format off */
const bench_workload bench_rows_layers[] = {
    STREAMED("max_pool2d 3 stride 2; 16 x 64 of 56 x 56", layers_max, 12845056, 3211264, 0, "x = torch.rand(16, 64, 56, 56)", "F.max_pool2d(x, 3, 2, 1)"),
    STREAMED("max_pool2d 3 stride 2; channels last", layers_max_last, 12845056, 3211264, 0, "x = torch.rand(16, 64, 56, 56).to(memory_format=torch.channels_last)", "F.max_pool2d(x, 3, 2, 1)"),
    STREAMED("avg_pool2d 2; 16 x 64 of 56 x 56", layers_mean, 12845056, 3211264, 0, "x = torch.rand(16, 64, 56, 56)", "F.avg_pool2d(x, 2)"),
    STREAMED("batch_norm by given statistics; 16 x 64 of 56 x 56", layers_batch, 12845056, 12845056, 0.9, "x = torch.rand(16, 64, 56, 56); w = torch.rand(64)", "F.batch_norm(x, w, w, w, w)"),
    STREAMED("group_norm 8; 16 x 64 of 56 x 56", layers_group, 12845056, 12845056, 0, "x = torch.rand(16, 64, 56, 56); w = torch.rand(64)", "F.group_norm(x, 8, w, w)"),
    STREAMED("interpolate bilinear; 16 of 256 x 256 to 512 x 512", layers_larger, 4194304, 16777216, 0, "x = torch.rand(1, 16, 256, 256)", "F.interpolate(x, size=(512, 512), mode='bilinear')"),
    STREAMED("grid_sample bilinear; 4 x 16 of 128 x 128", layers_grid, 4718592, 4194304, 0, "x = torch.rand(4, 16, 128, 128); g = torch.rand(4, 128, 128, 2)", "F.grid_sample(x, g, align_corners=False)"),
    STREAMED("cross_entropy; 512 x 1000", layers_entropy, 2048000, 4, 0, "x = torch.rand(512, 1000); t = torch.arange(512)", "F.cross_entropy(x, t)"),
    STREAMED("cross_entropy forward and backward; 512 x 1000", layers_entropy_both, 4096000, 2048000, 0, "x = torch.rand(512, 1000, requires_grad=True); t = torch.arange(512)", "(F.cross_entropy(x, t).backward(), setattr(x, 'grad', None))"),
    STREAMED("mse_loss; 1e6", layers_square, 8000000, 4, 0, "x = torch.rand(1000000); y = torch.rand(1000000)", "F.mse_loss(x, y)"),
    {.name = NULL},
};
/* clang-format on */

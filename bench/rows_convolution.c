/* rows_convolution.c - convolutions of the usual kinds, with batches of one, and channels first and last. The limit is the FMA loop of
 * limit_fma.c.
 */
#include "bench.h"

/* A convolution of images `x` with weights `w`; the numbers behind are those of tn_conv2d. */
#define CONVOLUTION(name, x, w, result)                                                                                        \
    static void name##_setup(bench_inputs *inputs) {                                                                           \
        inputs->a = bench_random(x, TN_FLOAT32);                                                                               \
        inputs->b = bench_random(w, TN_FLOAT32);                                                                               \
    }                                                                                                                          \
    static void name(bench_inputs *inputs, int64_t times) {                                                                    \
        for (; times > 0; times--)                                                                                             \
            tn_release(result);                                                                                                \
    }
#define CONVOLUTION_2D(stride, padding, dilation, groups)                                                                      \
    tn_conv2d(inputs->a, inputs->b, NULL, TN_DIMS(stride), TN_DIMS(padding), TN_DIMS(dilation), groups)
CONVOLUTION(convolution_3, TN_DIMS(1, 64, 56, 56), TN_DIMS(64, 64, 3, 3), CONVOLUTION_2D(1, 1, 1, 1))
CONVOLUTION(convolution_1, TN_DIMS(1, 64, 56, 56), TN_DIMS(64, 64, 1, 1), CONVOLUTION_2D(1, 0, 1, 1))
CONVOLUTION(convolution_5, TN_DIMS(1, 64, 56, 56), TN_DIMS(64, 64, 5, 5), CONVOLUTION_2D(2, 2, 1, 1))
CONVOLUTION(convolution_7, TN_DIMS(1, 3, 224, 224), TN_DIMS(64, 3, 7, 7), CONVOLUTION_2D(2, 3, 1, 1))
CONVOLUTION(convolution_planes, TN_DIMS(1, 128, 56, 56), TN_DIMS(128, 1, 3, 3), CONVOLUTION_2D(1, 1, 1, 128))
CONVOLUTION(convolution_groups, TN_DIMS(1, 128, 56, 56), TN_DIMS(128, 4, 3, 3), CONVOLUTION_2D(1, 1, 1, 32))
CONVOLUTION(convolution_dilated, TN_DIMS(1, 64, 56, 56), TN_DIMS(64, 64, 3, 3), CONVOLUTION_2D(1, 2, 2, 1))
CONVOLUTION(convolution_sound, TN_DIMS(1, 64, 16000), TN_DIMS(64, 64, 9),
            tn_conv1d(inputs->a, inputs->b, NULL, TN_DIMS(1), TN_DIMS(4), TN_DIMS(1), 1))
CONVOLUTION(convolution_turned, TN_DIMS(1, 64, 28, 28), TN_DIMS(64, 64, 4, 4),
            tn_conv_transpose2d(inputs->a, inputs->b, NULL, TN_DIMS(2), TN_DIMS(1), TN_DIMS(0), 1, TN_DIMS(1)))

static void convolution_last_setup(bench_inputs *inputs) {
    convolution_3_setup(inputs);
    tn_tensor *a = tn_contiguous(inputs->a, TN_CHANNELS_LAST), *b = tn_contiguous(inputs->b, TN_CHANNELS_LAST);
    tn_release(inputs->a);
    tn_release(inputs->b);
    inputs->a = a;
    inputs->b = b;
}

#define CONVOLUTION_ROW(row_name, function, muls, goal, images, weights, call, python)                                         \
    {                                                                                                                          \
        .name = row_name, .setup = function##_setup, .run = function, .limit = BENCH_LIMIT_FMA, .multiplications = muls,       \
        .target = goal, .torch_cpp = {"auto x = at::rand({" images "}), y = at::rand({" weights "});", "at::" call},           \
        .torch = {                                                                                                             \
            "x = torch.rand(" images "); y = torch.rand(" weights ")",                                                         \
            "torch." python                                                                                                    \
        }                                                                                                                      \
    }

/* clang-format off */
const bench_workload bench_rows_convolution[] = {
    CONVOLUTION_ROW("conv2d 3 x 3; 64 of 56 x 56", convolution_3, 115605504, 0.7, "1, 64, 56, 56", "64, 64, 3, 3", "conv2d(x, y, {}, 1, 1)", "conv2d(x, y, None, 1, 1)"),
    CONVOLUTION_ROW("conv2d 1 x 1; 64 of 56 x 56", convolution_1, 12845056, 0, "1, 64, 56, 56", "64, 64, 1, 1", "conv2d(x, y)", "conv2d(x, y)"),
    CONVOLUTION_ROW("conv2d 5 x 5 stride 2; 64 of 56 x 56", convolution_5, 80281600, 0, "1, 64, 56, 56", "64, 64, 5, 5", "conv2d(x, y, {}, 2, 2)", "conv2d(x, y, None, 2, 2)"),
    CONVOLUTION_ROW("conv2d 7 x 7 stride 2; 3 of 224 x 224", convolution_7, 118013952, 0, "1, 3, 224, 224", "64, 3, 7, 7", "conv2d(x, y, {}, 2, 3)", "conv2d(x, y, None, 2, 3)"),
    CONVOLUTION_ROW("conv2d 3 x 3 dilation 2; 64 of 56 x 56", convolution_dilated, 115605504, 0, "1, 64, 56, 56", "64, 64, 3, 3", "conv2d(x, y, {}, 1, 2, 2)", "conv2d(x, y, None, 1, 2, 2)"),
    CONVOLUTION_ROW("conv2d 3 x 3 depthwise; 128 of 56 x 56", convolution_planes, 3612672, 0, "1, 128, 56, 56", "128, 1, 3, 3", "conv2d(x, y, {}, 1, 1, 1, 128)", "conv2d(x, y, None, 1, 1, 1, 128)"),
    CONVOLUTION_ROW("conv2d 3 x 3, 32 groups; 128 of 56 x 56", convolution_groups, 14450688, 0, "1, 128, 56, 56", "128, 4, 3, 3", "conv2d(x, y, {}, 1, 1, 1, 32)", "conv2d(x, y, None, 1, 1, 1, 32)"),
    CONVOLUTION_ROW("conv1d 9; 64 of 16000", convolution_sound, 589824000, 0, "1, 64, 16000", "64, 64, 9", "conv1d(x, y, {}, 1, 4)", "conv1d(x, y, None, 1, 4)"),
    CONVOLUTION_ROW("conv_transpose2d 4 x 4 stride 2; 64 of 28 x 28", convolution_turned, 51380224, 0, "1, 64, 28, 28", "64, 64, 4, 4", "conv_transpose2d(x, y, {}, 2, 1)", "conv_transpose2d(x, y, None, 2, 1)"),
    {.name = "conv2d 3 x 3; 64 of 56 x 56; channels last", .setup = convolution_last_setup, .run = convolution_3, .limit = BENCH_LIMIT_FMA, .multiplications = 115605504, .target = 0.7,
     .torch_cpp = {"auto x = at::rand({1, 64, 56, 56}).contiguous(at::MemoryFormat::ChannelsLast), y = at::rand({64, 64, 3, 3}).contiguous(at::MemoryFormat::ChannelsLast);", "at::conv2d(x, y, {}, 1, 1)"},
     .torch = {"x = torch.rand(1, 64, 56, 56).to(memory_format=torch.channels_last); y = torch.rand(64, 64, 3, 3).to(memory_format=torch.channels_last)", "torch.conv2d(x, y, None, 1, 1)"}},
    {.name = NULL},
};
/* clang-format on */

/* digits_convolution.c - two convolutions and a linear layer learn to read digits, with what larger networks need: weight decay for
 * some parameters and not for others, a learning rate that rises and falls, and clipped gradients.
 *
 *     build/examples/digits_convolution [--epochs N] [--csv] [--split N] [--svg FILE]
 *
 * digits_mlp.c is the place to begin. This program, too, succeeds if at least 97 of 100 digits that it was not shown are read right.
 */
#include "digits_train.h"

enum { FIRST = 16, SECOND = 32 };

typedef struct network {
    tn_parameters *weights, *biases; /* two groups of the optimiser */
    tn_tensor *conv1, *bias1, *conv2, *bias2, *linear, *bias3;
    tn_optimizer *adamw;
    tn_schedule *cycle;
} network;

/* Images of size x size become half as wide and high twice. */
static bool network_make(void *room, int64_t size, int64_t steps, tn_generator *generator) {
    network *net = room;
    int64_t inputs = SECOND * (size / 4) * (size / 4);
    net->weights = tn_parameters_new();
    net->biases = tn_parameters_new();
    net->conv1 = tn_parameters_draw(net->weights, "conv1", TN_DIMS(FIRST, 1, 3, 3), 1 / sqrt(9), generator);
    net->conv2 = tn_parameters_draw(net->weights, "conv2", TN_DIMS(SECOND, FIRST, 3, 3), 1 / sqrt(9 * FIRST), generator);
    net->linear = tn_parameters_draw(net->weights, "linear", TN_DIMS(10, inputs), 1 / sqrt((double)inputs), generator);
    net->bias1 = tn_parameters_draw(net->biases, "conv1", TN_DIMS(FIRST), 0, NULL);
    net->bias2 = tn_parameters_draw(net->biases, "conv2", TN_DIMS(SECOND), 0, NULL);
    net->bias3 = tn_parameters_draw(net->biases, "linear", TN_DIMS(10), 0, NULL);
    net->adamw = net->linear && net->bias3 ? tn_optimizer_new("adamw", net->weights) : NULL;
    tn_one_cycle cycle = TN_ONE_CYCLE(0.01, steps + 1);
    if (!net->adamw || tn_optimizer_add_group(net->adamw, net->biases) != 1 ||
        tn_optimizer_set_group(net->adamw, 1, "weight_decay", 0) != TN_OK)
        return false;
    net->cycle = tn_schedule_one_cycle(net->adamw, &cycle);
    return net->cycle != NULL;
}

/* A convolution that looks at every second place, and relu: (batch, from, s, s) to (batch, to, s / 2, s / 2). */
static tn_tensor *halved(const tn_tensor *images, const tn_tensor *weight, const tn_tensor *bias) {
    return tn_relu(tn_conv2d(images, weight, bias, TN_DIMS(2), TN_DIMS(1), TN_DIMS(1), 1));
}

static tn_tensor *network_scores(const void *room, const tn_tensor *images) {
    const network *net = room;
    tn_tensor *seen = halved(halved(images, net->conv1, net->bias1), net->conv2, net->bias2);
    return tn_linear(tn_flatten(seen, 1, -1), net->linear, net->bias3);
}

/* One step by hand, for what lies between backward and step. */
static bool network_step(void *room, const tn_tensor *loss) {
    network *net = room;
    return tn_optimizer_zero_grad(net->adamw, true) == TN_OK && tn_backward(loss, NULL) == TN_OK &&
           tn_parameters_clip_grad_norm(net->weights, 1, 2, true, NULL) == TN_OK && tn_optimizer_step(net->adamw) == TN_OK &&
           tn_schedule_step(net->cycle) == TN_OK;
}

int main(int argc, char **argv) {
    static network room;
    const digits_network net = {.title = "digits, two convolutions",
                                .room = &room,
                                .epochs = 3,
                                .epochs_csv = 80,
                                .make = network_make,
                                .scores = network_scores,
                                .step = network_step};
    return digits_main(&net, argc, argv);
}

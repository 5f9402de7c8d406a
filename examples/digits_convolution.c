/* digits_convolution.c - two convolutions and a linear layer learn to read digits, with what larger networks need: weight decay for
 * some parameters and not for others, a learning rate that rises and falls, and clipped gradients.
 *
 *     build/examples/digits_convolution [--epochs N] [--csv] [--svg FILE]
 *
 * digits_mlp.c is the place to begin. This program, too, succeeds if at least 97 of 100 digits that it was not shown are read right.
 */
#include "digits.h"
#include "progress.h"

enum { BATCH = 50, FIRST = 16, SECOND = 32 };

typedef struct network {
    tn_parameters *weights, *biases; /* two groups of the optimiser */
    tn_tensor *conv1, *bias1, *conv2, *bias2, *linear, *bias3;
} network;

/* Images of size x size become half as wide and high twice. */
static bool network_make(network *net, int64_t size, tn_generator *generator) {
    int64_t inputs = SECOND * (size / 4) * (size / 4);
    net->weights = tn_parameters_new();
    net->biases = tn_parameters_new();
    net->conv1 = tn_parameters_draw(net->weights, "conv1", TN_DIMS(FIRST, 1, 3, 3), 1 / sqrt(9), generator);
    net->conv2 = tn_parameters_draw(net->weights, "conv2", TN_DIMS(SECOND, FIRST, 3, 3), 1 / sqrt(9 * FIRST), generator);
    net->linear = tn_parameters_draw(net->weights, "linear", TN_DIMS(10, inputs), 1 / sqrt((double)inputs), generator);
    net->bias1 = tn_parameters_draw(net->biases, "conv1", TN_DIMS(FIRST), 0, NULL);
    net->bias2 = tn_parameters_draw(net->biases, "conv2", TN_DIMS(SECOND), 0, NULL);
    net->bias3 = tn_parameters_draw(net->biases, "linear", TN_DIMS(10), 0, NULL);
    return net->linear && net->bias3;
}

/* A convolution that looks at every second place, and relu: (batch, from, s, s) to (batch, to, s / 2, s / 2). */
static tn_tensor *halved(const tn_tensor *images, const tn_tensor *weight, const tn_tensor *bias) {
    return tn_relu(tn_conv2d(images, weight, bias, TN_DIMS(2), TN_DIMS(1), TN_DIMS(1), 1));
}

static tn_tensor *network_scores(const network *net, const tn_tensor *images) {
    tn_tensor *seen = halved(halved(images, net->conv1, net->bias1), net->conv2, net->bias2);
    return tn_linear(tn_flatten(seen, 1, -1), net->linear, net->bias3);
}

static double accuracy(const network *net, const digits *all) {
    tn_scope scope = tn_scope_open();
    tn_grad_mode before = tn_grad_mode_set(TN_GRAD_OFF);
    tn_tensor *images = tn_slice(all->images, 0, all->count - all->held, all->count, 1);
    tn_tensor *labels = tn_slice(all->labels, 0, all->count - all->held, all->count, 1);
    tn_tensor *right = tn_eq(tn_argmax(network_scores(net, images), 1, false), labels);
    double share = tn_item_double(tn_mean(right, TN_FLOAT32));
    (void)tn_grad_mode_set(before);
    tn_scope_close(scope);
    return share;
}

/* One step by hand, for what lies between backward and step. */
static bool step(tn_optimizer *optimizer, const network *net, const tn_tensor *loss) {
    return tn_optimizer_zero_grad(optimizer, true) == TN_OK && tn_backward(loss, NULL) == TN_OK &&
           tn_parameters_clip_grad_norm(net->weights, 1, 2, true, NULL) == TN_OK && tn_optimizer_step(optimizer) == TN_OK;
}

static bool train(const network *net, const digits *all, int64_t epochs, tn_generator *generator, progress *p) {
    int64_t taught = all->count - all->held, batches = taught / BATCH;
    tn_optimizer *adamw = tn_optimizer_new("adamw", net->weights);
    tn_one_cycle cycle = TN_ONE_CYCLE(0.01, epochs * batches + 1);
    if (tn_optimizer_add_group(adamw, net->biases) != 1 || tn_optimizer_set_group(adamw, 1, "weight_decay", 0) != TN_OK)
        return false;
    tn_schedule *schedule = tn_schedule_one_cycle(adamw, &cycle);
    progress_begin(p, epochs * batches, BATCH);
    for (int64_t epoch = 0; epoch < epochs && schedule; epoch++) {
        tn_scope of_epoch = tn_scope_open();
        tn_tensor *order = tn_randperm(taught, TN_INT64, generator);
        for (int64_t b = 0; b < batches && order; b++) {
            tn_scope of_step = tn_scope_open();
            tn_tensor *picked = tn_slice(order, 0, b * BATCH, (b + 1) * BATCH, 1);
            tn_tensor *scores = network_scores(net, digits_varied(all, picked, generator));
            tn_tensor *loss = tn_cross_entropy_loss(scores, tn_index_select(all->labels, 0, picked), NULL, 1, -100, 0);
            if (step(adamw, net, loss) && tn_schedule_step(schedule) == TN_OK)
                progress_step(p, tn_item_double(loss));
            tn_scope_close(of_step);
        }
        tn_scope_close(of_epoch);
    }
    return p->made == p->steps && tn_error_code() == TN_OK;
}

static int run(const digits_options *options) {
    static progress p;
    digits all;
    network net;
    tn_generator *generator = tn_generator_new(TN_PHILOX, 2026);
    if (!digits_load(&all, options))
        return 1;
    int64_t epochs = options->epochs ? options->epochs : options->csv ? 60 : 3;
    if (!network_make(&net, all.size, generator) || !train(&net, &all, epochs, generator, &p)) {
        fprintf(stderr, "%s\n", tn_error_message());
        return 1;
    }
    progress_curve(&p);
    if (options->svg && !progress_svg(&p, options->svg, "digits, two convolutions"))
        perror(options->svg);
    double share = accuracy(&net, &all);
    printf("%.1f %% of the digits held back are read right\n", 100 * share);
    return share >= 0.97 ? 0 : 1;
}

int main(int argc, char **argv) {
    digits_options options;
    if (!digits_arguments(&options, argc, argv))
        return 2;
    tn_scope scope = tn_scope_open();
    int status = run(&options);
    tn_scope_close(scope);
    return status;
}

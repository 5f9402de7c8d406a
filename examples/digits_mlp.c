/* digits_mlp.c - a network of two layers learns to read digits. The loop around it is in digits_train.h.
 *
 *     build/examples/digits_mlp [--epochs N] [--csv] [--split N] [--svg FILE]
 *
 * --csv reads scikit-learn's digits from standard input (digits.h says how), --split holds another fifth of them back, --svg writes the
 * curve of the loss. The program succeeds if at least 97 of 100 digits that it was not shown are read right.
 */
#include "digits_train.h"

enum { HIDDEN = 256 };

typedef struct network {
    tn_parameters *parameters;
    tn_tensor *w1, *b1, *w2, *b2; /* in the set, which holds them */
    tn_optimizer *adam;
    tn_schedule *falling;
} network;

static bool network_make(void *room, int64_t size, int64_t steps, tn_generator *generator) {
    network *net = room;
    int64_t inputs = size * size;
    double small = 1 / sqrt((double)inputs), less = 1 / sqrt(HIDDEN);
    net->parameters = tn_parameters_new();
    net->w1 = tn_parameters_draw(net->parameters, "hidden.weight", TN_DIMS(HIDDEN, inputs), small, generator);
    net->b1 = tn_parameters_draw(net->parameters, "hidden.bias", TN_DIMS(HIDDEN), small, generator);
    net->w2 = tn_parameters_draw(net->parameters, "output.weight", TN_DIMS(10, HIDDEN), less, generator);
    net->b2 = tn_parameters_draw(net->parameters, "output.bias", TN_DIMS(10), less, generator);
    net->adam = net->b2 ? tn_optimizer_new("adam", net->parameters) : NULL;
    if (!net->adam || tn_optimizer_set(net->adam, "lr", 0.003) != TN_OK)
        return false;
    net->falling = tn_schedule_cosine(net->adam, steps, 0);
    return net->falling != NULL;
}

static tn_tensor *network_scores(const void *room, const tn_tensor *images) {
    const network *net = room;
    tn_tensor *pixels = tn_flatten(images, 1, -1);
    return tn_linear(tn_relu(tn_linear(pixels, net->w1, net->b1)), net->w2, net->b2);
}

static bool network_step(void *room, const tn_tensor *loss) {
    network *net = room;
    return tn_optimizer_minimize(net->adam, loss) == TN_OK && tn_schedule_step(net->falling) == TN_OK;
}

int main(int argc, char **argv) {
    static network room;
    const digits_network net = {.title = "digits, two layers",
                                .room = &room,
                                .epochs = 6,
                                .epochs_csv = 200,
                                .make = network_make,
                                .scores = network_scores,
                                .step = network_step};
    return digits_main(&net, argc, argv);
}

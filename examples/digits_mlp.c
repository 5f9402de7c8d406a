/* digits_mlp.c - a network of two layers learns to read digits: everything that training in C is made of, in one page.
 *
 *     build/examples/digits_mlp [--epochs N] [--csv] [--svg FILE]
 *
 * --csv reads scikit-learn's digits from standard input (digits.h says how), --svg writes the curve of the loss. The program
 * succeeds if at least 97 of 100 digits that it was not shown are read right.
 */
#include "digits.h"
#include "progress.h"

enum { BATCH = 50, HIDDEN = 256 };

typedef struct network {
    tn_parameters *parameters;
    tn_tensor *w1, *b1, *w2, *b2; /* in the set, which holds them */
} network;

static bool network_make(network *net, int64_t inputs, tn_generator *generator) {
    double small = 1 / sqrt((double)inputs), less = 1 / sqrt(HIDDEN);
    net->parameters = tn_parameters_new();
    net->w1 = tn_parameters_draw(net->parameters, "hidden.weight", TN_DIMS(HIDDEN, inputs), small, generator);
    net->b1 = tn_parameters_draw(net->parameters, "hidden.bias", TN_DIMS(HIDDEN), small, generator);
    net->w2 = tn_parameters_draw(net->parameters, "output.weight", TN_DIMS(10, HIDDEN), less, generator);
    net->b2 = tn_parameters_draw(net->parameters, "output.bias", TN_DIMS(10), less, generator);
    return net->b2 != NULL;
}

/* A score for each of ten digits: (batch, 1, size, size) to (batch, 10). */
static tn_tensor *network_scores(const network *net, const tn_tensor *images) {
    tn_tensor *pixels = tn_flatten(images, 1, -1);
    return tn_linear(tn_relu(tn_linear(pixels, net->w1, net->b1)), net->w2, net->b2);
}

/* The share of the digits that were held back which get their highest score for what they are. */
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

static bool train(const network *net, const digits *all, int64_t epochs, tn_generator *generator, progress *p) {
    int64_t taught = all->count - all->held, batches = taught / BATCH;
    tn_optimizer *adam = tn_optimizer_new("adam", net->parameters);
    (void)tn_optimizer_set(adam, "lr", 0.003);
    tn_schedule *falling = tn_schedule_cosine(adam, epochs * batches, 0);
    progress_begin(p, epochs * batches, BATCH);
    for (int64_t epoch = 0; epoch < epochs && falling; epoch++) {
        tn_scope of_epoch = tn_scope_open();
        tn_tensor *order = tn_randperm(taught, TN_INT64, generator);
        for (int64_t b = 0; b < batches && order; b++) {
            tn_scope of_step = tn_scope_open();
            tn_tensor *picked = tn_slice(order, 0, b * BATCH, (b + 1) * BATCH, 1);
            tn_tensor *scores = network_scores(net, digits_varied(all, picked, generator));
            tn_tensor *loss = tn_cross_entropy_loss(scores, tn_index_select(all->labels, 0, picked), NULL, 1, -100, 0);
            if (tn_optimizer_minimize(adam, loss) == TN_OK && tn_schedule_step(falling) == TN_OK)
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
    int64_t epochs = options->epochs ? options->epochs : options->csv ? 60 : 6;
    if (!network_make(&net, all.size * all.size, generator) || !train(&net, &all, epochs, generator, &p)) {
        fprintf(stderr, "%s\n", tn_error_message());
        return 1;
    }
    progress_curve(&p);
    if (options->svg && !progress_svg(&p, options->svg, "digits, two layers"))
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

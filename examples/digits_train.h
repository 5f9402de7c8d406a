/* digits_train.h - training and choosing, for networks that read digits: what digits_mlp.c and digits_convolution.c have in common.
 *
 * How much pictures are varied is chosen by cross-validation within the digits that may be learned from: each choice is tried three times,
 * each time with another third to be judged by. The digits held back are looked at once, at the end.
 */
#ifndef EXAMPLES_DIGITS_TRAIN_H
#define EXAMPLES_DIGITS_TRAIN_H

#include "digits.h"
#include "progress.h"

enum { DIGITS_BATCH = 50, DIGITS_FOLDS = 3 };

/* A network and how it learns. `room` is the program's own struct. */
typedef struct digits_network {
    const char *title;
    void *room;
    int64_t epochs, epochs_csv;
    bool (*make)(void *room, int64_t size, int64_t steps, tn_generator *generator); /* new parameters and their optimiser */
    tn_tensor *(*scores)(const void *room, const tn_tensor *images);                /* (batch, 1, size, size) to (batch, 10) */
    bool (*step)(void *room, const tn_tensor *loss);
} digits_network;

/* The share of some digits that get their highest score for what they are. */
static inline double digits_accuracy(const digits_network *net, const digits *all, const tn_tensor *numbers) {
    tn_scope scope = tn_scope_open();
    tn_grad_mode before = tn_grad_mode_set(TN_GRAD_OFF);
    tn_tensor *scores = net->scores(net->room, tn_index_select(all->images, 0, numbers));
    tn_tensor *right = tn_eq(tn_argmax(scores, 1, false), tn_index_select(all->labels, 0, numbers));
    double share = tn_item_double(tn_mean(right, TN_FLOAT32));
    (void)tn_grad_mode_set(before);
    tn_scope_close(scope);
    return share;
}

/* Learns from the digits of these numbers. p may be NULL. */
static inline bool digits_teach(const digits_network *net, const digits *all, const tn_tensor *numbers, int64_t epochs,
                                const digits_variation *variation, progress *p) {
    tn_generator *generator = tn_generator_new(TN_PHILOX, 2026);
    int64_t count = tn_numel(numbers), batches = count / DIGITS_BATCH;
    bool good = net->make(net->room, all->size, epochs * batches, generator);
    if (p)
        progress_begin(p, epochs * batches, DIGITS_BATCH);
    for (int64_t epoch = 0; epoch < epochs && good; epoch++) {
        tn_scope of_epoch = tn_scope_open();
        tn_tensor *order = tn_index_select(numbers, 0, tn_randperm(count, TN_INT64, generator));
        for (int64_t b = 0; b < batches && good; b++) {
            tn_scope of_step = tn_scope_open();
            tn_tensor *picked = tn_slice(order, 0, b * DIGITS_BATCH, (b + 1) * DIGITS_BATCH, 1);
            tn_tensor *scores = net->scores(net->room, digits_varied(all, picked, variation, generator));
            tn_tensor *loss = tn_cross_entropy_loss(scores, tn_index_select(all->labels, 0, picked), NULL, 1, -100, 0);
            good = loss && net->step(net->room, loss);
            if (good && p)
                progress_step(p, tn_item_double(loss));
            tn_scope_close(of_step);
        }
        tn_scope_close(of_epoch);
    }
    return good;
}

/* The mean share of what each third of the digits to learn from is read right by a network that learned from the others; below 0 where
 * something fails. */
static inline double digits_try(const digits_network *net, const digits *all, int64_t epochs,
                                const digits_variation *variation) {
    int64_t taught = all->count - all->held;
    double sum = 0;
    for (int64_t fold = 0; fold < DIGITS_FOLDS; fold++) {
        tn_scope scope = tn_scope_open();
        int64_t from = taught * fold / DIGITS_FOLDS, to = taught * (fold + 1) / DIGITS_FOLDS;
        const tn_tensor *others[] = {tn_arange(tn_scalar_int(from), TN_INT64),
                                     tn_arange_start(tn_scalar_int(to), tn_scalar_int(taught), tn_scalar_int(1), TN_INT64)};
        tn_tensor *judged = tn_arange_start(tn_scalar_int(from), tn_scalar_int(to), tn_scalar_int(1), TN_INT64);
        bool good = judged && digits_teach(net, all, tn_cat(others, 2, 0), epochs, variation, NULL);
        sum += good ? digits_accuracy(net, all, judged) : -DIGITS_FOLDS;
        tn_scope_close(scope);
    }
    return sum / DIGITS_FOLDS;
}

static inline digits_variation digits_choose(const digits_network *net, const digits *all, int64_t epochs) {
    static const digits_variation choices[] = {{0, 0, 0.2}, {0.5, 0.1, 0.1}, {0.5, 0.1, 0.2}, {0.5, 0.2, 0.2}};
    digits_variation best = choices[0];
    double most = -1;
    for (size_t i = 0; i < sizeof choices / sizeof choices[0]; i++) {
        double share = digits_try(net, all, epochs, &choices[i]);
        printf("moved by %.1f pixels, turned by %.2f, noise %.1f: %.2f %% in cross-validation\n", choices[i].moved,
               choices[i].turned, choices[i].noise, 100 * share);
        if (share > most) {
            most = share;
            best = choices[i];
        }
    }
    return best;
}

static inline int digits_run(const digits_network *net, const digits_options *options) {
    static progress p;
    digits all;
    if (!digits_load(&all, options))
        return 1;
    int64_t taught = all.count - all.held, epochs = options->csv ? net->epochs_csv : net->epochs;
    if (options->epochs)
        epochs = options->epochs;
    digits_variation variation = {1, 0, 0.2};
    if (options->csv)
        variation = digits_choose(net, &all, epochs);
    tn_tensor *held = tn_arange_start(tn_scalar_int(taught), tn_scalar_int(all.count), tn_scalar_int(1), TN_INT64);
    if (!held || !digits_teach(net, &all, tn_arange(tn_scalar_int(taught), TN_INT64), epochs, &variation, &p)) {
        fprintf(stderr, "%s\n", tn_error_message());
        return 1;
    }
    progress_curve(&p);
    if (options->svg && !progress_svg(&p, options->svg, net->title))
        perror(options->svg);
    double share = digits_accuracy(net, &all, held);
    printf("%.1f %% of the digits held back are read right\n", 100 * share);
    return share >= 0.97 ? 0 : 1;
}

static inline int digits_main(const digits_network *net, int argc, char **argv) {
    digits_options options;
    if (!digits_arguments(&options, argc, argv))
        return 2;
    tn_scope scope = tn_scope_open();
    int status = digits_run(net, &options);
    tn_scope_close(scope);
    return status;
}

#endif

/* tour_train.c - the chapters of the tour about products, gradients and training. The digits are those of the examples. */
#include <math.h>
#include <stdio.h>

#include "../../examples/digits.h"
#include "../../examples/progress.h"
#include "tour.h"

bool tour_products(void) {
    terminal_text(
        "Matrix products take any strides and dtypes; here a matrix meets its own transpose, which is a view. Larger ones are "
        "cut into blocks for the caches and among threads, with the same bits for any number of them.");
    tn_tensor *x = tn_from_text("[[1, 2, 3], [4, 5, 6]]", TN_FLOAT32);
    terminal_code("tn_matmul(x, tn_t(x))                        /* x is [[1, 2, 3], [4, 5, 6]] */");
    if (!tour_show_elements(tn_matmul(x, tn_t(x))))
        return false;
    enum { SIZE = 512 };
    tn_tensor *a = tn_rand(TN_DIMS(SIZE, SIZE), TN_FLOAT32, NULL), *c = tn_matmul(a, a);
    double began = progress_clock();
    terminal_code("tn_matmul_out(c, a, a);                      /* 512 x 512, float32 */");
    if (!tn_matmul_out(c, a, a))
        return false;
    terminal_fact("time", "%.2f ms", 1000 * (progress_clock() - began));
    const tn_tensor *both[] = {a, a};
    terminal_code("tn_einsum(\"ij,ij->i\", both, 2)                /* the squared length of each row */");
    return tour_show_elements(tn_slice(tn_einsum("ij,ij->i", both, 2), 0, 0, 3, 1));
}

bool tour_gradients(void) {
    terminal_text(
        "A tensor that requires a gradient makes operators record what they did; tn_backward reads that from the end. The "
        "derivative of the sum of sin(x)^2 is 2 sin(x) cos(x).");
    terminal_code("tn_tensor *x = tn_requires_grad_(tn_from_text(\"[0, 0.5, 1]\", TN_FLOAT64), true);");
    tn_tensor *x = tn_requires_grad_(tn_from_text("[0, 0.5, 1]", TN_FLOAT64), true);
    terminal_code("tn_tensor *y = tn_sum(tn_square(tn_sin(x)), TN_DTYPE_DEFAULT);");
    tn_tensor *y = tn_sum(tn_square(tn_sin(x)), TN_DTYPE_DEFAULT);
    char graph[1024];
    if (tn_graph_show(y, TN_GRAPH_TEXT, graph, sizeof graph) < 0)
        return false;
    terminal_code("tn_graph_show(y, TN_GRAPH_TEXT, ...)");
    for (char *line = strtok(graph, "\n"); line; line = strtok(NULL, "\n"))
        printf("    %s\n", line);
    terminal_code("tn_backward(y, NULL); tn_tensor_grad(x)");
    return tn_backward(y, NULL) == TN_OK && tour_show_elements(tn_tensor_grad(x));
}

enum { TRAIN_BATCH = 50, TRAIN_HIDDEN = 128, TRAIN_EPOCHS = 4 };

/* Two layers: w[0] and w[2] are weights, w[1] and w[3] biases. */
static tn_tensor *train_scores(tn_tensor *const w[4], const tn_tensor *images) {
    return tn_linear(tn_relu(tn_linear(tn_flatten(images, 1, -1), w[0], w[1])), w[2], w[3]);
}

static bool train_epoch(const digits *all, tn_tensor *const w[4], tn_optimizer *adam, tn_generator *generator, progress *p) {
    int64_t taught = all->count - all->held;
    tn_tensor *order = tn_randperm(taught, TN_INT64, generator);
    bool fine = order != NULL;
    for (int64_t b = 0; b < taught / TRAIN_BATCH && fine; b++) {
        tn_scope scope = tn_scope_open();
        tn_tensor *picked = tn_slice(order, 0, b * TRAIN_BATCH, (b + 1) * TRAIN_BATCH, 1);
        tn_tensor *scores = train_scores(w, tn_index_select(all->images, 0, picked));
        tn_tensor *loss = tn_cross_entropy_loss(scores, tn_index_select(all->labels, 0, picked), NULL, 1, -100, 0);
        fine = tn_optimizer_minimize(adam, loss) == TN_OK;
        if (fine)
            progress_step(p, tn_item_double(loss));
        tn_scope_close(scope);
    }
    return fine;
}

bool tour_training(void) {
    static progress p;
    terminal_text(
        "A network of two layers learns to read digits that the program draws: moved, turned, and under noise. A tenth of them is held "
        "back and asked for at the end.");
    digits all;
    if (!digits_drawn(&all, 3000, 1))
        return false;
    digits_show(&all, 8);
    tn_generator *generator = tn_generator_new(TN_PHILOX, 2026);
    tn_parameters *net = tn_parameters_new();
    double wide = 1.0 / DIGITS_SIZE, narrow = 1 / sqrt(TRAIN_HIDDEN);
    terminal_code(
        "w[0] = tn_parameters_draw(net, \"hidden.weight\", TN_DIMS(128, 16 * 16), 1.0 / 16, generator);     /* ... */");
    tn_tensor *w[4] = {
        tn_parameters_draw(net, "hidden.weight", TN_DIMS(TRAIN_HIDDEN, DIGITS_SIZE * DIGITS_SIZE), wide, generator),
        tn_parameters_draw(net, "hidden.bias", TN_DIMS(TRAIN_HIDDEN), 0, NULL),
        tn_parameters_draw(net, "output.weight", TN_DIMS(10, TRAIN_HIDDEN), narrow, generator),
        tn_parameters_draw(net, "output.bias", TN_DIMS(10), 0, NULL),
    };
    terminal_code("tn_optimizer *adam = tn_optimizer_new(\"adam\", net);");
    tn_optimizer *adam = tn_optimizer_new("adam", net);
    terminal_code("scores = tn_linear(tn_relu(tn_linear(tn_flatten(images, 1, -1), w[0], w[1])), w[2], w[3]);");
    terminal_code("loss = tn_cross_entropy_loss(scores, labels, NULL, 1, -100, 0);");
    terminal_code("tn_optimizer_minimize(adam, loss);           /* 54 times an epoch, 4 epochs */");
    if (tn_optimizer_set(adam, "lr", 0.003) != TN_OK)
        return false;
    progress_begin(&p, TRAIN_EPOCHS * ((all.count - all.held) / TRAIN_BATCH), TRAIN_BATCH);
    for (int epoch = 0; epoch < TRAIN_EPOCHS; epoch++)
        if (!train_epoch(&all, w, adam, generator, &p))
            return false;
    double seconds = progress_clock() - p.began;
    progress_curve(&p);
    int64_t taught = all.count - all.held;
    tn_tensor *scores = train_scores(w, tn_slice(all.images, 0, taught, all.count, 1));
    tn_tensor *right = tn_eq(tn_argmax(scores, 1, false), tn_slice(all.labels, 0, taught, all.count, 1));
    double share = tn_item_double(tn_mean(right, TN_FLOAT32));
    terminal_fact("read right", "%.1f %% of %d digits that it has not seen", 100 * share, (int)all.held);
    terminal_fact("time", "%.2f s, %.0f digits a second", seconds, (double)(p.made * p.each) / seconds);
    return tn_error_code() == TN_OK;
}

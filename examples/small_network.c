/* small_network.c - a convolutional network in a page: two layers and a mean tell apart lines that stand, lie and lean.
 *
 * The weights of the first layer are lines of three pixels; with relu behind them they answer to such lines only. The second layer
 * lets each kind speak against the others. Everything is a whole number, so every machine prints the same.
 */
#include <stdio.h>
#include <tenon/tenon.h>

enum { IMAGES = 3, SIZE = 8 };

/* One channel of SIZE x SIZE, dark but for a line: standing, lying, leaning. */
static tn_tensor *draw_images(void) {
    tn_tensor *images = tn_zeros(TN_DIMS(IMAGES, 1, SIZE, SIZE), TN_FLOAT32);
    for (int64_t i = 1; i < SIZE - 1; i++) {
        tn_set_element(images, TN_DIMS(0, 0, i, 3), tn_scalar_int(1));
        tn_set_element(images, TN_DIMS(1, 0, 5, i), tn_scalar_int(1));
        tn_set_element(images, TN_DIMS(2, 0, i, i), tn_scalar_int(1));
    }
    return images;
}

int main(void) {
    static const char *const names[] = {"standing", "lying", "leaning"};
    tn_scope scope = tn_scope_open();
    tn_tensor *lines = tn_from_text("[[[[-1, 2, -1], [-1, 2, -1], [-1, 2, -1]]],"
                                    " [[[-1, -1, -1], [2, 2, 2], [-1, -1, -1]]],"
                                    " [[[2, -1, -1], [-1, 2, -1], [-1, -1, 2]]]]",
                                    TN_FLOAT32); /* (3, 1, 3, 3) */
    tn_tensor *against = tn_from_text("[[2, -1, -1], [-1, 2, -1], [-1, -1, 2]]", TN_FLOAT32);
    tn_tensor *threshold = tn_from_text("[-2, -2, -2]", TN_FLOAT32);

    tn_tensor *images = draw_images(); /* (3, 1, 8, 8) */
    tn_tensor *found =
        tn_convolution_fused(images, lines, threshold, TN_DIMS(1), TN_DIMS(1), TN_DIMS(1), false, TN_DIMS(0), 1, "relu");
    tn_tensor *scores = tn_conv2d(found, tn_reshape(against, TN_DIMS(3, 3, 1, 1)), NULL, TN_DIMS(1), TN_DIMS(0), TN_DIMS(1), 1);
    tn_tensor *sums = tn_sum_dim(scores, TN_DIMS(2, 3), false, TN_FLOAT32); /* (3, 3) */
    tn_tensor *kinds = tn_argmax(sums, 1, false);

    if (kinds) {
        tn_print(sums, stdout);
        for (int64_t i = 0; i < IMAGES; i++)
            printf("image %d: a %s line\n", (int)i, names[tn_get_int64(kinds, TN_DIMS(i))]);
    } else
        fprintf(stderr, "%s\n", tn_error_message());
    bool failed = !kinds;
    tn_scope_close(scope);
    return failed;
}

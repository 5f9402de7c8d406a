/* first_training.c - a line through points, found by gradients; its middle is in the README. */
#include <stdio.h>
#include <tenon/tenon.h>

int main(void) {
    tn_scope scope = tn_scope_open();
    tn_tensor *x = tn_linspace(-1, 1, 20, TN_FLOAT32);
    tn_tensor *y = tn_add_scalar(tn_mul_scalar(x, 3), 0.5); /* what is to be found: 3 and 0.5 */

    tn_parameters *line = tn_parameters_new();
    tn_tensor *slope = tn_parameters_draw(line, "slope", TN_DIMS(1), 0, NULL);
    tn_tensor *height = tn_parameters_draw(line, "height", TN_DIMS(1), 0, NULL);
    tn_optimizer *adam = tn_optimizer_new("adam", line);
    (void)tn_optimizer_set(adam, "lr", 0.1);

    for (int step = 0; step < 200; step++) {
        tn_scope one = tn_scope_open(); /* what a step makes is gone at its end */
        tn_tensor *loss = tn_mse_loss(tn_add(tn_mul(x, slope), height), y, 1);
        (void)tn_optimizer_minimize(adam, loss); /* gradients, and a step along them */
        tn_scope_close(one);
    }

    if (tn_error_code() == TN_OK)
        printf("y = %.2f x + %.2f\n", tn_item_double(slope), tn_item_double(height));
    else
        fprintf(stderr, "%s\n", tn_error_message());
    bool failed = tn_error_code() != TN_OK;
    tn_scope_close(scope);
    return failed;
}

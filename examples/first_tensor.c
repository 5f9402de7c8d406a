/* first_tensor.c - the README's example: a slice, a transpose and some arithmetic, and one check for all errors. */
#include <stdio.h>
#include <tenon/tenon.h>

int main(void) {
    tn_scope scope = tn_scope_open();

    tn_tensor *base = tn_arange(12, TN_INT64);
    tn_tensor *view = tn_view(base, TN_DIMS(3, 4));
    tn_tensor *slice = tn_index(view, TN_ALL, TN_RANGE(1, TN_END)); /* view[:, 1:], no copy     */
    tn_tensor *t = tn_transpose(slice, 0, 1);                       /* strides swapped, no copy */
    tn_tensor *y = tn_div(tn_mul(tn_to(t, TN_FLOAT32), t), tn_full(TN_DIMS(3), 2, TN_FLOAT32));

    if (y)
        tn_print(y, stdout);
    else
        fprintf(stderr, "%s\n", tn_error_message()); /* one check for the whole chain */

    tn_scope_close(scope); /* every temporary is gone */
    return y == NULL;
}

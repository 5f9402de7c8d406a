/* first_tensor.c - the README's example: two tensors over one storage, and one check for all errors. */
#include <stdio.h>
#include <tenon/tenon.h>

int main(void) {
    tn_scope scope = tn_scope_open();

    tn_tensor *x = tn_arange(12, TN_INT64);
    tn_storage *shared = tn_storage_of(x);
    tn_tensor *matrix = tn_from_storage(shared, 0, TN_DIMS(3, 4), TN_DIMS(4, 1), TN_INT64); /* no copy */
    tn_tensor *column = tn_from_storage(shared, 3, TN_DIMS(3), TN_DIMS(4), TN_INT64);       /* matrix[:, 3] */

    tn_set_element(matrix, TN_DIMS(1, 3), TN_SCALAR(700));
    tn_print(column, stdout); /* tensor([  3, 700,  11]) */

    tn_error error = tn_error_code(); /* one check for the whole chain */
    if (error != TN_OK)
        fprintf(stderr, "%s\n", tn_error_message());
    tn_scope_close(scope); /* every temporary is gone */
    return error != TN_OK;
}

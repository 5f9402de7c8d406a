/* hello.c - a first look: make tensors, look at them in other shapes without copying, and check for errors once.
 *
 *     cc -Iinclude examples/hello.c build/libtenon.a -lm -pthread && ./a.out
 */
#include <stdio.h>
#include <tenon/tenon.h>

static void show(const char *what, const tn_tensor *x) {
    printf("%s\n", what);
    tn_print(x, stdout);
    printf("\n");
}

int main(void) {
    /* Everything created from here on belongs to the scope, and is gone when it closes. */
    tn_scope scope = tn_scope_open();

    tn_tensor *base = tn_arange(12, TN_INT64);                         /* 0, 1, ... 11              */
    tn_tensor *grid = tn_view(base, TN_DIMS(3, 4));                    /* the same bytes as 3 rows  */
    tn_tensor *right = tn_index(grid, TN_ALL, TN_RANGE(1, TN_END));    /* grid[:, 1:], no copy      */
    tn_tensor *turned = tn_transpose(right, 0, 1);                     /* strides swapped, no copy  */
    tn_tensor *back = tn_index(turned, TN_STEP(TN_NONE, TN_NONE, -1)); /* turned[::-1], no copy     */
    show("arange(12) as 3 rows of 4", grid);
    show("its last three columns, turned on their side, and upside down", back);

    /* All of them look into one storage: what is written through one is seen through the others. */
    tn_set_element(back, TN_DIMS(0, 0), TN_SCALAR(300));
    printf("one storage of %zu bytes, %lld references, written to %u time(s); grid[0, 3] is now %lld\n\n",
           tn_storage_nbytes(tn_storage_of(grid)), (long long)tn_storage_use_count(tn_storage_of(grid)),
           tn_tensor_version(grid), (long long)tn_get_int64(grid, TN_DIMS(0, 3)));

    /* Literals, text, numbers in a row. */
    show("a literal", TN_MATRIX(float, 2, {1, 2.5f}, {3, 4}));
    show("from text", tn_from_text("[[1, 2.5], [nan, -inf]]", TN_DTYPE_DEFAULT));
    show("five numbers from 0 to 1", tn_linspace(0, 1, 5, TN_FLOAT64));

    /* A mistake anywhere in a chain gives NULL at its end; the message says what it was. */
    tn_tensor *wrong = tn_transpose(tn_view(turned, TN_DIMS(5, 2)), 0, 1);
    if (!wrong)
        printf("as expected: %s\n", tn_error_message());
    tn_error_clear();

    tn_scope_close(scope); /* no free() anywhere, and nothing leaks */
    return 0;
}

/* small.c - views, copies and arithmetic: the program whose size docs/embedding.md gives, linked with a library that has every
 * part left out. It computes with several dtypes and strides and says what is wrong; it contains nothing else of Tenon. */
#include <stdio.h>

#ifndef TENON_ONE_HEADER /* in the two-file build it is given with -include */
#include <tenon/tenon.h>
#endif

static int failures;

static void expect(const char *what, double given, double right) {
    if (given != right) {
        fprintf(stderr, "small: %s is %g, not %g (%s)\n", what, given, right, tn_error_message());
        failures++;
    }
}

int main(void) {
    tn_scope scope = tn_scope_open();
    tn_tensor *x = tn_arange(12, TN_FLOAT32);
    tn_tensor *matrix = tn_reshape(x, TN_DIMS(3, 4));
    tn_tensor *turned = tn_transpose(matrix, 0, 1);
    expect("turned[3, 2]", tn_get_double(turned, TN_DIMS(3, 2)), 11);
    expect("a copy of a part", tn_get_double(tn_contiguous(tn_narrow(turned, 0, 1, 2), TN_CONTIGUOUS), TN_DIMS(1, 1)), 6);
    expect("a slice", tn_get_double(tn_slice(turned, 0, 1, 4, 2), TN_DIMS(1, 2)), 11);
    tn_tensor *sum = tn_add(turned, tn_unsqueeze(tn_select(turned, 1, 0), 1));
    expect("sum[3, 2]", tn_get_double(sum, TN_DIMS(3, 2)), 14);
    expect("a quotient", tn_get_double(tn_div(sum, tn_to(sum, TN_FLOAT64)), TN_DIMS(3, 2)), 1);
    tn_tensor *whole = tn_to(sum, TN_INT16);
    expect("a product in int16", tn_get_double(tn_mul(whole, whole), TN_DIMS(3, 2)), 196);
    tn_mul_(matrix, tn_reshape(tn_to(x, TN_BFLOAT16), TN_DIMS(3, 4)));
    expect("changed in place", tn_get_double(turned, TN_DIMS(3, 2)), 121);
    expect("a root", tn_get_double(tn_sqrt(turned), TN_DIMS(3, 2)), 11);
    tn_copy_(tn_select(turned, 1, 2), tn_neg(tn_select(turned, 1, 2)));
    expect("copied into a view", tn_get_double(x, TN_DIMS(11)), -121);
    tn_value values[] = {tn_value_tensor(x), tn_value_tensor(x)};
    expect("called by name", tn_get_double(tn_call_tensor("sub", (tn_values){values, 2}), TN_DIMS(11)), 0);
    expect("no error", tn_error_code(), TN_OK);
    tn_scope_close(scope);
    return failures != 0;
}

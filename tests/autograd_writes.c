/* autograd_writes.c - tests of what is kept for derivatives and changed afterwards: writes that meet it are errors that name both operators,
 * and writes beside it are not.
 *
 * Tests: src/autograd/writes.c
 */
#include "autograd_helpers.h"

#define SUM(x) tn_sum((x), TN_DTYPE_DEFAULT)

static tn_tensor *row_of(tn_tensor *buffer, int64_t i) { return tn_select(buffer, 0, i); }

TEST(a_write_beside_what_was_kept_is_allowed) {
    tn_tensor *buffer = tn_ones(TN_DIMS(4, 3), TN_FLOAT64), *x = grad_input(3);
    CHECK(buffer && x);
    tn_tensor *loss = SUM(tn_mul(x, row_of(buffer, 1)));
    CHECK(loss);
    CHECK(tn_fill_(row_of(buffer, 2), tn_scalar_float(7)) && tn_mul_scalar_(row_of(buffer, 0), tn_scalar_float(3)));
    CHECK(tn_copy_(row_of(buffer, 3), tn_detach(x)));
    CHECK(tn_backward(loss, NULL) == TN_OK);
    CHECK_DOUBLE(tn_get_double(tn_tensor_grad(x), TN_DIMS(0)), 1);
}

TEST(columns_that_interleave_with_what_was_kept_are_beside_it) {
    tn_tensor *buffer = tn_ones(TN_DIMS(4, 6), TN_FLOAT64), *x = grad_input(4, 3);
    CHECK(buffer && x);
    tn_tensor *even = tn_slice(buffer, 1, 0, TN_NONE, 2), *odd = tn_slice(buffer, 1, 1, TN_NONE, 2);
    tn_tensor *loss = SUM(tn_mul(x, even));
    CHECK(loss && odd && tn_zero_(odd));
    CHECK(tn_backward(loss, NULL) == TN_OK);
    loss = SUM(tn_mul(x, even));
    CHECK(loss && tn_fill_(tn_select(buffer, 1, 2), tn_scalar_float(2)));
    CHECK_ERROR(TN_ERROR_STATE, "changed in place since by fill_", tn_backward(loss, NULL));
}

TEST(a_write_that_meets_what_was_kept_names_both_operators_and_both_versions) {
    tn_tensor *x = grad_input(3), *w = tn_ones(TN_DIMS(3), TN_FLOAT64);
    CHECK(x && w);
    tn_tensor *loss = SUM(tn_mul(x, w));
    CHECK(loss && tn_add_scalar_(w, tn_scalar_int(1)));
    CHECK_ERROR(TN_ERROR_STATE, "the derivative of mul needs", tn_backward(loss, NULL));
    loss = SUM(tn_mul(x, w));
    CHECK(loss && tn_add_scalar_(w, tn_scalar_int(1)));
    CHECK_ERROR(TN_ERROR_STATE, "at version 1, but it was changed in place since by add_ and is at version 2",
                tn_backward(loss, NULL));
}

TEST(a_write_through_a_view_or_the_base_meets_what_was_kept_of_either) {
    tn_tensor *base = tn_ones(TN_DIMS(2, 3), TN_FLOAT64), *x = grad_input(3);
    CHECK(base && x);
    tn_tensor *kept = row_of(base, 1), *loss = SUM(tn_mul(x, kept));
    CHECK(loss && tn_zero_(base));
    CHECK_ERROR(TN_ERROR_STATE, "by zero_", tn_backward(loss, NULL));
    loss = SUM(tn_mul(x, kept));
    CHECK(loss && tn_fill_(tn_select(base, 1, 0), tn_scalar_float(1)));
    CHECK_ERROR(TN_ERROR_STATE, "by fill_", tn_backward(loss, NULL));
    tn_tensor *bytes = tn_view_dtype(row_of(base, 0), TN_INT64); /* the same memory under another dtype, beside it */
    loss = SUM(tn_mul(x, kept));
    CHECK(loss && bytes && tn_zero_(bytes) && tn_backward(loss, NULL) == TN_OK);
}

TEST(a_change_of_the_kept_tensors_own_sizes_is_found) {
    tn_tensor *w = tn_ones(TN_DIMS(1, 3), TN_FLOAT64), *x = grad_input(1, 3);
    CHECK(w && x);
    tn_tensor *loss = SUM(tn_mul(x, w));
    CHECK(loss && tn_squeeze_(w));
    CHECK_ERROR(TN_ERROR_STATE, "version", tn_backward(loss, NULL));
}

TEST(more_writes_than_are_remembered_count_as_a_change) {
    tn_tensor *buffer = tn_ones(TN_DIMS(3, 2), TN_FLOAT64), *x = grad_input(2);
    CHECK(buffer && x);
    tn_tensor *loss = SUM(tn_mul(x, row_of(buffer, 0)));
    CHECK(loss);
    for (int i = 0; i < 100; i++)
        CHECK(tn_fill_(row_of(buffer, 1), tn_scalar_int(i)));
    CHECK_ERROR(TN_ERROR_STATE, "changed in place since", tn_backward(loss, NULL));
}

TEST(many_buffers_may_be_written_beside_what_was_kept_of_them) {
    tn_tensor *x = grad_input(2), *losses[2] = {NULL}, *buffers[2] = {NULL};
    CHECK(x);
    for (int i = 0; i < 2; i++) {
        buffers[i] = tn_ones(TN_DIMS(2, 2), TN_FLOAT64);
        losses[i] = SUM(tn_mul(x, row_of(buffers[i], 0)));
        CHECK(losses[i]);
    }
    for (int i = 0; i < 2; i++)
        CHECK(tn_zero_(row_of(buffers[i], 1)));
    for (int i = 0; i < 2; i++)
        CHECK(tn_backward(losses[i], NULL) == TN_OK);
}

TEST(a_recurrence_in_one_buffer_has_its_gradients) {
    tn_tensor *states = tn_zeros(TN_DIMS(4, 2), TN_FLOAT64), *w = grad_input(2), *grads = NULL;
    CHECK(states && w);
    tn_tensor *first = TN_VECTOR(double, 1, 2);
    CHECK(first && tn_copy_(row_of(states, 0), first));
    tn_tensor *total = SUM(tn_mul(row_of(states, 0), w));
    tn_grad_mode before = tn_grad_mode_set(TN_GRAD_OFF);
    CHECK(tn_copy_(row_of(states, 1), tn_mul(row_of(states, 0), w)));
    (void)tn_grad_mode_set(before);
    total = tn_add(total, SUM(tn_mul(row_of(states, 1), w)));
    CHECK(total && tn_backward(total, NULL) == TN_OK);
    grads = tn_tensor_grad(w);
    CHECK_DOUBLE(tn_get_double(grads, TN_DIMS(1)), 2 + 2 * tn_get_double(w, TN_DIMS(1)));
}

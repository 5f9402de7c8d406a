/* pointwise_layout.c - the order of pointwise results in memory: the strides that PyTorch 2.13 gives. More of them are in
 * tests/python/test_torch.py. */
#include "test.h"

static tn_tensor *laid_out(tn_dims sizes, tn_dims strides) {
    return tn_as_strided(tn_arange(1000, TN_FLOAT32), sizes, strides, 0);
}

static void check_layout(const tn_tensor *result, tn_dims expected) {
    CHECK(result);
    tn_dims strides = tn_strides(result);
    CHECK_INT(strides.count, expected.count);
    for (int64_t d = 0; d < expected.count; d++)
        CHECK_INT(strides.values[d], expected.values[d]);
}

TEST(equals_that_are_contiguous_give_a_plain_result_whatever_their_strides_of_sizes_1) {
    tn_tensor *x = laid_out(TN_DIMS(3, 1, 2), TN_DIMS(2, 9, 1));
    check_layout(tn_neg(x), TN_DIMS(2, 2, 1));
    check_layout(tn_add(x, x), TN_DIMS(2, 2, 1));
    check_layout(tn_neg(laid_out(TN_DIMS(0, 3, 2), TN_DIMS(1, 4, 9))), TN_DIMS(6, 2, 1));
}

TEST(equals_that_lie_alike_pass_their_strides_on) {
    tn_tensor *x = laid_out(TN_DIMS(5, 2, 1), TN_DIMS(1, 5, 7));
    check_layout(tn_mul(x, x), TN_DIMS(1, 5, 7));
    check_layout(tn_exp(tn_flip(x, TN_DIMS(0, 1))), TN_DIMS(1, 5, 7));
    tn_tensor *image =
        laid_out(TN_DIMS(1, 3, 4, 5), TN_DIMS(7, 1, 15, 3)); /* channels last, except for the stride of its size 1 */
    check_layout(tn_neg(image), TN_DIMS(60, 1, 15, 3));
}

TEST(a_number_or_a_broadcast_operand_lets_the_order_of_strides_decide) {
    tn_tensor *x = laid_out(TN_DIMS(3, 1, 2), TN_DIMS(2, 9, 1));
    check_layout(tn_add_scalar(x, 1), TN_DIMS(2, 6, 1));
    check_layout(tn_add_scalar(laid_out(TN_DIMS(0, 4, 5, 1), TN_DIMS(5, 5, 1, 20)), 1), TN_DIMS(5, 0, 1, 0));
    check_layout(tn_add(laid_out(TN_DIMS(1, 4), TN_DIMS(1, 1)), laid_out(TN_DIMS(4), TN_DIMS(1))), TN_DIMS(1, 1));
    check_layout(tn_add(laid_out(TN_DIMS(2, 3, 1), TN_DIMS(3, 1, 1)), laid_out(TN_DIMS(3, 1), TN_DIMS(1, 7))),
                 TN_DIMS(3, 1, 3));
}

TEST(an_operand_of_another_dtype_counts_as_its_dense_copy) {
    tn_tensor *repeated = tn_to(laid_out(TN_DIMS(4), TN_DIMS(1)), TN_INT16);
    repeated = tn_expand(tn_unsqueeze(repeated, 1), TN_DIMS(4, 4));
    tn_tensor *turned = laid_out(TN_DIMS(4, 4), TN_DIMS(1, 4));
    check_layout(tn_ne(repeated, turned), TN_DIMS(4, 1));
    check_layout(tn_ne(tn_to(repeated, TN_FLOAT32), turned), TN_DIMS(4, 1));
}

TEST(some_operators_have_a_layout_of_their_own) {
    tn_tensor *x = laid_out(TN_DIMS(4, 3), TN_DIMS(1, 4)), *odd = laid_out(TN_DIMS(3, 1, 2), TN_DIMS(2, 9, 1));
    check_layout(tn_pow_rscalar(2, x), TN_DIMS(3, 1));
    check_layout(tn_pow_scalar(odd, 2), TN_DIMS(2, 2, 1));
    check_layout(tn_clamp_min(odd, 0), TN_DIMS(2, 2, 1));
    check_layout(tn_logsigmoid(x), TN_DIMS(3, 1));
    check_layout(tn_masked_fill(x, tn_gt_scalar(x, 2), 0), TN_DIMS(3, 1));
    check_layout(tn_deg2rad(odd), TN_DIMS(2, 9, 1));
    check_layout(tn_nan_to_num(odd, tn_scalar_none(), tn_scalar_none(), tn_scalar_none()), TN_DIMS(2, 9, 1));
}

TEST(a_result_without_elements_is_resized_to_the_layout_of_a_new_one) {
    tn_tensor *x = laid_out(TN_DIMS(4, 3), TN_DIMS(1, 4)), *out = tn_empty(TN_DIMS(0), TN_FLOAT32);
    CHECK(tn_add_out(out, x, x) == out);
    check_layout(out, TN_DIMS(1, 4));
    CHECK_DOUBLE(tn_get_double(out, TN_DIMS(3, 2)), 22);
    tn_tensor *kept = laid_out(TN_DIMS(4, 3), TN_DIMS(3, 1));
    CHECK(tn_add_out(kept, x, x) == kept);
    check_layout(kept, TN_DIMS(3, 1));
    tn_tensor *again = tn_empty(TN_DIMS(0), TN_FLOAT32);
    CHECK(tn_neg_out(again, laid_out(TN_DIMS(1, 1, 2, 3, 1, 4), TN_DIMS(0, 3, 1, 2, 0, 6))) ==
          again); /* too many to be inline */
    CHECK_INT(tn_ndim(again), 6);
    CHECK_DOUBLE(tn_get_double(again, TN_DIMS(0, 0, 1, 2, 0, 3)), -23);
}

TEST(an_imaginary_part_has_no_place_in_a_real_result) {
    tn_tensor *x = laid_out(TN_DIMS(2), TN_DIMS(1)), *before = tn_clone(x, TN_CONTIGUOUS);
    CHECK(before);
    CHECK_ERROR(TN_ERROR_DTYPE, "0+2j", tn_addcmul(x, x, x, tn_scalar_complex(0, 2)));
    CHECK_ERROR(TN_ERROR_DTYPE, "real numbers", tn_addcdiv_(x, x, x, tn_scalar_complex(1, 2)));
    CHECK_ERROR(TN_ERROR_DTYPE, "real numbers", tn_call_tensor("addcmul", TN_VALUES(x, x, x, tn_scalar_complex(0, 2))));
    CHECK_ERROR(TN_ERROR_DTYPE, "posinf", tn_nan_to_num(x, tn_scalar_none(), tn_scalar_complex(0, 1), tn_scalar_none()));
    CHECK_ERROR(TN_ERROR_ARGUMENT, "correction", tn_var_correction(x, TN_DIMS(), tn_scalar_complex(0, 1), false));
    CHECK(tn_equal(x, before));
    CHECK_DOUBLE(tn_get_double(tn_addcmul(x, x, x, tn_scalar_complex(2, 0)), TN_DIMS(1)), 3);
}

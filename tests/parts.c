/* parts.c - a whole library lacks nothing. Libraries made without some parts are tested in tests/parts/.
 *
 * Tests: src/ops/left_out.c */
#include "test.h"

#include <tenon/tenon.h>

#include "dispatch/parts.h"
#include "kernels/loop.h"
#include "kernels_shared_all.h"

TEST(a_whole_library_lacks_no_part) {
    CHECK_TEXT(tn_parts_left_out(), "");
    CHECK(tni_part_count > 0);
    for (int i = 0; i < tni_part_count; i++)
        CHECK(!tni_parts[i].operators);
}

TEST(an_operator_that_never_was_is_not_a_missing_part) {
    CHECK_ERROR(TN_ERROR_ARGUMENT, "call: there is no operator named \"random\"", tn_call("random", TN_NO_VALUES, NULL));
    CHECK_ERROR(TN_ERROR_ARGUMENT, "call: there is no operator named \"\"", tn_call("", TN_NO_VALUES, NULL));
}

TEST(loops_that_operators_borrow_are_there) {
    static const int kernels[] = {TNI_KERNEL_exp, TNI_KERNEL_log, TNI_KERNEL_sin,
                                  TNI_KERNEL_cos, TNI_KERNEL_pow, TNI_KERNEL_abs};
    for (size_t i = 0; i < sizeof kernels / sizeof *kernels; i++) {
        CHECK(tni_loop_of(kernels[i], TN_FLOAT32));
        CHECK(tni_loop_of(kernels[i], TN_FLOAT64));
        CHECK(!tni_loop_left_out(kernels[i], TN_FLOAT64));
    }
    CHECK_INT(tn_error_code(), TN_OK);
}

TEST(a_missing_part_is_told_under_the_operators_name) {
    CHECK_ERROR(TN_ERROR_UNSUPPORTED, "rand: this build of Tenon was made without random", tni_left_out_in("rand", "random"));
}

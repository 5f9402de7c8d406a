/* gradients_math.c - tests of derivatives, by differences: the rest of arithmetic, functions, activations, copies of views.
 *
 * Tests: src/autograd/gradients_math.c
 */
#include "autograd_helpers.h"

/* Inside (-1, 1), and above 1. */
static tn_tensor *small(tn_tensor *x) {
    tn_grad_mode before = tn_grad_mode_set(TN_GRAD_OFF);
    tn_tensor *made = tn_mul_scalar(tn_detach(x), 0.45);
    (void)tn_grad_mode_set(before);
    return tn_requires_grad_(made, true);
}

static tn_tensor *above_one(tn_tensor *x) {
    tn_grad_mode before = tn_grad_mode_set(TN_GRAD_OFF);
    tn_tensor *made = tn_add_scalar(tn_abs(tn_detach(x)), 1.1);
    (void)tn_grad_mode_set(before);
    return tn_requires_grad_(made, true);
}

TEST_SAMPLED(functions_have_their_derivatives) {
    static const char *const everywhere[] = {"exp2",  "expm1", "tan",     "atan",    "sinh",      "cosh", "asinh",
                                             "sinc",  "erf",   "erfc",    "sign",    "floor",     "ceil", "trunc",
                                             "round", "frac",  "deg2rad", "rad2deg", "nan_to_num"};
    static const char *const positive[] = {"log2", "log10", "log1p", "lgamma", "digamma", "cbrt"};
    static const char *const narrow[] = {"asin", "acos", "atanh", "erfinv"};
    static const char *const complex[] = {"exp2", "expm1", "log2",  "log10", "log1p", "tan",  "atan", "sinh",
                                          "cosh", "asinh", "acosh", "atanh", "sinc",  "asin", "acos"};
    tn_tensor *x = grad_input(6), *p = grad_positive(6), *n = small(grad_input(6)), *z = small(grad_complex(3)),
              *a = above_one(x);
    CHECK(x && p && n && z && a);
    for (size_t i = 0; i < sizeof everywhere / sizeof *everywhere; i++)
        CHECK_GRADIENTS(everywhere[i], TN_VALUES(x));
    for (size_t i = 0; i < sizeof positive / sizeof *positive; i++)
        CHECK_GRADIENTS(positive[i], TN_VALUES(p));
    for (size_t i = 0; i < sizeof narrow / sizeof *narrow; i++)
        CHECK_GRADIENTS(narrow[i], TN_VALUES(n));
    for (size_t i = 0; i < sizeof complex / sizeof *complex; i++)
        CHECK_GRADIENTS(complex[i], TN_VALUES(z));
    CHECK_GRADIENTS("acosh", TN_VALUES(a));
    CHECK_GRADIENTS("digamma", TN_VALUES(x));
    CHECK_GRADIENTS("round.decimals", TN_VALUES(x, 1));
    CHECK_GRADIENTS("logit", TN_VALUES(tn_requires_grad_(tn_abs(tn_detach(n)), true)));
    CHECK_GRADIENTS("logit.eps", TN_VALUES(n, 0.1));
    CHECK_FIRST_GRADIENTS("frexp", TN_VALUES(x));
}

TEST_SAMPLED(functions_of_two_numbers_have_their_derivatives) {
    static const char *const names[] = {"atan2", "hypot", "logaddexp", "logaddexp2", "maximum", "minimum",
                                        "fmax",  "fmin",  "copysign",  "remainder",  "fmod",    "floor_divide"};
    tn_tensor *x = grad_input(2, 3), *y = small(grad_input(3)), *p = grad_positive(2, 3), *q = above_one(grad_input(3)),
              *z = grad_complex(3);
    CHECK(x && y && p && q && z);
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        CHECK_GRADIENTS(names[i], TN_VALUES(x, y));
        CHECK_GRADIENTS(names[i], TN_VALUES(grad_strided(x, 1), q));
    }
    CHECK_GRADIENTS("logaddexp", TN_VALUES(z, grad_complex(2, 1)));
    CHECK_GRADIENTS("xlogy", TN_VALUES(x, p));
    CHECK_GRADIENTS("xlogy.rscalar", TN_VALUES(2.5, p));
    CHECK_GRADIENTS("xlogy.scalar", TN_VALUES(x, 2.5));
    CHECK_GRADIENTS("ldexp", TN_VALUES(x, y));
    CHECK_GRADIENTS("float_power", TN_VALUES(p, y));
    CHECK_GRADIENTS("float_power.scalar", TN_VALUES(p, 2.5));
    CHECK_GRADIENTS("float_power.rscalar", TN_VALUES(2.5, x));
    CHECK_GRADIENTS("atan2.scalar", TN_VALUES(x, 0.5));
    CHECK_GRADIENTS("atan2.rscalar", TN_VALUES(0.5, x));
    CHECK_GRADIENTS("arctan2.rscalar", TN_VALUES(0.5, x));
    CHECK_GRADIENTS("hypot.scalar", TN_VALUES(x, 0.5));
    CHECK_GRADIENTS("maximum.scalar", TN_VALUES(x, 0.5));
    CHECK_GRADIENTS("fmin.scalar", TN_VALUES(x, 0.5));
    CHECK_GRADIENTS("copysign.scalar", TN_VALUES(x, -1));
    CHECK_GRADIENTS("copysign.rscalar", TN_VALUES(2, x));
    CHECK_GRADIENTS("div.mode", TN_VALUES(x, y, "floor"));
    CHECK_GRADIENTS("remainder.rscalar", TN_VALUES(3.2, q));
}

TEST_SAMPLED(functions_of_three_have_their_derivatives) {
    tn_tensor *x = grad_input(2, 3), *y = grad_input(3), *w = small(grad_input(2, 1)), *p = above_one(grad_input(3)),
              *z = grad_complex(3);
    CHECK(x && y && w && p && z);
    CHECK_GRADIENTS("lerp", TN_VALUES(x, y, w));
    CHECK_GRADIENTS("lerp.scalar", TN_VALUES(x, y, 0.3));
    CHECK_GRADIENTS("lerp", TN_VALUES(z, grad_complex(2, 3), grad_complex(3)));
    CHECK_GRADIENTS("addcmul", TN_VALUES(x, y, w, 0.7));
    CHECK_GRADIENTS("addcdiv", TN_VALUES(x, y, p, 0.7));
    CHECK_GRADIENTS("addcdiv", TN_VALUES(z, grad_complex(3), grad_complex(2, 3), tn_scalar_complex(1, 2)));
    CHECK_GRADIENTS("clamp", TN_VALUES(x, -0.5, 1));
    CHECK_GRADIENTS("clamp", TN_VALUES(x, tn_scalar_none(), 1));
    CHECK_GRADIENTS("clamp_min", TN_VALUES(x, 0.5));
    CHECK_GRADIENTS("clamp_max", TN_VALUES(x, 0.5));
    CHECK_GRADIENTS("clamp.tensor", TN_VALUES(x, w, p));
    CHECK_GRADIENTS("clamp.tensor", TN_VALUES(x, p, w)); /* bounds in the wrong order */
    CHECK_GRADIENTS("clamp_min.tensor", TN_VALUES(x, w));
    CHECK_GRADIENTS("clamp_max.tensor", TN_VALUES(x, w));
}

TEST_SAMPLED(activations_have_their_derivatives) {
    static const char *const names[] = {"relu6",    "leaky_relu",  "elu",       "selu",     "celu",
                                        "gelu",     "silu",        "mish",      "softplus", "logsigmoid",
                                        "hardtanh", "hardsigmoid", "hardswish", "softsign", "tanhshrink"};
    tn_tensor *x = grad_input(2, 6), *z = grad_complex(3);
    CHECK(x && z);
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        CHECK_GRADIENTS(names[i], TN_VALUES(x));
    CHECK_GRADIENTS("silu", TN_VALUES(z));
    CHECK_GRADIENTS("softsign", TN_VALUES(z));
    CHECK_GRADIENTS("tanhshrink", TN_VALUES(z));
    CHECK_GRADIENTS("leaky_relu.slope", TN_VALUES(x, 0.3));
    CHECK_GRADIENTS("elu.alpha", TN_VALUES(x, 0.7, 1.2, 0.8));
    CHECK_GRADIENTS("celu.alpha", TN_VALUES(x, 0.7));
    CHECK_GRADIENTS("gelu.approximate", TN_VALUES(x, "tanh"));
    CHECK_GRADIENTS("gelu.approximate", TN_VALUES(x, "none"));
    CHECK_GRADIENTS("softplus.beta", TN_VALUES(x, 2.0, 1.3));
    CHECK_GRADIENTS("hardtanh.range", TN_VALUES(x, -0.4, 1.3));
    CHECK_GRADIENTS("threshold", TN_VALUES(x, 0.4, 2));
    CHECK_GRADIENTS("elu_", TN_VALUES(x));
    CHECK_GRADIENTS("silu_", TN_VALUES(x));
}

TEST_SAMPLED(angles_have_their_derivatives) {
    tn_tensor *z = grad_complex(4), *x = grad_input(4), *p = grad_positive(4);
    CHECK(z && x && p);
    CHECK_GRADIENTS("angle", TN_VALUES(z));
    CHECK_GRADIENTS("angle", TN_VALUES(x));
    CHECK_GRADIENTS("polar", TN_VALUES(p, x));
}

TEST_SAMPLED(copies_of_views_have_their_derivatives) {
    tn_tensor *x = grad_input(2, 3, 2), *m = grad_input(3, 4), *one = grad_input(2, 1, 3), *z = grad_complex(2, 2);
    CHECK(x && m && one && z);
    CHECK_GRADIENTS("alias_copy", TN_VALUES(x));
    CHECK_GRADIENTS("as_strided_copy", TN_VALUES(m, TN_DIMS(2, 2), TN_DIMS(4, 2), 1));
    CHECK_GRADIENTS("diagonal_copy", TN_VALUES(m, 1));
    CHECK_GRADIENTS("expand_copy", TN_VALUES(one, TN_DIMS(2, 4, 3)));
    CHECK_GRADIENTS("narrow_copy", TN_VALUES(m, 1, 1, 2));
    CHECK_GRADIENTS("permute_copy", TN_VALUES(x, TN_DIMS(2, 0, 1)));
    CHECK_GRADIENTS("select_copy", TN_VALUES(x, 1, -1));
    CHECK_GRADIENTS("slice_copy", TN_VALUES(m, 1, 0, 4, 2));
    CHECK_GRADIENTS("squeeze_copy", TN_VALUES(one));
    CHECK_GRADIENTS("squeeze_copy.dim", TN_VALUES(one, 1));
    CHECK_GRADIENTS("t_copy", TN_VALUES(m));
    CHECK_GRADIENTS("transpose_copy", TN_VALUES(x, 0, 2));
    CHECK_GRADIENTS("unfold_copy", TN_VALUES(m, 1, 2, 1));
    CHECK_GRADIENTS("unsqueeze_copy", TN_VALUES(m, 1));
    CHECK_GRADIENTS("view_copy", TN_VALUES(m, TN_DIMS(2, 6)));
    CHECK_GRADIENTS("view_as_real_copy", TN_VALUES(z));
    CHECK_GRADIENTS("view_as_complex_copy", TN_VALUES(x));
    CHECK_GRADIENTS("split_copy", TN_VALUES(m, 2, 1));
    CHECK_GRADIENTS("unbind_copy", TN_VALUES(m, 1));
}

/* autograd_saved.c - tests of functions that kept tensors go through.
 *
 * Tests: src/autograd/saved.c
 */
#include "autograd_helpers.h"

#define SUM(x) tn_sum((x), TN_DTYPE_DEFAULT)

/* A pair that packs a tensor as a clone, and counts. */
typedef struct counts {
    int packed, unpacked, dropped, ended;
    bool changes, fails, gives_nothing;
} counts;

static tn_error pack_clone(void *ctx, const tn_tensor *tensor, void **packed) {
    counts *c = ctx;
    c->packed++;
    if (tn_requires_grad(tensor) || !tn_is_leaf(tensor))
        return tn_error_raise(TN_ERROR_INTERNAL, NULL, "the tensor has a history");
    if (c->fails)
        return tn_error_raise(TN_ERROR_UNSUPPORTED, NULL, "no room for it");
    if (c->changes && !tn_zero_((tn_tensor *)(uintptr_t)tensor))
        return tn_error_code();
    tn_tensor *clone = tn_clone(tensor, TN_PRESERVE);
    if (!clone)
        return tn_error_code();
    *packed = tn_retain(clone);
    return TN_OK;
}

static tn_tensor *unpack_clone(void *ctx, void *packed) {
    counts *c = ctx;
    c->unpacked++;
    return c->gives_nothing ? NULL : packed;
}

static void drop_clone(void *ctx, void *packed) {
    ((counts *)ctx)->dropped++;
    tn_release(packed);
}

static void end_counts(void *ctx) { ((counts *)ctx)->ended++; }

static int open_pairs;

static tn_error pop_counts(void) {
    open_pairs--;
    return tn_saved_hooks_pop();
}

static void pop_all(void *unused) { /* where a test ends early */
    (void)unused;
    while (open_pairs > 0)
        (void)pop_counts();
}

static tn_error push_counts(counts *c) {
    tn_saved_hooks hooks = {sizeof hooks, pack_clone, unpack_clone, drop_clone, c, end_counts};
    TEST_DEFER(pop_all, &open_pairs);
    tn_error code = tn_saved_hooks_push(&hooks);
    open_pairs += code == TN_OK;
    return code;
}

TEST(what_is_kept_goes_through_the_hooks_and_back) {
    static counts c; /* nodes have it until the test has ended */
    c = (counts){0};
    tn_tensor *x = grad_input(3), *y = grad_input(3);
    CHECK(x && y);
    CHECK(push_counts(&c) == TN_OK);
    tn_tensor *loss = SUM(tn_exp(tn_mul(x, y)));
    CHECK(pop_counts() == TN_OK);
    CHECK(loss);
    CHECK_INT(c.packed, 3); /* x, y, and the result of exp */
    tn_grad_mode before = tn_grad_mode_set(TN_GRAD_OFF);
    tn_tensor *expected = tn_mul(y, tn_exp(tn_mul(x, y)));
    (void)tn_grad_mode_set(before);
    CHECK_INT(c.ended, 0);
    CHECK(expected && tn_backward(loss, NULL) == TN_OK);
    CHECK(tn_equal(tn_tensor_grad(x), expected));
    CHECK(c.unpacked >= 3);
    CHECK_INT(c.dropped, 3);
    CHECK_INT(c.ended, 1);
}

TEST(gradients_of_gradients_go_through_what_was_packed) {
    static counts c; /* nodes have it until the test has ended */
    c = (counts){0};
    tn_tensor *x = grad_input(2), *first = NULL, *second = NULL;
    CHECK(x);
    CHECK(push_counts(&c) == TN_OK);
    tn_tensor *cube = tn_mul(tn_mul(x, x), x), *e = tn_exp(x), *loss = SUM(tn_add(cube, e));
    CHECK(pop_counts() == TN_OK);
    CHECK(loss);
    tn_backward_options create = {sizeof create, .create_graph = true};
    CHECK(tn_grad((const tn_tensor *[]){loss}, NULL, 1, (const tn_tensor *[]){x}, 1, &create, &first) == TN_OK);
    CHECK(tn_requires_grad(first));
    CHECK(tn_grad((const tn_tensor *[]){SUM(first)}, NULL, 1, (const tn_tensor *[]){x}, 1, NULL, &second) == TN_OK);
    for (int64_t i = 0; i < 2; i++) {
        double at = tn_get_double(x, TN_DIMS(i));
        CHECK(fabs(tn_get_double(second, TN_DIMS(i)) - (6 * at + exp(at))) < 1e-12);
    }
}

TEST(the_innermost_pair_counts_and_each_thread_has_its_own) {
    static counts outer, inner;
    outer = inner = (counts){0};
    tn_tensor *x = grad_input(3);
    CHECK(x);
    CHECK(push_counts(&outer) == TN_OK);
    CHECK(push_counts(&inner) == TN_OK);
    tn_tensor *a = tn_sin(x);
    CHECK(pop_counts() == TN_OK);
    tn_tensor *b = tn_sin(x);
    CHECK(pop_counts() == TN_OK);
    tn_tensor *c = tn_sin(x);
    CHECK(a && b && c);
    CHECK_INT(outer.packed, 1);
    CHECK_INT(inner.packed, 1);
    CHECK_ERROR(TN_ERROR_STATE, "no hooks", tn_saved_hooks_pop());
    CHECK(tn_backward_all((const tn_tensor *[]){SUM(a), SUM(b), SUM(c)}, NULL, 3, NULL, 0, NULL) == TN_OK);
}

TEST(an_error_of_a_hook_is_that_of_the_call_or_of_backward) {
    static counts c;
    c = (counts){.fails = true};
    tn_tensor *x = grad_input(3);
    CHECK(x);
    CHECK(push_counts(&c) == TN_OK);
    CHECK_ERROR(TN_ERROR_UNSUPPORTED, "no room", tn_sin(x));
    c.fails = false;
    c.changes = true;
    tn_tensor *y = tn_exp(tn_detach(x));
    CHECK(y && tn_requires_grad_(y, true));
    CHECK_ERROR(TN_ERROR_STATE, "changed the tensor", tn_sin(y));
    c.changes = false;
    tn_tensor *z = tn_sin(x), *in_place = tn_mul_scalar(x, tn_scalar_float(2));
    CHECK(z && in_place && tn_exp_(in_place));
    CHECK(pop_counts() == TN_OK);
    CHECK(tn_backward(SUM(in_place), NULL) == TN_OK);
    CHECK(fabs(tn_get_double(tn_tensor_grad(x), TN_DIMS(0)) - 2 * tn_get_double(in_place, TN_DIMS(0))) < 1e-12);
    c.gives_nothing = true;
    CHECK_ERROR(TN_ERROR_INTERNAL, "without giving a reason", tn_backward(SUM(z), NULL));
    CHECK_ERROR(TN_ERROR_ARGUMENT, "pack", tn_saved_hooks_push(NULL));
}

TEST(what_was_packed_may_change_afterwards) {
    static counts c; /* nodes have it until the test has ended */
    c = (counts){0};
    tn_tensor *x = grad_input(2), *w = TN_VECTOR(double, 3, 4);
    CHECK(x && w);
    CHECK(push_counts(&c) == TN_OK);
    tn_tensor *loss = SUM(tn_mul(x, w));
    CHECK(pop_counts() == TN_OK);
    CHECK(loss && tn_zero_(w) && tn_backward(loss, NULL) == TN_OK);
    CHECK_DOUBLE(tn_get_double(tn_tensor_grad(x), TN_DIMS(1)), 4);
}

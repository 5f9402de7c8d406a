/* tour_views.c - the chapters of the tour about views, and about operators on them. */
#include <stdio.h>

#include "tour.h"

bool tour_shapes(void) {
    terminal_text("A view changes only numbers. Here is one storage of twelve elements under three shapes; a write through one "
                  "of them is seen by all.");
    terminal_code("tn_tensor *x = tn_arange(12, TN_INT64);");
    terminal_code(
        "tn_tensor *a = tn_view(x, TN_DIMS(3, 4)), *b = tn_view(x, TN_DIMS(2, 3, 2)), *c = tn_view(x, TN_DIMS(2, 2, 3));");
    tn_counters before = tn_counters_now();
    tn_tensor *x = tn_arange(12, TN_INT64);
    tn_tensor *a = tn_view(x, TN_DIMS(3, 4)), *b = tn_view(x, TN_DIMS(2, 3, 2)), *c = tn_view(x, TN_DIMS(2, 2, 3));
    if (!a || !b || !c)
        return false;
    tour_show_geometry("a", a);
    tour_show_geometry("b", b);
    tour_show_geometry("c", c);
    terminal_code("tn_set_element(a, TN_DIMS(1, 1), TN_SCALAR(500));   /* element 5 of the storage */");
    if (tn_set_element(a, TN_DIMS(1, 1), TN_SCALAR(500)) != TN_OK || !tour_show_elements(b) || !tour_show_elements(c))
        return false;
    tn_counters spent = tn_counters_since(before);
    terminal_fact("allocations, copies", "%lld, %lld", (long long)spent.allocations, (long long)spent.copies);
    return true;
}

bool tour_slices(void) {
    terminal_text("A slice moves the offset; a step multiplies a stride. A negative step is a view too; PyTorch refuses it.");
    tn_tensor *x = tn_view(tn_arange(12, TN_INT64), TN_DIMS(3, 4));
    terminal_code("tn_index(x, TN_RANGE(1, TN_END), TN_RANGE(1, 3))        /* x[1:, 1:3]   */");
    tn_tensor *part = tn_index(x, TN_RANGE(1, TN_END), TN_RANGE(1, 3));
    if (!tour_show_elements(part))
        return false;
    tour_show_geometry("x[1:, 1:3]", part);
    terminal_code("tn_index_text(x, \"::-1, ::2\")                           /* x[::-1, ::2] */");
    tn_tensor *turned = tn_index_text(x, "::-1, ::2");
    if (!tour_show_elements(turned))
        return false;
    tour_show_geometry("x[::-1, ::2]", turned);
    return true;
}

bool tour_transposes(void) {
    terminal_text("A transpose exchanges two sizes and two strides. Flattening it again cannot be done with strides, and Tenon "
                  "says why; reshape then copies, once.");
    tn_tensor *x = tn_view(tn_arange(12, TN_INT64), TN_DIMS(3, 4));
    tn_tensor *t = tn_t(x);
    if (!t)
        return false;
    tour_show_geometry("x", x);
    tour_show_geometry("tn_t(x)", t);
    char why[240];
    terminal_code("tn_explain_view(tn_t(x), TN_DIMS(-1), why, sizeof why)");
    bool possible = tn_explain_view(t, TN_DIMS(-1), why, sizeof why);
    terminal_fact(possible ? "a view is possible" : "a view is not possible", "%s", why);
    tn_counters before = tn_counters_now();
    if (!tn_reshape(t, TN_DIMS(-1)))
        return false;
    tn_counters spent = tn_counters_since(before);
    terminal_fact("copies made by reshape", "%lld, of %lld bytes", (long long)spent.copies, (long long)spent.copied_bytes);
    return true;
}

/* ---- three ways to split attention heads. B sequences of L tokens, E = H * D features in H heads. What the attention itself
 * computes does not matter here: a fresh tensor of the right shape stands for its result. */

enum { B = 2, L = 3, H = 4, D = 5, E = H * D };

static void heads_tell(void *ctx, const tn_event *event) {
    (void)ctx;
    if (event->kind == TN_EVENT_COPY)
        terminal_fact("  copy", "%s: %s", event->operator_name ? event->operator_name : "", event->reason);
}

static bool heads_count(tn_counters before, const tn_tensor *y) {
    if (!y)
        return false;
    terminal_fact("  copies", "%lld", (long long)tn_counters_since(before).copies);
    return true;
}

bool tour_heads(void) {
    terminal_text("Three ways to split attention heads and join them again, with the steps that copy. First as "
                  "torch.nn.MultiheadAttention does it, then with view and permute, then sequence first as Megatron-LM does.");
    tn_set_observer(heads_tell, NULL);

    terminal_code("q.view(L, B*H, D).transpose(0, 1) ... .transpose(0, 1).contiguous().view(L, B, E).transpose(1, 0)");
    tn_tensor *q = tn_zeros(TN_DIMS(L, B, E), TN_FLOAT32), *result = tn_zeros(TN_DIMS(B * H, L, D), TN_FLOAT32);
    tn_counters before = tn_counters_now();
    tn_tensor *heads = tn_transpose(tn_view(q, TN_DIMS(L, B * H, D)), 0, 1);
    tn_tensor *y = tn_transpose(tn_view(tn_contiguous(tn_transpose(result, 0, 1), TN_CONTIGUOUS), TN_DIMS(L, B, E)), 1, 0);
    bool good = heads && heads_count(before, y);

    terminal_code("x.view(B, L, H, D).permute(0, 2, 1, 3) ... .permute(0, 2, 1, 3).reshape(B, L, E)");
    tn_tensor *x = tn_zeros(TN_DIMS(B, L, E), TN_FLOAT32), *mixed = tn_zeros(TN_DIMS(B, H, L, D), TN_FLOAT32);
    before = tn_counters_now();
    heads = tn_permute(tn_view(x, TN_DIMS(B, L, H, D)), TN_DIMS(0, 2, 1, 3));
    y = tn_reshape(tn_permute(mixed, TN_DIMS(0, 2, 1, 3)), TN_DIMS(B, L, E));
    good = good && heads && heads_count(before, y);

    terminal_code("q.view(L, B*H, D).transpose(0, 1) ... written into context.view(L, B*H, D).transpose(0, 1), then context");
    tn_tensor *context = tn_zeros(TN_DIMS(L, B, E), TN_FLOAT32);
    before = tn_counters_now();
    heads = tn_transpose(tn_view(q, TN_DIMS(L, B * H, D)), 0, 1);
    tn_tensor *target = tn_transpose(tn_view(context, TN_DIMS(L, B * H, D)), 0, 1);
    good = good && heads && heads_count(before, target);
    tn_set_observer(NULL, NULL);
    return good;
}

bool tour_operators(void) {
    terminal_text(
        "Operators take any strides, broadcast, and promote dtypes as PyTorch's do. They can also be called by name.");
    terminal_code("tn_add(tn_t(x), tn_arange(3, TN_INT32))                  /* (4, 3) float32 + (3) int32 */");
    tn_tensor *x = tn_view(tn_arange(12, TN_FLOAT32), TN_DIMS(3, 4));
    tn_tensor *sum = tn_add(tn_t(x), tn_arange(3, TN_INT32));
    if (!tour_show_elements(sum))
        return false;
    tour_show_geometry("the result", sum);
    terminal_code("tn_mul_scalar_(x, 0.5)                                   /* in place */");
    if (!tour_show_elements(tn_mul_scalar_(x, 0.5)))
        return false;
    terminal_code("tn_call_tensor(\"maximum\", TN_VALUES(x, y))");
    return tour_show_elements(tn_call_tensor("maximum", TN_VALUES(x, tn_full(TN_DIMS(4), 2, TN_FLOAT32))));
}

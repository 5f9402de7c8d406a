/* composite.c - tests of operators that are made of operators: seen, and run, wherever their parts are. */
#include "toy_backend.h"

/* ---- what is seen of them */

typedef struct call_log {
    char text[400];
} call_log;

static void log_name(call_log *log, int64_t depth, const tn_operator *op) {
    size_t used = strlen(log->text);
    snprintf(log->text + used, sizeof log->text - used, "%.*s%s ", (int)depth, "....", tn_operator_name(op));
}

static void see_before(void *ctx, const tn_operator_event *event) { log_name(ctx, event->depth, event->op); }

static void drop_hook(void *unused) {
    (void)unused;
    (void)tn_set_operator_hook(NULL);
}

TEST(the_profiler_shows_a_composite_operator_as_the_parent_of_what_it_is_made_of) {
    static call_log log;
    log.text[0] = 0;
    tn_tensor *v = TN_VECTOR(float, 1, 2, 3), *w = TN_VECTOR(float, 4, 5);
    CHECK(v && w);
    tn_operator_hook hook = {.struct_size = sizeof hook, .before = see_before, .ctx = &log};
    CHECK(tn_set_operator_hook(&hook) == TN_OK);
    TEST_DEFER(drop_hook, NULL);
    tn_tensor *product = tn_outer(v, w), *apart = tn_dist(v, v, 2);
    drop_hook(NULL);
    CHECK(product && apart);
    CHECK_TEXT(log.text, "outer .unsqueeze .mul dist .sub .norm ");
    CHECK_DOUBLE(tn_get_double(product, TN_DIMS(2, 1)), 15);
    log.text[0] = 0;
    CHECK(tn_set_operator_hook(&hook) == TN_OK);
    tn_tensor *steps = tn_diff(v, 2, 0, NULL, NULL), *little = tn_softmin(v, 0, TN_DTYPE_DEFAULT);
    tn_tensor *weight = tn_kaiming_normal_(product, 0, "fan_in", "relu", NULL);
    drop_hook(NULL);
    CHECK(steps && little && weight);
    CHECK_TEXT(log.text, "diff .narrow .narrow .sub .narrow .narrow .sub softmin .neg .softmax kaiming_normal_ .normal_ ");
    CHECK_DOUBLE(tn_item_double(apart), 0);
}

static tn_error see_call(void *ctx, const tn_frame *frame, tn_values arguments, tn_value *result) {
    log_name(ctx, 0, tn_frame_operator(frame));
    return tn_redispatch(frame, arguments, result);
}

static void drop_modes(void *unused) {
    (void)unused;
    toy_drop_fallback_at(TN_KEY_OUTER_0);
    toy_drop_fallback_at(TN_KEY_INNER_0);
    tn_keys_set((tn_key_state){0, 0});
}

TEST(a_mode_before_gradients_sees_what_was_called_and_one_after_them_what_is_computed) {
    static call_log outer, inner;
    outer.text[0] = inner.text[0] = 0;
    TEST_DEFER(drop_modes, NULL);
    CHECK(tn_fallback_register(TN_KEY_OUTER_0, TN_KERNEL(see_call, &outer)) == TN_OK);
    CHECK(tn_fallback_register(TN_KEY_INNER_0, TN_KERNEL(see_call, &inner)) == TN_OK);
    tn_tensor *v = TN_VECTOR(float, 1, 2), *out = tn_empty(TN_DIMS(0), TN_FLOAT32);
    CHECK(v && out);
    tn_keys_include(TN_KEYS(TN_KEY_OUTER_0) | TN_KEYS(TN_KEY_INNER_0));
    CHECK(tn_outer(v, v));
    CHECK(tn_outer_out(out, v, v) == out);
    CHECK(tn_call_tensor("outer", TN_VALUES(v, v)));
    CHECK_TEXT(outer.text, "outer outer_out outer ");
    CHECK_TEXT(inner.text, "unsqueeze mul unsqueeze mul_out unsqueeze mul ");
}

TEST(a_kernel_for_a_composite_operator_itself_comes_before_its_parts) {
    static call_log log;
    log.text[0] = 0;
    TEST_DEFER(drop_modes, NULL);
    CHECK(tn_kernel_register("outer", TN_KEY_INNER_0, TN_KERNEL(see_call, &log)) == TN_OK);
    tn_tensor *v = TN_VECTOR(float, 1, 2);
    tn_keys_include(TN_KEYS(TN_KEY_INNER_0));
    tn_tensor *made = v ? tn_outer(v, v) : NULL;
    tn_error code = tn_kernel_unregister("outer", TN_KEY_INNER_0);
    CHECK(made && code == TN_OK);
    CHECK_TEXT(log.text, "outer ");
}

/* ---- where they run */

static tn_error toy_mul(void *ctx, const tn_frame *frame, tn_values arguments, tn_value *result) {
    (void)ctx;
    (void)frame;
    tn_tensor *product = tn_mul(toy_look(arguments.items[0].as.tensor), toy_look(arguments.items[1].as.tensor));
    *result = TN_V(product ? toy_tensor(product) : NULL);
    return result->as.tensor ? TN_OK : tn_error_code();
}

TEST(a_composite_operator_runs_on_a_device_that_has_kernels_for_its_parts_alone) {
    int32_t type = toy_begin(NULL);
    CHECK(tn_kernel_register("mul", type, TN_KERNEL(toy_mul, NULL)) == TN_OK);
    TEST_DEFER(toy_drop_kernel, (void *)(uintptr_t) "mul");
    tn_tensor *v = TN_VECTOR(float, 1, 2, 3), *w = TN_VECTOR(float, 4, 5);
    CHECK(v && w);
    v = toy_tensor(v);
    w = toy_tensor(w);
    CHECK(v && w);
    tn_tensor *product = tn_outer(v, w);
    CHECK(product && tn_device_of(product).type == type);
    tn_tensor *back = toy_fetch(product);
    CHECK(back);
    CHECK_DOUBLE(tn_get_double(back, TN_DIMS(1, 0)), 8);
    CHECK_ERROR(TN_ERROR_DEVICE, "no kernel for sub", tn_dist(v, v, 2));
    CHECK_ERROR(TN_ERROR_DEVICE, "dist: ", tn_dist(v, v, 2));
    CHECK_ERROR(TN_ERROR_DEVICE, "self is on toy:0 and vec2 on cpu:0", tn_outer(v, back));
}

TEST(stacks_and_products_are_seen_as_what_they_are_made_of) {
    static call_log log;
    log.text[0] = 0;
    tn_tensor *v = TN_VECTOR(float, 1, 2, 3), *m = tn_ones(TN_DIMS(3, 3), TN_FLOAT32);
    CHECK(v && m);
    const tn_tensor *rows[] = {v, v}, *mixed[] = {m, v};
    tn_operator_hook hook = {.struct_size = sizeof hook, .before = see_before, .ctx = &log};
    CHECK(tn_set_operator_hook(&hook) == TN_OK);
    TEST_DEFER(drop_hook, NULL);
    tn_tensor *made[] = {tn_vstack(rows, 2),
                         tn_hstack(rows, 2),
                         tn_column_stack(mixed, 2),
                         tn_tile(v, TN_DIMS(2)),
                         tn_diag(v, 0),
                         tn_cross(v, v, TN_NONE),
                         tn_kron(v, v),
                         tn_H(m)};
    drop_hook(NULL);
    for (size_t i = 0; i < sizeof made / sizeof made[0]; i++)
        CHECK(made[i]);
    CHECK_TEXT(log.text,
               "vstack .stack hstack .cat column_stack .unsqueeze .cat tile .repeat diag .diag_embed cross .linalg_cross "
               "kron .view .view .mul .reshape H .t ");
    CHECK_ERROR(TN_ERROR_SHAPE, "hstack: tensors[0] [3, 3]", tn_hstack(mixed, 2));
    CHECK_ERROR(TN_ERROR_ARGUMENT, "tile: dims [-1] ", tn_tile(v, TN_DIMS(-1)));
    CHECK_ERROR(TN_ERROR_SHAPE, "cross: self ", tn_cross(rows[0], m, 0));
}

/* ---- their promises as operators */

TEST(errors_inside_a_composite_operator_carry_its_name) {
    tn_tensor *m = tn_zeros(TN_DIMS(2, 2), TN_FLOAT32), *v = tn_zeros(TN_DIMS(3), TN_FLOAT32);
    CHECK(m && v);
    CHECK_ERROR(TN_ERROR_SHAPE, "outer: self ", tn_outer(m, v));
    CHECK_ERROR(TN_ERROR_SHAPE, "dist: ", tn_dist(m, v, 2));
    CHECK_ERROR(TN_ERROR_SHAPE, "xavier_uniform_: self ", tn_xavier_uniform_(v, 1, NULL));
    CHECK_ERROR(TN_ERROR_ARGUMENT, "outer: vec2 ", tn_outer(v, NULL));
    CHECK_ERROR(TN_ERROR_SHAPE, "diff: append ", tn_diff(v, 1, 0, NULL, m));
    CHECK_ERROR(TN_ERROR_INDEX, "softmin: dim = 2 ", tn_softmin(m, 2, TN_DTYPE_DEFAULT));
    CHECK_ERROR(TN_ERROR_ARGUMENT, "cdist: compute_mode ", tn_cdist_compute_mode(m, m, 2, "fast"));
    CHECK_ERROR(TN_ERROR_SHAPE, "cdist: x1 ", tn_cdist_compute_mode(v, m, 2, "use_mm_for_euclid_dist"));
    CHECK_ERROR(TN_ERROR_ARGUMENT, "trunc_normal_: std ", tn_trunc_normal_(m, 0, -1, 0, 1, NULL));
    CHECK_ERROR(TN_ERROR_SHAPE, "eye_: self ", tn_eye_(v));
    tn_tensor *tiny = tn_zeros(TN_DIMS(2), TN_INT32);
    CHECK(tiny);
    CHECK_ERROR(TN_ERROR_DTYPE, "outer: ", tn_outer_out(tiny, v, v));
    CHECK_INT(tn_numel(tiny), 2);
}

TEST(what_a_composite_operator_gives_is_the_callers_and_its_temporaries_are_gone) {
    tn_tensor *v = TN_VECTOR(float, 1, 2, 3), *out = tn_empty(TN_DIMS(0), TN_FLOAT32);
    tn_tensor *weight = tn_zeros(TN_DIMS(2, 3), TN_FLOAT32);
    CHECK(v && out && weight);
    int64_t depth = tn_scope_depth();
    tn_counters before = tn_counters_now();
    tn_tensor *made = tn_outer(v, v);
    CHECK(made);
    tn_counters spent = tn_counters_since(before);
    CHECK_INT(spent.allocations, 1);
    CHECK_INT(spent.copies, 0);
    CHECK_INT(tn_use_count(made), 1);
    CHECK_INT(tn_storage_use_count(tn_storage_of(v)), 1);
    CHECK(tn_outer_out(out, v, v) == out && tn_xavier_normal_(weight, 1, NULL) == weight);
    CHECK_INT(tn_use_count(out), 1);
    CHECK_INT(tn_use_count(weight), 1);
    CHECK_INT(tn_scope_depth(), depth);
    tn_scope pause = tn_scope_pause(); /* the caller counts for itself */
    made = tn_outer(v, v);
    (void)tn_scope_close(pause);
    CHECK(made);
    tn_release(made);
}

/* ---- shortcuts: what a plain call does instead of running the body */

static tn_tensor *call_shortcut(int which, tn_tensor *x) {
    switch (which) {
    case 0: return tn_H(x);
    case 1: return tn_mH(x);
    case 2: return tn_adjoint(x);
    case 3: return tn_dropout(x, 0.25, true, NULL);
    case 4: return tn_dropout(x, 0.25, false, NULL);
    case 5: return tn_dropout(x, 0, true, NULL);
    case 6: return tn_dropout(x, 1, true, NULL);
    case 7: return tn_dropout_(x, 0.25, true, NULL);
    case 8: return tn_dropout_(x, 1, true, NULL);
    case 9: return tn_dropout_(x, 0.25, false, NULL);
    case 10: return tn_dropout(x, 2, true, NULL);
    default: return tn_dropout_(x, -1, true, NULL);
    }
}

/* What a call did: its result, what it spent, the number that the default generator gives next, or the error. */
typedef struct shortcut_trace {
    tn_tensor *made;
    tn_counters spent;
    double next;
    tn_error code;
    char message[200];
    bool aliases;
} shortcut_trace;

static shortcut_trace trace_shortcut(int which, const tn_tensor *given, bool watched) {
    static call_log log;
    shortcut_trace trace = {0};
    tn_tensor *x = tn_clone(given, TN_PRESERVE);
    tn_operator_hook hook = {.struct_size = sizeof hook, .before = see_before, .ctx = &log};
    log.text[0] = 0;
    if (!x || tn_manual_seed(5) != TN_OK || (watched && tn_set_operator_hook(&hook) != TN_OK))
        return trace;
    tn_counters before = tn_counters_now();
    trace.made = call_shortcut(which, x);
    trace.spent = tn_counters_since(before);
    trace.code = tn_error_code();
    snprintf(trace.message, sizeof trace.message, "%s", tn_error_message());
    drop_hook(NULL);
    if (trace.code != TN_ERROR_MEMORY)
        tn_error_clear();
    trace.aliases = trace.made && tn_storage_of(trace.made) == tn_storage_of(x);
    tn_tensor *drawn = trace.code != TN_ERROR_MEMORY ? tn_rand(TN_DIMS(), TN_FLOAT64, NULL) : NULL;
    trace.next = drawn ? tn_item_double(drawn) : 0;
    return trace;
}

TEST_SAMPLED(a_shortcut_does_what_its_body_does) {
    TEST_DEFER(drop_hook, NULL);
    for (int round = 0; round < 12 * (TN_DTYPE_COUNT - 1) * 4; round++) {
        tn_scope scope = tn_scope_open();
        tn_tensor *x = tn_reshape(tn_arange(round % 4 == 2 ? 0 : 24, TN_FLOAT32), round % 4 == 0   ? TN_DIMS(4, 6)
                                                                                  : round % 4 == 1 ? TN_DIMS(2, 3, 4)
                                                                                  : round % 4 == 2 ? TN_DIMS(3, 0)
                                                                                                   : TN_DIMS(24));
        x = tn_to(x, (tn_dtype)(1 + round / 4 % (TN_DTYPE_COUNT - 1)));
        if (round % 5 == 0 && tn_ndim(x) > 1)
            x = tn_transpose(x, 0, 1);
        CHECK(x);
        int which = round / 4 / (TN_DTYPE_COUNT - 1);
        shortcut_trace plain = trace_shortcut(which, x, false), watched = trace_shortcut(which, x, true);
        CHECK(plain.code != TN_ERROR_MEMORY && watched.code != TN_ERROR_MEMORY);
        CHECK_INT(plain.code, watched.code);
        CHECK_TEXT(plain.message, watched.message);
        CHECK(!plain.made == !watched.made);
        CHECK_INT(plain.spent.allocations, watched.spent.allocations);
        CHECK_INT(plain.spent.copies, watched.spent.copies);
        CHECK_INT(plain.aliases, watched.aliases);
        CHECK_DOUBLE(plain.next, watched.next);
        if (plain.made) {
            CHECK_INT(tn_ndim(plain.made), tn_ndim(watched.made));
            for (int64_t d = 0; d < tn_ndim(plain.made); d++)
                CHECK(tn_strides(plain.made).values[d] == tn_strides(watched.made).values[d]);
            CHECK(tn_dtype_of(plain.made) == tn_dtype_of(watched.made));
            tn_tensor *a = tn_contiguous(plain.made, TN_CONTIGUOUS), *b = tn_contiguous(watched.made, TN_CONTIGUOUS);
            CHECK(a && b && tn_nbytes(a) == tn_nbytes(b));
            CHECK(tn_nbytes(a) == 0 || memcmp(tn_data(a), tn_data(b), (size_t)tn_nbytes(a)) == 0);
        }
        tn_scope_close(scope);
    }
}

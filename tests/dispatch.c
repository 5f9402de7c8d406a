/* dispatch.c - tests of calls by name, keys, modes, and user-defined devices.
 *
 * Tests: src/dispatch/call.c, src/dispatch/fallback.c, src/dispatch/signature.c, src/dispatch/texts.c, src/dispatch/values.c */
#include "toy_backend.h"

#include "dispatch/dispatch.h"
#include "dispatch/signature.h"

/* ---- the table */

TEST(every_operator_is_found_under_its_name_and_its_signature_says_what_its_parameters_are) {
    CHECK(tn_operator_count() > 80);
    for (int64_t i = 0; i < tn_operator_count(); i++) {
        const tn_operator *op = tn_operator_at(i);
        CHECK(op);
        CHECK(tn_operator_find(tn_operator_name(op)) == op);
        CHECK(i == 0 || strcmp(tn_operator_name(tn_operator_at(i - 1)), tn_operator_name(op)) < 0);
        tni_signature read;
        int column;
        CHECK(!tni_signature_parse(tn_operator_signature(op), &read, &column));
        CHECK_INT(read.count, tn_operator_parameter_count(op));
        CHECK_INT(read.result, tn_operator_result(op));
        CHECK_INT(read.result_count, tn_operator_result_count(op));
        for (int k = 0; k < read.result_count; k++) {
            CHECK_TEXT(tn_operator_result_name(op, k), read.results[k]);
            CHECK(tn_operator_variant(op) != TN_VARIANT_OUT || strcmp(tn_operator_parameter(op, k).name, read.results[k]) == 0);
        }
        CHECK(!tn_operator_result_name(op, read.result_count) && !tn_operator_result_name(op, -1));
        for (int k = 0; k < read.count; k++) {
            tn_parameter parameter = tn_operator_parameter(op, k);
            CHECK_TEXT(parameter.name, read.parameters[k].name);
            CHECK_INT(parameter.type, read.parameters[k].type);
            CHECK_TEXT(parameter.standard ? parameter.standard : "", read.parameters[k].standard);
            if (parameter.standard && !tni_standard_fits(parameter.type, parameter.standard))
                test_fail(__FILE__, __LINE__, "the default of %s in %s%s means nothing", parameter.name, tn_operator_name(op),
                          tn_operator_signature(op));
        }
        CHECK(tn_operator_variant(op) == TN_VARIANT_FUNCTIONAL || tn_operator_parameter(op, 0).written);
        CHECK(strlen(tn_operator_doc(op)) > 0 && strlen(tn_operator_group(op)) > 0);
    }
}

TEST(an_operator_tells_its_parts) {
    const tn_operator *op = tn_operator_find("squeeze_.dim");
    CHECK(op);
    CHECK_TEXT(tn_operator_name(op), "squeeze_.dim");
    CHECK_TEXT(tn_operator_base(op), "squeeze");
    CHECK_TEXT(tn_operator_overload(op), "dim");
    CHECK_TEXT(tn_operator_signature(op), "(tensor! self, int dim) -> view");
    CHECK_TEXT(tn_operator_group(op), "view");
    CHECK_INT(tn_operator_variant(op), TN_VARIANT_IN_PLACE);
    CHECK_INT(tn_operator_result(op), TN_RESULT_VIEW);
    CHECK_INT(tn_operator_parameter_count(op), 2);
    CHECK_TEXT(tn_operator_parameter(op, 1).name, "dim");
    CHECK(!tn_operator_parameter(op, 1).standard && !tn_operator_parameter(op, 1).written);
    CHECK(!tn_operator_parameter(op, 2).name && !tn_operator_parameter(op, -1).name);
    CHECK_TEXT(tn_operator_parameter(tn_operator_find("flatten"), 2).standard, "-1");
    CHECK_TEXT(tn_operator_signature(tn_operator_find("add_out")), "(tensor! out, tensor self, tensor other) -> tensor");
    CHECK_INT(tn_operator_variant(tn_operator_find("add_out")), TN_VARIANT_OUT);
}

TEST(an_operator_is_found_under_its_C_name_too) {
    CHECK(tn_operator_find("squeeze_dim_") == tn_operator_find("squeeze_.dim"));
    CHECK(tn_operator_find("add_scalar_out") == tn_operator_find("add_out.scalar"));
    CHECK(tn_operator_find("set_storage_") == tn_operator_find("set_.storage"));
    CHECK(!tn_operator_find("no_such_thing") && !tn_operator_find("") && !tn_operator_find(NULL));
    CHECK_INT(tn_error_code(), TN_OK);
}

TEST(documentation_is_unpacked_once_for_all_forms_of_a_row) {
    const char *text = tn_operator_doc(tn_operator_find("neg"));
    CHECK_TEXT(text, "-self. Refused for bool.");
    CHECK(tn_operator_doc(tn_operator_find("neg_")) == text && tn_operator_doc(tn_operator_find("neg")) == text);
    CHECK(tn_operator_signature(tn_operator_find("neg")) == tn_operator_signature(tn_operator_find("neg")));
}

TEST(asking_about_no_operator_gives_nothing) {
    CHECK_TEXT(tn_operator_name(NULL), "");
    CHECK_TEXT(tn_operator_base(NULL), "");
    CHECK_TEXT(tn_operator_overload(NULL), "");
    CHECK_TEXT(tn_operator_signature(NULL), "");
    CHECK_TEXT(tn_operator_group(NULL), "");
    CHECK_TEXT(tn_operator_doc(NULL), "");
    CHECK_INT(tn_operator_parameter_count(NULL), 0);
    CHECK(!tn_operator_parameter(NULL, 0).name);
    CHECK_ERROR(TN_ERROR_INDEX, "no operator number", tn_operator_at(tn_operator_count()));
    CHECK_ERROR(TN_ERROR_INDEX, "no operator number -1", tn_operator_at(-1));
    CHECK_TEXT(tn_type_name((tn_type)99), "unknown");
    CHECK_TEXT(tn_type_name(TN_TYPE_WRITTEN), "tensor!");
    CHECK_TEXT(tn_value_kind_name((tn_value_kind)99), "unknown");
}

TEST(a_signature_that_cannot_be_read_is_refused_with_its_column) {
    static const struct {
        const char *text, *reason;
        int column;
    } cases[] = {
        {"tensor self", "begins with (", 1},
        {"(tensor self", "comma or )", 13},
        {"(tensor self) tensor", "->", 15},
        {"(matrix self) -> tensor", "a type", 2},
        {"(tensor 2x) -> tensor", "name of a parameter", 9},
        {"(tensor) -> tensor", "name of a parameter", 8},
        {"(tensor a, int a) -> tensor", "used twice", 16},
        {"(int a=) -> tensor", "default is expected", 8},
        {"(int a,) -> tensor", "a type", 8},
        {"(int a b) -> tensor", "comma or )", 8},
        {"() -> matrix", "no such result", 7},
        {"() -> tensor tensor", "nothing may follow", 14},
        {"() -> tensor(a)", "only the tensors of a list", 13},
        {"() -> list()", "name of a result", 12},
        {"() -> list(a, )", "name of a result", 15},
        {"() -> list(a b)", "comma or )", 14},
        {"() -> list(a, b, c, d, e, f, g, h, i)", "more results", 36},
        {"() -> list(a) b", "nothing may follow", 15},
        {"(int abcdefghijklmnopqrstuvwxyzabcdefghijklmnopqrstuvwxyz) -> tensor", "too long", 6},
        {"(int a=123456789012345678901234567890123456789012345) -> tensor", "too long", 8},
        {"(int a,int b,int c,int d,int e,int f,int g,int h,int i,int j,int k,int l,int m,int n,int o,int p,int q) -> none",
         "more parameters", 98},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        tni_signature read;
        int column;
        const char *wrong = tni_signature_parse(cases[i].text, &read, &column);
        CHECK(wrong && strstr(wrong, cases[i].reason));
        CHECK_INT(column, cases[i].column);
    }
    CHECK(!tni_type_spelling((tn_type)77) && !tni_result_spelling((tn_result)77));
}

/* ---- calls by name */

TEST(a_call_by_name_does_what_the_C_function_does) {
    tn_tensor *x = TN_MATRIX(float, 3, {1, 2, 3}, {4, 5, 6});
    tn_value result;
    CHECK(x && tn_call("transpose", TN_VALUES(x, 0, 1), &result) == TN_OK);
    CHECK_INT(result.kind, TN_VALUE_TENSOR);
    CHECK_INT(tn_size(result.as.tensor, 0), 3);
    CHECK(tn_is_alias_of(result.as.tensor, x));
    tn_tensor *sum = tn_call_tensor("add.scalar", TN_VALUES(x, 10));
    CHECK(sum);
    CHECK_DOUBLE(tn_get_double(sum, TN_DIMS(1, 2)), 16);
    CHECK(tn_call("chunk", TN_VALUES(x, 3, 1), &result) == TN_OK);
    CHECK_INT(result.kind, TN_VALUE_LIST);
    CHECK_INT(tn_list_count(result.as.list), 3);
}

TEST(arguments_left_out_take_their_defaults) {
    tn_tensor *x = tn_empty(TN_DIMS(2, 3, 4), TN_FLOAT32);
    tn_tensor *flat = tn_call_tensor("flatten", TN_VALUES(x));
    CHECK(flat && tn_ndim(flat) == 1);
    flat = tn_call_tensor("flatten", TN_VALUES(x, 1));
    CHECK(flat && tn_ndim(flat) == 2);
    flat = tn_call_tensor("flatten", TN_VALUES(x, tn_value_none(), 1));
    CHECK(flat && tn_ndim(flat) == 2 && tn_size(flat, 0) == 6);
    tn_tensor *same = tn_call_tensor("as_strided", TN_VALUES(x, TN_DIMS(4), TN_DIMS(1)));
    CHECK(same && tn_storage_offset(same) == 0);
    tn_tensor *made = tn_call_tensor("zeros", TN_VALUES(TN_DIMS(2)));
    CHECK(made && tn_dtype_of(made) == tn_default_dtype());
    made = tn_call_tensor("logspace", TN_VALUES(0, 2, 3));
    CHECK(made);
    CHECK_DOUBLE(tn_get_double(made, TN_DIMS(2)), 100);
    made = tn_call_tensor("clamp", TN_VALUES(TN_VECTOR(float, -5, 5), tn_value_none(), 2));
    CHECK(made);
    CHECK_DOUBLE(tn_get_double(made, TN_DIMS(0)), -5);
    CHECK_DOUBLE(tn_get_double(made, TN_DIMS(1)), 2);
    made = tn_call_tensor("empty_like", TN_VALUES(x));
    CHECK(made && tn_size(made, 2) == 4);
}

TEST(values_are_converted_where_nothing_is_lost) {
    tn_tensor *x = tn_call_tensor("zeros", TN_VALUES(3, "int64"));
    CHECK(x && tn_ndim(x) == 1 && tn_size(x, 0) == 3 && tn_dtype_of(x) == TN_INT64);
    x = tn_call_tensor("zeros", TN_VALUES(TN_DIMS(2, 2), TN_FLOAT64));
    CHECK(x && tn_dtype_of(x) == TN_FLOAT64);
    x = tn_call_tensor("empty.device", TN_VALUES(TN_DIMS(2), tn_value_none(), "cpu:0"));
    CHECK(x && tn_device_of(x).type == TN_CPU);
    x = tn_call_tensor("logspace", TN_VALUES(0, 1, TN_SCALAR(2), 2, TN_FLOAT64));
    CHECK(x);
    CHECK_DOUBLE(tn_get_double(x, TN_DIMS(1)), 2);
    x = tn_call_tensor("full", TN_VALUES(TN_DIMS(), UINT64_MAX, TN_UINT64));
    CHECK(x && tn_item(x).value.u == UINT64_MAX);
    x = tn_call_tensor("full", TN_VALUES(TN_DIMS(), true));
    CHECK(x && tn_dtype_of(x) == TN_INT64); /* true is an int in C */
    x = tn_call_tensor("full", TN_VALUES(TN_DIMS(), (bool)true));
    CHECK(x && tn_dtype_of(x) == TN_BOOL);
    x = tn_call_tensor("clone", TN_VALUES(x, TN_CONTIGUOUS));
    CHECK(x);
    tn_tensor *a = TN_VECTOR(float, 1, 2), *b = TN_VECTOR(float, 3);
    const tn_tensor *both[] = {a, b};
    tn_value lists;
    CHECK(a && b && tn_call("meshgrid", TN_VALUES(tn_value_tensors(both, 2)), &lists) == TN_OK);
    CHECK_INT(tn_list_count(lists.as.list), 2);
    CHECK(tn_call("broadcast_tensors", TN_VALUES(lists.as.list), &lists) == TN_OK); /* a list where tensors are wanted */
    CHECK_INT(tn_list_count(lists.as.list), 2);
}

TEST(what_does_not_fit_is_refused_and_the_parameter_named) {
    tn_tensor *x = tn_empty(TN_DIMS(2, 3), TN_FLOAT32);
    CHECK(x);
    CHECK_ERROR(TN_ERROR_ARGUMENT, "no operator named \"nothing\"", tn_call("nothing", TN_NO_VALUES, NULL));
    CHECK_ERROR(TN_ERROR_ARGUMENT, "name is NULL", tn_call(NULL, TN_NO_VALUES, NULL));
    CHECK_ERROR(TN_ERROR_ARGUMENT, "op is NULL", tn_operator_call(NULL, TN_NO_VALUES, NULL));
    CHECK_ERROR(TN_ERROR_ARGUMENT, "transpose: argument dim1 must be a value of type int, not the float 1.5",
                tn_call("transpose", TN_VALUES(x, 0, 1.5), NULL));
    CHECK_ERROR(TN_ERROR_ARGUMENT, "dim1 is missing", tn_call("transpose", TN_VALUES(x, 0), NULL));
    CHECK_ERROR(TN_ERROR_ARGUMENT, "self is missing", tn_call("alias", TN_NO_VALUES, NULL));
    CHECK_ERROR(TN_ERROR_ARGUMENT, "2 arguments were given", tn_call("alias", TN_VALUES(x, 1), NULL));
    CHECK_ERROR(TN_ERROR_ARGUMENT, "self is NULL", tn_call("alias", TN_VALUES((tn_tensor *)NULL), NULL));
    CHECK_ERROR(TN_ERROR_ARGUMENT, "count -1", tn_call("alias", ((tn_values){NULL, -1}), NULL));
    CHECK_ERROR(TN_ERROR_ARGUMENT, "self must be a value of type tensor, not the int 7", tn_call("alias", TN_VALUES(7), NULL));
    CHECK_ERROR(TN_ERROR_ARGUMENT, "dtype must be a value", tn_call("zeros", TN_VALUES(TN_DIMS(2), "float31"), NULL));
    CHECK_ERROR(TN_ERROR_ARGUMENT, "dtype must be a value", tn_call("zeros", TN_VALUES(TN_DIMS(2), -3), NULL));
    CHECK_ERROR(TN_ERROR_DTYPE, "no dtype number", tn_call("view.dtype", TN_VALUES(x, tn_value_dtype(TN_DTYPE_DEFAULT)), NULL));
    CHECK_ERROR(TN_ERROR_ARGUMENT, "device must be a value", tn_call("empty.device", TN_VALUES(1, 0, "cpu:x"), NULL));
    CHECK_ERROR(TN_ERROR_ARGUMENT, "device must be a value", tn_call("empty.device", TN_VALUES(1, 0, "moon"), NULL));
    CHECK_ERROR(TN_ERROR_ARGUMENT, "format must be a value", tn_call("clone", TN_VALUES(x, 99), NULL));
    CHECK_ERROR(TN_ERROR_ARGUMENT, "value must be a value of type scalar, not a value of kind dims",
                tn_call("full", TN_VALUES(TN_DIMS(2), TN_DIMS(3)), NULL));
    CHECK_ERROR(TN_ERROR_ARGUMENT, "indexing is NULL",
                tn_call("meshgrid", TN_VALUES(tn_value_tensors(NULL, 0), (const char *)NULL), NULL));
    CHECK_ERROR(TN_ERROR_ARGUMENT, "base must be a value of type float, not the scalar 1+2j",
                tn_call("logspace", TN_VALUES(0, 1, 3, tn_scalar_complex(1, 2)), NULL));
    CHECK_ERROR(TN_ERROR_ARGUMENT, "does not give a tensor", tn_call_tensor("chunk", TN_VALUES(x, 2)));
    CHECK_ERROR(TN_ERROR_ARGUMENT, "name is NULL", tn_call_tensor(NULL, TN_NO_VALUES));
    tn_value result = TN_V(5);
    CHECK_ERROR(TN_ERROR_INDEX, "transpose", tn_call("transpose", TN_VALUES(x, 0, 9), &result));
    CHECK_INT(result.kind, TN_VALUE_NONE);
}

TEST(a_result_nobody_wants_is_released) {
    tn_tensor *x = tn_empty(TN_DIMS(4), TN_FLOAT32);
    CHECK(x);
    tn_storage *storage = tn_storage_of(x);
    CHECK(tn_call("alias", TN_VALUES(x), NULL) == TN_OK);
    CHECK(tn_call("chunk", TN_VALUES(x, 2), NULL) == TN_OK);
    CHECK_INT(tn_storage_use_count(storage), 1);
}

TEST(an_in_place_operator_by_name_returns_its_argument) {
    tn_tensor *x = tn_zeros(TN_DIMS(1, 3), TN_FLOAT32);
    CHECK(x);
    CHECK(tn_call_tensor("squeeze_.dim", TN_VALUES(x, 0)) == x);
    CHECK_INT(tn_ndim(x), 1);
    tn_tensor *out = tn_empty(TN_DIMS(3), TN_FLOAT32);
    CHECK(out && tn_call_tensor("add_out.scalar", TN_VALUES(out, x, 2.5)) == out);
    CHECK_DOUBLE(tn_get_double(out, TN_DIMS(1)), 2.5);
    CHECK(tn_call("fill_", TN_VALUES(x, 4), NULL) == TN_OK);
    CHECK_DOUBLE(tn_get_double(x, TN_DIMS(0)), 4);
}

TEST(a_name_with_several_forms_is_resolved_by_the_arguments) {
    tn_tensor *x = tn_empty(TN_DIMS(2, 1), TN_FLOAT32);
    CHECK(x);
    CHECK(tn_operator_resolve("add", TN_VALUES(x, x)) == tn_operator_find("add"));
    CHECK(tn_operator_resolve("add", TN_VALUES(x, 2.5)) == tn_operator_find("add.scalar"));
    CHECK(tn_operator_resolve("add_", TN_VALUES(x, 2)) == tn_operator_find("add_.scalar"));
    CHECK(tn_operator_resolve("squeeze", TN_VALUES(x)) == tn_operator_find("squeeze"));
    CHECK(tn_operator_resolve("squeeze", TN_VALUES(x, 1)) == tn_operator_find("squeeze.dim"));
    CHECK(tn_operator_resolve("squeeze", TN_VALUES(x, TN_DIMS(0, 1))) == tn_operator_find("squeeze.dims"));
    CHECK(!tn_operator_resolve("squeeze", TN_VALUES(x, "text")));
    CHECK(!tn_operator_resolve("squeez", TN_VALUES(x)) && !tn_operator_resolve(NULL, TN_NO_VALUES));
    CHECK(!tn_operator_resolve("mine::none", TN_VALUES(x)));
    CHECK_INT(tn_error_code(), TN_OK);
}

/* ---- keys and modes */

TEST(keys_have_names_and_tensors_bring_that_of_their_device) {
    tn_tensor *x = tn_empty(TN_DIMS(2), TN_FLOAT32);
    CHECK(x);
    CHECK(tn_keys_of(x) == TN_KEYS(TN_KEY_CPU) && tn_keys_of(NULL) == 0);
    CHECK_TEXT(tn_key_name(TN_KEY_CPU), "cpu");
    CHECK_TEXT(tn_key_name(TN_KEY_AUTOGRAD), "autograd");
    CHECK_TEXT(tn_key_name(TN_KEY_OUTER_3), "outer_3");
    CHECK_TEXT(tn_key_name(TN_KEY_ANY), "any");
    CHECK_TEXT(tn_key_name(-1), "unknown");
    CHECK_TEXT(tn_key_name(50), "unknown");
    CHECK_TEXT(tn_key_name(65), "unknown");
}

typedef struct mode_log {
    int calls, depth;
    char names[200];
    bool shadow; /* calls another operator itself */
} mode_log;

static tn_error log_call(void *ctx, const tn_frame *frame, tn_values arguments, tn_value *result) {
    mode_log *log = ctx;
    log->calls++;
    size_t used = strlen(log->names);
    snprintf(log->names + used, sizeof log->names - used, "%s;", tn_operator_name(tn_frame_operator(frame)));
    if (log->shadow && !tn_alias(arguments.items[0].as.tensor))
        return tn_error_code();
    return tn_redispatch(frame, arguments, result);
}

static void drop_mode(void *unused) {
    (void)unused;
    tn_keys_set((tn_key_state){0, 0});
    for (int32_t key = TN_KEY_INNER_0; key <= TN_KEY_OUTER_3; key++)
        toy_drop_fallback_at(key);
}

TEST(a_mode_sees_every_call_of_the_thread_that_includes_it) {
    mode_log log = {.calls = 0};
    CHECK(tn_fallback_register(TN_KEY_OUTER_0, TN_KERNEL(log_call, &log)) == TN_OK);
    TEST_DEFER(drop_mode, NULL);
    tn_tensor *x = tn_zeros(TN_DIMS(2, 3), TN_FLOAT32);
    CHECK(x);
    CHECK_INT(log.calls, 0);
    tn_key_state before = tn_keys_include(TN_KEYS(TN_KEY_OUTER_0));
    CHECK(before.included == 0 && tn_keys_now().included == TN_KEYS(TN_KEY_OUTER_0));
    tn_tensor *y = tn_add_scalar(tn_t(x), 1);
    tn_list *parts = tn_chunk(x, 2, 0);
    tn_tensor *made = tn_ones(TN_DIMS(2), TN_INT32);
    CHECK(y && parts && made && tn_fill_(made, 3) == made);
    CHECK(tn_call_tensor("alias", TN_VALUES(x)));
    CHECK_TEXT(log.names, "t;add.scalar;chunk;ones;fill_;alias;");
    CHECK_DOUBLE(tn_get_double(y, TN_DIMS(2, 1)), 1);
    CHECK_INT(tn_get_int64(made, TN_DIMS(1)), 3);
    tn_keys_exclude(TN_KEYS(TN_KEY_OUTER_0)); /* exclusion wins */
    CHECK(tn_alias(x));
    CHECK_INT(log.calls, 6);
    tn_keys_set(before);
    CHECK(tn_alias(x));
    CHECK_INT(log.calls, 6);
}

TEST(a_mode_does_not_see_the_operators_it_calls_itself) {
    mode_log log = {.shadow = true};
    CHECK(tn_fallback_register(TN_KEY_OUTER_0, TN_KERNEL(log_call, &log)) == TN_OK);
    TEST_DEFER(drop_mode, NULL);
    tn_tensor *x = tn_zeros(TN_DIMS(2), TN_FLOAT32);
    CHECK(x);
    tn_keys_include(TN_KEYS(TN_KEY_OUTER_0));
    tn_tensor *y = tn_neg(x);
    CHECK(y);
    CHECK_INT(tn_use_count(y), 1);
    CHECK_TEXT(log.names, "neg;");
    CHECK(tn_keys_now().excluded == 0);
}

TEST(higher_keys_come_first_and_a_key_without_kernels_is_passed_over) {
    mode_log outer = {.calls = 0}, inner = {.calls = 0};
    CHECK(tn_fallback_register(TN_KEY_OUTER_1, TN_KERNEL(log_call, &outer)) == TN_OK);
    TEST_DEFER(drop_mode, NULL);
    CHECK(tn_fallback_register(TN_KEY_INNER_2, TN_KERNEL(log_call, &inner)) == TN_OK);
    tn_tensor *x = tn_zeros(TN_DIMS(2), TN_FLOAT32);
    tn_keys_include(TN_KEYS(TN_KEY_OUTER_1) | TN_KEYS(TN_KEY_INNER_2) | TN_KEYS(TN_KEY_OUTER_3) | TN_KEYS(TN_KEY_AUTOGRAD));
    CHECK(x && tn_neg(x));
    CHECK_INT(outer.calls, 1);
    CHECK_INT(inner.calls, 1);
    CHECK(tn_kernel_register("neg", TN_KEY_OUTER_1, TN_KERNEL(tn_fall_through, NULL)) == TN_OK);
    tn_tensor *y = tn_neg(x);
    tn_error code = tn_kernel_unregister("neg", TN_KEY_OUTER_1);
    CHECK(y && code == TN_OK);
    CHECK_INT(outer.calls, 1); /* fell through, also past the fallback of its key */
    CHECK_INT(inner.calls, 2);
}

static tn_error refuse(void *ctx, const tn_frame *frame, tn_values arguments, tn_value *result) {
    (void)frame;
    (void)arguments;
    (void)result;
    return ctx ? tn_error_raise(TN_ERROR_UNSUPPORTED, "refuse", "not today") : TN_ERROR_SHAPE;
}

TEST(a_mode_that_fails_makes_the_call_fail) {
    CHECK(tn_fallback_register(TN_KEY_OUTER_0, TN_KERNEL(refuse, "why")) == TN_OK);
    TEST_DEFER(drop_mode, NULL);
    tn_tensor *x = tn_zeros(TN_DIMS(2), TN_FLOAT32);
    CHECK(x);
    tn_keys_include(TN_KEYS(TN_KEY_OUTER_0));
    CHECK_ERROR(TN_ERROR_UNSUPPORTED, "not today", tn_alias(x));
    CHECK_ERROR(TN_ERROR_UNSUPPORTED, "not today", tn_fill_(x, 1));
    CHECK(tn_fallback_unregister(TN_KEY_OUTER_0) == TN_OK);
    CHECK(tn_fallback_register(TN_KEY_OUTER_0, TN_KERNEL(refuse, NULL)) == TN_OK);
    CHECK_ERROR(TN_ERROR_SHAPE, "alias: the kernel failed without giving a reason", tn_alias(x));
}

static tn_error times_two(void *ctx, const tn_frame *frame, tn_values arguments, tn_value *result) {
    (void)ctx;
    tn_value inner;
    if (tn_redispatch(frame, arguments, &inner) != TN_OK) /* the built-in kernel */
        return tn_error_code();
    *result = TN_V(tn_mul_scalar(inner.as.tensor, 2));
    return TN_OK;
}

static void drop_neg(void *unused) {
    (void)unused;
    toy_drop_kernel_at("neg", TN_KEY_CPU);
}

TEST(a_built_in_kernel_can_be_replaced_and_still_be_called) {
    tn_tensor *x = TN_VECTOR(float, 1, 2);
    CHECK(x && tn_kernel_register("neg", TN_KEY_CPU, TN_KERNEL(times_two, NULL)) == TN_OK);
    TEST_DEFER(drop_neg, NULL);
    tn_tensor *y = tn_neg(x);
    CHECK(y);
    CHECK_DOUBLE(tn_get_double(y, TN_DIMS(1)), -4);
    CHECK(tn_kernel_unregister("neg", TN_KEY_CPU) == TN_OK);
    y = tn_neg(x);
    CHECK(y);
    CHECK_DOUBLE(tn_get_double(y, TN_DIMS(1)), -2);
}

TEST(what_a_kernel_returns_from_others_stays_theirs) {
    /* The mode returns its argument: the caller must get a reference of its own. */
    tn_tensor *x = tn_zeros(TN_DIMS(2), TN_FLOAT32);
    CHECK(x && tn_fallback_register(TN_KEY_OUTER_0, TN_KERNEL(tn_fall_through, NULL)) == TN_OK);
    TEST_DEFER(drop_mode, NULL);
    tn_keys_include(TN_KEYS(TN_KEY_OUTER_0));
    tn_scope scope = tn_scope_open();
    tn_tensor *same = tn_contiguous(x, TN_CONTIGUOUS);
    CHECK(same == x && tn_use_count(x) == 2);
    CHECK(tn_scope_close(scope) == TN_OK);
    CHECK_INT(tn_use_count(x), 1);
}

/* ---- a user-defined device */

TEST(views_work_on_every_device_without_a_kernel) {
    toy_begin(NULL);
    tn_tensor *x = toy_tensor(TN_MATRIX(float, 3, {1, 2, 3}, {4, 5, 6}));
    CHECK(x && tn_device_of(x).type >= TN_DEVICE_USER);
    CHECK(tn_keys_of(x) == TN_KEYS(tn_device_of(x).type));
    tn_tensor *y = tn_select(tn_t(x), 0, 2);
    CHECK(y && tn_is_alias_of(x, y));
    tn_list *parts = tn_unbind(x, 0);
    CHECK(parts && tn_list_count(parts) == 2);
    CHECK(tn_unsqueeze_(x, 0) == x);
    tn_tensor *back = toy_fetch(y);
    CHECK(back);
    CHECK_DOUBLE(tn_get_double(back, TN_DIMS(1)), 6);
    tn_tensor *like = tn_empty_like(x, TN_DTYPE_DEFAULT, TN_PRESERVE);
    CHECK(like && tn_device_of(like).type == tn_device_of(x).type);
}

TEST(an_operator_a_device_has_no_kernel_for_says_who_has) {
    toy_begin(NULL);
    tn_tensor *x = toy_tensor(TN_VECTOR(float, 1, 2));
    CHECK(x);
    CHECK_ERROR(TN_ERROR_DEVICE, "neg: device type \"toy\" has no kernel for neg, and no fallback; there are kernels for: cpu",
                tn_neg(x));
    CHECK_ERROR(TN_ERROR_DEVICE, "has no kernel for add_.scalar", tn_add_scalar_(x, 1));
}

TEST(tensors_of_two_devices_do_not_mix) {
    int32_t type = toy_begin(NULL);
    tn_tensor *x = toy_tensor(TN_VECTOR(float, 1, 2)), *y = TN_VECTOR(float, 3, 4);
    CHECK(x && y);
    CHECK(tn_kernel_register("add", type, TN_KERNEL(tn_fallback_to_cpu, NULL)) == TN_OK);
    TEST_DEFER(toy_drop_kernel, (void *)(uintptr_t) "add");
    CHECK_ERROR(TN_ERROR_DEVICE, "add: self is on toy:0 and other on cpu:0", tn_add(x, y));
    tn_tensor *number = tn_scalar_tensor(10, TN_FLOAT32);
    tn_tensor *sum = toy_fetch(tn_add(x, number)); /* a number may be on the CPU */
    CHECK(number && sum);
    CHECK_DOUBLE(tn_get_double(sum, TN_DIMS(1)), 12);
}

TEST(the_cpu_does_what_the_device_cannot) {
    int copies = 0;
    int32_t type = toy_begin(&copies);
    CHECK(tn_fallback_register(type, TN_KERNEL(tn_fallback_to_cpu, NULL)) == TN_OK);
    TEST_DEFER(toy_drop_fallback, NULL);
    tn_tensor *x = toy_tensor(TN_MATRIX(float, 2, {1, 2}, {3, 4}));
    CHECK(x);
    copies = 0;
    tn_tensor *y = tn_add(x, tn_t(x));
    CHECK(y && tn_device_of(y).type == type);
    CHECK_INT(copies, 3);
    tn_tensor *back = toy_fetch(y);
    CHECK(back);
    CHECK_DOUBLE(tn_get_double(back, TN_DIMS(0, 1)), 5);
    CHECK(tn_mul_(x, x) == x);                                                    /* one tensor, moved once and back once */
    tn_tensor *out = tn_empty_device(TN_DIMS(0), TN_FLOAT32, TN_DEVICE(type, 0)); /* grows to the result */
    CHECK(out && tn_add_scalar_out(out, tn_select(x, 0, 1), 0.5) == out);
    back = toy_fetch(out);
    CHECK(back);
    CHECK_INT(tn_ndim(back), 1);
    CHECK_DOUBLE(tn_get_double(back, TN_DIMS(1)), 16.5);
    CHECK(tn_fill_(x, 7) == x && tn_tensor_version(x) > 0);
    back = tn_to_device(x, TN_DEVICE_CPU);
    CHECK(back && tn_device_of(back).type == TN_CPU);
    CHECK_DOUBLE(tn_get_double(back, TN_DIMS(1, 1)), 7);
    tn_tensor *there = tn_to_device(back, TN_DEVICE(type, 0));
    CHECK(there && tn_device_of(there).type == type);
}

TEST(a_fallback_to_the_cpu_needs_the_device_to_copy) {
    int32_t type = toy_device();
    CHECK(type > 0);
    TEST_DEFER(toy_no_device, NULL);
    CHECK(tn_fallback_register(type, TN_KERNEL(tn_fallback_to_cpu, NULL)) == TN_OK);
    TEST_DEFER(toy_drop_fallback, NULL);
    tn_tensor *x = tn_empty_device(TN_DIMS(2), TN_FLOAT32, TN_DEVICE(type, 0));
    CHECK(x);
    CHECK_ERROR(TN_ERROR_DEVICE, "cannot be copied", tn_neg(x));
}

TEST(the_fallback_to_the_cpu_cannot_be_its_own_copy) {
    int32_t type = toy_device();
    CHECK(type > 0);
    TEST_DEFER(toy_no_device, NULL);
    CHECK(tn_kernel_register("copy_", type, TN_KERNEL(tn_fallback_to_cpu, NULL)) == TN_OK);
    TEST_DEFER(toy_drop_kernel, (void *)(uintptr_t) "copy_");
    tn_tensor *x = tn_empty_device(TN_DIMS(2), TN_FLOAT32, TN_DEVICE(type, 0));
    CHECK(x);
    CHECK_ERROR(TN_ERROR_UNSUPPORTED, "the backend must register its own kernel for copy_", tn_copy_(x, x));
    CHECK(tn_kernel_register("neg", TN_KEY_CPU, TN_KERNEL(tn_fallback_to_cpu, NULL)) == TN_OK);
    TEST_DEFER(drop_neg, NULL);
    CHECK_ERROR(TN_ERROR_UNSUPPORTED, "its own kernel for neg", tn_neg(TN_VECTOR(float, 1)));
}

TEST(a_thread_may_send_its_factories_to_a_device) {
    int32_t type = toy_begin(NULL);
    CHECK(tn_fallback_register(type, TN_KERNEL(tn_fallback_to_cpu, NULL)) == TN_OK);
    TEST_DEFER(toy_drop_fallback, NULL);
    TEST_DEFER(drop_mode, NULL);
    tn_keys_include(TN_KEYS(type));
    tn_tensor *x = tn_full(TN_DIMS(2), 3, TN_FLOAT32);
    CHECK(x && tn_device_of(x).type == type);
    tn_keys_set((tn_key_state){0, 0});
    tn_tensor *back = toy_fetch(x);
    CHECK(back);
    CHECK_DOUBLE(tn_get_double(back, TN_DIMS(1)), 3);
}

TEST(copies_of_every_kind_need_only_the_copy_kernel_of_the_device) {
    int copies = 0;
    int32_t type = toy_begin(&copies);
    tn_tensor *near = TN_MATRIX(float, 3, {1, 2, 3}, {4, 5, 6});
    CHECK(near);
    tn_tensor *x = tn_to_device(near, TN_DEVICE(type, 0));
    CHECK(x && tn_device_of(x).type == type);
    CHECK(tn_contiguous(x, TN_CONTIGUOUS) == x && tn_to(x, TN_FLOAT32) == x);
    tn_tensor *view = tn_reshape(x, TN_DIMS(6));
    CHECK(view && tn_is_alias_of(view, x));
    CHECK_INT(copies, 1);
    tn_counters before = tn_counters_now();
    tn_tensor *copy = tn_reshape(tn_t(x), TN_DIMS(6)), *twin = tn_clone(tn_t(x), TN_CONTIGUOUS), *whole = tn_to(x, TN_INT32);
    CHECK(copy && twin && whole && !tn_is_alias_of(copy, x));
    CHECK_INT(copies, 4);
    CHECK_INT(tn_counters_since(before).copies, 6); /* three here, and three the toy made to do them */
    tn_tensor *back = tn_to_device(copy, TN_DEVICE_CPU), *integers = tn_to_device(whole, TN_DEVICE_CPU);
    CHECK(back && integers);
    CHECK_DOUBLE(tn_get_double(back, TN_DIMS(1)), 4);
    CHECK_INT(tn_get_int64(integers, TN_DIMS(1, 2)), 6);
    CHECK(tn_setitem_text_(x, "1, :", tn_select(x, 0, 0)) == x);
    back = toy_fetch(x);
    CHECK(back);
    CHECK_DOUBLE(tn_get_double(back, TN_DIMS(1, 2)), 3);
}

TEST(set_takes_a_tensor_to_another_device) {
    int32_t type = toy_begin(NULL);
    tn_tensor *x = toy_tensor(TN_VECTOR(float, 1, 2)), *y = tn_empty(TN_DIMS(1), TN_FLOAT32);
    CHECK(x && y && tn_set_(y, x) == y);
    CHECK(tn_keys_of(y) == TN_KEYS(type));
    CHECK(tn_is_alias_of(x, y));
}

TEST(device_types_that_do_not_exist_find_no_kernel) {
    int calls = 0;
    toy_begin(&calls);
    tn_tensor *x = tn_ones(TN_DIMS(2), TN_FLOAT32);
    CHECK(x);
    static const int32_t types[] = {16, 17, 63, 64, 65, 128, 1000, INT32_MAX};
    for (size_t i = 0; i < sizeof types / sizeof *types; i++)
        CHECK_ERROR(TN_ERROR_DEVICE, "", tn_to_device(x, TN_DEVICE(types[i], 0)));
    CHECK_INT(calls, 0);
}

TEST(what_kernels_call_asks_for_the_frame_and_the_result) {
    tn_value result;
    CHECK_ERROR(TN_ERROR_ARGUMENT, "fall_through: frame is NULL", tn_fall_through(NULL, NULL, TN_VALUES(1), &result));
    CHECK_ERROR(TN_ERROR_ARGUMENT, "fallback_to_cpu: frame is NULL", tn_fallback_to_cpu(NULL, NULL, TN_VALUES(1), &result));
}

TEST(hints_tell_bindings_what_c_does_not_need) {
    CHECK_TEXT(tn_operator_hints(tn_operator_find("add.alpha")), "early=alpha named=alpha");
    CHECK_TEXT(tn_operator_hints(tn_operator_find("subtract_.alpha")), "early=alpha named=alpha");
    CHECK_TEXT(tn_operator_hints(tn_operator_find("split_with_sizes")), "also=split");
    CHECK_TEXT(tn_operator_hints(tn_operator_find("flatten")), "returns-self");
    CHECK_TEXT(tn_operator_hints(tn_operator_find("exp")), "");
    CHECK_TEXT(tn_operator_hints(NULL), "");
}

TEST(defaults_are_numbers_words_and_nothing_else) {
    CHECK(tni_standard_fits(TN_TYPE_FLOAT, "inf") && tni_standard_fits(TN_TYPE_FLOAT, "-inf") &&
          tni_standard_fits(TN_TYPE_FLOAT, "nan"));
    CHECK(tni_standard_fits(TN_TYPE_FLOAT, "1e-5") && tni_standard_fits(TN_TYPE_FLOAT, "2E3") &&
          tni_standard_fits(TN_TYPE_FLOAT, "-.5"));
    CHECK(tni_standard_fits(TN_TYPE_FLOAT, "true") && tni_standard_fits(TN_TYPE_FLOAT, "12.") &&
          tni_standard_fits(TN_TYPE_INT, "-7"));
    CHECK(!tni_standard_fits(TN_TYPE_FLOAT, "1e") && !tni_standard_fits(TN_TYPE_FLOAT, "1e500") &&
          !tni_standard_fits(TN_TYPE_FLOAT, "1e-500"));
    CHECK(!tni_standard_fits(TN_TYPE_FLOAT, "1.2.3") && !tni_standard_fits(TN_TYPE_FLOAT, "") &&
          !tni_standard_fits(TN_TYPE_FLOAT, "-"));
    CHECK(!tni_standard_fits(TN_TYPE_INT, "-true") && !tni_standard_fits(TN_TYPE_INT, "99999999999999999999") &&
          !tni_standard_fits(TN_TYPE_INT, "1.5"));
    CHECK(!tni_standard_fits(TN_TYPE_INT, "9223372036854775808") && tni_standard_fits(TN_TYPE_INT, "9223372036854775807"));
    CHECK(tni_standard_fits(TN_TYPE_BOOL, "false") && tni_standard_fits(TN_TYPE_BOOL, "1") &&
          !tni_standard_fits(TN_TYPE_BOOL, "2"));
    CHECK(!tni_standard_fits(TN_TYPE_BOOL, "0.5") && tni_standard_fits(TN_TYPE_FLOATS, "none") &&
          !tni_standard_fits(TN_TYPE_FLOATS, "1"));
    CHECK(tni_standard_fits(TN_TYPE_FORMAT, "preserve") && !tni_standard_fits(TN_TYPE_FORMAT, "sideways"));
    CHECK(tni_standard_fits(TN_TYPE_DEVICE, "cpu:3") && !tni_standard_fits(TN_TYPE_DEVICE, "cpu:9999999999") &&
          !tni_standard_fits(TN_TYPE_DEVICE, "cpu:!"));
    CHECK(!tni_standard_fits(TN_TYPE_DEVICE, "nowhere") && !tni_standard_fits(TN_TYPE_DEVICE, "unknown"));
    CHECK(!tni_standard_fits(TN_TYPE_TENSOR, "1") && tni_standard_fits(TN_TYPE_SCALAR, "none") &&
          tni_standard_fits(TN_TYPE_DTYPE, "int8"));
    CHECK(!tni_standard_fits(TN_TYPE_DTYPE, "int9"));
}

TEST(values_of_one_kind_are_taken_for_another_where_nothing_is_lost) {
    tn_tensor *x = tn_ones(TN_DIMS(2, 3), TN_FLOAT32), *y;
    CHECK(x);
    y = tn_call_tensor("to", TN_VALUES(x, (long)TN_INT8));
    CHECK(y);
    CHECK_INT(tn_dtype_of(y), TN_INT8);
    CHECK(tn_call_tensor("uniform_", TN_VALUES(x, (bool)false, tn_scalar_uint(1))) == x);
    CHECK(tn_call_tensor("uniform_", TN_VALUES(x, tn_scalar_bool(false), tn_scalar_int(1))) == x);
    CHECK(tn_call_tensor("full", TN_VALUES(TN_DIMS(2), UINT64_MAX)));
    CHECK_ERROR(TN_ERROR_ARGUMENT, "must be a value of type dtype", tn_call("to", TN_VALUES(x, -1L), NULL));
    CHECK_ERROR(TN_ERROR_ARGUMENT, "must be a value of type dtype", tn_call("to", TN_VALUES(x, 999L), NULL));
    CHECK_ERROR(TN_ERROR_ARGUMENT, "must be a value of type dtype", tn_call("to", TN_VALUES(x, (const char *)NULL), NULL));
    CHECK_ERROR(TN_ERROR_ARGUMENT, "must be a value of type dtype", tn_call("to", TN_VALUES(x, 2.5), NULL));
    CHECK_ERROR(TN_ERROR_ARGUMENT, "must be a value of type format", tn_call("clone", TN_VALUES(x, 2.5), NULL));
    CHECK_ERROR(TN_ERROR_ARGUMENT, "must be a value of type format", tn_call("clone", TN_VALUES(x, -1L), NULL));
    CHECK_ERROR(TN_ERROR_ARGUMENT, "must be a value of type format", tn_call("clone", TN_VALUES(x, 99L), NULL));
    CHECK_ERROR(TN_ERROR_ARGUMENT, "the bool true", tn_call("clone", TN_VALUES(x, (bool)true), NULL));
    CHECK_ERROR(TN_ERROR_ARGUMENT, "the bool false", tn_call("neg", TN_VALUES((bool)false), NULL));
    CHECK_ERROR(TN_ERROR_ARGUMENT, "(NULL)", tn_call("neg", TN_VALUES((const char *)NULL), NULL));
    CHECK_ERROR(TN_ERROR_ARGUMENT, "must be a value of type float", tn_call("uniform_", TN_VALUES(x, "0", 1), NULL));
    CHECK_ERROR(TN_ERROR_ARGUMENT, "must be a value of type float",
                tn_call("uniform_", TN_VALUES(x, tn_scalar_complex(0, 1), 1), NULL));
    CHECK_ERROR(TN_ERROR_ARGUMENT, "must be a value of type device",
                tn_call("empty.device", TN_VALUES(TN_DIMS(2), tn_value_none(), (const char *)NULL), NULL));
    CHECK_ERROR(TN_ERROR_ARGUMENT, "must be a value of type device",
                tn_call("empty.device", TN_VALUES(TN_DIMS(2), tn_value_none(), 3L), NULL));
    CHECK_ERROR(TN_ERROR_ARGUMENT, "must be a value of type tensors", tn_call("cat", TN_VALUES(tn_value_list(NULL)), NULL));
    CHECK_ERROR(TN_ERROR_ARGUMENT, "must be a value of type bool", tn_call("sum.dim", TN_VALUES(x, TN_DIMS(0), 0.5), NULL));
    CHECK_ERROR(TN_ERROR_ARGUMENT, "must be a value of type bool", tn_call("sum.dim", TN_VALUES(x, TN_DIMS(0), 2L), NULL));
}

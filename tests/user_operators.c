/* user_operators.c - tests of operators, kernels and fallbacks that are registered at run time.
 *
 * Tests: src/dispatch/registry.c */
#include "toy_backend.h"

#include <pthread.h>
#include <stdatomic.h>

static void drop_operator(void *name) {
    bool waiting = tn_error_code() != TN_OK;
    if (tn_operator_unregister(name) != TN_OK && !waiting)
        tn_error_clear();
}

/* Registered for the length of a test. */
static const tn_operator *new_operator(const char *name, const char *signature) {
    const tn_operator *op = tn_operator_register(name, signature, "For a test.");
    if (op)
        TEST_DEFER(drop_operator, (void *)(uintptr_t)name);
    return op;
}

static tn_error scale(void *ctx, const tn_frame *frame, tn_values arguments, tn_value *result) {
    (void)frame;
    if (ctx)
        ++*(int *)ctx;
    tn_tensor *doubled = tn_mul_scalar(arguments.items[0].as.tensor, arguments.items[1].as.scalar);
    *result = TN_V(tn_add_scalar(doubled, 0)); /* a chain with a temporary */
    return TN_OK;
}

TEST(a_registered_operator_is_called_like_a_built_in_one) {
    int calls = 0;
    const tn_operator *op = new_operator("mine::scale", "(tensor self, scalar factor=2.5) -> tensor");
    CHECK(op && tn_kernel_register("mine::scale", TN_KEY_CPU, TN_KERNEL(scale, &calls)) == TN_OK);
    CHECK(tn_operator_find("mine::scale") == op);
    CHECK(tn_operator_at(tn_operator_count() - 1) == op);
    CHECK_TEXT(tn_operator_name(op), "mine::scale");
    CHECK_TEXT(tn_operator_base(op), "mine::scale");
    CHECK_TEXT(tn_operator_overload(op), "");
    CHECK_TEXT(tn_operator_group(op), "user");
    CHECK_TEXT(tn_operator_doc(op), "For a test.");
    CHECK_TEXT(tn_operator_signature(op), "(tensor self, scalar factor=2.5) -> tensor");
    CHECK_TEXT(tn_operator_parameter(op, 1).name, "factor");
    CHECK_TEXT(tn_operator_parameter(op, 1).standard, "2.5");
    tn_tensor *x = TN_VECTOR(float, 1, 2);
    tn_tensor *y = tn_call_tensor("mine::scale", TN_VALUES(x, 3)), *z = tn_call_tensor("mine::scale", TN_VALUES(x));
    CHECK(y && z);
    CHECK_DOUBLE(tn_get_double(y, TN_DIMS(1)), 6);
    CHECK_DOUBLE(tn_get_double(z, TN_DIMS(1)), 5);
    CHECK_INT(tn_use_count(y), 1);
    CHECK_INT(calls, 2);
    CHECK(tn_operator_resolve("mine::scale", TN_VALUES(x, 1)) == op);
    CHECK_ERROR(TN_ERROR_ARGUMENT, "mine::scale: argument factor must be a value",
                tn_call("mine::scale", TN_VALUES(x, "three"), NULL));
    CHECK_ERROR(TN_ERROR_ARGUMENT, "self is NULL", tn_call("mine::scale", TN_VALUES((tn_tensor *)NULL), NULL));
}

TEST(the_result_belongs_to_the_caller_also_without_a_scope) {
    CHECK(new_operator("mine::scale", "(tensor self, scalar factor) -> tensor"));
    CHECK(tn_kernel_register("mine::scale", TN_KEY_CPU, TN_KERNEL(scale, NULL)) == TN_OK);
    tn_tensor *x = TN_VECTOR(float, 1, 2);
    tn_scope scope = tn_scope_open();
    tn_tensor *y = tn_keep(tn_call_tensor("mine::scale", TN_VALUES(x, 2)));
    CHECK(tn_scope_close(scope) == TN_OK);
    CHECK(y);
    CHECK_INT(tn_use_count(y), 1);
    tn_release(y);
}

static tn_error add_one_in_place(void *ctx, const tn_frame *frame, tn_values arguments, tn_value *result) {
    (void)ctx;
    (void)frame;
    (void)result;
    tn_edit_float32 self = tn_write_float32(arguments.items[0].as.tensor);
    for (int64_t i = 0; self.data && i < self.sizes[0]; i++)
        TN_AT1(self, i) += 1;
    return self.data ? TN_OK : tn_error_code();
}

TEST(an_in_place_operator_of_ones_own_returns_its_argument_and_counts_as_a_write) {
    const tn_operator *op = new_operator("mine::grow_", "(tensor! self) -> tensor");
    CHECK(op && tn_kernel_register("mine::grow_", TN_KEY_CPU, TN_KERNEL(add_one_in_place, NULL)) == TN_OK);
    CHECK_INT(tn_operator_variant(op), TN_VARIANT_IN_PLACE);
    CHECK_TEXT(tn_operator_base(op), "mine::grow");
    tn_tensor *x = TN_VECTOR(float, 1, 2);
    CHECK(x);
    uint32_t version = tn_tensor_version(x);
    CHECK(tn_call_tensor("mine::grow_", TN_VALUES(x)) == x);
    CHECK_DOUBLE(tn_get_double(x, TN_DIMS(1)), 3);
    CHECK(tn_tensor_version(x) > version);
    CHECK_INT(tn_use_count(x), 1);
    op = new_operator("mine::grow_out.two", "(tensor! out, tensor self) -> tensor");
    CHECK(op);
    CHECK_INT(tn_operator_variant(op), TN_VARIANT_OUT);
    CHECK_TEXT(tn_operator_base(op), "mine::grow");
    CHECK_TEXT(tn_operator_overload(op), "two");
}

static tn_error give(void *ctx, const tn_frame *frame, tn_values arguments, tn_value *result) {
    (void)frame;
    *result = ctx ? *(tn_value *)ctx : arguments.count ? arguments.items[0] : tn_value_none();
    return TN_OK;
}

TEST(an_operator_of_ones_own_may_give_any_kind_of_result) {
    tn_tensor *x = TN_VECTOR(float, 1, 2, 3, 4);
    tn_list *list = tn_chunk(x, 2, 0);
    CHECK(x && list);
    tn_value given[] = {TN_V(list), tn_value_none(), TN_V((bool)true), TN_V(7), TN_V(2.5), TN_V(TN_SCALAR(3)), TN_V(x)};
    static const char *const results[] = {"list", "none", "bool", "int", "float", "scalar", "view"};
    for (size_t i = 0; i < sizeof given / sizeof given[0]; i++) {
        char signature[40];
        snprintf(signature, sizeof signature, "() -> %s", results[i]);
        CHECK(tn_operator_register("mine::give", signature, NULL));
        tn_error code = tn_kernel_register("mine::give", TN_KEY_CPU, TN_KERNEL(give, &given[i]));
        tn_value result = TN_V(0);
        code = code != TN_OK ? code : tn_call("mine::give", TN_NO_VALUES, &result);
        tn_value wrong = i == 0 ? TN_V(1) : TN_V(list);
        given[i] = wrong;
        tn_error second = code != TN_OK ? code : tn_call("mine::give", TN_NO_VALUES, NULL);
        bool gone = tn_operator_unregister("mine::give") == TN_OK;
        CHECK(code == TN_OK && gone);
        CHECK_INT(second, TN_ERROR_STATE);
        CHECK_ERROR(TN_ERROR_STATE, "the kernel gave", tn_error_raise(second, NULL, "%s", "the kernel gave"));
        CHECK_INT(result.kind, i == 6 ? TN_VALUE_TENSOR : i == 0 ? TN_VALUE_LIST : i == 1 ? TN_VALUE_NONE : result.kind);
        CHECK(i != 0 || (result.as.list == list && tn_list_count(list) == 2));
        CHECK(i != 3 || result.as.integer == 7);
        CHECK(i != 4 || result.as.real == 2.5);
        CHECK(i != 6 || result.as.tensor == x);
    }
    CHECK_INT(tn_use_count(x), 2); /* the one the last result owns */
}

TEST(an_operator_of_ones_own_may_name_the_tensors_of_its_list) {
    tn_tensor *x = TN_VECTOR(float, 1, 2, 3, 4, 5, 6);
    tn_list *two = tn_chunk(x, 2, 0), *three = tn_chunk(x, 3, 0);
    CHECK(x && two && three);
    tn_value given = TN_V(two);
    const tn_operator *op = tn_operator_register("mine::give", "(int n=1) -> list(first, second)", NULL);
    CHECK(op);
    bool named = tn_operator_result_count(op) == 2 && strcmp(tn_operator_result_name(op, 0), "first") == 0 &&
                 strcmp(tn_operator_result_name(op, 1), "second") == 0 && !tn_operator_result_name(op, 2);
    tn_error code = tn_kernel_register("mine::give", TN_KEY_CPU, TN_KERNEL(give, &given));
    code = code != TN_OK ? code : tn_call("mine::give", TN_NO_VALUES, NULL);
    given = TN_V(three);
    tn_error second = code != TN_OK ? code : tn_call("mine::give", TN_NO_VALUES, NULL);
    bool gone = tn_operator_unregister("mine::give") == TN_OK;
    CHECK(named && gone && code == TN_OK);
    CHECK_INT(second, TN_ERROR_STATE);
    CHECK_ERROR(TN_ERROR_STATE, "the kernel gave", tn_error_raise(second, NULL, "%s", "the kernel gave"));
}

TEST(a_kernel_that_returns_no_tensor_fails) {
    tn_value null = TN_V((tn_tensor *)NULL);
    CHECK(new_operator("mine::give", "() -> tensor"));
    CHECK(tn_kernel_register("mine::give", TN_KEY_CPU, TN_KERNEL(give, &null)) == TN_OK);
    CHECK_ERROR(TN_ERROR_ARGUMENT, "the kernel's result is NULL", tn_call_tensor("mine::give", TN_NO_VALUES));
    CHECK(tn_kernel_unregister("mine::give", TN_KEY_CPU) == TN_OK);
    CHECK(tn_kernel_register("mine::give", TN_KEY_CPU, TN_KERNEL(give, NULL)) == TN_OK);
    CHECK_ERROR(TN_ERROR_STATE, "the kernel gave none as its result, not tensor", tn_call_tensor("mine::give", TN_NO_VALUES));
}

TEST(a_kernel_for_any_backend_serves_those_that_have_none) {
    int any = 0, own = 0;
    int32_t type = toy_begin(NULL);
    CHECK(tn_fallback_register(type, TN_KERNEL(tn_fallback_to_cpu, NULL)) == TN_OK);
    TEST_DEFER(toy_drop_fallback, NULL);
    CHECK(new_operator("mine::scale", "(tensor self, scalar factor) -> tensor"));
    CHECK_ERROR(TN_ERROR_DEVICE, "there are kernels for: none",
                tn_call("mine::scale", TN_VALUES(TN_VECTOR(float, 1), 2), NULL));
    CHECK(tn_kernel_register("mine::scale", TN_KEY_ANY, TN_KERNEL(scale, &any)) == TN_OK);
    CHECK(tn_kernel_register("mine::scale", TN_KEY_CPU, TN_KERNEL(scale, &own)) == TN_OK);
    tn_tensor *x = TN_VECTOR(float, 1, 2), *there = toy_tensor(x);
    CHECK(x && there);
    CHECK(tn_call_tensor("mine::scale", TN_VALUES(x, 2)));
    CHECK_INT(own, 1);
    CHECK_INT(any, 0);
    tn_tensor *y = tn_call_tensor("mine::scale", TN_VALUES(there, 2));
    CHECK_INT(any, 1);
    CHECK(y && tn_device_of(y).type == type);
    y = toy_fetch(y);
    CHECK(y);
    CHECK_DOUBLE(tn_get_double(y, TN_DIMS(1)), 4);
}

TEST(lists_and_optional_tensors_go_through_the_fallback_to_the_cpu) {
    int32_t type = toy_begin(NULL);
    CHECK(tn_fallback_register(type, TN_KERNEL(tn_fallback_to_cpu, NULL)) == TN_OK);
    TEST_DEFER(toy_drop_fallback, NULL);
    tn_tensor *x = TN_VECTOR(float, 1, 2);
    CHECK(x && new_operator("mine::both", "(tensors all, tensor? more=none, int n=1) -> list"));
    tn_value given = TN_V(tn_chunk(x, 2, 0));
    CHECK(given.as.list && tn_kernel_register("mine::both", TN_KEY_CPU, TN_KERNEL(give, &given)) == TN_OK);
    const tn_tensor *there[] = {toy_tensor(x), toy_tensor(x)};
    CHECK(there[0] && there[1]);
    tn_value result;
    CHECK(tn_call("mine::both", TN_VALUES(tn_value_tensors(there, 2)), &result) == TN_OK);
    CHECK_INT(tn_list_count(result.as.list), 2);
    CHECK_INT(tn_device_of(tn_list_at(result.as.list, 1)).type, type);
    tn_tensor *second = toy_fetch(tn_list_at(result.as.list, 1));
    CHECK(second);
    CHECK_DOUBLE(tn_get_double(second, TN_DIMS(0)), 2);
    CHECK(tn_call("mine::both", TN_VALUES(tn_value_tensors(there, 2), there[0], 3), &result) == TN_OK);
    const tn_tensor *mixed[] = {there[0], x};
    CHECK_ERROR(TN_ERROR_DEVICE, "all is on toy:0 and all on cpu:0",
                tn_call("mine::both", TN_VALUES(tn_value_tensors(mixed, 2)), &result));
}

TEST(names_signatures_and_defaults_that_cannot_be_are_refused) {
    static const char *const names[] = {"scale",
                                        "::scale",
                                        "mine::",
                                        "mine:scale",
                                        "mine::scale.",
                                        "mine::sc ale",
                                        "mine::a.b.c",
                                        "",
                                        "mine::a_name_that_is_longer_than_an_error_record_can_hold_of_it"};
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++)
        CHECK_ERROR(TN_ERROR_ARGUMENT, "is not a name of the form", tn_operator_register(names[i], "() -> none", NULL));
    CHECK_ERROR(TN_ERROR_ARGUMENT, "name is NULL", tn_operator_register(NULL, "() -> none", NULL));
    CHECK_ERROR(TN_ERROR_ARGUMENT, "signature is NULL", tn_operator_register("mine::a", NULL, NULL));
    CHECK_ERROR(TN_ERROR_ARGUMENT, "column 2: a type is expected", tn_operator_register("mine::a", "(blob x) -> none", NULL));
    CHECK_ERROR(TN_ERROR_ARGUMENT, "not a tensor!", tn_operator_register("mine::a_", "(tensor self) -> tensor", NULL));
    CHECK_ERROR(TN_ERROR_ARGUMENT, "not a tensor!", tn_operator_register("mine::a_out", "() -> tensor", NULL));
    static const char *const standards[] = {
        "tensor x=1", "int x=1.5",  "float x=much", "bool x=2",       "dtype x=float31",
        "device x=?", "format x=z", "dims x=?",     "scalar x=1e999", "int x=99999999999999999999"};
    for (size_t i = 0; i < sizeof standards / sizeof standards[0]; i++) {
        char signature[80];
        snprintf(signature, sizeof signature, "(%s) -> none", standards[i]);
        CHECK_ERROR(TN_ERROR_ARGUMENT, "cannot be read as a", tn_operator_register("mine::a", signature, NULL));
    }
    CHECK(new_operator("mine::a",
                       "(int n=-3, float x=-1.5e-3, bool yes=true, scalar s=inf, number z=nan, dtype t=int8, device d=cpu,"
                       " format f=channels_last, text w=word, dims k=none, index j=none, tensor? o=none) -> none"));
    CHECK_ERROR(TN_ERROR_ARGUMENT, "already", tn_operator_register("mine::a", "() -> none", NULL));
    CHECK_ERROR(TN_ERROR_ARGUMENT, "no operator named \"mine::b\"", tn_operator_unregister("mine::b"));
    CHECK_ERROR(TN_ERROR_ARGUMENT, "name is NULL", tn_operator_unregister(NULL));
}

static tn_error check_defaults(void *ctx, const tn_frame *frame, tn_values arguments, tn_value *result) {
    (void)frame;
    const tn_value *v = arguments.items;
    *(bool *)ctx = v[0].as.integer == -3 && v[1].as.real == -1.5e-3 && v[2].as.boolean && v[3].as.scalar.value.d > 1e308 &&
                   v[4].as.scalar.value.d != v[4].as.scalar.value.d && v[5].as.dtype == TN_INT8 &&
                   v[6].as.device.type == TN_CPU && v[7].as.format == TN_CHANNELS_LAST && strcmp(v[8].as.text, "word") == 0 &&
                   v[9].as.dims.count == 0 && v[10].as.index.count == 0 && v[11].kind == TN_VALUE_TENSOR && !v[11].as.tensor &&
                   arguments.count == 12;
    *result = tn_value_none();
    return TN_OK;
}

TEST(a_kernel_gets_every_argument_with_the_defaults_filled_in) {
    bool right = false;
    CHECK(new_operator("mine::a",
                       "(int n=-3, float x=-1.5e-3, bool yes=true, scalar s=inf, number z=nan, dtype t=int8, device d=cpu,"
                       " format f=channels_last, text w=word, dims k=none, index j=none, tensor? o=none) -> none"));
    CHECK(tn_kernel_register("mine::a", TN_KEY_ANY, TN_KERNEL(check_defaults, &right)) == TN_OK);
    CHECK(tn_call("mine::a", TN_NO_VALUES, NULL) == TN_OK);
    CHECK(right);
}

static void count_deletion(void *ctx) { atomic_fetch_add((_Atomic int *)ctx, 1); }

TEST(registrations_are_refused_where_they_make_no_sense_and_the_deleter_runs_once) {
    static _Atomic int deleted; /* the deleter may run after a check has failed */
    deleted = 0;
    tn_kernel kernel = {scale, &deleted, count_deletion};
    CHECK(new_operator("mine::scale", "(tensor self, scalar factor) -> tensor"));
    CHECK_ERROR(TN_ERROR_ARGUMENT, "no operator named \"mine::other\"", tn_kernel_register("mine::other", TN_KEY_CPU, kernel));
    CHECK_ERROR(TN_ERROR_ARGUMENT, "operator_name is NULL", tn_kernel_register(NULL, TN_KEY_CPU, kernel));
    CHECK_ERROR(TN_ERROR_ARGUMENT, "no key number 99", tn_kernel_register("mine::scale", 99, kernel));
    CHECK_ERROR(TN_ERROR_ARGUMENT, "no key number -1", tn_kernel_register("mine::scale", -1, kernel));
    CHECK_ERROR(TN_ERROR_ARGUMENT, "no key number 14", tn_kernel_register("mine::scale", 14, kernel));
    CHECK_ERROR(TN_ERROR_ARGUMENT, "no key number 48", tn_kernel_register("mine::scale", TN_KEY_PROFILE, kernel));
    CHECK_ERROR(TN_ERROR_ARGUMENT, "function is NULL", tn_kernel_register("mine::scale", TN_KEY_CPU, TN_KERNEL(NULL, NULL)));
    CHECK_ERROR(TN_ERROR_ARGUMENT, "no kernel of mine::scale is registered", tn_kernel_unregister("mine::scale", TN_KEY_CPU));
    CHECK_ERROR(TN_ERROR_ARGUMENT, "no kernel of mine::scale is registered", tn_kernel_unregister("mine::scale", -5));
    CHECK_ERROR(TN_ERROR_ARGUMENT, "operator_name is NULL", tn_kernel_unregister(NULL, TN_KEY_CPU));
    CHECK(tn_kernel_register("mine::scale", TN_KEY_CPU, kernel) == TN_OK);
    CHECK_ERROR(TN_ERROR_STATE, "mine::scale already has a kernel for cpu",
                tn_kernel_register("mine::scale", TN_KEY_CPU, kernel));
    CHECK_INT(deleted, 0);
    CHECK(tn_kernel_unregister("mine::scale", TN_KEY_CPU) == TN_OK);
    CHECK_INT(deleted, 1);
    CHECK(tn_kernel_register("mine::scale", TN_KEY_CPU, kernel) == TN_OK);
    CHECK(tn_operator_unregister("mine::scale") == TN_OK);
    CHECK_INT(deleted, 2);
    CHECK_ERROR(TN_ERROR_ARGUMENT, "key number 24 that can have a fallback", tn_fallback_register(TN_KEY_AUTOGRAD, kernel));
    CHECK_ERROR(TN_ERROR_ARGUMENT, "can have a fallback", tn_fallback_register(TN_KEY_ANY, kernel));
    CHECK_ERROR(TN_ERROR_ARGUMENT, "function is NULL", tn_fallback_register(TN_KEY_OUTER_0, TN_KERNEL(NULL, NULL)));
    CHECK_ERROR(TN_ERROR_ARGUMENT, "no fallback is registered", tn_fallback_unregister(TN_KEY_OUTER_0));
    CHECK_ERROR(TN_ERROR_ARGUMENT, "no fallback is registered", tn_fallback_unregister(1000));
    CHECK(tn_fallback_register(TN_KEY_OUTER_0, kernel) == TN_OK);
    tn_error second = tn_fallback_register(TN_KEY_OUTER_0, kernel);
    CHECK(tn_fallback_unregister(TN_KEY_OUTER_0) == TN_OK);
    CHECK_INT(deleted, 3);
    CHECK(second == TN_ERROR_STATE || second == TN_ERROR_MEMORY);
    if (second == TN_ERROR_STATE)
        tn_error_clear();
}

/* Unregisters itself while it runs. */
static tn_error vanish(void *ctx, const tn_frame *frame, tn_values arguments, tn_value *result) {
    tn_error code = tn_operator_unregister("mine::vanish");
    if (code == TN_OK && *(int *)ctx == 0 && strcmp(tn_operator_name(tn_frame_operator(frame)), "mine::vanish") == 0)
        *result = arguments.items[0];
    return code;
}

TEST(an_operator_may_be_unregistered_while_it_runs) {
    static _Atomic int deleted;
    deleted = 0;
    CHECK(new_operator("mine::vanish", "(int n) -> int"));
    CHECK(tn_kernel_register("mine::vanish", TN_KEY_CPU, (tn_kernel){vanish, &deleted, count_deletion}) == TN_OK);
    tn_value result;
    CHECK(tn_call("mine::vanish", TN_VALUES(5), &result) == TN_OK);
    CHECK_INT(result.as.integer, 5);
    CHECK_INT(deleted, 1);
    CHECK(!tn_operator_find("mine::vanish"));
}

TEST(an_operator_that_is_held_outlives_its_registration) {
    uint64_t before = tn_operator_generation();
    int64_t count = tn_operator_count();
    CHECK(new_operator("mine::brief", "(int n=3) -> int"));
    CHECK(tn_operator_generation() == before + 1);
    const tn_operator *named = tn_operator_hold("mine::brief"), *counted = tn_operator_hold_at(count);
    tn_error code = tn_operator_unregister("mine::brief");
    bool same = named && named == counted && strcmp(tn_operator_signature(named), "(int n=3) -> int") == 0;
    tn_error called = tn_operator_call(named, TN_NO_VALUES, NULL);
    bool says = strstr(tn_error_message(), "mine::brief was unregistered") != NULL;
    tn_error_clear();
    tn_operator_drop(named);
    tn_operator_drop(counted);
    CHECK_INT(code, TN_OK);
    CHECK(same && says);
    CHECK_INT(called, TN_ERROR_STATE);
    CHECK(tn_operator_generation() == before + 2);
    CHECK(!tn_operator_hold("mine::brief") && !tn_operator_hold(NULL) && !tn_operator_hold_at(count) &&
          !tn_operator_hold_at(-1));
    CHECK(tn_operator_hold("add") == tn_operator_find("add") && tn_operator_hold_at(0) == tn_operator_at(0));
    tn_operator_drop(tn_operator_hold("add"));
    tn_operator_drop(NULL);
    CHECK_INT(tn_error_code(), TN_OK);
}

TEST(the_frame_is_checked) {
    CHECK(!tn_frame_operator(NULL));
    CHECK_INT(tn_frame_key(NULL), -1);
    CHECK_ERROR(TN_ERROR_ARGUMENT, "frame is NULL", tn_redispatch(NULL, TN_NO_VALUES, NULL));
}

/* ---- threads */

enum { STRESS_ROUNDS = 400 };
static _Atomic bool stress_ended;

static void *stress_callers(void *unused) {
    (void)unused;
    static const float data[2] = {1, 2};
    tn_tensor *x = tn_from_memory(data, TN_DIMS(2), TN_FLOAT32, TN_COPY);
    intptr_t good = 0;
    while (!stress_ended) {
        tn_tensor *y = tn_call_tensor("stress::scale", TN_VALUES(x, 2));
        good += y != NULL;
        tn_release(y);
        tn_error_clear();
        tn_tensor *z = tn_neg(x);
        if (!z || (tn_get_double(z, TN_DIMS(1)) != -2 && tn_get_double(z, TN_DIMS(1)) != -4))
            good = INTPTR_MIN / 2;
        tn_release(z);
    }
    tn_release(x);
    return (void *)good;
}

static tn_error twice(void *ctx, const tn_frame *frame, tn_values arguments, tn_value *result) {
    (void)ctx;
    tn_value inner;
    tn_error code = tn_redispatch(frame, arguments, &inner);
    if (code == TN_OK)
        *result = TN_V(tn_mul_scalar(inner.as.tensor, 2));
    return code;
}

TEST_ONCE(threads_call_what_others_register_and_unregister) { /* threads */
    static _Atomic int deletions;
    deletions = 0;
    stress_ended = false;
    pthread_t threads[2];
    for (int i = 0; i < 2; i++)
        CHECK(pthread_create(&threads[i], NULL, stress_callers, NULL) == 0);
    int failures = 0;
    for (int round = 0; round < STRESS_ROUNDS; round++) {
        failures += !tn_operator_register("stress::scale", "(tensor self, scalar factor) -> tensor", NULL);
        failures += tn_kernel_register("stress::scale", TN_KEY_CPU, (tn_kernel){scale, NULL, NULL}) != TN_OK;
        failures += tn_kernel_register("neg", TN_KEY_CPU, (tn_kernel){twice, &deletions, count_deletion}) != TN_OK;
        failures += tn_kernel_unregister("neg", TN_KEY_CPU) != TN_OK;
        failures += tn_operator_unregister("stress::scale") != TN_OK;
    }
    stress_ended = true;
    intptr_t good = 0;
    for (int i = 0; i < 2; i++) {
        void *part;
        CHECK(pthread_join(threads[i], &part) == 0);
        good += (intptr_t)part;
    }
    CHECK_INT(failures, 0);
    CHECK(good >= 0);
    CHECK_INT(deletions, STRESS_ROUNDS);
}

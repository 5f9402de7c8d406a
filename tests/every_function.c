/* every_function.c - the public C function of every operator in every variant, beside a call of it by name: the same result, the
 * same error with the same message, nothing changed by a call that fails. So with arguments that fit (every_helpers.h), with each
 * of them in turn spoilt in every way its type allows or given another value, on a thread's first call, under a mode, and with each allocation failing.
 *
 * A call by name never enters the C function (tn_add); operator_direct.h (tools/generate/direct.c) calls it with the same values.
 * What is tested is src/dispatch/public_call.h and what tools/generate/calls.c writes.
 */
#include "every_helpers.h"

#include <pthread.h>

#include "dispatch/dispatch.h"
#include "operator_direct.h"

/* ---- one call, in two ways */

static const struct direct_function *function_find(const tn_operator *op) {
    size_t low = 0, high = sizeof direct_functions / sizeof direct_functions[0] - 1;
    while (low < high) {
        size_t middle = (low + high) / 2;
        int order = strcmp(direct_functions[middle].name, tn_operator_name(op));
        if (order == 0)
            return &direct_functions[middle];
        *(order < 0 ? &low : &high) = order < 0 ? middle + 1 : middle;
    }
    test_fail(__FILE__, __LINE__, "%s has no function", tn_operator_name(op));
}

/* Calls the public function. It must give something back exactly where it raises no error. */
static tn_error function_run(const every_call *call, tn_value *result) {
    const struct direct_function *direct = function_find(call->op);
    *result = direct->call(direct->function, call->values);
    tn_error code = tn_error_code();
    bool gives = result->kind == TN_VALUE_BOOL   ? code == TN_OK || result->as.boolean
                 : result->kind == TN_VALUE_LIST ? result->as.list != NULL
                                                 : result->as.tensor != NULL;
    if (gives != (code == TN_OK))
        every_complain(call, "result and error do not agree");
    if (gives && tn_operator_variant(call->op) != TN_VARIANT_FUNCTIONAL && result->as.tensor != call->values[0].as.tensor)
        every_complain(call, "what was changed is not what was given back");
    return code;
}

/* Fresh arguments, each in the form that its C type has: defaults are filled in. */
static void function_begin(every_call *call, const tn_operator *op, const tn_dtype *results) {
    tn_value ready[TN_MAX_PARAMETERS];
    every_begin(call, op, results);
    if (tn_error_code() != TN_OK || !tni_values_prepare(op, every_values(call), ready))
        every_complain(call, "arguments could not be made");
    memcpy(call->values, ready, (size_t)call->count * sizeof ready[0]);
}

/* Whether elements of the results mean anything. */
static bool function_initialises(const tn_operator *op) {
    return strncmp(tn_operator_base(op), "empty", 5) != 0 && strncmp(tn_operator_base(op), "resize", 6) != 0;
}

static void function_compare_results(const every_call *named, const every_call *direct, const tn_value *expected,
                                     const tn_value *got) {
    if (!function_initialises(named->op))
        return;
    if (!every_same_result(expected, got))
        every_complain(direct, "another result than by name");
    for (int64_t i = 0; i < named->count; i++)
        if (tn_operator_parameter(named->op, i).written && !every_same(named->values[i].as.tensor, direct->values[i].as.tensor))
            every_complain(direct, "another change than by name");
}

/* A message without the operator's name, which in a call by name tells the variant, too (add_out). */
static const char *function_reason(const char *message) {
    const char *colon = strstr(message, ": ");
    return colon ? colon + 2 : message;
}

/* Whether two ways ended with the same error. By name, an argument that cannot be converted to its parameter's type is refused for
 * that, before it is looked at: then the function must refuse it, too. The functions of pointwise operators do not know what
 * their numbers are called. */
static bool function_agrees(const every_call *direct, tn_error wanted, const char *message, tn_error code) {
    const char *expected = function_reason(message), *said = code == TN_OK ? "" : function_reason(tn_error_message());
    const char *name = direct->wrong >= 0 ? tn_operator_parameter(direct->op, direct->wrong).name : "";
    static const char number[] = "a number";
    if (strstr(expected, "must be a value of type"))
        return code == TN_ERROR_ARGUMENT || code == TN_ERROR_DTYPE;
    if (strncmp(said, number, strlen(number)) == 0 && strncmp(expected, name, strlen(name)) == 0) {
        said += strlen(number);
        expected += strlen(name);
    }
    if (strncmp(said, "item 0", 6) == 0) /* "of the index", whatever it is called */
        return code == wanted && strncmp(expected, "item 0", 6) == 0;
    return code == wanted && strcmp(expected, said) == 0;
}

/* Both ways, each with arguments of its own that are alike: they end alike. Gives the code. */
static tn_error function_compare(const every_call *named, const every_call *direct) {
    char message[600];
    tn_value expected, got;
    CHECK_MEMORY();
    CHECK(tn_manual_seed(1) == TN_OK);
    tn_error_clear();
    tn_error wanted = tn_operator_call(named->op, every_values(named), &expected);
    CHECK_MEMORY();
    snprintf(message, sizeof message, "%s", wanted == TN_OK ? "" : tn_error_message());
    tn_error_clear();
    CHECK(tn_manual_seed(1) == TN_OK);
    uint64_t before = every_sum(direct);
    tn_error code = function_run(direct, &got);
    CHECK_MEMORY();
    if (!function_agrees(direct, wanted, message, code))
        test_fail(__FILE__, __LINE__, "%s%s, argument %d: by name [%s] %s, directly [%s] %s", tn_operator_name(named->op),
                  tn_operator_signature(named->op), (int)direct->wrong, tn_error_name(wanted), message, tn_error_name(code),
                  code == TN_OK ? "" : tn_error_message());
    tn_error_clear();
    if (code == TN_OK)
        function_compare_results(named, direct, &expected, &got);
    else if (every_sum(direct) != before)
        every_complain(direct, "an argument was changed");
    return code;
}

static void function_fits(const tn_operator *op, const tn_dtype *results) {
    every_call named, direct;
    function_begin(&named, op, results);
    function_begin(&direct, op, results);
    if (function_compare(&named, &direct) != TN_OK)
        every_complain(&direct, "arguments that fit");
}

TEST_SAMPLED(every_function_does_what_its_operator_does_by_name) { every_try(function_fits); }

TEST(every_operator_has_its_function_and_every_function_its_operator) {
    int64_t functions = (int64_t)(sizeof direct_functions / sizeof direct_functions[0]) - 1, operators = 0;
    for (int64_t i = 0; i < tn_operator_count(); i++)
        if (!strstr(tn_operator_name(tn_operator_at(i)), "::"))
            operators += function_find(tn_operator_at(i))->function != NULL;
    CHECK(operators > 0 && operators <= functions); /* a part that was left out has only functions */
}

/* ---- arguments that are wrong */

/* An object that is not what the parameter wants. */
static void *function_stranger(tn_type type) {
    tn_tensor *tensor = tn_ones(TN_DIMS(3), TN_FLOAT32);
    return tensor && type != TN_TYPE_STORAGE && type != TN_TYPE_GENERATOR ? (void *)tn_storage_of(tensor) : (void *)tensor;
}

/* Spoils argument i in its k-th way; false where there are no more. A spoilt argument may still be taken: a mode, a default or an
 * optional one; what counts is that both calls end alike. */
static bool function_spoil(every_call *call, int64_t i, int k) {
    static const int64_t ones[TN_MAX_DIMS + 1] = {1};
    tn_value *value = &call->values[i];
    tn_type type = tn_operator_parameter(call->op, i).type;
    call->wrong = i;
    switch ((int)type) {
    case TN_TYPE_TENSOR:
    case TN_TYPE_WRITTEN:
    case TN_TYPE_OPTIONAL:
        value->as.tensor = k == 0 ? NULL : k == 1 ? function_stranger(type) : toy_tensor(tn_ones(TN_DIMS(3, 4), TN_FLOAT32));
        return k < 3;
    case TN_TYPE_TENSORS:
        if (k < 2)
            *value = tn_value_tensors(k == 0 ? NULL : call->lists[i], k == 0 ? 2 : -1);
        else
            call->lists[i][1] = k == 2   ? NULL
                                : k == 3 ? function_stranger(type)
                                         : toy_tensor(tn_ones(TN_DIMS(3, 4), TN_FLOAT32));
        return k < 5;
    case TN_TYPE_STORAGE: value->as.storage = k == 0 ? NULL : function_stranger(type); return k < 2;
    case TN_TYPE_GENERATOR: value->as.generator = function_stranger(type); return k < 1;
    case TN_TYPE_DIMS:
        value->as.dims = (tn_dims){k == 0 ? NULL : ones, k == 0 ? 2 : k == 1 ? -1 : TN_MAX_DIMS + 1};
        return k < 3;
    case TN_TYPE_INDEX:
        if (k == 2)
            call->items[0] = TN_PICK(NULL);
        else
            value->as.index = (tn_index_list){k == 0 ? NULL : call->items, k == 0 ? 1 : -1};
        return k < 3;
    case TN_TYPE_FLOATS: value->as.floats = (tn_floats){NULL, k == 0 ? 2 : -1}; return k < 2;
    case TN_TYPE_TEXT: value->as.text = k == 0 ? NULL : "no such word"; return k < 2;
    case TN_TYPE_DTYPE: value->as.dtype = k == 0 ? (tn_dtype)99 : TN_DTYPE_DEFAULT; return k < 2;
    case TN_TYPE_FORMAT: value->as.format = (tn_memory_format)99; return k < 1;
    case TN_TYPE_DEVICE:
        value->as.device = k == 0 ? TN_DEVICE(99, 0) : TN_DEVICE(tn_device_type_register("toy"), 0);
        return k < 2;
    case TN_TYPE_SCALAR:
    case TN_TYPE_NUMBER:
        value->as.scalar = tn_scalar_none();
        value->as.scalar.kind = k == 0 ? (tn_scalar_kind)99 : TN_SCALAR_NONE;
        return k < 2;
    default: return false;
    }
}

/* A tensor of other sizes or of another dtype than the parameter's usual one; NULL where there are no more. */
static tn_tensor *function_odd_tensor(int k) {
    static const tn_dtype dtypes[] = {TN_COMPLEX64, TN_BOOL, TN_INT32, TN_FLOAT64, TN_BFLOAT16, TN_UINT8};
    switch (k) {
    case 0: return tn_scalar_tensor(2, TN_FLOAT32);
    case 1: return tn_zeros(TN_DIMS(0, 4), TN_FLOAT32);
    case 2: return tn_ones(TN_DIMS(5), TN_FLOAT32);
    case 3: return tn_ones(TN_DIMS(2, 3, 4, 1), TN_FLOAT32);
    case 4: return tn_expand(tn_ones(TN_DIMS(1), TN_FLOAT32), TN_DIMS(3, 4));
    case 5: return tn_full(TN_DIMS(3, 4), NAN, TN_FLOAT32);
    case 6: return tn_full(TN_DIMS(3), -1, TN_INT64);
    default: return k - 7 < (int)(sizeof dtypes / sizeof dtypes[0]) ? tn_ones(TN_DIMS(3, 4), dtypes[k - 7]) : NULL;
    }
}

/* Gives argument i its k-th value that is valid in itself and may or may not fit the others; false where there are no more. */
static bool function_vary(every_call *call, int64_t i, int k) {
    static const int64_t dims[][2] = {{7, 0}, {-9, 1}, {0, 0}, {-1, 2}, {-1, -1}}, ints[] = {-1, 0, 2, -7, 60};
    static const double reals[] = {-1, 0, 1, NAN, INFINITY};
    tn_value *value = &call->values[i];
    call->wrong = i;
    switch ((int)tn_operator_parameter(call->op, i).type) {
    case TN_TYPE_TENSOR:
    case TN_TYPE_WRITTEN:
    case TN_TYPE_OPTIONAL: return (value->as.tensor = function_odd_tensor(k)) != NULL;
    case TN_TYPE_TENSORS:
        if (k == 0)
            *value = tn_value_tensors(call->lists[i], 0);
        else
            call->lists[i][1] = function_odd_tensor(k - 1);
        return k == 0 || call->lists[i][1];
    case TN_TYPE_DIMS:
        if (k < 5)
            memcpy(call->dims[i], dims[k], sizeof dims[k]);
        value->as.dims = (tn_dims){call->dims[i], k < 5 ? 1 + (k > 1) : 0};
        return k < 6;
    case TN_TYPE_INT: value->as.integer = ints[k % 5]; return k < 5;
    case TN_TYPE_FLOAT: value->as.real = reals[k % 5]; return k < 5;
    case TN_TYPE_BOOL: value->as.boolean = !value->as.boolean; return k < 1;
    case TN_TYPE_SCALAR:
    case TN_TYPE_NUMBER:
        value->as.scalar = k == 0   ? tn_scalar_complex(1, 2)
                           : k == 1 ? tn_scalar_bool(true)
                           : k == 2 ? tn_scalar_uint(UINT64_MAX)
                           : k == 3 ? tn_scalar_int(-3)
                                    : tn_scalar_float(k == 4 ? (double)NAN : 1.5);
        return k < 6;
    case TN_TYPE_DTYPE: value->as.dtype = (tn_dtype)(k + 1); return k + 1 < TN_DTYPE_COUNT;
    case TN_TYPE_FORMAT: value->as.format = (tn_memory_format)k; return k <= TN_CHANNELS_LAST_3D;
    default: return false;
    }
}

static int64_t function_refused;

/* Changes argument i of a call in its k-th way; false where there is none. */
typedef bool (*function_change)(every_call *call, int64_t i, int k);

static void function_try_all(const tn_operator *op, const tn_dtype *results, function_change change) {
    for (int64_t i = 0; i < tn_operator_parameter_count(op); i++)
        for (int k = 0;; k++) {
            tn_scope scope = tn_scope_open();
            every_call named, direct;
            function_begin(&named, op, results);
            function_begin(&direct, op, results);
            bool more = change(&named, i, k) && change(&direct, i, k);
            if (more)
                function_refused += function_compare(&named, &direct) != TN_OK;
            CHECK(tn_scope_close(scope) == TN_OK);
            if (!more)
                break;
        }
}

static void function_refuses(const tn_operator *op, const tn_dtype *results) { function_try_all(op, results, function_spoil); }
static void function_varies(const tn_operator *op, const tn_dtype *results) { function_try_all(op, results, function_vary); }

TEST_ONCE(every_function_refuses_what_its_operator_refuses) { /* seconds long */
    toy_begin(NULL);
    function_refused = 0;
    every_try(function_refuses);
    CHECK(function_refused > 2 * tn_operator_count());
}

TEST_ONCE(every_function_ends_as_its_operator_does_with_arguments_that_may_not_fit) { /* seconds long */
    function_refused = 0;
    every_try(function_varies);
    CHECK(function_refused > tn_operator_count());
}

/* ---- calls that are not plain */

typedef struct function_thread {
    const every_call *call;
    tn_error code;
} function_thread;

/* The call is the first thing that the thread does; random numbers come from the generator of all threads. */
static void *function_first(void *argument) {
    function_thread *job = argument;
    const struct direct_function *direct = function_find(job->call->op);
    tn_value result = direct->call(direct->function, job->call->values);
    job->code = tn_error_code();
    bool made = job->code == TN_OK && tn_operator_variant(job->call->op) == TN_VARIANT_FUNCTIONAL;
    if (made && result.kind == TN_VALUE_TENSOR)
        tn_release(result.as.tensor);
    if (made && result.kind == TN_VALUE_LIST)
        tn_list_release(result.as.list);
    return NULL;
}

static void function_is_first(const tn_operator *op, const tn_dtype *results) {
    int64_t bytes = every_bytes();
    tn_scope scope = tn_scope_open();
    every_call call;
    function_begin(&call, op, results);
    function_thread job = {.call = &call};
    pthread_t thread;
    CHECK(pthread_create(&thread, NULL, function_first, &job) == 0);
    pthread_join(thread, NULL);
    CHECK(tn_scope_close(scope) == TN_OK);
    if (job.code != TN_OK)
        every_complain(&call, tn_error_name(job.code));
    if (every_bytes() != bytes)
        every_complain(&call, "something was left behind");
}

TEST_ONCE(every_function_may_be_the_first_that_a_thread_calls) { /* threads */
    every_try(function_is_first);
}

/* A mode that only counts what passes by. */
typedef struct function_mode {
    const tn_operator *seen;
    int64_t calls;
} function_mode;

static tn_error function_pass(void *ctx, const tn_frame *frame, tn_values arguments, tn_value *result) {
    function_mode *mode = ctx;
    if (mode->calls++ == 0)
        mode->seen = tn_frame_operator(frame);
    return tn_redispatch(frame, arguments, result);
}

static function_mode function_watch;

static void function_is_seen(const tn_operator *op, const tn_dtype *results) {
    every_call named, direct;
    tn_value expected, got;
    function_begin(&named, op, results);
    function_begin(&direct, op, results);
    CHECK(tn_manual_seed(1) == TN_OK && tn_operator_call(op, every_values(&named), &expected) == TN_OK);
    CHECK(tn_manual_seed(1) == TN_OK);
    function_watch = (function_mode){NULL, 0};
    tn_key_state before = tn_keys_include(TN_KEYS(TN_KEY_OUTER_0));
    tn_error code = function_run(&direct, &got);
    tn_keys_set(before);
    CHECK_MEMORY();
    if (code != TN_OK || function_watch.seen != op)
        every_complain(&direct, "a mode does not see the call");
    function_compare_results(&named, &direct, &expected, &got);
}

static void function_no_mode(void *unused) {
    (void)unused;
    tn_keys_set((tn_key_state){0, 0});
    toy_drop_fallback_at(TN_KEY_OUTER_0);
}

TEST_SAMPLED(every_function_is_seen_by_a_mode) {
    TEST_DEFER(function_no_mode, NULL);
    CHECK(tn_fallback_register(TN_KEY_OUTER_0, TN_KERNEL(function_pass, &function_watch)) == TN_OK);
    every_try(function_is_seen);
}

/* ---- failing allocations */

static tn_error function_directly(const every_call *call) {
    every_call ready = *call;
    tn_value result;
    if (!tni_values_prepare(call->op, every_values(call), ready.values))
        every_complain(call, "arguments could not be made");
    return function_run(&ready, &result);
}

static void function_survives_faults(const tn_operator *op, const tn_dtype *results) {
    every_survive(op, results, false, function_directly);
}

TEST_ONCE(every_function_survives_each_of_its_allocations_failing) { /* it makes the failures itself */
    every_try(function_survives_faults);
}

/* every_operator.c - every operator of the table, in every variant, by name: with arguments that fit it (every_helpers.h), with
 * each tensor in turn missing, dead, or on a device that the operator cannot read, and with each of its allocations failing.
 * every_function.c does the same by the C functions.
 */
#include "every_helpers.h"

/* ---- the tests */

static void every_succeeds(const tn_operator *op, const tn_dtype *results) {
    every_call call;
    every_begin(&call, op, results);
    if (tn_error_code() != TN_OK || tn_operator_call(op, every_values(&call), NULL) != TN_OK)
        every_complain(&call, "arguments that fit");
}

TEST_SAMPLED(every_operator_takes_arguments_that_fit_it) { every_try(every_succeeds); }

/* The call must fail with this error, name the parameter, and leave the other arguments as they are. */
static void every_refuses(every_call *call, tn_error code, const char *about) {
    uint64_t before = every_sum(call);
    const char *name = tn_operator_parameter(call->op, call->wrong).name;
    CHECK_MEMORY();
    tn_error_clear();
    if (tn_operator_call(call->op, every_values(call), NULL) != code || !strstr(tn_error_message(), name))
        every_complain(call, about);
    tn_error_clear();
    if (every_sum(call) != before)
        every_complain(call, "an argument was changed");
}

static void every_refuses_bad_handles(const tn_operator *op, const tn_dtype *results) {
    for (int64_t i = 0; i < tn_operator_parameter_count(op); i++) {
        every_call call;
        every_begin(&call, op, results);
        if (!every_replace(&call, i, NULL))
            continue;
        every_refuses(&call, TN_ERROR_ARGUMENT, "NULL for a tensor");
#ifdef TN_DEBUG /* finds handles that are gone for certain */
        tn_tensor *dead = tn_keep(tn_empty(TN_DIMS(2), TN_FLOAT32));
        tn_release(dead);
        every_replace(&call, i, dead);
        every_refuses(&call, TN_ERROR_STATE, "a tensor already released");
#endif
    }
}

TEST_SAMPLED(every_operator_names_the_tensor_that_is_missing_or_dead) { every_try(every_refuses_bad_handles); }

static void every_checks_both_results(const tn_operator *op, const tn_dtype *results) {
    if (tn_operator_variant(op) != TN_VARIANT_OUT || tn_operator_result_count(op) != 2)
        return;
    every_call call;
    every_begin(&call, op, results);
    call.values[1] = TN_V(tn_zeros(TN_DIMS(2, 7), TN_BOOL));
    call.wrong = 1;
    every_refuses(&call, TN_ERROR_DTYPE, "a second result of a dtype that it cannot have");
    call.values[1] = call.values[0];
    tn_error code = tn_operator_call(op, every_values(&call), NULL); /* where indices must be int64, that error comes first */
    if ((code != TN_ERROR_OVERLAP && code != TN_ERROR_DTYPE) || tn_numel(call.values[0].as.tensor) != 0)
        every_complain(&call, "one tensor for both results");
    tn_error_clear();
}

TEST_SAMPLED(every_operator_with_two_results_checks_both_before_it_changes_one) { every_try(every_checks_both_results); }

/* Views and copies serve every device; all others must refuse before they read memory that is not theirs. */
static void every_minds_the_device(const tn_operator *op, const tn_dtype *results) {
    for (int64_t i = 0; i < tn_operator_parameter_count(op); i++) {
        every_call call;
        every_begin(&call, op, results);
        tn_type type = tn_operator_parameter(op, i).type;
        const tn_tensor *near = type == TN_TYPE_TENSORS ? call.lists[i][1] : call.values[i].as.tensor;
        if (!every_replace(&call, i, NULL))
            continue;
        tn_tensor *far = toy_tensor(tn_contiguous(near, TN_CONTIGUOUS));
        every_replace(&call, i, far);
        uint64_t before = every_sum(&call);
        tn_error code = tn_operator_call(op, every_values(&call), NULL);
        if (code != TN_OK && code != TN_ERROR_DEVICE)
            every_complain(&call, "a tensor of another device");
        tn_error_clear();
        if (code != TN_OK && every_sum(&call) != before)
            every_complain(&call, "an argument was changed");
    }
}

TEST_SAMPLED(every_operator_refuses_memory_it_cannot_read) {
    toy_begin(NULL);
    every_try(every_minds_the_device);
}

static tn_error every_by_name(const every_call *call) { return tn_operator_call(call->op, every_values(call), NULL); }

static void every_survives_faults(const tn_operator *op, const tn_dtype *results) {
    every_survive(op, results, false, every_by_name);
}

static void every_survives_faults_when_hard(const tn_operator *op, const tn_dtype *results) {
    every_survive(op, results, true, every_by_name);
}

TEST_ONCE(every_operator_survives_each_of_its_allocations_failing) { /* it makes the failures itself */
    every_try(every_survives_faults);
}

TEST_ONCE(every_operator_survives_them_also_where_its_arguments_share_memory_and_have_gaps) { /* it makes the failures itself */
    every_try(every_survives_faults_when_hard);
}

/* ---- random numbers */

/* The first argument cannot be written to: refused, with the generator where it was. */
static void every_draws_nothing_from(const tn_operator *op, const tn_dtype *results, tn_tensor *unfit) {
    every_call call;
    every_begin(&call, op, results);
    call.wrong = 0;
    call.values[0] = TN_V(unfit);
    tn_tensor *before = tn_generator_state(NULL);
    CHECK(before);
    if (tn_operator_call(op, every_values(&call), NULL) == TN_OK)
        every_complain(&call, "a tensor that cannot be written was taken");
    tn_error_clear();
    tn_tensor *after = tn_generator_state(NULL);
    CHECK(after);
    if (!tn_equal(before, after))
        every_complain(&call, "refused, and drawn");
}

static void every_refuses_before_it_draws(const tn_operator *op, const tn_dtype *results) {
    static const char *const without[] = {"eye_", "dirac_"};
    bool draws = tn_operator_parameter(op, 0).written &&
                 (strcmp(tn_operator_group(op), "random") == 0 || strcmp(tn_operator_group(op), "initialise") == 0);
    for (size_t i = 0; i < sizeof without / sizeof *without; i++)
        draws = draws && strcmp(tn_operator_name(op), without[i]) != 0;
    if (!draws)
        return;
    bool out = tn_operator_variant(op) == TN_VARIANT_OUT;
    every_call call;
    every_begin(&call, op, results);
    if (out && tn_operator_call(op, every_values(&call), NULL) != TN_OK) /* it has the sizes of the result then */
        every_complain(&call, "arguments that fit");
    tn_tensor *fits = call.values[0].as.tensor;
    tn_tensor *locked = tn_clone(fits, TN_CONTIGUOUS);
    CHECK(locked && tn_set_readonly(locked) == TN_OK);
    every_draws_nothing_from(op, results, locked);
    if (tn_numel(fits) > 1) {
        tn_tensor *spread = tn_expand(tn_zeros(TN_DIMS(1), tn_dtype_of(fits)), tn_sizes(fits));
        CHECK(spread);
        every_draws_nothing_from(op, results, spread);
    }
}

TEST_SAMPLED(every_operator_refuses_before_it_draws) { every_try(every_refuses_before_it_draws); }

/* ---- a device that lets the CPU do its work */

static tn_tensor *every_move(const tn_tensor *near) { return near ? toy_tensor(tn_contiguous(near, TN_CONTIGUOUS)) : NULL; }

/* The same call with every tensor on the toy. */
static void every_send(every_call *far, const every_call *near) {
    *far = *near;
    for (int64_t i = 0; i < far->count; i++) {
        tn_value *value = &far->values[i];
        if (value->kind == TN_VALUE_TENSOR)
            value->as.tensor = every_move(value->as.tensor);
        else if (value->kind == TN_VALUE_TENSORS) {
            int64_t count = value->as.tensors.count;
            for (int64_t k = 0; k < count; k++)
                far->lists[i][k] = every_move(near->lists[i][k]);
            *value = tn_value_tensors(far->lists[i], count);
        } else if (value->kind == TN_VALUE_INDEX) {
            far->items[0] = TN_PICK(every_move(near->items[0].tensor));
            *value = tn_value_index((tn_index_list){far->items, 1});
        } else if (value->kind == TN_VALUE_DIMS)
            value->as.dims.values = far->dims[i];
        else if (value->kind == TN_VALUE_TEXT)
            value->as.text = far->text;
    }
}

static void every_is_lent(const tn_operator *op, const tn_dtype *results) {
    every_call near, far;
    tn_value here, there;
    every_begin(&near, op, results);
    every_send(&far, &near);
    for (int64_t i = 0; i < near.count; i++) /* a storage stays where it is; a device is where the results go */
        if (near.values[i].kind == TN_VALUE_STORAGE || near.values[i].kind == TN_VALUE_DEVICE)
            return;
    CHECK(tn_manual_seed(1) == TN_OK);
    if (tn_operator_call(op, every_values(&near), &here) != TN_OK)
        every_complain(&near, "arguments that fit");
    CHECK(tn_manual_seed(1) == TN_OK);
    if (tn_operator_call(op, every_values(&far), &there) != TN_OK)
        every_complain(&far, "on a device that the CPU serves");
    if (strncmp(tn_operator_base(op), "empty", 5) == 0 || strncmp(tn_operator_base(op), "resize", 6) == 0)
        return; /* they leave elements uninitialised */
    if (!every_same_result(&here, &there))
        every_complain(&far, "another result on a device that the CPU serves");
    for (int64_t i = 0; i < near.count; i++)
        if (tn_operator_parameter(op, i).written && !every_same(near.values[i].as.tensor, far.values[i].as.tensor))
            every_complain(&far, "another change on a device that the CPU serves");
}

TEST_SAMPLED(every_operator_can_be_lent_to_a_device) {
    int32_t type = toy_begin(NULL);
    CHECK(tn_fallback_register(type, TN_KERNEL(tn_fallback_to_cpu, NULL)) == TN_OK);
    TEST_DEFER(toy_drop_fallback, NULL);
    every_try(every_is_lent);
}

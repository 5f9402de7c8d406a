/* write_count.c - a call that writes to a tensor, in place or as an out, counts one write in its version, whatever it is made of.
 * The rows are found in the table. */
#include "table_trials.h"
#include "toy_jobs.h"

static bool writes_one(const tn_operator *op) {
    int64_t written = 0;
    for (int64_t i = 0; i < tn_operator_parameter_count(op); i++)
        written += tn_operator_parameter(op, i).type == TN_TYPE_WRITTEN;
    return written > 0;
}

/* What gives a tensor other sizes or another storage, and writes no element. */
static bool leaves_elements(const tn_operator *op) {
    static const char *const names[] = {"empty_out", "resize_", "resize_as_", "set_"};
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++)
        if (strcmp(tn_operator_name(op), names[i]) == 0)
            return true;
    return false;
}

/* The call again, with what it wrote to the first time: an out has its sizes by then. */
static tn_error again(const trial *t, int32_t type, tn_tensor *written, uint32_t *counted) {
    tn_value values[TN_MAX_PARAMETERS], result = tn_value_none();
    const tn_tensor *list[2];
    tn_index_item item;
    int64_t count = tn_operator_parameter_count(t->op);
    for (int64_t i = 0; i < count; i++) {
        tn_type kind = tn_operator_parameter(t->op, i).type;
        values[i] = t->values[i];
        if (kind == TN_TYPE_TENSORS) {
            for (int k = 0; k < 2; k++)
                list[k] = trial_own(t->list[k], type);
            values[i] = tn_value_tensors(list, 2);
        } else if (kind == TN_TYPE_INDEX) {
            item = TN_PICK(trial_own(t->picks, type));
            values[i] = tn_value_index((tn_index_list){&item, 1});
        } else if (t->tensors[i]) {
            values[i] = tn_value_tensor(i == 0 ? written : trial_own(t->tensors[i], type));
        }
    }
    uint32_t before = tn_tensor_version(written);
    tn_error code = tn_operator_call(t->op, (tn_values){values, count}, &result);
    CHECK_MEMORY();
    tn_error_clear();
    *counted = tn_tensor_version(written) - before;
    return code;
}

TEST_SAMPLED(a_call_that_writes_counts_one_write) {
    int32_t toy = backend_begin(whole);
    static const tn_dtype dtypes[] = {TN_FLOAT32, TN_INT32, TN_COMPLEX64};
    int64_t counted = 0;
    for (int64_t at = 0; at < tn_operator_count(); at++) {
        const tn_operator *op = tn_operator_at(at);
        if (tni_operator_is_registered(op) || !writes_one(op) || tn_operator_result(op) != TN_RESULT_TENSOR)
            continue;
        for (size_t d = 0; d < sizeof dtypes / sizeof dtypes[0]; d++)
            for (int32_t side = 0; side < 2; side++) {
                int32_t type = side ? toy : TN_CPU;
                tn_scope scope = tn_scope_open();
                trial t = {0};
                tn_value result = tn_value_none();
                tn_tensor *written = NULL;
                uint32_t writes = 1;
                if (trial_begin(&t, op, dtypes[d], (int64_t)d) && trial_run(&t, type, &result, &written) == TN_OK && written &&
                    again(&t, type, written, &writes) == TN_OK) {
                    counted++;
                    if (writes != (uint32_t)!leaves_elements(op))
                        test_fail(__FILE__, __LINE__, "%s of %s on %s counts %u writes", tn_operator_name(op),
                                  tn_dtype_name(dtypes[d]), tn_device_type_name(type), writes);
                }
                tn_scope_close(scope);
            }
    }
    CHECK(counted > 1000);
}

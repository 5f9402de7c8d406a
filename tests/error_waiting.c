/* error_waiting.c - calls that fail while an older error waits: that one stays, and each says with its code why it failed itself. The
 * rows are found in the table. */
#include "table_trials.h"
#include "toy_jobs.h"

static tn_error refuse(void *ctx, const tn_job *job) {
    (void)job;
    return *(const tn_error *)ctx;
}

/* Where an older error waits it stays, and a call that fails after it says nevertheless why it failed itself. */
TEST_ONCE(a_call_fails_with_its_own_code_whatever_error_waits) { /* failures that the test makes itself */
    static const tn_dtype dtypes[] = {TN_FLOAT32, TN_INT32, TN_BOOL, TN_COMPLEX64, TN_FLOAT8_E5M2};
    int64_t failed = 0;
    for (int64_t at = 0; at < tn_operator_count(); at++) {
        const tn_operator *op = tn_operator_at(at);
        for (size_t d = 0; !tni_operator_is_registered(op) && d < sizeof dtypes / sizeof dtypes[0]; d++) {
            tn_scope scope = tn_scope_open();
            trial t = {0};
            tn_value result = tn_value_none();
            tn_tensor *written = NULL;
            if (trial_begin(&t, op, dtypes[d], (int64_t)d)) {
                tn_error own = trial_run(&t, TN_CPU, &result, &written);
                tn_error_raise(TN_ERROR_IO, "earlier", "this waits");
                tn_error code = trial_run(&t, TN_CPU, &result, &written);
                if (code != own)
                    test_fail(__FILE__, __LINE__, "%s of %s fails with %s, and with %s when an error waits",
                              tn_operator_name(op), tn_dtype_name(dtypes[d]), tn_error_name(own), tn_error_name(code));
                failed += own != TN_OK;
            }
            tn_error_clear();
            tn_scope_close(scope);
        }
    }
    CHECK(failed > 500);
}

static int refused;
static void count_errors(void *ctx, const tn_error_record *record) {
    (void)ctx;
    refused += strstr(record->message, "without giving a reason") != NULL;
}

TEST(a_backend_that_fails_silently_is_told_so_also_while_an_error_waits) {
    static tn_error answer = TN_ERROR_STATE;
    int32_t type = backend_begin((tn_backend){.copy = toy_job, .ctx = NULL});
    tn_tensor *x = tn_to_device(tn_arange(3, TN_FLOAT32), TN_DEVICE(type, 0));
    CHECK(x && tn_backend_unregister(type) == TN_OK);
    tn_backend backend = {.struct_size = sizeof backend, .ctx = &answer, .copy = refuse, .pointwise = refuse};
    CHECK(tn_backend_register(type, &backend) == TN_OK);
    tn_value result = tn_value_none(), argument = tn_value_tensor(x);
    refused = 0;
    tn_error_observe(count_errors, NULL);
    tn_error_raise(TN_ERROR_IO, "earlier", "this waits");
    tn_error code = tn_operator_call(tn_operator_find("neg"), (tn_values){&argument, 1}, &result);
    tn_error_observe(NULL, NULL);
    tn_error waiting = tn_error_code();
    tn_error_clear();
    CHECK_INT(waiting, TN_ERROR_IO);
    CHECK(code == TN_ERROR_STATE || code == TN_ERROR_MEMORY);
    CHECK(refused == 1 || code == TN_ERROR_MEMORY);
}

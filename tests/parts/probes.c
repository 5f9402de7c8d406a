/* probes.c - what a build without some parts answers (src/dispatch/parts.def).
 *
 *   probes PART...    these are left out, and no others
 *
 * For each part one of its operators is called, by its C function and by name. Where the part is left out, the call fails with
 * TN_ERROR_UNSUPPORTED and a message that names the operator and the part. Where it is not, the call works, or needs a part
 * that is left out and says which. Then every operator of the table is called by name with arguments that fit it more or less:
 * whatever the result, the program goes on, and no operator of a part that is there says that it is missing.
 */
#include <stdio.h>
#include <string.h>

#ifndef TENON_ONE_HEADER /* in the two-file build it is given with -include */
#include <tenon/tenon.h>
#endif

static int failures;
static const char *left_out;

static bool lacks(const char *part) {
    size_t length = strlen(part);
    for (const char *at = left_out; (at = strstr(at, part)); at += length)
        if ((at == left_out || at[-1] == ' ') && (at[length] == 0 || at[length] == ' '))
            return true;
    return false;
}

static void complain(const char *operator_name, const char *part, const char *reason) {
    fprintf(stderr, "probes: %s, of %s, in a build without \"%s\": %s; the error is \"%s\"\n", operator_name, part, left_out,
            reason, tn_error_message());
    failures++;
}

/* The missing part that the waiting error names; NULL when it is another error, or none. */
static const char *missing_part(void) {
    static const char words[] = ": this build of Tenon was made without ";
    const char *found = tn_error_code() == TN_ERROR_UNSUPPORTED ? strstr(tn_error_message(), words) : NULL;
    return found ? found + sizeof words - 1 : NULL;
}

/* After a call to a part, which worked or not. */
static void judge(const char *part, const char *operator_name, bool works) {
    const char *missing = missing_part();
    size_t length = strlen(operator_name);
    if (missing && !lacks(missing))
        complain(operator_name, part, "it says that a part is missing that is not");
    else if (lacks(part) && (!missing || strcmp(missing, part) != 0))
        complain(operator_name, part, "it does not say that its part is missing");
    else if (lacks(part) && (strncmp(tn_error_message(), operator_name, length) != 0 || tn_error_message()[length] != ':'))
        complain(operator_name, part, "the message does not begin with its name");
    else if (works != (tn_error_code() == TN_OK) || (!works && !missing))
        complain(operator_name, part, "it fails for another reason, or without one");
    tn_error_clear();
}

static void by_name(const char *part, const char *operator_name, const tn_value *values, int64_t count) {
    judge(part, operator_name, tn_call(operator_name, (tn_values){values, count}, NULL) == TN_OK);
}

static void probe_parts(void) {
    tn_tensor *x = tn_reshape(tn_arange(6, TN_FLOAT32), TN_DIMS(2, 3)), *wide = tn_to(x, TN_FLOAT64);
    const tn_tensor *both[] = {x, x};
    tn_value value = tn_value_tensor(x), pair[] = {value, value}, size = tn_value_dims(TN_DIMS(2));
    tn_error_clear();
    judge("random", "rand", tn_rand(TN_DIMS(2), TN_FLOAT32, NULL) != NULL);
    by_name("random", "rand", &size, 1);
    judge("sort", "sort", tn_sort(x, 0, false) != NULL);
    by_name("sort", "sort", &value, 1);
    judge("statistics", "cov", tn_cov(x, 1, NULL, NULL) != NULL);
    by_name("statistics", "cov", &value, 1);
    judge("lines", "cumsum", tn_cumsum(x, 0, TN_DTYPE_DEFAULT) != NULL);
    judge("lines", "softmax", tn_softmax(x, 0, TN_DTYPE_DEFAULT) != NULL);
    judge("lines", "softmax", tn_softmax(wide, 0, TN_DTYPE_DEFAULT) != NULL);
    judge("lines", "logcumsumexp", tn_logcumsumexp(x, 0) != NULL);
    judge("reduce", "sum", tn_sum(x, TN_DTYPE_DEFAULT) != NULL);
    by_name("reduce", "sum", &value, 1);
    judge("reduce", "logsumexp", tn_logsumexp(x, TN_DIMS(0), false) != NULL);
    judge("reduce", "logsumexp", tn_logsumexp(wide, TN_DIMS(0), false) != NULL);
    judge("index", "index_select", tn_index_select(x, 0, tn_zeros(TN_DIMS(1), TN_INT64)) != NULL);
    judge("index", "index", tn_index(x, TN_PICK(tn_zeros(TN_DIMS(1), TN_INT64))) != NULL);
    by_name("index", "take_along_dim", (tn_value[]){value, tn_value_tensor(tn_zeros(TN_DIMS(2, 1), TN_INT64)), tn_value_int(1)},
            3);
    judge("join", "cat", tn_cat(both, 2, 0) != NULL);
    by_name("join", "tril", &value, 1);
    judge("copies", "transpose_copy", tn_transpose_copy(x, 0, 1) != NULL);
    judge("math", "exp", tn_exp(x) != NULL);
    judge("math", "silu", tn_silu(x) != NULL);
    judge("math", "fmod", tn_fmod(x, x) != NULL);
    by_name("math", "exp", &value, 1);
    if (!lacks("math"))
        judge("math64", "exp", tn_exp(wide) != NULL);
    judge("complex", "complex", tn_complex(x, x) != NULL);
    judge("complex", "add", tn_add(tn_to(x, TN_COMPLEX64), tn_to(x, TN_COMPLEX64)) != NULL);
    by_name("complex", "complex", pair, 2);
    judge("compare", "eq", tn_eq(x, x) != NULL);
    judge("compare", "equal", tn_equal(x, x));
    by_name("compare", "logical_and", pair, 2);
    judge("profiler", "profile_start", tn_profile_start(NULL) == TN_OK);
    tn_profile_clear();
    judge("text", "format", tn_format(x, NULL, 0, NULL) >= 0);
    judge("files", "file_open_memory",
          tn_file_open_memory("PK\5\6\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0", 22, TN_BORROW_CONST, NULL) != NULL);
    judge("files", "save", tn_save("/dev/null", "npz", tn_parameters_new()) == TN_OK);
    judge("onnx", "onnx_open_memory", /* a graph without nodes, of opset 13 */
          tn_onnx_open_memory("\x08\x08\x3a\x00\x42\x02\x10\x0d", 8) != NULL);
    judge("text", "from_text", tn_from_text("[1, 2]", TN_DTYPE_DEFAULT) != NULL);
    if (!lacks("levels") ? tn_cpu_level_in_use() > tn_cpu_level_detected() : tn_cpu_level_in_use() != TN_CPU_BASELINE)
        complain("cpu_level_in_use", "levels", "another level is in use");
    if ((strlen(tn_operator_doc(tn_operator_find("add"))) == 0) != lacks("docs"))
        complain("operator_doc", "docs", "it has text, or none");
    tn_tensor *normal = lacks("random") ? NULL : tn_randn(TN_DIMS(64), TN_FLOAT32, NULL); /* which mathematics is used for */
    if (!normal != lacks("random"))
        complain("randn", "random", "it fails");
    tn_error_clear();
}

/* Arguments that fit an operator more or less. */
static tn_value argument_for(tn_parameter parameter, tn_dtype dtype) {
    static int64_t dims[] = {0};
    tn_tensor *x = tn_to(tn_reshape(tn_arange(4, TN_INT64), TN_DIMS(2, 2)), dtype);
    switch (parameter.type) {
    case TN_TYPE_TENSOR:
    case TN_TYPE_WRITTEN:
    case TN_TYPE_OPTIONAL: return tn_value_tensor(x);
    case TN_TYPE_TENSORS: {
        const tn_tensor **items = (const tn_tensor *[]){x};
        static const tn_tensor *kept[2];
        kept[0] = kept[1] = items[0];
        return tn_value_tensors(kept, 2);
    }
    case TN_TYPE_DIMS: return tn_value_dims((tn_dims){dims, 1});
    case TN_TYPE_INT: return tn_value_int(1);
    case TN_TYPE_FLOAT: return tn_value_float(0.5);
    case TN_TYPE_BOOL: return tn_value_bool(true);
    case TN_TYPE_SCALAR:
    case TN_TYPE_NUMBER: return tn_value_scalar(tn_scalar_int(1));
    case TN_TYPE_DTYPE: return tn_value_dtype(dtype);
    default: return tn_value_none();
    }
}

static void try_all(tn_dtype dtype) {
    for (int64_t i = 0; i < tn_operator_count(); i++) {
        tn_scope scope = tn_scope_open();
        const tn_operator *op = tn_operator_at(i);
        tn_value values[TN_MAX_PARAMETERS];
        int64_t count = tn_operator_parameter_count(op);
        for (int64_t k = 0; k < count; k++)
            values[k] = argument_for(tn_operator_parameter(op, k), dtype);
        (void)tn_call(tn_operator_name(op), (tn_values){values, count}, NULL);
        const char *missing = missing_part();
        if (missing && !lacks(missing))
            complain(tn_operator_name(op), missing, "it says that a part is missing that is not");
        tn_error_clear();
        tn_scope_close(scope);
    }
}

int main(int argc, char **argv) {
    static char given[512];
    for (int i = 1; i < argc; i++)
        snprintf(given + strlen(given), sizeof given - strlen(given), "%s%s", i > 1 ? " " : "", argv[i]);
    left_out = tn_parts_left_out();
    if (strcmp(left_out, given) != 0) {
        fprintf(stderr, "probes: the build says it was made without \"%s\", not \"%s\"\n", left_out, given);
        return 1;
    }
    tn_scope scope = tn_scope_open();
    probe_parts();
    tn_scope_close(scope);
    const tn_dtype dtypes[] = {TN_BOOL, TN_INT64, TN_FLOAT16, TN_FLOAT32, TN_FLOAT64, TN_COMPLEX64};
    for (size_t i = 0; i < sizeof dtypes / sizeof *dtypes; i++)
        try_all(dtypes[i]);
    return failures != 0;
}

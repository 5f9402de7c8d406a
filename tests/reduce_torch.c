/* reduce_torch.c - reductions against PyTorch's answers (data/reduce_cases.inc, written by data/make_reduce_cases.py), called
 * by name: dtypes, shapes and values, and what PyTorch refuses. */
#include <tenon/dispatch.h>

#include "test.h"

typedef struct torch_reduce_input {
    const char *dtype, *sizes, *values;
} torch_reduce_input;

typedef struct torch_reduce_case {
    const char *name, *arguments, *dtype, *sizes, *values;
    double tolerance;
} torch_reduce_case;

static const torch_reduce_input torch_reduce_inputs[] = {
#define INPUT(number, dtype, sizes, values) [number] = {dtype, sizes, values},
#define CASE(name, arguments, dtype, sizes, values, tolerance)
#include "data/reduce_cases.inc"
#undef INPUT
#undef CASE
};

static const torch_reduce_case torch_reduce_cases[] = {
#define INPUT(number, dtype, sizes, values)
#define CASE(name, arguments, dtype, sizes, values, tolerance) {name, arguments, dtype, sizes, values, tolerance},
#include "data/reduce_cases.inc"
#undef INPUT
#undef CASE
};

static int64_t torch_reduce_numbers(const char *text, int64_t *out) {
    int64_t count = 0;
    while (*text && *text != '-') {
        char *end;
        out[count++] = strtoll(text, &end, 10);
        text = *end == ',' ? end + 1 : end;
    }
    return count;
}

static tn_tensor *torch_reduce_tensor(const char *dtype_name, const char *sizes, const char *values) {
    int64_t dims[8], ndim = torch_reduce_numbers(sizes, dims);
    tn_dtype dtype = tn_dtype_from_name(dtype_name);
    if (strcmp(values, "[]") == 0)
        return tn_empty((tn_dims){dims, ndim}, dtype);
    return tn_reshape(tn_from_text(values, dtype), (tn_dims){dims, ndim});
}

typedef struct torch_reduce_values {
    tn_value items[6];
    int64_t dims[6][8], count;
} torch_reduce_values;

static void torch_reduce_arguments(const char *words, torch_reduce_values *out) {
    char word[64];
    out->count = 0;
    for (int length; sscanf(words, " %63s%n", word, &length) == 1; words += length, out->count++) {
        tn_value *item = &out->items[out->count];
        switch (word[0]) {
        case '#': {
            const torch_reduce_input *input = &torch_reduce_inputs[atoi(word + 1)];
            tn_tensor *tensor = torch_reduce_tensor(input->dtype, input->sizes, input->values);
            CHECK(tensor);
            *item = tn_value_tensor(tensor);
            break;
        }
        case 'i': *item = tn_value_int(strtoll(word + 1, NULL, 10)); break;
        case 'f': *item = tn_value_float(strtod(word + 1, NULL)); break;
        case 't': *item = tn_value_bool(word[1] == '1'); break;
        case 'y': *item = tn_value_dtype(tn_dtype_from_name(word + 1)); break;
        case 'd': {
            int64_t *dims = out->dims[out->count], count = 0;
            for (char *at = word + 1; *at;) {
                dims[count++] = strtoll(at, &at, 10);
                at += *at == ',';
            }
            *item = tn_value_dims((tn_dims){dims, count});
            break;
        }
        default: *item = tn_value_none();
        }
    }
}

static bool torch_reduce_near(double a, double b, double tolerance) {
    return a == b || (isnan(a) && isnan(b)) || fabs(a - b) <= tolerance * (1 + fabs(b));
}

static void torch_reduce_check(const torch_reduce_case *c, const tn_tensor *actual) {
    if (!actual)
        test_fail(__FILE__, __LINE__, "%s of %s: %s", c->name, c->arguments, tn_error_message());
    tn_tensor *expected = torch_reduce_tensor(c->dtype, c->sizes, c->values);
    CHECK(expected);
    if (tn_dtype_of(actual) != tn_dtype_of(expected))
        test_fail(__FILE__, __LINE__, "%s of %s: dtype %s, not %s", c->name, c->arguments, tn_dtype_name(tn_dtype_of(actual)),
                  c->dtype);
    bool same = tn_ndim(actual) == tn_ndim(expected);
    for (int64_t d = 0; same && d < tn_ndim(actual); d++)
        same = tn_size(actual, d) == tn_size(expected, d);
    if (!same)
        test_fail(__FILE__, __LINE__, "%s of %s: not the sizes %s", c->name, c->arguments, c->sizes);
    tn_tensor *a = tn_to(tn_reshape(actual, TN_DIMS(-1)), TN_COMPLEX128),
              *e = tn_to(tn_reshape(expected, TN_DIMS(-1)), TN_COMPLEX128);
    CHECK(a && e);
    const tn_complex128 *x = tn_data(a), *y = tn_data(e);
    for (int64_t i = 0; i < tn_numel(a); i++)
        if (!torch_reduce_near(x[i].real, y[i].real, c->tolerance) || !torch_reduce_near(x[i].imag, y[i].imag, c->tolerance))
            test_fail(__FILE__, __LINE__, "%s of %s: element %lld is %.9g%+.9gj, not %.9g%+.9gj", c->name, c->arguments,
                      (long long)i, x[i].real, x[i].imag, y[i].real, y[i].imag);
}

TEST_SAMPLED(reductions_answer_as_pytorch_does) {
    for (size_t i = 0; i < sizeof torch_reduce_cases / sizeof torch_reduce_cases[0]; i++) {
        const torch_reduce_case *c = &torch_reduce_cases[i];
        tn_scope scope = tn_scope_open();
        torch_reduce_values values;
        char name[48];
        const char *slash = strchr(c->name, '/');
        snprintf(name, sizeof name, "%.*s", slash ? (int)(slash - c->name) : 47, c->name);
        torch_reduce_arguments(c->arguments, &values);
        tn_value result = tn_value_none();
        tn_error code = tn_call(name, (tn_values){values.items, values.count}, &result);
        if (c->dtype[0]) {
            tn_tensor *made = code != TN_OK ? NULL : slash ? tn_list_at(result.as.list, slash[1] - '0') : result.as.tensor;
            torch_reduce_check(c, made);
        } else {
            if (code == TN_OK)
                test_fail(__FILE__, __LINE__, "%s of %s is not refused", c->name, c->arguments);
            tn_error_clear();
        }
        tn_scope_close(scope);
    }
}

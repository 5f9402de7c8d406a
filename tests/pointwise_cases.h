/* pointwise_cases.h - replays the calls of a table that tests/data/pointwise_cases.py wrote, and compares within so many ULP.
 *
 * The including file names the table: #define POINTWISE_CASES "data/..._cases.inc", whose lines are SAMPLEs and CASEs.
 */
#ifndef TENON_POINTWISE_CASES_H
#define TENON_POINTWISE_CASES_H

#include <ctype.h>

#include <tenon/dispatch.h>

#include "test.h"

typedef struct pointwise_case {
    const char *name, *arguments;
    tn_dtype result;
    int ulp;
    const char *values; /* NULL: refused */
} pointwise_case;

static const pointwise_case pointwise_cases[] = {
#define CASE(name, arguments, result, ulp, values) {name, arguments, TN_##result, ulp, values},
#include POINTWISE_CASES
};

static const char *pointwise_sample(char which, tn_dtype dtype) {
    static const struct pointwise_sample {
        char which;
        tn_dtype dtype;
        const char *text;
    } samples[] = {
#define SAMPLE(which, dtype, text) {(#which)[0], TN_##dtype, text},
#include POINTWISE_CASES
    };
    for (size_t i = 0; i < sizeof samples / sizeof samples[0]; i++)
        if (samples[i].which == which && samples[i].dtype == dtype)
            return samples[i].text;
    return NULL;
}

static tn_tensor *pointwise_tensor(char which, const char *dtype_name) {
    tn_dtype dtype = tn_dtype_from_name(dtype_name);
    char sample = which == 'c' ? 'a' : which == 'r' ? 'b' : (char)tolower(which);
    tn_tensor *all = tn_from_text(pointwise_sample(sample, dtype), dtype);
    if (which == 'c')
        return tn_unsqueeze(all, 1);
    return which == 'A' || which == 'B' ? tn_select(all, 0, 0) : all;
}

/* One word of the arguments; `text` has room for a text argument. */
static tn_value pointwise_argument(const char *word, char text[32]) {
    if (strcmp(word, "-") == 0)
        return tn_value_none();
    if (word[0] == '\'') {
        snprintf(text, 32, "%.*s", (int)strlen(word) - 2, word + 1);
        return tn_value_text(text);
    }
    if (word[1] == ':') {
        tn_tensor *tensor = pointwise_tensor(word[0], word + 2);
        CHECK(tensor);
        return tn_value_tensor(tensor);
    }
    if (word[0] == 'i')
        return tn_value_int(strtoll(word + 1, NULL, 10));
    return word[0] == 't' ? tn_value_bool(word[1] == '1') : tn_value_float(strtod(word + 1, NULL));
}

typedef struct pointwise_values {
    tn_value items[6];
    char texts[6][32];
    int64_t count;
} pointwise_values;

static void pointwise_arguments(const char *words, pointwise_values *out) {
    char word[64];
    out->count = 0;
    for (int length; sscanf(words, " %63s%n", word, &length) == 1; words += length, out->count++)
        out->items[out->count] = pointwise_argument(word, out->texts[out->count]);
}

/* Whole numbers in the order of the floats whose patterns they are; the two zeros are one. */
static int64_t pointwise_rank(tn_dtype dtype, const void *element) {
    int64_t pattern = 0;
    size_t size = dtype == TN_FLOAT64 ? 8 : dtype == TN_FLOAT32 ? 4 : 2;
    memcpy(&pattern, element, size);
    int64_t sign = (int64_t)((uint64_t)1 << (8 * size - 1));
    return pattern & sign ? -(int64_t)((uint64_t)pattern & ~(uint64_t)sign) : pattern;
}

/* How many steps of the dtype are between two floats; 0 for two NaN, very many for one. */
static double pointwise_steps(tn_dtype dtype, const void *a, const void *b) {
    double x = tn_dtype_load(dtype, a).value.d, y = tn_dtype_load(dtype, b).value.d;
    if (isnan(x) || isnan(y))
        return isnan(x) && isnan(y) ? 0 : HUGE_VAL;
    return fabs((double)pointwise_rank(dtype, a) - (double)pointwise_rank(dtype, b));
}

static void pointwise_check(const pointwise_case *c, const tn_tensor *actual) {
    if (!actual)
        test_fail(__FILE__, __LINE__, "%s of %s: %s", c->name, c->arguments, tn_error_message());
    if (tn_dtype_of(actual) != c->result)
        test_fail(__FILE__, __LINE__, "%s of %s: dtype %s, not %s", c->name, c->arguments, tn_dtype_name(tn_dtype_of(actual)),
                  tn_dtype_name(c->result));
    tn_tensor *a = tn_reshape(actual, TN_DIMS(-1)), *e = tn_reshape(tn_from_text(c->values, c->result), TN_DIMS(-1));
    CHECK(a && e);
    CHECK_INT(tn_numel(a), tn_numel(e));
    const char *one = tn_data(a), *two = tn_data(e);
    size_t item = tn_element_size(a);
    for (int64_t i = 0; i < tn_numel(a); i++, one += item, two += item) {
        bool floats = tn_dtype_is_floating(c->result);
        double steps = floats ? pointwise_steps(c->result, one, two) : memcmp(one, two, item) == 0 ? 0 : HUGE_VAL;
        if (steps > c->ulp)
            test_fail(__FILE__, __LINE__, "%s of %s: element %lld is %.17g, not %.17g (%g units)", c->name, c->arguments,
                      (long long)i, tn_dtype_load(c->result, one).value.d, tn_dtype_load(c->result, two).value.d, steps);
    }
}

/* "frexp mantissa" and "frexp exponent" are the two results of frexp. */
static tn_tensor *pointwise_call(const char *name, tn_values values) {
    char base[48];
    const char *space = strchr(name, ' ');
    if (!space)
        return tn_call_tensor(name, values);
    snprintf(base, sizeof base, "%.*s", (int)(space - name), name);
    tn_list *list = tn_frexp(values.items[0].as.tensor);
    return list ? tn_list_at(list, strcmp(space, " exponent") == 0) : NULL;
}

static void pointwise_replay(const pointwise_case *c) {
    pointwise_values values;
    tn_scope scope = tn_scope_open();
    pointwise_arguments(c->arguments, &values);
    tn_tensor *actual = pointwise_call(c->name, (tn_values){values.items, values.count});
    if (c->values) {
        pointwise_check(c, actual);
    } else {
        if (actual)
            test_fail(__FILE__, __LINE__, "%s of %s is not refused", c->name, c->arguments);
        CHECK(tn_error_code() == TN_ERROR_DTYPE || tn_error_code() == TN_ERROR_ARGUMENT);
        tn_error_clear();
    }
    tn_scope_close(scope);
}

#endif

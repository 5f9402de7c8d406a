/* sort_torch.c - sorting, searching, unique and histograms against what PyTorch did (data/make_sort_cases.py).
 *
 * Dtypes that PyTorch has no loops for (topk of bool, all of float8, ...) are left to the models in sort.c and search.c, and so
 * is the mode of a line with NaN, where PyTorch's answer depends on the order of the elements.
 *
 * Tests: src/ops/sort/sort_ties.c */
#include <tenon/dispatch.h>

#include "test.h"

typedef struct sort_case {
    const char *name, *arguments, *results; /* results NULL: refused */
} sort_case;

static const sort_case sort_cases[] = {
#include "data/sort_cases.inc"
};

enum { SORT_WORDS = 8, SORT_WORD = 4096 };

typedef struct sort_words {
    int64_t count;
    char texts[SORT_WORDS][SORT_WORD];
} sort_words;

static void split_words(const char *text, sort_words *out) {
    out->count = 0;
    for (int length; sscanf(text, " %4095s%n", out->texts[out->count], &length) == 1; text += length)
        out->count++;
}

/* "dtype;sizes;elements" */
static tn_tensor *word_tensor(const char *word) {
    char name[32], list[SORT_WORD + 2];
    int64_t sizes[TN_MAX_DIMS], ndim = 0;
    const char *semicolon = strchr(word, ';');
    CHECK(semicolon);
    snprintf(name, sizeof name, "%.*s", (int)(semicolon - word), word);
    for (const char *at = semicolon + 1; *at != ';';) {
        char *end;
        sizes[ndim++] = strtoll(at, &end, 10);
        at = *end == ',' ? end + 1 : end;
    }
    snprintf(list, sizeof list, "[%s]", strrchr(word, ';') + 1);
    tn_dtype dtype = tn_dtype_from_name(name);
    CHECK(dtype != TN_DTYPE_DEFAULT);
    tn_dims shape = {sizes, ndim};
    return strcmp(list, "[]") == 0 ? tn_zeros(shape, dtype) : tn_reshape(tn_from_text(list, dtype), shape);
}

static tn_value word_value(char *word) {
    if (strchr(word, ';')) {
        tn_tensor *tensor = word_tensor(word);
        CHECK(tensor);
        return tn_value_tensor(tensor);
    }
    switch (word[0]) {
    case '-': return tn_value_none();
    case '\'': word[strlen(word) - 1] = 0; return tn_value_text(word + 1);
    case 'i': return tn_value_int(strtoll(word + 1, NULL, 10));
    case 't': return tn_value_bool(word[1] == '1');
    case 'r': {
        static double range[2]; /* at most one in a call */
        char *comma;
        range[0] = strtod(word + 1, &comma);
        range[1] = strtod(comma + 1, NULL);
        return tn_value_floats((tn_floats){range, 2});
    }
    default: return tn_value_float(strtod(word + 1, NULL));
    }
}

/* Equal bits, or two NaN; for what is computed, nearly equal. */
static bool elements_agree(const sort_case *c, tn_dtype dtype, const void *a, const void *b) {
    if (memcmp(a, b, tn_dtype_size(dtype)) == 0)
        return true;
    if (!tn_dtype_is_floating(dtype))
        return false;
    double x = tn_dtype_load(dtype, a).value.d, y = tn_dtype_load(dtype, b).value.d;
    if (isnan(x) || isnan(y))
        return isnan(x) && isnan(y);
    bool computed = strstr(c->name, "quantile") || strncmp(c->name, "hist", 4) == 0;
    return computed && fabs(x - y) <= (fabs(y) + 10) * (dtype == TN_FLOAT32 ? 2e-7 : 1e-15); /* operands are up to 30 */
}

static void check_result(const sort_case *c, int64_t which, const tn_tensor *actual, const char *word) {
    tn_tensor *expected = word_tensor(word), *dense = tn_contiguous(actual, TN_CONTIGUOUS);
    CHECK(expected && dense);
    tn_dims is = tn_sizes(actual), should = tn_sizes(expected);
    if (tn_dtype_of(actual) != tn_dtype_of(expected) || is.count != should.count ||
        memcmp(is.values, should.values, (size_t)is.count * sizeof *is.values) != 0)
        test_fail(__FILE__, __LINE__, "%s of %s: result %lld has another dtype or other sizes than %s", c->name, c->arguments,
                  (long long)which, word);
    size_t item = tn_element_size(actual);
    for (int64_t i = 0; i < tn_numel(actual); i++)
        if (!elements_agree(c, tn_dtype_of(actual), (const char *)tn_data(dense) + (size_t)i * item,
                            (const char *)tn_data(expected) + (size_t)i * item))
            test_fail(__FILE__, __LINE__, "%s of %s: element %lld of result %lld differs from %s", c->name, c->arguments,
                      (long long)i, (long long)which, word);
}

static void replay(const sort_case *c) {
    static sort_words arguments, results;
    tn_value items[SORT_WORDS], result = tn_value_none();
    tn_scope scope = tn_scope_open();
    split_words(c->arguments, &arguments);
    for (int64_t i = 0; i < arguments.count; i++)
        items[i] = word_value(arguments.texts[i]);
    tn_error error = tn_operator_call(tn_operator_find(c->name), (tn_values){items, arguments.count}, &result);
    if (!c->results) {
        if (!error)
            test_fail(__FILE__, __LINE__, "%s of %s is not refused", c->name, c->arguments);
        tn_error_clear();
    } else {
        if (error)
            test_fail(__FILE__, __LINE__, "%s of %s: %s", c->name, c->arguments, tn_error_message());
        split_words(c->results, &results);
        bool list = result.kind == TN_VALUE_LIST;
        CHECK_INT(list ? tn_list_count(result.as.list) : 1, results.count);
        for (int64_t i = 0; i < results.count; i++)
            check_result(c, i, list ? tn_list_at(result.as.list, i) : result.as.tensor, results.texts[i]);
    }
    tn_scope_close(scope);
}

TEST_SAMPLED(sorting_and_searching_agree_with_torch) {
    for (size_t i = 0; i < sizeof sort_cases / sizeof *sort_cases; i++)
        replay(&sort_cases[i]);
}

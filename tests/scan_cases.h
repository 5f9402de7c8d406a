/* scan_cases.h - replays the calls of data/scan_cases.inc, which says what PyTorch did. */
#ifndef TENON_SCAN_CASES_H
#define TENON_SCAN_CASES_H

#include <tenon/dispatch.h>

#include "test.h"

typedef struct scan_case {
    const char *name;
    tn_dtype dtype;
    const char *sizes, *values, *arguments, *results;
} scan_case;

static const scan_case scan_cases[] = {
#define SCAN_CASE(name, dtype, sizes, values, arguments, results) {name, TN_##dtype, sizes, values, arguments, results},
#include "data/scan_cases.inc"
#undef SCAN_CASE
};

enum { SCAN_ARGUMENTS = 6, SCAN_WORD = 256 };

/* Numbers between other characters; returns how many. */
static int64_t scan_numbers(const char *text, int64_t out[8]) {
    int64_t count = 0;
    for (char *end; *text; text = end) {
        int64_t number = strtoll(text, &end, 10);
        if (end == text)
            end++;
        else
            out[count++] = number;
    }
    return count;
}

static tn_tensor *scan_tensor(const char *values, const int64_t *sizes, int64_t ndim, tn_dtype dtype) {
    tn_dims dims = {sizes, ndim};
    return strcmp(values, "[]") == 0 ? tn_empty(dims, dtype) : tn_reshape(tn_from_text(values, dtype), dims);
}

static tn_value scan_argument(char *word, int64_t sizes[8]) {
    switch (word[0]) {
    case 'i': return tn_value_int(strtoll(word + 1, NULL, 10));
    case 'd': return tn_value_float(strtod(word + 1, NULL));
    case 't': return tn_value_dtype(tn_dtype_from_name(word + 2));
    case 's': {
        int64_t count = scan_numbers(word + 2, sizes);
        return tn_value_dims((tn_dims){sizes, count});
    }
    case 'p': {
        char *dtype = strtok(word + 2, ":"), *dims = strtok(NULL, ":"), *values = strtok(NULL, ":");
        int64_t count = scan_numbers(dims, sizes);
        tn_tensor *tensor = scan_tensor(values, sizes, count, tn_dtype_from_name(dtype));
        CHECK(tensor);
        return tn_value_tensor(tensor);
    }
    default: return tn_value_none();
    }
}

/* How far the results of a dtype may be off, of their size and of 1. */
static double scan_tolerance(tn_dtype dtype) {
    switch (dtype) {
    case TN_FLOAT16: return 0x1p-10;
    case TN_BFLOAT16: return 0x1p-7;
    case TN_FLOAT32:
    case TN_COMPLEX64: return 0x1p-21;
    default: return 1e-8; /* the cases are written with 9 digits */
    }
}

static bool scan_is_near(double actual, double expected, double tolerance) {
    if (isnan(expected) || isinf(expected) || isnan(actual) || isinf(actual))
        return isnan(expected) ? isnan(actual) : actual == expected;
    return fabs(actual - expected) <= tolerance * fmax(fabs(expected), 0.25);
}

static void scan_check(const scan_case *c, const tn_tensor *actual, tn_dtype dtype, const char *values, const tn_tensor *self) {
    CHECK(actual);
    CHECK_INT(tn_dtype_of(actual), dtype);
    CHECK_INT(tn_ndim(actual), tn_ndim(self));
    tn_tensor *expected = scan_tensor(values, tn_sizes(self).values, tn_ndim(self),
                                      tn_dtype_is_integral(dtype)  ? dtype
                                      : tn_dtype_is_complex(dtype) ? TN_COMPLEX128
                                                                   : TN_FLOAT64);
    tn_tensor *flat = tn_reshape(actual, TN_DIMS(-1));
    CHECK(flat && expected);
    CHECK_INT(tn_numel(flat), tn_numel(expected));
    const char *one = tn_data(flat), *two = tn_data(expected);
    size_t step = tn_element_size(flat), expected_step = tn_element_size(expected);
    for (int64_t i = 0; i < tn_numel(flat); i++, one += step, two += expected_step) {
        tn_scalar a = tn_dtype_load(dtype, one), e = tn_dtype_load(tn_dtype_of(expected), two);
        double tolerance = scan_tolerance(dtype);
        bool near;
        if (tn_dtype_is_integral(dtype))
            near = memcmp(one, two, step) == 0;
        else if (tn_dtype_is_complex(dtype))
            near = scan_is_near(a.value.c.real, e.value.c.real, tolerance) &&
                   scan_is_near(a.value.c.imag, e.value.c.imag, tolerance);
        else
            near = scan_is_near(a.value.d, e.value.d, tolerance);
        if (!near)
            test_fail(__FILE__, __LINE__, "%s of %s [%s] %s with %s: element %lld is %.9g, not as in %s", c->name,
                      tn_dtype_name(c->dtype), c->sizes, c->values, c->arguments, (long long)i, a.value.d, values);
    }
}

static void scan_replay(const scan_case *c) {
    tn_scope scope = tn_scope_open();
    int64_t sizes[8], held[SCAN_ARGUMENTS][8];
    char words[SCAN_ARGUMENTS][SCAN_WORD], dtype[2][16], values[2][512];
    tn_value items[SCAN_ARGUMENTS], result = tn_value_none();
    int64_t ndim = scan_numbers(c->sizes, sizes), count = 1;
    tn_tensor *self = scan_tensor(c->values, sizes, ndim, c->dtype);
    CHECK(self);
    items[0] = tn_value_tensor(self);
    for (const char *at = c->arguments; count < SCAN_ARGUMENTS; count++) {
        int length;
        if (sscanf(at, " %255s%n", words[count], &length) != 1)
            break;
        items[count] = scan_argument(words[count], held[count]);
        at += length;
    }
    tn_error code = tn_call(c->name, (tn_values){items, count}, &result);
    int told = sscanf(c->results, "%15s %511s %15s %511s", dtype[0], values[0], dtype[1], values[1]);
    if (told < 2) {
        if (code == TN_OK)
            test_fail(__FILE__, __LINE__, "%s of %s [%s] with %s is not refused", c->name, tn_dtype_name(c->dtype), c->sizes,
                      c->arguments);
        CHECK(code == TN_ERROR_DTYPE || code == TN_ERROR_SHAPE || code == TN_ERROR_INDEX);
        tn_error_clear();
    } else if (code != TN_OK) {
        test_fail(__FILE__, __LINE__, "%s of %s [%s] with %s: %s", c->name, tn_dtype_name(c->dtype), c->sizes, c->arguments,
                  tn_error_message());
    } else if (told == 4) {
        scan_check(c, tn_list_at(result.as.list, 0), tn_dtype_from_name(dtype[0]), values[0], self);
        scan_check(c, tn_list_at(result.as.list, 1), tn_dtype_from_name(dtype[1]), values[1], self);
    } else {
        scan_check(c, result.as.tensor, tn_dtype_from_name(dtype[0]), values[0], self);
    }
    tn_scope_close(scope);
}

static tn_tensor *in_a_row(const tn_tensor *x) { return tn_contiguous(x, TN_CONTIGUOUS); }

static bool same_bits(const tn_tensor *a, const tn_tensor *b) {
    a = in_a_row(a), b = in_a_row(b);
    return a && b && tn_numel(a) == tn_numel(b) &&
           memcmp(tn_data(a), tn_data(b), (size_t)tn_numel(a) * tn_element_size(a)) == 0;
}

/* Multiples of largest / steps from -largest to largest. */
static tn_tensor *scan_drawn(tn_dims sizes, tn_dtype dtype, double largest, int64_t steps) {
    tn_tensor *x = tn_empty(sizes, TN_FLOAT64);
    double *data = x ? tn_mutable_data(x) : NULL;
    for (int64_t i = 0; data && i < tn_numel(x); i++)
        data[i] = largest * (double)test_random_between(-steps, steps) / (double)steps;
    return x ? tn_to(x, dtype) : NULL;
}

#endif

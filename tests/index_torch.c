/* index_torch.c - index expressions and the operators that pick by position, against what PyTorch and NumPy did
 * (data/make_index_cases.py): the sizes and values of the result, or that the call is refused.
 */
#include "test.h"

enum { MOST_ITEMS = 32, MOST_NUMBERS = 512, MOST_ARGUMENTS = 8 };

/* ---- reading the table */

/* Numbers separated by commas, up to a character that is not part of one; returns how many. */
static int64_t torch_numbers(const char **at, double *numbers) {
    int64_t count = 0;
    for (;;) {
        char *end;
        double value = strtod(*at, &end);
        if (end == *at)
            return count;
        CHECK(count < MOST_NUMBERS);
        numbers[count++] = value;
        *at = end;
        if (**at != ',' && **at != ':')
            return count;
        ++*at;
    }
}

static tn_dims torch_sizes(const char **at, int64_t *sizes) {
    int64_t count = 0;
    while (**at == '-' || (**at >= '0' && **at <= '9')) {
        char *end;
        sizes[count++] = strtoll(*at, &end, 10);
        *at = end;
        if (**at == ',')
            ++*at;
    }
    return (tn_dims){sizes, count};
}

static tn_tensor *torch_tensor(const double *numbers, int64_t count, tn_dims sizes, tn_dtype dtype) {
    tn_tensor *wide = tn_from_memory(numbers, TN_DIMS(count), TN_FLOAT64, TN_BORROW);
    return tn_view(tn_clone(tn_to(wide, dtype), TN_CONTIGUOUS), sizes);
}

static tn_dtype torch_dtype(char letter) {
    switch (letter) {
    case 'l': return TN_INT64;
    case 'i': return TN_INT32;
    case 's': return TN_INT16;
    case 'a': return TN_INT8;
    case 'B': return TN_UINT8;
    case 'b': return TN_BOOL;
    case 'f': return TN_FLOAT32;
    case 'd': return TN_FLOAT64;
    case 'h': return TN_FLOAT16;
    case 'g': return TN_BFLOAT16;
    default: return TN_COMPLEX64;
    }
}

static uint32_t hash_of(const tn_tensor *tensor) {
    uint32_t value = 2166136261u;
    tn_tensor *rows = tn_contiguous(tensor, TN_CONTIGUOUS);
    CHECK(rows);
    const int64_t *data = tn_data_int64(rows);
    for (int64_t i = 0; i < tn_numel(rows); i++)
        value = (value ^ (uint32_t)data[i]) * 16777619u;
    return value;
}

/* ---- expressions */

typedef struct index_case {
    const char *x, *items, *sizes;
    uint32_t read, assigned, added;
} index_case;

static const index_case index_cases[] = {
#define INDEX(x, items, sizes, read, assigned, added) {x, items, sizes, read, assigned, added},
#define CALL(name, arguments, result)
#include "data/index_cases.inc"
#undef INDEX
#undef CALL
};

static int64_t bound_of(const char **at) {
    if (**at == '_') {
        ++*at;
        return TN_NONE;
    }
    char *end;
    int64_t value = strtoll(*at, &end, 10);
    *at = end;
    return value;
}

static tn_index_item item_of(const char **at) {
    char kind = *(*at)++;
    int64_t sizes[8];
    double numbers[MOST_NUMBERS];
    if (kind == 'n')
        return TN_NEW_AXIS;
    if (kind == 'e')
        return TN_ELLIPSIS;
    if (kind == 'i')
        return TN_AT(bound_of(at));
    if (kind == 'b')
        return TN_WHEN(*(*at)++ == '1');
    if (kind == 's') {
        int64_t start = bound_of(at), end;
        ++*at;
        end = bound_of(at);
        ++*at;
        return TN_STEP(start, end, bound_of(at));
    }
    tn_dims dims = torch_sizes(at, sizes);
    ++*at; /* the = */
    int64_t count = 0;
    if (kind == 'm' || kind == 'M')
        while (**at == '0' || **at == '1')
            numbers[count++] = *(*at)++ - '0';
    else
        count = torch_numbers(at, numbers);
    tn_tensor *tensor = torch_tensor(numbers, count, dims,
                                     kind == 't'   ? TN_INT64
                                     : kind == 'T' ? TN_INT32
                                     : kind == 'm' ? TN_BOOL
                                                   : TN_UINT8);
    CHECK(tensor);
    return TN_PICK(tensor);
}

static tn_index_list items_of(const char *at, tn_index_item *items) {
    tn_index_list list = {items, 0};
    while (*at) {
        CHECK(list.count < MOST_ITEMS);
        items[list.count++] = item_of(&at);
        if (*at == ' ')
            at++;
    }
    return list;
}

static tn_tensor *x_of(const char *at) {
    int64_t sizes[8];
    tn_dims dims = torch_sizes(&at, sizes);
    int64_t count = 1;
    for (int64_t d = 0; d < dims.count; d++)
        count *= sizes[d];
    tn_tensor *x = tn_view(tn_arange(count, TN_INT64), dims);
    return *at == '|' ? tn_transpose(x, 0, -1) : x;
}

static void check_sizes(const tn_tensor *tensor, const char *expected, const char *about) {
    int64_t sizes[16];
    tn_dims dims = torch_sizes(&expected, sizes);
    bool same = tn_ndim(tensor) == dims.count;
    for (int64_t d = 0; same && d < dims.count; d++)
        same = tn_size(tensor, d) == sizes[d];
    if (!same)
        test_fail(__FILE__, __LINE__, "%s has other sizes", about);
}

static void check_expression(const index_case *expected) {
    tn_index_item items[MOST_ITEMS];
    tn_tensor *x = x_of(expected->x);
    tn_index_list list = items_of(expected->items, items);
    CHECK(x);
    tn_tensor *result = (tn_index)(x, list);
    if (strcmp(expected->sizes, "E") == 0) {
        if (result)
            test_fail(__FILE__, __LINE__, "x[%s] of %s was not refused", expected->items, expected->x);
        CHECK(tn_error_code() == TN_ERROR_INDEX);
        tn_error_clear();
        tn_tensor *target = tn_clone(x, TN_PRESERVE);
        CHECK(target && !tn_setitem_scalar_(target, list, 7));
        tn_error_clear();
        CHECK(hash_of(target) == hash_of(x));
        return;
    }
    CHECK(result);
    check_sizes(result, expected->sizes, expected->items);
    if (hash_of(result) != expected->read)
        test_fail(__FILE__, __LINE__, "x[%s] of %s has other values", expected->items, expected->x);
    tn_tensor *assigned = tn_clone(x, TN_PRESERVE);
    CHECK(assigned && tn_setitem_scalar_(assigned, list, 7));
    if (hash_of(assigned) != expected->assigned)
        test_fail(__FILE__, __LINE__, "x[%s] = 7 of %s changed other places", expected->items, expected->x);
    if (!expected->added)
        return;
    tn_tensor *values = tn_view_as(tn_arange_start(1, tn_numel(result) + 1, 1, TN_INT64), result);
    tn_tensor *added = tn_index_put(x, list, values, true);
    CHECK(added);
    if (hash_of(added) != expected->added)
        test_fail(__FILE__, __LINE__, "x[%s] += 1, 2, ... of %s gave other values", expected->items, expected->x);
}

TEST_SAMPLED(index_expressions_do_what_pytorch_and_numpy_do) {
    for (size_t i = 0; i < sizeof index_cases / sizeof index_cases[0]; i++) {
        tn_scope scope = tn_scope_open();
        check_expression(&index_cases[i]);
        tn_scope_close(scope);
    }
}

/* ---- operators */

typedef struct call_case {
    const char *name, *arguments, *result;
} call_case;

static const call_case call_cases[] = {
#define INDEX(x, items, sizes, read, assigned, added)
#define CALL(name, arguments, result) {name, arguments, result},
#include "data/index_cases.inc"
#undef INDEX
#undef CALL
};

static tn_tensor *torch_given(const char **at) {
    double numbers[2 * MOST_NUMBERS];
    int64_t sizes[8];
    tn_dtype dtype = torch_dtype((*at)[1]);
    *at += 3;
    tn_dims dims = torch_sizes(at, sizes);
    ++*at; /* the : */
    int64_t count = torch_numbers(at, numbers);
    if (dtype != TN_COMPLEX64)
        return torch_tensor(numbers, count, dims, dtype);
    tn_tensor *pairs = tn_from_memory(numbers, TN_DIMS(count / 2), TN_COMPLEX128, TN_BORROW);
    return tn_view(tn_clone(tn_to(pairs, dtype), TN_CONTIGUOUS), dims);
}

static tn_value argument_of(const char **at, char *text) {
    char kind = **at, *end;
    tn_value value = tn_value_none();
    if (kind == 't')
        return tn_value_tensor(torch_given(at));
    ++*at;
    if (kind == 'i')
        value = tn_value_int(strtoll(*at, &end, 10));
    else if (kind == 'n')
        value = tn_value_float(strtod(*at, &end));
    else if (kind == 'x')
        value = tn_value_bool(strtoll(*at, &end, 10));
    else
        end = (char *)(uintptr_t)*at;
    if (kind == 'r') {
        size_t length = strcspn(*at, ";");
        memcpy(text, *at, length);
        text[length] = 0;
        value = tn_value_text(text);
        end += length;
    }
    *at = end;
    return value;
}

/* float16 and bfloat16 sums are rounded once here and at every step by PyTorch: they agree to a unit or two. */
static bool nearly(double a, double b, tn_dtype dtype) {
    double slack = dtype == TN_BFLOAT16 ? 0x1p-6 : dtype == TN_FLOAT16 ? 0x1p-9 : dtype == TN_FLOAT32 ? 0x1p-22 : 0x1p-50;
    return a == b || (isnan(a) && isnan(b)) || fabs(a - b) <= slack * fmax(fabs(a), fabs(b));
}

static void check_same(const tn_tensor *result, const tn_tensor *wanted, const call_case *expected) {
    CHECK(result && wanted);
    bool same = tn_dtype_of(result) == tn_dtype_of(wanted) && tn_ndim(result) == tn_ndim(wanted);
    for (int64_t d = 0; same && d < tn_ndim(result); d++)
        same = tn_size(result, d) == tn_size(wanted, d);
    if (same) {
        tn_tensor *a = tn_to(tn_contiguous(result, TN_CONTIGUOUS), TN_COMPLEX128);
        tn_tensor *b = tn_to(wanted, TN_COMPLEX128);
        CHECK(a && b);
        const double *x = (const double *)tn_data_complex128(a), *y = (const double *)tn_data_complex128(b);
        tn_dtype dtype = tn_dtype_of(result) == TN_COMPLEX64 ? TN_FLOAT32 : tn_dtype_of(result);
        for (int64_t i = 0; same && i < 2 * tn_numel(a); i++)
            same = nearly(x[i], y[i], dtype);
    }
    char text[512] = "";
    if (!same && tn_format(result, text, sizeof text, NULL) >= 0)
        test_fail(__FILE__, __LINE__, "%s(%s) is\n%s\nnot\n%s", expected->name, expected->arguments, text, expected->result);
}

static void check_call(const call_case *expected) {
    tn_value arguments[MOST_ARGUMENTS];
    char text[16];
    int64_t count = 0;
    for (const char *at = expected->arguments; *at;) {
        CHECK(count < MOST_ARGUMENTS);
        arguments[count++] = argument_of(&at, text);
        CHECK(arguments[count - 1].kind != TN_VALUE_TENSOR || arguments[count - 1].as.tensor);
        if (*at == ';')
            at++;
    }
    tn_tensor *result = tn_call_tensor(expected->name, (tn_values){arguments, count});
    if (strcmp(expected->result, "E") == 0) {
        if (result)
            test_fail(__FILE__, __LINE__, "%s(%s) was not refused", expected->name, expected->arguments);
        tn_error_clear();
        return;
    }
    if (!result)
        test_fail(__FILE__, __LINE__, "%s(%s) was refused: %s", expected->name, expected->arguments, tn_error_message());
    const char *at = expected->result;
    check_same(result, torch_given(&at), expected);
}

TEST_SAMPLED(operators_that_pick_by_position_do_what_pytorch_does) {
    for (size_t i = 0; i < sizeof call_cases / sizeof call_cases[0]; i++) {
        tn_scope scope = tn_scope_open();
        check_call(&call_cases[i]);
        tn_scope_close(scope);
    }
}

/* join_torch.c - joining, moving and statistics of neighbours against PyTorch's answers: data/join_cases.inc, which
 * data/make_join_cases.py wrote and explains. Every operator is called by its name. */
#include "test.h"

#include <tenon/dispatch.h>

typedef struct join_case {
    const char *name, *arguments, *result;
} join_case;

static const join_case join_cases[] = {
#define CASE(name, arguments, result) {name, arguments, result},
#include "data/join_cases.inc"
};

enum { JOIN_POOL = 512, JOIN_MOST = 8 };

/* ---- reading a line */

static tn_tensor *join_pool(tn_dtype dtype) {
    tn_tensor *pool = tn_empty(TN_DIMS(JOIN_POOL), dtype);
    CHECK(pool);
    char *data = tn_mutable_data(pool);
    for (int64_t k = 0; k < JOIN_POOL; k++) {
        int64_t number = (37 * k + k / 7) % 120;
        tn_scalar value = tn_scalar_int(dtype == TN_BOOL ? number % 2 : number);
        if (tn_dtype_is_complex(dtype))
            value = tn_scalar_complex((double)number, (double)(number * 3 % 11));
        tn_dtype_store(dtype, data + (size_t)k * tn_dtype_size(dtype), value);
    }
    return pool;
}

static int64_t read_numbers(const char *text, int64_t *numbers) {
    int64_t count = 0;
    while ((*text >= '0' && *text <= '9') || *text == '-') {
        char *end;
        numbers[count] = strtoll(text, &end, 10);
        if (end == text)
            break;
        count++;
        text = *end == ',' ? end + 1 : end;
    }
    return count;
}

/* t:dtype:offset:sizes:strides */
static tn_tensor *read_tensor(const char *word) {
    char dtype[24];
    long long offset;
    int at = 0;
    int64_t sizes[JOIN_MOST], strides[JOIN_MOST];
    CHECK_INT(sscanf(word, "t:%23[^:]:%lld:%n", dtype, &offset, &at), 2);
    int64_t ndim = read_numbers(word + at, sizes);
    CHECK_INT(read_numbers(strchr(word + at, ':') + 1, strides), ndim);
    return tn_as_strided(join_pool(tn_dtype_from_name(dtype)), (tn_dims){sizes, ndim}, (tn_dims){strides, ndim}, offset);
}

typedef struct join_arguments {
    tn_value items[JOIN_MOST];
    int64_t count;
    const tn_tensor *tensors[JOIN_MOST];
    int64_t tensor_count;
    int64_t dims[2][16];
    int dims_count;
    char text[2][48];
    int text_count;
} join_arguments;

static tn_value read_argument(join_arguments *all, const char *word) {
    char dtype[24];
    int at = 0;
    switch (word[0]) {
    case 't': return tn_value_tensor(read_tensor(word));
    case '=':
        CHECK_INT(sscanf(word, "=%23[^:]:%n", dtype, &at), 1);
        return tn_value_tensor(tn_from_text(word + at, tn_dtype_from_name(dtype)));
    case 's': {
        int64_t *numbers = all->dims[all->dims_count++];
        return tn_value_dims((tn_dims){numbers, read_numbers(word + 1, numbers)});
    }
    case 'i': return tn_value_int(strtoll(word + 1, NULL, 10));
    case 'f': return tn_value_float(strtod(word + 1, NULL));
    case 'b': return tn_value_bool(word[1] == '1');
    case '@': return tn_value_dtype(tn_dtype_from_name(word + 1));
    case '\'': {
        char *text = all->text[all->text_count++];
        snprintf(text, sizeof all->text[0], "%.*s", (int)strlen(word) - 2, word + 1);
        return tn_value_text(text);
    }
    default: return tn_value_none();
    }
}

static void read_arguments(const char *words, join_arguments *all) {
    char word[160];
    bool listed = false;
    memset(all, 0, sizeof *all);
    for (int length; sscanf(words, " %159s%n", word, &length) == 1; words += length) {
        if (word[0] == '[') {
            listed = true;
        } else if (word[0] == ']') {
            all->items[all->count++] = tn_value_tensors(all->tensors, all->tensor_count);
            listed = false;
        } else if (listed) {
            all->tensors[all->tensor_count] = read_tensor(word);
            CHECK(all->tensors[all->tensor_count++]);
        } else {
            all->items[all->count++] = read_argument(all, word);
        }
    }
}

/* ---- comparing */

static int64_t join_hash(const tn_tensor *x) {
    const tn_tensor *lying = tn_contiguous(x, TN_CONTIGUOUS);
    CHECK(lying);
    const unsigned char *bytes = tn_data(lying);
    int64_t sum = 0;
    for (size_t i = 0; i < tn_nbytes(lying); i++)
        sum = (sum + (int64_t)(i + 1) * bytes[i]) % 32749;
    return sum;
}

static bool is_close(double a, double b, double tolerance) {
    return a == b || (isnan(a) && isnan(b)) || fabs(a - b) <= tolerance * (fabs(b) + 1);
}

/* Whether the values are those of the text; for complex numbers two each. */
static bool join_values_fit(const tn_tensor *x, const char *text) {
    const tn_tensor *lying = tn_contiguous(tn_to(x, TN_COMPLEX128), TN_CONTIGUOUS);
    CHECK(lying);
    const tn_complex128 *values = tn_data(lying);
    tn_dtype real = tn_dtype_to_real(tn_dtype_of(x));
    double tolerance = real == TN_FLOAT16 ? 4e-3 : real == TN_BFLOAT16 ? 3e-2 : real == TN_FLOAT32 ? 4e-6 : 1e-10;
    bool complex = tn_dtype_is_complex(tn_dtype_of(x)), fits = true;
    for (int64_t i = 0; i < tn_numel(x) && fits; i++) {
        char *end;
        fits = is_close(values[i].real, strtod(text, &end), tolerance);
        text = end + (*end == ',');
        if (complex) {
            fits = fits && is_close(values[i].imag, strtod(text, &end), tolerance);
            text = end + (*end == ',');
        }
    }
    return fits && *text == 0;
}

static void check_result(const join_case *c, const tn_tensor *x) {
    char dtype[24];
    int64_t sizes[JOIN_MOST], strides[JOIN_MOST];
    CHECK_INT(sscanf(c->result, "%23s", dtype), 1);
    const char *rest = strchr(c->result, '[') + 1;
    int64_t ndim = read_numbers(rest, sizes);
    rest = strchr(rest, '[') + 1;
    bool any_strides = read_numbers(rest, strides) != ndim;
    bool same = tn_dtype_of(x) == tn_dtype_from_name(dtype) && tn_ndim(x) == ndim;
    for (int64_t d = 0; same && d < ndim; d++)
        same = tn_size(x, d) == sizes[d] && (any_strides || sizes[d] == 1 || tn_stride(x, d) == strides[d]);
    const char *values = strpbrk(rest, "#~");
    same = same && (values[0] == '#' ? join_hash(x) == strtoll(values + 1, NULL, 10) : join_values_fit(x, values + 1));
    if (!same) {
        tn_print(x, stdout);
        test_fail(__FILE__, __LINE__, "%s of %s is not %s", c->name, c->arguments, c->result);
    }
}

TEST_SAMPLED(joining_and_moving_answer_as_torch) {
    for (size_t i = 0; i < sizeof join_cases / sizeof join_cases[0]; i++) {
        const join_case *c = &join_cases[i];
        tn_scope scope = tn_scope_open();
        join_arguments arguments;
        read_arguments(c->arguments, &arguments);
        const tn_tensor *result = tn_call_tensor(c->name, (tn_values){arguments.items, arguments.count});
        if (!result != !c->result)
            test_fail(__FILE__, __LINE__, "%s of %s: %s", c->name, c->arguments,
                      result ? "is not refused" : tn_error_message());
        if (result)
            check_result(c, result);
        else
            CHECK(tn_error_code() != TN_ERROR_INTERNAL && tn_error_code() != TN_OK);
        tn_error_clear();
        tn_scope_close(scope);
    }
}

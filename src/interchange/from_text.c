/* from_text.c - a tensor read from nested brackets: "[[1, 2.5], [3, 4]]".
 *
 * Two passes over the text with one reader: the first finds the shape and what kind of numbers there are and reports every
 * mistake with its column, the second, which cannot fail, writes the elements. Nothing is allocated between them but the
 * tensor. Depth is bounded by TN_MAX_DIMS, so nested input cannot exhaust the stack.
 */
#include <ctype.h>
#include <locale.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/cancel.h"
#include "base/parallel.h"
#include "base/error.h"
#include "base/scope.h"
#include "tensor/check.h"

enum { TEXT_TOKEN_SIZE = 512 };

typedef struct text_reader {
    const char *text, *at;
    int64_t sizes[TN_MAX_DIMS];
    int64_t ndim;        /* -1 until the first number or the first empty bracket is read */
    tn_scalar_kind kind; /* the widest number seen                                     */
    bool any;            /* whether a number was seen,                                 */
    bool negative;       /* and a negative integer                                     */
    tn_dtype dtype;      /* pass 2: what to write,                                     */
    char *target;        /* and where; NULL in pass 1                                  */
} text_reader;

static void text_skip(text_reader *reader) {
    while (isspace((unsigned char)*reader->at))
        reader->at++;
}

static int64_t text_column(const text_reader *reader) { return reader->at - reader->text + 1; }

/* The word and nothing more, unless the j of an imaginary number may follow. */
static bool text_take_word(text_reader *reader, const char *word, bool imaginary) {
    size_t length = strlen(word);
    if (strncmp(reader->at, word, length) != 0)
        return false;
    const char *after = reader->at + length;
    if (imaginary && *after == 'j')
        after++;
    if (isalnum((unsigned char)*after) || *after == '_')
        return false;
    reader->at += length;
    return true;
}

/* A token's number with the decimal point of the host's locale, which strtod wants. False when it is not a number. */
static bool text_to_double(const char *token, double *out) {
    enum { POINT_LIMIT = 16 };
    const char *locale_point = localeconv()->decimal_point, *point = strchr(token, '.');
    char local[TEXT_TOKEN_SIZE + POINT_LIMIT], *end;
    if (point && strlen(locale_point) < POINT_LIMIT) {
        snprintf(local, sizeof local, "%.*s%s%s", (int)(point - token), token, locale_point, point + 1);
        token = local;
    }
    *out = strtod(token, &end);
    return *end == 0;
}

/* One real number: an integer where it is written as one and fits, else a double. The decimal point is '.', whatever the
 * host's locale says. */
static bool text_real(text_reader *reader, tn_scalar *out) {
    const char *start = reader->at, *at = start;
    bool negative = *at == '-', whole = true;
    if (*at == '-' || *at == '+')
        at++;
    reader->at = at;
    bool special = text_take_word(reader, "nan", true);
    if (special || text_take_word(reader, "inf", true)) {
        *out = tn_scalar_float(special ? (double)NAN : negative ? -(double)INFINITY : (double)INFINITY);
        return true;
    }
    char token[TEXT_TOKEN_SIZE];
    size_t length = 0, digits = 0;
    for (;; at++) {
        bool exponent = *at == 'e' || *at == 'E';
        bool sign = (*at == '-' || *at == '+') && length && (at[-1] == 'e' || at[-1] == 'E');
        if (!isdigit((unsigned char)*at) && *at != '.' && !exponent && !sign)
            break;
        if (length + 1 == sizeof token) {
            tni_raise(TN_ERROR_ARGUMENT, "column %" PRId64 ": a number of more than %d characters", text_column(reader),
                      TEXT_TOKEN_SIZE - 1);
            return false;
        }
        digits += isdigit((unsigned char)*at) != 0;
        whole = whole && isdigit((unsigned char)*at);
        token[length++] = *at;
    }
    token[length] = 0;
    reader->at = start;
    if (digits == 0) {
        tni_raise(TN_ERROR_ARGUMENT, "column %" PRId64 ": a number or a bracket is expected here, not '%.12s'",
                  text_column(reader), start);
        return false;
    }
    uint64_t integer = 0;
    bool fits = whole;
    for (size_t i = 0; i < length && fits; i++)
        fits = !__builtin_mul_overflow(integer, 10u, &integer) &&
               !__builtin_add_overflow(integer, (uint64_t)(token[i] - '0'), &integer);
    fits = fits && !(negative && integer > (uint64_t)INT64_MAX + 1);
    double real;
    if (fits) {
        *out = negative ? tn_scalar_int((int64_t)(0 - integer)) : tn_scalar_uint(integer);
    } else if (whole && !tn_dtype_is_floating(reader->dtype) && !tn_dtype_is_complex(reader->dtype)) {
        tni_raise(TN_ERROR_DTYPE, "column %" PRId64 ": the integer %s%.40s does not fit in 64 bits", text_column(reader),
                  negative ? "-" : "", token);
        return false;
    } else if (text_to_double(token, &real)) {
        *out = tn_scalar_float(negative ? -real : real);
    } else {
        tni_raise(TN_ERROR_ARGUMENT, "column %" PRId64 ": '%.40s' is not a number", text_column(reader), token);
        return false;
    }
    reader->at = at;
    return true;
}

static double text_as_double(tn_scalar value) {
    return value.kind == TN_SCALAR_FLOAT  ? value.value.d
           : value.kind == TN_SCALAR_UINT ? (double)value.value.u
                                          : (double)value.value.i;
}

static bool text_number(text_reader *reader, tn_scalar *out) {
    if (text_take_word(reader, "true", false) || text_take_word(reader, "True", false)) {
        *out = tn_scalar_bool(true);
        return true;
    }
    if (text_take_word(reader, "false", false) || text_take_word(reader, "False", false)) {
        *out = tn_scalar_bool(false);
        return true;
    }
    if (!text_real(reader, out))
        return false;
    if (*reader->at == 'j') {
        *out = tn_scalar_complex(0, text_as_double(*out));
        reader->at++;
    } else if (*reader->at == '+' || *reader->at == '-') {
        tn_scalar imaginary;
        if (!text_real(reader, &imaginary))
            return false;
        if (*reader->at != 'j') {
            tni_raise(TN_ERROR_ARGUMENT, "column %" PRId64 ": the second part of a complex number must end in j",
                      text_column(reader));
            return false;
        }
        *out = tn_scalar_complex(text_as_double(*out), text_as_double(imaginary));
        reader->at++;
    }
    return true;
}

static bool text_fix_depth(text_reader *reader, int64_t depth) {
    if (reader->ndim < 0)
        reader->ndim = depth;
    if (reader->ndim == depth)
        return true;
    tni_raise(TN_ERROR_SHAPE, "column %" PRId64 ": this element is %" PRId64 " brackets deep, others are %" PRId64,
              text_column(reader), depth, reader->ndim);
    return false;
}

/* Whether the dtype takes the number. As in torch.tensor, a float takes every real number: it is rounded, too large ones to
 * infinity. */
static bool text_fits(tn_dtype dtype, tn_scalar value) {
    if (value.kind != TN_SCALAR_COMPLEX && (tn_dtype_is_floating(dtype) || tn_dtype_is_complex(dtype)))
        return true;
    return tn_dtype_is_complex(dtype) || tn_dtype_can_hold(dtype, value);
}

static bool text_element(text_reader *reader, int64_t depth) {
    tn_scalar value;
    const char *start = reader->at;
    if (!text_fix_depth(reader, depth) || !text_number(reader, &value))
        return false;
    if (reader->target) {
        tn_dtype_store(reader->dtype, reader->target, value);
        reader->target += tn_dtype_size(reader->dtype);
        return true;
    }
    if (reader->dtype != TN_DTYPE_DEFAULT && !text_fits(reader->dtype, value)) {
        reader->at = start;
        tni_raise(TN_ERROR_DTYPE, "column %" PRId64 ": %s does not fit in %s", text_column(reader), tni_show_scalar(value),
                  tn_dtype_name(reader->dtype));
        return false;
    }
    if (!reader->any || value.kind > reader->kind)
        reader->kind = value.kind;
    reader->any = true;
    reader->negative = reader->negative || (value.kind == TN_SCALAR_INT && value.value.i < 0);
    return true;
}

static bool text_value(text_reader *reader, int64_t depth) {
    text_skip(reader);
    if (*reader->at != '[')
        return text_element(reader, depth);
    if (depth == TN_MAX_DIMS) {
        tni_raise(TN_ERROR_SHAPE, "column %" PRId64 ": more than %d brackets deep", text_column(reader), TN_MAX_DIMS);
        return false;
    }
    reader->at++;
    int64_t count = 0;
    for (text_skip(reader); *reader->at != ']'; text_skip(reader)) {
        if (!text_value(reader, depth + 1) || (++count % TNI_STEP == 0 && tni_cancel_poll() != TN_OK))
            return false;
        text_skip(reader);
        if (*reader->at == ',') {
            reader->at++;
        } else if (*reader->at != ']') {
            tni_raise(TN_ERROR_ARGUMENT, "column %" PRId64 ": a comma or a closing bracket is expected here",
                      text_column(reader));
            return false;
        }
    }
    if (count == 0 && !text_fix_depth(reader, depth + 1))
        return false;
    if (reader->sizes[depth] >= 0 && reader->sizes[depth] != count) {
        tni_raise(TN_ERROR_SHAPE,
                  "column %" PRId64 ": this bracket closes a row of %" PRId64 " where others in dimension %" PRId64
                  " have %" PRId64,
                  text_column(reader), count, depth, reader->sizes[depth]);
        return false;
    }
    reader->sizes[depth] = count;
    reader->at++;
    return true;
}

static tn_tensor *text_tensor(const char *text, tn_dtype dtype) {
    if (!tni_check_text(text, "text") || !tni_check_dtype(dtype, true, "dtype"))
        return NULL;
    text_reader reader = {.text = text, .at = text, .ndim = -1, .kind = TN_SCALAR_FLOAT, .dtype = dtype};
    for (int d = 0; d < TN_MAX_DIMS; d++)
        reader.sizes[d] = -1;
    if (!text_value(&reader, 0))
        return NULL;
    text_skip(&reader);
    if (*reader.at)
        return tni_raise_null(TN_ERROR_ARGUMENT, "column %" PRId64 ": nothing more is expected after the value",
                              text_column(&reader));
    if (dtype == TN_DTYPE_DEFAULT && reader.kind == TN_SCALAR_UINT && reader.negative)
        return tni_raise_null(TN_ERROR_DTYPE,
                              "some integers are negative and some above %" PRId64 "; no integer dtype holds both", INT64_MAX);
    if (dtype == TN_DTYPE_DEFAULT)
        dtype = tni_dtype_of_scalar(reader.any ? reader.kind : TN_SCALAR_FLOAT);
    tn_tensor *tensor = tni_tensor_new(reader.ndim, reader.sizes, dtype, TN_DEVICE_CPU);
    if (!tensor || tensor->numel == 0)
        return tensor;
    reader.at = text;
    reader.dtype = dtype;
    reader.target = tni_tensor_write(tensor);
    (void)text_value(&reader, 0);
    return tensor;
}

tn_tensor *tn_from_text(const char *text, tn_dtype dtype) {
    const char *outer = tni_operator_enter("from_text");
    tn_tensor *tensor = text_tensor(text, dtype);
    tni_operator_leave(outer);
    if (tni_cancel_ends(tni_thread_current, outer)) {
        tni_tensor_release(tensor);
        return NULL;
    }
    return tni_scope_adopt(tensor);
}

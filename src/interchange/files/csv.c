/* csv.c - tables of numbers as text: lines of fields with a separator between them. Reading parses everything when the file is opened,
 * into one matrix; a field that is not a number is an error that names its line and column.
 *
 * Numbers are rounded correctly. Digits are gathered as an integer of up to 19 of them and multiplied by a power of ten in the 64-bit
 * significand of x87's long double, where one rounding is the only error; where that leaves open which double is nearest, and for what does
 * not fit, strtod decides.
 */
#include <float.h>
#include <locale.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

#include "interchange/files/writer.h"
#include "tensor/dtype.h"

/* ---- one number */

static locale_t csv_locale; /* of C, whatever the program has set */
static void csv_make_locale(void) { csv_locale = newlocale(LC_ALL_MASK, "C", (locale_t)0); }

/* Any number, by the system. False when the field is not one. */
static bool csv_slow(const char *from, const char *end, double *value) {
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    char text[400], *stop;
    pthread_once(&once, csv_make_locale);
    if (end == from || end - from >= (long)sizeof text || !csv_locale)
        return false;
    memcpy(text, from, (size_t)(end - from));
    text[end - from] = 0;
    if (strpbrk(text, "xX("))
        return false;
    *value = strtod_l(text, &stop, csv_locale);
    return *stop == 0;
}

static bool csv_scale(uint64_t digits, int exponent, double *value) {
#if LDBL_MANT_DIG == 64
    static const long double powers[] = {1e0L,  1e1L,  1e2L,  1e3L,  1e4L,  1e5L,  1e6L,  1e7L,  1e8L,  1e9L,
                                         1e10L, 1e11L, 1e12L, 1e13L, 1e14L, 1e15L, 1e16L, 1e17L, 1e18L, 1e19L,
                                         1e20L, 1e21L, 1e22L, 1e23L, 1e24L, 1e25L, 1e26L, 1e27L};
    if (exponent < -27 || exponent > 27)
        return false;
    long double scaled = exponent < 0 ? (long double)digits / powers[-exponent] : (long double)digits * powers[exponent];
    uint64_t bits;
    memcpy(&bits, &scaled, 8);
    unsigned rest = (unsigned)(bits & 0x7ff); /* what a double has no room for: near the middle the error could decide */
    if (rest - 0x3ff <= 2 || digits == 0)
        return digits == 0 ? (*value = 0, true) : false;
    *value = (double)scaled;
    return true;
#else
    static const double powers[] = {1e0,  1e1,  1e2,  1e3,  1e4,  1e5,  1e6,  1e7,  1e8,  1e9,  1e10, 1e11,
                                    1e12, 1e13, 1e14, 1e15, 1e16, 1e17, 1e18, 1e19, 1e20, 1e21, 1e22};
    if (digits >> 53 || exponent < -22 || exponent > 22)
        return false;
    *value = exponent < 0 ? (double)digits / powers[-exponent] : (double)digits * powers[exponent];
    return true;
#endif
}

/* Reads a number at `at` and leaves it behind the last character of it; false where there is none. */
static bool csv_number(const char **at, const char *end, double *value) {
    const char *p = *at;
    bool minus = p < end && *p == '-';
    if (p < end && (*p == '-' || *p == '+'))
        p++;
    uint64_t digits = 0;
    int count = 0, exponent = 0;
    const char *first = p;
    for (; p < end && (unsigned)(*p - '0') < 10; p++, count += count || digits) /* also where the digits wrap to nought */
        digits = digits * 10 + (unsigned)(*p - '0');
    bool any = p > first;
    if (p < end && *p == '.') {
        const char *point = ++p;
        for (; p < end && (unsigned)(*p - '0') < 10; p++, count += count || digits)
            digits = digits * 10 + (unsigned)(*p - '0');
        exponent = (int)(point - p < -10000 ? -10000 : point - p);
        any |= p > point;
    }
    if (any && p < end && (*p | 32) == 'e') {
        const char *e = p + 1;
        bool down = e < end && *e == '-';
        e += e < end && (*e == '-' || *e == '+');
        if (e < end && (unsigned)(*e - '0') < 10) {
            int power = 0;
            for (; e < end && (unsigned)(*e - '0') < 10; e++)
                power = power < 100000 ? power * 10 + (*e - '0') : power;
            exponent += down ? -power : power;
            p = e;
        }
    }
    if (any && count <= 19 && csv_scale(digits, exponent, value)) {
        *value = minus ? -*value : *value;
        *at = p;
        return true;
    }
    while (p < end && (unsigned)((*p | 32) - 'a') < 26) /* inf, nan */
        p++;
    bool read = csv_slow(*at, p, value);
    if (read)
        *at = p;
    return read;
}

/* ---- a table */

typedef struct csv_table {
    const tn_file *file;
    const char *text, *from, *end; /* text: where the file begins */
    char separator, comment;
    tn_dtype dtype;
    uint64_t line; /* of `from`, from 1 */
    int64_t rows, columns;
    tn_storage *storage;
} csv_table;

static bool csv_is_space(const csv_table *table, char c) {
    return c == ' ' || c == '\r' || (c == '\t' && table->separator != '\t');
}

static const char *csv_skip(const csv_table *table, const char *p, const char *end) {
    while (p < end && csv_is_space(table, *p))
        p++;
    return p;
}

/* The end of the line that begins at p, and of what is read of it. */
static const char *csv_line_end(const csv_table *table, const char *p, const char **content) {
    const char *end = memchr(p, '\n', (size_t)(table->end - p));
    end = end ? end : table->end;
    const char *comment = table->comment ? memchr(p, table->comment, (size_t)(end - p)) : NULL;
    *content = comment ? comment : end;
    return end;
}

static bool csv_complain(const csv_table *table, const char *p, uint64_t line, int64_t column, const char *what) {
    int shown = 0;
    while (p + shown < table->end && shown < 24 && p[shown] >= ' ' && p[shown] != table->separator)
        shown++;
    return tni_file_complain(table->file, TN_ERROR_IO, NULL, (uint64_t)(p - table->text),
                             "line %" PRIu64 ", column %" PRId64 ": %s \"%.*s\"", line, column + 1, what, shown, p);
}

/* Integers beyond 2^53 are exact, too. */
static bool csv_integer(const char **at, const char *end, int64_t *value) {
    const char *p = *at;
    bool minus = p < end && *p == '-';
    p += p < end && (*p == '-' || *p == '+');
    const char *first = p;
    for (*value = 0; p < end && (unsigned)(*p - '0') < 10; p++)
        if (tni_mul_overflows(*value, 10, value) ||
            (minus ? tni_sub_overflows(*value, *p - '0', value) : tni_add_overflows(*value, *p - '0', value)))
            return false;
    if (p == first || (p < end && (*p == '.' || (*p | 32) == 'e')))
        return false;
    *at = p;
    return true;
}

/* Those of uint64 that int64 has no room for. */
static bool csv_unsigned(const char **at, const char *end, uint64_t *value) {
    const char *p = *at;
    p += p < end && *p == '+';
    const char *first = p;
    for (*value = 0; p < end && (unsigned)(*p - '0') < 10; p++) {
        unsigned digit = (unsigned)(*p - '0');
        if (*value > (UINT64_MAX - digit) / 10)
            return false;
        *value = *value * 10 + digit;
    }
    if (p == first || (p < end && (*p == '.' || (*p | 32) == 'e')))
        return false;
    *at = p;
    return true;
}

static bool csv_field(const csv_table *table, const char **p, const char *end, void *target) {
    if (table->dtype == TN_UINT64) {
        uint64_t whole;
        if (!csv_unsigned(p, end, &whole))
            return false;
        if (target)
            memcpy(target, &whole, sizeof whole);
        return true;
    }
    if (tn_dtype_is_integral(table->dtype) && table->dtype != TN_BOOL) {
        int64_t whole;
        const char *after = *p;
        if (!csv_integer(&after, end, &whole) || !tn_dtype_can_hold(table->dtype, tn_scalar_int(whole)))
            return false;
        *p = after;
        if (target)
            tn_dtype_store(table->dtype, target, tn_scalar_int(whole));
        return true;
    }
    double value;
    if (!csv_number(p, end, &value))
        return false;
    if (target && table->dtype == TN_FLOAT64)
        memcpy(target, &value, sizeof value);
    else if (target)
        tn_dtype_store(table->dtype, target, tn_scalar_float(value));
    return true;
}

/* The fields of one line, `wanted` of them where that is known (-1: the first line, which is counted). */
static bool csv_line(const csv_table *table, const char *p, const char *end, uint64_t line, int64_t wanted, char *target,
                     int64_t *count) {
    size_t item = tn_dtype_size(table->dtype);
    *count = 0;
    for (p = csv_skip(table, p, end);;) {
        if (*count == wanted)
            return csv_complain(table, p, line, *count, "the line has more fields than the first one:");
        if (!csv_field(table, &p, end, target ? target + (size_t)*count * item : NULL))
            return csv_complain(table, p, line, *count,
                                tn_dtype_is_integral(table->dtype) ? "not an integer that fits:" : "not a number:");
        ++*count;
        const char *after = csv_skip(table, p, end);
        if (after == end)
            break;
        if (table->separator == ' ' ? after == p : *after != table->separator)
            return csv_complain(table, p, line, *count - 1, "something behind the number:");
        p = table->separator == ' ' ? after : csv_skip(table, after + 1, end);
    }
    return wanted < 0 || *count == wanted ||
           csv_complain(table, p, line, *count - 1, "the line has fewer fields than the first one, and ends after");
}

/* One pass over all lines that have something: counting them, or reading them into the storage. */
static bool csv_pass(csv_table *table, bool reading) {
    uint64_t line = table->line;
    char *target = table->storage ? table->storage->pointer.data : NULL; /* NULL: reading only finds what is wrong */
    size_t step = (size_t)table->columns * tn_dtype_size(table->dtype);
    int64_t count;
    table->rows = 0;
    for (const char *p = table->from, *end, *content; p < table->end; p = end + 1, line++) {
        end = csv_line_end(table, p, &content);
        if (csv_skip(table, p, content) == content)
            continue;
        if (table->rows == 0 && !reading && !csv_line(table, p, content, line, -1, NULL, &table->columns))
            return false;
        if (reading &&
            !csv_line(table, p, content, line, table->columns, target ? target + (size_t)table->rows * step : NULL, &count))
            return false;
        table->rows++;
    }
    return true;
}

static bool csv_read(csv_table *table, tn_file *file, uint64_t skip) {
    uint64_t numel, bytes;
    for (; skip && table->from < table->end; skip--, table->line++) {
        const char *end = memchr(table->from, '\n', (size_t)(table->end - table->from));
        table->from = end ? end + 1 : table->end;
    }
    if (!csv_pass(table, false))
        return false;
    /* Each field takes a character at least, so a table of more fields has a line with fewer of them: no memory for that. */
    if (table->rows && table->columns > (table->end - table->from) / table->rows)
        return csv_pass(table, true) && csv_complain(table, table->from, table->line, 0, "fewer fields than there should be:");
    int64_t sizes[] = {table->rows, table->columns};
    if (!tni_file_measure(file, NULL, 0, sizes, 2, table->dtype, &numel, &bytes) ||
        !(table->storage = tni_storage_new((size_t)bytes, table->dtype, NULL)))
        return false;
    tni_file_block *block = tni_file_add_block(file, 0, bytes, table->dtype);
    if (!block) {
        tni_storage_release(table->storage);
        return false;
    }
    atomic_store_explicit(&block->storage, table->storage, memory_order_release);
    if (!csv_pass(table, true))
        return false;
    tni_storage_set_readonly(table->storage, !file->writable);
    tni_file_entry *entry = tni_file_add_entry(file, "0", table->dtype, sizes, 2);
    if (entry)
        entry->encoding = "text";
    return entry != NULL;
}

bool tni_read_csv(tn_file *file, const tn_file_options *options) {
    tni_piece piece;
    tn_dtype dtype = options->dtype ? options->dtype : TN_FLOAT64;
    if (tn_dtype_is_complex(dtype)) {
        tni_raise(TN_ERROR_DTYPE, "text is not read as %s", tn_dtype_name(dtype));
        return false;
    }
    if (!tni_source_view(file, 0, file->source.size, &piece))
        return false;
    char separator = options->separator ? options->separator : file->format[0] == 't' ? '\t' : ',';
    csv_table table = {.file = file,
                       .text = (const char *)piece.bytes,
                       .from = (const char *)piece.bytes,
                       .end = (const char *)piece.bytes + piece.size,
                       .separator = separator,
                       .comment = options->comment,
                       .dtype = dtype,
                       .line = 1};
    if (piece.size >= 3 && memcmp(piece.bytes, "\xef\xbb\xbf", 3) == 0) /* the mark that Windows programs begin UTF-8 with */
        table.from += 3;
    file->caches = true;
    bool good = csv_read(&table, file, options->offset);
    tni_piece_end(&piece);
    return good;
}

/* ---- writing */

/* Digits enough to read the number back, with a point whatever the locale. */
static int csv_print(tn_dtype dtype, const char *element, char text[48]) {
    tn_scalar value = tn_dtype_load(dtype, element);
    if (value.kind == TN_SCALAR_BOOL)
        return snprintf(text, 48, "%d", value.value.b);
    if (value.kind == TN_SCALAR_UINT)
        return snprintf(text, 48, "%" PRIu64, value.value.u);
    if (value.kind == TN_SCALAR_INT)
        return snprintf(text, 48, "%" PRId64, value.value.i);
    int length = snprintf(text, 48, "%.*g", dtype == TN_FLOAT64 ? 17 : 9, value.value.d);
    const char *mark = localeconv()->decimal_point;
    char *found = strcmp(mark, ".") != 0 ? strstr(text, mark) : NULL;
    if (found) {
        *found = '.';
        memmove(found + 1, found + strlen(mark), strlen(found + strlen(mark)) + 1);
        length -= (int)strlen(mark) - 1;
    }
    return length;
}

bool tni_write_csv(tn_writer *writer) {
    const tn_tensor *tensor = writer->items[0].tensor;
    if (tensor->ndim > 2)
        return tni_raise(TN_ERROR_SHAPE, "text has rows and columns, but the tensor has %d dimensions", tensor->ndim) == TN_OK;
    tn_tensor *plain = tni_written_elements(&writer->items[0]);
    if (!plain)
        return false;
    int64_t columns = tensor->ndim == 2 ? tensor->sizes[1] : 1, rows = columns ? tensor->numel / columns : 0;
    const char *at = plain->numel ? tni_tensor_read(plain) : NULL;
    const char *separator = writer->format->name[0] == 't' ? "\t" : ",";
    char text[48];
    for (int64_t i = 0; i < rows; i++)
        for (int64_t k = 0; k < columns; k++, at += tni_tensor_item_size(plain)) {
            tni_put(writer, text, (size_t)csv_print(plain->dtype, at, text));
            tni_put(writer, k + 1 < columns ? separator : "\n", 1);
        }
    tni_tensor_release(plain);
    return true;
}

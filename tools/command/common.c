/* common.c - see common.h. */
#include "common.h"

#include <langinfo.h>
#include <locale.h>
#include <math.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <unistd.h>

/* ---- options */

static int options_misused(const command_line *line, const char *what, const char *which) {
    complain(line->command, "%s%s%s", what, which ? " " : "", which ? which : "");
    fprintf(stderr, "\n%s", line->usage);
    return COMMAND_MISUSED;
}

static const option *options_find(const command_line *line, const char *text, const char **value) {
    size_t length = strcspn(text, "=");
    *value = text[length] ? text + length + 1 : NULL;
    for (int i = 0; i < line->count; i++)
        if (strlen(line->known[i].name) == length && memcmp(line->known[i].name, text, length) == 0)
            return &line->known[i];
    return NULL;
}

int options_read(command_line *line, int argc, char **argv) {
    bool ended = false;
    line->given_count = 0;
    for (int i = 1; i < argc; i++) {
        const char *text = argv[i], *value;
        if (ended || text[0] != '-' || text[1] == 0) {
            if (line->given_count == line->most)
                return options_misused(line, "too many arguments, from", text);
            line->given[line->given_count++] = text;
            continue;
        }
        if (strcmp(text, "--") == 0) {
            ended = true;
            continue;
        }
        if (strcmp(text, "--help") == 0 || strcmp(text, "-h") == 0) {
            fputs(line->usage, stdout);
            return COMMAND_OK;
        }
        const option *found = strncmp(text, "--", 2) == 0 ? options_find(line, text + 2, &value) : NULL;
        if (!found)
            return options_misused(line, "there is no option", text);
        if (found->flag) {
            if (value)
                return options_misused(line, "takes no value:", text);
            *found->flag = true;
            continue;
        }
        if (!value && !(value = i + 1 < argc ? argv[++i] : NULL))
            return options_misused(line, "a value is missing after", text);
        if (found->many) {
            if (found->many->count == OPTION_TEXTS)
                return options_misused(line, "too many of", text);
            found->many->texts[found->many->count++] = value;
        } else if (found->text)
            *found->text = value;
        else {
            char *end;
            *found->number = strtod(value, &end);
            if (end == value || *end || isnan(*found->number))
                return options_misused(line, "not a number:", value);
        }
    }
    if (line->given_count < line->least)
        return options_misused(line, "something is missing", NULL);
    return -1;
}

int number_within(double number, int least, int most, int otherwise) {
    return number == 0 ? otherwise : number < least ? least : number > most ? most : (int)number;
}

/* ---- files */

static const struct ending {
    const char *ending, *format;
} endings[] = {{".npy", "npy"},   {".npz", "npz"},        {".safetensors", "safetensors"},
               {".pt", "pt"},     {".pth", "pt"},         {".ckpt", "pt"},
               {".gguf", "gguf"}, {".csv", "csv"},        {".tsv", "tsv"},
               {".onnx", "onnx"}, {".pb", "tensorproto"}, {".txt", "txt"},
               {".bin", "raw"},   {".raw", "raw"}};

const char *format_of_path(const char *path) {
    const char *dot = strrchr(path, '.');
    for (size_t i = 0; dot && i < sizeof endings / sizeof *endings; i++)
        if (strcasecmp(dot, endings[i].ending) == 0)
            return endings[i].format;
    return NULL;
}

/* "2,3" to sizes; false for anything else. */
static bool read_shape(const char *text, int64_t sizes[TN_MAX_DIMS], int64_t *count) {
    for (*count = 0; *text;) {
        char *end;
        if (*count == TN_MAX_DIMS)
            return false;
        sizes[(*count)++] = strtoll(text, &end, 10);
        if (end == text || (*end && *end != ','))
            return false;
        text = *end ? end + 1 : end;
    }
    return true;
}

/* Whether the first line of a table is words: its first field is there, and is not a number. */
static bool table_has_heading(const char *path, char separator) {
    char line[1000] = "", *end;
    FILE *stream = fopen(path, "rb");
    if (!stream)
        return false;
    const char *at = fgets(line, sizeof line, stream);
    fclose(stream);
    if (!at)
        return false;
    if (strncmp(at, "\xef\xbb\xbf", 3) == 0) /* the mark of UTF-8 */
        at += 3;
    at += strspn(at, " \t");
    size_t length = strcspn(at, separator == '\t' ? "\t\r\n" : separator == ' ' ? " \t\r\n" : ",;\r\n");
    (void)strtod(at, &end);
    return length && *at != '#' && (size_t)(end - at) < length && end[strspn(end, " \t")] != at[length];
}

tn_file *source_try(const char *path, const source_options *given) {
    struct stat about;
    if (strcmp(path, "-") == 0)
        path = "/dev/stdin";

    tn_file_options open = TN_FILE_OPTIONS;
    int64_t sizes[TN_MAX_DIMS], count = 0;
    open.mode = given->copy ? TN_FILE_READ : TN_FILE_MAP;
    open.format = given->format;
    open.any_object = true; /* nothing is executed: objects are shown, or passed over */
    if (given->dtype && !(open.dtype = tn_dtype_from_name(given->dtype))) {
        complain(NULL, "there is no dtype \"%s\"", given->dtype);
        return NULL;
    }
    if (given->shape && !read_shape(given->shape, sizes, &count)) {
        complain(NULL, "a shape is numbers with commas between them, not \"%s\"", given->shape);
        return NULL;
    }
    open.sizes = (tn_dims){sizes, count};
    const char *by_name = format_of_path(path);
    bool text = by_name && strcmp(by_name, "txt") == 0,
         has_no_mark = by_name && (text || strstr("csv tsv raw onnx tensorproto", by_name));
    if (!open.format && has_no_mark) {
        open.format = text ? "csv" : by_name;
        open.separator = text ? ' ' : strcmp(by_name, "tsv") == 0 ? '\t' : 0;
    }
    if (stat(path, &about) == 0 && (S_ISFIFO(about.st_mode) || S_ISSOCK(about.st_mode)))
        open.mode = TN_FILE_STREAM;
    else if (open.format && (strcmp(open.format, "csv") == 0 || strcmp(open.format, "tsv") == 0) && S_ISREG(about.st_mode))
        open.offset = table_has_heading(path, strcmp(open.format, "tsv") == 0 ? '\t' : open.separator);
    return tn_file_open(path, &open);
}

tn_file *source_open(const char *path, const source_options *given) {
    tn_error_clear();
    tn_file *file = source_try(path, given);
    if (!file && tn_error_code() != TN_OK)
        command_failed();
    return file;
}

tn_file *source_open_named(const char *text, const source_options *given, const char **name) {
    struct stat about;
    char path[4096];
    *name = NULL;
    if (stat(text, &about) != 0)
        for (const char *colon = strchr(text, ':'); colon; colon = strchr(colon + 1, ':')) {
            snprintf(path, sizeof path, "%.*s", (int)(colon - text), text);
            if (stat(path, &about) == 0) {
                *name = colon + 1;
                return source_open(path, given);
            }
        }
    return source_open(text, given);
}

tn_tensor *source_take(const tn_file *file, const char *command, const char *name, const char *index) {
    int64_t count = tn_file_count(file);
    tn_tensor *tensor = NULL;
    if (name)
        tensor = tn_file_take(file, name);
    else if (count == 1)
        tensor = tn_file_take_at(file, 0);
    else if (count == 0) {
        complain(command, "the file has no tensors");
        return NULL;
    } else {
        fprintf(stderr, "tenon %s: the file has %lld tensors: say which, as FILE:NAME", command, (long long)count);
        for (int64_t i = 0; i < count && i < 5; i++) {
            tn_file_tensor about = TN_FILE_TENSOR;
            if (tn_file_describe(file, i, &about) == TN_OK) {
                fputs(i ? ", " : " (", stderr);
                say_name(stderr, about.name, 60);
            }
        }
        fputs(count > 5 ? ", ...)\n" : count ? ")\n" : "\n", stderr);
        return NULL;
    }
    if (tensor && index)
        tensor = tn_index_text(tensor, index);
    if (!tensor)
        command_failed();
    return tensor;
}

bool name_wanted(const text_list *patterns, const char *name) {
    for (int i = 0; i < patterns->count; i++)
        if (name_matches(patterns->texts[i], name))
            return true;
    return patterns->count == 0;
}

bool name_matches(const char *pattern, const char *name) {
    const char *star = NULL, *again = NULL;
    while (*name) {
        if (*pattern == '*') {
            star = pattern++;
            again = name;
        } else if (*pattern == *name) {
            pattern++;
            name++;
        } else if (star) {
            pattern = star + 1;
            name = ++again;
        } else
            return false;
    }
    while (*pattern == '*')
        pattern++;
    return *pattern == 0;
}

/* ---- texts */

int screen_width(void) {
    struct winsize size;
    const char *columns = getenv("COLUMNS");
    long width = 0;
    if (isatty(STDOUT_FILENO) && ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) == 0)
        width = size.ws_col;
    if (width <= 0 && columns)
        width = strtol(columns, NULL, 10);
    return width <= 0 ? 0 : width < 40 ? 40 : width > 400 ? 400 : (int)width;
}

bool screen_has_unicode(void) {
    static int known = -1;
    if (known < 0) {
        setlocale(LC_CTYPE, "");
        const char *codeset = nl_langinfo(CODESET);
        known = codeset && (strcasecmp(codeset, "UTF-8") == 0 || strcasecmp(codeset, "utf8") == 0);
        setlocale(LC_CTYPE, "C");
    }
    return known;
}

/* The bytes of the next character and its number; 0 where they are not UTF-8 (RFC 3629: no longer than needed, no surrogates). */
static int utf8_character(const char *text, uint32_t *number) {
    const unsigned char *at = (const unsigned char *)text;
    int length = at[0] < 0x80 ? 1 : at[0] < 0xc2 ? 0 : at[0] < 0xe0 ? 2 : at[0] < 0xf0 ? 3 : at[0] < 0xf5 ? 4 : 0;
    uint32_t code = length < 2 ? at[0] : at[0] & (0x7fu >> length);
    for (int i = 1; i < length; i++) {
        if ((at[i] & 0xc0) != 0x80)
            return 0;
        code = code << 6 | (at[i] & 0x3fu);
    }
    if ((length == 3 && (code < 0x800 || (code >= 0xd800 && code < 0xe000))) ||
        (length == 4 && (code < 0x10000 || code > 0x10ffff)))
        return 0;
    *number = code;
    return length;
}

/* Characters that steer a terminal, or turn the direction of what follows: C0, DEL, C1, marks of direction, ends of lines. */
static bool steers(uint32_t code) {
    return code < ' ' || (code >= 0x7f && code < 0xa0) || code == 0x61c || code == 0x200e || code == 0x200f ||
           (code >= 0x2028 && code <= 0x202e) || (code >= 0x2066 && code <= 0x2069) || code == 0xfeff;
}

int harmless_character(const char *text) {
    uint32_t code;
    int length = utf8_character(text, &code);
    return length && !steers(code) ? length : 0;
}

/* Columns of a character: 2 for those of East Asia and pictures, 0 for marks on the one before (Unicode's EastAsianWidth.txt, roughly). */
static int character_columns(uint32_t code) {
    static const struct {
        uint32_t first, last;
        int columns;
    } all[] = {{0x300, 0x36f, 0},     {0x1100, 0x115f, 2},   {0x200b, 0x200d, 0},   {0x20d0, 0x20ff, 0},
               {0x2e80, 0x303e, 2},   {0x3041, 0xa4cf, 2},   {0xac00, 0xd7a3, 2},   {0xf900, 0xfaff, 2},
               {0xfe00, 0xfe0f, 0},   {0xfe30, 0xfe6f, 2},   {0xff00, 0xff60, 2},   {0xffe0, 0xffe6, 2},
               {0x1f300, 0x1f64f, 2}, {0x1f680, 0x1f6ff, 2}, {0x1f900, 0x1faff, 2}, {0x20000, 0x3fffd, 2}};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++)
        if (code >= all[i].first && code <= all[i].last)
            return all[i].columns;
    return 1;
}

/* One step of a name: its bytes, and the columns that it takes, four for a byte that is written as \x1b. */
static int name_step(const char *name, int *columns) {
    uint32_t code;
    int length = harmless_character(name);
    *columns = length && utf8_character(name, &code) ? character_columns(code) : 4;
    return length ? length : 1;
}

int name_columns(const char *name) {
    int columns = 0, wide;
    while (*name) {
        name += name_step(name, &wide);
        columns += wide;
    }
    return columns;
}

int say_name(FILE *stream, const char *name, int width) {
    int columns = name_columns(name), at = 0, said = 0, wide;
    bool cut = width > 0 && columns > width;
    int head = cut ? (width - 3) / 2 : columns, tail = cut ? columns - (width - 3 - head) : columns;
    for (int length; *name; name += length, at += wide) {
        length = name_step(name, &wide);
        bool shown = at + wide <= head || at >= tail;
        if (shown && harmless_character(name))
            fwrite(name, 1, (size_t)length, stream);
        else if (shown)
            fprintf(stream, "\\x%02x", (unsigned char)*name);
        else if (cut) { /* the first that is left out */
            fputs("...", stream);
            said += 3;
            cut = false;
        }
        said += shown ? wide : 0;
    }
    return said;
}

int complain(const char *command, const char *format, ...) {
    char text[3000];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    fflush(stdout);
    fprintf(stderr, command ? "tenon %s: " : "tenon: ", command);
    say_name(stderr, text, 0);
    fputs("\n", stderr);
    return COMMAND_FAILED;
}

void say_shape(char text[512], tn_dims sizes) {
    size_t used = (size_t)snprintf(text, 512, "(");
    for (int64_t i = 0; i < sizes.count && used < 480; i++)
        used += (size_t)snprintf(text + used, 512 - used, i ? ", %lld" : "%lld", (long long)sizes.values[i]);
    snprintf(text + used, 512 - used, sizes.count == 1 ? ",)" : ")");
}

const char *say_bytes(char text[TERMINAL_BYTES_SIZE], unsigned long long bytes) {
    return terminal_bytes(text, (long long)bytes);
}

const char *say_many_bytes(char text[TERMINAL_BYTES_SIZE], double bytes) {
    return terminal_bytes(text, bytes < 9e18 ? (long long)bytes : INT64_MAX);
}

void json_text(FILE *stream, const char *text) {
    fputc('"', stream);
    while (*text) {
        uint32_t code = 0xfffd; /* what is not UTF-8 */
        int length = utf8_character(text, &code);
        if (code == '"' || code == '\\')
            fprintf(stream, "\\%c", (char)code);
        else if (!length || steers(code))
            fprintf(stream, "\\u%04x", code);
        else
            fwrite(text, 1, (size_t)length, stream);
        text += length ? length : 1;
    }
    fputc('"', stream);
}

void json_number(FILE *stream, double number) {
    if (!isfinite(number))
        fputs("null", stream);
    else
        fprintf(stream, "%.17g", number);
}

void json_dims(FILE *stream, tn_dims dims) {
    fputc('[', stream);
    for (int64_t i = 0; i < dims.count; i++)
        fprintf(stream, i ? ", %lld" : "%lld", (long long)dims.values[i]);
    fputc(']', stream);
}

/* ---- elements */

enum { ELEMENTS_STEP = 1 << 16 };

bool elements_visit(const tn_tensor *tensor, elements_visitor visit, void *ctx) {
    tn_scope scope = tn_scope_open();
    bool good = true;
    tn_tensor *flat = tn_reshape(tensor, TN_DIMS(-1));
    for (int64_t at = 0, count = flat ? tn_numel(flat) : 0; good && at < count; at += ELEMENTS_STEP) {
        tn_scope inner = tn_scope_open();
        tn_tensor *part = tn_slice(flat, 0, at, at + ELEMENTS_STEP < count ? at + ELEMENTS_STEP : count, 1);
        if (part && tn_dtype_is_complex(tn_dtype_of(part)))
            part = tn_abs(part);
        part = tn_contiguous(tn_to(part, TN_FLOAT64), TN_CONTIGUOUS);
        good = part && visit(ctx, tn_data(part), tn_numel(part));
        tn_scope_close(inner);
    }
    good = good && flat;
    tn_scope_close(scope);
    return good;
}

typedef struct summing {
    summary *summary;
    double squares, scale;
    int64_t finite, *histogram;
    int bins;
} summing;

static bool sum_first(void *ctx, const double *values, int64_t count) {
    summing *sum = ctx;
    summary *all = sum->summary;
    for (int64_t i = 0; i < count; i++) {
        double value = values[i];
        all->nans += isnan(value);
        all->infinities += isinf(value);
        all->zeros += value == 0;
        if (!isfinite(value))
            continue;
        if (!sum->finite || value < all->least)
            all->least = value;
        if (!sum->finite || value > all->largest)
            all->largest = value;
        sum->finite++;
        double delta = value - all->mean; /* Welford */
        all->mean += delta / (double)sum->finite;
        sum->squares += delta * (value - all->mean);
    }
    all->count += count;
    return true;
}

static bool sum_second(void *ctx, const double *values, int64_t count) {
    summing *sum = ctx;
    for (int64_t i = 0; i < count; i++)
        if (isfinite(values[i])) {
            int bin = (int)((values[i] / 2 - sum->summary->least / 2) * sum->scale); /* halves: the range may not be a double */
            sum->histogram[bin < 0 ? 0 : bin < sum->bins ? bin : sum->bins - 1]++;
        }
    return true;
}

bool summarise(const tn_tensor *tensor, summary *all, int64_t *histogram, int bins) {
    summing sum = {all, 0, 0, 0, histogram, bins};
    *all = (summary){0};
    if (!elements_visit(tensor, sum_first, &sum))
        return false;
    all->deviation = sum.finite > 1 ? sqrt(sum.squares / (double)(sum.finite - 1)) : sum.finite ? 0 : NAN;
    if (!sum.finite)
        all->least = all->largest = all->mean = NAN;
    if (!histogram)
        return true;
    memset(histogram, 0, (size_t)bins * sizeof *histogram);
    double half = all->largest / 2 - all->least / 2;
    sum.scale = half > 0 ? bins / half : 0;
    if (!isfinite(sum.scale))
        sum.scale = 0;
    return elements_visit(tensor, sum_second, &sum);
}

typedef struct json_state {
    FILE *stream;
    int64_t at;
} json_state;

static bool json_element(void *ctx, const double *values, int64_t count) {
    json_state *state = ctx;
    for (int64_t i = 0; i < count; i++) {
        fputs(state->at++ ? ", " : "", state->stream);
        json_number(state->stream, values[i]);
    }
    return true;
}

bool json_elements(FILE *stream, const tn_tensor *tensor) {
    json_state state = {stream, 0};
    bool done;
    fputs("[", stream);
    if (tn_dtype_is_integral(tn_dtype_of(tensor))) { /* exact beyond 2^53, too */
        bool large = tn_dtype_of(tensor) == TN_UINT64;
        tn_tensor *whole = tn_contiguous(tn_to(tensor, large ? TN_UINT64 : TN_INT64), TN_CONTIGUOUS);
        const int64_t *values = whole ? tn_data(whole) : NULL;
        for (int64_t i = 0; values && i < tn_numel(whole); i++) {
            fputs(i ? ", " : "", stream);
            fprintf(stream, large ? "%llu" : "%lld", (long long)values[i]);
        }
        done = whole != NULL;
    } else if (tn_dtype_is_complex(tn_dtype_of(tensor))) {
        tn_tensor *parts = tn_view_as_real(tensor);
        done = parts && elements_visit(parts, json_element, &state);
    } else
        done = elements_visit(tensor, json_element, &state);
    fputs("]", stream);
    return done;
}

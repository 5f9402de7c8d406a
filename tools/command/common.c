/* common.c - see common.h. */
#include "common.h"

#include <langinfo.h>
#include <locale.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <unistd.h>

/* ---- options */

static int options_misused(const command_line *line, const char *what, const char *which) {
    fprintf(stderr, "tenon %s: %s%s%s\n\n%s", line->command, what, which ? " " : "", which ? which : "", line->usage);
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
        if (found->text)
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

tn_file *source_open(const char *path, const source_options *given) {
    tn_file_options open = TN_FILE_OPTIONS;
    int64_t sizes[TN_MAX_DIMS], count = 0;
    open.mode = given->copy ? TN_FILE_READ : TN_FILE_MAP;
    open.format = given->format;
    open.any_object = true; /* nothing is executed: objects are shown, or passed over */
    if (given->dtype && !(open.dtype = tn_dtype_from_name(given->dtype))) {
        fprintf(stderr, "tenon: there is no dtype \"%s\"\n", given->dtype);
        return NULL;
    }
    if (given->shape && !read_shape(given->shape, sizes, &count)) {
        fprintf(stderr, "tenon: a shape is numbers with commas between them, not \"%s\"\n", given->shape);
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
    tn_file *file = tn_file_open(path, &open);
    if (!file)
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
    else {
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

/* The next character: its bytes; 0 where they are not UTF-8 or control the terminal. C1 controls are U+0080 to U+009F. */
static int whole_character(const char *text) {
    const unsigned char *at = (const unsigned char *)text;
    if (at[0] < 0x80)
        return at[0] >= ' ' && at[0] != 127;
    int length = at[0] >= 0xf0 && at[0] < 0xf5 ? 4 : at[0] >= 0xe0 ? 3 : at[0] >= 0xc2 ? 2 : 0;
    if (at[0] >= 0xf5 || (at[0] == 0xc2 && at[1] < 0xa0))
        return 0;
    for (int i = 1; i < length; i++)
        if ((at[i] & 0xc0) != 0x80)
            return 0;
    return length;
}

int name_columns(const char *name) {
    int columns = 0;
    while (*name) {
        int length = whole_character(name);
        columns += length ? 1 : 4;
        name += length ? length : 1;
    }
    return columns;
}

int say_name(FILE *stream, const char *name, int width) {
    int columns = name_columns(name), at = 0, said = 0;
    if (!width || columns <= width)
        width = columns;
    bool cut = columns > width;
    int head = cut ? (width - 3) / 2 : columns, tail = cut ? columns - (width - 3 - head) : columns;
    while (*name) {
        int length = whole_character(name), wide = length ? 1 : 4;
        bool shown = at + wide <= head || at >= tail;
        if (cut && at >= head && at < head + wide && !shown) {
            fputs("...", stream);
            said += 3;
            cut = false;
        }
        if (shown && length)
            fwrite(name, 1, (size_t)length, stream);
        else if (shown)
            fprintf(stream, "\\x%02x", (unsigned char)*name);
        said += shown ? wide : 0;
        at += wide;
        name += length ? length : 1;
    }
    return said;
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
        unsigned char byte = (unsigned char)*text;
        int length = whole_character(text);
        if (byte == '"' || byte == '\\')
            fprintf(stream, "\\%c", byte);
        else if (length)
            fwrite(text, 1, (size_t)length, stream);
        else if (byte < 128)
            fprintf(stream, "\\u%04x", byte);
        else if (byte == 0xc2) {
            fprintf(stream, "\\u%04x", (unsigned char)text[1]);
            length = 2;
        } else
            fputs("\\ufffd", stream);
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
    if (tn_dtype_is_integral(tn_dtype_of(tensor)) && tn_dtype_of(tensor) != TN_UINT64) { /* exact beyond 2^53, too */
        tn_tensor *whole = tn_contiguous(tn_to(tensor, TN_INT64), TN_CONTIGUOUS);
        const int64_t *values = whole ? tn_data(whole) : NULL;
        for (int64_t i = 0; values && i < tn_numel(whole); i++)
            fprintf(stream, i ? ", %lld" : "%lld", (long long)values[i]);
        done = whole != NULL;
    } else if (tn_dtype_is_complex(tn_dtype_of(tensor))) {
        tn_tensor *parts = tn_view_as_real(tensor);
        done = parts && elements_visit(parts, json_element, &state);
    } else
        done = elements_visit(tensor, json_element, &state);
    fputs("]", stream);
    return done;
}

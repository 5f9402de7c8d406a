/* write_text.c - a small transformer learns to write from the pages of this project, a character at a time, and then writes some.
 *
 *     build/examples/write_text [--steps N] [--svg FILE] [TEXT...]
 *
 * It sees CONTEXT characters and guesses the one after each of them. After the few hundred steps of the default, a second or two of work, it
 * knows how long words are and some of them; after --steps 4000 it writes sentences that look like ours from afar. It succeeds if it
 * guesses much better than the frequencies of characters alone allow.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <tenon/tenon.h>

#include "progress.h"

enum { CONTEXT = 32, BATCH = 16, WIDTH = 64, HEADS = 4, LAYERS = 2, MOST_TEXT = 1 << 20 };

/* ---- the text ------------------------------------------------------------------------------------------------------ */

/* Characters that occur get numbers from 0 on. */
typedef struct corpus {
    tn_tensor *numbers; /* (length) int64 */
    int64_t length, kinds;
    unsigned char characters[256];
    double entropy; /* of the frequencies of characters: the loss of one who knows nothing else */
} corpus;

static bool corpus_read(corpus *text, char *const *paths, int count) {
    static unsigned char bytes[MOST_TEXT];
    static int64_t numbers[MOST_TEXT];
    int64_t number_of[256], seen[256] = {0};
    *text = (corpus){0};
    for (int i = 0; i < count; i++) {
        FILE *file = fopen(paths[i], "r");
        if (!file) {
            perror(paths[i]);
            return false;
        }
        text->length += (int64_t)fread(bytes + text->length, 1, (size_t)(MOST_TEXT - text->length), file);
        fclose(file);
    }
    for (int64_t i = 0; i < text->length; i++)
        seen[bytes[i]]++;
    for (int c = 0; c < 256; c++)
        if (seen[c]) {
            double share = (double)seen[c] / (double)text->length;
            text->entropy -= share * log(share);
            text->characters[text->kinds] = (unsigned char)c;
            number_of[c] = text->kinds++;
        }
    for (int64_t i = 0; i < text->length; i++)
        numbers[i] = number_of[bytes[i]];
    text->numbers = tn_from_memory(numbers, TN_DIMS(text->length), TN_INT64, TN_BORROW);
    return text->numbers && text->length > 10 * CONTEXT;
}

/* ---- the network --------------------------------------------------------------------------------------------------- */

typedef struct layer {
    tn_tensor *qkv, *out, *widen, *narrow;
} layer;

typedef struct network {
    tn_parameters *parameters;
    tn_tensor *characters, *places; /* (kinds, WIDTH), (CONTEXT, WIDTH) */
    layer layers[LAYERS];
} network;

static bool network_make(network *net, int64_t kinds, tn_generator *generator) {
    double small = 1 / sqrt(WIDTH);
    tn_parameters *all = net->parameters = tn_parameters_new();
    net->characters = tn_parameters_draw(all, "characters", TN_DIMS(kinds, WIDTH), 0.1, generator);
    net->places = tn_parameters_draw(all, "places", TN_DIMS(CONTEXT, WIDTH), 0.1, generator);
    for (int i = 0; i < LAYERS; i++) {
        char name[4][16];
        for (int k = 0; k < 4; k++)
            snprintf(name[k], sizeof name[k], "%d.%s", i, (const char *const[]){"qkv", "out", "widen", "narrow"}[k]);
        net->layers[i].qkv = tn_parameters_draw(all, name[0], TN_DIMS(3 * WIDTH, WIDTH), small, generator);
        net->layers[i].out = tn_parameters_draw(all, name[1], TN_DIMS(WIDTH, WIDTH), small / 2, generator);
        net->layers[i].widen = tn_parameters_draw(all, name[2], TN_DIMS(4 * WIDTH, WIDTH), small, generator);
        net->layers[i].narrow = tn_parameters_draw(all, name[3], TN_DIMS(WIDTH, 4 * WIDTH), small / 4, generator);
    }
    return net->layers[LAYERS - 1].narrow != NULL;
}

static tn_tensor *normed(const tn_tensor *x) { return tn_rms_norm(x, TN_DIMS(WIDTH), NULL, TN_NO_SCALAR); }

/* Each place looks at those before it: (batch, time, WIDTH) to the same. */
static tn_tensor *attention(const layer *l, const tn_tensor *x) {
    int64_t batch = tn_size(x, 0), time = tn_size(x, 1);
    tn_tensor *qkv = tn_view(tn_linear(x, l->qkv, NULL), TN_DIMS(batch, time, 3, HEADS, WIDTH / HEADS));
    qkv = tn_permute(qkv, TN_DIMS(2, 0, 3, 1, 4)); /* (3, batch, HEADS, time, WIDTH / HEADS) */
    tn_tensor *seen = tn_scaled_dot_product_attention(tn_select(qkv, 0, 0), tn_select(qkv, 0, 1), tn_select(qkv, 0, 2), NULL, 0,
                                                      true, TN_NO_SCALAR, false, NULL);
    return tn_linear(tn_reshape(tn_transpose(seen, 1, 2), TN_DIMS(batch, time, WIDTH)), l->out, NULL);
}

/* Scores of the next character at each place: (batch, time) to (batch, time, kinds). */
static tn_tensor *network_scores(const network *net, const tn_tensor *numbers) {
    tn_tensor *places = tn_slice(net->places, 0, 0, tn_size(numbers, 1), 1);
    tn_tensor *x = tn_add(tn_index(net->characters, TN_PICK(numbers)), places);
    for (int i = 0; i < LAYERS; i++) {
        const layer *l = &net->layers[i];
        x = tn_add(x, attention(l, normed(x)));
        x = tn_add(x, tn_linear(tn_gelu(tn_linear(normed(x), l->widen, NULL)), l->narrow, NULL));
    }
    return tn_linear(normed(x), net->characters, NULL); /* the same table reads and writes */
}

/* ---- training and writing ------------------------------------------------------------------------------------------ */

static bool train(const network *net, const corpus *text, tn_generator *generator, progress *p) {
    tn_optimizer *adam = tn_optimizer_new("adamw", net->parameters);
    tn_one_cycle cycle = TN_ONE_CYCLE(0.005, p->steps + 1);
    cycle.pct_start = 0.1;
    tn_schedule *schedule = tn_schedule_one_cycle(adam, &cycle);
    tn_tensor *along = tn_arange(CONTEXT + 1, TN_INT64);
    for (int64_t i = 0; i < p->steps && schedule; i++) {
        tn_scope scope = tn_scope_open();
        tn_tensor *begin = tn_randint(text->length - CONTEXT, TN_DIMS(BATCH, 1), TN_INT64, generator);
        tn_tensor *piece = tn_take(text->numbers, tn_add(begin, along)); /* (BATCH, CONTEXT + 1) */
        tn_tensor *scores = network_scores(net, tn_slice(piece, 1, 0, CONTEXT, 1));
        tn_tensor *wanted = tn_slice(piece, 1, 1, CONTEXT + 1, 1);
        tn_tensor *loss = tn_cross_entropy_loss(tn_flatten(scores, 0, 1), tn_flatten(wanted, 0, 1), NULL, 1, -100, 0);
        if (tn_optimizer_minimize(adam, loss) == TN_OK && tn_schedule_step(schedule) == TN_OK)
            progress_step(p, tn_item_double(loss));
        tn_scope_close(scope);
    }
    return p->made == p->steps && tn_error_code() == TN_OK;
}

/* Draws one character after the other, each from the scores of those before it. */
static bool write_some(const network *net, const corpus *text, int64_t count, tn_generator *generator) {
    tn_grad_mode before = tn_grad_mode_set(TN_GRAD_OFF);
    tn_tensor *written = tn_zeros(TN_DIMS(1, count), TN_INT64);
    for (int64_t i = 1; i < count && tn_error_code() == TN_OK; i++) {
        tn_scope scope = tn_scope_open();
        tn_tensor *scores = network_scores(net, tn_slice(written, 1, i > CONTEXT ? i - CONTEXT : 0, i, 1));
        tn_tensor *chances = tn_softmax(tn_div_scalar(tn_index_text(scores, "0, -1"), 0.7), 0, TN_DTYPE_DEFAULT);
        tn_tensor *next = tn_multinomial(chances, 1, false, generator);
        if (tn_copy_(tn_slice(written, 1, i, i + 1, 1), next))
            putchar(text->characters[tn_item_int64(next)]);
        tn_scope_close(scope);
    }
    putchar('\n');
    (void)tn_grad_mode_set(before);
    return tn_error_code() == TN_OK;
}

static int run(int64_t steps, const char *svg, char *const *paths, int count) {
    static progress p;
    corpus text;
    network net;
    tn_generator *generator = tn_generator_new(TN_PHILOX, 2026);
    if (!corpus_read(&text, paths, count))
        return 1;
    printf("%lld characters of %lld kinds\n", (long long)text.length, (long long)text.kinds);
    progress_begin(&p, steps, BATCH * CONTEXT);
    if (!network_make(&net, text.kinds, generator) || !train(&net, &text, generator, &p)) {
        fprintf(stderr, "%s\n", tn_error_message());
        return 1;
    }
    progress_curve(&p);
    if (svg && !progress_svg(&p, svg, "a transformer that writes"))
        perror(svg);
    double loss = progress_mean(&p, 9, 10);
    printf("loss %.3f; %.3f for the frequencies of characters alone\n\n", loss, text.entropy);
    if (!write_some(&net, &text, 400, generator)) {
        fprintf(stderr, "%s\n", tn_error_message());
        return 1;
    }
    return loss < 0.8 * text.entropy ? 0 : 1;
}

int main(int argc, char **argv) {
    static char *const pages[] = {"docs/internals.md", "docs/views.md", "docs/embedding.md", "docs/random.md",
                                  "docs/contributing.md"};
    int64_t steps = 300;
    const char *svg = NULL;
    int i = 1;
    for (; i < argc && strncmp(argv[i], "--", 2) == 0; i += 2)
        if (strcmp(argv[i], "--steps") == 0 && i + 1 < argc && atoll(argv[i + 1]) > 0)
            steps = atoll(argv[i + 1]);
        else if (strcmp(argv[i], "--svg") == 0 && i + 1 < argc)
            svg = argv[i + 1];
        else {
            fprintf(stderr, "usage: %s [--steps N] [--svg FILE] [TEXT...]\n", argv[0]);
            return 2;
        }
    tn_scope scope = tn_scope_open();
    int status = i < argc ? run(steps, svg, argv + i, argc - i) : run(steps, svg, pages, sizeof pages / sizeof pages[0]);
    tn_scope_close(scope);
    return status;
}

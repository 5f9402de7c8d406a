/* plot.c - `tenon plot`: numbers as a line, a histogram or a heat map, in letters or as SVG. Everything that is drawn is first a short
 * row of numbers (columns of a line: least and largest; bins; cells), so a large tensor takes no more room than a small one.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "common.h"
#include "drawing.h"

static const char plot_usage[] =
    "usage: tenon plot [--kind line|histogram|heat] [--svg FILE] [--json] [--ascii] [--width N] [--height N] [--bins N] FILE[:NAME] [INDEX]\n"
    "\n"
    "Numbers of a tensor, drawn: one dimension as a line, two as a heat map, more as a histogram, unless --kind says otherwise.\n"
    "\n"
    "  --svg FILE   a picture instead; '-' is the standard output\n"
    "  --ascii      without Unicode\n"
    "  --json       what is drawn, as numbers: of each column of a line the least and the largest, or bins\n"
    "  --width, --height   letters; --bins: of a histogram\n"
    "  --format, --dtype, --shape   as those of info\n"
    "\n"
    "  tenon plot loss.csv ':, 1'\n"
    "  tenon plot --kind histogram --svg weights.svg model.safetensors:encoder.weight\n";

typedef struct plot_wanted {
    const char *kind, *svg;
    bool ascii, json;
    double width, height, bins;
} plot_wanted;

enum { PLOT_MOST = 400 };

/* ---- a line: of each column the least and the largest */

typedef struct plot_columns {
    int count;
    int64_t numel, at;
    double low[PLOT_MOST], high[PLOT_MOST]; /* NaN: none */
} plot_columns;

static bool plot_gather(void *ctx, const double *values, int64_t count) {
    plot_columns *columns = ctx;
    for (int64_t i = 0; i < count; i++, columns->at++) {
        int64_t column = columns->at * columns->count / columns->numel; /* in integers: 29 / 200.0 * 200 is less than 29 */
        if (!isfinite(values[i]))
            continue;
        columns->low[column] = fmin(columns->low[column], values[i]); /* a NaN gives way */
        columns->high[column] = fmax(columns->high[column], values[i]);
    }
    return true;
}

static bool plot_line(const tn_tensor *tensor, int most, plot_columns *columns) {
    columns->numel = tn_numel(tensor);
    columns->count = columns->numel < most ? (int)columns->numel : most;
    columns->at = 0;
    for (int i = 0; i < PLOT_MOST; i++)
        columns->low[i] = columns->high[i] = NAN;
    return elements_visit(tensor, plot_gather, columns);
}

/* Dots of Braille, two across and four down in each letter; or one dot a letter. */
static void line_letters(const plot_columns *columns, double least, double largest, int width, int height, bool ascii) {
    int across = ascii ? 1 : 2, down = ascii ? 1 : 4, dots_wide = width * across, dots_high = height * down;
    unsigned char *dots = calloc((size_t)dots_wide, (size_t)dots_high);
    int before = -1;
    if (!dots)
        return;
    for (int x = 0; x < dots_wide; x++) {
        int column = (int)((int64_t)x * columns->count / dots_wide);
        if (isnan(columns->low[column])) {
            before = -1;
            continue;
        }
        int bottom = (int)lround(drawing_share(columns->low[column], least, largest) * (dots_high - 1));
        int top = (int)lround(drawing_share(columns->high[column], least, largest) * (dots_high - 1)), now = (top + bottom) / 2;
        if (before >= 0 && bottom > before + 1) /* joined to the column before */
            bottom = before + 1;
        if (before >= 0 && top < before - 1)
            top = before - 1;
        for (int y = bottom; y <= top; y++)
            dots[y * dots_wide + x] = 1;
        before = now;
    }
    for (int row = 0; row < height; row++) {
        if (row == 0 || row == height - 1)
            printf("%10.4g |", row ? least : largest);
        else
            printf("%10s |", "");
        for (int letter = 0; letter < width; letter++) {
            static const unsigned char bits[4][2] = {{0x01, 0x08}, {0x02, 0x10}, {0x04, 0x20}, {0x40, 0x80}};
            unsigned code = 0;
            for (int y = 0; y < down; y++)
                for (int x = 0; x < across; x++)
                    if (dots[(dots_high - 1 - (row * down + y)) * dots_wide + letter * across + x])
                        code |= ascii ? 1u : bits[y][x];
            if (ascii || !code)
                fputc(code ? '*' : ' ', stdout);
            else
                printf("\xe2%c%c", 0xa0 + (code >> 6), 0x80 + (code & 63)); /* U+2800 and the bits */
        }
        printf("\n");
    }
    printf("%10s +", "");
    for (int i = 0; i < width; i++)
        fputc('-', stdout);
    char end[32];
    snprintf(end, sizeof end, "%lld", (long long)(columns->numel - 1));
    printf("\n%10s  0%*s\n", "", width - 1, end);
    free(dots);
}

static void line_svg(FILE *stream, const plot_columns *columns, double least, double largest, const char *title) {
    drawing_frame frame = drawing_begin(stream, 720, 360, title, 0, (double)(columns->numel - 1), least, largest);
    fprintf(
        stream,
        "<path fill=\"none\" stroke=\"#2b6cb0\" stroke-width=\"1.6\" stroke-linejoin=\"round\" stroke-linecap=\"round\" d=\"");
    bool pen = false;
    double before = 0;
    for (int i = 0; i < columns->count; i++) {
        double x = columns->numel > 1 && columns->count > 1 ? (double)i / (columns->count - 1) : 0.5;
        if (isnan(columns->low[i])) {
            pen = false;
            continue;
        }
        double low = drawing_share(columns->low[i], least, largest), high = drawing_share(columns->high[i], least, largest);
        bool up = !pen || fabs(low - before) <=
                              fabs(high - before); /* the nearer end of a column that stands for several comes first */
        double first = up ? low : high, last = up ? high : low;
        fprintf(stream, "%c%.1f %.1f", pen ? 'L' : 'M', frame.left + x * frame.width, frame.bottom - first * frame.height);
        if (high > low)
            fprintf(stream, "L%.1f %.1f", frame.left + x * frame.width, frame.bottom - last * frame.height);
        bool alone = !pen && (i + 1 == columns->count || isnan(columns->low[i + 1])); /* a point between gaps is a dot */
        if (alone)
            fprintf(stream, "h0.01");
        before = last;
        pen = true;
    }
    fprintf(stream, "\"/>\n");
    drawing_end(stream);
}

/* ---- a histogram */

static void histogram_letters(const int64_t *bins, int count, const summary *all, int width, bool ascii) {
    int64_t most = 1;
    for (int i = 0; i < count; i++)
        most = bins[i] > most ? bins[i] : most;
    for (int i = 0; i < count; i++) {
        double from = all->least + (all->largest - all->least) * i / count;
        int eighths = (int)llround((double)bins[i] / (double)most * width * 8);
        printf("%11.4g |", from);
        for (int k = 0; k < eighths / 8; k++)
            fputs(ascii ? "#" : "\u2588", stdout);
        if (!ascii && eighths % 8)
            printf("\xe2\x96%c", 0x90 - eighths % 8); /* U+258F, an eighth, to U+2589, seven of them */
        else if (ascii && bins[i] && eighths < 8)
            fputs(".", stdout);
        printf(" %lld\n", (long long)bins[i]);
    }
    printf("%11.4g   (%lld elements", all->largest, (long long)all->count);
    if (all->nans + all->infinities)
        printf(", %lld NaN, %lld infinite", (long long)all->nans, (long long)all->infinities);
    printf(")\n");
}

static void histogram_svg(FILE *stream, const int64_t *bins, int count, const summary *all, const char *title) {
    int64_t most = 1;
    for (int i = 0; i < count; i++)
        most = bins[i] > most ? bins[i] : most;
    drawing_frame frame = drawing_begin(stream, 720, 360, title, all->least, all->largest, 0, (double)most);
    for (int i = 0; i < count; i++) {
        double height = (double)bins[i] / (double)most * frame.height, wide = frame.width / count;
        fprintf(stream, "<rect x=\"%.2f\" y=\"%.2f\" width=\"%.2f\" height=\"%.2f\" fill=\"#69a2d8\"/>\n",
                frame.left + i * wide, frame.bottom - height, wide > 3 ? wide - 1 : wide, height);
    }
    drawing_end(stream);
}

/* ---- the command */

static int plot_svg(const plot_wanted *wanted, const tn_tensor *tensor, const char *kind, const char *title, const summary *all,
                    const int64_t *bins, int bin_count, const plot_columns *columns) {
    drawing_pixels pixels = {0, 0, NULL};
    bool heat = strcmp(kind, "heat") == 0, good = true;
    if (heat && !drawing_take(tensor, 512, 512, all->least, all->largest, DRAWING_TABLE, &pixels))
        return COMMAND_FAILED; /* said */
    FILE *stream = drawing_open(wanted->svg);
    if (!stream) {
        free(pixels.bytes);
        return COMMAND_FAILED;
    }
    if (strcmp(kind, "line") == 0)
        line_svg(stream, columns, all->least, all->largest, title);
    else if (strcmp(kind, "histogram") == 0)
        histogram_svg(stream, bins, bin_count, all, title);
    else
        good = drawing_pixels_svg(stream, &pixels, title, all->least, all->largest,
                                  &(drawing_rows){tn_size(tensor, 1), tn_size(tensor, 0)});
    free(pixels.bytes);
    int status = drawing_close(stream, wanted->svg);
    return good ? status : complain("plot", "no memory");
}

static int plot_json(const char *kind, const summary *all, const int64_t *bins, int bin_count, const plot_columns *columns) {
    printf("{\"kind\": \"%s\", \"min\": ", kind);
    json_number(stdout, all->least);
    printf(", \"max\": ");
    json_number(stdout, all->largest);
    if (strcmp(kind, "line") == 0) {
        for (int high = 0; high < 2; high++) {
            printf(high ? "], \"high\": [" : ", \"low\": [");
            for (int i = 0; i < columns->count; i++) {
                printf(i ? ", " : "");
                json_number(stdout, high ? columns->high[i] : columns->low[i]);
            }
        }
        printf("]");
    } else {
        printf(", \"bins\": ");
        json_dims(stdout, (tn_dims){bins, bin_count});
    }
    printf("}\n");
    return COMMAND_OK;
}

static int plot_tensor(const plot_wanted *wanted, const tn_tensor *tensor, const char *title) {
    static plot_columns columns;
    int64_t bins[HISTOGRAM_MOST];
    summary all;
    int64_t ndim = tn_ndim(tensor);
    const char *kind = wanted->kind ? wanted->kind : ndim <= 1 ? "line" : ndim == 2 ? "heat" : "histogram";
    if (strcmp(kind, "hist") == 0)
        kind = "histogram";
    if (strcmp(kind, "line") != 0 && strcmp(kind, "histogram") != 0 && strcmp(kind, "heat") != 0)
        return command_misused("plot", "--kind is line, histogram or heat");
    if (strcmp(kind, "heat") == 0 && ndim != 2)
        return command_misused("plot", "a heat map is of two dimensions: give an index that leaves two");
    int screen = screen_width() ? screen_width() : 80;
    int width = number_within(wanted->width, 8, PLOT_MOST / 2, screen - 14 < PLOT_MOST / 2 ? screen - 14 : PLOT_MOST / 2);
    int height = number_within(wanted->height, 2, 100, 12);
    int bin_count = number_within(wanted->bins, 1, HISTOGRAM_MOST, wanted->svg ? 60 : 16);
    if (!summarise(tensor, &all, bins, bin_count) || !plot_line(tensor, wanted->svg ? PLOT_MOST : 2 * width, &columns))
        return command_failed();
    if (isnan(all.least))
        return complain("plot", "there is no finite element to draw");
    if (all.least == all.largest && !wanted->json) {
        bins[0] = all.count - all.nans - all.infinities; /* one number: one bar */
        bin_count = 1;
    }
    if (wanted->json)
        return plot_json(kind, &all, bins, bin_count, &columns);
    if (wanted->svg)
        return plot_svg(wanted, tensor, kind, title, &all, bins, bin_count, &columns);
    bool ascii = wanted->ascii || !screen_has_unicode();
    if (strcmp(kind, "line") == 0)
        line_letters(&columns, all.least, all.largest, width, height, ascii);
    else if (strcmp(kind, "histogram") == 0)
        histogram_letters(bins, bin_count, &all, width - 12 > 8 ? width - 12 : 8, ascii);
    else {
        drawing_pixels pixels;
        if (!drawing_take(tensor, width, 2 * height, all.least, all.largest, DRAWING_TABLE, &pixels))
            return COMMAND_FAILED; /* said */
        drawing_pixels_letters(&pixels, ascii);
        printf("%.4g to %.4g\n", all.least, all.largest);
        free(pixels.bytes);
    }
    return COMMAND_OK;
}

int command_plot(int argc, char **argv) {
    const char *given[2] = {NULL, NULL}, *name;
    plot_wanted wanted = {0};
    source_options source = {NULL, NULL, NULL, false};
    const option known[] = {{.name = "kind", .text = &wanted.kind},     {.name = "svg", .text = &wanted.svg},
                            {.name = "ascii", .flag = &wanted.ascii},   {.name = "json", .flag = &wanted.json},
                            {.name = "width", .number = &wanted.width}, {.name = "height", .number = &wanted.height},
                            {.name = "bins", .number = &wanted.bins},   {.name = "format", .text = &source.format},
                            {.name = "dtype", .text = &source.dtype},   {.name = "shape", .text = &source.shape}};
    command_line all = {"plot", plot_usage, known, 10, 1, 2, given, 0};
    int status = options_read(&all, argc, argv);
    if (status >= 0)
        return status;
    tn_scope scope = tn_scope_open();
    tn_file *file = source_open_named(given[0], &source, &name);
    tn_tensor *tensor = file ? source_take(file, "plot", name, given[1]) : NULL;
    char title[600];
    snprintf(title, sizeof title, "%.300s%s%.200s%s", given[0], given[1] ? "[" : "", given[1] ? given[1] : "",
             given[1] ? "]" : "");
    status = tensor ? plot_tensor(&wanted, tensor, title) : COMMAND_FAILED;
    tn_scope_close(scope);
    return status;
}

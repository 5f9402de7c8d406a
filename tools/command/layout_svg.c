/* layout_svg.c - the steps of an expression as a picture.
 *
 * One band for each step: what was called, the numbers of the view, what it cost, and the storage as a row of cells. Beside the
 * cells is the tensor itself, where it is a small matrix or a few of them, in the same colours: what a view moves on the right
 * stays in place on the left. Everything is measured first, so nothing overlaps and the picture is only as large as it must be.
 * Fonts are the viewer's own; widths are estimated generously.
 */
#include <string.h>

#include "layout.h"

enum {
    SVG_MARGIN = 28,
    SVG_TITLE = 72,    /* where the first band begins                     */
    SVG_LEFT = 72,     /* where the bands begin, to the right of the rail */
    SVG_RAIL = 44,     /* the line that joins the steps                   */
    SVG_BAND_GAP = 34, /* between bands                                   */
    SVG_CELL = 38,     /* width of a cell                                 */
    SVG_CELL_HEIGHT = 36,
    SVG_ROW = 60,       /* a row of cells with the numbers under it        */
    SVG_PER_ROW = 24,   /* cells                                           */
    SVG_GRID_CELL = 28, /* of the tensor itself                            */
    SVG_GRID_ROW = 24,
    SVG_GRID_GAP = 44,  /* between cells and tensor                        */
    SVG_GRID_MAX = 8,   /* rows, and columns of all its matrices together: twice as many */
    SVG_BLOCK_GAP = 12, /* between the matrices of three dimensions        */
    SVG_HEAD = 26,      /* heights of the lines of text in a band          */
    SVG_LINE = 20,
    SVG_GAP_LINE = 26,
    SVG_MIN_TEXT = 500, /* sentences are broken at this width, or wider    */
    SVG_LEGEND = 46
};

/* Widths of a character, in hundredths of a pixel, generous. */
enum { SVG_MONO_17 = 1040, SVG_MONO_18 = 1100, SVG_SANS_13 = 690, SVG_SANS_12 = 620 };

static const struct {
    const char *fill, *line;
} svg_palette[] = {
    {"#cfe3ff", "#6a9be0"}, {"#d3f0d5", "#69b276"}, {"#ffe7b0", "#d6a437"}, {"#fbd3dc", "#d67c93"},
    {"#e4d9fb", "#9a80d6"}, {"#c8eef0", "#55aeb3"}, {"#ffdcc6", "#d98c5c"}, {"#e5edb4", "#a3b04a"},
};
enum { SVG_COLOURS = sizeof svg_palette / sizeof svg_palette[0] };

#define SVG_LEGEND_CELLS                                                                                                       \
    "The row of cells is the storage: the small number is a cell's place in it, the large one its position in the tensor, "    \
    "read row by row. "
#define SVG_LEGEND_COLOURS "Colours follow the tensor's first dimension."
static const char svg_legend[] = SVG_LEGEND_CELLS SVG_LEGEND_COLOURS;
static const char svg_legend_with_tensor[] =
    SVG_LEGEND_CELLS "On the right is the tensor itself, each element by its place in the storage. " SVG_LEGEND_COLOURS;

typedef struct svg_band {
    layout_shown shown;
    int per_row[2];                /* cells, for each range shown                */
    int cells_width, cells_height; /* of all rows, with the gaps                 */
    int blocks, rows, columns;     /* of the tensor itself; 0: not drawn         */
    int lines, room;               /* of the sentence, and how long they may be */
    int height;
    char sentence[LAYOUT_MESSAGE_SIZE + 200];
} svg_band;

/* ---- text ---------------------------------------------------------------------------------------------------------- */

static void svg_write_escaped(FILE *stream, const char *text, int length) {
    for (int i = 0; i < length; i++) {
        unsigned char byte = (unsigned char)text[i];
        switch (byte) {
        case '&': fputs("&amp;", stream); break;
        case '<': fputs("&lt;", stream); break;
        case '>': fputs("&gt;", stream); break;
        case '"': fputs("&quot;", stream); break;
        default: fputc(byte < ' ' ? ' ' : byte > '~' ? '?' : byte, stream);
        }
    }
}

static int svg_width(int characters, int hundredths) { return characters * hundredths / 100 + 1; }

/* The next line of a sentence of at most `room` characters: its length. */
static int svg_line_length(const char *text, int room) {
    int length = (int)strlen(text);
    if (length <= room)
        return length;
    for (int i = room; i > 0; i--)
        if (text[i] == ' ')
            return i;
    return room;
}

static int svg_count_lines(const char *text, int room) {
    int lines = 0;
    for (; *text; lines++) {
        text += svg_line_length(text, room);
        text += strspn(text, " ");
    }
    return lines;
}

/* The narrowest room that needs no more lines: the lines then have about the same length. */
static int svg_balance(const char *text, int room) {
    int lines = svg_count_lines(text, room);
    while (room > 20 && svg_count_lines(text, room - 1) == lines)
        room--;
    return room;
}

static void svg_write_sentence(FILE *stream, const char *text, int room, int x, int y, const char *class) {
    while (*text) {
        int length = svg_line_length(text, room);
        fprintf(stream, "<text x=\"%d\" y=\"%d\" class=\"%s\">", x, y, class);
        svg_write_escaped(stream, text, length);
        fputs("</text>\n", stream);
        y += SVG_LINE;
        text += length;
        text += strspn(text, " ");
    }
}

/* ---- measuring ----------------------------------------------------------------------------------------------------- */

static void svg_measure_cells(svg_band *band, const layout_step *step) {
    layout_show(step, &band->shown);
    const layout_shown *shown = &band->shown;
    if (shown->ranges == 0) {
        band->cells_height = SVG_GAP_LINE;
        return;
    }
    band->cells_height = 0;
    for (int r = 0; r < shown->ranges; r++) {
        int cells = (int)(shown->range[r].to - shown->range[r].from);
        band->per_row[r] = layout_per_line(cells, SVG_PER_ROW);
        int width = band->per_row[r] * SVG_CELL;
        band->cells_width = width > band->cells_width ? width : band->cells_width;
        band->cells_height += (cells + band->per_row[r] - 1) / band->per_row[r] * SVG_ROW;
    }
    bool before = shown->range[0].from > 0, after = shown->range[shown->ranges - 1].to < step->cells;
    band->cells_height += SVG_GAP_LINE * (before + (shown->ranges == 2) + after);
}

static void svg_measure_tensor(svg_band *band, const layout_step *step) {
    tn_dims sizes = tn_sizes(step->tensor);
    if (sizes.count < 2 || sizes.count > 3 || tn_numel(step->tensor) == 0)
        return;
    int64_t columns = sizes.values[sizes.count - 1], rows = sizes.values[sizes.count - 2];
    int64_t blocks = sizes.count > 2 ? sizes.values[0] : 1;
    if (rows > SVG_GRID_MAX || columns > 2 * SVG_GRID_MAX || blocks * columns > 2 * SVG_GRID_MAX)
        return;
    band->blocks = (int)blocks;
    band->rows = (int)rows;
    band->columns = (int)columns;
}

static int svg_tensor_width(const svg_band *band) {
    return band->blocks ? band->blocks * (band->columns * SVG_GRID_CELL + SVG_BLOCK_GAP) - SVG_BLOCK_GAP : 0;
}

static void svg_say(svg_band *band, const layout_step *step) {
    char name[LAYOUT_STORAGE_NAME_SIZE];
    layout_storage_name(name, step->storage);
    if (step->how == LAYOUT_COPY)
        snprintf(band->sentence, sizeof band->sentence, "%lld bytes to the new storage %s: %s", (long long)step->copied_bytes,
                 name, step->reason);
    else if (step->how == LAYOUT_NEW)
        snprintf(band->sentence, sizeof band->sentence, "storage %s, %s", name, step->reason);
    else
        snprintf(band->sentence, sizeof band->sentence, "in storage %s: %s", name, step->reason);
}

/* ---- drawing ------------------------------------------------------------------------------------------------------- */

static int svg_digits(int64_t number) {
    char buffer[32];
    return snprintf(buffer, sizeof buffer, "%lld", (long long)number);
}

static void svg_write_number(FILE *stream, int64_t number, int x, int y, int size, int room, const char *class) {
    int digits = svg_digits(number);
    while (size > 7 && svg_width(digits, size * 61) > room)
        size--;
    fprintf(stream, "<text x=\"%d\" y=\"%d\" font-size=\"%d\" class=\"%s\">%lld</text>\n", x, y, size, class,
            (long long)number);
}

static void svg_write_cell(FILE *stream, const layout_cell *cell, int64_t number, int x, int y) {
    const char *fill = "#fafafa", *line = "#dcdfe4";
    if (cell->first >= 0) {
        fill = svg_palette[cell->group % SVG_COLOURS].fill;
        line = svg_palette[cell->group % SVG_COLOURS].line;
    }
    fprintf(stream, "<rect x=\"%d\" y=\"%d\" width=\"%d\" height=\"%d\" rx=\"5\" fill=\"%s\" stroke=\"%s\"%s/>\n", x + 2, y,
            SVG_CELL - 4, SVG_CELL_HEIGHT, fill, line, cell->first >= 0 ? "" : " stroke-dasharray=\"3 3\"");
    int middle = x + SVG_CELL / 2;
    if (cell->first >= 0)
        svg_write_number(stream, cell->first, middle, y + (cell->times > 1 ? 28 : 24), cell->times > 1 ? 14 : 16, SVG_CELL - 10,
                         "n");
    if (cell->times > 1)
        fprintf(stream, "<text x=\"%d\" y=\"%d\" class=\"x\">&#215;%lld</text>\n", x + SVG_CELL - 5, y + 11,
                (long long)cell->times);
    svg_write_number(stream, number, middle, y + SVG_CELL_HEIGHT + 13, 10, SVG_CELL - 2, "i");
}

static int svg_write_gap(FILE *stream, int64_t cells, int y) {
    if (cells <= 0)
        return y;
    fprintf(stream, "<text x=\"%d\" y=\"%d\" class=\"g\">&#8230; %lld more cell%s &#8230;</text>\n", SVG_LEFT + 4, y + 14,
            (long long)cells, cells == 1 ? "" : "s");
    return y + SVG_GAP_LINE;
}

static void svg_write_cells(FILE *stream, const svg_band *band, const layout_step *step, int y) {
    const layout_shown *shown = &band->shown;
    if (shown->ranges == 0) {
        fprintf(stream, "<text x=\"%d\" y=\"%d\" class=\"g\">the storage is empty</text>\n", SVG_LEFT + 4, y + 14);
        return;
    }
    int64_t passed = 0;
    for (int r = 0; r < shown->ranges; r++) {
        int64_t from = shown->range[r].from, to = shown->range[r].to;
        y = svg_write_gap(stream, from - passed, y);
        for (int64_t i = from; i < to; i++) {
            int place = (int)(i - from), row = place / band->per_row[r], column = place % band->per_row[r];
            svg_write_cell(stream, &shown->range[r].cell[place], i, SVG_LEFT + column * SVG_CELL - 2, y + row * SVG_ROW);
        }
        y += ((int)(to - from) + band->per_row[r] - 1) / band->per_row[r] * SVG_ROW;
        passed = to;
    }
    svg_write_gap(stream, step->cells - passed, y);
}

/* The tensor in its shape, matrices side by side, each element by its place in the storage. */
static void svg_write_tensor(FILE *stream, const svg_band *band, const layout_step *step, int left, int top) {
    if (!band->blocks)
        return;
    layout_walk walk;
    for (bool more = layout_walk_begin(&walk, step); more; more = layout_walk_next(&walk)) {
        int position = (int)walk.position, column = position % band->columns;
        int row = position / band->columns % band->rows, block = position / band->columns / band->rows;
        int x = left + block * (band->columns * SVG_GRID_CELL + SVG_BLOCK_GAP) + column * SVG_GRID_CELL;
        int y = top + row * SVG_GRID_ROW, colour = (int)(layout_group(step, walk.index) % SVG_COLOURS);
        fprintf(stream, "<rect x=\"%d\" y=\"%d\" width=\"%d\" height=\"%d\" rx=\"4\" fill=\"%s\" stroke=\"%s\"/>\n", x + 1,
                y + 1, SVG_GRID_CELL - 2, SVG_GRID_ROW - 2, svg_palette[colour].fill, svg_palette[colour].line);
        svg_write_number(stream, walk.cell, x + SVG_GRID_CELL / 2, y + 16, 12, SVG_GRID_CELL - 4, "n");
    }
}

/* The rail from the step before: a copy starts a new storage, and is an arrow. */
static void svg_write_rail(FILE *stream, const layout_step *step, int number, int before, int y) {
    bool copy = step->how != LAYOUT_ZERO_COPY;
    if (number > 1)
        fprintf(stream, "<path d=\"M%d %dV%d\" class=\"%s\"%s/>\n", SVG_RAIL, before + 15, y - 15 - (copy ? 5 : 0),
                copy ? "ra" : "r", copy ? " marker-end=\"url(#arrow)\"" : "");
    fprintf(stream, "<circle cx=\"%d\" cy=\"%d\" r=\"12\" class=\"%s\"/><text x=\"%d\" y=\"%d\" class=\"k\">%d</text>\n",
            SVG_RAIL, y, copy && number > 1 ? "da" : "d", SVG_RAIL, y + 4, number);
}

static void svg_write_heading(FILE *stream, const layout_steps *steps, const layout_step *step, int y) {
    static const struct {
        const char *text, *class;
        int width;
    } pills[] = {
        [LAYOUT_NEW] = {"new", "pn", 46}, [LAYOUT_ZERO_COPY] = {"zero-copy", "pz", 84}, [LAYOUT_COPY] = {"copy", "pc", 52}};
    fprintf(stream, "<text x=\"%d\" y=\"%d\" class=\"h\">", SVG_LEFT, y + 18);
    svg_write_escaped(stream, steps->expression->text + step->text.start, step->text.length);
    int x = SVG_LEFT + svg_width(step->text.length, SVG_MONO_17) + 12;
    fprintf(stream, "</text>\n<rect x=\"%d\" y=\"%d\" width=\"%d\" height=\"20\" rx=\"10\" class=\"%s\"/>", x, y + 3,
            pills[step->how].width, pills[step->how].class);
    fprintf(stream, "<text x=\"%d\" y=\"%d\" class=\"p\">%s</text>\n", x + pills[step->how].width / 2, y + 17,
            pills[step->how].text);
}

static void svg_write_numbers(FILE *stream, const layout_step *step, int y) {
    char sizes[LAYOUT_DIMS_SIZE], strides[LAYOUT_DIMS_SIZE];
    fprintf(stream,
            "<text x=\"%d\" y=\"%d\" class=\"c\">shape<tspan dx=\"5\" class=\"v\">%s</tspan><tspan dx=\"14\">strides</tspan>"
            "<tspan dx=\"5\" class=\"v\">%s</tspan><tspan dx=\"14\">offset</tspan><tspan dx=\"5\" class=\"v\">%lld</tspan>"
            "<tspan dx=\"14\" class=\"v\">%s</tspan><tspan dx=\"14\">%s</tspan></text>\n",
            SVG_LEFT, y + 14, layout_dims(sizes, tn_sizes(step->tensor)), layout_dims(strides, tn_strides(step->tensor)),
            (long long)tn_storage_offset(step->tensor), tn_dtype_name(tn_dtype_of(step->tensor)),
            tn_is_contiguous(step->tensor) ? "contiguous" : "not contiguous");
}

static int svg_numbers_width(const layout_step *step) {
    char sizes[LAYOUT_DIMS_SIZE], strides[LAYOUT_DIMS_SIZE];
    size_t characters = strlen("shape  strides  offset   not contiguous") + strlen(layout_dims(sizes, tn_sizes(step->tensor))) +
                        strlen(layout_dims(strides, tn_strides(step->tensor))) +
                        strlen(tn_dtype_name(tn_dtype_of(step->tensor))) + (size_t)svg_digits(tn_storage_offset(step->tensor));
    return svg_width((int)characters, SVG_SANS_13) + 4 * 14;
}

static void svg_write_style(FILE *stream, int width, int height) {
    fprintf(stream, "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%d\" height=\"%d\" viewBox=\"0 0 %d %d\">\n", width,
            height, width, height);
    fputs("<style>\n"
          "text{font-family:Helvetica,Arial,sans-serif;fill:#1f2733}\n"
          ".e,.h,.n,.v{font-family:Menlo,Consolas,'DejaVu Sans Mono',monospace}\n"
          ".e{font-size:18px;font-weight:bold}.h{font-size:17px;font-weight:bold}\n"
          ".c{font-size:13px;fill:#6b7482}.v{font-size:13px;fill:#1f2733}.s{font-size:13px;fill:#6b7482}\n"
          ".sc{font-size:13px;fill:#a4540f}.g,.l{font-size:12px;fill:#8a929e}\n"
          ".n{text-anchor:middle}.i{text-anchor:middle;fill:#98a0ab}.x{text-anchor:end;font-size:9px;fill:#4c5663}\n"
          ".p,.k{text-anchor:middle;font-size:12px;font-weight:bold;fill:#fff}\n"
          ".pn{fill:#5d7fb3}.pz{fill:#3f9a5a}.pc{fill:#d07a1f}.d{fill:#66707e}.da{fill:#d07a1f}\n"
          ".r{stroke:#c3c9d1;stroke-width:2;fill:none}.ra{stroke:#d07a1f;stroke-width:2;stroke-dasharray:5 4;fill:none}\n"
          "</style>\n"
          "<defs><marker id=\"arrow\" viewBox=\"0 0 10 10\" refX=\"6\" refY=\"5\" markerWidth=\"9\" markerHeight=\"9\" "
          "markerUnits=\"userSpaceOnUse\" orient=\"auto\"><path d=\"M0 0L10 5L0 10z\" fill=\"#d07a1f\"/></marker></defs>\n",
          stream);
    fprintf(stream, "<rect x=\"0.5\" y=\"0.5\" width=\"%d\" height=\"%d\" rx=\"10\" fill=\"#ffffff\" stroke=\"#e3e6ea\"/>\n",
            width - 1, height - 1);
}

/* ---- the picture --------------------------------------------------------------------------------------------------- */

typedef struct svg_page {
    int left; /* width of texts and cells            */
    int all;  /* the same with the tensors beside it */
    int height;
    const char *legend;
    int legend_room, legend_lines;
} svg_page;

static int svg_larger(int a, int b) { return a > b ? a : b; }

static int svg_text_height(const svg_band *band) { return SVG_HEAD + SVG_LINE + band->lines * SVG_LINE + 8; }

/* Bands are measured again when they are drawn instead of being kept: they are large, and a picture is drawn once. */
static void svg_measure_band(const layout_step *step, const svg_page *page, svg_band *band) {
    *band = (svg_band){0};
    svg_measure_cells(band, step);
    svg_measure_tensor(band, step);
    svg_say(band, step);
    band->room = svg_balance(band->sentence, (band->blocks ? page->left : page->all) * 100 / SVG_SANS_13);
    band->lines = svg_count_lines(band->sentence, band->room);
    band->height = svg_larger(svg_text_height(band) + band->cells_height, band->rows * SVG_GRID_ROW);
}

/* Widths first: how high a band is depends on how wide its sentence may be. */
static void svg_measure_page(const layout_steps *steps, svg_page *page) {
    svg_band band;
    int tensor = 0;
    *page = (svg_page){.left = SVG_MIN_TEXT, .all = SVG_MIN_TEXT};
    for (int i = 0; i < steps->count; i++) {
        const layout_step *step = &steps->step[i];
        svg_measure_band(step, page, &band);
        tensor = svg_larger(tensor, svg_tensor_width(&band));
        page->left = svg_larger(page->left, band.cells_width);
        page->left = svg_larger(page->left, svg_numbers_width(step));
        page->left = svg_larger(page->left, svg_width(step->text.length, SVG_MONO_17) + 100);
    }
    int title = svg_width((int)strlen(steps->expression->text), SVG_MONO_18);
    page->all = svg_larger(page->left + (tensor ? SVG_GRID_GAP + tensor : 0), title + SVG_MARGIN - SVG_LEFT);
    page->legend = tensor ? svg_legend_with_tensor : svg_legend;
    page->legend_room = svg_balance(page->legend, (page->all + SVG_LEFT - SVG_MARGIN) * 100 / SVG_SANS_12);
    page->legend_lines = svg_count_lines(page->legend, page->legend_room);
    page->height = SVG_TITLE + SVG_LEGEND + SVG_LINE * page->legend_lines - SVG_BAND_GAP;
    for (int i = 0; i < steps->count; i++) {
        svg_measure_band(&steps->step[i], page, &band);
        page->height += band.height + SVG_BAND_GAP;
    }
}

void layout_write_svg(FILE *stream, const layout_steps *steps) {
    svg_page page;
    svg_band band;
    svg_measure_page(steps, &page);
    svg_write_style(stream, SVG_LEFT + page.all + SVG_MARGIN, page.height);
    fprintf(stream, "<text x=\"%d\" y=\"%d\" class=\"e\">", SVG_MARGIN, SVG_MARGIN + 16);
    svg_write_escaped(stream, steps->expression->text, (int)strlen(steps->expression->text));
    fputs("</text>\n", stream);
    int y = SVG_TITLE, rail = 0;
    for (int i = 0; i < steps->count; i++) {
        const layout_step *step = &steps->step[i];
        svg_measure_band(step, &page, &band);
        svg_write_rail(stream, step, i + 1, rail, y + 13);
        svg_write_heading(stream, steps, step, y);
        svg_write_numbers(stream, step, y + SVG_HEAD);
        svg_write_sentence(stream, band.sentence, band.room, SVG_LEFT, y + SVG_HEAD + SVG_LINE + 14,
                           step->how == LAYOUT_COPY ? "sc" : "s");
        svg_write_cells(stream, &band, step, y + svg_text_height(&band));
        svg_write_tensor(stream, &band, step, SVG_LEFT + page.left + SVG_GRID_GAP, y + 2);
        rail = y + 13;
        y += band.height + SVG_BAND_GAP;
    }
    svg_write_sentence(stream, page.legend, page.legend_room, SVG_MARGIN,
                       page.height - SVG_MARGIN - SVG_LINE * (page.legend_lines - 1), "l");
    fputs("</svg>\n", stream);
}

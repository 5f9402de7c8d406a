/* layout_text.c - the steps of an expression drawn for a terminal, and mistakes marked.
 *
 * The storage is a row of cells, broken to the available width. A cell shows its number in the storage and, below it, its
 * position in the view, in brackets, or on the colour of its first index where there are colours. The characters are the same
 * in the same places either way.
 */
#include <string.h>

#include "layout.h"

enum { TEXT_MARGIN = 4, TEXT_LABEL = 8, TEXT_CELL_SIZE = 64 };

/* Backgrounds that black text can be read on. */
static const int text_colours[] = {153, 157, 223, 217, 183, 159, 216, 193};
enum { TEXT_COLOURS = sizeof text_colours / sizeof text_colours[0] };

/* ---- small texts --------------------------------------------------------------------------------------------------- */

const char *layout_dims(char buffer[LAYOUT_DIMS_SIZE], tn_dims dims) {
    enum { ROOM = LAYOUT_DIMS_SIZE - 8 };
    size_t used = (size_t)snprintf(buffer, LAYOUT_DIMS_SIZE, "[");
    for (int64_t i = 0; i < dims.count; i++) {
        char number[32];
        size_t length = (size_t)snprintf(number, sizeof number, "%s%lld", i ? ", " : "", (long long)dims.values[i]);
        if (used + length > ROOM) {
            used += (size_t)snprintf(buffer + used, LAYOUT_DIMS_SIZE - used, ", ...");
            break;
        }
        memcpy(buffer + used, number, length);
        used += length;
    }
    snprintf(buffer + used, LAYOUT_DIMS_SIZE - used, "]");
    return buffer;
}

const char *layout_storage_name(char buffer[LAYOUT_STORAGE_NAME_SIZE], int storage) {
    if (storage < 26)
        snprintf(buffer, LAYOUT_STORAGE_NAME_SIZE, "%c", 'A' + storage);
    else
        snprintf(buffer, LAYOUT_STORAGE_NAME_SIZE, "%c%c", 'A' + storage / 26 - 1, 'A' + storage % 26);
    return buffer;
}

int layout_column(const char *text, int at) {
    int column = 1;
    for (int i = 0; i < at && text[i]; i++)
        column += ((unsigned char)text[i + 1] & 0xc0) != 0x80;
    return column;
}

void layout_write_complaint(FILE *stream, const char *text, const layout_complaint *complaint) {
    fputs("    ", stream);
    for (const char *at = text; *at; at++)
        fputc((unsigned char)*at < ' ' || *at == 127 ? ' ' : *at, stream);
    fprintf(stream, "\n    %*s^ %s\n", layout_column(text, complaint->at) - 1, "", complaint->message);
}

/* ---- cells --------------------------------------------------------------------------------------------------------- */

/* The position in a cell: "7", or "7x3" with a times sign where three positions share it. Returns its width in columns. */
static int text_cell_label(char buffer[TEXT_CELL_SIZE], const layout_cell *cell) {
    if (cell->first < 0)
        return snprintf(buffer, TEXT_CELL_SIZE, ".");
    int width = snprintf(buffer, TEXT_CELL_SIZE, "%lld", (long long)cell->first);
    if (cell->times > 1)
        width += snprintf(buffer + width, TEXT_CELL_SIZE - (size_t)width, "\u00d7%lld", (long long)cell->times) - 1;
    return width;
}

static int text_cell_width(const layout_shown *shown) {
    int widest = 1;
    for (int r = 0; r < shown->ranges; r++)
        for (int64_t i = 0; i < shown->range[r].to - shown->range[r].from; i++) {
            char label[TEXT_CELL_SIZE];
            int width = text_cell_label(label, &shown->range[r].cell[i]);
            int number = snprintf(label, sizeof label, "%lld", (long long)(shown->range[r].from + i));
            width = width > number ? width : number;
            widest = width > widest ? width : widest;
        }
    return widest;
}

static void text_pad(FILE *stream, int count) { fprintf(stream, "%*s", count > 0 ? count : 0, ""); }

/* One line of positions: brackets where there is no colour. */
static void text_write_cell(FILE *stream, const layout_cell *cell, int width, bool last, layout_style style) {
    char label[TEXT_CELL_SIZE];
    int used = text_cell_label(label, cell), left = (width - used + 1) / 2, right = width - used - left;
    bool touched = cell->first >= 0;
    if (style.colour && touched)
        fprintf(stream, "\x1b[30;48;5;%dm", text_colours[cell->group % TEXT_COLOURS]);
    else if (style.colour)
        fputs("\x1b[2m", stream);
    text_pad(stream, left);
    fputs(touched && !style.colour ? "[" : " ", stream);
    fputs(label, stream);
    if (style.colour || touched || !last)
        fputs(touched && !style.colour ? "]" : " ", stream);
    if (style.colour || !last)
        text_pad(stream, right);
    fputs(style.colour ? "\x1b[0m" : "", stream);
    if (!last)
        fputc(' ', stream);
}

static void text_write_range(FILE *stream, const layout_shown *shown, int r, int width, layout_style style) {
    int64_t from = shown->range[r].from, to = shown->range[r].to;
    int per_line = layout_per_line(to - from, (style.width - TEXT_MARGIN - TEXT_LABEL) / (width + 3));
    const char *dim = style.colour ? "\x1b[2m" : "", *plain = style.colour ? "\x1b[0m" : "";
    for (int64_t line = from; line < to; line += per_line) {
        int64_t end = line + per_line < to ? line + per_line : to;
        fprintf(stream, "%*s%s%-*s", TEXT_MARGIN, "", dim, TEXT_LABEL, "cell");
        for (int64_t i = line; i < end; i++) {
            char number[32];
            int used = snprintf(number, sizeof number, "%lld", (long long)i), left = (width - used + 1) / 2;
            text_pad(stream, left + 1);
            fputs(number, stream);
            if (i + 1 < end)
                text_pad(stream, width - used - left + 2);
        }
        fprintf(stream, "%s\n%*s%s%-*s%s", plain, TEXT_MARGIN, "", dim, TEXT_LABEL, "order", plain);
        for (int64_t i = line; i < end; i++)
            text_write_cell(stream, &shown->range[r].cell[i - from], width, i + 1 == end, style);
        fputc('\n', stream);
    }
}

static void text_write_gap(FILE *stream, int64_t cells, const char *where) {
    if (cells > 0)
        fprintf(stream, "%*s... %lld more cell%s %s ...\n", TEXT_MARGIN, "", (long long)cells, cells == 1 ? "" : "s", where);
}

static void text_write_cells(FILE *stream, const layout_step *step, layout_style style) {
    layout_shown shown;
    layout_show(step, &shown);
    if (shown.ranges == 0) {
        fprintf(stream, "%*sthe storage is empty\n", TEXT_MARGIN, "");
        return;
    }
    int width = text_cell_width(&shown);
    text_write_gap(stream, shown.range[0].from, "before");
    text_write_range(stream, &shown, 0, width, style);
    if (shown.ranges == 2) {
        text_write_gap(stream, shown.range[1].from - shown.range[0].to, "between");
        text_write_range(stream, &shown, 1, width, style);
    }
    text_write_gap(stream, step->cells - shown.range[shown.ranges - 1].to, "after");
}

/* ---- steps --------------------------------------------------------------------------------------------------------- */

/* A sentence under a hanging indent, broken at spaces. */
static void text_write_wrapped(FILE *stream, const char *text, int column, int indent, int width) {
    while (*text) {
        int word = (int)strcspn(text, " ");
        if (column > indent && column + 1 + word > width) {
            fprintf(stream, "\n%*s", indent, "");
            column = indent;
        } else if (column > indent) {
            fputc(' ', stream);
            column++;
        }
        fwrite(text, 1, (size_t)word, stream);
        column += word;
        text += word;
        text += strspn(text, " ");
    }
    fputc('\n', stream);
}

static void text_write_how(FILE *stream, const layout_step *step, layout_style style) {
    char name[LAYOUT_STORAGE_NAME_SIZE], sentence[LAYOUT_MESSAGE_SIZE + 200];
    layout_storage_name(name, step->storage);
    const char *colour = "32", *what = "zero-copy";
    if (step->how == LAYOUT_COPY) {
        colour = "33";
        what = "copy";
    } else if (step->how == LAYOUT_NEW) {
        colour = "34";
        what = "new";
    }
    if (step->how == LAYOUT_COPY)
        snprintf(sentence, sizeof sentence, "to storage %s, %lld bytes: %s", name, (long long)step->copied_bytes, step->reason);
    else if (step->how == LAYOUT_NEW)
        snprintf(sentence, sizeof sentence, "storage %s, %s", name, step->reason);
    else
        snprintf(sentence, sizeof sentence, "in storage %s: %s", name, step->reason);
    text_pad(stream, TEXT_MARGIN);
    if (style.colour)
        fprintf(stream, "\x1b[1;%sm%s\x1b[0m", colour, what);
    else
        fputs(what, stream);
    text_write_wrapped(stream, sentence, TEXT_MARGIN + (int)strlen(what), TEXT_MARGIN + 2, style.width);
}

static void text_write_step(FILE *stream, const layout_steps *steps, int i, layout_style style) {
    const layout_step *step = &steps->step[i];
    const tn_tensor *tensor = step->tensor;
    char sizes[LAYOUT_DIMS_SIZE], strides[LAYOUT_DIMS_SIZE];
    const char *bold = style.colour ? "\x1b[1m" : "", *plain = style.colour ? "\x1b[0m" : "";
    fprintf(stream, "%s%2d  %.*s%s\n", bold, i + 1, step->text.length, steps->expression->text + step->text.start, plain);
    fprintf(stream, "%*sshape %s  strides %s  offset %lld  %s  %s\n", TEXT_MARGIN, "", layout_dims(sizes, tn_sizes(tensor)),
            layout_dims(strides, tn_strides(tensor)), (long long)tn_storage_offset(tensor), tn_dtype_name(tn_dtype_of(tensor)),
            tn_is_contiguous(tensor) ? "contiguous" : "not contiguous");
    text_write_how(stream, step, style);
    text_write_cells(stream, step, style);
    if (step->cells > LAYOUT_MAX_DRAWN || tn_numel(tensor) != step->touched)
        fprintf(stream, "%*s%lld element%s in %lld of %lld cells\n", TEXT_MARGIN, "", (long long)tn_numel(tensor),
                tn_numel(tensor) == 1 ? "" : "s", (long long)step->touched, (long long)step->cells);
    fputc('\n', stream);
}

void layout_write_text(FILE *stream, const layout_steps *steps, layout_style style) {
    int64_t copies = 0, bytes = 0;
    for (int i = 0; i < steps->count; i++) {
        text_write_step(stream, steps, i, style);
        copies += steps->step[i].how == LAYOUT_COPY ? steps->step[i].copies : 0;
        bytes += steps->step[i].how == LAYOUT_COPY ? steps->step[i].copied_bytes : 0;
    }
    if (!steps->complete)
        return;
    fprintf(stream, "%d step%s, ", steps->count, steps->count == 1 ? "" : "s");
    if (copies)
        fprintf(stream, "%lld cop%s of %lld bytes\n", (long long)copies, copies == 1 ? "y" : "ies", (long long)bytes);
    else
        fprintf(stream, "no copies\n");
}

/* layout_json.c - the steps of an expression for programs: every number that the drawings show, and nothing abridged. */
#include <string.h>

#include "layout.h"

/* A string with its quotes. Bytes that are not ASCII come from a mistyped expression and are written as U+FFFD unless they
 * continue a character: the output is always valid. */
static void json_write_string(FILE *stream, const char *text, int length) {
    fputc('"', stream);
    for (int i = 0; i < length; i++) {
        unsigned char byte = (unsigned char)text[i];
        if (byte == '"' || byte == '\\')
            fprintf(stream, "\\%c", byte);
        else if (byte < ' ' || byte == 127)
            fprintf(stream, "\\u%04x", byte);
        else if (byte < 128)
            fputc(byte, stream);
        else if ((byte & 0xc0) != 0x80)
            fputs("\\ufffd", stream);
    }
    fputc('"', stream);
}

static void json_write_name(FILE *stream, const char *name) { fprintf(stream, ",\n      \"%s\": ", name); }

static void json_write_integer(FILE *stream, const char *name, int64_t value) {
    json_write_name(stream, name);
    fprintf(stream, "%lld", (long long)value);
}

static void json_write_bool(FILE *stream, const char *name, bool value) {
    json_write_name(stream, name);
    fputs(value ? "true" : "false", stream);
}

static void json_write_text(FILE *stream, const char *name, const char *text) {
    json_write_name(stream, name);
    json_write_string(stream, text, (int)strlen(text));
}

static void json_write_dims(FILE *stream, const char *name, tn_dims dims) {
    json_write_name(stream, name);
    fputc('[', stream);
    for (int64_t i = 0; i < dims.count; i++)
        fprintf(stream, "%s%lld", i ? ", " : "", (long long)dims.values[i]);
    fputc(']', stream);
}

/* For every position of the view, in row-major order, its cell of the storage. */
static void json_write_cells(FILE *stream, const layout_step *step) {
    layout_walk walk;
    json_write_name(stream, "cells");
    fputc('[', stream);
    for (bool more = layout_walk_begin(&walk, step); more; more = layout_walk_next(&walk))
        fprintf(stream, "%s%lld", walk.position ? ", " : "", (long long)walk.cell);
    fputc(']', stream);
}

static void json_write_step(FILE *stream, const layout_expression *expression, const layout_step *step) {
    static const char *const how[] = {[LAYOUT_NEW] = "new", [LAYOUT_ZERO_COPY] = "zero-copy", [LAYOUT_COPY] = "copy"};
    const tn_tensor *tensor = step->tensor;
    char name[LAYOUT_STORAGE_NAME_SIZE];
    fputs("    {\n      \"text\": ", stream);
    json_write_string(stream, expression->text + step->text.start, step->text.length);
    json_write_integer(stream, "column", layout_column(expression->text, step->text.start));
    json_write_dims(stream, "shape", tn_sizes(tensor));
    json_write_dims(stream, "strides", tn_strides(tensor));
    json_write_integer(stream, "offset", tn_storage_offset(tensor));
    json_write_text(stream, "dtype", tn_dtype_name(tn_dtype_of(tensor)));
    json_write_integer(stream, "itemsize", (int64_t)tn_element_size(tensor));
    json_write_integer(stream, "numel", tn_numel(tensor));
    json_write_bool(stream, "contiguous", tn_is_contiguous(tensor));
    json_write_bool(stream, "overlaps_itself", tn_numel(tensor) != step->touched);
    json_write_text(stream, "how", how[step->how]);
    json_write_text(stream, "reason", step->reason);
    json_write_integer(stream, "copies", step->copies);
    json_write_integer(stream, "copied_bytes", step->copied_bytes);
    json_write_text(stream, "storage", layout_storage_name(name, step->storage));
    json_write_integer(stream, "storage_bytes", (int64_t)tn_storage_nbytes(tn_storage_of(tensor)));
    json_write_integer(stream, "storage_cells", step->cells);
    json_write_integer(stream, "touched_cells", step->touched);
    json_write_cells(stream, step);
    fputs("\n    }", stream);
}

void layout_write_json(FILE *stream, const layout_expression *expression, const layout_steps *steps,
                       const layout_complaint *complaint) {
    fputs("{\n  \"expression\": ", stream);
    json_write_string(stream, expression->text, (int)strlen(expression->text));
    fputs(",\n  \"steps\": [", stream);
    for (int i = 0; i < steps->count; i++) {
        fputs(i ? ",\n" : "\n", stream);
        json_write_step(stream, expression, &steps->step[i]);
    }
    fputs(steps->count ? "\n  ],\n  \"error\": " : "],\n  \"error\": ", stream);
    if (complaint) {
        fprintf(stream, "{\"column\": %d, \"message\": ", layout_column(expression->text, complaint->at));
        json_write_string(stream, complaint->message, (int)strlen(complaint->message));
        fputs("}", stream);
    } else {
        fputs("null", stream);
    }
    fputs("\n}\n", stream);
}

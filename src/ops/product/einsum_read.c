/* einsum_read.c - an equation such as "b...ij,jk->b...ik", read for the tensors it is about.
 *
 * One pass over the text for the operands, one for the output; every mistake is an error that names the character, the operand and the
 * sizes. As in PyTorch, and not in NumPy, an ellipsis that the output leaves out is summed over, and sizes of 1 are broadcast also under a
 * letter.
 */
#include "ops/product/einsum.h"

#include <stdio.h>

#include "base/error.h"
#include "base/heap.h"

enum { READ_ELLIPSIS = 255 };

typedef struct einsum_reader {
    const char *text, *at;
    const tn_tensor *const *tensors;
    tni_einsum *einsum;
    int64_t used[TNI_EINSUM_LETTERS]; /* how often a letter is among the operands */
    int64_t from[TNI_EINSUM_LABELS];  /* the operand that a size is from; -1: none yet */
} einsum_reader;

static int read_label(char c) { return c >= 'A' && c <= 'Z' ? c - 'A' : c >= 'a' && c <= 'z' ? c - 'a' + 26 : -1; }

static char read_letter(int label) { return (char)(label < 26 ? 'A' + label : 'a' + label - 26); }

static ptrdiff_t read_place(const einsum_reader *reader, const char *at) { return at - reader->text + 1; }

/* A character in a message: as it is, or its number. */
static const char *read_show(char c) {
    char *shown = tni_show_buffer();
    tni_text text = {shown, 16, 0};
    unsigned char byte = (unsigned char)c;
    tni_text_append(&text, byte > 32 && byte < 127 ? "'%c'" : "byte %u", byte);
    return shown;
}

/* Raises "'equation': ..."; false. */
static bool read_complain(const einsum_reader *reader, tn_error code, const char *format, ...) TN_PRINTF(3, 4);
static bool read_complain(const einsum_reader *reader, tn_error code, const char *format, ...) {
    char message[TN_ERROR_MESSAGE_SIZE];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(message, sizeof message, format, arguments);
    va_end(arguments);
    tni_raise(code, "'%.80s%s': %s", reader->text, strlen(reader->text) > 80 ? "..." : "", message);
    return false;
}

/* What both sides have: reads a letter or an ellipsis into *label and goes on. */
static bool read_one(einsum_reader *reader, int *label, const char *where) {
    char c = *reader->at;
    *label = read_label(c);
    if (*label >= 0) {
        reader->at++;
        return true;
    }
    if (c == '.') {
        if (reader->at[1] != '.' || reader->at[2] != '.')
            return read_complain(reader, TN_ERROR_ARGUMENT,
                                 "the point at character %td, in %s, is not part of an ellipsis '...'",
                                 read_place(reader, reader->at), where);
        *label = READ_ELLIPSIS;
        reader->at += 3;
        return true;
    }
    return read_complain(reader, TN_ERROR_ARGUMENT,
                         c == '-' ? "%s at character %td, in %s, is not a label: an arrow is '->'"
                                  : "%s at character %td, in %s, is not a label: labels are the letters a-z and A-Z",
                         read_show(c), read_place(reader, reader->at), where);
}

/* ---- the operands */

static bool read_at_arrow(const einsum_reader *reader) { return reader->at[0] == '-' && reader->at[1] == '>'; }

/* The labels of one operand, up to a comma, an arrow or the end. */
static bool read_operand(einsum_reader *reader, int64_t number) {
    const tn_tensor *tensor = reader->tensors[number];
    tni_einsum_labels *labels = &reader->einsum->operands[number];
    char where[40];
    int named[TN_MAX_DIMS], count = 0, ellipsis = -1;
    const char *start = reader->at;
    tni_text text = {where, sizeof where, 0};
    tni_text_append(&text, "operand %" PRId64, number);
    for (; *reader->at && *reader->at != ',' && !read_at_arrow(reader);) {
        int label;
        if (*reader->at == ' ') {
            reader->at++;
            continue;
        }
        const char *place = reader->at;
        if (!read_one(reader, &label, where))
            return false;
        if (label == READ_ELLIPSIS) {
            if (ellipsis >= 0)
                return read_complain(reader, TN_ERROR_ARGUMENT, "%s has a second ellipsis at character %td", where,
                                     read_place(reader, place));
            ellipsis = count;
            continue;
        }
        if (count == tensor->ndim)
            return read_complain(
                reader, TN_ERROR_SHAPE, "label %c at character %td is one too many: %s is %s and has %d dimension%s", *place,
                read_place(reader, place), where, tni_show_tensor(tensor), tensor->ndim, tensor->ndim == 1 ? "" : "s");
        named[count++] = label;
        reader->used[label]++;
    }
    int covered = tensor->ndim - count;
    if (covered && ellipsis < 0)
        return read_complain(reader, TN_ERROR_SHAPE,
                             "%s is %s and has %d dimension%s, but only %d label%s from character %td on, and no ellipsis",
                             where, tni_show_tensor(tensor), tensor->ndim, tensor->ndim == 1 ? "" : "s", count,
                             count == 1 ? "" : "s", read_place(reader, start));
    labels->ndim = tensor->ndim;
    labels->wide = (tni_einsum_set){{0, 0}};
    for (int i = 0, d = 0; i <= count; i++) { /* of an ellipsis: how far from its last dimension, for now */
        for (int e = covered; i == ellipsis && e > 0; e--)
            labels->label[d++] = (uint8_t)(TNI_EINSUM_LETTERS + e - 1);
        if (i < count)
            labels->label[d++] = (uint8_t)named[i];
    }
    if (covered > reader->einsum->ellipsis)
        reader->einsum->ellipsis = covered;
    return true;
}

static bool read_operands(einsum_reader *reader) {
    tni_einsum *einsum = reader->einsum;
    for (int64_t number = 0;; number++) {
        if (number == einsum->count)
            return read_complain(reader, TN_ERROR_ARGUMENT,
                                 "operand %" PRId64 ", from character %td on, has no tensor: only %" PRId64 " %s given", number,
                                 read_place(reader, reader->at), einsum->count, einsum->count == 1 ? "is" : "are");
        if (!read_operand(reader, number))
            return false;
        if (*reader->at == ',') {
            reader->at++;
            continue;
        }
        if (number + 1 < einsum->count)
            return read_complain(reader, TN_ERROR_ARGUMENT,
                                 "%" PRId64 " tensors are given, but the operands end at character %td with operand %" PRId64,
                                 einsum->count, read_place(reader, reader->at) - 1, number);
        return true;
    }
}

/* ---- sizes */

/* The place of the `which`-th time, from 0, that a label is in an operand's part of the text. */
static ptrdiff_t read_find(const einsum_reader *reader, int64_t number, int label, int which) {
    const char *at = reader->text;
    for (; number > 0; at++)
        number -= *at == ',';
    for (;; at++)
        if (read_label(*at) == label && which-- == 0)
            return read_place(reader, at);
}

static bool read_size(einsum_reader *reader, int64_t number, int d) {
    tni_einsum *einsum = reader->einsum;
    const tn_tensor *tensor = reader->tensors[number];
    tni_einsum_labels *labels = &einsum->operands[number];
    int label = labels->label[d], before = 0;
    int64_t size = tensor->sizes[d];
    for (int e = 0; e < d; e++) {
        if (labels->label[e] != label)
            continue;
        before++;
        if (tensor->sizes[e] != size)
            return read_complain(reader, TN_ERROR_SHAPE,
                                 "label %c is repeated at character %td, but dimensions %d and %d of operand %" PRId64
                                 " %s have sizes %" PRId64 " and %" PRId64,
                                 read_letter(label), read_find(reader, number, label, before), e, d, number,
                                 tni_show_tensor(tensor), tensor->sizes[e], size);
    }
    if (reader->from[label] < 0 || einsum->size[label] == 1) {
        einsum->size[label] = size;
        reader->from[label] = number;
    } else if (size != einsum->size[label] && size != 1) {
        if (label < TNI_EINSUM_LETTERS)
            return read_complain(reader, TN_ERROR_SHAPE,
                                 "label %c at character %td has size %" PRId64 " in operand %" PRId64 " %s, but size %" PRId64
                                 " in operand %" PRId64 " %s",
                                 read_letter(label), read_find(reader, number, label, 0), size, number, tni_show_tensor(tensor),
                                 einsum->size[label], reader->from[label],
                                 tni_show_tensor(reader->tensors[reader->from[label]]));
        return read_complain(reader, TN_ERROR_SHAPE,
                             "the ellipsis covers size %" PRId64 " in dimension %d of operand %" PRId64 " %s, but size %" PRId64
                             " in operand %" PRId64 " %s",
                             size, d, number, tni_show_tensor(tensor), einsum->size[label], reader->from[label],
                             tni_show_tensor(reader->tensors[reader->from[label]]));
    }
    if (size != 1)
        tni_einsum_add(&labels->wide, label);
    return true;
}

static bool read_sizes(einsum_reader *reader) {
    for (int label = 0; label < TNI_EINSUM_LABELS; label++) {
        reader->from[label] = -1;
        reader->einsum->size[label] = 1;
    }
    for (int64_t number = 0; number < reader->einsum->count; number++)
        for (int d = 0; d < reader->einsum->operands[number].ndim; d++)
            if (!read_size(reader, number, d))
                return false;
    return true;
}

/* ---- the output */

static bool read_add_output(einsum_reader *reader, int label) {
    tni_einsum_labels *output = &reader->einsum->output;
    if (output->ndim == TN_MAX_DIMS)
        return read_complain(reader, TN_ERROR_SHAPE, "the result would have more than %d dimensions", TN_MAX_DIMS);
    output->label[output->ndim++] = (uint8_t)label;
    tni_einsum_add(&output->wide, label);
    return true;
}

static bool read_add_ellipsis(einsum_reader *reader) {
    for (int e = reader->einsum->ellipsis; e > 0; e--)
        if (!read_add_output(reader, TNI_EINSUM_LETTERS + e - 1))
            return false;
    return true;
}

static bool read_implicit_output(einsum_reader *reader) {
    if (!read_add_ellipsis(reader))
        return false;
    for (int label = 0; label < TNI_EINSUM_LETTERS; label++)
        if (reader->used[label] == 1 && !read_add_output(reader, label))
            return false;
    return true;
}

static bool read_explicit_output(einsum_reader *reader) {
    bool ellipsis = false;
    for (reader->at += 2; *reader->at;) {
        const char *place = reader->at;
        int label;
        if (*place == ' ') {
            reader->at++;
            continue;
        }
        if (!read_one(reader, &label, "the output"))
            return false;
        if (label == READ_ELLIPSIS) {
            if (ellipsis)
                return read_complain(reader, TN_ERROR_ARGUMENT, "the output has a second ellipsis at character %td",
                                     read_place(reader, place));
            ellipsis = true;
            if (!read_add_ellipsis(reader))
                return false;
            continue;
        }
        if (reader->used[label] == 0)
            return read_complain(reader, TN_ERROR_ARGUMENT, "output label %c at character %td appears in no operand", *place,
                                 read_place(reader, place));
        if (tni_einsum_has(reader->einsum->output.wide, label))
            return read_complain(reader, TN_ERROR_ARGUMENT, "output label %c at character %td is repeated", *place,
                                 read_place(reader, place));
        if (!read_add_output(reader, label))
            return false;
    }
    return true;
}

bool tni_einsum_begin(tni_einsum *einsum, const char *equation, const tn_tensor *const *tensors, int64_t count) {
    if (count < 1) {
        tni_raise(TN_ERROR_ARGUMENT, "there are no operands: an equation is about one tensor or more");
        return false;
    }
    einsum_reader reader = {.text = equation, .at = equation, .tensors = tensors, .einsum = einsum};
    einsum->equation = equation;
    einsum->count = count;
    einsum->ellipsis = 0;
    einsum->output.ndim = 0;
    einsum->output.wide = (tni_einsum_set){{0, 0}};
    einsum->operands = tni_heap_alloc((size_t)count * sizeof einsum->operands[0]);
    if (!einsum->operands)
        return false;
    if (read_operands(&reader) && read_sizes(&reader) &&
        (*reader.at ? read_explicit_output(&reader) : read_implicit_output(&reader)))
        return true;
    tni_einsum_end(einsum);
    return false;
}

void tni_einsum_end(tni_einsum *einsum) { tni_heap_free(einsum->operands, (size_t)einsum->count * sizeof einsum->operands[0]); }

void tni_einsum_show(const tni_einsum_labels *labels, tni_said *said) {
    for (int d = 0; d < labels->ndim; d++) {
        int label = labels->label[d];
        if (label < TNI_EINSUM_LETTERS)
            tni_say(said, "%c", read_letter(label));
        else
            tni_say(said, "[%d]", label - TNI_EINSUM_LETTERS);
    }
}

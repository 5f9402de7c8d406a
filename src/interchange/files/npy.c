/* npy.c - NumPy's arrays: the header, which is the text of a Python dictionary, read here by a reader of just that; and writing them.
 *
 * Dtypes that both have, in both byte orders; Fortran order becomes strides. What NumPy has beside those (text, dates, records, long
 * double, pickled objects) is refused by its name. bfloat16 and float8 are ml_dtypes' in NumPy, and are written as it writes them:
 * float8_e5m2 as f1, the others as raw bytes, V2 and V1. Such bytes do not say what they are, so they are read as uint16 and uint8.
 */
#include <stdio.h>

#include "interchange/files/json.h"
#include "interchange/files/writer.h"

/* ---- reading */

static void npy_space(tni_cursor *cursor) {
    while (cursor->at < cursor->size && cursor->bytes[cursor->at] && strchr(" \t\r\n", cursor->bytes[cursor->at]))
        cursor->at++;
}

static bool npy_is(tni_cursor *cursor, char wanted) {
    npy_space(cursor);
    if (cursor->at >= cursor->size || cursor->bytes[cursor->at] != (uint8_t)wanted)
        return false;
    cursor->at++;
    return true;
}

/* A text in either kind of quotes, without escapes. */
static bool npy_text(tni_cursor *cursor, char *text, size_t room) {
    char quote = npy_is(cursor, '\'') ? '\'' : npy_is(cursor, '"') ? '"' : 0;
    const uint8_t *from = cursor->bytes + cursor->at, *end = quote ? memchr(from, quote, cursor->size - cursor->at) : NULL;
    if (!end || (size_t)(end - from) >= room)
        return tni_cursor_complain(cursor, TN_ERROR_IO, "the header should have a short text here");
    memcpy(text, from, (size_t)(end - from));
    text[end - from] = 0;
    cursor->at += (size_t)(end - from) + 1;
    return true;
}

static bool npy_word(tni_cursor *cursor, const char *word) {
    size_t length = strlen(word);
    npy_space(cursor);
    if (cursor->size - cursor->at < length || memcmp(cursor->bytes + cursor->at, word, length) != 0)
        return false;
    cursor->at += length;
    return true;
}

typedef struct npy_about {
    tn_dtype dtype;
    bool swapped, fortran;
    int64_t sizes[TN_MAX_DIMS], ndim;
    unsigned seen;
} npy_about;

static bool npy_dtype(tni_cursor *cursor, const char *descr, npy_about *about) {
    static const struct npy_other {
        char kind;
        const char *name;
    } others[] = {{'U', "text"},  {'S', "bytes as text"},   {'a', "bytes as text"},
                  {'M', "dates"}, {'m', "lengths of time"}, {'O', "pickled objects"}};
    for (size_t i = 0; i < TNI_COUNT_OF(others); i++)
        if (descr[0] && (descr[1] == others[i].kind || descr[0] == others[i].kind))
            return tni_cursor_complain(cursor, TN_ERROR_UNSUPPORTED, "the elements are %s ('%s'), which are not read",
                                       others[i].name, descr);
    if (!descr[0])
        return tni_cursor_complain(cursor, TN_ERROR_IO, "descr is empty");
    about->swapped = descr[0] == '>';
    char spelling[16];
    snprintf(spelling, sizeof spelling, "%s%s", about->swapped ? "<" : "", descr + about->swapped);
    if (strcmp(descr + 1, "V1") == 0 || strcmp(descr + 1, "V2") == 0) /* see above */
        about->dtype = descr[2] == '1' ? TN_UINT8 : TN_UINT16;
    else if (strcmp(descr + 1, "f1") == 0)
        about->dtype = TN_FLOAT8_E5M2;
    else if (strchr("<>|=", descr[0]) && descr[0])
        about->dtype = tn_dtype_from_name(spelling);
    if (about->dtype)
        return true;
    return tni_cursor_complain(
        cursor, TN_ERROR_UNSUPPORTED, "there is no dtype for elements of type '%s'%s", descr,
        strstr(descr, "16") || strstr(descr, "32") || strstr(descr, "12") ? " (long double, or a part of it)" : "");
}

static bool npy_shape(tni_cursor *cursor, npy_about *about) {
    if (!npy_is(cursor, '('))
        return tni_cursor_complain(cursor, TN_ERROR_IO, "the shape should be a tuple");
    while (!npy_is(cursor, ')')) {
        uint64_t size;
        if (about->ndim == TN_MAX_DIMS)
            return tni_cursor_complain(cursor, TN_ERROR_UNSUPPORTED, "the shape has more than %d dimensions", TN_MAX_DIMS);
        npy_space(cursor);
        if (!tni_json_number(cursor, &size))
            return false;
        (void)npy_is(cursor, 'L'); /* of Python 2 */
        about->sizes[about->ndim++] = (int64_t)size;
        if (!npy_is(cursor, ',') && !npy_is(cursor, ')'))
            return tni_cursor_complain(cursor, TN_ERROR_IO, "the sizes should have commas between them");
        if (cursor->bytes[cursor->at - 1] == ')')
            return true;
    }
    return true;
}

static bool npy_member(tni_cursor *cursor, const char *key, npy_about *about) {
    static const char *const keys[] = {"descr", "fortran_order", "shape"};
    unsigned which = 0;
    char descr[16];
    while (which < 3 && strcmp(key, keys[which]) != 0)
        which++;
    if (which == 3 || about->seen & 1u << which)
        return tni_cursor_complain(cursor, TN_ERROR_IO, "the header has \"%s\"%s", key,
                                   which == 3 ? ", which does not belong there" : " twice");
    about->seen |= 1u << which;
    npy_space(cursor);
    if (which == 2)
        return npy_shape(cursor, about);
    if (which == 1) {
        about->fortran = npy_word(cursor, "True");
        return about->fortran || npy_word(cursor, "False") ||
               tni_cursor_complain(cursor, TN_ERROR_IO, "fortran_order should be True or False");
    }
    if (cursor->at < cursor->size && cursor->bytes[cursor->at] == '[')
        return tni_cursor_complain(cursor, TN_ERROR_UNSUPPORTED,
                                   "the elements are records of named fields, which are not read");
    return npy_text(cursor, descr, sizeof descr) && npy_dtype(cursor, descr, about);
}

static bool npy_dictionary(tni_cursor *cursor, npy_about *about) {
    char key[32];
    if (!npy_is(cursor, '{'))
        return tni_cursor_complain(cursor, TN_ERROR_IO, "the header should be a dictionary");
    while (!npy_is(cursor, '}')) {
        if (!npy_text(cursor, key, sizeof key))
            return false;
        if (!npy_is(cursor, ':'))
            return tni_cursor_complain(cursor, TN_ERROR_IO, "the header should have a ':' here");
        if (!npy_member(cursor, key, about))
            return false;
        if (!npy_is(cursor, ',')) {
            if (!npy_is(cursor, '}'))
                return tni_cursor_complain(cursor, TN_ERROR_IO, "the header should have a '}' here");
            break;
        }
    }
    npy_space(cursor);
    if (cursor->at < cursor->size)
        return tni_cursor_complain(cursor, TN_ERROR_IO, "there is something behind the header's '}'");
    return about->seen == 7 || tni_cursor_complain(cursor, TN_ERROR_IO, "descr, fortran_order and shape should all be given");
}

uint64_t tni_npy_header_size(tni_cursor *cursor) {
    const uint8_t *head = tni_cursor_take(cursor, 10, "the beginning of an array");
    if (!head)
        return 0;
    if (memcmp(head, "\x93NUMPY", 6) != 0 || head[6] < 1 || head[6] > 3) {
        cursor->at -= 10;
        return (uint64_t)tni_cursor_complain(cursor, TN_ERROR_IO, "an array of NumPy, version 1 to 3, should be here");
    }
    if (head[6] == 1)
        return 10 + tni_little(head + 8, 2);
    return tni_cursor_take(cursor, 2, "the length of a header") ? 12 + tni_little(head + 8, 4) : 0;
}

bool tni_npy_header(tn_file *file, tni_cursor *cursor, const char *name, tni_file_block **block) {
    npy_about about = {.ndim = 0};
    size_t begin = cursor->at, whole = cursor->size;
    uint64_t size = tni_npy_header_size(cursor), numel, bytes;
    if (!size || size > whole - begin)
        return size ? tni_cursor_complain(cursor, TN_ERROR_IO,
                                          "the header is said to have %" PRIu64 " bytes, more than there are", size)
                    : false;
    cursor->size = begin + (size_t)size;
    bool good = npy_dictionary(cursor, &about);
    cursor->size = whole;
    if (!good || !tni_file_measure(file, name, cursor->base + begin, about.sizes, about.ndim, about.dtype, &numel, &bytes) ||
        !(*block = tni_file_add_block(file, 0, bytes, about.dtype)))
        return false;
    (*block)->swapped = about.swapped && tn_dtype_size(tn_dtype_to_real(about.dtype)) > 1;
    tni_file_entry *entry = tni_file_add_entry(file, name, about.dtype, about.sizes, about.ndim);
    if (!entry)
        return false;
    if ((*block)->swapped)
        entry->encoding = "big-endian";
    if (about.fortran && about.ndim > 1) {
        if (!(entry->strides = tni_arena_dims(&file->arena, about.sizes, about.ndim)))
            return false;
        for (int64_t i = 0, stride = 1; i < about.ndim; i++) {
            entry->strides[i] = stride;
            stride *= numel ? about.sizes[i] : 1; /* cannot overflow where there are elements; where there are none it is 1 */
        }
    }
    return true;
}

/* Arrays that were written one after another are one file. */
bool tni_read_npy(tn_file *file, const tn_file_options *options) {
    (void)options;
    for (uint64_t at = 0; at < file->source.size || at == 0;) {
        uint64_t left = file->source.size - at;
        tni_piece piece;
        tni_file_block *block;
        char number[24];
        snprintf(number, sizeof number, "%zu", file->entry_count);
        const char *name = tni_arena_text(&file->arena, number, strlen(number));
        if (!name || !tni_source_view(file, at, left < 12 ? left : 12, &piece))
            return false;
        tni_cursor cursor = {.file = file, .name = name, .bytes = piece.bytes, .base = at, .size = piece.size};
        uint64_t size = tni_npy_header_size(&cursor);
        tni_piece_end(&piece);
        if (!size)
            return false;
        if (size > left)
            return tni_file_complain(file, TN_ERROR_IO, name, at,
                                     "the header has %" PRIu64 " bytes, but the file ends after %" PRIu64, size, left);
        if (!tni_source_view(file, at, size, &piece))
            return false;
        cursor = (tni_cursor){.file = file, .name = name, .bytes = piece.bytes, .base = at, .size = piece.size};
        bool good = tni_npy_header(file, &cursor, name, &block);
        tni_piece_end(&piece);
        if (!good)
            return false;
        if (block->bytes > left - size)
            return tni_file_complain(file, TN_ERROR_IO, name, at + size,
                                     "the array has %" PRIu64 " bytes, but the file ends after %" PRIu64, block->bytes,
                                     left - size);
        block->at = at + size;
        at = block->at + block->bytes;
    }
    return true;
}

/* ---- writing */

/* Column-major tensors are written as they are. */
static bool npy_is_fortran(const tn_tensor *tensor) {
    int64_t stride = 1;
    if (tensor->ndim < 2 || tni_tensor_is_contiguous(tensor))
        return false;
    for (int i = 0; i < tensor->ndim; stride *= tensor->sizes[i], i++)
        if (tensor->strides[i] != stride)
            return false;
    return true;
}

/* The header, whose end is at a multiple of 64 bytes; at most 10 + 128 + 21 * dimensions + 64 bytes. */
enum { NPY_HEADER = 10 + 128 + 21 * TN_MAX_DIMS + 64 };

static const char *npy_other_type(tn_dtype dtype) {
    return dtype == TN_BFLOAT16 ? "<V2" : dtype == TN_FLOAT8_E5M2 ? "<f1" : "<V1";
}

static size_t npy_header(const tn_tensor *tensor, char header[NPY_HEADER]) {
    const char *type = tn_dtype_spelling(tensor->dtype, TN_SPELLING_NUMPY);
    tni_text text = {header + 10, NPY_HEADER - 10, 0};
    tni_text_append(&text, "{'descr': '%s', 'fortran_order': %s, 'shape': (", type ? type : npy_other_type(tensor->dtype),
                    npy_is_fortran(tensor) ? "True" : "False");
    for (int i = 0; i < tensor->ndim; i++)
        tni_text_append(&text, i ? ", %" PRId64 : "%" PRId64, tensor->sizes[i]);
    tni_text_append(&text, tensor->ndim == 1 ? ",), }" : "), }");
    size_t size = 10 + text.length, whole = (size + 1 + 63) / 64 * 64;
    memset(header + size, ' ', whole - size);
    header[whole - 1] = '\n';
    memcpy(header, "\x93NUMPY\1", 7);
    header[7] = 0;
    header[8] = (char)((whole - 10) & 255);
    header[9] = (char)((whole - 10) >> 8);
    return whole;
}

/* The elements in the order that the header says. */
static tn_tensor *npy_elements(const tni_written *item) {
    return npy_is_fortran(item->tensor) ? tni_tensor_retain(item->tensor) : tni_written_elements(item);
}

bool tni_write_npy(tn_writer *writer) {
    const tn_tensor *tensor = writer->items[0].tensor;
    char header[NPY_HEADER];
    tn_tensor *plain = npy_elements(&writer->items[0]);
    if (!plain)
        return false;
    tni_put(writer, header, npy_header(tensor, header));
    if (plain->numel)
        tni_put(writer, tni_tensor_read(plain), (size_t)plain->numel * tni_tensor_item_size(plain));
    tni_tensor_release(plain);
    return true;
}

bool tni_write_npz(tn_writer *writer) {
    tni_zip_out zip = {.writer = writer};
    for (size_t i = 0; i < writer->item_count && !writer->failed; i++) {
        const tni_written *item = &writer->items[i];
        char header[NPY_HEADER];
        size_t length = strlen(item->name), size = npy_header(item->tensor, header);
        char *name = tni_arena_take(&writer->arena, length + 5);
        tn_tensor *plain = name ? npy_elements(item) : NULL;
        if (!plain)
            return false;
        memcpy(name, item->name, length);
        memcpy(name + length, ".npy", 4);
        tni_zip_put(&zip, name, header, size, plain->numel ? tni_tensor_read(plain) : NULL,
                    (size_t)plain->numel * tni_tensor_item_size(plain), true);
        tni_tensor_release(plain);
    }
    zip.stored = true;
    for (size_t i = 0; i < writer->record_count; i++)
        tni_zip_put(&zip, writer->records[i].name, NULL, 0, writer->records[i].record, writer->records[i].bytes, false);
    tni_zip_finish(&zip);
    return true;
}

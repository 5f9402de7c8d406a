/* gguf.c - GGUF: the header of ggml's models, with metadata of many types as texts, and tensors that are plain or quantised
 * (gguf_blocks.c unpacks those).
 *
 * Sizes in the file are from the fastest dimension to the slowest; here, as everywhere, the slowest comes first.
 */
#include <stdio.h>
#include <stdlib.h>

#include "interchange/files/json.h"

enum { GGUF_STRING = 8, GGUF_ARRAY = 9, GGUF_TYPES = 13 };
static const uint8_t gguf_widths[GGUF_TYPES] = {1, 1, 2, 2, 4, 4, 4, 1, 0, 0, 8, 8, 8};

/* A text that grows, on the heap. */
typedef struct gguf_text {
    void *bytes;
    size_t size, capacity;
    bool failed;
} gguf_text;

static void gguf_say(gguf_text *text, const void *bytes, size_t size) {
    if (text->failed || !tni_heap_grow(&text->bytes, &text->capacity, text->size + size + 1, 1)) {
        text->failed = true;
        return;
    }
    memcpy((char *)text->bytes + text->size, bytes, size);
    text->size += size;
}

static const uint8_t *gguf_string(tni_cursor *cursor, uint64_t *length) {
    *length = tni_cursor_number(cursor, 8, "the length of a text");
    const uint8_t *text = cursor->failed ? NULL : tni_cursor_take(cursor, *length, "a text");
    if (text && (memchr(text, 0, (size_t)*length) || !tni_is_utf8(text, (size_t)*length))) {
        tni_cursor_complain(cursor, TN_ERROR_IO, "the text before this is not UTF-8, or has a NUL in it");
        return NULL;
    }
    return text;
}

static void gguf_quote(gguf_text *text, const uint8_t *bytes, uint64_t length) {
    gguf_say(text, "\"", 1);
    for (uint64_t i = 0; i < length; i++) {
        char escaped[8];
        if (bytes[i] < ' ') {
            int size = snprintf(escaped, sizeof escaped, "\\u%04x", bytes[i]);
            gguf_say(text, escaped, (size_t)size);
        } else {
            if (bytes[i] == '"' || bytes[i] == '\\')
                gguf_say(text, "\\", 1);
            gguf_say(text, bytes + i, 1);
        }
    }
    gguf_say(text, "\"", 1);
}

/* A number as text; digits enough to read it back. */
static void gguf_number(gguf_text *text, uint32_t type, const uint8_t *bytes) {
    char digits[40];
    uint64_t value = tni_little(bytes, gguf_widths[type]);
    int length;
    if (type == 6) {
        float number;
        uint32_t bits = (uint32_t)value;
        memcpy(&number, &bits, 4);
        length = snprintf(digits, sizeof digits, "%.9g", (double)number);
    } else if (type == 12) {
        double number;
        memcpy(&number, &value, 8);
        length = snprintf(digits, sizeof digits, "%.17g", number);
    } else if (type == 7)
        length = snprintf(digits, sizeof digits, "%s", value ? "true" : "false");
    else if (type == 1 || type == 3 || type == 5 || type == 11) {
        int unused = 64 - 8 * gguf_widths[type];
        length = snprintf(digits, sizeof digits, "%" PRId64, (int64_t)(value << unused) >> unused);
    } else
        length = snprintf(digits, sizeof digits, "%" PRIu64, value);
    gguf_say(text, digits, (size_t)length);
}

static bool gguf_value(tni_cursor *cursor, uint32_t type, gguf_text *text, int depth) {
    uint64_t length;
    if (type >= GGUF_TYPES)
        return tni_cursor_complain(cursor, TN_ERROR_IO, "there is no type %u for metadata", type);
    if (type == GGUF_STRING) {
        const uint8_t *bytes = gguf_string(cursor, &length);
        if (bytes && depth)
            gguf_quote(text, bytes, length);
        else if (bytes)
            gguf_say(text, bytes, (size_t)length);
        return bytes != NULL;
    }
    if (type != GGUF_ARRAY) {
        const uint8_t *bytes = tni_cursor_take(cursor, gguf_widths[type], "a number");
        if (bytes)
            gguf_number(text, type, bytes);
        return bytes != NULL;
    }
    uint32_t inside = (uint32_t)tni_cursor_number(cursor, 4, "the type of an array");
    uint64_t count = tni_cursor_number(cursor, 8, "the length of an array");
    if (depth == 4)
        return tni_cursor_complain(cursor, TN_ERROR_UNSUPPORTED, "arrays inside arrays, more than 4 deep");
    gguf_say(text, "[", 1);
    for (uint64_t i = 0; i < count; i++) { /* each item takes a byte at least, so the end of the data ends the loop */
        if (i)
            gguf_say(text, ", ", 2);
        if (!gguf_value(cursor, inside, text, depth + 1))
            return false;
    }
    gguf_say(text, "]", 1);
    return !cursor->failed;
}

static bool gguf_metadata(tn_file *file, tni_cursor *cursor, uint64_t *alignment) {
    uint64_t length;
    const uint8_t *key = gguf_string(cursor, &length);
    char *name = key ? tni_arena_text(&file->arena, key, (size_t)length) : NULL, *value = NULL;
    if (name && tni_file_find_text(file, name) >= 0)
        return tni_cursor_complain(cursor, TN_ERROR_IO, "metadata \"%.80s\" is given twice", name);
    uint32_t type = name ? (uint32_t)tni_cursor_number(cursor, 4, "the type of metadata") : 0;
    gguf_text text = {NULL, 0, 0, false};
    bool good = name && !cursor->failed && gguf_value(cursor, type, &text, 0) && !text.failed;
    if (good)
        good = (value = tni_arena_text(&file->arena, text.bytes, text.size)) != NULL && tni_file_add_text(file, name, value);
    if (text.bytes)
        tni_heap_free(text.bytes, text.capacity);
    if (good && strcmp(name, "general.alignment") == 0) {
        *alignment = type == 4 ? tni_little(cursor->bytes + cursor->at - 4, 4) : 0;
        if (*alignment == 0 || (*alignment & (*alignment - 1)))
            return tni_cursor_complain(cursor, TN_ERROR_IO, "general.alignment should be a power of two");
    }
    return good;
}

/* Plain kinds by their numbers in ggml. */
static tn_dtype gguf_dtype(uint32_t kind) {
    static const uint8_t plain[] = {[0] = TN_FLOAT32, [1] = TN_FLOAT16, [24] = TN_INT8,    [25] = TN_INT16,
                                    [26] = TN_INT32,  [27] = TN_INT64,  [28] = TN_FLOAT64, [30] = TN_BFLOAT16};
    return kind < sizeof plain ? plain[kind] : TN_DTYPE_DEFAULT;
}

/* What ggml calls the kinds that are not read. */
static const char *gguf_unread(uint32_t kind) {
    static const struct gguf_other {
        uint8_t kind;
        char name[11];
    } others[] = {{9, " (Q8_1)"},    {16, " (IQ2_XXS)"}, {17, " (IQ2_XS)"}, {18, " (IQ3_XXS)"}, {19, " (IQ1_S)"},
                  {20, " (IQ4_NL)"}, {21, " (IQ3_S)"},   {22, " (IQ2_S)"},  {23, " (IQ4_XS)"},  {29, " (IQ1_M)"},
                  {34, " (TQ1_0)"},  {35, " (TQ2_0)"},   {39, " (MXFP4)"}};
    for (size_t i = 0; i < TNI_COUNT_OF(others); i++)
        if (others[i].kind == kind)
            return others[i].name;
    return "";
}

/* `unpacked`: what quantised blocks become. */
static bool gguf_tensor(tn_file *file, tni_cursor *cursor, tn_dtype unpacked) {
    uint64_t length, numel, bytes;
    const uint8_t *text = gguf_string(cursor, &length);
    char *name = text ? tni_arena_text(&file->arena, text, (size_t)length) : NULL;
    if (!name)
        return false;
    cursor->name = name;
    uint64_t ndim = tni_cursor_number(cursor, 4, "the number of dimensions");
    int64_t sizes[TN_MAX_DIMS];
    if (ndim > TN_MAX_DIMS)
        return tni_cursor_complain(cursor, TN_ERROR_IO, "%" PRIu64 " dimensions are more than there can be", ndim);
    for (uint64_t i = 0; i < ndim; i++)
        sizes[ndim - 1 - i] = (int64_t)tni_cursor_number(cursor, 8, "a size");
    uint32_t kind = (uint32_t)tni_cursor_number(cursor, 4, "the kind of a tensor");
    uint64_t at = tni_cursor_number(cursor, 8, "the place of a tensor");
    if (cursor->failed)
        return false;
    tn_dtype dtype = gguf_dtype(kind);
    size_t block_elements = 1, block_bytes = 1;
    const char *encoding = dtype ? "" : tni_gguf_kind((int)kind, &block_elements, &block_bytes);
    if (!encoding)
        return tni_cursor_complain(cursor, TN_ERROR_UNSUPPORTED, "elements of ggml's kind %u%s are not read", kind,
                                   gguf_unread(kind));
    if (!tni_file_measure(file, name, cursor->base + cursor->at, sizes, (int64_t)ndim, dtype ? dtype : unpacked, &numel,
                          &bytes))
        return false;
    if (!dtype && (ndim == 0 || (uint64_t)sizes[ndim - 1] % block_elements))
        return tni_cursor_complain(cursor, TN_ERROR_IO, "rows of %" PRId64 " elements are not whole blocks of %zu",
                                   ndim ? sizes[ndim - 1] : 0, block_elements);
    tni_file_block *block =
        tni_file_add_block(file, at, dtype ? bytes : numel / block_elements * block_bytes, dtype ? dtype : unpacked);
    if (!block)
        return false;
    block->unpacked = bytes;
    block->packing = dtype ? TNI_PLAIN : TNI_BLOCKS;
    block->detail = (uint8_t)kind;
    tni_file_entry *entry = tni_file_add_entry(file, name, dtype ? dtype : unpacked, sizes, (int64_t)ndim);
    if (entry)
        entry->encoding = encoding;
    cursor->name = NULL;
    return entry != NULL;
}

static int gguf_order(const void *a, const void *b) {
    const tni_file_block *x = *(tni_file_block *const *)a, *y = *(tni_file_block *const *)b;
    return x->at != y->at ? (x->at < y->at ? -1 : 1) : (x->bytes > y->bytes) - (x->bytes < y->bytes);
}

/* Tensors that lie over one another would let a small file stand for any number of bytes. They are mostly in order. */
static bool gguf_apart(const tn_file *file) {
    size_t count = file->block_count, bytes = (count + 1) * sizeof(tni_file_block *);
    const tni_file_block **order = tni_heap_alloc(bytes);
    if (!order)
        return false;
    bool sorted = true, good = true;
    for (size_t i = 0; i < count; i++) {
        order[i] = &file->blocks[i];
        sorted &= i == 0 || gguf_order(&order[i - 1], &order[i]) <= 0;
    }
    if (!sorted)
        qsort(order, count, sizeof *order, gguf_order);
    for (size_t i = 1; i < count && good; i++)
        if (order[i]->at < order[i - 1]->at + order[i - 1]->bytes)
            good = tni_file_complain(file, TN_ERROR_IO, file->entries[order[i] - file->blocks].name, order[i]->at,
                                     "the tensor overlaps the one before it, \"%.80s\"",
                                     file->entries[order[i - 1] - file->blocks].name);
    tni_heap_free(order, bytes);
    return good;
}

static bool gguf_header(tn_file *file, tni_cursor *cursor, const void *ctx) {
    const tn_dtype *unpacked = ctx;
    const uint8_t *magic = tni_cursor_take(cursor, 4, "the header");
    uint64_t version = tni_cursor_number(cursor, 4, "the version"),
             tensors = tni_cursor_number(cursor, 8, "the number of tensors");
    uint64_t texts = tni_cursor_number(cursor, 8, "the number of metadata"), alignment = 32;
    if (cursor->failed || !magic)
        return false;
    if (version != 2 && version != 3)
        return tni_file_complain(file, TN_ERROR_UNSUPPORTED, NULL, 4, "version %" PRIu64 " is not read%s", version,
                                 version & 0xff ? "" : ": the file is of a machine with the other byte order");
    for (uint64_t i = 0; i < texts; i++)
        if (!gguf_metadata(file, cursor, &alignment))
            return false;
    for (uint64_t i = 0; i < tensors; i++)
        if (!gguf_tensor(file, cursor, *unpacked))
            return false;
    uint64_t data = cursor->at, whole = file->source.size;
    data += (alignment - data % alignment) % alignment;
    for (size_t i = 0; i < file->block_count; i++) {
        tni_file_block *block = &file->blocks[i];
        if (data > whole || block->at > whole - data || block->bytes > whole - data - block->at || block->at % alignment)
            return tni_file_complain(
                file, TN_ERROR_IO, file->entries[i].name, cursor->at,
                "the tensor is said to be at byte %" PRIu64 " of the data, for %" PRIu64 " bytes, which is %s", block->at,
                block->bytes, block->at % alignment ? "not aligned" : "beyond the end of the file");
        block->at += data;
    }
    return gguf_apart(file);
}

bool tni_read_gguf(tn_file *file, const tn_file_options *options) {
    tn_dtype unpacked = options->dtype ? options->dtype : TN_FLOAT32;
    if (unpacked != TN_FLOAT32 && unpacked != TN_FLOAT16)
        return tni_raise(TN_ERROR_DTYPE, "options.dtype: quantised blocks become float32 or float16, not %s",
                         tn_dtype_name(unpacked)) == TN_OK;
    return tni_source_header(file, gguf_header, &unpacked);
}

/* writer_formats.c - the formats that are written, and those of them that are simple: safetensors and raw bytes. The others are
 * written by npy.c, zip.c, torch_write.c, gguf_write.c and csv.c.
 */
#include <stdio.h>
#include <stdlib.h>

#include "interchange/files/json.h"
#include "interchange/files/writer.h"

static bool formats_take_all(tn_dtype dtype) { return dtype != TN_DTYPE_DEFAULT; }
static bool formats_take_safetensors(tn_dtype dtype) { return tn_dtype_spelling(dtype, TN_SPELLING_SAFETENSORS) != NULL; }
static bool formats_take_gguf(tn_dtype dtype) {
    return dtype == TN_FLOAT32 || dtype == TN_FLOAT16 || dtype == TN_BFLOAT16 || dtype == TN_FLOAT64 ||
           (tn_dtype_is_signed(dtype) && tn_dtype_is_integral(dtype));
}
static bool formats_take_csv(tn_dtype dtype) { return !tn_dtype_is_complex(dtype); }

static const tni_format_writer formats_all[] = {
    {"npy", true, false, false, false, formats_take_all, tni_write_npy},
    {"npz", false, false, true, true, formats_take_all, tni_write_npz},
    {"safetensors", false, true, false, true, formats_take_safetensors, tni_write_safetensors},
    {"pt", false, false, true, false, formats_take_all, tni_write_torch},
    {"gguf", false, true, false, true, formats_take_gguf, tni_write_gguf},
    {"csv", true, false, false, false, formats_take_csv, tni_write_csv},
    {"tsv", true, false, false, false, formats_take_csv, tni_write_csv},
    {"raw", true, false, false, false, formats_take_all, tni_write_raw},
};
const tni_format_writer *const tni_format_writers = formats_all;
const int tni_format_writer_count = TNI_COUNT_OF(formats_all);

bool tni_write_raw(tn_writer *writer) {
    tni_put_elements(writer, &writer->items[0]);
    return true;
}

/* ---- safetensors */

/* The order in which the safetensors library writes: by dtype, from the last of its list to the first, so that large elements are
 * aligned; then by name. */
static int formats_rank(tn_dtype dtype) {
    static const uint8_t order[] = {TN_BOOL,      TN_UINT8,   TN_INT8,     TN_FLOAT8_E5M2, TN_FLOAT8_E4M3FN, TN_INT16,
                                    TN_UINT16,    TN_FLOAT16, TN_BFLOAT16, TN_INT32,       TN_UINT32,        TN_FLOAT32,
                                    TN_COMPLEX64, TN_FLOAT64, TN_INT64,    TN_UINT64};
    int rank = 0;
    while (rank < (int)sizeof order && order[rank] != dtype)
        rank++;
    return rank;
}

static int formats_order(const void *a, const void *b) {
    const tni_written *x = *(tni_written *const *)a, *y = *(tni_written *const *)b;
    int by = formats_rank(y->tensor->dtype) - formats_rank(x->tensor->dtype);
    return by ? by : strcmp(x->name, y->name);
}

/* The header goes through here twice: once to be measured (writer NULL), once to be written. */
typedef struct formats_header {
    tn_writer *writer;
    uint64_t size;
} formats_header;

static void formats_say(formats_header *header, const char *text, size_t size) {
    if (header->writer)
        tni_put(header->writer, text, size);
    header->size += size;
}

static void formats_quote(formats_header *header, const char *text) {
    formats_say(header, "\"", 1);
    for (; *text; text++) {
        unsigned char next = (unsigned char)*text;
        char escaped[8];
        if (next < ' ') {
            snprintf(escaped, sizeof escaped, "\\u%04x", next);
            formats_say(header, escaped, 6);
        } else {
            if (next == '"' || next == '\\')
                formats_say(header, "\\", 1);
            formats_say(header, text, 1);
        }
    }
    formats_say(header, "\"", 1);
}

static void formats_print(formats_header *header, const char *format, ...) TN_PRINTF(2, 3);
static void formats_print(formats_header *header, const char *format, ...) {
    char text[80];
    va_list arguments;
    va_start(arguments, format);
    int length = vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    formats_say(header, text, (size_t)length);
}

static void formats_describe(formats_header *header, const tn_writer *writer, tni_written *const *order) {
    uint64_t at = 0;
    formats_say(header, "{", 1);
    if (writer->text_count) {
        formats_print(header, "\"__metadata__\":");
        for (size_t i = 0; i < writer->text_count; i++) {
            formats_say(header, i ? "," : "{", 1);
            formats_quote(header, writer->texts[i].name);
            formats_say(header, ":", 1);
            formats_quote(header, writer->texts[i].text);
        }
        formats_say(header, "}", 1);
    }
    for (size_t i = 0; i < writer->item_count; i++) {
        const tn_tensor *tensor = order[i]->tensor;
        uint64_t bytes = (uint64_t)tensor->numel * tni_tensor_item_size(tensor);
        if (i || writer->text_count)
            formats_say(header, ",", 1);
        formats_quote(header, order[i]->name);
        formats_print(header, ":{\"dtype\":\"%s\",\"shape\":[", tn_dtype_spelling(tensor->dtype, TN_SPELLING_SAFETENSORS));
        for (int k = 0; k < tensor->ndim; k++)
            formats_print(header, k ? ",%" PRId64 : "%" PRId64, tensor->sizes[k]);
        formats_print(header, "],\"data_offsets\":[%" PRIu64 ",%" PRIu64 "]}", at, at + bytes);
        at += bytes;
    }
    formats_say(header, "}", 1);
}

bool tni_write_safetensors(tn_writer *writer) {
    size_t bytes = (writer->item_count + 1) * sizeof(tni_written *);
    tni_written **order = tni_heap_alloc(bytes);
    if (!order)
        return false;
    for (size_t i = 0; i < writer->item_count; i++) {
        const char *name = writer->items[i].name;
        order[i] = &writer->items[i];
        if (strcmp(name, "__metadata__") == 0 || !tni_is_utf8(name, strlen(name))) {
            tni_raise(TN_ERROR_ARGUMENT, "safetensors cannot have a tensor \"%.120s\": the name is taken, or not UTF-8", name);
            writer->failed = true;
        }
    }
    qsort(order, writer->item_count, sizeof *order, formats_order);
    formats_header measured = {NULL, 0}, written = {writer, 0};
    formats_describe(&measured, writer, order);
    uint64_t padded = (measured.size + 7) & ~UINT64_C(7);
    tni_put_number(writer, padded, 8);
    formats_describe(&written, writer, order);
    for (uint64_t i = measured.size; i < padded; i++)
        tni_put(writer, " ", 1);
    for (size_t i = 0; i < writer->item_count; i++)
        tni_put_elements(writer, order[i]);
    tni_heap_free(order, bytes);
    return padded <= FILE_JSON_HEADER ||
           tni_raise(TN_ERROR_UNSUPPORTED, "the header would have %" PRIu64 " bytes, more than readers accept", padded) ==
               TN_OK;
}

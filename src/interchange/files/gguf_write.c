/* gguf_write.c - writes GGUF, version 3: metadata as texts, tensors as plain elements, each at a multiple of 32 bytes. */
#include "interchange/files/writer.h"

static void gguf_put_string(tn_writer *writer, const char *text) {
    tni_put_number(writer, strlen(text), 8);
    tni_put_text(writer, text);
}

static unsigned gguf_kind_of(tn_dtype dtype) {
    static const uint8_t kinds[TN_DTYPE_COUNT] = {[TN_FLOAT32] = 0, [TN_FLOAT16] = 1, [TN_INT8] = 24,    [TN_INT16] = 25,
                                                  [TN_INT32] = 26,  [TN_INT64] = 27,  [TN_FLOAT64] = 28, [TN_BFLOAT16] = 30};
    return kinds[dtype];
}

bool tni_write_gguf(tn_writer *writer) {
    enum { GGUF_ALIGNMENT = 32, GGUF_TEXT = 8 };
    uint64_t at = 0;
    tni_put(writer, "GGUF\3\0\0", 8);
    tni_put_number(writer, writer->item_count, 8);
    tni_put_number(writer, writer->text_count, 8);
    for (size_t i = 0; i < writer->text_count; i++) {
        gguf_put_string(writer, writer->texts[i].name);
        tni_put_number(writer, GGUF_TEXT, 4);
        gguf_put_string(writer, writer->texts[i].text);
    }
    for (size_t i = 0; i < writer->item_count; i++) {
        const tn_tensor *tensor = writer->items[i].tensor;
        gguf_put_string(writer, writer->items[i].name);
        tni_put_number(writer, tensor->ndim, 4);
        for (int k = tensor->ndim; k-- > 0;)
            tni_put_number(writer, (uint64_t)tensor->sizes[k], 8);
        tni_put_number(writer, gguf_kind_of(tensor->dtype), 4);
        tni_put_number(writer, at, 8);
        uint64_t bytes = (uint64_t)tensor->numel * tni_tensor_item_size(tensor);
        at += bytes + (GGUF_ALIGNMENT - bytes % GGUF_ALIGNMENT) % GGUF_ALIGNMENT;
    }
    tni_put_zeros(writer, (GGUF_ALIGNMENT - writer->written % GGUF_ALIGNMENT) % GGUF_ALIGNMENT);
    for (size_t i = 0; i < writer->item_count; i++) {
        tni_put_elements(writer, &writer->items[i]);
        tni_put_zeros(writer, (GGUF_ALIGNMENT - writer->written % GGUF_ALIGNMENT) % GGUF_ALIGNMENT);
    }
    return true;
}

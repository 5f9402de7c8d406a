/* torch_write.c - writes PyTorch's zip format: a pickle of a dictionary, and each storage once, whole, at a multiple of 64 bytes.
 *
 * The pickle is of protocol 2 and uses only what `torch.load(weights_only=True)` knows. Where a record "data.pkl" was given, that is
 * the pickle, and what is written here are the storages that it names by number.
 */
#include "interchange/files/writer.h"

/* ---- a pickle in memory */

typedef struct torch_out {
    tn_writer *writer;
    void *bytes;
    size_t size, capacity;
    const tni_written **firsts; /* of each storage, in the order of their numbers, the item that it came with */
    size_t count, first_capacity;
    tni_lookup known; /* storages by their addresses */
} torch_out;

static void torch_say(torch_out *out, const void *bytes, size_t size) {
    if (out->writer->failed)
        return;
    if (!tni_heap_grow(&out->bytes, &out->capacity, out->size + size, 1)) {
        out->writer->failed = true;
        return;
    }
    memcpy((char *)out->bytes + out->size, bytes, size);
    out->size += size;
}

static void torch_say_text(torch_out *out, const char *text) {
    size_t length = strlen(text);
    uint8_t head[5] = {'X', (uint8_t)length, (uint8_t)(length >> 8), (uint8_t)(length >> 16), (uint8_t)(length >> 24)};
    torch_say(out, head, 5);
    torch_say(out, text, length);
}

#define TORCH_SAY(out, literal) torch_say(out, literal, sizeof(literal) - 1)

static void torch_say_int(torch_out *out, int64_t value) {
    uint8_t bytes[10] = {0x8a, 8}; /* LONG1 of 8 bytes; J where that is enough */
    int width = value >= INT32_MIN && value <= INT32_MAX ? 4 : 8;
    for (int i = 0; i < width; i++)
        bytes[(width == 4 ? 1 : 2) + i] = (uint8_t)((uint64_t)value >> (8 * i));
    if (width == 4)
        bytes[0] = 'J';
    torch_say(out, bytes, width == 4 ? 5 : 10);
}

static void torch_say_dims(torch_out *out, const int64_t *values, int64_t count) {
    TORCH_SAY(out, "(");
    for (int64_t i = 0; i < count; i++)
        torch_say_int(out, values[i]);
    TORCH_SAY(out, "t");
}

static void torch_say_float(torch_out *out, double value) {
    uint64_t bits;
    uint8_t bytes[9] = {'G'};
    memcpy(&bits, &value, 8);
    for (int i = 0; i < 8; i++)
        bytes[1 + i] = (uint8_t)(bits >> (56 - 8 * i));
    torch_say(out, bytes, 9);
}

/* ---- tensors */

/* The number of an item's storage, which gets the next one where it is new. One storage cannot be of two types in torch's format, unless
 * another pickle says what it is (`any`). 0, and the writer has failed: no memory, or two types. */
static size_t torch_number(torch_out *out, const tni_written *item, bool any) {
    tn_storage *storage = item->tensor->storage;
    uint32_t hash = tni_lookup_hash(&storage, sizeof storage);
    size_t at = tni_lookup_begin(&out->known, hash);
    for (int64_t i; (i = tni_lookup_next(&out->known, hash, &at)) >= 0;) {
        const tni_written *first = out->firsts[i];
        if (first->tensor->storage != storage)
            continue;
        if (any || first->tensor->dtype == item->tensor->dtype)
            return (size_t)i;
        tni_raise(TN_ERROR_DTYPE,
                  "tensors \"%.120s\" and \"%.120s\" look at one storage as %s and as %s, which torch cannot save", first->name,
                  item->name, tn_dtype_name(first->tensor->dtype), tn_dtype_name(item->tensor->dtype));
        out->writer->failed = true;
        return 0;
    }
    void *firsts = (void *)(uintptr_t)out->firsts;
    if (!tni_heap_grow(&firsts, &out->first_capacity, out->count + 1, sizeof *out->firsts)) {
        out->writer->failed = true;
        return 0;
    }
    out->firsts = firsts;
    out->firsts[out->count] = item;
    out->writer->failed |= !tni_lookup_add(&out->known, hash, out->count);
    return out->count++;
}

static const char *torch_storage_type(tn_dtype dtype) {
    static const char *const types[TN_DTYPE_COUNT] = {
        [TN_FLOAT32] = "Float",
        [TN_FLOAT64] = "Double",
        [TN_FLOAT16] = "Half",
        [TN_BFLOAT16] = "BFloat16",
        [TN_INT64] = "Long",
        [TN_INT32] = "Int",
        [TN_INT16] = "Short",
        [TN_INT8] = "Char",
        [TN_UINT8] = "Byte",
        [TN_BOOL] = "Bool",
        [TN_COMPLEX64] = "ComplexFloat",
        [TN_COMPLEX128] = "ComplexDouble",
    };
    return types[dtype];
}

static void torch_say_tensor(torch_out *out, const tni_written *written) {
    const tn_tensor *tensor = written->tensor;
    size_t number = torch_number(out, written, false);
    const char *type = torch_storage_type(tensor->dtype);
    size_t item = type ? tni_tensor_item_size(tensor) : 1;
    char key[24], name[80];
    tni_text text = {key, sizeof key, 0}, types = {name, sizeof name, 0};
    tni_text_append(&text, "%zu", number);
    tni_text_append(&types, type ? "ctorch\n%sStorage\n" : "ctorch.storage\nUntypedStorage\n", type);
    if (type)
        TORCH_SAY(out, "ctorch._utils\n_rebuild_tensor_v2\n((");
    else
        TORCH_SAY(out, "ctorch._utils\n_rebuild_tensor_v3\n((");
    torch_say_text(out, "storage");
    torch_say(out, name, types.length);
    torch_say_text(out, key);
    torch_say_text(out, "cpu");
    torch_say_int(out, (int64_t)(tensor->storage->nbytes / item));
    TORCH_SAY(out, "tQ");
    torch_say_int(out, tensor->offset);
    torch_say_dims(out, tensor->sizes, tensor->ndim);
    torch_say_dims(out, tensor->strides, tensor->ndim);
    torch_say(out, tn_requires_grad(tensor) ? "\x88" : "\x89", 1);
    TORCH_SAY(out, "ccollections\nOrderedDict\n)R");
    if (!type) {
        types.length = 0;
        tni_text_append(&types, "ctorch\n%s\n", tn_dtype_name(tensor->dtype));
        torch_say(out, name, types.length);
    }
    TORCH_SAY(out, "tR");
}

/* What torch can have: no negative strides, and a storage of whole elements. Replaces the item's tensor by a copy where it must. */
static bool torch_prepare(tni_written *item) {
    bool plain = item->tensor->storage->nbytes % tni_tensor_item_size(item->tensor) == 0;
    for (int i = 0; i < item->tensor->ndim; i++)
        plain &= item->tensor->strides[i] >= 0;
    if (plain)
        return true;
    tn_tensor *copy = tni_tensor_new(item->tensor->ndim, item->tensor->sizes, item->tensor->dtype, TN_DEVICE_CPU);
    tn_tensor *elements = copy ? tni_written_elements(item) : NULL;
    if (elements && copy->numel)
        memcpy(copy->storage->pointer.data, tni_tensor_read(elements), (size_t)copy->numel * tni_tensor_item_size(copy));
    tni_tensor_release(elements);
    if (!elements || (tn_requires_grad(item->tensor) && !tn_requires_grad_(copy, true))) {
        tni_tensor_release(copy);
        return false;
    }
    tni_object_hand_over(&copy->object);
    tni_object_drop(&item->tensor->object);
    item->tensor = copy;
    return true;
}

static bool torch_pickle(torch_out *out, tn_writer *writer) {
    const char *group = NULL;
    TORCH_SAY(out, "\x80\x02}(");
    for (size_t i = 0; i < writer->item_count; i++) {
        tni_written *item = &writer->items[i];
        if (item->tensor && !torch_prepare(item))
            return false;
        if (item->group != group) {
            if (group)
                TORCH_SAY(out, "u");
            if (item->group) {
                torch_say_text(out, item->group);
                TORCH_SAY(out, "}(");
            }
            group = item->group;
        }
        torch_say_text(out, item->name);
        if (item->tensor)
            torch_say_tensor(out, item);
        else
            torch_say_float(out, item->number);
    }
    if (group)
        TORCH_SAY(out, "u");
    TORCH_SAY(out, "u.");
    return !writer->failed;
}

/* ---- the archive */

static void torch_put_text(tni_zip_out *zip, const char *name, const char *text) {
    tni_zip_put(zip, name, NULL, 0, text, strlen(text), false);
}

static void torch_put_storages(tni_zip_out *zip, const torch_out *out) {
    for (size_t i = 0; i < out->count; i++) {
        char name[64];
        tni_text text = {name, sizeof name, 0};
        tni_text_append(&text, "archive/data/%zu", i);
        const tn_storage *storage = out->firsts[i]->tensor->storage;
        tni_zip_put(zip, name, NULL, 0, storage->nbytes ? tni_storage_read(storage) : NULL, storage->nbytes, true);
    }
}

/* Other records of the caller, under their names. */
static void torch_put_records(tni_zip_out *zip, tn_writer *writer) {
    for (size_t i = 0; i < writer->record_count && !writer->failed; i++) {
        const tni_written *record = &writer->records[i];
        size_t length = strlen(record->name);
        char *name = strcmp(record->name, "data.pkl") != 0 ? tni_arena_take(&writer->arena, length + 9) : NULL;
        if (name) {
            memcpy(name, "archive/", 8);
            memcpy(name + 8, record->name, length);
            tni_zip_put(zip, name, NULL, 0, record->record, record->bytes, false);
        } else
            writer->failed |= strcmp(record->name, "data.pkl") != 0;
    }
}

/* The records that are written here are nobody else's. */
static bool torch_names_are_free(const tn_writer *writer) {
    static const char *const own[] = {".format_version", ".storage_alignment", "byteorder", "version"};
    for (size_t i = 0; i < writer->record_count; i++) {
        const char *name = writer->records[i].name;
        bool taken = strncmp(name, "data/", 5) == 0;
        for (size_t k = 0; k < TNI_COUNT_OF(own); k++)
            taken |= strcmp(name, own[k]) == 0;
        for (size_t k = 0; k < i; k++)
            taken |= strcmp(name, writer->records[k].name) == 0;
        if (taken)
            return tni_raise(TN_ERROR_ARGUMENT, "record \"%.120s\" is there already: the name is taken", name) == TN_OK;
    }
    return true;
}

bool tni_write_torch(tn_writer *writer) {
    if (!torch_names_are_free(writer))
        return false;
    torch_out out = {.writer = writer};
    tni_zip_out zip = {.writer = writer};
    const tni_written *given = NULL;
    for (size_t i = 0; i < writer->record_count; i++)
        if (strcmp(writer->records[i].name, "data.pkl") == 0)
            given = &writer->records[i];
    bool done = true;
    for (size_t i = 0; given && i < writer->item_count; i++)
        (void)torch_number(&out, &writer->items[i], true);
    if (!given)
        done = torch_pickle(&out, writer);
    if (done) {
        tni_zip_put(&zip, "archive/data.pkl", NULL, 0, given ? given->record : out.bytes, given ? given->bytes : out.size,
                    true);
        torch_put_text(&zip, "archive/.format_version", "1");
        torch_put_text(&zip, "archive/.storage_alignment", "64");
        torch_put_text(&zip, "archive/byteorder", "little");
        torch_put_storages(&zip, &out);
        torch_put_records(&zip, writer);
        torch_put_text(&zip, "archive/version", "3\n");
        tni_zip_finish(&zip);
    }
    if (out.bytes)
        tni_heap_free(out.bytes, out.capacity);
    if (out.firsts)
        tni_heap_free((void *)(uintptr_t)out.firsts, out.first_capacity * sizeof *out.firsts);
    tni_lookup_free(&out.known);
    return done;
}

/* onnx.c - ONNX: a protobuf message with a graph of operators and the tensors that they use. The tensors are this file's; the graph is
 * kept for interchange/onnx/, which runs it.
 *
 * Messages are read as they lie, by the numbers of their fields (onnx.proto, version 1.17); fields without a use here are passed over.
 * The elements of a tensor are raw bytes or a packed list of floats, both of which are plain blocks of the file, numbers of changing
 * length (TNI_PROTO), or bytes of another file. Tensors are: initialisers by their names, what operators Constant give by the
 * names of their outputs, other tensors of attributes as "Pad_3.value", 3 being the number of the node; in a graph inside a graph
 * that comes before, "If_2.then_branch.weight".
 *
 * A reader that does not map the file has to read all of it when it is opened: the description lies around the elements.
 */
#include "interchange/files/onnx.h"

#include <stdio.h>

#include "interchange/files/json.h"

enum { PROTO_NUMBER = 0, PROTO_FIXED64 = 1, PROTO_BYTES = 2, PROTO_FIXED32 = 5 };

/* ---- fields */

typedef struct proto_field {
    uint32_t number;
    int wire;
    uint64_t value;    /* of a number, or the bits of a float */
    tni_cursor inside; /* of bytes */
} proto_field;

static uint64_t proto_number(tni_cursor *cursor) {
    uint64_t value = 0;
    for (int shift = 0; shift < 70; shift += 7) {
        const uint8_t *byte = tni_cursor_take(cursor, 1, "a number");
        if (!byte)
            return 0;
        if (shift == 63 && *byte > 1)
            break;
        value |= (uint64_t)(*byte & 0x7f) << shift;
        if (*byte < 0x80)
            return value;
    }
    tni_cursor_complain(cursor, TN_ERROR_IO, "the number before this has more than 64 bits");
    return 0;
}

/* The next field of a message; false at its end, and where the cursor has failed. */
static bool proto_next(tni_cursor *cursor, proto_field *field) {
    if (cursor->failed || cursor->at == cursor->size)
        return false;
    uint64_t key = proto_number(cursor);
    field->number = (uint32_t)(key >> 3);
    field->wire = (int)(key & 7);
    field->value = 0;
    field->inside = *cursor;
    field->inside.size = field->inside.at = 0;
    if (!cursor->failed && (key >> 3 == 0 || key >> 32))
        return tni_cursor_complain(cursor, TN_ERROR_IO, "%" PRIu64 " is not the number of a field: this is not an ONNX file",
                                   key >> 3);
    if (field->wire == PROTO_NUMBER)
        field->value = proto_number(cursor);
    else if (field->wire == PROTO_FIXED64 || field->wire == PROTO_FIXED32)
        field->value = tni_cursor_number(cursor, field->wire == PROTO_FIXED64 ? 8 : 4, "a fixed number");
    else if (field->wire == PROTO_BYTES) {
        uint64_t length = proto_number(cursor);
        field->inside.base = cursor->base + cursor->at;
        field->inside.bytes = cursor->failed ? NULL : tni_cursor_take(cursor, length, "a field");
        field->inside.size = (size_t)length;
    } else
        tni_cursor_complain(cursor, TN_ERROR_IO, "field %u has the wire type %d: this is not an ONNX file", field->number,
                            field->wire);
    return !cursor->failed;
}

/* Whether a field is coded as it should be; raises. */
static bool proto_is(tni_cursor *cursor, const proto_field *field, int wire) {
    return field->wire == wire ||
           tni_cursor_complain(cursor, TN_ERROR_IO, "field %u has the wire type %d, not %d", field->number, field->wire, wire);
}

static bool proto_text(tn_file *file, tni_cursor *cursor, const proto_field *field, const char **text) {
    if (!proto_is(cursor, field, PROTO_BYTES))
        return false;
    const tni_cursor *inside = &field->inside;
    if (inside->size && (memchr(inside->bytes, 0, inside->size) || !tni_is_utf8(inside->bytes, inside->size)))
        return tni_cursor_complain(cursor, TN_ERROR_IO, "the text before this is not UTF-8, or has a NUL in it");
    return (*text = tni_arena_text(&file->arena, inside->bytes, inside->size)) != NULL;
}

/* Strings of attributes may be bytes of any kind: what is kept ends at the first NUL. */
static bool proto_bytes(tn_file *file, tni_cursor *cursor, const proto_field *field, const char **text) {
    return proto_is(cursor, field, PROTO_BYTES) &&
           (*text = tni_arena_text(&file->arena, field->inside.bytes, field->inside.size)) != NULL;
}

static bool proto_add_text(tn_file *file, tni_cursor *cursor, const proto_field *field, const char ***texts, size_t *count,
                           size_t *capacity) {
    void *items = (void *)*texts;
    if (!tni_arena_grow(&file->arena, &items, *count, capacity, sizeof **texts))
        return false;
    *texts = items;
    return proto_text(file, cursor, field, &(*texts)[(*count)++]);
}

static bool proto_add_whole(tn_file *file, int64_t value, int64_t **wholes, size_t *count, size_t *capacity) {
    void *items = *wholes;
    if (!tni_arena_grow(&file->arena, &items, *count, capacity, sizeof **wholes))
        return false;
    *wholes = items;
    (*wholes)[(*count)++] = value;
    return true;
}

/* Numbers one by one or packed into one field. */
static bool proto_add_wholes(tn_file *file, tni_cursor *cursor, proto_field *field, int64_t **wholes, size_t *count,
                             size_t *capacity) {
    if (field->wire != PROTO_BYTES)
        return proto_is(cursor, field, PROTO_NUMBER) && proto_add_whole(file, (int64_t)field->value, wholes, count, capacity);
    while (field->inside.at < field->inside.size) {
        int64_t value = (int64_t)proto_number(&field->inside);
        if (field->inside.failed || !proto_add_whole(file, value, wholes, count, capacity))
            return false;
    }
    return true;
}

/* ---- tensors */

/* By ONNX's numbers: the dtype, and the field that has its elements where they are not raw bytes. */
static const struct proto_type {
    const char *name;
    uint8_t dtype, field;
} proto_types[] = {[1] = {"float", TN_FLOAT32, 4},
                   [2] = {"uint8", TN_UINT8, 5},
                   [3] = {"int8", TN_INT8, 5},
                   [4] = {"uint16", TN_UINT16, 5},
                   [5] = {"int16", TN_INT16, 5},
                   [6] = {"int32", TN_INT32, 5},
                   [7] = {"int64", TN_INT64, 7},
                   [8] = {"string", 0, 6},
                   [9] = {"bool", TN_BOOL, 5},
                   [10] = {"float16", TN_FLOAT16, 5},
                   [11] = {"double", TN_FLOAT64, 10},
                   [12] = {"uint32", TN_UINT32, 11},
                   [13] = {"uint64", TN_UINT64, 11},
                   [14] = {"complex64", TN_COMPLEX64, 4},
                   [15] = {"complex128", TN_COMPLEX128, 10},
                   [16] = {"bfloat16", TN_BFLOAT16, 5},
                   [17] = {"float8e4m3fn", TN_FLOAT8_E4M3FN, 5},
                   [18] = {"float8e4m3fnuz", 0, 5},
                   [19] = {"float8e5m2", TN_FLOAT8_E5M2, 5},
                   [20] = {"float8e5m2fnuz", 0, 5},
                   [21] = {"uint4", TN_UINT8, 5},
                   [22] = {"int4", TN_INT8, 5},
                   [23] = {"float4e2m1", 0, 5},
                   [24] = {"float8e8m0", 0, 5}};
enum { PROTO_STRING = 8, PROTO_UINT4 = 21, PROTO_INT4 = 22, PROTO_RAW = 9, PROTO_DATA_FIELDS = 12, PROTO_HALVES = 0x80 };

tn_dtype tni_onnx_dtype(int64_t type) {
    return type > 0 && type < (int64_t)TNI_COUNT_OF(proto_types) && type != PROTO_UINT4 && type != PROTO_INT4
               ? proto_types[type].dtype
               : TN_DTYPE_DEFAULT;
}

const char *tni_onnx_dtype_name(int64_t type) {
    return type > 0 && type < (int64_t)TNI_COUNT_OF(proto_types) ? proto_types[type].name : "unknown";
}

int64_t tni_onnx_dtype_number(tn_dtype dtype) {
    for (int64_t i = 1; i < (int64_t)TNI_COUNT_OF(proto_types); i++)
        if (proto_types[i].dtype == dtype)
            return i;
    return 0;
}

typedef struct proto_tensor {
    const char *name;
    int64_t sizes[TN_MAX_DIMS], ndim;
    uint64_t type, at; /* at: of the message */
    struct proto_data {
        uint64_t at, bytes, elements;
        int pieces;
    } data[PROTO_DATA_FIELDS];
    uint64_t location;
    const char *path; /* of another file */
    uint64_t offset, length;
    bool has_length;
} proto_tensor;

/* Bytes that each number of a field has; 0 where that changes. */
static uint64_t proto_width(uint32_t field) { return field == 4 ? 4 : field == 10 ? 8 : field == PROTO_RAW ? 1 : 0; }

/* A number of a text of the file; SIZE_MAX for anything else. */
static uint64_t proto_digits(const char *text) {
    uint64_t value = 0;
    for (const char *at = text; *at; at++) {
        if (*at < '0' || *at > '9' || value > UINT64_MAX / 10 - 1)
            return UINT64_MAX;
        value = 10 * value + (uint64_t)(*at - '0');
    }
    return *text ? value : UINT64_MAX;
}

static bool proto_external(tn_file *file, tni_cursor cursor, proto_tensor *tensor) {
    proto_field field;
    const char *key = "", *value = "";
    while (proto_next(&cursor, &field))
        if (field.number == 1 ? !proto_text(file, &cursor, &field, &key)
                              : field.number == 2 && !proto_text(file, &cursor, &field, &value))
            return false;
    if (strcmp(key, "location") == 0)
        tensor->path = value;
    if (strcmp(key, "offset") == 0)
        tensor->offset = proto_digits(value);
    if (strcmp(key, "length") == 0) {
        tensor->length = proto_digits(value);
        tensor->has_length = true;
    }
    return !cursor.failed;
}

static bool proto_data(tni_cursor *cursor, proto_field *field, struct proto_data *data) {
    uint64_t width = proto_width(field->number);
    data->pieces++;
    if (field->wire != PROTO_BYTES) { /* one number */
        data->elements++;
        data->pieces++; /* never plain */
        return proto_is(cursor, field, width == 0 ? PROTO_NUMBER : width == 4 ? PROTO_FIXED32 : PROTO_FIXED64);
    }
    data->at = field->inside.base;
    data->bytes = field->inside.size;
    if (width) { /* of several fields of raw bytes the last one counts, as in every message */
        data->elements = data->bytes / width + (field->number == PROTO_RAW ? 0 : data->elements);
        return data->bytes % width == 0 ||
               tni_cursor_complain(cursor, TN_ERROR_IO, "%" PRIu64 " bytes are not whole elements of %" PRIu64, data->bytes,
                                   width);
    }
    for (; field->number != 6 && field->inside.at < field->inside.size; data->elements++)
        if (proto_number(&field->inside), field->inside.failed)
            return false;
    return true;
}

static bool proto_dim(tni_cursor *cursor, int64_t size, proto_tensor *tensor) {
    if (tensor->ndim == TN_MAX_DIMS || size < 0)
        return tni_cursor_complain(cursor, TN_ERROR_IO, size < 0 ? "a size of %" PRId64 : "more than %" PRId64 " dimensions",
                                   size < 0 ? size : tensor->ndim);
    tensor->sizes[tensor->ndim++] = size;
    return true;
}

static bool proto_tensor_fields(tn_file *file, tni_cursor *cursor, proto_tensor *tensor) {
    proto_field field;
    tensor->at = cursor->base;
    while (proto_next(cursor, &field)) {
        bool good = true;
        switch (field.number) {
        case 1:
            if (field.wire != PROTO_BYTES)
                good = proto_is(cursor, &field, PROTO_NUMBER) && proto_dim(cursor, (int64_t)field.value, tensor);
            else
                while (good && field.inside.at < field.inside.size) {
                    int64_t size = (int64_t)proto_number(&field.inside);
                    good = !field.inside.failed && proto_dim(cursor, size, tensor);
                }
            break;
        case 2:
        case 14:
            good = proto_is(cursor, &field, PROTO_NUMBER);
            *(field.number == 2 ? &tensor->type : &tensor->location) = field.value;
            break;
        case 3: return tni_cursor_complain(cursor, TN_ERROR_UNSUPPORTED, "a tensor in segments is not read");
        case 8: good = proto_text(file, cursor, &field, &tensor->name); break;
        case 13: good = proto_is(cursor, &field, PROTO_BYTES) && proto_external(file, field.inside, tensor); break;
        case 4:
        case 5:
        case 6:
        case 7:
        case PROTO_RAW:
        case 10:
        case 11: good = proto_data(cursor, &field, &tensor->data[field.number]); break;
        default: break;
        }
        if (!good)
            return false;
    }
    return !cursor->failed;
}

/* The file beside this one that has a tensor's bytes, opened once. Nothing leads out of the folder. */
static tn_file *proto_beside(tn_file *file, tni_cursor *cursor, const char *name) {
    const char *path = file->source.path, *slash = path ? strrchr(path, '/') : NULL;
    size_t folder = slash ? (size_t)(slash - path) + 1 : 0, length = name ? strlen(name) : 0;
    bool inside = length && name[0] != '/' && !strchr(name, '\\');
    for (const char *at = name; inside && at; at = strchr(at, '/') ? strchr(at, '/') + 1 : NULL)
        inside = strncmp(at, "..", 2) != 0 || (at[2] && at[2] != '/');
    if (!path || !inside) {
        tni_cursor_complain(cursor, TN_ERROR_IO,
                            path ? "\"%.200s\" is not the name of a file in the model's folder"
                                 : "the elements are in \"%.200s\", but a model in memory has no folder",
                            length ? name : "");
        return NULL;
    }
    for (size_t i = 0; i < file->shard_count; i++)
        if (strcmp(file->shards[i]->source.path + folder, name) == 0)
            return file->shards[i];
    void *shards = file->shards;
    char *whole = tni_arena_take(&file->arena, folder + length + 1);
    if (!whole || !tni_arena_grow(&file->arena, &shards, file->shard_count, &file->shard_capacity, sizeof *file->shards))
        return NULL;
    file->shards = shards;
    memcpy(whole, path, folder);
    memcpy(whole + folder, name, length);
    tn_file_options options = TN_FILE_OPTIONS;
    options.mode = file->source.mapped ? TN_FILE_MAP : TN_FILE_READ;
    options.writable = file->writable;
    options.format = "raw";
    options.dtype = TN_UINT8;
    tn_scope scope = tni_scope_open_hidden();
    tn_file *shard = tni_scope_close_hidden(scope, tn_file_open(whole, &options));
    if (!shard)
        return NULL;
    tni_object_hand_over(&shard->object);
    return file->shards[file->shard_count++] = shard;
}

/* The block of a tensor whose elements are in another file. */
static bool proto_add_external(tn_file *file, tni_cursor *cursor, const proto_tensor *tensor, tni_file_entry *entry,
                               uint64_t bytes) {
    tn_file *shard = proto_beside(file, cursor, tensor->path);
    if (!shard)
        return false;
    if ((tensor->has_length && tensor->length != bytes) || tensor->offset > shard->source.size ||
        bytes > shard->source.size - tensor->offset)
        return tni_cursor_complain(cursor, TN_ERROR_IO,
                                   "the elements are said to be %" PRIu64 " bytes from byte %" PRIu64
                                   " of \"%.120s\", which has %" PRIu64 "; they should be %" PRIu64,
                                   tensor->has_length ? tensor->length : bytes, tensor->offset, tensor->path,
                                   shard->source.size, bytes);
    if (!tni_file_add_block(shard, tensor->offset, bytes, entry->dtype))
        return false;
    entry->shard = shard;
    entry->block = (uint32_t)shard->block_count - 1;
    return true;
}

static bool proto_add_tensor(tn_file *file, tni_cursor *cursor, proto_tensor *tensor, const char *name) {
    const struct proto_type *type = &proto_types[tensor->type];
    bool halves = tensor->type == PROTO_UINT4 || tensor->type == PROTO_INT4;
    uint64_t numel, bytes, pairs = tn_dtype_is_complex(type->dtype) ? 2 : 1;
    if (!tni_file_measure(file, name, tensor->at, tensor->sizes, tensor->ndim, type->dtype, &numel, &bytes))
        return false;
    uint32_t number = tensor->data[PROTO_RAW].pieces ? PROTO_RAW : type->field;
    const struct proto_data *data = &tensor->data[number];
    uint64_t wanted = halves ? (numel + 1) / 2 : number == PROTO_RAW ? bytes : numel * pairs;
    if (!tensor->location && data->elements != wanted)
        return tni_file_complain(file, TN_ERROR_IO, name, tensor->at,
                                 "a tensor of %s, %s, has %" PRIu64 " %s, not the %" PRIu64 " that field %u has", type->name,
                                 tni_show_dims(tensor->sizes, tensor->ndim), wanted, number == PROTO_RAW ? "bytes" : "elements",
                                 data->elements, number);
    bool plain = (proto_width(number) != 0 && data->pieces == 1 && !halves) || tensor->location;
    if (tensor->location && halves)
        return tni_file_complain(file, TN_ERROR_UNSUPPORTED, name, tensor->at, "elements of %s in another file are not read",
                                 type->name);
    tni_file_block *block =
        tni_file_add_block(file, plain ? data->at : tensor->at, plain ? data->bytes : cursor->size, type->dtype);
    if (!block)
        return false;
    if (tensor->location)
        block->at = block->bytes = 0;
    block->unpacked = tensor->location ? 0 : bytes;
    block->packing = plain ? TNI_PLAIN : TNI_PROTO;
    block->detail = (uint8_t)(number | (halves ? PROTO_HALVES : 0));
    tni_file_entry *entry = tni_file_add_entry(file, name, type->dtype, tensor->sizes, tensor->ndim);
    if (!entry)
        return false;
    entry->encoding = halves ? type->name : plain ? "" : "protobuf";
    return !tensor->location || proto_add_external(file, cursor, tensor, entry, bytes);
}

/* `name`: what it is called; NULL: by itself. Its place among the entries, or -1 for strings; and its own name. */
static bool proto_read_tensor(tn_file *file, tni_cursor cursor, const char *name, const char *prefix, tni_onnx_constant *made) {
    proto_tensor tensor;
    memset(&tensor, 0, sizeof tensor);
    tensor.name = "";
    cursor.name = name;
    if (!proto_tensor_fields(file, &cursor, &tensor))
        return false;
    *made = (tni_onnx_constant){tensor.name, -1};
    if (!name && prefix[0]) {
        size_t room = strlen(prefix) + strlen(tensor.name) + 1;
        char *whole = tni_arena_take(&file->arena, room);
        if (!whole)
            return false;
        snprintf(whole, room, "%s%s", prefix, tensor.name);
        name = whole;
    } else if (!name)
        name = tensor.name;
    cursor.name = name;
    if (tensor.type >= TNI_COUNT_OF(proto_types) || !proto_types[tensor.type].name)
        return tni_file_complain(file, TN_ERROR_UNSUPPORTED, name, tensor.at, "there is no type of elements %" PRIu64,
                                 tensor.type);
    if (tensor.type == PROTO_STRING) { /* not a tensor here, but not passed over in silence either */
        char *said = tni_arena_take(&file->arena, 40);
        if (!said)
            return false;
        snprintf(said, 40, "%d strings", tensor.data[6].pieces);
        return tni_file_add_text(file, name, said);
    }
    if (!proto_types[tensor.type].dtype)
        return tni_file_complain(file, TN_ERROR_UNSUPPORTED, name, tensor.at, "elements of %s are not read",
                                 proto_types[tensor.type].name);
    if (!proto_add_tensor(file, &cursor, &tensor, name))
        return false;
    made->tensor = (int64_t)file->entry_count - 1;
    return true;
}

/* One element from a number of a field. */
static void proto_put(uint8_t *target, size_t at, size_t width, tn_dtype dtype, uint64_t value) {
    if (dtype == TN_BOOL)
        value = value != 0;
    for (size_t i = 0; i < width; i++)
        target[at * width + i] = (uint8_t)(value >> (8 * i));
}

/* What was checked when the file was opened may have changed since: the end of the elements is found again. */
bool tni_onnx_unpack(const tn_file *file, const tni_file_block *block, const uint8_t *message, void *target, uint64_t count) {
    tni_cursor cursor = {.file = file, .bytes = message, .base = block->at, .size = (size_t)block->bytes};
    proto_field field;
    tn_dtype dtype = block->dtype;
    int detail = block->detail;
    bool whole = false; /* raw bytes */
    size_t width = tn_dtype_size(tn_dtype_to_real(dtype)), at = 0;
    uint32_t number = (uint32_t)(detail & ~PROTO_HALVES);
    count *= tn_dtype_size(dtype) / width;
    while (at < count && proto_next(&cursor, &field)) {
        size_t step = (size_t)proto_width(number);
        if (field.number != number)
            continue;
        if (detail & PROTO_HALVES) { /* two of 4 bits in a byte, the lower one first */
            field.inside.at = 0;
            while (at < count && (field.wire != PROTO_BYTES || field.inside.at < field.inside.size)) {
                uint64_t pair = field.wire != PROTO_BYTES ? field.value
                                : number == PROTO_RAW     ? *tni_cursor_take(&field.inside, 1, "a byte")
                                                          : proto_number(&field.inside);
                for (int i = 0; i < 2 && at < count; i++, pair >>= 4)
                    proto_put(target, at++, 1, dtype, dtype == TN_INT8 ? ((pair & 15) ^ 8) - 8 : pair & 15);
                if (field.wire != PROTO_BYTES)
                    break;
            }
        } else if (field.wire != PROTO_BYTES)
            proto_put(target, at++, width, dtype, field.value);
        else if (step > 1) { /* floats */
            size_t some = field.inside.size / step;
            some = some < count - at ? some : (size_t)count - at;
            if (some)
                memcpy((uint8_t *)target + at * width, field.inside.bytes, some * step);
            at += some;
        } else if (number == PROTO_RAW) {
            if ((whole = field.inside.size == count * width) && count)
                memcpy(target, field.inside.bytes, field.inside.size);
        } else
            while (at < count && field.inside.at < field.inside.size)
                proto_put(target, at++, width, dtype, proto_number(&field.inside));
    }
    return whole || (!cursor.failed && at == count) ||
           tni_cursor_complain(&cursor, TN_ERROR_IO, "the elements are not what they were when the file was opened");
}

/* ---- the graph */

typedef struct proto_place {
    const char *prefix; /* of the names of tensors of this graph: "", or "If_2.then_branch." */
    int depth;
} proto_place;

static bool proto_graph(tn_file *file, tni_cursor cursor, proto_place place, tni_onnx_graph *graph);

static bool proto_prefix(tn_file *file, const tni_onnx_node *node, size_t number, const char *attribute, const char *outer,
                         const char *end, char **made) {
    size_t room = strlen(outer) + strlen(node->operation) + strlen(attribute) + 32;
    if (!(*made = tni_arena_take(&file->arena, room)))
        return false;
    snprintf(*made, room, "%s%s_%zu.%s%s", outer, node->operation, number, attribute, end);
    return true;
}

/* The tensor of an attribute: that of a Constant is called as its output is. */
static bool proto_attribute_tensor(tn_file *file, tni_cursor cursor, const tni_onnx_node *node, size_t number,
                                   proto_place place, tni_onnx_attribute *attribute) {
    bool constant = strcmp(node->operation, "Constant") == 0 && node->output_count == 1 && node->outputs[0][0];
    char *name;
    tni_onnx_constant made;
    if (constant) {
        size_t room = strlen(place.prefix) + strlen(node->outputs[0]) + 1;
        if (!(name = tni_arena_take(&file->arena, room)))
            return false;
        snprintf(name, room, "%s%s", place.prefix, node->outputs[0]);
    } else if (!proto_prefix(file, node, number, attribute->name, place.prefix, "", &name))
        return false;
    if (!proto_read_tensor(file, cursor, name, "", &made))
        return false;
    attribute->tensor = made.tensor;
    return true;
}

static bool proto_attribute_graph(tn_file *file, tni_cursor *cursor, const proto_field *field, const tni_onnx_node *node,
                                  size_t number, proto_place place, tni_onnx_attribute *attribute) {
    char *prefix;
    if (place.depth == FILE_GRAPH_DEPTH)
        return tni_cursor_complain(cursor, TN_ERROR_UNSUPPORTED, "graphs inside graphs, more than %d deep", FILE_GRAPH_DEPTH);
    if (!proto_prefix(file, node, number, attribute->name, place.prefix, ".", &prefix) ||
        !(attribute->graph = tni_arena_take(&file->arena, sizeof *attribute->graph)))
        return false;
    return proto_graph(file, field->inside, (proto_place){prefix, place.depth + 1}, attribute->graph);
}

static bool proto_add_real(tn_file *file, uint64_t bits, tni_onnx_attribute *attribute) {
    void *items = attribute->reals;
    uint32_t word = (uint32_t)bits;
    if (!tni_arena_grow(&file->arena, &items, attribute->count, &attribute->capacity, sizeof *attribute->reals))
        return false;
    attribute->reals = items;
    memcpy(&attribute->reals[attribute->count++], &word, 4);
    return true;
}

static bool proto_reals(tn_file *file, tni_cursor *cursor, proto_field *field, tni_onnx_attribute *attribute) {
    if (field->wire != PROTO_BYTES)
        return proto_is(cursor, field, PROTO_FIXED32) && proto_add_real(file, field->value, attribute);
    while (field->inside.at < field->inside.size) {
        uint64_t bits = tni_cursor_number(&field->inside, 4, "a float");
        if (field->inside.failed || !proto_add_real(file, bits, attribute))
            return false;
    }
    return true;
}

/* In two passes: the name comes first in what files have, but need not. */
static bool proto_attribute(tn_file *file, tni_cursor cursor, const tni_onnx_node *node, size_t number, proto_place place,
                            tni_onnx_attribute *attribute) {
    proto_field field;
    tni_cursor names = cursor;
    attribute->name = "";
    attribute->tensor = -1;
    while (proto_next(&names, &field))
        if (field.number == 1 && !proto_text(file, &names, &field, &attribute->name))
            return false;
    if (names.failed)
        return false;
    int kind = 0;
    while (proto_next(&cursor, &field)) {
        bool good = true;
        int lists = attribute->kind;
        uint32_t word = (uint32_t)field.value;
        switch (field.number) {
        case 2:
            good = proto_is(&cursor, &field, PROTO_FIXED32);
            memcpy(&attribute->real, &word, 4);
            attribute->kind = TNI_ONNX_FLOAT;
            break;
        case 3:
            good = proto_is(&cursor, &field, PROTO_NUMBER);
            attribute->whole = (int64_t)field.value;
            attribute->kind = TNI_ONNX_INT;
            break;
        case 4:
            good = proto_bytes(file, &cursor, &field, &attribute->text);
            attribute->kind = TNI_ONNX_TEXT;
            break;
        case 5:
            good = proto_is(&cursor, &field, PROTO_BYTES) &&
                   (attribute->kind == TNI_ONNX_TENSOR
                        ? tni_cursor_complain(&cursor, TN_ERROR_IO, "an attribute has two tensors")
                        : proto_attribute_tensor(file, field.inside, node, number, place, attribute));
            attribute->kind = TNI_ONNX_TENSOR;
            break;
        case 6:
            good = proto_is(&cursor, &field, PROTO_BYTES) &&
                   (attribute->graph ? tni_cursor_complain(&cursor, TN_ERROR_IO, "an attribute has two graphs")
                                     : proto_attribute_graph(file, &cursor, &field, node, number, place, attribute));
            attribute->kind = TNI_ONNX_GRAPH;
            break;
        case 7:
        case 8:
        case 9:
            attribute->kind = field.number == 7 ? TNI_ONNX_FLOATS : field.number == 8 ? TNI_ONNX_INTS : TNI_ONNX_TEXTS;
            if (lists && lists != attribute->kind)
                return tni_cursor_complain(&cursor, TN_ERROR_IO, "attribute \"%.80s\" is of two kinds", attribute->name);
            good = field.number == 7 ? proto_reals(file, &cursor, &field, attribute)
                   : field.number == 8
                       ? proto_add_wholes(file, &cursor, &field, &attribute->wholes, &attribute->count, &attribute->capacity)
                       : proto_add_text(file, &cursor, &field, &attribute->texts, &attribute->count, &attribute->capacity);
            break;
        case 20:
            good = proto_is(&cursor, &field, PROTO_NUMBER);
            kind = (int)(field.value & 63);
            break;
        case 22:
        case 23: return tni_cursor_complain(&cursor, TN_ERROR_UNSUPPORTED, "a sparse tensor is not read");
        default: break;
        }
        if (!good)
            return false;
    }
    if (kind && !attribute->kind && kind <= TNI_ONNX_TEXTS) /* a value of 0, or a list without items, is not written */
        attribute->kind = kind;
    attribute->text = attribute->text ? attribute->text : "";
    return !cursor.failed;
}

static bool proto_node(tn_file *file, tni_cursor cursor, size_t number, proto_place place, tni_onnx_node *node) {
    proto_field field;
    tni_cursor attributes = cursor; /* after the names, which tensors are called by */
    node->operation = node->domain = node->name = "";
    while (proto_next(&cursor, &field))
        if (field.number == 1 ? !proto_add_text(file, &cursor, &field, &node->inputs, &node->input_count, &node->input_capacity)
            : field.number == 2
                ? !proto_add_text(file, &cursor, &field, &node->outputs, &node->output_count, &node->output_capacity)
            : field.number == 3 ? !proto_text(file, &cursor, &field, &node->name)
            : field.number == 4 ? !proto_text(file, &cursor, &field, &node->operation)
                                : field.number == 7 && !proto_text(file, &cursor, &field, &node->domain))
            return false;
    while (!cursor.failed && proto_next(&attributes, &field)) {
        void *items = node->attributes;
        if (field.number != 5)
            continue;
        if (!proto_is(&attributes, &field, PROTO_BYTES) ||
            !tni_arena_grow(&file->arena, &items, node->attribute_count, &node->attribute_capacity, sizeof *node->attributes))
            return false;
        node->attributes = items;
        tni_onnx_attribute *attribute = &node->attributes[node->attribute_count++];
        memset(attribute, 0, sizeof *attribute);
        if (!proto_attribute(file, field.inside, node, number, place, attribute))
            return false;
    }
    return !cursor.failed && !attributes.failed;
}

static bool proto_shape(tn_file *file, tni_cursor cursor, tni_onnx_value *value) {
    proto_field field, inside;
    value->shaped = true;
    while (proto_next(&cursor, &field)) {
        if (field.number != 1)
            continue;
        int64_t size = -1;
        const char *symbol = "";
        if (!proto_is(&cursor, &field, PROTO_BYTES))
            return false;
        while (proto_next(&field.inside, &inside))
            if (inside.number == 1 && inside.wire == PROTO_NUMBER && (int64_t)inside.value >= 0)
                size = (int64_t)inside.value;
            else if (inside.number == 2 && !proto_text(file, &field.inside, &inside, &symbol))
                return false;
        size_t before = value->ndim;
        void *symbols = (void *)value->symbols;
        if (field.inside.failed || !proto_add_whole(file, size, &value->sizes, &value->ndim, &value->capacity) ||
            !tni_arena_grow(&file->arena, &symbols, before, &value->symbol_capacity, sizeof *value->symbols))
            return false;
        value->symbols = symbols;
        value->symbols[before] = symbol;
    }
    return !cursor.failed;
}

static bool proto_type(tn_file *file, tni_cursor cursor, tni_onnx_value *value, int depth) {
    proto_field field, inside;
    while (proto_next(&cursor, &field)) {
        if (field.wire != PROTO_BYTES)
            continue;
        char kind = field.number == 1 ? 't' : field.number == 4 ? 's' : field.number == 9 ? 'o' : '?';
        value->kind = depth ? value->kind : kind;
        if (kind != 't' && (kind == '?' || depth == 2))
            continue;
        while (proto_next(&field.inside, &inside))
            if (kind != 't'
                    ? inside.number == 1 && inside.wire == PROTO_BYTES && !proto_type(file, inside.inside, value, depth + 1)
                : inside.number == 1 && inside.wire == PROTO_NUMBER
                    ? (value->dtype = tni_onnx_dtype(value->type = (int64_t)(inside.value & INT32_MAX)), false)
                    : inside.number == 2 && inside.wire == PROTO_BYTES && !proto_shape(file, inside.inside, value))
                return false;
        if (field.inside.failed)
            return false;
    }
    return !cursor.failed;
}

static bool proto_value(tn_file *file, tni_cursor cursor, tni_onnx_value *value) {
    proto_field field;
    value->name = "";
    value->kind = '?';
    while (proto_next(&cursor, &field))
        if (field.number == 1 ? !proto_text(file, &cursor, &field, &value->name)
                              : field.number == 2 && field.wire == PROTO_BYTES && !proto_type(file, field.inside, value, 0))
            return false;
    return !cursor.failed;
}

/* The new last item of a list of a graph, zeroed. */
static void *proto_grow(tn_file *file, void **items, size_t *count, size_t *capacity, size_t item) {
    if (!tni_arena_grow(&file->arena, items, *count, capacity, item))
        return NULL;
    return memset((char *)*items + item * (*count)++, 0, item);
}

static bool proto_graph(tn_file *file, tni_cursor cursor, proto_place place, tni_onnx_graph *graph) {
    proto_field field;
    graph->name = "";
    while (proto_next(&cursor, &field)) {
        void *nodes = graph->nodes, *constants = graph->constants, *inputs = graph->inputs, *outputs = graph->outputs, *item;
        bool good = true;
        if (field.number <= 15 && field.number != 10 && !proto_is(&cursor, &field, PROTO_BYTES))
            return false;
        switch (field.number) {
        case 1:
            item = proto_grow(file, &nodes, &graph->node_count, &graph->node_capacity, sizeof *graph->nodes);
            graph->nodes = nodes;
            good = item && proto_node(file, field.inside, graph->node_count - 1, place, item);
            break;
        case 2: good = proto_text(file, &cursor, &field, &graph->name); break;
        case 5:
            item = proto_grow(file, &constants, &graph->constant_count, &graph->constant_capacity, sizeof *graph->constants);
            graph->constants = constants;
            good = item && proto_read_tensor(file, field.inside, NULL, place.prefix, item);
            break;
        case 11:
            item = proto_grow(file, &inputs, &graph->input_count, &graph->input_capacity, sizeof *graph->inputs);
            graph->inputs = inputs;
            good = item && proto_value(file, field.inside, item);
            break;
        case 12:
            item = proto_grow(file, &outputs, &graph->output_count, &graph->output_capacity, sizeof *graph->outputs);
            graph->outputs = outputs;
            good = item && proto_value(file, field.inside, item);
            break;
        case 15: return tni_cursor_complain(&cursor, TN_ERROR_UNSUPPORTED, "a sparse initialiser is not read");
        default: break;
        }
        if (!good)
            return false;
    }
    return !cursor.failed;
}

/* ---- the model */

static bool proto_say(tn_file *file, const char *name, const char *format, ...) TN_PRINTF(3, 4);
static bool proto_say(tn_file *file, const char *name, const char *format, ...) {
    char text[512];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    char *kept = tni_arena_text(&file->arena, text, strlen(text));
    return kept && tni_file_add_text(file, name, kept);
}

static bool proto_set(tn_file *file, tni_cursor cursor, tni_onnx_model *model) {
    proto_field field;
    void *sets = model->sets;
    tni_onnx_set *set = proto_grow(file, &sets, &model->set_count, &model->set_capacity, sizeof *model->sets);
    model->sets = sets;
    if (!set)
        return false;
    set->domain = "";
    while (proto_next(&cursor, &field))
        if (field.number == 1 && !proto_text(file, &cursor, &field, &set->domain))
            return false;
        else if (field.number == 2)
            set->version = (int64_t)field.value;
    if (strcmp(set->domain, "ai.onnx") == 0)
        set->domain = "";
    if (cursor.failed || !set->domain[0])
        return !cursor.failed && proto_say(file, "opset", "%" PRId64, set->version);
    size_t room = strlen(set->domain) + sizeof "opset.";
    char *name = tni_arena_take(&file->arena, room);
    if (!name)
        return false;
    snprintf(name, room, "opset.%s", set->domain);
    return proto_say(file, name, "%" PRId64, set->version);
}

static bool proto_property(tn_file *file, tni_cursor cursor) {
    proto_field field;
    const char *key = "", *value = "";
    while (proto_next(&cursor, &field))
        if (field.number == 1 ? !proto_text(file, &cursor, &field, &key)
                              : field.number == 2 && !proto_text(file, &cursor, &field, &value))
            return false;
    return !cursor.failed && tni_file_add_text(file, key, value);
}

/* "input.NAME": "float32 [n, 3]" */
static bool proto_say_values(tn_file *file, const char *what, const tni_onnx_value *values, size_t count) {
    for (size_t i = 0; i < count; i++) {
        const tni_onnx_value *value = &values[i];
        char shape[400];
        tni_text text = {shape, sizeof shape, 0};
        size_t room = strlen(what) + strlen(value->name) + 2;
        char *name = tni_arena_take(&file->arena, room);
        if (!name)
            return false;
        snprintf(name, room, "%s.%s", what, value->name);
        tni_text_append(&text, "%s%s",
                        value->kind == 's'   ? "sequence of "
                        : value->kind == 'o' ? "optional "
                                             : "",
                        value->dtype ? tn_dtype_name(value->dtype) : "?");
        if (value->shaped)
            tni_text_append(&text, " [");
        for (size_t k = 0; value->shaped && k < value->ndim; k++)
            if (value->sizes[k] >= 0)
                tni_text_append(&text, "%s%" PRId64, k ? ", " : "", value->sizes[k]);
            else
                tni_text_append(&text, "%s%.40s", k ? ", " : "", value->symbols[k][0] ? value->symbols[k] : "?");
        if (value->shaped)
            tni_text_append(&text, "]");
        if (!proto_say(file, name, "%s", shape))
            return false;
    }
    return true;
}

static bool proto_model(tn_file *file, tni_cursor *cursor, tni_onnx_model *model) {
    static const char *const texts[] = {[2] = "producer_name", [3] = "producer_version", [4] = "domain", [6] = "doc_string"};
    proto_field field;
    bool graph = false;
    while (proto_next(cursor, &field)) {
        const char *text;
        bool good = true;
        if (field.number < TNI_COUNT_OF(texts) && texts[field.number])
            good = proto_text(file, cursor, &field, &text) && (!text[0] || tni_file_add_text(file, texts[field.number], text));
        else if (field.number == 1 || field.number == 5)
            good = proto_is(cursor, &field, PROTO_NUMBER) &&
                   proto_say(file, field.number == 1 ? "ir_version" : "model_version", "%" PRId64, (int64_t)field.value);
        else if (field.number == 7) {
            good = proto_is(cursor, &field, PROTO_BYTES) &&
                   (!graph || tni_cursor_complain(cursor, TN_ERROR_IO, "there are two graphs")) &&
                   proto_graph(file, field.inside, (proto_place){"", 0}, &model->graph);
            graph = true;
        } else if (field.number == 8 || field.number == 14)
            good = proto_is(cursor, &field, PROTO_BYTES) &&
                   (field.number == 8 ? proto_set(file, field.inside, model) : proto_property(file, field.inside));
        if (!good)
            return false;
    }
    if (!cursor->failed && !graph)
        return tni_cursor_complain(cursor, TN_ERROR_IO, "there is no graph: this is not an ONNX file");
    return !cursor->failed && proto_say(file, "graph", "%s, %zu nodes", model->graph.name, model->graph.node_count) &&
           proto_say_values(file, "input", model->graph.inputs, model->graph.input_count) &&
           proto_say_values(file, "output", model->graph.outputs, model->graph.output_count);
}

bool tni_is_onnx(const uint8_t *bytes, size_t size) {
    /* the version, and then one of the fields of a model */
    return size >= 4 && bytes[0] == 0x08 && bytes[1] > 0 && bytes[1] < 0x40 &&
           memchr("\x12\x1a\x22\x28\x32\x3a\x42\x72", bytes[2], 8) != NULL;
}

bool tni_read_onnx(tn_file *file, const tn_file_options *options) {
    tni_piece piece;
    (void)options;
    file->onnx = tni_arena_take(&file->arena, sizeof *file->onnx);
    if (!file->onnx || !tni_source_view(file, 0, file->source.size, &piece))
        return false;
    tni_cursor cursor = {.file = file, .bytes = piece.bytes, .size = piece.size};
    bool good = proto_model(file, &cursor, file->onnx);
    tni_piece_end(&piece);
    return good;
}

bool tni_read_onnx_tensor(tn_file *file, const tn_file_options *options) {
    tni_piece piece;
    tni_onnx_constant made = {NULL, -1};
    (void)options;
    if (!tni_source_view(file, 0, file->source.size, &piece))
        return false;
    tni_cursor cursor = {.file = file, .bytes = piece.bytes, .size = piece.size};
    bool good = proto_read_tensor(file, cursor, NULL, "", &made);
    if (good && made.tensor < 0)
        good = tni_file_complain(file, TN_ERROR_UNSUPPORTED, NULL, 0, "a tensor of strings is not read");
    tni_piece_end(&piece);
    return good;
}

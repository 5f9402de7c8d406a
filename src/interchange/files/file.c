/* file.c - tn_file: opening by content, finding, taking. What the formats differ in is in their readers (file.h).
 *
 * A tensor is taken in two steps: its block becomes a storage, mapped, copied or decoded (file_storage), and the entry's geometry
 * is laid over it. Readers have checked both against the file, so nothing here can reach beyond it.
 */
#include <unistd.h>

#include "interchange/files/onnx.h"
#include "interchange/files/source.h"
#include "operators_view.h"
#include "tensor/check.h"
#include "train/parameters.h"

/* ---- the object */

static void file_destroy(tni_object *object) {
    tn_file *file = (tn_file *)object;
    for (size_t i = 0; i < file->block_count; i++) {
        tn_storage *storage = atomic_load_explicit(&file->blocks[i].storage, memory_order_relaxed);
        if (storage)
            tni_storage_release(storage);
    }
    for (size_t i = 0; i < file->shard_count; i++)
        tni_object_drop(&file->shards[i]->object);
    tni_source_close(&file->source);
    tni_lookup_free(&file->names);
    tni_lookup_free(&file->keys);
    tni_lookup_free(&file->known_texts);
    tni_zip_free(file->zip);
    tni_arena_free(&file->arena);
    object->class = &tni_dead_class;
    tni_heap_free(file, sizeof *file);
}

const tni_class tni_file_class = {"file", file_destroy};

static bool file_live(const tn_file *file, const char *function) {
    const char *outer = tni_operator_enter(function);
    bool live = tni_object_check((const tni_object *)file, &tni_file_class, "file");
    tni_operator_leave(outer);
    return live;
}

tn_file *tn_file_retain(const tn_file *file) {
    if (!file || !file_live(file, "file_retain"))
        return NULL;
    tn_file *counted = (tn_file *)(uintptr_t)file;
    tni_object_retain(&counted->object);
    return counted;
}

void tn_file_release(tn_file *file) {
    if (file && file_live(file, "file_release"))
        tni_scope_release(&file->object, "file_release");
}

tn_file *tn_file_keep(tn_file *file) {
    if (!file || !file_live(file, "file_keep"))
        return NULL;
    if (!tni_scope_forget(&file->object))
        tni_object_retain(&file->object);
    return file;
}

/* ---- what readers add */

tni_file_block *tni_file_add_block(tn_file *file, uint64_t at, uint64_t bytes, tn_dtype dtype) {
    void *blocks = file->blocks;
    if (file->block_count >= UINT32_MAX - 1 ||
        !tni_arena_grow(&file->arena, &blocks, file->block_count, &file->block_capacity, sizeof *file->blocks))
        return NULL;
    file->blocks = blocks;
    tni_file_block *block = &file->blocks[file->block_count++];
    memset(block, 0, sizeof *block);
    block->at = at;
    block->bytes = block->unpacked = bytes;
    block->dtype = (uint8_t)dtype;
    return block;
}

tni_file_entry *tni_file_add_entry(tn_file *file, const char *name, tn_dtype dtype, const int64_t *sizes, int64_t ndim) {
    void *entries = file->entries;
    if (!tni_arena_grow(&file->arena, &entries, file->entry_count, &file->entry_capacity, sizeof *file->entries))
        return NULL;
    file->entries = entries;
    tni_file_entry *entry = &file->entries[file->entry_count];
    memset(entry, 0, sizeof *entry);
    entry->name = name;
    entry->dtype = (uint8_t)dtype;
    entry->ndim = (uint8_t)ndim;
    entry->encoding = "";
    entry->numel = 1;
    for (int64_t i = 0; i < ndim; i++)
        entry->numel *= (uint64_t)sizes[i];
    if (!(entry->sizes = tni_arena_dims(&file->arena, sizes, ndim)))
        return NULL;
    entry->block = (uint32_t)(file->block_count ? file->block_count - 1 : 0);
    file->entry_count++;
    return entry;
}

int64_t tni_file_find_text(const tn_file *file, const char *name) {
    uint32_t hash = tni_lookup_name(name);
    size_t at = tni_lookup_begin(&file->known_texts, hash);
    int64_t found;
    while ((found = tni_lookup_next(&file->known_texts, hash, &at)) >= 0 && strcmp(file->texts[found].name, name) != 0)
        continue;
    return found;
}

bool tni_file_add_text(tn_file *file, const char *name, const char *text) {
    void *texts = file->texts;
    if (!name || !text || !tni_arena_grow(&file->arena, &texts, file->text_count, &file->text_capacity, sizeof *file->texts))
        return false;
    file->texts = texts;
    if (tni_file_find_text(file, name) < 0 && !tni_lookup_add(&file->known_texts, tni_lookup_name(name), file->text_count))
        return false;
    file->texts[file->text_count++] = (tni_file_text){name, text};
    return true;
}

bool tni_file_measure(const tn_file *file, const char *name, uint64_t at, const int64_t *sizes, int64_t ndim, tn_dtype dtype,
                      uint64_t *numel, uint64_t *bytes) {
    int64_t count = 0, total = 0;
    tn_geometry_result result = ndim > TN_MAX_DIMS ? TN_GEOMETRY_OVERFLOW : tn_geometry_numel(ndim, sizes, &count);
    if (result != TN_GEOMETRY_OK || tni_mul_overflows(count, (int64_t)tn_dtype_size(dtype), &total))
        return tni_file_complain(file, TN_ERROR_IO, name, at,
                                 "a shape of %" PRId64 " dimensions, %s, is more than there can be", ndim,
                                 tni_show_dims(sizes, tni_min_i64(ndim, 8)));
    *numel = (uint64_t)count;
    *bytes = (uint64_t)total;
    return true;
}

/* ---- names */

static int64_t file_find(const tn_file *file, const char *name) {
    uint32_t hash = tni_lookup_name(name);
    size_t at = tni_lookup_begin(&file->names, hash);
    int64_t found;
    while ((found = tni_lookup_next(&file->names, hash, &at)) >= 0 && strcmp(file->entries[found].name, name) != 0)
        continue;
    return found;
}

int64_t tni_file_find_key(const tn_file *file, const char *key) {
    uint32_t hash = tni_lookup_name(key);
    size_t at = tni_lookup_begin(&file->keys, hash);
    int64_t found;
    while ((found = tni_lookup_next(&file->keys, hash, &at)) >= 0 && strcmp(file->blocks[found].key, key) != 0)
        continue;
    return found;
}

bool tni_file_set_key(tn_file *file, const char *key) {
    file->blocks[file->block_count - 1].key = key;
    return tni_lookup_add(&file->keys, tni_lookup_name(key), file->block_count - 1);
}

/* The first of several tensors of one name is the one that is found; whether there may be several is the format's to say. */
static bool file_index(tn_file *file) {
    for (size_t i = 0; i < file->entry_count; i++) {
        const char *name = file->entries[i].name;
        if (file_find(file, name) < 0) {
            if (!tni_lookup_add(&file->names, tni_lookup_name(name), i))
                return false;
        } else if (strcmp(file->format, "pt") != 0)
            return tni_file_complain(file, TN_ERROR_IO, name, file->block_count ? file->blocks[file->entries[i].block].at : 0,
                                     "there are two tensors of this name");
    }
    return true;
}

/* ---- opening */

typedef struct file_format {
    const char *name;
    bool (*read)(tn_file *file, const tn_file_options *options);
} file_format;

static const file_format file_formats[] = {
    {"safetensors", tni_read_safetensors},
    {"npy", tni_read_npy},
    {"npz", tni_read_zip},
    {"pt", tni_read_torch_legacy},
    {"gguf", tni_read_gguf},
    {"onnx", tni_read_onnx},
    {"tensorproto", tni_read_onnx_tensor},
    {"csv", tni_read_csv},
    {"tsv", tni_read_csv},
    {"raw", tni_read_raw},
    {"shards", tni_read_shards},
};

/* The number of the format that the first bytes are of. */
static const char *file_recognise(const uint8_t *bytes, size_t size, uint64_t whole) {
    if (size >= 6 && memcmp(bytes, "\x93NUMPY", 6) == 0)
        return "npy";
    if (size >= 4 && (memcmp(bytes, "PK\3\4", 4) == 0 || memcmp(bytes, "PK\5\6", 4) == 0))
        return "npz";
    if (size >= 4 && memcmp(bytes, "GGUF", 4) == 0)
        return "gguf";
    if (size >= 14 && bytes[0] == 0x80 && bytes[1] >= 2 && bytes[1] <= 5 && (bytes[2] == 0x8a || bytes[2] == 0x95))
        return "pt"; /* a pickle that begins with a long integer: the magic number */
    if (size >= 9 && bytes[8] == '{' && tni_little(bytes, 8) <= whole)
        return "safetensors";
    if (size && tni_is_shard_index(bytes, size))
        return "shards";
    if (tni_is_onnx(bytes, size))
        return "onnx";
    return NULL;
}

static bool file_read(tn_file *file, const tn_file_options *options) {
    const char *format = options->format;
    if (format && strcmp(format, "pt") == 0)
        format = NULL; /* there are two of them */
    if (!format) {
        tni_piece piece;
        uint64_t size = file->source.size < 4096 ? file->source.size : 4096;
        if (!tni_source_view(file, 0, size, &piece))
            return false;
        format = file_recognise(piece.bytes, piece.size, file->source.size);
        tni_piece_end(&piece);
        if (!format)
            return tni_file_complain(file, TN_ERROR_IO, NULL, 0, "%s",
                                     size
                                         ? "the beginning is not that of npy, npz, safetensors, PyTorch, GGUF or ONNX (csv and "
                                           "raw must be named)"
                                         : "the file is empty");
    }
    for (size_t i = 0; i < TNI_COUNT_OF(file_formats); i++)
        if (strcmp(format, file_formats[i].name) == 0) {
            file->format = file_formats[i].name;
            return file_formats[i].read(file, options) && file_index(file);
        }
    tni_raise(TN_ERROR_ARGUMENT, "there is no format \"%.40s\"; there are npy, npz, safetensors, pt, gguf, onnx, csv, tsv, raw",
              format);
    return false;
}

static tn_file *file_begin(const tn_file_options *given, tn_file_options *options) {
    *options = (tn_file_options)TN_FILE_OPTIONS;
    if (given) {
        if (given->struct_size == 0 || given->struct_size > sizeof *options)
            return tni_raise_null(TN_ERROR_ARGUMENT, "options.struct_size is %zu, not sizeof(tn_file_options)",
                                  given->struct_size);
        memcpy(options, given, given->struct_size);
    }
    if ((unsigned)options->mode > TN_FILE_STREAM)
        return tni_raise_null(TN_ERROR_ARGUMENT, "there is no mode number %d", (int)options->mode);
    if (!tni_check_dims(options->sizes, "options.sizes") || !tni_check_dtype(options->dtype, true, "options.dtype"))
        return NULL;
    tn_file *file = tni_heap_calloc(sizeof *file);
    if (!file)
        return NULL;
    tni_object_init(&file->object, &tni_file_class);
    file->source.descriptor = -1;
    file->writable = options->writable;
    return file;
}

static tn_file *file_end(tn_file *file, bool whole, const char *outer) {
    if (file && !whole) {
        tni_object_release(&file->object);
        file = NULL;
    }
    tni_operator_leave(outer);
    return tni_scope_adopt(file);
}

tn_file *tn_file_open(const char *path, const tn_file_options *given) {
    const char *outer = tni_operator_enter("file_open");
    tn_file_options options;
    tn_file *file = path ? file_begin(given, &options) : (tni_raise_missing("path"), NULL);
    return file_end(file, file && tni_source_open(file, path, options.mode) && file_read(file, &options), outer);
}

tn_file *tn_file_open_stream(tn_read_function read_some, void *ctx, const tn_file_options *given) {
    const char *outer = tni_operator_enter("file_open_stream");
    tn_file_options options;
    tn_file *file = read_some ? file_begin(given, &options) : (tni_raise_missing("read"), NULL);
    return file_end(file, file && tni_source_open_stream(file, read_some, ctx) && file_read(file, &options), outer);
}

/* The memory is taken over last, when nothing can fail any more. */
static bool file_adopt_memory(tn_file *file, const void *data, size_t bytes, tn_ownership ownership) {
    tn_tensor *whole = tn_from_memory(data, (tn_dims){(const int64_t[]){(int64_t)bytes}, 1}, TN_UINT8, ownership);
    if (!whole)
        return false;
    tni_object_retain(&whole->storage->object);
    file->source.memory = whole->storage;
    if (bytes)
        file->source.bytes = whole->storage->pointer.data;
    tn_release(whole);
    return true;
}

tn_file *tn_file_open_memory(const void *data, size_t bytes, tn_ownership ownership, const tn_file_options *given) {
    const char *outer = tni_operator_enter("file_open_memory");
    tn_file_options options;
    tn_file *file = data || !bytes ? file_begin(given, &options) : (tni_raise_missing("data"), NULL);
    if (file) {
        bool ours = ownership.kind == TN_OWNERSHIP_COPY || ownership.kind == TN_OWNERSHIP_FREE;
        file->source.bytes = bytes ? data : (const uint8_t *)"";
        file->source.size = bytes;
        file->source.shares = options.mode != TN_FILE_READ && (!options.writable || ours);
    }
    return file_end(file, file && file_read(file, &options) && file_adopt_memory(file, data, bytes, ownership), outer);
}

/* ---- asking */

const char *tn_file_format(const tn_file *file) { return file_live(file, "file_format") ? file->format : ""; }
int64_t tn_file_count(const tn_file *file) { return file_live(file, "file_count") ? (int64_t)file->entry_count : -1; }
const tn_tree *tn_file_tree(const tn_file *file) { return file_live(file, "file_tree") ? file->tree : NULL; }

static const tni_file_entry *file_at(const tn_file *file, int64_t position) {
    int64_t count = (int64_t)file->entry_count, place = position < 0 ? position + count : position;
    if (place >= 0 && place < count)
        return &file->entries[place];
    return tni_raise_null(TN_ERROR_INDEX, "position %" PRId64 " is out of range for %" PRId64 " tensors", position, count);
}

tn_error tn_file_describe(const tn_file *file, int64_t position, tn_file_tensor *about) {
    if (!file_live(file, "file_describe"))
        return tni_failed();
    const char *outer = tni_operator_enter("file_describe");
    const tni_file_entry *entry = file_at(file, position);
    tn_error code = entry ? TN_OK : tni_failed();
    if (entry && (!about || about->struct_size < sizeof *about))
        code = tni_raise(TN_ERROR_ARGUMENT, "about must be a tn_file_tensor that begins as TN_FILE_TENSOR");
    if (code == TN_OK) {
        const tn_file *home = entry->shard ? entry->shard : file;
        const tni_file_block *block = &home->blocks[entry->block];
        *about = (tn_file_tensor){
            sizeof *about,
            entry->name,
            entry->dtype,
            {entry->sizes, entry->ndim},
            block->at + (block->packing == TNI_PLAIN ? (uint64_t)entry->offset * tn_dtype_size(entry->dtype) : 0),
            entry->strides || block->packing == TNI_PLAIN ? entry->numel * tn_dtype_size(entry->dtype) : block->bytes,
            entry->encoding,
            entry->requires_grad,
            entry->is_parameter};
    }
    tni_operator_leave(outer);
    return code;
}

int64_t tn_file_find(const tn_file *file, const char *name) {
    if (!file_live(file, "file_find") || !name)
        return -1;
    return file_find(file, name);
}

int64_t tn_file_metadata_count(const tn_file *file) {
    return file_live(file, "file_metadata_count") ? (int64_t)file->text_count : -1;
}

const char *tn_file_metadata_name(const tn_file *file, int64_t position) {
    if (!file_live(file, "file_metadata_name"))
        return NULL;
    if (position >= 0 && position < (int64_t)file->text_count)
        return file->texts[position].name;
    tni_raise_in("file_metadata_name", TN_ERROR_INDEX, "position %" PRId64 " is out of range for %zu texts", position,
                 file->text_count);
    return NULL;
}

int64_t tn_file_node_count(const tn_file *file) {
    if (!file_live(file, "file_node_count"))
        return -1;
    return file->onnx ? (int64_t)file->onnx->graph.node_count : 0;
}

tn_error tn_file_describe_node(const tn_file *file, int64_t position, tn_file_node *about) {
    int64_t count = tn_file_node_count(file), at = position < 0 ? position + count : position;
    if (count < 0)
        return tni_failed();
    const char *outer = tni_operator_enter("file_describe_node");
    tn_error code = TN_OK;
    if (at < 0 || at >= count)
        code = tni_raise(TN_ERROR_INDEX, "there is no node %" PRId64 ": the graph has %" PRId64, position, count);
    else if (!about || about->struct_size < sizeof *about)
        code = tni_raise(TN_ERROR_ARGUMENT, "about must be a tn_file_node that begins as TN_FILE_NODE");
    else {
        const tni_onnx_node *node = &file->onnx->graph.nodes[at];
        *about = (tn_file_node){.struct_size = sizeof *about,
                                .operation = node->operation,
                                .domain = node->domain,
                                .name = node->name,
                                .inputs = node->inputs,
                                .outputs = node->outputs,
                                .input_count = (int64_t)node->input_count,
                                .output_count = (int64_t)node->output_count};
    }
    tni_operator_leave(outer);
    return code;
}

const char *tn_file_metadata(const tn_file *file, const char *name) {
    if (!file_live(file, "file_metadata") || !name)
        return NULL;
    int64_t found = tni_file_find_text(file, name);
    return found < 0 ? NULL : file->texts[found].text;
}

/* ---- taking */

static void file_let_go(void *storage) { tni_storage_release(storage); }

/* A storage over the bytes of another from `skip` on, which it keeps. Takes the reference, also where it fails. */
static tn_storage *file_inside(tn_storage *outer, const void *bytes, size_t size, tn_dtype dtype) {
    tn_data_ptr pointer = tn_data_ptr_make((void *)(uintptr_t)bytes, outer, file_let_go, TN_DEVICE_CPU);
    tn_storage *inside = tni_storage_wrap(&pointer, size, dtype);
    if (!inside)
        tni_storage_release(outer);
    return inside;
}

static const char *file_inflate(const tn_file *file, const tni_file_block *block, const uint8_t *packed, uint8_t *target,
                                size_t size) {
    const char *wrong = tni_inflate(packed, (size_t)block->bytes, target, size, false);
    if (!wrong && block->has_crc && tni_crc32(0, target, size) != block->crc)
        wrong = "the checksum of the unpacked bytes is not the one in the file";
    (void)file;
    return wrong;
}

/* What is not plain, made in new memory. */
static tn_storage *file_unpack(const tn_file *file, const tni_file_block *block, const char *name) {
    tni_piece piece;
    if (!tni_source_view(file, block->at, block->bytes, &piece))
        return NULL;
    size_t skip = (size_t)block->skip, size = (size_t)block->unpacked, item = tn_dtype_size(block->dtype);
    tn_storage *storage = tni_storage_new(skip + size, block->dtype, NULL);
    bool done = storage != NULL;
    uint8_t *target = done ? storage->pointer.data : NULL;
    if (done && block->packing == TNI_DEFLATED) {
        const char *wrong = file_inflate(file, block, piece.bytes, target, skip + size);
        done = !wrong || tni_file_complain(file, TN_ERROR_IO, name, block->at, "%s", wrong);
        if (done && skip % item) { /* elements begin where C may read them */
            memmove(target + skip - skip % item, target + skip, size);
            skip -= skip % item;
        }
    } else if (done && block->packing == TNI_PROTO)
        done = tni_onnx_unpack(file, block, piece.bytes, storage->pointer.data, size / item);
    else if (done)
        tni_gguf_unpack(block->detail, piece.bytes, storage->pointer.data, size / item, block->dtype == TN_FLOAT16);
    tni_piece_end(&piece);
    if (!done && storage) {
        tni_storage_release(storage);
        return NULL;
    }
    return storage && skip ? file_inside(storage, target + skip, size, block->dtype) : storage;
}

static tn_storage *file_copy(const tn_file *file, const tni_file_block *block, const char *name) {
    tn_storage *storage = tni_storage_new((size_t)block->bytes, block->dtype, NULL);
    if (!storage)
        return NULL;
    bool done = tni_source_read(file, block->at, storage->pointer.data, (size_t)block->bytes);
    if (done && block->has_crc && tni_crc32(block->crc_before, storage->pointer.data, (size_t)block->bytes) != block->crc)
        done = tni_file_complain(file, TN_ERROR_IO, name, block->at, "the checksum is not the one in the file");
    if (done)
        return storage;
    tni_storage_release(storage);
    return NULL;
}

static tn_storage *file_part(const tn_file *file, const tni_file_block *block, const char *name) {
    tn_storage *whole = tni_file_block_storage((tn_file *)(uintptr_t)file, block->whole - 1, name);
    if (!whole || !block->bytes) {
        if (whole)
            tni_storage_release(whole);
        return whole ? tni_storage_new(0, block->dtype, NULL) : NULL;
    }
    return file_inside(whole, (const uint8_t *)whole->pointer.data + block->skip, (size_t)block->bytes, block->dtype);
}

static tn_storage *file_storage(const tn_file *file, const tni_file_block *block, const char *name) {
    size_t item = tn_dtype_size(tn_dtype_to_real(block->dtype));
    const uint8_t *there = file->source.bytes ? file->source.bytes + block->at : NULL;
    tn_storage *storage;
    if (block->whole)
        storage = file_part(file, block, name);
    else if (block->packing != TNI_PLAIN)
        storage = file_unpack(file, block, name);
    else if (file->source.shares && file->source.memory && !block->swapped && (uintptr_t)there % item == 0 && block->bytes) {
        if (!tni_source_still_there(file))
            return NULL;
        tni_object_retain(&file->source.memory->object);
        storage = file_inside(file->source.memory, there, (size_t)block->bytes, block->dtype);
    } else
        storage = file_copy(file, block, name);
    if (storage && block->swapped && !block->whole)
        tni_swap_bytes(storage->pointer.data, (size_t)block->unpacked / item, item);
    if (storage)
        tni_storage_set_readonly(storage, !file->writable);
    return storage;
}

tn_storage *tni_file_block_storage(tn_file *file, uint32_t number, const char *name) {
    tni_file_block *block = &file->blocks[number];
    tn_storage *storage = atomic_load_explicit(&block->storage, memory_order_acquire), *nobody = NULL;
    if (!storage) {
        if (!(storage = file_storage(file, block, name)) || !file->caches)
            return storage;
        if (!atomic_compare_exchange_strong_explicit(&block->storage, &nobody, storage, memory_order_acq_rel,
                                                     memory_order_acquire)) {
            tni_storage_release(storage); /* another thread was faster */
            storage = nobody;
        }
    }
    tni_object_retain(&storage->object);
    return storage;
}

/* A storage of bytes (.pt) may begin where elements of the tensor's own dtype may not: a copy of it then. Takes the reference. */
static tn_storage *file_aligned(tn_storage *storage, tn_dtype dtype) {
    if ((uintptr_t)storage->pointer.data % tn_dtype_size(tn_dtype_to_real(dtype)) == 0)
        return storage;
    tn_storage *copy = tni_storage_new(storage->nbytes, dtype, NULL);
    if (copy) {
        memcpy(copy->pointer.data, storage->pointer.data, storage->nbytes);
        tni_storage_set_readonly(copy, storage->locked & TNI_LOCKED_READONLY);
    }
    tni_storage_release(storage);
    return copy;
}

static tn_tensor *file_tensor(const tn_file *file, const tni_file_entry *entry) {
    tn_file *home = entry->shard ? entry->shard : (tn_file *)(uintptr_t)file;
    tn_storage *storage = tni_file_block_storage(home, entry->block, entry->name);
    if (!storage || !(storage = file_aligned(storage, entry->dtype)))
        return NULL;
    int64_t plain[TN_MAX_DIMS];
    if (!entry->strides)
        tn_geometry_contiguous_strides(entry->ndim, entry->sizes, plain);
    tn_tensor *tensor = tni_tensor_over(storage, entry->dtype, entry->ndim, entry->sizes,
                                        entry->strides ? entry->strides : plain, entry->offset);
    tni_storage_release(storage);
    return tensor;
}

tn_tensor *tn_file_take_at(const tn_file *file, int64_t position) {
    if (!file_live(file, "file_take_at"))
        return NULL;
    const char *outer = tni_operator_enter("file_take_at");
    const tni_file_entry *entry = file_at(file, position);
    tn_tensor *tensor = entry ? file_tensor(file, entry) : NULL;
    tni_operator_leave(outer);
    return tni_scope_adopt(tensor);
}

tn_tensor *tn_file_take(const tn_file *file, const char *name) {
    if (!file_live(file, "file_take"))
        return NULL;
    const char *outer = tni_operator_enter("file_take");
    tn_tensor *tensor = NULL;
    int64_t place = name ? file_find(file, name) : -1;
    if (!name)
        tni_raise_missing("name");
    else if (place < 0)
        tni_raise(TN_ERROR_ARGUMENT, "%s%s%s has no tensor \"%.200s\"", file->source.path ? "\"" : "the ",
                  file->source.path ? file->source.path : "file", file->source.path ? "\"" : "", name);
    else
        tensor = file_tensor(file, &file->entries[place]);
    tni_operator_leave(outer);
    return tni_scope_adopt(tensor);
}

/* Rows of plain elements that would be copied: only they are read. */
static tn_tensor *file_rows(const tn_file *file, const tni_file_entry *entry, int64_t begin, int64_t end) {
    const tn_file *home = entry->shard ? entry->shard : file;
    if (entry->ndim == 0)
        return tni_raise_null(TN_ERROR_SHAPE, "tensor \"%.120s\" has no dimensions, and so no rows", entry->name);
    int64_t rows = entry->sizes[0], size[TN_MAX_DIMS];
    begin = tni_max_i64(0, tni_min_i64(begin < 0 ? begin + rows : begin, rows));
    end = tni_max_i64(begin, tni_min_i64(end < 0 ? end + rows : end, rows));
    tni_file_block part = home->blocks[entry->block];
    if (home->source.shares || part.packing != TNI_PLAIN || entry->strides || entry->offset || home->caches) {
        tn_tensor *whole = file_tensor(file, entry);
        if (!whole)
            return NULL;
        memcpy(size, whole->sizes, sizeof *size * entry->ndim);
        size[0] = end - begin;
        tn_tensor *made = tni_tensor_view(whole, entry->ndim, size, whole->strides, whole->offset + begin * whole->strides[0]);
        tni_tensor_release(whole);
        return made;
    }
    uint64_t row = rows ? part.bytes / (uint64_t)rows : 0;
    memcpy(size, entry->sizes, sizeof *size * entry->ndim);
    size[0] = end - begin;
    part.at += (uint64_t)begin * row;
    part.bytes = part.unpacked = (uint64_t)(end - begin) * row;
    part.has_crc = false;
    tn_storage *storage = file_storage(home, &part, entry->name);
    if (!storage)
        return NULL;
    int64_t plain[TN_MAX_DIMS];
    tn_geometry_contiguous_strides(entry->ndim, size, plain);
    tn_tensor *made = tni_tensor_over(storage, entry->dtype, entry->ndim, size, plain, 0);
    tni_storage_release(storage);
    return made;
}

tn_tensor *tn_file_take_rows(const tn_file *file, int64_t position, int64_t begin, int64_t end) {
    if (!file_live(file, "file_take_rows"))
        return NULL;
    const char *outer = tni_operator_enter("file_take_rows");
    const tni_file_entry *entry = file_at(file, position);
    tn_tensor *tensor = entry ? file_rows(file, entry, begin, end) : NULL;
    tni_operator_leave(outer);
    return tni_scope_adopt(tensor);
}

static tn_parameters *file_take_all(const tn_file *file) {
    tn_parameters *all = tni_parameters_make();
    for (size_t i = 0; all && i < file->entry_count; i++) {
        const tni_file_entry *entry = &file->entries[i];
        bool first = file_find(file, entry->name) == (int64_t)i, reached = strcmp(entry->name, "?") != 0;
        tn_tensor *tensor = first ? file_tensor(file, entry) : NULL;
        bool added = tensor && tni_parameters_put(all, entry->name, tensor);
        if (!first) /* what the tree does not reach is nobody's; another that is lost would be noticed by nobody */
            added = !reached || tni_file_complain(file, TN_ERROR_UNSUPPORTED, entry->name, file->blocks[entry->block].at,
                                                  "there are two tensors of this name: take them by their places");
        tni_tensor_release(tensor);
        if (!added) {
            tni_object_release(&all->object);
            all = NULL;
        }
    }
    return all;
}

tn_parameters *tn_file_take_all(const tn_file *file) {
    if (!file_live(file, "file_take_all"))
        return NULL;
    const char *outer = tni_operator_enter("file_take_all");
    tn_parameters *all = file_take_all(file);
    tni_operator_leave(outer);
    return tni_scope_adopt(all);
}

tn_parameters *tn_load(const char *path) {
    tn_file_options options = TN_FILE_OPTIONS;
    options.mode = TN_FILE_READ;
    options.writable = true;
    tn_scope scope = tni_scope_open_hidden();
    tn_file *file = tn_file_open(path, &options);
    tn_parameters *all = file ? tn_file_take_all(file) : NULL;
    return tni_scope_adopt(tni_scope_close_hidden(scope, all));
}

static tn_tensor *file_record(const tn_file *file, const char *name) {
    const tni_zip_member *member = file->zip && name ? tni_zip_find(file, name) : NULL;
    bool legacy = !file->zip && file->pickle_bytes && name && strcmp(name, "data.pkl") == 0;
    tni_piece piece;
    if (!member && !legacy)
        return tni_raise_null(TN_ERROR_ARGUMENT, "the file has no record \"%.200s\"", name ? name : "");
    if (legacy ? !tni_source_view(file, file->pickle_at, file->pickle_bytes, &piece) : !tni_zip_bytes(file, member, &piece))
        return NULL;
    int64_t size = (int64_t)piece.size;
    tn_tensor *made = tni_tensor_new(1, &size, TN_UINT8, TN_DEVICE_CPU);
    if (made && size)
        memcpy(made->storage->pointer.data, piece.bytes, piece.size);
    tni_piece_end(&piece);
    return made;
}

tn_tensor *tn_file_record(const tn_file *file, const char *name) {
    if (!file_live(file, "file_record"))
        return NULL;
    const char *outer = tni_operator_enter("file_record");
    tn_tensor *made = file_record(file, name);
    tni_operator_leave(outer);
    return tni_scope_adopt(made);
}

tn_storage *tn_file_storage(const tn_file *file, const char *key) {
    if (!file_live(file, "file_storage"))
        return NULL;
    const char *outer = tni_operator_enter("file_storage");
    tn_storage *storage = NULL;
    int64_t block = key ? tni_file_find_key(file, key) : -1;
    if (block >= 0)
        storage = tni_file_block_storage((tn_file *)(uintptr_t)file, (uint32_t)block, NULL);
    else
        tni_raise(TN_ERROR_ARGUMENT, "the file has no storage \"%.200s\"", key ? key : "");
    tni_operator_leave(outer);
    return tni_scope_adopt(storage);
}

void tni_swap_bytes(void *bytes, size_t count, size_t width) {
    uint8_t *at = bytes;
    for (size_t i = 0; i < count && width > 1; i++, at += width)
        for (size_t k = 0; k < width / 2; k++) {
            uint8_t kept = at[k];
            at[k] = at[width - 1 - k];
            at[width - 1 - k] = kept;
        }
}

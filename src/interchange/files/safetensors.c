/* safetensors.c - reading safetensors, one file or many with an index (writer_formats.c writes them).
 *
 * A file is the length of the header in 8 bytes, the header in JSON, and the elements. Every rule of the format is enforced: the
 * header is at most 100 MB and an object; each tensor's range has exactly the bytes that dtype and shape ask for; ranges follow each
 * other without holes or overlaps, from the first byte after the header to the last of the file; no name is there twice.
 */
#include "interchange/files/json.h"

#include <stdlib.h>

/* What the others call them; those that Tenon does not have are refused by their names. */
static tn_dtype safetensors_dtype(const char *name) {
    for (int dtype = 1; dtype < TN_DTYPE_COUNT; dtype++) {
        const char *spelling = tn_dtype_spelling((tn_dtype)dtype, TN_SPELLING_SAFETENSORS);
        if (spelling && strcmp(spelling, name) == 0)
            return (tn_dtype)dtype;
    }
    return TN_DTYPE_DEFAULT;
}

typedef struct safetensors_about {
    tn_dtype dtype;
    int64_t sizes[TN_MAX_DIMS], ndim;
    uint64_t begin, end;
    unsigned seen; /* bits: dtype, shape, data_offsets */
} safetensors_about;

static bool safetensors_shape(tni_cursor *cursor, safetensors_about *about) {
    if (!tni_json_is(cursor, '['))
        return tni_cursor_complain(cursor, TN_ERROR_IO, "the shape should be an array");
    for (bool first = true; tni_json_more(cursor, ']', &first);) {
        uint64_t size;
        if (about->ndim == TN_MAX_DIMS)
            return tni_cursor_complain(cursor, TN_ERROR_UNSUPPORTED, "the shape has more than %d dimensions", TN_MAX_DIMS);
        if (!tni_json_number(cursor, &size))
            return false;
        about->sizes[about->ndim++] = (int64_t)size;
    }
    return !cursor->failed;
}

static bool safetensors_offsets(tni_cursor *cursor, safetensors_about *about) {
    uint64_t *ends[] = {&about->begin, &about->end};
    int count = 0;
    if (!tni_json_is(cursor, '['))
        return tni_cursor_complain(cursor, TN_ERROR_IO, "data_offsets should be an array");
    for (bool first = true; tni_json_more(cursor, ']', &first); count++)
        if (count == 2 || !tni_json_number(cursor, ends[count]))
            return tni_cursor_complain(cursor, TN_ERROR_IO, "data_offsets should be two numbers");
    return count == 2 || tni_cursor_complain(cursor, TN_ERROR_IO, "data_offsets should be two numbers");
}

static bool safetensors_member(tn_file *file, tni_cursor *cursor, const char *key, safetensors_about *about) {
    static const char *const keys[] = {"dtype", "shape", "data_offsets"};
    unsigned which = 0;
    while (which < 3 && strcmp(key, keys[which]) != 0)
        which++;
    if (which == 3)
        return tni_json_skip(cursor);
    if (about->seen & 1u << which)
        return tni_cursor_complain(cursor, TN_ERROR_IO, "\"%s\" is given twice", key);
    about->seen |= 1u << which;
    if (which == 1)
        return safetensors_shape(cursor, about);
    if (which == 2)
        return safetensors_offsets(cursor, about);
    const char *name = tni_json_text(cursor, &file->arena);
    about->dtype = name ? safetensors_dtype(name) : TN_DTYPE_DEFAULT;
    return about->dtype ||
           (name && tni_cursor_complain(cursor, TN_ERROR_UNSUPPORTED, "there is no dtype \"%.40s\" here", name));
}

static bool safetensors_tensor(tn_file *file, tni_cursor *cursor, const char *name, uint64_t data, uint64_t data_size) {
    safetensors_about about = {.ndim = 0};
    uint64_t numel, bytes;
    cursor->name = name;
    if (!tni_json_is(cursor, '{'))
        return tni_cursor_complain(cursor, TN_ERROR_IO, "a tensor should be described by an object");
    for (bool first = true; tni_json_more(cursor, '}', &first);) {
        const char *key = tni_json_key(cursor, &file->arena);
        if (!key || !safetensors_member(file, cursor, key, &about))
            return false;
    }
    if (about.seen != 7)
        return tni_cursor_complain(cursor, TN_ERROR_IO, "dtype, shape and data_offsets should all be given");
    if (!tni_file_measure(file, name, cursor->base + cursor->at, about.sizes, about.ndim, about.dtype, &numel, &bytes))
        return false;
    if (about.begin > about.end || about.end > data_size)
        return tni_cursor_complain(cursor, TN_ERROR_IO,
                                   "data_offsets %" PRIu64 " to %" PRIu64 " are not inside the %" PRIu64 " bytes of data",
                                   about.begin, about.end, data_size);
    if (about.end - about.begin != bytes)
        return tni_cursor_complain(cursor, TN_ERROR_IO, "%s of %s are %" PRIu64 " bytes, but data_offsets give it %" PRIu64,
                                   tni_show_dims(about.sizes, about.ndim), tn_dtype_name(about.dtype), bytes,
                                   about.end - about.begin);
    cursor->name = NULL;
    tni_file_block *block = tni_file_add_block(file, data + about.begin, bytes, about.dtype);
    return block && tni_file_add_entry(file, name, about.dtype, about.sizes, about.ndim);
}

static bool safetensors_text(tn_file *file, tni_cursor *cursor) {
    const char *key = tni_json_key(cursor, &file->arena), *text = key ? tni_json_text(cursor, &file->arena) : NULL;
    if (!text)
        return false;
    if (tni_file_find_text(file, key) >= 0)
        return tni_cursor_complain(cursor, TN_ERROR_IO, "__metadata__ has \"%.80s\" twice", key);
    return tni_file_add_text(file, key, text);
}

static bool safetensors_metadata(tn_file *file, tni_cursor *cursor) {
    if (!tni_json_is(cursor, '{'))
        return tni_cursor_complain(cursor, TN_ERROR_IO, "__metadata__ should be an object");
    bool good = true;
    for (bool first = true; good && tni_json_more(cursor, '}', &first);)
        good = safetensors_text(file, cursor);
    return good && !cursor->failed;
}

static int safetensors_order(const void *a, const void *b) {
    const tni_file_block *x = *(tni_file_block *const *)a, *y = *(tni_file_block *const *)b;
    return x->at != y->at ? (x->at < y->at ? -1 : 1) : (x->bytes > y->bytes) - (x->bytes < y->bytes);
}

/* Ranges in their order: each begins where the one before it ends. They are mostly in order already. */
static bool safetensors_check_ranges(const tn_file *file, uint64_t data) {
    size_t count = file->block_count, bytes = count * sizeof(tni_file_block *);
    const tni_file_block **order = tni_heap_alloc(bytes + 1);
    if (!order)
        return false;
    bool sorted = true, good = true;
    for (size_t i = 0; i < count; i++) {
        order[i] = &file->blocks[i];
        sorted &= i == 0 || safetensors_order(&order[i - 1], &order[i]) <= 0;
    }
    if (!sorted)
        qsort(order, count, sizeof *order, safetensors_order);
    uint64_t end = data;
    for (size_t i = 0; i < count && good; end = order[i]->at + order[i]->bytes, i++)
        if (order[i]->at != end)
            good = tni_file_complain(file, TN_ERROR_IO, file->entries[order[i] - file->blocks].name, order[i]->at,
                                     order[i]->at < end ? "the tensor overlaps the one before it, which ends at byte %" PRIu64
                                                        : "there is a hole before the tensor, from byte %" PRIu64,
                                     end);
    if (good && end != file->source.size)
        good = tni_file_complain(file, TN_ERROR_IO, NULL, end, "the tensors end here, but the file has %" PRIu64 " bytes",
                                 file->source.size);
    tni_heap_free(order, bytes + 1);
    return good;
}

static bool safetensors_header(tn_file *file, tni_cursor *cursor, uint64_t data) {
    bool metadata = false;
    if (cursor->size == 0 || cursor->bytes[0] != '{')
        return tni_cursor_complain(cursor, TN_ERROR_IO, "the header should begin with '{'");
    cursor->at = 1;
    for (bool first = true; tni_json_more(cursor, '}', &first);) {
        const char *name = tni_json_key(cursor, &file->arena);
        if (!name)
            return false;
        bool texts = strcmp(name, "__metadata__") == 0;
        if (texts && metadata)
            return tni_cursor_complain(cursor, TN_ERROR_IO, "__metadata__ is given twice");
        metadata |= texts;
        if (texts ? !safetensors_metadata(file, cursor)
                  : !safetensors_tensor(file, cursor, name, data, file->source.size - data))
            return false;
    }
    if (cursor->failed)
        return false;
    return tni_json_ended(cursor) || tni_cursor_complain(cursor, TN_ERROR_IO, "there is something behind the header's '}'");
}

bool tni_read_safetensors(tn_file *file, const tn_file_options *options) {
    (void)options;
    uint8_t head[8];
    if (file->source.size < 8)
        return tni_file_complain(file, TN_ERROR_IO, NULL, file->source.size, "the file ends before the length of its header");
    if (!tni_source_read(file, 0, head, 8))
        return false;
    uint64_t size = tni_little(head, 8);
    if (size > FILE_JSON_HEADER || size > file->source.size - 8)
        return tni_file_complain(file, TN_ERROR_IO, NULL, 0,
                                 "the header is said to have %" PRIu64 " bytes; there are %" PRIu64
                                 ", and at most %d are accepted",
                                 size, file->source.size - 8, FILE_JSON_HEADER);
    tni_piece piece;
    if (!tni_source_view(file, 8, size, &piece))
        return false;
    tni_cursor cursor = {.file = file, .bytes = piece.bytes, .base = 8, .size = piece.size};
    bool good = safetensors_header(file, &cursor, 8 + size);
    tni_piece_end(&piece);
    return good && safetensors_check_ranges(file, 8 + size);
}

/* ---- shards */

bool tni_is_shard_index(const uint8_t *bytes, size_t size) {
    size_t at = 0;
    while (at < size && bytes[at] && strchr(" \t\r\n", bytes[at]))
        at++;
    return at < size && bytes[at] == '{' && memmem(bytes, size, "\"weight_map\"", 12) != NULL;
}

/* The shard of this name, opened once. A name is of a file beside the index: nothing with a '/' in it, which could lead anywhere. */
static tn_file *safetensors_shard(tn_file *file, tni_cursor *cursor, const char *name, const tn_file_options *options) {
    const char *path = file->source.path, *slash = path ? strrchr(path, '/') : NULL;
    size_t folder = slash ? (size_t)(slash - path) + 1 : 0, length = strlen(name);
    if (!path || !length || strpbrk(name, "/\\") || strcmp(name, "..") == 0) {
        tni_cursor_complain(cursor, TN_ERROR_IO,
                            path ? "\"%.200s\" is not the name of a file in the index's folder"
                                 : "shard \"%.200s\": an index in memory has no folder",
                            name);
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
    tn_file_options inside = *options;
    inside.format = "safetensors";
    tn_scope scope = tni_scope_open_hidden();
    tn_file *shard = tni_scope_close_hidden(scope, tn_file_open(whole, &inside));
    if (!shard)
        return NULL;
    tni_object_hand_over(&shard->object);
    return file->shards[file->shard_count++] = shard;
}

static bool safetensors_map(tn_file *file, tni_cursor *cursor, const tn_file_options *options) {
    if (!tni_json_is(cursor, '{'))
        return tni_cursor_complain(cursor, TN_ERROR_IO, "weight_map should be an object");
    for (bool first = true; tni_json_more(cursor, '}', &first);) {
        const char *name = tni_json_key(cursor, &file->arena);
        const char *where = name ? tni_json_text(cursor, &file->arena) : NULL;
        tn_file *shard = where ? safetensors_shard(file, cursor, where, options) : NULL;
        if (!shard)
            return false;
        int64_t place = tn_file_find(shard, name);
        if (place < 0)
            return tni_cursor_complain(cursor, TN_ERROR_IO, "\"%.120s\" has no tensor \"%.120s\"", where, name);
        const tni_file_entry *found = &shard->entries[place];
        tni_file_entry *entry = tni_file_add_entry(file, name, found->dtype, found->sizes, found->ndim);
        if (!entry)
            return false;
        entry->shard = shard;
        entry->block = found->block;
    }
    return !cursor->failed;
}

static bool safetensors_index(tn_file *file, tni_cursor *cursor, const tn_file_options *options) {
    bool found = false;
    if (!tni_json_is(cursor, '{'))
        return tni_cursor_complain(cursor, TN_ERROR_IO, "the index should be an object");
    for (bool first = true; tni_json_more(cursor, '}', &first);) {
        const char *key = tni_json_key(cursor, &file->arena);
        if (!key ||
            !(strcmp(key, "weight_map") == 0 ? (found = safetensors_map(file, cursor, options)) : tni_json_skip(cursor)))
            return false;
    }
    return !cursor->failed && (found || tni_cursor_complain(cursor, TN_ERROR_IO, "the index has no weight_map"));
}

bool tni_read_shards(tn_file *file, const tn_file_options *options) {
    tni_piece piece;
    file->format = "safetensors";
    if (file->source.size > FILE_JSON_HEADER)
        return tni_file_complain(file, TN_ERROR_IO, NULL, 0, "an index of %" PRIu64 " bytes is too large", file->source.size);
    if (!tni_source_view(file, 0, file->source.size, &piece))
        return false;
    tni_cursor cursor = {.file = file, .bytes = piece.bytes, .size = piece.size};
    bool good = safetensors_index(file, &cursor, options);
    tni_piece_end(&piece);
    return good;
}

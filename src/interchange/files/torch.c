/* torch.c - PyTorch's files: the zip format (a pickle and a record for each storage), and the stream that torch.save wrote before 1.6 and
 * that packages still ship. pickle.c reads the pickles; here is where storages are found.
 *
 * Invariant: a block is made for a storage when the pickle first names it. In a zip its place is known then; in a stream the storages
 * follow the pickle, so their places are filled in afterwards, and a storage that has no data there is an error.
 */
#include "interchange/files/file.h"

enum { TORCH_RECORD = 512 }; /* bytes of a record's name: the folder is called as the file was, which has 255 */

static bool torch_big_endian(tn_file *file, const char *folder, bool *big) {
    char name[TORCH_RECORD];
    tni_text text = {name, sizeof name, 0};
    tni_text_append(&text, "%sbyteorder", folder);
    const tni_zip_member *member = tni_zip_find(file, name);
    tni_piece piece;
    *big = false;
    if (!member)
        return true;
    if (!tni_zip_bytes(file, member, &piece))
        return false;
    bool little = piece.size == 6 && memcmp(piece.bytes, "little", 6) == 0;
    *big = piece.size == 3 && memcmp(piece.bytes, "big", 3) == 0;
    tni_piece_end(&piece);
    return little || *big ||
           tni_file_complain(file, TN_ERROR_IO, NULL, member->header, "the byteorder is neither little nor big");
}

typedef struct torch_reading {
    tni_pickle pickle; /* first */
    const char *folder;
    bool big;
} torch_reading;

static tni_file_block *torch_known(tn_file *file, const char *key, uint32_t *number) {
    int64_t found = tni_file_find_key(file, key);
    *number = (uint32_t)found;
    return found < 0 ? NULL : &file->blocks[found];
}

static bool torch_same(tn_file *file, const tni_file_block *block, tn_dtype dtype, uint64_t bytes) {
    return (block->dtype == dtype && block->unpacked == bytes) ||
           tni_file_complain(file, TN_ERROR_IO, NULL, block->at, "storage \"%.60s\" is said to be %s, and then %s", block->key,
                             tn_dtype_name(block->dtype), tn_dtype_name(dtype));
}

static bool torch_new_block(tn_file *file, const char *key, uint64_t at, uint64_t bytes, tn_dtype dtype, uint32_t *number) {
    if (!tni_file_add_block(file, at, bytes, dtype) || !tni_file_set_key(file, key))
        return false;
    *number = (uint32_t)file->block_count - 1;
    return true;
}

static bool torch_zip_storage(tni_pickle *pickle, const char *key, tn_dtype dtype, uint64_t bytes, uint32_t *number) {
    torch_reading *reading = (torch_reading *)pickle;
    tn_file *file = pickle->file;
    char name[TORCH_RECORD];
    tni_text text = {name, sizeof name, 0};
    if (strlen(reading->folder) + strlen(key) > TORCH_RECORD - 8)
        return tni_cursor_complain(&pickle->cursor, TN_ERROR_UNSUPPORTED, "the key \"%.60s\" of a storage is too long", key);
    tni_text_append(&text, "%sdata/%s", reading->folder, key);
    tni_zip_member *member = tni_zip_find(file, name);
    if (member && member->block) {
        *number = member->block - 1;
        return torch_same(file, &file->blocks[*number], dtype, bytes);
    }
    if (!member)
        return tni_cursor_complain(&pickle->cursor, TN_ERROR_IO, "the archive has no record for storage \"%.60s\"", key);
    tni_zip_member found = *member;
    if (!tni_zip_locate(file, &found))
        return false;
    if (found.method)
        return tni_file_complain(file, TN_ERROR_UNSUPPORTED, NULL, found.at,
                                 "storage \"%.60s\" is deflated, which torch does not do", key);
    if (bytes > found.bytes)
        return tni_file_complain(file, TN_ERROR_IO, NULL, found.at,
                                 "storage \"%.60s\" should have %" PRIu64 " bytes, its record has %" PRIu64, key, bytes,
                                 found.bytes);
    if (!torch_new_block(file, key, found.at, bytes, dtype, number))
        return false;
    member->block = *number + 1;
    file->blocks[*number].swapped = reading->big && tn_dtype_size(tn_dtype_to_real(dtype)) > 1;
    return true;
}

bool tni_read_torch_zip(tn_file *file, const tn_file_options *options, const char *folder) {
    torch_reading reading = {.pickle = {.file = file, .options = options, .storage = torch_zip_storage}, .folder = folder};
    char name[TORCH_RECORD];
    tni_text text = {name, sizeof name, 0};
    tni_piece piece;
    if (strlen(folder) > TORCH_RECORD - 16)
        return tni_file_complain(file, TN_ERROR_UNSUPPORTED, NULL, 0, "the archive's folder has a name of more than %d bytes",
                                 TORCH_RECORD - 16);
    tni_text_append(&text, "%sdata.pkl", folder);
    const tni_zip_member *member = tni_zip_find(file, name);
    if (!member || !torch_big_endian(file, folder, &reading.big) || !tni_zip_bytes(file, member, &piece))
        return false;
    file->caches = true;
    tni_zip_member found = *member;
    reading.pickle.cursor = (tni_cursor){
        .file = file, .bytes = piece.bytes, .base = tni_zip_locate(file, &found) ? found.at : 0, .size = piece.size};
    tn_tree *tree = tni_pickle_read(&reading.pickle);
    tni_piece_end(&piece);
    if (!tree || !tni_file_add_text(file, "byteorder", reading.big ? "big" : "little"))
        return false;
    file->tree = tree;
    return tni_tree_name_tensors(file, tree);
}

/* ---- the older format: four pickles (a magic number, a version, what the system was like, the object), a fifth with the storages'
 * keys in order, and each storage as a count of elements in 8 bytes and the elements */

static bool torch_later_storage(tni_pickle *pickle, const char *key, tn_dtype dtype, uint64_t bytes, uint32_t *number) {
    tn_file *file = pickle->file;
    tni_file_block *known = torch_known(file, key, number);
    if (known)
        return torch_same(file, known, dtype, bytes);
    if (bytes > file->source.size)
        return tni_cursor_complain(&pickle->cursor, TN_ERROR_IO,
                                   "storage \"%.60s\" should have %" PRIu64 " bytes, more than the file", key, bytes);
    return torch_new_block(file, key, 0, bytes, dtype, number);
}

static bool torch_legacy_storage(tn_file *file, uint64_t *at, const tn_tree *key) {
    uint32_t number;
    uint8_t head[8];
    tni_file_block *block = key->kind == TN_TREE_TEXT ? torch_known(file, key->text, &number) : NULL;
    if (!block || block->at)
        return tni_file_complain(file, TN_ERROR_IO, NULL, *at, "the list of storages has one %s",
                                 block ? "twice" : "that no tensor has");
    if (file->source.size - *at < sizeof head)
        return tni_file_complain(file, TN_ERROR_IO, NULL, *at, "the file ends before the size of storage \"%.60s\"", key->text);
    if (!tni_source_read(file, *at, head, sizeof head))
        return false;
    uint64_t numel = tni_little(head, 8), item = tn_dtype_size(block->dtype);
    if (numel != block->unpacked / item)
        return tni_file_complain(file, TN_ERROR_IO, NULL, *at,
                                 "storage \"%.60s\" has %" PRIu64 " elements here, but %" PRIu64 " in the pickle", key->text,
                                 numel, block->unpacked / item);
    block->at = *at + sizeof head;
    if (block->bytes > file->source.size - block->at)
        return tni_file_complain(file, TN_ERROR_IO, NULL, *at,
                                 "storage \"%.60s\" has %" PRIu64 " bytes, but only %" PRIu64 " are left", key->text,
                                 block->bytes, file->source.size - block->at);
    *at = block->at + block->bytes;
    return true;
}

static bool torch_legacy(tn_file *file, tni_cursor *cursor, const void *options) {
    static const uint8_t magic[] = {0x6c, 0xfc, 0x9c, 0x46, 0xf9, 0x20, 0x6a, 0xa8, 0x50, 0x19};
    tni_pickle pickle = {.file = file, .options = options, .storage = torch_later_storage, .views = true, .cursor = *cursor};
    tn_tree *parts[5] = {NULL};
    for (int i = 0; i < 5; i++) {
        if (i == 3)
            file->pickle_at = pickle.cursor.at;
        if (!(parts[i] = tni_pickle_read(&pickle))) {
            cursor->starved = pickle.cursor.starved;
            return false;
        }
        if (i == 3)
            file->pickle_bytes = pickle.cursor.at - file->pickle_at;
        if (i == 0 && (parts[0]->kind != TN_TREE_BIG_INT || parts[0]->length != sizeof magic ||
                       memcmp(parts[0]->text, magic, sizeof magic) != 0))
            return tni_file_complain(file, TN_ERROR_IO, NULL, 0, "this is a pickle, but not one that torch.save wrote");
        if (i == 1 && (parts[1]->kind != TN_TREE_INT || parts[1]->number.value.i != 1001))
            return tni_file_complain(file, TN_ERROR_UNSUPPORTED, NULL, 0, "a version of the format other than 1001");
    }
    const tn_tree *little = tn_tree_find(parts[2], "little_endian");
    bool swapped = little && little->kind == TN_TREE_BOOL && !little->number.value.b;
    uint64_t at = pickle.cursor.at;
    if (parts[4]->kind != TN_TREE_LIST)
        return tni_file_complain(file, TN_ERROR_IO, NULL, at, "the storages should be listed before this");
    for (size_t i = 0; i < parts[4]->count; i++)
        if (!torch_legacy_storage(file, &at, parts[4]->items[i]))
            return false;
    for (size_t i = 0; i < file->block_count; i++) { /* a part comes after its whole */
        tni_file_block *block = &file->blocks[i];
        if (block->whole)
            block->at = file->blocks[block->whole - 1].at + block->skip;
        block->swapped = swapped && tn_dtype_size(tn_dtype_to_real(block->dtype)) > 1;
        if (!block->at)
            return tni_file_complain(file, TN_ERROR_IO, NULL, at, "storage \"%.60s\" is not in the file", block->key);
    }
    file->tree = parts[3];
    return tni_file_add_text(file, "byteorder", swapped ? "big" : "little") && tni_tree_name_tensors(file, parts[3]);
}

bool tni_read_torch_legacy(tn_file *file, const tn_file_options *options) {
    file->caches = true;
    return tni_source_header(file, torch_legacy, options);
}

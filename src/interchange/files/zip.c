/* zip.c - zip files, which .npz and PyTorch's .pt are: the directory at the end, and its members, stored or deflated; and writing them.
 *
 * The directory is what counts. A member's own header is only read for its length, because it says where the data begin; everything
 * is checked against the file before it is used. Encryption, spanned archives and other methods are refused by name.
 */
#include "interchange/files/writer.h"

#include <stdlib.h>

/* ---- reading */

enum { ZIP_END = 22, ZIP_LOCAL = 30, ZIP_ENTRY = 46, ZIP_COMMENT = 65535 };

typedef struct zip_directory {
    uint64_t at, size, count, end; /* end: where the records behind the directory begin */
} zip_directory;

static bool zip_find_end(const tn_file *file, zip_directory *directory) {
    uint64_t whole = file->source.size, window = whole < ZIP_END + ZIP_COMMENT + 20 ? whole : ZIP_END + ZIP_COMMENT + 20;
    tni_piece piece;
    if (!tni_source_view(file, whole - window, window, &piece))
        return false;
    const uint8_t *found = NULL;
    for (size_t back = ZIP_END; back <= piece.size && !found; back++) {
        const uint8_t *at = piece.bytes + piece.size - back;
        if (memcmp(at, "PK\5\6", 4) == 0 && tni_little(at + 20, 2) == back - ZIP_END)
            found = at;
    }
    bool good = found != NULL;
    uint64_t wide_at = 0;
    if (found) {
        uint64_t place = whole - window + (uint64_t)(found - piece.bytes);
        *directory = (zip_directory){tni_little(found + 16, 4), tni_little(found + 12, 4), tni_little(found + 10, 2), place};
        if (tni_little(found + 4, 2) || tni_little(found + 6, 2))
            good = tni_file_complain(file, TN_ERROR_UNSUPPORTED, NULL, place, "the archive is spread over several files");
        bool wide = directory->at == UINT32_MAX || directory->size == UINT32_MAX || directory->count == UINT16_MAX;
        if (wide && found - piece.bytes >= 20 && memcmp(found - 20, "PK\6\7", 4) == 0)
            wide_at = tni_little(found - 12, 8);
        else
            wide_at = UINT64_MAX;
    } else
        tni_file_complain(file, TN_ERROR_IO, NULL, whole, "the end of the archive's directory is missing");
    tni_piece_end(&piece);
    if (!good || wide_at == UINT64_MAX)
        return good;
    uint8_t wide[56];
    if (wide_at > directory->end || directory->end - wide_at < sizeof wide ||
        !tni_source_read(file, wide_at, wide, sizeof wide) || memcmp(wide, "PK\6\6", 4) != 0)
        return tni_file_complain(file, TN_ERROR_IO, NULL, directory->end,
                                 "the large archive's directory is not where it should be");
    *directory = (zip_directory){tni_little(wide + 48, 8), tni_little(wide + 40, 8), tni_little(wide + 32, 8), wide_at};
    return true;
}

/* The wide numbers of a member, in the order in which the narrow ones are full. */
static bool zip_widen(tni_cursor *cursor, const uint8_t *extra, size_t size, tni_zip_member *member) {
    uint64_t *numbers[] = {&member->unpacked, &member->bytes, &member->header};
    for (size_t at = 0; at + 4 <= size;) {
        size_t length = tni_little(extra + at + 2, 2), used = 0;
        if (length > size - at - 4)
            break;
        for (int i = 0; tni_little(extra + at, 2) == 1 && i < 3; i++)
            if (*numbers[i] == UINT32_MAX) {
                if (used + 8 > length)
                    return tni_cursor_complain(cursor, TN_ERROR_IO, "a member's wide numbers are cut off");
                *numbers[i] = tni_little(extra + at + 4 + used, 8);
                used += 8;
            }
        at += 4 + length;
    }
    return true;
}

static bool zip_member(tn_file *file, tni_cursor *cursor, const zip_directory *directory, tni_zip_member *member) {
    const uint8_t *head = tni_cursor_take(cursor, ZIP_ENTRY, "an entry of the archive's directory");
    if (!head)
        return false;
    if (memcmp(head, "PK\1\2", 4) != 0)
        return tni_cursor_complain(cursor, TN_ERROR_IO, "an entry of the archive's directory should be before this");
    unsigned flags = (unsigned)tni_little(head + 8, 2);
    size_t name_size = tni_little(head + 28, 2), extra_size = tni_little(head + 30, 2), comment = tni_little(head + 32, 2);
    *member = (tni_zip_member){.method = (uint16_t)tni_little(head + 10, 2),
                               .crc = (uint32_t)tni_little(head + 16, 4),
                               .bytes = tni_little(head + 20, 4),
                               .unpacked = tni_little(head + 24, 4),
                               .header = tni_little(head + 42, 4)};
    const uint8_t *name = tni_cursor_take(cursor, name_size, "a member's name");
    const uint8_t *extra = name ? tni_cursor_take(cursor, extra_size, "a member's extra field") : NULL;
    if (!extra || !tni_cursor_take(cursor, comment, "a member's comment"))
        return false;
    if (memchr(name, 0, name_size))
        return tni_cursor_complain(cursor, TN_ERROR_IO, "a member's name has a NUL in it");
    if (!(member->name = tni_arena_text(&file->arena, name, name_size)) || !zip_widen(cursor, extra, extra_size, member))
        return false;
    if (flags & 1)
        return tni_cursor_complain(cursor, TN_ERROR_UNSUPPORTED, "member \"%.120s\" is encrypted", member->name);
    if (member->method != 0 && member->method != 8)
        return tni_cursor_complain(cursor, TN_ERROR_UNSUPPORTED,
                                   "member \"%.120s\" is packed by method %u, not stored or deflated", member->name,
                                   member->method);
    if (member->header > directory->at || directory->at - member->header < ZIP_LOCAL ||
        member->bytes > directory->at - member->header - ZIP_LOCAL)
        return tni_cursor_complain(cursor, TN_ERROR_IO, "member \"%.120s\" is said to be at byte %" PRIu64 ", beyond the data",
                                   member->name, member->header);
    if (member->method ? member->unpacked / 1032 > member->bytes : member->unpacked != member->bytes)
        return tni_cursor_complain(cursor, TN_ERROR_IO,
                                   "member \"%.120s\" cannot have %" PRIu64 " bytes: it is %" PRIu64 " in the file",
                                   member->name, member->unpacked, member->bytes);
    return true;
}

bool tni_zip_locate(const tn_file *file, tni_zip_member *member) {
    uint8_t head[ZIP_LOCAL];
    if (!tni_source_read(file, member->header, head, sizeof head))
        return false;
    member->at = member->header + ZIP_LOCAL + tni_little(head + 26, 2) + tni_little(head + 28, 2);
    if (memcmp(head, "PK\3\4", 4) != 0 || member->at > file->source.size || member->bytes > file->source.size - member->at)
        return tni_file_complain(file, TN_ERROR_IO, member->name, member->header,
                                 "the member's own header is not there, or wrong");
    return true;
}

/* A name may be whole, or without the folder that it begins with. The first of several is the one that is found. */
static int64_t zip_find(const tni_zip *zip, const char *name, uint32_t hash) {
    size_t at = tni_lookup_begin(&zip->names, hash);
    int64_t found;
    while ((found = tni_lookup_next(&zip->names, hash, &at)) >= 0) {
        const char *own = zip->members[found].name, *slash = strchr(own, '/');
        if (strcmp(own, name) == 0 || (slash && strcmp(slash + 1, name) == 0))
            break;
    }
    return found;
}

static bool zip_index(tni_zip *zip, const char *name, size_t member) {
    uint32_t hash = tni_lookup_name(name);
    return zip_find(zip, name, hash) >= 0 || tni_lookup_add(&zip->names, hash, member);
}

void tni_zip_free(tni_zip *zip) {
    if (zip)
        tni_lookup_free(&zip->names);
}

static int zip_order(const void *a, const void *b) {
    const tni_zip_member *x = *(tni_zip_member *const *)a, *y = *(tni_zip_member *const *)b;
    return x->header < y->header ? -1 : x->header > y->header;
}

/* Members that lie over one another would let a small file stand for any number of bytes. */
static bool zip_apart(const tn_file *file, const tni_zip *zip) {
    size_t bytes = zip->count * sizeof(tni_zip_member *);
    tni_zip_member **order = tni_heap_alloc(bytes);
    if (!order)
        return false;
    for (size_t i = 0; i < zip->count; i++)
        order[i] = &zip->members[i];
    qsort(order, zip->count, sizeof *order, zip_order);
    bool good = true;
    for (size_t i = 1; i < zip->count && good; i++)
        if (order[i]->header - order[i - 1]->header < ZIP_LOCAL + order[i - 1]->bytes)
            good = tni_file_complain(file, TN_ERROR_IO, NULL, order[i]->header, "members \"%.80s\" and \"%.80s\" overlap",
                                     order[i - 1]->name, order[i]->name);
    tni_heap_free(order, bytes);
    return good;
}

static bool zip_read(tn_file *file) {
    zip_directory directory;
    tni_zip *zip = tni_arena_take(&file->arena, sizeof *zip);
    if (!zip || !zip_find_end(file, &directory))
        return false;
    if (directory.at > directory.end || directory.size > directory.end - directory.at ||
        directory.count > directory.size / ZIP_ENTRY)
        return tni_file_complain(file, TN_ERROR_IO, NULL, directory.end,
                                 "the archive's directory of %" PRIu64 " entries in %" PRIu64 " bytes at byte %" PRIu64
                                 " cannot be",
                                 directory.count, directory.size, directory.at);
    zip->members = tni_arena_take(&file->arena, (size_t)directory.count * sizeof *zip->members + 1);
    tni_piece piece;
    if (!zip->members || !tni_source_view(file, directory.at, directory.size, &piece))
        return false;
    tni_cursor cursor = {.file = file, .bytes = piece.bytes, .base = directory.at, .size = piece.size};
    while (zip->count < directory.count && zip_member(file, &cursor, &directory, &zip->members[zip->count]))
        zip->count++;
    tni_piece_end(&piece);
    file->zip = zip;
    if (zip->count != directory.count || !zip_apart(file, zip))
        return false;
    for (size_t i = 0; i < zip->count; i++) {
        const char *name = zip->members[i].name, *slash = strchr(name, '/');
        if (!zip_index(zip, name, i) || (slash && !zip_index(zip, slash + 1, i)))
            return false;
    }
    return true;
}

static bool zip_ends(const char *name, const char *end) {
    size_t length = strlen(name), wanted = strlen(end);
    return length >= wanted && strcmp(name + length - wanted, end) == 0;
}

tni_zip_member *tni_zip_find(const tn_file *file, const char *name) {
    int64_t found = zip_find(file->zip, name, tni_lookup_name(name));
    return found < 0 ? NULL : &file->zip->members[found];
}

/* torch does not check its files, and writes them without checksums where it is told to (set_crc32_options): neither do we. */
static bool zip_verify(const tn_file *file, const tni_zip_member *member, tni_piece *piece) {
    if (strcmp(file->format, "pt") == 0 || tni_crc32(0, piece->bytes, piece->size) == member->crc)
        return true;
    tni_piece_end(piece);
    return tni_file_complain(file, TN_ERROR_IO, member->name, member->at, "the checksum is not the one in the file");
}

bool tni_zip_bytes(const tn_file *file, const tni_zip_member *member, tni_piece *piece) {
    tni_zip_member copy = *member;
    if (!tni_zip_locate(file, &copy) || !tni_source_view(file, copy.at, copy.bytes, piece))
        return false;
    if (copy.method == 0)
        return zip_verify(file, &copy, piece);
    tni_piece unpacked = {NULL, (size_t)copy.unpacked, tni_heap_alloc((size_t)copy.unpacked)};
    unpacked.bytes = unpacked.owned;
    const char *wrong = unpacked.owned ? tni_inflate(piece->bytes, piece->size, unpacked.owned, unpacked.size, false) : "";
    if (wrong && *wrong)
        tni_file_complain(file, TN_ERROR_IO, member->name, copy.at, "%s", wrong);
    tni_piece_end(piece);
    *piece = unpacked;
    if (!wrong)
        return zip_verify(file, &copy, piece);
    tni_piece_end(piece);
    return false;
}

/* ---- npz */

static bool zip_array_header(tn_file *file, const tni_zip_member *member, const char *name, tni_file_block **block,
                             uint64_t *header, uint32_t *crc) {
    uint8_t first[12];
    tni_piece piece;
    if (member->unpacked < sizeof first)
        return tni_file_complain(file, TN_ERROR_IO, name, member->at, "the member ends before the header of its array");
    uint64_t seen = member->method || member->bytes < FILE_HEADER_STEP ? member->bytes : FILE_HEADER_STEP;
    if (!tni_source_view(file, member->at, seen, &piece))
        return false;
    const char *wrong = NULL;
    uint8_t *unpacked = NULL;
    uint64_t size = 0;
    if (member->method)
        wrong = tni_inflate(piece.bytes, piece.size, first, sizeof first, true);
    else
        memcpy(first, piece.bytes, sizeof first);
    tni_cursor cursor = {.file = file, .name = name, .bytes = first, .base = member->at, .size = sizeof first};
    bool good = !wrong && (size = tni_npy_header_size(&cursor)) != 0;
    if (good && size > member->unpacked)
        good = tni_file_complain(file, TN_ERROR_IO, name, member->at, "the member ends before the header of its array does");
    if (good && !member->method && size > seen) {
        tni_piece_end(&piece);
        if (!tni_source_view(file, member->at, size, &piece))
            return false;
    }
    if (good && member->method) {
        good = (unpacked = tni_heap_alloc((size_t)size)) != NULL;
        wrong = good ? tni_inflate(piece.bytes, piece.size, unpacked, (size_t)size, true) : NULL;
    }
    if (wrong)
        good = tni_file_complain(file, TN_ERROR_IO, name, member->at, "%s", wrong);
    if (good) {
        cursor = (tni_cursor){
            .file = file, .name = name, .bytes = unpacked ? unpacked : piece.bytes, .base = member->at, .size = (size_t)size};
        good = tni_npy_header(file, &cursor, name, block);
        *header = size;
        *crc = tni_crc32(0, cursor.bytes, (size_t)size);
    }
    if (unpacked)
        tni_heap_free(unpacked, (size_t)size);
    tni_piece_end(&piece);
    return good;
}

static bool zip_array(tn_file *file, tni_zip_member *member) {
    size_t length = strlen(member->name);
    const char *name = tni_arena_text(&file->arena, member->name, length - 4);
    tni_file_block *block;
    uint64_t header = 0;
    uint32_t crc = 0;
    if (!name || !tni_zip_locate(file, member) || !zip_array_header(file, member, name, &block, &header, &crc))
        return false;
    if (block->unpacked != member->unpacked - header)
        return tni_file_complain(file, TN_ERROR_IO, name, member->at,
                                 "the array has %" PRIu64 " bytes, the member %" PRIu64 " for them", block->unpacked,
                                 member->unpacked - header);
    if (member->method) {
        block->packing = TNI_DEFLATED;
        block->at = member->at;
        block->bytes = member->bytes;
        block->skip = header;
        file->entries[file->entry_count - 1].encoding = "deflate";
    } else {
        block->at = member->at + header;
        block->crc_before = crc;
    }
    block->crc = member->crc;
    block->has_crc = true;
    return true;
}

bool tni_read_zip(tn_file *file, const tn_file_options *options) {
    if (!zip_read(file))
        return false;
    for (size_t i = 0; i < file->zip->count; i++) {
        const char *name = file->zip->members[i].name, *slash = strchr(name, '/');
        if (slash && strcmp(slash, "/data.pkl") == 0) {
            const char *folder = tni_arena_text(&file->arena, name, (size_t)(slash - name) + 1);
            file->format = "pt";
            return folder && tni_read_torch_zip(file, options, folder);
        }
    }
    for (size_t i = 0; i < file->zip->count; i++) {
        tni_zip_member *member = &file->zip->members[i];
        if (!zip_ends(member->name, ".npy")) /* numpy gives the bytes of such members; here they are records */
            continue;
        if (!zip_array(file, member))
            return false;
    }
    return true;
}

/* ---- writing */

typedef struct tni_zip_written {
    const char *name;
    uint64_t at, size, packed; /* size: of the member unpacked */
    uint32_t crc;
} tni_zip_written;

static void zip_put_head(tn_writer *writer, const tni_zip_written *member, bool central, unsigned padding) {
    bool deflated = member->packed != member->size, wide_size = member->size >= UINT32_MAX,
         wide_at = central && member->at >= UINT32_MAX;
    unsigned wide = wide_size || wide_at ? 4u + (wide_size ? 16u : 0) + (wide_at ? 8u : 0) : 0;
    tni_put(writer, central ? "PK\1\2" : "PK\3\4", 4);
    if (central)
        tni_put_number(writer, 45, 2);         /* made by version 4.5 */
    tni_put_number(writer, wide ? 45 : 20, 2); /* needs               */
    tni_put_number(writer, 0x800, 2);          /* names are UTF-8     */
    tni_put_number(writer, deflated ? 8 : 0, 2);
    tni_put_number(writer, 0x00210000, 4); /* 1 January 1980      */
    tni_put_number(writer, member->crc, 4);
    tni_put_number(writer, wide_size ? UINT32_MAX : member->packed, 4);
    tni_put_number(writer, wide_size ? UINT32_MAX : member->size, 4);
    tni_put_number(writer, strlen(member->name), 2);
    tni_put_number(writer, wide + padding, 2);
    if (central) {
        tni_put_zeros(writer, 10); /* comment, disk, attributes */
        tni_put_number(writer, wide_at ? UINT32_MAX : member->at, 4);
    }
    tni_put_text(writer, member->name);
    if (wide) {
        tni_put_number(writer, 1, 2);
        tni_put_number(writer, wide - 4, 2);
        if (wide_size) {
            tni_put_number(writer, member->size, 8);
            tni_put_number(writer, member->packed, 8);
        }
        if (wide_at)
            tni_put_number(writer, member->at, 8);
    }
    if (padding) {
        tni_put(writer, "FB", 2);
        tni_put_number(writer, padding - 4, 2);
        tni_put_zeros(writer, padding - 4);
    }
}

void tni_zip_put(tni_zip_out *zip, const char *name, const void *head, size_t head_size, const void *bytes, size_t size,
                 bool align) {
    tn_writer *writer = zip->writer;
    void *members = zip->members;
    if (writer->failed)
        return;
    if (strlen(name) > UINT16_MAX - 128) {
        tni_raise(TN_ERROR_ARGUMENT, "the name \"%.60s...\" is too long for a member of a zip file", name);
        writer->failed = true;
        return;
    }
    const char *copy = tni_arena_text(&writer->arena, name, strlen(name));
    if (!copy || !tni_arena_grow(&writer->arena, &members, zip->count, &zip->capacity, sizeof *zip->members)) {
        writer->failed = true;
        return;
    }
    zip->members = members;
    tni_zip_written *member = &zip->members[zip->count++];
    *member = (tni_zip_written){copy, writer->written, (uint64_t)head_size + size, (uint64_t)head_size + size, 0};
    member->crc = tni_crc32(tni_crc32(0, head, head_size), bytes, size);
    size_t packed_size = 0, capacity = 0;
    void *packed = writer->level && !zip->stored && size
                       ? tni_deflate(head, head_size, bytes, size, writer->level, &packed_size, &capacity, &writer->failed)
                       : NULL;
    if (packed) {
        align = false;
        member->packed = packed_size;
    }
    uint64_t data = writer->written + ZIP_LOCAL + strlen(name) + (member->size >= UINT32_MAX ? 20u : 0);
    unsigned padding = align ? (unsigned)(64 - data % 64) % 64 : 0;
    if (padding && padding < 4)
        padding += 64;
    zip_put_head(writer, member, false, padding);
    if (packed) {
        tni_put(writer, packed, packed_size);
        tni_heap_free(packed, capacity);
        return;
    }
    tni_put(writer, head, head_size);
    tni_put(writer, bytes, size);
}

void tni_zip_finish(tni_zip_out *zip) {
    tn_writer *writer = zip->writer;
    uint64_t at = writer->written;
    for (size_t i = 0; i < zip->count; i++)
        zip_put_head(writer, &zip->members[i], true, 0);
    uint64_t size = writer->written - at;
    bool wide = zip->count >= UINT16_MAX || at >= UINT32_MAX || size >= UINT32_MAX;
    if (wide) {
        uint64_t place = writer->written;
        tni_put(writer, "PK\6\6", 4);
        tni_put_number(writer, 44, 8);
        tni_put_number(writer, 45, 2);
        tni_put_number(writer, 45, 2);
        tni_put_zeros(writer, 8);
        tni_put_number(writer, zip->count, 8);
        tni_put_number(writer, zip->count, 8);
        tni_put_number(writer, size, 8);
        tni_put_number(writer, at, 8);
        tni_put(writer, "PK\6\7", 4);
        tni_put_zeros(writer, 4);
        tni_put_number(writer, place, 8);
        tni_put_number(writer, 1, 4);
    }
    tni_put(writer, "PK\5\6", 4);
    tni_put_zeros(writer, 4);
    for (int i = 0; i < 2; i++)
        tni_put_number(writer, wide ? UINT16_MAX : zip->count, 2);
    tni_put_number(writer, wide ? UINT32_MAX : size, 4);
    tni_put_number(writer, wide ? UINT32_MAX : at, 4);
    tni_put_zeros(writer, 2);
}

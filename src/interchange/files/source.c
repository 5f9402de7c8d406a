/* source.c - the bytes of a file, however they are reached: mapped, read when they are wanted, or all in memory; and the arena and
 * the cursor that every reader uses.
 *
 * Invariant: no function here looks at a byte beyond `size`, which is what the file had when it was opened.
 */
#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

#include "interchange/files/source.h"

/* ---- the arena */

void *tni_arena_take(tni_arena *arena, size_t bytes) {
    bytes = (bytes + 15) & ~(size_t)15;
    if (!arena->first || arena->first->size - arena->used < bytes) {
        size_t room = bytes > FILE_ARENA_BLOCK / 4 ? bytes : FILE_ARENA_BLOCK,
               head = (sizeof(tni_arena_block) + 15) & ~(size_t)15;
        tni_arena_block *block = room > SIZE_MAX / 2 ? NULL : tni_heap_calloc(head + room);
        if (!block)
            return NULL;
        block->size = head + room;
        block->next = arena->first;
        arena->first = block;
        arena->used = head;
    }
    void *taken = (char *)arena->first + arena->used;
    arena->used += bytes;
    return taken;
}

char *tni_arena_text(tni_arena *arena, const void *text, size_t length) {
    char *copy = tni_arena_take(arena, length + 1);
    if (copy && length)
        memcpy(copy, text, length);
    return copy;
}

int64_t *tni_arena_dims(tni_arena *arena, const int64_t *values, int64_t count) {
    int64_t *copy = tni_arena_take(arena, (size_t)(count + 1) * sizeof *copy);
    if (copy && count)
        memcpy(copy, values, (size_t)count * sizeof *copy);
    return copy;
}

void tni_arena_free(tni_arena *arena) {
    for (tni_arena_block *block = arena->first, *next; block; block = next) {
        next = block->next;
        tni_heap_free(block, block->size);
    }
    arena->first = NULL;
}

bool tni_arena_grow(tni_arena *arena, void **items, size_t count, size_t *capacity, size_t item) {
    if (count < *capacity)
        return true;
    size_t wanted = *capacity ? 2 * *capacity : 4;
    void *moved = tni_arena_take(arena, wanted * item);
    if (!moved)
        return false;
    if (count)
        memcpy(moved, *items, count * item);
    *items = moved;
    *capacity = wanted;
    return true;
}

/* ---- errors */

static void source_name(const tn_file *file, const char *name, tni_text *text) {
    if (file->source.path)
        tni_text_append(text, "\"%.200s\"", file->source.path);
    else
        tni_text_append(text, "the %s data", file->format ? file->format : "file's");
    if (name)
        tni_text_append(text, ", tensor \"%.120s\"", name);
}

static void source_complain(const tn_file *file, tn_error code, const char *name, uint64_t at, const char *format,
                            va_list arguments) {
    char where[400], what[400];
    tni_text text = {where, sizeof where, 0};
    source_name(file, name, &text);
    vsnprintf(what, sizeof what, format, arguments);
    tni_raise(code, "%s, byte %" PRIu64 ": %s", where, at, what);
}

bool tni_file_complain(const tn_file *file, tn_error code, const char *name, uint64_t at, const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    source_complain(file, code, name, at, format, arguments);
    va_end(arguments);
    return false;
}

bool tni_cursor_complain(tni_cursor *cursor, tn_error code, const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    if (!cursor->failed) /* what follows from the first error is not another one */
        source_complain(cursor->file, code, cursor->name, cursor->base + cursor->at, format, arguments);
    va_end(arguments);
    cursor->failed = true;
    return false;
}

/* ---- the cursor */

const uint8_t *tni_cursor_take(tni_cursor *cursor, uint64_t count, const char *what) {
    if (cursor->partial && !cursor->failed && count > cursor->size - cursor->at) {
        cursor->failed = cursor->starved = true;
        return NULL;
    }
    if (cursor->failed || count > cursor->size - cursor->at) {
        tni_cursor_complain(cursor, TN_ERROR_IO, "%s needs %" PRIu64 " bytes, but only %zu are left", what, count,
                            cursor->size - cursor->at);
        return NULL;
    }
    const uint8_t *taken = cursor->bytes + cursor->at;
    cursor->at += (size_t)count;
    return taken;
}

uint64_t tni_cursor_number(tni_cursor *cursor, int width, const char *what) {
    const uint8_t *bytes = tni_cursor_take(cursor, (uint64_t)width, what);
    return bytes ? tni_little(bytes, width) : 0;
}

/* ---- reading */

bool tni_source_still_there(const tn_file *file) {
    struct stat about = {.st_size = 0};
    if (file->source.descriptor < 0)
        return true;
    if (fstat(file->source.descriptor, &about) != 0 || (uint64_t)about.st_size < file->source.size)
        return tni_file_complain(file, TN_ERROR_IO, NULL, (uint64_t)about.st_size,
                                 "the file ends here: it was made shorter since it was opened");
    return true;
}

bool tni_source_read(const tn_file *file, uint64_t at, void *target, size_t size) {
    const tni_file_source *source = &file->source;
    if (at > source->size || size > source->size - at)
        return tni_file_complain(file, TN_ERROR_IO, NULL, source->size, "the file ends before byte %" PRIu64, at + size);
    if (source->bytes) {
        if (!tni_source_still_there(file))
            return false;
        if (size)
            memcpy(target, source->bytes + at, size);
        return true;
    }
    for (size_t done = 0; done < size;) {
        ssize_t got = pread(source->descriptor, (char *)target + done, size - done, (off_t)(at + done));
        if (got < 0 && errno == EINTR)
            continue;
        if (got <= 0)
            return tni_file_complain(file, TN_ERROR_IO, NULL, at + done, "%s",
                                     got < 0 ? strerror(errno) : "the file ends here: it was made shorter since it was opened");
        done += (size_t)got;
    }
    return true;
}

bool tni_source_view(const tn_file *file, uint64_t at, uint64_t size, tni_piece *piece) {
    const tni_file_source *source = &file->source;
    *piece = (tni_piece){NULL, 0, NULL};
    if (at > source->size || size > source->size - at)
        return tni_file_complain(file, TN_ERROR_IO, NULL, source->size, "the file ends before byte %" PRIu64, at + size);
    piece->size = (size_t)size;
    if (source->bytes) {
        piece->bytes = source->bytes + at;
        return tni_source_still_there(file);
    }
    if (!(piece->owned = tni_heap_alloc(piece->size)))
        return false;
    piece->bytes = piece->owned;
    if (tni_source_read(file, at, piece->owned, piece->size))
        return true;
    tni_piece_end(piece);
    return false;
}

void tni_piece_end(tni_piece *piece) {
    if (piece->owned)
        tni_heap_free(piece->owned, piece->size);
    piece->owned = NULL;
}

bool tni_source_header(tn_file *file, bool (*read_header)(tn_file *file, tni_cursor *cursor, const void *ctx),
                       const void *ctx) {
    for (uint64_t size = FILE_HEADER_STEP;; size *= 4) {
        tni_piece piece;
        if (file->source.bytes || size > file->source.size)
            size = file->source.size;
        if (!tni_source_view(file, 0, size, &piece))
            return false;
        tni_cursor cursor = {.file = file, .bytes = piece.bytes, .size = piece.size, .partial = size < file->source.size};
        bool good = read_header(file, &cursor, ctx);
        tni_piece_end(&piece);
        if (!cursor.starved)
            return good;
        file->block_count = file->entry_count = file->text_count = 0;
        tni_lookup_free(&file->keys);
        tni_lookup_free(&file->known_texts);
    }
}

/* ---- opening */

static bool source_fail(const tn_file *file, const char *what) {
    tni_raise(TN_ERROR_IO, "cannot %s \"%.300s\": %s", what, file->source.path, strerror(errno));
    return false;
}

/* All of a stream, in memory that doubles. */
static bool source_drain(tn_file *file, tn_read_function read_some, void *ctx, size_t expected) {
    tni_file_source *source = &file->source;
    size_t room = expected ? expected + 1 : FILE_STREAM_STEP, used = 0;
    source->memory = tni_storage_new(room, TN_UINT8, NULL);
    while (source->memory) {
        if (used == room) {
            if (room > (size_t)PTRDIFF_MAX / 2 || tni_storage_grow(source->memory, room *= 2) != TN_OK)
                return false;
        }
        int64_t got = read_some(ctx, (uint8_t *)source->memory->pointer.data + used, room - used);
        if (got < 0 || (uint64_t)got > room - used)
            return tni_file_complain(file, TN_ERROR_IO, NULL, used, "the stream failed here");
        if (got == 0)
            break;
        used += (size_t)got;
    }
    if (!source->memory)
        return false;
    source->bytes = source->memory->pointer.data;
    source->size = used;
    return true;
}

static int64_t source_read_descriptor(void *ctx, void *bytes, size_t size) {
    ssize_t got;
    do
        got = read(*(int *)ctx, bytes, size);
    while (got < 0 && errno == EINTR);
    return got;
}

bool tni_source_open_stream(tn_file *file, tn_read_function read_some, void *ctx) {
    file->source.shares = true;
    return source_drain(file, read_some, ctx, 0);
}

static bool source_map(tn_file *file) {
    tni_file_source *source = &file->source;
    source->memory = tni_storage_without_memory(TN_UINT8);
    if (!source->memory || tni_storage_map_open(source->memory, source->path, source->descriptor,
                                                file->writable ? TN_MAP_PRIVATE : TN_MAP_READONLY) != TN_OK)
        return false;
    source->size = source->memory->nbytes;
    source->bytes = source->size ? source->memory->pointer.data : (const uint8_t *)"";
    source->mapped = source->shares = true;
    return true;
}

bool tni_source_open(tn_file *file, const char *path, tn_file_mode mode) {
    tni_file_source *source = &file->source;
    struct stat about;
    if (!(source->path = tni_arena_text(&file->arena, path, strlen(path))))
        return false;
    do
        source->descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NOCTTY | (mode == TN_FILE_STREAM ? 0 : O_NONBLOCK));
    while (source->descriptor < 0 && errno == EINTR);
    if (source->descriptor < 0)
        return source_fail(file, "open");
    if (fstat(source->descriptor, &about) != 0)
        return source_fail(file, "examine");
    bool regular = S_ISREG(about.st_mode);
    if (!regular && (mode != TN_FILE_STREAM || S_ISDIR(about.st_mode))) {
        tni_raise(TN_ERROR_IO, "cannot open \"%.300s\": it is %s", path,
                  S_ISDIR(about.st_mode) ? "a directory" : "not a regular file; TN_FILE_STREAM reads it");
        return false;
    }
    source->size = (uint64_t)about.st_size;
    if (mode == TN_FILE_MAP)
        return source_map(file);
    if (mode == TN_FILE_READ)
        return true;
    source->shares = true;
    bool done = source_drain(file, source_read_descriptor, &source->descriptor, regular ? (size_t)about.st_size : 0);
    close(source->descriptor);
    source->descriptor = -1;
    return done;
}

void tni_source_close(tni_file_source *source) {
    if (source->descriptor >= 0)
        close(source->descriptor);
    if (source->memory)
        tni_storage_release(source->memory);
}

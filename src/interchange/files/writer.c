/* writer.c - tn_writer: gathering what is to be written, and getting it to its place in one piece.
 *
 * A file is written beside its place under another name, and given its own when all of it is written: whoever opens it sees the
 * old file or the new one. Invariant: until tn_writer_finish succeeds, nothing at `path` has changed.
 */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "interchange/files/json.h"
#include "interchange/files/writer.h"
#include "operators_create.h"
#include "operators_copy.h"
#include "tensor/check.h"
#include "train/parameters.h"

/* ---- bytes on their way out */

static void writer_send(tn_writer *writer, const uint8_t *bytes, size_t size) {
    if (writer->write) {
        if (!writer->failed && size && !writer->write(writer->ctx, bytes, size)) {
            tni_raise(TN_ERROR_IO, "the function that takes the bytes failed at byte %" PRIu64, writer->written - size);
            writer->failed = true;
        }
        return;
    }
    while (size && !writer->failed) {
        ssize_t sent = write(writer->descriptor, bytes, size < (1u << 30) ? size : (1u << 30));
        if (sent < 0 && errno == EINTR)
            continue;
        if (sent <= 0) {
            tni_raise(TN_ERROR_IO, "cannot write \"%.300s\", byte %" PRIu64 ": %s", writer->path, writer->written - size,
                      strerror(errno));
            writer->failed = true;
            return;
        }
        bytes += sent;
        size -= (size_t)sent;
    }
}

static void writer_flush(tn_writer *writer) {
    writer_send(writer, writer->buffer, writer->used);
    writer->used = 0;
}

/* Room on the disk for what comes, in one piece: ext4 then has no blocks to find while it is written, nor when the file is given its
 * name. A system that cannot do it, or has no room, says so when it is written. */
static void writer_reserve(const tn_writer *writer, size_t size) {
#if defined(FALLOC_FL_KEEP_SIZE)
    if (writer->descriptor >= 0 && size >= WRITER_RESERVED && writer->written <= INT64_MAX - size)
        (void)fallocate(writer->descriptor, FALLOC_FL_KEEP_SIZE, (off_t)writer->written, (off_t)size);
#else
    (void)writer, (void)size;
#endif
}

void tni_put(tn_writer *writer, const void *bytes, size_t size) {
    if (writer->failed)
        return;
    if (size > WRITER_BUFFER - writer->used)
        writer_flush(writer);
    writer_reserve(writer, size);
    writer->written += size;
    if (size >= WRITER_BUFFER) {
        writer_send(writer, bytes, size);
        return;
    }
    if (size)
        memcpy(writer->buffer + writer->used, bytes, size);
    writer->used += size;
}

void tni_put_number(tn_writer *writer, uint64_t number, int width) {
    uint8_t bytes[8];
    for (int i = 0; i < width; i++)
        bytes[i] = (uint8_t)(number >> (8 * i));
    tni_put(writer, bytes, (size_t)width);
}

void tni_put_text(tn_writer *writer, const char *text) { tni_put(writer, text, strlen(text)); }

void tni_put_zeros(tn_writer *writer, uint64_t count) {
    static const uint8_t zeros[32];
    for (; count; count -= count < sizeof zeros ? count : sizeof zeros)
        tni_put(writer, zeros, count < sizeof zeros ? (size_t)count : sizeof zeros);
}

tn_tensor *tni_written_elements(const tni_written *item) {
    if (!item->source && tni_tensor_is_contiguous(item->tensor))
        return tni_tensor_retain(item->tensor);
    tn_scope scope = tni_scope_open_hidden();
    const tn_tensor *converted = item->source ? tn_to(item->source, item->tensor->dtype) : item->tensor;
    return tni_scope_close_hidden(scope, tn_contiguous(converted, TN_CONTIGUOUS));
}

void tni_put_elements(tn_writer *writer, const tni_written *item) {
    tn_tensor *plain = writer->failed ? NULL : tni_written_elements(item);
    writer->failed |= !plain;
    if (plain && plain->numel)
        tni_put(writer, tni_tensor_read(plain), (size_t)plain->numel * tni_tensor_item_size(plain));
    tni_tensor_release(plain);
}

/* ---- the object */

static void writer_destroy(tni_object *object) {
    tn_writer *writer = (tn_writer *)object;
    for (size_t i = 0; i < writer->item_count; i++) {
        if (writer->items[i].tensor)
            tni_object_drop(&writer->items[i].tensor->object);
        if (writer->items[i].source)
            tni_object_drop(&writer->items[i].source->object);
    }
    tni_lookup_free(&writer->names);
    tni_arena_free(&writer->arena);
    object->class = &tni_dead_class;
    tni_heap_free(writer, sizeof *writer);
}

static const tni_class writer_class = {"writer", writer_destroy};

static bool writer_live(const tn_writer *writer, const char *function) {
    const char *outer = tni_operator_enter(function);
    bool live = tni_object_check((const tni_object *)writer, &writer_class, "writer");
    if (live && writer->finished && strcmp(function, "writer_release") != 0 && strcmp(function, "writer_keep") != 0)
        live = tni_raise(TN_ERROR_STATE, "the writer has finished") == TN_OK;
    tni_operator_leave(outer);
    return live;
}

void tn_writer_release(tn_writer *writer) {
    if (writer && writer_live(writer, "writer_release"))
        tni_scope_release(&writer->object, "writer_release");
}

tn_writer *tn_writer_keep(tn_writer *writer) {
    if (!writer || !writer_live(writer, "writer_keep"))
        return NULL;
    if (!tni_scope_forget(&writer->object))
        tni_object_retain(&writer->object);
    return writer;
}

static tn_writer *writer_open(const char *path, tn_write_function write_some, void *ctx, const char *format) {
    const tni_format_writer *found = NULL;
    for (int i = 0; format && i < tni_format_writer_count; i++)
        if (strcmp(format, tni_format_writers[i].name) == 0)
            found = &tni_format_writers[i];
    if (!found)
        return tni_raise_null(TN_ERROR_ARGUMENT,
                              "cannot write \"%.40s\": the formats are npy, npz, safetensors, pt, gguf, csv, tsv, raw",
                              format ? format : "NULL");
    if (!path && !write_some) {
        tni_raise_missing("path");
        return NULL;
    }
    tn_writer *writer = tni_heap_calloc(sizeof *writer);
    if (!writer)
        return NULL;
    tni_object_init(&writer->object, &writer_class);
    writer->format = found;
    writer->write = write_some;
    writer->ctx = ctx;
    writer->descriptor = -1;
    if (path && !(writer->path = tni_arena_text(&writer->arena, path, strlen(path)))) {
        tni_object_release(&writer->object);
        return NULL;
    }
    return writer;
}

tn_writer *tn_writer_open(const char *path, const char *format) {
    const char *outer = tni_operator_enter("writer_open");
    tn_writer *writer = writer_open(path, NULL, NULL, format);
    tni_operator_leave(outer);
    return tni_scope_adopt(writer);
}

tn_writer *tn_writer_open_stream(tn_write_function write_some, void *ctx, const char *format) {
    const char *outer = tni_operator_enter("writer_open_stream");
    tn_writer *writer = write_some ? writer_open(NULL, write_some, ctx, format) : (tni_raise_missing("write"), NULL);
    tni_operator_leave(outer);
    return tni_scope_adopt(writer);
}

tn_error tn_writer_configure(tn_writer *writer, const tn_writer_options *options) {
    if (!writer_live(writer, "writer_configure"))
        return tni_failed();
    const char *outer = tni_operator_enter("writer_configure");
    tn_error code = TN_OK;
    tn_writer_options wanted = TN_WRITER_OPTIONS;
    if (!options || options->struct_size == 0 || options->struct_size > sizeof wanted)
        code = tni_raise(TN_ERROR_ARGUMENT, "options must be a tn_writer_options that begins as TN_WRITER_OPTIONS");
    else
        memcpy(&wanted, options, options->struct_size);
    if (code == TN_OK && (wanted.level < 0 || wanted.level > 9))
        code = tni_raise(TN_ERROR_ARGUMENT, "options.level is 0 (stored) or 1 to 9, not %d", wanted.level);
    if (code == TN_OK && wanted.level && strcmp(writer->format->name, "npz") != 0)
        code = tni_raise(TN_ERROR_UNSUPPORTED, "%s is not compressed: options.level is for npz", writer->format->name);
    if (code == TN_OK) {
        writer->level = wanted.level;
        writer->durable = wanted.durable;
    }
    tni_operator_leave(outer);
    return code;
}

/* ---- adding */

void tni_writer_group(tn_writer *writer, const char *group) { writer->group = group; }

/* `source`: NULL, or what the elements come from; `tensor` need not have any then. */
static tn_error writer_add(tn_writer *writer, const char *name, const tn_tensor *tensor, const tn_tensor *source,
                           double number) {
    if (!name)
        return tni_raise_missing("name");
    if (!writer->format->one && !tni_is_utf8(name, strlen(name)))
        return tni_raise(TN_ERROR_ARGUMENT, "the name \"%.120s\" is not UTF-8, as that of a tensor in a file is", name);
    if (tensor && (!tni_check_tensor(tensor, "tensor")))
        return tni_failed();
    if (tensor && tn_device_of(source ? source : tensor).type != TN_CPU)
        return tni_raise(TN_ERROR_DEVICE, "tensor \"%.120s\" is not in the CPU's memory", name);
    if (tensor && !writer->format->takes(tensor->dtype))
        return tni_raise(TN_ERROR_DTYPE, "tensor \"%.120s\": %s cannot hold %s", name, writer->format->name,
                         tn_dtype_name(tensor->dtype));
    if (writer->format->one && writer->item_count)
        return tni_raise(TN_ERROR_ARGUMENT, "%s holds one tensor, and there is one already", writer->format->name);
    uint32_t hash = tni_lookup_name(name);
    size_t at = tni_lookup_begin(&writer->names, hash);
    for (int64_t i; (i = tni_lookup_next(&writer->names, hash, &at)) >= 0;)
        if (writer->items[i].group == writer->group && strcmp(writer->items[i].name, name) == 0)
            return tni_raise(TN_ERROR_ARGUMENT, "there is a tensor \"%.200s\" already", name);
    void *items = writer->items;
    char *copy = tni_arena_text(&writer->arena, name, strlen(name));
    if (!copy || !tni_arena_grow(&writer->arena, &items, writer->item_count, &writer->item_capacity, sizeof *writer->items))
        return TN_ERROR_MEMORY;
    writer->items = items; /* at once: the capacity is theirs, also where what follows fails */
    if (!tni_lookup_add(&writer->names, hash, writer->item_count))
        return TN_ERROR_MEMORY;
    tni_written item = {.name = copy, .group = writer->group, .number = number};
    item.tensor = (tn_tensor *)(uintptr_t)tensor;
    item.source = (tn_tensor *)(uintptr_t)source;
    if (item.tensor)
        tni_object_hold(&item.tensor->object);
    if (item.source)
        tni_object_hold(&item.source->object);
    writer->items[writer->item_count++] = item;
    return TN_OK;
}

tn_error tn_writer_add(tn_writer *writer, const char *name, const tn_tensor *tensor) {
    if (!writer_live(writer, "writer_add"))
        return tni_failed();
    const char *outer = tni_operator_enter("writer_add");
    tn_error code = tni_check_tensor(tensor, "tensor") ? writer_add(writer, name, tensor, NULL, 0) : tni_failed();
    tni_operator_leave(outer);
    return code;
}

static tn_error writer_add_as(tn_writer *writer, const char *name, const tn_tensor *tensor, tn_dtype dtype) {
    if (!tni_check_tensor(tensor, "tensor"))
        return tni_failed();
    if (dtype == tensor->dtype)
        return writer_add(writer, name, tensor, NULL, 0);
    const tn_tensor *source = writer->format->later ? tensor : NULL;
    tn_scope scope = tni_scope_open_hidden();
    tn_tensor *made =
        source ? tn_empty_device((tn_dims){tensor->sizes, tensor->ndim}, dtype, (tn_device){TN_META, 0}) : tn_to(tensor, dtype);
    made = tni_scope_close_hidden(scope, made);
    tn_error code = made ? writer_add(writer, name, made, source, 0) : tni_failed();
    tni_tensor_release(made);
    return code;
}

tn_error tn_writer_add_as(tn_writer *writer, const char *name, const tn_tensor *tensor, tn_dtype dtype) {
    if (!writer_live(writer, "writer_add_as"))
        return tni_failed();
    const char *outer = tni_operator_enter("writer_add_as");
    tn_error code = writer_add_as(writer, name, tensor, dtype);
    tni_operator_leave(outer);
    return code;
}

tn_error tni_writer_add_number(tn_writer *writer, const char *name, double number) {
    return writer_add(writer, name, NULL, NULL, number);
}

tn_error tn_writer_add_all(tn_writer *writer, const tn_parameters *parameters) {
    if (!writer_live(writer, "writer_add_all"))
        return tni_failed();
    const char *outer = tni_operator_enter("writer_add_all");
    tn_error code = tni_check_parameters(parameters, "parameters") ? TN_OK : tni_failed();
    for (int64_t i = 0; code == TN_OK && i < parameters->count; i++)
        code = writer_add(writer, parameters->items[i].name, parameters->items[i].tensor, NULL, 0);
    tni_operator_leave(outer);
    return code;
}

static tn_error writer_add_metadata(tn_writer *writer, const char *name, const char *text) {
    if (!name || !text)
        return tni_raise_missing(name ? "text" : "name");
    if (!writer->format->texts)
        return tni_raise(TN_ERROR_UNSUPPORTED, "%s has no place for metadata", writer->format->name);
    if (!tni_is_utf8(name, strlen(name)) || !tni_is_utf8(text, strlen(text)))
        return tni_raise(TN_ERROR_ARGUMENT, "metadata \"%.120s\" is not UTF-8, or its text is not", name);
    if (strcmp(name, "general.alignment") == 0 && strcmp(writer->format->name, "gguf") == 0)
        return tni_raise(TN_ERROR_ARGUMENT, "metadata \"%s\" is the writer's own in gguf: a number, and 32", name);
    for (size_t i = 0; i < writer->text_count; i++)
        if (strcmp(writer->texts[i].name, name) == 0)
            return tni_raise(TN_ERROR_ARGUMENT, "there is metadata \"%.200s\" already", name);
    void *texts = writer->texts;
    const char *key = tni_arena_text(&writer->arena, name, strlen(name));
    const char *value = tni_arena_text(&writer->arena, text, strlen(text));
    if (!key || !value ||
        !tni_arena_grow(&writer->arena, &texts, writer->text_count, &writer->text_capacity, sizeof *writer->texts))
        return TN_ERROR_MEMORY;
    writer->texts = texts;
    writer->texts[writer->text_count++] = (tni_file_text){key, value};
    return TN_OK;
}

tn_error tn_writer_add_metadata(tn_writer *writer, const char *name, const char *text) {
    if (!writer_live(writer, "writer_add_metadata"))
        return tni_failed();
    const char *outer = tni_operator_enter("writer_add_metadata");
    tn_error code = writer_add_metadata(writer, name, text);
    tni_operator_leave(outer);
    return code;
}

static tn_error writer_add_record(tn_writer *writer, const char *name, const void *data, size_t bytes) {
    if (!name || (!data && bytes))
        return tni_raise_missing(name ? "data" : "name");
    if (!writer->format->records)
        return tni_raise(TN_ERROR_UNSUPPORTED, "%s has no records", writer->format->name);
    void *records = writer->records;
    const char *key = tni_arena_text(&writer->arena, name, strlen(name));
    const char *copy = tni_arena_text(&writer->arena, data, bytes);
    if (!key || !copy ||
        !tni_arena_grow(&writer->arena, &records, writer->record_count, &writer->record_capacity, sizeof *writer->records))
        return TN_ERROR_MEMORY;
    writer->records = records;
    writer->records[writer->record_count++] = (tni_written){.name = key, .record = (const uint8_t *)copy, .bytes = bytes};
    return TN_OK;
}

tn_error tn_writer_add_record(tn_writer *writer, const char *name, const void *data, size_t bytes) {
    if (!writer_live(writer, "writer_add_record"))
        return tni_failed();
    const char *outer = tni_operator_enter("writer_add_record");
    tn_error code = writer_add_record(writer, name, data, bytes);
    tni_operator_leave(outer);
    return code;
}

/* ---- finishing */

static tn_error writer_produce(tn_writer *writer) {
    if (writer->format->one && !writer->item_count)
        return tni_raise(TN_ERROR_ARGUMENT, "%s holds one tensor, and none was added", writer->format->name);
    if (!(writer->buffer = tni_heap_alloc(WRITER_BUFFER)))
        return TN_ERROR_MEMORY;
    bool done = writer->format->write(writer);
    if (done)
        writer_flush(writer);
    tni_heap_free(writer->buffer, WRITER_BUFFER);
    writer->buffer = NULL;
    return done && !writer->failed ? TN_OK : tni_failed();
}

static tn_error writer_fail(const char *what, const char *path) {
    return tni_raise(TN_ERROR_IO, "cannot %s \"%.300s\": %s", what, path, strerror(errno));
}

/* A new file beside `path`, whose name is written to `beside`, which has room for 24 more bytes. */
static int writer_create(const char *path, char *beside, size_t size) {
    static _Atomic uint32_t number;
    int file;
    const char *slash = strrchr(path, '/');
    size_t folder = slash ? (size_t)(slash - path) + 1 : 0, length = strlen(path);
    int kept =
        (int)(folder + (length - folder > 200 ? 200 : length - folder)); /* a name may have 255 bytes, the end included */
    for (int tries = 0; tries < 1000; tries++) {
        snprintf(beside, size, "%.*s.%lx-%x.tmp", kept, path, (long)getpid() & 0xfffffff,
                 (unsigned)atomic_fetch_add(&number, 1));
        do
            file = open(beside, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOCTTY, 0666);
        while (file < 0 && errno == EINTR);
        if (file >= 0 || errno != EEXIST)
            return file;
    }
    return -1;
}

/* The folder's entry, too, is on the disk; where the system does not let us, that is no error. */
static void writer_sync_folder(char *beside) {
    char *slash = strrchr(beside, '/');
    if (slash == beside)
        slash++;
    if (slash)
        *slash = 0;
    int folder = open(slash ? beside : ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (folder >= 0) {
        (void)fsync(folder);
        close(folder);
    }
}

/* A device or a pipe cannot be replaced: it gets the bytes as they come. */
static tn_error writer_to_device(tn_writer *writer) {
    do
        writer->descriptor = open(writer->path, O_WRONLY | O_CLOEXEC | O_NOCTTY);
    while (writer->descriptor < 0 && errno == EINTR);
    if (writer->descriptor < 0)
        return writer_fail("open", writer->path);
    tn_error code = writer_produce(writer);
    if (close(writer->descriptor) != 0 && code == TN_OK)
        code = writer_fail("write", writer->path);
    return code;
}

static tn_error writer_replace(tn_writer *writer, const char *path, const struct stat *old) {
    size_t size = strlen(path) + 32;
    char *beside = tni_arena_take(&writer->arena, size);
    if (!beside)
        return TN_ERROR_MEMORY;
    writer->descriptor = writer_create(path, beside, size);
    if (writer->descriptor < 0)
        return writer_fail("write", path);
    if (old)
        (void)fchmod(writer->descriptor, old->st_mode & 07777);
    tn_error code = writer_produce(writer);
    if (code == TN_OK && writer->durable && fsync(writer->descriptor) != 0)
        code = writer_fail("write", path);
    if (close(writer->descriptor) != 0 && code == TN_OK)
        code = writer_fail("write", path);
    if (code == TN_OK && rename(beside, path) != 0)
        code = writer_fail("replace", path);
    if (code != TN_OK)
        (void)unlink(beside);
    else if (writer->durable)
        writer_sync_folder(beside);
    return code;
}

static tn_error writer_finish(tn_writer *writer) {
    if (writer->write)
        return writer_produce(writer);
    struct stat about;
    bool there = stat(writer->path, &about) == 0;
    if (there && S_ISDIR(about.st_mode))
        return tni_raise(TN_ERROR_IO, "cannot write \"%.300s\": it is a directory", writer->path);
    if (there && !S_ISREG(about.st_mode))
        return writer_to_device(writer);
    char *real = there ? realpath(writer->path, NULL) : NULL; /* a link stays one */
    tn_error code = writer_replace(writer, real ? real : writer->path, there ? &about : NULL);
    free(real);
    return code;
}

tn_error tn_writer_finish(tn_writer *writer) {
    if (!writer_live(writer, "writer_finish"))
        return tni_failed();
    const char *outer = tni_operator_enter("writer_finish");
    writer->finished = true;
    tn_error code = writer_finish(writer);
    tni_operator_leave(outer);
    return code;
}

tn_error tn_save(const char *path, const char *format, const tn_parameters *parameters) {
    tn_scope scope = tni_scope_open_hidden();
    tn_writer *writer = tn_writer_open(path, format);
    tn_error code = writer ? tn_writer_add_all(writer, parameters) : tni_failed();
    if (code == TN_OK)
        code = tn_writer_finish(writer);
    (void)tni_scope_close_hidden(scope, NULL);
    return code;
}

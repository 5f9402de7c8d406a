/* mapped_file.c - a storage over a file that is mapped into memory.
 *
 * The example of a data pointer whose ctx is not its data: what is read begins anywhere in the file, what must be unmapped
 * begins at a page boundary at or before it and has a length, so ctx is a small struct with both, and the deleter gets that.
 *
 * Invariant: on failure nothing has changed, not even on disk. Everything that can fail for lack of memory comes first, then
 * the mapping, which may reach beyond the file's end, and the file is grown under it last; a file that was made here is removed
 * again.
 */
#include <errno.h>
#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/error.h"
#include "base/heap.h"
#include "base/scope.h"
#include "memory/storage.h"

typedef struct mapped_region {
    void *base;
    size_t length;
} mapped_region;

typedef struct mapped_request {
    const char *path;
    tn_map_mode mode;
    size_t offset, bytes;
    size_t end;   /* how long the file must be, once measured */
    bool grow;    /* and whether it is shorter than that      */
    bool created; /* the file was not there before            */
} mapped_request;

static void mapped_unmap(void *ctx) {
    mapped_region *region = ctx;
    munmap(region->base, region->length);
    tni_heap_free(region, sizeof *region);
}

/* Non-blocking, because opening a pipe would otherwise wait for its other end; a regular file does not care. */
static int mapped_open_with(const mapped_request *request, int flags) {
    int file;
    do
        file = open(request->path, flags | O_CLOEXEC | O_NONBLOCK | O_NOCTTY, 0666);
    while (file < 0 && errno == EINTR);
    return file;
}

/* A missing file is made when it will be given a size, so only for a shared map of a stated number of bytes. */
static int mapped_open(mapped_request *request) {
    bool shared = request->mode == TN_MAP_SHARED;
    int file = mapped_open_with(request, shared ? O_RDWR : O_RDONLY);
    if (file < 0 && errno == ENOENT && shared && request->bytes) {
        file = mapped_open_with(request, O_RDWR | O_CREAT | O_EXCL);
        request->created = file >= 0;
        if (file < 0 && errno == EEXIST) /* another process was faster */
            file = mapped_open_with(request, O_RDWR);
    }
    if (file < 0)
        tni_raise(TN_ERROR_IO, "cannot open \"%s\": %s", request->path, strerror(errno));
    return file;
}

/* Settles how many bytes there will be, and how long the file must be for them. */
static tn_error mapped_measure(mapped_request *request, int file) {
    struct stat about;
    if (fstat(file, &about) != 0)
        return tni_raise(TN_ERROR_IO, "cannot examine \"%s\": %s", request->path, strerror(errno));
    if (!S_ISREG(about.st_mode))
        return tni_raise(TN_ERROR_IO, "cannot map \"%s\": it is %s", request->path,
                         S_ISDIR(about.st_mode) ? "a directory" : "not a regular file");
    size_t size = (size_t)about.st_size;
    if (request->bytes == 0) {
        if (request->offset > size)
            return tni_raise(TN_ERROR_IO, "\"%s\" has %s, but offset is %zu", request->path, tni_show_bytes(size),
                             request->offset);
        request->bytes = size - request->offset;
    }
    request->end = request->offset + request->bytes;
    request->grow = request->end > size;
    if (request->grow && request->mode != TN_MAP_SHARED)
        return tni_raise(TN_ERROR_IO, "\"%s\" has %s, too short for %s from offset %zu", request->path, tni_show_bytes(size),
                         tni_show_bytes(request->bytes), request->offset);
    return TN_OK;
}

/* Makes the file at least `end` bytes long. Where the system can, by asking for its last byte: unlike ftruncate, that never
 * cuts off what another process has added since the measurement. Returns 0 or an errno. */
static int mapped_grow(int file, size_t end) {
    int reason;
    do {
#ifdef __APPLE__
        reason = ftruncate(file, (off_t)end) == 0 ? 0 : errno;
#else
        reason = posix_fallocate(file, (off_t)(end - 1), 1);
#endif
    } while (reason == EINTR);
    return reason;
}

static tn_error mapped_map(const mapped_request *request, int file, mapped_region *region, tn_data_ptr *pointer) {
    size_t before = request->offset % (size_t)sysconf(_SC_PAGESIZE);
    size_t length = before + request->bytes;
    int protection = request->mode == TN_MAP_READONLY ? PROT_READ : PROT_READ | PROT_WRITE;
    int sharing = request->mode == TN_MAP_PRIVATE ? MAP_PRIVATE : MAP_SHARED;
    if (tni_fault_hits())
        return tni_raise(TN_ERROR_MEMORY, "out of memory: cannot map \"%s\"", request->path);
    void *base = mmap(NULL, length, protection, sharing, file, (off_t)(request->offset - before));
    if (base == MAP_FAILED)
        return tni_raise(errno == ENOMEM ? TN_ERROR_MEMORY : TN_ERROR_IO, "cannot map %s of \"%s\": %s",
                         tni_show_bytes(request->bytes), request->path, strerror(errno));
    int reason = request->grow ? mapped_grow(file, request->end) : 0;
    if (reason) {
        munmap(base, length);
        return tni_raise(TN_ERROR_IO, "cannot grow \"%s\" to %s: %s", request->path, tni_show_bytes(request->end),
                         strerror(reason));
    }
    *region = (mapped_region){base, length};
    *pointer = tn_data_ptr_make((char *)base + before, region, mapped_unmap, TN_DEVICE_CPU);
    return TN_OK;
}

/* Gives the storage its memory; on failure it has none, and the file is as it was. */
static tn_error mapped_fill(mapped_request *request, int file, tn_storage *storage) {
    tn_error error = mapped_measure(request, file);
    if (error != TN_OK)
        return error;
    if (request->bytes) { /* the system does not map 0 bytes, and there is nothing to read */
        mapped_region *region = tni_heap_alloc(sizeof *region);
        if (!region)
            return TN_ERROR_MEMORY;
        tn_data_ptr pointer;
        error = mapped_map(request, file, region, &pointer);
        if (error != TN_OK) {
            tni_heap_free(region, sizeof *region);
            return error;
        }
        tni_storage_install(storage, &pointer, request->bytes);
    }
    tni_storage_set_readonly(storage, request->mode == TN_MAP_READONLY);
    return TN_OK;
}

static tn_error mapped_check(const mapped_request *request) {
    if (!request->path)
        return tni_raise_missing("path");
    if (request->mode != TN_MAP_READONLY && request->mode != TN_MAP_PRIVATE && request->mode != TN_MAP_SHARED)
        return tni_raise(TN_ERROR_ARGUMENT, "mode is %d, but there is no such mode", (int)request->mode);
    size_t end;
    if (__builtin_add_overflow(request->offset, request->bytes, &end) || end > (size_t)PTRDIFF_MAX)
        return tni_raise(TN_ERROR_ARGUMENT, "offset %zu and %zu bytes reach beyond what any file can have", request->offset,
                         request->bytes);
    return TN_OK;
}

tn_error tni_storage_map_file(tn_storage *storage, const char *path, tn_map_mode mode, size_t offset, size_t bytes) {
    mapped_request request = {.path = path, .mode = mode, .offset = offset, .bytes = bytes};
    tn_error error = mapped_check(&request);
    if (error != TN_OK)
        return error;
    int file = mapped_open(&request);
    if (file < 0)
        return TN_ERROR_IO;
    error = mapped_fill(&request, file, storage);
    close(file);
    if (error != TN_OK && request.created)
        (void)unlink(path);
    return error;
}

tn_error tni_storage_map_open(tn_storage *storage, const char *path, int file, tn_map_mode mode) {
    mapped_request request = {.path = path, .mode = mode};
    return mapped_fill(&request, file, storage);
}

/* The storage goes to its scope before the file is touched, as that may still fail. When the file fails, the scope keeps an
 * empty storage unless it is taken out again. */
static tn_storage *mapped_storage(const char *path, tn_map_mode mode, size_t offset, size_t bytes, tn_dtype dtype) {
    if (!(dtype = tni_storage_dtype_or_bytes(dtype)))
        return NULL;
    tn_storage *storage = tni_scope_adopt(tni_storage_without_memory(dtype));
    if (!storage || tni_storage_map_file(storage, path, mode, offset, bytes) == TN_OK)
        return storage;
    (void)tni_scope_forget(&storage->object);
    tni_storage_release(storage);
    return NULL;
}

tn_storage *tn_storage_from_file(const char *path, tn_map_mode mode, size_t offset, size_t bytes, tn_dtype dtype) {
    const char *outer = tni_operator_enter("storage_from_file");
    tn_storage *storage = mapped_storage(path, mode, offset, bytes, dtype);
    tni_operator_leave(outer);
    return storage;
}

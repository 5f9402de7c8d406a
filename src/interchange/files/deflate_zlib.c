/* deflate_zlib.c - zlib, where the system has it: found when something is first to be deflated, never linked. Its struct and its three
 * functions have been the same since 1.2; memory comes from our heap, so that its lack is an error like any other.
 */
#include "interchange/files/deflate.h"

#include <pthread.h>
#include <stdio.h>

#include <tenon/files.h>

#include "base/dynamic.h"
#include "base/error.h"
#include "base/heap.h"

/* zlib.h: z_stream, its return values and the constants of deflateInit2. */
typedef struct zlib_stream {
    const uint8_t *next_in;
    unsigned avail_in;
    unsigned long total_in;
    uint8_t *next_out;
    unsigned avail_out;
    unsigned long total_out;
    const char *message;
    void *state;
    void *(*take)(void *opaque, unsigned items, unsigned size);
    void (*give)(void *opaque, void *block);
    void *opaque;
    int data_type;
    unsigned long adler, reserved;
} zlib_stream;

enum {
    ZLIB_NO_FLUSH = 0,
    ZLIB_FINISH = 4,
    ZLIB_OK = 0,
    ZLIB_STREAM_END = 1,
    ZLIB_DEFLATED = 8,
    ZLIB_MEMORY = 8,
    ZLIB_RAW = -15
};

struct tni_deflate_zlib {
    int (*begin)(zlib_stream *stream, int level, int method, int window, int memory, int strategy, const char *version,
                 int size);
    int (*step)(zlib_stream *stream, int flush);
    int (*end)(zlib_stream *stream);
    const char *version;
    char about[40];
};

static tni_deflate_zlib zlib_found;
static bool zlib_there;

#if !defined(TN_WITHOUT_ZLIB) && TNI_HAS_DLOPEN

#include <dlfcn.h>

static bool zlib_symbol(void *library, const char *name, void *function) {
    void *found = dlsym(library, name);
    _Static_assert(sizeof found == sizeof zlib_found.end, "POSIX: an address is one of a function too");
    memcpy(function, &found, sizeof found);
    return found != NULL;
}

static void zlib_find(void) {
    static const char *const names[] = {"libz.so.1", "libz.so", "libz.1.dylib"};
    void *library = NULL;
    for (size_t i = 0; i < TNI_COUNT_OF(names) && !library; i++)
        library = dlopen(names[i], RTLD_NOW | RTLD_LOCAL);
    const char *(*version)(void) = NULL;
    if (!library)
        return;
    if (zlib_symbol(library, "deflateInit2_", &zlib_found.begin) && zlib_symbol(library, "deflate", &zlib_found.step) &&
        zlib_symbol(library, "deflateEnd", &zlib_found.end) && zlib_symbol(library, "zlibVersion", &version) &&
        (zlib_found.version = version()) != NULL && zlib_found.version[0] == '1') {
        snprintf(zlib_found.about, sizeof zlib_found.about, "zlib %.30s", zlib_found.version);
        zlib_there = true;
    } else
        (void)dlclose(library);
}
#else
static void zlib_find(void) {}
#endif

const tni_deflate_zlib *tni_zlib(void) {
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    pthread_once(&once, zlib_find);
    return zlib_there ? &zlib_found : NULL;
}

const char *tn_deflate_provider(void) {
    const tni_deflate_zlib *zlib = tni_zlib();
    return zlib ? zlib->about : "built in";
}

/* Blocks carry their size, which our heap wants back; 16 bytes keep them aligned. */
enum { ZLIB_HEAD = 16 };

static void *zlib_take(void *opaque, unsigned items, unsigned size) {
    (void)opaque;
    size_t bytes = (size_t)items * size + ZLIB_HEAD;
    uint8_t *block = tni_heap_calloc(bytes);
    if (!block)
        return NULL;
    memcpy(block, &bytes, sizeof bytes);
    return block + ZLIB_HEAD;
}

static void zlib_give(void *opaque, void *block) {
    (void)opaque;
    uint8_t *whole = (uint8_t *)block - ZLIB_HEAD;
    size_t bytes;
    memcpy(&bytes, whole, sizeof bytes);
    tni_heap_free(whole, bytes);
}

/* Sizes are of 32 bits there: what is longer goes in parts. False where the target is full. */
static bool zlib_feed(const tni_deflate_zlib *zlib, zlib_stream *stream, const uint8_t *bytes, size_t size, uint8_t *end,
                      bool last) {
    enum { ZLIB_PART = 1 << 30 };
    do {
        unsigned part = size < ZLIB_PART ? (unsigned)size : ZLIB_PART;
        int code = ZLIB_OK;
        stream->next_in = bytes;
        stream->avail_in = part;
        bytes += part;
        size -= part;
        bool finish = last && !size;
        do {
            size_t room = (size_t)(end - stream->next_out);
            stream->avail_out = room < ZLIB_PART ? (unsigned)room : ZLIB_PART;
            if (!room)
                return false;
            code = zlib->step(stream, finish ? ZLIB_FINISH : ZLIB_NO_FLUSH);
        } while (code == ZLIB_OK && (finish || stream->avail_in));
        if (code != (finish ? ZLIB_STREAM_END : ZLIB_OK))
            return false;
    } while (size);
    return true;
}

bool tni_deflate_by_zlib(const tni_deflate_zlib *zlib, const void *head, size_t head_size, const void *bytes, size_t size,
                         int level, uint8_t *target, size_t *room) {
    tni_failed_forget();
    zlib_stream stream = {.next_out = target, .take = zlib_take, .give = zlib_give};
    if (zlib->begin(&stream, level, ZLIB_DEFLATED, ZLIB_RAW, ZLIB_MEMORY, 0, zlib->version, (int)sizeof stream) != ZLIB_OK)
        return tni_failed_silently() && tni_raise(TN_ERROR_IO, "zlib %.30s does not begin to deflate", zlib->version) == TN_OK;
    bool whole = (!head_size || zlib_feed(zlib, &stream, head, head_size, target + *room, false)) &&
                 zlib_feed(zlib, &stream, bytes, size, target + *room, true);
    *room = whole ? (size_t)(stream.next_out - target) : 0;
    (void)zlib->end(&stream);
    return true;
}

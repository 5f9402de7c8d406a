/* memory_helpers.h - what the tests of memory share: a raw allocator that counts and refuses, a list of blocks that are
 * given back at a test's end whatever happens, and a validator of JSON. */
#ifndef TENON_MEMORY_HELPERS_H
#define TENON_MEMORY_HELPERS_H

#include "test.h"

#include <pthread.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

/* ---- a raw allocator that counts, keeps to a budget, and notices a wrong size ---- */

typedef struct counting_raw {
    size_t budget, live, peak_live;
    int64_t allocations, frees, copies, destroyed;
    size_t misalign;
    pthread_mutex_t lock;
} counting_raw;

static inline void *counting_allocate(void *ctx, size_t bytes) {
    counting_raw *self = ctx;
    pthread_mutex_lock(&self->lock);
    bool refused = bytes > self->budget - self->live;
    if (!refused) {
        self->allocations++;
        self->live += bytes;
        self->peak_live = self->live > self->peak_live ? self->live : self->peak_live;
    }
    pthread_mutex_unlock(&self->lock);
    void *block = NULL;
    if (refused || posix_memalign(&block, 64, bytes + 64) != 0)
        return NULL;
    memcpy(block, &bytes, sizeof bytes);
    return (char *)block + 64 + self->misalign;
}

static inline void counting_free(void *ctx, void *data, size_t bytes) {
    counting_raw *self = ctx;
    char *block = (char *)data - 64 - self->misalign;
    size_t known;
    memcpy(&known, block, sizeof known);
    if (known != bytes)
        abort();
    free(block);
    pthread_mutex_lock(&self->lock);
    self->frees++;
    self->live -= bytes;
    pthread_mutex_unlock(&self->lock);
}

static inline void counting_destroy(void *ctx) { ((counting_raw *)ctx)->destroyed++; }

static inline tn_allocator_functions counting_functions(counting_raw *self, size_t budget) {
    *self = (counting_raw){.budget = budget};
    pthread_mutex_init(&self->lock, NULL);
    return (tn_allocator_functions){
        .struct_size = sizeof(tn_allocator_functions),
        .name = "counting",
        .device = TN_DEVICE_CPU,
        .ctx = self,
        .allocate = counting_allocate,
        .free = counting_free,
        .destroy = counting_destroy,
    };
}

/* In the test's scope; NULL when an allocation was made to fail. */
static inline tn_allocator *counting_allocator(counting_raw *self, size_t budget) {
    tn_allocator_functions functions = counting_functions(self, budget);
    return tn_allocator_create(&functions);
}

static inline tn_allocator *counting_caching(counting_raw *self, size_t budget, size_t segment_size, size_t retain_limit) {
    tn_allocator *raw = counting_allocator(self, budget);
    tn_caching_options options = {.struct_size = sizeof options, .segment_size = segment_size, .retain_limit = retain_limit};
    return raw ? tn_caching_allocator_create(raw, &options) : NULL;
}

/* ---- blocks that are given back at the end ---- */

enum { HELD_LIMIT = 512 };
static tn_data_ptr held_blocks[HELD_LIMIT];
static size_t held_count;

static inline void release_held(void *unused) {
    (void)unused;
    while (held_count > 0)
        tn_data_ptr_clear(&held_blocks[--held_count]);
}

static inline tn_data_ptr *hold_block(tn_allocator *allocator, size_t bytes) {
    CHECK(held_count < HELD_LIMIT);
    if (held_count == 0)
        TEST_DEFER(release_held, NULL);
    held_blocks[held_count] = tn_allocator_allocate(allocator, bytes);
    return &held_blocks[held_count++];
}

/* The same, for a block that must be there. */
static inline tn_data_ptr *hold_there(tn_allocator *allocator, size_t bytes) {
    tn_data_ptr *block = hold_block(allocator, bytes);
    CHECK(block->data);
    return block;
}

static inline tn_memory_stats stats_of(const tn_allocator *allocator) {
    tn_memory_stats stats = {.struct_size = sizeof stats};
    CHECK(tn_allocator_stats(allocator, &stats) == TN_OK);
    return stats;
}

/* ---- children ---- */

/* Ends a forked child at once: ThreadSanitizer's _exit would report the threads that the child does not have. */
static inline void leave_child(int code) { syscall(SYS_exit_group, code); }

/* The child's exit code, or -1. */
static inline int wait_for_child(pid_t child) {
    int status = -1;
    return child > 0 && waitpid(child, &status, 0) == child && WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

/* ---- JSON ---- */

static inline const char *json_space(const char *at) { return at + strspn(at, " \t\r\n"); }

static inline const char *json_string(const char *at) {
    if (*at++ != '"')
        return NULL;
    while (*at && *at != '"') {
        if ((unsigned char)*at < 0x20)
            return NULL;
        if (*at == '\\') {
            at++;
            if (*at == 'u') {
                if (strspn(at + 1, "0123456789abcdefABCDEF") < 4)
                    return NULL;
                at += 4;
            } else if (!*at || !strchr("\"\\/bfnrt", *at)) {
                return NULL;
            }
        }
        at++;
    }
    return *at == '"' ? at + 1 : NULL;
}

/* The end of the value that begins at `at`, or NULL. */
static inline const char *json_value(const char *at) {
    at = json_space(at);
    if (*at == '"')
        return json_string(at);
    if (*at == '{' || *at == '[') {
        char open = *at, close = open == '{' ? '}' : ']';
        at = json_space(at + 1);
        if (*at == close)
            return at + 1;
        for (;;) {
            if (open == '{') {
                at = json_string(json_space(at));
                at = at ? json_space(at) : NULL;
                if (!at || *at++ != ':')
                    return NULL;
            }
            at = json_value(at);
            if (!at)
                return NULL;
            at = json_space(at);
            if (*at == close)
                return at + 1;
            if (*at++ != ',')
                return NULL;
        }
    }
    static const char *const words[] = {"true", "false", "null"};
    for (size_t i = 0; i < 3; i++)
        if (strncmp(at, words[i], strlen(words[i])) == 0)
            return at + strlen(words[i]);
    size_t sign = *at == '-', digits = strspn(at + sign, "0123456789");
    return digits ? at + sign + digits : NULL;
}

static inline bool json_valid(const char *text) {
    const char *end = json_value(text);
    return end && *json_space(end) == 0;
}

#endif

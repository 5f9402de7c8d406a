/* storage_helpers.h - what the storage tests share: an allocator that counts, a deleter that counts, a check of all bytes. */
#ifndef TENON_TEST_STORAGE_HELPERS_H
#define TENON_TEST_STORAGE_HELPERS_H

#include "test.h"

#include "base/heap.h"
#include "base/scope.h"

typedef struct counting_allocator {
    int64_t blocks, taken_bytes; /* now in use                 */
    int copies, destroyed;
    bool refuse_blocks, refuse_copies; /* what the test makes it do */
} counting_allocator;

static inline void *counting_take(void *ctx, size_t bytes) {
    counting_allocator *counts = ctx;
    void *data = NULL;
    if (counts->refuse_blocks || posix_memalign(&data, 64, bytes) != 0)
        return NULL;
    counts->blocks++;
    counts->taken_bytes += (int64_t)bytes;
    return data;
}

static inline void counting_give(void *ctx, void *data, size_t bytes) {
    counting_allocator *counts = ctx;
    counts->blocks--;
    counts->taken_bytes -= (int64_t)bytes;
    free(data);
}

static inline tn_error counting_copy(void *ctx, void *target, const void *source, size_t bytes) {
    counting_allocator *counts = ctx;
    if (counts->refuse_copies)
        return TN_ERROR_IO;
    counts->copies++;
    memcpy(target, source, bytes);
    return TN_OK;
}

static inline void counting_destroy(void *ctx) { ((counting_allocator *)ctx)->destroyed++; }

/* The caller owns it, even while a scope is open. `counts` must outlive it and everything taken from it. */
static inline tn_allocator *counting_allocator_make(counting_allocator *counts, tn_device device) {
    tn_allocator_functions functions = {.struct_size = sizeof functions,
                                        .name = "counting",
                                        .device = device,
                                        .ctx = counts,
                                        .allocate = counting_take,
                                        .free = counting_give,
                                        .copy = counting_copy,
                                        .destroy = counting_destroy};
    tn_allocator *allocator = tn_allocator_create(&functions);
    if (allocator)
        (void)tni_scope_forget((tni_object *)(void *)allocator);
    return allocator;
}

/* In the repeated runs of a TEST a check may fail for lack of memory, so what must hold after such a failure is checked in a
 * TEST_ONCE, with its own failing allocations: while (FAILING(failures + 1, result = call())) { failures++; CHECK(...); } The
 * body runs after each k that failed, with the error cleared; the loop ends with the call that worked. */
#define FAILING(k, expression) (tni_fault_arm(k), (void)(expression), test_fault_ends(__FILE__, __LINE__))
static inline bool test_fault_ends(const char *file, int line) {
    bool happened = tni_fault_disarm();
    tn_error code = tn_error_take(NULL);
    if (code != TN_OK && (!happened || code != TN_ERROR_MEMORY))
        test_fail(file, line, "with %s the error was %s", happened ? "a failed allocation" : "memory", tn_error_name(code));
    return code != TN_OK;
}

static inline void count_deletion(void *ctx) { ++*(int *)ctx; }

static inline bool all_bytes_are(const tn_storage *storage, int value) {
    const unsigned char *bytes = tn_storage_data(storage);
    for (size_t i = 0; i < tn_storage_nbytes(storage); i++)
        if (bytes[i] != value)
            return false;
    return true;
}

#endif

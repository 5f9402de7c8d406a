/* heap.c - memory for Tenon's own objects, and the faults that tests put into it. */
#include "test.h"

#include <pthread.h>

#include "base/heap.h"
#include "storage_helpers.h"

TEST(every_size_gives_an_aligned_block_of_its_own) {
    enum { BLOCKS = 80, STEP = 9 };
    unsigned char *blocks[BLOCKS];
    bool good = true;
    for (size_t i = 0; i < BLOCKS; i++) {
        blocks[i] = tni_heap_alloc(i * STEP);
        if (blocks[i])
            memset(blocks[i], (int)i, i * STEP);
    }
    for (size_t i = 0; i < BLOCKS; i++) {
        good = good && blocks[i] && (uintptr_t)blocks[i] % 16 == 0;
        for (size_t k = 0; k < i * STEP; k++)
            good = good && blocks[i][k] == i;
    }
    for (size_t i = 0; i < BLOCKS; i++)
        tni_heap_free(blocks[i], i * STEP);
    tni_heap_free(NULL, 5);
    CHECK(good);
}

TEST(calloc_clears_also_a_block_that_was_used) {
    for (size_t size = 1; size < 600; size += 37) {
        unsigned char *dirty = tni_heap_alloc(size);
        CHECK(dirty);
        memset(dirty, 0xff, size);
        tni_heap_free(dirty, size);
        unsigned char *clean = tni_heap_calloc(size);
        CHECK(clean);
        bool zero = true;
        for (size_t i = 0; i < size; i++)
            zero = zero && clean[i] == 0;
        tni_heap_free(clean, size);
        CHECK(zero);
    }
}

TEST(live_blocks_are_counted) {
    int64_t before = tni_heap_live();
    void *small = tni_heap_alloc(16);
    CHECK(small);
    int64_t with_one = tni_heap_live();
    tni_heap_free(small, 16);
    CHECK_INT(with_one, before + 1);
    CHECK_INT(tni_heap_live(), before);
}

TEST(a_size_no_machine_has_is_out_of_memory) {
    CHECK_ERROR(TN_ERROR_MEMORY, "out of memory: 9223372036854775807 bytes", tni_heap_alloc(PTRDIFF_MAX));
    CHECK_ERROR(TN_ERROR_MEMORY, "out of memory", tni_heap_calloc(SIZE_MAX));
    void *items = NULL;
    size_t capacity = 0;
    CHECK_ERROR(TN_ERROR_MEMORY, "out of memory", tni_heap_grow(&items, &capacity, SIZE_MAX, 8));
    CHECK_ERROR(TN_ERROR_MEMORY, "out of memory", tni_heap_grow(&items, &capacity, SIZE_MAX / 2 + 2, 1));
    CHECK_ERROR(TN_ERROR_MEMORY, "out of memory", tni_heap_grow(&items, &capacity, SIZE_MAX / 8 + 2, 8));
    CHECK(!items);
    CHECK_INT(capacity, 0);
}

TEST(growing_keeps_the_contents_and_failing_to_changes_nothing) {
    void *items = NULL;
    size_t capacity = 0;
    bool good = true;
    for (size_t i = 0; i < 3000; i++) {
        void *before = items;
        size_t room = capacity;
        if (!tni_heap_grow(&items, &capacity, i + 1, sizeof(size_t))) {
            good = items == before && capacity == room;
            break;
        }
        ((size_t *)items)[i] = i;
        good = good && capacity > i && capacity >= room;
        for (size_t k = 0; k <= i; k += 1 + i / 3)
            good = good && ((size_t *)items)[k] == k;
    }
    tni_heap_free(items, capacity * sizeof(size_t));
    CHECK(good);
    CHECK_INT(tn_error_code(), TN_OK);
}

TEST_ONCE(the_armed_allocation_fails_once_and_is_reported) { /* it makes the failures itself */
    tni_fault_arm(2);
    void *first = tni_heap_alloc(10), *second = tni_heap_alloc(10), *third = tni_heap_alloc(10);
    bool happened = tni_fault_disarm(), again = tni_fault_disarm();
    tni_heap_free(first, 10);
    tni_heap_free(third, 10);
    CHECK(first && !second && third);
    CHECK(happened && !again);
    CHECK_INT(tn_error_take(NULL), TN_ERROR_MEMORY);
}

/* The first call also makes what the thread keeps, which a call can do without; it is not the one under test. */
TEST_ONCE(the_fault_reaches_element_memory_too) { /* it makes the failures itself */
    CHECK(tn_zeros(TN_DIMS(4), TN_UINT8));
    bool happened = true;
    int64_t failures = 0;
    for (int64_t k = 1; happened; k++) {
        tni_fault_arm(k);
        tn_tensor *x = tn_zeros(TN_DIMS(4), TN_UINT8);
        happened = tni_fault_disarm();
        tn_error code = tn_error_take(NULL);
        CHECK_INT(code, x ? TN_OK : TN_ERROR_MEMORY);
        CHECK(x || happened);
        failures += !x;
    }
    CHECK(failures >= 3); /* storage, elements, tensor, and perhaps the scope's list */
}

static void *free_elsewhere(void *block) {
    for (int i = 0; i < 100; i++)
        tni_heap_free(((void **)block)[i], 40);
    return NULL;
}

TEST_ONCE(another_thread_may_free_a_block) { /* threads */
    void *blocks[100];
    for (int i = 0; i < 100; i++)
        blocks[i] = tni_heap_alloc(40);
    pthread_t thread;
    CHECK(pthread_create(&thread, NULL, free_elsewhere, blocks) == 0);
    pthread_join(thread, NULL);
}

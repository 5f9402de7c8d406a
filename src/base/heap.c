/* heap.c - per-thread free lists over malloc for Tenon's own small objects.
 *
 * Invariant: a list holds at most LIST_LIMIT blocks of one class, linked through their second word. The first word is left
 * as the object's last owner wrote it: a released handle keeps its "dead" mark there, so that using it is reported as long
 * as its block has not been given out again. A debug build (TN_DEBUG) never gives a block out again until QUARANTINE more
 * have been freed, and an AddressSanitizer build goes straight to malloc, so that it sees every use after free itself.
 */
#include "base/heap.h"

#include <stdlib.h>

#include "base/error.h"

enum { LIST_LIMIT = 64, HEAP_LARGEST = TNI_HEAP_CLASSES * TNI_HEAP_STEP };

_Atomic int64_t tni_fault_countdown;
static _Atomic bool fault_happened;

void tni_fault_arm(int64_t nth) {
    atomic_store(&fault_happened, false);
    atomic_store(&tni_fault_countdown, nth);
}

bool tni_fault_disarm(void) {
    atomic_store(&tni_fault_countdown, 0);
    return atomic_exchange(&fault_happened, false);
}

TNI_COLD bool tni_fault_count(void) {
    if (atomic_fetch_sub(&tni_fault_countdown, 1) != 1)
        return false;
    atomic_store(&fault_happened, true);
    return true;
}

typedef struct free_block {
    void *untouched;
    struct free_block *next;
} free_block;

static size_t class_of(size_t size) { return size <= TNI_HEAP_STEP ? 0 : (size - 1) / TNI_HEAP_STEP; }

static TNI_COLD void *out_of_memory(size_t size) {
    tni_raise(TN_ERROR_MEMORY, "out of memory: %zu bytes for an internal object", size);
    return NULL;
}

static TNI_NOINLINE void *from_system(tni_thread *thread, size_t size) {
    void *block = malloc(size ? size : 1);
    if (TNI_UNLIKELY(!block))
        return out_of_memory(size);
    thread->heap_live++;
    return block;
}

void *tni_heap_alloc(size_t size) {
    if (tni_fault_hits())
        return out_of_memory(size);
    tni_thread *thread = tni_thread_get();
    if (TNI_ASAN || size > HEAP_LARGEST)
        return from_system(thread, size);
    size_t class = class_of(size);
    tni_free_list *list = &thread->heap[class];
    free_block *block = list->first;
    if (TNI_UNLIKELY(!block))
        return from_system(thread, (class + 1) * TNI_HEAP_STEP);
    list->first = block->next;
    list->count--;
    thread->heap_live++;
    return block;
}

void *tni_heap_calloc(size_t size) {
    void *block = tni_heap_alloc(size);
    return block ? memset(block, 0, size) : NULL;
}

#ifdef TN_DEBUG
enum { QUARANTINE = 4096 };
static _Atomic(void *) quarantine[QUARANTINE];
static _Atomic uint64_t quarantine_next;

static void return_block(void *block) {
    free(atomic_exchange(&quarantine[atomic_fetch_add(&quarantine_next, 1) % QUARANTINE], block));
}

__attribute__((destructor)) static void empty_quarantine(void) {
    for (size_t i = 0; i < QUARANTINE; i++)
        free(atomic_exchange(&quarantine[i], NULL));
}
#else
static void return_block(void *block) { free(block); }
#endif

static bool keep_block(tni_thread *thread, void *block, size_t size) {
#ifdef TN_DEBUG
    (void)thread, (void)block, (void)size;
    return false;
#else
    if (TNI_ASAN || size > HEAP_LARGEST)
        return false;
    tni_free_list *list = &thread->heap[class_of(size)];
    if (list->count >= LIST_LIMIT)
        return false;
    free_block *head = block;
    head->next = list->first;
    list->first = head;
    list->count++;
    return true;
#endif
}

void tni_heap_free(void *block, size_t size) {
    if (!block)
        return;
    tni_thread *thread = tni_thread_get();
    thread->heap_live--;
    if (!keep_block(thread, block, size))
        return_block(block);
}

bool tni_heap_grow(void **items, size_t *capacity, size_t needed, size_t item) {
    if (needed <= *capacity)
        return true;
    if (needed > (size_t)PTRDIFF_MAX / 2 / item) {
        (void)out_of_memory(SIZE_MAX);
        return false;
    }
    size_t larger = *capacity ? *capacity * 2 : 8;
    while (larger < needed)
        larger *= 2;
    void *block = tni_heap_alloc(larger * item);
    if (!block)
        return false;
    if (*items)
        memcpy(block, *items, *capacity * item);
    tni_heap_free(*items, *capacity * item);
    *items = block;
    *capacity = larger;
    return true;
}

void tni_heap_drain(tni_thread *thread) {
    for (size_t list = 0; list < TNI_HEAP_CLASSES; list++) {
        free_block *block = thread->heap[list].first;
        while (block) {
            free_block *next = block->next;
            free(block);
            block = next;
        }
        thread->heap[list] = (tni_free_list){0};
    }
}

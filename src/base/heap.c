/* heap.c - per-thread free lists over malloc for Tenon's own small objects.
 *
 * Invariant: a list holds at most HEAP_KEPT blocks of one class, linked through their second word. The first word is left
 * as the object's last owner wrote it: a released handle keeps its "dead" mark there, so that using it is reported as long
 * as its block has not been given out again. A debug build (TN_DEBUG) never gives a block out again until HEAP_QUARANTINE more
 * have been freed, and an AddressSanitizer build goes straight to malloc, so that it sees every use after free itself.
 */
#include "base/heap.h"

#include <stdlib.h>

#include "base/error.h"

_Atomic int64_t tni_fault_countdown;
static _Atomic bool fault_happened, fault_lasts;

static void fault_arm(int64_t nth, bool lasts) {
    atomic_store(&fault_lasts, lasts);
    atomic_store(&fault_happened, false);
    atomic_store(&tni_fault_countdown, nth);
}

void tni_fault_arm(int64_t nth) { fault_arm(nth, false); }
void tni_fault_arm_from(int64_t nth) { fault_arm(nth, true); }

bool tni_fault_disarm(void) {
    atomic_store(&tni_fault_countdown, 0);
    return atomic_exchange(&fault_happened, false);
}

TNI_COLD bool tni_fault_count(void) {
    if (atomic_fetch_sub(&tni_fault_countdown, 1) != 1)
        return false;
    atomic_store(&fault_happened, true);
    if (atomic_load(&fault_lasts))
        atomic_store(&tni_fault_countdown, 1);
    return true;
}

/* The size of the blocks that serve for one of `size`, which may be 0. */
static size_t whole_steps(size_t size) {
    return size ? (size + TNI_HEAP_STEP - 1) / TNI_HEAP_STEP * TNI_HEAP_STEP : TNI_HEAP_STEP;
}

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
    if (TNI_ASAN || size > TNI_HEAP_LARGEST)
        return from_system(thread, size);
    size_t whole = whole_steps(size);
    return TNI_LIKELY(TNI_HEAP_LIST(thread, whole)->first != NULL) ? tni_heap_pop(thread, whole) : from_system(thread, whole);
}

void *tni_heap_calloc(size_t size) {
    void *block = tni_heap_alloc(size);
    return block ? memset(block, 0, size) : NULL;
}

#ifdef TN_DEBUG
static _Atomic(void *) quarantine[HEAP_QUARANTINE];
static _Atomic uint64_t quarantine_next;

static void return_block(void *block) {
    free(atomic_exchange(&quarantine[atomic_fetch_add(&quarantine_next, 1) % HEAP_QUARANTINE], block));
}

__attribute__((destructor)) static void empty_quarantine(void) {
    for (size_t i = 0; i < HEAP_QUARANTINE; i++)
        free(atomic_exchange(&quarantine[i], NULL));
}
#else
static void return_block(void *block) { free(block); }
#endif

void tni_heap_free(void *block, size_t size) {
    if (!block)
        return;
    tni_thread *thread = tni_thread_get();
    size_t whole = whole_steps(size);
    if (TNI_LIKELY(tni_heap_has_room(thread, whole))) {
        tni_heap_push(thread, block, whole);
        return;
    }
    thread->heap_live--;
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
        tni_free_block *block = thread->heap[list].first;
        while (block) {
            tni_free_block *next = block->next;
            free(block);
            block = next;
        }
        thread->heap[list] = (tni_free_list){0};
    }
}

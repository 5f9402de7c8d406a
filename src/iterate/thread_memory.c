/* thread_memory.c - see thread_memory.h. */
#include "iterate/thread_memory.h"

#include <sched.h>
#include <stdatomic.h>

#include "base/error.h"

void tni_thread_memory_use(tni_thread_memory *memory, char *data, size_t bytes, int64_t sets) {
    memory->data = data;
    memory->set_bytes = (bytes + 63) / 64 * 64;
    memory->set_count = sets > THREAD_SETS ? THREAD_SETS : sets;
    for (int64_t set = 0; set < THREAD_SETS; set++)
        atomic_init(&memory->taken[set], false);
}

bool tni_thread_memory_take(tni_thread_memory *memory, size_t bytes, int64_t sets) {
    tni_thread_memory_use(memory, NULL, bytes, sets);
    if (__builtin_mul_overflow(memory->set_bytes, (size_t)memory->set_count, &memory->bytes) ||
        __builtin_add_overflow(memory->bytes, (size_t)64, &memory->bytes)) {
        tni_raise(TN_ERROR_MEMORY, "blocks of %zu bytes for each of %" PRId64 " threads are more than can be counted", bytes,
                  memory->set_count);
        return false;
    }
    memory->allocator = tni_allocator_default_held(TN_CPU);
    if (!memory->allocator)
        return false;
    if (!tni_allocator_take_pointer(memory->allocator, memory->bytes, &memory->pointer)) {
        tni_allocator_drop(memory->allocator);
        return false;
    }
    char *data = memory->pointer.data;
    memory->data = data + (64 - (uintptr_t)data % 64) % 64;
    return true;
}

void tni_thread_memory_give(tni_thread_memory *memory) {
    tni_allocator_give_pointer(memory->allocator, &memory->pointer, memory->bytes);
    tni_allocator_drop(memory->allocator);
}

char *tni_thread_memory_claim(tni_thread_memory *memory, int64_t *claimed) {
    int64_t set = 0;
    while (atomic_exchange_explicit(&memory->taken[set], true, memory_order_acquire))
        if (++set == memory->set_count) {
            sched_yield();
            set = 0;
        }
    *claimed = set;
    return memory->data + (size_t)set * memory->set_bytes;
}

void tni_thread_memory_leave(tni_thread_memory *memory, int64_t set) {
    atomic_store_explicit(&memory->taken[set], false, memory_order_release);
}

/* thread_memory.h - memory beside operands, for products, attention and Fourier transforms: taken from the allocator of the CPU before anything is written,
 * in sets of which each thread uses one at a time.
 */
#ifndef TNI_THREAD_MEMORY_H
#define TNI_THREAD_MEMORY_H

#include "base/common.h"
#include "iterate/limits.h"
#include "memory/allocator.h"

typedef struct tni_thread_memory {
    tn_allocator *allocator;
    tn_data_ptr pointer;
    size_t bytes;      /* that were taken                                            */
    char *data;        /* the first set, aligned to 64                               */
    size_t set_bytes;  /* from one set to the next                                   */
    int64_t set_count; /* at most THREAD_SETS                                       */
    _Atomic bool taken[THREAD_SETS];
} tni_thread_memory;

/* `sets` times `bytes`, at most THREAD_SETS times; false, raised, where there is not as much. */
bool tni_thread_memory_take(tni_thread_memory *memory, size_t bytes, int64_t sets);
void tni_thread_memory_give(tni_thread_memory *memory);

/* The same in memory that the caller has, aligned to 64: `sets` times `bytes` rounded up to 64. Nothing is given back. */
void tni_thread_memory_use(tni_thread_memory *memory, char *data, size_t bytes, int64_t sets);

/* A set that nobody uses; where there are fewer than threads, they wait for each other. And back. */
char *tni_thread_memory_claim(tni_thread_memory *memory, int64_t *set);
void tni_thread_memory_leave(tni_thread_memory *memory, int64_t set);

#endif

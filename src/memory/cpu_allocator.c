/* cpu_allocator.c - memory from the system, and the two built-in allocators: plain, and caching over it.
 *
 * Blocks of 1 MiB and more are mapped directly, so that releasing them really gives them back; from 4 MiB on they start at a
 * huge page and ask for huge pages. An AddressSanitizer build takes everything from its malloc, which watches the edges of
 * blocks.
 */
#include "memory/cpu_allocator.h"

#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

#include "base/heap.h"
#include "memory/caching.h"
#include "memory/registry.h"

#define CPU_HUGE_PAGE ((size_t)2 << 20)
#define CPU_ASAN_MOST ((size_t)1 << 38) /* beyond this AddressSanitizer ends the process instead of returning NULL */

static size_t round_to_pages(size_t bytes) {
    size_t page = (size_t)sysconf(_SC_PAGESIZE);
    return (bytes + page - 1) & ~(page - 1);
}

/* Map more than needed and unmap what is before and after the aligned part. */
static void *map_aligned(size_t bytes, size_t alignment) {
    if (bytes > PTRDIFF_MAX - 2 * alignment)
        return NULL;
    bytes = round_to_pages(bytes);
    size_t total = bytes + alignment;
    char *mapped = mmap(NULL, total, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (mapped == MAP_FAILED)
        return NULL;
    size_t before = (alignment - (uintptr_t)mapped % alignment) % alignment;
    if (before > 0)
        munmap(mapped, before);
    if (total - before - bytes > 0)
        munmap(mapped + before + bytes, total - before - bytes);
    return mapped + before;
}

static bool is_mapped(size_t bytes) { return !TNI_ASAN && bytes >= CPU_MAP_FROM; }

/* No fault injection here: tni_allocator_take, on the way to this, has asked. */
static void *cpu_allocate(void *ctx, size_t bytes) {
    (void)ctx;
    void *data = NULL;
    if (TNI_ASAN && bytes > CPU_ASAN_MOST)
        return NULL;
    if (!is_mapped(bytes))
        return posix_memalign(&data, TNI_BLOCK_ALIGNMENT, bytes) == 0 ? data : NULL;
    bool huge = bytes >= CPU_HUGE_FROM;
    data = map_aligned(bytes, huge ? CPU_HUGE_PAGE : (size_t)TNI_UNIT);
#ifdef MADV_HUGEPAGE
    if (data && huge)
        (void)madvise(data, round_to_pages(bytes), MADV_HUGEPAGE);
#endif
    return data;
}

static void cpu_free(void *ctx, void *data, size_t bytes) {
    (void)ctx;
    if (is_mapped(bytes))
        munmap(data, round_to_pages(bytes));
    else
        free(data);
}

tn_allocator tni_cpu_caching;
static tn_allocator cpu_plain;
static tni_caching cpu_caching_state;
static char cpu_plain_name[] = "cpu", cpu_caching_name[] = "cpu caching";
static pthread_once_t cpu_once = PTHREAD_ONCE_INIT;
static _Atomic bool cpu_ready;

static void make_cpu_allocators(void) {
    tni_allocator_prepare(&cpu_plain, cpu_plain_name, TN_DEVICE_CPU);
    cpu_plain.functions.allocate = cpu_allocate;
    cpu_plain.functions.free = cpu_free;
    cpu_plain.immortal = true;
    tni_registry_add(&cpu_plain);

    tn_caching_options options = {.struct_size = sizeof options};
    tni_allocator_prepare(&tni_cpu_caching, cpu_caching_name, TN_DEVICE_CPU);
    tni_caching_prepare(&cpu_caching_state, &tni_cpu_caching, &cpu_plain, &options);
    tni_cpu_caching.immortal = true;
    tni_registry_add(&tni_cpu_caching);
    atomic_store_explicit(&cpu_ready, true, memory_order_release);
}

static void need_cpu_allocators(void) {
    if (TNI_UNLIKELY(!atomic_load_explicit(&cpu_ready, memory_order_acquire)))
        pthread_once(&cpu_once, make_cpu_allocators);
}

/* A library that is unloaded takes its cached memory with it. The priority puts this after the end of the thread (thread.c),
 * whose scopes and magazines give back what they hold. */
__attribute__((destructor(1000))) static void end_cpu_allocators(void) {
    if (atomic_load_explicit(&cpu_ready, memory_order_acquire))
        (void)tni_caching_trim(&cpu_caching_state);
}

tn_allocator *tn_cpu_allocator_plain(void) {
    need_cpu_allocators();
    return &cpu_plain;
}

tn_allocator *tn_cpu_allocator_caching(void) {
    need_cpu_allocators();
    return &tni_cpu_caching;
}

bool tni_cpu_allocator_is_built_in(const tn_allocator *allocator) {
    return allocator == &tni_cpu_caching || allocator == &cpu_plain;
}

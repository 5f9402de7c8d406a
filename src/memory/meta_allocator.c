/* meta_allocator.c - no memory, for tensors of the meta device: sizes, strides and a dtype without elements.
 *
 * Every request is met with the same address, where nothing can be read; so a tensor of a petabyte costs as much as one of a
 * byte. Statistics count blocks, not bytes. Code that compares addresses first asks whether there is anything at them
 * (tni_tensors_overlap).
 */
#include "memory/meta_allocator.h"

#include "memory/allocator.h"
#include "memory/caching.h"
#include "memory/registry.h"

static void *meta_allocate(void *ctx, size_t bytes) {
    (void)ctx, (void)bytes;
    return (void *)(uintptr_t)TNI_BLOCK_ALIGNMENT;
}

static void meta_free(void *ctx, void *data, size_t bytes) { (void)ctx, (void)data, (void)bytes; }

static tn_error meta_copy(void *ctx, void *target, const void *source, size_t bytes) {
    (void)ctx, (void)target, (void)source, (void)bytes;
    return TN_OK;
}

static tn_allocator meta_allocator;
static char meta_name[] = "meta";
static pthread_once_t meta_once = PTHREAD_ONCE_INIT;

static void make_meta_allocator(void) {
    tni_allocator_prepare(&meta_allocator, meta_name, TN_DEVICE(TN_META, 0));
    meta_allocator.functions.allocate = meta_allocate;
    meta_allocator.functions.free = meta_free;
    meta_allocator.functions.copy = meta_copy;
    meta_allocator.immortal = true;
    tni_registry_add(&meta_allocator);
}

tn_allocator *tni_meta_allocator(void) {
    pthread_once(&meta_once, make_meta_allocator);
    return &meta_allocator;
}

bool tni_meta_allocator_is(const tn_allocator *allocator) { return allocator == &meta_allocator; }

/* registry.c - all live allocators in order of their birth, the one in use for each device type, and what fork does to them.
 *
 * Invariant: a device type's allocator is held by the registry. The built-in ones are static, so that the pointer can be
 * compared, and then used, without a lock.
 *
 * Fork: the child has one thread and a copy of all memory. All memory locks are taken before and released on both sides
 * after, so that the child finds whole structures; then the child takes back what was in the magazines of threads that do not
 * exist in it. Blocks that such a thread had in use stay in use.
 */
#include "memory/registry.h"

#include "base/error.h"
#include "memory/caching.h"
#include "memory/cpu_allocator.h"
#include "memory/meta_allocator.h"
#include "memory/watch.h"

static pthread_mutex_t registry_mutex = PTHREAD_MUTEX_INITIALIZER;
static tn_allocator *registry_head, *registry_tail;
static uint64_t registry_serial;
static pthread_once_t registry_once = PTHREAD_ONCE_INIT;

static struct {
    _Atomic(tn_allocator *) allocator;
    int priority;
} registry_in_use[TN_DEVICE_TYPES];
_Atomic bool tni_cpu_replaced;

void tni_registry_lock(void) { pthread_mutex_lock(&registry_mutex); }
void tni_registry_unlock(void) { pthread_mutex_unlock(&registry_mutex); }
tn_allocator *tni_registry_first(void) { return registry_head; }

static void lock_memory_for_fork(void) {
    tni_registry_lock();
    for (tn_allocator *allocator = registry_head; allocator; allocator = allocator->next) {
        if (allocator->caching)
            pthread_mutex_lock(&allocator->caching->lock);
        pthread_mutex_lock(&allocator->trace_lock);
    }
    tni_watch_lock_for_fork();
}

static void unlock_memory_after_fork(void) {
    tni_watch_unlock_after_fork();
    for (tn_allocator *allocator = registry_head; allocator; allocator = allocator->next) {
        pthread_mutex_unlock(&allocator->trace_lock);
        if (allocator->caching)
            pthread_mutex_unlock(&allocator->caching->lock);
    }
    tni_registry_unlock();
}

static void restart_memory_in_child(void) {
    for (tn_allocator *allocator = registry_head; allocator; allocator = allocator->next)
        if (allocator->caching)
            tni_locals_reclaim_after_fork(allocator);
    unlock_memory_after_fork();
}

static void watch_for_forks(void) {
    (void)pthread_atfork(lock_memory_for_fork, unlock_memory_after_fork, restart_memory_in_child);
}

void tni_registry_add(tn_allocator *allocator) {
    pthread_once(&registry_once, watch_for_forks);
    tni_watch_start();
    tni_registry_lock();
    allocator->serial = ++registry_serial;
    allocator->next = NULL;
    allocator->previous = registry_tail;
    *(registry_tail ? &registry_tail->next : &registry_head) = allocator;
    registry_tail = allocator;
    tni_registry_unlock();
}

void tni_registry_remove(tn_allocator *allocator) {
    *(allocator->previous ? &allocator->previous->next : &registry_head) = allocator->next;
    *(allocator->next ? &allocator->next->previous : &registry_tail) = allocator->previous;
}

/* An allocator whose last reference is gone waits for the registry's lock to leave: it cannot be held any more. */
static bool registry_try_hold(tn_allocator *allocator) {
    if (allocator->immortal)
        return true;
    uint64_t counts = atomic_load(&allocator->object.counts);
    while ((uint32_t)counts > 0)
        if (atomic_compare_exchange_weak(&allocator->object.counts, &counts, counts + TNI_HELD + 1))
            return true;
    return false;
}

tn_allocator *tni_registry_next_held(uint64_t after, int32_t device_type) {
    tni_registry_lock();
    tn_allocator *found = registry_head;
    while (found && !(found->serial > after && found->device.type == device_type && registry_try_hold(found)))
        found = found->next;
    tni_registry_unlock();
    return found;
}

/* ---- the allocator in use ---- */

static tn_allocator *built_in_allocator(int32_t device_type) {
    return device_type == TN_CPU ? tn_cpu_allocator_caching() : device_type == TN_META ? tni_meta_allocator() : NULL;
}

static TNI_COLD tn_allocator *no_allocator(int32_t device_type) {
    return tni_raise_null(TN_ERROR_DEVICE, "no allocator for device type \"%s\" (%d); give it one with tn_set_allocator",
                          tn_device_type_name(device_type), (int)device_type);
}

static bool registry_knows_type(int32_t type) { return type >= 0 && type < TN_DEVICE_TYPES; }

tn_allocator *tni_allocator_default(int32_t device_type) {
    tn_allocator *allocator = NULL;
    if (TNI_LIKELY(registry_knows_type(device_type))) {
        allocator = atomic_load_explicit(&registry_in_use[device_type].allocator, memory_order_acquire);
        if (TNI_UNLIKELY(!allocator))
            allocator = built_in_allocator(device_type);
    }
    return TNI_LIKELY(allocator != NULL) ? allocator : no_allocator(device_type);
}

tn_allocator *tni_allocator_default_held(int32_t device_type) {
    if (!registry_knows_type(device_type))
        return no_allocator(device_type);
    tn_allocator *allocator = atomic_load_explicit(&registry_in_use[device_type].allocator, memory_order_acquire);
    if (TNI_UNLIKELY(!allocator)) {
        allocator = built_in_allocator(device_type);
        return allocator ? allocator : no_allocator(device_type);
    }
    if (tni_cpu_allocator_is_built_in(allocator))
        return allocator;
    tni_registry_lock();
    allocator = atomic_load_explicit(&registry_in_use[device_type].allocator, memory_order_acquire);
    if (allocator)
        tni_allocator_hold(allocator);
    tni_registry_unlock();
    return allocator ? allocator : tni_allocator_default_held(device_type);
}

tn_allocator *tn_get_allocator(int32_t device_type) { return tni_allocator_default(device_type); }

tn_error tn_set_allocator(int32_t device_type, tn_allocator *allocator, int priority) {
    if (!registry_knows_type(device_type))
        return tni_raise(TN_ERROR_DEVICE, "set_allocator: there is no device type %d", (int)device_type);
    if (allocator) {
        if (!tni_object_check(&allocator->object, &tni_allocator_class, "allocator"))
            return tni_failed();
        if (allocator->device.type != device_type)
            return tni_raise(TN_ERROR_DEVICE, "set_allocator: allocator \"%s\" is for device type \"%s\", not \"%s\"",
                             allocator->name, tn_device_type_name(allocator->device.type), tn_device_type_name(device_type));
    }
    tn_allocator *standing = built_in_allocator(device_type); /* made before the lock is taken, because it registers itself */
    tni_registry_lock();
    tn_allocator *old = atomic_load(&registry_in_use[device_type].allocator);
    int old_priority = old ? registry_in_use[device_type].priority : 0;
    bool stays = allocator && (old || standing) && priority < old_priority;
    if (!stays) {
        if (allocator)
            tni_allocator_hold(allocator);
        registry_in_use[device_type].priority = allocator ? priority : 0;
        atomic_store_explicit(&registry_in_use[device_type].allocator, allocator, memory_order_release);
        if (device_type == TN_CPU)
            atomic_store_explicit(&tni_cpu_replaced, allocator && allocator != standing, memory_order_relaxed);
    }
    tni_registry_unlock();
    if (!stays && old)
        tni_allocator_drop(old);
    return TN_OK;
}

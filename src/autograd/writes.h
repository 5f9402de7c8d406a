/* writes.h - which part of a storage was written since a tensor was kept: see writes.c. */
#ifndef TNI_WRITES_H
#define TNI_WRITES_H

#include "tensor/tensor.h"

/* Storages that are watched tell of their writes from now on. */
void tni_writes_begin(void);

/* A tensor of this storage is kept: writes are to be remembered. Nobody else can write at the same time where the tensor is all that
 * refers to it. */
static inline void tni_writes_watch(tn_storage *storage) {
    uint32_t version = atomic_load_explicit(&storage->version, memory_order_relaxed);
    if (TNI_LIKELY(version & TNI_VERSION_WATCHED))
        return;
    if (tni_object_is_last(&storage->object))
        atomic_store_explicit(&storage->version, version | TNI_VERSION_WATCHED, memory_order_relaxed);
    else
        atomic_fetch_or_explicit(&storage->version, TNI_VERSION_WATCHED, memory_order_relaxed);
}

/* Whether all writes since a version are known, and none has touched an element of the tensor. Where not, `by` gets the name of the
 * operator that has, or "" where it is not known any more. */
enum { TNI_WRITES_NAME = 40 };
bool tni_writes_spared(const tn_tensor *kept, uint32_t since, char *by);

#endif

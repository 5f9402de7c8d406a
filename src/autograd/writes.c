/* writes.c - which part of a storage was written since a tensor was kept for a derivative.
 *
 * A version says that a storage was written, not where; so a row of a buffer that was filled later would look like a change of the rows
 * that were kept before. Where a storage is marked as watched, because a tensor of it was kept, each write through a tensor tells
 * here which elements it was through, and by which operator. The derivative that finds another version asks whether any of
 * these writes met what it had kept.
 *
 * A write of everything ends the watch, since nothing that was kept is left as it was; the next tensor that is kept begins it again. So
 * a parameter that an optimiser writes costs one note for each step, and a storage that nothing is kept from costs the test of a bit.
 *
 * Invariant: what is not known counts as a write of everything. So the notes have a fixed size, a few storages and a few dozen writes of
 * each, and the oldest are forgotten. A storage that ends is not told of: a new one at its address has no TNI_VERSION_LOGGED, and what
 * was noted before is forgotten with its first note.
 */
#include "autograd/writes.h"

#include <pthread.h>
#include <stdio.h>

#include "autograd/limits.h"
#include "base/thread.h"

typedef struct write_note {
    uint32_t version; /* after the write */
    bool whole;
    tn_region region; /* addresses count from the storage's first byte */
    int64_t sizes[WRITES_DIMS], strides[WRITES_DIMS];
    char by[TNI_WRITES_NAME];
} write_note;

typedef struct write_log {
    const tn_storage *storage;
    uint64_t opened; /* a number that grows */
    uint32_t count;  /* of notes ever made; the last WRITES_NOTES are there */
    write_note notes[WRITES_NOTES];
} write_log;

static pthread_mutex_t writes_lock = PTHREAD_MUTEX_INITIALIZER;
static write_log writes_logs[WRITES_STORAGES];
static uint64_t writes_opened;

static write_log *writes_find(const tn_storage *storage) {
    for (int i = 0; i < WRITES_STORAGES; i++)
        if (writes_logs[i].storage == storage)
            return &writes_logs[i];
    return NULL;
}

/* That of a storage, begun anew where it has none, or where it is that of one which was at the same address. */
static write_log *writes_open(tn_storage *storage) {
    write_log *log = writes_find(storage);
    bool known = atomic_fetch_or_explicit(&storage->version, TNI_VERSION_LOGGED, memory_order_relaxed) & TNI_VERSION_LOGGED;
    if (log && known)
        return log;
    if (!log) { /* the one that was begun first is given up */
        log = &writes_logs[0];
        for (int i = 1; i < WRITES_STORAGES; i++)
            log = writes_logs[i].opened < log->opened ? &writes_logs[i] : log;
    }
    log->storage = storage;
    log->opened = ++writes_opened;
    log->count = 0;
    return log;
}

/* Elements of many dimensions count as all of the storage. */
static bool writes_is_whole(const tn_storage *storage, const tn_tensor *through) {
    return !through || through->ndim > WRITES_DIMS ||
           (through->numel && tni_tensor_is_dense(through) &&
            (size_t)through->numel * tni_tensor_item_size(through) == storage->nbytes);
}

static void writes_describe(tn_region *region, const tn_tensor *tensor, int64_t *sizes, int64_t *strides) {
    int64_t item = (int64_t)tni_tensor_item_size(tensor);
    memcpy(sizes, tensor->sizes, tensor->ndim * sizeof *sizes);
    memcpy(strides, tensor->strides, tensor->ndim * sizeof *strides);
    *region = (tn_region){.address = (uintptr_t)(tensor->offset * item),
                          .itemsize = item,
                          .unit = item,
                          .ndim = tensor->ndim,
                          .sizes = sizes,
                          .strides = strides};
}

static void writes_note(tn_storage *storage, const tn_tensor *through, uint32_t version) {
    const char *name = tni_thread_get()->operator_name;
    bool whole = writes_is_whole(storage, through);
    pthread_mutex_lock(&writes_lock);
    write_log *log = writes_open(storage);
    write_note *note = &log->notes[log->count++ % WRITES_NOTES];
    note->version = version;
    note->whole = whole;
    if (!whole)
        writes_describe(&note->region, through, note->sizes, note->strides);
    (void)snprintf(note->by, sizeof note->by, "%s", name ? name : "");
    if (whole)
        atomic_fetch_and_explicit(&storage->version, ~(uint32_t)TNI_VERSION_WATCHED, memory_order_relaxed);
    pthread_mutex_unlock(&writes_lock);
}

void tni_writes_begin(void) {
    if (!atomic_load_explicit(&tni_storage_written, memory_order_relaxed))
        atomic_store_explicit(&tni_storage_written, writes_note, memory_order_release);
}

/* ---- the question */

static const write_note *writes_of_version(const write_log *log, uint32_t version) {
    for (uint32_t i = 0; i < WRITES_NOTES && i < log->count; i++)
        if (log->notes[i].version == version)
            return &log->notes[i];
    return NULL;
}

static bool writes_meets(const write_note *note, const tn_region *kept) {
    return note->whole || tn_regions_overlap(&note->region, kept, 0) != TN_OVERLAP_NO;
}

/* The first of the writes that cannot be shown to be elsewhere. */
static bool writes_look(const tn_tensor *kept, uint32_t since, uint32_t now, char *by) {
    const write_log *log = writes_find(kept->storage);
    int64_t sizes[TN_MAX_DIMS], strides[TN_MAX_DIMS];
    tn_region region;
    writes_describe(&region, kept, sizes, strides);
    if (!log || now - since > WRITES_NOTES)
        return false;
    for (uint32_t version = since + 1; version != now + 1; version++) {
        const write_note *note = writes_of_version(log, version & TNI_VERSION_MASK);
        if (note && !writes_meets(note, &region))
            continue;
        if (note)
            memcpy(by, note->by, sizeof note->by);
        return false;
    }
    return true;
}

bool tni_writes_spared(const tn_tensor *kept, uint32_t since, char *by) {
    uint32_t state = atomic_load_explicit(&kept->storage->version, memory_order_relaxed);
    by[0] = '\0';
    if (!(state & TNI_VERSION_LOGGED))
        return false;
    pthread_mutex_lock(&writes_lock);
    bool spared = writes_look(kept, since, tni_storage_version(kept->storage), by);
    pthread_mutex_unlock(&writes_lock);
    return spared;
}

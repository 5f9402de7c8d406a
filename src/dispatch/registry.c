/* registry.c - the kernels and fallbacks that have been registered at run time. Operators are in user_operators.c.
 *
 * Invariant: everything here is changed and read under one lock, under which nothing is raised or allocated and no foreign
 * code runs; what is handed out carries a reference, so that a kernel and its context outlive the calls that use them.
 * tni_registered_keys says without the lock for which keys there is anything at all: a process that registers nothing never takes it.
 * All memory belongs to what was registered: nothing remains when it is gone.
 */
#include <pthread.h>

#include "base/heap.h"
#include "dispatch/dispatch.h"
#include "dispatch/parts.h"

static pthread_mutex_t registry_kernel_lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_once_t registry_fork_once = PTHREAD_ONCE_INIT;
static tni_kernel_slots **registry_built_in;              /* by the number of the operator; exists while one has kernels */
static int64_t registry_built_in_used, registry_replaced; /* built-in operators with kernels; replaced CPU kernels */
static tni_kernel_entry *registry_fallbacks[TN_KEY_COUNT];
static int64_t registry_key_used[TN_KEY_COUNT + 1];
/* bit 63: TN_KEY_ANY */
_Atomic uint64_t tni_registered_keys;

static void registry_take(void) { pthread_mutex_lock(&registry_kernel_lock); }
static void registry_give(void) { pthread_mutex_unlock(&registry_kernel_lock); }
static void registry_watch_fork(void) { (void)pthread_atfork(registry_take, registry_give, registry_give); }

/* The child of a fork must not find the lock taken. */
void tni_dispatch_lock(void) {
    pthread_once(&registry_fork_once, registry_watch_fork);
    registry_take();
}

void tni_dispatch_unlock(void) { registry_give(); }

/* ---- kernels */

static void registry_destroy_entry(tni_object *object) {
    tni_kernel_entry *entry = (tni_kernel_entry *)object;
    tn_kernel kernel = entry->kernel;
    object->class = &tni_dead_class;
    tni_heap_free(entry, sizeof *entry);
    if (kernel.deleter)
        kernel.deleter(kernel.ctx);
}

static const tni_class registry_entry_class = {"kernel", registry_destroy_entry};

static uint64_t registry_bit(int32_t key) { return TN_KEYS(key == TN_KEY_ANY ? 63 : key); }

static void registry_count_key(int32_t key, int change) {
    registry_key_used[key] += change;
    if (registry_key_used[key])
        atomic_fetch_or(&tni_registered_keys, registry_bit(key));
    else
        atomic_fetch_and(&tni_registered_keys, ~registry_bit(key));
}

/* The table of an operator, or NULL where it has none. */
static tni_kernel_slots **registry_slots_of(const tn_operator *op) {
    if (tni_operator_is_registered(op))
        return &((tni_registered_operator *)(uintptr_t)op)->slots;
    return registry_built_in ? &registry_built_in[op - tni_operators] : NULL;
}

tni_kernel_entry *tni_registered_kernel(const tn_operator *op, int32_t key) {
    bool known =
        key >= 0 && key <= TN_KEY_ANY; /* the number of a device type may be anything, since it comes from the caller */
    if (TNI_LIKELY(!known || !(atomic_load_explicit(&tni_registered_keys, memory_order_acquire) & registry_bit(key))))
        return NULL;
    tni_dispatch_lock();
    tni_kernel_slots **slots = op ? registry_slots_of(op) : NULL;
    tni_kernel_entry *entry = !op               ? (key < TN_KEY_COUNT ? registry_fallbacks[key] : NULL)
                              : slots && *slots ? (*slots)->kernels[key]
                                                : NULL;
    if (entry)
        tni_object_retain(&entry->object);
    tni_dispatch_unlock();
    return entry;
}

bool tni_registered_exists(const tn_operator *op, int32_t key) {
    tni_kernel_entry *entry = tni_registered_kernel(op, key);
    if (entry)
        tni_object_release(&entry->object);
    return entry != NULL;
}

const char *tni_registered_show(const tn_operator *op) {
    tni_text text = {tni_show_buffer(), TNI_SHOW_SIZE, 0};
    const char *between = "";
    if (op->kernel) {
        tni_text_append(&text, "cpu");
        between = ", ";
    }
    tni_dispatch_lock();
    tni_kernel_slots **slots = registry_slots_of(op);
    for (int32_t key = 0; slots && *slots && key <= TN_KEY_ANY; key++)
        if ((*slots)->kernels[key] && !(key == TN_KEY_CPU && op->kernel)) {
            tni_text_append(&text, "%s%s", between, tn_key_name(key));
            between = ", ";
        }
    tni_dispatch_unlock();
    if (!text.length)
        tni_text_append(&text, "none");
    return text.at;
}

static bool registry_key_exists(int32_t key) { return strcmp(tn_key_name(key), "unknown") != 0; }

static tni_kernel_entry *registry_make_entry(tn_kernel kernel) {
    tni_kernel_entry *entry = tni_heap_alloc(sizeof *entry);
    if (!entry)
        return NULL;
    tni_object_init(&entry->object, &registry_entry_class);
    entry->kernel = kernel;
    return entry;
}

static size_t registry_built_in_bytes(void) { return (size_t)tni_operator_count * sizeof(tni_kernel_slots *); }

/* What was made for a kernel goes with the last one. */
static void registry_tidy(const tn_operator *op) {
    tni_kernel_slots **slots = registry_slots_of(op);
    if (slots && *slots && (*slots)->used == 0) {
        tni_heap_free(*slots, sizeof **slots);
        *slots = NULL;
        registry_built_in_used -= !tni_operator_is_registered(op);
    }
    if (registry_built_in && registry_built_in_used == 0) {
        tni_heap_free(registry_built_in, registry_built_in_bytes());
        registry_built_in = NULL;
    }
}

static void registry_count_replaced(const tn_operator *op, int32_t key, int change) {
    if (op->kernel && key == TN_KEY_CPU)
        tni_keys_everywhere_set(TNI_KEY_DETOUR, (registry_replaced += change) > 0);
}

/* What one registration may need, made before the lock is taken; the rest is given back afterwards. */
typedef struct registry_room {
    tni_kernel_entry *entry;
    tni_kernel_slots *slots, **table;
} registry_room;

static void registry_free_room(registry_room *room) {
    if (room->entry) {
        room->entry->kernel.deleter = NULL; /* it was never registered */
        tni_object_release(&room->entry->object);
    }
    if (room->slots)
        tni_heap_free(room->slots, sizeof *room->slots);
    if (room->table)
        tni_heap_free(room->table, registry_built_in_bytes());
}

static bool registry_make_room(const tn_operator *op, tn_kernel kernel, registry_room *room) {
    bool registered = tni_operator_is_registered(op);
    *room = (registry_room){registry_make_entry(kernel), tni_heap_calloc(sizeof *room->slots),
                            registered ? NULL : tni_heap_calloc(registry_built_in_bytes())};
    if (room->entry && room->slots && (registered || room->table))
        return true;
    registry_free_room(room);
    return false;
}

/* Under the lock: false where there is a kernel already. What is used is taken out of the room. */
static bool registry_put(const tn_operator *op, int32_t key, registry_room *room) {
    bool registered = tni_operator_is_registered(op);
    if (!registered && !registry_built_in) {
        registry_built_in = room->table;
        room->table = NULL;
    }
    tni_kernel_slots **slots = registry_slots_of(op);
    if (!*slots) {
        *slots = room->slots;
        room->slots = NULL;
        registry_built_in_used += !registered;
    }
    if ((*slots)->kernels[key])
        return false;
    (*slots)->kernels[key] = room->entry;
    room->entry = NULL;
    (*slots)->used++;
    registry_count_key(key, 1);
    registry_count_replaced(op, key, 1);
    return true;
}

/* Under the lock; the caller releases what is returned, after the lock. */
static tni_kernel_entry *registry_remove(const tn_operator *op, int32_t key) {
    tni_kernel_slots **slots = registry_slots_of(op);
    tni_kernel_entry *entry = slots && *slots ? (*slots)->kernels[key] : NULL;
    if (entry) {
        (*slots)->kernels[key] = NULL;
        (*slots)->used--;
        registry_count_key(key, -1);
        registry_count_replaced(op, key, -1);
        registry_tidy(op);
    }
    return entry;
}

void tni_registered_remove_all(const tn_operator *op, tni_kernel_slots *removed) {
    for (int32_t key = 0; key <= TN_KEY_ANY; key++)
        removed->kernels[key] = registry_remove(op, key);
}

/* The operator a registration is about, with a reference; NULL, raised, when there is none. */
static const tn_operator *registry_subject(const char *name) {
    if (!name) {
        tni_raise_missing("operator_name");
        return NULL;
    }
    const tn_operator *op = tni_operator_hold(name);
    if (!op)
        tni_raise_no_operator("kernel_register", name);
    return op;
}

static tn_error registry_register(const char *name, int32_t key, tn_kernel kernel) {
    const tn_operator *op = registry_subject(name);
    if (!op)
        return tni_failed();
    tn_error code = TN_OK;
    registry_room room;
    if (!registry_key_exists(key) || key == TN_KEY_PROFILE)
        code = tni_raise(TN_ERROR_ARGUMENT, "there is no key number %d that can have kernels", (int)key);
    else if (!kernel.function)
        code = tni_raise_missing("kernel.function");
    else if (!registry_make_room(op, kernel, &room))
        code = TN_ERROR_MEMORY;
    else {
        tni_dispatch_lock();
        bool done = registry_put(op, key, &room);
        tni_dispatch_unlock();
        registry_free_room(&room);
        if (!done)
            code = tni_raise(TN_ERROR_STATE, "%s already has a kernel for %s; unregister it first",
                             tni_operator_text(op, op->name), tn_key_name(key));
    }
    tni_operator_drop(op);
    return code;
}

tn_error tn_kernel_register(const char *operator_name, int32_t key, tn_kernel kernel) {
    const char *outer = tni_operator_enter("kernel_register");
    tn_error code = registry_register(operator_name, key, kernel);
    tni_operator_leave(outer);
    return code;
}

tn_error tn_kernel_unregister(const char *operator_name, int32_t key) {
    const char *outer = tni_operator_enter("kernel_unregister");
    const tn_operator *op = registry_subject(operator_name);
    tn_error code = op ? TN_OK : tni_failed();
    if (op) {
        tni_kernel_entry *entry = NULL;
        if (key >= 0 && key <= TN_KEY_ANY) {
            tni_dispatch_lock();
            entry = registry_remove(op, key);
            tni_dispatch_unlock();
        }
        if (entry)
            tni_object_release(&entry->object);
        else
            code = tni_raise(TN_ERROR_ARGUMENT, "no kernel of %s is registered for key %d (%s)",
                             tni_operator_text(op, op->name), (int)key, tn_key_name(key));
        tni_operator_drop(op);
    }
    tni_operator_leave(outer);
    return code;
}

/* ---- fallbacks */

static bool registry_may_fall_back(int32_t key) {
    return registry_key_exists(key) && key != TN_KEY_AUTOGRAD && key != TN_KEY_PROFILE && key != TN_KEY_ANY;
}

tn_error tn_fallback_register(int32_t key, tn_kernel kernel) {
    if (!registry_may_fall_back(key))
        return tni_raise_in("fallback_register", TN_ERROR_ARGUMENT, "there is no key number %d that can have a fallback",
                            (int)key);
    if (!kernel.function)
        return tni_raise_in("fallback_register", TN_ERROR_ARGUMENT, "kernel.function is NULL");
    tni_kernel_entry *entry = registry_make_entry(kernel);
    if (!entry)
        return TN_ERROR_MEMORY;
    tni_dispatch_lock();
    bool taken = registry_fallbacks[key] != NULL;
    if (!taken) {
        registry_fallbacks[key] = entry;
        registry_count_key(key, 1);
    }
    tni_dispatch_unlock();
    if (!taken)
        return TN_OK;
    registry_free_room(&(registry_room){.entry = entry});
    return tni_raise_in("fallback_register", TN_ERROR_STATE, "%s already has a fallback; unregister it first",
                        tn_key_name(key));
}

tn_error tn_fallback_unregister(int32_t key) {
    tni_kernel_entry *entry = NULL;
    if (key >= 0 && key < TN_KEY_COUNT) {
        tni_dispatch_lock();
        entry = registry_fallbacks[key];
        registry_fallbacks[key] = NULL;
        if (entry)
            registry_count_key(key, -1);
        tni_dispatch_unlock();
    }
    if (!entry)
        return tni_raise_in("fallback_unregister", TN_ERROR_ARGUMENT, "no fallback is registered for key %d (%s)", (int)key,
                            tn_key_name(key));
    tni_object_release(&entry->object);
    return TN_OK;
}

/* device.c - the names of device types, and reading them.
 *
 * Invariant: a name, once given, never changes or goes away; so a name is read without a lock, after the count.
 */
#include <pthread.h>

#include <tenon/memory.h>

#include "base/error.h"

enum { DEVICE_NAME_SIZE = 16 };

static char device_names[TN_DEVICE_TYPES][DEVICE_NAME_SIZE] = {
    [TN_CPU] = "cpu", [TN_CUDA] = "cuda", [TN_OPENCL] = "opencl", [TN_META] = "meta"};
static _Atomic int32_t device_count = TN_DEVICE_USER;
static pthread_mutex_t device_lock = PTHREAD_MUTEX_INITIALIZER;

static int32_t find_device_type(const char *name, size_t length) {
    int32_t count = atomic_load_explicit(&device_count, memory_order_acquire);
    for (int32_t type = 0; type < count; type++)
        if (strlen(device_names[type]) == length && memcmp(device_names[type], name, length) == 0)
            return type;
    return length == strlen(device_names[TN_META]) && memcmp(device_names[TN_META], name, length) == 0 ? TN_META : -1;
}

/* The lock is held over a fork, so that the child does not find it taken by a thread it does not have. */
static void device_names_take(void) { pthread_mutex_lock(&device_lock); }
static void device_names_give(void) { pthread_mutex_unlock(&device_lock); }
static void device_names_watch_fork(void) { (void)pthread_atfork(device_names_take, device_names_give, device_names_give); }

/* The type of that name, new or not; TN_DEVICE_TYPES when there is no room. Raises nothing: an observer of errors must not find
 * the lock taken. */
static int32_t add_device_type(const char *name, size_t length) {
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    pthread_once(&once, device_names_watch_fork);
    device_names_take();
    int32_t type = find_device_type(name, length);
    if (type < 0) {
        type = atomic_load_explicit(&device_count, memory_order_relaxed);
        if (type == TN_META)
            type = TN_DEVICE_TYPES;
        else {
            memcpy(device_names[type], name, length + 1);
            atomic_store_explicit(&device_count, type + 1, memory_order_release);
        }
    }
    device_names_give();
    return type;
}

int32_t tn_device_type_register(const char *name) {
    if (!name) {
        tni_raise_missing("name");
        return -1;
    }
    size_t length = strlen(name);
    if (length == 0 || length >= DEVICE_NAME_SIZE || strchr(name, ':')) {
        tni_raise(TN_ERROR_ARGUMENT, "device_type_register: \"%.40s\" is not a name of 1 to %d characters without a colon",
                  name, DEVICE_NAME_SIZE - 1);
        return -1;
    }
    int32_t type = add_device_type(name, length);
    if (type < TN_DEVICE_USER || type == TN_META) {
        tni_raise(TN_ERROR_ARGUMENT, "device_type_register: \"%s\" is a built-in device type", name);
        return -1;
    }
    if (type == TN_DEVICE_TYPES) {
        tni_raise(TN_ERROR_DEVICE, "device_type_register: no room for \"%s\": all %d device types are taken", name,
                  TN_DEVICE_TYPES);
        return -1;
    }
    return type;
}

const char *tn_device_type_name(int32_t type) {
    bool known = type == TN_META || (type >= 0 && type < atomic_load_explicit(&device_count, memory_order_acquire));
    return known ? device_names[type] : "unknown";
}

/* Digits only, no sign, no leading zero, at most INT32_MAX. */
static bool read_device_index(const char *text, int32_t *out) {
    if (*text == 0 || (*text == '0' && text[1] != 0))
        return false;
    int64_t index = 0;
    for (; *text; text++) {
        if (*text < '0' || *text > '9')
            return false;
        index = index * 10 + (*text - '0');
        if (index > INT32_MAX)
            return false;
    }
    *out = (int32_t)index;
    return true;
}

tn_error tn_device_parse(const char *text, tn_device *out) {
    if (!text || !out)
        return tni_raise_missing(text ? "out" : "text");
    size_t length = strcspn(text, ":");
    int32_t type = find_device_type(text, length), index = 0;
    if (type < 0)
        return tni_raise(TN_ERROR_DEVICE, "device_parse: \"%.60s\" does not name a device type", text);
    if (text[length] == ':' && !read_device_index(text + length + 1, &index))
        return tni_raise(TN_ERROR_DEVICE, "device_parse: \"%.60s\" does not end in a device number", text);
    *out = TN_DEVICE(type, index);
    return TN_OK;
}

bool tn_device_equal(tn_device a, tn_device b) { return a.type == b.type && a.index == b.index; }

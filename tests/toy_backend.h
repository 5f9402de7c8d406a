/* toy_backend.h - a device for tests: "toy", host memory whose addresses are disguised, so that whoever reads them without
 * asking the toy crashes. */
#ifndef TENON_TOY_BACKEND_H
#define TENON_TOY_BACKEND_H

#include "test.h"

#define TOY_DISGUISE ((uintptr_t)0x5a << 56)

static inline void *toy_real(const void *address) { return (void *)((uintptr_t)address ^ TOY_DISGUISE); }

static inline void *toy_allocate(void *ctx, size_t bytes) {
    (void)ctx;
    void *block = NULL;
    return posix_memalign(&block, 64, bytes) == 0 ? toy_real(block) : NULL;
}

static inline void toy_free(void *ctx, void *data, size_t bytes) {
    (void)ctx;
    (void)bytes;
    free(toy_real(data));
}

static inline tn_error toy_copy_bytes(void *ctx, void *target, const void *source, size_t bytes) {
    (void)ctx;
    memcpy(toy_real(target), toy_real(source), bytes);
    return TN_OK;
}

/* A CPU tensor over the memory of a toy tensor (or of a CPU tensor): what only the toy may do. */
static inline tn_tensor *toy_look(const tn_tensor *tensor) {
    if (tn_device_of(tensor).type == TN_CPU)
        return tn_alias(tensor);
    const char *base = tn_storage_data(tn_storage_of(tensor));
    const char *data =
        base ? (const char *)toy_real(base) + tn_storage_offset(tensor) * (int64_t)tn_element_size(tensor) : NULL;
    return tn_from_memory_strided(data, tn_sizes(tensor), tn_strides(tensor), tn_dtype_of(tensor), TN_BORROW);
}

static inline tn_error toy_copy(void *ctx, const tn_frame *frame, tn_values arguments, tn_value *result) {
    (void)frame;
    if (ctx)
        ++*(int *)ctx;
    tn_tensor *target = toy_look(arguments.items[0].as.tensor);
    *result = TN_V(tn_copy_(target, toy_look(arguments.items[1].as.tensor)));
    return result->as.tensor ? TN_OK : tn_error_code();
}

/* The number of the device type, with its allocator in use; -1 on failure. */
static inline int32_t toy_device(void) {
    int32_t type = tn_device_type_register("toy");
    tn_allocator_functions functions = {.struct_size = sizeof functions,
                                        .name = "toy",
                                        .device = {type, 0},
                                        .allocate = toy_allocate,
                                        .free = toy_free,
                                        .copy = toy_copy_bytes};
    tn_allocator *allocator = type >= 0 ? tn_allocator_create(&functions) : NULL;
    return allocator && tn_set_allocator(type, allocator, 0) == TN_OK ? type : -1;
}

static inline void toy_no_device(void *unused) {
    (void)unused;
    (void)tn_set_allocator(tn_device_type_register("toy"), NULL, 0);
}

/* Deferred: undo a registration, if it is still there; a waiting error keeps waiting. */
static inline void toy_drop_kernel_at(const char *name, int32_t key) {
    bool waiting = tn_error_code() != TN_OK;
    if (tn_kernel_unregister(name, key) != TN_OK && !waiting)
        tn_error_clear();
}
static inline void toy_drop_fallback_at(int32_t key) {
    bool waiting = tn_error_code() != TN_OK;
    if (tn_fallback_unregister(key) != TN_OK && !waiting)
        tn_error_clear();
}
static inline void toy_drop_kernel(void *name) { toy_drop_kernel_at(name, tn_device_type_register("toy")); }
static inline void toy_drop_fallback(void *unused) {
    (void)unused;
    toy_drop_fallback_at(tn_device_type_register("toy"));
}

/* The device with its copy_, all deferred to go. `copies` counts them; may be NULL. */
static inline int32_t toy_begin(int *copies) {
    int32_t type = toy_device();
    CHECK(type >= TN_DEVICE_USER);
    TEST_DEFER(toy_no_device, NULL);
    CHECK(tn_kernel_register("copy_", type, TN_KERNEL(toy_copy, copies)) == TN_OK);
    TEST_DEFER(toy_drop_kernel, (void *)(uintptr_t) "copy_");
    return type;
}

static inline tn_tensor *toy_tensor(tn_tensor *from) {
    tn_tensor *made = tn_empty_device(tn_sizes(from), tn_dtype_of(from), TN_DEVICE(tn_device_type_register("toy"), 0));
    return made ? tn_copy_(made, from) : NULL;
}

static inline tn_tensor *toy_fetch(const tn_tensor *from) {
    tn_tensor *made = tn_empty(tn_sizes(from), tn_dtype_of(from));
    return made ? tn_copy_(made, from) : NULL;
}

#endif

/* custom_backend.c - an operator and a device of one's own, with the calls that the built-in ones use.
 *
 *     cc -Iinclude examples/custom_backend.c build/libtenon.a -lm -pthread && ./a.out
 *
 * The device is called "toy". Its memory is the host's, but its addresses are disguised, as those of a real device are no
 * addresses to the CPU: whatever reads them without asking the toy crashes. The toy brings an allocator, a way to copy (the
 * operator copy_), and one operator that it computes itself. The CPU does the rest.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <tenon/tenon.h>

/* ---- the device: memory ---------------------------------------------------------------------------------------------- */

static void *disguise(const void *address) { return (void *)((uintptr_t)address ^ ((uintptr_t)0x5a << 56)); }

static void *toy_allocate(void *ctx, size_t bytes) {
    (void)ctx;
    void *block = aligned_alloc(64, (bytes + 63) / 64 * 64);
    return block ? disguise(block) : NULL;
}

static void toy_free(void *ctx, void *data, size_t bytes) {
    (void)ctx;
    (void)bytes;
    free(disguise(data));
}

static tn_error toy_copy_bytes(void *ctx, void *target, const void *source, size_t bytes) {
    (void)ctx;
    memcpy(disguise(target), disguise(source), bytes);
    return TN_OK;
}

/* ---- the device: kernels --------------------------------------------------------------------------------------------- */

/* What a driver would do with a device address: here, a CPU tensor over the same memory. */
static tn_tensor *look_inside(const tn_tensor *x) {
    if (tn_device_of(x).type == TN_CPU)
        return tn_alias(x);
    char *base = disguise(tn_storage_data(tn_storage_of(x)));
    return tn_from_memory_strided(base + tn_storage_offset(x) * (int64_t)tn_element_size(x), tn_sizes(x), tn_strides(x),
                                  tn_dtype_of(x), TN_BORROW);
}

/* copy_(self, source): to the toy, from it, and inside it. */
static tn_error toy_copy(void *ctx, const tn_frame *frame, tn_values arguments, tn_value *result) {
    (void)ctx;
    (void)frame;
    tn_tensor *target = look_inside(arguments.items[0].as.tensor);
    *result = TN_V(tn_copy_(target, look_inside(arguments.items[1].as.tensor)));
    return result->as.tensor ? TN_OK : tn_error_code();
}

/* relu(self): computed by the toy. */
static tn_error toy_relu(void *ctx, const tn_frame *frame, tn_values arguments, tn_value *result) {
    ++*(int *)ctx;
    tn_tensor *self = arguments.items[0].as.tensor;
    if (tn_dtype_of(self) != TN_FLOAT32) /* what it cannot do, it passes on: to the CPU, see main */
        return tn_redispatch(frame, arguments, result);
    tn_tensor *made = tn_empty_like(self, TN_DTYPE_DEFAULT, TN_CONTIGUOUS);
    tn_view_float32 in = tn_read_float32(tn_reshape(look_inside(self), TN_DIMS(-1)));
    tn_edit_float32 out = tn_write_float32(tn_view(look_inside(made), TN_DIMS(-1)));
    if (!in.data || !out.data)
        return tn_error_code();
    for (int64_t i = 0; i < in.sizes[0]; i++)
        TN_AT1(out, i) = TN_AT1(in, i) > 0 ? TN_AT1(in, i) : 0;
    *result = TN_V(made);
    return TN_OK;
}

/* ---- an operator ----------------------------------------------------------------------------------------------------- */

/* mine::scaled_relu(self, factor), made of other operators: good for every device. A scope is open around a kernel, so the
 * temporary is nobody's to release; a failure anywhere is a NULL at the end, which fails the call. */
static tn_error scaled_relu(void *ctx, const tn_frame *frame, tn_values arguments, tn_value *result) {
    (void)ctx;
    (void)frame;
    *result = TN_V(tn_mul_scalar(tn_relu(arguments.items[0].as.tensor), arguments.items[1].as.scalar));
    return TN_OK;
}

int main(void) {
    static int relu_calls;
    int32_t toy = tn_device_type_register("toy");
    tn_allocator_functions functions = {.struct_size = sizeof functions,
                                        .name = "toy memory",
                                        .device = TN_DEVICE(toy, 0),
                                        .allocate = toy_allocate,
                                        .free = toy_free,
                                        .copy = toy_copy_bytes};
    tn_allocator *memory = tn_allocator_create(&functions);
    tn_set_allocator(toy, memory, 0);
    tn_kernel_register("copy_", toy, TN_KERNEL(toy_copy, NULL));
    tn_kernel_register("relu", toy, TN_KERNEL(toy_relu, &relu_calls));
    tn_operator_register("mine::scaled_relu", "(tensor self, scalar factor=2) -> tensor", "relu, times a factor.");
    tn_kernel_register("mine::scaled_relu", TN_KEY_ANY, TN_KERNEL(scaled_relu, NULL));

    tn_scope scope = tn_scope_open();
    tn_tensor *here = TN_MATRIX(float, 3, {-1, 2, -3}, {4, -5, 6});
    tn_tensor *there = tn_to_device(here, TN_DEVICE(toy, 0));
    printf("on the %s: %lld bytes\n", tn_device_type_name(tn_device_of(there).type), (long long)tn_nbytes(there));

    tn_print(tn_to_device(tn_relu(tn_t(there)), TN_DEVICE_CPU), stdout); /* the transpose is a view; relu runs on the toy */
    printf("the toy's relu ran %d time(s)\n", relu_calls);

    if (!tn_exp(there)) { /* nobody told the toy how */
        printf("as expected: %s\n", tn_error_message());
        tn_error_clear();
    }
    tn_fallback_register(toy, TN_KERNEL(tn_fallback_to_cpu, NULL)); /* now the CPU does what the toy cannot */
    tn_print(tn_to_device(tn_exp(there), TN_DEVICE_CPU), stdout);

    tn_print(tn_to_device(tn_call_tensor("mine::scaled_relu", TN_VALUES(there)), TN_DEVICE_CPU), stdout);
    tn_print(tn_call_tensor("mine::scaled_relu", TN_VALUES(here, 0.5)), stdout); /* the same operator on the CPU */
    printf("the toy's relu ran %d time(s)\n", relu_calls);
    int failed = tn_error_code() != TN_OK;
    if (failed)
        fprintf(stderr, "%s\n", tn_error_message());
    tn_scope_close(scope);

    tn_operator_unregister("mine::scaled_relu"); /* and its kernel */
    tn_fallback_unregister(toy);
    tn_kernel_unregister("relu", toy);
    tn_kernel_unregister("copy_", toy);
    tn_set_allocator(toy, NULL, 0);
    tn_allocator_release(memory);
    return failed;
}

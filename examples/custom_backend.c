/* custom_backend.c - an operator and a device of your own, with the calls that the built-in ones use.
 *
 *     cc -Iinclude examples/custom_backend.c build/libtenon.a -lm -pthread && ./a.out
 *
 * The device is called "toy". Its memory is the host's, but its addresses are disguised, because those of a real device are not
 * addresses for the CPU: whatever reads them without asking the toy crashes. The toy brings an allocator and a function that
 * does jobs; with them it has every view, copy, pointwise operator and reduction, and what picks, sorts and goes along
 * lines. The CPU does the rest.
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

/* ---- the device: jobs ------------------------------------------------------------------------------------------------ */

static int jobs_done[TN_JOB_KINDS];

/* Copies, fills, every pointwise operator, reductions, indices, lines and products: what is to be computed comes as plain data. A driver would
 * choose its own code by job->kernel and start it; the toy, whose memory the CPU can reach, translates the addresses and lets
 * the CPU work. */
static tn_error toy_job(void *ctx, const tn_job *job) {
    (void)ctx;
    tn_job_operand operand[8];
    tn_job work = *job;
    for (int i = 0; i < job->operands; i++) {
        operand[i] = job->operand[i];
        if (operand[i].device.type != TN_CPU) /* numbers, and the other side of a copy, are already the CPU's */
            operand[i].data = disguise(operand[i].data);
    }
    work.operand = operand;
    work.struct_size = sizeof work;
    jobs_done[job->kind]++;
    return tn_job_run_on_cpu(&work);
}

/* ---- the device: a kernel of its own for one operator ------------------------------------------------------------------ */

/* It comes before the jobs, and passes on to them what it cannot do. */
static tn_error toy_relu(void *ctx, const tn_frame *frame, tn_values arguments, tn_value *result) {
    ++*(int *)ctx;
    tn_tensor *self = arguments.items[0].as.tensor;
    if (tn_dtype_of(self) != TN_FLOAT32 || !tn_is_contiguous(self))
        return tn_redispatch(frame, arguments, result);
    tn_tensor *made = tn_empty_like(self, TN_DTYPE_DEFAULT, TN_CONTIGUOUS);
    if (!made)
        return tn_error_code();
    const float *in = (float *)disguise(tn_storage_data(tn_storage_of(self))) + tn_storage_offset(self);
    float *out = disguise(tn_storage_data(tn_storage_of(made)));
    for (int64_t i = 0; i < tn_numel(self); i++)
        out[i] = in[i] > 0 ? in[i] : 0;
    *result = TN_V(made);
    return TN_OK;
}

/* ---- an operator ----------------------------------------------------------------------------------------------------- */

/* mine::scaled_relu(self, factor), made of other operators: good for every device. A scope is open around a kernel, so nobody
 * has to release the temporary; a failure anywhere is a NULL at the end, which fails the call. */
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
    tn_backend backend = {.struct_size = sizeof backend,
                          .copy = toy_job,
                          .fill = toy_job,
                          .pointwise = toy_job,
                          .reduce = toy_job,
                          .index = toy_job,
                          .lines = toy_job,
                          .product = toy_job};
    tn_backend_register(toy, &backend);
    tn_kernel_register("relu", toy, TN_KERNEL(toy_relu, &relu_calls));
    tn_operator_register("mine::scaled_relu", "(tensor self, scalar factor=2) -> tensor", "relu, times a factor.");
    tn_kernel_register("mine::scaled_relu", TN_KEY_ANY, TN_KERNEL(scaled_relu, NULL));

    tn_scope scope = tn_scope_open();
    tn_tensor *here = TN_MATRIX(float, 3, {-1, 2, -3}, {4, -5, 6});
    tn_tensor *there = tn_to_device(here, TN_DEVICE(toy, 0));
    printf("on the %s: %lld bytes\n", tn_device_type_name(tn_device_of(there).type), (long long)tn_nbytes(there));

    tn_tensor *row = tn_select(there, 0, 0); /* a view; then broadcasting, promotion and strides, as on the CPU */
    tn_tensor *sum = tn_sum_dim(tn_exp(tn_sub(there, row)), TN_DIMS(1), false, TN_FLOAT64);
    tn_print(tn_to_device(sum, TN_DEVICE_CPU), stdout);
    tn_tensor *square = tn_matmul(there, tn_t(there)); /* a product, of a transposed view */
    tn_print(tn_to_device(square, TN_DEVICE_CPU), stdout);
    tn_tensor *order = tn_argsort(sum, 0, true); /* a line, and positions that are used where they are */
    tn_print(tn_to_device(tn_softmax(tn_index_select(there, 0, order), 1, TN_DTYPE_DEFAULT), TN_DEVICE_CPU), stdout);
    for (int kind = 0; kind < TN_JOB_KINDS; kind++)
        printf("%s jobs: %d\n", tn_job_kind_name((tn_job_kind)kind), jobs_done[kind]);

    tn_print(tn_to_device(tn_relu(there), TN_DEVICE_CPU), stdout);
    printf("the toy's relu ran %d time(s)\n", relu_calls);

    if (!tn_nonzero(there)) { /* it needs more than these jobs */
        printf("as expected: %s\n", tn_error_message());
        tn_error_clear();
    }
    tn_fallback_register(toy, TN_KERNEL(tn_fallback_to_cpu, NULL)); /* now the CPU does what the toy cannot */
    tn_print(tn_to_device(tn_nonzero(tn_relu(there)), TN_DEVICE_CPU), stdout);

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
    tn_backend_unregister(toy);
    tn_set_allocator(toy, NULL, 0);
    tn_allocator_release(memory);
    return failed;
}

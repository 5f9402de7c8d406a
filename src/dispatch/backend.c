/* backend.c - the registry of devices that take jobs, and how a job reaches one. See tenon/backend.h.
 *
 * Invariant: an entry of the table is complete before its bits are set, and its bits are gone before it changes; so whoever
 * sees bits sees functions that belong to them. A call on another device reads nothing but the bits.
 */
#include "dispatch/backend.h"

#include "base/thread.h"
#include "dispatch/dispatch.h"
#include "operator_kernels.h"

static tn_backend backend_table[TN_DEVICE_TYPES];
static _Atomic unsigned backend_jobs[TN_DEVICE_TYPES] = {[TN_META] = (1u << TN_JOB_KINDS) - 1};

const char *tn_job_kind_name(tn_job_kind kind) {
    static const char *const names[TN_JOB_KINDS] = {
        [TN_JOB_COPY] = "copy",   [TN_JOB_FILL] = "fill",   [TN_JOB_POINTWISE] = "pointwise", [TN_JOB_REDUCE] = "reduce",
        [TN_JOB_INDEX] = "index", [TN_JOB_LINES] = "lines", [TN_JOB_PRODUCT] = "product"};
    return (unsigned)kind < TN_JOB_KINDS ? names[kind] : "unknown";
}

/* Ids: the places of the pointwise kernels, then the others. */
static const char *const backend_kernel_names[TNI_JOB_KERNEL_COUNT] = {
#define BACKEND_NAME(name) [TNI_JOB_##name] = #name,
    TNI_JOB_KERNELS(BACKEND_NAME)
#undef BACKEND_NAME
};

const char *tn_job_kernel_name(int32_t kernel_id) {
    if (kernel_id < 0 || kernel_id >= TNI_KERNEL_PLACES + TNI_JOB_KERNEL_COUNT)
        return NULL;
    return kernel_id < TNI_KERNEL_PLACES ? tni_kernel_names[kernel_id] : backend_kernel_names[kernel_id - TNI_KERNEL_PLACES];
}

int32_t tn_job_kernel_id(const char *kernel) {
    for (int32_t id = 0; kernel && id < TNI_KERNEL_PLACES + TNI_JOB_KERNEL_COUNT; id++) {
        const char *name = tn_job_kernel_name(id);
        if (name && strcmp(name, kernel) == 0)
            return id;
    }
    return -1;
}

const char *tni_job_name(tni_job_kernel kernel) { return backend_kernel_names[kernel]; }

tn_job tni_job_begin(tn_job_kind kind, tni_job_kernel kernel) {
    return (tn_job){.kind = kind, .kernel_id = TNI_KERNEL_PLACES + (int32_t)kernel, .kernel = backend_kernel_names[kernel]};
}

static tn_job_function backend_function(const tn_backend *backend, tn_job_kind kind) {
    switch (kind) {
    case TN_JOB_COPY: return backend->copy;
    case TN_JOB_FILL: return backend->fill;
    case TN_JOB_POINTWISE: return backend->pointwise;
    case TN_JOB_REDUCE: return backend->reduce;
    case TN_JOB_INDEX: return backend->index;
    case TN_JOB_LINES: return backend->lines;
    case TN_JOB_PRODUCT: return backend->product;
    case TN_JOB_KINDS: break;
    }
    return NULL;
}

static bool backend_type_exists(int32_t type) {
    return type > TN_CPU && type != TN_META && type < TN_DEVICE_TYPES && strcmp(tn_device_type_name(type), "unknown") != 0;
}

tn_error tn_backend_register(int32_t device_type, const tn_backend *backend) {
    static const char name[] = "backend_register";
    if (!backend || backend->struct_size < offsetof(tn_backend, copy) || backend->struct_size > 64 * sizeof *backend ||
        backend->struct_size % sizeof backend->copy) /* it ends in the middle of a member */
        return tni_raise_in(name, TN_ERROR_ARGUMENT,
                            backend ? "struct_size %zu is not the size of a tn_backend" : "backend is NULL",
                            backend ? backend->struct_size : 0);
    if (!backend_type_exists(device_type))
        return tni_raise_in(name, TN_ERROR_DEVICE, "device type %d %s", (int)device_type,
                            device_type == TN_CPU    ? "is the CPU, which has a backend"
                            : device_type == TN_META ? "is meta, where nothing is computed"
                                                     : "does not exist");
    tn_backend known = {0}; /* members that an older one does not have stay NULL */
    memcpy(&known, backend, backend->struct_size < sizeof known ? backend->struct_size : sizeof known);
    unsigned jobs = 0;
    for (int kind = 0; kind < TN_JOB_KINDS; kind++)
        jobs |= (unsigned)(backend_function(&known, (tn_job_kind)kind) != NULL) << kind;
    tni_dispatch_lock();
    bool taken = backend_table[device_type].struct_size != 0;
    if (!taken) {
        backend_table[device_type] = known;
        atomic_store_explicit(&backend_jobs[device_type], jobs, memory_order_release);
    }
    tni_dispatch_unlock();
    return taken ? tni_raise_in(name, TN_ERROR_STATE, "device type \"%s\" already has a backend",
                                tn_device_type_name(device_type))
                 : TN_OK;
}

tn_error tn_backend_unregister(int32_t device_type) {
    bool there = false;
    if (backend_type_exists(device_type)) {
        tni_dispatch_lock();
        there = backend_table[device_type].struct_size != 0;
        atomic_store_explicit(&backend_jobs[device_type], 0, memory_order_release);
        backend_table[device_type] = (tn_backend){0};
        tni_dispatch_unlock();
    }
    return there ? TN_OK
                 : tni_raise_in("backend_unregister", TN_ERROR_STATE, "device type %d has no backend", (int)device_type);
}

unsigned tni_backend_jobs(int32_t device_type) {
    return (uint32_t)device_type < TN_DEVICE_TYPES ? atomic_load_explicit(&backend_jobs[device_type], memory_order_acquire) : 0;
}

/* The meta device: there is nothing to compute, and nothing that could go elsewhere. */
static tn_error backend_pretend(const tn_job *job) {
    for (int i = 0; i < job->results; i++)
        if (job->operand[i].device.type != TN_META)
            return tni_raise(TN_ERROR_DEVICE, "elements of the device meta are wanted on device %s, but it has none",
                             tn_device_type_name(job->operand[i].device.type));
    return TN_OK;
}

tn_error tni_backend_run(int32_t device_type, tn_job *job) {
    const char *called = tni_thread_get()->operator_name;
    job->struct_size = sizeof *job;
    job->operator_name = called ? called : "";
    if (!tni_backend_does(device_type, job->kind))
        return tni_raise(TN_ERROR_DEVICE, "the backend of device type \"%s\" does no %s jobs, which this operator needs",
                         tn_device_type_name(device_type), tn_job_kind_name(job->kind));
    if (device_type == TN_META)
        return backend_pretend(job);
    const tn_backend *backend = &backend_table[device_type];
    tni_failed_forget();
    tn_error code = backend_function(backend, job->kind)(backend->ctx, job);
    if (code != TN_OK && tni_failed_silently())
        return tni_raise(strcmp(tn_error_name(code), "unknown") != 0 ? code : TN_ERROR_INTERNAL,
                         "the backend of device type \"%s\" failed in %s %s job (%s) without giving a reason",
                         tn_device_type_name(device_type), job->kind == TN_JOB_INDEX ? "an" : "a", tn_job_kind_name(job->kind),
                         job->kernel);
    return code;
}

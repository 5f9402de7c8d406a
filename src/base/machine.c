/* machine.c - tells a program what Tenon finds out about the machine: only the numbers that quota.c and cpu_features.c use. */
#include <tenon/cpu.h>

#include <unistd.h>

#include "base/cpu_features.h"
#include "base/error.h"
#include "base/quota.h"

/* A limit above what the machine has is not a limit: cgroups of version 1 write "no limit" as such a number. */
static int64_t none_as_zero(int64_t limit, int64_t all) { return limit == INT64_MAX || (all > 0 && limit > all) ? 0 : limit; }

tn_error tn_machine_find(tn_machine *out) {
    if (!out)
        return tni_raise_in("machine_find", TN_ERROR_ARGUMENT, "out is NULL");
    if (out->struct_size < sizeof *out)
        return tni_raise_in("machine_find", TN_ERROR_ARGUMENT,
                            "out->struct_size is %zu; set it to sizeof(tn_machine), which is %zu", out->struct_size,
                            sizeof *out);
    long pages = sysconf(_SC_PHYS_PAGES), page = sysconf(_SC_PAGESIZE);
    int64_t bytes;
    bool known = pages > 0 && page > 0 && !tni_mul_overflows((int64_t)pages, (int64_t)page, &bytes);
    *out = (tn_machine){
        .struct_size = out->struct_size,
        .cpus_online = sysconf(_SC_NPROCESSORS_ONLN),
        .cpus_allowed = tni_cpu_allowed(),
        .cpu_quota = none_as_zero(tni_cpu_quota(""), 0),
        .memory_bytes = known ? bytes : 0,
        .memory_limit = none_as_zero(tni_memory_quota(""), known ? bytes : 0),
        .l1_bytes = tni_cpu_l1_bytes(),
        .l2_bytes = tni_cpu_l2_bytes(),
        .last_bytes = tni_cpu_last_level_bytes(),
    };
    return TN_OK;
}

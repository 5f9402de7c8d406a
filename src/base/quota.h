/* quota.h - what this process may really use: CPUs by affinity and cgroup quota, memory by cgroup limit, not what the machine
 * has. */
#ifndef TNI_QUOTA_H
#define TNI_QUOTA_H

#include "base/common.h"

/* The CPUs that the calling thread may run on, or fewer if a cgroup quota allows fewer; at least 1. */
int64_t tni_cpu_count(void);

/* The CPUs of the calling thread's affinity mask, ignoring quotas. */
int64_t tni_cpu_allowed(void);

/* The bytes of memory of the machine, or fewer if a cgroup allows fewer; INT64_MAX when it is not known. */
int64_t tni_memory_bytes(void);

/* The cgroups' quota in whole CPUs, rounded up, at least 1, and their memory limit in bytes; INT64_MAX when there is none. The
 * smallest of this process's group and the groups around it, of version 1 and 2. `root` is put before every path that is read:
 * "" outside tests. */
int64_t tni_cpu_quota(const char *root);
int64_t tni_memory_quota(const char *root);

/* A short file's text, cut to fit and ended by 0, without its last newline. False when it cannot be read. */
bool tni_cpu_read_text(const char *path, char *text, size_t size);

#endif

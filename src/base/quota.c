/* quota.c - counts the CPUs and the memory that a process may use. A container with half a CPU on a machine of 64 must get one
 * thread.
 *
 * The affinity mask (which already includes cpusets) and cgroups say what is allowed: version 2 in cpu.max and memory.max,
 * version 1 in cpu.cfs_quota_us with cpu.cfs_period_us and in memory.limit_in_bytes. A quota applies to everything below its
 * group, so all groups from ours up to the root of the mount are read. What cannot be read sets no limit. Nothing is allocated.
 *
 * /proc/self/cgroup names our group, /proc/self/mountinfo says where its hierarchy can be read. Inside a container the mount
 * may show only a part of the hierarchy: its root there is then removed from the group's name, and a group outside it (as after
 * a move into another namespace) is treated as the mount itself.
 */
#include "base/quota.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>
#if defined(__linux__)
#include <sched.h>
#endif

enum { QUOTA_LINE_SIZE = 4096, QUOTA_PATH_SIZE = 4096 };

/* ---- reading without allocating ---- */

static ssize_t cpu_file_read(int file, void *buffer, size_t size) {
    ssize_t got;
    do
        got = read(file, buffer, size);
    while (got < 0 && errno == EINTR);
    return got;
}

bool tni_cpu_read_text(const char *path, char *text, size_t size) {
    int file = open(path, O_RDONLY | O_CLOEXEC);
    if (file < 0)
        return false;
    ssize_t got = cpu_file_read(file, text, size - 1);
    close(file);
    if (got < 0)
        return false;
    text[got] = 0;
    if (got > 0 && text[got - 1] == '\n')
        text[got - 1] = 0;
    return true;
}

typedef struct quota_lines {
    int file;
    size_t begin, end;
    char buffer[QUOTA_LINE_SIZE];
} quota_lines;

/* The next line without its newline, or NULL at the end. A line longer than the buffer comes in parts. */
static char *quota_next_line(quota_lines *reader) {
    for (;;) {
        char *start = reader->buffer + reader->begin;
        char *newline = memchr(start, '\n', reader->end - reader->begin);
        if (newline) {
            *newline = 0;
            reader->begin = (size_t)(newline + 1 - reader->buffer);
            return start;
        }
        memmove(reader->buffer, start, reader->end - reader->begin);
        reader->end -= reader->begin;
        reader->begin = 0;
        size_t room = sizeof reader->buffer - 1 - reader->end;
        ssize_t got = room ? cpu_file_read(reader->file, reader->buffer + reader->end, room) : 0;
        if (got <= 0) {
            reader->buffer[reader->end] = 0;
            reader->begin = reader->end;
            return reader->end > 0 ? reader->buffer : NULL;
        }
        reader->end += (size_t)got;
    }
}

/* ---- the quota ---- */

typedef struct quota_search quota_search;

struct quota_search {
    const char *root, *controller; /* "cpu" or "memory" */
    int64_t (*in_place)(const quota_search *search);
    bool version_2;
    char group[QUOTA_PATH_SIZE]; /* as /proc/self/cgroup names it: "/", "/user.slice/..." */
    char place[QUOTA_PATH_SIZE]; /* the folder in which its files are                     */
    size_t mount_length;         /* how much of `place` is the mount point                 */
};

/* Whether the comma-separated list holds the word. */
static bool quota_list_holds(const char *list, const char *word) {
    size_t length = strlen(word);
    for (const char *at = list; at; at = strchr(at, ',')) {
        at += *at == ',';
        if (strncmp(at, word, length) == 0 && (at[length] == 0 || at[length] == ','))
            return true;
    }
    return false;
}

/* A line of /proc/self/cgroup is "number:controllers:group"; version 2 has number 0 and no controllers. */
static bool quota_group_line(quota_search *search, const char *line) {
    const char *first = strchr(line, ':'), *second = first ? strchr(first + 1, ':') : NULL;
    if (!second)
        return false;
    char controllers[256];
    snprintf(controllers, sizeof controllers, "%.*s", (int)(second - first - 1), first + 1);
    if (search->version_2 ? strncmp(line, "0::", 3) != 0 : !quota_list_holds(controllers, search->controller))
        return false;
    return snprintf(search->group, sizeof search->group, "%s", second + 1) < (int)sizeof search->group;
}

/* A line of /proc/self/mountinfo is "id parent device root mount-point options [fields...] - type source super-options". */
static bool quota_mount_line(quota_search *search, const char *line) {
    const char *rest = strstr(line, " - ");
    if (!rest)
        return false;
    char type[32], super_options[512], root[QUOTA_PATH_SIZE], mount[QUOTA_PATH_SIZE];
    if (sscanf(rest + 3, "%31s %*s %511s", type, super_options) != 2 ||
        sscanf(line, "%*s %*s %*s %4095s %4095s", root, mount) != 2)
        return false;
    if (search->version_2 ? strcmp(type, "cgroup2") != 0
                          : strcmp(type, "cgroup") != 0 || !quota_list_holds(super_options, search->controller))
        return false;
    const char *inside = search->group;
    size_t length = strcmp(root, "/") == 0 ? 0 : strlen(root);
    if (strncmp(inside, root, length) == 0 && (inside[length] == '/' || inside[length] == 0))
        inside += length;
    else
        inside = "";
    search->mount_length = strlen(search->root) + strlen(mount);
    return snprintf(search->place, sizeof search->place, "%s%s%s", search->root, mount, inside) < (int)sizeof search->place;
}

static bool quota_any_line(quota_search *search, const char *path, bool (*matches)(quota_search *, const char *)) {
    quota_lines reader;
    reader.begin = reader.end = 0;
    snprintf(reader.buffer, sizeof reader.buffer, "%s%s", search->root, path);
    reader.file = open(reader.buffer, O_RDONLY | O_CLOEXEC);
    if (reader.file < 0)
        return false;
    bool found = false;
    for (const char *line; !found && (line = quota_next_line(&reader)) != NULL;)
        found = matches(search, line);
    close(reader.file);
    return found;
}

/* A whole number above 0, or 0 for anything else: "max", "-1", "". */
static int64_t quota_number(const char *text) {
    char *end;
    errno = 0;
    long long value = strtoll(text, &end, 10);
    return end == text || errno != 0 || value < 0 ? 0 : (int64_t)value;
}

static bool quota_text(const quota_search *search, const char *name, char *text, size_t size) {
    char path[QUOTA_PATH_SIZE + 32];
    snprintf(path, sizeof path, "%s/%s", search->place, name);
    return tni_cpu_read_text(path, text, size);
}

static int64_t quota_of_cpus(const quota_search *search) {
    char text[128];
    int64_t quota = 0, period = 0;
    if (search->version_2) {
        if (quota_text(search, "cpu.max", text, sizeof text)) {
            const char *space = strchr(text, ' ');
            quota = quota_number(text);
            period = space ? quota_number(space + 1) : 0;
        }
    } else {
        if (quota_text(search, "cpu.cfs_quota_us", text, sizeof text))
            quota = quota_number(text);
        if (quota_text(search, "cpu.cfs_period_us", text, sizeof text))
            period = quota_number(text);
    }
    return quota > 0 && period > 0 ? (quota - 1) / period + 1 : INT64_MAX;
}

static int64_t quota_of_memory(const quota_search *search) {
    char text[128];
    bool known = quota_text(search, search->version_2 ? "memory.max" : "memory.limit_in_bytes", text, sizeof text);
    int64_t bytes = known ? quota_number(text) : 0;
    return bytes > 0 ? bytes : INT64_MAX;
}

static int64_t quota_of_version(quota_search search, bool version_2) {
    search.version_2 = version_2;
    int64_t least = INT64_MAX;
    if (!quota_any_line(&search, "/proc/self/cgroup", quota_group_line) ||
        !quota_any_line(&search, "/proc/self/mountinfo", quota_mount_line))
        return least;
    for (;;) {
        least = tni_min_i64(least, search.in_place(&search));
        char *slash = strrchr(search.place, '/');
        if (!slash || (size_t)(slash - search.place) < search.mount_length)
            return least;
        *slash = 0;
    }
}

static int64_t quota_of(quota_search search) {
    return tni_min_i64(quota_of_version(search, true), quota_of_version(search, false));
}

int64_t tni_cpu_quota(const char *root) {
    return quota_of((quota_search){.root = root, .controller = "cpu", .in_place = quota_of_cpus});
}

int64_t tni_memory_quota(const char *root) {
    return quota_of((quota_search){.root = root, .controller = "memory", .in_place = quota_of_memory});
}

/* ---- the CPUs ---- */

int64_t tni_cpu_allowed(void) {
#if defined(__linux__)
    cpu_set_t masks[64]; /* 65536 CPUs: the kernel refuses a mask that is smaller than its own */
    memset(masks, 0, sizeof masks);
    if (sched_getaffinity(0, sizeof masks, masks) == 0)
        return CPU_COUNT_S(sizeof masks, masks);
#endif
    return sysconf(_SC_NPROCESSORS_ONLN);
}

int64_t tni_cpu_count(void) { return tni_max_i64(1, tni_min_i64(tni_cpu_allowed(), tni_cpu_quota(""))); }

/* ---- the memory ---- */

int64_t tni_memory_bytes(void) {
    long pages = sysconf(_SC_PHYS_PAGES), page = sysconf(_SC_PAGESIZE);
    int64_t bytes;
    bool known = pages > 0 && page > 0 && !tni_mul_overflows((int64_t)pages, (int64_t)page, &bytes);
    return tni_min_i64(known ? bytes : INT64_MAX, tni_memory_quota(""));
}

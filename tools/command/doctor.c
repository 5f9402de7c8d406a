/* doctor.c - `tenon doctor`: what this machine offers and what Tenon uses of it. Every line is asked of the system or of the
 * library at that moment; what cannot be found out is shown as unknown. */
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <tenon/tenon.h>

#include "command.h"
#include "common.h"
#include "doctor.h"
#include "terminal.h"

static char advice[1500];

void doctor_advise(const char *format, ...) {
    size_t used = strlen(advice);
    va_list arguments;
    va_start(arguments, format);
    if (used && used + 2 < sizeof advice)
        used += (size_t)snprintf(advice + used, sizeof advice - used, "; ");
    vsnprintf(advice + used, sizeof advice - used, format, arguments);
    va_end(arguments);
}

/* The environment's value, or NULL where it is not set or empty. */
static const char *environment(const char *name) {
    const char *value = getenv(name);
    return value && *value ? value : NULL;
}

static void show_processor(const tn_machine *machine) {
    terminal_fact("processors", "%lld online of %ld", (long long)machine->cpus_online, sysconf(_SC_NPROCESSORS_CONF));
#if defined(__x86_64__) && defined(__GNUC__)
    __builtin_cpu_init();
    terminal_fact("instruction sets", "x86-64%s%s%s%s%s", __builtin_cpu_supports("sse4.2") ? " sse4.2" : "",
                  __builtin_cpu_supports("avx") ? " avx" : "", __builtin_cpu_supports("avx2") ? " avx2" : "",
                  __builtin_cpu_supports("fma") ? " fma" : "", __builtin_cpu_supports("avx512f") ? " avx512f" : "");
#elif defined(__aarch64__)
    terminal_fact("instruction sets", "aarch64 neon");
#else
    terminal_fact("instruction sets", "unknown");
#endif
}

/* The level in use, and why it is not a better one. */
static void show_level(void) {
    tn_cpu_level used = tn_cpu_level_in_use(), best = tn_cpu_level_detected();
    const char *cap = environment("TENON_CPU");
    bool known = false;
    for (int level = 0; cap && level <= TN_CPU_AVX512; level++)
        known = known || strcmp(cap, tn_cpu_level_name((tn_cpu_level)level)) == 0;
    if (used < best)
        doctor_advise("unset TENON_CPU: this machine has %s, which is faster", tn_cpu_level_name(best));
    else if (cap && !known)
        doctor_advise("TENON_CPU is baseline, avx2 or avx512, not %.40s", cap);
    if (used < best)
        terminal_fact("level in use", "%s, capped by TENON_CPU=%s; this machine has %s", tn_cpu_level_name(used),
                      cap ? cap : "", tn_cpu_level_name(best));
    else if (cap && !known)
        terminal_fact("level in use", "%s, the best on this machine; TENON_CPU=%s does not name a level and is ignored",
                      tn_cpu_level_name(used), cap);
    else
        terminal_fact("level in use", "%s, the best on this machine", tn_cpu_level_name(used));
}

/* How many threads work, and what decides it. */
static void show_threads(const tn_machine *machine) {
    long long threads = tn_num_threads();
    const char *set = environment("TENON_NUM_THREADS");
    char *end = NULL;
    bool obeyed = set && strtoll(set, &end, 10) >= 1 && *end == 0;
    char ignored[128] = "";
    if (set && !obeyed)
        snprintf(ignored, sizeof ignored, "; TENON_NUM_THREADS=%.40s is not a number from 1 up and is ignored", set);
    if (obeyed)
        terminal_fact("threads", "%lld, set by TENON_NUM_THREADS=%s", threads, set);
    else if (machine->cpu_quota > 0 && machine->cpu_quota < machine->cpus_allowed)
        terminal_fact("threads", "%lld, capped by the CPU quota of a cgroup%s", threads, ignored);
    else if (machine->cpus_allowed < machine->cpus_online)
        terminal_fact("threads", "%lld, capped by the affinity mask%s", threads, ignored);
    else
        terminal_fact("threads", "%lld, one for each processor%s", threads, ignored);
    long long usable = machine->cpu_quota > 0 && machine->cpu_quota < machine->cpus_allowed ? (long long)machine->cpu_quota
                                                                                            : (long long)machine->cpus_allowed;
    if (obeyed && threads > usable)
        doctor_advise("TENON_NUM_THREADS=%s is more than the %lld processors that may be used: threads wait for each other",
                      set, usable);
    else if (obeyed && threads < usable)
        doctor_advise("TENON_NUM_THREADS=%s leaves %lld of %lld processors to others", set, usable - threads, usable);
    else if (set && !obeyed)
        doctor_advise("TENON_NUM_THREADS is a number from 1 up, not %.40s", set);
    else if (usable < machine->cpus_online)
        doctor_advise("this process may use %lld of %lld processors: a wider affinity mask or CPU quota would help", usable,
                      (long long)machine->cpus_online);
    if (machine->cpu_quota > 0)
        terminal_fact("processors allowed", "%lld by the affinity mask, %lld by the CPU quota of a cgroup",
                      (long long)machine->cpus_allowed, (long long)machine->cpu_quota);
    else
        terminal_fact("processors allowed", "%lld by the affinity mask; no cgroup has a CPU quota",
                      (long long)machine->cpus_allowed);
}

static void show_caches(const tn_machine *machine) {
    char first[TERMINAL_BYTES_SIZE], second[TERMINAL_BYTES_SIZE], last[TERMINAL_BYTES_SIZE];
    terminal_fact("caches", "%s first level, %s second, %s last", terminal_bytes(first, machine->l1_bytes),
                  terminal_bytes(second, machine->l2_bytes), terminal_bytes(last, machine->last_bytes));
}

/* Which of "always [madvise] never" the kernel has chosen. */
static void show_huge_pages(void) {
    char line[128] = "";
    FILE *file = fopen("/sys/kernel/mm/transparent_hugepage/enabled", "r");
    if (file) {
        if (!fgets(line, sizeof line, file))
            line[0] = 0;
        fclose(file);
    }
    char *begin = strchr(line, '['), *end = strchr(line, ']');
    if (begin && end && begin < end) {
        *end = 0;
        terminal_fact("transparent huge pages", "%s", begin + 1);
        if (strcmp(begin + 1, "never") == 0)
            doctor_advise("transparent huge pages are off: with madvise, large tensors cost fewer page faults");
    } else {
        terminal_fact("transparent huge pages", "unknown");
    }
}

static void show_machine_memory(const tn_machine *machine) {
    char buffer[TERMINAL_BYTES_SIZE];
    if (machine->memory_bytes > 0)
        terminal_fact("memory", "%s in pages of %ld bytes", terminal_bytes(buffer, machine->memory_bytes),
                      sysconf(_SC_PAGESIZE));
    if (machine->memory_limit > 0)
        terminal_fact("memory allowed", "%s by a cgroup", terminal_bytes(buffer, machine->memory_limit));
    else
        terminal_fact("memory allowed", "all of it; no cgroup limits it");
    show_huge_pages();
}

static int show_allocators(void) {
    const tn_allocator *used = tn_get_allocator(TN_CPU);
    tn_memory_stats stats = {.struct_size = sizeof stats};
    if (!used || tn_allocator_stats(used, &stats) != TN_OK)
        return command_failed();
    terminal_fact("allocator for cpu", "%s", tn_allocator_name(used));
    terminal_fact("built-in allocators", "%s, %s", tn_allocator_name(tn_cpu_allocator_plain()),
                  tn_allocator_name(tn_cpu_allocator_caching()));
    terminal_fact("size of a tensor object", "%zu bytes", tn_tensor_object_size());
    return COMMAND_OK;
}

/* A short proof that the library works here: make a tensor and read it back. */
static int try_it(void) {
    tn_scope scope = tn_scope_open();
    tn_tensor *numbers = tn_arange(5, TN_FLOAT32);
    double last = tn_get_double(numbers, TN_DIMS(-1));
    bool works = tn_error_code() == TN_OK && last == 4;
    tn_scope_close(scope);
    terminal_fact("a tensor made and read", "%s", works ? "works" : "FAILS");
    return works ? COMMAND_OK : command_failed();
}

int command_doctor(int argc, char **argv) {
    static const char usage[] =
        "usage: tenon doctor [--json]\n\nWhat this machine offers, what Tenon uses of it, what limits it, and what would be faster; it takes about two seconds.\n\n  --json    for programs\n\n  tenon doctor\n  TENON_NUM_THREADS=1 TENON_BLAS=openblas tenon doctor\n";
    bool json = false;
    const option known[] = {{.name = "json", .flag = &json}};
    command_line line = {"doctor", usage, known, 1, 0, 0, NULL, 0};
    int outcome = options_read(&line, argc, argv);
    if (outcome >= 0)
        return outcome;
    if (json)
        terminal_facts_json();
    terminal_fact("tenon", "%s%s%s", tn_version(), strcmp(tn_version(), TN_VERSION) == 0 ? "" : ", but the command is ",
                  strcmp(tn_version(), TN_VERSION) == 0 ? "" : TN_VERSION);
    if (*tn_parts_left_out())
        terminal_fact("made without", "%s", tn_parts_left_out());
    tn_machine machine = {.struct_size = sizeof machine};
    if (tn_machine_find(&machine) != TN_OK)
        return command_failed();
    show_processor(&machine);
    show_level();
    show_threads(&machine);
    show_caches(&machine);
    show_machine_memory(&machine);
    if (environment("TENON_JUNK_FILL") && strcmp(environment("TENON_JUNK_FILL"), "1") == 0)
        doctor_advise("unset TENON_JUNK_FILL: it writes all new memory, to find errors");
    if (environment("TENON_JUNK_FILL"))
        terminal_fact("TENON_JUNK_FILL", "%s", environment("TENON_JUNK_FILL"));
    doctor_products();
    doctor_factors();
    terminal_fact("deflating", "by %s",
                  strcmp(tn_deflate_provider(), "built in") == 0 ? "the built-in packer: no zlib was found"
                                                                 : tn_deflate_provider());
    if (strcmp(tn_deflate_provider(), "built in") == 0)
        doctor_advise("with zlib (Debian: zlib1g) npz files would be deflated faster");
    int status = show_allocators();
    status = status == COMMAND_OK ? try_it() : status;
    terminal_fact("advice", "%s", advice[0] ? advice : "none: nothing that was looked at slows Tenon down here");
    terminal_facts_end();
    return status;
}

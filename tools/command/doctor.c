/* doctor.c - `tenon doctor`: what this machine offers and what Tenon makes of it. Every line is asked of the system or of the
 * library at that moment; what cannot be found out is said to be unknown. */
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include <tenon/tenon.h>

#include "command.h"
#include "terminal.h"

static void show_processor(void) {
    terminal_fact("processors", "%ld online of %ld", sysconf(_SC_NPROCESSORS_ONLN), sysconf(_SC_NPROCESSORS_CONF));
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
    } else {
        terminal_fact("transparent huge pages", "unknown");
    }
}

static void show_machine_memory(void) {
    char buffer[TERMINAL_BYTES_SIZE];
    long pages = sysconf(_SC_PHYS_PAGES), page = sysconf(_SC_PAGESIZE);
    if (pages > 0 && page > 0)
        terminal_fact("memory", "%s in pages of %ld bytes", terminal_bytes(buffer, (long long)pages * page), page);
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

/* The shortest proof that the library works here: make a tensor and read it back. */
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
    if (argc > 1)
        return command_misused(argv[0], "takes no arguments");
    terminal_fact("tenon", "%s%s%s", tn_version(), strcmp(tn_version(), TN_VERSION) == 0 ? "" : ", but the command is ",
                  strcmp(tn_version(), TN_VERSION) == 0 ? "" : TN_VERSION);
    show_processor();
    show_machine_memory();
    int status = show_allocators();
    return status == COMMAND_OK ? try_it() : status;
}

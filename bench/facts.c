/* facts.c - what is measured once and not in a loop: how large the library is, what it needs, and what loading it costs.
 *
 * Start-up is the time of a process that loads the library minus that of one that does not, from start to end as its parent
 * sees it; the processes take turns.
 */
#include "bench.h"

#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>

extern char **environ;

enum { START_ROUNDS = 101, START_VARIANTS_MAX = 4 };

static double process_ns(char *const argv[]) {
    pid_t pid;
    int status = 1;
    double begin = bench_now_ns();
    if (posix_spawn(&pid, argv[0], NULL, NULL, argv, environ) != 0 || waitpid(pid, &status, 0) != pid || status != 0)
        return -1;
    return bench_now_ns() - begin;
}

static int ascending_ns(const void *a, const void *b) {
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static bench_result *add_fact(bench_result *out, int *count, const char *name) {
    bench_result *fact = &out[(*count)++];
    memset(fact, 0, sizeof *fact);
    fact->group = "the library itself";
    fact->name = name;
    fact->threads = 1;
    fact->limit = fact->verdict = -1;
    return fact;
}

typedef struct start_variant {
    const char *name, *what, *library;
    int column, rounds;
    double target_ns;
} start_variant;

static void add_start_up(const bench_fact_paths *paths, int tenon, int torch_cpp, bench_result *out, int *count) {
    static double times[START_VARIANTS_MAX][START_ROUNDS];
    const start_variant variants[START_VARIANTS_MAX] = {
        {"nothing", NULL, NULL, -1, START_ROUNDS, 0},
        {"start-up: load and tn_version", "version", paths->library, tenon, START_ROUNDS, 1e6},
        {"start-up: load and first tensor", "tensor", paths->library, tenon, START_ROUNDS, 1e6},
        {"start-up: load libtorch_cpu.so", "load", torch_cpp < 0 ? NULL : paths->torch_library, torch_cpp, 5, 0},
    };
    for (int round = 0; round < START_ROUNDS; round++)
        for (int i = 0; i < START_VARIANTS_MAX; i++) {
            const start_variant *variant = &variants[i];
            char *argv[] = {(char *)(uintptr_t)paths->start_up, (char *)(uintptr_t)variant->what,
                            (char *)(uintptr_t)variant->library, NULL};
            if (i > 0 && (!variant->library || round >= variant->rounds))
                continue;
            times[i][round] = process_ns(argv);
        }
    for (int i = 0; i < START_VARIANTS_MAX; i++)
        qsort(times[i], (size_t)variants[i].rounds, sizeof(double), ascending_ns);
    for (int i = 1; i < START_VARIANTS_MAX; i++) {
        const start_variant *variant = &variants[i];
        if (!variant->library || times[i][0] < 0 || times[0][0] < 0)
            continue;
        bench_result *fact = add_fact(out, count, variant->name);
        bench_figure *figure = &fact->figures[variant->column];
        figure->present = true;
        figure->best_ns = times[i][0] - times[0][0];
        figure->median_ns = times[i][variant->rounds / 2] - times[0][START_ROUNDS / 2];
        if (variant->target_ns > 0) {
            fact->verdict = figure->best_ns < variant->target_ns;
            snprintf(fact->note, sizeof fact->note, "%.2f ms (target: below 1 ms)", figure->best_ns / 1e6);
        } else {
            snprintf(fact->note, sizeof fact->note, "%.0f ms", figure->best_ns / 1e6);
        }
    }
}

/* What a command prints, its lines joined by spaces. */
static void output_of(const char *command, char *text, size_t space) {
    text[0] = '\0';
    FILE *pipe = popen(command, "r");
    if (!pipe)
        return;
    text[fread(text, 1, space - 1, pipe)] = '\0';
    pclose(pipe);
    for (char *p = text; *p; p++)
        if (*p == '\n')
            *p = p[1] ? ' ' : '\0';
}

int bench_facts(const bench_fact_paths *paths, int tenon, int torch_cpp, bench_result *out, int space) {
    char command[2048], text[200];
    int count = 0;
    if (space < 6)
        return 0;
    if (paths->start_up && paths->library)
        add_start_up(paths, tenon, torch_cpp, out, &count);

    bench_result *fact = add_fact(out, &count, "bytes of a tensor object");
    fact->bytes = (int64_t)tn_tensor_object_size();
    fact->verdict = fact->bytes <= 208;
    snprintf(fact->note, sizeof fact->note, "%lld bytes (target: at most 208)", (long long)fact->bytes);
    if (!paths->library)
        return count;

    snprintf(command, sizeof command, "strip -o '%s.stripped' '%s' && wc -c <'%s.stripped'; rm -f '%s.stripped'",
             paths->start_up, paths->library, paths->start_up, paths->start_up);
    output_of(command, text, sizeof text);
    long long bytes = strtoll(text, NULL, 10);
    if (bytes > 0) {
        fact = add_fact(out, &count, "libtenon.so stripped");
        fact->bytes = bytes;
        fact->verdict = bytes < 2000000;
        snprintf(fact->note, sizeof fact->note, "%lld bytes (target: below 2 MB)", bytes);
    }
    snprintf(command, sizeof command, "readelf -d '%s' | sed -n 's/.*(NEEDED).*\\[\\(.*\\)\\]/\\1/p'", paths->library);
    output_of(command, text, sizeof text);
    if (text[0]) {
        fact = add_fact(out, &count, "libtenon.so needs");
        snprintf(fact->note, sizeof fact->note, "%s (target: libc libm pthread)", text);
    }
    return count;
}

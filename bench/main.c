/* main.c - the bench program: finds the contestants, measures every workload, and writes the results.
 *
 * tools/bench builds what can be built and calls it; `make bench` calls tools/bench. Called alone it measures Tenon and the
 * machine's limits, which need nothing else.
 */
#include "bench.h"
#include "output.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { RESULTS_MAX = 1000, THREAD_COUNTS_MAX = 8 };

typedef struct bench_options {
    double seconds;
    int64_t threads[THREAD_COUNTS_MAX];
    int thread_counts;
    const char *only, *csv, *markdown, *python, *worker, *torch_cpp, *shared, *blas, *blas_library[3];
    bench_fact_paths paths;
} bench_options;

static const char usage[] =
    "usage: run [--seconds S] [--threads 1,2] [--only TEXT] [--csv FILE] [--markdown FILE]\n"
    "           [--python PYTHON --worker bench/peers/worker.py] [--torch-cpp PROGRAM] [--torch-library libtorch_cpu.so]\n"
    "           [--blas PROGRAM [--openblas LIBRARY] [--blis LIBRARY] [--onednn LIBRARY]]\n"
    "           [--shared run-shared] [--library libtenon.so --start-up PROGRAM]\n"
    "       run --torch-rows       the C++ code of the workloads, for bench/peers/torch.cpp\n"
    "       run --peer             be a peer of another run\n"
    "--seconds is for one contestant in one workload; --only measures the workloads whose name or group contains TEXT.\n";

/* ---- what takes part ----------------------------------------------------------------------------------------------- */

static bool absent_prepare(bench_contestant *self, const bench_workload *workload, int64_t threads, char reason[256]) {
    (void)self, (void)workload, (void)threads, (void)reason;
    return false;
}

/* The contestants are listed to `about`, where it is not NULL. */
static void enter_peer(bench_contest *contest, bench_peer_kind kind, char *const argv[], int64_t threads, FILE *about) {
    char hello[256];
    bench_contestant *peer = &contest->list[contest->count++];
    bool here = argv[0] && bench_peer_start(peer, kind, argv, threads, hello);
    if (!here)
        *peer = (bench_contestant){.name = bench_peer_name(kind), .prepare = absent_prepare};
    if (about && (argv[0] || kind != BENCH_PEER_TENON))
        fprintf(about, "  %-12s %s\n", peer->name, here || argv[0] ? hello : "not installed (make bench-peers installs it)");
}

/* The same positions for every thread count: the limits, Tenon, the peers. Peers start again, because some of them read the
 * number of threads only when they start. */
static void enter_all(bench_contest *contest, const bench_options *options, int64_t threads, FILE *about) {
    char *python = (char *)(uintptr_t)options->python, *worker = (char *)(uintptr_t)options->worker;
    contest->count = bench_limits(contest->list, BENCH_CONTESTANTS_MAX - 1 - BENCH_PEER_KINDS);
    contest->tenon = contest->count;
    contest->list[contest->count++] = bench_tenon();
    if (about)
        fprintf(about, "  %-12s Tenon %s (libtenon.a), %s kernels\n", "Tenon", tn_version(),
                tn_cpu_level_name(tn_cpu_level_in_use()));
    enter_peer(contest, BENCH_PEER_TENON, (char *[]){(char *)(uintptr_t)options->shared, "--peer", NULL}, threads, about);
    enter_peer(contest, BENCH_PEER_TORCH_CPP, (char *[]){(char *)(uintptr_t)options->torch_cpp, NULL}, threads, about);
    enter_peer(contest, BENCH_PEER_TORCH, (char *[]){python, worker, "torch", NULL}, threads, about);
    enter_peer(contest, BENCH_PEER_NUMPY, (char *[]){python, worker, "numpy", NULL}, threads, about);
    static const char *const words[] = {"openblas", "blis", "onednn", "libxsmm"};
    for (int i = 0; i < 4; i++)
        enter_peer(contest, (bench_peer_kind)(BENCH_PEER_OPENBLAS + i),
                   (char *[]){(char *)(uintptr_t)options->blas, (char *)(uintptr_t)words[i],
                              i < 3 ? (char *)(uintptr_t)options->blas_library[i] : NULL, NULL},
                   threads, about);
}

static void leave_all(bench_contest *contest) {
    for (int i = contest->tenon + 1; i < contest->count; i++)
        if (contest->list[i].sample)
            bench_peer_stop(&contest->list[i]);
}

/* ---- the machine --------------------------------------------------------------------------------------------------- */

static void tell_machine(FILE *file) {
    char line[512], model[256] = "unknown CPU";
    double load = 0;
    FILE *info = fopen("/proc/cpuinfo", "r");
    while (info && fgets(line, sizeof line, info)) {
        char *colon = strchr(line, ':');
        if (strncmp(line, "model name", 10) == 0 && colon) {
            snprintf(model, sizeof model, "%s", colon + 2);
            model[strcspn(model, "\n")] = '\0';
            break;
        }
    }
    if (info)
        fclose(info);
    fprintf(file, "%s, %ld CPUs", model, sysconf(_SC_NPROCESSORS_ONLN));
    for (int level = 1; level <= 3; level++) {
        int index = level == 1 ? 0 : level;
        snprintf(line, sizeof line, "/sys/devices/system/cpu/cpu0/cache/index%d/size", index);
        FILE *size = fopen(line, "r");
        if (size && fgets(line, sizeof line, size))
            fprintf(file, ", L%d %.*sB", level, (int)strcspn(line, "\n"), line);
        if (size)
            fclose(size);
    }
    fprintf(file, "\n");
    if (getloadavg(&load, 1) == 1 && load > 0.7)
        fprintf(file, "other work is running on this machine (load %.1f): trust best over median, and both a little less\n",
                load);
}

/* ---- workloads ----------------------------------------------------------------------------------------------------- */

static bool is_wanted(const bench_options *options, const bench_group *group, const bench_workload *workload, int64_t threads) {
    if (threads > 1 && workload->reads + workload->writes == 0)
        return false;
    return !options->only || strstr(workload->name, options->only) || strstr(group->name, options->only);
}

static int measure_all(bench_contest *contest, const bench_options *options, int64_t threads, bench_result *results,
                       int space) {
    int count = 0;
    for (const bench_group *group = bench_groups; group->name; group++) {
        bool headed = false;
        for (const bench_workload *workload = group->rows; workload->name && count < space; workload++) {
            if (!is_wanted(options, group, workload, threads))
                continue;
            if (!headed)
                bench_print_head(contest, group->name);
            headed = true;
            bench_result *result = &results[count++];
            result->group = group->name;
            bench_measure(contest, workload, threads, result);
            bench_print_result(contest, result);
        }
    }
    return count;
}

/* One function for each row with C++ code; its name is its number. */
static void print_torch_rows(void) {
    int count = 0;
    printf("// Written by bench/run --torch-rows from the table of workloads.\n");
    for (const bench_group *group = bench_groups; group->name; group++)
        for (const bench_workload *row = group->rows; row->name; row++)
            if (row->torch_cpp.run)
                printf("static Runner row_%d() {\n    %s\n"
                       "    return [=](int64_t times) mutable { for (; times > 0; times--) { %s; } };\n}\n",
                       count++, row->torch_cpp.setup ? row->torch_cpp.setup : "", row->torch_cpp.run);
    printf("static const std::vector<Row> rows = {\n");
    count = 0;
    for (const bench_group *group = bench_groups; group->name; group++)
        for (const bench_workload *row = group->rows; row->name; row++)
            if (row->torch_cpp.run)
                printf("    {\"%s\", row_%d},\n", row->name, count++);
    printf("};\n");
}

/* By group first, so that the thread counts of a workload are together. */
static void sort_results(bench_result *results, int count) {
    static bench_result sorted[RESULTS_MAX];
    static bool taken[RESULTS_MAX];
    int filled = 0;
    for (int i = 0; i < count; i++)
        for (int j = i; j < count; j++)
            if (!taken[j] && strcmp(results[i].name, results[j].name) == 0) {
                sorted[filled++] = results[j];
                taken[j] = true;
            }
    memcpy(results, sorted, (size_t)filled * sizeof *results);
}

/* ---- options ------------------------------------------------------------------------------------------------------- */

static bool read_thread_counts(bench_options *options, const char *text) {
    options->thread_counts = 0;
    while (*text && options->thread_counts < THREAD_COUNTS_MAX) {
        char *end;
        long n = strtol(text, &end, 10);
        if (end == text || n < 1 || (*end && *end != ','))
            return false;
        options->threads[options->thread_counts++] = n;
        text = *end ? end + 1 : end;
    }
    return options->thread_counts > 0;
}

static bool read_options(bench_options *options, int argc, char **argv) {
    const struct {
        const char *name;
        const char **where;
    } texts[] = {
        {"--only", &options->only},
        {"--csv", &options->csv},
        {"--markdown", &options->markdown},
        {"--python", &options->python},
        {"--worker", &options->worker},
        {"--torch-cpp", &options->torch_cpp},
        {"--shared", &options->shared},
        {"--blas", &options->blas},
        {"--openblas", &options->blas_library[0]},
        {"--blis", &options->blas_library[1]},
        {"--onednn", &options->blas_library[2]},
        {"--torch-library", &options->paths.torch_library},
        {"--library", &options->paths.library},
        {"--start-up", &options->paths.start_up},
    };
    *options = (bench_options){.seconds = 0.5, .threads = {1, 2}, .thread_counts = sysconf(_SC_NPROCESSORS_ONLN) > 1 ? 2 : 1};
    for (int i = 1; i < argc; i += 2) {
        bool known = false;
        if (i + 1 == argc)
            return false;
        for (size_t k = 0; k < sizeof texts / sizeof texts[0]; k++)
            if (strcmp(argv[i], texts[k].name) == 0) {
                *texts[k].where = argv[i + 1][0] ? argv[i + 1] : NULL;
                known = true;
            }
        if (strcmp(argv[i], "--seconds") == 0)
            known = (options->seconds = strtod(argv[i + 1], NULL)) > 0;
        if (strcmp(argv[i], "--threads") == 0)
            known = read_thread_counts(options, argv[i + 1]);
        if (!known)
            return false;
    }
    return !options->python || options->worker;
}

static FILE *open_result(const char *path) {
    FILE *file = fopen(path, "w");
    if (!file)
        perror(path);
    return file;
}

int main(int argc, char **argv) {
    static bench_result results[RESULTS_MAX];
    static bench_contest contest;
    bench_options options;
    int count = 0;

    if (argc == 2 && strcmp(argv[1], "--torch-rows") == 0) {
        print_torch_rows();
        return 0;
    }
    if (argc == 2 && strcmp(argv[1], "--peer") == 0)
        return bench_peer_self();
    if (!read_options(&options, argc, argv)) {
        fputs(usage, stderr);
        return 2;
    }
    char *about_text = NULL;
    size_t about_size;
    FILE *about = open_memstream(&about_text, &about_size);
    if (!about)
        return 1;
    tell_machine(about);
    contest.seconds = options.seconds;
    for (int i = 0; i < options.thread_counts; i++) {
        enter_all(&contest, &options, options.threads[i], i == 0 ? about : NULL);
        if (i == 0) {
            fclose(about);
            fputs(about_text, stdout);
            fflush(stdout);
        }
        count += measure_all(&contest, &options, options.threads[i], results + count, RESULTS_MAX - 10 - count);
        leave_all(&contest);
    }
    sort_results(results, count);
    if (!options.only) {
        int torch_cpp = contest.list[contest.tenon + 2].sample ? contest.tenon + 2 : -1;
        int facts = bench_facts(&options.paths, contest.tenon, torch_cpp, results + count, RESULTS_MAX - count);
        printf("\nthe library itself\n");
        for (int i = 0; i < facts; i++)
            bench_print_result(&contest, &results[count + i]);
        count += facts;
    }

    FILE *file;
    bool written = true;
    if (options.csv && (written = (file = open_result(options.csv)) != NULL)) {
        bench_write_csv(file, &contest, results, count);
        written = fclose(file) == 0;
    }
    if (written && options.markdown && (written = (file = open_result(options.markdown)) != NULL)) {
        fprintf(file, "```\n%s```\n", about_text);
        bench_write_markdown(file, &contest, results, count);
        written = fclose(file) == 0;
    }
    free(about_text);
    return written ? 0 : 1;
}

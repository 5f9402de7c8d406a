/* drive.c - runs a fuzzer without libFuzzer: files of the corpus, or a range of seeds over all operators.
 *
 *     drive FILE...                             each file once; for a folder, every file in it
 *     drive --seed 1 --count 20000              case i is operator i modulo their number, with the seed 1 + i
 *     drive --seed 1 --seconds 60               as many as there is time for
 *     drive ... --only NAME                     operators whose name begins like this
 *     drive ... --keep FOLDER                   writes the choices of what fails to a file there, to be moved to tests/fuzz/corpus
 *
 * The cases run in a child. When one of them ends it, by a sanitizer's report, a failed check or two minutes without an end, it
 * is named, with the command to see it again, and another child continues after it. The status is 1 if there was any.
 */
#include <dirent.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include <tenon/tenon.h>

enum { DRIVE_SECONDS_A_CASE = 120, DRIVE_FILE = 1 << 20, DRIVE_FINDINGS = 200, DRIVE_FILES = 4096 };

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

typedef struct drive_plan {
    const char *keep, *only;
    unsigned long long seed, count;
    long seconds;
    bool seeds;
    char *files[DRIVE_FILES];
    size_t file_count;
} drive_plan;

static void drive_add(drive_plan *plan, const char *path) {
    struct stat about;
    if (stat(path, &about) != 0) {
        perror(path);
        exit(2);
    }
    if (!S_ISDIR(about.st_mode)) {
        if (plan->file_count < DRIVE_FILES && !(plan->files[plan->file_count++] = strdup(path)))
            exit(2);
        return;
    }
    DIR *folder = opendir(path);
    for (struct dirent *entry; folder && (entry = readdir(folder)) != NULL;)
        if (entry->d_name[0] != '.') {
            char inside[4096];
            snprintf(inside, sizeof inside, "%s/%s", path, entry->d_name);
            drive_add(plan, inside);
        }
    if (folder)
        closedir(folder);
}

/* The bytes of case i, and its name; 0 where there is none. */
static size_t drive_case(const drive_plan *plan, unsigned long long i, uint8_t *data, char *name, size_t name_size) {
    if (!plan->seeds) {
        FILE *file = fopen(plan->files[i], "rb");
        size_t size = file ? fread(data, 1, DRIVE_FILE, file) : 0;
        snprintf(name, name_size, "%s", plan->files[i]);
        if (file)
            fclose(file);
        return size;
    }
    const tn_operator *op = tn_operator_at((int64_t)(i % (unsigned long long)tn_operator_count()));
    if (plan->only && strncmp(tn_operator_name(op), plan->only, strlen(plan->only)) != 0)
        return 0;
    snprintf(name, name_size, "%s, seed %llu", tn_operator_name(op), plan->seed + i);
    return (size_t)snprintf((char *)data, DRIVE_FILE, "%s\n%llu\n", tn_operator_name(op), plan->seed + i);
}

static bool drive_goes_on(const drive_plan *plan, unsigned long long i, time_t start) {
    return plan->seeds ? (plan->seconds ? time(NULL) - start < plan->seconds : i < plan->count) : i < plan->file_count;
}

static void drive_report(const drive_plan *plan, unsigned long long i, int status, uint8_t *data) {
    char name[4096] = "";
    size_t size = drive_case(plan, i, data, name, sizeof name);
    printf("FOUND by %s: %s\n", name,
           WIFSIGNALED(status) && WTERMSIG(status) == SIGALRM ? "it did not end"
           : WIFSIGNALED(status)                              ? strsignal(WTERMSIG(status))
                                                              : "see the report above");
    fflush(NULL);
    if (plan->keep && plan->seeds) { /* a child runs it again, quietly, and writes down what it chooses */
        char path[4096];
        mkdir(plan->keep, 0777);
        snprintf(path, sizeof path, "%s/operators-%llu", plan->keep, plan->seed + i);
        pid_t child = fork();
        if (child == 0) {
            setenv("FUZZ_RECORD", path, 1);
            if (!freopen("/dev/null", "w", stderr))
                _exit(2);
            alarm(DRIVE_SECONDS_A_CASE);
            LLVMFuzzerTestOneInput(data, size);
            _exit(0);
        }
        struct stat about;
        if (child > 0 && waitpid(child, &status, 0) == child && stat(path, &about) == 0)
            printf("  written to %s\n", path);
    }
    fflush(stdout);
}

int main(int argc, char **argv) {
    static drive_plan plan;
    plan.seed = 1;
    for (int i = 1; i < argc; i++) {
        bool more = i + 1 < argc;
        if (strcmp(argv[i], "--seed") == 0 && more)
            plan.seed = strtoull(argv[++i], NULL, 10), plan.seeds = true;
        else if (strcmp(argv[i], "--count") == 0 && more)
            plan.count = strtoull(argv[++i], NULL, 10), plan.seeds = true;
        else if (strcmp(argv[i], "--seconds") == 0 && more)
            plan.seconds = strtol(argv[++i], NULL, 10), plan.seeds = true;
        else if (strcmp(argv[i], "--only") == 0 && more)
            plan.only = argv[++i];
        else if (strcmp(argv[i], "--keep") == 0 && more)
            plan.keep = argv[++i];
        else
            drive_add(&plan, argv[i]);
    }

    static uint8_t data[DRIVE_FILE + 1];
    volatile unsigned long long *at = mmap(NULL, sizeof *at, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (at == MAP_FAILED)
        return 2;
    time_t start = time(NULL);
    int findings = 0;
    for (bool done = false; !done && findings < DRIVE_FINDINGS;) {
        fflush(NULL);
        pid_t child = fork();
        if (child == 0) {
            for (; drive_goes_on(&plan, *at, start); ++*at) {
                char name[4096];
                size_t size = drive_case(&plan, *at, data, name, sizeof name);
                uint8_t *exact = malloc(size + 1); /* reading beyond it is seen */
                if (!exact)
                    _exit(2);
                memcpy(exact, data, size);
                alarm(DRIVE_SECONDS_A_CASE);
                if (size || !plan.seeds)
                    LLVMFuzzerTestOneInput(exact, size);
                free(exact);
            }
            alarm(0);
            exit(0); /* the leak sanitizer looks */
        }
        int status = 0;
        if (child < 0 || waitpid(child, &status, 0) != child)
            return 2;
        done = status == 0;
        if (!done && !drive_goes_on(&plan, *at, start)) {
            printf("FOUND at the end: see the report above\n");
            done = true;
            findings++;
        } else if (!done) {
            drive_report(&plan, *at, status, data);
            findings++;
            ++*at;
        }
    }
    printf("%llu cases, %d findings\n", *at, findings);
    return findings != 0;
}

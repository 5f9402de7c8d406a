/* peer_self.c - the other end of peer.c, in C: Tenon as a peer.
 *
 * The bench program is linked to the archive; a second copy of it, linked to the shared library, is asked in the same way as
 * PyTorch. The difference between the two is what calls through a shared library cost on this machine.
 */
#include "bench.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const bench_workload *workload_named(const char *name) {
    for (const bench_group *group = bench_groups; group->name; group++)
        for (const bench_workload *row = group->rows; row->name; row++)
            if (strcmp(row->name, name) == 0)
                return row;
    return NULL;
}

/* `line` is "prepare", the name, the threads and, unused here, code, between tabs. */
static bool obey_prepare(bench_contestant *tenon, char *line, char reason[256]) {
    char *name = strchr(line, '\t'), *threads = name ? strchr(name + 1, '\t') : NULL;
    if (!threads)
        return false;
    *threads = '\0';
    const bench_workload *workload = workload_named(name + 1);
    return workload && tenon->prepare(tenon, workload, strtol(threads + 1, NULL, 10), reason);
}

int bench_peer_self(void) {
    static char line[8192];
    bench_contestant tenon = bench_tenon();
    printf("hello Tenon %s (libtenon.so), %s kernels\n", tn_version(), tn_cpu_level_name(tn_cpu_level_in_use()));
    fflush(stdout);
    while (fgets(line, sizeof line, stdin)) {
        char reason[256] = "no such workload";
        bench_sample sample;
        if (strncmp(line, "prepare\t", 8) == 0) {
            bool ready = obey_prepare(&tenon, line, reason);
            printf(ready ? "ready\n" : "sorry %s\n", reason);
        } else if (strncmp(line, "run ", 4) == 0) {
            int64_t times = strtoll(line + 4, NULL, 10);
            if (tenon.sample(&tenon, times, &sample))
                printf("%.0f %.0f\n", sample.ns * (double)times, sample.faults * (double)times);
            else
                printf("sorry %s\n", tn_error_message());
        } else {
            tenon.finish(&tenon);
            printf("finished\n");
        }
        fflush(stdout);
    }
    return 0;
}

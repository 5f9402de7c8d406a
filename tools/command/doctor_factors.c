/* doctor_factors.c - factorisations for `tenon doctor`: the built-in algorithms beside every LAPACK that is found on this machine, measured
 * in turn, best of several. All measurements together take about half a second.
 */
#include <stdio.h>
#include <string.h>
#include <time.h>

#include <tenon/tenon.h>

#include "doctor.h"
#include "terminal.h"

enum { LAPACKS = 6, FACTORS = 4, FACTOR_SIZE = 192, FACTOR_ROUNDS = 3 };

static const double factor_seconds = 0.5;
static const char *const factor_names[FACTORS] = {"cholesky", "solve", "eigh", "svd"};

typedef struct factor_provider {
    tn_lapack lapack; /* of the built-in algorithms, only its name */
    bool built_in;
    double seconds[FACTORS]; /* 0: it failed */
} factor_provider;

static double factor_now(void) {
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (double)time.tv_sec + 1e-9 * (double)time.tv_nsec;
}

static const char *factor_short_name(const factor_provider *who) {
    const char *slash = strrchr(who->lapack.name, '/');
    return slash && slash[1] ? slash + 1 : who->lapack.name;
}

/* The built-in algorithms, the provider that is in use, and those with the usual names. */
static int factor_find(factor_provider *providers, const tn_lapack *used, bool built_in) {
    static const char *const names[] = {"openblas", "lapack", "mkl", "flexiblas"};
    int count = 0;
    providers[count++] = (factor_provider){.built_in = true, .lapack = {.name = "built-in"}};
    if (!built_in)
        providers[count++].lapack = *used;
    for (size_t i = 0; i < sizeof names / sizeof names[0] && count < LAPACKS; i++) {
        tn_lapack found = {.struct_size = sizeof found};
        bool known = false;
        if (tn_lapack_load(names[i], &found) != TN_OK) {
            tn_error_clear();
            continue;
        }
        for (int k = 1; k < count; k++)
            known = known || memcmp(providers[k].lapack.functions, found.functions, sizeof found.functions) == 0;
        if (!known)
            providers[count++].lapack = found;
    }
    return count;
}

static bool factor_run(int what, const tn_tensor *a) {
    tn_tensor *made = what == 0 ? tn_linalg_cholesky(a, false) : what == 1 ? tn_linalg_solve(a, a, true) : NULL;
    tn_list *several = what == 2 ? tn_linalg_eigh(a, "L") : what == 3 ? tn_linalg_svd(a, false, "none") : NULL;
    bool done = made || several;
    tn_release(made);
    tn_list_release(several);
    return done;
}

static void factor_measure(factor_provider *providers, int count, int what, const tn_tensor *a, double seconds) {
    double end = factor_now() + seconds;
    for (int round = 0; round < FACTOR_ROUNDS || factor_now() < end; round++)
        for (int i = 0; i < count; i++) {
            if (tn_lapack_use(providers[i].built_in ? NULL : &providers[i].lapack) != TN_OK) {
                tn_error_clear();
                continue;
            }
            double begin = factor_now();
            bool done = factor_run(what, a);
            double took = factor_now() - begin;
            tn_error_clear();
            if (done && (providers[i].seconds[what] <= 0 || took < providers[i].seconds[what]))
                providers[i].seconds[what] = took;
        }
}

static void factor_show(const factor_provider *providers, int count, int what) {
    char name[64], line[512] = "";
    size_t length = 0;
    int best = 0;
    for (int i = 0; i < count && length < sizeof line; i++) {
        int more = snprintf(line + length, sizeof line - length, "%s%s %.2f ms", i ? ", " : "",
                            factor_short_name(&providers[i]), 1e3 * providers[i].seconds[what]);
        length += more > 0 ? (size_t)more : 0;
        if (providers[i].seconds[what] > 0 && providers[i].seconds[what] < providers[best].seconds[what])
            best = i;
    }
    snprintf(name, sizeof name, "float64 %s, n = %d", factor_names[what], FACTOR_SIZE);
    if (count > 1)
        terminal_fact(name, "%s; fastest: %s", line, factor_short_name(&providers[best]));
    else
        terminal_fact(name, "%s", line);
}

void doctor_factors(void) {
    tn_lapack used = {.struct_size = sizeof used};
    factor_provider providers[LAPACKS] = {0};
    if (tn_lapack_in_use(&used) != TN_OK) { /* a build without linear algebra */
        tn_error_clear();
        return;
    }
    bool built_in = strcmp(used.name, "built-in") == 0;
    if (built_in)
        terminal_fact("factorisations", "computed by the built-in algorithms%s%s", *used.about ? "; " : "", used.about);
    else
        terminal_fact("factorisations", "large ones computed by %s, set by TENON_LAPACK", used.name);
    int count = factor_find(providers, &used, built_in);
    tn_scope scope = tn_scope_open();
    tn_tensor *i = tn_unsqueeze(tn_arange(FACTOR_SIZE, TN_FLOAT64), 1); /* 1 / (1 + |i - j|), and more on the diagonal */
    tn_tensor *a = tn_reciprocal(tn_add_scalar(tn_abs(tn_sub(i, tn_mT(i))), 1));
    a = tn_add(a, tn_eye(FACTOR_SIZE, FACTOR_SIZE, TN_FLOAT64));
    for (int what = 0; what < FACTORS && a; what++)
        factor_measure(providers, count, what, a, factor_seconds / FACTORS);
    tn_error_clear();
    tn_scope_close(scope);
    for (int what = 0; what < FACTORS; what++)
        factor_show(providers, count, what);
    if (count == 1)
        terminal_fact("LAPACK found", "none: openblas, lapack, mkl and flexiblas were looked for");
    if (tn_lapack_use(built_in ? NULL : &used) != TN_OK)
        tn_error_clear();
}

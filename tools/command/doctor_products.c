/* doctor_products.c - matrix products for `tenon doctor`: the built-in engine beside every BLAS that is found on this machine, measured
 * in turn, best of several, so that other work on the machine disturbs all of them alike. All measurements together take about a second.
 */
#include <stdio.h>
#include <string.h>
#include <time.h>

#include <tenon/tenon.h>

#include "doctor.h"
#include "terminal.h"

enum { PROVIDERS = 7, RATES = 4, LARGE_FLOAT32 = 1, LEAST_ROUNDS = 3 };

static const double seconds_in_all = 0.8;

static const struct trial {
    tn_dtype dtype;
    int64_t size;
} trials[RATES] = {{TN_FLOAT32, 128}, {TN_FLOAT32, 512}, {TN_FLOAT64, 128}, {TN_FLOAT64, 512}};

typedef struct provider {
    tn_blas blas; /* of the built-in engine, only its name */
    bool built_in;
    double rate[RATES]; /* in GF: a thousand million multiplications and additions in a second */
} provider;

static double now(void) {
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (double)time.tv_sec + 1e-9 * (double)time.tv_nsec;
}

/* A file without its folder. */
static const char *short_name(const provider *who) {
    const char *slash = strrchr(who->blas.name, '/');
    return slash && slash[1] ? slash + 1 : who->blas.name;
}

/* ---- who is there */

static bool is_known(const provider *providers, int count, const tn_blas *blas) {
    for (int i = 0; i < count; i++)
        if (!providers[i].built_in && providers[i].blas.sgemm == blas->sgemm && providers[i].blas.dgemm == blas->dgemm)
            return true;
    return false;
}

/* The built-in engine, the one that is in use, and those with the usual names. */
static int find_providers(provider *providers, const tn_blas *used) {
    static const char *const names[] = {"openblas", "blis", "mkl", "blas", "cblas"};
    int count = 0;
    providers[count++] = (provider){.built_in = true, .blas = {.name = "built-in"}};
    if (used->sgemm || used->dgemm)
        providers[count++].blas = *used;
    for (size_t i = 0; i < sizeof names / sizeof names[0] && count < PROVIDERS; i++) {
        tn_blas found = {.struct_size = sizeof found};
        if (tn_blas_load(names[i], &found) != TN_OK)
            tn_error_clear();
        else if (!is_known(providers, count, &found))
            providers[count++].blas = found;
    }
    return count;
}

/* ---- how fast they are */

/* Seconds of one product; 0 where it fails. */
static double seconds_of_product(const provider *who, const tn_tensor *a, const tn_tensor *b) {
    if (tn_blas_use(who->built_in ? NULL : &who->blas) != TN_OK)
        return 0;
    double begin = now();
    tn_tensor *made = tn_mm(a, b);
    double end = now();
    tn_release(made);
    return made ? end - begin : 0;
}

static void measure_trial(provider *providers, int count, int trial, double seconds) {
    int64_t size = trials[trial].size;
    tn_tensor *a = tn_ones(TN_DIMS(size, size), trials[trial].dtype), *b = tn_ones(TN_DIMS(size, size), trials[trial].dtype);
    double end = now() + seconds, work = 2e-9 * (double)size * (double)size * (double)size;
    for (int round = 0; a && b && (round < LEAST_ROUNDS || now() < end); round++)
        for (int i = 0; i < count; i++) {
            double took = seconds_of_product(&providers[i], a, b);
            tn_error_clear();
            if (took > 0 && work / took > providers[i].rate[trial])
                providers[i].rate[trial] = work / took;
        }
    tn_release(b);
    tn_release(a);
}

/* ---- what that means */

static void show_rates(const provider *providers, int count, int trial) {
    char name[64], line[512] = "";
    size_t length = 0;
    for (int i = 0; i < count && length < sizeof line; i++) {
        int more = snprintf(line + length, sizeof line - length, "%s%s %.1f GF", i ? ", " : "", short_name(&providers[i]),
                            providers[i].rate[trial]);
        length += more > 0 ? (size_t)more : 0;
    }
    snprintf(name, sizeof name, "%s products, n = %lld", tn_dtype_name(trials[trial].dtype), (long long)trials[trial].size);
    terminal_fact(name, "%s", line);
}

/* Cores that libraries fall back to where they do not know a CPU. */
static bool is_fallback_core(const char *about) {
    static const char *const cores[] = {"generic", "Prescott", "Northwood", "Katmai", "Core2", "reference"};
    for (size_t i = 0; i < sizeof cores / sizeof cores[0]; i++)
        if (strstr(about, cores[i]))
            return true;
    return false;
}

static void judge(const provider *built_in, const provider *who) {
    double ratio = who->rate[LARGE_FLOAT32] / built_in->rate[LARGE_FLOAT32];
    const char *about = who->blas.about;
    bool fallback = tn_cpu_level_detected() > TN_CPU_BASELINE && is_fallback_core(about);
    if (who->rate[LARGE_FLOAT32] <= 0)
        terminal_fact(short_name(who), "gives wrong products%s%s", *about ? "; " : "", about);
    else if (fallback || ratio < 0.5)
        terminal_fact(short_name(who), "%.2f times as fast as built-in, and looks as if it %s this CPU%s%s%s", ratio,
                      fallback ? "misdetected" : "misdetected, or has no code for,", *about ? " (" : "", about,
                      *about ? ")" : "");
    else
        terminal_fact(short_name(who), "%.2f times as fast as built-in%s%s%s", ratio, *about ? " (" : "", about,
                      *about ? ")" : "");
}

void doctor_products(void) {
    tn_blas used = {.struct_size = sizeof used};
    provider providers[PROVIDERS] = {0};
    if (tn_blas_in_use(&used) != TN_OK) { /* a build without products */
        tn_error_clear();
        return;
    }
    bool built_in = !used.sgemm && !used.dgemm && !used.cgemm && !used.zgemm;
    if (built_in)
        terminal_fact("products", "computed by the built-in engine%s%s", *used.about ? "; " : "", used.about);
    else
        terminal_fact("products", "large ones computed by %s, set by TENON_BLAS", used.name);
    int count = find_providers(providers, &used), best = 0;
    for (int trial = 0; trial < RATES; trial++)
        measure_trial(providers, count, trial, seconds_in_all / RATES);
    for (int trial = 0; trial < RATES; trial++)
        show_rates(providers, count, trial);
    for (int i = 1; i < count; i++) {
        judge(&providers[0], &providers[i]);
        if (providers[i].rate[LARGE_FLOAT32] > providers[best].rate[LARGE_FLOAT32])
            best = i;
    }
    if (count == 1)
        terminal_fact("BLAS found", "none: openblas, blis, mkl, blas and cblas were looked for");
    else
        terminal_fact("fastest for products", "%s", short_name(&providers[best]));
    double gain =
        providers[0].rate[LARGE_FLOAT32] > 0 ? providers[best].rate[LARGE_FLOAT32] / providers[0].rate[LARGE_FLOAT32] : 0;
    if (built_in && best > 0 && gain > 1.1)
        doctor_advise("TENON_BLAS=%s computes large products %.2f times as fast", short_name(&providers[best]), gain);
    else if (!built_in && best == 0)
        doctor_advise("unset TENON_BLAS: the built-in engine is faster");
    if (tn_blas_use(built_in ? NULL : &used) != TN_OK)
        tn_error_clear();
}

/* blas.c - peers that multiply matrices and nothing else: OpenBLAS, BLIS, oneDNN, LIBXSMM. bench/peer.c has the words.
 *
 *     blas openblas PATH     the library of PyPI's NumPy        blas blis PATH     blas onednn PATH     blas libxsmm
 *
 * A library that is shared is loaded when the program starts; LIBXSMM is compiled in where its header is there (BLAS_LIBXSMM). What a
 * row asks for is "float32 M N K FLAGS BATCH", where FLAGS has an a or a b for each factor that is stored by columns; c is by rows. A
 * batch is as many calls. LIBXSMM makes code for one size, which is called; that takes no transposed factors and no large sizes.
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <time.h>

#ifdef BLAS_LIBXSMM
#include <libxsmm.h>
#endif

enum { BY_ROWS = 101, PLAIN = 111, TRANSPOSED = 112, LIBXSMM_MOST = 80 };

typedef void (*long_float_gemm)(int, int, int, int64_t, int64_t, int64_t, float, const void *, int64_t, const void *, int64_t,
                                float, void *, int64_t);
typedef void (*long_double_gemm)(int, int, int, int64_t, int64_t, int64_t, double, const void *, int64_t, const void *, int64_t,
                                 double, void *, int64_t);
typedef void (*float_gemm)(int, int, int, int, int, int, float, const void *, int, const void *, int, float, void *, int);
typedef void (*double_gemm)(int, int, int, int, int, int, double, const void *, int, const void *, int, double, void *, int);
typedef int (*onednn_gemm)(char, char, int64_t, int64_t, int64_t, float, const void *, int64_t, const void *, int64_t, float,
                           void *, int64_t);
typedef int (*onednn_int8_gemm)(char, char, char, int64_t, int64_t, int64_t, float, const void *, int64_t, int8_t, const void *,
                                int64_t, int8_t, float, void *, int64_t, const int32_t *);

typedef enum peer_dtype { FLOAT32, FLOAT64, INT8 } peer_dtype;

static struct {
    long_float_gemm long_float;
    long_double_gemm long_double;
    float_gemm single;
    double_gemm twice;
    onednn_gemm onednn;
    onednn_int8_gemm onednn_int8;
    bool libxsmm;
} library;

static struct {
    peer_dtype dtype;
    int64_t m, n, k, batch;
    bool a_by_columns, b_by_columns;
    char *a, *b, *c;
    size_t a_bytes, b_bytes, c_bytes; /* of one of the batch */
#ifdef BLAS_LIBXSMM
    libxsmm_smmfunction single;
    libxsmm_dmmfunction twice;
#endif
} work;

static void multiply(const char *a, const char *b, char *c) {
    int64_t m = work.m, n = work.n, k = work.k, lda = work.a_by_columns ? m : k, ldb = work.b_by_columns ? k : n;
    int at = work.a_by_columns ? TRANSPOSED : PLAIN, bt = work.b_by_columns ? TRANSPOSED : PLAIN;
    char an = work.a_by_columns ? 'T' : 'N', bn = work.b_by_columns ? 'T' : 'N';
    static const int32_t nothing = 0;
#ifdef BLAS_LIBXSMM
    if (library.libxsmm && work.dtype == FLOAT32)
        work.single((const float *)(const void *)b, (const float *)(const void *)a, (float *)(void *)c);
    else if (library.libxsmm)
        work.twice((const double *)(const void *)b, (const double *)(const void *)a, (double *)(void *)c);
    else
#endif
        if (work.dtype == INT8)
        library.onednn_int8(an, bn, 'F', m, n, k, 1, a, lda, 0, b, ldb, 0, 0, c, n, &nothing);
    else if (library.onednn)
        library.onednn(an, bn, m, n, k, 1, a, lda, b, ldb, 0, c, n);
    else if (work.dtype == FLOAT32 && library.long_float)
        library.long_float(BY_ROWS, at, bt, m, n, k, 1, a, lda, b, ldb, 0, c, n);
    else if (work.dtype == FLOAT32)
        library.single(BY_ROWS, at, bt, (int)m, (int)n, (int)k, 1, a, (int)lda, b, (int)ldb, 0, c, (int)n);
    else if (library.long_double)
        library.long_double(BY_ROWS, at, bt, m, n, k, 1, a, lda, b, ldb, 0, c, n);
    else
        library.twice(BY_ROWS, at, bt, (int)m, (int)n, (int)k, 1, a, (int)lda, b, (int)ldb, 0, c, (int)n);
}

static void run(int64_t times) {
    for (; times > 0; times--)
        for (int64_t i = 0; i < work.batch; i++)
            multiply(work.a + (size_t)i * work.a_bytes, work.b + (size_t)i * work.b_bytes, work.c + (size_t)i * work.c_bytes);
}

static void finish(void) {
    free(work.a);
    free(work.b);
    free(work.c);
    memset(&work, 0, sizeof work);
}

/* Numbers between 0 and 1, or small integers. */
static char *random_numbers(size_t bytes) {
    char *memory = aligned_alloc(64, (bytes + 63) / 64 * 64);
    size_t count = bytes / (work.dtype == FLOAT64 ? 8 : work.dtype == FLOAT32 ? 4 : 1);
    for (size_t i = 0; memory && i < count; i++) {
        double number = (double)rand() / RAND_MAX;
        if (work.dtype == FLOAT64)
            ((double *)(void *)memory)[i] = number;
        else if (work.dtype == FLOAT32)
            ((float *)(void *)memory)[i] = (float)number;
        else
            memory[i] = (char)(number * 100);
    }
    return memory;
}

static const char *prepare(const char *text) {
    char dtype[16], flags[8];
    long long m, n, k, batch;
    if (sscanf(text, "%15s %lld %lld %lld %7s %lld", dtype, &m, &n, &k, flags, &batch) != 6)
        return "that is no product";
    finish();
    work.dtype = strcmp(dtype, "float64") == 0 ? FLOAT64 : strcmp(dtype, "int8") == 0 ? INT8 : FLOAT32;
    work.m = m, work.n = n, work.k = k, work.batch = batch;
    work.a_by_columns = strchr(flags, 'a') != NULL;
    work.b_by_columns = strchr(flags, 'b') != NULL;
    if (work.dtype == INT8 ? !library.onednn_int8 : work.dtype == FLOAT64 && library.onednn)
        return "there is no such function";
    if (library.libxsmm) {
        if (m > LIBXSMM_MOST || n > LIBXSMM_MOST || k > LIBXSMM_MOST || work.a_by_columns || work.b_by_columns)
            return "it is for small products";
#ifdef BLAS_LIBXSMM
        libxsmm_blasint wide = (int)n, high = (int)m, deep = (int)k;
        const float one = 1, zero = 0;
        const double one_double = 1, zero_double = 0;
        if (work.dtype == FLOAT32)
            work.single = libxsmm_smmdispatch(wide, high, deep, &wide, &deep, &wide, &one, &zero, NULL, NULL);
        else
            work.twice = libxsmm_dmmdispatch(wide, high, deep, &wide, &deep, &wide, &one_double, &zero_double, NULL, NULL);
        if (!work.single && !work.twice)
            return "it makes no code for that size";
#endif
    }
    size_t item = work.dtype == FLOAT64 ? 8 : work.dtype == FLOAT32 ? 4 : 1;
    work.a_bytes = (size_t)(m * k) * item;
    work.b_bytes = (size_t)(k * n) * item;
    work.c_bytes = (size_t)(m * n) * (item == 8 ? 8 : 4);
    work.a = random_numbers(work.a_bytes * (size_t)batch);
    work.b = random_numbers(work.b_bytes * (size_t)batch);
    work.c = aligned_alloc(64, (work.c_bytes * (size_t)batch + 63) / 64 * 64);
    if (!work.a || !work.b || !work.c)
        return "no memory";
    memset(work.c, 0, work.c_bytes * (size_t)batch);
    run(1);
    return NULL;
}

static int64_t now(void) {
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (int64_t)time.tv_sec * 1000000000 + time.tv_nsec;
}

static long faults(void) {
    struct rusage usage;
    getrusage(RUSAGE_SELF, &usage);
    return usage.ru_minflt;
}

/* A function of the library, in a variable of any type. */
static bool find(void *handle, const char *name, void *where) {
    void *symbol = handle ? dlsym(handle, name) : NULL;
    memcpy(where, &symbol, sizeof symbol);
    return symbol != NULL;
}

/* What the library says about itself, or NULL when it is not there. */
static const char *load(const char *kind, const char *path) {
    static char about[256];
    void *handle = path ? dlopen(path, RTLD_NOW) : NULL;
    char *(*text)(void);
    if (strcmp(kind, "openblas") == 0) {
        if (!find(handle, "scipy_cblas_sgemm64_", &library.long_float) ||
            !find(handle, "scipy_cblas_dgemm64_", &library.long_double))
            return NULL;
        snprintf(about, sizeof about, "OpenBLAS of NumPy, for %s",
                 find(handle, "scipy_openblas_get_corename64_", &text) ? text() : "an unknown CPU");
        return about;
    }
    if (strcmp(kind, "blis") == 0) {
        if (!find(handle, "cblas_sgemm", &library.single) || !find(handle, "cblas_dgemm", &library.twice))
            return NULL;
        snprintf(about, sizeof about, "BLIS %s", find(handle, "bli_info_get_version_str", &text) ? text() : "");
        return about;
    }
    if (strcmp(kind, "onednn") == 0) {
        struct version {
            int major, minor, patch;
        } * (*version)(void);
        if (!find(handle, "dnnl_sgemm", &library.onednn) || !find(handle, "dnnl_version", &version))
            return NULL;
        find(handle, "dnnl_gemm_s8s8s32", &library.onednn_int8);
        snprintf(about, sizeof about, "oneDNN %d.%d.%d", version()->major, version()->minor, version()->patch);
        return about;
    }
#ifdef BLAS_LIBXSMM
    libxsmm_init();
    library.libxsmm = true;
    snprintf(about, sizeof about, "LIBXSMM %s, for %s", LIBXSMM_VERSION, libxsmm_get_target_arch());
    return about;
#else
    return NULL;
#endif
}

int main(int argc, char **argv) {
    static char line[4096];
    const char *about = argc > 1 ? load(argv[1], argc > 2 ? argv[2] : NULL) : NULL;
    printf(about ? "hello %s\n" : "sorry not installed (make bench-peers installs it)\n", about);
    fflush(stdout);
    while (about && fgets(line, sizeof line, stdin)) {
        if (strncmp(line, "prepare\t", 8) == 0) {
            const char *code = strrchr(line, '\t'), *reason = prepare(code ? code + 1 : "");
            printf(reason ? "sorry %s\n" : "ready\n", reason);
        } else if (strncmp(line, "run ", 4) == 0) {
            int64_t times = strtoll(line + 4, NULL, 10);
            run(times < 16 ? 1 : times / 8);
            long before = faults();
            int64_t begin = now();
            run(times);
            int64_t end = now();
            printf("%lld %ld\n", (long long)(end - begin), faults() - before);
        } else {
            finish();
            printf("finished\n");
        }
        fflush(stdout);
    }
    return 0;
}

#ifdef BLAS_LIBXSMM
/* LIBXSMM falls back on a BLAS for sizes that it is not asked for here. */
void sgemm_(void);
void dgemm_(void);
void sgemv_(void);
void dgemv_(void);
void sgemm_(void) { abort(); }
void dgemm_(void) { abort(); }
void sgemv_(void) { abort(); }
void dgemv_(void) { abort(); }
#endif

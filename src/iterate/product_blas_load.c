/* product_blas_load.c - finds a BLAS at run time: a library by one of its usual names or by its file, and the CBLAS functions in it.
 *
 * Nothing is linked. Where dlopen is not in libc (a glibc before 2.34), or there is none, the answer is an error, unless the build says
 * -DTN_WITH_DLOPEN and links what it needs.
 */
#include <stdio.h>
#include <string.h>

#include "base/common.h"
#include "iterate/product_blas.h"

#if defined(__GLIBC__)
#if __GLIBC_PREREQ(2, 34)
#define BLAS_HAS_DLOPEN 1
#endif
#elif defined(__linux__) || defined(__APPLE__) || defined(__FreeBSD__) || defined(__OpenBSD__) || defined(__NetBSD__)
#define BLAS_HAS_DLOPEN 1
#endif

#if defined(BLAS_HAS_DLOPEN) || defined(TN_WITH_DLOPEN)

#include <dlfcn.h>

/* Short names, and the files that they stand for, the best first. */
static const struct blas_file {
    const char *name, *file;
} blas_files[] = {
    {"openblas", "libopenblas.so.0"}, {"openblas", "libopenblas.so"}, {"openblas", "libopenblas.dylib"},
    {"blis", "libblis.so.4"},         {"blis", "libblis.so.3"},       {"blis", "libblis.so"},
    {"mkl", "libmkl_rt.so.2"},        {"mkl", "libmkl_rt.so.1"},      {"mkl", "libmkl_rt.so"},
    {"blas", "libblas.so.3"},         {"blas", "libblas.so"},         {"cblas", "libcblas.so.3"},
    {"cblas", "libcblas.so"},
};

/* How functions are called; those of the second kind have integers of 64 bits. */
static const struct blas_spelling {
    const char *before, *after;
    bool wide;
} blas_spellings[] = {{"", "", false}, {"", "64_", true}, {"", "_64", true}, {"scipy_", "", false}, {"scipy_", "64_", true}};

static tn_blas_function blas_symbol(void *library, const struct blas_spelling *spelling, const char *name) {
    char symbol[64];
    tn_blas_function function = NULL;
    snprintf(symbol, sizeof symbol, "%s%s%s", spelling->before, name, spelling->after);
    void *found = dlsym(library, symbol);
    _Static_assert(sizeof found == sizeof function, "POSIX: an address is one of a function too");
    memcpy(&function, &found, sizeof function);
    return function;
}

/* What the library says of itself: the core it computes for. An OpenBLAS with wide integers may have plain names. */
static void blas_describe(void *library, const struct blas_spelling *spelling, tn_blas *blas) {
    typedef const char *(*text_function)(void);
    typedef int (*number_function)(void);
    typedef const char *(*name_function)(int);
    text_function core = (text_function)blas_symbol(library, spelling, "openblas_get_corename");
    text_function config = (text_function)blas_symbol(library, spelling, "openblas_get_config");
    const char *said = config ? config() : NULL;
    if (said && strstr(said, "USE64BITINT"))
        blas->wide = true;
    static const struct blas_spelling plain = {"", "", false};
    number_function query = (number_function)blas_symbol(library, &plain, "bli_arch_query_id");
    name_function arch = (name_function)blas_symbol(library, &plain, "bli_arch_string");
    const char *name = core ? core() : NULL;
    if (name)
        snprintf(blas->about, sizeof blas->about, "OpenBLAS for %s", name);
    else if (query && arch && (name = arch(query())))
        snprintf(blas->about, sizeof blas->about, "BLIS for %s", name);
}

static bool blas_take(void *library, tn_blas *blas) {
    for (size_t i = 0; i < TNI_COUNT_OF(blas_spellings); i++) {
        const struct blas_spelling *spelling = &blas_spellings[i];
        blas->sgemm = blas_symbol(library, spelling, "cblas_sgemm");
        blas->dgemm = blas_symbol(library, spelling, "cblas_dgemm");
        blas->cgemm = blas_symbol(library, spelling, "cblas_cgemm");
        blas->zgemm = blas_symbol(library, spelling, "cblas_zgemm");
        blas->wide = spelling->wide;
        if (blas->sgemm || blas->dgemm || blas->cgemm || blas->zgemm) {
            blas_describe(library, spelling, blas);
            return true;
        }
    }
    return false;
}

/* Where several files are tried, the reason is that of the first. */
static void *blas_open(const char *name, char *why, size_t size) {
    void *library = NULL;
    bool tried = false;
    for (size_t i = 0; i <= TNI_COUNT_OF(blas_files) && !library; i++) {
        bool last = i == TNI_COUNT_OF(blas_files); /* not a short name, then */
        if (last ? tried : strcmp(name, blas_files[i].name) != 0)
            continue;
        library = dlopen(last ? name : blas_files[i].file, RTLD_NOW | RTLD_LOCAL);
        const char *reason = library ? NULL : dlerror();
        if (!tried)
            snprintf(why, size, "the library \"%s\" cannot be loaded: %s", name, reason ? reason : "unknown reason");
        tried = true;
    }
    return library;
}

tn_error tni_blas_find(const char *name, tn_blas *blas, char *why, size_t size) {
    void *library = blas_open(name, why, size);
    if (!library)
        return TN_ERROR_IO;
    snprintf(blas->name, sizeof blas->name, "%s", name);
    if (blas_take(library, blas))
        return TN_OK;
    (void)dlclose(library);
    snprintf(why, size, "the library \"%s\" has no function cblas_sgemm, cblas_dgemm, cblas_cgemm or cblas_zgemm", name);
    return TN_ERROR_IO;
}

#else

tn_error tni_blas_find(const char *name, tn_blas *blas, char *why, size_t size) {
    (void)blas;
    snprintf(why, size, "the library \"%s\" cannot be loaded: this system has no dlopen in libc", name);
    return TN_ERROR_UNSUPPORTED;
}

#endif

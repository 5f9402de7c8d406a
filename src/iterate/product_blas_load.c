/* product_blas_load.c - finds a BLAS at run time: a library by one of its usual names or by its file, and the CBLAS functions in it.
 *
 * Nothing is linked. Where there is no dlopen (base/library.h), the answer is an error.
 */
#include <stdio.h>
#include <string.h>

#include "base/library.h"
#include "iterate/product_blas.h"

static const tni_library_file blas_files[] = {
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

static bool blas_take(void *library, tn_blas *blas) {
    for (size_t i = 0; i < TNI_COUNT_OF(blas_spellings); i++) {
        const struct blas_spelling *spelling = &blas_spellings[i];
        blas->sgemm = tni_library_symbol(library, spelling->before, "cblas_sgemm", spelling->after);
        blas->dgemm = tni_library_symbol(library, spelling->before, "cblas_dgemm", spelling->after);
        blas->cgemm = tni_library_symbol(library, spelling->before, "cblas_cgemm", spelling->after);
        blas->zgemm = tni_library_symbol(library, spelling->before, "cblas_zgemm", spelling->after);
        if (blas->sgemm || blas->dgemm || blas->cgemm || blas->zgemm) {
            blas->wide = tni_library_describe(library, spelling->before, spelling->after, blas->about, sizeof blas->about) ||
                         spelling->wide;
            return true;
        }
    }
    return false;
}

tn_error tni_blas_find(const char *name, tn_blas *blas, char *why, size_t size) {
    void *library;
    tn_error code = tni_library_open(blas_files, TNI_COUNT_OF(blas_files), name, &library, why, size);
    if (code != TN_OK)
        return code;
    snprintf(blas->name, sizeof blas->name, "%s", name);
    if (blas_take(library, blas))
        return TN_OK;
    tni_library_close(library);
    snprintf(why, size, "the library \"%s\" has no function cblas_sgemm, cblas_dgemm, cblas_cgemm or cblas_zgemm", name);
    return TN_ERROR_IO;
}

/* tenon/blas.h - let a BLAS compute matrix products: one that you trust more than the built-in engine on your machine.
 *
 *     tn_blas blas = {.struct_size = sizeof blas};
 *     if (tn_blas_load("openblas", &blas) == TN_OK)
 *         tn_blas_use(&blas);
 *
 * or, without a line of code, TENON_BLAS=openblas in the environment. Nothing is used by default, and nothing is linked: the library is
 * found at run time by the names of its CBLAS functions. A provider gets the products that BLAS can express: float32, float64,
 * complex64 and complex128, matrices with one stride of 1, conjugated where they are transposed too, larger than those the built-in engine
 * computes without packing. Everything else stays built in, and so does what follows a product (bias, activation and the like). `tenon
 * doctor` measures both side by side.
 *
 * How many threads a provider uses is its own affair: Tenon changes no setting of it. Its bits may depend on them.
 */
#ifndef TENON_BLAS_H
#define TENON_BLAS_H

#include <tenon/base.h>

#ifdef __cplusplus
extern "C" {
#endif

/* A function of CBLAS, whatever its type. */
typedef void (*tn_blas_function)(void);

/* Zero it, set struct_size = sizeof, fill the rest. */
typedef struct tn_blas {
    size_t struct_size;
    tn_blas_function sgemm, dgemm, cgemm, zgemm; /* cblas_sgemm and so on; NULL: the built-in engine does those              */
    bool wide;                                   /* their integers have 64 bits (an "ILP64" library); int otherwise          */
    char name[64];                               /* for people: "openblas", "/opt/lib/libblis.so"                             */
    char about[192];                             /* what it says of itself: "OpenBLAS for Zen"; may be empty                  */
} tn_blas;

/* Finds a library and its functions, and fills in *blas. The name is "openblas", "blis", "mkl", "blas" or "cblas", or a file, as dlopen takes
 * it. Functions may have the suffixes of ILP64 builds. TN_ERROR_ARGUMENT for NULL, an empty name or an invalid struct_size; TN_ERROR_IO
 * where it cannot be loaded, with the reason, or has no such functions; TN_ERROR_UNSUPPORTED on systems without dlopen. The
 * library stays loaded. Any thread may call it. */
TN_API tn_error tn_blas_load(const char *name, tn_blas *blas);

/* Products go to this provider from now on, in all threads; calls under way finish as they began. NULL: everything is built in. The first
 * time, each function computes small products as a trial, also over a result of NaN that is weighed by 0. TN_ERROR_STATE where one of them is wrong, or
 * after too many different providers (8); TN_ERROR_ARGUMENT for an invalid struct_size or a provider without functions. Where
 * it fails, nothing changes. */
TN_API tn_error tn_blas_use(const tn_blas *blas);

/* What is in use; where nothing is, the name is "built-in", no function is set, and `about` says why TENON_BLAS is not obeyed, if it is
 * set. TN_ERROR_ARGUMENT for NULL or an invalid struct_size. */
TN_API tn_error tn_blas_in_use(tn_blas *blas);

#ifdef __cplusplus
}
#endif

#endif

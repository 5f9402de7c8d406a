/* tenon/lapack.h - let a LAPACK factor matrices: one that you trust more than the built-in algorithms on your machine.
 *
 *     tn_lapack lapack = {.struct_size = sizeof lapack};
 *     if (tn_lapack_load("openblas", &lapack) == TN_OK)
 *         tn_lapack_use(&lapack);
 *
 * or, without a line of code, TENON_LAPACK=openblas in the environment. Nothing is used by default, and nothing is linked: the library is
 * found at run time by the names of its Fortran functions. A provider gets matrices of float32, float64, complex64 and complex128 with
 * more than 16 rows and columns, one after the other; smaller ones stay built in, and so does what LAPACK has no function for below. It is
 * never chosen by a measurement, so bits do not depend on the day; `tenon doctor` measures both side by side.
 *
 * How many threads a provider uses is its own affair: Tenon changes no setting of it. Its bits may depend on them.
 */
#ifndef TENON_LAPACK_H
#define TENON_LAPACK_H

#include <tenon/base.h>

#ifdef __cplusplus
extern "C" {
#endif

/* A function of LAPACK, whatever its type. */
typedef void (*tn_lapack_function)(void);

/* What is handed over: Cholesky's factors, L U and systems solved with them, reflections and their product (both or none are used; of
 * complex numbers it is ungqr), symmetric eigenvalues (heevd), singular values, eigenvalues. eig computes float32 in float64. */
typedef enum tn_lapack_routine {
    TN_LAPACK_POTRF,
    TN_LAPACK_GETRF,
    TN_LAPACK_GETRS,
    TN_LAPACK_GEQRF,
    TN_LAPACK_ORGQR,
    TN_LAPACK_SYEVD,
    TN_LAPACK_GESDD,
    TN_LAPACK_GEEV,
    TN_LAPACK_ROUTINES
} tn_lapack_routine;

/* Zero it, set struct_size = sizeof, fill the rest. */
typedef struct tn_lapack {
    size_t struct_size;
    tn_lapack_function functions[TN_LAPACK_ROUTINES]
                                [4]; /* of float32, float64, complex64, complex128; NULL: built in            */
    bool wide;                       /* their integers have 64 bits (an "ILP64" library); 32 otherwise        */
    char name[64];                   /* for people: "openblas", "/opt/lib/liblapack.so"                       */
    char about[192];                 /* what it says of itself: "OpenBLAS for Zen"; may be empty              */
} tn_lapack;

/* Finds a library and its functions, and fills in *lapack. The name is "openblas", "lapack", "mkl" or "flexiblas", or a file, as dlopen takes it.
 * Functions may have the suffixes of ILP64 builds. TN_ERROR_ARGUMENT for NULL, an empty name or an invalid struct_size; TN_ERROR_IO where
 * it cannot be loaded, with the reason, or has no such functions; TN_ERROR_UNSUPPORTED on systems without dlopen. The library
 * stays loaded. Any thread may call it. */
TN_API tn_error tn_lapack_load(const char *name, tn_lapack *lapack);

/* Matrices go to this provider from now on, in all threads; calls under way finish as they began. NULL: everything is built in. The first
 * time, each function factors a small matrix as a trial. TN_ERROR_STATE where one of them is wrong, or after too many different providers (8);
 * TN_ERROR_MEMORY; TN_ERROR_ARGUMENT for an invalid struct_size or a provider without functions. Where it fails, nothing changes. */
TN_API tn_error tn_lapack_use(const tn_lapack *lapack);

/* What is in use; where nothing is, the name is "built-in", no function is set, and `about` says why TENON_LAPACK is not obeyed, if it is
 * set. TN_ERROR_ARGUMENT for NULL or an invalid struct_size. */
TN_API tn_error tn_lapack_in_use(tn_lapack *lapack);

#ifdef __cplusplus
}
#endif

#endif

/* reflect.h - Householder reflections of one matrix: to tridiagonal, bidiagonal or Hessenberg form, and what they are together.
 *
 * A matrix is by columns, `ld` elements apart, of float32, float64, complex64 or complex128, its largest number about 1. A reflection
 * is I - tau v v^H with a v that begins with 1. What it does to the matrix is put off: the matrix at any time is A - P Q^H, where P and Q
 * gain a column for each side that is reflected, and only the column or row that comes next is computed. When REFLECT_TOGETHER
 * reflections are together, P Q^H is subtracted, as one product (Dongarra, Sorensen, Hammarling 1989).
 *
 * Results depend on the numbers alone. A small matrix (`small`: no side above REFLECT_SMALL) is done without products, and nothing fails.
 */
#ifndef TNI_REFLECT_H
#define TNI_REFLECT_H

#include "base/common.h"
#include "base/error.h"
#include "kernels/matrix_loop.h"
#include "tensor/dtype.h"

typedef struct tni_reflect {
    const tni_matrix_loops *loops;
    tn_dtype dtype;
    int kind;    /* 0 to 3: float32, float64, complex64, complex128 */
    size_t size; /* of an element */
    bool small;
    char *room; /* tni_reflect_room bytes */
} tni_reflect;

void tni_reflect_begin(tni_reflect *reflect, tn_dtype dtype, int64_t m, int64_t n, char *room);
size_t tni_reflect_room(tn_dtype dtype, int64_t m, int64_t n);

/* Address of element (i, j). */
static inline char *tni_reflect_at(const tni_reflect *reflect, void *a, int64_t ld, int64_t i, int64_t j) {
    return (char *)a + (size_t)(i + j * ld) * reflect->size;
}

/* C (m, n) = sign op(A) op(B), or C += that; the op that is asked for is the conjugate transpose. */
tn_error tni_reflect_product(const tni_reflect *reflect, int64_t m, int64_t n, int64_t k, double sign, const void *a,
                             int64_t lda, bool a_turned, const void *b, int64_t ldb, bool b_turned, void *c, int64_t ldc,
                             bool adds);

/* A is destroyed. d and e are the diagonal and what is next to it; V and W (zeros before) have the vectors as columns, tau their numbers. */
tn_error tni_reflect_tridiagonal(const tni_reflect *reflect, int64_t n, void *a, double *d, double *e, void *v, void *tau);
tn_error tni_reflect_bidiagonal(const tni_reflect *reflect, int64_t m, int64_t n, void *a, double *d, double *e, void *v,
                                void *tau, void *w, void *tau_w);
/* A (n, n) becomes upper Hessenberg. */
tn_error tni_reflect_hessenberg(const tni_reflect *reflect, int64_t n, void *a, void *v, void *tau);
/* A (m, n) becomes upper triangular. */
tn_error tni_reflect_triangular(const tni_reflect *reflect, int64_t m, int64_t n, void *a, void *v, void *tau);

/* The first `columns` of the product of `count` reflections, whose vectors are the columns of V (m, count). */
tn_error tni_reflect_form(const tni_reflect *reflect, int64_t m, int64_t columns, int64_t count, const void *v, const void *tau,
                          void *q);

/* Divides all elements by a power of 2, so that the largest part is about 1; false where one is not finite. */
bool tni_reflect_level(const tni_reflect *reflect, void *a, int64_t count, int *exponent);

#endif

/* fourier_pass.h - the inner loops of Fourier transforms.
 *
 * A complex array is two arrays here, real parts and imaginary parts, so that every loop is over plain neighbours: from[0] and
 * from[1], to[0] and to[1]. A transform of length n = r1 r2 ... is one pass for each radix (Stockham): pass k combines r numbers that
 * are n / r apart and writes them next to each other, so that after the last one everything is in order.
 *
 *     to[q + inner (r p + j)] = w^(p j) * sum over k of  from[q + inner (p + count k)] * e^(-2 pi i j k / r)
 *
 * for p < count, q < inner, where inner is the product of the radices before, n = inner r count, and w = e^(-2 pi i / (r count)).
 * Several transforms side by side (their numbers interleaved) are the same passes with a larger inner.
 */
#ifndef TNI_FOURIER_PASS_H
#define TNI_FOURIER_PASS_H

#include <stdint.h>

typedef struct tni_fourier_pass {
    int64_t radix, inner, count;
    const void *factors; /* (radix - 1, 2, count): real and imaginary parts of w^(p j), j from 1 */
    const void *roots;   /* (2, radix): cos and -sin of 2 pi j / radix, for a radix without a loop of its own */
} tni_fourier_pass;
typedef void (*tni_fourier_function)(const tni_fourier_pass *pass, void *const *from, void *const *to);

/* Which loop does a radix: 2, 3, 4 and 5 have their own, other odd ones the last. */
enum { TNI_FOURIER_2, TNI_FOURIER_3, TNI_FOURIER_4, TNI_FOURIER_5, TNI_FOURIER_ODD, TNI_FOURIER_RADICES };

/* Between an array of complex numbers and two arrays; the second multiplies by a scale. */
typedef void (*tni_fourier_split_function)(void *const *to, const void *from, int64_t count);
typedef void (*tni_fourier_join_function)(void *to, void *const *from, int64_t count, double scale);

/* x[i] *= w[i] for each i below count; or x[i] *= base * w[i], base being two doubles. */
typedef void (*tni_fourier_turn_function)(void *const *x, void *const *w, const double *base, int64_t count);

/* Between the transform of a real line of length 2 h (half of it: h + 1 numbers, at `whole`) and that of its even elements plus i times
 * its odd ones (h numbers, at `pairs`). `turns` has cos and sin of 2 pi k / (2 h), k up to h / 2. */
typedef void (*tni_fourier_real_function)(void *whole, void *const *pairs, const void *turns, int64_t h, double scale);
typedef void (*tni_fourier_pairs_function)(void *const *pairs, const void *whole, const void *turns, int64_t h);

#endif

/* fourier.h - Fourier transforms of one line of any length.
 *
 * A plan is what depends only on the length: radices, factors, tables. Plans are kept for the next call, as many as FOURIER_PLANS and
 * FOURIER_KEPT_BYTES allow. A line is two arrays, real and imaginary parts; transforms go forward and are not scaled. Backward
 * ones are the same with the two arrays exchanged.
 *
 * Lengths whose prime factors are small are done by passes (kernels/fourier_pass.h). Long ones are cut into a times b: transforms of
 * columns, turns, transforms of rows, each in parts that fit the caches, on all threads. Any other length n is a convolution with
 * a chirp, by transforms of a length of at least 2 n - 1 with small factors (Bluestein 1970).
 *
 * Results depend neither on the number of threads nor on strides.
 */
#ifndef TNI_FOURIER_H
#define TNI_FOURIER_H

#include "base/common.h"
#include "iterate/thread_memory.h"

typedef struct tni_fourier tni_fourier;

/* The plan for a length of at least 1, in float32 (single) or float64: for the caller until it gives it back. NULL, raised, where there
 * is no memory. `real`: of a real line of an even length; the plan inside is for half of it. */
const tni_fourier *tni_fourier_take(int64_t length, bool single, bool real);
void tni_fourier_give(const tni_fourier *plan);

/* How many numbers each of the four arrays below needs, and the bytes of a set of `blocks`; 0: it needs none. */
int64_t tni_fourier_room(const tni_fourier *plan);
size_t tni_fourier_block(const tni_fourier *plan);

/* Transforms the line in x[0], x[1], with y[0], y[1] to work in. The two pairs may be exchanged: the result is in what x is then. */
void tni_fourier_run(const tni_fourier *plan, tni_thread_memory *blocks, void *x[2], void *y[2]);

/* Of a real plan: that of half the length, and its table of turns (kernels/fourier_pass.h). */
const tni_fourier *tni_fourier_half(const tni_fourier *plan);
const void *tni_fourier_turns(const tni_fourier *plan);

/* Forgets all plans that nobody is using: for tests, and for programs that give memory back. */
void tni_fourier_forget(void);

#endif

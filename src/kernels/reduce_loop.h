/* reduce_loop.h - the form of the kernels of reductions.
 *
 * A reduction turns many elements into one state, and a state into one result. States are kept as columns: word k (8 bytes) of
 * state j is at words + 8 * (k * capacity + j), so that a kernel that works on many states at once reads and writes arrays. A
 * word that holds an element of fewer bytes has the elements of all states next to each other at its start.
 *
 * A loop adds a span to states that have begun. There are two: `run` reduces adjacent elements, `columns` rows of them, one
 * state for each column. Which is used depends on where memory is contiguous (iterate/runs.h). A span of `columns` has at most
 * TNI_REDUCE_COLUMNS columns.
 */
#ifndef TNI_REDUCE_LOOP_H
#define TNI_REDUCE_LOOP_H

#include <tenon/dtype.h>

#include "base/common.h"
#include "kernels/limits.h"

/* The words of each kind of state, and what its kernels compute.
 *
 *   SUM       high and low part of the sum, doubles (low is 0 for float32); one integer that wraps for the integers
 *   SQUARES   the same of the squares
 *   MOMENTS   how many, their mean, the sum of the squared distances from it; doubles
 *   PRODUCT   one element; of complex128 two words, its parts
 *   MAX, MIN  one element; a NaN wins
 *   ARGMAX, ARGMIN   one element and its index: of equal ones the smallest; INT64_MAX before there is one
 *   NONZERO   how many elements have a bit of the mask (the context, a uint64_t) set; by element size, at UINT8 to UINT64 and
 *             COMPLEX128
 */
typedef enum tni_reduce_kind {
    TNI_REDUCE_SUM = 0,
    TNI_REDUCE_SQUARES,
    TNI_REDUCE_MOMENTS,
    TNI_REDUCE_PRODUCT,
    TNI_REDUCE_MAX,
    TNI_REDUCE_MIN,
    TNI_REDUCE_ARGMAX,
    TNI_REDUCE_ARGMIN,
    TNI_REDUCE_NONZERO,
    TNI_REDUCE_KINDS
} tni_reduce_kind;

enum { TNI_REDUCE_WORDS = 3 };

typedef struct tni_reduce_states {
    char *words;
    int64_t capacity; /* states for which there is room          */
    int64_t at;       /* the first of the ones meant             */
} tni_reduce_states;

TNI_ALWAYS_INLINE void *tni_reduce_word(const tni_reduce_states *states, int word, size_t size) {
    return states->words + 8 * word * states->capacity + states->at * (int64_t)size;
}

/* Two sets of moments combined into one (Chan, Golub and LeVeque). Compiled for every level: a call from one level to the code
 * of another would be expensive. */
TNI_ALWAYS_INLINE void tni_reduce_join_moments(double *many, double *mean, double *spread, double n, double its_mean,
                                               double its_spread) {
    double all = *many + n, distance = its_mean - *mean;
    if (*many == 0) {
        *mean = its_mean;
        *spread = its_spread;
    } else if (n > 0) {
        *mean += distance * (n / all);
        *spread += its_spread + distance * distance * (*many * (n / all));
    }
    *many = all;
}

typedef struct tni_reduce_span {
    const char *data;
    int64_t count;       /* elements of a run, or columns                                                              */
    int64_t parts;       /* a run that belongs to this many states in turn: 1, or only for SUM 2, 4, 8 or 16           */
    int64_t rows, pitch; /* columns: how many rows, and bytes from one to the next                                     */
    int64_t index, step; /* ARGMAX, ARGMIN: the index of the first element or row, and from one to the next (positive) */
} tni_reduce_span;

typedef void (*tni_reduce_loop)(const tni_reduce_states *states, const tni_reduce_span *span, const void *context);

#endif

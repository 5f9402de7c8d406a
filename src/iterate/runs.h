/* runs.h - runs a reduction over a tensor of any strides and dtype. It does not know what is computed.
 *
 * The loops of a reduction (kernels/reduce_loop.h) see contiguous runs, or rows of contiguous columns, of the dtype they
 * compute in. Where memory is already like that they are given it as it is; otherwise it is packed, converted and mapped block
 * by block. Dimensions are reordered and merged first, so a reduction follows memory, whatever the order of its dimensions.
 *
 * Which elements are combined in which order depends only on sizes and strides, never on the number of threads: work is cut
 * into pieces by the data, a reduction of very many elements into chunks, whose states are combined in their order.
 */
#ifndef TNI_REDUCE_H
#define TNI_REDUCE_H

#include <tenon/geometry.h>

#include "base/common.h"
#include "base/error.h"
#include "kernels/reduce_loop.h"

enum { TNI_REDUCE_RESULTS = 2 };

/* What is computed: made by an operator, for one call. */
typedef struct tni_reduction {
    tn_dtype compute;                   /* what the loops read                                                       */
    tn_dtype maps;                      /* what `map` reads; ignored without one                                     */
    tn_dtype gives[TNI_REDUCE_RESULTS]; /* what `finish` writes                                                      */
    int words, results;                 /* of a state; of a finished one                                             */
    bool indexed;                       /* the loops look at span->index, so no two runs are packed into one         */
    bool folds;                         /* `run` can do several parts                                                */
    void (*begin)(const tni_reduce_states *states, int64_t count, const void *context);
    tni_reduce_loop run, columns;
    void (*combine)(const tni_reduce_states *into, const tni_reduce_states *from, int64_t count, const void *context);
    void (*finish)(void *const *out, const tni_reduce_states *states, int64_t count, int64_t reduced, const void *context);
    void (*map)(void *out, const void *in, int64_t count, const void *context);          /* or NULL */
    bool (*settled)(const tni_reduce_states *states, int64_t seen, const void *context); /* or NULL: more of a run
                                                                                                   would change nothing */
    const void *context, *map_context;
} tni_reduction;

typedef struct tni_reduce_result {
    char *data;             /* the element at index 0, 0, ...                                                 */
    const int64_t *strides; /* in elements, one for each dimension of the input; those of reduced ones are ignored */
    tn_dtype dtype;
} tni_reduce_result;

typedef struct tni_reduce_job {
    int64_t ndim;
    const int64_t *sizes, *strides; /* of the input */
    const char *data;
    tn_dtype dtype;
    const bool *reduced; /* one for each dimension */
    const tni_reduction *what;
    tni_reduce_result result[TNI_REDUCE_RESULTS]; /* no two elements share a place, nor one with the input */
} tni_reduce_job;

/* Without elements to reduce, results are what finish makes of initial states. Fails only for lack of memory for the states of
 * chunks, before anything is written; small and medium reductions allocate nothing. */
tn_error tni_reduce_run(const tni_reduce_job *job);

/* Reduces a small run of adjacent elements to one result, whose data and dtype alone are used: no plan. False, with nothing
 * done, where it is not small or not of the dtype that is computed in. */
bool tni_reduce_whole(const tni_reduction *what, tn_dtype dtype, const char *data, int64_t count,
                      const tni_reduce_result *results);

#endif

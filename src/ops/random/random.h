/* random.h - filling tensors with random numbers: the part all samplers share.
 *
 * A sampler writes elements in the order in which a stream is drawn. With MT19937 that is the order in memory, as in PyTorch;
 * with Philox the row-major order of the indices, so the strides do not matter. random.c finds memory in that order, the
 * tensor's own where possible, cuts the work, and gives the sampler pieces.
 */
#ifndef TNI_RANDOM_H
#define TNI_RANDOM_H

#include "base/error.h"
#include "tensor/generator.h"
#include "tensor/tensor.h"
#include "ops/limits.h"
#include "ops/plan.h"

/* What a sampler is given for a piece. Pieces begin at multiples of TNI_RANDOM_PIECE; with MT19937 they come in order. */
typedef struct tni_random_piece {
    tn_generator *generator; /* locked                                                                      */
    uint64_t offset;         /* of Philox: where the blocks of the whole tensor begin                       */
    int64_t first, count;    /* elements of the piece                                                       */
    int64_t total;           /* of the tensor                                                               */
    tn_dtype dtype;
    char *out; /* the first element of the piece                                              */
    const void *context;
} tni_random_piece;

typedef void (*tni_random_sampler)(const tni_random_piece *piece);

/* Whether `self` may be written, no two of its elements sharing a place; raises when not. */
bool tni_random_is_writable(tn_tensor *self);

/* Write all elements of `self`, which may be written and has no two elements that share a place. `blocks` is how many Philox
 * blocks the tensor takes, a multiple of 16. */
tn_error tni_random_fill(tn_tensor *self, tn_generator *generator, tni_random_sampler sampler, uint64_t blocks,
                         const void *context);

/* The same of `total` decisions that a sampler puts at `memory` in a way of its own: of a piece, out is as many bytes further. */
void tni_random_draw(char *memory, int64_t total, tn_generator *generator, tni_random_sampler sampler, uint64_t blocks,
                     const void *context);

/* Blocks for one word, for two words, for a source of its own for each of `count` elements. */
uint64_t tni_random_blocks_32(int64_t count);
uint64_t tni_random_blocks_64(int64_t count);
uint64_t tni_random_blocks_each(int64_t count);

/* The next `count` numbers of a piece, from its element `at` on; `at` and count are multiples of TNI_RANDOM_BLOCK, but for the
 * last. Room for whole blocks is needed: TNI_RANDOM_BLOCK numbers. */
void tni_random_words(const tni_random_piece *piece, int64_t at, int64_t count, uint32_t *out);
void tni_random_floats(const tni_random_piece *piece, int64_t at, int64_t count, float *out);
void tni_random_doubles(const tni_random_piece *piece, int64_t at, int64_t count, double *out);

/* Sources for sixteen elements of a piece from `at`, a multiple of 16, on: for samplers that need an unknown number of draws.
 * With MT19937 they are all the generator, and set where `at` is 0. */
enum { TNI_RANDOM_SOURCES = 16 };
void tni_random_sources(const tni_random_piece *piece, int64_t at, tni_source sources[TNI_RANDOM_SOURCES]);

/* Store `count` computed numbers, TNI_RANDOM_BLOCK at most, as elements from `at` on. */
void tni_random_store(const tni_random_piece *piece, int64_t at, tn_dtype from, const void *values, int64_t count);

/* float16, bfloat16, float32 or float64: whether a sampler of real numbers takes the dtype; the second raises when not, naming
 * the argument. */
static inline bool tni_random_takes(tn_dtype dtype) {
    return dtype == TN_FLOAT32 || dtype == TN_FLOAT64 || dtype == TN_FLOAT16 || dtype == TN_BFLOAT16;
}
bool tni_random_is_real(const tn_tensor *tensor, const char *argument);

/* ---- plans. On the meta device a generator stays where it is. */

/* Of a sampler that fills self: no two elements share a place; raises when they do. */
bool tni_random_has_room(const tn_tensor *self);
static inline bool tni_random_plan_fill(tni_plan *plan, const tn_tensor *self) {
    tni_plan_begin(plan, self);
    plan->changes = self;
    plan->shared = true; /* is checked here */
    return TNI_LIKELY(tni_tensor_is_contiguous(self)) || tni_random_has_room(self);
}

/* Of one that makes a tensor of these sizes, or like another: the one result. Raises where `out` does not have the dtype asked
 * for, or the format does not fit. */
static inline bool tni_random_plan_new(tni_plan *plan, tn_dims size, tn_dtype dtype, tn_dtype standard) {
    tni_plan_begin_new(plan);
    plan->rule = TNI_RESULT_MADE;
    if (!tni_plan_dtype(plan, dtype, standard, &dtype))
        return false;
    tni_plan_add(plan, size.count, size.values, dtype);
    return true;
}
bool tni_random_plan_like(tni_plan *plan, const tn_tensor *self, tn_dtype dtype, tn_memory_format format);

/* Whether the result takes real numbers, or pairs of them; raises when not. */
bool tni_random_takes_real(const tni_plan *plan);

/* What the result is called in a message: `out`, where it is given, or by its dtype. */
const char *tni_random_show(const tni_plan *plan);

/* Whether a parameter has a value for every element of a tensor of these sizes; raises when not. */
bool tni_random_expands(const tn_tensor *parameter, const char *name, tn_dims sizes);

/* Whether a mean or a tensor to fill takes real numbers, or complex ones, which are drawn as their parts; and whether `std` is
 * not negative. Raise when not. */
bool tni_random_takes_parts(const tn_tensor *self);
bool tni_random_is_deviation(double std);

/* ---- samplers that several operators use: all elements of a tensor that may be written */

tn_error tni_random_fill_uniform(tn_tensor *self, double from, double to, tn_generator *generator);
tn_error tni_random_fill_normal(tn_tensor *self, double mean, double std, tn_generator *generator);

/* The smallest and the largest whole number that are drawn for a dtype: for floats all up to the first gap. False: none are. */
bool tni_random_limits(tn_dtype dtype, int64_t *low, int64_t *high);

/* A row-major float64 copy of `of`, seen under `sizes`; NULL with the error raised. */
tn_tensor *tni_random_doubles_of(const tn_tensor *of, tn_dims sizes);

/* Rows that are gone through between two questions whether to go on. */
int64_t tni_random_rows_step(int64_t length);

#endif

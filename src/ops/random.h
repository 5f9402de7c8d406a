/* random.h - filling tensors with random numbers: the part all samplers share.
 *
 * A sampler writes elements in the order in which a stream is drawn. With MT19937 that is the order in memory, as in PyTorch;
 * with Philox the row-major order of the indices, so that the layout does not matter. random.c finds memory that has the order,
 * the tensor's own where it can be, cuts the work, and gives the sampler pieces.
 */
#ifndef TNI_RANDOM_H
#define TNI_RANDOM_H

#include "base/error.h"
#include "tensor/generator.h"
#include "tensor/tensor.h"

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

enum { TNI_RANDOM_PIECE = 16384, TNI_RANDOM_BLOCK = 512 };

/* Whether `self` may be written, no two of its elements sharing a place; raises when not. */
bool tni_random_is_writable(tn_tensor *self);

/* Write all elements of `self`. Checked first: that it may be written and no two elements share a place. `blocks` is how many
 * Philox blocks the tensor takes, a multiple of 16. */
tn_error tni_random_fill(tn_tensor *self, tn_generator *generator, tni_random_sampler sampler, uint64_t blocks,
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

/* "float16, bfloat16, float32 or float64": whether a sampler of real numbers takes the dtype; raises when not. */
bool tni_random_is_real(const tn_tensor *self);

/* Whether a dtype that was given beside `out` is that of `out`, or none was given. Raises when not. */
bool tni_random_dtype_is_of(tn_dtype dtype, const tn_tensor *out);

#endif

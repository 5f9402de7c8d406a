/* tenon/random.h - where random numbers come from.
 *
 * A generator is a stream of random bits with a state. The operators that need random bits (tn_rand, tn_randn_like,
 * tn_uniform_, ...) take one, or NULL for the process's default one.
 *
 *     tn_manual_seed(0);
 *     tn_tensor *x = tn_rand(TN_DIMS(3), TN_FLOAT32, NULL);             // 0.4963, 0.7682, 0.0885: PyTorch's numbers
 *
 *     tn_generator *fast = tn_generator_new(TN_PHILOX, 7);              // same numbers for any thread count and strides
 *     tn_tensor *y = tn_randn(TN_DIMS(1000, 1000), TN_FLOAT32, fast);
 *     tn_generator_release(fast);
 *
 * There are two engines. TN_MT19937 is PyTorch's CPU generator: the same seed gives the same numbers, element for element, in
 * every sampler, size and memory order (docs/random.md lists the few that differ in the last bits). It is drawn from in order,
 * by one thread. TN_PHILOX computes the number at any place of the stream directly, so threads share the work, a tensor gets
 * the same numbers whatever its strides, and streams can be split and skipped through. It is the better choice for new
 * programs: tn_set_default_generator makes it everyone's.
 *
 * Threads: every function may be called from any thread; a generator is locked while an operator draws from it, so what two
 * threads get from one generator depends on who comes first. Give each its own tn_generator_split.
 */
#ifndef TENON_RANDOM_H
#define TENON_RANDOM_H

#include <tenon/tensor.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef enum tn_engine {
    TN_MT19937 = 0, /* Mersenne Twister, as PyTorch's CPU generator uses it */
    TN_PHILOX = 1   /* Philox 4x32 with 10 rounds, counter-based            */
} tn_engine;

/* What PyTorch seeds a new generator with. */
#define TN_DEFAULT_SEED UINT64_C(67280421310721)

/* A new generator; NULL with TN_ERROR_ARGUMENT when there is no such engine, TN_ERROR_MEMORY. Yours (or the open scope's).
 * MT19937 uses the lower 32 bits of a seed, Philox all 64. */
TN_API tn_generator *tn_generator_new(tn_engine engine, uint64_t seed);
TN_API tn_generator *tn_generator_retain(tn_generator *generator); /* NULL-safe; returns its argument */
TN_API void tn_generator_release(tn_generator *generator);         /* NULL-safe */
TN_API tn_generator *tn_generator_keep(tn_generator *generator);   /* as tn_keep */

/* In all that follows, NULL is the default generator. Errors: TN_ERROR_STATE for a handle that was released; functions that
 * return a number then return 0. */

/* Start the stream of a seed, from its beginning. */
TN_API tn_error tn_generator_seed(tn_generator *generator, uint64_t seed);

/* Start a stream that nobody can predict, from the system's entropy; returns its seed. */
TN_API uint64_t tn_generator_seed_randomly(tn_generator *generator);

/* The seed the stream was started with. */
TN_API uint64_t tn_generator_initial_seed(const tn_generator *generator);
TN_API tn_engine tn_generator_engine(const tn_generator *generator);

/* The next 32 or 64 bits. 64 are two times 32, the first being the upper half, as PyTorch draws them. */
TN_API uint32_t tn_generator_next(tn_generator *generator);
TN_API uint64_t tn_generator_next64(tn_generator *generator);

/* Everything the generator will ever give, as a uint8 tensor: of MT19937 the 5056 bytes that torch.get_rng_state() gives, in
 * this machine's byte order; of Philox 48 bytes. set_state: TN_ERROR_ARGUMENT when the tensor is not a state of this engine;
 * nothing has changed then. */
TN_API tn_tensor *tn_generator_state(const tn_generator *generator);
TN_API tn_error tn_generator_set_state(tn_generator *generator, const tn_tensor *state);

/* A new generator that goes on exactly as this one will. */
TN_API tn_generator *tn_generator_clone(const tn_generator *generator);

/* Stream number `number` of this generator's seed: a new generator whose numbers are independent of this one's and of all
 * other numbers', always the same for the same seed and number, however much has been drawn. Philox: number is below 2^32 - 1.
 * MT19937 is started with a seed computed from both and uses 32 bits of it: among n streams, two are the same with a
 * probability of about n^2 / 2^33. */
TN_API tn_generator *tn_generator_split(const tn_generator *generator, uint64_t number);

/* Skip what `count` calls of tn_generator_next would give. At once for Philox; MT19937 has to go through them. */
TN_API tn_error tn_generator_skip(tn_generator *generator, uint64_t count);

/* The default generator, a new reference. It begins as an MT19937 with an unpredictable seed. */
TN_API tn_generator *tn_default_generator(void);

/* Make `generator` the default one (a reference is taken); NULL: the one there was at the beginning. */
TN_API tn_error tn_set_default_generator(tn_generator *generator);

/* Short forms for the default generator: torch.manual_seed, torch.seed, torch.initial_seed. */
TN_API tn_error tn_manual_seed(uint64_t seed);
TN_API uint64_t tn_seed(void);
TN_API uint64_t tn_initial_seed(void);

/* One block of Philox 4x32-10 as published: four words from a counter and a key. TN_ERROR_ARGUMENT is recorded, and nothing
 * written, where one of them is NULL. */
TN_API void tn_philox(const uint32_t counter[4], const uint32_t key[2], uint32_t out[4]);

#ifdef __cplusplus
}
#endif
#endif

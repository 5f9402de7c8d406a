/* streamed_kernels.c - results that outgrow the caches have the bits of those that do not. */
#include "test.h"

#include "base/cpu_features.h"
#include "kernels/table.h"

/* Words that are finite numbers whether read as float32 or as float64, and some zeros. */
static void fill_with_numbers(uint32_t *words, size_t count, uint64_t seed) {
    for (size_t i = 0; i < count; i++) {
        seed = seed * 6364136223846793005u + 1442695040888963407u;
        words[i] = i % 7 == 3 ? 0 : (uint32_t)(seed >> 32) & 0xbfffffffu;
    }
}

TEST_SAMPLED(a_twin_gives_the_bits_of_its_loop) {
    enum { COUNT = 192, WORDS = 2 * COUNT }; /* whole lines of every element size, of 8 bytes at most */
    static _Alignas(64) uint32_t operands[3][WORDS + 2], plain[WORDS], streamed[WORDS];
    const tni_kernel_table *table = tni_kernels();
    tni_parameters parameters;
    tni_parameters_set(&parameters, 0, tn_scalar_float(0.375));
    for (int k = 0; k < 3; k++)
        fill_with_numbers(operands[k], WORDS + 2, 11 + (uint64_t)k);
    for (int pair = 0; table->streamed[2 * pair]; pair++) {
        memset(plain, 0x5a, sizeof plain);
        memset(streamed, 0x5a, sizeof streamed);
        /* operands need no alignment but that of an element */
        void *data[] = {plain, operands[0] + 2, operands[1] + pair % 2 * 2, operands[2] + 2};
        table->streamed[2 * pair](data, COUNT, &parameters);
        data[0] = streamed;
        tni_kernel_streamed(table, table->streamed[2 * pair])(data, COUNT, &parameters);
        table->stream[0](&(tni_stream){.rows = 0});
        if (memcmp(plain, streamed, sizeof plain) != 0)
            test_fail(__FILE__, __LINE__, "twin %d differs from its loop", pair);
    }
    CHECK(tni_kernel_streamed(table, NULL) == NULL);
}

static tn_tensor *numbers_up_to(int64_t count, double last) { return tn_linspace(-last, last, count, TN_FLOAT32); }

/* `whole` computed at once, into a result that does not begin with a line, against the same in pieces that fit the caches. */
static void same_in_pieces(int64_t count, tn_tensor *(*compute)(tn_tensor *out, tn_tensor *a, tn_tensor *b), tn_dtype dtype) {
    tn_tensor *a = numbers_up_to(count, 3), *b = numbers_up_to(count, 5);
    tn_tensor *space = tn_zeros(TN_DIMS(count + 5), dtype), *pieces = tn_zeros(TN_DIMS(count), dtype);
    tn_tensor *whole = space ? tn_slice(space, 0, 3, count + 3, 1) : NULL;
    CHECK(a && b && whole && pieces);
    CHECK(compute(whole, a, b) == whole);
    for (int64_t from = 0; from < count; from += 100000) {
        int64_t to = from + 100000 < count ? from + 100000 : count;
        tn_tensor *x = tn_slice(a, 0, from, to, 1), *y = tn_slice(b, 0, from, to, 1), *part = tn_slice(pieces, 0, from, to, 1);
        CHECK(x && y && part && compute(part, x, y) == part);
    }
    size_t item = tn_dtype_size(dtype);
    CHECK(memcmp(tn_data(whole), tn_data(pieces), (size_t)count * item) == 0);
    const char *bytes = tn_data(space), zeros[32] = {0};
    CHECK(memcmp(bytes, zeros, 3 * item) == 0 && memcmp(bytes + (size_t)(count + 3) * item, zeros, 2 * item) == 0);
}

static tn_tensor *compute_sum(tn_tensor *out, tn_tensor *a, tn_tensor *b) { return tn_add_out(out, a, b); }
static tn_tensor *compute_exp(tn_tensor *out, tn_tensor *a, tn_tensor *b) { return (void)b, tn_exp_out(out, a); }
static tn_tensor *compute_order(tn_tensor *out, tn_tensor *a, tn_tensor *b) { return tn_lt_out(out, a, b); }

TEST_SAMPLED(a_result_that_outgrows_the_caches_is_that_of_its_pieces) {
    int64_t count = tni_kernel_stream_from(tni_cpu_last_level_bytes()) / 6 + 77; /* bytes of an element moved, at least */
    if (count > 20000000)
        return;                                     /* too much memory on a machine with such a cache */
    same_in_pieces(count, compute_sum, TN_FLOAT32); /* streamed          */
    same_in_pieces(count, compute_exp, TN_FLOAT32); /* through a block   */
    same_in_pieces(count, compute_exp, TN_FLOAT64); /* and converted     */
    same_in_pieces(count, compute_order, TN_BOOL);  /* of another size   */
}

/* limit_fma.c - the most multiplications that this machine does: fused multiplications and additions of registers, with nothing to read or
 * write. Each sum has a register of its own, more of them than an addition takes cycles. The instruction set is the one whose kernels
 * Tenon uses, so TENON_CPU caps both. On several threads a row has its share of the work: no library can do better than divide it.
 */
#include "bench.h"

#if defined(__x86_64__)
#include <immintrin.h>

#if defined(__clang__)
#define FMA_UNROLL _Pragma("unroll")
#else
#define FMA_UNROLL _Pragma("GCC unroll 16")
#endif

/* What is added up must look used. */
static volatile double fma_sum;

/* `times` times as many fused additions as there are sums. */
#define FMA_LOOP(name, isa, type, sums, set, fma)                                                                              \
    __attribute__((target(isa))) static void name(int64_t times) {                                                             \
        type sum[sums], x = set(1e-9), y = set(0.5);                                                                           \
        FMA_UNROLL for (int i = 0; i < (sums); i++) sum[i] = set(i);                                                           \
        for (int64_t t = 0; t < times; t++)                                                                                    \
            FMA_UNROLL for (int i = 0; i < (sums); i++) {                                                                      \
                sum[i] = fma(x, y, sum[i]);                                                                                    \
                __asm__("" : "+x"(sum[i]));                                                                                    \
            }                                                                                                                  \
        FMA_UNROLL for (int i = 1; i < (sums); i++) sum[0] += sum[i];                                                          \
        fma_sum = (double)sum[0][0];                                                                                           \
    }
#define FMA_SET_512(number) _mm512_set1_ps((float)(number))
#define FMA_SET_256(number) _mm256_set1_ps((float)(number))
FMA_LOOP(fma_512_float, "avx512f", __m512, 14, FMA_SET_512, _mm512_fmadd_ps)
FMA_LOOP(fma_512_double, "avx512f", __m512d, 14, _mm512_set1_pd, _mm512_fmadd_pd)
FMA_LOOP(fma_256_float, "avx2,fma", __m256, 12, FMA_SET_256, _mm256_fmadd_ps)
FMA_LOOP(fma_256_double, "avx2,fma", __m256d, 12, _mm256_set1_pd, _mm256_fmadd_pd)

static const struct fma_way {
    void (*run)(int64_t times);
    int64_t each; /* multiplications of one time */
} fma_ways[2][2] = {{{fma_256_float, 12 * 8}, {fma_256_double, 12 * 4}}, {{fma_512_float, 14 * 16}, {fma_512_double, 14 * 8}}};

static struct {
    const struct fma_way *way;
    int64_t multiplications;
} fma_work;

static bool fma_prepare(bench_contestant *self, const bench_workload *workload, int64_t threads, char reason[256]) {
    (void)self, (void)reason;
    tn_cpu_level level = tn_cpu_level_in_use();
    if (workload->limit != BENCH_LIMIT_FMA || level == TN_CPU_BASELINE)
        return false;
    fma_work.way = &fma_ways[level == TN_CPU_AVX512][workload->multiplies_float64];
    fma_work.multiplications = workload->multiplications / threads;
    return true;
}

/* All times are one loop, so that the ends of small ones do not count. */
static bool fma_sample(bench_contestant *self, int64_t times, bench_sample *out) {
    (void)self;
    const struct fma_way *way = fma_work.way;
    double wanted = (double)fma_work.multiplications * (double)times / (double)way->each;
    int64_t turns = wanted < 1 ? 1 : (int64_t)wanted;
    way->run(turns / 8 + 1);
    double begin = bench_now_ns();
    way->run(turns);
    double ns = (bench_now_ns() - begin) * wanted / (double)turns;
    *out = (bench_sample){ns / (double)times, 0};
    return true;
}
#else
static bool fma_prepare(bench_contestant *self, const bench_workload *workload, int64_t threads, char reason[256]) {
    (void)self, (void)workload, (void)threads, (void)reason;
    return false;
}
static bool fma_sample(bench_contestant *self, int64_t times, bench_sample *out) {
    (void)self, (void)times, (void)out;
    return false;
}
#endif

static void fma_finish(bench_contestant *self) { (void)self; }

bench_contestant bench_limit_fma(void) {
    return (bench_contestant){"limit: FMA", true, NULL, fma_prepare, fma_sample, fma_finish};
}

/* rows_linalg.c - factorisations, eigenvalues and Fourier transforms: one large matrix, batches of small ones, long and short lines. */
#include "bench.h"

enum { LINALG_LARGE = 256, LINALG_BATCH = 10000, LINALG_SMALL = 8, LINE_LONG = 65536, LINE_PRIME = 1009, LINE_SHORT = 64 };

/* A positive definite matrix, and right-hand sides. */
static void linalg_positive(bench_inputs *inputs, tn_dims sizes, int64_t n) {
    tn_tensor *random = bench_random(sizes, TN_FLOAT64);
    inputs->a = tn_add(tn_matmul(random, tn_mT(random)), tn_eye(n, n, TN_FLOAT64));
    inputs->b = random;
}

static void linalg_large(bench_inputs *inputs) { linalg_positive(inputs, TN_DIMS(LINALG_LARGE, LINALG_LARGE), LINALG_LARGE); }
static void linalg_batch(bench_inputs *inputs) {
    linalg_positive(inputs, TN_DIMS(LINALG_BATCH, LINALG_SMALL, LINALG_SMALL), LINALG_SMALL);
}

static void linalg_line(bench_inputs *inputs, tn_dims sizes) { inputs->a = bench_random(sizes, TN_COMPLEX64); }
static void linalg_long(bench_inputs *inputs) { linalg_line(inputs, TN_DIMS(LINE_LONG)); }
static void linalg_prime(bench_inputs *inputs) { linalg_line(inputs, TN_DIMS(LINE_PRIME)); }
static void linalg_short(bench_inputs *inputs) { linalg_line(inputs, TN_DIMS(1000, LINE_SHORT)); }

#define LINALG_RUN(name, release, result)                                                                                      \
    static void name(bench_inputs *inputs, int64_t times) {                                                                    \
        for (; times > 0; times--)                                                                                             \
            release(result);                                                                                                   \
    }

LINALG_RUN(linalg_cholesky, tn_release, tn_linalg_cholesky(inputs->a, false))
LINALG_RUN(linalg_lu, tn_list_release, tn_linalg_lu_factor(inputs->b, true))
LINALG_RUN(linalg_solve, tn_release, tn_linalg_solve(inputs->a, inputs->b, true))
LINALG_RUN(linalg_inv, tn_release, tn_linalg_inv(inputs->a))
LINALG_RUN(linalg_qr, tn_list_release, tn_linalg_qr(inputs->b, "reduced"))
LINALG_RUN(linalg_eigh, tn_list_release, tn_linalg_eigh(inputs->a, "L"))
LINALG_RUN(linalg_svd, tn_list_release, tn_linalg_svd(inputs->b, false, "none"))
LINALG_RUN(linalg_fft, tn_release, tn_fft_fft(inputs->a, TN_NONE, -1, "backward"))

#define LINALG_TORCH(sizes)                                                                                                    \
    "b = torch.rand(" sizes                                                                                                    \
    ", dtype=torch.float64); a = b @ b.mT + torch.eye(b.shape[-1], dtype=torch.float64); T = torch.linalg"
#define LINALG_NUMPY(sizes) "b = np.random.rand(" sizes "); a = b @ b.swapaxes(-1, -2) + np.eye(b.shape[-1]); N = np.linalg"
#define LINALG_ROW(title, from, what, sizes, python, array)                                                                    \
    {                                                                                                                          \
        .name = title, .setup = from, .run = what, .torch = {LINALG_TORCH(sizes), python}, .numpy = {                          \
            LINALG_NUMPY(sizes),                                                                                               \
            array                                                                                                              \
        }                                                                                                                      \
    }
#define LINALG_ROWS(words, from, sizes)                                                                                        \
    LINALG_ROW("cholesky " words, from, linalg_cholesky, sizes, "T.cholesky(a)", "N.cholesky(a)"),                             \
        LINALG_ROW("solve " words, from, linalg_solve, sizes, "T.solve(a, b)", "N.solve(a, b)"),                               \
        LINALG_ROW("inv " words, from, linalg_inv, sizes, "T.inv(a)", "N.inv(a)"),                                             \
        LINALG_ROW("qr " words, from, linalg_qr, sizes, "T.qr(b)", "N.qr(b)"),                                                 \
        LINALG_ROW("eigh " words, from, linalg_eigh, sizes, "T.eigh(a)", "N.eigh(a)"),                                         \
        LINALG_ROW("svd " words, from, linalg_svd, sizes, "T.svd(b, full_matrices=False)", "N.svd(b, full_matrices=False)"), { \
        .name = "lu_factor " words, .setup = from, .run = linalg_lu, .torch = { LINALG_TORCH(sizes), "T.lu_factor(b)" }        \
    }
#define LINALG_LINE(words, from, sizes)                                                                                        \
    {                                                                                                                          \
        .name = "fft " words, .setup = from, .run = linalg_fft,                                                                \
        .torch = {"x = torch.randn(" sizes ", dtype=torch.complex64)", "torch.fft.fft(x)"}, .numpy = {                         \
            "x = (np.random.rand(" sizes ") + 1j).astype(np.complex64)",                                                       \
            "np.fft.fft(x)"                                                                                                    \
        }                                                                                                                      \
    }

const bench_workload bench_rows_linalg[] = {
    LINALG_ROWS("[256 256] float64", linalg_large, "256, 256"),
    LINALG_ROWS("[10000 8 8] float64", linalg_batch, "10000, 8, 8"),
    LINALG_LINE("65536 complex64", linalg_long, "65536"),
    LINALG_LINE("1009 complex64, a prime", linalg_prime, "1009"),
    LINALG_LINE("[1000 64] complex64", linalg_short, "1000, 64"),
    {.name = NULL},
};

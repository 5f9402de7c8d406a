/* multi_dot.c - chains of matrix products in the order that needs the fewest multiplications: linalg_multi_dot, chain_matmul.
 *
 * The best order for a part of the chain is that of its best cut in two, so parts are gone through from short to long, and where each is
 * cut is written down (the matrix-chain problem of textbooks).
 */
#include "base/error.h"
#include "base/heap.h"
#include "operators_product.h"
#include "operators_view.h"
#include "ops/result.h"

typedef struct multi_dot_chain {
    const tn_tensor *const *tensors;
    int64_t count;
    size_t bytes;
    double *cost; /* (count, count): of tensors i to j */
    int64_t *cut; /* the same: the last tensor of the left part */
} multi_dot_chain;

/* Rows and columns of a link: a vector is a row at the start and a column at the end. */
static int64_t multi_dot_rows(const multi_dot_chain *chain, int64_t i) {
    const tn_tensor *tensor = chain->tensors[i];
    return tensor->ndim == 2 || i > 0 ? tensor->sizes[0] : 1;
}

static int64_t multi_dot_columns(const multi_dot_chain *chain, int64_t i) {
    const tn_tensor *tensor = chain->tensors[i];
    return tensor->ndim == 2 ? tensor->sizes[1] : i > 0 ? 1 : tensor->sizes[0];
}

/* `ends`: the first and the last may be vectors. */
static bool multi_dot_check(const multi_dot_chain *chain, const char *name, bool ends) {
    for (int64_t i = 0; i < chain->count; i++) {
        const tn_tensor *tensor = chain->tensors[i];
        bool end = ends && (i == 0 || i == chain->count - 1);
        if (tensor->ndim != 2 && !(end && tensor->ndim == 1)) {
            tni_raise(TN_ERROR_SHAPE, "%s[%" PRId64 "] is %s, which has %d dimension%s: it must be a matrix%s", name, i,
                      tni_show_tensor(tensor), tensor->ndim, tensor->ndim == 1 ? "" : "s", end ? " or a vector" : "");
            return false;
        }
    }
    for (int64_t i = 1; i < chain->count; i++) {
        const tn_tensor *left = chain->tensors[i - 1], *right = chain->tensors[i];
        if (left->dtype != right->dtype) {
            tni_raise(TN_ERROR_DTYPE, "%s[%" PRId64 "] is %s and %s[%" PRId64 "] is %s: all must have the same dtype", name,
                      i - 1, tni_show_tensor(left), name, i, tni_show_tensor(right));
            return false;
        }
        if (multi_dot_columns(chain, i - 1) != multi_dot_rows(chain, i)) {
            tni_raise(TN_ERROR_SHAPE,
                      "%s[%" PRId64 "] %s and %s[%" PRId64 "] %s do not fit: %" PRId64 " columns meet %" PRId64 " rows", name,
                      i - 1, tni_show_tensor(left), name, i, tni_show_tensor(right), multi_dot_columns(chain, i - 1),
                      multi_dot_rows(chain, i));
            return false;
        }
    }
    return true;
}

static bool multi_dot_order(multi_dot_chain *chain) {
    int64_t n = chain->count, places;
    if (tni_mul_overflows(n, n, &places) || places > (int64_t)(SIZE_MAX / 2 / sizeof(double))) {
        tni_raise(TN_ERROR_MEMORY, "an order for %" PRId64 " matrices needs more memory than there can be", n);
        return false;
    }
    chain->bytes = (size_t)places * (sizeof(double) + sizeof(int64_t));
    char *block = tni_heap_alloc(chain->bytes);
    if (!block)
        return false;
    chain->cost = (double *)(void *)block;
    chain->cut = (int64_t *)(void *)(block + (size_t)places * sizeof(double));
    for (int64_t i = 0; i < n; i++)
        chain->cost[i * n + i] = 0;
    for (int64_t length = 1; length < n; length++)
        for (int64_t i = 0; i + length < n; i++) {
            int64_t j = i + length;
            double ends = (double)multi_dot_rows(chain, i) * (double)multi_dot_columns(chain, j);
            for (int64_t cut = i; cut < j; cut++) {
                double cost =
                    chain->cost[i * n + cut] + chain->cost[(cut + 1) * n + j] + ends * (double)multi_dot_columns(chain, cut);
                if (cut == i || cost < chain->cost[i * n + j]) {
                    chain->cost[i * n + j] = cost;
                    chain->cut[i * n + j] = cut;
                }
            }
        }
    return true;
}

/* The product of tensors i to j, into `out` where it is given. What it made on the way is released. */
static const tn_tensor *multi_dot_multiply(const multi_dot_chain *chain, int64_t i, int64_t j, tn_tensor *out) {
    if (i == j)
        return chain->tensors[i];
    int64_t cut = chain->cut[i * chain->count + j];
    const tn_tensor *left = multi_dot_multiply(chain, i, cut, NULL);
    const tn_tensor *right = left ? multi_dot_multiply(chain, cut + 1, j, NULL) : NULL;
    if (!right)
        return NULL;
    tn_tensor *made = out ? tn_matmul_out(out, left, right) : tn_matmul(left, right);
    if (i < cut)
        tn_release((tn_tensor *)(uintptr_t)left);
    if (cut + 1 < j)
        tn_release((tn_tensor *)(uintptr_t)right);
    return made;
}

static tn_tensor *multi_dot_compute(tn_tensor *out, const char *name, bool ends, const tn_tensor *const *tensors,
                                    int64_t count) {
    multi_dot_chain chain = {.tensors = tensors, .count = count};
    if (!multi_dot_check(&chain, name, ends) || !multi_dot_order(&chain))
        return NULL;
    const tn_tensor *made = multi_dot_multiply(&chain, 0, count - 1, out);
    tni_heap_free(chain.cost, chain.bytes);
    return (tn_tensor *)(uintptr_t)made;
}

static bool multi_dot_has(int64_t count, int64_t least, const char *what) {
    if (count >= least)
        return true;
    tni_raise(TN_ERROR_ARGUMENT, "%" PRId64 " %s given: there must be at least %" PRId64, count, what, least);
    return false;
}

tn_tensor *tni_composite_linalg_multi_dot(const tn_tensor *const *tensors, int64_t tensors_count) {
    return multi_dot_has(tensors_count, 2, tensors_count == 1 ? "tensor is" : "tensors are")
               ? multi_dot_compute(NULL, "tensors", true, tensors, tensors_count)
               : NULL;
}

tn_tensor *tni_composite_linalg_multi_dot_out(tn_tensor *out, const tn_tensor *const *tensors, int64_t tensors_count) {
    return multi_dot_has(tensors_count, 2, tensors_count == 1 ? "tensor is" : "tensors are")
               ? multi_dot_compute(out, "tensors", true, tensors, tensors_count)
               : NULL;
}

/* ---- chain_matmul: matrices only, and one of them is its own product */

static bool chain_is_one(const tn_tensor *const *matrices, int64_t count) {
    multi_dot_chain chain = {.tensors = matrices, .count = count};
    return count == 1 && multi_dot_check(&chain, "matrices", false);
}

tn_tensor *tni_composite_chain_matmul(const tn_tensor *const *matrices, int64_t matrices_count) {
    if (!multi_dot_has(matrices_count, 1, "matrices are"))
        return NULL;
    if (matrices_count == 1)
        return chain_is_one(matrices, 1) ? tn_view(matrices[0], (tn_dims){matrices[0]->sizes, 2}) : NULL;
    return multi_dot_compute(NULL, "matrices", false, matrices, matrices_count);
}

tn_tensor *tni_composite_chain_matmul_out(tn_tensor *out, const tn_tensor *const *matrices, int64_t matrices_count) {
    if (!multi_dot_has(matrices_count, 1, "matrices are"))
        return NULL;
    if (matrices_count == 1)
        return chain_is_one(matrices, 1) ? tni_result_put(out, matrices[0], TNI_RESULT_EXACT) : NULL;
    return multi_dot_compute(out, "matrices", false, matrices, matrices_count);
}

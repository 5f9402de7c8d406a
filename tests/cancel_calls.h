/* cancel_calls.h - calls that go through one long line, or through very many elements in an order that one thread must keep;
 * tests/cancel_lines.c stops them. A row is a name and an expression over `on`; its value is a tensor, or NULL. */
#ifndef CANCEL_CALLS_H
#define CANCEL_CALLS_H

#include <tenon/tenon.h>

typedef struct long_operands {
    int64_t n;
    tn_tensor *x, *wide;  /* n random numbers from 0 to 1, float32; the same in float64                     */
    tn_tensor *apart;     /* the same in float32, every other element of a longer line                      */
    tn_tensor *half;      /* float16                                                                        */
    tn_tensor *complex;   /* complex64                                                                      */
    tn_tensor *positions; /* n - 1, n - 2, ..., 0                                                           */
    tn_tensor *few;       /* whole numbers below 100, int64                                                 */
    tn_tensor *bytes;     /* the same, uint8                                                                */
    tn_tensor *mask;      /* whether x is above one quarter                                                 */
    tn_tensor *sorted;    /* n numbers in order                                                             */
    tn_tensor *target;    /* n numbers that are written to                                                  */
    tn_tensor *hundred;   /* 100 numbers that are written to                                                */
    tn_tensor *tall;      /* x as (n / 4, 4)                                                                */
    tn_tensor *ones;      /* n times 1, int64, expanded                                                     */
    tn_generator *philox, *mersenne;
} long_operands;

static bool long_operands_make(long_operands *on, int64_t n) {
    on->n = n;
    on->philox = tn_generator_new(TN_PHILOX, 1);
    on->mersenne = tn_generator_new(TN_MT19937, 1);
    on->x = tn_rand(TN_DIMS(n), TN_FLOAT32, on->philox);
    on->wide = tn_to(on->x, TN_FLOAT64);
    on->apart = tn_slice(tn_rand(TN_DIMS(2 * n), TN_FLOAT32, on->philox), 0, 0, 2 * n, 2);
    on->half = tn_to(on->x, TN_FLOAT16);
    on->complex = tn_to(on->x, TN_COMPLEX64);
    on->positions = tn_flip(tn_arange(n, TN_INT64), TN_DIMS(0));
    on->few = tn_randint(100, TN_DIMS(n), TN_INT64, on->philox);
    on->bytes = tn_to(on->few, TN_UINT8);
    on->mask = tn_gt_scalar(on->x, 0.25);
    on->sorted = tn_arange(n, TN_FLOAT32);
    on->target = tn_zeros(TN_DIMS(n), TN_FLOAT32);
    on->hundred = tn_zeros(TN_DIMS(100), TN_FLOAT32);
    on->tall = tn_view(on->x, TN_DIMS(n / 4, 4));
    on->ones = tn_expand(tn_ones(TN_DIMS(1), TN_INT64), TN_DIMS(n));
    return on->x && on->wide && on->apart && on->half && on->complex && on->positions && on->few && on->bytes && on->mask &&
           on->sorted && on->target && on->hundred && on->tall && on->ones;
}

static tn_tensor *first_of_list(tn_list *list) { return list ? tn_list_at(list, 0) : NULL; }
static tn_tensor *if_true(bool truth, tn_tensor *tensor) { return truth ? tensor : NULL; }

#define LONG_CALLS(CALL)                                                                                                       \
    /* along one line */                                                                                                       \
    CALL(attention, tn_scaled_dot_product_attention(tn_narrow(on->tall, 0, 0, 1), on->tall, on->tall, NULL, 0, false,          \
                                                    TN_NO_SCALAR, false, NULL))                                                \
    CALL(dropout_bits, tn__dropout_bits(on->x, TN_DIMS(on->n), 0.5, on->mersenne))                                             \
    CALL(cumsum, tn_cumsum(on->x, 0, TN_DTYPE_DEFAULT))                                                                        \
    CALL(cumsum_apart, tn_cumsum(on->apart, 0, TN_DTYPE_DEFAULT))                                                              \
    CALL(cumsum_half, tn_cumsum(on->half, 0, TN_DTYPE_DEFAULT))                                                                \
    CALL(cumsum_whole, tn_cumsum(on->few, 0, TN_DTYPE_DEFAULT))                                                                \
    CALL(cumsum_complex, tn_cumsum(on->complex, 0, TN_DTYPE_DEFAULT))                                                          \
    CALL(cumprod, tn_cumprod(on->x, 0, TN_DTYPE_DEFAULT))                                                                      \
    CALL(cumprod_apart, tn_cumprod(on->apart, 0, TN_FLOAT64))                                                                  \
    CALL(logcumsumexp, tn_logcumsumexp(on->x, 0))                                                                              \
    CALL(logcumsumexp_complex, tn_logcumsumexp(on->complex, 0))                                                                \
    CALL(cummax, first_of_list(tn_cummax(on->x, 0)))                                                                           \
    CALL(cummin, first_of_list(tn_cummin(on->apart, 0)))                                                                       \
    CALL(diff, tn_diff(on->x, 1, 0, NULL, NULL))                                                                               \
    CALL(trapezoid, tn_trapezoid(on->x, 1, 0))                                                                                 \
    CALL(cumulative_trapezoid, tn_cumulative_trapezoid(on->x, 1, 0))                                                           \
    CALL(softmax, tn_softmax(on->x, 0, TN_DTYPE_DEFAULT))                                                                      \
    CALL(softmax_apart, tn_softmax(on->apart, 0, TN_DTYPE_DEFAULT))                                                            \
    CALL(log_softmax, tn_log_softmax(on->wide, 0, TN_DTYPE_DEFAULT))                                                           \
    CALL(softmax_down, tn_softmax(on->tall, 0, TN_DTYPE_DEFAULT))                                                              \
    CALL(layer_norm, tn_layer_norm(on->x, TN_DIMS(on->n), NULL, NULL, 1e-5))                                                   \
    CALL(rms_norm, tn_rms_norm(on->x, TN_DIMS(on->n), NULL, 1e-5))                                                             \
    CALL(normalize, tn_normalize(on->x, 2, 0, 1e-12))                                                                          \
    CALL(renorm, tn_renorm(tn_view(on->x, TN_DIMS(1, on->n)), 2, 0, 1))                                                        \
    CALL(cov, tn_cov(tn_view(on->x, TN_DIMS(2, -1)), 1, NULL, NULL))                                                           \
    CALL(corrcoef, tn_corrcoef(tn_view(on->x, TN_DIMS(2, -1))))                                                                \
    CALL(cdist_long, tn_cdist(tn_view(on->x, TN_DIMS(1, -1)), tn_view(on->x, TN_DIMS(1, -1)), 2))                              \
    CALL(cdist_odd, tn_cdist(tn_view(on->x, TN_DIMS(1, -1)), tn_view(on->x, TN_DIMS(1, -1)), 1.5))                             \
    CALL(pdist_long, tn_pdist(tn_view(on->x, TN_DIMS(2, -1)), 1))                                                              \
    CALL(dist, tn_dist(on->x, on->apart, 3))                                                                                   \
    CALL(logsumexp, tn_logsumexp(on->x, TN_DIMS(0), false))                                                                    \
    CALL(logsumexp_apart, tn_logsumexp(on->apart, TN_DIMS(0), false))                                                          \
    CALL(var, tn_var(on->x, true))                                                                                             \
    CALL(var_apart, tn_var(on->apart, true))                                                                                   \
    CALL(prod, tn_prod(on->x, TN_DTYPE_DEFAULT))                                                                               \
    CALL(prod_apart, tn_prod_dim(on->apart, 0, false, TN_DTYPE_DEFAULT))                                                       \
    CALL(norm, tn_norm(on->x, 3))                                                                                              \
    CALL(max_dim, first_of_list(tn_max_dim(on->x, 0, false)))                                                                  \
    CALL(argmin, tn_argmin(on->apart, 0, false))                                                                               \
    CALL(aminmax, first_of_list(tn_aminmax(on->x, 0, false)))                                                                  \
    CALL(all, tn_all(on->x))                                                                                                   \
    CALL(count_nonzero, tn_count_nonzero(on->x, 0))                                                                            \
    CALL(equal, if_true(tn_equal(on->x, tn_clone(on->x, TN_PRESERVE)), on->x))                                                 \
    CALL(equal_apart, if_true(tn_equal(on->apart, tn_clone(on->apart, TN_PRESERVE)), on->x))                                   \
    CALL(allclose, if_true(tn_allclose(on->x, on->x, 1e-5, 1e-8, false), on->x))                                               \
    CALL(segment_reduce,                                                                                                       \
         tn_segment_reduce(on->x, "sum", tn_full(TN_DIMS(1), on->n, TN_INT64), NULL, NULL, 0, true, TN_NO_SCALAR))             \
    CALL(segment_reduce_many, tn_segment_reduce(on->x, "max", on->ones, NULL, NULL, 0, true, TN_NO_SCALAR))                    \
    CALL(sum_down, tn_sum_dim(on->tall, TN_DIMS(0), false, TN_DTYPE_DEFAULT))                                                  \
    CALL(sum_across, tn_sum_dim(tn_view(on->x, TN_DIMS(2, -1)), TN_DIMS(0), false, TN_DTYPE_DEFAULT))                          \
    CALL(var_down, tn_var_dim(on->tall, TN_DIMS(0), true, false))                                                              \
    CALL(max_down, first_of_list(tn_max_dim(on->tall, 0, false)))                                                              \
    CALL(max_across, first_of_list(tn_max_dim(tn_view(on->x, TN_DIMS(2, -1)), 0, false)))                                      \
    CALL(logsumexp_down, tn_logsumexp(on->tall, TN_DIMS(0), false))                                                            \
    CALL(any_down, tn_any_dim(on->tall, 0, false))                                                                             \
    CALL(norm_across, tn_norm_dim(tn_view(on->x, TN_DIMS(2, -1)), 3, TN_DIMS(0), false, TN_DTYPE_DEFAULT))                     \
    CALL(cumsum_down, tn_cumsum(on->tall, 0, TN_DTYPE_DEFAULT))                                                                \
    CALL(cummax_down, first_of_list(tn_cummax(on->tall, 0)))                                                                   \
    CALL(sum_of_one, tn_sum(tn_expand(tn_narrow(on->x, 0, 0, 1), TN_DIMS(16 * on->n)), TN_DTYPE_DEFAULT))                      \
    CALL(max_of_one, tn_max(tn_expand(tn_narrow(on->few, 0, 0, 1), TN_DIMS(16 * on->n))))                                      \
    CALL(triangle_of_a_row, tn_tril(tn_view(on->x, TN_DIMS(1, -1)), on->n / 2))                                                \
    CALL(triangle_of_a_column, tn_triu_(tn_view(on->target, TN_DIMS(-1, 1)), -on->n / 2))                                      \
    CALL(orthogonal_, tn_orthogonal_(tn_view(on->target, TN_DIMS(-1, 4)), 1, on->philox))                                      \
    CALL(normal_of_each, tn_normal_tensor_float(on->x, 1, on->philox))                                                         \
    CALL(normal_by_each, tn_normal_float_tensor(0, on->x, on->philox))                                                         \
    CALL(setitem, tn_setitem_(on->target, TN_INDEX(TN_PICK(on->mask)), tn_masked_select(on->x, on->mask)))                     \
    CALL(take_along_dim, tn_take_along_dim(on->x, on->positions, 0))                                                           \
    CALL(as_strided_scatter, tn_as_strided_scatter(on->x, on->apart, TN_DIMS(on->n), TN_DIMS(1), 0))                           \
    CALL(meshgrid, tn_clone(first_of_list(tn_meshgrid((const tn_tensor *const[]){on->x, tn_narrow(on->x, 0, 0, 2)}, 2, "ij")), \
                            TN_CONTIGUOUS))                                                                                    \
    /* sorted, selected, counted */                                                                                            \
    CALL(sort, first_of_list(tn_sort(on->x, 0, false)))                                                                        \
    CALL(sort_apart, first_of_list(tn_sort(on->apart, 0, true)))                                                               \
    CALL(sort_wide, first_of_list(tn_sort(on->wide, 0, false)))                                                                \
    CALL(sort_bytes, first_of_list(tn_sort(on->bytes, 0, false)))                                                              \
    CALL(sort_half, first_of_list(tn_sort(on->half, 0, false)))                                                                \
    CALL(argsort, tn_argsort(on->few, 0, false))                                                                               \
    CALL(msort, tn_msort(on->x))                                                                                               \
    CALL(msort_down, tn_msort(on->tall))                                                                                       \
    CALL(topk, first_of_list(tn_topk(on->x, 100, 0, true, true)))                                                              \
    CALL(topk_many, first_of_list(tn_topk(on->x, on->n / 2, 0, true, true)))                                                   \
    CALL(topk_wide, first_of_list(tn_topk(on->wide, on->n / 2, 0, false, false)))                                              \
    CALL(kthvalue, first_of_list(tn_kthvalue(on->x, on->n / 2, 0, false)))                                                     \
    CALL(median, tn_median(on->x))                                                                                             \
    CALL(median_dim, first_of_list(tn_median_dim(on->apart, 0, false)))                                                        \
    CALL(nanmedian, tn_nanmedian(on->wide))                                                                                    \
    CALL(mode, first_of_list(tn_mode(on->x, 0, false)))                                                                        \
    CALL(mode_few, first_of_list(tn_mode(on->few, 0, false)))                                                                  \
    CALL(mode_bytes, first_of_list(tn_mode(on->bytes, 0, false)))                                                              \
    CALL(quantile, tn_quantile_scalar(on->x, 0.3, 0, false, "linear"))                                                         \
    CALL(quantiles, tn_quantile(on->wide, tn_linspace(0, 1, 11, TN_FLOAT64), 0, false, "linear"))                              \
    CALL(nanquantile, tn_nanquantile_scalar(on->x, 0.3, 0, false, "linear"))                                                   \
    CALL(unique, tn_unique(on->x))                                                                                             \
    CALL(unique_few, first_of_list(tn_unique_options(on->few, true, true, true, TN_NONE)))                                     \
    CALL(unique_dim, first_of_list(tn_unique_options(on->tall, true, true, true, 0)))                                          \
    CALL(unique_consecutive, tn_unique_consecutive(on->few))                                                                   \
    CALL(unique_consecutive_all, first_of_list(tn_unique_consecutive_options(on->x, true, true, TN_NONE)))                     \
    CALL(unique_consecutive_dim, first_of_list(tn_unique_consecutive_options(on->tall, true, true, 0)))                        \
    CALL(searchsorted, tn_searchsorted(on->sorted, on->x, false, false, "left", NULL))                                         \
    CALL(searchsorted_sorter, tn_searchsorted(on->sorted, on->x, false, false, "left", on->positions))                         \
    CALL(bucketize, tn_bucketize(on->x, on->sorted, false, false))                                                             \
    CALL(isin, tn_isin(on->x, on->apart, false, false))                                                                        \
    CALL(isin_few, tn_isin(on->x, tn_narrow(on->x, 0, 0, 5), false, false))                                                    \
    CALL(nonzero, tn_nonzero(on->x))                                                                                           \
    CALL(nonzero_apart, tn_nonzero(on->apart))                                                                                 \
    CALL(argwhere, tn_argwhere(on->mask))                                                                                      \
    CALL(histc, tn_histc(on->x, 50, 0, 1))                                                                                     \
    CALL(histc_range, tn_histc(on->x, 50, 0, 0))                                                                               \
    CALL(histogram, first_of_list(tn_histogram(on->x, 50, NULL, false)))                                                       \
    CALL(histogram_weights, first_of_list(tn_histogram(on->x, 50, on->apart, true)))                                           \
    CALL(histogram_bins, first_of_list(tn_histogram_bins(on->x, on->sorted, NULL, false)))                                     \
    CALL(bincount, tn_bincount(on->few, NULL, 0))                                                                              \
    CALL(bincount_far, tn_bincount(on->positions, NULL, 0))                                                                    \
    CALL(bincount_weights, tn_bincount(on->few, on->x, 0))                                                                     \
    CALL(bincount_bytes, tn_bincount(on->bytes, NULL, 0))                                                                      \
    /* picked by position */                                                                                                   \
    CALL(index_select, tn_index_select(on->x, 0, on->positions))                                                               \
    CALL(index_add_, tn_index_add_(on->target, 0, on->positions, on->x, 1))                                                    \
    CALL(index_add_few, tn_index_add_(on->hundred, 0, on->few, on->x, 1))                                                      \
    CALL(index_add_alpha, tn_index_add_(on->hundred, 0, on->few, on->x, 2.5))                                                  \
    CALL(index_add_rows,                                                                                                       \
         tn_index_add_(tn_view(on->target, TN_DIMS(-1, 4)), 0, tn_narrow(on->few, 0, 0, on->n / 4), on->tall, 1))              \
    CALL(index_copy_, tn_index_copy_(on->target, 0, on->positions, on->x))                                                     \
    CALL(index_fill_, tn_index_fill_(on->target, 0, on->positions, 3))                                                         \
    CALL(index_reduce_, tn_index_reduce_(on->target, 0, on->positions, on->x, "amax", true))                                   \
    CALL(index_reduce_mean, tn_index_reduce_(on->hundred, 0, on->few, on->x, "mean", false))                                   \
    CALL(index_put_, tn_index_put_(on->target, TN_INDEX(TN_PICK(on->positions)), on->x, false))                                \
    CALL(index_put_accumulate, tn_index_put_(on->hundred, TN_INDEX(TN_PICK(on->few)), on->x, true))                            \
    CALL(index_mask, tn_index(on->x, TN_PICK(on->mask)))                                                                       \
    CALL(put_, tn_put_(on->target, on->positions, on->x, false))                                                               \
    CALL(put_accumulate, tn_put_(on->target, on->positions, on->x, true))                                                      \
    CALL(take, tn_take(on->x, on->positions))                                                                                  \
    CALL(gather, tn_gather(on->x, 0, on->positions))                                                                           \
    CALL(scatter_, tn_scatter_(on->target, 0, on->positions, on->x))                                                           \
    CALL(scatter_value_, tn_scatter_value_(on->target, 0, on->positions, 1))                                                   \
    CALL(scatter_add_, tn_scatter_add_(on->hundred, 0, on->few, on->x))                                                        \
    CALL(scatter_reduce_, tn_scatter_reduce_(on->hundred, 0, on->few, on->x, "prod", true))                                    \
    CALL(scatter_reduce_mean, tn_scatter_reduce_(on->hundred, 0, on->few, on->x, "mean", false))                               \
    CALL(masked_select, tn_masked_select(on->x, on->mask))                                                                     \
    CALL(masked_scatter_, tn_masked_scatter_(on->target, on->mask, on->x))                                                     \
    CALL(masked_fill_, tn_masked_fill_(on->target, on->mask, 2))                                                               \
    CALL(embedding, tn_embedding(on->tall, on->few, -1, false, false))                                                         \
    CALL(one_hot, tn_one_hot(tn_narrow(on->few, 0, 0, on->n / 16), 100))                                                       \
    CALL(select_scatter, tn_select_scatter(on->tall, tn_select(on->tall, 1, 0), 1, 2))                                         \
    CALL(index_select_line, tn_index_select(tn_narrow(on->tall, 0, 0, 2), 1, tn_bitwise_and_scalar(on->few, 3)))               \
    /* made, moved, repeated */                                                                                                \
    CALL(randperm, tn_randperm(on->n, TN_INT64, on->philox))                                                                   \
    CALL(randperm_mersenne, tn_randperm(on->n, TN_INT64, on->mersenne))                                                        \
    CALL(randperm_int32, tn_randperm(on->n, TN_INT32, on->mersenne))                                                           \
    CALL(rand_mersenne, tn_rand(TN_DIMS(on->n), TN_FLOAT32, on->mersenne))                                                     \
    CALL(randn_mersenne, tn_randn(TN_DIMS(on->n), TN_FLOAT32, on->mersenne))                                                   \
    CALL(multinomial, tn_multinomial(on->x, 100, true, on->philox))                                                            \
    CALL(multinomial_many, tn_multinomial(tn_narrow(on->x, 0, 0, 100), on->n, true, on->philox))                               \
    CALL(multinomial_once, tn_multinomial(on->x, on->n / 2, false, on->philox))                                                \
    CALL(multinomial_mersenne, tn_multinomial(on->x, on->n / 2, false, on->mersenne))                                          \
    CALL(bernoulli, tn_bernoulli(on->x, on->mersenne))                                                                         \
    CALL(dropout, tn_dropout(on->x, 0.5, true, on->mersenne))                                                                  \
    CALL(poisson, tn_poisson(on->x, on->mersenne))                                                                             \
    CALL(binomial, tn_binomial(tn_to(on->bytes, TN_FLOAT32), on->x, on->mersenne))                                             \
    CALL(gamma, tn_standard_gamma(on->x, on->mersenne))                                                                        \
    CALL(gamma_slope, tn__standard_gamma_grad(on->x, on->x))                                                                   \
    CALL(dirichlet, tn_sample_dirichlet(on->x, on->philox))                                                                    \
    CALL(geometric_, tn_geometric_(on->target, 0.5, on->mersenne))                                                             \
    CALL(trunc_normal_, tn_trunc_normal_(on->target, 0, 1, -2, 2, on->mersenne))                                               \
    CALL(sparse_, tn_sparse_(tn_view(on->target, TN_DIMS(-1, 4)), 0.5, 1, on->philox))                                         \
    CALL(dirac_, tn_dirac_(tn_view(on->target, TN_DIMS(-1, 2, 2)), 1))                                                         \
    CALL(tril_indices, tn_tril_indices(on->n / 100, 50, 3, TN_INT64))                                                          \
    CALL(triu_indices, tn_triu_indices(50, on->n / 100, 3, TN_INT64))                                                          \
    CALL(tril_, tn_tril_(tn_view(on->target, TN_DIMS(4, -1)), 3))                                                              \
    CALL(cartesian_prod, tn_cartesian_prod((const tn_tensor *const[]){on->x, tn_narrow(on->x, 0, 0, 2)}, 2))                   \
    CALL(combinations, tn_combinations(tn_narrow(on->x, 0, 0, 1000), 2, false))                                                \
    CALL(combinations_three, tn_combinations(tn_narrow(on->x, 0, 0, 150), 3, true))                                            \
    CALL(repeat_interleave, tn_repeat_interleave(on->x, 3, 0, TN_NONE))                                                        \
    CALL(repeat_interleave_each, tn_repeat_interleave_tensor(on->x, on->ones, 0, TN_NONE))                                     \
    CALL(repeat_interleave_counts, tn_repeat_interleave_counts(tn_narrow(on->few, 0, 0, on->n / 50), TN_NONE))                 \
    CALL(repeat_interleave_one, tn_repeat_interleave_counts(tn_full(TN_DIMS(1), on->n, TN_INT64), TN_NONE))                    \
    CALL(vander, tn_vander(on->x, 3, false))                                                                                   \
    CALL(kron, tn_kron(on->x, tn_narrow(on->x, 0, 0, 2)))                                                                      \
    CALL(cross, tn_cross(tn_view(tn_narrow(on->x, 0, 0, on->n / 3 * 3), TN_DIMS(-1, 3)),                                       \
                         tn_view(tn_narrow(on->x, 0, 0, on->n / 3 * 3), TN_DIMS(-1, 3)), 1))                                   \
    CALL(roll, tn_roll(on->x, TN_DIMS(7), TN_DIMS(0)))                                                                         \
    CALL(pad_reflect, tn_pad(tn_view(on->x, TN_DIMS(1, -1)), TN_DIMS(on->n / 2, 3), "reflect", TN_NO_SCALAR))                  \
    CALL(pad_constant, tn_pad(on->x, TN_DIMS(on->n, 3), "constant", 2))                                                        \
    CALL(diag, tn_diag(tn_narrow(on->x, 0, 0, 1000), 0))                                                                       \
    CALL(diag_embed, tn_diag_embed(tn_narrow(on->x, 0, 0, 1000), 0, -2, -1))                                                   \
    CALL(block_diag, tn_block_diag((const tn_tensor *const[]){on->tall, on->tall}, 2))                                         \
    CALL(flip, tn_flip(on->x, TN_DIMS(0)))                                                                                     \
    CALL(stack, tn_stack((const tn_tensor *const[]){on->x, on->apart}, 2, 1))                                                  \
    CALL(cat, tn_cat((const tn_tensor *const[]){on->x, on->half}, 2, 0))                                                       \
    CALL(fill_diagonal_, tn_fill_diagonal_(tn_view(on->target, TN_DIMS(-1, 4)), 2, true))                                      \
    CALL(floor_divide, tn_floor_divide(on->few, on->ones))                                                                     \
    CALL(arange, tn_arange(on->n, TN_FLOAT32))                                                                                 \
    CALL(logspace, tn_logspace(0, 1, on->n, 10, TN_FLOAT64))                                                                   \
    CALL(eye, tn_eye(on->n / 2, 2, TN_FLOAT32))                                                                                \
    CALL(clone, tn_clone(on->x, TN_PRESERVE))                                                                                  \
    CALL(clone_apart, tn_clone(on->apart, TN_CONTIGUOUS))                                                                      \
    CALL(convert, tn_to(on->apart, TN_INT16))                                                                                  \
    CALL(convert_complex, tn_to(on->complex, TN_COMPLEX128))                                                                   \
    CALL(copy_, tn_copy_(on->target, on->apart))                                                                               \
    CALL(fill_, tn_fill_(on->apart, 0.5))                                                                                      \
    CALL(zeros, tn_zeros(TN_DIMS(on->n), TN_FLOAT32))                                                                          \
    CALL(ones, tn_ones(TN_DIMS(on->n), TN_FLOAT32))

#define LONG_FUNCTION(name, expression)                                                                                        \
    static tn_tensor *long_##name(const long_operands *on) { return expression; }
LONG_CALLS(LONG_FUNCTION)
#undef LONG_FUNCTION

typedef struct long_row {
    const char *name;
    tn_tensor *(*call)(const long_operands *on);
} long_row;

#define LONG_ROW(name, expression) {#name, long_##name},
static const long_row long_rows[] = {LONG_CALLS(LONG_ROW)};
#undef LONG_ROW
enum { LONG_ROWS = sizeof long_rows / sizeof *long_rows };

#endif

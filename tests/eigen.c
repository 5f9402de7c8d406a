/* eigen.c - eigenvalues and singular values: residuals and orthogonality of random and of difficult matrices, of every dtype, size and
 * strides, batches, errors, and what is made of them.
 *
 * Tests: src/iterate/eigen.c, src/iterate/eigen_jacobi.c, src/iterate/eigen_general.c, src/iterate/reflect.c, src/cpu/matrix_kernels.c
 * Tests: src/ops/linalg/eigen.c, src/ops/linalg/spectral.c, src/autograd/gradients_eigen.c
 */
#include <math.h>
#include <string.h>

#include "autograd_helpers.h"
#include "linalg_helpers.h"

static tn_tensor *eigen_hermitian(tn_dims sizes, tn_dtype dtype, int seed) {
    tn_tensor *a = linalg_random(sizes, dtype, seed);
    return tn_add(a, tn_mH(a));
}

/* How far the columns are from orthonormal. */
static double eigen_crooked(const tn_tensor *v) {
    int64_t n = tn_size(v, -1);
    return linalg_error(tn_matmul(tn_mH(v), v), tn_eye(n, n, tn_dtype_of(v)), n);
}

static double eigen_eigh_error(const tn_tensor *a, const char *uplo) {
    tn_list *both = tn_linalg_eigh(a, uplo);
    if (!both)
        return NAN;
    tn_tensor *w = tn_list_at(both, 0), *v = tn_list_at(both, 1);
    int64_t n = tn_size(a, -1);
    double error = linalg_error(tn_matmul(tn_mul(v, tn_unsqueeze(w, -2)), tn_mH(v)), a, n);
    if (n > 1 && linalg_largest(tn_clamp_max(tn_diff(w, 1, -1, NULL, NULL), 0)) != 0)
        return NAN; /* ascending */
    double alone = linalg_error(tn_linalg_eigvalsh(a, uplo), w, n);
    return fmax(error, fmax(eigen_crooked(v), alone));
}

static double eigen_svd_error(const tn_tensor *a, bool full) {
    tn_list *parts = tn_linalg_svd(a, full, "none");
    if (!parts)
        return NAN;
    tn_tensor *u = tn_list_at(parts, 0), *s = tn_list_at(parts, 1), *vh = tn_list_at(parts, 2);
    int64_t m = tn_size(a, -2), n = tn_size(a, -1), k = tn_size(s, -1), most = m > n ? m : n;
    tn_tensor *left = tn_mul(tn_narrow(u, -1, 0, k), tn_unsqueeze(s, -2));
    double error = linalg_error(tn_matmul(left, tn_narrow(vh, -2, 0, k)), a, most);
    if (k > 0 && tn_item_double(tn_amin(s, TN_DIMS(), false)) < 0)
        return NAN;
    if (k > 1 && linalg_largest(tn_clamp_min(tn_diff(s, 1, -1, NULL, NULL), 0)) != 0)
        return NAN; /* descending */
    double alone = linalg_error(tn_linalg_svdvals(a, "none"), s, most);
    return fmax(fmax(error, alone), fmax(eigen_crooked(u), eigen_crooked(tn_mH(vh))));
}

/* A v - v w, the vectors having length 1; in units of epsilon times n times |A|. */
static double eigen_eig_error(const tn_tensor *a) {
    tn_list *both = tn_linalg_eig(a);
    if (!both)
        return NAN;
    tn_tensor *w = tn_list_at(both, 0), *v = tn_list_at(both, 1), *wide = tn_to(a, tn_dtype_of(v));
    int64_t n = tn_size(a, -1);
    double scale = linalg_largest(a), eps = linalg_epsilon(tn_dtype_of(a)) * (double)(n + 4);
    double error = linalg_largest(tn_sub(tn_matmul(wide, v), tn_mul(v, tn_unsqueeze(w, -2)))) / ((scale > 0 ? scale : 1) * eps);
    tn_tensor *lengths = tn_linalg_vector_norm(v, 2, TN_DIMS(-2), false, TN_DTYPE_DEFAULT);
    return fmax(error, linalg_largest(tn_sub_scalar(lengths, 1)) / eps);
}

TEST_SAMPLED(a_hermitian_matrix_is_its_vectors_times_its_values) {
    static const int64_t sizes[] = {0, 1, 2, 3, 4, 6, 7, 12, 16, 17, 33, 48, 49, 75};
    for (size_t d = 0; d < 4; d++)
        for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
            tn_scope scope = tn_scope_open();
            CHECK(eigen_eigh_error(eigen_hermitian(TN_DIMS(sizes[i], sizes[i]), linalg_dtypes[d], 3), "L") < 6);
            CHECK(eigen_eigh_error(eigen_hermitian(TN_DIMS(5, sizes[i], sizes[i]), linalg_dtypes[d], 5), "U") < 8);
            tn_scope_close(scope);
        }
}

TEST_SAMPLED(a_matrix_is_u_s_vh) {
    static const int64_t shapes[][2] = {{0, 0},   {0, 3},   {3, 0},   {1, 1},   {1, 4},   {4, 1},   {2, 2},
                                        {5, 3},   {3, 5},   {6, 6},   {16, 7},  {16, 16}, {17, 17}, {20, 30},
                                        {30, 20}, {48, 49}, {70, 50}, {50, 70}, {66, 5},  {5, 66}};
    for (size_t d = 0; d < 4; d++)
        for (size_t i = 0; i < sizeof shapes / sizeof *shapes; i++) {
            tn_scope scope = tn_scope_open();
            tn_tensor *a = linalg_random(TN_DIMS(shapes[i][0], shapes[i][1]), linalg_dtypes[d], 7);
            tn_tensor *many = linalg_random(TN_DIMS(2, 3, shapes[i][0], shapes[i][1]), linalg_dtypes[d], 8);
            CHECK(eigen_svd_error(a, true) < 6 && eigen_svd_error(a, false) < 6);
            CHECK(eigen_svd_error(many, i % 2) < 8);
            tn_scope_close(scope);
        }
}

TEST_SAMPLED(a_general_matrix_times_its_vectors_is_them_times_its_values) {
    static const int64_t sizes[] = {0, 1, 2, 3, 4, 5, 8, 13, 30, 48, 49, 60};
    for (size_t d = 0; d < 4; d++)
        for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
            tn_scope scope = tn_scope_open();
            tn_tensor *a = linalg_random(TN_DIMS(3, sizes[i], sizes[i]), linalg_dtypes[d], 9);
            CHECK(eigen_eig_error(a) < 8);
            /* Values alone come in the same order up to rounding: compare their sums with the trace. */
            tn_tensor *values = tn_linalg_eigvals(a),
                      *trace = tn_sum_dim(tn_diagonal(a, 0, -2, -1), TN_DIMS(-1), false, TN_DTYPE_DEFAULT);
            CHECK(linalg_error(tn_sum_dim(values, TN_DIMS(-1), false, TN_DTYPE_DEFAULT), tn_to(trace, tn_dtype_of(values)),
                               sizes[i]) < 40);
            tn_scope_close(scope);
        }
}

TEST_SAMPLED(values_of_a_real_matrix_come_in_conjugate_pairs) {
    tn_tensor *a = linalg_random(TN_DIMS(9, 9), TN_FLOAT64, 4);
    tn_list *both = tn_linalg_eig(a);
    CHECK(both);
    tn_tensor *w = tn_list_at(both, 0), *v = tn_list_at(both, 1);
    for (int64_t i = 0; i < 9; i++) {
        double im = tn_item_double(tn_select(tn_imag(w), 0, i));
        tn_tensor *vector = tn_select(v, 1, i);
        if (im == 0)
            CHECK(linalg_largest(tn_imag(vector)) == 0);
        else {
            CHECK(i + 1 < 9 && tn_item_double(tn_select(tn_imag(w), 0, i + 1)) == -im && im > 0);
            CHECK(tn_equal(tn_conj(vector), tn_select(v, 1, i + 1)));
            i++;
        }
    }
}

/* ---- difficult matrices, n by n in float64 */

typedef double (*eigen_entry)(int64_t i, int64_t j, int64_t n);
static double eigen_hilbert(int64_t i, int64_t j, int64_t n) { return n ? 1.0 / (double)(i + j + 1) : 0; }
static double eigen_wilkinson(int64_t i, int64_t j, int64_t n) {
    return i == j ? fabs((double)(2 * i - n + 1) / 2) : i - j == 1 || j - i == 1;
}
static double eigen_frank(int64_t i, int64_t j, int64_t n) { return i <= j + 1 ? (double)(n - (i > j ? i : j)) : 0; }
static double eigen_kahan(int64_t i, int64_t j, int64_t n) {
    return n && i > j ? 0 : pow(0.6, (double)i) * (i == j ? 1 : -0.8);
}
static double eigen_jordan(int64_t i, int64_t j, int64_t n) { return n && i == j ? 2 : j == i + 1; }
static double eigen_nilpotent(int64_t i, int64_t j, int64_t n) { return n && j == i + 1; }
static double eigen_cycle(int64_t i, int64_t j, int64_t n) { return i == (j + 1) % n; }
static double eigen_ones(int64_t i, int64_t j, int64_t n) { return (double)(n > 0) + 0 * (double)(i + j); }
static double eigen_zeros(int64_t i, int64_t j, int64_t n) { return 0 * (double)(i + j + n); }
static double eigen_identity(int64_t i, int64_t j, int64_t n) { return n && i == j; }
static double eigen_graded(int64_t i, int64_t j, int64_t n) {
    return pow(10, -(double)(i + j) * 24 / (double)n) * cos((double)(i * j + i + j));
}
static double eigen_scaled(int64_t i, int64_t j, int64_t n) {
    return pow(10, (double)(i - j) * 40 / (double)n) * cos((double)(3 * i + 5 * j * j));
}
static double eigen_huge(int64_t i, int64_t j, int64_t n) { return 1e305 / (double)n * cos((double)(i * j + i + j)); }
static double eigen_tiny(int64_t i, int64_t j, int64_t n) { return 1e-300 / (double)n * cos((double)(i * j + i + j)); }
static double eigen_clustered(int64_t i, int64_t j, int64_t n) { return n && i == j ? 1 : 1e-13 * cos((double)(i + j)); }

static const eigen_entry eigen_entries[] = {eigen_hilbert,   eigen_wilkinson, eigen_frank, eigen_kahan, eigen_jordan,
                                            eigen_nilpotent, eigen_cycle,     eigen_ones,  eigen_zeros, eigen_identity,
                                            eigen_graded,    eigen_scaled,    eigen_huge,  eigen_tiny,  eigen_clustered};

static tn_tensor *eigen_made(eigen_entry entry, int64_t n, bool symmetric) {
    tn_tensor *made = tn_empty(TN_DIMS(n, n), TN_FLOAT64);
    if (made)
        for (int64_t i = 0; i < n; i++)
            for (int64_t j = 0; j < n; j++)
                ((double *)tn_data(made))[i * n + j] = symmetric && i < j ? entry(j, i, n) : entry(i, j, n);
    return made;
}

TEST_SAMPLED(difficult_matrices_have_small_residuals) {
    static const int64_t sizes[] = {5, 14, 21, 52};
    for (size_t k = 0; k < sizeof eigen_entries / sizeof *eigen_entries; k++)
        for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
            tn_scope scope = tn_scope_open();
            tn_tensor *a = eigen_made(eigen_entries[k], sizes[i], false),
                      *symmetric = eigen_made(eigen_entries[k], sizes[i], true);
            CHECK(eigen_svd_error(a, false) < 8);
            CHECK(eigen_eigh_error(symmetric, "L") < 8);
            CHECK(eigen_eig_error(a) < 8);
            tn_scope_close(scope);
        }
}

TEST_SAMPLED(small_singular_values_are_accurate_where_columns_are_scaled) {
    /* The columns are orthogonal but for rounding, and of sizes down to 1e-60: one-sided Jacobi keeps all digits. It is used for
     * a matrix of 3 columns, and for four of 4 columns. */
    double scales[4] = {1, 1e-20, 1e-40, 1e-60};
    for (int n = 3; n <= 4; n++) {
        int64_t count = n == 3 ? 1 : 4;
        tn_tensor *q = tn_list_at(tn_linalg_svd(linalg_random(TN_DIMS(count, n, n), TN_FLOAT64, 2), true, "none"), 0);
        tn_tensor *a = tn_clone(q, TN_CONTIGUOUS);
        CHECK(a);
        for (int64_t i = 0; i < count * n * n; i++)
            ((double *)tn_data(a))[i] *= scales[i % n];
        tn_tensor *s = tn_linalg_svdvals(a, "none");
        CHECK(s && tn_numel(s) == count * n);
        for (int64_t i = 0; i < count * n; i++)
            CHECK(fabs(((const double *)tn_data(s))[i] / scales[i % n] - 1) < 1e-14);
    }
}

TEST_SAMPLED(a_result_does_not_depend_on_the_matrices_beside_it) {
    tn_tensor *a = linalg_random(TN_DIMS(20, 7, 7), TN_FLOAT32, 6);
    tn_tensor *all = tn_linalg_svdvals(a, "none"), *some = tn_linalg_svdvals(tn_narrow(a, 0, 3, 9), "none");
    CHECK(all && some && tn_equal(tn_narrow(all, 0, 3, 9), some));
    all = tn_linalg_eigvalsh(a, "U");
    some = tn_linalg_eigvalsh(tn_narrow(a, 0, 5, 8), "U");
    CHECK(all && some && tn_equal(tn_narrow(all, 0, 5, 8), some));
}

TEST_SAMPLED(bits_do_not_depend_on_threads) {
    tn_tensor *a = linalg_random(TN_DIMS(60, 60), TN_FLOAT64, 6), *many = linalg_random(TN_DIMS(300, 9, 9), TN_FLOAT64, 6);
    int64_t threads = tn_num_threads();
    tn_set_num_threads(1);
    tn_tensor *one = tn_linalg_eigvals(a), *batch = tn_list_at(tn_linalg_svd(many, true, "none"), 0);
    tn_set_num_threads(3);
    tn_tensor *three = tn_linalg_eigvals(a), *batch_three = tn_list_at(tn_linalg_svd(many, true, "none"), 0);
    tn_set_num_threads(threads);
    CHECK(one && three && tn_equal(one, three) && batch && batch_three && tn_equal(batch, batch_three));
}

TEST_SAMPLED(matrices_of_any_strides_are_read_and_written) {
    tn_tensor *a = linalg_random(TN_DIMS(4, 6, 3, 8), TN_COMPLEX128, 6);
    tn_tensor *seen = tn_permute(tn_flip(tn_slice(a, 3, 1, 8, 2), TN_DIMS(1)), TN_DIMS(0, 2, 3, 1)); /* (4, 3, 4, 6) */
    tn_tensor *plain = tn_clone(seen, TN_CONTIGUOUS);
    CHECK(seen && plain && !tn_is_contiguous(seen));
    CHECK(tn_equal(tn_linalg_svdvals(seen, "none"), tn_linalg_svdvals(plain, "none")));
    tn_tensor *square = tn_narrow(seen, 3, 1, 4), *same = tn_clone(square, TN_CONTIGUOUS);
    CHECK(tn_equal(tn_list_at(tn_linalg_eig(square), 1), tn_list_at(tn_linalg_eig(same), 1)));
    /* results that are given: by rows, and every other element of another tensor */
    tn_tensor *w = tn_empty(TN_DIMS(4, 3, 4), TN_FLOAT64), *v = tn_empty(TN_DIMS(4, 3, 4, 4), TN_COMPLEX128);
    tn_list *new = tn_linalg_eigh(square, "L");
    CHECK(new &&tn_linalg_eigh_out(w, v, square, "L") && tn_equal(v, tn_list_at(new, 1)) && tn_equal(w, tn_list_at(new, 0)));
    tn_tensor *apart = tn_slice(tn_zeros(TN_DIMS(4, 3, 4, 8), TN_COMPLEX128), 3, 0, 8, 2);
    CHECK(tn_linalg_eigh_out(w, apart, square, "L") && tn_equal(apart, v));
    /* a result that is what is read */
    CHECK(tn_linalg_eigh_out(w, same, same, "L") && tn_equal(same, v));
}

TEST_SAMPLED(what_is_not_finite_is_an_error_that_names_the_matrix) {
    static const int64_t sizes[] = {3, 20, 60};
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++)
        for (int bad = 0; bad < 2; bad++) {
            tn_scope scope = tn_scope_open();
            int64_t n = sizes[i];
            tn_tensor *a = eigen_hermitian(TN_DIMS(2, 3, n, n), TN_FLOAT64, 3);
            CHECK(a);
            ((double *)tn_data(a))[(1 * 3 + 2) * n * n + n] = bad ? NAN : INFINITY; /* (1, 2), row 1, column 0 */
            CHECK(!tn_linalg_eigh(a, "L") && tn_error_code() == TN_ERROR_LINALG && strstr(tn_error_message(), "1, 2"));
            tn_error_clear();
            CHECK(!tn_linalg_svd(a, true, "none") && tn_error_code() == TN_ERROR_LINALG && strstr(tn_error_message(), "1, 2"));
            tn_error_clear();
            CHECK(!tn_linalg_eigvals(a) && tn_error_code() == TN_ERROR_LINALG && strstr(tn_error_message(), "1, 2"));
            tn_error_clear();
            CHECK(tn_linalg_eigvalsh(a, "U")); /* which does not read it */
            tn_scope_close(scope);
        }
}

TEST(wrong_arguments_of_eigenvalues_are_refused) {
    tn_scope scope = tn_scope_open();
    CHECK(!tn_linalg_eigh(tn_zeros(TN_DIMS(2, 3), TN_FLOAT32), "L") && tn_error_code() == TN_ERROR_SHAPE);
    tn_error_clear();
    CHECK(!tn_linalg_eigh(tn_zeros(TN_DIMS(3), TN_FLOAT32), "L") && tn_error_code() == TN_ERROR_SHAPE);
    tn_error_clear();
    CHECK(!tn_linalg_eigh(tn_zeros(TN_DIMS(3, 3), TN_FLOAT32), "X") && tn_error_code() == TN_ERROR_ARGUMENT);
    tn_error_clear();
    CHECK(!tn_linalg_svd(tn_zeros(TN_DIMS(3, 3), TN_INT32), true, "none") && tn_error_code() == TN_ERROR_DTYPE);
    tn_error_clear();
    CHECK(!tn_linalg_svdvals(tn_zeros(TN_DIMS(3, 3), TN_FLOAT32), "gesvd") && tn_error_code() == TN_ERROR_ARGUMENT);
    tn_error_clear();
    CHECK(!tn_linalg_matrix_norm(tn_zeros(TN_DIMS(3, 3), TN_FLOAT32), 3, TN_DIMS(-2, -1), false, TN_DTYPE_DEFAULT) &&
          tn_error_code() == TN_ERROR_ARGUMENT);
    tn_error_clear();
    tn_tensor *solid = tn_zeros(TN_DIMS(3, 2, 2), TN_FLOAT32);
    CHECK(solid);
    CHECK_ERROR(TN_ERROR_ARGUMENT, "is not a matrix and dim is not given",
                tn_norm_text(solid, "nuc", (tn_dims){NULL, 0}, false, TN_DTYPE_DEFAULT));
    CHECK(!tn_linalg_matrix_norm_str_ord(tn_zeros(TN_DIMS(3), TN_FLOAT32), "nuc", TN_DIMS(-2, -1), false, TN_DTYPE_DEFAULT) &&
          tn_error_code() == TN_ERROR_SHAPE);
    tn_error_clear();
    tn_scope_close(scope);
}

TEST_SAMPLED(pseudo_inverses_ranks_and_norms_follow_from_singular_values) {
    tn_tensor *a = linalg_random(TN_DIMS(3, 5, 4), TN_COMPLEX128, 2), *b = linalg_random(TN_DIMS(3, 4, 6), TN_COMPLEX128, 3);
    tn_tensor *low = tn_matmul(tn_narrow(a, -1, 0, 2), tn_narrow(b, -2, 0, 2)); /* (3, 5, 6), of rank 2 */
    tn_tensor *p = tn_linalg_pinv(low, tn_scalar_none(), tn_scalar_none(), false);
    CHECK(p && linalg_error(tn_matmul(low, tn_matmul(p, low)), low, 6) < 20 &&
          linalg_error(tn_matmul(p, tn_matmul(low, p)), p, 6) < 100);
    tn_tensor *rank = tn_linalg_matrix_rank(low, tn_scalar_none(), tn_scalar_none(), false);
    CHECK(rank && tn_dtype_of(rank) == TN_INT64 && tn_equal(rank, tn_full(TN_DIMS(3), 2, TN_INT64)));
    CHECK(tn_equal(tn_linalg_matrix_rank_tol(low, 1e9, false), tn_zeros(TN_DIMS(3), TN_INT64)));
    tn_tensor *s = tn_linalg_svdvals(a, "none");
    tn_tensor *nuclear = tn_linalg_matrix_norm_str_ord(a, "nuc", TN_DIMS(-2, -1), true, TN_DTYPE_DEFAULT);
    CHECK(nuclear && tn_ndim(nuclear) == 3 &&
          linalg_error(tn_flatten(nuclear, 0, -1), tn_sum_dim(s, TN_DIMS(-1), false, TN_DTYPE_DEFAULT), 4) < 4);
    CHECK(linalg_error(tn_linalg_norm(a, 2, TN_DIMS(1, 2), false, TN_DTYPE_DEFAULT), tn_select(s, -1, 0), 4) < 4);
    CHECK(linalg_error(tn_linalg_cond(a, tn_scalar_none()), tn_div(tn_select(s, -1, 0), tn_select(s, -1, 3)), 4) < 4);
    tn_tensor *singular = tn_ones(TN_DIMS(2, 2), TN_FLOAT64);
    CHECK(isinf(tn_item_double(tn_linalg_cond(singular, 1))) && isinf(tn_item_double(tn_linalg_cond_text(singular, "nuc"))));
}

TEST_SAMPLED(eigenvalues_have_their_derivatives) {
    tn_tensor *a = grad_input(4, 4), *tall = grad_input(5, 3), *wide = grad_input(2, 4);
    CHECK(a && tall && wide);
    CHECK_GRADIENTS("linalg_svdvals", TN_VALUES(tall, "none"));
    CHECK_GRADIENTS("linalg_svdvals", TN_VALUES(wide, "none"));
    CHECK_GRADIENTS("linalg_pinv.rcond", TN_VALUES(tall, 1e-15));
    CHECK_GRADIENTS("linalg_pinv.rcond", TN_VALUES(wide, 1e-15));
    CHECK_GRADIENTS("linalg_matrix_norm.str_ord", TN_VALUES(tall, "nuc"));
    CHECK_GRADIENTS("linalg_cond.text", TN_VALUES(a, "fro"));
}

/* ---- differences of what is symmetric, or has a factor of size 1 left open: functions of any matrix that do not depend on those */

enum { OF_CHOLESKY, OF_CHOLESKY_INVERSE, OF_CHOLESKY_SOLVE, OF_EIGH, OF_EIG, OF_SVD, OF_SVD_WIDE, OF_END };

static tn_tensor *share(const tn_tensor *vectors) { return tn_square(tn_abs(vectors)); }

static tn_list *settled(void *ctx, const tn_tensor *const *inputs, int64_t count) {
    int which = *(const int *)ctx;
    tn_tensor *steps = tn_diag(tn_arange_start(3, 6, 1, TN_FLOAT64), 0), *x = tn_add(inputs[0], steps);
    tn_tensor *symmetric = tn_add(x, tn_mH(x));
    const tn_tensor *made[3] = {NULL};
    int64_t results = 1;
    (void)count;
    if (which <= OF_CHOLESKY_SOLVE) {
        tn_tensor *factor = tn_linalg_cholesky(symmetric, which == OF_CHOLESKY_INVERSE);
        made[0] = which == OF_CHOLESKY           ? factor
                  : which == OF_CHOLESKY_INVERSE ? tn_cholesky_inverse(factor, true)
                                                 : tn_cholesky_solve(inputs[0], factor, false);
    } else if (which == OF_EIGH) {
        const tn_list *both = tn_linalg_eigh(symmetric, "L");
        made[0] = both ? tn_list_at(both, 0) : NULL;
        made[1] = both ? share(tn_list_at(both, 1)) : NULL;
        results = 2;
    } else if (which == OF_EIG) {
        const tn_list *both = tn_linalg_eig(x);
        made[0] = both ? tn_view_as_real(tn_list_at(both, 0)) : NULL;
        made[1] = both ? share(tn_list_at(both, 1)) : NULL;
        results = 2;
    } else {
        const tn_list *all = tn_linalg_svd(which == OF_SVD ? x : tn_narrow(x, 0, 0, 2), false, "none");
        for (int64_t i = 0; i < 3; i++)
            made[i] = all ? share(tn_list_at(all, i)) : NULL;
        results = 3;
    }
    for (int64_t i = 0; i < results; i++)
        if (!made[i])
            return NULL;
    return tn_list_new(made, results);
}

TEST_ONCE(factors_of_symmetric_matrices_and_vectors_of_others_have_the_derivatives_of_their_differences) {
    for (int complex = 0; complex < 2; complex++) {
        const tn_tensor *x = complex ? grad_complex(3, 3) : grad_input(3, 3);
        CHECK(x);
        for (int which = 0; which < OF_END; which++)
            if (tn_gradcheck(settled, &which, &x, 1, NULL) != TN_OK || tn_gradgradcheck(settled, &which, &x, 1, NULL) != TN_OK)
                test_fail(__FILE__, __LINE__, "function %d of %s numbers: %s", which, complex ? "complex" : "real",
                          tn_error_message());
    }
}

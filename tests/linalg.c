/* linalg.c - factorisations and what is solved with them: residuals of random and of difficult matrices, batches, strides, sizes of 0, errors.
 *
 * Tests: src/ops/linalg/linalg.c, src/ops/linalg/cholesky.c, src/ops/linalg/lu.c, src/ops/linalg/triangular.c, src/iterate/factor.c
 * Tests: src/ops/linalg/solve.c, src/ops/linalg/reflect.c, src/ops/linalg/ldl.c, src/ops/linalg/exponential.c
 * Tests: src/ops/linalg/matrix_norm.c, src/iterate/factor_reflect.c, src/iterate/factor_lanes.c, src/cpu/factor_kernels.c, src/autograd/gradients_linalg.c
 */
#include <math.h>

#include "autograd_helpers.h"
#include "linalg_helpers.h"

static tn_tensor *linalg_positive(int64_t n, tn_dtype dtype) {
    tn_tensor *a = linalg_random(TN_DIMS(n, n), dtype, 3);
    return tn_add(tn_matmul(a, tn_mH(a)), tn_eye(n, n, dtype));
}

TEST_SAMPLED(a_cholesky_factor_times_its_adjoint_is_the_matrix) {
    static const int64_t sizes[] = {0, 1, 2, 4, 5, 15, 16, 17, 31, 33, 64, 130};
    for (size_t d = 0; d < 4; d++)
        for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
            tn_scope scope = tn_scope_open();
            tn_tensor *a = linalg_positive(sizes[i], linalg_dtypes[d]);
            tn_tensor *l = tn_linalg_cholesky(a, false),
                      *u = tn_linalg_cholesky(tn_mT(tn_clone(tn_mT(a), TN_CONTIGUOUS)), true);
            CHECK(a && l && u);
            CHECK(linalg_error(tn_matmul(l, tn_mH(l)), a, sizes[i]) < 4);
            CHECK(linalg_error(tn_matmul(tn_mH(u), u), a, sizes[i]) < 4);
            CHECK(linalg_largest(tn_triu(l, 1)) == 0 && linalg_largest(tn_tril(u, -1)) == 0);
            tn_scope_close(scope);
        }
}

TEST_SAMPLED(the_product_of_p_l_and_u_is_the_matrix) {
    static const int64_t shapes[][2] = {{0, 0},     {0, 3}, {3, 0}, {1, 1},   {2, 2},   {16, 16}, {17, 17}, {40, 40},
                                        {100, 100}, {5, 9}, {9, 5}, {16, 40}, {40, 16}, {33, 70}, {70, 33}};
    for (size_t d = 0; d < 4; d++)
        for (size_t i = 0; i < sizeof shapes / sizeof *shapes; i++) {
            tn_scope scope = tn_scope_open();
            tn_tensor *a = linalg_random(TN_DIMS(2, shapes[i][0], shapes[i][1]), linalg_dtypes[d], 5);
            tn_list *plu = tn_linalg_lu(a, true);
            CHECK(plu);
            tn_tensor *l = tn_list_at(plu, 1), *u = tn_list_at(plu, 2);
            CHECK(linalg_error(tn_matmul(tn_list_at(plu, 0), tn_matmul(l, u)), a, shapes[i][1]) < 8);
            CHECK(linalg_largest(l) <= 1.5 && linalg_largest(tn_tril(u, -1)) == 0);
            tn_scope_close(scope);
        }
}

/* Matrices that are nearly singular, badly scaled, or make elimination grow: residuals stay small. */
static tn_tensor *linalg_difficult(const char *name, int64_t n) {
    tn_tensor *i = tn_unsqueeze(tn_arange_start(0, (double)n, 1, TN_FLOAT64), 1), *j = tn_mT(i);
    if (strcmp(name, "hilbert") == 0)
        return tn_reciprocal(tn_add_scalar(tn_add(i, j), 1));
    if (strcmp(name, "graded") == 0)
        return tn_mul(linalg_random(TN_DIMS(n, n), TN_FLOAT64, 1), tn_exp(tn_mul_scalar(i, -2)));
    if (strcmp(name, "frank") == 0)
        return tn_triu(tn_sub(tn_full(TN_DIMS(1), (double)n, TN_FLOAT64), tn_maximum(i, j)), -1);
    if (strcmp(name, "kahan") == 0)
        return tn_mul(
            tn_exp(tn_mul_scalar(i, log(sin(1.2)))),
            tn_add(tn_mul_scalar(tn_triu(tn_ones(TN_DIMS(n, n), TN_FLOAT64), 1), -cos(1.2)), tn_eye(n, n, TN_FLOAT64)));
    /* Wilkinson's: every step doubles the last column */
    tn_tensor *w = tn_sub(tn_eye(n, n, TN_FLOAT64), tn_tril(tn_ones(TN_DIMS(n, n), TN_FLOAT64), -1));
    tn_fill_(tn_select(w, 1, n - 1), 1);
    return w;
}

TEST_SAMPLED(factors_of_difficult_matrices_have_small_residuals) {
    static const char *const names[] = {"hilbert", "graded", "frank", "kahan", "wilkinson"};
    for (size_t i = 0; i < 5; i++) {
        tn_tensor *a = linalg_difficult(names[i], 30);
        tn_list *plu = tn_linalg_lu(a, true);
        CHECK(a && plu);
        double growth = strcmp(names[i], "wilkinson") == 0 ? 0x1p29 : 1;
        CHECK(linalg_error(tn_matmul(tn_list_at(plu, 0), tn_matmul(tn_list_at(plu, 1), tn_list_at(plu, 2))), a, 30) <
              8 * growth);
    }
}

TEST_SAMPLED(triangles_are_solved_from_both_sides_whatever_is_in_the_other_triangle) {
    static const int64_t sizes[] = {0, 1, 3, 16, 20, 45};
    for (size_t d = 0; d < 4; d++)
        for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++)
            for (int form = 0; form < 8; form++) {
                bool upper = form & 1, left = form & 2, unit = form & 4;
                int64_t n = sizes[i], m = form % 3 ? 37 : 2;
                tn_scope scope = tn_scope_open();
                tn_tensor *t = tn_div_scalar(linalg_random(TN_DIMS(n, n), linalg_dtypes[d], 2), (double)n + 1);
                t = tn_add(t, tn_eye(n, n, linalg_dtypes[d]));
                tn_tensor *b = linalg_random(left ? TN_DIMS(n, m) : TN_DIMS(m, n), linalg_dtypes[d], 9);
                tn_tensor *x = tn_linalg_solve_triangular(t, b, upper, left, unit);
                tn_tensor *whole = upper ? tn_triu(t, unit) : tn_tril(t, unit ? -1 : 0);
                if (unit)
                    whole = tn_add(whole, tn_eye(n, n, linalg_dtypes[d]));
                CHECK(x && whole);
                CHECK(linalg_error(left ? tn_matmul(whole, x) : tn_matmul(x, whole), b, n) < 16);
                tn_scope_close(scope);
            }
}

TEST(strides_and_broadcast_batches_give_the_same_as_copies) {
    tn_tensor *wide = linalg_random(TN_DIMS(3, 12, 12), TN_FLOAT64, 7);
    tn_tensor *a = tn_flip(tn_slice(tn_slice(wide, 1, 0, 12, 2), 2, 0, 12, 2), TN_DIMS(1));
    tn_tensor *b = tn_transpose(linalg_random(TN_DIMS(4, 1, 2, 6), TN_FLOAT64, 8), -1, -2);
    CHECK(a && b);
    tn_list *lu = tn_linalg_lu_factor(a, true), *same = tn_linalg_lu_factor(tn_clone(a, TN_CONTIGUOUS), true);
    CHECK(lu && same);
    CHECK(tn_equal(tn_list_at(lu, 0), tn_list_at(same, 0)));
    tn_tensor *x = tn_linalg_lu_solve(tn_list_at(lu, 0), tn_list_at(lu, 1), b, true, false);
    CHECK(x);
    CHECK(tn_ndim(x) == 4 && tn_size(x, 0) == 4 && tn_size(x, 1) == 3);
    CHECK(linalg_error(tn_matmul(a, x), tn_expand(b, TN_DIMS(4, 3, 6, 2)), 600) < 1);
    tn_tensor *whole = tn_linalg_lu_solve(tn_mT(tn_clone(tn_mT(tn_list_at(lu, 0)), TN_CONTIGUOUS)), tn_list_at(lu, 1),
                                          tn_clone(b, TN_CONTIGUOUS), true, false);
    CHECK(tn_equal(x, whole));
}

TEST(a_matrix_without_an_answer_is_named_with_its_place_and_pivot) {
    tn_tensor *a = tn_clone(tn_expand(tn_eye(4, 4, TN_FLOAT32), TN_DIMS(2, 3, 4, 4)), TN_CONTIGUOUS);
    CHECK(a && tn_set_element(a, TN_DIMS(1, 2, 2, 2), TN_SCALAR(-1)) == TN_OK);
    CHECK_ERROR(TN_ERROR_LINALG, "matrix [1, 2] of the batch", tn_linalg_cholesky(a, false));
    CHECK_ERROR(TN_ERROR_LINALG, "minor of order 3", tn_linalg_cholesky(a, false));
    tn_list *ex = tn_linalg_cholesky_ex(a, false, false);
    CHECK(ex);
    CHECK_INT(tn_item_int64(tn_select(tn_select(tn_list_at(ex, 1), 0, 1), 0, 2)), 3);
    CHECK_INT(tn_item_int64(tn_select(tn_select(tn_list_at(ex, 1), 0, 1), 0, 1)), 0);
    CHECK(tn_set_element(a, TN_DIMS(0, 1, 1, 1), TN_SCALAR(0)) == TN_OK);
    CHECK_ERROR(TN_ERROR_LINALG, "matrix [0, 1] of the batch is singular: its pivot 2 is 0", tn_linalg_lu_factor(a, true));
    tn_tensor *zeros = tn_zeros(TN_DIMS(2, 2), TN_FLOAT64);
    CHECK(zeros);
    CHECK_ERROR(TN_ERROR_LINALG, "the matrix is singular", tn_linalg_lu_factor(zeros, true));
}

TEST(what_is_no_matrix_of_floats_is_refused) {
    tn_tensor *half = tn_ones(TN_DIMS(2, 2), TN_FLOAT16), *line = tn_ones(TN_DIMS(2), TN_FLOAT32);
    tn_tensor *wide = tn_ones(TN_DIMS(2, 3), TN_FLOAT32), *one = tn_eye(2, 2, TN_FLOAT32);
    tn_tensor *double_ones = tn_ones(TN_DIMS(2, 2), TN_FLOAT64), *threes = tn_full(TN_DIMS(2), 3, TN_INT32);
    CHECK(half && line && wide && one && double_ones && threes);
    CHECK_ERROR(TN_ERROR_DTYPE, "float16", tn_linalg_cholesky(half, false));
    CHECK_ERROR(TN_ERROR_SHAPE, "1 dimension", tn_linalg_lu_factor(line, true));
    CHECK_ERROR(TN_ERROR_SHAPE, "2 rows and 3 columns", tn_linalg_cholesky(wide, false));
    CHECK_ERROR(TN_ERROR_DTYPE, "same dtype", tn_linalg_solve_triangular(one, double_ones, true, true, false));
    CHECK_ERROR(TN_ERROR_SHAPE, "2 columns", tn_linalg_solve_triangular(one, wide, true, false, false));
    CHECK_ERROR(TN_ERROR_INDEX, "rows 1 to 2", tn_linalg_lu_solve(one, threes, wide, true, false));
}

static void linalg_threads_again(void *nothing) {
    (void)nothing;
    (void)tn_set_num_threads(0);
}

TEST_ONCE(bits_do_not_depend_on_the_number_of_threads) { /* threads */
    TEST_DEFER(linalg_threads_again, NULL);
    tn_tensor *a = linalg_random(TN_DIMS(5, 70, 70), TN_FLOAT64, 4), *kept[2];
    for (int i = 0; i < 2; i++) {
        CHECK_INT(tn_set_num_threads(i ? 4 : 1), TN_OK);
        tn_list *lu = tn_linalg_lu_factor(a, true);
        kept[i] = lu ? tn_list_at(lu, 0) : NULL;
    }
    CHECK(kept[0] && kept[1]);
    CHECK(tn_equal(kept[0], kept[1]));
}

TEST_SAMPLED(solutions_and_inverses_have_small_residuals) {
    static const int64_t sizes[] = {0, 1, 3, 16, 19, 50};
    for (size_t d = 0; d < 4; d++)
        for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
            int64_t n = sizes[i];
            tn_scope scope = tn_scope_open();
            tn_tensor *a = tn_add(linalg_random(TN_DIMS(2, n, n), linalg_dtypes[d], 6),
                                  tn_mul_scalar(tn_eye(n, n, linalg_dtypes[d]), (double)n + 2));
            tn_tensor *b = linalg_random(TN_DIMS(3, 1, n, 4), linalg_dtypes[d], 7);
            tn_tensor *x = tn_linalg_solve(a, b, true), *inverse = tn_linalg_inv(a);
            tn_tensor *y = tn_linalg_solve(a, tn_mT(b), false),
                      *v = tn_linalg_solve(a, tn_select(tn_select(tn_select(b, 0, 1), 0, 0), -1, 0), true);
            CHECK(x && inverse && y && v);
            CHECK(linalg_error(tn_matmul(a, x), tn_expand(b, TN_DIMS(3, 2, n, 4)), n) < 8);
            CHECK(linalg_error(tn_matmul(y, a), tn_expand(tn_mT(b), TN_DIMS(3, 2, 4, n)), n) < 8);
            CHECK(linalg_error(tn_matmul(a, inverse), tn_expand(tn_eye(n, n, linalg_dtypes[d]), TN_DIMS(2, n, n)), n) < 8);
            tn_scope_close(scope);
        }
}

TEST_SAMPLED(q_is_orthonormal_and_q_r_is_the_matrix) {
    static const int64_t shapes[][2] = {{0, 0}, {0, 3}, {3, 0}, {1, 1}, {5, 5}, {17, 17}, {40, 40}, {70, 33}, {33, 70}, {9, 2}};
    for (size_t d = 0; d < 4; d++)
        for (size_t i = 0; i < sizeof shapes / sizeof *shapes; i++)
            for (int complete = 0; complete < 2; complete++) {
                tn_scope scope = tn_scope_open();
                tn_tensor *a = linalg_random(TN_DIMS(2, shapes[i][0], shapes[i][1]), linalg_dtypes[d], 2);
                tn_list *qr = tn_linalg_qr(a, complete ? "complete" : "reduced");
                CHECK(qr);
                tn_tensor *q = tn_list_at(qr, 0), *r = tn_list_at(qr, 1);
                int64_t k = tn_size(q, -1);
                CHECK(linalg_error(tn_matmul(q, r), a, shapes[i][0]) < 8);
                CHECK(linalg_error(tn_matmul(tn_mH(q), q), tn_expand(tn_eye(k, k, linalg_dtypes[d]), TN_DIMS(2, k, k)),
                                   shapes[i][0]) < 4);
                CHECK(linalg_largest(tn_tril(r, -1)) == 0);
                tn_list *parts = tn_geqrf(a);
                CHECK(parts);
                if (!complete && shapes[i][0] >= shapes[i][1]) {
                    tn_tensor *one = tn_linalg_householder_product(tn_list_at(parts, 0), tn_list_at(parts, 1));
                    CHECK(one && tn_equal(one, q));
                }
                if (complete) { /* Q^H A and A^H Q are R and its adjoint */
                    tn_tensor *v = tn_narrow(tn_list_at(parts, 0), -1, 0, tn_size(tn_list_at(parts, 1), -1));
                    tn_tensor *left = tn_ormqr(v, tn_list_at(parts, 1), a, true, true);
                    tn_tensor *right = tn_ormqr(v, tn_list_at(parts, 1), tn_mH(a), false, false);
                    CHECK(linalg_error(left, r, shapes[i][0]) < 8 && linalg_error(right, tn_mH(r), shapes[i][0]) < 8);
                }
                tn_scope_close(scope);
            }
}

TEST_SAMPLED(l_d_l_solves_what_is_not_definite) {
    for (size_t d = 0; d < 4; d++)
        for (int hermitian = 0; hermitian < 2; hermitian++)
            for (int64_t n = 0; n < 24; n += n < 4 ? 1 : 7) {
                tn_scope scope = tn_scope_open();
                tn_tensor *half = linalg_random(TN_DIMS(2, n, n), linalg_dtypes[d], 12);
                tn_tensor *a = tn_add(half, hermitian ? tn_mH(half) : tn_mT(half)),
                          *b = linalg_random(TN_DIMS(2, n, 3), linalg_dtypes[d], 1);
                tn_list *ld = tn_linalg_ldl_factor(a, hermitian);
                CHECK(ld);
                tn_tensor *above = tn_triu(tn_list_at(ld, 0), 1);
                CHECK(above && (n == 0 || linalg_largest(above) == 0));
                tn_tensor *x = tn_linalg_ldl_solve(tn_list_at(ld, 0), tn_list_at(ld, 1), b, hermitian);
                CHECK(x);
                double grown = linalg_largest(x) + 1;
                CHECK(linalg_error(tn_matmul(a, x), b, n) < 32 * grown);
                tn_scope_close(scope);
            }
}

TEST(a_reflection_of_a_column_that_begins_with_0_is_negative) {
    for (size_t d = 0; d < 4; d++) {
        tn_tensor *a =
            tn_to(tn_reshape(tn_from_memory((double[]){0, 2, 3, 4, 4, 5}, TN_DIMS(6), TN_FLOAT64, TN_BORROW), TN_DIMS(3, 2)),
                  linalg_dtypes[d]);
        tn_list *parts = tn_linalg_qr(a, "reduced");
        CHECK(parts);
        tn_tensor *corner = tn_to(tn_real(tn_select(tn_select(tn_list_at(parts, 1), 0, 0), 0, 0)), TN_FLOAT64);
        CHECK(corner);
        CHECK(fabs(tn_item_double(corner) + 5) < 1e-5);
    }
}

/* The length of a column with a NaN once came out as 0, and what is made of small numbers called itself without an end. */
TEST_SAMPLED(what_is_not_a_number_comes_through_a_factorisation_of_reflections) {
    static const int64_t sizes[] = {1, 2, 3, 5, 17, 40};
    for (size_t d = 0; d < 4; d++)
        for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++)
            for (int kind = 0; kind < 3; kind++) {
                tn_scope scope = tn_scope_open();
                int64_t n = sizes[i];
                tn_tensor *a = linalg_random(TN_DIMS(n, n), linalg_dtypes[d], 5);
                tn_tensor *one = tn_select(tn_select(a, 0, n / 2), 0, n / 3);
                CHECK(tn_fill_(one, tn_scalar_float(kind == 0 ? NAN : kind == 1 ? INFINITY : -INFINITY)));
                tn_list *qr = tn_linalg_qr(a, "reduced");
                CHECK(qr && tn_size(tn_list_at(qr, 0), 0) == n);
                CHECK(!isfinite(tn_item_double(tn_sum(tn_abs(tn_list_at(qr, 1)), TN_DTYPE_DEFAULT))));
                tn_scope_close(scope);
            }
}

TEST(determinants_exponentials_and_norms_of_matrices_that_are_known) {
    tn_tensor *a =
        tn_reshape(tn_to(tn_from_memory((double[]){4, 1, 2, 3}, TN_DIMS(4), TN_FLOAT64, TN_BORROW), TN_FLOAT64), TN_DIMS(2, 2));
    CHECK(a);
    CHECK(fabs(tn_item_double(tn_linalg_det(a)) - 10) < 1e-14 && fabs(tn_item_double(tn_logdet(a)) - log(10)) < 1e-14);
    tn_list *sign = tn_linalg_slogdet(tn_neg(tn_eye(3, 3, TN_FLOAT32)));
    CHECK(sign && tn_item_double(tn_list_at(sign, 0)) == -1 && tn_item_double(tn_list_at(sign, 1)) == 0);
    /* eigenvalues 5 and 2 */
    tn_tensor *e = tn_linalg_matrix_exp(a);
    CHECK(e);
    CHECK(fabs(tn_item_double(tn_sum(tn_diagonal(e, 0, 0, 1), TN_DTYPE_DEFAULT)) / (exp(5) + exp(2)) - 1) < 1e-14);
    CHECK(tn_item_double(tn_linalg_matrix_norm(a, 1, TN_DIMS(), false, TN_DTYPE_DEFAULT)) == 6);
    CHECK(tn_item_double(tn_linalg_matrix_norm(a, INFINITY, TN_DIMS(), false, TN_DTYPE_DEFAULT)) == 5);
    CHECK(tn_item_double(tn_linalg_matrix_norm(a, -INFINITY, TN_DIMS(), false, TN_DTYPE_DEFAULT)) == 5);
    CHECK(fabs(tn_item_double(tn_linalg_norm_ord_str(a, "fro", TN_DIMS(), false, TN_DTYPE_DEFAULT)) - sqrt(30)) < 1e-14);
    CHECK_ERROR(TN_ERROR_ARGUMENT, "ord is 3", tn_linalg_matrix_norm(a, 3, TN_DIMS(), false, TN_DTYPE_DEFAULT));
    CHECK_ERROR(TN_ERROR_LINALG, "the matrix is singular: its pivot 2 is 0", tn_linalg_inv(tn_ones(TN_DIMS(2, 2), TN_FLOAT32)));
}

static tn_tensor *linalg_leaf(tn_dtype dtype, int64_t rows, int64_t columns) {
    return tn_requires_grad_(tn_add(tn_mul_scalar(linalg_random(TN_DIMS(rows, columns), dtype, 1), 0.3),
                                    tn_mul_scalar(tn_eye(rows, columns, dtype), 2)),
                             true);
}

TEST_SAMPLED(factors_and_solutions_have_their_derivatives) {
    static const tn_dtype dtypes[] = {TN_FLOAT64, TN_COMPLEX128};
    for (int d = 0; d < 2; d++) {
        tn_tensor *a = linalg_leaf(dtypes[d], 3, 3), *b = linalg_leaf(dtypes[d], 3, 2), *wide = linalg_leaf(dtypes[d], 2, 3);
        CHECK(a && b && wide);
        CHECK_GRADIENTS("linalg_solve", TN_VALUES(a, b));
        CHECK_GRADIENTS("linalg_inv", TN_VALUES(a));
        CHECK_GRADIENTS("linalg_det", TN_VALUES(a));
        CHECK_GRADIENTS("linalg_lu_factor", TN_VALUES(a));
        CHECK_GRADIENTS("linalg_lu_factor", TN_VALUES(b));
        CHECK_GRADIENTS("linalg_lu_factor", TN_VALUES(wide));
        CHECK_GRADIENTS("linalg_solve_triangular", TN_VALUES(a, b, true));
        CHECK_GRADIENTS("linalg_solve_triangular", TN_VALUES(a, wide, false, false, true));
        CHECK_GRADIENTS("linalg_matrix_exp", TN_VALUES(a));
    }
}

/* Everything that is done side by side, of matrices (..., n, n): factors, solutions, determinants, reflections. */
static int64_t linalg_small(const tn_tensor *a, const tn_tensor *s, const tn_tensor *b, tn_tensor **made) {
    int64_t count = 0;
    tn_list *lu = tn_linalg_lu_factor(a, true), *qr = tn_linalg_qr(a, "complete"), *raw = tn_geqrf(a),
            *logs = tn_linalg_slogdet(a);
    CHECK(lu && qr && raw && logs);
    for (int64_t i = 0; i < 2; i++) {
        made[count++] = tn_list_at(lu, i);
        made[count++] = tn_list_at(qr, i);
        made[count++] = tn_list_at(raw, i);
        made[count++] = tn_list_at(logs, i);
    }
    made[count++] = tn_linalg_cholesky(s, false);
    made[count++] = tn_linalg_cholesky(s, true);
    made[count++] = tn_linalg_solve(a, b, true);
    made[count++] = tn_linalg_inv(a);
    made[count++] = tn_linalg_det(a);
    made[count++] = tn_linalg_solve_triangular(s, b, false, true, false);
    made[count++] = tn_linalg_solve_triangular(s, tn_mT(b), true, false, true);
    made[count++] = tn_linalg_householder_product(tn_list_at(raw, 0), tn_list_at(raw, 1));
    made[count++] = tn_ormqr(tn_list_at(raw, 0), tn_list_at(raw, 1), b, true, true);
    return count;
}

TEST_SAMPLED(the_bits_of_a_small_matrix_do_not_depend_on_those_beside_it) {
    static const int64_t sizes[] = {1, 2, 3, 4, 7, 16};
    for (int d = 0; d < 2; d++)
        for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
            int64_t n = sizes[i], many = 19;
            tn_dtype dtype = linalg_dtypes[d];
            tn_tensor *all[32], *one[32], *turned[32];
            tn_scope scope = tn_scope_open();
            tn_tensor *a = linalg_random(TN_DIMS(many, n, n), dtype, (int)n), *b = linalg_random(TN_DIMS(many, n, 5), dtype, 3);
            tn_tensor *s = tn_add(tn_matmul(a, tn_mT(a)), tn_eye(n, n, dtype));
            CHECK(a && b && s);
            int64_t count = linalg_small(a, s, b, all);
            tn_tensor *far = tn_mT(tn_clone(tn_mT(a), TN_CONTIGUOUS)),
                      *back = tn_flip(tn_clone(tn_flip(s, TN_DIMS(0, 2)), TN_CONTIGUOUS), TN_DIMS(0, 2));
            CHECK(far && back && linalg_small(far, back, tn_mT(tn_clone(tn_mT(b), TN_CONTIGUOUS)), turned) == count);
            for (int64_t r = 0; r < count; r++)
                CHECK(all[r] && turned[r] && tn_equal(all[r], turned[r]));
            for (int64_t m = 0; m < many; m += 6) {
                CHECK(linalg_small(tn_select(a, 0, m), tn_select(s, 0, m), tn_select(b, 0, m), one) == count);
                for (int64_t r = 0; r < count; r++)
                    CHECK(one[r] && tn_equal(one[r], tn_select(all[r], 0, m)));
            }
            tn_scope_close(scope);
        }
}

TEST_SAMPLED(a_small_matrix_without_an_answer_leaves_its_neighbours_alone) {
    for (int d = 0; d < 2; d++) {
        tn_dtype dtype = linalg_dtypes[d];
        tn_tensor *a = linalg_random(TN_DIMS(11, 4, 4), dtype, 2), *b = linalg_random(TN_DIMS(11, 4, 2), dtype, 9);
        tn_tensor *s = tn_add(tn_matmul(a, tn_mT(a)), tn_eye(4, 4, dtype)), *bad = tn_clone(s, TN_CONTIGUOUS);
        CHECK(a && b && s && bad && tn_fill_(tn_select(tn_select(bad, 0, 3), 0, 2), -1));
        CHECK(tn_fill_(tn_select(tn_select(bad, 0, 9), 1, 1), 0) && tn_fill_(tn_select(tn_select(bad, 0, 9), 0, 1), 0));
        tn_list *made = tn_linalg_cholesky_ex(bad, false, false), *good = tn_linalg_cholesky_ex(s, false, false);
        CHECK(made && good);
        for (int64_t i = 0; i < 11; i++) {
            bool fails = i == 3 || i == 9;
            CHECK_INT(tn_item_int64(tn_select(tn_list_at(made, 1), 0, i)), i == 3 ? 3 : i == 9 ? 2 : 0);
            tn_tensor *expected = fails ? tn_tril(tn_select(bad, 0, i), 0) : tn_select(tn_list_at(good, 0), 0, i);
            CHECK(expected && tn_equal(tn_select(tn_list_at(made, 0), 0, i), expected));
        }
        CHECK_ERROR(TN_ERROR_LINALG, "matrix [3] of the batch is not positive definite: its leading minor of order 3",
                    tn_linalg_cholesky(bad, false));
        tn_list *solved = tn_linalg_solve_ex(bad, b, true, false);
        CHECK(solved && tn_item_int64(tn_select(tn_list_at(solved, 1), 0, 9)) > 0);
        CHECK(tn_equal(tn_select(tn_list_at(solved, 0), 0, 9), tn_select(b, 0, 9)));
        CHECK(tn_equal(tn_select(tn_list_at(solved, 0), 0, 10),
                       tn_linalg_solve(tn_select(bad, 0, 10), tn_select(b, 0, 10), true)));
    }
}

/* Columns and pivots that are next to nothing, or next to infinite: their squares and inverses do not fit into the dtype. */
TEST_SAMPLED(small_matrices_of_extreme_numbers_keep_their_accuracy) {
    for (int d = 0; d < 2; d++) {
        double far = d ? 1e-305 : 1e-37, near = d ? 1e300 : 1e36;
        tn_dtype dtype = linalg_dtypes[d];
        tn_tensor *a = linalg_random(TN_DIMS(5, 6, 6), dtype, 4), *small = tn_mul_scalar(a, far),
                  *large = tn_mul_scalar(a, near);
        tn_list *qr = tn_linalg_qr(a, "reduced"), *low = tn_linalg_qr(small, "reduced"), *high = tn_linalg_qr(large, "reduced");
        tn_list *lu = tn_linalg_lu_factor(a, true), *few = tn_linalg_lu_factor(small, true);
        CHECK(qr && low && high && lu && few);
        CHECK(linalg_error(tn_list_at(low, 0), tn_list_at(qr, 0), 6) < 400 &&
              linalg_error(tn_list_at(high, 0), tn_list_at(qr, 0), 6) < 400);
        CHECK(tn_equal(tn_list_at(lu, 1), tn_list_at(few, 1)));
        tn_tensor *l = tn_tril(tn_list_at(lu, 0), -1), *other = tn_tril(tn_list_at(few, 0), -1);
        CHECK(linalg_error(other, l, 6) < 400);
        tn_tensor *none = tn_linalg_qr(tn_zeros(TN_DIMS(2, 3, 3), dtype), "reduced")
                              ? tn_list_at(tn_linalg_qr(tn_zeros(TN_DIMS(2, 3, 3), dtype), "reduced"), 0)
                              : NULL;
        CHECK(none && tn_equal(tn_select(none, 0, 1), tn_eye(3, 3, dtype)));
    }
}

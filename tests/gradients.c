/* gradients.c - tests of derivatives, by differences: arithmetic, views, copies, sums, products, joins, indexing.
 *
 * Tests: src/autograd/gradients_view.c, src/autograd/gradients_arithmetic.c, src/autograd/gradients_reduce.c
 * Tests: src/autograd/gradients_join.c, src/autograd/gradients_index.c, src/autograd/gradients_product.c
 */
#include "autograd_helpers.h"

TEST_SAMPLED(arithmetic_of_two_tensors_has_its_derivatives) {
    static const char *const names[] = {"add", "sub", "mul", "div"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        tn_tensor *x = grad_input(2, 3), *row = grad_input(3), *one = grad_scalar(), *z = grad_complex(2, 1);
        CHECK(x && row && one && z);
        CHECK_GRADIENTS(names[i], TN_VALUES(x, row));
        CHECK_GRADIENTS(names[i], TN_VALUES(one, x));
        CHECK_GRADIENTS(names[i], TN_VALUES(x, x));
        CHECK_GRADIENTS(names[i], TN_VALUES(x, z));
        CHECK_GRADIENTS(names[i], TN_VALUES(z, grad_complex(2)));
    }
}

TEST_SAMPLED(arithmetic_with_numbers_has_its_derivatives) {
    tn_tensor *x = grad_input(2, 3), *z = grad_complex(3), *p = grad_positive(4);
    CHECK(x && z && p);
    CHECK_GRADIENTS("add.alpha", TN_VALUES(x, grad_input(3), 0.5));
    CHECK_GRADIENTS("sub.alpha", TN_VALUES(z, z, tn_scalar_complex(0.5, -2)));
    CHECK_GRADIENTS("rsub", TN_VALUES(x, grad_input(3), 3));
    CHECK_GRADIENTS("mul.scalar", TN_VALUES(x, 2.5));
    CHECK_GRADIENTS("mul.scalar", TN_VALUES(z, tn_scalar_complex(1, 2)));
    CHECK_GRADIENTS("div.scalar", TN_VALUES(x, 4));
    CHECK_GRADIENTS("div.rscalar", TN_VALUES(4, x));
    CHECK_GRADIENTS("sub.rscalar", TN_VALUES(4, x));
    CHECK_GRADIENTS("pow.scalar", TN_VALUES(x, 3));
    CHECK_GRADIENTS("pow.scalar", TN_VALUES(p, -1.5));
    CHECK_GRADIENTS("pow.scalar", TN_VALUES(x, 0));
    CHECK_GRADIENTS("pow.rscalar", TN_VALUES(1.5, x));
    CHECK_GRADIENTS("pow", TN_VALUES(p, grad_input(4)));
    CHECK_GRADIENTS("pow", TN_VALUES(z, grad_complex(3)));
}

TEST_SAMPLED(functions_of_one_number_have_their_derivatives) {
    static const char *const all[] = {"neg", "abs",  "square",  "reciprocal", "exp",      "sin",
                                      "cos", "tanh", "sigmoid", "relu",       "positive", "clone"};
    static const char *const half[] = {"sqrt", "rsqrt", "log"};
    tn_tensor *x = grad_input(5), *z = grad_complex(4), *p = grad_positive(5);
    CHECK(x && z && p);
    for (size_t i = 0; i < sizeof all / sizeof *all; i++) {
        CHECK_GRADIENTS(all[i], TN_VALUES(x));
        if (strcmp(all[i], "relu") != 0)
            CHECK_GRADIENTS(all[i], TN_VALUES(z));
    }
    for (size_t i = 0; i < sizeof half / sizeof *half; i++) {
        CHECK_GRADIENTS(half[i], TN_VALUES(p));
        CHECK_GRADIENTS(half[i], TN_VALUES(z));
    }
}

TEST_SAMPLED(what_is_done_in_place_has_the_same_derivatives) {
    static const char *const names[] = {"add_", "sub_", "mul_", "div_"};
    tn_tensor *x = grad_input(2, 3), *y = grad_input(3), *p = grad_positive(2, 3);
    CHECK(x && y && p);
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        CHECK_GRADIENTS(names[i], TN_VALUES(x, y));
    CHECK_GRADIENTS("exp_", TN_VALUES(x));
    CHECK_GRADIENTS("sin_", TN_VALUES(x));
    CHECK_GRADIENTS("pow_", TN_VALUES(p, y));
    CHECK_GRADIENTS("copy_", TN_VALUES(x, y));
    CHECK_GRADIENTS("fill_.tensor", TN_VALUES(x, grad_scalar()));
    CHECK_GRADIENTS("setitem_", TN_VALUES(x, TN_INDEX(TN_ALL, TN_RANGE(1, TN_END)), grad_input(2, 2)));
}

TEST_SAMPLED(views_have_their_derivatives) {
    tn_tensor *x = grad_input(2, 3, 2), *m = grad_input(3, 4), *v = grad_input(6), *z = grad_complex(2, 2),
              *one = grad_input(2, 1, 3, 1);
    CHECK(x && m && v && z && one);
    CHECK_GRADIENTS("view", TN_VALUES(x, TN_DIMS(3, 4)));
    CHECK_GRADIENTS("reshape", TN_VALUES(grad_strided(m, 0), TN_DIMS(2, 6)));
    CHECK_GRADIENTS("flatten", TN_VALUES(x));
    CHECK_GRADIENTS("unflatten", TN_VALUES(v, 0, TN_DIMS(2, 3)));
    CHECK_GRADIENTS("permute", TN_VALUES(x, TN_DIMS(2, 0, -2)));
    CHECK_GRADIENTS("transpose", TN_VALUES(x, 0, -1));
    CHECK_GRADIENTS("t", TN_VALUES(m));
    CHECK_GRADIENTS("T", TN_VALUES(m));
    CHECK_GRADIENTS("mT", TN_VALUES(x));
    CHECK_GRADIENTS("movedim", TN_VALUES(x, TN_DIMS(0, 1), TN_DIMS(2, 0)));
    CHECK_GRADIENTS("squeeze", TN_VALUES(one));
    CHECK_GRADIENTS("squeeze.dim", TN_VALUES(one, 1));
    CHECK_GRADIENTS("squeeze.dims", TN_VALUES(one, TN_DIMS(1, 3)));
    CHECK_GRADIENTS("unsqueeze", TN_VALUES(m, 1));
    CHECK_GRADIENTS("expand", TN_VALUES(one, TN_DIMS(5, 2, 2, 3, 2)));
    CHECK_GRADIENTS("narrow", TN_VALUES(m, 1, -3, 2));
    CHECK_GRADIENTS("select", TN_VALUES(x, 1, -1));
    CHECK_GRADIENTS("slice", TN_VALUES(m, 1, 0, TN_NONE, 2));
    CHECK_GRADIENTS("slice", TN_VALUES(m, -1, TN_NONE, TN_NONE, -2));
    CHECK_GRADIENTS("slice", TN_VALUES(m, 0, 2, 0, -1));
    CHECK_GRADIENTS("flip", TN_VALUES(x, TN_DIMS(0, 2)));
    CHECK_GRADIENTS("rot90", TN_VALUES(m, 1, TN_DIMS(0, 1)));
    CHECK_GRADIENTS("unfold", TN_VALUES(v, 0, 3, 1));
    CHECK_GRADIENTS("sliding_window_view", TN_VALUES(m, TN_DIMS(2, 2), TN_DIMS(0, 1)));
    CHECK_GRADIENTS("diagonal", TN_VALUES(x, 1, 1, 2));
    CHECK_GRADIENTS("as_strided", TN_VALUES(v, TN_DIMS(3, 2), TN_DIMS(1, 2), 1));
    CHECK_GRADIENTS("as_strided", TN_VALUES(grad_strided(m, 2), TN_DIMS(2, 2), TN_DIMS(1, 1), 1));
    CHECK_GRADIENTS("view_as_real", TN_VALUES(z));
    CHECK_GRADIENTS("view_as_complex", TN_VALUES(grad_input(3, 2)));
    CHECK_GRADIENTS("real", TN_VALUES(z));
    CHECK_GRADIENTS("imag", TN_VALUES(z));
    CHECK_GRADIENTS("conj", TN_VALUES(z));
}

TEST_SAMPLED(views_in_lists_have_their_derivatives) {
    tn_tensor *m = grad_input(4, 3), *x = grad_input(2, 2, 3), *v = grad_input(2), *w = grad_input(3);
    CHECK(m && x && v && w);
    const tn_tensor *both[] = {v, w};
    CHECK_GRADIENTS("split", TN_VALUES(m, 3, 0));
    CHECK_GRADIENTS("split_with_sizes", TN_VALUES(m, TN_DIMS(1, 2), 1));
    CHECK_GRADIENTS("chunk", TN_VALUES(m, 2, 0));
    CHECK_GRADIENTS("tensor_split", TN_VALUES(m, 3, 0));
    CHECK_GRADIENTS("hsplit", TN_VALUES(m, 3));
    CHECK_GRADIENTS("vsplit", TN_VALUES(m, 2));
    CHECK_GRADIENTS("dsplit", TN_VALUES(x, 3));
    CHECK_GRADIENTS("unbind", TN_VALUES(m, 1));
    CHECK_GRADIENTS("meshgrid", TN_VALUES(tn_value_tensors(both, 2), "ij"));
    CHECK_GRADIENTS("meshgrid", TN_VALUES(tn_value_tensors(both, 2), "xy"));
}

TEST_SAMPLED(sums_and_means_have_their_derivatives) {
    tn_tensor *x = grad_input(2, 3, 2), *z = grad_complex(2, 2);
    CHECK(x && z);
    CHECK_GRADIENTS("sum", TN_VALUES(x));
    CHECK_GRADIENTS("sum", TN_VALUES(z));
    CHECK_GRADIENTS("mean", TN_VALUES(x));
    CHECK_GRADIENTS("sum.dim", TN_VALUES(x, TN_DIMS(0, -1), false));
    CHECK_GRADIENTS("sum.dim", TN_VALUES(x, TN_DIMS(1), true));
    CHECK_GRADIENTS("mean.dim", TN_VALUES(x, TN_DIMS(2, 1), false));
    CHECK_GRADIENTS("mean.dim", TN_VALUES(x, TN_DIMS(0), true));
    CHECK_GRADIENTS("sum_to_size", TN_VALUES(x, TN_DIMS(3, 1)));
}

TEST_SAMPLED(products_have_their_derivatives) {
    tn_tensor *a = grad_input(2, 3), *b = grad_input(3, 4), *v = grad_input(3), *w = grad_input(2), *z = grad_complex(3, 2);
    tn_tensor *ab = grad_input(2, 2, 3), *bb = grad_input(2, 3, 2), *c = grad_input(2, 4);
    CHECK(a && b && v && w && z && ab && bb && c);
    CHECK_GRADIENTS("mm", TN_VALUES(a, b));
    CHECK_GRADIENTS("mm", TN_VALUES(z, grad_complex(2, 2)));
    CHECK_GRADIENTS("bmm", TN_VALUES(ab, bb));
    CHECK_GRADIENTS("mv", TN_VALUES(a, v));
    CHECK_GRADIENTS("dot", TN_VALUES(v, grad_input(3)));
    CHECK_GRADIENTS("dot", TN_VALUES(grad_complex(3), grad_complex(3)));
    CHECK_GRADIENTS("vdot", TN_VALUES(grad_complex(3), grad_complex(3)));
    CHECK_GRADIENTS("addmm", TN_VALUES(c, a, b, 0.5, 2));
    CHECK_GRADIENTS("addmv", TN_VALUES(w, a, v, 0.5, 2));
    CHECK_GRADIENTS("addr", TN_VALUES(a, w, v, 0.5, 2));
    CHECK_GRADIENTS("baddbmm", TN_VALUES(grad_input(2, 2, 2), ab, bb, 0.5, 2));
    CHECK_GRADIENTS("outer", TN_VALUES(v, w));
}

TEST_SAMPLED(matmul_has_its_derivatives_for_vectors_matrices_and_batches) {
    tn_tensor *v = grad_input(3), *a = grad_input(2, 3), *ab = grad_input(2, 2, 3), *b = grad_input(3, 2),
              *bb = grad_input(2, 3, 2);
    CHECK(v && a && ab && b && bb);
    CHECK_GRADIENTS("matmul", TN_VALUES(v, grad_input(3)));
    CHECK_GRADIENTS("matmul", TN_VALUES(a, v));
    CHECK_GRADIENTS("matmul", TN_VALUES(v, b));
    CHECK_GRADIENTS("matmul", TN_VALUES(a, b));
    CHECK_GRADIENTS("matmul", TN_VALUES(ab, b));
    CHECK_GRADIENTS("matmul", TN_VALUES(ab, v));
    CHECK_GRADIENTS("matmul", TN_VALUES(a, bb));
    CHECK_GRADIENTS("matmul", TN_VALUES(v, bb));
    CHECK_GRADIENTS("matmul", TN_VALUES(ab, bb));
    CHECK_GRADIENTS("matmul", TN_VALUES(grad_input(2, 1, 2, 3), bb));
    CHECK_GRADIENTS("matmul", TN_VALUES(grad_complex(2, 2), grad_complex(2, 2)));
}

TEST_SAMPLED(linear_has_its_derivatives) {
    tn_tensor *x = grad_input(2, 2, 3), *w = grad_input(4, 3), *bias = grad_input(4), *line = grad_input(3);
    CHECK(x && w && bias && line);
    CHECK_GRADIENTS("linear", TN_VALUES(x, w, bias));
    CHECK_GRADIENTS("linear", TN_VALUES(x, w));
    CHECK_GRADIENTS("linear", TN_VALUES(line, w, bias));
    CHECK_GRADIENTS("linear", TN_VALUES(x, line));
}

TEST_SAMPLED(joins_have_their_derivatives) {
    tn_tensor *a = grad_input(2, 3), *b = grad_input(2, 1), *c = grad_input(2, 3), *nothing = grad_input(0);
    CHECK(a && b && c && nothing);
    const tn_tensor *wide[] = {a, nothing, b, a}, *same[] = {a, c};
    CHECK_GRADIENTS("cat", TN_VALUES(tn_value_tensors(wide, 4), -1));
    CHECK_GRADIENTS("stack", TN_VALUES(tn_value_tensors(same, 2), 1));
    CHECK_GRADIENTS("hstack", TN_VALUES(tn_value_tensors(same, 2)));
}

TEST_SAMPLED(indexing_has_its_derivatives) {
    tn_tensor *m = grad_input(3, 4), *s = grad_input(2, 4), *rows = TN_VECTOR(int64_t, 2, 0, 2),
              *two = TN_VECTOR(int64_t, 1, 1);
    tn_tensor *places = tn_view(TN_VECTOR(int64_t, 0, 1, 1, 2), TN_DIMS(2, 2)), *mask = tn_gt_scalar(m, 0);
    CHECK(m && s && rows && two && places && mask);
    CHECK_GRADIENTS("index", TN_VALUES(m, TN_INDEX(TN_RANGE(0, 2), TN_AT(1))));
    CHECK_GRADIENTS("index", TN_VALUES(m, TN_INDEX(TN_PICK(rows))));
    CHECK_GRADIENTS("index", TN_VALUES(m, TN_INDEX(TN_ALL, TN_PICK(rows))));
    CHECK_GRADIENTS("index", TN_VALUES(m, TN_INDEX(TN_PICK(mask))));
    CHECK_GRADIENTS("index_put", TN_VALUES(m, TN_INDEX(TN_PICK(two)), s, true));
    CHECK_GRADIENTS("index_put", TN_VALUES(m, TN_INDEX(TN_AT(1)), grad_input(4), false));
    CHECK_GRADIENTS("index_select", TN_VALUES(m, 0, rows));
    CHECK_GRADIENTS("index_add", TN_VALUES(m, 0, two, s, 0.5));
    CHECK_GRADIENTS("gather", TN_VALUES(m, 1, places));
    CHECK_GRADIENTS("scatter_add", TN_VALUES(m, 0, places, s));
    CHECK_GRADIENTS("select_scatter", TN_VALUES(m, grad_input(4), 0, 1));
    CHECK_GRADIENTS("slice_scatter", TN_VALUES(m, s, 0, 0, TN_NONE, 2));
    CHECK_GRADIENTS("as_strided_scatter", TN_VALUES(m, grad_input(2, 2), TN_DIMS(2, 2), TN_DIMS(5, 2), 1));
    CHECK_GRADIENTS("diagonal_scatter", TN_VALUES(m, grad_input(3), 0, 0, 1));
    CHECK_GRADIENTS("where", TN_VALUES(mask, m, grad_input(4)));
    CHECK_GRADIENTS("masked_fill", TN_VALUES(m, mask, 3));
    CHECK_GRADIENTS("masked_fill.tensor", TN_VALUES(m, mask, grad_scalar()));
}

TEST_SAMPLED(strides_of_the_inputs_do_not_matter) {
    for (int way = 0; way < 3; way++) {
        tn_tensor *a = grad_strided(grad_input(3, 4), way), *b = grad_strided(grad_input(4, 2), way),
                  *c = grad_strided(grad_input(3, 4), 2 - way);
        CHECK(a && b && c);
        CHECK_GRADIENTS("mul", TN_VALUES(a, c));
        CHECK_GRADIENTS("mm", TN_VALUES(a, b));
        CHECK_GRADIENTS("sum.dim", TN_VALUES(a, TN_DIMS(0), false));
        CHECK_GRADIENTS("index_select", TN_VALUES(a, 1, TN_VECTOR(int64_t, 3, 0)));
        CHECK_GRADIENTS("exp", TN_VALUES(a));
    }
}

/* einsum.c - tests of contractions: equations against a naive interpreter, errors that name the character, orders and copies told.
 *
 * Tests: src/ops/product/contract.c, src/ops/product/einsum_read.c, src/ops/product/einsum_path.c
 * Tests: src/ops/product/tensordot.c, src/ops/product/multi_dot.c */
#include "join_helpers.h"

#include "base/limits.h"

/* ---- a naive interpreter: every combination of all labels, one after the other */

enum { CASE_OPERANDS = 4, CASE_LABELS = 6 };

typedef struct einsum_case {
    int64_t count, size[CASE_LABELS];
    char labels[CASE_OPERANDS][6], output[CASE_LABELS + 1]; /* 'a' to 'f' */
    const tn_tensor *tensors[CASE_OPERANDS];
    char equation[64];
} einsum_case;

static int64_t case_index(const tn_tensor *tensor, const char *labels, const int64_t *at, int64_t *index) {
    int64_t ndim = (int64_t)strlen(labels);
    for (int64_t d = 0; d < ndim; d++)
        index[d] = tn_sizes(tensor).values[d] == 1 ? 0 : at[labels[d] - 'a'];
    return ndim;
}

/* Goes on to the next combination of the labels that are `marked`; false after the last. */
static bool case_next(const einsum_case *one, const bool *marked, int64_t *at) {
    for (int l = CASE_LABELS; l-- > 0;)
        if (marked[l]) {
            if (++at[l] < one->size[l])
                return true;
            at[l] = 0;
        }
    return false;
}

/* Compares every element of the result, which whole numbers keep exact in every dtype. */
static void case_check(const einsum_case *one, const tn_tensor *result) {
    bool outer[CASE_LABELS] = {false}, inner[CASE_LABELS] = {false};
    int64_t at[CASE_LABELS] = {0}, index[8], elements = 1, all = 1;
    CHECK_INT(tn_ndim(result), strlen(one->output));
    for (size_t d = 0; one->output[d]; d++) {
        outer[one->output[d] - 'a'] = true;
        CHECK_INT(tn_sizes(result).values[d], one->size[one->output[d] - 'a']);
        elements *= one->size[one->output[d] - 'a'];
    }
    for (int64_t i = 0; i < one->count; i++)
        for (const char *label = one->labels[i]; *label; label++)
            if (!outer[*label - 'a'] && !inner[*label - 'a']) {
                inner[*label - 'a'] = true;
                all *= one->size[*label - 'a'];
            }
    for (bool more = elements > 0; more; more = case_next(one, outer, at)) {
        double sum = 0;
        for (bool on = all > 0; on; on = case_next(one, inner, at)) {
            double product = 1;
            for (int64_t i = 0; i < one->count; i++) {
                int64_t ndim = case_index(one->tensors[i], one->labels[i], at, index);
                product *= tn_get_double(one->tensors[i], (tn_dims){index, ndim});
            }
            sum += product;
        }
        int64_t ndim = case_index(result, one->output, at, index);
        double found = tn_get_double(result, (tn_dims){index, ndim});
        if (found != sum)
            test_fail(__FILE__, __LINE__, "%s: an element of the result is %g, not %g", one->equation, found, sum);
    }
}

/* Numbers from 0 to 2, so that sums of a few hundred products stay exact in float16. */
static tn_tensor *case_tensor(tn_dims sizes, tn_dtype dtype) {
    tn_tensor *x = join_scrambled(sizes, dtype);
    CHECK(x);
    int64_t elements = (int64_t)(tn_storage_nbytes(tn_storage_of(x)) / tn_dtype_size(dtype));
    tn_tensor *all = tn_as_strided(x, TN_DIMS(elements), TN_DIMS(1), 0);
    CHECK(all && tn_remainder_scalar_(all, 3));
    return x;
}

static void case_draw(einsum_case *one, tn_dtype dtype) {
    char used[CASE_LABELS + 1] = "";
    size_t length = 0;
    one->count = test_random_between(1, CASE_OPERANDS);
    for (int l = 0; l < CASE_LABELS; l++)
        one->size[l] = test_random_between(0, 19) == 0 ? 0 : test_random_between(1, 4);
    for (int64_t i = 0; i < one->count; i++) {
        int64_t ndim = test_random_between(0, 4), sizes[4];
        for (int64_t d = 0; d < ndim; d++) {
            char label = (char)('a' + test_random_between(0, CASE_LABELS - 1));
            one->labels[i][d] = label;
            sizes[d] = one->size[label - 'a'];
            if (!strchr(used, label))
                used[strlen(used)] = label;
        }
        one->labels[i][ndim] = 0;
        one->tensors[i] = case_tensor((tn_dims){sizes, ndim}, dtype);
        length += (size_t)snprintf(one->equation + length, sizeof one->equation - length, "%s%s", i ? "," : "", one->labels[i]);
    }
    memset(one->output, 0, sizeof one->output);
    for (size_t l = 0; used[l]; l++)
        if (test_random_between(0, 1)) { /* at a random place among those before it */
            size_t kept = strlen(one->output), place = (size_t)test_random_between(0, (int64_t)kept);
            one->output[kept] = one->output[place];
            one->output[place] = used[l];
        }
    snprintf(one->equation + length, sizeof one->equation - length, "->%s", one->output);
}

static void case_run(tn_dtype dtype, int rounds) {
    for (int round = 0; round < rounds; round++) {
        tn_scope scope = tn_scope_open();
        static einsum_case one;
        memset(&one, 0, sizeof one);
        case_draw(&one, dtype);
        tn_tensor *result = tn_einsum(one.equation, one.tensors, one.count);
        CHECK(result);
        case_check(&one, result);
        char text[4000];
        size_t length = tn_einsum_explain(one.equation, one.tensors, one.count, text, sizeof text);
        CHECK(length > 0 && length < sizeof text && length == strlen(text));
        CHECK(tn_scope_close(scope) == TN_OK);
    }
}

TEST_ONCE(equations_of_every_kind_give_what_a_naive_loop_gives) { /* seconds long: the next one fails allocations */
    static const tn_dtype dtypes[] = {TN_FLOAT32, TN_FLOAT64, TN_FLOAT16, TN_BFLOAT16, TN_INT8,   TN_UINT8,
                                      TN_INT16,   TN_INT32,   TN_INT64,   TN_UINT16,   TN_UINT32, TN_UINT64};
    for (size_t i = 0; i < sizeof dtypes / sizeof dtypes[0]; i++)
        case_run(dtypes[i], 60);
}

TEST_SAMPLED(equations_survive_allocations_that_fail) { case_run(TN_FLOAT32, 12); }

static tn_tensor *counted(tn_dims sizes, tn_dtype dtype) {
    int64_t numel = 1;
    for (int64_t d = 0; d < sizes.count; d++)
        numel *= sizes.values[d];
    return tn_reshape(tn_arange(numel, dtype), sizes);
}

#define EINSUM(equation, ...)                                                                                                  \
    tn_einsum(equation, (const tn_tensor *const[]){__VA_ARGS__},                                                               \
              (int64_t)(sizeof((const tn_tensor *const[]){__VA_ARGS__}) / sizeof(tn_tensor *)))

TEST(complex_products_and_sums_have_both_parts) {
    tn_tensor *x = tn_complex(counted(TN_DIMS(2, 3), TN_FLOAT64), tn_ones(TN_DIMS(2, 3), TN_FLOAT64));
    tn_tensor *y = tn_complex(tn_ones(TN_DIMS(3), TN_FLOAT64), counted(TN_DIMS(3), TN_FLOAT64));
    tn_tensor *z = EINSUM("ij,j->i", x, y);
    CHECK(z);
    CHECK_INT(tn_dtype_of(z), TN_COMPLEX128);
    CHECK_DOUBLE(tn_get_double(tn_real(z), TN_DIMS(0)), 0); /* (0+1i)(1) + (1+1i)(1+1i) + (2+1i)(1+2i) = 0 + 8i */
    CHECK_DOUBLE(tn_get_double(tn_imag(z), TN_DIMS(0)), 8);
    CHECK_DOUBLE(tn_get_double(tn_real(z), TN_DIMS(1)), 9);
    CHECK_DOUBLE(tn_get_double(tn_imag(z), TN_DIMS(1)), 17);
}

TEST(a_diagonal_and_a_transpose_are_views) {
    tn_tensor *x = counted(TN_DIMS(3, 3), TN_FLOAT32);
    CHECK(x);
    tn_counters before = tn_counters_now();
    tn_tensor *diagonal = EINSUM("ii->i", x), *turned = EINSUM("ij->ji", x), *same = EINSUM("ij", x);
    CHECK(diagonal && turned && same);
    CHECK_INT(tn_counters_since(before).copies, 0);
    CHECK(tn_is_alias_of(diagonal, x) && tn_is_alias_of(turned, x) && tn_is_alias_of(same, x));
    CHECK(tn_fill_(diagonal, -1));
    CHECK_DOUBLE(tn_get_double(x, TN_DIMS(2, 2)), -1);
    CHECK_DOUBLE(tn_get_double(turned, TN_DIMS(0, 1)), 3);
}

TEST(an_ellipsis_is_broadcast_and_may_be_summed_over) {
    tn_tensor *x = counted(TN_DIMS(2, 1, 3, 4), TN_FLOAT32), *y = counted(TN_DIMS(5, 4, 2), TN_FLOAT32);
    tn_tensor *z = EINSUM("...ij,...jk->...ik", x, y), *sum = EINSUM("...ij,...jk->ik", x, y);
    CHECK(z && sum);
    tn_tensor *again = tn_sum_dim(z, TN_DIMS(0, 1), false, TN_DTYPE_DEFAULT);
    CHECK(again && tn_equal(again, sum));
    CHECK_INT(tn_ndim(z), 4);
    CHECK_INT(tn_sizes(z).values[0], 2);
    CHECK_INT(tn_sizes(z).values[1], 5);
    CHECK_DOUBLE(tn_get_double(z, TN_DIMS(1, 4, 2, 1)), 20 * 33 + 21 * 35 + 22 * 37 + 23 * 39);
    tn_tensor *implicit = EINSUM("i...", counted(TN_DIMS(2, 3), TN_FLOAT32));
    CHECK(implicit);
    CHECK_INT(tn_sizes(implicit).values[0], 3);
}

TEST(without_an_arrow_the_labels_that_are_there_once_are_the_result_capitals_first) {
    tn_tensor *z = EINSUM("bA,cb", counted(TN_DIMS(2, 3), TN_FLOAT32), counted(TN_DIMS(4, 2), TN_FLOAT32));
    CHECK(z);
    CHECK_INT(tn_ndim(z), 2);
    CHECK_INT(tn_sizes(z).values[0], 3);
    CHECK_INT(tn_sizes(z).values[1], 4);
    CHECK_DOUBLE(tn_get_double(z, TN_DIMS(1, 3)), 1 * 6 + 4 * 7);
}

TEST(half_precision_rounds_once_for_each_contraction) {
    tn_tensor *x = tn_full(TN_DIMS(1, 3000), 1, TN_FLOAT16), *z = EINSUM("ij,kj->ik", x, x);
    CHECK(z); /* in float16 one would be added to 2048 in vain */
    CHECK_DOUBLE(tn_get_double(z, TN_DIMS(0, 0)), 3000);
}

/* ---- dtypes */

TEST(products_promote_what_is_summed_over_has_one_dtype) {
    tn_tensor *f = counted(TN_DIMS(3), TN_FLOAT32), *i = counted(TN_DIMS(3), TN_INT64), *b = tn_ones(TN_DIMS(3), TN_BOOL);
    tn_tensor *narrow = counted(TN_DIMS(3, 2), TN_INT32);
    CHECK(f && i && b && narrow);
    tn_tensor *both = EINSUM("i,j->ij", f, i), *bools = EINSUM("i,j->ij", b, b);
    CHECK(both && bools);
    CHECK_INT(tn_dtype_of(both), TN_FLOAT32);
    CHECK_INT(tn_dtype_of(bools), TN_BOOL);
    tn_tensor *v = counted(TN_DIMS(4), TN_INT32), *widened = EINSUM("ij,k->ik", narrow, v),
              *kept = EINSUM("ij,ik->jk", narrow, narrow);
    CHECK(widened && kept);
    CHECK_INT(tn_dtype_of(widened), TN_INT64);
    CHECK_INT(tn_dtype_of(kept), TN_INT32);
    CHECK_ERROR(TN_ERROR_DTYPE, "'i,i->': operand 0 is float32 and operand 1 is int64", EINSUM("i,i->", f, i));
    CHECK_ERROR(TN_ERROR_DTYPE, "bool", EINSUM("i,i->", b, b));
}

/* ---- errors */

TEST(an_equation_that_is_wrong_is_told_by_its_character) {
    tn_tensor *x = counted(TN_DIMS(3, 4), TN_FLOAT32), *y = counted(TN_DIMS(4, 5), TN_FLOAT32);
    CHECK(x && y);
    CHECK_ERROR(TN_ERROR_ARGUMENT, "einsum: 'ij,jk->iz': output label z at character 9 appears in no operand",
                EINSUM("ij,jk->iz", x, y));
    CHECK_ERROR(TN_ERROR_ARGUMENT, "output label i at character 9 is repeated", EINSUM("ij,jk->ii", x, y));
    CHECK_ERROR(TN_ERROR_ARGUMENT, "'1' at character 2, in operand 0, is not a label", EINSUM("i1,jk", x, y));
    CHECK_ERROR(TN_ERROR_ARGUMENT, "byte 9 at character 1", EINSUM("\tij", x));
    CHECK_ERROR(TN_ERROR_ARGUMENT, "byte 195 at character 3", EINSUM("ij\xc3\xa9", x));
    CHECK_ERROR(TN_ERROR_ARGUMENT, "'-' at character 3, in operand 0, is not a label: an arrow is '->'", EINSUM("ij-ji", x));
    CHECK_ERROR(TN_ERROR_ARGUMENT, "'-' at character 6, in the output", EINSUM("ij->j->i", x));
    CHECK_ERROR(TN_ERROR_ARGUMENT, "',' at character 6, in the output", EINSUM("ij->j,i", x));
    CHECK_ERROR(TN_ERROR_ARGUMENT, "the point at character 2, in operand 0, is not part of an ellipsis", EINSUM("i..j", x));
    CHECK_ERROR(TN_ERROR_ARGUMENT, "the point at character 4", EINSUM("....", x));
    CHECK_ERROR(TN_ERROR_ARGUMENT, "operand 0 has a second ellipsis at character 5", EINSUM("...i...", x));
    CHECK_ERROR(TN_ERROR_ARGUMENT, "the output has a second ellipsis at character 9", EINSUM("ij->...j...", x));
    CHECK_ERROR(TN_ERROR_ARGUMENT, "operand 1, from character 4 on, has no tensor: only 1 is given", EINSUM("ij,jk", x));
    CHECK_ERROR(TN_ERROR_ARGUMENT, "2 tensors are given, but the operands end at character 2 with operand 0",
                EINSUM("ij->i", x, y));
    CHECK_ERROR(TN_ERROR_ARGUMENT, "there are no operands", tn_einsum("ij", NULL, 0));
    CHECK_ERROR(TN_ERROR_SHAPE, "label k at character 3 is one too many: operand 0 is [3, 4] float32 and has 2 dimensions",
                EINSUM("ijk", x));
    CHECK_ERROR(TN_ERROR_SHAPE,
                "operand 1 is [4, 5] float32 and has 2 dimensions, but only 1 label from character 4 on, and no ellipsis",
                EINSUM("ij,j", x, y));
    CHECK_ERROR(TN_ERROR_SHAPE,
                "label i is repeated at character 2, but dimensions 0 and 1 of operand 0 [3, 4] float32 have sizes 3 and 4",
                EINSUM("ii", x));
    CHECK_ERROR(TN_ERROR_SHAPE,
                "label j at character 4 has size 5 in operand 1 [5, 4] float32, but size 4 in operand 0 [3, 4] float32",
                EINSUM("ij,jk", x, tn_t(y)));
    CHECK_ERROR(TN_ERROR_SHAPE, "the ellipsis covers size 4 in dimension 0 of operand 1", EINSUM("...j,...j", x, tn_t(x)));
}

/* ---- order and copies */

static const char *explained(const char *equation, const tn_tensor *const *tensors, int64_t count) {
    static char text[4000];
    size_t length = tn_einsum_explain(equation, tensors, count, text, sizeof text);
    CHECK(length > 0);
    CHECK_INT(length, strlen(text));
    CHECK_INT(tn_einsum_explain(equation, tensors, count, NULL, 0), length);
    return text;
}

TEST(the_explanation_tells_order_products_and_copies) {
    const tn_tensor *chain[3] = {counted(TN_DIMS(3, 4), TN_FLOAT32), counted(TN_DIMS(4, 5), TN_FLOAT32),
                                 counted(TN_DIMS(5, 2), TN_FLOAT32)};
    CHECK(chain[0] && chain[1] && chain[2]);
    CHECK_TEXT(explained("ij,jk,kl->il", chain, 3),
               "ij,jk,kl->il\n"
               "step 1: 1 [4, 5] jk and 2 [5, 2] kl -> 3 [2, 4] lj: a product with m = 4, n = 2, k = 5; no copy\n"
               "step 2: 0 [3, 4] ij and 3 [2, 4] lj -> 4 [3, 2] il: a product with m = 3, n = 2, k = 4; no copy\n"
               "in all: 64 multiplications, 0 copies of 0 elements, largest result 8 elements\n");
    char cut[12];
    CHECK(tn_einsum_explain("ij,jk,kl->il", chain, 3, cut, sizeof cut) > sizeof cut);
    CHECK_TEXT(cut, "ij,jk,kl->i");
    CHECK_ERROR(TN_ERROR_ARGUMENT, "character 1", tn_einsum_explain("?", chain, 1, cut, sizeof cut));
    CHECK_TEXT(cut, "");
    CHECK_ERROR(TN_ERROR_ARGUMENT, "tensors", tn_einsum_explain("ij", (const tn_tensor *const[]){NULL}, 1, cut, sizeof cut));
}

/* What is told is what happens: as many copies, of as many bytes. */
static void check_copies(const char *equation, const tn_tensor *a, const tn_tensor *b, int64_t copies, int64_t elements) {
    const tn_tensor *pair[2] = {a, b};
    char wanted[80];
    CHECK(a && b);
    const char *text = explained(equation, pair, 2);
    snprintf(wanted, sizeof wanted, " %d cop%s of %d elements", (int)copies, copies == 1 ? "y" : "ies", (int)elements);
    if (!strstr(text, wanted))
        test_fail(__FILE__, __LINE__, "%s has not%s", text, wanted);
    tn_counters before = tn_counters_now();
    CHECK(tn_einsum(equation, pair, 2));
    CHECK_INT(tn_counters_since(before).copies, copies);
    CHECK_INT(tn_counters_since(before).copied_bytes, elements * 4);
}

TEST(contractions_are_copied_for_only_where_strides_cannot_say_them) {
    tn_tensor *x = counted(TN_DIMS(3, 4, 5), TN_FLOAT32), *y = counted(TN_DIMS(5, 6), TN_FLOAT32);
    tn_tensor *z = counted(TN_DIMS(3, 4, 6), TN_FLOAT32), *turned = counted(TN_DIMS(4, 3, 6), TN_FLOAT32);
    CHECK(x && y && z && turned);
    check_copies("abc,cd->abd", x, y, 0, 0);
    check_copies("abc,cd->bad", x, y, 0, 0);
    check_copies("abc,dc->dba", x, tn_t(y), 0, 0);
    check_copies("abc,abd->cd", x, z, 0, 0);
    check_copies("abc,abd->acd", x, z, 0, 0);
    check_copies("abc,abd->bdc", x, z, 0, 0);
    check_copies("abc,abd->cbd", tn_flip(x, TN_DIMS(0)), tn_flip(z, TN_DIMS(0)), 0, 0);
    check_copies("abc,bad->cd", x, turned, 1, 60); /* one of the two, the smaller */
    check_copies("abc,bad->cd", z, tn_permute(x, TN_DIMS(1, 0, 2)), 0, 0);
    check_copies("abc,abd->cd", tn_slice(x, 1, 0, 3, 1), tn_slice(z, 1, 0, 3, 1), 2, 9 * 5 + 9 * 6);
    check_copies("abc,cd->abd", tn_slice(x, 1, 0, 3, 1), y, 0, 0);
}

TEST(a_copy_tells_why) {
    const tn_tensor *pair[2] = {counted(TN_DIMS(3, 4, 5), TN_FLOAT32), counted(TN_DIMS(4, 3, 6), TN_FLOAT32)};
    CHECK(pair[0] && pair[1]);
    const char *text = explained("abc,bad->cd", pair, 2);
    CHECK(strstr(text, "copies 60 elements (the summed dimensions 3 and 2 of self do not merge: stride 5 is not 3 * 20)"));
}

TEST_ONCE(the_order_needs_no_more_multiplications_than_any_other) { /* nothing but numbers is looked at */
    for (int round = 0; round < 60; round++) {
        tn_scope scope = tn_scope_open();
        int64_t n = test_random_between(3, 5), p[8];
        const tn_tensor *chain[8];
        char equation[40];
        size_t length = 0;
        double best[8][8];
        for (int64_t i = 0; i <= n; i++)
            p[i] = test_random_between(2, 9);
        for (int64_t i = 0; i < n; i++) {
            chain[i] = tn_ones(TN_DIMS(p[i], p[i + 1]), TN_FLOAT32);
            length += (size_t)snprintf(equation + length, sizeof equation - length, "%s%c%c", i ? "," : "", (char)('a' + i),
                                       (char)('b' + i));
        }
        snprintf(equation + length, sizeof equation - length, "->a%c", (char)('a' + n));
        for (int64_t i = 0; i < n; i++)
            best[i][i] = 0;
        for (int64_t span = 1; span < n; span++)
            for (int64_t i = 0; i + span < n; i++) {
                best[i][i + span] = 1e300;
                for (int64_t cut = i; cut < i + span; cut++)
                    best[i][i + span] = fmin(best[i][i + span], best[i][cut] + best[cut + 1][i + span] +
                                                                    (double)(p[i] * p[cut + 1] * p[i + span + 1]));
            }
        const char *told = strstr(explained(equation, chain, n), "in all: ");
        CHECK(told);
        double cost = strtod(told + strlen("in all: "), NULL);
        CHECK(cost <= best[0][n - 1] || n > TNI_LIMIT(8, 3)); /* outer products may even do better */
        CHECK(tn_scope_close(scope) == TN_OK);
    }
}

TEST_SAMPLED(many_operands_are_contracted_step_by_step) {
    enum { MANY = 40 };
    const tn_tensor *chain[MANY];
    char equation[MANY * 3 + 8];
    size_t length = 0;
    for (int i = 0; i < MANY; i++) {
        CHECK((chain[i] = tn_eye(2, 2, TN_FLOAT32)) != NULL);
        char a = (char)(i < 26 ? 'a' + i : 'A' + i - 26), b = (char)(i + 1 < 26 ? 'b' + i : 'A' + i - 25);
        length += (size_t)snprintf(equation + length, sizeof equation - length, "%s%c%c", i ? "," : "", a, b);
    }
    tn_tensor *z = tn_einsum(equation, chain, MANY);
    CHECK(z);
    join_check_text(z, "[[1, 0], [0, 1]]", TN_FLOAT32);
}

/* ---- sumproduct */

TEST_SAMPLED(sumproduct_is_the_sum_of_the_product) {
    for (int round = 0; round < 60; round++) {
        tn_scope scope = tn_scope_open();
        int64_t ndim = test_random_between(0, 4), sizes[2][4], dims[4], count = 0;
        bool keepdim = test_random_between(0, 1);
        for (int64_t d = 0; d < ndim; d++) {
            int64_t size = test_random_between(0, 12) == 0 ? 0 : test_random_between(1, 5);
            for (int t = 0; t < 2; t++)
                sizes[t][d] = test_random_between(0, 3) ? size : 1;
            if (test_random_between(0, 1))
                dims[count++] = test_random_between(0, 1) ? d : d - ndim;
        }
        int64_t shorter = test_random_between(0, ndim);
        tn_tensor *x = case_tensor((tn_dims){sizes[0], ndim}, TN_FLOAT32);
        tn_tensor *y = case_tensor((tn_dims){sizes[1] + shorter, ndim - shorter}, TN_FLOAT32);
        tn_tensor *z = tn_sumproduct(x, y, (tn_dims){dims, count}, keepdim), *product = tn_mul(x, y);
        CHECK(z && product);
        tn_tensor *sum = count ? tn_sum_dim(product, (tn_dims){dims, count}, keepdim, TN_DTYPE_DEFAULT) : product;
        CHECK(sum);
        bool same = tn_equal(z, sum);
        CHECK_MEMORY();
        CHECK(same);
        tn_tensor *out = join_scrambled(tn_sizes(sum), TN_FLOAT32);
        CHECK(out);
        if (!tn_overlaps_itself(out)) {
            CHECK(tn_sumproduct_out(out, x, y, (tn_dims){dims, count}, keepdim));
            same = tn_equal(out, sum);
            CHECK_MEMORY();
            CHECK(same);
        }
        CHECK(tn_scope_close(scope) == TN_OK);
    }
}

TEST(sumproduct_refuses_what_does_not_fit) {
    tn_tensor *x = counted(TN_DIMS(3, 4), TN_FLOAT32);
    CHECK(x);
    CHECK_ERROR(TN_ERROR_SHAPE, "do not fit: dimension 1 has sizes 4 and 3",
                tn_sumproduct(x, counted(TN_DIMS(3), TN_FLOAT32), TN_DIMS(0), false));
    CHECK_ERROR(TN_ERROR_DTYPE, "must have the same dtype", tn_sumproduct(x, tn_to(x, TN_FLOAT64), TN_DIMS(0), false));
    CHECK_ERROR(TN_ERROR_ARGUMENT, "dimension 1 is summed over twice", tn_sumproduct(x, x, TN_DIMS(1, -1), false));
    CHECK_ERROR(TN_ERROR_INDEX, "dim", tn_sumproduct(x, x, TN_DIMS(2), false));
    CHECK_ERROR(TN_ERROR_DTYPE, "bool", tn_sumproduct(tn_to(x, TN_BOOL), tn_to(x, TN_BOOL), TN_DIMS(1), false));
}

/* ---- tensordot */

TEST(tensordot_pairs_dimensions) {
    tn_tensor *x = counted(TN_DIMS(2, 3, 4), TN_FLOAT32), *y = counted(TN_DIMS(4, 5, 3), TN_FLOAT32);
    tn_tensor *z = tn_tensordot(x, y, TN_DIMS(1, -1), TN_DIMS(2, 0)), *same = EINSUM("abc,cdb->ad", x, y);
    CHECK(z && same && join_same_bits(z, same));
    tn_tensor *outer = tn_tensordot_count(x, y, 0), *all = tn_tensordot_count(x, x, 3);
    CHECK(outer && all);
    CHECK_INT(tn_ndim(outer), 6);
    CHECK_DOUBLE(tn_get_double(outer, TN_DIMS(1, 2, 3, 3, 4, 2)), 23 * 59);
    CHECK_INT(tn_ndim(all), 0);
    CHECK_DOUBLE(tn_get_double(all, TN_DIMS()), 4324);
    tn_tensor *out = tn_empty(TN_DIMS(0), TN_FLOAT32);
    CHECK(out && tn_tensordot_out(out, x, y, TN_DIMS(1, 2), TN_DIMS(2, 0)) && tn_equal(out, same));
    tn_tensor *over = tn_clone(counted(TN_DIMS(3, 3), TN_FLOAT32), TN_CONTIGUOUS);
    CHECK(over);
    tn_tensor *square = tn_tensordot_count(over, over, 1);
    CHECK(square && tn_tensordot_count_out(over, over, over, 1) && tn_equal(over, square));
    CHECK_ERROR(TN_ERROR_ARGUMENT, "they go in pairs", tn_tensordot(x, y, TN_DIMS(1), TN_DIMS(2, 0)));
    CHECK_ERROR(TN_ERROR_ARGUMENT, "names dimension 1 twice", tn_tensordot(x, y, TN_DIMS(1, 1), TN_DIMS(2, 0)));
    CHECK_ERROR(TN_ERROR_SHAPE, "dimension 0 of self has size 2, and dimension 1 of other has size 5",
                tn_tensordot(x, y, TN_DIMS(0), TN_DIMS(1)));
    CHECK_ERROR(TN_ERROR_INDEX, "dims_other", tn_tensordot(x, y, TN_DIMS(0), TN_DIMS(3)));
    CHECK_ERROR(TN_ERROR_INDEX, "has no dimensions", tn_tensordot(x, tn_scalar_tensor(1, TN_FLOAT32), TN_DIMS(0), TN_DIMS(0)));
    CHECK_ERROR(TN_ERROR_ARGUMENT, "dims is 4", tn_tensordot_count(x, y, 4));
    CHECK_ERROR(TN_ERROR_DTYPE, "must have the same dtype", tn_tensordot_count(x, tn_to(x, TN_FLOAT64), 3));
}

/* ---- chains */

TEST(a_chain_is_multiplied_in_the_best_order) {
    const tn_tensor *chain[4] = {counted(TN_DIMS(4, 2), TN_FLOAT64), counted(TN_DIMS(2, 5), TN_FLOAT64),
                                 counted(TN_DIMS(5, 1), TN_FLOAT64), counted(TN_DIMS(1, 3), TN_FLOAT64)};
    tn_tensor *z = tn_linalg_multi_dot(chain, 4), *same = tn_einsum("ab,bc,cd,de->ae", chain, 4),
              *old = tn_chain_matmul(chain, 4);
    CHECK(z && same && old && tn_equal(z, same) && tn_equal(old, same));
    tn_tensor *out = tn_empty(TN_DIMS(0), TN_FLOAT64);
    CHECK(out && tn_linalg_multi_dot_out(out, chain, 4) && tn_equal(out, same));
    const tn_tensor *ends[3] = {counted(TN_DIMS(3), TN_FLOAT64), counted(TN_DIMS(3, 4), TN_FLOAT64),
                                counted(TN_DIMS(4), TN_FLOAT64)};
    tn_tensor *number = tn_linalg_multi_dot(ends, 3), *vector = tn_linalg_multi_dot(ends, 2),
              *column = tn_linalg_multi_dot(ends + 1, 2);
    CHECK(number && vector && column);
    CHECK_INT(tn_ndim(number), 0);
    CHECK_DOUBLE(tn_get_double(number, TN_DIMS()), 0 * 20 + 1 * 23 + 2 * 26 + 3 * 29);
    CHECK_INT(tn_ndim(vector), 1);
    CHECK_INT(tn_sizes(vector).values[0], 4);
    CHECK_INT(tn_sizes(column).values[0], 3);
    tn_tensor *one = tn_chain_matmul(chain, 1);
    CHECK(one && tn_is_alias_of(one, chain[0]));
    tn_tensor *copied = tn_empty(TN_DIMS(0), TN_FLOAT64);
    CHECK(copied && tn_chain_matmul_out(copied, chain, 1) && tn_equal(copied, chain[0]));
    CHECK_ERROR(TN_ERROR_ARGUMENT, "1 tensor is given", tn_linalg_multi_dot(chain, 1));
    CHECK_ERROR(TN_ERROR_SHAPE, "tensors[0] [2, 5] float64 and tensors[1] [4, 2] float64 do not fit: 5 columns meet 4 rows",
                tn_linalg_multi_dot((const tn_tensor *const[]){chain[1], chain[0]}, 2));
    CHECK_ERROR(TN_ERROR_SHAPE, "matrices[0] is [3] float64, which has 1 dimension: it must be a matrix",
                tn_chain_matmul(ends, 2));
    CHECK_ERROR(TN_ERROR_SHAPE, "tensors[1] is [4] float64",
                tn_linalg_multi_dot((const tn_tensor *const[]){ends[1], ends[2], ends[1]}, 3));
    CHECK_ERROR(TN_ERROR_DTYPE, "all must have the same dtype",
                tn_linalg_multi_dot((const tn_tensor *const[]){chain[0], tn_to(chain[1], TN_FLOAT32)}, 2));
}

/* nest.c - simplifying a loop over several operands: the rest must visit the same addresses together. */
#include "test.h"

#include "iterate/nest.h"

static tni_nest nest_of(int64_t ndim, const int64_t *sizes, const int64_t *first, const int64_t *second, size_t item) {
    tni_nest nest;
    tni_nest_begin(&nest, ndim, sizes);
    tni_nest_add(&nest, first, item);
    if (second)
        tni_nest_add(&nest, second, item);
    return nest;
}

TEST(contiguous_operands_of_any_rank_become_one_dimension) {
    tni_nest nest = nest_of(4, (int64_t[]){2, 3, 4, 5}, (int64_t[]){60, 20, 5, 1}, (int64_t[]){60, 20, 5, 1}, 4);
    tni_nest_simplify(&nest);
    CHECK_INT(nest.ndim, 1);
    CHECK_INT(nest.sizes[0], 120);
    CHECK_INT(nest.strides[0][0], 4);
    CHECK_INT(nest.strides[1][0], 4);
    CHECK_INT(tni_nest_count(&nest), 120);
}

TEST(a_transposed_pair_becomes_two_dimensions_with_the_first_operand_innermost) {
    /* (2, 3, 4) whose last two are together on both sides, against a transpose of the first */
    tni_nest nest = nest_of(3, (int64_t[]){2, 3, 4}, (int64_t[]){12, 4, 1}, (int64_t[]){1, 8, 2}, 8);
    tni_nest_simplify(&nest);
    CHECK_INT(nest.ndim, 2);
    CHECK_INT(nest.sizes[0], 12);
    CHECK_INT(nest.sizes[1], 2);
    CHECK_INT(nest.strides[0][0], 8);
    CHECK_INT(nest.strides[0][1], 96);
    CHECK_INT(nest.strides[1][0], 16);
    CHECK_INT(nest.strides[1][1], 8);
}

TEST(dimensions_of_size_1_disappear_whatever_their_strides) {
    tni_nest nest = nest_of(4, (int64_t[]){1, 7, 1, 1}, (int64_t[]){INT64_MAX, 1, -9, 0}, (int64_t[]){3, 1, INT64_MIN, 5}, 4);
    tni_nest_simplify(&nest);
    CHECK_INT(nest.ndim, 1);
    CHECK_INT(nest.sizes[0], 7);
    tni_nest single = nest_of(2, (int64_t[]){1, 1}, (int64_t[]){5, 6}, NULL, 4);
    tni_nest_simplify(&single);
    CHECK_INT(single.ndim, 0);
    CHECK_INT(tni_nest_count(&single), 1);
    tni_nest scalar = nest_of(0, NULL, NULL, NULL, 4);
    tni_nest_simplify(&scalar);
    CHECK_INT(scalar.ndim, 0);
}

TEST(operands_that_both_run_backwards_are_turned_and_merged) {
    tni_nest nest = nest_of(2, (int64_t[]){3, 4}, (int64_t[]){-4, -1}, (int64_t[]){-4, -1}, 4);
    tni_nest_simplify(&nest);
    CHECK_INT(nest.ndim, 1);
    CHECK_INT(nest.strides[0][0], 4);
    CHECK_INT(nest.strides[1][0], 4);
    CHECK_INT(nest.starts[0], -44);
    CHECK_INT(nest.starts[1], -44);
}

TEST(the_first_operand_that_moves_decides_the_direction) {
    tni_nest nest = nest_of(2, (int64_t[]){3, 4}, (int64_t[]){0, -1}, (int64_t[]){-4, 1}, 1);
    tni_nest_simplify(&nest);
    CHECK_INT(nest.ndim, 2);
    CHECK_INT(nest.strides[0][0], 1);
    CHECK_INT(nest.strides[1][0], -1);
    CHECK_INT(nest.strides[1][1], 4);
    CHECK_INT(nest.starts[0], -3);
    CHECK_INT(nest.starts[1], -8 + 3);
}

TEST(an_operand_that_stands_still_leaves_the_order_to_the_others) {
    tni_nest nest = nest_of(3, (int64_t[]){4, 5, 6}, (int64_t[]){0, 0, 0}, (int64_t[]){1, 24, 4}, 2);
    tni_nest_simplify(&nest);
    CHECK_INT(nest.ndim, 1);
    CHECK_INT(nest.sizes[0], 120);
    CHECK_INT(nest.strides[0][0], 0);
    CHECK_INT(nest.strides[1][0], 2);
}

TEST(a_dimension_moves_to_any_place_and_the_others_close_up) {
    tni_nest nest = nest_of(4, (int64_t[]){2, 3, 5, 7}, (int64_t[]){105, 35, 7, 1}, NULL, 1);
    tni_nest_move(&nest, 3, 0);
    CHECK_INT(nest.sizes[0], 2);
    CHECK_INT(nest.sizes[1], 7);
    CHECK_INT(nest.sizes[3], 3);
    CHECK_INT(nest.strides[0][0], 105);
    tni_nest_move(&nest, 0, 3);
    CHECK_INT(nest.sizes[0], 7);
    CHECK_INT(nest.sizes[3], 2);
    CHECK_INT(nest.strides[0][3], 105);
}

/* ---- against the loop as it was ------------------------------------------------------------------------------------------ */

enum { ITERATE_RANK = 5, ITERATE_OPERANDS = 4, ITERATE_MOST = 200 * 4 * 64 };

typedef struct visit {
    int64_t at[ITERATE_OPERANDS];
} visit;

static int compare_visits(const void *a, const void *b) { return memcmp(a, b, sizeof(visit)); }

static void visit_all(int64_t ndim, const int64_t *sizes, int64_t strides[ITERATE_OPERANDS][TN_MAX_DIMS], const int64_t *starts,
                      visit *visits, int64_t count) {
    memset(visits, 0, (size_t)count * sizeof *visits);
    for (int64_t i = 0; i < count; i++) {
        int64_t rest = i;
        for (int k = 0; k < ITERATE_OPERANDS; k++)
            visits[i].at[k] = starts[k];
        for (int64_t d = 0; d < ndim; d++) {
            for (int k = 0; k < ITERATE_OPERANDS; k++)
                visits[i].at[k] += rest % sizes[d] * strides[k][d];
            rest /= sizes[d];
        }
    }
    qsort(visits, (size_t)count, sizeof *visits, compare_visits);
}

TEST_SAMPLED(a_simplified_loop_visits_the_same_addresses_together) {
    static visit before[ITERATE_MOST], after[ITERATE_MOST];
    for (int trial = 0; trial < 3000; trial++) {
        int64_t ndim = test_random_between(0, ITERATE_RANK), sizes[ITERATE_RANK], count = 1;
        for (int64_t d = 0; d < ndim; d++) {
            sizes[d] = test_random_between(1, d + 1 == ndim && trial % 10 == 3 ? 64 : 4);
            if (d == 0 && ndim == 3 && trial % 50 == 3)
                sizes[d] = test_random_between(20, 200);
            count *= sizes[d];
        }
        CHECK(count <= ITERATE_MOST);
        tni_nest nest;
        tni_nest_begin(&nest, ndim, sizes);
        for (int k = 0; k < ITERATE_OPERANDS; k++) {
            int64_t strides[ITERATE_RANK], dense = 1;
            bool regular = test_random_between(0, 1);
            for (int64_t d = ndim - 1; d >= 0; d--) {
                strides[d] = regular ? dense : test_random_between(-40, 40);
                dense *= sizes[d];
            }
            tni_nest_add(&nest, strides, (size_t)1 << k);
        }
        visit_all(nest.ndim, nest.sizes, nest.strides, nest.starts, before, count);
        tni_nest_simplify(&nest);
        CHECK_INT(tni_nest_count(&nest), count);
        visit_all(nest.ndim, nest.sizes, nest.strides, nest.starts, after, count);
        CHECK(memcmp(before, after, (size_t)count * sizeof *before) == 0);
        for (int64_t d = 0; d < nest.ndim; d++)
            CHECK(nest.sizes[d] > 1);
    }
}

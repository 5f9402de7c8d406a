/* gather.c - the operators that pick by position: small examples, out and in-place forms, what they refuse; every dtype by the
 * size of its elements; random shapes and strides against the definition.
 *
 * Tests: src/cpu/index_kernels.c, src/ops/index/index_along.c, src/ops/index/index_engine.c, src/ops/index/index_loops.c
 * Tests: src/ops/index/index_rows.c, src/ops/index/masked.c, src/ops/index/scatter.c, src/ops/index/scatter_view.c */
#include "view_helpers.h"

static tn_tensor *whole_numbers(tn_dims sizes, const int64_t *values) {
    int64_t numel = 1;
    for (int64_t d = 0; d < sizes.count; d++)
        numel *= sizes.values[d];
    return tn_view(tn_clone(tn_from_memory(values, TN_DIMS(numel), TN_INT64, TN_BORROW), TN_CONTIGUOUS), sizes);
}
#define LINE(...) whole_numbers(TN_DIMS(sizeof((int64_t[]){__VA_ARGS__}) / sizeof(int64_t)), (int64_t[]){__VA_ARGS__})

TEST(gather_and_its_kin_read_by_position) {
    tn_tensor *x = counting(TN_DIMS(2, 3)), *index = tn_view(LINE(2, 0, 1, 1), TN_DIMS(2, 2)), *line = LINE(1, 1, 0);
    CHECK(x && index && line);
    CHECK_VALUES(tn_gather(x, 1, index), 2, 0, 4, 4);
    CHECK_VALUES(tn_index_select(x, -1, line), 1, 1, 0, 4, 4, 3);
    CHECK_VALUES(tn_take(tn_transpose(x, 0, 1), LINE(1, -1)), 3, 5);
    CHECK_VALUES(tn_take_along_dim(x, tn_view(LINE(-1, 0), TN_DIMS(2, 1)), 1), 2, 3);
    CHECK_VALUES(tn_take_along_dim(x, LINE(5, -6), TN_NONE), 5, 0);
    CHECK_VALUES(tn_embedding(x, line, -1, false, false), 3, 4, 5, 3, 4, 5, 0, 1, 2);
    CHECK_VALUES(tn_masked_select(x, tn_lt_scalar(x, 2)), 0, 1);
    CHECK_VALUES(tn_one_hot(line, -1), 0, 1, 0, 1, 1, 0);
}

TEST(scatter_and_its_kin_write_by_position) {
    tn_tensor *x = counting(TN_DIMS(2, 3)), *index = tn_view(LINE(2, 0, 1, 1), TN_DIMS(2, 2)), *line = LINE(1, 1);
    CHECK(x && index && line);
    CHECK_VALUES(tn_scatter(x, 1, index, tn_add_scalar(x, 10)), 11, 1, 10, 3, 14, 5);
    CHECK_VALUES(tn_scatter_value(x, 1, index, 9), 9, 1, 9, 3, 9, 5);
    CHECK_VALUES(tn_scatter_reduction(x, 1, index, x, "multiply"), 0, 1, 0, 3, 48, 5);
    CHECK_VALUES(tn_scatter_value_reduction(x, 1, index, 5, "add"), 5, 1, 7, 3, 14, 5);
    CHECK_VALUES(tn_scatter_add(x, 1, index, x), 1, 1, 2, 3, 11, 5);
    CHECK_VALUES(tn_scatter_reduce(x, 1, index, x, "mean", false), 1, 1, 0, 3, 3, 5);
    CHECK_VALUES(tn_scatter_reduce(tn_to(x, TN_INT8), 1, index, tn_to(x, TN_INT8), "amin", false), 1, 1, 0, 3, 3, 5);
    CHECK_VALUES(tn_index_add(x, 0, line, x, -1), 0, 1, 2, 0, -1, -2);
    CHECK_VALUES(tn_index_copy(x, 0, line, tn_neg(x)), 0, 1, 2, -3, -4, -5);
    CHECK_VALUES(tn_index_fill(x, 1, LINE(-1), 7), 0, 1, 7, 3, 4, 7);
    CHECK_VALUES(tn_index_fill_tensor(x, 1, LINE(-1), tn_scalar_tensor(7, TN_INT32)), 0, 1, 7, 3, 4, 7);
    CHECK_VALUES(tn_index_reduce(x, 0, line, x, "amax", true), 0, 1, 2, 3, 4, 5);
    CHECK_VALUES(tn_index_reduce(x, 0, line, x, "mean", true), 0, 1, 2, 2, 3, 4);
    tn_tensor *bytes = tn_from_text("[81, 100]", TN_INT8); /* 81 + 67 + 100 is -8 in int8 */
    CHECK_VALUES(tn_index_reduce(bytes, 0, LINE(0, 0), tn_from_text("[67, 100]", TN_INT8), "mean", true), -3, 100);
    CHECK_VALUES(tn_put(tn_transpose(x, 0, 1), LINE(1, -1), LINE(8, 9), false), 0, 8, 1, 4, 2, 9);
    CHECK_VALUES(tn_put(x, LINE(1, 1), LINE(8, 9), true), 0, 18, 2, 3, 4, 5);
    CHECK_VALUES(tn_masked_scatter(x, tn_gt_scalar(x, 3), LINE(8, 9, 10)), 0, 1, 2, 3, 8, 9);
    CHECK_VALUES(tn_select_scatter(x, LINE(8, 9), 1, -1), 0, 1, 8, 3, 4, 9);
    CHECK_VALUES(tn_slice_scatter(x, tn_view(LINE(8, 9), TN_DIMS(2, 1)), 1, 1, 2, 1), 0, 8, 2, 3, 9, 5);
    CHECK_VALUES(tn_diagonal_scatter(x, LINE(8, 9), 1, 0, 1), 0, 8, 2, 3, 4, 9);
}

TEST(in_place_and_out_forms_write_where_they_are_told) {
    tn_tensor *x = counting(TN_DIMS(2, 3)), *index = tn_view(LINE(2, 0, 1, 1), TN_DIMS(2, 2)), *line = LINE(1, 0);
    tn_tensor *out = tn_zeros(TN_DIMS(0), TN_INT64), *part = tn_transpose(tn_zeros(TN_DIMS(2, 2), TN_INT64), 0, 1);
    CHECK(x && index && line && out && part);
    CHECK(tn_gather_out(out, x, 1, index) == out);
    CHECK_VALUES(out, 2, 0, 4, 4);
    CHECK(tn_gather_out(part, x, 1, index));
    CHECK_VALUES(part, 2, 0, 4, 4);
    CHECK(tn_gather_out(index, x, 1, index)); /* which it reads */
    CHECK_VALUES(index, 2, 0, 4, 4);
    tn_tensor *taken = tn_zeros(TN_DIMS(2), TN_INT64);
    CHECK(tn_take_out(taken, x, line) && tn_take_along_dim_out(taken, x, line, TN_NONE));
    CHECK_VALUES(taken, 1, 0);
    tn_tensor *same = tn_zeros(TN_DIMS(2, 3), TN_INT64);
    CHECK(tn_index_select_out(same, x, 0, line));
    CHECK_VALUES(same, 3, 4, 5, 0, 1, 2);
    CHECK(tn_index_copy_out(x, x, 0, line, x));
    CHECK_VALUES(x, 3, 4, 5, 0, 1, 2);
    CHECK(tn_masked_select_out(same, x, tn_gt_scalar(x, 3)));
    CHECK_VALUES(same, 4, 5);
    tn_tensor *target = tn_transpose(tn_zeros(TN_DIMS(3, 2), TN_FLOAT16), 0, 1);
    CHECK(tn_index_add_(target, 1, LINE(2, 2), tn_ones(TN_DIMS(2, 2), TN_FLOAT16), 3));
    CHECK_VALUES(target, 0, 0, 6, 0, 0, 6);
    CHECK(tn_masked_scatter_(target, tn_scalar_tensor(true, TN_BOOL), tn_to(x, TN_FLOAT16)));
    CHECK_VALUES(target, 3, 4, 5, 0, 1, 2);
    CHECK(tn_put_(target, LINE(0), tn_ones(TN_DIMS(1), TN_FLOAT16), true));
    CHECK_VALUES(target, 4, 4, 5, 0, 1, 2);
}

TEST(positions_out_of_range_are_refused_before_anything_is_written) {
    tn_tensor *x = counting(TN_DIMS(2, 3)), *far = tn_view(LINE(0, 1, 2, 3), TN_DIMS(1, 4)), *line = LINE(0, 2);
    tn_tensor *back = LINE(-1, 0), *out = tn_zeros(TN_DIMS(0), TN_INT64), *source = tn_zeros(TN_DIMS(2, 3), TN_INT64);
    CHECK(x && far && line && back && out && source);
    CHECK_ERROR(TN_ERROR_INDEX, "gather: position 3 is out of range for dimension 1 of size 3", tn_gather(x, 1, far));
    CHECK_ERROR(TN_ERROR_INDEX, "position 3", tn_gather_out(out, x, 1, far));
    CHECK_INT(tn_numel(out), 0);
    CHECK_ERROR(TN_ERROR_INDEX, "position -1 is out of range for dimension 0 of size 2; negative positions do not count",
                tn_index_select(x, 0, back));
    CHECK_ERROR(TN_ERROR_INDEX, "position 3", tn_scatter_value_(x, 1, far, 9));
    CHECK_ERROR(TN_ERROR_INDEX, "position 3", tn_scatter_reduce_(x, 1, far, tn_zeros(TN_DIMS(1, 4), TN_INT64), "prod", false));
    CHECK_ERROR(TN_ERROR_INDEX, "position 2 is out of range for dimension 0 of size 2", tn_index_add_(x, 0, line, source, 1));
    CHECK_ERROR(TN_ERROR_INDEX, "position -1", tn_index_copy_(x, 0, back, source));
    CHECK_ERROR(TN_ERROR_INDEX, "position 2", tn_index_fill_(x, 0, line, 9));
    CHECK_ERROR(TN_ERROR_INDEX, "take: position 6 is out of range for self, which has 6 elements", tn_take(x, LINE(6)));
    CHECK_ERROR(TN_ERROR_INDEX, "position -7", tn_put_(x, LINE(0, -7), LINE(8, 9), false));
    CHECK_ERROR(TN_ERROR_INDEX, "position 2", tn_embedding(x, line, -1, false, false));
    CHECK_ERROR(TN_ERROR_INDEX, "position 2", tn_one_hot(line, 2));
    CHECK_VALUES(x, 0, 1, 2, 3, 4, 5);
}

TEST(arguments_that_do_not_fit_are_refused) {
    tn_tensor *x = counting(TN_DIMS(2, 3)), *square = tn_zeros(TN_DIMS(2, 2), TN_INT64), *line = LINE(0, 1);
    tn_tensor *reals = tn_ones(TN_DIMS(2, 3), TN_FLOAT32), *out = tn_zeros(TN_DIMS(2, 2), TN_FLOAT32);
    tn_tensor *small = tn_ones(TN_DIMS(2, 3), TN_FLOAT8_E5M2), *complex = tn_ones(TN_DIMS(2, 3), TN_COMPLEX64);
    CHECK(x && square && line && reals && out && small && complex);
    CHECK_ERROR(TN_ERROR_DTYPE, "index holds positions and must have an integer dtype, as int64; it is [2, 3] float32",
                tn_gather(x, 0, reals));
    CHECK_ERROR(TN_ERROR_SHAPE, "index [2] int64 must have as many dimensions as self [2, 3] int64", tn_gather(x, 0, line));
    CHECK_ERROR(TN_ERROR_INDEX, "dim", tn_gather(x, 2, square));
    CHECK_ERROR(TN_ERROR_DTYPE, "and so must out", tn_gather_out(out, x, 0, square));
    CHECK_ERROR(TN_ERROR_DTYPE, "out [2, 2] float32 must have the dtype of self",
                tn_masked_select_out(out, x, tn_gt_scalar(x, 1)));
    CHECK_ERROR(TN_ERROR_SHAPE, "index [2, 2] int64 must have one dimension", tn_index_select(x, 0, square));
    CHECK_ERROR(TN_ERROR_SHAPE, "index [2, 2] int64 must have one dimension", tn_index_fill(x, 0, square, 1));
    CHECK_ERROR(TN_ERROR_DTYPE, "src [2, 3] float32 must have the dtype of self", tn_scatter(x, 0, square, reals));
    CHECK_ERROR(TN_ERROR_SHAPE, "no larger than src [2] int64", tn_scatter(x, 0, square, line));
    CHECK_ERROR(TN_ERROR_DTYPE, "value = 1+1j does not fit", tn_scatter_value(x, 0, square, tn_scalar_complex(1, 1)));
    CHECK_ERROR(TN_ERROR_ARGUMENT, "reduce is \"sum\"; it may be \"add\" or \"multiply\"",
                tn_scatter_reduction(x, 0, square, x, "sum"));
    CHECK_ERROR(TN_ERROR_ARGUMENT, "it may be \"prod\", \"mean\"", tn_index_reduce(x, 0, line, x, "sum", true));
    CHECK_ERROR(TN_ERROR_DTYPE, "no such reduction for self [2, 3] float8_e5m2", tn_scatter_add(small, 0, square, small));
    CHECK_ERROR(TN_ERROR_DTYPE, "no such reduction", tn_scatter_reduce(complex, 0, square, complex, "amax", true));
    CHECK_ERROR(TN_ERROR_SHAPE, "source [2, 2] int64 must have the sizes of self", tn_index_add(x, 0, line, square, 1));
    CHECK_ERROR(TN_ERROR_DTYPE, "source [2, 3] float32 must have the dtype", tn_index_copy(x, 0, line, reals));
    CHECK_ERROR(TN_ERROR_DTYPE, "alpha = 1+1j does not fit", tn_index_add(x, 0, line, x, tn_scalar_complex(1, 1)));
    CHECK_ERROR(TN_ERROR_DTYPE, "value = 1+1j", tn_index_fill(x, 0, line, tn_scalar_complex(1, 1)));
    CHECK_ERROR(TN_ERROR_SHAPE, "value [2] int64 must have no dimensions", tn_index_fill_tensor(x, 0, line, line));
    CHECK_ERROR(TN_ERROR_SHAPE, "as many elements as index", tn_put(x, line, x, false));
    CHECK_ERROR(TN_ERROR_DTYPE, "source [2, 3] float32", tn_put(x, line, reals, false));
    CHECK_ERROR(TN_ERROR_SHAPE, "cannot be broadcast together in all dimensions but 0", tn_take_along_dim(x, square, 0));
    CHECK_ERROR(TN_ERROR_DTYPE, "mask must be bool", tn_masked_select(x, x));
    CHECK_ERROR(TN_ERROR_SHAPE, "cannot be broadcast together", tn_masked_select(x, tn_ones(TN_DIMS(2), TN_BOOL)));
    CHECK_ERROR(TN_ERROR_SHAPE, "has fewer elements than the mask has true ones, 6",
                tn_masked_scatter(x, tn_ones(TN_DIMS(1), TN_BOOL), line));
    CHECK_ERROR(TN_ERROR_DTYPE, "source [2, 3] float32", tn_masked_scatter(x, tn_ones(TN_DIMS(1), TN_BOOL), reals));
    CHECK_ERROR(TN_ERROR_SHAPE, "must have the sizes [3] of the part it replaces", tn_select_scatter(x, line, 0, 0));
    CHECK_ERROR(TN_ERROR_INDEX, "select_scatter", tn_select_scatter(x, line, 0, 2));
    CHECK_ERROR(TN_ERROR_SHAPE, "weight must have 2 dimensions", tn_embedding(line, line, -1, false, false));
    CHECK_ERROR(TN_ERROR_ARGUMENT, "num_classes", tn_one_hot(line, -2));
    CHECK_ERROR(TN_ERROR_ARGUMENT, "has no elements", tn_one_hot(tn_zeros(TN_DIMS(0), TN_INT64), -1));
    CHECK_ERROR(TN_ERROR_ARGUMENT, "num_classes is 0", tn_one_hot(tn_zeros(TN_DIMS(0), TN_INT64), 0));
    CHECK_ERROR(TN_ERROR_OVERLAP, "share a place", tn_scatter_value_(tn_expand(line, TN_DIMS(3, 2)), 0, square, 1));
}

static bool same_bytes(const tn_tensor *a, const tn_tensor *b) {
    return a && b && tn_nbytes(a) == tn_nbytes(b) &&
           (tn_nbytes(a) == 0 || memcmp(tn_data(a), tn_data(b), (size_t)tn_nbytes(a)) == 0);
}

TEST(elements_of_every_dtype_are_moved_as_they_are) {
    for (int number = 1; number < TN_DTYPE_COUNT; number++) {
        tn_tensor *x = tn_to(counting(TN_DIMS(2, 3)), (tn_dtype)number), *line = LINE(2, 0);
        tn_tensor *picked = tn_index_select(x, 1, line), *there = tn_index_copy(x, 1, line, picked);
        tn_tensor *taken = tn_take(there, LINE(0, 1, 2, 3, 4, 5)),
                  *kept = tn_masked_select(there, tn_ones(TN_DIMS(1), TN_BOOL));
        CHECK(x && picked && there && taken && kept);
        CHECK(same_bytes(there, x) && same_bytes(taken, x) && same_bytes(kept, x));
        CHECK(same_bytes(tn_index_put(x, TN_INDEX(TN_ALL, TN_PICK(line)), picked, false), x));
    }
}

/* Few elements without gaps are selected by another way than many, or than those with gaps. */
TEST_SAMPLED(a_selection_has_the_bytes_of_one_from_memory_with_gaps_in_every_dtype_and_number) {
    for (int round = 0; round < 8 * (TN_DTYPE_COUNT - 1); round++) {
        tn_scope scope = tn_scope_open();
        tn_dtype dtype = (tn_dtype)(1 + round % (TN_DTYPE_COUNT - 1));
        int64_t sizes[3], dim = test_random_between(0, 2), count = test_random_between(0, round % 4 == 0 ? 120 : 9);
        for (int64_t d = 0; d < 3; d++)
            sizes[d] = test_random_between(1, d == 2 && round % 3 == 0 ? 1 : 5);
        tn_tensor *x = tn_to(counting((tn_dims){sizes, 3}), dtype), *index = tn_zeros(TN_DIMS(count), TN_INT64);
        CHECK(x && index);
        for (int64_t i = 0; i < count; i++)
            ((int64_t *)tn_mutable_data(index))[i] = test_random_between(0, sizes[dim] - 1);
        tn_tensor *gaps = tn_slice(tn_cat(((const tn_tensor *[]){x, x}), 2, 2), 2, 0, sizes[2], 1);
        tn_tensor *wanted = tn_index_select(gaps, dim, index), *twice = tn_repeat_interleave(index, 2, 0, TN_NONE);
        CHECK(wanted && twice);
        CHECK(same_bytes(tn_index_select(x, dim, index), wanted));
        CHECK(same_bytes(tn_index_select(x, dim, tn_to(index, TN_INT32)), wanted));
        CHECK(same_bytes(tn_index_select(x, dim, tn_slice(twice, 0, 0, TN_END, 2)), wanted));
        tn_tensor *out = tn_empty_like(wanted, TN_DTYPE_DEFAULT, TN_PRESERVE);
        CHECK(out && tn_index_select_out(out, x, dim, index) == out && same_bytes(out, wanted));
        tn_scope_close(scope);
    }
}

TEST(a_selection_that_is_refused_has_written_nothing) {
    tn_tensor *x = counting(TN_DIMS(2, 3)), *out = tn_full(TN_DIMS(3, 3), -1, TN_INT64);
    CHECK(x && out && (out = tn_to(out, tn_dtype_of(x))));
    CHECK_ERROR(TN_ERROR_INDEX, "position 2 is out of range for dimension 0 of size 2",
                tn_index_select_out(out, x, 0, LINE(0, 1, 2)));
    CHECK_ERROR(TN_ERROR_INDEX, "position -1 is out of range", tn_index_select_out(out, x, 0, LINE(0, -1, 1)));
    CHECK_ERROR(TN_ERROR_INDEX, "position 9 is out of range for dimension 1 of size 3", tn_index_select(x, 1, LINE(9)));
    CHECK_VALUES(out, -1, -1, -1, -1, -1, -1, -1, -1, -1);
}

/* ---- random shapes and strides against the definition */

enum { CELLS_MOST = 1024 };

typedef struct cube {
    int64_t sizes[3];
    double cells[CELLS_MOST];
} cube;

static int64_t cell(const cube *c, const int64_t *at) { return (at[0] * c->sizes[1] + at[1]) * c->sizes[2] + at[2]; }

/* Numbers, and a tensor of them whose memory has another order. */
static tn_tensor *random_cube(cube *c, const int64_t *sizes, int64_t low, int64_t high, tn_dtype dtype) {
    int64_t numel = sizes[0] * sizes[1] * sizes[2], a = test_random_between(0, 2), b = test_random_between(0, 2);
    memcpy(c->sizes, sizes, sizeof c->sizes);
    for (int64_t i = 0; i < numel; i++)
        c->cells[i] = (double)test_random_between(low, high);
    tn_tensor *rows =
        tn_view(tn_from_memory(c->cells, TN_DIMS(numel), TN_FLOAT64, TN_BORROW), TN_DIMS(sizes[0], sizes[1], sizes[2]));
    tn_tensor *made = tn_transpose(tn_clone(tn_transpose(tn_to(rows, dtype), a, b), TN_CONTIGUOUS), a, b);
    if (test_random_between(0, 2) == 0)
        made = tn_flip(tn_clone(tn_flip(made, TN_DIMS(1)), TN_PRESERVE), TN_DIMS(1));
    CHECK(made);
    return made;
}

static void check_cube(const tn_tensor *tensor, const cube *wanted, const char *what) {
    CHECK(tensor);
    tn_tensor *rows = tn_to(tn_contiguous(tensor, TN_CONTIGUOUS), TN_FLOAT64);
    CHECK(rows && tn_numel(rows) == wanted->sizes[0] * wanted->sizes[1] * wanted->sizes[2]);
    for (int64_t i = 0; i < tn_numel(rows); i++)
        if (tn_data_float64(rows)[i] != wanted->cells[i])
            test_fail(__FILE__, __LINE__, "%s: element %lld is %g, not %g", what, (long long)i, tn_data_float64(rows)[i],
                      wanted->cells[i]);
}

static void check_random_gather(void) {
    static const tn_dtype dtypes[] = {TN_FLOAT32, TN_FLOAT64, TN_INT64, TN_INT32, TN_FLOAT16, TN_INT8, TN_UINT64};
    static const tn_dtype kinds[] = {TN_INT64, TN_INT32, TN_UINT8, TN_UINT64};
    static const char *const names[] = {"sum", "prod", "amax", "amin"};
    int64_t sizes[3], smaller[3], at[3], dim = test_random_between(0, 2), mode = test_random_between(0, 3);
    bool fresh = test_random_between(0, 1);
    cube x, index, source, wanted, seen;
    for (int d = 0; d < 3; d++) {
        sizes[d] = test_random_between(1, 6);
        smaller[d] = d == dim ? test_random_between(1, 6) : test_random_between(1, sizes[d]);
    }
    tn_dtype dtype = dtypes[test_random_between(0, 6)];
    int64_t low = dtype == TN_UINT64 ? 0 : -2;
    tn_tensor *self = random_cube(&x, sizes, low, 2, dtype), *src = random_cube(&source, smaller, low, 2, dtype);
    tn_tensor *positions = random_cube(&index, smaller, 0, sizes[dim] - 1, kinds[test_random_between(0, 3)]);
    wanted = source;
    for (int64_t i = 0; i < smaller[0] * smaller[1] * smaller[2]; i++) {
        tn_geometry_index_at(3, smaller, i, at);
        at[dim] = (int64_t)index.cells[i];
        wanted.cells[i] = x.cells[cell(&x, at)];
    }
    check_cube(tn_gather(self, dim, positions), &wanted, "gather");
    wanted = x;
    for (int64_t i = 0; i < smaller[0] * smaller[1] * smaller[2]; i++) {
        tn_geometry_index_at(3, smaller, i, at);
        at[dim] = (int64_t)index.cells[i];
        wanted.cells[cell(&x, at)] = source.cells[i];
    }
    check_cube(tn_scatter(self, dim, positions, src), &wanted, "scatter");
    wanted = x;
    memset(&seen, 0, sizeof seen);
    for (int64_t i = 0; i < smaller[0] * smaller[1] * smaller[2]; i++) {
        tn_geometry_index_at(3, smaller, i, at);
        at[dim] = (int64_t)index.cells[i];
        int64_t place = cell(&x, at);
        double a = wanted.cells[place], b = source.cells[i];
        bool first = fresh && seen.cells[place]++ == 0;
        wanted.cells[place] = first ? b : mode == 0 ? a + b : mode == 1 ? a * b : mode == 2 ? fmax(a, b) : fmin(a, b);
    }
    check_cube(tn_scatter_reduce(self, dim, positions, src, names[mode], !fresh), &wanted, names[mode]);
}

TEST_SAMPLED(random_gathers_and_scatters_agree_with_the_definition) {
    for (int k = 0; k < 1500; k++) {
        tn_scope scope = tn_scope_open();
        check_random_gather();
        tn_scope_close(scope);
    }
}

/* reduce.c - reductions against a naive model: every operator over random shapes, strides and dimensions, for every dtype; and
 * what results must not depend on: threads, levels, the order in memory.
 *
 * The model walks the elements by their index and computes in double (or in integers), so floats are compared within a
 * tolerance of the dtype; extremes, indices, counts and integers exactly. reduce_torch.c compares with PyTorch's answers.
 *
 * Tests: src/cpu/reduce_kernels.c, src/iterate/runs.c, src/ops/reduce/reduce_count.c, src/ops/reduce/reduce_extreme.c
 * Tests: src/ops/reduce/reduce_logsumexp.c, src/ops/reduce/reduce_moments.c, src/ops/reduce/reduce_norm.c
 * Tests: src/ops/reduce/reduce_sum.c */
#include <tenon/dispatch.h>

#include "warning_helpers.h"

/* ---- tensors of all strides ----------------------------------------------------------------------------------------- */

static const tn_dtype reduce_dtypes[] = {TN_BOOL,  TN_UINT8, TN_UINT16,  TN_UINT32,   TN_UINT64,  TN_INT8,   TN_INT16,
                                         TN_INT32, TN_INT64, TN_FLOAT16, TN_BFLOAT16, TN_FLOAT32, TN_FLOAT64};

/* Small whole numbers, so that sums and products of few are exact in every dtype. */
static tn_tensor *reduce_values(tn_dims size, tn_dtype dtype) {
    tn_tensor *base = tn_empty(size, TN_FLOAT32);
    float *data = base ? tn_mutable_data_float32(base) : NULL;
    for (int64_t i = 0; data && i < tn_numel(base); i++)
        data[i] = (float)test_random_between(tn_dtype_is_signed(dtype) && dtype != TN_BOOL ? -4 : 0, 4);
    return tn_to(base, dtype);
}

/* A tensor of up to four dimensions, often with gaps, reversed, permuted or repeated. */
static tn_tensor *reduce_random(tn_dtype dtype, int64_t longest) {
    int64_t ndim = test_random_between(0, 4), sizes[4], order[4];
    for (int64_t d = 0; d < ndim; d++) {
        sizes[d] = test_random_between(test_random_between(0, 9) == 0 ? 0 : 1, d == 0 ? longest : 7);
        order[d] = d;
    }
    tn_tensor *x = reduce_values((tn_dims){sizes, ndim}, dtype);
    for (int64_t d = 0; x && d < ndim; d++) {
        int64_t other = test_random_between(0, ndim - 1), swapped = order[d];
        order[d] = order[other];
        order[other] = swapped;
        int kind = (int)test_random_between(0, 5);
        if (kind == 0)
            x = tn_slice(x, d, TN_NONE, TN_NONE, 2);
        else if (kind == 1)
            x = tn_slice(x, d, TN_NONE, TN_NONE, -1);
        else if (kind == 2 && tn_size(x, d) == 1)
            x = tn_expand(x, (tn_dims){(const int64_t[]){-1, -1, -1, -1}, ndim});
        else if (kind == 3 && tn_size(x, d) > 1)
            x = tn_narrow(x, d, 1, tn_size(x, d) - 1);
    }
    return ndim > 1 && x ? tn_permute(x, (tn_dims){order, ndim}) : x;
}

/* ---- the model ------------------------------------------------------------------------------------------------------ */

typedef struct reduce_model {
    double sum, squares, product, largest, smallest;
    int64_t count, nonzero, where_largest, where_smallest;
} reduce_model;

static void reduce_model_add(reduce_model *model, double x, int64_t index) {
    if (model->count == 0 || x > model->largest) {
        model->largest = x;
        model->where_largest = index;
    }
    if (model->count == 0 || x < model->smallest) {
        model->smallest = x;
        model->where_smallest = index;
    }
    model->sum += x;
    model->squares += x * x;
    model->product = model->count ? model->product * x : x;
    model->nonzero += x != 0;
    model->count++;
}

/* The elements that are reduced to the result at `index` (of the dimensions that are kept; others are ignored). */
static reduce_model reduce_model_of(const tn_tensor *x, const bool *reduced, const int64_t *index) {
    reduce_model model = {.product = 1};
    int64_t place[8] = {0}, ndim = tn_ndim(x), number = 0;
    tn_dims sizes = tn_sizes(x);
    for (int64_t d = 0; d < ndim; d++) {
        place[d] = reduced[d] ? 0 : index[d];
        if (reduced[d] && sizes.values[d] == 0)
            return model;
    }
    for (;;) {
        reduce_model_add(&model, tn_get_double(x, (tn_dims){place, ndim}), number++);
        int64_t d = ndim - 1;
        for (; d >= 0; d--) {
            if (!reduced[d])
                continue;
            if (++place[d] < sizes.values[d])
                break;
            place[d] = 0;
        }
        if (d < 0)
            return model;
    }
}

typedef double (*reduce_answer)(const reduce_model *model);

static double reduce_sum(const reduce_model *m) { return m->sum; }
static double reduce_product(const reduce_model *m) { return m->count ? m->product : 1; }
static double reduce_nonzero(const reduce_model *m) { return (double)m->nonzero; }
static double reduce_any(const reduce_model *m) { return m->nonzero > 0; }
static double reduce_all(const reduce_model *m) { return m->nonzero == m->count; }
static double reduce_largest(const reduce_model *m) { return m->largest; }
static double reduce_smallest(const reduce_model *m) { return m->smallest; }
static double reduce_where_largest(const reduce_model *m) { return (double)m->where_largest; }
static double reduce_where_smallest(const reduce_model *m) { return (double)m->where_smallest; }
static double reduce_mean(const reduce_model *m) { return m->sum / (double)m->count; }
static double reduce_norm2(const reduce_model *m) { return sqrt(m->squares); }
static double reduce_var(const reduce_model *m) {
    double n = (double)m->count, mean = m->sum / n, spread = m->squares - mean * m->sum;
    return (spread < 1e-9 ? 0 : spread) / (n > 1 ? n - 1 : 0);
}

/* Every element of `actual` is what the model says, within `error` (of the magnitude). */
static void reduce_check(const char *name, const tn_tensor *x, const bool *reduced, bool keepdim, const tn_tensor *actual,
                         reduce_answer answer, double error) {
    if (!actual)
        test_fail(__FILE__, __LINE__, "%s: %s", name, tn_error_message());
    int64_t index[8] = {0}, place[8], ndim = tn_ndim(x), kept = 0;
    for (int64_t d = 0; d < ndim; d++)
        if (!reduced[d] || keepdim)
            CHECK_INT(tn_size(actual, kept++), reduced[d] ? 1 : tn_size(x, d));
    CHECK_INT(tn_ndim(actual), kept);
    if (tn_numel(actual) == 0)
        return;
    for (;;) {
        kept = 0;
        for (int64_t d = 0; d < ndim; d++)
            if (!reduced[d] || keepdim)
                place[kept++] = reduced[d] ? 0 : index[d];
        reduce_model model = reduce_model_of(x, reduced, index);
        double expected = answer(&model), got = tn_get_double(actual, (tn_dims){place, kept});
        bool same =
            expected == got || (isnan(expected) && isnan(got)) || fabs(got - expected) <= error * fabs(expected) + error;
        if (!same)
            test_fail(__FILE__, __LINE__, "%s of %s with sizes %lld.. : %.17g, not %.17g", name, tn_dtype_name(tn_dtype_of(x)),
                      (long long)(ndim ? tn_size(x, 0) : 0), got, expected);
        int64_t d = ndim - 1;
        for (; d >= 0; d--) {
            if (reduced[d])
                continue;
            if (++index[d] < tn_size(x, d))
                break;
            index[d] = 0;
        }
        if (d < 0)
            return;
    }
}

/* ---- random calls ---------------------------------------------------------------------------------------------------- */

typedef struct reduce_choice {
    bool reduced[8], keepdim;
    int64_t dims[8], count, one; /* `one` is a dimension, or TN_NONE; the only reduced dimension for operators that take one */
    bool only[8], empty, empty_one;
} reduce_choice;

static reduce_choice reduce_choose(const tn_tensor *x) {
    reduce_choice c = {.keepdim = test_random_between(0, 1), .one = TN_NONE};
    int64_t ndim = tn_ndim(x);
    for (int64_t d = 0; d < ndim; d++)
        if (test_random_between(0, 1)) {
            c.dims[c.count++] = test_random_between(0, 1) ? d : d - ndim;
            c.reduced[d] = true;
        }
    if (ndim > 0 && test_random_between(0, 3) > 0)
        c.one = test_random_between(0, ndim - 1);
    for (int64_t d = 0; d < ndim; d++) {
        c.reduced[d] = c.reduced[d] || c.count == 0;
        c.only[d] = c.one == TN_NONE || d == c.one;
        c.empty = c.empty || (c.reduced[d] && tn_size(x, d) == 0);
        c.empty_one = c.empty_one || (c.only[d] && tn_size(x, d) == 0);
    }
    if (c.one != TN_NONE && test_random_between(0, 1))
        c.one -= ndim;
    return c;
}

static void reduce_every_way(tn_tensor *x) {
    CHECK(x);
    tn_dtype dtype = tn_dtype_of(x);
    reduce_choice c = reduce_choose(x);
    tn_dims dims = {c.dims, c.count};
    bool floats = tn_dtype_is_floating(dtype);
    double loose = dtype == TN_BFLOAT16 ? 0.01 : dtype == TN_FLOAT16 ? 0.002 : floats ? 1e-5 : 0;
    reduce_check("sum", x, c.reduced, c.keepdim, tn_sum_dim(x, dims, c.keepdim, TN_DTYPE_DEFAULT), reduce_sum, loose);
    reduce_check("sum float64", x, c.reduced, c.keepdim, tn_sum_dim(x, dims, c.keepdim, TN_FLOAT64), reduce_sum, 0);
    reduce_check("nansum", x, c.reduced, c.keepdim, tn_nansum(x, dims, c.keepdim, TN_DTYPE_DEFAULT), reduce_sum, loose);
    reduce_check("count_nonzero", x, c.reduced, false, tn_count_nonzero_dims(x, dims), reduce_nonzero, 0);
    reduce_check("any", x, c.reduced, c.keepdim, tn_any_dims(x, c.count ? dims : (tn_dims){NULL, 0}, c.keepdim), reduce_any, 0);
    reduce_check("all", x, c.only, c.keepdim,
                 c.one == TN_NONE ? tn_all_dims(x, (tn_dims){NULL, 0}, c.keepdim) : tn_all_dim(x, c.one, c.keepdim), reduce_all,
                 0);
    if (c.one != TN_NONE)
        reduce_check("prod", x, c.only, c.keepdim, tn_prod_dim(x, c.one, c.keepdim, TN_FLOAT64), reduce_product, 1e-9);
    if (!c.empty) {
        reduce_check("amax", x, c.reduced, c.keepdim, tn_amax(x, dims, c.keepdim), reduce_largest, 0);
        reduce_check("amin", x, c.reduced, c.keepdim, tn_amin(x, dims, c.keepdim), reduce_smallest, 0);
        reduce_check("mean", x, c.reduced, c.keepdim, tn_mean_dim(x, dims, c.keepdim, TN_FLOAT64), reduce_mean, 1e-12);
    }
    if (!c.empty_one) {
        if (dtype != TN_BOOL) {
            reduce_check("argmax", x, c.only, c.keepdim, tn_argmax(x, c.one, c.keepdim), reduce_where_largest, 0);
            reduce_check("argmin", x, c.only, c.keepdim, tn_argmin(x, c.one, c.keepdim), reduce_where_smallest, 0);
        }
        tn_list *both = tn_aminmax(x, c.one, c.keepdim);
        CHECK(both);
        reduce_check("aminmax min", x, c.only, c.keepdim, tn_list_at(both, 0), reduce_smallest, 0);
        reduce_check("aminmax max", x, c.only, c.keepdim, tn_list_at(both, 1), reduce_largest, 0);
    }
    if (!c.empty_one && c.one != TN_NONE) {
        tn_list *most = tn_max_dim(x, c.one, c.keepdim), *least = tn_min_dim(x, c.one, c.keepdim);
        CHECK(most && least);
        reduce_check("max values", x, c.only, c.keepdim, tn_list_at(most, 0), reduce_largest, 0);
        reduce_check("max indices", x, c.only, c.keepdim, tn_list_at(most, 1), reduce_where_largest, 0);
        reduce_check("min values", x, c.only, c.keepdim, tn_list_at(least, 0), reduce_smallest, 0);
        reduce_check("min indices", x, c.only, c.keepdim, tn_list_at(least, 1), reduce_where_smallest, 0);
    }
    if (floats) {
        tn_list *both = tn_var_mean_correction(x, dims, TN_NO_SCALAR, c.keepdim);
        CHECK(both);
        reduce_check("var", x, c.reduced, c.keepdim, tn_list_at(both, 0), reduce_var, loose);
        reduce_check("var's mean", x, c.reduced, c.keepdim, tn_list_at(both, 1), reduce_mean, loose);
        reduce_check("norm", x, c.reduced, c.keepdim, tn_norm_dim(x, TN_NO_SCALAR, dims, c.keepdim, TN_DTYPE_DEFAULT),
                     reduce_norm2, loose);
    }
}

static void reduce_one_call(tn_dtype dtype, int64_t longest) {
    tn_scope scope = tn_scope_open();
    reduce_every_way(reduce_random(dtype, longest));
    tn_scope_close(scope);
}

/* Sizes of everyday tensors: hundreds of rows, mostly few reduced elements, up to 64 columns; so thousands of results. */
static tn_tensor *reduce_random_middle(tn_dtype dtype) {
    int64_t rows = test_random_between(40, 300), middle = test_random_between(1, 6), columns = test_random_between(1, 64);
    bool turned = test_random_between(0, 2) == 0;
    tn_tensor *x = reduce_values(turned ? TN_DIMS(columns, middle, rows) : TN_DIMS(rows, middle, columns), dtype);
    return turned ? tn_transpose(x, 0, 2) : x;
}

TEST_SAMPLED(every_reduction_of_every_dtype_agrees_with_the_model) {
    for (int round = 0; round < 60; round++)
        for (size_t i = 0; i < sizeof reduce_dtypes / sizeof reduce_dtypes[0]; i++)
            reduce_one_call(reduce_dtypes[i], round % 4 == 0 ? 90 : 20);
}

TEST_SAMPLED(reductions_with_thousands_of_results_agree_with_the_model) {
    for (int round = 0; round < 2; round++)
        for (size_t i = 0; i < sizeof reduce_dtypes / sizeof reduce_dtypes[0]; i++) {
            tn_scope scope = tn_scope_open();
            reduce_every_way(reduce_random_middle(reduce_dtypes[i]));
            tn_scope_close(scope);
        }
}

TEST_SAMPLED(long_reductions_agree_with_the_model_at_every_level) {
    tn_cpu_level before = tn_cpu_level_in_use();
    for (int level = 0; level <= (int)tn_cpu_level_detected(); level++) {
        tn_set_cpu_level((tn_cpu_level)level);
        for (int round = 0; round < 6; round++) {
            reduce_one_call(TN_FLOAT32, 900);
            reduce_one_call(TN_FLOAT64, 900);
            reduce_one_call(TN_INT32, 900);
            reduce_one_call(TN_INT64, 900);
            reduce_one_call(TN_BFLOAT16, 900);
        }
    }
    tn_set_cpu_level(before);
}

/* ---- what nothing may change ------------------------------------------------------------------------------------------ */

static tn_tensor *reduce_noise(tn_dims size, tn_dtype dtype) {
    tn_tensor *x = tn_empty(size, TN_FLOAT64);
    double *data = x ? tn_mutable_data_float64(x) : NULL;
    for (int64_t i = 0; data && i < tn_numel(x); i++)
        data[i] = (double)(int64_t)(test_random() >> 11) * 0x1p-50 - 4;
    return tn_to(x, dtype);
}

static bool reduce_same_bits(const tn_tensor *a, const tn_tensor *b) {
    if (!a || !b || tn_numel(a) != tn_numel(b) || tn_dtype_of(a) != tn_dtype_of(b))
        return false;
    return memcmp(tn_data(a), tn_data(b), tn_nbytes(a)) == 0;
}

typedef tn_tensor *(*reduce_operator)(const tn_tensor *x, tn_dims dim);

static tn_tensor *reduce_do_sum(const tn_tensor *x, tn_dims dim) { return tn_sum_dim(x, dim, false, TN_DTYPE_DEFAULT); }
static tn_tensor *reduce_do_var(const tn_tensor *x, tn_dims dim) { return tn_var_dim(x, dim, true, false); }
static tn_tensor *reduce_do_norm(const tn_tensor *x, tn_dims dim) { return tn_norm_dim(x, 2, dim, false, TN_DTYPE_DEFAULT); }
static tn_tensor *reduce_do_norm3(const tn_tensor *x, tn_dims dim) { return tn_norm_dim(x, 3, dim, false, TN_DTYPE_DEFAULT); }
static tn_tensor *reduce_do_logsumexp(const tn_tensor *x, tn_dims dim) { return tn_logsumexp(x, dim, false); }
static tn_tensor *reduce_do_amax(const tn_tensor *x, tn_dims dim) { return tn_amax(x, dim, false); }
static tn_tensor *reduce_do_prod(const tn_tensor *x, tn_dims dim) {
    return tn_prod_dim(x, dim.values[0], false, TN_DTYPE_DEFAULT);
}
static tn_tensor *reduce_do_argmin(const tn_tensor *x, tn_dims dim) {
    return tn_argmin(x, dim.count == 1 ? dim.values[0] : TN_NONE, false);
}

static const reduce_operator reduce_operators[] = {reduce_do_sum,       reduce_do_var,  reduce_do_norm, reduce_do_norm3,
                                                   reduce_do_logsumexp, reduce_do_amax, reduce_do_prod, reduce_do_argmin};

TEST_SAMPLED(results_have_the_same_bits_for_every_number_of_threads) {
    int64_t before = tn_num_threads();
    static const tn_dtype dtypes[] = {TN_FLOAT32, TN_FLOAT64, TN_BFLOAT16};
    for (int k = 0; k < 3; k++) {
        tn_tensor *x = reduce_noise(TN_DIMS(1100, 700), dtypes[k]), *turned = tn_transpose(x, 0, 1);
        CHECK(turned);
        for (size_t i = 0; i < sizeof reduce_operators / sizeof reduce_operators[0]; i++)
            for (int way = 0; way < 5; way++) {
                tn_scope scope = tn_scope_open();
                const tn_tensor *of = way % 2 ? turned : x;
                tn_dims dim = way == 4 ? TN_DIMS(0, 1) : TN_DIMS(way / 2);
                tn_set_num_threads(1);
                tn_tensor *one = reduce_operators[i](of, dim);
                tn_set_num_threads(3);
                tn_tensor *three = reduce_operators[i](of, dim);
                tn_set_num_threads(before);
                CHECK(reduce_same_bits(one, three));
                tn_scope_close(scope);
            }
    }
}

/* The result of this many elements is joined from those of its parts. */
TEST_SAMPLED(sums_and_products_of_one_long_line_are_joined_from_their_parts) {
    static const tn_dtype dtypes[] = {TN_UINT8, TN_INT32, TN_INT64, TN_FLOAT32, TN_FLOAT64, TN_COMPLEX64, TN_COMPLEX128};
    enum { COUNT = 700001, TWOS = 12 };
    int64_t before = tn_num_threads();
    for (size_t d = 0; d < sizeof dtypes / sizeof *dtypes; d++) {
        tn_scope scope = tn_scope_open();
        bool complex = tn_dtype_is_complex(dtypes[d]);
        tn_tensor *x = tn_ones(TN_DIMS(COUNT), dtypes[d]);
        CHECK(x);
        for (int64_t i = 0; i < TWOS; i++) { /* a two, or 1 + i, whose square is 2 i, here and there */
            tn_tensor *place = tn_select(x, 0, i * (COUNT / TWOS) + 5);
            CHECK(place && tn_fill_(place, complex ? tn_scalar_complex(1, 1) : tn_scalar_int(2)));
        }
        for (int64_t threads = 1; threads <= 3; threads++) {
            CHECK(tn_set_num_threads(threads) == TN_OK);
            tn_tensor *sum = tn_sum(x, TN_DTYPE_DEFAULT), *product = tn_prod(x, TN_DTYPE_DEFAULT);
            CHECK(tn_set_num_threads(before) == TN_OK);
            CHECK(sum && product);
            CHECK_DOUBLE(tn_item_double(complex ? tn_real(sum) : sum), COUNT + (complex ? 0 : TWOS));
            CHECK_DOUBLE(complex ? tn_item_double(tn_imag(sum)) : 0, complex ? TWOS : 0);
            CHECK_DOUBLE(tn_item_double(complex ? tn_real(product) : product), complex ? -64 : 4096); /* (2 i)^6 */
            CHECK_DOUBLE(complex ? tn_item_double(tn_imag(product)) : 0, 0);
        }
        tn_scope_close(scope);
    }
}

TEST_SAMPLED(sums_and_extremes_have_the_same_bits_at_every_level) {
    tn_cpu_level before = tn_cpu_level_in_use();
    static const tn_dtype dtypes[] = {TN_FLOAT32, TN_FLOAT64, TN_INT64};
    for (int k = 0; k < 3; k++) {
        tn_tensor *most = reduce_noise(TN_DIMS(513, 335), dtypes[k]);
        CHECK(most);
        for (int64_t columns = 332; columns <= 335; columns++) /* registers have room for 2, 4 and 8 */
            for (int i = 0; i < (k < 2 ? 3 : 1); i++)
                for (int way = 0; way < 3; way++) {
                    tn_tensor *x = tn_contiguous(tn_narrow(most, 1, 0, columns), TN_CONTIGUOUS);
                    CHECK(x);
                    tn_dims dim = way == 2 ? TN_DIMS(0, 1) : TN_DIMS(way);
                    tn_set_cpu_level(TN_CPU_BASELINE);
                    tn_tensor *least = reduce_operators[i](x, dim);
                    tn_set_cpu_level(before);
                    CHECK(reduce_same_bits(least, reduce_operators[i](x, dim)));
                }
    }
}

TEST_SAMPLED(a_strided_tensor_has_the_sum_of_its_copy_bit_for_bit) {
    tn_tensor *wide = reduce_noise(TN_DIMS(60000), TN_FLOAT32), *x = tn_slice(wide, 0, TN_NONE, TN_NONE, 3);
    CHECK(x);
    for (int i = 0; i < 3; i++)
        CHECK(reduce_same_bits(reduce_operators[i](x, TN_DIMS(0)),
                               reduce_operators[i](tn_contiguous(x, TN_CONTIGUOUS), TN_DIMS(0))));
    tn_tensor *half = tn_to(wide, TN_BFLOAT16), *widened = tn_to(half, TN_FLOAT32);
    CHECK(widened);
    CHECK(reduce_same_bits(tn_sum(half, TN_FLOAT32), tn_sum(widened, TN_DTYPE_DEFAULT)));
}

/* ---- accuracy --------------------------------------------------------------------------------------------------------- */

TEST_SAMPLED(sums_of_many_floats_are_as_good_as_one_rounding_allows) {
    tn_tensor *x = reduce_noise(TN_DIMS(3000000), TN_FLOAT32);
    CHECK(x);
    const float *data = tn_data_float32(x);
    long double exact = 0, magnitude = 0;
    for (int64_t i = 0; i < tn_numel(x); i++) {
        exact += data[i];
        magnitude += fabsf(data[i]);
    }
    CHECK(fabs(tn_item_double(tn_sum(x, TN_DTYPE_DEFAULT)) - (double)exact) <
          1e-8 * (double)magnitude + 1e-7 * fabs((double)exact));
    long double mean = exact / tn_numel(x), spread = 0;
    for (int64_t i = 0; i < tn_numel(x); i++)
        spread += (data[i] - mean) * (data[i] - mean);
    double variance = (double)(spread / (tn_numel(x) - 1));
    CHECK(fabs(tn_item_double(tn_var(x, true)) - variance) < 1.2e-7 * variance);
}

TEST(a_variance_survives_a_large_mean) {
    tn_tensor *x = tn_add_scalar(tn_arange(1000, TN_FLOAT64), 1e9), *narrow = tn_add_scalar(tn_arange(1000, TN_FLOAT32), 1e6);
    CHECK(x && narrow);
    CHECK(fabs(tn_item_double(tn_var(x, true)) - 83416.666666666667) < 1e-6);
    CHECK(fabs(tn_item_double(tn_var(narrow, true)) - 83416.666666666667) < 0.01);
    tn_tensor *columns = tn_reshape(x, TN_DIMS(100, 10));
    tn_tensor *down = tn_var_dim(columns, TN_DIMS(0), true, false);
    CHECK(down);
    CHECK(fabs(tn_get_double(down, TN_DIMS(3)) - 84166.666666666667) < 1e-6);
}

TEST(a_mean_of_float16_is_one_where_the_sum_is_too_large) {
    tn_tensor *x = tn_full(TN_DIMS(50), 30000, TN_FLOAT16);
    CHECK(x && tn_fill_(tn_narrow(x, 0, 3, 1), NAN));
    tn_tensor *mean = tn_nanmean(x, (tn_dims){NULL, 0}, false, TN_DTYPE_DEFAULT),
              *all = tn_mean(tn_narrow(x, 0, 4, 46), TN_DTYPE_DEFAULT);
    CHECK(mean && all && tn_dtype_of(mean) == TN_FLOAT16);
    CHECK_DOUBLE(tn_item_double(mean), 30000);
    CHECK_DOUBLE(tn_item_double(all), 30000);
}

TEST(complex_numbers_are_summed_in_as_many_dimensions_as_there_can_be) {
    int64_t sizes[TN_MAX_DIMS];
    for (int d = 0; d < TN_MAX_DIMS; d++)
        sizes[d] = d == 3 || d == 40 ? 2 : 1;
    tn_tensor *x = tn_reshape(tn_to(tn_arange(4, TN_FLOAT32), TN_COMPLEX64), (tn_dims){sizes, TN_MAX_DIMS});
    CHECK(x);
    tn_tensor *sum = tn_sum_dim(x, TN_DIMS(40), true, TN_DTYPE_DEFAULT), *flat = tn_ravel(sum);
    CHECK(sum && flat && tn_ndim(sum) == TN_MAX_DIMS);
    CHECK_DOUBLE(tn_get_double(tn_real(flat), TN_DIMS(0)), 1);
    CHECK_DOUBLE(tn_get_double(tn_real(flat), TN_DIMS(1)), 5);
}

TEST(a_norm_of_large_floats_does_not_overflow) {
    tn_tensor *x = TN_VECTOR(float, 3e30f, 4e30f);
    CHECK(x);
    CHECK(fabs(tn_item_double(tn_norm(x, 2)) / 5e30 - 1) < 1e-6);
}

/* ---- NaN, infinities, ties ---------------------------------------------------------------------------------------------- */

TEST_SAMPLED(a_nan_wins_wherever_it_stands_and_the_first_one_is_found) {
    for (int64_t length = 1; length < 80; length += 3)
        for (int64_t place = 0; place < length; place += 7) {
            tn_scope scope = tn_scope_open();
            tn_tensor *rows = reduce_noise(TN_DIMS(5, length), TN_FLOAT32);
            CHECK(rows);
            for (int64_t i = place; i < length; i += 5)
                CHECK(tn_set_element(rows, TN_DIMS(3, i), tn_scalar_float(NAN)) == TN_OK);
            for (int turned = 0; turned < 2; turned++) {
                tn_tensor *x = turned ? tn_contiguous(tn_transpose(rows, 0, 1), TN_CONTIGUOUS) : rows;
                tn_tensor *large = tn_amax(x, TN_DIMS(1 - turned), false), *small = tn_amin(x, TN_DIMS(1 - turned), false);
                tn_tensor *at = tn_argmax(x, 1 - turned, false), *low = tn_argmin(x, 1 - turned, false);
                CHECK(large && small && at && low);
                CHECK(isnan(tn_get_double(large, TN_DIMS(3))) && isnan(tn_get_double(small, TN_DIMS(3))));
                CHECK(!isnan(tn_get_double(large, TN_DIMS(2))) && !isnan(tn_get_double(small, TN_DIMS(4))));
                CHECK_INT(tn_get_int64(at, TN_DIMS(3)), place);
                CHECK_INT(tn_get_int64(low, TN_DIMS(3)), place);
            }
            tn_scope_close(scope);
        }
}

TEST(of_equal_elements_the_first_index_in_the_order_of_the_dimensions_counts) {
    tn_tensor *x = tn_zeros(TN_DIMS(30, 50), TN_FLOAT32), *turned = tn_transpose(x, 0, 1);
    CHECK(turned);
    CHECK(tn_set_element(x, TN_DIMS(20, 3), TN_SCALAR(7)) == TN_OK && tn_set_element(x, TN_DIMS(4, 30), TN_SCALAR(7)) == TN_OK);
    CHECK_INT(tn_item_int64(tn_argmax(x, TN_NONE, false)), 4 * 50 + 30);
    CHECK_INT(tn_item_int64(tn_argmax(turned, TN_NONE, false)), 3 * 30 + 20);
    CHECK_INT(tn_item_int64(tn_argmin(x, TN_NONE, false)), 0);
    tn_tensor *back = tn_slice(x, 0, TN_NONE, TN_NONE, -1);
    CHECK(back);
    CHECK_INT(tn_item_int64(tn_argmax(back, TN_NONE, false)), 9 * 50 + 3);
    tn_tensor *low = tn_full(TN_DIMS(9), -INFINITY, TN_FLOAT32);
    CHECK(low);
    CHECK_INT(tn_item_int64(tn_argmax(low, TN_NONE, false)), 0);
}

TEST(infinite_sums_are_infinite_and_their_means_too) {
    tn_tensor *x = TN_VECTOR(double, 1, INFINITY, 2), *both = TN_VECTOR(double, INFINITY, 1, -INFINITY);
    CHECK(x && both);
    CHECK(isinf(tn_item_double(tn_sum(x, TN_DTYPE_DEFAULT))) && isinf(tn_item_double(tn_mean(x, TN_DTYPE_DEFAULT))));
    CHECK(isnan(tn_item_double(tn_sum(both, TN_DTYPE_DEFAULT))) && isnan(tn_item_double(tn_var(x, true))));
    CHECK(isinf(tn_item_double(tn_logsumexp(x, TN_DIMS(0), false))));
    CHECK(isnan(tn_item_double(tn_logsumexp(TN_VECTOR(double, INFINITY, NAN), TN_DIMS(0), false))));
}

TEST_SAMPLED(any_and_all_of_many_find_the_one_that_decides) {
    tn_tensor *x = tn_zeros(TN_DIMS(300000), TN_UINT8);
    CHECK(x);
    CHECK(!tn_item_bool(tn_any(x)));
    CHECK(tn_set_element(x, TN_DIMS(299999), TN_SCALAR(1)) == TN_OK);
    CHECK(tn_item_bool(tn_any(x)) && !tn_item_bool(tn_all(x)));
    CHECK_INT(tn_item_int64(tn_count_nonzero(x, TN_NONE)), 1);
    tn_tensor *zeros = TN_VECTOR(float, -0.0f, 0.0f);
    CHECK(zeros);
    CHECK(!tn_item_bool(tn_any(zeros)));
}

/* Few columns, thousands of results: a task has as many states as there is room for, however a run is shared. */
TEST_SAMPLED(thousands_of_results_with_few_columns_each_are_all_right) {
    static const tn_dtype dtypes[] = {TN_FLOAT32, TN_FLOAT64, TN_FLOAT16, TN_BFLOAT16, TN_COMPLEX64, TN_COMPLEX128, TN_INT64};
    static const int64_t outer[] = {100, 256, 1031};
    for (size_t k = 0; k < sizeof dtypes / sizeof dtypes[0]; k++)
        for (int64_t inner = 1; inner <= 64; inner += inner < 17 ? 1 : 15)
            for (size_t i = 0; i < sizeof outer / sizeof outer[0]; i++) {
                tn_scope scope = tn_scope_open();
                tn_tensor *x = tn_ones(TN_DIMS(outer[i], 4, inner), dtypes[k]);
                tn_tensor *sum = tn_sum_dim(x, TN_DIMS(1), false, TN_DTYPE_DEFAULT);
                CHECK(sum && tn_equal(sum, tn_full(TN_DIMS(outer[i], inner), 4, dtypes[k])));
                if (tn_dtype_is_floating(dtypes[k])) {
                    tn_tensor *mean = tn_mean_dim(x, TN_DIMS(1), false, TN_DTYPE_DEFAULT);
                    CHECK(mean && tn_equal(mean, tn_ones(TN_DIMS(outer[i], inner), dtypes[k])));
                    tn_tensor *some = tn_nansum(x, TN_DIMS(1), false, TN_DTYPE_DEFAULT);
                    CHECK(some && tn_equal(some, sum));
                }
                tn_scope_close(scope);
            }
    tn_tensor *images = tn_mean_dim(tn_ones(TN_DIMS(8, 32, 16, 16), TN_FLOAT32), TN_DIMS(2), false, TN_DTYPE_DEFAULT);
    CHECK(images && tn_equal(images, tn_ones(TN_DIMS(8, 32, 16), TN_FLOAT32)));
}

/* ---- results that are given, and refusals -------------------------------------------------------------------------------- */

TEST(any_and_all_over_an_empty_list_of_dimensions_look_at_each_element) {
    tn_tensor *x = tn_from_text("[[0, 1], [2, 0]]", TN_INT16), *out = tn_empty(TN_DIMS(0), TN_BOOL);
    tn_tensor *wanted = tn_from_text("[[false, true], [true, false]]", TN_BOOL);
    CHECK(x && out && wanted);
    CHECK(tn_equal(tn_any_dims(x, TN_DIMS(), true), wanted));
    CHECK(tn_equal(tn_all_dims(x, TN_DIMS(), false), wanted));
    CHECK(tn_all_dims_out(out, x, TN_DIMS(), false) && tn_equal(out, wanted));
    CHECK(!tn_item_bool(tn_all_dims(x, (tn_dims){NULL, 0}, false)));
}

TEST(results_go_into_given_tensors_of_any_strides) {
    tn_tensor *x = tn_reshape(tn_arange(24, TN_FLOAT32), TN_DIMS(2, 3, 4));
    tn_tensor *wide = tn_zeros(TN_DIMS(4, 4), TN_FLOAT64), *out = tn_transpose(tn_slice(wide, 0, TN_NONE, TN_NONE, 2), 0, 1);
    CHECK(x && out);
    out = tn_transpose(out, 0, 1);
    CHECK(out);
    CHECK(tn_sum_dim_out(out, tn_transpose(x, 1, 2), TN_DIMS(2), false, TN_DTYPE_DEFAULT));
    CHECK_DOUBLE(tn_get_double(out, TN_DIMS(1, 3)), 15 + 19 + 23);
    tn_tensor *values = tn_empty(TN_DIMS(0), TN_FLOAT32), *indices = tn_empty(TN_DIMS(0), TN_INT64);
    CHECK(values && indices);
    CHECK(tn_max_dim_out(values, indices, x, 1, true) == values);
    CHECK_DOUBLE(tn_get_double(values, TN_DIMS(1, 0, 3)), 23);
    CHECK_INT(tn_get_int64(indices, TN_DIMS(1, 0, 3)), 2);
}

TEST(a_result_may_lie_in_what_is_reduced) {
    tn_tensor *x = tn_reshape(tn_arange(12, TN_FLOAT32), TN_DIMS(3, 4)), *row = tn_select(x, 0, 0);
    CHECK(row);
    CHECK(tn_sum_dim_out(row, x, TN_DIMS(0), false, TN_DTYPE_DEFAULT));
    CHECK_DOUBLE(tn_get_double(row, TN_DIMS(3)), 3 + 7 + 11);
}

TEST(what_cannot_be_reduced_is_refused_with_the_reason) {
    tn_tensor *x = tn_ones(TN_DIMS(2, 3), TN_FLOAT32), *whole = tn_ones(TN_DIMS(3), TN_INT32),
              *none = tn_empty(TN_DIMS(2, 0), TN_FLOAT32);
    tn_tensor *complex = tn_ones(TN_DIMS(3), TN_COMPLEX64), *byte = tn_ones(TN_DIMS(3), TN_FLOAT8_E5M2);
    tn_tensor *wrong = tn_empty(TN_DIMS(0), TN_FLOAT64), *other = tn_empty(TN_DIMS(0), TN_INT32);
    CHECK(x && whole && none && complex && byte && wrong && other);
    CHECK_ERROR(TN_ERROR_INDEX, "dim", tn_sum_dim(x, TN_DIMS(2), false, TN_DTYPE_DEFAULT));
    CHECK_ERROR(TN_ERROR_ARGUMENT, "twice", tn_sum_dim(x, TN_DIMS(0, -2), false, TN_DTYPE_DEFAULT));
    CHECK_ERROR(TN_ERROR_DTYPE, "mean", tn_mean(whole, TN_DTYPE_DEFAULT));
    CHECK_ERROR(TN_ERROR_DTYPE, "int64", tn_mean(x, TN_INT64));
    CHECK_ERROR(TN_ERROR_DTYPE, "given", tn_nanmean(whole, (tn_dims){NULL, 0}, false, TN_DTYPE_DEFAULT));
    CHECK_ERROR(TN_ERROR_DTYPE, "complex", tn_nansum(complex, (tn_dims){NULL, 0}, false, TN_DTYPE_DEFAULT));
    CHECK_ERROR(TN_ERROR_DTYPE, "float8", tn_sum(byte, TN_DTYPE_DEFAULT));
    CHECK_ERROR(TN_ERROR_DTYPE, "float8", tn_prod(byte, TN_DTYPE_DEFAULT));
    CHECK_ERROR(TN_ERROR_DTYPE, "float8", tn_logsumexp(byte, TN_DIMS(0), false));
    CHECK_ERROR(TN_ERROR_DTYPE, "floating", tn_var(whole, true));
    CHECK_ERROR(TN_ERROR_DTYPE, "floating", tn_norm(whole, 2));
    CHECK_ERROR(TN_ERROR_ARGUMENT, "complex", tn_norm(tn_ones(TN_DIMS(2), TN_FLOAT32), tn_scalar_complex(0, 1)));
    CHECK_ERROR(TN_ERROR_DTYPE, "does not hold",
                tn_linalg_vector_norm(tn_ones(TN_DIMS(2), TN_FLOAT64), 2, TN_DIMS(0), false, TN_FLOAT32));
    CHECK_ERROR(TN_ERROR_DTYPE, "order", tn_amax(complex, TN_DIMS(0), false));
    CHECK_ERROR(TN_ERROR_DTYPE, "bool", tn_argmax(tn_ones(TN_DIMS(2), TN_BOOL), TN_NONE, false));
    CHECK_ERROR(TN_ERROR_SHAPE, "no elements", tn_max(none));
    CHECK_ERROR(TN_ERROR_INDEX, "dimension 1", tn_argmin(none, 1, false));
    CHECK_ERROR(TN_ERROR_INDEX, "no elements", tn_argmax(none, TN_NONE, false));
    CHECK_ERROR(TN_ERROR_INDEX, "dimension 1", tn_amax(none, TN_DIMS(1), false));
    CHECK_ERROR(TN_ERROR_SHAPE, "no elements", tn_amin(none, TN_DIMS(), false));
    CHECK_ERROR(TN_ERROR_INDEX, "dimension 1", tn_min_dim(none, 1, false));
    CHECK_ERROR(TN_ERROR_INDEX, "dimension 1", tn_aminmax(none, 1, false));
    CHECK_ERROR(TN_ERROR_SHAPE, "no elements", tn_norm(none, INFINITY));
    CHECK_ERROR(TN_ERROR_DTYPE, "float32", tn_amax_out(wrong, x, TN_DIMS(0), false));
    CHECK_ERROR(TN_ERROR_DTYPE, "int64", tn_argmax_out(other, x, 0, false));
    CHECK_ERROR(TN_ERROR_DTYPE, "bool", tn_any_out(wrong, x));
    CHECK_ERROR(TN_ERROR_OVERLAP, "share", tn_aminmax_out(x, x, x, TN_NONE, false));
    CHECK_ERROR(TN_ERROR_DTYPE, "mean", tn_mean_out(other, x, TN_DTYPE_DEFAULT));
    tn_tensor *locked = tn_empty(TN_DIMS(3), TN_FLOAT32);
    CHECK(locked && tn_set_readonly(locked) == TN_OK);
    CHECK_ERROR(TN_ERROR_READONLY, "", tn_sum_dim_out(locked, x, TN_DIMS(0), false, TN_DTYPE_DEFAULT));
}

TEST(complex_numbers_are_summed_multiplied_and_spread_by_their_parts) {
    tn_tensor *z = tn_from_text("[[1+2j, 3-1j], [0+1j, 2+2j]]", TN_COMPLEX64);
    CHECK(z);
    CHECK(tn_item_complex(tn_nansum(tn_ones(TN_DIMS(3), TN_INT8), (tn_dims){NULL, 0}, false, TN_COMPLEX64)).real == 3);
    tn_complex128 sum = tn_item_complex(tn_sum(z, TN_DTYPE_DEFAULT)), product = tn_item_complex(tn_prod(z, TN_DTYPE_DEFAULT));
    CHECK(sum.real == 6 && sum.imag == 4);
    CHECK(product.real == -20 && product.imag == 0);
    tn_tensor *down = tn_mean_dim(z, TN_DIMS(0), false, TN_DTYPE_DEFAULT);
    CHECK(down);
    CHECK_DOUBLE(tn_get_element(down, TN_DIMS(1)).value.c.real, 2.5);
    tn_list *both = tn_var_mean(z, true);
    CHECK(both);
    CHECK(fabs(tn_item_double(tn_list_at(both, 0)) - (5.0 / 3 + 2)) < 1e-6);
    CHECK_DOUBLE(tn_item_complex(tn_list_at(both, 1)).imag, 1);
    CHECK(fabs(tn_item_double(tn_norm(z, 2)) - sqrt(24)) < 1e-6);
    tn_complex128 logsum = tn_item_complex(tn_logsumexp(tn_from_text("[0+1j, 0-1j]", TN_COMPLEX128), TN_DIMS(0), false));
    CHECK(fabs(logsum.real - log(2 * cos(1))) < 1e-12 && fabs(logsum.imag) < 1e-12);
}

TEST(a_spread_without_a_degree_of_freedom_is_warned_of) {
    tn_tensor *x = tn_ones(TN_DIMS(2, 1), TN_FLOAT32);
    CHECK(x);
    WARNINGS_BEGIN(heard);
    CHECK(tn_var_dim(x, TN_DIMS(0), true, false));
    CHECK_INT(heard.calls, 0);
    CHECK(tn_var_dim(x, TN_DIMS(1), true, false));
    CHECK_INT(heard.calls, 1);
    CHECK(strstr(heard.last.message, "var: 1 elements minus a correction of 1 leave no degrees of freedom"));
    CHECK(tn_std_correction(x, TN_DIMS(), 2, false) && tn_var_mean(tn_empty(TN_DIMS(0), TN_COMPLEX64), true));
    CHECK_INT(heard.calls, 3);
    CHECK(tn_cov(x, 1, NULL, NULL));
    CHECK_INT(heard.calls, 4);
}

/* ---- small tensors without gaps, which need no plan */

static void check_small_reductions(const tn_tensor *dense, const tn_tensor *gaps, tn_dims dim) {
    tn_tensor *pairs[][2] = {{tn_sum_dim(dense, dim, false, TN_DTYPE_DEFAULT), tn_sum_dim(gaps, dim, false, TN_DTYPE_DEFAULT)},
                             {tn_mean_dim(dense, dim, true, TN_DTYPE_DEFAULT), tn_mean_dim(gaps, dim, true, TN_DTYPE_DEFAULT)},
                             {tn_amax(dense, dim, false), tn_amax(gaps, dim, false)},
                             {tn_amin(dense, dim, true), tn_amin(gaps, dim, true)}};
    for (size_t i = 0; i < sizeof pairs / sizeof pairs[0]; i++) {
        CHECK(pairs[i][0] && pairs[i][1]);
        CHECK(tn_equal(pairs[i][0], pairs[i][1]));
    }
    if (dim.count == 1) {
        tn_tensor *first = tn_argmax(dense, dim.values[0], false), *second = tn_argmax(gaps, dim.values[0], false);
        CHECK(first && second && tn_equal(first, second));
    }
}

TEST_SAMPLED(a_small_tensor_without_gaps_is_reduced_to_what_one_with_gaps_is) {
    static const int64_t shapes[][3] = {{1, 1, 1}, {1, 7, 1},  {2, 3, 4},  {5, 1, 9},
                                        {4, 4, 1}, {3, 17, 2}, {2, 2, 33}, {70, 2, 1}};
    static const tn_dtype dtypes[] = {TN_FLOAT32, TN_FLOAT64, TN_INT64};
    for (size_t s = 0; s < sizeof shapes / sizeof shapes[0]; s++)
        for (size_t t = 0; t < 3; t++) {
            tn_tensor *wide = tn_empty(TN_DIMS(shapes[s][0], shapes[s][1], 2 * shapes[s][2]), dtypes[t]);
            CHECK(wide);
            for (int64_t i = 0; i < tn_numel(wide); i++)
                tn_dtype_store(dtypes[t], (char *)tn_data(wide) + (size_t)i * tn_element_size(wide),
                               tn_scalar_int(test_random_between(-9, 9)));
            tn_tensor *gaps = tn_slice(wide, 2, 0, TN_END, 2), *dense = tn_contiguous(gaps, TN_CONTIGUOUS);
            CHECK(gaps && dense);
            bool floats = dtypes[t] != TN_INT64;
            for (int chosen = floats ? 0 : 8; chosen < 8; chosen++) {
                int64_t dims[3], count = 0;
                for (int64_t d = 0; d < 3; d++)
                    if (chosen >> d & 1)
                        dims[count++] = d;
                check_small_reductions(dense, gaps, (tn_dims){dims, count});
            }
            tn_tensor *whole = tn_sum(dense, TN_DTYPE_DEFAULT), *same = tn_sum(gaps, TN_DTYPE_DEFAULT);
            CHECK(whole && same && tn_equal(whole, same));
        }
}

/* A new result of all elements is made by another way than one that is given. */
TEST_SAMPLED(a_sum_of_all_has_the_bits_of_one_that_is_written_to_a_given_tensor) {
    static const int64_t counts[] = {1, 2, 7, 8, 9, 15, 16, 17, 31, 32, 33, 61, 62, 100, 1000, 2049, 65536, 65537};
    static const tn_dtype dtypes[] = {TN_FLOAT32, TN_FLOAT64, TN_FLOAT16, TN_BFLOAT16, TN_COMPLEX64};
    tn_cpu_level before = tn_cpu_level_in_use();
    for (int round = 0; round < 18 * 5; round++) {
        tn_scope scope = tn_scope_open();
        tn_set_cpu_level((tn_cpu_level)(round % ((int)tn_cpu_level_detected() + 1)));
        tn_tensor *x = tn_randn(TN_DIMS(counts[round % 18]), TN_FLOAT32, NULL);
        if (round % 7 == 0)
            CHECK(x && tn_fill_(tn_narrow(x, 0, 0, 1), round % 2 ? (double)INFINITY : (double)NAN));
        x = tn_to(x, dtypes[round / 18]);
        tn_tensor *sum = tn_sum(x, TN_DTYPE_DEFAULT), *mean = tn_mean(x, TN_DTYPE_DEFAULT);
        CHECK(sum && mean);
        tn_tensor *other = tn_empty(TN_DIMS(), tn_dtype_of(x)), *kept = tn_sum_dim(x, TN_DIMS(), true, TN_DTYPE_DEFAULT);
        CHECK(other && kept && tn_ndim(sum) == 0 && tn_ndim(kept) == 1);
        CHECK(memcmp(tn_data(sum), tn_data(kept), tn_element_size(sum)) == 0);
        CHECK(tn_sum_out(other, x, TN_DTYPE_DEFAULT) == other);
        CHECK(memcmp(tn_data(sum), tn_data(other), tn_element_size(sum)) == 0);
        CHECK(tn_mean_out(other, x, TN_DTYPE_DEFAULT) == other);
        CHECK(memcmp(tn_data(mean), tn_data(other), tn_element_size(mean)) == 0);
        tn_scope_close(scope);
    }
    tn_set_cpu_level(before);
}

TEST(a_complex_variance_outlives_the_list_that_held_it_and_is_released_by_its_keeper) {
    tn_list *both = tn_var_mean(tn_ones(TN_DIMS(4, 2), TN_COMPLEX64), true);
    CHECK(both);
    tn_tensor *variance = tn_retain(tn_list_at(both, 0)), *again = tn_retain(variance);
    CHECK(variance && again);
    tn_list_release(both);
    tn_release(again);
    CHECK_INT(tn_error_code(), TN_OK);
    CHECK_DOUBLE(tn_item_double(variance), 0);
    tn_release(variance);
    CHECK_INT(tn_error_code(), TN_OK);
}

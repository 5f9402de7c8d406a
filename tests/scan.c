/* scan.c - cumsum, cumprod, cummax, cummin, logcumsumexp: against PyTorch's answers, against a naive model with any strides,
 * and the same bits for any number of threads and at every level.
 *
 * Tests: src/cpu/scan_kernels.c, src/ops/line/scan_extreme.c */
#include "scan_cases.h"

TEST_SAMPLED(scans_do_what_torch_does) {
    for (size_t i = 0; i < sizeof scan_cases / sizeof scan_cases[0]; i++)
        if (strncmp(scan_cases[i].name, "cum", 3) == 0 || strcmp(scan_cases[i].name, "logcumsumexp") == 0)
            scan_replay(&scan_cases[i]);
}

enum { SUM, PRODUCT, MAXIMUM, MINIMUM, LOGARITHM, KINDS };

static tn_tensor *apply(int kind, const tn_tensor *x, int64_t dim) {
    tn_list *list = NULL;
    switch (kind) {
    case SUM: return tn_cumsum(x, dim, TN_DTYPE_DEFAULT);
    case PRODUCT: return tn_cumprod(x, dim, TN_DTYPE_DEFAULT);
    case MAXIMUM: list = tn_cummax(x, dim); break;
    case MINIMUM: list = tn_cummin(x, dim); break;
    default: return tn_logcumsumexp(x, dim);
    }
    return list ? tn_list_at(list, 0) : NULL;
}

TEST_SAMPLED(lines_of_every_length_are_right_at_every_level) {
    static const int64_t lengths[] = {1, 2, 3, 5, 7, 8, 9, 13, 31, 32, 33, 63, 64, 65, 129, 1000, 16383, 16384, 16391, 40000};
    tn_cpu_level before = tn_cpu_level_in_use();
    for (size_t i = 0; i < sizeof lengths / sizeof lengths[0]; i++)
        for (int kind = 0; kind < KINDS; kind++) {
            tn_scope scope = tn_scope_open();
            int64_t n = lengths[i];
            tn_tensor *x = scan_drawn(TN_DIMS(n), TN_FLOAT32, 1, 1000000);
            CHECK(x);
            if (kind == PRODUCT)
                CHECK(x = tn_add_scalar(tn_mul_scalar(x, 0.01), 1));
            const float *in = tn_data(x);
            tn_tensor *first = NULL;
            for (int level = 0; level <= (int)tn_cpu_level_detected(); level++) {
                tn_set_cpu_level((tn_cpu_level)level);
                tn_tensor *y = apply(kind, x, 0);
                CHECK(y);
                const float *out = tn_data(y);
                long double so_far = kind == PRODUCT ? 1 : kind == SUM ? 0 : kind == MINIMUM ? INFINITY : -INFINITY;
                for (int64_t k = 0; k < n; k++) {
                    long double v = (long double)in[k];
                    so_far = kind == SUM       ? so_far + v
                             : kind == PRODUCT ? so_far * v
                             : kind == MAXIMUM ? (v > so_far ? v : so_far)
                             : kind == MINIMUM ? (v < so_far ? v : so_far)
                                               : fmaxl(v, so_far) + log1pl(expl(-fabsl(v - so_far)));
                    /* half a unit, and what the rounding of doubles adds up to */
                    if (!(fabsl((long double)out[k] - so_far) <= 0x1.001p-24L * fabsl(so_far) + 1e-11L))
                        test_fail(__FILE__, __LINE__, "kind %d: element %lld of %lld is %.9g, not %.9Lg", kind, (long long)k,
                                  (long long)n, (double)out[k], so_far);
                }
                if (first && kind != LOGARITHM) /* functions may differ in their last bits from level to level */
                    CHECK(same_bits(first, y));
                first = y;
            }
            tn_scope_close(scope);
        }
    tn_set_cpu_level(before);
}

TEST_SAMPLED(a_scan_has_the_same_bits_for_all_strides_and_numbers_of_threads) {
    static const tn_dtype dtypes[] = {TN_FLOAT32, TN_FLOAT64, TN_BFLOAT16};
    int64_t threads = tn_num_threads();
    for (int d = 0; d < 3; d++)
        for (int kind = 0; kind < KINDS; kind++)
            for (int64_t dim = 0; dim < 3; dim++) {
                tn_scope scope = tn_scope_open();
                tn_tensor *x = scan_drawn(TN_DIMS(70, 45, 20), dtypes[d], 1, 1000000);
                CHECK(x);
                tn_tensor *moved = tn_movedim(x, TN_DIMS(dim), TN_DIMS(-1)), *one = apply(kind, in_a_row(moved), -1);
                CHECK(tn_set_num_threads(3) == TN_OK);
                tn_tensor *strided = apply(kind, moved, -1), *there = apply(kind, x, dim);
                tn_tensor *backward = tn_flip(apply(kind, tn_flip(moved, TN_DIMS(0)), -1), TN_DIMS(0));
                CHECK(tn_set_num_threads(threads) == TN_OK);
                CHECK(one && strided && there && backward);
                CHECK(same_bits(one, strided));
                CHECK(same_bits(one, backward));
                CHECK(same_bits(one, tn_movedim(there, TN_DIMS(dim), TN_DIMS(-1))));
                tn_scope_close(scope);
            }
}

TEST_SAMPLED(thousands_of_short_lines_beside_one_another_have_the_bits_of_lines_in_a_row) {
    static const tn_dtype dtypes[] = {TN_FLOAT32, TN_FLOAT64, TN_FLOAT16, TN_BFLOAT16, TN_COMPLEX64, TN_INT64, TN_UINT8};
    int64_t threads = tn_num_threads();
    for (int round = 0; round < 20 * KINDS; round++) {
        tn_scope scope = tn_scope_open();
        int kind = round % KINDS;
        tn_dtype dtype = dtypes[test_random_between(0, kind == LOGARITHM ? 4 : kind == SUM || kind == PRODUCT ? 6 : 3)];
        int64_t inner = test_random_between(1, 64), outer = test_random_between(2048, 4096) / inner;
        tn_tensor *x = scan_drawn(TN_DIMS(outer, test_random_between(1, 12), inner), dtype, 1, 1000000);
        CHECK(x);
        CHECK(tn_set_num_threads(test_random_between(1, 3)) == TN_OK);
        tn_tensor *there = apply(kind, x, 1), *row = apply(kind, in_a_row(tn_movedim(x, TN_DIMS(1), TN_DIMS(-1))), -1);
        CHECK(tn_set_num_threads(threads) == TN_OK);
        CHECK(there && row);
        CHECK(same_bits(row, tn_movedim(there, TN_DIMS(1), TN_DIMS(-1))));
        tn_scope_close(scope);
    }
}

/* Longer than the cache, so that it is written around it; the offset moves the result away from the beginning of a cache line.
 * */
TEST_SAMPLED(a_long_line_has_the_same_bits_on_one_thread_and_on_three_and_as_a_row_of_a_matrix) {
    int64_t threads = tn_num_threads(), n = 5000011;
    tn_tensor *x = scan_drawn(TN_DIMS(n), TN_FLOAT32, 1, 1000000), *out = tn_empty(TN_DIMS(n + 3), TN_FLOAT32);
    CHECK(x && out);
    CHECK(tn_set_num_threads(1) == TN_OK);
    tn_tensor *one = tn_cumsum(x, 0, TN_DTYPE_DEFAULT), *row = tn_cumsum(tn_unsqueeze(x, 0), 1, TN_DTYPE_DEFAULT);
    CHECK(tn_set_num_threads(3) == TN_OK);
    tn_tensor *three = tn_cumsum(x, 0, TN_DTYPE_DEFAULT), *part = tn_slice(out, 0, 3, n + 3, 1);
    CHECK(part && tn_cumsum_out(part, x, 0, TN_DTYPE_DEFAULT));
    CHECK(tn_set_num_threads(threads) == TN_OK);
    CHECK(one && row && three);
    CHECK(same_bits(one, three));
    CHECK(same_bits(one, row));
    CHECK(same_bits(one, part));
    CHECK(tn_cumsum_(x, 0, TN_DTYPE_DEFAULT) == x);
    CHECK(same_bits(one, x));
}

TEST_SAMPLED(indices_of_extremes_are_those_of_a_naive_search_in_every_dtype) {
    static const tn_dtype dtypes[] = {TN_BOOL,  TN_UINT8, TN_UINT16,  TN_UINT32,   TN_UINT64,  TN_INT8,   TN_INT16,
                                      TN_INT32, TN_INT64, TN_FLOAT16, TN_BFLOAT16, TN_FLOAT32, TN_FLOAT64};
    for (size_t d = 0; d < sizeof dtypes / sizeof dtypes[0]; d++)
        for (int minimum = 0; minimum < 2; minimum++) {
            tn_scope scope = tn_scope_open();
            tn_tensor *x =
                tn_to(tn_round(tn_mul_scalar(tn_abs(scan_drawn(TN_DIMS(3, 200), TN_FLOAT64, 1, 1000000)), 100)), dtypes[d]);
            CHECK(x);
            if (tn_dtype_is_floating(dtypes[d]))
                CHECK(tn_fill_(tn_slice(x, 1, 150, 151, 1), NAN));
            tn_list *list = minimum ? tn_cummin(x, 1) : tn_cummax(x, 1);
            CHECK(list);
            tn_tensor *values = tn_list_at(list, 0), *indices = tn_list_at(list, 1);
            CHECK_INT(tn_dtype_of(values), dtypes[d]);
            CHECK_INT(tn_dtype_of(indices), TN_INT64);
            for (int64_t row = 0; row < 3; row++) {
                int64_t best = 0;
                for (int64_t i = 0; i < 200; i++) {
                    double v = tn_get_double(x, TN_DIMS(row, i)), b = tn_get_double(x, TN_DIMS(row, best));
                    if (isnan(v) || (minimum ? v <= b : v >= b))
                        best = i;
                    CHECK_DOUBLE(tn_get_double(values, TN_DIMS(row, i)), tn_get_double(x, TN_DIMS(row, best)));
                    CHECK_INT(tn_get_int64(indices, TN_DIMS(row, i)), best);
                }
            }
            tn_scope_close(scope);
        }
    tn_tensor *large = tn_from_text("[1, 18446744073709551615, 9223372036854775808]", TN_UINT64);
    tn_list *list = large ? tn_cummax(large, 0) : NULL;
    CHECK(list);
    CHECK_INT(tn_get_int64(tn_list_at(list, 1), TN_DIMS(2)), 1);
}

TEST(sums_wrap_around_in_their_own_dtype) {
    tn_tensor *x = tn_from_text("[100, 100, 100]", TN_UINT8);
    CHECK(x);
    tn_tensor *wide = tn_cumsum(x, 0, TN_DTYPE_DEFAULT), *narrow = tn_cumsum(x, 0, TN_INT8),
              *unsigned_32 = tn_cumprod(x, 0, TN_UINT32);
    CHECK(wide && narrow && unsigned_32);
    CHECK_INT(tn_dtype_of(wide), TN_INT64);
    CHECK_INT(tn_get_int64(wide, TN_DIMS(2)), 300);
    CHECK_INT(tn_get_int64(narrow, TN_DIMS(1)), -56);
    CHECK_INT(tn_get_int64(unsigned_32, TN_DIMS(2)), 1000000);
    CHECK(tn_cumsum_(x, 0, TN_DTYPE_DEFAULT) == x);
    CHECK_INT(tn_get_int64(x, TN_DIMS(2)), 44);
}

TEST(a_scan_in_place_or_into_out_changes_nothing_when_it_is_refused) {
    tn_tensor *x = tn_from_text("[[1, 2], [3, 4]]", TN_FLOAT32),
              *expanded = x ? tn_expand(tn_slice(x, 0, 0, 1, 1), TN_DIMS(3, 2)) : NULL;
    CHECK(x && expanded);
    CHECK_ERROR(TN_ERROR_DTYPE, "float64", tn_cumsum_(x, 0, TN_FLOAT64));
    CHECK_ERROR(TN_ERROR_OVERLAP, "share", tn_cumprod_(expanded, 0, TN_DTYPE_DEFAULT));
    CHECK_ERROR(TN_ERROR_DTYPE, "bool", tn_cumsum(x, 0, TN_BOOL));
    CHECK_ERROR(TN_ERROR_DTYPE, "bool", tn_cumsum_(tn_to(x, TN_BOOL), 0, TN_DTYPE_DEFAULT));
    CHECK_ERROR(TN_ERROR_DTYPE, "float8", tn_cumsum(tn_to(x, TN_FLOAT8_E5M2), 0, TN_DTYPE_DEFAULT));
    CHECK_ERROR(TN_ERROR_INDEX, "dim", tn_cumprod(x, 2, TN_DTYPE_DEFAULT));
    CHECK_ERROR(TN_ERROR_DTYPE, "int64", tn_cumsum_out(tn_empty(TN_DIMS(2, 2), TN_FLOAT32), x, 0, TN_INT64));
    CHECK_ERROR(TN_ERROR_DTYPE, "no order", tn_cummax(tn_to(x, TN_COMPLEX64), 0));
    CHECK_ERROR(TN_ERROR_INDEX, "dim", tn_cummin(x, -3));
    CHECK_ERROR(TN_ERROR_DTYPE, "int64", tn_cummin_out(tn_empty(TN_DIMS(0), TN_FLOAT32), tn_empty(TN_DIMS(0), TN_INT32), x, 0));
    CHECK_ERROR(TN_ERROR_DTYPE, "float32",
                tn_cummin_out(tn_empty(TN_DIMS(0), TN_FLOAT64), tn_empty(TN_DIMS(0), TN_INT64), x, 0));
    tn_tensor *both = tn_empty(TN_DIMS(2, 2), TN_INT64);
    CHECK(both);
    CHECK_ERROR(TN_ERROR_OVERLAP, "share memory", tn_cummin_out(both, both, tn_to(x, TN_INT64), 0));
    CHECK_ERROR(TN_ERROR_DTYPE, "convert it first", tn_logcumsumexp(tn_to(x, TN_INT16), 0));
    CHECK_ERROR(TN_ERROR_INDEX, "dim", tn_logcumsumexp(x, 2));
    CHECK_ERROR(TN_ERROR_DTYPE, "float32", tn_logcumsumexp_out(tn_empty(TN_DIMS(2, 2), TN_FLOAT64), x, 0));
    CHECK_DOUBLE(tn_get_double(x, TN_DIMS(1, 1)), 4);
}

/* PyTorch's answers. */
TEST(logarithms_of_sums_of_complex_infinities) {
    const double inf = INFINITY, nan = NAN, eighth = 0.78539816339744831;
    static const tn_dtype dtypes[] = {TN_COMPLEX64, TN_COMPLEX128};
    const struct {
        tn_complex128 x[2], sum; /* the sum of both */
    } cases[] = {
        {{{inf, -inf}, {1, -inf}}, {inf, -inf}}, /* what is infinitely smaller adds nothing */
        {{{0, 1}, {inf, inf}}, {inf, inf}},       {{{-1, inf}, {inf, 0}}, {inf, 0}},
        {{{inf, 1}, {-1, inf}}, {inf, 1}},        {{{inf, 1}, {2, 3}}, {inf, 1}},
        {{{inf, 2}, {-inf, inf}}, {inf, 2}},      {{{-inf, inf}, {3, 1}}, {3, 1}},
        {{{inf, 0}, {inf, 1}}, {inf, eighth}}, /* two that are infinitely large: their directions */
        {{{inf, 0}, {inf, 0}}, {inf, 0}},         {{{inf, 1}, {inf, 1}}, {inf, eighth}},
        {{{inf, -1}, {inf, -1}}, {inf, -eighth}}, {{{inf, -1}, {inf, 1}}, {inf, nan}},
        {{{inf, -inf}, {inf, -1}}, {inf, nan}},   {{{inf, inf}, {inf, inf}}, {inf, nan}},
        {{{-inf, 0}, {-inf, 1}}, {-inf, 0}}, /* nothing and nothing */
        {{{-inf, 1}, {-inf, inf}}, {-inf, 0}},    {{{0, inf}, {0, 1}}, {nan, nan}},
        {{{nan, 0}, {inf, 1}}, {nan, nan}},
    };
    for (size_t k = 0; k < 2; k++)
        for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
            tn_tensor *x = tn_to(tn_from_memory(cases[i].x, TN_DIMS(2), TN_COMPLEX128, TN_COPY), dtypes[k]);
            tn_tensor *sum = tn_to(tn_logcumsumexp(x, 0), TN_COMPLEX128);
            CHECK(sum);
            const tn_complex128 *got = (const tn_complex128 *)tn_data(sum) + 1;
            double real = cases[i].sum.real, imag = cases[i].sum.imag;
            CHECK((isnan(real) && isnan(got->real)) || got->real == real);
            CHECK((isnan(imag) && isnan(got->imag)) || got->imag == imag || fabs(got->imag - imag) < 1e-7);
        }
}

TEST(scans_write_to_out_also_where_that_is_self) {
    tn_tensor *x = tn_from_text("[[1, 2], [3, 4]]", TN_FLOAT32), *whole = tn_empty(TN_DIMS(2, 2), TN_INT32);
    CHECK(x && whole);
    CHECK(tn_cumsum_out(whole, x, 0, TN_DTYPE_DEFAULT) == whole); /* out decides */
    CHECK_INT(tn_get_int64(whole, TN_DIMS(1, 1)), 6);
    tn_tensor *across = tn_transpose(x, 0, 1); /* the same memory in another order */
    CHECK(across && tn_cumsum_out(across, x, 1, TN_DTYPE_DEFAULT));
    CHECK_DOUBLE(tn_get_double(x, TN_DIMS(1, 0)), 3);
    CHECK_DOUBLE(tn_get_double(x, TN_DIMS(1, 1)), 7);
    tn_tensor *values = tn_empty(TN_DIMS(0), TN_FLOAT32), *indices = tn_empty(TN_DIMS(0), TN_INT64);
    CHECK(values && indices);
    CHECK(tn_cummax_out(values, indices, x, 1) == values);
    CHECK_INT(tn_get_int64(indices, TN_DIMS(1, 1)), 1);
    CHECK(tn_cummin_out(x, indices, x, 1) == x);
    CHECK_DOUBLE(tn_get_double(x, TN_DIMS(1, 1)), 3);
    CHECK(tn_logcumsumexp_out(x, x, 0) == x);
    CHECK(tn_cumprod_(x, 1, TN_FLOAT32) == x);
}

/* softmax.c - softmax, log_softmax, softmin, layer_norm, rms_norm, normalize: against PyTorch's answers, against sums in long
 * double for lines of many lengths and layouts, and what they refuse.
 *
 * Tests: src/cpu/softmax_kernels.c, src/ops/line/norm.c */
#include "scan_cases.h"

static bool is_scan(const scan_case *c) { return strncmp(c->name, "cum", 3) == 0 || strcmp(c->name, "logcumsumexp") == 0; }

TEST_SAMPLED(softmax_and_norms_do_what_torch_does) {
    for (size_t i = 0; i < sizeof scan_cases / sizeof scan_cases[0]; i++)
        if (!is_scan(&scan_cases[i]))
            scan_replay(&scan_cases[i]);
}

enum { SOFTMAX, LOG_SOFTMAX, LAYER, RMS, UNIT, KINDS };

static tn_tensor *apply(int kind, const tn_tensor *x, int64_t dim) {
    if (!x)
        return NULL;
    tn_dims shape = {tn_sizes(x).values + tn_ndim(x) - 1, 1};
    switch (kind) {
    case SOFTMAX: return tn_softmax(x, dim, TN_DTYPE_DEFAULT);
    case LOG_SOFTMAX: return tn_log_softmax(x, dim, TN_DTYPE_DEFAULT);
    case LAYER: return tn_layer_norm(x, shape, NULL, NULL, 1e-5);
    case RMS: return tn_rms_norm(x, shape, NULL, 1e-5);
    default: return tn_normalize(x, 2, dim, 1e-12);
    }
}

/* The line x of n elements, in long double. */
static void model(int kind, const double *x, int64_t n, double *out) {
    long double most = -INFINITY, sum = 0, squares = 0, powers = 0;
    for (int64_t i = 0; i < n; i++) {
        most = (long double)x[i] > most ? (long double)x[i] : most;
        sum += (long double)x[i];
        squares += (long double)x[i] * (long double)x[i];
    }
    for (int64_t i = 0; i < n; i++)
        powers += expl((long double)x[i] - most);
    long double mean = sum / n, variance = 0;
    for (int64_t i = 0; i < n; i++)
        variance += ((long double)x[i] - mean) * ((long double)x[i] - mean) / n;
    for (int64_t i = 0; i < n; i++) {
        long double v = x[i];
        out[i] = (double)(kind == SOFTMAX       ? expl(v - most) / powers
                          : kind == LOG_SOFTMAX ? v - most - logl(powers)
                          : kind == LAYER       ? (v - mean) / sqrtl(variance + 1e-5L)
                          : kind == RMS         ? v / sqrtl(squares / n + 1e-5L)
                                                : v / sqrtl(squares));
    }
}

/* How far from `expected` a result may be. log_softmax subtracts the logarithm of a sum that is 1 or more: however exact the rest,
 * a rounding of that sum moves every result by as much, also one that is almost 0. The sum is float64's, a few roundings of it. */
static double allowed(int kind, double expected, double tolerance) {
    double relative = tolerance * fmax(fabs(expected), kind == LAYER ? 1 : 0x1p-10);
    return kind == LOG_SOFTMAX ? relative + 0x1p-51 : relative;
}

/* result: (n), contiguous or not; x the same elements. */
static void check_line(int kind, const tn_tensor *result, const tn_tensor *x, double tolerance) {
    int64_t n = tn_numel(x);
    double line[3000], expected[3000];
    for (int64_t i = 0; i < n; i++)
        line[i] = tn_get_double(x, TN_DIMS(i));
    model(kind, line, n, expected);
    for (int64_t i = 0; i < n; i++) {
        double actual = tn_get_double(result, TN_DIMS(i));
        if (!(fabs(actual - expected[i]) <= allowed(kind, expected[i], tolerance)))
            test_fail(__FILE__, __LINE__, "kind %d, element %lld of %lld is %.17g, not %.17g", kind, (long long)i, (long long)n,
                      actual, expected[i]);
    }
}

TEST_SAMPLED(lines_of_every_length_are_right_in_every_dtype_and_at_every_level) {
    static const int64_t lengths[] = {1, 2, 3, 7, 8, 9, 15, 16, 31, 32, 33, 63, 65, 127, 1000, 1024, 1025, 2050};
    static const tn_dtype dtypes[] = {TN_FLOAT32, TN_FLOAT64, TN_FLOAT16, TN_BFLOAT16};
    static const double tolerances[] = {0x1p-20, 0x1p-48, 0x1p-10, 0x1p-7};
    tn_cpu_level before = tn_cpu_level_in_use();
    for (int level = 0; level <= (int)tn_cpu_level_detected(); level++) {
        tn_set_cpu_level((tn_cpu_level)level);
        for (size_t i = 0; i < sizeof lengths / sizeof lengths[0]; i++)
            for (int d = 0; d < 4; d++)
                for (int kind = 0; kind < KINDS; kind++) {
                    tn_scope scope = tn_scope_open();
                    tn_tensor *x = scan_drawn(TN_DIMS(lengths[i]), dtypes[d], 4, 4096), *y = apply(kind, x, 0);
                    CHECK(y);
                    CHECK_INT(tn_dtype_of(y), dtypes[d]);
                    check_line(kind, y, x, tolerances[d]);
                    tn_scope_close(scope);
                }
    }
    tn_set_cpu_level(before);
}

TEST_SAMPLED(a_result_has_the_same_bits_for_all_strides_and_numbers_of_threads) {
    int64_t threads = tn_num_threads();
    tn_tensor *x = scan_drawn(TN_DIMS(70, 45, 3), TN_FLOAT32, 4, 4096);
    CHECK(x);
    for (int kind = 0; kind < KINDS; kind++)
        for (int64_t dim = 0; dim < 3; dim++) {
            tn_tensor *moved = tn_movedim(x, TN_DIMS(dim), TN_DIMS(-1)); /* the line is the last dimension of a view */
            tn_tensor *one = apply(kind, in_a_row(moved), -1);
            CHECK(tn_set_num_threads(3) == TN_OK);
            tn_tensor *strided = apply(kind, moved, -1),
                      *backward = tn_flip(apply(kind, tn_flip(moved, TN_DIMS(0)), -1), TN_DIMS(0));
            CHECK(tn_set_num_threads(threads) == TN_OK);
            CHECK(one && strided && backward);
            CHECK(same_bits(one, strided));
            CHECK(same_bits(one, backward));
            if (kind == LAYER || kind == RMS)
                continue;
            tn_tensor *there = tn_movedim(apply(kind, x, dim), TN_DIMS(dim), TN_DIMS(-1));
            CHECK(there && same_bits(one, there));
        }
}

TEST_SAMPLED(thousands_of_short_lines_beside_one_another_have_the_bits_of_lines_in_a_row) {
    static const tn_dtype dtypes[] = {TN_FLOAT32, TN_FLOAT64, TN_FLOAT16, TN_BFLOAT16};
    int64_t threads = tn_num_threads();
    for (int round = 0; round < 20 * KINDS; round++) {
        tn_scope scope = tn_scope_open();
        int kind = round % KINDS;
        int64_t inner = test_random_between(1, 64), outer = test_random_between(2048, 4096) / inner;
        tn_dtype dtype = dtypes[round / KINDS % 4];
        tn_tensor *x = scan_drawn(TN_DIMS(outer, test_random_between(1, 12), inner), dtype, 4, 4096);
        tn_tensor *moved = tn_movedim(x, TN_DIMS(1), TN_DIMS(-1));
        CHECK(tn_set_num_threads(test_random_between(1, 3)) == TN_OK);
        tn_tensor *row = apply(kind, in_a_row(moved), -1), *strided = apply(kind, moved, -1);
        tn_tensor *there = kind == LAYER || kind == RMS ? strided : tn_movedim(apply(kind, x, 1), TN_DIMS(1), TN_DIMS(-1));
        CHECK(tn_set_num_threads(threads) == TN_OK);
        CHECK(row && strided && there);
        CHECK(same_bits(row, strided));
        CHECK(same_bits(row, there));
        tn_scope_close(scope);
    }
}

/* Lines of these lengths are short and long; some elements are not ordinary numbers. */
static tn_tensor *lines_with_oddities(int64_t lines, int64_t length, tn_dtype dtype) {
    static const double odd[] = {NAN, INFINITY, -INFINITY, -0.0, 0.0, 88.0, -1e4};
    tn_tensor *x = scan_drawn(TN_DIMS(lines, length), TN_FLOAT64, 4, 4096);
    double *data = x ? tn_mutable_data(x) : NULL;
    for (int64_t i = 0; data && i < lines; i += 3)
        data[test_random_between(i * length, (i + 1) * length - 1)] = odd[i / 3 % 7];
    return x ? tn_to(x, dtype) : NULL;
}

TEST_SAMPLED(lines_computed_together_have_the_bits_of_each_alone) {
    static const int64_t lengths[] = {1, 2, 3, 4, 5, 6, 7, 8, 9, 15, 16, 17, 33, 63, 64, 65, 100};
    static const tn_dtype dtypes[] = {TN_FLOAT32, TN_FLOAT64, TN_FLOAT16, TN_BFLOAT16};
    tn_cpu_level before = tn_cpu_level_in_use();
    for (int round = 0; round < 4 * 17 * ((int)tn_cpu_level_detected() + 1); round++) {
        tn_scope scope = tn_scope_open();
        tn_set_cpu_level((tn_cpu_level)(round / 68));
        int64_t length = lengths[round % 17], lines = round % 5 == 0 ? 2200 / length : test_random_between(1, 12);
        tn_tensor *x = lines_with_oddities(lines, length, dtypes[round / 17 % 4]);
        tn_tensor *apart = tn_narrow(tn_cat(((const tn_tensor *[]){x, x}), 2, 1), 1, 0, length); /* a gap behind each line */
        for (int kind = SOFTMAX; kind <= LOG_SOFTMAX; kind++) {
            tn_tensor *together = apply(kind, x, 1), *gaps = apply(kind, apart, 1);
            CHECK(together && gaps);
            CHECK(same_bits(together, gaps));
            for (int64_t line = 0; line<lines; line += lines> 12 ? 97 : 1) {
                tn_tensor *alone = apply(kind, tn_select(x, 0, line), 0);
                CHECK(alone && same_bits(alone, tn_select(together, 0, line)));
            }
        }
        tn_scope_close(scope);
    }
    tn_set_cpu_level(before);
}

TEST(softmax_writes_over_what_it_reads_line_by_line) {
    tn_tensor *x = scan_drawn(TN_DIMS(5, 4), TN_FLOAT32, 4, 4096), *kept = tn_clone(x, TN_CONTIGUOUS);
    for (int kind = SOFTMAX; kind <= LOG_SOFTMAX; kind++) {
        tn_tensor *wanted = apply(kind, kept, 1), *self = tn_clone(kept, TN_CONTIGUOUS);
        CHECK(wanted && self);
        CHECK(kind == SOFTMAX ? tn_softmax_out(self, self, 1, TN_DTYPE_DEFAULT) == self
                              : tn_log_softmax_out(self, self, 1, TN_DTYPE_DEFAULT) == self);
        CHECK(same_bits(self, wanted));
    }
}

TEST(softmax_writes_to_out_and_converts_first) {
    tn_tensor *x = tn_from_text("[[1, 2, 3], [4, 6, 5]]", TN_FLOAT32), *out = tn_empty(TN_DIMS(0), TN_FLOAT32);
    CHECK(x && out);
    CHECK(tn_softmax_out(out, x, 1, TN_DTYPE_DEFAULT) == out);
    CHECK_INT(tn_size(out, 0), 2);
    CHECK(fabs(tn_get_double(out, TN_DIMS(0, 2)) - 0.66524096) < 1e-6);
    tn_tensor *self = tn_clone(x, TN_CONTIGUOUS); /* out may be self */
    CHECK(self && tn_softmax_out(self, self, 1, TN_DTYPE_DEFAULT));
    CHECK(same_bits(self, out));
    CHECK(tn_log_softmax_out(self, x, 1, TN_DTYPE_DEFAULT));
    CHECK(fabs(tn_get_double(self, TN_DIMS(1, 1)) + 0.40760596) < 1e-6);
    CHECK_ERROR(TN_ERROR_DTYPE, "float64", tn_softmax_out(out, x, 1, TN_FLOAT64));
    CHECK_ERROR(TN_ERROR_DTYPE, "give a float dtype", tn_softmax(tn_to(x, TN_INT32), 1, TN_DTYPE_DEFAULT));
    CHECK_ERROR(TN_ERROR_DTYPE, "float8", tn_log_softmax(x, 1, TN_FLOAT8_E5M2));
    CHECK_ERROR(TN_ERROR_INDEX, "dim", tn_softmin(x, 2, TN_DTYPE_DEFAULT));
    CHECK_ERROR(TN_ERROR_DTYPE, "bool", tn_softmin(tn_to(x, TN_BOOL), 1, TN_FLOAT32));
}

TEST(softmax_keeps_channels_last) {
    tn_tensor *x = scan_drawn(TN_DIMS(2, 5, 3, 4), TN_FLOAT32, 4, 4096), *last = x ? tn_clone(x, TN_CHANNELS_LAST) : NULL;
    tn_tensor *y = last ? tn_softmax(last, 1, TN_DTYPE_DEFAULT) : NULL;
    CHECK(y);
    CHECK_INT(tn_stride(y, 1), 1);
    CHECK(same_bits(y, tn_softmax(x, 1, TN_DTYPE_DEFAULT)));
}

TEST(norms_merge_dimensions_that_lie_apart) {
    tn_tensor *x = scan_drawn(TN_DIMS(4, 3, 6), TN_FLOAT32, 4, 4096);
    tn_tensor *turned = x ? tn_transpose(x, 1, 2) : NULL; /* (4, 6, 3), not mergeable */
    CHECK(turned);
    CHECK(same_bits(tn_layer_norm(turned, TN_DIMS(6, 3), NULL, NULL, 0),
                    tn_layer_norm(in_a_row(turned), TN_DIMS(6, 3), NULL, NULL, 0)));
    tn_tensor *stepped = tn_slice(x, 2, 0, 6, 2), *wide = tn_expand(tn_slice(x, 2, 0, 1, 1), TN_DIMS(4, 3, 5));
    CHECK(stepped && wide);
    CHECK(same_bits(tn_rms_norm(stepped, TN_DIMS(3, 3), NULL, TN_NO_SCALAR),
                    tn_rms_norm(in_a_row(stepped), TN_DIMS(3, 3), NULL, TN_NO_SCALAR)));
    CHECK(same_bits(tn_rms_norm(wide, TN_DIMS(5), NULL, TN_NO_SCALAR),
                    tn_rms_norm(in_a_row(wide), TN_DIMS(5), NULL, TN_NO_SCALAR)));
    tn_tensor *weight = scan_drawn(TN_DIMS(3, 6), TN_FLOAT32, 4, 4096), *bias = scan_drawn(TN_DIMS(6, 3), TN_FLOAT32, 4, 4096);
    CHECK(weight && bias);
    tn_tensor *y = tn_layer_norm(turned, TN_DIMS(6, 3), tn_transpose(weight, 0, 1), bias, 1e-5);
    tn_tensor *plain = tn_layer_norm(turned, TN_DIMS(6, 3), NULL, NULL, 1e-5);
    CHECK(y && plain);
    CHECK(same_bits(y, tn_add(tn_mul(plain, tn_transpose(weight, 0, 1)), bias)));
}

TEST(a_norm_of_numbers_far_from_zero_is_precise) {
    tn_tensor *x = scan_drawn(TN_DIMS(1000), TN_FLOAT32, 4, 4096);
    tn_tensor *far = x ? tn_add(tn_round(tn_mul_scalar(x, 16)), tn_full(TN_DIMS(1000), 1048576, TN_FLOAT32)) : NULL;
    tn_tensor *y = far ? tn_layer_norm(far, TN_DIMS(1000), NULL, NULL, 0) : NULL;
    tn_tensor *exact = far ? tn_layer_norm(tn_to(far, TN_FLOAT64), TN_DIMS(1000), NULL, NULL, 0) : NULL;
    CHECK(y && exact);
    CHECK(tn_allclose(tn_to(y, TN_FLOAT64), exact, 1e-6, 1e-7, false));
    tn_tensor *large = tn_from_text("[3e30, 4e30]", TN_FLOAT32), *small = tn_from_text("[3e-30, 4e-30]", TN_FLOAT32);
    CHECK(large && small);
    tn_tensor *unit = tn_normalize(large, 2, 0, 1e-12), *tiny = tn_normalize(small, 2, 0, 0);
    CHECK(unit && tiny);
    CHECK(fabs(tn_get_double(unit, TN_DIMS(0)) - 0.6) < 1e-7);
    CHECK(fabs(tn_get_double(tiny, TN_DIMS(1)) - 0.8) < 1e-7);
}

TEST(norms_refuse_what_does_not_fit) {
    tn_tensor *x = scan_drawn(TN_DIMS(2, 3), TN_FLOAT32, 4, 4096), *w = scan_drawn(TN_DIMS(3), TN_FLOAT32, 4, 4096);
    CHECK(x && w);
    CHECK_ERROR(TN_ERROR_SHAPE, "normalized_shape is empty", tn_layer_norm(x, (tn_dims){0}, NULL, NULL, 0));
    CHECK_ERROR(TN_ERROR_SHAPE, "is not the end", tn_rms_norm(x, TN_DIMS(2), NULL, TN_NO_SCALAR));
    CHECK_ERROR(TN_ERROR_SHAPE, "is not the end", tn_layer_norm(x, TN_DIMS(1, 2, 3), NULL, NULL, 0));
    CHECK_ERROR(TN_ERROR_SHAPE, "weight", tn_layer_norm(x, TN_DIMS(2, 3), w, NULL, 0));
    CHECK_ERROR(TN_ERROR_SHAPE, "bias", tn_layer_norm(x, TN_DIMS(3), w, x, 0));
    CHECK_ERROR(TN_ERROR_DTYPE, "give both its dtype", tn_layer_norm(x, TN_DIMS(3), w, tn_to(w, TN_FLOAT64), 0));
    CHECK_ERROR(TN_ERROR_DTYPE, "or both float32", tn_layer_norm(tn_to(x, TN_FLOAT16), TN_DIMS(3), w, tn_to(w, TN_FLOAT16), 0));
    CHECK_ERROR(TN_ERROR_DTYPE, "convert it first", tn_rms_norm(tn_to(x, TN_INT64), TN_DIMS(3), NULL, TN_NO_SCALAR));
    CHECK_ERROR(TN_ERROR_DTYPE, "convert it first", tn_normalize(tn_to(x, TN_FLOAT8_E4M3FN), 2, 1, 0));
    CHECK_ERROR(TN_ERROR_INDEX, "dim", tn_normalize(w, 2, 1, 0));
    CHECK_ERROR(TN_ERROR_SHAPE, "of nothing", tn_normalize(tn_empty(TN_DIMS(2, 0), TN_FLOAT32), -1, 1, 0));
}

TEST(normalize_writes_to_out_of_another_dtype) {
    tn_tensor *x = tn_from_text("[[3, 4], [6, 8]]", TN_FLOAT32), *out = tn_empty(TN_DIMS(2, 2), TN_FLOAT64);
    CHECK(x && out);
    CHECK(tn_normalize_out(out, x, 2, 1, 1e-12) == out);
    CHECK(fabs(tn_get_double(out, TN_DIMS(1, 1)) - 0.8) < 1e-7);
    CHECK(tn_normalize_out(x, x, 1, 0, 1e-12) == x); /* in place */
    CHECK(fabs(tn_get_double(x, TN_DIMS(0, 0)) - 1.0 / 3) < 1e-7);
    CHECK_ERROR(TN_ERROR_DTYPE, "int32", tn_normalize_out(tn_empty(TN_DIMS(2, 2), TN_INT32), x, 2, 1, 0));
}

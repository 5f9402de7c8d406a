/* product.c - the engine of matrix products against plain loops: sizes around every tile and block, strides, dtypes, batches, what is
 * done to sums, levels and numbers of threads. Factors are small whole numbers, so that all sums are exact and compared to the bit.
 * The operators on top have tests of their own in product_operators.c.
 *
 * Tests: src/cpu/product_kernels.c, src/iterate/product_blocks.c, src/iterate/product_finish.c
 * Tests: src/iterate/product_pack.c, src/iterate/product_skinny.c, src/iterate/product_small.c */
#include "test.h"

#include "iterate/product.h"
#include "iterate/product_finish.h"

typedef struct product_matrix {
    tn_dtype dtype;
    int64_t rows, columns, row, column, batch; /* strides */
    char *block, *data;
} product_matrix;

enum { BY_ROWS, BY_COLUMNS, APART, BACKWARDS, ODD, LAYOUTS };

/* Whole numbers from -3 to 3 (0 to 3) in a layout; `batches` matrices. */
static product_matrix matrix_new(int64_t rows, int64_t columns, int64_t batches, tn_dtype dtype, int how) {
    product_matrix matrix = {.dtype = dtype, .rows = rows, .columns = columns};
    int64_t gap = how == APART ? 3 : 1, size = (int64_t)tn_dtype_size(dtype);
    matrix.row = how == BY_COLUMNS ? gap : columns * gap;
    matrix.column = how == BY_COLUMNS ? rows * gap : gap;
    matrix.batch = rows * columns * gap + (how == APART ? 5 : 0);
    int64_t count = matrix.batch * batches + 2;
    matrix.block = malloc((size_t)(count * size + 1));
    matrix.data = matrix.block + (how == ODD ? 1 : 0);
    int64_t least = tn_dtype_is_signed(dtype) ? -3 : 0;
    for (int64_t i = 0; i < count; i++) {
        double parts[2] = {(double)test_random_between(least, 3), (double)test_random_between(-3, 3)};
        tn_scalar value = tn_dtype_is_complex(dtype) ? tn_scalar_complex(parts[0], parts[1]) : tn_scalar_float(parts[0]);
        tn_dtype_store(dtype, matrix.data + i * size, value);
    }
    if (how == BACKWARDS) {
        matrix.data += ((rows - 1) * matrix.row + (columns - 1) * matrix.column) * size;
        matrix.row = -matrix.row;
        matrix.column = -matrix.column;
    }
    return matrix;
}

static tn_complex128 matrix_at(const product_matrix *matrix, int64_t batch, int64_t i, int64_t j) {
    tn_complex128 value;
    tn_dtype_store(TN_COMPLEX128, &value,
                   tn_dtype_load(matrix->dtype, matrix->data + (batch * matrix->batch + i * matrix->row + j * matrix->column) *
                                                                   (int64_t)tn_dtype_size(matrix->dtype)));
    return value;
}

static tni_product_operand matrix_operand(const product_matrix *matrix, bool batched) {
    return (tni_product_operand){matrix->data,  matrix->row, matrix->column, batched ? &matrix->batch : NULL,
                                 matrix->dtype, false};
}

/* The dtype that an exact result is rounded to, and integers wrap in. */
static bool product_same(tn_dtype dtype, const char *got, tn_complex128 exact) {
    char want[16] = {0};
    if (tn_dtype_is_complex(dtype))
        tn_dtype_store(dtype, want, tn_scalar_complex(exact.real, exact.imag));
    else if (tn_dtype_is_floating(dtype))
        tn_dtype_store(dtype, want, tn_scalar_float(exact.real));
    else {
        int64_t whole = (int64_t)exact.real;
        memcpy(want, &whole, tn_dtype_size(dtype));
    }
    return memcmp(want, got, tn_dtype_size(dtype)) == 0 ||
           (tn_dtype_is_floating(dtype) && exact.real == 0); /* a zero of either sign */
}

typedef struct product_case {
    int64_t m, n, k, batches;
    tn_dtype a, b, c;
    int how[3];
    bool share_a, share_b, conjugate_a, conjugate_b;
} product_case;

/* Computes a case and compares it with a plain loop. */
static bool product_agrees(const product_case *test) {
    int64_t m = test->m, n = test->n, k = test->k;
    product_matrix a = matrix_new(m, k, test->share_a ? 1 : test->batches, test->a, test->how[0]);
    product_matrix b = matrix_new(k, n, test->share_b ? 1 : test->batches, test->b, test->how[1]);
    product_matrix c = matrix_new(m, n, test->batches, test->c, test->how[2]);
    if (test->share_a)
        a.batch = 0;
    if (test->share_b)
        b.batch = 0;
    tni_product product;
    tni_product_begin(&product, m, n, k);
    product.batch_ndim = test->batches == 1 ? 0 : 1;
    product.batch_sizes = &test->batches;
    product.a = matrix_operand(&a, true);
    product.b = matrix_operand(&b, true);
    product.c = matrix_operand(&c, true);
    product.a.conjugate = test->conjugate_a;
    product.b.conjugate = test->conjugate_b;
    product.compute = tni_product_compute(test->c);
    bool same = tni_product_run(&product) == TN_OK;
    for (int64_t at = 0; at < test->batches * m * n && same; at++) {
        int64_t batch = at / (m * n), i = at / n % m, j = at % n;
        tn_complex128 sum = {0, 0};
        for (int64_t p = 0; p < k; p++) {
            tn_complex128 x = matrix_at(&a, batch, i, p), y = matrix_at(&b, batch, p, j);
            x.imag = test->conjugate_a ? -x.imag : x.imag;
            y.imag = test->conjugate_b ? -y.imag : y.imag;
            sum.real += x.real * y.real - x.imag * y.imag;
            sum.imag += x.real * y.imag + x.imag * y.real;
        }
        same =
            product_same(test->c, c.data + (batch * c.batch + i * c.row + j * c.column) * (int64_t)tn_dtype_size(test->c), sum);
        if (!same)
            printf("%" PRId64 " x %" PRId64 " x %" PRId64 ", %" PRId64 " batches, %s %s %s, layouts %d %d %d: batch %" PRId64
                   ", %" PRId64 ", %" PRId64 "\n",
                   m, n, k, test->batches, tn_dtype_name(test->a), tn_dtype_name(test->b), tn_dtype_name(test->c), test->how[0],
                   test->how[1], test->how[2], batch, i, j);
    }
    free(a.block);
    free(b.block);
    free(c.block);
    return same;
}

/* Every test at every level that this CPU has. */
static void at_levels(void (*test)(void)) {
    for (int level = 0; level <= (int)tn_cpu_level_detected(); level++) {
        CHECK_INT(tn_set_cpu_level((tn_cpu_level)level), TN_OK);
        test();
    }
    CHECK_INT(tn_set_cpu_level(tn_cpu_level_detected()), TN_OK);
}

static const tn_dtype product_dtypes[] = {TN_FLOAT32,    TN_FLOAT64, TN_FLOAT16, TN_BFLOAT16, TN_COMPLEX64,
                                          TN_COMPLEX128, TN_INT8,    TN_UINT8,   TN_INT16,    TN_INT32,
                                          TN_INT64,      TN_UINT16,  TN_UINT32,  TN_UINT64};
enum { PRODUCT_DTYPES = sizeof product_dtypes / sizeof product_dtypes[0] };

static void all_small_sizes(void) {
    for (int64_t m = 1; m <= 33; m += m < 9 ? 1 : 4)
        for (int64_t n = 1; n <= 33; n++)
            for (int64_t k = 1; k <= 33; k += k < 5 ? 1 : 7) {
                tn_dtype dtype = (m + n + k) % 2 ? TN_FLOAT32 : TN_FLOAT64;
                CHECK(product_agrees(&(product_case){m, n, k, 1, dtype, dtype, dtype, {0}, false, false, false, false}));
            }
}
TEST_ONCE(small_sizes_agree_with_a_plain_loop) { at_levels(all_small_sizes); } /* seconds long */

static int64_t some_size(void) {
    static const int64_t sizes[] = {1, 2, 3, 5, 7, 8, 9, 13, 15, 16, 17, 31, 32, 33, 47, 63, 64, 65, 100, 127, 129, 255, 257};
    return sizes[test_random_between(0, 22)];
}

static void some_cases(void) {
    for (int round = 0; round < 120; round++) {
        tn_dtype dtype = product_dtypes[test_random_between(0, PRODUCT_DTYPES - 1)];
        product_case test = {some_size(), some_size(), some_size(), test_random_between(0, 2) ? 1 : test_random_between(2, 5),
                             dtype,       dtype,       dtype,       {0},
                             false,       false,       false,       false};
        for (int i = 0; i < 3; i++)
            test.how[i] = (int)test_random_between(0, LAYOUTS - 1);
        while (test.m * test.n * test.k > 300000)
            test.m = (test.m + 1) / 2, test.n = (test.n + 1) / 2, test.k = (test.k + 1) / 2;
        test.share_a = test_random_between(0, 3) == 0;
        test.share_b = test_random_between(0, 3) == 0;
        test.conjugate_a = tn_dtype_is_complex(dtype) && test_random_between(0, 1);
        test.conjugate_b = tn_dtype_is_complex(dtype) && test_random_between(0, 1);
        CHECK(product_agrees(&test));
    }
}
TEST_ONCE(every_dtype_layout_and_batch_agrees_with_a_plain_loop) { at_levels(some_cases); } /* seconds long */

static void few_rows(void) {
    for (int round = 0; round < 60; round++) {
        static const tn_dtype floats[] = {TN_FLOAT32, TN_FLOAT64, TN_FLOAT16, TN_BFLOAT16};
        tn_dtype dtype = floats[test_random_between(0, 3)];
        product_case test = {test_random_between(1, 9),
                             test_random_between(1, 700),
                             test_random_between(1, 300),
                             1,
                             dtype,
                             dtype,
                             dtype,
                             {0},
                             false,
                             false,
                             false,
                             false};
        if (round % 2) {
            int64_t m = test.m;
            test.m = test.n;
            test.n = m;
        }
        for (int i = 0; i < 3; i++)
            test.how[i] = (int)test_random_between(0, LAYOUTS - 1);
        CHECK(product_agrees(&test));
    }
    /* k in pieces */
    CHECK(
        product_agrees(&(product_case){1, 1, 140001, 1, TN_FLOAT64, TN_FLOAT64, TN_FLOAT64, {0}, false, false, false, false}));
    CHECK(product_agrees(&(product_case){
        3, 2, 70001, 1, TN_FLOAT32, TN_FLOAT32, TN_FLOAT32, {BY_ROWS, BY_COLUMNS, BY_ROWS}, false, false, false, false}));
}
TEST_ONCE(a_few_rows_agree_with_a_plain_loop) { at_levels(few_rows); } /* seconds long */

static void bytes(void) {
    for (int round = 0; round < 40; round++) {
        product_case test = {some_size(), some_size(), some_size(), 1,     round % 2 ? TN_UINT8 : TN_INT8,
                             TN_INT8,     TN_INT32,    {0},         false, false,
                             false,       false};
        while (test.m * test.n * test.k > 300000)
            test.m = (test.m + 1) / 2, test.n = (test.n + 1) / 2, test.k = (test.k + 1) / 2;
        for (int i = 0; i < 3; i++)
            test.how[i] = (int)test_random_between(0, LAYOUTS - 1);
        CHECK(product_agrees(&test));
    }
    /* the largest products do not saturate */
    enum { K = 1000 };
    static int8_t a[K], b[K];
    int32_t sum = 0;
    memset(a, -128, sizeof a);
    memset(b, -128, sizeof b);
    tni_product product;
    tni_product_begin(&product, 1, 1, K);
    product.a = (tni_product_operand){a, K, 1, NULL, TN_INT8, false};
    product.b = (tni_product_operand){b, 1, 1, NULL, TN_INT8, false};
    product.c = (tni_product_operand){&sum, 1, 1, NULL, TN_INT32, false};
    product.compute = TN_INT32;
    CHECK_INT(tni_product_run(&product), TN_OK);
    CHECK_INT(sum, K * 128 * 128);
}
TEST_ONCE(products_of_bytes_are_exact_sums_of_32_bits) { at_levels(bytes); } /* seconds long */

/* ---- real numbers */

/* Each sum is off by no more than k roundings of the sum of magnitudes. */
static void within_bounds(void) {
    static const int64_t sizes[][3] = {{17, 33, 1000}, {1, 65, 4000}, {64, 64, 64}, {130, 70, 513}};
    for (int at = 0; at < 4; at++) {
        int64_t m = sizes[at][0], n = sizes[at][1], k = sizes[at][2];
        float *a = malloc((size_t)(m * k) * 4), *b = malloc((size_t)(k * n) * 4), *c = malloc((size_t)(m * n) * 4);
        for (int64_t i = 0; i < m * k; i++)
            a[i] = (float)test_random_between(-1000000, 1000000) / 999983;
        for (int64_t i = 0; i < k * n; i++)
            b[i] = (float)test_random_between(-1000000, 1000000) / 999983;
        tni_product product;
        tni_product_begin(&product, m, n, k);
        product.a = (tni_product_operand){a, k, 1, NULL, TN_FLOAT32, false};
        product.b = (tni_product_operand){b, n, 1, NULL, TN_FLOAT32, false};
        product.c = (tni_product_operand){c, n, 1, NULL, TN_FLOAT32, false};
        product.compute = TN_FLOAT32;
        CHECK_INT(tni_product_run(&product), TN_OK);
        for (int64_t i = 0; i < m * n; i++) {
            double sum = 0, size = 0;
            for (int64_t p = 0; p < k; p++) {
                double term = (double)a[i / n * k + p] * b[p * n + i % n];
                sum += term;
                size += term < 0 ? -term : term;
            }
            double off = sum - (double)c[i];
            CHECK((off < 0 ? -off : off) <= size * (double)(k + 2) * 6e-8);
        }
        free(a);
        free(b);
        free(c);
    }
}
TEST_ONCE(sums_of_real_numbers_are_within_their_bound) { at_levels(within_bounds); } /* seconds long */

/* ---- what is done to sums */

static void drawn(float *values, int64_t count) {
    for (int64_t i = 0; i < count; i++)
        values[i] = (float)test_random_between(-1000, 1000) / 300;
}

TEST_SAMPLED(sums_are_finished_as_the_operators_would_finish_them) {
    enum { M = 37, N = 300, K = 290 };
    static float a[M * K], b[K * N], c[M * N], plain[M * N], d[M * N], bias[N], residual[M * N];
    drawn(a, M * K);
    drawn(b, K * N);
    drawn(d, M * N);
    drawn(bias, N);
    drawn(residual, M * N);
    tni_product product;
    tni_product_begin(&product, M, N, K);
    product.a = (tni_product_operand){a, K, 1, NULL, TN_FLOAT32, false};
    product.b = (tni_product_operand){b, N, 1, NULL, TN_FLOAT32, false};
    product.c = (tni_product_operand){plain, N, 1, NULL, TN_FLOAT32, false};
    product.compute = TN_FLOAT32;
    CHECK_INT(tni_product_run(&product), TN_OK);
    product.c.data = c;
    product.alpha = (tn_job_number){0.5, 0, {0.5, 0}};
    product.beta = (tn_job_number){3, 3, {3, 0}};
    product.d = (tni_product_operand){d, N, 1, NULL, TN_FLOAT32, false};
    product.bias = (tni_product_operand){bias, 0, 1, NULL, TN_FLOAT32, false};
    product.activation = TNI_ACTIVATION_RELU;
    product.scale = (tn_job_number){0.25, 0, {0.25, 0}};
    product.residual = (tni_product_operand){residual, N, 1, NULL, TN_FLOAT32, false};
    CHECK_INT(tni_product_run(&product), TN_OK);
    for (int i = 0; i < M * N; i++) {
        float x = plain[i] * 0.5f;
        x += 3 * d[i];
        x += bias[i % N];
        x = x > 0 ? x : 0;
        x *= 0.25f;
        CHECK_DOUBLE((double)c[i], (double)(x + residual[i]));
    }
    /* what is added may be the result itself */
    memcpy(c, d, sizeof c);
    product.d.data = product.c.data = c;
    product.residual.data = product.bias.data = NULL;
    product.activation = TNI_ACTIVATION_NONE;
    product.scale = product.alpha = TNI_PRODUCT_ONE;
    CHECK_INT(tni_product_run(&product), TN_OK);
    for (int i = 0; i < M * N; i++)
        CHECK_DOUBLE((double)c[i], (double)(plain[i] + 3 * d[i]));
    /* and is not read where it counts 0 times */
    for (int i = 0; i < M * N; i++)
        c[i] = NAN;
    product.beta = TNI_PRODUCT_ZERO;
    CHECK_INT(tni_product_run(&product), TN_OK);
    CHECK(memcmp(c, plain, sizeof c) == 0);
    /* without k sums are 0 */
    product.k = 0;
    product.bias = (tni_product_operand){bias, 0, 1, NULL, TN_FLOAT32, false};
    CHECK_INT(tni_product_run(&product), TN_OK);
    for (int i = 0; i < M * N; i++)
        CHECK_DOUBLE((double)c[i], (double)bias[i % N]);
    product.m = 0;
    CHECK_INT(tni_product_run(&product), TN_OK);
}

/* ---- threads */

static void thread_bits(int64_t m, int64_t n, int64_t k, int64_t batches, tn_dtype dtype) {
    size_t size = tn_dtype_size(dtype), bytes = (size_t)(batches * m * n) * size;
    char *a = malloc((size_t)(batches * m * k) * size), *b = malloc((size_t)(batches * k * n) * size);
    char *first = malloc(bytes), *again = malloc(bytes);
    for (int64_t i = 0; i < batches * m * k; i++)
        tn_dtype_store(dtype, a + i * (int64_t)size, tn_scalar_float((double)test_random_between(-1000, 1000) / 337));
    for (int64_t i = 0; i < batches * k * n; i++)
        tn_dtype_store(dtype, b + i * (int64_t)size, tn_scalar_float((double)test_random_between(-1000, 1000) / 337));
    int64_t batch_a = m * k, batch_b = k * n, batch_c = m * n;
    tni_product product;
    tni_product_begin(&product, m, n, k);
    product.batch_ndim = 1;
    product.batch_sizes = &batches;
    product.a = (tni_product_operand){a, k, 1, &batch_a, dtype, false};
    product.b = (tni_product_operand){b, n, 1, &batch_b, dtype, false};
    product.c = (tni_product_operand){first, n, 1, &batch_c, dtype, false};
    product.compute = tni_product_compute(dtype);
    int64_t before = tn_num_threads();
    static const int64_t threads[] = {1, 2, 3, 5, 8};
    for (int i = 0; i < 5; i++) {
        CHECK_INT(tn_set_num_threads(threads[i]), TN_OK);
        product.c.data = i ? again : first;
        CHECK_INT(tni_product_run(&product), TN_OK);
        CHECK(i == 0 || memcmp(first, again, bytes) == 0);
    }
    CHECK_INT(tn_set_num_threads(before), TN_OK);
    free(a);
    free(b);
    free(first);
    free(again);
}
TEST_ONCE(bits_do_not_depend_on_the_number_of_threads) { /* threads */
    thread_bits(300, 310, 600, 1, TN_FLOAT32);
    thread_bits(70, 90, 100, 9, TN_FLOAT64);
    thread_bits(20, 30, 10, 200, TN_FLOAT32);
    thread_bits(1, 3000, 400, 1, TN_FLOAT32);
    thread_bits(1, 1, 300000, 1, TN_FLOAT32);
    thread_bits(5, 300, 2000, 2, TN_BFLOAT16);
    thread_bits(100, 100, 300, 1, TN_BFLOAT16);
}

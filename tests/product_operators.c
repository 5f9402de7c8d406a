/* product_operators.c - products of tensors against plain loops in complex128: every rank, layout, dtype and variant; what is not read;
 * what is refused, and that it says which sizes differ. The engine has tests of its own sizes in product.c.
 *
 * Tests: src/ops/product/addmm.c, src/ops/product/int_mm.c, src/ops/product/linear.c, src/ops/product/matmul.c
 * Tests: src/ops/product/matrix_power.c, src/ops/product/product_call.c */
#include "test.h"

typedef struct product_number {
    double real, imag;
} product_number;

static const tn_dtype product_dtypes[] = {TN_FLOAT32,    TN_FLOAT64, TN_FLOAT16, TN_BFLOAT16, TN_COMPLEX64,
                                          TN_COMPLEX128, TN_INT64,   TN_INT32,   TN_INT16,    TN_INT8,
                                          TN_UINT8,      TN_UINT16,  TN_UINT32,  TN_UINT64,   TN_FLOAT8_E5M2};
enum { PRODUCT_DTYPES = sizeof product_dtypes / sizeof product_dtypes[0] };

/* ---- tensors */

/* Small whole numbers in a row-major tensor, so that sums are exact in most dtypes; of complex numbers with two parts. */
static tn_tensor *product_drawn(tn_dims sizes, tn_dtype dtype, int64_t most) {
    tn_tensor *x = tn_empty(sizes, TN_COMPLEX128);
    CHECK(x);
    double *data = tn_numel(x) ? tn_mutable_data(x) : NULL;
    for (int64_t i = 0; i < tn_numel(x); i++) {
        data[2 * i] = (double)test_random_between(tn_dtype_is_signed(dtype) ? -most : 0, most);
        data[2 * i + 1] = tn_dtype_is_complex(dtype) ? (double)test_random_between(-most, most) : 0;
    }
    tn_tensor *drawn = tn_dtype_is_complex(dtype) ? tn_to(x, dtype) : tn_to(tn_real(x), dtype);
    CHECK(drawn);
    return drawn;
}

/* The same elements in another layout: as they are, dimensions in reverse order, with gaps, backwards, or at an odd address. */
static tn_tensor *product_laid(const tn_tensor *x, int64_t how) {
    int64_t ndim = tn_ndim(x), order[8], sizes[8], strides[8], offset = 0, stride = 1;
    for (int64_t d = 0; d < ndim; d++)
        order[d] = how == 1 ? d : ndim - 1 - d;
    for (int64_t i = 0; i < ndim; i++) {
        int64_t d = order[i];
        sizes[d] = tn_sizes(x).values[d];
        strides[d] = how == 2 ? 2 * stride : stride;
        stride *= (how == 2 ? 2 : 1) * (sizes[d] ? sizes[d] : 1);
        if (how == 3 && sizes[d] > 0) {
            offset += (sizes[d] - 1) * strides[d];
            strides[d] = -strides[d];
        }
    }
    tn_tensor *room = tn_zeros(TN_DIMS(stride + 3), tn_dtype_of(x));
    CHECK(room);
    tn_tensor *laid = tn_from_storage(tn_storage_of(room), offset + (how == 4 ? 3 : 0), (tn_dims){sizes, ndim},
                                      (tn_dims){strides, ndim}, tn_dtype_of(x));
    CHECK(laid && tn_copy_(laid, x));
    return laid;
}

/* One of the layouts; or with a dimension of size 1 repeated. */
static tn_tensor *product_some(tn_dims sizes, tn_dtype dtype) {
    int64_t how = test_random_between(0, 5), narrow[8];
    if (how < 5 || sizes.count == 0)
        return product_laid(product_drawn(sizes, dtype, 3), how % 5);
    memcpy(narrow, sizes.values, (size_t)sizes.count * sizeof *narrow);
    narrow[test_random_between(0, sizes.count - 1)] = 1;
    tn_tensor *wide = tn_expand(product_drawn((tn_dims){narrow, sizes.count}, dtype, 3), sizes);
    CHECK(wide);
    return wide;
}

/* All elements as complex128, row by row: borrowed from the scope. */
static const product_number *product_values(const tn_tensor *x) {
    tn_tensor *wide = tn_clone(tn_to(x, TN_COMPLEX128), TN_CONTIGUOUS);
    CHECK(wide);
    static const product_number none = {0, 0};
    return tn_numel(wide) ? tn_data(wide) : &none;
}

/* ---- the model */

/* beta * self + alpha * (a times b), matrix by matrix: a (batch, m, k), b (batch, k, n), self (batch, m, n) or NULL. */
static void product_model(product_number *out, const product_number *a, const product_number *b, const product_number *self,
                          int64_t batch, int64_t m, int64_t n, int64_t k, double alpha, double beta, bool conjugate) {
    for (int64_t i = 0; i < batch * m * n; i++) {
        const product_number *row = a + i / n * k, *column = b + i / (m * n) * k * n + i % n;
        product_number sum = {0, 0};
        for (int64_t p = 0; p < k; p++) {
            product_number x = row[p], y = column[p * n];
            if (conjugate)
                x.imag = -x.imag;
            sum.real += x.real * y.real - x.imag * y.imag;
            sum.imag += x.real * y.imag + x.imag * y.real;
        }
        out[i].real = alpha * sum.real + (self && beta != 0 ? beta * self[i].real : 0);
        out[i].imag = alpha * sum.imag + (self && beta != 0 ? beta * self[i].imag : 0);
    }
}

/* The model's numbers in the dtype of the result: all are whole, so they are exact, or rounded once, or wrap. */
static void product_check(const char *what, const tn_tensor *result, const product_number *expected) {
    int64_t count = tn_numel(result);
    tn_dtype dtype = tn_dtype_of(result);
    tn_tensor *wide = tn_from_memory(expected, TN_DIMS(count), TN_COMPLEX128, TN_BORROW);
    tn_tensor *rounded = tn_dtype_is_complex(dtype)    ? tn_to(wide, dtype)
                         : tn_dtype_is_floating(dtype) ? tn_to(tn_real(wide), dtype)
                                                       : tn_to(tn_to(tn_real(wide), TN_INT64), dtype);
    tn_tensor *actual = tn_reshape(result, TN_DIMS(count));
    if (tn_dtype_size(dtype) == 1 && tn_dtype_is_floating(dtype)) { /* which cannot be compared */
        rounded = tn_to(rounded, TN_FLOAT32);
        actual = tn_to(actual, TN_FLOAT32);
    }
    CHECK(rounded && actual);
    if (!tn_equal(rounded, actual)) {
        CHECK_MEMORY();
        test_fail(__FILE__, __LINE__, "%s of %s is wrong", what, tn_dtype_name(dtype));
    }
}

static product_number *product_room(int64_t count) {
    tn_tensor *room = tn_zeros(TN_DIMS(count + 1), TN_COMPLEX128);
    CHECK(room);
    return tn_mutable_data(room);
}

static tn_tensor *product_wide(const tn_tensor *x, const int64_t *batch, int64_t ndim) {
    int64_t sizes[8];
    memcpy(sizes, batch, (size_t)ndim * sizeof *sizes);
    sizes[ndim] = sizes[ndim + 1] = -1;
    tn_tensor *wide = tn_expand(x, (tn_dims){sizes, ndim + 2});
    CHECK(wide);
    return wide;
}

/* ---- matmul */

static int64_t product_size(void) {
    int64_t drawn = test_random_between(0, 11);
    return drawn == 0 ? 0 : drawn == 1 ? 1 : test_random_between(1, 5);
}

typedef struct product_shapes {
    int64_t a_ndim, b_ndim, a[8], b[8], batch_ndim, batch[8], m, n, k;
} product_shapes;

static product_shapes product_shapes_drawn(int64_t a_ndim, int64_t b_ndim) {
    product_shapes s = {.a_ndim = a_ndim, .b_ndim = b_ndim, .m = product_size(), .n = product_size(), .k = product_size()};
    int64_t a_batch = a_ndim > 2 ? a_ndim - 2 : 0, b_batch = b_ndim > 2 ? b_ndim - 2 : 0;
    s.batch_ndim = a_batch > b_batch ? a_batch : b_batch;
    for (int64_t d = 0; d < s.batch_ndim; d++) {
        int64_t size = product_size(), who = test_random_between(0, 3), in_a = d - (s.batch_ndim - a_batch),
                in_b = d - (s.batch_ndim - b_batch);
        bool one_a = who == 1 && in_b >= 0, one_b = who == 2 && in_a >= 0;
        s.batch[d] = size;
        if (in_a >= 0)
            s.a[in_a] = one_a ? 1 : size;
        if (in_b >= 0)
            s.b[in_b] = one_b ? 1 : size;
    }
    if (a_ndim > 1)
        s.a[a_ndim - 2] = s.m;
    else
        s.m = 1;
    s.a[a_ndim - 1] = s.k;
    if (b_ndim > 1) {
        s.b[b_ndim - 2] = s.k;
        s.b[b_ndim - 1] = s.n;
    } else {
        s.b[0] = s.k;
        s.n = 1;
    }
    return s;
}

static const product_number *product_expected(const product_shapes *s, const tn_tensor *a, const tn_tensor *b, bool conjugate) {
    int64_t batch = 1;
    for (int64_t d = 0; d < s->batch_ndim; d++)
        batch *= s->batch[d];
    product_number *out = product_room(batch * s->m * s->n);
    const tn_tensor *left = product_wide(s->a_ndim > 1 ? a : tn_unsqueeze(a, 0), s->batch, s->batch_ndim);
    const tn_tensor *right = product_wide(s->b_ndim > 1 ? b : tn_unsqueeze(b, 1), s->batch, s->batch_ndim);
    product_model(out, product_values(left), product_values(right), NULL, batch, s->m, s->n, s->k, 1, 0, conjugate);
    return out;
}

TEST_SAMPLED(matmul_is_right_for_all_ranks_layouts_and_dtypes) {
    for (int round = 0; round < 16 * 2 * PRODUCT_DTYPES; round++) {
        tn_scope scope = tn_scope_open();
        tn_dtype dtype = product_dtypes[round % PRODUCT_DTYPES];
        product_shapes s = product_shapes_drawn(1 + round % 4, 1 + round / 4 % 4);
        tn_tensor *a = product_some((tn_dims){s.a, s.a_ndim}, dtype), *b = product_some((tn_dims){s.b, s.b_ndim}, dtype);
        tn_tensor *c = tn_matmul(a, b);
        CHECK(c);
        CHECK_INT(tn_dtype_of(c), dtype);
        CHECK(tn_is_contiguous(c));
        CHECK_INT(tn_ndim(c), s.batch_ndim + (s.a_ndim > 1) + (s.b_ndim > 1));
        const product_number *expected = product_expected(&s, a, b, false);
        product_check("matmul", c, expected);
        tn_tensor *given = product_laid(c, test_random_between(0, 4)); /* any strides of the result */
        CHECK(tn_zero_(given) && tn_matmul_out(given, a, b) == given);
        product_check("matmul_out", given, expected);
        CHECK(tn_scope_close(scope) == TN_OK);
    }
}

TEST(a_result_may_be_one_of_the_factors) {
    tn_tensor *a = product_drawn(TN_DIMS(4, 4), TN_FLOAT32, 9), *b = product_drawn(TN_DIMS(4, 4), TN_FLOAT32, 9);
    tn_tensor *expected = tn_mm(a, b), *square = tn_mm(a, a);
    CHECK(expected && square);
    for (int i = 0; i < 4; i++) {
        tn_tensor *x = tn_clone(a, TN_CONTIGUOUS), *y = tn_clone(b, TN_CONTIGUOUS);
        CHECK(x && y);
        tn_tensor *out = i == 0 ? x : i == 1 ? y : i == 2 ? tn_t(x) : tn_t(y);
        CHECK(out && tn_mm_out(out, x, y) && tn_equal(out, expected));
        tn_tensor *own = tn_clone(a, TN_CONTIGUOUS);
        CHECK(own && tn_mm_out(own, own, own) && tn_equal(own, square));
    }
}

TEST(what_is_mm_bmm_mv_and_dot_in_torch_is_here) {
    tn_tensor *a = product_drawn(TN_DIMS(2, 3, 4), TN_FLOAT64, 9), *b = product_drawn(TN_DIMS(2, 4, 5), TN_FLOAT64, 9);
    tn_tensor *m = tn_select(a, 0, 1), *v = tn_select(tn_select(b, 0, 0), 1, 2);
    CHECK(m && v);
    CHECK(tn_equal(tn_bmm(a, b), tn_matmul(a, b)));
    CHECK(tn_equal(tn_mm(m, tn_select(b, 0, 0)), tn_matmul(m, tn_select(b, 0, 0))));
    CHECK(tn_equal(tn_mv(m, v), tn_matmul(m, v)));
    CHECK(tn_equal(tn_dot(v, v), tn_matmul(v, v)));
    CHECK(tn_equal(tn_linalg_matmul(a, b), tn_matmul(a, b)));
    tn_tensor *half = tn_to(m, TN_FLOAT16), *wide = tn_mm_dtype(half, tn_t(half), TN_FLOAT32);
    CHECK(wide);
    CHECK_INT(tn_dtype_of(wide), TN_FLOAT32);
    CHECK(tn_equal(wide, tn_to(tn_mm(m, tn_t(m)), TN_FLOAT32)));
    CHECK_ERROR(TN_ERROR_DTYPE, "out_dtype = float64 must be float16, the dtype of self [3, 4] float16, or float32",
                tn_mm_dtype(half, tn_t(half), TN_FLOAT64));
    CHECK(tn_equal(tn_bmm_dtype(a, b, TN_FLOAT64), tn_bmm(a, b)));
}

TEST(vdot_and_vecdot_conjugate_their_first_factor) {
    tn_tensor *x = product_drawn(TN_DIMS(3, 4), TN_COMPLEX64, 5), *y = product_drawn(TN_DIMS(3, 4), TN_COMPLEX64, 5);
    tn_tensor *first = tn_select(x, 0, 0), *second = tn_select(y, 0, 0);
    CHECK(first && second);
    CHECK(tn_equal(tn_vdot(first, second), tn_sum(tn_mul(tn_conj(first), second), TN_DTYPE_DEFAULT)));
    for (int64_t dim = -2; dim < 2; dim++)
        CHECK(tn_equal(tn_linalg_vecdot(x, y, dim),
                       tn_sum_dim(tn_mul(tn_conj(x), y), (tn_dims){&dim, 1}, false, TN_DTYPE_DEFAULT)));
    tn_tensor *row = tn_select(y, 0, 1), *column = tn_narrow(y, 1, 2, 1); /* broadcast, also along the vectors */
    CHECK(tn_equal(tn_linalg_vecdot(x, row, -1), tn_sum_dim(tn_mul(tn_conj(x), row), TN_DIMS(-1), false, TN_DTYPE_DEFAULT)));
    CHECK(
        tn_equal(tn_linalg_vecdot(x, column, 1), tn_sum_dim(tn_mul(tn_conj(x), column), TN_DIMS(1), false, TN_DTYPE_DEFAULT)));
    CHECK(tn_equal(tn_linalg_vecdot(x, row, 0), tn_sum_dim(tn_mul(tn_conj(x), row), TN_DIMS(0), false, TN_DTYPE_DEFAULT)));
    tn_tensor *number = tn_scalar_tensor(3, TN_FLOAT32);
    CHECK(tn_equal(tn_linalg_vecdot(number, number, -1), tn_scalar_tensor(9, TN_FLOAT32)));
    CHECK_ERROR(TN_ERROR_SHAPE, "sizes 4 and 3 in dimension 1", tn_linalg_vecdot(x, tn_narrow(y, 1, 0, 3), 0));
    CHECK_ERROR(TN_ERROR_INDEX, "dim", tn_linalg_vecdot(x, y, 2));
}

TEST_SAMPLED(inner_pairs_all_lines_of_both) {
    for (int round = 0; round < 60; round++) {
        tn_scope scope = tn_scope_open();
        int64_t a[4], b[4], a_ndim = test_random_between(1, 4), b_ndim = test_random_between(1, 4), m = 1, n = 1,
                            k = product_size();
        for (int64_t d = 0; d < 4; d++) {
            a[d] = product_size();
            b[d] = product_size();
        }
        a[a_ndim - 1] = b[b_ndim - 1] = k;
        for (int64_t d = 0; d < a_ndim - 1; d++)
            m *= a[d];
        for (int64_t d = 0; d < b_ndim - 1; d++)
            n *= b[d];
        tn_dtype dtype = product_dtypes[round % PRODUCT_DTYPES];
        tn_tensor *x = product_some((tn_dims){a, a_ndim}, dtype), *y = product_some((tn_dims){b, b_ndim}, dtype),
                  *c = tn_inner(x, y);
        CHECK(c);
        CHECK_INT(tn_ndim(c), a_ndim + b_ndim - 2);
        tn_tensor *columns = tn_t(tn_reshape(y, TN_DIMS(n, k)));
        CHECK(columns);
        product_number *expected = product_room(m * n);
        product_model(expected, product_values(x), product_values(columns), NULL, 1, m, n, k, 1, 0, false);
        product_check("inner", c, expected);
        CHECK(tn_scope_close(scope) == TN_OK);
    }
    tn_tensor *x = product_drawn(TN_DIMS(2, 3), TN_FLOAT32, 5), *two = tn_scalar_tensor(2, TN_INT64);
    CHECK(x && two && tn_equal(tn_inner(x, two), tn_mul_scalar(x, 2)) && tn_equal(tn_inner(two, x), tn_mul_scalar(x, 2)));
    tn_tensor *columns = tn_inner(tn_t(x), two); /* as mul has it */
    CHECK(columns);
    CHECK_INT(tn_strides(columns).values[0], 1);
    CHECK_ERROR(TN_ERROR_SHAPE, "dimension 1 of self has size 3 and dimension 0 of other has size 2",
                tn_inner(x, tn_select(x, 1, 0)));
}

/* ---- added to something */

enum { ADDMM, ADDMV, BADDBMM, ADDBMM, ADDR, ADDING };
static const char *const adding_names[] = {"addmm", "addmv", "baddbmm", "addbmm", "addr"};

static tn_tensor *adding_new(int kind, const tn_tensor *self, const tn_tensor *a, const tn_tensor *b, tn_scalar beta,
                             tn_scalar alpha) {
    switch (kind) {
    case ADDMM: return tn_addmm(self, a, b, beta, alpha);
    case ADDMV: return tn_addmv(self, a, b, beta, alpha);
    case BADDBMM: return tn_baddbmm(self, a, b, beta, alpha);
    case ADDBMM: return tn_addbmm(self, a, b, beta, alpha);
    default: return tn_addr(self, a, b, beta, alpha);
    }
}

static tn_tensor *adding_in_place(int kind, tn_tensor *self, const tn_tensor *a, const tn_tensor *b, tn_scalar beta,
                                  tn_scalar alpha) {
    switch (kind) {
    case ADDMM: return tn_addmm_(self, a, b, beta, alpha);
    case ADDMV: return tn_addmv_(self, a, b, beta, alpha);
    case BADDBMM: return tn_baddbmm_(self, a, b, beta, alpha);
    case ADDBMM: return tn_addbmm_(self, a, b, beta, alpha);
    default: return tn_addr_(self, a, b, beta, alpha);
    }
}

static tn_tensor *adding_out(int kind, tn_tensor *out, const tn_tensor *self, const tn_tensor *a, const tn_tensor *b,
                             tn_scalar beta, tn_scalar alpha) {
    switch (kind) {
    case ADDMM: return tn_addmm_out(out, self, a, b, beta, alpha);
    case ADDMV: return tn_addmv_out(out, self, a, b, beta, alpha);
    case BADDBMM: return tn_baddbmm_out(out, self, a, b, beta, alpha);
    case ADDBMM: return tn_addbmm_out(out, self, a, b, beta, alpha);
    default: return tn_addr_out(out, self, a, b, beta, alpha);
    }
}

typedef struct adding_sizes {
    int64_t batch, m, n, k, a[3], b[3], c[3], a_ndim, b_ndim, c_ndim;
} adding_sizes;

static adding_sizes adding_drawn(int kind) {
    adding_sizes s = {.batch = product_size(), .m = product_size(), .n = product_size(), .k = product_size()};
    switch (kind) {
    case ADDMM: s.batch = 1; break;
    case ADDMV: s.batch = s.n = 1; break;
    case ADDR: s.batch = s.k = 1; break;
    default: break;
    }
    bool batched = kind == BADDBMM || kind == ADDBMM;
    if (batched)
        s.a[s.a_ndim++] = s.b[s.b_ndim++] = s.batch;
    if (kind == BADDBMM)
        s.c[s.c_ndim++] = s.batch;
    s.a[s.a_ndim++] = s.c[s.c_ndim++] = s.m;
    if (kind != ADDR) {
        s.a[s.a_ndim++] = s.k;
        s.b[s.b_ndim++] = s.k;
    }
    if (kind != ADDMV)
        s.b[s.b_ndim++] = s.c[s.c_ndim++] = s.n;
    return s;
}

/* What addbmm adds up is one matrix after the other. */
static product_number *adding_expected(int kind, const adding_sizes *s, const tn_tensor *self, const tn_tensor *a,
                                       const tn_tensor *b, double beta, double alpha) {
    const product_number *first = product_values(a), *second = product_values(b),
                         *added = product_values(tn_expand(self, (tn_dims){s->c, s->c_ndim}));
    product_number *out = product_room((s->batch + 1) * s->m * s->n);
    if (kind != ADDBMM) {
        product_model(out, first, second, added, s->batch, s->m, s->n, s->k, alpha, beta, false);
        return out;
    }
    product_model(out, first, second, added, 1, s->m, s->n, 0, 0, beta, false);
    for (int64_t i = 0; i < s->batch; i++)
        product_model(out, first + i * s->m * s->k, second + i * s->k * s->n, out, 1, s->m, s->n, s->k, alpha, 1, false);
    return out;
}

/* self as large as the result, or with some of its sizes 1, or its first dimensions missing. */
static tn_tensor *adding_self(const adding_sizes *s, tn_dtype dtype) {
    int64_t missing = test_random_between(0, 3) ? 0 : test_random_between(0, s->c_ndim), sizes[3];
    for (int64_t d = missing; d < s->c_ndim; d++)
        sizes[d - missing] = test_random_between(0, 4) ? s->c[d] : 1;
    return product_some((tn_dims){sizes, s->c_ndim - missing}, dtype);
}

TEST_SAMPLED(what_is_added_to_a_product_is_right_in_every_variant) {
    static const double factors[] = {1, 1, 2, -1, 0, 3};
    for (int round = 0; round < 4 * ADDING * PRODUCT_DTYPES; round++) {
        tn_scope scope = tn_scope_open();
        int kind = round % ADDING;
        tn_dtype dtype = product_dtypes[round / ADDING % PRODUCT_DTYPES];
        adding_sizes s = adding_drawn(kind);
        double beta = factors[test_random_between(0, 5)], alpha = factors[test_random_between(0, 5)];
        tn_scalar b0 = tn_scalar_float(beta), a0 = tn_scalar_int((int64_t)alpha);
        if (kind == ADDR) /* an integer beside integers */
            b0 = tn_scalar_int((int64_t)beta);
        tn_tensor *a = product_some((tn_dims){s.a, s.a_ndim}, dtype), *b = product_some((tn_dims){s.b, s.b_ndim}, dtype);
        tn_tensor *self = adding_self(&s, dtype), *c = adding_new(kind, self, a, b, b0, a0);
        CHECK(c);
        CHECK_INT(tn_dtype_of(c), dtype);
        product_number *expected = adding_expected(kind, &s, self, a, b, beta, alpha);
        product_check(adding_names[kind], c, expected);
        tn_tensor *given = product_laid(tn_zeros_like(c, TN_DTYPE_DEFAULT, TN_CONTIGUOUS), test_random_between(0, 4));
        CHECK(adding_out(kind, given, self, a, b, b0, a0) == given);
        product_check(adding_names[kind], given, expected);
        tn_tensor *large = product_laid(tn_clone(tn_expand(self, tn_sizes(c)), TN_CONTIGUOUS), test_random_between(0, 4));
        CHECK(adding_in_place(kind, large, a, b, b0, a0) == large);
        product_check(adding_names[kind], large, expected);
        CHECK(tn_scope_close(scope) == TN_OK);
    }
}

TEST(a_result_may_be_what_is_added_also_where_that_grows) {
    for (int kind = 0; kind < ADDING; kind++) {
        int64_t sizes[3] = {3, 3, 3};
        tn_dims matrix = {sizes, kind == ADDR ? 1 : kind < BADDBMM ? 2 : 3};
        tn_tensor *a = product_drawn(matrix, TN_FLOAT32, 4),
                  *b = product_drawn((tn_dims){sizes, kind == ADDMV ? 1 : matrix.count}, TN_FLOAT32, 4);
        tn_tensor *self = product_drawn(TN_DIMS(3), TN_FLOAT32, 4);
        tn_tensor *expected = adding_new(kind, self, a, b, tn_scalar_int(2), tn_scalar_int(3));
        CHECK(expected);
        tn_tensor *own = tn_clone(tn_expand(self, tn_sizes(expected)), TN_CONTIGUOUS);
        CHECK(own && adding_out(kind, own, own, a, b, tn_scalar_int(2), tn_scalar_int(3)) && tn_equal(own, expected));
        tn_tensor *view = tn_clone(tn_expand(self, tn_sizes(expected)), TN_CONTIGUOUS); /* the same elements by another name */
        tn_tensor *other = tn_alias(view);
        CHECK(other && adding_out(kind, other, view, a, b, tn_scalar_int(2), tn_scalar_int(3)) && tn_equal(other, expected));
        tn_tensor *first = tn_clone(a, TN_CONTIGUOUS);
        if (tn_ndim(a) == tn_ndim(expected) && first) {
            CHECK(adding_out(kind, first, self, first, b, tn_scalar_int(2), tn_scalar_int(3)) && tn_equal(first, expected));
        }
        if (kind == ADDMV)
            continue;
        CHECK_ERROR(TN_ERROR_SHAPE, "cannot replace self [3] float32",
                    adding_in_place(kind, tn_clone(self, TN_CONTIGUOUS), a, b, tn_scalar_int(1), tn_scalar_int(1)));
    }
}

TEST(what_is_multiplied_by_zero_is_not_read) {
    tn_tensor *nan = tn_full(TN_DIMS(3, 3), NAN, TN_FLOAT32), *one = tn_ones(TN_DIMS(3, 3), TN_FLOAT32);
    tn_tensor *nans = tn_full(TN_DIMS(2, 3, 3), NAN, TN_FLOAT32), *ones = tn_ones(TN_DIMS(2, 3, 3), TN_FLOAT32);
    CHECK(nan && one && nans && ones);
    for (int kind = 0; kind < ADDING; kind++) {
        const tn_tensor *a = kind == ADDR      ? tn_select(one, 0, 0)
                             : kind >= BADDBMM ? ones
                                               : one,
                        *b = kind == ADDMV || kind == ADDR ? tn_select(one, 0, 0)
                             : kind >= BADDBMM             ? ones
                                                           : one;
        tn_tensor *self = kind == ADDMV ? tn_select(nan, 0, 0) : kind == BADDBMM ? nans : nan;
        tn_tensor *c = adding_new(kind, self, a, b, tn_scalar_int(0), tn_scalar_int(1));
        CHECK(c && tn_equal(tn_isnan(c), tn_zeros_like(c, TN_BOOL, TN_CONTIGUOUS)));
        tn_tensor *written = tn_clone(self, TN_CONTIGUOUS);
        CHECK(written && adding_in_place(kind, written, a, b, tn_scalar_float(0), tn_scalar_int(1)) && tn_equal(written, c));
        if (kind == ADDR)
            continue; /* which computes element by element */
        tn_tensor *sum = tn_zeros_like(self, TN_DTYPE_DEFAULT, TN_CONTIGUOUS);
        tn_tensor *left = adding_new(kind, sum, kind >= BADDBMM ? nans : nan, b, tn_scalar_int(1), tn_scalar_int(0));
        CHECK(left && tn_equal(left, sum));
    }
    tn_tensor *thin = tn_empty(TN_DIMS(3, 0), TN_FLOAT32); /* and without k an infinite alpha has nothing to multiply */
    CHECK(thin && tn_equal(tn_addmm(one, thin, tn_t(thin), 1, INFINITY), one));
    CHECK(tn_equal(tn_addmm(nan, thin, tn_t(thin), 0, 1), tn_zeros(TN_DIMS(3, 3), TN_FLOAT32)));
}

TEST(numbers_beside_a_product_are_of_its_kind) {
    tn_tensor *whole = product_drawn(TN_DIMS(3, 3), TN_INT32, 5), *real = tn_to(whole, TN_FLOAT32);
    CHECK(whole && real);
    CHECK(tn_equal(tn_addmm(whole, whole, whole, 1.75, 2.5), tn_addmm(whole, whole, whole, 1, 2))); /* as PyTorch cuts them */
    CHECK(tn_equal(tn_addmm(whole, whole, whole, tn_scalar_bool(true), 1), tn_addmm(whole, whole, whole, 1, 1)));
    CHECK(tn_equal(tn_addmm(real, real, real, tn_scalar_complex(2, 0), 1), tn_addmm(real, real, real, 2, 1)));
    CHECK_ERROR(TN_ERROR_DTYPE, "beta = 0+1j cannot multiply a result of dtype float32",
                tn_addmm(real, real, real, tn_scalar_complex(0, 1), 1));
    CHECK_ERROR(TN_ERROR_DTYPE, "alpha = inf cannot multiply a result of dtype int32",
                tn_addmm(whole, whole, whole, 1, INFINITY));
    tn_tensor *v = tn_select(whole, 0, 0);
    CHECK(v);
    CHECK_ERROR(TN_ERROR_DTYPE, "alpha = 2.5 must be an integer: the result is int32", tn_addr(whole, v, v, 1, 2.5));
    CHECK_ERROR(TN_ERROR_DTYPE, "beta = true must be a number: the result is int32",
                tn_addr(whole, v, v, tn_scalar_bool(true), 1));
}

TEST(addr_promotes_and_knows_bool) {
    tn_tensor *self = tn_ones(TN_DIMS(2, 3), TN_BOOL), *u = product_drawn(TN_DIMS(2), TN_INT64, 5),
              *v = product_drawn(TN_DIMS(3), TN_FLOAT32, 5);
    tn_tensor *mixed = tn_addr(self, u, v, 1, 2);
    CHECK(mixed);
    CHECK_INT(tn_dtype_of(mixed), TN_FLOAT32);
    CHECK(tn_equal(mixed, tn_add_scalar(tn_mul_scalar(tn_outer(u, v), 2), 1)));
    tn_tensor *no = tn_zeros(TN_DIMS(2), TN_BOOL), *yes = tn_ones(TN_DIMS(3), TN_BOOL);
    CHECK(tn_equal(tn_addr(self, no, yes, 3, 1), self));
    CHECK(tn_equal(tn_addr(self, no, yes, 0, 1), tn_zeros(TN_DIMS(2, 3), TN_BOOL)));
    CHECK(tn_equal(tn_addr(self, tn_select(self, 1, 0), yes, 0, 0), tn_zeros(TN_DIMS(2, 3), TN_BOOL)));
    CHECK(tn_equal(tn_addr(self, tn_select(self, 1, 0), yes, 0, 2), self));
    tn_tensor *columns = tn_addr(tn_t(tn_zeros(TN_DIMS(3, 2), TN_FLOAT32)), tn_to(u, TN_FLOAT32), v, 1, 1);
    CHECK(columns); /* the result lies as self does, like any pointwise one */
    CHECK_INT(tn_strides(columns).values[0], 1);
    CHECK_INT(tn_strides(columns).values[1], 2);
    tn_tensor *wide = tn_zeros(TN_DIMS(2, 3), TN_FLOAT64), *narrow = tn_zeros(TN_DIMS(2, 3), TN_INT32);
    CHECK(wide && narrow && tn_addr_out(wide, self, u, v, 1, 2) && tn_equal(tn_to(wide, TN_FLOAT32), mixed));
    CHECK_ERROR(TN_ERROR_DTYPE, "int32", tn_addr_out(narrow, self, u, v, 1, 1));
}

/* ---- linear */

TEST_SAMPLED(linear_is_right_for_all_ranks_layouts_and_dtypes) {
    for (int round = 0; round < 3 * 8 * PRODUCT_DTYPES; round++) {
        tn_scope scope = tn_scope_open();
        tn_dtype dtype = product_dtypes[round % PRODUCT_DTYPES];
        int64_t ndim = 1 + round % 4, vector = round % 8 == 7, sizes[5], m = 1, n = vector ? 1 : product_size(),
                k = product_size();
        for (int64_t d = 0; d < ndim - 1; d++)
            m *= sizes[d] = product_size();
        sizes[ndim - 1] = k;
        tn_tensor *x = product_some((tn_dims){sizes, ndim}, dtype),
                  *w = product_some(vector ? TN_DIMS(k) : TN_DIMS(n, k), dtype);
        sizes[ndim - 1] = n;
        int64_t given = test_random_between(0, 2), from = given == 2 ? test_random_between(0, ndim - vector) : ndim - 1;
        tn_tensor *bias =
            given && !(vector && given == 1) ? product_some((tn_dims){sizes + from, ndim - vector - from}, dtype) : NULL;
        if (bias && from > ndim - vector)
            bias = NULL;
        tn_tensor *c = tn_linear(x, w, bias), *columns = tn_t(tn_reshape(w, TN_DIMS(n, k)));
        CHECK(c && columns);
        product_number *expected = product_room(m * n);
        product_model(expected, product_values(x), product_values(columns),
                      bias ? product_values(tn_expand(bias, tn_sizes(c))) : NULL, 1, m, n, k, 1, 1, false);
        product_check("linear", c, expected);
        CHECK(tn_scope_close(scope) == TN_OK);
    }
}

static tn_tensor *linear_activated(const tn_tensor *x, const char *name) {
    return strcmp(name, "relu") == 0        ? tn_relu(x)
           : strcmp(name, "gelu") == 0      ? tn_gelu(x)
           : strcmp(name, "gelu_tanh") == 0 ? tn_gelu_approximate(x, "tanh")
           : strcmp(name, "silu") == 0      ? tn_silu(x)
           : strcmp(name, "tanh") == 0      ? tn_tanh(x)
           : strcmp(name, "sigmoid") == 0   ? tn_sigmoid(x)
                                            : tn_clone(x, TN_CONTIGUOUS);
}

TEST_SAMPLED(linear_does_what_follows_it_with_the_bits_of_the_operators) {
    static const char *const names[] = {"none", "relu", "gelu", "gelu_tanh", "silu", "tanh", "sigmoid"};
    static const tn_dtype dtypes[] = {TN_FLOAT32, TN_FLOAT64};
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++)
        for (size_t d = 0; d < 2; d++) {
            tn_tensor *x = tn_div_scalar(product_drawn(TN_DIMS(2, 5, 7), dtypes[d], 9), 8),
                      *w = tn_div_scalar(product_drawn(TN_DIMS(6, 7), dtypes[d], 9), 8),
                      *bias = product_drawn(TN_DIMS(6), dtypes[d], 2), *residual = product_drawn(TN_DIMS(5, 1), dtypes[d], 3);
            tn_tensor *plain = linear_activated(tn_linear(x, w, bias), names[i]);
            tn_tensor *expected = tn_add(tn_mul_scalar(plain, 0.5), residual);
            CHECK(expected && tn_equal(tn_linear_fused(x, w, bias, names[i], residual, 0.5), expected));
            CHECK(tn_equal(tn_linear_fused(x, w, bias, names[i], NULL, 1), plain));
            tn_tensor *out = tn_empty(TN_DIMS(0), dtypes[d]);
            CHECK(out && tn_linear_fused_out(out, x, w, bias, names[i], residual, 0.5) && tn_equal(out, expected));
        }
    tn_tensor *x = tn_ones(TN_DIMS(2, 3), TN_FLOAT32), *whole = tn_ones(TN_DIMS(2, 3), TN_INT64);
    CHECK(x && whole);
    CHECK_ERROR(TN_ERROR_ARGUMENT, "activation 'swish' must be", tn_linear_fused(x, x, NULL, "swish", NULL, 1));
    CHECK_ERROR(TN_ERROR_DTYPE, "activation 'relu' is for floats", tn_linear_fused(whole, whole, NULL, "relu", NULL, 1));
    CHECK_ERROR(TN_ERROR_SHAPE, "residual [3] float32 cannot be broadcast to the sizes of the result, [2, 2]",
                tn_linear_fused(x, x, NULL, "none", tn_select(x, 0, 0), 1));
    tn_tensor *fused = tn_linear_fused(whole, whole, NULL, "none", whole ? tn_narrow(whole, 1, 0, 2) : NULL, 3);
    CHECK(fused && tn_equal(fused, tn_full(TN_DIMS(2, 2), 10, TN_INT64)));
}

TEST(activations_follow_addmm) {
    tn_tensor *x = tn_div_scalar(product_drawn(TN_DIMS(3, 3), TN_FLOAT32, 9), 8), *sum = tn_addmm(x, x, x, 2, 3);
    CHECK(sum && tn_equal(tn__addmm_activation(x, x, x, 2, 3, false), tn_relu(sum)));
    CHECK(tn_equal(tn__addmm_activation(x, x, x, 2, 3, true), tn_gelu(sum)));
    tn_tensor *whole = tn_ones(TN_DIMS(3, 3), TN_INT8);
    CHECK(whole);
    CHECK_ERROR(TN_ERROR_DTYPE, "for floats", tn__addmm_activation(whole, whole, whole, 1, 1, false));
}

TEST(bilinear_is_two_products) {
    tn_tensor *x = product_drawn(TN_DIMS(2, 3, 4), TN_FLOAT64, 4), *y = product_drawn(TN_DIMS(2, 3, 5), TN_FLOAT64, 4),
              *w = product_drawn(TN_DIMS(6, 4, 5), TN_FLOAT64, 4), *bias = product_drawn(TN_DIMS(6), TN_FLOAT64, 4);
    tn_tensor *c = tn_bilinear(x, y, w, bias);
    CHECK(c);
    for (int64_t i = 0; i < 36; i++) {
        int64_t a = i / 18, b = i / 6 % 3, o = i % 6;
        double sum = tn_get_double(bias, TN_DIMS(o));
        for (int64_t p = 0; p < 20; p++)
            sum += tn_get_double(x, TN_DIMS(a, b, p / 5)) * tn_get_double(w, TN_DIMS(o, p / 5, p % 5)) *
                   tn_get_double(y, TN_DIMS(a, b, p % 5));
        CHECK_DOUBLE(tn_get_double(c, TN_DIMS(a, b, o)), sum);
    }
    tn_tensor *row = tn_bilinear(tn_select(tn_select(x, 0, 0), 0, 0), tn_select(tn_select(y, 0, 0), 0, 0), w, NULL);
    CHECK(row && tn_equal(tn_add(row, bias), tn_select(tn_select(c, 0, 0), 0, 0)));
    CHECK_ERROR(TN_ERROR_SHAPE, "dimension 0 of input1 has size 2 and dimension 0 of input2 has size 1",
                tn_bilinear(x, tn_narrow(y, 0, 0, 1), w, bias));
    CHECK_ERROR(TN_ERROR_SHAPE, "dimension 2 of input2 has size 4 and dimension 2 of weight has size 5",
                tn_bilinear(x, x, w, bias));
    CHECK_ERROR(TN_ERROR_SHAPE, "dimension 0 of bias has size 5 and dimension 0 of weight has size 6",
                tn_bilinear(x, y, w, tn_narrow(bias, 0, 0, 5)));
    CHECK_ERROR(TN_ERROR_SHAPE, "same number of dimensions", tn_bilinear(x, tn_select(y, 0, 0), w, bias));
}

/* ---- powers, traces, bytes */

TEST(powers_of_a_matrix_are_its_products) {
    tn_tensor *x = product_drawn(TN_DIMS(2, 3, 3), TN_FLOAT64, 2);
    tn_tensor *expected = tn_expand(tn_eye(3, 3, TN_FLOAT64), TN_DIMS(2, 3, 3));
    CHECK(x && expected);
    for (int64_t n = 0; n < 14; n++) {
        tn_tensor *power = tn_linalg_matrix_power(tn_mT(tn_clone(tn_mT(x), TN_CONTIGUOUS)), n);
        CHECK(power && tn_equal(power, expected) && tn_is_contiguous(power));
        tn_tensor *out = tn_empty(TN_DIMS(0), TN_FLOAT64);
        CHECK(out && tn_matrix_power_out(out, x, n) && tn_equal(out, expected));
        expected = tn_matmul(expected, x);
    }
    tn_tensor *flags = tn_ones(TN_DIMS(2, 2), TN_BOOL);
    CHECK(flags && tn_equal(tn_matrix_power(flags, 1), flags));
    CHECK_ERROR(TN_ERROR_DTYPE, "bool", tn_matrix_power(flags, 2));
    CHECK_ERROR(TN_ERROR_LINALG, "singular", tn_matrix_power(tn_zeros(TN_DIMS(2, 2), TN_FLOAT32), -1));
    CHECK_ERROR(TN_ERROR_SHAPE, "3 rows and 2 columns", tn_matrix_power(tn_narrow(x, 2, 0, 2), 2));
    CHECK_ERROR(TN_ERROR_SHAPE, "it has 1 dimension", tn_matrix_power(tn_select(tn_select(x, 0, 0), 0, 0), 2));
}

TEST(a_trace_is_the_sum_of_a_diagonal) {
    tn_tensor *x = product_drawn(TN_DIMS(3, 5), TN_INT8, 100);
    CHECK(x);
    int64_t sum = 0;
    for (int64_t i = 0; i < 3; i++)
        sum += tn_get_int64(x, TN_DIMS(i, i));
    tn_tensor *trace = tn_trace(x), *out = tn_empty(TN_DIMS(), TN_INT64);
    CHECK(trace && out);
    CHECK_INT(tn_dtype_of(trace), TN_INT64);
    CHECK_INT(tn_get_int64(trace, TN_DIMS()), sum);
    CHECK(tn_trace_out(out, x) && tn_equal(out, trace));
    CHECK_ERROR(TN_ERROR_SHAPE, "self [5] int8 is not a matrix: it has 1 dimension", tn_trace(tn_select(x, 0, 0)));
    CHECK_ERROR(TN_ERROR_DTYPE, "bool", tn_trace(tn_to(x, TN_BOOL)));
}

TEST(products_of_bytes_are_exact) {
    tn_tensor *low = tn_full(TN_DIMS(3, 1000), -128, TN_INT8), *high = tn_full(TN_DIMS(3, 1000), 255, TN_UINT8);
    CHECK(low && high);
    CHECK(tn_equal(tn__int_mm(low, tn_t(low)), tn_full(TN_DIMS(3, 3), 16384000, TN_INT32)));
    CHECK(tn_equal(tn__int_mm(high, tn_t(low)), tn_full(TN_DIMS(3, 3), -32640000, TN_INT32)));
    tn_tensor *a = product_drawn(TN_DIMS(7, 33), TN_INT8, 127), *b = product_drawn(TN_DIMS(33, 5), TN_INT8, 127);
    tn_tensor *exact = tn_mm(tn_to(a, TN_INT32), tn_to(b, TN_INT32)), *out = tn_empty(TN_DIMS(0), TN_INT32);
    CHECK(exact && out && tn_equal(tn__int_mm(a, b), exact) && tn__int_mm_out(out, a, b) && tn_equal(out, exact));
    CHECK_ERROR(TN_ERROR_DTYPE, "mat2 [33, 3] uint8 int8", tn__int_mm(a, tn_ones(TN_DIMS(33, 3), TN_UINT8)));
    CHECK_ERROR(TN_ERROR_SHAPE, "dimension 1 of self has size 33 and dimension 0 of mat2 has size 7", tn__int_mm(a, a));
}

TEST(scales_make_up_for_narrow_numbers) {
    tn_tensor *a = product_drawn(TN_DIMS(4, 9), TN_INT8, 127), *b = product_drawn(TN_DIMS(9, 3), TN_INT8, 127);
    tn_tensor *rows = tn_div_scalar(tn_arange_start(1, 5, 1, TN_FLOAT32), 4),
              *columns = tn_div_scalar(tn_arange_start(1, 4, 1, TN_FLOAT32), 8);
    tn_tensor *bias = tn_to(columns, TN_FLOAT16), *one = tn_scalar_tensor(0.5, TN_FLOAT32);
    CHECK(a && b && rows && bias && one);
    tn_tensor *exact = tn_to(tn__int_mm(a, b), TN_FLOAT32);
    tn_tensor *scaled = tn_mul(tn_mul(exact, tn_unsqueeze(rows, 1)), columns);
    tn_tensor *by_rows =
        tn__scaled_mm(a, b, tn_unsqueeze(rows, 1), tn_unsqueeze(columns, 0), NULL, NULL, TN_DTYPE_DEFAULT, false);
    CHECK(scaled && by_rows && tn_equal(by_rows, scaled));
    tn_tensor *all = tn__scaled_mm(a, b, one, one, bias, one, TN_BFLOAT16, false);
    CHECK(all && tn_equal(all, tn_to(tn_mul_scalar(tn_add(tn_mul_scalar(exact, 0.25), columns), 0.5), TN_BFLOAT16)));
    tn_tensor *small = tn_to(product_drawn(TN_DIMS(4, 9), TN_FLOAT32, 3), TN_FLOAT8_E4M3FN);
    tn_tensor *float8 = tn__scaled_mm(small, tn_t(small), one, one, NULL, NULL, TN_FLOAT32, true);
    tn_tensor *real = tn_to(small, TN_FLOAT32);
    CHECK(float8 && tn_equal(float8, tn_mul_scalar(tn_mm(real, tn_t(real)), 0.25)));
    CHECK_ERROR(TN_ERROR_SHAPE, "scale_a [4] float32 must be one number, or have sizes [4, 1]",
                tn__scaled_mm(a, b, rows, one, NULL, NULL, TN_FLOAT32, false));
    CHECK_ERROR(TN_ERROR_DTYPE, "out_dtype = int32 must be a float dtype",
                tn__scaled_mm(a, b, one, one, NULL, NULL, TN_INT32, false));
    CHECK_ERROR(TN_ERROR_DTYPE, "must be float8, or int8", tn__scaled_mm(exact, b, one, one, NULL, NULL, TN_FLOAT32, false));
    tn_tensor *x = product_drawn(TN_DIMS(2, 9), TN_FLOAT32, 5), *weight = tn_clone(tn_t(b), TN_CONTIGUOUS);
    tn_tensor *expected = tn_mul(tn_linear(x, tn_to(weight, TN_FLOAT32), NULL), columns);
    CHECK(expected && tn_equal(tn__weight_int8pack_mm(x, weight, columns), expected));
    tn_tensor *half = tn__weight_int8pack_mm(tn_to(x, TN_FLOAT16), weight, bias);
    CHECK(half && tn_equal(half, tn_to(expected, TN_FLOAT16)));
    CHECK_ERROR(TN_ERROR_SHAPE, "dimension 0 of scales has size 2 and dimension 0 of mat2 has size 3",
                tn__weight_int8pack_mm(x, weight, tn_narrow(columns, 0, 0, 2)));
}

/* ---- what is refused */

TEST(messages_name_both_factors_and_the_sizes_that_differ) {
    tn_tensor *a = tn_ones(TN_DIMS(2, 3), TN_FLOAT32), *b = tn_ones(TN_DIMS(4, 5), TN_FLOAT32),
              *v = tn_ones(TN_DIMS(3), TN_FLOAT32);
    tn_tensor *c = tn_ones(TN_DIMS(2, 3, 4), TN_FLOAT32), *d = tn_ones(TN_DIMS(3, 4, 5), TN_FLOAT32),
              *z = tn_scalar_tensor(1, TN_FLOAT32);
    tn_tensor *wide = tn_ones(TN_DIMS(3, 2), TN_FLOAT64), *flags = tn_ones(TN_DIMS(2, 2), TN_BOOL);
    CHECK(a && b && v && c && d && z && wide && flags);
    CHECK_ERROR(
        TN_ERROR_SHAPE,
        "mm: self [2, 3] float32 and mat2 [4, 5] float32 do not fit: dimension 1 of self has size 3 and dimension 0 of mat2 has "
        "size 4",
        tn_mm(a, b));
    CHECK_ERROR(TN_ERROR_SHAPE, "matmul: self [] float32 and other [3] float32 must have at least one dimension each",
                tn_matmul(z, v));
    CHECK_ERROR(TN_ERROR_SHAPE,
                "the batch dimensions of self [2, 3, 4] float32 and other [3, 4, 5] float32 cannot be broadcast: sizes 2 and 3",
                tn_matmul(c, d));
    CHECK_ERROR(TN_ERROR_SHAPE, "dimension 0 of self has size 2 and dimension 0 of mat2 has size 1",
                tn_bmm(c, tn_narrow(d, 0, 0, 1)));
    CHECK_ERROR(TN_ERROR_SHAPE, "self [3] float32 is not a matrix: it has 1 dimension", tn_mm(v, a));
    CHECK_ERROR(TN_ERROR_SHAPE, "self [2, 3] float32 is not a batch of matrices: it has 2 dimensions", tn_bmm(a, c));
    CHECK_ERROR(TN_ERROR_SHAPE, "vec [2, 3] float32 is not a vector: it has 2 dimensions", tn_mv(a, a));
    CHECK_ERROR(TN_ERROR_SHAPE, "dimension 0 of self has size 3 and dimension 0 of tensor has size 2",
                tn_dot(v, tn_narrow(v, 0, 0, 2)));
    CHECK_ERROR(TN_ERROR_DTYPE,
                "self [2, 3] float32 and mat2 [3, 2] float64 must have the same dtype: convert self with to(float64)",
                tn_mm(a, wide));
    CHECK_ERROR(TN_ERROR_DTYPE, "convert mat2 with to(float64)", tn_mm(wide, a));
    CHECK_ERROR(TN_ERROR_DTYPE, "are bool", tn_mm(flags, flags));
    CHECK_ERROR(TN_ERROR_DTYPE, "self [2, 2] float64 and mat1 [2, 3] float32 must have the same dtype",
                tn_addmm(tn_narrow(wide, 0, 0, 2), a, tn_t(a), 1, 1));
    CHECK_ERROR(TN_ERROR_SHAPE,
                "self [3] float32 cannot be broadcast to the sizes of the result, [2, 2]: dimension 0 has size 3",
                tn_addmm(v, a, tn_t(a), 1, 1));
    CHECK_ERROR(TN_ERROR_SHAPE, "self [2, 3, 4] float32 has 3 dimensions and cannot be broadcast to the 2 of the result",
                tn_addmm(c, a, tn_t(a), 0, 1));
    CHECK_ERROR(TN_ERROR_SHAPE, "weight [2, 3, 4] float32 must be a matrix", tn_linear(a, c, NULL));
    CHECK_ERROR(TN_ERROR_SHAPE, "dimension 1 of input has size 3 and dimension 1 of weight has size 5", tn_linear(a, b, NULL));
    CHECK_ERROR(TN_ERROR_SHAPE, "bias [3] float32 cannot be broadcast to the sizes of the result, [2, 2]", tn_linear(a, a, v));
    CHECK_ERROR(TN_ERROR_DTYPE, "bias", tn_linear(a, a, wide));
    CHECK_ERROR(TN_ERROR_DTYPE, "out", tn_mm_out(wide, a, tn_t(a)));
    tn_tensor *shared = tn_expand(tn_ones(TN_DIMS(1, 2), TN_FLOAT32), TN_DIMS(2, 2));
    CHECK(shared);
    CHECK_ERROR(TN_ERROR_OVERLAP, "share", tn_mm_out(shared, a, tn_t(a)));
    tn_tensor *long_one = tn_expand(tn_ones(TN_DIMS(1, 1), TN_INT8), TN_DIMS(INT64_C(1) << 40, 1));
    CHECK(long_one);
    CHECK_ERROR(TN_ERROR_SHAPE, "", tn_mm(long_one, tn_t(long_one)));
}

TEST(on_meta_a_product_has_sizes_and_no_elements) {
    tn_device meta = {TN_META, 0};
    tn_tensor *a = tn_empty_device(TN_DIMS(7, 2, 3), TN_FLOAT32, meta), *b = tn_empty_device(TN_DIMS(3, 4), TN_FLOAT32, meta);
    tn_tensor *c = tn_matmul(a, b);
    CHECK(c);
    CHECK_INT(tn_device_of(c).type, TN_META);
    CHECK_INT(tn_sizes(c).values[0], 7);
    CHECK_INT(tn_sizes(c).values[2], 4);
    CHECK(tn_linear(a, tn_t(b), NULL) && tn_linalg_matrix_power(tn_empty_device(TN_DIMS(3, 3), TN_FLOAT32, meta), 5));
    CHECK(tn_bilinear(a, a, tn_empty_device(TN_DIMS(5, 3, 3), TN_FLOAT32, meta), NULL));
    CHECK_ERROR(TN_ERROR_SHAPE, "do not fit", tn_matmul(a, tn_t(b)));
}

TEST_ONCE(bits_do_not_depend_on_the_number_of_threads) { /* threads */
    static const int64_t counts[] = {2, 3, 5, 8};
    int64_t before = tn_num_threads();
    static const tn_dtype dtypes[] = {TN_FLOAT32, TN_FLOAT64, TN_BFLOAT16, TN_COMPLEX64};
    for (size_t d = 0; d < sizeof dtypes / sizeof dtypes[0]; d++) {
        tn_tensor *a = tn_div_scalar(product_drawn(TN_DIMS(5, 61, 130), dtypes[d], 1000), 7),
                  *b = tn_div_scalar(product_drawn(TN_DIMS(130, 70), dtypes[d], 1000), 3), *v = tn_select(b, 1, 3);
        CHECK(tn_set_num_threads(1) == TN_OK);
        tn_tensor *one[] = {tn_matmul(a, b), tn_matmul(a, v), tn_dot(v, v),
                            tn_addbmm(tn_zeros(TN_DIMS(61, 61), dtypes[d]), a, tn_mT(a), 1, 1)};
        for (size_t i = 0; i < 4; i++) {
            CHECK(tn_set_num_threads(counts[i]) == TN_OK);
            tn_tensor *many[] = {tn_matmul(a, b), tn_matmul(a, v), tn_dot(v, v),
                                 tn_addbmm(tn_zeros(TN_DIMS(61, 61), dtypes[d]), a, tn_mT(a), 1, 1)};
            for (int k = 0; k < 4; k++)
                CHECK(one[k] && many[k] && tn_equal(one[k], many[k]));
        }
    }
    CHECK(tn_set_num_threads(before) == TN_OK);
}

TEST(products_of_narrow_numbers_refuse_what_does_not_fit) {
    tn_tensor *a = tn_ones(TN_DIMS(3, 4), TN_INT8), *b = tn_ones(TN_DIMS(4, 2), TN_INT8), *row = tn_ones(TN_DIMS(4), TN_INT8);
    tn_tensor *one = tn_ones(TN_DIMS(1), TN_FLOAT32), *x = tn_ones(TN_DIMS(3, 4), TN_FLOAT32);
    tn_tensor *pair = tn_ones(TN_DIMS(2), TN_FLOAT32), *weight = tn_ones(TN_DIMS(2, 4), TN_INT8);
    CHECK(a && b && row && one && x && pair && weight);
    CHECK_ERROR(TN_ERROR_SHAPE, "self", tn__int_mm(row, b));
    CHECK_ERROR(TN_ERROR_SHAPE, "mat2", tn__int_mm(a, row));
    CHECK_ERROR(TN_ERROR_DTYPE, "must be int8 or uint8", tn__int_mm(x, b));
    CHECK_ERROR(TN_ERROR_SHAPE, "self", tn__weight_int8pack_mm(pair, weight, pair));
    CHECK_ERROR(TN_ERROR_SHAPE, "mat2", tn__weight_int8pack_mm(x, row, pair));
    CHECK_ERROR(TN_ERROR_SHAPE, "scales", tn__weight_int8pack_mm(x, weight, x));
    CHECK_ERROR(TN_ERROR_DTYPE, "must be of a float dtype", tn__weight_int8pack_mm(a, weight, pair));
    CHECK_ERROR(TN_ERROR_DTYPE, "mat2 [2, 4] float32 int8", tn__weight_int8pack_mm(x, tn_to(weight, TN_FLOAT32), pair));
    CHECK_ERROR(TN_ERROR_DTYPE, "scales", tn__weight_int8pack_mm(x, weight, tn_to(pair, TN_FLOAT64)));
    CHECK_ERROR(TN_ERROR_SHAPE, "mat2", tn__weight_int8pack_mm(tn_ones(TN_DIMS(3, 5), TN_FLOAT32), weight, pair));
    CHECK_ERROR(TN_ERROR_SHAPE, "self", tn__scaled_mm(row, b, one, one, NULL, NULL, TN_FLOAT32, false));
    CHECK_ERROR(TN_ERROR_SHAPE, "mat2", tn__scaled_mm(a, row, one, one, NULL, NULL, TN_FLOAT32, false));
    CHECK_ERROR(TN_ERROR_DTYPE, "scale_a", tn__scaled_mm(a, b, tn_to(one, TN_FLOAT64), one, NULL, NULL, TN_FLOAT32, false));
    CHECK_ERROR(TN_ERROR_SHAPE, "scale_b", tn__scaled_mm(a, b, one, pair, NULL, NULL, TN_FLOAT32, false));
    CHECK_ERROR(TN_ERROR_SHAPE, "scale_result", tn__scaled_mm(a, b, one, one, NULL, pair, TN_FLOAT32, false));
    CHECK_ERROR(TN_ERROR_SHAPE, "scale_a",
                tn__scaled_mm(a, b, tn_ones(TN_DIMS(3, 2), TN_FLOAT32), one, NULL, NULL, TN_FLOAT32, false));
    CHECK_ERROR(TN_ERROR_SHAPE, "scale_a",
                tn__scaled_mm(a, b, tn_ones(TN_DIMS(1, 1, 1), TN_FLOAT32), one, NULL, NULL, TN_FLOAT32, false));
    CHECK_ERROR(TN_ERROR_DTYPE, "bias", tn__scaled_mm(a, b, one, one, tn_ones(TN_DIMS(2), TN_INT8), NULL, TN_FLOAT32, false));
    CHECK_ERROR(TN_ERROR_SHAPE, "bias", tn__scaled_mm(a, b, one, one, x, NULL, TN_FLOAT32, false));
    CHECK_ERROR(TN_ERROR_SHAPE, "bias",
                tn__scaled_mm(a, b, one, one, tn_ones(TN_DIMS(3), TN_FLOAT32), NULL, TN_FLOAT32, false));
}

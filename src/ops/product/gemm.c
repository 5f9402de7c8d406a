/* gemm.c - tn_gemm: the engine of iterate/product.h for matrices that are not tensors. */
#include <tenon/gemm.h>

#include "base/cancel.h"
#include "base/error.h"
#include "iterate/product.h"
#include "iterate/product_small.h"
#include "tensor/show.h"

static bool gemm_takes(tn_dtype dtype) {
    return tni_dtype_is(dtype) && dtype != TN_BOOL && dtype != TN_FLOAT8_E4M3FN && dtype != TN_FLOAT8_E5M2;
}

static bool gemm_is_byte(tn_dtype dtype) { return dtype == TN_INT8 || dtype == TN_UINT8; }

static bool gemm_is_half(tn_dtype dtype) { return dtype == TN_FLOAT16 || dtype == TN_BFLOAT16; }

static tn_error gemm_check_dtypes(tn_dtype a, tn_dtype b, tn_dtype c) {
    if (!gemm_takes(a) || !gemm_takes(b) || !gemm_takes(c))
        return tni_raise(
            TN_ERROR_DTYPE,
            "a is %s, b is %s and c is %s: products are of integers, floats of 16 bits and more, and complex numbers",
            tn_dtype_name(a), tn_dtype_name(b), tn_dtype_name(c));
    if (a != b && !(gemm_is_byte(a) && gemm_is_byte(b)))
        return tni_raise(TN_ERROR_DTYPE, "a is %s but b is %s: convert one of them first", tn_dtype_name(a), tn_dtype_name(b));
    if (c != a && !(c == TN_FLOAT32 && gemm_is_half(a)) && !(c == TN_INT32 && gemm_is_byte(a)))
        return tni_raise(TN_ERROR_DTYPE,
                         "a and b are %s but c is %s: c must have their dtype, or the one that sums are accumulated in",
                         tn_dtype_name(a), tn_dtype_name(c));
    if (a != b && c != TN_INT32)
        return tni_raise(TN_ERROR_DTYPE, "a is %s and b is %s, so c must be int32; it is %s", tn_dtype_name(a),
                         tn_dtype_name(b), tn_dtype_name(c));
    return TN_OK;
}

/* A number that the dtype can count with: no fraction beside integers, no imaginary part beside real numbers. */
static tn_error gemm_check_number(const char *name, tn_scalar value, tn_dtype dtype) {
    bool fits = value.kind == TN_SCALAR_BOOL || value.kind == TN_SCALAR_INT || value.kind == TN_SCALAR_UINT ||
                (value.kind == TN_SCALAR_FLOAT && !tn_dtype_is_integral(dtype)) ||
                (value.kind == TN_SCALAR_COMPLEX && tn_dtype_is_complex(dtype));
    return fits ? TN_OK
                : tni_raise(TN_ERROR_DTYPE, "%s = %s does not go with a c that is %s", name, tni_show_scalar(value),
                            tn_dtype_name(dtype));
}

/* A matrix has an address, and the place of every element can be counted. */
static tn_error gemm_check_matrix(const char *name, const tn_matrix *matrix, int64_t rows, int64_t columns) {
    if (rows == 0 || columns == 0)
        return TN_OK;
    if (!matrix->data)
        return tni_raise(TN_ERROR_ARGUMENT, "the address of %s is NULL", name);
    int64_t down, across, last, bytes;
    if (__builtin_mul_overflow(rows - 1, matrix->row_stride, &down) ||
        __builtin_mul_overflow(columns - 1, matrix->column_stride, &across) || __builtin_add_overflow(down, across, &last) ||
        __builtin_mul_overflow(last, (int64_t)tni_dtype_size(matrix->dtype), &bytes))
        return tni_raise(TN_ERROR_SHAPE,
                         "%s of %" PRId64 " x %" PRId64 " elements with strides %" PRId64 ", %" PRId64
                         " is larger than memory can be",
                         name, rows, columns, matrix->row_stride, matrix->column_stride);
    return TN_OK;
}

static tni_product_operand gemm_operand(const tn_matrix *matrix) {
    return (tni_product_operand){matrix->data, matrix->row_stride, matrix->column_stride,
                                 NULL,         matrix->dtype,      matrix->conjugate};
}

static tn_job_number gemm_number(tn_scalar value) {
    tn_job_number number;
    tn_dtype_store(TN_FLOAT64, &number.real, value);
    tn_dtype_store(TN_INT64, &number.whole, value);
    tn_dtype_store(TN_COMPLEX128, &number.complex, value);
    return number;
}

static tn_error gemm_run(int64_t m, int64_t n, int64_t k, tn_scalar alpha, const tn_matrix *a, const tn_matrix *b,
                         tn_scalar beta, const tn_matrix *c) {
    if (m < 0 || n < 0 || k < 0)
        return tni_raise(TN_ERROR_ARGUMENT, "sizes must not be negative: m = %" PRId64 ", n = %" PRId64 ", k = %" PRId64, m, n,
                         k);
    tn_error code = gemm_check_dtypes(a->dtype, b->dtype, c->dtype);
    if (code == TN_OK)
        code = gemm_check_number("alpha", alpha, c->dtype);
    if (code == TN_OK)
        code = gemm_check_number("beta", beta, c->dtype);
    if (code == TN_OK)
        code = gemm_check_matrix("c", c, m, n);
    if (code == TN_OK && m && n)
        code = gemm_check_matrix("a", a, m, k);
    if (code == TN_OK && m && n)
        code = gemm_check_matrix("b", b, k, n);
    if (code != TN_OK)
        return code;
    tni_product product;
    tni_product_begin(&product, m, n, k);
    product.a = gemm_operand(a);
    product.b = gemm_operand(b);
    product.c = product.d = gemm_operand(c);
    product.compute = tni_product_compute(c->dtype);
    product.alpha = gemm_number(alpha);
    product.beta = gemm_number(beta);
    return tni_product_run(&product);
}

static bool gemm_is(tn_scalar value, int number) {
    return value.kind == TN_SCALAR_INT ? value.value.i == number : value.kind == TN_SCALAR_FLOAT && value.value.d == number;
}

/* A small product of matrices by rows needs no more than this. What it does not take is looked at properly. */
static bool gemm_quickly(int64_t m, int64_t n, int64_t k, tn_scalar alpha, const tn_matrix *a, const tn_matrix *b,
                         tn_scalar beta, const tn_matrix *c) {
    const int64_t far = (int64_t)1 << 48; /* a stride that cannot overflow here */
    return a->dtype == c->dtype && b->dtype == c->dtype && a->column_stride == 1 && b->column_stride == 1 &&
           c->column_stride == 1 && a->data && b->data && c->data && gemm_is(alpha, 1) && gemm_is(beta, 0) &&
           a->row_stride > -far && a->row_stride < far && b->row_stride > -far && b->row_stride < far && c->row_stride > -far &&
           c->row_stride < far &&
           tni_small_plainly(c->dtype, m, n, k, a->data, a->row_stride, b->data, b->row_stride, c->data, c->row_stride);
}

tn_error(tn_gemm)(int64_t m, int64_t n, int64_t k, tn_scalar alpha, tn_matrix a, tn_matrix b, tn_scalar beta, tn_matrix c) {
    if (gemm_quickly(m, n, k, alpha, &a, &b, beta, &c))
        return TN_OK;
    const char *outer = tni_operator_enter("gemm");
    tn_error code = gemm_run(m, n, k, alpha, &a, &b, beta, &c);
    tni_operator_leave(outer);
    return tni_cancel_ends(tni_thread_current, outer) ? TN_ERROR_CANCELLED : code;
}

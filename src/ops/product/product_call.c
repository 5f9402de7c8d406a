/* product_call.c - see product_call.h. */
#include "ops/product/product_call.h"

#include <math.h>

#include "base/error.h"
#include "iterate/promote.h"
#include "ops/product/product_job.h"

/* ---- operands */

static tni_product_operand *call_slot(tni_product_call *call, tni_product_slot slot) {
    tni_product *product = &call->product;
    switch (slot) {
    case TNI_PRODUCT_A: return &product->a;
    case TNI_PRODUCT_B: return &product->b;
    case TNI_PRODUCT_C: return &product->c;
    case TNI_PRODUCT_D: return &product->d;
    case TNI_PRODUCT_BIAS: return &product->bias;
    default: return &product->residual;
    }
}

void tni_product_call_begin(tni_product_call *call, int64_t m, int64_t n, int64_t k, tn_dims batch, tn_dtype dtype) {
    tni_product_begin(&call->product, m, n, k);
    call->product.compute = tni_product_compute(dtype);
    call->product.batch_ndim = batch.count;
    call->product.batch_sizes = call->sizes;
    for (int64_t d = 0; d < batch.count; d++)
        call->sizes[d] = batch.values[d];
}

/* The strides of dimensions of size 1, and of tensors without elements, may be any numbers. */
static int64_t call_stride(const tn_tensor *tensor, int64_t dim) {
    return dim >= 0 && tensor->numel && tensor->sizes[dim] > 1 ? tensor->strides[dim] : 0;
}

static void call_set(tni_product_call *call, tni_product_slot slot, const tn_tensor *tensor, int64_t row, int64_t column) {
    tni_product_operand *operand = call_slot(call, slot);
    operand->data = (void *)(uintptr_t)tni_tensor_read(tensor);
    operand->dtype = tensor->dtype;
    operand->row = call_stride(tensor, row);
    operand->column = call_stride(tensor, column);
    operand->batch = call->strides[slot];
    if (slot == TNI_PRODUCT_C)
        call->device = tni_tensor_device(tensor);
}

void tni_product_call_take(tni_product_call *call, tni_product_slot slot, const tn_tensor *tensor, bool rows, bool columns) {
    int64_t last = tensor->ndim;
    int64_t column = columns ? --last : -1, row = rows ? --last : -1;
    call_set(call, slot, tensor, row, column);
    for (int64_t d = call->product.batch_ndim; d-- > 0;)
        call->strides[slot][d] = call_stride(tensor, --last);
}

void tni_product_call_place(tni_product_call *call, tni_product_slot slot, const tn_tensor *tensor, int64_t row, int64_t column,
                            const int64_t *batch) {
    call_set(call, slot, tensor, row, column);
    for (int64_t d = 0; d < call->product.batch_ndim; d++)
        call->strides[slot][d] = call_stride(tensor, batch[d]);
}

void tni_product_call_weigh(tni_product_call *call, const tn_job_number *alpha, const tn_job_number *beta, const tn_tensor *d,
                            bool rows, bool columns) {
    tni_product *product = &call->product;
    if (product->k == 0 || tni_product_number_is_zero(alpha))
        product->k = 0; /* and 0 is not multiplied by an infinite alpha */
    else
        product->alpha = *alpha;
    if (tni_product_number_is_zero(beta))
        return;
    product->beta = *beta;
    tni_product_call_take(call, TNI_PRODUCT_D, d, rows, columns);
}

/* ---- folding */

static bool call_has(tni_product_call *call, int slot) { return call_slot(call, (tni_product_slot)slot)->batch != NULL; }

/* Whether, for every operand that has such lines, `count` of them go on in the next batch where they end in one. */
static bool call_folds(tni_product_call *call, int64_t d, bool rows) {
    int64_t count = rows ? call->product.m : call->product.n;
    for (int slot = 0; slot < TNI_PRODUCT_SLOTS; slot++) {
        if (!call_has(call, slot))
            continue;
        const tni_product_operand *operand = call_slot(call, (tni_product_slot)slot);
        int64_t along = call->strides[slot][d];
        if (slot == (rows ? TNI_PRODUCT_B : TNI_PRODUCT_A)
                ? along != 0
                : count > 1 && along != count * (rows ? operand->row : operand->column))
            return false;
    }
    return true;
}

/* The batch dimension becomes a part of the rows, or columns. */
static void call_fold(tni_product_call *call, int64_t d, bool rows) {
    tni_product *product = &call->product;
    int64_t *count = rows ? &product->m : &product->n;
    for (int slot = 0; slot < TNI_PRODUCT_SLOTS; slot++) {
        tni_product_operand *operand = call_slot(call, (tni_product_slot)slot);
        if (*count == 1 && slot != (rows ? TNI_PRODUCT_B : TNI_PRODUCT_A) && call_has(call, slot))
            *(rows ? &operand->row : &operand->column) = call->strides[slot][d];
    }
    *count *= call->sizes[d];
}

/* From the innermost batch dimension outwards; those that stay are moved together. */
static void call_fold_all(tni_product_call *call) {
    tni_product *product = &call->product;
    int64_t kept = product->batch_ndim;
    for (int64_t d = product->batch_ndim; d-- > 0;) {
        if (call->sizes[d] == 1)
            continue;
        bool rows = call_folds(call, d, true);
        if (rows || call_folds(call, d, false)) {
            call_fold(call, d, rows);
            continue;
        }
        kept--;
        call->sizes[kept] = call->sizes[d];
        for (int slot = 0; slot < TNI_PRODUCT_SLOTS; slot++)
            if (call_has(call, slot))
                call->strides[slot][kept] = call->strides[slot][d];
    }
    product->batch_ndim -= kept;
    product->batch_sizes = call->sizes + kept;
    for (int slot = 0; slot < TNI_PRODUCT_SLOTS; slot++)
        if (call_has(call, slot))
            call_slot(call, (tni_product_slot)slot)->batch = call->strides[slot] + kept;
}

tn_error tni_product_call_run(tni_product_call *call) {
    const tni_product *product = &call->product;
    bool empty = product->m == 0 || product->n == 0;
    for (int64_t d = 0; d < product->batch_ndim; d++)
        empty |= call->sizes[d] == 0;
    if (empty)
        return TN_OK;
    if (product->batch_ndim)
        call_fold_all(call);
    return tni_product_do(product, call->device);
}

/* ---- checks */

bool tni_product_check_dtypes(tni_product_argument a, tni_product_argument b) {
    tn_dtype first = a.tensor->dtype, second = b.tensor->dtype;
    if (TNI_LIKELY(first == second && first != TN_BOOL))
        return true;
    if (first == second) {
        tni_raise(TN_ERROR_DTYPE, "%s %s and %s %s are bool, of which there are no products: convert both with to(int32), say",
                  a.name, tni_show_tensor(a.tensor), b.name, tni_show_tensor(b.tensor));
        return false;
    }
    bool widen_first = tni_promote(first, second) == second;
    tni_raise(TN_ERROR_DTYPE, "%s %s and %s %s must have the same dtype: convert %s with to(%s)", a.name,
              tni_show_tensor(a.tensor), b.name, tni_show_tensor(b.tensor), widen_first ? a.name : b.name,
              tn_dtype_name(widen_first ? second : first));
    return false;
}

bool tni_product_check_rank(tni_product_argument argument, int64_t ndim) {
    static const char *const names[] = {"a vector", "a matrix", "a batch of matrices"};
    if (TNI_LIKELY(argument.tensor->ndim == ndim))
        return true;
    tni_raise(TN_ERROR_SHAPE, "%s %s is not %s: it has %d dimension%s", argument.name, tni_show_tensor(argument.tensor),
              names[ndim - 1], argument.tensor->ndim, argument.tensor->ndim == 1 ? "" : "s");
    return false;
}

bool tni_product_check_sizes(tni_product_argument a, int64_t a_dim, tni_product_argument b, int64_t b_dim) {
    if (TNI_LIKELY(a.tensor->sizes[a_dim] == b.tensor->sizes[b_dim]))
        return true;
    tni_raise(TN_ERROR_SHAPE,
              "%s %s and %s %s do not fit: dimension %" PRId64 " of %s has size %" PRId64 " and dimension %" PRId64
              " of %s has size %" PRId64,
              a.name, tni_show_tensor(a.tensor), b.name, tni_show_tensor(b.tensor), a_dim, a.name, a.tensor->sizes[a_dim],
              b_dim, b.name, b.tensor->sizes[b_dim]);
    return false;
}

bool tni_product_check_broadcast(tni_product_argument argument, const tni_plan *plan) {
    const tni_plan_result *result = &plan->result[0];
    const tn_tensor *tensor = argument.tensor;
    int64_t shift = result->ndim - tensor->ndim;
    if (shift < 0) {
        tni_raise(TN_ERROR_SHAPE, "%s %s has %d dimensions and cannot be broadcast to the %" PRId64 " of the result, %s",
                  argument.name, tni_show_tensor(tensor), tensor->ndim, result->ndim,
                  tni_show_dims(result->sizes, result->ndim));
        return false;
    }
    for (int64_t d = 0; d < tensor->ndim; d++)
        if (tensor->sizes[d] != 1 && tensor->sizes[d] != result->sizes[d + shift]) {
            tni_raise(TN_ERROR_SHAPE,
                      "%s %s cannot be broadcast to the sizes of the result, %s: dimension %" PRId64 " has size %" PRId64
                      ", and that of the result %" PRId64,
                      argument.name, tni_show_tensor(tensor), tni_show_dims(result->sizes, result->ndim), d, tensor->sizes[d],
                      result->sizes[d + shift]);
            return false;
        }
    return true;
}

/* Beside integers a fraction is cut off, as PyTorch has it, and a real number may be written as a complex one. */
bool tni_product_check_number(tn_scalar value, const char *name, tn_dtype dtype, tn_job_number *number) {
    if (TNI_LIKELY(value.kind == TN_SCALAR_INT)) {
        double real = (double)value.value.i;
        *number = (tn_job_number){real, value.value.i, {real, 0}};
        return true;
    }
    bool whole = tn_dtype_is_integral(dtype);
    tn_dtype_store(TN_COMPLEX128, &number->complex, value);
    number->real = number->complex.real;
    if ((number->complex.imag != 0 && !tn_dtype_is_complex(dtype)) ||
        (whole && value.kind != TN_SCALAR_UINT && !(fabs(number->real) < 0x1p63))) {
        tni_raise(TN_ERROR_DTYPE, "%s = %s cannot multiply a result of dtype %s", name, tni_show_scalar(value),
                  tn_dtype_name(dtype));
        return false;
    }
    number->whole = 0;
    if (whole && value.kind != TN_SCALAR_UINT) {
        number->whole = (int64_t)number->real;
        number->real = number->complex.real = (double)number->whole;
    } else if (whole) {
        tn_dtype_store(TN_INT64, &number->whole, value);
    }
    return true;
}

/* ---- two factors */

/* The batch dimensions of both, broadcast, at the beginning of `sizes`. */
static bool call_plan_batch(tni_product_argument a, tni_product_argument b, int64_t *ndim, int64_t *sizes) {
    tn_geometry_conflict conflict;
    tn_dims first = {a.tensor->sizes, tni_max_i64(a.tensor->ndim - 2, 0)};
    tn_dims second = {b.tensor->sizes, tni_max_i64(b.tensor->ndim - 2, 0)};
    if (tn_geometry_broadcast(first, second, ndim, sizes, &conflict) == TN_GEOMETRY_OK)
        return true;
    tni_raise(
        TN_ERROR_SHAPE,
        "the batch dimensions of %s %s and %s %s cannot be broadcast: sizes %" PRId64 " and %" PRId64 " in dimension %" PRId64,
        a.name, tni_show_tensor(a.tensor), b.name, tni_show_tensor(b.tensor), conflict.expected, conflict.size, conflict.dim);
    return false;
}

bool tni_product_plan_sizes(tni_plan *plan, tni_product_argument a, tni_product_argument b, tn_dtype dtype) {
    int64_t first = a.tensor->ndim, second = b.tensor->ndim, ndim = 0, sizes[TN_MAX_DIMS];
    if (first == 0 || second == 0) {
        tni_raise(TN_ERROR_SHAPE, "%s %s and %s %s must have at least one dimension each: use mul to multiply by a number",
                  a.name, tni_show_tensor(a.tensor), b.name, tni_show_tensor(b.tensor));
        return false;
    }
    if (!tni_product_check_sizes(a, first - 1, b, second > 1 ? second - 2 : 0))
        return false;
    if ((first > 2 || second > 2) && !call_plan_batch(a, b, &ndim, sizes))
        return false;
    plan->number[0] = plan->number[1] = 1;
    plan->number[2] = a.tensor->sizes[first - 1];
    plan->number[3] = ndim;
    if (first > 1)
        sizes[ndim++] = plan->number[0] = a.tensor->sizes[first - 2];
    if (second > 1)
        sizes[ndim++] = plan->number[1] = b.tensor->sizes[second - 1];
    tni_plan_begin(plan, a.tensor);
    tni_plan_add(plan, ndim, sizes, dtype);
    return true;
}

bool tni_product_plan(tni_plan *plan, tni_product_argument a, tni_product_argument b, tn_dtype dtype) {
    return tni_product_plan_sizes(plan, a, b, dtype) && tni_product_check_dtypes(a, b);
}

void tni_product_begin_planned(tni_product_call *call, const tni_plan *plan, tn_tensor *result, const tn_tensor *a,
                               const tn_tensor *b) {
    const int64_t *number = plan->number;
    tni_product_call_begin(call, number[0], number[1], number[2], (tn_dims){plan->result[0].sizes, number[3]}, a->dtype);
    tni_product_call_take(call, TNI_PRODUCT_A, a, a->ndim > 1, true);
    tni_product_call_take(call, TNI_PRODUCT_B, b, true, b->ndim > 1);
    tni_product_call_take(call, TNI_PRODUCT_C, result, a->ndim > 1, b->ndim > 1);
}

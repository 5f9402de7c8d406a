/* scalar.c - single numbers: making them, reading and writing one element, and whether a dtype can hold one.
 *
 * Invariant: a scalar of kind UINT is above INT64_MAX, so that every integer has one form. Reading an element is exact, and
 * writing uses the same conversions as a copy between tensors, so the two cannot disagree.
 */
#include <math.h>

#include "base/error.h"
#include "base/thread.h"
#include "tensor/convert.h"
#include "tensor/dtype.h"

tn_scalar tn_scalar_bool(bool value) { return (tn_scalar){.kind = TN_SCALAR_BOOL, .value = {.b = value}}; }
tn_scalar tn_scalar_int(int64_t value) { return (tn_scalar){.kind = TN_SCALAR_INT, .value = {.i = value}}; }
tn_scalar tn_scalar_float(double value) { return (tn_scalar){.kind = TN_SCALAR_FLOAT, .value = {.d = value}}; }
tn_scalar tn_scalar_same(tn_scalar value) { return value; }
tn_scalar tn_scalar_none(void) { return (tn_scalar){.kind = TN_SCALAR_NONE, .value = {.i = 0}}; }

tn_scalar tn_scalar_uint(uint64_t value) {
    if (value <= INT64_MAX)
        return tn_scalar_int((int64_t)value);
    return (tn_scalar){.kind = TN_SCALAR_UINT, .value = {.u = value}};
}

tn_scalar tn_scalar_complex(double real, double imag) {
    return (tn_scalar){.kind = TN_SCALAR_COMPLEX, .value = {.c = {real, imag}}};
}

/* Raises under the function's name; out of the way, because reading and writing elements one by one should stay cheap. */
static TNI_COLD void scalar_complain(const char *function, tn_dtype dtype, tn_scalar_kind kind) {
    const char *outer = tni_operator_enter(function);
    if (tni_dtype_check(dtype, "dtype"))
        tni_raise(TN_ERROR_ARGUMENT, "value has kind %d, which is not a kind of scalar", (int)kind);
    tni_operator_leave(outer);
}

tn_scalar tn_dtype_load(tn_dtype dtype, const void *element) {
    if (TNI_UNLIKELY(!tni_dtype_is(dtype))) {
        scalar_complain("dtype_load", dtype, TN_SCALAR_INT);
        return tn_scalar_int(0);
    }
    union {
        int32_t i32;
        uint32_t u32;
        int64_t i64;
        uint64_t u64;
        float f32;
        double f64;
        tn_complex64 c64;
        tn_complex128 c128;
    } carried;
    tni_widen[dtype].widen(&carried, element, 1);
    if (dtype == TN_BOOL)
        return tn_scalar_bool(carried.i32 != 0);
    switch (tni_widen[dtype].carrier) {
    case TNI_CARRIER_i32: return tn_scalar_int(carried.i32);
    case TNI_CARRIER_u32: return tn_scalar_int(carried.u32);
    case TNI_CARRIER_i64: return tn_scalar_int(carried.i64);
    case TNI_CARRIER_u64: return tn_scalar_uint(carried.u64);
    case TNI_CARRIER_f32: return tn_scalar_float((double)carried.f32);
    case TNI_CARRIER_f64: return tn_scalar_float(carried.f64);
    case TNI_CARRIER_c64: return tn_scalar_complex((double)carried.c64.real, (double)carried.c64.imag);
    default: return tn_scalar_complex(carried.c128.real, carried.c128.imag);
    }
}

void tn_dtype_store(tn_dtype dtype, void *element, tn_scalar value) {
    if (TNI_UNLIKELY(!tni_dtype_is(dtype) || (unsigned)value.kind > TN_SCALAR_COMPLEX)) {
        scalar_complain("dtype_store", dtype, value.kind);
        return;
    }
    int32_t truth = value.kind == TN_SCALAR_BOOL && value.value.b;
    switch (value.kind) {
    case TN_SCALAR_BOOL: tni_narrow[TNI_CARRIER_i32][dtype](element, &truth, 1); break;
    case TN_SCALAR_INT: tni_narrow[TNI_CARRIER_i64][dtype](element, &value.value.i, 1); break;
    case TN_SCALAR_UINT: tni_narrow[TNI_CARRIER_u64][dtype](element, &value.value.u, 1); break;
    case TN_SCALAR_FLOAT: tni_narrow[TNI_CARRIER_f64][dtype](element, &value.value.d, 1); break;
    case TN_SCALAR_COMPLEX: tni_narrow[TNI_CARRIER_c128][dtype](element, &value.value.c, 1); break;
    }
}

/* ---- can_hold ---------------------------------------------------------------------------------------------------------- */

/* An integer given as its sign and magnitude: unsigned dtypes take a negative one whose magnitude fits, because -1 is a common
 * way to write the largest value. */
static bool scalar_holds_integer(const tni_dtype_info *row, bool negative, uint64_t magnitude) {
    switch (row->kind) {
    case TN_KIND_BOOL: return true;
    case TN_KIND_UNSIGNED: return magnitude <= row->iinfo.max;
    case TN_KIND_SIGNED: return magnitude <= row->iinfo.max + (negative ? 1 : 0);
    default: return (double)magnitude <= row->finfo.max;
    }
}

/* An integer dtype holds a real number between its limits, before truncation: 255.5 is too large for uint8. The limit of the
 * 64-bit dtypes is not a double; the power of two above it is, and is itself too large. */
static bool scalar_holds_real(const tni_dtype_info *row, double value) {
    switch (row->kind) {
    case TN_KIND_BOOL: return true;
    case TN_KIND_UNSIGNED:
    case TN_KIND_SIGNED: {
        bool below = row->iinfo.bits < 64 ? value <= (double)row->iinfo.max : value < ldexp(1, row->is_signed ? 63 : 64);
        return below && value >= (double)row->iinfo.min;
    }
    default: return isnan(value) || (isinf(value) ? row->has_infinity : fabs(value) <= row->finfo.max);
    }
}

bool tn_dtype_can_hold(tn_dtype dtype, tn_scalar value) {
    if (!tni_dtype_is(dtype))
        return false;
    const tni_dtype_info *row = &tni_dtypes[dtype];
    switch (value.kind) {
    case TN_SCALAR_BOOL: return true;
    case TN_SCALAR_INT: {
        bool negative = value.value.i < 0;
        return scalar_holds_integer(row, negative, negative ? 0 - (uint64_t)value.value.i : (uint64_t)value.value.i);
    }
    case TN_SCALAR_UINT: return scalar_holds_integer(row, false, value.value.u);
    case TN_SCALAR_FLOAT: return scalar_holds_real(row, value.value.d);
    case TN_SCALAR_COMPLEX: {
        bool room = row->kind == TN_KIND_COMPLEX || row->kind == TN_KIND_BOOL || value.value.c.imag == 0;
        return room && scalar_holds_real(row, value.value.c.real) && scalar_holds_real(row, value.value.c.imag);
    }
    }
    return false;
}

tn_dtype tni_dtype_of_scalar(tn_scalar_kind kind) {
    switch (kind) {
    case TN_SCALAR_BOOL: return TN_BOOL;
    case TN_SCALAR_INT: return TN_INT64;
    case TN_SCALAR_UINT: return TN_UINT64;
    case TN_SCALAR_FLOAT: return tn_default_dtype();
    case TN_SCALAR_COMPLEX: return tn_dtype_to_complex(tn_default_dtype());
    }
    return tn_default_dtype();
}

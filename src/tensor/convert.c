/* convert.c - the conversions of convert.h behind tables, and tn_dtype_convert, which runs any pair with them.
 *
 * A run of elements is widened to its carrier in blocks on the stack and narrowed from there: 17 + 8 * 17 small loops instead
 * of 289, with the block in the first-level cache between them. The copy kernels of src/cpu use TNI_CONVERT directly.
 *
 * Invariant: elements are moved with memcpy, so they may be anywhere and of any C type, because callers pass mapped files and
 * buffers of other libraries. A bool is read as a byte, because theirs may hold more than 0 and 1.
 */
#include "tensor/convert.h"

#include "base/error.h"
#include "base/thread.h"
#include "tensor/dtype.h"
#include "tensor/limits.h"

/* The type an element is read as: its C type, except for bool. */
typedef uint8_t convert_BOOL;
typedef uint8_t convert_UINT8;
typedef uint16_t convert_UINT16;
typedef uint32_t convert_UINT32;
typedef uint64_t convert_UINT64;
typedef int8_t convert_INT8;
typedef int16_t convert_INT16;
typedef int32_t convert_INT32;
typedef int64_t convert_INT64;
typedef tn_float16 convert_FLOAT16;
typedef tn_bfloat16 convert_BFLOAT16;
typedef float convert_FLOAT32;
typedef double convert_FLOAT64;
typedef tn_complex64 convert_COMPLEX64;
typedef tn_complex128 convert_COMPLEX128;
typedef tn_float8_e4m3fn convert_FLOAT8_E4M3FN;
typedef tn_float8_e5m2 convert_FLOAT8_E5M2;

#define CONVERT_CARRIER_TYPE(carrier, ctype) typedef ctype convert_##carrier;
TNI_EACH_CARRIER(CONVERT_CARRIER_TYPE)
#undef CONVERT_CARRIER_TYPE

#define CONVERT_PASTE(a, b) CONVERT_PASTE_(a, b)
#define CONVERT_PASTE_(a, b) a##b

/* ---- widening: one loop per dtype -------------------------------------------------------------------------------------- */

#define CONVERT_WIDEN(ENUM, name, ctype)                                                                                       \
    static void convert_widen_##ENUM(void *carried, const void *elements, size_t count) {                                      \
        for (size_t i = 0; i < count; i++) {                                                                                   \
            convert_##ENUM element;                                                                                            \
            memcpy(&element, (const char *)elements + i * sizeof element, sizeof element);                                     \
            CONVERT_PASTE(convert_, TNI_CARRIER_OF_##ENUM) value = TNI_CARRY_##ENUM(element);                                  \
            memcpy((char *)carried + i * sizeof value, &value, sizeof value);                                                  \
        }                                                                                                                      \
    }
TN_EACH_DTYPE(CONVERT_WIDEN)
#undef CONVERT_WIDEN

const struct tni_widening tni_widen[TN_DTYPE_COUNT] = {
#define CONVERT_WIDEN_ROW(ENUM, name, ctype)                                                                                   \
    [TN_##ENUM] = {convert_widen_##ENUM, CONVERT_PASTE(TNI_CARRIER_, TNI_CARRIER_OF_##ENUM)},
    TN_EACH_DTYPE(CONVERT_WIDEN_ROW)
#undef CONVERT_WIDEN_ROW
};

/* ---- narrowing: one loop per carrier and dtype --------------------------------------------------------------------------- */

#define CONVERT_NARROW(carrier, ENUM)                                                                                          \
    static void convert_##carrier##_to_##ENUM(void *elements, const void *carried, size_t count) {                             \
        for (size_t i = 0; i < count; i++) {                                                                                   \
            convert_##carrier value;                                                                                           \
            memcpy(&value, (const char *)carried + i * sizeof value, sizeof value);                                            \
            convert_##ENUM element = tni_##carrier##_to_##ENUM(value);                                                         \
            memcpy((char *)elements + i * sizeof element, &element, sizeof element);                                           \
        }                                                                                                                      \
    }
#define CONVERT_NARROW_ALL(ENUM, name, ctype)                                                                                  \
    CONVERT_NARROW(i32, ENUM)                                                                                                  \
    CONVERT_NARROW(u32, ENUM)                                                                                                  \
    CONVERT_NARROW(i64, ENUM)                                                                                                  \
    CONVERT_NARROW(u64, ENUM)                                                                                                  \
    CONVERT_NARROW(f32, ENUM)                                                                                                  \
    CONVERT_NARROW(f64, ENUM)                                                                                                  \
    CONVERT_NARROW(c64, ENUM)                                                                                                  \
    CONVERT_NARROW(c128, ENUM)
TN_EACH_DTYPE(CONVERT_NARROW_ALL)
#undef CONVERT_NARROW_ALL
#undef CONVERT_NARROW

const tni_narrow_function tni_narrow[TNI_CARRIER_COUNT][TN_DTYPE_COUNT] = {
#define CONVERT_NARROW_ROW(ENUM, name, ctype)                                                                                  \
    [TNI_CARRIER_i32][TN_##ENUM] = convert_i32_to_##ENUM, [TNI_CARRIER_u32][TN_##ENUM] = convert_u32_to_##ENUM,                \
    [TNI_CARRIER_i64][TN_##ENUM] = convert_i64_to_##ENUM, [TNI_CARRIER_u64][TN_##ENUM] = convert_u64_to_##ENUM,                \
    [TNI_CARRIER_f32][TN_##ENUM] = convert_f32_to_##ENUM, [TNI_CARRIER_f64][TN_##ENUM] = convert_f64_to_##ENUM,                \
    [TNI_CARRIER_c64][TN_##ENUM] = convert_c64_to_##ENUM, [TNI_CARRIER_c128][TN_##ENUM] = convert_c128_to_##ENUM,
    TN_EACH_DTYPE(CONVERT_NARROW_ROW)
#undef CONVERT_NARROW_ROW
};

#undef CONVERT_PASTE
#undef CONVERT_PASTE_

/* ---- runs of elements ---------------------------------------------------------------------------------------------------- */

static tn_error convert_check(tn_dtype to, const void *target, tn_dtype from, const void *source, size_t count) {
    if (!tni_dtype_check(to, "to") || !tni_dtype_check(from, "from"))
        return TN_ERROR_DTYPE;
    if (count && !target)
        return tni_raise_missing("target");
    if (count && !source)
        return tni_raise_missing("source");
    size_t target_bytes, source_bytes;
    if (__builtin_mul_overflow(count, tn_dtype_size(to), &target_bytes) ||
        __builtin_mul_overflow(count, tn_dtype_size(from), &source_bytes))
        return tni_raise(TN_ERROR_SHAPE, "count %zu of %s and %s is more than memory can hold", count, tn_dtype_name(to),
                         tn_dtype_name(from));
    uintptr_t target_at = (uintptr_t)target, source_at = (uintptr_t)source;
    bool apart = target_at <= source_at ? source_at - target_at >= target_bytes : target_at - source_at >= source_bytes;
    if (to != from && !apart)
        return tni_raise(TN_ERROR_OVERLAP, "target (%zu bytes of %s) and source (%zu bytes of %s) share memory", target_bytes,
                         tn_dtype_name(to), source_bytes, tn_dtype_name(from));
    return TN_OK;
}

tn_error tn_dtype_convert(tn_dtype to, void *target, tn_dtype from, const void *source, size_t count) {
    const char *outer = tni_operator_enter("dtype_convert");
    tn_error error = convert_check(to, target, from, source, count);
    tni_operator_leave(outer);
    if (error || !count)
        return error;
    if (to == from) {
        memmove(target, source, count * tn_dtype_size(to));
        return TN_OK;
    }
    tn_complex128 block[CONVERT_BLOCK];
    tni_widen_function widen = tni_widen[from].widen;
    tni_narrow_function narrow = tni_narrow[tni_widen[from].carrier][to];
    size_t target_size = tn_dtype_size(to), source_size = tn_dtype_size(from);
    for (size_t done = 0; done < count; done += CONVERT_BLOCK) {
        size_t step = count - done < CONVERT_BLOCK ? count - done : CONVERT_BLOCK;
        widen(block, (const char *)source + done * source_size, step);
        narrow((char *)target + done * target_size, block, step);
    }
    return TN_OK;
}

/* dtype.c - the one table of element types, and everything that is read from it.
 *
 * Invariant: what is known about a dtype is in its row. A new dtype is a line in TN_EACH_DTYPE, a row here, and its carrier and
 * destination functions in convert.h; the functions below and the rest of the library do not change.
 */
#include "tensor/dtype.h"

#include "base/error.h"
#include "base/thread.h"

/* DLPack's type codes. */
enum {
    DTYPE_DLPACK_INT = 0,
    DTYPE_DLPACK_UINT = 1,
    DTYPE_DLPACK_FLOAT = 2,
    DTYPE_DLPACK_BFLOAT = 4,
    DTYPE_DLPACK_COMPLEX = 5,
    DTYPE_DLPACK_BOOL = 6,
    DTYPE_DLPACK_FLOAT8_E4M3FN = 10,
    DTYPE_DLPACK_FLOAT8_E5M2 = 12
};

#define DTYPE_NAMED(name, ctype, numpy, safetensors) .spelling = {#name, "torch." #name, numpy, safetensors, #ctype}

#define DTYPE_UNSIGNED(width, sum)                                                                                             \
    .kind = TN_KIND_UNSIGNED, .accumulate = sum, .to_real = TN_UINT##width, .dlpack = {DTYPE_DLPACK_UINT, width, 1},           \
    .iinfo = {.bits = width, .min = 0, .max = UINT##width##_MAX}

#define DTYPE_SIGNED(width)                                                                                                    \
    .kind = TN_KIND_SIGNED, .is_signed = true, .accumulate = TN_INT64, .to_real = TN_INT##width,                               \
    .dlpack = {DTYPE_DLPACK_INT, width, 1}, .iinfo = {.bits = width, .min = INT##width##_MIN, .max = INT##width##_MAX}

#define DTYPE_FLOATING(dtype, sum, complex)                                                                                    \
    .kind = TN_KIND_FLOAT, .is_signed = true, .accumulate = sum, .to_real = dtype, .to_complex = complex

#define DTYPE_COMPLEX(dtype, part)                                                                                             \
    .kind = TN_KIND_COMPLEX, .is_signed = true, .accumulate = dtype, .to_real = part, .to_complex = dtype

/* bits, then 2^-(digits - 1), largest, normal and subnormal minimum, decimal resolution, digits */
#define DTYPE_LIMITS(width, step, largest, normal, subnormal, decimal, precision)                                              \
    .finfo = {.bits = width,                                                                                                   \
              .eps = step,                                                                                                     \
              .max = largest,                                                                                                  \
              .min = -largest,                                                                                                 \
              .smallest_normal = normal,                                                                                       \
              .smallest_subnormal = subnormal,                                                                                 \
              .resolution = decimal,                                                                                           \
              .digits = precision}

#define DTYPE_LIMITS_FLOAT32 DTYPE_LIMITS(32, 0x1p-23, 0x1.fffffep127, 0x1p-126, 0x1p-149, 1e-6, 24)
#define DTYPE_LIMITS_FLOAT64 DTYPE_LIMITS(64, 0x1p-52, 0x1.fffffffffffffp1023, 0x1p-1022, 0x1p-1074, 1e-15, 53)

const tni_dtype_info tni_dtypes[TN_DTYPE_COUNT] = {
    [TN_BOOL] = {DTYPE_NAMED(bool, bool, "|b1", "BOOL"), .kind = TN_KIND_BOOL, .accumulate = TN_INT64, .to_real = TN_BOOL,
                 .dlpack = {DTYPE_DLPACK_BOOL, 8, 1}},

    [TN_UINT8] = {DTYPE_NAMED(uint8, uint8_t, "|u1", "U8"), DTYPE_UNSIGNED(8, TN_INT64)},
    [TN_UINT16] = {DTYPE_NAMED(uint16, uint16_t, "<u2", "U16"), DTYPE_UNSIGNED(16, TN_INT64)},
    [TN_UINT32] = {DTYPE_NAMED(uint32, uint32_t, "<u4", "U32"), DTYPE_UNSIGNED(32, TN_INT64)},
    [TN_UINT64] = {DTYPE_NAMED(uint64, uint64_t, "<u8", "U64"), DTYPE_UNSIGNED(64, TN_UINT64)},
    [TN_INT8] = {DTYPE_NAMED(int8, int8_t, "|i1", "I8"), DTYPE_SIGNED(8)},
    [TN_INT16] = {DTYPE_NAMED(int16, int16_t, "<i2", "I16"), DTYPE_SIGNED(16)},
    [TN_INT32] = {DTYPE_NAMED(int32, int32_t, "<i4", "I32"), DTYPE_SIGNED(32)},
    [TN_INT64] = {DTYPE_NAMED(int64, int64_t, "<i8", "I64"), DTYPE_SIGNED(64)},

    [TN_FLOAT16] = {DTYPE_NAMED(float16, tn_float16, "<f2", "F16"), DTYPE_FLOATING(TN_FLOAT16, TN_FLOAT32, TN_COMPLEX64),
                    DTYPE_LIMITS(16, 0x1p-10, 65504.0, 0x1p-14, 0x1p-24, 1e-3, 11), .dlpack = {DTYPE_DLPACK_FLOAT, 16, 1},
                    .has_infinity = true},
    [TN_BFLOAT16] = {DTYPE_NAMED(bfloat16, tn_bfloat16, NULL, "BF16"), DTYPE_FLOATING(TN_BFLOAT16, TN_FLOAT32, TN_COMPLEX64),
                     DTYPE_LIMITS(16, 0x1p-7, 0x1.fep127, 0x1p-126, 0x1p-133, 1e-2, 8), .dlpack = {DTYPE_DLPACK_BFLOAT, 16, 1},
                     .has_infinity = true},
    [TN_FLOAT32] = {DTYPE_NAMED(float32, float, "<f4", "F32"), DTYPE_FLOATING(TN_FLOAT32, TN_FLOAT32, TN_COMPLEX64),
                    DTYPE_LIMITS_FLOAT32, .dlpack = {DTYPE_DLPACK_FLOAT, 32, 1}, .has_infinity = true},
    [TN_FLOAT64] = {DTYPE_NAMED(float64, double, "<f8", "F64"), DTYPE_FLOATING(TN_FLOAT64, TN_FLOAT64, TN_COMPLEX128),
                    DTYPE_LIMITS_FLOAT64, .dlpack = {DTYPE_DLPACK_FLOAT, 64, 1}, .has_infinity = true},

    [TN_COMPLEX64] = {DTYPE_NAMED(complex64, tn_complex64, "<c8", "C64"), DTYPE_COMPLEX(TN_COMPLEX64, TN_FLOAT32),
                      DTYPE_LIMITS_FLOAT32, .dlpack = {DTYPE_DLPACK_COMPLEX, 64, 1}, .has_infinity = true},
    [TN_COMPLEX128] = {DTYPE_NAMED(complex128, tn_complex128, "<c16", NULL), DTYPE_COMPLEX(TN_COMPLEX128, TN_FLOAT64),
                       DTYPE_LIMITS_FLOAT64, .dlpack = {DTYPE_DLPACK_COMPLEX, 128, 1}, .has_infinity = true},

    [TN_FLOAT8_E4M3FN] = {DTYPE_NAMED(float8_e4m3fn, tn_float8_e4m3fn, NULL, "F8_E4M3"),
                          DTYPE_FLOATING(TN_FLOAT8_E4M3FN, TN_FLOAT32, TN_DTYPE_DEFAULT),
                          DTYPE_LIMITS(8, 0x1p-3, 448.0, 0x1p-6, 0x1p-9, 1.0, 4), .dlpack = {DTYPE_DLPACK_FLOAT8_E4M3FN, 8, 1}},
    [TN_FLOAT8_E5M2] = {DTYPE_NAMED(float8_e5m2, tn_float8_e5m2, NULL, "F8_E5M2"),
                        DTYPE_FLOATING(TN_FLOAT8_E5M2, TN_FLOAT32, TN_DTYPE_DEFAULT),
                        DTYPE_LIMITS(8, 0x1p-2, 57344.0, 0x1p-14, 0x1p-16, 1.0, 3), .dlpack = {DTYPE_DLPACK_FLOAT8_E5M2, 8, 1},
                        .has_infinity = true},
};

const uint8_t tni_dtype_sizes[TN_DTYPE_COUNT] = {
    [TN_BOOL] = sizeof(bool),
    [TN_UINT8] = 1,
    [TN_UINT16] = 2,
    [TN_UINT32] = 4,
    [TN_UINT64] = 8,
    [TN_INT8] = 1,
    [TN_INT16] = 2,
    [TN_INT32] = 4,
    [TN_INT64] = 8,
    [TN_FLOAT16] = sizeof(tn_float16),
    [TN_BFLOAT16] = sizeof(tn_bfloat16),
    [TN_FLOAT32] = sizeof(float),
    [TN_FLOAT64] = sizeof(double),
    [TN_COMPLEX64] = sizeof(tn_complex64),
    [TN_COMPLEX128] = sizeof(tn_complex128),
    [TN_FLOAT8_E4M3FN] = sizeof(tn_float8_e4m3fn),
    [TN_FLOAT8_E5M2] = sizeof(tn_float8_e5m2),
};

#undef DTYPE_NAMED
#undef DTYPE_UNSIGNED
#undef DTYPE_SIGNED
#undef DTYPE_FLOATING
#undef DTYPE_COMPLEX
#undef DTYPE_LIMITS
#undef DTYPE_LIMITS_FLOAT32
#undef DTYPE_LIMITS_FLOAT64

bool tni_dtype_check(tn_dtype dtype, const char *argument) {
    if (TNI_LIKELY(tni_dtype_is(dtype)))
        return true;
    if (dtype == TN_DTYPE_DEFAULT)
        tni_raise(TN_ERROR_DTYPE, "%s must be a dtype, not TN_DTYPE_DEFAULT", argument);
    else
        tni_raise(TN_ERROR_DTYPE, "%s is %d, which is not a dtype", argument, (int)dtype);
    return false;
}

/* ---- lookups ----------------------------------------------------------------------------------------------------------- */

bool tn_dtype_exists(tn_dtype dtype) { return tni_dtype_is(dtype); }

const char *tn_dtype_name(tn_dtype dtype) {
    const char *name = tni_dtype_row(dtype)->spelling[TN_SPELLING_TENON];
    return name ? name : "unknown";
}

size_t tn_dtype_size(tn_dtype dtype) { return tni_dtype_is(dtype) ? tni_dtype_size(dtype) : 0; }
tn_dtype_kind tn_dtype_kind_of(tn_dtype dtype) { return tni_dtype_row(dtype)->kind; }
bool tn_dtype_is_floating(tn_dtype dtype) { return tni_dtype_row(dtype)->kind == TN_KIND_FLOAT; }
bool tn_dtype_is_complex(tn_dtype dtype) { return tni_dtype_row(dtype)->kind == TN_KIND_COMPLEX; }
bool tn_dtype_is_integral(tn_dtype dtype) { return tni_dtype_is(dtype) && tni_dtypes[dtype].kind <= TN_KIND_SIGNED; }
bool tn_dtype_is_signed(tn_dtype dtype) { return tni_dtype_row(dtype)->is_signed; }
tn_dtype tn_dtype_accumulate(tn_dtype dtype) { return tni_dtype_row(dtype)->accumulate; }
tn_dtype tn_dtype_to_real(tn_dtype dtype) { return tni_dtype_is(dtype) ? tni_dtypes[dtype].to_real : dtype; }
tn_dtype tn_dtype_to_complex(tn_dtype dtype) { return tni_dtype_row(dtype)->to_complex; }
tn_dlpack_dtype tn_dtype_dlpack(tn_dtype dtype) { return tni_dtype_row(dtype)->dlpack; }

tn_dtype tn_dtype_from_dlpack(tn_dlpack_dtype type) {
    for (tn_dtype dtype = TN_BOOL; dtype < TN_DTYPE_COUNT; dtype++) {
        tn_dlpack_dtype ours = tni_dtypes[dtype].dlpack;
        if (ours.code == type.code && ours.bits == type.bits && ours.lanes == type.lanes)
            return dtype;
    }
    return TN_DTYPE_DEFAULT;
}

/* ---- spellings --------------------------------------------------------------------------------------------------------- */

const char *tn_dtype_spelling(tn_dtype dtype, tn_spelling whose) {
    return (unsigned)whose < TNI_SPELLINGS ? tni_dtype_row(dtype)->spelling[whose] : NULL;
}

/* torch's second names, with or without "torch." before them. */
static const struct dtype_alias {
    const char *name;
    tn_dtype dtype;
} dtype_aliases[] = {
    {"half", TN_FLOAT16}, {"float", TN_FLOAT32}, {"double", TN_FLOAT64},   {"short", TN_INT16},
    {"int", TN_INT32},    {"long", TN_INT64},    {"cfloat", TN_COMPLEX64}, {"cdouble", TN_COMPLEX128},
};

static bool dtype_same_text(const char *a, const char *b) { return a && strcmp(a, b) == 0; }

tn_dtype tn_dtype_from_name(const char *text) {
    if (!text)
        return TN_DTYPE_DEFAULT;
    const char *after_torch = strncmp(text, "torch.", 6) == 0 ? text + 6 : text;
    for (size_t i = 0; i < TNI_COUNT_OF(dtype_aliases); i++)
        if (dtype_same_text(dtype_aliases[i].name, after_torch))
            return dtype_aliases[i].dtype;
    /* NumPy writes the byte order first: '<' little, '=' the machine's, '|' irrelevant, or nothing. '>' is not supported. */
    const char *after_order = *text == '<' || *text == '=' || *text == '|' ? text + 1 : text;
    for (tn_dtype dtype = TN_BOOL; dtype < TN_DTYPE_COUNT; dtype++) {
        const char *numpy = tni_dtypes[dtype].spelling[TN_SPELLING_NUMPY];
        if (numpy && dtype_same_text(numpy + 1, after_order))
            return dtype;
        for (int whose = 0; whose < TNI_SPELLINGS; whose++)
            if (dtype_same_text(tni_dtypes[dtype].spelling[whose], text))
                return dtype;
    }
    return TN_DTYPE_DEFAULT;
}

/* ---- limits and the default ---------------------------------------------------------------------------------------------- */

/* Every error in asking for the limits of a dtype; `wanted` says which dtypes have them. */
static tn_error dtype_check_limits(const char *name, tn_dtype dtype, const void *out, bool has_them, const char *wanted) {
    const char *outer = tni_operator_enter(name);
    tn_error error = TN_OK;
    if (!out)
        error = tni_raise_missing("out");
    else if (!tni_dtype_check(dtype, "dtype"))
        error = TN_ERROR_DTYPE;
    else if (!has_them)
        error = tni_raise(TN_ERROR_DTYPE, "dtype is %s, but only %s dtypes have these limits", tn_dtype_name(dtype), wanted);
    tni_operator_leave(outer);
    return error;
}

tn_error tn_finfo_of(tn_dtype dtype, tn_finfo *out) {
    const tni_dtype_info *row = tni_dtype_row(dtype);
    if (out)
        *out = row->finfo;
    return dtype_check_limits("finfo", dtype, out, row->finfo.bits != 0, "floating and complex");
}

tn_error tn_iinfo_of(tn_dtype dtype, tn_iinfo *out) {
    const tni_dtype_info *row = tni_dtype_row(dtype);
    if (out)
        *out = row->iinfo;
    return dtype_check_limits("iinfo", dtype, out, row->iinfo.bits != 0, "signed and unsigned integer");
}

static _Atomic tn_dtype dtype_default = TN_FLOAT32;

tn_dtype tn_default_dtype(void) { return atomic_load_explicit(&dtype_default, memory_order_relaxed); }

tn_error tn_set_default_dtype(tn_dtype dtype) {
    if (dtype == TN_FLOAT16 || dtype == TN_BFLOAT16 || dtype == TN_FLOAT32 || dtype == TN_FLOAT64) {
        atomic_store_explicit(&dtype_default, dtype, memory_order_relaxed);
        return TN_OK;
    }
    const char *outer = tni_operator_enter("set_default_dtype");
    if (tni_dtype_check(dtype, "dtype"))
        tni_raise(TN_ERROR_DTYPE, "dtype is %s, but the default must be float16, bfloat16, float32 or float64",
                  tn_dtype_name(dtype));
    tni_operator_leave(outer);
    return TN_ERROR_DTYPE;
}

/* tenon/dtype.h - the element types: names, C types, limits, and exact conversion of single values.
 *
 * No function here allocates, and all but tn_set_default_dtype depend on their arguments alone. docs/dtypes.md has the table
 * of dtypes and the rules of conversion.
 */
#ifndef TENON_DTYPE_H
#define TENON_DTYPE_H

#include <tenon/base.h>

#ifdef __cplusplus
extern "C" {
#endif

/* C types for the elements that C itself has no portable type for. `bits` is the stored pattern. */
typedef struct tn_float16 {
    uint16_t bits; /* IEEE 754 binary16 */
} tn_float16;
typedef struct tn_bfloat16 {
    uint16_t bits; /* the upper half of a binary32 */
} tn_bfloat16;
typedef struct tn_float8_e4m3fn {
    uint8_t bits; /* 4 exponent bits, largest 448; no infinities: larger values become 448 */
} tn_float8_e4m3fn;
typedef struct tn_float8_e5m2 {
    uint8_t bits; /* 5 exponent bits, infinities, largest 57344 */
} tn_float8_e5m2;
typedef struct tn_complex64 {
    float real, imag;
} tn_complex64;
typedef struct tn_complex128 {
    double real, imag;
} tn_complex128;

/* Every dtype, once: X(ENUM, name, C type). The enum below, the typed accessors of tensor.h and the library's tables are
 * all made from this list. It only grows, at its end. */
#define TN_EACH_DTYPE(X)                                                                                                       \
    X(BOOL, bool, bool)                                                                                                        \
    X(UINT8, uint8, uint8_t)                                                                                                   \
    X(UINT16, uint16, uint16_t)                                                                                                \
    X(UINT32, uint32, uint32_t)                                                                                                \
    X(UINT64, uint64, uint64_t)                                                                                                \
    X(INT8, int8, int8_t)                                                                                                      \
    X(INT16, int16, int16_t)                                                                                                   \
    X(INT32, int32, int32_t)                                                                                                   \
    X(INT64, int64, int64_t)                                                                                                   \
    X(FLOAT16, float16, tn_float16)                                                                                            \
    X(BFLOAT16, bfloat16, tn_bfloat16)                                                                                         \
    X(FLOAT32, float32, float)                                                                                                 \
    X(FLOAT64, float64, double)                                                                                                \
    X(COMPLEX64, complex64, tn_complex64)                                                                                      \
    X(COMPLEX128, complex128, tn_complex128)                                                                                   \
    X(FLOAT8_E4M3FN, float8_e4m3fn, tn_float8_e4m3fn)                                                                          \
    X(FLOAT8_E5M2, float8_e5m2, tn_float8_e5m2)

/* TN_DTYPE_DEFAULT, which is 0, asks a function to choose: the default floating dtype, or what its arguments suggest. */
typedef enum tn_dtype {
    TN_DTYPE_DEFAULT = 0,
#define TN_DTYPE_ENUM_(ENUM, name, ctype) TN_##ENUM,
    TN_EACH_DTYPE(TN_DTYPE_ENUM_)
#undef TN_DTYPE_ENUM_
        TN_DTYPE_COUNT
} tn_dtype;

typedef enum tn_dtype_kind { TN_KIND_BOOL = 0, TN_KIND_UNSIGNED, TN_KIND_SIGNED, TN_KIND_FLOAT, TN_KIND_COMPLEX } tn_dtype_kind;

/* Whether `dtype` is one of the list above (TN_DTYPE_DEFAULT is not). */
TN_API bool tn_dtype_exists(tn_dtype dtype);

/* "float32"; "unknown" for a dtype that does not exist. Static text. */
TN_API const char *tn_dtype_name(tn_dtype dtype);

/* Bytes of one element; 0 for a dtype that does not exist. */
TN_API size_t tn_dtype_size(tn_dtype dtype);

/* TN_KIND_BOOL for a dtype that does not exist. */
TN_API tn_dtype_kind tn_dtype_kind_of(tn_dtype dtype);
TN_API bool tn_dtype_is_floating(tn_dtype dtype); /* float kinds only, not complex */
TN_API bool tn_dtype_is_complex(tn_dtype dtype);
TN_API bool tn_dtype_is_integral(tn_dtype dtype); /* signed and unsigned integers and bool */
TN_API bool tn_dtype_is_signed(tn_dtype dtype);

/* The dtype in which sums of this one are formed: int64 for integers and bool (uint64 for uint64), float32 for the 8- and
 * 16-bit floats and for float32 itself, float64, complex64 and complex128 for themselves. */
TN_API tn_dtype tn_dtype_accumulate(tn_dtype dtype);

/* to_real: the dtype of a complex dtype's parts (complex64: float32), any other dtype itself. to_complex: the complex dtype
 * whose parts hold a float dtype (float16, bfloat16 and float32: complex64), a complex dtype itself, TN_DTYPE_DEFAULT for the
 * others: integers, bool and the 8-bit floats have none. */
TN_API tn_dtype tn_dtype_to_real(tn_dtype dtype);
TN_API tn_dtype tn_dtype_to_complex(tn_dtype dtype);

/* How others spell a dtype. Static text; NULL where they have none (NumPy has no bfloat16). */
typedef enum tn_spelling {
    TN_SPELLING_TENON = 0,   /* float32                                           */
    TN_SPELLING_TORCH,       /* torch.float32                                     */
    TN_SPELLING_NUMPY,       /* <f4: the type string of .npy files, little endian */
    TN_SPELLING_SAFETENSORS, /* F32                                               */
    TN_SPELLING_C            /* float                                             */
} tn_spelling;
TN_API const char *tn_dtype_spelling(tn_dtype dtype, tn_spelling whose);

/* The dtype a text names, in any of the spellings above, torch's short names (float, double, half, int, long, short, bool,
 * cfloat, cdouble, with or without "torch."), or NumPy's with another mark of byte order or none (f4, =f4, |u1; not >f4).
 * TN_DTYPE_DEFAULT, with no error recorded, when it names none or is NULL. */
TN_API tn_dtype tn_dtype_from_name(const char *text);

/* DLPack's {code, bits, lanes}; all 0 for a dtype that does not exist. from: TN_DTYPE_DEFAULT, with no error recorded, when
 * Tenon has no such dtype. */
typedef struct tn_dlpack_dtype {
    uint8_t code, bits;
    uint16_t lanes;
} tn_dlpack_dtype;
TN_API tn_dlpack_dtype tn_dtype_dlpack(tn_dtype dtype);
TN_API tn_dtype tn_dtype_from_dlpack(tn_dlpack_dtype type);

/* Limits of a floating dtype (of the parts, for a complex one), as torch.finfo has them. */
typedef struct tn_finfo {
    int bits;               /* of one part                                 */
    double eps;             /* next number after 1, less 1                 */
    double max, min;        /* largest and smallest (most negative) finite */
    double smallest_normal; /* least positive normal number                */
    double smallest_subnormal;
    double resolution; /* the decimal digits one can rely on, as 10^-n */
    int digits;        /* significand bits, the hidden one counted     */
} tn_finfo;
/* TN_ERROR_DTYPE, with *out zeroed, when dtype is not a floating or complex one. */
TN_API tn_error tn_finfo_of(tn_dtype dtype, tn_finfo *out);

/* Limits of an integer dtype, as torch.iinfo has them. bool is refused, as there: TN_ERROR_DTYPE, with *out zeroed. */
typedef struct tn_iinfo {
    int bits;
    int64_t min;
    uint64_t max;
} tn_iinfo;
TN_API tn_error tn_iinfo_of(tn_dtype dtype, tn_iinfo *out);

/* The dtype that TN_DTYPE_DEFAULT means to the factories: float32 unless set. Process-wide; only float16, bfloat16, float32
 * and float64 are accepted. */
TN_API tn_dtype tn_default_dtype(void);
TN_API tn_error tn_set_default_dtype(tn_dtype dtype);

/* ---- scalars ------------------------------------------------------------------------------------------------------- */

/* One number of any kind, by value. It remembers how it was written (true, 5, 2.5, 1+2i), because dtype promotion cares.
 * In C, macros over the operators that take a tn_scalar let you pass any C number; in C++ the constructors do. */
typedef enum tn_scalar_kind {
    TN_SCALAR_BOOL = 0,
    TN_SCALAR_INT,  /* value.i */
    TN_SCALAR_UINT, /* value.u, only for numbers above INT64_MAX: others are TN_SCALAR_INT */
    TN_SCALAR_FLOAT,
    TN_SCALAR_COMPLEX
} tn_scalar_kind;

/* The kind of a scalar that holds no number: an optional number left out. Only parameters whose default is `none` take it. */
#define TN_SCALAR_NONE ((tn_scalar_kind)15)

typedef struct tn_scalar {
    tn_scalar_kind kind;
    union tn_scalar_value {
        bool b;
        int64_t i;
        uint64_t u;
        double d;
        tn_complex128 c;
    } value;
#ifdef __cplusplus
    tn_scalar() = default;
    tn_scalar(bool v) : kind(TN_SCALAR_BOOL) { value.b = v; }
    tn_scalar(int v) : kind(TN_SCALAR_INT) { value.i = v; }
    tn_scalar(long v) : kind(TN_SCALAR_INT) { value.i = v; }
    tn_scalar(long long v) : kind(TN_SCALAR_INT) { value.i = v; }
    tn_scalar(unsigned v) : kind(TN_SCALAR_INT) { value.i = v; }
    tn_scalar(unsigned long v) : tn_scalar(static_cast<unsigned long long>(v)) {}
    tn_scalar(unsigned long long v) : kind(v > INT64_MAX ? TN_SCALAR_UINT : TN_SCALAR_INT) { value.u = v; }
    tn_scalar(float v) : kind(TN_SCALAR_FLOAT) { value.d = static_cast<double>(v); }
    tn_scalar(double v) : kind(TN_SCALAR_FLOAT) { value.d = v; }
    tn_scalar(long double v) : kind(TN_SCALAR_FLOAT) { value.d = static_cast<double>(v); }
    tn_scalar(tn_complex128 v) : kind(TN_SCALAR_COMPLEX) { value.c = v; }
#endif
} tn_scalar;

TN_API tn_scalar tn_scalar_bool(bool value);
TN_API tn_scalar tn_scalar_int(int64_t value);
TN_API tn_scalar tn_scalar_uint(uint64_t value);
TN_API tn_scalar tn_scalar_float(double value);
TN_API tn_scalar tn_scalar_complex(double real, double imag);
TN_API tn_scalar tn_scalar_same(tn_scalar value);

TN_API tn_scalar tn_scalar_none(void);

/* For an optional number: tn_clamp(x, TN_NO_SCALAR, 1). */
#define TN_NO_SCALAR tn_scalar_none()

/* clang-format off */
#if TN_HAS_COMPLEX
static inline tn_scalar tn_scalar_ccomplex_(double _Complex value) {
    union {
        double _Complex whole;
        double parts[2];
    } number;
    number.whole = value;
    return tn_scalar_complex(number.parts[0], number.parts[1]);
}
#define TN_COMPLEX_CASES_(function) float _Complex: function, double _Complex: function, long double _Complex: function,
#else
#define TN_COMPLEX_CASES_(function)
#endif

/* TN_SCALAR(v): a tn_scalar from any C number; a tn_scalar stays as it is. */
#ifdef __cplusplus
#define TN_SCALAR(v) tn_scalar(v)
#elif TN_HAS_GENERIC
#define TN_SCALAR(v)                                                                                                           \
    _Generic((v), tn_scalar: tn_scalar_same, bool: tn_scalar_bool, float: tn_scalar_float, double: tn_scalar_float,            \
             long double: tn_scalar_float, TN_COMPLEX_CASES_(tn_scalar_ccomplex_)                                              \
             unsigned long: tn_scalar_uint, unsigned long long: tn_scalar_uint, default: tn_scalar_int)(v)
#endif
/* clang-format on */

/* ---- single values ------------------------------------------------------------------------------------------------- */

/* Elements below may be at any address, aligned or not. */

/* Read the element at `element` as a scalar of the widest type of its kind: exact for every dtype. The integer 0, with
 * TN_ERROR_DTYPE recorded, for a dtype that does not exist. */
TN_API tn_scalar tn_dtype_load(tn_dtype dtype, const void *element);

/* Write `value` to `element`, converting as a copy between tensors does: float to integer truncates toward zero (a value
 * that does not fit, or a NaN, gives what docs/dtypes.md says, never undefined behaviour), integers wrap, wider floats
 * round to nearest even, complex drops its imaginary part, any number but 0 is true. A dtype or a kind of scalar that does not
 * exist is recorded as an error and writes nothing. */
TN_API void tn_dtype_store(tn_dtype dtype, void *element, tn_scalar value);

/* Whether `value` can be held without overflow: what the factories and fill check first. bool holds everything. Unsigned
 * dtypes accept a negative integer whose magnitude fits (it wraps), as torch does, but no negative float. NaN fits every float,
 * an infinity every float but float8_e4m3fn; neither fits an integer. A complex number fits a real dtype when its imaginary
 * part is 0. False for a dtype that does not exist; no error is recorded. */
TN_API bool tn_dtype_can_hold(tn_dtype dtype, tn_scalar value);

/* Convert `count` contiguous elements from one dtype to another with the rules of tn_dtype_store. Equal dtypes are copied bit
 * for bit and the ranges may overlap; otherwise they must not overlap (TN_ERROR_OVERLAP). */
TN_API tn_error tn_dtype_convert(tn_dtype to, void *target, tn_dtype from, const void *source, size_t count);

/* The small floats, exactly: to float32 never rounds, from float32 (float64) rounds once, to nearest even. */
TN_API float tn_float16_to_float(tn_float16 value);
TN_API tn_float16 tn_float16_from_float(float value);
TN_API tn_float16 tn_float16_from_double(double value);
TN_API float tn_bfloat16_to_float(tn_bfloat16 value);
TN_API tn_bfloat16 tn_bfloat16_from_float(float value);
TN_API tn_bfloat16 tn_bfloat16_from_double(double value);
TN_API float tn_float8_e4m3fn_to_float(tn_float8_e4m3fn value);
TN_API tn_float8_e4m3fn tn_float8_e4m3fn_from_float(float value);
TN_API tn_float8_e4m3fn tn_float8_e4m3fn_from_double(double value);
TN_API float tn_float8_e5m2_to_float(tn_float8_e5m2 value);
TN_API tn_float8_e5m2 tn_float8_e5m2_from_float(float value);
TN_API tn_float8_e5m2 tn_float8_e5m2_from_double(double value);

#ifdef __cplusplus
}
#endif
#endif

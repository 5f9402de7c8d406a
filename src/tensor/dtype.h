/* dtype.h - the dtype table, for the library's own use. See tenon/dtype.h for what the columns mean.
 *
 * Invariant: tni_dtypes has one row per dtype, index 0 (TN_DTYPE_DEFAULT) is an empty row that reads as "unknown", size 0.
 */
#ifndef TNI_DTYPE_H
#define TNI_DTYPE_H

#include <tenon/dtype.h>

#include "base/common.h"

enum { TNI_SPELLINGS = TN_SPELLING_C + 1 };

typedef struct tni_dtype_info {
    const char *spelling[TNI_SPELLINGS]; /* by tn_spelling; NULL where there is none                        */
    tn_dtype_kind kind;
    bool is_signed;
    tn_dtype accumulate, to_real, to_complex;
    tn_dlpack_dtype dlpack;
    tn_finfo finfo; /* bits 0 for integers and bool                             */
    tn_iinfo iinfo; /* bits 0 for bool, floating and complex                    */
    bool has_infinity;
} tni_dtype_info;

TNI_EXTERN const tni_dtype_info tni_dtypes[TN_DTYPE_COUNT];

static inline bool tni_dtype_is(tn_dtype dtype) { return dtype > TN_DTYPE_DEFAULT && dtype < TN_DTYPE_COUNT; }

/* The row of a dtype, and the empty row for one that does not exist. */
static inline const tni_dtype_info *tni_dtype_row(tn_dtype dtype) {
    return &tni_dtypes[tni_dtype_is(dtype) ? dtype : TN_DTYPE_DEFAULT];
}

/* Bytes of one element of a dtype that is known to exist. Every address needs them, so they are side by side, not in rows. */
TNI_EXTERN const uint8_t tni_dtype_sizes[TN_DTYPE_COUNT];
static inline size_t tni_dtype_size(tn_dtype dtype) { return tni_dtype_sizes[dtype]; }

/* Whether `dtype` exists; raises, naming the argument, when it does not. */
bool tni_dtype_check(tn_dtype dtype, const char *argument);

/* TN_DTYPE_DEFAULT becomes the default dtype, every other stays. */
static inline tn_dtype tni_dtype_or_default(tn_dtype dtype) { return dtype == TN_DTYPE_DEFAULT ? tn_default_dtype() : dtype; }

/* The dtype a number has by itself: bool, int64 (uint64 above its range), the default float, or its complex dtype. */
tn_dtype tni_dtype_of_scalar(tn_scalar_kind kind);

#endif

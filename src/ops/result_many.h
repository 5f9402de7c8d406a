/* result_many.h - results that are given, any number of them: as tni_result_begin_pair and tni_result_end_pair (result.h) for two. */
#ifndef TNI_RESULT_MANY_H
#define TNI_RESULT_MANY_H

#include "ops/result.h"

bool tni_result_begin_many(tni_result *results, const tni_result_wish *wishes, int count, tni_result_rule rule,
                           const tn_tensor *const *operands, int64_t operand_count);
tn_error tni_result_end_many(tni_result *results, int count, tn_error code);

/* Whether a part of a composite operator was recorded, so that a copy of it to a given tensor is refused: raised then. */
bool tni_result_is_recorded(const tn_tensor *made);

#endif

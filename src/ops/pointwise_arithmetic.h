/* pointwise_arithmetic.h - a call of a pointwise operator that its implementation puts together: for operators that look at
 * their arguments first. */
#ifndef TNI_OPS_POINTWISE_ARITHMETIC_H
#define TNI_OPS_POINTWISE_ARITHMETIC_H

#include "ops/pointwise.h"

/* A call ready to be made; the numbers that its arguments point at live here. Not to be copied. */
typedef struct tni_arithmetic_call {
    tni_pointwise_spec spec;
    tni_pointwise_argument arguments[3];
    tni_parameters parameters;
    tn_scalar numbers[3];
    bool ready;
} tni_arithmetic_call;

/* Begins with a kernel, a rule, a check and the kinds it takes (tni_pointwise_spec); then each operand, in order. */
void tni_arithmetic_begin(tni_arithmetic_call *call, int kernel, int rule, int check, uint8_t kinds);
void tni_arithmetic_tensor(tni_arithmetic_call *call, const tn_tensor *tensor);
void tni_arithmetic_number(tni_arithmetic_call *call, tn_scalar number);

/* The result as a new tensor, or written to `out`. A call that is not ready has failed, and its error was raised. */
tn_tensor *tni_arithmetic_new(const tni_arithmetic_call *call);
tn_error tni_arithmetic_into(const tni_arithmetic_call *call, tn_tensor *out);

enum {
    TNI_ARITHMETIC_REAL = TNI_TAKES_INTEGER | TNI_TAKES_FLOAT,
    TNI_ARITHMETIC_SIGNED = TNI_TAKES_INTEGER | TNI_TAKES_FLOAT | TNI_TAKES_COMPLEX
};

#endif

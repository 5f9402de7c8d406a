/* pointwise_prepare.h - pointwise operators that look at their arguments before the common part takes over.
 *
 * A row that says `.prepare` is one function, which prepares the call, or raises and returns false:
 *
 *     bool tni_prepare_square(tni_prepared *call, const tn_tensor *self);
 *
 * The functional, in-place and out variants are generated from it. Kernel, rule and kinds, which other pointwise rows state,
 * are chosen here, and numbers become the kernel's parameters once they have been checked.
 */
#ifndef TNI_OPS_POINTWISE_PREPARE_H
#define TNI_OPS_POINTWISE_PREPARE_H

#include "ops/pointwise/pointwise.h"

/* A call ready to be made; the numbers that its arguments point at live here. Not to be copied. */
typedef struct tni_prepared {
    tni_pointwise_spec spec;
    tni_pointwise_argument arguments[3];
    tni_parameters parameters;
    tn_scalar numbers[3];
    bool ready; /* or the error has been raised */
} tni_prepared;

/* Begins with a kernel, a rule, a check and the kinds it takes (tni_pointwise_spec); then each operand, in order. */
static inline void tni_prepared_begin(tni_prepared *call, int kernel, int rule, int check, uint8_t kinds) {
    call->spec = (tni_pointwise_spec){(uint16_t)kernel, (uint8_t)rule, (uint8_t)check, 0, kinds, NULL};
    call->parameters = (tni_parameters){0}; /* those a kernel does not use are 0 for devices too */
    call->ready = true;
}

static inline void tni_prepared_tensor(tni_prepared *call, const tn_tensor *tensor) {
    call->arguments[call->spec.operands++] = (tni_pointwise_argument){tensor, NULL};
}

static inline void tni_prepared_number(tni_prepared *call, tn_scalar number) {
    int i = call->spec.operands++;
    call->numbers[i] = number;
    call->arguments[i] = (tni_pointwise_argument){NULL, &call->numbers[i]};
}

enum {
    TNI_ARITHMETIC_REAL = TNI_TAKES_INTEGER | TNI_TAKES_FLOAT,
    TNI_ARITHMETIC_SIGNED = TNI_TAKES_INTEGER | TNI_TAKES_FLOAT | TNI_TAKES_COMPLEX
};

#endif

/* gradient.h - the derivative of an operator, as the generator writes it from the row's formula (operator_gradients.c). */
#ifndef TNI_GRADIENT_H
#define TNI_GRADIENT_H

#include "dispatch/dispatch.h"

typedef struct tni_backward tni_backward;

/* What of a call is kept for its derivative: an argument or a result as it is, or numbers about a tensor. */
typedef enum tni_keep_what {
    TNI_KEEP_VALUE, /* the argument itself                        */
    TNI_KEEP_RESULT,
    TNI_KEEP_SIZES, /* of the argument, a tensor                  */
    TNI_KEEP_STRIDES,
    TNI_KEEP_OFFSET,
    TNI_KEEP_DTYPE,
    TNI_KEEP_DEVICE,
    TNI_KEEP_NDIM,
    TNI_KEEP_NUMEL,
    TNI_KEEP_SHAPES /* the sizes of each of a list of tensors     */
} tni_keep_what;

typedef struct tni_keep {
    uint8_t what;   /* tni_keep_what                              */
    uint8_t place;  /* which argument, or which result            */
    uint8_t inputs; /* bits: the inputs whose gradients need it   */
} tni_keep;

typedef struct tni_gradient {
    const char *name;                      /* "MulBackward0"; NULL: what the operator gives has no gradient */
    tn_error (*backward)(tni_backward *b); /* gives the gradient of each input that is wanted */
    const uint8_t *inputs;                 /* the parameters that have a gradient, by their place */
    const tni_keep *keeps;
    uint8_t input_count, keep_count;
    bool single; /* no input is a list of tensors */
} tni_gradient;

/* By tn_operator.gradient; the first stands for rows that have no formula yet. */
TNI_EXTERN const tni_gradient *const tni_gradients;

#endif

/* parameters.h - the inside of a set of named tensors. Invariant: names are not empty and all different; every tensor is held. */
#ifndef TNI_TRAIN_PARAMETERS_H
#define TNI_TRAIN_PARAMETERS_H

#include <tenon/autograd.h>
#include <tenon/train.h>

#include "base/lookup.h"
#include "base/object.h"
#include "tensor/tensor.h"

typedef struct tni_named {
    char *name;
    size_t bytes; /* of the name, with its end */
    tn_tensor *tensor;
} tni_named;

struct tn_parameters {
    tni_object object;
    int64_t count;
    size_t capacity;
    tni_named *items;
    tni_lookup names; /* of items */
};

TNI_EXTERN const tni_class tni_parameters_class;

static inline bool tni_check_parameters(const tn_parameters *parameters, const char *argument) {
    return tni_object_check((const tni_object *)parameters, &tni_parameters_class, argument);
}

/* A new set, the caller's; NULL, raised, for lack of memory. */
tn_parameters *tni_parameters_make(void);

/* Adds without looking whether the name is there; false, raised, for lack of memory. */
bool tni_parameters_put(tn_parameters *parameters, const char *name, tn_tensor *tensor);

tn_tensor *tni_parameters_get(const tn_parameters *parameters, const char *name);

/* The gradient that a tensor has now, borrowed, or NULL. */
tn_tensor *tni_parameter_gradient(const tn_tensor *tensor);

/* Around work on parameters that must not be recorded. */
typedef struct tni_quiet {
    tn_scope scope;
    tn_grad_mode before;
} tni_quiet;
tni_quiet tni_quiet_begin(void);
void tni_quiet_end(tni_quiet quiet);

#endif

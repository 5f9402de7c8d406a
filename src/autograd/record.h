/* record.h - the key of gradients: see record.c. */
#ifndef TNI_RECORD_H
#define TNI_RECORD_H

#include "autograd/slot.h"

/* Recording is possible from now on: puts the kernel of TN_KEY_AUTOGRAD in its place. Called before a tensor gets the key. */
void tni_record_begin(void);

/* What a node keeps: a tensor, or one of its own outputs (false, raised, where there is no memory); and what it remembers of an output, the
 * sizes at *room. */
bool tni_record_keep(tni_kept_value *kept, const tn_tensor *tensor);
bool tni_record_keep_output(tni_kept_value *kept, const tn_tensor *output, uint32_t number);
void tni_record_output(tni_output *output, const tn_tensor *tensor, char **room);

/* The node of a tensor as a part of another that has the same memory: as_strided. NULL, raised, where there is no memory. */
tni_node *tni_record_as_strided(tn_tensor *base, tn_tensor *part);

#endif

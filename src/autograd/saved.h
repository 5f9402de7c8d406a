/* saved.h - functions of the program that what is kept goes through: see saved.c. */
#ifndef TNI_SAVED_H
#define TNI_SAVED_H

#include "autograd/backward.h"

/* Whether the thread has any. */
static inline bool tni_saved_has_hooks(void) { return tni_thread_current->slots[TNI_SLOT_SAVED] != NULL; }

/* Packs what a node keeps: tensors that it was given, or (results) its own outputs. False, raised. */
bool tni_saved_pack(tni_node *node, bool results);

/* The tensor of a kept value that was packed; NULL, raised. */
const tn_tensor *tni_saved_unpack(const tni_backward *b, const tni_kept_value *kept);

/* Gives it back. */
void tni_saved_drop(tni_saved_packed *packed);

#endif

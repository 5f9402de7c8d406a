/* rebase.h - views and what is done to them in place: see rebase.c. */
#ifndef TNI_REBASE_H
#define TNI_REBASE_H

#include "autograd/slot.h"

/* The node of a base after one of its views was changed in place by what `inner` recorded; takes over `inner`. NULL, raised, where there
 * is no memory. */
tni_node *tni_rebase_node(tn_tensor *base, const tn_tensor *view, tni_node *inner);

/* Whether changes of the view can be told as changes of the base: both have the same dtype, or that of the other's parts. */
bool tni_rebase_sees(const tn_tensor *base, const tn_tensor *view);

/* What was done to the view. */
tni_node *tni_rebase_inner(const tni_node *node);

/* Another node for a view whose base has changed its history since; nothing to do for other tensors. False, raised. */
bool tni_rebase_refresh(tn_tensor *tensor);

/* What a view remembers of its base: the number of the base's node, 0 for a leaf. */
uint64_t tni_rebase_number(const tn_tensor *base);

/* A view's slot knows its base as it is now. */
void tni_rebase_note(tni_slot *slot, const tn_tensor *base);

#endif

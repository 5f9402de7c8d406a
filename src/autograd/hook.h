/* hook.h - functions of the program that backward calls: see hook.c. */
#ifndef TNI_HOOK_H
#define TNI_HOOK_H

#include <tenon/autograd.h>

#include "base/object.h"

typedef enum tni_hook_kind { TNI_HOOK_GRADIENT, TNI_HOOK_ACCUMULATED, TNI_HOOK_BEFORE, TNI_HOOK_AFTER } tni_hook_kind;

struct tn_hook {
    tni_object object;
    struct tn_hook *next; /* in the list of what it hangs on, which counts it */
    tni_hook_kind kind;
    uint32_t output; /* GRADIENT: which of the node's */
    union {
        tn_gradient_hook gradient;
        tn_accumulated_hook accumulated;
        tn_node_hook node;
    } function;
    void *ctx;
    tn_deleter deleter;
    int running; /* how often, at the moment: a hook may remove itself */
    bool removed;
};

/* Runs those of a list that concern a gradient; *grad, which is counted, may become another tensor. */
tn_error tni_hooks_gradient(struct tn_hook *first, uint32_t output, tn_tensor **grad);
tn_error tni_hooks_accumulated(struct tn_hook *first, tn_tensor *tensor);

/* Before a node runs, and after it. */
tn_error tni_hooks_before(struct tn_hook *first, tn_node *node, tn_tensor **grads, int64_t count);
tn_error tni_hooks_after(struct tn_hook *first, tn_node *node, tn_tensor **results, int64_t result_count, tn_tensor **grads,
                         int64_t count);

/* Gives up a whole list. */
void tni_hooks_drop(struct tn_hook *first);

/* The hooks of a list, for who wants to know what they hold. */
void tni_hooks_visit(struct tn_hook *first, tn_context_visitor visit, void *arg);

#endif

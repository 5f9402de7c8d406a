/* composite.h - operators made of operators.
 *
 * A row that says `.composite` has a body, tni_composite_<name>, which calls public functions as any program does:
 *
 *     tn_tensor *tni_composite_outer(const tn_tensor *self, const tn_tensor *vec2) {
 *         return product_are_vectors(self, vec2) ? tn_mul(tn_unsqueeze(self, 1), vec2) : NULL;
 *     }
 *
 * So everything that sees operators sees its parts: devices, modes, the profiler, gradients. The generated tni_op_<name> opens
 * a scope around it: temporaries need no release, and a failed call passes NULL through the calls around it. Errors carry the
 * name of the operator that was called first. A body of an in-place or out variant returns the tensor it changed, or NULL.
 *
 * A row that is called often and does little may have a `.shortcut` beside its body: tni_shortcut_<name>, which takes and
 * returns what an implementation does and calls implementations. A call goes there when all arguments are on the CPU and nobody
 * watches, from C or with values (from Python too), also where tensors want gradients but the thread does not; and to the body
 * otherwise; both do the same (tests/composite.c).
 */
#ifndef TNI_COMPOSITE_H
#define TNI_COMPOSITE_H

#include "base/error.h"
#include "tensor/tensor.h"

/* The scope of a body. Its id is 0, with the error raised, where there is no memory for it. The program's callbacks do not see
 * it. */
tn_scope tni_composite_begin(void);

/* Each closes the scope that a body ran in. The result, if it was made inside, leaves the scope and belongs to the caller. */
tn_tensor *tni_composite_end(tn_scope scope, tn_tensor *made);
tn_list *tni_composite_end_list(tn_scope scope, tn_list *made);

/* The code of a body that changed a tensor, or (a `code`) gave an answer. */
tn_error tni_composite_end_changed(tn_scope scope, const tn_tensor *changed);
tn_error tni_composite_end_answer(tn_scope scope, tn_error code);

#endif

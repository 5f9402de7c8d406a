/* public_call.h - what the generated public functions are made of.
 *
 *     tn_tensor *tn_sum(const tn_tensor *self, tn_dtype dtype) {
 *         tni_thread *thread = tni_thread_current;
 *         if (TNI_UNLIKELY(!(tni_sure_thread(thread) && tni_sure_tensor(self) && tni_sure_dtype(dtype, true) &&
 *                            tni_plain(tni_keys_of_tensor(self)))))
 *             return tni_call_tensor(&tni_operator_table[OPERATOR_sum], self, dtype);
 *         const char *outer = tni_public_enter(thread, "sum");
 *         return tni_public_leave(thread, outer, tni_op_sum(self, dtype));
 *     }
 *
 * A plain call is one whose arguments are certainly valid and concern only the CPU: it goes straight to the implementation. Any
 * other call, wrong or not, goes to a shared function, which checks again, raises the errors, and goes down the keys. So each
 * function is small, and there is one place that says what is wrong with an argument (values.c, tensor/check.c).
 */
#ifndef TNI_PUBLIC_CALL_H
#define TNI_PUBLIC_CALL_H

#include "base/scope.h"
#include "dispatch/dispatch.h"
#include "tensor/check.h"

TNI_ALWAYS_INLINE bool tni_sure_thread(const tni_thread *thread) { return thread != NULL; }

TNI_ALWAYS_INLINE bool tni_sure_tensor(const tn_tensor *tensor) { return tensor && tensor->object.class == &tni_tensor_class; }
TNI_ALWAYS_INLINE bool tni_sure_optional(const tn_tensor *tensor) {
    return !tensor || tensor->object.class == &tni_tensor_class;
}
TNI_ALWAYS_INLINE bool tni_sure_storage(const tn_storage *storage) {
    return storage && ((const tni_object *)storage)->class == &tni_storage_class;
}
TNI_ALWAYS_INLINE bool tni_sure_generator(const tn_generator *generator) {
    return !generator || ((const tni_object *)generator)->class == &tni_generator_class;
}
TNI_ALWAYS_INLINE bool tni_sure_tensors(const tn_tensor *const *tensors, int64_t count) {
    bool sure = count > 0 && tensors;
    for (int64_t i = 0; sure && i < count; i++)
        sure = tni_sure_tensor(tensors[i]);
    return sure;
}
TNI_ALWAYS_INLINE bool tni_sure_dims(tn_dims dims) {
    return (uint64_t)dims.count <= TN_MAX_DIMS && (dims.values || dims.count == 0);
}
/* The tensors among the items are left to index_advanced.c, which checks them: most indices have none. */
TNI_ALWAYS_INLINE bool tni_sure_index(tn_index_list index) {
    return (uint64_t)index.count <= 2 * TN_MAX_DIMS && (index.items || index.count == 0);
}
TNI_ALWAYS_INLINE bool tni_sure_floats(tn_floats floats) { return floats.count >= 0 && (floats.values || floats.count == 0); }
TNI_ALWAYS_INLINE bool tni_sure_text(const char *text) { return text != NULL; }
TNI_ALWAYS_INLINE bool tni_sure_dtype(tn_dtype dtype, bool may_default) {
    return (unsigned)dtype < TN_DTYPE_COUNT && (may_default || dtype != TN_DTYPE_DEFAULT);
}
TNI_ALWAYS_INLINE bool tni_sure_format(tn_memory_format format) { return (unsigned)format <= TN_CHANNELS_LAST_3D; }

TNI_ALWAYS_INLINE bool tni_sure_scalar(tn_scalar number, bool may_be_none) {
    return (unsigned)number.kind <= TN_SCALAR_COMPLEX || (may_be_none && number.kind == TN_SCALAR_NONE);
}

/* A call whose arguments are certainly valid and that concerns the CPU and gradients. It goes to the implementation as a plain one
 * does; what that made goes to the recorder with the arguments. A composite operator without a derivative of its own is called
 * as it is: its parts are recorded. */
typedef struct tni_recorded {
    const tn_operator *op;
    const char *outer;
    tni_recorder record; /* NULL for a composite operator */
    uint64_t excluded;   /* the thread's keys before       */
} tni_recorded;

/* Whether it is such a call; then the operator is named, and gradients are not seen until the end. */
bool tni_recorded_begin(tni_recorded *call, const tn_operator *op, tn_keys keys);

/* The new tensor or list, recorded and in its scope; NULL, raised. */
void *tni_recorded_end(const tni_recorded *call, void *made, const tn_value *values);

/* Names the operator, as tni_operator_enter does, and takes the name back. */
TNI_ALWAYS_INLINE const char *tni_public_enter(tni_thread *thread, const char *name) {
    const char *outer = thread->operator_name;
    thread->operator_name = TNI_UNLIKELY(outer != NULL) ? outer : name;
    return outer;
}

/* What need not be at the end of each call: the call was cancelled, or a scope is open, to which a new object goes. */
void *tni_public_end(tni_thread *thread, const char *outer, void *made);
tn_tensor *tni_public_end_cancelled(const char *outer);

/* And hands a new object to the innermost open scope. */
TNI_ALWAYS_INLINE void *tni_public_leave(tni_thread *thread, const char *outer, void *made) {
    thread->operator_name = outer;
    if (TNI_LIKELY(!thread->cancelled && thread->mark_count == 0))
        return made;
    return tni_public_end(thread, outer, made);
}

/* For the others: `changed` where the code is TN_OK. */
TNI_ALWAYS_INLINE tn_tensor *tni_public_leave_changed(tni_thread *thread, const char *outer, tn_error code,
                                                      tn_tensor *changed) {
    thread->operator_name = outer;
    if (TNI_UNLIKELY(thread->cancelled))
        return tni_public_end_cancelled(outer);
    return TNI_LIKELY(code == TN_OK) ? changed : NULL;
}

TNI_ALWAYS_INLINE bool tni_public_leave_answer(tni_thread *thread, const char *outer, tn_error code, bool answer) {
    thread->operator_name = outer;
    return !tni_cancel_ends(thread, outer) && code == TN_OK && answer;
}

#endif

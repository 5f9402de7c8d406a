/* list.c - what operators with several results return. Invariant: count items, each owning one reference, never changed. */
#include "base/error.h"
#include "base/heap.h"
#include "base/scope.h"
#include "tensor/check.h"
#include "tensor/tensor.h"

static size_t list_bytes(int64_t count) { return sizeof(tn_list) + (size_t)count * sizeof(tn_tensor *); }

static void list_destroy(tni_object *object) {
    tn_list *list = (tn_list *)object;
    for (int64_t i = 0; i < list->count; i++)
        tni_object_drop(&list->items[i]->object);
    object->class = &tni_dead_class;
    tni_heap_free(list, list_bytes(list->count));
}

const tni_class tni_list_class = {"list", list_destroy};

tn_list *tni_list_make(tn_tensor **items, int64_t count) {
    tn_list *list = tni_heap_alloc(list_bytes(count));
    if (!list) {
        for (int64_t i = 0; i < count; i++)
            tni_tensor_release(items[i]);
        return NULL;
    }
    tni_object_init(&list->object, &tni_list_class);
    list->count = count;
    for (int64_t i = 0; i < count; i++)
        tni_object_hand_over(&(list->items[i] = items[i])->object);
    return list;
}

tn_list *tn_list_new(const tn_tensor *const *tensors, int64_t count) {
    const char *outer = tni_operator_enter("list_new");
    tn_list *list = tni_check_tensors(tensors, count, "tensors") ? tni_heap_alloc(list_bytes(count)) : NULL;
    if (list) {
        tni_object_init(&list->object, &tni_list_class);
        list->count = count;
        for (int64_t i = 0; i < count; i++)
            tni_object_hold(&(list->items[i] = (tn_tensor *)(uintptr_t)tensors[i])->object);
    }
    tni_operator_leave(outer);
    return tni_scope_adopt(list);
}

static TNI_COLD bool list_complain(const tn_list *list, const char *function) {
    const char *outer = tni_operator_enter(function);
    (void)tni_object_check((const tni_object *)list, &tni_list_class, "list");
    tni_operator_leave(outer);
    return false;
}

static bool list_live(const tn_list *list, const char *function) {
    return TNI_LIKELY(list != NULL && list->object.class == &tni_list_class) || list_complain(list, function);
}

int64_t tn_list_count(const tn_list *list) { return list_live(list, "list_count") ? list->count : -1; }

tn_tensor *tn_list_at(const tn_list *list, int64_t i) {
    if (!list_live(list, "list_at"))
        return NULL;
    int64_t position = i < 0 ? i + list->count : i;
    if (position >= 0 && position < list->count)
        return list->items[position];
    tni_raise_in("list_at", TN_ERROR_INDEX, "position %" PRId64 " is out of range for a list of %" PRId64, i, list->count);
    return NULL;
}

tn_list *tn_list_retain(const tn_list *list) {
    if (!list || !list_live(list, "list_retain"))
        return NULL;
    tn_list *counted = (tn_list *)(uintptr_t)list;
    tni_object_retain(&counted->object);
    return counted;
}

void tn_list_release(tn_list *list) {
    if (list && list_live(list, "list_release"))
        tni_scope_release(&list->object, "list_release");
}

tn_list *tn_list_keep(tn_list *list) {
    if (!list || !list_live(list, "list_keep"))
        return NULL;
    if (!tni_scope_forget(&list->object))
        tni_object_retain(&list->object);
    return list;
}

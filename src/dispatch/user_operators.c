/* user_operators.c - operators that are registered at run time.
 *
 * Invariant: a registered operator is one block: the same record as a built-in operator's, its parameters and its texts. The
 * list and every call by name hold a reference to it, so it may be unregistered while it runs.
 */
#include "base/heap.h"
#include "dispatch/dispatch.h"
#include "dispatch/signature.h"

static tni_registered_operator *user_operators; /* in the order of registration; changed and read under tni_dispatch_lock */
static _Atomic uint64_t user_generation;        /* of that list */

static void user_destroy_operator(tni_object *object) {
    tni_registered_operator *op = (tni_registered_operator *)((char *)object - offsetof(tni_registered_operator, object));
    object->class = &tni_dead_class;
    tni_heap_free(op, op->bytes);
}

static const tni_class user_operator_class = {"operator", user_destroy_operator};

/* "space::base[_ or _out][.overload]": the lengths of the parts, or false. */
typedef struct user_name {
    size_t base, overload; /* base with its _ or _out, overload without the point */
    tn_variant variant;
    size_t suffix; /* of the variant */
} user_name;

static bool user_read_name(const char *name, user_name *out) {
    static const char letters[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ_0123456789";
    size_t space = strspn(name, letters);
    if (space == 0 || strncmp(name + space, "::", 2) != 0)
        return false;
    size_t base = strspn(name + space + 2, letters);
    out->base = space + 2 + base;
    const char *rest = name + out->base;
    out->overload = *rest == '.' ? strspn(rest + 1, letters) : 0;
    if (base == 0 || strlen(name) >= TN_ERROR_OPERATOR_SIZE || (*rest == '.' && out->overload == 0) ||
        rest[out->overload ? out->overload + 1 : 0] != 0)
        return false;
    bool written = base > 4 && memcmp(rest - 4, "_out", 4) == 0, in_place = base > 1 && rest[-1] == '_';
    out->variant = written ? TN_VARIANT_OUT : in_place ? TN_VARIANT_IN_PLACE : TN_VARIANT_FUNCTIONAL;
    out->suffix = written ? 4 : in_place ? 1 : 0;
    return true;
}

/* 16 bits say where a text begins: all but the last two, which may be long, are limited. */
_Static_assert(3 * TN_ERROR_OPERATOR_SIZE + 10 + (2 * TN_MAX_PARAMETERS + TN_MAX_RESULTS) * TNI_SIGNATURE_WORD <= UINT16_MAX,
               "texts of a registered operator");

static uint16_t user_add_text(char *texts, size_t *used, const char *text, size_t length) {
    uint16_t at = (uint16_t)*used;
    memcpy(texts + at, text, length);
    texts[at + length] = 0;
    *used += length + 1;
    return at;
}

static tni_registered_operator *user_make_operator(const char *name, const user_name *parts, const char *signature,
                                                   const tni_signature *read, const char *doc) {
    size_t texts = 1 + 2 * (strlen(name) + 1) + 1 + strlen(signature) + 1 + sizeof "user" + strlen(doc) + 1;
    for (int i = 0; i < read->count; i++)
        texts += strlen(read->parameters[i].name) + strlen(read->parameters[i].standard) + 2;
    for (int i = 0; i < read->result_count; i++)
        texts += strlen(read->results[i]) + 1;
    size_t fixed = sizeof(tni_registered_operator) + (size_t)(read->count + read->result_count) * sizeof(tni_parameter);
    tni_registered_operator *made = tni_heap_calloc(fixed + texts);
    if (!made)
        return NULL;
    tni_object_init(&made->object, &user_operator_class);
    made->bytes = fixed + texts;
    char *text = (char *)made + fixed;
    made->texts = text;
    size_t used = 1; /* offset 0 is the empty text */
    made->op = (tn_operator){
        .name = user_add_text(text, &used, name, strlen(name)),
        .base = user_add_text(text, &used, name, parts->base - parts->suffix),
        .overload = parts->overload ? user_add_text(text, &used, name + parts->base + 1, parts->overload) : 0,
        .group = user_add_text(text, &used, "user", 4),
        .count = (uint8_t)read->count,
        .result = (uint8_t)read->result,
        .variant = (uint8_t)parts->variant,
        .flags = TNI_OPERATOR_REGISTERED,
        .results = (uint8_t)read->result_count,
    };
    for (int i = 0; i < read->count; i++) {
        const struct tni_signature_parameter *from = &read->parameters[i];
        made->parameters[i] = (tni_parameter){
            .name = user_add_text(text, &used, from->name, strlen(from->name)),
            .standard = from->standard[0] ? user_add_text(text, &used, from->standard, strlen(from->standard)) : 0,
            .type = (uint8_t)from->type};
    }
    for (int i = 0; i < read->result_count; i++)
        made->parameters[read->count + i].name = user_add_text(text, &used, read->results[i], strlen(read->results[i]));
    made->op.signature = user_add_text(text, &used, signature, strlen(signature));
    made->op.doc = (uint32_t)used;
    memcpy(text + used, doc, strlen(doc) + 1);
    return made;
}

/* Under the lock. */
static tni_registered_operator **user_find(const char *name) {
    tni_registered_operator **at = &user_operators;
    while (*at && strcmp(tni_operator_text(&(*at)->op, (*at)->op.name), name) != 0)
        at = &(*at)->next;
    return at;
}

static tn_error user_check_new(const char *name, user_name *parts, const char *signature, tni_signature *read) {
    int column;
    if (!name || !signature)
        return tni_raise_missing(name ? "signature" : "name");
    if (!user_read_name(name, parts))
        return tni_raise(TN_ERROR_ARGUMENT,
                         "\"%.60s\" is not a name of the form space::name or space::name.overload, %d letters at most", name,
                         TN_ERROR_OPERATOR_SIZE - 1);
    const char *wrong = tni_signature_parse(signature, read, &column);
    if (wrong)
        return tni_raise(TN_ERROR_ARGUMENT, "%s: signature \"%.200s\", column %d: %s", name, signature, column, wrong);
    if (parts->variant != TN_VARIANT_FUNCTIONAL && (read->count == 0 || read->parameters[0].type != TN_TYPE_WRITTEN))
        return tni_raise(TN_ERROR_ARGUMENT,
                         "%s: its name says that it changes its first argument, but its first parameter is not a tensor!",
                         name);
    for (int i = 0; i < read->count; i++) {
        const struct tni_signature_parameter *parameter = &read->parameters[i];
        if (parameter->standard[0] && !tni_standard_fits(parameter->type, parameter->standard))
            return tni_raise(TN_ERROR_ARGUMENT, "%s: the default %s of %s cannot be read as a %s", name, parameter->standard,
                             parameter->name, tn_type_name(parameter->type));
    }
    return TN_OK;
}

const tn_operator *tn_operator_register(const char *name, const char *signature, const char *doc) {
    const char *outer = tni_operator_enter("operator_register");
    user_name parts = {0};
    tni_signature read;
    tni_registered_operator *made = NULL;
    if (user_check_new(name, &parts, signature, &read) == TN_OK)
        made = user_make_operator(name, &parts, signature, &read, doc ? doc : "");
    if (made) {
        tni_dispatch_lock();
        tni_registered_operator **at = user_find(name);
        bool taken = *at != NULL;
        if (!taken) {
            *at = made;
            atomic_fetch_add(&user_generation, 1);
        }
        tni_dispatch_unlock();
        if (taken) {
            tni_raise(TN_ERROR_ARGUMENT, "there already is an operator named \"%s\"", name);
            tni_object_release(&made->object);
            made = NULL;
        }
    }
    tni_operator_leave(outer);
    return made ? &made->op : NULL;
}

tn_error tn_operator_unregister(const char *name) {
    if (!name)
        return tni_raise_in("operator_unregister", TN_ERROR_ARGUMENT, "name is NULL");
    tni_dispatch_lock();
    tni_registered_operator **at = user_find(name);
    tni_registered_operator *found = *at;
    tni_kernel_slots kernels = {.used = 0};
    if (found) {
        *at = found->next;
        atomic_fetch_add(&user_generation, 1);
        tni_registered_remove_all(&found->op, &kernels);
    }
    tni_dispatch_unlock();
    if (!found)
        return tni_raise_in("operator_unregister", TN_ERROR_ARGUMENT, "no operator named \"%.60s\" is registered", name);
    for (int32_t key = 0; key <= TN_KEY_ANY; key++)
        if (kernels.kernels[key])
            tni_object_release(&kernels.kernels[key]->object);
    tni_object_release(&found->object);
    return TN_OK;
}

const tn_operator *tni_registered_hold(const char *name) {
    tni_dispatch_lock();
    tni_registered_operator *found = *user_find(name);
    if (found)
        tni_object_retain(&found->object);
    tni_dispatch_unlock();
    return found ? &found->op : NULL;
}

void tni_operator_drop(const tn_operator *op) {
    if (tni_operator_is_registered(op))
        tni_object_release(&((tni_registered_operator *)(uintptr_t)op)->object);
}

const tn_operator *tni_registered_hold_at(int64_t i) {
    tni_dispatch_lock();
    tni_registered_operator *at = i < 0 ? NULL : user_operators;
    while (at && i-- > 0)
        at = at->next;
    if (at)
        tni_object_retain(&at->object);
    tni_dispatch_unlock();
    return at ? &at->op : NULL;
}

bool tni_registered_is_gone(const tn_operator *op) {
    if (!tni_operator_is_registered(op))
        return false;
    tni_dispatch_lock();
    const tni_registered_operator *at = user_operators;
    while (at && &at->op != op)
        at = at->next;
    tni_dispatch_unlock();
    return !at;
}

uint64_t tn_operator_generation(void) { return atomic_load_explicit(&user_generation, memory_order_acquire); }

const tn_operator *tni_registered_at(int64_t i, int64_t *count) {
    const tn_operator *found = NULL;
    *count = 0;
    tni_dispatch_lock();
    for (tni_registered_operator *at = user_operators; at; at = at->next)
        if ((*count)++ == i)
            found = &at->op;
    tni_dispatch_unlock();
    return found;
}

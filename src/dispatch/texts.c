/* texts.c - texts about built-in operators that are written when someone asks for them: signatures and documentation.
 *
 * A signature says what the parameters say, so the library does not hold it a second time; documentation is packed: a byte that no
 * text has stands for a pair of bytes, each of which may stand for a pair again. Room for all of them is part of the library's zeroed
 * memory (nothing of it is used before), so writing a text cannot fail. It is written once, under the dispatcher's lock, and stays.
 */
#include "base/say.h"
#include "dispatch/dispatch.h"
#include "dispatch/signature.h"

static void texts_say_signature(tni_said *said, const tn_operator *op) {
    tni_say(said, "(");
    for (int i = 0; i < op->count; i++) {
        const tni_parameter *p = tni_operator_parameter(op, i);
        const char *standard = tni_operator_text(op, p->standard);
        tni_say(said, "%s%s %s%s%s", i ? ", " : "", tni_type_spelling((tn_type)p->type), tni_operator_text(op, p->name),
                *standard ? "=" : "", standard);
    }
    tni_say(said, ") -> %s", tni_result_spelling((tn_result)op->result));
    for (int i = 0; i < op->results; i++)
        tni_say(said, "%s%s%s", i ? ", " : "(", tni_operator_text(op, tni_operator_parameter(op, op->count + i)->name),
                i + 1 < op->results ? "" : ")");
}

#define TEXTS_RUN 120 /* bytes that are said at once */

/* The bytes that a packed text stands for, one after the other; what waits is on the stack, at most one for each code. */
static void texts_say_doc(tni_said *said, const tn_operator *op) {
    unsigned char stack[UINT8_MAX + 1];
    char run[TEXTS_RUN + 1];
    size_t length = 0;
    for (const char *packed = tni_operator_docs + op->doc; *packed; packed++) {
        int waiting = 0;
        stack[waiting++] = (unsigned char)*packed;
        while (waiting) {
            unsigned char code = stack[--waiting];
            const unsigned char *pair = tni_doc_pairs + 2 * code;
            if (pair[0]) {
                stack[waiting++] = pair[1];
                stack[waiting++] = pair[0];
                continue;
            }
            run[length++] = (char)code;
            if (length == TEXTS_RUN) {
                run[length] = 0;
                tni_say(said, "%s", run);
                length = 0;
            }
        }
    }
    run[length] = 0;
    tni_say(said, "%s", run);
}

/* The text of an operator that has the same documentation and was asked for it before; NULL where there is none. */
static const char *texts_same_doc(const tn_operator *op) {
    for (int64_t i = 0; i < tni_operator_count; i++) {
        const char *text = atomic_load_explicit(&tni_doc_texts[i], memory_order_relaxed);
        if (text && tni_operators[i].doc == op->doc)
            return text;
    }
    return NULL;
}

static const char *texts_write(const tn_operator *op, void (*say)(tni_said *said, const tn_operator *op)) {
    static size_t used;
    tni_said said = {tni_text_room + used, tni_text_room_bytes - used, 0};
    say(&said, op);
    used += said.length + 1;
    return said.buffer;
}

static const char *texts_get(const tn_operator *op, _Atomic(const char *) *texts, bool doc) {
    _Atomic(const char *) *place = &texts[op - tni_operators];
    const char *text = atomic_load_explicit(place, memory_order_acquire);
    if (text)
        return text;
    tni_dispatch_lock();
    text = atomic_load_explicit(place, memory_order_relaxed);
    if (!text && doc)
        text = texts_same_doc(op);
    if (!text)
        text = texts_write(op, doc ? texts_say_doc : texts_say_signature);
    atomic_store_explicit(place, text, memory_order_release);
    tni_dispatch_unlock();
    return text;
}

const char *tni_operator_signature(const tn_operator *op) {
    return tni_operator_is_registered(op) ? tni_operator_text(op, op->signature) : texts_get(op, tni_signature_texts, false);
}

const char *tni_operator_doc(const tn_operator *op) {
    return tni_operator_is_registered(op) ? tni_operator_text(op, op->doc) : texts_get(op, tni_doc_texts, true);
}

/* parts.c - errors of a build that was made without some parts. */
#include "dispatch/parts.h"

#include <string.h>

#include "base/common.h"
#include "base/error.h"

TNI_COLD tn_error tni_left_out(const char *part) {
    return tni_raise(TN_ERROR_UNSUPPORTED, "this build of Tenon was made without %s", part);
}

TNI_COLD tn_error tni_left_out_in(const char *operator_name, const char *part) {
    return tni_raise_in(operator_name, TN_ERROR_UNSUPPORTED, "this build of Tenon was made without %s", part);
}

static bool parts_has_word(const char *words, const char *word) {
    size_t length = strlen(word);
    for (const char *at = words; length > 0 && (at = strstr(at, word)) != NULL; at++)
        if (at[-1] == ' ' && at[length] == ' ') /* the first of the words has a space before it, too */
            return true;
    return false;
}

TNI_COLD tn_error tni_raise_no_operator(const char *function, const char *name) {
    for (int i = 0; i < tni_part_count; i++)
        if (tni_parts[i].operators && parts_has_word(tni_parts[i].operators, name))
            return tni_left_out_in(name, tni_parts[i].name);
    return tni_raise_in(function, TN_ERROR_ARGUMENT, "there is no operator named \"%.60s\"", name);
}

static const char *parts_lacks(const char *name) {
    for (int i = 0; i < tni_part_count; i++)
        if (tni_parts[i].operators && strcmp(tni_parts[i].name, name) == 0)
            return name;
    return NULL;
}

/* Some arithmetic belongs to mathematics (fmod, cbrt), and every kernel may be for complex numbers. */
static const char *parts_of_loop(int kernel, tn_dtype dtype) {
    int own = tni_kernel_parts[kernel];
    const char *part = own >= 0 && tni_parts[own].operators ? tni_parts[own].name : NULL;
    if (!part && tn_dtype_is_complex(dtype))
        return parts_lacks("complex");
    if (!part && dtype == TN_FLOAT64)
        part = parts_lacks("math64");
    return part ? part : parts_lacks("math");
}

TNI_COLD bool tni_loop_left_out(int kernel, tn_dtype dtype) {
    const char *part = parts_of_loop(kernel, dtype);
    if (part)
        tni_left_out(part);
    return part != NULL;
}

/* signature.c - the parser of operator signatures. See signature.h.
 *
 * Spaces may be anywhere between words. A default runs to the next comma or closing parenthesis, so it holds neither.
 */
#include "dispatch/signature.h"

#include <string.h>

static const char *const signature_types[TN_TYPE_COUNT] = {
    [TN_TYPE_TENSOR] = "tensor",       [TN_TYPE_OPTIONAL] = "tensor?",
    [TN_TYPE_WRITTEN] = "tensor!",     [TN_TYPE_TENSORS] = "tensors",
    [TN_TYPE_STORAGE] = "storage",     [TN_TYPE_DIMS] = "dims",
    [TN_TYPE_INDEX] = "index",         [TN_TYPE_INT] = "int",
    [TN_TYPE_FLOAT] = "float",         [TN_TYPE_BOOL] = "bool",
    [TN_TYPE_TEXT] = "text",           [TN_TYPE_SCALAR] = "scalar",
    [TN_TYPE_NUMBER] = "number",       [TN_TYPE_DTYPE] = "dtype",
    [TN_TYPE_DEVICE] = "device",       [TN_TYPE_FORMAT] = "format",
    [TN_TYPE_GENERATOR] = "generator", [TN_TYPE_FLOATS] = "floats",
};

static const char *const signature_results[TN_RESULT_COUNT] = {
    [TN_RESULT_TENSOR] = "tensor", [TN_RESULT_VIEW] = "view",   [TN_RESULT_MAYBE_VIEW] = "maybe-view",
    [TN_RESULT_LIST] = "list",     [TN_RESULT_VIEWS] = "lists", [TN_RESULT_NONE] = "none",
    [TN_RESULT_BOOL] = "bool",     [TN_RESULT_INT] = "int",     [TN_RESULT_FLOAT] = "float",
    [TN_RESULT_SCALAR] = "scalar",
};

const char *tni_type_spelling(tn_type type) { return (unsigned)type < TN_TYPE_COUNT ? signature_types[type] : NULL; }
const char *tni_result_spelling(tn_result result) {
    return (unsigned)result < TN_RESULT_COUNT ? signature_results[result] : NULL;
}

static const char *signature_skip(const char *at) { return at + strspn(at, " "); }

/* The number of a word in a list, or -1. */
static int signature_find(const char *const *words, int count, const char *at, size_t length) {
    for (int i = 0; i < count; i++)
        if (strlen(words[i]) == length && memcmp(words[i], at, length) == 0)
            return i;
    return -1;
}

static size_t signature_identifier(const char *at) {
    static const char letters[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ_0123456789";
    return *at >= '0' && *at <= '9' ? 0 : strspn(at, letters);
}

static bool signature_copy(char *word, const char *at, size_t length) {
    if (length >= TNI_SIGNATURE_WORD)
        return false;
    memcpy(word, at, length);
    word[length] = 0;
    return true;
}

/* One "type name=default". Returns what is wrong or NULL; *at moves to that place, or past the parameter. */
static const char *signature_parameter(const char **at, tni_signature *out) {
    if (out->count == TN_MAX_PARAMETERS)
        return "more parameters than an operator may have";
    struct tni_signature_parameter *parameter = &out->parameters[out->count];
    size_t length = strcspn(*at, " ,)=");
    int type = signature_find(signature_types, TN_TYPE_COUNT, *at, length);
    if (type < 0)
        return "a type is expected here";
    *at = signature_skip(*at + length);
    length = signature_identifier(*at);
    if (length == 0)
        return "the name of a parameter is expected here";
    *parameter = (struct tni_signature_parameter){.type = (tn_type)type};
    if (!signature_copy(parameter->name, *at, length))
        return "this name is too long";
    for (int i = 0; i < out->count; i++)
        if (strcmp(out->parameters[i].name, parameter->name) == 0)
            return "this name is used twice";
    *at = signature_skip(*at + length);
    if (**at == '=') {
        *at = signature_skip(*at + 1);
        length = strcspn(*at, ",)");
        if (!signature_copy(parameter->standard, *at, length))
            return "this default is too long";
        if (length == 0)
            return "a default is expected after =";
        for (size_t end = length; end > 0 && parameter->standard[end - 1] == ' '; end--)
            parameter->standard[end - 1] = 0;
        *at += length;
    }
    out->count++;
    return NULL;
}

/* The "(values, indices)" of a list whose tensors have names. */
static const char *signature_names(const char **at, tni_signature *out) {
    if (out->result != TN_RESULT_LIST)
        return "only the tensors of a list have names";
    do {
        *at = signature_skip(*at + 1);
        size_t length = signature_identifier(*at);
        if (length == 0)
            return "the name of a result is expected here";
        if (out->result_count == TN_MAX_RESULTS)
            return "more results than an operator may have";
        if (!signature_copy(out->results[out->result_count++], *at, length))
            return "this name is too long";
        *at = signature_skip(*at + length);
    } while (**at == ',');
    if (**at != ')')
        return "a comma or ) is expected here";
    *at = signature_skip(*at + 1);
    return NULL;
}

static const char *signature_read(const char **at, tni_signature *out) {
    out->count = out->result_count = 0;
    *at = signature_skip(*at);
    if (**at != '(')
        return "a signature begins with (";
    *at = signature_skip(*at + 1);
    while (**at != ')') {
        const char *wrong = signature_parameter(at, out);
        if (wrong)
            return wrong;
        if (**at != ',' && **at != ')')
            return "a comma or ) is expected here";
        if (**at == ',') {
            *at = signature_skip(*at + 1);
            if (**at == ')')
                return "a type is expected here";
        }
    }
    *at = signature_skip(*at + 1);
    if (strncmp(*at, "->", 2) != 0)
        return "-> and a result are expected here";
    *at = signature_skip(*at + 2);
    size_t length = strcspn(*at, " (");
    int result = signature_find(signature_results, TN_RESULT_COUNT, *at, length);
    if (result < 0)
        return "there is no such result";
    out->result = (tn_result)result;
    *at = signature_skip(*at + length);
    if (**at == '(') {
        const char *wrong = signature_names(at, out);
        if (wrong)
            return wrong;
    }
    return **at ? "nothing may follow the result" : NULL;
}

const char *tni_signature_parse(const char *text, tni_signature *out, int *column) {
    const char *at = text;
    const char *wrong = signature_read(&at, out);
    *column = (int)(at - text) + 1;
    return wrong;
}

/* document.c - docstrings: a signature that inspect and help() understand, what the operator does, and its forms.
 *
 * The forms of a name are shown as one signature: a parameter that every form needs is required, the others have defaults. The
 * text is the table's, with C's names replaced by Python's.
 */
#include "core.h"

typedef struct document {
    char *text;
    size_t used, room;
    bool failed;
} document;

static void document_add(document *to, const char *text, size_t length) {
    if (to->used + length + 1 > to->room && !to->failed) {
        size_t room = (to->used + length + 1) * 2;
        char *longer = PyMem_Realloc(to->text, room);
        to->failed = !longer;
        if (longer) {
            to->text = longer;
            to->room = room;
        }
    }
    if (to->failed)
        return;
    memcpy(to->text + to->used, text, length);
    to->used += length;
    to->text[to->used] = 0;
}

static void document_say(document *to, const char *text) { document_add(to, text, strlen(text)); }

/* A default as Python writes it. */
static void document_standard(document *to, const tnpy_form *form, int i) {
    const tnpy_parameter *parameter = &form->parameters[i];
    const char *text = tn_operator_parameter(form->op, i).standard;
    if (!text || strcmp(text, "none") == 0 || strcmp(text, "default") == 0 || parameter->type == TN_TYPE_DEVICE ||
        parameter->type == TN_TYPE_DTYPE)
        document_say(to, "None");
    else if (strcmp(text, "true") == 0)
        document_say(to, "True");
    else if (strcmp(text, "false") == 0)
        document_say(to, "False");
    else if (parameter->type == TN_TYPE_FORMAT)
        document_say(to, "None");
    else if (parameter->type == TN_TYPE_TEXT) {
        document_say(to, "'");
        document_say(to, text);
        document_say(to, "'");
    } else if (strstr(text, "inf") || strstr(text, "nan"))
        document_say(to, "None");
    else
        document_say(to, text);
}

static bool document_words_meet(const char *name, const char *others, const char *python) {
    if (strcmp(name, python) == 0)
        return true;
    size_t length = strlen(python);
    for (const char *at = others; (at = strstr(at, python)) != NULL; at += length)
        if ((at == others || at[-1] == ' ') && (at[length] == 0 || at[length] == ' '))
            return true;
    return false;
}

/* The parameter of a form that a name means, or -1. */
static int document_find(const tnpy_form *form, const char *label) {
    for (int i = form->outs; i < form->count; i++)
        if (document_words_meet(form->parameters[i].label, tnpy_other_names(form->parameters[i].name), label))
            return i;
    return -1;
}

static bool document_is_required(const tnpy_operator *op, const char *label) {
    for (int f = 0; f < op->plain; f++) {
        int at = document_find(op->forms[f], label);
        if (at < 0 || op->forms[f]->parameters[at].has_standard)
            return false;
    }
    return true;
}

/* "(input, other, *, alpha=1, out=None)". The parameters of the first form, then those that only others have. */
static void document_signature(document *to, const tnpy_operator *op, bool method) {
    bool optional = false, keyword = false;
    document_say(to, method ? "($self" : "(");
    bool first = !method;
    for (int f = 0; f < op->plain; f++) {
        const tnpy_form *form = op->forms[f];
        for (int i = form->outs; i < form->count; i++) {
            const tnpy_parameter *parameter = &form->parameters[i];
            bool known = method && strcmp(parameter->name, "self") == 0;
            for (int g = 0; g < f && !known; g++)
                known = document_find(op->forms[g], parameter->label) >= 0;
            if (known)
                continue;
            bool rest = i == form->variadic && !keyword && (form->self < 0 || method) &&
                        (form->self >= 0 || form->parameters[i].type == TN_TYPE_TENSORS || f == 0);
            document_say(to, first ? "" : ", ");
            first = false;
            if (rest && op->plain == 1) {
                document_say(to, "*");
                document_say(to, parameter->label);
                keyword = true;
                continue;
            }
            if (f > 0 && !keyword) {
                document_say(to, "*, ");
                keyword = true;
            }
            document_say(to, parameter->label);
            if (optional || !document_is_required(op, parameter->label)) {
                optional = !keyword;
                document_say(to, "=");
                document_standard(to, form, i);
            }
        }
    }
    if (op->count > op->plain)
        document_say(to, keyword ? ", out=None" : ", *, out=None");
    document_say(to, ")");
}

/* C's names, and Python's. */
static const struct document_word {
    const char *c, *python;
} document_words[] = {
    {"TN_ERROR_ARGUMENT", "ArgumentError"},
    {"TN_ERROR_SHAPE", "ShapeError"},
    {"TN_ERROR_DTYPE", "DTypeError"},
    {"TN_ERROR_INDEX", "IndexError"},
    {"TN_ERROR_MEMORY", "OutOfMemoryError"},
    {"TN_ERROR_UNSUPPORTED", "NotImplementedError"},
    {"TN_ERROR_IO", "OSError"},
    {"TN_ERROR_DEVICE", "DeviceError"},
    {"TN_ERROR_READONLY", "ReadOnlyError"},
    {"TN_ERROR_OVERLAP", "OverlapError"},
    {"TN_ERROR_STATE", "RuntimeError"},
    {"TN_DTYPE_DEFAULT", "No dtype"},
    {"TN_PRESERVE", "preserve_format"},
    {"TN_CONTIGUOUS", "contiguous_format"},
};

/* The table's text, in lines that a terminal holds. */
static void document_text(document *to, const char *text) {
    size_t column = 0;
    while (*text) {
        size_t length = strcspn(text, " ");
        const char *word = text;
        size_t shown = length;
        for (size_t i = 0; text[0] == 'T' && i < sizeof document_words / sizeof *document_words; i++) {
            size_t size = strlen(document_words[i].c);
            if (strncmp(text, document_words[i].c, size) == 0 && (text[size] < 'A' || text[size] > '_')) {
                word = document_words[i].python;
                shown = strlen(word);
                break;
            }
        }
        if (column > 0) {
            document_say(to, column + shown + 1 > 96 ? "\n" : " ");
            column = column + shown + 1 > 96 ? 0 : column + 1;
        }
        document_add(to, word, shown);
        column += shown;
        if (word != text) { /* what follows the replaced word, up to the space */
            size_t size = 0;
            for (size_t i = 0; i < sizeof document_words / sizeof *document_words; i++)
                if (document_words[i].python == word)
                    size = strlen(document_words[i].c);
            document_add(to, text + size, length - size);
            column += length - size;
        }
        text += length;
        while (*text == ' ')
            text++;
    }
}

char *tnpy_document(const tnpy_operator *op, bool method) {
    document to = {NULL, 0, 0, false};
    const char *space = strstr(op->name, "::");
    document_say(&to, space ? space + 2 : op->name);
    if (op->plain == 0)
        return to.text;
    document_signature(&to, op, method);
    const char *known = op->function_doc ? strstr(op->function_doc, "\n--\n\n") : NULL;
    document_say(&to, known ? known : "\n--\n\n"); /* a method says what the function says */
    if (!known)
        document_text(&to, tn_operator_doc(op->forms[0]->op));
    if (!known && op->plain > 1) {
        document_say(&to, "\n\nForms:\n");
        for (int f = 0; f < op->plain; f++) {
            document_say(&to, "    ");
            document_say(&to, op->name);
            document_say(&to, tn_operator_signature(op->forms[f]->op));
            document_say(&to, "\n");
        }
    }
    if (to.failed) {
        PyMem_Free(to.text);
        PyErr_NoMemory();
        return NULL;
    }
    return to.text;
}

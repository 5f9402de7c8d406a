/* write.c - see write.h. */
#include "write.h"

#include <string.h>

void write_word(write_wrapped *out, const char *word) {
    int length = (int)strlen(word);
    if (out->column + length + out->after > WRITE_LINE) {
        fprintf(out->file, "\n%s%*s", out->lead, out->indent, "");
        out->column = (int)strlen(out->lead) + out->indent;
        while (*word == ' ') {
            word++;
            length--;
        }
    }
    fputs(word, out->file);
    out->column += length;
}

void write_paragraph(FILE *file, const char *first, const char *lead, const char *text, const char *last) {
    write_wrapped out = {file, (int)strlen(first), 0, lead, 0};
    fputs(first, file);
    char word[200] = " ";
    while (*(text += strspn(text, " "))) {
        size_t length = strcspn(text, " ");
        snprintf(word + 1, sizeof word - 1, "%.*s", (int)length, text);
        text += length;
        bool ends = !text[strspn(text, " ")];
        if (ends && out.column + (int)strlen(word) + (int)strlen(last) > WRITE_LINE)
            out.column = WRITE_LINE + 1;
        write_word(&out, out.column == (int)strlen(first) ? word + 1 : word);
    }
    fputs(last, file);
}

void write_quoted(FILE *file, const char *text) {
    fputc('"', file);
    for (; *text; text++) {
        if (*text == '"' || *text == '\\')
            fputc('\\', file);
        if (*text >= ' ' && *text <= '~')
            fputc(*text, file);
        else
            fprintf(file, "\\%03o", (unsigned)(unsigned char)*text);
    }
    fputc('"', file);
}

static bool put_public(write_kind kind) { return kind == WRITE_PUBLIC || kind == WRITE_PUBLIC_AGAIN; }

/* Whether the function writes an answer through its last argument. */
static bool put_answer(const model_form *f, write_kind kind) {
    return f->variant == FUNCTIONAL && model_returns_bool(&f->signature) && !put_public(kind);
}

/* What the function returns. */
static const char *put_result(const model_form *f, write_kind kind) {
    return f->variant != FUNCTIONAL            ? (kind == WRITE_IMPL || kind == WRITE_SHORTCUT ? "tn_error " : "tn_tensor *")
           : model_returns_bool(&f->signature) ? (put_public(kind) ? "bool " : "tn_error ")
           : model_returns_list(&f->signature) ? "tn_list *"
                                               : "tn_tensor *";
}

static void put_function(FILE *file, const model_form *f, write_kind kind, const char *head, const char *more,
                         const char *ending) {
    const model_signature *s = &f->signature;
    bool answer = put_answer(f, kind);
    write_wrapped out = {file, 0, (int)strlen(head), "", 0};
    write_word(&out, head);
    for (int i = 0; i < s->count; i++) {
        const model_parameter *p = &s->parameters[i];
        bool last = i + 1 == s->count;
        char text[160];
        int length = snprintf(text, sizeof text, "%s%s%s", i ? " " : "", p->type->ctype, p->name);
        if (model_is(p, TN_TYPE_TENSORS)) { /* its count is a parameter of its own, on the next line if need be */
            snprintf(text + length, sizeof text - (size_t)length, ",");
            write_word(&out, text);
            length = snprintf(text, sizeof text, " int64_t %s_count", p->name);
        }
        snprintf(text + length, sizeof text - (size_t)length, "%s", !last || answer || *more ? "," : "");
        out.after = last ? (int)strlen(ending) : 0;
        write_word(&out, text);
    }
    if (answer)
        write_word(&out, s->count ? " bool *answer" : "bool *answer");
    else if (s->count == 0 && !*more)
        write_word(&out, "void");
    if (*more)
        fprintf(file, "%s%s", answer ? ", " : s->count ? " " : "", more);
    fprintf(file, ")%s", ending);
}

void write_prototype(FILE *file, const model_form *f, write_kind kind, const char *ending) {
    static const char *const prefixes[] = {"TN_API ", "", "", "TN_API ", ""};
    static const char *const names[] = {"tn_", "tni_op_", "tni_composite_", "(tn_", "tni_shortcut_"};
    char head[200];
    snprintf(head, sizeof head, "%s%s%s%s%s(", prefixes[kind], put_result(f, kind), names[kind], f->c,
             kind == WRITE_PUBLIC_AGAIN ? ")" : "");
    put_function(file, f, kind, head, "", ending);
}

void write_shared_prototype(FILE *file, const model_form *f, write_kind kind, const char *name, int number, const char *last,
                            const char *ending) {
    char head[200];
    snprintf(head, sizeof head, "%s%s_%d(", put_result(f, kind), name, number);
    put_function(file, f, kind, head, last, ending);
}

void write_arguments(FILE *file, const model_form *f, bool first) {
    for (int i = 0; i < f->signature.count; i++) {
        const model_parameter *p = &f->signature.parameters[i];
        fprintf(file, "%s%s", first ? "" : ", ", p->name);
        if (model_is(p, TN_TYPE_TENSORS))
            fprintf(file, ", %s_count", p->name);
        first = false;
    }
}

void write_type(char *text, const model_form *f, write_kind kind) {
    const model_signature *s = &f->signature;
    int length = snprintf(text, WRITE_TYPE, "%s(*)(", put_result(f, kind));
    for (int i = 0; i < s->count; i++)
        length += snprintf(text + length, WRITE_TYPE - (size_t)length, "%s%s%s", i ? ", " : "", s->parameters[i].type->ctype,
                           model_is(&s->parameters[i], TN_TYPE_TENSORS) ? ", int64_t" : "");
    snprintf(text + length, WRITE_TYPE - (size_t)length, "%s)",
             put_answer(f, kind) ? (s->count ? ", bool *" : "bool *")
             : s->count          ? ""
                                 : "void");
}

void write_unpacked(FILE *file, const model_signature *s) {
    for (int i = 0; i < s->count; i++)
        if (model_is(&s->parameters[i], TN_TYPE_TENSORS))
            fprintf(file, "%svalues[%d].as.tensors.items, values[%d].as.tensors.count", i ? ", " : "", i, i);
        else
            fprintf(file, "%svalues[%d].as.%s", i ? ", " : "", i, s->parameters[i].type->member);
}

/* docs.c - writes docs/operators.md, the reference page, and the derivatives that `tenon ops` shows. */
#include <ctype.h>
#include <string.h>

#include "write.h"

static void put_operator(FILE *file, const model_operator *op) {
    const char *first = "";
    fputs("\n### ", file);
    for (int variant = FUNCTIONAL; variant <= OUT; variant *= 2)
        if (op->row->variants & variant) {
            const char *name = model_form_of(op, variant)->c;
            fprintf(file, "%s`%s`", *first ? ", " : "", name);
            first = *first ? first : name;
        }
    fprintf(file, "\n\n```\n%s%s\n```\n\n", first, op->row->signature);
    write_paragraph(file, "", "", op->row->doc, "\n");
    if (op->row->gradient && strcmp(op->row->gradient, "none") != 0)
        fprintf(file, "\nDerivative: `%s`\n", op->row->gradient);
    if (op->row->composite)
        fputs("\n*composite*\n", file);
    if (op->signature.result == TN_RESULT_VIEW || op->signature.result == TN_RESULT_VIEWS)
        fputs("\n*view*\n", file);
    else if (op->signature.result == TN_RESULT_MAYBE_VIEW)
        fputs("\n*maybe-view*\n", file);
}

void write_derivatives(FILE *file) {
    for (const model_operator *op = model_operators; op->row; op++) {
        int variant = FUNCTIONAL;
        while (variant < OUT && !(op->row->variants & variant))
            variant *= 2;
        fputs("{", file);
        write_quoted(file, model_form_of(op, variant)->c);
        fputs(", ", file);
        write_quoted(file, op->row->gradient ? op->row->gradient : "that of the operators it is made of");
        fputs("},\n", file);
    }
}

void write_docs(FILE *file) {
    fputs(
        "# Operators\n\nWritten by `tools/generate.c` from the operator table, `src/dispatch/operators.def`: change it there.\n\n"
        "`name_` changes its first argument and returns it; `name_out` writes to the tensor it is given. In C every name\n"
        "begins with `tn_`. *view*: shares memory with its argument, never copies. *maybe-view*: copies only where strides\n"
        "cannot express the result. *composite*: made of other operators, and runs wherever they do.\n",
        file);
    const char *group = "";
    for (const model_operator *op = model_operators; op->row; op++) {
        if (strcmp(group, op->row->group) != 0) {
            group = op->row->group;
            fprintf(file, "\n## %c%s\n", toupper((unsigned char)group[0]), group + 1);
        }
        put_operator(file, op);
    }
}

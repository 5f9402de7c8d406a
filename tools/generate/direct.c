/* direct.c - writes operator_direct.h, for the tests: every public function of the table, to be called with values.
 *
 * A call by name (tn_operator_call) goes from the dispatcher to the implementation and does not enter the public C function. This
 * header does: it has the address of each of them, in order of the operators' names, and beside it a function that unpacks values
 * into arguments of the C type. Functions of one C type share that. Nothing of it is part of the library.
 */
#include <stdlib.h>
#include <string.h>

#include "write.h"

enum { DIRECT_TYPES = 512 };
static const model_form *types[DIRECT_TYPES]; /* the first form of each C type */
static int type_count;

/* The number of a form's C type. */
static int type_of(const model_form *f) {
    char text[WRITE_TYPE], known[WRITE_TYPE];
    write_type(text, f, WRITE_PUBLIC);
    for (int i = 0; i < type_count; i++) {
        write_type(known, types[i], WRITE_PUBLIC);
        if (strcmp(known, text) == 0)
            return i;
    }
    if (type_count == DIRECT_TYPES) {
        fputs("generate: too many types of functions\n", stderr);
        exit(1);
    }
    types[type_count] = f;
    return type_count++;
}

static void put_unpacker(FILE *file, int number) {
    const model_form *f = types[number];
    const model_signature *s = &f->signature;
    bool functional = f->variant == FUNCTIONAL;
    char type[WRITE_TYPE];
    write_type(type, f, WRITE_PUBLIC);
    fprintf(file, "\nstatic tn_value direct_as_%d(direct_any function, const tn_value *values) {\n", number);
    if (s->count == 0)
        fputs("    (void)values;\n", file);
    fprintf(file, "    return tn_value_%s(((%s)function)(",
            functional && model_returns_bool(s)   ? "bool"
            : functional && model_returns_list(s) ? "list"
                                                  : "tensor",
            type);
    write_unpacked(file, s);
    fputs("));\n}\n", file);
}

void write_direct(FILE *file) {
    int *numbers = model_alloc((size_t)model_form_count * sizeof *numbers);
    for (int i = 0; i < model_form_count; i++)
        numbers[i] = type_of(&model_forms[i]);
    fputs("/* operator_direct.h - every public function of the operator table, called with values: for the tests.\n"
          " * Written by tools/generate.c from operators.def. */\n"
          "#include <tenon/dispatch.h>\n#include <tenon/operators.h>\n\ntypedef void (*direct_any)(void);\n",
          file);
    for (int i = 0; i < type_count; i++)
        put_unpacker(file, i);
    fputs("\n/* In order of their names; one without a name ends them. */\nstatic const struct direct_function {\n"
          "    const char *name;\n    direct_any function;\n"
          "    tn_value (*call)(direct_any function, const tn_value *values);\n} direct_functions[] = {\n",
          file);
    for (int i = 0; i < model_form_count; i++)
        fprintf(file, "    {\"%s\", (direct_any)tn_%s, direct_as_%d},\n", model_forms[i].name, model_forms[i].c, numbers[i]);
    fputs("    {NULL, NULL, NULL}};\n", file);
    free(numbers);
}

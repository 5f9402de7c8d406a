/* parts.c - the parts that a build can leave out (src/dispatch/parts.def): which rows belong to one, and what replaces those
 * rows.
 *
 * Everything about them is decided where operator_calls.c is compiled, by TN_WITHOUT_<PART>. An operator that is left out has a
 * public function that says so, an implementation that says so too, for operators made of it, and no record in the dispatcher's
 * table; its name is kept for calls by name.
 */
#include <ctype.h>
#include <string.h>

#include "write.h"

static const struct {
    const char *name, *groups;
} parts[] = {
#define PART(name, groups, files) {name, groups},
#include "dispatch/parts.def"
#undef PART
};
enum { PARTS = sizeof parts / sizeof *parts };

/* Whether a word is one of those in a text, separated by spaces; `sign`, if it is not 0, comes before it there. */
static bool has_word(const char *words, char sign, const char *word) {
    size_t length = strlen(word);
    for (const char *at = words; *at; at += strcspn(at, " "), at += strspn(at, " "))
        if ((!sign || *at == sign) && strncmp(at + !!sign, word, length) == 0 && (at[length + !!sign] | ' ') == ' ')
            return true;
    return false;
}

static int part_of_group(const char *group) {
    for (int i = 0; i < PARTS; i++)
        if (has_word(parts[i].groups, 0, model_word(group)))
            return i;
    return -1;
}

static int part_of(const model_operator *op) {
    int part = part_of_group(op->row->group);
    return part < 0 || has_word(parts[part].groups, '-', op->of->row->name) ? -1 : part;
}

/* Asked for hundreds of thousands of times: found once for each operator. */
unsigned write_parts_of(const model_operator *op) {
    enum { KNOWN = 1 << 14 };
    static unsigned known[KNOWN];
    unsigned *parts_of = &known[(op - model_operators) % KNOWN];
    if (!*parts_of || op - model_operators >= KNOWN) {
        int part = part_of(op);
        *parts_of = part < 0 ? WRITE_REST : 1u << part;
    }
    return *parts_of;
}

static void put_macro(FILE *file, int part) {
    fputs("TN_WITHOUT_", file);
    for (const char *at = parts[part].name; *at; at++)
        fputc(toupper((unsigned char)*at), file);
}

void write_for(FILE *file, unsigned *now, unsigned wanted) {
    if (*now == wanted)
        return;
    if (!(*now & WRITE_REST))
        fputs("#endif\n", file);
    *now = wanted;
    if (wanted & WRITE_REST)
        return;
    const char *before = "#if ";
    for (int i = 0; i < PARTS; i++)
        if (wanted >> i & 1) {
            fprintf(file, "%s!defined(", before);
            put_macro(file, i);
            fputs(")", file);
            before = " || ";
        }
    fputs("\n", file);
}

void write_left_out(FILE *file, const model_form *f, write_kind kind) {
    const model_signature *s = &f->signature;
    bool functional = f->variant == FUNCTIONAL, answer = functional && model_returns_bool(s);
    const char *part = parts[part_of(f->op)].name;
    write_prototype(file, f, kind, " {\n");
    for (int i = 0; i < s->count; i++) {
        fprintf(file, "    (void)%s;\n", s->parameters[i].name);
        if (model_is(&s->parameters[i], TN_TYPE_TENSORS))
            fprintf(file, "    (void)%s_count;\n", s->parameters[i].name);
    }
    if (kind == WRITE_PUBLIC)
        fprintf(file, "    tni_left_out_in(\"%s\", \"%s\");\n    return %s;\n}\n", f->shown, part, answer ? "false" : "NULL");
    else if (answer || !functional)
        fprintf(file, "%s    return tni_left_out(\"%s\");\n}\n", answer ? "    (void)answer;\n" : "", part);
    else
        fprintf(file, "    tni_left_out(\"%s\");\n    return NULL;\n}\n", part);
}

/* The names of a part's operators, for those who call them by name. */
static void put_operators(FILE *file, int part) {
    for (const model_form *f = model_forms; f->op; f++)
        if (part_of(f->op) == part)
            fprintf(file, "\n        \" %s\"", f->name);
    fputs(" \" \"", file);
}

void write_parts(FILE *file) {
    fputs("\nstatic const tni_part table_parts[] = {\n", file);
    for (int i = 0; i < PARTS; i++) {
        fputs("#ifdef ", file);
        put_macro(file, i);
        fprintf(file, "\n    {\"%s\",", parts[i].name);
        put_operators(file, i);
        fprintf(file, "},\n#else\n    {\"%s\", NULL},\n#endif\n", parts[i].name);
    }
    fprintf(
        file,
        "};\nconst int tni_part_count = %d;\n\nconst char *tn_parts_left_out(void) {\n    static const char names[] = \"\"\n",
        PARTS);
    for (int i = 0; i < PARTS; i++) {
        fputs("#ifdef ", file);
        put_macro(file, i);
        fprintf(file, "\n        \" %s\"\n#endif\n", parts[i].name);
    }
    fputs(
        "        ;\n    return names + (names[0] == ' ');\n}\n\nstatic const int8_t table_kernel_parts[TNI_KERNEL_PLACES] = {\n",
        file);
    for (const model_kernel *kernel = model_kernels; kernel->name; kernel++)
        fprintf(file, "    [%d] = %d, /* %s */\n", kernel->id, part_of_group(kernel->group), kernel->name);
    fputs("};\n", file);
}

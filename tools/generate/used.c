/* used.c - writes for/<source>/operators_<group>.h: of the header of a group, what one source names.
 *
 * The compiler finds it before the whole header, so a new row concerns the sources that name it and no other. A source names what
 * occurs in its text or in that of the files it includes. Where the preprocessor puts names together, tni_op_##name, it also names
 * whatever has one of its words after the prefix. */
#define _POSIX_C_SOURCE 200809L /* open_memstream */
#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "write.h"

enum { GROUPS = 100, DECLARATIONS = 20000, NAMES = 1 << 17, PATH = 1000 };

/* The declarations of all groups, one group after the other, and where each name is in them: number + 1, or 0. */
typedef struct used_declaration {
    const char *text;
    size_t length;
    char name[120];
    int same; /* the one before of that name: number + 1, or 0 */
    bool wanted;
} used_declaration;

static used_declaration declarations[DECLARATIONS];
static int declaration_count, places[NAMES];

static struct used_group {
    char name[100];
    int first, end; /* its declarations */
    bool included;
} groups[GROUPS];
static int group_count;

/* A file that was read: the declarations and groups it names, and the files it includes. */
typedef struct used_file {
    struct used_file *next;
    char path[PATH], *text; /* NULL: there is no such file */
    int *names, *includes, name_count, include_count;
    struct used_file **files;
    int file_count;
    bool visited, pastes; /* puts names together */
} used_file;

static used_file *all_files;

static void *take(void *memory) {
    if (!memory) {
        fputs("generate: out of memory\n", stderr);
        exit(1);
    }
    return memory;
}

static size_t word_length(const char *text) {
    size_t length = 0;
    while (isalnum((unsigned char)text[length]) || text[length] == '_')
        length++;
    return length;
}

/* Where a name is in `places`, or would be. */
static int *place_of(const char *name, size_t length) {
    size_t hash = 5381;
    for (size_t i = 0; i < length; i++)
        hash = hash * 33 + (unsigned char)name[i];
    for (hash %= NAMES; places[hash]; hash = (hash + 1) % NAMES) {
        const char *there = declarations[places[hash] - 1].name;
        if (strncmp(there, name, length) == 0 && !there[length])
            break;
    }
    return &places[hash];
}

/* ---- the declarations of a group */

/* What is declared: the word before the first parenthesis, or inside it, or else before the semicolon. */
static void find_name(used_declaration *declaration) {
    const char *text = declaration->text;
    size_t at = strcspn(text, "(;");
    size_t begin = at + 1, length = text[at] == '(' ? word_length(text + begin) : 0;
    if (!length || text[begin + length] != ')') {
        for (begin = at; begin > 0 && (isalnum((unsigned char)text[begin - 1]) || text[begin - 1] == '_');)
            begin--;
        length = at - begin;
    }
    snprintf(declaration->name, sizeof declaration->name, "%.*s", (int)length, text + begin);
}

/* A declaration ends with the line that ends in a semicolon or, of a function with its body, with the brace in the first column. */
static const char *add_declaration(const char *text) {
    if (declaration_count == DECLARATIONS) {
        fputs("generate: used.c has no room for so many declarations\n", stderr);
        exit(1);
    }
    used_declaration *declaration = &declarations[declaration_count];
    declaration->text = text;
    bool body = false;
    for (bool over = false; *text && !over;) {
        size_t length = strcspn(text, "\n");
        body = body || (length > 0 && text[length - 1] == '{');
        over = length == 0 || (body ? text[0] == '}' : text[length - 1] == ';');
        text += length + (text[length] == '\n');
    }
    declaration->length = (size_t)(text - declaration->text);
    find_name(declaration);
    int *place = place_of(declaration->name, strlen(declaration->name));
    declaration->same = *place;
    *place = ++declaration_count;
    return text;
}

static void add_group(const char *name) {
    char *text = NULL;
    size_t size = 0;
    FILE *file = take(open_memstream(&text, &size));
    write_declarations(file, name);
    fclose(file);
    struct used_group *group = &groups[group_count++];
    snprintf(group->name, sizeof group->name, "%s", model_word(name));
    group->first = declaration_count;
    for (const char *at = take(text); *at;)
        at = add_declaration(at);
    group->end = declaration_count;
}

static void add_groups(void) {
    const char *name = "";
    for (const model_operator *op = model_operators; op->row && group_count < GROUPS; op++)
        if (strcmp(op->row->group, name) != 0)
            add_group(name = op->row->group);
}

/* ---- files */

/* The numbers of the declarations that a text names; NULL where `numbers` is NULL, to count them. */
static int find_names(const char *text, const char *end, int *numbers) {
    int count = 0;
    for (size_t length; text < end; text += length ? length : 1) {
        length = word_length(text);
        if (length < 4 || text[0] != 't' || text[1] != 'n')
            continue;
        int number = *place_of(text, length);
        if (number && numbers)
            numbers[count] = number - 1;
        count += number != 0;
    }
    return count;
}

/* The next word that is the beginning of a name put together: tni_op_ of tni_op_##name. NULL: there is none. */
static const char *next_pasted(const char *text, const char *from, size_t *length) {
    for (const char *at = from; (at = strstr(at, "##")) != NULL; at += 2) {
        const char *word = at;
        while (word > text && (isalnum((unsigned char)word[-1]) || word[-1] == '_'))
            word--;
        *length = (size_t)(at - word);
        if (*length > 2 && (strncmp(word, "tn_", 3) == 0 || strncmp(word, "tni_", 4) == 0))
            return word;
    }
    return NULL;
}

/* Whether a text has a word with which the rest of a name begins: exp of tni_op_exp_out. */
static bool has_rest(const char *text, const char *rest) {
    for (const char *at = text; *at;) {
        size_t length = word_length(at);
        if (length > 0 && strncmp(at, rest, length) == 0 && (!rest[length] || rest[length] == '_'))
            return true;
        at += length ? length : 1;
    }
    return false;
}

/* Whether a text in which names are put together may name a declaration. A beginning that ends in the middle of an operator's
 * name, tni_op_conv##n##d, names all that begin so. */
static bool may_name(const char *text, const char *name) {
    size_t length;
    for (const char *at = text; (at = next_pasted(text, at, &length)) != NULL; at += length + 2)
        if (strncmp(at, name, length) == 0 && (at[length - 1] != '_' || has_rest(text, name + length)))
            return true;
    return false;
}

static void add_included(used_file *file, const char *name, size_t length);

static void read_included(used_file *file) {
    for (const char *at = file->text; (at = strstr(at, "#include \"")) != NULL;) {
        at += strlen("#include \"");
        add_included(file, at, strcspn(at, "\"\n"));
    }
}

static used_file *file_at(const char *path) {
    for (used_file *file = all_files; file; file = file->next)
        if (strcmp(file->path, path) == 0)
            return file;
    used_file *file = take(calloc(1, sizeof *file));
    snprintf(file->path, sizeof file->path, "%s", path);
    file->next = all_files;
    all_files = file;
    FILE *from = fopen(path, "r");
    if (!from)
        return file;
    size_t size = 0;
    char part[4096];
    FILE *to = take(open_memstream(&file->text, &size));
    for (size_t count; (count = fread(part, 1, sizeof part, from)) > 0;)
        fwrite(part, 1, count, to);
    fclose(to);
    fclose(from);
    file->name_count = find_names(file->text, file->text + size, NULL);
    file->names = take(calloc((size_t)file->name_count + 1, sizeof *file->names));
    find_names(file->text, file->text + size, file->names);
    file->pastes = !strstr(path, ".h") && next_pasted(file->text, file->text, &size); /* headers put together other names */
    read_included(file);
    return file;
}

/* An included file is beside the one that includes it, or in src. */
static void add_included(used_file *file, const char *name, size_t length) {
    for (int i = 0; i < group_count; i++)
        if (length == strlen(groups[i].name) + 12 && strncmp(name, "operators_", 10) == 0 &&
            strncmp(name + 10, groups[i].name, length - 12) == 0) {
            file->includes = take(realloc(file->includes, ((size_t)file->include_count + 1) * sizeof *file->includes));
            file->includes[file->include_count++] = i;
            return;
        }
    char path[PATH];
    const char *slash = strrchr(file->path, '/');
    snprintf(path, sizeof path, "%.*s%.*s", slash ? (int)(slash - file->path) + 1 : 0, file->path, (int)length, name);
    used_file *found = file_at(path);
    if (!found->text) {
        snprintf(path, sizeof path, "src/%.*s", (int)length, name);
        found = file_at(path);
    }
    file->files = take(realloc(file->files, ((size_t)file->file_count + 1) * sizeof *file->files));
    file->files[file->file_count++] = found;
}

/* ---- one source */

/* What a function with a body names is named, too. */
static void want(int number) {
    used_declaration *declaration = &declarations[number];
    if (declaration->wanted)
        return;
    declaration->wanted = true;
    if (declaration->same)
        want(declaration->same - 1);
    if (!memchr(declaration->text, '{', declaration->length))
        return;
    int numbers[100], count = find_names(declaration->text, declaration->text + declaration->length, NULL);
    if (count <= 100)
        find_names(declaration->text, declaration->text + declaration->length, numbers);
    for (int i = 0; i < count && count <= 100; i++)
        want(numbers[i]);
}

static void visit(used_file *file) {
    if (file->visited)
        return;
    file->visited = true;
    for (int i = 0; i < file->name_count; i++)
        want(file->names[i]);
    for (int i = 0; i < file->include_count; i++)
        groups[file->includes[i]].included = true;
    for (int i = 0; i < group_count && file->pastes; i++)
        for (int k = groups[i].first; k < groups[i].end && groups[i].included; k++)
            if (may_name(file->text, declarations[k].name))
                want(k);
    for (int i = 0; i < file->file_count; i++)
        visit(file->files[i]);
}

void write_used(const char *source, FILE *(*begin)(const char *source, const char *group), void (*end)(FILE *)) {
    if (group_count == 0)
        add_groups();
    for (used_file *file = all_files; file; file = file->next)
        file->visited = false;
    for (int i = 0; i < declaration_count; i++)
        declarations[i].wanted = false;
    for (int i = 0; i < group_count; i++)
        groups[i].included = false;
    visit(file_at(source));
    for (int i = 0; i < group_count; i++) {
        if (!groups[i].included)
            continue;
        FILE *file = begin(source, groups[i].name);
        write_declarations_begin(file, groups[i].name);
        for (int k = groups[i].first; k < groups[i].end; k++)
            if (declarations[k].wanted)
                fwrite(declarations[k].text, 1, declarations[k].length, file);
        fputs("\n#endif\n", file);
        end(file);
    }
}

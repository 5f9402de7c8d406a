/* command_texts.c - fuzzes what the command does with texts of others: names of tensors that are shown, cut, written as JSON and as names of
 * files, patterns, rules of renaming, sizes and shapes. What is shown has no control characters and fits; what is JSON is UTF-8.
 * The sources are included, because these readers are their own.
 */
#include <stdio.h>

static FILE *fuzz_nowhere; /* complaints go there; reports of sanitizers do not */
#undef stderr
#define stderr fuzz_nowhere

#include "../../tools/command/common.c"
#include "../../tools/command/convert.c"
#include "../../tools/command/terminal.c"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int command_failed(void) { return COMMAND_FAILED; }
int command_misused(const char *name, const char *expected) { return (void)name, (void)expected, COMMAND_MISUSED; }

static void fuzz_must(bool truth) {
    if (!truth)
        abort();
}

/* What was written is UTF-8 without control characters; JSON may have escapes, but no bare quotes inside. */
static void fuzz_harmless(const char *text) {
    while (*text) {
        int length = harmless_character(text);
        fuzz_must(length > 0);
        text += length;
    }
}

static char *fuzz_written(void (*write)(FILE *to, const char *name, int width), const char *name, int width) {
    char *text = NULL;
    size_t size = 0;
    FILE *to = open_memstream(&text, &size);
    fuzz_must(to != NULL);
    write(to, name, width);
    fuzz_must(fclose(to) == 0 && strlen(text) == size);
    return text;
}

static void fuzz_say(FILE *to, const char *name, int width) {
    int said = say_name(to, name, width), whole = name_columns(name);
    fuzz_must(said <= whole && (width < 3 || said <= width));
}

static void fuzz_json(FILE *to, const char *name, int width) {
    (void)width;
    json_text(to, name);
}

static void fuzz_names(const char *name, const char *other, int width) {
    char *shown = fuzz_written(fuzz_say, name, width), *json = fuzz_written(fuzz_json, name, 0);
    fuzz_harmless(shown);
    fuzz_harmless(json);
    fuzz_must(json[0] == '"' && json[strlen(json) - 1] == '"');
    free(shown);
    free(json);
    fuzz_must(name_matches("*", name));
    if (!strchr(name, '*'))
        fuzz_must(name_matches(name, name));
    (void)name_matches(other, name);
    convert_plan plan = {.command = "fuzz"};
    planned two[2] = {{.name = (char *)(uintptr_t)name}, {.name = (char *)(uintptr_t)other}};
    plan.items = two;
    plan.count = 2;
    for (size_t i = 0; i < 2; i++) {
        fuzz_must((two[i].file_name = tensor_path(&plan, i)) != NULL);
        fuzz_must(two[i].file_name[0] && two[i].file_name[0] != '.' && !strchr(two[i].file_name, '/'));
        fuzz_harmless(two[i].file_name);
    }
    fuzz_must(strcmp(two[0].file_name, two[1].file_name) != 0);
    for (size_t i = 0; i < 2; i++)
        free(two[i].file_name);
}

static void fuzz_rules(const char *name, const char *rule) {
    convert_plan plan = {.command = "fuzz"};
    plan.rename.texts[plan.rename.count++] = rule;
    if (strchr(rule, '=')) {
        char *made = plan_name(&plan, "", name);
        fuzz_must(made && strlen(made) <= strlen(name) + strlen(rule));
        free(made);
    }
    unsigned long long bytes = 1;
    int64_t sizes[TN_MAX_DIMS], count = 0;
    if (parse_size(rule, &bytes))
        fuzz_must(bytes >= 1);
    if (read_shape(rule, sizes, &count))
        fuzz_must(count >= 0 && count <= TN_MAX_DIMS);
}

/* A width, a text, a line's end, another text. */
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    if (!fuzz_nowhere && !(fuzz_nowhere = fopen("/dev/null", "w")))
        abort();
    if (size < 1 || size > 4000)
        return 0;
    int width = data[0] < 12 ? 0 : data[0];
    char *text = malloc(size);
    if (!text)
        return 0;
    memcpy(text, data + 1, size - 1);
    text[size - 1] = 0;
    char *other = strchr(text, '\n'), nothing[] = "";
    if (other)
        *other++ = 0;
    else
        other = nothing;
    fuzz_names(text, other, width);
    fuzz_rules(text, other);
    free(text);
    return 0;
}

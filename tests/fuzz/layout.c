/* layout.c - any bytes as an expression for `tenon layout`: read, evaluated and drawn in all three ways, with no crash, no
 * overrun, and no more memory or time than the limits of tools/command/layout.h allow.
 *
 * The parts of the command are included rather than linked, so that they are instrumented as the library is. An expression
 * that works must give a picture without a stray '<' or '&', and JSON whose strings are all closed.
 */
#include <stdlib.h>
#include <string.h>

#include "../../tools/command/layout_json.c"
#include "../../tools/command/layout_methods.c"
#include "../../tools/command/layout_parse.c"
#include "../../tools/command/layout_run.c"
#include "../../tools/command/layout_svg.c"
#include "../../tools/command/layout_text.c"

enum { FUZZ_ELEMENTS = 2000 };

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void require(bool holds) {
    if (!holds)
        abort();
}

/* Every tag is closed before the next opens, and every '&' begins one of the entities that are written. */
static void check_picture(const char *text) {
    static const char *const entities[] = {"&amp;", "&lt;", "&gt;", "&quot;", "&#215;", "&#8230;"};
    bool inside = false;
    for (; *text; text++) {
        if (*text == '<' || *text == '>') {
            require(inside == (*text == '>'));
            inside = !inside;
        } else if (*text == '&') {
            bool known = false;
            for (size_t i = 0; i < sizeof entities / sizeof entities[0]; i++)
                known |= strncmp(text, entities[i], strlen(entities[i])) == 0;
            require(known);
        }
    }
    require(!inside);
}

static void check_json(const char *text) {
    bool quoted = false;
    int depth = 0;
    for (; *text; text++) {
        require((unsigned char)*text < 128);
        if (*text == '"')
            quoted = !quoted;
        else if (quoted && *text == '\\')
            require(*++text != 0);
        else if (!quoted)
            depth += (*text == '{' || *text == '[') - (*text == '}' || *text == ']');
        require(!quoted || (unsigned char)*text >= ' ');
    }
    require(!quoted && depth == 0);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    char *text = malloc(size + 1), *output = NULL;
    size_t length;
    layout_expression *expression = malloc(sizeof *expression);
    require(text && expression);
    memcpy(text, data, size);
    text[size] = 0;

    layout_complaint complaint;
    layout_steps steps = {0};
    bool parsed = layout_parse(text, expression, &complaint);
    bool good = parsed && layout_run(expression, FUZZ_ELEMENTS, &steps, &complaint);
    require(good || (complaint.at >= 0 && (size_t)complaint.at <= strlen(text) && complaint.message[0]));

    FILE *stream = open_memstream(&output, &length);
    require(stream != NULL);
    layout_write_json(stream, expression, &steps, good ? NULL : &complaint);
    fflush(stream);
    check_json(output);
    rewind(stream);
    layout_write_text(stream, &steps, (layout_style){size % 2, 40 + (int)(size % 100)});
    if (!good)
        layout_write_complaint(stream, text, &complaint);
    fclose(stream);
    free(output);

    if (good) {
        stream = open_memstream(&output, &length);
        require(stream != NULL);
        layout_write_svg(stream, &steps);
        fclose(stream);
        check_picture(output);
        free(output);
    }
    if (parsed)
        layout_free(&steps);
    require(tn_scope_depth() == 0);
    tn_error_clear();
    free(expression);
    free(text);
    return 0;
}

/* layout.c - `tenon layout EXPRESSION`: evaluates a chain of views and draws what every step does to memory. See layout.h. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "common.h"
#include "layout.h"
#include "terminal.h"

static const char layout_usage[] =
    "usage: tenon layout [--json] [--svg FILE] EXPRESSION\n"
    "\n"
    "  EXPRESSION   a chain of views, as in Python: 'arange(12).view(3,4)[:, 1:].t().reshape(-1)'\n"
    "  --json       the steps as JSON, for programs\n"
    "  --svg FILE   a picture of them; '-' is the standard output\n"
    "\n"
    "  tenon layout 'arange(12).view(3,4)[:, 1:].t()'\n"
    "  tenon layout --svg heads.svg 'empty(2,6,8).view(2,6,2,4).transpose(1,2)'\n";

typedef struct layout_options {
    bool json;
    const char *svg, *expression;
} layout_options;

static bool read_options(int argc, char **argv, layout_options *options) {
    for (int i = 1; i < argc; i++) {
        if (strcmp(argv[i], "--json") == 0)
            options->json = true;
        else if (strcmp(argv[i], "--svg") == 0 && i + 1 < argc && !options->svg)
            options->svg = argv[++i];
        else if (argv[i][0] == '-' || options->expression)
            return false;
        else
            options->expression = argv[i];
    }
    return options->expression != NULL && !(options->json && options->svg);
}

static int terminal_width(void) {
    int width = screen_width();
    return width ? width : 100;
}

static int write_picture(const char *path, const layout_steps *steps) {
    if (strcmp(path, "-") == 0) {
        layout_write_svg(stdout, steps);
        return COMMAND_OK;
    }
    FILE *file = fopen(path, "w");
    if (file)
        layout_write_svg(file, steps);
    bool written = file && !ferror(file);
    if (!file || fclose(file) != 0 || !written) {
        return complain("layout", "cannot write %s: %s", path, strerror(errno));
    }
    return COMMAND_OK;
}

static int draw(const layout_options *options, layout_expression *expression) {
    layout_complaint complaint = {0};
    layout_steps steps = {.expression = expression};
    bool parsed = layout_parse(options->expression, expression, &complaint);
    bool good = parsed && layout_run(expression, LAYOUT_MAX_ELEMENTS, &steps, &complaint);
    int status = COMMAND_OK;
    if (options->json)
        layout_write_json(stdout, expression, &steps, good ? NULL : &complaint);
    else if (!options->svg)
        layout_write_text(stdout, &steps, (layout_style){terminal_has_colour(), terminal_width()});
    else if (good)
        status = write_picture(options->svg, &steps);
    if (!good) {
        fflush(stdout);
        layout_write_complaint(stderr, options->expression, &complaint);
        status = COMMAND_FAILED;
    }
    if (parsed)
        layout_free(&steps);
    return status;
}

int command_layout(int argc, char **argv) {
    layout_options options = {0};
    if (argc == 2 && (strcmp(argv[1], "--help") == 0 || strcmp(argv[1], "-h") == 0)) {
        fputs(layout_usage, stdout);
        layout_list_methods(stdout);
        return COMMAND_OK;
    }
    if (!read_options(argc, argv, &options)) {
        fputs(layout_usage, stderr);
        return COMMAND_MISUSED;
    }
    layout_expression *expression = malloc(sizeof *expression);
    if (!expression)
        return command_failed();
    int status = draw(&options, expression);
    free(expression);
    return status;
}

/* image.c - `tenon image`: a tensor as a picture. */
#include <stdlib.h>
#include <string.h>

#include "common.h"
#include "drawing.h"

static const char image_usage[] =
    "usage: tenon image [--out FILE.png|FILE.svg] [--range A,B] [--json] [--ascii] [--width N] FILE[:NAME] [INDEX]\n"
    "\n"
    "A tensor of the shape (H, W), (3, H, W) or (H, W, 3) as a picture, in the terminal without --out. Bytes are colours, or grey, as they are; other numbers go\n"
    "from dark (the least, or A) to bright (the largest, or B); grey is what is not a number.\n"
    "\n"
    "  --out FILE    a PNG or an SVG\n"
    "  --range A,B   numbers from A to B, bytes too\n"
    "  --json        width, height, and the pixels, red, green, blue, row by row\n"
    "  --ascii       without Unicode\n"
    "  --width N     pixels, or letters of the terminal, at most\n"
    "  --format, --dtype, --shape   as those of info\n"
    "\n"
    "  tenon image digits.npy 0\n"
    "  tenon image --out filters.png model.safetensors:conv.weight '0'\n";

static void image_json(const drawing_pixels *pixels, const char *out) {
    printf("{\"width\": %d, \"height\": %d, ", pixels->width, pixels->height);
    if (out) {
        fputs("\"file\": ", stdout);
        json_text(stdout, out);
    } else {
        fputs("\"rgb\": [", stdout);
        for (size_t i = 0, count = 3 * (size_t)pixels->width * (size_t)pixels->height; i < count; i++)
            printf(i ? ", %d" : "%d", pixels->bytes[i]);
        fputs("]", stdout);
    }
    puts("}");
}

int command_image(int argc, char **argv) {
    const char *given[2] = {NULL, NULL}, *name, *out = NULL, *range = NULL;
    bool ascii = false, json = false;
    double width = 0;
    source_options source = {NULL, NULL, NULL, false};
    const option known[] = {{.name = "out", .text = &out},
                            {.name = "range", .text = &range},
                            {.name = "ascii", .flag = &ascii},
                            {.name = "json", .flag = &json},
                            {.name = "width", .number = &width},
                            {.name = "format", .text = &source.format},
                            {.name = "dtype", .text = &source.dtype},
                            {.name = "shape", .text = &source.shape}};
    command_line line = {"image", image_usage, known, sizeof known / sizeof *known, 1, 2, given, 0};
    int status = options_read(&line, argc, argv);
    if (status >= 0)
        return status;
    const char *dot = out ? strrchr(out, '.') : NULL;
    bool svg = dot && strcmp(dot, ".svg") == 0, png = dot && strcmp(dot, ".png") == 0;
    char rest;
    double from = 0, to = 0;
    if (out && !svg && !png)
        return command_misused("image", "--out wants a name that ends in .png or .svg");
    if (range && (sscanf(range, "%lf,%lf%c", &from, &to, &rest) != 2 || !(from < to)))
        return command_misused("image", "--range wants two numbers with a comma between them, the smaller one first");
    tn_scope scope = tn_scope_open();
    tn_file *file = source_open_named(given[0], &source, &name);
    tn_tensor *tensor = file ? source_take(file, "image", name, given[1]) : NULL;
    summary all;
    drawing_pixels pixels = {0, 0, NULL};
    status = COMMAND_FAILED;
    if (tensor && !summarise(tensor, &all, NULL, 0))
        command_failed();
    else if (tensor) {
        drawing_kind kind = range ? DRAWING_NUMBERS : DRAWING_PICTURE;
        bool colours = tn_ndim(tensor) == 3 || (!range && tn_dtype_of(tensor) == TN_UINT8); /* no scale beside them */
        if (range) {
            all.least = from;
            all.largest = to;
        }
        int screen = screen_width() ? screen_width() : 80;
        int most = number_within(width, 1, 16384, png ? 16384 : svg ? 512 : json ? 256 : screen);
        if (drawing_take(tensor, most, png ? 16384 : svg ? 512 : 2 * most, all.least, all.largest, kind, &pixels)) {
            FILE *stream = out ? drawing_open(out) : stdout;
            if (stream && json)
                image_json(&pixels, out);
            if (stream && png)
                drawing_png(stream, &pixels);
            else if (stream && svg)
                (void)drawing_pixels_svg(stream, &pixels, given[0], colours ? 0 : all.least, colours ? 0 : all.largest, NULL);
            else if (stream && !json)
                drawing_pixels_letters(&pixels, ascii || !screen_has_unicode());
            status = stream ? drawing_close(stream, out) : COMMAND_FAILED;
            free(pixels.bytes);
        }
    }
    tn_scope_close(scope);
    return status;
}

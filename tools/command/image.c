/* image.c - `tenon image`: a tensor as a picture. */
#include <stdlib.h>
#include <string.h>

#include "common.h"
#include "drawing.h"

static const char image_usage[] =
    "usage: tenon image [--out FILE.png|FILE.svg] [--range A,B] [--ascii] [--width N] FILE[:NAME] [INDEX]\n"
    "\n"
    "A tensor of the shape (H, W), (3, H, W) or (H, W, 3) as a picture, in the terminal without --out. Bytes are colours as they are; other numbers go from\n"
    "dark (the least, or A) to bright (the largest, or B).\n"
    "\n"
    "  tenon image digits.npy 0\n"
    "  tenon image --out filters.png model.safetensors:conv.weight '0'\n";

int command_image(int argc, char **argv) {
    const char *given[2] = {NULL, NULL}, *name, *out = NULL, *range = NULL;
    bool ascii = false;
    double width = 0;
    source_options source = {NULL, NULL, NULL, false};
    const option known[] = {{.name = "out", .text = &out},
                            {.name = "range", .text = &range},
                            {.name = "ascii", .flag = &ascii},
                            {.name = "width", .number = &width},
                            {.name = "format", .text = &source.format},
                            {.name = "dtype", .text = &source.dtype},
                            {.name = "shape", .text = &source.shape}};
    command_line line = {"image", image_usage, known, 7, 1, 2, given, 0};
    int status = options_read(&line, argc, argv);
    if (status >= 0)
        return status;
    const char *dot = out ? strrchr(out, '.') : NULL;
    bool svg = dot && strcmp(dot, ".svg") == 0, png = out && !svg;
    tn_scope scope = tn_scope_open();
    tn_file *file = source_open_named(given[0], &source, &name);
    tn_tensor *tensor = file ? source_take(file, "image", name, given[1]) : NULL;
    summary all;
    drawing_pixels pixels = {0, 0, NULL};
    status = COMMAND_FAILED;
    if (tensor && !summarise(tensor, &all, NULL, 0))
        command_failed();
    else if (tensor && range && sscanf(range, "%lf,%lf", &all.least, &all.largest) != 2)
        status = command_misused("image", "--range wants two numbers with a comma between them");
    else if (tensor) {
        int screen = screen_width() ? screen_width() : 80;
        int most = number_within(width, 1, 16384, png ? 16384 : svg ? 256 : screen);
        if (drawing_take(tensor, most, png ? 16384 : svg ? 256 : 2 * most, all.least, all.largest, &pixels)) {
            FILE *stream = out ? drawing_open(out) : stdout;
            if (stream && png)
                drawing_png(stream, &pixels);
            else if (stream && svg)
                drawing_pixels_svg(stream, &pixels, given[0], all.least, all.largest);
            else if (stream)
                drawing_pixels_letters(&pixels, ascii || !screen_has_unicode());
            status = stream ? drawing_close(stream, out) : COMMAND_FAILED;
            free(pixels.bytes);
        }
    }
    tn_scope_close(scope);
    return status;
}

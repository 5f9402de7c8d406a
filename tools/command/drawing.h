/* drawing.h - pictures: pixels of tensors as letters, SVG and PNG, and the frame of a diagram. */
#ifndef TENON_DRAWING_H
#define TENON_DRAWING_H

#include "common.h"

/* Red, green, blue, row by row. */
typedef struct drawing_pixels {
    int width, height;
    unsigned char *bytes; /* malloc's */
} drawing_pixels;

/* A tensor as pixels, at most `width` by `height`; larger ones are averaged down. (H, W) is coloured from `least` (dark) to `largest`; (3, H, W) and
 * (H, W, 3) are red, green and blue, of bytes as they are, of others from `least` to `largest`; a fourth, alpha, is left out. False, said. */
bool drawing_take(const tn_tensor *tensor, int width, int height, double least, double largest, drawing_pixels *pixels);

/* Two pixels a letter, one above the other, in colours where the terminal has them; else shades. */
void drawing_pixels_letters(const drawing_pixels *pixels, bool ascii);
void drawing_pixels_svg(FILE *stream, const drawing_pixels *pixels, const char *title, double least, double largest);
void drawing_png(FILE *stream, const drawing_pixels *pixels);

/* A diagram with two axes; what is drawn in it is between left and left + width, bottom - height and bottom. */
typedef struct drawing_frame {
    double left, bottom, width, height;
} drawing_frame;
drawing_frame drawing_begin(FILE *stream, int width, int height, const char *title, double x0, double x1, double y0, double y1);
void drawing_end(FILE *stream);
void drawing_text(FILE *stream, const char *text); /* escaped */

/* A file to draw to, "-" is the standard output; NULL, said. close: the status. */
FILE *drawing_open(const char *path);
int drawing_close(FILE *stream, const char *path);

/* All of a text file, or of the standard input where `path` is NULL, at most `most` bytes, with a NUL behind it; malloc's. NULL, said. */
char *drawing_read(const char *command, const char *path, size_t most);

#endif

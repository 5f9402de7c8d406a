/* drawing.h - pictures: pixels of tensors as letters, SVG and PNG, and the frame of a diagram. */
#ifndef TENON_DRAWING_H
#define TENON_DRAWING_H

#include "common.h"

/* Red, green, blue, row by row. */
typedef struct drawing_pixels {
    int width, height;
    unsigned char *bytes; /* malloc's */
} drawing_pixels;

typedef enum drawing_kind {
    DRAWING_TABLE,   /* numbers: need not keep the shape                   */
    DRAWING_NUMBERS, /* numbers as a picture                               */
    DRAWING_PICTURE  /* a picture: bytes are colours, or grey, as they are */
} drawing_kind;

/* A tensor as pixels, at most `width` by `height`; larger ones are averaged down. (H, W) is coloured from `least` (dark) to `largest`; (3, H, W) and
 * (H, W, 3) are red, green and blue from `least` to `largest`; a fourth, alpha, is left out. False, said. */
bool drawing_take(const tn_tensor *tensor, int width, int height, double least, double largest, drawing_kind kind,
                  drawing_pixels *pixels);

/* Where a value lies between two: 0 to 1; 0.5 where they are the same. */
double drawing_share(double value, double least, double largest);

/* Two pixels a letter, one above the other, in colours where the terminal has them; else shades. */
void drawing_pixels_letters(const drawing_pixels *pixels, bool ascii);

/* With a scale of colours where `largest` is more than `least`, and the numbers of rows and columns where `rows` is not NULL. False without memory. */
typedef struct drawing_rows {
    int64_t wide, high;
} drawing_rows;
bool drawing_pixels_svg(FILE *stream, const drawing_pixels *pixels, const char *title, double least, double largest,
                        const drawing_rows *rows);
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

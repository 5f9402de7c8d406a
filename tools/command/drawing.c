/* drawing.c - see drawing.h. */
#include "drawing.h"

#include <errno.h>
#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

FILE *drawing_open(const char *path) {
    if (strcmp(path, "-") == 0)
        return stdout;
    FILE *stream = fopen(path, "wb");
    if (!stream)
        complain(NULL, "cannot write %s: %s", path, strerror(errno));
    return stream;
}

int drawing_close(FILE *stream, const char *path) {
    if (stream == stdout)
        return COMMAND_OK;
    bool failed = ferror(stream);
    if (fclose(stream) != 0 || failed)
        return complain(NULL, "cannot write %s: %s", path, strerror(errno));
    return COMMAND_OK;
}

char *drawing_read(const char *command, const char *path, size_t most) {
    FILE *stream = path && strcmp(path, "-") != 0 ? fopen(path, "rb") : stdin;
    char *text = stream ? malloc(most + 1) : NULL;
    size_t size = text ? fread(text, 1, most + 1, stream) : 0;
    bool failed = !stream || !text || ferror(stream), larger = text && size > most;
    if (failed)
        complain(command, "cannot read %s: %s", path ? path : "the standard input", strerror(errno));
    else if (larger)
        complain(command, "%s has more than %zu bytes", path ? path : "the standard input", most);
    else
        text[size] = 0;
    if (stream && stream != stdin)
        fclose(stream);
    if (failed || larger) {
        free(text);
        text = NULL;
    }
    return text;
}

/* ---- pixels */

/* From dark blue over green to yellow: nine colours, evenly apart in lightness, and what is between them. */
static void drawing_colour(double share, unsigned char rgb[3]) {
    static const unsigned char stops[][3] = {{18, 10, 64},   {38, 36, 110},  {44, 70, 140},  {36, 104, 148}, {30, 136, 144},
                                             {50, 166, 124}, {112, 194, 92}, {184, 214, 62}, {250, 232, 60}};
    enum { LAST = sizeof stops / sizeof *stops - 1 };
    double at = (share < 0 ? 0 : share > 1 ? 1 : share) * LAST;
    int low = (int)at < LAST ? (int)at : LAST - 1;
    for (int i = 0; i < 3; i++)
        rgb[i] = (unsigned char)lround(stops[low][i] + (at - low) * (stops[low + 1][i] - stops[low][i]));
}

/* As wide and high as there is room for; a picture that must shrink keeps its shape, a table of numbers need not. */
static void drawing_fit(int64_t wide, int64_t high, int most_wide, int most_high, bool picture, drawing_pixels *pixels) {
    double shrink_wide = (double)wide / most_wide, shrink_high = (double)high / most_high,
           shrink = fmax(shrink_wide, shrink_high);
    pixels->width = wide < most_wide ? (int)wide : most_wide;
    pixels->height = high < most_high ? (int)high : most_high;
    if (picture && shrink > 1 && wide && high) {
        pixels->width = (int)fmax(1, floor((double)wide / shrink + 0.5));
        pixels->height = (int)fmax(1, floor((double)high / shrink + 0.5));
    }
}

double drawing_share(double value, double least, double largest) {
    double share =
        largest > least ? (value / 2 - least / 2) / (largest / 2 - least / 2) : 0.5; /* halves: the range may not be a double */
    return share >= 0 ? fmin(share, 1) : 0;
}

bool drawing_take(const tn_tensor *tensor, int most_wide, int most_high, double least, double largest, drawing_kind kind,
                  drawing_pixels *pixels) {
    tn_scope scope = tn_scope_open();
    int64_t ndim = tn_ndim(tensor);
    bool bytes = tn_dtype_of(tensor) == TN_UINT8 && kind == DRAWING_PICTURE;
    tn_tensor *planes = NULL; /* (channels, H, W) */
    if (ndim == 2)
        planes = tn_unsqueeze(tensor, 0);
    else if (ndim == 3 && (tn_size(tensor, 0) == 3 || tn_size(tensor, 0) == 4 || tn_size(tensor, 0) == 1))
        planes = (tn_tensor *)(uintptr_t)tensor;
    else if (ndim == 3 && (tn_size(tensor, 2) == 3 || tn_size(tensor, 2) == 4 || tn_size(tensor, 2) == 1))
        planes = tn_permute(tensor, TN_DIMS(2, 0, 1));
    *pixels = (drawing_pixels){0, 0, NULL};
    if (!planes && tn_error_code() == TN_OK) {
        complain(NULL, "a picture has the shape (H, W), (3, H, W) or (H, W, 3); give an index that leaves that");
        tn_scope_close(scope);
        return false;
    }
    if (planes && tn_dtype_is_complex(tn_dtype_of(planes)))
        planes = tn_abs(planes);
    tn_tensor *values = tn_contiguous(tn_to(planes, TN_FLOAT64), TN_CONTIGUOUS);
    int64_t channels = values ? tn_size(values, 0) : 0, high = values ? tn_size(values, 1) : 0,
            wide = values ? tn_size(values, 2) : 0;
    drawing_fit(wide, high, most_wide, most_high, kind != DRAWING_TABLE, pixels);
    if (values && pixels->width && pixels->height)
        pixels->bytes = malloc((size_t)pixels->width * (size_t)pixels->height * 3);
    const double *from = values ? tn_data(values) : NULL;
    for (int y = 0; pixels->bytes && y < pixels->height; y++)
        for (int x = 0; x < pixels->width; x++) {
            unsigned char *to = pixels->bytes + 3 * ((size_t)y * (size_t)pixels->width + (size_t)x);
            int64_t top = high * y / pixels->height, bottom = high * (y + 1) / pixels->height;
            int64_t left = wide * x / pixels->width, right = wide * (x + 1) / pixels->width;
            for (int64_t c = 0; c < (channels >= 3 ? 3 : 1); c++) {
                double mean = 0;
                int64_t count = 0;
                for (int64_t i = top; i < bottom; i++)
                    for (int64_t k = left; k < right; k++) {
                        double value = from[(c * high + i) * wide + k];
                        if (isfinite(value)) {
                            count++;
                            mean += (value - mean) / (double)count; /* a sum may not be a double */
                        }
                    }
                double share = bytes ? mean / 255 : drawing_share(mean, least, largest);
                if (!count)
                    memset(to, 128, 3); /* nothing that is a number */
                else if (channels >= 3)
                    to[c] = (unsigned char)lround(255 * share);
                else if (bytes)
                    memset(to, (int)lround(mean), 3);
                else
                    drawing_colour(share, to);
            }
        }
    tn_scope_close(scope);
    if (!pixels->bytes)
        complain(NULL, "%s", tn_error_code() != TN_OK ? tn_error_message() : "there is nothing to draw");
    tn_error_clear();
    return pixels->bytes != NULL;
}

static double drawing_light(const unsigned char *rgb) { return (0.30 * rgb[0] + 0.59 * rgb[1] + 0.11 * rgb[2]) / 255; }

void drawing_pixels_letters(const drawing_pixels *pixels, bool ascii) {
    static const char shades[] = " .:-=+*#%@";
    bool coloured = terminal_has_colour() && !ascii;
    for (int y = 0; y < pixels->height; y += 2) {
        const unsigned char *above = pixels->bytes + 3 * (size_t)y * (size_t)pixels->width;
        const unsigned char *below = y + 1 < pixels->height ? above + 3 * (size_t)pixels->width : NULL;
        for (int x = 0; x < pixels->width; x++, above += 3, below = below ? below + 3 : NULL) {
            if (coloured && below)
                printf("\x1b[38;2;%d;%d;%d;48;2;%d;%d;%dm\u2580", above[0], above[1], above[2], below[0], below[1], below[2]);
            else if (coloured)
                printf("\x1b[38;2;%d;%d;%dm\u2580", above[0], above[1], above[2]);
            else {
                double light = drawing_light(above);
                if (below)
                    light = (light + drawing_light(below)) / 2;
                static const char *const blocks[] = {" ", "\u2591", "\u2592", "\u2593", "\u2588"};
                if (ascii)
                    fputc(shades[(int)(light * 9.999)], stdout);
                else
                    fputs(blocks[(int)(light * 4.999)], stdout);
            }
        }
        printf(coloured ? "\x1b[0m\n" : "\n");
    }
}

/* ---- PNG (RFC 2083), its data stored, not deflated (RFC 1950, 1951) */

typedef struct png_out {
    FILE *stream;
    uint32_t crc, a, b; /* of the chunk; Adler's two sums */
} png_out;

static void png_byte(png_out *out, unsigned byte) {
    fputc((int)byte, out->stream);
    out->crc ^= byte;
    for (int i = 0; i < 8; i++)
        out->crc = out->crc >> 1 ^ (out->crc & 1 ? 0xedb88320u : 0);
}

static void png_number(png_out *out, uint32_t number) {
    for (int shift = 24; shift >= 0; shift -= 8)
        png_byte(out, number >> shift & 255);
}

static void png_begin(png_out *out, uint32_t size, const char *kind) {
    png_number(out, size);
    out->crc = UINT32_MAX;
    for (int i = 0; i < 4; i++)
        png_byte(out, (unsigned char)kind[i]);
}

static void png_end(png_out *out) { png_number(out, ~out->crc); }

static void png_data(png_out *out, unsigned byte) {
    out->a = (out->a + byte) % 65521;
    out->b = (out->b + out->a) % 65521;
    png_byte(out, byte);
}

void drawing_png(FILE *stream, const drawing_pixels *pixels) {
    png_out out = {stream, 0, 1, 0};
    uint32_t row = 1 + 3 * (uint32_t)pixels->width,
             height = (uint32_t)pixels->height; /* a row is one stored block: at most 3 * 16384 + 1 bytes */
    fwrite("\x89PNG\r\n\x1a\n", 1, 8, stream);
    png_begin(&out, 13, "IHDR");
    png_number(&out, (uint32_t)pixels->width);
    png_number(&out, height);
    png_byte(&out, 8);
    png_byte(&out, 2); /* red, green, blue */
    for (int i = 0; i < 3; i++)
        png_byte(&out, 0);
    png_end(&out);
    png_begin(&out, 2 + height * (row + 5) + 4, "IDAT");
    png_byte(&out, 0x78);
    png_byte(&out, 0x01);
    for (uint32_t y = 0; y < height; y++) {
        png_byte(&out, y + 1 == height);
        png_byte(&out, row & 255);
        png_byte(&out, row >> 8);
        png_byte(&out, ~row & 255);
        png_byte(&out, ~row >> 8 & 255);
        png_data(&out, 0); /* no filter */
        for (uint32_t i = 0; i < row - 1; i++)
            png_data(&out, pixels->bytes[(size_t)y * (row - 1) + i]);
    }
    png_number(&out, out.b << 16 | out.a);
    png_end(&out);
    png_begin(&out, 0, "IEND");
    png_end(&out);
}

/* ---- SVG */

void drawing_text(FILE *stream, const char *text) {
    for (int length; *text; text += length ? length : 1) {
        char byte = *text;
        length = harmless_character(text);
        if (byte == '&')
            fputs("&amp;", stream);
        else if (byte == '<')
            fputs("&lt;", stream);
        else if (byte == '>')
            fputs("&gt;", stream);
        else if (byte == '"')
            fputs("&quot;", stream);
        else
            fwrite(length ? text : "?", 1, length ? (size_t)length : 1, stream);
    }
}

static void drawing_open_svg(FILE *stream, double width, double height, const char *title) {
    fprintf(stream,
            "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 %.0f %.0f\" width=\"%.0f\" height=\"%.0f\" "
            "font-family=\"sans-serif\" font-size=\"12\">\n<rect width=\"%.0f\" height=\"%.0f\" fill=\"#ffffff\"/>\n",
            width, height, width, height, width, height);
    fprintf(stream, "<text x=\"16\" y=\"24\" font-size=\"15\" fill=\"#222222\">");
    int room = (int)((width - 32) / 8.4), columns = name_columns(title);
    if (columns > room && room > 3) {
        fputs("...", stream);
        while (name_columns(title) > room - 3) /* the end says more than the beginning */
            title += harmless_character(title) ? harmless_character(title) : 1;
    }
    drawing_text(stream, title);
    fprintf(stream, "</text>\n");
}

/* The step between marks of an axis: 1, 2 or 5 times a power of ten, about five of them. */
static double drawing_step(double least, double largest) {
    double rough = (largest - least) / 5, power = pow(10, floor(log10(rough)));
    double times = rough / power;
    return (times < 1.5 ? 1 : times < 3.5 ? 2 : times < 7.5 ? 5 : 10) * power;
}

static void drawing_axis(FILE *stream, const drawing_frame *frame, double least, double largest, bool across) {
    if (!(largest > least) ||
        !isfinite(largest - least)) { /* one number in the middle; or only the two ends, too far apart for steps */
        bool ends = largest > least;
        for (int i = 0; i < (ends ? 2 : 1); i++) {
            double share = ends ? i : 0.5;
            fprintf(stream, "<text x=\"%.1f\" y=\"%.1f\" fill=\"#555555\" text-anchor=\"%s\">%.4g</text>\n",
                    across ? frame->left + share * frame->width : frame->left - 6,
                    across ? frame->bottom + 18 : frame->bottom - share * frame->height + 4, across ? "middle" : "end",
                    i ? largest : least);
        }
        return;
    }
    double step = drawing_step(least, largest);
    double begin = ceil(least / step - 1e-9) * step;
    int marks = (int)floor((largest - begin) / step + 1e-9);
    for (int k = 0; k <= marks; k++) {
        double mark = begin + k * step;
        double share = (mark - least) / (largest - least);
        double value = fabs(mark) < step * 1e-9 ? 0 : mark;
        if (across)
            fprintf(
                stream,
                "<line x1=\"%.1f\" y1=\"%.1f\" x2=\"%.1f\" y2=\"%.1f\" stroke=\"#888888\"/><text x=\"%.1f\" y=\"%.1f\" fill=\"#555555\" "
                "text-anchor=\"middle\">%.6g</text>\n",
                frame->left + share * frame->width, frame->bottom, frame->left + share * frame->width, frame->bottom + 4,
                frame->left + share * frame->width, frame->bottom + 18, value);
        else
            fprintf(
                stream,
                "<line x1=\"%.1f\" y1=\"%.1f\" x2=\"%.1f\" y2=\"%.1f\" stroke=\"#e4e4e4\"/><text x=\"%.1f\" y=\"%.1f\" fill=\"#555555\" "
                "text-anchor=\"end\">%.6g</text>\n",
                frame->left, frame->bottom - share * frame->height, frame->left + frame->width,
                frame->bottom - share * frame->height, frame->left - 6, frame->bottom - share * frame->height + 4, value);
    }
}

drawing_frame drawing_begin(FILE *stream, int width, int height, const char *title, double x0, double x1, double y0,
                            double y1) {
    drawing_frame frame = {80, height - 34.0, width - 100.0, height - 84.0};
    drawing_open_svg(stream, width, height, title);
    drawing_axis(stream, &frame, y0, y1, false);
    drawing_axis(stream, &frame, x0, x1, true);
    fprintf(stream, "<path fill=\"none\" stroke=\"#888888\" d=\"M%.1f %.1fV%.1fH%.1f\"/>\n", frame.left,
            frame.bottom - frame.height, frame.bottom, frame.left + frame.width);
    return frame;
}

void drawing_end(FILE *stream) { fprintf(stream, "</svg>\n"); }

/* Bytes as letters, for a picture inside a picture (RFC 4648). */
static void drawing_base64(FILE *stream, const unsigned char *bytes, size_t size) {
    static const char letters[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    for (size_t i = 0; i < size; i += 3) {
        uint32_t three =
            (uint32_t)bytes[i] << 16 | (i + 1 < size ? (uint32_t)bytes[i + 1] << 8 : 0) | (i + 2 < size ? bytes[i + 2] : 0);
        fputc(letters[three >> 18], stream);
        fputc(letters[three >> 12 & 63], stream);
        fputc(i + 1 < size ? letters[three >> 6 & 63] : '=', stream);
        fputc(i + 2 < size ? letters[three & 63] : '=', stream);
    }
}

/* Many pixels are a PNG inside the SVG: as rectangles they would take twenty times the room. False without memory. */
static bool drawing_embed(FILE *stream, const drawing_pixels *pixels, double width, double height) {
    char *bytes = NULL;
    size_t size = 0;
    FILE *png = open_memstream(&bytes, &size);
    if (!png)
        return false;
    drawing_png(png, pixels);
    bool good = fclose(png) == 0;
    if (good) {
        fprintf(
            stream,
            "<image x=\"0\" y=\"0\" width=\"%.2f\" height=\"%.2f\" preserveAspectRatio=\"none\" style=\"image-rendering:pixelated\" "
            "href=\"data:image/png;base64,",
            width, height);
        drawing_base64(stream, (const unsigned char *)bytes, size);
        fprintf(stream, "\"/>\n");
    }
    free(bytes);
    return good;
}

enum { DRAWING_RECTANGLES = 4096 };

bool drawing_pixels_svg(FILE *stream, const drawing_pixels *pixels, const char *title, double least, double largest,
                        const drawing_rows *rows) {
    double side = 560.0 / (pixels->width > pixels->height ? pixels->width : pixels->height);
    side = side > 40 ? 40 : side;
    double left = rows ? 56 : 16, width = side * pixels->width, height = side * pixels->height,
           whole = (width < 300 ? 300 : width) + left + 16, below = rows ? 22 : 0;
    bool good = true;
    drawing_open_svg(stream, whole, height + below + (largest > least ? 92 : 56), title);
    fprintf(stream, "<g transform=\"translate(%.0f 40)\" shape-rendering=\"crispEdges\">\n", left);
    if ((int64_t)pixels->width * pixels->height > DRAWING_RECTANGLES)
        good = drawing_embed(stream, pixels, width, height);
    for (int y = 0; (int64_t)pixels->width * pixels->height <= DRAWING_RECTANGLES && y < pixels->height; y++)
        for (int x = 0, same; x < pixels->width; x += same) { /* what is alike side by side is one */
            const unsigned char *at = pixels->bytes + 3 * ((size_t)y * (size_t)pixels->width + (size_t)x);
            for (same = 1; x + same < pixels->width && memcmp(at, at + 3 * same, 3) == 0;)
                same++;
            fprintf(stream, "<rect x=\"%.2f\" y=\"%.2f\" width=\"%.2f\" height=\"%.2f\" fill=\"#%02x%02x%02x\"/>\n", x * side,
                    y * side, same * side, side, at[0], at[1], at[2]);
        }
    fprintf(stream, "</g>\n");
    for (int down = 0; rows && down < 2; down++) { /* which rows and columns these are, at the middle of some of them */
        int64_t count = down ? rows->high : rows->wide;
        double length = down ? height : width, most = length / (down ? 24 : 48), step = 1;
        for (int i = 0; (double)count / step > fmax(1, most); i++) /* 1, 2, 5, 10, 20, 50, ... */
            step *= i % 3 == 1 ? 2.5 : 2;
        for (int64_t i = 0; i < (int64_t)ceil((double)count / step); i++) {
            double at = (double)i * step;
            fprintf(stream, "<text x=\"%.1f\" y=\"%.1f\" font-size=\"11\" fill=\"#555555\" text-anchor=\"%s\">%.0f</text>\n",
                    down ? left - 6 : left + (at + 0.5) / (double)count * width,
                    down ? 44 + (at + 0.5) / (double)count * height : 40 + height + 15, down ? "end" : "middle", at);
        }
    }
    if (largest > least) {
        fprintf(stream, "<defs><linearGradient id=\"scale\">");
        for (int i = 0; i <= 16; i++) {
            unsigned char rgb[3];
            drawing_colour(i / 16.0, rgb);
            fprintf(stream, "<stop offset=\"%.4f\" stop-color=\"#%02x%02x%02x\"/>", i / 16.0, rgb[0], rgb[1], rgb[2]);
        }
        fprintf(stream,
                "</linearGradient></defs>\n<rect x=\"%.1f\" y=\"%.1f\" width=\"250\" height=\"12\" fill=\"url(#scale)\"/>\n"
                "<text x=\"%.1f\" y=\"%.1f\" fill=\"#555555\">%.4g</text><text x=\"%.1f\" y=\"%.1f\" fill=\"#555555\" "
                "text-anchor=\"end\">%.4g</text>\n",
                left, height + below + 54, left, height + below + 82, least, left + 250, height + below + 82, largest);
    }
    drawing_end(stream);
    return good;
}

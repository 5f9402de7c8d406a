/* progress.h - how training goes, for people: a bar while it runs, a curve afterwards. For the examples beside it.
 *
 * The bar, with the loss and the rate, is for terminals only: a file or a pipe gets whole lines and nothing that time has a part in.
 */
#ifndef EXAMPLES_PROGRESS_H
#define EXAMPLES_PROGRESS_H

#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

enum { PROGRESS_STEPS = 16384 };

typedef struct progress {
    int64_t steps, made, each; /* how many there will be, how many there were, and how many examples one has */
    bool terminal;
    double began, drawn;
    float losses[PROGRESS_STEPS];
} progress;

static inline double progress_clock(void) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

static inline void progress_begin(progress *p, int64_t steps, int64_t each) {
    memset(p, 0, sizeof *p);
    p->steps = steps < PROGRESS_STEPS ? steps : PROGRESS_STEPS;
    p->each = each;
    p->terminal = isatty(STDOUT_FILENO) == 1;
    p->began = progress_clock();
}

/* After each step. The bar is drawn ten times a second, over itself, and is gone after the last step. */
static inline void progress_step(progress *p, double loss) {
    static const char full[] = "##############################", none[] = "..............................";
    if (p->made < p->steps)
        p->losses[p->made++] = (float)loss;
    double now = p->terminal ? progress_clock() : 0;
    if (!p->terminal || (now - p->drawn < 0.1 && p->made < p->steps))
        return;
    p->drawn = now;
    int done = (int)(30 * p->made / p->steps);
    printf("\r[%.*s%.*s] %3d %%  loss %.4f  %.0f examples/s ", done, full, 30 - done, none, (int)(100 * p->made / p->steps),
           loss, (double)(p->made * p->each) / (now - p->began));
    if (p->made == p->steps)
        printf("\r\x1b[K");
    fflush(stdout);
}

/* The mean of the losses in part `part` of `parts`. */
static inline double progress_mean(const progress *p, int part, int parts) {
    int64_t from = p->made * part / parts, to = p->made * (part + 1) / parts;
    double sum = 0;
    for (int64_t i = from; i < to || i == from; i++)
        sum += (double)p->losses[i];
    return sum / (double)(to > from ? to - from : 1);
}

/* The losses from the first step to the last as a curve of characters. */
static inline void progress_curve(const progress *p) {
    enum { WIDE = 60, HIGH = 8 };
    double means[WIDE], most = 0;
    int columns = p->made < WIDE ? (int)p->made : WIDE;
    for (int x = 0; x < columns; x++)
        most = fmax(most, means[x] = progress_mean(p, x, columns));
    for (int y = 0; y < HIGH; y++) {
        printf("%8.3f |", most * (HIGH - y) / HIGH);
        for (int x = 0; x < columns; x++) {
            double height = means[x] / most * HIGH - (HIGH - 1 - y);
            putchar(height > 1 ? ' ' : height > 0.5 ? '\'' : height > 0 ? '.' : ' ');
        }
        putchar('\n');
    }
    printf("%8s +", "");
    for (int x = 0; x < columns; x++)
        putchar('-');
    printf(" %lld steps\n", (long long)p->made);
}

/* The same as a picture. False where the file cannot be written. */
static inline bool progress_svg(const progress *p, const char *path, const char *title) {
    enum { WIDE = 640, HIGH = 320, EDGE = 48, POINTS = 200 };
    FILE *file = fopen(path, "w");
    if (!file)
        return false;
    double most = 0;
    int points = p->made < POINTS ? (int)p->made : POINTS;
    for (int i = 0; i < points; i++)
        most = fmax(most, progress_mean(p, i, points));
    fprintf(file,
            "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 %d %d\" font-family=\"sans-serif\" font-size=\"13\">\n",
            WIDE, HIGH);
    fprintf(file, "<rect width=\"100%%\" height=\"100%%\" fill=\"white\"/><text x=\"%d\" y=\"24\">%s</text>\n", EDGE, title);
    for (int i = 0; i <= 4; i++) {
        double y = HIGH - EDGE - (HIGH - 2.0 * EDGE) * i / 4;
        fprintf(file, "<path d=\"M%d %.1fH%d\" stroke=\"#ddd\"/><text x=\"4\" y=\"%.1f\">%.2f</text>\n", EDGE, y, WIDE - EDGE,
                y + 4, most * i / 4);
    }
    fprintf(file, "<polyline fill=\"none\" stroke=\"#06c\" stroke-width=\"2\" points=\"");
    for (int i = 0; i < points; i++)
        fprintf(file, "%.1f,%.1f ", EDGE + (WIDE - 2.0 * EDGE) * i / (points > 1 ? points - 1 : 1),
                HIGH - EDGE - (HIGH - 2.0 * EDGE) * progress_mean(p, i, points) / (most > 0 ? most : 1));
    fprintf(file, "\"/>\n<text x=\"%d\" y=\"%d\">loss, over %lld steps</text>\n</svg>\n", EDGE, HIGH - 16, (long long)p->made);
    return fclose(file) == 0;
}

#endif

/* graph_drawing.h - a graph of gradients as SVG, for tn_graph_show and for the command, which reads what that wrote. It needs nothing but
 * the C library.
 *
 * Nodes stand in layers: each is one layer below the deepest of those that use it, and beside its neighbours in the order that makes
 * edges short (the mean of what it is joined to, as in Sugiyama, Tagawa and Toda, 1981). Edges over several layers go around the nodes
 * between, on the outer side.
 */
#ifndef TNI_GRAPH_DRAWING_H
#define TNI_GRAPH_DRAWING_H

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

typedef struct graph_place {
    int layer, number;
    double x;
} graph_place;

typedef struct graph_box {
    int layer, joined;
    double x, sum; /* x: of its middle, in boxes from the middle of the drawing */
} graph_box;

typedef struct graph_line {
    int from, to; /* from uses what `to` gave: a node of a larger number */
} graph_line;

/* Arrays of the caller's: boxes (all zero) and places for each of `count` nodes, and the lines, in the order of `from`. */
typedef struct graph_drawing {
    graph_box *boxes;
    graph_place *places;
    const graph_line *lines;
    int count, line_count, layers, widest;
} graph_drawing;

enum {
    GRAPH_WIDE = 190,
    GRAPH_HIGH = 44,
    GRAPH_GAP = 24,
    GRAPH_DOWN = 46,
    GRAPH_ROUNDS = 8,
    GRAPH_NAME = 22,
    GRAPH_OUTPUT = 30
};

static inline int graph_before(const void *a, const void *b) {
    const graph_place *x = a, *y = b;
    if (x->layer != y->layer)
        return x->layer < y->layer ? -1 : 1;
    return x->x < y->x ? -1 : x->x > y->x ? 1 : x->number < y->number ? -1 : x->number > y->number;
}

/* In the order of their layers and places, each layer about the middle. */
static inline void graph_line_up(graph_drawing *drawing) {
    for (int i = 0; i < drawing->count; i++)
        drawing->places[i] = (graph_place){drawing->boxes[i].layer, i, drawing->boxes[i].x};
    qsort(drawing->places, (size_t)drawing->count, sizeof *drawing->places, graph_before);
    drawing->widest = 0;
    for (int begin = 0, end; begin < drawing->count; begin = end) {
        for (end = begin; end < drawing->count && drawing->places[end].layer == drawing->places[begin].layer; end++)
            continue;
        for (int i = begin; i < end; i++)
            drawing->boxes[drawing->places[i].number].x = i - begin - (end - begin - 1) / 2.0;
        drawing->widest = end - begin > drawing->widest ? end - begin : drawing->widest;
    }
}

static inline void graph_pull_together(graph_drawing *drawing) {
    for (int i = 0; i < drawing->count; i++)
        drawing->boxes[i].sum = drawing->boxes[i].joined = 0;
    for (int i = 0; i < drawing->line_count; i++) {
        graph_box *from = &drawing->boxes[drawing->lines[i].from], *to = &drawing->boxes[drawing->lines[i].to];
        from->sum += to->x;
        to->sum += from->x;
        from->joined++;
        to->joined++;
    }
    for (int i = 0; i < drawing->count; i++)
        if (drawing->boxes[i].joined)
            drawing->boxes[i].x = drawing->boxes[i].sum / drawing->boxes[i].joined;
}

static inline void graph_lay_out(graph_drawing *drawing) {
    for (int i = 0; i < drawing->line_count; i++) {
        const graph_box *from = &drawing->boxes[drawing->lines[i].from];
        graph_box *to = &drawing->boxes[drawing->lines[i].to];
        to->layer = to->layer <= from->layer ? from->layer + 1 : to->layer;
    }
    drawing->layers = 0;
    for (int i = 0; i < drawing->count; i++) {
        drawing->boxes[i].x = i;
        drawing->layers = drawing->boxes[i].layer >= drawing->layers ? drawing->boxes[i].layer + 1 : drawing->layers;
    }
    graph_line_up(drawing);
    for (int round = 1; round < GRAPH_ROUNDS; round++) {
        graph_pull_together(drawing);
        graph_line_up(drawing);
    }
}

/* Where the text goes: fewer than GRAPH_PUT bytes at a time. */
enum { GRAPH_PUT = 600 };
typedef struct graph_paper {
    void (*put)(void *to, const char *format, ...);
    void *to;
} graph_paper;

static inline void graph_begin_svg(const graph_paper *paper, const graph_drawing *drawing) {
    int width = (drawing->widest + 1) * (GRAPH_WIDE + GRAPH_GAP) + 32, /* half a node on each side for edges that go around */
        height = drawing->layers * (GRAPH_HIGH + GRAPH_DOWN) - GRAPH_DOWN + 32;
    paper->put(paper->to,
               "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 %d %d\" width=\"%d\" height=\"%d\" "
               "font-family=\"sans-serif\" font-size=\"13\">\n<rect width=\"%d\" height=\"%d\" fill=\"#ffffff\"/>\n",
               width, height, width, height, width, height);
}

static inline double graph_across(const graph_drawing *drawing, double x) {
    return ((drawing->widest + 1) / 2.0 + x) * (GRAPH_WIDE + GRAPH_GAP) + 16;
}

/* Lines go from results to what they were made of; each ends in an arrow. */
static inline void graph_lines_svg(const graph_paper *paper, const graph_drawing *drawing) {
    double middle = graph_across(drawing, 0);
    for (int i = 0; i < drawing->line_count; i++) {
        const graph_box *from = &drawing->boxes[drawing->lines[i].from], *to = &drawing->boxes[drawing->lines[i].to];
        double x0 = graph_across(drawing, from->x), x1 = graph_across(drawing, to->x);
        double y0 = 16 + from->layer * (GRAPH_HIGH + GRAPH_DOWN) + GRAPH_HIGH, y1 = 16 + to->layer * (GRAPH_HIGH + GRAPH_DOWN);
        paper->put(paper->to, "<path fill=\"none\" stroke=\"#8a8a8a\" d=\"M%.1f %.1f", x0, y0);
        if (to->layer - from->layer > 1) { /* down the gap on the outer side, and back */
            bool left = x0 + x1 < 2 * middle;
            double x = ((x0 < x1) == left ? x0 : x1) + (left ? -0.5 : 0.5) * (GRAPH_WIDE + GRAPH_GAP);
            paper->put(paper->to, "C%.1f %.1f %.1f %.1f %.1f %.1fV%.1f", x0, y0 + GRAPH_DOWN / 2.0, x, y0 + GRAPH_DOWN / 2.0, x,
                       y0 + GRAPH_DOWN, y1 - GRAPH_DOWN);
            x0 = x;
            y0 = y1 - GRAPH_DOWN;
        }
        paper->put(paper->to,
                   "C%.1f %.1f %.1f %.1f %.1f %.1f\"/>\n"
                   "<path fill=\"#8a8a8a\" d=\"M%.1f %.1fl-4 -7h8z\"/>\n",
                   x0, y0 + GRAPH_DOWN / 2.0, x1, y1 - GRAPH_DOWN / 2.0 - 4, x1, y1 - 4, x1, y1);
    }
}

/* Text for XML, cut at `most` characters. */
static inline void graph_text_svg(const graph_paper *paper, const char *text, int most) {
    int left = strlen(text) > (size_t)most ? most - 3 : most;
    for (const char *at = text; *at && left > 0; at++, left--) {
        unsigned char byte = (unsigned char)*at;
        const char *name = byte == '&' ? "amp" : byte == '<' ? "lt" : byte == '>' ? "gt" : byte == '"' ? "quot" : NULL;
        if (name)
            paper->put(paper->to, "&%s;", name);
        else
            paper->put(paper->to, "%c", byte < ' ' || byte > '~' ? '?' : byte);
    }
    if (strlen(text) > (size_t)most)
        paper->put(paper->to, "...");
}

static inline void graph_box_svg(const graph_paper *paper, const graph_drawing *drawing, int number, const char *name,
                                 const char *output, bool leaf) {
    const graph_box *box = &drawing->boxes[number];
    double x = graph_across(drawing, box->x), y = 16 + box->layer * (GRAPH_HIGH + GRAPH_DOWN);
    paper->put(paper->to,
               "<rect x=\"%.1f\" y=\"%.1f\" width=\"%d\" height=\"%d\" rx=\"6\" fill=\"%s\" stroke=\"%s\"/>\n"
               "<text x=\"%.1f\" y=\"%.1f\" text-anchor=\"middle\" fill=\"#222222\">",
               x - GRAPH_WIDE / 2.0, y, GRAPH_WIDE, GRAPH_HIGH, leaf ? "#d3f0d5" : "#e3edfb", leaf ? "#69b276" : "#6a9be0", x,
               y + 18);
    graph_text_svg(paper, name, GRAPH_NAME);
    paper->put(paper->to, "</text><text x=\"%.1f\" y=\"%.1f\" text-anchor=\"middle\" fill=\"#555555\" font-size=\"11\">", x,
               y + 35);
    graph_text_svg(paper, output, GRAPH_OUTPUT);
    paper->put(paper->to, "</text>\n");
}

static inline void graph_end_svg(const graph_paper *paper) { paper->put(paper->to, "</svg>\n"); }

#endif

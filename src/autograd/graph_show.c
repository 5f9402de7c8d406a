/* graph_show.c - the graph behind a tensor as text: a line for each node, the newest first; for Graphviz; or drawn. */
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#include "autograd/graph_drawing.h"
#include "autograd/node_map.h"
#include "autograd/rebase.h"
#include "base/error.h"
#include "base/heap.h"
#include "base/say.h"

typedef struct show {
    tni_node_map numbers; /* node -> its place below, from 1 on */
    const tni_node **nodes;
    size_t count, room;
} show;

static bool show_note(show *s, const tni_node *node) {
    if (!node || tni_node_map_get(&s->numbers, node))
        return true;
    void *nodes = (void *)s->nodes;
    bool grown = tni_heap_grow(&nodes, &s->room, s->count + 1, sizeof *s->nodes);
    s->nodes = nodes;
    if (!grown || !tni_node_map_set(&s->numbers, node, (void *)(uintptr_t)1))
        return false;
    s->nodes[s->count++] = node;
    return true;
}

static int show_newer(const void *a, const void *b) {
    uint64_t x = (*(const tni_node *const *)a)->number, y = (*(const tni_node *const *)b)->number;
    return x > y ? -1 : x < y;
}

/* Every node that can be reached, the newest first, with its number. */
static bool show_collect(show *s, const tni_node *root) {
    bool done = show_note(s, root);
    for (size_t i = 0; done && i < s->count; i++)
        for (uint32_t k = 0; done && k < s->nodes[i]->edge_count; k++)
            done = show_note(s, s->nodes[i]->edges[k].node);
    if (done && s->count)
        qsort((void *)s->nodes, s->count, sizeof *s->nodes, show_newer);
    for (size_t i = 0; done && i < s->count; i++)
        done = tni_node_map_set(&s->numbers, s->nodes[i], (void *)(uintptr_t)(i + 1));
    return done;
}

static size_t show_number(const show *s, const tni_node *node) {
    return (size_t)(uintptr_t)tni_node_map_get(&s->numbers, node);
}

static void show_outputs(tni_said *said, const tni_node *node) {
    for (uint32_t i = 0; i < node->output_count; i++) {
        const tni_output *output = &node->outputs[i];
        tni_say(said, "%s [", tn_dtype_name((tn_dtype)output->dtype));
        for (int64_t d = 0; d < output->ndim; d++)
            tni_say(said, "%s%" PRId64, d ? ", " : "", output->sizes[d]);
        tni_say(said, "]%s", i + 1 < node->output_count ? ", " : "");
    }
}

static void show_text(const show *s, tni_said *said) {
    for (size_t i = 0; i < s->count; i++) {
        const tni_node *node = s->nodes[i];
        tni_say(said, "%zu %s ", i + 1, tni_node_name(node));
        show_outputs(said, node);
        for (uint32_t k = 0; k < node->edge_count; k++) {
            tni_say(said, k ? ", " : " from ");
            if (!node->edges[k].node)
                tni_say(said, "nothing");
            else
                tni_say(said, "%zu", show_number(s, node->edges[k].node));
            if (node->edges[k].output)
                tni_say(said, ".%u", (unsigned)node->edges[k].output);
        }
        tni_say(said, "\n");
    }
}

static void show_dot(const show *s, tni_said *said) {
    tni_say(said, "digraph gradients {\n    node [shape=box, fontname=monospace];\n");
    for (size_t i = 0; i < s->count; i++) {
        const tni_node *node = s->nodes[i];
        tni_say(said, "    n%zu [label=\"%s\\n", i + 1, tni_node_name(node));
        show_outputs(said, node);
        tni_say(said, "\"%s];\n", node->leaf ? ", style=filled, fillcolor=lightblue" : "");
        for (uint32_t k = 0; k < node->edge_count; k++)
            if (node->edges[k].node)
                tni_say(said, "    n%zu -> n%zu;\n", show_number(s, node->edges[k].node), i + 1);
    }
    tni_say(said, "}\n");
}

/* ---- drawn */

static void show_put(void *to, const char *format, ...) {
    char text[GRAPH_PUT];
    va_list arguments;
    va_start(arguments, format);
    (void)vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    tni_say(to, "%s", text);
}

static void show_boxes(const show *s, const graph_paper *paper, const graph_drawing *drawing) {
    for (size_t i = 0; i < s->count; i++) {
        char output[GRAPH_OUTPUT + 10] = "";
        tni_said said = {output, sizeof output, 0};
        show_outputs(&said, s->nodes[i]);
        graph_box_svg(paper, drawing, (int)i, tni_node_name(s->nodes[i]), output, s->nodes[i]->leaf);
    }
}

static int show_lines(const show *s, graph_line *lines) {
    int count = 0;
    for (size_t i = 0; i < s->count; i++)
        for (uint32_t k = 0; k < s->nodes[i]->edge_count; k++)
            if (s->nodes[i]->edges[k].node)
                lines[count++] = (graph_line){(int)i, (int)show_number(s, s->nodes[i]->edges[k].node) - 1};
    return count;
}

/* False, raised, where there is no memory, or the graph is too large to be drawn. */
static bool show_svg(const show *s, tni_said *said) {
    size_t lines = 0, limit = INT32_MAX / (GRAPH_HIGH + GRAPH_DOWN + GRAPH_WIDE + GRAPH_GAP);
    for (size_t i = 0; i < s->count; i++)
        lines += s->nodes[i]->edge_count;
    if (s->count >= limit || lines >= limit) {
        tni_raise(TN_ERROR_UNSUPPORTED, "the graph has %zu nodes and %zu edges: %zu of each can be drawn", s->count, lines,
                  limit);
        return false;
    }
    size_t bytes = s->count * (sizeof(graph_box) + sizeof(graph_place)) + lines * sizeof(graph_line);
    char *room = bytes ? tni_heap_alloc(bytes) : NULL;
    if (!room)
        return bytes == 0;
    graph_drawing drawing = {.boxes = (graph_box *)(void *)room, .count = (int)s->count};
    drawing.places = (graph_place *)(drawing.boxes + s->count);
    drawing.lines = (graph_line *)(drawing.places + s->count);
    memset(drawing.boxes, 0, s->count * sizeof *drawing.boxes);
    drawing.line_count = show_lines(s, (graph_line *)(drawing.places + s->count));
    graph_paper paper = {show_put, said};
    graph_lay_out(&drawing);
    graph_begin_svg(&paper, &drawing);
    graph_lines_svg(&paper, &drawing);
    show_boxes(s, &paper, &drawing);
    graph_end_svg(&paper);
    tni_heap_free(room, bytes);
    return true;
}

static int64_t graph_show(const tn_tensor *tensor, tn_graph_format format, char *buffer, size_t size) {
    tni_said said = {buffer, size, 0};
    tni_edge edge;
    show s = {.nodes = NULL};
    if (!tni_tensor_check(tensor, "tensor"))
        return -1;
    if (format != TN_GRAPH_TEXT && format != TN_GRAPH_DOT && format != TN_GRAPH_SVG) {
        tni_raise(TN_ERROR_ARGUMENT, "there is no format %d", (int)format);
        return -1;
    }
    if (!tni_slot_edge((tn_tensor *)(uintptr_t)tensor, &edge))
        return -1;
    tni_node_map_begin(&s.numbers);
    bool done = show_collect(&s, edge.node);
    tni_say(&said, "%s", ""); /* a buffer ends with a NUL even where there is nothing to show */
    if (done && format == TN_GRAPH_SVG)
        done = show_svg(&s, &said);
    else if (done)
        (format == TN_GRAPH_DOT ? show_dot : show_text)(&s, &said);
    tni_node_map_end(&s.numbers);
    tni_heap_free((void *)s.nodes, s.room * sizeof *s.nodes);
    tni_node_drop(edge.node);
    return done ? (int64_t)said.length : -1;
}

int64_t tn_graph_show(const tn_tensor *tensor, tn_graph_format format, char *buffer, size_t size) {
    const char *outer = tni_operator_enter("graph_show");
    int64_t length = graph_show(tensor, format, buffer, size);
    tni_operator_leave(outer);
    return length;
}

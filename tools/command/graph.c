/* graph.c - `tenon graph`: a graph of gradients, drawn. It is read as tn_graph_show wrote it (TN_GRAPH_TEXT): a line for each node,
 *
 *     1 SumBackward0 float64 [] from 2
 *     2 MulBackward0 float64 [2] from 3, nothing
 *
 * and drawn as the library draws one (TN_GRAPH_SVG): src/autograd/graph_drawing.h.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include <stdarg.h>

#include "../../src/autograd/graph_drawing.h"
#include "common.h"
#include "drawing.h"

static const char graph_usage[] =
    "usage: tenon graph [--svg FILE] [--json] [FILE]\n"
    "\n"
    "Draws what tn_graph_show(tensor, TN_GRAPH_TEXT, ...) wrote, from FILE or the standard input: results above, leaves below. Without --svg: as a tree in letters.\n"
    "\n"
    "  --svg FILE   a picture; '-' is the standard output\n"
    "  --json       nodes and edges, for programs\n"
    "\n"
    "  tenon graph graph.txt\n"
    "  ./my_program | tenon graph --svg graph.svg\n";

enum { GRAPH_NODES = 2000, GRAPH_EDGES = 8000, GRAPH_TEXT = 1 << 20 };

typedef struct graph_node {
    char name[64], output[96];
} graph_node;

typedef struct graph_drawn {
    graph_node nodes[GRAPH_NODES];
    int count;
    graph_line edges[GRAPH_EDGES];
    int edge_count;
    graph_box boxes[GRAPH_NODES];
    graph_place places[GRAPH_NODES];
} graph_drawn;

static bool graph_complain(int line, const char *what) {
    complain("graph", "line %d: %s", line, what);
    return false;
}

/* One line. */
static bool graph_read_line(graph_drawn *graph, char *text, int line) {
    int number = 0, used = 0;
    if (graph->count == GRAPH_NODES)
        return graph_complain(line, "the graph has more than 2000 nodes");
    graph_node *node = &graph->nodes[graph->count];
    if (sscanf(text, "%d %63s %n", &number, node->name, &used) < 2 || !used || number != graph->count + 1)
        return graph_complain(line, "this is not a node with its number, as tn_graph_show writes it");
    char *from = strstr(text + used, " from "), *end = from ? from : text + strlen(text);
    snprintf(node->output, sizeof node->output, "%.*s", (int)(end - (text + used) < 90 ? end - (text + used) : 90),
             text + used);
    graph->count++;
    for (char *at = from ? from + 5 : NULL; at && *at;) {
        at += strspn(at, " ,");
        char *rest;
        long other = strtol(at, &rest, 10);
        if (rest != at) {
            if (other <= number || other > GRAPH_NODES)
                return graph_complain(line, "an edge should lead to a later line");
            if (graph->edge_count == GRAPH_EDGES)
                return graph_complain(line, "the graph has more than 8000 edges");
            graph->edges[graph->edge_count].from = number - 1;
            graph->edges[graph->edge_count++].to = (int)other - 1;
        }
        at = rest != at ? rest + strcspn(rest, ",") : at + strcspn(at, ",");
    }
    return true;
}

static bool graph_read(graph_drawn *graph, char *text) {
    int line = 0;
    for (char *next = text; next && *next;) {
        char *at = next;
        next = strchr(next, '\n');
        if (next)
            *next++ = 0;
        line++;
        if (at[strspn(at, " \t\r")] && !graph_read_line(graph, at, line))
            return false;
    }
    for (int i = 0; i < graph->edge_count; i++)
        if (graph->edges[i].to >= graph->count)
            return graph_complain(line, "an edge leads to a node that is not there");
    return graph->count > 0 || graph_complain(line, "there is no graph");
}

static void graph_put(void *to, const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    vfprintf(to, format, arguments);
    va_end(arguments);
}

static void graph_svg(FILE *stream, const graph_drawn *graph, const graph_drawing *drawing) {
    graph_paper paper = {graph_put, stream};
    graph_begin_svg(&paper, drawing);
    graph_lines_svg(&paper, drawing);
    for (int i = 0; i < graph->count; i++)
        graph_box_svg(&paper, drawing, i, graph->nodes[i].name, graph->nodes[i].output,
                      strncmp(graph->nodes[i].name, "AccumulateGrad", 14) == 0);
    graph_end_svg(&paper);
}

/* In letters: a tree from the result down; what was shown already is named by its number. What has one source stands right above it, so that a
 * long chain stays at the left; several sources begin with a dash each, and further right. */
enum { GRAPH_DEEPEST = 12, GRAPH_INDENT = 4 };
static void graph_letters(const graph_drawn *graph, int node, int depth, bool begins, bool *shown) {
    int sources = 0, indent = GRAPH_INDENT * (depth < GRAPH_DEEPEST ? depth : GRAPH_DEEPEST), room = screen_width();
    printf("%*s%d ", indent, begins && indent ? "- " : "", node + 1);
    int said = say_name(stdout, graph->nodes[node].name, 0) + indent + 8;
    if (shown[node]) {
        printf(" (above)\n");
        return;
    }
    fputs("  ", stdout);
    say_name(stdout, graph->nodes[node].output, room ? (room - said < 12 ? 12 : room - said) : 0);
    fputs("\n", stdout);
    shown[node] = true;
    for (int i = 0; i < graph->edge_count; i++)
        sources += graph->edges[i].from == node;
    for (int i = 0; i < graph->edge_count; i++)
        if (graph->edges[i].from == node)
            graph_letters(graph, graph->edges[i].to, depth + (sources > 1), sources > 1, shown);
}

static void graph_json(const graph_drawn *graph) {
    printf("{\"nodes\": [");
    for (int i = 0; i < graph->count; i++) {
        printf(i ? ",\n  {\"name\": " : "\n  {\"name\": ");
        json_text(stdout, graph->nodes[i].name);
        printf(", \"output\": ");
        json_text(stdout, graph->nodes[i].output);
        printf(", \"layer\": %d}", graph->boxes[i].layer);
    }
    printf("],\n \"edges\": [");
    for (int i = 0; i < graph->edge_count; i++)
        printf(i ? ", [%d, %d]" : "[%d, %d]", graph->edges[i].from + 1, graph->edges[i].to + 1);
    printf("]}\n");
}

int command_graph(int argc, char **argv) {
    const char *given[1] = {NULL}, *svg = NULL;
    bool json = false;
    const option known[] = {{.name = "svg", .text = &svg}, {.name = "json", .flag = &json}};
    command_line line = {"graph", graph_usage, known, 2, 0, 1, given, 0};
    int status = options_read(&line, argc, argv);
    if (status >= 0)
        return status;
    static graph_drawn graph;
    static bool shown[GRAPH_NODES];
    char *text = drawing_read("graph", line.given_count ? given[0] : NULL, GRAPH_TEXT);
    if (!text)
        return COMMAND_FAILED;
    bool good = graph_read(&graph, text);
    free(text);
    if (!good)
        return COMMAND_FAILED;
    graph_drawing drawing = {graph.boxes, graph.places, graph.edges, graph.count, graph.edge_count, 0, 0};
    graph_lay_out(&drawing);
    if (json)
        graph_json(&graph);
    else if (!svg)
        graph_letters(&graph, 0, 0, false, shown);
    else {
        FILE *stream = drawing_open(svg);
        if (!stream)
            return COMMAND_FAILED;
        graph_svg(stream, &graph, &drawing);
        return drawing_close(stream, svg);
    }
    return COMMAND_OK;
}

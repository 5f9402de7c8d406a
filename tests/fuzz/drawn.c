/* drawn.c - fuzzes what `tenon graph` and `tenon memory` read: whatever the text, it is drawn or refused, and nothing is read or written beyond
 * its place. Their sources are included, because their readers are their own.
 */
#include <stdio.h>

static FILE *fuzz_nowhere; /* complaints go there; reports of sanitizers do not */
#undef stderr
#define stderr fuzz_nowhere

#include "../../tools/command/common.c"
#include "../../tools/command/drawing.c"
#include "../../tools/command/graph.c"
#include "../../tools/command/memory.c"
#include "../../tools/command/terminal.c"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int command_failed(void) { return COMMAND_FAILED; }
int command_misused(const char *name, const char *expected) { return (void)name, (void)expected, COMMAND_MISUSED; }

static void fuzz_drawn_graph(char *text, FILE *nowhere) {
    static graph_drawn graph;
    memset(&graph, 0, sizeof graph);
    if (!graph_read(&graph, text))
        return;
    graph_drawing drawing = {graph.boxes, graph.places, graph.edges, graph.count, graph.edge_count, 0, 0};
    graph_lay_out(&drawing);
    graph_svg(nowhere, &graph, &drawing);
}

static void fuzz_drawn_memory(const char *text, FILE *nowhere) {
    static memory_drawn memory;
    memset(&memory, 0, sizeof memory);
    memory.blocks = malloc(MEMORY_BLOCKS * sizeof *memory.blocks);
    memory.begin = memory.at = text;
    if (memory.blocks && memory_object(&memory, memory_whole, NULL))
        memory_svg(nowhere, &memory, 1, 1);
    free(memory.blocks);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    if (!fuzz_nowhere && !(fuzz_nowhere = fopen("/dev/null", "w")))
        abort();
    char *text = malloc(size + 1);
    if (!text)
        return 0;
    if (size)
        memcpy(text, data, size);
    text[size] = 0;
    fuzz_drawn_memory(text, fuzz_nowhere);
    fuzz_drawn_graph(text, fuzz_nowhere);
    free(text);
    return 0;
}

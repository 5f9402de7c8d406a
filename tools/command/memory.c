/* memory.c - `tenon memory`: an allocator's snapshot (tn_allocator_snapshot), drawn: each segment a bar, cut into its blocks.
 *
 * The JSON is read by a small reader of just that: values that are not known are passed over, and nothing is deeper than MEMORY_DEPTH.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "common.h"
#include "drawing.h"

static const char memory_usage[] =
    "usage: tenon memory [--svg FILE] [--json] [--ascii] [FILE]\n"
    "\n"
    "Draws what tn_allocator_snapshot wrote, from FILE or the standard input: what is in use, what is kept for later, and the gaps.\n"
    "\n"
    "  ./my_program | tenon memory\n"
    "  tenon memory --svg memory.svg snapshot.json\n";

enum { MEMORY_TEXT = 64 << 20, MEMORY_DEPTH = 32, MEMORY_SEGMENTS = 2000, MEMORY_BLOCKS = 60000 };

typedef struct memory_block {
    double offset, size, used, cached; /* bytes */
} memory_block;

typedef struct memory_segment {
    double size, used, cached;
    char kind[24], address[24];
    int first, count; /* of blocks */
} memory_segment;

typedef struct memory_drawn {
    char allocator[64];
    memory_segment segments[MEMORY_SEGMENTS];
    int segment_count;
    memory_block *blocks;
    int block_count;
    /* reading */
    const char *begin, *at;
    const char *wrong;
} memory_drawn;

/* ---- JSON */

static bool memory_is(memory_drawn *memory, char wanted) {
    memory->at += strspn(memory->at, " \t\r\n");
    if (*memory->at != wanted)
        return false;
    memory->at++;
    return true;
}

static bool memory_fail(memory_drawn *memory, const char *what) {
    if (!memory->wrong)
        memory->wrong = what;
    return false;
}

/* A text; escapes stay as they are: what is read here has none. */
static bool memory_text(memory_drawn *memory, char *text, size_t room) {
    if (!memory_is(memory, '"'))
        return memory_fail(memory, "a text should be here");
    size_t used = 0;
    for (; *memory->at && *memory->at != '"'; memory->at++) {
        if (*memory->at == '\\' && memory->at[1])
            memory->at++;
        if (used + 1 < room)
            text[used++] = (unsigned char)*memory->at < ' ' || *memory->at == 127 ? '?' : *memory->at;
    }
    text[used] = 0;
    return memory_is(memory, '"') || memory_fail(memory, "a text has no end");
}

static bool memory_skip(memory_drawn *memory, int depth);

/* Calls `member` for each key of an object, which reads the value. */
typedef bool (*memory_member)(memory_drawn *memory, const char *key, void *ctx);
static bool memory_object(memory_drawn *memory, memory_member member, void *ctx) {
    char key[64];
    if (!memory_is(memory, '{'))
        return memory_fail(memory, "an object should be here");
    if (memory_is(memory, '}'))
        return true;
    do {
        if (!memory_text(memory, key, sizeof key) || !(memory_is(memory, ':') || memory_fail(memory, "a ':' should be here")) ||
            !member(memory, key, ctx))
            return false;
    } while (memory_is(memory, ','));
    return memory_is(memory, '}') || memory_fail(memory, "a '}' should be here");
}

static bool memory_array(memory_drawn *memory, memory_member item, void *ctx) {
    if (!memory_is(memory, '['))
        return memory_fail(memory, "an array should be here");
    if (memory_is(memory, ']'))
        return true;
    do {
        if (!item(memory, "", ctx))
            return false;
    } while (memory_is(memory, ','));
    return memory_is(memory, ']') || memory_fail(memory, "a ']' should be here");
}

static bool memory_skip_member(memory_drawn *memory, const char *key, void *ctx) {
    (void)key;
    return memory_skip(memory, *(int *)ctx);
}

static bool memory_skip(memory_drawn *memory, int depth) {
    char text[8];
    int deeper = depth + 1;
    memory->at += strspn(memory->at, " \t\r\n");
    if (depth > MEMORY_DEPTH)
        return memory_fail(memory, "values inside values, too deep");
    if (*memory->at == '{')
        return memory_object(memory, memory_skip_member, &deeper);
    if (*memory->at == '[')
        return memory_array(memory, memory_skip_member, &deeper);
    if (*memory->at == '"')
        return memory_text(memory, text, sizeof text);
    size_t length = strspn(memory->at, "0123456789+-.eEtruefalsn");
    memory->at += length;
    return length > 0 || memory_fail(memory, "a value should be here");
}

static bool memory_number(memory_drawn *memory, double *number) {
    char *end;
    memory->at += strspn(memory->at, " \t\r\n");
    bool truth = strncmp(memory->at, "true", 4) == 0;
    if (truth || strncmp(memory->at, "false", 5) == 0) {
        *number = truth;
        return memory_skip(memory, 0);
    }
    *number = strtod(memory->at, &end);
    if (end == memory->at || !(*number >= 0 && *number < 1e18))
        return memory_fail(memory, "a number of bytes, or of blocks, should be here");
    memory->at = end;
    return true;
}

/* ---- the snapshot */

typedef struct memory_cells {
    double offset, size, block, blocks, used, cached;
} memory_cells;

static bool memory_cell(memory_drawn *memory, const char *key, void *ctx) {
    memory_cells *cells = ctx;
    double *to = strcmp(key, "offset") == 0   ? &cells->offset
                 : strcmp(key, "size") == 0   ? &cells->size
                 : strcmp(key, "block") == 0  ? &cells->block
                 : strcmp(key, "blocks") == 0 ? &cells->blocks
                 : strcmp(key, "used") == 0   ? &cells->used
                 : strcmp(key, "cached") == 0 ? &cells->cached
                                              : NULL;
    return to ? memory_number(memory, to) : memory_skip(memory, 0);
}

/* A slab counts its blocks; a block is in use or not. */
static bool memory_piece(memory_drawn *memory, const char *key, void *ctx) {
    (void)key;
    memory_segment *segment = ctx;
    memory_cells cells = {0};
    if (!memory_object(memory, memory_cell, &cells))
        return false;
    if (memory->block_count == MEMORY_BLOCKS)
        return memory_fail(memory, "more than 60000 blocks");
    bool slab = cells.block > 0;
    memory_block block = {cells.offset, cells.size,
                          slab             ? cells.used * cells.block
                          : cells.used > 0 ? cells.size
                                           : 0,
                          slab ? cells.cached * cells.block : 0};
    segment->used += block.used;
    segment->cached += block.cached;
    segment->count++;
    memory->blocks[memory->block_count++] = block;
    return true;
}

static bool memory_segment_member(memory_drawn *memory, const char *key, void *ctx) {
    memory_segment *segment = ctx;
    if (strcmp(key, "size") == 0)
        return memory_number(memory, &segment->size);
    if (strcmp(key, "kind") == 0)
        return memory_text(memory, segment->kind, sizeof segment->kind);
    if (strcmp(key, "address") == 0)
        return memory_text(memory, segment->address, sizeof segment->address);
    if (strcmp(key, "slabs") == 0 || strcmp(key, "blocks") == 0)
        return memory_array(memory, memory_piece, segment);
    return memory_skip(memory, 0);
}

static bool memory_add_segment(memory_drawn *memory, const char *key, void *ctx) {
    (void)key, (void)ctx;
    if (memory->segment_count == MEMORY_SEGMENTS)
        return memory_fail(memory, "more than 2000 segments");
    memory_segment *segment = &memory->segments[memory->segment_count++];
    *segment = (memory_segment){.first = memory->block_count};
    return memory_object(memory, memory_segment_member, segment);
}

static bool memory_whole(memory_drawn *memory, const char *key, void *ctx) {
    if (strcmp(key, "allocator") == 0)
        return memory_text(memory, memory->allocator, sizeof memory->allocator);
    if (strcmp(key, "segments") == 0)
        return memory_array(memory, memory_add_segment, ctx);
    return memory_skip(memory, 0);
}

/* ---- drawing */

/* In letters: # in use, + kept for a thread, . free. */
static void memory_letters(const memory_drawn *memory, bool ascii) {
    int width = screen_width() ? screen_width() : 100, room = width - 40 < 20 ? 20 : width - 40;
    for (int i = 0; i < memory->segment_count; i++) {
        const memory_segment *segment = &memory->segments[i];
        char size[TERMINAL_BYTES_SIZE], used[TERMINAL_BYTES_SIZE];
        printf("%-6.6s %11s ", segment->kind, say_many_bytes(size, segment->size));
        for (int x = 0; x < room; x++) {
            double from = segment->size * x / room, to = segment->size * (x + 1) / room, full = 0, kept = 0;
            for (int k = segment->first; k < segment->first + segment->count; k++) {
                const memory_block *block = &memory->blocks[k];
                double share = fmin(to, block->offset + block->size) - fmax(from, block->offset);
                if (share > 0 && block->size > 0) {
                    full += share * block->used / block->size;
                    kept += share * block->cached / block->size;
                }
            }
            double part = full / (to - from);
            if (ascii)
                fputc(part > 0.5 ? '#' : part > 0 ? '=' : kept > 0 ? '+' : '.', stdout);
            else
                fputs(part > 0.75  ? "\u2588"
                      : part > 0.4 ? "\u2593"
                      : part > 0   ? "\u2592"
                      : kept > 0   ? "\u2591"
                                   : "\u00b7",
                      stdout);
        }
        printf(" %s used\n", say_many_bytes(used, segment->used));
    }
}

static void memory_svg(FILE *stream, const memory_drawn *memory, double size, double used) {
    double largest = 1, width = 900, left = 150, room = width - left - 110;
    for (int i = 0; i < memory->segment_count; i++)
        largest = fmax(largest, memory->segments[i].size);
    double height = 84 + 30.0 * memory->segment_count;
    char all[TERMINAL_BYTES_SIZE], part[TERMINAL_BYTES_SIZE];
    fprintf(
        stream,
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 %.0f %.0f\" width=\"%.0f\" height=\"%.0f\" font-family=\"sans-serif\" "
        "font-size=\"12\">\n<rect width=\"%.0f\" height=\"%.0f\" fill=\"#ffffff\"/>\n<text x=\"16\" y=\"26\" font-size=\"15\" fill=\"#222222\">",
        width, height, width, height, width, height);
    drawing_text(stream, memory->allocator);
    fprintf(stream, ": %s of %s in use, %d segments</text>\n", say_many_bytes(part, used), say_many_bytes(all, size),
            memory->segment_count);
    static const char *const words[] = {"in use", "kept by a thread", "free"}, *const colours[] = {"#3f78c1", "#f0c463",
                                                                                                   "#e9edf2"};
    for (int i = 0; i < 3; i++)
        fprintf(
            stream,
            "<rect x=\"%d\" y=\"40\" width=\"14\" height=\"12\" fill=\"%s\" stroke=\"#b5bcc6\"/><text x=\"%d\" y=\"51\" fill=\"#444444\">%s</text>\n",
            16 + 140 * i, colours[i], 36 + 140 * i, words[i]);
    for (int i = 0; i < memory->segment_count; i++) {
        const memory_segment *segment = &memory->segments[i];
        double y = 70 + 30.0 * i, wide = fmax(3, segment->size / largest * room);
        fprintf(stream, "<text x=\"16\" y=\"%.1f\" fill=\"#444444\">", y + 15);
        drawing_text(stream, segment->kind);
        fprintf(stream, "</text><text x=\"%.1f\" y=\"%.1f\" fill=\"#444444\" text-anchor=\"end\">%s</text>\n", left - 10,
                y + 15, say_many_bytes(all, segment->size));
        fprintf(stream, "<rect x=\"%.1f\" y=\"%.1f\" width=\"%.1f\" height=\"22\" fill=\"#e9edf2\" stroke=\"#b5bcc6\"/>\n",
                left, y, wide);
        for (int k = segment->first; k < segment->first + segment->count; k++) {
            const memory_block *block = &memory->blocks[k];
            if (block->size <= 0 || segment->size <= 0 || block->offset + block->size > segment->size)
                continue;
            double x = left + block->offset / segment->size * wide, across = block->size / segment->size * wide;
            double high = 22 * fmin(1, block->used / block->size),
                   kept = 22 * fmin(1, (block->used + block->cached) / block->size) - high;
            /* a slab is as full from below as its blocks are used */
            if (kept > 0)
                fprintf(stream, "<rect x=\"%.2f\" y=\"%.2f\" width=\"%.2f\" height=\"%.2f\" fill=\"#f0c463\"/>", x,
                        y + 22 - high - kept, across, kept);
            if (high > 0)
                fprintf(stream, "<rect x=\"%.2f\" y=\"%.2f\" width=\"%.2f\" height=\"%.2f\" fill=\"#3f78c1\"/>", x,
                        y + 22 - high, across, high);
            if (across > 3)
                fprintf(stream, "<path stroke=\"#ffffff\" stroke-width=\"0.8\" d=\"M%.2f %.1fv22\"/>", x + across, y);
            fputs("\n", stream);
        }
        fprintf(stream, "<text x=\"%.1f\" y=\"%.1f\" fill=\"#444444\">%.0f %%</text>\n", left + wide + 8, y + 15,
                segment->size > 0 ? 100 * segment->used / segment->size : 0);
    }
    fprintf(stream, "</svg>\n");
}

int command_memory(int argc, char **argv) {
    const char *given[1] = {NULL}, *svg = NULL;
    bool json = false, ascii = false;
    const option known[] = {{.name = "svg", .text = &svg}, {.name = "json", .flag = &json}, {.name = "ascii", .flag = &ascii}};
    command_line line = {"memory", memory_usage, known, 3, 0, 1, given, 0};
    int status = options_read(&line, argc, argv);
    if (status >= 0)
        return status;
    static memory_drawn memory;
    char *text = drawing_read("memory", line.given_count ? given[0] : NULL, MEMORY_TEXT);
    memory.blocks = text ? malloc(MEMORY_BLOCKS * sizeof *memory.blocks) : NULL;
    memory.begin = memory.at = text;
    status = COMMAND_FAILED;
    if (memory.blocks && !memory_object(&memory, memory_whole, NULL))
        complain("memory", "byte %td: %s", memory.at - memory.begin, memory.wrong);
    else if (memory.blocks) {
        double size = 0, used = 0, cached = 0;
        for (int i = 0; i < memory.segment_count; i++) {
            size += memory.segments[i].size;
            used += memory.segments[i].used;
            cached += memory.segments[i].cached;
        }
        char all[TERMINAL_BYTES_SIZE], part[TERMINAL_BYTES_SIZE];
        status = COMMAND_OK;
        if (json) {
            printf("{\"allocator\": ");
            json_text(stdout, memory.allocator);
            printf(", \"segments\": %d, \"blocks\": %d, \"size\": %.0f, \"used\": %.0f, \"cached\": %.0f}\n",
                   memory.segment_count, memory.block_count, size, used, cached);
        } else if (svg) {
            FILE *stream = drawing_open(svg);
            if (stream)
                memory_svg(stream, &memory, size, used);
            status = stream ? drawing_close(stream, svg) : COMMAND_FAILED;
        } else {
            say_name(stdout, memory.allocator, 0);
            printf(": %s of %s in use, %d segments\n", say_many_bytes(part, used), say_many_bytes(all, size),
                   memory.segment_count);
            memory_letters(&memory, ascii || !screen_has_unicode());
        }
    }
    free(memory.blocks);
    free(text);
    return status;
}

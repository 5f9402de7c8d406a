/* info.c - `tenon info`: what a file of tensors holds, as a table or a tree, from its header alone. */
#include <stdlib.h>
#include <string.h>

#include "common.h"

static const char info_usage[] =
    "usage: tenon info [--tree] [--nodes] [--json] [--only PATTERN]... [--format F] [--dtype D] [--shape N,N] FILE...\n"
    "\n"
    "What files of tensors hold: names, dtypes, shapes, bytes, metadata. Only headers are read.\n"
    "\n"
    "  --tree           by the parts of their names, with totals\n"
    "  --nodes          of an ONNX file also what its graph does, node by node\n"
    "  --only PATTERN   names that match, or match one of several; * stands for anything\n"
    "  --json           for programs\n"
    "  --format F       npy, npz, safetensors, pt, gguf, onnx, csv, tsv or raw, instead of finding out\n"
    "  --dtype, --shape of raw bytes and text\n"
    "\n"
    "  tenon info model.safetensors\n"
    "  tenon info --tree --only 'encoder.*' checkpoint.pt\n"
    "  tenon info --nodes model.onnx\n"
    "  tenon info --json model.onnx | python3 -m json.tool\n"
    "  xz -d < weights.npz.xz | tenon info -\n";

typedef struct info_wanted {
    bool tree, json, nodes;
    text_list only;
} info_wanted;

static bool info_describe(const tn_file *file, int64_t i, const text_list *only, tn_file_tensor *about) {
    *about = (tn_file_tensor)TN_FILE_TENSOR;
    return tn_file_describe(file, i, about) == TN_OK && name_wanted(only, about->name);
}

static int64_t info_numel(const tn_file_tensor *about) {
    int64_t numel = 1;
    for (int64_t i = 0; i < about->sizes.count; i++)
        numel *= about->sizes.values[i];
    return numel;
}

static void info_names_json(const char *what, const char *const *names, int64_t count) {
    printf(", \"%s\": [", what);
    for (int64_t i = 0; i < count; i++) {
        fputs(i ? ", " : "", stdout);
        json_text(stdout, names[i]);
    }
    printf("]");
}

static void info_nodes_json(const tn_file *file) {
    tn_file_node node = TN_FILE_NODE;
    printf(" \"nodes\": [");
    for (int64_t i = 0; i < tn_file_node_count(file) && tn_file_describe_node(file, i, &node) == TN_OK; i++) {
        printf(i ? ",\n  {\"operation\": " : "\n  {\"operation\": ");
        json_text(stdout, node.operation);
        printf(", \"domain\": ");
        json_text(stdout, node.domain);
        printf(", \"name\": ");
        json_text(stdout, node.name);
        info_names_json("inputs", node.inputs, node.input_count);
        info_names_json("outputs", node.outputs, node.output_count);
        printf("}");
    }
    printf("],\n");
}

/* Conv "stem": x, stem.weight -> y, and - for what is left out. */
static char *info_node(const tn_file_node *node) {
    char *text = NULL;
    size_t length = 0;
    FILE *to = open_memstream(&text, &length);
    if (!to)
        return NULL;
    fprintf(to, "%s%s%s", node->domain, *node->domain ? "." : "", node->operation);
    if (*node->name)
        fprintf(to, " \"%s\"", node->name);
    for (int64_t i = 0; i < node->input_count; i++)
        fprintf(to, "%s%s", i ? ", " : ": ", *node->inputs[i] ? node->inputs[i] : "-");
    for (int64_t i = 0; i < node->output_count; i++)
        fprintf(to, "%s%s", i ? ", " : " -> ", *node->outputs[i] ? node->outputs[i] : "-");
    if (fclose(to) != 0) {
        free(text);
        return NULL;
    }
    return text;
}

static void info_nodes(const tn_file *file) {
    tn_file_node node = TN_FILE_NODE;
    int width = screen_width();
    for (int64_t i = 0; i < tn_file_node_count(file) && tn_file_describe_node(file, i, &node) == TN_OK; i++) {
        char *text = info_node(&node);
        printf(i ? "        %5lld  " : "  nodes %5lld  ", (long long)i);
        say_name(stdout, text ? text : node.operation, width ? (width - 15 < 12 ? 12 : width - 15) : 0);
        printf("\n");
        free(text);
    }
}

static void info_json(const char *path, const tn_file *file, const info_wanted *wanted) {
    printf("{\"file\": ");
    json_text(stdout, path);
    printf(", \"format\": ");
    json_text(stdout, tn_file_format(file));
    printf(",\n \"metadata\": {");
    for (int64_t i = 0; i < tn_file_metadata_count(file); i++) {
        const char *name = tn_file_metadata_name(file, i);
        printf(i ? ", " : "");
        json_text(stdout, name);
        printf(": ");
        json_text(stdout, tn_file_metadata(file, name));
    }
    printf("},\n");
    if (wanted->nodes)
        info_nodes_json(file);
    printf(" \"tensors\": [");
    bool first = true;
    tn_file_tensor about;
    for (int64_t i = 0; i < tn_file_count(file); i++)
        if (info_describe(file, i, &wanted->only, &about)) {
            printf(first ? "\n  {\"name\": " : ",\n  {\"name\": ");
            json_text(stdout, about.name);
            printf(", \"dtype\": \"%s\", \"shape\": ", tn_dtype_name(about.dtype));
            json_dims(stdout, about.sizes);
            printf(", \"offset\": %llu, \"bytes\": %llu, \"encoding\": ", (unsigned long long)about.offset,
                   (unsigned long long)about.bytes);
            json_text(stdout, about.encoding);
            printf("}");
            first = false;
        }
    printf("]}");
}

/* ---- the table */

typedef struct info_widths {
    int name, dtype, shape, bytes;
} info_widths;

static void info_row(const tn_file_tensor *about, char dtype[80], char shape[512], char bytes[TERMINAL_BYTES_SIZE]) {
    snprintf(dtype, 80, about->encoding[0] ? "%s (%s)" : "%s", tn_dtype_name(about->dtype), about->encoding);
    say_shape(shape, about->sizes);
    say_bytes(bytes, about->bytes);
}

static void info_table(const tn_file *file, const info_wanted *wanted) {
    info_widths widths = {4, 5, 5, 5};
    char dtype[80], shape[512], bytes[TERMINAL_BYTES_SIZE];
    tn_file_tensor about;
    for (int64_t i = 0; i < tn_file_count(file); i++)
        if (info_describe(file, i, &wanted->only, &about)) {
            int columns = name_columns(about.name);
            info_row(&about, dtype, shape, bytes);
            widths.name = columns > widths.name ? columns : widths.name;
            widths.dtype = (int)strlen(dtype) > widths.dtype ? (int)strlen(dtype) : widths.dtype;
            widths.shape = (int)strlen(shape) > widths.shape ? (int)strlen(shape) : widths.shape;
            widths.bytes = (int)strlen(bytes) > widths.bytes ? (int)strlen(bytes) : widths.bytes;
        }
    int room = screen_width();
    if (room) {
        room -= widths.dtype + widths.shape + widths.bytes + 8;
        widths.name = widths.name <= room ? widths.name : room < 12 ? 12 : room;
    }
    printf("  %-*s  %-*s  %-*s  %*s\n", widths.name, "name", widths.dtype, "dtype", widths.shape, "shape", widths.bytes,
           "bytes");
    for (int64_t i = 0; i < tn_file_count(file); i++)
        if (info_describe(file, i, &wanted->only, &about)) {
            info_row(&about, dtype, shape, bytes);
            printf("  ");
            int said = say_name(stdout, about.name, widths.name);
            printf("%*s  %-*s  %-*s  %*s\n", widths.name - said, "", widths.dtype, dtype, widths.shape, shape, widths.bytes,
                   bytes);
        }
}

/* ---- the tree: tensors in the order of their names' parts; a part that several share is a line of its own */

typedef struct info_leaf {
    tn_file_tensor about;
} info_leaf;

static int info_order(const void *a, const void *b) {
    const char *x = ((const info_leaf *)a)->about.name, *y = ((const info_leaf *)b)->about.name;
    for (;;) { /* part by part; numbers by their value */
        size_t m = strcspn(x, "."), n = strcspn(y, ".");
        bool numbers = m && n && strspn(x, "0123456789") >= m && strspn(y, "0123456789") >= n && m < 18 && n < 18;
        if (numbers && atoll(x) != atoll(y))
            return atoll(x) < atoll(y) ? -1 : 1;
        int by = memcmp(x, y, m < n ? m : n);
        if (by || m != n)
            return by ? by : m < n ? -1 : 1;
        if (!x[m] || !y[n])
            return (x[m] != 0) - (y[n] != 0);
        x += m + 1;
        y += n + 1;
    }
}

enum { INFO_DEPTH = 30 };

static void info_branch(const info_leaf *leaves, int64_t count, size_t skip, int depth, int room) {
    for (int64_t i = 0; i < count;) {
        const char *part = leaves[i].about.name + skip;
        size_t length = depth < INFO_DEPTH ? strcspn(part, ".") : strlen(part);
        int64_t end = i + 1, elements = info_numel(&leaves[i].about);
        unsigned long long bytes = leaves[i].about.bytes;
        for (; part[length] == '.' && end < count; end++) {
            const char *other = leaves[end].about.name;
            if (strlen(other) <= skip + length || memcmp(other, leaves[i].about.name, skip + length) != 0 ||
                other[skip + length] != '.')
                break;
            elements += info_numel(&leaves[end].about);
            bytes += leaves[end].about.bytes;
        }
        char shape[512], dtype[80], size[TERMINAL_BYTES_SIZE], name[1200];
        if (end - i == 1) { /* one tensor: all that is left of its name */
            info_row(&leaves[i].about, dtype, shape, size);
            printf("  %*s", 2 * depth, "");
            int left = room ? room - 2 * depth - (int)strlen(dtype) - (int)strlen(shape) - (int)strlen(size) - 8 : 0;
            say_name(stdout, part, room && left < 12 ? 12 : left);
            printf("  %s %s  %s\n", dtype, shape, size);
        } else {
            snprintf(name, sizeof name, "%.*s", (int)(length < 1000 ? length : 1000), part);
            printf("  %*s", 2 * depth, "");
            int rest = snprintf(shape, sizeof shape, "  [%lld tensors, %lld elements, %s]", (long long)(end - i),
                                (long long)elements, say_bytes(size, bytes)),
                left = room - 2 * depth - 2 - rest;
            say_name(stdout, name, room && left < 12 ? 12 : room ? left : 0);
            printf("%s\n", shape);
            info_branch(leaves + i, end - i, skip + length + 1, depth + 1, room);
        }
        i = end;
    }
}

static int info_tree(const tn_file *file, const info_wanted *wanted) {
    int64_t count = 0, all = tn_file_count(file);
    info_leaf *leaves = calloc(all > 0 ? (size_t)all : 1, sizeof *leaves);
    if (!leaves)
        return command_misused("info", "there is no memory for the tree");
    for (int64_t i = 0; i < all; i++)
        if (info_describe(file, i, &wanted->only, &leaves[count].about))
            count++;
    qsort(leaves, (size_t)count, sizeof *leaves, info_order);
    info_branch(leaves, count, 0, 0, screen_width());
    free(leaves);
    return COMMAND_OK;
}

static int info_file(const char *path, const tn_file *file, const info_wanted *wanted) {
    char bytes[TERMINAL_BYTES_SIZE];
    unsigned long long total = 0;
    int64_t count = 0, elements = 0;
    tn_file_tensor about;
    for (int64_t i = 0; i < tn_file_count(file); i++)
        if (info_describe(file, i, &wanted->only, &about)) {
            count++;
            elements += info_numel(&about);
            total += about.bytes;
        }
    char rest[200];
    int length = snprintf(rest, sizeof rest, ": %s, %lld tensor%s, %lld elements, %s", tn_file_format(file), (long long)count,
                          count == 1 ? "" : "s", (long long)elements, say_bytes(bytes, total)),
        width = screen_width();
    say_name(stdout, path, width ? (width - length < 12 ? 12 : width - length) : 0);
    printf("%s\n", rest);
    for (int64_t i = 0; i < tn_file_metadata_count(file); i++) {
        const char *name = tn_file_metadata_name(file, i);
        int room = screen_width();
        printf("  %s = ", i ? "        " : "metadata");
        int said = say_name(stdout, name, room && room < 80 ? 24 : 40);
        printf(": ");
        say_name(stdout, tn_file_metadata(file, name), room ? (room - said - 15 < 12 ? 12 : room - said - 15) : 200);
        printf("\n");
    }
    if (wanted->nodes)
        info_nodes(file);
    if (!count)
        return COMMAND_OK;
    if (wanted->tree)
        return info_tree(file, wanted);
    info_table(file, wanted);
    return COMMAND_OK;
}

int command_info(int argc, char **argv) {
    enum { FILES = 1000 };
    static const char *given[FILES];
    info_wanted wanted = {.tree = false};
    source_options source = {NULL, NULL, NULL, false};
    const option known[] = {{.name = "tree", .flag = &wanted.tree},     {.name = "nodes", .flag = &wanted.nodes},
                            {.name = "json", .flag = &wanted.json},     {.name = "only", .many = &wanted.only},
                            {.name = "format", .text = &source.format}, {.name = "dtype", .text = &source.dtype},
                            {.name = "shape", .text = &source.shape}};
    command_line all = {"info", info_usage, known, 7, 1, FILES, given, 0};
    int status = options_read(&all, argc, argv);
    if (status >= 0)
        return status;
    status = COMMAND_OK;
    if (wanted.json)
        printf("[");
    bool said = false;
    for (int i = 0; i < all.given_count; i++) {
        tn_file *file = source_open(given[i], &source);
        if (!file) {
            tn_error_clear();
            status = COMMAND_FAILED;
            continue;
        }
        if (wanted.json) {
            fputs(said ? ",\n" : "", stdout);
            info_json(given[i], file, &wanted);
        } else {
            fputs(said ? "\n" : "", stdout);
            int outcome = info_file(given[i], file, &wanted);
            status = outcome ? outcome : status;
        }
        said = true;
        tn_file_release(file);
    }
    if (wanted.json)
        printf("]\n");
    return status;
}

/* tour.c - `tenon tour`: what Tenon does, shown by doing it. Every number printed is asked of the library at that moment.
 *
 * A chapter is one function in the table at the end (tour.h says what it may do); those about views are in tour_views.c, those
 * about many elements at once in tour_data.c, and those about training in tour_train.c.
 */
#include <stdio.h>
#include <string.h>
#include <sys/resource.h>

#include "common.h"
#include "tour.h"

enum { DIMS_TEXT = 128, BIG = 10 * 1000 * 1000 };

/* ---- showing things ------------------------------------------------------------------------------------------------ */

static const char *dims_text(char buffer[DIMS_TEXT], tn_dims dims) {
    size_t used = (size_t)snprintf(buffer, DIMS_TEXT, "(");
    for (int64_t i = 0; i < dims.count && used < DIMS_TEXT; i++)
        used += (size_t)snprintf(buffer + used, DIMS_TEXT - used, "%s%lld", i ? ", " : "", (long long)dims.values[i]);
    if (used < DIMS_TEXT)
        snprintf(buffer + used, DIMS_TEXT - used, ")");
    return buffer;
}

void tour_show_geometry(const char *name, const tn_tensor *tensor) {
    char sizes[DIMS_TEXT], strides[DIMS_TEXT];
    terminal_fact(name, "sizes %s  strides %s  offset %lld", dims_text(sizes, tn_sizes(tensor)),
                  dims_text(strides, tn_strides(tensor)), (long long)tn_storage_offset(tensor));
}

bool tour_show_elements(const tn_tensor *tensor) {
    char text[2048];
    if (tn_format(tensor, text, sizeof text, NULL) < 0)
        return false;
    for (const char *line = text; *line;) {
        int length = (int)strcspn(line, "\n");
        printf("    %.*s\n", length, line);
        line += length;
        line += *line == '\n';
    }
    return true;
}

static tn_memory_stats memory_now(void) {
    tn_memory_stats stats = {.struct_size = sizeof stats};
    tn_memory_stats_of(TN_CPU, &stats);
    return stats;
}

static void show_memory(const char *when) {
    char used[TERMINAL_BYTES_SIZE], cached[TERMINAL_BYTES_SIZE];
    tn_memory_stats now = memory_now();
    terminal_fact(when, "%s in %lld block%s, %s cached", terminal_bytes(used, now.bytes.current), (long long)now.blocks.current,
                  now.blocks.current == 1 ? "" : "s", terminal_bytes(cached, now.cached));
}

static void blank_line(void) { putchar('\n'); }

/* ---- chapters ------------------------------------------------------------------------------------------------------ */

static bool tour_tensor(void) {
    terminal_text("A tensor is a handle: sizes, strides and an offset into a storage. The element at index i, j is "
                  "number offset + i * strides[0] + j * strides[1] of that storage, and there is nothing else to it.");
    terminal_code("tn_tensor *x = TN_MATRIX(float, 4, {0, 1, 2, 3}, {4, 5, 6, 7}, {8, 9, 10, 11});");
    tn_tensor *x = TN_MATRIX(float, 4, {0, 1, 2, 3}, {4, 5, 6, 7}, {8, 9, 10, 11});
    if (!x || !tour_show_elements(x))
        return false;
    tour_show_geometry("x", x);
    terminal_fact("dtype, elements, bytes", "%s, %lld, %zu", tn_dtype_name(tn_dtype_of(x)), (long long)tn_numel(x),
                  tn_nbytes(x));
    terminal_fact("the handle itself", "%zu bytes", tn_tensor_object_size());
    return true;
}

static bool tour_factories(void) {
    terminal_text("Tensors come from factories with PyTorch's names and print as PyTorch prints them.");
    terminal_code("tn_linspace(0, 1, 5, TN_DTYPE_DEFAULT)");
    if (!tour_show_elements(tn_linspace(0, 1, 5, TN_DTYPE_DEFAULT)))
        return false;
    terminal_code("tn_eye(2, 3, TN_INT64)");
    if (!tour_show_elements(tn_eye(2, 3, TN_INT64)))
        return false;
    terminal_code("tn_full(TN_DIMS(2, 2), 1e-5, TN_FLOAT64)");
    if (!tour_show_elements(tn_full(TN_DIMS(2, 2), 1e-5, TN_FLOAT64)))
        return false;
    terminal_code("tn_from_text(\"[[1, 2.5], [nan, -inf]]\", TN_BFLOAT16)");
    return tour_show_elements(tn_from_text("[[1, 2.5], [nan, -inf]]", TN_BFLOAT16));
}

static bool tour_references(void) {
    terminal_text("Copying a handle shares everything, as y = x does in Python. The last release frees.");
    tn_tensor *x = tn_keep(tn_zeros(TN_DIMS(1000), TN_FLOAT64));
    if (!x)
        return false;
    terminal_code("tn_tensor *x = tn_zeros(TN_DIMS(1000), TN_FLOAT64);");
    terminal_fact("tn_use_count(x)", "%lld", (long long)tn_use_count(x));
    show_memory("memory");
    terminal_code("tn_tensor *y = tn_retain(x);");
    tn_tensor *y = tn_retain(x);
    terminal_fact("tn_use_count(x)", "%lld", (long long)tn_use_count(x));
    show_memory("memory");
    terminal_code("tn_release(y);");
    tn_release(y);
    terminal_fact("tn_use_count(x)", "%lld", (long long)tn_use_count(x));
    terminal_code("tn_release(x);");
    tn_release(x);
    show_memory("memory");
    return true;
}

static bool tour_sharing(void) {
    terminal_text("Many tensors can look into one storage, each with its own numbers. Here are a matrix, its transpose and "
                  "its last column reversed, which PyTorch cannot express without a copy.");
    tn_tensor *x = tn_arange(12, TN_INT64);
    tn_storage *storage = tn_storage_of(x);
    terminal_code("tn_storage *s = tn_storage_of(tn_arange(12, TN_INT64));");
    terminal_code("tn_tensor *matrix    = tn_from_storage(s,  0, TN_DIMS(3, 4), TN_DIMS(4, 1), TN_INT64);");
    terminal_code("tn_tensor *transpose = tn_from_storage(s,  0, TN_DIMS(4, 3), TN_DIMS(1, 4), TN_INT64);");
    terminal_code("tn_tensor *backwards = tn_from_storage(s, 11, TN_DIMS(3),    TN_DIMS(-4),   TN_INT64);");
    tn_tensor *matrix = tn_from_storage(storage, 0, TN_DIMS(3, 4), TN_DIMS(4, 1), TN_INT64);
    tn_tensor *transpose = tn_from_storage(storage, 0, TN_DIMS(4, 3), TN_DIMS(1, 4), TN_INT64);
    tn_tensor *backwards = tn_from_storage(storage, 11, TN_DIMS(3), TN_DIMS(-4), TN_INT64);
    if (!matrix || !transpose || !backwards)
        return false;
    tour_show_geometry("matrix", matrix);
    tour_show_geometry("transpose", transpose);
    tour_show_geometry("backwards", backwards);
    terminal_fact("tn_storage_use_count(s)", "%lld", (long long)tn_storage_use_count(storage));
    blank_line();
    terminal_code("tn_set_element(matrix, TN_DIMS(1, 3), TN_SCALAR(700));");
    if (tn_set_element(matrix, TN_DIMS(1, 3), TN_SCALAR(700)) != TN_OK)
        return false;
    terminal_code("matrix");
    if (!tour_show_elements(matrix))
        return false;
    terminal_code("backwards");
    if (!tour_show_elements(backwards))
        return false;
    terminal_fact("writes counted", "%lu, seen by all of them", (unsigned long)tn_tensor_version(transpose));
    return true;
}

static bool tour_lazy_clone(void) {
    terminal_text("A lazy clone costs nothing until someone writes: then, and only then, the bytes are copied.");
    tn_storage *first = tn_storage_create(1 << 20, TN_UINT8, NULL);
    show_memory("one storage");
    terminal_code("tn_storage *second = tn_storage_lazy_clone(first);");
    tn_storage *second = tn_storage_lazy_clone(first);
    if (!second)
        return false;
    terminal_fact("same bytes", "%s", tn_storage_data(first) == tn_storage_data(second) ? "yes" : "no");
    show_memory("two storages");
    terminal_code("tn_storage_mutable_data(second);");
    if (!tn_storage_mutable_data(second))
        return false;
    terminal_fact("same bytes", "%s", tn_storage_data(first) == tn_storage_data(second) ? "yes" : "no");
    show_memory("after the first write");
    return true;
}

static bool tour_scopes(void) {
    terminal_text("Inside a scope temporaries need no release: closing it releases them all, except what was kept.");
    show_memory("before");
    terminal_code("tn_scope scope = tn_scope_open();");
    tn_scope scope = tn_scope_open();
    terminal_code("for (int i = 0; i < 100; i++) last = tn_full(TN_DIMS(1000), i, TN_FLOAT32);");
    tn_tensor *last = NULL;
    for (int i = 0; i < 100; i++)
        last = tn_full(TN_DIMS(1000), i, TN_FLOAT32);
    show_memory("inside");
    terminal_code("tn_keep(last); tn_scope_close(scope);");
    tn_keep(last);
    tn_scope_close(scope);
    show_memory("after");
    double value = tn_get_double(last, TN_DIMS(0));
    tn_release(last);
    terminal_fact("last[0]", "%g", value);
    return tn_error_code() == TN_OK;
}

static long page_faults(void) {
    struct rusage usage;
    return getrusage(RUSAGE_SELF, &usage) == 0 ? usage.ru_minflt : 0;
}

static bool tour_cache(void) {
    terminal_text("Freed memory is kept for the next tensor, so a large result costs the kernel's page faults once, not "
                  "every time. tn_empty_cache gives it back.");
    terminal_code("x = tn_ones(TN_DIMS(10000000), TN_FLOAT32); tn_release(x);      /* 40 MB, three times */");
    tn_empty_cache(TN_CPU);
    for (int round = 1; round <= 3; round++) {
        long before = page_faults();
        tn_tensor *x = tn_keep(tn_ones(TN_DIMS(BIG), TN_FLOAT32));
        if (!x)
            return false;
        long after = page_faults();
        tn_release(x);
        char name[32];
        snprintf(name, sizeof name, "round %d", round);
        terminal_fact(name, "%ld page faults", after - before);
    }
    show_memory("memory");
    char buffer[TERMINAL_BYTES_SIZE];
    terminal_code("tn_empty_cache(TN_CPU);");
    terminal_fact("given back", "%s", terminal_bytes(buffer, (long long)tn_empty_cache(TN_CPU)));
    return true;
}

static bool tour_errors(void) {
    terminal_text("Errors are values. Nothing is printed, nothing aborts; a call that fails has changed nothing, returns "
                  "NULL, and says why. NULL in gives NULL out, so a chain of calls is checked once, at its end.");
    tn_tensor *x = tn_arange(6, TN_FLOAT32);
    if (!x)
        return false;
    terminal_code("tn_from_storage(tn_storage_of(x), 2, TN_DIMS(2, 3), TN_DIMS(3, 1), TN_FLOAT32)");
    tn_tensor *outside = tn_from_storage(tn_storage_of(x), 2, TN_DIMS(2, 3), TN_DIMS(3, 1), TN_FLOAT32);
    terminal_fact("returned", "%s", outside ? "a tensor" : "NULL");
    terminal_fact("tn_error_code", "%s", tn_error_name(tn_error_code()));
    terminal_fact("tn_error_message", "%s", tn_error_message());
    tn_error_clear();
    terminal_code("tn_item_double(x)");
    (void)tn_item_double(x);
    terminal_fact("tn_error_message", "%s", tn_error_message());
    tn_error_clear();
    return !outside;
}

typedef struct chapter {
    const char *name, *title;
    bool (*show)(void);
} chapter;

/* clang-format off */
static const chapter chapters[] = {
    {"tensor", "What a tensor is", tour_tensor},
    {"factories", "Where tensors come from", tour_factories},
    {"references", "Copying a handle", tour_references},
    {"sharing", "One storage, many tensors", tour_sharing},
    {"shapes", "One storage, three shapes", tour_shapes},
    {"slices", "Slices move the offset", tour_slices},
    {"transposes", "Transposes, and why a reshape copied", tour_transposes},
    {"heads", "Attention heads, three ways", tour_heads},
    {"operators", "Operators", tour_operators},
    {"many", "Many elements", tour_many},
    {"random", "Random numbers", tour_random},
    {"products", "Products", tour_products},
    {"gradients", "Gradients", tour_gradients},
    {"training", "A network learns to read", tour_training},
    {"lazy", "Copies that wait", tour_lazy_clone},
    {"scopes", "Scopes", tour_scopes},
    {"cache", "Memory that is used again", tour_cache},
    {"errors", "When something is wrong", tour_errors},
};
/* clang-format on */
enum { CHAPTERS = sizeof chapters / sizeof chapters[0] };

static bool chapter_wanted(const chapter *one, int argc, char **argv) {
    for (int i = 1; i < argc; i++)
        if (strcmp(argv[i], one->name) == 0)
            return true;
    return argc == 1;
}

static bool names_a_chapter(const char *name) {
    for (int i = 0; i < CHAPTERS; i++)
        if (strcmp(chapters[i].name, name) == 0)
            return true;
    return false;
}

static void list_chapters(FILE *stream) {
    for (int k = 0; k < CHAPTERS; k++)
        fprintf(stream, "  %-12s %s\n", chapters[k].name, chapters[k].title);
}

int command_tour(int argc, char **argv) {
    if (argc == 2 && (strcmp(argv[1], "--help") == 0 || strcmp(argv[1], "-h") == 0)) {
        printf(
            "usage: tenon tour [CHAPTER]...\n\nWhat the library does, chapter by chapter: all of them take some seconds.\n\n");
        list_chapters(stdout);
        printf("\n  tenon tour\n  tenon tour gradients training\n");
        return COMMAND_OK;
    }
    for (int i = 1; i < argc; i++)
        if (!names_a_chapter(argv[i])) {
            complain("tour", "there is no chapter '%s'; there are:", argv[i]);
            list_chapters(stderr);
            return COMMAND_MISUSED;
        }
    if (argc == 1)
        terminal_text("Tenon is PyTorch's tensor core as one small C library. This tour runs everything it shows, on this "
                      "machine and now; the code shown is the code that ran.");
    for (int i = 0; i < CHAPTERS; i++) {
        if (!chapter_wanted(&chapters[i], argc, argv))
            continue;
        terminal_heading(i + 1, chapters[i].title);
        tn_scope scope = tn_scope_open();
        bool went_well = chapters[i].show();
        tn_scope_close(scope);
        if (!went_well)
            return command_failed();
    }
    return COMMAND_OK;
}

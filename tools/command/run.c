/* run.c - `tenon run`: a model in ONNX's format, with inputs from files. */
#include <string.h>
#include <time.h>

#include "common.h"

enum { RUN_INPUTS = 256 };

static const char run_usage[] =
    "usage: tenon run [--out FILE] [--json] [--repeat N] MODEL.onnx [[INPUT=]FILE[:NAME]...]\n"
    "       tenon run --operators\n"
    "\n"
    "Runs a model and prints its outputs. Inputs are tensors of files, in the model's order or by their names.\n"
    "\n"
    "  --out FILE     writes the outputs, by their names: .npz, .safetensors, .pt, .gguf; .npy, .csv for a single one\n"
    "  --json         outputs with dtype, shape and elements, for programs\n"
    "  --repeat N     runs it N times and tells how long the quickest took\n"
    "  --operators    the names of ONNX's operators that can be run\n"
    "  --dtype D, --shape N,N   of inputs that are raw bytes or text\n"
    "\n"
    "Without inputs it tells what the model wants.\n"
    "\n"
    "  tenon run model.onnx image.npy\n"
    "  tenon run model.onnx tokens=batch.npz:ids mask=batch.npz:mask --out result.npz\n";

static void run_say_value(FILE *stream, const tn_onnx_value *value) {
    say_name(stream, value->name, 60);
    fprintf(stream, " %s", value->dtype ? tn_dtype_name(value->dtype) : "of any dtype");
    for (int64_t i = 0; value->has_sizes && i < value->sizes.count; i++) {
        fputs(i ? ", " : " (", stream);
        if (value->sizes.values[i] < 0)
            fputs("?", stream);
        else
            fprintf(stream, "%lld", (long long)value->sizes.values[i]);
    }
    if (value->has_sizes)
        fputs(value->sizes.count ? ")" : " ()", stream);
}

/* What the model wants, one input a line. */
static int run_missing(const tn_onnx *model, int64_t position) {
    tn_onnx_value about = TN_ONNX_VALUE;
    fprintf(stderr, "tenon run: input %lld is missing; the model wants\n", (long long)position);
    for (int64_t i = 0; i < tn_onnx_input_count(model); i++)
        if (tn_onnx_input(model, i, &about) == TN_OK) {
            fputs("  ", stderr);
            run_say_value(stderr, &about);
            fputs(about.optional ? ", or nothing\n" : "\n", stderr);
        }
    return COMMAND_MISUSED;
}

static bool run_take_inputs(const tn_onnx *model, const char **given, int count, const source_options *options,
                            const tn_tensor **inputs, int64_t *used) {
    *used = 0;
    for (int i = 0; i < count; i++) {
        const char *text = given[i], *equals = strchr(text, '='), *name;
        int64_t place = i;
        char wanted[400];
        if (equals && (size_t)(equals - text) < sizeof wanted) {
            snprintf(wanted, sizeof wanted, "%.*s", (int)(equals - text), text);
            int64_t found = tn_onnx_find_input(model, wanted);
            if (found >= 0) {
                place = found;
                text = equals + 1;
            }
        }
        if (place >= tn_onnx_input_count(model)) {
            complain("run", "the model has %lld inputs, not %d", (long long)tn_onnx_input_count(model), count);
            return false;
        }
        tn_file *file = source_open_named(text, options, &name);
        tn_tensor *tensor = file ? source_take(file, "run", name, NULL) : NULL;
        if (!tensor)
            return false;
        inputs[place] = tensor;
        *used = place + 1 > *used ? place + 1 : *used;
    }
    return true;
}

static int run_write(const tn_onnx *model, const tn_list *outputs, const char *path) {
    const char *format = format_of_path(path);
    tn_writer *writer = tn_writer_open(path, format ? format : "npz");
    tn_error code = writer ? TN_OK : tn_error_code();
    for (int64_t i = 0; code == TN_OK && i < tn_list_count(outputs); i++) {
        tn_onnx_value about = TN_ONNX_VALUE;
        code = tn_onnx_output(model, i, &about);
        if (code == TN_OK)
            code = tn_writer_add(writer, about.name, tn_list_at(outputs, i));
    }
    return code == TN_OK && tn_writer_finish(writer) == TN_OK ? COMMAND_OK : command_failed();
}

static int run_print(const tn_onnx *model, const tn_list *outputs, bool json) {
    bool good = true;
    for (int64_t i = 0; good && i < tn_list_count(outputs); i++) {
        tn_onnx_value about = TN_ONNX_VALUE;
        const tn_tensor *made = tn_list_at(outputs, i);
        char shape[512];
        if (tn_onnx_output(model, i, &about) != TN_OK)
            return command_failed();
        if (json) {
            fputs(i ? ",\n " : "[", stdout);
            fputs("{\"name\": ", stdout);
            json_text(stdout, about.name);
            printf(", \"dtype\": \"%s\", \"shape\": ", tn_dtype_name(tn_dtype_of(made)));
            json_dims(stdout, tn_sizes(made));
            fputs(", \"elements\": ", stdout);
            good = json_elements(stdout, made);
            fputs("}", stdout);
            continue;
        }
        say_shape(shape, tn_sizes(made));
        say_name(stdout, about.name, 0);
        printf(": %s %s\n", tn_dtype_name(tn_dtype_of(made)), shape);
        tn_print_options print = {.struct_size = sizeof print};
        print.line_width = screen_width() ? screen_width() : 80;
        good = tn_set_print_options(&print) == TN_OK && tn_print(made, stdout) == TN_OK;
    }
    if (json)
        fputs("]\n", stdout);
    return good ? COMMAND_OK : command_failed();
}

static double run_now(void) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

static int run_model(const char **given, int count, const char *out, bool json, int repeat, const source_options *source) {
    const tn_tensor *inputs[RUN_INPUTS] = {NULL};
    int64_t used;
    tn_onnx *model = tn_onnx_open(given[0]);
    if (!model)
        return command_failed();
    if (!run_take_inputs(model, given + 1, count - 1, source, inputs, &used))
        return COMMAND_FAILED;
    for (int64_t i = 0; i < tn_onnx_input_count(model); i++) {
        tn_onnx_value about = TN_ONNX_VALUE;
        if (i >= RUN_INPUTS || tn_onnx_input(model, i, &about) != TN_OK)
            return command_failed();
        if (!inputs[i] && !about.optional)
            return run_missing(model, i);
    }
    double best = 0;
    tn_list *outputs = NULL;
    for (int i = 0; i < repeat; i++) {
        tn_list_release(outputs);
        double before = run_now();
        if (!(outputs = tn_onnx_run(model, inputs, used)))
            return command_failed();
        double took = run_now() - before;
        best = i == 0 || took < best ? took : best;
    }
    if (repeat > 1)
        fprintf(stderr, "%.3f ms\n", best * 1e3);
    return out ? run_write(model, outputs, out) : run_print(model, outputs, json);
}

int command_run(int argc, char **argv) {
    const char *given[RUN_INPUTS + 1], *out = NULL;
    bool json = false, operators = false;
    double repeat = 1;
    source_options source = {NULL, NULL, NULL, false};
    const option known[] = {{.name = "json", .flag = &json},
                            {.name = "operators", .flag = &operators},
                            {.name = "out", .text = &out},
                            {.name = "repeat", .number = &repeat},
                            {.name = "dtype", .text = &source.dtype},
                            {.name = "shape", .text = &source.shape}};
    command_line all = {"run", run_usage, known, 6, 0, RUN_INPUTS, given, 0};
    int status = options_read(&all, argc, argv);
    if (status >= 0)
        return status;
    if (operators) {
        const char *name;
        for (int64_t i = 0; (name = tn_onnx_operator(i)); i++)
            printf(!json ? "%s\n" : i ? ", \"%s\"" : "[\"%s\"", name);
        fputs(json ? "]\n" : "", stdout);
        return COMMAND_OK;
    }
    if (all.given_count < 1)
        return command_misused("run", "which model? `tenon run --help` tells more");
    tn_scope scope = tn_scope_open();
    status = run_model(given, all.given_count, out, json, number_within(repeat, 1, 1000000, 1), &source);
    tn_scope_close(scope);
    return status;
}

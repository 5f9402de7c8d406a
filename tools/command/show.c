/* show.c - `tenon show`, one tensor or a part of it; and `tenon check`, whether a whole file is what it says. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "common.h"

static const char show_usage[] =
    "usage: tenon show [--json] [--all] [--precision N] [--format F] [--dtype D] [--shape N,N] FILE[:NAME] [INDEX]\n"
    "\n"
    "A tensor of a file, as Python prints it. INDEX is as in Python, without the brackets.\n"
    "\n"
    "  --all            every element; large tensors are summarised otherwise\n"
    "  --precision N    digits after the point\n"
    "  --json           dtype, shape and elements, for programs; NaN and infinities are null\n"
    "  --format, --dtype, --shape   as those of info\n"
    "\n"
    "  tenon show weights.npy\n"
    "  tenon show model.safetensors:encoder.weight '0, :5'\n"
    "  tenon show table.csv '::-1'\n";

static int show_json(const tn_tensor *tensor) {
    printf("{\"dtype\": \"%s\", \"shape\": ", tn_dtype_name(tn_dtype_of(tensor)));
    json_dims(stdout, tn_sizes(tensor));
    printf(", \"elements\": ");
    bool done = json_elements(stdout, tensor);
    printf("}\n");
    return done ? COMMAND_OK : command_failed();
}

int command_show(int argc, char **argv) {
    const char *given[2] = {NULL, NULL}, *name;
    bool json = false, everything = false;
    double precision = 0;
    source_options source = {NULL, NULL, NULL, false};
    const option known[] = {{.name = "json", .flag = &json},
                            {.name = "all", .flag = &everything},
                            {.name = "precision", .number = &precision},
                            {.name = "format", .text = &source.format},
                            {.name = "dtype", .text = &source.dtype},
                            {.name = "shape", .text = &source.shape}};
    command_line all = {"show", show_usage, known, 6, 1, 2, given, 0};
    int status = options_read(&all, argc, argv);
    if (status >= 0)
        return status;
    tn_scope scope = tn_scope_open();
    tn_file *file = source_open_named(given[0], &source, &name);
    tn_tensor *tensor = file ? source_take(file, "show", name, given[1]) : NULL;
    status = COMMAND_FAILED;
    if (tensor && json)
        status = show_json(tensor);
    else if (tensor) {
        tn_print_options print = {.struct_size = sizeof print};
        print.line_width = screen_width() ? screen_width() : 80;
        print.threshold = everything ? INT64_MAX : 0;
        print.precision = number_within(precision, 1, TN_PRINT_PRECISION_MAX, 0);
        status = tn_set_print_options(&print) == TN_OK && tn_print(tensor, stdout) == TN_OK ? COMMAND_OK : command_failed();
    }
    tn_scope_close(scope);
    return status;
}

/* ---- check */

static const char check_usage[] =
    "usage: tenon check [--json] [--finite] FILE...\n"
    "\n"
    "Reads whole files: headers, every tensor, the checksums of npz. What is wrong is told with file, tensor and byte; the status is 1 then.\n"
    "\n"
    "  --finite    a NaN or an infinity is wrong, too\n"
    "\n"
    "  tenon check *.safetensors && echo all fine\n";

/* Records of an npz have checksums of their own; those of PyTorch need not be right, but must be readable. */
static bool check_records(const tn_file *file) {
    char name[64];
    for (int64_t i = 0; strcmp(tn_file_format(file), "npz") == 0 && i < tn_file_count(file); i++) {
        char member[2000];
        tn_file_tensor about = TN_FILE_TENSOR;
        if (tn_file_describe(file, i, &about) != TN_OK)
            return false;
        snprintf(member, sizeof member, "%.1990s.npy", about.name);
        tn_tensor *record = strlen(about.name) < 1990 ? tn_file_record(file, member) : NULL;
        if (!record && tn_error_code() != TN_OK)
            return false;
        tn_release(record);
    }
    if (strcmp(tn_file_format(file), "pt") == 0) {
        for (int64_t i = 0;; i++) {
            snprintf(name, sizeof name, "data/%lld", (long long)i);
            tn_tensor *record = tn_file_record(file, name);
            if (!record)
                break;
            tn_release(record);
        }
        if (tn_error_code() != TN_ERROR_ARGUMENT) /* there is no further one */
            return tn_error_code() == TN_OK;
        tn_error_clear();
    }
    return true;
}

static bool check_file(const char *path, bool finite, int64_t *count, unsigned long long *bytes, char problem[700]) {
    source_options source = {.copy = true};
    tn_scope scope = tn_scope_open();
    tn_file *file = source_try(path, &source);
    bool good = file != NULL;
    problem[0] = 0;
    *count = good ? tn_file_count(file) : 0;
    for (int64_t i = 0; good && i < *count; i++) {
        tn_scope inner = tn_scope_open();
        tn_tensor *tensor = tn_file_take_at(file, i);
        summary all = {0};
        good = tensor && (!finite || summarise(tensor, &all, NULL, 0));
        *bytes += tensor ? tn_nbytes(tensor) : 0;
        if (good && finite && all.nans + all.infinities) {
            tn_file_tensor about = TN_FILE_TENSOR;
            good = false;
            if (tn_file_describe(file, i, &about) == TN_OK)
                snprintf(problem, 700, "\"%.300s\", tensor \"%.200s\": %lld NaN, %lld infinite", path, about.name,
                         (long long)all.nans, (long long)all.infinities);
        }
        tn_scope_close(inner);
    }
    good = good && check_records(file);
    if (!good && !problem[0])
        snprintf(problem, 700, "%s", tn_error_message());
    tn_error_clear();
    tn_scope_close(scope);
    return good;
}

int command_check(int argc, char **argv) {
    enum { FILES = 1000 };
    static const char *given[FILES];
    bool json = false, finite = false;
    const option known[] = {{.name = "json", .flag = &json}, {.name = "finite", .flag = &finite}};
    command_line all = {"check", check_usage, known, 2, 1, FILES, given, 0};
    int status = options_read(&all, argc, argv);
    if (status >= 0)
        return status;
    status = COMMAND_OK;
    for (int i = 0; i < all.given_count; i++) {
        int64_t count;
        unsigned long long bytes = 0;
        char problem[700], size[TERMINAL_BYTES_SIZE];
        bool good = check_file(given[i], finite, &count, &bytes, problem);
        if (json) {
            printf(i ? ",\n " : "[");
            printf("{\"file\": ");
            json_text(stdout, given[i]);
            printf(", \"fine\": %s, \"tensors\": %lld, \"bytes\": %llu, \"problem\": ", good ? "true" : "false",
                   (long long)count, bytes);
            json_text(stdout, problem);
            printf("}");
        } else if (good) {
            say_name(stdout, given[i], 0);
            printf(": fine, %lld tensor%s, %s\n", (long long)count, count == 1 ? "" : "s", say_bytes(size, bytes));
        } else {
            fflush(stdout);
            fputs("tenon: ", stderr);
            say_name(stderr, problem, 0);
            fputs("\n", stderr);
        }
        status = good ? status : COMMAND_FAILED;
    }
    if (json)
        printf("]\n");
    return status;
}

/* stat.c - `tenon stat`: what the numbers of tensors are like, with a histogram a line high. */
#include <math.h>
#include <string.h>

#include "common.h"

static const char stat_usage[] =
    "usage: tenon stat [--json] [--only PATTERN]... [--ascii] [--format F] [--dtype D] [--shape N,N] FILE[:NAME]\n"
    "\n"
    "The least, the largest, the mean and the standard deviation of each tensor's finite elements, how many are NaN, infinite or zero,\n"
    "and a histogram from the least to the largest. Of complex tensors: their absolute values.\n"
    "\n"
    "  --only PATTERN   names that match, or match one of several; * stands for anything\n"
    "  --ascii          draw without Unicode\n"
    "  --json           for programs\n"
    "\n"
    "  --format, --dtype, --shape   as those of info\n"
    "\n"
    "  tenon stat model.safetensors --only '*.bias'\n"
    "  tenon stat model.safetensors:encoder.weight\n";

static void stat_histogram(const int64_t *bins, int count, bool ascii) {
    static const char *const blocks[] = {" ", "\u2581", "\u2582", "\u2583", "\u2584", "\u2585", "\u2586", "\u2587", "\u2588"};
    static const char letters[] = " .:-=+*%@";
    int64_t most = 1;
    for (int i = 0; i < count; i++)
        most = bins[i] > most ? bins[i] : most;
    for (int i = 0; i < count; i++) {
        int level = bins[i] ? 1 + (int)(7.0 * (double)bins[i] / (double)most) : 0;
        if (ascii)
            fputc(letters[level], stdout);
        else
            fputs(blocks[level], stdout);
    }
}

static void stat_number(double number) {
    if (isnan(number))
        printf(" %11s", "-");
    else
        printf(" %11.4g", number);
}

static int stat_tensor(const tn_file *file, int64_t i, const tn_file_tensor *about, int width, bool json, bool ascii,
                       bool first) {
    tn_scope scope = tn_scope_open();
    tn_tensor *tensor = tn_file_take_at(file, i);
    summary all;
    int64_t bins[HISTOGRAM_BINS];
    int status = COMMAND_OK;
    if (!tensor || !summarise(tensor, &all, bins, HISTOGRAM_BINS))
        status = command_failed();
    else if (json) {
        printf(first ? "\n  {\"name\": " : ",\n  {\"name\": ");
        json_text(stdout, about->name);
        printf(", \"dtype\": \"%s\", \"shape\": ", tn_dtype_name(about->dtype));
        json_dims(stdout, about->sizes);
        printf(", \"min\": ");
        json_number(stdout, all.least);
        printf(", \"max\": ");
        json_number(stdout, all.largest);
        printf(", \"mean\": ");
        json_number(stdout, all.mean);
        printf(", \"std\": ");
        json_number(stdout, all.deviation);
        printf(", \"nan\": %lld, \"inf\": %lld, \"zeros\": %lld, \"histogram\": ", (long long)all.nans,
               (long long)all.infinities, (long long)all.zeros);
        json_dims(stdout, (tn_dims){bins, HISTOGRAM_BINS});
        printf("}");
    } else if (width < 0) { /* a narrow terminal: three lines */
        printf("  ");
        say_name(stdout, about->name, -width);
        printf("\n    %.4g to %.4g, mean %.4g, std %.4g\n    nan %lld, inf %lld, zeros %lld  ", all.least, all.largest,
               all.mean, all.deviation, (long long)all.nans, (long long)all.infinities, (long long)all.zeros);
        stat_histogram(bins, HISTOGRAM_BINS, ascii);
        printf("\n");
    } else {
        printf("  ");
        int said = say_name(stdout, about->name, width);
        printf("%*s", width - said, "");
        stat_number(all.least);
        stat_number(all.largest);
        stat_number(all.mean);
        stat_number(all.deviation);
        printf(" %6lld %6lld %8lld  ", (long long)all.nans, (long long)all.infinities, (long long)all.zeros);
        stat_histogram(bins, HISTOGRAM_BINS, ascii);
        printf("\n");
    }
    tn_scope_close(scope);
    return status;
}

int command_stat(int argc, char **argv) {
    const char *given[1], *name;
    text_list only = {.count = 0};
    bool json = false, ascii = false;
    source_options source = {NULL, NULL, NULL, false};
    const option known[] = {{.name = "json", .flag = &json},          {.name = "ascii", .flag = &ascii},
                            {.name = "only", .many = &only},          {.name = "format", .text = &source.format},
                            {.name = "dtype", .text = &source.dtype}, {.name = "shape", .text = &source.shape}};
    command_line all = {"stat", stat_usage, known, 6, 1, 1, given, 0};
    int status = options_read(&all, argc, argv);
    if (status >= 0)
        return status;
    tn_file *file = source_open_named(given[0], &source, &name);
    if (!file)
        return COMMAND_FAILED;
    ascii = ascii || !screen_has_unicode();
    int width = 4, room = screen_width();
    int64_t count = 0;
    tn_file_tensor about = TN_FILE_TENSOR;
    for (int64_t i = 0; i < tn_file_count(file); i++)
        if (tn_file_describe(file, i, &about) == TN_OK && name_wanted(&only, about.name) &&
            (!name || strcmp(name, about.name) == 0)) {
            width = name_columns(about.name) > width ? name_columns(about.name) : width;
            count++;
        }
    if (room && width > room - 92)
        width = room - 92 < 12 ? -(room - 4) : room - 92;
    if (name && !count) {
        tn_file_release(file);
        return complain("stat", "the file has no tensor \"%s\"", name);
    }
    if (json)
        printf("[");
    else if (width > 0)
        printf("  %-*s %11s %11s %11s %11s %6s %6s %8s  %s\n", width, "name", "min", "max", "mean", "std", "nan", "inf",
               "zeros", "from min to max");
    bool first = true;
    status = COMMAND_OK;
    for (int64_t i = 0; i < tn_file_count(file) && status == COMMAND_OK; i++)
        if (tn_file_describe(file, i, &about) == TN_OK && name_wanted(&only, about.name) &&
            (!name || strcmp(name, about.name) == 0)) {
            status = stat_tensor(file, i, &about, width, json, ascii, first);
            first = false;
        }
    if (json)
        printf("]\n");
    tn_file_release(file);
    return status;
}

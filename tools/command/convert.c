/* convert.c - `tenon convert`, `merge` and `split`: any reader to any writer, with other dtypes and names, as one file or several.
 *
 * What is to be written is gathered first as a list of tensors of open files, cut into shards; each shard goes through a writer to a file
 * beside its place, which gets its name when it is whole. Tensors are taken when their shard is written and released after it.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "common.h"

static const char convert_usage[] =
    "usage: tenon convert [--to F] [--dtype D] [--rename OLD=NEW]... [--only PATTERN]... [--shard SIZE] [--level N] [--json] IN OUT\n"
    "\n"
    "Reads any format and writes npy, npz, safetensors, pt, gguf, csv, tsv or raw, as the end of OUT or --to says.\n"
    "\n"
    "  --dtype D          floating tensors become that: float16, bfloat16, float32, float64\n"
    "  --rename OLD=NEW   OLD at the beginning of a name becomes NEW; with a * in each, the * stands for the same text; of several\n"
    "                     rules the first that fits\n"
    "  --only PATTERN     names that match, or match one of several; * stands for anything\n"
    "  --shard SIZE       several files of at most that size (5GB, 200MB), and for safetensors their index\n"
    "  --level N          npz: deflated, 1 (fast) to 9 (small)\n"
    "  --in-format F, --in-dtype D, --in-shape N,N   of raw bytes and text\n"
    "  --durable          wait until it is on the disk\n"
    "  --json             the files that were written, for programs\n"
    "\n"
    "On a terminal a bar shows how far it is, how fast, and how many seconds are left. OUT has its name when it is whole, and not before.\n"
    "\n"
    "  tenon convert checkpoint.pt model.safetensors --dtype bfloat16\n"
    "  tenon convert model.safetensors big.safetensors --shard 2GB --rename 'bert.*=*'\n"
    "  tenon convert model.safetensors weight.npy --only encoder.weight\n";

static const char merge_usage[] =
    "usage: tenon merge [--prefix] [--to F] [--dtype D] [--rename OLD=NEW]... [--only PATTERN]... [--level N] [--json] OUT IN...\n"
    "\n"
    "All tensors of several files as one. A name that two files have is an error, unless --prefix puts the file's own name before it.\n"
    "\n"
    "  --prefix   weight of a.npz becomes a.weight\n"
    "  --to, --dtype, --rename, --only, --level, --durable, --json, --in-format, --in-dtype, --in-shape   as those of convert\n"
    "\n"
    "  tenon merge all.npz a.npy b.npy --prefix\n"
    "  tenon merge whole.safetensors encoder.pt decoder.pt --dtype float16\n";

static const char split_usage[] =
    "usage: tenon split [--to F] [--dtype D] [--rename OLD=NEW]... [--only PATTERN]... [--shard SIZE] [--json] IN OUT\n"
    "\n"
    "A file for each tensor in the folder OUT, npy unless --to says otherwise, under the tensors' names; what a file's name cannot have becomes _.\n"
    "With --shard several files of at most that size, as convert does.\n"
    "\n"
    "  --to, --dtype, --rename, --only, --level, --durable, --json, --in-format, --in-dtype, --in-shape   as those of convert\n"
    "\n"
    "  tenon split model.safetensors parts.safetensors --shard 500MB\n"
    "  tenon split model.safetensors weights/ --only '*.weight'\n";

typedef struct planned {
    const tn_file *file;
    int64_t place;
    char *name, *file_name; /* file_name: of split; NULL */
    unsigned long long bytes;
    int shard;
} planned;

typedef struct convert_plan {
    const char *command, *to, *dtype, *shard_text;
    text_list rename, only;
    double level;
    bool durable, prefix, json;
    source_options source;
    planned *items;
    size_t count, capacity;
    int shards;
    tn_dtype cast;
    unsigned long long limit;
    /* progress */
    unsigned long long total, done;
    struct timespec begun, shown;
    bool shows, said;
    FILE *out;
    int why; /* errno of what could not be written; 0 */
} convert_plan;

static int plan_fail(const convert_plan *plan, const char *what, const char *which) {
    return complain(plan->command, "%s%s%s", what, which ? " " : "", which ? which : "");
}

/* ---- names */

/* By the rule OLD=NEW; false where the name is not one for it. `length`: the room. */
static bool plan_rename(const char *rule, const char *name, char *made, size_t length) {
    const char *equal = strchr(rule, '='), *with = equal + 1, *star = memchr(rule, '*', (size_t)(equal - rule)),
               *there = strchr(with, '*');
    size_t head = (size_t)((star ? star : equal) - rule), tail = star ? (size_t)(equal - star - 1) : 0, whole = strlen(name);
    if (whole < head + tail || memcmp(name, rule, head) != 0 || (tail && memcmp(name + whole - tail, star + 1, tail) != 0))
        return false;
    int middle = (int)(whole - head - tail);
    if (star && there)
        snprintf(made, length, "%.*s%.*s%s", (int)(there - with), with, middle, name + head, there + 1);
    else
        snprintf(made, length, "%s%.*s", with, star ? 0 : middle, name + head);
    return true;
}

/* The new name, by the first rule that fits, to be freed; NULL without memory. */
static char *plan_name(const convert_plan *plan, const char *prefix, const char *name) {
    size_t length = strlen(name) + strlen(prefix) + 2, room = length;
    for (int i = 0; i < plan->rename.count; i++)
        room = strlen(plan->rename.texts[i]) + length > room ? strlen(plan->rename.texts[i]) + length : room;
    char *whole = malloc(length), *made = malloc(room);
    bool renamed = false;
    if (whole && made) {
        snprintf(whole, length, "%s%s%s", prefix, *prefix ? "." : "", name);
        for (int i = 0; i < plan->rename.count && !renamed; i++)
            renamed = plan_rename(plan->rename.texts[i], whole, made, room);
    }
    free(renamed ? whole : made);
    return renamed ? made : made ? whole : (free(whole), NULL);
}

static bool parse_size(const char *text, unsigned long long *size) {
    static const struct {
        const char *unit;
        double factor;
    } units[] = {{"", 1},    {"B", 1},    {"K", 1e3},    {"KB", 1e3},      {"M", 1e6},         {"MB", 1e6},
                 {"G", 1e9}, {"GB", 1e9}, {"KiB", 1024}, {"MiB", 1048576}, {"GiB", 1073741824}};
    char *end;
    double number = strtod(text, &end);
    for (size_t i = 0; end != text && i < sizeof units / sizeof *units; i++)
        if (strcasecmp(end, units[i].unit) == 0 && number * units[i].factor >= 1 && number * units[i].factor < 1e18) {
            *size = (unsigned long long)(number * units[i].factor);
            return true;
        }
    return false;
}

/* ---- gathering */

static int plan_add(convert_plan *plan, const tn_file *file, const char *prefix) {
    tn_file_tensor about = TN_FILE_TENSOR;
    for (int64_t i = 0; i < tn_file_count(file); i++) {
        if (tn_file_describe(file, i, &about) != TN_OK)
            return command_failed();
        if (!name_wanted(&plan->only, about.name))
            continue;
        if (plan->count == plan->capacity) {
            size_t wanted = plan->capacity ? 2 * plan->capacity : 64;
            planned *items = realloc(plan->items, wanted * sizeof *items);
            if (!items)
                return plan_fail(plan, "no memory", NULL);
            plan->items = items;
            plan->capacity = wanted;
        }
        tn_dtype dtype = plan->cast && tn_dtype_is_floating(about.dtype) ? plan->cast : about.dtype;
        unsigned long long bytes = tn_dtype_size(dtype);
        for (int64_t k = 0; k < about.sizes.count; k++)
            bytes *= (unsigned long long)about.sizes.values[k];
        char *name = plan_name(plan, prefix, about.name);
        if (!name)
            return plan_fail(plan, "no memory", NULL);
        plan->items[plan->count++] = (planned){file, i, name, NULL, bytes, 0};
        plan->total += bytes;
    }
    return COMMAND_OK;
}

static void plan_cut(convert_plan *plan, bool each) {
    unsigned long long used = 0;
    int shard = 0;
    for (size_t i = 0; i < plan->count; i++) {
        if (i && (each || (plan->limit && used + plan->items[i].bytes > plan->limit))) {
            shard++;
            used = 0;
        }
        used += plan->items[i].bytes;
        plan->items[i].shard = shard;
    }
    plan->shards = shard + 1;
}

/* ---- writing, with progress on a terminal */

static double seconds_since(const struct timespec *then) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)(now.tv_sec - then->tv_sec) + 1e-9 * (double)(now.tv_nsec - then->tv_nsec);
}

static void plan_progress(convert_plan *plan, bool last) {
    if (!plan->shows || (!last && seconds_since(&plan->shown) < 0.1))
        return;
    clock_gettime(CLOCK_MONOTONIC, &plan->shown);
    double taken = seconds_since(&plan->begun), share = plan->total ? (double)plan->done / (double)plan->total : 1;
    share = share > 1 ? 1 : share;
    double rate = taken > 0 ? (double)plan->done / taken : 0;
    char bytes[TERMINAL_BYTES_SIZE], a_second[TERMINAL_BYTES_SIZE];
    fprintf(stderr, "\r[");
    for (int i = 0; i < 30; i++)
        fputc(i < (int)(30 * share) ? '#' : '.', stderr);
    fprintf(stderr, "] %3d %%  %s, %s/s", (int)(100 * share), say_bytes(bytes, plan->done),
            say_bytes(a_second, (unsigned long long)rate));
    if (!last && rate > 0)
        fprintf(stderr, ", %.0f s left", (double)(plan->total - (plan->done < plan->total ? plan->done : plan->total)) / rate);
    fprintf(stderr, "   %s", last ? "\n" : "");
}

static bool plan_put(void *ctx, const void *bytes, size_t size) {
    convert_plan *plan = ctx;
    const char *at = bytes;
    while (size) { /* in pieces, so that the bar moves */
        size_t part = size < (8u << 20) ? size : 8u << 20;
        if (fwrite(at, 1, part, plan->out) != part) {
            plan->why = errno;
            return false;
        }
        at += part;
        size -= part;
        plan->done += part;
        plan_progress(plan, false);
    }
    return true;
}

static tn_error plan_fill(convert_plan *plan, tn_writer *writer, int shard) {
    tn_error code = TN_OK;
    for (size_t i = 0; i < plan->count && code == TN_OK; i++) {
        const planned *item = &plan->items[i];
        if (item->shard != shard)
            continue;
        tn_tensor *tensor = tn_file_take_at(item->file, item->place);
        bool cast = tensor && plan->cast && tn_dtype_is_floating(tn_dtype_of(tensor));
        code =
            !tensor ? tn_error_code() : tn_writer_add_as(writer, item->name, tensor, cast ? plan->cast : tn_dtype_of(tensor));
    }
    return code;
}

static void plan_metadata(const convert_plan *plan, tn_writer *writer) {
    const tn_file *file = plan->count ? plan->items[0].file : NULL;
    for (int64_t i = 0; file && i < tn_file_metadata_count(file); i++) {
        const char *name = tn_file_metadata_name(file, i);
        if (strcmp(name, "byteorder") == 0)
            continue;
        if (tn_writer_add_metadata(writer, name, tn_file_metadata(file, name)) != TN_OK)
            tn_error_clear(); /* a format without a place for it, or a name twice */
    }
}

static int plan_write(convert_plan *plan, const char *path, int shard) {
    char beside[4200];
    struct stat about;
    bool special = stat(path, &about) == 0 && !S_ISREG(about.st_mode); /* a device is written to as it is */
    snprintf(beside, sizeof beside, special ? "%s" : "%s.%ld.tmp", path, (long)getpid());
    if (!(plan->out = fopen(beside, "wb"))) {
        return complain(plan->command, "cannot write %s: %s", path, strerror(errno));
    }
    tn_scope scope = tn_scope_open();
    tn_writer_options how = TN_WRITER_OPTIONS;
    how.level = number_within(plan->level, -1, 10, 0); /* beyond what there is: the library says so */
    tn_writer *writer = tn_writer_open_stream(plan_put, plan, plan->to);
    tn_error code = writer ? tn_writer_configure(writer, &how) : tn_error_code();
    if (code == TN_OK)
        code = plan_fill(plan, writer, shard);
    if (code == TN_OK) {
        plan_metadata(plan, writer);
        code = tn_writer_finish(writer);
    }
    if (!plan->why && (fflush(plan->out) != 0 || (plan->durable && fsync(fileno(plan->out)) != 0)))
        plan->why = errno;
    if (fclose(plan->out) != 0 && !plan->why)
        plan->why = errno;
    bool failed = plan->why != 0;
    if (plan->shows && (failed || code != TN_OK))
        fputs("\n", stderr); /* below the bar */
    if (failed)
        complain(plan->command, "cannot write %s: %s", path, strerror(plan->why));
    else if (code != TN_OK)
        command_failed();
    bool good = !failed && code == TN_OK;
    if (good && !special && rename(beside, path) != 0) {
        complain(plan->command, "cannot write %s: %s", path, strerror(errno));
        good = false;
    }
    if (!good && !special)
        unlink(beside);
    tn_scope_close(scope);
    return good ? COMMAND_OK : COMMAND_FAILED;
}

/* "model.safetensors" of shard 1 of 3: "model-00001-of-00003.safetensors". */
static void shard_path(char text[4096], const char *path, int shard, int shards) {
    const char *slash = strrchr(path, '/'), *dot = strrchr(slash ? slash : path, '.');
    int stem = dot ? (int)(dot - path) : (int)strlen(path);
    snprintf(text, 4096, "%.*s-%05d-of-%05d%s", stem, path, shard + 1, shards, dot ? dot : "");
}

static int write_index(const convert_plan *plan, const char *path) {
    char text[4096], index[4200];
    snprintf(index, sizeof index, "%s.index.json", path);
    FILE *out = fopen(index, "w");
    if (!out)
        return plan_fail(plan, "cannot write", index);
    fprintf(out, "{\"metadata\": {\"total_size\": %llu}, \"weight_map\": {", plan->total);
    for (size_t i = 0; i < plan->count; i++) {
        shard_path(text, path, plan->items[i].shard, plan->shards);
        const char *slash = strrchr(text, '/');
        fputs(i ? ",\n " : "\n ", out);
        json_text(out, plan->items[i].name);
        fputs(": ", out);
        json_text(out, slash ? slash + 1 : text);
    }
    fputs("}}\n", out);
    bool failed = ferror(out);
    return fclose(out) != 0 || failed ? plan_fail(plan, "cannot write", index) : COMMAND_OK;
}

/* A tensor's name as that of a file, to be freed; NULL without memory: what is not a letter (of any script), a digit or one of ._- becomes
 * a _, and what two tensors would share then gets a number. */
static char *tensor_path(const convert_plan *plan, size_t item) {
    const char *name = plan->items[item].name;
    size_t room = strlen(name) + 40, length = 0;
    char *text = malloc(room);
    while (text && *name) {
        int bytes = harmless_character(name);
        bool kept = bytes > 1 || strchr("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-.", *name);
        bytes = kept ? bytes : 1;
        memcpy(text + length, kept ? name : "_", (size_t)bytes);
        length += (size_t)bytes;
        name += bytes;
    }
    if (!text)
        return NULL;
    if (!length)
        text[length++] = '_';
    if (text[0] == '.')
        text[0] = '_';
    text[length] = 0;
    for (size_t i = 0, number = 2; i < item; i++)
        if (strcmp(plan->items[i].file_name, text) == 0) {
            snprintf(text + length, room - length, "-%zu", number++);
            i = (size_t)-1; /* from the beginning: the new one may be there, too */
        }
    return text;
}

/* What was written, for programs. */
static void plan_say(convert_plan *plan, const char *path, int shard) {
    int64_t tensors = 0;
    unsigned long long bytes = 0;
    for (size_t i = 0; i < plan->count; i++)
        if (plan->items[i].shard == shard) {
            tensors++;
            bytes += plan->items[i].bytes;
        }
    fputs(plan->said ? ",\n {\"file\": " : "[{\"file\": ", stdout);
    json_text(stdout, path);
    printf(", \"format\": \"%s\", \"tensors\": %lld, \"bytes\": %llu}", plan->to, (long long)tensors, bytes);
    plan->said = true;
}

static int plan_run(convert_plan *plan, const char *path, bool each) {
    char place[4096];
    int status = COMMAND_OK;
    plan_cut(plan, each);
    plan->shows = isatty(STDERR_FILENO);
    clock_gettime(CLOCK_MONOTONIC, &plan->begun);
    plan->shown = plan->begun;
    if (each && !plan->count)
        return plan_fail(plan, "there is no tensor to write to", path);
    for (size_t i = 0; each && i < plan->count; i++)
        if (!(plan->items[i].file_name = tensor_path(plan, i)))
            return plan_fail(plan, "no memory", NULL);
    if (each && mkdir(path, 0777) != 0 && errno != EEXIST)
        return complain(plan->command, "cannot make the folder %s: %s", path, strerror(errno));
    for (int shard = 0; shard < plan->shards && status == COMMAND_OK; shard++) {
        if (each)
            snprintf(place, sizeof place, "%s%s%s.%s", path, path[0] && path[strlen(path) - 1] == '/' ? "" : "/",
                     plan->items[shard].file_name, strcmp(plan->to, "raw") == 0 ? "bin" : plan->to);
        else if (plan->limit)
            shard_path(place, path, shard, plan->shards);
        else
            snprintf(place, sizeof place, "%s", path);
        status = plan_write(plan, place, shard);
        if (status == COMMAND_OK && plan->json)
            plan_say(plan, place, shard);
    }
    if (plan->json)
        fputs(plan->said ? "]\n" : "[]\n", stdout);
    if (status == COMMAND_OK && plan->limit && strcmp(plan->to, "safetensors") == 0)
        status = write_index(plan, path);
    plan_progress(plan, true);
    return status;
}

/* ---- the three commands */

static int plan_prepare(convert_plan *plan, const char *out, const char *otherwise) {
    if (!plan->to)
        plan->to = format_of_path(out);
    if (!plan->to)
        plan->to = otherwise;
    if (!plan->to)
        return plan_fail(plan, "say with --to which format is wanted for", out);
    if (plan->dtype && !(plan->cast = tn_dtype_from_name(plan->dtype)))
        return plan_fail(plan, "there is no dtype", plan->dtype);
    if (plan->shard_text && !parse_size(plan->shard_text, &plan->limit))
        return plan_fail(plan, "not a size, as 5GB or 200MB:", plan->shard_text);
    for (int i = 0; i < plan->rename.count; i++)
        if (!strchr(plan->rename.texts[i], '='))
            return plan_fail(plan, "--rename wants OLD=NEW, not", plan->rename.texts[i]);
    return COMMAND_OK;
}

static void plan_end(convert_plan *plan) {
    for (size_t i = 0; i < plan->count; i++)
        free(plan->items[i].name), free(plan->items[i].file_name);
    free(plan->items);
}

static int run_command(int argc, char **argv, const char *command, const char *usage, int out_first) {
    enum { FILES = 1000 };
    static const char *given[FILES];
    convert_plan plan = {.command = command};
    const option known[] = {{.name = "to", .text = &plan.to},
                            {.name = "dtype", .text = &plan.dtype},
                            {.name = "rename", .many = &plan.rename},
                            {.name = "only", .many = &plan.only},
                            {.name = "shard", .text = &plan.shard_text},
                            {.name = "level", .number = &plan.level},
                            {.name = "durable", .flag = &plan.durable},
                            {.name = "json", .flag = &plan.json},
                            {.name = "prefix", .flag = &plan.prefix},
                            {.name = "in-format", .text = &plan.source.format},
                            {.name = "in-dtype", .text = &plan.source.dtype},
                            {.name = "in-shape", .text = &plan.source.shape}};
    command_line all = {command, usage, known, sizeof known / sizeof *known, 2, out_first ? FILES : 2, given, 0};
    int status = options_read(&all, argc, argv);
    if (status >= 0)
        return status;
    bool split = strcmp(command, "split") == 0, each = split && !plan.shard_text;
    const char *out = given[out_first ? 0 : 1];
    status = plan_prepare(&plan, out, each ? "npy" : NULL);
    tn_scope scope = tn_scope_open();
    for (int i = out_first; status == COMMAND_OK && i < (out_first ? all.given_count : 1); i++) {
        const char *slash = strrchr(given[i], '/');
        char prefix[256] = "";
        if (plan.prefix)
            snprintf(prefix, sizeof prefix, "%.*s", (int)strcspn(slash ? slash + 1 : given[i], "."),
                     slash ? slash + 1 : given[i]);
        tn_file *file = source_open(given[i], &plan.source);
        status = file ? plan_add(&plan, file, prefix) : COMMAND_FAILED;
    }
    if (status == COMMAND_OK && !plan.count && plan.only.count)
        status = plan_fail(&plan, "no tensor's name matches", plan.only.texts[0]);
    if (status == COMMAND_OK)
        status = plan_run(&plan, out, each);
    plan_end(&plan);
    tn_scope_close(scope);
    return status;
}

int command_convert(int argc, char **argv) { return run_command(argc, argv, "convert", convert_usage, 0); }
int command_merge(int argc, char **argv) { return run_command(argc, argv, "merge", merge_usage, 1); }
int command_split(int argc, char **argv) { return run_command(argc, argv, "split", split_usage, 0); }

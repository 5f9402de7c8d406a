/* common.h - what the subcommands on files share: options, opening, texts that are safe to show, tables, JSON, and tensors as doubles. */
#ifndef TENON_COMMON_H
#define TENON_COMMON_H

#include <stdbool.h>
#include <stdio.h>

#include <tenon/tenon.h>

#include "command.h"
#include "terminal.h"

/* ---- options: --name for a flag, --name VALUE or --name=VALUE for the others; "--" ends them */

enum { OPTION_TEXTS = 32 };
typedef struct text_list { /* of an option that may be said several times */
    const char *texts[OPTION_TEXTS];
    int count;
} text_list;

typedef struct option {
    const char *name; /* without the dashes */
    bool *flag;       /* one of the four    */
    const char **text;
    double *number;
    text_list *many;
} option;

typedef struct command_line {
    const char *command, *usage;
    const option *known;
    int count;
    int least, most; /* arguments that are no options */
    const char **given;
    int given_count;
} command_line;

/* Fills what the options point to, and `given` (room for `most`). -1: go on; else the status to end with: --help was told, or misuse. */
int options_read(command_line *line, int argc, char **argv);

/* A number of an option as an int between two, or `otherwise` where it is 0. */
int number_within(double number, int least, int most, int otherwise);

/* ---- files */

typedef struct source_options {
    const char *format, *dtype, *shape;
    bool copy; /* read, do not map */
} source_options;

/* Opens a file; names that end in .csv, .tsv, .txt or .bin say the format where the content does not, and words above a table's columns are
 * passed over. "-" is the standard input; pipes are read to their end. NULL, with the error. */
tn_file *source_open(const char *path, const source_options *options);
tn_file *source_try(const char *path, const source_options *options); /* the error is not said, but the library's */

/* "FILE:NAME" or "FILE": the file, and the name of the tensor in it, NULL where none was said. The path of a file that is there goes
 * before a colon in it. */
tn_file *source_open_named(const char *text, const source_options *options, const char **name);

/* The tensor of that name, or the only one; NULL, said on the error stream. Then the part of it that an index gives, where that is not NULL. */
tn_tensor *source_take(const tn_file *file, const char *command, const char *name, const char *index);

/* The format that the end of a path stands for; NULL: none. */
const char *format_of_path(const char *path);

/* A name that may have `*`, which stands for anything. */
bool name_matches(const char *pattern, const char *name);
bool name_wanted(const text_list *patterns, const char *name); /* one of them matches, or there is none */

/* ---- texts */

int screen_width(void);        /* of the terminal, or COLUMNS; 0 where neither says it: nothing is cut then */
bool screen_has_unicode(void); /* the locale's letters are UTF-8 */

/* Text of a file on its way to a person: control characters are written as \x1b, and what is longer than `width` columns is cut in its
 * middle. 0: not cut. Returns the columns. */
int say_name(FILE *stream, const char *name, int width);
int name_columns(const char *name);

/* The bytes of the character here; 0 where they are not UTF-8, or would steer a terminal. */
int harmless_character(const char *text);

/* One line on the error stream, with nothing in it that would steer the terminal: names of files and tensors come from others. COMMAND_FAILED. */
#if defined(__GNUC__)
__attribute__((format(printf, 2, 3)))
#endif
int complain(const char *command, const char *format, ...);

void say_shape(char text[512], tn_dims sizes); /* (2, 3) */
const char *say_bytes(char text[TERMINAL_BYTES_SIZE], unsigned long long bytes);
const char *say_many_bytes(char text[TERMINAL_BYTES_SIZE], double bytes); /* however many a file may claim */

void json_text(FILE *stream, const char *text); /* in quotes; bytes that are not UTF-8 become U+FFFD */
void json_number(FILE *stream, double number);  /* null for what JSON does not have */
void json_dims(FILE *stream, tn_dims dims);

/* ---- elements */

/* Calls `visit` with elements in row-major order, as doubles, some thousands at a time; of complex tensors with their absolute values. False,
 * with the error, where that fails or visit returns false. */
typedef bool (*elements_visitor)(void *ctx, const double *values, int64_t count);
bool elements_visit(const tn_tensor *tensor, elements_visitor visit, void *ctx);

/* Elements in brackets, the two parts of complex numbers one after the other. False, with the error. */
bool json_elements(FILE *stream, const tn_tensor *tensor);

/* What is said of many numbers. */
typedef struct summary {
    int64_t count, nans, infinities, zeros;
    double least, largest, mean, deviation; /* of the finite ones; NaN where there are none */
} summary;
enum { HISTOGRAM_BINS = 16, HISTOGRAM_MOST = 400 };
bool summarise(const tn_tensor *tensor, summary *summary, int64_t *histogram, int bins); /* histogram NULL: none */

#endif

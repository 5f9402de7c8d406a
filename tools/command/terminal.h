/* terminal.h - text for people: headings, code and facts, coloured where the terminal can and plain when piped.
 *
 * Colour is used when standard output is a terminal, TERM is set and not "dumb", and NO_COLOR is unset or empty. Everything
 * goes to standard output; main.c checks at the end whether it was written.
 */
#ifndef TENON_TERMINAL_H
#define TENON_TERMINAL_H

#include <stdbool.h>

void terminal_begin(void);
bool terminal_has_colour(void);

/* A numbered chapter's title, with an empty line before and after it. */
void terminal_heading(int number, const char *title);

/* A paragraph of prose, broken into lines at spaces. */
void terminal_text(const char *text);

/* A line of C, as the reader would write it. */
void terminal_code(const char *code);

/* A name and what it is: "    sizes          (3, 4)". */
void terminal_fact(const char *name, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* From now on facts are members of a JSON object, "name": "what it is"; end closes it. Without begin, end does nothing. */
void terminal_facts_json(void);
void terminal_facts_end(void);

/* Bytes for people, "1.50 MiB", into `buffer`, which is returned. */
enum { TERMINAL_BYTES_SIZE = 32 };
const char *terminal_bytes(char buffer[TERMINAL_BYTES_SIZE], long long bytes);

#endif

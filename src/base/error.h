/* error.h - raising errors inside the library. See the public promises in tenon/base.h. */
#ifndef TNI_ERROR_H
#define TNI_ERROR_H

#include "base/thread.h"

/* Record an error under the operator now running (tni_operator_enter) and return its code. The message says which argument,
 * with the shapes and dtypes in it; the operator's name is put before it here. */
tn_error tni_raise(tn_error code, const char *format, ...) TN_PRINTF(2, 3);

/* The same for the small functions that do not name themselves while they run: under `function`, unless an operator runs. */
tn_error tni_raise_in(const char *function, tn_error code, const char *format, ...) TN_PRINTF(3, 4);

/* tni_raise, returning NULL: `return tni_raise_null(...)` in functions that return a pointer. */
#define tni_raise_null(...) (tni_raise(__VA_ARGS__), (void *)NULL)

/* For an argument that is NULL: keeps an error that is already waiting (it is the cause), else names the argument. */
tn_error tni_raise_missing(const char *argument);

/* A bounded text that is built piece by piece inside error messages: append never overflows, and cut text ends in "...". */
typedef struct tni_text {
    char *at;
    size_t size, length;
} tni_text;

void tni_text_append(tni_text *text, const char *format, ...) TN_PRINTF(2, 3);

/* "[2, 3, 4]" in one of a few rotating per-thread buffers: good for the arguments of one message (at most 8 of them). */
const char *tni_show_dims(const int64_t *values, int64_t count);

/* "1.5 MiB (1572864 bytes)"; small numbers are plain "12 bytes". The same rotating buffers. */
const char *tni_show_bytes(size_t bytes);

/* One of those rotating buffers, TNI_SHOW_SIZE bytes, for other tni_show_ functions. */
char *tni_show_buffer(void);

#endif

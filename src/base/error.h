/* error.h - raising errors inside the library. See the public promises in tenon/base.h. */
#ifndef TNI_ERROR_H
#define TNI_ERROR_H

#include <stdarg.h>

#include "base/thread.h"

/* Record an error under the operator now running (tni_operator_enter) and return its code. The message says which argument,
 * with the shapes and dtypes in it; the operator's name is put before it here. */
tn_error tni_raise(tn_error code, const char *format, ...) TN_PRINTF(2, 3);

/* The same for small functions that do not name themselves while they run: under `function`, unless an operator is running. */
tn_error tni_raise_in(const char *function, tn_error code, const char *format, ...) TN_PRINTF(3, 4);

/* tni_raise, returning NULL: `return tni_raise_null(...)` in functions that return a pointer. */
#define tni_raise_null(...) (tni_raise(__VA_ARGS__), (void *)NULL)

/* The code of what has just failed below and raised: `made ? TN_OK : tni_failed()`. tn_error_code() is another: of the first error
 * that waits, which may be an older call's. */
tn_error tni_failed(void);

/* Around a callback that may fail without raising: forget what failed before; then whether nothing was raised since. */
static inline void tni_failed_forget(void) { tni_thread_get()->raised = TN_OK; }
static inline bool tni_failed_silently(void) { return tni_thread_get()->raised == TN_OK; }

/* For an argument that is NULL: keeps an error that is already waiting (it is the cause), otherwise names the argument. */
tn_error tni_raise_missing(const char *argument);

/* "operator: text" into a zeroed record's two fields, cut with "..." where it does not fit; `otherwise` where there is no text.
 * */
void tni_message_write(char name[TN_ERROR_OPERATOR_SIZE], char message[TN_ERROR_MESSAGE_SIZE], const char *operator_name,
                       const char *format, va_list arguments, const char *otherwise) TN_PRINTF(4, 0);

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

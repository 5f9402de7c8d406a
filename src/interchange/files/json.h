/* json.h - reading JSON, value by value, over a cursor. Nothing is kept but the texts that a caller asks for. */
#ifndef TNI_INTERCHANGE_JSON_H
#define TNI_INTERCHANGE_JSON_H

#include "interchange/files/file.h"

/* Skips white space, then whether the next byte is `wanted`, which is taken. */
bool tni_json_is(tni_cursor *cursor, char wanted);

/* Whether nothing but white space is left. */
bool tni_json_ended(tni_cursor *cursor);

/* A text, in the arena, with a NUL behind it: escapes are resolved; TN_ERROR_IO for bytes that are not UTF-8, for control characters and
 * for a NUL inside. NULL, raised. */
char *tni_json_text(tni_cursor *cursor, tni_arena *arena);

/* A whole number that is not negative, in at most 63 bits. */
bool tni_json_number(tni_cursor *cursor, uint64_t *number);

/* Any value, up to FILE_DEPTH deep. */
bool tni_json_skip(tni_cursor *cursor);

/* Around the members of an object or the items of an array: true while there is another; after it the caller reads the key with
 * tni_json_key, or the item. `first` begins as true.
 *
 *     for (bool first = true; tni_json_more(&cursor, '}', &first);) */
bool tni_json_more(tni_cursor *cursor, char end, bool *first);
char *tni_json_key(tni_cursor *cursor, tni_arena *arena);

bool tni_is_utf8(const void *text, size_t length);

#endif

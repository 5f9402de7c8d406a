/* json.c - the one JSON reader: headers of safetensors and indexes of shards. See json.h.
 *
 * Invariant: a cursor that has failed reads nothing more, so a caller may look at `failed` once, at the end.
 */
#include "interchange/files/json.h"

bool tni_is_utf8(const void *text, size_t length) {
    const uint8_t *at = text, *end = at + length;
    while (at < end) {
        if (*at < 0x80) {
            at++;
            continue;
        }
        int more = *at >= 0xf0 ? 3 : *at >= 0xe0 ? 2 : 1;
        uint32_t code = *at & (0x3fu >> more);
        if (*at < 0xc2 || *at > 0xf4 || end - at <= more)
            return false;
        for (int i = 1; i <= more; i++) {
            if ((at[i] & 0xc0) != 0x80)
                return false;
            code = code << 6 | (at[i] & 0x3f);
        }
        static const uint32_t least[] = {0, 0x80, 0x800, 0x10000};
        if (code < least[more] || code > 0x10ffff || (code >= 0xd800 && code < 0xe000))
            return false;
        at += more + 1;
    }
    return true;
}

static int json_peek(tni_cursor *cursor) {
    while (cursor->at < cursor->size && strchr(" \t\r\n", cursor->bytes[cursor->at]) && cursor->bytes[cursor->at])
        cursor->at++;
    return cursor->failed || cursor->at >= cursor->size ? -1 : cursor->bytes[cursor->at];
}

bool tni_json_is(tni_cursor *cursor, char wanted) {
    if (json_peek(cursor) != (unsigned char)wanted)
        return false;
    cursor->at++;
    return true;
}

bool tni_json_ended(tni_cursor *cursor) { return json_peek(cursor) < 0 && !cursor->failed; }

static bool json_expect(tni_cursor *cursor, char wanted) {
    return tni_json_is(cursor, wanted) ||
           tni_cursor_complain(cursor, TN_ERROR_IO, "the header should have a '%c' here", wanted);
}

static bool json_hex(tni_cursor *cursor, uint32_t *code) {
    const uint8_t *digits = tni_cursor_take(cursor, 4, "\\u");
    *code = 0;
    for (int i = 0; digits && i < 4; i++) {
        uint32_t digit = digits[i], low = digit | 32;
        if (digit - '0' < 10)
            digit -= '0';
        else if (low - 'a' < 6)
            digit = low - 'a' + 10;
        else
            return tni_cursor_complain(cursor, TN_ERROR_IO, "\\u is followed by four hexadecimal digits");
        *code = *code << 4 | digit;
    }
    return digits != NULL;
}

static char *json_put(char *to, uint32_t code) {
    static const uint8_t heads[] = {0, 0xc0, 0xe0, 0xf0};
    int more = code < 0x80 ? 0 : code < 0x800 ? 1 : code < 0x10000 ? 2 : 3;
    *to++ = (char)(heads[more] | code >> (6 * more));
    for (int left = more - 1; left >= 0; left--)
        *to++ = (char)(0x80 | ((code >> (6 * left)) & 0x3f));
    return to;
}

static bool json_escape(tni_cursor *cursor, char **to) {
    static const char names[] = "\"\\/bfnrt", meant[] = "\"\\/\b\f\n\r\t";
    const uint8_t *kind = tni_cursor_take(cursor, 1, "an escape");
    if (!kind)
        return false;
    uint32_t code, low;
    const char *simple = *kind ? strchr(names, *kind) : NULL;
    if (simple)
        code = (uint8_t)meant[simple - names];
    else if (*kind != 'u' || !json_hex(cursor, &code))
        return tni_cursor_complain(cursor, TN_ERROR_IO, "a backslash before something that it does not go with");
    if (code >= 0xd800 && code < 0xdc00) {
        const uint8_t *next = tni_cursor_take(cursor, 2, "the second half of a character");
        if (!next || next[0] != '\\' || next[1] != 'u' || !json_hex(cursor, &low) || low < 0xdc00 || low > 0xdfff)
            return tni_cursor_complain(cursor, TN_ERROR_IO, "half a character");
        code = 0x10000 + ((code - 0xd800) << 10) + (low - 0xdc00);
    }
    if (code == 0 || (code >= 0xdc00 && code < 0xe000))
        return tni_cursor_complain(cursor, TN_ERROR_IO, "\\u%04x cannot be in a text here", (unsigned)code);
    *to = json_put(*to, code);
    return true;
}

char *tni_json_text(tni_cursor *cursor, tni_arena *arena) {
    if (!json_expect(cursor, '"'))
        return NULL;
    size_t end = cursor->at;
    while (end < cursor->size && cursor->bytes[end] != '"')
        end += cursor->bytes[end] == '\\' ? 2 : 1;
    char *text = tni_arena_take(arena, end - cursor->at + 1), *to = text; /* escapes only make it shorter */
    while (text) {
        const uint8_t *next = tni_cursor_take(cursor, 1, "a text");
        if (!next)
            return NULL;
        if (*next == '"')
            break;
        if (*next < ' ') {
            tni_cursor_complain(cursor, TN_ERROR_IO, "a control character inside a text");
            return NULL;
        }
        if (*next != '\\')
            *to++ = (char)*next;
        else if (!json_escape(cursor, &to))
            return NULL;
    }
    if (text && !tni_is_utf8(text, (size_t)(to - text))) {
        tni_cursor_complain(cursor, TN_ERROR_IO, "the text before this is not UTF-8");
        return NULL;
    }
    cursor->failed |= !text;
    return text;
}

bool tni_json_number(tni_cursor *cursor, uint64_t *number) {
    int next = json_peek(cursor);
    size_t from = cursor->at;
    *number = 0;
    if (next < '0' || next > '9')
        return tni_cursor_complain(cursor, TN_ERROR_IO, "the header should have a whole number that is not negative here");
    for (; cursor->at < cursor->size && (unsigned)cursor->bytes[cursor->at] - '0' < 10; cursor->at++) {
        if (*number > ((uint64_t)INT64_MAX - 9) / 10)
            return tni_cursor_complain(cursor, TN_ERROR_IO, "the number here is too large");
        *number = *number * 10 + cursor->bytes[cursor->at] - '0';
    }
    if (cursor->at < cursor->size && strchr(".eE", cursor->bytes[cursor->at]) && cursor->bytes[cursor->at])
        return tni_cursor_complain(cursor, TN_ERROR_IO, "the number here should be a whole one");
    return (next != '0' || cursor->at == from + 1) ||
           tni_cursor_complain(cursor, TN_ERROR_IO, "the number before this begins with 0");
}

bool tni_json_more(tni_cursor *cursor, char end, bool *first) {
    if (cursor->failed)
        return false;
    if (*first ? tni_json_is(cursor, end) : !tni_json_is(cursor, ',')) {
        if (!*first)
            (void)json_expect(cursor, end);
        return false;
    }
    *first = false;
    return true;
}

char *tni_json_key(tni_cursor *cursor, tni_arena *arena) {
    char *key = tni_json_text(cursor, arena);
    return key && json_expect(cursor, ':') ? key : NULL;
}

static bool json_skip_text(tni_cursor *cursor) {
    tni_arena arena = {NULL, 0};
    bool good = tni_json_text(cursor, &arena) != NULL;
    tni_arena_free(&arena);
    return good;
}

static bool json_skip_word(tni_cursor *cursor) {
    size_t from = cursor->at;
    while (cursor->at < cursor->size && cursor->bytes[cursor->at] &&
           strchr("+-.0123456789abcdefghijklmnopqrstuvwxyzE", cursor->bytes[cursor->at]))
        cursor->at++;
    return cursor->at > from || tni_cursor_complain(cursor, TN_ERROR_IO, "the header should have a value here");
}

/* A bit for each container that is open: whether it is an object. Nothing is called inside itself, however deep the text is. */
bool tni_json_skip(tni_cursor *cursor) {
    uint8_t kinds[FILE_DEPTH] = {0};
    bool first[FILE_DEPTH];
    int depth = 0;
    do {
        while (depth && !tni_json_more(cursor, kinds[depth - 1] ? '}' : ']', &first[depth - 1])) {
            if (cursor->failed)
                return false;
            if (--depth == 0)
                return true;
        }
        if (depth && kinds[depth - 1] && (!json_skip_text(cursor) || !json_expect(cursor, ':')))
            return false;
        int next = json_peek(cursor);
        if (next == '{' || next == '[') {
            if (depth == FILE_DEPTH)
                return tni_cursor_complain(cursor, TN_ERROR_IO, "values inside values, more than %d deep", FILE_DEPTH);
            kinds[depth] = next == '{';
            first[depth++] = true;
            cursor->at++;
        } else if (!(next == '"' ? json_skip_text(cursor) : json_skip_word(cursor)))
            return false;
    } while (depth);
    return true;
}

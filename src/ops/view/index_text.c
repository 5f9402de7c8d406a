/* index_text.c - an index read from text, written as in Python: "..., 1:, ::-2, None", with or without brackets around it.
 *
 * One pass, no recursion, no allocation; every mistake is reported with its column (from 1).
 */
#include "base/error.h"
#include "ops/view/view.h"

typedef struct index_reader {
    const char *text, *at;
} index_reader;

static bool index_complain(const index_reader *reader, const char *expected) {
    tni_raise(TN_ERROR_ARGUMENT, "index \"%.80s\", column %td: %s", reader->text, reader->at - reader->text + 1, expected);
    return false;
}

/* As in the "C" locale, whatever the program has set. */
static bool index_is_space(char c) { return c == ' ' || (c >= '\t' && c <= '\r'); }
static bool index_is_digit(char c) { return c >= '0' && c <= '9'; }
static bool index_is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; }

static void index_skip(index_reader *reader) {
    while (index_is_space(*reader->at))
        reader->at++;
}

static bool index_at_word(const index_reader *reader, const char *word) {
    size_t length = strlen(word);
    return strncmp(reader->at, word, length) == 0 && !index_is_letter(reader->at[length]) &&
           !index_is_digit(reader->at[length]);
}

static bool index_word(index_reader *reader, const char *word) {
    bool here = index_at_word(reader, word);
    reader->at += here ? strlen(word) : 0;
    return here;
}

static bool index_starts_number(const index_reader *reader) {
    return index_is_digit(*reader->at) || *reader->at == '-' || *reader->at == '+';
}

static bool index_number(index_reader *reader, int64_t *out) {
    const char *start = reader->at;
    bool negative = *reader->at == '-';
    if (*reader->at == '-' || *reader->at == '+')
        reader->at++;
    if (!index_is_digit(*reader->at))
        return index_complain(reader, "a digit is expected here");
    int64_t value = 0;
    for (; index_is_digit(*reader->at); reader->at++) /* collected as a negative number, which has the wider range */
        if (tni_mul_overflows(value, 10, &value) || tni_sub_overflows(value, *reader->at - '0', &value)) {
            reader->at = start;
            return index_complain(reader, "this number does not fit in 64 bits");
        }
    if (value == INT64_MIN) {
        reader->at = start;
        return index_complain(reader, "this number does not fit in 63 bits and a sign");
    }
    *out = negative ? value : -value;
    return true;
}

/* An optional bound of a range: TN_NONE when there is no number here. The word None is an omitted bound too. */
static bool index_bound(index_reader *reader, int64_t *out) {
    index_skip(reader);
    *out = TN_NONE;
    bool good = index_word(reader, "None") || !index_starts_number(reader) || index_number(reader, out);
    index_skip(reader);
    return good;
}

/* What follows the first colon of a range. */
static bool index_rest_of_range(index_reader *reader, tn_index_item *item) {
    if (!index_bound(reader, &item->end))
        return false;
    if (*reader->at != ':')
        return true;
    reader->at++;
    index_skip(reader);
    const char *start = reader->at;
    int64_t step;
    if (!index_bound(reader, &step))
        return false;
    item->step = step == TN_NONE ? 1 : step;
    if (item->step != 0)
        return true;
    reader->at = start;
    return index_complain(reader, "a step cannot be 0");
}

static bool index_item(index_reader *reader, tn_index_item *item) {
    if (strncmp(reader->at, "...", 3) == 0) {
        reader->at += 3;
        *item = TN_ELLIPSIS;
        return true;
    }
    if (index_word(reader, "Ellipsis")) {
        *item = TN_ELLIPSIS;
        return true;
    }
    if (index_word(reader, "newaxis")) {
        *item = TN_NEW_AXIS;
        return true;
    }
    bool none = index_at_word(reader, "None");
    if (*reader->at != ':' && !index_starts_number(reader) && !none)
        return index_complain(reader, "a number, a range with ':', '...', or None is expected here");
    *item = TN_ALL;
    if (!index_bound(reader, &item->start))
        return false;
    if (*reader->at == ':') {
        reader->at++;
        return index_rest_of_range(reader, item);
    }
    *item = none ? TN_NEW_AXIS : TN_AT(item->start);
    return true;
}

bool tni_index_parse(const char *text, tn_index_item *items, int64_t *count) {
    index_reader reader = {text, text};
    index_skip(&reader);
    bool bracket = *reader.at == '[';
    if (bracket) {
        reader.at++;
        index_skip(&reader);
    }
    char last = bracket ? ']' : 0;
    for (*count = 0; *reader.at != last;) {
        if (*count == 2 * TN_MAX_DIMS)
            return index_complain(&reader, "too many items");
        if (!index_item(&reader, &items[(*count)++]))
            return false;
        index_skip(&reader);
        if (*reader.at == ',') {
            reader.at++;
            index_skip(&reader);
        } else if (*reader.at != last) {
            return index_complain(&reader, bracket ? "a comma or ']' is expected here" : "a comma is expected here");
        }
    }
    if (!bracket)
        return true;
    reader.at++;
    index_skip(&reader);
    return *reader.at == 0 || index_complain(&reader, "nothing more is expected after ']'");
}

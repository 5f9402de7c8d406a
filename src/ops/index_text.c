/* index_text.c - an index read from text as Python writes it: "..., 1:, ::-2, None", with or without brackets around it.
 *
 * One pass, no recursion, no allocation; every mistake is reported with its column (from 1).
 */
#include <ctype.h>

#include "base/error.h"
#include "ops/view.h"

typedef struct index_reader {
    const char *text, *at;
} index_reader;

static bool index_complain(const index_reader *reader, const char *expected) {
    tni_raise(TN_ERROR_ARGUMENT, "index \"%.80s\", column %d: %s", reader->text, (int)(reader->at - reader->text) + 1, expected);
    return false;
}

static void index_skip(index_reader *reader) {
    while (isspace((unsigned char)*reader->at))
        reader->at++;
}

static bool index_word(index_reader *reader, const char *word) {
    size_t length = strlen(word);
    if (strncmp(reader->at, word, length) != 0 || isalnum((unsigned char)reader->at[length]) || reader->at[length] == '_')
        return false;
    reader->at += length;
    return true;
}

static bool index_starts_number(const index_reader *reader) {
    return isdigit((unsigned char)*reader->at) || *reader->at == '-' || *reader->at == '+';
}

static bool index_number(index_reader *reader, int64_t *out) {
    const char *start = reader->at;
    bool negative = *reader->at == '-';
    if (*reader->at == '-' || *reader->at == '+')
        reader->at++;
    if (!isdigit((unsigned char)*reader->at))
        return index_complain(reader, "a digit is expected here");
    int64_t value = 0;
    for (; isdigit((unsigned char)*reader->at); reader->at++) /* collected as a negative number, which has the wider range */
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

static bool index_item(index_reader *reader, tn_index_item *item) {
    *item = (tn_index_item){TN_INDEX_RANGE, TN_NONE, TN_NONE, 1};
    if (strncmp(reader->at, "...", 3) == 0 || index_word(reader, "Ellipsis")) {
        reader->at += *reader->at == '.' ? 3 : 0;
        item->kind = TN_INDEX_ELLIPSIS;
        item->start = item->end = 0;
        return true;
    }
    const char *start = reader->at;
    if (*reader->at != ':' && !index_starts_number(reader) && strncmp(reader->at, "None", 4) != 0 &&
        strncmp(reader->at, "newaxis", 7) != 0)
        return index_complain(reader, "a number, a range with ':', '...', or None is expected here");
    if (index_word(reader, "newaxis") || (index_word(reader, "None") && (index_skip(reader), *reader->at != ':'))) {
        *item = (tn_index_item){TN_INDEX_NEW_AXIS, 0, 0, 1};
        return true;
    }
    reader->at = start;
    if (!index_bound(reader, &item->start))
        return false;
    if (*reader->at != ':') {
        item->kind = TN_INDEX_AT;
        item->end = 0;
        return true;
    }
    reader->at++;
    if (!index_bound(reader, &item->end))
        return false;
    if (*reader->at != ':')
        return true;
    reader->at++;
    start = reader->at;
    int64_t step;
    if (!index_bound(reader, &step))
        return false;
    item->step = step == TN_NONE ? 1 : step;
    if (item->step != 0)
        return true;
    reader->at = start;
    return index_complain(reader, "a step cannot be 0");
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

/* layout_parse.c - a chain such as  arange(12).view(3, 4)[:, 1:].t()  becomes calls with arguments.
 *
 * One pass from left to right over bytes, looking one byte ahead, without recursion and without memory of its own. Invariant:
 * `at` never passes the final NUL, and every complaint names the byte at which reading failed. Which names exist and what they
 * take is not known here.
 */
#include <errno.h>
#include <math.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "layout.h"

enum { PARSE_MAX_DEPTH = 64 };

typedef struct layout_reader {
    const char *text;
    int at;
    layout_expression *expression;
    layout_complaint *complaint;
} layout_reader;

bool layout_complain(layout_complaint *complaint, int at, const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    complaint->at = at;
    vsnprintf(complaint->message, sizeof complaint->message, format, arguments);
    va_end(arguments);
    return false;
}

bool layout_span_is(const char *text, layout_span span, const char *word) {
    return strlen(word) == (size_t)span.length && strncmp(text + span.start, word, (size_t)span.length) == 0;
}

/* ---- bytes --------------------------------------------------------------------------------------------------------- */

static bool parse_is_letter(char byte) { return (byte >= 'a' && byte <= 'z') || (byte >= 'A' && byte <= 'Z') || byte == '_'; }
static bool parse_is_digit(char byte) { return byte >= '0' && byte <= '9'; }
static bool parse_is_space(char byte) { return byte == ' ' || byte == '\t' || byte == '\n' || byte == '\r'; }

static char parse_here(const layout_reader *reader) { return reader->text[reader->at]; }

static void parse_skip(layout_reader *reader) {
    while (parse_is_space(parse_here(reader)))
        reader->at++;
}

/* The byte here if it is the one wanted, with the spaces around it. */
static bool parse_take(layout_reader *reader, char wanted) {
    parse_skip(reader);
    if (parse_here(reader) != wanted)
        return false;
    reader->at++;
    return true;
}

/* "'x'" or "the end", for messages: what is here. */
static bool parse_expected(layout_reader *reader, const char *expected) {
    parse_skip(reader);
    unsigned char found = (unsigned char)parse_here(reader);
    if (!found)
        return layout_complain(reader->complaint, reader->at, "%s is expected here, where the expression ends", expected);
    if (found < ' ' || found > '~')
        return layout_complain(reader->complaint, reader->at, "%s is expected here", expected);
    return layout_complain(reader->complaint, reader->at, "%s is expected here, not '%c'", expected, found);
}

/* ---- words and numbers --------------------------------------------------------------------------------------------- */

static layout_span parse_word(layout_reader *reader) {
    layout_span span = {reader->at, 0};
    while (parse_is_letter(parse_here(reader)) || (reader->at > span.start && parse_is_digit(parse_here(reader))))
        reader->at++;
    span.length = reader->at - span.start;
    return span;
}

static bool parse_keep_number(layout_reader *reader, int64_t number) {
    layout_expression *expression = reader->expression;
    if (expression->numbers == LAYOUT_MAX_NUMBERS)
        return layout_complain(reader->complaint, reader->at, "there are more than %d integers", LAYOUT_MAX_NUMBERS);
    expression->number[expression->numbers++] = number;
    return true;
}

static bool parse_starts_number(const layout_reader *reader) {
    const char *here = reader->text + reader->at;
    if (*here == '-' || *here == '+')
        here++;
    return parse_is_digit(*here) || (*here == '.' && parse_is_digit(here[1]));
}

/* The length of a number's text, and whether it is a whole one. */
static int parse_measure_number(const char *here, bool *whole) {
    const char *start = here;
    *whole = true;
    here += *here == '-' || *here == '+';
    while (parse_is_digit(*here))
        here++;
    if (*here == '.') {
        *whole = false;
        for (here++; parse_is_digit(*here);)
            here++;
    }
    if (*here == 'e' || *here == 'E') {
        const char *exponent = here + 1;
        exponent += *exponent == '-' || *exponent == '+';
        if (parse_is_digit(*exponent)) {
            *whole = false;
            for (here = exponent; parse_is_digit(*here);)
                here++;
        }
    }
    return (int)(here - start);
}

/* One number, not yet a product. */
static bool parse_factor(layout_reader *reader, bool *whole, int64_t *integer, double *real) {
    char text[128];
    int start = reader->at, length = parse_measure_number(reader->text + start, whole);
    if (length >= (int)sizeof text)
        return layout_complain(reader->complaint, start, "this number has more digits than can be read");
    memcpy(text, reader->text + start, (size_t)length);
    text[length] = 0;
    errno = 0;
    if (*whole)
        *integer = strtoll(text, NULL, 10);
    else
        *real = strtod(text, NULL);
    if (errno == ERANGE && (*whole || isinf(*real)))
        return layout_complain(reader->complaint, start, "this number does not fit in 64 bits");
    reader->at += length;
    if (parse_is_letter(parse_here(reader)))
        return layout_complain(reader->complaint, reader->at, "a number cannot go on like this");
    return true;
}

/* An integer, a product of integers (2*3*4), or a float. */
static bool parse_number(layout_reader *reader, layout_argument *argument) {
    bool whole;
    int64_t product = 0, factor = 0;
    int start = reader->at;
    argument->first_number = reader->expression->numbers;
    if (!parse_factor(reader, &whole, &product, &argument->real))
        return false;
    if (!whole) {
        argument->kind = LAYOUT_FLOAT;
        return true;
    }
    while (parse_take(reader, '*')) {
        parse_skip(reader);
        if (!parse_starts_number(reader))
            return parse_expected(reader, "a number");
        double ignored;
        int here = reader->at;
        if (!parse_factor(reader, &whole, &factor, &ignored))
            return false;
        if (!whole)
            return layout_complain(reader->complaint, here, "only integers can be multiplied here");
        if (__builtin_mul_overflow(product, factor, &product))
            return layout_complain(reader->complaint, start, "this product does not fit in 64 bits");
    }
    if (product == INT64_MIN)
        return layout_complain(reader->complaint, start, "this number does not fit in 63 bits and a sign");
    argument->kind = LAYOUT_INT;
    argument->numbers = 1;
    return parse_keep_number(reader, product);
}

/* [0, 1] or (0, 1): integers, one level. */
static bool parse_list(layout_reader *reader, layout_argument *argument) {
    char close = parse_here(reader) == '[' ? ']' : ')';
    reader->at++;
    argument->kind = LAYOUT_INTS;
    argument->first_number = reader->expression->numbers;
    for (bool more = true; !parse_take(reader, close);) {
        if (!more)
            return parse_expected(reader, close == ']' ? "',' or ']'" : "',' or ')'");
        if (!parse_starts_number(reader))
            return parse_expected(reader, "an integer");
        layout_argument item = {.kind = LAYOUT_INT};
        int start = reader->at;
        if (!parse_number(reader, &item))
            return false;
        if (item.kind != LAYOUT_INT)
            return layout_complain(reader->complaint, start, "an integer is expected in this list");
        more = parse_take(reader, ',');
    }
    argument->numbers = reader->expression->numbers - argument->first_number;
    return true;
}

/* 'float32' */
static bool parse_quoted(layout_reader *reader, layout_argument *argument) {
    int start = reader->at;
    char quote = parse_here(reader);
    for (reader->at++; parse_here(reader) != quote; reader->at++)
        if (!parse_here(reader))
            return layout_complain(reader->complaint, start, "this quote is not closed");
    reader->at++;
    argument->kind = LAYOUT_NAME;
    argument->text = (layout_span){start + 1, reader->at - start - 2};
    return true;
}

/* float32, torch.float32, True, None, inf */
static void parse_name(layout_reader *reader, layout_argument *argument) {
    int start = reader->at;
    parse_word(reader);
    while (parse_here(reader) == '.' && parse_is_letter(reader->text[reader->at + 1])) {
        reader->at++;
        parse_word(reader);
    }
    argument->kind = LAYOUT_NAME;
    argument->text = (layout_span){start, reader->at - start};
    const char *text = reader->text;
    if (layout_span_is(text, argument->text, "None")) {
        argument->kind = LAYOUT_NONE;
    } else if (layout_span_is(text, argument->text, "True") || layout_span_is(text, argument->text, "False")) {
        argument->kind = LAYOUT_BOOL;
        argument->truth = text[start] == 'T';
    } else if (layout_span_is(text, argument->text, "inf") || layout_span_is(text, argument->text, "nan")) {
        argument->kind = LAYOUT_FLOAT;
        argument->real = text[start] == 'i' ? (double)INFINITY : (double)NAN;
    }
}

/* ---- brackets ------------------------------------------------------------------------------------------------------ */

/* Goes over text up to `stop` or a comma (where `commas` end it too) outside of brackets; what is inside is not read. */
static bool parse_pass_over(layout_reader *reader, char stop, bool commas) {
    char closing[PARSE_MAX_DEPTH];
    int opened[PARSE_MAX_DEPTH], depth = 0;
    for (;; reader->at++) {
        char here = parse_here(reader);
        if (depth == 0 && (here == stop || (commas && here == ',')))
            return true;
        if (!here)
            return depth ? layout_complain(reader->complaint, opened[depth - 1], "this bracket is not closed")
                         : parse_expected(reader, stop == ']' ? "']'" : "')'");
        if (here == '(' || here == '[') {
            if (depth == PARSE_MAX_DEPTH)
                return layout_complain(reader->complaint, reader->at, "brackets are nested deeper than %d", PARSE_MAX_DEPTH);
            opened[depth] = reader->at;
            closing[depth++] = here == '(' ? ')' : ']';
        } else if (here == ')' || here == ']') {
            if (depth == 0 || closing[depth - 1] != here)
                return layout_complain(reader->complaint, reader->at, "this '%c' closes nothing", here);
            depth--;
        }
    }
}

static bool parse_literal(layout_reader *reader, layout_argument *argument) {
    int start = reader->at;
    if (!parse_pass_over(reader, ')', true))
        return false;
    int end = reader->at;
    while (end > start && parse_is_space(reader->text[end - 1]))
        end--;
    argument->kind = LAYOUT_LITERAL;
    argument->text = (layout_span){start, end - start};
    return end > start || parse_expected(reader, "a number or a list");
}

/* ---- arguments ----------------------------------------------------------------------------------------------------- */

static bool parse_value(layout_reader *reader, bool literal, layout_argument *argument) {
    parse_skip(reader);
    int start = reader->at;
    if (literal)
        return parse_literal(reader, argument);
    char here = parse_here(reader);
    if (parse_starts_number(reader)) {
        if (!parse_number(reader, argument))
            return false;
    } else if ((here == '-' || here == '+') && strncmp(reader->text + start + 1, "inf", 3) == 0 &&
               !parse_is_letter(reader->text[start + 4]) && !parse_is_digit(reader->text[start + 4])) {
        reader->at += 4;
        argument->kind = LAYOUT_FLOAT;
        argument->real = here == '-' ? -(double)INFINITY : (double)INFINITY;
    } else if (here == '[' || here == '(') {
        if (!parse_list(reader, argument))
            return false;
    } else if (here == '\'' || here == '"') {
        return parse_quoted(reader, argument);
    } else if (parse_is_letter(here)) {
        parse_name(reader, argument);
    } else {
        return parse_expected(reader, "an argument");
    }
    argument->text = (layout_span){start, reader->at - start};
    return true;
}

/* A word and '=', or nothing. */
static layout_span parse_keyword(layout_reader *reader) {
    parse_skip(reader);
    int start = reader->at;
    layout_span word = parse_word(reader);
    if (word.length > 0 && parse_take(reader, '='))
        return word;
    reader->at = start;
    return (layout_span){start, 0};
}

/* Whether an argument of this call so far has the same name. */
static bool parse_repeats_keyword(const layout_reader *reader, const layout_call *call, layout_span keyword) {
    for (int i = call->first_argument; i < reader->expression->arguments; i++) {
        layout_span other = reader->expression->argument[i].keyword;
        if (keyword.length > 0 && other.length == keyword.length &&
            strncmp(reader->text + other.start, reader->text + keyword.start, (size_t)keyword.length) == 0)
            return true;
    }
    return false;
}

/* After '(': the arguments and the ')'. */
static bool parse_arguments(layout_reader *reader, layout_call *call) {
    layout_expression *expression = reader->expression;
    bool is_literal = call->kind == LAYOUT_FACTORY && layout_span_is(reader->text, call->name, "tensor");
    bool named = false;
    call->first_argument = expression->arguments;
    for (bool more = true; !parse_take(reader, ')');) {
        if (!more)
            return parse_expected(reader, "',' or ')'");
        if (expression->arguments == LAYOUT_MAX_ARGUMENTS)
            return layout_complain(reader->complaint, reader->at, "there are more than %d arguments", LAYOUT_MAX_ARGUMENTS);
        layout_argument argument = {.keyword = parse_keyword(reader)};
        if (named && argument.keyword.length == 0)
            return layout_complain(reader->complaint, reader->at, "an argument without a name cannot follow one with a name");
        if (parse_repeats_keyword(reader, call, argument.keyword))
            return layout_complain(reader->complaint, argument.keyword.start, "'%.*s' is given twice", argument.keyword.length,
                                   reader->text + argument.keyword.start);
        named = argument.keyword.length > 0;
        if (!parse_value(reader, is_literal && call->arguments == 0 && !named, &argument))
            return false;
        expression->argument[expression->arguments++] = argument;
        call->arguments++;
        more = parse_take(reader, ',');
    }
    return true;
}

/* ---- steps --------------------------------------------------------------------------------------------------------- */

/* After '[': the text up to its ']'. */
static bool parse_index(layout_reader *reader, layout_call *call) {
    call->kind = LAYOUT_INDEX;
    call->name.start = reader->at;
    if (!parse_pass_over(reader, ']', false))
        return false;
    call->name.length = reader->at - call->name.start;
    reader->at++;
    return true;
}

/* A name, and its arguments where there are parentheses. */
static bool parse_named_call(layout_reader *reader, layout_call *call) {
    parse_skip(reader);
    if (!parse_is_letter(parse_here(reader)))
        return parse_expected(reader, call->kind == LAYOUT_FACTORY ? "a factory, such as arange(12)," : "the name of a method");
    call->name = parse_word(reader);
    int end = reader->at;
    if (parse_take(reader, '('))
        return parse_arguments(reader, call);
    if (call->kind == LAYOUT_FACTORY)
        return parse_expected(reader, "'('");
    call->kind = LAYOUT_PROPERTY;
    reader->at = end;
    return true;
}

/* A first `torch.` is allowed, so that an expression can be pasted. */
static void parse_module(layout_reader *reader) {
    int start = reader->at;
    layout_span word = parse_word(reader);
    if (!layout_span_is(reader->text, word, "torch") || !parse_take(reader, '.'))
        reader->at = start;
}

bool layout_parse(const char *text, layout_expression *expression, layout_complaint *complaint) {
    layout_reader reader = {text, 0, expression, complaint};
    *expression = (layout_expression){.text = text};
    if (strlen(text) > LAYOUT_MAX_LENGTH)
        return layout_complain(complaint, 0, "the expression is longer than %d bytes", LAYOUT_MAX_LENGTH);
    parse_skip(&reader);
    parse_module(&reader);
    for (bool first = true; first || parse_here(&reader); first = false) {
        if (expression->calls == LAYOUT_MAX_CALLS)
            return layout_complain(complaint, reader.at, "there are more than %d steps", LAYOUT_MAX_CALLS);
        layout_call call = {.kind = first ? LAYOUT_FACTORY : LAYOUT_METHOD, .text = {reader.at, 0}};
        bool good;
        if (!first && parse_take(&reader, '['))
            good = parse_index(&reader, &call);
        else if (first || parse_take(&reader, '.'))
            good = parse_named_call(&reader, &call);
        else
            good = parse_expected(&reader, "'.', '[' or the end");
        if (!good)
            return false;
        call.text.length = reader.at - call.text.start;
        expression->call[expression->calls++] = call;
        parse_skip(&reader);
    }
    return true;
}

/* print_number.c - see print_number.h.
 *
 * PyTorch's rule: floats are written whole ("12.") when none shown has a fraction, else with `precision` digits; but in
 * scientific notation when the largest is more than 1000 times the smallest or above 1e8, or, if there are fractions, when
 * the smallest is below 1e-4. Zeros, infinities and NaN do not count in the decision or in the width, and where there is
 * nothing else everything is whole, even when scientific notation is asked for. All comparisons are made in float64, even for
 * narrower dtypes. The conversion itself is left to the C library, which rounds exactly; only its idea of the decimal mark has
 * to be undone.
 */
#include "interchange/print_number.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>

#include "base/common.h"

static int number_write_plain(tn_scalar value, char text[TNI_NUMBER_SIZE]) {
    switch (value.kind) {
    case TN_SCALAR_BOOL: return snprintf(text, TNI_NUMBER_SIZE, "%s", value.value.b ? "True" : "False");
    case TN_SCALAR_UINT: return snprintf(text, TNI_NUMBER_SIZE, "%" PRIu64, value.value.u);
    default: return snprintf(text, TNI_NUMBER_SIZE, "%" PRId64, value.value.i);
    }
}

/* The locale's mark, which may be several bytes long, is whatever is between the first digits and the next one, unless that is
 * already the exponent. */
int tni_number_normalise_mark(char *text, int length) {
    int mark = text[0] == '-';
    while (text[mark] >= '0' && text[mark] <= '9')
        mark++;
    if (mark == length || text[mark] == 'e')
        return length;
    int digits = mark + 1;
    while (digits < length && !(text[digits] >= '0' && text[digits] <= '9'))
        digits++;
    text[mark] = '.';
    memmove(text + mark + 1, text + digits, (size_t)(length - digits + 1));
    return length - (digits - mark - 1);
}

static int number_write_float(const tni_number_format *format, double value, char text[TNI_NUMBER_SIZE]) {
    if (isnan(value)) /* the C library would show its sign */
        return snprintf(text, TNI_NUMBER_SIZE, "nan");
    if (isinf(value))
        return snprintf(text, TNI_NUMBER_SIZE, "%s", value < 0 ? "-inf" : "inf");
    switch (format->style) {
    case TNI_NUMBER_WHOLE: return snprintf(text, TNI_NUMBER_SIZE, "%.0f.", value);
    case TNI_NUMBER_FIXED:
        return tni_number_normalise_mark(text, snprintf(text, TNI_NUMBER_SIZE, "%.*f", format->precision, value));
    default: return tni_number_normalise_mark(text, snprintf(text, TNI_NUMBER_SIZE, "%.*e", format->precision, value));
    }
}

int tni_number_write(const tni_number_format *format, tn_scalar value, char text[TNI_NUMBER_SIZE]) {
    return value.kind == TN_SCALAR_FLOAT ? number_write_float(format, value.value.d, text) : number_write_plain(value, text);
}

void tni_number_survey_add(tni_number_survey *survey, tn_scalar value) {
    if (value.kind != TN_SCALAR_FLOAT) {
        char text[TNI_NUMBER_SIZE];
        int width = number_write_plain(value, text);
        if (width > survey->plain_width)
            survey->plain_width = width;
        return;
    }
    double number = value.value.d;
    if (number == 0 || !isfinite(number))
        return;
    int sign = number < 0;
    double magnitude = fabs(number);
    if (survey->most[sign] == 0 || magnitude < survey->least[sign])
        survey->least[sign] = magnitude;
    if (magnitude > survey->most[sign])
        survey->most[sign] = magnitude;
    if (number != ceil(number))
        survey->fractions = true;
}

static bool number_is_scientific(const tni_number_survey *survey) {
    bool both = survey->most[0] > 0 && survey->most[1] > 0;
    double least = both ? fmin(survey->least[0], survey->least[1]) : fmax(survey->least[0], survey->least[1]);
    double most = fmax(survey->most[0], survey->most[1]);
    return most / least > 1000.0 || most > 1.0e8 || (survey->fractions && least < 1.0e-4);
}

tni_number_format tni_number_format_choose(const tni_number_survey *survey, tn_print_notation notation, int precision) {
    tni_number_format format = {TNI_NUMBER_WHOLE, precision, survey->plain_width > 0 ? survey->plain_width : 1};
    if (survey->most[0] == 0 && survey->most[1] == 0)
        return format;
    if (notation == TN_NOTATION_SCIENTIFIC || (notation == TN_NOTATION_AUTO && number_is_scientific(survey)))
        format.style = TNI_NUMBER_SCIENTIFIC;
    else if (survey->fractions)
        format.style = TNI_NUMBER_FIXED;
    for (int sign = 0; sign < 2; sign++) {
        const double extremes[2] = {survey->least[sign], survey->most[sign]};
        for (int i = 0; i < 2 && survey->most[sign] > 0; i++) {
            char text[TNI_NUMBER_SIZE];
            int width = number_write_float(&format, sign ? -extremes[i] : extremes[i], text);
            if (width > format.width)
                format.width = width;
        }
    }
    return format;
}

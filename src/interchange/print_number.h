/* print_number.h - numbers as PyTorch writes them: one notation and one width for all numbers of a tensor.
 *
 * Used in two steps. Every number that will be shown is surveyed; the survey then decides the format; with the format each
 * number is written. A complex tensor uses two of each, one for the real and one for the imaginary parts.
 */
#ifndef TNI_PRINT_NUMBER_H
#define TNI_PRINT_NUMBER_H

#include <tenon/dtype.h>
#include <tenon/print.h>

/* Room for any number: sign, 309 digits, point, digits after it, NUL. */
enum { TNI_NUMBER_SIZE = 320 + TN_PRINT_PRECISION_MAX };

/* What is remembered about the numbers seen. How long a float's text is depends only on its sign and grows with its magnitude
 * (in scientific notation with its exponent, either way), so the extremes of each sign give the greatest width. */
typedef struct tni_number_survey {
    int plain_width; /* of booleans and integers: the longest text                           */
    bool fractions;  /* a finite float was not an integer                                    */
    double least[2]; /* magnitudes of the nonzero finite floats, positive and negative ones; */
    double most[2];  /* 0 while there are none                                               */
} tni_number_survey;

typedef enum tni_number_style {
    TNI_NUMBER_WHOLE = 0,  /* 12.         */
    TNI_NUMBER_FIXED,      /* 12.0000     */
    TNI_NUMBER_SCIENTIFIC, /* 1.2000e+01  */
} tni_number_style;

typedef struct tni_number_format {
    tni_number_style style; /* of floats */
    int precision;          /* digits after the point */
    int width;              /* to which shorter texts are padded; zeros, NaN and infinities may be longer */
} tni_number_format;

/* `value` is a boolean, an integer or a float here and below; a survey begins zeroed. */
void tni_number_survey_add(tni_number_survey *survey, tn_scalar value);

tni_number_format tni_number_format_choose(const tni_number_survey *survey, tn_print_notation notation, int precision);

/* Write the number without padding, with a point whatever the locale, and return its length. */
int tni_number_write(const tni_number_format *format, tn_scalar value, char text[TNI_NUMBER_SIZE]);

/* Put '.' where printf put the locale's decimal mark; `length` is the text's without its NUL, and the new one is returned. */
int tni_number_normalise_mark(char *text, int length);

#endif

/* signature.h - reading the signatures of operators: (type name, type name=default, ...) -> result or ... -> list(name, name)
 *
 * The one parser of the language that operator_row.h describes: the library reads the signatures of registered operators with
 * it, and tools/generate.c, which includes signature.c, those of the table. So it uses nothing else from the library.
 */
#ifndef TNI_SIGNATURE_H
#define TNI_SIGNATURE_H

#include <tenon/dispatch.h>

enum { TNI_SIGNATURE_WORD = 40 };

typedef struct tni_signature {
    struct tni_signature_parameter {
        tn_type type;
        char name[TNI_SIGNATURE_WORD];
        char standard[TNI_SIGNATURE_WORD]; /* the default as text; "" where there is none */
    } parameters[TN_MAX_PARAMETERS];
    int count;
    tn_result result;
    char results[TN_MAX_RESULTS][TNI_SIGNATURE_WORD]; /* the names in list(values, indices) */
    int result_count;
} tni_signature;

/* Returns NULL when `text` was read, otherwise what is wrong with it, a static text; *column is then where, from 1. */
const char *tni_signature_parse(const char *text, tni_signature *out, int *column);

/* "tensor?" and "maybe-view": as a signature spells them. NULL for any other number. */
const char *tni_type_spelling(tn_type type);
const char *tni_result_spelling(tn_result result);

#endif

/* quirks.c - what torch asks of a parameter besides its type: whether it is given only by name, and whether it may be None.
 *
 * In C every argument is written out; the table has hints for Python (tn_operator_hints). In torch a parameter may be None
 * where that is its default, and nowhere else; the hints are for those whose default the table cannot express, because another
 * form does without the parameter.
 */
#include "core.h"

/* Whether the row says this of the parameter: "named=alpha". */
static bool quirk_has(const tn_operator *op, const char *what, const char *name) {
    const char *hints = tn_operator_hints(op);
    if (!strchr(hints, '='))
        return false;
    char word[64];
    snprintf(word, sizeof word, "%s=%s", what, name);
    return tnpy_has_word(hints, word);
}

/* For tensors made from nothing, or like others, every property is given by name. */
static bool quirk_is_option(const tn_operator *op, tn_type type) {
    if (type == TN_TYPE_FORMAT)
        return true;
    const char *group = tn_operator_group(op);
    return type == TN_TYPE_DTYPE && (strcmp(group, "create") == 0 || strcmp(group, "random") == 0);
}

tnpy_quirk tnpy_find_quirk(const tn_operator *op, const char *name, tn_type type) {
    const char *base = tn_operator_base(op);
    if (strcmp(base, "norm") == 0 && strcmp(name, "p") == 0)
        return TNPY_NORM_ORDER;
    if (strcmp(base, "narrow") == 0 && strcmp(name, "start") == 0)
        return TNPY_POSITION;
    bool named = quirk_is_option(op, type) || quirk_has(op, "named", name);
    if (type == TN_TYPE_GENERATOR)
        named =
            strcmp(tn_operator_group(op), "initialise") != 0 && strcmp(base, "binomial") != 0 && strcmp(base, "poisson") != 0;
    return named ? TNPY_BY_NAME : TNPY_NO_QUIRK;
}

bool tnpy_takes_none(const tn_operator *op, const char *name, tn_type type, const char *standard) {
    if (type == TN_TYPE_OPTIONAL || type == TN_TYPE_GENERATOR)
        return true;
    if (standard && type != TN_TYPE_TEXT && /* the name of something, such as gelu's "none" */
        (strcmp(standard, "none") == 0 || strcmp(standard, "default") == 0 || strcmp(standard, "preserve") == 0))
        return true;
    return quirk_has(op, "none", name);
}

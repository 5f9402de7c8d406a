/* formula.h - the derivative of a row, read and checked: what the text in its column `.gradient` becomes.
 *
 *     "self: mul(grad, conj(other)); other: mul(grad, conj(self))"
 *
 * A clause gives the gradient of an input, or of several at once ("self, weight: @both(grad, self, weight)": what is called then
 * gives a list of them). Expressions are typed by the signature, and an operator is found by its name and the types of its
 * arguments, so one formula serves the forms with tensors and those with numbers; a clause whose input is a number in this form
 * is left out. docs/howto/add-an-operator.md tells how to write one.
 *
 * What a formula names besides `grad` must outlive the forward call: it is kept in the node. A keep says what, and which inputs
 * want it, so that nothing is kept for an input that needs no gradient; of a tensor whose sizes are all that is named, only those
 * are kept.
 */
#ifndef GENERATE_FORMULA_H
#define GENERATE_FORMULA_H

#include "model.h"

enum { FORMULA_INPUTS = 8, FORMULA_KEEPS = 24, FORMULA_TEXT = 4096 };

/* What is kept: the argument or result itself, or a number about a tensor. The names are those of src/autograd/gradient.h. */
typedef struct formula_keep {
    const char *what; /* "VALUE", "SIZES", "RESULT", ... */
    int place;        /* of the parameter, or of the result */
    unsigned inputs;  /* bits: which of the row's inputs want it */
} formula_keep;

typedef struct formula_clause {
    int inputs[FORMULA_INPUTS], input_count; /* which of the row's inputs */
    char locals[FORMULA_TEXT];               /* C: what comes before the expression */
    char code[FORMULA_TEXT];                 /* C: the expression */
    bool list;                               /* it gives a list */
} formula_clause;

typedef struct formula {
    const model_operator *op;
    int inputs[FORMULA_INPUTS], input_count; /* the parameters that have a gradient */
    formula_keep keeps[FORMULA_KEEPS];
    int keep_count;
    formula_clause clauses[FORMULA_INPUTS];
    int clause_count;
} formula;

/* Reads the formula of a row; ends the program where it is wrong. Without a clause: nothing has a gradient. */
void formula_read(formula *out, const model_operator *op);

/* The C functions that formulas call, @name, as the first call has them: their prototypes. NULL ends them. */
extern const char *formula_functions[];

/* Whether a row is to have a formula: it makes tensors of tensors, and is not made of other operators. */
bool formula_is_wanted(const model_operator *op);

/* The number of a row's formula, from 1 on; 0 where it has none. An alias has that of its row. */
int formula_number(const model_operator *op);

#endif

/* write.h - what several outputs of the generator share: text that wraps, prototypes, arguments of a call. */
#ifndef GENERATE_WRITE_H
#define GENERATE_WRITE_H

#include <stdio.h>

#include "model.h"

/* Text that wraps at WRITE_LINE columns, continuing under a given column. */
enum { WRITE_LINE = 128 };
typedef struct write_wrapped {
    FILE *file;
    int column, indent;
    const char *lead; /* what a continuation line begins with, before the indent */
    int after;        /* columns that must be left after a word                  */
} write_wrapped;

void write_word(write_wrapped *out, const char *word);

/* A text of words: `first` before it, `lead` at each further line, `last` after it. */
void write_paragraph(FILE *file, const char *first, const char *lead, const char *text, const char *last);

/* "text", quoted for C. */
void write_quoted(FILE *file, const char *text);

/* The prototype of a form: of its public function, of its implementation, or of the body of a composite operator, which is like
 * the first except that it writes an answer as the second does. The public function AGAIN is protected from a macro of its
 * name. A shortcut is like an implementation. */
typedef enum write_kind { WRITE_PUBLIC, WRITE_IMPL, WRITE_BODY, WRITE_PUBLIC_AGAIN, WRITE_SHORTCUT } write_kind;
void write_prototype(FILE *file, const model_form *f, write_kind kind, const char *ending);

/* The same for a function of that C type whose name is `name` with a number, and which has one parameter more. */
void write_shared_prototype(FILE *file, const model_form *f, write_kind kind, const char *name, int number, const char *last,
                            const char *ending);

/* The names of a form's arguments, with a comma before the first unless `first`. */
void write_arguments(FILE *file, const model_form *f, bool first);

/* The C type of a pointer to the function of a form, into WRITE_TYPE characters; and the arguments of a call of it, out of an
 * array `values`. */
enum { WRITE_TYPE = 1200 };
void write_type(char *text, const model_form *f, write_kind kind);
void write_unpacked(FILE *file, const model_signature *s);

/* The outputs, one in each file. */
void write_header(FILE *file);
void write_docs(FILE *file);
void write_derivatives(FILE *file);
void write_cpp(FILE *file);
void write_promotion(FILE *file);
void write_calls(FILE *file);
void write_jump_calls(FILE *file);
void write_shared_header(FILE *file);
void write_kernel_places(FILE *file);
void write_direct(FILE *file);

/* The derivatives (gradients.c): as C, the prototypes of the C functions they name, and the rows that do not
 * say what theirs is: how many. */
void write_gradients(FILE *file);
void write_gradient_functions(FILE *file);
int write_missing_gradients(FILE *file);

/* Around many short functions: gcc need not think about them for long (calls.c). */
extern const char write_fast_begin[], write_fast_end[];

/* Outputs of which each group of rows has one; the second only where it has kernels. */
void write_impls(FILE *file, const char *group);
void write_declarations_begin(FILE *file, const char *word); /* parts of it: all before the declarations, and those */
void write_declarations(FILE *file, const char *group);
void write_kernels(FILE *file, const char *group);
void write_all_kernels(FILE *file, const char *group);

/* Of the groups' headers that a source includes, what it names (used.c): each into the file that `begin` opens. */
void write_used(const char *source, FILE *(*begin)(const char *source, const char *group), void (*end)(FILE *));

/* Parts of operator_calls.c that have files of their own: the numbers of the operators, how long the tables are,
 * the names of kernels, the dispatcher's table, and what is pointwise. */
void write_numbers(FILE *file);
void write_counts(FILE *file);
void write_kernel_names(FILE *file);
void write_table(FILE *file);
void write_pointwise_specs(FILE *file);
void write_pointwise_spec(FILE *file, const model_operator *op, bool define);
void write_pointwise_impl(FILE *file, const model_form *f);
void write_pointwise_call(FILE *file, const model_form *f, bool jumps);

/* Parts that a build can leave out (parts.c), as bits: of an operator, its part's, or that of the rest, which is never left
 * out. What is written for some of them is inside an #if: write_for closes the one before, and opens one for these. Begin and
 * end with `now` WRITE_REST. */
#define WRITE_REST (1u << 31)
unsigned write_parts_of(const model_operator *op);
void write_for(FILE *file, unsigned *now, unsigned parts);

/* The public function of a form whose part is left out, and its implementation, for operators that call that. */
void write_left_out(FILE *file, const model_form *f, write_kind kind);

/* The parts themselves, and which kernels belong to one. */
void write_parts(FILE *file);

/* Functions of one C type whose code differs only in what they call are one function, which is told what to call (shared.c).
 * The number of a form's among those of a kind; -1 where the form has a function of its own. */
typedef enum write_shared {
    SHARED_SLOW,
    SHARED_PUBLIC,
    SHARED_POINTWISE,
    SHARED_COMPOSITE,
    SHARED_PLAN,
    SHARED_PREPARED,
    SHARED_KINDS
} write_shared;
int write_shared_number(write_shared kind, const model_form *f);
void write_shared_functions(FILE *file);

/* Whether that function needs nothing of the stack: it is in operator_jumps.c then, and else in operator_calls.c. */
bool write_jumps(write_shared kind, const model_form *f);

/* What such a function and one that stands alone have in common: its body, for the form, or (shared) for all of its C type. */
void write_slow_body(FILE *file, const model_form *f, bool shared);
void write_call_body(FILE *file, const model_form *f, bool shared);
void write_pointwise_body(FILE *file, const model_form *f, bool shared);
void write_composite_body(FILE *file, const model_form *f, bool shared);
void write_plan_body(FILE *file, const model_form *f, bool shared);
void write_prepared_body(FILE *file, const model_form *f, bool shared);

/* Whether the call of a form is recorded without values of its arguments on the way (tni_recorded). */
bool write_is_recorded(const model_form *f);

/* A line that calls the shared function, whose last argument is `last`. */
void write_shared_call(FILE *file, const model_form *f, write_shared kind, int number, const char *last);

/* The same as the whole of a form's function. */
void write_thunk(FILE *file, const model_form *f, write_shared kind, int number, const char *last);

/* Planned rows (plans.c): what implements them, and each of their variants. */
void write_plan_prototypes(FILE *file, const model_operator *op);
void write_plan_variant(FILE *file, const model_form *f, bool jumps);
void write_plan_row(FILE *file, const model_operator *op, bool define);

/* Prepared rows, in the same file. */
void write_prepare_prototype(FILE *file, const model_operator *op);
void write_prepared_variant(FILE *file, const model_form *f, bool jumps);

#endif

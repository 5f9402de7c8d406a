/* model.h - the operator table as the generator sees it: read once, checked, and then only read.
 *
 * model_read turns every row of operators.def into a model_operator: the row, its signature parsed, the names of its C
 * functions. A form is an operator in one of its variants, as callers see it: `add`, `add_`, `add_out`. Each output of the
 * generator is one file beside this one and reads nothing but the model, so what a row means is decided only here.
 *
 * A row that cannot be right ends the program with its name and the reason: a signature that cannot be read, a default that
 * does not fit its type, a kernel that no body enters, two operators of one name, a function in a text that does not exist.
 */
#ifndef GENERATE_MODEL_H
#define GENERATE_MODEL_H

#include <stdbool.h>
#include <stddef.h>

#include "dispatch/operator_row.h"
#include "dispatch/signature.h"

enum { MODEL_PARAMETERS = 12, MODEL_NAME = 96 };

/* How a type of the signature language looks in C. */
typedef struct model_type {
    tn_type type;
    const char *name, *ctype;
    const char *member; /* of tn_value.as */
} model_type;

typedef struct model_parameter {
    const model_type *type;
    char name[TNI_SIGNATURE_WORD], standard[TNI_SIGNATURE_WORD]; /* standard: the default, or "" */
} model_parameter;

typedef struct model_signature {
    model_parameter parameters[MODEL_PARAMETERS];
    int count;
    tn_result result;
    char results[TN_MAX_RESULTS][TNI_SIGNATURE_WORD]; /* names, where the result is a list of named tensors */
    int result_count;
} model_signature;

typedef struct model_operator {
    const tni_operator_row *row;     /* of an alias: a copy with its name and a text of its own */
    const struct model_operator *of; /* what it is an alias of; itself where it is not one     */
    model_signature signature;
    int spec; /* its number among the operators that name a kernel; that of `of` for an alias */
} model_operator;

typedef struct model_form {
    const model_operator *op;
    int variant;
    char name[MODEL_NAME];     /* for calls by name: squeeze_.dim                                              */
    char c[MODEL_NAME];        /* of the C function, without tn_: squeeze_dim_                                 */
    char base[MODEL_NAME];     /* the row's name without a last underscore                                     */
    char shown[MODEL_NAME];    /* what messages call it                                                        */
    char impl[MODEL_NAME];     /* its implementation is tni_op_<impl>: c, or that of what it is an alias of     */
    model_signature signature; /* with `out` before the others, or the first of them written to                */
} model_form;

/* In the order of the table; and all forms, in the order of their names. Each list ends with a row or an op of NULL. */
extern const model_operator *model_operators;
extern const model_form *model_forms;
extern int model_form_count;

/* The kernels that rows name, each once; a name of NULL ends them. Its group is that of the rows that name it, or
 * MODEL_SHARED where they are of several. Not every number below model_kernel_places belongs to a kernel. Those whose number
 * a source outside of src/cpu uses are the first of their group, so that a new row does not change them. */
#define MODEL_SHARED "shared"
typedef struct model_kernel {
    const char *name, *group;
    int id;
    bool used;
} model_kernel;
extern const model_kernel *model_kernels;
extern int model_kernel_places;
bool model_group_has_kernels(const char *group);

/* Reads the table. A kernel must be entered by one of the `body_count` files `bodies`, if any are given. The sources are those that may
 * use the numbers of kernels. */
void model_read(const char *const *bodies, int body_count, const char *const *sources, int source_count);

/* The form of an operator in a variant; NULL where it has none. */
const model_form *model_form_of(const model_operator *op, int variant);

/* Ends the program: what is wrong with a row, and the wrong text. */
_Noreturn void model_refuse(const tni_operator_row *row, const char *reason, const char *detail);

/* malloc that ends the program where there is no memory. */
void *model_alloc(size_t size);

/* How a type looks in C. */
const model_type *model_type_of(tn_type type);

/* A group's name as part of a name in C, where it has spaces. In memory that the next call uses again. */
const char *model_word(const char *group);

bool model_is_pointwise(const model_operator *op); /* its implementation is generated too */
bool model_is_alias(const model_operator *op);     /* it has none of its own              */

bool model_returns_list(const model_signature *s);
bool model_returns_bool(const model_signature *s);
bool model_takes_scalars(const model_signature *s); /* a macro lets C callers pass numbers     */
bool model_takes_items(const model_signature *s);   /* a macro lets C callers pass index items */

/* The tensors an out variant writes to: one called out, or those named by the list. */
int model_out_count(const model_signature *s);
const char *model_out_name(const model_signature *s, int i);

bool model_is(const model_parameter *p, tn_type type);
bool model_is_number(const model_parameter *p);  /* a tn_scalar in C                                  */
bool model_is_operand(const model_parameter *p); /* of a pointwise operator; the others are its numbers */

#endif

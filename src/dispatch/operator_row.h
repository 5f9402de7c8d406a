/* operator_row.h - the shape of one row of the operator table, operators.def.
 *
 * The table is the only place that states an operator. tools/generate.c, a C program that `make` builds, reads it and writes
 * the public prototypes with their comments (include/tenon/operators.h), the reference page (docs/operators.md), the public
 * functions that check the arguments and call the implementation (operator_calls.c), and the prototypes the implementations
 * must have (operator_impls.h), so that a row and its implementation that disagree do not compile.
 *
 * A signature reads   (type name, type name=default, ...) -> result   with these types:
 *
 *   tensor   const tn_tensor *          checked: not NULL, alive             tensor?   may be NULL
 *   tensor!  tn_tensor *                the same, and it is written to
 *   tensors  const tn_tensor *const *   followed by int64_t <name>_count     checked: every one of them
 *   storage  tn_storage *               checked as a tensor is
 *   dims     tn_dims                    checked: at most TN_MAX_DIMS, not NULL
 *   index    tn_index_list              checked as dims
 *   int      int64_t        float  double        bool  bool        text  const char *  (checked: not NULL)
 *   scalar   tn_scalar      an operand: takes part in dtype promotion
 *   number   tn_scalar      a parameter: takes no part in it (for both, a macro lets C callers pass any number)
 *   dtype    tn_dtype       checked: exists, or TN_DTYPE_DEFAULT where the default is `default`
 *   device   tn_device      format tn_memory_format
 *   generator tn_generator *            checked: alive, or NULL, the default one
 *   floats   tn_floats                  checked: not NULL
 *
 * and these results: `tensor` a new tensor over new memory, `view` a new tensor over the memory of self, `maybe-view` either
 * of the two, `list` a tn_list of tensors, `list(values, indices)` one of exactly these, `lists` a tn_list of views, `bool` an
 * answer (the implementation writes it to a bool * after the arguments and returns tn_error).
 *
 * Variants: functional is tn_<name>_<overload>(...); in_place adds tn_<name>_<overload>_(tn_tensor *self, ...), which changes
 * its first argument and returns it (no new reference); out adds tn_<name>_<overload>_out(tn_tensor *out, ...), which writes
 * to `out` and returns it; where the result is a list with names, it takes one tensor of each name and returns the first. The implementations are tni_op_<name>..., the last two returning tn_error.
 *
 * Pointwise operators name a kernel, and then the implementations are generated too (ops/pointwise.h): tensors and scalars of
 * the signature are the operands, everything else the kernel's parameters, in order. Operators that implement themselves but
 * use kernels list those as `kernels`. Every kernel name becomes TNI_KERNEL_<name>, a row of the kernel table.
 */
#ifndef TNI_OPERATOR_ROW_H
#define TNI_OPERATOR_ROW_H

#include <stdbool.h>

enum { FUNCTIONAL = 1, IN_PLACE = 2, OUT = 4, ALL_VARIANTS = 7 };

/* Which dtype a pointwise operator computes in and gives back. */
enum {
    PROMOTE = 0, /* the operands' common dtype                                          */
    FLOATING,    /* the same, integers and bool becoming the default float              */
    COMPARE,     /* computes in the common dtype, gives bool                            */
    REAL,        /* computes in the common dtype, gives its real dtype where complex    */
    SELECT,      /* the first operand is a bool condition, the others promote           */
    LOGIC,       /* asks of every operand whether it is 0, and computes in bool         */
    WIDE,        /* float64, or complex128 where an operand is complex                  */
    COMPLEX      /* computes in the common real dtype, gives its complex dtype          */
};

/* How a new result lies in memory. Torch's operators differ in this, and programs see it. */
enum {
    LAYOUT_OPERANDS = 0,   /* as all operands together say, a number being one of no dimensions (ops/pointwise_layout.c) */
    LAYOUT_TENSORS = 16,   /* the same, numbers having no say                                                            */
    LAYOUT_LIKE_SELF = 32, /* as empty_like has it                                                                       */
    LAYOUT_ROWS = 64       /* row by row                                                                                 */
};

/* What is looked for before anything is written. */
enum { CHECK_NOTHING = 0, CHECK_DIVISOR /* no 0 in operand 1 of an integer division */ };

typedef struct tni_operator_row {
    const char *name;     /* PyTorch's                                                                        */
    const char *overload; /* NULL, or what tells this form apart: squeeze, squeeze.dim -> tn_squeeze_dim      */
    const char *signature;
    int variants;
    const char *kernel;  /* pointwise: its kernel                                                               */
    const char *kernels; /* not generated, but using these kernels (names, separated by spaces)                 */
    int rule, check, layout;
    const char *kinds;  /* dtypes that make sense, after the rule: b bool, i integer, f float, c complex        */
    const char *advice; /* what to use instead for the others; may be NULL                                      */
    bool any_device;    /* reaches elements only through copy_, or not at all: serves every backend; views need not say so */
    bool crosses;       /* takes tensors that are on different devices                                               */
    const char *group;  /* the section of the header and of the reference page; rows of a group stand together */
    const char *doc;    /* the comment: the first sentence is the summary                                      */
} tni_operator_row;

#endif

/* operator_row.h - the columns of one row of the operator table, operators.def.
 *
 * The table is the only place that states an operator. tools/generate.c, a C program that `make` builds, reads it and writes
 * the public prototypes with their comments (include/tenon/operators.h), the reference page (docs/operators.md), the public
 * functions that check the arguments and call the implementation (operator_calls.c), and the prototypes the implementations
 * must have (operators_<group>.h), so a row and an implementation that disagree do not compile.
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
 * to `out` and returns it; where the result is a list with names, it takes one tensor of each name and returns the first. The
 * implementations are tni_op_<name>..., the last two returning tn_error.
 *
 * Pointwise operators name a kernel, and then the implementations are generated too (ops/pointwise/pointwise.h): tensors and
 * scalars of the signature are the operands, everything else the kernel's parameters, in order. Operators that implement
 * themselves but use kernels list those as `kernels`. Composite operators are written as calls of public ones
 * (dispatch/composite.h). Every kernel name becomes TNI_KERNEL_<name>, a row of the kernel table.
 */
#ifndef TNI_OPERATOR_ROW_H
#define TNI_OPERATOR_ROW_H

#include <stdbool.h>

enum { FUNCTIONAL = 1, IN_PLACE = 2, OUT = 4, ALL_VARIANTS = 7 };

/* Forms that follow from one of tensors: a number for the last of them, overload "scalar"; for self, overload "rscalar",
 * without the in-place variant. A form's implementation that is not generated has the form's name: tni_op_eq_scalar. */
enum { SCALAR_OTHER = 1, SCALAR_SELF = 2 };

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

/* The strides of a new result. Torch's operators differ in them, and programs see it. */
enum {
    LAYOUT_OPERANDS =
        0, /* decided by all operands together, a number counting as one of no dimensions (ops/pointwise/pointwise_layout.c) */
    LAYOUT_TENSORS = 16,   /* the same without numbers                                                                   */
    LAYOUT_LIKE_SELF = 32, /* as in empty_like                                                                           */
    LAYOUT_ROWS = 64       /* row by row                                                                                 */
};

/* What is checked before anything is written. */
enum {
    CHECK_NOTHING = 0,
    CHECK_DIVISOR, /* no 0 in operand 1 of an integer division */
    CHECK_DTYPES,  /* all operands have one dtype              */
    CHECK_NO_BOOL  /* no operand is a bool, even where another would make it a number */
};

/* The jobs (tenon/backend.h) that an operator is made of, for devices: bits, as 1 << tn_job_kind. */
enum {
    JOB_NONE = -1,
    JOB_COPY = 1,
    JOB_FILL = 2,
    JOB_POINTWISE = 4,
    JOB_REDUCE = 8,
    JOB_INDEX = 16,
    JOB_LINES = 32,
    JOB_PRODUCT = 64
};

typedef struct tni_operator_row {
    const char *name;     /* PyTorch's                                                                        */
    const char *overload; /* NULL, or what distinguishes this form: squeeze, squeeze.dim -> tn_squeeze_dim    */
    const char *aliases;  /* NULL, or other names of the same operator, separated by spaces: each is an operator of its own */
    const char *signature;
    int variants;
    int scalars;         /* SCALAR_OTHER, SCALAR_SELF                                                           */
    const char *kernel;  /* pointwise: its kernel                                                               */
    const char *kernels; /* not generated, but using these kernels (names, separated by spaces)                 */
    const char *uses;    /* kernels of other groups that its implementation calls (names, separated by spaces)  */
    int rule, check, layout;
    const char *kinds;  /* dtypes that make sense, after the rule: b bool, i integer, f float, c complex        */
    const char *advice; /* what to use instead for the others; may be NULL                                      */
    bool prepare;       /* pointwise, but looks at its arguments first: its variants are generated from a function that puts the
                               call together (ops/pointwise/pointwise_prepare.h)                                        */
    bool composite;     /* its body, tni_composite_<name>, calls public operators: runs wherever they do (composite.h)    */
    bool shortcut;      /* of a composite row: what nobody watches goes to tni_shortcut_<name> instead (composite.h)     */
    bool plan;          /* implemented by a plan and a run, its variants generated (ops/plan.h)                           */
    bool sized_by_elements; /* the sizes of its result depend on the elements: it has no plan, and an error says so on meta */
    bool any_device; /* reaches elements only through copy_, or not at all: works on every backend; views need not say so */
    int jobs;        /* reaches elements only through these jobs: works on every backend that does them. Rows with kernels, and
                           prepared ones, are pointwise jobs unless they say JOB_NONE                                */
    bool crosses;    /* takes tensors that are on different devices                                               */
    const char *gradient; /* its derivative: "self: mul(grad, conj(other)); other: mul(grad, conj(self))", or "none"; composite
                             rows have that of their parts, unless they say one. docs/howto/add-an-operator.md tells how to write one     */
    const char *hints;    /* what a binding to another language should know (tn_operator_hints), or NULL */
    const char *group;    /* the section of the header and of the reference page; rows of a group are together */
    const char *doc;      /* the comment: the first sentence is the summary                                      */
} tni_operator_row;

#endif

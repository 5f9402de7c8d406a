/* layout.h - `tenon layout EXPRESSION`: what every step of a chain of views does to memory. The parts, in reading order:
 *
 *   layout_parse.c    the text becomes calls with arguments; no tensor is involved
 *   layout_methods.c  the tables of factories and methods; finds the row of a call and the places of its arguments
 *   layout_run.c      the calls are made, one after the other, and what each did is recorded: steps
 *   layout_text.c     steps drawn for a terminal          layout_svg.c   as a picture          layout_json.c   for programs
 *   layout.c          the subcommand around them
 *
 * Everything refers to places in the expression, so that an error can point at its column. Everything except the subcommand can
 * be included by a fuzzer: no globals, no output, and memory and time are bounded by the limits below.
 */
#ifndef TENON_LAYOUT_H
#define TENON_LAYOUT_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include <tenon/tenon.h>

enum {
    LAYOUT_MAX_LENGTH = 4000,      /* bytes of an expression                                 */
    LAYOUT_MAX_CALLS = 64,         /* steps                                                  */
    LAYOUT_MAX_ARGUMENTS = 256,    /* of all calls together                                  */
    LAYOUT_MAX_NUMBERS = 1024,     /* integers in all arguments together                     */
    LAYOUT_MAX_VALUES = 5,         /* parameters of one factory or method                    */
    LAYOUT_MAX_ELEMENTS = 1000000, /* of one tensor                                          */
    LAYOUT_MAX_DRAWN = 64,         /* cells of a storage that is drawn whole                 */
    LAYOUT_MESSAGE_SIZE = 1024
};

/* ---- the expression ------------------------------------------------------------------------------------------------ */

/* A piece of the expression, in bytes. */
typedef struct layout_span {
    int start, length;
} layout_span;

/* What is wrong, and where. */
typedef struct layout_complaint {
    int at;
    char message[LAYOUT_MESSAGE_SIZE];
} layout_complaint;

typedef enum layout_value_kind {
    LAYOUT_INT,
    LAYOUT_FLOAT,
    LAYOUT_BOOL,
    LAYOUT_NONE,
    LAYOUT_NAME,   /* float32, torch.float32, 'float32': the text without the quotes */
    LAYOUT_INTS,   /* [0, 1] or (0, 1)                                               */
    LAYOUT_LITERAL /* whatever the first argument of tensor(...) is, unread          */
} layout_value_kind;

typedef struct layout_argument {
    layout_value_kind kind;
    layout_span keyword; /* of length 0: given by position */
    layout_span text;
    double real;      /* FLOAT                                                                                   */
    int first_number; /* INT, INTS: where in the expression's numbers; those of neighbouring INTs are neighbours */
    int numbers;      /* how many                                                                                */
    bool truth;       /* BOOL                                                                                    */
} layout_argument;

typedef enum layout_call_kind {
    LAYOUT_FACTORY,  /* arange(12), the first and only the first */
    LAYOUT_METHOD,   /* .view(3, 4)                              */
    LAYOUT_PROPERTY, /* .T                                      */
    LAYOUT_INDEX     /* [:, 1:]                                  */
} layout_call_kind;

typedef struct layout_call {
    layout_call_kind kind;
    layout_span text; /* all of it, with its dot                    */
    layout_span name; /* INDEX: what is between the brackets        */
    int first_argument, arguments;
} layout_call;

typedef struct layout_expression {
    const char *text; /* borrowed */
    int calls, arguments, numbers;
    layout_call call[LAYOUT_MAX_CALLS];
    layout_argument argument[LAYOUT_MAX_ARGUMENTS];
    int64_t number[LAYOUT_MAX_NUMBERS];
} layout_expression;

/* Reads `text`, which must outlive the expression. False with *complaint filled in. */
bool layout_parse(const char *text, layout_expression *expression, layout_complaint *complaint);

/* Fills in a complaint; returns false. */
bool layout_complain(layout_complaint *complaint, int at, const char *format, ...) __attribute__((format(printf, 3, 4)));

/* Whether a piece of the expression is this word. */
bool layout_span_is(const char *text, layout_span span, const char *word);

/* ---- the tables ---------------------------------------------------------------------------------------------------- */

/* How a function is called: the kinds of its arguments after the tensor. */
typedef enum layout_form {
    LAYOUT_FORM_SELF,
    LAYOUT_FORM_INT,
    LAYOUT_FORM_INT_INT,
    LAYOUT_FORM_INT_INT_INT,
    LAYOUT_FORM_INT_INT_INT_INT,
    LAYOUT_FORM_INT_DIMS,
    LAYOUT_FORM_DIMS,
    LAYOUT_FORM_DIMS_DIMS,
    LAYOUT_FORM_DIMS_DIMS_INT,
    LAYOUT_FORM_DTYPE,
    LAYOUT_FORM_FORMAT,
    LAYOUT_FORM_LIST_INT, /* the result is a list, of which [i] chooses one tensor */
    LAYOUT_FORM_LIST_INT_INT,
    LAYOUT_FORM_LIST_DIMS,
    LAYOUT_FORM_LIST_DIMS_INT,
    LAYOUT_FORM_NEW_DIMS, /* factories: no tensor, and a dtype at the end */
    LAYOUT_FORM_NEW_DIMS_DIMS,
    LAYOUT_FORM_NEW_DIMS_SCALAR,
    LAYOUT_FORM_NEW_SCALAR,
    LAYOUT_FORM_NEW_RANGE,
    LAYOUT_FORM_NEW_SCALAR_SCALAR_INT,
    LAYOUT_FORM_NEW_INT_INT,
    LAYOUT_FORM_NEW_SQUARE,
    LAYOUT_FORM_NEW_LITERAL
} layout_form;

typedef union layout_function {
    tn_tensor *(*self)(const tn_tensor *);
    tn_tensor *(*of_int)(const tn_tensor *, int64_t);
    tn_tensor *(*of_int_int)(const tn_tensor *, int64_t, int64_t);
    tn_tensor *(*of_int_int_int)(const tn_tensor *, int64_t, int64_t, int64_t);
    tn_tensor *(*of_int_int_int_int)(const tn_tensor *, int64_t, int64_t, int64_t, int64_t);
    tn_tensor *(*of_int_dims)(const tn_tensor *, int64_t, tn_dims);
    tn_tensor *(*of_dims)(const tn_tensor *, tn_dims);
    tn_tensor *(*of_dims_dims)(const tn_tensor *, tn_dims, tn_dims);
    tn_tensor *(*of_dims_dims_int)(const tn_tensor *, tn_dims, tn_dims, int64_t);
    tn_tensor *(*of_dtype)(const tn_tensor *, tn_dtype);
    tn_tensor *(*of_format)(const tn_tensor *, tn_memory_format);
    tn_list *(*list_int)(const tn_tensor *, int64_t);
    tn_list *(*list_int_int)(const tn_tensor *, int64_t, int64_t);
    tn_list *(*list_dims)(const tn_tensor *, tn_dims);
    tn_list *(*list_dims_int)(const tn_tensor *, tn_dims, int64_t);
    tn_tensor *(*new_dims)(tn_dims, tn_dtype);
    tn_tensor *(*new_dims_dims)(tn_dims, tn_dims, tn_dtype);
    tn_tensor *(*new_dims_scalar)(tn_dims, tn_scalar, tn_dtype);
    tn_tensor *(*new_scalar)(tn_scalar, tn_dtype);
    tn_tensor *(*new_range)(tn_scalar, tn_scalar, tn_scalar, tn_dtype);
    tn_tensor *(*new_scalar_scalar_int)(tn_scalar, tn_scalar, int64_t, tn_dtype);
    tn_tensor *(*new_int_int)(int64_t, int64_t, tn_dtype);
    tn_tensor *(*new_literal)(const char *, tn_dtype);
} layout_function;

/* One way to call a factory or a method. The signature is a list of `type name` or `type name=default`, with the types
 *
 *   int   int?  (None: TN_NONE)   dims  (a list, or one integer)   dims...  (the same, or several integers)
 *   scalar   dtype   format   literal
 */
typedef struct layout_row {
    const char *name, *signature;
    layout_form form;
    bool is_property; /* written without parentheses */
    layout_function call;
} layout_row;

typedef union layout_value {
    int64_t integer;
    tn_dims dims;
    tn_scalar scalar;
    tn_dtype dtype;
    tn_memory_format format;
    layout_span literal;
} layout_value;

/* A call whose arguments are in the places of its row's parameters. An INDEX has no row. */
typedef struct layout_bound {
    const layout_row *row;
    layout_value value[LAYOUT_MAX_VALUES];
} layout_bound;

/* False with *complaint filled in: no such name, or no such way to call it. The values point into the expression. */
bool layout_bind(const layout_expression *expression, const layout_call *call, layout_bound *bound,
                 layout_complaint *complaint);

bool layout_gives_list(const layout_row *row);

/* Every factory, then every method, with its parameters: for --help. */
void layout_list_methods(FILE *stream);

/* ---- the steps ----------------------------------------------------------------------------------------------------- */

typedef enum layout_how { LAYOUT_NEW, LAYOUT_ZERO_COPY, LAYOUT_COPY } layout_how;

typedef struct layout_step {
    layout_span text;
    tn_tensor *tensor;
    layout_how how;
    int storage;                      /* 0, 1, ... in the order in which they appear */
    int64_t copies, copied_bytes;     /* made by this step                           */
    char reason[LAYOUT_MESSAGE_SIZE]; /* one sentence, without a full stop           */
    int64_t cells;                    /* elements of the view's dtype in the storage */
    int64_t touched;                  /* cells of the view                           */
    int64_t lowest, highest;          /* the first and the last of them; 0, -1       */
} layout_step;

typedef struct layout_steps {
    const layout_expression *expression;
    int count;
    bool complete; /* all of the expression */
    layout_step *step;
    tn_scope scope; /* owns the tensors */
} layout_steps;

/* Evaluates the expression. After a failure the steps before it are there, with *complaint filled in. layout_free in any
 * case. No tensor may have more than `max_elements`. */
bool layout_run(const layout_expression *expression, int64_t max_elements, layout_steps *steps, layout_complaint *complaint);
void layout_free(layout_steps *steps);

/* A walk over the elements of a step's tensor in row-major order: position 0, 1, ... and the cell of each. */
typedef struct layout_walk {
    const layout_step *step;
    int64_t position, cell;
    int64_t index[TN_MAX_DIMS];
} layout_walk;

bool layout_walk_begin(layout_walk *walk, const layout_step *step); /* false: no elements        */
bool layout_walk_next(layout_walk *walk);                           /* false: that was the last */

/* What a picture shows of one cell. */
typedef struct layout_cell {
    int64_t first; /* the first position in this cell; -1: none       */
    int64_t times; /* how many positions it has                       */
    int64_t group; /* its colour: layout_group of position `first`      */
} layout_cell;

/* The cells a picture shows: all of a small storage, else the two ends of the part the view touches. */
typedef struct layout_shown {
    int ranges; /* 0 for an empty storage */
    struct {
        int64_t from, to; /* `to` is not included */
        layout_cell cell[LAYOUT_MAX_DRAWN];
    } range[2];
} layout_shown;

void layout_show(const layout_step *step, layout_shown *shown);

/* How many of `count` cells to put in a line that has room for `most`: a number that divides them, if there is a large one. */
int layout_per_line(int64_t count, int most);

/* The colour of an index: pictures colour the rows of a matrix. */
int64_t layout_group(const layout_step *step, const int64_t *index);

/* ---- output -------------------------------------------------------------------------------------------------------- */

typedef struct layout_style {
    bool colour;
    int width; /* columns */
} layout_style;

void layout_write_text(FILE *stream, const layout_steps *steps, layout_style style);
void layout_write_svg(FILE *stream, const layout_steps *steps);

/* complaint: NULL when nothing failed. */
void layout_write_json(FILE *stream, const layout_expression *expression, const layout_steps *steps,
                       const layout_complaint *complaint);

/* The two lines that point at a mistake. */
void layout_write_complaint(FILE *stream, const char *text, const layout_complaint *complaint);

/* The column, from 1, of a byte of the expression: characters are counted, not bytes. */
int layout_column(const char *text, int at);

/* "[3, 4]", cut with "..." where it does not fit. Returns the buffer. */
enum { LAYOUT_DIMS_SIZE = 512 };
const char *layout_dims(char buffer[LAYOUT_DIMS_SIZE], tn_dims dims);

/* "A", "B", ..., "Z", "AA", ... */
enum { LAYOUT_STORAGE_NAME_SIZE = 16 };
const char *layout_storage_name(char buffer[LAYOUT_STORAGE_NAME_SIZE], int storage);

#endif

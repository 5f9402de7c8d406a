/* layout_methods.c - the tables of factories and methods, and how the arguments of a call find their places.
 *
 * A name may have several rows, tried in their order: the first whose parameters the arguments fit is called. Invariant: a
 * row's form and the types of its signature agree; layout_run.c relies on it. A method that exists in the library but takes
 * other tensors, or works in place, has no row: a chain has one tensor at each point, and no step changes an earlier one.
 */
#include <stdlib.h>
#include <string.h>

#include "layout.h"

static tn_tensor *quarter_turns(const tn_tensor *self, int64_t k) { return tn_rot90(self, k, TN_DIMS(0, 1)); }

/* clang-format off */
static const layout_row factories[] = {
    {"arange", "scalar end, dtype dtype=default", LAYOUT_FORM_NEW_SCALAR, .call.new_scalar = tn_arange},
    {"arange", "scalar start, scalar end, scalar step=1, dtype dtype=default", LAYOUT_FORM_NEW_RANGE, .call.new_range = tn_arange_start},
    {"empty", "dims... size, dtype dtype=default", LAYOUT_FORM_NEW_DIMS, .call.new_dims = tn_empty},
    {"empty_strided", "dims size, dims stride, dtype dtype=default", LAYOUT_FORM_NEW_DIMS_DIMS, .call.new_dims_dims = tn_empty_strided},
    {"eye", "int n, dtype dtype=default", LAYOUT_FORM_NEW_SQUARE, .call.new_int_int = tn_eye},
    {"eye", "int n, int m, dtype dtype=default", LAYOUT_FORM_NEW_INT_INT, .call.new_int_int = tn_eye},
    {"full", "dims size, scalar fill_value, dtype dtype=default", LAYOUT_FORM_NEW_DIMS_SCALAR, .call.new_dims_scalar = tn_full},
    {"linspace", "scalar start, scalar end, int steps, dtype dtype=default", LAYOUT_FORM_NEW_SCALAR_SCALAR_INT, .call.new_scalar_scalar_int = tn_linspace},
    {"ones", "dims... size, dtype dtype=default", LAYOUT_FORM_NEW_DIMS, .call.new_dims = tn_ones},
    {"tensor", "literal data, dtype dtype=default", LAYOUT_FORM_NEW_LITERAL, .call.new_literal = tn_from_text},
    {"zeros", "dims... size, dtype dtype=default", LAYOUT_FORM_NEW_DIMS, .call.new_dims = tn_zeros},
};

static const layout_row methods[] = {
    {"H", "", LAYOUT_FORM_SELF, .is_property = true, .call.self = tn_H},
    {"T", "", LAYOUT_FORM_SELF, .is_property = true, .call.self = tn_T},
    {"adjoint", "", LAYOUT_FORM_SELF, .call.self = tn_adjoint},
    {"alias", "", LAYOUT_FORM_SELF, .call.self = tn_alias},
    {"as_strided", "dims size, dims stride, int? storage_offset=None", LAYOUT_FORM_DIMS_DIMS_INT, .call.of_dims_dims_int = tn_as_strided},
    {"atleast_1d", "", LAYOUT_FORM_SELF, .call.self = tn_atleast_1d},
    {"atleast_2d", "", LAYOUT_FORM_SELF, .call.self = tn_atleast_2d},
    {"atleast_3d", "", LAYOUT_FORM_SELF, .call.self = tn_atleast_3d},
    {"broadcast_to", "dims... size", LAYOUT_FORM_DIMS, .call.of_dims = tn_broadcast_to},
    {"chunk", "int chunks, int dim=0", LAYOUT_FORM_LIST_INT_INT, .call.list_int_int = tn_chunk},
    {"clone", "format memory_format=preserve_format", LAYOUT_FORM_FORMAT, .call.of_format = tn_clone},
    {"contiguous", "format memory_format=contiguous_format", LAYOUT_FORM_FORMAT, .call.of_format = tn_contiguous},
    {"detach", "", LAYOUT_FORM_SELF, .call.self = tn_detach},
    {"diagonal", "int offset=0, int dim1=0, int dim2=1", LAYOUT_FORM_INT_INT_INT, .call.of_int_int_int = tn_diagonal},
    {"dsplit", "int sections", LAYOUT_FORM_LIST_INT, .call.list_int = tn_dsplit},
    {"dsplit", "dims indices", LAYOUT_FORM_LIST_DIMS, .call.list_dims = tn_dsplit_indices},
    {"expand", "dims... size", LAYOUT_FORM_DIMS, .call.of_dims = tn_expand},
    {"flatten", "int start_dim=0, int end_dim=-1", LAYOUT_FORM_INT_INT, .call.of_int_int = tn_flatten},
    {"flip", "dims... dims", LAYOUT_FORM_DIMS, .call.of_dims = tn_flip},
    {"fliplr", "", LAYOUT_FORM_SELF, .call.self = tn_fliplr},
    {"flipud", "", LAYOUT_FORM_SELF, .call.self = tn_flipud},
    {"hsplit", "int sections", LAYOUT_FORM_LIST_INT, .call.list_int = tn_hsplit},
    {"hsplit", "dims indices", LAYOUT_FORM_LIST_DIMS, .call.list_dims = tn_hsplit_indices},
    {"imag", "", LAYOUT_FORM_SELF, .is_property = true, .call.self = tn_imag},
    {"mH", "", LAYOUT_FORM_SELF, .is_property = true, .call.self = tn_mH},
    {"mT", "", LAYOUT_FORM_SELF, .is_property = true, .call.self = tn_mT},
    {"moveaxis", "dims source, dims destination", LAYOUT_FORM_DIMS_DIMS, .call.of_dims_dims = tn_moveaxis},
    {"movedim", "dims source, dims destination", LAYOUT_FORM_DIMS_DIMS, .call.of_dims_dims = tn_movedim},
    {"narrow", "int dim, int start, int length", LAYOUT_FORM_INT_INT_INT, .call.of_int_int_int = tn_narrow},
    {"permute", "dims... dims", LAYOUT_FORM_DIMS, .call.of_dims = tn_permute},
    {"ravel", "", LAYOUT_FORM_SELF, .call.self = tn_ravel},
    {"real", "", LAYOUT_FORM_SELF, .is_property = true, .call.self = tn_real},
    {"reshape", "dims... shape", LAYOUT_FORM_DIMS, .call.of_dims = tn_reshape},
    {"rot90", "int k=1", LAYOUT_FORM_INT, .call.of_int = quarter_turns},
    {"rot90", "int k, dims dims", LAYOUT_FORM_INT_DIMS, .call.of_int_dims = tn_rot90},
    {"select", "int dim, int index", LAYOUT_FORM_INT_INT, .call.of_int_int = tn_select},
    {"slice", "int dim=0, int? start=None, int? end=None, int step=1", LAYOUT_FORM_INT_INT_INT_INT, .call.of_int_int_int_int = tn_slice},
    {"sliding_window_view", "dims window, dims dims", LAYOUT_FORM_DIMS_DIMS, .call.of_dims_dims = tn_sliding_window_view},
    {"split", "int split_size, int dim=0", LAYOUT_FORM_LIST_INT_INT, .call.list_int_int = tn_split},
    {"split", "dims split_sizes, int dim=0", LAYOUT_FORM_LIST_DIMS_INT, .call.list_dims_int = tn_split_with_sizes},
    {"split_with_sizes", "dims split_sizes, int dim=0", LAYOUT_FORM_LIST_DIMS_INT, .call.list_dims_int = tn_split_with_sizes},
    {"squeeze", "", LAYOUT_FORM_SELF, .call.self = tn_squeeze},
    {"squeeze", "int dim", LAYOUT_FORM_INT, .call.of_int = tn_squeeze_dim},
    {"squeeze", "dims dim", LAYOUT_FORM_DIMS, .call.of_dims = tn_squeeze_dims},
    {"swapaxes", "int axis0, int axis1", LAYOUT_FORM_INT_INT, .call.of_int_int = tn_swapaxes},
    {"swapdims", "int dim0, int dim1", LAYOUT_FORM_INT_INT, .call.of_int_int = tn_swapdims},
    {"t", "", LAYOUT_FORM_SELF, .call.self = tn_t},
    {"tensor_split", "int sections, int dim=0", LAYOUT_FORM_LIST_INT_INT, .call.list_int_int = tn_tensor_split},
    {"tensor_split", "dims indices, int dim=0", LAYOUT_FORM_LIST_DIMS_INT, .call.list_dims_int = tn_tensor_split_indices},
    {"to", "dtype dtype", LAYOUT_FORM_DTYPE, .call.of_dtype = tn_to},
    {"transpose", "int dim0, int dim1", LAYOUT_FORM_INT_INT, .call.of_int_int = tn_transpose},
    {"unbind", "int dim=0", LAYOUT_FORM_LIST_INT, .call.list_int = tn_unbind},
    {"unflatten", "int dim, dims... sizes", LAYOUT_FORM_INT_DIMS, .call.of_int_dims = tn_unflatten},
    {"unfold", "int dimension, int size, int step", LAYOUT_FORM_INT_INT_INT, .call.of_int_int_int = tn_unfold},
    {"unsqueeze", "int dim", LAYOUT_FORM_INT, .call.of_int = tn_unsqueeze},
    {"view", "dims... shape", LAYOUT_FORM_DIMS, .call.of_dims = tn_view},
    {"view", "dtype dtype", LAYOUT_FORM_DTYPE, .call.of_dtype = tn_view_dtype},
    {"view_as_complex", "", LAYOUT_FORM_SELF, .call.self = tn_view_as_complex},
    {"view_as_real", "", LAYOUT_FORM_SELF, .call.self = tn_view_as_real},
    {"vsplit", "int sections", LAYOUT_FORM_LIST_INT, .call.list_int = tn_vsplit},
    {"vsplit", "dims indices", LAYOUT_FORM_LIST_DIMS, .call.list_dims = tn_vsplit_indices},
};
/* clang-format on */
enum { FACTORIES = sizeof factories / sizeof factories[0], METHODS = sizeof methods / sizeof methods[0] };

bool layout_gives_list(const layout_row *row) {
    return row && row->form >= LAYOUT_FORM_LIST_INT && row->form <= LAYOUT_FORM_LIST_DIMS_INT;
}

/* ---- signatures ---------------------------------------------------------------------------------------------------- */

typedef enum parameter_type {
    PARAMETER_INT,
    PARAMETER_OPTIONAL_INT,
    PARAMETER_DIMS,
    PARAMETER_DIMS_SPREAD,
    PARAMETER_SCALAR,
    PARAMETER_DTYPE,
    PARAMETER_FORMAT,
    PARAMETER_LITERAL
} parameter_type;

static const struct {
    const char *name, *wanted;
} parameter_types[] = {
    [PARAMETER_INT] = {"int", "an integer"},
    [PARAMETER_OPTIONAL_INT] = {"int?", "an integer or None"},
    [PARAMETER_DIMS] = {"dims", "a list of integers, or one"},
    [PARAMETER_DIMS_SPREAD] = {"dims...", "integers"},
    [PARAMETER_SCALAR] = {"scalar", "a number"},
    [PARAMETER_DTYPE] = {"dtype", "a dtype, such as float32"},
    [PARAMETER_FORMAT] = {"format", "contiguous_format, preserve_format, channels_last or channels_last_3d"},
    [PARAMETER_LITERAL] = {"literal", "a number or a list"},
};

typedef struct layout_parameter {
    parameter_type type;
    const char *name, *standard; /* its value when not given; NULL: it must be given */
    int name_length;
} layout_parameter;

/* The next `type name=default` of a signature, or false at its end. */
static bool next_parameter(const char **signature, layout_parameter *parameter) {
    const char *at = *signature;
    if (!*at)
        return false;
    size_t length = strcspn(at, " ");
    for (size_t i = 0; i < sizeof parameter_types / sizeof parameter_types[0]; i++)
        if (strlen(parameter_types[i].name) == length && strncmp(at, parameter_types[i].name, length) == 0)
            parameter->type = (parameter_type)i;
    at += length + 1;
    parameter->name = at;
    parameter->name_length = (int)strcspn(at, "=,");
    at += parameter->name_length;
    parameter->standard = *at == '=' ? at + 1 : NULL;
    at += strcspn(at, ",");
    at += strspn(at, ", ");
    *signature = at;
    return true;
}

/* "view(shape...)": how a row is called. */
static void write_call(char *buffer, size_t size, const layout_row *row) {
    size_t used = (size_t)snprintf(buffer, size, "%s%s", row->name, row->is_property ? "" : "(");
    const char *signature = row->signature, *separator = "";
    layout_parameter parameter;
    while (used < size && next_parameter(&signature, &parameter)) {
        used += (size_t)snprintf(buffer + used, size - used, "%s%.*s%s", separator, parameter.name_length, parameter.name,
                                 parameter.type == PARAMETER_DIMS_SPREAD ? "..." : "");
        if (parameter.standard && used < size)
            used += (size_t)snprintf(buffer + used, size - used, "=%.*s", (int)strcspn(parameter.standard, ","),
                                     parameter.standard);
        separator = ", ";
    }
    if (!row->is_property && used < size)
        snprintf(buffer + used, size - used, ")");
}

static void list_rows(FILE *stream, const layout_row *rows, int count) {
    char call[160];
    for (int i = 0; i < count; i++) {
        write_call(call, sizeof call, &rows[i]);
        fprintf(stream, "  %s\n", call);
    }
}

void layout_list_methods(FILE *stream) {
    fprintf(stream, "\nan expression begins with one of\n");
    list_rows(stream, factories, FACTORIES);
    fprintf(stream, "\nand continues with any number of\n  [...]  as Python writes it: [0], [:, 1:], [..., ::-1], [None]\n");
    list_rows(stream, methods, METHODS);
}

/* ---- one argument -------------------------------------------------------------------------------------------------- */

static const struct {
    const char *name;
    tn_memory_format format;
} memory_formats[] = {
    {"contiguous_format", TN_CONTIGUOUS},
    {"preserve_format", TN_PRESERVE},
    {"channels_last", TN_CHANNELS_LAST},
    {"channels_last_3d", TN_CHANNELS_LAST_3D},
};

/* The bytes of a name as a C string; false when it is too long for any name here. */
static bool copy_name(char *buffer, size_t size, const char *text, int length) {
    if ((size_t)length >= size)
        return false;
    memcpy(buffer, text, (size_t)length);
    buffer[length] = 0;
    return true;
}

static bool fill_dtype(const char *text, int length, layout_value *value) {
    char name[40];
    value->dtype = copy_name(name, sizeof name, text, length) ? tn_dtype_from_name(name) : TN_DTYPE_DEFAULT;
    return value->dtype != TN_DTYPE_DEFAULT;
}

static bool fill_format(const char *text, int length, layout_value *value) {
    if (length > 6 && strncmp(text, "torch.", 6) == 0) {
        text += 6;
        length -= 6;
    }
    for (size_t i = 0; i < sizeof memory_formats / sizeof memory_formats[0]; i++)
        if (strlen(memory_formats[i].name) == (size_t)length && strncmp(text, memory_formats[i].name, (size_t)length) == 0) {
            value->format = memory_formats[i].format;
            return true;
        }
    return false;
}

/* Whether the argument is of the parameter's type; its value if so. */
static bool fill_value(const layout_expression *expression, const layout_argument *argument, parameter_type type,
                       layout_value *value) {
    const int64_t *numbers = expression->number + argument->first_number;
    const char *text = expression->text + argument->text.start;
    switch (type) {
    case PARAMETER_OPTIONAL_INT:
        if (argument->kind == LAYOUT_NONE) {
            value->integer = TN_NONE;
            return true;
        }
        /* fall through */
    case PARAMETER_INT:
        if (argument->kind != LAYOUT_INT)
            return false;
        value->integer = *numbers;
        return true;
    case PARAMETER_DIMS:
    case PARAMETER_DIMS_SPREAD:
        value->dims = (tn_dims){numbers, argument->numbers};
        return argument->kind == LAYOUT_INTS || argument->kind == LAYOUT_INT;
    case PARAMETER_SCALAR:
        if (argument->kind == LAYOUT_INT)
            value->scalar = tn_scalar_int(*numbers);
        else if (argument->kind == LAYOUT_FLOAT)
            value->scalar = tn_scalar_float(argument->real);
        else if (argument->kind == LAYOUT_BOOL)
            value->scalar = tn_scalar_bool(argument->truth);
        else
            return false;
        return true;
    case PARAMETER_DTYPE: return argument->kind == LAYOUT_NAME && fill_dtype(text, argument->text.length, value);
    case PARAMETER_FORMAT: return argument->kind == LAYOUT_NAME && fill_format(text, argument->text.length, value);
    case PARAMETER_LITERAL: value->literal = argument->text; return argument->kind == LAYOUT_LITERAL;
    }
    return false;
}

static void fill_standard(const layout_parameter *parameter, layout_value *value) {
    int length = (int)strcspn(parameter->standard, ",");
    switch (parameter->type) {
    case PARAMETER_INT: value->integer = strtoll(parameter->standard, NULL, 10); break;
    case PARAMETER_OPTIONAL_INT: value->integer = TN_NONE; break;
    case PARAMETER_SCALAR: value->scalar = tn_scalar_int(strtoll(parameter->standard, NULL, 10)); break;
    case PARAMETER_DTYPE: value->dtype = TN_DTYPE_DEFAULT; break;
    case PARAMETER_FORMAT: fill_format(parameter->standard, length, value); break;
    default: break;
    }
}

/* ---- a call -------------------------------------------------------------------------------------------------------- */

static const layout_argument *find_keyword(const layout_expression *expression, const layout_call *call,
                                           const layout_parameter *parameter) {
    for (int i = 0; i < call->arguments; i++) {
        const layout_argument *argument = &expression->argument[call->first_argument + i];
        if (argument->keyword.length == parameter->name_length && parameter->name_length > 0 &&
            strncmp(expression->text + argument->keyword.start, parameter->name, (size_t)parameter->name_length) == 0)
            return argument;
    }
    return NULL;
}

/* The arguments by position from `next` on that belong to one `dims...`: several integers, or one list. */
static int spread_count(const layout_expression *expression, const layout_call *call, int next, int positional) {
    const layout_argument *arguments = &expression->argument[call->first_argument];
    int count = 0;
    while (next + count < positional && arguments[next + count].kind == LAYOUT_INT)
        count++;
    return count;
}

/* Tries one row. `fitted` counts the arguments that found a place, to choose which row's complaint to report. */
static bool bind_row(const layout_expression *expression, const layout_call *call, const layout_row *row, layout_bound *bound,
                     layout_complaint *complaint, int *fitted) {
    const layout_argument *arguments = &expression->argument[call->first_argument];
    char how[160];
    write_call(how, sizeof how, row);
    int positional = 0, next = 0, at = 0;
    while (positional < call->arguments && arguments[positional].keyword.length == 0)
        positional++;
    *fitted = 0;
    bound->row = row;
    const char *signature;
    for (int i = positional; i < call->arguments; i++) {
        layout_parameter parameter;
        bool known = false;
        for (signature = row->signature; next_parameter(&signature, &parameter);)
            known |= find_keyword(expression, call, &parameter) == &arguments[i];
        if (!known)
            return layout_complain(complaint, arguments[i].keyword.start, "%s has no parameter '%.*s'", how,
                                   arguments[i].keyword.length, expression->text + arguments[i].keyword.start);
    }
    signature = row->signature;
    for (layout_parameter parameter; next_parameter(&signature, &parameter); at++) {
        layout_value *value = &bound->value[at];
        const layout_argument *named = find_keyword(expression, call, &parameter);
        if (next < positional) {
            const layout_argument *given = &arguments[next];
            if (named)
                return layout_complain(complaint, named->keyword.start, "'%.*s' is given twice", parameter.name_length,
                                       parameter.name);
            int spread = parameter.type == PARAMETER_DIMS_SPREAD ? spread_count(expression, call, next, positional) : 0;
            if (!fill_value(expression, given, parameter.type, value))
                return layout_complain(complaint, given->text.start, "%s: '%.*s' must be %s", how, parameter.name_length,
                                       parameter.name, parameter_types[parameter.type].wanted);
            if (spread > 1)
                value->dims.count = spread;
            next += spread > 1 ? spread : 1;
            *fitted += spread > 1 ? spread : 1;
        } else if (named) {
            if (!fill_value(expression, named, parameter.type, value))
                return layout_complain(complaint, named->text.start, "%s: '%.*s' must be %s", how, parameter.name_length,
                                       parameter.name, parameter_types[parameter.type].wanted);
            (*fitted)++;
        } else if (parameter.standard) {
            fill_standard(&parameter, value);
        } else if (parameter.type == PARAMETER_DIMS_SPREAD) {
            value->dims = (tn_dims){expression->number, 0};
        } else {
            return layout_complain(complaint, call->name.start, "%s: '%.*s' is missing", how, parameter.name_length,
                                   parameter.name);
        }
    }
    if (next < positional)
        return layout_complain(complaint, arguments[next].text.start, "%s takes no further argument", how);
    return true;
}

/* ---- names --------------------------------------------------------------------------------------------------------- */

/* How many letters must be changed, added, removed or exchanged with their neighbour to turn one name into the other. */
static int name_distance(const char *a, int a_length, const char *b) {
    int row[3][40], b_length = (int)strlen(b);
    if (a_length >= 40 || b_length >= 40)
        return 40;
    for (int i = 0; i <= a_length; i++) {
        int *now = row[i % 3], *above = row[(i + 2) % 3], *two_above = row[(i + 1) % 3];
        for (int j = 0; j <= b_length; j++) {
            if (i == 0 || j == 0) {
                now[j] = i + j;
                continue;
            }
            int least = above[j - 1] + (a[i - 1] != b[j - 1]);
            if (above[j] + 1 < least)
                least = above[j] + 1;
            if (now[j - 1] + 1 < least)
                least = now[j - 1] + 1;
            if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1] && two_above[j - 2] + 1 < least)
                least = two_above[j - 2] + 1;
            now[j] = least;
        }
    }
    return row[a_length % 3][b_length];
}

static bool unknown_name(const layout_expression *expression, const layout_call *call, const layout_row *rows, int count,
                         layout_complaint *complaint) {
    const char *name = expression->text + call->name.start;
    const char *what = call->kind == LAYOUT_FACTORY ? "factory" : "method", *nearest = NULL;
    int least = call->name.length < 4 ? 2 : 3;
    for (int i = 0; i < count; i++) {
        int distance = name_distance(name, call->name.length, rows[i].name);
        if (distance < least) {
            least = distance;
            nearest = rows[i].name;
        }
    }
    if (nearest)
        return layout_complain(complaint, call->name.start, "there is no %s '%.*s'; did you mean '%s'?", what,
                               call->name.length > 60 ? 60 : call->name.length, name, nearest);
    return layout_complain(complaint, call->name.start, "there is no %s '%.*s'; `tenon layout --help` lists them", what,
                           call->name.length > 60 ? 60 : call->name.length, name);
}

bool layout_bind(const layout_expression *expression, const layout_call *call, layout_bound *bound,
                 layout_complaint *complaint) {
    *bound = (layout_bound){0};
    if (call->kind == LAYOUT_INDEX)
        return true;
    const layout_row *rows = call->kind == LAYOUT_FACTORY ? factories : methods;
    int count = call->kind == LAYOUT_FACTORY ? FACTORIES : METHODS, most = -1;
    for (int i = 0; i < count; i++) {
        if (!layout_span_is(expression->text, call->name, rows[i].name))
            continue;
        if (rows[i].is_property && call->kind == LAYOUT_METHOD)
            return layout_complain(complaint, call->name.start, "%s is written without parentheses", rows[i].name);
        if (!rows[i].is_property && call->kind == LAYOUT_PROPERTY)
            return layout_complain(complaint, call->name.start, "%s is a method: it needs parentheses", rows[i].name);
        layout_complaint reason;
        int fitted;
        if (bind_row(expression, call, &rows[i], bound, &reason, &fitted))
            return true;
        if (fitted > most) {
            most = fitted;
            *complaint = reason;
        }
    }
    return most >= 0 ? false : unknown_name(expression, call, rows, count, complaint);
}

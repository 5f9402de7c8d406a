/* layout_run.c - makes the calls of an expression, one after the other, and records what each one did.
 *
 * All calls are bound before the first is made, so a misspelt one costs nothing. Whether a step copied is not guessed: the
 * library reports it (tenon/observe.h), with the reason. Invariant: steps[0 .. count) are complete, and their tensors belong to
 * the scope that layout_free closes.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "layout.h"

/* ---- calling ------------------------------------------------------------------------------------------------------- */

/* How many elements a factory will make: asked first, so that nothing large is ever allocated. */
static double run_expected_elements(const layout_bound *bound) {
    const layout_value *value = bound->value;
    double product = 1;
    switch (bound->row->form) {
    case LAYOUT_FORM_NEW_DIMS_DIMS: /* as far as the strides reach */
        for (int64_t i = 0; i < value[0].dims.count && i < value[1].dims.count; i++) {
            if (value[0].dims.values[i] == 0)
                return 0;
            product += fabs((double)value[1].dims.values[i]) * ((double)value[0].dims.values[i] - 1);
        }
        return product;
    case LAYOUT_FORM_NEW_DIMS:
    case LAYOUT_FORM_NEW_DIMS_SCALAR:
        for (int64_t i = 0; i < value[0].dims.count; i++)
            product *= (double)value[0].dims.values[i];
        return product;
    case LAYOUT_FORM_NEW_SCALAR:
    case LAYOUT_FORM_NEW_RANGE: {
        double number[3] = {0, 0, 1};
        bool range = bound->row->form == LAYOUT_FORM_NEW_RANGE;
        for (int i = 0; i < (range ? 3 : 1); i++) {
            tn_scalar scalar = value[i].scalar;
            number[range ? i : 1] = scalar.kind == TN_SCALAR_INT    ? (double)scalar.value.i
                                    : scalar.kind == TN_SCALAR_BOOL ? (double)scalar.value.b
                                                                    : scalar.value.d;
        }
        return (number[1] - number[0]) / number[2];
    }
    case LAYOUT_FORM_NEW_SCALAR_SCALAR_INT: return (double)value[2].integer;
    case LAYOUT_FORM_NEW_SQUARE: return (double)value[0].integer * (double)value[0].integer;
    case LAYOUT_FORM_NEW_INT_INT: return (double)value[0].integer * (double)value[1].integer;
    default: return 0;
    }
}

/* The text of a span as a string of its own. NULL for lack of memory. */
static char *run_copy_text(const char *text, layout_span span) {
    char *copy = malloc((size_t)span.length + 1);
    if (!copy)
        return NULL;
    memcpy(copy, text + span.start, (size_t)span.length);
    copy[span.length] = 0;
    return copy;
}

static tn_tensor *run_text_call(const char *text, layout_span span, const tn_tensor *self, const layout_bound *bound) {
    char *copy = run_copy_text(text, span);
    if (!copy) {
        tn_error_raise(TN_ERROR_MEMORY, "layout", "no memory for a copy of the text");
        return NULL;
    }
    tn_tensor *result = bound->row ? bound->row->call.new_literal(copy, bound->value[1].dtype) : tn_index_text(self, copy);
    free(copy);
    return result;
}

/* tn_dims is empty with no numbers behind it for .view() and []: the library wants a pointer nevertheless, and gets one. */
static tn_tensor *run_call(const char *text, const tn_tensor *self, const layout_bound *bound) {
    const layout_value *v = bound->value;
    const layout_function *call = &bound->row->call;
    switch (bound->row->form) {
    case LAYOUT_FORM_SELF: return call->self(self);
    case LAYOUT_FORM_INT: return call->of_int(self, v[0].integer);
    case LAYOUT_FORM_INT_INT: return call->of_int_int(self, v[0].integer, v[1].integer);
    case LAYOUT_FORM_INT_INT_INT: return call->of_int_int_int(self, v[0].integer, v[1].integer, v[2].integer);
    case LAYOUT_FORM_INT_INT_INT_INT:
        return call->of_int_int_int_int(self, v[0].integer, v[1].integer, v[2].integer, v[3].integer);
    case LAYOUT_FORM_INT_DIMS: return call->of_int_dims(self, v[0].integer, v[1].dims);
    case LAYOUT_FORM_DIMS: return call->of_dims(self, v[0].dims);
    case LAYOUT_FORM_DIMS_DIMS: return call->of_dims_dims(self, v[0].dims, v[1].dims);
    case LAYOUT_FORM_DIMS_DIMS_INT: return call->of_dims_dims_int(self, v[0].dims, v[1].dims, v[2].integer);
    case LAYOUT_FORM_DTYPE: return call->of_dtype(self, v[0].dtype);
    case LAYOUT_FORM_FORMAT: return call->of_format(self, v[0].format);
    case LAYOUT_FORM_NEW_DIMS: return call->new_dims(v[0].dims, v[1].dtype);
    case LAYOUT_FORM_NEW_DIMS_DIMS: return call->new_dims_dims(v[0].dims, v[1].dims, v[2].dtype);
    case LAYOUT_FORM_NEW_DIMS_SCALAR: return call->new_dims_scalar(v[0].dims, v[1].scalar, v[2].dtype);
    case LAYOUT_FORM_NEW_SCALAR: return call->new_scalar(v[0].scalar, v[1].dtype);
    case LAYOUT_FORM_NEW_RANGE: return call->new_range(v[0].scalar, v[1].scalar, v[2].scalar, v[3].dtype);
    case LAYOUT_FORM_NEW_SCALAR_SCALAR_INT:
        return call->new_scalar_scalar_int(v[0].scalar, v[1].scalar, v[2].integer, v[3].dtype);
    case LAYOUT_FORM_NEW_INT_INT: return call->new_int_int(v[0].integer, v[1].integer, v[2].dtype);
    case LAYOUT_FORM_NEW_SQUARE: return call->new_int_int(v[0].integer, v[0].integer, v[1].dtype);
    case LAYOUT_FORM_NEW_LITERAL: return run_text_call(text, v[0].literal, NULL, bound);
    default: return NULL;
    }
}

/* A call with a list for a result, and the position in it that the [i] after it chooses. */
static tn_tensor *run_list_call(const tn_tensor *self, const layout_bound *bound, int64_t position) {
    const layout_value *v = bound->value;
    const layout_function *call = &bound->row->call;
    tn_list *list = NULL;
    switch (bound->row->form) {
    case LAYOUT_FORM_LIST_INT: list = call->list_int(self, v[0].integer); break;
    case LAYOUT_FORM_LIST_INT_INT: list = call->list_int_int(self, v[0].integer, v[1].integer); break;
    case LAYOUT_FORM_LIST_DIMS: list = call->list_dims(self, v[0].dims); break;
    default: list = call->list_dims_int(self, v[0].dims, v[1].integer); break;
    }
    return tn_list_at(list, position);
}

/* ---- what a call did ----------------------------------------------------------------------------------------------- */

static void run_observe(void *ctx, const tn_event *event) {
    layout_step *step = ctx;
    if (event->kind != TN_EVENT_COPY)
        return;
    step->copies++;
    step->copied_bytes += event->bytes;
    if (step->copies == 1)
        snprintf(step->reason, sizeof step->reason, "%s", event->reason ? event->reason : "");
}

static bool run_same_dims(tn_dims a, tn_dims b) {
    for (int64_t i = 0; a.count == b.count && i < a.count; i++)
        if (a.values[i] != b.values[i])
            return false;
    return a.count == b.count;
}

/* "only the shape and the strides changed": what a view is. */
static void run_say_what_changed(layout_step *step, const tn_tensor *before) {
    const char *changed[4];
    int count = 0;
    if (!run_same_dims(tn_sizes(step->tensor), tn_sizes(before)))
        changed[count++] = "shape";
    if (!run_same_dims(tn_strides(step->tensor), tn_strides(before)))
        changed[count++] = "strides";
    if (tn_storage_offset(step->tensor) != tn_storage_offset(before))
        changed[count++] = "offset";
    if (tn_dtype_of(step->tensor) != tn_dtype_of(before))
        changed[count++] = "dtype";
    if (count == 0) {
        snprintf(step->reason, sizeof step->reason, "nothing had to change");
        return;
    }
    size_t used = (size_t)snprintf(step->reason, sizeof step->reason, "only");
    for (int i = 0; i < count; i++)
        used += (size_t)snprintf(step->reason + used, sizeof step->reason - used, "%s %s",
                                 i == 0           ? ""
                                 : i == count - 1 ? " and"
                                                  : ",",
                                 changed[i]);
    snprintf(step->reason + used, sizeof step->reason - used, " changed");
}

static int run_compare_cells(const void *a, const void *b) {
    int64_t left = *(const int64_t *)a, right = *(const int64_t *)b;
    return (left > right) - (left < right);
}

/* Which cells the tensor has. False for lack of memory. */
static bool run_count_cells(layout_step *step) {
    int64_t numel = tn_numel(step->tensor);
    step->cells = (int64_t)(tn_storage_nbytes(tn_storage_of(step->tensor)) / tn_element_size(step->tensor));
    step->highest = -1;
    layout_walk walk;
    if (!layout_walk_begin(&walk, step))
        return true;
    int64_t *places = malloc((size_t)numel * sizeof *places);
    if (!places)
        return false;
    do
        places[walk.position] = walk.cell;
    while (layout_walk_next(&walk));
    qsort(places, (size_t)numel, sizeof *places, run_compare_cells);
    step->touched = 1;
    for (int64_t i = 1; i < numel; i++)
        step->touched += places[i] != places[i - 1];
    step->lowest = places[0];
    step->highest = places[numel - 1];
    free(places);
    return true;
}

static void run_name_storage(layout_steps *steps, layout_step *step) {
    const tn_storage *storage = tn_storage_of(step->tensor);
    int unseen = 0;
    for (int i = 0; i < steps->count; i++) {
        if (tn_storage_of(steps->step[i].tensor) == storage) {
            step->storage = steps->step[i].storage;
            return;
        }
        if (steps->step[i].storage >= unseen)
            unseen = steps->step[i].storage + 1;
    }
    step->storage = unseen;
}

/* ---- the chain ----------------------------------------------------------------------------------------------------- */

/* An error of the library: where the text it was about was read, it names a column of that text. */
static bool run_failed(const layout_call *call, layout_span read, layout_complaint *complaint) {
    tn_error_record error;
    tn_error_take(&error);
    int at = call->kind == LAYOUT_INDEX ? call->text.start : call->name.start, column;
    if (strcmp(error.operator_name, "list_at") == 0)
        at = call[1].name.start;
    const char *named = read.length > 0 ? strstr(error.message, "column ") : NULL;
    for (const char *later = named; later; later = strstr(later + 1, "column "))
        named = later;
    if (named && sscanf(named, "column %d", &column) == 1 && column >= 1 && column <= read.length + 1)
        at = read.start + column - 1;
    return layout_complain(complaint, at, "%s", error.code == TN_OK ? "this failed without a reason" : error.message);
}

/* The [i] after a call that gave a list. */
static bool run_list_position(const layout_expression *expression, int list, int64_t *position, layout_complaint *complaint) {
    const layout_call *call = &expression->call[list];
    const char *name = expression->text + call->name.start;
    if (list + 1 == expression->calls || expression->call[list + 1].kind != LAYOUT_INDEX)
        return layout_complain(complaint, call->text.start + call->text.length,
                               "%.*s gives a list of tensors: choose one with [i]", call->name.length, name);
    layout_span index = expression->call[list + 1].name;
    char *text = run_copy_text(expression->text, index), *end = text;
    if (!text)
        return layout_complain(complaint, index.start, "no memory for a copy of the text");
    long long number = strtoll(text, &end, 10);
    bool good = end != text && end[strspn(end, " \t")] == 0;
    free(text);
    if (!good)
        return layout_complain(complaint, index.start, "%.*s gives a list of tensors: one integer chooses which",
                               call->name.length, name);
    *position = number;
    return true;
}

/* One step. `used` is the number of calls it took: two where a list was made and one of its tensors chosen. */
static bool run_step(const layout_expression *expression, int at, const layout_bound *bound, int64_t max_elements,
                     const tn_tensor *self, layout_step *step, int *used, layout_complaint *complaint) {
    const layout_call *call = &expression->call[at];
    const layout_row *row = bound->row;
    layout_span read = call->kind == LAYOUT_INDEX                    ? call->name
                       : row && row->form == LAYOUT_FORM_NEW_LITERAL ? bound->value[0].literal
                                                                     : (layout_span){0, 0};
    int64_t position = 0;
    *used = 1;
    step->text = call->text;
    if (layout_gives_list(row)) {
        if (!run_list_position(expression, at, &position, complaint))
            return false;
        *used = 2;
        layout_span last = expression->call[at + 1].text;
        step->text.length = last.start + last.length - call->text.start;
    }
    if (row && run_expected_elements(bound) > (double)max_elements)
        return layout_complain(complaint, call->name.start, "this tensor would have more than %lld elements",
                               (long long)max_elements);
    tn_error_clear();
    tn_set_observer(run_observe, step);
    if (layout_gives_list(row))
        step->tensor = run_list_call(self, bound, position);
    else if (row)
        step->tensor = run_call(expression->text, self, bound);
    else
        step->tensor = run_text_call(expression->text, call->name, self, bound);
    tn_set_observer(NULL, NULL);
    if (!step->tensor)
        return run_failed(call, read, complaint);
    if (tn_numel(step->tensor) > max_elements)
        return layout_complain(complaint, call->name.start, "this tensor has %lld elements: more than %lld are not drawn",
                               (long long)tn_numel(step->tensor), (long long)max_elements);
    return true;
}

static bool run_all(const layout_expression *expression, int64_t max_elements, layout_bound *bound, layout_steps *steps,
                    layout_complaint *complaint) {
    int64_t position;
    for (int i = 0; i < expression->calls; i++)
        if (!layout_bind(expression, &expression->call[i], &bound[i], complaint) ||
            (layout_gives_list(bound[i].row) && !run_list_position(expression, i, &position, complaint)))
            return false;
    const tn_tensor *self = NULL;
    for (int i = 0, used; i < expression->calls; i += used) {
        layout_step *step = &steps->step[steps->count];
        if (!run_step(expression, i, &bound[i], max_elements, self, step, &used, complaint))
            return false;
        if (!run_count_cells(step))
            return layout_complain(complaint, step->text.start, "no memory to number the cells");
        run_name_storage(steps, step);
        bool shares = self && tn_storage_of(step->tensor) == tn_storage_of(self);
        step->how = shares ? LAYOUT_ZERO_COPY : step->copies && self ? LAYOUT_COPY : LAYOUT_NEW;
        if (step->how == LAYOUT_ZERO_COPY)
            run_say_what_changed(step, self);
        else if (step->how == LAYOUT_NEW)
            snprintf(step->reason, sizeof step->reason, "%zu bytes", tn_storage_nbytes(tn_storage_of(step->tensor)));
        self = step->tensor;
        steps->count++;
    }
    return steps->complete = true;
}

bool layout_run(const layout_expression *expression, int64_t max_elements, layout_steps *steps, layout_complaint *complaint) {
    *steps = (layout_steps){.expression = expression, .scope = tn_scope_open()};
    steps->step = calloc(LAYOUT_MAX_CALLS, sizeof *steps->step);
    layout_bound *bound = calloc(LAYOUT_MAX_CALLS, sizeof *bound);
    bool good = steps->step && bound ? run_all(expression, max_elements, bound, steps, complaint)
                                     : layout_complain(complaint, 0, "no memory for the steps");
    free(bound);
    return good;
}

void layout_free(layout_steps *steps) {
    tn_scope_close(steps->scope);
    free(steps->step);
    *steps = (layout_steps){0};
}

/* ---- cells --------------------------------------------------------------------------------------------------------- */

bool layout_walk_begin(layout_walk *walk, const layout_step *step) {
    walk->step = step;
    walk->position = 0;
    walk->cell = tn_storage_offset(step->tensor);
    memset(walk->index, 0, sizeof walk->index);
    return tn_numel(step->tensor) > 0;
}

bool layout_walk_next(layout_walk *walk) {
    tn_dims sizes = tn_sizes(walk->step->tensor), strides = tn_strides(walk->step->tensor);
    walk->position++;
    for (int64_t dim = sizes.count - 1; dim >= 0; dim--) {
        walk->cell += strides.values[dim];
        if (++walk->index[dim] < sizes.values[dim])
            return true;
        walk->cell -= sizes.values[dim] * strides.values[dim];
        walk->index[dim] = 0;
    }
    return false;
}

int layout_per_line(int64_t count, int most) {
    most = most > 0 ? most : 1;
    if (count <= most)
        return (int)count;
    for (int divisor = most; divisor > most / 2; divisor--)
        if (count % divisor == 0)
            return divisor;
    return most;
}

/* The first dimension along which memory moves; one colour where there is only one, because those of a vector would mean
 * nothing. */
int64_t layout_group(const layout_step *step, const int64_t *index) {
    tn_dims sizes = tn_sizes(step->tensor), strides = tn_strides(step->tensor);
    int64_t first = -1;
    for (int64_t dim = 0; dim < sizes.count; dim++)
        if (sizes.values[dim] > 1 && strides.values[dim] != 0) {
            if (first >= 0)
                return index[first];
            first = dim;
        }
    return 0;
}

void layout_show(const layout_step *step, layout_shown *shown) {
    enum { FRONT = LAYOUT_MAX_DRAWN * 3 / 4, BACK = LAYOUT_MAX_DRAWN - FRONT };
    shown->ranges = step->cells > 0;
    shown->range[0].from = 0;
    shown->range[0].to = step->cells;
    if (step->cells > LAYOUT_MAX_DRAWN) {
        int64_t from = step->lowest > step->cells - LAYOUT_MAX_DRAWN ? step->cells - LAYOUT_MAX_DRAWN : step->lowest;
        shown->range[0].from = from;
        shown->range[0].to = from + LAYOUT_MAX_DRAWN;
        if (step->highest >= from + LAYOUT_MAX_DRAWN) {
            shown->ranges = 2;
            shown->range[0].to = from + FRONT;
            shown->range[1].from = step->highest + 1 - BACK;
            shown->range[1].to = step->highest + 1;
        }
    }
    for (int r = 0; r < shown->ranges; r++)
        for (int i = 0; i < LAYOUT_MAX_DRAWN; i++)
            shown->range[r].cell[i] = (layout_cell){.first = -1};
    layout_walk walk;
    bool more = shown->ranges && layout_walk_begin(&walk, step);
    for (; more; more = layout_walk_next(&walk))
        for (int r = 0; r < shown->ranges; r++)
            if (walk.cell >= shown->range[r].from && walk.cell < shown->range[r].to) {
                layout_cell *cell = &shown->range[r].cell[walk.cell - shown->range[r].from];
                if (cell->times++ == 0) {
                    cell->first = walk.position;
                    cell->group = layout_group(step, walk.index);
                }
            }
}

/* control.c - ONNX's operators with graphs inside: If, Loop, Scan; and those on sequences.
 *
 * Values that go from one turn of a loop to the next are references of this file (onnx_drop_items); what a turn makes beside them is
 * gone when it ends.
 */
#include <stdio.h>

#include "interchange/onnx/operators.h"
#include "operators_copy.h"
#include "operators_create.h"
#include "operators_join.h"
#include "operators_view.h"

#define IN(i) tni_onnx_in(call, i)

static void onnx_drop_items(tni_onnx_item *items, size_t count) {
    for (size_t i = 0; i < count; i++) {
        tni_tensor_release(items[i].tensor);
        if (items[i].list)
            tn_list_release(items[i].list);
        items[i] = (tni_onnx_item){NULL, NULL};
    }
}

/* A reference of this file becomes one of the scope that the node runs in. */
static bool onnx_give_item(tni_onnx_call *call, size_t i, tni_onnx_item item) {
    if (item.tensor ? !tni_scope_adopt(item.tensor) : item.list && !tni_scope_adopt(item.list))
        return false;
    if (i < call->out_count)
        call->out[i] = item;
    return true;
}

static bool onnx_truth(const tn_tensor *tensor, bool *truth) {
    if (!tensor || tn_numel(tensor) != 1)
        return tni_onnx_refuse("a condition should be one bool");
    *truth = tn_item_bool(tn_reshape(tensor, TN_DIMS()));
    return true;
}

bool tni_onnx_if(tni_onnx_call *call) {
    bool truth, good = false;
    if (!onnx_truth(IN(0), &truth))
        return false;
    size_t bytes = (call->out_count + 1) * sizeof(tni_onnx_item);
    tni_onnx_item *items = tni_heap_calloc(bytes);
    if (items)
        good = tni_onnx_run_graph(call, truth ? "then_branch" : "else_branch", NULL, 0, items, call->out_count);
    for (size_t i = 0; good && i < call->out_count; i++) {
        good = onnx_give_item(call, i, items[i]);
        items[i] = (tni_onnx_item){NULL, NULL};
    }
    if (items) {
        onnx_drop_items(items, call->out_count);
        tni_heap_free(items, bytes);
    }
    return good;
}

/* ---- loops */

typedef struct onnx_turns {
    tni_onnx_call *call;
    size_t state;              /* values that go from turn to turn */
    size_t gathered;           /* values that every turn gives     */
    tni_onnx_item *now, *next; /* inputs and outputs of the graph  */
    size_t now_count, next_count;
    tn_tensor ***rows; /* for each of the gathered         */
    size_t *capacity;
    size_t count; /* turns */
    size_t bytes;
} onnx_turns;

static bool onnx_turns_begin(onnx_turns *turns, size_t now, size_t next) {
    turns->now_count = now;
    turns->next_count = next;
    turns->bytes = (now + next + 1) * sizeof *turns->now + turns->gathered * (sizeof *turns->rows + sizeof *turns->capacity);
    if (!(turns->now = tni_heap_calloc(turns->bytes)))
        return false;
    turns->next = turns->now + now;
    turns->rows = (tn_tensor ***)(void *)(turns->next + next + 1);
    turns->capacity = (size_t *)(void *)(turns->rows + turns->gathered);
    return true;
}

static void onnx_turns_end(onnx_turns *turns) {
    if (!turns->now)
        return;
    for (size_t i = 0; i < turns->gathered; i++) {
        for (size_t k = 0; k < turns->count; k++)
            tni_tensor_release(turns->rows[i][k]);
        if (turns->rows[i])
            tni_heap_free((void *)turns->rows[i], turns->capacity[i] * sizeof **turns->rows);
    }
    onnx_drop_items(turns->now, turns->now_count);
    onnx_drop_items(turns->next, turns->next_count);
    tni_heap_free(turns->now, turns->bytes);
}

/* Runs the graph once; its last outputs are gathered, those before them, from `skip` on, are the state of the next turn. */
static bool onnx_turn(onnx_turns *turns, size_t first_state, size_t skip) {
    tn_scope scope = tni_scope_open_hidden();
    bool good = tni_onnx_run_graph(turns->call, "body", turns->now, turns->now_count, turns->next, turns->next_count);
    (void)tni_scope_close_hidden(scope, NULL);
    for (size_t i = 0; good && i < turns->gathered; i++) {
        void *rows = (void *)turns->rows[i];
        good = tni_heap_grow(&rows, &turns->capacity[i], turns->count + 1, sizeof **turns->rows);
        turns->rows[i] = rows;
        if (good && !turns->next[skip + turns->state + i].tensor)
            good = tni_onnx_refuse("output %zu of the body is a sequence, which cannot be gathered", skip + turns->state + i);
    }
    if (!good)
        return false;
    for (size_t i = 0; i < turns->gathered; i++) {
        turns->rows[i][turns->count] = turns->next[skip + turns->state + i].tensor;
        turns->next[skip + turns->state + i].tensor = NULL;
    }
    turns->count++;
    onnx_drop_items(turns->now + first_state, turns->state);
    for (size_t i = 0; i < turns->state; i++) {
        turns->now[first_state + i] = turns->next[skip + i];
        turns->next[skip + i] = (tni_onnx_item){NULL, NULL};
    }
    return true;
}

/* What was gathered, stacked along a new axis. Without turns the rest of the shape is what the graph says, as far as it does. */
static tn_tensor *onnx_gathered(const onnx_turns *turns, size_t i, int64_t axis, const tni_onnx_value *value) {
    if (turns->count)
        return tn_stack((const tn_tensor *const *)turns->rows[i], (int64_t)turns->count, axis);
    int64_t sizes[TN_MAX_DIMS], ndim = 1;
    sizes[0] = 0;
    for (size_t k = 0; value->shaped && k < value->ndim && ndim < TN_MAX_DIMS; k++)
        sizes[ndim++] = tni_max_i64(value->sizes[k], 0);
    return tn_zeros((tn_dims){sizes, ndim}, value->dtype ? value->dtype : TN_FLOAT32);
}

static bool onnx_turns_give(onnx_turns *turns, size_t first_state) {
    for (size_t i = 0; i < turns->state; i++) {
        tni_onnx_item item = turns->now[first_state + i];
        turns->now[first_state + i] = (tni_onnx_item){NULL, NULL};
        if (!onnx_give_item(turns->call, i, item))
            return false;
    }
    return true;
}

static tni_onnx_item onnx_item_again(tni_onnx_item item) {
    if (item.tensor)
        tni_tensor_retain(item.tensor);
    else if (item.list)
        (void)tn_list_retain(item.list);
    return item;
}

/* inputs: how often, whether, state...; of the body: number, whether, state...; its outputs: whether, state..., gathered... */
static bool onnx_loop(tni_onnx_call *call, onnx_turns *turns, const tni_onnx_graph *body) {
    int64_t most = INT64_MAX;
    bool goes = true;
    if (IN(0) && !tni_onnx_whole_in(call, 0, 0, &most))
        return false;
    if (IN(1) && !onnx_truth(IN(1), &goes))
        return false;
    for (size_t i = 0; i < turns->state; i++)
        turns->now[2 + i] = onnx_item_again(call->in[2 + i]);
    for (int64_t i = 0; goes && i < most; i++) {
        onnx_drop_items(turns->now, 2);
        tn_scope scope = tni_scope_open_hidden();
        turns->now[0].tensor = tni_scope_close_hidden(scope, tn_scalar_tensor(TN_SCALAR(i), TN_INT64));
        scope = tni_scope_open_hidden();
        turns->now[1].tensor = tni_scope_close_hidden(scope, tn_scalar_tensor(TN_SCALAR(true), TN_BOOL));
        if (!turns->now[0].tensor || !turns->now[1].tensor || !onnx_turn(turns, 2, 1) ||
            !onnx_truth(turns->next[0].tensor, &goes))
            return false;
        onnx_drop_items(turns->next, turns->next_count);
    }
    if (!onnx_turns_give(turns, 2))
        return false;
    for (size_t i = 0; i < turns->gathered; i++)
        if (!tni_onnx_out(call, turns->state + i, onnx_gathered(turns, i, 0, &body->outputs[1 + turns->state + i])))
            return false;
    return true;
}

bool tni_onnx_loop(tni_onnx_call *call) {
    const tni_onnx_graph *body = tni_onnx_graph_of(call, "body");
    size_t state = call->in_count > 2 ? call->in_count - 2 : 0;
    if (!body)
        return false;
    if (body->output_count < 1 + state || body->input_count != 2 + state || call->out_count > body->output_count - 1)
        return tni_onnx_refuse("a body of %zu inputs and %zu outputs does not fit %zu inputs and %zu outputs",
                               body->input_count, body->output_count, call->in_count, call->out_count);
    onnx_turns turns = {.call = call, .state = state, .gathered = body->output_count - 1 - state};
    bool good = onnx_turns_begin(&turns, body->input_count, body->output_count) && onnx_loop(call, &turns, body);
    onnx_turns_end(&turns);
    return good;
}

/* inputs: state..., scanned...; the body takes a slice of each of the scanned; its outputs: state..., gathered... */
static bool onnx_scan(tni_onnx_call *call, onnx_turns *turns, const tni_onnx_graph *body, size_t scanned) {
    tni_onnx_wholes axes, backwards, out_axes, out_backwards;
    if (!tni_onnx_wholes_attribute(call, "scan_input_axes", &axes) ||
        !tni_onnx_wholes_attribute(call, "scan_input_directions", &backwards) ||
        !tni_onnx_wholes_attribute(call, "scan_output_axes", &out_axes) ||
        !tni_onnx_wholes_attribute(call, "scan_output_directions", &out_backwards))
        return false;
    int64_t length = -1;
    if (scanned > TN_MAX_DIMS)
        return tni_onnx_refuse("%zu scanned inputs, where %d are the most", scanned, TN_MAX_DIMS);
    for (size_t i = 0; i < scanned; i++) {
        const tn_tensor *x = IN(turns->state + i);
        int64_t axis = (int64_t)i < axes.count ? axes.values[i] : 0;
        if (!x || !tni_onnx_wrap(&axis, tn_ndim(x)))
            return tni_onnx_refuse("input %zu has no axis to be scanned", turns->state + i);
        axes.values[i] = axis;
        if (length >= 0 && tn_size(x, axis) != length)
            return tni_onnx_refuse("scanned inputs of lengths %" PRId64 " and %" PRId64, length, tn_size(x, axis));
        length = tn_size(x, axis);
    }
    for (size_t i = 0; i < turns->state; i++)
        turns->now[i] = onnx_item_again(call->in[i]);
    for (int64_t t = 0; t < length; t++) {
        for (size_t i = 0; i < scanned; i++) {
            bool back = (int64_t)i < backwards.count && backwards.values[i] == 1;
            onnx_drop_items(turns->now + turns->state + i, 1);
            tn_scope scope = tni_scope_open_hidden();
            tn_tensor *slice = tn_select(IN(turns->state + i), axes.values[i], back ? length - 1 - t : t);
            if (!(turns->now[turns->state + i].tensor = tni_scope_close_hidden(scope, slice)))
                return false;
        }
        if (!onnx_turn(turns, 0, 0))
            return false;
        onnx_drop_items(turns->next, turns->next_count);
    }
    if (!onnx_turns_give(turns, 0))
        return false;
    for (size_t i = 0; i < turns->gathered; i++) {
        int64_t axis = (int64_t)i < out_axes.count ? out_axes.values[i] : 0;
        tn_tensor *made = onnx_gathered(turns, i, axis, &body->outputs[turns->state + i]);
        if ((int64_t)i < out_backwards.count && out_backwards.values[i] == 1)
            made = tn_flip(made, TN_DIMS(axis));
        if (!tni_onnx_out(call, turns->state + i, made))
            return false;
    }
    return true;
}

bool tni_onnx_scan(tni_onnx_call *call) {
    const tni_onnx_graph *body = tni_onnx_graph_of(call, "body");
    int64_t given = tni_onnx_int(call, "num_scan_inputs", 0);
    if (call->version < 9)
        return tni_onnx_refuse("Scan of opset 8 is not covered");
    if (!body)
        return false;
    size_t scanned = given > 0 && given <= (int64_t)call->in_count ? (size_t)given : 0, state = call->in_count - scanned;
    if (!scanned || body->input_count != call->in_count || body->output_count < state || call->out_count > body->output_count)
        return tni_onnx_refuse("a body of %zu inputs and %zu outputs does not fit %zu inputs, %" PRId64 " of them scanned",
                               body->input_count, body->output_count, call->in_count, given);
    onnx_turns turns = {.call = call, .state = state, .gathered = body->output_count - state};
    bool good = onnx_turns_begin(&turns, body->input_count, body->output_count) && onnx_scan(call, &turns, body, scanned);
    onnx_turns_end(&turns);
    return good;
}

/* ---- sequences: lists of tensors, a new one for every change */

enum { ONNX_CONSTRUCT, ONNX_EMPTY, ONNX_AT, ONNX_INSERT, ONNX_ERASE, ONNX_LENGTH, ONNX_SPLIT, ONNX_JOIN };

/* A list like `from` without the tensor at `skip`, or with `more` before that place. */
static tn_list *onnx_list_with(const tn_list *from, int64_t place, const tn_tensor *more, bool erase) {
    int64_t count = from ? tn_list_count(from) : 0, made = 0;
    size_t bytes = (size_t)(count + 2) * sizeof(tn_tensor *);
    const tn_tensor **all = tni_heap_alloc(bytes);
    if (!all)
        return NULL;
    for (int64_t i = 0; i <= count; i++) {
        if (i == place && more)
            all[made++] = more;
        if (i < count && !(erase && i == place))
            all[made++] = tn_list_at(from, i);
    }
    tn_list *list = tn_list_new(all, made);
    tni_heap_free((void *)all, bytes);
    return list;
}

static bool onnx_list_place(tni_onnx_call *call, size_t i, int64_t count, int64_t otherwise, int64_t *place) {
    if (!tni_onnx_whole_in(call, i, otherwise, place))
        return false;
    *place += *place < 0 ? count : 0;
    if (*place >= 0 && *place <= count)
        return true;
    tni_raise(TN_ERROR_INDEX, "position %" PRId64 " is out of range for a sequence of %" PRId64, *place, count);
    return false;
}

static bool onnx_split_list(tni_onnx_call *call) {
    tn_tensor *x = IN(0);
    int64_t axis = tni_onnx_int(call, "axis", 0), each = 1, at = 0;
    bool keep = tni_onnx_int(call, "keepdims", 1) != 0;
    tni_onnx_wholes parts;
    if (!tni_onnx_wrap(&axis, tn_ndim(x)) || !tni_onnx_wholes_in(call, 1, &parts))
        return false;
    bool listed = parts.there && tn_ndim(IN(1)) == 1;
    if (parts.there && !listed)
        each = parts.values[0];
    if (each < 1)
        return tni_onnx_refuse("parts of %" PRId64, each);
    tn_list *list = tn_list_new(NULL, 0);
    for (int64_t i = 0; list && at < tn_size(x, axis) && (!listed || i < parts.count); i++) {
        int64_t length = listed ? parts.values[i] : tni_min_i64(each, tn_size(x, axis) - at);
        tn_tensor *part = tn_narrow(x, axis, at, length);
        part = !parts.there && !keep ? tn_squeeze_dim(part, axis) : part;
        list = part ? onnx_list_with(list, i, part, false) : NULL;
        at += length;
    }
    call->out[0].list = list;
    return list != NULL;
}

static bool onnx_join_list(tni_onnx_call *call, const tn_list *list) {
    int64_t count = tn_list_count(list), axis = tni_onnx_int(call, "axis", 0);
    size_t bytes = (size_t)(count + 1) * sizeof(tn_tensor *);
    const tn_tensor **all = tni_heap_alloc(bytes);
    if (!all)
        return false;
    for (int64_t i = 0; i < count; i++)
        all[i] = tn_list_at(list, i);
    tn_tensor *made = tni_onnx_int(call, "new_axis", 0) ? tn_stack(all, count, axis) : tn_cat(all, count, axis);
    tni_heap_free((void *)all, bytes);
    return tni_onnx_out(call, 0, made);
}

bool tni_onnx_sequence(tni_onnx_call *call) {
    const tn_list *list = call->in_count ? call->in[0].list : NULL;
    tn_list *made = NULL;
    int64_t place, count;
    int kind = call->row->detail;
    if (kind == ONNX_CONSTRUCT || kind == ONNX_EMPTY) {
        made = tn_list_new(NULL, 0);
        for (size_t i = 0; i < call->in_count && made; i++)
            made = IN(i) ? onnx_list_with(made, (int64_t)i, IN(i), false) : NULL;
        call->out[0].list = made;
        return made || tni_onnx_refuse("a sequence is made of tensors");
    }
    if (kind == ONNX_SPLIT)
        return IN(0) ? onnx_split_list(call) : tni_onnx_refuse("a sequence cannot be split");
    if (!list)
        return tni_onnx_refuse("input 0 is a tensor, not a sequence");
    count = tn_list_count(list);
    if (kind == ONNX_LENGTH)
        return tni_onnx_out(call, 0, tn_scalar_tensor(TN_SCALAR(count), TN_INT64));
    if (kind == ONNX_JOIN)
        return onnx_join_list(call, list);
    if (kind == ONNX_AT)
        return onnx_list_place(call, 1, count, 0, &place) && tni_onnx_out(call, 0, tn_list_at(list, place));
    if (kind == ONNX_INSERT && IN(1) && onnx_list_place(call, 2, count, count, &place))
        made = onnx_list_with(list, place, IN(1), false);
    else if (kind == ONNX_ERASE && onnx_list_place(call, 1, count, count - 1, &place))
        made = onnx_list_with(list, place, NULL, true);
    call->out[0].list = made;
    return made != NULL || tni_onnx_refuse("the sequence stays as it was");
}

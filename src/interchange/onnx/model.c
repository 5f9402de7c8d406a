/* model.c - tn_onnx: a model's graph made ready to run, and run.
 *
 * Opening turns names into numbers. Every graph has slots, one for each value: its inputs, its constants, what its nodes make. A node
 * knows for each input the slot and how many graphs further out that is; so running is a loop over steps, with no name in it. The slot
 * also knows which step wants it last, and is let go after that. Nodes must stand in the order in which they can run, as ONNX demands;
 * one that wants what a later one makes is refused, which is how a circle is found.
 *
 * A frame is a graph that runs: its slots, and the frame that it was started from. What a frame holds it releases at its end, also
 * where a step failed. Constants belong to the model.
 *
 * Invariant: after opening, every slot that a step reads has been written by an earlier step, an input or a constant.
 */
#include <stdio.h>

#include "interchange/onnx/run.h"
#include "operators_copy.h"
#include "tensor/check.h"

enum { ONNX_OPSET_FIRST = 7, ONNX_OPSET_LAST = 28, ONNX_ALWAYS = -1, ONNX_SMALL = 8 };

typedef struct onnx_place {
    int32_t level, slot; /* level: how many graphs out. slot -1: left out */
} onnx_place;

typedef struct onnx_slot {
    const char *name;
    tn_tensor *constant; /* held */
    int64_t last;        /* the step that wants it last; ONNX_ALWAYS: after all of them */
    bool halves;         /* a constant or an input of 4 bits an element, read as 8 */
    int32_t chained;     /* the next of those that end with the same step, + 1           */
} onnx_slot;

typedef struct tni_onnx_step {
    const tni_onnx_node *node;
    const tni_onnx_operator *row;
    size_t number; /* of the node, for messages */
    onnx_place *in;
    int32_t *out;              /* -1: nobody wants it */
    int32_t ends;              /* the first of the slots that nobody wants after this step, + 1 */
    struct onnx_plan **graphs; /* for each attribute: NULL, or the plan of its graph */
} tni_onnx_step;

typedef struct onnx_plan {
    const tni_onnx_graph *graph;
    struct onnx_plan *outer;
    onnx_slot *slots;
    tni_onnx_step *steps;
    size_t slot_count, slot_capacity, step_count;
    tni_lookup names;
    int32_t *inputs; /* slots */
    onnx_place *results;
    struct onnx_plan *next; /* of all plans of the model */
} onnx_plan;

struct tn_onnx {
    tni_object object;
    tni_arena arena;
    tn_file *file; /* held */
    int64_t version;
    onnx_plan *plan, *plans;
    size_t input_count; /* inputs of the program: those without a constant first, by their places in the graph */
    int32_t *inputs;
};

typedef struct tni_onnx_frame {
    const tn_onnx *model;
    const onnx_plan *plan;
    const struct tni_onnx_frame *outer;
    tni_onnx_item *items; /* a reference each */
} tni_onnx_frame;

/* ---- the object */

static void onnx_destroy(tni_object *object) {
    tn_onnx *model = (tn_onnx *)object;
    for (onnx_plan *plan = model->plans; plan; plan = plan->next) {
        for (size_t i = 0; i < plan->slot_count; i++)
            if (plan->slots[i].constant)
                tni_object_drop(&plan->slots[i].constant->object);
        tni_lookup_free(&plan->names);
    }
    if (model->file)
        tni_object_drop(&model->file->object);
    tni_arena_free(&model->arena);
    object->class = &tni_dead_class;
    tni_heap_free(model, sizeof *model);
}

static const tni_class onnx_class = {"model", onnx_destroy};

static bool onnx_live(const tn_onnx *model, const char *function) {
    const char *outer = tni_operator_enter(function);
    bool live = tni_object_check((const tni_object *)model, &onnx_class, "model");
    tni_operator_leave(outer);
    return live;
}

tn_onnx *tn_onnx_retain(const tn_onnx *model) {
    if (!model || !onnx_live(model, "onnx_retain"))
        return NULL;
    tn_onnx *counted = (tn_onnx *)(uintptr_t)model;
    tni_object_retain(&counted->object);
    return counted;
}

void tn_onnx_release(tn_onnx *model) {
    if (model && onnx_live(model, "onnx_release"))
        tni_scope_release(&model->object, "onnx_release");
}

tn_onnx *tn_onnx_keep(tn_onnx *model) {
    if (!model || !onnx_live(model, "onnx_keep"))
        return NULL;
    if (!tni_scope_forget(&model->object))
        tni_object_retain(&model->object);
    return model;
}

/* ---- making ready */

static int32_t onnx_slot_find(const onnx_plan *plan, const char *name) {
    uint32_t hash = tni_lookup_name(name);
    size_t at = tni_lookup_begin(&plan->names, hash);
    int64_t found;
    while ((found = tni_lookup_next(&plan->names, hash, &at)) >= 0 && strcmp(plan->slots[found].name, name) != 0)
        continue;
    return (int32_t)found;
}

/* A new slot under a name, -1, raised, where the graph has one already. */
static int32_t onnx_slot_add(tn_onnx *model, onnx_plan *plan, const char *name) {
    void *slots = plan->slots;
    if (onnx_slot_find(plan, name) >= 0) {
        tni_raise(TN_ERROR_ARGUMENT, "two values of graph \"%.60s\" are called \"%.120s\"", plan->graph->name, name);
        return -1;
    }
    if (plan->slot_count >= INT32_MAX / 2 ||
        !tni_arena_grow(&model->arena, &slots, plan->slot_count, &plan->slot_capacity, sizeof *plan->slots))
        return -1;
    plan->slots = slots;
    plan->slots[plan->slot_count] = (onnx_slot){name, NULL, 0, false, 0};
    if (!tni_lookup_add(&plan->names, tni_lookup_name(name), plan->slot_count))
        return -1;
    return (int32_t)plan->slot_count++;
}

static bool onnx_slot_constant(tn_onnx *model, onnx_plan *plan, const char *name, int64_t tensor, const char *what) {
    int32_t slot = onnx_slot_find(plan, name);
    if (slot < 0 && (slot = onnx_slot_add(model, plan, name)) < 0)
        return false;
    if (tensor < 0)
        return tni_onnx_refuse("%s \"%.120s\" has strings, which no tensor holds", what, name);
    tn_scope scope = tni_scope_open_hidden();
    tn_tensor *taken = tni_scope_close_hidden(scope, tn_file_take_at(model->file, tensor));
    if (!taken)
        return false;
    tni_object_hand_over(&taken->object);
    plan->slots[slot].constant = taken;
    plan->slots[slot].halves = strstr(model->file->entries[tensor].encoding, "int4") != NULL;
    plan->slots[slot].last = ONNX_ALWAYS;
    return true;
}

bool tni_onnx_refuse(const char *format, ...) {
    char text[400];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    tni_raise(TN_ERROR_UNSUPPORTED, "%s", text);
    return false;
}

/* What a node is called in messages; the number is its place in its graph. */
static const char *onnx_title(const tni_onnx_node *node, size_t number) {
    char *text = tni_show_buffer();
    snprintf(text, 160, "node %zu, %.40s%s%.60s%s", number, node->operation, node->name[0] ? " \"" : "", node->name,
             node->name[0] ? "\"" : "");
    return text;
}

static bool onnx_makes(const tni_onnx_graph *graph, const char *name) {
    for (size_t i = 0; i < graph->node_count; i++)
        for (size_t k = 0; k < graph->nodes[i].output_count; k++)
            if (strcmp(graph->nodes[i].outputs[k], name) == 0)
                return true;
    return false;
}

/* Finds a name, here or further out, and notes that the step that is being made wants it. */
static bool onnx_find(onnx_plan *plan, const char *name, const char *who, onnx_place *place) {
    *place = (onnx_place){0, -1};
    for (onnx_plan *at = plan; at; at = at->outer, place->level++) {
        place->slot = onnx_slot_find(at, name);
        if (place->slot >= 0) {
            if (at->slots[place->slot].last != ONNX_ALWAYS)
                at->slots[place->slot].last = (int64_t)at->step_count;
            return true;
        }
    }
    bool later = false;
    for (onnx_plan *at = plan; at && !later; at = at->outer)
        later = onnx_makes(at->graph, name);
    tni_raise(TN_ERROR_ARGUMENT, "%s wants \"%.120s\", which %s", who, name,
              later ? "only a later node makes, or one that waits for this one: the nodes are not in order, or run in a circle"
                    : "is not an input, a constant or the result of a node");
    return false;
}

static onnx_plan *onnx_plan_make(tn_onnx *model, const tni_onnx_graph *graph, onnx_plan *outer);

/* Constants are values, not steps. */
static bool onnx_is_constant(const tni_onnx_node *node) {
    return strcmp(node->operation, "Constant") == 0 && !node->domain[0] && node->attribute_count == 1 &&
           node->output_count == 1 && node->outputs[0][0] && node->attributes[0].kind == TNI_ONNX_TENSOR;
}

static bool onnx_step_graphs(tn_onnx *model, onnx_plan *plan, tni_onnx_step *step) {
    const tni_onnx_node *node = step->node;
    for (size_t i = 0; i < node->attribute_count; i++) {
        if (!node->attributes[i].graph)
            continue;
        if (!step->graphs && !(step->graphs = tni_arena_take(&model->arena, node->attribute_count * sizeof *step->graphs)))
            return false;
        if (!(step->graphs[i] = onnx_plan_make(model, node->attributes[i].graph, plan)))
            return false;
    }
    return true;
}

static bool onnx_step_make(tn_onnx *model, onnx_plan *plan, size_t number) {
    const tni_onnx_node *node = &plan->graph->nodes[number];
    bool own = !node->domain[0] || strcmp(node->domain, "ai.onnx") == 0;
    const tni_onnx_operator *row = own ? tni_onnx_find(node->operation) : NULL;
    const char *title = onnx_title(node, number);
    if (!row)
        return tni_onnx_refuse("%s: there is no operator %.60s of domain \"%.60s\", opset %" PRId64, title, node->operation,
                               own ? "ai.onnx" : node->domain, model->version);
    size_t there = node->input_count;
    while (there && !node->inputs[there - 1][0])
        there--;
    bool missing = there < row->least;
    for (size_t i = 0; i < row->least && !missing; i++)
        missing = !node->inputs[i][0];
    if (missing || there > row->most) {
        tni_raise(TN_ERROR_ARGUMENT, "%s: it has %zu inputs; it takes %s%u%s", title, there,
                  row->most == 255          ? "at least "
                  : row->most != row->least ? "from "
                                            : "",
                  row->least, missing && there >= row->least ? ", and one is left out" : "");
        return false;
    }
    tni_onnx_step *step = &plan->steps[plan->step_count];
    step->node = node;
    step->row = row;
    step->number = number;
    step->in = tni_arena_take(&model->arena, (node->input_count + 1) * sizeof *step->in);
    step->out = tni_arena_take(&model->arena, (node->output_count + 1) * sizeof *step->out);
    if (!step->in || !step->out)
        return false;
    for (size_t i = 0; i < node->input_count; i++)
        if (!node->inputs[i][0])
            step->in[i] = (onnx_place){0, -1};
        else if (!onnx_find(plan, node->inputs[i], title, &step->in[i]))
            return false;
        else if (i > 0 && step->in[i].level == 0 && plan->slots[step->in[i].slot].halves &&
                 (strcmp(node->operation, "QuantizeLinear") == 0 || strcmp(node->operation, "CastLike") == 0))
            return tni_onnx_refuse("%s: there is no dtype of 4 bits", title);
    if (!onnx_step_graphs(model, plan, step))
        return false;
    for (size_t i = 0; i < node->output_count; i++)
        if (!node->outputs[i][0])
            step->out[i] = -1;
        else if ((step->out[i] = onnx_slot_add(model, plan, node->outputs[i])) < 0)
            return false;
        else
            plan->slots[step->out[i]].last = (int64_t)plan->step_count; /* until somebody wants it */
    plan->step_count++;
    return true;
}

static bool onnx_plan_fill(tn_onnx *model, onnx_plan *plan) {
    const tni_onnx_graph *graph = plan->graph;
    plan->inputs = tni_arena_take(&model->arena, (graph->input_count + 1) * sizeof *plan->inputs);
    plan->results = tni_arena_take(&model->arena, (graph->output_count + 1) * sizeof *plan->results);
    plan->steps = tni_arena_take(&model->arena, (graph->node_count + 1) * sizeof *plan->steps);
    if (!plan->inputs || !plan->results || !plan->steps)
        return false;
    for (size_t i = 0; i < graph->input_count; i++)
        if ((plan->inputs[i] = onnx_slot_add(model, plan, graph->inputs[i].name)) < 0)
            return false;
        else
            plan->slots[plan->inputs[i]].halves = strstr(tni_onnx_dtype_name(graph->inputs[i].type), "int4") != NULL;
    for (size_t i = 0; i < graph->constant_count; i++)
        if (!onnx_slot_constant(model, plan, graph->constants[i].name, graph->constants[i].tensor, "initialiser"))
            return false;
    for (size_t i = 0; i < graph->node_count; i++) {
        const tni_onnx_node *node = &graph->nodes[i];
        if (!onnx_is_constant(node)
                ? !onnx_step_make(model, plan, i)
                : onnx_slot_add(model, plan, node->outputs[0]) < 0 ||
                      !onnx_slot_constant(model, plan, node->outputs[0], node->attributes[0].tensor, "constant"))
            return false;
    }
    for (size_t i = 0; i < graph->output_count; i++) {
        char who[200];
        snprintf(who, sizeof who, "output %zu of graph \"%.120s\"", i, graph->name);
        if (!onnx_find(plan, graph->outputs[i].name, who, &plan->results[i]))
            return false;
        if (plan->results[i].level == 0)
            plan->slots[plan->results[i].slot].last = ONNX_ALWAYS;
    }
    for (size_t i = 0; i < plan->slot_count; i++) {
        onnx_slot *slot = &plan->slots[i];
        if (slot->last == ONNX_ALWAYS || slot->last >= (int64_t)plan->step_count)
            continue;
        slot->chained = plan->steps[slot->last].ends;
        plan->steps[slot->last].ends = (int32_t)i + 1;
    }
    return true;
}

static onnx_plan *onnx_plan_make(tn_onnx *model, const tni_onnx_graph *graph, onnx_plan *outer) {
    onnx_plan *plan = tni_arena_take(&model->arena, sizeof *plan);
    if (!plan)
        return NULL;
    plan->graph = graph;
    plan->outer = outer;
    plan->next = model->plans;
    model->plans = plan;
    return onnx_plan_fill(model, plan) ? plan : NULL;
}

static bool onnx_ready(tn_onnx *model) {
    const tni_onnx_model *read = model->file->onnx;
    model->version = 0;
    for (size_t i = 0; i < read->set_count; i++)
        if (!read->sets[i].domain[0])
            model->version = tni_max_i64(model->version, read->sets[i].version);
    if (model->version < ONNX_OPSET_FIRST || model->version > ONNX_OPSET_LAST)
        return tni_onnx_refuse("the model is of opset %" PRId64 "; those from %d to %d are run", model->version,
                               ONNX_OPSET_FIRST, ONNX_OPSET_LAST);
    const tni_onnx_graph *graph = &read->graph;
    for (size_t i = 0; i < graph->input_count + graph->output_count; i++) {
        const tni_onnx_value *value = i < graph->input_count ? &graph->inputs[i] : &graph->outputs[i - graph->input_count];
        if (value->kind != 't' && value->kind != '?')
            return tni_onnx_refuse("%s \"%.120s\" is %s, not a tensor", i < graph->input_count ? "input" : "output",
                                   value->name, value->kind == 's' ? "a sequence" : "optional");
    }
    if (!(model->plan = onnx_plan_make(model, graph, NULL)) ||
        !(model->inputs = tni_arena_take(&model->arena, (graph->input_count + 1) * sizeof *model->inputs)))
        return false;
    for (int constant = 0; constant < 2; constant++)
        for (size_t i = 0; i < graph->input_count; i++)
            if ((model->plan->slots[model->plan->inputs[i]].constant != NULL) == (constant == 1))
                model->inputs[model->input_count++] = (int32_t)i;
    return true;
}

/* Takes the file, which the hidden scope of the caller owns. */
static tn_onnx *onnx_make(tn_file *file) {
    tn_onnx *model = file ? tni_heap_calloc(sizeof *model) : NULL;
    if (!model)
        return NULL;
    tni_object_init(&model->object, &onnx_class);
    tni_object_hold(&file->object);
    model->file = file;
    if (onnx_ready(model))
        return model;
    tni_object_release(&model->object);
    return NULL;
}

tn_onnx *tn_onnx_open(const char *path) {
    const char *outer = tni_operator_enter("onnx_open");
    tn_file_options options = TN_FILE_OPTIONS;
    options.format = "onnx";
    tn_scope scope = tni_scope_open_hidden();
    tn_onnx *model = onnx_make(tn_file_open(path, &options));
    (void)tni_scope_close_hidden(scope, NULL);
    tni_operator_leave(outer);
    return tni_scope_adopt(model);
}

tn_onnx *tn_onnx_open_memory(const void *data, size_t bytes) {
    const char *outer = tni_operator_enter("onnx_open_memory");
    tn_file_options options = TN_FILE_OPTIONS;
    options.format = "onnx";
    tn_scope scope = tni_scope_open_hidden();
    tn_onnx *model = onnx_make(tn_file_open_memory(data, bytes, TN_COPY, &options));
    (void)tni_scope_close_hidden(scope, NULL);
    tni_operator_leave(outer);
    return tni_scope_adopt(model);
}

/* ---- inputs and outputs */

int64_t tn_onnx_input_count(const tn_onnx *model) {
    return onnx_live(model, "onnx_input_count") ? (int64_t)model->input_count : -1;
}

int64_t tn_onnx_output_count(const tn_onnx *model) {
    return onnx_live(model, "onnx_output_count") ? (int64_t)model->plan->graph->output_count : -1;
}

static tn_error onnx_about(const tn_onnx *model, const char *function, bool input, int64_t position, tn_onnx_value *about) {
    if (!onnx_live(model, function))
        return tni_failed();
    const tni_onnx_graph *graph = model->plan->graph;
    size_t count = input ? model->input_count : graph->output_count;
    if (position < 0 || position >= (int64_t)count)
        return tni_raise_in(function, TN_ERROR_INDEX, "position %" PRId64 " is out of range for %zu", position, count);
    if (!about || about->struct_size < sizeof *about)
        return tni_raise_in(function, TN_ERROR_ARGUMENT, "about must be a tn_onnx_value that begins as TN_ONNX_VALUE");
    const tni_onnx_value *value = input ? &graph->inputs[model->inputs[position]] : &graph->outputs[position];
    bool optional = input && model->plan->slots[model->plan->inputs[model->inputs[position]]].constant;
    *about = (tn_onnx_value){sizeof *about, value->name, value->dtype, value->shaped, {value->sizes, (int64_t)value->ndim},
                             optional};
    return TN_OK;
}

tn_error tn_onnx_input(const tn_onnx *model, int64_t position, tn_onnx_value *about) {
    return onnx_about(model, "onnx_input", true, position, about);
}

tn_error tn_onnx_output(const tn_onnx *model, int64_t position, tn_onnx_value *about) {
    return onnx_about(model, "onnx_output", false, position, about);
}

int64_t tn_onnx_find_input(const tn_onnx *model, const char *name) {
    if (!onnx_live(model, "onnx_find_input") || !name)
        return -1;
    for (size_t i = 0; i < model->input_count; i++)
        if (strcmp(model->plan->graph->inputs[model->inputs[i]].name, name) == 0)
            return (int64_t)i;
    return -1;
}

/* ---- running */

static tni_onnx_item onnx_retained(tni_onnx_item item) {
    if (item.tensor)
        tni_tensor_retain(item.tensor);
    else if (item.list)
        (void)tn_list_retain(item.list);
    return item;
}

static void onnx_let_go(tni_onnx_item *item) {
    tni_tensor_release(item->tensor);
    if (item->list)
        tn_list_release(item->list);
    *item = (tni_onnx_item){NULL, NULL};
}

static tni_onnx_item onnx_read(const tni_onnx_frame *frame, onnx_place place) {
    if (place.slot < 0)
        return (tni_onnx_item){NULL, NULL};
    while (place.level-- > 0)
        frame = frame->outer;
    tni_onnx_item item = frame->items[place.slot];
    return item.tensor || item.list ? item : (tni_onnx_item){frame->plan->slots[place.slot].constant, NULL};
}

/* The operator's own error, with the node before it. Another that was waiting before stays the first. */
static bool onnx_fail(const tni_onnx_step *step, bool waiting) {
    tn_error_record record;
    if (!waiting && tn_error_take(&record) != TN_OK) {
        const char *text = strncmp(record.message, "onnx_run: ", 10) == 0 ? record.message + 10 : record.message;
        tni_raise(record.code, "%s: %s", onnx_title(step->node, step->number), text);
    }
    return false;
}

static bool onnx_call_step(tni_onnx_frame *frame, const tni_onnx_step *step, tni_onnx_item *in, tni_onnx_item *out) {
    const tni_onnx_node *node = step->node;
    tni_onnx_call call = {.step = step,
                          .node = node,
                          .row = step->row,
                          .frame = frame,
                          .version = frame->model->version,
                          .in = in,
                          .out = out,
                          .in_count = node->input_count,
                          .out_count = node->output_count};
    for (size_t i = 0; i < node->input_count; i++) {
        in[i] = onnx_read(frame, step->in[i]);
        if (in[i].list && !step->row->sequences)
            return tni_onnx_refuse("input \"%.80s\" is a sequence, not a tensor", node->inputs[i]);
        if (i < step->row->least && !in[i].tensor && !in[i].list)
            return tni_onnx_refuse("input \"%.80s\" has no value", node->inputs[i]);
    }
    if (!step->row->run(&call) || call.wrong)
        return false;
    for (size_t i = 0; i < node->output_count; i++)
        if (step->out[i] >= 0 && !out[i].tensor && !out[i].list)
            return tni_onnx_refuse("output %zu is not made", i);
    return true;
}

static bool onnx_run_step(tni_onnx_frame *frame, const tni_onnx_step *step) {
    const tni_onnx_node *node = step->node;
    tni_onnx_item small[2 * ONNX_SMALL], *in = small;
    size_t count = node->input_count + node->output_count, bytes = count * sizeof *in;
    if (count > TNI_COUNT_OF(small) && !(in = tni_heap_alloc(bytes)))
        return false;
    memset(in, 0, bytes);
    tni_onnx_item *out = in + node->input_count;
    bool waiting = tn_error_code() != TN_OK;
    tn_scope scope = tni_scope_open_hidden();
    bool good = onnx_call_step(frame, step, in, out);
    for (size_t i = 0; good && i < node->output_count; i++)
        if (step->out[i] >= 0)
            frame->items[step->out[i]] = onnx_retained(out[i]);
    (void)tni_scope_close_hidden(scope, NULL);
    if (!good)
        onnx_fail(step, waiting);
    if (in != small)
        tni_heap_free(in, bytes);
    for (int32_t slot = step->ends; good && slot; slot = frame->plan->slots[slot - 1].chained)
        onnx_let_go(&frame->items[slot - 1]);
    return good;
}

/* `in`: a value for each input of the graph, both NULL for its constant. `out`: one for each output; the references are the caller's. */
static bool onnx_run_plan(const tn_onnx *model, const onnx_plan *plan, const tni_onnx_frame *outer, const tni_onnx_item *in,
                          tni_onnx_item *out) {
    size_t bytes = (plan->slot_count + 1) * sizeof(tni_onnx_item);
    tni_onnx_frame frame = {model, plan, outer, tni_heap_calloc(bytes)};
    if (!frame.items)
        return false;
    for (size_t i = 0; i < plan->graph->input_count; i++)
        frame.items[plan->inputs[i]] = onnx_retained(in[i]);
    bool good = true;
    for (size_t i = 0; good && i < plan->step_count; i++)
        good = onnx_run_step(&frame, &plan->steps[i]);
    for (size_t i = 0; good && i < plan->graph->output_count; i++)
        out[i] = onnx_retained(onnx_read(&frame, plan->results[i]));
    for (size_t i = 0; i < plan->slot_count; i++)
        onnx_let_go(&frame.items[i]);
    tni_heap_free(frame.items, bytes);
    return good;
}

static bool onnx_check_input(const tni_onnx_value *value, const tn_tensor *tensor) {
    if (!tni_check_tensor(tensor, "input"))
        return false;
    if (value->dtype && tn_dtype_of(tensor) != value->dtype) {
        tni_raise(TN_ERROR_DTYPE, "input \"%.80s\" is %s; the model wants %s", value->name, tn_dtype_name(tn_dtype_of(tensor)),
                  tn_dtype_name(value->dtype));
        return false;
    }
    tn_dims sizes = tn_sizes(tensor);
    bool fits = !value->shaped || sizes.count == (int64_t)value->ndim;
    for (size_t i = 0; fits && value->shaped && i < value->ndim; i++)
        fits = value->sizes[i] < 0 || value->sizes[i] == sizes.values[i];
    if (!fits)
        tni_raise(TN_ERROR_SHAPE, "input \"%.80s\" has the shape %s; the model wants %s, -1 being any size", value->name,
                  tni_show_dims(sizes.values, sizes.count), tni_show_dims(value->sizes, (int64_t)value->ndim));
    return fits;
}

/* An output is nobody else's: what is an input, a weight or a view of one becomes a copy. */
static tn_tensor *onnx_own(tn_tensor *made, const tni_onnx_item *in, size_t in_count, const tni_onnx_item *out, size_t before) {
    bool shared = tn_is_readonly(made);
    for (size_t i = 0; i < in_count && !shared; i++)
        shared = in[i].tensor && tn_is_alias_of(made, in[i].tensor);
    for (size_t i = 0; i < before && !shared; i++)
        shared = tn_is_alias_of(made, out[i].tensor);
    return shared ? tn_clone(made, TN_CONTIGUOUS) : tni_tensor_retain(made);
}

static tn_list *onnx_run(const tn_onnx *model, const tn_tensor *const *inputs, size_t count, tni_onnx_item *in,
                         tni_onnx_item *out) {
    const tni_onnx_graph *graph = model->plan->graph;
    for (size_t i = 0; i < model->input_count; i++) {
        const tni_onnx_value *value = &graph->inputs[model->inputs[i]];
        const tn_tensor *given = i < count ? inputs[i] : NULL;
        if (!given && !model->plan->slots[model->plan->inputs[model->inputs[i]]].constant)
            return tni_raise_null(TN_ERROR_ARGUMENT, "input %zu, \"%.80s\", is missing", i, value->name);
        if (given && !onnx_check_input(value, given))
            return NULL;
        in[model->inputs[i]].tensor = (tn_tensor *)(uintptr_t)given;
    }
    if (!onnx_run_plan(model, model->plan, NULL, in, out))
        return NULL;
    tn_list *made = NULL;
    size_t bytes = (graph->output_count + 1) * sizeof(tn_tensor *), own = 0;
    const tn_tensor **results = tni_heap_calloc(bytes);
    bool good = results != NULL;
    for (size_t i = 0; good && i < graph->output_count; i++) {
        if (out[i].list)
            good = tni_onnx_refuse("output \"%.80s\" is a sequence, not a tensor", graph->outputs[i].name);
        else if ((good = (results[i] = onnx_own(out[i].tensor, in, graph->input_count, out, i)) != NULL))
            own++;
    }
    if (good)
        made = tn_list_new(results, (int64_t)graph->output_count);
    for (size_t i = 0; i < own; i++)
        tn_release((tn_tensor *)(uintptr_t)results[i]);
    for (size_t i = 0; i < graph->output_count; i++)
        onnx_let_go(&out[i]);
    if (results)
        tni_heap_free((void *)results, bytes);
    return made;
}

tn_list *tn_onnx_run(const tn_onnx *model, const tn_tensor *const *inputs, int64_t count) {
    if (!onnx_live(model, "onnx_run"))
        return NULL;
    const char *outer = tni_operator_enter("onnx_run");
    const tni_onnx_graph *graph = model->plan->graph;
    tn_list *made = NULL;
    if (count < 0 || count > (int64_t)model->input_count || (count && !inputs))
        tni_raise(TN_ERROR_ARGUMENT, "%" PRId64 " inputs are given; the model has %zu", count, model->input_count);
    else {
        size_t bytes = (graph->input_count + graph->output_count + 1) * sizeof(tni_onnx_item);
        tni_onnx_item *items = tni_heap_calloc(bytes);
        tn_scope scope = tni_scope_open_hidden();
        if (items)
            made = onnx_run(model, inputs, (size_t)count, items, items + graph->input_count);
        made = tni_scope_close_hidden(scope, made);
        if (items)
            tni_heap_free(items, bytes);
    }
    tni_operator_leave(outer);
    return tni_scope_adopt(made);
}

/* ---- what operators ask for */

const tni_onnx_graph *tni_onnx_graph_of(tni_onnx_call *call, const char *attribute) {
    const tni_onnx_attribute *found = tni_onnx_attribute_of(call, attribute);
    if (!found || !found->graph)
        tni_raise(TN_ERROR_ARGUMENT, "it has no graph \"%s\"", attribute);
    return found ? found->graph : NULL;
}

bool tni_onnx_run_graph(tni_onnx_call *call, const char *attribute, const tni_onnx_item *in, size_t in_count,
                        tni_onnx_item *out, size_t out_count) {
    const tni_onnx_graph *graph = tni_onnx_graph_of(call, attribute);
    if (!graph)
        return false;
    if (graph->input_count != in_count || graph->output_count != out_count) {
        tni_raise(TN_ERROR_ARGUMENT, "graph \"%s\" has %zu inputs and %zu outputs, not %zu and %zu", attribute,
                  graph->input_count, graph->output_count, in_count, out_count);
        return false;
    }
    const onnx_plan *plan = call->step->graphs[tni_onnx_attribute_of(call, attribute) - call->node->attributes];
    return onnx_run_plan(call->frame->model, plan, call->frame, in, out);
}

bool tni_onnx_wanted(const tni_onnx_call *call, size_t i) { return i < call->out_count && call->step->out[i] >= 0; }

const tni_onnx_attribute *tni_onnx_attribute_of(const tni_onnx_call *call, const char *name) {
    for (size_t i = 0; i < call->node->attribute_count; i++)
        if (strcmp(call->node->attributes[i].name, name) == 0)
            return &call->node->attributes[i];
    return NULL;
}

static const tni_onnx_attribute *onnx_attribute(tni_onnx_call *call, const char *name, int kind) {
    static const char *const kinds[] = {"another kind", "a float", "an int", "a string", "a tensor",
                                        "a graph",      "floats",  "ints",   "strings"};
    const tni_onnx_attribute *found = tni_onnx_attribute_of(call, name);
    if (!found || found->kind == kind)
        return found;
    if (!call->wrong)
        tni_raise(TN_ERROR_ARGUMENT, "attribute \"%s\" is %s; it should be %s", name, kinds[found->kind], kinds[kind]);
    call->wrong = true;
    return NULL;
}

int64_t tni_onnx_int(tni_onnx_call *call, const char *name, int64_t otherwise) {
    const tni_onnx_attribute *found = onnx_attribute(call, name, TNI_ONNX_INT);
    return found ? found->whole : otherwise;
}

double tni_onnx_real(tni_onnx_call *call, const char *name, double otherwise) {
    const tni_onnx_attribute *found = onnx_attribute(call, name, TNI_ONNX_FLOAT);
    return found ? (double)found->real : otherwise;
}

const char *tni_onnx_text(tni_onnx_call *call, const char *name, const char *otherwise) {
    const tni_onnx_attribute *found = onnx_attribute(call, name, TNI_ONNX_TEXT);
    return found ? found->text : otherwise;
}

tn_tensor *tni_onnx_tensor(tni_onnx_call *call, const char *name) {
    const tni_onnx_attribute *found = onnx_attribute(call, name, TNI_ONNX_TENSOR);
    if (found && found->tensor < 0)
        (void)tni_onnx_refuse("attribute \"%s\" has strings, which no tensor holds", name);
    return found && found->tensor >= 0 ? tn_file_take_at(call->frame->model->file, found->tensor) : NULL;
}

tn_dtype tni_onnx_dtype_in(tni_onnx_call *call, const char *name, tn_dtype otherwise) {
    int64_t number = tni_onnx_int(call, name, 0);
    tn_dtype dtype = number ? tni_onnx_dtype(number) : otherwise;
    if (!dtype) {
        (void)tni_onnx_refuse("there is no dtype %s (%" PRId64 ")", tni_onnx_dtype_name(number), number);
        call->wrong = true;
    }
    return dtype;
}

bool tni_onnx_out_list(tni_onnx_call *call, size_t i, const tn_list *list) {
    for (int64_t k = 0; list && k < tn_list_count(list); k++)
        if (!tni_onnx_out(call, i + (size_t)k, tn_list_at(list, k)))
            return false;
    return list != NULL;
}

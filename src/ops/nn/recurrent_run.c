/* recurrent_run.c - whole layers of a recurrent network, for calls that need no gradients: no tensor is made for a step.
 *
 * One product brings all inputs to the gates. Then a direction goes through its steps: the state times w_hh, packed once for all steps
 * (iterate/product_weights.h), into a block of sums; the gates, row by row; the new state into its place in the output. The state itself is
 * the final result, which begins as a copy of hx and is changed in place: in a packed sequence rows that have ended just stay.
 *
 * The sequences of a batch have nothing to do with each other, so threads take some of them each, through all steps. Sums of a
 * row are the same whoever computes it, so the cut may follow the threads.
 */
#include "base/error.h"
#include "base/parallel.h"
#include "iterate/product_weights.h"
#include "operators_copy.h"
#include "operators_create.h"
#include "operators_product.h"
#include "operators_random.h"
#include "operators_view.h"
#include "ops/copy/copy.h"
#include "ops/limits.h"
#include "ops/nn/recurrent.h"

/* One direction of one layer. */
typedef struct run_direction {
    const tni_recurrent *call;
    tni_gates_loops loops;
    tni_weights hidden, project; /* w_hh, and w_hr where there is one */
    const char *bias;            /* b_hh */
    const char *brought;         /* what inputs bring to the gates: (rows of all steps, gates) */
    char *output;                /* the first element of this direction */
    int64_t output_row;          /* bytes from a row of output to the next */
    char *h, *c;                 /* the state: (batch, outputs), (batch, width) */
    char *scratch;               /* for each share of the batch: sums, gates that are kept, h before it is projected */
    int64_t sums_bytes, share_bytes, share, shares;
    int64_t item, gates;
    bool reverse;
} run_direction;

/* The first row of a step among those of all steps. */
static int64_t run_place(const tni_recurrent *call, int64_t step, int64_t place, bool reverse) {
    if (!call->sizes)
        return step * call->batch;
    return reverse ? place - call->sizes[step] : place;
}

/* The rows [first, first + rows) of the batch at one step. */
static tn_error run_step(const run_direction *run, int64_t first, int64_t rows, int64_t place, char *scratch) {
    const tni_recurrent *call = run->call;
    int64_t item = run->item, width = call->width, outputs = call->outputs;
    char *h = run->h + first * outputs * item, *sums = scratch, *kept = scratch + run->sums_bytes;
    tn_error code = tni_weights_run(&run->hidden, rows, h, outputs, sums);
    if (code != TN_OK)
        return code;
    bool projects = run->project.packed.n > 0;
    char *raw = projects ? kept + 5 * width * item : h;
    for (int64_t row = 0; row < rows; row++) {
        char *c = run->c ? run->c + (first + row) * width * item : NULL, *out = raw + row * width * item;
        tni_gates one = {.width = width,
                         .input = run->brought + (place + first + row) * run->gates * item,
                         .hidden = sums + row * run->hidden.pitch * item,
                         .hidden_bias = run->bias,
                         .state = c ? c : out,
                         .gates = kept,
                         .cell = c,
                         .out = out,
                         .sigmoid = run->loops.sigmoid,
                         .activation = run->loops.activation,
                         .parameters = &tni_gates_no_parameters};
        run->loops.row(&one);
    }
    if (projects) { /* sums are free again */
        if ((code = tni_weights_run(&run->project, rows, raw, width, sums)) != TN_OK)
            return code;
        for (int64_t row = 0; row < rows; row++)
            memcpy(h + row * outputs * item, sums + row * run->project.pitch * item, (size_t)(outputs * item));
    }
    for (int64_t row = 0; row < rows; row++)
        memcpy(run->output + (place + first + row) * run->output_row, h + row * outputs * item, (size_t)(outputs * item));
    return TN_OK;
}

/* All steps of one share of the batch. */
static tn_error run_share(const run_direction *run, int64_t share) {
    const tni_recurrent *call = run->call;
    int64_t first = share * run->share, end = tni_min_i64(first + run->share, call->batch);
    int64_t place = run->reverse && call->sizes ? call->input->sizes[0] : 0;
    char *scratch = run->scratch + share * run->share_bytes;
    for (int64_t i = 0; i < call->steps; i++) {
        int64_t step = run->reverse ? call->steps - 1 - i : i;
        int64_t here = run_place(call, step, place, run->reverse), size = call->sizes ? call->sizes[step] : call->batch;
        int64_t rows = tni_min_i64(end, size) - first;
        place = run->reverse ? here : here + size;
        if (rows <= 0)
            continue;
        if (!tni_goes_on())
            return tni_failed();
        tn_error code = run_step(run, first, rows, here, scratch);
        if (code != TN_OK)
            return code;
    }
    return TN_OK;
}

static void run_shares(void *argument, int64_t begin, int64_t end) {
    for (int64_t share = begin; share < end; share++)
        (void)run_share(argument, share); /* packed products do not fail */
}

static char *run_aligned(tn_tensor *memory) {
    char *data = tni_tensor_write(memory);
    return data + (64 - (uintptr_t)data % 64) % 64;
}

static int64_t run_up(int64_t bytes) { return (bytes + 63) / 64 * 64; }

/* How the batch is shared out, and the memory for it. */
static tn_tensor *run_memory(run_direction *run, const tni_recurrent_weights *weights) {
    const tni_recurrent *call = run->call;
    tn_dtype dtype = call->input->dtype;
    if (!tni_weights_begin(&run->hidden, call->outputs, run->gates, call->batch, dtype) ||
        (weights->w_hr && !tni_weights_begin(&run->project, call->width, call->outputs, call->batch, dtype)))
        return NULL;
    bool packed = run->hidden.bytes > 0 && (!weights->w_hr || run->project.bytes > 0);
    run->shares = packed ? tni_max_i64(1, tni_min_i64(tn_num_threads(), call->batch / RECURRENT_SHARE)) : 1;
    run->share = tni_max_i64(1, (call->batch + run->shares - 1) / run->shares);
    run->shares = (call->batch + run->share - 1) / run->share;
    int64_t pitch = tni_max_i64(run->hidden.pitch, run->project.pitch);
    run->sums_bytes = run_up(run->share * pitch * run->item);
    run->share_bytes = run->sums_bytes + run_up((5 + run->share) * call->width * run->item);
    int64_t bytes = run_up((int64_t)run->hidden.bytes) + run_up((int64_t)run->project.bytes) + run->shares * run->share_bytes;
    return tni_tensor_new(1, &(int64_t){bytes + 64}, TN_UINT8, TN_DEVICE_CPU);
}

static bool run_weights_ready(run_direction *run, const tn_tensor *w_hh, const tn_tensor *w_hr, char *memory) {
    char *second = memory + run_up((int64_t)run->hidden.bytes);
    run->scratch = second + run_up((int64_t)run->project.bytes);
    return tni_weights_fill(&run->hidden, memory, tni_tensor_read(w_hh), w_hh->strides[1], w_hh->strides[0]) &&
           (!w_hr || tni_weights_fill(&run->project, second, tni_tensor_read(w_hr), w_hr->strides[1], w_hr->strides[0]));
}

static tn_error run_all(run_direction *run, const tni_recurrent_weights *weights) {
    tn_tensor *memory = run_memory(run, weights);
    bool ready = memory && run_weights_ready(run, weights->w_hh, weights->w_hr, run_aligned(memory));
    tn_error code = TN_OK;
    if (!ready)
        code = tni_failed();
    else if (run->shares > 1)
        code = tni_parallel_for(run->shares, 1, run_shares, run) ? TN_OK : tni_failed();
    else if (run->shares == 1)
        code = run_share(run, 0);
    tni_tensor_release(memory);
    return code;
}

/* One direction of a layer whose input is (rows of all steps, features). */
/* An address in a tensor, which may have no memory at all. */
static char *run_at(tn_tensor *tensor, int64_t offset) {
    char *data = tni_tensor_write(tensor);
    return data ? data + offset : NULL;
}

static tn_error run_one(const tni_recurrent *call, int64_t layer, int64_t direction, const tn_tensor *input, tn_tensor *output,
                        tn_tensor *h, tn_tensor *c) {
    tni_recurrent_weights weights = tni_recurrent_weights_of(call, layer, direction);
    run_direction run = {.call = call, .reverse = direction == 1, .item = (int64_t)tni_tensor_item_size(input)};
    run.gates = tni_gates_of(call->kind) * call->width;
    if (!tni_gates_find(&run.loops, call->kind, call->relu, input->dtype))
        return tni_failed();
    tn_tensor *brought = tni_op_linear(input, weights.w_ih, weights.b_ih);
    tn_tensor *bias = weights.b_hh && brought ? tni_op_contiguous(weights.b_hh, TN_CONTIGUOUS) : NULL;
    int64_t state = layer * call->directions + direction;
    run.brought = brought ? tni_tensor_read(brought) : NULL;
    run.bias = bias ? tni_tensor_read(bias) : NULL;
    run.output = run_at(output, direction * call->outputs * run.item);
    run.output_row = call->directions * call->outputs * run.item;
    run.h = run_at(h, state * call->batch * call->outputs * run.item);
    run.c = c ? run_at(c, state * call->batch * call->width * run.item) : NULL;
    tn_error code = brought && (bias || !weights.b_hh) ? run_all(&run, &weights) : tni_failed();
    tni_tensor_release(bias);
    tni_tensor_release(brought);
    return code;
}

/* ---- all layers */

/* What comes between two layers. */
static tn_tensor *run_between(const tni_recurrent *call, tn_tensor *output) {
    if (call->dropout == 0 || !call->train)
        return tni_tensor_retain(output);
    return tni_op_dropout(output, call->dropout, true, NULL);
}

/* Layer after layer, from `input`, which is released. The output of the last one, as (rows of all steps, features). */
static tn_tensor *run_layers(const tni_recurrent *call, tn_tensor *input, tn_tensor *h, tn_tensor *c) {
    int64_t sizes[3] = {call->steps, call->batch, call->directions * call->outputs};
    if (call->sizes) {
        sizes[0] = call->input->sizes[0];
        sizes[1] = sizes[2];
    }
    for (int64_t layer = 0; input && layer < call->layers; layer++) {
        tn_tensor *output = tni_tensor_new(call->sizes ? 2 : 3, sizes, call->input->dtype, TN_DEVICE_CPU);
        tn_error code = output ? TN_OK : tni_failed();
        for (int64_t direction = 0; direction < call->directions && code == TN_OK; direction++)
            code = run_one(call, layer, direction, input, output, h, c);
        tni_tensor_release(input);
        input = code != TN_OK ? NULL : layer + 1 < call->layers ? run_between(call, output) : tni_tensor_retain(output);
        tni_tensor_release(output);
    }
    return input;
}

bool tni_recurrent_run(const tni_recurrent *call, tn_tensor **output, tn_tensor **h, tn_tensor **c) {
    static const char reason[] = "the state of a recurrent network is changed in a copy";
    *h = tni_clone_contiguous(call->h, reason);
    *c = *h && call->c ? tni_clone_contiguous(call->c, reason) : NULL;
    bool good = *h && (*c || !call->c);
    tn_tensor *input = !good ? NULL : call->batch_first ? tni_op_transpose(call->input, 0, 1) : tni_tensor_retain(call->input);
    tn_tensor *made = run_layers(call, input, *h, *c);
    *output = made && call->batch_first ? tni_op_transpose(made, 0, 1) : made;
    if (made && call->batch_first)
        tni_tensor_release(made);
    if (*output)
        return true;
    tni_tensor_release(*h);
    tni_tensor_release(*c);
    return false;
}

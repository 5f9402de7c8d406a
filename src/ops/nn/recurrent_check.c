/* recurrent_check.c - what must hold of the arguments of a recurrent network: ranks, dtypes and sizes, each said with its numbers. */
#include "base/error.h"
#include "operators_copy.h"
#include "ops/copy/copy.h"
#include "ops/nn/recurrent.h"

tni_recurrent_weights tni_recurrent_weights_of(const tni_recurrent *call, int64_t layer, int64_t direction) {
    const tn_tensor *const *at = call->params + (layer * call->directions + direction) * call->each;
    bool projects = call->each == (call->biases ? 5 : 3);
    return (tni_recurrent_weights){at[0], at[1], call->biases ? at[2] : NULL, call->biases ? at[3] : NULL,
                                   projects ? at[call->each - 1] : NULL};
}

static bool recurrent_rank(const tn_tensor *tensor, int64_t ndim, const char *name, const char *sizes) {
    if (tensor->ndim == ndim)
        return true;
    tni_raise(TN_ERROR_SHAPE, "%s %s must have %" PRId64 " dimensions, %s", name, tni_show_tensor(tensor), ndim, sizes);
    return false;
}

static bool recurrent_dtype(const tn_tensor *tensor, const char *name, const tn_tensor *input) {
    if (tensor->dtype == input->dtype)
        return true;
    tni_raise(TN_ERROR_DTYPE, "%s %s must have the dtype of input %s", name, tni_show_tensor(tensor), tni_show_tensor(input));
    return false;
}

bool tni_recurrent_takes_dtype(const tn_tensor *tensor, const char *name) {
    if (tensor->dtype == TN_FLOAT32 || tensor->dtype == TN_FLOAT64 || tensor->dtype == TN_FLOAT16 ||
        tensor->dtype == TN_BFLOAT16)
        return true;
    tni_raise(TN_ERROR_DTYPE, "%s %s must be float32, float64, float16 or bfloat16: convert it with to", name,
              tni_show_tensor(tensor));
    return false;
}

tn_tensor *tni_recurrent_sizes(const tn_tensor *sizes, const char *name) {
    if (sizes->dtype != TN_INT64 || sizes->ndim != 1)
        return tni_raise_null(sizes->ndim == 1 ? TN_ERROR_DTYPE : TN_ERROR_SHAPE, "%s %s must be int64, of one dimension", name,
                              tni_show_tensor(sizes));
    if (tni_tensor_device(sizes).type == TN_META)
        return tni_raise_null(TN_ERROR_DEVICE, "%s is on meta, and the sizes of the result depend on its elements", name);
    tn_tensor *here = tni_moved(sizes, TN_DEVICE_CPU, "the sizes of a packed sequence are looked at");
    tn_tensor *made = here ? tni_op_contiguous(here, TN_CONTIGUOUS) : NULL;
    tni_tensor_release(here);
    return made;
}

/* Rows of data are shared out among the steps, fewer and fewer, none without any. */
static bool recurrent_sizes_fit(const tni_recurrent *call, const tn_tensor *batch_sizes) {
    int64_t rows = 0, all = call->input->sizes[0];
    for (int64_t t = 0; t < batch_sizes->sizes[0]; t++) {
        int64_t size = call->sizes[t], before = t ? call->sizes[t - 1] : size;
        if (size < 1 || size > before) {
            tni_raise(TN_ERROR_ARGUMENT,
                      "batch_sizes[%" PRId64 "] is %" PRId64 " after %" PRId64 ": sizes are above 0 and never grow", t, size,
                      before);
            return false;
        }
        if (size > all - rows) {
            tni_raise(TN_ERROR_SHAPE, "batch_sizes up to step %" PRId64 " ask for %" PRId64 " rows, and data %s has %" PRId64,
                      t, rows + size, tni_show_tensor(call->input), all);
            return false;
        }
        rows += size;
    }
    if (rows == all)
        return true;
    tni_raise(TN_ERROR_SHAPE, "batch_sizes add up to %" PRId64 " rows, and data %s has %" PRId64, rows,
              tni_show_tensor(call->input), all);
    return false;
}

/* A state for each layer and direction: (layers * directions, batch, features). */
static bool recurrent_state_fits(const tni_recurrent *call, const tn_tensor *state, const char *name) {
    if (!recurrent_rank(state, 3, name, "(layers * directions, batch, features)") || !recurrent_dtype(state, name, call->input))
        return false;
    int64_t states = call->layers * call->directions;
    if (state->sizes[0] == states && state->sizes[1] == call->batch)
        return true;
    tni_raise(TN_ERROR_SHAPE,
              "%s %s must have %" PRId64 " states (%" PRId64 " layers of %" PRId64 " directions) for a batch of %" PRId64, name,
              tni_show_tensor(state), states, call->layers, call->directions, call->batch);
    return false;
}

static bool recurrent_weight_fits(const tni_recurrent *call, const tn_tensor *weight, const char *name, int64_t layer,
                                  int64_t rows, int64_t columns) {
    if (!recurrent_dtype(weight, name, call->input))
        return false;
    bool matrix = columns >= 0;
    if (weight->ndim == (matrix ? 2 : 1) && weight->sizes[0] == rows && (!matrix || weight->sizes[1] == columns))
        return true;
    if (matrix)
        tni_raise(TN_ERROR_SHAPE, "%s %s of layer %" PRId64 " must have sizes [%" PRId64 ", %" PRId64 "]", name,
                  tni_show_tensor(weight), layer, rows, columns);
    else
        tni_raise(TN_ERROR_SHAPE, "%s %s of layer %" PRId64 " must have sizes [%" PRId64 "]", name, tni_show_tensor(weight),
                  layer, rows);
    return false;
}

static bool recurrent_weights_fit(const tni_recurrent *call) {
    int64_t gates = tni_gates_of(call->kind) * call->width;
    for (int64_t layer = 0; layer < call->layers; layer++) {
        int64_t features = layer ? call->outputs * call->directions : call->input->sizes[call->input->ndim - 1];
        for (int64_t direction = 0; direction < call->directions; direction++) {
            tni_recurrent_weights w = tni_recurrent_weights_of(call, layer, direction);
            if (!recurrent_weight_fits(call, w.w_ih, "w_ih", layer, gates, features) ||
                !recurrent_weight_fits(call, w.w_hh, "w_hh", layer, gates, call->outputs) ||
                (w.b_ih && !recurrent_weight_fits(call, w.b_ih, "b_ih", layer, gates, -1)) ||
                (w.b_hh && !recurrent_weight_fits(call, w.b_hh, "b_hh", layer, gates, -1)) ||
                (w.w_hr && !recurrent_weight_fits(call, w.w_hr, "w_hr", layer, call->outputs, call->width)))
                return false;
        }
    }
    return true;
}

static bool recurrent_input_fits(tni_recurrent *call, const tn_tensor *batch_sizes) {
    const tn_tensor *input = call->input;
    if (!tni_recurrent_takes_dtype(input, "input"))
        return false;
    if (batch_sizes) {
        if (!recurrent_rank(input, 2, "data", "(rows, features)"))
            return false;
        call->steps = batch_sizes->sizes[0];
    } else {
        if (!recurrent_rank(input, 3, "input", call->batch_first ? "(batch, steps, features)" : "(steps, batch, features)"))
            return false;
        call->steps = input->sizes[call->batch_first ? 1 : 0];
        call->batch = input->sizes[call->batch_first ? 0 : 1];
    }
    if (call->steps < 1) {
        tni_raise(TN_ERROR_SHAPE, "input %s has no steps: a sequence has at least one", tni_show_tensor(input));
        return false;
    }
    if (!batch_sizes)
        return true;
    call->batch = call->sizes[0];
    return recurrent_sizes_fit(call, batch_sizes);
}

bool tni_recurrent_check(tni_recurrent *call, const tn_tensor *batch_sizes) {
    call->directions = call->both ? 2 : 1;
    if (call->layers < 1 || call->layers > call->params_count) {
        tni_raise(TN_ERROR_ARGUMENT,
                  "num_layers is %" PRId64 ", and params has %" PRId64 " tensors: there is a layer, and "
                  "each has some of them",
                  call->layers, call->params_count);
        return false;
    }
    if (!(call->dropout >= 0 && call->dropout <= 1)) {
        tni_raise(TN_ERROR_ARGUMENT, "dropout is %g; a probability is between 0 and 1", call->dropout);
        return false;
    }
    if (!recurrent_input_fits(call, batch_sizes) || !recurrent_state_fits(call, call->h, "hx") ||
        (call->c && !recurrent_state_fits(call, call->c, "the second of hx")))
        return false;
    call->outputs = call->h->sizes[2];
    call->width = call->c ? call->c->sizes[2] : call->outputs;
    bool projects = call->width != call->outputs;
    call->each = 2 + 2 * call->biases + projects;
    if (call->params_count != call->layers * call->directions * call->each) {
        tni_raise(TN_ERROR_ARGUMENT,
                  "params has %" PRId64 " tensors, and must have %" PRId64 " for each of %" PRId64 " layers and %" PRId64
                  " directions",
                  call->params_count, call->each, call->layers, call->directions);
        return false;
    }
    return recurrent_weights_fit(call);
}

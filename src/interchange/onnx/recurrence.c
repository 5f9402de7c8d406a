/* recurrence.c - ONNX's RNN, GRU and LSTM: every option of them, step by step.
 *
 * What the inputs give to the gates is one product for all steps; a step adds what the last one gives. Sequences that have ended keep
 * their state and give 0, in both directions.
 */
#include "interchange/onnx/operators.h"
#include "operators_activation.h"
#include "operators_arithmetic.h"
#include "operators_compare.h"
#include "operators_copy.h"
#include "operators_create.h"
#include "operators_join.h"
#include "operators_math.h"
#include "operators_product.h"
#include "operators_select.h"
#include "operators_view.h"

#define IN(i) tni_onnx_in(call, i)
enum { ONNX_RNN = 1, ONNX_GRU = 3, ONNX_LSTM = 4, ONNX_FUNCTIONS = 6 };

typedef struct onnx_function_of {
    const char *name;
    double alpha, beta;
} onnx_function_of;

typedef struct onnx_layer {
    int gates;
    int64_t directions, steps, hidden;
    onnx_function_of functions[ONNX_FUNCTIONS]; /* three for each direction */
    double clip;                                /* 0: none */
    bool input_forget, before_reset;
    const tn_tensor *lengths; /* (b, 1), or NULL */
} onnx_layer;

static tn_tensor *onnx_gate(const tn_tensor *x, const onnx_function_of *how, double clip) {
    const char *name = how->name;
    x = clip > 0 ? tn_clamp(x, TN_SCALAR(-clip), TN_SCALAR(clip)) : (tn_tensor *)(uintptr_t)x;
    if (strcasecmp(name, "Sigmoid") == 0)
        return tn_sigmoid(x);
    if (strcasecmp(name, "Tanh") == 0)
        return tn_tanh(x);
    if (strcasecmp(name, "Relu") == 0)
        return tn_relu(x);
    if (strcasecmp(name, "Affine") == 0)
        return tn_add_scalar(tn_mul_scalar(x, TN_SCALAR(how->alpha)), TN_SCALAR(how->beta));
    if (strcasecmp(name, "LeakyRelu") == 0)
        return tn_leaky_relu_slope(x, TN_SCALAR(how->alpha));
    if (strcasecmp(name, "ThresholdedRelu") == 0)
        return tn_threshold(x, TN_SCALAR(how->alpha), TN_SCALAR(0));
    if (strcasecmp(name, "ScaledTanh") == 0)
        return tn_mul_scalar(tn_tanh(tn_mul_scalar(x, TN_SCALAR(how->beta))), TN_SCALAR(how->alpha));
    if (strcasecmp(name, "HardSigmoid") == 0)
        return tn_clamp(tn_add_scalar(tn_mul_scalar(x, TN_SCALAR(how->alpha)), TN_SCALAR(how->beta)), TN_SCALAR(0),
                        TN_SCALAR(1));
    if (strcasecmp(name, "Elu") == 0)
        return tn_elu_alpha(x, TN_SCALAR(how->alpha), TN_SCALAR(1), TN_SCALAR(1));
    if (strcasecmp(name, "Softsign") == 0)
        return tn_softsign(x);
    if (strcasecmp(name, "Softplus") == 0)
        return tn_softplus(x);
    return tni_raise_null(TN_ERROR_UNSUPPORTED, "there is no activation \"%.40s\"", name);
}

/* The functions, three for each direction; numbers of the lists go to those that take some, in their order. */
static bool onnx_layer_functions(tni_onnx_call *call, onnx_layer *layer) {
    static const struct {
        const char *name;
        int takes; /* 1: alpha, 2: both */
        double alpha, beta;
    } known[] = {{"Affine", 2, 1, 0},     {"LeakyRelu", 1, 0.01, 0},     {"ThresholdedRelu", 1, 1, 0},
                 {"ScaledTanh", 2, 1, 1}, {"HardSigmoid", 2, 0.2F, 0.5}, {"Elu", 1, 1, 0}};
    const tni_onnx_attribute *names = tni_onnx_attribute_of(call, "activations"),
                             *lists[2] = {tni_onnx_attribute_of(call, "activation_alpha"),
                                          tni_onnx_attribute_of(call, "activation_beta")};
    size_t each = layer->gates == ONNX_RNN ? 1 : layer->gates == ONNX_GRU ? 2 : 3, used[2] = {0, 0};
    if (names && (names->kind != TNI_ONNX_TEXTS || names->count != each * (size_t)layer->directions))
        return tni_onnx_refuse("activations should be %zu names", each * (size_t)layer->directions);
    for (size_t i = 0; i < each * (size_t)layer->directions; i++) {
        onnx_function_of *function = &layer->functions[i / each * 3 + i % each];
        *function = (onnx_function_of){names                                       ? names->texts[i]
                                       : layer->gates != ONNX_RNN && i % each == 0 ? "Sigmoid"
                                                                                   : "Tanh",
                                       0, 0};
        for (size_t k = 0; k < TNI_COUNT_OF(known); k++) {
            if (strcasecmp(known[k].name, function->name) != 0)
                continue;
            function->alpha = known[k].alpha;
            function->beta = known[k].beta;
            for (int n = 0; n < known[k].takes; n++)
                if (lists[n] && lists[n]->kind == TNI_ONNX_FLOATS && used[n] < lists[n]->count)
                    *(n ? &function->beta : &function->alpha) = (double)lists[n]->reals[used[n]++];
        }
    }
    return true;
}

static tn_tensor *onnx_part(const tn_tensor *gates, const onnx_layer *layer, int64_t number) {
    return tn_narrow(gates, -1, number * layer->hidden, layer->hidden);
}

/* given: (b, gates * hidden), what the inputs give; h, c: (b, hidden); r: (hidden, gates * hidden) */
static bool onnx_layer_step(const onnx_layer *layer, const onnx_function_of *f, const tn_tensor *given, const tn_tensor *r,
                            const tn_tensor *late, const tn_tensor *peep, tn_tensor **h, tn_tensor **c) {
    if (layer->gates == ONNX_RNN)
        return (*h = onnx_gate(tn_add(given, tn_mm(*h, r)), &f[0], layer->clip)) != NULL;
    if (layer->gates == ONNX_GRU) { /* update, reset, hidden */
        int64_t n = layer->hidden;
        tn_tensor *own = tn_add(tn_narrow(given, 1, 0, 2 * n), tn_mm(*h, tn_narrow(r, 1, 0, 2 * n)));
        tn_tensor *both = onnx_gate(own, &f[0], layer->clip), *last = tn_narrow(r, 1, 2 * n, n);
        tn_tensor *z = onnx_part(both, layer, 0), *reset = onnx_part(both, layer, 1), *more;
        if (layer->before_reset) {
            more = tn_mm(*h, last);
            more = tn_mul(reset, late ? tn_add(more, late) : more);
        } else {
            more = tn_mm(tn_mul(reset, *h), last);
            more = late ? tn_add(more, late) : more;
        }
        tn_tensor *fresh = onnx_gate(tn_add(onnx_part(given, layer, 2), more), &f[1], layer->clip);
        return (*h = tn_add(fresh, tn_mul(z, tn_sub(*h, fresh)))) != NULL;
    }
    tn_tensor *gates = tn_add(given, tn_mm(*h, r)); /* input, output, forget, cell */
    tn_tensor *i = onnx_part(gates, layer, 0), *o = onnx_part(gates, layer, 1), *forget = onnx_part(gates, layer, 2);
    if (peep) {
        i = tn_add(i, tn_mul(onnx_part(peep, layer, 0), *c));
        forget = tn_add(forget, tn_mul(onnx_part(peep, layer, 2), *c));
    }
    i = onnx_gate(i, &f[0], layer->clip);
    forget = layer->input_forget ? tn_rsub_scalar(i, TN_SCALAR(1), TN_SCALAR(1)) : onnx_gate(forget, &f[0], layer->clip);
    tn_tensor *fresh = onnx_gate(onnx_part(gates, layer, 3), &f[1], layer->clip);
    *c = tn_add(tn_mul(forget, *c), tn_mul(i, fresh));
    o = peep ? tn_add(o, tn_mul(onnx_part(peep, layer, 1), *c)) : o;
    o = onnx_gate(o, &f[0], layer->clip);
    return (*h = tn_mul(o, onnx_gate(*c, &f[2], 0))) != NULL;
}

/* One direction: x (steps, b, inputs); rows gets the state of every step; h and c begin as the first and end as the last. */
static bool onnx_layer_run(const onnx_layer *layer, int64_t d, bool reverse, const tn_tensor *x, const tn_tensor *w,
                           const tn_tensor *r, const tn_tensor *bias, const tn_tensor *peep, const tn_tensor **rows,
                           tn_tensor **h, tn_tensor **c) {
    int64_t all = layer->gates * layer->hidden, n = layer->hidden;
    tn_tensor *given = tn_matmul(x, tn_t(tn_select(w, 0, d))), *late = NULL, *turned = tn_t(tn_select(r, 0, d));
    if (bias) {
        tn_tensor *own = tn_select(bias, 0, d), *later = tn_narrow(own, 0, all, all);
        given = tn_add(given, tn_narrow(own, 0, 0, all));
        if (layer->gates == ONNX_GRU) { /* the last of them is added inside or outside of the reset */
            late = tn_narrow(later, 0, 2 * n, n);
            const tn_tensor *const parts[] = {tn_narrow(later, 0, 0, 2 * n), tn_zeros(TN_DIMS(n), tn_dtype_of(x))};
            later = tn_cat(parts, 2, 0);
        }
        given = tn_add(given, later);
    }
    peep = peep ? tn_select(peep, 0, d) : NULL;
    for (int64_t k = 0; k < layer->steps; k++) {
        int64_t t = reverse ? layer->steps - 1 - k : k;
        tn_tensor *old_h = *h, *old_c = *c;
        if (!onnx_layer_step(layer, &layer->functions[3 * d], tn_select(given, 0, t), turned, late, peep, h, c))
            return false;
        rows[t] = *h;
        if (layer->lengths) {
            tn_tensor *runs = tn_gt_scalar(layer->lengths, TN_SCALAR(t));
            rows[t] = tn_where_other_scalar(runs, *h, TN_SCALAR(0));
            *h = tn_where(runs, *h, old_h);
            *c = *c ? tn_where(runs, *c, old_c) : NULL;
        }
        if (!rows[t] || !*h)
            return false;
    }
    return true;
}

static bool onnx_layer_all(tni_onnx_call *call, onnx_layer *layer, tn_tensor *x, bool only_reverse, bool batch_first,
                           const tn_tensor **rows) {
    const tn_tensor *last[2][2] = {{NULL, NULL}, {NULL, NULL}}, *all[2] = {NULL, NULL};
    tn_tensor *first[2] = {IN(5), layer->gates == ONNX_LSTM ? IN(6) : NULL}, *peep = layer->gates == ONNX_LSTM ? IN(7) : NULL;
    int64_t batch = tn_size(x, 1);
    for (int64_t d = 0; d < layer->directions; d++) {
        tn_tensor *state[2] = {NULL, NULL};
        for (int s = 0; s < (layer->gates == ONNX_LSTM ? 2 : 1); s++)
            state[s] = first[s] ? tn_select(first[s], batch_first ? 1 : 0, d)
                                : tn_zeros(TN_DIMS(batch, layer->hidden), tn_dtype_of(x));
        if (!state[0] ||
            !onnx_layer_run(layer, d, d == 1 || only_reverse, x, IN(1), IN(2), IN(3), peep, rows, &state[0], &state[1]))
            return false;
        last[0][d] = state[0];
        last[1][d] = state[1];
        all[d] = layer->steps ? tn_stack(rows, layer->steps, 0) : tn_zeros(TN_DIMS(0, batch, layer->hidden), tn_dtype_of(x));
        if (!all[d])
            return false;
    }
    tn_tensor *made = tn_stack(all, layer->directions, 1); /* (steps, directions, b, hidden) */
    if (!tni_onnx_out(call, 0, batch_first ? tn_permute(made, TN_DIMS(2, 0, 1, 3)) : made))
        return false;
    for (size_t s = 0; s < (layer->gates == ONNX_LSTM ? 2 : 1); s++)
        if (!tni_onnx_out(call, 1 + s, tn_stack(last[s], layer->directions, batch_first ? 1 : 0)))
            return false;
    return true;
}

bool tni_onnx_recurrent(tni_onnx_call *call) {
    onnx_layer layer = {.gates = call->row->detail,
                        .hidden = tni_onnx_int(call, "hidden_size", tn_ndim(IN(2)) == 3 ? tn_size(IN(2), 2) : 0),
                        .clip = tni_onnx_real(call, "clip", 0),
                        .input_forget = tni_onnx_int(call, "input_forget", 0) != 0,
                        .before_reset = tni_onnx_int(call, "linear_before_reset", 0) != 0};
    const char *direction = tni_onnx_text(call, "direction", "forward");
    bool batch_first = tni_onnx_int(call, "layout", 0) != 0;
    tn_tensor *x = batch_first && tn_ndim(IN(0)) == 3 ? tn_transpose(IN(0), 0, 1) : IN(0);
    layer.directions = strcmp(direction, "bidirectional") == 0 ? 2 : 1;
    int64_t all = layer.gates * layer.hidden;
    if (tn_ndim(x) != 3 || tn_ndim(IN(1)) != 3 || tn_ndim(IN(2)) != 3 || tn_size(IN(1), 0) != layer.directions ||
        tn_size(IN(1), 1) != all || tn_size(IN(2), 0) != layer.directions || tn_size(IN(2), 1) != all ||
        tn_size(IN(2), 2) != layer.hidden || tn_size(IN(1), 2) != tn_size(x, 2) ||
        (IN(3) && (tn_ndim(IN(3)) != 2 || tn_size(IN(3), 0) != layer.directions || tn_size(IN(3), 1) != 2 * all)))
        return tni_onnx_refuse("X, W, R and B do not fit a hidden_size of %" PRId64 " and %" PRId64 " directions", layer.hidden,
                               layer.directions);
    layer.steps = tn_size(x, 0);
    layer.lengths = IN(4) ? tn_unsqueeze(IN(4), 1) : NULL;
    size_t bytes = ((size_t)layer.steps + 1) * sizeof(tn_tensor *);
    if ((IN(4) && !layer.lengths) || !onnx_layer_functions(call, &layer))
        return false;
    const tn_tensor **rows = tni_heap_calloc(bytes);
    bool good = rows && onnx_layer_all(call, &layer, x, strcmp(direction, "reverse") == 0, batch_first, rows);
    if (rows)
        tni_heap_free((void *)rows, bytes);
    return good;
}

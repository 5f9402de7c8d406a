/* recurrent.h - what the operators of recurrent networks have in common.
 *
 * A network is some layers, each of one direction or two. A direction goes through the steps of its input; at each it makes a new state
 * h (of an LSTM also c) of what the step brings and the state before:
 *
 *     plain   h' = tanh(x W_ih + b_ih + h W_hh + b_hh), or relu
 *     lstm    i, f, g, o = the gates;  c' = sigmoid(f) c + sigmoid(i) tanh(g);  h' = sigmoid(o) tanh(c') [W_hr]
 *     gru     r, z, n = the gates;  h' = (h - n) z + n, where n = tanh(x part + r * h part)
 *
 * What the inputs bring to the gates is one product for all steps; what the state brings is one for each. `params` has, for each layer and
 * direction, w_ih, w_hh, then b_ih and b_hh where there are biases, then w_hr where h is projected to fewer features.
 *
 * In a packed sequence, sequences of different lengths, longest first, lie step by step: batch_sizes[t] of them are long enough for
 * step t. `sizes` is NULL for a sequence that is not packed.
 */
#ifndef TNI_OPS_RECURRENT_H
#define TNI_OPS_RECURRENT_H

#include "kernels/table.h"
#include "tensor/tensor.h"

typedef struct tni_recurrent {
    /* what the call says */
    tni_gates_kind kind;
    bool relu; /* of a plain one, in place of tanh */
    const tn_tensor
        *input; /* (steps, batch, features), the first two the other way round (batch_first), or packed: (rows, features) */
    const tn_tensor *h,
        *c; /* (layers * directions, batch, outputs or width); c of an LSTM, else NULL                                */
    const tn_tensor *const *params;
    int64_t params_count;
    bool biases, train, both, batch_first;
    int64_t layers;
    double dropout;
    const int64_t *sizes; /* of a packed sequence: for each step */
    /* what was found out (tni_recurrent_check) */
    int64_t steps, batch, directions, each; /* each: parameters of a direction */
    int64_t width, outputs;                 /* features of c and the gates, and of h: less where it is projected */
} tni_recurrent;

/* The parameters of one direction of a layer; NULL where there is none. */
typedef struct tni_recurrent_weights {
    const tn_tensor *w_ih, *w_hh, *b_ih, *b_hh, *w_hr;
} tni_recurrent_weights;
tni_recurrent_weights tni_recurrent_weights_of(const tni_recurrent *call, int64_t layer, int64_t direction);

static inline int64_t tni_gates_of(tni_gates_kind kind) { return kind == TNI_GATES_LSTM ? 4 : kind == TNI_GATES_GRU ? 3 : 1; }

/* Checks all arguments, and fills in the rest of `call`; false with the error raised. `sizes` are those of `batch_sizes`, which is NULL
 * for a sequence that is not packed. */
bool tni_recurrent_check(tni_recurrent *call, const tn_tensor *batch_sizes);

/* Whether a tensor has a dtype that cells compute in, or are converted from. Raised where not. */
bool tni_recurrent_takes_dtype(const tn_tensor *tensor, const char *name);

/* The sizes or lengths of a packed sequence, contiguous and in the memory of the CPU, for the caller to release. NULL, raised, where they
 * are not int64 of one dimension. */
tn_tensor *tni_recurrent_sizes(const tn_tensor *sizes, const char *name);
static inline const int64_t *tni_recurrent_numbers(const tn_tensor *sizes) {
    return (const int64_t *)(const void *)tni_tensor_read(sizes);
}

/* The results, of layers computed without gradients and without a tensor for each step (recurrent_run.c): output, h, c. For float32 and
 * float64 on the CPU. */
bool tni_recurrent_run(const tni_recurrent *call, tn_tensor **output, tn_tensor **h, tn_tensor **c);

/* ---- one row of gates */

/* The loops of a kind of cell for float32 or float64; false, raised, in a build without them. */
typedef struct tni_gates_loops {
    tni_gates_function row;
    tni_gates_back_function back;
    tni_loop sigmoid, activation;
} tni_gates_loops;
bool tni_gates_find(tni_gates_loops *loops, tni_gates_kind kind, bool relu, tn_dtype dtype);
TNI_EXTERN const tni_parameters tni_gates_no_parameters;

#endif

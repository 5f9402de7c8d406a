/* autograd_by_hand.c - how gradients are computed: a tape of plain doubles in a page, and the same with tensors.
 *
 * Every operation on numbers writes a line on the tape: its result, and for each of its at most two operands where that is on the tape
 * and by how much the result grows when the operand grows by a little (the partial derivative). Reading the tape backwards, from a
 * result whose gradient is 1, each line hands its gradient on to its operands, times those partial derivatives (the chain rule), and an
 * operand that was used several times adds up what it gets. That is all. A line can only name lines above it, so one pass is enough.
 *
 * Tenon does the same: a line is a node, its operands are edges, and nodes hold tensors instead of doubles (src/autograd/node.h).
 */
#include <math.h>
#include <stdio.h>
#include <tenon/tenon.h>

/* ---- the tape */

enum { TAPE = 256, NOWHERE = -1 };

typedef struct line {
    double value, gradient;
    int operand[2];
    double partial[2];
} line;

static line tape[TAPE];
static int length;

/* A number is its line on the tape. */
typedef int number;

static number write_line(double value, number a, double by_a, number b, double by_b) {
    tape[length] = (line){.value = value, .operand = {a, b}, .partial = {by_a, by_b}};
    return length++;
}

static double value_of(number x) { return tape[x].value; }

static number leaf(double value) { return write_line(value, NOWHERE, 0, NOWHERE, 0); }
static number add(number a, number b) { return write_line(value_of(a) + value_of(b), a, 1, b, 1); }
static number subtract(number a, number b) { return write_line(value_of(a) - value_of(b), a, 1, b, -1); }
static number multiply(number a, number b) { return write_line(value_of(a) * value_of(b), a, value_of(b), b, value_of(a)); }

static number tanh_of(number a) {
    double t = tanh(value_of(a));
    return write_line(t, a, 1 - t * t, NOWHERE, 0);
}

/* The gradient of `result` with respect to every line above it. */
static void backward(number result) {
    for (int i = 0; i <= result; i++)
        tape[i].gradient = 0;
    tape[result].gradient = 1;
    for (int i = result; i >= 0; i--)
        for (int k = 0; k < 2; k++)
            if (tape[i].operand[k] != NOWHERE)
                tape[tape[i].operand[k]].gradient += tape[i].gradient * tape[i].partial[k];
}

/* ---- a neuron that learns "or": tanh(u * x + v * y + b) is to be the target, -1 or 1 */

enum { CASES = 4, STEPS = 20 };
static const double xs[CASES] = {0, 0, 1, 1}, ys[CASES] = {0, 1, 0, 1}, targets[CASES] = {-1, 1, 1, 1};
static const double rate = 0.1;

/* Each step writes a new tape: what it holds depends on the parameters only through numbers. */
static double by_hand(double parameters[3]) {
    double loss_now = 0;
    for (int step = 0; step < STEPS; step++) {
        length = 0;
        number u = leaf(parameters[0]), v = leaf(parameters[1]), b = leaf(parameters[2]), loss = leaf(0);
        for (int i = 0; i < CASES; i++) {
            number sum = add(add(multiply(u, leaf(xs[i])), multiply(v, leaf(ys[i]))), b);
            number miss = subtract(tanh_of(sum), leaf(targets[i]));
            loss = add(loss, multiply(miss, miss));
        }
        backward(loss);
        loss_now = value_of(loss);
        for (int k = 0; k < 3; k++)
            parameters[k] -= rate * tape[k].gradient; /* u, v and b are the first three lines */
    }
    return loss_now;
}

/* The same with tensors: all cases at once, the tape is written by the operators, and the optimiser steps. */
static double with_tensors(double parameters[3]) {
    tn_scope scope = tn_scope_open();
    tn_tensor *inputs = tn_stack((const tn_tensor *[]){tn_from_memory(xs, TN_DIMS(CASES), TN_FLOAT64, TN_BORROW_CONST),
                                                       tn_from_memory(ys, TN_DIMS(CASES), TN_FLOAT64, TN_BORROW_CONST)},
                                 2, 1);
    tn_tensor *wanted = tn_from_memory(targets, TN_DIMS(CASES), TN_FLOAT64, TN_BORROW_CONST);
    tn_parameters *neuron = tn_parameters_new();
    tn_tensor *w = tn_from_memory(parameters, TN_DIMS(2), TN_FLOAT64, TN_BORROW);
    tn_tensor *b = tn_from_memory(parameters + 2, TN_DIMS(1), TN_FLOAT64, TN_BORROW);
    tn_parameters_add(neuron, "w", tn_requires_grad_(w, true));
    tn_parameters_add(neuron, "b", tn_requires_grad_(b, true));
    tn_optimizer *sgd = tn_optimizer_new("sgd", neuron);
    (void)tn_optimizer_set(sgd, "lr", rate);
    double loss_now = 0;
    for (int step = 0; step < STEPS; step++) {
        tn_scope one = tn_scope_open();
        tn_tensor *loss = tn_mse_loss(tn_tanh(tn_add(tn_mv(inputs, w), b)), wanted, 2);
        if (tn_optimizer_minimize(sgd, loss) == TN_OK)
            loss_now = tn_item_double(loss);
        tn_scope_close(one);
    }
    tn_scope_close(scope);
    return loss_now;
}

int main(void) {
    length = 0;
    number x = leaf(3), y = leaf(4), xy = multiply(x, y), xx = multiply(x, x), z = add(xy, xx);
    backward(z);
    printf("z = x y + x x at x = 3, y = 4: z = %g, dz/dx = y + 2 x = %g, dz/dy = x = %g\n", value_of(z), tape[x].gradient,
           tape[y].gradient);
    for (int i = 0; i < length; i++)
        printf("  line %d: value %4g, gradient %4g\n", i, tape[i].value, tape[i].gradient);

    double hand[3] = {0.5, -0.5, 0}, tensors[3] = {0.5, -0.5, 0};
    double loss_hand = by_hand(hand), loss_tensors = with_tensors(tensors);
    if (tn_error_code() != TN_OK) {
        fprintf(stderr, "%s\n", tn_error_message());
        return 1;
    }
    printf("after %d steps, by hand:      u %.6f, v %.6f, b %.6f, loss %.6f\n", STEPS, hand[0], hand[1], hand[2], loss_hand);
    printf("after %d steps, with tensors: u %.6f, v %.6f, b %.6f, loss %.6f\n", STEPS, tensors[0], tensors[1], tensors[2],
           loss_tensors);
    return !(fabs(loss_hand - loss_tensors) < 1e-9);
}

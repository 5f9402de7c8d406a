/* nest.c - see nest.h. A few dozen steps for any tensor: it runs before every elementwise operation. */
#include "iterate/nest.h"

void tni_nest_begin(tni_nest *nest, int64_t ndim, const int64_t *sizes) {
    nest->ndim = ndim;
    nest->operands = 0;
    for (int64_t d = 0; d < ndim; d++)
        nest->sizes[d] = sizes[ndim - 1 - d];
}

void tni_nest_add(tni_nest *nest, const int64_t *strides, size_t item) {
    int64_t *mine = nest->strides[nest->operands];
    nest->starts[nest->operands++] = 0;
    for (int64_t d = 0; d < nest->ndim; d++)
        mine[d] = nest->sizes[d] > 1 ? strides[nest->ndim - 1 - d] * (int64_t)item : 0;
}

static void nest_assign(tni_nest *nest, int64_t to, int64_t from) {
    nest->sizes[to] = nest->sizes[from];
    for (int64_t k = 0; k < nest->operands; k++)
        nest->strides[k][to] = nest->strides[k][from];
}

void tni_nest_move(tni_nest *nest, int64_t from, int64_t to) {
    int64_t size = nest->sizes[from], strides[TNI_MAX_OPERANDS];
    for (int64_t k = 0; k < nest->operands; k++)
        strides[k] = nest->strides[k][from];
    for (; from > to; from--)
        nest_assign(nest, from, from - 1);
    for (; from < to; from++)
        nest_assign(nest, from, from + 1);
    nest->sizes[to] = size;
    for (int64_t k = 0; k < nest->operands; k++)
        nest->strides[k][to] = strides[k];
}

void tni_nest_turn(tni_nest *nest, int64_t dim) {
    for (int64_t k = 0; k < nest->operands; k++) {
        nest->starts[k] += (nest->sizes[dim] - 1) * nest->strides[k][dim];
        nest->strides[k][dim] = -nest->strides[k][dim];
    }
}

static void nest_drop_ones(tni_nest *nest) {
    int64_t kept = 0;
    for (int64_t d = 0; d < nest->ndim; d++)
        if (nest->sizes[d] != 1)
            nest_assign(nest, kept++, d);
    nest->ndim = kept;
}

/* The first operand that moves in a dimension moves forward. */
static void nest_turn_forward(tni_nest *nest) {
    for (int64_t d = 0; d < nest->ndim; d++) {
        int64_t k = 0;
        while (k < nest->operands && nest->strides[k][d] == 0)
            k++;
        if (k < nest->operands && nest->strides[k][d] < 0)
            tni_nest_turn(nest, d);
    }
}

/* Whether dimension a belongs inside dimension b: 1 yes, -1 no, 0 no operand decides. An operand with stride 0 in either of
 * them does not count. */
static int nest_inside(const tni_nest *nest, int64_t a, int64_t b) {
    for (int64_t k = 0; k < nest->operands; k++) {
        int64_t step_a = nest->strides[k][a], step_b = nest->strides[k][b];
        step_a = step_a < 0 ? -step_a : step_a;
        step_b = step_b < 0 ? -step_b : step_b;
        if (step_a == 0 || step_b == 0 || step_a == step_b)
            continue;
        return step_a < step_b ? 1 : -1;
    }
    return 0;
}

/* Insertion: the relation is not an order (a dimension may be undecided against some), and undecided pairs stay as they are. */
static void nest_sort(tni_nest *nest) {
    for (int64_t d = 1; d < nest->ndim; d++) {
        int64_t place = d;
        for (int64_t before = d - 1; before >= 0; before--) {
            int verdict = nest_inside(nest, d, before);
            if (verdict > 0)
                place = before;
            else if (verdict < 0)
                break;
        }
        if (place != d)
            tni_nest_move(nest, d, place);
    }
}

static bool nest_is_one(const tni_nest *nest, int64_t inner, int64_t outer) {
    for (int64_t k = 0; k < nest->operands; k++) {
        int64_t reach;
        if (tni_mul_overflows(nest->sizes[inner], nest->strides[k][inner], &reach) || nest->strides[k][outer] != reach)
            return false;
    }
    return true;
}

static void nest_merge(tni_nest *nest) {
    int64_t last = 0;
    for (int64_t d = 1; d < nest->ndim; d++) {
        if (nest_is_one(nest, last, d))
            nest->sizes[last] *= nest->sizes[d];
        else
            nest_assign(nest, ++last, d);
    }
    nest->ndim = nest->ndim ? last + 1 : 0;
}

void tni_nest_simplify(tni_nest *nest) {
    nest_drop_ones(nest);
    nest_turn_forward(nest);
    nest_sort(nest);
    nest_merge(nest);
}

int64_t tni_nest_count(const tni_nest *nest) {
    int64_t count = 1;
    for (int64_t d = 0; d < nest->ndim; d++)
        count *= nest->sizes[d];
    return count;
}

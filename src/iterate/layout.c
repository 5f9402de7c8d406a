/* layout.c - see layout.h. A few dozen steps for any tensor: it runs before every elementwise operation. */
#include "iterate/layout.h"

void tni_layout_begin(tni_layout *layout, int64_t ndim, const int64_t *sizes) {
    layout->ndim = ndim;
    layout->operands = 0;
    for (int64_t d = 0; d < ndim; d++)
        layout->sizes[d] = sizes[ndim - 1 - d];
}

void tni_layout_add(tni_layout *layout, const int64_t *strides, size_t item) {
    int64_t *mine = layout->strides[layout->operands];
    layout->starts[layout->operands++] = 0;
    for (int64_t d = 0; d < layout->ndim; d++)
        mine[d] = layout->sizes[d] > 1 ? strides[layout->ndim - 1 - d] * (int64_t)item : 0;
}

static void layout_assign(tni_layout *layout, int64_t to, int64_t from) {
    layout->sizes[to] = layout->sizes[from];
    for (int64_t k = 0; k < layout->operands; k++)
        layout->strides[k][to] = layout->strides[k][from];
}

void tni_layout_move(tni_layout *layout, int64_t from, int64_t to) {
    int64_t size = layout->sizes[from], strides[TNI_MAX_OPERANDS];
    for (int64_t k = 0; k < layout->operands; k++)
        strides[k] = layout->strides[k][from];
    for (; from > to; from--)
        layout_assign(layout, from, from - 1);
    for (; from < to; from++)
        layout_assign(layout, from, from + 1);
    layout->sizes[to] = size;
    for (int64_t k = 0; k < layout->operands; k++)
        layout->strides[k][to] = strides[k];
}

void tni_layout_turn(tni_layout *layout, int64_t dim) {
    for (int64_t k = 0; k < layout->operands; k++) {
        layout->starts[k] += (layout->sizes[dim] - 1) * layout->strides[k][dim];
        layout->strides[k][dim] = -layout->strides[k][dim];
    }
}

static void layout_drop_ones(tni_layout *layout) {
    int64_t kept = 0;
    for (int64_t d = 0; d < layout->ndim; d++)
        if (layout->sizes[d] != 1)
            layout_assign(layout, kept++, d);
    layout->ndim = kept;
}

/* The first operand that moves in a dimension moves forward. */
static void layout_turn_forward(tni_layout *layout) {
    for (int64_t d = 0; d < layout->ndim; d++) {
        int64_t k = 0;
        while (k < layout->operands && layout->strides[k][d] == 0)
            k++;
        if (k < layout->operands && layout->strides[k][d] < 0)
            tni_layout_turn(layout, d);
    }
}

/* Whether dimension a belongs inside dimension b: 1 yes, -1 no, 0 no operand tells. One that stands still in either of them has
 * no say. */
static int layout_inside(const tni_layout *layout, int64_t a, int64_t b) {
    for (int64_t k = 0; k < layout->operands; k++) {
        int64_t step_a = layout->strides[k][a], step_b = layout->strides[k][b];
        step_a = step_a < 0 ? -step_a : step_a;
        step_b = step_b < 0 ? -step_b : step_b;
        if (step_a == 0 || step_b == 0 || step_a == step_b)
            continue;
        return step_a < step_b ? 1 : -1;
    }
    return 0;
}

/* Insertion: the relation is not an order (a dimension may be undecided against some), and what is undecided stays as it is. */
static void layout_sort(tni_layout *layout) {
    for (int64_t d = 1; d < layout->ndim; d++) {
        int64_t place = d;
        for (int64_t before = d - 1; before >= 0; before--) {
            int verdict = layout_inside(layout, d, before);
            if (verdict > 0)
                place = before;
            else if (verdict < 0)
                break;
        }
        if (place != d)
            tni_layout_move(layout, d, place);
    }
}

static bool layout_is_one(const tni_layout *layout, int64_t inner, int64_t outer) {
    for (int64_t k = 0; k < layout->operands; k++) {
        int64_t reach;
        if (tni_mul_overflows(layout->sizes[inner], layout->strides[k][inner], &reach) || layout->strides[k][outer] != reach)
            return false;
    }
    return true;
}

static void layout_merge(tni_layout *layout) {
    int64_t last = 0;
    for (int64_t d = 1; d < layout->ndim; d++) {
        if (layout_is_one(layout, last, d))
            layout->sizes[last] *= layout->sizes[d];
        else
            layout_assign(layout, ++last, d);
    }
    layout->ndim = layout->ndim ? last + 1 : 0;
}

void tni_layout_simplify(tni_layout *layout) {
    layout_drop_ones(layout);
    layout_turn_forward(layout);
    layout_sort(layout);
    layout_merge(layout);
}

int64_t tni_layout_count(const tni_layout *layout) {
    int64_t count = 1;
    for (int64_t d = 0; d < layout->ndim; d++)
        count *= layout->sizes[d];
    return count;
}

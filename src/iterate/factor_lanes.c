/* factor_lanes.c - see factor_lanes.h. */
#include "iterate/factor_lanes.h"

#include <string.h>

const tni_lanes_loops *tni_lanes_of(const tni_factor *factor, int64_t m, int64_t n) {
    return m > 0 && n > 0 && m <= TNI_LANES_SIDE && n <= TNI_LANES_SIDE ? factor->kernels->matrix[factor->at]->lanes : NULL;
}

/* Runs of neighbours are transposed: as many at a time as are next to each other in each of the matrices. */
static void lanes_move(const tni_factor *factor, int64_t m, int64_t n, const tni_matrix *a, int64_t count, char *packed,
                       bool out) {
    int64_t size = (int64_t)factor->size, pitch = TNI_MATRIX_LANES_BYTES, step = 0, rows = m, run = n;
    int64_t row = a->row, column = a->column, packed_row = n * pitch, packed_step = pitch;
    bool even = true;
    for (int64_t l = 1; l < count && even; l++) {
        int64_t apart = (char *)a[l].data - (char *)a[l - 1].data;
        even = l == 1 || apart == step;
        step = apart;
    }
    if (n > 1 && column != 1 && (m == 1 || row == 1)) { /* by columns */
        rows = n, run = m, row = a->column, column = 1;
        packed_row = pitch, packed_step = n * pitch;
    } else if ((n == 1 || column == 1) && (m == 1 || row == n)) { /* all of a matrix */
        rows = 1, run = m * n, column = 1;
    }
    if (even && (run == 1 || column == 1)) {
        tni_transpose_function transpose = factor->kernels->transpose[tni_element_index(factor->size)];
        for (int64_t i = 0; i < rows; i++) {
            char *here = packed + i * packed_row, *there = (char *)a->data + i * row * size;
            if (out)
                transpose(there, step, here, packed_step, run, count);
            else
                transpose(here, packed_step, there, step, count, run);
        }
        return;
    }
    for (int64_t l = 0; l < count; l++)
        for (int64_t i = 0; i < rows; i++)
            for (int64_t j = 0; j < run; j++) {
                char *here = packed + i * packed_row + j * packed_step + l * size;
                char *there = (char *)a[l].data + (i * row + j * column) * size;
                memcpy(out ? there : here, out ? here : there, (size_t)size);
            }
}

void tni_lanes_pack(const tni_factor *factor, int64_t m, int64_t n, const tni_matrix *a, int64_t count, void *packed) {
    if (count < tni_lanes_count(factor))
        memset(packed, 0, tni_lanes_bytes(m, n));
    lanes_move(factor, m, n, a, count, packed, false);
}

void tni_lanes_unpack(const tni_factor *factor, int64_t m, int64_t n, const void *packed, const tni_matrix *a, int64_t count) {
    lanes_move(factor, m, n, a, count, (char *)(uintptr_t)packed, true);
}

void tni_lanes_solve(const tni_factor *factor, const tni_lanes_loops *loops, int64_t n, int64_t count, const void *t, void *x,
                     int triangle) {
    int64_t row = n, column = 1, x_row = count, lane = TNI_MATRIX_LANES_BYTES;
    bool upper = (triangle & TNI_TRIANGLE_UPPER) != 0;
    const char *first = t;
    char *at = x;
    (void)factor;
    if (triangle & TNI_TRIANGLE_TRANSPOSED) {
        row = 1, column = n;
        upper = !upper;
    }
    if (upper) { /* from the last element on */
        first += (n * n - 1) * lane;
        at += (n - 1) * count * lane;
        row = -row, column = -column, x_row = -x_row;
    }
    loops->solve(n, count, first, row, column, at, x_row, (triangle & TNI_TRIANGLE_UNIT) != 0);
}

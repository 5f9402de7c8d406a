/* view_model.h - a view without strides: its sizes and, for each element in row-major order, the place of that element in the
 * storage. An operation says which old index a new index comes from, and nothing else. See view_properties.c. */
#ifndef TENON_VIEW_MODEL_H
#define TENON_VIEW_MODEL_H

#include "test.h"

enum { STORAGE = 96, ELEMENTS = 240, RANKS = 9, STEPS = 8 };

typedef struct model {
    int64_t ndim, sizes[RANKS + 4], numel, places[ELEMENTS];
} model;

typedef struct step_arguments {
    int64_t order[RANKS + 4]; /* permute: where each new dimension comes from. others: a mark for each dimension */
    int64_t dim, dim2, start, step, lead;
} step_arguments;

/* Which old index a new index comes from. */
typedef void (*step_rule)(const model *old, const step_arguments *a, const int64_t *index, int64_t *old_index);

static int64_t product(int64_t ndim, const int64_t *sizes) {
    int64_t result = 1;
    for (int64_t d = 0; d < ndim; d++)
        result *= sizes[d];
    return result;
}

static bool advance(int64_t ndim, const int64_t *sizes, int64_t *index) {
    for (int64_t d = ndim - 1; d >= 0; d--) {
        if (++index[d] < sizes[d])
            return true;
        index[d] = 0;
    }
    return false;
}

static void model_apply(model *m, int64_t ndim, const int64_t *sizes, step_rule rule, const step_arguments *a) {
    model old = *m;
    int64_t index[RANKS + 4] = {0}, old_index[RANKS + 4] = {0};
    m->ndim = ndim;
    memcpy(m->sizes, sizes, (size_t)ndim * sizeof *sizes);
    m->numel = product(ndim, sizes);
    for (int64_t n = 0; n < m->numel; n++, advance(ndim, sizes, index)) {
        int64_t position = 0;
        rule(&old, a, index, old_index);
        for (int64_t d = 0; d < old.ndim; d++) {
            CHECK(old_index[d] >= 0 && old_index[d] < old.sizes[d]);
            position = position * old.sizes[d] + old_index[d];
        }
        m->places[n] = old.places[position];
    }
}

static void copy_index(const model *old, const int64_t *index, int64_t *old_index) {
    for (int64_t d = 0; d < old->ndim; d++)
        old_index[d] = index[d];
}

static void rule_permute(const model *old, const step_arguments *a, const int64_t *index, int64_t *old_index) {
    for (int64_t d = 0; d < old->ndim; d++)
        old_index[a->order[d]] = index[d];
}

static void rule_range(const model *old, const step_arguments *a, const int64_t *index, int64_t *old_index) {
    copy_index(old, index, old_index);
    old_index[a->dim] = a->start + a->step * index[a->dim];
}

static void rule_select(const model *old, const step_arguments *a, const int64_t *index, int64_t *old_index) {
    for (int64_t d = 0; d < old->ndim; d++)
        old_index[d] = d == a->dim ? a->start : index[d - (d > a->dim)];
}

static void rule_flip(const model *old, const step_arguments *a, const int64_t *index, int64_t *old_index) {
    for (int64_t d = 0; d < old->ndim; d++)
        old_index[d] = a->order[d] ? old->sizes[d] - 1 - index[d] : index[d];
}

static void rule_expand(const model *old, const step_arguments *a, const int64_t *index, int64_t *old_index) {
    for (int64_t d = 0; d < old->ndim; d++)
        old_index[d] = old->sizes[d] == 1 ? 0 : index[a->lead + d];
}

static void rule_diagonal(const model *old, const step_arguments *a, const int64_t *index, int64_t *old_index) {
    int64_t next = 0;
    for (int64_t d = 0; d < old->ndim; d++)
        if (d != a->dim && d != a->dim2)
            old_index[d] = index[next++];
    old_index[a->dim] = index[next] + (a->start < 0 ? -a->start : 0);
    old_index[a->dim2] = index[next] + (a->start > 0 ? a->start : 0);
}

static void rule_unfold(const model *old, const step_arguments *a, const int64_t *index, int64_t *old_index) {
    copy_index(old, index, old_index);
    old_index[a->dim] = index[a->dim] * a->step + index[old->ndim];
}

/* A quarter turn from dim towards dim2: the element at (i, j) was at (j, n - 1 - i). */
static void rule_turn(const model *old, const step_arguments *a, const int64_t *index, int64_t *old_index) {
    copy_index(old, index, old_index);
    old_index[a->dim] = index[a->dim2];
    old_index[a->dim2] = old->sizes[a->dim2] - 1 - index[a->dim];
}

/* Only sizes change: the elements and their order stay. */
static void model_reshape(model *m, int64_t ndim, const int64_t *sizes) {
    CHECK_INT(product(ndim, sizes), m->numel);
    m->ndim = ndim;
    memcpy(m->sizes, sizes, (size_t)ndim * sizeof *sizes);
}

/* Whether any strides at all give these places under these sizes. */
static bool model_has_strides(const model *m, int64_t ndim, const int64_t *sizes) {
    int64_t index[RANKS + 4] = {0}, strides[RANKS + 4] = {0}, below = 1;
    if (m->numel == 0)
        return true;
    for (int64_t d = ndim - 1; d >= 0; d--) {
        strides[d] = sizes[d] > 1 ? m->places[below] - m->places[0] : 0;
        below *= sizes[d];
    }
    for (int64_t n = 0; n < m->numel; n++, advance(ndim, sizes, index)) {
        int64_t place = m->places[0];
        for (int64_t d = 0; d < ndim; d++)
            place += index[d] * strides[d];
        if (place != m->places[n])
            return false;
    }
    return true;
}

/* ---- views of the model */

static inline void model_range(model *m, int64_t dim, int64_t first, int64_t step, int64_t length) {
    int64_t sizes[RANKS + 4];
    memcpy(sizes, m->sizes, sizeof sizes);
    sizes[dim] = length;
    model_apply(m, m->ndim, sizes, rule_range, &(step_arguments){.dim = dim, .start = first, .step = step});
}

static inline void model_select(model *m, int64_t dim, int64_t at) {
    int64_t sizes[RANKS + 4], ndim = 0;
    for (int64_t d = 0; d < m->ndim; d++)
        if (d != dim)
            sizes[ndim++] = m->sizes[d];
    model_apply(m, ndim, sizes, rule_select, &(step_arguments){.dim = dim, .start = at});
}

static inline void model_insert_one(model *m, int64_t dim) {
    for (int64_t d = m->ndim++; d > dim; d--)
        m->sizes[d] = m->sizes[d - 1];
    m->sizes[dim] = 1;
}

static inline void model_permute(model *m, const int64_t *order) {
    step_arguments a;
    int64_t sizes[RANKS + 4];
    for (int64_t d = 0; d < m->ndim; d++) {
        a.order[d] = order[d];
        sizes[d] = m->sizes[order[d]];
    }
    model_apply(m, m->ndim, sizes, rule_permute, &a);
}

static inline void model_unfold(model *m, int64_t dim, int64_t size, int64_t step) {
    int64_t sizes[RANKS + 4];
    memcpy(sizes, m->sizes, sizeof sizes);
    sizes[dim] = (m->sizes[dim] - size) / step + 1;
    sizes[m->ndim] = size;
    model_apply(m, m->ndim + 1, sizes, rule_unfold, &(step_arguments){.dim = dim, .step = step});
}

#endif

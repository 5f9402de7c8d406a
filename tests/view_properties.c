/* view_properties.c - random chains of views against a model that does not know strides.
 *
 * The model of a view is its sizes and, for each element in row-major order, the place of that element in the storage. An
 * operation on the model says which old index a new index comes from, and nothing else. After every step the view's own
 * arithmetic must lead to the model's places; at the end of a chain every element is read, written and read back from the
 * storage, and the places that do not belong to the view must be as they were.
 *
 * TENON_TEST_CHAINS sets the number of chains (200000).
 */
#include "view_model.h"

/* ---- comparing a view with its model */

static void verify(const tn_tensor *view, const model *m) {
    CHECK(view);
    CHECK_INT(tn_ndim(view), m->ndim);
    CHECK_INT(tn_numel(view), m->numel);
    CHECK(tn_storage_offset(view) >= 0);
    const int64_t *sizes = tn_sizes(view).values, *strides = tn_strides(view).values;
    for (int64_t d = 0; d < m->ndim; d++)
        CHECK_INT(sizes[d], m->sizes[d]);
    int64_t index[RANKS + 4] = {0};
    for (int64_t n = 0; n < m->numel; n++, advance(m->ndim, sizes, index)) {
        int64_t place = tn_storage_offset(view);
        for (int64_t d = 0; d < m->ndim; d++)
            place += index[d] * strides[d];
        if (place != m->places[n])
            test_fail(__FILE__, __LINE__, "element %lld is at place %lld, not %lld", (long long)n, (long long)place,
                      (long long)m->places[n]);
    }
}

/* What a view says about its strides, found from the places alone. */
static void verify_layout(const tn_tensor *view, const model *m) {
    int64_t used[STORAGE] = {0}, lowest = STORAGE, highest = -1;
    bool in_order = true, twice = false;
    for (int64_t n = 0; n < m->numel; n++) {
        in_order = in_order && m->places[n] == m->places[0] + n;
        twice = twice || used[m->places[n]]++ > 0;
        lowest = m->places[n] < lowest ? m->places[n] : lowest;
        highest = m->places[n] > highest ? m->places[n] : highest;
    }
    CHECK(tn_is_contiguous(view) == in_order);
    CHECK(tn_overlaps_itself(view) == twice);
    CHECK(tn_is_non_overlapping_and_dense(view) == (m->numel == 0 || (!twice && highest - lowest + 1 == m->numel)));
}

static void read_and_write(tn_tensor *view, const tn_tensor *base, const model *m) {
    int64_t index[RANKS + 4] = {0};
    int32_t expected[STORAGE];
    const int32_t *memory = tn_data_int32(base);
    uint32_t version = tn_tensor_version(base);
    tn_edit_int32 edit = tn_write_int32(view);
    CHECK(edit.ndim == m->ndim && memory);
    CHECK(tn_tensor_version(base) > version);
    for (int32_t place = 0; place < STORAGE; place++) {
        CHECK_INT(memory[place], place);
        expected[place] = place;
    }
    for (int64_t n = 0; n < m->numel; n++, advance(m->ndim, m->sizes, index)) {
        int32_t *element = edit.data;
        for (int64_t d = 0; d < m->ndim; d++)
            element += index[d] * edit.strides[d];
        bool first = expected[m->places[n]] == m->places[n];
        CHECK_INT(*element, first ? m->places[n] : expected[m->places[n]]);
        expected[m->places[n]] = *element = (int32_t)(1000 + n);
    }
    for (int32_t place = 0; place < STORAGE; place++)
        CHECK_INT(memory[place], expected[place]);
    if (m->numel > 0)
        CHECK_INT(tn_get_int64(view, (tn_dims){index, m->ndim}), expected[m->places[0]]); /* index is 0, 0, ... again */
    int32_t *restore = tn_mutable_data_int32((tn_tensor *)(uintptr_t)base);
    CHECK(restore);
    for (int32_t place = 0; place < STORAGE; place++)
        restore[place] = place;
}

/* ---- random arguments */

static int64_t random_dim(int64_t ndim) { return test_random_between(0, ndim - 1); }

/* A dimension as a caller may write it. */
static int64_t either_sign(int64_t dim, int64_t ndim) { return test_random() & 1 ? dim : dim - ndim; }

static void random_order(int64_t ndim, int64_t *order) {
    for (int64_t d = 0; d < ndim; d++)
        order[d] = d;
    for (int64_t d = ndim - 1; d > 0; d--) {
        int64_t other = random_dim(d + 1), kept = order[d];
        order[d] = order[other];
        order[other] = kept;
    }
}

/* Random sizes with this product, some of them 1. */
static int64_t random_factors(int64_t count, int64_t most, int64_t *sizes) {
    int64_t ndim = 0, left = count;
    if (count == 0) {
        ndim = test_random_between(1, 4);
        for (int64_t d = 0; d < ndim; d++)
            sizes[d] = test_random_between(0, 3);
        sizes[random_dim(ndim)] = 0;
        return ndim;
    }
    while (ndim < most && (left > 1 || test_random_between(0, 2) == 0)) {
        int64_t factor = test_random_between(1, left);
        while (left % factor != 0)
            factor--;
        if (ndim == most - 1)
            factor = left;
        sizes[ndim++] = factor;
        left /= factor;
    }
    int64_t order[RANKS + 4], shuffled[RANKS + 4];
    random_order(ndim, order);
    for (int64_t d = 0; d < ndim; d++)
        shuffled[d] = sizes[order[d]];
    memcpy(sizes, shuffled, sizeof *sizes * (size_t)ndim);
    return ndim;
}

/* Positions start, start + step, ... as Python counts them, found by walking. */
static int64_t naive_range(int64_t size, int64_t start, int64_t end, int64_t step, int64_t *first) {
    int64_t low = step > 0 ? 0 : -1, high = step > 0 ? size : size - 1, count = 0;
    if (start == TN_NONE)
        start = step > 0 ? low : high;
    else
        start = start < 0 ? start + size : start;
    if (end == TN_NONE)
        end = step > 0 ? high : low;
    else
        end = end < 0 ? end + size : end;
    start = start < low ? low : start > high ? high : start;
    end = end < low ? low : end > high ? high : end;
    *first = start;
    for (int64_t at = start; step > 0 ? at < end : at > end; at += step) {
        count++;
        if (step > size || step < -size)
            break;
    }
    return count;
}

static int64_t random_bound(int64_t size) {
    return test_random_between(0, 3) == 0 ? TN_NONE : test_random_between(-size - 2, size + 2);
}

static int64_t random_step(void) {
    static const int64_t steps[] = {1, 1, 1, 2, 3, -1, -1, -2, -3, 1000, -1000, INT64_MAX, -INT64_MAX};
    return steps[test_random_between(0, 12)];
}

/* ---- the steps: each changes *view and the model together, or leaves both as they are */

static void step_permute(tn_tensor **view, model *m) {
    int64_t order[RANKS + 4], written[RANKS + 4];
    random_order(m->ndim, order);
    for (int64_t d = 0; d < m->ndim; d++)
        written[d] = either_sign(order[d], m->ndim);
    *view = tn_permute(*view, (tn_dims){written, m->ndim});
    model_permute(m, order);
}

static void step_transpose(tn_tensor **view, model *m) {
    if (m->ndim < 2)
        return;
    int64_t order[RANKS + 4], a = random_dim(m->ndim), b = random_dim(m->ndim), ndim = m->ndim;
    for (int64_t d = 0; d < ndim; d++)
        order[d] = d == a ? b : d == b ? a : d;
    switch (test_random_between(0, 3)) {
    case 0: *view = tn_swapaxes(*view, either_sign(a, ndim), either_sign(b, ndim)); break;
    case 1: *view = tn_transpose_(tn_alias(*view), either_sign(a, ndim), either_sign(b, ndim)); break;
    default: *view = tn_transpose(*view, either_sign(a, ndim), either_sign(b, ndim)); break;
    }
    model_permute(m, order);
}

static void step_reverse(tn_tensor **view, model *m) {
    int64_t order[RANKS + 4];
    for (int64_t d = 0; d < m->ndim; d++)
        order[d] = m->ndim - 1 - d;
    *view = tn_T(*view);
    model_permute(m, order);
}

/* NumPy's way: what is not moved keeps its order, the moved ones are inserted by rising destination. */
static void step_movedim(tn_tensor **view, model *m) {
    int64_t from[RANKS + 4], to[RANKS + 4], order[RANKS + 4], next = 0;
    if (m->ndim == 0)
        return;
    int64_t count = test_random_between(0, m->ndim);
    random_order(m->ndim, from);
    random_order(m->ndim, to);
    for (int64_t d = 0; d < m->ndim; d++)
        order[d] = -1;
    for (int64_t k = 0; k < count; k++)
        order[to[k]] = from[k];
    for (int64_t d = 0; d < m->ndim; d++) {
        bool moved = false;
        for (int64_t k = 0; k < count; k++)
            moved = moved || from[k] == d;
        if (moved)
            continue;
        while (order[next] >= 0)
            next++;
        order[next] = d;
    }
    *view = tn_movedim(*view, (tn_dims){from, count}, (tn_dims){to, count});
    model_permute(m, order);
}

static void step_squeeze(tn_tensor **view, model *m) {
    int64_t dims[RANKS + 4], count = 0, sizes[RANKS + 4], ndim = 0, all = test_random_between(0, 2);
    for (int64_t d = 0; d < m->ndim; d++) {
        bool chosen = all == 0 || test_random_between(0, 1);
        if (chosen)
            dims[count++] = either_sign(d, m->ndim);
        if (!chosen || m->sizes[d] != 1)
            sizes[ndim++] = m->sizes[d];
    }
    if (all == 0)
        *view = tn_squeeze(*view);
    else if (all == 1)
        *view = tn_squeeze_dims(*view, (tn_dims){dims, count});
    else
        *view = tn_squeeze_dims_(tn_alias(*view), (tn_dims){dims, count});
    model_reshape(m, ndim, sizes);
}

static void step_unsqueeze(tn_tensor **view, model *m) {
    if (m->ndim >= RANKS)
        return;
    int64_t dim = test_random_between(0, m->ndim);
    *view = test_random() & 1 ? tn_unsqueeze(*view, either_sign(dim, m->ndim + 1))
                              : tn_unsqueeze_(tn_alias(*view), either_sign(dim, m->ndim + 1));
    model_insert_one(m, dim);
}

static void step_expand(tn_tensor **view, model *m) {
    int64_t lead = m->ndim < RANKS - 1 ? test_random_between(0, 2) : 0, sizes[RANKS + 4], written[RANKS + 4];
    for (int64_t d = 0; d < lead; d++)
        written[d] = sizes[d] = test_random_between(0, 20) ? test_random_between(1, 3) : 0;
    for (int64_t d = 0; d < m->ndim; d++) {
        bool grow = m->sizes[d] == 1 && test_random_between(0, 1);
        sizes[lead + d] = grow ? test_random_between(0, 3) : m->sizes[d];
        written[lead + d] = !grow && test_random_between(0, 1) ? -1 : sizes[lead + d];
    }
    int64_t ndim = lead + m->ndim;
    if (product(ndim, sizes) > ELEMENTS)
        return;
    *view = test_random() & 1 ? tn_expand(*view, (tn_dims){written, ndim}) : tn_broadcast_to(*view, (tn_dims){sizes, ndim});
    model_apply(m, ndim, sizes, rule_expand, &(step_arguments){.lead = lead});
}

static void step_slice(tn_tensor **view, model *m) {
    if (m->ndim == 0)
        return;
    int64_t dim = random_dim(m->ndim), size = m->sizes[dim], step = random_step(), first;
    int64_t start = random_bound(size), end = random_bound(size);
    int64_t length = naive_range(size, start, end, step, &first);
    *view = tn_slice(*view, either_sign(dim, m->ndim), start, end, step);
    model_range(m, dim, first, step, length);
}

static void step_narrow(tn_tensor **view, model *m) {
    if (m->ndim == 0)
        return;
    int64_t dim = random_dim(m->ndim), start = test_random_between(0, m->sizes[dim]);
    int64_t length = test_random_between(0, m->sizes[dim] - start);
    *view = tn_narrow(*view, dim, start && test_random_between(0, 1) ? start - m->sizes[dim] : start, length);
    model_range(m, dim, start, 1, length);
}

static void step_select(tn_tensor **view, model *m) {
    int64_t dim = m->ndim ? random_dim(m->ndim) : 0;
    if (m->ndim == 0 || m->sizes[dim] == 0)
        return;
    int64_t at = random_dim(m->sizes[dim]);
    *view = tn_select(*view, dim, either_sign(at, m->sizes[dim]));
    model_select(m, dim, at);
}

static void step_flip(tn_tensor **view, model *m) {
    int64_t dims[RANKS + 4], count = 0;
    step_arguments a = {.dim = 0};
    for (int64_t d = 0; d < m->ndim; d++) {
        a.order[d] = test_random_between(0, 1);
        if (a.order[d])
            dims[count++] = either_sign(d, m->ndim);
    }
    *view = tn_flip(*view, (tn_dims){dims, count});
    int64_t sizes[RANKS + 4];
    memcpy(sizes, m->sizes, sizeof sizes);
    model_apply(m, m->ndim, sizes, rule_flip, &a);
}

static void step_rot90(tn_tensor **view, model *m) {
    if (m->ndim < 2)
        return;
    int64_t a = random_dim(m->ndim), b = random_dim(m->ndim), turns = test_random_between(-5, 5), sizes[RANKS + 4];
    if (a == b)
        return;
    *view = tn_rot90(*view, turns, TN_DIMS(a, b));
    for (int64_t k = 0; k < ((turns % 4) + 4) % 4; k++) {
        memcpy(sizes, m->sizes, sizeof sizes);
        sizes[a] = m->sizes[b];
        sizes[b] = m->sizes[a];
        model_apply(m, m->ndim, sizes, rule_turn, &(step_arguments){.dim = a, .dim2 = b});
    }
}

static void step_unfold(tn_tensor **view, model *m) {
    if (m->ndim == 0 || m->ndim >= RANKS)
        return;
    int64_t dim = random_dim(m->ndim), size = test_random_between(0, m->sizes[dim]), step = test_random_between(1, 3);
    if (m->numel * (size + 1) > ELEMENTS)
        return;
    if (step == 1 && size > 0)
        *view = tn_sliding_window_view(*view, TN_DIMS(size), TN_DIMS(dim));
    else
        *view = tn_unfold(*view, either_sign(dim, m->ndim), size, step);
    model_unfold(m, dim, size, step);
}

static void step_diagonal(tn_tensor **view, model *m) {
    int64_t sizes[RANKS + 4], ndim = 0;
    if (m->ndim < 2)
        return;
    int64_t a = random_dim(m->ndim), b = random_dim(m->ndim), shift = test_random_between(-3, 3), length = 0;
    if (a == b)
        return;
    for (int64_t d = 0; d < m->ndim; d++)
        if (d != a && d != b)
            sizes[ndim++] = m->sizes[d];
    for (int64_t i = 0; i < m->sizes[a]; i++)
        length += i + shift >= 0 && i + shift < m->sizes[b];
    sizes[ndim++] = length;
    *view = tn_diagonal(*view, shift, a, b);
    model_apply(m, ndim, sizes, rule_diagonal, &(step_arguments){.dim = a, .dim2 = b, .start = shift});
}

/* A shape that no strides can express must be refused, and every other must work. */
static void step_view(tn_tensor **view, model *m) {
    int64_t sizes[RANKS + 4], written[RANKS + 4], ndim = random_factors(m->numel, RANKS, sizes);
    memcpy(written, sizes, sizeof sizes);
    if (m->numel > 0 && ndim > 0 && test_random_between(0, 2) == 0)
        written[random_dim(ndim)] = -1;
    tn_geometry_explanation why;
    tn_geometry_ref from = {m->ndim, tn_storage_offset(*view), tn_sizes(*view).values, tn_strides(*view).values};
    tn_geometry_explain(from, (tn_dims){written, ndim}, &why, NULL, 0);
    CHECK((why.result == TN_GEOMETRY_OK) == model_has_strides(m, ndim, sizes));
    if (why.result == TN_GEOMETRY_OK) {
        *view = test_random() & 1 ? tn_view(*view, (tn_dims){written, ndim}) : tn_reshape(*view, (tn_dims){written, ndim});
        model_reshape(m, ndim, sizes);
    } else {
        CHECK_ERROR(TN_ERROR_SHAPE, "must merge", tn_view(*view, (tn_dims){written, ndim}));
    }
}

static void step_unflatten(tn_tensor **view, model *m) {
    int64_t parts[RANKS + 4], sizes[RANKS + 4], ndim = 0;
    if (m->ndim == 0 || m->ndim > 4)
        return;
    int64_t dim = random_dim(m->ndim), count = random_factors(m->sizes[dim], 4, parts);
    if (count == 0)
        return;
    for (int64_t d = 0; d < m->ndim; d++)
        for (int64_t k = 0; k < (d == dim ? count : 1); k++)
            sizes[ndim++] = d == dim ? parts[k] : m->sizes[d];
    *view = tn_unflatten(*view, either_sign(dim, m->ndim), (tn_dims){parts, count});
    model_reshape(m, ndim, sizes);
}

static void step_flatten(tn_tensor **view, model *m) {
    int64_t sizes[RANKS + 4], ndim = 0;
    if (m->ndim == 0)
        return;
    int64_t first = random_dim(m->ndim), last = test_random_between(first, m->ndim - 1);
    for (int64_t d = 0; d < m->ndim; d++)
        if (d > first && d <= last)
            sizes[ndim - 1] *= m->sizes[d];
        else
            sizes[ndim++] = m->sizes[d];
    if (!model_has_strides(m, ndim, sizes))
        return;
    *view = tn_flatten(*view, first, either_sign(last, m->ndim));
    model_reshape(m, ndim, sizes);
}

/* One piece of a list. */
static void step_pieces(tn_tensor **view, model *m) {
    if (m->ndim == 0)
        return;
    int64_t dim = random_dim(m->ndim), size = m->sizes[dim], count = test_random_between(1, 4), start = 0, length = 0;
    int64_t each = (size + count - 1) / count;
    tn_list *list = NULL;
    switch (test_random_between(0, 4)) {
    case 0:
        list = tn_split(*view, count, dim);
        start = size ? random_dim((size + count - 1) / count) * count : 0;
        length = size - start < count ? size - start : count;
        break;
    case 1:
        list = tn_chunk(*view, count, dim);
        start = size ? random_dim((size + each - 1) / each) * each : 0;
        length = size - start < each ? size - start : each;
        break;
    case 2: {
        int64_t chosen = random_dim(count);
        list = tn_tensor_split(*view, count, dim);
        for (int64_t k = 0; k < chosen; k++)
            start += size / count + (k < size % count);
        length = size / count + (chosen < size % count);
        *view = tn_list_at(list, chosen);
        model_range(m, dim, start, 1, length);
        return;
    }
    case 3:
        start = test_random_between(0, size);
        length = test_random_between(0, size - start);
        list = tn_split_with_sizes(*view, TN_DIMS(start, length, size - start - length), dim);
        *view = tn_list_at(list, 1);
        model_range(m, dim, start, 1, length);
        return;
    default:
        if (size == 0)
            return;
        start = random_dim(size);
        *view = tn_list_at(tn_unbind(*view, dim), start);
        model_select(m, dim, start);
        return;
    }
    CHECK(list);
    for (int64_t k = 0, at = 0; k < tn_list_count(list); at += tn_size(tn_list_at(list, k), dim), k++)
        if (at == start && tn_size(tn_list_at(list, k), dim) == length) {
            *view = tn_list_at(list, k);
            model_range(m, dim, start, 1, length);
            return;
        }
    test_fail(__FILE__, __LINE__, "no piece of %lld begins at %lld", (long long)length, (long long)start);
}

static void step_index(tn_tensor **view, model *m) {
    tn_index_item items[4 * RANKS];
    int64_t count = 0, dim = 0, left = m->ndim;
    bool ellipsis = false;
    const tn_tensor *before = *view;
    while (left > 0 && count < 2 * RANKS) {
        int64_t size = m->sizes[dim], first;
        switch (test_random_between(0, 5)) {
        case 0:
            if (size == 0)
                continue;
            first = random_dim(size);
            items[count++] = TN_AT(either_sign(first, size));
            model_select(m, dim, first);
            left--;
            break;
        case 1:
            if (m->ndim >= RANKS)
                continue;
            items[count++] = TN_NEW_AXIS;
            model_insert_one(m, dim++);
            break;
        case 2:
            if (ellipsis)
                continue;
            ellipsis = true;
            items[count++] = TN_ELLIPSIS;
            first = test_random_between(0, left);
            dim += first;
            left -= first;
            break;
        default: {
            int64_t start = random_bound(size), end = random_bound(size), step = random_step();
            int64_t length = naive_range(size, start, end, step, &first);
            items[count++] = TN_STEP(start, end, step);
            model_range(m, dim++, first, step, length);
            left--;
        }
        }
        if (!ellipsis && test_random_between(0, 5) == 0)
            break;
    }
    if (ellipsis) /* what follows it must be given in full */
        for (; left > 0; left--)
            items[count++] = TN_ALL;
    *view = (tn_index)(before, (tn_index_list){items, count});
}

static void step_at_least(tn_tensor **view, model *m) {
    int64_t wanted = test_random_between(1, 3);
    *view = wanted == 1 ? tn_atleast_1d(*view) : wanted == 2 ? tn_atleast_2d(*view) : tn_atleast_3d(*view);
    if (m->ndim == 0)
        model_insert_one(m, 0);
    if (m->ndim == 1 && wanted >= 2)
        model_insert_one(m, 0);
    if (m->ndim == 2 && wanted >= 3)
        model_insert_one(m, 2);
}

static void step_grid(tn_tensor **view, model *m) {
    int64_t other = test_random_between(1, 3);
    if (m->ndim != 1 || m->numel * other > ELEMENTS)
        return;
    tn_tensor *second = tn_narrow(*view, 0, 0, other > m->numel ? m->numel : other);
    CHECK(second);
    other = tn_numel(second);
    tn_list *grid = tn_meshgrid((const tn_tensor *[]){*view, second}, 2, "ij");
    CHECK(grid);
    model_insert_one(m, 1);
    *view = tn_list_at(grid, 0);
    int64_t sizes[] = {m->sizes[0], other};
    model_apply(m, 2, sizes, rule_expand, &(step_arguments){.lead = 0});
}

static void (*const steps[])(tn_tensor **, model *) = {
    step_permute,  step_transpose, step_reverse, step_movedim,  step_squeeze,   step_unsqueeze, step_expand,
    step_slice,    step_slice,     step_narrow,  step_select,   step_flip,      step_rot90,     step_unfold,
    step_diagonal, step_view,      step_view,    step_view,     step_unflatten, step_flatten,   step_pieces,
    step_index,    step_index,     step_index,   step_at_least, step_grid,
};

/* The beginning of a chain: any shape over any part of the storage. */
static tn_tensor *random_start(const tn_tensor *base, model *m) {
    int64_t strides[RANKS + 4], index[RANKS + 4] = {0};
    int64_t count = test_random_between(0, 9) == 0 ? 0 : test_random_between(1, 60);
    m->ndim = random_factors(count, 5, m->sizes);
    m->numel = count;
    int64_t offset = test_random_between(0, STORAGE - count), stride = 1;
    for (int64_t d = m->ndim - 1; d >= 0; d--) {
        strides[d] = stride;
        stride *= m->sizes[d] > 1 ? m->sizes[d] : 1;
    }
    for (int64_t n = 0; n < count; n++, advance(m->ndim, m->sizes, index)) {
        m->places[n] = offset;
        for (int64_t d = 0; d < m->ndim; d++)
            m->places[n] += index[d] * strides[d];
    }
    return tn_as_strided(base, (tn_dims){m->sizes, m->ndim}, (tn_dims){strides, m->ndim}, offset);
}

static void run_chain(const tn_tensor *base) {
    static model m;
    tn_tensor *view = random_start(base, &m);
    verify(view, &m);
    for (int64_t length = test_random_between(1, STEPS); length > 0; length--) {
        size_t which = (size_t)test_random_between(0, (int64_t)(sizeof steps / sizeof steps[0]) - 1);
        steps[which](&view, &m);
        if (!view)
            test_fail(__FILE__, __LINE__, "step %zu failed: %s", which, tn_error_message());
        verify(view, &m);
    }
    CHECK(tn_is_alias_of(view, base));
    verify_layout(view, &m);
    read_and_write(view, base, &m);
}

TEST_SAMPLED(chains_of_views_read_and_write_the_places_that_a_naive_model_names) {
    const char *wanted = getenv("TENON_TEST_CHAINS");
    long long chains = wanted ? atoll(wanted) : 200000;
    tn_tensor *base = tn_arange(STORAGE, TN_INT32);
    CHECK(base);
    tn_counters before = tn_counters_now();
    for (long long chain = 0; chain < chains; chain++) {
        tn_scope scope = tn_scope_open();
        run_chain(base);
        tn_scope_close(scope);
    }
    tn_counters spent = tn_counters_since(before);
    CHECK_INT(spent.copies, 0);
    CHECK_INT(spent.allocations, 0);
}

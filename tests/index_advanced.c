/* index_advanced.c - x[...] with tensors and masks against a naive model, for thousands of random expressions on tensors of any
 * strides; what is refused, before anything is written; and that threads change no bit.
 *
 * Tests: src/ops/index/index_picks.c, src/ops/index/index_put.c */
#include "view_helpers.h"

enum { RANK = 4, ITEMS = 12, CELLS = 4096 };

/* ---- the model: every element of the result, by the definition */

typedef struct model_dim {
    int kind; /* 0 a position, 1 a range, 2 positions of pick `pick` */
    int64_t first, step;
    int axis; /* of a range: which basic axis of the result */
    int pick, component;
} model_dim;

typedef struct model_pick {
    int64_t ndim, sizes[3];
    int64_t positions[3][64]; /* component, place */
} model_pick;

typedef struct model {
    int64_t ndim, sizes[RANK];
    model_dim dims[RANK];
    int axes, before; /* basic axes of the result, and how many of them come before the shape of the picks */
    int64_t axis_sizes[ITEMS];
    int picks;
    model_pick pick[RANK + 2];
    int64_t shape_count, shape[3];
    tn_index_item items[ITEMS];
    int64_t count;
    /* the result */
    int64_t result_ndim, result_sizes[ITEMS], result_numel;
    int64_t place[CELLS]; /* for each element of the result: its number in x, row-major */
} model;

static tn_tensor *positions_tensor(const int64_t *values, int64_t ndim, const int64_t *sizes, tn_dtype dtype) {
    int64_t numel = 1;
    for (int64_t d = 0; d < ndim; d++)
        numel *= sizes[d];
    tn_tensor *flat = tn_clone(tn_from_memory(values, TN_DIMS(numel), TN_INT64, TN_BORROW), TN_CONTIGUOUS);
    tn_tensor *shaped = tn_to(tn_view(flat, (tn_dims){sizes, ndim}), dtype);
    if (ndim == 2 && test_random_between(0, 1)) /* the same positions, other strides */
        shaped = tn_transpose(tn_contiguous(tn_transpose(shaped, 0, 1), TN_CONTIGUOUS), 0, 1);
    return shaped;
}

static void add_axis(model *m, int64_t size) { m->axis_sizes[m->axes++] = size; }

static void add_positions(model *m, int64_t dim, const int64_t *common, int64_t common_count) {
    static const tn_dtype dtypes[] = {TN_INT64, TN_INT32, TN_INT16, TN_INT8, TN_UINT16, TN_UINT32, TN_UINT64};
    int64_t size = m->sizes[dim], written[64], numel = 1;
    model_pick *pick = &m->pick[m->picks];
    pick->ndim = test_random_between(1, common_count);
    for (int64_t d = 0; d < pick->ndim; d++) {
        pick->sizes[d] = test_random_between(0, 3) ? common[common_count - pick->ndim + d] : 1;
        numel *= pick->sizes[d];
    }
    tn_dtype dtype = dtypes[test_random_between(0, 6)];
    for (int64_t i = 0; i < numel; i++) {
        pick->positions[0][i] = test_random_between(0, size - 1);
        written[i] =
            pick->positions[0][i] - (dtype <= TN_INT64 && tn_dtype_is_signed(dtype) && test_random_between(0, 1) ? size : 0);
    }
    m->items[m->count++] = TN_PICK(positions_tensor(written, pick->ndim, pick->sizes, dtype));
    m->dims[dim] = (model_dim){.kind = 2, .pick = m->picks++};
}

/* A mask with as many true elements as the last size of the common shape, or one. False when there are not enough places. */
static bool add_mask(model *m, int64_t dim, int64_t dims, const int64_t *common, int64_t common_count) {
    int64_t numel = 1, wanted = test_random_between(0, 3) ? common[common_count - 1] : 1;
    uint8_t bytes[1024] = {0};
    for (int64_t d = 0; d < dims; d++)
        numel *= m->sizes[dim + d];
    if (wanted > numel)
        return false;
    for (int64_t left = wanted; left > 0;) {
        int64_t at = test_random_between(0, numel - 1);
        left -= !bytes[at];
        bytes[at] = 1;
    }
    model_pick *pick = &m->pick[m->picks];
    pick->ndim = 1;
    pick->sizes[0] = wanted;
    for (int64_t i = 0, k = 0; i < numel; i++)
        if (bytes[i]) {
            for (int64_t d = dims - 1, rest = i; d >= 0; d--) {
                pick->positions[d][k] = rest % m->sizes[dim + d];
                rest /= m->sizes[dim + d];
            }
            k++;
        }
    tn_dtype dtype = test_random_between(0, 3) ? TN_BOOL : TN_UINT8;
    m->items[m->count++] =
        TN_PICK(tn_clone(tn_from_memory(bytes, (tn_dims){m->sizes + dim, dims}, dtype, TN_BORROW), TN_CONTIGUOUS));
    for (int64_t d = 0; d < dims; d++)
        m->dims[dim + d] = (model_dim){.kind = 2, .pick = m->picks, .component = (int)d};
    m->picks++;
    return true;
}

static void random_expression(model *m) {
    int64_t common[3], common_count = test_random_between(1, 3), ellipsis = 0;
    int last_pick_axes = -1; /* basic axes when the last pick was added */
    bool together = true;
    *m = (model){.ndim = test_random_between(0, RANK)};
    for (int64_t d = 0; d < m->ndim; d++)
        m->sizes[d] = test_random_between(1, 5);
    for (int64_t d = 0; d < common_count; d++)
        common[d] = test_random_between(1, 3);
    for (int64_t dim = 0; dim < m->ndim || test_random_between(0, 3) == 0;) {
        int64_t what = test_random_between(0, 9), left = m->ndim - dim, size = left ? m->sizes[dim] : 0;
        int picks = m->picks;
        if (m->count >= ITEMS - 2 || m->picks > RANK)
            what = left ? 0 : 99;
        if (what == 99)
            break;
        if (what <= 1 && left) {
            int64_t first = test_random_between(0, size - 1),
                    step = test_random_between(1, 3) * (test_random_between(0, 1) ? 1 : -1);
            int64_t length = step > 0 ? (size - first + step - 1) / step : first / -step + 1;
            m->items[m->count++] = TN_STEP(first, TN_NONE, step);
            m->dims[dim++] = (model_dim){.kind = 1, .first = first, .step = step, .axis = m->axes};
            add_axis(m, length);
        } else if (what == 2 && left) {
            int64_t at = test_random_between(0, size - 1), written = test_random_between(0, 1) ? at : at - size;
            m->items[m->count++] = test_random_between(0, 1) ? TN_AT(written) : TN_PICK(tn_scalar_tensor(written, TN_INT64));
            m->dims[dim++] = (model_dim){.kind = 0, .first = at};
        } else if (what == 3 && m->axes < 6) {
            m->items[m->count++] = TN_NEW_AXIS;
            add_axis(m, 1);
        } else if (what == 4 && !ellipsis++) {
            int64_t whole = test_random_between(0, left);
            m->items[m->count++] = TN_ELLIPSIS;
            for (int64_t k = 0; k < whole; k++, dim++) {
                m->dims[dim] = (model_dim){.kind = 1, .step = 1, .axis = m->axes};
                add_axis(m, m->sizes[dim]);
            }
        } else if (what == 5 && test_random_between(0, 3) == 0) {
            m->items[m->count++] = test_random_between(0, 1) ? TN_WHEN(true) : TN_PICK(tn_scalar_tensor(1, TN_BOOL));
            m->pick[m->picks++] = (model_pick){.ndim = 1, .sizes = {1}};
        } else if (what == 6 && left) {
            int64_t dims = test_random_between(1, left < 3 ? left : 3);
            dim += add_mask(m, dim, dims, common, common_count) ? dims : 0;
        } else if (what >= 7 && left) {
            add_positions(m, dim++, common, common_count);
        }
        if (m->picks > picks) {
            together = together && (last_pick_axes < 0 || last_pick_axes == m->axes);
            if (last_pick_axes < 0)
                m->before = m->axes;
            last_pick_axes = m->axes;
        }
    }
    if (!together)
        m->before = 0;
}

/* The shape of the picks, and the place in x of every element of the result. */
static void settle_model(model *m) {
    for (int p = 0; p < m->picks; p++)
        for (int64_t d = 1; d <= m->pick[p].ndim; d++) {
            int64_t size = m->pick[p].sizes[m->pick[p].ndim - d];
            if (d > m->shape_count)
                m->shape[3 - (m->shape_count = d)] = 1;
            if (size != 1)
                m->shape[3 - d] = size;
        }
    int64_t ndim = 0, numel = 1;
    for (int axis = 0; axis <= m->axes; axis++) {
        if (axis == m->before)
            for (int64_t d = 0; d < m->shape_count; d++)
                m->result_sizes[ndim++] = m->shape[3 - m->shape_count + d];
        if (axis < m->axes)
            m->result_sizes[ndim++] = m->axis_sizes[axis];
    }
    m->result_ndim = ndim;
    for (int64_t d = 0; d < ndim; d++)
        numel *= m->result_sizes[d];
    m->result_numel = numel;
    CHECK(numel <= CELLS);
    for (int64_t i = 0; i < numel; i++) {
        int64_t at[ITEMS], rest = i, place = 0;
        for (int64_t d = ndim - 1; d >= 0; d--) {
            at[d] = rest % m->result_sizes[d];
            rest /= m->result_sizes[d];
        }
        for (int64_t d = 0; d < m->ndim; d++) {
            const model_dim *dim = &m->dims[d];
            int64_t position = dim->first;
            if (dim->kind == 1)
                position += dim->step * at[dim->axis + (dim->axis >= m->before ? m->shape_count : 0)];
            if (dim->kind == 2) {
                const model_pick *pick = &m->pick[dim->pick];
                int64_t element = 0;
                for (int64_t k = 0; k < pick->ndim; k++) {
                    int64_t own = at[m->before + m->shape_count - pick->ndim + k];
                    element = element * pick->sizes[k] + (pick->sizes[k] == 1 ? 0 : own);
                }
                position = pick->positions[dim->component][element];
            }
            place = place * m->sizes[d] + position;
        }
        m->place[i] = place;
    }
}

/* ---- tensors of any strides */

/* The numbers 0, 1, ... in row-major order of these sizes, in memory of another order. */
static tn_tensor *scattered(const int64_t *sizes, int64_t ndim, tn_dtype dtype) {
    tn_tensor *x = tn_to(counting((tn_dims){sizes, ndim}), dtype);
    int64_t order[RANK], back[RANK];
    for (int64_t d = 0; d < ndim; d++)
        order[d] = d;
    for (int64_t d = ndim - 1; d > 0; d--) {
        int64_t k = test_random_between(0, d), kept = order[d];
        order[d] = order[k];
        order[k] = kept;
    }
    for (int64_t d = 0; d < ndim; d++)
        back[order[d]] = d;
    x = tn_permute(tn_contiguous(tn_permute(x, (tn_dims){order, ndim}), TN_CONTIGUOUS), (tn_dims){back, ndim});
    if (ndim && test_random_between(0, 2) == 0) { /* every second place of something larger, reversed */
        int64_t larger[RANK];
        for (int64_t d = 0; d < ndim; d++)
            larger[d] = sizes[d] * (d == 0 ? 2 : 1);
        tn_tensor *part = tn_index(tn_zeros((tn_dims){larger, ndim}, dtype), TN_STEP(TN_NONE, TN_NONE, -2));
        CHECK(tn_copy_(part, x));
        x = part;
    }
    return x;
}

static void check_elements(const tn_tensor *tensor, const double *wanted, const char *what) {
    tn_tensor *rows = tn_to(tn_contiguous(tensor, TN_CONTIGUOUS), TN_FLOAT64);
    CHECK(rows);
    const double *data = tn_data_float64(rows);
    for (int64_t i = 0; i < tn_numel(rows); i++)
        if (data[i] != wanted[i])
            test_fail(__FILE__, __LINE__, "%s: element %lld is %g, not %g", what, (long long)i, data[i], wanted[i]);
}

static tn_dtype some_dtype(void) {
    static const tn_dtype dtypes[] = {TN_FLOAT32, TN_INT64,     TN_INT16,      TN_UINT16,
                                      TN_FLOAT64, TN_COMPLEX64, TN_COMPLEX128, TN_INT32};
    return dtypes[test_random_between(0, 7)];
}

/* Values for the result: its sizes, some of them 1, sometimes fewer or more dimensions. */
static tn_tensor *random_values(const model *m, tn_dtype dtype, double *wide) {
    int64_t sizes[ITEMS], strides[ITEMS], numel = 1, skip = test_random_between(0, m->result_ndim > 0);
    for (int64_t d = m->result_ndim - 1; d >= 0; d--) {
        bool here = d >= skip && test_random_between(0, 3);
        sizes[d] = here ? m->result_sizes[d] : 1;
        strides[d] = here ? numel : 0;
        numel *= sizes[d];
    }
    for (int64_t i = 0; i < m->result_numel; i++) {
        int64_t from = 0;
        for (int64_t d = m->result_ndim - 1, rest = i; d >= 0; d--) {
            from += rest % m->result_sizes[d] * strides[d];
            rest /= m->result_sizes[d];
        }
        wide[i] = (double)(from % 50 + 100);
    }
    tn_tensor *values = tn_add_scalar(tn_remainder_scalar(counting((tn_dims){sizes + skip, m->result_ndim - skip}), 50), 100);
    if (test_random_between(0, 4) == 0)
        values = tn_unsqueeze(values, 0);
    return tn_to(values, dtype);
}

static void check_one_expression(void) {
    model m;
    double wanted[CELLS], values[CELLS];
    random_expression(&m);
    settle_model(&m);
    tn_index_list list = {m.items, m.count};
    tn_dtype dtype = some_dtype();
    tn_tensor *x = scattered(m.sizes, m.ndim, dtype), *result = (tn_index)(x, list);
    CHECK(x && result);
    CHECK_INT(tn_ndim(result), m.result_ndim);
    for (int64_t d = 0; d < m.result_ndim; d++)
        CHECK_INT(tn_size(result, d), m.result_sizes[d]);
    for (int64_t i = 0; i < m.result_numel; i++)
        wanted[i] = (double)m.place[i];
    tn_dtype real = tn_dtype_is_complex(dtype) ? TN_FLOAT64 : dtype;
    check_elements(tn_to(result, real), wanted, "x[...]");

    tn_tensor *given = random_values(&m, dtype, values), *assigned = tn_clone(x, TN_PRESERVE);
    CHECK(given && assigned && tn_setitem_(assigned, list, given));
    for (int64_t i = 0; i < tn_numel(x); i++)
        wanted[i] = (double)i;
    for (int64_t i = 0; i < m.result_numel; i++)
        wanted[m.place[i]] = values[i];
    check_elements(tn_to(assigned, real), wanted, "x[...] = values");

    tn_tensor *added = tn_index_put(x, list, given, true);
    CHECK(added);
    for (int64_t i = 0; i < tn_numel(x); i++)
        wanted[i] = (double)i;
    for (int64_t i = 0; i < m.result_numel; i++)
        wanted[m.place[i]] += values[i];
    check_elements(tn_to(added, real), wanted, "x[...] += values");
}

TEST_SAMPLED(random_index_expressions_agree_with_the_definition) {
    for (int k = 0; k < 4000; k++) {
        tn_scope scope = tn_scope_open();
        check_one_expression();
        tn_scope_close(scope);
    }
}

/* ---- examples, again with every allocation failing */

static tn_tensor *int64s(tn_dims sizes, const int64_t *values) {
    int64_t numel = 1;
    for (int64_t d = 0; d < sizes.count; d++)
        numel *= sizes.values[d];
    return tn_view(tn_clone(tn_from_memory(values, TN_DIMS(numel), TN_INT64, TN_BORROW), TN_CONTIGUOUS), sizes);
}
#define INTS(...) int64s(TN_DIMS(sizeof((int64_t[]){__VA_ARGS__}) / sizeof(int64_t)), (int64_t[]){__VA_ARGS__})

TEST(tensors_of_positions_pick_rows_and_elements) {
    tn_tensor *x = counting(TN_DIMS(3, 4)), *rows = INTS(2, 0, -1), *columns = INTS(3, 3, 0);
    CHECK(x && rows && columns);
    CHECK_VALUES(tn_index(x, TN_PICK(rows)), 8, 9, 10, 11, 0, 1, 2, 3, 8, 9, 10, 11);
    CHECK_VALUES(tn_index(x, TN_PICK(rows), TN_PICK(columns)), 11, 3, 8);
    CHECK_VALUES(tn_index(x, TN_RANGE(0, 2), TN_PICK(columns)), 3, 3, 0, 7, 7, 4);
    CHECK_VALUES(tn_index(x, TN_ELLIPSIS, TN_PICK(columns), TN_NEW_AXIS, TN_WHEN(true)), 3, 7, 11, 3, 7, 11, 0, 4, 8);
    tn_tensor *mask = tn_gt_scalar(x, 8);
    CHECK_VALUES(tn_index(x, TN_PICK(mask)), 9, 10, 11);
    CHECK(tn_setitem_(x, TN_INDEX(TN_PICK(mask)), INTS(-1, -2, -3)));
    CHECK_VALUES(tn_index(x, TN_AT(2)), 8, -1, -2, -3);
    CHECK(tn_setitem_scalar_(x, TN_INDEX(TN_PICK(rows), TN_PICK(columns)), 7));
    CHECK_VALUES(x, 0, 1, 2, 7, 4, 5, 6, 7, 7, -1, -2, 7);
    tn_tensor *half = tn_zeros(TN_DIMS(2), TN_FLOAT16);
    CHECK(tn_index_put_(half, TN_INDEX(TN_PICK(INTS(1, 1, 1))), tn_ones(TN_DIMS(3), TN_FLOAT16), true));
    CHECK_VALUES(tn_to(half, TN_INT64), 0, 3);
}

/* The most that storages held at a time since the peaks were reset, beyond what they hold now. */
static int64_t bytes_beyond(void) {
    tn_memory_stats stats = {.struct_size = sizeof stats};
    return tn_memory_stats_of(TN_CPU, &stats) == TN_OK ? stats.bytes.peak - stats.bytes.current : INT64_MAX;
}

/* The same sums as those of all of self in the wider dtype, whatever the strides. */
static bool adds_as_if_all_were_wide(tn_tensor *self, tn_dtype wide, tn_index_list index, const tn_tensor *values) {
    tn_tensor *all = tn_index_put(tn_to(self, wide), index, tn_to(values, wide), true);
    return all && tn_index_put_(self, index, values, true) == self && tn_equal(self, tn_to(all, tn_dtype_of(self)));
}

TEST(adding_to_few_elements_costs_memory_for_those_alone) {
    static const tn_dtype narrow[] = {TN_INT8, TN_FLOAT16};
    for (size_t i = 0; i < 2; i++) {
        int64_t count = INT64_C(1) << 20;
        tn_tensor *x = tn_zeros(TN_DIMS(count), narrow[i]), *at = INTS(5, 9, 5, -1), *values = tn_ones(TN_DIMS(4), narrow[i]);
        CHECK(x && at && values);
        tn_memory_reset_peaks(TN_CPU);
        CHECK(tn_index_put_(x, TN_INDEX(TN_PICK(at)), values, true));
        CHECK(bytes_beyond() < count); /* and not 8 or 4 times as many */
        CHECK_VALUES(tn_to(tn_index(x, TN_PICK(INTS(5, 9, -1, 0))), TN_INT64), 2, 1, 1, 0);
    }
}

TEST_SAMPLED(sums_of_few_elements_are_those_of_all_in_the_wider_dtype) {
    enum { SIDE = 64 };
    static const tn_dtype narrow[] = {TN_BOOL,  TN_INT8,   TN_UINT8,   TN_INT16,   TN_UINT16,
                                      TN_INT32, TN_UINT32, TN_FLOAT16, TN_BFLOAT16};
    for (size_t i = 0; i < sizeof narrow / sizeof *narrow; i++) {
        tn_scope scope = tn_scope_open();
        tn_dtype dtype = narrow[i], wide = tn_dtype_is_floating(dtype) ? TN_FLOAT32 : TN_INT64;
        tn_tensor *x = tn_full(TN_DIMS(SIDE, SIDE), 1, dtype), *rows = INTS(3, -4, 3, 3, 0), *columns = INTS(7, 2, 7, 7, -1);
        tn_tensor *values = tn_to(tn_from_text("[3000.25, 2, 0.75, 0.5, 1]", TN_FLOAT32), dtype);
        tn_tensor *mask = tn_zeros(TN_DIMS(SIDE, SIDE), TN_BOOL);
        CHECK(x && rows && columns && values && mask && tn_setitem_scalar_(mask, TN_INDEX(TN_AT(5), TN_RANGE(2, 7)), 1));
        CHECK(adds_as_if_all_were_wide(x, wide, TN_INDEX(TN_PICK(rows), TN_PICK(columns)), values));
        CHECK(adds_as_if_all_were_wide(x, wide, TN_INDEX(TN_PICK(rows), TN_STEP(1, TN_NONE, 13)), tn_unsqueeze(values, 1)));
        CHECK(adds_as_if_all_were_wide(x, wide, TN_INDEX(TN_PICK(mask)), values));
        CHECK(adds_as_if_all_were_wide(x, wide, TN_INDEX(TN_AT(2), TN_RANGE(0, 5)), values));
        CHECK(adds_as_if_all_were_wide(x, wide, TN_INDEX(TN_AT(2), TN_AT(3)), tn_index(values, TN_AT(1))));
        CHECK(adds_as_if_all_were_wide(x, wide, TN_INDEX(TN_PICK(INTS(3)), TN_WHEN(false)), tn_narrow(values, 0, 0, 1)));
        tn_tensor *turned = tn_flip(tn_slice(tn_transpose(x, 0, 1), 0, 1, TN_NONE, 2), TN_DIMS(1));
        CHECK(adds_as_if_all_were_wide(turned, wide, TN_INDEX(TN_PICK(rows), TN_PICK(columns)), values));
        tn_tensor *inside = tn_view(tn_narrow(x, 0, 0, 1), TN_DIMS(SIDE)); /* values are of self */
        CHECK(adds_as_if_all_were_wide(inside, wide, TN_INDEX(TN_PICK(INTS(1, 1, 5))), tn_narrow(inside, 0, 0, 3)));
        tn_tensor *before = tn_clone(x, TN_PRESERVE);
        CHECK(before);
        CHECK_ERROR(TN_ERROR_INDEX, "position 64 is out of range",
                    tn_index_put_(x, TN_INDEX(TN_PICK(INTS(0, SIDE)), TN_AT(0)), tn_narrow(values, 0, 0, 2), true));
        CHECK_ERROR(TN_ERROR_SHAPE, "cannot be broadcast", tn_index_put_(x, TN_INDEX(TN_PICK(rows), TN_AT(0)), x, true));
        CHECK(tn_equal(x, before));
        tn_scope_close(scope);
    }
}

TEST(strides_that_no_element_depends_on_may_be_any_number) {
    int64_t far = INT64_C(1) << 62;
    tn_tensor *x = counting(TN_DIMS(3, 4)), *mask = tn_from_text("[true, false, true, true]", TN_BOOL), *one = INTS(0);
    CHECK(x && mask && one);
    tn_index_item step = TN_STEP(0, TN_NONE, far), most = TN_STEP(1, TN_NONE, INT64_MAX);
    CHECK_VALUES(tn_index(x, step, TN_PICK(mask)), 0, 2, 3);
    CHECK_VALUES(tn_index(x, most, TN_PICK(mask)), 4, 6, 7);
    CHECK_VALUES(tn_index(x, TN_PICK(INTS(2, 1)), step), 8, 4);
    tn_tensor *row = tn_index(x, most), *column = tn_index(x, TN_ALL, step);
    CHECK(row && column);
    CHECK_VALUES(tn_index(row, TN_PICK(one), TN_PICK(INTS(3, 1))), 7, 5);
    CHECK_VALUES(tn_index(row, TN_PICK(tn_unsqueeze(mask, 0))), 4, 6, 7);
    CHECK_VALUES(tn_index(x, TN_PICK(tn_index(INTS(2, 9), TN_STEP(0, TN_NONE, far)))), 8, 9, 10, 11);
    CHECK_VALUES(tn_index_select(column, 1, one), 0, 4, 8);
    CHECK_VALUES(tn_gather(row, 0, tn_zeros(TN_DIMS(1, 2), TN_INT64)), 4, 5);
    CHECK(tn_setitem_(x, TN_INDEX(most, TN_PICK(mask)), INTS(-4, -6, -7)));
    CHECK_VALUES(row, -4, 5, -6, -7);
    CHECK(tn_setitem_(column, TN_INDEX(TN_PICK(INTS(0, 2))), tn_index(tn_unsqueeze(INTS(1, 3), 1), TN_ALL, TN_ALL)));
    CHECK_VALUES(column, 1, -4, 3);
    CHECK(tn_masked_scatter_(row, tn_from_text("[[true, false, false, true]]", TN_BOOL), INTS(20, 21)));
    CHECK_VALUES(row, 20, 5, -6, 21);
    tn_tensor *none = tn_index(tn_empty(TN_DIMS(0, 5), TN_FLOAT64), TN_ALL, TN_STEP(0, TN_NONE, 2));
    CHECK(none && tn_numel(tn_index(none, TN_ALL, TN_PICK(INTS(2, 0)))) == 0);
}

TEST(a_tensor_of_one_position_selects_a_view) {
    tn_tensor *x = counting(TN_DIMS(3, 4)), *one = tn_scalar_tensor(-1, TN_INT32);
    CHECK(x && one);
    CHECK_VIEW(tn_index(x, TN_PICK(one)), TN_DIMS(4), TN_DIMS(1), 8);
    tn_tensor *copied = tn_index(x, TN_WHEN(true));
    CHECK(copied && tn_storage_of(copied) != tn_storage_of(x));
    CHECK_INT(tn_numel(tn_index(x, TN_WHEN(false))), 0);
    CHECK(tn_setitem_scalar_(x, TN_INDEX(TN_PICK(one), TN_RANGE(1, 3)), 5));
    CHECK_VALUES(tn_index(x, TN_AT(2)), 8, 5, 5, 11);
    CHECK(tn_index_put_(x, TN_INDEX(TN_AT(0)), INTS(9, 9, 9, 9), true));
    CHECK_VALUES(tn_index(x, TN_AT(0)), 9, 10, 11, 12);
}

TEST(one_value_of_another_dtype_fills_what_a_mask_shows) {
    tn_tensor *x = counting(TN_DIMS(2, 3)), *mask = tn_gt_scalar(x, 3), *value = tn_full(TN_DIMS(1), 7.5, TN_FLOAT32);
    CHECK(x && mask && value);
    CHECK(tn_setitem_(x, TN_INDEX(TN_PICK(mask)), value));
    CHECK(tn_equal(x, tn_from_text("[[0, 1, 2], [3, 7, 7]]", TN_INT64)));
    CHECK_ERROR(TN_ERROR_DTYPE, "must have the dtype of self",
                tn_setitem_(x, TN_INDEX(TN_PICK(mask)), tn_full(TN_DIMS(2), 1, TN_FLOAT32)));
    CHECK_ERROR(TN_ERROR_DTYPE, "must have the dtype of self",
                tn_setitem_(x, TN_INDEX(TN_PICK(mask)), tn_to(value, TN_COMPLEX64)));
}

TEST(what_cannot_be_picked_is_refused_before_anything_is_written) {
    tn_tensor *x = counting(TN_DIMS(2, 3)), *far = INTS(0, 2), *back = INTS(0, -4), *two = INTS(0, 1), *three = INTS(0, 1, 1);
    tn_tensor *reals = tn_zeros(TN_DIMS(2), TN_FLOAT32), *mask = tn_ones(TN_DIMS(3), TN_BOOL),
              *huge = tn_full(TN_DIMS(1), -1, TN_INT64);
    CHECK(x && far && back && two && three && reals && mask && huge);
    CHECK_ERROR(TN_ERROR_INDEX, "index: position 2 is out of range for dimension 0 of size 2", tn_index(x, TN_PICK(far)));
    CHECK_ERROR(TN_ERROR_INDEX, "position -4 is out of range for dimension 1 of size 3", tn_index(x, TN_ALL, TN_PICK(back)));
    CHECK_ERROR(TN_ERROR_INDEX, "position -4 is out of range for dimension 1 of size 3",
                tn_index(x, TN_NEW_AXIS, TN_AT(0), TN_WHEN(true), TN_PICK(back)));
    CHECK_ERROR(TN_ERROR_INDEX, "position -4 is out of range for dimension 1 of size 3",
                tn_index(x, TN_NEW_AXIS, TN_ELLIPSIS, TN_PICK(back)));
    CHECK_ERROR(TN_ERROR_INDEX, "position 2 is out of range", tn_setitem_scalar_(x, TN_INDEX(TN_PICK(far)), 9));
    CHECK_ERROR(TN_ERROR_INDEX, "position 2 is out of range", tn_index_put_(x, TN_INDEX(TN_PICK(far)), x, true));
    CHECK_ERROR(TN_ERROR_INDEX, "position 9223372036854775807 is out of range",
                tn_index(x, TN_PICK(tn_view_dtype(huge, TN_UINT64))));
    CHECK_ERROR(TN_ERROR_INDEX, "item 1 of the index has positions of sizes [3], which cannot be broadcast with [2]",
                tn_index(x, TN_PICK(two), TN_PICK(three)));
    CHECK_ERROR(TN_ERROR_INDEX, "item 0 of the index is the mask [3] bool; it stands for dimensions of sizes [2]",
                tn_index(x, TN_PICK(mask)));
    CHECK_ERROR(TN_ERROR_INDEX, "names more dimensions than self [2, 3] int64 has",
                tn_index(x, TN_PICK(two), TN_ALL, TN_PICK(two)));
    CHECK_ERROR(TN_ERROR_DTYPE, "item 0 of the index is [2] float32; positions are integers", tn_index(x, TN_PICK(reals)));
    CHECK_ERROR(TN_ERROR_ARGUMENT, "item 1 of the index is NULL", tn_index(x, TN_ALL, TN_PICK(NULL)));
    CHECK_ERROR(TN_ERROR_DTYPE, "values [2] float32 must have the dtype of self",
                tn_setitem_(x, TN_INDEX(TN_PICK(two)), reals));
    CHECK_ERROR(TN_ERROR_SHAPE, "values [2] int64 cannot be broadcast to the sizes [2, 3]",
                tn_setitem_(x, TN_INDEX(TN_PICK(two)), two));
    CHECK_ERROR(TN_ERROR_DTYPE, "value 1+2j does not fit",
                tn_setitem_scalar_(x, TN_INDEX(TN_PICK(two)), tn_scalar_complex(1, 2)));
    CHECK_VALUES(x, 0, 1, 2, 3, 4, 5);
    CHECK_ERROR(TN_ERROR_INDEX, "position 0 is out of range for dimension 0 of size 0",
                tn_index(tn_zeros(TN_DIMS(0, 3), TN_INT64), TN_PICK(two)));
    CHECK_ERROR(TN_ERROR_DTYPE, "there is no sum for self",
                tn_index_put(tn_to(x, TN_FLOAT8_E4M3FN), TN_INDEX(TN_PICK(two)), tn_to(x, TN_FLOAT8_E4M3FN), true));
}

TEST(operands_that_share_memory_with_self_are_read_first) {
    tn_tensor *x = INTS(3, 2, 1, 0), *y = INTS(1, 2, 3, 0);
    CHECK(x && y);
    CHECK(tn_setitem_(x, TN_INDEX(TN_PICK(x)), x)); /* the positions themselves are written over */
    CHECK_VALUES(x, 0, 1, 2, 3);
    CHECK(tn_scatter_(y, 0, y, y));
    CHECK_VALUES(y, 0, 1, 2, 3);
    CHECK(tn_index_add_(y, 0, y, y, 1));
    CHECK_VALUES(y, 0, 2, 4, 6);
}

/* ---- threads */

static bool same_bits(const tn_tensor *a, const tn_tensor *b) {
    return a && b && tn_nbytes(a) == tn_nbytes(b) && memcmp(tn_data(a), tn_data(b), (size_t)tn_nbytes(a)) == 0;
}

static tn_tensor *noise(tn_dims sizes, int64_t below, tn_dtype dtype) {
    tn_tensor *made = tn_zeros(sizes, TN_INT64);
    CHECK(made);
    int64_t *data = tn_mutable_data(made);
    for (int64_t i = 0; i < tn_numel(made); i++)
        data[i] = test_random_between(0, below - 1);
    return dtype == TN_INT64 ? made : tn_div_scalar(tn_to(made, dtype), 7);
}

TEST_SAMPLED(threads_change_no_bit) {
    int64_t threads = tn_num_threads();
    tn_tensor *x = noise(TN_DIMS(500, 300), 1000, TN_FLOAT32), *square = noise(TN_DIMS(500, 300), 300, TN_INT64);
    tn_tensor *line = noise(TN_DIMS(700), 500, TN_INT64), *rows = noise(TN_DIMS(700, 300), 1000, TN_FLOAT32);
    tn_tensor *many = noise(TN_DIMS(200000), 1000, TN_INT64), *values = noise(TN_DIMS(200000), 1000, TN_FLOAT32);
    tn_tensor *mask = tn_gt_scalar(x, 70), *few = noise(TN_DIMS(700), 3, TN_INT64),
              *outer = noise(TN_DIMS(500, 300), 500, TN_INT64);
    tn_tensor *results[2][12];
    for (int k = 0; k < 2; k++) {
        CHECK(tn_set_num_threads(k ? 3 : 1) == TN_OK);
        tn_tensor **to = results[k];
        to[0] = tn_gather(x, 1, square);
        to[1] = tn_scatter_add(x, 1, square, x);
        to[2] = tn_index_add(x, 0, line, rows, 1);
        to[3] = tn_index_put(values, TN_INDEX(TN_PICK(many)), values, true);
        to[4] = tn_index(x, TN_PICK(mask));
        to[5] = tn_index(x, TN_PICK(line));
        to[6] = tn_index_put(x, TN_INDEX(TN_PICK(few)), rows, false);
        to[7] = tn_scatter_reduce(x, 0, outer, x, "mean", false);
        to[8] = tn_masked_scatter(x, mask, values);
        to[9] = tn_index(x, TN_PICK(line), TN_PICK(few));
        to[10] = tn_take(x, many);
        to[11] = tn_index_copy(x, 0, line, rows);
    }
    CHECK(tn_set_num_threads(threads) == TN_OK);
    for (int i = 0; i < 12; i++)
        if (!same_bits(results[0][i], results[1][i]))
            test_fail(__FILE__, __LINE__, "result %d depends on the number of threads", i);
    /* and the sums are those of the index's order */
    float sums[3] = {0};
    const float *given = tn_data_float32(rows), *got = tn_data_float32(results[1][2]), *before = tn_data_float32(x);
    for (int column = 0; column < 3; column++) {
        sums[column] = before[4 * 300 + column];
        for (int i = 0; i < 700; i++)
            if (tn_data_int64(line)[i] == 4)
                sums[column] += given[i * 300 + column];
        CHECK_DOUBLE(got[4 * 300 + column], sums[column]);
    }
}

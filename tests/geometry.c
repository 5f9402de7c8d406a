/* geometry.c - the arithmetic of views: against enumeration, each refusal, and at the limits of 64 bits. PyTorch's answers for
 * the same views are in view_rule.c.
 *
 * Tests: src/base/say.c, src/tensor/explain.c, src/tensor/geometry_views.c */
#include "test.h"

/* ---- against enumeration ------------------------------------------------------------------------------------------- */

static void random_geometry(tn_geometry *geometry, int64_t max_ndim, int64_t low_size) {
    geometry->ndim = test_random_between(0, max_ndim);
    geometry->offset = test_random_between(0, 20);
    int64_t stride = 1;
    bool regular = test_random_between(0, 3) > 0;
    for (int64_t d = geometry->ndim - 1; d >= 0; d--) {
        geometry->sizes[d] = test_random_between(0, 2) == 0 ? 1 : test_random_between(low_size, 4);
        geometry->strides[d] = regular ? stride : test_random_between(-7, 7);
        stride *= geometry->sizes[d];
        if (test_random_between(0, 5) == 0)
            stride += test_random_between(-2, 2);
        if (test_random_between(0, 9) == 0)
            geometry->strides[d] = 0;
        if (test_random_between(0, 6) == 0)
            stride = -stride;
    }
    if (regular && geometry->ndim > 1 && test_random_between(0, 3) == 0) {
        int64_t a = test_random_between(0, geometry->ndim - 1), b = test_random_between(0, geometry->ndim - 1);
        int64_t size = geometry->sizes[a], moved = geometry->strides[a];
        geometry->sizes[a] = geometry->sizes[b];
        geometry->strides[a] = geometry->strides[b];
        geometry->sizes[b] = size;
        geometry->strides[b] = moved;
    }
}

static int64_t numel_of(const tn_geometry *geometry) {
    int64_t numel = -1;
    CHECK_INT(tn_geometry_numel(geometry->ndim, geometry->sizes, &numel), TN_GEOMETRY_OK);
    return numel;
}

/* The place of the element at a row-major position. */
static int64_t place_of(const tn_geometry *geometry, int64_t position) {
    int64_t index[TN_MAX_DIMS], offset;
    CHECK_INT(tn_geometry_index_at(geometry->ndim, geometry->sizes, position, index), TN_GEOMETRY_OK);
    CHECK_INT(tn_geometry_offset_of(tn_geometry_ref_of(geometry), (tn_dims){index, geometry->ndim}, &offset), TN_GEOMETRY_OK);
    return offset;
}

static int64_t random_shape(int64_t numel, int64_t *shape) {
    int64_t ndim = 0;
    while (numel > 1 || (ndim < 4 && test_random_between(0, 3) == 0)) {
        int64_t size = test_random_between(1, numel);
        while (numel % size != 0)
            size--;
        shape[ndim++] = size;
        numel /= size;
    }
    return ndim;
}

/* Whether any strides at all give this shape the source's elements in order: each is the distance to the first element one
 * step along its dimension, so there is only one candidate to try. */
static bool some_strides_would_do(const tn_geometry *from, int64_t ndim, const int64_t *sizes) {
    int64_t numel = numel_of(from), step = 1;
    tn_geometry candidate;
    candidate.ndim = ndim;
    candidate.offset = from->offset;
    for (int64_t d = ndim - 1; d >= 0; d--) {
        candidate.sizes[d] = sizes[d];
        candidate.strides[d] = sizes[d] > 1 ? place_of(from, step) - from->offset : 0;
        step *= sizes[d];
    }
    for (int64_t position = 0; position < numel; position++)
        if (place_of(from, position) != place_of(&candidate, position))
            return false;
    return true;
}

TEST_SAMPLED(a_view_names_the_same_elements_in_the_same_order_and_is_refused_only_where_no_strides_would_do) {
    int64_t views = 0, refused = 0, shape[80];
    for (int round = 0; round < 20000; round++) {
        tn_geometry from, to;
        random_geometry(&from, 4, 1);
        int64_t numel = numel_of(&from), ndim = random_shape(numel, shape);
        tn_geometry_result result = tn_geometry_view(tn_geometry_ref_of(&from), (tn_dims){shape, ndim}, &to);
        if (result == TN_GEOMETRY_NOT_A_VIEW) {
            CHECK(!some_strides_would_do(&from, ndim, shape));
            refused++;
            continue;
        }
        CHECK_INT(result, TN_GEOMETRY_OK);
        CHECK_INT(to.ndim, ndim);
        for (int64_t position = 0; position < numel; position++)
            CHECK_INT(place_of(&to, position), place_of(&from, position));
        views++;
    }
    CHECK(views > 4000 && refused > 2000);
}

/* A sentence's numbers, checked one by one against its geometry. */
TEST_SAMPLED(an_explanation_names_two_neighbours_that_cannot_merge_and_the_new_dimension_that_needs_them) {
    int64_t shape[80], checked = 0;
    for (int round = 0; round < 20000; round++) {
        tn_geometry from;
        tn_geometry_explanation why;
        char sentence[2000], equation[200];
        random_geometry(&from, 5, 1);
        int64_t ndim = random_shape(numel_of(&from), shape);
        tn_geometry_ref ref = tn_geometry_ref_of(&from);
        size_t length = tn_geometry_explain(ref, (tn_dims){shape, ndim}, &why, sentence, sizeof sentence);
        CHECK_INT(length, strlen(sentence));
        CHECK((why.result == TN_GEOMETRY_OK) == some_strides_would_do(&from, ndim, shape));
        if (why.result == TN_GEOMETRY_OK)
            continue;
        CHECK_INT(why.result, TN_GEOMETRY_NOT_A_VIEW);
        CHECK(0 <= why.first && why.first < why.second && why.second < from.ndim);
        CHECK(from.sizes[why.first] > 1 && from.sizes[why.second] > 1);
        for (int64_t d = why.first + 1; d < why.second; d++)
            CHECK_INT(from.sizes[d], 1);
        CHECK_INT(why.actual, from.strides[why.first]);
        CHECK_INT(why.expected, from.sizes[why.second] * from.strides[why.second]);
        CHECK(why.expected != why.actual);
        int64_t after = 1, below = 1;
        for (int64_t d = why.second; d < from.ndim; d++)
            after *= from.sizes[d];
        for (int64_t n = why.wanted + 1; n < ndim; n++)
            below *= shape[n];
        CHECK(below < after && after < below * shape[why.wanted]);
        snprintf(equation, sizeof equation, "stride[%lld] = %lld is not size[%lld] * stride[%lld] = %lld * %lld = %lld",
                 (long long)why.first, (long long)why.actual, (long long)why.second, (long long)why.second,
                 (long long)from.sizes[why.second], (long long)from.strides[why.second], (long long)why.expected);
        CHECK(strstr(sentence, equation));
        checked++;
    }
    CHECK(checked > 2000);
}

TEST_SAMPLED(dense_strides_keep_the_order_of_dimensions_and_leave_no_gaps) {
    for (int round = 0; round < 5000; round++) {
        tn_geometry from, to;
        random_geometry(&from, 5, 0);
        to.ndim = from.ndim;
        to.offset = 0;
        for (int64_t d = 0; d < from.ndim; d++)
            to.sizes[d] = from.sizes[d];
        CHECK_INT(tn_geometry_dense_strides(from.ndim, from.sizes, from.strides, to.strides), TN_GEOMETRY_OK);
        CHECK(tn_geometry_is_dense(to.ndim, to.sizes, to.strides));
        if (numel_of(&from) == 0)
            continue;
        int64_t lowest, highest;
        CHECK_INT(tn_geometry_extent(tn_geometry_ref_of(&to), &lowest, &highest), TN_GEOMETRY_OK);
        CHECK_INT(lowest, 0);
        CHECK_INT(highest, numel_of(&from) - 1);
    }
}

TEST_SAMPLED(dense_means_every_place_of_the_extent_once) {
    int64_t dense_ones = 0;
    for (int round = 0; round < 10000; round++) {
        tn_geometry from;
        int64_t lowest, highest, numel, seen_lowest = INT64_MAX, seen_highest = INT64_MIN;
        char seen[2000] = {0};
        bool once = true;
        random_geometry(&from, 4, 0);
        numel = numel_of(&from);
        CHECK_INT(tn_geometry_extent(tn_geometry_ref_of(&from), &lowest, &highest), TN_GEOMETRY_OK);
        for (int64_t position = 0; position < numel; position++) {
            int64_t place = place_of(&from, position);
            CHECK(place >= -900 && place < 1000);
            once = once && !seen[place + 900]++;
            seen_lowest = place < seen_lowest ? place : seen_lowest;
            seen_highest = place > seen_highest ? place : seen_highest;
        }
        CHECK_INT(lowest, numel ? seen_lowest : from.offset);
        CHECK_INT(highest, numel ? seen_highest : from.offset - 1);
        bool dense = once && highest - lowest + 1 == numel;
        CHECK_INT(tn_geometry_is_dense(from.ndim, from.sizes, from.strides), dense);
        dense_ones += dense;
        bool contiguous = true;
        for (int64_t position = 0; position < numel; position++)
            contiguous = contiguous && place_of(&from, position) == from.offset + position;
        CHECK_INT(tn_geometry_is_contiguous(from.ndim, from.sizes, from.strides), contiguous);
        tn_geometry_result inside = tn_geometry_check_storage(tn_geometry_ref_of(&from), 4, 100);
        CHECK_INT(inside, numel == 0 || (lowest >= 0 && highest < 25) ? TN_GEOMETRY_OK : TN_GEOMETRY_STORAGE);
    }
    CHECK(dense_ones > 1000 && dense_ones < 9000);
}

/* Python's rule, step by step: start and end are clamped, then positions are visited one by one. */
TEST_SAMPLED(a_slice_visits_the_positions_python_visits) {
    const int64_t bounds[] = {TN_NONE, INT64_MIN + 1, -9, -6, -5, -4, -2, -1, 0, 1, 2, 4, 5, 6, 9, INT64_MAX};
    const int64_t steps[] = {INT64_MIN, -7, -3, -2, -1, 1, 2, 3, 7, INT64_MAX};
    enum { BOUNDS = sizeof bounds / sizeof bounds[0], STEPS = sizeof steps / sizeof steps[0] };
    for (int64_t size = 0; size <= 6; size++)
        for (int s = 0; s < BOUNDS; s++)
            for (int e = 0; e < BOUNDS; e++)
                for (int k = 0; k < STEPS; k++) {
                    int64_t start = bounds[s], end = bounds[e], step = steps[k], first, length, count = 0;
                    int64_t low = step > 0 ? 0 : -1, high = step > 0 ? size : size - 1, expected_first = -1;
                    if (start == TN_NONE)
                        start = step > 0 ? low : high;
                    else
                        start = start < 0 ? start + size : start, start = start < low ? low : start > high ? high : start;
                    if (end == TN_NONE)
                        end = step > 0 ? high : low;
                    else
                        end = end < 0 ? end + size : end, end = end < low ? low : end > high ? high : end;
                    for (int64_t at = start; step > 0 ? at < end : at > end; count++) {
                        if (count == 0)
                            expected_first = at;
                        if (__builtin_add_overflow(at, step, &at))
                            at = end;
                    }
                    CHECK_INT(tn_geometry_slice_range(size, bounds[s], bounds[e], step, &first, &length), TN_GEOMETRY_OK);
                    CHECK_INT(length, count);
                    CHECK(count == 0 ? first >= 0 && first <= size : first == expected_first);

                    tn_geometry from = {.ndim = 1, .offset = 100, .sizes = {size}, .strides = {3}}, to;
                    CHECK_INT(tn_geometry_slice(tn_geometry_ref_of(&from), 0, bounds[s], bounds[e], step, &to), TN_GEOMETRY_OK);
                    CHECK_INT(to.sizes[0], count);
                    CHECK_INT(to.offset, 100 + 3 * first);
                    for (int64_t i = 0; i < count; i++)
                        CHECK_INT(place_of(&to, i), 100 + 3 * (first + i * step));
                }
    int64_t first, length;
    CHECK_INT(tn_geometry_slice_range(4, 0, 4, 0, &first, &length), TN_GEOMETRY_STEP);
}

TEST_SAMPLED(flipping_twice_changes_nothing_and_once_reverses_the_order) {
    for (int round = 0; round < 2000; round++) {
        tn_geometry from, once, twice;
        random_geometry(&from, 4, 0);
        int64_t all[4] = {0, 1, 2, 3}, numel = numel_of(&from);
        tn_dims dims = {all, from.ndim};
        CHECK_INT(tn_geometry_flip(tn_geometry_ref_of(&from), dims, &once), TN_GEOMETRY_OK);
        CHECK_INT(tn_geometry_flip(tn_geometry_ref_of(&once), dims, &twice), TN_GEOMETRY_OK);
        for (int64_t position = 0; position < numel; position++) {
            CHECK_INT(place_of(&once, position), place_of(&from, numel - 1 - position));
            CHECK_INT(place_of(&twice, position), place_of(&from, position));
        }
    }
}

/* ---- shapes that meet ---------------------------------------------------------------------------------------------- */

TEST(shapes_broadcast_from_the_last_dimension_and_a_size_of_1_gives_way) {
    int64_t ndim, sizes[TN_MAX_DIMS], many[TN_MAX_DIMS + 1] = {0};
    tn_geometry_conflict conflict;
    CHECK_INT(tn_geometry_broadcast(TN_DIMS(5, 1, 4), TN_DIMS(3, 1), &ndim, sizes, NULL), TN_GEOMETRY_OK);
    CHECK(ndim == 3 && sizes[0] == 5 && sizes[1] == 3 && sizes[2] == 4);
    CHECK_INT(tn_geometry_broadcast(TN_DIMS(), TN_DIMS(), &ndim, sizes, NULL), TN_GEOMETRY_OK);
    CHECK_INT(ndim, 0);
    CHECK_INT(tn_geometry_broadcast(TN_DIMS(0), TN_DIMS(1), &ndim, sizes, NULL), TN_GEOMETRY_OK);
    CHECK(ndim == 1 && sizes[0] == 0);
    CHECK_INT(tn_geometry_broadcast(TN_DIMS(1, 1), TN_DIMS(0), &ndim, sizes, NULL), TN_GEOMETRY_OK);
    CHECK(ndim == 2 && sizes[0] == 1 && sizes[1] == 0);
    CHECK_INT(tn_geometry_broadcast(TN_DIMS(2), TN_DIMS(0), &ndim, sizes, NULL), TN_GEOMETRY_BROADCAST);
    CHECK_INT(tn_geometry_broadcast(TN_DIMS(7, 2, 3), TN_DIMS(4, 3), &ndim, sizes, &conflict), TN_GEOMETRY_BROADCAST);
    CHECK(conflict.operand == 1 && conflict.dim == 1 && conflict.size == 4 && conflict.expected == 2);

    const tn_dims three[] = {TN_DIMS(3), TN_DIMS(2, 1), TN_DIMS(6, 1, 1)}, clash[] = {TN_DIMS(1, 3), TN_DIMS(), TN_DIMS(2, 2)};
    CHECK_INT(tn_geometry_broadcast_all(three, 3, &ndim, sizes, NULL), TN_GEOMETRY_OK);
    CHECK(ndim == 3 && sizes[0] == 6 && sizes[1] == 2 && sizes[2] == 3);
    CHECK_INT(tn_geometry_broadcast_all(three, 0, &ndim, sizes, NULL), TN_GEOMETRY_OK);
    CHECK_INT(ndim, 0);
    CHECK_INT(tn_geometry_broadcast_all(clash, 3, &ndim, sizes, &conflict), TN_GEOMETRY_BROADCAST);
    CHECK(conflict.operand == 2 && conflict.dim == 1 && conflict.size == 2 && conflict.expected == 3);
    CHECK_INT(tn_geometry_broadcast(TN_DIMS(2, -1), TN_DIMS(2, 2), &ndim, sizes, NULL), TN_GEOMETRY_SIZE);
    CHECK_INT(tn_geometry_broadcast((tn_dims){many, TN_MAX_DIMS + 1}, TN_DIMS(), &ndim, sizes, NULL), TN_GEOMETRY_RANK);
}

TEST(movedim_keeps_the_order_of_the_dimensions_that_are_not_named) {
    int64_t order[TN_MAX_DIMS];
    CHECK_INT(tn_geometry_movedim_order(5, TN_DIMS(0, 1), TN_DIMS(-1, 1), order), TN_GEOMETRY_OK);
    CHECK(order[0] == 2 && order[1] == 1 && order[2] == 3 && order[3] == 4 && order[4] == 0);
    CHECK_INT(tn_geometry_movedim_order(4, TN_DIMS(-3, 0), TN_DIMS(2, 3), order), TN_GEOMETRY_OK);
    CHECK(order[0] == 2 && order[1] == 3 && order[2] == 1 && order[3] == 0);
    CHECK_INT(tn_geometry_movedim_order(3, TN_DIMS(), TN_DIMS(), order), TN_GEOMETRY_OK);
    CHECK(order[0] == 0 && order[1] == 1 && order[2] == 2);
}

/* ---- every refusal ------------------------------------------------------------------------------------------------- */

TEST(every_rule_says_which_of_its_conditions_failed) {
    int64_t sizes[TN_MAX_DIMS + 1], order[TN_MAX_DIMS], number, ones[TN_MAX_DIMS + 1];
    tn_geometry to, most, scalar = {.ndim = 0}, matrix = {.ndim = 2, .sizes = {3, 4}, .strides = {4, 1}};
    for (int d = 0; d <= TN_MAX_DIMS; d++)
        ones[d] = 1;
    most.ndim = TN_MAX_DIMS;
    most.offset = 0;
    for (int d = 0; d < TN_MAX_DIMS; d++)
        most.sizes[d] = most.strides[d] = 1;
    tn_geometry_ref none = tn_geometry_ref_of(&scalar), m = tn_geometry_ref_of(&matrix), full = tn_geometry_ref_of(&most);
    tn_dims too_many = {ones, TN_MAX_DIMS + 1};

    CHECK_INT(tn_geometry_numel(2, (const int64_t[]){3, -1}, &number), TN_GEOMETRY_SIZE);
    CHECK_INT(tn_geometry_contiguous_strides(2, (const int64_t[]){3, -1}, sizes), TN_GEOMETRY_SIZE);
    CHECK_INT(tn_geometry_channels_last_strides(3, (const int64_t[]){1, 1, 1}, sizes), TN_GEOMETRY_RANK);
    CHECK_INT(tn_geometry_channels_last_strides(4, (const int64_t[]){1, 1, -2, 1}, sizes), TN_GEOMETRY_SIZE);
    CHECK(!tn_geometry_is_channels_last(2, matrix.sizes, matrix.strides));
    CHECK(!tn_geometry_is_channels_last_contiguous(2, matrix.sizes, matrix.strides));

    CHECK_INT(tn_geometry_wrap_dim(2, 2, &number), TN_GEOMETRY_DIM);
    CHECK_INT(tn_geometry_wrap_dim(-3, 2, &number), TN_GEOMETRY_DIM);
    CHECK_INT(tn_geometry_wrap_dim(-2, 2, &number), TN_GEOMETRY_OK);
    CHECK_INT(number, 0);
    CHECK_INT(tn_geometry_wrap_dim(-1, 0, &number), TN_GEOMETRY_OK);
    CHECK_INT(number, 0);
    CHECK_INT(tn_geometry_wrap_dim(1, 0, &number), TN_GEOMETRY_DIM);

    CHECK_INT(tn_geometry_offset_of(m, TN_DIMS(1), &number), TN_GEOMETRY_LENGTH);
    CHECK_INT(tn_geometry_offset_of(m, TN_DIMS(1, 4), &number), TN_GEOMETRY_INDEX);
    CHECK_INT(tn_geometry_offset_of(m, TN_DIMS(-4, 0), &number), TN_GEOMETRY_INDEX);
    CHECK_INT(tn_geometry_offset_of(m, TN_DIMS(INT64_MIN, 0), &number), TN_GEOMETRY_INDEX);
    CHECK_INT(tn_geometry_offset_of(m, TN_DIMS(-1, -4), &number), TN_GEOMETRY_OK);
    CHECK_INT(number, 8);
    CHECK_INT(tn_geometry_position_of(2, matrix.sizes, TN_DIMS(0), &number), TN_GEOMETRY_LENGTH);
    CHECK_INT(tn_geometry_position_of(2, matrix.sizes, TN_DIMS(3, 0), &number), TN_GEOMETRY_INDEX);
    CHECK_INT(tn_geometry_position_of(2, matrix.sizes, TN_DIMS(-1, 2), &number), TN_GEOMETRY_OK);
    CHECK_INT(number, 10);
    CHECK_INT(tn_geometry_index_at(2, matrix.sizes, 12, sizes), TN_GEOMETRY_INDEX);
    CHECK_INT(tn_geometry_index_at(2, matrix.sizes, -1, sizes), TN_GEOMETRY_INDEX);
    CHECK_INT(tn_geometry_index_at(1, (const int64_t[]){0}, 0, sizes), TN_GEOMETRY_INDEX);
    CHECK_INT(tn_geometry_index_at(0, NULL, 0, sizes), TN_GEOMETRY_OK);
    CHECK_INT(tn_geometry_index_at(0, NULL, 1, sizes), TN_GEOMETRY_INDEX);

    CHECK_INT(tn_geometry_check_storage(m, 4, 47), TN_GEOMETRY_STORAGE);
    CHECK_INT(tn_geometry_check_storage(m, 4, 48), TN_GEOMETRY_OK);
    CHECK_INT(tn_geometry_check_storage(m, 0, 48), TN_GEOMETRY_ITEMSIZE);
    tn_geometry_ref before = {0, -1, sizes, sizes}, empty = {1, 99, (const int64_t[]){0}, (const int64_t[]){1}};
    CHECK_INT(tn_geometry_check_storage(before, 4, 48), TN_GEOMETRY_STORAGE);
    CHECK_INT(tn_geometry_check_storage(empty, 4, 0), TN_GEOMETRY_OK);
    empty.offset = -1;
    CHECK_INT(tn_geometry_check_storage(empty, 4, 0), TN_GEOMETRY_STORAGE);

    CHECK_INT(tn_geometry_expand(m, TN_DIMS(4), &to), TN_GEOMETRY_LENGTH);
    CHECK_INT(tn_geometry_expand(m, too_many, &to), TN_GEOMETRY_RANK);
    CHECK_INT(tn_geometry_expand(m, TN_DIMS(-1, 3, 4), &to), TN_GEOMETRY_EXPAND_NEW);
    CHECK_INT(tn_geometry_expand(none, TN_DIMS(-1), &to), TN_GEOMETRY_EXPAND_NEW);
    CHECK_INT(tn_geometry_expand(m, TN_DIMS(3, -2), &to), TN_GEOMETRY_SIZE);
    CHECK_INT(tn_geometry_expand(m, TN_DIMS(3, 5), &to), TN_GEOMETRY_BROADCAST);
    CHECK_INT(tn_geometry_permute(m, TN_DIMS(1), &to), TN_GEOMETRY_LENGTH);
    CHECK_INT(tn_geometry_permute(m, TN_DIMS(0, 2), &to), TN_GEOMETRY_DIM);
    CHECK_INT(tn_geometry_permute(m, TN_DIMS(1, -1), &to), TN_GEOMETRY_REPEATED_DIM);
    CHECK_INT(tn_geometry_permute(none, TN_DIMS(), &to), TN_GEOMETRY_OK);
    CHECK_INT(tn_geometry_transpose(m, 0, 2, &to), TN_GEOMETRY_DIM);
    CHECK_INT(tn_geometry_transpose(m, -3, 0, &to), TN_GEOMETRY_DIM);
    CHECK_INT(tn_geometry_transpose(none, 0, -1, &to), TN_GEOMETRY_OK);
    CHECK_INT(tn_geometry_movedim_order(2, TN_DIMS(0, 1), TN_DIMS(0), order), TN_GEOMETRY_LENGTH);
    CHECK_INT(tn_geometry_movedim_order(2, TN_DIMS(0, 0), TN_DIMS(0, 1), order), TN_GEOMETRY_REPEATED_DIM);
    CHECK_INT(tn_geometry_movedim_order(2, TN_DIMS(0, 1), TN_DIMS(1, -1), order), TN_GEOMETRY_REPEATED_DIM);
    CHECK_INT(tn_geometry_movedim_order(2, TN_DIMS(2), TN_DIMS(0), order), TN_GEOMETRY_DIM);
    CHECK_INT(tn_geometry_movedim_order(0, TN_DIMS(0), TN_DIMS(-1), order), TN_GEOMETRY_OK);
    CHECK_INT(tn_geometry_squeeze_dims(m, TN_DIMS(2), &to), TN_GEOMETRY_DIM);
    CHECK_INT(tn_geometry_squeeze_dims(m, TN_DIMS(0, -2), &to), TN_GEOMETRY_REPEATED_DIM);
    CHECK_INT(tn_geometry_squeeze(full, &to), TN_GEOMETRY_OK);
    CHECK_INT(to.ndim, 0);
    CHECK_INT(tn_geometry_unsqueeze(m, 3, &to), TN_GEOMETRY_DIM);
    CHECK_INT(tn_geometry_unsqueeze(full, 0, &to), TN_GEOMETRY_RANK);
    CHECK_INT(tn_geometry_select(none, 0, 0, &to), TN_GEOMETRY_SCALAR);
    CHECK_INT(tn_geometry_select(m, 2, 0, &to), TN_GEOMETRY_DIM);
    CHECK_INT(tn_geometry_select(m, 0, 3, &to), TN_GEOMETRY_INDEX);
    CHECK_INT(tn_geometry_select(m, 0, INT64_MIN, &to), TN_GEOMETRY_INDEX);
    CHECK_INT(tn_geometry_slice(none, 0, 0, 1, 1, &to), TN_GEOMETRY_SCALAR);
    CHECK_INT(tn_geometry_slice(m, 2, 0, 1, 1, &to), TN_GEOMETRY_DIM);
    CHECK_INT(tn_geometry_slice(m, 0, 0, 1, 0, &to), TN_GEOMETRY_STEP);
    CHECK_INT(tn_geometry_narrow(none, 0, 0, 1, &to), TN_GEOMETRY_SCALAR);
    CHECK_INT(tn_geometry_narrow(m, -3, 0, 1, &to), TN_GEOMETRY_DIM);
    CHECK_INT(tn_geometry_narrow(m, 0, 4, 0, &to), TN_GEOMETRY_INDEX);
    CHECK_INT(tn_geometry_narrow(m, 0, -4, 0, &to), TN_GEOMETRY_INDEX);
    CHECK_INT(tn_geometry_narrow(m, 0, 1, 3, &to), TN_GEOMETRY_WINDOW);
    CHECK_INT(tn_geometry_narrow(m, 0, 1, -1, &to), TN_GEOMETRY_WINDOW);
    CHECK_INT(tn_geometry_diagonal(m, 0, 0, 2, &to), TN_GEOMETRY_DIM);
    CHECK_INT(tn_geometry_diagonal(m, 0, 1, -1, &to), TN_GEOMETRY_REPEATED_DIM);
    CHECK_INT(tn_geometry_diagonal(none, 0, 0, -1, &to), TN_GEOMETRY_REPEATED_DIM);
    CHECK_INT(tn_geometry_diagonal(m, INT64_MIN, 0, 1, &to), TN_GEOMETRY_OK);
    CHECK(to.ndim == 1 && to.sizes[0] == 0 && to.offset == 0);
    CHECK_INT(tn_geometry_unfold(m, 2, 1, 1, &to), TN_GEOMETRY_DIM);
    CHECK_INT(tn_geometry_unfold(m, 0, 4, 1, &to), TN_GEOMETRY_WINDOW);
    CHECK_INT(tn_geometry_unfold(m, 0, -1, 1, &to), TN_GEOMETRY_WINDOW);
    CHECK_INT(tn_geometry_unfold(m, 0, 1, 0, &to), TN_GEOMETRY_STEP);
    CHECK_INT(tn_geometry_unfold(full, 0, 1, 1, &to), TN_GEOMETRY_RANK);
    CHECK_INT(tn_geometry_flip(m, TN_DIMS(2), &to), TN_GEOMETRY_DIM);
    CHECK_INT(tn_geometry_flip(m, TN_DIMS(0, -2), &to), TN_GEOMETRY_REPEATED_DIM);

    CHECK_INT(tn_geometry_infer_shape(12, too_many, sizes), TN_GEOMETRY_RANK);
    CHECK_INT(tn_geometry_infer_shape(12, TN_DIMS(-1, -1), sizes), TN_GEOMETRY_INFER_TWICE);
    CHECK_INT(tn_geometry_infer_shape(12, TN_DIMS(-2, 6), sizes), TN_GEOMETRY_SIZE);
    CHECK_INT(tn_geometry_infer_shape(12, TN_DIMS(-1, 5), sizes), TN_GEOMETRY_NUMEL);
    CHECK_INT(tn_geometry_infer_shape(12, TN_DIMS(-1, 0), sizes), TN_GEOMETRY_NUMEL);
    CHECK_INT(tn_geometry_infer_shape(0, TN_DIMS(-1, 0), sizes), TN_GEOMETRY_INFER_ANY);
    CHECK_INT(tn_geometry_infer_shape(0, TN_DIMS(-1, 3), sizes), TN_GEOMETRY_OK);
    CHECK_INT(sizes[0], 0);
    CHECK_INT(tn_geometry_infer_shape(12, TN_DIMS(5, 2), sizes), TN_GEOMETRY_NUMEL);
    CHECK_INT(tn_geometry_infer_shape(12, TN_DIMS(), sizes), TN_GEOMETRY_NUMEL);
    CHECK_INT(tn_geometry_infer_shape(1, TN_DIMS(), sizes), TN_GEOMETRY_OK);
    CHECK_INT(tn_geometry_view_strides(2, matrix.sizes, matrix.strides, 1, ones, sizes), TN_GEOMETRY_NUMEL);
    CHECK_INT(tn_geometry_view_strides(2, matrix.sizes, matrix.strides, 1, (const int64_t[]){-12}, sizes), TN_GEOMETRY_SIZE);

    CHECK_INT(tn_geometry_view_itemsize(none, 4, 8, &to), TN_GEOMETRY_SCALAR);
    CHECK_INT(tn_geometry_view_itemsize(none, 4, 4, &to), TN_GEOMETRY_OK);
    CHECK_INT(tn_geometry_view_itemsize(m, 4, 6, &to), TN_GEOMETRY_ITEMSIZE);
    CHECK_INT(tn_geometry_view_itemsize(m, 0, 4, &to), TN_GEOMETRY_ITEMSIZE);
    CHECK_INT(tn_geometry_view_itemsize(m, 4, 32, &to), TN_GEOMETRY_LAST_SIZE);
    tn_geometry wide = {.ndim = 2, .sizes = {2, 4}, .strides = {-6, 1}, .offset = 6}, odd = wide, apart = wide;
    CHECK_INT(tn_geometry_view_itemsize(tn_geometry_ref_of(&wide), 4, 8, &to), TN_GEOMETRY_OK);
    CHECK(to.sizes[1] == 2 && to.strides[0] == -3 && to.strides[1] == 1 && to.offset == 3);
    CHECK_INT(tn_geometry_view_itemsize(tn_geometry_ref_of(&wide), 4, 16, &to), TN_GEOMETRY_OFFSET_RATIO);
    odd.strides[0] = 5;
    CHECK_INT(tn_geometry_view_itemsize(tn_geometry_ref_of(&odd), 4, 8, &to), TN_GEOMETRY_STRIDE_RATIO);
    apart.strides[1] = 2;
    CHECK_INT(tn_geometry_view_itemsize(tn_geometry_ref_of(&apart), 4, 8, &to), TN_GEOMETRY_LAST_STRIDE);
    CHECK_INT(tn_geometry_view_itemsize(tn_geometry_ref_of(&apart), 4, 2, &to), TN_GEOMETRY_LAST_STRIDE);
    CHECK_INT(tn_geometry_view_as_real(full, &to), TN_GEOMETRY_RANK);
    CHECK_INT(tn_geometry_view_as_complex(none, &to), TN_GEOMETRY_SCALAR);
    CHECK_INT(tn_geometry_view_as_complex(m, &to), TN_GEOMETRY_LAST_SIZE);
}

TEST(every_result_has_a_text_and_an_error_code) {
    for (int result = TN_GEOMETRY_OK; result <= TN_GEOMETRY_TOO_HARD; result++) {
        CHECK(strlen(tn_geometry_result_text((tn_geometry_result)result)) > 10);
        CHECK((tn_geometry_result_error((tn_geometry_result)result) == TN_OK) == (result == TN_GEOMETRY_OK));
        CHECK(tn_geometry_result_error((tn_geometry_result)result) != TN_ERROR_INTERNAL);
    }
    CHECK_TEXT(tn_geometry_result_text((tn_geometry_result)1000), "unknown");
    CHECK_INT(tn_geometry_result_error((tn_geometry_result)1000), TN_ERROR_INTERNAL);
}

/* ---- the limits of 64 bits ----------------------------------------------------------------------------------------- */

TEST(numbers_beyond_64_bits_are_found_and_never_wrap) {
    const int64_t big = INT64_C(1) << 62, huge[] = {big, 4, big}, huge_but_empty[] = {big, big, 0};
    int64_t number, low, high, strides[TN_MAX_DIMS];
    tn_geometry to;
    CHECK_INT(tn_geometry_numel(3, huge, &number), TN_GEOMETRY_OVERFLOW);
    CHECK_INT(tn_geometry_numel(3, huge_but_empty, &number), TN_GEOMETRY_OK);
    CHECK_INT(number, 0);
    CHECK_INT(tn_geometry_numel(2, (const int64_t[]){INT64_MAX, 1}, &number), TN_GEOMETRY_OK);
    CHECK_INT(number, INT64_MAX);
    CHECK_INT(tn_geometry_contiguous_strides(3, huge, strides), TN_GEOMETRY_OVERFLOW);
    CHECK_INT(tn_geometry_contiguous_strides(2, (const int64_t[]){4, big}, strides), TN_GEOMETRY_OK);
    CHECK_INT(strides[0], big);
    CHECK_INT(tn_geometry_channels_last_strides(4, (const int64_t[]){1, big, 4, 4}, strides), TN_GEOMETRY_OVERFLOW);
    CHECK_INT(tn_geometry_dense_strides(3, huge, (const int64_t[]){0, 0, 0}, strides), TN_GEOMETRY_OVERFLOW);
    CHECK(!tn_geometry_is_contiguous(3, huge, (const int64_t[]){0, big, 1}));
    CHECK(!tn_geometry_is_dense(3, huge, (const int64_t[]){0, big, 1}));
    CHECK(!tn_geometry_is_channels_last(4, (const int64_t[]){2, big, 2, 2}, (const int64_t[]){1, 4, 1, 1}));
    CHECK(!tn_geometry_is_channels_last_contiguous(4, (const int64_t[]){2, big, 2, 2}, (const int64_t[]){0, 1, 0, big}));

    tn_geometry_ref ends = {2, 0, (const int64_t[]){2, 2}, (const int64_t[]){INT64_MIN, INT64_MAX}};
    CHECK_INT(tn_geometry_extent(ends, &low, &high), TN_GEOMETRY_OK);
    CHECK(low == INT64_MIN && high == INT64_MAX);
    ends.offset = 1;
    CHECK_INT(tn_geometry_extent(ends, &low, &high), TN_GEOMETRY_OVERFLOW);
    CHECK_INT(tn_geometry_check_storage(ends, 1, SIZE_MAX), TN_GEOMETRY_OVERFLOW);
    CHECK_INT(tn_geometry_offset_of(ends, TN_DIMS(0, 1), &number), TN_GEOMETRY_OVERFLOW);
    CHECK_INT(tn_geometry_select(ends, 1, 1, &to), TN_GEOMETRY_OVERFLOW);
    CHECK_INT(tn_geometry_flip(ends, TN_DIMS(1), &to), TN_GEOMETRY_OVERFLOW);
    CHECK_INT(tn_geometry_narrow(ends, 1, 1, 1, &to), TN_GEOMETRY_OVERFLOW);
    CHECK_INT(tn_geometry_slice(ends, 1, 1, TN_NONE, 1, &to), TN_GEOMETRY_OVERFLOW);
    CHECK_INT(tn_geometry_diagonal(ends, 1, 0, 1, &to), TN_GEOMETRY_OVERFLOW);
    CHECK_INT(tn_geometry_unsqueeze(ends, 1, &to), TN_GEOMETRY_OVERFLOW);
    CHECK_INT(tn_geometry_expand(ends, TN_DIMS(1, 2, 2), &to), TN_GEOMETRY_OVERFLOW);
    CHECK_INT(tn_geometry_view_as_real(ends, &to), TN_GEOMETRY_OVERFLOW);
    CHECK_INT(tn_geometry_position_of(3, huge, TN_DIMS(big - 1, 3, big - 1), &number), TN_GEOMETRY_OVERFLOW);

    tn_geometry_ref down = {1, 0, (const int64_t[]){2}, (const int64_t[]){INT64_MIN}};
    CHECK_INT(tn_geometry_flip(down, TN_DIMS(0), &to), TN_GEOMETRY_OVERFLOW);
    CHECK_INT(tn_geometry_slice(down, 0, TN_NONE, TN_NONE, -1, &to), TN_GEOMETRY_OVERFLOW);
    CHECK_INT(tn_geometry_slice(down, 0, TN_NONE, TN_NONE, 2, &to), TN_GEOMETRY_OK);
    CHECK(to.sizes[0] == 1 && to.strides[0] == INT64_MIN);
    CHECK_INT(tn_geometry_unfold(down, 0, 2, INT64_MAX, &to), TN_GEOMETRY_OK);
    CHECK_INT(tn_geometry_diagonal((tn_geometry_ref){2, 0, down.sizes, down.strides}, 0, 0, 0, &to), TN_GEOMETRY_REPEATED_DIM);

    tn_geometry_ref bytes = {1, 0, (const int64_t[]){big}, (const int64_t[]){1}};
    CHECK_INT(tn_geometry_view_itemsize(bytes, 16, 1, &to), TN_GEOMETRY_OVERFLOW);
    CHECK_INT(tn_geometry_view(bytes, TN_DIMS(4, big), &to), TN_GEOMETRY_NUMEL);
    CHECK_INT(tn_geometry_view(bytes, TN_DIMS(2, -1), &to), TN_GEOMETRY_OK);
    CHECK_INT(to.strides[0], big / 2);
    CHECK_INT(tn_geometry_view((tn_geometry_ref){3, 0, huge, huge}, TN_DIMS(-1), &to), TN_GEOMETRY_OVERFLOW);
    tn_geometry_ref far = {2, 0, (const int64_t[]){2, 2}, (const int64_t[]){1, big}};
    CHECK_INT(tn_geometry_view(far, TN_DIMS(4), &to), TN_GEOMETRY_NOT_A_VIEW);
    CHECK_INT(tn_geometry_view(far, TN_DIMS(2, 1, 2), &to), TN_GEOMETRY_OVERFLOW);
}

/* ---- sentences ----------------------------------------------------------------------------------------------------- */

static const char *explained(tn_geometry_ref from, tn_dims shape) {
    static char sentence[300];
    tn_geometry_explain(from, shape, NULL, sentence, sizeof sentence);
    return sentence;
}

TEST(an_explanation_is_one_sentence_with_the_numbers) {
    tn_geometry_ref transposed = {2, 0, (const int64_t[]){4, 3}, (const int64_t[]){1, 4}};
    CHECK_TEXT(explained(transposed, TN_DIMS(12)),
               "dimensions 0 and 1 must merge to make dimension 0 of [12], but stride[0] = 1 is not "
               "size[1] * stride[1] = 3 * 4 = 12");
    CHECK_TEXT(explained(transposed, TN_DIMS(2, 2, -1)),
               "[4, 3] with strides [1, 4] is [2, 2, 3] with strides [2, 1, 4]: no copy is needed");
    tn_geometry_ref ones = {4, 0, (const int64_t[]){2, 1, 1, 3}, (const int64_t[]){-7, 5, 0, -2}};
    CHECK_TEXT(explained(ones, TN_DIMS(3, -1)),
               "dimensions 0 and 3 (between them are only sizes of 1) must merge to make dimension 0 of [3, 2], but "
               "stride[0] = -7 is not size[3] * stride[3] = 3 * -2 = -6");
    CHECK_TEXT(explained(transposed, TN_DIMS(5, 2)), "[5, 2] holds 10 elements, but [4, 3] has 12");
    CHECK_TEXT(explained(transposed, TN_DIMS()), "[] holds 1 element, but [4, 3] has 12");
    CHECK_TEXT(explained(transposed, TN_DIMS(5, -1)), "[5, -1] holds a multiple of 5 elements, but [4, 3] has 12");
    CHECK_TEXT(explained(transposed, TN_DIMS(0, 7)), "[0, 7] holds 0 elements, but [4, 3] has 12");
    CHECK_TEXT(explained(transposed, TN_DIMS(INT64_MAX, 2)),
               "[9223372036854775807, 2] holds more elements than 64 bits can count, but [4, 3] has 12");
    CHECK_TEXT(explained(transposed, TN_DIMS(-1, -1)), "[-1, -1] is not possible: only one size can be inferred");
    CHECK_TEXT(explained(transposed, TN_DIMS(-3)), "[-3] is not possible: a size is negative");
    CHECK_TEXT(explained(transposed, (tn_dims){NULL, 65}),
               "a shape of 65 dimensions is asked for, but at most 64 are possible");
    tn_geometry_ref far = {2, 0, (const int64_t[]){2, 2}, (const int64_t[]){1, INT64_C(-5000000000000000000)}};
    tn_geometry_explanation why;
    char cut[11];
    CHECK_TEXT(explained(far, TN_DIMS(4)),
               "dimensions 0 and 1 must merge to make dimension 0 of [4], but stride[0] = 1 is not "
               "size[1] * stride[1] = 2 * -5000000000000000000, which is more than 64 bits can hold");
    size_t length = tn_geometry_explain(far, TN_DIMS(4), &why, cut, sizeof cut);
    CHECK_TEXT(cut, "dimensions");
    CHECK_INT(length, strlen(explained(far, TN_DIMS(4))));
    CHECK_INT(tn_geometry_explain(far, TN_DIMS(4), NULL, NULL, 0), length);
    CHECK(why.expected == INT64_MIN && why.actual == 1 && why.first == 0 && why.second == 1 && why.wanted == 0);
    tn_geometry_explain(transposed, TN_DIMS(4, 3), &why, cut, sizeof cut);
    CHECK(why.result == TN_GEOMETRY_OK && why.first == -1 && why.second == -1 && why.wanted == -1 && !why.actual);
}

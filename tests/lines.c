/* lines.c - a function over all lines along a dimension sees the right elements, whatever the strides and dtype. */
#include "test.h"

#include "iterate/lines.h"

/* The result's line is the operand's in reverse, and each element has the number of its line added, times 1000. */
static void reverse_line(void *const *lines, int64_t number, void *scratch, void *context) {
    const double *from = lines[0];
    double *to = lines[1], *kept = scratch;
    int64_t length = *(const int64_t *)context;
    for (int64_t i = 0; i < length; i++)
        kept[i] = from[length - 1 - i];
    for (int64_t i = 0; i < length; i++)
        to[i] = kept[i] + 1000.0 * (double)number;
}

static tn_error reverse_all(const tn_tensor *from, tn_tensor *to, int64_t dim) {
    int64_t length = from->ndim ? from->sizes[dim] : 1;
    tni_lines_job job = {.ndim = from->ndim,
                         .dim = dim,
                         .sizes = from->sizes,
                         .operands = 2,
                         .operand = {tni_line_read(from, dim, TN_FLOAT64), tni_line_write(to, dim, TN_FLOAT64)},
                         .function = reverse_line,
                         .context = &length,
                         .scratch = (size_t)length * sizeof(double)};
    return tni_lines_run(&job);
}

static void check_reversed(const tn_tensor *from, const tn_tensor *to, int64_t dim) {
    int64_t index[4] = {0}, ndim = from->ndim;
    for (int64_t position = 0; position < from->numel; position++) {
        int64_t rest = position, number = 0, mirrored[4];
        for (int64_t d = ndim; d-- > 0; rest /= from->sizes[d])
            index[d] = rest % from->sizes[d];
        for (int64_t d = 0; d < ndim; d++) {
            mirrored[d] = d == dim ? from->sizes[d] - 1 - index[d] : index[d];
            number = d == dim ? number : number * from->sizes[d] + index[d];
        }
        double expected = tn_get_double(from, (tn_dims){mirrored, ndim}) + 1000.0 * (double)number;
        CHECK_DOUBLE(tn_get_double(to, (tn_dims){index, ndim}), expected);
    }
}

/* Numbers 0, 1, 2, ... in random strides: permuted, stepped, negative. */
static tn_tensor *drawn(int64_t ndim, const int64_t *sizes, tn_dtype dtype) {
    int64_t order[4] = {0, 1, 2, 3}, larger[4], numel = 1, back[4];
    for (int64_t d = ndim - 1; d > 0; d--) {
        int64_t other = test_random_between(0, d), kept = order[d];
        order[d] = order[other];
        order[other] = kept;
    }
    int64_t step = test_random_between(1, 2);
    for (int64_t d = 0; d < ndim; d++) {
        larger[d] = sizes[order[d]] * step;
        numel *= sizes[order[d]] * step;
        back[order[d]] = d;
    }
    tn_tensor *memory = tn_reshape(tn_arange(numel, dtype), (tn_dims){larger, ndim});
    for (int64_t d = 0; d < ndim; d++)
        memory = tn_slice(memory, d, TN_NONE, TN_NONE, test_random_between(0, 1) ? step : -step);
    return tn_permute(memory, (tn_dims){back, ndim});
}

TEST_SAMPLED(a_function_over_lines_sees_and_writes_the_same_elements_in_every_layout) {
    static const tn_dtype dtypes[] = {TN_FLOAT64, TN_INT16, TN_FLOAT32, TN_INT64};
    for (int round = 0; round < 400; round++) {
        int64_t ndim = test_random_between(1, 4), sizes[4];
        for (int64_t d = 0; d < ndim; d++)
            sizes[d] = test_random_between(round % 20 == 0 ? 0 : 1, round % 50 == 7 ? 40 : 7);
        if (round % 40 == 3) { /* thousands of short lines, or of columns side by side */
            ndim = 3;
            sizes[0] = test_random_between(100, 300);
            sizes[1] = test_random_between(1, 6);
            sizes[2] = test_random_between(1, 64);
        }
        tn_scope scope = tn_scope_open();
        tn_tensor *from = drawn(ndim, sizes, dtypes[test_random_between(0, 3)]);
        tn_tensor *to = drawn(ndim, sizes, dtypes[test_random_between(0, 3) & 2 ? 0 : 3]);
        CHECK(from && to);
        int64_t dim = test_random_between(0, ndim - 1);
        CHECK_INT(reverse_all(from, to, dim), TN_OK);
        check_reversed(from, to, dim);
        CHECK_INT(tn_scope_close(scope), TN_OK);
    }
}

/* Squares elements one line at a time, or several lines together, and counts the lines. */
typedef struct square_call {
    int64_t length;
    _Atomic int64_t alone, together;
} square_call;

static void square_some(void *const *lines, int64_t count) {
    const double *from = lines[0];
    double *to = lines[1];
    for (int64_t i = 0; i < count; i++)
        to[i] = from[i] * from[i];
}

static void square_line(void *const *lines, int64_t number, void *scratch, void *context) {
    square_call *call = context;
    (void)number, (void)scratch;
    square_some(lines, call->length);
    call->alone++;
}

static void square_lines(void *const *lines, int64_t many, void *context) {
    square_call *call = context;
    square_some(lines, many * call->length);
    call->together += many;
}

static tn_error square_all(const tn_tensor *from, tn_tensor *to, int64_t dim, square_call *call) {
    *call = (square_call){.length = from->sizes[dim]};
    tni_lines_job job = {.ndim = from->ndim,
                         .dim = dim,
                         .sizes = from->sizes,
                         .operands = 2,
                         .operand = {tni_line_read(from, dim, TN_FLOAT64), tni_line_write(to, dim, TN_FLOAT64)},
                         .function = square_line,
                         .together = square_lines,
                         .context = call};
    return tni_lines_run(&job);
}

TEST_SAMPLED(lines_that_follow_each_other_are_given_together_and_each_once) {
    static const tn_dtype dtypes[] = {TN_FLOAT64, TN_FLOAT64, TN_FLOAT32, TN_INT64};
    for (int round = 0; round < 300; round++) {
        tn_scope scope = tn_scope_open();
        int64_t ndim = test_random_between(1, 4), sizes[4], lines = 1;
        for (int64_t d = 0; d < ndim; d++)
            sizes[d] = test_random_between(round % 20 == 0 ? 0 : 1, round % 30 == 7 ? 40 : 7);
        int64_t dim = round % 3 ? ndim - 1 : test_random_between(0, ndim - 1);
        for (int64_t d = 0; d < ndim; d++)
            lines *= d == dim ? 1 : sizes[d];
        tn_tensor *from = drawn(ndim, sizes, dtypes[test_random_between(0, 3)]), *to = drawn(ndim, sizes, TN_FLOAT64);
        if (round % 2) {
            from = tn_contiguous(from, TN_CONTIGUOUS);
            to = tn_contiguous(to, TN_CONTIGUOUS);
        }
        CHECK(from && to);
        square_call call;
        tn_tensor *wide = tn_to(from, TN_FLOAT64), *wanted = tn_mul(wide, wide);
        CHECK(wanted && square_all(from, to, dim, &call) == TN_OK);
        CHECK(tn_equal(to, wanted));
        bool follow = round % 2 && from->dtype == TN_FLOAT64 && dim == ndim - 1 && to->numel > 0;
        CHECK(!follow || call.together == lines);
        CHECK(to->numel == 0 || call.alone + call.together == lines);
        tn_scope_close(scope);
    }
}

TEST(lines_of_a_tensor_without_dimensions_are_one_of_one_element) {
    tn_tensor *from = tn_full(TN_DIMS(), 3, TN_INT8), *to = tn_zeros(TN_DIMS(), TN_FLOAT32);
    CHECK(from && to);
    CHECK_INT(reverse_all(from, to, 0), TN_OK);
    CHECK_DOUBLE(tn_item_double(to), 3);
}

TEST(packing_lines_fails_before_anything_is_written) {
    tn_tensor *from = tn_reshape(tn_arange(12, TN_INT32), TN_DIMS(3, 4)), *to = tn_full(TN_DIMS(3, 4), -1, TN_FLOAT64);
    CHECK(from && to);
    if (reverse_all(from, to, 0) != TN_OK)
        CHECK_DOUBLE(tn_get_double(to, TN_DIMS(0, 0)), -1);
    CHECK_INT(tn_error_code(), TN_OK);
    CHECK_DOUBLE(tn_get_double(to, TN_DIMS(0, 0)), 8);
}

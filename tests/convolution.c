/* convolution.c - convolutions, plain and transposed, and their gradients against loops over every element: sizes, strides, dilations,
 * groups, layouts and dtypes by chance. Factors are small whole numbers, so that all sums are exact and compared to the bit. Beside
 * that: what is kept of layouts, what is refused, the same bits for every number of threads, and memory.
 *
 * Tests: src/iterate/windows.c, src/iterate/windows_pack.c, src/ops/nn/convolution_sizes.c, src/ops/nn/convolution_names.c
 * Tests: src/ops/nn/convolution_backward.c, src/iterate/windows_planes.c, src/iterate/windows_last.c, src/cpu/windows_kernels.c */
#include "test.h"

#include "tensor/tensor.h"

/* ---- tensors of any layout */

enum { AS_ROWS, CHANNELS_LAST, PERMUTED, BACKWARDS, GAPS, EXPANDED, LAYOUTS };

static tn_tensor *whole_numbers(int64_t ndim, const int64_t *sizes, tn_dtype dtype) {
    tn_tensor *x = tn_empty((tn_dims){sizes, ndim}, dtype);
    CHECK(x);
    char *data = tn_mutable_data(x);
    int64_t least = tn_dtype_is_signed(dtype) ? -2 : 0, size = (int64_t)tn_dtype_size(dtype);
    for (int64_t i = 0; i < tn_numel(x); i++) {
        double parts[2] = {(double)test_random_between(least, 2), (double)test_random_between(-2, 2)};
        tn_dtype_store(dtype, data + i * size,
                       tn_dtype_is_complex(dtype) ? tn_scalar_complex(parts[0], parts[1]) : tn_scalar_float(parts[0]));
    }
    return x;
}

/* The same numbers elsewhere: a new tensor with the dimensions in another order of memory. */
static tn_tensor *reordered(const tn_tensor *x, const int64_t *order) {
    int64_t back[TN_MAX_DIMS] = {0}, ndim = tn_ndim(x);
    for (int64_t d = 0; d < ndim; d++)
        back[order[d]] = d;
    tn_tensor *made = tn_permute(tn_clone(tn_permute(x, (tn_dims){order, ndim}), TN_CONTIGUOUS), (tn_dims){back, ndim});
    CHECK(made);
    return made;
}

static tn_tensor *laid_out(int64_t ndim, const int64_t *sizes, tn_dtype dtype, int how) {
    int64_t order[TN_MAX_DIMS] = {0}, larger[TN_MAX_DIMS];
    memcpy(larger, sizes, (size_t)ndim * sizeof *sizes);
    if (how == GAPS)
        for (int64_t d = 0; d < ndim; d++)
            larger[d] += 2;
    if (how == EXPANDED)
        larger[0] = larger[1] = 1;
    tn_tensor *x = whole_numbers(ndim, larger, dtype);
    switch (how) {
    case CHANNELS_LAST:
        for (int64_t d = 1; d + 1 < ndim; d++)
            order[d] = d + 1;
        order[ndim - 1] = 1;
        x = reordered(x, order);
        break;
    case PERMUTED:
        for (int64_t d = 0; d < ndim; d++)
            order[d] = (d + 1) % ndim;
        x = reordered(x, order);
        break;
    case BACKWARDS: x = tn_flip(x, TN_DIMS(1, ndim - 1)); break;
    case GAPS:
        for (int64_t d = 0; d < ndim; d++)
            x = tn_narrow(x, d, 1, sizes[d]);
        break;
    case EXPANDED: x = tn_expand(x, (tn_dims){sizes, ndim}); break;
    }
    CHECK(x);
    return x;
}

static tn_complex128 number_at(const tn_tensor *x, const int64_t *index) {
    int64_t place = 0;
    for (int64_t d = 0; d < x->ndim; d++)
        place += index[d] * x->strides[d];
    tn_complex128 value;
    tn_dtype_store(TN_COMPLEX128, &value,
                   tn_dtype_load(x->dtype, tni_tensor_read(x) + place * (int64_t)tn_dtype_size(x->dtype)));
    return value;
}

/* On to the next index; false after the last. */
static bool next_index(int64_t ndim, const int64_t *sizes, int64_t *index) {
    for (int64_t d = ndim; d-- > 0; index[d] = 0)
        if (++index[d] < sizes[d])
            return true;
    return false;
}

/* ---- the model */

typedef struct convolution_case {
    int64_t dims, groups, stride[3], padding[3], dilation[3], output_padding[3];
    bool transposed;
    int64_t input[5], weight[5], result[5];
} convolution_case;

/* Calls body for every product that the convolution adds up: places in result, input and weight. */
typedef void (*product_body)(void *to, const int64_t *result, const int64_t *input, const int64_t *weight);

static void model_products(const convolution_case *c, product_body body, void *to) {
    int64_t index[5] = {0};
    /* Of a transposed one, input and result change places. */
    const int64_t *from = c->transposed ? c->result : c->input, *windows = c->transposed ? c->input : c->result;
    int64_t total = 1;
    for (int64_t d = 0; d < c->dims + 2; d++)
        total *= windows[d];
    if (total == 0)
        return;
    do { /* every place of a window, and channel beside it */
        int64_t lines = c->weight[0] / c->groups, group = index[1] / lines, tap[5] = {0};
        tap[0] = index[1];
        int64_t rest[5] = {1, c->weight[1], c->weight[2], c->weight[3], c->weight[4]};
        int64_t first[5] = {0};
        if (c->weight[1] == 0)
            continue;
        do {
            int64_t place[5] = {index[0], group * c->weight[1] + first[1], 0, 0, 0};
            bool inside = true;
            for (int64_t d = 0; d < c->dims; d++) {
                place[2 + d] = index[2 + d] * c->stride[d] + first[2 + d] * c->dilation[d] - c->padding[d];
                inside = inside && place[2 + d] >= 0 && place[2 + d] < from[2 + d];
            }
            memcpy(tap + 1, first + 1, 4 * sizeof *tap);
            if (inside)
                body(to, c->transposed ? place : index, c->transposed ? index : place, tap);
        } while (next_index(c->dims + 2, rest, first));
    } while (next_index(c->dims + 2, windows, index));
}

typedef struct model_sums {
    const convolution_case *c;
    const tn_complex128 *input, *weight, *grad;
    int what; /* 0: the result; 1, 2: the gradients of input and weight */
    tn_complex128 *sums;
} model_sums;

static int64_t flat(int64_t ndim, const int64_t *sizes, const int64_t *index) {
    int64_t place = 0;
    for (int64_t d = 0; d < ndim; d++)
        place = place * sizes[d] + index[d];
    return place;
}

static void model_add(void *argument, const int64_t *result, const int64_t *input, const int64_t *weight) {
    model_sums *to = argument;
    const convolution_case *c = to->c;
    int64_t ndim = c->dims + 2, at_result = flat(ndim, c->result, result), at_input = flat(ndim, c->input, input);
    int64_t at_weight = flat(ndim, c->weight, weight);
    tn_complex128 a = to->what == 1 ? to->weight[at_weight] : to->input[at_input];
    tn_complex128 b = to->what == 0 ? to->weight[at_weight] : to->grad[at_result];
    if (to->what != 0) /* gradients are products with conjugates */
        a.imag = -a.imag;
    tn_complex128 *sum = to->sums + (to->what == 0 ? at_result : to->what == 1 ? at_input : at_weight);
    sum->real += a.real * b.real - a.imag * b.imag;
    sum->imag += a.real * b.imag + a.imag * b.real;
}

/* Whether a tensor has the sums of the model, rounded to its dtype; integers wrap. */
static void check_sums(const tn_tensor *got, const model_sums *sums, const tn_tensor *bias, const char *what, int64_t number) {
    int64_t index[5] = {0}, at = 0;
    CHECK(got);
    if (got->numel == 0)
        return;
    do {
        tn_complex128 exact = sums->sums[at++], value = number_at(got, index);
        if (bias) {
            tn_complex128 added = number_at(bias, &index[1]);
            exact.real += added.real;
            exact.imag += added.imag;
        }
        char rounded[16] = {0};
        if (tn_dtype_is_complex(got->dtype))
            tn_dtype_store(got->dtype, rounded, tn_scalar_complex(exact.real, exact.imag));
        else if (tn_dtype_is_floating(got->dtype))
            tn_dtype_store(got->dtype, rounded, tn_scalar_float(exact.real));
        else
            tn_dtype_store(TN_INT64, rounded, tn_scalar_int((int64_t)exact.real)); /* its low bytes */
        tn_complex128 want;
        tn_dtype_store(TN_COMPLEX128, &want, tn_dtype_load(got->dtype, rounded));
        if (want.real != value.real || want.imag != value.imag)
            test_fail(__FILE__, __LINE__, "case %lld, %s: %g%+gj, not %g%+gj, at %lld", (long long)number, what, value.real,
                      value.imag, want.real, want.imag, (long long)(at - 1));
    } while (next_index(got->ndim, got->sizes, index));
}

/* ---- cases */

static int64_t one_of(int64_t count, const int64_t *values) { return values[test_random_between(0, count - 1)]; }
#define ONE_OF(...) one_of((int64_t)(sizeof((int64_t[]){__VA_ARGS__}) / 8), (const int64_t[]){__VA_ARGS__})

static convolution_case random_case(void) {
    convolution_case c = {
        .dims = ONE_OF(1, 2, 2, 3), .groups = ONE_OF(1, 1, 1, 2, 3), .transposed = test_random_between(0, 2) == 0};
    int64_t from = ONE_OF(1, 2, 3, 9), to = ONE_OF(1, 2, 3, 9, 17);
    c.input[0] = c.result[0] = ONE_OF(0, 1, 1, 2, 3);
    c.input[1] = from * c.groups;
    c.result[1] = to * c.groups;
    c.weight[0] = c.transposed ? c.input[1] : c.result[1];
    c.weight[1] = c.transposed ? to : from;
    for (int64_t d = 0; d < c.dims; d++) {
        c.weight[2 + d] = ONE_OF(1, 1, 2, 3, 4);
        c.stride[d] = ONE_OF(1, 1, 2, 3);
        c.padding[d] = ONE_OF(0, 0, 1, 2);
        c.dilation[d] = ONE_OF(1, 1, 2, 3);
        c.output_padding[d] = c.transposed ? test_random_between(0, c.stride[d] - 1) : 0;
        int64_t reach = c.dilation[d] * (c.weight[2 + d] - 1) + 1;
        for (;;) {
            c.input[2 + d] = c.dims == 3 ? test_random_between(1, 4) : ONE_OF(1, 2, 4, 5, 7, 11);
            c.result[2 + d] = c.transposed ? (c.input[2 + d] - 1) * c.stride[d] - 2 * c.padding[d] + reach + c.output_padding[d]
                                           : (c.input[2 + d] + 2 * c.padding[d] - reach) / c.stride[d] + 1;
            if (c.transposed ? c.result[2 + d] > 0 : c.input[2 + d] + 2 * c.padding[d] >= reach)
                break;
            c.padding[d] = c.transposed ? 0 : c.padding[d] + 1;
        }
    }
    return c;
}

static tn_tensor *call_case(const convolution_case *c, const tn_tensor *input, const tn_tensor *weight, const tn_tensor *bias) {
    return tn_convolution(input, weight, bias, (tn_dims){c->stride, c->dims}, (tn_dims){c->padding, c->dims},
                          (tn_dims){c->dilation, c->dims}, c->transposed, (tn_dims){c->output_padding, c->dims}, c->groups);
}

static tn_complex128 *new_sums(const int64_t *sizes, int64_t ndim) {
    int64_t count = 1;
    for (int64_t d = 0; d < ndim; d++)
        count *= sizes[d];
    tn_tensor *sums = tn_zeros(TN_DIMS(count + 1), TN_COMPLEX128);
    CHECK(sums);
    return tn_mutable_data(sums);
}

/* A tensor's elements in order: the model reads each of them many times. */
static const tn_complex128 *numbers_of(const tn_tensor *x) {
    tn_complex128 *numbers = new_sums(x->sizes, x->ndim);
    int64_t index[5] = {0}, at = 0;
    if (x->numel > 0)
        do
            numbers[at++] = number_at(x, index);
        while (next_index(x->ndim, x->sizes, index));
    return numbers;
}

static void check_case(const convolution_case *c, tn_dtype dtype, int64_t number) {
    int64_t ndim = c->dims + 2;
    tn_tensor *input = laid_out(ndim, c->input, dtype, (int)test_random_between(0, LAYOUTS - 1));
    tn_tensor *weight = laid_out(ndim, c->weight, dtype, (int)test_random_between(0, LAYOUTS - 1));
    tn_tensor *bias = test_random_between(0, 1) ? whole_numbers(1, &c->result[1], dtype) : NULL;
    model_sums sums = {.c = c, .input = numbers_of(input), .weight = numbers_of(weight), .sums = new_sums(c->result, ndim)};
    model_products(c, model_add, &sums);
    tn_tensor *made = call_case(c, input, weight, bias);
    CHECK(made);
    for (int64_t d = 0; d < ndim; d++)
        CHECK_INT(made->sizes[d], c->result[d]);
    check_sums(made, &sums, bias, "result", number);
    /* to a given result of another layout */
    tn_tensor *out = laid_out(ndim, c->result, dtype, (int)test_random_between(0, GAPS));
    CHECK(tn_convolution_out(out, input, weight, bias, (tn_dims){c->stride, c->dims}, (tn_dims){c->padding, c->dims},
                             (tn_dims){c->dilation, c->dims}, c->transposed, (tn_dims){c->output_padding, c->dims}, c->groups));
    check_sums(out, &sums, bias, "out", number);
    /* gradients */
    tn_tensor *grad = laid_out(ndim, c->result, dtype, (int)test_random_between(0, LAYOUTS - 1));
    tn_list *grads = tn_convolution_backward(grad, input, weight, (tn_dims){&c->result[1], 1}, (tn_dims){c->stride, c->dims},
                                             (tn_dims){c->padding, c->dims}, (tn_dims){c->dilation, c->dims}, c->transposed,
                                             (tn_dims){c->output_padding, c->dims}, c->groups, TN_DIMS(1, 1, 1));
    CHECK(grads);
    const tn_complex128 *gradients = numbers_of(grad);
    for (int what = 1; what <= 2; what++) {
        model_sums back = {c, sums.input, sums.weight, gradients, what, new_sums(what == 1 ? c->input : c->weight, ndim)};
        model_products(c, model_add, &back);
        check_sums(tn_list_at(grads, what - 1), &back, NULL, what == 1 ? "grad_input" : "grad_weight", number);
    }
}

static void check_cases(int64_t count, const tn_dtype *dtypes, int64_t dtype_count) {
    for (int64_t i = 0; i < count; i++) {
        tn_scope scope = tn_scope_open();
        convolution_case c = random_case();
        check_case(&c, dtypes[i % dtype_count], i);
        tn_scope_close(scope);
    }
}

TEST_ONCE(convolutions_are_the_sums_over_their_windows) { /* seconds long */
    static const tn_dtype dtypes[] = {TN_FLOAT32, TN_FLOAT64, TN_FLOAT32, TN_INT64};
    check_cases(240, dtypes, 4);
}

TEST_ONCE(convolutions_of_every_dtype_are_accumulated_wide_and_rounded_once) { /* seconds long */
    static const tn_dtype dtypes[] = {TN_FLOAT16, TN_BFLOAT16, TN_COMPLEX64, TN_COMPLEX128, TN_INT8,  TN_UINT8,
                                      TN_INT16,   TN_INT32,    TN_UINT16,    TN_UINT32,     TN_UINT64};
    check_cases(220, dtypes, (int64_t)(sizeof dtypes / sizeof dtypes[0]));
}

TEST_SAMPLED(a_convolution_of_more_than_a_block_of_lines_windows_and_taps_is_right) {
    static const tn_dtype dtypes[] = {TN_FLOAT32, TN_BFLOAT16};
    for (int i = 0; i < 4; i++) {
        convolution_case c = {.dims = 2,
                              .groups = 1,
                              .stride = {1, 1},
                              .padding = {1, 1},
                              .dilation = {1, 1},
                              .input = {2, 70, 9, 11},
                              .weight = {70, 70, 3, 3},
                              .result = {2, 70, 9, 11},
                              .transposed = i >= 2};
        check_case(&c, dtypes[i % 2], i);
    }
}

/* Numbers of lines that fill vectors, or nearly; rows that end within a tile; several rounds of weights. */
TEST_ONCE(convolutions_with_many_lines_are_right_in_every_layout) { /* seconds long */
    static const int64_t lines[] = {48, 64, 60, 96, 45}, widths[] = {13, 8, 31, 70};
    static const tn_dtype dtypes[] = {TN_FLOAT32, TN_FLOAT64};
    for (int i = 0; i < 40; i++) {
        int64_t stride = 1 + i % 3 / 2, dilation = 1 + i % 4 / 3, padding = i % 3, kernel = i % 5 == 4 ? 1 : 3;
        int64_t height = 9, width = widths[i % 4], channels = i % 7 == 6 ? 70 : 19, reach = dilation * (kernel - 1);
        convolution_case c = {.dims = 2,
                              .groups = 1,
                              .stride = {stride, stride},
                              .padding = {padding, padding},
                              .dilation = {dilation, dilation},
                              .input = {1 + i % 2, channels, height, width},
                              .weight = {lines[i % 5], channels, kernel, kernel},
                              .result = {1 + i % 2, lines[i % 5], (height + 2 * padding - reach - 1) / stride + 1,
                                         (width + 2 * padding - reach - 1) / stride + 1}};
        check_case(&c, dtypes[i / 3 % 2], i);
    }
}

TEST_SAMPLED(planes_of_any_width_are_convolved_by_themselves) {
    static const int64_t widths[] = {7, 16, 17, 31, 33, 49, 64, 70, 140};
    static const tn_dtype dtypes[] = {TN_FLOAT32, TN_FLOAT64, TN_BFLOAT16};
    for (int i = 0; i < 54; i++) {
        int64_t stride = 1 + i % 2, width = widths[i / 2 % 9] * stride;
        convolution_case c = {.dims = 2,
                              .groups = 3,
                              .stride = {1, stride},
                              .padding = {1, 1},
                              .dilation = {1, 1},
                              .input = {1, 3, 4, width},
                              .weight = {3, 1, 3, 3},
                              .result = {1, 3, 4, (width - 1) / stride + 1}};
        check_case(&c, dtypes[i / 18], i);
    }
}

/* ---- layouts */

static bool has_channels_last(const tn_tensor *x) {
    return tn_geometry_is_channels_last_contiguous(x->ndim, x->sizes, x->strides);
}

TEST(a_result_has_its_channels_last_where_an_operand_has) {
    for (int of = 0; of < 4; of++)
        for (int64_t ndim = 4; ndim <= 5; ndim++) {
            const int64_t sizes[] = {2, 3, 4, 4, 4}, kernel[] = {5, 3, 2, 2, 2}, turned[] = {3, 5, 2, 2, 2};
            tn_tensor *x = laid_out(ndim, sizes, TN_FLOAT32, of & 1 ? CHANNELS_LAST : AS_ROWS);
            tn_tensor *w = laid_out(ndim, kernel, TN_FLOAT32, of & 2 ? CHANNELS_LAST : AS_ROWS);
            tn_tensor *v = laid_out(ndim, turned, TN_FLOAT32, of & 2 ? CHANNELS_LAST : AS_ROWS);
            tn_tensor *y = tn_convolution(x, w, NULL, TN_DIMS(1), TN_DIMS(0), TN_DIMS(1), false, TN_DIMS(0), 1);
            tn_tensor *z = tn_convolution(x, v, NULL, TN_DIMS(2), TN_DIMS(0), TN_DIMS(1), true, TN_DIMS(0), 1);
            CHECK(y && z);
            CHECK_INT(has_channels_last(y), of != 0);
            CHECK_INT(has_channels_last(z), of != 0);
            CHECK_INT(tn_is_contiguous(y), of == 0);
        }
}

TEST(images_of_one_dimension_follow_their_weights) {
    const int64_t sizes[] = {2, 3, 6}, kernel[] = {5, 3, 2};
    tn_tensor *x = laid_out(3, sizes, TN_FLOAT32, CHANNELS_LAST), *w = laid_out(3, kernel, TN_FLOAT32, AS_ROWS);
    tn_tensor *v = laid_out(3, kernel, TN_FLOAT32, CHANNELS_LAST);
    tn_tensor *y = tn_conv1d(x, w, NULL, TN_DIMS(1), TN_DIMS(0), TN_DIMS(1), 1);
    tn_tensor *z = tn_conv1d(x, v, NULL, TN_DIMS(1), TN_DIMS(0), TN_DIMS(1), 1);
    CHECK(y && z);
    CHECK(tn_is_contiguous(y));
    CHECK_INT(z->strides[1], 1);
    CHECK_INT(z->strides[2], 5);
}

TEST(a_result_may_be_written_where_an_operand_is_read) {
    const int64_t sizes[] = {1, 2, 4, 4}, kernel[] = {2, 2, 3, 3};
    tn_tensor *x = laid_out(4, sizes, TN_FLOAT32, AS_ROWS), *w = laid_out(4, kernel, TN_FLOAT32, AS_ROWS);
    tn_tensor *y = tn_convolution(x, w, NULL, TN_DIMS(1), TN_DIMS(1), TN_DIMS(1), false, TN_DIMS(0), 1);
    CHECK(y && tn_convolution_out(x, x, w, NULL, TN_DIMS(1), TN_DIMS(1), TN_DIMS(1), false, TN_DIMS(0), 1));
    CHECK(tn_equal(x, y));
}

/* ---- names */

TEST(a_convolution_has_a_name_for_each_number_of_dimensions_and_takes_an_input_without_a_batch) {
    for (int64_t dims = 1; dims <= 3; dims++) {
        const int64_t sizes[] = {1, 2, 5, 4, 3}, kernel[] = {2, 2, 2, 2, 2};
        tn_tensor *x = laid_out(dims + 2, sizes, TN_FLOAT32, AS_ROWS), *w = laid_out(dims + 2, kernel, TN_FLOAT32, AS_ROWS);
        tn_tensor *one = tn_select(x, 0, 0);
        tn_tensor *y = tn_convolution(x, w, NULL, TN_DIMS(2), TN_DIMS(1), TN_DIMS(1), false, TN_DIMS(0), 1);
        tn_tensor *z = tn_convolution(x, w, NULL, TN_DIMS(2), TN_DIMS(1), TN_DIMS(1), true, TN_DIMS(1), 1);
        tn_dims two = TN_DIMS(2), single = TN_DIMS(1);
        tn_tensor *plain = dims == 1   ? tn_conv1d(x, w, NULL, two, single, single, 1)
                           : dims == 2 ? tn_conv2d(x, w, NULL, two, single, single, 1)
                                       : tn_conv3d(x, w, NULL, two, single, single, 1);
        tn_tensor *alone = dims == 1   ? tn_conv1d(one, w, NULL, two, single, single, 1)
                           : dims == 2 ? tn_conv2d(one, w, NULL, two, single, single, 1)
                                       : tn_conv3d(one, w, NULL, two, single, single, 1);
        tn_tensor *turned = dims == 1   ? tn_conv_transpose1d(x, w, NULL, two, single, single, 1, single)
                            : dims == 2 ? tn_conv_transpose2d(x, w, NULL, two, single, single, 1, single)
                                        : tn_conv_transpose3d(x, w, NULL, two, single, single, 1, single);
        CHECK(y && z && plain && alone && turned);
        CHECK(tn_equal(plain, y));
        CHECK(tn_equal(tn_unsqueeze(alone, 0), y));
        CHECK(tn_equal(turned, z));
    }
}

TEST(padding_may_be_a_word) {
    const int64_t sizes[] = {2, 2, 6, 7}, kernel[] = {3, 2, 3, 4};
    tn_tensor *x = laid_out(4, sizes, TN_FLOAT32, AS_ROWS), *w = laid_out(4, kernel, TN_FLOAT32, AS_ROWS);
    tn_tensor *valid = tn_conv2d_padding(x, w, NULL, TN_DIMS(2), "valid", TN_DIMS(1), 1);
    tn_tensor *none = tn_conv2d(x, w, NULL, TN_DIMS(2), TN_DIMS(0), TN_DIMS(1), 1);
    tn_tensor *same = tn_conv2d_padding(x, w, NULL, TN_DIMS(1), "same", TN_DIMS(2, 1), 1);
    tn_tensor *wide =
        tn_conv2d(tn_constant_pad_nd(x, TN_DIMS(1, 2, 2, 2), 0), w, NULL, TN_DIMS(1), TN_DIMS(0), TN_DIMS(2, 1), 1);
    CHECK(valid && none && same && wide);
    CHECK(tn_equal(valid, none));
    CHECK_INT(same->sizes[2], 6);
    CHECK_INT(same->sizes[3], 7);
    CHECK(tn_equal(same, wide));
    CHECK_ERROR(TN_ERROR_ARGUMENT, "padding 'same' is for a stride of 1, and stride is [2]",
                tn_conv2d_padding(x, w, NULL, TN_DIMS(2), "same", TN_DIMS(1), 1));
    CHECK_ERROR(TN_ERROR_ARGUMENT, "padding 'full' must be 'same', 'valid' or numbers",
                tn_conv2d_padding(x, w, NULL, TN_DIMS(1), "full", TN_DIMS(1), 1));
}

TEST(conv_tbc_is_conv1d_with_its_dimensions_in_another_order) {
    const int64_t sizes[] = {5, 2, 3}, kernel[] = {2, 3, 4}, channels[] = {4};
    tn_tensor *x = laid_out(3, sizes, TN_FLOAT32, AS_ROWS), *w = laid_out(3, kernel, TN_FLOAT32, AS_ROWS);
    tn_tensor *bias = whole_numbers(1, channels, TN_FLOAT32);
    tn_tensor *y = tn_conv_tbc(x, w, bias, 1);
    tn_tensor *z = tn_conv1d(tn_permute(x, TN_DIMS(1, 2, 0)), tn_permute(w, TN_DIMS(2, 1, 0)), bias, TN_DIMS(1), TN_DIMS(1),
                             TN_DIMS(1), 1);
    CHECK(y && z && tn_is_contiguous(y));
    CHECK(tn_equal(y, tn_permute(z, TN_DIMS(2, 0, 1))));
    CHECK_ERROR(TN_ERROR_SHAPE, "weight [4] float32 must have 3 dimensions", tn_conv_tbc(x, bias, bias, 0));
}

/* ---- what follows */

/* Tiles go along the last dimension, whichever that is. */
TEST_SAMPLED(a_convolution_of_a_column_has_the_bits_of_one_of_a_line) {
    for (int stride = 1; stride < 3; stride++)
        for (int transposed = 0; transposed < 2; transposed++) {
            tn_scope scope = tn_scope_open();
            tn_tensor *x = tn_randn(TN_DIMS(2, 6, 40), TN_FLOAT32, NULL), *w = tn_randn(TN_DIMS(6, 3, 5), TN_FLOAT32, NULL);
            tn_tensor *line = tn_convolution(x, w, NULL, TN_DIMS(stride), TN_DIMS(2), TN_DIMS(1), transposed, TN_DIMS(0), 2);
            tn_tensor *column = tn_convolution(tn_unsqueeze(x, 3), tn_unsqueeze(w, 3), NULL, TN_DIMS(stride, 1), TN_DIMS(2, 0),
                                               TN_DIMS(1, 1), transposed, TN_DIMS(0, 0), 2);
            CHECK(line && column && tn_equal(tn_unsqueeze(line, 3), column));
            tn_dims wanted = TN_DIMS(1, 1, 1);
            tn_list *gradients = tn_convolution_backward(line, x, w, TN_DIMS(tn_size(line, 1)), TN_DIMS(stride), TN_DIMS(2),
                                                         TN_DIMS(1), transposed, TN_DIMS(0), 2, wanted);
            tn_list *others =
                tn_convolution_backward(column, tn_unsqueeze(x, 3), tn_unsqueeze(w, 3), TN_DIMS(tn_size(line, 1)),
                                        TN_DIMS(stride, 1), TN_DIMS(2, 0), TN_DIMS(1, 1), transposed, TN_DIMS(0, 0), 2, wanted);
            CHECK(gradients && others && tn_equal(tn_unsqueeze(tn_list_at(gradients, 0), 3), tn_list_at(others, 0)));
            CHECK(tn_equal(tn_unsqueeze(tn_list_at(gradients, 1), 3), tn_list_at(others, 1)));
            tn_scope_close(scope);
        }
}

TEST(bias_and_activation_follow_before_sums_are_rounded) {
    static const char *const names[] = {"none", "relu", "gelu", "gelu_tanh", "silu", "tanh", "sigmoid"};
    const int64_t sizes[] = {2, 3, 5, 5}, kernel[] = {4, 3, 3, 3}, channels[] = {4};
    for (int how = AS_ROWS; how <= CHANNELS_LAST; how++) {
        tn_tensor *x = laid_out(4, sizes, TN_FLOAT32, how), *w = laid_out(4, kernel, TN_FLOAT32, how);
        tn_tensor *bias = whole_numbers(1, channels, TN_FLOAT32);
        x = tn_div_scalar(x, 8);
        tn_tensor *y = x ? tn_conv2d(x, w, bias, TN_DIMS(1), TN_DIMS(1), TN_DIMS(1), 1) : NULL;
        CHECK(y);
        tn_tensor *expected[] = {y,          tn_relu(y), tn_gelu(y),   tn_gelu_approximate(y, "tanh"),
                                 tn_silu(y), tn_tanh(y), tn_sigmoid(y)};
        for (int i = 0; i < 7; i++) {
            tn_tensor *z = tn_convolution_fused(x, w, bias, TN_DIMS(1), TN_DIMS(1), TN_DIMS(1), false, TN_DIMS(0), 1, names[i]);
            CHECK(z && expected[i] && tn_equal(z, expected[i]));
        }
    }
    tn_tensor *whole = tn_ones(TN_DIMS(1, 1, 3), TN_INT64);
    CHECK(whole);
    CHECK_ERROR(TN_ERROR_DTYPE, "activation 'relu' is for floats",
                tn_convolution_fused(whole, whole, NULL, TN_DIMS(1), TN_DIMS(0), TN_DIMS(1), false, TN_DIMS(0), 1, "relu"));
    CHECK_ERROR(TN_ERROR_ARGUMENT, "activation 'swish' must be",
                tn_convolution_fused(whole, whole, NULL, TN_DIMS(1), TN_DIMS(0), TN_DIMS(1), false, TN_DIMS(0), 1, "swish"));
}

/* ---- nothing to add up */

TEST(a_batch_of_none_and_images_without_channels_are_ordinary) {
    tn_tensor *none = tn_empty(TN_DIMS(0, 2, 4, 4), TN_FLOAT32), *w = tn_ones(TN_DIMS(3, 2, 2, 2), TN_FLOAT32);
    tn_tensor *y = tn_conv2d(none, w, NULL, TN_DIMS(1), TN_DIMS(0), TN_DIMS(1), 1);
    CHECK(y);
    CHECK_INT(y->sizes[0], 0);
    CHECK_INT(y->sizes[1], 3);
    CHECK_INT(y->sizes[3], 3);
    tn_list *grads = tn_convolution_backward(y, none, w, TN_DIMS(3), TN_DIMS(1), TN_DIMS(0), TN_DIMS(1), false, TN_DIMS(0), 1,
                                             TN_DIMS(1, 1, 1));
    CHECK(grads);
    CHECK_INT(tn_numel(tn_list_at(grads, 0)), 0);
    CHECK(tn_equal(tn_list_at(grads, 1), tn_zeros(TN_DIMS(3, 2, 2, 2), TN_FLOAT32)));
    CHECK(tn_equal(tn_list_at(grads, 2), tn_zeros(TN_DIMS(3), TN_FLOAT32)));
    tn_tensor *hollow = tn_empty(TN_DIMS(2, 0, 4, 4), TN_FLOAT32), *v = tn_empty(TN_DIMS(3, 0, 2, 2), TN_FLOAT32);
    tn_tensor *bias = tn_full(TN_DIMS(3), 5, TN_FLOAT32);
    tn_tensor *z = tn_conv2d(hollow, v, bias, TN_DIMS(1), TN_DIMS(0), TN_DIMS(1), 1);
    CHECK(z && tn_equal(z, tn_full(TN_DIMS(2, 3, 3, 3), 5, TN_FLOAT32)));
}

TEST(a_gradient_that_is_not_wanted_is_an_empty_tensor) {
    const int64_t sizes[] = {1, 2, 5}, kernel[] = {2, 2, 2}, result[] = {1, 2, 4};
    tn_tensor *x = laid_out(3, sizes, TN_FLOAT32, AS_ROWS), *w = laid_out(3, kernel, TN_FLOAT32, AS_ROWS);
    tn_tensor *g = laid_out(3, result, TN_FLOAT32, AS_ROWS);
    for (int64_t mask = 0; mask < 8; mask++) {
        const int64_t wanted[] = {mask & 1, mask >> 1 & 1, mask >> 2};
        tn_list *grads = tn_convolution_backward(g, x, w, (tn_dims){NULL, 0}, TN_DIMS(1), TN_DIMS(0), TN_DIMS(1), false,
                                                 TN_DIMS(0), 1, (tn_dims){wanted, 3});
        CHECK(grads);
        CHECK_INT(tn_numel(tn_list_at(grads, 0)), wanted[0] ? 10 : 0);
        CHECK_INT(tn_numel(tn_list_at(grads, 1)), wanted[1] ? 8 : 0);
        CHECK_INT(tn_numel(tn_list_at(grads, 2)), wanted[2] ? 2 : 0);
    }
    CHECK_ERROR(
        TN_ERROR_ARGUMENT, "output_mask [1, 1] must say of three gradients",
        tn_convolution_backward(g, x, w, TN_DIMS(2), TN_DIMS(1), TN_DIMS(0), TN_DIMS(1), false, TN_DIMS(0), 1, TN_DIMS(1, 1)));
    CHECK_ERROR(TN_ERROR_ARGUMENT, "bias_sizes [3] must be that of a vector of 2 channels",
                tn_convolution_backward(g, x, w, TN_DIMS(3), TN_DIMS(1), TN_DIMS(0), TN_DIMS(1), false, TN_DIMS(0), 1,
                                        TN_DIMS(1, 1, 1)));
    CHECK_ERROR(TN_ERROR_SHAPE, "grad_output [1, 2, 4] float32 must have the sizes of the result of the convolution, [1, 2, 6]",
                tn_convolution_backward(g, x, w, TN_DIMS(2), TN_DIMS(1), TN_DIMS(1), TN_DIMS(1), false, TN_DIMS(0), 1,
                                        TN_DIMS(1, 1, 1)));
    CHECK_ERROR(
        TN_ERROR_ARGUMENT, "weight_size [2, -2, 2] must have no negative size",
        tn_convolution_backward_weight(g, x, TN_DIMS(2, -2, 2), TN_DIMS(1), TN_DIMS(1), TN_DIMS(1), false, TN_DIMS(0), 1));
}

TEST(a_transposed_convolution_may_be_padded_by_more_than_a_stride_and_still_has_gradients) {
    convolution_case c = {.dims = 1,
                          .groups = 1,
                          .stride = {1},
                          .padding = {0},
                          .dilation = {3},
                          .output_padding = {2},
                          .input = {2, 2, 4},
                          .weight = {2, 3, 2},
                          .result = {2, 3, 9},
                          .transposed = true};
    check_case(&c, TN_FLOAT32, 0);
}

/* ---- what is refused */

TEST(sizes_that_do_not_fit_are_named_with_their_formula) {
    tn_tensor *x = tn_ones(TN_DIMS(1, 4, 5, 5), TN_FLOAT32), *w = tn_ones(TN_DIMS(2, 4, 3, 3), TN_FLOAT32);
    tn_tensor *v = tn_ones(TN_DIMS(4, 2, 3, 3), TN_FLOAT32), *flat_weight = tn_ones(TN_DIMS(2, 4, 3), TN_FLOAT32);
    CHECK(x && w && v && flat_weight);
    tn_dims one = TN_DIMS(1), zero = TN_DIMS(0);
#define PLAIN(input, weight, bias, stride, padding, dilation, groups)                                                          \
    tn_convolution(input, weight, bias, stride, padding, dilation, false, zero, groups)
#define TURNED(input, weight, stride, padding, dilation, extra, groups)                                                        \
    tn_convolution(input, weight, NULL, stride, padding, dilation, true, extra, groups)
    CHECK_ERROR(TN_ERROR_SHAPE, "input [1, 4, 5, 5] float32 has 4 channels, and weight [4, 2, 3, 3] is for 2, its second size",
                PLAIN(x, v, NULL, one, zero, one, 1));
    CHECK_ERROR(TN_ERROR_SHAPE, "2 is not a multiple of 3", PLAIN(x, w, NULL, one, zero, one, 3));
    CHECK_ERROR(TN_ERROR_SHAPE, "the channels of input [1, 4, 5, 5] float32 must divide by groups: 4 is not a multiple of 3",
                PLAIN(x, tn_ones(TN_DIMS(3, 1, 3, 3), TN_FLOAT32), NULL, one, zero, one, 3));
    CHECK_ERROR(TN_ERROR_ARGUMENT, "groups must be 1 or more, not 0", PLAIN(x, w, NULL, one, zero, one, 0));
    CHECK_ERROR(TN_ERROR_ARGUMENT, "padding [-1] must not be negative: -1 is", PLAIN(x, w, NULL, one, TN_DIMS(-1), one, 1));
    CHECK_ERROR(TN_ERROR_ARGUMENT, "stride [1, 0] must not be below 1: 0 is", PLAIN(x, w, NULL, TN_DIMS(1, 0), zero, one, 1));
    CHECK_ERROR(TN_ERROR_ARGUMENT, "dilation [0] must not be below 1: 0 is", PLAIN(x, w, NULL, one, zero, zero, 1));
    CHECK_ERROR(TN_ERROR_ARGUMENT, "must not be so large", PLAIN(x, w, NULL, one, TN_DIMS(INT64_MAX), one, 1));
    CHECK_ERROR(TN_ERROR_ARGUMENT, "stride [1, 1, 1] must be one number, or one for each of the 2 dimensions of an image",
                PLAIN(x, w, NULL, TN_DIMS(1, 1, 1), zero, one, 1));
    CHECK_ERROR(TN_ERROR_SHAPE,
                "it reaches over dilation * (kernel - 1) + 1 = 3 * (3 - 1) + 1, and size + 2 * padding = 5 + 2 * 0",
                PLAIN(x, w, NULL, one, zero, TN_DIMS(1, 3), 1));
    CHECK_ERROR(TN_ERROR_SHAPE, "bias [3] float32 must be a vector with one element for each of the 2 channels",
                PLAIN(x, w, tn_ones(TN_DIMS(3), TN_FLOAT32), one, zero, one, 1));
    CHECK_ERROR(TN_ERROR_SHAPE, "must have as many dimensions as weight [2, 4, 3]",
                PLAIN(x, flat_weight, NULL, one, zero, one, 1));
    CHECK_ERROR(TN_ERROR_SHAPE, "weight has 2 dimensions: it must have 3, 4 or 5",
                PLAIN(x, tn_select(flat_weight, 0, 0), NULL, one, zero, one, 1));
    CHECK_ERROR(TN_ERROR_SHAPE, "weight [0, 4, 3, 3] makes no channels",
                PLAIN(x, tn_ones(TN_DIMS(0, 4, 3, 3), TN_FLOAT32), NULL, one, zero, one, 1));
    CHECK_ERROR(TN_ERROR_SHAPE, "a kernel of size 0 in dimension 1 of images",
                PLAIN(x, tn_ones(TN_DIMS(2, 4, 3, 0), TN_FLOAT32), NULL, one, zero, one, 1));
    CHECK_ERROR(TN_ERROR_SHAPE, "has images of size 0 in dimension 2",
                PLAIN(tn_ones(TN_DIMS(1, 4, 0, 5), TN_FLOAT32), w, NULL, one, TN_DIMS(3), one, 1));
    CHECK_ERROR(TN_ERROR_SHAPE, "its first size", TURNED(x, w, one, zero, one, zero, 1));
    CHECK_ERROR(TN_ERROR_SHAPE, "and the second", TURNED(x, tn_ones(TN_DIMS(4, 0, 3, 3), TN_FLOAT32), one, zero, one, zero, 1));
    CHECK_ERROR(TN_ERROR_ARGUMENT, "output_padding 1 must be below stride 1 or below dilation 1 in dimension 0",
                TURNED(x, v, one, zero, one, one, 1));
    CHECK_ERROR(TN_ERROR_SHAPE, "= (5 - 1) * 1 - 2 * 4 + 1 * (3 - 1) + 0 + 1", TURNED(x, v, one, TN_DIMS(4), one, zero, 1));
    CHECK_ERROR(TN_ERROR_SHAPE, "weight [2, 4, 3] float32 must have 4 dimensions",
                tn_conv2d(x, flat_weight, NULL, one, zero, one, 1));
    CHECK_ERROR(TN_ERROR_SHAPE, "must have 4 dimensions, or 3 without a batch",
                tn_conv2d(tn_select(tn_select(x, 0, 0), 0, 0), w, NULL, one, zero, one, 1));
    CHECK_ERROR(TN_ERROR_SHAPE, "no kernel that could be padded for",
                tn_conv2d_padding(x, tn_ones(TN_DIMS(2, 4, 3, 0), TN_FLOAT32), NULL, one, "same", one, 1));
    CHECK_ERROR(TN_ERROR_DTYPE, "must have the same dtype", PLAIN(x, tn_to(w, TN_FLOAT64), NULL, one, zero, one, 1));
    CHECK_ERROR(TN_ERROR_DTYPE, "must have the same dtype", PLAIN(x, w, tn_ones(TN_DIMS(2), TN_FLOAT64), one, zero, one, 1));
    CHECK_ERROR(TN_ERROR_DTYPE, "are bool", PLAIN(tn_to(x, TN_BOOL), tn_to(w, TN_BOOL), NULL, one, zero, one, 1));
#undef PLAIN
#undef TURNED
}

/* ---- threads and memory */

TEST_ONCE(the_bits_of_convolutions_do_not_depend_on_the_number_of_threads) { /* threads */
    static const int64_t counts[] = {1, 2, 3, 5, 8};
    int64_t before = tn_num_threads();
    for (int form = 0; form < 6; form++) {
        bool last = form & 1, depthwise = form >= 4, transposed = form / 2 == 1;
        CHECK(tn_manual_seed(7) == TN_OK);
        tn_tensor *x = tn_randn(TN_DIMS(2, 24, 23, 21), TN_FLOAT32, NULL);
        tn_tensor *w = tn_randn(TN_DIMS(24, depthwise ? 1 : 24, 3, 3), TN_FLOAT32, NULL);
        x = last ? tn_contiguous(x, TN_CHANNELS_LAST) : x;
        tn_tensor *first = NULL;
        tn_list *first_back = NULL;
        for (int i = 0; i < 5; i++) {
            CHECK(tn_set_num_threads(counts[i]) == TN_OK);
            int64_t groups = depthwise ? 24 : 1;
            tn_tensor *y = tn_convolution(x, w, NULL, TN_DIMS(2), TN_DIMS(1), TN_DIMS(1), transposed, TN_DIMS(0), groups);
            CHECK(y);
            tn_list *back = tn_convolution_backward(y, x, w, TN_DIMS(24), TN_DIMS(2), TN_DIMS(1), TN_DIMS(1), transposed,
                                                    TN_DIMS(0), groups, TN_DIMS(1, 1, 1));
            CHECK(back);
            first = first ? first : y;
            first_back = first_back ? first_back : back;
            CHECK(tn_equal(first, y));
            for (int k = 0; k < 3; k++)
                CHECK(tn_equal(tn_list_at(first_back, k), tn_list_at(back, k)));
        }
    }
    CHECK(tn_set_num_threads(before) == TN_OK);
}

#ifndef TN_SMALL_LIMITS
TEST_ONCE(a_convolution_needs_little_memory_beside_its_tensors) { /* megabytes of numbers */
    tn_tensor *x = tn_ones(TN_DIMS(1, 64, 56, 56), TN_FLOAT32), *w = tn_ones(TN_DIMS(64, 64, 3, 3), TN_FLOAT32);
    CHECK(x && w);
    tn_memory_stats before = {.struct_size = sizeof before}, after = {.struct_size = sizeof after};
    CHECK(tn_memory_stats_of(TN_CPU, &before) == TN_OK);
    tn_memory_reset_peaks(TN_CPU);
    tn_tensor *y = tn_conv2d(x, w, NULL, TN_DIMS(1), TN_DIMS(1), TN_DIMS(1), 1);
    CHECK(y && tn_memory_stats_of(TN_CPU, &after) == TN_OK);
    int64_t tensors = 4 * (tn_numel(x) + tn_numel(w) + tn_numel(y)), peak = after.bytes.peak - before.bytes.current;
    CHECK(peak + 4 * (tn_numel(x) + tn_numel(w)) <= tensors + tensors / 5);
}
#endif

/* columns.c - im2col and col2im against loops over every element, for windows, layouts and dtypes by chance; and what they refuse. */
#include "test.h"

#include "tensor/tensor.h"

typedef struct columns_case {
    int64_t batch, channels, size[2], kernel[2], dilation[2], padding[2], stride[2], places[2];
} columns_case;

static columns_case random_columns(void) {
    columns_case c = {.batch = test_random_between(0, 2), .channels = test_random_between(1, 3)};
    for (int d = 0; d < 2; d++) {
        c.kernel[d] = test_random_between(1, 3);
        c.dilation[d] = test_random_between(1, 2);
        c.padding[d] = test_random_between(0, 3);
        c.stride[d] = test_random_between(1, 3);
        int64_t reach = c.dilation[d] * (c.kernel[d] - 1) + 1;
        c.size[d] = test_random_between(reach > 2 * c.padding[d] ? reach - 2 * c.padding[d] : 1, 8);
        c.places[d] = (c.size[d] + 2 * c.padding[d] - reach) / c.stride[d] + 1;
    }
    return c;
}

static double *columns_element(double *images, const columns_case *c, int64_t n, int64_t channel, int64_t row, int64_t column) {
    bool inside = row >= 0 && row < c->size[0] && column >= 0 && column < c->size[1];
    return inside ? images + ((n * c->channels + channel) * c->size[0] + row) * c->size[1] + column : NULL;
}

/* Columns from images, or (back) added to images; both row by row. */
static void columns_model(const columns_case *c, double *images, double *columns, bool back) {
    for (int64_t n = 0; n < c->batch; n++)
        for (int64_t channel = 0; channel < c->channels; channel++)
            for (int64_t i = 0; i < c->kernel[0]; i++)
                for (int64_t j = 0; j < c->kernel[1]; j++)
                    for (int64_t y = 0; y < c->places[0]; y++)
                        for (int64_t x = 0; x < c->places[1]; x++, columns++) {
                            double *element =
                                columns_element(images, c, n, channel, y * c->stride[0] + i * c->dilation[0] - c->padding[0],
                                                x * c->stride[1] + j * c->dilation[1] - c->padding[1]);
                            if (!back)
                                *columns = element ? *element : 0;
                            else if (element)
                                *element += *columns;
                        }
}

static double *numbers(int64_t count, bool random) {
    tn_tensor *memory = tn_zeros(TN_DIMS(count + 1), TN_FLOAT64);
    CHECK(memory);
    double *made = tn_mutable_data(memory);
    for (int64_t i = 0; random && i < count; i++)
        made[i] = (double)test_random_between(0, 3);
    return made;
}

static tn_tensor *columns_tensor(const double *from, int64_t ndim, const int64_t *sizes, tn_dtype dtype, int how) {
    tn_tensor *x = tn_to(tn_from_memory(from, (tn_dims){sizes, ndim}, TN_FLOAT64, TN_BORROW), dtype);
    x = x && dtype == TN_FLOAT64 ? tn_clone(x, TN_CONTIGUOUS) : x;
    if (how == 1) /* the last dimension first in memory */
        x = tn_movedim(tn_contiguous(tn_movedim(x, TN_DIMS(ndim - 1), TN_DIMS(0)), TN_CONTIGUOUS), TN_DIMS(0),
                       TN_DIMS(ndim - 1));
    else if (how == 2)
        x = tn_flip(tn_contiguous(tn_flip(x, TN_DIMS(ndim - 1)), TN_CONTIGUOUS), TN_DIMS(ndim - 1));
    CHECK(x);
    return x;
}

static void columns_check(tn_dtype dtype) {
    columns_case c = random_columns();
    int64_t image_sizes[] = {c.batch, c.channels, c.size[0], c.size[1]};
    int64_t column_sizes[] = {c.batch, c.channels * c.kernel[0] * c.kernel[1], c.places[0] * c.places[1]};
    int64_t image_count = c.batch * c.channels * c.size[0] * c.size[1],
            column_count = c.batch * column_sizes[1] * column_sizes[2];
    double *images = numbers(image_count, true), *columns = numbers(column_count, false);
    double *given = numbers(column_count, true), *sums = numbers(image_count, false);
    columns_model(&c, images, columns, false);
    columns_model(&c, sums, given, true);
    bool alone = c.batch == 1 && test_random_between(0, 1);
    int how = (int)test_random_between(0, 2);
    tn_tensor *x = columns_tensor(images + 0, 4 - alone, image_sizes + alone, dtype, how);
    tn_tensor *made =
        tn_im2col(x, (tn_dims){c.kernel, 2}, (tn_dims){c.dilation, 2}, (tn_dims){c.padding, 2}, (tn_dims){c.stride, 2});
    CHECK(made);
    CHECK(tn_equal(made, columns_tensor(columns, 3 - alone, column_sizes + alone, dtype, 0)));
    tn_tensor *y = columns_tensor(given, 3 - alone, column_sizes + alone, dtype, how);
    tn_tensor *back = tn_col2im(y, (tn_dims){c.size, 2}, (tn_dims){c.kernel, 2}, (tn_dims){c.dilation, 2},
                                (tn_dims){c.padding, 2}, (tn_dims){c.stride, 2});
    CHECK(back);
    CHECK(tn_equal(back, columns_tensor(sums, 4 - alone, image_sizes + alone, dtype, 0)));
    tn_tensor *out = columns_tensor(images, 4 - alone, image_sizes + alone, dtype, how);
    CHECK(tn_col2im_out(out, y, (tn_dims){c.size, 2}, (tn_dims){c.kernel, 2}, (tn_dims){c.dilation, 2}, (tn_dims){c.padding, 2},
                        (tn_dims){c.stride, 2}));
    CHECK(tn_equal(out, back));
}

TEST_SAMPLED(columns_are_what_windows_show_and_images_the_sums_of_columns) {
    static const tn_dtype dtypes[] = {TN_FLOAT32, TN_FLOAT64, TN_BFLOAT16,  TN_FLOAT16,
                                      TN_INT64,   TN_UINT8,   TN_COMPLEX64, TN_COMPLEX128};
    for (int i = 0; i < 120; i++) {
        tn_scope scope = tn_scope_open();
        columns_check(dtypes[i % 8]);
        tn_scope_close(scope);
    }
}

TEST(columns_of_bools_are_bools) {
    tn_tensor *x = tn_ones(TN_DIMS(1, 1, 3, 3), TN_BOOL);
    tn_tensor *columns = tn_im2col(x, TN_DIMS(2), TN_DIMS(1), TN_DIMS(0), TN_DIMS(1));
    tn_tensor *back = tn_col2im(columns, TN_DIMS(3), TN_DIMS(2), TN_DIMS(1), TN_DIMS(0), TN_DIMS(1));
    CHECK(back && tn_equal(back, x));
}

TEST(windows_that_do_not_fit_are_refused_with_their_numbers) {
    tn_tensor *x = tn_ones(TN_DIMS(1, 2, 4, 4), TN_FLOAT32), *columns = tn_ones(TN_DIMS(1, 8, 9), TN_FLOAT32);
    tn_dims one = TN_DIMS(1), zero = TN_DIMS(0), two = TN_DIMS(2);
    CHECK(x && columns);
    CHECK_ERROR(TN_ERROR_SHAPE, "must have 4 dimensions",
                tn_im2col(columns ? tn_select(tn_select(x, 0, 0), 0, 0) : NULL, two, one, zero, one));
    CHECK_ERROR(TN_ERROR_SHAPE, "no size of 0 but that of the batch",
                tn_im2col(tn_empty(TN_DIMS(1, 0, 4, 4), TN_FLOAT32), two, one, zero, one));
    CHECK_ERROR(TN_ERROR_SHAPE, "= 2 * (3 - 1) + 1, and size + 2 * padding = 4 + 2 * 0",
                tn_im2col(x, TN_DIMS(3), two, zero, one));
    CHECK_ERROR(TN_ERROR_ARGUMENT, "kernel_size [0] must not be below 1", tn_im2col(x, zero, one, zero, one));
    CHECK_ERROR(TN_ERROR_ARGUMENT, "padding [-1] must not be negative", tn_im2col(x, two, one, TN_DIMS(-1), one));
    CHECK_ERROR(TN_ERROR_SHAPE, "must have 3 dimensions", tn_col2im(x, TN_DIMS(4), two, one, zero, one));
    CHECK_ERROR(TN_ERROR_SHAPE, "8 is not a multiple of 3 * 3", tn_col2im(columns, TN_DIMS(4), TN_DIMS(3), one, zero, one));
    CHECK_ERROR(TN_ERROR_SHAPE, "4 * 4, not 9", tn_col2im(columns, TN_DIMS(5), two, one, zero, one));
    CHECK_ERROR(TN_ERROR_ARGUMENT, "output_size [0] must not be below 1", tn_col2im(columns, zero, two, one, zero, one));
}

/* index_job.c - what picks elements by position, as jobs of a device: the CPU's bits over strides and dtypes, and failures that change
 * nothing. */
#include "toy_jobs.h"

enum { PICKED = 40 };

static tn_tensor *numbers(tn_dims sizes, tn_dtype dtype, int64_t from) {
    int64_t count = 1;
    for (int64_t d = 0; d < sizes.count; d++)
        count *= sizes.values[d];
    tn_tensor *counted = tn_remainder_scalar(tn_arange_start(from, from + 3 * count, 3, TN_INT64), 11);
    return tn_to(tn_reshape(counted, sizes), dtype);
}

static tn_tensor *positions(const char *text, tn_dtype dtype) { return tn_from_text(text, dtype); }

/* Sizes (3, 4), in one of several layouts. */
static tn_tensor *arranged(const tn_tensor *base, int layout) { /* base is (6, 8) */
    switch (layout) {
    case 0: return tn_contiguous(tn_slice(tn_slice(base, 0, 0, 3, 1), 1, 0, 4, 1), TN_CONTIGUOUS);
    case 1: return tn_slice(tn_slice(base, 0, 0, 6, 2), 1, 1, 8, 2);
    case 2: return tn_t(tn_slice(tn_slice(base, 0, 0, 4, 1), 1, 2, 5, 1));
    case 3: return tn_as_strided(base, TN_DIMS(3, 4), TN_DIMS(-8, -1), 40);
    default: return tn_expand(tn_slice(tn_select(base, 0, 1), 0, 0, 4, 1), TN_DIMS(3, 4));
    }
}

typedef struct inputs {
    tn_tensor *base, *values, *rows, *columns, *each, *flat, *mask, *one, *number;
} inputs;

static inputs inputs_on(const inputs *from, int32_t type) {
    inputs moved;
    tn_tensor *const *in = (tn_tensor *const *)from;
    tn_tensor **out = (tn_tensor **)&moved;
    for (size_t i = 0; i < sizeof moved / sizeof *out; i++) {
        out[i] = tn_to_device(in[i], TN_DEVICE(type, 0));
        CHECK(out[i]);
    }
    return moved;
}

/* Reads: `self` may be in any layout. */
static int64_t pick_all(const inputs *in, const tn_tensor *self, tn_tensor **made) {
    int64_t n = 0;
    made[n++] = tn_index_select(self, 0, in->rows);
    made[n++] = tn_index_select(self, 1, in->columns);
    made[n++] = tn_gather(self, 1, in->each);
    made[n++] = tn_take(self, in->flat);
    made[n++] = tn_take_along_dim(self, tn_select(tn_unsqueeze(in->columns, 0), 0, 0), TN_NONE);
    made[n++] = tn_take_along_dim(self, tn_unsqueeze(in->columns, 0), 1);
    made[n++] = tn_embedding(self, in->each, -1, false, false);
    made[n++] = tn_index(self, TN_PICK(in->rows));
    made[n++] = tn_index(self, TN_PICK(in->rows), TN_PICK(in->columns));
    made[n++] = tn_index(self, TN_ALL, TN_PICK(in->columns));
    made[n++] = tn_index(self, TN_PICK(in->mask));
    made[n++] = tn_index(self, TN_PICK(tn_select(in->mask, 1, 1)), TN_RANGE(1, TN_END));
    made[n++] = tn_index(self, TN_PICK(in->one), TN_PICK(in->columns));
    made[n++] = tn_index(self, TN_WHEN(true), TN_PICK(in->rows));
    made[n++] = tn_index(self, TN_WHEN(true));
    made[n++] = tn_index(self, TN_WHEN(false), TN_AT(1));
    made[n++] = tn_masked_select(self, in->mask);
    made[n++] = tn_masked_select(tn_select(self, 0, 0), in->mask);
    made[n++] = tn_masked_select(tn_select(tn_select(self, 0, 0), 0, 1), tn_select(tn_select(in->mask, 0, 0), 0, 0));
    CHECK(n <= PICKED);
    return n;
}

/* Writes: each into a copy of its own that lies as `self` does. */
static int64_t put_all(const inputs *in, const tn_tensor *self, tn_tensor **made) {
    const tn_tensor *values = tn_t(tn_slice(in->values, 0, 0, 4, 1)); /* (3, 4) */
    const tn_tensor *two = tn_slice(values, 0, 0, 2, 1);
    int64_t n = 0;
    made[n++] = tn_index_copy(self, 0, in->rows, two);
    made[n++] = tn_index_fill_tensor(self, 1, in->columns, in->number);
    made[n++] = tn_index_fill(self, 0, in->rows, 2);
    made[n++] = tn_scatter(self, 1, in->each, values);
    made[n++] = tn_scatter_value(self, 1, in->each, 3);
    made[n++] = tn_put(self, in->flat, tn_slice(tn_select(values, 0, 0), 0, 0, 3, 1), false);
    made[n++] = tn_masked_scatter(self, in->mask, values);
    made[n++] = tn_index_put(self, TN_INDEX(TN_PICK(in->rows)), two, false);
    made[n++] = tn_index_put(self, TN_INDEX(TN_PICK(in->rows), TN_PICK(in->columns)),
                             tn_slice(tn_select(values, 1, 0), 0, 0, 2, 1), false);
    made[n++] = tn_index_put(self, TN_INDEX(TN_PICK(in->one)), tn_select(values, 0, 1), false);
    made[n] = tn_clone(self, TN_PRESERVE);
    made[n] = tn_setitem_(made[n], TN_INDEX(TN_PICK(in->mask)), in->number);
    n++;
    made[n] = tn_clone(self, TN_PRESERVE);
    made[n] = tn_setitem_scalar_(made[n], TN_INDEX(TN_ALL, TN_PICK(in->columns)), 5);
    n++;
    CHECK(n <= PICKED);
    return n;
}

/* Sums and their like, for dtypes that have them. */
static int64_t combine_all(const inputs *in, const tn_tensor *self, tn_tensor **made) {
    static const char *const names[] = {"sum", "prod", "mean", "amax", "amin"};
    const tn_tensor *values = tn_t(tn_slice(in->values, 0, 0, 4, 1)), *two = tn_slice(values, 0, 0, 2, 1);
    int64_t n = 0;
    made[n++] = tn_index_add(self, 0, in->rows, two, 2);
    made[n++] = tn_scatter_add(self, 1, in->each, values);
    made[n++] = tn_scatter_reduction(self, 1, in->each, values, "multiply");
    made[n++] = tn_put(self, in->flat, tn_slice(tn_select(values, 0, 0), 0, 0, 3, 1), true);
    made[n++] = tn_index_put(self, TN_INDEX(TN_PICK(in->rows)), two, true);
    made[n++] = tn_index_put(self, TN_INDEX(TN_PICK(in->one)), tn_select(values, 0, 1), true);
    for (int i = 0; i < 5 && !tn_dtype_is_complex(tn_dtype_of(self)); i++) {
        if (tn_dtype_of(self) == TN_BOOL && i == 2)
            continue;
        made[n++] = tn_scatter_reduce(self, 1, in->each, values, names[i], true);
        made[n++] = tn_scatter_reduce(self, 1, in->each, values, names[i], false);
        if (i > 0)
            made[n++] = tn_index_reduce(self, 0, in->rows, two, names[i], false);
    }
    CHECK(n <= PICKED);
    return n;
}

static void check_everywhere(const inputs *here, const inputs *there, int layout,
                             int64_t (*all)(const inputs *, const tn_tensor *, tn_tensor **)) {
    tn_tensor *made[PICKED], *far[PICKED];
    int64_t count = all(here, arranged(here->base, layout), made);
    CHECK_INT(all(there, arranged(there->base, layout), far), count);
    for (int64_t i = 0; i < count; i++)
        same_there(__FILE__, __LINE__, i, made[i], far[i]);
}

TEST_SAMPLED(positions_pick_on_a_device_what_they_pick_on_the_cpu) {
    int32_t type = backend_begin(whole);
    static const tn_dtype dtypes[] = {TN_FLOAT32,    TN_INT8,   TN_BOOL,        TN_FLOAT16,
                                      TN_COMPLEX128, TN_UINT16, TN_FLOAT8_E5M2, TN_INT64};
    static const tn_dtype index_dtypes[] = {TN_INT64, TN_INT32, TN_UINT16, TN_INT16};
    for (size_t d = 0; d < sizeof dtypes / sizeof dtypes[0]; d++)
        for (int layout = 0; layout < 5; layout++) {
            tn_scope scope = tn_scope_open();
            tn_dtype of = index_dtypes[(d + (size_t)layout) % 4];
            inputs here = {.base = numbers(TN_DIMS(6, 8), dtypes[d], 1),
                           .values = numbers(TN_DIMS(5, 3), dtypes[d], 2),
                           .rows = positions("[2, 0]", of),
                           .columns = positions("[3, 1]", of),
                           .each = tn_t(positions("[[0, 1, 2], [1, 1, 0]]", of)),
                           .flat = positions("[11, 0, 5]", of),
                           .mask = tn_gt_scalar(numbers(TN_DIMS(3, 4), TN_INT64, 5), 4),
                           .one = tn_scalar_tensor(1, of),
                           .number = tn_to(tn_scalar_tensor(1, TN_INT64), dtypes[d])};
            inputs there = inputs_on(&here, type);
            check_everywhere(&here, &there, layout, pick_all);
            check_everywhere(&here, &there, layout, put_all);
            if (dtypes[d] != TN_FLOAT8_E5M2)
                check_everywhere(&here, &there, layout, combine_all);
            CHECK_TEXT(tn_error_message(), "");
            CHECK(tn_scope_close(scope) == TN_OK);
        }
    CHECK(jobs_done[TN_JOB_INDEX] > 500);
}

/* Elements that share places, negative positions, and one byte from one element to the next. */
TEST(places_that_are_shared_and_positions_from_the_end_are_written_on_a_device) {
    int32_t type = backend_begin(whole);
    tn_tensor *made[2][5];
    for (int side = 0; side < 2; side++) {
        tn_device device = TN_DEVICE(side ? type : TN_CPU, 0);
        tn_tensor *x = tn_to_device(tn_arange(6, TN_UINT8), device), *back = tn_to_device(TN_VECTOR(int64_t, -1, 1), device);
        tn_tensor *wide = tn_expand(tn_to_device(TN_VECTOR(float, 1, 2, 3), device), TN_DIMS(2, 3));
        tn_tensor *one = tn_to_device(tn_scalar_tensor(9, TN_FLOAT32), device);
        CHECK(x && back && wide && one);
        made[side][0] = tn_index_fill(x, 0, back, 7);
        made[side][1] = tn_setitem_(tn_clone(x, TN_PRESERVE), TN_INDEX(TN_PICK(back)), tn_slice(x, 0, 2, 4, 1));
        made[side][2] = tn_put(x, back, tn_slice(x, 0, 2, 4, 1), true);
        made[side][3] = tn_index_put_(wide, TN_INDEX(TN_ALL, TN_PICK(back)), one, false);
        made[side][4] = tn_one_hot(tn_to(tn_slice(x, 0, 0, 3, 1), TN_INT64), -1);
    }
    for (int i = 0; i < 5; i++)
        same_there(__FILE__, __LINE__, i, made[0][i], made[1][i]);
}

TEST(a_position_that_is_out_of_range_is_found_on_a_device_before_anything_is_written) {
    int32_t type = backend_begin(whole);
    tn_tensor *x = tn_to_device(tn_arange(6, TN_FLOAT32), TN_DEVICE(type, 0));
    tn_tensor *bad = tn_to_device(TN_VECTOR(int64_t, 0, 6), TN_DEVICE(type, 0));
    tn_tensor *out = tn_to_device(tn_full(TN_DIMS(2), 8, TN_FLOAT32), TN_DEVICE(type, 0)), *two = tn_slice(x, 0, 4, 6, 1);
    tn_tensor *none = tn_empty_device(TN_DIMS(6, 0), TN_FLOAT32, TN_DEVICE(type, 0));
    static const char said[] = "position 6 is out of range for dimension 0 of size 6";
    CHECK(x && bad && out && two && none);
    CHECK_ERROR(TN_ERROR_INDEX, said, tn_index_select(x, 0, bad));
    CHECK_ERROR(TN_ERROR_INDEX, said, tn_gather_out(out, x, 0, bad));
    CHECK_ERROR(TN_ERROR_INDEX, said, tn_index_select(none, 0, bad)); /* nothing would be read */
    CHECK_ERROR(TN_ERROR_INDEX, said, tn_index(x, TN_PICK(bad)));
    CHECK_ERROR(TN_ERROR_INDEX, said, tn_scatter_(x, 0, bad, two));
    CHECK_ERROR(TN_ERROR_INDEX, said, tn_index_add_(x, 0, bad, two, 1));
    CHECK_ERROR(TN_ERROR_INDEX, said, tn_scatter_reduce_(x, 0, bad, two, "mean", false));
    CHECK_ERROR(TN_ERROR_INDEX, said, tn_index_put_(x, TN_INDEX(TN_PICK(bad)), two, false));
    CHECK_ERROR(TN_ERROR_INDEX, said, tn_put_(x, bad, two, false));
    CHECK(tn_equal(tn_to_device(x, TN_DEVICE_CPU), tn_arange(6, TN_FLOAT32)));
    CHECK(tn_equal(tn_to_device(out, TN_DEVICE_CPU), tn_full(TN_DIMS(2), 8, TN_FLOAT32)));
    next_answer = TN_ERROR_IO;
    CHECK_ERROR(TN_ERROR_IO, "gather: the backend of device type \"toy\" failed in an index job (index_read)",
                tn_gather(x, 0, tn_slice(bad, 0, 0, 1, 1)));
    next_answer = TN_OK;
}

TEST(tensors_of_an_index_are_where_self_is) {
    int32_t type = backend_begin(whole);
    tn_tensor *x = tn_to_device(tn_arange(6, TN_FLOAT32), TN_DEVICE(type, 0)), *rows = TN_VECTOR(int64_t, 0, 2);
    tn_tensor *far = tn_to_device(rows, TN_DEVICE(type, 0)), *two = TN_VECTOR(float, 1, 2), *here = tn_arange(6, TN_FLOAT32);
    CHECK(x && rows && far && two && here);
    CHECK_ERROR(TN_ERROR_DEVICE, "move one of them", tn_index(x, TN_PICK(rows)));
    CHECK_ERROR(TN_ERROR_DEVICE, "move one of them", tn_setitem_(x, TN_INDEX(TN_PICK(rows)), two));
    CHECK_ERROR(TN_ERROR_DEVICE, "source on cpu", tn_setitem_(x, TN_INDEX(TN_PICK(far)), two));
    CHECK_ERROR(TN_ERROR_DEVICE, "a tensor of the index on toy", tn_setitem_(here, TN_INDEX(TN_PICK(far)), two));
    CHECK(tn_backend_unregister(type) == TN_OK);
    tn_backend less = whole;
    less.struct_size = sizeof less;
    less.index = NULL;
    CHECK(tn_backend_register(type, &less) == TN_OK);
    CHECK_ERROR(TN_ERROR_DEVICE, "does no index jobs, which index_select needs", tn_index_select(x, 0, far));
    CHECK_ERROR(TN_ERROR_DEVICE, "does no index jobs", tn_index(x, TN_PICK(far)));
    CHECK(tn_index(x, TN_RANGE(1, 3))); /* a view needs none */
}

TEST(an_index_job_that_is_wrong_is_refused_by_the_cpu) {
    float data[4] = {1, 2, 3, 4}, out[2] = {0, 0};
    int64_t at[2] = {3, -1}, size = 2, stride = 1, still = 0;
    tn_job_operand operand[3] = {{out, &stride, TN_DEVICE_CPU, TN_FLOAT32, TN_FLOAT32, TN_DTYPE_DEFAULT},
                                 {data, &still, TN_DEVICE_CPU, TN_FLOAT32, TN_FLOAT32, TN_DTYPE_DEFAULT},
                                 {at, &stride, TN_DEVICE_CPU, TN_INT64, TN_INT64, TN_DTYPE_DEFAULT}};
    tn_job job = {.struct_size = sizeof job,
                  .kind = TN_JOB_INDEX,
                  .kernel = "index_read",
                  .ndim = 1,
                  .sizes = &size,
                  .results = 1,
                  .operands = 3,
                  .operand = operand,
                  .step = sizeof(float),
                  .limit = 4,
                  .wraps = true};
    CHECK(tn_job_run_on_cpu(&job) == TN_OK);
    CHECK(out[0] == 4 && out[1] == 4);
    job.wraps = false;
    CHECK_ERROR(TN_ERROR_INDEX, "position -1", tn_job_run_on_cpu(&job) == TN_OK);
    job.kernel = "softmax";
    CHECK_ERROR(TN_ERROR_UNSUPPORTED, "no index job \"softmax\"", tn_job_run_on_cpu(&job) == TN_OK);
    job.kernel = NULL;
    CHECK_ERROR(TN_ERROR_UNSUPPORTED, "no index job", tn_job_run_on_cpu(&job) == TN_OK);
    job.kernel = "index_check";
    CHECK_ERROR(TN_ERROR_ARGUMENT, "has 0 result(s) and 1 operand(s)", tn_job_run_on_cpu(&job) == TN_OK);
    job.kernel = "index_add";
    operand[2].dtype = TN_FLOAT64;
    CHECK_ERROR(TN_ERROR_DTYPE, "do not go together", tn_job_run_on_cpu(&job) == TN_OK);
    operand[2].dtype = TN_INT64;
    operand[0].dtype = operand[1].dtype = TN_FLOAT16;
    CHECK_ERROR(TN_ERROR_DTYPE, "\"index_add\" for float16", tn_job_run_on_cpu(&job) == TN_OK);
}

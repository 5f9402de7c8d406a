/* backend.c - devices that take jobs: every operator that becomes jobs gives on the toy what it gives on the CPU; and the
 * errors where a backend cannot. The operators are found in the table, so a new row is tested without a line here.
 *
 * Tests: src/ops/job.c, src/ops/pointwise/pointwise_job.c, src/ops/reduce/reduce_job.c */
#include "table_trials.h"
#include "toy_jobs.h"

TEST(a_chain_on_a_device_is_jobs_and_gives_the_cpus_bits) {
    int32_t type = backend_begin(whole);
    tn_tensor *here = tn_reshape(tn_arange(24, TN_FLOAT32), TN_DIMS(2, 3, 4));
    tn_tensor *there = tn_to_device(here, TN_DEVICE(type, 0));
    CHECK(there);
    CHECK_INT(tn_device_of(there).type, type);
    CHECK_INT(jobs_done[TN_JOB_COPY], 1);
    tn_tensor *sides[2] = {here, there}, *made[2];
    for (int i = 0; i < 2; i++) {
        tn_tensor *turned = tn_permute(sides[i], TN_DIMS(2, 0, 1));
        tn_tensor *row = tn_flip(tn_select(turned, 0, 1), TN_DIMS(1));
        made[i] = tn_sum_dim(tn_add_scalar(tn_mul(turned, row), 0.5), TN_DIMS(0, 2), true, TN_FLOAT64);
        CHECK(made[i]);
    }
    CHECK_INT(jobs_done[TN_JOB_POINTWISE], 2);
    CHECK_INT(jobs_done[TN_JOB_REDUCE], 1);
    CHECK(same_bits(made[0], tn_to_device(made[1], TN_DEVICE_CPU)));
}

/* ---- every row */

static void check_same(const tn_operator *op, tn_dtype dtype, const tn_tensor *cpu, const tn_tensor *device) {
    tn_tensor *back = tn_to_device(device, TN_DEVICE_CPU);
    CHECK(back);
    bool fused = strcmp(tn_operator_base(op), "cross_entropy_loss") == 0; /* one pass on the CPU, which rounds less often */
    if (fused ? !tn_allclose(cpu, back, 0.02, 0.02, false) : !same_bits(cpu, back))
        test_fail(__FILE__, __LINE__, "%s of %s differs on the device", tn_operator_name(op), tn_dtype_name(dtype));
}

static bool becomes_jobs(const tn_operator *op) { return op->jobs || op->flags & TNI_OPERATOR_COMPOSITE; }

TEST_SAMPLED(every_operator_that_becomes_jobs_gives_on_a_device_what_it_gives_on_the_cpu) {
    trial_walk walk = {.type = backend_begin(whole), .serves = becomes_jobs, .check = check_same};
    trial_every_row(&walk);
    CHECK(walk.rows - walk.composites > 600 && walk.compared > 2 * (walk.rows - walk.composites));
    CHECK(walk.composed > 20);
}

TEST(whole_numbers_are_compared_as_numbers_with_one_of_a_device) {
    int32_t type = backend_begin(whole);
    tn_tensor *x = tn_to_device(TN_VECTOR(int8_t, -128, 44, 127), TN_DEVICE(type, 0));
    tn_tensor *large = tn_to_device(tn_scalar_tensor(300, TN_INT64), TN_DEVICE(type, 0)); /* 44 in 8 bits */
    tn_tensor *real = tn_to_device(tn_scalar_tensor(44.5, TN_FLOAT32), TN_DEVICE(type, 0));
    CHECK(x && large && real);
    CHECK_INT(tn_item_int64(tn_to_device(tn_sum(tn_lt(x, large), TN_INT64), TN_DEVICE_CPU)), 3);
    CHECK_INT(tn_item_int64(tn_to_device(tn_sum(tn_eq(large, x), TN_INT64), TN_DEVICE_CPU)), 0);
    CHECK_INT(tn_item_int64(tn_to_device(tn_sum(tn_gt(large, x), TN_INT64), TN_DEVICE_CPU)), 3);
    CHECK_INT(tn_item_int64(tn_to_device(tn_sum(tn_gt(x, real), TN_INT64), TN_DEVICE_CPU)), 1);
}

TEST(composite_operators_are_the_jobs_of_their_parts) {
    int32_t type = backend_begin(whole);
    tn_tensor *x = tn_rand(TN_DIMS(3, 4), TN_FLOAT32, NULL), *far = tn_to_device(x, TN_DEVICE(type, 0));
    tn_tensor *weight = tn_empty(TN_DIMS(4, 2, 3), TN_FLOAT32), *far_weight = tn_to_device(weight, TN_DEVICE(type, 0));
    tn_tensor *out = tn_to_device(tn_empty(TN_DIMS(0), TN_FLOAT64), TN_DEVICE(type, 0));
    CHECK(x && far && weight && far_weight && out);
    int before = jobs_done[TN_JOB_POINTWISE];
    check_same(tn_operator_find("diff"), TN_FLOAT32, tn_diff(x, 2, 1, NULL, NULL), tn_diff(far, 2, 1, NULL, NULL));
    CHECK_INT(jobs_done[TN_JOB_POINTWISE], before + 2);
    CHECK(tn_diff_out(out, far, 1, 0, NULL, NULL));
    check_same(tn_operator_find("diff_out"), TN_FLOAT64, tn_to(tn_diff(x, 1, 0, NULL, NULL), TN_FLOAT64), out);
    CHECK(tn_dirac_(weight, 2) && tn_dirac_(far_weight, 2));
    check_same(tn_operator_find("dirac_"), TN_FLOAT32, weight, far_weight);
    CHECK_DOUBLE(tn_get_double(weight, TN_DIMS(3, 1, 1)), 1);
    CHECK(tn_eye_(x) && tn_eye_(far) && tn_manual_seed(3) == TN_OK && tn_orthogonal_(x, 2, NULL));
    CHECK(tn_manual_seed(3) == TN_OK && tn_orthogonal_(far, 2, NULL)); /* drawn on the CPU, and copied */
    check_same(tn_operator_find("orthogonal_"), TN_FLOAT32, x, far);
    CHECK(tn_equal(far, tn_clone(far, TN_PRESERVE)) && !tn_equal(far, tn_neg(far)) && !tn_equal(far, tn_t(far)));
    CHECK(tn_allclose(far, tn_mul_scalar(far, 1.000001), 1e-5, 1e-8, false) && tn_error_code() == TN_OK);
    CHECK(!tn_allclose(far, tn_mul_scalar(far, 1.1), 1e-5, 1e-8, false) && tn_error_code() == TN_OK);
    check_same(tn_operator_find("softmin"), TN_FLOAT32, tn_softmin(x, 1, TN_DTYPE_DEFAULT),
               tn_softmin(far, 1, TN_DTYPE_DEFAULT));
    CHECK_ERROR(TN_ERROR_DEVICE, "argwhere: ", tn_argwhere(far)); /* nonzero is not a job */
}

/* ---- the edges */

enum { MOVED = 26 };

/* Operators that join and move elements of tensors that are all on one device. */
static void move_all(const tn_tensor *x, const tn_tensor *c, tn_tensor **made) {
    const tn_tensor *row = tn_select(x, 0, 1), *turned = tn_t(x), *number = tn_select(row, 0, 0), *half = tn_to(x, TN_FLOAT16);
    tn_tensor *images = tn_contiguous(tn_expand(tn_view(x, TN_DIMS(1, 2, 1, 3)), TN_DIMS(2, 2, 2, 3)), TN_CHANNELS_LAST);
    int64_t n = 0;
    CHECK(row && turned && number && half && images);
    made[n++] = tn_cat(TENSORS(x, half, tn_flip(x, TN_DIMS(1))), -1);
    made[n++] = tn_cat(TENSORS(images, images), 1);
    made[n++] = tn_stack(TENSORS(x, tn_t(tn_t(x))), 1);
    made[n++] = tn_stack(TENSORS(images, images, images), 0);
    made[n++] = tn_hstack(TENSORS(number, row, number));
    made[n++] = tn_vstack(TENSORS(row, x));
    made[n++] = tn_dstack(TENSORS(x, x));
    made[n++] = tn_column_stack(TENSORS(tn_select(x, 1, 0), x));
    made[n++] = tn_block_diag(TENSORS(x, row, number, turned));
    made[n++] = tn_cartesian_prod(TENSORS(row, row, row));
    made[n++] = tn_repeat(turned, TN_DIMS(2, 1, 3));
    made[n++] = tn_tile(x, TN_DIMS(2));
    made[n++] = tn_repeat_interleave(turned, 3, TN_NONE, TN_NONE);
    made[n++] = tn_repeat_interleave(x, 2, 1, TN_NONE);
    made[n++] = tn_roll(x, TN_DIMS(1, -2), TN_DIMS(0, 1));
    made[n++] = tn_roll(turned, TN_DIMS(2), TN_DIMS());
    made[n++] = tn_pad(x, TN_DIMS(1, 2, -1, 3), "constant", 7);
    made[n++] = tn_pad(x, TN_DIMS(-1, 0), "constant", 0);
    made[n++] = tn_pad(images, TN_DIMS(1, 2, 1, 0), "reflect", tn_scalar_none());
    made[n++] = tn_pad(turned, TN_DIMS(2, 1, 1, 2), "replicate", tn_scalar_none());
    made[n++] = tn_pad(x, TN_DIMS(3, -2), "circular", tn_scalar_none());
    made[n++] = tn_diag_embed(x, -1, 0, 2);
    made[n++] = tn_diag(x, 1);
    made[n++] = tn_diagflat(turned, 1);
    made[n++] = tn_kron(turned, row);
    made[n++] = tn_mH(c);
    CHECK_INT(n, MOVED);
}

TEST(joining_and_moving_are_copies_and_fills_on_a_device) {
    int32_t type = backend_begin(whole);
    tn_tensor *x = tn_reshape(tn_arange(6, TN_FLOAT32), TN_DIMS(2, 3)), *here[MOVED], *there[MOVED];
    tn_tensor *c = tn_complex(x, tn_add_scalar(x, 1));
    CHECK(x && c);
    move_all(x, c, here);
    move_all(tn_to_device(x, TN_DEVICE(type, 0)), tn_to_device(c, TN_DEVICE(type, 0)), there);
    for (int i = 0; i < MOVED; i++) {
        CHECK(here[i] && there[i]);
        CHECK_INT(tn_device_of(there[i]).type, type);
        CHECK_TEXT(tn_error_message(), "");
        tn_tensor *back = tn_to_device(there[i], TN_DEVICE_CPU);
        CHECK(back);
        if (!same_bits(here[i], back))
            test_fail(__FILE__, __LINE__, "call %d differs on the device", i);
    }
    CHECK(jobs_done[TN_JOB_COPY] > MOVED && jobs_done[TN_JOB_FILL] > 4);
    tn_tensor *out = tn_empty_device(TN_DIMS(0), TN_FLOAT32, TN_DEVICE(type, 0)), *far = tn_to_device(x, TN_DEVICE(type, 0));
    CHECK(out && far && tn_vstack_out(out, TENSORS(far, far)) == out && tn_kron_out(out, far, far) == out);
    tn_tensor *product = tn_kron(x, x), *back = tn_to_device(out, TN_DEVICE_CPU);
    CHECK(product && back && same_bits(product, back));
    next_answer = TN_ERROR_MEMORY;
    CHECK_ERROR(TN_ERROR_MEMORY, "cat", tn_cat(TENSORS(far, far), 0));
    CHECK_ERROR(TN_ERROR_MEMORY, "pad", tn_pad(far, TN_DIMS(1, 1), "constant", 0));
    CHECK_ERROR(TN_ERROR_MEMORY, "pad", tn_pad(far, TN_DIMS(3, -2), "circular", tn_scalar_none()));
    CHECK_ERROR(TN_ERROR_MEMORY, "block_diag", tn_block_diag(TENSORS(far, far)));
    next_answer = TN_OK;
}

TEST(numbers_of_no_dimensions_on_the_cpu_go_with_tensors_of_a_device) {
    int32_t type = backend_begin(whole);
    tn_tensor *there = tn_to_device(TN_VECTOR(float, 1, 2, 3), TN_DEVICE(type, 0));
    tn_tensor *number = tn_scalar_tensor(10, TN_FLOAT64);
    tn_tensor *sum = tn_add(number, there);
    CHECK(sum);
    CHECK_INT(tn_device_of(sum).type, type);
    CHECK_INT(tn_dtype_of(sum), TN_FLOAT32);
    tn_tensor *back = tn_to_device(sum, TN_DEVICE_CPU);
    CHECK(back);
    CHECK_DOUBLE(tn_get_double(back, TN_DIMS(2)), 13);
    CHECK_ERROR(TN_ERROR_DEVICE, "move one of them", tn_add(TN_VECTOR(float, 1, 2, 3), there));
}

TEST(fills_and_tensors_like_others_are_jobs_too) {
    int32_t type = backend_begin(whole);
    tn_tensor *there =
        tn_zeros_like(tn_empty_device(TN_DIMS(2, 3), TN_INT16, TN_DEVICE(type, 0)), TN_DTYPE_DEFAULT, TN_PRESERVE);
    CHECK(there);
    CHECK(tn_fill_(tn_select(tn_t(there), 0, 1), 7));
    tn_tensor *back = tn_to_device(there, TN_DEVICE_CPU);
    CHECK(back);
    CHECK_DOUBLE(tn_get_double(back, TN_DIMS(0, 0)), 0);
    CHECK_DOUBLE(tn_get_double(back, TN_DIMS(1, 1)), 7);
    CHECK_INT(jobs_done[TN_JOB_FILL], 2);
}

TEST(a_copy_inside_a_device_that_overlaps_reads_before_it_writes) {
    int32_t type = backend_begin(whole);
    tn_tensor *there = tn_to_device(tn_arange(6, TN_INT64), TN_DEVICE(type, 0));
    CHECK(there && tn_copy_(tn_slice(there, 0, 1, 6, 1), tn_slice(there, 0, 0, 5, 1)));
    tn_tensor *back = tn_to_device(there, TN_DEVICE_CPU);
    CHECK(back);
    for (int64_t i = 1; i < 6; i++)
        CHECK_DOUBLE(tn_get_double(back, TN_DIMS(i)), (double)(i - 1));
}

TEST(tensors_without_elements_need_no_job) {
    int32_t type = backend_begin(whole);
    tn_tensor *there = tn_empty_device(TN_DIMS(0, 3), TN_FLOAT32, TN_DEVICE(type, 0));
    CHECK(there && tn_exp(there) && tn_add(there, there) && tn_clone(there, TN_PRESERVE) && tn_fill_(there, 1));
    CHECK_INT(jobs_done[TN_JOB_COPY] + jobs_done[TN_JOB_FILL] + jobs_done[TN_JOB_POINTWISE], 0);
    tn_tensor *sum = tn_sum_dim(there, TN_DIMS(0), false, TN_DTYPE_DEFAULT); /* a sum of nothing is 0 */
    CHECK(sum);
    CHECK_DOUBLE(tn_get_double(tn_to_device(sum, TN_DEVICE_CPU), TN_DIMS(1)), 0);
}

TEST(a_job_that_fails_is_the_operators_failure) {
    int32_t type = backend_begin(whole);
    tn_tensor *there = tn_to_device(TN_VECTOR(float, 1, 2), TN_DEVICE(type, 0));
    CHECK(there);
    next_answer = TN_ERROR_IO;
    CHECK_ERROR(TN_ERROR_IO, "exp: the backend of device type \"toy\" failed in a pointwise job (exp)", tn_exp(there));
    CHECK_ERROR(TN_ERROR_IO, "in a reduce job (sum)", tn_sum(there, TN_DTYPE_DEFAULT));
    CHECK_ERROR(TN_ERROR_IO, "in a copy job", tn_clone(there, TN_PRESERVE));
    CHECK_ERROR(TN_ERROR_IO, "in a fill job", tn_fill_(there, 1));
    CHECK_ERROR(TN_ERROR_IO, "in a pointwise job", tn_frexp(there));
}

TEST(without_an_entry_the_fallback_serves_and_without_that_an_error_says_which) {
    int32_t type = backend_begin((tn_backend){.copy = toy_job, .pointwise = toy_job});
    tn_tensor *there = tn_to_device(TN_VECTOR(float, 1, 2, 4), TN_DEVICE(type, 0));
    CHECK(there && tn_neg(there));
    CHECK_ERROR(TN_ERROR_DEVICE, "reduce", tn_sum(there, TN_DTYPE_DEFAULT));
    CHECK_ERROR(TN_ERROR_DEVICE, "fill", tn_fill_(there, 1));
    CHECK(tn_fallback_register(type, TN_KERNEL(tn_fallback_to_cpu, NULL)) == TN_OK);
    TEST_DEFER(toy_drop_fallback, NULL);
    tn_tensor *sum = tn_sum(there, TN_DTYPE_DEFAULT);
    CHECK(sum);
    CHECK_INT(tn_device_of(sum).type, type);
    CHECK_DOUBLE(tn_get_double(tn_to_device(sum, TN_DEVICE_CPU), TN_DIMS()), 7);
}

/* On a device that does copy jobs but no fill jobs, too: the number is copied to every place. */
TEST(parts_are_assigned_numbers_and_tensors_of_any_device) {
    for (int fills = 0; fills < 2; fills++) {
        tn_scope scope = tn_scope_open();
        int32_t type = backend_begin((tn_backend){.copy = toy_job, .fill = fills ? toy_job : NULL});
        tn_tensor *there = tn_to_device(tn_zeros(TN_DIMS(3, 2), TN_INT16), TN_DEVICE(type, 0));
        tn_tensor *row = tn_to_device(TN_VECTOR(float, 5, 6), TN_DEVICE(type, 0)), *number = tn_scalar_tensor(7, TN_INT64);
        tn_tensor *one = tn_to_device(number, TN_DEVICE(type, 0)), *here = tn_zeros(TN_DIMS(2), TN_FLOAT64);
        CHECK(there && row && number && one && here);
        CHECK(tn_setitem_text_scalar_(there, "0", 1) && tn_setitem_scalar_(there, TN_INDEX(TN_ALL, TN_AT(1)), 2));
        CHECK_INT(jobs_done[TN_JOB_FILL], fills ? 2 : 0);
        CHECK(tn_setitem_text_(there, "1", row) && tn_setitem_text_(there, "2, 0", number));
        tn_tensor *back = tn_to_device(there, TN_DEVICE_CPU);
        CHECK(tn_equal(back, tn_from_text("[[1, 2], [5, 6], [7, 2]]", TN_INT16)));
        CHECK(tn_setitem_text_(here, "...", row) && tn_equal(here, tn_from_text("[5, 6]", TN_FLOAT64)));
        CHECK(tn_fill_tensor_(here, one) && tn_equal(here, tn_from_text("[7, 7]", TN_FLOAT64)));
        CHECK(tn_fill_tensor_(there, number) && tn_fill_tensor_(there, one) && tn_fill_tensor(there, number));
        CHECK(tn_equal(tn_to_device(tn_fill_tensor(there, one), TN_DEVICE_CPU), tn_full(TN_DIMS(3, 2), 7, TN_INT16)));
        tn_tensor *tall = tn_zeros(TN_DIMS(7, 2), TN_INT16), *far = tn_to_device(tall, TN_DEVICE(type, 0));
        CHECK(tn_fill_diagonal_(tall, 3, true) && tn_fill_diagonal_(far, 3, true));
        CHECK(tn_equal(tn_to_device(far, TN_DEVICE_CPU), tall));
        CHECK_ERROR(TN_ERROR_DTYPE, "does not fit", tn_setitem_text_scalar_(there, "0", tn_scalar_complex(0, 1)));
        CHECK(tn_backend_unregister(type) == TN_OK);
        CHECK_ERROR(TN_ERROR_DEVICE, "cannot be copied", tn_setitem_text_scalar_(there, "0", 1));
        CHECK(tn_scope_close(scope) == TN_OK);
        toy_no_device(NULL);
    }
}

static tn_error own_neg(void *ctx, const tn_frame *frame, tn_values arguments, tn_value *result) {
    ++*(int *)ctx;
    return tn_redispatch(frame, arguments, result);
}

TEST(a_registered_kernel_comes_before_jobs_and_may_pass_on_to_them) {
    int calls = 0, type = backend_begin(whole);
    CHECK(tn_kernel_register("neg", type, TN_KERNEL(own_neg, &calls)) == TN_OK);
    TEST_DEFER(toy_drop_kernel, (void *)(uintptr_t) "neg");
    tn_tensor *there = tn_to_device(TN_VECTOR(float, 1, 2), TN_DEVICE(type, 0));
    CHECK(there);
    int before = jobs_done[TN_JOB_POINTWISE];
    tn_tensor *made = tn_neg(there);
    CHECK(made);
    CHECK_INT(calls, 1);
    CHECK_INT(jobs_done[TN_JOB_POINTWISE], before + 1);
}

TEST(registering_a_backend_is_checked) {
    int32_t type = toy_device();
    CHECK(type >= TN_DEVICE_USER);
    TEST_DEFER(toy_no_device, NULL);
    tn_backend backend = whole;
    CHECK_ERROR(TN_ERROR_ARGUMENT, "struct_size 0", tn_backend_register(type, &backend) == TN_OK);
    backend.struct_size = sizeof backend;
    CHECK_ERROR(TN_ERROR_ARGUMENT, "backend is NULL", tn_backend_register(type, NULL) == TN_OK);
    CHECK_ERROR(TN_ERROR_DEVICE, "is the CPU", tn_backend_register(TN_CPU, &backend) == TN_OK);
    CHECK_ERROR(TN_ERROR_DEVICE, "does not exist", tn_backend_register(TN_META - 1, &backend) == TN_OK);
    CHECK_ERROR(TN_ERROR_DEVICE, "does not exist", tn_backend_register(99, &backend) == TN_OK);
    CHECK_ERROR(TN_ERROR_STATE, "has no backend", tn_backend_unregister(type) == TN_OK);
    CHECK(tn_backend_register(type, &backend) == TN_OK);
    TEST_DEFER(toy_drop_backend, NULL);
    CHECK_ERROR(TN_ERROR_STATE, "already has a backend", tn_backend_register(type, &backend) == TN_OK);
    backend.struct_size = offsetof(tn_backend, reduce); /* an older one */
    CHECK(tn_backend_unregister(type) == TN_OK && tn_backend_register(type, &backend) == TN_OK);
    tn_tensor *there = tn_to_device(TN_VECTOR(float, 1, 2), TN_DEVICE(type, 0));
    CHECK(there && tn_neg(there));
    CHECK_ERROR(TN_ERROR_DEVICE, "sum", tn_sum(there, TN_DTYPE_DEFAULT));
}

TEST(kernels_and_jobs_have_names) {
    CHECK(tn_job_kernel_id("add") >= 0);
    CHECK_TEXT(tn_job_kernel_name(tn_job_kernel_id("add")), "add");
    CHECK_INT(tn_job_kernel_id("no such kernel"), -1);
    CHECK_INT(tn_job_kernel_id(NULL), -1);
    CHECK(!tn_job_kernel_name(-1) && !tn_job_kernel_name(1 << 20));
    CHECK_TEXT(tn_job_kind_name(TN_JOB_REDUCE), "reduce");
    CHECK_TEXT(tn_job_kind_name(TN_JOB_INDEX), "index");
    CHECK_TEXT(tn_job_kind_name(TN_JOB_LINES), "lines");
    CHECK_TEXT(tn_job_kind_name(TN_JOB_PRODUCT), "product");
    static const char *const others[] = {"copy", "fill", "sum", "index_read", "index_check", "softmax", "product"};
    for (size_t i = 0; i < sizeof others / sizeof others[0]; i++)
        CHECK_TEXT(tn_job_kernel_name(tn_job_kernel_id(others[i])), others[i]);
    int32_t last = tn_job_kernel_id("product"); /* every name is one kernel's */
    CHECK(last > 0 && !tn_job_kernel_name(last + 1));
    for (int32_t id = 0; id <= last; id++)
        if (tn_job_kernel_name(id))
            CHECK_INT(tn_job_kernel_id(tn_job_kernel_name(id)), id);
    CHECK_TEXT(tn_job_kind_name((tn_job_kind)99), "unknown");
}

TEST(a_job_that_is_not_complete_is_refused_by_the_cpu) {
    float data[2] = {1, 2};
    int64_t size = 2, stride = 1;
    tn_job_operand operand[2] = {{data, &stride, TN_DEVICE_CPU, TN_FLOAT32, TN_FLOAT32, TN_DTYPE_DEFAULT},
                                 {data, &stride, TN_DEVICE_CPU, TN_FLOAT32, TN_FLOAT32, TN_DTYPE_DEFAULT}};
    tn_job job = {.struct_size = sizeof job,
                  .kind = TN_JOB_POINTWISE,
                  .kernel_id = tn_job_kernel_id("neg"),
                  .kernel = "neg",
                  .compute = TN_FLOAT32,
                  .ndim = 1,
                  .sizes = &size,
                  .results = 1,
                  .operands = 2,
                  .operand = operand};
    CHECK(tn_job_run_on_cpu(&job) == TN_OK);
    CHECK_DOUBLE(data[1], -2);
    CHECK_ERROR(TN_ERROR_ARGUMENT, "job is NULL", tn_job_run_on_cpu(NULL) == TN_OK);
    tn_job wrong = job;
    wrong.struct_size = offsetof(tn_job, dim); /* made for an older Tenon */
    CHECK(tn_job_run_on_cpu(&wrong) == TN_OK);
    wrong.kind = TN_JOB_INDEX;
    CHECK_ERROR(TN_ERROR_ARGUMENT, "not complete", tn_job_run_on_cpu(&wrong) == TN_OK);
    wrong = job;
    wrong.kernel = "sum";
    wrong.kernel_id = tn_job_kernel_id("sum"); /* of another kind */
    CHECK_ERROR(TN_ERROR_UNSUPPORTED, "no pointwise kernel", tn_job_run_on_cpu(&wrong) == TN_OK);
    wrong = job;
    wrong.struct_size = 8;
    CHECK_ERROR(TN_ERROR_ARGUMENT, "not complete", tn_job_run_on_cpu(&wrong) == TN_OK);
    wrong = job;
    wrong.kernel_id = 1 << 20;
    CHECK_ERROR(TN_ERROR_UNSUPPORTED, "no pointwise kernel", tn_job_run_on_cpu(&wrong) == TN_OK);
    wrong = job;
    wrong.kernel = "add";
    wrong.kernel_id = tn_job_kernel_id("add");
    CHECK_ERROR(TN_ERROR_ARGUMENT, "reads 2 operands", tn_job_run_on_cpu(&wrong) == TN_OK);
    wrong = job;
    wrong.kind = (tn_job_kind)77;
    CHECK_ERROR(TN_ERROR_UNSUPPORTED, "kind 77", tn_job_run_on_cpu(&wrong) == TN_OK);
    wrong = job;
    wrong.kind = TN_JOB_REDUCE;
    CHECK_ERROR(TN_ERROR_UNSUPPORTED, "no reduction \"neg\"", tn_job_run_on_cpu(&wrong) == TN_OK);
    wrong.kernel = "sum";
    CHECK_ERROR(TN_ERROR_ARGUMENT, "", tn_job_run_on_cpu(&wrong) == TN_OK);
    wrong = job;
    operand[1].strides = NULL;
    CHECK(tn_job_run_on_cpu(&wrong) == TN_OK); /* a number */
    operand[0].strides = NULL;
    CHECK_ERROR(TN_ERROR_ARGUMENT, "operand 0", tn_job_run_on_cpu(&wrong) == TN_OK);
}

/* ---- what a job tells */

static tn_job_number told_numbers[4];
static int32_t told_count;
static tn_error tell_numbers(void *ctx, const tn_job *job) {
    told_count = job->numbers;
    for (int32_t i = 0; i < job->numbers && i < 4; i++)
        told_numbers[i] = job->number[i];
    return toy_job(ctx, job);
}

TEST(an_integer_divided_by_0_is_an_error_of_the_job_as_it_is_of_the_operator) {
    int32_t type = backend_begin(whole);
    tn_device toy = TN_DEVICE(type, 0);
    tn_tensor *x = tn_to_device(tn_full(TN_DIMS(2, 3), 7, TN_INT32), toy);
    tn_tensor *some = tn_ones(TN_DIMS(2, 3), TN_INT32);
    CHECK(x && some && tn_fill_(tn_select(tn_select(some, 0, 1), 0, 2), 0));
    tn_tensor *divisor = tn_to_device(some, toy);
    CHECK(divisor);
    CHECK_ERROR(TN_ERROR_ARGUMENT, "division by zero", tn_remainder(x, divisor));
    CHECK_ERROR(TN_ERROR_ARGUMENT, "division by zero", tn_fmod(x, tn_t(tn_t(divisor))));
    CHECK_ERROR(TN_ERROR_ARGUMENT, "division by zero", tn_floor_divide(x, divisor));
    CHECK_ERROR(TN_ERROR_ARGUMENT, "division by zero", tn_remainder_(x, divisor));
    CHECK_ERROR(TN_ERROR_ARGUMENT, "division by zero", tn_call_tensor("div.mode", TN_VALUES(x, divisor, "trunc")));
    tn_tensor *fine = tn_to_device(tn_remainder(x, tn_narrow(divisor, 0, 0, 1)), TN_DEVICE_CPU);
    CHECK(fine && tn_equal(fine, tn_zeros(TN_DIMS(2, 3), TN_INT32)));
}

TEST(numbers_of_a_job_are_what_the_operator_was_given_and_0) {
    tn_backend telling = whole;
    telling.pointwise = telling.reduce = tell_numbers;
    int32_t type = backend_begin(telling);
    tn_tensor *x = tn_to_device(tn_ones(TN_DIMS(2, 3), TN_FLOAT32), TN_DEVICE(type, 0));
    CHECK(x && tn_addcmul(x, x, x, 3));
    CHECK_INT(told_numbers[0].whole, 3);
    for (int i = 1; i < told_count; i++)
        CHECK(told_numbers[i].real == 0 && told_numbers[i].whole == 0 && told_numbers[i].complex.imag == 0);
    CHECK(tn_gt(x, x));
    for (int i = 0; i < told_count; i++)
        CHECK(told_numbers[i].real == 0 && told_numbers[i].whole == 0);
    CHECK(tn_pow(x, x));
    for (int i = 0; i < told_count; i++)
        CHECK(told_numbers[i].real == 0 && told_numbers[i].whole == 0);
    CHECK(tn_var_correction(x, TN_DIMS(1), 2, false));
    CHECK(told_numbers[0].real == 2 && told_numbers[0].whole == 2);
    CHECK(tn_linalg_vector_norm(x, INFINITY, TN_DIMS(1), false, TN_DTYPE_DEFAULT));
    CHECK(told_numbers[0].real == INFINITY && told_numbers[0].whole == 0);
}

TEST(a_table_that_ends_within_a_member_is_refused) {
    int32_t type = toy_device();
    CHECK(type >= TN_DEVICE_USER);
    TEST_DEFER(toy_no_device, NULL);
    tn_backend backend = whole;
    backend.struct_size = offsetof(tn_backend, fill) + 4;
    CHECK_ERROR(TN_ERROR_ARGUMENT, "is not the size of a tn_backend", tn_backend_register(type, &backend) == TN_OK);
    tn_job job = {.struct_size = sizeof job,
                  .kind = TN_JOB_POINTWISE,
                  .kernel = "neg",
                  .kernel_id = tn_job_kernel_id("neg"),
                  .numbers = 1};
    tn_job_operand operand[2] = {{.dtype = TN_FLOAT32}, {.dtype = TN_FLOAT32}};
    job.operand = operand;
    CHECK_ERROR(TN_ERROR_ARGUMENT, "its numbers", tn_job_run_on_cpu(&job) == TN_OK);
}

TEST(as_many_dimensions_as_there_can_be_are_reduced) {
    int32_t type = backend_begin(whole);
    int64_t ones[TN_MAX_DIMS];
    for (int i = 0; i < TN_MAX_DIMS; i++)
        ones[i] = 1;
    tn_dims sizes = {ones, TN_MAX_DIMS};
    tn_tensor *x = tn_to_device(tn_full(sizes, 3, TN_FLOAT32), TN_DEVICE(type, 0));
    tn_tensor *sum = tn_to_device(tn_sum(x, TN_DTYPE_DEFAULT), TN_DEVICE_CPU);
    CHECK(sum);
    CHECK_DOUBLE(tn_item(sum).value.d, 3);
}

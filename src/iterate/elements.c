/* elements.c - cuts the iteration space into blocks and gives the loop contiguous arrays.
 *
 * Dimensions are first reordered and merged (nest.c). An operand is then one of three things: linear, when its elements
 * follow each other in iteration order, so that the loop can be given its memory as it is; constant, when it is one element,
 * a block of whose copies is made once; or general, when a block is packed (and, for a result, unpacked) through a buffer that
 * stays in the first cache. Where dtypes differ the block is converted on its way, never the whole tensor.
 *
 * A result larger than the cache is computed into a buffer and streamed past the cache from there, so no kernel needs to know
 * about streaming stores; the few loops that only memory limits have versions that do (cpu/streamed_kernels.c).
 */
#include "iterate/elements.h"

#include "base/parallel.h"
#include "kernels/blocks.h"
#include "iterate/nest.h"
#include "tensor/dtype.h"

enum { POINTWISE_LINE = 64 }; /* bytes of a line of the cache */

typedef enum pointwise_form { POINTWISE_LINEAR, POINTWISE_CONSTANT, POINTWISE_GENERAL } pointwise_form;

typedef struct pointwise_plan {
    const tni_pointwise_job *job;
    const tni_kernel_table *kernels;
    tni_nest nest; /* dimension 0 is the innermost; at least one dimension */
    char *data[TNI_OPERANDS];
    int64_t numel, block;
    pointwise_form form[TNI_OPERANDS];
    bool converts[TNI_OPERANDS], streams[TNI_OPERANDS];
    size_t item[TNI_OPERANDS]; /* bytes of an element in memory */
    bool rows;                 /* blocks end where rows end     */
    bool all_linear;           /* or constant                   */
    bool any_converts, any_streams;
    tni_loop twin; /* writes the one result around the caches itself; NULL: it goes through a buffer */
} pointwise_plan;

typedef struct pointwise_buffers {
    _Alignas(64) char block[TNI_OPERANDS][POINTWISE_BUFFER_BYTES];
    _Alignas(64) char raw[POINTWISE_BUFFER_BYTES]; /* packed, before it is converted */
} pointwise_buffers;

/* ---- moving elements with the kernels of the table */

/* From memory to what the loop reads. */
static void pointwise_convert_operand(const tni_pointwise_job *job, int k, char *target, const char *source, int64_t count) {
    const tni_pointwise_operand *operand = &job->operand[k];
    if (TNI_LIKELY(!(job->rounded >> k & 1))) {
        tni_block_convert(operand->compute, target, operand->dtype, source, count);
        return;
    }
    char narrow[POINTWISE_NARROW_BYTES];
    size_t from = tni_dtype_size(operand->dtype), to = tni_dtype_size(operand->compute);
    for (int64_t left = count, many; left > 0; left -= many) {
        many = tni_min_i64(left, (int64_t)(sizeof narrow / tni_dtype_size(job->narrow)));
        tni_block_convert(job->narrow, narrow, operand->dtype, source, many);
        tni_block_convert(operand->compute, target, job->narrow, narrow, many);
        source += (size_t)many * from;
        target += (size_t)many * to;
    }
}

/* Results that would push everything else out of the last cache are written around it. */
static bool pointwise_should_stream(size_t bytes) {
    return (int64_t)bytes > tni_kernel_stream_from(tni_cpu_last_level_bytes());
}

static pointwise_form pointwise_classify(const tni_nest *nest, int k, size_t item) {
    int64_t expected = (int64_t)item;
    bool linear = true, constant = true;
    for (int64_t d = 0; d < nest->ndim; d++) {
        linear = linear && nest->strides[k][d] == expected;
        constant = constant && nest->strides[k][d] == 0;
        expected *= nest->sizes[d];
    }
    return linear ? POINTWISE_LINEAR : constant ? POINTWISE_CONSTANT : POINTWISE_GENERAL;
}

/* ---- packing: `count` elements from linear position `from` on, in iteration order, to or from contiguous memory */

typedef struct pointwise_walk {
    const tni_nest *nest;
    int k;
    char *at;                   /* of the element walked to        */
    int64_t index[TN_MAX_DIMS]; /* its index                       */
} pointwise_walk;

static void walk_begin(pointwise_walk *walk, const tni_nest *nest, int k, char *base, int64_t position) {
    walk->nest = nest;
    walk->k = k;
    walk->at = base;
    for (int64_t d = 0; d < nest->ndim; d++) {
        walk->index[d] = position % nest->sizes[d];
        position /= nest->sizes[d];
        walk->at += walk->index[d] * nest->strides[k][d];
    }
}

/* Move on by `count` elements inside the row, to the next row at its end. */
static void walk_advance(pointwise_walk *walk, int64_t count) {
    const tni_nest *nest = walk->nest;
    const int64_t *strides = nest->strides[walk->k];
    walk->index[0] += count;
    walk->at += count * strides[0];
    for (int64_t d = 0; d + 1 < nest->ndim && walk->index[d] == nest->sizes[d]; d++) {
        walk->at += strides[d + 1] - walk->index[d] * strides[d];
        walk->index[d] = 0;
        walk->index[d + 1]++;
    }
}

static int64_t walk_row_left(const pointwise_walk *walk) { return walk->nest->sizes[0] - walk->index[0]; }

static void pointwise_pack(const pointwise_plan *plan, int k, int64_t position, int64_t count, char *target, char *raw) {
    const tni_pointwise_operand *operand = &plan->job->operand[k];
    size_t item = plan->item[k];
    int64_t stride = plan->nest.strides[k][0];
    bool contiguous = stride == (int64_t)item;
    char *packed = plan->converts[k] && !contiguous ? raw : target, *out = packed;
    pointwise_walk walk;
    walk_begin(&walk, &plan->nest, k, plan->data[k], position);
    for (int64_t left = count; left > 0;) {
        int64_t many = tni_min_i64(left, walk_row_left(&walk));
        if (plan->converts[k] && contiguous)
            pointwise_convert_operand(plan->job, k, out, walk.at, many);
        else
            tni_block_move(item, out, (int64_t)item, walk.at, stride, many);
        out += (size_t)many * (plan->converts[k] && contiguous ? tni_dtype_size(operand->compute) : item);
        walk_advance(&walk, many);
        left -= many;
    }
    if (packed == raw)
        pointwise_convert_operand(plan->job, k, target, raw, count);
}

static void pointwise_unpack(const pointwise_plan *plan, int k, int64_t position, int64_t count, char *source, char *raw) {
    const tni_pointwise_operand *operand = &plan->job->operand[k];
    size_t item = plan->item[k];
    if (plan->converts[k]) {
        tni_block_convert(operand->dtype, raw, operand->compute, source, count);
        source = raw;
    }
    pointwise_walk walk;
    walk_begin(&walk, &plan->nest, k, plan->data[k], position);
    for (int64_t left = count; left > 0;) {
        int64_t many = tni_min_i64(left, walk_row_left(&walk));
        tni_block_move(item, walk.at, plan->nest.strides[k][0], source, (int64_t)item, many);
        source += (size_t)many * item;
        walk_advance(&walk, many);
        left -= many;
    }
}

/* ---- blocks */

/* Fill a buffer with a block of copies of a constant operand, converted. */
static void pointwise_fill_constant(const pointwise_plan *plan, int k, char *buffer, int64_t count) {
    const tni_pointwise_operand *operand = &plan->job->operand[k];
    size_t item = tni_dtype_size(operand->compute);
    pointwise_convert_operand(plan->job, k, buffer, plan->data[k], 1);
    size_t total = (size_t)count * item;
    for (size_t done = item; done < total;) {
        size_t many = done < total - done ? done : total - done;
        memcpy(buffer + done, buffer, many);
        done += many;
    }
}

/* Whether the elements from `position` on can be used where they are: the whole block is in one row without gaps. */
static bool pointwise_direct(const pointwise_plan *plan, int k, int64_t position, char **at) {
    if (plan->converts[k] || plan->streams[k])
        return false;
    if (plan->form[k] == POINTWISE_LINEAR) {
        *at = plan->data[k] + position * (int64_t)plan->item[k];
        return true;
    }
    if (plan->form[k] == POINTWISE_CONSTANT || !plan->rows || plan->nest.strides[k][0] != (int64_t)plan->item[k])
        return false;
    pointwise_walk walk;
    walk_begin(&walk, &plan->nest, k, plan->data[k], position);
    *at = walk.at;
    return true;
}

/* A block of a linear result to its place, converted if it must be, around the caches if it should. */
static void pointwise_put(const pointwise_plan *plan, int k, char *target, char *source, int64_t count, char *raw) {
    const tni_pointwise_operand *operand = &plan->job->operand[k];
    if (plan->converts[k]) {
        char *converted = plan->streams[k] ? raw : target;
        tni_block_convert(operand->dtype, converted, operand->compute, source, count);
        source = converted;
    }
    if (plan->streams[k])
        plan->kernels->stream[0](&(tni_stream){
            .target = target, .source = source, .bytes = count * (int64_t)plan->item[k], .rows = 1, .unordered = true});
}

static void pointwise_block(const pointwise_plan *plan, pointwise_buffers *buffers, int64_t position, int64_t count) {
    const tni_pointwise_job *job = plan->job;
    void *data[TNI_OPERANDS];
    bool direct[TNI_OPERANDS];
    for (int k = 0; k < job->operands; k++) {
        char *at = NULL;
        direct[k] = pointwise_direct(plan, k, position, &at);
        data[k] = direct[k] ? at : buffers->block[k];
        if (!direct[k] && k >= job->results && plan->form[k] != POINTWISE_CONSTANT)
            pointwise_pack(plan, k, position, count, buffers->block[k], buffers->raw);
    }
    job->loop(data, count, job->parameters);
    for (int k = 0; k < job->results; k++)
        if (!direct[k] && plan->form[k] == POINTWISE_LINEAR)
            pointwise_put(plan, k, plan->data[k] + position * (int64_t)plan->item[k], buffers->block[k], count, buffers->raw);
        else if (!direct[k])
            pointwise_unpack(plan, k, position, count, buffers->block[k], buffers->raw);
}

/* The arrays a loop is given in this range, and the bytes from element to element of each: 0 for a buffer. */
typedef struct pointwise_arrays {
    void *data[TNI_OPERANDS];
    int64_t step[TNI_OPERANDS];
} pointwise_arrays;

static void pointwise_run_loop(const pointwise_plan *plan, tni_loop loop, pointwise_arrays *arrays, int64_t count) {
    loop(arrays->data, count, plan->job->parameters);
    for (int k = 0; k < plan->job->operands; k++)
        arrays->data[k] = (char *)arrays->data[k] + count * arrays->step[k];
}

/* A result that the streaming version of the loop writes around the caches: its whole lines. */
static void pointwise_range_twin(const pointwise_plan *plan, pointwise_arrays *arrays, int64_t count) {
    int64_t line = POINTWISE_LINE / (int64_t)plan->item[0];
    int64_t head = tni_min_i64(count, (int64_t)(-(uintptr_t)arrays->data[0] % POINTWISE_LINE / plan->item[0]));
    if (head > 0)
        pointwise_run_loop(plan, plan->job->loop, arrays, head);
    for (count -= head; count >= line;) {
        int64_t many = tni_min_i64(plan->block, count / line * line);
        pointwise_run_loop(plan, plan->twin, arrays, many);
        count -= many;
    }
    if (count > 0)
        pointwise_run_loop(plan, plan->job->loop, arrays, count);
}

/* Where every operand is linear or constant, a block costs only a few additions besides the loop. */
static void pointwise_range_linear(const pointwise_plan *plan, pointwise_buffers *buffers, int64_t begin, int64_t end) {
    const tni_pointwise_job *job = plan->job;
    pointwise_arrays arrays;
    for (int k = 0; k < job->operands; k++) {
        bool direct = plan->form[k] == POINTWISE_LINEAR && !plan->converts[k] && (!plan->streams[k] || plan->twin);
        arrays.data[k] = direct ? plan->data[k] + begin * (int64_t)plan->item[k] : buffers->block[k];
        arrays.step[k] = direct ? (int64_t)plan->item[k] : 0;
    }
    if (plan->twin) {
        pointwise_range_twin(plan, &arrays, end - begin);
        return;
    }
    int64_t count = plan->block;
    if (plan->any_streams) /* the first block ends, and so every other begins, with a line of the result */
        count -= (int64_t)((uintptr_t)(plan->data[0] + begin * (int64_t)plan->item[0]) % POINTWISE_LINE / plan->item[0]);
    for (int64_t position = begin; position < end; position += count, count = plan->block) {
        count = tni_min_i64(count, end - position);
        for (int k = job->results; plan->any_converts && k < job->operands; k++)
            if (plan->form[k] == POINTWISE_LINEAR && plan->converts[k])
                pointwise_convert_operand(job, k, arrays.data[k], plan->data[k] + position * (int64_t)plan->item[k], count);
        pointwise_run_loop(plan, job->loop, &arrays, count);
        for (int k = 0; k < job->results; k++)
            if (arrays.step[k] == 0)
                pointwise_put(plan, k, plan->data[k] + position * (int64_t)plan->item[k], arrays.data[k], count, buffers->raw);
    }
}

static void pointwise_range(void *argument, int64_t begin, int64_t end) {
    const pointwise_plan *plan = argument;
    const tni_pointwise_job *job = plan->job;
    pointwise_buffers buffers;
    for (int k = job->results; k < job->operands; k++)
        if (plan->form[k] == POINTWISE_CONSTANT)
            pointwise_fill_constant(plan, k, buffers.block[k], tni_min_i64(plan->block, end - begin));
    if (plan->all_linear)
        pointwise_range_linear(plan, &buffers, begin, end);
    else
        for (int64_t position = begin; position < end;) {
            int64_t count = tni_min_i64(plan->block, end - position);
            if (plan->rows)
                count = tni_min_i64(count, plan->nest.sizes[0] - position % plan->nest.sizes[0]);
            pointwise_block(plan, &buffers, position, count);
            position += count;
        }
    if (plan->any_streams)
        plan->kernels->stream[0](&(tni_stream){.rows = 0});
}

/* A single element is a row of one. */
static void pointwise_give_dimension(pointwise_plan *plan) {
    plan->nest.ndim = 1;
    plan->nest.sizes[0] = 1;
    for (int k = 0; k < plan->job->operands; k++)
        plan->nest.strides[k][0] = (int64_t)plan->item[k];
}

void tni_pointwise_run(const tni_pointwise_job *job) {
    static const int64_t standing[TN_MAX_DIMS] = {0};
    for (int64_t d = 0; d < job->ndim; d++)
        if (job->sizes[d] == 0)
            return;
    pointwise_plan plan;
    plan.job = job;
    plan.kernels = tni_kernels();
    plan.all_linear = true;
    plan.any_converts = plan.any_streams = false;
    tni_nest_begin(&plan.nest, job->ndim, job->sizes);
    size_t widest = 1;
    for (int k = 0; k < job->operands; k++) {
        const tni_pointwise_operand *operand = &job->operand[k];
        size_t inside = tni_dtype_size(operand->compute);
        plan.item[k] = tni_dtype_size(operand->dtype);
        plan.converts[k] = operand->dtype != operand->compute;
        plan.any_converts = plan.any_converts || plan.converts[k];
        widest = inside > widest ? inside : widest;
        widest = plan.item[k] > widest ? plan.item[k] : widest;
        tni_nest_add(&plan.nest, operand->strides ? operand->strides : standing, plan.item[k]);
    }
    tni_nest_simplify(&plan.nest);
    if (plan.nest.ndim == 0)
        pointwise_give_dimension(&plan);
    plan.numel = tni_nest_count(&plan.nest);
    size_t moved = 0;
    bool all_direct = !plan.any_converts;
    for (int k = 0; k < job->operands; k++) {
        plan.data[k] = job->operand[k].data + plan.nest.starts[k];
        plan.form[k] = pointwise_classify(&plan.nest, k, plan.item[k]);
        all_direct = all_direct && plan.form[k] == POINTWISE_LINEAR;
        plan.all_linear = plan.all_linear && plan.form[k] != POINTWISE_GENERAL;
        moved += plan.form[k] == POINTWISE_CONSTANT ? 0 : (size_t)plan.numel * plan.item[k];
    }
    for (int k = 0; k < job->operands; k++) {
        plan.streams[k] = k < job->results && plan.form[k] == POINTWISE_LINEAR && pointwise_should_stream(moved);
        for (int other = job->results; other < job->operands; other++) /* in place: its lines are already in the cache */
            plan.streams[k] = plan.streams[k] && plan.data[other] != plan.data[k];
        plan.any_streams = plan.any_streams || plan.streams[k];
    }
    plan.twin = NULL;
    if (job->results == 1 && plan.streams[0] && plan.all_linear && !plan.any_converts &&
        (uintptr_t)plan.data[0] % plan.item[0] == 0)
        plan.twin = tni_kernel_streamed(plan.kernels, job->loop);
    bool through_buffer = plan.any_streams && !plan.twin;
    size_t block_bytes = through_buffer ? POINTWISE_STREAM_BYTES : plan.twin ? POINTWISE_BUFFER_BYTES : POINTWISE_BLOCK_BYTES;
    plan.block = (int64_t)(block_bytes / widest);
    if (all_direct && !through_buffer)
        plan.block = plan.numel;
    plan.rows = plan.nest.ndim > 1 && plan.nest.sizes[0] >= POINTWISE_ROW;
    tni_parallel_for(plan.numel, plan.any_streams ? POINTWISE_STREAM_GRAIN : TNI_POINTWISE_GRAIN, pointwise_range, &plan);
}

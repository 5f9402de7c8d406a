/* lines.c - see lines.h. The dimensions other than the lines' own are merged and ordered as for an elementwise loop (nest.c),
 * cut into pieces for the threads, and each piece is walked in batches of neighbouring lines: where lines are side by side,
 * like the columns of a row-major matrix, a batch is packed by a transposition, which reads whole cache lines.
 *
 * Invariant: buffers exist before the first line is read, one set for every thread that may take part, so that nothing can fail
 * once something has been written.
 *
 * Long lines are packed in steps, and the call may be cancelled between them (base/cancel.h): the function does not see a line
 * that was not packed to its end.
 */
#include "iterate/lines.h"

#include <sched.h>

#include "base/heap.h"
#include "base/parallel.h"
#include "kernels/blocks.h"
#include "iterate/nest.h"
#include "iterate/thread_memory.h"
#include "iterate/limits.h"

typedef struct lines_plan {
    const tni_lines_job *job;
    tni_nest nest; /* of the other dimensions; operand `operands` is the number of the line */
    char *data[TNI_LINE_OPERANDS];
    int64_t step[TNI_LINE_OPERANDS];      /* bytes from an element of a line to the next         */
    size_t item[TNI_LINE_OPERANDS];       /* of an element in memory                             */
    size_t place[TNI_LINE_OPERANDS];      /* of its packed lines in a set of buffers             */
    size_t line_bytes[TNI_LINE_OPERANDS]; /* of one packed line                                  */
    bool direct[TNI_LINE_OPERANDS];       /* the function is given the memory itself             */
    int64_t first_number;
    int64_t lines, batch;
    bool together;            /* lines follow each other, and the job has a function for that                      */
    char nowhere[1];          /* replaces the memory of a tensor that has none: no pointer may be computed from NULL */
    size_t raw, scratch, set; /* places of what is packed but not converted, of the scratch; size of a set of buffers */
    char *sets;
    int64_t set_count;
    _Atomic bool taken[LINES_SLOTS];
} lines_plan;

static size_t lines_round(size_t bytes) { return (bytes + 63) & ~(size_t)63; }

/* ---- one batch: `many` lines, the first of operand k at `at`, the next `next` bytes further */

/* `count` elements of each line from element `begin` on. */
static void lines_gather_part(const lines_plan *plan, int k, const char *at, int64_t next, int64_t many, char *packed,
                              char *raw, int64_t begin, int64_t count) {
    const tni_line_operand *operand = &plan->job->operand[k];
    int64_t item = (int64_t)plan->item[k], step = plan->step[k], line = (int64_t)plan->line_bytes[k];
    bool converts = operand->dtype != operand->compute, there = step == item;
    at += begin * step;
    packed += begin * (int64_t)tni_dtype_size(operand->compute);
    int64_t pitch = there ? next : operand->length * item;
    if (!converts) {
        tni_block_gather((size_t)item, packed, line, at, next, step, many, count);
        return;
    }
    raw += begin * item;
    if (!there)
        tni_block_gather((size_t)item, raw, pitch, at, next, step, many, count);
    for (int64_t i = 0; i < many; i++)
        tni_block_convert(operand->compute, packed + i * line, operand->dtype, (there ? at : raw) + i * pitch, count);
}

static void lines_gather(const lines_plan *plan, int k, const char *at, int64_t next, int64_t many, char *packed, char *raw) {
    TNI_IN_STEPS (begin, end, plan->job->operand[k].length)
        lines_gather_part(plan, k, at, next, many, packed, raw, begin, end - begin);
}

static void lines_scatter_part(const lines_plan *plan, int k, char *at, int64_t next, int64_t many, const char *packed,
                               char *raw, int64_t begin, int64_t count) {
    const tni_line_operand *operand = &plan->job->operand[k];
    int64_t item = (int64_t)plan->item[k], step = plan->step[k], line = (int64_t)plan->line_bytes[k];
    bool there = step == item;
    at += begin * step;
    packed += begin * (int64_t)tni_dtype_size(operand->compute);
    if (operand->dtype == operand->compute) {
        tni_block_scatter((size_t)item, at, next, step, packed, line, many, count);
        return;
    }
    raw += begin * item;
    int64_t pitch = there ? next : operand->length * item;
    for (int64_t i = 0; i < many; i++)
        tni_block_convert(operand->dtype, (there ? at : raw) + i * pitch, operand->compute, packed + i * line, count);
    if (!there)
        tni_block_scatter((size_t)item, at, next, step, raw, pitch, many, count);
}

static void lines_scatter(const lines_plan *plan, int k, char *at, int64_t next, int64_t many, const char *packed, char *raw) {
    TNI_IN_STEPS (begin, end, plan->job->operand[k].length)
        lines_scatter_part(plan, k, at, next, many, packed, raw, begin, end - begin);
}

static void lines_batch(const lines_plan *plan, char *set, char *const *at, int64_t number, int64_t many) {
    const tni_lines_job *job = plan->job;
    const tni_nest *nest = &plan->nest;
    for (int k = 0; k < job->operands; k++)
        if (!plan->direct[k] && job->operand[k].reads)
            lines_gather(plan, k, at[k], nest->ndim ? nest->strides[k][0] : 0, many, set + plan->place[k], set + plan->raw);
    if (TNI_UNLIKELY(tni_stopped()))
        return;
    if (plan->together) {
        job->together((void *const *)at, many, job->context);
        return;
    }
    for (int64_t i = 0; i < many; i++) {
        void *lines[TNI_LINE_OPERANDS];
        for (int k = 0; k < job->operands; k++)
            lines[k] = plan->direct[k] ? at[k] + (nest->ndim ? i * nest->strides[k][0] : 0)
                                       : set + plan->place[k] + (size_t)i * plan->line_bytes[k];
        job->function(lines, number + (nest->ndim ? i * nest->strides[job->operands][0] : 0), set + plan->scratch,
                      job->context);
    }
    for (int k = 0; k < job->operands; k++)
        if (!plan->direct[k] && job->operand[k].writes)
            lines_scatter(plan, k, at[k], nest->ndim ? nest->strides[k][0] : 0, many, set + plan->place[k], set + plan->raw);
}

/* ---- pieces */

/* A set of buffers nobody uses. There may be fewer than threads in the loop; those that have one give it back soon. */
static int64_t lines_take_set(lines_plan *plan) {
    for (;; sched_yield())
        for (int64_t i = 0; i < plan->set_count; i++)
            if (!atomic_exchange_explicit(&plan->taken[i], true, memory_order_acquire))
                return i;
}

static void lines_piece(void *arg, int64_t begin, int64_t end) {
    lines_plan *plan = arg;
    const tni_nest *nest = &plan->nest;
    int64_t slot = lines_take_set(plan);
    char *set = plan->sets + (size_t)slot * plan->set;
    for (int64_t position = begin, many; position < end; position += many) {
        char *at[TNI_LINE_OPERANDS];
        int64_t rest = position, left = end - position, number = plan->first_number;
        for (int k = 0; k < plan->job->operands; k++)
            at[k] = plan->data[k];
        for (int64_t d = 0; d < nest->ndim; d++) {
            int64_t index = rest % nest->sizes[d];
            rest /= nest->sizes[d];
            for (int k = 0; k < plan->job->operands; k++)
                at[k] += index * nest->strides[k][d];
            number += index * nest->strides[plan->job->operands][d];
            if (d == 0)
                left = tni_min_i64(left, nest->sizes[0] - index);
        }
        many = tni_min_i64(plan->batch, nest->ndim ? left : 1);
        lines_batch(plan, set, at, number, many);
    }
    atomic_store_explicit(&plan->taken[slot], false, memory_order_release);
}

/* ---- the plan */

static void lines_make_nest(lines_plan *plan) {
    const tni_lines_job *job = plan->job;
    int64_t sizes[TN_MAX_DIMS], strides[TN_MAX_DIMS], ndim = 0;
    for (int64_t d = 0; d < job->ndim; d++)
        if (d != job->dim)
            sizes[ndim++] = job->sizes[d];
    plan->lines = 1;
    for (int64_t d = 0; d < ndim; d++)
        plan->lines *= sizes[d];
    if (plan->lines == 0) /* then strides may be any numbers */
        return;
    tni_nest_begin(&plan->nest, ndim, sizes);
    for (int k = 0; k < job->operands; k++) {
        int64_t at = 0;
        for (int64_t d = 0; d < job->ndim; d++)
            if (d != job->dim)
                strides[at++] = job->operand[k].data && job->operand[k].length ? job->operand[k].strides[d] : 0;
        tni_nest_add(&plan->nest, strides, tni_dtype_size(job->operand[k].dtype));
    }
    for (int64_t d = ndim, stride = 1; d-- > 0; stride *= sizes[d])
        strides[d] = stride;
    tni_nest_add(&plan->nest, strides, 1);
    tni_nest_simplify(&plan->nest);
}

static int64_t lines_longest(const tni_lines_job *job) {
    int64_t longest = 1;
    for (int k = 0; k < job->operands; k++)
        longest = job->operand[k].length > longest ? job->operand[k].length : longest;
    return longest;
}

/* Where everything is in a set of buffers. False, raised, when that is larger than memory can be. */
static bool lines_place_buffers(lines_plan *plan) {
    const tni_lines_job *job = plan->job;
    size_t line = 0, raw = 0;
    bool beside = false; /* some operand is packed from lines that are side by side */
    for (int k = 0; k < job->operands; k++) {
        const tni_line_operand *operand = &job->operand[k];
        plan->item[k] = tni_dtype_size(operand->dtype);
        plan->step[k] = (job->ndim && operand->length > 1 ? operand->strides[job->dim] : 1) * (int64_t)plan->item[k];
        plan->direct[k] = operand->dtype == operand->compute && plan->step[k] == (int64_t)plan->item[k];
        plan->data[k] = operand->data ? operand->data + plan->nest.starts[k] : plan->nowhere;
        size_t compute = tni_dtype_size(operand->compute);
        if (operand->length > (INT64_MAX >> 12) / (int64_t)(compute + plan->item[k])) {
            tni_raise(TN_ERROR_MEMORY, "lines of %" PRId64 " elements are too long to be packed", operand->length);
            return false;
        }
        /* An odd number of lines of the cache: so that the same place of several packed lines does not fall on one cache set.
         * */
        plan->line_bytes[k] = plan->direct[k] ? 0 : lines_round((size_t)operand->length * compute) | 64;
        line += plan->line_bytes[k];
        if (!plan->direct[k] && operand->dtype != operand->compute && (size_t)operand->length * plan->item[k] > raw)
            raw = (size_t)operand->length * plan->item[k];
        beside = beside || (!plan->direct[k] && plan->nest.ndim && plan->nest.strides[k][0] == (int64_t)plan->item[k]);
    }
    plan->batch = line == 0 ? INT32_MAX : beside ? LINES_BATCH : 1;
    while (beside && plan->batch > LINES_BATCH_FEW && plan->lines < 8 * plan->batch)
        plan->batch /= 2;
    while (beside && plan->batch > LINES_BATCH_LEAST && (line + raw) * (size_t)plan->batch > LINES_BATCH_BYTES)
        plan->batch /= 2;
    size_t room = line == 0 ? 0 : (size_t)plan->batch, used = 0;
    for (int k = 0; k < job->operands; k++) {
        plan->place[k] = used;
        used += plan->line_bytes[k] * room;
    }
    plan->raw = used;
    used += lines_round(raw * room);
    plan->scratch = used;
    plan->set = used + lines_round(job->scratch);
    return true;
}

/* Whether lines follow each other in memory as the function wants them. */
static bool lines_follow(const tni_lines_job *job, const tni_line_operand *operand) {
    if (operand->dtype != operand->compute || !operand->data)
        return false;
    if (job->ndim && operand->length > 1 && operand->strides[job->dim] != 1)
        return false;
    int64_t step = operand->length;
    for (int64_t d = job->ndim - 2; d >= 0; d--) {
        if (job->sizes[d] != 1 && operand->strides[d] != step)
            return false;
        step *= job->sizes[d];
    }
    return true;
}

/* Few lines that follow each other in every operand, along the last dimension: no plan and no buffers. */
static bool lines_quickly(const tni_lines_job *job) {
    if (job->scratch || (job->ndim && job->dim != job->ndim - 1))
        return false;
    int64_t lines = 1, work = job->work ? job->work : lines_longest(job);
    for (int64_t d = 0; d < job->ndim - 1; d++) {
        if (job->sizes[d] > LINES_GRAIN)
            return false;
        lines *= job->sizes[d];
        if (lines > LINES_GRAIN)
            return false;
    }
    if (work > LINES_GRAIN || lines * work > LINES_GRAIN)
        return false;
    void *at[TNI_LINE_OPERANDS];
    int64_t pitch[TNI_LINE_OPERANDS];
    for (int k = 0; k < job->operands; k++) {
        if (!lines_follow(job, &job->operand[k]))
            return false;
        at[k] = job->operand[k].data;
        pitch[k] = job->operand[k].length * (int64_t)tni_dtype_size(job->operand[k].dtype);
    }
    if (job->together) {
        job->together(at, lines, job->context);
        return true;
    }
    for (int64_t number = 0; number < lines; number++) {
        job->function(at, number, NULL, job->context);
        for (int k = 0; k < job->operands; k++)
            at[k] = (char *)at[k] + pitch[k];
    }
    return true;
}

/* Whether the lines of a batch follow each other as the function wants them. */
static bool lines_batch_follows(const lines_plan *plan) {
    bool follows = plan->nest.ndim > 0;
    for (int k = 0; follows && k < plan->job->operands; k++)
        follows = plan->direct[k] && plan->nest.strides[k][0] == plan->job->operand[k].length * (int64_t)plan->item[k];
    return follows;
}

tn_error tni_lines_run(const tni_lines_job *job) {
    if (lines_quickly(job))
        return TN_OK;
    lines_plan plan = {.job = job};
    lines_make_nest(&plan);
    if (plan.lines == 0)
        return TN_OK;
    plan.first_number = plan.nest.starts[job->operands];
    if (!lines_place_buffers(&plan))
        return tni_failed();
    plan.together = job->together && lines_batch_follows(&plan);
    int64_t work = job->work ? job->work : lines_longest(job);
    int64_t grain = work >= LINES_GRAIN ? 1 : LINES_GRAIN / work;
    if (plan.batch <= LINES_BATCH && grain % plan.batch)
        grain += plan.batch - grain % plan.batch;
    int64_t pieces = (plan.lines + grain - 1) / grain, threads = tn_num_threads();
    plan.set_count = plan.set == 0 ? 1 : tni_min_i64(tni_min_i64(pieces, threads), LINES_SLOTS);
    size_t bytes = (size_t)plan.set_count * plan.set + 64;
    /* Long lines have buffers of megabytes, which malloc would ask the system for in every call. */
    bool large = bytes > LINES_HEAP_BYTES;
    tni_thread_memory memory;
    char *block = large ? NULL : tni_heap_alloc(bytes);
    if (large ? !tni_thread_memory_take(&memory, bytes, 1) : !block)
        return tni_failed();
    plan.sets = large ? memory.data : block + (64 - (uintptr_t)block % 64);
    if (plan.set == 0) /* nothing to share: any number of threads may work at once */
        plan.set_count = LINES_SLOTS;
    bool done = tni_parallel_for(plan.lines, grain, lines_piece, &plan);
    if (large)
        tni_thread_memory_give(&memory);
    else
        tni_heap_free(block, bytes);
    return done ? TN_OK : TN_ERROR_CANCELLED;
}

/* ---- operands over tensors */

tni_line_operand tni_line_read(const tn_tensor *tensor, int64_t dim, tn_dtype compute) {
    return (tni_line_operand){.data = (char *)(uintptr_t)tni_tensor_read(tensor),
                              .strides = tensor->strides,
                              .length = tensor->ndim ? tensor->sizes[dim] : 1,
                              .dtype = tensor->dtype,
                              .compute = compute,
                              .reads = true};
}

tni_line_operand tni_line_write(tn_tensor *tensor, int64_t dim, tn_dtype compute) {
    tni_line_operand operand = tni_line_read(tensor, dim, compute);
    operand.reads = false;
    operand.writes = true;
    return operand;
}

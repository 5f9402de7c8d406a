/* lines.c - see lines.h. The dimensions other than the lines' own are merged and ordered as for an elementwise loop (layout.c),
 * cut into pieces for the threads, and each piece is walked in batches of neighbouring lines: where lines lie side by side, as
 * the columns of a row-major matrix do, a batch is packed by a transposition, which reads whole cache lines.
 *
 * Invariant: buffers exist before the first line is looked at, one set for every thread that may take part, so that nothing
 * can fail once something has been written.
 */
#include "iterate/lines.h"

#include <sched.h>

#include "base/heap.h"
#include "base/parallel.h"
#include "dispatch/kernels.h"
#include "iterate/layout.h"

enum {
    LINES_BATCH = 64,            /* lines that are packed together: four lines of the cache of every row of float32      */
    LINES_BATCH_FEW = 16,        /* where there are not many batches of them                                            */
    LINES_BATCH_LEAST = 4,       /* where they are long                                                                 */
    LINES_BATCH_BYTES = 1 << 20, /* what is long                                                                        */
    LINES_GRAIN = 32768,
    LINES_SLOTS = 256
};

typedef struct lines_plan {
    const tni_lines_job *job;
    tni_layout layout; /* of the other dimensions; operand `operands` is the number of the line */
    char *data[TNI_LINE_OPERANDS];
    int64_t step[TNI_LINE_OPERANDS];      /* bytes from an element of a line to the next         */
    size_t item[TNI_LINE_OPERANDS];       /* of an element in memory                             */
    size_t place[TNI_LINE_OPERANDS];      /* of its packed lines in a set of buffers             */
    size_t line_bytes[TNI_LINE_OPERANDS]; /* of one packed line                                  */
    bool direct[TNI_LINE_OPERANDS];       /* the function is given the memory itself             */
    int64_t first_number;
    int64_t lines, batch;
    char nowhere[1];          /* stands for the memory of a tensor that has none: nothing may be counted from NULL */
    size_t raw, scratch, set; /* places of what is packed but not converted, of the scratch; size of a set of buffers */
    char *sets;
    int64_t set_count;
    _Atomic bool taken[LINES_SLOTS];
} lines_plan;

static size_t lines_round(size_t bytes) { return (bytes + 63) & ~(size_t)63; }

static void lines_convert(tn_dtype to, char *target, tn_dtype from, const char *source, int64_t count) {
    tni_convert_function convert = tni_kernel_convert(tni_kernels(), from, to);
    if (convert)
        convert(target, source, (size_t)count);
    else
        (void)tn_dtype_convert(to, target, from, source, (size_t)count);
}

/* ---- one batch: `many` lines, the first of operand k at `at`, the next `next` bytes further */

static void lines_gather(const lines_plan *plan, int k, const char *at, int64_t next, int64_t many, char *packed, char *raw) {
    const tni_line_operand *operand = &plan->job->operand[k];
    int64_t item = (int64_t)plan->item[k], length = operand->length, step = plan->step[k];
    bool converts = operand->dtype != operand->compute;
    if (converts && step == item) {
        for (int64_t i = 0; i < many; i++)
            lines_convert(operand->compute, packed + i * (int64_t)plan->line_bytes[k], operand->dtype, at + i * next, length);
        return;
    }
    char *target = converts ? raw : packed;
    int64_t pitch = converts ? length * item : (int64_t)plan->line_bytes[k];
    if (next == item && many > 1)
        tni_kernels()->transpose[tni_element_index((size_t)item)](target, pitch, at, step, length, many);
    else
        for (int64_t i = 0; i < many; i++)
            tni_kernels()->strided[tni_element_index((size_t)item)](target + i * pitch, item, at + i * next, step, length);
    for (int64_t i = 0; converts && i < many; i++)
        lines_convert(operand->compute, packed + i * (int64_t)plan->line_bytes[k], operand->dtype, raw + i * pitch, length);
}

static void lines_scatter(const lines_plan *plan, int k, char *at, int64_t next, int64_t many, const char *packed, char *raw) {
    const tni_line_operand *operand = &plan->job->operand[k];
    int64_t item = (int64_t)plan->item[k], length = operand->length, step = plan->step[k];
    const char *source = packed;
    int64_t pitch = (int64_t)plan->line_bytes[k];
    if (operand->dtype != operand->compute) {
        bool there = step == item;
        for (int64_t i = 0; i < many; i++)
            lines_convert(operand->dtype, there ? at + i * next : raw + i * length * item, operand->compute, packed + i * pitch,
                          length);
        if (there)
            return;
        source = raw;
        pitch = length * item;
    }
    if (next == item && many > 1)
        tni_kernels()->transpose[tni_element_index((size_t)item)](at, step, source, pitch, many, length);
    else
        for (int64_t i = 0; i < many; i++)
            tni_kernels()->strided[tni_element_index((size_t)item)](at + i * next, step, source + i * pitch, item, length);
}

static void lines_batch(const lines_plan *plan, char *set, char *const *at, int64_t number, int64_t many) {
    const tni_lines_job *job = plan->job;
    const tni_layout *layout = &plan->layout;
    for (int k = 0; k < job->operands; k++)
        if (!plan->direct[k] && job->operand[k].reads)
            lines_gather(plan, k, at[k], layout->ndim ? layout->strides[k][0] : 0, many, set + plan->place[k], set + plan->raw);
    for (int64_t i = 0; i < many; i++) {
        void *lines[TNI_LINE_OPERANDS];
        for (int k = 0; k < job->operands; k++)
            lines[k] = plan->direct[k] ? at[k] + (layout->ndim ? i * layout->strides[k][0] : 0)
                                       : set + plan->place[k] + (size_t)i * plan->line_bytes[k];
        job->function(lines, number + (layout->ndim ? i * layout->strides[job->operands][0] : 0), set + plan->scratch,
                      job->context);
    }
    for (int k = 0; k < job->operands; k++)
        if (!plan->direct[k] && job->operand[k].writes)
            lines_scatter(plan, k, at[k], layout->ndim ? layout->strides[k][0] : 0, many, set + plan->place[k],
                          set + plan->raw);
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
    const tni_layout *layout = &plan->layout;
    int64_t slot = lines_take_set(plan);
    char *set = plan->sets + (size_t)slot * plan->set;
    for (int64_t position = begin, many; position < end; position += many) {
        char *at[TNI_LINE_OPERANDS];
        int64_t rest = position, left = end - position, number = plan->first_number;
        for (int k = 0; k < plan->job->operands; k++)
            at[k] = plan->data[k];
        for (int64_t d = 0; d < layout->ndim; d++) {
            int64_t index = rest % layout->sizes[d];
            rest /= layout->sizes[d];
            for (int k = 0; k < plan->job->operands; k++)
                at[k] += index * layout->strides[k][d];
            number += index * layout->strides[plan->job->operands][d];
            if (d == 0)
                left = tni_min_i64(left, layout->sizes[0] - index);
        }
        many = tni_min_i64(plan->batch, layout->ndim ? left : 1);
        lines_batch(plan, set, at, number, many);
    }
    atomic_store_explicit(&plan->taken[slot], false, memory_order_release);
}

/* ---- the plan */

static void lines_make_layout(lines_plan *plan) {
    const tni_lines_job *job = plan->job;
    int64_t sizes[TN_MAX_DIMS], strides[TN_MAX_DIMS], ndim = 0;
    for (int64_t d = 0; d < job->ndim; d++)
        if (d != job->dim)
            sizes[ndim++] = job->sizes[d];
    plan->lines = 1;
    for (int64_t d = 0; d < ndim; d++)
        plan->lines *= sizes[d];
    tni_layout_begin(&plan->layout, ndim, sizes);
    for (int k = 0; k < job->operands; k++) {
        int64_t at = 0;
        for (int64_t d = 0; d < job->ndim; d++)
            if (d != job->dim)
                strides[at++] = job->operand[k].data ? job->operand[k].strides[d] : 0;
        tni_layout_add(&plan->layout, strides, tni_dtype_size(job->operand[k].dtype));
    }
    for (int64_t d = ndim, stride = 1; d-- > 0; stride *= sizes[d])
        strides[d] = stride;
    tni_layout_add(&plan->layout, strides, 1);
    if (plan->lines > 0)
        tni_layout_simplify(&plan->layout);
}

static int64_t lines_longest(const tni_lines_job *job) {
    int64_t longest = 1;
    for (int k = 0; k < job->operands; k++)
        longest = job->operand[k].length > longest ? job->operand[k].length : longest;
    return longest;
}

/* Where everything lies in a set of buffers. False, raised, when that is larger than memory can be. */
static bool lines_place_buffers(lines_plan *plan) {
    const tni_lines_job *job = plan->job;
    size_t line = 0, raw = 0;
    bool beside = false; /* some operand is packed from lines that lie side by side */
    for (int k = 0; k < job->operands; k++) {
        const tni_line_operand *operand = &job->operand[k];
        plan->item[k] = tni_dtype_size(operand->dtype);
        plan->step[k] = job->ndim ? operand->strides[job->dim] * (int64_t)plan->item[k] : (int64_t)plan->item[k];
        if (operand->length <= 1)
            plan->step[k] = (int64_t)plan->item[k];
        plan->direct[k] = operand->dtype == operand->compute && plan->step[k] == (int64_t)plan->item[k];
        plan->data[k] = operand->data ? operand->data + plan->layout.starts[k] : plan->nowhere;
        size_t compute = tni_dtype_size(operand->compute);
        if (operand->length > (INT64_MAX >> 12) / (int64_t)(compute + plan->item[k])) {
            tni_raise(TN_ERROR_MEMORY, "lines of %" PRId64 " elements are too long to be packed", operand->length);
            return false;
        }
        /* An odd number of lines of the cache: those of one place in several packed lines do not drive each other out. */
        plan->line_bytes[k] = plan->direct[k] ? 0 : lines_round((size_t)operand->length * compute) | 64;
        line += plan->line_bytes[k];
        if (!plan->direct[k] && operand->dtype != operand->compute && (size_t)operand->length * plan->item[k] > raw)
            raw = (size_t)operand->length * plan->item[k];
        beside = beside || (!plan->direct[k] && plan->layout.ndim && plan->layout.strides[k][0] == (int64_t)plan->item[k]);
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

tn_error tni_lines_run(const tni_lines_job *job) {
    lines_plan plan = {.job = job};
    lines_make_layout(&plan);
    if (plan.lines == 0)
        return TN_OK;
    plan.first_number = plan.layout.starts[job->operands];
    if (!lines_place_buffers(&plan))
        return tn_error_code();
    int64_t work = job->work ? job->work : lines_longest(job);
    int64_t grain = work >= LINES_GRAIN ? 1 : LINES_GRAIN / work;
    if (plan.batch <= LINES_BATCH && grain % plan.batch)
        grain += plan.batch - grain % plan.batch;
    int64_t pieces = (plan.lines + grain - 1) / grain, threads = tn_num_threads();
    plan.set_count = plan.set == 0 ? 1 : tni_min_i64(tni_min_i64(pieces, threads), LINES_SLOTS);
    size_t bytes = (size_t)plan.set_count * plan.set + 64;
    char *block = tni_heap_alloc(bytes);
    if (!block)
        return tn_error_code();
    plan.sets = block + (64 - (uintptr_t)block % 64);
    if (plan.set == 0) /* nothing to share: as many as there are may work at once */
        plan.set_count = LINES_SLOTS;
    tni_parallel_for(plan.lines, grain, lines_piece, &plan);
    tni_heap_free(block, bytes);
    return TN_OK;
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

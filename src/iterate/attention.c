/* attention.c - see attention.h: the forward pass. A task is some rows of one batch. It reads them once, and takes keys and values in
 * blocks, packed into panels; a part of its rows at a time then has its scores in the cache from the first product to the second.
 */
#include "iterate/attention.h"

#include <math.h>
#include <string.h>

#include "base/parallel.h"
#include "iterate/attention_parts.h"

/* What a thread computes in: one set of memory, cut up. */
typedef struct forward_room {
    char *query;          /* (rows of a task, depth), scaled                              */
    char *keys, *values;  /* panels of a block                                            */
    char *scores;         /* (rows of a part, pitch)                                      */
    char *sums;           /* (rows of a task, sums_pitch)                                 */
    char *line;           /* a line of a mask, or of factors                              */
    double *most, *total; /* of each row of a task                                        */
} forward_room;

typedef struct forward_call {
    tni_attention_tools tools;
    int64_t task_rows, tasks; /* of a task; of a batch */
    int64_t sums_pitch;
    size_t query_bytes, keys_bytes, values_bytes, scores_bytes, sums_bytes, line_bytes, bytes;
    tni_thread_memory memory;
} forward_call;

static bool forward_plan(forward_call *call, const tni_attention *attention) {
    tni_attention_tools *tools = &call->tools;
    bool fits = true;
    tni_attention_tools_begin(tools, attention, attention->keys);
    call->task_rows = tni_attention_task(attention->rows, attention->batches);
    call->tasks = (attention->rows + call->task_rows - 1) / call->task_rows;
    call->sums_pitch = tni_attention_up(tools, attention->width);
    call->bytes = 0;
    call->query_bytes = tni_attention_bytes(&call->bytes, &fits, call->task_rows, attention->depth, tools->item);
    call->keys_bytes = tni_attention_bytes(&call->bytes, &fits, tools->pitch, attention->depth, tools->item);
    call->values_bytes = tni_attention_bytes(&call->bytes, &fits, tools->block, call->sums_pitch, tools->item);
    call->scores_bytes = tni_attention_bytes(&call->bytes, &fits, ATTENTION_PART_ROWS, tools->pitch, tools->item);
    call->sums_bytes = tni_attention_bytes(&call->bytes, &fits, call->task_rows, call->sums_pitch, tools->item);
    call->line_bytes = tni_attention_bytes(&call->bytes, &fits, 1, tools->pitch, tools->item);
    tni_attention_bytes(&call->bytes, &fits, 2 * call->task_rows, 1, (int64_t)sizeof(double));
    if (!fits)
        tni_attention_too_large(tools);
    return fits;
}

static forward_room forward_cut(const forward_call *call, char *memory) {
    forward_room room;
    room.query = memory;
    room.keys = room.query + call->query_bytes;
    room.values = room.keys + call->keys_bytes;
    room.scores = room.values + call->values_bytes;
    room.sums = room.scores + call->scores_bytes;
    room.line = room.sums + call->sums_bytes;
    room.most = (double *)(void *)(room.line + call->line_bytes);
    room.total = room.most + call->task_rows;
    return room;
}

/* What a task works on. */
typedef struct forward_work {
    const forward_call *call;
    forward_room room;
    int64_t batch, row, rows;
    const char *mask;
    int64_t key, keys; /* of the block */
} forward_work;

/* The scores of one row, `count` of them taking part and the rest of `wanted` not, become weights; sums so far follow the largest. */
static void forward_row(const forward_work *work, int64_t i, char *scores, int64_t count, int64_t wanted) {
    const forward_call *call = work->call;
    const tni_attention_tools *tools = &call->tools;
    const tni_attention *attention = tools->attention;
    const tni_attention_loops *loops = tools->loops;
    double *most = &work->room.most[i], *total = &work->room.total[i], before = *most;
    if (count < 0)
        count = 0;
    memset(scores + count * tools->item, 0, (size_t)((wanted - count) * tools->item));
    if (count == 0)
        return;
    const void *added = tni_attention_added(tools, work->mask, work->row + i, work->key, count, false, work->room.line);
    *most = loops->largest(scores, added, count, before);
    double shift = *most == -(double)INFINITY ? 0 : *most;
    double sum = loops->weigh(scores, count, shift, attention->exponential);
    if (work->key && before != *most) { /* it is the same where both are -infinity, and nothing was summed */
        double factor = exp(before - shift);
        *total *= factor;
        loops->scale(work->room.sums + i * call->sums_pitch * tools->item, call->sums_pitch, factor);
    }
    *total += sum;
    if (attention->kept) {
        tni_attention_factors(tools, work->batch, work->row + i, work->key, count, false, work->room.line);
        loops->multiply(scores, work->room.line, count);
    }
}

/* Some rows of the task and one block of keys. */
static void forward_part(const forward_work *work, int64_t first, int64_t rows) {
    const forward_call *call = work->call;
    const tni_attention_tools *tools = &call->tools;
    const tni_attention *attention = tools->attention;
    int64_t item = tools->item, wanted = work->keys;
    if (attention->causal)
        wanted = tni_min_i64(wanted, work->row + first + rows - work->key);
    if (wanted <= 0)
        return;
    tni_attention_multiply(tools, &(tni_attention_product){.a = work->room.query + first * attention->depth * item,
                                                           .a_pitch = attention->depth,
                                                           .rows = rows,
                                                           .k = attention->depth,
                                                           .panels = work->room.keys,
                                                           .panel_depth = attention->depth,
                                                           .columns = work->keys,
                                                           .wanted = wanted,
                                                           .c = work->room.scores,
                                                           .c_pitch = tools->pitch});
    for (int64_t i = 0; i < rows; i++) {
        int64_t count = attention->causal ? tni_min_i64(wanted, work->row + first + i + 1 - work->key) : wanted;
        forward_row(work, first + i, work->room.scores + i * tools->pitch * item, count, wanted);
    }
    tni_attention_multiply(tools, &(tni_attention_product){.a = work->room.scores,
                                                           .a_pitch = tools->pitch,
                                                           .rows = rows,
                                                           .k = wanted,
                                                           .panels = work->room.values,
                                                           .panel_depth = work->keys,
                                                           .columns = attention->width,
                                                           .wanted = attention->width,
                                                           .c = work->room.sums + first * call->sums_pitch * item,
                                                           .c_pitch = call->sums_pitch,
                                                           .adds = work->key > 0});
}

/* Sums over totals, rounded. Where all was masked the total is 0, and so are the sums. */
static void forward_finish(const forward_work *work) {
    const forward_call *call = work->call;
    const tni_attention_tools *tools = &call->tools;
    const tni_attention *attention = tools->attention;
    char *output = tni_attention_at(attention, &attention->output, work->batch), *logs = NULL;
    if (attention->logs.data)
        logs = tni_attention_at(attention, &attention->logs, work->batch);
    for (int64_t i = 0; i < work->rows; i++) {
        double total = work->room.total[i];
        char *sums = work->room.sums + i * call->sums_pitch * tools->item;
        tools->loops->scale(sums, attention->width, total == 0 ? 0 : 1 / total);
        tni_attention_put(tools, &attention->output, output, work->row + i, sums, attention->width);
        if (!logs)
            continue;
        double log_total = total == 0 ? 0 : work->room.most[i] + log(total);
        char *at = logs + (work->row + i) * attention->logs.row * tools->item;
        if (tools->item == 8)
            memcpy(at, &log_total, 8);
        else
            memcpy(at, &(float){(float)log_total}, 4);
    }
}

static void forward_task(forward_call *call, char *memory, int64_t batch, int64_t row) {
    const tni_attention_tools *tools = &call->tools;
    const tni_attention *attention = tools->attention;
    forward_work work = {.call = call, .room = forward_cut(call, memory), .batch = batch, .row = row};
    work.rows = tni_min_i64(call->task_rows, attention->rows - row);
    const char *key = tni_attention_at(attention, &attention->key, batch);
    const char *value = tni_attention_at(attention, &attention->value, batch);
    if (attention->mask.data)
        work.mask = tni_attention_at(attention, &attention->mask, batch);
    tni_attention_lines(tools, work.room.query, &attention->query, tni_attention_at(attention, &attention->query, batch), row,
                        work.rows, attention->depth, attention->scale);
    for (int64_t i = 0; i < work.rows; i++) {
        work.room.most[i] = -(double)INFINITY;
        work.room.total[i] = 0;
    }
    int64_t end = attention->causal ? tni_min_i64(attention->keys, row + work.rows) : attention->keys;
    if (end == 0)
        memset(work.room.sums, 0, call->sums_bytes);
    for (work.key = 0; work.key < end; work.key += tools->block) {
        if (work.key && !tni_goes_on())
            return;
        work.keys = tni_min_i64(tools->block, end - work.key);
        tni_attention_along(tools, work.room.keys, &attention->key, key, work.key, work.keys, attention->depth);
        tni_attention_across(tools, work.room.values, &attention->value, value, work.key, work.keys, attention->width);
        for (int64_t i = 0; i < work.rows; i += ATTENTION_PART_ROWS)
            forward_part(&work, i, tni_min_i64(ATTENTION_PART_ROWS, work.rows - i));
    }
    forward_finish(&work);
}

static void forward_tasks(void *argument, int64_t begin, int64_t end) {
    forward_call *call = argument;
    int64_t set;
    char *memory = tni_thread_memory_claim(&call->memory, &set);
    for (int64_t task = begin; task < end; task++)
        forward_task(call, memory, task / call->tasks, task % call->tasks * call->task_rows);
    tni_thread_memory_leave(&call->memory, set);
}

tn_error tni_attention_forward(const tni_attention *attention) {
    forward_call call;
    if (attention->batches == 0 || attention->rows == 0 || (attention->width == 0 && !attention->logs.data))
        return TN_OK;
    if (!forward_plan(&call, attention))
        return tni_failed();
    int64_t tasks = attention->batches * call.tasks;
    /* A task that is small is not worth a thread. */
    double work = (double)call.task_rows * (double)attention->keys * (double)(attention->depth + attention->width + 16);
    int64_t grain = work >= PRODUCT_TASK ? 1 : (int64_t)(PRODUCT_TASK / (work + 1)) + 1;
    if (!tni_thread_memory_take(&call.memory, call.bytes, tni_min_i64((tasks + grain - 1) / grain, tn_num_threads())))
        return tni_failed();
    bool done = tni_parallel_for(tasks, grain, forward_tasks, &call);
    tni_thread_memory_give(&call.memory);
    return done ? TN_OK : TN_ERROR_CANCELLED;
}

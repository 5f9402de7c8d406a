/* attention_back.c - the backward pass of attention (attention.h). With P the weights, dropped ones 0, and S the scores,
 *
 *     mean_i = the sum over j of P_ij (grad_i . value_j) = grad_i . output_i
 *     slope_ij = P_ij (grad_i . value_j - mean_i)                    the gradient of S
 *     grad_query = scale slope key     grad_key = scale slope^T query     grad_value = P^T grad     grad_mask = slope
 *
 * P comes again from the scores and the logarithms of the forward pass: e^(S_ij - log_i). Nothing larger than a few blocks is kept.
 *
 * There are three walks over the same weights: by queries for grad_query, by keys for grad_key and grad_value, which are sums over rows,
 * and by places of the mask. Each writes what it alone computes, so no sum is shared by threads. In a walk, "lines" are the rows of the
 * result and "others" what they meet in blocks: keys, or queries. Lines are scaled when they are read, as in the forward pass.
 *
 * Where a batch is one block, and there are some of them, the walk by keys takes all keys of a batch at once and sums grad_query too, so
 * that weights and slopes are computed only once.
 */
#include <string.h>

#include "base/parallel.h"
#include "iterate/attention.h"
#include "iterate/attention_parts.h"

typedef struct back_walk {
    tni_attention_tools tools;
    const tni_attention_operand *lines, *line_grads;   /* query and grad, or key and value                          */
    const tni_attention_operand *others, *other_grads; /* key and value, or query and grad                          */
    const tni_attention_operand *first, *second;       /* results: of the lines, and grad_value; NULL: not wanted   */
    const tni_attention_operand *third;                /* by keys, and all of a batch: grad_query, or NULL          */
    bool by_keys, masks;                               /* masks: the result is grad_mask                            */
    int64_t line_count, other_count, owns, shares, task_lines, tasks;
    int64_t first_pitch, second_pitch;
    size_t lines_bytes, line_grads_bytes, others_bytes, other_grads_bytes, others_across, other_grads_across, block_bytes,
        first_bytes, second_bytes, third_bytes, lines_across, vector_bytes, bytes;
    const char *means; /* (batches, rows) */
    tni_thread_memory memory;
} back_walk;

typedef struct back_room {
    char *lines, *line_grads;
    char *others, *other_grads;               /* panels for scores and for grad . value */
    char *others_across, *other_grads_across; /* panels for the results                   */
    char *weights, *slopes, *kept;            /* blocks                                   */
    char *first, *second, *third;             /* sums                                     */
    char *lines_across;                       /* panels for the third                     */
    char *added, *logs, *means;               /* lines of a block                         */
} back_room;

static bool back_plan(back_walk *walk, const tni_attention *attention) {
    const tni_attention_operand *result = walk->masks ? &attention->grad_mask : walk->first ? walk->first : walk->second;
    walk->line_count = walk->by_keys ? attention->keys : attention->rows;
    walk->other_count = walk->by_keys ? attention->rows : attention->keys;
    walk->lines = walk->by_keys ? &attention->key : &attention->query;
    walk->line_grads = walk->by_keys ? &attention->value : &attention->grad;
    walk->others = walk->by_keys ? &attention->query : &attention->key;
    walk->other_grads = walk->by_keys ? &attention->grad : &attention->value;
    walk->owns = tni_attention_owns(attention, result);
    walk->shares = tni_attention_shares(attention, result);
    tni_attention_tools_begin(&walk->tools, attention, walk->other_count ? walk->other_count : 1);
    const tni_attention_tools *tools = &walk->tools;
    int64_t item = tools->item, pitch = tools->pitch, block = tools->block, part = ATTENTION_PART_ROWS;
    walk->task_lines = walk->third   ? walk->line_count
                       : walk->masks ? tni_min_i64(part, walk->line_count)
                                     : tni_attention_task(walk->line_count, walk->owns);
    walk->tasks = walk->task_lines ? (walk->line_count + walk->task_lines - 1) / walk->task_lines : 0;
    walk->first_pitch = walk->masks ? pitch : tni_attention_up(tools, attention->depth);
    walk->second_pitch = tni_attention_up(tools, attention->width);
    bool fits = true;
    walk->bytes = 0;
    walk->lines_bytes = tni_attention_bytes(&walk->bytes, &fits, walk->task_lines, attention->depth, item);
    walk->line_grads_bytes = tni_attention_bytes(&walk->bytes, &fits, walk->task_lines, attention->width, item);
    walk->others_bytes = tni_attention_bytes(&walk->bytes, &fits, pitch, attention->depth, item);
    walk->other_grads_bytes = tni_attention_bytes(&walk->bytes, &fits, pitch, attention->width, item);
    walk->others_across =
        tni_attention_bytes(&walk->bytes, &fits, walk->first && !walk->masks ? block : 0, walk->first_pitch, item);
    walk->other_grads_across = tni_attention_bytes(&walk->bytes, &fits, walk->second ? block : 0, walk->second_pitch, item);
    walk->block_bytes = tni_attention_bytes(&walk->bytes, &fits, part, pitch, item);
    tni_attention_bytes(&walk->bytes, &fits, 2 * part, pitch, item); /* two more blocks */
    walk->first_bytes = tni_attention_bytes(&walk->bytes, &fits, walk->task_lines, walk->first_pitch, item);
    walk->second_bytes =
        tni_attention_bytes(&walk->bytes, &fits, walk->second ? walk->task_lines : 0, walk->second_pitch, item);
    walk->third_bytes = tni_attention_bytes(&walk->bytes, &fits, walk->third ? walk->other_count : 0, walk->first_pitch, item);
    walk->lines_across = tni_attention_bytes(&walk->bytes, &fits, walk->third ? walk->line_count : 0, walk->first_pitch, item);
    walk->vector_bytes = tni_attention_bytes(&walk->bytes, &fits, pitch, 1, item);
    tni_attention_bytes(&walk->bytes, &fits, 2 * pitch + 32, 1, item); /* two more lines */
    if (!fits)
        tni_attention_too_large(tools);
    return fits;
}

static back_room back_cut(const back_walk *walk, char *memory) {
    back_room room;
    room.lines = memory;
    room.line_grads = room.lines + walk->lines_bytes;
    room.others = room.line_grads + walk->line_grads_bytes;
    room.other_grads = room.others + walk->others_bytes;
    room.others_across = room.other_grads + walk->other_grads_bytes;
    room.other_grads_across = room.others_across + walk->others_across;
    room.weights = room.other_grads_across + walk->other_grads_across;
    room.slopes = room.weights + walk->block_bytes;
    room.kept = room.slopes + walk->block_bytes;
    room.first = room.kept + walk->block_bytes;
    room.second = room.first + walk->first_bytes;
    room.third = room.second + walk->second_bytes;
    room.lines_across = room.third + walk->third_bytes;
    room.added = room.lines_across + walk->lines_across;
    room.logs = room.added + walk->vector_bytes;
    room.means = room.logs + walk->vector_bytes;
    return room;
}

/* What a task works on. */
typedef struct back_work {
    const back_walk *walk;
    back_room room;
    int64_t line, lines;   /* of the task                                */
    int64_t batch;         /* one of those that share the result         */
    int64_t other, others; /* of the block                               */
    const char *mask;
} back_work;

/* The lines of a batch, read and scaled. */
static void back_begin_batch(back_work *work, int64_t batch) {
    const back_walk *walk = work->walk;
    const tni_attention_tools *tools = &walk->tools;
    const tni_attention *attention = tools->attention;
    work->batch = batch;
    work->mask = attention->mask.data ? tni_attention_at(attention, &attention->mask, batch) : NULL;
    tni_attention_lines(tools, work->room.lines, walk->lines, tni_attention_at(attention, walk->lines, batch), work->line,
                        work->lines, attention->depth, attention->scale);
    tni_attention_lines(tools, work->room.line_grads, walk->line_grads, tni_attention_at(attention, walk->line_grads, batch),
                        work->line, work->lines, attention->width, 1);
    if (walk->third)
        tni_attention_across(tools, work->room.lines_across, walk->lines, tni_attention_at(attention, walk->lines, batch),
                             work->line, work->lines, attention->depth);
}

/* A block of what the lines meet. By keys, logarithms and means are lines along it. */
static void back_begin_block(back_work *work, int64_t other) {
    const back_walk *walk = work->walk;
    const tni_attention_tools *tools = &walk->tools;
    const tni_attention *attention = tools->attention;
    const char *others = tni_attention_at(attention, walk->others, work->batch);
    const char *other_grads = tni_attention_at(attention, walk->other_grads, work->batch);
    work->other = other;
    work->others = tni_min_i64(tools->block, walk->other_count - other);
    tni_attention_along(tools, work->room.others, walk->others, others, other, work->others, attention->depth);
    tni_attention_along(tools, work->room.other_grads, walk->other_grads, other_grads, other, work->others, attention->width);
    if (walk->first && !walk->masks)
        tni_attention_across(tools, work->room.others_across, walk->others, others, other, work->others, attention->depth);
    if (walk->second)
        tni_attention_across(tools, work->room.other_grads_across, walk->other_grads, other_grads, other, work->others,
                             attention->width);
    if (walk->by_keys) {
        tni_attention_operand logs = attention->logs;
        logs.column = logs.row; /* the numbers of a line are those of several rows */
        tni_attention_lines(tools, work->room.logs, &logs, tni_attention_at(attention, &attention->logs, work->batch), other, 1,
                            work->others, 1);
        memcpy(work->room.means, walk->means + (work->batch * attention->rows + other) * tools->item,
               (size_t)(work->others * tools->item));
    }
}

/* Which others of the block causality leaves to lines from `line` on: all between `from` and `to`. */
typedef struct back_range {
    int64_t from, to;
} back_range;

static back_range back_taken(const back_work *work, int64_t line, int64_t lines) {
    back_range range = {0, work->others};
    int64_t first = work->line + line - work->other;
    if (!work->walk->tools.attention->causal)
        return range;
    if (work->walk->by_keys)
        range.from = tni_max_i64(0, tni_min_i64(work->others, first));
    else
        range.to = tni_max_i64(0, tni_min_i64(work->others, first + lines));
    return range;
}

static void back_clear(const tni_attention_tools *tools, char *line, int64_t from, int64_t to) {
    memset(line + from * tools->item, 0, (size_t)((to - from) * tools->item));
}

/* Weights and slopes of a line, in the range of its part: `weights` has its scores and `slopes` the products with the gradients. What
 * the line does not take becomes 0. */
static void back_line(const back_work *work, int64_t line, back_range part, char *weights, char *slopes, char *kept) {
    const back_walk *walk = work->walk;
    const tni_attention_tools *tools = &walk->tools;
    const tni_attention *attention = tools->attention;
    const tni_attention_loops *loops = tools->loops;
    back_range taken = back_taken(work, line, 1);
    char *const cleared[] = {weights, slopes, kept};
    for (int i = 0; i < (attention->kept ? 3 : 2); i++) {
        back_clear(tools, cleared[i], part.from, tni_max_i64(part.from, taken.from));
        back_clear(tools, cleared[i], tni_min_i64(part.to, taken.to), part.to);
    }
    int64_t item = tools->item, place = work->line + line, other = work->other + taken.from, count = taken.to - taken.from;
    int64_t row = walk->by_keys ? other : place, key = walk->by_keys ? place : other;
    const char *logs = work->room.logs + taken.from * item, *means = work->room.means + taken.from * item;
    if (count <= 0)
        return;
    weights += taken.from * item;
    slopes += taken.from * item;
    kept += taken.from * item;
    if (!walk->by_keys) {
        logs = tni_attention_at(attention, &attention->logs, work->batch) + row * attention->logs.row * item;
        means = walk->means + (work->batch * attention->rows + row) * item;
    }
    const void *added = tni_attention_added(tools, work->mask, row, key, count, walk->by_keys, work->room.added);
    loops->recall(weights, added, logs, walk->by_keys, count, attention->exponential);
    if (attention->kept) {
        tni_attention_factors(tools, work->batch, row, key, count, walk->by_keys, work->room.added);
        loops->multiply(slopes, work->room.added, count);
        memcpy(kept, weights, (size_t)(count * item));
        loops->multiply(kept, work->room.added, count);
    }
    loops->slope(slopes, weights, means, walk->by_keys, count);
}

/* Weights and slopes of some lines and the block, and what they add to the results. */
static void back_part(const back_work *work, int64_t line, int64_t lines) {
    const back_walk *walk = work->walk;
    const tni_attention_tools *tools = &walk->tools;
    const tni_attention *attention = tools->attention;
    int64_t item = tools->item, pitch = tools->pitch;
    back_range part = back_taken(work, line, lines);
    if (part.from >= part.to)
        return;
    part.from -= part.from % tools->tiles->columns; /* panels begin there */
    tni_attention_product product = {.a = work->room.lines + line * attention->depth * item,
                                     .a_pitch = attention->depth,
                                     .rows = lines,
                                     .k = attention->depth,
                                     .panels = work->room.others + part.from * attention->depth * item,
                                     .panel_depth = attention->depth,
                                     .columns = work->others - part.from,
                                     .wanted = part.to - part.from,
                                     .c = work->room.weights + part.from * item,
                                     .c_pitch = pitch};
    tni_attention_multiply(tools, &product);
    product.a = work->room.line_grads + line * attention->width * item;
    product.a_pitch = product.k = product.panel_depth = attention->width;
    product.panels = work->room.other_grads + part.from * attention->width * item;
    product.c = work->room.slopes + part.from * item;
    tni_attention_multiply(tools, &product);
    for (int64_t i = 0; i < lines; i++)
        back_line(work, line + i, part, work->room.weights + i * pitch * item, work->room.slopes + i * pitch * item,
                  work->room.kept + i * pitch * item);
    if (walk->masks) {
        for (int64_t i = 0; i < lines; i++)
            tools->loops->add(work->room.first + ((line + i) * pitch + part.from) * item,
                              work->room.slopes + (i * pitch + part.from) * item, part.to - part.from);
        return;
    }
    product.a_pitch = pitch;
    product.k = part.to - part.from;
    product.panel_depth = work->others;
    product.panel_from = part.from;
    product.adds = true;
    if (walk->first) {
        product.a = work->room.slopes + part.from * item;
        product.panels = work->room.others_across;
        product.columns = product.wanted = attention->depth;
        product.c = work->room.first + line * walk->first_pitch * item;
        product.c_pitch = walk->first_pitch;
        tni_attention_multiply(tools, &product);
    }
    if (walk->second) {
        product.a = (attention->kept ? work->room.kept : work->room.weights) + part.from * item;
        product.panels = work->room.other_grads_across;
        product.columns = product.wanted = attention->width;
        product.c = work->room.second + line * walk->second_pitch * item;
        product.c_pitch = walk->second_pitch;
        tni_attention_multiply(tools, &product);
    }
    if (walk->third) {
        product.a = work->room.slopes + part.from * item;
        product.turned = true;
        product.rows = part.to - part.from;
        product.k = lines;
        product.panels = work->room.lines_across;
        product.panel_depth = work->lines;
        product.panel_from = line;
        product.columns = product.wanted = attention->depth;
        product.c = work->room.third + part.from * walk->first_pitch * item;
        product.c_pitch = walk->first_pitch;
        tni_attention_multiply(tools, &product);
    }
}

static void back_parts(const back_work *work) {
    for (int64_t i = 0; i < work->lines; i += ATTENTION_PART_ROWS)
        back_part(work, i, tni_min_i64(ATTENTION_PART_ROWS, work->lines - i));
}

/* Sums become rows of a result; all but those of values are scaled. */
static void back_put(const back_work *work, const tni_attention_operand *result, int64_t own, char *sums, int64_t row,
                     int64_t rows, int64_t count, int64_t pitch) {
    const tni_attention_tools *tools = &work->walk->tools;
    char *at = tni_attention_own(tools->attention, result, own);
    for (int64_t i = 0; i < rows; i++, sums += pitch * tools->item) {
        if (result != work->walk->second)
            tools->loops->scale(sums, count, tools->attention->scale);
        tni_attention_put(tools, result, at, row + i, sums, count);
    }
}

/* All batches that share matrix `own` of the result, one after the other. */
static void back_task(back_work *work, int64_t own) {
    const back_walk *walk = work->walk;
    const tni_attention_tools *tools = &walk->tools;
    const tni_attention *attention = tools->attention;
    const tni_attention_operand *result = walk->first ? walk->first : walk->second;
    memset(work->room.first, 0, walk->first_bytes);
    memset(work->room.second, 0, walk->second_bytes);
    memset(work->room.third, 0, walk->third_bytes);
    for (int64_t share = 0; share < walk->shares; share++) {
        back_begin_batch(work, tni_attention_batch(attention, result, own, share));
        for (int64_t other = 0; other < walk->other_count; other += tools->block) {
            if (!tni_goes_on())
                return;
            back_begin_block(work, other);
            back_parts(work);
        }
    }
    if (walk->first)
        back_put(work, walk->first, own, work->room.first, work->line, work->lines, attention->depth, walk->first_pitch);
    if (walk->second)
        back_put(work, walk->second, own, work->room.second, work->line, work->lines, attention->width, walk->second_pitch);
    if (walk->third)
        back_put(work, walk->third, own, work->room.third, 0, walk->other_count, attention->depth, walk->first_pitch);
}

/* Of a mask, one block of keys after the other is finished. */
static void back_mask_task(back_work *work, int64_t own) {
    const back_walk *walk = work->walk;
    const tni_attention_tools *tools = &walk->tools;
    const tni_attention *attention = tools->attention;
    const tni_attention_operand *result = &attention->grad_mask;
    int64_t item = (int64_t)tni_dtype_size(result->dtype);
    for (int64_t other = 0; other < walk->other_count; other += tools->block) {
        memset(work->room.first, 0, walk->first_bytes);
        for (int64_t share = 0; share < walk->shares; share++) {
            if (!tni_goes_on())
                return;
            back_begin_batch(work, tni_attention_batch(attention, result, own, share));
            back_begin_block(work, other);
            back_parts(work);
        }
        char *at = tni_attention_own(attention, result, own) + other * result->column * item;
        for (int64_t i = 0; i < work->lines; i++)
            tni_attention_put(tools, result, at, work->line + i, work->room.first + i * tools->pitch * tools->item,
                              tni_min_i64(tools->block, walk->other_count - other));
    }
}

static void back_tasks(void *argument, int64_t begin, int64_t end) {
    back_walk *walk = argument;
    int64_t set;
    char *memory = tni_thread_memory_claim(&walk->memory, &set);
    back_work work = {.walk = walk, .room = back_cut(walk, memory)};
    for (int64_t task = begin; task < end; task++) {
        work.line = task % walk->tasks * walk->task_lines;
        work.lines = tni_min_i64(walk->task_lines, walk->line_count - work.line);
        (walk->masks ? back_mask_task : back_task)(&work, task / walk->tasks);
    }
    tni_thread_memory_leave(&walk->memory, set);
}

static tn_error attention_back_run(const tni_attention *attention, back_walk *walk) {
    if (!back_plan(walk, attention))
        return tni_failed();
    int64_t tasks = walk->owns * walk->tasks;
    if (tasks == 0)
        return TN_OK;
    if (!tni_thread_memory_take(&walk->memory, walk->bytes, tni_min_i64(tasks, tn_num_threads())))
        return tni_failed();
    bool done = tni_parallel_for(tasks, 1, back_tasks, walk);
    tni_thread_memory_give(&walk->memory);
    return done ? TN_OK : TN_ERROR_CANCELLED;
}

/* ---- means */

typedef struct back_means {
    tni_attention_tools tools;
    char *means;
    tni_thread_memory memory;
} back_means;

static void back_means_of(void *argument, int64_t begin, int64_t end) {
    back_means *call = argument;
    const tni_attention_tools *tools = &call->tools;
    const tni_attention *attention = tools->attention;
    int64_t set, item = tools->item, width = attention->width, last = -1;
    char *room = tni_thread_memory_claim(&call->memory, &set), *grads = NULL, *outputs = NULL;
    for (int64_t place = begin; place < end; place++) {
        int64_t batch = place / attention->rows, row = place % attention->rows;
        if (batch != last) {
            grads = tni_attention_at(attention, &attention->grad, batch);
            outputs = tni_attention_at(attention, &attention->output, batch);
            last = batch;
        }
        const void *grad = tni_attention_line(tools, room, &attention->grad, grads, row, width);
        const void *output = tni_attention_line(tools, room + width * item, &attention->output, outputs, row, width);
        tools->tiles->dots[0][1](width, grad, width, output, width, call->means + place * item, 1, false);
    }
    tni_thread_memory_leave(&call->memory, set);
}

static tn_error back_find_means(const tni_attention *attention, char *means) {
    back_means call = {.means = means};
    tni_attention_tools_begin(&call.tools, attention, 1);
    if (!tni_thread_memory_take(&call.memory, (size_t)(2 * (attention->width + 1) * call.tools.item), tn_num_threads()))
        return tni_failed();
    int64_t grain = PRODUCT_PACK / (attention->width + 1) + 1;
    bool done = tni_parallel_for(attention->batches * attention->rows, grain, back_means_of, &call);
    tni_thread_memory_give(&call.memory);
    return done ? TN_OK : TN_ERROR_CANCELLED;
}

/* Whether two results serve the same batches. */
static bool back_share_alike(const tni_attention *attention, const tni_attention_operand *a, const tni_attention_operand *b) {
    bool same = true;
    for (int64_t d = 0; d < attention->batch_ndim; d++)
        same &= a->own[d] == b->own[d];
    return same;
}

/* Whether one walk gives all three results: each batch is a block, and there are enough batches for some threads. */
static bool back_is_one(const tni_attention *attention, const tni_attention_operand *key, const tni_attention_operand *value) {
    const tni_attention_operand *query = &attention->grad_query;
    return query->data && key && value && attention->batches >= ATTENTION_TASKS && attention->rows <= ATTENTION_KEYS &&
           attention->keys <= ATTENTION_KEYS && attention->rows > 0 && attention->keys > 0 &&
           tni_attention_owns(attention, query) == attention->batches &&
           tni_attention_owns(attention, key) == attention->batches &&
           tni_attention_owns(attention, value) == attention->batches;
}

static tn_error back_walks(const tni_attention *attention, const char *means) {
    const tni_attention_operand *key = attention->grad_key.data ? &attention->grad_key : NULL;
    const tni_attention_operand *value = attention->grad_value.data ? &attention->grad_value : NULL;
    tn_error code = TN_OK;
    if (back_is_one(attention, key, value))
        return attention_back_run(
            attention,
            &(back_walk){.first = key, .second = value, .third = &attention->grad_query, .by_keys = true, .means = means});
    if (attention->grad_query.data)
        code = attention_back_run(attention, &(back_walk){.first = &attention->grad_query, .means = means});
    if (code == TN_OK && key && value && back_share_alike(attention, key, value))
        return attention_back_run(attention, &(back_walk){.first = key, .second = value, .by_keys = true, .means = means});
    if (code == TN_OK && key)
        code = attention_back_run(attention, &(back_walk){.first = key, .by_keys = true, .means = means});
    if (code == TN_OK && value)
        code = attention_back_run(attention, &(back_walk){.second = value, .by_keys = true, .means = means});
    return code;
}

tn_error tni_attention_backward(const tni_attention *attention) {
    tni_thread_memory memory;
    size_t item = tni_dtype_size(attention->compute);
    if (!tni_thread_memory_take(&memory, (size_t)(attention->batches * attention->rows + 1) * item, 1))
        return tni_failed();
    tn_error code = back_find_means(attention, memory.data);
    if (code == TN_OK)
        code = back_walks(attention, memory.data);
    if (code == TN_OK && attention->grad_mask.data)
        code = attention_back_run(attention, &(back_walk){.masks = true, .means = memory.data});
    tni_thread_memory_give(&memory);
    return code;
}

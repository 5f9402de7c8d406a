/* runs.c - plans a reduction, cuts it into tasks and runs them. See runs.h.
 *
 * After the nest is simplified the innermost dimension decides. If it is reduced, each result is made from runs along it
 * (mode run). If it is kept, many results next to each other are made at once, row by row (mode columns), a tile of columns at
 * a time whose states stay in the first cache. Very short dimensions change the mode where that makes longer loops.
 *
 * A task is a batch of results, or a tile of them, and one chunk of the elements reduced to them. Where there is only one chunk
 * the states are on the stack of the task, which finishes them; otherwise tasks leave their states in a common block, and a
 * second loop combines and finishes them.
 */
#include "iterate/runs.h"

#include "base/heap.h"
#include "base/parallel.h"
#include "kernels/blocks.h"
#include "iterate/nest.h"
#include "iterate/limits.h"

_Static_assert((int)REDUCE_QUICK <= (int)TNI_REDUCE_COLUMNS, "a loop can have this many columns");

enum { REDUCE_INPUT = 0, REDUCE_OUT = 1 }; /* operands of the nest; the index is the last */

/* Some dimensions of the nest, in its order, with the number of places that they have together. */
typedef struct reduce_axes {
    int count;
    int8_t dims[TN_MAX_DIMS];
    int64_t total;
} reduce_axes;

typedef struct reduce_plan {
    const tni_reduce_job *job;
    const tni_reduction *what;
    tni_nest nest;
    reduce_axes kept, reduced; /* reduced.dims[0] is the dimension of the runs, or of the rows       */
    int column;                /* mode columns: the dimension of the columns; -1: mode run           */
    int64_t columns;           /* its size                                                           */
    int64_t parts;             /* mode run: a run has the elements of this many neighbouring results */
    int index;                 /* the operand that counts indices; -1                                */
    size_t item;
    bool converts, gathers, packs, empty;
    tn_dtype first;         /* what is converted to                                              */
    int64_t pack;           /* elements of a packed block                                        */
    int64_t batch, batches; /* results (mode run) or columns (mode columns) a task makes         */
    int64_t chunk, chunks;  /* elements of mode run, rows of mode columns                        */
    int64_t state_bytes;    /* of a task                                                         */
    char *partial;          /* the states of all tasks where there are several chunks            */
    char *out[TNI_REDUCE_RESULTS];
    const char *input;
} reduce_plan;

typedef struct reduce_buffers {
    _Alignas(64) char raw[REDUCE_PACK_BYTES];       /* as in memory, without gaps     */
    _Alignas(64) char converted[REDUCE_PACK_BYTES]; /* to what the map or loop reads  */
    _Alignas(64) char mapped[REDUCE_PACK_BYTES];
} reduce_buffers;

/* ---- walking along some of the dimensions */

typedef struct reduce_walk {
    int64_t offset[TNI_REDUCE_RESULTS + 2]; /* of each operand, from its start */
    int64_t place[TN_MAX_DIMS];             /* along each of the axes          */
} reduce_walk;

static void reduce_walk_to(const reduce_plan *plan, const reduce_axes *axes, reduce_walk *walk, int64_t position) {
    const tni_nest *nest = &plan->nest;
    for (int64_t k = 0; k < nest->operands; k++)
        walk->offset[k] = 0;
    for (int i = 0; i < axes->count; i++) {
        int64_t size = nest->sizes[axes->dims[i]];
        walk->place[i] = position % size;
        position /= size;
        for (int64_t k = 0; k < nest->operands; k++)
            walk->offset[k] += walk->place[i] * nest->strides[k][axes->dims[i]];
    }
}

static int64_t reduce_walk_left(const reduce_plan *plan, const reduce_axes *axes, const reduce_walk *walk) {
    return axes->count ? plan->nest.sizes[axes->dims[0]] - walk->place[0] : 1;
}

/* Moves on by this many places of the first axis, which may end it. */
static void reduce_walk_on(const reduce_plan *plan, const reduce_axes *axes, reduce_walk *walk, int64_t many) {
    const tni_nest *nest = &plan->nest;
    if (axes->count == 0)
        return;
    walk->place[0] += many;
    for (int64_t k = 0; k < nest->operands; k++)
        walk->offset[k] += many * nest->strides[k][axes->dims[0]];
    for (int i = 0; i + 1 < axes->count && walk->place[i] == nest->sizes[axes->dims[i]]; i++) {
        for (int64_t k = 0; k < nest->operands; k++)
            walk->offset[k] += nest->strides[k][axes->dims[i + 1]] - walk->place[i] * nest->strides[k][axes->dims[i]];
        walk->place[i] = 0;
        walk->place[i + 1]++;
    }
}

/* ---- blocks */

/* What was gathered, as the loop wants it. */
static const char *reduce_prepare(const reduce_plan *plan, reduce_buffers *buffers, const char *block, int64_t count) {
    if (plan->converts) {
        tni_block_convert(plan->first, buffers->converted, plan->job->dtype, block, count);
        block = buffers->converted;
    }
    if (plan->what->map) {
        plan->what->map(buffers->mapped, block, count, plan->what->map_context);
        block = buffers->mapped;
    }
    return block;
}

/* Places from the walk's position on, at most `many`, as one run. Moves the walk on, and returns how many. */
static int64_t reduce_pack_run(const reduce_plan *plan, reduce_buffers *buffers, const char *base, reduce_walk *walk,
                               int64_t many, const char **block) {
    const reduce_axes *axes = &plan->reduced;
    int64_t parts = plan->parts, done = 0, stride = plan->nest.strides[REDUCE_INPUT][axes->dims[0]];
    many = tni_min_i64(many, plan->pack / parts);
    int64_t row = tni_min_i64(many, reduce_walk_left(plan, axes, walk));
    if (!plan->gathers && (row == many || plan->what->indexed)) {
        *block = reduce_prepare(plan, buffers, base + walk->offset[REDUCE_INPUT], row * parts);
        reduce_walk_on(plan, axes, walk, row);
        return row;
    }
    while (done < many && !(done > 0 && plan->what->indexed)) {
        row = tni_min_i64(many - done, reduce_walk_left(plan, axes, walk));
        tni_block_move(plan->item, buffers->raw + (size_t)(done * parts) * plan->item, (int64_t)plan->item,
                       base + walk->offset[REDUCE_INPUT], parts > 1 ? (int64_t)plan->item : stride, row * parts);
        reduce_walk_on(plan, axes, walk, row);
        done += row;
    }
    *block = reduce_prepare(plan, buffers, buffers->raw, done * parts);
    return done;
}

/* `rows` rows of `count` columns, one after the other. */
static const char *reduce_pack_rows(const reduce_plan *plan, reduce_buffers *buffers, const char *at, int64_t rows,
                                    int64_t count) {
    int64_t pitch = plan->nest.strides[REDUCE_INPUT][plan->reduced.dims[0]];
    int64_t stride = plan->nest.strides[REDUCE_INPUT][plan->column];
    if (!plan->converts || plan->gathers) {
        tni_block_gather(plan->item, buffers->raw, count * (int64_t)plan->item, at, pitch, stride, rows, count);
        return reduce_prepare(plan, buffers, buffers->raw, rows * count);
    }
    for (int64_t row = 0; row < rows; row++, at += pitch)
        tni_block_convert(plan->first, buffers->converted + (size_t)(row * count) * tni_dtype_size(plan->first),
                          plan->job->dtype, at, count);
    if (!plan->what->map)
        return buffers->converted;
    plan->what->map(buffers->mapped, buffers->converted, rows * count, plan->what->map_context);
    return buffers->mapped;
}

/* ---- one task */

/* Elements from `begin` to `end` of those that are reduced to one result (or to `parts` neighbours). */
static void reduce_one(const reduce_plan *plan, reduce_buffers *buffers, const tni_reduce_states *states, int64_t input,
                       int64_t begin, int64_t end) {
    const tni_reduction *what = plan->what;
    const reduce_axes *axes = &plan->reduced;
    const char *base = plan->input + input;
    tni_reduce_span span = {.parts = plan->parts, .rows = 1};
    if (plan->index >= 0)
        span.step = plan->nest.strides[plan->index][axes->dims[0]];
    if (axes->count == 1 && !plan->packs && !what->settled) { /* one run, where it is */
        TNI_IN_STEPS_OF (REDUCE_LONG, from, to, end - begin) {
            span.data = base + (begin + from) * plan->nest.strides[REDUCE_INPUT][axes->dims[0]];
            span.count = (to - from) * plan->parts;
            span.index = plan->index >= 0 ? plan->nest.starts[plan->index] + (begin + from) * span.step : 0;
            what->run(states, &span, what->context);
        }
        return;
    }
    reduce_walk walk;
    reduce_walk_to(plan, axes, &walk, begin);
    for (int64_t position = begin, asked = begin; position < end;) {
        if (position - asked >= (plan->packs ? REDUCE_ASK : REDUCE_LONG)) {
            asked = position;
            if (!tni_goes_on())
                return;
        }
        int64_t many = end - position;
        if (plan->index >= 0)
            span.index = plan->nest.starts[plan->index] + walk.offset[plan->index];
        many = tni_min_i64(many, what->settled ? REDUCE_PIECE : REDUCE_LONG);
        if (plan->packs) {
            many = reduce_pack_run(plan, buffers, base, &walk, many, &span.data);
        } else {
            many = tni_min_i64(many, reduce_walk_left(plan, axes, &walk));
            span.data = base + walk.offset[REDUCE_INPUT];
            reduce_walk_on(plan, axes, &walk, many);
        }
        span.count = many * plan->parts;
        what->run(states, &span, what->context);
        position += many;
        if (what->settled && what->settled(states, position - begin, what->context))
            return;
    }
}

/* Rows from `begin` to `end` of a tile of columns. */
static void reduce_tile(const reduce_plan *plan, reduce_buffers *buffers, const tni_reduce_states *states, int64_t input,
                        int64_t columns, int64_t begin, int64_t end) {
    const tni_reduction *what = plan->what;
    const reduce_axes *axes = &plan->reduced;
    const char *base = plan->input + input;
    tni_reduce_span span = {.parts = 1, .count = columns};
    reduce_walk walk;
    reduce_walk_to(plan, axes, &walk, begin);
    span.pitch =
        plan->packs ? columns * (int64_t)tni_dtype_size(what->compute) : plan->nest.strides[REDUCE_INPUT][axes->dims[0]];
    if (plan->index >= 0)
        span.step = plan->nest.strides[plan->index][axes->dims[0]];
    int64_t most = tni_max_i64(1, (plan->packs ? REDUCE_ASK : REDUCE_LONG) / columns), asked = begin;
    for (int64_t row = begin; row < end; row += span.rows) {
        if (row - asked >= most) {
            asked = row;
            if (!tni_goes_on())
                return;
        }
        if (plan->index >= 0)
            span.index = plan->nest.starts[plan->index] + walk.offset[plan->index];
        span.rows = tni_min_i64(tni_min_i64(end - row, most), reduce_walk_left(plan, axes, &walk));
        span.data = base + walk.offset[REDUCE_INPUT];
        if (plan->packs) {
            span.rows = tni_min_i64(span.rows, plan->pack / columns);
            span.data = reduce_pack_rows(plan, buffers, span.data, span.rows, columns);
        }
        what->columns(states, &span, what->context);
        reduce_walk_on(plan, axes, &walk, span.rows);
    }
}

/* ---- results */

/* Finished values to their places: a row along one dimension. */
static void reduce_put(const reduce_plan *plan, int k, int64_t offset, int64_t stride, const char *values, int64_t count) {
    _Alignas(16) char converted[REDUCE_BATCH * 16];
    tn_dtype from = plan->what->gives[k], to = plan->job->result[k].dtype;
    size_t item = tni_dtype_size(to);
    if (from != to) {
        tni_block_convert(to, converted, from, values, count);
        values = converted;
    }
    tni_block_move(item, plan->out[k] + offset, stride, values, (int64_t)item, count);
}

/* The states of task `number`. */
static void reduce_finish(const reduce_plan *plan, tni_reduce_states states, int64_t number, int64_t count) {
    _Alignas(16) char values[TNI_REDUCE_RESULTS][REDUCE_BATCH * 16];
    void *out[TNI_REDUCE_RESULTS] = {values[0], values[1]};
    const tni_reduction *what = plan->what;
    int64_t tiles = plan->batches / plan->kept.total, row = plan->column, left;
    reduce_walk walk;
    if (plan->column >= 0) {
        reduce_walk_to(plan, &plan->kept, &walk, number / tiles);
        for (int64_t k = 0; k < plan->nest.operands; k++)
            walk.offset[k] += number % tiles * plan->batch * plan->nest.strides[k][row];
    } else {
        reduce_walk_to(plan, &plan->kept, &walk, number * plan->batch);
        row = plan->kept.count ? plan->kept.dims[0] : plan->reduced.dims[0];
    }
    for (; count > 0; count -= left) {
        left = tni_min_i64(count, REDUCE_BATCH);
        if (plan->column < 0)
            left = tni_min_i64(left, reduce_walk_left(plan, &plan->kept, &walk));
        what->finish(out, &states, left, plan->empty ? 0 : plan->reduced.total, what->context);
        for (int k = 0; k < what->results; k++)
            reduce_put(plan, k, walk.offset[REDUCE_OUT + k], plan->nest.strides[REDUCE_OUT + k][row], values[k], left);
        states.at += left;
        if (plan->column < 0)
            reduce_walk_on(plan, &plan->kept, &walk, left);
        else
            for (int64_t k = 0; k < plan->nest.operands; k++)
                walk.offset[k] += left * plan->nest.strides[k][row];
    }
}

/* How many results task `number` has. */
static int64_t reduce_count(const reduce_plan *plan, int64_t number) {
    if (plan->column < 0)
        return tni_min_i64(plan->batch, plan->kept.total - number * plan->batch);
    int64_t tiles = plan->batches / plan->kept.total;
    return tni_min_i64(plan->batch, plan->columns - number % tiles * plan->batch);
}

static void reduce_task(const reduce_plan *plan, reduce_buffers *buffers, const tni_reduce_states *states, int64_t number,
                        int64_t chunk) {
    int64_t count = reduce_count(plan, number), total = plan->empty ? 0 : plan->reduced.total;
    int64_t begin = chunk * plan->chunk, end = tni_min_i64(total, begin + plan->chunk);
    plan->what->begin(states, count, plan->what->context);
    reduce_walk walk;
    if (plan->column >= 0) {
        int64_t tiles = plan->batches / plan->kept.total;
        reduce_walk_to(plan, &plan->kept, &walk, number / tiles);
        int64_t first = number % tiles * plan->batch * plan->nest.strides[REDUCE_INPUT][plan->column];
        reduce_tile(plan, buffers, states, walk.offset[REDUCE_INPUT] + first, count, begin, end);
        return;
    }
    tni_reduce_states one = *states;
    reduce_walk_to(plan, &plan->kept, &walk, number * plan->batch);
    for (int64_t i = 0; i < count; i += plan->parts, one.at += plan->parts) {
        reduce_one(plan, buffers, &one, walk.offset[REDUCE_INPUT], begin, end);
        reduce_walk_on(plan, &plan->kept, &walk, plan->parts);
    }
}

static void reduce_tasks(void *argument, int64_t begin, int64_t end) {
    const reduce_plan *plan = argument;
    reduce_buffers buffers;
    _Alignas(64) char own[TNI_REDUCE_COLUMNS * TNI_REDUCE_WORDS * 8];
    tni_reduce_states states = {.words = own, .capacity = plan->batch};
    for (int64_t task = begin; task < end; task++) {
        if (plan->partial)
            states.words = plan->partial + task * plan->state_bytes;
        /* Neighbours in memory follow each other: all tiles of a chunk of rows, all chunks of a run. */
        int64_t number = plan->column >= 0 ? task % plan->batches : task / plan->chunks;
        int64_t chunk = plan->column >= 0 ? task / plan->batches : task % plan->chunks;
        reduce_task(plan, &buffers, &states, number, chunk);
        if (!plan->partial)
            reduce_finish(plan, states, number, reduce_count(plan, number));
    }
}

static void reduce_combine(void *argument, int64_t begin, int64_t end) {
    const reduce_plan *plan = argument;
    for (int64_t number = begin; number < end; number++) {
        int64_t count = reduce_count(plan, number);
        int64_t first = plan->column >= 0 ? number : number * plan->chunks, step = plan->column >= 0 ? plan->batches : 1;
        tni_reduce_states into = {.words = plan->partial + first * plan->state_bytes, .capacity = plan->batch}, from = into;
        for (int64_t chunk = 1; chunk < plan->chunks; chunk++) {
            from.words += step * plan->state_bytes;
            plan->what->combine(&into, &from, count, plan->what->context);
        }
        reduce_finish(plan, into, number, count);
    }
}

/* ---- the plan */

static void reduce_lay_out(reduce_plan *plan) {
    const tni_reduce_job *job = plan->job;
    int64_t sizes[TN_MAX_DIMS], strides[TNI_REDUCE_RESULTS][TN_MAX_DIMS], index[TN_MAX_DIMS], step = 1;
    plan->empty = false;
    for (int64_t d = 0; d < job->ndim; d++) {
        sizes[d] = job->sizes[d];
        plan->empty = plan->empty || (job->reduced[d] && sizes[d] == 0);
    }
    for (int64_t d = job->ndim - 1; d >= 0; d--) {
        if (plan->empty && job->reduced[d])
            sizes[d] = 1;
        index[d] = job->reduced[d] ? step : 0;
        step *= job->reduced[d] ? sizes[d] : 1;
        for (int k = 0; k < plan->what->results; k++)
            strides[k][d] = job->reduced[d] ? 0 : job->result[k].strides[d];
    }
    tni_nest_begin(&plan->nest, job->ndim, sizes);
    static const int64_t standing[TN_MAX_DIMS] = {0}; /* where there are no elements, there is no place to walk to */
    tni_nest_add(&plan->nest, plan->empty ? standing : job->strides, plan->item);
    for (int k = 0; k < plan->what->results; k++)
        tni_nest_add(&plan->nest, strides[k], tni_dtype_size(job->result[k].dtype));
    plan->index = -1;
    if (plan->what->indexed) {
        plan->index = (int)plan->nest.operands;
        tni_nest_add(&plan->nest, index, 1);
    }
    tni_nest_simplify(&plan->nest);
    if (plan->index >= 0) /* the first of equal elements is wanted, so indices must rise */
        for (int64_t d = 0; d < plan->nest.ndim; d++)
            if (plan->nest.strides[plan->index][d] < 0)
                tni_nest_turn(&plan->nest, d);
}

static bool reduce_is_reduced(const reduce_plan *plan, int64_t dim) { return plan->nest.strides[REDUCE_OUT][dim] == 0; }

static void reduce_axes_add(reduce_axes *axes, const tni_nest *nest, int64_t dim) {
    axes->dims[axes->count++] = (int8_t)dim;
    axes->total *= nest->sizes[dim];
}

/* Mode, and the role of each dimension. */
static void reduce_choose(reduce_plan *plan) {
    tni_nest *nest = &plan->nest;
    if (nest->ndim == 0) { /* one element is a run of one */
        nest->ndim = 1;
        nest->sizes[0] = 1;
        for (int64_t k = 0; k < nest->operands; k++)
            nest->strides[k][0] = k == REDUCE_INPUT ? (int64_t)plan->item : 0;
    }
    int64_t run = -1, column = -1; /* the innermost dimensions that are reduced, and that are kept */
    for (int64_t d = nest->ndim - 1; d >= 0; d--)
        *(reduce_is_reduced(plan, d) ? &run : &column) = d;
    const int64_t *sizes = nest->sizes, *strides = nest->strides[REDUCE_INPUT];
    plan->parts = 1;
    bool by_columns = column >= 0 && run != 0;
    if (run == 0 && column >= 0 && sizes[0] < REDUCE_BRIEF && sizes[column] >= REDUCE_SHORT)
        by_columns = true;
    if (column == 0 && run == 1 && plan->what->folds && strides[0] == (int64_t)plan->item &&
        strides[1] == sizes[0] * (int64_t)plan->item && (sizes[0] == 2 || sizes[0] == 4 || sizes[0] == 8 || sizes[0] == 16)) {
        plan->parts = sizes[0];
        by_columns = false;
    } else if (by_columns && run >= 0 && sizes[column] < REDUCE_SHORT && sizes[run] > 4 * sizes[column]) {
        by_columns = false;
    }
    plan->column = by_columns ? (int)column : -1;
    plan->columns = by_columns ? sizes[column] : 1;
    plan->kept = plan->reduced = (reduce_axes){.total = 1};
    for (int64_t d = 0; d < nest->ndim; d++)
        if (reduce_is_reduced(plan, d))
            reduce_axes_add(&plan->reduced, nest, d);
        else if (d != plan->column)
            reduce_axes_add(&plan->kept, nest, d);
    if (run < 0) { /* every result is made of one element: a dimension of one row, or run */
        nest->sizes[nest->ndim] = 1;
        for (int64_t k = 0; k < nest->operands; k++)
            nest->strides[k][nest->ndim] = 0;
        reduce_axes_add(&plan->reduced, nest, nest->ndim);
    }
    int64_t inner = strides[by_columns ? column : plan->reduced.dims[0]];
    plan->gathers = by_columns || sizes[plan->reduced.dims[0]] > 1 ? inner != plan->parts * (int64_t)plan->item : false;
}

static int64_t reduce_div_up(int64_t a, int64_t b) { return (a + b - 1) / b; }

static void reduce_cut(reduce_plan *plan) {
    const tni_reduction *what = plan->what;
    plan->first = what->map ? what->maps : what->compute;
    plan->converts = plan->job->dtype != plan->first;
    plan->packs = plan->converts || plan->gathers || what->map;
    size_t widest = plan->item, inside = tni_dtype_size(plan->first), last = tni_dtype_size(what->compute);
    widest = inside > widest ? inside : widest;
    widest = last > widest ? last : widest;
    plan->pack = (int64_t)(REDUCE_PACK_BYTES / widest);
    int64_t total = plan->reduced.total;
    plan->chunk = tni_max_i64(total, 1);
    if (plan->column >= 0) {
        plan->batch = tni_min_i64(plan->columns, plan->packs ? plan->pack / 8 : TNI_REDUCE_COLUMNS);
        plan->batches = reduce_div_up(plan->columns, plan->batch) * plan->kept.total;
        int64_t rows = (REDUCE_ROWS / plan->batch + REDUCE_ROWS_STEP - 1) / REDUCE_ROWS_STEP * REDUCE_ROWS_STEP;
        if (plan->batches < REDUCE_MANY && total > 2 * rows)
            plan->chunk = rows;
    } else {
        plan->batch = plan->kept.total >= REDUCE_MANY || total <= REDUCE_CHUNK
                          ? tni_max_i64(1, tni_min_i64(REDUCE_BATCH, REDUCE_PIECE / (tni_max_i64(total, 1) * plan->parts)))
                          : 1;
        int64_t room = TNI_REDUCE_COLUMNS / plan->parts; /* a task has states for this many runs */
        plan->batch = tni_min_i64(tni_min_i64(plan->batch, room) * plan->parts, plan->kept.total);
        plan->batches = reduce_div_up(plan->kept.total, plan->batch);
        if (plan->batches < REDUCE_MANY && total * plan->parts > 2 * REDUCE_CHUNK)
            plan->chunk = REDUCE_CHUNK / plan->parts;
    }
    plan->state_bytes = plan->batch * what->words * 8;
    if (plan->chunk < total) { /* even if expanded to billions of rows */
        int64_t most = tni_max_i64(REDUCE_MANY, REDUCE_STATES / (plan->batches * plan->state_bytes));
        int64_t least = reduce_div_up(reduce_div_up(total, most), REDUCE_ROWS_STEP) * REDUCE_ROWS_STEP;
        plan->chunk = tni_max_i64(plan->chunk, least);
    }
    plan->chunks = plan->empty ? 1 : reduce_div_up(total, plan->chunk);
}

static void reduce_start(reduce_plan *plan) {
    plan->input = plan->empty ? "" : plan->job->data + plan->nest.starts[REDUCE_INPUT];
    for (int k = 0; k < plan->what->results; k++)
        plan->out[k] = plan->job->result[k].data + plan->nest.starts[REDUCE_OUT + k];
}

/* A small input as its reduction sees it: (before, reduced, after), from the outermost dimension to the innermost. */
typedef struct reduce_small {
    int64_t before, reduced, after, kept;
} reduce_small;

/* Whether the input has no gaps and is of the dtype that is computed in, its reduced dimensions are together with kept ones on
 * at most one side, and the results have no gaps either. */
static bool reduce_is_small(const tni_reduce_job *job, reduce_small *small) {
    const tni_reduction *what = job->what;
    int64_t count = 1;
    *small = (reduce_small){1, 1, 1, 1};
    if (job->dtype != what->compute || what->map)
        return false;
    for (int64_t d = job->ndim - 1; d >= 0; d--) {
        int64_t size = job->sizes[d];
        if (size == 1)
            continue;
        if (size == 0 || size > REDUCE_PIECE || job->strides[d] != count)
            return false;
        count *= size;
        if (count > REDUCE_PIECE)
            return false;
        if (job->reduced[d]) {
            if (small->before > 1)
                return false;
            small->reduced *= size;
            continue;
        }
        for (int k = 0; k < what->results; k++)
            if (job->result[k].strides[d] != small->kept)
                return false;
        small->kept *= size;
        *(small->reduced > 1 ? &small->before : &small->after) *= size;
    }
    if (small->kept > REDUCE_QUICK || (small->before > 1 && small->after > 1))
        return false;
    if (small->after > 1) /* where the plan would not choose the obvious way, the plan is better */
        return small->after >= REDUCE_SHORT || small->reduced <= 4 * small->after;
    return small->reduced >= REDUCE_BRIEF || small->before < REDUCE_SHORT;
}

/* A small input: one run for each result, or one loop over rows of columns. No plan. */
static bool reduce_quickly(const tni_reduce_job *job) {
    const tni_reduction *what = job->what;
    reduce_small small;
    if (!reduce_is_small(job, &small))
        return false;
    double words[TNI_REDUCE_WORDS * REDUCE_QUICK];
    _Alignas(16) char values[TNI_REDUCE_RESULTS][16 * REDUCE_QUICK];
    void *out[TNI_REDUCE_RESULTS] = {values[0], values[1]};
    tni_reduce_states states = {.words = (char *)words, .capacity = small.kept};
    int64_t item = (int64_t)tni_dtype_size(job->dtype);
    what->begin(&states, small.kept, what->context);
    tni_reduce_span span = {.data = job->data, .count = small.reduced, .parts = 1, .rows = 1, .step = 1};
    if (small.after > 1) {
        span.count = small.after;
        span.rows = small.reduced;
        span.pitch = small.after * item;
        what->columns(&states, &span, what->context);
    } else {
        for (; states.at < small.kept; states.at++, span.data += small.reduced * item)
            what->run(&states, &span, what->context);
        states.at = 0;
    }
    what->finish(out, &states, small.kept, small.reduced, what->context);
    for (int k = 0; k < what->results; k++)
        tni_block_convert(job->result[k].dtype, job->result[k].data, what->gives[k], values[k], small.kept);
    return true;
}

bool tni_reduce_whole(const tni_reduction *what, tn_dtype dtype, const char *data, int64_t count,
                      const tni_reduce_result *results) {
    if (dtype != what->compute || what->map || count == 0 || count > REDUCE_PIECE)
        return false;
    double words[TNI_REDUCE_WORDS];
    _Alignas(16) char values[TNI_REDUCE_RESULTS][16];
    void *out[TNI_REDUCE_RESULTS] = {values[0], values[1]};
    tni_reduce_states states = {.words = (char *)words, .capacity = 1};
    what->begin(&states, 1, what->context);
    what->run(&states, &(tni_reduce_span){.data = data, .count = count, .parts = 1, .rows = 1, .step = 1}, what->context);
    what->finish(out, &states, 1, count, what->context);
    for (int k = 0; k < what->results; k++)
        tni_block_convert(results[k].dtype, results[k].data, what->gives[k], values[k], 1);
    return true;
}

tn_error tni_reduce_run(const tni_reduce_job *job) {
    if (reduce_quickly(job))
        return TN_OK;
    for (int64_t d = 0; d < job->ndim; d++)
        if (!job->reduced[d] && job->sizes[d] == 0)
            return TN_OK;
    reduce_plan plan;
    plan.job = job;
    plan.what = job->what;
    plan.item = tni_dtype_size(job->dtype);
    reduce_lay_out(&plan);
    reduce_choose(&plan);
    reduce_cut(&plan);
    reduce_start(&plan);
    plan.partial = NULL;
    int64_t tasks = plan.batches * plan.chunks;
    size_t bytes = (size_t)(tasks * plan.state_bytes);
    if (plan.chunks > 1 && !(plan.partial = tni_heap_alloc(bytes)))
        return tni_failed();
    int64_t work = tni_min_i64(plan.chunk, plan.reduced.total) * plan.batch;
    bool done = tni_parallel_for(tasks, tni_max_i64(1, REDUCE_PIECE / tni_max_i64(work, 1)), reduce_tasks, &plan);
    if (plan.partial) {
        int64_t together = tni_max_i64(1, REDUCE_PIECE / (plan.batch * plan.chunks));
        done = done && tni_parallel_for(plan.batches, together, reduce_combine, &plan);
        tni_heap_free(plan.partial, bytes);
    }
    return done ? TN_OK : TN_ERROR_CANCELLED;
}

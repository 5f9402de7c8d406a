/* reduce.c - plans a reduction, cuts it into tasks and runs them. See reduce.h.
 *
 * After the layout is simplified the innermost dimension decides. If it is reduced, each result is made from runs along it
 * (mode run). If it is kept, many results next to each other are made at once, row by row (mode columns), a tile of columns at
 * a time whose states stay in the first cache. Very short dimensions change the mode where that makes longer loops.
 *
 * A task is a batch of results, or a tile of them, and one chunk of what is reduced to them. Where there is one chunk only the
 * states live on the stack of the task, which finishes them; else tasks leave their states in a common block, and a second
 * loop combines and finishes them.
 */
#include "iterate/reduce.h"

#include "base/heap.h"
#include "base/parallel.h"
#include "dispatch/kernels.h"
#include "iterate/layout.h"

enum {
    REDUCE_PACK_BYTES = 8192, /* of a packed block                                                         */
    REDUCE_BATCH = 256,       /* results that one task of mode run finishes together                       */
    REDUCE_CHUNK = 131072,    /* elements that one task reduces where few results are made of very many    */
    REDUCE_ROWS = 524288,     /* the same of mode columns, whose tasks have many results                   */
    REDUCE_MANY = 32,         /* results (or tiles) that are enough to keep all threads busy without chunks */
    REDUCE_PIECE = 65536,     /* elements' worth of work for which another thread is asked                  */
    REDUCE_SHORT = 16,        /* columns that are too few for a loop                                        */
    REDUCE_BRIEF = 64         /* a run that is too short for one                                            */
};
enum { REDUCE_INPUT = 0, REDUCE_OUT = 1 }; /* operands of the layout; the index is the last */

/* Some dimensions of the layout, in its order, with the number of places they make together. */
typedef struct reduce_axes {
    int count;
    int8_t dims[TN_MAX_DIMS];
    int64_t total;
} reduce_axes;

typedef struct reduce_plan {
    const tni_reduce_job *job;
    const tni_reduction *what;
    tni_layout layout;
    reduce_axes kept, reduced; /* reduced.dims[0] is the dimension of the runs, or of the rows       */
    int column;                /* mode columns: the dimension of the columns; -1: mode run           */
    int64_t columns;           /* its size                                                           */
    int64_t parts;             /* mode run: a run has the elements of so many neighbouring results   */
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
    const tni_layout *layout = &plan->layout;
    for (int64_t k = 0; k < layout->operands; k++)
        walk->offset[k] = 0;
    for (int i = 0; i < axes->count; i++) {
        int64_t size = layout->sizes[axes->dims[i]];
        walk->place[i] = position % size;
        position /= size;
        for (int64_t k = 0; k < layout->operands; k++)
            walk->offset[k] += walk->place[i] * layout->strides[k][axes->dims[i]];
    }
}

static int64_t reduce_walk_left(const reduce_plan *plan, const reduce_axes *axes, const reduce_walk *walk) {
    return axes->count ? plan->layout.sizes[axes->dims[0]] - walk->place[0] : 1;
}

/* On by so many places of the first axis, which may end it. */
static void reduce_walk_on(const reduce_plan *plan, const reduce_axes *axes, reduce_walk *walk, int64_t many) {
    const tni_layout *layout = &plan->layout;
    if (axes->count == 0)
        return;
    walk->place[0] += many;
    for (int64_t k = 0; k < layout->operands; k++)
        walk->offset[k] += many * layout->strides[k][axes->dims[0]];
    for (int i = 0; i + 1 < axes->count && walk->place[i] == layout->sizes[axes->dims[i]]; i++) {
        for (int64_t k = 0; k < layout->operands; k++)
            walk->offset[k] += layout->strides[k][axes->dims[i + 1]] - walk->place[i] * layout->strides[k][axes->dims[i]];
        walk->place[i] = 0;
        walk->place[i + 1]++;
    }
}

/* ---- blocks */

void tni_reduce_convert(tn_dtype to, void *target, tn_dtype from, const void *source, int64_t count) {
    tni_convert_function convert = to == from ? NULL : tni_kernel_convert(tni_kernels(), from, to);
    if (convert)
        convert(target, source, (size_t)count);
    else if (to == from)
        memcpy(target, source, (size_t)count * tni_dtype_size(to));
    else
        (void)tn_dtype_convert(to, target, from, source, (size_t)count);
}

static void reduce_move(size_t item, char *target, int64_t target_stride, const char *source, int64_t source_stride,
                        int64_t count) {
    if (target_stride == (int64_t)item && source_stride == (int64_t)item)
        memcpy(target, source, (size_t)count * item);
    else
        tni_kernels()->strided[tni_element_index(item)](target, target_stride, source, source_stride, count);
}

/* What was gathered, as the loop wants it. */
static const char *reduce_prepare(const reduce_plan *plan, reduce_buffers *buffers, const char *block, int64_t count) {
    if (plan->converts) {
        tni_reduce_convert(plan->first, buffers->converted, plan->job->dtype, block, count);
        block = buffers->converted;
    }
    if (plan->what->map) {
        plan->what->map(buffers->mapped, block, count, plan->what->map_context);
        block = buffers->mapped;
    }
    return block;
}

/* Places from the walk on, at most `many`, as one run. Returns how many, having walked on. */
static int64_t reduce_pack_run(const reduce_plan *plan, reduce_buffers *buffers, const char *base, reduce_walk *walk,
                               int64_t many, const char **block) {
    const reduce_axes *axes = &plan->reduced;
    int64_t parts = plan->parts, done = 0, stride = plan->layout.strides[REDUCE_INPUT][axes->dims[0]];
    many = tni_min_i64(many, plan->pack / parts);
    int64_t row = tni_min_i64(many, reduce_walk_left(plan, axes, walk));
    if (!plan->gathers && (row == many || plan->what->indexed)) {
        *block = reduce_prepare(plan, buffers, base + walk->offset[REDUCE_INPUT], row * parts);
        reduce_walk_on(plan, axes, walk, row);
        return row;
    }
    while (done < many && !(done > 0 && plan->what->indexed)) {
        row = tni_min_i64(many - done, reduce_walk_left(plan, axes, walk));
        reduce_move(plan->item, buffers->raw + (size_t)(done * parts) * plan->item, (int64_t)plan->item,
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
    int64_t pitch = plan->layout.strides[REDUCE_INPUT][plan->reduced.dims[0]];
    int64_t stride = plan->layout.strides[REDUCE_INPUT][plan->column];
    if (plan->gathers && pitch == (int64_t)plan->item && rows > 1) { /* the rows lie next to each other instead */
        tni_kernels()->transpose[tni_element_index(plan->item)](buffers->raw, count * (int64_t)plan->item, at, stride, count,
                                                                rows);
        return reduce_prepare(plan, buffers, buffers->raw, rows * count);
    }
    for (int64_t row = 0; row < rows; row++, at += pitch)
        if (plan->converts && !plan->gathers)
            tni_reduce_convert(plan->first, buffers->converted + (size_t)(row * count) * tni_dtype_size(plan->first),
                               plan->job->dtype, at, count);
        else
            reduce_move(plan->item, buffers->raw + (size_t)(row * count) * plan->item, (int64_t)plan->item, at, stride, count);
    if (!plan->converts || plan->gathers)
        return reduce_prepare(plan, buffers, buffers->raw, rows * count);
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
        span.step = plan->layout.strides[plan->index][axes->dims[0]];
    if (axes->count == 1 && !plan->packs && !what->settled) { /* one run, where it is */
        span.data = base + begin * plan->layout.strides[REDUCE_INPUT][axes->dims[0]];
        span.count = (end - begin) * plan->parts;
        span.index = plan->index >= 0 ? plan->layout.starts[plan->index] + begin * span.step : 0;
        if (end > begin)
            what->run(states, &span, what->context);
        return;
    }
    reduce_walk walk;
    reduce_walk_to(plan, axes, &walk, begin);
    for (int64_t position = begin; position < end;) {
        int64_t many = end - position;
        if (plan->index >= 0)
            span.index = plan->layout.starts[plan->index] + walk.offset[plan->index];
        if (what->settled)
            many = tni_min_i64(many, REDUCE_PIECE);
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
        plan->packs ? columns * (int64_t)tni_dtype_size(what->compute) : plan->layout.strides[REDUCE_INPUT][axes->dims[0]];
    if (plan->index >= 0)
        span.step = plan->layout.strides[plan->index][axes->dims[0]];
    for (int64_t row = begin; row < end; row += span.rows) {
        if (plan->index >= 0)
            span.index = plan->layout.starts[plan->index] + walk.offset[plan->index];
        span.rows = tni_min_i64(end - row, reduce_walk_left(plan, axes, &walk));
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
        tni_reduce_convert(to, converted, from, values, count);
        values = converted;
    }
    reduce_move(item, plan->out[k] + offset, stride, values, (int64_t)item, count);
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
        for (int64_t k = 0; k < plan->layout.operands; k++)
            walk.offset[k] += number % tiles * plan->batch * plan->layout.strides[k][row];
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
            reduce_put(plan, k, walk.offset[REDUCE_OUT + k], plan->layout.strides[REDUCE_OUT + k][row], values[k], left);
        states.at += left;
        if (plan->column < 0)
            reduce_walk_on(plan, &plan->kept, &walk, left);
        else
            for (int64_t k = 0; k < plan->layout.operands; k++)
                walk.offset[k] += left * plan->layout.strides[k][row];
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
        int64_t first = number % tiles * plan->batch * plan->layout.strides[REDUCE_INPUT][plan->column];
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
    tni_layout_begin(&plan->layout, job->ndim, sizes);
    static const int64_t standing[TN_MAX_DIMS] = {0}; /* where there are no elements, there is no place to walk to */
    tni_layout_add(&plan->layout, plan->empty ? standing : job->strides, plan->item);
    for (int k = 0; k < plan->what->results; k++)
        tni_layout_add(&plan->layout, strides[k], tni_dtype_size(job->result[k].dtype));
    plan->index = -1;
    if (plan->what->indexed) {
        plan->index = (int)plan->layout.operands;
        tni_layout_add(&plan->layout, index, 1);
    }
    tni_layout_simplify(&plan->layout);
    if (plan->index >= 0) /* of equal elements the first is wanted, so indices must rise */
        for (int64_t d = 0; d < plan->layout.ndim; d++)
            if (plan->layout.strides[plan->index][d] < 0)
                tni_layout_turn(&plan->layout, d);
}

static bool reduce_is_reduced(const reduce_plan *plan, int64_t dim) { return plan->layout.strides[REDUCE_OUT][dim] == 0; }

static void reduce_axes_add(reduce_axes *axes, const tni_layout *layout, int64_t dim) {
    axes->dims[axes->count++] = (int8_t)dim;
    axes->total *= layout->sizes[dim];
}

/* Mode, and which dimensions are what. */
static void reduce_choose(reduce_plan *plan) {
    tni_layout *layout = &plan->layout;
    if (layout->ndim == 0) { /* one element is a run of one */
        layout->ndim = 1;
        layout->sizes[0] = 1;
        for (int64_t k = 0; k < layout->operands; k++)
            layout->strides[k][0] = k == REDUCE_INPUT ? (int64_t)plan->item : 0;
    }
    int64_t run = -1, column = -1; /* the innermost dimensions that are reduced, and that are kept */
    for (int64_t d = layout->ndim - 1; d >= 0; d--)
        *(reduce_is_reduced(plan, d) ? &run : &column) = d;
    const int64_t *sizes = layout->sizes, *strides = layout->strides[REDUCE_INPUT];
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
    for (int64_t d = 0; d < layout->ndim; d++)
        if (reduce_is_reduced(plan, d))
            reduce_axes_add(&plan->reduced, layout, d);
        else if (d != plan->column)
            reduce_axes_add(&plan->kept, layout, d);
    if (run < 0) { /* every result is made of one element: a dimension of one row, or run */
        layout->sizes[layout->ndim] = 1;
        for (int64_t k = 0; k < layout->operands; k++)
            layout->strides[k][layout->ndim] = 0;
        reduce_axes_add(&plan->reduced, layout, layout->ndim);
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
        int64_t rows = (REDUCE_ROWS / plan->batch + 511) / 512 * 512;
        if (plan->batches < REDUCE_MANY && total > 2 * rows)
            plan->chunk = rows;
    } else {
        plan->batch = plan->kept.total >= REDUCE_MANY || total <= REDUCE_CHUNK
                          ? tni_max_i64(1, tni_min_i64(REDUCE_BATCH, REDUCE_PIECE / (tni_max_i64(total, 1) * plan->parts)))
                          : 1;
        plan->batch = tni_min_i64(plan->batch * plan->parts, plan->kept.total);
        plan->batch = reduce_div_up(plan->batch, plan->parts) * plan->parts;
        plan->batches = reduce_div_up(plan->kept.total, plan->batch);
        if (plan->batches < REDUCE_MANY && total * plan->parts > 2 * REDUCE_CHUNK)
            plan->chunk = REDUCE_CHUNK / plan->parts;
    }
    plan->chunks = plan->empty ? 1 : reduce_div_up(total, plan->chunk);
    plan->state_bytes = plan->batch * what->words * 8;
}

static void reduce_start(reduce_plan *plan) {
    plan->input = plan->empty ? "" : plan->job->data + plan->layout.starts[REDUCE_INPUT];
    for (int k = 0; k < plan->what->results; k++)
        plan->out[k] = plan->job->result[k].data + plan->layout.starts[REDUCE_OUT + k];
}

/* A whole small tensor without gaps, of the dtype that is computed in, to one result: no plan. */
static bool reduce_quickly(const tni_reduce_job *job) {
    const tni_reduction *what = job->what;
    int64_t count = 1;
    if (job->dtype != what->compute || what->map || what->indexed)
        return false;
    for (int64_t d = job->ndim - 1; d >= 0; d--) {
        if (!job->reduced[d] || (job->sizes[d] != 1 && job->strides[d] != count) || job->sizes[d] > REDUCE_PIECE)
            return false;
        count *= job->sizes[d];
        if (count > REDUCE_PIECE || count == 0)
            return false;
    }
    double words[TNI_REDUCE_WORDS];
    _Alignas(16) char values[TNI_REDUCE_RESULTS][16];
    void *out[TNI_REDUCE_RESULTS] = {values[0], values[1]};
    tni_reduce_states states = {.words = (char *)words, .capacity = 1};
    what->begin(&states, 1, what->context);
    what->run(&states, &(tni_reduce_span){.data = job->data, .count = count, .parts = 1, .rows = 1}, what->context);
    what->finish(out, &states, 1, count, what->context);
    for (int k = 0; k < what->results; k++)
        tni_reduce_convert(job->result[k].dtype, job->result[k].data, what->gives[k], values[k], 1);
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
        return tn_error_code();
    int64_t work = tni_min_i64(plan.chunk, plan.reduced.total) * plan.batch;
    tni_parallel_for(tasks, tni_max_i64(1, REDUCE_PIECE / tni_max_i64(work, 1)), reduce_tasks, &plan);
    if (plan.partial) {
        tni_parallel_for(plan.batches, tni_max_i64(1, REDUCE_PIECE / (plan.batch * plan.chunks)), reduce_combine, &plan);
        tni_heap_free(plan.partial, bytes);
    }
    return TN_OK;
}

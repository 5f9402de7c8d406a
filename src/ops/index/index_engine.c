/* index_engine.c - the walk over elements that are picked by position. See index_engine.h.
 *
 * The dimensions are simplified once: those of size 1 are dropped, neighbours that all three sides step through alike become
 * one. The last is the inner loop, the rest an odometer. Positions that are used often are converted to offsets beforehand,
 * others block by block on the way.
 *
 * Invariant of the threads: a loop that writes to `picked` is cut only along a dimension with a stride there, so that two
 * threads never meet at one place, and every place sees its operands in row-major order.
 *
 * A walk that cannot be cut, or is not worth it, counts what it has done and asks now and then whether to go on.
 */
#include "ops/index/index_engine.h"

#include "base/cancel.h"
#include "base/parallel.h"
#include "ops/copy/copy.h"
#include "ops/limits.h"

enum {
    PICK_BY_PLACE = -1, /* every piece goes through all rows, and takes those whose places belong to it */
    PICK_AHEAD = 6      /* rows that are prefetched                                                    */
};

typedef struct pick_job {
    const tni_pick *pick;
    tni_pick_function loop;
    int64_t split;     /* the dimension that is cut into pieces, or PICK_BY_PLACE */
    int64_t low, high; /* offsets that are done, where that is cut                */
    int64_t share;     /* bytes of the next line to prefetch with a block of this one */
    _Atomic bool bad;
    bool sound; /* all positions have been checked: none is negative or out of range */
    bool find;  /* stop at the first position that is out of range, and keep it */
    int64_t found;
    int64_t rest; /* elements to go until it asks whether to go on */
} pick_job;

/* ---- going on */

/* After `count` elements, or rows of them: false where the call is cancelled. */
static bool pick_goes_on(pick_job *job, int64_t count) {
    job->rest -= count;
    if (TNI_LIKELY(job->rest > 0))
        return true;
    job->rest = TNI_STEP;
    return tni_goes_on();
}

/* ---- one line */

static void pick_list(char *other, int64_t stride, const int64_t *offsets, int64_t offset, int64_t count) {
    for (int64_t i = 0; i < count; i++)
        *(int64_t *)(other + i * stride) += offsets ? offsets[i] : offset;
}

static TNI_COLD bool pick_complain(pick_job *job, const char *index, int64_t stride, int64_t count) {
    atomic_store_explicit(&job->bad, true, memory_order_relaxed);
    int64_t offset;
    for (int64_t i = 0; job->find && i < count; i++)
        if (!tni_pick_load(job->pick, index + i * stride, stride, 1, &offset)) {
            job->found = tni_position_load(job->pick->index_dtype, index + i * stride);
            break;
        }
    return false;
}

/* Lines that are picked from all over memory are prefetched one line ahead: how many bytes with every block of positions. */
static int64_t pick_share(const tni_pick *pick) {
    int64_t last = pick->ndim - 1, count = pick->sizes[last], bytes;
    if (pick->index_strides[last] == 0 || pick->picked_strides[last] != 0 || pick->picked_strides[last - 1] == 0 ||
        pick->scale <= 0 || tni_mul_overflows(pick->scale, pick->limit, &bytes) || bytes > PICK_LINE_BYTES ||
        bytes / 64 > count)
        return 0;
    return bytes / ((count + PICK_BLOCK - 1) / PICK_BLOCK);
}

/* next: where the line after this one is picked from, or NULL. False when a position is out of range, and when the call was
 * cancelled; then nothing more needs to be done. */
static bool pick_line(pick_job *job, char *picked, char *other, const char *index, const char *next) {
    const tni_pick *pick = job->pick;
    int64_t last = pick->ndim - 1, picked_stride = pick->picked_strides[last], other_stride = pick->other_strides[last];
    int64_t stride = pick->index_strides[last], left = pick->sizes[last];
    if (stride == 0) {
        int64_t offset;
        if (TNI_UNLIKELY(!tni_pick_load(pick, index, 0, 1, &offset)))
            return pick_complain(job, index, 0, 1);
        if (offset < job->low || offset > job->high)
            return true;
        picked += offset;
        for (int64_t count; left > 0; left -= count) {
            count = tni_min_i64(left, TNI_STEP);
            if (job->loop)
                job->loop(picked, picked_stride, other, other_stride, NULL, 0, count);
            else if (pick->mode == TNI_PICK_LIST)
                pick_list(other, other_stride, NULL, offset, count);
            picked += count * picked_stride;
            other += count * other_stride;
            if (!pick_goes_on(job, count))
                return false;
        }
        return true;
    }
    bool words = pick->index_dtype == TN_INT64 && stride == (int64_t)sizeof(int64_t) && pick->mode != TNI_PICK_LIST;
    int64_t offsets[PICK_BLOCK];
    while (left > 0) {
        int64_t count = tni_min_i64(left, PICK_BLOCK);
        const int64_t *positions = offsets;
        int64_t scale = 1;
        if (words && (pick->ready || job->sound || tni_pick_fits(pick, (const int64_t *)index, count))) {
            positions = (const int64_t *)index;
            scale = pick->ready ? 1 : pick->scale;
        } else if (TNI_UNLIKELY(!tni_pick_load(pick, index, stride, count, offsets))) {
            return pick_complain(job, index, stride, count);
        }
        for (int64_t at = 0; at < job->share && next; at += 64)
            __builtin_prefetch(next + at, 1);
        if (job->loop)
            job->loop(picked, picked_stride, other, other_stride, positions, scale, count);
        else if (pick->mode == TNI_PICK_LIST)
            pick_list(other, other_stride, offsets, 0, count);
        left -= count;
        picked += count * picked_stride;
        other += count * other_stride;
        index += count * stride;
        next = next ? next + job->share : NULL;
        if (!pick_goes_on(job, count))
            return false;
    }
    return true;
}

/* ---- rows of bytes: what index_select along the first dimension and embedding are made of */

static bool pick_is_rows(const tni_pick *pick) {
    int64_t last = pick->ndim - 1, item = (int64_t)tni_dtype_size(pick->dtype);
    return pick->mode == TNI_PICK_READ && pick->ready && pick->index_strides[last] == 0 && pick->picked_strides[last] == item &&
           pick->other_strides[last] == item && pick->sizes[last] * item <= PICK_ROW_BYTES;
}

static bool pick_rows(pick_job *job, int64_t rows, char *picked, char *other, const char *index) {
    const tni_pick *pick = job->pick;
    int64_t dim = pick->ndim - 2, bytes = pick->sizes[dim + 1] * (int64_t)tni_dtype_size(pick->dtype);
    int64_t picked_stride = pick->picked_strides[dim], other_stride = pick->other_strides[dim];
    int64_t stride = pick->index_strides[dim], many = tni_max_i64(1, TNI_STEP / tni_max_i64(pick->sizes[dim + 1], 1)), end;
    for (int64_t begin = 0; begin < rows; begin = end) {
        end = tni_min_i64(rows, begin + many);
        for (int64_t i = begin; i < end; i++) {
            int64_t ahead = tni_min_i64(i + PICK_AHEAD, rows - 1);
            const char *next = picked + ahead * picked_stride + *(const int64_t *)(index + ahead * stride);
            for (int64_t at = 0; at < bytes; at += 64)
                __builtin_prefetch(next + at);
            memcpy(other + i * other_stride, picked + i * picked_stride + *(const int64_t *)(index + i * stride),
                   (size_t)bytes);
        }
        if (!pick_goes_on(job, (end - begin) * pick->sizes[dim + 1]))
            return false;
    }
    return true;
}

/* The beginning of a row that will be read or written soon, if it belongs to this piece, and of its partner. */
static void pick_ask(const pick_job *job, int64_t row, const char *picked, const char *other, const char *index) {
    const tni_pick *pick = job->pick;
    int64_t dim = pick->ndim - 2, offset = *(const int64_t *)(index + row * pick->index_strides[dim]);
    if (offset < job->low || offset > job->high)
        return;
    picked += row * pick->picked_strides[dim] + offset;
    other += row * pick->other_strides[dim];
    for (int64_t line = 0; line < 4; line++) {
        __builtin_prefetch(picked + 64 * line);
        __builtin_prefetch(other + 64 * line);
    }
}

/* ---- the odometer */

/* Unused dimensions are not copied. */
static void pick_copy(tni_pick *to, const tni_pick *from) {
    size_t bytes = (size_t)from->ndim * sizeof(int64_t);
    memcpy(to, from, offsetof(tni_pick, sizes));
    memcpy(to->sizes, from->sizes, bytes);
    memcpy(to->picked_strides, from->picked_strides, bytes);
    memcpy(to->other_strides, from->other_strides, bytes);
    memcpy(to->index_strides, from->index_strides, bytes);
}

static void pick_piece(void *arg, int64_t begin, int64_t end) {
    pick_job *job = arg;
    tni_pick part;
    if (atomic_load_explicit(&job->bad, memory_order_relaxed))
        return;
    pick_copy(&part, job->pick);
    pick_job own = {.pick = &part, .loop = job->loop, .low = INT64_MIN, .high = INT64_MAX, .rest = TNI_STEP};
    own.sound = job->sound;
    own.find = job->find;
    char nothing = 0; /* where positions are only checked there is no other side, and its strides are 0 */
    char *picked = part.picked ? part.picked : &nothing, *other = part.other ? part.other : &nothing;
    const char *index = part.index;
    if (job->split == PICK_BY_PLACE) {
        int64_t share = job->high / PICK_SHARES + 1; /* high: the largest distance from low */
        own.low = job->low + begin * share;
        own.high = job->low + end * share - 1;
    } else {
        part.sizes[job->split] = end - begin;
        picked += begin * part.picked_strides[job->split];
        other += begin * part.other_strides[job->split];
        index += begin * part.index_strides[job->split];
    }
    own.share = own.loop ? pick_share(&part) : 0;
    int64_t at[TN_MAX_DIMS] = {0}, rows_dim = part.ndim - 2;
    bool rows = pick_is_rows(&part), good = true;
    bool ask = part.ready && own.loop && part.index_strides[rows_dim + 1] == 0 && part.index_strides[rows_dim] != 0;
    for (;;) {
        if (rows)
            good = pick_rows(&own, part.sizes[rows_dim], picked, other, index);
        else
            for (int64_t i = 0; good && i < part.sizes[rows_dim]; i++) {
                if (ask)
                    pick_ask(&own, tni_min_i64(i + PICK_AHEAD, part.sizes[rows_dim] - 1), picked, other, index);
                char *line = picked + i * part.picked_strides[rows_dim];
                good = pick_line(&own, line, other + i * part.other_strides[rows_dim], index + i * part.index_strides[rows_dim],
                                 own.share && i + 1 < part.sizes[rows_dim] ? line + part.picked_strides[rows_dim] : NULL);
            }
        int64_t d = rows_dim - 1;
        for (; good && d >= 0; d--) {
            picked += part.picked_strides[d];
            other += part.other_strides[d];
            index += part.index_strides[d];
            if (++at[d] < part.sizes[d])
                break;
            picked -= at[d] * part.picked_strides[d];
            other -= at[d] * part.other_strides[d];
            index -= at[d] * part.index_strides[d];
            at[d] = 0;
        }
        if (!good || d < 0)
            break;
    }
    if (!good && atomic_load_explicit(&own.bad, memory_order_relaxed)) {
        job->found = own.found; /* one thread only, when it is looked for */
        atomic_store_explicit(&job->bad, true, memory_order_relaxed);
    }
}

static void pick_remove(tni_pick *pick, int64_t dim) {
    size_t behind = (size_t)(pick->ndim - dim - 1) * sizeof(int64_t);
    memmove(pick->sizes + dim, pick->sizes + dim + 1, behind);
    memmove(pick->picked_strides + dim, pick->picked_strides + dim + 1, behind);
    memmove(pick->other_strides + dim, pick->other_strides + dim + 1, behind);
    memmove(pick->index_strides + dim, pick->index_strides + dim + 1, behind);
    pick->ndim--;
}

static bool pick_merges(const tni_pick *pick, int64_t d) {
    int64_t size = pick->sizes[d + 1];
    return pick->picked_strides[d] == pick->picked_strides[d + 1] * size &&
           pick->other_strides[d] == pick->other_strides[d + 1] * size &&
           pick->index_strides[d] == pick->index_strides[d + 1] * size;
}

/* At least two dimensions are left. */
static void pick_simplify(tni_pick *pick) {
    for (int64_t d = pick->ndim - 1; d >= 0; d--)
        if (pick->sizes[d] == 1 || (pick->mode == TNI_PICK_CHECK && pick->index_strides[d] == 0))
            pick_remove(pick, d);
    for (int64_t d = pick->ndim - 2; d >= 0; d--)
        if (pick_merges(pick, d)) {
            pick->sizes[d + 1] *= pick->sizes[d];
            pick_remove(pick, d);
        }
    while (pick->ndim < 2) {
        int64_t last = pick->ndim;
        pick->sizes[last] = pick->ndim ? pick->sizes[0] : 1;
        pick->picked_strides[last] = pick->ndim ? pick->picked_strides[0] : 0;
        pick->other_strides[last] = pick->ndim ? pick->other_strides[0] : 0;
        pick->index_strides[last] = pick->ndim ? pick->index_strides[0] : 0;
        if (pick->ndim++) {
            pick->sizes[0] = 1;
            pick->picked_strides[0] = pick->other_strides[0] = pick->index_strides[0] = 0;
        }
    }
}

static bool pick_writes(tni_pick_mode mode) { return mode >= TNI_PICK_WRITE && mode <= TNI_PICK_MINIMUM; }

/* Where a loop is cut, and into how many pieces: the data decides. Outer dimensions first, of which the largest; where rows are
 * written and there is none, their places; then the rows themselves. */
static int64_t pick_split(const tni_pick *pick, int64_t count, pick_job *job) {
    int64_t last = pick->ndim - 1, best = -1, wanted = count / PICK_PIECE;
    bool writes = pick_writes(pick->mode);
    for (int64_t d = 0; d < last; d++)
        if ((!writes || pick->picked_strides[d] != 0) && (best < 0 || pick->sizes[d] > pick->sizes[best]))
            best = d;
    job->split = 0;
    if (wanted <= 1)
        return 1;
    if (best >= 0 && pick->sizes[best] >= PICK_SHARES) {
        job->split = best;
        return tni_min_i64(wanted, pick->sizes[best]);
    }
    int64_t reach, scale = pick->scale < 0 ? -pick->scale : pick->scale;
    if (writes && pick->ready && pick->index_strides[last] == 0 && scale != 0 && pick->limit > 1 &&
        !tni_mul_overflows(scale, pick->limit - 1, &reach)) {
        job->split = PICK_BY_PLACE;
        job->low = pick->scale < 0 ? -reach : 0;
        job->high = reach;
        return PICK_SHARES;
    }
    if (writes && pick->picked_strides[last] == 0)
        return 1;
    job->split = last;
    return tni_max_i64(1, tni_min_i64(wanted, pick->sizes[last] / PICK_LEAST));
}

static int64_t pick_count(const tni_pick *pick, bool of_index) {
    int64_t count = 1;
    for (int64_t d = 0; d < pick->ndim; d++)
        count *= of_index && pick->index_strides[d] == 0 ? (pick->sizes[d] != 0) : pick->sizes[d];
    return count;
}

/* Simplified, not empty. False for a bad position, and where the call was cancelled. */
static bool pick_walk(const tni_pick *pick, bool sound, bool find, int64_t *found) {
    pick_job job = {.pick = pick, .loop = tni_pick_loop_of(pick->mode, pick->dtype), .sound = sound, .find = find};
    int64_t pieces = find ? 1 : pick_split(pick, pick_count(pick, false), &job);
    int64_t length = job.split == PICK_BY_PLACE ? pieces : pick->sizes[job.split];
    bool alone = job.split == PICK_BY_PLACE && (tn_num_threads() == 1 || tni_parallel_inside()); /* once is enough then */
    bool done = tni_parallel_for(length, pieces == 1 || alone ? length : (length + pieces - 1) / pieces, pick_piece, &job);
    *found = job.found;
    return done && !job.bad;
}

/* ---- the whole */

static TNI_COLD tn_error pick_raise(const tni_pick *simple) {
    if (tni_cancel_poll() != TN_OK)
        return TN_ERROR_CANCELLED;
    tni_pick look;
    int64_t found = 0;
    pick_copy(&look, simple);
    look.mode = TNI_PICK_CHECK;
    pick_simplify(&look);
    (void)pick_walk(&look, false, true, &found);
    if (tni_stopped())
        return TN_ERROR_CANCELLED;
    if (look.dim < 0)
        return tni_raise(TN_ERROR_INDEX, "position %" PRId64 " is out of range for self, which has %" PRId64 " elements", found,
                         look.limit);
    return tni_raise(TN_ERROR_INDEX, "position %" PRId64 " is out of range for dimension %" PRId64 " of size %" PRId64 "%s",
                     found, look.dim, look.limit,
                     look.wrap || found >= 0 ? "" : "; negative positions do not count from the end here");
}

tn_error tni_pick_check(const tni_pick *pick) {
    tni_pick look;
    int64_t found;
    pick_copy(&look, pick);
    look.mode = TNI_PICK_CHECK;
    look.other = look.picked; /* neither is touched; the target of elements may not be known yet */
    for (int64_t d = 0; d < look.ndim; d++) {
        look.picked_strides[d] = look.other_strides[d] = 0;
        if (look.index_strides[d] == 0)
            look.sizes[d] = 1;
    }
    if (look.ready || pick_count(&look, false) == 0)
        return TN_OK;
    if (TNI_UNLIKELY(look.device.type != TN_CPU))
        return tni_pick_elsewhere(&look, false);
    pick_simplify(&look);
    return pick_walk(&look, false, false, &found) ? TN_OK : pick_raise(&look);
}

/* Offsets for positions that are used several times: `pick` reads them from the tensor that is returned. */
static tn_tensor *pick_offsets(tni_pick *pick) {
    int64_t sizes[TN_MAX_DIMS], ndim = 0, found;
    tni_pick list;
    pick_copy(&list, pick);
    for (int64_t d = 0; d < pick->ndim; d++)
        if (pick->index_strides[d] != 0)
            sizes[ndim++] = pick->sizes[d];
    tn_tensor *offsets = tni_tensor_new(ndim, sizes, TN_INT64, TN_DEVICE_CPU);
    if (!offsets)
        return NULL;
    list.mode = TNI_PICK_LIST;
    list.other = tni_tensor_write(offsets);
    tni_clear_in_steps(list.other, (size_t)offsets->numel * sizeof(int64_t));
    ndim = 0;
    for (int64_t d = 0; d < pick->ndim; d++) {
        bool used = pick->index_strides[d] != 0;
        list.sizes[d] = used ? pick->sizes[d] : 1;
        list.other_strides[d] = used ? offsets->strides[ndim++] * (int64_t)sizeof(int64_t) : 0;
        list.picked_strides[d] = 0;
        pick->index_strides[d] = list.other_strides[d];
    }
    pick_simplify(&list);
    if (!pick_walk(&list, false, false, &found)) {
        pick_raise(&list);
        tni_tensor_release(offsets);
        return NULL;
    }
    pick->index = tni_tensor_read(offsets);
    pick->index_dtype = TN_INT64;
    pick->ready = true;
    return offsets;
}

tn_error tni_pick_prepare(tni_pick *pick, tn_tensor **offsets) {
    int64_t count = pick_count(pick, false);
    *offsets = NULL;
    if (count == 0)
        return tni_pick_check(pick);
    pick_simplify(pick);
    if (!pick->ready && pick->device.type == TN_CPU && pick->mode != TNI_PICK_LIST && pick_count(pick, true) <= count / 2) {
        *offsets = pick_offsets(pick);
        if (!*offsets)
            return tni_failed();
        pick_simplify(pick);
        return TN_OK;
    }
    return !pick->ready && pick_writes(pick->mode) ? tni_pick_check(pick) : TN_OK;
}

tn_error tni_pick_finish(const tni_pick *pick, tn_tensor *offsets) {
    int64_t found;
    if (TNI_UNLIKELY(pick->device.type != TN_CPU)) /* offsets are the CPU's alone */
        return pick_count(pick, false) == 0 ? TN_OK : tni_pick_elsewhere(pick, pick->ready || pick_writes(pick->mode));
    bool sound = !offsets && !pick->wrap && pick_writes(pick->mode); /* they have been checked, all of them */
    tn_error code = pick_count(pick, false) == 0 || pick_walk(pick, sound, false, &found) ? TN_OK : pick_raise(pick);
    tni_tensor_release(offsets);
    return code;
}

tn_error tni_pick_run(tni_pick *pick) {
    tn_tensor *offsets;
    tn_error code = tni_pick_prepare(pick, &offsets);
    return code == TN_OK ? tni_pick_finish(pick, offsets) : code;
}

/* ---- building them */

void tni_pick_along(tni_pick *pick, tni_pick_mode mode, const tn_tensor *picked, int64_t dim, const tn_tensor *index,
                    bool each) {
    int64_t ndim = tni_max_i64(picked->ndim, 1);
    pick->mode = mode;
    pick->dtype = picked->dtype;
    pick->device = tni_tensor_device(picked);
    pick->ndim = ndim;
    pick->picked = (char *)(uintptr_t)tni_tensor_read(picked);
    pick->index = tni_tensor_read(index);
    pick->index_dtype = index->dtype;
    pick->wrap = false;
    pick->ready = index->numel == 0;
    pick->dim = dim;
    pick->limit = picked->ndim ? picked->sizes[dim] : 1;
    pick->scale = picked->ndim ? tni_tensor_step(picked, dim) : 0;
    for (int64_t d = 0; d < ndim; d++) {
        bool here = d == dim;
        pick->sizes[d] = each ? (index->ndim ? index->sizes[d] : 1) : here ? index->numel : picked->sizes[d];
        pick->picked_strides[d] = here ? 0 : tni_tensor_step(picked, d);
        pick->index_strides[d] = index->ndim && (each || here) ? tni_tensor_step(index, each ? d : 0) : 0;
    }
}

void tni_pick_other(tni_pick *pick, const tn_tensor *other) {
    pick->other = (char *)(uintptr_t)tni_tensor_read(other);
    pick->element = false;
    for (int64_t d = 0; d < pick->ndim; d++)
        pick->other_strides[d] = other->ndim ? tni_tensor_step(other, d) : 0;
}

void tni_pick_element(tni_pick *pick, const void *element) {
    pick->other = (char *)(uintptr_t)element;
    pick->element = true;
    memset(pick->other_strides, 0, (size_t)pick->ndim * sizeof *pick->other_strides);
}

bool tni_is_index(const tn_tensor *index, const char *argument) {
    tn_dtype_kind kind = tni_dtype_row(index->dtype)->kind;
    if (kind == TN_KIND_SIGNED || kind == TN_KIND_UNSIGNED)
        return true;
    tni_raise(TN_ERROR_DTYPE, "%s holds positions and must have an integer dtype, as int64; it is %s", argument,
              tni_show_tensor(index));
    return false;
}

tn_tensor *tni_pick_apart(const tn_tensor *self, const tn_tensor *operand) {
    if (!tni_tensors_overlap(self, operand))
        return tni_tensor_retain(operand);
    return tni_clone_contiguous(operand, "an operand shares memory with self: it is read before self is written");
}

tn_tensor *tni_pick_kept(tn_tensor *made, tn_error code) {
    if (code == TN_OK)
        return made;
    tni_tensor_release(made);
    return NULL;
}

/* move.c - copies built dimension by dimension (move.h), and roll, the simplest of them. */
#include "ops/join/move.h"

#include "base/error.h"
#include "base/parallel.h"
#include "kernels/table.h"
#include "operators_copy.h"
#include "operators_move.h"
#include "operators_view.h"
#include "ops/copy/copy.h"
#include "ops/limits.h"

void tni_move_begin(tni_move *move, tn_tensor *target, const tn_tensor *source) {
    move->device = tni_tensor_device(target);
    move->target = tni_tensor_write(target);
    move->source = tni_tensor_read(source);
    move->target_dtype = target->dtype;
    move->source_dtype = source->dtype;
    move->empty = false;
    move->ndim = 0;
}

tn_error tni_move_elements(tn_device device, const tni_copy *copy) {
    if (TNI_LIKELY(device.type == TN_CPU)) {
        tni_copy_elements(copy);
        return TN_OK;
    }
    return tni_copy_as_job(device, device, copy);
}

tn_error tni_move_fill(tn_device device, const tni_copy *copy, const char *element) {
    static const int64_t nowhere[TN_MAX_DIMS] = {0};
    if (TNI_LIKELY(device.type == TN_CPU)) {
        tni_copy fill = *copy;
        fill.source = element;
        fill.source_strides = nowhere;
        fill.source_dtype = copy->target_dtype;
        tni_copy_elements(&fill);
        return TN_OK;
    }
    return tni_fill_as_job(device, copy, element);
}

tn_error tni_move_clear(tn_tensor *target) {
    int64_t bytes = target->numel * (int64_t)tni_tensor_item_size(target);
    if (tni_tensor_device(target).type != TN_CPU || bytes > COPY_SMALL_FILL)
        return tni_op_zero_(target);
    if (bytes > 0)
        memset(tni_tensor_write(target), 0, (size_t)bytes);
    return TN_OK;
}

tn_error tni_move_run(const tni_move *move) {
    if (move->empty)
        return TN_OK;
    tni_copy copy = {.ndim = move->ndim,
                     .sizes = move->sizes,
                     .target = move->target,
                     .target_strides = move->target_strides,
                     .target_dtype = move->target_dtype,
                     .source = move->source,
                     .source_strides = move->source_strides,
                     .source_dtype = move->source_dtype};
    return tni_move_elements(move->device, &copy);
}

/* The geometry that is cut. Dimensions before the first that is cut are one where strides allow it, so that narrow margins,
 * which touch every line of memory that their neighbours do, are written while those are still in a cache. */
typedef struct move_cutting {
    tn_device device;
    const tni_cut *cuts;
    int64_t count, shift; /* dimension d of the cuts is d - shift here */
    const char *element;
    tn_dtype dtype;
    int64_t item;
    tni_strided_function strided; /* not NULL: the last cut is done row by row */
    char *target;
    const char *source;
    int64_t ndim;
    int64_t whole[TN_MAX_DIMS]; /* the sizes of the target */
    int64_t target_strides[TN_MAX_DIMS], source_strides[TN_MAX_DIMS];
} move_cutting;

typedef struct move_part {
    int64_t sizes[TN_MAX_DIMS], source_strides[TN_MAX_DIMS];
} move_part;

static tn_error move_copy_part(const move_cutting *cutting, const move_part *part, char *target, const char *source,
                               bool fill) {
    tni_copy copy = {.ndim = cutting->ndim,
                     .sizes = part->sizes,
                     .target = target,
                     .target_strides = cutting->target_strides,
                     .target_dtype = cutting->dtype,
                     .source = source,
                     .source_strides = part->source_strides,
                     .source_dtype = cutting->dtype};
    return fill ? tni_move_fill(cutting->device, &copy, cutting->element) : tni_move_elements(cutting->device, &copy);
}

/* The ranges of one row: single elements at its ends mostly, so each is written while its line is at hand. */
static void move_one_row(const move_cutting *cutting, const tni_cut *cut, char *target, const char *source) {
    int64_t item = cutting->item;
    for (int i = 0; i < cut->count; i++) {
        const tni_move_segment *segment = &cut->segment[i];
        char *to = target + segment->target * item;
        const char *from = segment->source < 0 ? cutting->element : source + segment->source * item;
        int64_t step = segment->source < 0 ? 0 : segment->step * item;
        TNI_IN_STEPS (begin, end, segment->length)
            if (step == item && segment->length > 1)
                memcpy(to + begin * item, from + begin * item, (size_t)((end - begin) * item));
            else
                cutting->strided(to + begin * item, item, from + begin * step, step, end - begin);
    }
}

/* All rows of a part whose last dimension is cut. */
static void move_cut_rows(const move_cutting *cutting, const move_part *part, const tni_cut *cut, char *target,
                          const char *source) {
    int64_t at[TN_MAX_DIMS] = {0}, d;
    do {
        move_one_row(cutting, cut, target, source);
        for (d = cutting->ndim - 2; d >= 0; d--) {
            target += cutting->target_strides[d] * cutting->item;
            source += part->source_strides[d] * cutting->item;
            if (++at[d] < part->sizes[d])
                break;
            target -= at[d] * cutting->target_strides[d] * cutting->item;
            source -= at[d] * part->source_strides[d] * cutting->item;
            at[d] = 0;
        }
    } while (d >= 0);
}

static tn_error move_cut(const move_cutting *cutting, move_part *part, int64_t level, char *target, const char *source) {
    if (level == cutting->count)
        return move_copy_part(cutting, part, target, source, false);
    const tni_cut *cut = &cutting->cuts[level];
    int64_t dim = cut->dim - cutting->shift, target_stride = cutting->target_strides[dim] * cutting->item;
    if (cutting->strided && level == cutting->count - 1) {
        move_cut_rows(cutting, part, cut, target, source);
        return TN_OK;
    }
    tn_error code = TN_OK;
    for (int i = 0; i < cut->count && code == TN_OK; i++) {
        const tni_move_segment *segment = &cut->segment[i];
        if (segment->length == 0)
            continue;
        part->sizes[dim] = segment->length;
        if (segment->source < 0) { /* everything further inside */
            code = move_copy_part(cutting, part, target + segment->target * target_stride, NULL, true);
            continue;
        }
        part->source_strides[dim] = cutting->source_strides[dim] * segment->step;
        code = move_cut(cutting, part, level + 1, target + segment->target * target_stride,
                        source ? source + segment->source * cutting->source_strides[dim] * cutting->item : NULL);
    }
    part->sizes[dim] = cutting->whole[dim];
    return code;
}

/* Positions begin to end of the first dimension, which is not cut; or all, where end is 0. */
static tn_error move_cut_from(const move_cutting *cutting, int64_t begin, int64_t end) {
    move_part part;
    memcpy(part.sizes, cutting->whole, (size_t)cutting->ndim * sizeof *part.sizes);
    memcpy(part.source_strides, cutting->source_strides, (size_t)cutting->ndim * sizeof *part.source_strides);
    if (cutting->ndim > 0 && end > 0)
        part.sizes[0] = end - begin;
    return move_cut(
        cutting, &part, 0, cutting->target + begin * (cutting->ndim ? cutting->target_strides[0] : 0) * cutting->item,
        cutting->source ? cutting->source + begin * (cutting->ndim ? cutting->source_strides[0] : 0) * cutting->item : NULL);
}

static void move_cut_range(void *argument, int64_t begin, int64_t end) {
    (void)move_cut_from(argument, begin, end); /* of the CPU's elements: cannot fail */
}

/* A dimension of one element does not move: its stride may be any number. The first, which may be several in one, has as many
 * in source as in target. */
static void move_still(move_cutting *cutting, const tn_tensor *source) {
    for (int64_t d = 0; d < cutting->ndim; d++) {
        int64_t many = d == 0 && cutting->shift ? cutting->whole[0] : source->sizes[d + cutting->shift];
        if (cutting->whole[d] <= 1)
            cutting->target_strides[d] = 0;
        if (many <= 1 || source->numel == 0)
            cutting->source_strides[d] = 0;
    }
}

/* Whether a dimension goes on where the next one ends. */
static bool move_goes_on(const tn_tensor *tensor, int64_t dim) {
    int64_t reach;
    return !tni_mul_overflows(tensor->sizes[dim + 1], tensor->strides[dim + 1], &reach) && tensor->strides[dim] == reach;
}

/* The dimensions before `lead` become one: false when the strides do not allow it. */
static bool move_merge(const tn_tensor *target, const tn_tensor *source, int64_t lead, move_cutting *cutting) {
    for (int64_t d = 0; d + 1 < lead; d++)
        if (!move_goes_on(target, d) || !move_goes_on(source, d))
            return false;
    cutting->shift = lead - 1;
    cutting->ndim = target->ndim - cutting->shift;
    for (int64_t d = 0; d < cutting->ndim; d++) {
        cutting->whole[d] = target->sizes[d + cutting->shift];
        cutting->target_strides[d] = target->strides[d + cutting->shift];
        cutting->source_strides[d] = source->strides[d + cutting->shift];
    }
    for (int64_t d = 0; d < cutting->shift; d++)
        cutting->whole[0] *= target->sizes[d];
    move_still(cutting, source);
    return true;
}

tn_error tni_move_cuts(tn_tensor *target, const tn_tensor *source, const tni_cut *cuts, int64_t count, const char *element) {
    if (target->numel == 0 || (source->numel == 0 && !element))
        return TN_OK;
    move_cutting cutting = {.device = tni_tensor_device(target),
                            .cuts = cuts,
                            .count = count,
                            .element = element,
                            .dtype = target->dtype,
                            .item = (int64_t)tni_tensor_item_size(target),
                            .target = tni_tensor_write(target),
                            .source = source->numel ? tni_tensor_read(source) : NULL,
                            .ndim = target->ndim};
    bool narrow = false, cpu = cutting.device.type == TN_CPU;
    for (int64_t i = 0; i < count && cpu; i++)
        for (int k = 0; k < cuts[i].count; k++)
            narrow |=
                cuts[i].segment[k].length > 0 && cuts[i].segment[k].length * tni_tensor_step(target, cuts[i].dim) < MOVE_NARROW;
    int64_t lead = count ? cuts[0].dim : 0;
    if (narrow && lead > 0 && move_merge(target, source, lead, &cutting)) {
        int64_t each = target->numel / cutting.whole[0] * cutting.item, last = cutting.ndim - 1;
        if (cuts[count - 1].dim == target->ndim - 1 && cutting.source && cutting.target_strides[last] == 1 &&
            cutting.source_strides[last] == 1 && cutting.whole[last] >= MOVE_ROW)
            cutting.strided = tni_kernels()->strided[tni_element_index((size_t)cutting.item)];
        tni_parallel_for(cutting.whole[0], tni_max_i64(1, MOVE_CHUNK / each), move_cut_range, &cutting);
        return TN_OK;
    }
    memcpy(cutting.whole, target->sizes, target->ndim * sizeof *cutting.whole);
    memcpy(cutting.target_strides, target->strides, target->ndim * sizeof *cutting.target_strides);
    memcpy(cutting.source_strides, source->strides, target->ndim * sizeof *cutting.source_strides);
    move_still(&cutting, source);
    return move_cut_from(&cutting, 0, 0);
}

bool tni_move_size(int64_t a, int64_t b, const char *what, int64_t *product) {
    if (!tni_mul_overflows(a, b, product))
        return true;
    tni_raise(TN_ERROR_SHAPE, "%s: %" PRId64 " times %" PRId64 " is too large for a size", what, a, b);
    return false;
}

/* ---- roll */

/* What was at position i of `size` comes to i + shift, the end coming round to the beginning. */
static tni_cut move_roll_cut(int64_t dim, int64_t size, int64_t shift) {
    return (tni_cut){.dim = dim, .count = 2, .segment = {{shift, 0, size - shift, 1}, {0, size - shift, shift, 1}}};
}

static int64_t move_shift(int64_t shift, int64_t size) {
    int64_t rest = shift % size;
    return rest < 0 ? rest + size : rest;
}

/* All elements in row-major order, as if there were one dimension. */
static tn_error move_roll_flat(tn_tensor *result, const tn_tensor *self, int64_t shift) {
    tn_tensor *lying = tni_tensor_is_contiguous(self)
                           ? tni_tensor_retain(self)
                           : tni_clone_contiguous(self, "roll without dims moves the elements in row-major order");
    tn_tensor *target = lying ? tni_op_view(result, (tn_dims){(const int64_t[]){-1}, 1}) : NULL;
    tn_tensor *source = target ? tni_op_view(lying, (tn_dims){(const int64_t[]){-1}, 1}) : NULL;
    tni_cut cut = move_roll_cut(0, self->numel, move_shift(shift, self->numel));
    tn_error code = source ? tni_move_cuts(target, source, &cut, 1, NULL) : tni_failed();
    tni_tensor_release(source);
    tni_tensor_release(target);
    tni_tensor_release(lying);
    return code;
}

/* The dimension of a pair, and how far it goes forward there. */
static bool move_roll_one(const tn_tensor *self, tn_dims shifts, tn_dims dims, int64_t i, int64_t *dim, int64_t *shift) {
    if (!tni_wrap_dim(dims.values[i], self->ndim, "dims", dim))
        return false;
    *shift = move_shift(shifts.values[i], self->sizes[*dim]);
    return true;
}

/* Both shifts of a dimension that is named twice. */
static int64_t move_roll_cuts(const tn_tensor *self, tn_dims shifts, tn_dims dims, tni_cut *cuts) {
    int64_t totals[TN_MAX_DIMS] = {0}, count = 0, dim, shift;
    for (int64_t i = 0; i < dims.count && move_roll_one(self, shifts, dims, i, &dim, &shift); i++) {
        int64_t size = self->sizes[dim];
        totals[dim] = totals[dim] >= size - shift ? totals[dim] - (size - shift) : totals[dim] + shift;
    }
    for (int64_t d = 0; d < self->ndim; d++)
        if (totals[d])
            cuts[count++] = move_roll_cut(d, self->sizes[d], totals[d]);
    return count;
}

static bool move_roll_is_flat(tn_dims shifts, tn_dims dims) { return dims.count == 0 && shifts.count == 1; }

bool tni_plan_roll(tni_plan *plan, const tn_tensor *self, tn_dims shifts, tn_dims dims) {
    bool flat = move_roll_is_flat(shifts, dims), channels_last = !flat && self->ndim > 3 && tni_suggests_channels_last(self);
    tni_plan_begin(plan, self);
    if (shifts.count == 0) {
        tni_raise(TN_ERROR_ARGUMENT, "shifts is empty: there must be one for each of dims");
        return false;
    }
    if (shifts.count != dims.count && !flat) {
        tni_raise(TN_ERROR_ARGUMENT, "shifts %s and dims %s must be equally long", tni_show_dims(shifts.values, shifts.count),
                  tni_show_dims(dims.values, dims.count));
        return false;
    }
    if (self->numel == 0 && !flat)
        return tni_plan_add_like(plan, self, self->dtype);
    if (!flat && self->ndim == 0) {
        tni_raise(TN_ERROR_INDEX, "dims %s: self has no dimensions", tni_show_dims(dims.values, dims.count));
        return false;
    }
    for (int64_t i = 0; i < dims.count; i++) {
        if (!move_roll_one(self, shifts, dims, i, &plan->number[0], &plan->number[1]))
            return false;
        channels_last = channels_last && plan->number[1] != 0; /* in torch, a shift that changes nothing makes it row-major */
    }
    tni_plan_add_format(plan, self->ndim, self->sizes, self->dtype, channels_last);
    return true;
}

tn_error tni_run_roll(const tni_plan *plan, tn_tensor *const *results, const tn_tensor *self, tn_dims shifts, tn_dims dims) {
    tni_cut cuts[TN_MAX_DIMS];
    int64_t count = 1, dim = plan->number[0],
            shift = plan->number[1]; /* those of the last pair, which is mostly the only one */
    if (self->numel == 0)
        return TN_OK;
    if (move_roll_is_flat(shifts, dims))
        return move_roll_flat(results[0], self, shifts.values[0]);
    if (dims.count > 1)
        count = move_roll_cuts(self, shifts, dims, cuts);
    else if (shift != 0)
        cuts[0] = move_roll_cut(dim, self->sizes[dim], shift);
    else
        count = 0;
    return tni_move_cuts(results[0], self, cuts, count, NULL);
}

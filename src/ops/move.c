/* move.c - copies put together dimension by dimension (move.h), and roll, the plainest of them. */
#include "ops/move.h"

#include "base/error.h"
#include "base/parallel.h"
#include "dispatch/kernels.h"
#include "operator_impls.h"
#include "ops/copy.h"

void tni_move_begin(tni_move *move, tn_tensor *target, const tn_tensor *source) {
    move->target = tni_tensor_write(target);
    move->source = tni_tensor_read(source);
    move->target_dtype = target->dtype;
    move->source_dtype = source->dtype;
    move->empty = false;
    move->ndim = 0;
}

void tni_move_run(const tni_move *move) {
    if (move->empty)
        return;
    tni_copy copy = {.ndim = move->ndim,
                     .sizes = move->sizes,
                     .target = move->target,
                     .target_strides = move->target_strides,
                     .target_dtype = move->target_dtype,
                     .source = move->source,
                     .source_strides = move->source_strides,
                     .source_dtype = move->source_dtype};
    tni_copy_elements(&copy);
}

/* The geometry that is cut. Dimensions before the first that is cut are one where strides allow it, so that narrow margins,
 * which touch every line of memory that their neighbours do, are written while those are still in a cache. */
typedef struct move_cutting {
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

static void move_copy_part(const move_cutting *cutting, const move_part *part, char *target, const char *source, bool fill) {
    static const int64_t nowhere[TN_MAX_DIMS] = {0};
    tni_copy copy = {.ndim = cutting->ndim,
                     .sizes = part->sizes,
                     .target = target,
                     .target_strides = cutting->target_strides,
                     .target_dtype = cutting->dtype,
                     .source = fill ? cutting->element : source,
                     .source_strides = fill ? nowhere : part->source_strides,
                     .source_dtype = cutting->dtype};
    tni_copy_elements(&copy);
}

/* The ranges of one row: single elements at its ends mostly, so each is written while its line is at hand. */
static void move_one_row(const move_cutting *cutting, const tni_cut *cut, char *target, const char *source) {
    int64_t item = cutting->item;
    for (int i = 0; i < cut->count; i++) {
        const tni_move_segment *segment = &cut->segment[i];
        char *to = target + segment->target * item;
        const char *from = segment->source < 0 ? cutting->element : source + segment->source * item;
        if (segment->step == 1 && segment->source >= 0 && segment->length > 1)
            memcpy(to, from, (size_t)(segment->length * item));
        else if (segment->length > 0)
            cutting->strided(to, item, from, segment->source < 0 ? 0 : segment->step * item, segment->length);
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

static void move_cut(const move_cutting *cutting, move_part *part, int64_t level, char *target, const char *source) {
    if (level == cutting->count) {
        move_copy_part(cutting, part, target, source, false);
        return;
    }
    const tni_cut *cut = &cutting->cuts[level];
    int64_t dim = cut->dim - cutting->shift, target_stride = cutting->target_strides[dim] * cutting->item;
    if (cutting->strided && level == cutting->count - 1) {
        move_cut_rows(cutting, part, cut, target, source);
        return;
    }
    for (int i = 0; i < cut->count; i++) {
        const tni_move_segment *segment = &cut->segment[i];
        if (segment->length == 0)
            continue;
        part->sizes[dim] = segment->length;
        if (segment->source < 0) { /* of what is further in, everything */
            move_copy_part(cutting, part, target + segment->target * target_stride, NULL, true);
            continue;
        }
        part->source_strides[dim] = cutting->source_strides[dim] * segment->step;
        move_cut(cutting, part, level + 1, target + segment->target * target_stride,
                 source ? source + segment->source * cutting->source_strides[dim] * cutting->item : NULL);
    }
    part->sizes[dim] = cutting->whole[dim];
}

/* Positions begin to end of the first dimension, which is not cut. */
static void move_cut_range(void *argument, int64_t begin, int64_t end) {
    const move_cutting *cutting = argument;
    move_part part;
    memcpy(part.sizes, cutting->whole, (size_t)cutting->ndim * sizeof *part.sizes);
    memcpy(part.source_strides, cutting->source_strides, (size_t)cutting->ndim * sizeof *part.source_strides);
    if (cutting->ndim > 0 && end > 0)
        part.sizes[0] = end - begin;
    move_cut(cutting, &part, 0, cutting->target + begin * (cutting->ndim ? cutting->target_strides[0] : 0) * cutting->item,
             cutting->source ? cutting->source + begin * (cutting->ndim ? cutting->source_strides[0] : 0) * cutting->item
                             : NULL);
}

enum {
    MOVE_NARROW = 256,      /* bytes of a range that is no more than a few lines of memory */
    MOVE_CHUNK = 256 << 10, /* bytes of the result that stay in a cache                    */
    MOVE_ROW = 16,          /* elements of a row that is worth a few calls                 */
};

/* The dimensions before `lead` become one: false when the strides do not allow it. */
static bool move_merge(const tn_tensor *target, const tn_tensor *source, int64_t lead, move_cutting *cutting) {
    for (int64_t d = 0; d + 1 < lead; d++)
        if (target->strides[d] != target->sizes[d + 1] * target->strides[d + 1] ||
            source->strides[d] != source->sizes[d + 1] * source->strides[d + 1])
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
    return true;
}

void tni_move_cuts(tn_tensor *target, const tn_tensor *source, const tni_cut *cuts, int64_t count, const char *element) {
    if (target->numel == 0 || (source->numel == 0 && !element))
        return;
    move_cutting cutting = {.cuts = cuts,
                            .count = count,
                            .element = element,
                            .dtype = target->dtype,
                            .item = (int64_t)tni_tensor_item_size(target),
                            .target = tni_tensor_write(target),
                            .source = source->numel ? tni_tensor_read(source) : NULL,
                            .ndim = target->ndim};
    bool narrow = false;
    for (int64_t i = 0; i < count; i++)
        for (int k = 0; k < cuts[i].count; k++)
            narrow |= cuts[i].segment[k].length > 0 &&
                      cuts[i].segment[k].length * target->strides[cuts[i].dim] * cutting.item < MOVE_NARROW;
    int64_t lead = count ? cuts[0].dim : 0;
    if (narrow && lead > 0 && move_merge(target, source, lead, &cutting)) {
        int64_t each = target->numel / cutting.whole[0] * cutting.item, last = cutting.ndim - 1;
        if (cuts[count - 1].dim == target->ndim - 1 && cutting.source && cutting.target_strides[last] == 1 &&
            cutting.source_strides[last] == 1 && cutting.whole[last] >= MOVE_ROW)
            cutting.strided = tni_kernels()->strided[tni_element_index((size_t)cutting.item)];
        tni_parallel_for(cutting.whole[0], tni_max_i64(1, MOVE_CHUNK / each), move_cut_range, &cutting);
        return;
    }
    memcpy(cutting.whole, target->sizes, target->ndim * sizeof *cutting.whole);
    memcpy(cutting.target_strides, target->strides, target->ndim * sizeof *cutting.target_strides);
    memcpy(cutting.source_strides, source->strides, target->ndim * sizeof *cutting.source_strides);
    move_cut_range(&cutting, 0, 0);
}

tn_tensor *tni_move_new(int64_t ndim, const int64_t *sizes, tn_dtype dtype, bool channels_last) {
    int64_t numel, strides[TN_MAX_DIMS];
    if (!channels_last || tn_geometry_numel(ndim, sizes, &numel) != TN_GEOMETRY_OK ||
        tn_geometry_channels_last_strides(ndim, sizes, strides) != TN_GEOMETRY_OK)
        return tni_tensor_new(ndim, sizes, dtype, TN_DEVICE_CPU);
    return tni_tensor_new_strided(ndim, sizes, strides, 0, numel, dtype, TN_DEVICE_CPU);
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
static tn_tensor *move_roll_flat(const tn_tensor *self, int64_t shift) {
    tn_tensor *result = tni_tensor_new(self->ndim, self->sizes, self->dtype, TN_DEVICE_CPU);
    tn_tensor *lying = tni_tensor_is_contiguous(self)
                           ? tni_tensor_retain(self)
                           : tni_clone_contiguous(self, "roll without dims moves the elements in row-major order");
    tn_tensor *target = result ? tni_op_view(result, (tn_dims){(const int64_t[]){-1}, 1}) : NULL;
    tn_tensor *source = lying ? tni_op_view(lying, (tn_dims){(const int64_t[]){-1}, 1}) : NULL;
    bool good = target && source;
    if (good) {
        tni_cut cut = move_roll_cut(0, self->numel, move_shift(shift, self->numel));
        tni_move_cuts(target, source, &cut, 1, NULL);
    } else {
        tni_tensor_release(result);
    }
    tni_tensor_release(source);
    tni_tensor_release(target);
    tni_tensor_release(lying);
    return good ? result : NULL;
}

tn_tensor *tni_op_roll(const tn_tensor *self, tn_dims shifts, tn_dims dims) {
    bool flat = dims.count == 0 && shifts.count == 1;
    if (shifts.count == 0)
        return tni_raise_null(TN_ERROR_ARGUMENT, "shifts is empty: there must be one for each of dims");
    if (shifts.count != dims.count && !flat)
        return tni_raise_null(TN_ERROR_ARGUMENT, "shifts %s and dims %s must be equally long",
                              tni_show_dims(shifts.values, shifts.count), tni_show_dims(dims.values, dims.count));
    if (self->numel == 0)
        return tni_clone_as(self, self->dtype, flat ? TN_CONTIGUOUS : TN_PRESERVE, TN_DEVICE_CPU, "roll makes a new tensor");
    if (flat)
        return move_roll_flat(self, shifts.values[0]);
    if (self->ndim == 0)
        return tni_raise_null(TN_ERROR_INDEX, "dims %s: self has no dimensions", tni_show_dims(dims.values, dims.count));
    int64_t total[TN_MAX_DIMS] = {0};                      /* of a dimension that is named twice, both shifts */
    bool channels_last = tni_suggests_channels_last(self); /* in torch, a shift that changes nothing makes it row-major */
    for (int64_t i = 0; i < dims.count; i++) {
        int64_t dim;
        if (!tni_wrap_dim(dims.values[i], self->ndim, "dims", &dim))
            return NULL;
        int64_t size = self->sizes[dim], shift = move_shift(shifts.values[i], size);
        channels_last = channels_last && shift != 0;
        total[dim] = total[dim] >= size - shift ? total[dim] - (size - shift) : total[dim] + shift;
    }
    tn_tensor *result = tni_move_new(self->ndim, self->sizes, self->dtype, channels_last);
    if (!result)
        return NULL;
    tni_cut cuts[TN_MAX_DIMS];
    int64_t count = 0;
    for (int64_t d = 0; d < self->ndim; d++)
        if (total[d])
            cuts[count++] = move_roll_cut(d, self->sizes[d], total[d]);
    tni_move_cuts(result, self, cuts, count, NULL);
    return result;
}

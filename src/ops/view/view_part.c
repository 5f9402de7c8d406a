/* view_part.c - views of a part of the elements: ranges, positions, windows, diagonals, pieces, and reversed order. */
#include <stdio.h>

#include "base/error.h"
#include "base/heap.h"
#include "base/parallel.h"
#include "ops/copy/copy.h"
#include "ops/view/view.h"
#include "tensor/check.h"
#include "operators_view.h"

tn_tensor *tni_op_narrow(const tn_tensor *self, int64_t dim, int64_t start, int64_t length) {
    tn_geometry to;
    tn_geometry_result result = tn_geometry_narrow(tni_tensor_geometry(self), dim, start, length, &to);
    return result == TN_GEOMETRY_OK
               ? tni_view_of(self, &to)
               : tni_view_refuse(self, result, "dim = %" PRId64 ", start = %" PRId64 ", length = %" PRId64, dim, start, length);
}

tn_tensor *tni_op_select(const tn_tensor *self, int64_t dim, int64_t index) {
    tn_geometry to;
    tn_geometry_result result = tn_geometry_select(tni_tensor_geometry(self), dim, index, &to);
    return result == TN_GEOMETRY_OK ? tni_view_of(self, &to)
                                    : tni_view_refuse(self, result, "dim = %" PRId64 ", index = %" PRId64, dim, index);
}

tn_tensor *tni_op_slice(const tn_tensor *self, int64_t dim, int64_t start, int64_t end, int64_t step) {
    tn_geometry to;
    tn_geometry_result result = tn_geometry_slice(tni_tensor_geometry(self), dim, start, end, step, &to);
    return result == TN_GEOMETRY_OK
               ? tni_view_of(self, &to)
               : tni_view_refuse(self, result, "dim = %" PRId64 ", start = %" PRId64 ", end = %" PRId64 ", step = %" PRId64,
                                 dim, start, end, step);
}

tn_tensor *tni_op_flip(const tn_tensor *self, tn_dims dims) {
    tn_geometry to;
    tn_geometry_result result = tn_geometry_flip(tni_tensor_geometry(self), dims, &to);
    return result == TN_GEOMETRY_OK ? tni_view_of(self, &to)
                                    : tni_view_refuse(self, result, "dims %s", tni_show_dims(dims.values, dims.count));
}

static tn_tensor *part_flip_one(const tn_tensor *self, int64_t dim) {
    if (self->ndim <= dim)
        return tni_raise_null(TN_ERROR_SHAPE, "self must have at least %" PRId64 " dimensions, it is %s", dim + 1,
                              tni_show_tensor(self));
    return tni_op_flip(self, (tn_dims){&dim, 1});
}

tn_tensor *tni_op_fliplr(const tn_tensor *self) { return part_flip_one(self, 1); }
tn_tensor *tni_op_flipud(const tn_tensor *self) { return part_flip_one(self, 0); }

/* One quarter turn is a transpose of the plane with one of its dimensions reversed. */
tn_tensor *tni_op_rot90(const tn_tensor *self, int64_t k, tn_dims dims) {
    int64_t a, b;
    if (dims.count != 2)
        return tni_raise_null(TN_ERROR_ARGUMENT, "dims %s must name the two dimensions of a plane",
                              tni_show_dims(dims.values, dims.count));
    if (self->ndim < 2)
        return tni_raise_null(TN_ERROR_SHAPE, "self must have at least 2 dimensions, it is %s", tni_show_tensor(self));
    if (!tni_wrap_dim(dims.values[0], self->ndim, "dims[0]", &a) || !tni_wrap_dim(dims.values[1], self->ndim, "dims[1]", &b))
        return NULL;
    if (a == b)
        return tni_raise_null(TN_ERROR_ARGUMENT, "dims %s name the same dimension twice",
                              tni_show_dims(dims.values, dims.count));
    int64_t turns = ((k % 4) + 4) % 4, both[2] = {a, b};
    if (turns == 0 || turns == 2)
        return tni_op_flip(self, (tn_dims){both, turns});
    tn_tensor *flipped = tni_op_flip(self, (tn_dims){turns == 1 ? &b : &a, 1});
    tn_tensor *turned = flipped ? tni_op_transpose(flipped, a, b) : NULL;
    tni_tensor_release(flipped);
    return turned;
}

tn_tensor *tni_op_unfold(const tn_tensor *self, int64_t dimension, int64_t size, int64_t step) {
    tn_geometry to;
    tn_geometry_result result = tn_geometry_unfold(tni_tensor_geometry(self), dimension, size, step, &to);
    return result == TN_GEOMETRY_OK
               ? tni_view_of(self, &to)
               : tni_view_refuse(self, result, "dimension = %" PRId64 ", size = %" PRId64 ", step = %" PRId64, dimension, size,
                                 step);
}

tn_tensor *tni_op_sliding_window_view(const tn_tensor *self, tn_dims window, tn_dims dims) {
    if (window.count != dims.count)
        return tni_raise_null(TN_ERROR_ARGUMENT, "window %s and dims %s must be equally long",
                              tni_show_dims(window.values, window.count), tni_show_dims(dims.values, dims.count));
    int64_t wrapped[TN_MAX_DIMS];
    for (int64_t i = 0; i < dims.count; i++)
        if (!tni_wrap_dim(dims.values[i], self->ndim, "dims", &wrapped[i]))
            return NULL;
    tn_tensor *view = tni_op_alias(self);
    for (int64_t i = 0; view && i < dims.count; i++) { /* unfold adds its dimension at the end, so the numbers stay right */
        tn_tensor *next = tni_op_unfold(view, wrapped[i], window.values[i], 1);
        tni_tensor_release(view);
        view = next;
    }
    return view;
}

tn_tensor *tni_op_diagonal(const tn_tensor *self, int64_t offset, int64_t dim1, int64_t dim2) {
    tn_geometry to;
    tn_geometry_result result = tn_geometry_diagonal(tni_tensor_geometry(self), offset, dim1, dim2, &to);
    return result == TN_GEOMETRY_OK
               ? tni_view_of(self, &to)
               : tni_view_refuse(self, result, "offset = %" PRId64 ", dim1 = %" PRId64 ", dim2 = %" PRId64, offset, dim1, dim2);
}

tn_tensor *tni_op_as_strided(const tn_tensor *self, tn_dims size, tn_dims stride, int64_t storage_offset) {
    if (size.count != stride.count)
        return tni_raise_null(TN_ERROR_SHAPE, "%" PRId64 " sizes %s but %" PRId64 " strides %s", size.count,
                              tni_show_dims(size.values, size.count), stride.count, tni_show_dims(stride.values, stride.count));
    int64_t offset = storage_offset == TN_NONE ? self->offset : storage_offset;
    tn_geometry_ref geometry = {size.count, offset, size.values, stride.values};
    if (!tni_check_inside(self->storage, geometry, self->dtype))
        return NULL;
    return tni_tensor_view(self, size.count, size.values, stride.values, offset);
}

/* ---- pieces. Each takes consecutive ranges of one dimension; `sizes` may be NULL for equal ones. */

typedef struct part_list {
    tn_tensor **items;
    int64_t count, capacity;
} part_list;

static bool part_list_begin(part_list *list, int64_t capacity) {
    int64_t bytes;
    if (tni_mul_overflows(capacity, (int64_t)sizeof(tn_tensor *), &bytes)) {
        tni_raise(TN_ERROR_MEMORY, "out of memory: %" PRId64 " pieces", capacity);
        return false;
    }
    *list = (part_list){tni_heap_alloc((size_t)bytes), 0, capacity};
    return list->items != NULL;
}

/* The list of the pieces added, or NULL, with everything released, when one of them could not be made. */
static tn_list *part_list_end(part_list *list, bool complete) {
    tn_list *result = NULL;
    if (complete)
        result = tni_list_make(list->items, list->count);
    else
        for (int64_t i = 0; i < list->count; i++)
            tni_tensor_release(list->items[i]);
    tni_heap_free(list->items, (size_t)list->capacity * sizeof(tn_tensor *));
    return result;
}

/* False when there is no piece, or when the call is cancelled: a tensor of one element can be cut into billions of pieces. */
static bool part_list_add(part_list *list, tn_tensor *piece) {
    if (!piece)
        return false;
    list->items[list->count++] = piece;
    return list->count % (TNI_STEP / 8) != 0 || tni_goes_on(); /* a view takes as long as some elements */
}

/* The dimension to cut, which must exist: a tensor of no dimensions has nothing to cut. */
static bool part_dim(const tn_tensor *self, int64_t dim, int64_t *out) {
    if (!tni_wrap_dim(dim, self->ndim, "dim", out))
        return false;
    if (self->ndim == 0)
        tni_raise(TN_ERROR_INDEX, "self has no dimensions to cut");
    return self->ndim != 0;
}

tn_list *tni_op_split(const tn_tensor *self, int64_t split_size, int64_t dim) {
    int64_t d;
    if (!part_dim(self, dim, &d))
        return NULL;
    int64_t size = self->sizes[d];
    if (split_size < 0 || (split_size == 0 && size != 0))
        return tni_raise_null(TN_ERROR_ARGUMENT, "split_size = %" PRId64 " cannot cut dimension %" PRId64 " of self %s",
                              split_size, dim, tni_show_tensor(self));
    int64_t count = size == 0 ? 1 : size / split_size + (size % split_size != 0);
    part_list list;
    if (!part_list_begin(&list, count))
        return NULL;
    bool good = true;
    for (int64_t i = 0; good && i < count; i++) {
        int64_t start = i * split_size;
        good = part_list_add(&list, tni_op_narrow(self, d, start, tni_min_i64(split_size, size - start)));
    }
    return part_list_end(&list, good);
}

tn_list *tni_op_split_with_sizes(const tn_tensor *self, tn_dims split_sizes, int64_t dim) {
    int64_t d, total = 0;
    if (!part_dim(self, dim, &d))
        return NULL;
    for (int64_t i = 0; i < split_sizes.count; i++)
        if (split_sizes.values[i] < 0 || tni_add_overflows(total, split_sizes.values[i], &total))
            return tni_raise_null(TN_ERROR_ARGUMENT, "split_sizes %s must not be negative nor overflow",
                                  tni_show_dims(split_sizes.values, split_sizes.count));
    if (total != self->sizes[d])
        return tni_raise_null(
            TN_ERROR_SHAPE, "split_sizes %s add up to %" PRId64 ", but dimension %" PRId64 " of self %s has size %" PRId64,
            tni_show_dims(split_sizes.values, split_sizes.count), total, dim, tni_show_tensor(self), self->sizes[d]);
    part_list list;
    if (!part_list_begin(&list, split_sizes.count))
        return NULL;
    bool good = true;
    for (int64_t i = 0, start = 0; good && i < split_sizes.count; start += split_sizes.values[i++])
        good = part_list_add(&list, tni_op_narrow(self, d, start, split_sizes.values[i]));
    return part_list_end(&list, good);
}

tn_list *tni_op_tensor_split(const tn_tensor *self, int64_t sections, int64_t dim) {
    int64_t d;
    if (!part_dim(self, dim, &d))
        return NULL;
    if (sections <= 0)
        return tni_raise_null(TN_ERROR_ARGUMENT, "sections = %" PRId64 " must be at least 1", sections);
    int64_t each = self->sizes[d] / sections, larger = self->sizes[d] % sections;
    part_list list;
    if (!part_list_begin(&list, sections))
        return NULL;
    bool good = true;
    for (int64_t i = 0, start = 0; good && i < sections; i++) {
        int64_t length = each + (i < larger);
        good = part_list_add(&list, tni_op_narrow(self, d, start, length));
        start += length;
    }
    return part_list_end(&list, good);
}

/* torch cuts 7 into chunks of 3 as 3, 3, 1: the size is rounded up, and there may be fewer pieces. An empty dimension gives
 * as many empty pieces as were asked for. */
tn_list *tni_op_chunk(const tn_tensor *self, int64_t chunks, int64_t dim) {
    int64_t d;
    if (!part_dim(self, dim, &d))
        return NULL;
    if (chunks <= 0)
        return tni_raise_null(TN_ERROR_ARGUMENT, "chunks = %" PRId64 " must be at least 1", chunks);
    int64_t size = self->sizes[d];
    return size == 0 ? tni_op_tensor_split(self, chunks, d) : tni_op_split(self, size / chunks + (size % chunks != 0), d);
}

tn_list *tni_op_tensor_split_indices(const tn_tensor *self, tn_dims indices, int64_t dim) {
    int64_t d;
    if (!part_dim(self, dim, &d))
        return NULL;
    part_list list;
    if (!part_list_begin(&list, indices.count + 1))
        return NULL;
    bool good = true;
    for (int64_t i = 0; good && i <= indices.count; i++) {
        int64_t start = i == 0 ? 0 : indices.values[i - 1];
        int64_t end = i == indices.count ? TN_NONE : tni_max_i64(indices.values[i], -INT64_MAX); /* not TN_NONE by chance */
        good = part_list_add(&list, tni_op_slice(self, d, start, end, 1));
    }
    return part_list_end(&list, good);
}

/* The tensor has few positions: a copy, which may come from another device, is the argument of the others. */
tn_list *tni_op_tensor_split_tensor(const tn_tensor *self, const tn_tensor *tensor_indices_or_sections, int64_t dim) {
    const tn_tensor *cuts = tensor_indices_or_sections;
    if (cuts->dtype != TN_INT64)
        return tni_raise_null(TN_ERROR_DTYPE, "tensor_indices_or_sections is %s; positions are int64", tni_show_tensor(cuts));
    if (cuts->ndim > 1)
        return tni_raise_null(
            TN_ERROR_SHAPE,
            "tensor_indices_or_sections %s must have no dimensions, as a number of sections, or one, of positions",
            tni_show_tensor(cuts));
    tn_tensor *near = tni_clone_as(cuts, TN_INT64, TN_CONTIGUOUS, TN_DEVICE_CPU, "positions are read one after the other");
    if (!near)
        return NULL;
    const int64_t *positions = (const void *)tni_tensor_read(near);
    tn_list *list = near->ndim == 0 ? tni_op_tensor_split(self, *positions, dim)
                                    : tni_op_tensor_split_indices(self, (tn_dims){positions, near->numel}, dim);
    tni_tensor_release(near);
    return list;
}

/* hsplit, vsplit, dsplit: the dimension is fixed, and equal sections must divide evenly. */
static bool part_along(const tn_tensor *self, int64_t ndim, int64_t dim) {
    if (self->ndim >= ndim)
        return true;
    tni_raise(TN_ERROR_SHAPE, "self must have at least %" PRId64 " dimensions to be cut along dimension %" PRId64 ", it is %s",
              ndim, dim, tni_show_tensor(self));
    return false;
}

static tn_list *part_equal(const tn_tensor *self, int64_t sections, int64_t dim) {
    if (sections <= 0 || self->sizes[dim] % sections != 0)
        return tni_raise_null(sections <= 0 ? TN_ERROR_ARGUMENT : TN_ERROR_SHAPE,
                              "sections = %" PRId64 " do not divide dimension %" PRId64 " of self %s evenly", sections, dim,
                              tni_show_tensor(self));
    return tni_op_tensor_split(self, sections, dim);
}

tn_list *tni_op_hsplit(const tn_tensor *self, int64_t sections) {
    return part_along(self, 1, 1) ? part_equal(self, sections, self->ndim == 1 ? 0 : 1) : NULL;
}
tn_list *tni_op_hsplit_indices(const tn_tensor *self, tn_dims indices) {
    return part_along(self, 1, 1) ? tni_op_tensor_split_indices(self, indices, self->ndim == 1 ? 0 : 1) : NULL;
}
tn_list *tni_op_vsplit(const tn_tensor *self, int64_t sections) {
    return part_along(self, 2, 0) ? part_equal(self, sections, 0) : NULL;
}
tn_list *tni_op_vsplit_indices(const tn_tensor *self, tn_dims indices) {
    return part_along(self, 2, 0) ? tni_op_tensor_split_indices(self, indices, 0) : NULL;
}
tn_list *tni_op_dsplit(const tn_tensor *self, int64_t sections) {
    return part_along(self, 3, 2) ? part_equal(self, sections, 2) : NULL;
}
tn_list *tni_op_dsplit_indices(const tn_tensor *self, tn_dims indices) {
    return part_along(self, 3, 2) ? tni_op_tensor_split_indices(self, indices, 2) : NULL;
}

tn_list *tni_op_unbind(const tn_tensor *self, int64_t dim) {
    int64_t d;
    part_list list;
    if (!part_dim(self, dim, &d) || !part_list_begin(&list, self->sizes[d]))
        return NULL;
    bool good = true;
    for (int64_t i = 0; good && i < self->sizes[d]; i++)
        good = part_list_add(&list, tni_op_select(self, d, i));
    return part_list_end(&list, good);
}

/* ---- several tensors at once */

tn_list *tni_op_broadcast_tensors(const tn_tensor *const *tensors, int64_t tensors_count) {
    int64_t sizes[TN_MAX_DIMS], ndim = 0;
    for (int64_t i = 0; i < tensors_count; i++) {
        tn_geometry_conflict conflict = {0};
        int64_t common[TN_MAX_DIMS], common_ndim;
        tn_geometry_result result = tn_geometry_broadcast(
            (tn_dims){sizes, ndim}, (tn_dims){tensors[i]->sizes, tensors[i]->ndim}, &common_ndim, common, &conflict);
        if (result != TN_GEOMETRY_OK)
            return tni_raise_null(
                tn_geometry_result_error(result),
                "tensors[%" PRId64 "] is %s, which does not fit the common shape %s of those before it: %s at "
                "dimension %" PRId64,
                i, tni_show_tensor(tensors[i]), tni_show_dims(sizes, ndim), tn_geometry_result_text(result), conflict.dim);
        ndim = common_ndim;
        memcpy(sizes, common, (size_t)ndim * sizeof *sizes);
    }
    part_list list;
    if (!part_list_begin(&list, tensors_count))
        return NULL;
    bool good = true;
    for (int64_t i = 0; good && i < tensors_count; i++)
        good = part_list_add(&list, tni_op_expand(tensors[i], (tn_dims){sizes, ndim}));
    return part_list_end(&list, good);
}

/* A vector along dimension `dim` of the grid, the other dimensions expanded. */
static tn_tensor *part_grid(const tn_tensor *vector, int64_t dim, tn_dims grid) {
    int64_t lying[TN_MAX_DIMS];
    for (int64_t d = 0; d < grid.count; d++)
        lying[d] = d == dim ? vector->numel : 1;
    tn_tensor *view = tni_op_view(vector, (tn_dims){lying, grid.count});
    tn_tensor *expanded = view ? tni_op_expand(view, grid) : NULL;
    tni_tensor_release(view);
    return expanded;
}

tn_list *tni_op_meshgrid(const tn_tensor *const *tensors, int64_t tensors_count, const char *indexing) {
    bool by_columns = strcmp(indexing, "xy") == 0;
    if (!by_columns && strcmp(indexing, "ij") != 0)
        return tni_raise_null(TN_ERROR_ARGUMENT, "indexing '%.20s' must be 'ij' or 'xy'", indexing);
    if (tensors_count < 1 || tensors_count > TN_MAX_DIMS)
        return tni_raise_null(TN_ERROR_ARGUMENT, "%" PRId64 " tensors: from 1 to %d are possible", tensors_count, TN_MAX_DIMS);
    int64_t grid[TN_MAX_DIMS];
    for (int64_t i = 0; i < tensors_count; i++) {
        if (tensors[i]->ndim > 1)
            return tni_raise_null(TN_ERROR_SHAPE, "tensors[%" PRId64 "] must have at most one dimension, it is %s", i,
                                  tni_show_tensor(tensors[i]));
        if (tensors[i]->dtype != tensors[0]->dtype)
            return tni_raise_null(TN_ERROR_DTYPE, "tensors[%" PRId64 "] is %s, tensors[0] is %s: the dtypes must be equal", i,
                                  tni_show_tensor(tensors[i]), tni_show_tensor(tensors[0]));
        int64_t along = by_columns && tensors_count > 1 && i < 2 ? 1 - i : i;
        grid[along] = tensors[i]->numel;
    }
    int64_t numel;
    tn_geometry_result result = tn_geometry_numel(tensors_count, grid, &numel);
    if (result != TN_GEOMETRY_OK)
        return tni_raise_null(tn_geometry_result_error(result), "a grid of sizes %s: %s", tni_show_dims(grid, tensors_count),
                              tn_geometry_result_text(result));
    part_list list;
    if (!part_list_begin(&list, tensors_count))
        return NULL;
    bool good = true;
    for (int64_t i = 0; good && i < tensors_count; i++) {
        int64_t along = by_columns && tensors_count > 1 && i < 2 ? 1 - i : i;
        good = part_list_add(&list, part_grid(tensors[i], along, (tn_dims){grid, tensors_count}));
    }
    return part_list_end(&list, good);
}

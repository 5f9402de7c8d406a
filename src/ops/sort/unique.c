/* unique.c - unique and unique_consecutive: one of each run of equal elements, or of equal slices along a dimension.
 *
 * A slice is a row of the tensor with that dimension put first, an element a row of one. Rows are seen through their keys
 * (kernels/table.h, sort_keys), put in order unless only neighbours are compared, and every row that differs from the one
 * before begins a group. A NaN differs from everything, so each is a group of its own. The first row of a group in the tensor
 * is the one that is shown: -0 and 0 are equal.
 */
#include "base/error.h"
#include "base/parallel.h"
#include "kernels/table.h"
#include "operators_sort.h"
#include "operators_view.h"
#include "ops/copy/copy.h"
#include "ops/sort/sort_order.h"

typedef struct unique_work {
    const tn_tensor *self;
    bool by_dim;
    int64_t dim;
    tn_tensor *rows;      /* (count, width), without gaps           */
    int64_t count, width; /* rows, and elements of each             */
    tn_tensor *memory;    /* of what follows                        */
    uint32_t *sequence;   /* (count): rows in the order compared    */
    uint8_t *begins;      /* (count): whether one begins a group    */
    char *keys;           /* (count, width): only where needed      */
    char *scratch;
    uint64_t nan; /* the key of every NaN; 0: there is none */
    int64_t groups;
} unique_work;

static void unique_release(unique_work *work) {
    tni_tensor_release(work->rows);
    tni_tensor_release(work->memory);
}

/* ---- rows */

static uint64_t unique_key(const unique_work *work, int64_t place) {
    return tni_tensor_item_size(work->rows) == 8 ? ((const uint64_t *)(const void *)work->keys)[place]
                                                 : ((const uint32_t *)(const void *)work->keys)[place];
}

static bool unique_rows_equal(const unique_work *work, uint32_t a, uint32_t b) {
    for (int64_t i = 0; i < work->width; i++) {
        uint64_t key = unique_key(work, a * work->width + i);
        if (key != unique_key(work, b * work->width + i) || (work->nan && key == work->nan))
            return false;
    }
    return true;
}

static bool unique_row_less(const unique_work *work, uint32_t a, uint32_t b) {
    for (int64_t i = 0; i < work->width; i++) {
        uint64_t first = unique_key(work, a * work->width + i), second = unique_key(work, b * work->width + i);
        if (first != second)
            return first < second;
    }
    return false;
}

/* Rows that are gone through between two questions whether to go on. */
static int64_t unique_step(const unique_work *work) { return tni_max_i64(1, TNI_STEP / work->width); }

/* A merge sort from short runs to long ones, which keeps the order of equal rows. */
static void unique_sort_rows(unique_work *work) {
    uint32_t *from = work->sequence, *to = (uint32_t *)(void *)work->scratch;
    for (int64_t run = 1; run < work->count; run *= 2) {
        int64_t ask = unique_step(work);
        for (int64_t begin = 0; begin < work->count; begin += 2 * run) {
            int64_t a = begin, middle = tni_min_i64(begin + run, work->count), b = middle;
            int64_t end = tni_min_i64(begin + 2 * run, work->count);
            for (int64_t at = begin; at < end; at++) {
                if (TNI_UNLIKELY(at >= ask)) {
                    ask = at + unique_step(work);
                    if (!tni_goes_on())
                        return;
                }
                to[at] = a < middle && (b == end || !unique_row_less(work, from[b], from[a])) ? from[a++] : from[b++];
            }
        }
        uint32_t *turn = from;
        from = to;
        to = turn;
    }
    if (from != work->sequence)
        memcpy(work->sequence, from, (size_t)work->count * sizeof *from);
}

static void unique_group_rows(unique_work *work, bool sorts) {
    size_t item = tni_tensor_item_size(work->rows), key = item == 8 ? 8 : 4;
    TNI_IN_STEPS (begin, end, work->count * work->width)
        tni_kernels()->sort_keys[work->rows->dtype](work->keys + (size_t)begin * key,
                                                    tni_tensor_read(work->rows) + (size_t)begin * item, end - begin, false);
    TNI_IN_STEPS (begin, end, work->count)
        for (int64_t i = begin; i < end; i++)
            work->sequence[i] = (uint32_t)i;
    if (sorts && !tni_stopped())
        unique_sort_rows(work);
    TNI_IN_STEPS_OF (unique_step(work), begin, end, tni_stopped() ? 0 : work->count)
        for (int64_t i = begin; i < end; i++)
            work->begins[i] = i == 0 || !unique_rows_equal(work, work->sequence[i - 1], work->sequence[i]);
}

/* Rows of one element are sorted as a line. */
static void unique_group_elements(unique_work *work) {
    bool alone = work->count >= TNI_ORDER_LONG;
    tni_order order = tni_order_begin(tni_tensor_read(work->rows), work->rows->dtype, work->count, false, work->scratch, alone);
    tni_order_sort(&order);
    TNI_IN_STEPS (begin, end, tni_stopped() ? 0 : work->count)
        for (int64_t i = begin; i < end; i++) {
            work->sequence[i] = (uint32_t)tni_order_index(&order, i);
            work->begins[i] = i == 0 || !tni_order_equal(&order, i - 1, i);
        }
}

static size_t unique_align(size_t bytes) { return (bytes + 63) & ~(size_t)63; }

/* Rows, memory, groups. Releases everything when it fails. */
static bool unique_find(unique_work *work, bool sorts) {
    const tn_tensor *self = work->self;
    work->count = work->by_dim ? self->sizes[work->dim] : self->numel;
    work->width = work->count == 0 ? 1 : self->numel / work->count;
    if (!tni_order_allows(self->dtype, work->count))
        return false;
    tn_tensor *turned = work->by_dim ? tni_op_movedim(self, (tn_dims){&work->dim, 1}, (tn_dims){(const int64_t[]){0}, 1})
                                     : tni_tensor_retain(self);
    work->rows = !turned                            ? NULL
                 : tni_tensor_is_contiguous(turned) ? tni_tensor_retain(turned)
                                                    : tni_clone_contiguous(turned, "its elements are compared in order");
    tni_tensor_release(turned);
    if (!work->rows)
        return false;
    size_t count = (size_t)work->count, size = tni_tensor_item_size(self);
    bool elements = sorts && work->width == 1;
    size_t sequence = unique_align(count * sizeof(uint32_t)), begins = unique_align(count);
    size_t keys = elements ? 0 : unique_align((size_t)self->numel * (size == 8 ? 8 : 4));
    size_t scratch = elements ? tni_order_scratch(self->dtype, work->count) : sequence;
    int64_t bytes = (int64_t)(sequence + begins + keys + scratch + 64);
    work->memory = tni_tensor_new(1, &bytes, TN_UINT8, TN_DEVICE_CPU);
    if (!work->memory) {
        unique_release(work);
        return false;
    }
    char *at = tni_tensor_write(work->memory);
    at += (64 - (uintptr_t)at % 64) % 64;
    work->sequence = (uint32_t *)(void *)at;
    work->begins = (uint8_t *)at + sequence;
    work->keys = at + sequence + begins;
    work->scratch = work->keys + keys;
    work->nan = tn_dtype_is_floating(self->dtype) ? UINT64_MAX >> (64 - 8 * size) : 0;
    if (work->count == 0)
        return true;
    if (elements)
        unique_group_elements(work);
    else
        unique_group_rows(work, sorts);
    TNI_IN_STEPS (begin, end, tni_stopped() ? 0 : work->count)
        for (int64_t i = begin; i < end; i++)
            work->groups += work->begins[i];
    if (!tni_stopped())
        return true;
    unique_release(work);
    return false;
}

/* ---- results */

/* The first row of each group. */
static tn_tensor *unique_values(const unique_work *work) {
    if (work->by_dim && work->count == 0)
        return tni_tensor_new(work->self->ndim, work->self->sizes, work->self->dtype, TN_DEVICE_CPU);
    int64_t sizes[TN_MAX_DIMS] = {work->groups};
    int64_t ndim = work->by_dim ? work->rows->ndim : 1;
    for (int64_t d = 1; d < ndim; d++)
        sizes[d] = work->rows->sizes[d];
    tn_tensor *values = tni_tensor_new(ndim, sizes, work->rows->dtype, TN_DEVICE_CPU);
    if (!values)
        return NULL;
    size_t bytes = (size_t)work->width * tni_tensor_item_size(work->rows);
    const char *from = tni_tensor_read(work->rows);
    char *to = tni_tensor_write(values);
    TNI_IN_STEPS_OF (unique_step(work), begin, end, work->count)
        for (int64_t i = begin; i < end; i++)
            if (work->begins[i]) {
                memcpy(to, from + work->sequence[i] * bytes, bytes);
                to += bytes;
            }
    if (!work->by_dim || work->dim == 0)
        return values;
    tn_tensor *turned = tni_op_movedim(values, (tn_dims){(const int64_t[]){0}, 1}, (tn_dims){&work->dim, 1});
    tni_tensor_release(values);
    return turned;
}

/* Which group each row belongs to. */
static tn_tensor *unique_inverse(const unique_work *work) {
    tn_tensor *inverse = work->by_dim ? tni_tensor_new(1, &work->count, TN_INT64, TN_DEVICE_CPU)
                                      : tni_tensor_new(work->self->ndim, work->self->sizes, TN_INT64, TN_DEVICE_CPU);
    if (!inverse)
        return NULL;
    int64_t *to = (int64_t *)(void *)tni_tensor_write(inverse), group = -1;
    TNI_IN_STEPS (begin, end, work->count)
        for (int64_t i = begin; i < end; i++) {
            group += work->begins[i];
            to[work->sequence[i]] = group;
        }
    return inverse;
}

static tn_tensor *unique_counts(const unique_work *work) {
    tn_tensor *counts = tni_tensor_new(1, &work->groups, TN_INT64, TN_DEVICE_CPU);
    if (!counts)
        return NULL;
    int64_t *to = (int64_t *)(void *)tni_tensor_write(counts);
    int64_t first = 0;
    TNI_IN_STEPS (begin, end, work->count)
        for (int64_t i = begin; i < end; i++)
            if (i + 1 == work->count || work->begins[i + 1]) {
                *to++ = i + 1 - first;
                first = i + 1;
            }
    return counts;
}

static bool unique_prepare(unique_work *work, const tn_tensor *self, int64_t dim) {
    *work = (unique_work){.self = self, .by_dim = dim != TN_NONE};
    if (!work->by_dim)
        return true;
    if (self->ndim == 0) {
        tni_raise(TN_ERROR_INDEX, "dim = %" PRId64 ", but self has no dimensions", dim);
        return false;
    }
    if (!tni_wrap_dim(dim, self->ndim, "dim", &work->dim))
        return false;
    for (int64_t d = 0; d < self->ndim; d++)
        if (d != work->dim && self->sizes[d] == 0) {
            tni_raise(TN_ERROR_SHAPE, "the slices of self %s along dimension %" PRId64 " have no elements to compare",
                      tni_show_tensor(self), work->dim);
            return false;
        }
    return true;
}

static tn_list *unique_list(const tn_tensor *self, int64_t dim, bool sorts, bool inverse, bool counts) {
    unique_work work;
    if (!unique_prepare(&work, self, dim) || !unique_find(&work, sorts))
        return NULL;
    tn_tensor *results[3];
    int64_t made = 0, wanted = 1 + inverse + counts;
    results[made++] = unique_values(&work);
    if (inverse && results[made - 1])
        results[made++] = unique_inverse(&work);
    if (counts && results[made - 1])
        results[made++] = unique_counts(&work);
    unique_release(&work);
    if (results[made - 1] && made == wanted)
        return tni_list_make(results, made);
    for (int64_t i = 0; i < made; i++)
        tni_tensor_release(results[i]);
    return NULL;
}

static tn_tensor *unique_alone(const tn_tensor *self, bool sorts) {
    unique_work work;
    if (!unique_prepare(&work, self, TN_NONE) || !unique_find(&work, sorts))
        return NULL;
    tn_tensor *values = unique_values(&work);
    unique_release(&work);
    return values;
}

tn_tensor *tni_op_unique(const tn_tensor *self) { return unique_alone(self, true); }

/* They are sorted whether asked for or not. */
tn_list *tni_op_unique_options(const tn_tensor *self, bool sorted, bool return_inverse, bool return_counts, int64_t dim) {
    (void)sorted;
    return unique_list(self, dim, true, return_inverse, return_counts);
}

tn_tensor *tni_op_unique_consecutive(const tn_tensor *self) { return unique_alone(self, false); }

tn_list *tni_op_unique_consecutive_options(const tn_tensor *self, bool return_inverse, bool return_counts, int64_t dim) {
    return unique_list(self, dim, false, return_inverse, return_counts);
}

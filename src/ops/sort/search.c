/* search.c - searchsorted and bucketize: where values belong in a sorted sequence.
 *
 * Both sides are converted to their common dtype and from there, exactly, to one of the four dtypes that have loops.
 */
#include "ops/sort/search.h"

#include "base/error.h"
#include "base/parallel.h"
#include "iterate/promote.h"
#include "operators_search.h"
#include "ops/copy/copy.h"
#include "ops/result.h"
#include "ops/limits.h"

/* ---- what is shared with isin */

static const char *search_show(tni_search_side side) {
    return side.tensor ? tni_show_tensor(side.tensor) : tni_show_scalar(*side.number);
}

tn_dtype tni_search_dtype(tni_search_side a, tni_search_side b) {
    const tni_search_side sides[] = {a, b};
    tni_promotion promotion = {0};
    for (int i = 0; i < 2; i++)
        if (sides[i].tensor)
            tni_promotion_add_tensor(&promotion, sides[i].tensor->dtype, sides[i].tensor->ndim);
        else
            tni_promotion_add_number(&promotion, sides[i].number->kind);
    tn_dtype dtype = tni_promotion_result(&promotion);
    if (dtype == TN_DTYPE_DEFAULT || tn_dtype_is_complex(dtype)) {
        tni_raise(TN_ERROR_DTYPE, "%s and %s %s; convert one with to", search_show(a), search_show(b),
                  dtype == TN_DTYPE_DEFAULT ? "have no dtype in common" : "cannot be compared: complex numbers have no order");
        return TN_DTYPE_DEFAULT;
    }
    return dtype;
}

static tn_tensor *search_number(tn_scalar number) {
    tn_dtype dtype = number.kind == TN_SCALAR_BOOL    ? TN_BOOL
                     : number.kind == TN_SCALAR_INT   ? TN_INT64
                     : number.kind == TN_SCALAR_UINT  ? TN_UINT64
                     : number.kind == TN_SCALAR_FLOAT ? TN_FLOAT64
                                                      : TN_COMPLEX128;
    tn_tensor *tensor = tni_tensor_new(0, NULL, dtype, TN_DEVICE_CPU);
    if (tensor)
        tn_dtype_store(dtype, tni_tensor_write(tensor), number);
    return tensor;
}

tn_tensor *tni_search_cast(tni_search_side side, tn_dtype dtype) {
    tn_tensor *tensor = side.tensor ? tni_tensor_retain(side.tensor) : search_number(*side.number);
    if (!tensor || (tensor->dtype == dtype && tni_tensor_is_contiguous(tensor)))
        return tensor;
    tn_tensor *cast =
        tni_clone_as(tensor, dtype, TN_CONTIGUOUS, TN_DEVICE_CPU, "both sides of a search have one dtype and no gaps");
    tni_tensor_release(tensor);
    return cast;
}

/* ---- the loops */

typedef struct search_job {
    const void *sequence, *values;
    const int64_t *sorter;
    int64_t length; /* of a sequence                                        */
    int64_t row;    /* values that share one, where there are several       */
    bool rows, right;
    int32_t *places_32; /* one of the two */
    int64_t *places_64;
} search_job;

#define TNI_SEARCH_T float
#define TNI_SEARCH_NAME(name) search_float32_##name
#include "ops/sort/search_body.inc"

#define TNI_SEARCH_T double
#define TNI_SEARCH_NAME(name) search_float64_##name
#include "ops/sort/search_body.inc"

#define TNI_SEARCH_T int64_t
#define TNI_SEARCH_NAME(name) search_int64_##name
#include "ops/sort/search_body.inc"

#define TNI_SEARCH_T uint64_t
#define TNI_SEARCH_NAME(name) search_uint64_##name
#include "ops/sort/search_body.inc"

static tn_dtype search_compute(tn_dtype common) {
    if (tn_dtype_is_floating(common))
        return common == TN_FLOAT64 ? TN_FLOAT64 : TN_FLOAT32;
    return common == TN_UINT64 ? TN_UINT64 : TN_INT64;
}

static tni_loop_body search_loop(tn_dtype compute) {
    switch (compute) {
    case TN_FLOAT32: return search_float32_piece;
    case TN_FLOAT64: return search_float64_piece;
    case TN_UINT64: return search_uint64_piece;
    default: return search_int64_piece;
    }
}

/* First to the common dtype, which may round, then to that of the loop, which does not. */
static tn_tensor *search_cast_twice(tni_search_side side, tn_dtype common, tn_dtype compute) {
    tn_tensor *first = tni_search_cast(side, common);
    tn_tensor *second = first ? tni_search_cast((tni_search_side){first, NULL}, compute) : NULL;
    tni_tensor_release(first);
    return second;
}

/* ---- the call */

static bool search_shapes_fit(const tn_tensor *sequence, tn_dims sizes) {
    bool fits = sequence->ndim == 1;
    if (sequence->ndim > 1 && sizes.count == sequence->ndim)
        fits = memcmp(sizes.values, sequence->sizes, (size_t)(sequence->ndim - 1) * sizeof *sequence->sizes) == 0;
    if (!fits)
        tni_raise(
            TN_ERROR_SHAPE,
            "sorted_sequence %s does not fit values of sizes %s: it must have one dimension, or theirs except for the last",
            tni_show_tensor(sequence), tni_show_dims(sizes.values, sizes.count));
    return fits;
}

static bool search_sorter_fits(const tn_tensor *sequence, const tn_tensor *sorter) {
    if (!sorter)
        return true;
    if (sorter->dtype != TN_INT64 || sorter->ndim != sequence->ndim ||
        memcmp(sorter->sizes, sequence->sizes, sorter->ndim * sizeof *sorter->sizes) != 0) {
        tni_raise(sorter->dtype != TN_INT64 ? TN_ERROR_DTYPE : TN_ERROR_SHAPE,
                  "sorter is %s; it must be int64 and have the sizes of sorted_sequence %s", tni_show_tensor(sorter),
                  tni_show_tensor(sequence));
        return false;
    }
    return true;
}

static bool search_plan(tni_plan *plan, const tn_tensor *sequence, tni_search_side values, bool out_int32, bool right,
                        const char *side, const tn_tensor *sorter) {
    tn_dims sizes = values.tensor ? (tn_dims){values.tensor->sizes, values.tensor->ndim} : (tn_dims){NULL, 0};
    if (strcmp(side, "none") != 0 && strcmp(side, "left") != 0 && strcmp(side, "right") != 0) {
        tni_raise(TN_ERROR_ARGUMENT, "side = '%s' is not left, right or none", side);
        return false;
    }
    if (right && strcmp(side, "left") == 0) {
        tni_raise(TN_ERROR_ARGUMENT, "side = 'left' contradicts right = true");
        return false;
    }
    if (!search_shapes_fit(sequence, sizes) || !search_sorter_fits(sequence, sorter))
        return false;
    if (out_int32 && sequence->sizes[sequence->ndim - 1] >= INT32_MAX) {
        tni_raise(TN_ERROR_ARGUMENT, "places in sorted_sequence %s do not fit int32", tni_show_tensor(sequence));
        return false;
    }
    plan->dtype = tni_search_dtype((tni_search_side){sequence, NULL}, values);
    plan->number[0] = right || strcmp(side, "right") == 0;
    tni_plan_begin(plan, sequence);
    tni_plan_add(plan, sizes.count, sizes.values, out_int32 ? TN_INT32 : TN_INT64);
    return plan->dtype != TN_DTYPE_DEFAULT;
}

static bool search_sorter_is_inside(const tn_tensor *sorter, int64_t length) {
    const int64_t *at = (const int64_t *)(const void *)tni_tensor_read(sorter);
    TNI_IN_STEPS (begin, end, sorter->numel)
        for (int64_t i = begin; i < end; i++)
            if (at[i] < 0 || at[i] >= length) {
                tni_raise(TN_ERROR_INDEX, "index %" PRId64 " of sorter is out of range for a sorted_sequence of size %" PRId64,
                          at[i], length);
                return false;
            }
    return !tni_stopped();
}

static void search_places(tn_tensor *places, const tn_tensor *sequence, const tn_tensor *values, const tn_tensor *sorter,
                          bool right) {
    void *out = tni_tensor_write(places);
    search_job job = {.sequence = tni_tensor_read(sequence),
                      .values = tni_tensor_read(values),
                      .sorter = sorter ? (const int64_t *)(const void *)tni_tensor_read(sorter) : NULL,
                      .length = sequence->sizes[sequence->ndim - 1],
                      .row = places->ndim ? places->sizes[places->ndim - 1] : 1,
                      .rows = sequence->ndim > 1,
                      .right = right,
                      .places_32 = places->dtype == TN_INT32 ? out : NULL,
                      .places_64 = places->dtype == TN_INT64 ? out : NULL};
    tni_parallel_for(places->numel, SEARCH_GRAIN, search_loop(sequence->dtype), &job);
}

/* plan->dtype is the common dtype, number[0] whether to search from the right. */
static tn_error search_run(const tni_plan *plan, tn_tensor *out, const tn_tensor *sequence, tni_search_side values,
                           const tn_tensor *sorter) {
    tn_dtype common = plan->dtype, compute = search_compute(common);
    tn_tensor *line = search_cast_twice((tni_search_side){sequence, NULL}, common, compute);
    tn_tensor *wanted = line ? search_cast_twice(values, common, compute) : NULL;
    tn_tensor *order = wanted && sorter ? tni_search_cast((tni_search_side){sorter, NULL}, TN_INT64) : NULL;
    tn_tensor *places = NULL;
    if (wanted && (!sorter || (order && search_sorter_is_inside(order, sequence->sizes[sequence->ndim - 1]))))
        places = tni_result_rows(out);
    tn_error code = places ? TN_OK : tni_failed();
    if (places && places->numel != 0)
        search_places(places, line, wanted, order, plan->number[0]);
    tni_tensor_release(line);
    tni_tensor_release(wanted);
    tni_tensor_release(order);
    return tni_result_rows_end(out, places, code);
}

bool tni_plan_searchsorted(tni_plan *plan, const tn_tensor *sorted_sequence, const tn_tensor *input, bool out_int32, bool right,
                           const char *side, const tn_tensor *sorter) {
    return search_plan(plan, sorted_sequence, (tni_search_side){input, NULL}, out_int32, right, side, sorter);
}
tn_error tni_run_searchsorted(const tni_plan *plan, tn_tensor *const *results, const tn_tensor *sorted_sequence,
                              const tn_tensor *input, bool out_int32, bool right, const char *side, const tn_tensor *sorter) {
    (void)out_int32, (void)right, (void)side;
    return search_run(plan, results[0], sorted_sequence, (tni_search_side){input, NULL}, sorter);
}

bool tni_plan_searchsorted_scalar(tni_plan *plan, const tn_tensor *sorted_sequence, tn_scalar input, bool out_int32, bool right,
                                  const char *side, const tn_tensor *sorter) {
    return search_plan(plan, sorted_sequence, (tni_search_side){NULL, &input}, out_int32, right, side, sorter);
}
tn_error tni_run_searchsorted_scalar(const tni_plan *plan, tn_tensor *const *results, const tn_tensor *sorted_sequence,
                                     tn_scalar input, bool out_int32, bool right, const char *side, const tn_tensor *sorter) {
    (void)out_int32, (void)right, (void)side;
    return search_run(plan, results[0], sorted_sequence, (tni_search_side){NULL, &input}, sorter);
}

/* ---- bucketize: the same with one sequence, named second */

static bool bucketize_plan(tni_plan *plan, tni_search_side values, const tn_tensor *boundaries, bool out_int32, bool right) {
    if (boundaries->ndim != 1) {
        tni_raise(TN_ERROR_SHAPE, "boundaries is %s; it must have one dimension", tni_show_tensor(boundaries));
        return false;
    }
    return search_plan(plan, boundaries, values, out_int32, right, "none", NULL);
}

bool tni_plan_bucketize(tni_plan *plan, const tn_tensor *self, const tn_tensor *boundaries, bool out_int32, bool right) {
    return bucketize_plan(plan, (tni_search_side){self, NULL}, boundaries, out_int32, right);
}
tn_error tni_run_bucketize(const tni_plan *plan, tn_tensor *const *results, const tn_tensor *self, const tn_tensor *boundaries,
                           bool out_int32, bool right) {
    (void)out_int32, (void)right;
    return search_run(plan, results[0], boundaries, (tni_search_side){self, NULL}, NULL);
}

bool tni_plan_bucketize_scalar(tni_plan *plan, tn_scalar self, const tn_tensor *boundaries, bool out_int32, bool right) {
    return bucketize_plan(plan, (tni_search_side){NULL, &self}, boundaries, out_int32, right);
}
tn_error tni_run_bucketize_scalar(const tni_plan *plan, tn_tensor *const *results, tn_scalar self, const tn_tensor *boundaries,
                                  bool out_int32, bool right) {
    (void)out_int32, (void)right;
    return search_run(plan, results[0], boundaries, (tni_search_side){NULL, &self}, NULL);
}

/* search.c - searchsorted and bucketize: where values belong in a sorted sequence.
 *
 * Both sides are converted to their common dtype and from there, exactly, to one of four that the loops exist for.
 */
#include "ops/search.h"

#include "base/error.h"
#include "base/parallel.h"
#include "iterate/promote.h"
#include "operator_impls.h"
#include "ops/copy.h"
#include "ops/result.h"

enum { SEARCH_GRAIN = 2048, SEARCH_LANES = 8 };

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

#define SEARCH_T float
#define SEARCH_NAME(name) search_float32_##name
#include "ops/search_body.inc"

#define SEARCH_T double
#define SEARCH_NAME(name) search_float64_##name
#include "ops/search_body.inc"

#define SEARCH_T int64_t
#define SEARCH_NAME(name) search_int64_##name
#include "ops/search_body.inc"

#define SEARCH_T uint64_t
#define SEARCH_NAME(name) search_uint64_##name
#include "ops/search_body.inc"

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

typedef struct search_call {
    const tn_tensor *sequence, *sorter;
    tni_search_side values;
    tn_dims sizes;
    tn_dtype dtype; /* of the result */
    bool right;
} search_call;

static bool search_shapes_fit(const search_call *call) {
    const tn_tensor *sequence = call->sequence;
    bool fits = sequence->ndim == 1;
    if (sequence->ndim > 1 && call->sizes.count == sequence->ndim)
        fits = memcmp(call->sizes.values, sequence->sizes, (size_t)(sequence->ndim - 1) * sizeof *sequence->sizes) == 0;
    if (!fits)
        tni_raise(TN_ERROR_SHAPE,
                  "sorted_sequence %s does not fit values of sizes %s: it must have one dimension, or theirs but for the last",
                  tni_show_tensor(sequence), tni_show_dims(call->sizes.values, call->sizes.count));
    return fits;
}

static bool search_sorter_fits(const search_call *call) {
    const tn_tensor *sorter = call->sorter, *sequence = call->sequence;
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

static bool search_prepare(search_call *call, const tn_tensor *sequence, tni_search_side values, bool out_int32, bool right,
                           const char *side, const tn_tensor *sorter) {
    *call = (search_call){.sequence = sequence,
                          .sorter = sorter,
                          .values = values,
                          .dtype = out_int32 ? TN_INT32 : TN_INT64,
                          .right = right || strcmp(side, "right") == 0};
    if (values.tensor)
        call->sizes = (tn_dims){values.tensor->sizes, values.tensor->ndim};
    if (strcmp(side, "none") != 0 && strcmp(side, "left") != 0 && strcmp(side, "right") != 0) {
        tni_raise(TN_ERROR_ARGUMENT, "side = '%s' is not left, right or none", side);
        return false;
    }
    if (right && strcmp(side, "left") == 0) {
        tni_raise(TN_ERROR_ARGUMENT, "side = 'left' contradicts right = true");
        return false;
    }
    if (!search_shapes_fit(call) || !search_sorter_fits(call))
        return false;
    if (out_int32 && sequence->sizes[sequence->ndim - 1] >= INT32_MAX) {
        tni_raise(TN_ERROR_ARGUMENT, "places in sorted_sequence %s do not fit int32", tni_show_tensor(sequence));
        return false;
    }
    return true;
}

static bool search_sorter_is_inside(const tn_tensor *sorter, int64_t length) {
    const int64_t *at = (const int64_t *)(const void *)tni_tensor_read(sorter);
    for (int64_t i = 0; i < sorter->numel; i++)
        if (at[i] < 0 || at[i] >= length) {
            tni_raise(TN_ERROR_INDEX, "index %" PRId64 " of sorter is out of range for a sorted_sequence of size %" PRId64,
                      at[i], length);
            return false;
        }
    return true;
}

/* A new tensor of places. */
static tn_tensor *search_run(const search_call *call) {
    tn_dtype common = tni_search_dtype((tni_search_side){call->sequence, NULL}, call->values), compute = search_compute(common);
    if (common == TN_DTYPE_DEFAULT)
        return NULL;
    int64_t length = call->sequence->sizes[call->sequence->ndim - 1];
    tn_tensor *sequence = search_cast_twice((tni_search_side){call->sequence, NULL}, common, compute);
    tn_tensor *values = sequence ? search_cast_twice(call->values, common, compute) : NULL;
    tn_tensor *sorter = values && call->sorter ? tni_search_cast((tni_search_side){call->sorter, NULL}, TN_INT64) : NULL;
    tn_tensor *places = NULL;
    if (values && (!call->sorter || (sorter && search_sorter_is_inside(sorter, length))))
        places = tni_tensor_new(call->sizes.count, call->sizes.values, call->dtype, TN_DEVICE_CPU);
    if (places && places->numel != 0) {
        void *out = tni_tensor_write(places);
        search_job job = {.sequence = tni_tensor_read(sequence),
                          .values = tni_tensor_read(values),
                          .sorter = sorter ? (const int64_t *)(const void *)tni_tensor_read(sorter) : NULL,
                          .length = length,
                          .row = call->sizes.count ? call->sizes.values[call->sizes.count - 1] : 1,
                          .rows = call->sequence->ndim > 1,
                          .right = call->right,
                          .places_32 = call->dtype == TN_INT32 ? out : NULL,
                          .places_64 = call->dtype == TN_INT64 ? out : NULL};
        tni_parallel_for(places->numel, SEARCH_GRAIN, search_loop(compute), &job);
    }
    tni_tensor_release(sequence);
    tni_tensor_release(values);
    tni_tensor_release(sorter);
    return places;
}

static tn_tensor *search_new(const tn_tensor *sequence, tni_search_side values, bool out_int32, bool right, const char *side,
                             const tn_tensor *sorter) {
    search_call call;
    return search_prepare(&call, sequence, values, out_int32, right, side, sorter) ? search_run(&call) : NULL;
}

tn_tensor *tni_op_searchsorted(const tn_tensor *sorted_sequence, const tn_tensor *input, bool out_int32, bool right,
                               const char *side, const tn_tensor *sorter) {
    return search_new(sorted_sequence, (tni_search_side){input, NULL}, out_int32, right, side, sorter);
}
tn_error tni_op_searchsorted_out(tn_tensor *out, const tn_tensor *sorted_sequence, const tn_tensor *input, bool out_int32,
                                 bool right, const char *side, const tn_tensor *sorter) {
    return tni_result_move(out, tni_op_searchsorted(sorted_sequence, input, out_int32, right, side, sorter), TNI_RESULT_EXACT);
}
tn_tensor *tni_op_searchsorted_scalar(const tn_tensor *sorted_sequence, tn_scalar input, bool out_int32, bool right,
                                      const char *side, const tn_tensor *sorter) {
    return search_new(sorted_sequence, (tni_search_side){NULL, &input}, out_int32, right, side, sorter);
}
tn_error tni_op_searchsorted_scalar_out(tn_tensor *out, const tn_tensor *sorted_sequence, tn_scalar input, bool out_int32,
                                        bool right, const char *side, const tn_tensor *sorter) {
    return tni_result_move(out, tni_op_searchsorted_scalar(sorted_sequence, input, out_int32, right, side, sorter),
                           TNI_RESULT_EXACT);
}

/* ---- bucketize: the same with one sequence, named second */

static tn_tensor *bucketize_new(tni_search_side values, const tn_tensor *boundaries, bool out_int32, bool right) {
    if (boundaries->ndim != 1)
        return tni_raise_null(TN_ERROR_SHAPE, "boundaries is %s; it must have one dimension", tni_show_tensor(boundaries));
    return search_new(boundaries, values, out_int32, right, "none", NULL);
}

tn_tensor *tni_op_bucketize(const tn_tensor *self, const tn_tensor *boundaries, bool out_int32, bool right) {
    return bucketize_new((tni_search_side){self, NULL}, boundaries, out_int32, right);
}
tn_error tni_op_bucketize_out(tn_tensor *out, const tn_tensor *self, const tn_tensor *boundaries, bool out_int32, bool right) {
    return tni_result_move(out, tni_op_bucketize(self, boundaries, out_int32, right), TNI_RESULT_EXACT);
}
tn_tensor *tni_op_bucketize_scalar(tn_scalar self, const tn_tensor *boundaries, bool out_int32, bool right) {
    return bucketize_new((tni_search_side){NULL, &self}, boundaries, out_int32, right);
}

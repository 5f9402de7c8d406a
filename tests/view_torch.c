/* view_torch.c - every view operator against what PyTorch did (data/make_view_cases.py): sizes, strides, offset, whether the
 * storage is shared, the values, and whether the call is refused at all.
 *
 * Where Tenon differs on purpose, `difference_of` says how; docs/views.md says why.
 */
#include "test.h"

/* In the order of OPERATORS in make_view_cases.py. */
typedef enum torch_operator {
    VIEW,
    VIEW_AS,
    VIEW_DTYPE,
    RESHAPE,
    RESHAPE_AS,
    FLATTEN,
    RAVEL,
    UNFLATTEN,
    PERMUTE,
    TRANSPOSE,
    SWAPAXES,
    SWAPDIMS,
    SMALL_T,
    LARGE_T,
    MATRIX_T,
    LARGE_H,
    MATRIX_H,
    ADJOINT,
    MOVEDIM,
    MOVEAXIS,
    SQUEEZE,
    SQUEEZE_DIM,
    SQUEEZE_DIMS,
    UNSQUEEZE,
    EXPAND,
    EXPAND_AS,
    BROADCAST_TO,
    BROADCAST_TENSORS,
    NARROW,
    SELECT,
    SLICE,
    FLIP,
    FLIPLR,
    FLIPUD,
    ROT90,
    UNFOLD,
    DIAGONAL,
    AS_STRIDED,
    SPLIT,
    SPLIT_WITH_SIZES,
    CHUNK,
    TENSOR_SPLIT,
    TENSOR_SPLIT_INDICES,
    HSPLIT,
    HSPLIT_INDICES,
    VSPLIT,
    VSPLIT_INDICES,
    DSPLIT,
    DSPLIT_INDICES,
    UNBIND,
    VIEW_AS_REAL,
    VIEW_AS_COMPLEX,
    REAL,
    IMAG,
    DETACH,
    ALIAS,
    ATLEAST_1D,
    ATLEAST_2D,
    ATLEAST_3D,
    MESHGRID,
    INDEX,
    TRANSPOSE_,
    SWAPAXES_,
    SWAPDIMS_,
    SMALL_T_,
    SQUEEZE_,
    SQUEEZE_DIM_,
    SQUEEZE_DIMS_,
    UNSQUEEZE_,
    AS_STRIDED_,
    RESIZE_,
    RESIZE_AS_,
    SET_,
    OPERATOR_COUNT
} torch_operator;

static const int16_t torch_cases[] = {
#include "data/view_cases.inc"
};

enum { TORCH_NONE = -32768, TORCH_ELEMENTS = 1024, TORCH_MOST = 96 };

static const tn_dtype torch_dtypes[] = {TN_FLOAT32, TN_COMPLEX64, TN_INT64, TN_UINT8, TN_FLOAT64, TN_BFLOAT16};

typedef struct torch_case {
    torch_operator operation;
    tn_dtype dtype;
    int64_t offset, ndim, sizes[8], strides[8], count, arguments[TORCH_MOST], outcome;
} torch_case;

static int64_t number(const int16_t **at) {
    int64_t value = *(*at)++;
    return value == TORCH_NONE ? TN_NONE : value;
}

static void numbers(const int16_t **at, int64_t count, int64_t *values) {
    for (int64_t k = 0; k < count; k++)
        values[k] = number(at);
}

static void read_case(const int16_t **at, torch_case *row) {
    row->operation = (torch_operator)number(at);
    row->dtype = torch_dtypes[number(at)];
    row->offset = number(at);
    row->ndim = number(at);
    numbers(at, row->ndim, row->sizes);
    numbers(at, row->ndim, row->strides);
    row->count = number(at);
    numbers(at, row->count, row->arguments);
    row->outcome = number(at);
}

/* The storage of the case: 0, 1, 2, ..., and pairs of them as complex numbers. */
static tn_tensor *pool_of(tn_dtype dtype) {
    tn_tensor *pool = tn_empty(TN_DIMS(TORCH_ELEMENTS), dtype);
    CHECK(pool);
    char *data = tn_mutable_data(pool);
    CHECK(data);
    for (int k = 0; k < TORCH_ELEMENTS; k++) {
        tn_scalar value = tn_scalar_int(dtype == TN_UINT8 ? k % 256 : k);
        if (dtype == TN_COMPLEX64)
            value = tn_scalar_complex(2 * k, 2 * k + 1);
        tn_dtype_store(dtype, data + (size_t)k * tn_dtype_size(dtype), value);
    }
    return pool;
}

/* The sum over the bytes in row-major order of (position + 1) * byte, modulo 32749. */
static int64_t value_hash(const tn_tensor *x) {
    if (tn_numel(x) == 0)
        return 0;
    const unsigned char *data = tn_data(x);
    CHECK(data);
    int64_t sum = 0, position = 0, item = (int64_t)tn_element_size(x), at, index[TN_MAX_DIMS];
    tn_geometry_ref geometry = {tn_ndim(x), 0, tn_sizes(x).values, tn_strides(x).values};
    for (int64_t n = 0; n < tn_numel(x); n++) {
        CHECK(tn_geometry_index_at(geometry.ndim, geometry.sizes, n, index) == TN_GEOMETRY_OK);
        CHECK(tn_geometry_offset_of(geometry, (tn_dims){index, geometry.ndim}, &at) == TN_GEOMETRY_OK);
        for (int64_t b = 0; b < item; b++)
            sum = (sum + ++position * data[at * item + b]) % 32749;
    }
    return sum;
}

static tn_tensor *contiguous_over(const tn_tensor *pool, int64_t ndim, const int64_t *sizes) {
    int64_t strides[TN_MAX_DIMS];
    CHECK(tn_geometry_contiguous_strides(ndim, sizes, strides) == TN_GEOMETRY_OK);
    return tn_as_strided(pool, (tn_dims){sizes, ndim}, (tn_dims){strides, ndim}, 0);
}

static int64_t tensors_of(const tn_tensor *pool, const int64_t *flat, int64_t count, const tn_tensor **tensors) {
    int64_t made = 0;
    for (int64_t at = 0; at < count; at += flat[at] + 1)
        tensors[made++] = contiguous_over(pool, flat[at], flat + at + 1);
    return made;
}

/* x[...] through the list of items and through text, which must agree. */
static tn_tensor *run_index(const tn_tensor *x, const int64_t *a, int64_t count) {
    tn_index_item items[TORCH_MOST];
    char text[1024] = "";
    for (int64_t i = 0; i < count / 4; i++, a += 4) {
        char *end = text + strlen(text), start[24] = "", stop[24] = "";
        items[i] = (tn_index_item){(tn_index_kind)a[0], a[1], a[2], a[3], NULL};
        if (a[1] != TN_NONE)
            snprintf(start, sizeof start, "%lld", (long long)a[1]);
        if (a[2] != TN_NONE)
            snprintf(stop, sizeof stop, "%lld", (long long)a[2]);
        switch (a[0]) {
        case TN_INDEX_AT: sprintf(end, "%s,", start); break;
        case TN_INDEX_RANGE: sprintf(end, "%s:%s:%lld,", start, stop, (long long)a[3]); break;
        case TN_INDEX_NEW_AXIS: strcpy(end, "None,"); break;
        default: strcpy(end, "...,"); break;
        }
    }
    tn_tensor *from_items = (tn_index)(x, (tn_index_list){items, count / 4});
    tn_tensor *from_text = tn_index_text(x, text);
    CHECK((from_items == NULL) == (from_text == NULL) || tn_error_code() == TN_ERROR_MEMORY);
    if (from_items && from_text) {
        CHECK_INT(tn_ndim(from_items), tn_ndim(from_text));
        CHECK_INT(tn_storage_offset(from_items), tn_storage_offset(from_text));
        for (int64_t d = 0; d < tn_ndim(from_items); d++) {
            CHECK_INT(tn_size(from_items, d), tn_size(from_text, d));
            CHECK_INT(tn_stride(from_items, d), tn_stride(from_text, d));
        }
    }
    return from_items;
}

static tn_list *run_pieces(const torch_case *row, const tn_tensor *x, const tn_tensor *pool) {
    const int64_t *a = row->arguments;
    const tn_tensor *tensors[TORCH_MOST];
    tn_dims all = {a, row->count}, but_last = {a, row->count - 1};
    switch (row->operation) {
    case SPLIT: return tn_split(x, a[0], a[1]);
    case SPLIT_WITH_SIZES: return tn_split_with_sizes(x, but_last, a[row->count - 1]);
    case CHUNK: return tn_chunk(x, a[0], a[1]);
    case TENSOR_SPLIT: return tn_tensor_split(x, a[0], a[1]);
    case TENSOR_SPLIT_INDICES: return tn_tensor_split_indices(x, but_last, a[row->count - 1]);
    case HSPLIT: return tn_hsplit(x, a[0]);
    case HSPLIT_INDICES: return tn_hsplit_indices(x, all);
    case VSPLIT: return tn_vsplit(x, a[0]);
    case VSPLIT_INDICES: return tn_vsplit_indices(x, all);
    case DSPLIT: return tn_dsplit(x, a[0]);
    case DSPLIT_INDICES: return tn_dsplit_indices(x, all);
    case UNBIND: return tn_unbind(x, a[0]);
    case BROADCAST_TENSORS: return tn_broadcast_tensors(tensors, tensors_of(pool, a, row->count, tensors));
    case MESHGRID: return tn_meshgrid(tensors, tensors_of(pool, a + 1, row->count - 1, tensors), a[0] ? "xy" : "ij");
    default: return NULL;
    }
}

static bool gives_pieces(torch_operator operation) {
    return (operation >= SPLIT && operation <= UNBIND) || operation == BROADCAST_TENSORS || operation == MESHGRID;
}

static tn_tensor *run_case(const torch_case *row, tn_tensor *x, const tn_tensor *pool) {
    const int64_t *a = row->arguments;
    const tn_tensor *tensors[TORCH_MOST];
    int64_t half = row->count / 2, third = (row->count - 1) / 2;
    static const int64_t no_strides[TORCH_MOST];
    tn_dims all = {a, row->count}, zeros = {no_strides, row->count};
    switch (row->operation) {
    case VIEW: return tn_view(x, all);
    case VIEW_AS: return tn_view_as(x, tn_as_strided(pool, all, zeros, 0));
    case VIEW_DTYPE: return tn_view_dtype(x, torch_dtypes[a[0]]);
    case RESHAPE: return tn_reshape(x, all);
    case RESHAPE_AS: return tn_reshape_as(x, tn_as_strided(pool, all, zeros, 0));
    case FLATTEN: return tn_flatten(x, a[0], a[1]);
    case RAVEL: return tn_ravel(x);
    case UNFLATTEN: return tn_unflatten(x, a[0], (tn_dims){a + 1, row->count - 1});
    case PERMUTE: return tn_permute(x, all);
    case TRANSPOSE: return tn_transpose(x, a[0], a[1]);
    case SWAPAXES: return tn_swapaxes(x, a[0], a[1]);
    case SWAPDIMS: return tn_swapdims(x, a[0], a[1]);
    case SMALL_T: return tn_t(x);
    case LARGE_T: return tn_T(x);
    case MATRIX_T: return tn_mT(x);
    case LARGE_H: return tn_H(x);
    case MATRIX_H: return tn_mH(x);
    case ADJOINT: return tn_adjoint(x);
    case MOVEDIM: return tn_movedim(x, (tn_dims){a, half}, (tn_dims){a + half, half});
    case MOVEAXIS: return tn_moveaxis(x, (tn_dims){a, half}, (tn_dims){a + half, half});
    case SQUEEZE: return tn_squeeze(x);
    case SQUEEZE_DIM: return tn_squeeze_dim(x, a[0]);
    case SQUEEZE_DIMS: return tn_squeeze_dims(x, all);
    case UNSQUEEZE: return tn_unsqueeze(x, a[0]);
    case EXPAND: return tn_expand(x, all);
    case EXPAND_AS: return tn_expand_as(x, tn_as_strided(pool, all, zeros, 0));
    case BROADCAST_TO: return tn_broadcast_to(x, all);
    case NARROW: return tn_narrow(x, a[0], a[1], a[2]);
    case SELECT: return tn_select(x, a[0], a[1]);
    case SLICE: return tn_slice(x, a[0], a[1], a[2], a[3]);
    case FLIP: return tn_flip(x, all);
    case FLIPLR: return tn_fliplr(x);
    case FLIPUD: return tn_flipud(x);
    case ROT90: return tn_rot90(x, a[0], (tn_dims){a + 1, 2});
    case UNFOLD: return tn_unfold(x, a[0], a[1], a[2]);
    case DIAGONAL: return tn_diagonal(x, a[0], a[1], a[2]);
    case AS_STRIDED: return tn_as_strided(x, (tn_dims){a + 1, third}, (tn_dims){a + 1 + third, third}, a[0]);
    case VIEW_AS_REAL: return tn_view_as_real(x);
    case VIEW_AS_COMPLEX: return tn_view_as_complex(x);
    case REAL: return tn_real(x);
    case IMAG: return tn_imag(x);
    case DETACH: return tn_detach(x);
    case ALIAS: return tn_alias(x);
    case ATLEAST_1D: return tn_atleast_1d(x);
    case ATLEAST_2D: return tn_atleast_2d(x);
    case ATLEAST_3D: return tn_atleast_3d(x);
    case INDEX: return run_index(x, a, row->count);
    case TRANSPOSE_: return tn_transpose_(x, a[0], a[1]);
    case SWAPAXES_: return tn_swapaxes_(x, a[0], a[1]);
    case SWAPDIMS_: return tn_swapdims_(x, a[0], a[1]);
    case SMALL_T_: return tn_t_(x);
    case SQUEEZE_: return tn_squeeze_(x);
    case SQUEEZE_DIM_: return tn_squeeze_dim_(x, a[0]);
    case SQUEEZE_DIMS_: return tn_squeeze_dims_(x, all);
    case UNSQUEEZE_: return tn_unsqueeze_(x, a[0]);
    case AS_STRIDED_: return tn_as_strided_(x, (tn_dims){a + 1, third}, (tn_dims){a + 1 + third, third}, a[0]);
    case RESIZE_: return tn_resize_(x, all);
    case RESIZE_AS_: return tn_resize_as_(x, tn_as_strided(pool, all, zeros, 0));
    case SET_: return tensors_of(pool, a, row->count, tensors) > 0 ? tn_set_(x, tensors[0]) : NULL;
    default: return NULL;
    }
}

/* What is not compared, because Tenon does something else on purpose. */
typedef enum torch_difference {
    SAME,
    VALUES_ONLY /* the sizes and values are torch's, the strides and the sharing are not */
} torch_difference;

static torch_difference difference_of(const torch_case *row, bool torch_shares) {
    switch (row->operation) {
    case FLIP:
    case FLIPLR:
    case FLIPUD:
    case ROT90: return VALUES_ONLY;                       /* views with negative strides; torch copies */
    case RAVEL: return torch_shares ? SAME : VALUES_ONLY; /* torch copies what is not contiguous, even if it need not */
    case LARGE_H:
    case MATRIX_H:
    case ADJOINT: return row->dtype == TN_COMPLEX64 ? VALUES_ONLY : SAME; /* torch has a bit for "conjugated" */
    default: return SAME;
    }
}

static void compare_result(const int16_t **at, const torch_case *row, const tn_tensor *result, const tn_tensor *pool,
                           long line) {
    int64_t shares = number(at), offset = number(at), ndim = number(at), sizes[16], strides[16];
    numbers(at, ndim, sizes);
    numbers(at, ndim, strides);
    int64_t hash = number(at);
    torch_difference difference = difference_of(row, shares);
    bool same = tn_ndim(result) == ndim;
    for (int64_t d = 0; same && d < ndim; d++)
        same = tn_size(result, d) == sizes[d] && (difference == VALUES_ONLY || tn_stride(result, d) == strides[d]);
    if (difference == SAME)
        same = same && tn_storage_offset(result) == offset && tn_is_alias_of(result, pool) == shares;
    same = same && value_hash(result) == hash;
    if (!same) {
        char got[400] = "";
        for (int64_t d = 0; d < tn_ndim(result); d++)
            sprintf(got + strlen(got), " %lld/%lld", (long long)tn_size(result, d), (long long)tn_stride(result, d));
        test_fail(__FILE__, __LINE__, "line %ld of data/view_cases.inc: got sizes/strides%s, offset %lld, %s, hash %lld", line,
                  got, (long long)tn_storage_offset(result), tn_is_alias_of(result, pool) ? "shared" : "copied",
                  (long long)value_hash(result));
    }
}

static void run_row(const int16_t **at, long line) {
    torch_case row;
    read_case(at, &row);
    tn_tensor *pool = pool_of(row.dtype);
    tn_tensor *x = tn_as_strided(pool, (tn_dims){row.sizes, row.ndim}, (tn_dims){row.strides, row.ndim}, row.offset);
    CHECK(x);
    tn_list *pieces = gives_pieces(row.operation) ? run_pieces(&row, x, pool) : NULL;
    tn_tensor *result = gives_pieces(row.operation) ? NULL : run_case(&row, x, pool);
    bool refused = !pieces && !result;
    if (refused != (row.outcome < 0))
        test_fail(__FILE__, __LINE__, "line %ld of data/view_cases.inc: Tenon %s, torch does not: %s", line,
                  refused ? "refuses" : "accepts", tn_error_message());
    if (refused) {
        CHECK(tn_error_code() != TN_ERROR_INTERNAL && tn_error_code() != TN_OK);
        tn_error_clear();
        return;
    }
    CHECK_INT(pieces ? tn_list_count(pieces) : 1, row.outcome);
    for (int64_t k = 0; k < row.outcome; k++)
        compare_result(at, &row, pieces ? tn_list_at(pieces, k) : result, pool, line);
}

TEST_SAMPLED(every_view_operator_does_what_torch_does) {
    const int16_t *at = torch_cases, *end = torch_cases + sizeof torch_cases / sizeof torch_cases[0];
    bool seen[OPERATOR_COUNT] = {false};
    long line = 0;
    while (at < end) {
        seen[*at] = true;
        tn_scope scope = tn_scope_open();
        run_row(&at, ++line);
        tn_scope_close(scope);
    }
    CHECK(line > 4000);
    for (int k = 0; k < OPERATOR_COUNT; k++)
        if (!seen[k])
            test_fail(__FILE__, __LINE__, "there is no case for operator number %d", k);
}

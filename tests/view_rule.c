/* view_rule.c - every view and every question about strides, against the answers PyTorch gave (data/make_view_rule.py). */
#include "test.h"

typedef enum rule_operation {
    VIEW,
    EXPAND,
    PERMUTE,
    TRANSPOSE,
    MOVEDIM,
    SQUEEZE,
    SQUEEZE_DIMS,
    UNSQUEEZE,
    SELECT,
    SLICE,
    NARROW,
    DIAGONAL,
    UNFOLD,
    VIEW_ITEMSIZE,
    VIEW_AS_REAL,
    VIEW_AS_COMPLEX,
    CONTIGUOUS,
    DENSE,
    CHANNELS_LAST,
    FLAGS
} rule_operation;

/* A list begins with its length; new_sizes of length -1: torch refuses. */
static const struct rule_row {
    rule_operation operation;
    int16_t offset, sizes[7], strides[7], arguments[9], new_offset, new_sizes[9], new_strides[9];
} rule_rows[] = {
#include "data/view_rule.inc"
};

static void load(const int16_t *list, int64_t *values) {
    for (int k = 0; k < list[0]; k++)
        values[k] = list[k + 1];
}

static tn_geometry_result run_rule(const struct rule_row *row, tn_geometry_ref from, tn_geometry *to) {
    int64_t a[8] = {0}, count = row->arguments[0], order[TN_MAX_DIMS];
    load(row->arguments, a);
    to->ndim = from.ndim;
    to->offset = 0;
    for (int64_t d = 0; d < from.ndim; d++)
        to->sizes[d] = from.sizes[d];
    switch (row->operation) {
    case VIEW: return tn_geometry_view(from, (tn_dims){a, count}, to);
    case EXPAND: return tn_geometry_expand(from, (tn_dims){a, count}, to);
    case PERMUTE: return tn_geometry_permute(from, (tn_dims){a, count}, to);
    case TRANSPOSE: return tn_geometry_transpose(from, a[0], a[1], to);
    case MOVEDIM:
        CHECK_INT(tn_geometry_movedim_order(from.ndim, (tn_dims){a, count / 2}, (tn_dims){a + count / 2, count / 2}, order), 0);
        return tn_geometry_permute(from, (tn_dims){order, from.ndim}, to);
    case SQUEEZE: return tn_geometry_squeeze(from, to);
    case SQUEEZE_DIMS: return tn_geometry_squeeze_dims(from, (tn_dims){a, count}, to);
    case UNSQUEEZE: return tn_geometry_unsqueeze(from, a[0], to);
    case SELECT: return tn_geometry_select(from, a[0], a[1], to);
    case SLICE: return tn_geometry_slice(from, a[0], a[1], a[2], a[3], to);
    case NARROW: return tn_geometry_narrow(from, a[0], a[1], a[2], to);
    case DIAGONAL: return tn_geometry_diagonal(from, a[0], a[1], a[2], to);
    case UNFOLD: return tn_geometry_unfold(from, a[0], a[1], a[2], to);
    case VIEW_ITEMSIZE: return tn_geometry_view_itemsize(from, 4, (size_t)a[0], to);
    case VIEW_AS_REAL: return tn_geometry_view_as_real(from, to);
    case VIEW_AS_COMPLEX: return tn_geometry_view_as_complex(from, to);
    case CONTIGUOUS: return tn_geometry_contiguous_strides(from.ndim, from.sizes, to->strides);
    case DENSE: return tn_geometry_dense_strides(from.ndim, from.sizes, from.strides, to->strides);
    case CHANNELS_LAST: return tn_geometry_channels_last_strides(from.ndim, from.sizes, to->strides);
    case FLAGS: break;
    }
    to->ndim = 4;
    to->sizes[0] = tn_geometry_is_contiguous(from.ndim, from.sizes, from.strides);
    to->sizes[1] = tn_geometry_is_channels_last_contiguous(from.ndim, from.sizes, from.strides);
    to->sizes[2] = tn_geometry_is_channels_last(from.ndim, from.sizes, from.strides);
    to->sizes[3] = tn_geometry_is_dense(from.ndim, from.sizes, from.strides);
    for (int d = 0; d < 4; d++)
        to->strides[d] = 0;
    return TN_GEOMETRY_OK;
}

TEST(every_view_has_the_sizes_strides_and_offset_torch_gives_it) {
    for (size_t r = 0; r < sizeof rule_rows / sizeof rule_rows[0]; r++) {
        const struct rule_row *row = &rule_rows[r];
        int64_t sizes[8], strides[8];
        tn_geometry to;
        load(row->sizes, sizes);
        load(row->strides, strides);
        tn_geometry_result result = run_rule(row, (tn_geometry_ref){row->sizes[0], row->offset, sizes, strides}, &to);
        bool same = (result == TN_GEOMETRY_OK) == (row->new_sizes[0] >= 0);
        if (same && result == TN_GEOMETRY_OK) {
            same = to.ndim == row->new_sizes[0] && to.offset == row->new_offset;
            for (int64_t d = 0; same && d < to.ndim; d++)
                same = to.sizes[d] == row->new_sizes[d + 1] && to.strides[d] == row->new_strides[d + 1];
        }
        if (!same)
            test_fail(__FILE__, __LINE__, "row %zu of data/view_rule.inc (line %zu): result %d", r, r + 2, (int)result);
    }
}

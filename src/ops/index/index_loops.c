/* index_loops.c - which kernels the walk of index_engine.c runs: moves depend on the size of an element; sums, products and
 * extremes exist for the few dtypes that tni_pick_wide names.
 */
#include "ops/index/index_engine.h"

tn_dtype tni_pick_wide(tn_dtype dtype, tni_pick_mode mode) {
    tn_dtype_kind kind = tni_dtype_row(dtype)->kind;
    size_t size = tn_dtype_size(dtype);
    if (kind == TN_KIND_COMPLEX)
        return mode == TNI_PICK_ADD || mode == TNI_PICK_MULTIPLY ? dtype : TN_DTYPE_DEFAULT;
    if (kind == TN_KIND_FLOAT)
        return size == 1 ? TN_DTYPE_DEFAULT : size == 2 ? TN_FLOAT32 : dtype;
    return dtype == TN_UINT64 ? TN_UINT64 : TN_INT64;
}

tni_pick_function tni_pick_loop_of(tni_pick_mode mode, tn_dtype dtype) {
    const tni_kernel_table *kernels = tni_kernels();
    switch (mode) {
    case TNI_PICK_READ: return kernels->pick_read[tni_element_index(tni_dtype_size(dtype))];
    case TNI_PICK_WRITE: return kernels->pick_write[tni_element_index(tni_dtype_size(dtype))];
    case TNI_PICK_ADD: return kernels->pick_add[dtype];
    case TNI_PICK_MULTIPLY: return kernels->pick_multiply[dtype];
    case TNI_PICK_MAXIMUM: return kernels->pick_maximum[dtype];
    case TNI_PICK_MINIMUM: return kernels->pick_minimum[dtype];
    default: return NULL;
    }
}

/* ---- positions */

int64_t tni_position_load(tn_dtype dtype, const char *index) {
    int64_t position;
    tni_kernels()->positions[dtype](&position, index, 0, 1);
    return position;
}

bool tni_pick_fits(const tni_pick *pick, const int64_t *positions, int64_t count) {
    return tni_kernels()->positions_fit[0](positions, count, pick->limit);
}

bool tni_pick_load(const tni_pick *pick, const char *index, int64_t stride, int64_t count, int64_t *offsets) {
    const tni_kernel_table *kernels = tni_kernels();
    const int64_t *positions = offsets;
    if (pick->index_dtype == TN_INT64 && stride == (int64_t)sizeof(int64_t))
        positions = (const int64_t *)index;
    else
        kernels->positions[pick->index_dtype](offsets, index, stride, count);
    if (!pick->ready)
        return kernels->offsets[pick->wrap](offsets, positions, count, pick->limit, pick->scale);
    if (positions != offsets)
        memcpy(offsets, positions, (size_t)count * sizeof *offsets);
    return true;
}

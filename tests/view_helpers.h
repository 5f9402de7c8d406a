/* view_helpers.h - shared by the tests of views: the numbers of a view, in one line. */
#ifndef TENON_VIEW_HELPERS_H
#define TENON_VIEW_HELPERS_H

#include "test.h"

/* sizes, strides and offset, all of them. */
static inline void check_view_at(const char *file, int line, const tn_tensor *x, tn_dims sizes, tn_dims strides,
                                 int64_t offset) {
    if (!x)
        test_fail(file, line, "no tensor: %s", tn_error_message());
    bool same = tn_ndim(x) == sizes.count && tn_storage_offset(x) == offset;
    for (int64_t d = 0; same && d < sizes.count; d++)
        same = tn_size(x, d) == sizes.values[d] && tn_stride(x, d) == strides.values[d];
    if (same)
        return;
    char got[600] = "";
    for (int64_t d = 0; d < tn_ndim(x); d++)
        snprintf(got + strlen(got), sizeof got - strlen(got), " %lld/%lld", (long long)tn_size(x, d),
                 (long long)tn_stride(x, d));
    test_fail(file, line, "sizes/strides%s, offset %lld", got, (long long)tn_storage_offset(x));
}

#define CHECK_VIEW(x, sizes, strides, offset) check_view_at(__FILE__, __LINE__, (x), (sizes), (strides), (offset))

/* The elements in row-major order, as integers. */
static inline void check_values_at(const char *file, int line, const tn_tensor *x, tn_dims values) {
    if (!x)
        test_fail(file, line, "no tensor: %s", tn_error_message());
    if (tn_numel(x) != values.count)
        test_fail(file, line, "%lld elements, not %lld", (long long)tn_numel(x), (long long)values.count);
    int64_t index[TN_MAX_DIMS];
    for (int64_t n = 0; n < values.count; n++) {
        if (tn_geometry_index_at(tn_ndim(x), tn_sizes(x).values, n, index) != TN_GEOMETRY_OK)
            test_fail(file, line, "no index for element %lld", (long long)n);
        int64_t value = tn_get_int64(x, (tn_dims){index, tn_ndim(x)});
        if (value != values.values[n])
            test_fail(file, line, "element %lld is %lld, not %lld", (long long)n, (long long)value,
                      (long long)values.values[n]);
    }
}

#define CHECK_VALUES(x, ...) check_values_at(__FILE__, __LINE__, (x), TN_DIMS(__VA_ARGS__))

/* 0, 1, 2, ... under a shape. */
static inline tn_tensor *counting(tn_dims shape) {
    int64_t count = 1;
    for (int64_t d = 0; d < shape.count; d++)
        count *= shape.values[d];
    tn_tensor *x = tn_view(tn_arange(count, TN_INT64), shape);
    CHECK(x);
    return x;
}

#endif

/* any_stride.c - the stride of a dimension that no index moves along, because it has one element or the tensor has none, may be
 * any number. Results are those of plain strides; the sanitizers see any product with such a stride. */
#include "test.h"

static const int64_t any_strides[] = {INT64_MAX, INT64_MIN, INT64_MAX / 2, -INT64_MAX / 4, INT64_MIN + 1};
enum { ANY_STRIDES = sizeof any_strides / sizeof any_strides[0] };

/* A tensor over the elements of a row-major one, with `stride` wherever it is not used. */
static tn_tensor *with_stride(const tn_tensor *tensor, int64_t stride) {
    int64_t strides[TN_MAX_DIMS];
    for (int64_t d = 0; d < tn_ndim(tensor); d++)
        strides[d] = tn_numel(tensor) == 0 || tn_sizes(tensor).values[d] == 1 ? stride : tn_strides(tensor).values[d];
    tn_tensor *own = tn_clone(tensor, TN_CONTIGUOUS);
    return own ? tn_from_storage(tn_storage_of(own), 0, tn_sizes(own), (tn_dims){strides, tn_ndim(own)}, tn_dtype_of(own))
               : NULL;
}

static tn_tensor *plain_range(tn_dims sizes, int64_t count, tn_dtype dtype) {
    return tn_reshape(tn_arange(count, dtype), sizes);
}

static void check_same(const char *what, const tn_tensor *plain, const tn_tensor *odd) {
    if (!plain || !odd || !tn_equal(plain, odd))
        test_fail(__FILE__, __LINE__, "%s differs or fails", what);
}

/* Both calls: self plain, and self with an unused stride. */
#define SAME(call)                                                                                                             \
    do {                                                                                                                       \
        const tn_tensor *self = plain;                                                                                         \
        const tn_tensor *expected = call;                                                                                      \
        self = odd;                                                                                                            \
        check_same(#call, expected, call);                                                                                     \
    } while (0)

TEST_SAMPLED(a_stride_that_no_index_uses_is_not_looked_at) {
    static const int64_t shapes[][3] = {{1, 4, 1}, {3, 1, 2}, {1, 1, 5}, {2, 3, 1}, {1, 1, 1}};
    for (size_t i = 0; i < sizeof shapes / sizeof shapes[0] * ANY_STRIDES; i++) {
        tn_scope scope = tn_scope_open();
        tn_dims sizes = {shapes[i / ANY_STRIDES], 3};
        int64_t count = sizes.values[0] * sizes.values[1] * sizes.values[2], stride = any_strides[i % ANY_STRIDES];
        tn_tensor *plain = plain_range(sizes, count, TN_FLOAT64), *odd = with_stride(plain, stride);
        tn_tensor *positions = with_stride(tn_zeros(sizes, TN_INT64), stride), *row = tn_select(positions, 0, 0);
        tn_tensor *mask = with_stride(tn_ones(sizes, TN_BOOL), stride);
        row = with_stride(tn_reshape(row, TN_DIMS(-1)), stride);
        for (int64_t dim = 0; dim < 3; dim++) {
            SAME(tn_list_at(tn_median_dim(self, dim, true), 0));
            SAME(tn_log_softmax(self, dim, TN_DTYPE_DEFAULT));
            SAME(tn_cumsum(self, dim, TN_DTYPE_DEFAULT));
            SAME(tn_sum_dim(self, (tn_dims){&dim, 1}, false, TN_DTYPE_DEFAULT));
            SAME(tn_gather(self, dim, positions));
            SAME(tn_index_select(self, dim, tn_narrow(row, 0, 0, 1)));
            SAME(tn_roll(self, TN_DIMS(1), (tn_dims){&dim, 1}));
            check_same("scatter_", tn_scatter_value_reduction_(tn_clone(plain, TN_CONTIGUOUS), dim, positions, 2, "add"),
                       tn_scatter_value_reduction_(with_stride(plain, stride), dim, positions, 2, "add"));
            const tn_tensor *both[] = {odd, odd}, *plains[] = {plain, plain};
            check_same("cat", tn_cat(plains, 2, dim), tn_cat(both, 2, dim));
        }
        SAME(tn_matmul(self, tn_mT(self)));
        SAME(tn_matmul(tn_mT(self), self));
        SAME(tn_inner(self, self));
        SAME(tn_linear(self, tn_select(self, 0, 0), NULL));
        SAME(tn_linalg_vecdot(self, self, 1));
        SAME(tn_baddbmm(self, self, tn_ones(TN_DIMS(sizes.values[0], sizes.values[2], sizes.values[2]), TN_FLOAT64), 2, 3));
        SAME(tn_take(self, positions));
        SAME(tn_embedding(tn_select(self, 0, 0), tn_select(positions, 0, 0), -1, false, false));
        SAME(tn_index(self, TN_PICK(row)));
        SAME(tn_index(self, TN_PICK(mask)));
        SAME(tn_masked_scatter(self, mask, self));
        SAME(tn_constant_pad_nd(self, TN_DIMS(1, 1, 1, 0), 7));
        SAME(tn_tril(self, 0));
        SAME(tn_triu(self, 1));
        SAME(tn_combinations(tn_select(tn_select(self, 0, 0), 0, 0), 1, false));
        check_same("masked_scatter_", tn_masked_scatter_(tn_clone(plain, TN_CONTIGUOUS), mask, plain),
                   tn_masked_scatter_(with_stride(plain, stride), mask, plain));
        check_same("tril_", tn_tril_(tn_clone(plain, TN_CONTIGUOUS), -1), tn_tril_(with_stride(plain, stride), -1));
        CHECK(tn_scope_close(scope) == TN_OK);
    }
}

TEST(strides_of_a_tensor_without_elements_are_not_looked_at) {
    for (int i = 0; i < ANY_STRIDES; i++) {
        tn_scope scope = tn_scope_open();
        tn_tensor *plain = tn_zeros(TN_DIMS(3, 0, 2), TN_FLOAT32), *odd = with_stride(plain, any_strides[i]);
        tn_tensor *positions = with_stride(tn_zeros(TN_DIMS(3, 0, 2), TN_INT64), any_strides[i]);
        SAME(tn_log_softmax(self, 0, TN_DTYPE_DEFAULT));
        SAME(tn_matmul(self, tn_mT(self)));
        SAME(tn_matmul(tn_mT(self), self));
        SAME(tn_log_softmax(self, 1, TN_DTYPE_DEFAULT));
        SAME(tn_cumsum(self, 1, TN_DTYPE_DEFAULT));
        SAME(tn_gather(self, 0, positions));
        SAME(tn_sum_dim(self, TN_DIMS(1), false, TN_DTYPE_DEFAULT));
        SAME(tn_constant_pad_nd(self, TN_DIMS(0, 0, 1, 1), 7));
        SAME(tn_tril(self, 0));
        CHECK(tn_scope_close(scope) == TN_OK);
    }
}

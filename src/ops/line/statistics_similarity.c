/* statistics_similarity.c - how alike vectors are, pair by pair: cosine_similarity, pairwise_distance. */
#include "base/error.h"
#include "operators_arithmetic.h"
#include "operators_copy.h"
#include "operators_reduce.h"
#include "operators_statistics.h"
#include "operators_view.h"
#include "tensor/tensor.h"

/* Either vector is made one of length 1, or of less where it is shorter than eps. */
static tn_tensor *similarity_unit(const tn_tensor *x, tn_dims dim, double eps) {
    tn_tensor *length = tn_linalg_vector_norm(x, tn_scalar_int(2), dim, true, TN_DTYPE_DEFAULT);
    return length ? tn_div(x, tn_clamp_min(length, tn_scalar_float(eps))) : NULL;
}

static bool similarity_is_float(const tn_tensor *x) { return tn_dtype_is_floating(x->dtype); }

tn_tensor *tni_composite_cosine_similarity(const tn_tensor *x1, const tn_tensor *x2, int64_t dim, double eps) {
    if ((!similarity_is_float(x1) && !similarity_is_float(x2)) || tn_dtype_is_complex(x1->dtype) ||
        tn_dtype_is_complex(x2->dtype))
        return tni_raise_null(TN_ERROR_DTYPE, "x1 %s and x2 %s must be of floats, at least one, and real", tni_show_tensor(x1),
                              tni_show_tensor(x2));
    /* whole numbers are those of the other's dtype */
    const tn_tensor *pair[2] = {similarity_is_float(x1) ? x1 : tn_to(x1, x2->dtype),
                                similarity_is_float(x2) ? x2 : tn_to(x2, x1->dtype)};
    tn_list *wide = pair[0] && pair[1] ? tn_broadcast_tensors(pair, 2) : NULL;
    if (!wide)
        return NULL;
    tn_tensor *first = similarity_unit(tn_list_at(wide, 0), (tn_dims){&dim, 1}, eps);
    tn_tensor *second = first ? similarity_unit(tn_list_at(wide, 1), (tn_dims){&dim, 1}, eps) : NULL;
    return second ? tn_sum_dim(tn_mul(first, second), (tn_dims){&dim, 1}, false, TN_DTYPE_DEFAULT) : NULL;
}

tn_tensor *tni_composite_pairwise_distance(const tn_tensor *x1, const tn_tensor *x2, double p, double eps, bool keepdim) {
    tn_tensor *apart = tn_add_scalar(tn_sub(x1, x2), tn_scalar_float(eps));
    return apart ? tn_norm_dim(apart, tn_scalar_float(p), TN_DIMS(-1), keepdim, TN_DTYPE_DEFAULT) : NULL;
}

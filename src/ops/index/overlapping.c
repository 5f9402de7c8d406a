/* overlapping.c - see overlapping.h.
 *
 * The engine cuts writes among threads so that no two meet at one place, and for that the places of different elements must be
 * different. So the memory that self reaches is written as a vector, and the places of the selected elements are the index into
 * the vector.
 *
 * Small numbers of sums in a wider dtype than that of self are done likewise: the different places among them are read into a
 * vector of the wider dtype, added to there, and written back.
 */
#include "ops/index/overlapping.h"

#include "base/error.h"
#include "base/warn.h"
#include "operators_index.h"
#include "operators_sort.h"
#include "ops/copy/copy.h"
#include "ops/index/index_advanced.h"

/* The memory from the lowest element of self to the highest, as a vector. */
static tn_tensor *overlapping_memory(const tn_tensor *self) {
    int64_t lowest = 0, highest = -1, one = 1;
    (void)tn_geometry_extent(tni_tensor_geometry(self), &lowest, &highest); /* of a tensor that exists: it has one */
    int64_t count = highest - lowest + 1;
    return tni_tensor_view(self, 1, &count, &one, lowest);
}

static tn_error overlapping_run(tn_tensor *self, tn_index_list index, const tn_tensor *values, tn_scalar value, bool accumulate,
                                bool warns) {
    if (!tni_tensor_prepare_write(self))
        return tni_failed();
    tn_tensor *flat = overlapping_memory(self), *picked = NULL;
    tn_error code = flat ? tni_index_places(self, index, INT64_MAX, &picked) : tni_failed();
    if (code == TN_OK) {
        tn_index_item item = TN_PICK(picked);
        if (warns)
            tni_warn("several elements of self %s with strides %s share one place, so what is written to one is written to all "
                     "of them; clone it first if that is not intended",
                     tni_show_tensor(self), tni_show_dims(self->strides, self->ndim));
        code = tni_index_put(flat, (tn_index_list){&item, 1}, values, value, accumulate);
    }
    tni_tensor_release(picked);
    tni_tensor_release(flat);
    return code;
}

tn_error tni_overlapping_put(tn_tensor *self, tn_index_list index, const tn_tensor *values, tn_scalar value, bool accumulate) {
    return overlapping_run(self, index, values, value, accumulate, true);
}

tn_error tni_overlapping_write(tn_tensor *self, tn_index_list index, const tn_tensor *values, tn_scalar value,
                               bool accumulate) {
    return overlapping_run(self, index, values, value, accumulate, false);
}

static tn_error overlapping_sum(tn_tensor *flat, const tn_tensor *where, const tn_tensor *order, const tn_tensor *values) {
    static const char reason[] = "sums are formed in a wider dtype";
    tn_index_item at = TN_PICK(where), into = TN_PICK(order);
    tn_tensor *few = tni_op_index(flat, (tn_index_list){&at, 1}), *back = NULL;
    tn_tensor *sums = few ? tni_clone_as(few, values->dtype, TN_CONTIGUOUS, TN_DEVICE_CPU, reason) : NULL;
    tn_error code = sums ? tni_index_put(sums, (tn_index_list){&into, 1}, values, TN_NO_SCALAR, true) : tni_failed();
    if (code == TN_OK) {
        back = tni_clone_as(sums, flat->dtype, TN_CONTIGUOUS, TN_DEVICE_CPU, reason);
        code = back ? tni_index_put(flat, (tn_index_list){&at, 1}, back, TN_NO_SCALAR, false) : tni_failed();
    }
    tni_tensor_release(back);
    tni_tensor_release(sums);
    tni_tensor_release(few);
    return code;
}

tn_error tni_overlapping_add(tn_tensor *self, tn_tensor *places, const tn_tensor *values) {
    tn_tensor *flat = overlapping_memory(self);
    tn_list *unique = flat ? tni_op_unique_options(places, true, true, false, TN_NONE) : NULL;
    tn_error code = unique ? overlapping_sum(flat, unique->items[0], unique->items[1], values) : tni_failed();
    if (unique)
        tni_object_release(&unique->object);
    tni_tensor_release(flat);
    return code;
}

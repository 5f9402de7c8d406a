/* contract.c - see contract.h; and the operator that is nothing but this: sumproduct. */
#include "ops/product/contract.h"

#include <stdio.h>

#include "base/heap.h"
#include "operators_product.h"
#include "operators_reduce.h"
#include "ops/copy/copy.h"
#include "ops/limits.h"
#include "ops/plan.h"
#include "ops/product/product_call.h"
#include "ops/product/product_job.h"

/* ---- which dimension is what */

static int64_t contract_size(const tn_tensor *tensor, int64_t dim, int64_t ndim) {
    int64_t own = dim - (ndim - tensor->ndim);
    return own < 0 ? 1 : tensor->sizes[own];
}

void tni_contract_begin(tni_contract *contract, const tn_tensor *self, const tn_tensor *other, const bool *summed) {
    const tn_tensor *tensors[2] = {self, other};
    contract->ndim = tni_max_i64(self->ndim, other->ndim);
    for (int64_t d = 0; d < contract->ndim; d++) {
        contract->summed[d] = summed[d];
        contract->sizes[d] = contract_size(self, d, contract->ndim);
        if (contract->sizes[d] == 1)
            contract->sizes[d] = contract_size(other, d, contract->ndim);
        for (int t = 0; t < 2; t++) {
            int64_t own = d - (contract->ndim - tensors[t]->ndim);
            contract->side[t].strides[d] = own < 0 || tensors[t]->sizes[own] == 1 ? 0 : tensors[t]->strides[own];
        }
    }
    for (int t = 0; t < 2; t++) {
        contract->side[t].copied = false;
        contract->side[t].numel = tensors[t]->numel;
    }
}

void tni_contract_strides(const tni_contract *contract, const tn_tensor *self, const tn_tensor *other, int64_t *strides) {
    int64_t ndim = contract->ndim, count[4] = {0}, group[4][TN_MAX_DIMS], order[TN_MAX_DIMS], placed = 0, step = 1;
    enum { BOTH, SELF, SUMMED, OTHER };
    for (int64_t d = 0; d < ndim; d++) {
        bool of_self = contract_size(self, d, ndim) != 1, of_other = contract_size(other, d, ndim) != 1;
        int which = contract->summed[d] ? SUMMED : of_self && of_other ? BOTH : of_self ? SELF : OTHER;
        group[which][count[which]++] = d;
    }
    bool swap = count[SELF] > 0 && count[OTHER] > 0 && group[OTHER][count[OTHER] - 1] < group[SELF][0];
    const int plain[4] = {BOTH, SELF, SUMMED, OTHER}, swapped[4] = {BOTH, OTHER, SUMMED, SELF};
    for (int g = 0; g < 4; g++) {
        int which = swap ? swapped[g] : plain[g];
        for (int64_t i = 0; i < count[which]; i++)
            order[placed++] = group[which][i];
    }
    for (int64_t i = ndim; i-- > 0;) {
        int64_t d = order[i];
        strides[d] = step;
        if (!contract->summed[d]) /* that the elements can be counted is checked where the tensor is made */
            step = (int64_t)((uint64_t)step * (uint64_t)tni_max_i64(contract->sizes[d], 1));
    }
}

/* ---- merging */

static int64_t contract_magnitude(int64_t stride) { return stride < 0 ? -stride : stride; }

/* Puts dimensions into the order of some strides, the largest first; equal ones stay as they are. */
static void contract_sort(int64_t *dims, int64_t count, const int64_t *strides) {
    for (int64_t i = 1; i < count; i++) {
        int64_t d = dims[i], at = i;
        for (; at > 0 && contract_magnitude(strides[dims[at - 1]]) < contract_magnitude(strides[d]); at--)
            dims[at] = dims[at - 1];
        dims[at] = d;
    }
}

/* Whether one step of `outer` is all steps of `inner`. */
static bool contract_merge(const tni_contract *contract, int64_t outer, int64_t inner, const int64_t *strides) {
    int64_t span;
    return !tni_mul_overflows(contract->sizes[inner], strides[inner], &span) && span == strides[outer];
}

/* The first place at which dimensions, in this order, cannot be walked with one stride; their number where they can. */
static int64_t contract_break(const tni_contract *contract, const int64_t *dims, int64_t count, const int64_t *strides) {
    for (int64_t i = 1; i < count; i++)
        if (!contract_merge(contract, dims[i - 1], dims[i], strides))
            return i;
    return count;
}

static int64_t contract_product(const tni_contract *contract, const int64_t *dims, int64_t count) {
    int64_t product = 1;
    for (int64_t i = 0; i < count; i++)
        product *= contract->sizes[dims[i]];
    return product;
}

typedef struct contract_group {
    int64_t count, dims[TN_MAX_DIMS];
} contract_group;

static void contract_copy(tni_contract *contract, int t, const char *what, const contract_group *group,
                          const int64_t *strides) {
    int64_t at = contract_break(contract, group->dims, group->count, strides);
    contract->side[t].copied = true;
    int64_t outer = group->dims[at - 1], inner = group->dims[at];
    snprintf(contract->side[t].reason, TNI_CONTRACT_REASON,
             "%s dimensions %" PRId64 " and %" PRId64 " of %s do not merge: stride %" PRId64 " is not %" PRId64 " * %" PRId64,
             what, outer, inner, t ? "other" : "self", strides[outer], contract->sizes[inner], strides[inner]);
}

/* The order of the dimensions that are summed over: one in which both operands merge, or the one that costs least to copy. */
static void contract_settle_sum(tni_contract *contract, contract_group *sum) {
    contract_group orders[2] = {*sum, *sum};
    int64_t cost[2];
    for (int o = 0; o < 2; o++) {
        cost[o] = 0;
        contract_sort(orders[o].dims, sum->count, contract->side[1 - o].strides); /* by the other, and within that */
        contract_sort(orders[o].dims, sum->count, contract->side[o].strides);
        for (int t = 0; t < 2; t++)
            if (contract_break(contract, orders[o].dims, sum->count, contract->side[t].strides) < sum->count)
                cost[o] += contract->side[t].numel;
    }
    *sum = orders[cost[1] < cost[0] ? 1 : 0];
    for (int t = 0; t < 2; t++)
        if (contract_break(contract, sum->dims, sum->count, contract->side[t].strides) < sum->count)
            contract_copy(contract, t, "the summed", sum, contract->side[t].strides);
}

/* What one operand alone has: the longest chain of dimensions that merge, in the operand and in the result, becomes m or n, and the rest
 * are batches; or the operand is copied, in the order of the result. `read_again`: elements that each further batch reads. */
static void contract_settle_rows(tni_contract *contract, int t, contract_group *rows, contract_group *batches,
                                 int64_t read_again) {
    const int64_t *own = contract->side[t].strides;
    int64_t best = 0, length = rows->count ? 1 : 0, start = 0, most = 0;
    contract_sort(rows->dims, rows->count, own);
    contract_sort(rows->dims, rows->count, contract->result);
    bool together = contract_break(contract, rows->dims, rows->count, contract->result) == rows->count;
    if (contract->side[t].copied && together)
        return;
    for (int64_t i = 1; i <= rows->count; i++)
        if (i == rows->count || !contract_merge(contract, rows->dims[i - 1], rows->dims[i], contract->result) ||
            (!contract->side[t].copied && !contract_merge(contract, rows->dims[i - 1], rows->dims[i], own))) {
            int64_t product = contract_product(contract, rows->dims + start, i - start);
            if (product > most) {
                most = product;
                best = start;
                length = i - start;
            }
            start = i;
        }
    if (length == rows->count)
        return;
    int64_t again = contract_product(contract, rows->dims, rows->count) / most - 1;
    if (together && !contract->side[t].copied &&
        (double)again * (double)read_again > EINSUM_COPY_COST * (double)contract->side[t].numel) {
        contract_copy(contract, t, "in the order of the result", rows, own);
        return;
    }
    for (int64_t i = 0; i < rows->count; i++)
        if (i < best || i >= best + length)
            batches->dims[batches->count++] = rows->dims[i];
    memmove(rows->dims, rows->dims + best, (size_t)length * sizeof rows->dims[0]);
    rows->count = length;
}

/* How a copy lies: batches, then rows, then what is summed over, each in its order. It does not repeat itself where the operand does. */
static void contract_lay_out(tni_contract *contract, int t, const contract_group *batches, const contract_group *rows,
                             const contract_group *sum) {
    tni_contract_side *side = &contract->side[t];
    const contract_group *groups[3] = {batches, rows, sum};
    int64_t laid[TN_MAX_DIMS] = {0}, step = 1;
    side->ndim = 0;
    for (int g = 0; g < 3; g++)
        for (int64_t i = 0; i < groups[g]->count; i++)
            if (g > 0 || side->strides[groups[g]->dims[i]] != 0)
                side->dims[side->ndim++] = groups[g]->dims[i];
    for (int64_t i = side->ndim; i-- > 0; step *= contract->sizes[side->dims[i]])
        laid[side->dims[i]] = step;
    memcpy(side->strides, laid, sizeof laid);
}

/* The batches, merged where all three merge. */
static void contract_settle_batches(tni_contract *contract, contract_group *batches) {
    const int64_t *strides[3] = {contract->side[0].strides, contract->side[1].strides, contract->result};
    contract->batch_ndim = 0;
    for (int64_t i = 0; i < batches->count; i++) {
        int64_t d = batches->dims[i], last = contract->batch_ndim;
        bool merges = i > 0;
        for (int s = 0; s < 3; s++)
            merges = merges && contract_merge(contract, batches->dims[i - 1], d, strides[s]);
        if (merges)
            contract->batch_sizes[--last] *= contract->sizes[d];
        else
            contract->batch_sizes[last] = contract->sizes[d];
        for (int s = 0; s < 3; s++)
            contract->batch[s][last] = strides[s][d];
        contract->batch_ndim = last + 1;
    }
}

static int64_t contract_step(const contract_group *group, const int64_t *strides) {
    return group->count ? strides[group->dims[group->count - 1]] : 0;
}

void tni_contract_settle(tni_contract *contract) {
    contract_group sum = {0}, rows[2] = {{0}, {0}}, batches = {0};
    for (int64_t d = 0; d < contract->ndim; d++) {
        int64_t self = contract->side[0].strides[d], other = contract->side[1].strides[d];
        contract_group *group = contract->summed[d]       ? &sum
                                : other == 0 && self != 0 ? &rows[0]
                                : self == 0 && other != 0 ? &rows[1]
                                                          : &batches;
        if (contract->sizes[d] != 1)
            group->dims[group->count++] = d;
    }
    contract->k = contract_product(contract, sum.dims, sum.count);
    contract_settle_sum(contract, &sum);
    for (int t = 0; t < 2; t++)
        contract_settle_rows(contract, t, &rows[t], &batches,
                             contract->k * contract_product(contract, rows[1 - t].dims, rows[1 - t].count));
    contract_sort(batches.dims, batches.count, contract->result);
    for (int t = 0; t < 2; t++)
        if (contract->side[t].copied)
            contract_lay_out(contract, t, &batches, &rows[t], &sum);
    contract->m = contract_product(contract, rows[0].dims, rows[0].count);
    contract->n = contract_product(contract, rows[1].dims, rows[1].count);
    contract->row[0] = contract_step(&rows[0], contract->side[0].strides);
    contract->column[0] = contract_step(&sum, contract->side[0].strides);
    contract->row[1] = contract_step(&sum, contract->side[1].strides);
    contract->column[1] = contract_step(&rows[1], contract->side[1].strides);
    contract->row[2] = contract_step(&rows[0], contract->result);
    contract->column[2] = contract_step(&rows[1], contract->result);
    contract_settle_batches(contract, &batches);
}

/* ---- running */

/* The strides of a result, for the common dimensions. */
static void contract_see_result(tni_contract *contract, const tn_tensor *result, bool keepdim) {
    for (int64_t d = 0, own = 0; d < contract->ndim; d++) {
        bool has = keepdim || !contract->summed[d];
        contract->result[d] = has && contract->sizes[d] != 1 && !contract->summed[d] ? result->strides[own] : 0;
        own += has ? 1 : 0;
    }
}

/* The copy that an operand needs, or the operand itself; a reference that the caller releases. */
static tn_tensor *contract_take(const tni_contract *contract, int t, const tn_tensor *tensor) {
    const tni_contract_side *side = &contract->side[t];
    int64_t sizes[TN_MAX_DIMS], strides[TN_MAX_DIMS];
    if (!side->copied)
        return tni_tensor_retain(tensor);
    for (int64_t i = 0; i < side->ndim; i++) {
        int64_t own = side->dims[i] - (contract->ndim - tensor->ndim);
        sizes[i] = contract->sizes[side->dims[i]];
        strides[i] = own < 0 || tensor->sizes[own] == 1 ? 0 : tensor->strides[own];
    }
    tn_tensor *view = tni_tensor_view(tensor, side->ndim, sizes, strides, tensor->offset);
    tn_tensor *copy = view ? tni_clone_contiguous(view, side->reason) : NULL;
    tni_tensor_release(view);
    return copy;
}

static tn_error contract_multiply(const tni_contract *contract, tn_tensor *result, const tn_tensor *self,
                                  const tn_tensor *other) {
    tni_product product;
    const tn_tensor *tensors[3] = {self, other, result};
    tni_product_operand *operands[3] = {&product.a, &product.b, &product.c};
    tni_product_begin(&product, contract->m, contract->n, contract->k);
    product.batch_ndim = contract->batch_ndim;
    product.batch_sizes = contract->batch_sizes;
    product.compute = tni_product_compute(result->dtype);
    for (int s = 0; s < 3; s++)
        *operands[s] = (tni_product_operand){.data = (void *)(uintptr_t)tni_tensor_read(tensors[s]),
                                             .row = contract->row[s],
                                             .column = contract->column[s],
                                             .batch = contract->batch_ndim ? contract->batch[s] : NULL,
                                             .dtype = tensors[s]->dtype};
    return tni_product_do(&product, tni_tensor_device(result));
}

/* A tensor without the dimensions that are summed over and that it alone has: summed up, with size 1. */
static tn_tensor *contract_sum_alone(const tn_tensor *tensor, const tn_tensor *beside, const bool *summed) {
    int64_t ndim = tni_max_i64(tensor->ndim, beside->ndim), dims[TN_MAX_DIMS], count = 0;
    for (int64_t d = ndim - tensor->ndim; d < ndim; d++)
        if (summed[d] && contract_size(tensor, d, ndim) != 1 && contract_size(beside, d, ndim) == 1)
            dims[count++] = d - (ndim - tensor->ndim);
    return count ? tni_op_sum_dim(tensor, (tn_dims){dims, count}, true, (tn_dtype)tensor->dtype) : tni_tensor_retain(tensor);
}

tn_error tni_contract_run(tn_tensor *result, const tn_tensor *self, const tn_tensor *other, const bool *summed, bool keepdim) {
    const tn_tensor *given[2] = {self, other};
    tn_tensor *tensors[2] = {NULL, NULL}, *taken[2] = {NULL, NULL};
    if (result->numel == 0)
        return TN_OK;
    if (self->numel == 0 || other->numel == 0)
        return tni_fill_into(result, tn_scalar_int(0));
    tni_contract *contract = tni_heap_alloc(sizeof *contract);
    if (!contract)
        return tni_failed();
    bool fine = true;
    for (int t = 0; fine && t < 2; t++)
        fine = (tensors[t] = contract_sum_alone(given[t], given[1 - t], summed)) != NULL;
    if (fine) {
        tni_contract_begin(contract, tensors[0], tensors[1], summed);
        contract_see_result(contract, result, keepdim);
        tni_contract_settle(contract);
        for (int t = 0; fine && t < 2; t++)
            fine = (taken[t] = contract_take(contract, t, tensors[t])) != NULL;
    }
    tn_error code = fine ? contract_multiply(contract, result, taken[0], taken[1]) : tni_failed();
    for (int t = 0; t < 2; t++) {
        tni_tensor_release(taken[t]);
        tni_tensor_release(tensors[t]);
    }
    tni_heap_free(contract, sizeof *contract);
    return code;
}

int64_t tni_contract_describe(const tn_tensor *result, const tn_tensor *self, const tn_tensor *other, const bool *summed,
                              tni_said *said, int64_t *copies) {
    int64_t moved = 0;
    if (result->numel == 0 || self->numel == 0 || other->numel == 0) {
        tni_say(said, "nothing to multiply; no copy");
        return 0;
    }
    tni_contract *contract = tni_heap_alloc(sizeof *contract);
    if (!contract)
        return -1;
    tni_contract_begin(contract, self, other, summed);
    contract_see_result(contract, result, true);
    tni_contract_settle(contract);
    int64_t batches = 1;
    for (int64_t d = 0; d < contract->batch_ndim; d++)
        batches *= contract->batch_sizes[d];
    if (batches != 1)
        tni_say(said, "%" PRId64 " products", batches);
    else
        tni_say(said, "a product");
    tni_say(said, " with m = %" PRId64 ", n = %" PRId64 ", k = %" PRId64 "; ", contract->m, contract->n, contract->k);
    for (int t = 0; t < 2; t++)
        if (contract->side[t].copied) {
            int64_t count = contract_product(contract, contract->side[t].dims, contract->side[t].ndim);
            tni_say(said, "%scopies %" PRId64 " elements (%s)", moved ? ", " : "", count, contract->side[t].reason);
            moved += count;
            (*copies)++;
        }
    if (!moved)
        tni_say(said, "no copy");
    tni_heap_free(contract, sizeof *contract);
    return moved;
}

/* ---- the operator */

/* Marks the dimensions that are summed over; false, raised, where they are none of the common ones or named twice. */
static bool contract_mark(int64_t ndim, tn_dims dim, bool *summed) {
    for (int64_t d = 0; d < ndim; d++)
        summed[d] = false;
    for (int64_t i = 0; i < dim.count; i++) {
        int64_t d;
        if (!tni_wrap_dim(dim.values[i], ndim, "dim", &d))
            return false;
        if (ndim == 0)
            continue; /* 0 and -1 mean the one element */
        if (summed[d]) {
            tni_raise(TN_ERROR_ARGUMENT, "dimension %" PRId64 " is summed over twice", d);
            return false;
        }
        summed[d] = true;
    }
    return true;
}

/* Whether the elements of the result can be counted. */
static bool contract_can_count(int64_t ndim, const int64_t *sizes, const bool *summed) {
    int64_t kept[TN_MAX_DIMS], numel;
    for (int64_t d = 0; d < ndim; d++)
        kept[d] = summed[d] ? 1 : sizes[d];
    if (tn_geometry_numel(ndim, kept, &numel) == TN_GEOMETRY_OK)
        return true;
    tni_raise(TN_ERROR_SHAPE, "a result of sizes %s has more elements than 64 bits can count", tni_show_dims(kept, ndim));
    return false;
}

bool tni_plan_sumproduct(tni_plan *plan, const tn_tensor *self, const tn_tensor *other, tn_dims dim, bool keepdim) {
    int64_t ndim, sizes[TN_MAX_DIMS], strides[TN_MAX_DIMS], kept = 0;
    bool summed[TN_MAX_DIMS];
    tn_geometry_conflict conflict;
    if (!tni_product_check_dtypes((tni_product_argument){self, "self"}, (tni_product_argument){other, "other"}))
        return false;
    if (tn_geometry_broadcast((tn_dims){self->sizes, self->ndim}, (tn_dims){other->sizes, other->ndim}, &ndim, sizes,
                              &conflict) != TN_GEOMETRY_OK) {
        tni_raise(TN_ERROR_SHAPE, "self %s and other %s do not fit: dimension %" PRId64 " has sizes %" PRId64 " and %" PRId64,
                  tni_show_tensor(self), tni_show_tensor(other), conflict.dim, conflict.expected, conflict.size);
        return false;
    }
    if (!contract_mark(ndim, dim, summed) || !contract_can_count(ndim, sizes, summed))
        return false;
    tni_contract *contract = tni_heap_alloc(sizeof *contract);
    if (!contract)
        return false;
    tni_contract_begin(contract, self, other, summed);
    tni_contract_strides(contract, self, other, strides);
    tni_heap_free(contract, sizeof *contract);
    for (int64_t d = 0; d < ndim; d++)
        if (keepdim || !summed[d]) {
            sizes[kept] = summed[d] ? 1 : sizes[d];
            strides[kept++] = strides[d];
        }
    tni_plan_begin(plan, self);
    tni_plan_add(plan, kept, sizes, self->dtype);
    plan->result[0].strided = true;
    memcpy(plan->result[0].strides, strides, (size_t)kept * sizeof strides[0]);
    return true;
}

tn_error tni_run_sumproduct(const tni_plan *plan, tn_tensor *const *results, const tn_tensor *self, const tn_tensor *other,
                            tn_dims dim, bool keepdim) {
    bool summed[TN_MAX_DIMS];
    (void)plan;
    if (!contract_mark(tni_max_i64(self->ndim, other->ndim), dim, summed))
        return tni_failed();
    return tni_contract_run(results[0], self, other, summed, keepdim);
}

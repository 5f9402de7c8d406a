/* overlap.c - exact answers to "do two indices, or two tensors, name the same place?".
 *
 * All three questions here are one: given coefficients a[k] > 0 and bounds b[k], are there integers 0 <= z[k] <= b[k] with
 *
 *     a[0] z[0] + a[1] z[1] + ... = target ?
 *
 *     index_of          z is the index, a the strides.
 *     regions_overlap   z is an index of the first region, a byte inside its element, and the same of the second one,
 *                       counted backwards, which turns "left = right" into a sum.
 *     overlaps_itself   z is the difference of two indices, moved up by size - 1 so that it is not negative; the trivial
 *                       solution, no difference, is excluded by the first dimension in which the two differ.
 *
 * This is the bounded integer equation, a knapsack problem: hard in general, easy for usual strides. The search takes the
 * largest coefficient first and tries only values after which the rest can still be met in size (at most the sum of a[k] b[k]
 * that is left) and in divisibility (by the greatest common divisor of what is left): for nested strides that leaves one value,
 * for evenly filled ranges the first value succeeds. The work limit is for the contrived remainder.
 *
 * Invariant: YES and NO are proven. Sums are 128 bits wide and checked; what does not fit even there is UNKNOWN.
 */
#include <tenon/geometry.h>

#include "base/common.h"

__extension__ typedef __int128 overlap_wide;
__extension__ typedef unsigned __int128 overlap_unsigned;

/* Two regions of TN_MAX_DIMS dimensions, and the bytes inside an element. */
enum { OVERLAP_MAX_TERMS = 2 * TN_MAX_DIMS + 1 };

typedef struct overlap_term {
    uint64_t coefficient;
    overlap_wide bound;
    int64_t dim; /* where it comes from */
} overlap_term;

/* For the terms from k on. */
typedef struct overlap_rest {
    uint64_t divisor;   /* divides every sum they can make; 0 when there are none */
    overlap_wide reach; /* the largest sum                                        */
    uint64_t modulus;   /* z[k] is settled modulo this by divisibility            */
    uint64_t inverse;   /* of coefficient / divisor, modulo modulus               */
    overlap_wide value; /* z[k] in the solution found                             */
} overlap_rest;

typedef struct overlap_problem {
    int count;
    int64_t work;
    overlap_term terms[OVERLAP_MAX_TERMS]; /* largest coefficient first */
    overlap_rest rest[OVERLAP_MAX_TERMS + 1];
} overlap_problem;

static uint64_t overlap_magnitude(int64_t stride) { return stride < 0 ? 0 - (uint64_t)stride : (uint64_t)stride; }

static bool overlap_add_product(overlap_wide *sum, overlap_wide a, overlap_wide b) {
    overlap_wide product;
    return !__builtin_mul_overflow(a, b, &product) && !__builtin_add_overflow(*sum, product, sum);
}

static uint64_t overlap_divisor(uint64_t a, uint64_t b) {
    while (b) {
        uint64_t remainder = a % b;
        a = b;
        b = remainder;
    }
    return a;
}

/* The inverse of a modulo m, for a and m without a common divisor (extended Euclid). 0 for m = 1. */
static uint64_t overlap_inverse(uint64_t a, uint64_t m) {
    overlap_wide previous = m, current = a % m, previous_factor = 0, factor = 1;
    while (current > 1) {
        overlap_wide quotient = previous / current, next = previous % current,
                     next_factor = previous_factor - quotient * factor;
        previous = current;
        current = next;
        previous_factor = factor;
        factor = next_factor;
    }
    return m == 1 ? 0 : (uint64_t)(factor < 0 ? factor + m : factor);
}

/* Keeps the terms sorted. */
static void overlap_insert(overlap_problem *problem, uint64_t coefficient, overlap_wide bound, int64_t dim) {
    int at = problem->count++;
    for (; at > 0 && problem->terms[at - 1].coefficient < coefficient; at--)
        problem->terms[at] = problem->terms[at - 1];
    problem->terms[at] = (overlap_term){coefficient, bound, dim};
}

/* Equal coefficients are one term with both bounds. */
static void overlap_merge_equal(overlap_problem *problem) {
    int kept = 0;
    for (int k = 0; k < problem->count; k++) {
        if (kept > 0 && problem->terms[kept - 1].coefficient == problem->terms[k].coefficient)
            problem->terms[kept - 1].bound += problem->terms[k].bound;
        else
            problem->terms[kept++] = problem->terms[k];
    }
    problem->count = kept;
}

/* Fill in `rest`; false when the sums do not fit. */
static bool overlap_prepare(overlap_problem *problem, int64_t work_limit) {
    problem->work = work_limit > 0 ? work_limit : TN_OVERLAP_WORK;
    problem->rest[problem->count] = (overlap_rest){.divisor = 0, .reach = 0};
    for (int k = problem->count - 1; k >= 0; k--) {
        const overlap_rest *after = &problem->rest[k + 1];
        overlap_rest *here = &problem->rest[k];
        uint64_t coefficient = problem->terms[k].coefficient;
        here->divisor = overlap_divisor(coefficient, after->divisor);
        here->modulus = after->divisor / here->divisor;
        here->inverse = here->modulus ? overlap_inverse(coefficient / here->divisor, here->modulus) : 0;
        here->reach = after->reach;
        if (!overlap_add_product(&here->reach, coefficient, problem->terms[k].bound))
            return false;
    }
    return true;
}

/* Whether the terms from k on might make `target`: necessary, not sufficient. */
static bool overlap_plausible(const overlap_problem *problem, int k, overlap_wide target) {
    const overlap_rest *rest = &problem->rest[k];
    return target >= 0 && target <= rest->reach && (rest->divisor ? target % rest->divisor == 0 : target == 0);
}

/* `target` is plausible for the terms from k on. */
static tn_overlap overlap_search(overlap_problem *problem, int k, overlap_wide target) {
    if (k == problem->count)
        return TN_OVERLAP_YES;
    const overlap_term *term = &problem->terms[k];
    overlap_rest *here = &problem->rest[k];
    overlap_wide coefficient = term->coefficient;
    if (k == problem->count - 1) {
        here->value = target / coefficient;
        return TN_OVERLAP_YES;
    }
    overlap_wide must = target - problem->rest[k + 1].reach; /* what the later terms cannot make */
    overlap_wide lowest = must <= 0 ? 0 : (must + coefficient - 1) / coefficient;
    overlap_wide highest = target / coefficient < term->bound ? target / coefficient : term->bound;
    overlap_wide modulus = here->modulus;
    overlap_unsigned product = (overlap_unsigned)(target / here->divisor % modulus) * here->inverse;
    overlap_wide residue = (overlap_wide)(product % here->modulus);
    overlap_wide ahead = (residue - lowest % modulus + modulus) % modulus;
    for (overlap_wide value = lowest + ahead; value <= highest; value += modulus) {
        if (--problem->work < 0)
            return TN_OVERLAP_UNKNOWN;
        here->value = value;
        tn_overlap found = overlap_search(problem, k + 1, target - coefficient * value);
        if (found != TN_OVERLAP_NO)
            return found;
    }
    return TN_OVERLAP_NO;
}

/* ---- one geometry -------------------------------------------------------------------------------------------------- */

/* Two indices that first differ, in the order of the terms, in term k: by t > 0 there, and in later terms by something that
 * compensates for it. Their differences, moved up by the bound, add up to half of what they reach, plus a[k] t. */
static tn_overlap overlap_differing_from(overlap_problem *problem, int k) {
    overlap_wide coefficient = problem->terms[k].coefficient, half = problem->rest[k + 1].reach / 2;
    overlap_wide highest = half / coefficient, bound = problem->terms[k].bound / 2;
    overlap_wide modulus = problem->rest[k].modulus;
    if (highest > bound)
        highest = bound;
    for (overlap_wide t = modulus; t <= highest; t += modulus) {
        if (--problem->work < 0)
            return TN_OVERLAP_UNKNOWN;
        tn_overlap found = overlap_search(problem, k + 1, half + coefficient * t);
        if (found != TN_OVERLAP_NO)
            return found;
    }
    return TN_OVERLAP_NO;
}

tn_overlap tn_geometry_overlaps_itself(int64_t ndim, const int64_t *sizes, const int64_t *strides, int64_t work_limit) {
    overlap_problem problem;
    problem.count = 0;
    bool repeated = false;
    for (int64_t d = 0; d < ndim; d++) {
        if (sizes[d] == 0)
            return TN_OVERLAP_NO;
        repeated |= sizes[d] > 1 && strides[d] == 0;
    }
    if (repeated)
        return TN_OVERLAP_YES;
    for (int64_t d = 0; d < ndim; d++)
        if (sizes[d] > 1)
            overlap_insert(&problem, overlap_magnitude(strides[d]), 2 * (overlap_wide)(sizes[d] - 1), d);

    /* Nested strides, each beyond the reach of all smaller ones, occur in nearly every tensor. Two equal ones overlap. */
    bool nested = true;
    overlap_wide reach = 0;
    for (int k = problem.count - 1; k >= 0; k--) {
        if (k > 0 && problem.terms[k - 1].coefficient == problem.terms[k].coefficient)
            return TN_OVERLAP_YES;
        nested = nested && (overlap_wide)problem.terms[k].coefficient > reach &&
                 overlap_add_product(&reach, problem.terms[k].coefficient, problem.terms[k].bound / 2);
    }
    if (nested)
        return TN_OVERLAP_NO;

    if (!overlap_prepare(&problem, work_limit))
        return TN_OVERLAP_UNKNOWN;
    for (int k = problem.count - 2; k >= 0; k--) {
        tn_overlap found = overlap_differing_from(&problem, k);
        if (found != TN_OVERLAP_NO)
            return found;
    }
    return TN_OVERLAP_NO;
}

tn_geometry_result tn_geometry_index_of(tn_geometry_ref from, int64_t offset, int64_t work_limit, int64_t *index) {
    overlap_problem problem;
    overlap_wide target = (overlap_wide)offset - from.offset;
    problem.count = 0;
    for (int64_t d = 0; d < from.ndim; d++) {
        if (from.sizes[d] == 0)
            return TN_GEOMETRY_NOT_AN_ELEMENT;
        index[d] = 0;
        if (from.sizes[d] == 1 || from.strides[d] == 0)
            continue;
        overlap_insert(&problem, overlap_magnitude(from.strides[d]), from.sizes[d] - 1, d);
        /* A dimension with a negative stride is counted from its other end. */
        if (from.strides[d] < 0 && !overlap_add_product(&target, from.sizes[d] - 1, -(overlap_wide)from.strides[d]))
            return TN_GEOMETRY_OVERFLOW;
    }
    if (!overlap_prepare(&problem, work_limit))
        return TN_GEOMETRY_OVERFLOW;
    if (!overlap_plausible(&problem, 0, target))
        return TN_GEOMETRY_NOT_AN_ELEMENT;
    tn_overlap found = overlap_search(&problem, 0, target);
    if (found != TN_OVERLAP_YES)
        return found == TN_OVERLAP_NO ? TN_GEOMETRY_NOT_AN_ELEMENT : TN_GEOMETRY_TOO_HARD;
    for (int k = 0; k < problem.count; k++) {
        int64_t d = problem.terms[k].dim, value = (int64_t)problem.rest[k].value;
        index[d] = from.strides[d] < 0 ? from.sizes[d] - 1 - value : value;
    }
    return TN_GEOMETRY_OK;
}

/* ---- two regions --------------------------------------------------------------------------------------------------- */

/* The first and the last byte. */
typedef struct overlap_range {
    overlap_wide first, last;
} overlap_range;

/* False when the region does not fit in an address space of 64 bits. */
static bool overlap_region_range(const tn_region *region, overlap_range *range) {
    range->first = region->address;
    range->last = (overlap_wide)region->address + (region->itemsize - 1);
    for (int64_t d = 0; d < region->ndim; d++) {
        overlap_wide step = (overlap_wide)region->strides[d] * region->unit; /* 126 bits at most */
        if (!overlap_add_product(step < 0 ? &range->first : &range->last, step, region->sizes[d] - 1))
            return false;
    }
    return range->first >= 0 && range->last <= (overlap_wide)UINT64_MAX;
}

static bool overlap_region_is_empty(const tn_region *region) {
    bool empty = region->itemsize <= 0;
    for (int64_t d = 0; d < region->ndim; d++)
        empty |= region->sizes[d] == 0;
    return empty;
}

/* A region inside an address space has steps that fit in it, wherever there is more than one element. */
static void overlap_insert_region(overlap_problem *problem, const tn_region *region) {
    for (int64_t d = 0; d < region->ndim; d++) {
        overlap_wide step = (overlap_wide)region->strides[d] * region->unit;
        if (region->sizes[d] > 1 && step != 0)
            overlap_insert(problem, (uint64_t)(step < 0 ? -step : step), region->sizes[d] - 1, d);
    }
}

tn_overlap tn_regions_overlap(const tn_region *a, const tn_region *b, int64_t work_limit) {
    overlap_range range_a, range_b;
    if (overlap_region_is_empty(a) || overlap_region_is_empty(b))
        return TN_OVERLAP_NO;
    if (!overlap_region_range(a, &range_a) || !overlap_region_range(b, &range_b))
        return TN_OVERLAP_UNKNOWN;
    if (range_a.last < range_b.first || range_b.last < range_a.first)
        return TN_OVERLAP_NO;
    if (a->address == b->address)
        return TN_OVERLAP_YES;

    overlap_problem problem;
    problem.count = 0;
    overlap_insert_region(&problem, a);
    overlap_insert_region(&problem, b);
    overlap_insert(&problem, 1, (overlap_wide)a->itemsize + b->itemsize - 2, -1);
    overlap_merge_equal(&problem);
    overlap_wide target = range_b.last - range_a.first;
    if (!overlap_prepare(&problem, work_limit))
        return TN_OVERLAP_UNKNOWN;
    return overlap_plausible(&problem, 0, target) ? overlap_search(&problem, 0, target) : TN_OVERLAP_NO;
}

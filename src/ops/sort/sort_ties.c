/* sort_ties.c - PyTorch's choice among equal elements. See sort_ties.h.
 *
 * What looks arbitrary here (where a pivot comes from, which side an equal element goes to, when one algorithm gives way to
 * another) is what decides the choice; the tests compare it with PyTorch's.
 */
#include "ops/sort/sort_ties.h"

#include "base/parallel.h"
#include "kernels/table.h"

enum { TIES_SHORT = 16 }; /* pieces up to this length are left to insertion */

/* Where a loop cannot be cut into steps beforehand: asks, and when to ask next. */
static bool ties_go_on(int64_t *ask) {
    *ask += TNI_STEP;
    return tni_goes_on();
}

static bool ties_before(tni_tie a, tni_tie b) { return a.key < b.key; }

static void ties_swap(tni_tie *a, tni_tie *b) {
    tni_tie item = *a;
    *a = *b;
    *b = item;
}

tni_tie *tni_ties_begin(const void *line, tn_dtype dtype, int64_t count, bool descending, void *scratch) {
    tni_tie *items = scratch;
    size_t size = tni_dtype_size(dtype);
    tni_sort_keys_function make = tni_kernels()->sort_keys[dtype];
    tni_tie_keys keys;
    TNI_IN_STEPS (begin, end, count)
        for (int64_t at = begin, many; at < end; at += many) {
            many = tni_min_i64(end - at, TNI_TIE_BLOCK);
            make(&keys, (const char *)line + (size_t)at * size, many, descending);
            for (int64_t i = 0; i < many; i++)
                items[at + i] = (tni_tie){size == 8 ? keys.wide[i] : keys.narrow[i], at + i};
        }
    return items;
}

/* ---- Numerical Recipes' select */

void tni_ties_select(tni_tie *items, int64_t count, int64_t rank) {
    int64_t left = 0, right = count - 1;
    while (right > left + 1) {
        tni_tie *first = &items[left], *second = first + 1, *last = &items[right];
        ties_swap(&items[left + (right - left) / 2], second);
        if (ties_before(*last, *second))
            ties_swap(second, last);
        if (ties_before(*last, *first))
            ties_swap(first, last);
        if (ties_before(*first, *second))
            ties_swap(second, first);
        tni_tie pivot = *first; /* the middle one of three, between the two others: no search below runs past the ends */
        int64_t up = left + 1, down = right, ask_up = up + TNI_STEP, ask_down = TNI_STEP;
        for (;;) {
            do
                if (TNI_UNLIKELY(++up >= ask_up) && !ties_go_on(&ask_up))
                    return;
            while (ties_before(items[up], pivot));
            do
                if (TNI_UNLIKELY(right - --down >= ask_down) && !ties_go_on(&ask_down))
                    return;
            while (ties_before(pivot, items[down]));
            if (down < up)
                break;
            ties_swap(&items[up], &items[down]);
        }
        ties_swap(first, &items[down]);
        if (down <= rank)
            left = up;
        if (down >= rank)
            right = down - 1;
    }
    if (right == left + 1 && ties_before(items[right], items[left]))
        ties_swap(&items[left], &items[right]);
}

/* ---- heaps */

/* Put an item where `hole` is or below: the later child moves up all the way down, then the item climbs to its place. */
static void ties_sift(tni_tie *heap, int64_t hole, int64_t count, tni_tie item) {
    int64_t top = hole;
    for (int64_t child; (child = 2 * hole + 1) < count; hole = child) {
        if (child + 1 < count && !ties_before(heap[child + 1], heap[child]))
            child++;
        heap[hole] = heap[child];
    }
    for (int64_t parent; hole > top && ties_before(heap[parent = (hole - 1) / 2], item); hole = parent)
        heap[hole] = heap[parent];
    heap[hole] = item;
}

void tni_ties_heap(tni_tie *items, int64_t kept) {
    TNI_IN_STEPS (begin, end, kept / 2)
        for (int64_t parent = kept / 2 - 1 - begin; parent >= kept / 2 - end; parent--)
            ties_sift(items, parent, kept, items[parent]);
}

void tni_ties_replace(tni_tie *items, int64_t kept, tni_tie item) { ties_sift(items, 0, kept, item); }

void tni_ties_unheap(tni_tie *items, int64_t kept) {
    for (int64_t ask = TNI_STEP, all = kept; --kept > 0;) {
        if (TNI_UNLIKELY(all - kept >= ask) && !ties_go_on(&ask))
            return;
        tni_tie item = items[kept];
        items[kept] = items[0];
        ties_sift(items, 0, kept, item);
    }
}

/* The first `kept` of `count` as a heap in front; the others keep their places, or take that of one that replaced the root. */
static void ties_heap_select(tni_tie *items, int64_t count, int64_t kept) {
    tni_ties_heap(items, kept);
    TNI_IN_STEPS (begin, end, count - kept)
        for (int64_t i = kept + begin; i < kept + end; i++)
            if (ties_before(items[i], items[0])) {
                tni_tie item = items[i];
                items[i] = items[0];
                ties_sift(items, 0, kept, item);
            }
}

/* ---- Musser's selection and sort */

static int ties_depth(int64_t count) { return count > 1 ? 2 * (63 - __builtin_clzll((uint64_t)count)) : 0; }

static void ties_insert(tni_tie *items, int64_t count) {
    TNI_IN_STEPS (begin, end, count)
        for (int64_t i = tni_max_i64(begin, 1); i < end; i++) {
            tni_tie item = items[i];
            int64_t k = i;
            for (; k > 0 && ties_before(item, items[k - 1]); k--)
                items[k] = items[k - 1];
            items[k] = item;
        }
}

/* Partition the items around the middle one of three: those before the returned place do not come after the pivot, those from
 * it on do not come before it. Where the call was cancelled, any place. */
TNI_ALWAYS_INLINE int64_t ties_part_asking(tni_tie *items, int64_t count, bool asks) {
    tni_tie *a = items + 1, *b = items + count / 2, *c = items + count - 1, *middle;
    if (ties_before(*a, *b))
        middle = ties_before(*b, *c) ? b : ties_before(*a, *c) ? c : a;
    else
        middle = ties_before(*a, *c) ? a : ties_before(*b, *c) ? c : b;
    ties_swap(items, middle);
    tni_tie pivot = *items;
    for (int64_t up = 1, down = count, ask_up = TNI_STEP, ask_down = TNI_STEP;; up++) {
        while (ties_before(items[up], pivot))
            if ((++up, asks) && TNI_UNLIKELY(up >= ask_up) && !ties_go_on(&ask_up))
                return up;
        do
            if ((--down, asks) && TNI_UNLIKELY(count - down >= ask_down) && !ties_go_on(&ask_down))
                return up;
        while (ties_before(pivot, items[down]));
        if (up >= down)
            return up;
        ties_swap(&items[up], &items[down]);
    }
}

static TNI_NOINLINE int64_t ties_part_long(tni_tie *items, int64_t count) { return ties_part_asking(items, count, true); }

/* Short pieces, which most are, are partitioned without checking whether it is time to ask. */
static int64_t ties_part(tni_tie *items, int64_t count) {
    return count > TNI_STEP ? ties_part_long(items, count) : ties_part_asking(items, count, false);
}

/* Pieces of at most TIES_SHORT are left as they are. The longer part of a piece is not always the one that is recursed into,
 * but the depth ends before the stack does: at twice the logarithm of the count. */
static void ties_sort_long(tni_tie *items, int64_t count, int depth) {
    for (; count > TIES_SHORT && !tni_stopped(); depth--) {
        if (depth == 0) {
            tni_ties_heap(items, count);
            tni_ties_unheap(items, count);
            return;
        }
        int64_t cut = ties_part(items, count);
        ties_sort_long(items + cut, count - cut, depth - 1);
        count = cut;
    }
}

void tni_ties_sort(tni_tie *items, int64_t count) {
    ties_sort_long(items, count, ties_depth(count));
    if (!tni_stopped()) /* it would be far from sorted, which takes insertion long */
        ties_insert(items, count);
}

void tni_ties_first(tni_tie *items, int64_t count, int64_t kept, bool sorted) {
    int64_t begin = 0, end = count, last = kept - 1;
    int depth = ties_depth(count);
    for (; end - begin > 3 && depth > 0 && !tni_stopped(); depth--) {
        int64_t cut = begin + ties_part(items + begin, end - begin);
        *(cut <= last ? &begin : &end) = cut;
    }
    if (tni_stopped())
        return;
    if (end - begin > 3) {
        ties_heap_select(items + begin, end - begin, kept - begin);
        ties_swap(&items[begin], &items[last]);
    } else {
        ties_insert(items + begin, end - begin);
    }
    if (sorted)
        tni_ties_sort(items, last);
}

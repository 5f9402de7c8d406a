/* einsum_path.c - the order in which the operands of an equation are contracted, two at a time.
 *
 * What contracting two operands costs follows from their labels: a multiplication for every combination of the labels of both. What is
 * left is a tensor with those labels that the output, or an operand that is still to come, has too. So the labels of any subset of the
 * operands, contracted in whatever order, are known beforehand; the best order for a subset is that of its best split in two, and
 * subsets are gone through from small to large (Held and Karp's way). That is 3^n splits, so for many operands each step takes the pair
 * whose result has fewest elements more than the pair itself.
 */
#include "base/error.h"
#include "base/heap.h"
#include "ops/limits.h"
#include "ops/product/einsum.h"

static double path_elements(const tni_einsum *einsum, tni_einsum_set labels) {
    double product = 1;
    for (int label = 0; label < TNI_EINSUM_LABELS; label++)
        if (tni_einsum_has(labels, label))
            product *= (double)einsum->size[label];
    return product;
}

/* ---- all orders */

typedef struct path_subset {
    tni_einsum_set labels;
    double elements, cost, made; /* of it; of the steps to it; that those make */
    uint32_t left;               /* the part of it that is contracted first */
} path_subset;

typedef struct path_search {
    const tni_einsum *einsum;
    path_subset *subsets;
    tni_einsum_step *steps;
    int64_t done;
} path_search;

static void path_split(path_search *search, uint32_t whole) {
    path_subset *subset = &search->subsets[whole];
    uint32_t lowest = whole & (~whole + 1);
    subset->left = 0;
    for (uint32_t part = (whole - 1) & whole; part; part = (part - 1) & whole) {
        if (!(part & lowest))
            continue; /* each split once, the first operand being on the left */
        const path_subset *left = &search->subsets[part], *right = &search->subsets[whole ^ part];
        double cost = left->cost + right->cost + path_elements(search->einsum, tni_einsum_either(left->labels, right->labels));
        double made = left->made + right->made + subset->elements;
        if (!subset->left || cost < subset->cost || (cost == subset->cost && made < subset->made)) {
            subset->left = part;
            subset->cost = cost;
            subset->made = made;
        }
    }
}

/* Writes down the steps that lead to a subset, and gives the number of its tensor. As deep as there are operands, EINSUM_BEST at most. */
static int64_t path_write(path_search *search, uint32_t whole) {
    const path_subset *subset = &search->subsets[whole];
    if ((whole & (whole - 1)) == 0) {
        int64_t operand = 0;
        for (; whole > 1; whole >>= 1)
            operand++;
        return operand;
    }
    const path_subset *parts[2] = {&search->subsets[subset->left], &search->subsets[whole ^ subset->left]};
    int64_t left = path_write(search, subset->left), right = path_write(search, whole ^ subset->left);
    search->steps[search->done] = (tni_einsum_step){
        left, right, path_elements(search->einsum, tni_einsum_either(parts[0]->labels, parts[1]->labels)), subset->elements};
    return search->einsum->count + search->done++;
}

static bool path_best(const tni_einsum *einsum, const tni_einsum_set *wide, tni_einsum_step *steps) {
    uint32_t all = (UINT32_C(1) << einsum->count) - 1;
    size_t bytes = ((size_t)all + 1) * sizeof(path_subset);
    path_search search = {einsum, tni_heap_alloc(bytes), steps, 0};
    if (!search.subsets)
        return false;
    for (uint32_t whole = 1; whole <= all; whole++) {
        path_subset *subset = &search.subsets[whole];
        tni_einsum_set inside = {{0, 0}}, outside = einsum->output.wide;
        for (int64_t i = 0; i < einsum->count; i++) {
            tni_einsum_set *side = whole >> i & 1 ? &inside : &outside;
            *side = tni_einsum_either(*side, wide[i]);
        }
        subset->labels = tni_einsum_both(inside, outside);
        subset->elements = path_elements(einsum, subset->labels);
        subset->cost = subset->made = 0;
        if (whole & (whole - 1))
            path_split(&search, whole);
    }
    path_write(&search, all);
    tni_heap_free(search.subsets, bytes);
    return true;
}

/* ---- one step after the other */

/* The tensors that are left, in the order of their operands. */
typedef struct path_term {
    int64_t number;
    tni_einsum_set labels;
    double elements;
} path_term;

/* What is left of two: labels that the output or another tensor has. */
static tni_einsum_set path_join(const tni_einsum *einsum, const path_term *terms, int64_t count, int64_t i, int64_t j) {
    tni_einsum_set kept = einsum->output.wide;
    for (int64_t t = 0; t < count; t++)
        if (t != i && t != j)
            kept = tni_einsum_either(kept, terms[t].labels);
    return tni_einsum_both(kept, tni_einsum_either(terms[i].labels, terms[j].labels));
}

/* The pair whose result grows least; of such pairs the cheapest, and of those the first. */
static void path_choose(const tni_einsum *einsum, const path_term *terms, int64_t count, int64_t *first, int64_t *second) {
    int64_t near = tni_min_i64(count, EINSUM_NEAR);
    double least = 0, cheapest = 0;
    bool found = false;
    for (int64_t i = 0; i < near; i++)
        for (int64_t j = i + 1; j < near; j++) {
            double cost = path_elements(einsum, tni_einsum_either(terms[i].labels, terms[j].labels));
            double growth =
                path_elements(einsum, path_join(einsum, terms, count, i, j)) - terms[i].elements - terms[j].elements;
            if (!found || growth < least || (growth == least && cost < cheapest)) {
                found = true;
                least = growth;
                cheapest = cost;
                *first = i;
                *second = j;
            }
        }
}

static bool path_by_steps(const tni_einsum *einsum, const tni_einsum_set *wide, bool in_turn, tni_einsum_step *steps) {
    int64_t count = einsum->count;
    path_term *terms = tni_heap_alloc((size_t)count * sizeof *terms);
    if (!terms)
        return false;
    for (int64_t i = 0; i < count; i++)
        terms[i] = (path_term){i, wide[i], path_elements(einsum, wide[i])};
    for (int64_t step = 0, left = count; left > 1; step++, left--) {
        int64_t i = 0, j = 1;
        if (!in_turn && left > 2)
            path_choose(einsum, terms, left, &i, &j);
        tni_einsum_set joined = path_join(einsum, terms, left, i, j);
        double made = path_elements(einsum, joined);
        steps[step] = (tni_einsum_step){terms[i].number, terms[j].number,
                                        path_elements(einsum, tni_einsum_either(terms[i].labels, terms[j].labels)), made};
        terms[i] = (path_term){count + step, joined, made};
        memmove(terms + j, terms + j + 1, (size_t)(left - 1 - j) * sizeof *terms);
    }
    tni_heap_free(terms, (size_t)count * sizeof *terms);
    return true;
}

bool tni_einsum_order(const tni_einsum *einsum, const tni_einsum_set *wide, bool in_turn, tni_einsum_step *steps) {
    return in_turn || einsum->count == 2 || einsum->count > EINSUM_BEST ? path_by_steps(einsum, wide, in_turn, steps)
                                                                        : path_best(einsum, wide, steps);
}

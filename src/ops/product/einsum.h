/* einsum.h - what an equation says of its tensors, and in which order they are contracted.
 *
 * A label is a number: 0 to 51 the letters A to Z and a to z, which is their order where the output is implicit, then the dimensions that
 * an ellipsis stands for, the last one of all operands being the same. A set of labels has a bit for each.
 */
#ifndef TNI_EINSUM_H
#define TNI_EINSUM_H

#include "base/say.h"
#include "tensor/tensor.h"

enum { TNI_EINSUM_LETTERS = 52, TNI_EINSUM_LABELS = TNI_EINSUM_LETTERS + TN_MAX_DIMS };

typedef struct tni_einsum_set {
    uint64_t word[2];
} tni_einsum_set;

_Static_assert(TNI_EINSUM_LABELS <= 128, "a set has a bit for every label");

static inline bool tni_einsum_has(tni_einsum_set set, int label) { return set.word[label / 64] >> (label % 64) & 1; }
static inline void tni_einsum_add(tni_einsum_set *set, int label) { set->word[label / 64] |= UINT64_C(1) << (label % 64); }
static inline tni_einsum_set tni_einsum_either(tni_einsum_set a, tni_einsum_set b) {
    return (tni_einsum_set){{a.word[0] | b.word[0], a.word[1] | b.word[1]}};
}
static inline tni_einsum_set tni_einsum_both(tni_einsum_set a, tni_einsum_set b) {
    return (tni_einsum_set){{a.word[0] & b.word[0], a.word[1] & b.word[1]}};
}

/* The labels of a tensor's dimensions, and those of them whose size is not 1. */
typedef struct tni_einsum_labels {
    int ndim;
    uint8_t label[TNI_EINSUM_LABELS]; /* of which a tensor has TN_MAX_DIMS at most */
    tni_einsum_set wide;
} tni_einsum_labels;

typedef struct tni_einsum {
    const char *equation;
    int64_t count;               /* of operands */
    tni_einsum_labels *operands; /* a label may be there twice */
    int ellipsis;                /* dimensions that it stands for, at most */
    tni_einsum_labels output;    /* `wide` has all of its labels */
    int64_t size[TNI_EINSUM_LABELS];
} tni_einsum;

/* Reads an equation for these tensors. False, with an error that names the character (from 1), where it does not fit them. */
bool tni_einsum_begin(tni_einsum *einsum, const char *equation, const tn_tensor *const *tensors, int64_t count);
void tni_einsum_end(tni_einsum *einsum);

/* A label in words: a letter, or for a dimension of the ellipsis its number in brackets, counted from the last. */
void tni_einsum_show(const tni_einsum_labels *labels, tni_said *said);

/* Which two are contracted next. Operands are numbered from 0, the result of the first step is number `count`, and so on. */
typedef struct tni_einsum_step {
    int64_t left, right;
    double cost; /* multiplications */
    double made; /* elements of the result */
} tni_einsum_step;

/* The order for operands that have these labels: count - 1 steps. The fewest multiplications, and of such orders the one whose results
 * have the fewest elements, for up to EINSUM_BEST operands; for more, each step takes the pair whose result grows least. `in_turn`: from
 * left to right instead. False, raised, for want of memory. */
bool tni_einsum_order(const tni_einsum *einsum, const tni_einsum_set *wide, bool in_turn, tni_einsum_step *steps);

#endif

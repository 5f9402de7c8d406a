/* einsum.c - sums of products of any number of tensors, as an equation says: einsum, and what explains it.
 *
 * Each operand is first brought down to what it contributes: a label that it has twice becomes a diagonal, one that nothing else has is
 * summed over. Then two at a time, in the order that einsum_path.c finds, are aligned, by views alone, and contracted: by sumproduct,
 * which is one batch of matrix products and copies only what strides cannot say (contract.h), or by mul where nothing is summed over.
 * With one operand that is not summed over the result is a view, as in PyTorch.
 *
 * The steps are public operators, so whatever sees operators sees them; the explanation runs the same steps on tensors of the meta
 * device with the sizes and strides of the operands.
 *
 * Operands of different dtypes are contracted from left to right, as in PyTorch: what is multiplied is promoted, what is summed over
 * must have one dtype. So are integers of which something is summed over alone: such sums are int64, and so is what they meet.
 */
#include <tenon/einsum.h>

#include "base/error.h"
#include "base/heap.h"
#include "dispatch/composite.h"
#include "operators_arithmetic.h"
#include "operators_copy.h"
#include "operators_product.h"
#include "operators_reduce.h"
#include "operators_view.h"
#include "ops/product/contract.h"
#include "ops/product/einsum.h"
#include "tensor/check.h"

typedef struct einsum_term {
    const tn_tensor *tensor;
    tn_tensor *made; /* the same where it was made here; NULL for an operand of the call */
    tni_einsum_labels labels;
    bool summed; /* to int64 */
} einsum_term;

typedef struct einsum_run {
    tni_einsum einsum;
    tni_einsum_labels all; /* every label there is: those of the output, then the others */
    einsum_term *terms;    /* the operands, then the results of the steps */
    tni_einsum_set *wide;
    tni_einsum_step *steps;
    size_t bytes;
    tni_said *said; /* NULL unless it is explained */
    int64_t copies, moved;
    double cost, largest;
} einsum_run;

/* ---- terms */

/* Lets a term go on with a tensor that was made from its own. False where there is none. */
static bool einsum_become(einsum_term *term, tn_tensor *made) {
    if (!made)
        return false;
    tn_release(term->made);
    term->tensor = term->made = made;
    return true;
}

static void einsum_remove(tni_einsum_labels *labels, int d) {
    labels->ndim--;
    memmove(labels->label + d, labels->label + d + 1, (size_t)(labels->ndim - d));
}

/* A label that is there twice becomes the diagonal of its dimensions, which is the last one then. */
static bool einsum_take_diagonals(einsum_term *term) {
    tni_einsum_labels *labels = &term->labels;
    for (int d = 0; d < labels->ndim; d++)
        for (int e = 0; e < d; e++)
            if (labels->label[e] == labels->label[d]) {
                uint8_t label = labels->label[d];
                if (!einsum_become(term, tn_diagonal(term->tensor, 0, e, d)))
                    return false;
                einsum_remove(labels, d);
                einsum_remove(labels, e);
                labels->label[labels->ndim++] = label;
                d = e = 0; /* from the start: places have changed */
            }
    return true;
}

static void einsum_say_term(einsum_run *run, int64_t number, const einsum_term *term) {
    tni_say(run->said, "%" PRId64 " %s", number, tni_show_dims(term->tensor->sizes, term->tensor->ndim));
    tni_say(run->said, "%s", term->labels.ndim ? " " : "");
    tni_einsum_show(&term->labels, run->said);
}

/* A tensor with new dimensions of size 1 behind its own, made as PyTorch makes them: their strides are 1. */
static tn_tensor *einsum_pad(const tn_tensor *tensor, int64_t ndim) {
    tn_tensor *padded = NULL;
    while (tensor && tensor->ndim < ndim) {
        tn_tensor *longer = tn_unsqueeze(tensor, -1);
        tn_release(padded);
        tensor = padded = longer;
    }
    return padded;
}

/* A term with exactly these labels for its dimensions, in order, and size 1 for those that it has not: a view, or the tensor itself. New
 * dimensions are put behind the others before all are brought into order. Where the tensor is multiplied or summed, the layout of the
 * result depends also on the strides of those (`exact`). */
static const tn_tensor *einsum_align(const einsum_term *term, const tni_einsum_labels *space, bool exact) {
    int64_t order[TN_MAX_DIMS], sizes[TN_MAX_DIMS], place[TNI_EINSUM_LABELS], count = 0;
    bool in_order = true;
    for (int s = 0; s < space->ndim; s++)
        place[space->label[s]] = -1;
    for (int d = 0; d < term->labels.ndim; d++)
        if (tni_einsum_has(space->wide, term->labels.label[d])) {
            place[term->labels.label[d]] = count;
            sizes[count++] = term->tensor->sizes[d];
        } /* else it is of size 1, and not in the space */
    bool same = count == space->ndim && count == term->labels.ndim;
    exact = exact && count == term->labels.ndim;
    for (int s = 0; s < space->ndim; s++) {
        if (place[space->label[s]] < 0) {
            place[space->label[s]] = count;
            sizes[count++] = 1;
        }
        order[s] = place[space->label[s]];
        in_order = in_order && order[s] == s;
    }
    const tn_tensor *padded = same    ? term->tensor
                              : exact ? einsum_pad(term->tensor, count)
                                      : tn_view(term->tensor, (tn_dims){sizes, count});
    if (in_order || !padded)
        return padded;
    tn_tensor *aligned = tn_permute(padded, (tn_dims){order, count});
    if (!same)
        tn_release((tn_tensor *)(uintptr_t)padded);
    return aligned;
}

/* Lets a term have the labels of `space` for its dimensions. */
static bool einsum_realign(einsum_term *term, const tni_einsum_labels *space) {
    const tn_tensor *aligned = einsum_align(term, space, true);
    tni_einsum_set wide = term->labels.wide;
    if (aligned && aligned != term->tensor)
        einsum_become(term, (tn_tensor *)(uintptr_t)aligned);
    term->labels = *space;
    term->labels.wide = wide;
    return aligned != NULL;
}

/* All labels where a tensor can have so many dimensions, else those of the term, in the order of all. */
static void einsum_order_labels(const einsum_run *run, const einsum_term *term, bool own, tni_einsum_labels *space) {
    tni_einsum_set there = {{0, 0}};
    for (int d = 0; d < term->labels.ndim; d++)
        tni_einsum_add(&there, term->labels.label[d]);
    *space = run->all;
    if (!own && run->all.ndim <= TN_MAX_DIMS)
        return;
    space->ndim = 0;
    space->wide = there;
    for (int i = 0; i < run->all.ndim; i++)
        if (tni_einsum_has(there, run->all.label[i]))
            space->label[space->ndim++] = run->all.label[i];
}

/* Sums over the labels that neither the output nor another operand has, after the dimensions have been brought into the order of all
 * labels, so that the sum lies in memory as in PyTorch. */
static bool einsum_sum_alone(einsum_run *run, int64_t number) {
    einsum_term *term = &run->terms[number];
    const tni_einsum *einsum = &run->einsum;
    int64_t dims[TN_MAX_DIMS], count = 0;
    tni_einsum_labels space;
    tni_einsum_set others = einsum->output.wide;
    for (int64_t i = 0; i < einsum->count; i++)
        if (i != number)
            others = tni_einsum_either(others, einsum->operands[i].wide);
    if (!((term->labels.wide.word[0] & ~others.word[0]) | (term->labels.wide.word[1] & ~others.word[1])))
        return true;
    tn_dtype before = (tn_dtype)term->tensor->dtype;
    if (run->said) {
        tni_say(run->said, "sum: ");
        einsum_say_term(run, number, term);
    }
    einsum_order_labels(run, term, false, &space);
    if (!einsum_realign(term, &space))
        return false;
    for (int d = 0; d < space.ndim; d++)
        if (tni_einsum_has(term->labels.wide, space.label[d]) && !tni_einsum_has(others, space.label[d]))
            dims[count++] = d;
    if (!einsum_become(term, tn_sum_dim(term->tensor, (tn_dims){dims, count}, true, TN_DTYPE_DEFAULT)))
        return false;
    term->labels.wide = tni_einsum_both(term->labels.wide, others);
    term->summed = (tn_dtype)term->tensor->dtype != before;
    if (run->said) {
        tni_say(run->said, " -> ");
        einsum_say_term(run, number, term);
        tni_say(run->said, "; no copy\n");
    }
    return true;
}

/* ---- steps */

/* The labels that two terms are aligned to; `wide` has them all, *summed those that both have and nothing after them. The last step has every
 * label there is, where they are not too many: those that are no longer there with size 1. */
static bool einsum_make_space(const einsum_run *run, int64_t step, const einsum_term *left, const einsum_term *right,
                              tni_einsum_labels *space, tni_einsum_set *summed) {
    const tni_einsum *einsum = &run->einsum;
    const tni_einsum_step *now = &run->steps[step];
    tni_einsum_set either = tni_einsum_either(left->labels.wide, right->labels.wide), kept = einsum->output.wide;
    bool last = step == einsum->count - 2;
    for (int64_t i = 0; i < einsum->count + step; i++)
        if (i != now->left && i != now->right && run->terms[i].tensor)
            kept = tni_einsum_either(kept, run->terms[i].labels.wide);
    *summed = (tni_einsum_set){{either.word[0] & ~kept.word[0], either.word[1] & ~kept.word[1]}};
    space->ndim = 0;
    space->wide = (tni_einsum_set){{0, 0}};
    for (int i = 0; i < run->all.ndim; i++) {
        int label = run->all.label[i];
        if (!tni_einsum_has(either, label) && !(last && (i < einsum->output.ndim || run->all.ndim <= TN_MAX_DIMS)))
            continue;
        if (space->ndim == TN_MAX_DIMS) {
            tni_raise(TN_ERROR_SHAPE, "'%.80s': two operands have more than %d labels together", einsum->equation, TN_MAX_DIMS);
            return false;
        }
        space->label[space->ndim++] = (uint8_t)label;
        tni_einsum_add(&space->wide, label);
    }
    return true;
}

/* Before two are summed over: one dtype, that of a sum of integers where one of the two is such a sum. */
static bool einsum_agree(const einsum_run *run, const tni_einsum_step *step, einsum_term *left, einsum_term *right) {
    einsum_term *terms[2] = {left, right};
    for (int t = 0; t < 2; t++)
        if (left->tensor->dtype != right->tensor->dtype && terms[t]->summed &&
            !tn_dtype_is_floating(terms[1 - t]->tensor->dtype) && !tn_dtype_is_complex(terms[1 - t]->tensor->dtype)) {
            if (!einsum_become(terms[1 - t], tn_to(terms[1 - t]->tensor, (tn_dtype)terms[t]->tensor->dtype)))
                return false;
        }
    if (left->tensor->dtype == TN_BOOL && right->tensor->dtype == TN_BOOL) {
        tni_raise(TN_ERROR_DTYPE,
                  "'%.80s': operands are bool, and labels are summed over: convert them, for example to float32",
                  run->einsum.equation);
        return false;
    }
    if (left->tensor->dtype == right->tensor->dtype)
        return true;
    int64_t count = run->einsum.count;
    tni_raise(TN_ERROR_DTYPE,
              "'%.80s': %s %" PRId64 " is %s and operand %" PRId64
              " is %s: where labels are summed over, both have one dtype, so convert "
              "one of them with to()",
              run->einsum.equation, step->left < count ? "operand" : "the result of step",
              step->left < count ? step->left : step->left - count + 1, tn_dtype_name((tn_dtype)left->tensor->dtype),
              step->right, tn_dtype_name((tn_dtype)right->tensor->dtype));
    return false;
}

static void einsum_say_step(einsum_run *run, int64_t step, const tn_tensor *a, const tn_tensor *b, const einsum_term *made,
                            const tn_tensor *product, const bool *summed, bool sums) {
    const tni_einsum_step *now = &run->steps[step];
    tni_say(run->said, "step %" PRId64 ": ", step + 1);
    einsum_say_term(run, now->left, &run->terms[now->left]);
    tni_say(run->said, " and ");
    einsum_say_term(run, now->right, &run->terms[now->right]);
    tni_say(run->said, " -> ");
    einsum_say_term(run, run->einsum.count + step, made);
    tni_say(run->said, ": ");
    run->cost += now->cost;
    run->largest = now->made > run->largest ? now->made : run->largest;
    if (sums)
        run->moved += tni_contract_describe(product, a, b, summed, run->said, &run->copies);
    else
        tni_say(run->said, "multiplied; no copy");
    tni_say(run->said, "\n");
}

/* The labels of what a step made: those that are not summed over, or in the last step those of the output. */
static void einsum_label(const einsum_run *run, const tni_einsum_labels *space, tni_einsum_set summed, bool last,
                         tni_einsum_labels *made) {
    made->ndim = 0;
    for (int s = 0; s < (last ? run->einsum.output.ndim : space->ndim); s++)
        if (!tni_einsum_has(summed, space->label[s]))
            made->label[made->ndim++] = space->label[s];
}

/* Contracts two aligned tensors; the result keeps dimensions that are summed over, with size 1. */
static tn_tensor *einsum_multiply(const tn_tensor *a, const tn_tensor *b, const bool *summed, bool sums) {
    int64_t dims[TN_MAX_DIMS], count = 0;
    for (int64_t d = 0; d < a->ndim; d++)
        if (summed[d])
            dims[count++] = d;
    return sums ? tn_sumproduct(a, b, (tn_dims){dims, count}, true) : tn_mul(a, b);
}

/* A tensor without the dimensions, of size 1, that are not labels of it: a view, or the tensor itself. */
static tn_tensor *einsum_drop_ones(tn_tensor *product, const tni_einsum_labels *space, const tni_einsum_labels *made) {
    int64_t sizes[TN_MAX_DIMS];
    int count = 0;
    if (made->ndim == space->ndim)
        return product;
    for (int s = 0; s < space->ndim && count < made->ndim; s++)
        if (space->label[s] == made->label[count])
            sizes[count++] = product->sizes[s];
    return tn_view(product, (tn_dims){sizes, count});
}

static bool einsum_step(einsum_run *run, int64_t step) {
    const tni_einsum_step *now = &run->steps[step];
    einsum_term *left = &run->terms[now->left], *right = &run->terms[now->right], *made = &run->terms[run->einsum.count + step];
    tni_einsum_labels space;
    tni_einsum_set sum;
    bool summed[TN_MAX_DIMS];
    if (!einsum_make_space(run, step, left, right, &space, &sum))
        return false;
    bool sums = sum.word[0] || sum.word[1];
    if (sums && !einsum_agree(run, now, left, right))
        return false;
    for (int s = 0; s < space.ndim; s++)
        summed[s] = tni_einsum_has(sum, space.label[s]);
    const tn_tensor *a = einsum_align(left, &space, !sums), *b = a ? einsum_align(right, &space, !sums) : NULL;
    if (!b)
        return false;
    tn_tensor *product = einsum_multiply(a, b, summed, sums);
    if (!product)
        return false;
    einsum_label(run, &space, sum, step == run->einsum.count - 2, &made->labels);
    made->tensor = made->made = einsum_drop_ones(product, &space, &made->labels);
    if (!made->made)
        return false;
    made->labels.wide = (tni_einsum_set){{0, 0}};
    for (int d = 0; d < made->labels.ndim; d++)
        if (made->tensor->sizes[d] != 1)
            tni_einsum_add(&made->labels.wide, made->labels.label[d]);
    made->summed = left->summed || right->summed;
    if (run->said)
        einsum_say_step(run, step, a, b, made, product, summed, sums);
    if (product != made->tensor)
        tn_release(product);
    if (a != left->tensor)
        tn_release((tn_tensor *)(uintptr_t)a);
    if (b != right->tensor)
        tn_release((tn_tensor *)(uintptr_t)b);
    for (int t = 0; t < 2; t++) {
        einsum_term *term = t ? right : left;
        tn_release(term->made);
        term->tensor = term->made = NULL;
    }
    return true;
}

/* ---- all */

/* One operand: dimensions in the order of the output, a view; and a sum over the others. */
static tn_tensor *einsum_one(einsum_run *run) {
    einsum_term *term = &run->terms[0];
    tni_einsum_labels space;
    int64_t dims[TN_MAX_DIMS], order[TN_MAX_DIMS], count = 0;
    for (int d = run->einsum.output.ndim; d < term->labels.ndim; d++)
        dims[count++] = d;
    if (run->said) {
        tni_say(run->said, count ? "sum: " : "view: ");
        einsum_say_term(run, 0, term);
    }
    einsum_order_labels(run, term, true, &space);
    for (int d = 0; d < space.ndim; d++)
        for (int e = 0; e < space.ndim; e++)
            if (term->labels.label[e] == space.label[d])
                order[d] = e;
    term->labels = space;
    if (!einsum_become(term, tn_permute(term->tensor, (tn_dims){order, space.ndim})) ||
        (count && !einsum_become(term, tn_sum_dim(term->tensor, (tn_dims){dims, count}, false, TN_DTYPE_DEFAULT))))
        return NULL;
    term->labels.ndim -= (int)count;
    if (run->said) {
        tni_say(run->said, " -> ");
        einsum_say_term(run, 1, term);
        tni_say(run->said, "; no copy\n");
    }
    return term->made;
}

/* Whether the order of the steps is that of the operands: where dtypes depend on it. */
static bool einsum_is_in_turn(const einsum_run *run) {
    bool in_turn = false;
    for (int64_t i = 0; i < run->einsum.count; i++)
        in_turn = in_turn || run->terms[i].tensor->dtype != run->terms[0].tensor->dtype;
    return in_turn;
}

/* The labels of the output, then, as in PyTorch, those of the ellipsis and the letters that it does not have. */
static void einsum_list_labels(einsum_run *run) {
    const tni_einsum *einsum = &run->einsum;
    tni_einsum_set there = {{0, 0}};
    run->all = einsum->output;
    for (int64_t i = 0; i < einsum->count; i++)
        for (int d = 0; d < einsum->operands[i].ndim; d++)
            tni_einsum_add(&there, einsum->operands[i].label[d]);
    for (int i = TNI_EINSUM_LABELS; i-- > 0;) {
        int label = i >= TNI_EINSUM_LETTERS ? i : TNI_EINSUM_LETTERS - 1 - i;
        if (tni_einsum_has(there, label) && !tni_einsum_has(run->all.wide, label))
            run->all.label[run->all.ndim++] = (uint8_t)label;
    }
    run->all.wide = there;
}

static tn_tensor *einsum_contract(einsum_run *run, const tn_tensor *const *tensors) {
    const tni_einsum *einsum = &run->einsum;
    einsum_list_labels(run);
    for (int64_t i = 0; i < 2 * einsum->count - 1; i++)
        run->terms[i].tensor = run->terms[i].made = NULL;
    for (int64_t i = 0; i < einsum->count; i++) {
        run->terms[i].tensor = tensors[i];
        run->terms[i].labels = einsum->operands[i];
        run->terms[i].summed = false;
        if (!einsum_take_diagonals(&run->terms[i]))
            return NULL;
    }
    if (einsum->count == 1)
        return einsum_one(run);
    for (int64_t i = 0; i < einsum->count; i++) {
        if (!einsum_sum_alone(run, i))
            return NULL;
        run->wide[i] = run->terms[i].labels.wide;
    }
    if (!tni_einsum_order(einsum, run->wide, einsum_is_in_turn(run), run->steps))
        return NULL;
    for (int64_t step = 0; step < einsum->count - 1; step++)
        if (!einsum_step(run, step))
            return NULL;
    return run->terms[2 * einsum->count - 2].made;
}

/* The same with the equation to be read. Temporaries stay in the scope that is open. */
static tn_tensor *einsum_compute(const char *equation, const tn_tensor *const *tensors, int64_t count, tni_said *said) {
    einsum_run run = {.said = said};
    tn_tensor *result = NULL;
    if (!tni_einsum_begin(&run.einsum, equation, tensors, count))
        return NULL;
    size_t terms = (size_t)(2 * count - 1) * sizeof *run.terms, wide = (size_t)count * sizeof *run.wide;
    size_t bytes = terms + wide + (size_t)count * sizeof *run.steps;
    char *block = tni_heap_alloc(bytes);
    if (block) {
        run.terms = (einsum_term *)(void *)block;
        run.wide = (tni_einsum_set *)(void *)(block + terms);
        run.steps = (tni_einsum_step *)(void *)(block + terms + wide);
        if (said)
            tni_say(said, "%s\n", equation);
        result = einsum_contract(&run, tensors);
        if (said && result)
            tni_say(said,
                    "in all: %.15g multiplications, %" PRId64 " %s of %" PRId64 " elements, largest result %.15g elements\n",
                    run.cost, run.copies, run.copies == 1 ? "copy" : "copies", run.moved, run.largest);
        tni_heap_free(block, bytes);
    }
    tni_einsum_end(&run.einsum);
    return result;
}

tn_tensor *tni_composite_einsum(const char *equation, const tn_tensor *const *tensors, int64_t tensors_count) {
    return einsum_compute(equation, tensors, tensors_count, NULL);
}

/* ---- the explanation */

/* A tensor of the meta device with the sizes, strides and dtype of another. */
static tn_tensor *einsum_shadow(const tn_tensor *tensor) {
    int64_t lowest, highest;
    tn_geometry_ref from = {tensor->ndim, 0, tensor->sizes, tensor->strides};
    tn_geometry_result found = tn_geometry_extent(from, &lowest, &highest);
    if (found != TN_GEOMETRY_OK)
        return tni_raise_null(TN_ERROR_SHAPE, "operand %s: %s", tni_show_tensor(tensor), tn_geometry_result_text(found));
    return tn_give(tni_tensor_new_strided(tensor->ndim, tensor->sizes, tensor->strides, -lowest, highest - lowest + 1,
                                          (tn_dtype)tensor->dtype, TN_DEVICE(TN_META, 0)));
}

static tn_tensor *einsum_explain(const char *equation, const tn_tensor *const *tensors, int64_t count, tni_said *said) {
    if (!tni_check_text(equation, "equation") || !tni_check_tensors(tensors, count, "tensors"))
        return NULL;
    const tn_tensor **shadows = tni_heap_alloc((size_t)tni_max_i64(count, 1) * sizeof *shadows);
    if (!shadows)
        return NULL;
    bool fine = true;
    for (int64_t i = 0; fine && i < count; i++)
        fine = (shadows[i] = einsum_shadow(tensors[i])) != NULL;
    tn_tensor *result = fine ? einsum_compute(equation, shadows, count, said) : NULL;
    tni_heap_free(shadows, (size_t)tni_max_i64(count, 1) * sizeof *shadows);
    return result;
}

size_t tn_einsum_explain(const char *equation, const tn_tensor *const *tensors, int64_t count, char *buffer, size_t size) {
    tni_said said = {buffer, buffer ? size : 0, 0};
    const char *outer = tni_operator_enter("einsum");
    if (said.size)
        buffer[0] = 0;
    tn_scope scope = tni_composite_begin();
    bool fine = scope.id != 0;
    if (fine) {
        fine = einsum_explain(equation, tensors, count, &said) != NULL;
        tni_composite_end_answer(scope, fine ? TN_OK : tni_failed());
    }
    tni_operator_leave(outer);
    if (!fine && said.size)
        buffer[0] = 0;
    return fine ? said.length : 0;
}

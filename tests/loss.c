/* loss.c - losses against their formulas, element by element.
 *
 * Tests: src/ops/nn/loss_classes.c, src/ops/nn/loss_ctc.c, src/ops/nn/loss_entropy.c */
#include <math.h>

#include "test.h"

#include "autograd_helpers.h"

#include <tenon/tenon.h>

static tn_tensor *numbers(tn_dims sizes) { return tn_randn(sizes, TN_FLOAT64, NULL); }

typedef double (*loss_model)(double x, double t);
static double model_square(double x, double t) { return (x - t) * (x - t); }
static double model_apart(double x, double t) { return fabs(x - t); }
static double model_smooth(double x, double t) { return fabs(x - t) < 0.5 ? (x - t) * (x - t) : fabs(x - t) - 0.25; }
static double model_huber(double x, double t) {
    return fabs(x - t) <= 0.5 ? (x - t) * (x - t) / 2 : 0.5 * (fabs(x - t) - 0.25);
}
static double model_logits(double x, double t) { return log1p(exp(-x)) + (1 - t) * x; }
static double model_soft(double x, double t) { return log1p(exp(-t * x)); }
static double model_kl(double x, double t) { return exp(t) * (t - x); }

static tn_tensor *loss_call(int which, const tn_tensor *x, const tn_tensor *t, int64_t reduction) {
    switch (which) {
    case 0: return tn_mse_loss(x, t, reduction);
    case 1: return tn_l1_loss(x, t, reduction);
    case 2: return tn_smooth_l1_loss(x, t, reduction, 0.5);
    case 3: return tn_huber_loss(x, t, reduction, 0.5);
    case 4: return tn_binary_cross_entropy_with_logits(x, t, NULL, NULL, reduction);
    case 5: return tn_soft_margin_loss(x, t, reduction);
    default: return tn_kl_div(x, t, reduction, true);
    }
}

TEST_SAMPLED(losses_of_elements_follow_their_formulas) {
    static const loss_model models[] = {model_square, model_apart, model_smooth, model_huber,
                                        model_logits, model_soft,  model_kl};
    CHECK(tn_manual_seed(1) == TN_OK);
    for (int which = 0; which < 7; which++) {
        tn_tensor *x = tn_t(numbers(TN_DIMS(3, 4))), *t = numbers(TN_DIMS(4, 3));
        CHECK(x && t);
        tn_tensor *each = loss_call(which, x, t, 0), *mean = loss_call(which, x, t, 1), *sum = loss_call(which, x, t, 2);
        CHECK(each && mean && sum);
        double all = 0;
        for (int64_t i = 0; i < 12; i++) {
            tn_dims at = TN_DIMS(i / 3, i % 3);
            double want = models[which](tn_get_double(x, at), tn_get_double(t, at));
            CHECK(fabs(tn_get_double(each, at) - want) < 1e-12);
            all += want;
        }
        CHECK(fabs(tn_item_double(sum) - all) < 1e-10);
        CHECK(fabs(tn_item_double(mean) - all / 12) < 1e-10);
    }
}

/* x: (2, 3, 4), classes are dimension 1 */
TEST_SAMPLED(cross_entropy_weighs_ignores_and_smooths) {
    CHECK(tn_manual_seed(2) == TN_OK);
    static const int64_t classes[8] = {0, 2, 1, 1, 2, 2, 0, 1};
    for (int mask = 0; mask < 8; mask++) {
        tn_scope scope = tn_scope_open();
        tn_tensor *x = numbers(TN_DIMS(2, 3, 4)), *w = tn_from_text("[0.5, 1, 2]", TN_FLOAT64);
        tn_tensor *t = tn_from_memory(classes, TN_DIMS(2, 4), TN_INT64, TN_BORROW);
        double smoothing = mask & 1 ? 0.2 : 0, sum = 0, weights = 0;
        int64_t ignored = mask & 2 ? 1 : -100;
        for (int64_t b = 0; b < 2; b++)
            for (int64_t i = 0; i < 4; i++) {
                int64_t c = classes[b * 4 + i];
                double exps = 0, smooth = 0;
                for (int64_t k = 0; k < 3; k++)
                    exps += exp(tn_get_double(x, TN_DIMS(b, k, i)));
                for (int64_t k = 0; k < 3; k++)
                    smooth -= (mask & 4 ? tn_get_double(w, TN_DIMS(k)) : 1) * (tn_get_double(x, TN_DIMS(b, k, i)) - log(exps));
                double weight = c == ignored ? 0 : mask & 4 ? tn_get_double(w, TN_DIMS(c)) : 1;
                weights += weight;
                sum -= (1 - smoothing) * weight * (tn_get_double(x, TN_DIMS(b, c, i)) - log(exps));
                sum += c == ignored ? 0 : smoothing / 3 * smooth;
            }
        tn_tensor *made = tn_cross_entropy_loss(x, t, mask & 4 ? w : NULL, 1, ignored, smoothing);
        CHECK(made && fabs(tn_item_double(made) - sum / weights) < 1e-10);
        tn_tensor *chances = tn_movedim(tn_to(tn_one_hot(t, 3), TN_FLOAT64), TN_DIMS(-1), TN_DIMS(1));
        tn_tensor *soft = tn_cross_entropy_loss(x, chances, mask & 4 ? w : NULL, 2, -100, smoothing);
        tn_tensor *hard = tn_cross_entropy_loss(x, t, mask & 4 ? w : NULL, 2, -100, smoothing);
        CHECK(soft && hard && fabs(tn_item_double(soft) - tn_item_double(hard)) < 1e-10);
        CHECK(tn_scope_close(scope) == TN_OK);
    }
}

static tn_value entropy_no_weight(void) { return tn_value_none(); }

/* Scores with gradients go the fused way; where the weights or the chances have some too, the way of public operators. */
TEST_SAMPLED(cross_entropy_has_its_derivatives) {
    static const int64_t classes[6] = {0, 2, 1, 1, 2, 3};
    for (int mask = 0; mask < 36; mask++) {
        tn_scope scope = tn_scope_open();
        int64_t reduction = mask % 3, ignored = mask & 4 ? 1 : -100;
        double smoothing = mask % 2 ? 0.3 : 0;
        tn_tensor *x = grad_strided(grad_input(2, 4, 3), mask % 4),
                  *t = tn_from_memory(classes, TN_DIMS(2, 3), TN_INT64, TN_BORROW);
        tn_tensor *w = mask / 3 % 4 == 3 ? grad_positive(4) : tn_from_text("[0.5, 1, 2, 0.25]", TN_FLOAT64);
        tn_tensor *chances = tn_softmax(tn_detach(grad_input(2, 4, 3)), 1, TN_DTYPE_DEFAULT);
        CHECK(x && t && w && chances);
        tn_value weight = mask / 3 % 2 ? TN_V(w) : entropy_no_weight();
        tn_value target = mask < 24 ? TN_V(t) : TN_V(mask < 30 ? chances : tn_requires_grad_(tn_detach(chances), true));
        CHECK_GRADIENTS("cross_entropy_loss", TN_VALUES(x, target, weight, reduction, ignored, smoothing));
        CHECK(tn_scope_close(scope) == TN_OK);
    }
    tn_tensor *line = grad_input(5), *one = tn_full(TN_DIMS(), 3, TN_INT64);
    CHECK(line && one);
    CHECK_GRADIENTS("cross_entropy_loss", TN_VALUES(line, one, entropy_no_weight(), 1, -100, 0.1));
}

/* Lines of several blocks, of one and of many in a block, against their parts. */
TEST_SAMPLED(cross_entropy_is_the_same_for_all_lengths_dtypes_and_strides) {
    static const int64_t lengths[] = {1, 3, 65, 1500};
    static const tn_dtype dtypes[] = {TN_FLOAT32, TN_FLOAT64, TN_FLOAT16, TN_BFLOAT16};
    CHECK(tn_manual_seed(5) == TN_OK);
    for (int mask = 0; mask < 16; mask++) {
        tn_scope scope = tn_scope_open();
        int64_t count = lengths[mask % 4];
        tn_dtype dtype = dtypes[mask / 4];
        double off = dtype == TN_FLOAT64 ? 1e-12 : dtype == TN_FLOAT32 ? 1e-5 : dtype == TN_FLOAT16 ? 4e-3 : 3e-2;
        tn_tensor *x = tn_requires_grad_(tn_to(tn_add_scalar(tn_randn(TN_DIMS(9, count), TN_FLOAT64, NULL), 20), dtype), true);
        tn_tensor *wide = tn_requires_grad_(tn_to(tn_detach(x), TN_FLOAT64), true);
        tn_tensor *t = tn_remainder_scalar(tn_arange(9, TN_INT64), count);
        tn_tensor *made = x ? tn_cross_entropy_loss(tn_transpose(tn_contiguous(tn_transpose(x, 0, 1), TN_CONTIGUOUS), 0, 1), t,
                                                    NULL, 1, -100, 0.125)
                            : NULL;
        tn_tensor *logs = wide ? tn_log_softmax(wide, 1, TN_DTYPE_DEFAULT) : NULL;
        tn_tensor *sharp = logs ? tn_nll_loss_nd(logs, t, NULL, 1, -100) : NULL;
        tn_tensor *wanted =
            sharp ? tn_sub(tn_mul_scalar(sharp, 0.875), tn_mul_scalar(tn_mean(logs, TN_DTYPE_DEFAULT), 0.125)) : NULL;
        CHECK(made && wanted && tn_dtype_of(made) == dtype);
        CHECK(fabs(tn_item_double(made) - tn_item_double(wanted)) <= off * fabs(tn_item_double(wanted)) + 1e-15);
        CHECK(tn_backward(made, NULL) == TN_OK && tn_backward(wanted, NULL) == TN_OK);
        CHECK(tn_allclose(tn_to(tn_tensor_grad(x), TN_FLOAT64), tn_tensor_grad(wide), off, off / 9, false));
        CHECK(tn_scope_close(scope) == TN_OK);
    }
}

TEST(what_cross_entropy_ignores_gives_no_loss_and_no_gradient_whatever_its_scores) {
    tn_tensor *x = tn_requires_grad_(tn_from_text("[[nan, 1, inf], [0, 0, 0]]", TN_FLOAT32), true);
    tn_tensor *t = TN_VECTOR(int64_t, 7, 2);
    CHECK(x && t);
    tn_tensor *loss = tn_cross_entropy_loss(x, t, NULL, 1, 7, 0);
    CHECK(loss && fabs(tn_item_double(loss) - log(3.0)) < 1e-6 && tn_backward(loss, NULL) == TN_OK);
    for (int i = 0; i < 3; i++)
        CHECK_DOUBLE(tn_get_double(tn_tensor_grad(x), TN_DIMS(0, i)), 0);
    CHECK(fabs(tn_get_double(tn_tensor_grad(x), TN_DIMS(1, 2)) + 2.0 / 3) < 1e-6);
    tn_tensor *none = tn_cross_entropy_loss(tn_detach(x), TN_VECTOR(int64_t, 7, 7), NULL, 1, 7, 0);
    CHECK(none && isnan(tn_item_double(none)));
    CHECK_ERROR(TN_ERROR_INDEX, "class -1", tn_cross_entropy_loss(x, TN_VECTOR(int64_t, 0, -1), NULL, 1, 7, 0));
}

TEST(margins_of_classes_count_what_is_too_near) {
    tn_tensor *x = tn_from_text("[[0.1, 0.2, 0.4, 0.8]]", TN_FLOAT64), *t = TN_VECTOR(int64_t, 3),
              *labels = tn_from_text("[[3, 0, -1, 1]]", TN_INT64);
    CHECK(x && t && labels);
    tn_tensor *multi = tn_multi_margin_loss(x, t, 1, 1, NULL, 1), *label = tn_multilabel_margin_loss(x, labels, 1);
    CHECK(multi && label);
    CHECK(fabs(tn_item_double(multi) - (0.3 + 0.4 + 0.6) / 4) < 1e-12);
    CHECK(fabs(tn_item_double(label) - 0.85) < 1e-12); /* the example of PyTorch's documentation */
}

TEST(losses_of_pairs_and_triples) {
    tn_tensor *a = tn_from_text("[[1, 0], [3, 4]]", TN_FLOAT64), *b = tn_from_text("[[0, 1], [3, 4]]", TN_FLOAT64),
              *t = tn_from_text("[-1, 1]", TN_FLOAT64);
    CHECK(a && b && t);
    tn_tensor *cosine = tn_cosine_embedding_loss(a, b, t, 0, 2),
              *rank = tn_margin_ranking_loss(tn_select(a, 1, 0), tn_select(b, 1, 0), t, 0.5, 0);
    tn_tensor *hinge = tn_hinge_embedding_loss(tn_from_text("[0.25, 2]", TN_FLOAT64), t, 1, 0),
              *triple = tn_triplet_margin_loss(a, a, b, 1, 2, 0, false, 0);
    CHECK(cosine && rank && hinge && triple);
    CHECK(fabs(tn_item_double(cosine)) < 1e-9);
    CHECK_DOUBLE(tn_get_double(rank, TN_DIMS(0)), 1.5);
    CHECK_DOUBLE(tn_get_double(hinge, TN_DIMS(0)), 0.75);
    CHECK_DOUBLE(tn_get_double(hinge, TN_DIMS(1)), 2);
    CHECK_DOUBLE(tn_get_double(triple, TN_DIMS(0)), 0);
    CHECK_DOUBLE(tn_get_double(triple, TN_DIMS(1)), 1);
}

TEST(losses_that_cannot_be_are_refused) {
    tn_tensor *x = tn_ones(TN_DIMS(2, 3), TN_FLOAT32), *t = TN_VECTOR(int64_t, 0, 2);
    CHECK(x && t);
    CHECK_ERROR(TN_ERROR_ARGUMENT, "reduction is 3", tn_mse_loss(x, x, 3));
    CHECK_ERROR(TN_ERROR_ARGUMENT, "beta is -1", tn_smooth_l1_loss(x, x, 1, -1));
    CHECK_ERROR(TN_ERROR_ARGUMENT, "delta is 0", tn_huber_loss(x, x, 1, 0));
    CHECK_ERROR(TN_ERROR_ARGUMENT, "not between 0 and 1", tn_binary_cross_entropy(tn_mul_scalar(x, 2), x, NULL, 1));
    CHECK_ERROR(TN_ERROR_SHAPE, "without its classes, dimension 1",
                tn_cross_entropy_loss(x, TN_VECTOR(int64_t, 0), NULL, 1, -100, 0));
    CHECK_ERROR(TN_ERROR_INDEX, "", tn_cross_entropy_loss(x, TN_VECTOR(int64_t, 0, 3), NULL, 1, -100, 0));
    CHECK_ERROR(TN_ERROR_SHAPE, "for each of the 3 classes", tn_nll_loss_nd(x, t, tn_ones(TN_DIMS(2), TN_FLOAT32), 1, -100));
}

/* ---- ctc_loss against every alignment there is */

enum { CTC_STEPS = 5, CTC_CLASSES = 3 };

/* The chance of a target: of all ways through the steps that give it, when repeats and blanks are left out. */
static double ctc_naive(const double *logs, int64_t batch, int64_t at, int64_t steps, const int64_t *target, int64_t length,
                        int64_t blank) {
    int64_t ways = 1;
    double chance = 0;
    for (int64_t t = 0; t < steps; t++)
        ways *= CTC_CLASSES;
    for (int64_t way = 0; way < ways; way++) {
        int64_t rest = way, before = -1, found = 0;
        bool same = true;
        double sum = 0;
        for (int64_t t = 0; t < steps; t++, rest /= CTC_CLASSES) {
            int64_t class = rest % CTC_CLASSES;
            sum += logs[(t * batch + at) * CTC_CLASSES + class];
            if (class != blank && class != before) {
                same = same && found < length && target[found] == class;
                found++;
            }
            before = class;
        }
        if (same && found == length)
            chance += exp(sum);
    }
    return -log(chance);
}

TEST_SAMPLED(ctc_loss_counts_every_alignment) {
    for (int64_t blank = 0; blank < CTC_CLASSES; blank++) {
        int64_t one = (blank + 1) % CTC_CLASSES, two = (blank + 2) % CTC_CLASSES;
        int64_t rows[2][3] = {{one, one, two}, {two, -7, -7}}, steps[2] = {CTC_STEPS, 3}, lengths[2] = {3, 1};
        int64_t joined[4] = {one, one, two, two};
        tn_tensor *x = tn_log_softmax(tn_detach(grad_input(CTC_STEPS, 2, CTC_CLASSES)), 2, TN_DTYPE_DEFAULT);
        tn_tensor *padded = tn_from_memory(rows, TN_DIMS(2, 3), TN_INT64, TN_BORROW);
        tn_tensor *flat = tn_from_memory(joined, TN_DIMS(4), TN_INT64, TN_BORROW);
        tn_tensor *long_lengths = tn_from_memory(steps, TN_DIMS(2), TN_INT64, TN_BORROW);
        tn_tensor *class_lengths = tn_from_memory(lengths, TN_DIMS(2), TN_INT64, TN_BORROW);
        CHECK(x && padded && flat && long_lengths && class_lengths);
        tn_tensor *losses = tn_ctc_loss_tensor(x, padded, long_lengths, class_lengths, blank, 0, false);
        tn_tensor *again = tn_ctc_loss(x, flat, TN_DIMS(CTC_STEPS, 3), TN_DIMS(3, 1), blank, 0, false);
        CHECK(losses && again && tn_equal(losses, again));
        double sum = 0;
        for (int64_t b = 0; losses && b < 2; b++) {
            double naive = ctc_naive(tn_data(x), 2, b, steps[b], rows[b], lengths[b], blank);
            CHECK(fabs(((const double *)tn_data(losses))[b] - naive) < 1e-9);
            sum += naive / (double)lengths[b];
        }
        tn_tensor *mean = tn_ctc_loss_tensor(x, padded, long_lengths, class_lengths, blank, 1, false);
        CHECK(mean && fabs(tn_item_double(mean) - sum / 2) < 1e-9);
        tn_tensor *alone = tn_ctc_loss(tn_select(x, 1, 1), tn_narrow(tn_select(padded, 0, 1), 0, 0, 1), TN_DIMS(3), TN_DIMS(1),
                                       blank, 0, false);
        CHECK(alone && tn_ndim(alone) == 0 && losses && tn_item_double(alone) == ((const double *)tn_data(losses))[1]);
    }
}

/* As many steps as classes: one alignment. The same class twice needs a step between: there is none. */
TEST_SAMPLED(ctc_loss_takes_long_targets_and_many_of_them) {
    enum { LONG = 1100, MANY = 70 };
    int64_t steps[MANY], lengths[MANY];
    for (int64_t b = 0; b < MANY; b++)
        steps[b] = lengths[b] = LONG - b;
    tn_tensor *numbers = tn_arange(LONG, TN_INT64), *order = tn_add_scalar(tn_remainder_scalar(numbers, 2), 1);
    tn_tensor *targets = tn_expand(order, TN_DIMS(MANY, LONG));
    tn_tensor *x = tn_expand(tn_from_text("[-1, -2, -0.5]", TN_FLOAT64), TN_DIMS(LONG, MANY, 3));
    tn_tensor *long_lengths = tn_from_memory(steps, TN_DIMS(MANY), TN_INT64, TN_BORROW);
    tn_tensor *class_lengths = tn_from_memory(lengths, TN_DIMS(MANY), TN_INT64, TN_BORROW);
    CHECK(targets && x && long_lengths && class_lengths);
    tn_tensor *losses = tn_ctc_loss_tensor(x, targets, long_lengths, class_lengths, 0, 0, false);
    CHECK(losses && tn_numel(losses) == MANY);
    for (int64_t b = 0; losses && b < MANY; b++) {
        double expected = (double)((LONG - b + 1) / 2) * 2 + (double)((LONG - b) / 2) * 0.5;
        CHECK(fabs(((const double *)tn_data(losses))[b] - expected) < 1e-8 * expected);
    }
    steps[0] = LONG - 1;
    losses = tn_ctc_loss_tensor(x, targets, long_lengths, class_lengths, 0, 0, false);
    CHECK(losses && isinf(((const double *)tn_data(losses))[0]));
}

static tn_list *ctc_of_scores(void *ctx, const tn_tensor *const *inputs, int64_t count) {
    (void)ctx, (void)count;
    tn_tensor *targets = tn_from_text("[[1, 1, 2], [2, 0, 0]]", TN_INT64);
    tn_tensor *logs = tn_log_softmax(inputs[0], 2, TN_DTYPE_DEFAULT);
    tn_tensor *loss = logs && targets ? tn_ctc_loss(logs, targets, TN_DIMS(4, 3), TN_DIMS(3, 1), 0, 0, false) : NULL;
    return loss ? tn_list_new((const tn_tensor *[]){loss}, 1) : NULL;
}

TEST_SAMPLED(ctc_loss_has_its_derivative_behind_log_softmax) {
    tn_tensor *x = grad_input(4, 2, 3);
    CHECK(x && tn_gradcheck(ctc_of_scores, NULL, (const tn_tensor *[]){x}, 1, NULL) == TN_OK);
}

TEST(a_sequence_that_cannot_be_has_an_infinite_loss_or_counts_nothing) {
    tn_tensor *x = tn_requires_grad_(tn_zeros(TN_DIMS(2, 1, 3), TN_FLOAT32), true),
              *targets = tn_from_text("[[1, 1]]", TN_INT64);
    CHECK(x && targets);
    tn_tensor *never = tn_ctc_loss(x, targets, TN_DIMS(2), TN_DIMS(2), 0, 2, false);
    CHECK(never && isinf(tn_item_double(never)));
    tn_tensor *nothing = tn_ctc_loss(x, targets, TN_DIMS(2), TN_DIMS(2), 0, 2, true);
    CHECK(nothing && tn_item_double(nothing) == 0 && tn_backward(nothing, NULL) == TN_OK);
    tn_tensor *grad = tn_tensor_grad(x);
    CHECK(grad && tn_equal(grad, tn_zeros(TN_DIMS(2, 1, 3), TN_FLOAT32)));
    tn_tensor *empty = tn_ctc_loss(x, targets, TN_DIMS(0), TN_DIMS(0), 0, 2, false);
    CHECK(empty && tn_item_double(empty) == 0);
}

TEST(ctc_loss_refuses_lengths_and_classes_that_do_not_fit) {
    tn_tensor *x = tn_zeros(TN_DIMS(2, 1, 3), TN_FLOAT32), *targets = tn_from_text("[[1, 3]]", TN_INT64);
    tn_tensor *flat = tn_from_text("[1, 2]", TN_INT64);
    CHECK(x && targets && flat);
    CHECK_ERROR(TN_ERROR_SHAPE, "sequence 0 has input_length 3", tn_ctc_loss(x, targets, TN_DIMS(3), TN_DIMS(1), 0, 0, false));
    CHECK_ERROR(TN_ERROR_SHAPE, "target_length 3", tn_ctc_loss(x, targets, TN_DIMS(2), TN_DIMS(3), 0, 0, false));
    CHECK_ERROR(TN_ERROR_SHAPE, "add up to something else than the 2",
                tn_ctc_loss(x, flat, TN_DIMS(2), TN_DIMS(1), 0, 0, false));
    CHECK_ERROR(TN_ERROR_SHAPE, "do not fit log_probs", tn_ctc_loss(x, flat, TN_DIMS(2, 2), TN_DIMS(1), 0, 0, false));
    CHECK_ERROR(TN_ERROR_INDEX, "the class 3; there are 3", tn_ctc_loss(x, targets, TN_DIMS(2), TN_DIMS(2), 0, 0, false));
    CHECK_ERROR(TN_ERROR_INDEX, "blank 3", tn_ctc_loss(x, flat, TN_DIMS(2), TN_DIMS(2), 3, 0, false));
    CHECK_ERROR(TN_ERROR_DTYPE, "must be int64 or int32",
                tn_ctc_loss(x, tn_to(flat, TN_FLOAT32), TN_DIMS(2), TN_DIMS(2), 0, 0, false));
}

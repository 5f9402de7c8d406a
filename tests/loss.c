/* loss.c - losses against their formulas, element by element.
 *
 * Tests: src/ops/nn/loss_classes.c */
#include <math.h>

#include "test.h"

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

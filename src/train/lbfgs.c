/* lbfgs.c - L-BFGS: a direction from the last changes of parameters and gradients, then a step along it, of a fixed length or found by
 * a line search that wants the strong Wolfe conditions (Nocedal and Wright, Numerical Optimization, chapters 3 and 7; constants and
 * order of operations as in torch.optim.LBFGS).
 *
 * All parameters are one long vector here. The closure is the program's; whatever it raises ends the step, and the parameters stay
 * where the search has left them. What the next step wants is in tni_lbfgs, in a form that can be taken out as named tensors.
 */
#include <math.h>
#include <string.h>

#include "base/error.h"
#include "base/heap.h"
#include "base/scope.h"
#include "operators_arithmetic.h"
#include "operators_copy.h"
#include "operators_create.h"
#include "operators_join.h"
#include "operators_product.h"
#include "operators_reduce.h"
#include "operators_view.h"
#include "train/optimizer.h"

enum { LBFGS_LR, LBFGS_MAX_ITER, LBFGS_MAX_EVAL, LBFGS_TOLERANCE_GRAD, LBFGS_TOLERANCE_CHANGE, LBFGS_HISTORY, LBFGS_WOLFE };

/* A pair of the history: how the gradient changed, and how the parameters did; and 1 over their product. */
typedef struct lbfgs_pair {
    tn_tensor *gradient, *step;
    double inverse;
} lbfgs_pair;

typedef struct tni_lbfgs {
    int64_t evaluations, iterations;
    tn_tensor *direction, *gradient; /* of the iteration before; held, or NULL */
    double length, scale, loss;      /* the step along it, the first guess of the inverse, the loss */
    lbfgs_pair *pairs;
    size_t capacity;
    int64_t count;
} tni_lbfgs;

/* One call of step: what the functions below share. */
typedef struct lbfgs_run {
    tn_optimizer *optimizer;
    tni_lbfgs *state;
    tn_closure closure;
    void *ctx;
    int64_t evaluations; /* in this call */
    double loss;
    tn_tensor *gradient; /* where the parameters are now; the caller's reference */
} lbfgs_run;

/* ---- references: everything that lasts longer than a scope is the run's or the state's own */

static tn_tensor *lbfgs_own(tn_tensor *made) { return made ? tn_keep(made) : NULL; }

static void lbfgs_replace(tn_tensor **place, tn_tensor *made) {
    if (*place)
        tn_release(*place);
    *place = made;
}

static void lbfgs_free_pair(lbfgs_pair *pair) {
    tn_release(pair->gradient);
    tn_release(pair->step);
}

void tni_lbfgs_free(struct tni_lbfgs *lbfgs) {
    if (!lbfgs)
        return;
    for (int64_t i = 0; i < lbfgs->count; i++)
        lbfgs_free_pair(&lbfgs->pairs[i]);
    if (lbfgs->capacity)
        tni_heap_free(lbfgs->pairs, lbfgs->capacity * sizeof *lbfgs->pairs);
    lbfgs_replace(&lbfgs->direction, NULL);
    lbfgs_replace(&lbfgs->gradient, NULL);
    tni_heap_free(lbfgs, sizeof *lbfgs);
}

/* ---- vectors */

static double lbfgs_dot(const tn_tensor *a, const tn_tensor *b) {
    tn_tensor *product = tn_dot(a, b);
    double value = product ? tn_item_double(product) : (double)NAN;
    tn_release(product);
    return value;
}

static double lbfgs_reduced(const tn_tensor *tensor, bool sum) {
    tn_tensor *size = tn_abs(tensor), *all = sum ? tn_sum(size, TN_DTYPE_DEFAULT) : tn_max(size);
    double value = all ? tn_item_double(all) : (double)NAN;
    tn_release(size);
    tn_release(all);
    return value;
}

static double lbfgs_greatest(const tn_tensor *tensor) { return lbfgs_reduced(tensor, false); }

/* x += factor * y */
static bool lbfgs_add(tn_tensor *x, const tn_tensor *y, double factor) {
    return tn_add_alpha_(x, y, tn_scalar_float(factor)) != NULL;
}

/* The gradients of all parameters as one vector; zeros where there is none. */
static tn_tensor *lbfgs_gather(const tn_optimizer *optimizer, bool gradients) {
    size_t bytes = (size_t)optimizer->slot_count * sizeof(tn_tensor *);
    const tn_tensor **parts = tni_heap_alloc(bytes);
    bool whole = parts != NULL;
    for (int64_t i = 0; whole && i < optimizer->slot_count; i++) {
        tn_tensor *parameter = optimizer->slots[i].parameter->tensor, *part = parameter;
        if (gradients && !(part = tni_parameter_gradient(parameter)))
            part = tn_zeros_like(parameter, TN_DTYPE_DEFAULT, TN_CONTIGUOUS);
        whole = (parts[i] = part ? tn_reshape(part, TN_DIMS(-1)) : NULL) != NULL;
    }
    tn_tensor *made = whole ? tn_cat(parts, optimizer->slot_count, 0) : NULL;
    if (parts)
        tni_heap_free(parts, bytes);
    return made;
}

/* Parameters = start + length * direction; start NULL: where they are. */
static bool lbfgs_place(const tn_optimizer *optimizer, const tn_tensor *start, const tn_tensor *direction, double length) {
    int64_t from = 0;
    for (int64_t i = 0; i < optimizer->slot_count; i++) {
        tn_tensor *parameter = optimizer->slots[i].parameter->tensor;
        int64_t count = tn_numel(parameter);
        tn_tensor *part = tn_reshape(tn_narrow(direction, 0, from, count), tn_sizes(parameter));
        if (start && !tn_copy_(parameter, tn_reshape(tn_narrow(start, 0, from, count), tn_sizes(parameter))))
            return false;
        if (!part || !lbfgs_add(parameter, part, length))
            return false;
        from += count;
    }
    return true;
}

/* The loss and the gradient where the parameters are. */
static tn_error lbfgs_evaluate(lbfgs_run *run) {
    tn_error code = tni_closure_run(run->closure, run->ctx, &run->loss);
    if (code != TN_OK)
        return code;
    run->evaluations++;
    run->state->evaluations++;
    tn_tensor *gradient = lbfgs_own(lbfgs_gather(run->optimizer, true));
    if (!gradient)
        return tni_failed();
    lbfgs_replace(&run->gradient, gradient);
    return TN_OK;
}

/* ---- the line search */

/* A point on the line: its distance, and there the loss, the slope, and the gradient (the search's reference). */
typedef struct wolfe_point {
    double at, loss, slope;
    tn_tensor *gradient;
} wolfe_point;

typedef struct wolfe {
    lbfgs_run *run;
    const tn_tensor *start, *direction;
    wolfe_point ends[2];
    int count; /* of ends: 1 where the point is found */
    int64_t tries, most;
} wolfe;

/* The least point of the cubic through two points with their slopes, within bounds. */
static double wolfe_cubic(const wolfe_point *a, const wolfe_point *b, double low, double high) {
    double d1 = a->slope + b->slope - 3 * (a->loss - b->loss) / (a->at - b->at), square = d1 * d1 - a->slope * b->slope;
    if (!(square >= 0))
        return (low + high) / 2;
    double d2 = sqrt(square);
    double at = a->at <= b->at ? b->at - (b->at - a->at) * ((b->slope + d2 - d1) / (b->slope - a->slope + 2 * d2))
                               : a->at - (a->at - b->at) * ((a->slope + d2 - d1) / (a->slope - b->slope + 2 * d2));
    return fmin(fmax(at, low), high);
}

static tn_error wolfe_try(wolfe *search, double at, wolfe_point *point) {
    if (!lbfgs_place(search->run->optimizer, search->start, search->direction, at))
        return tni_failed();
    tn_error code = lbfgs_evaluate(search->run);
    if (code != TN_OK)
        return code;
    tn_tensor *gradient = tn_retain(search->run->gradient);
    *point = (wolfe_point){at, search->run->loss, lbfgs_dot(gradient, search->direction), gradient};
    return TN_OK;
}

static void wolfe_set(wolfe *search, int end, const wolfe_point *point) {
    tn_tensor *gradient = tn_retain(point->gradient);
    lbfgs_replace(&search->ends[end].gradient, NULL);
    search->ends[end] = *point;
    search->ends[end].gradient = gradient;
}

#define WOLFE_DECREASE 1e-4
#define WOLFE_CURVATURE 0.9

/* Go on until two points have a good one between them. */
static tn_error wolfe_bracket(wolfe *search, const wolfe_point *origin, double at) {
    wolfe_point before = *origin, now;
    before.gradient = tn_retain(origin->gradient);
    tn_error code = wolfe_try(search, at, &now);
    if (code != TN_OK) {
        tn_release(before.gradient);
        return code;
    }
    bool ended = false;
    for (; search->tries < search->most && !ended; search->tries++) {
        bool high =
            now.loss > origin->loss + WOLFE_DECREASE * now.at * origin->slope || (search->tries > 1 && now.loss >= before.loss);
        bool flat = !high && fabs(now.slope) <= -WOLFE_CURVATURE * origin->slope;
        ended = high || flat || now.slope >= 0;
        if (ended) {
            wolfe_set(search, 0, flat ? &now : &before);
            wolfe_set(search, 1, &now);
            search->count = flat ? 1 : 2;
            break;
        }
        double next = wolfe_cubic(&before, &now, now.at + 0.01 * (now.at - before.at), now.at * 10);
        tn_release(before.gradient);
        before = now;
        now.gradient = NULL;
        code = wolfe_try(search, next, &now);
        if (code != TN_OK)
            break;
    }
    if (code == TN_OK && !ended) {
        wolfe_set(search, 0, origin);
        wolfe_set(search, 1, &now);
        search->count = 2;
    }
    tn_release(before.gradient);
    tn_release(now.gradient);
    return code;
}

/* Narrow the two points until one is good enough; `low` is the end with the smaller loss. */
static tn_error wolfe_zoom(wolfe *search, const wolfe_point *origin, double size, int *low) {
    bool stuck = false;
    while (search->tries < search->most) {
        wolfe_point *a = &search->ends[0], *b = &search->ends[1];
        double left = fmin(a->at, b->at), right = fmax(a->at, b->at), margin = 0.1 * (right - left);
        if (fabs(b->at - a->at) * size < 1e-9)
            return TN_OK;
        double at = wolfe_cubic(a, b, left, right);
        if (fmin(right - at, at - left) < margin) {
            bool outside = stuck || at >= right || at <= left;
            if (outside)
                at = fabs(at - right) < fabs(at - left) ? right - margin : left + margin;
            stuck = !outside;
        } else
            stuck = false;
        wolfe_point now;
        tn_error code = wolfe_try(search, at, &now);
        if (code != TN_OK)
            return code;
        search->tries++;
        bool done = false;
        if (now.loss > origin->loss + WOLFE_DECREASE * at * origin->slope || now.loss >= search->ends[*low].loss) {
            wolfe_set(search, !*low, &now);
            *low = a->loss <= b->loss ? 0 : 1;
        } else {
            done = fabs(now.slope) <= -WOLFE_CURVATURE * origin->slope;
            if (!done && now.slope * (search->ends[!*low].at - search->ends[*low].at) >= 0)
                wolfe_set(search, !*low, &search->ends[*low]);
            wolfe_set(search, *low, &now);
        }
        tn_release(now.gradient);
        if (done)
            return TN_OK;
    }
    return TN_OK;
}

/* Moves the parameters to the point that was found; *length is how far that is. */
static tn_error lbfgs_search(lbfgs_run *run, double slope, double *length, int64_t most) {
    wolfe_point origin = {0, run->loss, slope, tn_retain(run->gradient)};
    tn_tensor *start = lbfgs_own(tn_clone(lbfgs_gather(run->optimizer, false), TN_CONTIGUOUS));
    wolfe search = {.run = run, .start = start, .direction = run->state->direction, .most = most};
    tn_error code = start ? wolfe_bracket(&search, &origin, *length) : tni_failed();
    int low = search.count == 2 && search.ends[0].loss > search.ends[1].loss;
    if (code == TN_OK && search.count == 2)
        code = wolfe_zoom(&search, &origin, lbfgs_greatest(run->state->direction), &low);
    if (code == TN_OK && !lbfgs_place(run->optimizer, start, run->state->direction, search.ends[low].at))
        code = tni_failed();
    if (code == TN_OK) {
        *length = search.ends[low].at;
        run->loss = search.ends[low].loss;
        lbfgs_replace(&run->gradient, tn_retain(search.ends[low].gradient));
    }
    tn_release(start);
    tn_release(origin.gradient);
    tn_release(search.ends[0].gradient);
    tn_release(search.ends[1].gradient);
    return code;
}

/* ---- the direction */

static tn_error lbfgs_remember(lbfgs_run *run, int64_t history) {
    tni_lbfgs *state = run->state;
    tn_tensor *change = lbfgs_own(tn_sub(run->gradient, state->gradient));
    tn_tensor *step = lbfgs_own(tn_mul_scalar(state->direction, tn_scalar_float(state->length)));
    void *pairs = state->pairs;
    bool room = change && step && tni_heap_grow(&pairs, &state->capacity, (size_t)state->count + 1, sizeof *state->pairs);
    state->pairs = pairs;
    double product = room ? lbfgs_dot(change, step) : 0;
    if (!room || history < 1 || !(product > 1e-10)) {
        tn_release(change);
        tn_release(step);
        return room ? TN_OK : tni_failed();
    }
    if (state->count == history) {
        lbfgs_free_pair(&state->pairs[0]);
        memmove(state->pairs, state->pairs + 1, (size_t)--state->count * sizeof *state->pairs);
    }
    state->scale = product / lbfgs_dot(change, change);
    state->pairs[state->count++] = (lbfgs_pair){change, step, 1 / product};
    return TN_OK;
}

/* The inverse Hessian times the gradient, by the two loops over the history. */
static tn_tensor *lbfgs_two_loops(const tni_lbfgs *state, const tn_tensor *gradient) {
    size_t bytes = (size_t)(state->count + 1) * sizeof(double);
    double *alphas = tni_heap_alloc(bytes);
    tn_tensor *q = alphas ? tn_neg(gradient) : NULL;
    for (int64_t i = state->count - 1; q && i >= 0; i--) {
        alphas[i] = lbfgs_dot(state->pairs[i].step, q) * state->pairs[i].inverse;
        if (!lbfgs_add(q, state->pairs[i].gradient, -alphas[i]))
            q = NULL;
    }
    q = q ? tn_mul_scalar_(q, tn_scalar_float(state->scale)) : NULL;
    for (int64_t i = 0; q && i < state->count; i++) {
        double beta = lbfgs_dot(state->pairs[i].gradient, q) * state->pairs[i].inverse;
        if (!lbfgs_add(q, state->pairs[i].step, alphas[i] - beta))
            q = NULL;
    }
    if (alphas)
        tni_heap_free(alphas, bytes);
    return q;
}

static tn_error lbfgs_turn(lbfgs_run *run, int64_t history) {
    tni_lbfgs *state = run->state;
    if (state->iterations == 1) {
        state->scale = 1;
        for (; state->count > 0; state->count--)
            lbfgs_free_pair(&state->pairs[state->count - 1]);
    } else {
        tn_error code = lbfgs_remember(run, history);
        if (code != TN_OK)
            return code;
    }
    tn_tensor *direction = lbfgs_own(lbfgs_two_loops(state, run->gradient));
    tn_tensor *gradient = tn_retain(run->gradient);
    if (!direction) {
        tn_release(gradient);
        return tni_failed();
    }
    lbfgs_replace(&state->direction, direction);
    lbfgs_replace(&state->gradient, gradient);
    return TN_OK;
}

/* ---- the step */

/* One iteration; *go_on becomes false where it was the last. */
static tn_error lbfgs_iterate(lbfgs_run *run, const double *s, int64_t iteration, int64_t most, bool *go_on) {
    tni_lbfgs *state = run->state;
    state->iterations++;
    tn_error code = lbfgs_turn(run, (int64_t)s[LBFGS_HISTORY]);
    if (code != TN_OK)
        return code;
    double before = run->loss, slope = lbfgs_dot(run->gradient, state->direction);
    state->loss = before;
    state->length = state->iterations == 1 ? fmin(1, 1 / lbfgs_reduced(run->gradient, true)) * s[LBFGS_LR] : s[LBFGS_LR];
    *go_on = false;
    if (slope > -s[LBFGS_TOLERANCE_CHANGE])
        return TN_OK;
    if (s[LBFGS_WOLFE] != 0)
        code = lbfgs_search(run, slope, &state->length, most - run->evaluations);
    else if (!lbfgs_place(run->optimizer, NULL, state->direction, state->length))
        code = tni_failed();
    else if (iteration + 1 < (int64_t)s[LBFGS_MAX_ITER])
        code = lbfgs_evaluate(run);
    if (code != TN_OK)
        return code;
    *go_on = iteration + 1 < (int64_t)s[LBFGS_MAX_ITER] && run->evaluations < most &&
             lbfgs_greatest(run->gradient) > s[LBFGS_TOLERANCE_GRAD] &&
             lbfgs_greatest(state->direction) * fabs(state->length) > s[LBFGS_TOLERANCE_CHANGE] &&
             !(fabs(run->loss - before) < s[LBFGS_TOLERANCE_CHANGE]);
    return TN_OK;
}

static tn_error lbfgs_run_all(lbfgs_run *run, double *loss) {
    const double *s = run->optimizer->groups[0].settings;
    int64_t most = s[LBFGS_MAX_EVAL] < 0 ? (int64_t)s[LBFGS_MAX_ITER] * 5 / 4 : (int64_t)s[LBFGS_MAX_EVAL];
    tn_error code = lbfgs_evaluate(run);
    *loss = run->loss;
    if (code != TN_OK || lbfgs_greatest(run->gradient) <= s[LBFGS_TOLERANCE_GRAD])
        return code;
    bool go_on = (int64_t)s[LBFGS_MAX_ITER] > 0;
    for (int64_t i = 0; go_on && code == TN_OK; i++) {
        tn_scope scope = tni_scope_open_hidden();
        code = lbfgs_iterate(run, s, i, most, &go_on);
        (void)tni_scope_close_hidden(scope, NULL);
    }
    return code;
}

tn_error tni_lbfgs_step(tn_optimizer *optimizer, tn_closure closure, void *ctx, double *loss) {
    if (!optimizer->lbfgs && !(optimizer->lbfgs = tni_heap_calloc(sizeof(tni_lbfgs))))
        return tni_failed();
    lbfgs_run run = {.optimizer = optimizer, .state = optimizer->lbfgs, .closure = closure, .ctx = ctx};
    tni_quiet quiet = tni_quiet_begin();
    tn_error code = lbfgs_run_all(&run, loss);
    tni_quiet_end(quiet);
    lbfgs_replace(&run.gradient, NULL);
    return code;
}

/* ---- the state as tensors: lbfgs.numbers, and from the first iteration on lbfgs.d, lbfgs.prev_flat_grad, lbfgs.old_dirs,
 * lbfgs.old_stps (one row for each pair) and lbfgs.ro */

static bool lbfgs_put_pairs(const tni_lbfgs *state, tn_parameters *to) {
    size_t bytes = (size_t)(3 * state->count) * sizeof(tn_tensor *);
    const tn_tensor **rows = tni_heap_alloc(bytes);
    bool done = rows != NULL;
    for (int64_t i = 0; done && i < state->count; i++) {
        rows[i] = state->pairs[i].gradient;
        rows[state->count + i] = state->pairs[i].step;
        rows[2 * state->count + i] = tn_full(((tn_dims){NULL, 0}), tn_scalar_float(state->pairs[i].inverse), TN_FLOAT64);
        done = rows[2 * state->count + i] != NULL;
    }
    static const char *const names[3] = {"lbfgs.old_dirs", "lbfgs.old_stps", "lbfgs.ro"};
    for (int k = 0; done && k < 3; k++) {
        tn_tensor *all = tn_stack(rows + k * state->count, state->count, 0);
        done = all && tni_parameters_put(to, names[k], all);
    }
    if (rows)
        tni_heap_free(rows, bytes);
    return done;
}

tn_error tni_lbfgs_state(const tn_optimizer *optimizer, tn_parameters *to) {
    const tni_lbfgs *state = optimizer->lbfgs;
    if (!state)
        return TN_OK;
    double values[] = {(double)state->evaluations, (double)state->iterations, state->length, state->scale, state->loss};
    tn_tensor *numbers = tn_clone(tn_from_memory(values, TN_DIMS(5), TN_FLOAT64, TN_BORROW), TN_CONTIGUOUS);
    bool done = numbers && tni_parameters_put(to, "lbfgs.numbers", numbers);
    if (done && state->direction) {
        tn_tensor *direction = tn_clone(state->direction, TN_CONTIGUOUS), *gradient = tn_clone(state->gradient, TN_CONTIGUOUS);
        done = direction && gradient && tni_parameters_put(to, "lbfgs.d", direction) &&
               tni_parameters_put(to, "lbfgs.prev_flat_grad", gradient);
    }
    if (done && state->count)
        done = lbfgs_put_pairs(state, to);
    return done ? TN_OK : tni_failed();
}

/* A copy of what has that name, the state's; it has `rows` rows (0: none) of as many elements as there are parameters. */
static tn_tensor *lbfgs_take(const tn_optimizer *optimizer, const tn_parameters *from, const char *name, int64_t rows) {
    tn_tensor *tensor = tni_parameters_get(from, name);
    int64_t wanted = rows ? rows : 1;
    for (int64_t i = 0, all = 0; i < optimizer->slot_count; i++) {
        all += tn_numel(optimizer->slots[i].parameter->tensor);
        if (i == optimizer->slot_count - 1)
            wanted *= all;
    }
    if (!tensor)
        return tni_raise_null(TN_ERROR_ARGUMENT, "the state has no \"%s\"", name);
    if (tn_numel(tensor) != wanted || tn_ndim(tensor) != (rows ? 2 : 1))
        return tni_raise_null(TN_ERROR_SHAPE, "\"%s\" has %" PRId64 " elements, not %" PRId64, name, tn_numel(tensor), wanted);
    return tn_clone(tensor, TN_CONTIGUOUS);
}

static bool lbfgs_take_pairs(const tn_optimizer *optimizer, const tn_parameters *from, tni_lbfgs *state) {
    tn_tensor *inverses = tni_parameters_get(from, "lbfgs.ro");
    int64_t count = inverses && tn_ndim(inverses) == 1 ? tn_numel(inverses) : 0;
    void *pairs = NULL;
    if (count == 0)
        return true;
    tn_tensor *gradients = lbfgs_take(optimizer, from, "lbfgs.old_dirs", count);
    tn_tensor *steps = gradients ? lbfgs_take(optimizer, from, "lbfgs.old_stps", count) : NULL;
    if (!steps || !tni_heap_grow(&pairs, &state->capacity, (size_t)count, sizeof *state->pairs))
        return false;
    state->pairs = pairs;
    for (int64_t i = 0; i < count; i++) {
        tn_tensor *gradient = lbfgs_own(tn_clone(tn_select(gradients, 0, i), TN_CONTIGUOUS));
        tn_tensor *step = lbfgs_own(tn_clone(tn_select(steps, 0, i), TN_CONTIGUOUS));
        if (!gradient || !step) {
            tn_release(gradient);
            tn_release(step);
            return false;
        }
        state->pairs[state->count++] = (lbfgs_pair){gradient, step, tn_get_double(inverses, TN_DIMS(i))};
    }
    return true;
}

static bool lbfgs_read(const tn_optimizer *optimizer, const tn_parameters *from, tni_lbfgs *state) {
    tn_tensor *numbers = tni_parameters_get(from, "lbfgs.numbers");
    if (!numbers || tn_ndim(numbers) != 1 || tn_numel(numbers) != 5)
        return tni_raise(TN_ERROR_ARGUMENT, "the state has no \"lbfgs.numbers\" of 5 elements") == TN_OK;
    state->evaluations = (int64_t)tn_get_double(numbers, TN_DIMS(0));
    state->iterations = (int64_t)tn_get_double(numbers, TN_DIMS(1));
    state->length = tn_get_double(numbers, TN_DIMS(2));
    state->scale = tn_get_double(numbers, TN_DIMS(3));
    state->loss = tn_get_double(numbers, TN_DIMS(4));
    if (state->iterations == 0)
        return true;
    state->direction = lbfgs_own(lbfgs_take(optimizer, from, "lbfgs.d", 0));
    state->gradient = state->direction ? lbfgs_own(lbfgs_take(optimizer, from, "lbfgs.prev_flat_grad", 0)) : NULL;
    return state->gradient && lbfgs_take_pairs(optimizer, from, state);
}

tn_error tni_lbfgs_set_state(tn_optimizer *optimizer, const tn_parameters *from) {
    tni_lbfgs *state = NULL;
    if (from->count) {
        if (!(state = tni_heap_calloc(sizeof *state)))
            return tni_failed();
        bool fine = lbfgs_read(optimizer, from, state);
        int64_t known = 1 + (state->direction ? 2 : 0) + (state->count ? 3 : 0);
        if (fine && known != from->count)
            fine = tni_raise(TN_ERROR_ARGUMENT, "%" PRId64 " of %" PRId64 " entries belong to no state of lbfgs",
                             from->count - known, from->count) == TN_OK;
        if (!fine) {
            tni_lbfgs_free(state);
            return tni_failed();
        }
    }
    tni_lbfgs_free(optimizer->lbfgs);
    optimizer->lbfgs = state;
    return TN_OK;
}

/* pointwise_compare.c - the comparisons, selections and fills that look at their arguments before the common part takes over.
 *
 * A comparison is a question about values, so a number that an integer dtype cannot hold is not wrapped into it, as it would be
 * in arithmetic (and is in torch): 1 < 300 holds for int8 as for any other dtype. Then all elements give the same answer, and
 * the question becomes one about the dtype's own largest or smallest value that has this answer. uint64 and signed integers,
 * which share no integer dtype, are compared by a loop of their own.
 */
#include "base/error.h"
#include "kernels/table.h"
#include "iterate/elements.h"
#include "base/warn.h"
#include "kernels_compare.h"
#include "kernels_select.h"
#include "operators_compare.h"
#include "operators_copy.h"
#include "operators_select.h"
#include "operators_view.h"
#include "ops/index/overlapping.h"
#include "ops/create/fill.h"
#include "ops/pointwise/pointwise_prepare.h"

/* ---- six questions */

typedef enum compare_question { COMPARE_EQ, COMPARE_NE, COMPARE_LT, COMPARE_LE, COMPARE_GT, COMPARE_GE } compare_question;

#define COMPARE_NO_ORDER "complex numbers have no order; compare their abs, or their parts"
enum { COMPARE_ORDERED = TNI_TAKES_BOOL | TNI_TAKES_INTEGER | TNI_TAKES_FLOAT };

static const tni_pointwise_spec compare_specs[] = {
    [COMPARE_EQ] = {TNI_KERNEL_eq, COMPARE, CHECK_NOTHING, 2, TNI_TAKES_ALL, NULL},
    [COMPARE_NE] = {TNI_KERNEL_ne, COMPARE, CHECK_NOTHING, 2, TNI_TAKES_ALL, NULL},
    [COMPARE_LT] = {TNI_KERNEL_lt, COMPARE, CHECK_NOTHING, 2, COMPARE_ORDERED, COMPARE_NO_ORDER},
    [COMPARE_LE] = {TNI_KERNEL_le, COMPARE, CHECK_NOTHING, 2, COMPARE_ORDERED, COMPARE_NO_ORDER},
    [COMPARE_GT] = {TNI_KERNEL_gt, COMPARE, CHECK_NOTHING, 2, COMPARE_ORDERED, COMPARE_NO_ORDER},
    [COMPARE_GE] = {TNI_KERNEL_ge, COMPARE, CHECK_NOTHING, 2, COMPARE_ORDERED, COMPARE_NO_ORDER},
};

/* What the loops of TNI_RULE_WHOLE need to know about their operands. */
static void compare_set_signs(tni_parameters *parameters, const tni_pointwise_argument *arguments) {
    int64_t signs = 0;
    for (int i = 0; i < 2; i++)
        if (arguments[i].tensor ? tni_dtypes[arguments[i].tensor->dtype].is_signed
                                : arguments[i].number->kind != TN_SCALAR_UINT)
            signs |= (int64_t)1 << i;
    tni_parameters_set(parameters, 3, tn_scalar_int(signs));
}

/* uint64 beside a signed integer: no integer dtype holds both, and a float not all of them. */
static void compare_as_numbers(tni_prepared *call, compare_question question) {
    static const tni_pointwise_spec spec = {TNI_KERNEL_compare_whole, TNI_RULE_WHOLE, CHECK_NOTHING, 2, TNI_TAKES_ALL, NULL};
    static const int true_of[] = {
        [COMPARE_EQ] = 2, [COMPARE_NE] = 5, [COMPARE_LT] = 1, [COMPARE_LE] = 3, [COMPARE_GT] = 4, [COMPARE_GE] = 6};
    call->spec = spec;
    tni_parameters_set(&call->parameters, 0, tn_scalar_int(true_of[question]));
    compare_set_signs(&call->parameters, call->arguments);
}

static bool compare_has_no_dtype(const tn_tensor *a, const tn_tensor *b) {
    return a->dtype == TN_UINT64 && tni_dtypes[b->dtype].kind == TN_KIND_SIGNED;
}

static const compare_question compare_mirrored[] = {
    [COMPARE_EQ] = COMPARE_EQ, [COMPARE_NE] = COMPARE_NE, [COMPARE_LT] = COMPARE_GT,
    [COMPARE_LE] = COMPARE_GE, [COMPARE_GT] = COMPARE_LT, [COMPARE_GE] = COMPARE_LE};

/* -1 for a whole number below every value of an integer dtype, 1 for one above, 0 for all others. */
static int compare_side(tn_dtype dtype, tn_scalar number) {
    const tn_iinfo *range = &tni_dtypes[dtype].iinfo;
    if (range->bits == 0)
        return 0;
    if (number.kind == TN_SCALAR_INT)
        return number.value.i < range->min ? -1 : number.value.i > 0 && (uint64_t)number.value.i > range->max;
    return number.kind == TN_SCALAR_UINT && number.value.u > range->max;
}

/* The question whose answer for every x of a dtype is that of `question` for a number on that side of the dtype's range, if
 * asked about its end on that side: x < 300 as x <= 255. */
static compare_question compare_at_end(compare_question question, int side) {
    if (side > 0)
        return question == COMPARE_LT || question == COMPARE_LE || question == COMPARE_NE ? COMPARE_LE : COMPARE_GT;
    return question == COMPARE_GT || question == COMPARE_GE || question == COMPARE_NE ? COMPARE_GE : COMPARE_LT;
}

static void compare_replace(tni_prepared *call, compare_question question, const tn_tensor *tensor, int side) {
    const tn_iinfo *range = &tni_dtypes[tensor->dtype].iinfo;
    call->numbers[1] = side > 0 ? tn_scalar_uint(range->max) : tn_scalar_int(range->min);
    call->arguments[0] = (tni_pointwise_argument){tensor, NULL};
    call->arguments[1] = (tni_pointwise_argument){NULL, &call->numbers[1]};
    call->spec = compare_specs[compare_at_end(question, side)];
}

static bool compare_with_number(tni_prepared *call, compare_question question, const tn_tensor *self, tn_scalar other) {
    int side = compare_side(self->dtype, other);
    call->spec = compare_specs[question];
    call->parameters = (tni_parameters){0};
    call->arguments[0] = (tni_pointwise_argument){self, NULL};
    call->numbers[1] = other;
    call->arguments[1] = (tni_pointwise_argument){NULL, &call->numbers[1]};
    if (side)
        compare_replace(call, question, self, side);
    return true;
}

/* A tensor of no dimensions beside one that has some takes the latter's dtype, as a number does. On a device its element is not
 * read: whole numbers are compared by value. */
static bool compare_tensors(tni_prepared *call, compare_question question, const tn_tensor *self, const tn_tensor *other) {
    call->spec = compare_specs[question];
    call->parameters = (tni_parameters){0};
    call->arguments[0] = (tni_pointwise_argument){self, NULL};
    call->arguments[1] = (tni_pointwise_argument){other, NULL};
    if (TNI_LIKELY(self->dtype == other->dtype))
        return true;
    if ((self->ndim == 0) == (other->ndim == 0)) {
        if (compare_has_no_dtype(self, other) || compare_has_no_dtype(other, self))
            compare_as_numbers(call, question);
        return true;
    }
    const tn_tensor *single = self->ndim ? other : self, *many = self->ndim ? self : other;
    if (TNI_UNLIKELY(tni_tensor_device(single).type != TN_CPU)) {
        if (tn_dtype_is_integral(single->dtype) && tn_dtype_is_integral(many->dtype))
            compare_as_numbers(call, question);
        return true;
    }
    int side = compare_side(many->dtype, tn_dtype_load(single->dtype, tni_tensor_read(single)));
    if (side)
        compare_replace(call, single == self ? compare_mirrored[question] : question, many, side);
    return true;
}

#define COMPARE_DEFINE(name, question)                                                                                         \
    bool tni_prepare_##name(tni_prepared *call, const tn_tensor *self, const tn_tensor *other) {                               \
        return compare_tensors(call, question, self, other);                                                                   \
    }                                                                                                                          \
    bool tni_prepare_##name##_scalar(tni_prepared *call, const tn_tensor *self, tn_scalar other) {                             \
        return compare_with_number(call, question, self, other);                                                               \
    }

COMPARE_DEFINE(eq, COMPARE_EQ)
COMPARE_DEFINE(ne, COMPARE_NE)
COMPARE_DEFINE(lt, COMPARE_LT)
COMPARE_DEFINE(le, COMPARE_LE)
COMPARE_DEFINE(gt, COMPARE_GT)
COMPARE_DEFINE(ge, COMPARE_GE)

/* A number in front: the mirrored question with the number second. A question that is its own mirror image needs no such form.
 * */
#define COMPARE_DEFINE_TURNED(name, question)                                                                                  \
    bool tni_prepare_##name##_rscalar(tni_prepared *call, tn_scalar self, const tn_tensor *other) {                            \
        return compare_with_number(call, compare_mirrored[question], other, self);                                             \
    }

COMPARE_DEFINE_TURNED(lt, COMPARE_LT)
COMPARE_DEFINE_TURNED(le, COMPARE_LE)
COMPARE_DEFINE_TURNED(gt, COMPARE_GT)
COMPARE_DEFINE_TURNED(ge, COMPARE_GE)

/* ---- nearly equal */

/* Whether two integers of different dtypes are compared: then they are compared by value. */
static bool close_is_whole(const tni_pointwise_argument *arguments) {
    for (int i = 0; i < 2; i++)
        if (arguments[i].tensor ? !tn_dtype_is_integral(arguments[i].tensor->dtype)
                                : arguments[i].number->kind > TN_SCALAR_UINT)
            return false;
    return !(arguments[0].tensor && arguments[1].tensor && arguments[0].tensor->dtype == arguments[1].tensor->dtype);
}

/* The operands exist. */
static bool close_prepare(tni_prepared *call, double rtol, double atol, bool equal_nan) {
    if (!(rtol >= 0 && atol >= 0)) {
        tni_raise(TN_ERROR_ARGUMENT, "%s = %g must be 0 or more", rtol >= 0 ? "atol" : "rtol", rtol >= 0 ? atol : rtol);
        return false;
    }
    if (close_is_whole(call->arguments)) {
        call->spec.kernel = TNI_KERNEL_isclose_whole;
        call->spec.rule = TNI_RULE_WHOLE;
    }
    tni_parameters_set(&call->parameters, 0, tn_scalar_float(rtol));
    tni_parameters_set(&call->parameters, 1, tn_scalar_float(atol));
    tni_parameters_set(&call->parameters, 2, tn_scalar_bool(equal_nan));
    compare_set_signs(&call->parameters, call->arguments);
    return true;
}

static void close_begin(tni_prepared *call) {
    tni_prepared_begin(call, TNI_KERNEL_isclose, COMPARE, CHECK_NOTHING, TNI_TAKES_ALL);
}

bool tni_prepare_isclose(tni_prepared *call, const tn_tensor *self, const tn_tensor *other, double rtol, double atol,
                         bool equal_nan) {
    close_begin(call);
    tni_prepared_tensor(call, self);
    tni_prepared_tensor(call, other);
    return close_prepare(call, rtol, atol, equal_nan);
}

bool tni_prepare_isclose_scalar(tni_prepared *call, const tn_tensor *self, tn_scalar other, double rtol, double atol,
                                bool equal_nan) {
    close_begin(call);
    tni_prepared_tensor(call, self);
    tni_prepared_number(call, other);
    return close_prepare(call, rtol, atol, equal_nan);
}

bool tni_prepare_isclose_rscalar(tni_prepared *call, tn_scalar self, const tn_tensor *other, double rtol, double atol,
                                 bool equal_nan) {
    close_begin(call);
    tni_prepared_number(call, self);
    tni_prepared_tensor(call, other);
    return close_prepare(call, rtol, atol, equal_nan);
}

/* ---- one of two, by a condition */

static const tni_pointwise_spec compare_where = {TNI_KERNEL_where, SELECT, CHECK_NOTHING, 3, TNI_TAKES_ALL, NULL};

static bool where_is_bool(const tn_tensor *tensor, const char *argument) {
    if (tensor->dtype != TN_BOOL)
        tni_raise(TN_ERROR_DTYPE, "%s is %s, not bool; make a bool of it, with ne for instance", argument,
                  tni_show_tensor(tensor));
    return tensor->dtype == TN_BOOL;
}

/* Old programs have conditions of uint8, from before there was bool: 0 is false. */
static bool where_is_condition(const tn_tensor *condition) {
    if (condition->dtype != TN_UINT8)
        return where_is_bool(condition, "condition");
    tni_warn("condition is %s; use a condition of bool", tni_show_tensor(condition));
    return true;
}

/* The condition is valid, and numbers fit an integer result (a float takes any real number, if only as infinity). */
static bool where_allows(const tni_pointwise_argument *arguments) {
    static const char *const names[] = {"condition", "self", "other"};
    if (!where_is_condition(arguments[0].tensor))
        return false;
    tn_dtype dtype = tni_pointwise_dtype(&compare_where, arguments);
    if (dtype == TN_DTYPE_DEFAULT)
        return false;
    for (int i = 1; i < 3; i++)
        if (arguments[i].number && tn_dtype_is_integral(dtype) && !tn_dtype_can_hold(dtype, *arguments[i].number)) {
            tni_raise(TN_ERROR_DTYPE, "%s = %s does not fit the result's dtype %s", names[i],
                      tni_show_scalar(*arguments[i].number), tn_dtype_name(dtype));
            return false;
        }
    return true;
}

static tn_tensor *where_new(tni_pointwise_argument condition, tni_pointwise_argument self, tni_pointwise_argument other) {
    const tni_pointwise_argument arguments[] = {condition, self, other};
    return where_allows(arguments) ? tni_pointwise_new(&compare_where, arguments, NULL) : NULL;
}

static tn_error where_into(tn_tensor *out, tni_pointwise_argument condition, tni_pointwise_argument self,
                           tni_pointwise_argument other) {
    const tni_pointwise_argument arguments[] = {condition, self, other};
    return where_allows(arguments) ? tni_pointwise_into(&compare_where, out, arguments, NULL) : tni_failed();
}

/* The quick way, for small tensors of one dtype and shape whose elements follow each other: no plan, one call of the loop. */
static bool where_like(const tn_tensor *a, const tn_tensor *b) {
    return a->ndim == b->ndim && memcmp(a->sizes, b->sizes, a->ndim * sizeof *a->sizes) == 0 && tni_tensor_is_contiguous(a);
}

static bool where_is_here(const tn_tensor *tensor) { return tni_tensor_device(tensor).type == TN_CPU; }

static bool where_is_quick(const tn_tensor *condition, const tn_tensor *self, const tn_tensor *other) {
    return where_is_here(condition) && where_is_here(self) && where_is_here(other) && condition->dtype == TN_BOOL &&
           self->dtype == other->dtype && self->numel <= TNI_POINTWISE_GRAIN && self->numel > 0 &&
           where_like(condition, self) && where_like(self, other) && where_like(other, self);
}

static tn_tensor *where_quickly(const tn_tensor *condition, const tn_tensor *self, const tn_tensor *other) {
    tn_tensor *out = tni_tensor_new(self->ndim, self->sizes, self->dtype, TN_DEVICE_CPU);
    if (!out)
        return NULL;
    void *const data[] = {tni_tensor_write(out), (void *)(uintptr_t)tni_tensor_read(condition),
                          (void *)(uintptr_t)tni_tensor_read(self), (void *)(uintptr_t)tni_tensor_read(other)};
    tni_kernels()->pointwise[TNI_KERNEL_where * TN_DTYPE_COUNT + self->dtype](data, self->numel, NULL);
    return out;
}

static tni_pointwise_argument where_tensor(const tn_tensor *tensor) { return (tni_pointwise_argument){tensor, NULL}; }
static tni_pointwise_argument where_number(const tn_scalar *number) { return (tni_pointwise_argument){NULL, number}; }

tn_tensor *tni_op_where(const tn_tensor *condition, const tn_tensor *self, const tn_tensor *other) {
    if (TNI_LIKELY(where_is_quick(condition, self, other)))
        return where_quickly(condition, self, other);
    return where_new(where_tensor(condition), where_tensor(self), where_tensor(other));
}
tn_error tni_op_where_out(tn_tensor *out, const tn_tensor *condition, const tn_tensor *self, const tn_tensor *other) {
    return where_into(out, where_tensor(condition), where_tensor(self), where_tensor(other));
}
tn_tensor *tni_op_where_self_scalar(const tn_tensor *condition, tn_scalar self, const tn_tensor *other) {
    return where_new(where_tensor(condition), where_number(&self), where_tensor(other));
}
tn_error tni_op_where_self_scalar_out(tn_tensor *out, const tn_tensor *condition, tn_scalar self, const tn_tensor *other) {
    return where_into(out, where_tensor(condition), where_number(&self), where_tensor(other));
}
tn_tensor *tni_op_where_other_scalar(const tn_tensor *condition, const tn_tensor *self, tn_scalar other) {
    return where_new(where_tensor(condition), where_tensor(self), where_number(&other));
}
tn_error tni_op_where_other_scalar_out(tn_tensor *out, const tn_tensor *condition, const tn_tensor *self, tn_scalar other) {
    return where_into(out, where_tensor(condition), where_tensor(self), where_number(&other));
}
tn_tensor *tni_op_where_scalars(const tn_tensor *condition, tn_scalar self, tn_scalar other) {
    return where_new(where_tensor(condition), where_number(&self), where_number(&other));
}
tn_error tni_op_where_scalars_out(tn_tensor *out, const tn_tensor *condition, tn_scalar self, tn_scalar other) {
    return where_into(out, where_tensor(condition), where_number(&self), where_number(&other));
}

/* ---- masked_fill: where, with a value that has to fit the dtype of self, which the result keeps */

static bool fill_allows(const tn_tensor *self, const tn_tensor *mask, tn_scalar *value) {
    if (!where_is_bool(mask, "mask"))
        return false;
    if (!tn_dtype_can_hold(self->dtype, *value)) {
        tni_raise(TN_ERROR_DTYPE, "value = %s does not fit self %s", tni_show_scalar(*value), tni_show_tensor(self));
        return false;
    }
    char element[16]; /* as it will be in self: a number of a kind that leaves the dtype of self as it is */
    tn_dtype_store(self->dtype, element, *value);
    *value = tn_dtype_load(self->dtype, element);
    return true;
}

static const tni_pointwise_spec masked_fill_spec = {
    TNI_KERNEL_where, SELECT, CHECK_NOTHING, 3, TNI_TAKES_ALL | LAYOUT_ROWS, NULL};

tn_tensor *tni_op_masked_fill(const tn_tensor *self, const tn_tensor *mask, tn_scalar value) {
    const tni_pointwise_argument arguments[] = {{mask, NULL}, {NULL, &value}, {self, NULL}};
    return fill_allows(self, mask, &value) ? tni_pointwise_new(&masked_fill_spec, arguments, NULL) : NULL;
}
tn_error tni_op_masked_fill_(tn_tensor *self, const tn_tensor *mask, tn_scalar value) {
    if (!tni_tensor_overlaps_itself(self))
        return tni_op_masked_fill_out(self, self, mask, value);
    tn_tensor *wide = fill_allows(self, mask, &value) ? tni_op_expand(mask, (tn_dims){self->sizes, self->ndim}) : NULL;
    tn_index_item item = TN_PICK(wide);
    tn_error code = wide ? tni_overlapping_put(self, (tn_index_list){&item, 1}, NULL, value, false) : tni_failed();
    tni_tensor_release(wide);
    return code;
}
tn_error tni_op_masked_fill_out(tn_tensor *out, const tn_tensor *self, const tn_tensor *mask, tn_scalar value) {
    const tni_pointwise_argument arguments[] = {{mask, NULL}, {NULL, &value}, {self, NULL}};
    return fill_allows(self, mask, &value) ? tni_pointwise_into(&compare_where, out, arguments, NULL) : tni_failed();
}

/* A number on a device is not read: it stays a tensor, in the dtype of self. */
static tn_tensor *fill_there(const tn_tensor *self, const tn_tensor *mask, const tn_tensor *value) {
    if (!where_is_bool(mask, "mask"))
        return NULL;
    if (tn_dtype_is_complex(value->dtype) > tn_dtype_is_complex(self->dtype))
        return tni_raise_null(TN_ERROR_DTYPE, "value %s does not fit self %s", tni_show_tensor(value), tni_show_tensor(self));
    return tni_op_to(value, self->dtype);
}

static tn_error fill_there_out(tn_tensor *out, const tn_tensor *self, const tn_tensor *mask, const tn_tensor *value) {
    tn_tensor *same = fill_there(self, mask, value);
    const tni_pointwise_argument arguments[] = {{mask, NULL}, {same, NULL}, {self, NULL}};
    tn_error code = same ? tni_pointwise_into(&compare_where, out, arguments, NULL) : tni_failed();
    tni_tensor_release(same);
    return code;
}

tn_tensor *tni_op_masked_fill_tensor(const tn_tensor *self, const tn_tensor *mask, const tn_tensor *value) {
    tn_scalar number;
    if (TNI_LIKELY(tni_fill_value_is_here(value)))
        return tni_fill_value(value, &number) ? tni_op_masked_fill(self, mask, number) : NULL;
    tn_tensor *same = fill_there(self, mask, value);
    const tni_pointwise_argument arguments[] = {{mask, NULL}, {same, NULL}, {self, NULL}};
    tn_tensor *made = same ? tni_pointwise_new(&masked_fill_spec, arguments, NULL) : NULL;
    tni_tensor_release(same);
    return made;
}
tn_error tni_op_masked_fill_tensor_(tn_tensor *self, const tn_tensor *mask, const tn_tensor *value) {
    tn_scalar number;
    if (TNI_UNLIKELY(!tni_fill_value_is_here(value)))
        return fill_there_out(self, self, mask, value);
    return tni_fill_value(value, &number) ? tni_op_masked_fill_(self, mask, number) : tni_failed();
}
tn_error tni_op_masked_fill_tensor_out(tn_tensor *out, const tn_tensor *self, const tn_tensor *mask, const tn_tensor *value) {
    tn_scalar number;
    if (TNI_UNLIKELY(!tni_fill_value_is_here(value)))
        return fill_there_out(out, self, mask, value);
    return tni_fill_value(value, &number) ? tni_op_masked_fill_out(out, self, mask, number) : tni_failed();
}

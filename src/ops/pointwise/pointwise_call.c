/* pointwise_call.c - the common part of the public functions of all pointwise operators; the generated functions only name
 * their arguments.
 *
 * There are some hundreds of them and they all do the same: look at the handles, name the operator, ask the dispatcher, run
 * the loop. So that is here once, and the differences are in the tables: the kernel and its rule in tni_pointwise_specs, the
 * names in tni_operators.
 */
#include "ops/pointwise/pointwise.h"

#include "base/error.h"
#include "dispatch/dispatch.h"
#include "dispatch/public_call.h"
#include "tensor/check.h"

enum { POINTWISE_CALL_ARGUMENTS = 5 };

static const tni_pointwise_spec *pointwise_call_spec(const tn_operator *op) { return &tni_pointwise_specs[op->spec]; }

/* Whether a parameter is an operand of the loop; the others are its numbers. */
static bool pointwise_call_is_operand(const tni_parameter *parameter) {
    return parameter->type == TN_TYPE_TENSOR || parameter->type == TN_TYPE_WRITTEN || parameter->type == TN_TYPE_SCALAR;
}

/* What `out` adds in front of the operands. */
static int64_t pointwise_call_first(const tn_operator *op) { return op->variant == TN_VARIANT_OUT; }

static const char *pointwise_call_name(const tn_operator *op, int64_t parameter) {
    return tni_operator_texts + tni_operator_parameter(op, parameter)->name;
}

/* A handle that is NULL or dead, or an invalid number: raised under the name of its parameter. */
static TNI_COLD void pointwise_call_complain(const tn_operator *op, int operand, const tni_pointwise_argument *argument) {
    for (int64_t i = pointwise_call_first(op); i < op->count; i++) {
        const tni_parameter *parameter = tni_operator_parameter(op, i);
        if (!pointwise_call_is_operand(parameter) || operand-- != 0)
            continue;
        const char *name = tni_operator_text(op, parameter->name);
        if (argument->tensor || !argument->number)
            (void)tni_check_tensor(argument->tensor, name);
        else if (argument->number->kind == TN_SCALAR_NONE)
            tni_raise(TN_ERROR_ARGUMENT, "%s is TN_NO_SCALAR, but it cannot be left out", name);
        else
            tni_raise(TN_ERROR_DTYPE, "%s is not a scalar: there is no kind %d", name, (int)argument->number->kind);
    }
}

TNI_ALWAYS_INLINE bool pointwise_call_check(const tn_operator *op, const tni_pointwise_spec *spec,
                                            const tni_pointwise_argument *arguments, tn_keys *keys) {
    for (int i = 0; i < spec->operands; i++) {
        const tn_tensor *tensor = arguments[i].tensor;
        if (TNI_LIKELY(tensor && tensor->object.class == &tni_tensor_class))
            *keys |= tensor->keys;
        else if (tensor || !arguments[i].number || (unsigned)arguments[i].number->kind > TN_SCALAR_COMPLEX) {
            pointwise_call_complain(op, i, &arguments[i]);
            return false;
        }
    }
    return true;
}

/* A parameter takes no part in promotion: a complex one cannot be used for a real result. */
static bool pointwise_call_takes(const tni_pointwise_spec *spec, const tni_pointwise_argument *arguments, tn_scalar number) {
    if (TNI_UNLIKELY((unsigned)number.kind > TN_SCALAR_COMPLEX)) {
        tni_raise(number.kind == TN_SCALAR_NONE ? TN_ERROR_ARGUMENT : TN_ERROR_DTYPE,
                  number.kind == TN_SCALAR_NONE ? "a number is TN_NO_SCALAR, but it cannot be left out"
                                                : "a number is not a scalar: it has no kind that exists");
        return false;
    }
    if (TNI_LIKELY(number.kind != TN_SCALAR_COMPLEX || number.value.c.imag == 0))
        return true;
    for (int i = 0; i < spec->operands; i++)
        if (arguments[i].tensor ? tn_dtype_is_complex(arguments[i].tensor->dtype)
                                : arguments[i].number->kind == TN_SCALAR_COMPLEX)
            return true;
    tni_raise(TN_ERROR_DTYPE, "the number %s does not fit a result of real numbers", tni_show_scalar(number));
    return false;
}

/* Whether all arguments that are not operands can be used for the result; raises where one cannot. */
static TNI_NOINLINE bool pointwise_call_takes_all(const tn_operator *op, const tni_pointwise_spec *spec,
                                                  const tni_pointwise_argument *arguments, const tn_scalar *numbers) {
    int64_t count = op->count - pointwise_call_first(op) - spec->operands;
    for (int64_t i = 0; i < count; i++)
        if (!pointwise_call_takes(spec, arguments, numbers[i]))
            return false;
    return true;
}

/* Whether self may keep its dtype: complex numbers do not become real ones in place. For an `out` that is self this does not
 * matter: it only says where the result goes. */
static bool pointwise_call_stays(const tn_operator *op, const tni_pointwise_spec *spec, const tn_tensor *self) {
    if (TNI_LIKELY(spec->rule != REAL) || op->variant != TN_VARIANT_IN_PLACE || !tn_dtype_is_complex(self->dtype))
        return true;
    tni_raise(TN_ERROR_DTYPE, "the result is real and cannot replace self %s, which is complex", tni_show_tensor(self));
    return false;
}

/* These arguments in the form loops want. */
static const tni_parameters *pointwise_call_numbers(const tn_operator *op, const tni_pointwise_spec *spec,
                                                    const tn_scalar *numbers, tni_parameters *room) {
    int64_t count = op->count - pointwise_call_first(op) - spec->operands;
    *room = (tni_parameters){0};
    for (int i = 0; i < count; i++)
        tni_parameters_set(room, i, numbers[i]);
    return room;
}

/* A number again as the value of the type it came from. */
static tn_value pointwise_call_value(uint8_t type, tn_scalar number) {
    switch (type) {
    case TN_TYPE_INT: return tn_value_int(number.value.i);
    case TN_TYPE_FLOAT: return tn_value_float(number.value.d);
    case TN_TYPE_BOOL: return tn_value_bool(number.value.b);
    default: return tn_value_scalar(number);
    }
}

/* Everything as values. */
static void pointwise_call_values(const tn_operator *op, tn_tensor *out, const tni_pointwise_argument *arguments,
                                  const tn_scalar *numbers, tn_value *values) {
    const tni_parameter *parameter = tni_operator_parameters + op->first;
    const tn_value *end = values + op->count;
    if (pointwise_call_first(op)) {
        *values++ = tn_value_tensor(out);
        parameter++;
    }
    for (; values < end; values++, parameter++) {
        if (numbers && !pointwise_call_is_operand(parameter))
            *values = pointwise_call_value(parameter->type, *numbers++);
        else if (arguments->tensor) {
            values->kind = TN_VALUE_TENSOR;
            values->as.tensor = (tn_tensor *)(uintptr_t)arguments++->tensor;
        } else
            *values = tn_value_scalar(*arguments++->number);
    }
}

/* The call concerns more than the CPU: on to the dispatcher. */
static TNI_COLD tn_error pointwise_call_dispatch(const tn_operator *op, tn_tensor *out, const tni_pointwise_argument *arguments,
                                                 const tn_scalar *numbers, tn_value *result) {
    tn_value values[TN_MAX_PARAMETERS];
    pointwise_call_values(op, out, arguments, numbers, values);
    return tni_dispatch_values(op, (tn_values){values, op->count}, result);
}

/* The CPU and gradients: the loop runs as it does in a plain call, and the recorder gets what it gave. */
static TNI_NOINLINE tn_tensor *pointwise_call_recorded(const tn_operator *op, const tni_pointwise_argument *arguments,
                                                       const tn_scalar *numbers, const tni_parameters *parameters,
                                                       tni_recorder record) {
    tn_value values[TN_MAX_PARAMETERS], made;
    tn_tensor *result = tni_pointwise_new_here(pointwise_call_spec(op), arguments, parameters);
    if (!result)
        return NULL;
    made.kind = TN_VALUE_TENSOR;
    made.as.tensor = result;
    if (numbers)
        pointwise_call_values(op, NULL, arguments, numbers, values);
    else /* then there are operands only */
        for (int i = 0; i < op->count; i++) {
            values[i].kind = arguments[i].tensor ? TN_VALUE_TENSOR : TN_VALUE_SCALAR;
            if (arguments[i].tensor)
                values[i].as.tensor = (tn_tensor *)(uintptr_t)arguments[i].tensor;
            else
                values[i].as.scalar = *arguments[i].number;
        }
    return record(op, values, &made) ? result : NULL;
}

/* A call whose arguments are sound and that is not the usual one: with numbers, or not the CPU's alone. */
static TNI_NOINLINE tn_tensor *pointwise_call_other(const tn_operator *op, const tni_pointwise_argument *arguments,
                                                    const tn_scalar *numbers, tn_keys keys) {
    const tni_pointwise_spec *spec = pointwise_call_spec(op);
    tni_parameters room;
    tn_value made;
    if (numbers && !pointwise_call_takes_all(op, spec, arguments, numbers))
        return NULL;
    const tni_parameters *parameters = numbers ? pointwise_call_numbers(op, spec, numbers, &room) : NULL;
    if (tni_plain(keys))
        return tni_pointwise_new_here(spec, arguments, parameters);
    tni_recorder record = tni_recorder_of(op, keys);
    if (TNI_LIKELY(record != NULL))
        return pointwise_call_recorded(op, arguments, numbers, parameters, record);
    return pointwise_call_dispatch(op, NULL, arguments, numbers, &made) == TN_OK ? made.as.tensor : NULL;
}

tn_tensor *tni_pointwise_call(int64_t number, const tni_pointwise_argument *arguments, const tn_scalar *numbers) {
    const tn_operator *op = &tni_operators[number];
    const tni_pointwise_spec *spec = pointwise_call_spec(op);
    tni_thread *thread = tni_thread_get();
    const char *outer = tni_public_enter(thread, tni_operator_texts + op->shown);
    tn_tensor *result = NULL;
    tn_keys keys = 0;
    if (TNI_LIKELY(pointwise_call_check(op, spec, arguments, &keys))) {
        result = TNI_LIKELY(tni_plain(keys) && !numbers) ? tni_pointwise_new_here(spec, arguments, NULL)
                                                         : pointwise_call_other(op, arguments, numbers, keys);
    }
    return tni_public_leave(thread, outer, result);
}

/* The same for one that writes to `out`. */
static TNI_NOINLINE tn_error pointwise_call_other_into(const tn_operator *op, tn_tensor *out,
                                                       const tni_pointwise_argument *arguments, const tn_scalar *numbers,
                                                       bool plain) {
    const tni_pointwise_spec *spec = pointwise_call_spec(op);
    tni_parameters room;
    tn_value made;
    if ((numbers && !pointwise_call_takes_all(op, spec, arguments, numbers)) || !pointwise_call_stays(op, spec, out))
        return tni_failed();
    if (!plain)
        return pointwise_call_dispatch(op, out, arguments, numbers, &made);
    const tni_parameters *parameters = numbers ? pointwise_call_numbers(op, spec, numbers, &room) : NULL;
    return tni_pointwise_into_here(spec, out, arguments, parameters);
}

tn_tensor *tni_pointwise_call_into(int64_t number, tn_tensor *out, const tni_pointwise_argument *arguments,
                                   const tn_scalar *numbers) {
    const tn_operator *op = &tni_operators[number];
    const tni_pointwise_spec *spec = pointwise_call_spec(op);
    tni_thread *thread = tni_thread_get();
    const char *outer = tni_public_enter(thread, tni_operator_texts + op->shown);
    tn_error code = TN_ERROR_ARGUMENT;
    tn_keys keys = 0;
    if (TNI_LIKELY((tni_sure_tensor(out) || tni_check_tensor(out, pointwise_call_name(op, 0))) &&
                   pointwise_call_check(op, spec, arguments, &keys))) {
        bool plain = tni_plain(keys | tni_keys_of_tensor(out));
        code = TNI_LIKELY(plain && !numbers && spec->rule != REAL)
                   ? tni_pointwise_into_here(spec, out, arguments, NULL)
                   : pointwise_call_other_into(op, out, arguments, numbers, plain);
    }
    return tni_public_leave_changed(thread, outer, code, out);
}

tn_error tni_pointwise_values(const tn_operator *op, const tn_value *values, tn_value *result) {
    const tni_pointwise_spec *spec = pointwise_call_spec(op);
    tni_pointwise_argument arguments[POINTWISE_CALL_ARGUMENTS];
    tni_parameters parameters = {0};
    tn_scalar complex = tn_scalar_int(0); /* a complex one of them, if there is any */
    int operands = 0, numbers = 0;
    for (int64_t i = pointwise_call_first(op); i < op->count; i++) {
        const tn_value *value = &values[i];
        switch (tni_operator_parameter(op, i)->type) {
        case TN_TYPE_TENSOR:
        case TN_TYPE_WRITTEN: arguments[operands++] = (tni_pointwise_argument){value->as.tensor, NULL}; break;
        case TN_TYPE_SCALAR: arguments[operands++] = (tni_pointwise_argument){NULL, &value->as.scalar}; break;
        case TN_TYPE_INT: tni_parameters_set(&parameters, numbers++, tn_scalar_int(value->as.integer)); break;
        case TN_TYPE_FLOAT: tni_parameters_set(&parameters, numbers++, tn_scalar_float(value->as.real)); break;
        case TN_TYPE_BOOL: tni_parameters_set(&parameters, numbers++, tn_scalar_bool(value->as.boolean)); break;
        default:
            tni_parameters_set(&parameters, numbers++, value->as.scalar);
            complex = value->as.scalar.kind == TN_SCALAR_COMPLEX ? value->as.scalar : complex;
            break;
        }
    }
    if (!pointwise_call_takes(spec, arguments, complex) || !pointwise_call_stays(op, spec, values[0].as.tensor))
        return tni_failed();
    const tni_parameters *used = numbers ? &parameters : NULL;
    if (op->variant == TN_VARIANT_FUNCTIONAL)
        return tni_returned_tensor(tni_pointwise_new(spec, arguments, used), result);
    return tni_returned_changed(tni_pointwise_into(spec, values[0].as.tensor, arguments, used), values[0].as.tensor, result);
}

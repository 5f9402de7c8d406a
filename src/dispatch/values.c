/* values.c - arguments as values: made, completed with defaults, converted to the signature's types, and checked.
 *
 * Invariant: what tni_values_prepare lets through is exactly what a generated function would have let through: every value is
 * of the kind its parameter's type has, objects are alive, numbers in range. Kernels rely on it.
 */
#include <math.h>
#include <stdlib.h>

#include "base/scope.h"
#include "dispatch/dispatch.h"
#include "dispatch/signature.h"
#include "tensor/check.h"

/* ---- making values */

static inline tn_tensor *values_unconst(const void *object) { return (tn_tensor *)(uintptr_t)object; }

tn_value tn_value_none(void) { return (tn_value){.kind = TN_VALUE_NONE}; }
tn_value tn_value_tensor(const tn_tensor *tensor) {
    return (tn_value){.kind = TN_VALUE_TENSOR, .as.tensor = values_unconst(tensor)};
}
tn_value tn_value_tensors(const tn_tensor *const *tensors, int64_t count) {
    return (tn_value){.kind = TN_VALUE_TENSORS, .as.tensors = {tensors, count}};
}
tn_value tn_value_list(const tn_list *list) { return (tn_value){.kind = TN_VALUE_LIST, .as.list = (tn_list *)(uintptr_t)list}; }
tn_value tn_value_storage(tn_storage *storage) { return (tn_value){.kind = TN_VALUE_STORAGE, .as.storage = storage}; }
tn_value tn_value_dims(tn_dims dims) { return (tn_value){.kind = TN_VALUE_DIMS, .as.dims = dims}; }
tn_value tn_value_index(tn_index_list index) { return (tn_value){.kind = TN_VALUE_INDEX, .as.index = index}; }
tn_value tn_value_int(int64_t value) { return (tn_value){.kind = TN_VALUE_INT, .as.integer = value}; }
tn_value tn_value_uint(uint64_t value) {
    return value > INT64_MAX ? tn_value_scalar(tn_scalar_uint(value)) : tn_value_int((int64_t)value);
}
tn_value tn_value_float(double value) { return (tn_value){.kind = TN_VALUE_FLOAT, .as.real = value}; }
tn_value tn_value_bool(bool value) { return (tn_value){.kind = TN_VALUE_BOOL, .as.boolean = value}; }
tn_value tn_value_text(const char *text) { return (tn_value){.kind = TN_VALUE_TEXT, .as.text = text}; }
tn_value tn_value_scalar(tn_scalar value) { return (tn_value){.kind = TN_VALUE_SCALAR, .as.scalar = value}; }
tn_value tn_value_dtype(tn_dtype dtype) { return (tn_value){.kind = TN_VALUE_DTYPE, .as.dtype = dtype}; }
tn_value tn_value_device(tn_device device) { return (tn_value){.kind = TN_VALUE_DEVICE, .as.device = device}; }
tn_value tn_value_format(tn_memory_format format) { return (tn_value){.kind = TN_VALUE_FORMAT, .as.format = format}; }
tn_value tn_value_generator(tn_generator *generator) {
    return (tn_value){.kind = TN_VALUE_GENERATOR, .as.generator = generator};
}
tn_value tn_value_floats(tn_floats floats) { return (tn_value){.kind = TN_VALUE_FLOATS, .as.floats = floats}; }
tn_value tn_value_same(tn_value value) { return value; }

const char *tn_value_kind_name(tn_value_kind kind) {
    static const char *const names[] = {
        [TN_VALUE_NONE] = "none",           [TN_VALUE_TENSOR] = "tensor",   [TN_VALUE_TENSORS] = "tensors",
        [TN_VALUE_LIST] = "list",           [TN_VALUE_STORAGE] = "storage", [TN_VALUE_DIMS] = "dims",
        [TN_VALUE_INDEX] = "index",         [TN_VALUE_INT] = "int",         [TN_VALUE_FLOAT] = "float",
        [TN_VALUE_BOOL] = "bool",           [TN_VALUE_TEXT] = "text",       [TN_VALUE_SCALAR] = "scalar",
        [TN_VALUE_DTYPE] = "dtype",         [TN_VALUE_DEVICE] = "device",   [TN_VALUE_FORMAT] = "format",
        [TN_VALUE_GENERATOR] = "generator", [TN_VALUE_FLOATS] = "floats",
    };
    return (unsigned)kind < TNI_COUNT_OF(names) ? names[kind] : "unknown";
}

/* ---- numbers in defaults, whatever the locale's decimal point */

static bool values_read_number(const char *text, tn_scalar *out) {
    bool negative = *text == '-';
    const char *at = text + negative;
    if (strcmp(at, "true") == 0 || strcmp(at, "false") == 0) {
        *out = tn_scalar_bool(*at == 't');
        return !negative;
    }
    if (strcmp(at, "inf") == 0 || strcmp(at, "nan") == 0) {
        *out = tn_scalar_float(*at == 'n' ? (double)NAN : negative ? -(double)INFINITY : (double)INFINITY);
        return true;
    }
    int64_t digits = 0, places = 0;
    bool point = false, any = false;
    for (; (*at >= '0' && *at <= '9') || (*at == '.' && !point); at++) {
        if (*at == '.') {
            point = true;
            continue;
        }
        if (tni_mul_overflows(digits, 10, &digits) || tni_add_overflows(digits, *at - '0', &digits))
            return false;
        places += point;
        any = true;
    }
    bool power = any && (*at == 'e' || *at == 'E');
    if (power) {
        char *end;
        long exponent = strtol(at + 1, &end, 10);
        if (end == at + 1 || exponent < -400 || exponent > 400)
            return false;
        places -= exponent;
        at = end;
    }
    if (!any || *at)
        return false;
    if (!point && !power) {
        *out = tn_scalar_int(negative ? -digits : digits);
        return true;
    }
    double value = (double)digits, scale = pow(10, (double)(places < 0 ? -places : places));
    value = places < 0 ? value * scale : value / scale; /* exact inputs, so rounded once, up to 15 digits and 10^22 */
    *out = tn_scalar_float(negative ? -value : value);
    return true;
}

/* ---- conversion: each returns whether the value fits; nothing is raised */

static bool values_to_int(const tn_value *from, int64_t *out) {
    if (from->kind == TN_VALUE_INT)
        *out = from->as.integer;
    else if (from->kind == TN_VALUE_BOOL)
        *out = from->as.boolean;
    else if (from->kind == TN_VALUE_SCALAR && from->as.scalar.kind == TN_SCALAR_INT)
        *out = from->as.scalar.value.i;
    else
        return false;
    return true;
}

static bool values_to_scalar(const tn_value *from, tn_scalar *out) {
    switch (from->kind) {
    case TN_VALUE_INT: *out = tn_scalar_int(from->as.integer); return true;
    case TN_VALUE_FLOAT: *out = tn_scalar_float(from->as.real); return true;
    case TN_VALUE_BOOL: *out = tn_scalar_bool(from->as.boolean); return true;
    case TN_VALUE_SCALAR:
        *out = from->as.scalar;
        return (unsigned)out->kind <= TN_SCALAR_COMPLEX || out->kind == TN_SCALAR_NONE;
    default: return false;
    }
}

static bool values_to_float(const tn_value *from, double *out) {
    tn_scalar scalar;
    if (!values_to_scalar(from, &scalar) || (unsigned)scalar.kind > TN_SCALAR_FLOAT)
        return false;
    *out = scalar.kind == TN_SCALAR_FLOAT  ? scalar.value.d
           : scalar.kind == TN_SCALAR_UINT ? (double)scalar.value.u
           : scalar.kind == TN_SCALAR_BOOL ? (double)scalar.value.b
                                           : (double)scalar.value.i;
    return true;
}

static bool values_to_dtype(const tn_value *from, tn_dtype *out) {
    int64_t number;
    if (from->kind == TN_VALUE_DTYPE)
        *out = from->as.dtype;
    else if (from->kind == TN_VALUE_TEXT && from->as.text)
        return (*out = tn_dtype_from_name(from->as.text)) != TN_DTYPE_DEFAULT;
    else if (from->kind == TN_VALUE_INT && values_to_int(from, &number) && number >= 0 && number < TN_DTYPE_COUNT)
        *out = (tn_dtype)number;
    else
        return false;
    return true;
}

/* tn_device_parse without its error. */
static bool values_read_device(const char *text, tn_device *out) {
    size_t length = strcspn(text, ":");
    int64_t index = 0;
    for (const char *at = text[length] ? text + length + 1 : "0"; *at; at++) {
        if (*at < '0' || *at > '9' || index > INT32_MAX / 10 - 1)
            return false;
        index = index * 10 + (*at - '0');
    }
    for (int32_t type = 0; type < TN_DEVICE_TYPES; type++) {
        const char *name = tn_device_type_name(type);
        if (strlen(name) == length && memcmp(name, text, length) == 0 && strcmp(name, "unknown") != 0) {
            *out = TN_DEVICE(type, (int32_t)index);
            return true;
        }
    }
    return false;
}

static bool values_to_device(const tn_value *from, tn_device *out) {
    if (from->kind == TN_VALUE_DEVICE)
        *out = from->as.device;
    else if (from->kind == TN_VALUE_TEXT && from->as.text)
        return values_read_device(from->as.text, out);
    else
        return false;
    return true;
}

static bool values_convert(tn_type type, const tn_value *from, tn_value *to) {
    int64_t number;
    switch (type) {
    case TN_TYPE_TENSOR:
    case TN_TYPE_WRITTEN: *to = *from; return from->kind == TN_VALUE_TENSOR;
    case TN_TYPE_OPTIONAL:
        *to = from->kind == TN_VALUE_NONE ? tn_value_tensor(NULL) : *from;
        return to->kind == TN_VALUE_TENSOR;
    case TN_TYPE_TENSORS:
        *to = *from;
        if (from->kind == TN_VALUE_LIST && from->as.list && from->as.list->object.class == &tni_list_class)
            *to = tn_value_tensors((const tn_tensor *const *)from->as.list->items, from->as.list->count);
        return to->kind == TN_VALUE_TENSORS;
    case TN_TYPE_STORAGE: *to = *from; return from->kind == TN_VALUE_STORAGE;
    case TN_TYPE_DIMS:
        *to = from->kind == TN_VALUE_INT ? tn_value_dims((tn_dims){&from->as.integer, 1}) : *from;
        return to->kind == TN_VALUE_DIMS;
    case TN_TYPE_INDEX: *to = *from; return from->kind == TN_VALUE_INDEX;
    case TN_TYPE_GENERATOR: *to = *from; return from->kind == TN_VALUE_GENERATOR;
    case TN_TYPE_FLOATS: *to = *from; return from->kind == TN_VALUE_FLOATS;
    case TN_TYPE_INT: *to = tn_value_int(0); return values_to_int(from, &to->as.integer);
    case TN_TYPE_FLOAT: *to = tn_value_float(0); return values_to_float(from, &to->as.real);
    case TN_TYPE_BOOL:
        if (!values_to_int(from, &number))
            return false;
        *to = tn_value_bool(number != 0);
        return number == 0 || number == 1;
    case TN_TYPE_TEXT: *to = *from; return from->kind == TN_VALUE_TEXT;
    case TN_TYPE_SCALAR:
    case TN_TYPE_NUMBER: to->kind = TN_VALUE_SCALAR; return values_to_scalar(from, &to->as.scalar);
    case TN_TYPE_DTYPE: *to = tn_value_dtype(TN_DTYPE_DEFAULT); return values_to_dtype(from, &to->as.dtype);
    case TN_TYPE_DEVICE: *to = tn_value_device(TN_DEVICE_CPU); return values_to_device(from, &to->as.device);
    case TN_TYPE_FORMAT:
        if (from->kind != TN_VALUE_FORMAT && from->kind != TN_VALUE_INT)
            return false;
        *to = from->kind == TN_VALUE_FORMAT ? *from : tn_value_format((tn_memory_format)from->as.integer);
        return from->kind == TN_VALUE_FORMAT || (from->as.integer >= 0 && from->as.integer <= TN_CHANNELS_LAST_3D);
    case TN_TYPE_COUNT: break;
    }
    return false;
}

/* No list, or one of a single digit: the stride or padding of every dimension. */
static bool values_standard_dims(const char *text, tn_value *to) {
    static const int64_t digits[] = {0, 1, 2, 3, 4, 5, 6, 7, 8, 9};
    bool none = strcmp(text, "none") == 0, digit = text[0] >= '0' && text[0] <= '9' && !text[1];
    *to = tn_value_dims(none || !digit ? (tn_dims){NULL, 0} : (tn_dims){&digits[text[0] - '0'], 1});
    return none || digit;
}

/* The value of a default's text. False where the text means nothing for the type. */
static bool values_standard(tn_type type, const char *text, tn_value *to) {
    static const char *const formats[] = {"contiguous", "preserve", "channels_last", "channels_last_3d"};
    bool none = strcmp(text, "none") == 0;
    tn_value from = tn_value_text(text);
    switch (type) {
    case TN_TYPE_OPTIONAL: *to = tn_value_tensor(NULL); return none;
    case TN_TYPE_DIMS: return values_standard_dims(text, to);
    case TN_TYPE_INDEX: *to = tn_value_index((tn_index_list){NULL, 0}); return none;
    case TN_TYPE_GENERATOR: *to = tn_value_generator(NULL); return none;
    case TN_TYPE_FLOATS: *to = tn_value_floats((tn_floats){NULL, 0}); return none;
    case TN_TYPE_TEXT: *to = from; return true;
    case TN_TYPE_DTYPE:
        if (strcmp(text, "default") == 0)
            from = tn_value_dtype(TN_DTYPE_DEFAULT);
        return values_convert(type, &from, to);
    case TN_TYPE_DEVICE: return values_convert(type, &from, to);
    case TN_TYPE_FORMAT:
        for (size_t i = 0; i < TNI_COUNT_OF(formats); i++)
            if (strcmp(text, formats[i]) == 0) {
                *to = tn_value_format((tn_memory_format)i);
                return true;
            }
        return false;
    case TN_TYPE_INT:
    case TN_TYPE_SCALAR:
    case TN_TYPE_NUMBER:
        if (none) {
            *to = type == TN_TYPE_INT ? tn_value_int(TN_NONE) : tn_value_scalar(tn_scalar_none());
            return true;
        }
        break;
    default: break;
    }
    tn_scalar number;
    if (!values_read_number(text, &number))
        return false;
    from = tn_value_scalar(number);
    if (number.kind == TN_SCALAR_BOOL)
        from = tn_value_bool(number.value.b);
    return values_convert(type, &from, to);
}

bool tni_standard_fits(tn_type type, const char *text) {
    tn_value value;
    return values_standard(type, text, &value);
}

/* ---- a whole list of arguments */

/* Only a number whose default is none may be left out. */
static bool values_check_number(tn_scalar number, const char *standard, const char *name) {
    if (TNI_LIKELY((unsigned)number.kind <= TN_SCALAR_COMPLEX) ||
        (number.kind == TN_SCALAR_NONE && strcmp(standard, "none") == 0))
        return true;
    if (number.kind != TN_SCALAR_NONE) {
        tni_raise(TN_ERROR_DTYPE, "%s is not a scalar: there is no kind %d", name, (int)number.kind);
        return false;
    }
    tni_raise(TN_ERROR_ARGUMENT, "%s is TN_NO_SCALAR, but it cannot be left out", name);
    return false;
}

/* What the generated functions check. */
static bool values_check(const tn_operator *op, const tni_parameter *parameter, const tn_value *value) {
    const char *name = tni_operator_text(op, parameter->name);
    switch ((tn_type)parameter->type) {
    case TN_TYPE_TENSOR:
    case TN_TYPE_WRITTEN: return tni_check_tensor(value->as.tensor, name);
    case TN_TYPE_OPTIONAL: return tni_check_optional(value->as.tensor, name);
    case TN_TYPE_TENSORS: return tni_check_tensors(value->as.tensors.items, value->as.tensors.count, name);
    case TN_TYPE_STORAGE: return tni_check_storage(value->as.storage, name);
    case TN_TYPE_DIMS: return tni_check_dims(value->as.dims, name);
    case TN_TYPE_INDEX: return tni_check_index_closely(value->as.index, name);
    case TN_TYPE_TEXT: return tni_check_text(value->as.text, name);
    case TN_TYPE_DTYPE:
        return tni_check_dtype(value->as.dtype, strcmp(tni_operator_text(op, parameter->standard), "default") == 0, name);
    case TN_TYPE_SCALAR:
    case TN_TYPE_NUMBER: return values_check_number(value->as.scalar, tni_operator_text(op, parameter->standard), name);
    case TN_TYPE_FORMAT: return tni_check_format(value->as.format, name);
    case TN_TYPE_GENERATOR: return tni_check_generator(value->as.generator, name);
    case TN_TYPE_FLOATS: return tni_check_floats(value->as.floats, name);
    default: return true;
    }
}

bool tni_values_check(const tn_operator *op, const tn_value *values) {
    for (int64_t i = 0; i < op->count; i++)
        if (!values_check(op, tni_operator_parameter(op, i), &values[i]))
            return false;
    return true;
}

static bool values_shaped(tn_values arguments) { return arguments.count >= 0 && (arguments.items || arguments.count == 0); }

/* Whether the argument is given; where it is not, its default is used. */
static bool values_given(tn_type type, tn_values arguments, int64_t i) {
    return i < arguments.count && (arguments.items[i].kind != TN_VALUE_NONE || type == TN_TYPE_OPTIONAL);
}

bool tni_values_prepare(const tn_operator *op, tn_values arguments, tn_value *ready) {
    if (!values_shaped(arguments)) {
        tni_raise(TN_ERROR_ARGUMENT, "the arguments are NULL or their count %" PRId64 " is negative", arguments.count);
        return false;
    }
    if (arguments.count > op->count) {
        tni_raise(TN_ERROR_ARGUMENT, "%" PRId64 " arguments were given; %s%s takes at most %d", arguments.count,
                  tni_operator_text(op, op->name), tni_operator_signature(op), (int)op->count);
        return false;
    }
    for (int64_t i = 0; i < op->count; i++) {
        const tni_parameter *parameter = tni_operator_parameter(op, i);
        tn_type type = (tn_type)parameter->type;
        const char *name = tni_operator_text(op, parameter->name), *standard = tni_operator_text(op, parameter->standard);
        if (!values_given(type, arguments, i)) {
            if (!*standard && type == TN_TYPE_OPTIONAL)
                standard = "none";
            if (!*standard) {
                tni_raise(TN_ERROR_ARGUMENT, "argument %s is missing, and it has no default: %s%s", name,
                          tni_operator_text(op, op->name), tni_operator_signature(op));
                return false;
            }
            if (!values_standard(type, standard, &ready[i])) {
                tni_raise(TN_ERROR_INTERNAL, "the default %s of %s cannot be read as a %s", standard, name, tn_type_name(type));
                return false;
            }
        } else if (!values_convert(type, &arguments.items[i], &ready[i])) {
            tni_raise(TN_ERROR_ARGUMENT, "argument %s must be a value of type %s, not %s", name, tn_type_name(type),
                      tni_show_value(&arguments.items[i]));
            return false;
        } else if (!values_check(op, parameter, &ready[i]))
            return false;
    }
    return true;
}

bool tni_values_fit(const tn_operator *op, tn_values arguments) {
    if (!values_shaped(arguments) || arguments.count > op->count)
        return false;
    tn_value ignored;
    for (int64_t i = 0; i < op->count; i++) {
        const tni_parameter *parameter = tni_operator_parameter(op, i);
        tn_type type = (tn_type)parameter->type;
        if (values_given(type, arguments, i) ? !values_convert(type, &arguments.items[i], &ignored)
                                             : !parameter->standard && type != TN_TYPE_OPTIONAL)
            return false;
    }
    return true;
}

const char *tni_show_value(const tn_value *value) {
    tni_text text = {tni_show_buffer(), TNI_SHOW_SIZE, 0};
    const char *kind = tn_value_kind_name(value->kind);
    switch (value->kind) {
    case TN_VALUE_INT: tni_text_append(&text, "the int %" PRId64, value->as.integer); break;
    case TN_VALUE_FLOAT: tni_text_append(&text, "the float %g", value->as.real); break;
    case TN_VALUE_BOOL: tni_text_append(&text, "the bool %s", value->as.boolean ? "true" : "false"); break;
    case TN_VALUE_TEXT: tni_text_append(&text, "the text \"%.40s\"", value->as.text ? value->as.text : "(NULL)"); break;
    case TN_VALUE_SCALAR: tni_text_append(&text, "the scalar %s", tni_show_scalar(value->as.scalar)); break;
    default: tni_text_append(&text, "a value of kind %s", kind); break;
    }
    return text.at;
}

/* ---- results */

tn_error tni_value_adopt(const tn_operator *op, tn_value *result) {
    bool tensor = result->kind == TN_VALUE_TENSOR;
    if (tni_operator_changes(op) || (!tensor && result->kind != TN_VALUE_LIST))
        return TN_OK;
    if (tni_scope_adopt(tensor ? (void *)result->as.tensor : (void *)result->as.list))
        return TN_OK;
    *result = tn_value_none();
    return tni_failed();
}

void tni_value_drop(const tn_operator *op, tn_value *result) {
    if (!tni_operator_changes(op) && result->kind == TN_VALUE_TENSOR)
        tni_tensor_release(result->as.tensor);
    else if (!tni_operator_changes(op) && result->kind == TN_VALUE_LIST)
        tni_object_release(&result->as.list->object);
    *result = tn_value_none();
}

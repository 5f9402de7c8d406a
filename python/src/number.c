/* number.c - the operators of the language: + - * / // % ** @ << >> & | ^ ~, comparisons, and conversions to numbers.
 *
 * The only place that calls operators of the table directly, because `a + b` must cost little more than the addition. An
 * operand that is a number stays one: it does not become a tensor. Anything else with the buffer protocol (a NumPy array)
 * becomes a tensor; anything else is left to the other operand.
 */
#include "core.h"

typedef tn_tensor *(*number_tensors)(const tn_tensor *, const tn_tensor *);
typedef tn_tensor *(*number_scalar)(const tn_tensor *, tn_scalar);
typedef tn_tensor *(*number_reflected)(tn_scalar, const tn_tensor *);
typedef tn_tensor *(*number_tensors_in_place)(tn_tensor *, const tn_tensor *);
typedef tn_tensor *(*number_scalar_in_place)(tn_tensor *, tn_scalar);

typedef struct number_operator {
    number_tensors tensors;
    number_scalar scalar;       /* tensor op number */
    number_reflected reflected; /* number op tensor; NULL: the number becomes a tensor */
    number_tensors_in_place tensors_in_place;
    number_scalar_in_place scalar_in_place;
} number_operator;

static tn_tensor *number_reflected_add(tn_scalar a, const tn_tensor *b) { return tn_add_scalar(b, a); }
static tn_tensor *number_reflected_mul(tn_scalar a, const tn_tensor *b) { return tn_mul_scalar(b, a); }
static tn_tensor *number_reflected_sub(tn_scalar a, const tn_tensor *b) { return tn_rsub_scalar(b, a, tn_scalar_int(1)); }

#define NUMBER_OPERATOR(name, reverse)                                                                                         \
    { tn_##name, tn_##name##_scalar, reverse, tn_##name##_, tn_##name##_scalar_ }

static const number_operator number_add = NUMBER_OPERATOR(add, number_reflected_add);
static const number_operator number_sub = NUMBER_OPERATOR(sub, number_reflected_sub);
static const number_operator number_mul = NUMBER_OPERATOR(mul, number_reflected_mul);
static const number_operator number_div = NUMBER_OPERATOR(div, NULL);
static const number_operator number_floor_divide = NUMBER_OPERATOR(floor_divide, NULL);
static const number_operator number_remainder = NUMBER_OPERATOR(remainder, tn_remainder_rscalar);
static const number_operator number_pow = NUMBER_OPERATOR(pow, tn_pow_rscalar);
static const number_operator number_lshift = NUMBER_OPERATOR(bitwise_left_shift, tn_bitwise_left_shift_rscalar);
static const number_operator number_rshift = NUMBER_OPERATOR(bitwise_right_shift, tn_bitwise_right_shift_rscalar);
static const number_operator number_and = NUMBER_OPERATOR(bitwise_and, tn_bitwise_and_rscalar);
static const number_operator number_or = NUMBER_OPERATOR(bitwise_or, tn_bitwise_or_rscalar);
static const number_operator number_xor = NUMBER_OPERATOR(bitwise_xor, tn_bitwise_xor_rscalar);

static inline bool number_is_long(const tn_tensor *a) { return tn_numel(a) >= TNPY_LONG_WORK; }

static PyObject *number_of_tensors(number_tensors function, const tn_tensor *a, const tn_tensor *b) {
    int64_t many = tn_numel(a), more = tn_numel(b);
    bool small = many < TNPY_LONG_WORK && more < TNPY_LONG_WORK;
    if (TNPY_LIKELY(small && (many * more < TNPY_LONG_WORK || !tnpy_work_together(a, b))))
        return tnpy_wrap(function(a, b));
    tn_tensor *made;
    Py_BEGIN_ALLOW_THREADS made = function(a, b);
    Py_END_ALLOW_THREADS return tnpy_wrap(made);
}

static PyObject *number_of_scalar(number_scalar function, const tn_tensor *a, tn_scalar b) {
    if (TNPY_LIKELY(!number_is_long(a)))
        return tnpy_wrap(function(a, b));
    tn_tensor *made;
    Py_BEGIN_ALLOW_THREADS made = function(a, b);
    Py_END_ALLOW_THREADS return tnpy_wrap(made);
}

static PyObject *number_of_reflected(const number_operator *op, tn_scalar a, const tn_tensor *b) {
    tn_tensor *made, *number = op->reflected ? NULL : tnpy_number_tensor(a, b);
    if (!op->reflected && !number)
        return tnpy_raise();
    Py_BEGIN_ALLOW_THREADS made = op->reflected ? op->reflected(a, b) : op->tensors(number, b);
    Py_END_ALLOW_THREADS tn_release(number);
    return tnpy_wrap(made);
}

/* An operand that is neither a tensor nor a number, as a tensor: 1, 0 when it cannot be one, -1 with an exception. */
static int number_as_tensor(PyObject *object, PyObject **made) {
    bool quiet = false;
    *made = PyBytes_Check(object) || PyByteArray_Check(object) ? NULL : tnpy_from_buffer(object, &quiet);
    return *made ? 1 : PyErr_Occurred() ? -1 : 0;
}

static PyObject *number_binary(PyObject *a, PyObject *b, const number_operator *op) {
    bool a_is = tnpy_is_tensor(a), b_is = tnpy_is_tensor(b);
    if (TNPY_LIKELY(a_is && b_is))
        return number_of_tensors(op->tensors, tnpy_tensor_of(a), tnpy_tensor_of(b));
    tn_scalar number;
    int fits = tnpy_to_scalar(a_is ? b : a, &number);
    if (fits < 0)
        return NULL;
    if (fits)
        return a_is ? number_of_scalar(op->scalar, tnpy_tensor_of(a), number)
                    : number_of_reflected(op, number, tnpy_tensor_of(b));
    PyObject *made;
    fits = number_as_tensor(a_is ? b : a, &made);
    if (fits <= 0) {
        if (fits < 0)
            return NULL;
        Py_RETURN_NOTIMPLEMENTED;
    }
    PyObject *result = a_is ? number_of_tensors(op->tensors, tnpy_tensor_of(a), tnpy_tensor_of(made))
                            : number_of_tensors(op->tensors, tnpy_tensor_of(made), tnpy_tensor_of(b));
    Py_DECREF(made);
    return result;
}

static PyObject *number_in_place(PyObject *a, PyObject *b, const number_operator *op) {
    tn_tensor *self = tnpy_tensor_of(a), *done;
    PyObject *made = NULL;
    tn_scalar number = tn_scalar_int(0);
    if (!tnpy_is_tensor(b)) {
        int fits = tnpy_to_scalar(b, &number);
        if (fits == 0 && (fits = number_as_tensor(b, &made)) == 0)
            Py_RETURN_NOTIMPLEMENTED;
        if (fits < 0)
            return NULL;
    } else
        made = Py_NewRef(b);
    bool attached = TNPY_UNLIKELY(((tnpy_tensor *)a)->base != NULL) && made && tn_requires_grad(tnpy_tensor_of(made)) &&
                    tnpy_attach_begin(a);
    Py_BEGIN_ALLOW_THREADS done = made ? op->tensors_in_place(self, tnpy_tensor_of(made)) : op->scalar_in_place(self, number);
    Py_END_ALLOW_THREADS if (attached) tnpy_attach_end(a);
    Py_XDECREF(made);
    return done ? Py_NewRef(a) : tnpy_raise();
}

#define NUMBER_SLOTS(name)                                                                                                     \
    static PyObject *number_slot_##name(PyObject *a, PyObject *b) { return number_binary(a, b, &number_##name); }              \
    static PyObject *number_slot_in_place_##name(PyObject *a, PyObject *b) { return number_in_place(a, b, &number_##name); }
NUMBER_SLOTS(add)
NUMBER_SLOTS(sub)
NUMBER_SLOTS(mul)
NUMBER_SLOTS(div)
NUMBER_SLOTS(floor_divide)
NUMBER_SLOTS(remainder)
NUMBER_SLOTS(lshift)
NUMBER_SLOTS(rshift)
NUMBER_SLOTS(and)
NUMBER_SLOTS(or)
NUMBER_SLOTS(xor)

static PyObject *number_slot_pow(PyObject *a, PyObject *b, PyObject *modulus) {
    if (modulus != Py_None)
        Py_RETURN_NOTIMPLEMENTED;
    return number_binary(a, b, &number_pow);
}

static PyObject *number_slot_in_place_pow(PyObject *a, PyObject *b, PyObject *modulus) {
    if (modulus != Py_None)
        Py_RETURN_NOTIMPLEMENTED;
    return number_in_place(a, b, &number_pow);
}

static PyObject *number_slot_matmul(PyObject *a, PyObject *b) {
    const tn_operator *op = tn_operator_find("matmul");
    if (!op || !tnpy_is_tensor(a) || !tnpy_is_tensor(b))
        Py_RETURN_NOTIMPLEMENTED;
    tn_value result, values[2] = {tn_value_tensor(tnpy_tensor_of(a)), tn_value_tensor(tnpy_tensor_of(b))};
    tn_error code;
    tnpy_casts casts;
    bool cast = TNPY_UNLIKELY(tnpy_autocast_dtype != TN_DTYPE_DEFAULT);
    if (cast && tnpy_autocast_begin("matmul", values, 2, &casts) < 0)
        return NULL;
    Py_BEGIN_ALLOW_THREADS code = tn_operator_call(op, (tn_values){values, 2}, &result);
    Py_END_ALLOW_THREADS if (cast) tnpy_autocast_end(&casts);
    return code ? tnpy_raise() : tnpy_wrap(result.as.tensor);
}

/* ---- comparisons */

#define NUMBER_COMPARISON(name)                                                                                                \
    { tn_##name, tn_##name##_scalar }
static const struct number_comparison {
    number_tensors tensors;
    number_scalar scalar;
} number_comparisons[] = {
    [Py_LT] = NUMBER_COMPARISON(lt), [Py_LE] = NUMBER_COMPARISON(le), [Py_EQ] = NUMBER_COMPARISON(eq),
    [Py_NE] = NUMBER_COMPARISON(ne), [Py_GT] = NUMBER_COMPARISON(gt), [Py_GE] = NUMBER_COMPARISON(ge),
};

static PyObject *number_compare(PyObject *a, PyObject *b, int how) {
    if (tnpy_is_tensor(b))
        return number_of_tensors(number_comparisons[how].tensors, tnpy_tensor_of(a), tnpy_tensor_of(b));
    tn_scalar number;
    int fits = b == Py_None ? 0 : tnpy_to_scalar(b, &number);
    if (fits > 0)
        return number_of_scalar(number_comparisons[how].scalar, tnpy_tensor_of(a), number);
    PyObject *made = NULL;
    if (fits == 0 && b != Py_None)
        fits = number_as_tensor(b, &made);
    if (fits < 0)
        return NULL;
    if (!made)
        Py_RETURN_NOTIMPLEMENTED;
    PyObject *result = number_of_tensors(number_comparisons[how].tensors, tnpy_tensor_of(a), tnpy_tensor_of(made));
    Py_DECREF(made);
    return result;
}

/* ---- one operand */

static PyObject *number_unary(PyObject *self, tn_tensor *(*function)(const tn_tensor *)) {
    tn_tensor *made;
    if (TNPY_LIKELY(!number_is_long(tnpy_tensor_of(self))))
        return tnpy_wrap(function(tnpy_tensor_of(self)));
    Py_BEGIN_ALLOW_THREADS made = function(tnpy_tensor_of(self));
    Py_END_ALLOW_THREADS return tnpy_wrap(made);
}

static PyObject *number_slot_neg(PyObject *self) { return number_unary(self, tn_neg); }
static PyObject *number_slot_abs(PyObject *self) { return number_unary(self, tn_abs); }
static PyObject *number_slot_invert(PyObject *self) { return number_unary(self, tn_bitwise_not); }
static PyObject *number_slot_positive(PyObject *self) { return tnpy_wrap_view(tn_positive(tnpy_tensor_of(self)), self); }

/* ---- conversions */

static int number_slot_bool(PyObject *self) {
    bool value = tn_item_bool(tnpy_tensor_of(self));
    if (!value && tn_error_code() != TN_OK) {
        (void)tnpy_raise();
        return -1;
    }
    return value;
}

static PyObject *number_item(PyObject *self) {
    tn_scalar value = tn_item(tnpy_tensor_of(self));
    return tn_error_code() != TN_OK ? tnpy_raise() : tnpy_scalar_object(value);
}

/* A complex number without an imaginary part is a real one; others are neither an int nor a float. */
static PyObject *number_real_item(PyObject *self) {
    PyObject *item = number_item(self);
    if (!item || !PyComplex_Check(item))
        return item;
    PyObject *real = NULL;
    if (PyComplex_ImagAsDouble(item) == 0)
        real = PyFloat_FromDouble(PyComplex_RealAsDouble(item));
    else
        PyErr_Format(tnpy_error_class(TN_ERROR_DTYPE), "the complex number %R is neither an int nor a float", item);
    Py_DECREF(item);
    return real;
}

static PyObject *number_slot_int(PyObject *self) {
    PyObject *item = number_real_item(self), *number = item ? PyNumber_Long(item) : NULL;
    Py_XDECREF(item);
    return number;
}

static PyObject *number_slot_float(PyObject *self) {
    PyObject *item = number_real_item(self), *number = item ? PyNumber_Float(item) : NULL;
    Py_XDECREF(item);
    return number;
}

static PyObject *number_slot_index(PyObject *self) {
    const tn_tensor *tensor = tnpy_tensor_of(self);
    if (tn_numel(tensor) != 1 || !tn_dtype_is_integral(tn_dtype_of(tensor))) {
        PyErr_Format(PyExc_TypeError,
                     "only an integer tensor of one element can be used as an index, not one of %lld elements of %s",
                     (long long)tn_numel(tensor), tn_dtype_name(tn_dtype_of(tensor)));
        return NULL;
    }
    return number_slot_int(self);
}

PyType_Slot tnpy_number_slots[] = {
    TNPY_SLOT(Py_tp_richcompare, number_compare),
    TNPY_SLOT(Py_nb_add, number_slot_add),
    TNPY_SLOT(Py_nb_subtract, number_slot_sub),
    TNPY_SLOT(Py_nb_multiply, number_slot_mul),
    TNPY_SLOT(Py_nb_true_divide, number_slot_div),
    TNPY_SLOT(Py_nb_floor_divide, number_slot_floor_divide),
    TNPY_SLOT(Py_nb_remainder, number_slot_remainder),
    TNPY_SLOT(Py_nb_power, number_slot_pow),
    TNPY_SLOT(Py_nb_lshift, number_slot_lshift),
    TNPY_SLOT(Py_nb_rshift, number_slot_rshift),
    TNPY_SLOT(Py_nb_and, number_slot_and),
    TNPY_SLOT(Py_nb_or, number_slot_or),
    TNPY_SLOT(Py_nb_xor, number_slot_xor),
    TNPY_SLOT(Py_nb_matrix_multiply, number_slot_matmul),
    TNPY_SLOT(Py_nb_inplace_add, number_slot_in_place_add),
    TNPY_SLOT(Py_nb_inplace_subtract, number_slot_in_place_sub),
    TNPY_SLOT(Py_nb_inplace_multiply, number_slot_in_place_mul),
    TNPY_SLOT(Py_nb_inplace_true_divide, number_slot_in_place_div),
    TNPY_SLOT(Py_nb_inplace_floor_divide, number_slot_in_place_floor_divide),
    TNPY_SLOT(Py_nb_inplace_remainder, number_slot_in_place_remainder),
    TNPY_SLOT(Py_nb_inplace_power, number_slot_in_place_pow),
    TNPY_SLOT(Py_nb_inplace_lshift, number_slot_in_place_lshift),
    TNPY_SLOT(Py_nb_inplace_rshift, number_slot_in_place_rshift),
    TNPY_SLOT(Py_nb_inplace_and, number_slot_in_place_and),
    TNPY_SLOT(Py_nb_inplace_or, number_slot_in_place_or),
    TNPY_SLOT(Py_nb_inplace_xor, number_slot_in_place_xor),
    TNPY_SLOT(Py_nb_negative, number_slot_neg),
    TNPY_SLOT(Py_nb_positive, number_slot_positive),
    TNPY_SLOT(Py_nb_absolute, number_slot_abs),
    TNPY_SLOT(Py_nb_invert, number_slot_invert),
    TNPY_SLOT(Py_nb_bool, number_slot_bool),
    TNPY_SLOT(Py_nb_int, number_slot_int),
    TNPY_SLOT(Py_nb_float, number_slot_float),
    TNPY_SLOT(Py_nb_index, number_slot_index),
    {0, NULL},
};

/* trampolines.h - 2048 functions that differ in a number: operator_method_000 to operator_method_7ff, and the table of them.
 *
 * A method of a builtin type is told its object and its arguments, not which method it is; so each is a function of its own.
 * Included by operator.c alone.
 */
enum { OPERATOR_METHODS = 2048 };

#define TRAMPOLINE_EACH16(DO, n)                                                                                               \
    DO(n##0) DO(n##1) DO(n##2) DO(n##3) DO(n##4) DO(n##5) DO(n##6) DO(n##7)                                                    \
    DO(n##8) DO(n##9) DO(n##a) DO(n##b) DO(n##c) DO(n##d) DO(n##e) DO(n##f)

#define TRAMPOLINE_DEFINE(n)                                                                                                   \
    static PyObject *operator_method_##n(PyObject *self, PyObject *const *args, Py_ssize_t count, PyObject *names) {           \
        return tnpy_operator_run(operator_by_method[0x##n], self, args, count, names);                                              \
    }
#define TRAMPOLINE_NAME(n) operator_method_##n,

#define TRAMPOLINE_DEFINE16(n) TRAMPOLINE_EACH16(TRAMPOLINE_DEFINE, n)
#define TRAMPOLINE_NAME16(n) TRAMPOLINE_EACH16(TRAMPOLINE_NAME, n)
#define TRAMPOLINE_EACH256(DO, n)                                                                                              \
    DO(n##0) DO(n##1) DO(n##2) DO(n##3) DO(n##4) DO(n##5) DO(n##6) DO(n##7)                                                    \
    DO(n##8) DO(n##9) DO(n##a) DO(n##b) DO(n##c) DO(n##d) DO(n##e) DO(n##f)

TRAMPOLINE_EACH256(TRAMPOLINE_DEFINE16, 0)
TRAMPOLINE_EACH256(TRAMPOLINE_DEFINE16, 1)
TRAMPOLINE_EACH256(TRAMPOLINE_DEFINE16, 2)
TRAMPOLINE_EACH256(TRAMPOLINE_DEFINE16, 3)
TRAMPOLINE_EACH256(TRAMPOLINE_DEFINE16, 4)
TRAMPOLINE_EACH256(TRAMPOLINE_DEFINE16, 5)
TRAMPOLINE_EACH256(TRAMPOLINE_DEFINE16, 6)
TRAMPOLINE_EACH256(TRAMPOLINE_DEFINE16, 7)

typedef PyObject *(*operator_method)(PyObject *, PyObject *const *, Py_ssize_t, PyObject *);
static const operator_method operator_trampolines[OPERATOR_METHODS] = {
    TRAMPOLINE_EACH256(TRAMPOLINE_NAME16, 0) TRAMPOLINE_EACH256(TRAMPOLINE_NAME16, 1)
    TRAMPOLINE_EACH256(TRAMPOLINE_NAME16, 2) TRAMPOLINE_EACH256(TRAMPOLINE_NAME16, 3)
    TRAMPOLINE_EACH256(TRAMPOLINE_NAME16, 4) TRAMPOLINE_EACH256(TRAMPOLINE_NAME16, 5)
    TRAMPOLINE_EACH256(TRAMPOLINE_NAME16, 6) TRAMPOLINE_EACH256(TRAMPOLINE_NAME16, 7)
};

"""Asks PyTorch and mpmath for functions of complex numbers, and writes the tables of tests/pointwise_complex.c.

usage: python make_complex_cases.py > complex_cases.inc     (needs torch and mpmath; written with torch 2.13, the output is in the tree)

    SPECIAL_POINTS("values")                  every pair of 0, -0, 1, -2.5, infinities and NaN: ends, branch cuts, both sides of them
    SPECIAL(operator, points, "values")       PyTorch's answers there, one element at a time (its vector code differs in places);
                                              points: NULL for all of them, or those that are left
    PAIR_POINTS("values")                     pairs of fewer
    SPECIAL_PAIR(operator, "values")          each of them as a column against each as a row
    FINITE_POINTS("values")                   ordinary numbers, which float32 holds too
    FINITE(operator, "values")                the true results there, by mpmath; PyTorch's must be near
    POWER(x, y, "value")                      x ** y, the same

Left out, because the array API standard or the mathematics says otherwise, and tested by hand: see DIFFERENT.
"""
import itertools
import math
import warnings

import mpmath
import torch
import torch.nn.functional as F

warnings.filterwarnings("ignore")
mpmath.mp.prec = 400
INF, NAN = math.inf, math.nan

PARTS = [0.0, -0.0, 1.0, -2.5, INF, -INF, NAN]
SPECIAL_POINTS = [complex(a, b) for a in PARTS for b in PARTS]
PAIR_POINTS = [complex(a, b) for a in (0.0, 1.0, -INF, NAN) for b in (-0.0, -2.5, INF, NAN)]
FINITE_POINTS = [complex(a, b) for a, b in (
    (1, 1), (0.5, -0.25), (-0.75, 0.5), (-1.5, -2), (3, 4), (-3, 0.125), (0.0009765625, 0.001953125), (0.96875, 0.25),
    (10, -7), (-20, 3), (0.25, 12), (-0.125, -30), (1.03125, 0.03125), (-1.0078125, 0.0078125), (0.015625, 1.0078125),
    (5.5, 9.25), (-0.3125, 0.0625), (40, 33), (0.6875, 0.71875), (2.25, -0.0000152587890625))]

m = mpmath
FUNCTIONS = {
    "exp": m.exp, "exp2": lambda z: m.exp(z * m.log(2)), "expm1": lambda z: m.exp(z) - 1,
    "log": m.log, "log2": lambda z: m.log(z) / m.log(2), "log10": lambda z: m.log(z) / m.log(10), "log1p": lambda z: m.log(1 + z),
    "sin": m.sin, "cos": m.cos, "tan": m.tan, "asin": m.asin, "acos": m.acos, "atan": m.atan,
    "sinh": m.sinh, "cosh": m.cosh, "tanh": m.tanh, "asinh": m.asinh, "acosh": m.acosh, "atanh": m.atanh,
    "sqrt": m.sqrt, "rsqrt": lambda z: 1 / m.sqrt(z), "reciprocal": lambda z: 1 / z, "square": lambda z: z * z,
    "sigmoid": lambda z: 1 / (1 + m.exp(-z)), "silu": lambda z: z / (1 + m.exp(-z)), "sinc": lambda z: m.sin(m.pi * z) / (m.pi * z),
    "softsign": lambda z: z / (1 + abs(z)), "tanhshrink": lambda z: z - m.tanh(z), "sgn": lambda z: z / abs(z),
    "neg": lambda z: -z, "conj_physical": m.conj,
}


def is_zero(z):
    return z.real == 0 and z.imag == 0


def is_finite(z):
    return math.isfinite(z.real) and math.isfinite(z.imag)


# Where PyTorch is not followed.
DIFFERENT = {
    "expm1": lambda z: not is_finite(z),  # the standard's table; PyTorch multiplies parts that are infinite by 0
    "log1p": lambda z: math.isnan(z.real) != math.isnan(z.imag),
    "acos": lambda z: z.imag == 0 and abs(z.real) <= 1,  # the sign of 0, which the standard fixes
    "sigmoid": lambda z: z.real == -INF,  # 0, its limit, rather than NaN
    "sinc": lambda z: z.imag == 0 and z.real == 1,  # 0, not a trace of it
    "silu": lambda z: is_zero(z) or z.real == -INF,
    "softsign": lambda z: 0 in (z.real, z.imag),  # signs of 0, which are those of self
    "sgn": lambda z: 0 in (z.real, z.imag),
    "tanhshrink": lambda z: is_zero(z) or not is_finite(z),  # a difference of parts
}


def torch_function(name):
    return getattr(F, name) if name in ("silu", "softsign", "tanhshrink") else getattr(torch, name)


def ask(name, *operands):
    return torch_function(name)(*[torch.tensor([z], dtype=torch.complex128) for z in operands])[0].item()


def part(value):
    return "nan" if math.isnan(value) else repr(value)


def number(z):
    sign = "-" if math.copysign(1, z.imag) < 0 and not math.isnan(z.imag) else "+"
    return "%s%s%sj" % (part(z.real), sign, part(abs(z.imag)))


def text(values):
    return '"[' + ", ".join("nan+nanj" if z is None else number(z) for z in values) + ']"'


def finite(name, function):
    results = [complex(function(m.mpc(z))) for z in FINITE_POINTS]
    tolerance = 1e-8 if name == "tanhshrink" else 1e-13
    for z, result in zip(FINITE_POINTS, results):
        assert abs(ask(name, z) - result) <= tolerance * abs(result), (name, z, ask(name, z), result)
    return results


KINDS = "SPECIAL_POINTS SPECIAL PAIR_POINTS SPECIAL_PAIR FINITE_POINTS FINITE POWER".split()
print("/* Written by make_complex_cases.py from PyTorch %s and mpmath. */" % torch.__version__.split("+")[0])
for kind in KINDS:
    print("#ifndef %s\n#define %s(...)\n#endif" % (kind, kind))
print("SPECIAL_POINTS(%s)" % text(SPECIAL_POINTS))
for name in FUNCTIONS:
    points = [z for z in SPECIAL_POINTS if not DIFFERENT.get(name, lambda z: False)(z)]
    kept = [ask(name, z) for z in points]
    print("SPECIAL(%s, %s, %s)" % (name, text(points) if len(points) < len(SPECIAL_POINTS) else "NULL", text(kept)))
print("PAIR_POINTS(%s)" % text(PAIR_POINTS))
for name in ("mul", "div", "logaddexp"):
    print("SPECIAL_PAIR(%s, %s)" % (name, text([ask(name, x, y) for x, y in itertools.product(PAIR_POINTS, PAIR_POINTS)])))
print("FINITE_POINTS(%s)" % text(FINITE_POINTS))
for name, function in FUNCTIONS.items():
    print("FINITE(%s, %s)" % (name, text(finite(name, function))))
for x, y in itertools.product((1 + 1j, -1.5 - 2j, 0.5 - 0.25j, -3 + 0.125j), (2.5, -1.5, 1 + 1j, -2 + 0.5j, 3, -4, 7.25 - 3j, 0.5, -1)):
    truth = complex(m.exp(m.mpc(y) * m.log(m.mpc(x))))
    assert abs(ask("pow", x, complex(y)) - truth) <= 1e-13 * abs(truth)
    print('POWER("%s", "%s", "%s")' % (number(x), number(complex(y)), number(truth)))
for kind in KINDS:
    print("#undef %s" % kind)

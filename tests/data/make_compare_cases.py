"""Asks PyTorch for comparisons, logic, bits and selections, and writes the tables of tests/pointwise_compare.c.

usage: python make_compare_cases.py > compare_cases.inc        (needs torch; written with 2.13, the output is in the tree)

    SAMPLE(DTYPE, "values")                      eight numbers of each dtype; what follows is about these
    PAIR(A, B, and, or, xor, eq, ne, lt, ...)    sample A as a column against sample B as a row: 64 answers, the first the lowest bit
    ORDERLESS(A, B, and, or, xor, eq, ne)        the same where torch does not order
    NUMBER(A, WHOLE(x) or REAL(x), eq, ne, lt, le, gt, ge)           8 answers: sample A against a number
    SINGLE(A, B, which, eq, ne, lt, le, gt, ge)  8 answers: sample A against one number of sample B, as a tensor of no dimensions
    UNARY(operator, A, answers)
    CLOSE(A, rtol, atol, equal_nan, answers)     64 answers
    BITS(operator, A, B, RESULT, "values")       the first four of sample A as a column against the first four of another as a row
    BITS_NUMBER(operator, A, number, RESULT, "values")
    WHERE(A, B, RESULT, "values")                four of each sample, the condition true, false, true, false
    WHERE_NUMBER(A, number, RESULT, "values")    with a number in place of the second
    FILL(A, number, "values")                    masked_fill of a sample; NULL: torch raises
"""
import itertools
import math
import warnings

import torch

warnings.filterwarnings("ignore")
INF, NAN = math.inf, math.nan
NAMES = "BOOL UINT8 UINT16 UINT32 UINT64 INT8 INT16 INT32 INT64 FLOAT16 BFLOAT16 FLOAT32 FLOAT64 COMPLEX64 COMPLEX128".split()
DTYPES = {name: getattr(torch, name.lower()) for name in NAMES}
NAME_OF = {dtype: name for name, dtype in DTYPES.items()}
INTEGERS = [name for name in NAMES if "INT" in name]
BINARY = "logical_and logical_or logical_xor eq ne lt le gt ge".split()
ORDERS = BINARY[3:]


def sample(name):
    if name == "BOOL":
        return [False, True, False, True, True, False, True, False]
    if name in INTEGERS:
        bits, signed = int(name.lstrip("UINT")), name[0] != "U"
        ends = [-2 ** (bits - 1), -1] if signed else [2 ** (bits - 1), 2**bits - 1]
        return [100, 1, 2, ends[1], 7, 0, 3, ends[0]]
    if "FLOAT" in name:
        return [100.0, -0.0, 2.5, NAN, INF, 1.0, 0.0, -INF]
    return [100 + 0j, 0j, 2.5 + 1j, complex(NAN, 1), complex(INF, 1), 1 + 0j, 1j, complex(1, -INF)]


SAMPLES = {name: torch.tensor(sample(name), dtype=DTYPES[name]) for name in NAMES}


def number(value):
    if isinstance(value, complex):
        sign = "-" if math.copysign(1, value.imag) < 0 else "+"
        return number(value.real) + sign + number(abs(value.imag)) + "j"
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, int):
        return str(value)
    return repr(value)


def scalar(value):
    if isinstance(value, bool):
        return "TRUTH(%s)" % ("true" if value else "false")
    if isinstance(value, int):
        return "WHOLE(%s)" % ("INT64_MIN" if value == -(2**63) else value)
    return "REAL(%s)" % ("NAN" if math.isnan(value) else "INFINITY" if math.isinf(value) else repr(value))


def text(tensor):
    def nested(values):
        return "[" + ", ".join(nested(v) if isinstance(v, list) else number(v) for v in values) + "]"
    return '"%s"' % nested(tensor.tolist())


def answers(tensor):
    assert tensor.dtype == torch.bool
    return "0x%x" % sum(1 << i for i, value in enumerate(tensor.flatten().tolist()) if value)


def attempt(function):
    try:
        return function()
    except (RuntimeError, NotImplementedError, TypeError):
        return None


def pairs():
    for a, b in itertools.product(NAMES, NAMES):
        column, row = SAMPLES[a][:, None], SAMPLES[b][None, :]
        results = [attempt(lambda: getattr(torch, op)(column, row)) for op in BINARY]
        if any(r is None for r in results[:5]):
            continue
        if results[5] is None:
            print("ORDERLESS(%s, %s, %s)" % (a, b, ", ".join(answers(r) for r in results[:5])))
        else:
            print("PAIR(%s, %s, %s)" % (a, b, ", ".join(map(answers, results))))


def numbers_for(name):
    if name == "BOOL":
        return [True, 0, 1, 2, -1, 0.5]
    if name in INTEGERS:
        return [True, 0, 7, 100, 2.5, -1.0, NAN, INF] + ([-1] if name[0] != "U" else [])
    return [True, 0, 1, -3, 2.5, 100.0, 100.1, NAN, INF]


def numbers():
    for name in NAMES[:13]:
        for value in numbers_for(name):
            results = [attempt(lambda: getattr(torch, op)(SAMPLES[name], value)) for op in ORDERS]
            if all(r is not None for r in results):
                print("NUMBER(%s, %s, %s)" % (name, scalar(value), ", ".join(map(answers, results))))


def singles():
    for a, b in itertools.product(NAMES[:13], NAMES[:13]):
        for which in (2, 4):
            results = [attempt(lambda: getattr(torch, op)(SAMPLES[a], SAMPLES[b][which])) for op in ORDERS]
            if all(r is not None for r in results):
                print("SINGLE(%s, %s, %d, %s)" % (a, b, which, ", ".join(map(answers, results))))


def unaries():
    for op in "isnan isinf isfinite isposinf isneginf isreal signbit logical_not".split():
        for name in NAMES:
            result = attempt(lambda: getattr(torch, op)(SAMPLES[name]))
            if result is not None or SAMPLES[name].is_complex():
                print("UNARY(%s, %s, %s)" % (op, name, answers(result) if result is not None else "REFUSED"))


def close():
    for name in NAMES:
        for rtol, atol, equal_nan in ((1e-5, 1e-8, False), (0.0, 0.0, True), (0.5, 2.0, False), (0.0, 90.0, True), (INF, 1.0, False)):
            result = attempt(lambda: torch.isclose(SAMPLES[name][:, None], SAMPLES[name][None, :], rtol=rtol, atol=atol,
                                                   equal_nan=equal_nan))
            if result is not None:
                print("CLOSE(%s, %s, %s, %s, %s)" % (name, "INFINITY" if rtol == INF else rtol, atol,
                                                     "true" if equal_nan else "false", answers(result)))


def bits():
    for op in "bitwise_and bitwise_or bitwise_xor bitwise_left_shift bitwise_right_shift".split():
        for a, b in itertools.product(NAMES[:9], NAMES[:9]):
            column, row = SAMPLES[a][:4, None], SAMPLES[b][None, :4]
            result = attempt(lambda: getattr(torch, op)(column, row))
            if result is not None:
                print("BITS(%s, %s, %s, %s, %s)" % (op, a, b, NAME_OF[result.dtype], text(result)))
        for a, value in itertools.product(NAMES[:9], (True, 5, 300, -1)):
            result = attempt(lambda: getattr(torch, op)(SAMPLES[a][:4], value))
            if result is not None:
                print("BITS_NUMBER(%s, %s, %s, %s, %s)" % (op, a, scalar(value), NAME_OF[result.dtype], text(result)))
    for a in NAMES[:9]:
        result = attempt(lambda: torch.bitwise_not(SAMPLES[a]))
        if result is not None:
            print("BITS(bitwise_not, %s, %s, %s, %s)" % (a, a, NAME_OF[result.dtype], text(result)))


def selections():
    condition = torch.tensor([True, False, True, False])
    for a, b in itertools.product(NAMES, NAMES):
        result = attempt(lambda: torch.where(condition, SAMPLES[a][:4], SAMPLES[b][:4]))
        if result is not None:
            print("WHERE(%s, %s, %s, %s)" % (a, b, NAME_OF[result.dtype], text(result)))
    for a in NAMES:
        for value in (True, 5, -1, 2.5):
            result = attempt(lambda: torch.where(condition, SAMPLES[a][:4], value))
            print("WHERE_NUMBER(%s, %s, %s, %s)" % (a, scalar(value), NAME_OF[result.dtype] if result is not None else "DTYPE_DEFAULT",
                                                   text(result) if result is not None else "NULL"))
        for value in (True, 5, -1, 300, 2.5, NAN, 1e9) if a not in ("UINT16", "UINT32", "UINT64") else ():
            result = attempt(lambda: SAMPLES[a][:4].masked_fill(condition, value))
            print("FILL(%s, %s, %s)" % (a, scalar(value), text(result) if result is not None else "NULL"))


KINDS = "SAMPLE PAIR ORDERLESS NUMBER SINGLE UNARY CLOSE BITS BITS_NUMBER WHERE WHERE_NUMBER FILL".split()
print("/* Written by make_compare_cases.py from PyTorch %s. What is not defined is left out. */" % torch.__version__.split("+")[0])
for kind in KINDS:
    print("#ifndef %s\n#define %s(...)\n#endif" % (kind, kind))
for name in NAMES:
    print("SAMPLE(%s, %s)" % (name, text(SAMPLES[name])))
pairs()
numbers()
singles()
unaries()
close()
bits()
selections()
for kind in KINDS:
    print("#undef %s" % kind)

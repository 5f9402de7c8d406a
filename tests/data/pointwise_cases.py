"""What make_arithmetic_cases.py and make_math_cases.py have in common: samples of every dtype, and a line for each call.

    SAMPLE(a, DTYPE, "values")      two samples of eight numbers for each dtype; those of b have no 0 among the integers
    CASE("operator", "arguments", DTYPE, ulp, "values")

The arguments are words: a:int8 and b:int8 are samples, A:int8 and B:int8 their first element as a tensor of no dimensions,
c:int8 and r:int8 sample a as a column and sample b as a row; i5, d2.5, t1 numbers (an int, a float, a bool), - nothing,
'floor' a text.
ulp is how far a float may be away; values NULL says that torch refuses.

Float results are torch's float64 ones, rounded to the dtype, wherever those are finite: what is right rather than what torch
makes of it in float32. Those of narrow() are torch's own.
"""
import math
import warnings

import torch

warnings.filterwarnings("ignore")
INF, NAN = math.inf, math.nan
NAMES = "bool uint8 uint16 uint32 uint64 int8 int16 int32 int64 float16 bfloat16 float32 float64".split()
DTYPES = {name: getattr(torch, name) for name in NAMES}
INTEGERS = [name for name in NAMES if "int" in name]
FLOATS = NAMES[9:]
PLAIN = [name for name in NAMES if name not in ("uint16", "uint32", "uint64")]  # where torch has everything
DIGITS = {"float16": 5, "bfloat16": 4, "float32": 9, "float64": 17}


def values_of(which, name):
    if name == "bool":
        return [False, True, True, False, True, False, True, True] if which == "a" else [True, True, False, False] * 2
    if name in INTEGERS:
        bits, signed = int(name.lstrip("uint")), name[0] != "u"
        if which == "a":
            return [100, 1, 2, -1 if signed else 2**bits - 1, 7, 0, 3, -(2 ** (bits - 1)) if signed else 2 ** (bits - 1)]
        return [3, -2 if signed else 9, 5, 7, 4, 2, 2 ** (bits - 1) - 1, -3 if signed else 6]
    if which == "a":
        return [100.0, -0.0, 2.5, NAN, INF, -1.0, 0.375, -INF]
    return [2.0, 3.0, -1.5, 1.0, 0.5, -2.0, 0.0, -0.75]


SAMPLES = {(which, name): torch.tensor(values_of(which, name), dtype=DTYPES[name]) for which in "ab" for name in NAMES}


def argument(word):
    if word == "-":
        return None
    if word[0] == "'":
        return word[1:-1]
    if word[0] in "idt":
        return {"i": int, "d": float, "t": lambda text: text == "1"}[word[0]](word[1:])
    which, name = word.split(":")
    sample = SAMPLES[which.lower() if which in "AB" else {"c": "a", "r": "b"}.get(which, which), name]
    return {"a": sample, "b": sample, "A": sample[0], "B": sample[0], "c": sample[:, None], "r": sample[None, :]}[which]


def widened(value, dtype):
    """What is not a float first becomes one of the result's dtype, float32 for float64."""
    if not isinstance(value, torch.Tensor):
        return value
    return (value if value.dtype.is_floating_point else value.to(torch.float32 if dtype == torch.float64 else dtype)).double()


def wrapped(function):
    """With numbers as tensors of no dimensions: for functions that take none in torch."""
    return lambda *all: function(*[torch.tensor(one) if isinstance(one, (bool, int, float)) else one for one in all])


def number(value, digits):
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, int) or value in (0, INF, -INF) or value != value:
        return repr(value)
    return "%.*g" % (digits, value)


def nested(values, digits):
    return "[" + ", ".join(nested(v, digits) if isinstance(v, list) else number(v, digits) for v in values) + "]"


def case(operator, words, function, ulp=0, exact=True):
    """One line. exact: the float64 answer, rounded, is wanted, not the answer in the dtype itself."""
    arguments = [argument(word) for word in words.split()]
    try:
        result = function(*arguments)
    except (RuntimeError, NotImplementedError, TypeError, ValueError):
        print('CASE("%s", "%s", DTYPE_DEFAULT, 0, NULL)' % (operator, words))
        return
    name = str(result.dtype)[6:]
    if exact and name in FLOATS:
        wide = function(*[widened(one, result.dtype) for one in arguments]).to(result.dtype)
        result = torch.where(wide.isfinite(), wide, result)
    text = nested(result.tolist() if result.dim() else [result.item()], DIGITS.get(name, 0))
    print('CASE("%s", "%s", %s, %d, "%s")' % (operator, words, name.upper(), ulp, text))


def narrow(operators, ulp=0):
    """Numbers and integers beside narrow floats, which do not have enough digits for them: bit for bit as in torch."""
    for name, function in operators.items():
        for dtype in ("float16", "bfloat16"):
            for words in ("b:%s d0.1", "b:%s d3.3", "b:%s A:int32", "b:%s a:int32", "a:int32 b:%s", "d0.1 b:%s", "A:int32 b:%s"):
                tensors, left = words.count(":") == 2, words[0] == "d"
                full = name + ("" if tensors else ".rscalar" if left else ".scalar")
                if left and name in ("maximum", "hypot", "logaddexp"):
                    continue  # the other way round is the same
                case(full, words % dtype, function, ulp, False)


def begin(program):
    print("/* Written by %s from PyTorch %s. What is not defined is left out. */" % (program, torch.__version__.split("+")[0]))
    print("#ifndef SAMPLE\n#define SAMPLE(...)\n#endif\n#ifndef CASE\n#define CASE(...)\n#endif")
    for (which, name), sample in SAMPLES.items():
        print('SAMPLE(%s, %s, "%s")' % (which, name.upper(), nested(sample.tolist(), DIGITS.get(name, 0))))


def end():
    print("#undef SAMPLE\n#undef CASE")

"""Asks PyTorch for sequences, filled tensors and literals, and writes the tables of tests/create.c, sequence.c, from_text.c.

usage: python make_create_cases.py > create_cases.inc        (needs torch; written with 2.13, the output is in the tree)

    SEQUENCE(operator, DTYPE, start, end, step or steps, base, count, VALUES(...))     a count of -1: torch raises
    FULL(DTYPE, value, raises, stored)
    TEXT("text", DTYPE, raises, RESULT_DTYPE, SIZES(...), VALUES(...))

Numbers are WHOLE(...) and REAL(...), results are doubles, all exact.
"""
import itertools
import math
import warnings

import torch

warnings.filterwarnings("ignore")
INF, NAN = math.inf, math.nan
DTYPES = {name: getattr(torch, name.lower()) for name in
          "BOOL UINT8 UINT16 UINT32 UINT64 INT8 INT16 INT32 INT64 FLOAT16 BFLOAT16 FLOAT32 FLOAT64 COMPLEX64 COMPLEX128 "
          "FLOAT8_E4M3FN FLOAT8_E5M2".split()}
NAME_OF = {dtype: name for name, dtype in DTYPES.items()}


def number(value):
    if math.isnan(value):
        return "NAN"
    if math.isinf(value):
        return "INFINITY" if value > 0 else "-INFINITY"
    return repr(int(value)) + ".0" if value == int(value) and abs(value) < 2**53 else float(value).hex()


def scalar(value):
    if isinstance(value, int):
        return "WHOLE(%s)" % ("INT64_MIN" if value == -2**63 else value)
    return "REAL(%s)" % number(value)


def values_of(tensor):
    flat = tensor.flatten().to(torch.float64 if not tensor.is_complex() else torch.complex128).tolist()
    return "VALUES(%s)" % ", ".join(number(v) for v in flat) if flat else "NO_VALUES"


def dtype_name(dtype):
    return NAME_OF[dtype] if dtype else "DTYPE_DEFAULT"


def sequence(operator, dtype, start, end, step, base=0):
    try:
        if operator == "arange":
            result = torch.arange(start, end, step, dtype=dtype)
        elif operator == "linspace":
            result = torch.linspace(start, end, step, dtype=dtype)
        else:
            result = torch.logspace(start, end, step, base=base, dtype=dtype)
        count, values = result.numel(), values_of(result)
    except (RuntimeError, ValueError, TypeError):
        count, values = -1, "NO_VALUES"
    print("SEQUENCE(%s, %s, %s, %s, %s, %s, %d, %s)" % (operator, dtype_name(dtype), scalar(start), scalar(end), scalar(step),
                                                         number(base), count, values))


SIGNED = [DTYPES[n] for n in "UINT8 INT8 INT16 INT32 INT64".split()]  # torch has no sequences in the other integers
FLOATS = [DTYPES[n] for n in "FLOAT16 BFLOAT16 FLOAT32 FLOAT64".split()]

for start, end, step in [(0, 5, 1), (0, 5, 2), (5, 0, -1), (5, 0, -2), (1, 1, 1), (1, 1, -3), (0, 1, -1), (1, 0, 1), (0, 1, 0),
                         (3, 40, 7), (-5, 5, 3), (0, 100, 33), (100, -28, -64), (0, 7, 100)]:
    for dtype in [None] + SIGNED + FLOATS:
        sequence("arange", dtype, start, end, step)
for start, end, step in [(0, 5, 1.5), (0.5, 5, 1.5), (0, 1, 0.1), (0.0, 1.0, 0.25), (0, -1, -0.3), (2.5, -2.5, -1.25),
                         (0.9, 4.1, 1), (-0.9, 4.9, 1), (1, 1.0000001, 1e-8), (0, 1e-3, 1e-4), (0.5, 0.2, 1), (0, 3.0, 1)]:
    for dtype in [None] + SIGNED + FLOATS:
        sequence("arange", dtype, start, end, step)
for bad in [NAN, INF, -INF]:
    sequence("arange", None, 0, bad, 1)
    sequence("arange", None, bad, 0, 1)
    sequence("arange", None, 0, 3, bad)
sequence("arange", DTYPES["BOOL"], 0, 2, 1)
sequence("arange", DTYPES["COMPLEX64"], 0, 2, 1)

for start, end in [(0, 1), (0, 10), (10, 0), (-3, 3), (0.5, 2.25), (-1.5, 1.5), (3, 3), (0, 100), (-100, 27), (0.7, 5.9), (1, 0.1)]:
    for steps in [0, 1, 2, 3, 4, 7, 10, 33]:
        for dtype in [None, DTYPES["UINT8"], DTYPES["INT32"], DTYPES["INT64"]] + (FLOATS if steps in (1, 4, 7, 33) else []):
            if steps or dtype != DTYPES["UINT8"]:  # for no steps torch does not look at the ends; Tenon always does
                sequence("linspace", dtype, start, end, steps)
sequence("linspace", DTYPES["UINT8"], 0, 300, 3)
sequence("linspace", DTYPES["UINT8"], -1, 1, 3)
sequence("linspace", DTYPES["FLOAT16"], 0, 70000, 3)
sequence("linspace", None, 0, 1e39, 3)
sequence("linspace", None, 0, 1, -1)
sequence("linspace", DTYPES["BOOL"], 0, 1, 3)
sequence("linspace", None, 0, INF, 3)
sequence("linspace", None, 0, NAN, 3)

for start, end, base in [(0, 3, 10), (0, 4, 2), (-2, 2, 10), (3, 0, 2.5), (0, 1, 0.5), (1, 3, 0), (0, 2, -2), (0, 1, INF), (0, 0, 7)]:
    for steps in [0, 1, 2, 5]:
        for dtype in [None] + FLOATS + ([DTYPES["INT64"], DTYPES["INT32"]] if math.isfinite(base) and base > 0 else []):
            sequence("logspace", dtype, start, end, steps, base)

FULL_VALUES = [0, 1, -1, 2, 127, 128, -128, -129, 255, 256, -255, -256, 32767, 32768, 65535, 65536, 2**31 - 1, 2**31, -2**31,
               -2**31 - 1, 2**32 - 1, 2**32, 2**53 + 1, 2**63 - 1, -2**63, 0.0, 0.5, 1.9, -0.5, -1.9, 127.5, 128.0, 255.0, 255.5,
               256.0, 300.7, 65504.0, 65519.0, 65520.0, 1e10, -1e10, 1e30, 3e38, 3.5e38, 1e39, 1e300, INF, -INF, NAN, 448.0, 449.0,
               57344.0, 60000.0]
for name, dtype in DTYPES.items():  # four elements, since for a single one torch does not look
    for value in FULL_VALUES:
        try:
            stored = torch.full((4,), value, dtype=dtype).to(torch.complex128)[0].item().real
            raises = 0
        except RuntimeError:
            stored, raises = 0.0, 1
        print("FULL(%s, %s, %d, %s)" % (name, scalar(value), raises, number(stored)))


def text(source, dtype=None):
    literal = eval(source, {"nan": NAN, "inf": INF, "true": True, "false": False})
    try:
        result = torch.tensor(literal, dtype=dtype)
        complex_parts = torch.view_as_real(result).flatten() if result.is_complex() else result
        sizes = "SIZES(%s)" % ", ".join(map(str, result.shape)) if result.dim() else "NO_SIZES"
        print('TEXT("%s", %s, 0, %s, %s, %s)' % (source, dtype_name(dtype), NAME_OF[result.dtype], sizes, values_of(complex_parts)))
    except (RuntimeError, ValueError, TypeError, OverflowError):
        print('TEXT("%s", %s, 1, DTYPE_DEFAULT, NO_SIZES, NO_VALUES)' % (source, dtype_name(dtype)))


for source in ["1", "-5", "+7", "2.5", "-0.0", "1e3", "1E-2", ".5", "5.", "true", "false", "2j", "1+2j", "-1.5-2.5j", "1e2+1e-1j",
               "[]", "[[]]", "[[], []]", "[[[]], [[]]]", "[1]", "[1,]", "[1, 2, 3]", "[1, 2.5]", "[true, false]", "[true, 2]",
               "[true, 2.5]", "[1, 2j]", "[1.5, 2j, true]", "[[1, 2], [3, 4]]", "[[1, 2.5], [3, 4]]", "[[[1], [2]], [[3], [4]]]",
               "[ [ 1 , 2 ] , [ 3 , 4 ] ]", "[[1, 2], [3]]", "[1, [2]]", "[[1], 2]", "[[1, 2], []]", "9223372036854775807",
               "-9223372036854775808", "1e308", "5e-324", "1e400", "-1e400", "0.1", "123456789.123456789"]:
    text(source)
for special in ["nan", "inf", "-inf", "[nan, 1]", "[1, -inf, nan]", "[true, nan]"]:
    text(special)
# Numbers a dtype can or cannot hold. Left out is what torch refuses in uint64 but not in uint8: negative integers, floats.
for source, name in itertools.product(["0", "1", "-1", "127", "128", "255", "256", "-129", "1.5", "255.5", "70000", "70000.0", "true",
                                       "3000000000", "1e39", "-1e300", "inf"], DTYPES):
    if name != "UINT64" or source.isalnum() and source not in ("1e39", "inf"):
        text(source, DTYPES[name])
for name in ["INT64", "UINT8", "FLOAT32", "FLOAT64", "BOOL", "COMPLEX64"]:
    text("nan", DTYPES[name])
    text("[1+2j]", DTYPES[name])
text("18446744073709551615", DTYPES["UINT64"])
text("18446744073709551616", DTYPES["UINT64"])
text("18446744073709551616", DTYPES["FLOAT64"])
text("[]", DTYPES["INT32"])

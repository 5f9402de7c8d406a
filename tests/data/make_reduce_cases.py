#!/usr/bin/env python3
"""Writes reduce_cases.inc: what PyTorch answers to reductions. Run with a Python that has torch; reduce_torch.c replays it.

INPUT(number, dtype, text or sizes)  a tensor: text in brackets, or sizes for one without elements
CASE(operator, arguments, dtype, sizes, values, tolerance)   dtype 0: refused. Arguments are words: #n an input, i an int,
f a float, t a bool, d dims, y a dtype, - none. Two results are two lines, "name/0" and "name/1".
"""
import math
import os
import sys
import warnings

import torch

warnings.filterwarnings("ignore")
nan, inf = float("nan"), float("inf")
out = []
inputs = []
refused = set()  # one refusal of an operator for an input is enough


def show(value):
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, complex):
        return f"{value.real!r}{'+' if math.copysign(1, value.imag) > 0 or math.isnan(value.imag) else '-'}{abs(value.imag)!r}j"
    if isinstance(value, float):
        return "nan" if math.isnan(value) else ("-inf" if value < 0 else "inf") if math.isinf(value) else f"{value:.9g}"
    return str(value)


def flat(tensor):
    wide = tensor.double() if tensor.dtype in (torch.float16, torch.bfloat16, torch.float32) else tensor
    return "[" + ", ".join(show(v) for v in wide.flatten().tolist()) + "]"


def add_input(tensor):
    sizes = ",".join(str(s) for s in tensor.shape) or "-"
    name = str(tensor.dtype).split(".")[1]
    inputs.append(tensor)
    out.append(f'INPUT({len(inputs) - 1}, "{name}", "{sizes}", "{flat(tensor)}")')
    return len(inputs) - 1


def word(a):
    if a is None:
        return "-"
    if isinstance(a, torch.dtype):
        return "y" + str(a).split(".")[1]
    if isinstance(a, bool):
        return "t1" if a else "t0"
    if isinstance(a, int):
        return f"i{a}"
    if isinstance(a, float):
        return "f" + show(a)
    return "d" + ",".join(str(v) for v in a)


def case(name, function, arguments, numbers, tolerance):
    words = " ".join([f"#{n}" for n in numbers] + [word(a) for a in arguments])
    try:
        result = function(*[inputs[n] for n in numbers])
    except Exception:
        if (name, numbers[0]) in refused:
            return
        refused.add((name, numbers[0]))
        out.append(f'CASE("{name}", "{words}", "", "", "", 0)')
        return
    many = isinstance(result, tuple)
    for k, r in enumerate(result if many else (result,)):
        dtype = str(r.dtype).split(".")[1]
        sizes = ",".join(str(s) for s in r.shape) or "-"
        label = f"{name}/{k}" if many else name
        out.append(f'CASE("{label}", "{words}", "{dtype}", "{sizes}", "{flat(r)}", {tolerance})')


floats = [
    torch.tensor([[1.5, -2, 0, 4], [nan, 3, -1, 3], [7, 7, -0.0, 0.25]]),
    torch.tensor([[[1.0, 2], [3, 4], [-5, 6]], [[0, 1], [inf, 1], [2, -3]]], dtype=torch.float64),
    torch.tensor(-3.5),
    torch.empty(0),
    torch.empty(2, 0, 3),
    torch.tensor([0.5, 1, 2.5], dtype=torch.float16),
    torch.tensor([[0.5, 1, 2.5]], dtype=torch.bfloat16),
    torch.tensor([-inf, -inf]),
    torch.tensor([[2.0], [5.0]]),
]
wholes = [
    torch.tensor([[3, -1, 4], [1, 5, -9]], dtype=t) for t in (torch.int8, torch.int16, torch.int32, torch.int64)
] + [
    torch.tensor([[200, 100, 0], [1, 200, 3]], dtype=torch.uint8),
    torch.tensor([[True, False], [True, True]]),
    torch.tensor(5),
    torch.empty(0, 2, dtype=torch.int32),
]
complexes = [torch.tensor([[1 + 2j, 3 - 1j], [1j, 2 + 2j]]), torch.tensor([1 + 1j, -2, 0], dtype=torch.complex128)]
numbers = {}
for group in (floats, wholes, complexes):
    for t in group:
        numbers[id(t)] = add_input(t)


def all_inputs():
    return floats + wholes + complexes


for t in all_inputs():
    n = [numbers[id(t)]]
    ndim = t.dim()
    close = 2e-3 if t.dtype == torch.float16 else 2e-2 if t.dtype == torch.bfloat16 else 1e-6
    dims = [[-1], list(range(ndim))] + ([[0, 2], [1]] if ndim == 3 else [[0]]) + [[ndim]]
    if ndim > 1:
        dims.append([0, -ndim])
    for name in ("sum", "mean", "prod", "max", "min", "any", "all"):
        case(name, lambda x, f=getattr(torch, name): f(x), [], n, close)
    for dtype in (torch.float64, torch.int32, torch.complex64):
        for name in ("sum", "prod", "mean"):
            if dtype == torch.complex64 and not torch.isfinite(t).all():
                continue  # NaN in one part is NaN in both there
            case(name, lambda x, f=getattr(torch, name): f(x, dtype=dtype), [dtype], n, close)
    for d in dims:
        for keep in (False, True):
            for name, call in (("sum.dim", torch.sum), ("mean.dim", torch.mean), ("nansum", torch.nansum), ("nanmean", torch.nanmean),
                               ("amax", torch.amax), ("amin", torch.amin), ("logsumexp", torch.logsumexp)):
                if name == "logsumexp" and d == []:
                    continue
                if keep and name in ("nanmean", "amin"):
                    continue
                case(name, lambda x, f=call: f(x, d, keep), [d, keep], n, close)
        case("any.dims", lambda x: torch.any(x, d) if d else torch.any(x), [d], n, 0)
        case("all.dims", lambda x: torch.all(x, d) if d else torch.all(x), [d], n, 0)
        case("count_nonzero.dims", lambda x: torch.count_nonzero(x, d), [d], n, 0)
        case("var.correction", lambda x: torch.var(x, d, correction=1), [d, 1], n, close)
        case("std.correction", lambda x: torch.std(x, d, correction=0.5, keepdim=True), [d, 0.5, True], n, close)
        if not torch.isinf(t).any():  # there an infinity makes the mean NaN; here it is infinite, as mean has it
            case("var_mean.dim", lambda x: torch.var_mean(x, d, unbiased=False), [d, False], n, close)
        for p in (2, 1, 0, 3.0, -2.0, inf, -inf):
            if d in ([-1], []):
                case("linalg_vector_norm", lambda x: torch.linalg.vector_norm(x, p, d or None), [p, d], n, close)
    for d in (-1, 0, ndim):
        for name in ("max.dim", "min.dim"):
            case(name, lambda x, f=getattr(torch, name[:3]): tuple(f(x, d)), [d], n, 0)
        for name in ("argmax", "argmin"):
            case(name, lambda x, f=getattr(torch, name): f(x, d, True), [d, True], n, 0)
        case("aminmax", lambda x: tuple(torch.aminmax(x, dim=d)), [d], n, 0)
        case("prod.dim", lambda x: torch.prod(x, d), [d], n, close)
        case("all.dim", lambda x: torch.all(x, d, True), [d, True], n, 0)
        case("count_nonzero", lambda x: torch.count_nonzero(x, d), [d], n, 0)
    case("argmax", lambda x: torch.argmax(x), [], n, 0)
    case("argmin", lambda x: torch.argmin(x), [], n, 0)
    case("aminmax", lambda x: tuple(torch.aminmax(x)), [], n, 0)
    case("std", lambda x: torch.std(x), [], n, close)
    if not torch.isinf(t).any():
        case("var_mean", lambda x: torch.var_mean(x), [], n, close)
        case("std_mean", lambda x: torch.std_mean(x), [], n, close)
    case("norm", lambda x: torch.norm(x), [], n, close)
    case("norm", lambda x: torch.norm(x, 1), [1], n, close)
a, b = numbers[id(floats[0])], numbers[id(floats[2])]
for p in (2, 1, inf, 0):
    case("dist", lambda x, y: torch.dist(x, y, p), [p], [a, b], 1e-6)
    case("dist", lambda x, y: torch.dist(x, y, p), [p], [numbers[id(floats[1])], numbers[id(floats[8])]][:1] * 2, 1e-6)
for correction in (0, 2, 3, 4, 0.5, -1):
    case("var.correction", lambda x: torch.var(x, [0], correction=correction), [[0], correction], [numbers[id(floats[5])]], 2e-3)

path = os.path.join(os.path.dirname(os.path.abspath(__file__)), "reduce_cases.inc")
with open(path, "w") as file:
    file.write(f"/* Written by make_reduce_cases.py with PyTorch {torch.__version__}. */\n")
    file.write("\n".join(out) + "\n")
print(len(out), "lines", os.path.getsize(path), "bytes", file=sys.stderr)

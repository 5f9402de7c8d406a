"""Writes scan_cases.inc: what PyTorch does in scans, softmax and the norms, for tests/scan_cases.h.

    SCAN_CASE("operator", DTYPE, "sizes", "values", "arguments", "results")

sizes are words; the arguments too: i-1 an int, d0.5 a float, - nothing, t:float64 a dtype, s:2,3 sizes, and
p:float32:2,3:[...] a tensor. results is empty where torch refuses, else for each result its dtype and values, which have the
sizes of the input. Floats are what torch computes in float64 where that is finite in their dtype, except where a dtype is given
and in rms_norm, whose eps depends on the dtype.

    python tests/data/make_scan_cases.py > tests/data/scan_cases.inc
"""
import math
import random
import warnings

import torch
import torch.nn.functional as F

warnings.filterwarnings("ignore")
INF, NAN = math.inf, math.nan
NAMES = "bool uint8 int8 int16 int32 int64 float16 bfloat16 float32 float64 complex64 complex128".split()
OPERATORS = {
    "cumsum": torch.cumsum,
    "cumprod": torch.cumprod,
    "cummax": torch.cummax,
    "cummin": torch.cummin,
    "logcumsumexp": torch.logcumsumexp,
    "softmax": torch.softmax,
    "log_softmax": torch.log_softmax,
    "softmin": F.softmin,
    "layer_norm": F.layer_norm,
    "rms_norm": F.rms_norm,
    "normalize": F.normalize,
}
random.seed(5)


def show(value):
    if isinstance(value, complex):
        return f"{value.real:.9g}{value.imag:+.9g}j"
    if isinstance(value, bool):
        return "true" if value else "false"
    return repr(value) if isinstance(value, int) else f"{value:.9g}"


def values_of(tensor):
    return "[" + ",".join(show(value) for value in tensor.reshape(-1).tolist()) + "]"


def word_of(value):
    if value is None:
        return "-"
    if isinstance(value, torch.dtype):
        return "t:" + str(value)[6:]
    if isinstance(value, torch.Tensor):
        return f"p:{str(value.dtype)[6:]}:{','.join(map(str, value.shape))}:{values_of(value)}"
    if isinstance(value, tuple):
        return "s:" + ",".join(map(str, value))
    return f"i{value}" if isinstance(value, int) else f"d{value:.17g}"


def wide(value):
    if isinstance(value, torch.Tensor) and value.is_floating_point():
        return value.double()
    if isinstance(value, torch.Tensor) and value.is_complex():
        return value.to(torch.complex128)
    return value


def call(name, self, arguments):
    named = {"dtype": argument for argument in arguments if isinstance(argument, torch.dtype)}
    plain = [argument for argument in arguments if not isinstance(argument, torch.dtype)]
    if name == "softmin":
        return F.softmin(self, plain[0], **named)
    return OPERATORS[name](self, *plain, **named)


def case(name, self, *arguments):
    try:
        results = call(name, self, arguments)
        results = results if isinstance(results, tuple) else (results,)
        dtypes = [str(result.dtype)[6:] for result in results]
        if name != "rms_norm" and not any(isinstance(argument, torch.dtype) for argument in arguments):
            exact = call(name, wide(self), [wide(argument) for argument in arguments])
            exact = exact if isinstance(exact, tuple) else (exact,)
            results = [torch.where(narrow.isfinite(), fine, narrow) for fine, narrow in zip(exact, results)]
        told = " ".join(f"{dtype} {values_of(result)}" for dtype, result in zip(dtypes, results))
    except (RuntimeError, IndexError, ValueError):
        told = ""
    sizes, dtype = " ".join(map(str, self.shape)), str(self.dtype)[6:].upper()
    words = " ".join(word_of(argument) for argument in arguments)
    print(f'SCAN_CASE("{name}", {dtype}, "{sizes}", "{values_of(self)}", "{words}", "{told}")')


def sample(name, *sizes):
    count = math.prod(sizes)
    if name == "bool":
        values = [random.random() < 0.6 for _ in range(count)]
    elif "int" in name:
        values = [random.randint(0 if name[0] == "u" else -4, 5) for _ in range(count)]
    elif name[0] == "c":
        values = [complex(random.randint(-8, 8) / 4, random.randint(-8, 8) / 4) for _ in range(count)]
    else:
        values = [random.randint(-24, 24) / 8 for _ in range(count)]
    return torch.tensor(values, dtype=getattr(torch, name)).reshape(sizes)


for name in NAMES:
    for operator in ("cumsum", "cumprod", "cummax", "cummin", "logcumsumexp"):
        case(operator, sample(name, 2, 5), 1)
        case(operator, sample(name, 3, 2), -2)
    for operator in ("softmax", "log_softmax", "softmin"):
        case(operator, sample(name, 2, 5), -1)
        case(operator, sample(name, 3, 2), 0, torch.float64)
    case("layer_norm", sample(name, 2, 5), (5,))
    if name[0] != "c":
        case("rms_norm", sample(name, 2, 5), (5,))
    for p in (2.0, 1.0, 3.0):
        case("normalize", sample(name, 2, 5), p, 1)

for operator in ("cumsum", "cumprod", "cummax", "cummin", "logcumsumexp", "softmax", "log_softmax", "softmin"):
    for sizes in ((), (0,), (0, 3), (3, 0), (1, 1)):
        for dim in (0, -1):
            case(operator, sample("float32", *sizes), dim)
    case(operator, sample("float32"), 1)
    case(operator, sample("float32", 2, 3), 2)
    case(operator, sample("float32", 2, 3), -3)
    for values in ([NAN, 1.0], [1.0, NAN, 3.0, INF, NAN, 2.0], [INF, INF, 1.0], [-INF, -INF], [-INF, -INF, 1.0, 2.0], [1.0, INF, -INF],
                   [INF, -1.0, -INF], [2.0, 2.0, 1.0, 2.0, 1.0], [0.0, -0.0, 0.0], [INF, 0.0], [1e30, 1e30, -1e30], [500.0, -500.0, 501.0]):
        case(operator, torch.tensor(values), 0)

for dtype in (torch.int8, torch.int32, torch.uint8, torch.float16, torch.bfloat16, torch.float32, torch.complex64, torch.bool):
    for name in ("bool", "int64", "float64", "float16"):
        for operator in ("cumsum", "cumprod", "softmax"):
            case(operator, sample(name, 6), 0, dtype)
case("cumsum", torch.tensor([100, 100, 100], dtype=torch.int64), 0, torch.int8)
case("cumsum", torch.tensor([1.7, 1.7, -1.7]), 0, torch.int32)

for values in ([NAN, 1.0, 2.0], [INF, 1.0, 2.0], [3.0, 3.0, 3.0], [0.0, 0.0, 0.0], [10001.0, 10002.0, 10004.0], [1e-4, 0.0, 0.0]):
    x = torch.tensor(values)
    case("layer_norm", x, (3,))
    case("layer_norm", x, (3,), None, None, 0.0)
    case("rms_norm", x, (3,))
    case("rms_norm", x, (3,), None, 0.5)
    for p in (2.0, 0.0, INF, -INF, -1.0, 0.5):
        case("normalize", x, p, 0)
    case("normalize", x, 2.0, 0, 4.0)
for name in ("float16", "bfloat16", "float32", "float64"):
    x, w, b = sample(name, 2, 2, 3), sample(name, 2, 3), sample(name, 2, 3)
    case("layer_norm", x, (2, 3), w, b)
    case("layer_norm", x, (2, 3), w)
    case("layer_norm", x, (2, 3), None, b, 0.25)
    case("layer_norm", x, (2, 3), w.float(), b.float())
    case("layer_norm", x, (2, 3), w.float(), b.double())
    case("layer_norm", x, (2, 3), w.half(), b)
    case("layer_norm", x, (3,), w)
    case("layer_norm", x, (2,))
    case("rms_norm", x, (2, 3), w)
    case("rms_norm", x, (2, 3), w, 0.25)
    case("rms_norm", x, (3,), w)
for operator in ("layer_norm", "rms_norm"):
    case(operator, sample("float32", 2, 0), (0,))
    case(operator, sample("float32", 0, 2), (2,))
    case(operator, sample("float32", 2, 3), ())
    case(operator, sample("float32"), (1,))
    case(operator, sample("float32", 2, 1), (2, 1))
for sizes in ((), (0,), (2, 0, 3), (4,)):
    for p in (2.0, INF, -1.0):
        case("normalize", sample("float32", *sizes), p, -1)
        case("normalize", sample("float32", *sizes), p, 1)

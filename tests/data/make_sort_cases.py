"""Writes sort_cases.inc: what PyTorch answers for sorting, searching, unique and histograms. Run with a Python that has torch.

A case is {operator, arguments, results}. Arguments and results are words; a tensor is "dtype;sizes;elements", an integer i5, a
float f0.5, a bool t1 or t0, a text 'left', nothing is -. NULL as the results: PyTorch refuses the call, and so must Tenon.

Which of several equal elements topk, kthvalue and mode take is not defined by PyTorch's manual, but by its algorithms, which
change with the length: there are lines of all of these lengths.
"""
import torch

torch.manual_seed(5)
nan, inf = float("nan"), float("inf")
FLOATS = [torch.float32, torch.float64, torch.float16, torch.bfloat16]
INTEGERS = [torch.uint8, torch.int8, torch.int16, torch.int32, torch.int64]
UNSIGNED = [torch.uint16, torch.uint32, torch.uint64]
T = torch.tensor
lines = []


def number(v):
    if isinstance(v, bool):
        return "1" if v else "0"
    if isinstance(v, float):
        return "nan" if v != v else "inf" if v == inf else "-inf" if v == -inf else repr(v)
    return str(v).strip("()")


def word(v):
    if v is None:
        return "-"
    if isinstance(v, torch.Tensor):
        name = str(v.dtype).split(".")[1]
        return name + ";" + ",".join(map(str, v.shape)) + ";" + ",".join(number(x) for x in v.flatten().tolist())
    if isinstance(v, bool):
        return "t1" if v else "t0"
    if isinstance(v, int):
        return "i%d" % v
    if isinstance(v, float):
        return "f" + number(v)
    if isinstance(v, tuple):
        return "r" + ",".join(number(x) for x in v)
    return "'" + v + "'"


def case(name, function, *arguments):
    try:
        results = function(*arguments)
        results = [results] if isinstance(results, torch.Tensor) else list(results)
        text = '"' + " ".join(word(r) for r in results) + '"'
    except (RuntimeError, IndexError, ValueError):
        text = "NULL"
    lines.append('{"%s", "%s", %s},' % (name, " ".join(word(a) for a in arguments), text))


def sort(x, dim=-1, descending=False):
    return torch.sort(x, dim=dim, descending=descending, stable=True)


def quantile(which):
    def call(x, q, dim=None, keepdim=False, interpolation="linear"):
        return which(x, q, dim, keepdim, interpolation=interpolation)
    return call


def unique(x, sorted=True, inverse=False, counts=False, dim=None):
    return torch.unique(x, sorted, inverse, counts, dim)


def unique_consecutive(x, inverse=False, counts=False, dim=None):
    return torch.unique_consecutive(x, inverse, counts, dim)


def searchsorted(s, v, out_int32=False, right=False, side="none", sorter=None):
    return torch.searchsorted(s, v, out_int32=out_int32, right=right, side=None if side == "none" else side, sorter=sorter)


def bucketize(v, b, out_int32=False, right=False):
    return torch.bucketize(v, b, out_int32=out_int32, right=right)


def isin(a, b, unique=False, invert=False):
    return torch.isin(a, b, assume_unique=unique, invert=invert)


def histogram(x, bins, weight=None, density=False):
    return torch.histogram(x, bins, weight=weight, density=density)


def histogram_range(x, bins, range, weight=None, density=False):
    return torch.histogram(x, bins, range=range, weight=weight, density=density)


def nonzero_numpy(x):
    return torch.nonzero(x, as_tuple=True)


def some(dtype, *shape, ties=False):
    if dtype == torch.bool:
        return torch.randint(0, 2, shape).bool()
    if dtype.is_floating_point:
        x = torch.randint(-4, 5, shape).to(torch.float64) if ties else torch.randn(shape, dtype=torch.float64) * 10
        x[torch.rand(shape) < 0.1] = nan
        x[torch.rand(shape) < 0.05] = -0.0
        x[torch.rand(shape) < 0.05] = inf
        return x.to(dtype)
    low, high = (0, 5) if ties else (0, 250) if not dtype.is_signed else (-128, 127)
    return torch.randint(low, high, shape).to(dtype)


empty, zero = T([]), T(3.0)
matrix = T([[3.0, 1, 2], [nan, 5, 4]])
signed_zeros = T([0.0, -0.0, 0.0, nan, -0.0, -1, nan, inf, -inf])

for dtype in FLOATS + INTEGERS + UNSIGNED + [torch.bool]:
    for descending in (False, True):
        case("sort", sort, some(dtype, 3, 7, ties=True), -1, descending)
        case("sort", sort, some(dtype, 4, 3), 0, descending)
    tied = some(dtype, 17, ties=True)  # the halves' NaN come in an order PyTorch does not promise
    case("unique.options", unique, tied.nan_to_num(1) if dtype in FLOATS[2:] else tied, True, True, True)
    case("unique_consecutive.options", unique_consecutive, some(dtype, 17, ties=True), True, True)
    case("argsort", torch.argsort, some(dtype, 3, 2, 4).sort(-1).values, -1)
    if dtype not in UNSIGNED and dtype != torch.bool:
        case("topk", torch.topk, some(dtype, 2, 9, ties=True), 4)
        case("topk", torch.topk, some(dtype, 2, 9, ties=True), 4, -1, False)
        case("kthvalue", torch.kthvalue, some(dtype, 2, 9, ties=True), 3)
        case("median", torch.median, some(dtype, 11))
        case("nanmedian", torch.nanmedian, some(dtype, 10))
        case("median.dim", torch.median, some(dtype, 3, 9, ties=True), 1)
        case("nanmedian.dim", torch.nanmedian, some(dtype, 9, 3, ties=True), 0, True)
        case("searchsorted", searchsorted, some(dtype, 9).sort().values, some(dtype, 2, 6))
        case("isin", isin, some(dtype, 12, ties=True), some(dtype, 5, ties=True))
        case("nonzero", torch.nonzero, some(dtype, 3, 4, ties=True))
    if dtype not in UNSIGNED:
        case("mode", torch.mode, some(dtype, 3, 9, ties=True).nan_to_num(1), 1)
for x in (signed_zeros, signed_zeros.double(), signed_zeros.half()):
    case("sort", sort, x)
    case("sort", sort, x, 0, True)
    case("msort", torch.msort, x)
    case("unique.options", unique, x, True, True, True)
    case("unique_consecutive", torch.unique_consecutive, x)
    case("median.dim", torch.median, x, 0)
    case("nanmedian.dim", torch.nanmedian, x, 0)
    case("topk", torch.topk, x, 5)
    case("topk", torch.topk, x, 5, -1, False)
for x in (empty, zero, torch.zeros(2, 0), torch.zeros(0, 3), matrix, T([1j, 2])):
    for dim in (-1, 0, 1):
        case("sort", sort, x, dim)
        case("argsort", torch.argsort, x, dim)
        case("kthvalue", torch.kthvalue, x, 1, dim, True)
        case("median.dim", torch.median, x, dim)
        case("nanmedian.dim", torch.nanmedian, x, dim, True)
        case("topk", torch.topk, x, 0, dim)
        case("topk", torch.topk, x, 1, dim, False)
        case("unique.options", unique, x, True, True, True, dim)
        case("unique_consecutive.options", unique_consecutive, x, True, True, dim)
    if x.numel() == 0:
        case("mode", torch.mode, x, 0)
    case("msort", torch.msort, x)
    case("median", torch.median, x)
    case("nanmedian", torch.nanmedian, x)
    case("unique", torch.unique, x)
    case("unique_consecutive", torch.unique_consecutive, x)
    case("nonzero", torch.nonzero, x)
    case("nonzero_numpy", nonzero_numpy, x)
    case("argwhere", torch.argwhere, x)
case("topk", torch.topk, matrix, 4)
case("topk", torch.topk, matrix, -1)
case("topk", torch.topk, zero, 2)
case("kthvalue", torch.kthvalue, matrix, 0)
case("kthvalue", torch.kthvalue, matrix, 4)
case("kthvalue", torch.kthvalue, matrix, 2, 0)
case("sort.stable", lambda x, stable, dim, descending: torch.sort(x, stable=stable, dim=dim, descending=descending), matrix, True, 0, True)
case("median", torch.median, T([], dtype=torch.int64))
for x in (torch.randint(0, 5, (250,)), torch.randint(0, 40, (250,)).sort().values, torch.randint(0, 9, (40,))):
    x = x.to(torch.uint8)
    case("mode", torch.mode, x)
    for k in (1, 7, 20):
        case("kthvalue", torch.kthvalue, x, k)
        for largest in (False, True):
            case("topk", torch.topk, x, k, -1, largest, True)
        case("topk", torch.topk, x, k, -1, largest, False)
case("topk", torch.topk, torch.randint(0, 3, (2, 400)).to(torch.uint8), 5)
case("topk", torch.topk, torch.randint(0, 3, (80, 2)).to(torch.float64), 30, 0)

for dtype in (torch.float32, torch.float64):
    for between in ("linear", "lower", "higher", "midpoint", "nearest"):
        q = T([0, 0.1, 0.125, 0.3, 0.375, 0.5, 0.6, 0.625, 0.875, 1], dtype=dtype)
        case("quantile", quantile(torch.quantile), T([16.0, 2, 4, 8, 1], dtype=dtype), q, None, False, between)
        case("nanquantile", quantile(torch.nanquantile), T([nan, 16.0, 2, 4, nan, 8, 1], dtype=dtype), q[::3], None, False, between)
        case("quantile.scalar", quantile(torch.quantile), some(dtype, 3, 8).nan_to_num(), 0.7, 1, False, between)
    for keep in (False, True):
        for dim in (None, 0, 1, -1, 2):
            for which, name in ((torch.quantile, "quantile"), (torch.nanquantile, "nanquantile")):
                case(name, quantile(which), some(dtype, 2, 5), T([0.25, 0.75], dtype=dtype), dim, keep)
                case(name, quantile(which), some(dtype, 2, 5), T(0.3, dtype=dtype), dim, keep)
                case(name + ".scalar", quantile(which), matrix.to(dtype), 0.5, dim, keep)
for x, q in ((matrix, T([[0.5]])), (matrix, T([-1.0])), (matrix, T([nan])), (empty, T([0.5])), (torch.zeros(0, 3), T([0.5])), (zero, T(0.5)),
             (matrix, T([0.5], dtype=torch.float64)), (matrix, empty), (matrix.half(), T([0.5]).half()), (T([nan, nan]), T([0.5]))):
    case("quantile", quantile(torch.quantile), x, q)
    case("nanquantile", quantile(torch.nanquantile), x, q)
case("quantile.scalar", quantile(torch.quantile), matrix, 1.5)
case("quantile.scalar", quantile(torch.quantile), matrix, 0.5, None, False, "foo")

rows = torch.randint(0, 2, (7, 2, 2))
for dim in (0, 1, 2, -1):
    case("unique.options", unique, rows, True, True, True, dim)
    case("unique.options", unique, rows.transpose(0, 2).contiguous().float(), True, False, True, dim)
    case("unique_consecutive.options", unique_consecutive, rows.sort(0).values, True, True, dim)
case("unique.options", unique, T([[0.0, 1], [-0.0, 1], [nan, 2], [nan, 2]]), True, True, True, 0)
case("unique.options", unique, T([[3, 1], [2, 1]]), False, True, False)
case("unique.options", unique, torch.zeros(0, 0), True, True, True, 0)

s, v = T([1.0, 3, 5, 7, 9]), T([[3.0, 6, 9], [3, 6, 9]])
both = torch.stack([s, s + 1])
for sequence, values in ((s, v), (both, v), (torch.stack([s, s + 1, s]), v), (both, T([1.0])), (s, zero), (zero, s), (empty, v), (s, empty),
                         (torch.zeros(2, 0), torch.zeros(2, 3)), (s.int(), v), (s, v.long()), (s.double(), v), (s.long(), T(3.5)),
                         (T([1.0, nan, nan]), T([nan, inf, 2.0])), (T([1.0, 2, 3, nan]), T([nan, 2.0, 3.5])), (s, T([nan, inf, -inf])),
                         (T([1j]), v), (T([5.0, 1, 4, 2]), v), (T([16777216, 16777217, 16777218]), T([16777217.0])), (s.half(), T([3, 4]))):
    for right in (False, True):
        case("searchsorted", searchsorted, sequence, values, right, right)
        if sequence.dim() != 2:
            case("bucketize", bucketize, values, sequence, right, right)
for value in (4, 4.5, 3, nan):
    case("searchsorted.scalar", searchsorted, s, value)
    case("searchsorted.scalar", searchsorted, s.long(), value, False, True)
    case("searchsorted.scalar", searchsorted, both, value)
    case("bucketize.scalar", bucketize, value, s)
for side in ("left", "right", "foo"):
    case("searchsorted", searchsorted, s, v, False, False, side)
    case("searchsorted", searchsorted, s, v, False, True, side)
for sorter in (T([1, 2, 0]), T([1, 2]), T([1.0, 2, 0]), T([1, 2, 3]), T([1, 2, -1]), T([1, 2, 0]).int()):
    case("searchsorted", searchsorted, T([5.0, 1, 3]), T([3.0, 4]), False, False, "none", sorter)
case("bucketize", bucketize, v, both)

for a, b in ((T([1.0, nan, 3]), T([nan, 3])), (T([[1, 2], [3, 4]]), T([[2, 3]])), (T([1, 2]), T([1.5, 2.0])), (empty, T([1.0])), (T([1.0]), empty),
             (zero, T([3.0])), (T([0.0]), T([-0.0])), (T([256, 1]), T([0], dtype=torch.uint8)), (T([0], dtype=torch.uint8), T([256])),
             (T([16777217]), T(16777216.0)), (T([1.0]).half(), T([1.0]).bfloat16()), (torch.arange(40), torch.arange(3, 60, 3)),
             (torch.arange(40) * 0.5, torch.arange(30)), (T([1j]), T([1j]))):
    case("isin", isin, a, b)
    case("isin", isin, a, b, True, True)
for a, b in ((T([1, 2]), 2), (T([1, 2]), 2.5), (T([1.0, nan]), nan), (T([0], dtype=torch.uint8), 256), (T([[2], [3]]), 3)):
    case("isin.scalar", isin, a, b)
    case("isin.rscalar", isin, b, a, False, True)

for x in (T([[1, 0], [0, 2]]), T([True, False, True]), T([0.0, -0.0, nan]), T([0j, 1j, -0.0]), torch.zeros(3, 0, 2), torch.eye(3).expand(2, 3, 3), T(0)):
    case("nonzero", torch.nonzero, x)
    case("argwhere", torch.argwhere, x)
    case("nonzero_numpy", nonzero_numpy, x)

x, w = T([1.0, 2, 1, 4, 2.5]), T([1.0, 2, 3, 4, 0.5])
for low, high in ((0, 3), (3, 0), (2, 2), (0, 0), (1, 1), (0, inf), (nan, 1), (1.5, 2.5)):
    case("histc", torch.histc, x, 4, low, high)
    case("histogram.range", histogram_range, x, 4, (float(low), float(high)))
    case("histogram.range", histogram_range, x.double(), 5, (float(low), float(high)), w.double(), True)
for y in (x, x.reshape(5, 1), empty, zero, T([5.0, 5]), T([nan, 1, 2.0]), T([inf, 1, 2.0]), x.double(), x.half(), x.bfloat16(), x.long(), T([1j]),
          torch.randn(60), torch.rand(60).double()):
    case("histc", torch.histc, y, 7, 0, 0)
    case("histogram", histogram, y, 7)
    case("histogram", histogram, y, 3, None, True)
case("histc", torch.histc, T([nan, 1, 2.0]), 3, 1, 2)
case("histc", torch.histc, x, 0, 0, 0)
case("histogram", histogram, x, 0)
case("histogram", histogram, x, 4, w)
case("histogram", histogram, x, 4, w, True)
case("histogram", histogram, x, 4, w.double())
case("histogram", histogram, x, 4, T([1.0]))
for bins in (T([0.0, 2, 4]), T([2.0]), empty, T([[2.0, 3]]), T([0.0, 2, 4]).double(), T([0, 2, 4]), T([0.0, 1, 1, 4]), T([1.0, 1.5, 2.5])):
    case("histogram.bins", histogram, x, bins)
    case("histogram.bins", histogram, x, bins, w, True)
case("histogram.bins", histogram, T([nan, 1.0]), T([0.0, 2, 3]))

n = T([1, 2, 1, 5])
for weights in (None, T([0.5, 1, 2, 3]), T([5, 1, 2, 3]), T([5.0, 1, 2, 3]).double(), T([0.5, 1, 2, 3]).half(), T([True, False, True, True]),
                T([1, 2, 3]), T([[1.0, 2, 3, 4]])):
    for least in (0, 3, 8, -1):
        case("bincount", torch.bincount, n, weights, least)
for y in (T([-1]), T([[1]]), T([1.0]), T([], dtype=torch.int64), T(1), T([3, 3], dtype=torch.uint8), T([], dtype=torch.float32)):
    case("bincount", torch.bincount, y, None, 2)

with open(__file__.replace("make_", "").replace(".py", ".inc"), "w") as out:
    out.write("/* Made by make_sort_cases.py with PyTorch %s. */\n" % torch.__version__)
    out.write("\n".join(lines) + "\n")

"""Writes index_cases.inc: what PyTorch does with random index expressions and with every operator that picks by position.

    python make_index_cases.py > index_cases.inc      (PyTorch 2.13; tests/index_torch.c reads it)

An expression case is  INDEX("sizes|transposed", "items", "sizes of x[...]", hash of x[...],
                             hash of x after x[...] = 7, hash of x after index_put with accumulate)
where x counts from 0, and the values that are accumulated count from 1. Items: i3 a position, s1:4:1 a range (_ for none), n a
new axis, e the ellipsis, b1 a condition, t2,2=0,1,1,0 positions (T: int32), m2,2=1001 a mask (M: uint8). NumPy has to agree,
except where single positions stand beside tensors: it places the result differently then.

An operator case is  CALL("name", "arguments", "result"); arguments are separated by ';': t<dtype>:sizes:values, i3, n2.5,
x<bool>, r<text>, and o for none. The result is a tensor, or E where PyTorch refuses.
"""
import random
import warnings

import numpy
import torch

warnings.simplefilter("ignore")
random.seed(5)
torch.manual_seed(5)


def hash_of(tensor):
    value = 2166136261
    for x in tensor.flatten().tolist():
        value = ((value ^ (x & (2**32 - 1))) * 16777619) & (2**32 - 1)
    return value


def numbers(values):
    return ",".join(str(int(v)) for v in values)


# ---- expressions


def random_shape_like(shape):
    """A shape that broadcasts with this one."""
    own = [1 if random.random() < 0.3 else n for n in shape]
    return own[random.randint(0, max(len(own) - 1, 0)):] if random.random() < 0.3 else own


def expression(sizes):
    items, values, single, dim, ellipsis = [], [], False, 0, False
    common = [random.choice([1, 2, 2, 3]) for _ in range(random.choice([1, 1, 2, 3]))]
    masked = random.random() < 0.3
    if masked:
        common = common[-1:]
    rank = len(sizes)
    while dim < rank or random.random() < 0.1:
        kind = random.choice("istttTnebm")
        left = rank - dim
        if kind == "e" and not ellipsis and random.random() < 0.5:
            ellipsis = True
            items.append("e")
            values.append(Ellipsis)
            dim += random.randint(0, left)
            # the rest of the items must use exactly what is left
            continue
        if kind == "n" and random.random() < 0.5:
            items.append("n")
            values.append(None)
            continue
        if kind == "b" and random.random() < 0.25:
            truth = random.random() < 0.8
            items.append("b%d" % truth)
            values.append(truth)
            continue
        if left == 0:
            if random.random() < 0.5:
                break
            continue
        size = sizes[dim]
        if kind == "i" and size:
            at = random.randint(-size, size - 1)
            if random.random() < 0.02:
                at = size
            items.append("i%d" % at)
            values.append(at if random.random() < 0.7 else torch.tensor(at))
            if isinstance(values[-1], torch.Tensor):
                items[-1] = "t=%d" % at
            single = True
            dim += 1
        elif kind == "s":
            start, end = (None if random.random() < 0.4 else random.randint(-size - 1, size + 1) for _ in range(2))
            step = random.choice([1, 1, 1, 2])
            items.append("s%s:%s:%d" % ("_" if start is None else start, "_" if end is None else end, step))
            values.append(slice(start, end, step))
            dim += 1
        elif kind in "tT" and size:
            shape = random_shape_like(common)
            dtype = torch.int64 if kind == "t" else torch.int32
            positions = torch.randint(-size, size, shape, dtype=dtype)
            if random.random() < 0.03 and positions.numel():
                positions.view(-1)[random.randrange(positions.numel())] = random.choice([size, -size - 1])
            items.append("%s%s=%s" % (kind, numbers(shape), numbers(positions.flatten().tolist())))
            values.append(positions)
            dim += 1
        elif kind == "m" and masked:
            dims = random.randint(1, min(left, 2))
            shape = list(sizes[dim:dim + dims])
            count = 1
            for n in shape:
                count *= n
            mask = torch.zeros(count, dtype=torch.bool)
            want = common[0] if random.random() < 0.9 else random.randint(0, count)
            if want > count:
                continue
            mask[torch.randperm(count)[:want]] = True
            if random.random() < 0.03:
                shape[0] += 1
                mask = torch.ones([shape[0], count // max(shape[0] - 1, 1)], dtype=torch.bool).flatten()
                shape = shape[:1] + shape[1:]
                if mask.numel() != shape[0] * (shape[1] if dims == 2 else 1):
                    continue
            mask = mask.reshape(shape)
            byte = random.random() < 0.2
            items.append("%s%s=%s" % ("M" if byte else "m", numbers(shape), "".join(str(int(b)) for b in mask.flatten().tolist())))
            values.append(mask.to(torch.uint8) if byte else mask)
            dim += dims
            if random.random() < 0.5:
                masked = False
    return items, tuple(values), single


def numpy_agrees(x, values, result):
    own = tuple((v.bool() if v.dtype == torch.uint8 else v).numpy() if isinstance(v, torch.Tensor) else v for v in values)
    got = x.numpy()[own]
    assert got.shape == tuple(result.shape) and (got == result.numpy()).all(), (x.shape, values)


def expressions(count):
    compared = 0
    for _ in range(count):
        sizes = [random.choice([0, 1, 2, 3, 4, 5] if random.random() < 0.2 else [2, 3, 4]) for _ in range(random.choice([0, 1, 2, 2, 3, 3, 4]))]
        transposed = len(sizes) > 1 and random.random() < 0.4
        x = torch.arange(numpy.prod(sizes, dtype=int)).reshape(sizes)
        if transposed:
            x = x.transpose(0, -1)
        items, values, single = expression(list(x.shape))
        head = "%s%s" % (numbers(sizes), "|t" if transposed else "")
        try:
            result = x[values]
        except (IndexError, RuntimeError):
            print('INDEX("%s", "%s", "E", 0, 0, 0)' % (head, " ".join(items)))
            continue
        # PyTorch does not check positions into dimensions without elements where the result has none
        if result.numel() == 0 and any(isinstance(v, torch.Tensor) and v.dtype in (torch.int64, torch.int32) for v in values):
            continue
        if not single:
            numpy_agrees(x, values, result)
            compared += 1
        assigned = x.clone()
        # PyTorch refuses some assignments of a number through uint8 masks, which it reads through
        assigned[tuple(v.bool() if isinstance(v, torch.Tensor) and v.dtype == torch.uint8 else v for v in values)] = 7
        added = x.clone()
        if result.numel() and any(isinstance(v, (torch.Tensor, bool)) for v in values):
            place = torch.arange(x.numel()).reshape(x.shape)[values].flatten()
            flat = added.flatten().clone()
            flat.index_put_((place,), torch.arange(1, place.numel() + 1), accumulate=True)
            added = flat.reshape(x.shape)
        else:
            added = None
        print('INDEX("%s", "%s", "%s", 0x%x, 0x%x, 0x%x)' % (
            head, " ".join(items), numbers(result.shape), hash_of(result), hash_of(assigned), hash_of(added) if added is not None else 0))
    return compared


# ---- operators

CODES = {"l": torch.int64, "i": torch.int32, "s": torch.int16, "a": torch.int8, "B": torch.uint8, "b": torch.bool, "f": torch.float32,
         "d": torch.float64, "h": torch.float16, "g": torch.bfloat16, "c": torch.complex64}
LETTERS = {dtype: letter for letter, dtype in CODES.items()}


def number(value):
    if isinstance(value, complex):
        return number(value.real) + ":" + number(value.imag)
    if isinstance(value, float):
        short = "%.9g" % value
        return short if value != value or value in (float(short), float(numpy.float32(short))) else repr(value)
    return str(int(value))


def show(value):
    if value is None:
        return "o"
    if isinstance(value, torch.Tensor):
        return "t%s:%s:%s" % (LETTERS[value.dtype], numbers(value.shape), ",".join(number(v) for v in value.flatten().tolist()))
    if isinstance(value, bool):
        return "x%d" % value
    if isinstance(value, int):
        return "i%d" % value
    if isinstance(value, float):
        return "n%g" % value
    return "r" + value


def case(name, function, *arguments):
    try:
        result = show(function(*arguments))
    except NotImplementedError:
        return  # a dtype that PyTorch has no kernel for does not concern the meaning
    except (IndexError, RuntimeError):
        result = "E"
    print('CALL("%s", "%s", "%s")' % (name, ";".join(show(a) for a in arguments), result))


def values(dtype, *shape):
    if dtype == torch.bool:
        return torch.randint(0, 2, shape).bool()
    if dtype.is_complex:
        return torch.complex(torch.randint(-3, 4, shape).float(), torch.randint(-3, 4, shape).float())
    if dtype == torch.uint8:
        return torch.randint(0, 9, shape).to(dtype)
    whole = torch.randint(-6, 7, shape)
    result = (whole / 2).to(dtype) if dtype.is_floating_point else whole.to(dtype)
    if dtype.is_floating_point and result.numel() and random.random() < 0.15:
        result.view(-1)[random.randrange(result.numel())] = random.choice([float("nan"), float("inf")])
    return result


def positions(size, *shape):
    return torch.randint(0, size, shape, dtype=random.choice([torch.int64, torch.int64, torch.int32]))


def some_shape(low=1, high=3):
    return [random.randint(1, 4) for _ in range(random.randint(low, high))]


def operators():
    dtypes = list(CODES.values())
    for k in range(28):
        dtype = dtypes[k % len(dtypes)]
        shape = some_shape()
        dim = random.randrange(-len(shape), len(shape))
        x = values(dtype, *shape)
        smaller = [n if d == dim % len(shape) and random.random() < 0.5 else random.randint(1, n) for d, n in enumerate(shape)]
        index = positions(shape[dim], *smaller)
        if k % 9 == 0:
            index.view(-1)[0] = random.choice([shape[dim], -1])
        case("gather", torch.gather, x, dim, index)
        source = values(dtype, *smaller)
        case("scatter_add", torch.scatter_add, x, dim, index, source)
        reduce = random.choice(["sum", "prod", "mean", "amax", "amin"])
        include = random.random() < 0.5
        case("scatter_reduce", lambda a, d, i, s, r, n: torch.scatter_reduce(a, d, i, s, r, include_self=n), x, dim, index, source, reduce, include)
        case("scatter.value", torch.scatter, x, dim, index, 1.0 if dtype.is_floating_point else 1)
        reduce = random.choice(["add", "multiply"])
        case("scatter.value_reduction", lambda a, d, i, v, r: torch.scatter(a, d, i, v, reduce=r), x, dim, index, 2, reduce)
        case("scatter.reduction", lambda a, d, i, s, r: torch.scatter(a, d, i, s, reduce=r), x, dim, index, source, reduce)
        unique = torch.stack([torch.randperm(shape[dim]) for _ in range(x.numel() // shape[dim])]).reshape(
            [n for d, n in enumerate(shape) if d != dim % len(shape)] + [shape[dim]]).movedim(-1, dim).contiguous()
        case("scatter", torch.scatter, x, dim, unique, values(dtype, *shape))
        line = positions(shape[dim], random.randint(1, 4))
        if k % 11 == 0:
            line[0] = random.choice([shape[dim], -1])
        case("index_select", torch.index_select, x, dim, line)
        rows = [line.numel() if d == dim % len(shape) else n for d, n in enumerate(shape)]
        case("index_add", lambda a, d, i, s, n: torch.index_add(a, d, i, s, alpha=n), x, dim, line, values(dtype, *rows), 1)
        case("index_reduce", lambda a, d, i, s, r, n: torch.index_reduce(a, d, i, s, r, include_self=n), x, dim, line,
             values(dtype, *rows), random.choice(["prod", "mean", "amax", "amin"]), include)
        case("index_fill", torch.index_fill, x, dim, line.long(), 3)
        once = torch.randperm(shape[dim])
        case("index_copy", torch.index_copy, x, dim, once, values(dtype, *shape))
        flat = torch.randint(-x.numel(), x.numel(), some_shape(1, 2))
        case("take", torch.take, x, flat)
        case("put", torch.put, x, torch.randperm(x.numel())[:2], values(dtype, min(2, x.numel())), False)
        if dtype != torch.bool:
            case("put", torch.put, x, flat, values(dtype, *flat.shape), True)
        mask = torch.randint(0, 2, shape[random.randint(0, len(shape) - 1):]).bool()
        case("masked_select", torch.masked_select, x, mask)
        case("masked_scatter", torch.masked_scatter, x, mask, values(dtype, x.numel() if k % 7 else 1))
        case("take_along_dim", lambda a, i, d: torch.take_along_dim(a, i, dim=d), x,
             torch.randint(-shape[dim], shape[dim], [1 if d != dim % len(shape) and random.random() < 0.5 else n for d, n in enumerate(shape)]), dim)
        if k % 3 == 0:
            # without a dimension PyTorch refuses negative positions, which Tenon and NumPy take
            case("take_along_dim", lambda a, i, d: torch.take_along_dim(a, i), x, flat.abs() % x.numel(), None)
            part = x.select(dim, -1)
            case("select_scatter", torch.select_scatter, x, values(dtype, *part.shape), dim, -1)
            part = x[..., 1:]
            case("slice_scatter", torch.slice_scatter, x, values(dtype, *part.shape), len(shape) - 1, 1, None, 1)
            if len(shape) > 1:
                case("diagonal_scatter", torch.diagonal_scatter, x, values(dtype, *x.diagonal(1, 0, -1).shape), 1, 0, -1)
            case("embedding", torch.embedding, values(dtype, 3, 2), positions(3, *some_shape(0, 2)))
            case("one_hot", torch.nn.functional.one_hot, torch.randint(0, 4, some_shape(0, 2)), random.choice([-1, 4, 5, 3]))


def edges():
    zero, one = torch.tensor(3), torch.tensor([4, 5])
    i0, i1, empty = torch.tensor(0), torch.tensor([0]), torch.zeros(0, dtype=torch.int64)
    x = torch.arange(6).reshape(2, 3)
    for index in (i0, i1, torch.tensor([0, 0]), torch.tensor([1]), empty, torch.zeros(0, 9, dtype=torch.int64)):
        case("gather", torch.gather, zero, 0, index)
        case("gather", torch.gather, one, -1, index)
        case("gather", torch.gather, x, 0, index)
        case("index_select", torch.index_select, zero, 0, index)
        case("index_select", torch.index_select, one, 0, index)
        case("scatter.value", torch.scatter, zero, 0, index, 7)
        case("scatter.value", torch.scatter, one, 0, index, 7)
        case("scatter.value", torch.scatter, x, 0, index, 7)
        case("index_fill", torch.index_fill, zero, 0, index, 7)
        case("index_fill", torch.index_fill, x, 1, index, 7)
        case("take", torch.take, zero, index)
        case("take", torch.take, torch.zeros(0), index)
        case("put", torch.put, one, index, torch.ones_like(index), False)
        case("one_hot", torch.nn.functional.one_hot, index, -1)
        case("one_hot", torch.nn.functional.one_hot, index, 2)
        case("embedding", torch.embedding, x, index)
        case("embedding", torch.embedding, one, index)
        for source in (torch.tensor(9), torch.tensor([9]), torch.tensor([8, 9])):
            case("scatter", torch.scatter, zero, 0, index, source)
            case("scatter", torch.scatter, one, 0, index, source)
            for target in (zero, one) if index.ndim < 2 else ():
                case("index_copy", torch.index_copy, target, 0, index, source)
                case("index_add", torch.index_add, target, 0, index, source)
                case("index_reduce", torch.index_reduce, target, 0, index, source, "amax")
    for bad in ("most", "", "sum"):
        case("index_reduce", torch.index_reduce, x, 0, i1, x[:1], bad)
        case("scatter_reduce", torch.scatter_reduce, x, 0, torch.tensor([[0]]), x[:1], bad)
        case("scatter.reduction", lambda a, d, i, s, r: torch.scatter(a, d, i, s, reduce=r), x, 0, torch.tensor([[0]]), x[:1], bad)
    f = x.float()
    case("scatter", torch.scatter, f, 0, torch.tensor([[0]]), x)
    case("index_add", torch.index_add, f, 0, i1, x[:1])
    case("index_add", lambda a, d, i, s, n: torch.index_add(a, d, i, s, alpha=n), x, 0, i1, x[:1], -2)
    case("index_add", lambda a, d, i, s, n: torch.index_add(a, d, i, s, alpha=n), f, 0, i1, f[:1], 2.5)
    case("index_copy", torch.index_copy, f, 0, i1, x[:1])
    case("index_copy", torch.index_copy, x, 0, i1, x)
    case("index_fill", torch.index_fill, x.to(torch.uint8), 0, i1, 300)
    case("scatter.value", torch.scatter, x.to(torch.uint8), 0, torch.tensor([[0]]), 300)
    case("put", torch.put, f, i1, torch.tensor([1]), False)
    case("put", torch.put, f, i1, torch.tensor([1.0, 2.0]), False)
    case("masked_select", torch.masked_select, x, torch.ones(2, 3, dtype=torch.uint8))
    case("masked_select", torch.masked_select, x, torch.ones(2, dtype=torch.bool))
    case("masked_select", torch.masked_select, one, torch.ones(3, 1, dtype=torch.bool))
    case("masked_select", torch.masked_select, zero, torch.tensor(True))
    case("masked_scatter", torch.masked_scatter, x, torch.ones(3, dtype=torch.uint8), x)
    case("masked_scatter", torch.masked_scatter, one, torch.ones(2, 2, dtype=torch.bool), x)
    case("masked_scatter", torch.masked_scatter, x, torch.tensor(True), f)
    case("masked_scatter", torch.masked_scatter, zero, torch.tensor(True), one)
    case("select_scatter", torch.select_scatter, x, torch.ones(3), 0, 1)
    case("select_scatter", torch.select_scatter, x, torch.ones(1), 0, 1)
    case("slice_scatter", torch.slice_scatter, x, f[:, ::2], 1, None, None, 2)
    case("slice_scatter", torch.slice_scatter, x, x, 1, 1, None, 1)
    case("diagonal_scatter", torch.diagonal_scatter, x, torch.tensor([8.0, 9.0]), 0, 0, 1)
    case("diagonal_scatter", torch.diagonal_scatter, x, torch.tensor([8]), 0, 0, 1)
    case("one_hot", torch.nn.functional.one_hot, torch.tensor([0, -1]), 3)
    case("one_hot", torch.nn.functional.one_hot, torch.tensor([0, 3]), 3)


print("/* Written by make_index_cases.py with PyTorch %s and NumPy %s. */" % (torch.__version__, numpy.__version__))
compared = expressions(800)
operators()
edges()
print("/* NumPy agreed on %d of the expressions. */" % compared)

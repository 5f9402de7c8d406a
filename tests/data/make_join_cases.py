"""Asks PyTorch what joining, moving and neighbourly statistics give, and writes the table tests/join_torch.c compares with.

usage: python make_join_cases.py > join_cases.inc        (needs torch; written with 2.13, the output is in the tree)

    CASE("operator", "arguments", "result")

The arguments are words: t:float32:3:2,4:4,1 is a tensor over a pool of 512 numbers of its dtype (offset, sizes, strides),
=float32:[1,nan] one written out, [ and ] stand around a list of tensors, s2,3 is dims, i5, f2.5, b1 are an int, a float and a
bool, - is nothing, 'reflect' a text, @int32 a dtype. Pool number k is (37 k + k / 7) % 120, modulo 2 for bool, with the
imaginary part 3 times that modulo 11.

The result is NULL where torch refuses, else dtype, sizes, strides (- where there are no elements, or where ours may differ)
and either #hash, the sum over the bytes in row-major order of (position + 1) * byte modulo 32749, or ~ and the values, which
are to be met within the dtype's precision.
"""
import random
import warnings

import torch
import torch.nn.functional as functional

warnings.filterwarnings("ignore")
random.seed(20250303)
INF, NAN = float("inf"), float("nan")
NAMES = ("bool uint8 uint16 uint32 uint64 int8 int16 int32 int64 float16 bfloat16 float32 float64 complex64 complex128 "
         "float8_e4m3fn float8_e5m2").split()
EXTENDED = ("not implemented for", "Promotion for uint", "view size is not compatible", "Padding size", "is not supported for",
            "possibly 0 batch")  # what Tenon does and torch does not


def pool(name):
    values = torch.tensor([(37 * k + k // 7) % 120 for k in range(512)])
    if name == "bool":
        return values % 2 == 1
    if name.startswith("complex"):
        return torch.complex(values.double(), (values * 3 % 11).double()).to(getattr(torch, name))
    return values.to(getattr(torch, name))


POOLS = {name: pool(name) for name in NAMES}


class Over:
    """A tensor over the pool, and the word for it."""

    def __init__(self, name, sizes, strides=None, offset=0):
        if strides is None:
            strides = list(torch.empty(sizes, device="meta").stride())
        self.tensor = POOLS[name].clone().as_strided(sizes, strides, offset)  # torch.cov can write to its argument
        self.word = "t:%s:%d:%s:%s" % (name, offset, ",".join(map(str, sizes)), ",".join(map(str, strides)))


class Text:
    def __init__(self, name, values):
        self.tensor = torch.tensor(values, dtype=getattr(torch, name))
        self.word = "=%s:%s" % (name, str(values).replace(" ", ""))


class Name:
    def __init__(self, name):
        self.tensor, self.word = getattr(torch, name), "@" + name


class Sizes(list):
    pass


def word_of(argument):
    if argument is None:
        return "-"
    if isinstance(argument, (Over, Text, Name)):
        return argument.word
    if isinstance(argument, Sizes):
        return "s" + ",".join(map(str, argument))
    if isinstance(argument, list):
        return "[ " + " ".join(map(word_of, argument)) + " ]"
    if isinstance(argument, bool):
        return "b%d" % argument
    if isinstance(argument, int):
        return "i%d" % argument
    return "f%r" % argument if isinstance(argument, float) else "'%s'" % argument


def plain(argument):
    if isinstance(argument, (Over, Text, Name)):
        return argument.tensor
    return [plain(item) for item in argument] if isinstance(argument, list) else argument


def value_hash(result):
    data = result.clone(memory_format=torch.contiguous_format).reshape(-1).view(torch.uint8).to(torch.int64)
    return int((data * torch.arange(1, data.numel() + 1)).sum() % 32749)


def number(value, digits):
    if isinstance(value, complex):
        return "%.*g,%.*g" % (digits, value.real, digits, value.imag)
    return "%.*g" % (digits, value)


FUNCTIONS = {
    "repeat": lambda x, repeats: x.repeat(repeats),
    "repeat_interleave": lambda x, repeats, dim, size: torch.repeat_interleave(x, repeats, dim, output_size=size),
    "repeat_interleave.tensor": lambda x, repeats, dim, size: torch.repeat_interleave(x, repeats, dim, output_size=size),
    "repeat_interleave.counts": lambda repeats, size: torch.repeat_interleave(repeats, output_size=size),
    "pad": lambda x, pad, mode, value: functional.pad(x, pad, mode, value),
    "block_diag": lambda tensors: torch.block_diag(*tensors),
    "cartesian_prod": lambda tensors: torch.cartesian_prod(*tensors),
    "tril_indices": lambda row, col, offset, dtype: torch.tril_indices(row, col, offset, dtype=dtype),
    "triu_indices": lambda row, col, offset, dtype: torch.triu_indices(row, col, offset, dtype=dtype),
    "linalg_cross": lambda a, b, dim: torch.linalg.cross(a, b, dim=dim),
    "trapezoid": lambda y, dx, dim: torch.trapezoid(y, dx=dx, dim=dim),
    "trapezoid.x": lambda y, x, dim: torch.trapezoid(y, x, dim=dim),
    "trapz": lambda y, dx, dim: torch.trapz(y, dx=dx, dim=dim),
    "trapz.x": lambda y, x, dim: torch.trapz(y, x, dim=dim),
    "cumulative_trapezoid": lambda y, dx, dim: torch.cumulative_trapezoid(y, dx=dx, dim=dim),
    "cumulative_trapezoid.x": lambda y, x, dim: torch.cumulative_trapezoid(y, x, dim=dim),
    "cov": lambda x, correction, f, a: torch.cov(x, correction=correction, fweights=f, aweights=a),
    "cdist.compute_mode": lambda a, b, p, mode: torch.cdist(a, b, p, mode),
    "vander": lambda x, n, increasing: torch.vander(x, n, increasing),
}
ROUNDED = {"vander", "renorm", "cross", "linalg_cross", "trapezoid", "trapz", "cumulative_trapezoid", "cov", "corrcoef", "cdist",
           "pdist"}
OWN_STRIDES = {"kron", "outer", "diff"}  # torch's follow the strides of the inputs in ways that are not worth having


def case(name, *arguments):
    words = " ".join(map(word_of, arguments))
    function = FUNCTIONS.get(name) or getattr(torch, name)
    try:
        result = function(*map(plain, arguments))
    except (RuntimeError, IndexError, ValueError, TypeError, NotImplementedError) as error:
        if not any(part in str(error) for part in EXTENDED):
            print('CASE("%s", "%s", NULL)' % (name, words))
        return
    base = name.split(".")[0]
    sizes = ",".join(map(str, result.shape))
    alone = name == "cartesian_prod" and len(arguments[0]) == 1  # torch gives the vector itself
    strides = "-" if result.numel() == 0 or base in OWN_STRIDES or alone else ",".join(map(str, result.stride()))
    if base in ROUNDED and result.numel() > 12:
        return
    if base in ROUNDED:
        values = "~" + ",".join(number(value, 12 if result.dtype in (torch.float64, torch.complex128) else 8) for value in result.reshape(-1).tolist())
    else:
        values = "#%d" % value_hash(result)
    print('CASE("%s", "%s", "%s [%s] [%s] %s")' % (name, words, str(result.dtype)[6:], sizes, strides, values))


def permuted(name, sizes, channels_last=False):
    """Dense, in some order of the dimensions, perhaps a part of something larger."""
    order = [0, 2, 3, 1] if channels_last else random.sample(range(len(sizes)), len(sizes))
    if random.random() < 0.5 and not channels_last:
        order = list(range(len(sizes)))
    strides, stride = [0] * len(sizes), random.choice([1, 1, 1, 2]) if not channels_last else 1
    for dim in reversed(order):
        strides[dim] = stride
        stride *= max(sizes[dim], 1) + (random.random() < 0.1)
    if random.random() < 0.1 and sizes and not channels_last:
        strides[random.randrange(len(sizes))] = 0
    most = sum((size - 1) * step for size, step in zip(sizes, strides) if size)
    if most >= 500:
        return permuted(name, [min(size, 2) for size in sizes])
    return Over(name, sizes, strides, random.randint(0, 511 - max(most, 0)))


def sizes_of(ndim, choice=(0, 1, 2, 2, 3, 3, 4, 5)):
    return [random.choice(choice) for _ in range(ndim)]


def rarely(value, other):
    return other if random.random() < 0.05 else value


def joins():
    for _ in range(100):
        ndim, like = random.randint(1, 4), random.random() < 0.2
        sizes = sizes_of(4 if like else ndim, (0, 1, 2, 3, 3, 4))
        ndim, dim = len(sizes), random.randrange(len(sizes))
        same, first = random.random() < 0.6, random.choice(NAMES)
        tensors = []
        for _ in range(random.randint(1, 4)):
            of = list(sizes)
            of[dim] = random.choice([0, 1, 2, 3])
            if random.random() < 0.03:
                of[random.randrange(ndim)] += 1
            name = first if same else random.choice(NAMES)
            tensors.append(Over(name, [0]) if random.random() < 0.05 else permuted(name, of, like and random.random() < 0.9))
        case("cat", tensors, rarely(random.choice([dim, dim - ndim]), 4))
    for name in NAMES:
        case("cat", [Over(name, [2, 3]), Over(name, [2, 3], [1, 2], 7)], 0)
        case("stack", [Over(name, [2, 3]), Over(name, [2, 3], [1, 2], 7)], 2)
        for other in random.sample(NAMES, 5):
            case("concat", [Over(name, [2]), Over(other, [1])], 0)
    for _ in range(60):
        like = random.random() < 0.3
        sizes = sizes_of(4 if like else random.randint(0, 4), (0, 1, 2, 3))
        names = [random.choice(NAMES)] * 3 if random.random() < 0.7 else random.choices(NAMES, k=3)
        tensors = [permuted(name, sizes, like) for name in names[:random.randint(1, 3)]]
        case("stack", tensors, rarely(random.randint(-len(sizes) - 1, len(sizes)), 6))
    for name in ("hstack", "vstack", "row_stack", "dstack", "column_stack"):
        case(name, [])
        case(name, [Over("float32", [0]), Over("float32", [2, 2])])
        for _ in range(14):
            ndim = random.randint(0, 4)
            sizes = sizes_of(ndim, (1, 2, 2, 3))
            tensors = [permuted(random.choice(["float32", "int64", "float16"]), sizes) for _ in range(random.randint(1, 3))]
            if random.random() < 0.3:
                tensors.append(permuted("float32", sizes_of(max(ndim - 1, 0), (1, 2, 3))))
            case(name, tensors)
    case("cat", [], 0)
    case("stack", [], 0)
    case("concatenate", [Over("float32", []), Over("float32", [2])], 0)
    case("cat", [Over("float32", [0]), Over("int32", [0])], 7)
    case("stack", [Over("int64", []), Over("float32", [])], 0)
    case("stack", [Over("int64", [2]), Over("float32", [3])], 0)
    for _ in range(40):
        names = [random.choice(NAMES)] * 4 if random.random() < 0.5 else random.choices(NAMES, k=4)
        case("block_diag", [permuted(name, sizes_of(rarely(random.randint(0, 2), 3), (0, 1, 2, 3, 4)))
                            for name in names[:random.randint(1, 4)]])
    for _ in range(24):
        name = random.choice(NAMES)
        vectors = [permuted(rarely(name, "int8"), sizes_of(rarely(1, 2), (0, 1, 2, 3, 4))) for _ in range(random.randint(1, 4))]
        case("cartesian_prod", vectors)
        case("combinations", permuted(random.choice(NAMES), sizes_of(rarely(1, 0), (0, 1, 3, 4, 5, 6))), rarely(random.randint(0, 5), -1),
             random.random() < 0.5)
    case("cartesian_prod", [])


def moves():
    for _ in range(32):
        x = permuted(random.choice(NAMES), sizes_of(random.randint(0, 3)))
        case("repeat", x, Sizes(random.choice([0, 1, 2, 3]) for _ in range(random.randint(0, 5))))
        case("tile", x, Sizes(random.choice([0, 1, 2, 3]) for _ in range(random.randint(0, 5))))
        dim = random.choice([None, 0, -1, 1])
        case("repeat_interleave", x, rarely(random.randint(0, 3), -1), dim, rarely(None, 6))
        length = x.tensor.numel() if dim is None else x.tensor.shape[dim] if -x.tensor.dim() <= dim < x.tensor.dim() else 2
        counts = Text(random.choice(["int64", "int32"]), [rarely(random.randint(0, 3), -1) for _ in range(rarely(length, 1))])
        case("repeat_interleave.tensor", x, counts, dim, rarely(None, 4))
        case("repeat_interleave.counts", counts, rarely(None, 4))
    x = Over("float32", [2, 3])
    case("repeat", x, Sizes([2, -1]))
    case("tile", x, Sizes([-1]))
    case("repeat_interleave.tensor", x, Text("int64", 2), 1, None)
    case("repeat_interleave.tensor", x, Text("float32", [1.0, 2.0, 1.0]), 1, None)
    case("repeat_interleave.tensor", x, Text("int64", [1, 2, 3]), 1, 6)
    case("repeat_interleave.tensor", x, Text("int64", [[1, 2, 3]]), 1, None)
    case("repeat_interleave.counts", Text("int64", 2), None)
    for _ in range(64):
        like = random.random() < 0.2
        sizes = sizes_of(4 if like else random.randint(0, 4))
        x = permuted(random.choice(NAMES), sizes, like)
        dims = [rarely(random.randint(-len(sizes), len(sizes) - 1), 7) for _ in range(random.randint(0, 3))] if sizes else []
        case("roll", x, Sizes(random.randint(-9, 9) for _ in range(rarely(max(len(dims), 1), 2))), Sizes(dims))
    case("roll", Over("int64", []), Sizes([1]), Sizes([0]))
    case("roll", Over("int64", [2]), Sizes([]), Sizes([]))
    pads = [0, 1, 1, 2, -1]
    for _ in range(45):
        like = random.random() < 0.2
        sizes = sizes_of(4 if like else random.randint(0, 4))
        x = permuted(random.choice(NAMES), sizes, like)
        pad = Sizes(random.choice(pads) for _ in range(rarely(2 * random.randint(0, len(sizes)), 3)))
        case("pad", x, pad, "constant", random.choice([None, 0, 1, 7, 1.5]))
        case("constant_pad_nd", x, pad, random.choice([0, 3]))
    for mode in ("reflect", "replicate", "circular"):
        for _ in range(45):
            channels = random.randint(1, 3)
            like = random.random() < 0.2 and channels == 2
            sizes = sizes_of(4 if like else channels + random.randint(1, 2), (1, 2, 3, 3, 4, 5))
            pad = Sizes(random.choice(pads + [3, -2]) for _ in range(2 * channels))
            x = permuted(random.choice(NAMES), sizes, like)
            if mode == "circular":  # what is left of a tensor that was cut goes round more than once in torch; here it is refused
                pairs = [(pad[2 * i], pad[2 * i + 1], size) for i, size in enumerate(reversed(x.tensor.shape[-channels:]))]
                if any(min(a, b) < 0 and max(a, b) > max(size + min(a, 0) + min(b, 0), 0) for a, b, size in pairs):
                    continue
            case("pad", x, pad, mode, random.choice([None, None, 0]))
    case("pad", Over("float32", [2, 3]), Sizes([1, 1]), "reflect", 3)
    case("pad", Over("float32", [2, 3]), Sizes([1, 1]), "mirror", None)
    for pair in ([-1, 2], [-2, 3], [-5, 3], [-5, 4], [3, 4], [-2, -2], [2, -5], [3, -6]):
        for mode in ("reflect", "replicate"):
            case("pad", Over("float32", [2, 3, 4]), Sizes(pair), mode, None)
    for _ in range(36):
        x = permuted(random.choice(NAMES), sizes_of(rarely(random.randint(2, 4), 1)))
        case("tril", x, random.randint(-5, 5))
        case("triu", x, random.randint(-5, 5))
        for name in ("tril_indices", "triu_indices"):
            case(name, rarely(random.randint(0, 5), -1), random.randint(0, 5), random.randint(-6, 6),
                 Name(random.choice(["int64", "int32"])))
        case("diag", permuted(random.choice(NAMES), sizes_of(rarely(random.randint(1, 2), random.choice([0, 3])))),
             random.randint(-4, 4))
        y = permuted(random.choice(NAMES), sizes_of(random.randint(0, 3)))
        ndim = y.tensor.dim() + 1
        case("diag_embed", y, random.randint(-2, 2), random.randint(-ndim, ndim - 1), rarely(random.randint(-ndim, ndim - 1), 5))
        case("diagflat", y if y.tensor.numel() < 15 else Over("int8", [2, 2]), random.randint(-2, 2))


def products():
    for _ in range(40):
        a, b = random.choice(NAMES), random.choice(NAMES)
        b = a if random.random() < 0.5 else b
        if "8_" in a or "8_" in b:
            continue
        case("kron", permuted(a, sizes_of(random.randint(0, 3), (0, 1, 2, 3))), permuted(b, sizes_of(random.randint(0, 3), (1, 2, 3))))
        case("outer", permuted(a, sizes_of(rarely(1, 2))), permuted(b, sizes_of(1)))
        case("ger", permuted(a, sizes_of(1)), permuted(b, sizes_of(1)))
    for _ in range(40):
        sizes = sizes_of(random.randint(1, 3), (1, 2, 3, 3, 4))
        sizes[random.randrange(len(sizes))] = 3
        other = [rarely(size, 1) for size in sizes]
        name = random.choice(["float32", "float64", "int32", "int64", "complex64"])
        a, b = permuted(name, sizes), permuted(rarely(name, "float32"), rarely(other, other + [3]))
        case("cross", a, b, random.choice([None, None, 0, 1, -1]))
        case("linalg_cross", a, b, random.choice([-1, -1, 0, 2]))
    for name in NAMES:
        if "8_" not in name:
            x = Over(name, sizes_of(1, (0, 1, 2, 3, 4)), [random.choice([1, 2])], 1)
            case("vander", x, rarely(random.choice([None, 0, 1, 2, 3]), -1), random.random() < 0.5)
    case("vander", Over("float32", [2, 2]), None, False)
    for _ in range(40):
        x = permuted(random.choice(["float32", "float64", "complex64", "complex128"]),
                     sizes_of(rarely(random.randint(2, 4), 1), (1, 2, 2, 3)))
        case("renorm", x, rarely(random.choice([1, 2, 2, 3, 0.5, INF]), random.choice([0, -1])), rarely(random.randint(-2, 1), 5),
             rarely(random.choice([1, 2.5, 50, 0]), -1))
    case("renorm", Over("int64", [2, 3]), 2, 0, 1)
    case("renorm", Over("float32", [0, 3]), 2, 0, 1)
    case("renorm", Text("float32", [[1.0, 2.0], [30.0, 4.0]]), 2, 0, 3)


def statistics():
    numbers = ["float32", "float64", "int32", "int8", "int64", "complex64"]
    for _ in range(50):
        sizes = sizes_of(rarely(random.randint(1, 3), 0))
        x = permuted(random.choice(numbers + ["bool", "uint8"]), sizes)
        dim = rarely(random.randint(-len(sizes), max(len(sizes) - 1, 0)), 4)
        around = [None if random.random() < 0.7 else permuted(rarely(str(x.tensor.dtype)[6:], "float32"), sizes) for _ in range(2)]
        times = rarely(random.randint(0, 4), -1)
        case("diff", x, times, dim if times else 0, *around)  # of no differences torch does not always look at dim
        y = permuted(random.choice([name for name in numbers if name != "int8"]), sizes)  # whose sums torch lets wrap around
        length = sizes[dim] if -len(sizes) <= dim < len(sizes) else 2
        kinds = ["int64", "float32", "float64"]
        xs = permuted(random.choice(kinds), [rarely(length, length + 1)] if random.random() < 0.5 else sizes)
        for name in ("trapezoid", "cumulative_trapezoid"):
            case(name, y, random.choice([1, 2, 0.5]), dim)
            case(name + ".x", y, xs, dim)
    case("trapz", Over("int32", [2, 3]), 2.0, -1)
    case("trapz.x", Over("int32", [2, 3]), Over("float32", [3], [5]), -1)
    case("trapezoid", Over("bool", [3]), 1, -1)
    case("trapezoid", Over("int32", [2, 0]), 1, -1)
    case("trapezoid", Over("float32", [3]), True, -1)
    for _ in range(50):
        x = permuted(random.choice(numbers), sizes_of(rarely(random.randint(0, 2), 3), (0, 1, 2, 3, 4, 5)))
        count = x.tensor.shape[-1] if x.tensor.dim() else 1
        often = None if random.random() < 0.6 else Text("int64", [rarely(random.randint(0, 4), -1) for _ in range(rarely(count, 3))])
        much = None if random.random() < 0.6 else Text("float64" if x.tensor.dtype == torch.float64 else "float32", [random.choice([0.5, 1.0, 2.0]) for _ in range(rarely(count, 3))])
        case("cov", x, random.randint(0, 2), often, much)
        case("corrcoef", x)
    case("cov", Over("bool", [2, 3]), 1, None, None)
    case("cov", Over("float32", [2, 3]), 1, Text("float32", [1.0, 2.0, 3.0]), None)
    case("cov", Over("float32", [2, 3]), 1, None, Text("int64", [1, 2, 3]))
    case("cov", Over("float32", [2, 3]), 1, None, Text("float32", [0.0, 0.0, 0.0]))
    case("corrcoef", Over("bool", [2, 3]))
    for _ in range(48):
        batch = sizes_of(random.randint(0, 2), (1, 1, 2, 3))
        width = random.choice([0, 1, 3, 5])
        name = random.choice(["float32", "float64"])
        p = rarely(random.choice([0.0, 1.0, 2.0, 2.0, 3.0, 0.5, INF]), -1.0)
        a = permuted(name, batch + [random.randint(0, 4), width])
        b = permuted(name, rarely(batch, batch[1:]) + [random.randint(0, 4), rarely(width, 2)])
        case("cdist", a, b, p)
        case("pdist", permuted(name, [random.randint(0, 5), width]), p)
    case("cdist", Over("int64", [2, 3]), Over("int64", [2, 3]), 2.0)
    case("cdist", Over("float32", [3]), Over("float32", [2, 3]), 2.0)
    case("cdist", Over("float32", [1, 3]), Over("float64", [2, 3]), 2.0)
    case("cdist.compute_mode", Over("float32", [2, 3]), Over("float32", [2, 3], None, 9), 2.0, "use_mm_for_euclid_dist")
    case("cdist.compute_mode", Over("float32", [2, 3]), Over("float32", [2, 3], None, 9), 2.0, "quickly")
    case("pdist", Over("float32", [3]), 2.0)


joins()
moves()
products()
statistics()

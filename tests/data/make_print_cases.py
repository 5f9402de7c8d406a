"""Writes print_cases.inc: tensors and the text PyTorch prints for them, as rows of the table in tests/print.c.

    python tests/data/make_print_cases.py > tests/data/print_cases.inc            (PyTorch 2.13)
    python tests/data/make_print_cases.py 20000 7 > more.inc                      (20000 random cases more, another seed)

A row describes memory (a few elements in hexadecimal, repeated until `elements` are there), where a tensor is in it (sizes,
strides and first element, all counted in elements; contiguous where it does not say) and the options; so any dtype, any bit
pattern and any strides can be had exactly, and large tensors take little room. PyTorch has no negative strides: it is given
the same elements in order.
"""
import random
import sys

import numpy
import torch

DTYPES = {
    "BOOL": torch.bool, "UINT8": torch.uint8, "UINT16": torch.uint16, "UINT32": torch.uint32, "UINT64": torch.uint64,
    "INT8": torch.int8, "INT16": torch.int16, "INT32": torch.int32, "INT64": torch.int64, "FLOAT16": torch.float16,
    "BFLOAT16": torch.bfloat16, "FLOAT32": torch.float32, "FLOAT64": torch.float64, "COMPLEX64": torch.complex64,
    "COMPLEX128": torch.complex128, "FLOAT8_E4M3FN": torch.float8_e4m3fn, "FLOAT8_E5M2": torch.float8_e5m2,
}
FLOATS = ["FLOAT16", "BFLOAT16", "FLOAT32", "FLOAT64", "FLOAT8_E4M3FN", "FLOAT8_E5M2"]
INF, NAN = float("inf"), float("nan")
LITERAL_LIMIT = 4000  # what a C compiler must accept as one literal

seen = set()


def encode(dtype, values):
    """The bytes of some numbers."""
    kind = DTYPES[dtype]
    if kind.is_complex:
        tensor = torch.tensor(values, dtype=torch.complex128).to(kind)
    elif kind.is_floating_point:
        tensor = torch.tensor(values, dtype=torch.float64).to(kind)
    else:
        return numpy.array(values, dtype=dtype.lower()).tobytes()
    return tensor.contiguous().view(torch.uint8).numpy().tobytes() if tensor.numel() else b""


def contiguous(sizes):
    strides, step = [], 1
    for size in reversed(sizes):
        strides.insert(0, step)
        step *= max(size, 1)
    return strides


def expected(dtype, sizes, strides, first, memory, default, options):
    kind = DTYPES[dtype]
    if 0 in sizes:
        tensor = torch.zeros(sizes, dtype=kind)
    elif all(stride >= 0 for stride in strides):
        tensor = torch.frombuffer(bytearray(memory), dtype=kind).as_strided(sizes, strides, first)
    else:
        item = torch.empty((), dtype=kind).element_size()
        index = numpy.array(first, dtype=numpy.int64)
        for size, stride in zip(sizes, strides):
            index = index[..., None] + numpy.arange(size) * stride
        assert index.min() >= 0 and index.max() < len(memory) // item
        elements = numpy.frombuffer(memory, dtype="V%d" % item)[index].tobytes()
        tensor = torch.frombuffer(bytearray(elements), dtype=kind).reshape(sizes)
    torch.set_default_dtype(DTYPES[default])
    torch.set_printoptions(profile="default")
    torch.set_printoptions(precision=options.get("precision"), threshold=options.get("threshold"),
                           edgeitems=options.get("edge_items"), linewidth=options.get("line_width"),
                           sci_mode={"FIXED": False, "SCIENTIFIC": True}.get(options.get("notation")))
    text = repr(tensor)
    torch.set_default_dtype(torch.float32)
    return text


def case(dtype, sizes, pattern, strides=None, first=0, elements=None, default="FLOAT32", **options):
    """One row. `pattern`: numbers, or bytes; it is repeated to fill `elements` elements."""
    sizes = list(sizes)
    if not isinstance(pattern, bytes):
        pattern = encode(dtype, pattern)
    laid = strides is not None
    strides = list(strides) if laid else contiguous(sizes)
    item = torch.empty((), dtype=DTYPES[dtype]).element_size()
    if elements is None:
        elements = 1 + sum((size - 1) * stride for size, stride in zip(sizes, strides)) if 0 not in sizes else 0
    if elements == 0:
        pattern = b""
    pattern = pattern[:elements * item]
    memory = (pattern * (elements * item // len(pattern) + 1))[:elements * item] if pattern else b""
    text = expected(dtype, sizes, strides, first, memory, default, options)
    if len(text) > LITERAL_LIMIT:
        return
    fields = [".dtype = TN_%s" % dtype, ".ndim = %d" % len(sizes)]
    if sizes:
        fields.append(".sizes = {%s}" % ", ".join(map(str, sizes)))
    if laid:
        fields.append(".strided = true")
        fields.append(".strides = {%s}" % ", ".join(map(str, strides)))
    if first:
        fields.append(".first = %d" % first)
    if laid:
        fields.append(".elements = %d" % elements)
    fields.append('.pattern = "%s"' % pattern.hex())
    if default != "FLOAT32":
        fields.append(".usual = TN_%s" % default)
    for name, value in options.items():
        if name == "notation":
            value = "TN_NOTATION_" + value
        elif value == 0:
            value = -1  # how tn_print_options spells torch's 0
        fields.append(".options.%s = %s" % (name, value))
    head = "{" + ", ".join(fields) + ",\n.text = "
    row = head + "\n".join('"%s"' % line for line in text.replace("\n", "\\n\n").split("\n")) + "},"
    if row not in seen:
        seen.add(row)
        print(row)


def numbers(dtype):
    """Eleven numbers that show a dtype: both signs, some width."""
    if dtype == "BOOL":
        return [1, 0, 0, 1, 1, 0, 1, 0, 0, 0, 1]
    if dtype.startswith("UINT"):
        return [0, 1, 255, 17, 9, 100, 42, 3, 77, 128, 5]
    if dtype.startswith("INT"):
        return [0, 1, -1, 127, -128, 17, 9, -30, 42, 100, 5]
    if dtype.startswith("COMPLEX"):
        return [1 + 2j, -1.5 + 0.25j, 3 - 4j, 0, -2.5 - 1j, 1j, 10 + 20j, 0.5, -7j, 8, 1 - 1j]
    return [0, 1, -1.5, 2.25, 10, -0.0, 3.5, 0.125, -96, 4, 40]


def every_dtype():
    for dtype in DTYPES:
        for sizes in ([], [1], [5], [11], [2, 3], [1, 1], [2, 1, 3], [2, 2, 1, 2], [0], [0, 3], [2, 0, 4]):
            case(dtype, sizes, numbers(dtype))
        if dtype.startswith(("INT", "UINT")):
            limits = numpy.iinfo(dtype.lower())
            case(dtype, [4], [limits.min, limits.max, 0, 1])
            case(dtype, [2, 2], [limits.max - 1, 7, limits.min // 2, 12])
    for sizes in ([1, 2, 1, 2, 1], [2, 1, 2, 1, 2, 1], [1, 1, 1, 1, 1, 1], [2, 0, 1, 1, 1, 3]):
        case("FLOAT32", sizes, numbers("FLOAT32"))
        case("INT64", sizes, numbers("INT64"))


def floats():
    small = 2.0 ** -9
    lists = [
        [NAN], [INF], [-INF, INF, NAN], [0.0], [-0.0], [0.0, -0.0, 0.0], [1.0, NAN], [1.0, INF, -INF], [1.5, NAN, -INF],
        [0.0, INF],
        [1.0, 2.0, 3.0], [-1.0, 0.0, 1.0], [100.0, 1.0], [0.5], [0.5, 1.0], [-0.5, 0.25], [1.0, 1.125], [1.0, -448.0],
        [small, 1.0], [small, 0.0, NAN], [1e-4], [9.9e-5], [1.1e-4], [0.1, 0.2, 0.3], [1.0, 448.0, 0.5], [240.0, 0.25],
    ]
    wide = [
        [1.0, 1000.0], [1.0, 1001.0], [-1.0, 1001.0], [1.5, 1500.0], [1.5, 1501.0], [-1.5, -1501.0], [3e4, 65504.0],
        [0.1, 100.0],
        [1e-7, 1e-5], [6e-8, 1.0], [12345.0, 54321.0], [12345.5, 54321.25], [1e-4, 0.05], [0.0001, 0.00015],
    ]
    huge = [
        [1e8], [1e8, 1e6], [100000008.0], [99999992.0, 1e7], [1e30], [1e30, 1.0], [-1e30, INF, NAN, 0.0], [1e-30],
        [1e38, 1e-38],
        [1e-40], [1e-45, 0.0], [3.4e38], [123456.789, 234567.891], [9999.99995, 1000.5], [0.99995, 0.5],
        [16777216.0, 16777215.0],
    ]
    very = [
        [5e-324], [5e-324, 1.7976931348623157e308], [1e100, 1e99], [9.99995e99, 1e99], [-1e100, 1e101], [1e-100],
        [9.99999e-101],
        [1e-99, 1e-100], [100000000.0000001], [0.1, 100.00000000000001], [0.1, 100.00000000000003], [0.0001],
        [0.00009999999999],
        [0.00005, 1.0], [0.00015, 0.1], [2.5, 0.12345, 0.00125], [1e22, 1e21], [123456789.0],
    ]
    for dtype in FLOATS:
        for values in lists + (wide if "8" not in dtype else []) + (huge if dtype[-2:] in ("32", "64") else []) + \
                (very if dtype == "FLOAT64" else []):
            case(dtype, [len(values)], values)
            if len(values) == 1 and dtype in ("FLOAT32", "FLOAT64"):
                case(dtype, [], values)
    for dtype in ("FLOAT16", "BFLOAT16", "FLOAT8_E4M3FN", "FLOAT8_E5M2"):
        item = 1 if "8" in dtype else 2
        for bits in ([0x7C, 0xFC], [0x7F, 0xFF], [0x01, 0x81], [0x7E, 0x7B], [0x00, 0x80]):
            case(dtype, [2], b"".join(bytes([0] * (item - 1) + [b]) for b in bits))
            case(dtype, [2], b"".join(bytes([b] + [0] * (item - 1)) for b in bits))
    # float32 pairs whose quotient is above 1000 in float64 but 1000 in float32
    case("FLOAT32", [2], bytes.fromhex("88c38140a5667d45"))
    case("FLOAT32", [2], numpy.array([4.0551, 4055.1], dtype="f4").tobytes())
    case("FLOAT32", [2], bytes.fromhex("0000c0ff0000807f"))  # a NaN with its sign bit set


def complexes():
    values = [
        [complex(NAN, INF), complex(INF, NAN), complex(-0.0, -0.0), complex(0.0, -INF)], [1 + 2j, 3 + 4j], [1.5 + 2j, 3 + 4j],
        [1 + 2.5j, -3 - 4j], [1e10 + 1j, 1 + 1j], [1 + 1e10j, 2 + 1j], [1e-5 + 1e5j, 1 + 2j], [0j, -1j, 1j],
        [100 + 1j, 1 + 100j],
        [complex(NAN, NAN)], [complex(1, NAN), complex(-2.5, 0)], [0j], [-100.25 + 3j, 7 - 1000.5j], [1e-30 - 1e30j],
    ]
    for dtype in ("COMPLEX64", "COMPLEX128"):
        for row in values:
            case(dtype, [len(row)], row)
        for row in values[:3]:
            case(dtype, [], row[:1])
        for sizes in ([12], [2, 5], [3, 7], [1500], [40, 40]):
            case(dtype, sizes, numbers(dtype))
            case(dtype, sizes, [1 + 1j, 2 - 3j, 4j])
        for notation in ("FIXED", "SCIENTIFIC"):
            case(dtype, [4], numbers(dtype), notation=notation)


def views():
    for dtype in ("INT64", "FLOAT32", "COMPLEX64", "BOOL", "UINT8", "FLOAT16"):
        values = numbers(dtype)
        case(dtype, [4, 3], values, strides=[1, 4])  # transposed
        case(dtype, [3, 2], values, strides=[8, 2], first=1, elements=24)  # sliced
        case(dtype, [5], values, strides=[-1], first=4, elements=5)  # flipped
        case(dtype, [5], values, strides=[-2], first=9, elements=11)
        case(dtype, [3, 4], values, strides=[-4, -1], first=11, elements=12)
        case(dtype, [3, 4], values, strides=[0, 1], elements=4)  # expanded
        case(dtype, [3, 4], values, strides=[1, 0], elements=3)
        case(dtype, [2, 2, 2], values, strides=[0, 0, 0], elements=1)
    case("FLOAT32", [2, 3, 4], numbers("FLOAT32"), strides=[1, 2, 6])
    case("FLOAT64", [2, 3, 4], numbers("FLOAT64"), strides=[-12, 4, -1], first=15, elements=24)
    case("INT32", [50, 60], numbers("INT32"), strides=[1, 50])
    case("INT32", [50, 60], numbers("INT32"), strides=[-60, -1], first=2999, elements=3000)
    case("FLOAT32", [1000, 1000, 1000], [1.5], strides=[0, 0, 0], elements=1)  # a billion elements in four bytes
    case("INT64", [100000, 100000], numbers("INT64"), strides=[0, 1], elements=100000)
    case("INT16", [3, 3000000000000], [7], strides=[0, 0], elements=1)


def summarised():
    for dtype in DTYPES:
        case(dtype, [1001], numbers(dtype))
        case(dtype, [30, 40], numbers(dtype))
    for dtype in ("INT64", "FLOAT32"):
        values = numbers(dtype)
        for sizes in ([1000], [6, 200], [7, 200], [200, 6], [200, 7], [1, 1001], [1001, 1], [2, 3, 400], [400, 3, 2],
                      [12, 12, 12], [7, 7, 7, 7], [2, 8, 1, 100], [1, 1, 1, 1100]):
            case(dtype, sizes, values)
        for sizes in ([3, 3, 2, 2, 2], [9, 1, 9, 1, 9], [2, 1, 2, 4, 1, 4]):
            case(dtype, sizes, values, threshold=10, edge_items=1)
        for edge in (0, 1, 2, 5):
            case(dtype, [1200], values, edge_items=edge)
            case(dtype, [12, 100], values, edge_items=edge)
        case(dtype, [12, 100], values, edge_items=600)
        case(dtype, [20], values, edge_items=0)
        case(dtype, [20], values, edge_items=0, threshold=0)
        case(dtype, [], values, edge_items=0, threshold=0)
        case(dtype, [0], values, edge_items=0, threshold=0)
        case(dtype, [0, 2], values, edge_items=0)
        case(dtype, [3, 4], values, edge_items=0, line_width=20)
        for threshold in (0, 9, 10, 11):
            case(dtype, [10], values, threshold=threshold)
            case(dtype, [], values, threshold=threshold)
    # what is not shown has no part in the format: large and fractional numbers hide in the middle
    row = [float(i) for i in range(3)] + [1e30, 0.5] * 500 + [7.0, 8.0, 9.0]
    case("FLOAT32", [6], row[:6], edge_items=1, threshold=5)
    case("FLOAT32", [8], [1, 2, 3, 1e30, 0.5, 4, 5, 6], threshold=7)
    case("INT64", [8], [1, 2, 3, 10 ** 18, -5, 4, 5, 6], threshold=7)


def choices():
    for dtype in ("FLOAT32", "FLOAT64"):
        for precision in (0, 1, 2, 7, 20):
            case(dtype, [4], [1.5, -2.25, 1000.125, 0.5], precision=precision)
            case(dtype, [2], [1.0, -2.0], precision=precision)
            case(dtype, [2], [1e10, -2.0], precision=precision)
            case(dtype, [2], [1e-10, 1.5], precision=precision, notation="FIXED")
        for notation in ("FIXED", "SCIENTIFIC"):
            for values in ([1.0, 2.0], [1.5, 2.5], [0.0, INF, NAN], [1e10, 1.0], [1e10, 1e-5], [99999999.5, 123456.5],
                           [-0.00001, 1.5]):
                case(dtype, [len(values)], values, notation=notation)
    case("FLOAT64", [2], [5e-324, 1e308], notation="FIXED", precision=2)
    case("FLOAT64", [], [5e-324], notation="FIXED", precision=1074)
    case("FLOAT64", [2], [5e-324, -1.5e308], precision=1074)
    case("INT64", [3], [1, 2, 3], notation="SCIENTIFIC", precision=9)
    case("BOOL", [2], [1, 0], notation="SCIENTIFIC")
    for width in (1, 23, 24, 25, 79, 81):
        case("INT64", [30], numbers("INT64"), line_width=width)
        case("FLOAT64", [3, 5], numbers("FLOAT64"), line_width=width)
        case("BOOL", [2, 2, 4], numbers("BOOL"), line_width=width)
    for width in (38, 39, 40, 41):
        case("COMPLEX64", [6], [1.5 + 2j, 3 - 25j], line_width=width)
    for width in range(36, 48):
        case("INT32", [3], [1, 2, 3], line_width=width)
        case("FLOAT64", [0, 3], [], line_width=width)
        case("FLOAT64", [2, 2], [1.5, -2], line_width=width)


def suffixes():
    for count in range(1, 25):
        case("INT32", [count], [100, 2000, 7])
    for count in range(3, 9):
        case("FLOAT8_E4M3FN", [2, count], [1.5, 2])
    for default in ("FLOAT16", "BFLOAT16", "FLOAT64"):
        for dtype in ("FLOAT16", "BFLOAT16", "FLOAT32", "FLOAT64", "COMPLEX64", "COMPLEX128", "INT64", "INT32", "BOOL"):
            case(dtype, [2], numbers(dtype), default=default)
            case(dtype, [0], [], default=default)
        case("FLOAT32", [0, 2], [], default=default)


def at_random(count, source):
    def value(kind):
        roll = source.random()
        if roll < 0.08:
            return source.choice([0.0, -0.0, INF, -INF, NAN])
        if kind == 0:
            return float(source.randint(-120, 120))
        if kind == 1:
            return source.uniform(-10, 10)
        return source.choice([-1, 1]) * 10.0 ** source.uniform(-kind * kind, kind * kind)

    for _ in range(count):
        dtype = source.choice(list(DTYPES))
        rank = source.choice([0, 1, 1, 2, 2, 3, 4])
        sizes = [source.choice([1, 2, 3, 4, 8, 13] if rank < 3 else [1, 2, 3, 8]) for _ in range(rank)]
        options = {}
        if source.random() < 0.5:
            options["threshold"] = source.choice([0, 5, 20, 100])
            options["edge_items"] = source.choice([1, 1, 2, 3])
        elif numpy.prod(sizes, dtype=int) > 60:
            options["threshold"] = 50
            options["edge_items"] = source.choice([1, 2])
        if source.random() < 0.3:
            options["precision"] = source.choice([0, 1, 2, 3, 6, 10])
        if source.random() < 0.4:
            options["line_width"] = source.choice([12, 30, 40, 50, 60, 100])
        if source.random() < 0.2:
            options["notation"] = source.choice(["FIXED", "SCIENTIFIC"])
        length = source.choice([1, 3, 5, 7])
        kind = source.choice([0, 1, 2, 3, 5])
        torch_kind = DTYPES[dtype]
        if torch_kind.is_complex:
            values = [complex(value(kind), value(kind)) for _ in range(length)]
        elif torch_kind.is_floating_point:
            values = [value(kind) for _ in range(length)]
        elif dtype == "BOOL":
            values = [source.randint(0, 1) for _ in range(length)]
        else:
            limits = numpy.iinfo(dtype.lower())
            values = [source.randint(limits.min, limits.max) >> source.choice([0, 8, 20, 40]) for _ in range(length)]
        if source.random() < 0.4:
            order = source.sample(range(rank), rank)
            strides, step = [0] * rank, source.choice([1, 2])
            for dim in order:
                strides[dim] = step * source.choice([1, 1, -1])
                if source.random() < 0.1:
                    strides[dim] = 0
                else:
                    step *= sizes[dim]
            first = sum(-stride * (size - 1) for size, stride in zip(sizes, strides) if stride < 0)
            last = sum(stride * (size - 1) for size, stride in zip(sizes, strides) if stride > 0)
            if rank > 0:
                case(dtype, sizes, values, strides=strides, first=first, elements=first + last + 1, **options)
        else:
            case(dtype, sizes, values, default=source.choice(["FLOAT32", "FLOAT32", "FLOAT64"]), **options)


print("/* Made by make_print_cases.py with PyTorch %s. Do not edit. */" % torch.__version__.split("+")[0])
for group in (every_dtype, floats, complexes, views, summarised, choices, suffixes):
    print("\n/* %s */" % group.__name__.replace("_", " "))
    group()
print("\n/* at random */")
at_random(60, random.Random(1))
if len(sys.argv) > 1:
    at_random(int(sys.argv[1]), random.Random(int(sys.argv[2])))

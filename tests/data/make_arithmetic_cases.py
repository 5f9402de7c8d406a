"""Asks PyTorch for the operators of arithmetic, and writes the table of tests/pointwise_arithmetic.c.

usage: python make_arithmetic_cases.py > arithmetic_cases.inc        (needs torch; written with 2.13, the output is in the tree)
The lines are explained in pointwise_cases.py.
"""
import torch

from pointwise_cases import FLOATS, INTEGERS, PLAIN, begin, case, end, narrow, wrapped

UNARY = """neg negative abs absolute sign sgn square reciprocal sqrt rsqrt floor ceil trunc round fix frac deg2rad rad2deg
nan_to_num positive""".split()
BINARY = """add sub mul div true_divide floor_divide remainder fmod maximum minimum fmax fmin gcd lcm copysign heaviside
nextafter""".split()
MIXED = ["int8 int64", "uint8 int8", "int32 float16", "float16 bfloat16", "float32 float64", "float64 int8", "bool float32",
         "float16 float32", "bool int16", "int64 uint8"]
NUMBERS = ["i3", "i-2", "d2.5", "t1"]
COMMUTATIVE = "maximum minimum fmax fmin gcd lcm".split()
WITH_NUMBERS = "add sub mul div true_divide floor_divide remainder fmod copysign heaviside nextafter".split() + COMMUTATIVE
ALIASES = "subtract multiply divide".split()
FEW = ["bool", "int8", "bfloat16", "float32"]
SAME = ("heaviside", "lerp")  # their tensors must have one dtype


def close(name):
    return 1 if name in ("reciprocal", "rsqrt", "deg2rad", "rad2deg", "div", "true_divide") else 0


def unary():
    for name in UNARY:
        for dtype in PLAIN:
            if dtype == "bool" and name in ("abs", "absolute"):
                continue  # torch has it
            for which in "ab":
                case(name, "%s:%s" % (which, dtype), getattr(torch, name), close(name))
    for dtype in PLAIN:
        for decimals in (0, 1, -1, 3):
            case("round.decimals", "b:%s i%d" % (dtype, decimals), lambda x, d: torch.round(x, decimals=d), 1)
        if dtype in FLOATS:
            case("nan_to_num", "a:%s d1.5 d2.5 i-3" % dtype, torch.nan_to_num)
            case("nan_to_num", "a:%s - d2.5 -" % dtype, torch.nan_to_num)


def same_dtype(a, b):
    dtype = torch.result_type(a, b)
    return torch.heaviside(a.to(dtype), b.to(dtype))


def overflows(name, dtype):
    """gcd and lcm of the smallest number have no magnitude in the dtype."""
    return name in ("gcd", "lcm") and dtype in INTEGERS and dtype[0] != "u"


def binary():
    for name in BINARY:
        function = getattr(torch, name)
        for dtype in PLAIN:
            if not overflows(name, dtype):
                case(name, "a:%s b:%s" % (dtype, dtype), function, close(name), name != "nextafter")
            case(name, "b:%s b:%s" % (dtype, dtype), function, close(name), name != "nextafter")
        for dtype in ("float32", "float64", "bfloat16"):
            case(name, "c:%s r:%s" % (dtype, dtype), function, close(name), name != "nextafter")
        for mixed in MIXED:
            a, b = mixed.split()
            if overflows(name, a):
                continue
            case(name, "a:%s b:%s" % (a, b), function, close(name), name != "nextafter")
            if name not in SAME:
                case(name, "b:%s B:%s" % (a, b), function, close(name), name != "nextafter")
    for name in WITH_NUMBERS:
        function = wrapped(same_dtype if name == "heaviside" else getattr(torch, name))
        for dtype in FEW if name in COMMUTATIVE else PLAIN:
            for number in NUMBERS:
                if number == "i-2" and (dtype[0] == "u" or name == "lcm"):
                    continue
                case(name + ".scalar", "b:%s %s" % (dtype, number), function, close(name), name != "nextafter")
                if name not in COMMUTATIVE and dtype in FEW:
                    case(name + ".rscalar", "%s b:%s" % (number, dtype), function, close(name), name != "nextafter")
    for name in ALIASES:
        for dtype in FEW:
            case(name, "a:%s b:%s" % (dtype, dtype), getattr(torch, name), 1)
            case(name + ".scalar", "b:%s i3" % dtype, getattr(torch, name), 1)
    for dtype in PLAIN:
        for words in ("a:%s t1", "a:%s t0", "t1 a:%s"):
            case("pow" + (".scalar" if words[0] == "a" else ".rscalar"), words % dtype, torch.pow, 1)
        case("rsub.scalar", "b:%s t1 i1" % dtype, lambda x, y, alpha: torch.rsub(x, y, alpha=alpha))
        if dtype != "bool":
            case("rsub.scalar", "b:%s i7 i1" % dtype, lambda x, y, alpha: torch.rsub(x, y, alpha=alpha))
            case("rsub.scalar", "b:%s d7.5 i2" % dtype, lambda x, y, alpha: torch.rsub(x, y, alpha=alpha))


def with_numbers():
    for dtype in PLAIN:
        for name in ("add", "sub", "subtract") if dtype in FEW else ("add", "sub"):
            for alpha in ("i2", "i-1", "d0.5", "t1"):
                if dtype[0] == "u" and alpha == "i-1":
                    continue
                case(name + ".alpha", "a:%s b:%s %s" % (dtype, dtype, alpha),
                     lambda x, y, alpha: getattr(torch, name)(x, y, alpha=alpha))
        case("rsub", "a:%s b:%s i2" % (dtype, dtype), lambda x, y, alpha: torch.rsub(x, y, alpha=alpha))
        for mode in ("'floor'", "'trunc'", "'none'", "'ceil'"):
            function = lambda x, y, mode: torch.div(x, y, rounding_mode=None if mode == "none" else mode)
            case("div.mode", "a:%s b:%s %s" % (dtype, dtype, mode), function, 1 if mode == "'none'" else 0)
            case("div.scalar_mode", "b:%s i2 %s" % (dtype, mode), function, 1 if mode == "'none'" else 0)
            case("div.rscalar_mode", "i-7 b:%s %s" % (dtype, mode), function, 1 if mode == "'none'" else 0)
            if dtype in FEW:
                case("divide.mode", "a:%s b:%s %s" % (dtype, dtype, mode), function, 1 if mode == "'none'" else 0)
                case("divide.scalar_mode", "b:%s i2 %s" % (dtype, mode), function, 1 if mode == "'none'" else 0)
        for bounds in ("i2 i5", "- i5", "i2 -", "d1.5 d2.5", "i5 i2", "- -"):
            if dtype != "bool":
                case("clamp", "a:%s %s" % (dtype, bounds), torch.clamp)
                case("clip", "b:%s %s" % (dtype, bounds), torch.clip)
        case("clamp_min", "b:%s i2" % dtype, torch.clamp_min)
        case("clamp_max", "b:%s d2.5" % dtype, torch.clamp_max)
        if dtype != "bool":
            for bounds in ("b:%s A:%s" % (dtype, dtype), "- b:%s" % dtype, "b:%s -" % dtype, "b:int8 b:float32"):
                case("clamp.tensor", "a:%s %s" % (dtype, bounds), torch.clamp)
            case("clamp_min.tensor", "a:%s b:%s" % (dtype, dtype), torch.clamp_min)
            case("clamp_max.tensor", "a:%s b:%s" % (dtype, dtype), torch.clamp_max)
        case("lerp.scalar", "b:%s b:%s d0.25" % (dtype, dtype), torch.lerp, 1)
        case("lerp", "a:%s b:%s b:%s" % (dtype, dtype, dtype), torch.lerp, 1)
        case("addcmul", "a:%s b:%s b:%s i2" % (dtype, dtype, dtype), lambda x, y, z, v: torch.addcmul(x, y, z, value=v), 1)
        case("addcdiv", "a:%s b:%s b:%s d0.5" % (dtype, dtype, dtype), lambda x, y, z, v: torch.addcdiv(x, y, z, value=v), 1)
    case("lerp", "a:float32 b:float64 b:float32", torch.lerp)
    case("heaviside", "a:float32 b:float64", torch.heaviside)
    case("addcmul", "a:int8 b:float32 b:int64 d0.5", lambda x, y, z, v: torch.addcmul(x, y, z, value=v), 1)


begin("make_arithmetic_cases.py")
unary()
binary()
with_numbers()
narrow({name: getattr(torch, name) for name in "add sub mul div floor_divide remainder".split()})
narrow({name: wrapped(getattr(torch, name)) for name in "fmod maximum nextafter".split()})
end()

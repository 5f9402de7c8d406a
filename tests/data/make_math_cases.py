"""Asks PyTorch for the mathematical functions and the activations, and writes the table of tests/pointwise_math.c.

usage: python make_math_cases.py > math_cases.inc        (needs torch; written with 2.13, the output is in the tree)
The lines are explained in pointwise_cases.py.
"""
import torch
import torch.nn.functional as F

from pointwise_cases import FLOATS, PLAIN, begin, case, end, narrow, wrapped

FUNCTIONS = """exp exp2 expm1 log log2 log10 log1p sin cos tan asin acos atan sinh cosh tanh asinh acosh atanh sinc erf erfc
erfinv lgamma digamma sigmoid logit arcsin arccos arctan arcsinh arccosh arctanh""".split()
SIMPLE = """relu relu6 leaky_relu elu selu celu silu mish hardtanh hardsigmoid hardswish softsign tanhshrink logsigmoid
softplus""".split()
PAIRS = "atan2 arctan2 hypot ldexp logaddexp logaddexp2 xlogy float_power pow".split()
COMMUTATIVE = "hypot logaddexp logaddexp2".split()
WRAPPED = COMMUTATIVE + "atan2 arctan2 ldexp".split()  # torch takes tensors only
MIXED = ["int8 int64", "int32 float16", "float16 bfloat16", "float32 float64", "float64 int8", "bool float32",
         "float16 float32"]


def sinc(x):  # torch's sin(pi x) is not 0 for whole numbers
    x = x if x.is_floating_point() else x.float()
    return torch.where((x != 0) & (x == x.trunc()) & x.isfinite(), 0, torch.sinc(x))


def softsign(x):  # torch lets the magnitude of integers overflow
    return F.softsign(x if x.is_floating_point() else x.float())


def functions():
    for name in FUNCTIONS:
        for dtype in PLAIN:
            function, ulp = sinc if name == "sinc" else getattr(torch, name), 2 if name == "digamma" else 1
            case(name, "a:" + dtype, function, ulp)
            if dtype in FLOATS:
                case(name, "b:" + dtype, function, ulp)
    for dtype in PLAIN:
        case("i0", "b:" + dtype, torch.i0, 1)  # torch has NaN at the infinities
        case("logit.eps", "a:%s d0.25" % dtype, torch.logit, 1)
        case("logit.eps", "b:%s d-1" % dtype, torch.logit, 1)
        case("logit.eps", "b:%s d0.7" % dtype, torch.logit, 1)


def activations():
    for name in SIMPLE:
        for dtype in PLAIN:
            if dtype == "bool" and name in ("softsign", "tanhshrink"):
                continue  # torch refuses
            for which in "ab":
                near = 32 if name == "tanhshrink" else 2  # a difference of rounded numbers is not the rounded difference
                case(name, which + ":" + dtype, softsign if name == "softsign" else getattr(F, name), near)
    for dtype in FLOATS + ["int32"]:
        for words in ("a:%s 'none'", "b:%s 'tanh'", "a:%s 'tanh'", "b:%s 'none'", "b:%s 'sometimes'"):
            case("gelu.approximate", words % dtype, lambda x, way: F.gelu(x, approximate=way), 2)
        for which in "ab":
            case("leaky_relu.slope", "%s:%s d0.375" % (which, dtype), F.leaky_relu, 1)
            case("elu.alpha", "%s:%s d1.5 d2 d0.5" % (which, dtype), torch._C._nn.elu, 2)
            case("celu.alpha", "%s:%s d2" % (which, dtype), torch.celu, 2)
            case("softplus.beta", "%s:%s d2 d1.5" % (which, dtype), F.softplus, 2)
            case("softplus.beta", "%s:%s i-1 i20" % (which, dtype), F.softplus, 2)
    case("celu.alpha", "a:float32 i0", torch.celu)
    for dtype in PLAIN:
        for words in ("a:%s i-2 i3", "a:%s d0.5 d2.5", "a:%s i2 i2", "b:%s i2 i1", "b:%s i0 i100"):
            case("hardtanh.range", words % dtype, F.hardtanh)
        for words in ("a:%s i1 i5", "b:%s d2.5 d-1.5", "b:%s i2 i300"):
            if words.count("d") == 2 and "u" in dtype or dtype == "bool":
                continue  # torch wraps -1 around
            case("threshold", words % dtype, F.threshold)


def pairs():
    for name in PAIRS:
        function = getattr(torch, name)
        for dtype in PLAIN:
            if (name, dtype) != ("pow", "bool"):
                case(name, "a:%s b:%s" % (dtype, dtype), function, 1)
        for dtype in ("float32", "float64"):
            case(name, "c:%s r:%s" % (dtype, dtype), function, 1)
        for mixed in MIXED:
            case(name, "a:%s b:%s" % tuple(mixed.split()), function, 1)
            case(name, "a:%s B:%s" % tuple(mixed.split()), function, 1)
    for name in PAIRS:
        function = wrapped(getattr(torch, name)) if name in WRAPPED else getattr(torch, name)
        for dtype in PLAIN:
            if name == "pow" and dtype == "bool":
                continue
            if name in COMMUTATIVE:
                case(name + ".scalar", "a:%s i3" % dtype, function, 1)
                case(name + ".scalar", "a:%s d1.75" % dtype, function, 1)
                continue
            case(name + ".scalar", "a:%s i3" % dtype, function, 1)
            case(name + ".scalar", "a:%s d1.75" % dtype, function, 1)
            if name != "ldexp" or dtype not in ("bool", "int64"):  # torch refuses the one, and wraps exponents of the other
                case(name + ".rscalar", "d2.5 b:%s" % dtype, function, 1)
            case(name + ".rscalar", "i3 b:%s" % dtype, function, 1)


def halves():
    for dtype in PLAIN:
        for which in "ab":
            case("frexp mantissa", "%s:%s" % (which, dtype), lambda x: torch.frexp(x)[0])
            case("frexp exponent", "%s:%s" % (which, dtype), lambda x: torch.frexp(x)[1])


begin("make_math_cases.py")
functions()
activations()
pairs()
halves()
narrow({name: wrapped(getattr(torch, name)) for name in "atan2 hypot logaddexp".split()}, 1)
narrow({"pow": torch.pow}, 1)
end()
